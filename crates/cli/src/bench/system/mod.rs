//! `waymark bench`: the whole system, as users run it, beside the floor that is measured in the same run.
//!
//! Each workload has a stage of its own: a fresh database (Postgres is a private server with its disk flushes on), a server process with
//! Python workers, and a client in Python (`python/waymark/bench`). This process orders, measures and tells. Whatever it starts has an
//! owner here that ends it by its process id, so being interrupted leaves nothing behind.

mod client;
mod floor;
mod measured;
mod page;
mod server;
mod stage;
mod table;
mod workload;
mod workloads;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use tokio::signal::unix::{SignalKind, signal};
use waymark_store::cluster::Cluster;

use self::measured::Measured;
use self::stage::Site;
use self::workload::{Scale, StoreKind, Workload};
use crate::serve::block_on;
use crate::terminal::{self, hinted};

/// As shells tell it of programs that were interrupted.
const INTERRUPTED: u8 = 130;

#[derive(clap::Args)]
// Flattened into those of `bench`, which have this name.
#[group(skip)]
pub struct Options {
    /// A list of objects on stdout
    #[arg(long)]
    json: bool,
    /// Write a page with charts, too
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Tiny sizes: whether it works, not how fast
    #[arg(long, conflicts_with = "long")]
    quick: bool,
    /// Large sizes
    #[arg(long)]
    long: bool,
    /// Only this store
    #[arg(long, value_enum)]
    store: Option<StoreKind>,
    /// Only this workload; may be given several times
    #[arg(long, value_enum)]
    workload: Vec<Workload>,
    /// Worker processes of each engine
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: u16,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    if cfg!(debug_assertions) {
        terminal::warn("this is a debug build: its figures mean little");
    }
    let plan = plan(options)?;
    let measured = block_on(async {
        let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        // Dropped with all that it has started.
        tokio::select! {
            measured = carry_out(options, plan) => measured.map(Some),
            _ = interrupt.recv() => Ok(None),
            _ = terminate.recv() => Ok(None),
        }
    })?;
    let Some(measured) = measured else { return Ok(ExitCode::from(INTERRUPTED)) };
    if let Some(file) = &options.html {
        std::fs::write(file, page::page(&measured)).with_context(|| format!("the page `{}`", file.display()))?;
    }
    if options.json {
        terminal::json(&measured.iter().map(Measured::as_json).collect())?;
    } else {
        terminal::data(&table::text(&measured))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn plan(options: &Options) -> anyhow::Result<Vec<(StoreKind, Workload)>> {
    let mut stores = match options.store {
        Some(store) => vec![store],
        None => vec![StoreKind::Postgres, StoreKind::Sqlite],
    };
    if !Cluster::is_installed() {
        let missing = "Postgres is not installed";
        if options.store == Some(StoreKind::Postgres) {
            return Err(hinted(missing, "install it (`make postgres` in a checkout), or measure --store sqlite"));
        }
        terminal::warn(format_args!("{missing}: only SQLite is measured"));
        stores.retain(|store| *store == StoreKind::Sqlite);
    }
    let wanted = <Workload as clap::ValueEnum>::value_variants().iter().copied();
    let wanted: Vec<Workload> =
        wanted.filter(|workload| options.workload.is_empty() || options.workload.contains(workload)).collect();
    let plan: Vec<(StoreKind, Workload)> = stores
        .into_iter()
        .flat_map(|store| {
            wanted.iter().filter(move |workload| store.runs(**workload)).map(move |workload| (store, *workload))
        })
        .collect();
    match plan.is_empty() {
        true => Err(hinted("several engines need Postgres", "leave out --store sqlite")),
        false => Ok(plan),
    }
}

async fn carry_out(options: &Options, plan: Vec<(StoreKind, Workload)>) -> anyhow::Result<Vec<Measured>> {
    let has_postgres = plan.iter().any(|(store, _)| *store == StoreKind::Postgres);
    let site = Site {
        folder: tempfile::Builder::new()
            .prefix("waymark-bench-")
            .tempdir()
            .context("no folder for the benchmark's files")?,
        cluster: has_postgres.then(|| Cluster::start(&["-c", "max_wal_size=4GB"])),
        scale: match (options.quick, options.long) {
            (true, _) => Scale::Quick,
            (_, true) => Scale::Long,
            _ => Scale::Usual,
        },
        workers: options.workers.into(),
    };
    let progress = ProgressBar::new(plan.len() as u64);
    progress.set_style(ProgressStyle::with_template("{bar:24} {pos}/{len} {msg}")?);
    let mut measured = Vec::new();
    for (store, workload) in plan {
        progress.set_message(format!("{}: {}", store.name(), workload.name()));
        let rows = workloads::measure(&site, workload, store).await;
        measured.extend(rows.with_context(|| format!("{} on {}", workload.name(), store.name()))?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(measured)
}
