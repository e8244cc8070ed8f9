//! Ending instances from outside, and giving them other states.

use rusqlite::{OptionalExtension, params};
use uuid::Uuid;

use super::row::failed;
use super::writer::Write;
use super::{inbox, instances, progress};
use crate::{Change, Message, Result, Rewrite, Rewritten, Terminated, Termination, validate};

pub(super) fn terminate(write: &mut Write<'_>, one: &Termination) -> Result<Terminated> {
    let id = one.instance_id;
    let connection = write.connection;
    let gone = connection.execute("DELETE FROM queued_instances WHERE instance_id = ?1", [id]).map_err(failed)?;
    if gone == 0 {
        let select = "SELECT 1 FROM runner_instances WHERE instance_id = ?1";
        let known: Option<i64> = connection.query_row(select, [id], |row| row.get(0)).optional().map_err(failed)?;
        return Ok(if known.is_some() { Terminated::Finished } else { Terminated::Unknown });
    }
    progress::execute(
        connection,
        "UPDATE runner_instances SET status = 'terminated', error = ?2, error_type = 'waymark.Terminated', finished_at = ?3,
             waits_for = NULL, stuck_reason = NULL WHERE instance_id = ?1",
        params![id, one.error, write.now],
    )?;
    for table in ["instance_inbox", "queued_actions"] {
        progress::execute(connection, &format!("DELETE FROM {table} WHERE instance_id = ?1"), params![id])?;
    }
    if let Some(message) = &one.parent_message {
        inbox::put(write, message)?;
    }
    if let Some(message) = &one.child_message {
        let children: Vec<Uuid> = connection
            .prepare_cached(
                "SELECT instance_id FROM runner_instances WHERE parent_instance_id = ?1 AND finished_at IS NULL",
            )
            .and_then(|mut statement| statement.query_map([id], |row| row.get(0))?.collect())
            .map_err(failed)?;
        for child in children.into_iter().filter(|child| !one.abandoned.contains(child)) {
            inbox::put(write, &Message { instance_id: child, message_id: Uuid::new_v4(), ..message.clone() })?;
        }
    }
    write.changed(Change::Taken(id));
    write.changed(Change::Finished(id));
    // It may have been in the way of others of its queue.
    write.changed(Change::Work);
    Ok(Terminated::Done)
}

pub(super) fn rewrite(write: &mut Write<'_>, batch: &[Rewrite]) -> Result<Vec<Rewritten>> {
    write.each(batch, rewrite_whole, |reason| Rewritten::Refused { reason })
}

fn rewrite_whole(write: &mut Write<'_>, rewrite: &Rewrite) -> Result<Rewritten> {
    if let Err(reason) = validate::rewrite(rewrite) {
        return Ok(Rewritten::Refused { reason });
    }
    if let Some(new) = &rewrite.start {
        instances::queue_whole(write, new)?;
    }
    let id = rewrite.instance_id;
    let connection = write.connection;
    let stored: Option<(i64, bool)> = connection
        .query_row(
            "SELECT coalesce(q.seq, max(r.state_seq, coalesce((SELECT max(seq) FROM runner_actions_done WHERE instance_id = ?1), 0))),
                    q.instance_id IS NOT NULL
             FROM runner_instances r LEFT JOIN queued_instances q USING (instance_id) WHERE r.instance_id = ?1",
            [id],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()
        .map_err(failed)?;
    match stored {
        None => return Ok(Rewritten::Unknown),
        Some((seq, is_live)) if (seq, is_live) != (rewrite.expected_seq, rewrite.was_live) => {
            return Ok(Rewritten::Moved { seq });
        }
        Some(_) => {}
    }
    let taken: Option<Uuid> = connection
        .query_row(
            "SELECT other.instance_id FROM runner_instances r JOIN runner_instances other
                 ON other.workflow_name = r.workflow_name AND other.user_key = r.user_key
             WHERE r.instance_id = ?1 AND other.finished_at IS NULL AND other.instance_id <> ?1",
            [id],
            |row| row.get(0),
        )
        .optional()
        .map_err(failed)?;
    if let Some(instance_id) = taken {
        return Ok(Rewritten::KeyTaken { instance_id });
    }
    progress::append_log(connection, id, std::slice::from_ref(&rewrite.log))?;
    progress::execute(
        connection,
        "UPDATE runner_instances
         SET state = ?2, state_seq = ?3, status = ?4, result = NULL, error = NULL, error_type = NULL, finished_at = NULL,
             finished_lock = NULL, stuck_reason = NULL, waits_for = NULL,
             workflow_version_id = coalesce(?5, workflow_version_id), inputs = coalesce(?6, inputs),
             deadline_at = coalesce(?7, deadline_at)
         WHERE instance_id = ?1",
        params![
            id,
            rewrite.snapshot,
            rewrite.log.seq,
            rewrite.status().name(),
            rewrite.workflow_version_id,
            rewrite.inputs,
            rewrite.deadline_at
        ],
    )?;
    progress::execute(
        connection,
        "INSERT INTO queued_instances (instance_id, queue, queue_key, priority, scheduled_at, seq)
         SELECT instance_id, queue, coalesce(queue_key, (SELECT '' FROM queues WHERE name = queue)), priority, ?2, ?3
         FROM runner_instances WHERE instance_id = ?1
         ON CONFLICT (instance_id) DO UPDATE
         SET lock_uuid = NULL, lock_owner = NULL, lock_expires_at = NULL, stuck = 0, claims = 0,
             scheduled_at = excluded.scheduled_at, seq = excluded.seq",
        params![id, write.now, rewrite.log.seq],
    )?;
    for message in &rewrite.mail {
        inbox::put(write, message)?;
    }
    write.changed(Change::Taken(id));
    write.changed(Change::Work);
    Ok(Rewritten::Done)
}
