//! The memory of live instances. Seen from outside, as the resident memory of a process that does nothing else: an
//! allocator that counts would slow down everything that is measured here.

use std::process::{Command, ExitCode, Stdio};

use anyhow::Context;
use serde_json::{Value as Json, json};

use super::processes;
use super::workload::{Run, Workload};
use crate::terminal;

#[derive(clap::Args)]
pub struct Options {
    #[arg(value_enum)]
    workload: Workload,
    size: usize,
    /// A rough figure, soon
    #[arg(long)]
    quick: bool,
}

/// Absent where the system does not tell (anything but Linux).
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// Of an instance in the middle of its work: a spread with everything out, a loop half way.
    pub bytes_per_instance: Option<u64>,
    /// How far memory rose over its level after 1,000 completions. Only for the longest loop.
    pub growth_bytes: Option<u64>,
}

/// So many instances that the noise of pages is lost among them; so few that the measurement ends soon.
const INSTANCES_MAX: usize = 4_000;
const QUICK_INSTANCES_MAX: usize = 100;
/// Actions that are out at a time, in all instances.
const OUT_MAX: usize = 100_000;
/// How far into its loop an instance is: beyond this it does not grow, or [`growth`] would tell.
const SETTLED: usize = 200;

/// Asks a fresh process.
pub fn measure(workload: Workload, size: usize, quick: bool) -> anyhow::Result<Memory> {
    let program = std::env::current_exe().context("this program's own path")?;
    let output = Command::new(program)
        .args(["bench", "memory", workload.name(), &size.to_string()])
        .args(quick.then_some("--quick"))
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start a second process")?;
    anyhow::ensure!(output.status.success(), "measuring the memory of {} failed", workload.name());
    let told: Json = serde_json::from_slice(&output.stdout).context("what the second process told")?;
    let field = |name: &str| told.get(name).and_then(Json::as_u64);
    Ok(Memory { bytes_per_instance: field("bytes_per_instance"), growth_bytes: field("growth_bytes") })
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let Options { workload, size, quick } = *options;
    let bytes_per_instance =
        bytes_per_instance(workload, size, if quick { QUICK_INSTANCES_MAX } else { INSTANCES_MAX })?;
    let is_longest_loop = !quick && workload == Workload::Loop && workload.sizes(false).last() == Some(&size);
    let growth_bytes = if is_longest_loop { growth(size)? } else { None };
    terminal::json(&json!({ "bytes_per_instance": bytes_per_instance, "growth_bytes": growth_bytes }))?;
    Ok(ExitCode::SUCCESS)
}

fn bytes_per_instance(workload: Workload, size: usize, instances_max: usize) -> anyhow::Result<Option<u64>> {
    let lowered = workload.lower()?;
    let (count, completions) = match workload {
        Workload::Loop => (instances_max, SETTLED.min(size / 2)),
        Workload::Spread | Workload::Nested => ((OUT_MAX / size.max(1)).clamp(1, instances_max), 0),
        Workload::Chain => (instances_max, 1),
    };
    let live = |count: usize| -> anyhow::Result<Vec<Run>> {
        (0..count)
            .map(|id| {
                let mut run = Run::start(id, &lowered, size)?;
                run.complete(completions)?;
                Ok(run)
            })
            .collect()
    };
    // What compiling left free is used up first; these stay alive so that theirs is not used again.
    let first = live(count / 2)?;
    let Some(before) = processes::resident_bytes(std::process::id()) else { return Ok(None) };
    let runs = live(count)?;
    let after = processes::resident_bytes(std::process::id()).unwrap_or(before);
    anyhow::ensure!(first.iter().chain(&runs).all(|run| !run.is_finished()), "a live instance is needed");
    Ok(Some(after.saturating_sub(before) / count as u64))
}

fn growth(size: usize) -> anyhow::Result<Option<u64>> {
    let lowered = Workload::Loop.lower()?;
    let mut run = Run::start(0, &lowered, size)?;
    run.complete(SETTLED)?;
    let Some(before) = processes::resident_bytes(std::process::id()) else { return Ok(None) };
    let mut peak = before;
    while !run.is_finished() {
        run.complete(SETTLED)?;
        peak = peak.max(processes::resident_bytes(std::process::id()).unwrap_or(before));
    }
    Ok(Some(peak - before))
}
