//! `queued_instances`: claims, leases, sleep, and what is stuck.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};
use uuid::Uuid;

use super::queues::{self, SetQueue};
use super::row::{failed, parent};
use super::writer::Write;
use super::{actions, inbox, instances, limited};
use crate::change::is_soon;
use crate::queues::limited_lock;
use crate::time::micros;
use crate::{
    Change, Claim, Claimed, ClaimedInstance, Heartbeat, HeldLease, Lease, PRIORITY_LEVELS, Result, SeqUnderLease,
    Sleep, Timestamp,
};

pub(super) fn claim(write: &mut Write<'_>, claim: &Claim) -> Result<Claimed> {
    let limit = claim.limit as usize;
    let (mut plain, mut limited) = (Vec::new(), Vec::new());
    for name in &claim.queues {
        match queues::find(write.connection, name)? {
            None => plain.push(name.clone()),
            Some(queue) if !queue.paused => limited.push(queue),
            Some(_) => {}
        }
    }
    let has_due = |write: &Write<'_>, queue: &SetQueue| -> Result<bool> {
        Ok(!due(write, std::slice::from_ref(&queue.settings.name), 1)?.is_empty())
    };
    let is_limited = !limited.is_empty();
    let mut wanted = Vec::new();
    for queue in limited {
        let name = queue.settings.name.clone();
        wanted.push((has_due(write, &queue)?.then_some(queue), name));
    }
    // Neither kind of queue keeps the other from its turn.
    let reserved = if wanted.iter().any(|(due, _)| due.is_some()) { limit / 2 } else { 0 };
    let mut instances = Vec::new();
    let mut is_more = false;
    let lock_uuid = Uuid::new_v4();
    let rare = Rare::look(write)?;
    let due = due(write, &plain, limit - reserved)?;
    let is_full = due.len() >= limit - reserved;
    for (instance_id, claims) in due {
        match take(write, claim, rare, lock_uuid, instance_id, claims)? {
            Taken::Leased(instance) => instances.push(*instance),
            Taken::Parked => is_more = true,
            Taken::Stuck => {}
        }
    }
    let mut next = next_wakeup(write.connection, &plain)?.unwrap_or(Timestamp::NEVER);
    for (queue, name) in &wanted {
        let room = limit - instances.len();
        if let Some(queue) = queue.as_ref().filter(|_| room > 0) {
            let rest = limited::claim(write, claim, rare, queue, room, limited_lock(), &mut instances)?;
            is_more |= rest.more;
            next = rest.wait.map_or(next, |wait| next.min(write.now + wait));
        }
        next = next.min(next_coming(write, name)?);
    }
    let next = if is_more { write.now } else { next };
    let left = Duration::from_micros(next.0.saturating_sub(write.now.0).max(0).unsigned_abs());
    Ok(Claimed { instances, next_due_in: (next != Timestamp::NEVER).then_some(left), is_limited, is_full })
}

/// What is looked for with each instance that is claimed, unless there is none of it at all.
#[derive(Clone, Copy)]
pub(super) struct Rare {
    paused_workflows: bool,
    queued_actions: bool,
}

impl Rare {
    fn look(write: &Write<'_>) -> Result<Rare> {
        let select = "SELECT EXISTS (SELECT 1 FROM paused_workflows), EXISTS (SELECT 1 FROM queued_actions)";
        let read = |row: &rusqlite::Row<'_>| Ok(Rare { paused_workflows: row.get(0)?, queued_actions: row.get(1)? });
        write.connection.prepare_cached(select).and_then(|mut statement| statement.query_row([], read)).map_err(failed)
    }
}

/// What became of a row that was due.
pub(super) enum Taken {
    Leased(Box<ClaimedInstance>),
    Stuck,
    /// Its workflow is paused: it is out of the way until that ends.
    Parked,
}

