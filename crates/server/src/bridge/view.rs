//! Instances as clients see them.

use std::collections::BTreeSet;

use tonic::Status as Refused;
use uuid::Uuid;
use waymark_proto::bridge as wire;
use waymark_store::{Instance, InstanceFilter, Status, Timestamp, Turn};

use super::error;
use super::start::TAGS_MAX;

/// Counting ends here, however many there are.
pub(super) const COUNT_MAX: u32 = 100_000;

pub(super) fn instance(instance: &Instance) -> wire::Instance {
    wire::Instance {
        instance_id: instance.instance_id.as_bytes().to_vec(),
        workflow_name: instance.workflow_name.clone(),
        workflow_version: instance.workflow_version.clone(),
        id: instance.user_key.clone().unwrap_or_default(),
        status: status(instance.status).into(),
        inputs: instance.inputs.clone(),
        result: instance.result.clone(),
        error: instance.error.clone(),
        waits_for: waits_for(instance).unwrap_or_default(),
        stuck_reason: instance.stuck_reason.clone().unwrap_or_default(),
        created_at_us: instance.created_at.0,
        finished_at_us: instance.finished_at.map(|at| at.0),
        scheduled_at_us: instance.scheduled_at.filter(|at| *at != Timestamp::NEVER).map(|at| at.0),
        parent_instance_id: instance
            .parent
            .as_ref()
            .map(|parent| parent.instance_id.as_bytes().to_vec())
            .unwrap_or_default(),
        tags: instance.tags.clone(),
        queue: instance.queue.clone(),
        key: instance.queue_key.clone().unwrap_or_default(),
        deadline_us: instance.deadline_at.map(|at| at.0),
        schedule_id: instance.schedule_id.map(|id| id.as_bytes().to_vec()).unwrap_or_default(),
        error_type: instance.error_type.clone().unwrap_or_default(),
    }
}

/// What the program waits for, and what its place in the queue does.
fn waits_for(instance: &Instance) -> Option<String> {
    let is_due = || instance.scheduled_at.is_some_and(|at| at <= Timestamp::now());
    let queue = &instance.queue;
    let turn = match instance.turn? {
        Turn::Held => None,
        Turn::WorkflowPaused => Some("its workflow, which is paused".to_string()),
        Turn::QueuePaused => Some(format!("queue {queue}, which is paused")),
        // One that has begun and is due has just been woken.
        Turn::Waiting if instance.waits_for.is_none() && is_due() => Some(format!("its turn in queue {queue}")),
        Turn::Waiting => None,
    };
    match (instance.waits_for.clone(), turn) {
        (Some(program), Some(turn)) => Some(format!("{program}, and for {turn}")),
        (program, turn) => program.or(turn),
    }
}

pub(super) fn status(status: Status) -> wire::InstanceStatus {
    match status {
        Status::Running => wire::InstanceStatus::Running,
        Status::Stuck => wire::InstanceStatus::Stuck,
        Status::Completed => wire::InstanceStatus::Completed,
        Status::Failed => wire::InstanceStatus::Failed,
        Status::Cancelled => wire::InstanceStatus::Cancelled,
        Status::Paused => wire::InstanceStatus::Paused,
        Status::Terminated => wire::InstanceStatus::Terminated,
    }
}

/// What a filter of a client's means.
pub(super) fn filter(wanted: wire::InstanceFilter) -> Result<InstanceFilter, Refused> {
    // Each once: a database has to read them all.
    let statuses: BTreeSet<i32> = wanted.statuses.into_iter().collect();
    let statuses = statuses.iter().map(|wanted| {
        let known = Status::ALL.into_iter().find(|known| i32::from(status(*known)) == *wanted);
        known.ok_or_else(|| error::invalid(format!("{wanted} is no status of an instance")))
    });
    for tag in &wanted.tags {
        text("a tag", tag.clone())?;
    }
    if wanted.tags.len() > TAGS_MAX {
        let count = wanted.tags.len();
        return Err(error::invalid(format!("{count} tags are more than the {TAGS_MAX} that an instance can have")));
    }
    Ok(InstanceFilter {
        statuses: statuses.collect::<Result<_, _>>()?,
        workflow_name: text("workflow_name", wanted.workflow_name)?,
        workflow_version: text("workflow_version", wanted.workflow_version)?,
        user_key: text("id", wanted.id)?,
        parent_instance_id: optional_id("parent_instance_id", &wanted.parent_instance_id)?,
        schedule_id: optional_id("schedule_id", &wanted.schedule_id)?,
        queue: text("queue", wanted.queue)?,
        queue_key: text("key", wanted.key)?,
        tags: wanted.tags,
        error_type: text("error_type", wanted.error_type)?,
        created_from: wanted.created_from_us.map(Timestamp),
        created_before: wanted.created_before_us.map(Timestamp),
        finished_from: wanted.finished_from_us.map(Timestamp),
        finished_before: wanted.finished_before_us.map(Timestamp),
        text: text("text", wanted.text)?,
        cursor: None,
        limit: 0,
    })
}

pub(super) fn instance_id(field: &str, id: &[u8]) -> Result<Uuid, Refused> {
    Uuid::from_slice(id).map_err(|_| {
        error::invalid(format!("{field} has an id of {} bytes\nhint: an instance's id is 16 bytes", id.len()))
    })
}

pub(super) fn optional_id(field: &str, id: &[u8]) -> Result<Option<Uuid>, Refused> {
    (!id.is_empty()).then(|| instance_id(field, id)).transpose()
}

/// Part of a filter; empty: it does not filter.
pub(super) fn text(field: &str, text: String) -> Result<Option<String>, Refused> {
    match text.contains('\0') {
        true => Err(error::invalid(format!("{field} contains a NUL character"))),
        false => Ok((!text.is_empty()).then_some(text)),
    }
}
