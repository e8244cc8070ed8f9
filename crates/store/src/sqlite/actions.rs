//! `queued_actions`.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};
use uuid::Uuid;

use super::row::failed;
use super::writer::Write;
use super::{inbox, leases};
use crate::{ActionKey, ActionSettlement, Change, ClaimActions, ClaimedAction, Put, PutAction, QueuedAction, Result};

const KEY: &str = "instance_id = ?1 AND execution_id = ?2 AND attempt = ?3";

pub(super) fn put(write: &mut Write<'_>, put: &PutAction) -> Result<Put> {
    let action = &put.action;
    match leases::held(write, &put.lease)? {
        Some(_) if action.key.instance_id != put.lease.instance_id => return Ok(Put::LostLease),
        Some((_, wake_seq)) if wake_seq != put.wake_seq => return Ok(Put::UnreadMail),
        Some(_) => {}
        None => return Ok(Put::LostLease),
    }
    let inserted = write
        .connection
        .prepare_cached(
            "INSERT INTO queued_actions (instance_id, execution_id, attempt, queue, action, payload, queued_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING",
        )
        .and_then(|mut statement| {
            statement.execute(params![
                action.key.instance_id,
                action.key.execution_id,
                action.key.attempt,
                action.queue,
                action.action,
                action.payload,
                write.now
            ])
        })
        .map_err(failed)?;
    if inserted > 0 {
        write.changed(Change::Actions);
    }
    Ok(Put::Done)
}

/// Execution ids and attempts of one instance's.
pub(super) fn of_instance(connection: &Connection, instance_id: Uuid) -> Result<Vec<(String, i32)>> {
    let mut statement = connection
        .prepare_cached("SELECT execution_id, attempt FROM queued_actions WHERE instance_id = ?1 ORDER BY id")
        .map_err(failed)?;
    let rows = statement.query_map([instance_id], |row| Ok((row.get(0)?, row.get(1)?))).map_err(failed)?;
    rows.collect::<rusqlite::Result<_>>().map_err(failed)
}

pub(super) fn claim(write: &mut Write<'_>, claim: &ClaimActions) -> Result<Vec<ClaimedAction>> {
    let lock_uuid = Uuid::new_v4();
    let mut claimed = Vec::new();
    let mut statement = write
        .connection
        .prepare_cached(
            "UPDATE queued_actions SET lock_uuid = ?3, lock_owner = ?4, lock_expires_at = ?5, claims = claims + 1
             WHERE id IN (SELECT id FROM queued_actions WHERE lock_uuid IS NULL AND action = ?2 AND queue = ?1
                          ORDER BY id LIMIT ?6)
             RETURNING id, instance_id, execution_id, attempt, payload, queued_at, claims",
        )
        .map_err(failed)?;
    for (queue, action) in claim.probes() {
        let rest = i64::from(claim.limit) - claimed.len() as i64;
        if rest <= 0 {
            break;
        }
        let values = params![queue, action, lock_uuid, claim.engine, leases::expiry(write, claim.lease), rest];
        let rows = statement
            .query_map(values, |row| {
                let key = ActionKey {
                    instance_id: row.get("instance_id")?,
                    execution_id: row.get("execution_id")?,
                    attempt: row.get("attempt")?,
                };
                let action = QueuedAction {
                    key,
                    queue: queue.to_string(),
                    action: action.to_string(),
                    payload: row.get("payload")?,
                };
                let queued_at = row.get("queued_at")?;
                let claims = row.get("claims")?;
                Ok((row.get::<_, i64>("id")?, ClaimedAction { action, lock_uuid, queued_at, claims }))
            })
            .map_err(failed)?;
        for row in rows {
            claimed.push(row.map_err(failed)?);
        }
    }
    claimed.sort_by_key(|(id, _)| *id);
    Ok(claimed.into_iter().map(|(_, action)| action).collect())
}

pub(super) fn heartbeat(write: &mut Write<'_>, key: &ActionKey, lock_uuid: Uuid, lease: Duration) -> Result<bool> {
    let extended = write
        .connection
        .prepare_cached(&format!(
            "UPDATE queued_actions SET lock_expires_at = ?6, claims = claims - ?7
             WHERE {KEY} AND lock_uuid = ?4 AND lock_expires_at > ?5"
        ))
        .and_then(|mut statement| {
            let expires = leases::expiry(write, lease);
            let given_back = lease.is_zero();
            statement.execute(params![
                key.instance_id,
                key.execution_id,
                key.attempt,
                lock_uuid,
                write.now,
                expires,
                given_back
            ])
        })
        .map_err(failed)?;
    Ok(extended > 0)
}

pub(super) fn settle(write: &mut Write<'_>, settlement: &ActionSettlement) -> Result<bool> {
    let key = &settlement.key;
    let deleted = write
        .connection
        .prepare_cached(&format!("DELETE FROM queued_actions WHERE {KEY} AND lock_uuid = ?4 AND lock_expires_at > ?5"))
        .and_then(|mut statement| {
            statement.execute(params![key.instance_id, key.execution_id, key.attempt, settlement.lock_uuid, write.now])
        })
        .map_err(failed)?;
    if deleted == 0 {
        return Ok(false);
    }
    inbox::put(write, &settlement.message)?;
    Ok(true)
}

pub(super) fn remove(write: &mut Write<'_>, key: &ActionKey) -> Result<bool> {
    let was_leased: Option<bool> = write
        .connection
        .prepare_cached(&format!("DELETE FROM queued_actions WHERE {KEY} RETURNING lock_uuid IS NOT NULL"))
        .and_then(|mut statement| {
            let values = params![key.instance_id, key.execution_id, key.attempt];
            statement.query_row(values, |row| row.get(0)).optional()
        })
        .map_err(failed)?;
    if was_leased == Some(true) {
        // Whoever has it in hand learns it by looking.
        write.changed(Change::Actions);
    }
    Ok(was_leased == Some(false))
}

pub(super) fn reclaim_expired(write: &mut Write<'_>, limit: u32) -> Result<u64> {
    let now = write.now;
    free(write, "lock_expires_at <= ?1 LIMIT ?2", params![now, limit])
}

pub(super) fn free_own(write: &mut Write<'_>, engine: &str) -> Result<u64> {
    free(write, "lock_owner = ?1", params![engine])
}

fn free(write: &mut Write<'_>, which: &str, values: &[&dyn rusqlite::ToSql]) -> Result<u64> {
    let freed = write
        .connection
        .prepare_cached(&format!(
            "UPDATE queued_actions SET lock_uuid = NULL, lock_owner = NULL, lock_expires_at = NULL
             WHERE id IN (SELECT id FROM queued_actions WHERE lock_uuid IS NOT NULL AND {which})"
        ))
        .and_then(|mut statement| statement.execute(values))
        .map_err(failed)?;
    if freed > 0 {
        write.changed(Change::Actions);
    }
    Ok(freed as u64)
}
