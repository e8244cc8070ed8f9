//! Workers that die, hang, or are replaced: processes of this very test binary.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;
use waymark_engine::runtime::Dispatcher;
use waymark_ir::Value;
use waymark_runner::Outcome;
use waymark_server::pool::{Options, Phase, WorkerCommand, spawn};
use waymark_worker::Worker;

use crate::support::{PATIENCE, Pool, options};

const WORKER_TEST: &str = "deaths::acts_as_a_worker";

/// Not a test of its own: what the pool starts.
#[test]
fn acts_as_a_worker() {
    if std::env::var_os("WAYMARK_WORKER_ADDRESS").is_none() {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let worker = Worker::new(waymark_worker::Options::from_environment().unwrap())
        .action("identify", |_, context| async move {
            Ok(Value::List(vec![Value::Int(std::process::id().into()), Value::str(context.execution_id)]))
        })
        .action("wait", |arguments, _| async move {
            let Some(Value::Int(ms)) = arguments.get("n") else { return Ok(Value::None) };
            tokio::time::sleep(Duration::from_millis(*ms as u64)).await;
            Ok(Value::Int(std::process::id().into()))
        })
        .action("kill", |_, _| async move {
            // Its neighbours are there by now.
            tokio::time::sleep(Duration::from_millis(50)).await;
            std::process::abort()
        })
        .action("ignore", |_, context| async move {
            tokio::select! {
                () = std::future::pending() => {}
                () = context.cancelled() => {}
            }
            std::future::pending().await
        });
    let ended = runtime.block_on(worker.run(CancellationToken::new()));
    runtime.shutdown_background();
    println!("the stream has ended: {ended:?}");
}

struct Spawned {
    pool: Pool,
    shutdown: CancellationToken,
    task: tokio::task::JoinHandle<()>,
}

pub fn this_binary() -> WorkerCommand {
    WorkerCommand {
        program: std::env::current_exe().unwrap(),
        arguments: ["--exact", WORKER_TEST, "--nocapture"].map(String::from).to_vec(),
        environment: Vec::new(),
        inherits: true,
        directory: None,
    }
}

/// A pool that starts workers, which are connected.
async fn spawned(options: Options) -> Spawned {
    let options = Options { command: Some(this_binary()), ..options };
    let pool = Pool::start(options.clone());
    let home = spawn::Home { address: pool.address.clone(), token: None, database_url: None, name: "local".into() };
    let shutdown = CancellationToken::new();
    let workers = options.workers;
    let task = tokio::spawn(spawn::run(options, home, Some(pool.hub.clone()), shutdown.clone()));
    pool.until("workers connect", |status| status.workers.len() == workers).await;
    Spawned { pool, shutdown, task }
}

impl Spawned {
    async fn stop(self) {
        self.shutdown.cancel();
        tokio::time::timeout(PATIENCE, self.task).await.expect("the spawner stops").unwrap();
        assert!(self.pool.hub.status().workers.is_empty());
    }
}

fn process_exists(process: u32) -> bool {
    // A zombie has no memory.
    std::fs::read_to_string(format!("/proc/{process}/statm")).is_ok_and(|memory| !memory.starts_with("0 "))
}

fn kill(process: u32) {
    let process = rustix::process::Pid::from_raw(process as i32).unwrap();
    rustix::process::kill_process(process, rustix::process::Signal::KILL).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_killed_worker_held_is_run_elsewhere() {
    let mut spawned = spawned(Options { workers: 2, slots: 5, ..options() }).await;
    let pool = &mut spawned.pool;
    let keys: Vec<_> = (0..10).map(|_| pool.run(pool.job("wait", 300))).collect();
    pool.until("they run", |status| status.workers.iter().all(|worker| worker.in_flight == 5)).await;
    let victim = pool.hub.status().workers[0].process_id;
    kill(victim);
    let mut settled = BTreeMap::new();
    for _ in 0..10 {
        let (key, outcome) = pool.outcome().await;
        let Outcome::Completed(Value::Int(process)) = outcome else { panic!("{outcome:?}") };
        assert_ne!(process, i64::from(victim));
        assert!(settled.insert(key, process).is_none(), "settled twice");
    }
    assert!(keys.iter().all(|key| settled.contains_key(key)));
    // Another one takes its place.
    pool.until("it is replaced", |status| {
        status.workers.len() == 2 && status.workers.iter().all(|worker| worker.process_id != victim)
    })
    .await;
    let processes: Vec<u32> = pool.hub.status().workers.iter().map(|worker| worker.process_id).collect();
    spawned.stop().await;
    assert!(!processes.into_iter().any(process_exists));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_action_that_kills_its_worker_three_times_fails_alone() {
    let mut spawned = spawned(Options { workers: 1, slots: 10, ..options() }).await;
    let pool = &mut spawned.pool;
    let killer = pool.run(pool.job("kill", 0));
    // They are there when it kills for the first time, and each time again if it were not kept apart.
    let innocent: Vec<_> = (0..3).map(|_| pool.run(pool.job("wait", 200))).collect();
    let mut settled = BTreeMap::new();
    for _ in 0..4 {
        let (key, outcome) = pool.outcome().await;
        settled.insert(key, outcome);
    }
    let Outcome::WorkerCrashed(message) = &settled[&killer] else { panic!("{settled:?}") };
    assert!(message.contains("kill died 3 times"), "{message}");
    for key in innocent {
        assert!(matches!(settled[&key], Outcome::Completed(_)), "{settled:?}");
    }
    spawned.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_ignores_a_cancellation_is_replaced() {
    let mut spawned = spawned(Options { workers: 1, slots: 10, ..options() }).await;
    let pool = &mut spawned.pool;
    let stubborn = pool.run(pool.job("ignore", 0));
    let slow = pool.run(pool.job("wait", 450));
    pool.until("they run", |status| status.workers[0].in_flight == 2 && status.traffic.calls_sent == 2).await;
    let old = pool.hub.status().workers[0].process_id;
    pool.hub.cancel(stubborn);
    assert_eq!(pool.outcome().await, (stubborn, Outcome::Cancelled));
    let condemned = pool.hub.status().workers.into_iter().find(|worker| worker.process_id == old);
    assert!(condemned.is_none_or(|worker| worker.phase == Phase::Condemned));
    // Its neighbour is allowed to finish, and did not start again.
    assert_eq!(pool.outcome().await, (slow, Outcome::Completed(Value::Int(old.into()))));
    let identify = pool.run(pool.job("identify", 0));
    let (key, outcome) = pool.outcome().await;
    let Outcome::Completed(Value::List(answer)) = outcome else { panic!("{outcome:?}") };
    assert_eq!(key, identify);
    assert_ne!(answer[0], Value::Int(old.into()));
    let begun = Instant::now();
    while process_exists(old) {
        assert!(begun.elapsed() < PATIENCE, "the old process still lives");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    spawned.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recycling_loses_no_call_and_leaves_no_gap() {
    let mut spawned = spawned(Options { workers: 1, slots: 4, recycle_after: Some(50), ..options() }).await;
    let pool = &mut spawned.pool;
    let hub = pool.hub.clone();
    let watch = CancellationToken::new();
    // There is always one that takes calls.
    let gaps = tokio::spawn({
        let watch = watch.clone();
        async move {
            let mut gaps = 0;
            while !watch.is_cancelled() {
                let workers = hub.status().workers;
                gaps += u32::from(!workers.iter().any(|worker| worker.phase == Phase::Open));
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            gaps
        }
    });
    for _ in 0..600 {
        pool.run(pool.job("wait", 3));
    }
    let mut processes: BTreeMap<i64, u32> = BTreeMap::new();
    for _ in 0..600 {
        let (_, outcome) = pool.outcome().await;
        let Outcome::Completed(Value::Int(process)) = outcome else { panic!("{outcome:?}") };
        *processes.entry(process).or_default() += 1;
    }
    watch.cancel();
    assert_eq!(gaps.await.unwrap(), 0);
    assert!(processes.len() >= 3, "{processes:?}");
    spawned.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_for_a_server_elsewhere_are_kept_alive_too() {
    let mut pool = Pool::start(options());
    let home = spawn::Home { address: pool.address.clone(), token: None, database_url: None, name: "remote".into() };
    let shutdown = CancellationToken::new();
    let options = Options { command: Some(this_binary()), workers: 1, ..options() };
    let task = tokio::spawn(spawn::run(options, home, None, shutdown.clone()));
    pool.until("it connects", |status| status.workers.len() == 1).await;
    let first = pool.hub.status().workers[0].clone();
    kill(first.process_id);
    pool.until("the next one connects", |status| {
        status.workers.iter().any(|worker| worker.process_id != first.process_id)
    })
    .await;
    pool.run(pool.job("wait", 1));
    let (_, outcome) = pool.outcome().await;
    let Outcome::Completed(Value::Int(second)) = outcome else { panic!("{outcome:?}") };
    shutdown.cancel();
    tokio::time::timeout(PATIENCE, task).await.expect("it stops").unwrap();
    assert!(!process_exists(second as u32));
    pool.until("the hub notices", |status| status.workers.is_empty()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_that_fails_is_tried_again_ever_later() {
    let pool = Pool::start(options());
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("starts");
    let script = format!("echo \"$WAYMARK_WORKER_ID $WAYMARK_WORKER_TOKEN\" >> {}; exit 3", log.display());
    let command = WorkerCommand {
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), script],
        environment: Vec::new(),
        inherits: true,
        directory: None,
    };
    let options = Options { command: Some(command), ..options() };
    let home = spawn::Home {
        address: pool.address.clone(),
        token: Some("secret".into()),
        database_url: None,
        name: "bad".into(),
    };
    let shutdown = CancellationToken::new();
    let begun = Instant::now();
    let task = tokio::spawn(spawn::run(options, home, None, shutdown.clone()));
    let starts = || std::fs::read_to_string(&log).unwrap_or_default();
    while starts().lines().count() < 5 {
        assert!(begun.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // 10, 20, 40 and 80 ms.
    assert!(begun.elapsed() >= Duration::from_millis(150));
    assert!(starts().starts_with("bad-1 secret\nbad-2 secret\n"));
    shutdown.cancel();
    tokio::time::timeout(PATIENCE, task).await.expect("it stops").unwrap();
}

/// As when somebody stops a server that has just been started.
#[tokio::test]
async fn workers_that_have_not_come_yet_are_not_waited_for() {
    let pool = Pool::start(options());
    let folder = tempfile::tempdir().unwrap();
    let begun = folder.path().join("begun");
    let command = WorkerCommand {
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), format!("touch {}; exec sleep 600", begun.display())],
        environment: Vec::new(),
        inherits: true,
        directory: None,
    };
    let options = Options { command: Some(command), workers: 1, cancel_grace: 10 * PATIENCE, ..options() };
    let home = spawn::Home { address: pool.address.clone(), token: None, database_url: None, name: "slow".into() };
    let shutdown = CancellationToken::new();
    let task = tokio::spawn(spawn::run(options, home, Some(pool.hub.clone()), shutdown.clone()));
    let since = Instant::now();
    while !begun.exists() {
        assert!(since.elapsed() < PATIENCE, "it does not start");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    shutdown.cancel();
    tokio::time::timeout(PATIENCE, task).await.expect("it stops").unwrap();
}
