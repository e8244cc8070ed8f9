//! `waymark dev`: everything in one process tree.

use std::path::PathBuf;
use std::process::ExitCode;

use super::{Role, block_on, serve};
use crate::config::{Configuration, Flags};
use crate::sim::read_script;

/// Run everything in one process tree: bridge, engine and workers
///
/// On SQLite in `.waymark/waymark.db`, unless a database is set.
#[derive(clap::Args)]
pub struct Options {
    /// A file or module with actions, beside `user_modules`
    app: Option<String>,
    /// Workers that answer from a script, as in `waymark sim`: nothing needs to be written to try a workflow
    #[arg(long, value_name = "SCRIPT", conflicts_with = "app")]
    actions: Option<PathBuf>,
    #[command(flatten)]
    flags: Flags,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut configuration = Configuration::load(&options.flags)?;
    if let Some(app) = &options.app {
        configuration.values.user_modules.insert(0, app.clone());
    }
    if let Some(script) = &options.actions {
        // Read here too: what is wrong with it is said at once, and here.
        read_script(script)?;
        let program = std::env::current_exe()?.display().to_string();
        let script = std::path::absolute(script)?.display().to_string();
        configuration.values.worker_command = vec![program, "scripted-worker".into(), script];
    }
    block_on(serve(Role::Dev, configuration))?;
    Ok(ExitCode::SUCCESS)
}
