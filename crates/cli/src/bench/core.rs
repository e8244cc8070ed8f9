//! `waymark bench core`: completions per second of the runner, on one core, without a store or workers.

use std::process::ExitCode;
use std::time::Duration;

use comfy_table::{CellAlignment, Table, presets};
use cpu_time::ThreadTime;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value as Json, json};

use super::memory::{self, Memory};
use super::workload::Workload;
use crate::table::grouped;
use crate::terminal;

/// Measure the runner alone: completions per second on one core, bytes per live instance
///
/// Times are processor time. A figure is that of the fastest of nine rounds: whatever disturbs a round slows it down.
#[derive(clap::Args)]
pub struct Options {
    /// A list of objects on stdout
    #[arg(long)]
    json: bool,
    /// Small sizes and short rounds: whether it works, not how fast
    #[arg(long)]
    quick: bool,
}

const ROUNDS: usize = 9;
/// Each round lasts at least this long.
const ROUND: Duration = Duration::from_millis(150);
const QUICK_ROUND: Duration = Duration::from_millis(5);

struct Measured {
    workload: Workload,
    size: usize,
    completions_per_s: f64,
    memory: Memory,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut plan: Vec<(Workload, usize)> = Vec::new();
    for workload in Workload::ALL {
        plan.extend(workload.sizes(options.quick).iter().map(|size| (workload, *size)));
    }
    if cfg!(debug_assertions) {
        terminal::warn("this is a debug build: its figures mean little");
    }
    let progress = ProgressBar::new(plan.len() as u64);
    progress.set_style(ProgressStyle::with_template("{bar:24} {pos}/{len} {msg}")?);
    let mut measured = Vec::new();
    for (workload, size) in plan {
        progress.set_message(format!("{} of {size}", workload.name()));
        let round = if options.quick { QUICK_ROUND } else { ROUND };
        let completions_per_s = speed(workload, size, round)?;
        measured.push(Measured {
            workload,
            size,
            completions_per_s,
            memory: memory::measure(workload, size, options.quick)?,
        });
        progress.inc(1);
    }
    progress.finish_and_clear();
    if options.json {
        terminal::json(&measured.iter().map(as_json).collect())?;
    } else {
        terminal::data(&format!("{}\n", table(&measured)))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn speed(workload: Workload, size: usize, round: Duration) -> anyhow::Result<f64> {
    let lowered = workload.lower()?;
    let mut best = 0.0_f64;
    for _ in 0..ROUNDS {
        let start = ThreadTime::now();
        let mut completions = 0;
        while start.elapsed() < round {
            workload.run(&lowered, size)?;
            completions += workload.completions(size);
        }
        best = best.max(completions as f64 / start.elapsed().as_secs_f64());
    }
    Ok(best)
}

fn as_json(measured: &Measured) -> Json {
    let mut object = json!({
        "workload": measured.workload.name(),
        "size": measured.size,
        "completions_per_s": measured.completions_per_s.round(),
        "bytes_per_instance": measured.memory.bytes_per_instance,
    });
    if let Some(growth) = measured.memory.growth_bytes {
        object["growth_bytes"] = growth.into();
    }
    object
}

fn table(measured: &[Measured]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["workload", "size", "completions/s", "cost", "bytes/instance", "growth"]);
    for row in measured {
        let smallest = measured.iter().find(|other| other.workload == row.workload).unwrap_or(row);
        let bytes = |bytes: Option<u64>| bytes.map_or("-".to_string(), |bytes| grouped(bytes as f64));
        table.add_row([
            row.workload.name().to_string(),
            grouped(row.size as f64),
            grouped(row.completions_per_s),
            format!("{:.2}×", smallest.completions_per_s / row.completions_per_s),
            bytes(row.memory.bytes_per_instance),
            bytes(row.memory.growth_bytes),
        ]);
    }
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    table
}
