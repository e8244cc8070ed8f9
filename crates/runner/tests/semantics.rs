//! Python's semantics, checked against CPython itself: every case of `semantics/*.py` is run by `python3` and by the
//! runner, straight through and resumed at every event, and must come to the same `repr` or the same error.
//!
//! `SEMANTICS=fstrings.py:12` runs the cases of one line only.

use std::process::Command;

use waymark_ir::Value;
use waymark_runner::Limits;
use waymark_runner::simulate::{Simulator, lower};

/// What a program sees when native evaluation hands an operation over and nobody is there to take it.
const NO_WORKER: &str = "this simulation has no worker for fragments";

struct Case {
    place: String,
    body: String,
    expected: String,
}

#[test]
fn expressions_and_statements_behave_as_in_python() {
    let cases = cases();
    assert!(cases.len() >= 700, "only {} cases", cases.len());
    let only = std::env::var("SEMANTICS").unwrap_or_default();
    let mut wrong = Vec::new();
    let (mut count, mut handed_over) = (0, 0);
    for case in cases.iter().filter(|case| case.place.starts_with(&only)) {
        count += 1;
        let found = std::panic::catch_unwind(|| outcome(&case.body)).unwrap_or_else(|_| "a panic".into());
        if found.ends_with(NO_WORKER) {
            handed_over += 1;
        } else if found != case.expected {
            wrong.push(format!("{}\n{}  python {}\n  here   {found}\n", case.place, case.body, case.expected));
        }
    }
    println!("{} cases agree, {handed_over} would go to a worker", count - wrong.len() - handed_over);
    assert!(handed_over <= 10, "{handed_over} cases are not native");
    assert!(wrong.is_empty(), "{} of {count} cases differ:\n\n{}", wrong.len(), wrong.join("\n"));
}

/// Runs the oracle: the cases and what CPython makes of them.
fn cases() -> Vec<Case> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/semantics_oracle.py");
    let python = Command::new("python3").arg(script).output().expect("python3 runs");
    assert!(python.status.success(), "{}", String::from_utf8_lossy(&python.stderr));
    let output = String::from_utf8(python.stdout).expect("text");
    let read = |line: &str| {
        let json: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let text = |field: &str| json[field].as_str().expect("text").to_string();
        Case { place: format!("{}:{}", text("file"), json["line"]), body: text("body"), expected: text("outcome") }
    };
    output.lines().map(read).collect()
}

/// The `repr` of the result, or the exception as `Type: message`.
fn outcome(body: &str) -> String {
    let program = format!(
        "fn case():\n{body}\nfn main():\n    try:\n        return await case()\n    \
         except Exception as error:\n        return f'{{type(error).__name__}}: {{error}}'\n"
    );
    let lowered = match lower(&program) {
        Ok(lowered) => lowered,
        Err(problems) => return format!("refused: {problems}"),
    };
    let run = |resumed: bool| {
        let simulator = Simulator::new(lowered.clone(), Limits::default());
        match simulator.every_event_resumed(resumed).events_max(10_000).run(Vec::new()) {
            Ok(report) => match report.value() {
                Some(Value::Str(text)) => text.clone(),
                _ => format!("ended otherwise: {:?}", report.stop),
            },
            Err(error) => format!("broken: {error}"),
        }
    };
    let (straight, resumed) = (run(false), run(true));
    if straight == resumed { straight } else { format!("{straight}, but resumed {resumed}") }
}
