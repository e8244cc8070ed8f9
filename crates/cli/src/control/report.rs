//! What came of a command.

use std::process::ExitCode;

use serde_json::{Value as Json, json};
use waymark_proto::bridge::ControlProblem;
use waymark_proto::bridge::control_instances_request::Command;

use crate::terminal::{COMMAND_FAILED, count};
use crate::{table, terminal};

#[derive(Default)]
pub struct Report {
    pub done: u64,
    /// Those that it was not carried out for.
    pub problems: Vec<ControlProblem>,
}

impl Report {
    pub fn print(&self, command: &Command, is_dry: bool, is_json: bool) -> anyhow::Result<ExitCode> {
        if is_json {
            let problems = self.problems.iter().map(|problem| {
                json!({
                    "instance_id": table::id(&problem.instance_id),
                    "reason": problem.reason().as_str_name().to_ascii_lowercase(),
                    "message": with_flags(command, &problem.message),
                })
            });
            let problems: Vec<Json> = problems.collect();
            terminal::json(&json!({ "done": self.done, "dry_run": is_dry, "problems": problems }))?;
        } else {
            for problem in &self.problems {
                let message = with_flags(command, &problem.message);
                terminal::complain(&anyhow::anyhow!("{}: {message}", table::id(&problem.instance_id)));
            }
            let (verb, done) = words(command);
            let instances = count(self.done as usize, "instance");
            match is_dry {
                true => terminal::talk(format_args!("this would {verb} {instances}")),
                false => terminal::talk(format_args!("{instances} {done}")),
            }
        }
        Ok(if self.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(COMMAND_FAILED) })
    }
}

/// The server speaks to all who call it. Here, a step is said by a flag.
fn with_flags(command: &Command, message: &str) -> String {
    if !matches!(command, Command::Retry(_)) {
        return message.to_string();
    }
    let told = message
        .replace(
            "say from which step it is to run again",
            "say from which step it is to run again (--from-step, --from-start)",
        )
        .replace("retry from an earlier step", "retry from an earlier step (--from-step, --from-start)")
        .replace("from_seq", "--from-step");
    match told.ends_with("is no step of it that is still kept") {
        true => format!("{told}\nhint: `waymark show` lists its steps, for --from-step"),
        false => told,
    }
}

/// What would be done, and what was. Programs are told to cancel, to pause and to resume, and do so when they next can.
pub fn words(command: &Command) -> (&'static str, &'static str) {
    match command {
        Command::Cancel(_) => ("cancel", "told to cancel"),
        Command::Terminate(_) => ("terminate", "terminated"),
        Command::Pause(_) => ("pause", "told to pause"),
        Command::Resume(_) => ("resume", "told to go on"),
        Command::Retry(_) => ("retry", "retried"),
    }
}
