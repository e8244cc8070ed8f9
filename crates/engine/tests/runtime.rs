//! The engine on a real clock and a real SQLite file: it runs instances to their end, another one takes over when it dies,
//! one that is asked to stop gives its leases back, and what no worker here knows goes to where one does.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use waymark_engine::relay;
use waymark_engine::runtime::{self, Dispatcher, Intake, Reports};
use waymark_engine::{Completion, Job, JobKey, JobOutcome, Mail, Options, Report, Work};
use waymark_ir::{Value, payload, wire};
use waymark_runner::{Event, Outcome};
use waymark_store::sqlite::{SqliteOptions, SqliteStore};
use waymark_store::{
    Fault, FaultyStore, Instance, InstanceFilter, NewInstance, NewVersion, Retention, Schedule, Status, Store,
    Timestamp, VersionRef,
};

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
struct Workers {
    knows: &'static [&'static str],
    runs: Mutex<BTreeMap<String, u32>>,
}

impl Dispatcher for Workers {
    fn known(&self) -> Vec<(String, String)> {
        self.knows.iter().map(|action| ("default".to_string(), action.to_string())).collect()
    }

    fn run(&self, job: Job, reports: &Reports) {
        let key = job.key();
        if !self.knows.contains(&job.action()) {
            reports.send(Report::Unknown(key));
            return;
        }
        let Work::Action(call) = job.work else { return };
        *self.runs.lock().unwrap().entry(call.execution.to_string()).or_default() += 1;
        let Some(Value::Int(n)) = call.keyword.first().map(|(_, value)| value) else { return };
        let outcome = JobOutcome::Action(Outcome::Completed(Value::Int(n * 2)));
        let (worker, started_at_us) = (Some("worker-1".into()), Some(1_700_000_000_000_000));
        reports.send(Report::Completed(Completion { key, outcome, worker, started_at_us }));
    }

    fn cancel(&self, _key: JobKey) {}
}

struct Engine {
    task: tokio::task::JoinHandle<waymark_store::Result<()>>,
    shutdown: CancellationToken,
    workers: Arc<Workers>,
}

fn start(store: &Arc<dyn Store>, name: &str) -> Engine {
    start_with(store, options(name), &["work"])
}

fn options(name: &str) -> Options {
    Options {
        engine: name.into(),
        lease: Duration::from_millis(800),
        heartbeat: Duration::from_millis(200),
        poll: Duration::from_millis(100),
        reclaim: Duration::from_millis(300),
        keep_awake: Duration::from_millis(20),
        ..Options::default()
    }
}

/// An engine and its relay, with workers that know some actions.
fn start_with(store: &Arc<dyn Store>, options: Options, knows: &'static [&'static str]) -> Engine {
    let workers = Arc::new(Workers { knows, runs: Mutex::default() });
    let shutdown = CancellationToken::new();
    let run = runtime::run(store.clone(), options.clone(), workers.clone(), Intake::default(), shutdown.clone());
    let relay = relay::run(store.clone(), options, workers.clone(), shutdown.clone());
    let task = tokio::spawn(async move { tokio::try_join!(run, relay).map(|_| ()) });
    Engine { task, shutdown, workers }
}

impl Engine {
    async fn stop(self) {
        self.shutdown.cancel();
        self.task.await.unwrap().unwrap();
    }
}

