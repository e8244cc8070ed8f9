//! `waymark list`, and `waymark stuck`: instances, newest first.

use std::process::ExitCode;

use serde_json::Value as Json;
use waymark_proto::bridge::{Instance, InstanceFilter, InstanceStatus, ListInstancesRequest};

use super::{Filter, object};
use crate::boot::call::with_bridge;
use crate::boot::ensure::Found;
use crate::client::explain;
use crate::config::Flags;
use crate::span::{now_us, shown_second, shown_took};
use crate::{table, terminal};

/// As many as a page has.
const PAGE: u32 = 1_000;
/// What it waits for, or why it ended, is told in so many characters.
const WHY_LETTERS: usize = 60;

/// List instances, newest first
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    shown: Shown,
}

/// List instances that can't go on, and why
///
/// Once the cause is mended, `waymark retry` lets them try again.
#[derive(clap::Args)]
pub struct StuckOptions {
    /// Of this workflow
    #[arg(long, value_name = "NAME")]
    workflow: Option<String>,
    #[command(flatten)]
    shown: Shown,
}

#[derive(clap::Args)]
struct Shown {
    /// At most so many
    #[arg(long, value_name = "COUNT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// A list of objects
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    list(options.filter.wire(), &options.shown)
}

pub fn stuck(options: &StuckOptions) -> anyhow::Result<ExitCode> {
    let filter = InstanceFilter {
        workflow_name: options.workflow.clone().unwrap_or_default(),
        statuses: vec![InstanceStatus::Stuck.into()],
        ..InstanceFilter::default()
    };
    list(filter, &options.shown)
}

fn list(filter: InstanceFilter, shown: &Shown) -> anyhow::Result<ExitCode> {
    let limit = shown.limit as usize;
    let (instances, is_more) = with_bridge(&shown.flags, async |found| read(found, filter, limit).await)?;
    if shown.json {
        let listed: Vec<Json> = instances.iter().map(|instance| object::shown(instance).into()).collect();
        terminal::json(&listed.into())?;
    } else if instances.is_empty() {
        terminal::talk("there are no such instances");
    } else {
        print(&instances)?;
    }
    if is_more {
        terminal::talk(format_args!("these are the newest {limit}; hint: --limit shows more"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Up to a limit, and whether there are more.
pub async fn read(found: &mut Found, filter: InstanceFilter, limit: usize) -> anyhow::Result<(Vec<Instance>, bool)> {
    let mut instances = Vec::new();
    let mut cursor = Vec::new();
    loop {
        let left = limit + 1 - instances.len();
        let page = u32::try_from(left).unwrap_or(PAGE).min(PAGE);
        let request = ListInstancesRequest { filter: Some(filter.clone()), cursor, limit: page };
        let answer = found.client.calls.list_instances(request).await;
        let answer = answer.map_err(|status| explain(&found.address, status))?.into_inner();
        instances.extend(answer.instances);
        cursor = answer.next_cursor;
        if instances.len() > limit || cursor.is_empty() {
            let is_more = instances.len() > limit;
            instances.truncate(limit);
            return Ok((instances, is_more));
        }
    }
}

fn print(instances: &[Instance]) -> anyhow::Result<()> {
    let now = now_us();
    let mut listed =
        table::with(["instance", "workflow", "id", "status", "waits for, or ended with", "started", "took"]);
    for instance in instances {
        let took = instance.finished_at_us.unwrap_or(now) - instance.created_at_us;
        listed.add_row([
            table::id(&instance.instance_id),
            instance.workflow_name.clone(),
            table::or_dash(instance.id.clone()),
            object::status(instance.status()),
            table::or_dash(table::cut(why(instance), WHY_LETTERS)),
            shown_second(instance.created_at_us),
            shown_took(took),
        ]);
    }
    table::print(&listed)
}

/// What it waits for, why it does not go on, or what it ended with.
pub fn why(instance: &Instance) -> &str {
    let all = [&instance.stuck_reason, &instance.error_type, &instance.waits_for];
    all.into_iter().find(|text| !text.is_empty()).map_or("", String::as_str)
}
