//! `queues`, their buckets, and what is paused.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::row::failed;
use super::writer::Write;
use crate::{Change, Depth, Queue, QueueSettings, Rate, Result, Timestamp, queues};

const COLUMNS: &str =
    "name, paused, fair, concurrency, key_concurrency, rate, rate_period_us, key_rate, key_rate_period_us, cursor";

/// A queue that has a row.
pub(super) struct SetQueue {
    pub settings: QueueSettings,
    pub paused: bool,
    pub cursor: String,
}

fn set_queue(row: &Row<'_>) -> rusqlite::Result<SetQueue> {
    Ok(SetQueue {
        settings: QueueSettings {
            name: row.get(0)?,
            fair: row.get(2)?,
            concurrency: row.get(3)?,
            key_concurrency: row.get(4)?,
            rate: Rate::read(row.get(5)?, row.get(6)?),
            key_rate: Rate::read(row.get(7)?, row.get(8)?),
        },
        paused: row.get(1)?,
        cursor: row.get(9)?,
    })
}

pub(super) fn find(connection: &Connection, name: &str) -> Result<Option<SetQueue>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM queues WHERE name = ?1"))
        .and_then(|mut statement| statement.query_row([name], set_queue).optional())
        .map_err(failed)
}

pub(super) fn put(write: &mut Write<'_>, settings: &QueueSettings) -> Result<()> {
    let (rate, rate_period) = Rate::stored(settings.rate);
    let (key_rate, key_rate_period) = Rate::stored(settings.key_rate);
    let connection = write.connection;
    connection
        .execute(
            "INSERT INTO queues (name, fair, concurrency, key_concurrency, rate, rate_period_us, key_rate, key_rate_period_us)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             ON CONFLICT (name) DO UPDATE
             SET fair = excluded.fair, concurrency = excluded.concurrency, key_concurrency = excluded.key_concurrency,
                 rate = excluded.rate, rate_period_us = excluded.rate_period_us, key_rate = excluded.key_rate,
                 key_rate_period_us = excluded.key_rate_period_us",
            params![
                settings.name,
                settings.fair,
                settings.concurrency,
                settings.key_concurrency,
                rate,
                rate_period,
                key_rate,
                key_rate_period
            ],
        )
        .map_err(failed)?;
    // From now on all of its instances have a key, and those that have begun are not begun again.
    connection
        .execute(
            "UPDATE queued_instances
             SET queue_key = coalesce(queue_key, ''), is_new = is_new AND seq = 0 AND lock_uuid IS NULL WHERE queue = ?1",
            [&settings.name],
        )
        .map_err(failed)?;
    forget_plain(connection, &settings.name)?;
    write.changed(Change::Work);
    Ok(())
}

/// A row that says nothing goes away: its queue is as any other.
fn forget_plain(connection: &Connection, name: &str) -> Result<()> {
    connection
        .execute(
            "DELETE FROM queues WHERE name = ?1 AND NOT paused AND NOT fair
             AND coalesce(concurrency, key_concurrency, rate, key_rate) IS NULL",
            [name],
        )
        .map_err(failed)?;
    Ok(())
}

pub(super) fn pause(write: &mut Write<'_>, name: &str, paused: bool) -> Result<bool> {
    let was = find(write.connection, name)?.is_some_and(|queue| queue.paused);
    let upsert =
        "INSERT INTO queues (name, paused) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET paused = excluded.paused";
    write.connection.execute(upsert, params![name, paused]).map_err(failed)?;
    forget_plain(write.connection, name)?;
    if !paused {
        write.changed(Change::Work);
    }
    Ok(was != paused)
}

pub(super) fn pause_workflow(write: &mut Write<'_>, workflow_name: &str, paused: bool) -> Result<bool> {
    let connection = write.connection;
    if paused {
        let insert = "INSERT INTO paused_workflows (workflow_name, paused_at) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        return Ok(connection.execute(insert, params![workflow_name, write.now]).map_err(failed)? > 0);
    }
    let delete = "DELETE FROM paused_workflows WHERE workflow_name = ?1";
    let was = connection.execute(delete, [workflow_name]).map_err(failed)? > 0;
    let update = "UPDATE queued_instances SET scheduled_at = min(scheduled_at, parked_due_at), parked_due_at = NULL
        WHERE parked_due_at IS NOT NULL AND instance_id IN (
            SELECT q.instance_id FROM queued_instances q JOIN runner_instances r ON r.instance_id = q.instance_id
            WHERE q.parked_due_at IS NOT NULL AND r.workflow_name = ?1)";
    connection.execute(update, [workflow_name]).map_err(failed)?;
    write.changed(Change::Work);
    Ok(was)
}

