//! How each workload is measured: a stage, something to warm up with, the request to the client that is measured, the floor.

use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use jiff::Timestamp;
use serde_json::{Value as Json, json};

use super::floor;
use super::measured::{Measured, Unit, Work, milliseconds};
use super::stage::{Site, Stage};
use super::workload::{Scale, StoreKind, Workload};
use crate::bench::cost::Meter;
use crate::bench::processes::resident_bytes;
use crate::bench::samples::Samples;

/// Callers that start instances at the same time.
const IN_FLIGHT: usize = 50;
/// A file that says that a loop has come far enough is looked for so often, and for so long.
const LOOK_EVERY: Duration = Duration::from_millis(1);
const HELD_PATIENCE: Duration = Duration::from_secs(20 * 60);
/// Postgres has counted what was done before after this: a connection that does nothing tells after ten seconds.
const COUNTED_AFTER: Duration = Duration::from_secs(12);

pub async fn measure(site: &Site, workload: Workload, store: StoreKind) -> anyhow::Result<Vec<Measured>> {
    let size = workload.size(site.scale);
    match workload {
        Workload::Chain => Ok(vec![chain(site, workload, store, size, 1).await?]),
        Workload::Fanout => Ok(vec![fanout(site, store, size).await?]),
        Workload::Latency => Ok(vec![latency(site, store, size).await?]),
        Workload::Loop => Ok(vec![loop_(site, store, size).await?]),
        Workload::Start => start(site, store, size).await,
        Workload::Sleepers => Ok(vec![sleepers(site, store, size).await?]),
        Workload::Payload => payload(site, store).await,
        Workload::Idle => Ok(vec![idle(site, store, size).await?]),
        Workload::Hosts => {
            let mut measured = Vec::new();
            for engines in Workload::engines(site.scale) {
                let one = chain(site, workload, store, size, *engines).await?;
                measured.push(Measured { variant: Some(engines_text(*engines)), ..one });
            }
            Ok(measured)
        }
    }
}

fn engines_text(engines: usize) -> String {
    crate::terminal::count(engines, "engine")
}

async fn chain(
    site: &Site,
    workload: Workload,
    store: StoreKind,
    size: usize,
    engines: usize,
) -> anyhow::Result<Measured> {
    let mut stage = site.stage(store, engines).await?;
    let work = floor::Work { instances: size, actions: 3, bytes: 0, workers: site.workers * engines };
    stage.client.ask(json!({"do": "chain", "count": warm_up(size)})).await?;
    let request = json!({"do": "chain", "count": size});
    actions(site, stage, Measured::new(workload, store, size), request, work).await
}

async fn fanout(site: &Site, store: StoreKind, size: usize) -> anyhow::Result<Measured> {
    let mut stage = site.stage(store, 1).await?;
    let work = floor::Work { instances: 1, actions: size, bytes: 0, workers: site.workers };
    stage.client.ask(json!({"do": "fanout", "size": warm_up(size)})).await?;
    let request = json!({"do": "fanout", "size": size});
    actions(site, stage, Measured::new(Workload::Fanout, store, size), request, work).await
}

async fn payload(site: &Site, store: StoreKind) -> anyhow::Result<Vec<Measured>> {
    let mut stage = site.stage(store, 1).await?;
    let mut costs = Vec::new();
    for (bytes, count) in Workload::payloads(site.scale) {
        stage.client.ask(json!({"do": "payload", "count": warm_up(count), "size": bytes})).await?;
        let (answer, cost) = stage.measure(json!({"do": "payload", "count": count, "size": bytes})).await?;
        expect(&answer, "completed", count)?;
        costs.push((bytes, count, cost));
    }
    let url = stage.stop().await?;
    let mut measured = Vec::new();
    for (bytes, count, cost) in costs {
        let floor =
            site.floor(&url, floor::Work { instances: count, actions: 1, bytes, workers: site.workers }).await?;
        let work = Work { count, unit: Unit::Action, cost, floor: Some(floor) };
        let row = Measured::new(Workload::Payload, store, bytes);
        measured.push(Measured { floor_ratio: work.ratio(), work: Some(work), ..row });
    }
    Ok(measured)
}

/// One request of many actions, beside its floor.
async fn actions(
    site: &Site,
    mut stage: Stage<'_>,
    measured: Measured,
    request: Json,
    work: floor::Work,
) -> anyhow::Result<Measured> {
    let (answer, cost) = stage.measure(request).await?;
    expect(&answer, "completed", work.instances)?;
    let url = stage.stop().await?;
    let floor = Some(site.floor(&url, work).await?);
    let work = Work { count: work.instances * work.actions, unit: Unit::Action, cost, floor };
    Ok(Measured { floor_ratio: work.ratio(), work: Some(work), ..measured })
}

