//! `instance_replies`: written with an instance's progress, read by who waits for it.

use rusqlite::{Connection, OptionalExtension, params};
use uuid::Uuid;

use super::row::failed;
use super::writer::Write;
use crate::{Change, Reply, ReplyOutcome, Result};

pub(super) fn put(write: &mut Write<'_>, instance_id: Uuid, replies: &[Reply]) -> Result<()> {
    for reply in replies {
        let values = params![instance_id, reply.update_id, reply.outcome.is_error(), reply.outcome.content()];
        write
            .connection
            .prepare_cached(
                "INSERT INTO instance_replies (instance_id, update_id, is_error, content) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT DO NOTHING",
            )
            .and_then(|mut statement| statement.execute(values))
            .map_err(failed)?;
    }
    if !replies.is_empty() {
        write.changed(Change::Replied(instance_id));
    }
    Ok(())
}

pub(super) fn read(connection: &Connection, updates: &[(Uuid, String)]) -> Result<Vec<Option<ReplyOutcome>>> {
    let mut statement = connection
        .prepare_cached("SELECT is_error, content FROM instance_replies WHERE instance_id = ?1 AND update_id = ?2")
        .map_err(failed)?;
    let mut found = |(instance_id, update_id): &(Uuid, String)| {
        let read = |row: &rusqlite::Row<'_>| Ok(ReplyOutcome::stored(row.get(0)?, row.get(1)?));
        statement.query_row(params![instance_id, update_id], read).optional().map_err(failed)
    };
    updates.iter().map(&mut found).collect()
}
