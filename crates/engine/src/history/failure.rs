//! Which step an instance failed with. Its log is followed to its end: what a program caught, or stopped by itself, did not make it fail.

use std::collections::BTreeSet;

use waymark_ir::{ExceptionValue, Value};
use waymark_runner::{Ending, Event, FragmentOutcome, Instance, Outcome};
use waymark_store::LogRow;

use super::{CannotRewind, replay_one, settled};

/// A step that ended without a result, while the program was still at work.
struct Candidate {
    seq: i64,
    ordinal: u64,
    /// None: it took too long, or was stopped.
    exception: Option<ExceptionValue>,
}

/// The last event before that step, and its execution, which is to have another attempt. One that did not end in time goes on from
/// where it stood then.
pub(super) fn find<'a>(
    mut instance: Instance,
    rows: impl Iterator<Item = &'a LogRow> + Clone,
) -> Result<(i64, Option<u64>), CannotRewind> {
    let mut candidates: Vec<Candidate> = Vec::new();
    for row in rows.clone() {
        let before: BTreeSet<u64> = instance.executions_in_flight().collect();
        let is_at_work = !instance.is_closing();
        let was_timed_out = instance.is_timed_out();
        replay_one(&mut instance, row).map_err(CannotRewind)?;
        if instance.is_timed_out() && !was_timed_out {
            return Ok((row.seq - 1, None));
        }
        if !is_at_work || settled(row).is_some_and(|(_, is_completed)| is_completed) {
            continue;
        }
        let after: BTreeSet<u64> = instance.executions_in_flight().collect();
        let exception = exception(row);
        let gone = before.difference(&after);
        candidates.extend(gone.map(|ordinal| Candidate {
            seq: row.seq,
            ordinal: *ordinal,
            exception: exception.clone(),
        }));
    }
    let Some(Ending::Failed(error)) = instance.ending() else {
        return Err(CannotRewind("it has not failed".into()));
    };
    if let Some(found) = candidates.iter().rev().find(|candidate| candidate.is_behind(error)) {
        return Ok((found.seq - 1, Some(found.ordinal)));
    }
    let own = "its own code raised";
    let Some(last) = candidates.last() else {
        return Err(CannotRewind(format!(
            "no step of it has failed: {own}\nhint: deploy a fix and migrate it, or retry from an earlier step"
        )));
    };
    let is_later = |row: &&LogRow| row.seq > last.seq && settled(row).is_some_and(|(_, is_completed)| is_completed);
    if let Some(later) = rows.clone().find(is_later) {
        return Err(CannotRewind(format!(
            "{own}, after it had gone on without the step that failed, {}: going back to that would run completed steps again, as {}\n\
             hint: say from which step, if that is what you want",
            last.seq, later.seq
        )));
    }
    Ok((last.seq - 1, Some(last.ordinal)))
}

impl Candidate {
    /// Whether an exception is this step's, or came of it.
    fn is_behind(&self, error: &ExceptionValue) -> bool {
        any(error, &|one| match &self.exception {
            Some(own) => (&one.type_name, &one.args, &one.message) == (&own.type_name, &own.args, &own.message),
            None => matches!(one.type_name.as_str(), "TimeoutError" | "asyncio.CancelledError"),
        })
    }
}

/// What a step raised.
fn exception(row: &LogRow) -> Option<ExceptionValue> {
    match Event::decode(&row.outcome).ok()? {
        Event::Settled { outcome: Outcome::Failed(exception), .. } => Some(exception),
        Event::Settled { outcome: Outcome::WorkerCrashed(message), .. } => {
            Some(waymark_ir::exceptions::exception("waymark.WorkerCrashed", vec![Value::Str(message)]))
        }
        Event::FragmentSettled { outcome, .. } => FragmentOutcome::error(&outcome),
        _ => None,
    }
}

/// Whether it is so of an exception, of one that it came of, or of one in a group.
fn any(error: &ExceptionValue, is_so: &dyn Fn(&ExceptionValue) -> bool) -> bool {
    let in_group = |value: &Value| match value {
        Value::List(members) | Value::Tuple(members) => {
            members.iter().any(|member| matches!(member, Value::Exception(member) if any(member, is_so)))
        }
        _ => false,
    };
    is_so(error)
        || error.cause.iter().chain(&error.context).any(|link| any(link, is_so))
        || error.args.iter().any(in_group)
}
