//! `waymark runner`: the pure runner behind a pipe. The SDK's tests run workflows with it, in virtual time; the protocol is
//! `waymark/runner/v1/runner.proto`. It ends when its stdin does.

mod frames;
mod held;
mod names;
mod programs;
mod session;

use std::io::{BufReader, BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use prost::Message;
use waymark_proto::runner::answer::Answer as Kind;
use waymark_proto::runner::{Answer, Refused, Request};

use crate::terminal;
use session::Session;

/// Runs instances in memory for whoever is at the other end of stdin and stdout
#[derive(clap::Args)]
pub struct Options {
    /// Print the names that programs can use, as JSON, and exit
    #[arg(long)]
    names: bool,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    if options.names {
        terminal::json(&names::json())?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut requests = BufReader::with_capacity(1 << 16, std::io::stdin().lock());
    let mut answers = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let mut session = Session::default();
    while let Some(frame) = frames::read(&mut requests)? {
        let answer = match Request::decode(frame.as_slice()) {
            // A panic costs the instance that it met, which is no longer there, and nobody else.
            Ok(request) => catch_unwind(AssertUnwindSafe(|| session.answer(request))).unwrap_or_else(|panic| {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                refused(format!("the runner panicked: {}", text.unwrap_or("nobody knows why")), true)
            }),
            Err(error) => refused(format!("this is no request: {error}"), false),
        };
        frames::write(&mut answers, &Answer { answer: Some(answer) })?;
        answers.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

fn refused(message: impl Into<String>, is_bug: bool) -> Kind {
    Kind::Refused(Refused { message: message.into(), is_bug })
}
