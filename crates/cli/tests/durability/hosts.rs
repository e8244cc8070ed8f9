//! Two hosts' worth of engines on one Postgres.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use uuid::Uuid;
use waymark_store::conformance::Cluster;

use crate::client::{Client, id_of};
use crate::journal::{Journal, LINES, Line};
use crate::site::Site;
use crate::{assert_survived, start_survivors, survivors};

const INSTANCES: i64 = 1_000;
const LEASE: Duration = Duration::from_secs(5);
/// Expired leases are looked for every second then, and there is the work itself.
const SLACK: Duration = Duration::from_secs(8);

#[tokio::test(flavor = "multi_thread")]
async fn share_the_work_and_take_over() {
    let url = Cluster::shared().database(false).await;
    let site = Site::new();
    let mut bridge = site.start(&["bridge", "--database-url", &url]);
    bridge.record().await;
    let lease = LEASE.as_secs().to_string();
    let host = |name| {
        site.start(&[
            "start-workers",
            "--database-url",
            &url,
            "--engine-name",
            name,
            "--lease-seconds",
            &lease,
            "--heartbeat-seconds",
            "1",
            // An engine takes what is due for as long as it has room, a batch at a time.
            "--claim-batch",
            "25",
        ])
    };
    let (mut first, mut second) = (host("first"), host("second"));
    first.some_workers(2).await;
    second.some_workers(2).await;

    let (client, journal) = (Client::of(&site), Journal::of(&site));
    let starts = survivors(INSTANCES, &journal, 0.2);
    let ids: Vec<Uuid> = starts.iter().map(id_of).collect();
    start_survivors(&client, &starts).await.expect("started");
    journal.reached(LINES * INSTANCES as usize / 2).await;
    let shares = shares(&journal.lines());
    println!("shares: {shares:?}");
    let total: usize = shares.values().sum();
    for host in ["first", "second"] {
        let share = shares.get(host).copied().unwrap_or_default();
        assert!(share * 5 >= total, "{host} has run {share} of {total}");
    }

    first.kill().await;
    let killed = Instant::now();
    let before = journal.len();
    assert_survived(&client, &ids).await;
    println!("all was done {:?} after the kill", killed.elapsed());
    assert!(killed.elapsed() < LEASE + SLACK, "{:?}", killed.elapsed());
    let moved = &journal.lines()[before..];
    assert!(moved.iter().all(|line| host_of(line) == "second"), "only one is left");
    journal.assert_complete(INSTANCES);
    journal.assert_no_step_back();
    second.assert_running();
}

fn shares(lines: &[Line]) -> HashMap<String, usize> {
    let mut shares = HashMap::new();
    for line in lines {
        *shares.entry(host_of(line).to_string()).or_default() += 1;
    }
    shares
}

/// Names of workers begin with their engine's.
fn host_of(line: &Line) -> &str {
    line.worker.rsplit_once('-').map_or(&line.worker, |(host, _)| host)
}
