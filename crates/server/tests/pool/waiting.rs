//! Jobs that wait, are asked for twice, are cancelled, or find the pool draining.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use waymark_engine::runtime::{Dispatcher, Reports};
use waymark_engine::{JobOutcome, Report};
use waymark_ir::Value;
use waymark_runner::Outcome;
use waymark_server::pool::{Options, Phase};
use waymark_worker::{Worker, cancelled};

use crate::support::{PATIENCE, Pool, options};

/// An action that waits until it is let go, and counts how often it was begun.
#[derive(Clone, Default)]
struct Gate {
    begun: Arc<AtomicU32>,
    open: Arc<Notify>,
}

impl Gate {
    fn add_to(&self, worker: Worker) -> Worker {
        let gate = self.clone();
        worker.action("gate", move |_, _| {
            let gate = gate.clone();
            async move {
                let turn = gate.begun.fetch_add(1, Ordering::SeqCst) + 1;
                gate.open.notified().await;
                Ok(Value::Int(turn.into()))
            }
        })
    }

    async fn until_begun(&self, times: u32) {
        let begun = Instant::now();
        while self.begun.load(Ordering::SeqCst) < times {
            assert!(begun.elapsed() < PATIENCE, "it does not begin");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

#[tokio::test]
async fn an_action_that_nobody_knows_is_reported_and_waits() {
    let mut pool = Pool::start(options());
    let _other = pool.join("other", pool.worker("other", 1).action("other", |_, _| async { Ok(Value::None) })).await;
    let unknown = pool.run(pool.job("billing.charge", 1));
    let elsewhere = pool.run(pool.job_with("other", Vec::new(), Some("gpu")));
    let mut told = [pool.report().await, pool.report().await].map(|report| match report {
        Report::Unknown(key) => key,
        report => panic!("{report:?}"),
    });
    told.sort();
    assert_eq!(told, [unknown, elsewhere]);
    let mut messages: Vec<String> = pool.hub.status().unknown.into_iter().map(|unknown| unknown.message).collect();
    messages.sort();
    assert_eq!(messages, ["no worker knows billing.charge", "no worker of queue gpu knows other"]);
    // One that went elsewhere meanwhile is not run here.
    pool.hub.cancel(elsewhere);
    assert_eq!(pool.outcome().await, (elsewhere, Outcome::Cancelled));
    let worker = pool
        .worker("late", 1)
        .action("billing.charge", |arguments, _| async move { Ok(arguments.get("n").cloned().unwrap_or(Value::None)) });
    let late = pool.join("late", worker).await;
    assert_eq!(pool.outcome().await, (unknown, Outcome::Completed(Value::Int(1))));
    assert!(pool.hub.status().unknown.is_empty());
    // It goes as soon as it has nothing to do, and its action is unknown again.
    late.shutdown.cancel();
    late.task.await.unwrap().unwrap();
    let again = pool.run(pool.job("billing.charge", 2));
    assert!(matches!(pool.report().await, Report::Unknown(key) if key == again));
}

#[tokio::test]
async fn a_job_that_runs_is_not_run_twice_and_the_newer_owner_gets_its_outcome() {
    let mut pool = Pool::start(options());
    let gate = Gate::default();
    let _worker = pool.join("one", gate.add_to(pool.worker("one", 4))).await;
    let job = pool.job("gate", 0);
    let key = pool.run(job.clone());
    gate.until_begun(1).await;
    let (newer, mut reported) = Reports::channel();
    pool.hub.run(job, &newer);
    gate.open.notify_one();
    let report = tokio::time::timeout(PATIENCE, reported.recv()).await.unwrap().unwrap();
    let Report::Completed(completion) = report else { panic!("{report:?}") };
    assert_eq!(completion.key, key);
    assert_eq!(completion.worker.as_deref(), Some("one"));
    assert!(completion.started_at_us.is_some());
    let JobOutcome::Action(outcome) = completion.outcome else { panic!() };
    assert_eq!(outcome, Outcome::Completed(Value::Int(1)));
    assert!(pool.reported.try_recv().is_err(), "the older owner is told as well");
    assert_eq!(gate.begun.load(Ordering::SeqCst), 1);
}

/// As when the process was stopped for longer than its leases last, with jobs that had not left.
#[tokio::test]
async fn a_job_is_not_begun_while_its_engine_may_have_lost_it() {
    let mut pool = Pool::start(options());
    let gate = Gate::default();
    let _worker = pool.join("one", gate.add_to(pool.worker("one", 4))).await;
    pool.reports.ours_for(Duration::ZERO);
    let lost = pool.run(pool.job("gate", 0));
    let kept = pool.run(pool.job("gate", 0));
    // What comes after them and is somebody's is not held up.
    let (others, mut reported) = Reports::channel();
    let other = pool.job("gate", 0);
    pool.hub.run(other.clone(), &others);
    gate.until_begun(1).await;
    gate.open.notify_one();
    let report = tokio::time::timeout(PATIENCE, reported.recv()).await.unwrap().unwrap();
    assert!(matches!(report, Report::Completed(completion) if completion.key == other.key()));
    assert_eq!(gate.begun.load(Ordering::SeqCst), 1);
    // The one is another's, and is taken back before it began; the other turns out to be ours still.
    pool.hub.cancel(lost);
    assert_eq!(pool.outcome().await, (lost, Outcome::Cancelled));
    pool.reports.ours_for(PATIENCE);
    gate.until_begun(2).await;
    gate.open.notify_one();
    assert_eq!(pool.outcome().await, (kept, Outcome::Completed(Value::Int(2))));
}

#[tokio::test]
async fn a_job_that_is_asked_for_again_while_it_is_cancelled_runs_anew() {
    let mut pool = Pool::start(Options { cancel_grace: PATIENCE, ..options() });
    let begun = Arc::new(AtomicU32::new(0));
    let count = begun.clone();
    let stopping = Arc::new(Notify::new());
    let stop = stopping.clone();
    // Stops when it's told to, but only after a while; the second time it just completes.
    let worker = pool.worker("one", 4).action("slow", move |_, context| {
        let (count, stop) = (count.clone(), stop.clone());
        async move {
            if count.fetch_add(1, Ordering::SeqCst) > 0 {
                return Ok(Value::str("second"));
            }
            context.cancelled().await;
            stop.notified().await;
            Err(cancelled())
        }
    });
    let _worker = pool.join("one", worker).await;
    let job = pool.job("slow", 0);
    let key = pool.run(job.clone());
    pool.until("it runs", |status| status.traffic.calls_sent == 1).await;
    pool.hub.cancel(key);
    pool.run(job);
    stopping.notify_one();
    assert_eq!(pool.outcome().await, (key, Outcome::Completed(Value::str("second"))));
    assert_eq!(begun.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn cancelled_jobs_stop_wherever_they_are() {
    let mut pool = Pool::start(Options { cancel_grace: PATIENCE, ..options() });
    let gate = Gate::default();
    let _worker = pool.join("one", gate.add_to(pool.worker("one", 1))).await;
    let running = pool.run(pool.job("gate", 0));
    let waiting = pool.run(pool.job("gate", 1));
    let last = pool.run(pool.job("gate", 2));
    gate.until_begun(1).await;
    pool.hub.cancel(waiting);
    assert_eq!(pool.outcome().await, (waiting, Outcome::Cancelled));
    pool.hub.cancel(running);
    assert_eq!(pool.outcome().await, (running, Outcome::Cancelled));
    gate.until_begun(2).await;
    gate.open.notify_one();
    assert_eq!(pool.outcome().await, (last, Outcome::Completed(Value::Int(2))));
    // One that has settled, or that nobody knows.
    pool.hub.cancel(last);
    assert!(pool.reported.try_recv().is_err());
}

#[tokio::test]
async fn a_hub_that_drains_reports_what_runs_and_gives_out_nothing() {
    let mut pool = Pool::start(options());
    let gate = Gate::default();
    let worker = pool.join("one", gate.add_to(pool.worker("one", 2))).await;
    let keys: Vec<_> = (0..3).map(|n| pool.run(pool.job("gate", n))).collect();
    gate.until_begun(2).await;
    let hub = pool.hub.clone();
    let draining = tokio::spawn(async move { hub.drain(Instant::now() + PATIENCE).await });
    pool.until("it drains", |status| status.workers[0].phase == Phase::Draining).await;
    let late = pool.run(pool.job("gate", 3));
    assert!(!draining.is_finished());
    gate.open.notify_one();
    gate.open.notify_one();
    let mut done = [pool.outcome().await.0, pool.outcome().await.0];
    done.sort();
    assert_eq!(done, keys[..2]);
    tokio::time::timeout(PATIENCE, draining).await.unwrap().unwrap();
    // The worker was told to go.
    tokio::time::timeout(PATIENCE, worker.task).await.unwrap().unwrap().unwrap();
    pool.until("it is gone", |status| status.workers.is_empty()).await;
    assert_eq!(pool.hub.status().waiting, 2);
    assert_eq!(gate.begun.load(Ordering::SeqCst), 2, "{late:?} was begun");
}

/// Otherwise what waits would be put into the store as work that no worker knows, while the process stops.
#[tokio::test]
async fn a_pool_that_drains_does_not_say_that_actions_are_unknown() {
    let mut pool = Pool::start(options());
    let gate = Gate::default();
    let _worker = pool.join("one", gate.add_to(pool.worker("one", 1))).await;
    let held = pool.run(pool.job("gate", 0));
    let _waiting = pool.run(pool.job("gate", 1));
    gate.until_begun(1).await;
    let hub = pool.hub.clone();
    let draining = tokio::spawn(async move { hub.drain(Instant::now() + PATIENCE).await });
    let unwanted = tokio::time::timeout(4 * options().unknown_after, pool.report()).await;
    assert!(unwanted.is_err(), "{unwanted:?}");
    gate.open.notify_one();
    assert_eq!(pool.outcome().await, (held, Outcome::Completed(Value::Int(1))));
    draining.await.unwrap();
}
