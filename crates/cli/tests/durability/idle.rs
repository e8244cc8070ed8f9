//! A server with nothing to do costs next to nothing.

use std::time::Duration;

use waymark_ir::Value;
use waymark_proto::bridge::Start;
use waymark_store::conformance::Cluster;

use crate::client::{Client, start_of};
use crate::process::cpu_time;
use crate::site::{Server, Site};

const SLEEPS: &str = "\
workflow sleeps
fn main(input: [seconds]):
    await asyncio.sleep(seconds)
";

const MEASURED: Duration = Duration::from_secs(10);
/// What was done before is over by then, and Postgres has counted it: a connection that does nothing tells after ten seconds.
const BEFORE: Duration = Duration::from_secs(12);
/// Of a core.
const SHARE_MAX: f64 = if cfg!(debug_assertions) { 0.02 } else { 0.01 };
/// Of bridge and engine together.
const TRANSACTIONS_PER_SECOND_MAX: f64 = 2.0;

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite() {
    let site = Site::new();
    let mut server = site.start(&["dev"]);
    settle(&site, &mut server).await;
    rest(&mut [("dev", &mut server)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres() {
    let cluster = Cluster::shared();
    let url = cluster.database(false).await;
    let site = Site::new();
    let mut bridge = site.start(&["bridge", "--database-url", &url]);
    bridge.record().await;
    let mut engine = site.start(&["start-workers", "--database-url", &url]);
    settle(&site, &mut engine).await;
    let before = cluster.transactions(&url).await;
    rest(&mut [("bridge", &mut bridge), ("engine", &mut engine)]).await;
    let per_second = (cluster.transactions(&url).await - before) as f64 / MEASURED.as_secs_f64();
    println!("idle: {per_second:.1} transactions a second");
    assert!(per_second <= TRANSACTIONS_PER_SECOND_MAX, "{per_second}");
}

/// Some instances that sleep for long, and workers that have come.
async fn settle(site: &Site, engine: &mut Server) {
    let client = Client::of(site);
    client.register(SLEEPS).await;
    let starts: Vec<Start> = (0..100).map(|_| start_of("sleeps", vec![("seconds", Value::Int(3_600))])).collect();
    client.start_all(&starts).await;
    let one = client.start("sleeps", vec![("seconds", Value::Int(0))]).await;
    client.result(one).await;
    engine.some_workers(2).await;
    tokio::time::sleep(BEFORE).await;
}

async fn rest(servers: &mut [(&str, &mut Server)]) {
    let before: Vec<Duration> = servers.iter().map(|(_, server)| cpu_time(server.pid())).collect();
    tokio::time::sleep(MEASURED).await;
    for ((name, server), before) in servers.iter_mut().zip(before) {
        server.assert_running();
        let share = (cpu_time(server.pid()) - before).as_secs_f64() / MEASURED.as_secs_f64();
        println!("idle: {name} takes {:.2} % of a core", 100.0 * share);
        assert!(share < SHARE_MAX, "{name}: {share}");
    }
}
