//! `waymark test-worker`: a worker with actions for tests and benchmarks, so that these need no other language.

use std::fs::OpenOptions;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use waymark_worker::{Arguments, Context, ExceptionValue, Value, Worker};

use super::block_on;

/// A worker for tests: echo, add, double, sleep, fail, crash, ignore_cancel, record
#[derive(clap::Args)]
pub struct Options {}

pub fn run(_options: &Options) -> anyhow::Result<ExitCode> {
    block_on(async {
        let worker = Worker::new(waymark_worker::Options::from_environment()?)
            .action("echo", |arguments, _| async move { Ok(argument(&arguments, 0, "value")?) })
            .action("add", |arguments, _| async move {
                Ok(Value::Int(int(&arguments, 0, "a")?.wrapping_add(int(&arguments, 1, "b")?)))
            })
            .action("double", |arguments, _| async move { Ok(Value::Int(int(&arguments, 0, "n")?.wrapping_mul(2))) })
            .action("sleep", |arguments, _| async move {
                tokio::time::sleep(seconds(&arguments)?).await;
                Ok(Value::None)
            })
            .action("fail", |arguments, _| async move {
                let message = text(&arguments, 0, "message")?;
                Err(exception("ValueError", &message).into())
            })
            .action("crash", |_, _| async move { std::process::abort() })
            .action("ignore_cancel", |arguments, context| async move { ignore_cancel(arguments, context).await })
            .action("record", |arguments, context| async move {
                let recorded = record(&arguments, &context)?;
                if arguments.get("seconds").is_some() {
                    tokio::time::sleep(seconds(&arguments)?).await;
                }
                Ok(recorded)
            });
        run_until_terminated(worker).await
    })
}

/// Until the engine ends the stream, or SIGTERM.
pub async fn run_until_terminated(worker: Worker) -> anyhow::Result<ExitCode> {
    let stop = CancellationToken::new();
    let (stopping, mut terminate) = (stop.clone(), signal(SignalKind::terminate())?);
    tokio::spawn(async move {
        terminate.recv().await;
        stopping.cancel();
    });
    worker.run(stop).await?;
    Ok(ExitCode::SUCCESS)
}

/// Says that it ran, and may then take a while. One write a line: lines of several processes don't mix.
fn record(arguments: &Arguments, context: &Context) -> Result<Value, Failure> {
    let (file, text) = (text(arguments, 0, "file")?, text(arguments, 1, "text")?);
    let worker = std::env::var("WAYMARK_WORKER_ID").unwrap_or_default();
    let line = format!("{} {} {worker} {text}\n", context.execution_id, context.attempt);
    let opened = OpenOptions::new().create(true).append(true).open(file);
    let written = opened.and_then(|mut file| file.write_all(line.as_bytes()));
    written.map(|()| Value::None).map_err(|error| exception("OSError", &error.to_string()))
}

/// Goes on although it was told to stop.
async fn ignore_cancel(arguments: Arguments, context: Context) -> Result<Value, ExceptionValue> {
    let time = seconds(&arguments)?;
    let going_on = async {
        context.cancelled().await;
        std::future::pending::<()>().await
    };
    let _ = tokio::time::timeout(time, going_on).await;
    Ok(Value::None)
}

fn argument(arguments: &Arguments, position: usize, name: &str) -> Result<Value, Failure> {
    let given = arguments.get(name).or_else(|| arguments.positional.get(position)).cloned();
    given.ok_or_else(|| exception("TypeError", &format!("the argument {name} is missing")))
}

fn int(arguments: &Arguments, position: usize, name: &str) -> Result<i64, Failure> {
    match argument(arguments, position, name)? {
        Value::Int(number) => Ok(number),
        _ => Err(exception("TypeError", &format!("{name} must be an int"))),
    }
}

fn text(arguments: &Arguments, position: usize, name: &str) -> Result<String, Failure> {
    match argument(arguments, position, name)? {
        Value::Str(text) => Ok(text),
        _ => Err(exception("TypeError", &format!("{name} must be a str"))),
    }
}

fn seconds(arguments: &Arguments) -> Result<Duration, Failure> {
    let number = match argument(arguments, 0, "seconds")? {
        Value::Int(number) => number as f64,
        Value::Float(number) => number,
        _ => return Err(exception("TypeError", "seconds must be a number")),
    };
    Duration::try_from_secs_f64(number).map_err(|error| exception("ValueError", &error.to_string()))
}

/// What an action fails with.
struct Failure(Box<ExceptionValue>);

impl From<Failure> for ExceptionValue {
    fn from(failure: Failure) -> ExceptionValue {
        *failure.0
    }
}

fn exception(type_name: &str, message: &str) -> Failure {
    Failure(Box::new(waymark_ir::exceptions::exception(type_name, vec![Value::str(message)])))
}
