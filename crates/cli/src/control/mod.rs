//! `waymark cancel`, `terminate`, `pause`, `resume`, `retry`: for instances that are named, or for all that a filter means. A filter's work is
//! counted first, and agreed to.

pub mod ask;
mod report;

use std::process::ExitCode;

use waymark_proto::bridge as wire;
use waymark_proto::bridge::control_instances_request::Command;
use waymark_proto::bridge::{ControlInstancesRequest, InstanceFilter};

use crate::boot::call::with_bridge;
use crate::boot::ensure::Found;
use crate::client::explain;
use crate::config::Flags;
use crate::instances::{Filter, Name};
use crate::terminal::hinted;
use crate::{input, span};
use report::Report;

/// As many as a call may name.
const NAMED: usize = 500;

#[derive(clap::Args)]
struct Which {
    /// Ids of instances, or WORKFLOW/KEY; or say which by the flags below
    #[arg(value_name = "INSTANCE")]
    instances: Vec<Name>,
    #[command(flatten)]
    filter: Filter,
    /// Don't ask
    #[arg(long, short)]
    yes: bool,
    /// Only say how many
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

/// Cancel instances: `CancelledError` is raised where they wait, and their `finally` clauses run
#[derive(clap::Args)]
pub struct Cancel {
    #[command(flatten)]
    which: Which,
    /// For people, and part of the error
    #[arg(long, value_name = "TEXT", default_value = "")]
    reason: String,
    /// Terminate those that have not ended after this time, as 30s
    #[arg(long, value_name = "TIME", value_parser = span::length)]
    terminate_after: Option<i64>,
}

/// End instances at once: nothing of them runs any more
#[derive(clap::Args)]
pub struct Terminate {
    #[command(flatten)]
    which: Which,
    /// For people, and part of the error
    #[arg(long, value_name = "TEXT", default_value = "")]
    reason: String,
}

/// Pause instances: what is in flight ends and is kept, and nothing else moves
#[derive(clap::Args)]
pub struct Pause {
    #[command(flatten)]
    which: Which,
}

/// Let paused instances go on
#[derive(clap::Args)]
pub struct Resume {
    #[command(flatten)]
    which: Which,
}

/// Retry instances that have failed, were ended or are stuck, from the step that failed
///
/// What was done before that step is not done again.
#[derive(clap::Args)]
pub struct Retry {
    #[command(flatten)]
    which: Which,
    /// From this step of those that `waymark show` lists; it is run again, and all that came after it
    #[arg(long, value_name = "STEP", conflicts_with_all = ["from_start", "input"])]
    from_step: Option<i64>,
    /// From the start
    #[arg(long)]
    from_start: bool,
    /// From the start, with these inputs instead: JSON, or @FILE
    #[arg(long, value_name = "JSON")]
    input: Option<String>,
}

pub fn cancel(options: &Cancel) -> anyhow::Result<ExitCode> {
    let terminate_after_ms = options.terminate_after.map(|after_us| after_us.max(0).unsigned_abs() / 1_000);
    run(&options.which, Command::Cancel(wire::Cancel { reason: options.reason.clone(), terminate_after_ms }))
}

pub fn terminate(options: &Terminate) -> anyhow::Result<ExitCode> {
    run(&options.which, Command::Terminate(wire::Terminate { reason: options.reason.clone() }))
}

pub fn pause(options: &Pause) -> anyhow::Result<ExitCode> {
    run(&options.which, Command::Pause(wire::Pause {}))
}

pub fn resume(options: &Resume) -> anyhow::Result<ExitCode> {
    run(&options.which, Command::Resume(wire::Resume {}))
}

pub fn retry(options: &Retry) -> anyhow::Result<ExitCode> {
    let inputs = options.input.as_deref().map(input::object_payload).transpose()?.unwrap_or_default();
    let retry = wire::Retry { from_seq: options.from_step, from_start: options.from_start, inputs };
    run(&options.which, Command::Retry(retry))
}

fn run(which: &Which, command: Command) -> anyhow::Result<ExitCode> {
    let report = match (which.instances.is_empty(), which.filter.is_empty()) {
        (true, true) => {
            return Err(hinted(
                "no instance is named",
                "give ids of instances, or say which by flags, as --workflow NAME or --status failed",
            ));
        }
        (false, false) => {
            return Err(hinted("instances are named, and a filter is given too", "give one of the two"));
        }
        (false, true) => with_bridge(&which.flags, async |found| named(found, which, &command).await)?,
        (true, false) => {
            let filter = which.filter.wire();
            with_bridge(&which.flags, async |found| filtered(found, which, &command, filter).await)?
        }
    };
    match report {
        Some(report) => report.print(&command, which.dry_run, which.json),
        None => Ok(ExitCode::SUCCESS),
    }
}

async fn named(found: &mut Found, which: &Which, command: &Command) -> anyhow::Result<Option<Report>> {
    let mut ids = Vec::new();
    for name in &which.instances {
        ids.push(name.id(found).await?);
    }
    let mut report = Report::default();
    for part in ids.chunks(NAMED) {
        let request = ControlInstancesRequest {
            instance_ids: part.to_vec(),
            command: Some(command.clone()),
            dry_run: which.dry_run,
            ..ControlInstancesRequest::default()
        };
        control(found, request, &mut report).await?;
    }
    Ok(Some(report))
}

/// None: nobody wanted it after all.
async fn filtered(
    found: &mut Found,
    which: &Which,
    command: &Command,
    filter: InstanceFilter,
) -> anyhow::Result<Option<Report>> {
    let mut request = ControlInstancesRequest {
        filter: Some(filter),
        command: Some(command.clone()),
        dry_run: true,
        ..ControlInstancesRequest::default()
    };
    if which.dry_run || !which.yes {
        let mut preview = Report::default();
        control(found, request.clone(), &mut preview).await?;
        if which.dry_run || preview.done == 0 {
            return Ok(Some(preview));
        }
        if !ask::agreed(report::words(command).0, preview.done as usize)? {
            return Ok(None);
        }
    }
    request.dry_run = false;
    let mut report = Report::default();
    control(found, request, &mut report).await?;
    Ok(Some(report))
}

/// A filter's work is done in parts.
async fn control(found: &mut Found, mut request: ControlInstancesRequest, report: &mut Report) -> anyhow::Result<()> {
    loop {
        let answer = found.client.calls.control_instances(request.clone()).await;
        let answer = answer.map_err(|status| explain(&found.address, status))?.into_inner();
        report.done += answer.done;
        report.problems.extend(answer.problems);
        if answer.next_cursor.is_empty() {
            return Ok(());
        }
        request.cursor = answer.next_cursor;
    }
}
