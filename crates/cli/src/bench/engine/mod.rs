//! `waymark bench engine`: what a durable action costs, beside the floor: the same rows written by batched statements with nothing else.
//!
//! The engine runs in this process, on a real store and with a real worker in a process of its own. A SQLite store works in this process, so its
//! time is the engine's; Postgres is a private server that is made for the run, with its disk flushes on.

mod host;
mod workload;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use comfy_table::{CellAlignment, Table, presets};
use indicatif::ProgressBar;
use serde_json::{Value as Json, json};
use waymark_store::cluster::Cluster;
use waymark_store::floor::{Floor, Rows};

use self::host::Host;
use self::workload::Workload;
use super::cost::{Cost, Meter, Watched};
use super::samples::{self, Samples};
use crate::terminal;

/// Measure the engine with real stores and a real worker: actions per second, processor time and bytes of log per action
///
/// The floor is what the same rows cost when batched statements write them and nothing else is done: the starts, for each action a row
/// of the log and the queue's row moved on, the results. A step of the loop is compared with one durable commit and one round trip to the worker.
#[derive(clap::Args)]
pub struct Options {
    /// A list of objects on stdout
    #[arg(long)]
    json: bool,
    /// Small sizes: whether it works, not how fast
    #[arg(long)]
    quick: bool,
    /// Only this store
    #[arg(long, value_parser = ["sqlite", "postgres"])]
    store: Option<String>,
    /// Only this workload
    #[arg(long, value_parser = ["chain", "fan-out", "loop"])]
    workload: Option<String>,
}

/// Rows that a statement of the floor writes.
const FLOOR_BATCH: usize = 500;
/// Commits and round trips that are timed one after the other.
const STEPS: usize = 500;
const QUICK_STEPS: usize = 20;
/// Each workload is measured so often, in turns with its floor, and the round with the median ratio is told: machines are never quiet for long.
const ROUNDS: usize = 5;

