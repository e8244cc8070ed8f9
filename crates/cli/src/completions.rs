//! `waymark completions`: what a shell needs to complete commands and flags.

use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::{Waymark, terminal};

/// Print a completion script for a shell
#[derive(clap::Args)]
pub struct Options {
    shell: Shell,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Waymark::command(), "waymark", &mut script);
    terminal::data(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
