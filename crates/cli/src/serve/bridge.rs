//! `waymark bridge`: what clients talk to.

use std::process::ExitCode;

use serde_json::json;

use super::{Role, block_on, serve};
use crate::boot::ensure;
use crate::config::{Configuration, Flags};
use crate::home::Home;
use crate::terminal;

/// Serve clients; or find the bridge of the database, starting one if there is none
///
/// On SQLite the bridge has the engine, too, because one process has the file.
#[derive(clap::Args)]
pub struct Options {
    /// Print where the bridge of this database is, once it answers; starts one in the background if none runs
    #[arg(long)]
    ensure: bool,
    /// With --ensure: address, worker_address, pid, fingerprint, token_file, tls_ca and tls_name as JSON
    #[arg(long, requires = "ensure")]
    json: bool,
    /// A client has started it: it ends when it is idle
    #[arg(long, hide = true, conflicts_with = "ensure")]
    auto_booted: bool,
    #[command(flatten)]
    flags: Flags,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let configuration = Configuration::load(&options.flags)?;
    if !options.ensure {
        block_on(serve(Role::Bridge { auto_booted: options.auto_booted }, configuration))?;
        return Ok(ExitCode::SUCCESS);
    }
    let home = Home::open()?;
    let found = block_on(ensure::ensure(&configuration, &home))?;
    let info = &found.client.info;
    if options.json {
        let worker_address = Some(&info.worker_address).filter(|address| !address.is_empty());
        terminal::json(&json!({
            "address": found.address,
            "worker_address": worker_address,
            "pid": info.process_id,
            "fingerprint": info.database_fingerprint,
            "token_file": configuration.values.token.is_none().then(|| home.token_file().display().to_string()),
            "tls_ca": configuration.values.tls_ca.as_ref().map(|file| file.display().to_string()),
            "tls_name": configuration.values.tls_name,
        }))?;
    } else {
        terminal::data(&format!("{}\n", found.address))?;
    }
    Ok(ExitCode::SUCCESS)
}
