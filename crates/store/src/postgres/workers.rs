//! `worker_status`.

use super::pool::Database;
use super::row::get;
use crate::{Result, Timestamp, WorkerStatus};

pub(super) async fn put(database: &Database, statuses: &[WorkerStatus]) -> Result<()> {
    let upsert = "
        INSERT INTO worker_status (pool_id, worker_id, language, in_flight, completed, failed, actions_per_second, latency_p50_us,
                                   latency_p99_us, started_at, updated_at)
        SELECT w.*, clock_timestamp()
        FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::double precision[],
                    $8::bigint[], $9::bigint[], $10::timestamptz[]) AS w
        ON CONFLICT (pool_id, worker_id) DO UPDATE
        SET language = excluded.language, in_flight = excluded.in_flight, completed = excluded.completed, failed = excluded.failed,
            actions_per_second = excluded.actions_per_second, latency_p50_us = excluded.latency_p50_us,
            latency_p99_us = excluded.latency_p99_us, started_at = excluded.started_at, updated_at = excluded.updated_at";
    fn column<'a, T>(statuses: &'a [WorkerStatus], of: impl Fn(&'a WorkerStatus) -> T) -> Vec<T> {
        statuses.iter().map(of).collect()
    }
    database
        .write(
            upsert,
            &[
                &column(statuses, |status| status.pool_id.as_str()),
                &column(statuses, |status| status.worker_id.as_str()),
                &column(statuses, |status| status.language.as_str()),
                &column(statuses, |status| status.in_flight),
                &column(statuses, |status| status.completed),
                &column(statuses, |status| status.failed),
                &column(statuses, |status| status.actions_per_second),
                &column(statuses, |status| status.latency_p50_us),
                &column(statuses, |status| status.latency_p99_us),
                &column(statuses, |status| status.started_at),
            ],
        )
        .await?;
    Ok(())
}

pub(super) async fn list(database: &Database, since: Timestamp) -> Result<Vec<WorkerStatus>> {
    let select = "SELECT * FROM worker_status WHERE updated_at >= $1 ORDER BY pool_id, worker_id";
    let rows = database.read(select, &[&since]).await?;
    rows.iter()
        .map(|row| {
            Ok(WorkerStatus {
                pool_id: get(row, "pool_id")?,
                worker_id: get(row, "worker_id")?,
                language: get(row, "language")?,
                in_flight: get(row, "in_flight")?,
                completed: get(row, "completed")?,
                failed: get(row, "failed")?,
                actions_per_second: get(row, "actions_per_second")?,
                latency_p50_us: get(row, "latency_p50_us")?,
                latency_p99_us: get(row, "latency_p99_us")?,
                started_at: get(row, "started_at")?,
                updated_at: get(row, "updated_at")?,
            })
        })
        .collect()
}
