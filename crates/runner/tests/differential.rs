//! Random programs, checked against CPython and asyncio: `differential.py` writes them and runs them on a real event loop in
//! virtual time; here they run straight through and resumed at every event, and must print the same steps and end the same.
//!
//! And they run on two versions of themselves in turn, migrated after every event.
//!
//! `DIFFERENTIAL=20000` runs so many (default 300); `DIFFERENTIAL_SEED=17` begins there; a failure names its seeds.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::Value as Json;
use waymark_runner::Limits;
use waymark_runner::instance::Ending;
use waymark_runner::simulate::{Reply, Report, START_US, Script, Simulator, Stop, check_with, lower};

mod versions;

/// More than these are not told in full.
const SHOWN_MAX: usize = 5;

#[test]
fn random_programs_behave_as_on_asyncio() {
    let number = |name: &str, default: u64| {
        std::env::var(name).ok().map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is no number")))
    };
    let (first, count) = (number("DIFFERENTIAL_SEED", 0), number("DIFFERENTIAL", 300));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/differential.py");
    let mut python = Command::new("python3")
        .args(["-W", "ignore", script, &first.to_string(), &count.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 runs");
    let output = BufReader::new(python.stdout.take().expect("its output"));
    let (mut run_count, mut steps) = (0, 0);
    let mut wrong: Vec<String> = Vec::new();
    let mut seeds: Vec<String> = Vec::new();
    for line in output.lines() {
        let json: Json = serde_json::from_str(&line.expect("text")).expect("JSON");
        let seed = json["name"].as_str().expect("a seed");
        let source = json["source"].as_str().expect("a program");
        let lines: Vec<&str> = json["lines"].as_array().expect("lines").iter().filter_map(Json::as_str).collect();
        let expected = trace(&lines, json["ending"].as_str().expect("an ending"), &json["elapsed"]);
        run_count += 1;
        steps += lines.len();
        let found = std::panic::catch_unwind(|| run(source)).unwrap_or_else(|payload| {
            let text = payload.downcast_ref::<String>().cloned().unwrap_or_default();
            vec![format!("a panic: {}", text.lines().next().unwrap_or_default())]
        });
        let moved = std::panic::catch_unwind(|| run_migrated(source)).unwrap_or_else(|payload| {
            let text = payload.downcast_ref::<String>().cloned().unwrap_or_default();
            vec![format!("migrated: {text}")]
        });
        let found = if found == expected { moved } else { found };
        if found != expected {
            seeds.push(seed.into());
            if wrong.len() < SHOWN_MAX {
                wrong.push(format!("== seed {seed}\n{source}\n{}", difference(&expected, &found)));
            }
        }
    }
    assert!(python.wait().expect("python3 ends").success(), "differential.py failed");
    println!("{run_count} programs of {steps} steps; {} differ", seeds.len());
    assert!(run_count * 2 >= count, "only {run_count} programs");
    assert!(seeds.is_empty(), "seeds {} differ:\n\n{}", seeds.join(", "), wrong.join("\n"));
}

fn run(source: &str) -> Vec<String> {
    if let Err(problems) = lower(source) {
        return problems.lines().map(|problem| format!("refused: {problem}")).collect();
    }
    let script = Script::default().action("fail", [Reply::failure("ValueError", "failed")]);
    let report = check_with(source, Vec::new(), script, |simulator| simulator.events_max(10_000));
    told(&report)
}

/// The same on two versions in turn.
fn run_migrated(source: &str) -> Vec<String> {
    if lower(source).is_err() {
        return run(source);
    }
    let (one, other) = versions::padded(source);
    let script = Script::default().action("fail", [Reply::failure("ValueError", "failed")]);
    let simulator = Simulator::new(one, Limits::default()).script(script).events_max(10_000);
    let report = simulator.every_event_migrated(other.clone()).run(Vec::new());
    told(&report.unwrap_or_else(|error| panic!("{error}\n{}", waymark_ir::text::print(&other.program))))
}

fn told(report: &Report) -> Vec<String> {
    let ending = match &report.stop {
        Stop::Finished(Ending::Completed(value)) => format!("completed {}", waymark_ir::json::to_json(value)),
        Stop::Finished(Ending::Failed(error) | Ending::Cancelled(error) | Ending::Terminated(error)) => {
            let name = error.type_name.rsplit(['.', ':']).next().unwrap_or_default();
            let args: Vec<Json> = error.args.iter().map(waymark_ir::json::to_json).collect();
            format!("raised {name} {}", Json::Array(args))
        }
        Stop::Waiting => "waits for ever".into(),
        Stop::TooManyEvents => "too many events".into(),
    };
    trace(&report.lines(), &ending, &Json::from((report.ended_us - START_US) as f64 / 1e6))
}

fn trace(lines: &[&str], ending: &str, elapsed: &Json) -> Vec<String> {
    let end = format!("{ending} after {} s", elapsed.as_f64().unwrap_or(f64::NAN));
    lines.iter().map(|line| in_comprehension(line)).chain([end]).collect()
}

/// Up to Python 3.11 a comprehension is a function, so that an unbound variable of the one around is a free variable there.
fn in_comprehension(line: &str) -> String {
    line.replace("cannot access free variable", "cannot access local variable")
        .replace(
            " where it is not associated with a value in enclosing scope",
            " where it is not associated with a value",
        )
        .replace("UnboundLocalError", "NameError")
}

/// The first step that differs, with a few before it.
fn difference(expected: &[String], found: &[String]) -> String {
    let at = expected.iter().zip(found).take_while(|(left, right)| left == right).count();
    let show = |steps: &[String]| steps.iter().skip(at).take(3).map(|step| format!("  {step}\n")).collect::<String>();
    let before: String = expected[at.saturating_sub(3)..at].iter().map(|step| format!("  {step}\n")).collect();
    format!("agreed\n{before}asyncio\n{}here\n{}", show(expected), show(found))
}
