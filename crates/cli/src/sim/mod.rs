//! `waymark sim`: a program run in memory, its actions answered by a script, its time virtual.

pub mod failure;
mod trace;

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::{Value as Json, json};
use waymark_ir::{hash_hex, json::to_json};
use waymark_runner::simulate::{Report, Script, Simulator, Stop};
use waymark_runner::{Ending, Limits, Lowered};

use crate::input;
use crate::source::{Source, read_text};
use crate::terminal::{self, PROGRAM_FAILED, count};
use trace::Trace;

/// Run a program in memory, with scripted action results and virtual time
///
/// The result goes to stdout as JSON, the trace to stderr. Exits with 1 when the workflow fails or waits for ever.
#[derive(clap::Args)]
pub struct Options {
    /// A program in the text form
    file: PathBuf,
    /// Inputs by parameter: JSON, or @FILE
    #[arg(long, value_name = "JSON", default_value = "{}")]
    input: String,
    /// How actions answer, and which signals arrive (JSON; without it actions return their arguments)
    #[arg(long, value_name = "SCRIPT")]
    actions: Option<PathBuf>,
    /// Print outcome and trace as one JSON object
    #[arg(long)]
    json: bool,
    /// Save, drop and restore the instance after every event
    #[arg(long)]
    resume_everywhere: bool,
    /// Seed of the program's random numbers and UUIDs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Don't show the trace
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let Some(lowered) = Source::read(&options.file)?.lower()? else {
        return Ok(ExitCode::from(PROGRAM_FAILED));
    };
    let script = match &options.actions {
        Some(path) => read_script(path)?,
        None => Script::default(),
    };
    let program = lowered.program.clone();
    let inputs = match program.function(&program.entry) {
        Some(entry) => input::inputs(&options.input, entry)?,
        None => Vec::new(),
    };
    compare_names(&lowered, &script, options);

    let trace = Trace::new(!options.quiet && !options.json);
    let simulator = Simulator::new(lowered.clone(), Limits::default())
        .script(script)
        .seed(options.seed)
        .every_event_resumed(options.resume_everywhere)
        .observe(trace.observer());
    let report = simulator.run(inputs)?;

    if options.json {
        terminal::json(&outcome_json(&lowered, &report, &trace))?;
    }
    let outcome = match &report.stop {
        Stop::Finished(Ending::Completed(value)) => {
            if !options.json {
                terminal::json(&to_json(value))?;
            }
            "completed"
        }
        Stop::Finished(Ending::Failed(exception)) => {
            terminal::talk(failure::text(exception));
            "failed"
        }
        Stop::Finished(Ending::Cancelled(exception)) => {
            terminal::talk(failure::text(exception));
            "cancelled"
        }
        Stop::Finished(Ending::Terminated(exception)) => {
            terminal::talk(failure::text(exception));
            "terminated"
        }
        Stop::Waiting => {
            terminal::talk(format_args!(
                "the script ends, but the workflow waits for {}",
                trace.waits_for(&report.positions)
            ));
            "still waiting"
        }
        Stop::TooManyEvents => "stopped (it goes on and on)",
    };
    terminal::talk(format_args!(
        "{}: {outcome} after {}, {} of its time",
        program.name,
        count(report.events, "event"),
        trace::duration(trace.elapsed_us()),
    ));
    let is_completed = matches!(report.stop, Stop::Finished(Ending::Completed(_)));
    Ok(if is_completed { ExitCode::SUCCESS } else { ExitCode::from(PROGRAM_FAILED) })
}

pub fn read_script(path: &std::path::Path) -> anyhow::Result<Script> {
    let text = read_text(path)?;
    Script::from_json(&text).map_err(|problems| {
        let problems: Vec<String> = problems.iter().map(|problem| format!("\n  {problem}")).collect();
        terminal::hinted(
            format!("the script `{}` is wrong:{}", path.display(), problems.concat()),
            r#"a script is {"actions": {"name": {"return": …}}, "events": [{"at": 3, "signal": "name"}]}"#,
        )
    })
}

/// A slip in a name would else show only as a strange result.
fn compare_names(lowered: &Lowered, script: &Script, options: &Options) {
    let mut called: Vec<&str> = lowered.pool.actions.iter().map(|site| &*site.name).collect();
    called.sort_unstable();
    called.dedup();
    for name in script.actions.keys().filter(|name| *name != "*" && !called.contains(&name.as_str())) {
        terminal::warn(format_args!("the script answers for `{name}`, which the program never calls"));
    }
    if !script.actions.contains_key("*") && !options.quiet {
        for name in called.iter().filter(|name| !script.actions.contains_key(**name)) {
            terminal::warn(format_args!("the script has no answer for `{name}`: it returns its arguments"));
        }
    }
}

fn outcome_json(lowered: &Lowered, report: &Report, trace: &Trace) -> Json {
    let (status, result, error) = match &report.stop {
        Stop::Finished(Ending::Completed(value)) => ("completed", to_json(value), Json::Null),
        Stop::Finished(Ending::Failed(exception)) => ("failed", Json::Null, failure::json(exception)),
        Stop::Finished(Ending::Cancelled(exception)) => ("cancelled", Json::Null, failure::json(exception)),
        Stop::Finished(Ending::Terminated(exception)) => ("terminated", Json::Null, failure::json(exception)),
        Stop::Waiting => ("waiting", Json::Null, Json::Null),
        Stop::TooManyEvents => ("too_many_events", Json::Null, Json::Null),
    };
    json!({
        "workflow": lowered.program.name,
        "ir_hash": hash_hex(&lowered.ir_hash),
        "status": status,
        "result": result,
        "error": error,
        "events": report.events,
        "elapsed_s": trace.elapsed_us() as f64 / 1e6,
        "trace": trace.json(),
    })
}
