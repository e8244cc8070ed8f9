//! `waymark versions`: which versions of workflows there are, who runs them, and which one new runs use.

use std::process::ExitCode;

use serde_json::{Value as Json, json};
use waymark_proto::bridge::{ActivateVersionRequest, Version};

use crate::boot::call::{call, with_bridge};
use crate::config::Flags;
use crate::span::shown_second;
use crate::{table, terminal, workflows};

/// List the versions of workflows, with how many live instances run each; or activate an earlier one
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Options {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    list: List,
}

#[derive(clap::Subcommand)]
enum Command {
    List(List),
    Activate(Activate),
}

/// List versions, last activated first
#[derive(clap::Args)]
struct List {
    /// Of this workflow; else of all
    workflow: Option<String>,
    /// A list of objects
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

/// Make new runs of a workflow use a version that was registered before
#[derive(clap::Args)]
struct Activate {
    workflow: String,
    /// A version, or the beginning of one that only it has
    version: String,
    #[command(flatten)]
    flags: Flags,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    match &options.command {
        None => list(&options.list),
        Some(Command::List(options)) => list(options),
        Some(Command::Activate(options)) => activate(options),
    }
}

fn list(options: &List) -> anyhow::Result<ExitCode> {
    let versions = with_bridge(&options.flags, async |found| match &options.workflow {
        Some(workflow) => workflows::versions(found, workflow).await,
        None => workflows::all_versions(found, "").await,
    })?;
    if options.json {
        let listed: Vec<Json> = versions.iter().map(object).collect();
        terminal::json(&listed.into())?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut listed = table::with(["workflow", "version", "active", "live instances", "activated"]);
    for version in &versions {
        listed.add_row([
            version.workflow_name.clone(),
            short(&version.workflow_version).to_string(),
            if version.is_active { "yes" } else { "-" }.into(),
            version.live_instances.to_string(),
            shown_second(version.activated_at_us),
        ]);
    }
    table::print(&listed)?;
    Ok(ExitCode::SUCCESS)
}

fn activate(options: &Activate) -> anyhow::Result<ExitCode> {
    let listed = with_bridge(&options.flags, async |found| workflows::versions(found, &options.workflow).await)?;
    let meant: Vec<&Version> =
        listed.iter().filter(|version| version.workflow_version.starts_with(&options.version)).collect();
    // What nobody has registered is refused by the bridge, in its own words.
    let version = match meant[..] {
        [only] => only.workflow_version.clone(),
        [] => options.version.clone(),
        _ => match meant.iter().find(|version| version.workflow_version == options.version) {
            Some(exact) => exact.workflow_version.clone(),
            None => anyhow::bail!("{} versions of {} begin with {}", meant.len(), options.workflow, options.version),
        },
    };
    let request = ActivateVersionRequest { workflow_name: options.workflow.clone(), workflow_version: version.clone() };
    call(&options.flags, async |found| found.client.calls.activate_version(request).await)?;
    terminal::talk(format_args!("new runs of {} use {}", options.workflow, short(&version)));
    Ok(ExitCode::SUCCESS)
}

fn object(version: &Version) -> Json {
    json!({
        "workflow": version.workflow_name,
        "version": version.workflow_version,
        "ir_hash": version.ir_hash,
        "is_active": version.is_active,
        "live_instances": version.live_instances,
        "created_at": shown_second(version.created_at_us),
        "activated_at": shown_second(version.activated_at_us),
    })
}

/// Hashes are told by their beginnings; versions that authors named stay whole.
pub fn short(version: &str) -> &str {
    let is_hash = version.len() == 64 && version.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hash { &version[..12] } else { version }
}
