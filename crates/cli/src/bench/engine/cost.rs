//! What a stretch of work costs.

use std::time::{Duration, Instant};

use waymark_store::floor::Floor;

use super::processes::{self, Times};

/// Processor time by who used it.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub wall: Duration,
    /// This process.
    pub engine: Duration,
    pub workers: Duration,
    /// A database with a process of its own.
    pub database: Duration,
    /// Written to the database's log, or to the disk.
    pub log_bytes: Option<u64>,
}

impl Cost {
    pub fn processor(&self) -> Duration {
        self.engine + self.workers + self.database
    }
}

/// Begun before the work, ended after it.
pub struct Meter {
    /// To look at the database's log and processes; None: it has none.
    probe: Option<Floor>,
    worker: Option<u32>,
    begun: Instant,
    before: Look,
}

struct Look {
    engine: Times,
    workers: Times,
    database: Times,
    log_bytes: Option<u64>,
}

impl Meter {
    pub async fn begin(url: &str, worker: Option<u32>) -> anyhow::Result<Meter> {
        let probe = match waymark_store::sqlite_path(url) {
            Some(_) => None,
            None => Some(Floor::open(url).await?),
        };
        let before = look(probe.as_ref(), worker).await?;
        Ok(Meter { probe, worker, begun: Instant::now(), before })
    }

    pub async fn end(self) -> anyhow::Result<Cost> {
        let wall = self.begun.elapsed();
        let after = look(self.probe.as_ref(), self.worker).await?;
        let before = self.before;
        Ok(Cost {
            wall,
            engine: after.engine.since(&before.engine),
            workers: after.workers.since(&before.workers),
            database: after.database.since(&before.database),
            log_bytes: after.log_bytes.zip(before.log_bytes).map(|(after, before)| after.saturating_sub(before)),
        })
    }
}

async fn look(probe: Option<&Floor>, worker: Option<u32>) -> anyhow::Result<Look> {
    let (database, log_bytes) = match probe {
        Some(probe) => {
            (probe.server_process().await?.map(Times::of_family).unwrap_or_default(), probe.wal_bytes().await?)
        }
        None => (Times::default(), processes::bytes_written()),
    };
    let workers = worker.map(Times::of).unwrap_or_default();
    Ok(Look { engine: Times::of(std::process::id()), workers, database, log_bytes })
}
