//! `worker_status`.

use rusqlite::{Connection, params};

use super::row::failed;
use super::writer::Write;
use crate::{Result, Timestamp, WorkerStatus};

pub(super) fn put(write: &mut Write<'_>, status: &WorkerStatus) -> Result<()> {
    write
        .connection
        .prepare_cached(
            "INSERT OR REPLACE INTO worker_status
                 (pool_id, worker_id, language, in_flight, completed, failed, actions_per_second, latency_p50_us, latency_p99_us,
                  started_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )
        .and_then(|mut statement| {
            statement.execute(params![
                status.pool_id,
                status.worker_id,
                status.language,
                status.in_flight,
                status.completed,
                status.failed,
                status.actions_per_second,
                status.latency_p50_us,
                status.latency_p99_us,
                status.started_at,
                write.now
            ])
        })
        .map_err(failed)?;
    Ok(())
}

pub(super) fn list(connection: &Connection, since: Timestamp) -> Result<Vec<WorkerStatus>> {
    let mut statement = connection
        .prepare_cached("SELECT * FROM worker_status WHERE updated_at >= ?1 ORDER BY pool_id, worker_id")
        .map_err(failed)?;
    let rows = statement
        .query_map([since], |row| {
            Ok(WorkerStatus {
                pool_id: row.get("pool_id")?,
                worker_id: row.get("worker_id")?,
                language: row.get("language")?,
                in_flight: row.get("in_flight")?,
                completed: row.get("completed")?,
                failed: row.get("failed")?,
                actions_per_second: row.get("actions_per_second")?,
                latency_p50_us: row.get("latency_p50_us")?,
                latency_p99_us: row.get("latency_p99_us")?,
                started_at: row.get("started_at")?,
                updated_at: row.get("updated_at")?,
            })
        })
        .map_err(failed)?;
    rows.collect::<rusqlite::Result<_>>().map_err(failed)
}
