//! Calls, slots, frames.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use waymark_ir::Value;
use waymark_runner::Outcome;
use waymark_server::pool::Options;

use crate::support::{Pool, options};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_calls_in_flight_share_frames() {
    let mut pool = Pool::start(Options::default());
    let worker = pool.worker("one", 1_000).action("double", |arguments, context| async move {
        // Some are done at once, some later.
        if context.execution_id.ends_with('7') {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let Some(Value::Int(n)) = arguments.get("n") else { return Ok(Value::None) };
        Ok(Value::Int(n * 2))
    });
    let _worker = pool.join("one", worker).await;
    let calls = 50_000;
    let mut missing: BTreeSet<i64> = (0..calls).map(|n| n * 2).collect();
    let mut given = 0;
    while !missing.is_empty() {
        while given < calls && given - (calls - missing.len() as i64) < 2_000 {
            pool.run(pool.job("double", given));
            given += 1;
        }
        let (_, outcome) = pool.outcome().await;
        let Outcome::Completed(Value::Int(result)) = outcome else { panic!("{outcome:?}") };
        assert!(missing.remove(&result), "{result} came twice");
    }
    let status = pool.hub.status();
    assert_eq!(status.workers[0].completed, calls as u64);
    assert_eq!(status.traffic.calls_sent, calls as u64);
    assert!(status.traffic.frames_sent < calls as u64 / 4, "{:?}", status.traffic);
    assert!(status.traffic.frames_received < calls as u64 / 4, "{:?}", status.traffic);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_holds_as_many_calls_as_it_has_slots() {
    let mut pool = Pool::start(options());
    let running = Arc::new(AtomicUsize::new(0));
    let most = Arc::new(AtomicUsize::new(0));
    let (now, peak) = (running.clone(), most.clone());
    let worker = pool.worker("one", 3).action("wait", move |_, _| {
        let (now, peak) = (now.clone(), peak.clone());
        async move {
            peak.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(3)).await;
            now.fetch_sub(1, Ordering::SeqCst);
            Ok(Value::None)
        }
    });
    let _worker = pool.join("one", worker).await;
    for n in 0..60 {
        pool.run(pool.job("wait", n));
    }
    for _ in 0..60 {
        pool.completion().await;
        assert!(pool.hub.status().workers[0].in_flight <= 3);
    }
    assert_eq!(most.load(Ordering::SeqCst), 3);
}
