//! Limits under load: two engines on one Postgres, many keys, and somebody who looks all the time whether a key has more leases than it
//! may. `KEYS`, `PER_KEY` and `ACTION_MS` make it larger.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use waymark_engine::runtime::{self, Dispatcher, Intake, Reports};
use waymark_engine::{Completion, Job, JobKey, JobOutcome, Options, Report, Work};
use waymark_ir::{Value, payload, wire};
use waymark_runner::Outcome;
use waymark_store::conformance::Cluster;
use waymark_store::postgres::{PostgresOptions, PostgresStore};
use waymark_store::{NewInstance, NewVersion, QueueSettings, Store};

const LIMIT: u32 = 5;
const PROGRAM: &str = "fn main(input: [n]):\n    return @work(n=n)\n";

/// Whoever takes a lease beyond the limit, as far as it can see, is told.
const TRIGGER: &str = "
    CREATE FUNCTION count_leases() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF (SELECT count(*) FROM queued_instances WHERE queue = NEW.queue AND queue_key = NEW.queue_key AND lock_uuid IS NOT NULL) > 5 THEN
            RAISE EXCEPTION 'key % has too many leases', NEW.queue_key;
        END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER count_leases AFTER UPDATE ON queued_instances FOR EACH ROW
        WHEN (OLD.lock_uuid IS NULL AND NEW.lock_uuid IS NOT NULL) EXECUTE FUNCTION count_leases()";

/// Takes as long as it is told to for everything.
struct Workers {
    takes: Duration,
    done: Arc<AtomicU64>,
}

impl Dispatcher for Workers {
    fn run(&self, job: Job, reports: &Reports) {
        let key = job.key();
        let (reports, takes, done) = (reports.clone(), self.takes, self.done.clone());
        let Work::Action(_) = job.work else { return };
        tokio::spawn(async move {
            tokio::time::sleep(takes).await;
            done.fetch_add(1, Ordering::Relaxed);
            let outcome = JobOutcome::Action(Outcome::Completed(Value::Int(1)));
            reports.send(Report::Completed(Completion { key, outcome, worker: None, started_at_us: None }));
        });
    }

    fn cancel(&self, _key: JobKey) {}
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_hold_under_load_and_cost_little() {
    let (keys, per_key) = (setting("KEYS", 200), setting("PER_KEY", 10));
    let takes = Duration::from_millis(setting("ACTION_MS", 4_000));
    let url = Cluster::shared().database(true).await;
    let connect = || PostgresStore::connect(&url, PostgresOptions::default());
    let watcher = connect().await.unwrap();
    watcher.run_sql(TRIGGER).await.unwrap();
    // Half of them come later, and go first: what is to be claimed next changes all the time.
    let version = register(&watcher).await;
    let late = start(&watcher, version, keys, per_key / 2).await;

    let shutdown = CancellationToken::new();
    let done: Arc<AtomicU64> = Arc::default();
    let begun = Instant::now();
    let mut engines = Vec::new();
    for number in 0..2 {
        let store: Arc<dyn Store> = Arc::new(connect().await.unwrap());
        let options = Options { engine: format!("engine-{number}"), ..Options::default() };
        let workers = Arc::new(Workers { takes, done: done.clone() });
        let run = runtime::run(store, options, workers, Intake::default(), shutdown.clone());
        engines.push(tokio::spawn(run));
    }
    let url_of_starter = url.clone();
    let starter = tokio::spawn(async move {
        let store = PostgresStore::connect(&url_of_starter, PostgresOptions::default()).await.unwrap();
        for batch in late.chunks(10) {
            store.queue_instances(batch.to_vec()).await.unwrap();
            tokio::time::sleep(takes / 1_000).await;
        }
    });
    let total = keys * (per_key / 2) * 2;
    let mut samples = 0;
    let mut most_leases = 0;
    let mut is_started = false;
    let took = loop {
        let leases = "SELECT coalesce(max(n), 0), coalesce(sum(n), 0) FROM (
            SELECT count(*) AS n FROM queued_instances WHERE lock_uuid IS NOT NULL GROUP BY queue_key) AS of_keys";
        let answer = watcher.run_sql(leases).await.unwrap();
        let counts: Vec<u64> = answer[0].split(' ').map(|count| count.parse().unwrap()).collect();
        assert!(counts[0] <= u64::from(LIMIT), "a key has {} leases", counts[0]);
        most_leases = most_leases.max(counts[1]);
        samples += 1;
        let left = watcher.run_sql("SELECT count(*) FROM queued_instances").await.unwrap();
        // What was started meanwhile has been seen by the count that comes after its end.
        let were_started = std::mem::replace(&mut is_started, starter.is_finished());
        if left[0] == "0" && were_started {
            break begun.elapsed();
        }
        assert!(begun.elapsed() < Duration::from_secs(300), "{} of {total} are done", done.load(Ordering::Relaxed));
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    shutdown.cancel();
    for engine in engines {
        engine.await.unwrap().unwrap();
    }
    assert_eq!(done.load(Ordering::Relaxed), total, "each was run once");
    let ideal = takes.as_secs_f64() * (per_key as f64 / f64::from(LIMIT)).ceil();
    let share = ideal / took.as_secs_f64();
    eprintln!(
        "{total} of {keys} keys in {took:?}, {:.0} % of what the limits allow; {most_leases} leases at most, {samples} looks",
        share * 100.0
    );
    assert!(share > 0.8, "{:.0} % of what the limits allow", share * 100.0);
}

async fn register(store: &PostgresStore) -> Uuid {
    let mut program = waymark_ir::text::parse("load", PROGRAM).program;
    program.name = "load".into();
    let version = NewVersion {
        workflow_name: "load".into(),
        workflow_version: "1".into(),
        ir_hash: waymark_ir::hash_hex(&waymark_ir::ir_hash(&program)),
        program_proto: wire::encode(&program),
        source: None,
    };
    let version = store.register_version(version).await.unwrap().workflow_version_id;
    let limits = QueueSettings { name: "default".into(), key_concurrency: Some(LIMIT), ..QueueSettings::default() };
    store.put_queue(limits).await.unwrap();
    version
}

/// Starts so many of each key, and makes as many that are to be started later, a key after the other.
async fn start(store: &PostgresStore, version: Uuid, keys: u64, per_key: u64) -> Vec<NewInstance> {
    let inputs = payload::encode(&Value::Dict(vec![(Value::str("n"), Value::Int(1))]));
    let keyed = |key: u64, priority| NewInstance {
        queue_key: Some(format!("key-{key}")),
        priority,
        ..NewInstance::new(Uuid::now_v7(), version, inputs.clone())
    };
    for key in 0..keys {
        store.queue_instances((0..per_key).map(|_| keyed(key, 1)).collect()).await.unwrap();
    }
    (0..per_key * keys).map(|number| keyed(number % keys, 0)).collect()
}
