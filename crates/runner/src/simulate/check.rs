//! The one helper of all runner tests: straight through and with a resume at every event must come out the same.

use std::sync::Arc;

use waymark_ir::{Value, text};

use crate::context::Limits;
use crate::graph::Lowered;
use crate::simulate::{Report, Script, Simulator};

/// Runs a program that needs no inputs, with actions that return their arguments, as [`check_with`] does.
///
/// # Panics
/// If the program can't be read, or the two runs differ.
pub fn check(program: &str) -> Report {
    check_with(program, Vec::new(), Script::default(), |simulator| simulator)
}

/// Runs a program straight through and once more resumed at every event; `setup` may change both runs alike.
///
/// # Panics
/// If the program can't be read, or the two runs differ.
pub fn check_with(
    program: &str,
    inputs: Vec<(String, Value)>,
    script: Script,
    setup: impl Fn(Simulator) -> Simulator,
) -> Report {
    let lowered = lower(program).unwrap_or_else(|problems| panic!("{problems}\n{program}"));
    let run = |resumed| {
        let simulator = Simulator::new(lowered.clone(), Limits::default()).script(script.clone());
        let report = setup(simulator).every_event_resumed(resumed).run(inputs.clone());
        report.unwrap_or_else(|error| panic!("{error}\n{program}"))
    };
    let (straight, resumed) = (run(false), run(true));
    // By text, because NaN is not equal to itself.
    let (left, right) = (format!("{straight:#?}"), format!("{resumed:#?}"));
    if left != right {
        let differing = left.lines().zip(right.lines()).find(|(left, right)| left != right);
        panic!("resuming changes the run, first here: {differing:?}\n{program}\nstraight {left}\nresumed {right}");
    }
    straight
}

/// Reads, verifies and lowers a program; all that is wrong with it as text, one problem a line.
pub fn lower(program: &str) -> Result<Arc<Lowered>, String> {
    let parsed = text::parse("test.ir", program);
    let errors: Vec<String> = parsed.diagnostics.iter().filter(|one| one.is_error()).map(ToString::to_string).collect();
    if !errors.is_empty() {
        return Err(errors.join("\n"));
    }
    Lowered::new(parsed.program).map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}
