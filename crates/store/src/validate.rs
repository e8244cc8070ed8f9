//! Checks of single rows before they meet a database, so that both refuse the same ones.

use crate::{AttemptSettlement, Message, NewInstance, OnConflict, PRIORITY_LEVELS, Progress, Rewrite, tags};

/// Postgres can't store a NUL in text, so nobody may.
pub(crate) fn text<'a>(what: &str, values: impl IntoIterator<Item = &'a str>) -> Result<(), String> {
    match values.into_iter().any(|value| value.contains('\0')) {
        true => Err(format!("{what} contains a NUL character")),
        false => Ok(()),
    }
}

pub(crate) fn instance(new: &NewInstance) -> Result<(), String> {
    if new.priority >= PRIORITY_LEVELS {
        return Err(format!("priority {} is not below {PRIORITY_LEVELS}", new.priority));
    }
    if new.unique_for.is_some() && matches!(new.on_conflict, OnConflict::Replace(_)) {
        return Err("a start that replaces is not unique for a time\nhint: leave one of them out".into());
    }
    if new.user_key.is_none() && (new.unique_for.is_some() || new.on_conflict != OnConflict::SameInputs) {
        return Err("what to do about a taken id is said without an id\nhint: give the start an id".into());
    }
    text("the queue", [new.queue.as_str()])?;
    text("the key", new.user_key.as_deref())?;
    tags::problem(&new.tags).map_or(Ok(()), Err)?;
    text("the queue's key", new.queue_key.as_deref())?;
    text("the parent's execution id", new.parent.as_ref().map(|parent| parent.execution_id.as_str()))
}

pub(crate) fn message(message: &Message) -> Result<(), String> {
    text("the message's name", [message.kind.as_str(), message.name.as_str()])
}

pub(crate) fn settlement(settlement: &AttemptSettlement) -> Result<(), String> {
    text("the execution id", [settlement.key.execution_id.as_str()])?;
    message(&settlement.message)
}

pub(crate) fn rewrite(rewrite: &Rewrite) -> Result<(), String> {
    if rewrite.log.seq != rewrite.expected_seq.saturating_add(1) {
        return Err(format!("log row {} does not follow {}", rewrite.log.seq, rewrite.expected_seq));
    }
    if let Some(new) = &rewrite.start {
        if new.instance_id != rewrite.instance_id {
            return Err(format!("the start of {} stands with the state of {}", new.instance_id, rewrite.instance_id));
        }
        if rewrite.expected_seq != 0 || !rewrite.was_live {
            return Err("what is started with its state has had no events, and is live".into());
        }
        instance(new)?;
    }
    text("the log row's kind", [rewrite.log.kind.as_ref()])
}

pub(crate) fn progress(progress: &Progress) -> Result<(), String> {
    for (row, expected) in progress.log.iter().zip(progress.expected_seq.saturating_add(1)..) {
        if row.seq != expected {
            return Err(format!("log row {} stands where {expected} should", row.seq));
        }
        text("the log row's kind", [row.kind.as_ref()])?;
        text("the execution id", row.execution_id.as_deref())?;
        text("the worker's name", row.worker.as_deref())?;
    }
    text("what it waits for", progress.waits_for.as_deref())?;
    text("the id of an update", progress.replies.iter().map(|reply| reply.update_id.as_str()))?;
    progress.messages.iter().try_for_each(self::message)?;
    progress.children.iter().try_for_each(self::instance)
}