pub(super) fn take(
    write: &mut Write<'_>,
    claim: &Claim,
    rare: Rare,
    lock_uuid: Uuid,
    instance_id: Uuid,
    claims: u32,
) -> Result<Taken> {
    if rare.paused_workflows && park(write, instance_id)? {
        return Ok(Taken::Parked);
    }
    if claims >= claim.claims_max {
        write_stuck(write, instance_id, &format!("claimed {claims} times without progress"))?;
        return Ok(Taken::Stuck);
    }
    let lease = Lease { instance_id, lock_uuid };
    write
        .connection
        .prepare_cached(
            "UPDATE queued_instances
             SET lock_uuid = ?2, lock_owner = ?3, lock_expires_at = ?4, claims = claims + 1, is_new = is_new AND NOT ?5
             WHERE instance_id = ?1",
        )
        .and_then(|mut statement| {
            let expires = write.now + claim.lease;
            statement.execute(params![instance_id, lock_uuid, claim.engine, expires, lease.is_limited()])
        })
        .map_err(failed)?;
    Ok(Taken::Leased(Box::new(hydrate(write.connection, rare, lease)?)))
}

fn park(write: &Write<'_>, instance_id: Uuid) -> Result<bool> {
    let parked = write
        .connection
        .prepare_cached(
            "UPDATE queued_instances SET parked_due_at = coalesce(parked_due_at, scheduled_at), scheduled_at = ?2
             WHERE instance_id = ?1
               AND (SELECT workflow_name FROM runner_instances WHERE instance_id = ?1)
                   IN (SELECT workflow_name FROM paused_workflows)",
        )
        .and_then(|mut statement| statement.execute(params![instance_id, Timestamp::NEVER]))
        .map_err(failed)?;
    Ok(parked > 0)
}

/// Due rows and how often they were claimed in vain.
fn due(write: &Write<'_>, queues: &[String], limit: usize) -> Result<Vec<(Uuid, u32)>> {
    let mut due: Vec<(Uuid, u32)> = Vec::new();
    let mut statement = write
        .connection
        .prepare_cached(
            "SELECT instance_id, claims FROM queued_instances
             WHERE lock_uuid IS NULL AND queue = ?1 AND priority = ?2 AND scheduled_at <= ?3
             ORDER BY scheduled_at LIMIT ?4",
        )
        .map_err(failed)?;
    for priority in 0..PRIORITY_LEVELS {
        for queue in queues {
            let rest = (limit - due.len()) as i64;
            if rest == 0 {
                return Ok(due);
            }
            let rows = statement
                .query_map(params![queue, priority, write.now, rest], |row| Ok((row.get(0)?, row.get(1)?)))
                .map_err(failed)?;
            for row in rows {
                due.push(row.map_err(failed)?);
            }
        }
    }
    Ok(due)
}

/// When the next one of a queue becomes due that is not.
fn next_coming(write: &Write<'_>, queue: &str) -> Result<Timestamp> {
    let mut statement = write
        .connection
        .prepare_cached(
            "SELECT min(scheduled_at) FROM queued_instances
             WHERE lock_uuid IS NULL AND queue = ?1 AND priority = ?2 AND scheduled_at > ?3",
        )
        .map_err(failed)?;
    let mut earliest = Timestamp::NEVER;
    for priority in 0..PRIORITY_LEVELS {
        let next: Option<Timestamp> =
            statement.query_row(params![queue, priority, write.now], |row| row.get(0)).map_err(failed)?;
        earliest = earliest.min(next.unwrap_or(Timestamp::NEVER));
    }
    Ok(earliest)
}

fn hydrate(connection: &Connection, rare: Rare, lease: Lease) -> Result<ClaimedInstance> {
    let instance_id = lease.instance_id;
    let mut claimed = connection
        .prepare_cached(
            "SELECT r.workflow_version_id, r.workflow_name, r.user_key, r.parent_instance_id, r.parent_execution_id, r.inputs,
                    r.created_at, q.queue, q.priority, q.seq, q.wake_seq, q.claims, q.scheduled_at, r.deadline_at
             FROM queued_instances q JOIN runner_instances r ON r.instance_id = q.instance_id WHERE q.instance_id = ?1",
        )
        .and_then(|mut statement| {
            statement.query_row([instance_id], |row| {
                Ok(ClaimedInstance {
                    lease,
                    workflow_version_id: row.get(0)?,
                    workflow_name: row.get(1)?,
                    user_key: row.get(2)?,
                    parent: parent(row)?,
                    inputs: row.get(5)?,
                    created_at: row.get(6)?,
                    queue: row.get(7)?,
                    priority: row.get(8)?,
                    seq: row.get(9)?,
                    wake_seq: row.get(10)?,
                    claims: row.get(11)?,
                    scheduled_at: row.get(12)?,
                    deadline_at: row.get(13)?,
                    snapshot: None,
                    log: Vec::new(),
                    inbox: Vec::new(),
                    routed: Vec::new(),
                })
            })
        })
        .map_err(failed)?;
    // Nothing has happened to a new one, and nobody has written to it: there is nothing to look for.
    if claimed.seq > 0 {
        claimed.snapshot = instances::snapshot(connection, instance_id)?;
        let after = claimed.snapshot.as_ref().map_or(0, |snapshot| snapshot.seq);
        claimed.log = instances::read_log(connection, instance_id, after, u32::MAX)?;
    }
    if rare.queued_actions {
        claimed.routed = actions::of_instance(connection, instance_id)?;
    }
    if claimed.wake_seq > 0 {
        claimed.inbox = inbox::rows(connection, instance_id)?;
    }
    Ok(claimed)
}

