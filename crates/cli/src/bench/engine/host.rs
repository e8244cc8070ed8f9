//! An engine in this process, and a worker in another.

use std::path::Path;
use std::sync::Arc;

use tokio::process::Command;
use tokio_util::sync::CancellationToken;
use waymark_engine::runtime::{self, Intake};
use waymark_store::Store;

use crate::bench::pool::Pool;

pub struct Host {
    pub pool: Pool,
    shutdown: CancellationToken,
    engine: tokio::task::JoinHandle<waymark_store::Result<()>>,
}

impl Host {
    pub async fn start(store: Arc<dyn Store>, folder: &Path) -> anyhow::Result<Host> {
        let mut worker = Command::new(std::env::current_exe()?);
        worker.arg("test-worker");
        let pool = Pool::start(worker, folder).await?;
        let shutdown = CancellationToken::new();
        let dispatcher = Arc::new(pool.hub.clone());
        let engine =
            tokio::spawn(runtime::run(store, Default::default(), dispatcher, Intake::default(), shutdown.clone()));
        Ok(Host { pool, shutdown, engine })
    }

    pub async fn stop(self) -> anyhow::Result<()> {
        self.shutdown.cancel();
        self.engine.await??;
        self.pool.stop().await
    }
}
