//! `waymark watch`: an instance and its children while they run. Its end is pushed; what happens before that is looked at once a second.

mod look;
mod screen;

use std::process::ExitCode;

use anyhow::Context;
use waymark_proto::bridge::InstanceStatus;

use crate::boot::ensure;
use crate::client::explain;
use crate::config::{Configuration, Flags};
use crate::home::Home;
use crate::instances::Name;
use crate::run::{self, RECONNECT_PAUSE};
use crate::serve::block_on;
use look::Look;
use screen::Screen;

const LOOK_EVERY_MS: u64 = 1_000;

/// Watch an instance until it ends: what it waits for, what runs of it, and its progress
///
/// A bar is shown when it publishes "progress": a number from 0 to 1, or [done, total]. On a pipe there is a line for each change. At the end the
/// result goes to stdout; exits with 1 when the workflow fails.
#[derive(clap::Args)]
pub struct Options {
    /// Its id, or WORKFLOW/KEY
    instance: Name,
    /// A JSON object a line for each change, the last with the outcome
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let configuration = Configuration::load(&options.flags)?;
    block_on(async {
        let home = Home::open()?;
        let mut found = ensure::ensure(&configuration, &home).await?;
        let id = options.instance.get(&mut found).await?.instance_id;
        let mut screen = Screen::new(options.json);
        loop {
            let looked = match look::read(&mut found, &id).await {
                Ok(look) => {
                    screen.show(&look)?;
                    if has_ended(&look) {
                        return screen.end(&look.instance);
                    }
                    run::pushed(&mut found, &id, LOOK_EVERY_MS).await.map(|_| ())
                }
                Err(status) => Err(status),
            };
            match looked {
                Ok(()) => {}
                Err(status) if run::is_away(&status) => {
                    tokio::time::sleep(RECONNECT_PAUSE).await;
                    found = ensure::ensure(&configuration, &home).await.context("its bridge does not answer")?;
                }
                Err(status) => return Err(explain(&found.address, status)),
            }
        }
    })
}

/// Or can't go on, until somebody helps.
fn has_ended(look: &Look) -> bool {
    !matches!(look.instance.status(), InstanceStatus::Running | InstanceStatus::Paused)
}