async fn latency(site: &Site, store: StoreKind, size: usize) -> anyhow::Result<Measured> {
    let mut stage = site.stage(store, 1).await?;
    stage.client.ask(json!({"do": "latency", "count": warm_up(size)})).await?;
    let (answer, cost) = stage.measure(json!({"do": "latency", "count": size})).await?;
    expect(&answer, "completed", size)?;
    let times = seconds(&answer)?;
    let url = stage.stop().await?;
    let steps = site.steps(&url, size).await?;
    let (commit, trip) = (steps.commits.percentile(50), steps.trips.percentile(50));
    // The start is committed, and the end with its result.
    let floor = 2 * commit + trip;
    Ok(Measured {
        work: Some(Work { count: size, unit: Unit::Action, cost, floor: None }),
        floor_ratio: Some(times.percentile(50).as_secs_f64() / floor.as_secs_f64()),
        times: Some(times),
        further: vec![("commit_ms", milliseconds(commit)), ("round_trip_ms", milliseconds(trip))],
        ..Measured::new(Workload::Latency, store, size)
    })
}

async fn loop_(site: &Site, store: StoreKind, size: usize) -> anyhow::Result<Measured> {
    let mut stage = site.stage(store, 1).await?;
    stage.client.ask(json!({"do": "loop", "size": warm_up(size)})).await?;
    let (answer, cost) = stage.measure(json!({"do": "loop", "size": size})).await?;
    expect(&answer, "completed", 1)?;
    let times: Vec<f64> = answer["times"].as_array().into_iter().flatten().filter_map(Json::as_f64).collect();
    ensure!(times.len() == 11, "the loop said {answer}");
    let tenth_ms = |from: usize| (times[from + 1] - times[from]) * 1e3 / (size as f64 / 10.0);
    let (restart_ms, next_step_ms) = interrupt(&mut stage, size).await?;
    let url = stage.stop().await?;
    let steps = site.steps(&url, size.min(500)).await?;
    let (commit, trip) = (steps.commits.mean(), steps.trips.mean());
    let step_ms = (times[10] - times[0]) * 1e3 / size as f64;
    Ok(Measured {
        work: Some(Work { count: size, unit: Unit::Action, cost, floor: None }),
        floor_ratio: Some(step_ms / milliseconds(commit + trip)),
        further: vec![
            ("step_ms", step_ms),
            ("first_tenth_step_ms", tenth_ms(0)),
            ("last_tenth_step_ms", tenth_ms(9)),
            ("commit_ms", milliseconds(commit)),
            ("round_trip_ms", milliseconds(trip)),
            ("restart_ms", restart_ms),
            ("next_step_ms", next_step_ms),
        ],
        ..Measured::new(Workload::Loop, store, size)
    })
}

