//! `workflow_retention`, and the deletion of what has been kept long enough.

use rusqlite::{Connection, params};
use uuid::Uuid;

use super::row::failed;
use super::writer::Write;
use crate::{Result, Retention};

pub(super) fn put(write: &mut Write<'_>, workflow_name: &str, retention: Option<Retention>) -> Result<()> {
    let done = match retention {
        Some(retention) => write.connection.execute(
            "INSERT INTO workflow_retention (workflow_name, keep_us) VALUES (?1, ?2)
             ON CONFLICT (workflow_name) DO UPDATE SET keep_us = excluded.keep_us",
            params![workflow_name, retention.stored()],
        ),
        None => write.connection.execute("DELETE FROM workflow_retention WHERE workflow_name = ?1", [workflow_name]),
    };
    done.map(drop).map_err(failed)
}

pub(super) fn list(connection: &Connection) -> Result<Vec<(String, Retention)>> {
    connection
        .prepare_cached("SELECT workflow_name, keep_us FROM workflow_retention ORDER BY workflow_name")
        .and_then(|mut statement| {
            statement.query_map([], |row| Ok((row.get(0)?, Retention::read(row.get(1)?))))?.collect()
        })
        .map_err(failed)
}

pub(super) fn delete_finished(write: &mut Write<'_>, default: Retention, limit: u32) -> Result<u64> {
    let mut deleted = 0;
    for (workflow_name, keep_us) in kept(write.connection, default)? {
        let before = write.now.0.saturating_sub(keep_us);
        let ids: Vec<Uuid> = write
            .connection
            .prepare_cached(
                "SELECT instance_id FROM runner_instances WHERE workflow_name = ?1 AND finished_at IS NOT NULL
                 AND finished_at < ?2 ORDER BY finished_at LIMIT ?3",
            )
            .and_then(|mut statement| {
                let left = u64::from(limit) - deleted;
                statement.query_map(params![workflow_name, before, left as i64], |row| row.get(0))?.collect()
            })
            .map_err(failed)?;
        for id in &ids {
            delete(write.connection, id)?;
        }
        deleted += ids.len() as u64;
    }
    Ok(deleted)
}

/// How long each workflow's are kept, but for those that are kept for ever.
fn kept(connection: &Connection, default: Retention) -> Result<Vec<(String, i64)>> {
    connection
        .prepare_cached(
            "SELECT workflow_name, keep_us FROM (
                 SELECT w.workflow_name, CASE WHEN t.workflow_name IS NULL THEN ?1 ELSE t.keep_us END AS keep_us
                 FROM (SELECT DISTINCT workflow_name FROM workflow_versions) w
                 LEFT JOIN workflow_retention t ON t.workflow_name = w.workflow_name
             ) WHERE keep_us IS NOT NULL",
        )
        .and_then(|mut statement| {
            statement.query_map([default.stored()], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
        .map_err(failed)
}

fn delete(connection: &Connection, id: &Uuid) -> Result<()> {
    for table in [
        "runner_actions_done",
        "instance_inbox",
        "instance_replies",
        "transaction_attempts",
        "queued_actions",
        "instance_tags",
        "runner_instances",
    ] {
        connection
            .prepare_cached(&format!("DELETE FROM {table} WHERE instance_id = ?1"))
            .and_then(|mut statement| statement.execute([id]))
            .map_err(failed)?;
    }
    Ok(())
}
