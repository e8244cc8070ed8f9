//! Progress of one instance: all of it, or none.

use std::sync::Arc;

use rusqlite::{CachedStatement, Connection, OptionalExtension, params};
use uuid::Uuid;

use super::row::failed;
use super::writer::Write;
use super::{inbox, instances, leases, replies};
use crate::{Change, Committed, Ending, Lease, LogRow, Next, Progress, Result, validate};

pub(super) fn commit(write: &mut Write<'_>, batch: &[Arc<Progress>]) -> Result<Vec<Committed>> {
    let mut hot = Hot::prepare(write.connection).map_err(failed)?;
    write.each(batch, |write, progress| commit_whole(write, &mut hot, progress), |reason| Committed::Refused { reason })
}

/// The statements that nearly every instance needs, looked up once a batch.
struct Hot<'c> {
    /// Moves the queue row on, if it is the owner's and where the owner thinks that it is.
    advance: CachedStatement<'c>,
    /// The same, and away.
    leave: CachedStatement<'c>,
    append: CachedStatement<'c>,
    finish: CachedStatement<'c>,
}

impl<'c> Hot<'c> {
    fn prepare(connection: &'c Connection) -> rusqlite::Result<Hot<'c>> {
        Ok(Hot {
            advance: connection.prepare_cached(
                "UPDATE queued_instances SET seq = ?5, claims = CASE WHEN ?5 > seq THEN 0 ELSE claims END
                 WHERE instance_id = ?1 AND lock_uuid = ?2 AND lock_expires_at > ?3 AND seq = ?4 RETURNING wake_seq",
            )?,
            leave: connection.prepare_cached(
                "DELETE FROM queued_instances
                 WHERE instance_id = ?1 AND lock_uuid = ?2 AND lock_expires_at > ?3 AND seq = ?4 AND seq <= ?5 RETURNING wake_seq",
            )?,
            append: connection.prepare_cached(APPEND)?,
            finish: connection.prepare_cached(
                "UPDATE runner_instances SET status = ?2, result = ?3, error = ?4, finished_at = ?5, finished_lock = ?6, error_type = ?7,
                     waits_for = NULL
                 WHERE instance_id = ?1",
            )?,
        })
    }
}

fn commit_whole(write: &mut Write<'_>, hot: &mut Hot<'_>, progress: &Progress) -> Result<Committed> {
    if let Err(reason) = validate::progress(progress) {
        return Ok(Committed::Refused { reason });
    }
    let instance_id = progress.lease.instance_id;
    // Comes first: whoever is not the owner, or is elsewhere in the log, writes nothing.
    let Some(mut wake_seq) = advance(write, hot, progress)? else {
        return Ok(match leases::held(write, &progress.lease)? {
            Some((seq, _)) => Committed::WrongSeq { seq },
            None => Committed::LostLease,
        });
    };
    append_all(&mut hot.append, instance_id, &progress.log)?;
    if let Some(state) = &progress.snapshot {
        execute(
            write.connection,
            "UPDATE runner_instances SET state = ?2, state_seq = ?3 WHERE instance_id = ?1",
            params![instance_id, state, progress.seq()],
        )?;
    }
    if let Some(through) = progress.trim_log_through {
        execute(
            write.connection,
            "DELETE FROM runner_actions_done WHERE instance_id = ?1
             AND seq <= min(?2, (SELECT state_seq FROM runner_instances WHERE instance_id = ?1))",
            params![instance_id, through],
        )?;
    }
    for message_id in &progress.consumed {
        let delete = "DELETE FROM instance_inbox WHERE instance_id = ?1 AND message_id = ?2";
        execute(write.connection, delete, params![instance_id, message_id])?;
    }
    if let Some(waits_for) = &progress.waits_for {
        leases::set_waits_for(write, instance_id, waits_for)?;
    }
    if let Some(status) = progress.status().filter(|status| !status.is_final()) {
        let update = "UPDATE runner_instances SET status = ?2 WHERE instance_id = ?1";
        execute(write.connection, update, params![instance_id, status.name()])?;
    }
    let children = instances::queue(write, &progress.children, None)?;
    replies::put(write, instance_id, &progress.replies)?;
    for message in &progress.messages {
        inbox::put(write, message)?;
    }
    if progress.messages.iter().any(|message| message.instance_id == instance_id) {
        // A message to oneself counts as one that the owner has not seen.
        wake_seq = leases::held(write, &progress.lease)?.map_or(wake_seq, |(_, wake_seq)| wake_seq);
    }
    let released = match &progress.next {
        Next::Hold => false,
        Next::Sleep { wake_seq: seen, .. } if *seen != wake_seq => false,
        Next::Sleep { scheduled_at, .. } => {
            leases::release(write, progress.lease, *scheduled_at, true)?;
            true
        }
        Next::Finish(ending) => {
            finish(write, hot, progress, ending, wake_seq)?;
            true
        }
    };
    Ok(Committed::Accepted { wake_seq, released, children })
}

/// Moves the queue row on, or away at the end, and says how much mail there was. None: it is not ours to move from there.
fn advance(write: &Write<'_>, hot: &mut Hot<'_>, progress: &Progress) -> Result<Option<i64>> {
    let statement = match progress.next {
        Next::Finish(_) => &mut hot.leave,
        Next::Hold | Next::Sleep { .. } => &mut hot.advance,
    };
    let Lease { instance_id, lock_uuid } = progress.lease;
    let values = params![instance_id, lock_uuid, write.now, progress.expected_seq, progress.seq()];
    statement.query_row(values, |row| row.get(0)).optional().map_err(failed)
}

const APPEND: &str = "INSERT INTO runner_actions_done
        (instance_id, seq, kind, execution_id, attempt, outcome, happened_at, started_at, worker, digest)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";

pub(super) fn append_log(connection: &Connection, instance_id: Uuid, log: &[LogRow]) -> Result<()> {
    append_all(&mut connection.prepare_cached(APPEND).map_err(failed)?, instance_id, log)
}

fn append_all(statement: &mut CachedStatement<'_>, instance_id: Uuid, log: &[LogRow]) -> Result<()> {
    for row in log {
        statement
            .execute(params![
                instance_id,
                row.seq,
                row.kind,
                row.execution_id,
                row.attempt,
                row.outcome,
                row.happened_at,
                row.started_at,
                row.worker,
                row.digest.cast_signed(),
            ])
            .map_err(failed)?;
    }
    Ok(())
}

fn finish(write: &mut Write<'_>, hot: &mut Hot<'_>, progress: &Progress, ending: &Ending, wake_seq: i64) -> Result<()> {
    let instance_id = progress.lease.instance_id;
    let (status, error_type) = (ending.status().name(), ending.error_type());
    let lock_uuid = progress.lease.lock_uuid;
    hot.finish
        .execute(params![instance_id, status, ending.result(), ending.error(), write.now, lock_uuid, error_type])
        .map_err(failed)?;
    execute(write.connection, "DELETE FROM queued_actions WHERE instance_id = ?1", params![instance_id])?;
    // Nobody has ever written to most of them.
    if wake_seq > 0 {
        execute(write.connection, "DELETE FROM instance_inbox WHERE instance_id = ?1", params![instance_id])?;
    }
    write.changed(Change::Finished(instance_id));
    if progress.lease.is_limited() {
        write.changed(Change::Work);
    }
    Ok(())
}

pub(super) fn execute(connection: &Connection, sql: &str, values: &[&dyn rusqlite::ToSql]) -> Result<()> {
    connection.prepare_cached(sql).and_then(|mut statement| statement.execute(values)).map_err(failed)?;
    Ok(())
}
