//! A schedule that is due every second, and hosts that are killed meanwhile: every due time has one run, put with the command.

use std::collections::BTreeSet;
use std::time::Duration;

use uuid::Uuid;
use waymark_engine::schedule::run_id;
use waymark_proto::bridge::{InstanceFilter, InstanceStatus, ListInstancesRequest, Schedule, ScheduleKey};
use waymark_store::Timestamp;
use waymark_store::conformance::Cluster;

use crate::client::Client;
use crate::site::Site;

const SECOND_US: i64 = 1_000_000;
const TICKS: &str = "\
workflow ticks
fn main(input: [n]):
    return n + 1
";

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres_with_two_hosts() {
    let url = Cluster::shared().database(false).await;
    let site = Site::new();
    let mut bridge = site.start(&["bridge", "--database-url", &url]);
    bridge.record().await;
    let host = |name| site.start(&["start-workers", "--database-url", &url, "--engine-name", name]);
    let (first, mut second) = (host("first"), host("second"));
    let client = Client::of(&site);
    put(&site, &client, &["--database-url", &url]).await;
    runs(&client, 3).await;
    first.kill().await;
    runs(&client, 6).await;
    let _third = host("third");
    runs(&client, 8).await;
    second.assert_running();
    assert_each_due_time_ran(&client).await;
}

/// One process owns the file. While it is gone, due times pass, and are made up for.
#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite_with_one_host_after_the_other() {
    let site = Site::new();
    let mut server = site.start(&["dev"]);
    server.record().await;
    let client = Client::of(&site);
    put(&site, &client, &[]).await;
    for count in [2, 4, 6] {
        runs(&client, count).await;
        server.kill().await;
        server = site.start(&["dev"]);
    }
    runs(&client, 8).await;
    server.assert_running();
    assert_each_due_time_ran(&client).await;
}

async fn put(site: &Site, client: &Client, flags: &[&str]) {
    client.register(TICKS).await;
    let words =
        ["schedule", "put", "ticks", "often", "--every", "1s", "--overlap", "allow", "--input", "{\"n\": 1}", "--json"];
    let told = site.command(&[&words, flags].concat()).output().expect("waymark runs");
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let shown: serde_json::Value = serde_json::from_slice(&told.stdout).expect("JSON");
    assert_eq!((&shown["status"], &shown["every_seconds"]), (&"active".into(), &1.0.into()), "{shown}");
}

async fn schedule(client: &Client) -> Option<Schedule> {
    let key = ScheduleKey { workflow_name: "ticks".into(), schedule_name: "often".into() };
    // Nobody serves for a while after a kill.
    client.connect().await.ok()?.get_schedule(key).await.ok().map(tonic::Response::into_inner)
}

/// Waits until it has started so many.
async fn runs(client: &Client, count: i64) {
    let looking = async {
        while schedule(client).await.is_none_or(|schedule| schedule.runs < count) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(crate::LIMIT, looking).await.unwrap_or_else(|_| panic!("waited too long for {count} runs"));
}

async fn assert_each_due_time_ran(client: &Client) {
    let key = ScheduleKey { workflow_name: "ticks".into(), schedule_name: "often".into() };
    let mut calls = client.connect().await.expect("a bridge");
    let row = calls.pause_schedule(key).await.expect("paused").into_inner();
    let schedule_id = Uuid::from_slice(&row.schedule_id).expect("an id");
    let last_us = row.last_run_us.expect("a run");
    let expected: BTreeSet<Uuid> =
        (0..row.runs).map(|back| run_id(schedule_id, Timestamp(last_us - back * SECOND_US))).collect();
    assert_eq!((row.overlapped, row.missed), (0, 0));
    let filter = InstanceFilter { schedule_id: row.schedule_id, ..InstanceFilter::default() };
    let request = ListInstancesRequest { filter: Some(filter), limit: 1_000, ..ListInstancesRequest::default() };
    let found = calls.list_instances(request).await.expect("a list").into_inner().instances;
    let ids: BTreeSet<Uuid> = found.iter().map(|instance| Uuid::from_slice(&instance.instance_id).unwrap()).collect();
    assert_eq!(ids, expected, "one run for each second");
    let ended = client.finished(&ids.into_iter().collect::<Vec<Uuid>>()).await;
    assert!(ended.iter().all(|instance| instance.status() == InstanceStatus::Completed));
}
