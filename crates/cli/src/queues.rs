//! `waymark queues`: limits, rates and pauses of queues, and what is in them.

use std::process::ExitCode;
use std::time::Duration;

use comfy_table::Table;
use serde_json::{Value as Json, json};
use waymark_ir::verify::nearest;
use waymark_proto::bridge::{
    ListQueuesRequest, ListQueuesResponse, PauseQueueRequest, PauseWorkflowRequest, PutQueueRequest, Queue, QueueDepth,
    QueueSettings, Rate, ResumeQueueRequest, ResumeWorkflowRequest,
};

use crate::boot::ensure::{self, Found};
use crate::client::explain;
use crate::config::{Configuration, Flags};
use crate::home::Home;
use crate::serve::block_on;
use crate::{table, terminal, workflows};

/// List queues, limit what runs of them, pause and resume them
#[derive(clap::Subcommand)]
pub enum Command {
    List(List),
    Set(Set),
    Pause(Which),
    Resume(Which),
}

/// Print every queue that has limits or live instances
#[derive(clap::Args)]
pub struct List {
    /// Keys of each queue to show, those with most to do first
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    keys: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

/// Set the limits of a queue; those that are left out are taken away
///
/// They hold on all hosts together. An instance that only sleeps or waits does not count.
#[derive(clap::Args)]
pub struct Set {
    name: String,
    /// Instances that run at the same time
    #[arg(long, value_name = "COUNT")]
    concurrency: Option<u32>,
    /// …and of each key
    #[arg(long, value_name = "COUNT")]
    key_concurrency: Option<u32>,
    /// How many are begun in a time, as 100/1m
    #[arg(long, value_name = "COUNT/TIME", value_parser = rate)]
    rate: Option<Rate>,
    /// …and of each key
    #[arg(long, value_name = "COUNT/TIME", value_parser = rate)]
    key_rate: Option<Rate>,
    /// Keys take turns, though nothing limits them
    #[arg(long)]
    fair: bool,
    #[command(flatten)]
    flags: Flags,
}

/// Begin nothing more, or go on: of a queue, or of a workflow
///
/// What runs does so until it next sleeps or waits.
#[derive(clap::Args)]
pub struct Which {
    /// The queue
    #[arg(required_unless_present = "workflow", conflicts_with = "workflow")]
    name: Option<String>,
    /// Instances of this workflow, in whichever queue
    #[arg(long, value_name = "NAME")]
    workflow: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

pub fn run(command: &Command) -> anyhow::Result<ExitCode> {
    let flags = match command {
        Command::List(list) => &list.flags,
        Command::Set(set) => &set.flags,
        Command::Pause(which) | Command::Resume(which) => &which.flags,
    };
    let configuration = Configuration::load(flags)?;
    block_on(async {
        let mut found = ensure::ensure(&configuration, &Home::open()?).await?;
        let address = found.address.clone();
        let done = match command {
            Command::List(list) => {
                let listed = found.client.calls.list_queues(ListQueuesRequest { keys: list.keys.max(1) }).await;
                return print(&listed.map_err(|status| explain(&address, status))?.into_inner(), list);
            }
            Command::Set(set) => {
                let settings = QueueSettings {
                    name: set.name.clone(),
                    concurrency: set.concurrency,
                    key_concurrency: set.key_concurrency,
                    rate: set.rate,
                    key_rate: set.key_rate,
                    fair: set.fair,
                };
                let put = PutQueueRequest { settings: Some(settings) };
                return match found.client.calls.put_queue(put).await {
                    Ok(_) => Ok(ExitCode::SUCCESS),
                    Err(status) => Err(explain(&address, status)),
                };
            }
            Command::Pause(which) => {
                look(&mut found, which).await?;
                (which, pause(&mut found, which, true).await, "paused")
            }
            Command::Resume(which) => (which, pause(&mut found, which, false).await, "resumed"),
        };
        let (which, changed, word) = done;
        let changed = changed.map_err(|status| explain(&address, status))?;
        // One that was paused under a name that nobody has yet can be resumed.
        if let (false, Some(workflow)) = (changed, &which.workflow) {
            workflows::versions(&mut found, workflow).await?;
        }
        let name = which.name.as_deref().or(which.workflow.as_deref()).unwrap_or_default();
        if which.json {
            terminal::json(&json!({ "name": name, "changed": changed }))?;
        } else if !changed {
            terminal::talk(format_args!("{name} was {word} already"));
        }
        Ok(ExitCode::SUCCESS)
    })
}

/// A name that nobody knows may be a slip. Workflows are registered; a queue is there when somebody uses it.
async fn look(found: &mut Found, which: &Which) -> anyhow::Result<()> {
    let name = match (&which.workflow, &which.name) {
        (Some(workflow), _) => return workflows::versions(found, workflow).await.map(drop),
        (None, Some(name)) => name,
        (None, None) => return Ok(()),
    };
    let listed = found.client.calls.list_queues(ListQueuesRequest { keys: 1 }).await;
    let listed = listed.map_err(|status| explain(&found.address, status))?.into_inner();
    let names: Vec<&str> =
        listed.queues.iter().filter_map(|queue| Some(queue.settings.as_ref()?.name.as_str())).collect();
    if !names.contains(&name.as_str()) {
        let near = nearest(name, names).map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        terminal::talk(format_args!("the queue {name} has no limits and no live instances so far{near}"));
    }
    Ok(())
}

async fn pause(found: &mut Found, which: &Which, paused: bool) -> Result<bool, tonic::Status> {
    let calls = &mut found.client.calls;
    let answer = match (which.name.clone(), which.workflow.clone(), paused) {
        (Some(name), _, true) => calls.pause_queue(PauseQueueRequest { name }).await,
        (Some(name), _, false) => calls.resume_queue(ResumeQueueRequest { name }).await,
        (None, name, true) => {
            calls.pause_workflow(PauseWorkflowRequest { workflow_name: name.unwrap_or_default() }).await
        }
        (None, name, false) => {
            calls.resume_workflow(ResumeWorkflowRequest { workflow_name: name.unwrap_or_default() }).await
        }
    };
    Ok(answer?.into_inner().changed)
}

fn print(listed: &ListQueuesResponse, options: &List) -> anyhow::Result<ExitCode> {
    if options.json {
        let queues: Vec<Json> = listed.queues.iter().map(as_json).collect();
        terminal::json(&json!({ "queues": queues, "paused_workflows": listed.paused_workflows }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut listed_queues = table::with(["queue", "due", "running", "sleeping", "limits", "state"]);
    for queue in &listed.queues {
        let settings = queue.settings.clone().unwrap_or_default();
        let state = if queue.paused { "paused" } else { "" };
        row(&mut listed_queues, settings.name.clone(), queue.depth, limits(&settings), state);
        for key in &queue.keys {
            row(&mut listed_queues, format!("  {}", key.key), key.depth, String::new(), "");
        }
    }
    table::print(&listed_queues)?;
    if !listed.paused_workflows.is_empty() {
        terminal::talk(format_args!("paused workflows: {}", listed.paused_workflows.join(", ")));
    }
    Ok(ExitCode::SUCCESS)
}

fn row(table: &mut Table, name: String, depth: Option<QueueDepth>, limits: String, state: &str) {
    let QueueDepth { due, running, sleeping } = depth.unwrap_or_default();
    table.add_row([name, due.to_string(), running.to_string(), sleeping.to_string(), limits, state.to_string()]);
}

fn limits(settings: &QueueSettings) -> String {
    let count = |count: Option<u32>, what: &str| count.map(|count| format!("{count} {what}"));
    let rate = |rate: Option<Rate>, what: &str| {
        rate.map(|rate| format!("{} in {:?}{what}", rate.count, Duration::from_micros(rate.period_us.unsigned_abs())))
    };
    let all = [
        count(settings.concurrency, "at once"),
        count(settings.key_concurrency, "of a key"),
        rate(settings.rate, ""),
        rate(settings.key_rate, " of a key"),
        settings.fair.then(|| "fair".into()),
    ];
    all.into_iter().flatten().collect::<Vec<String>>().join(", ")
}

fn as_json(queue: &Queue) -> Json {
    let settings = queue.settings.clone().unwrap_or_default();
    let rate =
        |rate: Option<Rate>| rate.map(|rate| json!({ "count": rate.count, "seconds": rate.period_us as f64 / 1e6 }));
    let depth = |depth: Option<QueueDepth>| {
        let QueueDepth { due, running, sleeping } = depth.unwrap_or_default();
        json!({ "due": due, "running": running, "sleeping": sleeping })
    };
    let keys = queue.keys.iter().map(|key| (key.key.clone(), depth(key.depth)));
    json!({
        "name": settings.name,
        "paused": queue.paused,
        "concurrency": settings.concurrency,
        "key_concurrency": settings.key_concurrency,
        "rate": rate(settings.rate),
        "key_rate": rate(settings.key_rate),
        "fair": settings.fair,
        "depth": depth(queue.depth),
        "keys": keys.collect::<serde_json::Map<String, Json>>(),
    })
}

/// `100/1m`, `5/s`.
fn rate(text: &str) -> Result<Rate, String> {
    let wrong = || format!("{text:?} is no rate: write a count and a time, as 100/1m or 5/s");
    let (count, time) = text.split_once('/').ok_or_else(wrong)?;
    let digits = time.find(|letter: char| !(letter.is_ascii_digit() || letter == '.')).unwrap_or(time.len());
    let (number, unit) = time.split_at(digits);
    let number: f64 = if number.is_empty() { 1.0 } else { number.parse().map_err(|_| wrong())? };
    let seconds = match unit {
        "ms" => 0.001,
        "s" | "" if !time.is_empty() => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        _ => return Err(wrong()),
    };
    let period_us = number * seconds * 1e6;
    let count = count.parse().ok().filter(|count| *count > 0).ok_or_else(wrong)?;
    if !(1_000.0..=366.0 * 86_400.0 * 1e6).contains(&period_us) {
        return Err("the time of a rate is between a millisecond and a year".into());
    }
    Ok(Rate { count, period_us: period_us as i64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read() {
        for (text, count, period_us) in
            [("100/1m", 100, 60_000_000), ("5/s", 5, 1_000_000), ("3/0.5s", 3, 500_000), ("1/10", 1, 10_000_000)]
        {
            assert_eq!(rate(text), Ok(Rate { count, period_us }), "{text}");
        }
        for text in ["", "5", "5/", "0/s", "x/s", "5/week", "5/0s", "5/1e9d"] {
            assert!(rate(text).is_err(), "{text}");
        }
    }
}