/// Waits until an instance is as it should be.
async fn until(store: &Arc<dyn Store>, id: Uuid, what: &str, is: impl Fn(&Instance) -> bool) -> Instance {
    let limit = tokio::time::Instant::now() + Duration::from_secs(30);
    loop {
        let row = store.get_instances(vec![id]).await.unwrap().remove(0).unwrap();
        if is(&row) {
            return row;
        }
        assert!(tokio::time::Instant::now() < limit, "{what}: {row:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
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
    let instances = (0..count).map(|n| {
        let inputs = payload::encode(&Value::Dict(vec![(Value::str("n"), Value::Int(n))]));
        NewInstance::new(Uuid::now_v7(), version, inputs)
    });
    let instances: Vec<NewInstance> = instances.collect();
    let ids = instances.iter().map(|instance| instance.instance_id).collect();
    store.queue_instances(instances).await.unwrap();
    ids
}

async fn results(store: &Arc<dyn Store>, ids: &[Uuid]) -> Vec<Value> {
    let mut results = Vec::new();
    for id in ids {
        let row = until(store, *id, "it finishes", |row| row.status != Status::Running).await;
        assert_eq!(row.status, Status::Completed, "{:?}", row.stuck_reason);
        results.push(payload::decode(&row.result.unwrap()).unwrap());
    }
    results
}

fn open(folder: &tempfile::TempDir) -> Arc<dyn Store> {
    open_file(folder)
}

fn open_file(folder: &tempfile::TempDir) -> Arc<SqliteStore> {
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
    let log = store.read_log(ids[0], 0, 100).await.unwrap();
    let settled = log.iter().find(|row| row.kind == "settled").expect("an action settled");
    assert_eq!(settled.worker.as_deref(), Some("worker-1"));
    assert_eq!(settled.started_at, Some(Timestamp(1_700_000_000_000_000)));
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
    for id in &ids {
        until(&store, *id, "it says what it waits for", |row| row.waits_for.as_deref() == Some("signal go")).await;
        let event = Event::Signal { name: "go".into(), payload: Value::str("now"), id: None };
        let mail = Mail { instance_id: *id, message_id: Uuid::now_v7(), event };
        store.put_inbox(vec![mail.into_message()]).await.unwrap();
    }
    let expected: Vec<Value> = (0..3).map(|n| Value::List(vec![Value::Int(n), Value::str("now")])).collect();
    assert_eq!(results(&store, &ids).await, expected);
    engine.stop().await;
}

/// An action that only another host's workers know: the instance says so, leaves memory, and goes on when such a host comes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn actions_go_where_a_worker_knows_them() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    let program = "fn main(input: [n]):\n    a = @work(n=n)\n    b = @billing.charge(n=a)\n    return @work(n=b)\n";
    let ids = queue(&store, "billing", program, 5).await;
    // Long leases: nothing runs twice because this machine is slow.
    let options = |name: &str| Options { lease: Duration::from_secs(20), ..options(name) };
    let first = start_with(&store, options("first"), &["work"]);
    for id in &ids {
        let waits = Some("no worker knows billing.charge");
        until(&store, *id, "it waits for a worker", |row| row.waits_for.as_deref() == waits).await;
    }
    let second = start_with(&store, options("second"), &["billing.charge"]);
    let expected: Vec<Value> = (0..5).map(|n| Value::Int(8 * n)).collect();
    assert_eq!(results(&store, &ids).await, expected);
    assert_eq!(second.workers.runs.lock().unwrap().values().sum::<u32>(), 5, "each once");
    first.stop().await;
    second.stop().await;
}

/// What cannot go on is stuck, with words that help; after somebody has mended the cause it goes on to its end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_stuck_goes_on_once_it_is_mended() {
    let folder = tempfile::tempdir().unwrap();
    let file = open_file(&folder);
    let store: Arc<dyn Store> = file.clone();
    let id = queue(&store, "waiting", WAITING, 1).await[0];
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let here = format!("x'{}'", id.simple());
    let version = store.get_version(VersionRef::Active { workflow_name: "waiting".into() }).await.unwrap().unwrap();
    let good_program = hex(&version.program_proto);
    let snapshots = || Options { snapshot_events_max: 1, ..options("one") };
    let break_and_mend = [
        (
            "UPDATE workflow_versions SET program_proto = x'ffff00ff'".to_string(),
            format!("UPDATE workflow_versions SET program_proto = x'{good_program}'"),
            "the program of waiting 1 can't be read",
        ),
        (
            "CREATE TABLE aside AS SELECT * FROM workflow_versions; DELETE FROM workflow_versions".into(),
            "INSERT INTO workflow_versions SELECT * FROM aside; DROP TABLE aside".into(),
            "is not there",
        ),
        (
            "CREATE TABLE aside AS SELECT state FROM runner_instances;
             UPDATE runner_instances SET state = unhex('9663' || substr(hex(state), 5))"
                .into(),
            format!("UPDATE runner_instances SET state = (SELECT state FROM aside) WHERE instance_id = {here}"),
            "the snapshot has schema 99, this Waymark reads up to 1: it was written by a newer one",
        ),
        (
            format!(
                "INSERT INTO instance_inbox (instance_id, message_id, kind, name, payload, arrived_at)
                 VALUES ({here}, randomblob(16), 'signal', 'go', x'c1', 0);
                 UPDATE queued_instances SET wake_seq = wake_seq + 1"
            ),
            "DELETE FROM instance_inbox".into(),
            "can't be read",
        ),
    ];
    for (damage, cure, reason) in break_and_mend {
        let engine = start_with(&store, snapshots(), &["work"]);
        let sleeps = |row: &Instance| row.waits_for.is_some() && row.scheduled_at == Some(Timestamp::NEVER);
        until(&store, id, "it sleeps", sleeps).await;
        engine.stop().await;
        file.run_sql(&damage).await.unwrap();
        file.run_sql("UPDATE queued_instances SET scheduled_at = 0").await.unwrap();
        let engine = start_with(&store, snapshots(), &["work"]);
        let stuck = until(&store, id, reason, |row| row.status == Status::Stuck).await;
        let told = stuck.stuck_reason.unwrap_or_default();
        assert!(told.contains(reason), "{told:?} says {reason:?}");
        engine.stop().await;
        file.run_sql(&cure).await.unwrap();
        assert_eq!(store.unstick(vec![id]).await.unwrap(), [true]);
    }
    let engine = start_with(&store, snapshots(), &["work"]);
    let event = Event::Signal { name: "go".into(), payload: Value::str("now"), id: None };
    let mail = Mail { instance_id: id, message_id: Uuid::now_v7(), event };
    store.put_inbox(vec![mail.into_message()]).await.unwrap();
    assert_eq!(results(&store, &[id]).await, [Value::List(vec![Value::Int(0), Value::str("now")])]);
    engine.stop().await;
}

