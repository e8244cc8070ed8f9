//! The order of steps among tasks, checked against asyncio itself: every program of `asyncio/*.flowtest` prints its steps,
//! and runs here (straight through and resumed at every event) and on a real event loop in virtual time.
//!
//! `ASYNCIO="timeouts: a race"` runs one program only.

use std::process::Command;

use serde_json::Value as Json;
use waymark_ir::json::to_json;
use waymark_ir::{ExceptionValue, Value};
use waymark_runner::instance::Ending;
use waymark_runner::simulate::{START_US, Script, Stop, check_with, lower};

#[test]
fn steps_come_in_the_order_of_asyncio() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/asyncio/oracle.py");
    let python = Command::new("python3").args(["-W", "ignore", script]).output().expect("python3 runs");
    assert!(python.status.success(), "{}", String::from_utf8_lossy(&python.stderr));
    let output = String::from_utf8(python.stdout).expect("text");
    let only = std::env::var("ASYNCIO").unwrap_or_default();
    let (mut count, mut wrong) = (0, Vec::new());
    for line in output.lines() {
        let json: Json = serde_json::from_str(line).expect("JSON");
        let name = json["name"].as_str().expect("a name");
        let source = json["source"].as_str().expect("a program");
        if !name.starts_with(&only) {
            continue;
        }
        count += 1;
        let expected = trace(
            json["lines"].as_array().expect("lines").iter().filter_map(Json::as_str),
            json["ending"].as_str().expect("an ending"),
            json["elapsed"].as_f64().expect("a time"),
        );
        let found = std::panic::catch_unwind(|| run(source)).unwrap_or_else(|_| "  a panic\n".into());
        if found != expected {
            wrong.push(format!("== {name}\n{source}asyncio\n{expected}here\n{found}"));
        }
    }
    println!("{} programs agree", count - wrong.len());
    assert!(!only.is_empty() || count >= 80, "only {count} programs");
    assert!(wrong.is_empty(), "{} of {count} programs differ:\n\n{}", wrong.len(), wrong.join("\n"));
}

fn run(source: &str) -> String {
    if let Err(problems) = lower(source) {
        return format!("  refused: {problems}\n");
    }
    let report = check_with(source, Vec::new(), Script::default(), |simulator| simulator.events_max(10_000));
    let ending = match &report.stop {
        Stop::Finished(Ending::Completed(value)) => format!("completed {}", as_python(value)),
        Stop::Finished(Ending::Failed(error) | Ending::Cancelled(error) | Ending::Terminated(error)) => failure(error),
        Stop::Waiting => "waits for ever".into(),
        Stop::TooManyEvents => "too many events".into(),
    };
    trace(report.lines().into_iter(), &ending, (report.ended_us - START_US) as f64 / 1e6)
}

fn trace<'a>(lines: impl Iterator<Item = &'a str>, ending: &str, elapsed: f64) -> String {
    let lines: String = lines.map(|line| format!("  {line}\n")).collect();
    format!("{lines}  {ending} after {elapsed}\n")
}

fn failure(error: &ExceptionValue) -> String {
    let name = error.type_name.rsplit(['.', ':']).next().unwrap_or_default();
    format!("raised {name} {}", as_python(&Value::List(error.args.clone())))
}

/// As `json.dumps` writes it.
fn as_python(value: &Value) -> String {
    let mut out = String::new();
    dump(&to_json(value), &mut out);
    out
}

fn dump(json: &Json, out: &mut String) {
    match json {
        Json::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                dump(item, out);
            }
            out.push(']');
        }
        Json::Object(fields) => {
            out.push('{');
            for (at, (name, item)) in fields.iter().enumerate() {
                out.push_str(&format!("{}{name:?}: ", if at > 0 { ", " } else { "" }));
                dump(item, out);
            }
            out.push('}');
        }
        leaf => out.push_str(&leaf.to_string()),
    }
}
