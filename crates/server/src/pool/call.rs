//! A job as a worker's call, and a worker's answer as a job's outcome. What can't be sent or read is a failure of that one job.

use serde::de::DeserializeOwned;
use waymark_engine::{Job, JobOutcome, Work};
use waymark_ir::exceptions::exception;
use waymark_ir::{ExceptionValue, Value, payload};
use waymark_proto::worker::call::Work as WireWork;
use waymark_proto::worker::settled::Outcome as Wire;
use waymark_proto::worker::{ActionCall, Call, FragmentCall, Settled};
use waymark_runner::{FragmentOutcome, Outcome};

/// How deep the shapes of a fragment's result may be nested.
const SHAPE_DEPTH_MAX: usize = 512;

/// What a call takes in a frame beside its payloads and names, at most.
const CALL_BYTES_OTHER: usize = 160;

/// A call, and about how many bytes it takes in a frame.
pub fn encode(call_id: u64, job: &Job, payload_bytes_max: usize) -> Result<(Call, usize), Box<ExceptionValue>> {
    let (execution, attempt) = match &job.work {
        Work::Action(call) => (call.execution, call.attempt),
        Work::Fragment(call) => (call.execution, call.attempt),
    };
    let mut call = Call {
        call_id,
        execution_id: execution.to_string(),
        attempt,
        instance_id: job.instance_id.as_bytes().to_vec().into(),
        workflow_name: job.workflow_name.to_string(),
        timeout_ms: 0,
        work: None,
    };
    let mut bytes = CALL_BYTES_OTHER + call.workflow_name.len();
    let work = match &job.work {
        Work::Action(action) => {
            let positional = payload::encode_list(action.positional.iter());
            let keyword = payload::encode_named(action.keyword.iter().map(|(name, value)| (&**name, value)));
            if positional.len() + keyword.len() > payload_bytes_max {
                return Err(Box::new(arguments_too_large(action, payload_bytes_max)));
            }
            call.timeout_ms = action.timeout_us.map_or(0, |timeout_us| (timeout_us / 1_000).max(1) as u64);
            bytes += positional.len() + keyword.len() + action.name.len();
            let name = action.name.to_string();
            WireWork::Action(ActionCall {
                name,
                positional: positional.into(),
                keyword: keyword.into(),
                transaction: action.transaction,
            })
        }
        Work::Fragment(fragment) => {
            let captures = rmp_serde::to_vec(&fragment.captures).map_err(unwritable)?;
            let objects = rmp_serde::to_vec(&fragment.objects).map_err(unwritable)?;
            let size = captures.len() + objects.len() + fragment.source.len();
            if size > payload_bytes_max {
                let text =
                    format!("the values that a piece of code needs take {size} bytes, {payload_bytes_max} may be");
                return Err(Box::new(payload_error("waymark.PayloadTooLarge", text)));
            }
            bytes += size + fragment.writes.iter().map(|name| name.len() + 8).sum::<usize>();
            WireWork::Fragment(FragmentCall {
                source: fragment.source.to_string(),
                captures: captures.into(),
                objects: objects.into(),
                writes: fragment.writes.iter().map(|name| name.to_string()).collect(),
            })
        }
    };
    call.work = Some(work);
    Ok((call, bytes))
}

/// Names the largest: it's the one to look at.
fn arguments_too_large(call: &waymark_runner::Dispatch, payload_bytes_max: usize) -> ExceptionValue {
    let positional = call.positional.iter().enumerate().map(|(at, value)| ((at + 1).to_string(), value));
    let keyword = call.keyword.iter().map(|(name, value)| (format!("'{name}'"), value));
    let sizes = positional.chain(keyword).map(|(name, value)| (payload::encode(value).len(), name));
    let (size, argument) = sizes.max().unwrap_or_default();
    let text = format!(
        "the arguments of {} are too large: argument {argument} takes {size} bytes, {payload_bytes_max} is the limit for all",
        call.name
    );
    payload_error("waymark.PayloadTooLarge", text)
}

fn unwritable(error: rmp_serde::encode::Error) -> Box<ExceptionValue> {
    Box::new(payload_error("waymark.PayloadError", format!("a piece of code can't be sent to a worker: {error}")))
}

/// What a worker said, before it is known of which job.
pub enum Answer {
    Completed(Result<Value, Unreadable>),
    Failed(Result<ExceptionValue, Unreadable>),
    Fragment(Result<FragmentOutcome, Unreadable>),
    Cancelled,
    Stored,
    UnknownAction,
    /// Of a kind that we don't know.
    Nothing,
}

pub enum Unreadable {
    TooLarge { bytes: usize, bytes_max: usize },
    Malformed(String),
}

pub fn read(settled: Settled, payload_bytes_max: usize) -> Answer {
    match settled.outcome {
        Some(Wire::Completed(bytes)) => Answer::Completed(read_value(&bytes, payload_bytes_max)),
        Some(Wire::Failed(bytes)) => Answer::Failed(read_exception(&bytes, payload_bytes_max)),
        Some(Wire::Cancelled(_)) => Answer::Cancelled,
        Some(Wire::Fragment(result)) => {
            let bytes = result.value.len() + result.objects.len() + result.failed.len();
            Answer::Fragment(checked(bytes, payload_bytes_max).and_then(|()| {
                if let Some(number) = result.raised {
                    return Ok(FragmentOutcome::RaisedObject { number, objects: read_shape(&result.objects)? });
                }
                if result.failed.is_empty() {
                    let (value, objects) = (read_shape(&result.value)?, read_shape(&result.objects)?);
                    return Ok(FragmentOutcome::Completed { value, objects });
                }
                let exception = read_exception(&result.failed, payload_bytes_max)?;
                Ok(FragmentOutcome::Raised { exception, objects: read_shape(&result.objects)? })
            }))
        }
        Some(Wire::UnknownAction(_)) => Answer::UnknownAction,
        Some(Wire::Stored(_)) => Answer::Stored,
        None => Answer::Nothing,
    }
}

