//! `waymark schedule put`.

use serde_json::Value as Json;
use waymark_ir::{Value, json::from_json, payload};
use waymark_proto::bridge::{PutScheduleRequest, ScheduleKey, ScheduleOverlap, ScheduleSpec, schedule_spec::When};

use super::show;
use crate::boot::call::call;
use crate::config::Flags;
use crate::{input, span};

/// Make a schedule, or change the one that has this name; it is active then
///
/// The workflow must be registered: a program that starts it, or `waymark run`, does that. Each run is of the version that was last
/// registered by then.
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("when").required(true).args(["cron", "every"])))]
pub struct Options {
    /// The workflow's name
    workflow: String,
    /// A name for the schedule
    name: String,
    /// Minute, hour, day of month, month and day of week, as '30 2 * * MON-FRI'; six fields have seconds first
    #[arg(long, value_name = "PATTERN")]
    cron: Option<String>,
    /// An interval, as 5m or 1h30m; from the start, or from now
    #[arg(long, value_name = "LENGTH", value_parser = span::length)]
    every: Option<i64>,
    /// In whose local time the pattern is read, as Europe/Berlin
    #[arg(long, value_name = "ZONE", default_value = "UTC")]
    zone: String,
    /// No due time before this
    #[arg(long, value_name = "TIME", value_parser = span::time)]
    start: Option<i64>,
    /// No due time after this
    #[arg(long, value_name = "TIME", value_parser = span::time)]
    end: Option<i64>,
    /// Start each run up to so much later than it is due
    #[arg(long, value_name = "LENGTH", value_parser = span::length, default_value = "0s")]
    jitter: i64,
    /// What a due time does while a run is still going
    #[arg(long, value_enum, default_value_t = Overlap::Skip)]
    overlap: Overlap,
    /// Make up for due times that nobody was there for, if they are not older than this [default: 24h]
    #[arg(long, value_name = "LENGTH", value_parser = span::length)]
    catch_up: Option<i64>,
    /// Inputs by parameter: JSON, or @FILE
    #[arg(long, value_name = "JSON", default_value = "{}")]
    input: String,
    /// Where its instances queue
    #[arg(long, default_value = "default")]
    queue: String,
    /// 0 (first) to 3 (last)
    #[arg(long, default_value_t = 1)]
    priority: u32,
    /// A word to find its instances by; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// What limits of the queue count by
    #[arg(long, default_value = "", hide_default_value = true)]
    key: String,
    /// What an instance has to finish within
    #[arg(long, value_name = "LENGTH", value_parser = span::length)]
    timeout: Option<i64>,
    /// Print the schedule as one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Overlap {
    /// Nothing; it is counted
    Skip,
    /// Starts beside it
    Allow,
    /// Waits for it to end; a second one that would wait is left out
    BufferOne,
    /// Cancels it, and starts
    CancelRunning,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    let overlap = match options.overlap {
        Overlap::Skip => ScheduleOverlap::Skip,
        Overlap::Allow => ScheduleOverlap::Allow,
        Overlap::BufferOne => ScheduleOverlap::BufferOne,
        Overlap::CancelRunning => ScheduleOverlap::CancelRunning,
    };
    let spec = ScheduleSpec {
        when: options.cron.clone().map(When::Cron).or(options.every.map(When::IntervalUs)),
        time_zone: options.zone.clone(),
        start_us: options.start,
        end_us: options.end,
        jitter_us: options.jitter,
        overlap: overlap.into(),
        catch_up_us: options.catch_up,
        inputs: inputs(&options.input)?,
        queue: options.queue.clone(),
        priority: Some(options.priority),
        tags: options.tags.clone(),
        key: options.key.clone(),
        timeout_us: options.timeout,
    };
    let key = ScheduleKey { workflow_name: options.workflow.clone(), schedule_name: options.name.clone() };
    let request = PutScheduleRequest { schedule: Some(key), spec: Some(spec) };
    let stored = call(&options.flags, async |found| found.client.calls.put_schedule(request).await)?;
    show::changed(&stored, "is active", options.json)
}

/// The bridge knows what the workflow takes.
fn inputs(argument: &str) -> anyhow::Result<Vec<u8>> {
    let (place, given) = input::object(argument)?;
    let read = |(name, value): (&String, &Json)| {
        let value = from_json(value).map_err(|error| anyhow::anyhow!("{place}: `{name}`: {error}"))?;
        Ok((Value::Str(name.clone()), value))
    };
    let entries: Vec<(Value, Value)> = given.iter().map(read).collect::<anyhow::Result<_>>()?;
    Ok(payload::encode(&Value::Dict(entries)))
}
