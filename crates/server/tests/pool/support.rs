//! A hub on a socket, jobs, and what is reported.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::net::UnixListener;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_stream::wrappers::UnixListenerStream;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use waymark_engine::runtime::{Dispatcher, Reports};
use waymark_engine::{Completion, Job, JobKey, JobOutcome, Report, Work};
use waymark_ir::Value;
use waymark_runner::{Dispatch, ExecutionId, Outcome};
use waymark_server::pool::{Hub, Options, Status};
use waymark_worker::Worker;

/// Nothing takes longer, on the slowest machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub struct Pool {
    pub hub: Hub,
    pub address: String,
    pub reports: Reports,
    pub reported: mpsc::UnboundedReceiver<Report>,
    instance: Uuid,
    ordinals: AtomicU64,
    _folder: tempfile::TempDir,
}

pub fn options() -> Options {
    Options {
        heartbeat: Duration::from_millis(500),
        cancel_grace: Duration::from_millis(300),
        unknown_after: Duration::from_millis(100),
        respawn_backoff: (Duration::from_millis(10), Duration::from_millis(200)),
        ..Options::default()
    }
}

impl Pool {
    pub fn start(options: Options) -> Pool {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hub.sock");
        let hub = Hub::new(options);
        let incoming = UnixListenerStream::new(UnixListener::bind(&path).unwrap());
        tokio::spawn(tonic::transport::Server::builder().add_service(hub.service()).serve_with_incoming(incoming));
        let (reports, reported) = Reports::channel();
        let address = format!("unix:{}", path.display());
        let instance = Uuid::now_v7();
        Pool { hub, address, reports, reported, instance, ordinals: AtomicU64::new(1), _folder: folder }
    }

    pub fn job(&self, name: &str, n: i64) -> Job {
        self.job_with(name, vec![("n", Value::Int(n))], None)
    }

    pub fn job_with(&self, name: &str, keyword: Vec<(&str, Value)>, queue: Option<&str>) -> Job {
        let ordinal = self.ordinals.fetch_add(1, Ordering::Relaxed);
        let keyword = keyword.into_iter().map(|(name, value)| (name.into(), value));
        let dispatch = Dispatch {
            execution: ExecutionId { instance: self.instance.as_u128(), epoch: 0, ordinal },
            attempt: 1,
            name: name.into(),
            positional: Vec::new().into(),
            keyword: keyword.collect(),
            queue: queue.map(Into::into),
            timeout_us: None,
            function: 0,
            node: 0,
            child: None,
            transaction: false,
        };
        Job { instance_id: self.instance, workflow_name: "test".into(), work: Work::Action(Arc::new(dispatch)) }
    }

    pub fn run(&self, job: Job) -> JobKey {
        let key = job.key();
        self.hub.run(job, &self.reports);
        key
    }

    pub async fn report(&mut self) -> Report {
        let report = tokio::time::timeout(PATIENCE, self.reported.recv()).await;
        report.expect("a report comes in time").unwrap()
    }

    /// The next one that is settled.
    pub async fn completion(&mut self) -> Completion {
        loop {
            if let Report::Completed(completion) = self.report().await {
                return completion;
            }
        }
    }

    pub async fn outcome(&mut self) -> (JobKey, Outcome) {
        let completion = self.completion().await;
        let JobOutcome::Action(outcome) = completion.outcome else { panic!("{completion:?}") };
        (completion.key, outcome)
    }

    pub async fn until(&self, what: &str, holds: impl Fn(&Status) -> bool) {
        let waiting = async {
            while !holds(&self.hub.status()) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        if tokio::time::timeout(PATIENCE, waiting).await.is_err() {
            panic!("{what}: {:?}", self.hub.status());
        }
    }

    pub fn worker(&self, id: &str, slots: u32) -> Worker {
        Worker::new(waymark_worker::Options {
            address: self.address.clone(),
            trust: Default::default(),
            token: None,
            worker_id: id.into(),
            queues: Vec::new(),
            slots,
        })
    }

    /// Runs a worker in this process, and waits until it is there.
    pub async fn join(&self, id: &str, worker: Worker) -> Joined {
        let shutdown = CancellationToken::new();
        let task = tokio::spawn(worker.run(shutdown.clone()));
        self.until("the worker connects", |status| status.workers.iter().any(|worker| &*worker.worker_id == id)).await;
        Joined { task, shutdown }
    }
}

pub struct Joined {
    pub task: JoinHandle<Result<(), waymark_worker::Error>>,
    pub shutdown: CancellationToken,
}

pub fn exception(outcome: &Outcome) -> (&str, String) {
    let Outcome::Failed(exception) = outcome else { panic!("{outcome:?}") };
    let [Value::Str(text)] = &exception.args[..] else { panic!("{exception:?}") };
    (&exception.type_name, text.clone())
}