fn checked(bytes: usize, bytes_max: usize) -> Result<(), Unreadable> {
    match bytes > bytes_max {
        true => Err(Unreadable::TooLarge { bytes, bytes_max }),
        false => Ok(()),
    }
}

fn read_value(bytes: &[u8], payload_bytes_max: usize) -> Result<Value, Unreadable> {
    checked(bytes.len(), payload_bytes_max)?;
    payload::decode(bytes).map_err(|error| Unreadable::Malformed(error.to_string()))
}

fn read_exception(bytes: &[u8], payload_bytes_max: usize) -> Result<ExceptionValue, Unreadable> {
    match read_value(bytes, payload_bytes_max)? {
        Value::Exception(exception) => Ok(*exception),
        _ => Err(Unreadable::Malformed("it is no exception".into())),
    }
}

fn read_shape<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Unreadable> {
    let mut reader = rmp_serde::Deserializer::from_read_ref(bytes);
    reader.set_max_depth(SHAPE_DEPTH_MAX);
    T::deserialize(&mut reader).map_err(|error| Unreadable::Malformed(error.to_string()))
}

/// What an answer means for a job. None: the job has not been run at all.
pub fn outcome(work: &Work, answer: Answer, cancelling: bool) -> Option<JobOutcome> {
    let failure = match (work, answer) {
        (_, Answer::UnknownAction) => return None,
        (_, Answer::Cancelled) if cancelling => return Some(cancelled()),
        // Nobody asked for that. An engine would take it for the end of a run before its own, and run the call again, for ever.
        (_, Answer::Cancelled) => return Some(failed(work, cancelled_error())),
        (Work::Action(_), Answer::Completed(Ok(value))) => return Some(JobOutcome::Action(Outcome::Completed(value))),
        (Work::Fragment(_), Answer::Fragment(Ok(outcome))) => return Some(JobOutcome::Fragment(outcome)),
        (Work::Action(call), Answer::Stored) if call.transaction => return Some(JobOutcome::Stored),
        (_, Answer::Stored) => Unreadable::Malformed("it is that of a transaction".into()),
        (_, Answer::Failed(Ok(exception))) => return Some(failed(work, exception)),
        (
            _,
            Answer::Completed(Err(unreadable)) | Answer::Failed(Err(unreadable)) | Answer::Fragment(Err(unreadable)),
        ) => unreadable,
        (Work::Action(_), Answer::Fragment(Ok(_))) => Unreadable::Malformed("it is that of a piece of code".into()),
        (Work::Fragment(_), Answer::Completed(Ok(_))) => Unreadable::Malformed("it is that of an action".into()),
        (_, Answer::Nothing) => Unreadable::Malformed("it is of a kind that is not known here".into()),
    };
    let name = name(work);
    let exception = match failure {
        Unreadable::TooLarge { bytes, bytes_max } => payload_error(
            "waymark.PayloadTooLarge",
            format!("the result of {name} is too large: it takes {bytes} bytes, {bytes_max} is the limit"),
        ),
        Unreadable::Malformed(reason) => {
            payload_error("waymark.PayloadError", format!("the result of {name} can't be read: {reason}"))
        }
    };
    Some(failed(work, exception))
}

/// What a job calls for, for people.
pub(super) fn name(work: &Work) -> &str {
    match work {
        Work::Action(call) => &call.name,
        Work::Fragment(_) => "a piece of code",
    }
}

pub fn failed(work: &Work, exception: ExceptionValue) -> JobOutcome {
    match work {
        Work::Action(_) => JobOutcome::Action(Outcome::Failed(exception)),
        Work::Fragment(_) => JobOutcome::Fragment(FragmentOutcome::Failed(exception)),
    }
}

/// It was told to stop, and has. Whoever still wants it asks again: so a fragment, too, must not seem to have failed.
pub(super) fn cancelled() -> JobOutcome {
    JobOutcome::Action(Outcome::Cancelled)
}

fn cancelled_error() -> ExceptionValue {
    exception("asyncio.CancelledError", Vec::new())
}

pub(super) fn crashed(work: &Work, message: String) -> JobOutcome {
    match work {
        Work::Action(_) => JobOutcome::Action(Outcome::WorkerCrashed(message)),
        Work::Fragment(_) => {
            let exception = exception("waymark.WorkerCrashed", vec![Value::Str(message)]);
            JobOutcome::Fragment(FragmentOutcome::Failed(exception))
        }
    }
}

/// Another try would come to the same.
fn payload_error(type_name: &str, text: String) -> ExceptionValue {
    let mut bases: Vec<String> =
        ["waymark.PayloadError", "waymark.NonRetryable", "Exception", "BaseException"].map(String::from).to_vec();
    bases.retain(|base| base != type_name);
    ExceptionValue { bases, ..exception(type_name, vec![Value::Str(text)]) }
}
