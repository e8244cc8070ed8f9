//! A pool in this process and a worker of it in another, without an engine: what a call costs alone.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use tokio::net::UnixListener;
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use uuid::Uuid;
use waymark_engine::runtime::{Dispatcher, Reports};
use waymark_engine::{Job, Report, Work};
use waymark_ir::Value;
use waymark_runner::{Dispatch, ExecutionId};
use waymark_server::auth::{Access, TokenHash};
use waymark_server::pool::{self, Hub};
use waymark_server::serve;

/// Calls that the worker takes at the same time.
const SLOTS: u32 = 1_000;
/// For the worker to start, and for one call to come back.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Pool {
    pub hub: Hub,
    worker: Child,
    shutdown: CancellationToken,
}

impl Pool {
    /// `worker`: the program to start it with.
    pub async fn start(mut worker: Command, folder: &Path) -> anyhow::Result<Pool> {
        let socket = folder.join(format!("{}.sock", Uuid::now_v7().simple()));
        let listener = UnixListener::bind(&socket).context("no socket for the worker")?;
        let token = Uuid::new_v4().to_string();
        let hub = Hub::new(pool::Options::default());
        let shutdown = CancellationToken::new();
        let access = Access { token: TokenHash::of(&token), open_health: true };
        tokio::spawn(serve::serve(listener, Routes::new(hub.service()), access, None, shutdown.clone()));
        let worker = worker
            .env("WAYMARK_WORKER_ADDRESS", format!("unix:{}", socket.display()))
            .env("WAYMARK_WORKER_TOKEN", token)
            .env("WAYMARK_WORKER_SLOTS", SLOTS.to_string())
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("the worker does not start")?;
        let begun = Instant::now();
        while hub.status().workers.is_empty() {
            if begun.elapsed() > PATIENCE {
                bail!("the worker does not connect");
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(Pool { hub, worker, shutdown })
    }

    /// The worker's process.
    pub fn worker(&self) -> u32 {
        self.worker.id().unwrap_or_default()
    }

    /// How long calls take, from the pool to the worker and back, one after the other. The action gives back a number.
    pub async fn round_trips(&self, action: &str, parameter: &str, count: usize) -> anyhow::Result<Vec<Duration>> {
        let (reports, mut reported) = Reports::channel();
        let instance_id = Uuid::now_v7();
        let mut times = Vec::new();
        for step in 0..count {
            let begun = Instant::now();
            let call = Dispatch {
                execution: ExecutionId { instance: instance_id.as_u128(), epoch: 0, ordinal: step as u64 },
                attempt: 1,
                name: action.into(),
                positional: Arc::new([]),
                keyword: Arc::new([(parameter.into(), Value::Int(step as i64))]),
                queue: None,
                timeout_us: None,
                function: 0,
                node: 0,
                child: None,
                transaction: false,
            };
            self.hub
                .run(Job { instance_id, workflow_name: "bench".into(), work: Work::Action(Arc::new(call)) }, &reports);
            match tokio::time::timeout(PATIENCE, reported.recv()).await {
                Ok(Some(Report::Completed(_))) => {}
                other => bail!("a call did not come back: {other:?}"),
            }
            times.push(begun.elapsed());
        }
        Ok(times)
    }

    pub async fn stop(mut self) -> anyhow::Result<()> {
        self.shutdown.cancel();
        self.worker.kill().await.context("the worker can't be stopped")
    }
}