struct Measured {
    store: &'static str,
    workload: Workload,
    actions: usize,
    engine: Cost,
    floor: Cost,
    /// One durable commit and one round trip to the worker, alone. For the loop.
    step: Option<(Duration, Duration)>,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    if cfg!(debug_assertions) {
        terminal::warn("this is a debug build: its figures mean little");
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let folder = tempfile::tempdir().context("no folder for the benchmark's files")?;
    let progress = ProgressBar::new_spinner();
    let mut measured = Vec::new();
    let wants = |store| options.store.as_deref().is_none_or(|wanted| wanted == store);
    if wants("sqlite") {
        let url = folder.path().join("bench.db").display().to_string();
        measured.extend(runtime.block_on(measure(options, "sqlite", &url, folder.path(), &progress))?);
    }
    if wants("postgres") {
        let cluster = Cluster::start(&["-c", "max_wal_size=4GB"]);
        let url = runtime.block_on(cluster.database(true));
        measured.extend(runtime.block_on(measure(options, "postgres", &url, folder.path(), &progress))?);
    }
    progress.finish_and_clear();
    if options.json {
        terminal::json(&measured.iter().map(as_json).collect())?;
    } else {
        terminal::data(&format!("{}\n", table(&measured)))?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn measure(
    options: &Options,
    store_name: &'static str,
    url: &str,
    folder: &Path,
    progress: &ProgressBar,
) -> anyhow::Result<Vec<Measured>> {
    let mut measured = Vec::new();
    let wanted = Workload::ALL
        .into_iter()
        .filter(|workload| options.workload.as_deref().is_none_or(|key| key == workload.key()));
    for workload in wanted {
        let mut rounds = Vec::new();
        for round in 1..=if options.quick { 1 } else { ROUNDS } {
            progress.set_message(format!("{store_name}: {}, round {round}", workload.name()));
            progress.tick();
            rounds.push(measure_once(options.quick, workload, store_name, url, folder).await?);
        }
        rounds.sort_by(|one, other| one.ratio().total_cmp(&other.ratio()));
        measured.push(rounds.swap_remove(rounds.len() / 2));
    }
    Ok(measured)
}

async fn measure_once(
    is_quick: bool,
    workload: Workload,
    store_name: &'static str,
    url: &str,
    folder: &Path,
) -> anyhow::Result<Measured> {
    let count = workload.instances(is_quick);
    let steps = if is_quick { QUICK_STEPS } else { STEPS };
    let store = waymark_store::open(url).await?;
    let version = workload.register(&store).await?;
    let host = Host::start(store.clone(), folder).await?;
    // What a fresh process costs (memory from the system, statements to prepare) is not what an action costs.
    workload.start(&store, version, count).await?;
    workload.wait(&store).await?;
    let watched = Watched { workers: vec![host.pool.worker()], ..Watched::this() };
    let meter = Meter::begin(url, watched).await?;
    let ids = workload.start(&store, version, count).await?;
    workload.wait(&store).await?;
    let engine = meter.end().await?;
    workload.check(&store, &ids).await?;
    let trip = match workload {
        Workload::Loop => Some(Samples::new(host.pool.round_trips("double", "n", steps).await?).mean()),
        Workload::Chain | Workload::FanOut => None,
    };
    host.stop().await?;
    // A SQLite file has one owner at a time.
    drop(store);

    let mut floor = Floor::open(url).await?;
    let rows = Rows {
        workflow_version_id: version,
        instances: count,
        events: workload.actions() + 1,
        input_bytes: workload::inputs(count).len(),
        outcome_bytes: samples::OUTCOME_BYTES,
        result_bytes: 4,
        batch: FLOOR_BATCH,
    };
    let meter = Meter::begin(url, Watched::this()).await?;
    floor.write(rows).await?;
    let floor_cost = meter.end().await?;
    let step = match trip {
        Some(trip) => Some((samples::commits(&mut floor, steps).await?.mean(), trip)),
        None => None,
    };
    let actions = workload.actions() * count;
    Ok(Measured { store: store_name, workload, actions, engine, floor: floor_cost, step })
}

impl Measured {
    fn per_second(&self, cost: &Cost) -> f64 {
        self.actions as f64 / cost.wall.as_secs_f64()
    }

    fn micros(&self, time: Duration) -> f64 {
        time.as_secs_f64() * 1e6 / self.actions as f64
    }

    /// What is compared with the floor: processor time, or for the loop, where each step waits for the one before, time.
    fn ratio(&self) -> f64 {
        match self.step {
            Some((commit, trip)) => {
                self.engine.wall.as_secs_f64() / self.actions as f64 / (commit + trip).as_secs_f64()
            }
            None => self.engine.processor().as_secs_f64() / self.floor.processor().as_secs_f64(),
        }
    }
}

fn as_json(measured: &Measured) -> Json {
    let cost = |cost: &Cost| {
        json!({
            "actions_per_s": measured.per_second(cost).round(),
            "engine_cpu_s_per_1000": measured.micros(cost.server) / 1e3,
            "workers_cpu_s_per_1000": measured.micros(cost.workers) / 1e3,
            "database_cpu_s_per_1000": measured.micros(cost.database) / 1e3,
            "log_bytes_per_action": cost.log_bytes.map(|bytes| bytes as f64 / measured.actions as f64),
        })
    };
    let mut object = json!({
        "store": measured.store,
        "workload": measured.workload.name(),
        "actions": measured.actions,
        "engine": cost(&measured.engine),
        "floor": cost(&measured.floor),
        "ratio": measured.ratio(),
    });
    if let Some((commit, trip)) = measured.step {
        object["step_us"] = (measured.engine.wall.as_secs_f64() * 1e6 / measured.actions as f64).into();
        object["commit_us"] = (commit.as_secs_f64() * 1e6).into();
        object["round_trip_us"] = (trip.as_secs_f64() * 1e6).into();
    }
    object
}

fn table(measured: &[Measured]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let head =
        ["store", "workload", "actions/s", "engine", "workers", "database", "log bytes", "floor", "floor log", "ratio"];
    table.set_header(head);
    for row in measured {
        let bytes = |cost: &Cost| match cost.log_bytes {
            Some(bytes) => format!("{:.0}", bytes as f64 / row.actions as f64),
            None => "-".into(),
        };
        table.add_row([
            row.store.to_string(),
            row.workload.name().to_string(),
            format!("{:.0}", row.per_second(&row.engine)),
            format!("{:.1}", row.micros(row.engine.server)),
            format!("{:.1}", row.micros(row.engine.workers)),
            format!("{:.1}", row.micros(row.engine.database)),
            bytes(&row.engine),
            format!("{:.1}", row.micros(row.floor.processor())),
            bytes(&row.floor),
            format!("{:.2}×", row.ratio()),
        ]);
    }
    table.column_iter_mut().skip(2).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    let mut text =
        format!("{table}\n\nProcessor time is in µs per action (ms per 1,000), the log in bytes per action.");
    for row in measured {
        if let Some((commit, trip)) = row.step {
            text.push_str(&format!(
                "\n{}: a step of the loop takes {:.0} µs; one commit {:.0} µs, one round trip {:.0} µs.",
                row.store,
                row.engine.wall.as_secs_f64() * 1e6 / row.actions as f64,
                commit.as_secs_f64() * 1e6,
                trip.as_secs_f64() * 1e6,
            ));
        }
    }
    text
}
