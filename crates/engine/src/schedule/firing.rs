//! What a schedule does when it is due: a decision over what the store showed of one moment.

use std::time::Duration;

use sha2::{Digest, Sha256};
use uuid::Uuid;
use waymark_runner::Event;
use waymark_store::{DueSchedule, Firing, NewInstance, SchedulePosition, Timestamp};

use super::{Calendar, Definition, Overlap};
use crate::Mail;
use crate::clock::micros;

/// However short its catch-up window, a schedule may be this late: nobody is there to the microsecond.
pub const CATCH_UP_MIN: Duration = Duration::from_secs(10);
/// Instances that one firing starts; due times that it looks at.
const STARTS_MAX: usize = 100;
const DUE_TIMES_MAX: usize = 10_000;
/// How often one that holds a run back looks whether the one before has ended.
const BUFFERED_LOOK: Duration = Duration::from_secs(1);

/// All that is due now, as far as it fits in one firing; what is left is due at once.
pub fn fire(due: &DueSchedule) -> Result<Firing, String> {
    let definition = Definition::decode(&due.schedule.definition)?;
    let calendar = definition.calendar()?;
    let DueSchedule { schedule, live, now, .. } = due;
    let mut firing = unmoved(due);
    let mut starts: Vec<Timestamp> = Vec::new();
    let mut position = schedule.position;
    if live.is_empty() {
        starts.extend(position.buffered_at.take());
    }
    let catch_up_us = definition.catch_up_us.max(micros(CATCH_UP_MIN));
    for _ in 0..DUE_TIMES_MAX {
        let Some(at) = calendar.next_after(position.handled_until) else { break };
        let runs_at = calendar.runs_at(schedule.schedule_id, at);
        if runs_at > *now || starts.len() >= STARTS_MAX {
            break;
        }
        position.handled_until = at;
        let is_going = !live.is_empty() || !starts.is_empty();
        if now.0 - runs_at.0 > catch_up_us || due.active_version_id.is_none() {
            firing.missed += 1;
            continue;
        }
        match definition.overlap {
            Overlap::Allow => starts.push(at),
            Overlap::Skip | Overlap::BufferOne if !is_going => starts.push(at),
            Overlap::BufferOne if position.buffered_at.is_none() => position.buffered_at = Some(at),
            Overlap::Skip | Overlap::BufferOne => firing.overlapped += 1,
            // Of several, the last one is the one that is not cancelled.
            Overlap::CancelRunning => firing.overlapped += starts.splice(.., [at]).count() as i64,
        }
    }
    if definition.overlap == Overlap::CancelRunning && !starts.is_empty() {
        firing.messages = live.iter().map(|id| cancel(*id, schedule.schedule_id)).collect();
    }
    let next = next_run_at(&calendar, schedule.schedule_id, position.handled_until);
    let look = position.buffered_at.map(|_| *now + BUFFERED_LOOK);
    firing.position = SchedulePosition { next_run_at: [next, look].into_iter().flatten().min(), ..position };
    if let Some(version) = due.active_version_id {
        let start = |at: &Timestamp| instance(due, &definition, version, run_id(schedule.schedule_id, *at));
        firing.instances = starts.iter().map(start).collect();
    }
    firing.last_run = starts.last().copied().zip(firing.instances.last().map(|new| new.instance_id));
    Ok(firing)
}

/// One instance more, now, whatever the calendar says and whatever is going.
pub fn trigger(due: &DueSchedule, instance_id: Uuid) -> Result<Firing, String> {
    let definition = Definition::decode(&due.schedule.definition)?;
    let version = due.active_version_id.ok_or("its workflow has no version")?;
    let mut firing = unmoved(due);
    firing.instances = vec![instance(due, &definition, version, instance_id)];
    firing.last_run = Some((due.now, instance_id));
    Ok(firing)
}

/// An instance for each of these due times. Where a due time has one already, that is the one.
pub fn backfill(due: &DueSchedule, due_times: &[Timestamp]) -> Result<Firing, String> {
    let definition = Definition::decode(&due.schedule.definition)?;
    let version = due.active_version_id.ok_or("its workflow has no version")?;
    let id = due.schedule.schedule_id;
    let instances = due_times.iter().map(|at| instance(due, &definition, version, run_id(id, *at))).collect();
    Ok(Firing { instances, ..unmoved(due) })
}

/// Where a schedule stands that has done with everything until then.
pub fn place(calendar: &Calendar, schedule_id: Uuid, handled_until: Timestamp) -> SchedulePosition {
    SchedulePosition {
        handled_until,
        buffered_at: None,
        next_run_at: next_run_at(calendar, schedule_id, handled_until),
    }
}

/// The instance of a due time: a UUIDv7 of that time, so that lists have it in its place.
pub fn run_id(schedule_id: Uuid, due: Timestamp) -> Uuid {
    let mut digest = Sha256::new();
    digest.update(b"run\0");
    digest.update(schedule_id.as_bytes());
    digest.update(due.0.to_be_bytes());
    let bytes = digest.finalize();
    let milliseconds = u64::try_from(due.0 / 1_000).unwrap_or_default();
    uuid::Builder::from_unix_timestamp_millis(milliseconds, &std::array::from_fn(|at| bytes[at])).into_uuid()
}

fn next_run_at(calendar: &Calendar, schedule_id: Uuid, handled_until: Timestamp) -> Option<Timestamp> {
    calendar.next_after(handled_until).map(|next| calendar.runs_at(schedule_id, next))
}

/// A firing that does nothing.
fn unmoved(due: &DueSchedule) -> Firing {
    Firing {
        schedule_id: due.schedule.schedule_id,
        expected_revision: due.schedule.revision,
        instances: Vec::new(),
        messages: Vec::new(),
        position: due.schedule.position,
        last_run: None,
        overlapped: 0,
        missed: 0,
    }
}

fn instance(due: &DueSchedule, definition: &Definition, version: Uuid, instance_id: Uuid) -> NewInstance {
    NewInstance {
        queue: definition.queue.clone(),
        priority: definition.priority,
        tags: definition.tags.clone(),
        queue_key: definition.key.clone(),
        deadline_at: definition.timeout_us.map(|timeout_us| Timestamp(due.now.0.saturating_add(timeout_us))),
        schedule_id: Some(due.schedule.schedule_id),
        ..NewInstance::new(instance_id, version, definition.inputs.clone())
    }
}

fn cancel(instance_id: Uuid, schedule_id: Uuid) -> waymark_store::Message {
    let reason = Some("its schedule started the next run".into());
    // Derived: while it waits to be read, telling again is telling once.
    let message_id = Uuid::from_u128(instance_id.as_u128() ^ schedule_id.as_u128());
    Mail { instance_id, message_id, event: Event::Cancel { reason } }.into_message()
}

#[cfg(test)]
#[path = "firing_tests.rs"]
mod tests;
