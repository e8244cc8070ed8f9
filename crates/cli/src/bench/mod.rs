//! `waymark bench`: how fast this machine runs Waymark, whole or in parts.

mod core;
mod cost;
mod engine;
mod memory;
mod pool;
mod processes;
mod samples;
mod system;
mod workload;

use std::process::ExitCode;

/// Measure how fast Waymark is on this machine
///
/// Starts what it needs, and measures the whole system: a server, Python workers and a client, on Postgres and on SQLite. Each workload
/// stands beside its floor, measured in the same run: the same rows written by batched statements, and the same Python calls with nothing else.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Options {
    #[command(subcommand)]
    part: Option<Part>,
    #[command(flatten)]
    system: system::Options,
}

#[derive(clap::Subcommand)]
enum Part {
    Core(core::Options),
    Engine(engine::Options),
    /// What `core` runs in a process of its own, to see the memory of one workload alone
    #[command(hide = true)]
    Memory(memory::Options),
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    match &options.part {
        None => system::run(&options.system),
        Some(Part::Core(options)) => core::run(options),
        Some(Part::Engine(options)) => engine::run(options),
        Some(Part::Memory(options)) => memory::run(options),
    }
}
