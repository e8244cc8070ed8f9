//! How fast the stores are here: starts, claims and commits, in batches, with one caller and with several.
//!
//! `cargo run -p waymark-store --example rates --features conformance [--release]`

use std::sync::Arc;
use std::time::{Duration, Instant};

use uuid::Uuid;
use waymark_store::conformance::Cluster;
use waymark_store::postgres::{PostgresOptions, PostgresStore};
use waymark_store::sqlite::{SqliteOptions, SqliteStore};
use waymark_store::{Claim, Ending, LogRow, NewInstance, NewVersion, Next, Progress, Store, Timestamp};

const INSTANCES: usize = 5_000;
const BATCH: usize = 100;
const CALLERS: usize = 4;
const STEPS: i64 = 3;

#[tokio::main]
async fn main() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let sqlite = SqliteStore::open(folder.path().join("rates.db"), SqliteOptions::default()).expect("opened");
    measure("sqlite", Arc::new(sqlite)).await;
    let cluster = Cluster::start(&[]);
    let url = cluster.database(true).await;
    let postgres = PostgresStore::connect(&url, PostgresOptions::default()).await.expect("connected");
    measure("postgres", Arc::new(postgres)).await;
}

async fn measure(name: &str, store: Arc<dyn Store>) {
    let version = NewVersion {
        workflow_name: "rates".into(),
        workflow_version: "1".into(),
        ir_hash: "hash".into(),
        program_proto: Vec::new(),
        source: None,
    };
    let version = store.register_version(version).await.expect("registered").workflow_version_id;
    let begun = Instant::now();
    each_caller(|_| {
        let store = store.clone();
        async move {
            for _ in 0..INSTANCES / CALLERS / BATCH {
                let batch = (0..BATCH).map(|_| new_instance(version)).collect();
                store.queue_instances(batch).await.expect("queued");
            }
        }
    })
    .await;
    report(name, "starts", INSTANCES, begun);

    let begun = Instant::now();
    each_caller(|_| {
        let store = store.clone();
        async move { while run_batch(&store).await > 0 {} }
    })
    .await;
    report(name, "claim, 3 commits, the last finishes", INSTANCES, begun);
    report(name, "  log rows of that", INSTANCES * STEPS as usize, begun);

    store.queue_instances(vec![new_instance(version)]).await.expect("queued");
    let lease = store.claim(claim()).await.expect("claimed").instances[0].lease;
    let begun = Instant::now();
    for seq in 0..500 {
        store.commit_progress(vec![Progress::new(lease, seq, vec![event(seq + 1)]).into()]).await.expect("committed");
    }
    report(name, "commits of one instance, one after the other", 500, begun);
}

async fn each_caller<F: Future<Output = ()> + Send + 'static>(work: impl Fn(usize) -> F) {
    let callers: Vec<_> = (0..CALLERS).map(|number| tokio::spawn(work(number))).collect();
    for caller in callers {
        caller.await.expect("no caller failed");
    }
}

async fn run_batch(store: &Arc<dyn Store>) -> usize {
    let leases: Vec<_> =
        store.claim(claim()).await.expect("claimed").instances.iter().map(|claimed| claimed.lease).collect();
    for seq in 0..STEPS {
        let batch = leases
            .iter()
            .map(|lease| {
                let last = seq + 1 == STEPS;
                let next = if last { Next::Finish(Ending::Completed { result: vec![0; 32] }) } else { Next::Hold };
                Progress { next, ..Progress::new(*lease, seq, vec![event(seq + 1)]) }
            })
            .map(Arc::new)
            .collect();
        store.commit_progress(batch).await.expect("committed");
    }
    leases.len()
}

fn claim() -> Claim {
    Claim {
        engine: "rates".into(),
        queues: vec!["default".into()],
        limit: BATCH as u32,
        lease: Duration::from_secs(60),
        claims_max: 10,
    }
}

fn new_instance(workflow_version_id: Uuid) -> NewInstance {
    NewInstance::new(Uuid::now_v7(), workflow_version_id, vec![0; 64])
}

fn event(seq: i64) -> LogRow {
    LogRow {
        seq,
        kind: "settled".into(),
        execution_id: Some(format!("0-{seq}")),
        attempt: Some(1),
        outcome: vec![0; 64],
        happened_at: Timestamp::now(),
        started_at: Some(Timestamp::now()),
        worker: Some("worker-1".into()),
        digest: 1,
    }
}

fn report(store: &str, what: &str, count: usize, begun: Instant) {
    let seconds = begun.elapsed().as_secs_f64();
    println!("{store:10} {what:46} {:>10.0} /s", count as f64 / seconds);
}
