//! Schedules on stdout.

use serde_json::{Value as Json, json};
use waymark_ir::{json::to_json, payload};
use waymark_proto::bridge::{Schedule, ScheduleSpec, schedule_spec::When};

use crate::span::{shown_length, shown_local, shown_time};
use crate::{table, terminal};

pub fn list(schedules: &[Schedule], is_json: bool) -> anyhow::Result<()> {
    if is_json {
        return terminal::json(&schedules.iter().map(object).collect::<Vec<Json>>().into());
    }
    if schedules.is_empty() {
        terminal::talk("there are no schedules");
        return Ok(());
    }
    let mut listed =
        table::with(["workflow", "schedule", "when", "status", "next due", "last run", "runs", "overlapped", "missed"]);
    for schedule in schedules {
        listed.add_row([
            schedule.workflow_name.clone(),
            schedule.schedule_name.clone(),
            when(&spec(schedule)),
            status(schedule).into(),
            schedule.next_due_us.first().map_or("-".into(), |due| shown_time(*due)),
            schedule.last_run_us.map_or("-".into(), shown_time),
            schedule.runs.to_string(),
            schedule.overlapped.to_string(),
            schedule.missed.to_string(),
        ]);
    }
    table::print(&listed)
}

/// Everything that is known of one.
pub fn one(schedule: &Schedule, is_json: bool) -> anyhow::Result<()> {
    if is_json {
        return terminal::json(&object(schedule));
    }
    let spec = spec(schedule);
    let zone = if spec.time_zone.is_empty() { "UTC" } else { &spec.time_zone };
    let times = |times: &[i64]| times.iter().map(|at| shown_local(*at, zone)).collect::<Vec<_>>().join("\n");
    let ids = |ids: &[Vec<u8>]| ids.iter().map(|id| table::id(id)).collect::<Vec<_>>().join("\n");
    let rows = [
        ("workflow", schedule.workflow_name.clone()),
        ("schedule", schedule.schedule_name.clone()),
        ("status", status(schedule).to_string()),
        ("when", when(&spec)),
        ("overlap", spec.overlap().as_str_name().to_ascii_lowercase()),
        ("catch-up", shown_length(spec.catch_up_us.unwrap_or_default())),
        ("inputs", to_json(&payload::decode(&spec.inputs).unwrap_or(waymark_ir::Value::None)).to_string()),
        ("queue", format!("{}, priority {}", spec.queue, spec.priority.unwrap_or_default())),
        ("next due", times(&schedule.next_due_us)),
        ("last run", schedule.last_run_us.map(|at| shown_local(at, zone)).unwrap_or_default()),
        ("last instance", table::id(&schedule.last_instance_id)),
        ("running", ids(&schedule.live_instance_ids)),
        (
            "waiting",
            schedule.buffered_us.map(|at| format!("the run due at {}", shown_local(at, zone))).unwrap_or_default(),
        ),
        ("counts", format!("{} runs, {} overlapped, {} missed", schedule.runs, schedule.overlapped, schedule.missed)),
        ("jitter", if spec.jitter_us > 0 { shown_length(spec.jitter_us) } else { String::new() }),
        ("start", spec.start_us.map(|at| shown_local(at, zone)).unwrap_or_default()),
        ("end", spec.end_us.map(|at| shown_local(at, zone)).unwrap_or_default()),
        ("tags", spec.tags.join(", ")),
        ("key", spec.key.clone()),
        ("timeout", spec.timeout_us.map(shown_length).unwrap_or_default()),
    ];
    table::print_pairs(rows)
}

/// What became of it, in a line.
pub fn changed(schedule: &Schedule, what: &str, is_json: bool) -> anyhow::Result<()> {
    if is_json {
        return terminal::json(&object(schedule));
    }
    let spec = spec(schedule);
    let next = match schedule.next_due_us.first() {
        Some(due) => {
            format!(", next due {}", shown_local(*due, if spec.time_zone.is_empty() { "UTC" } else { &spec.time_zone }))
        }
        None => String::new(),
    };
    terminal::talk(format_args!("schedule {} of {} {what}{next}", schedule.schedule_name, schedule.workflow_name));
    Ok(())
}

fn spec(schedule: &Schedule) -> ScheduleSpec {
    schedule.spec.clone().unwrap_or_default()
}

fn status(schedule: &Schedule) -> &'static str {
    match (schedule.paused, schedule.next_due_us.is_empty()) {
        (true, _) => "paused",
        (false, true) => "over",
        (false, false) => "active",
    }
}

fn when(spec: &ScheduleSpec) -> String {
    match &spec.when {
        Some(When::Cron(pattern)) if matches!(spec.time_zone.as_str(), "" | "UTC") => pattern.clone(),
        Some(When::Cron(pattern)) => format!("{pattern} ({})", spec.time_zone),
        Some(When::IntervalUs(every_us)) => format!("every {}", shown_length(*every_us)),
        None => "-".into(),
    }
}

fn object(schedule: &Schedule) -> Json {
    let spec = spec(schedule);
    let (cron, every_seconds) = match &spec.when {
        Some(When::Cron(pattern)) => (Some(pattern.clone()), None),
        Some(When::IntervalUs(every_us)) => (None, Some(*every_us as f64 / 1e6)),
        None => (None, None),
    };
    let seconds = |length_us: i64| length_us as f64 / 1e6;
    let optional = |bytes: &[u8]| (!bytes.is_empty()).then(|| table::id(bytes));
    json!({
        "schedule_id": table::id(&schedule.schedule_id),
        "workflow": schedule.workflow_name,
        "schedule": schedule.schedule_name,
        "status": status(schedule),
        "cron": cron,
        "every_seconds": every_seconds,
        "time_zone": spec.time_zone,
        "start": spec.start_us.map(shown_time),
        "end": spec.end_us.map(shown_time),
        "jitter_seconds": seconds(spec.jitter_us),
        "overlap": spec.overlap().as_str_name().to_ascii_lowercase(),
        "catch_up_seconds": spec.catch_up_us.map(seconds),
        "inputs": payload::decode(&spec.inputs).map_or(Json::Null, |inputs| to_json(&inputs)),
        "queue": spec.queue,
        "priority": spec.priority,
        "tags": spec.tags,
        "key": Some(&spec.key).filter(|key| !key.is_empty()),
        "timeout_seconds": spec.timeout_us.map(seconds),
        "next_due": schedule.next_due_us.iter().map(|due| shown_time(*due)).collect::<Vec<_>>(),
        "last_run": schedule.last_run_us.map(shown_time),
        "last_instance_id": optional(&schedule.last_instance_id),
        "running": schedule.live_instance_ids.iter().map(|id| table::id(id)).collect::<Vec<_>>(),
        "waiting": schedule.buffered_us.map(shown_time),
        "runs": schedule.runs,
        "overlapped": schedule.overlapped,
        "missed": schedule.missed,
    })
}
