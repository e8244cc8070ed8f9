//! `instance_inbox`. A message and the wake-up of its instance are one commit.

use rusqlite::{Connection, OptionalExtension, params};
use uuid::Uuid;

use super::row::{failed, inbox_row};
use super::writer::Write;
use crate::{Change, Delivery, Error, InboxRow, InboxView, Message, Result, validate};

pub(super) fn put(write: &mut Write<'_>, message: &Message) -> Result<Delivery> {
    if let Err(reason) = validate::message(message) {
        return Ok(Delivery::Refused { reason });
    }
    match write.savepoint(|write| put_whole(write, message)) {
        Err(Error::Refused { reason }) => Ok(Delivery::Refused { reason }),
        other => other,
    }
}

fn put_whole(write: &mut Write<'_>, message: &Message) -> Result<Delivery> {
    if !exists(write.connection, "queued_instances", message.instance_id)? {
        let known = exists(write.connection, "runner_instances", message.instance_id)?;
        return Ok(if known { Delivery::Finished } else { Delivery::Unknown });
    }
    let inserted = write
        .connection
        .prepare_cached(
            "INSERT INTO instance_inbox (instance_id, message_id, kind, name, payload, arrived_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
        )
        .and_then(|mut statement| {
            statement.execute(params![
                message.instance_id,
                message.message_id,
                message.kind,
                message.name,
                message.payload,
                write.now
            ])
        })
        .map_err(failed)?;
    if inserted == 0 {
        return Ok(Delivery::Duplicate);
    }
    write
        .connection
        .prepare_cached(
            "UPDATE queued_instances
             SET wake_seq = wake_seq + 1, scheduled_at = CASE WHEN stuck = 1 THEN scheduled_at ELSE min(scheduled_at, ?2) END
             WHERE instance_id = ?1",
        )
        .and_then(|mut statement| statement.execute(params![message.instance_id, write.now]))
        .map_err(failed)?;
    write.changed(Change::Inbox(message.instance_id));
    write.changed(Change::Work);
    Ok(Delivery::Delivered)
}

fn exists(connection: &Connection, table: &str, instance_id: Uuid) -> Result<bool> {
    connection
        .prepare_cached(&format!("SELECT 1 FROM {table} WHERE instance_id = ?1"))
        .and_then(|mut statement| statement.exists([instance_id]))
        .map_err(failed)
}

pub(super) fn read(connection: &Connection, instance_ids: &[Uuid]) -> Result<Vec<InboxView>> {
    let mut views = Vec::new();
    for instance_id in instance_ids {
        let wake_seq: Option<i64> = connection
            .prepare_cached("SELECT wake_seq FROM queued_instances WHERE instance_id = ?1")
            .and_then(|mut statement| statement.query_row([instance_id], |row| row.get(0)).optional())
            .map_err(failed)?;
        if let Some(wake_seq) = wake_seq {
            views.push(InboxView { instance_id: *instance_id, wake_seq, rows: rows(connection, *instance_id)? });
        }
    }
    Ok(views)
}

pub(super) fn rows(connection: &Connection, instance_id: Uuid) -> Result<Vec<InboxRow>> {
    let mut statement = connection
        .prepare_cached(
            "SELECT message_id, kind, name, payload, arrived_at FROM instance_inbox WHERE instance_id = ?1 ORDER BY id",
        )
        .map_err(failed)?;
    let rows = statement.query_map([instance_id], inbox_row).map_err(failed)?;
    rows.collect::<rusqlite::Result<_>>().map_err(failed)
}
