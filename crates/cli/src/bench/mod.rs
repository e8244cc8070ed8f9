//! `waymark bench`: how fast this machine runs the parts of Waymark.

mod core;
mod engine;
mod memory;
mod workload;

use std::process::ExitCode;

/// Measure how fast Waymark is on this machine
#[derive(clap::Subcommand)]
pub enum Command {
    Core(core::Options),
    Engine(engine::Options),
    /// What `core` runs in a process of its own, to see the memory of one workload alone
    #[command(hide = true)]
    Memory(memory::Options),
}

pub fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Core(options) => core::run(options),
        Command::Engine(options) => engine::run(options),
        Command::Memory(options) => memory::run(options),
    }
}
