//! `waymark retention`: how long finished instances are kept, workflow by workflow.

use std::process::ExitCode;

use serde_json::{Value as Json, json};
use waymark_proto::bridge::retention::Keep;
use waymark_proto::bridge::{ListRetentionRequest, Retention};

use crate::boot::ensure;
use crate::client::explain;
use crate::config::{Configuration, Flags};
use crate::home::Home;
use crate::serve::block_on;
use crate::{table, terminal};

const DAY_US: f64 = 86_400e6;

/// List or set how long finished instances of a workflow are kept
///
/// Those of a workflow without a setting are kept as long as the engine's `retention_days` says.
#[derive(clap::Subcommand)]
pub enum Command {
    List(List),
    Set(Set),
}

/// Print the workflows that have a setting
#[derive(clap::Args)]
pub struct List {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

/// Say how long the finished instances of a workflow are kept; then they are deleted, with their history
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("keep").required(true)))]
pub struct Set {
    workflow: String,
    /// So many days, which may be a fraction
    #[arg(long, group = "keep", value_name = "COUNT", value_parser = days)]
    days: Option<i64>,
    /// For ever
    #[arg(long, group = "keep")]
    forever: bool,
    /// As the engine's configuration says
    #[arg(long, group = "keep")]
    default: bool,
    #[command(flatten)]
    flags: Flags,
}

pub fn run(command: &Command) -> anyhow::Result<ExitCode> {
    let flags = match command {
        Command::List(list) => &list.flags,
        Command::Set(set) => &set.flags,
    };
    let configuration = Configuration::load(flags)?;
    block_on(async {
        let mut found = ensure::ensure(&configuration, &Home::open()?).await?;
        let calls = &mut found.client.calls;
        let done = match command {
            Command::Set(set) => {
                let keep = set.days.map(Keep::ForUs).or(set.forever.then_some(Keep::Forever(true)));
                let retention = Retention { workflow_name: set.workflow.clone(), keep };
                calls.put_retention(retention).await.map(|_| Ok(()))
            }
            Command::List(list) => calls
                .list_retention(ListRetentionRequest {})
                .await
                .map(|listed| print(&listed.into_inner().workflows, list.json)),
        };
        done.map_err(|status| explain(&found.address, status))??;
        Ok(ExitCode::SUCCESS)
    })
}

fn print(workflows: &[Retention], as_json: bool) -> anyhow::Result<()> {
    let days = |retention: &Retention| match retention.keep {
        Some(Keep::ForUs(length)) => Some(length as f64 / DAY_US),
        _ => None,
    };
    if as_json {
        let workflows: Vec<Json> = workflows
            .iter()
            .map(|retention| json!({ "workflow": retention.workflow_name, "days": days(retention) }))
            .collect();
        return terminal::json(&json!({ "workflows": workflows }));
    }
    let mut shown = table::with(["workflow", "kept"]);
    for retention in workflows {
        let kept = days(retention).map_or("for ever".into(), |days| format!("{days} days"));
        shown.add_row([retention.workflow_name.clone(), kept]);
    }
    table::print(&shown)
}

/// Microseconds.
fn days(text: &str) -> Result<i64, String> {
    let wanted = "a number of days from 0 to 36500";
    let days: f64 = text.parse().map_err(|_| wanted)?;
    (0.0..=36_500.0).contains(&days).then_some((days * DAY_US) as i64).ok_or_else(|| wanted.into())
}
