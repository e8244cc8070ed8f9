//! `waymark show`: all there is to know about one instance.

use std::process::ExitCode;

use serde_json::{Map, Value as Json, json};
use waymark_ir::{Value, json::to_json, payload};
use waymark_proto::bridge::{
    Frame, Instance, ListEventsRequest, LoggedEvent, NamedValue, QueryInstanceRequest, QueryInstanceResponse,
};

use super::{Name, object};
use crate::boot::call::with_bridge;
use crate::boot::ensure::Found;
use crate::client::explain;
use crate::config::Flags;
use crate::sim::failure;
use crate::span::{now_us, shown_time, shown_took};
use crate::{table, terminal, versions};

/// Of a page of events.
const PAGE: u32 = 1_000;
/// Values among others are told in so many characters; `--json` has them whole.
const VALUE_LETTERS: usize = 80;

/// Show an instance: what it is, where it stands, what happened to it
#[derive(clap::Args)]
pub struct Options {
    /// Its id, or WORKFLOW/KEY
    instance: Name,
    /// Show the last so many events
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    events: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

struct Known {
    instance: Instance,
    query: QueryInstanceResponse,
    events: Vec<LoggedEvent>,
    earlier: usize,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let known = with_bridge(&options.flags, async |found| read(found, options).await)?;
    match options.json {
        true => terminal::json(&as_json(&known))?,
        false => print(&known)?,
    }
    Ok(ExitCode::SUCCESS)
}

async fn read(found: &mut Found, options: &Options) -> anyhow::Result<Known> {
    let instance = options.instance.get(found).await?;
    let query = query(found, &instance.instance_id).await.unwrap_or_else(|status| {
        // One whose state can't be read is shown all the same: that may be why it is looked at.
        terminal::warn(status.message());
        QueryInstanceResponse::default()
    });
    let mut events: Vec<LoggedEvent> = Vec::new();
    let mut earlier = 0;
    loop {
        let after_seq = events.last().map_or(0, |event| event.seq);
        let request = ListEventsRequest { instance_id: instance.instance_id.clone(), after_seq, limit: PAGE };
        let page = found.client.calls.list_events(request).await;
        let page = page.map_err(|status| explain(&found.address, status))?.into_inner();
        events.extend(page.events);
        if page.is_more {
            // One stays, to go on from.
            let cut = events.len().saturating_sub(options.events.max(1));
            events.drain(..cut);
            earlier += cut;
            continue;
        }
        let cut = events.len().saturating_sub(options.events);
        events.drain(..cut);
        return Ok(Known { instance, query, events, earlier: earlier + cut });
    }
}

/// What it has published, and its frames.
pub async fn query(found: &mut Found, instance_id: &[u8]) -> Result<QueryInstanceResponse, tonic::Status> {
    let request = QueryInstanceRequest { instance_id: instance_id.to_vec(), name: String::new(), frames: true };
    found.client.calls.query_instance(request).await.map(tonic::Response::into_inner)
}

fn print(known: &Known) -> anyhow::Result<()> {
    let Known { instance, query, events, earlier } = known;
    let whole = |bytes: Option<&[u8]>| bytes.map(|bytes| object::value(bytes).to_string()).unwrap_or_default();
    let took = instance.finished_at_us.unwrap_or_else(now_us) - instance.created_at_us;
    let due = instance.scheduled_at_us.filter(|at| *at > now_us());
    table::print_pairs([
        ("instance", table::id(&instance.instance_id)),
        ("workflow", format!("{}, version {}", instance.workflow_name, versions::short(&instance.workflow_version))),
        ("id", instance.id.clone()),
        ("status", object::status(instance.status())),
        ("waits for", instance.waits_for.clone()),
        ("stuck", instance.stuck_reason.clone()),
        ("started", shown_time(instance.created_at_us)),
        ("finished", instance.finished_at_us.map(shown_time).unwrap_or_default()),
        ("took", shown_took(took)),
        ("due", due.map(shown_time).unwrap_or_default()),
        ("deadline", instance.deadline_us.map(shown_time).unwrap_or_default()),
        ("queue", instance.queue.clone()),
        ("key", instance.key.clone()),
        ("tags", instance.tags.join(", ")),
        ("parent", table::id(&instance.parent_instance_id)),
        ("schedule", table::id(&instance.schedule_id)),
        ("inputs", whole(Some(&instance.inputs))),
        ("result", whole(instance.result.as_deref())),
    ])?;
    let mut out = String::new();
    if !query.published.is_empty() {
        out.push_str("\npublished\n");
        query.published.iter().for_each(|named| out.push_str(&format!("  {}\n", assigned(named))));
    }
    if !query.frames.is_empty() {
        out.push_str("\nrunning\n");
        query.frames.iter().for_each(|frame| out.push_str(&shown_frame(frame)));
    }
    if !events.is_empty() {
        let left_out = if *earlier > 0 {
            format!(", the last {} of {}", events.len(), earlier + events.len())
        } else {
            String::new()
        };
        out.push_str(&format!("\nevents{left_out}\n{}", table_of(events)));
    }
    if let Some(Ok(Value::Exception(exception))) = instance.error.as_deref().map(payload::decode) {
        out.push_str(&format!("\n{}\n", failure::text(&exception)));
    }
    terminal::data(&out)
}

fn table_of(events: &[LoggedEvent]) -> String {
    let mut listed = table::with(["step", "event", "outcome", "attempt", "at", "took", "value"]);
    for event in events {
        let value = match payload::decode(&event.value) {
            Ok(Value::Exception(exception)) => {
                let message = failure::message(&exception);
                format!("{}: {message}", exception.type_name).trim_end_matches(": ").to_string()
            }
            Ok(Value::None) | Err(_) => String::new(),
            Ok(value) => to_json(&value).to_string(),
        };
        listed.add_row([
            event.seq.to_string(),
            format!("{} {}", event.kind, event.name).trim_end().to_string(),
            table::or_dash(event.outcome.clone()),
            if event.attempt > 0 { event.attempt.to_string() } else { "-".into() },
            shown_time(event.happened_at_us),
            event.started_at_us.map_or("-".into(), |from| shown_took(event.happened_at_us - from)),
            table::or_dash(table::cut(&value, VALUE_LETTERS)),
        ]);
    }
    table::text(&listed)
}

fn shown_frame(frame: &Frame) -> String {
    let mut out = format!("  {}, line {}\n", frame.function, frame.line);
    frame.variables.iter().for_each(|named| out.push_str(&format!("    {}\n", assigned(named))));
    out
}

fn assigned(named: &NamedValue) -> String {
    let shown = match &named.value {
        Some(value) => object::value(value).to_string(),
        None => named.shown.clone(),
    };
    format!("{} = {}", named.name, table::cut(&shown, VALUE_LETTERS))
}

fn as_json(known: &Known) -> Json {
    let Known { instance, query, events, earlier } = known;
    let named = |values: &[NamedValue]| {
        let shown = |named: &NamedValue| match &named.value {
            Some(value) => object::value(value),
            None => json!({ "$shown": named.shown }),
        };
        values.iter().map(|one| (one.name.clone(), shown(one))).collect::<Map<String, Json>>()
    };
    let frames = query.frames.iter().map(|frame| {
        json!({
            "task": frame.task,
            "function": frame.function,
            "line": frame.line,
            "variables": named(&frame.variables),
        })
    });
    let mut shown = object::shown(instance);
    shown.insert("inputs".into(), object::value(&instance.inputs));
    shown.insert("result".into(), instance.result.as_deref().map_or(Json::Null, object::value));
    shown.insert("error".into(), instance.error.as_deref().map_or(Json::Null, object::value));
    shown.insert("published".into(), named(&query.published).into());
    shown.insert("frames".into(), frames.collect::<Vec<Json>>().into());
    shown.insert("events".into(), events.iter().map(event).collect::<Vec<Json>>().into());
    shown.insert("earlier_events".into(), (*earlier).into());
    shown.into()
}

pub fn event(event: &LoggedEvent) -> Json {
    let text = |text: &str| Some(text.to_string()).filter(|text| !text.is_empty());
    json!({
        "step": event.seq,
        "event": event.kind,
        "name": text(&event.name),
        "outcome": text(&event.outcome),
        "execution_id": text(&event.execution_id),
        "attempt": Some(event.attempt).filter(|attempt| *attempt > 0),
        "at": shown_time(event.happened_at_us),
        "started_at": event.started_at_us.map(shown_time),
        "worker": text(&event.worker),
        "value": object::value(&event.value),
    })
}
