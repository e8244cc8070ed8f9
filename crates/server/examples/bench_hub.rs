//! How fast calls go through the hub to a worker in another process and back: `cargo run --release --example bench_hub`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::net::UnixListener;
use tokio_stream::wrappers::UnixListenerStream;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use waymark_engine::runtime::{Dispatcher, Reports};
use waymark_engine::{Job, Work};
use waymark_ir::Value;
use waymark_runner::{Dispatch, ExecutionId};
use waymark_server::pool::{Hub, Options};
use waymark_worker::Worker;

const CALLS: u64 = 400_000;
const IN_FLIGHT: u64 = 1_000;
const ROUND_TRIPS: u64 = 20_000;

fn job(ordinal: u64) -> Job {
    let instance_id = Uuid::from_u128(7);
    let dispatch = Dispatch {
        execution: ExecutionId { instance: 7, epoch: 0, ordinal },
        attempt: 1,
        name: "bench.double".into(),
        positional: Vec::new().into(),
        keyword: vec![("n".into(), Value::Int(ordinal as i64))].into(),
        queue: None,
        timeout_us: None,
        function: 0,
        node: 0,
        child: None,
        transaction: false,
    };
    Job { instance_id, workflow_name: "bench".into(), work: Work::Action(Arc::new(dispatch)) }
}

/// Seconds of processor time of a process so far.
fn processor_seconds(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|ticks| ticks.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    if std::env::var_os("WAYMARK_WORKER_ADDRESS").is_some() {
        let worker = Worker::new(waymark_worker::Options::from_environment()?);
        let worker = worker.action("bench.double", |arguments, _| async move {
            let Some(Value::Int(n)) = arguments.get("n") else { return Ok(Value::None) };
            Ok(Value::Int(n * 2))
        });
        let _ = worker.run(CancellationToken::new()).await;
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("hub.sock");
    let hub = Hub::new(Options::default());
    let incoming = UnixListenerStream::new(UnixListener::bind(&path)?);
    tokio::spawn(tonic::transport::Server::builder().add_service(hub.service()).serve_with_incoming(incoming));
    let mut worker = tokio::process::Command::new(std::env::current_exe()?)
        .env("WAYMARK_WORKER_ADDRESS", format!("unix:{}", path.display()))
        .env("WAYMARK_WORKER_SLOTS", IN_FLIGHT.to_string())
        .kill_on_drop(true)
        .spawn()?;
    while hub.status().workers.is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let worker_process = worker.id().unwrap_or_default();
    let (reports, mut reported) = Reports::channel();

    let round_trips = tokio::spawn({
        let hub = hub.clone();
        async move {
            let mut times = Vec::new();
            for ordinal in 0..ROUND_TRIPS {
                let begun = Instant::now();
                hub.run(job(ordinal), &reports);
                reported.recv().await;
                times.push(begun.elapsed());
            }
            times.sort();
            let at = |share: f64| times[(times.len() as f64 * share) as usize].as_micros();
            println!("1 in flight: round trip p50 {} µs, p99 {} µs", at(0.5), at(0.99));
            (reports, reported)
        }
    });
    let (reports, mut reported) = round_trips.await?;

    let mut ordinal = ROUND_TRIPS;
    for (shown, at_once) in [(format!("{IN_FLIGHT} in flight"), IN_FLIGHT), ("all at once".into(), CALLS)] {
        let traffic = hub.status().traffic;
        let before = (processor_seconds(std::process::id()), processor_seconds(worker_process));
        let begun = Instant::now();
        let (giving, reports) = (hub.clone(), reports.clone());
        let many = tokio::spawn(async move {
            let mut given = 0;
            let mut settled = 0;
            let mut batch = Vec::new();
            while settled < CALLS {
                while given < CALLS && given - settled < at_once {
                    giving.run(job(ordinal + given), &reports);
                    given += 1;
                }
                settled += reported.recv_many(&mut batch, 256).await as u64;
                batch.clear();
            }
            reported
        });
        reported = many.await?;
        ordinal += CALLS;
        let seconds = begun.elapsed().as_secs_f64();
        let now = hub.status().traffic;
        println!(
            "{shown}: {:.0} calls/s; µs of processor a call: hub {:.1}, worker {:.1}; calls a frame {:.0}, results a frame {:.0}",
            CALLS as f64 / seconds,
            (processor_seconds(std::process::id()) - before.0) * 1e6 / CALLS as f64,
            (processor_seconds(worker_process) - before.1) * 1e6 / CALLS as f64,
            CALLS as f64 / (now.frames_sent - traffic.frames_sent) as f64,
            CALLS as f64 / (now.frames_received - traffic.frames_received) as f64,
        );
    }
    worker.kill().await?;
    Ok(())
}
