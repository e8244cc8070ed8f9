//! Postgres goes away: it crashes and comes back, or stays away for a while. No process ends, nothing is lost, nothing needs a hand.

use std::time::{Duration, Instant};

use tonic::Code;
use uuid::Uuid;
use waymark_proto::bridge::StartInstancesRequest;
use waymark_store::conformance::Cluster;

use crate::client::{Client, id_of};
use crate::journal::{Journal, LINES};
use crate::site::{Server, Site};
use crate::{assert_survived, is_long, start_survivors, survivors, wait_for};

const INSTANCES: i64 = 1_000;
const CRASHES: usize = 4;
/// What came while the database was away is done this soon after it has come back.
const RECOVERY_MAX: Duration = Duration::from_secs(30);

struct Setting {
    cluster: Cluster,
    site: Site,
    bridge: Server,
    engine: Server,
}

impl Setting {
    async fn new(lease_seconds: &str) -> Setting {
        let cluster = Cluster::start(&[]);
        let url = cluster.database(false).await;
        let site = Site::new();
        let mut bridge = site.start(&["bridge", "--database-url", &url]);
        bridge.record().await;
        let mut engine = site.start(&[
            "start-workers",
            "--database-url",
            &url,
            "--lease-seconds",
            lease_seconds,
            "--heartbeat-seconds",
            "1",
        ]);
        engine.some_workers(2).await;
        Setting { cluster, site, bridge, engine }
    }

    /// Both go on, and say what happened.
    async fn assert_unharmed(&mut self) {
        for server in [&mut self.bridge, &mut self.engine] {
            let log = wait_for("word that the database is back", || {
                server.assert_running();
                let log = server.log();
                let count = |text| log.lines().filter(|line: &&str| line.contains(text)).count();
                let (away, back) = (count("WARN the database is away"), count("INFO the database is back"));
                (away > 0 && away == back).then_some(log)
            })
            .await;
            assert!(!log.contains("panicked") && !log.contains("ERROR"), "{log}");
            assert!(log.lines().count() < 100, "it talks too much:\n{log}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn crashes_and_comes_back() {
    let mut setting = Setting::new("15").await;
    let (client, journal) = (Client::of(&setting.site), Journal::of(&setting.site));
    let starts = survivors(INSTANCES, &journal, 0.2);
    let ids: Vec<Uuid> = starts.iter().map(id_of).collect();
    let starting = start_survivors(&client, &starts);
    for crash in 1..=CRASHES {
        journal.reached(LINES * INSTANCES as usize * crash / (CRASHES + 1)).await;
        setting.cluster.crash();
        setting.cluster.start_again();
    }
    starting.await.expect("started");
    assert_survived(&client, &ids).await;
    let repeated = journal.assert_complete(INSTANCES);
    journal.assert_no_step_back();
    // Claims are not flushed, so that a crash may take the last ones back: what was begun under them is begun again.
    println!("{CRASHES} crashes: {repeated} actions were run again");
    setting.assert_unharmed().await;
}

/// Longer than leases last, and in the long form longer than calls wait.
#[tokio::test(flavor = "multi_thread")]
async fn stays_away() {
    let away = Duration::from_secs(if is_long() { 30 } else { 8 });
    let mut setting = Setting::new("5").await;
    let (client, journal) = (Client::of(&setting.site), Journal::of(&setting.site));
    let mut starts = survivors(INSTANCES / 2, &journal, 0.2);
    let later = starts.split_off(starts.len() - 50);
    start_survivors(&client, &starts).await.expect("started");
    journal.reached(LINES * starts.len() / 3).await;

    setting.cluster.crash();
    let gone = Instant::now();
    // Whoever asks meanwhile is told, or waits and is served.
    let asking = {
        let (client, starts) = (client.clone(), later.clone());
        tokio::spawn(async move {
            let mut calls = client.connect().await.expect("the bridge is there");
            calls.start_instances(StartInstancesRequest { starts, wait_ms: 0 }).await
        })
    };
    tokio::time::sleep(away.saturating_sub(gone.elapsed())).await;
    setting.bridge.assert_running();
    setting.engine.assert_running();
    setting.cluster.start_again();
    let back = Instant::now();
    match asking.await.expect("asked") {
        Ok(_) => assert!(!is_long(), "nobody waits for so long"),
        Err(status) => {
            assert_eq!(status.code(), Code::Unavailable, "{status:?}");
            assert!(status.message().contains("the database") && status.message().contains("hint: "), "{status:?}");
        }
    }
    client.start_all(&later).await;
    let ids: Vec<Uuid> = starts.iter().chain(&later).map(id_of).collect();
    assert_survived(&client, &ids).await;
    println!("away for {away:?}; all was done {:?} after it came back", back.elapsed());
    assert!(back.elapsed() < RECOVERY_MAX, "{:?}", back.elapsed());
    journal.assert_complete(INSTANCES / 2);
    journal.assert_no_step_back();
    setting.assert_unharmed().await;
}
