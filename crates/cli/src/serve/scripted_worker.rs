//! `waymark scripted-worker`: a worker that answers from a script, so that a workflow can be tried for real before there are actions.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use waymark_runner::simulate::{Answer, Reply};
use waymark_worker::{Arguments, Context, ExceptionValue, Value, Worker};

use super::block_on;
use super::test_worker::run_until_terminated;
use crate::sim::read_script;

/// A worker that answers from a script; `waymark dev --actions` starts it
#[derive(clap::Args)]
pub struct Options {
    /// As for `waymark sim --actions`
    script: PathBuf,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let script = Arc::new(read_script(&options.script)?);
    let calls: Arc<Mutex<HashMap<String, usize>>> = Arc::default();
    let mut worker = Worker::new(waymark_worker::Options::from_environment()?);
    for name in script.actions.keys() {
        let (script, calls, named) = (script.clone(), calls.clone(), name.clone());
        worker = worker.action(name, move |arguments, context| {
            let mut calls = calls.lock().unwrap_or_else(PoisonError::into_inner);
            let before = calls.entry(named.clone()).or_default();
            let reply = script.reply(&named, *before);
            *before += 1;
            answer(reply, arguments, context)
        });
    }
    block_on(run_until_terminated(worker))
}

async fn answer(reply: Reply, arguments: Arguments, context: Context) -> Result<Value, ExceptionValue> {
    let pause = tokio::time::sleep(Duration::from_micros(u64::try_from(reply.after_us).unwrap_or_default()));
    if reply.ignores_cancel {
        // Whoever listens for a cancellation decides alone when to end.
        tokio::join!(pause, async { tokio::time::timeout(Duration::ZERO, context.cancelled()).await.ok() });
    } else {
        pause.await;
    }
    match reply.answer {
        Answer::Return(value) => Ok(value),
        Answer::Echo(name) => Ok(arguments.get(&name).cloned().unwrap_or(Value::None)),
        Answer::Arguments => {
            let named = arguments.keyword.into_iter().map(|(name, value)| (Value::Str(name), value));
            Ok(Value::Dict(named.collect()))
        }
        Answer::Fail(exception) => Err(exception),
        Answer::Crash(text) => {
            eprintln!("{text}");
            std::process::abort()
        }
        Answer::Never => std::future::pending().await,
    }
}