/// Without any setting of the engine's.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_workflow_has_a_retention_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    let (kept, dropped) = (queue(&store, "kept", PROGRAM, 3).await, queue(&store, "work", PROGRAM, 3).await);
    store.put_retention("work", Some(Retention::For(Duration::ZERO))).await.unwrap();
    let options = Options { retention_interval: Duration::from_millis(20), ..options("one") };
    let engine = start_with(&store, options, &["work"]);
    results(&store, &kept).await;
    let limit = tokio::time::Instant::now() + Duration::from_secs(30);
    while store.get_instances(dropped.clone()).await.unwrap().iter().any(Option::is_some) {
        assert!(tokio::time::Instant::now() < limit, "they are still there");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(store.get_instances(kept).await.unwrap().iter().all(Option::is_some));
    engine.stop().await;
}

/// Batches are repeated until there is no more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn retention_deletes_what_has_finished() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    let ids = queue(&store, "work", PROGRAM, 20).await;
    let engine = start(&store, "one");
    results(&store, &ids).await;
    engine.stop().await;
    let retention = Retention::For(Duration::from_millis(1));
    let engine = start_with(&store, Options { retention, retention_batch: 7, ..options("one") }, &["work"]);
    let limit = tokio::time::Instant::now() + Duration::from_secs(30);
    loop {
        let left = store.list_instances(InstanceFilter::default()).await.unwrap().instances;
        if left.is_empty() {
            break;
        }
        assert!(tokio::time::Instant::now() < limit, "{} are left", left.len());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    engine.stop().await;
}

/// Says which thread each of its jobs came from.
#[derive(Default)]
struct Threads {
    of: Mutex<BTreeMap<Uuid, String>>,
}

impl Dispatcher for Threads {
    fn run(&self, job: Job, reports: &Reports) {
        let thread = std::thread::current().name().unwrap_or_default().to_string();
        self.of.lock().unwrap().insert(job.instance_id, thread);
        let outcome = JobOutcome::Action(Outcome::Completed(Value::Int(1)));
        reports.send(Report::Completed(Completion { key: job.key(), outcome, worker: None, started_at_us: None }));
    }

    fn cancel(&self, _key: JobKey) {}
}

/// What computes is divided among threads, and each instance stays with its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shards_are_threads() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    let program = "fn main(input: [n]):
    x = 0
    for i in range(3000):
        x = (x + i) % 7
    return @work(n=n)
