//! The engine on a real clock and a real SQLite file: it runs instances to their end, another one takes over when it dies,
//! and one that is asked to stop gives its leases back.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use waymark_engine::runtime::{self, Dispatcher, Reports};
use waymark_engine::{Completion, Job, JobKey, JobOutcome, Mail, Options, Report, Work};
use waymark_ir::{Value, payload, wire};
use waymark_runner::{Event, Outcome};
use waymark_store::sqlite::{SqliteOptions, SqliteStore};
use waymark_store::{NewInstance, NewVersion, Status, Store};

const PROGRAM: &str = "fn main(input: [n]):
    a = @work(n=n)
    await asyncio.sleep(0.05)
    both = spread [a, a + 1]:x -> @work(n=x)
    return sum(both)
";

const WAITING: &str = "fn main(input: [n]):
    got = await waymark.wait_for_signal('go')
    return [n, got]
";

/// Answers at once, and counts how often each execution ran.
#[derive(Default)]
struct Workers {
    runs: Mutex<BTreeMap<String, u32>>,
}

impl Dispatcher for Workers {
    fn run(&self, job: Job, reports: &Reports) {
        let key = job.key();
        let Work::Action(call) = job.work else { return };
        *self.runs.lock().unwrap().entry(call.execution.to_string()).or_default() += 1;
        let Some(Value::Int(n)) = call.keyword.first().map(|(_, value)| value) else { return };
        let outcome = JobOutcome::Action(Outcome::Completed(Value::Int(n * 2)));
        let _ = reports.send(Report::Completed(Completion { key, outcome, worker: None, started_at_us: None }));
    }

    fn cancel(&self, _key: JobKey) {}
}

struct Engine {
    task: tokio::task::JoinHandle<waymark_store::Result<()>>,
    shutdown: CancellationToken,
    workers: Arc<Workers>,
}

fn start(store: &Arc<dyn Store>, name: &str) -> Engine {
    let workers = Arc::new(Workers::default());
    let shutdown = CancellationToken::new();
    let options = Options {
        engine: name.into(),
        lease: Duration::from_millis(800),
        heartbeat: Duration::from_millis(200),
        poll: Duration::from_millis(100),
        reclaim: Duration::from_millis(300),
        keep_awake: Duration::from_millis(20),
        ..Options::default()
    };
    let task = tokio::spawn(runtime::run(store.clone(), options, workers.clone(), shutdown.clone()));
    Engine { task, shutdown, workers }
}

async fn queue(store: &Arc<dyn Store>, name: &str, program: &str, count: i64) -> Vec<Uuid> {
    let mut program = waymark_ir::text::parse(name, program).program;
    program.name = name.into();
    let version = NewVersion {
        workflow_name: name.into(),
        workflow_version: "1".into(),
        ir_hash: waymark_ir::hash_hex(&waymark_ir::ir_hash(&program)),
        program_proto: wire::encode(&program),
        source: None,
    };
    let version = store.register_version(version).await.unwrap().workflow_version_id;
    let instances = (0..count).map(|n| NewInstance {
        instance_id: Uuid::now_v7(),
        workflow_version_id: version,
        queue: "default".into(),
        priority: 1,
        scheduled_at: None,
        user_key: None,
        inputs: payload::encode(&Value::Dict(vec![(Value::str("n"), Value::Int(n))])),
        parent: None,
        tags: None,
    });
    let instances: Vec<NewInstance> = instances.collect();
    let ids = instances.iter().map(|instance| instance.instance_id).collect();
    store.queue_instances(instances).await.unwrap();
    ids
}

async fn results(store: &Arc<dyn Store>, ids: &[Uuid]) -> Vec<Value> {
    let mut results = Vec::new();
    for id in ids {
        let row = tokio::time::timeout(Duration::from_secs(30), async {
            loop {
                let row = store.get_instances(vec![*id]).await.unwrap().remove(0).unwrap();
                if row.status != Status::Running {
                    return row;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        });
        let row = row.await.expect("it finishes in time");
        assert_eq!(row.status, Status::Completed, "{:?}", row.stuck_reason);
        results.push(payload::decode(&row.result.unwrap()).unwrap());
    }
    results
}

fn open(folder: &tempfile::TempDir) -> Arc<dyn Store> {
    let options = SqliteOptions { durable: false, ..SqliteOptions::default() };
    Arc::new(SqliteStore::open(folder.path().join("waymark.db"), options).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn instances_run_to_their_end_and_survive_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    let ids = queue(&store, "work", PROGRAM, 60).await;
    let first = start(&store, "first");
    tokio::time::sleep(Duration::from_millis(60)).await;
    // Dies without a word, in the middle.
    first.task.abort();
    let second = start(&store, "second");
    let expected: Vec<Value> = (0..60).map(|n| Value::Int(8 * n + 2)).collect();
    assert_eq!(results(&store, &ids).await, expected);
    second.shutdown.cancel();
    second.task.await.unwrap().unwrap();
    // Whatever ran on both ran under the same execution id: three executions an instance.
    let mut executions: Vec<String> = first.workers.runs.lock().unwrap().keys().cloned().collect();
    executions.extend(second.workers.runs.lock().unwrap().keys().cloned());
    executions.sort();
    executions.dedup();
    assert_eq!(executions.len(), 180);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_waits_leaves_memory_and_wakes_up() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    let ids = queue(&store, "waiting", WAITING, 3).await;
    let engine = start(&store, "one");
    tokio::time::sleep(Duration::from_millis(400)).await;
    for id in &ids {
        let event = Event::Signal { name: "go".into(), payload: Value::str("now") };
        let mail = Mail { instance_id: *id, message_id: Uuid::now_v7(), event };
        store.put_inbox(vec![mail.into_message()]).await.unwrap();
    }
    let expected: Vec<Value> = (0..3).map(|n| Value::List(vec![Value::Int(n), Value::str("now")])).collect();
    assert_eq!(results(&store, &ids).await, expected);
    engine.shutdown.cancel();
    engine.task.await.unwrap().unwrap();
}