/// Kills the server when a loop is at 95 %. How long it takes to start again until a worker has come, and from there to the loop's next step.
async fn interrupt(stage: &mut Stage<'_>, size: usize) -> anyhow::Result<(f64, f64)> {
    let file = stage.folder().join("held");
    let started = stage.client.ask(json!({"do": "interrupted", "size": size, "file": file})).await?;
    let end = Instant::now() + HELD_PATIENCE;
    while !file.exists() {
        if Instant::now() > end {
            bail!("a loop does not come to its 95 %");
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    stage.kill_and_restart().await?;
    let answer = json!({"do": "went_on", "size": size, "instance_id": started["instance_id"]});
    let answer = stage.client.ask(answer).await?;
    expect(&answer, "completed", 1)?;
    let went_on = answer["went_on"].as_f64().context("when the loop went on")?;
    let up = stage.server().was_up()?;
    let seconds = |time: Timestamp| time.as_microsecond() as f64 / 1e6;
    Ok(((seconds(up) - seconds(stage.server().begun)) * 1e3, (went_on - seconds(up)) * 1e3))
}

async fn start(site: &Site, store: StoreKind, size: usize) -> anyhow::Result<Vec<Measured>> {
    let mut stage = site.stage(store, 1).await?;
    let requests: [fn(usize) -> Json; 2] = [
        |count| json!({"do": "start_single", "count": count, "in_flight": IN_FLIGHT}),
        |count| json!({"do": "start_batches", "count": count}),
    ];
    let mut costs = Vec::new();
    for request in requests {
        stage.client.ask(request(warm_up(size))).await?;
        let (answer, cost) = stage.measure(request(size)).await?;
        expect(&answer, "started", size)?;
        costs.push(cost);
    }
    let url = stage.stop().await?;
    let floor = site.floor(&url, floor::Work { instances: size, actions: 0, bytes: 0, workers: 1 }).await?;
    let variants = ["single", "batches"].into_iter().zip(costs);
    let measured = variants.map(|(variant, cost)| {
        let work = Work { count: size, unit: Unit::Start, cost, floor: Some(floor) };
        Measured {
            variant: Some(variant.into()),
            floor_ratio: work.ratio(),
            work: Some(work),
            ..Measured::new(Workload::Start, store, size)
        }
    });
    Ok(measured.collect())
}

async fn sleepers(site: &Site, store: StoreKind, size: usize) -> anyhow::Result<Measured> {
    let mut stage = site.stage(store, 1).await?;
    stage.client.ask(json!({"do": "sleep", "count": warm_up(size)})).await?;
    stage.rest().await?;
    let memory = |stage: &Stage| resident_bytes(stage.server().process_id()).map_or(f64::NAN, |bytes| bytes as f64);
    let before = memory(&stage);
    let begun = Instant::now();
    let answer = stage.client.ask(json!({"do": "sleep", "count": size})).await?;
    expect(&answer, "started", size)?;
    stage.rest().await?;
    let (asleep, after) = (begun.elapsed(), memory(&stage));
    let (count, after_s, within_s) = match site.scale {
        Scale::Quick => (10, 1.0, 0.5),
        Scale::Usual | Scale::Long => (1_000, 5.0, 10.0),
    };
    let request = json!({"do": "wake", "count": count, "after": after_s, "within": within_s});
    let answer = stage.client.ask(request).await?;
    expect(&answer, "completed", count)?;
    stage.stop().await?;
    Ok(Measured {
        times: Some(seconds(&answer)?),
        further: vec![
            ("asleep_after_s", asleep.as_secs_f64()),
            ("memory_bytes", after),
            ("memory_before_bytes", before),
        ],
        ..Measured::new(Workload::Sleepers, store, size)
    })
}

async fn idle(site: &Site, store: StoreKind, size: usize) -> anyhow::Result<Measured> {
    let mut stage = site.stage(store, 1).await?;
    stage.client.ask(json!({"do": "chain", "count": 10})).await?;
    // Looking takes transactions, too: it is done from another database, so that they are not counted.
    let beside = match (store, &site.cluster) {
        (StoreKind::Postgres, Some(cluster)) => cluster.database(true).await,
        _ => stage.url.clone(),
    };
    let transactions = async |url: &str| match (store, &site.cluster) {
        (StoreKind::Postgres, Some(cluster)) => Some(cluster.transactions(url).await),
        _ => None,
    };
    if site.scale != Scale::Quick {
        tokio::time::sleep(COUNTED_AFTER).await;
    }
    let before = transactions(&stage.url).await;
    let meter = Meter::begin(&beside, stage.watched()).await?;
    tokio::time::sleep(Duration::from_secs(size as u64)).await;
    let cost = meter.end().await?;
    let after = transactions(&stage.url).await;
    stage.stop().await?;
    let wall = cost.wall.as_secs_f64();
    let percent = |time: Duration| 100.0 * time.as_secs_f64() / wall;
    let mut further = vec![
        ("cpu_percent", percent(cost.server + cost.workers + cost.database)),
        ("server_cpu_percent", percent(cost.server)),
        ("workers_cpu_percent", percent(cost.workers)),
        ("database_cpu_percent", percent(cost.database)),
    ];
    further.extend(after.zip(before).map(|(after, before)| ("transactions_per_s", (after - before) as f64 / wall)));
    Ok(Measured { further, ..Measured::new(Workload::Idle, store, size) })
}

/// What a fresh process costs (modules, memory from the system, statements to prepare) is not what an action costs.
fn warm_up(size: usize) -> usize {
    (size / 10).clamp(10, 2_000)
}

fn expect(answer: &Json, name: &str, count: usize) -> anyhow::Result<()> {
    ensure!(answer[name] == count, "{count} should have been {name}: {answer}");
    Ok(())
}

fn seconds(answer: &Json) -> anyhow::Result<Samples> {
    let given = answer["seconds"].as_array().context("times")?;
    let times = given.iter().map(|time| Ok(Duration::try_from_secs_f64(time.as_f64().unwrap_or(-1.0).max(0.0))?));
    Ok(Samples::new(times.collect::<anyhow::Result<Vec<Duration>>>()?))
}