";
    let ids = queue(&store, "work", program, 40).await;
    let workers = Arc::new(Threads::default());
    let shutdown = CancellationToken::new();
    let options = Options { shards: 2, slice_steps: 5_000, lease: Duration::from_secs(20), ..options("one") };
    let engine =
        tokio::spawn(runtime::run(store.clone(), options, workers.clone(), Intake::default(), shutdown.clone()));
    assert_eq!(results(&store, &ids).await, vec![Value::Int(1); 40]);
    let mut by_thread: BTreeMap<String, usize> = BTreeMap::new();
    workers.of.lock().unwrap().values().for_each(|name| *by_thread.entry(name.clone()).or_default() += 1);
    assert_eq!(by_thread.keys().collect::<Vec<_>>(), ["shard-0", "shard-1"]);
    assert!(by_thread.values().all(|count| *count >= 5), "{by_thread:?}");
    shutdown.cancel();
    engine.await.unwrap().unwrap();
}

/// A little is done by whoever brings it, without a thread that would have to be woken for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_little_is_done_where_it_arrives() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    let program = "fn main(input: [n]):
    a = @work(n=n)
    return a + @work(n=a)
";
    let workers = Arc::new(Threads::default());
    let shutdown = CancellationToken::new();
    let run = runtime::run(store.clone(), options("one"), workers.clone(), Intake::default(), shutdown.clone());
    let engine = tokio::spawn(run);
    for _ in 0..20 {
        let ids = queue(&store, "work", program, 1).await;
        assert_eq!(results(&store, &ids).await, [Value::Int(2)]);
    }
    // The last job of each; a turn that was held up by the machine leaves some to the thread.
    let in_place = workers.of.lock().unwrap().values().filter(|name| !name.starts_with("shard-")).count();
    assert!(in_place >= 1, "{:?}", workers.of.lock().unwrap());
    shutdown.cancel();
    engine.await.unwrap().unwrap();
}

/// Loses its head at the second job.
#[derive(Default)]
struct Panicking(Threads);

impl Dispatcher for Panicking {
    fn run(&self, job: Job, reports: &Reports) {
        assert!(self.0.of.lock().unwrap().is_empty(), "the second job");
        self.0.run(job, reports);
    }

    fn cancel(&self, _key: JobKey) {}
}

/// Wherever a turn was lost, an engine that went on would be half alive.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_that_lost_a_turn_ends() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder);
    let program = "fn main(input: [n]):
    a = @work(n=n)
    return a + @work(n=a)
";
    queue(&store, "work", program, 1).await;
    let workers = Arc::new(Panicking::default());
    let run = runtime::run(store.clone(), options("one"), workers, Intake::default(), CancellationToken::new());
    let ended = tokio::time::timeout(Duration::from_secs(10), tokio::spawn(run)).await;
    assert!(ended.expect("it ends").unwrap_err().is_panic());
}

/// The first action takes the store away, for good.
struct Unplug {
    store: Arc<FaultyStore>,
    done: CancellationToken,
}

impl Dispatcher for Unplug {
    fn run(&self, job: Job, reports: &Reports) {
        self.store.inject(Fault::Disconnect { calls: u32::MAX });
        let outcome = JobOutcome::Action(Outcome::Completed(Value::Int(1)));
        reports.send(Report::Completed(Completion { key: job.key(), outcome, worker: None, started_at_us: None }));
        self.done.cancel();
    }

    fn cancel(&self, _key: JobKey) {}
}

/// What was not committed is run again by whoever comes next; a process that can't stop would have to be killed for that.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_whose_store_is_away_still_stops() {
    let folder = tempfile::tempdir().unwrap();
    let faulty = Arc::new(FaultyStore::new(open(&folder), Schedule::quiet()));
    let store: Arc<dyn Store> = faulty.clone();
    queue(&store, "work", PROGRAM, 1).await;
    let (done, shutdown) = (CancellationToken::new(), CancellationToken::new());
    let workers = Arc::new(Unplug { store: faulty, done: done.clone() });
    let engine = tokio::spawn(runtime::run(store, options("one"), workers, Intake::default(), shutdown.clone()));
    done.cancelled().await;
    shutdown.cancel();
    tokio::time::timeout(Duration::from_secs(20), engine).await.expect("it stops").unwrap().unwrap();
}
