//! What a person or a pipe sees: data on stdout, talk on stderr, colour only where it is wanted.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use owo_colors::OwoColorize;

/// The user's program is wrong, or has failed; what there was to say has been said.
pub const PROGRAM_FAILED: u8 = 1;
/// The command could not be carried out.
pub const COMMAND_FAILED: u8 = 2;

/// An error that knows a way out, shown as `hint: …`.
#[derive(Debug)]
pub struct Hinted {
    pub message: String,
    pub hint: String,
}

impl std::fmt::Display for Hinted {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Hinted {}

pub fn hinted(message: impl Into<String>, hint: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Hinted { message: message.into(), hint: hint.into() })
}

/// Writes to stdout. Whoever reads it may stop early (`| head`): that is an error to end with, not to talk about.
pub fn data(text: &str) -> anyhow::Result<()> {
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// One JSON value, indented, on stdout.
pub fn json(value: &serde_json::Value) -> anyhow::Result<()> {
    data(&format!("{value:#}\n"))
}

/// Writes a line to stderr. If nobody listens, nothing is lost.
pub fn talk(text: impl std::fmt::Display) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

pub fn warn(text: impl std::fmt::Display) {
    talk(format_args!("{} {text}", "warning:".yellow().bold()));
}

pub fn exit_code(done: anyhow::Result<ExitCode>) -> ExitCode {
    match done {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::from(COMMAND_FAILED)
        }
    }
}

pub fn complain(error: &anyhow::Error) {
    talk(format_args!("{} {error:#}", "error:".red().bold()));
    if let Some(hinted) = error.downcast_ref::<Hinted>() {
        talk(format_args!("{} {}", "hint:".cyan().bold(), hinted.hint));
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

/// `1 error`, `2 errors`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
