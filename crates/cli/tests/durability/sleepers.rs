//! Instances that only wait: many cost no memory, and they wake in time.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use uuid::Uuid;
use waymark_ir::Value;
use waymark_proto::bridge::{Instance, Start};
use waymark_store::conformance::Cluster;

use crate::client::{Client, id_of, start_of};
use crate::is_long;
use crate::process::peak_bytes;
use crate::site::{Server, Site};

const SLEEPS: &str = "\
workflow sleeps
fn main(input: [until]):
    await asyncio.sleep(until - time.time())
    return until
";

const WAITS: &str = "\
workflow waits
fn main():
    return await waymark.wait_for_signal(\"go\")
";

const MEMORY_BYTES_MAX: u64 = 200 << 20;
/// Longer than an engine keeps those in memory that wake soon.
const TO_FALL_ASLEEP: f64 = 8.0;
const HOUR: f64 = 3_600.0;
/// A sleeper that has the engine to itself.
const LATE_MAX: f64 = 1.0;

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite() {
    let site = Site::new();
    let server = site.start(&["bridge"]);
    wait_and_wake(&site, server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres() {
    let cluster = Cluster::start(&[]);
    let url = cluster.database(false).await;
    let site = Site::new();
    let server = site.start(&["dev", "--workers", "0", "--database-url", &url]);
    wait_and_wake(&site, server).await;
}

async fn wait_and_wake(site: &Site, mut server: Server) {
    let (waiting, due) = if is_long() { (90_000, 10_000) } else { (6_000, 4_000) };
    // Tests that run beside this one take their part of the machine, when it is not alone.
    let per_second_min = if is_long() && !cfg!(debug_assertions) { 2_000.0 } else { 400.0 };
    let client = Client::of(site);
    client.register(SLEEPS).await;
    client.register(WAITS).await;
    let asleep = (0..waiting).map(|number| match number % 2 {
        0 => start_of("waits", Vec::new()),
        _ => sleeper(now() + HOUR),
    });
    let started = now();
    client.start_all(&asleep.collect::<Vec<Start>>()).await;
    let seconds_each = (now() - started) / f64::from(waiting);
    let wake_at = now() + 2.0 * seconds_each * f64::from(due) + TO_FALL_ASLEEP;
    let sleepers: Vec<Start> = (0..due).map(|_| sleeper(wake_at)).collect();
    client.start_all(&sleepers).await;
    let ids: Vec<Uuid> = sleepers.iter().map(id_of).collect();

    // All of them are out of memory some time before they are due.
    tokio::time::sleep(Duration::from_secs_f64((wake_at - 0.5 - now()).max(0.0))).await;
    let asleep = peak_bytes(server.pid());
    println!("{} waiting instances: at most {} MB", waiting + due, asleep >> 20);
    assert!(client.get(ids[0]).await.finished_at_us.is_none(), "the starts took too long to measure anything");

    let woken = client.finished(&ids).await;
    let most = peak_bytes(server.pid());
    let last = woken.iter().map(finished_at).fold(0.0, f64::max);
    assert!(woken.iter().all(|instance| finished_at(instance) >= wake_at), "nobody wakes too early");
    let per_second = f64::from(due) / (last - wake_at);
    println!("{due} sleepers woke at {per_second:.0} a second; at most {} MB", most >> 20);
    assert!(per_second >= per_second_min, "{per_second}");
    assert!(most < MEMORY_BYTES_MAX, "{most} bytes");

    // One after the other, some far enough away to leave memory and some not.
    let first = now() + 1.0;
    let times: Vec<f64> = (0..30).map(|number| first + 0.1 * f64::from(number)).collect();
    let lone: Vec<Start> = times.iter().map(|time| sleeper(*time)).collect();
    client.start_all(&lone).await;
    let woken = client.finished(&lone.iter().map(id_of).collect::<Vec<Uuid>>()).await;
    let late = times.iter().zip(&woken).map(|(time, instance)| finished_at(instance) - time).fold(0.0, f64::max);
    println!("a lone sleeper is at most {late:.3} s late");
    assert!(late < LATE_MAX, "{late}");
    server.assert_running();
}

fn sleeper(until: f64) -> Start {
    start_of("sleeps", vec![("until", Value::Float(until))])
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs_f64()
}

fn finished_at(instance: &Instance) -> f64 {
    instance.finished_at_us.expect("it has finished") as f64 / 1e6
}