/// The row of a lease that is held, as (seq, wake_seq).
pub(super) fn held(write: &Write<'_>, lease: &Lease) -> Result<Option<(i64, i64)>> {
    write
        .connection
        .prepare_cached(
            "SELECT seq, wake_seq FROM queued_instances WHERE instance_id = ?1 AND lock_uuid = ?2 AND lock_expires_at > ?3",
        )
        .and_then(|mut statement| {
            statement
                .query_row(params![lease.instance_id, lease.lock_uuid, write.now], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()
        })
        .map_err(failed)
}

pub(super) fn read_seq(write: &mut Write<'_>, lease: &Lease) -> Result<SeqUnderLease> {
    if let Some((seq, _)) = held(write, lease)? {
        return Ok(SeqUnderLease::Held { seq });
    }
    let finished: Option<i64> = write
        .connection
        .query_row(
            "SELECT 1 FROM runner_instances WHERE instance_id = ?1 AND finished_lock = ?2",
            params![lease.instance_id, lease.lock_uuid],
            |row| row.get(0),
        )
        .optional()
        .map_err(failed)?;
    Ok(if finished.is_some() { SeqUnderLease::Finished } else { SeqUnderLease::Lost })
}

pub(super) fn sleep(write: &mut Write<'_>, sleep: &Sleep) -> Result<bool> {
    match held(write, &sleep.lease)? {
        Some((_, wake_seq)) if wake_seq == sleep.wake_seq => {}
        _ => return Ok(false),
    }
    release(write, sleep.lease, sleep.scheduled_at, sleep.tried)?;
    if let Some(waits_for) = &sleep.waits_for {
        set_waits_for(write, sleep.lease.instance_id, waits_for)?;
    }
    Ok(true)
}

/// Gives a row back that the caller knows to hold. A host that lives to do so was not taken down by it: no claims count.
pub(super) fn release(write: &mut Write<'_>, lease: Lease, scheduled_at: Timestamp, tried: bool) -> Result<()> {
    write
        .connection
        .prepare_cached(
            "UPDATE queued_instances
             SET lock_uuid = NULL, lock_owner = NULL, lock_expires_at = NULL, scheduled_at = ?2,
                 claims = CASE WHEN ?3 THEN 0 ELSE max(claims - 1, 0) END
             WHERE instance_id = ?1",
        )
        .and_then(|mut statement| statement.execute(params![lease.instance_id, scheduled_at, tried]))
        .map_err(failed)?;
    if is_soon(scheduled_at, write.now) || lease.is_limited() {
        write.changed(Change::Work);
    }
    Ok(())
}

pub(super) fn set_waits_for(write: &Write<'_>, instance_id: Uuid, waits_for: &str) -> Result<()> {
    write
        .connection
        .prepare_cached("UPDATE runner_instances SET waits_for = nullif(?2, '') WHERE instance_id = ?1")
        .and_then(|mut statement| statement.execute(params![instance_id, waits_for]))
        .map_err(failed)?;
    Ok(())
}

pub(super) fn heartbeat(write: &mut Write<'_>, heartbeat: &Heartbeat) -> Result<Vec<HeldLease>> {
    let mut held = Vec::new();
    let mut statement = write
        .connection
        .prepare_cached(
            "UPDATE queued_instances SET lock_expires_at = ?4
             WHERE instance_id = ?1 AND lock_uuid = ?2 AND lock_expires_at > ?3 RETURNING wake_seq",
        )
        .map_err(failed)?;
    for lease in &heartbeat.leases {
        let values = params![lease.instance_id, lease.lock_uuid, write.now, write.now + heartbeat.lease];
        let wake_seq = statement.query_row(values, |row| row.get(0)).optional().map_err(failed)?;
        held.extend(wake_seq.map(|wake_seq| HeldLease { instance_id: lease.instance_id, wake_seq }));
    }
    Ok(held)
}

pub(super) fn reclaim_expired(write: &mut Write<'_>, limit: u32) -> Result<u64> {
    let now = write.now;
    queues::forget_full(write)?;
    free(write, "lock_expires_at <= ?1 LIMIT ?2", params![now, limit])
}

pub(super) fn free_own(write: &mut Write<'_>, engine: &str) -> Result<u64> {
    let now = write.now;
    free(write, "lock_owner = ?2", params![now, engine])
}

/// What was held is due at once: nobody knows how far its owner came.
fn free(write: &mut Write<'_>, which: &str, values: &[&dyn rusqlite::ToSql]) -> Result<u64> {
    let freed = write
        .connection
        .prepare_cached(&format!(
            "UPDATE queued_instances SET lock_uuid = NULL, lock_owner = NULL, lock_expires_at = NULL, scheduled_at = ?1
             WHERE instance_id IN (SELECT instance_id FROM queued_instances WHERE lock_uuid IS NOT NULL AND {which})"
        ))
        .and_then(|mut statement| statement.execute(values))
        .map_err(failed)?;
    if freed > 0 {
        write.changed(Change::Work);
    }
    Ok(freed as u64)
}

pub(super) fn mark_stuck(write: &mut Write<'_>, lease: &Lease, reason: &str) -> Result<bool> {
    if held(write, lease)?.is_none() {
        return Ok(false);
    }
    write_stuck(write, lease.instance_id, reason)?;
    if lease.is_limited() {
        write.changed(Change::Work);
    }
    Ok(true)
}

fn write_stuck(write: &mut Write<'_>, instance_id: Uuid, reason: &str) -> Result<()> {
    write
        .connection
        .execute(
            "UPDATE queued_instances SET stuck = 1, lock_uuid = NULL, lock_owner = NULL, lock_expires_at = NULL, scheduled_at = ?2
             WHERE instance_id = ?1",
            params![instance_id, Timestamp::NEVER],
        )
        .map_err(failed)?;
    write
        .connection
        .execute(
            "UPDATE runner_instances SET status = 'stuck', stuck_reason = ?2 WHERE instance_id = ?1",
            params![instance_id, reason],
        )
        .map_err(failed)?;
    write.changed(Change::Stuck(instance_id));
    Ok(())
}

pub(super) fn unstick(write: &mut Write<'_>, instance_id: Uuid) -> Result<bool> {
    let updated = write
        .connection
        .execute(
            "UPDATE queued_instances SET stuck = 0, claims = 0, scheduled_at = ?2 WHERE instance_id = ?1 AND stuck = 1",
            params![instance_id, write.now],
        )
        .map_err(failed)?;
    if updated == 0 {
        return Ok(false);
    }
    write
        .connection
        .execute(
            "UPDATE runner_instances SET status = 'running', stuck_reason = NULL WHERE instance_id = ?1",
            [instance_id],
        )
        .map_err(failed)?;
    write.changed(Change::Work);
    Ok(true)
}

pub(super) fn next_wakeup(connection: &Connection, queues: &[String]) -> Result<Option<Timestamp>> {
    let mut statement = connection
        .prepare_cached(
            "SELECT min(scheduled_at) FROM queued_instances WHERE lock_uuid IS NULL AND queue = ?1 AND priority = ?2",
        )
        .map_err(failed)?;
    let mut earliest = Timestamp::NEVER;
    for queue in queues {
        for priority in 0..PRIORITY_LEVELS {
            let next: Option<Timestamp> =
                statement.query_row(params![queue, priority], |row| row.get(0)).map_err(failed)?;
            earliest = earliest.min(next.unwrap_or(Timestamp::NEVER));
        }
    }
    Ok((earliest != Timestamp::NEVER).then_some(earliest))
}

/// For statements on actions, which share the lease times.
pub(super) fn expiry(write: &Write<'_>, lease: std::time::Duration) -> Timestamp {
    Timestamp(write.now.0.saturating_add(micros(lease)))
}
