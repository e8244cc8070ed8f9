//! An engine in this process, and a worker in another.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use tokio::net::UnixListener;
use tokio::process::{Child, Command};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use uuid::Uuid;
use waymark_engine::runtime::{self, Dispatcher};
use waymark_engine::{Job, Report, Work};
use waymark_ir::Value;
use waymark_runner::{Dispatch, ExecutionId};
use waymark_server::auth::{Access, TokenHash};
use waymark_server::pool::{self, Hub};
use waymark_server::serve;
use waymark_store::Store;

/// Calls that the worker takes at the same time.
const SLOTS: u32 = 1_000;
/// For the worker to start, and for one call to come back.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Host {
    hub: Hub,
    worker: Child,
    shutdown: CancellationToken,
    engine: tokio::task::JoinHandle<waymark_store::Result<()>>,
}

impl Host {
    pub async fn start(store: Arc<dyn Store>, folder: &Path) -> anyhow::Result<Host> {
        let socket = folder.join(format!("{}.sock", Uuid::now_v7().simple()));
        let listener = UnixListener::bind(&socket).context("no socket for the worker")?;
        let token = Uuid::new_v4().to_string();
        let hub = Hub::new(pool::Options::default());
        let shutdown = CancellationToken::new();
        let access = Access { token: TokenHash::of(&token), open_health: true };
        tokio::spawn(serve::serve(listener, Routes::new(hub.service()), access, None, shutdown.clone()));
        let worker = Command::new(std::env::current_exe()?)
            .arg("test-worker")
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
        let dispatcher = Arc::new(hub.clone());
        let engine = tokio::spawn(runtime::run(store, Default::default(), dispatcher, shutdown.clone()));
        Ok(Host { hub, worker, shutdown, engine })
    }

    /// The worker's process.
    pub fn worker(&self) -> u32 {
        self.worker.id().unwrap_or_default()
    }

    /// How long one call takes, from the pool to the worker and back, when nothing else is going on.
    pub async fn round_trip(&self, steps: usize) -> anyhow::Result<Duration> {
        let (reports, mut reported) = mpsc::unbounded_channel();
        let instance_id = Uuid::now_v7();
        let begun = Instant::now();
        for step in 0..steps {
            let call = Dispatch {
                execution: ExecutionId { instance: instance_id.as_u128(), epoch: 0, ordinal: step as u64 },
                attempt: 1,
                name: "double".into(),
                positional: Arc::new([]),
                keyword: Arc::new([("n".into(), Value::Int(step as i64))]),
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
        }
        Ok(begun.elapsed() / steps as u32)
    }

    pub async fn stop(mut self) -> anyhow::Result<()> {
        self.shutdown.cancel();
        self.engine.await??;
        self.worker.kill().await.context("the worker can't be stopped")
    }
}
