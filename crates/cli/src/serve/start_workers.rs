//! `waymark start-workers`: an engine and the workers that it keeps running.

use std::process::ExitCode;

use super::{Role, block_on, serve};
use crate::config::{Configuration, Flags};

/// Run an engine and its workers; on SQLite, workers for the process that has the file
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    flags: Flags,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    block_on(serve(Role::Workers, Configuration::load(&options.flags)?))?;
    Ok(ExitCode::SUCCESS)
}
