//! Durability, for real: the binary, its workers and the database are killed, starved and fed with garbage while instances run, and
//! afterwards everything must be as if nothing had happened. `LONG=1` takes the sizes and times of the promises themselves; without it
//! they are smaller, so that all of it runs before every change.

mod bad_input;
mod client;
mod database;
mod engine_kills;
mod hostile;
mod hosts;
mod idle;
mod journal;
mod process;
mod schedules;
mod site;
mod sleepers;
mod worker_kills;

use std::time::{Duration, Instant};

use client::{Client, result_of, start_of};
use journal::Journal;
use uuid::Uuid;
use waymark_ir::Value;
use waymark_proto::bridge::Start;

/// Everything here is faster by far; the machine may be busy.
const LIMIT: Duration = Duration::from_secs(240);

/// A chain, a spread, a short sleep, and a line in a file wherever it has been. `journal.rs` knows the lines.
const SURVIVES: &str = "\
workflow survives
fn main(input: [n, file, pause]):
    @record(file=file, text=f\"{n}/0\")
    a = @double(n=n)
    b = @add(a=a, b=1)
    @record(file=file, text=f\"{n}/1\")
    parts = spread range(3):k -> part(file, n, k)
    await asyncio.sleep(pause)
    @record(file=file, text=f\"{n}/3\")
    return [b, parts]

fn part(input: [file, n, k]):
    @record(file=file, text=f\"{n}/2.{k}\")
    return @add(a=n, b=k)
";

fn is_long() -> bool {
    std::env::var("LONG").is_ok_and(|long| !long.is_empty() && long != "0")
}

/// Waits for a condition.
async fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + LIMIT;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "waited too long for {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Starts of `SURVIVES`, by their number.
fn survivors(count: i64, journal: &Journal, pause: f64) -> Vec<Start> {
    let file = Value::Str(journal.file.display().to_string());
    let inputs = |n| vec![("n", Value::Int(n)), ("file", file.clone()), ("pause", Value::Float(pause))];
    (0..count).map(|n| start_of("survives", inputs(n))).collect()
}

/// Registers and starts them, whatever happens to the server meanwhile.
fn start_survivors(client: &Client, starts: &[Start]) -> tokio::task::JoinHandle<()> {
    let (client, starts) = (client.clone(), starts.to_vec());
    tokio::spawn(async move {
        client.register(SURVIVES).await;
        client.start_all(&starts).await;
    })
}

/// Waits until all have finished, and checks what they returned.
async fn assert_survived(client: &Client, ids: &[Uuid]) {
    let instances = client.finished(ids).await;
    for (n, instance) in instances.iter().enumerate() {
        let parts = (0..3).map(|k| Value::Int(n as i64 + k)).collect();
        let expected = Value::List(vec![Value::Int(2 * n as i64 + 1), Value::List(parts)]);
        assert_eq!(result_of(instance), expected, "instance {n}");
    }
}
