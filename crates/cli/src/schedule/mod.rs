//! `waymark schedule`: workflows that start by themselves. What a pattern means is the bridge's business; this puts, shows and changes.

mod put;
mod show;

use std::process::ExitCode;

use anyhow::Context;
use serde_json::json;
use uuid::Uuid;
use waymark_proto::bridge::{BackfillScheduleRequest, ListSchedulesRequest, ScheduleKey, TriggerScheduleRequest};

use crate::boot::call::call;
use crate::config::Flags;
use crate::{span, terminal};

/// Start workflows by a cron pattern or at an interval
#[derive(clap::Subcommand)]
pub enum Command {
    Put(Box<put::Options>),
    List(ListOptions),
    /// Show a schedule: what it does, its next due times and what runs
    Show(Which),
    /// Let due times pass until it is resumed; what runs goes on
    Pause(Which),
    /// Go on from now
    Resume(Which),
    /// Start a run now, whatever the calendar says and whatever runs
    Trigger(Which),
    Backfill(BackfillOptions),
    /// Delete a schedule; what it started goes on
    Delete(Which),
}

/// List schedules
#[derive(clap::Args)]
pub struct ListOptions {
    /// Of this workflow only
    workflow: Option<String>,
    /// A list of objects
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

#[derive(clap::Args)]
pub struct Which {
    /// The workflow's name
    workflow: String,
    /// The schedule's name
    name: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

/// Start a run for each due time of the past that has none
#[derive(clap::Args)]
pub struct BackfillOptions {
    #[command(flatten)]
    which: Which,
    /// From this time, as 2026-01-31T00:00:00Z
    #[arg(long, value_name = "TIME", value_parser = span::time)]
    from: i64,
    /// To this time
    #[arg(long, value_name = "TIME", value_parser = span::time)]
    to: i64,
}

impl Which {
    fn key(&self) -> ScheduleKey {
        ScheduleKey { workflow_name: self.workflow.clone(), schedule_name: self.name.clone() }
    }
}

pub fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Put(options) => put::run(options)?,
        Command::List(options) => list(options)?,
        Command::Show(which) => {
            let found = call(&which.flags, async |found| found.client.calls.get_schedule(which.key()).await)?;
            show::one(&found, which.json)?;
        }
        Command::Pause(which) => {
            let paused = call(&which.flags, async |found| found.client.calls.pause_schedule(which.key()).await)?;
            show::changed(&paused, "is paused", which.json)?;
        }
        Command::Resume(which) => {
            let resumed = call(&which.flags, async |found| found.client.calls.resume_schedule(which.key()).await)?;
            show::changed(&resumed, "is active", which.json)?;
        }
        Command::Trigger(which) => trigger(which)?,
        Command::Backfill(options) => backfill(options)?,
        Command::Delete(which) => {
            call(&which.flags, async |found| found.client.calls.delete_schedule(which.key()).await)?;
            match which.json {
                true => terminal::json(&json!({ "deleted": true }))?,
                false => terminal::talk(format_args!("schedule {} of {} is deleted", which.name, which.workflow)),
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn list(options: &ListOptions) -> anyhow::Result<()> {
    let request = ListSchedulesRequest { workflow_name: options.workflow.clone().unwrap_or_default() };
    let listed = call(&options.flags, async |found| found.client.calls.list_schedules(request).await)?;
    show::list(&listed.schedules, options.json)
}

fn trigger(which: &Which) -> anyhow::Result<()> {
    let instance_id = Uuid::now_v7().as_bytes().to_vec();
    let request = TriggerScheduleRequest { schedule: Some(which.key()), instance_id };
    let started = call(&which.flags, async |found| found.client.calls.trigger_schedule(request).await)?;
    let id = Uuid::from_slice(&started.instance_id).context("the instance's id")?;
    match which.json {
        true => terminal::json(&json!({ "instance_id": id.to_string() })),
        false => terminal::data(&format!("{id}\n")),
    }
}

fn backfill(options: &BackfillOptions) -> anyhow::Result<()> {
    let which = &options.which;
    let request = BackfillScheduleRequest { schedule: Some(which.key()), from_us: options.from, to_us: options.to };
    let done = call(&which.flags, async |found| found.client.calls.backfill_schedule(request).await)?;
    if which.json {
        return terminal::json(&json!({ "due_times": done.due_times, "started": done.started }));
    }
    let due = terminal::count(done.due_times as usize, "due time");
    terminal::talk(format_args!("{due}, {} started", terminal::count(done.started as usize, "run")));
    Ok(())
}