pub(super) fn paused_workflows(connection: &Connection) -> Result<Vec<String>> {
    connection
        .prepare_cached("SELECT workflow_name FROM paused_workflows ORDER BY workflow_name")
        .and_then(|mut statement| statement.query_map([], |row| row.get(0))?.collect())
        .map_err(failed)
}

pub(super) fn list(connection: &Connection, now: Timestamp, keys_max: u32) -> Result<Vec<Queue>> {
    let set: Vec<SetQueue> = connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM queues"))
        .and_then(|mut statement| statement.query_map([], set_queue)?.collect())
        .map_err(failed)?;
    let rows: Vec<(String, Option<String>, Depth)> = connection
        .prepare_cached(
            "SELECT queue, queue_key, sum(lock_uuid IS NULL AND scheduled_at <= ?1), sum(lock_uuid IS NOT NULL),
                    sum(lock_uuid IS NULL AND scheduled_at > ?1)
             FROM queued_instances GROUP BY queue, queue_key",
        )
        .and_then(|mut statement| {
            let count = |row: &Row<'_>, at: usize| row.get::<_, i64>(at).map(i64::unsigned_abs);
            let depth = |row: &Row<'_>| -> rusqlite::Result<Depth> {
                Ok(Depth { due: count(row, 2)?, leased: count(row, 3)?, sleeping: count(row, 4)? })
            };
            statement.query_map([now], |row| Ok((row.get(0)?, row.get(1)?, depth(row)?)))?.collect()
        })
        .map_err(failed)?;
    Ok(queues::gather(set.into_iter().map(|queue| (queue.settings, queue.paused)).collect(), rows, keys_max as usize))
}

/// What a bucket has by now.
pub(super) fn tokens(write: &Write<'_>, queue: &str, key: Option<&str>, rate: Rate) -> Result<f64> {
    let stored: Option<(f64, Timestamp)> = write
        .connection
        .prepare_cached(
            "SELECT tokens, filled_at FROM queue_buckets WHERE queue = ?1 AND scope = ?2 AND queue_key = ?3",
        )
        .and_then(|mut statement| {
            let values = params![queue, key.is_some(), key.unwrap_or_default()];
            statement.query_row(values, |row| Ok((row.get(0)?, row.get(1)?))).optional()
        })
        .map_err(failed)?;
    let full = f64::from(rate.count);
    let Some((tokens, filled_at)) = stored else { return Ok(full) };
    let passed_us = write.now.0.saturating_sub(filled_at.0).max(0) as f64;
    Ok((tokens + passed_us * full / rate.period.as_micros() as f64).min(full))
}

pub(super) fn put_tokens(write: &Write<'_>, queue: &str, key: Option<&str>, rate: Rate, tokens: f64) -> Result<()> {
    let missing = f64::from(rate.count) - tokens;
    let full_at = write.now + rate.period.mul_f64((missing / f64::from(rate.count)).max(0.0));
    write
        .connection
        .prepare_cached(
            "INSERT INTO queue_buckets (queue, scope, queue_key, tokens, filled_at, full_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (queue, scope, queue_key) DO UPDATE
             SET tokens = excluded.tokens, filled_at = excluded.filled_at, full_at = excluded.full_at",
        )
        .and_then(|mut statement| {
            statement.execute(params![queue, key.is_some(), key.unwrap_or_default(), tokens, write.now, full_at])
        })
        .map_err(failed)?;
    Ok(())
}

/// Buckets that are full need no row.
pub(super) fn forget_full(write: &Write<'_>) -> Result<()> {
    write
        .connection
        .prepare_cached("DELETE FROM queue_buckets WHERE full_at <= ?1")
        .and_then(|mut statement| statement.execute([write.now]))
        .map_err(failed)?;
    Ok(())
}

pub(super) fn set_cursor(write: &Write<'_>, queue: &str, cursor: &str) -> Result<()> {
    write
        .connection
        .prepare_cached("UPDATE queues SET cursor = ?2 WHERE name = ?1 AND cursor <> ?2")
        .and_then(|mut statement| statement.execute([queue, cursor]))
        .map_err(failed)?;
    Ok(())
}
