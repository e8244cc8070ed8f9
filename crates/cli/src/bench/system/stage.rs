//! Where a workload runs: a database of its own, a server with workers, a client. All of it is gone with it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::bail;
use serde_json::Value as Json;
use tempfile::TempDir;
use waymark_store::cluster::Cluster;

use super::client::Client;
use super::server::Server;
use super::workload::{Scale, StoreKind};
use crate::bench::cost::{Cost, Meter, Watched};
use crate::bench::processes::Times;

/// What all stages have in common.
pub struct Site {
    pub folder: TempDir,
    /// There is one where Postgres is measured.
    pub cluster: Option<Cluster>,
    pub scale: Scale,
    /// Worker processes an engine.
    pub workers: usize,
}

pub struct Stage<'a> {
    pub site: &'a Site,
    pub url: String,
    pub client: Client,
    folder: PathBuf,
    servers: Vec<Server>,
    /// So far: each has a log of its own.
    started: usize,
}

/// How often it is looked whether servers rest, and the share of a core below which they do.
const REST_LOOK: Duration = Duration::from_millis(250);
const REST_SHARE: f64 = 0.1;
const REST_PATIENCE: Duration = Duration::from_secs(300);

impl Site {
    pub async fn stage(&self, store: StoreKind, engines: usize) -> anyhow::Result<Stage<'_>> {
        let folder = self.folder.path().join(uuid::Uuid::now_v7().simple().to_string());
        std::fs::create_dir(&folder)?;
        let url = match (store, &self.cluster) {
            (StoreKind::Postgres, Some(cluster)) => cluster.database(true).await,
            (StoreKind::Postgres, None) => bail!("there is no Postgres"),
            (StoreKind::Sqlite, _) => format!("sqlite:{}", folder.join("bench.db").display()),
        };
        let client = Client::start(&folder, &url)?;
        let mut stage = Stage { site: self, url, client, folder, servers: Vec::new(), started: 0 };
        // The first has the bridge, too.
        stage.add_server("dev").await?;
        for _ in 1..engines {
            stage.add_server("start-workers").await?;
        }
        Ok(stage)
    }
}

impl Stage<'_> {
    async fn add_server(&mut self, command: &str) -> anyhow::Result<()> {
        let server = Server::start(&[command], &self.folder, &self.url, self.site.workers, self.started).await?;
        self.started += 1;
        self.servers.push(server);
        Ok(())
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The server that has the bridge.
    pub fn server(&self) -> &Server {
        &self.servers[0]
    }

    pub fn watched(&self) -> Watched {
        Watched {
            servers: self.servers.iter().map(Server::process_id).collect(),
            workers: self.servers.iter().flat_map(Server::workers).collect(),
            client: self.client.process_id(),
        }
    }

    /// What the client answers, and what it cost everybody.
    pub async fn measure(&mut self, request: Json) -> anyhow::Result<(Json, Cost)> {
        let meter = Meter::begin(&self.url, self.watched()).await?;
        let answer = self.client.ask(request).await?;
        Ok((answer, meter.end().await?))
    }

    /// Until the servers have nothing left to do.
    pub async fn rest(&self) -> anyhow::Result<()> {
        let servers = self.watched().servers;
        let (begun, mut quiet) = (Instant::now(), 0);
        while quiet < 3 {
            if begun.elapsed() > REST_PATIENCE {
                bail!("the server does not come to rest");
            }
            let (before, look) = (Times::of(&servers), Instant::now());
            tokio::time::sleep(REST_LOOK).await;
            let used = Times::of(&servers).since(&before).as_secs_f64();
            quiet = if used < REST_SHARE * look.elapsed().as_secs_f64() { quiet + 1 } else { 0 };
        }
        Ok(())
    }

    /// SIGKILL, and a new process in its place; returns when that has its workers.
    pub async fn kill_and_restart(&mut self) -> anyhow::Result<()> {
        self.servers.remove(0).kill()?;
        self.add_server("dev").await
    }

    /// Ends all but the database, whose address it gives back: nobody uses it any more.
    pub async fn stop(self) -> anyhow::Result<String> {
        drop(self.client);
        for server in self.servers {
            server.stop().await?;
        }
        Ok(self.url)
    }
}
