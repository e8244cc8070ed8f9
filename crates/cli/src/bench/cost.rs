//! What a stretch of work costs.

use std::time::{Duration, Instant};

use waymark_store::floor::Floor;

use super::processes::{self, Times};

/// Processor time by who used it, and what the database did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    pub wall: Duration,
    /// Bridge and engine. A SQLite store works in that process.
    pub server: Duration,
    pub workers: Duration,
    /// A database with processes of its own.
    pub database: Duration,
    pub client: Duration,
    /// Written to the database's log, or to the disk.
    pub log_bytes: Option<u64>,
    /// Those that wrote something; None: it does not tell.
    pub transactions: Option<u64>,
}

impl Cost {
    pub fn processor(&self) -> Duration {
        self.server + self.workers + self.database + self.client
    }
}

/// Who is watched. The database's processes find themselves.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    pub servers: Vec<u32>,
    pub workers: Vec<u32>,
    pub client: Option<u32>,
}

impl Watched {
    /// This process alone, as the server.
    pub fn this() -> Watched {
        Watched { servers: vec![std::process::id()], ..Watched::default() }
    }
}

/// Begun before the work, ended after it.
pub struct Meter {
    /// To look at the database's log and processes; None: it has none.
    probe: Option<Floor>,
    watched: Watched,
    begun: Instant,
    before: Look,
}

struct Look {
    servers: Times,
    workers: Times,
    client: Times,
    database: Times,
    log_bytes: Option<u64>,
    transactions: Option<u64>,
}

impl Meter {
    pub async fn begin(url: &str, watched: Watched) -> anyhow::Result<Meter> {
        let probe = match waymark_store::sqlite_path(url) {
            Some(_) => None,
            None => Some(Floor::open(url).await?),
        };
        let before = look(probe.as_ref(), &watched).await?;
        Ok(Meter { probe, watched, begun: Instant::now(), before })
    }

    pub async fn end(self) -> anyhow::Result<Cost> {
        let wall = self.begun.elapsed();
        let after = look(self.probe.as_ref(), &self.watched).await?;
        let before = self.before;
        let more = |after: Option<u64>, before| after.zip(before).map(|(after, before)| after.saturating_sub(before));
        Ok(Cost {
            wall,
            server: after.servers.since(&before.servers),
            workers: after.workers.since(&before.workers),
            database: after.database.since(&before.database),
            client: after.client.since(&before.client),
            log_bytes: more(after.log_bytes, before.log_bytes),
            transactions: more(after.transactions, before.transactions),
        })
    }
}

async fn look(probe: Option<&Floor>, watched: &Watched) -> anyhow::Result<Look> {
    let (database, log_bytes, transactions) = match probe {
        Some(probe) => (
            probe.server_process().await?.map(Times::of_family).unwrap_or_default(),
            probe.wal_bytes().await?,
            probe.transactions().await?,
        ),
        None => {
            let written = watched.servers.iter().filter_map(|server| processes::bytes_written(*server));
            (Times::default(), written.reduce(|sum, bytes| sum + bytes), None)
        }
    };
    Ok(Look {
        servers: Times::of(&watched.servers),
        workers: Times::of(&watched.workers),
        client: Times::of(watched.client.as_slice()),
        database,
        log_bytes,
        transactions,
    })
}
