//! SIGKILL of the process with the engine, in the middle, again and again.

use std::collections::HashSet;

use uuid::Uuid;
use waymark_store::conformance::Cluster;

use crate::client::{Client, id_of};
use crate::journal::{Journal, LINES};
use crate::site::Site;
use crate::{assert_survived, start_survivors, survivors, wait_for};

const INSTANCES: i64 = 1_000;
const KILLS: usize = 5;
const LOG_ROWS_MAX: u32 = 1_000;

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite() {
    let site = Site::new();
    let url = site.path(".waymark/waymark.db").display().to_string();
    kill_engines(&site, &["dev"], &url).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres() {
    let cluster = Cluster::start(&[]);
    let url = cluster.database(false).await;
    let site = Site::new();
    let mut bridge = site.start(&["bridge", "--database-url", &url]);
    bridge.record().await;
    kill_engines(&site, &["start-workers", "--database-url", &url], &url).await;
    bridge.assert_running();
}

/// The bridge of SQLite goes with the engine, so that clients have to find the next.
async fn kill_engines(site: &Site, command: &[&str], url: &str) {
    let (client, journal) = (Client::of(site), Journal::of(site));
    let starts = survivors(INSTANCES, &journal, 0.2);
    let ids: Vec<Uuid> = starts.iter().map(id_of).collect();
    let mut server = site.start(command);
    let starting = start_survivors(&client, &starts);
    let lines = LINES * INSTANCES as usize;
    // At each kill: how far the journal was, and which executions were done for good.
    let mut kills: Vec<(usize, HashSet<String>)> = Vec::new();
    for kill in 1..=KILLS {
        journal.reached(lines * kill / (KILLS + 1)).await;
        server.assert_running();
        server.kill().await;
        kills.push((journal.len(), committed(url, &ids).await));
        server = site.start(command);
        // The next one is killed once it works.
        wait_for("a sign of life", || (journal.len() > kills[kill - 1].0).then_some(())).await;
    }
    starting.await.expect("started");
    assert_survived(&client, &ids).await;
    server.assert_running();

    let repeated = journal.assert_complete(INSTANCES);
    journal.assert_no_step_back();
    let run = journal.lines();
    let mut repeated_max = 0;
    for (kill, (at, done)) in kills.iter().enumerate() {
        let again = run[*at..].iter().find(|line| done.contains(&line.execution));
        assert!(again.is_none(), "{again:?} was committed before kill {kill}, and run after it");
        let before: HashSet<&str> = run[..*at].iter().map(|line| line.execution.as_str()).collect();
        let in_flight = before.iter().filter(|execution| !done.contains(**execution)).count();
        repeated_max += in_flight;
        println!(
            "kill {kill} at line {at}: {} executions done, {in_flight} had run and were not committed",
            done.len()
        );
    }
    assert!(repeated <= repeated_max, "{repeated} were run again, {repeated_max} at most were in flight");
    println!("{KILLS} kills: {repeated} of {lines} actions were run again");
    assert!(kills.last().is_some_and(|(_, done)| done.len() > lines / 2), "the kills were in the middle");
}

/// Executions whose outcome is in the log, read while nobody writes.
async fn committed(url: &str, ids: &[Uuid]) -> HashSet<String> {
    let store = waymark_store::open(url).await.expect("the database");
    let mut done = HashSet::new();
    for id in ids {
        let rows = store.read_log(*id, 0, LOG_ROWS_MAX).await.expect("a log");
        done.extend(rows.into_iter().filter_map(|row| row.execution_id));
    }
    done
}
