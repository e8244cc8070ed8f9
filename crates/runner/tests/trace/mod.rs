//! What a run did as lines of text, so that a test is a program, a script and the trace that its meaning demands.
//!
//! `seconds @action#ordinal.attempt(arguments)`, `seconds stop #ordinal.attempt`, `seconds "printed"`, then how it ended.

#![allow(dead_code)] // Each test file uses its part.

use waymark_ir::json::{from_json, to_json};
use waymark_ir::{ExceptionValue, Value};
use waymark_runner::simulate::{Report, START_US, Script, Simulator, Stop, check_with};
use waymark_runner::{Effect, Ending, Reply};

/// Name, script as JSON, program, trace.
pub type Case = (&'static str, &'static str, &'static str, &'static str);

/// Runs all cases, straight through and resumed at every event; tells all that differ.
pub fn check_all(cases: &[Case]) {
    let only = std::env::var("CASE").unwrap_or_default();
    let mut wrong = Vec::new();
    for (name, script, program, expected) in cases.iter().filter(|case| case.0.starts_with(&only)) {
        let run = || trace(&run(program, script, |simulator| simulator)).join("\n");
        let found = std::panic::catch_unwind(run).unwrap_or_else(|_| "a panic".into());
        let expected = expected.trim().lines().map(str::trim).collect::<Vec<_>>().join("\n");
        if found != expected {
            wrong.push(format!("== {name}\n{program}\nexpected\n{expected}\nfound\n{found}\n"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases differ:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

pub fn script(json: &str) -> Script {
    let json = if json.is_empty() { "{}" } else { json };
    Script::from_json(json).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// With a short limit on events: nothing here needs many.
pub fn run(program: &str, json: &str, setup: impl Fn(Simulator) -> Simulator) -> Report {
    check_with(program, Vec::new(), script(json), |simulator| setup(simulator.events_max(20_000)))
}

pub fn value(json: &str) -> Value {
    let json: serde_json::Value = serde_json::from_str(json).expect("JSON");
    from_json(&json).expect("a value")
}

pub fn trace(report: &Report) -> Vec<String> {
    let mut lines: Vec<String> = report.effects.iter().map(|(at, effect)| line(*at, effect)).collect();
    match &report.stop {
        Stop::Finished(_) => {}
        other => lines.push(format!("{} {other:?}", seconds(report.ended_us))),
    }
    lines
}

pub fn line(at_us: i64, effect: &Effect) -> String {
    format!("{} {}", seconds(at_us), words(effect))
}

pub fn words(effect: &Effect) -> String {
    match effect {
        Effect::Dispatch(call) | Effect::StartChild(call) => {
            let mut arguments: Vec<String> = call.positional.iter().map(|value| to_json(value).to_string()).collect();
            arguments.extend(call.keyword.iter().map(|(name, value)| format!("{name}={}", to_json(value))));
            let kind = if matches!(effect, Effect::StartChild(_)) { "child " } else { "@" };
            let queue = call.queue.as_ref().map_or(String::new(), |queue| format!(" on {queue}"));
            format!("{kind}{}#{}.{}({}){queue}", call.name, call.execution.ordinal, call.attempt, arguments.join(", "))
        }
        Effect::DispatchFragment(call) => {
            format!("fragment#{}.{} {}", call.execution.ordinal, call.attempt, call.source)
        }
        Effect::CancelAttempt { ordinal, attempt } => format!("stop #{ordinal}.{attempt}"),
        Effect::CancelChild { ordinal, .. } => format!("stop child #{ordinal}"),
        Effect::Log(line) => format!("{:?}", line.text),
        Effect::Finish(ending) => end(ending),
        Effect::SignalChild { ordinal, name, payload, .. } => {
            format!("signal child #{ordinal} {name} {}", to_json(payload))
        }
        Effect::Reply { update_id, outcome: Reply::Value(value) } => format!("reply {update_id} {}", to_json(value)),
        Effect::Reply { update_id, outcome: Reply::Error(error) } => format!("reject {update_id} {}", shown(error)),
    }
}

pub fn end(ending: &Ending) -> String {
    match ending {
        Ending::Completed(value) => format!("completed {}", to_json(value)),
        Ending::Failed(error) => format!("failed {}", shown(error)),
        Ending::Cancelled(error) => format!("cancelled {}", shown(error)),
        Ending::Terminated(error) => format!("terminated {}", shown(error)),
    }
}

pub fn shown(error: &ExceptionValue) -> String {
    let args: Vec<String> = error.args.iter().map(|value| to_json(value).to_string()).collect();
    format!("{}({})", error.type_name, args.join(", "))
}

fn seconds(at_us: i64) -> f64 {
    (at_us - START_US) as f64 / 1e6
}
