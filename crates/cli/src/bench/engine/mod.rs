//! `waymark bench engine`: what a durable action costs, beside the floor: the same rows written by batched statements with nothing else.

mod processes;
mod workload;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value as Json, json};
use tokio_util::sync::CancellationToken;
use waymark_engine::runtime::{Dispatcher, Reports};
use waymark_engine::{Completion, Job, JobKey, JobOutcome, Report, Work};
use waymark_store::Store;
use waymark_store::floor::{Floor, Rows};

use self::processes::Times;
use self::workload::Workload;
use crate::terminal;

/// Measure the engine with real stores and a real worker: actions per second, processor time and bytes of log per action
#[derive(clap::Args)]
pub struct Options {
    /// A list of objects on stdout
    #[arg(long)]
    json: bool,
    /// Small sizes: whether it works, not how fast
    #[arg(long)]
    quick: bool,
    /// Only this store: sqlite or postgres
    #[arg(long)]
    store: Option<String>,
}

struct Inline;
impl Dispatcher for Inline {
    fn run(&self, job: Job, reports: &Reports) {
        let key = job.key();
        let Work::Action(call) = job.work else { return };
        let Some(waymark_ir::Value::Int(n)) = call.keyword.first().map(|(_, v)| v) else { return };
        let outcome = JobOutcome::Action(waymark_runner::Outcome::Completed(waymark_ir::Value::Int(n * 2)));
        let _ = reports.send(Report::Completed(Completion {
            key,
            outcome,
            worker: Some("w".into()),
            started_at_us: Some(0),
        }));
    }
    fn cancel(&self, _key: JobKey) {}
}

/// Processor time of a run.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    wall: Duration,
    engine: Duration,
    workers: Duration,
    database: Duration,
    wal_bytes: u64,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let cluster;
    let folder = std::env::temp_dir().join(format!("waymark-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let sqlite = folder.join("bench.db").display().to_string();
    let mut rows = Vec::new();
    if options.store.as_deref() != Some("postgres") {
        rows.push(("sqlite", runtime.block_on(measure(options, &sqlite))?));
    }
    if options.store.as_deref() != Some("sqlite") {
        cluster = waymark_store::cluster::Cluster::start(&["-c", "max_wal_size=4GB"]);
        let url = runtime.block_on(cluster.database(true));
        rows.push(("postgres", runtime.block_on(measure(options, &url))?));
    }
    for (store, rows) in &rows {
        for (workload, n, cost, floor) in rows {
            let actions = (workload.actions() * n) as f64;
            let us = |d: Duration| d.as_secs_f64() * 1e6 / actions;
            println!(
                "{store} {}: {:.0}/s, CPU µs/action engine {:.1} workers {:.1} db {:.1}; wal {:.0} | floor {:.0}/s engine {:.1} db {:.1} wal {:.0}; ratio {:.2}",
                workload.name(),
                actions / cost.wall.as_secs_f64(),
                us(cost.engine),
                us(cost.workers),
                us(cost.database),
                cost.wal_bytes as f64 / actions,
                actions / floor.wall.as_secs_f64(),
                us(floor.engine),
                us(floor.database),
                floor.wal_bytes as f64 / actions,
                (cost.engine + cost.workers + cost.database).as_secs_f64()
                    / (floor.engine + floor.database).as_secs_f64(),
            );
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    Ok(ExitCode::SUCCESS)
}

async fn measure(options: &Options, url: &str) -> anyhow::Result<Vec<(Workload, usize, Cost, Cost)>> {
    let mut out = Vec::new();
    for workload in Workload::ALL {
        let count = workload.instances(options.quick);
        let store = waymark_store::open(url).await?;
        let version = workload.register(&store).await?;
        let is_sqlite = waymark_store::sqlite_path(url).is_some();
        let probe = if is_sqlite { None } else { Some(Floor::open(url).await?) };
        let shutdown = CancellationToken::new();
        let engine = tokio::spawn(waymark_engine::runtime::run(
            store.clone(),
            waymark_engine::Options::default(),
            Arc::new(Inline),
            shutdown.clone(),
        ));
        let meter = Meter::begin(probe.as_ref()).await?;
        let ids = workload.start(&store, version, count).await?;
        workload.wait(&store).await?;
        let cost = meter.end(probe.as_ref()).await?;
        workload.check(&store, &ids).await?;
        shutdown.cancel();
        engine.await??;
        drop(store);
        let mut floor = Floor::open(url).await?;
        let probe = if is_sqlite { None } else { Some(Floor::open(url).await?) };
        let meter = Meter::begin(probe.as_ref()).await?;
        floor
            .write(Rows {
                workflow_version_id: version,
                instances: count,
                events: workload.actions() + 1,
                input_bytes: workload::inputs(count).len(),
                outcome_bytes: 12,
                result_bytes: 4,
                batch: 500,
            })
            .await?;
        let floor = meter.end(probe.as_ref()).await?;
        out.push((workload, count, cost, floor));
    }
    Ok(out)
}

struct Meter {
    begun: Instant,
    own: Times,
    database: Times,
    wal: u64,
}

impl Meter {
    async fn begin(probe: Option<&Floor>) -> anyhow::Result<Meter> {
        let (database, wal) = Meter::look(probe).await?;
        Ok(Meter { begun: Instant::now(), own: Times::of(std::process::id()), database, wal })
    }
    async fn look(probe: Option<&Floor>) -> anyhow::Result<(Times, u64)> {
        Ok(match probe {
            Some(probe) => (
                probe.server_process().await?.map(Times::of_family).unwrap_or_default(),
                probe.wal_bytes().await?.unwrap_or_default(),
            ),
            None => (Times::default(), processes::bytes_written().unwrap_or_default()),
        })
    }
    async fn end(self, probe: Option<&Floor>) -> anyhow::Result<Cost> {
        let wall = self.begun.elapsed();
        let engine = Times::of(std::process::id()).since(&self.own);
        let (database, wal) = Meter::look(probe).await?;
        Ok(Cost {
            wall,
            engine,
            workers: Duration::ZERO,
            database: database.since(&self.database),
            wal_bytes: wal - self.wal,
        })
    }
}
