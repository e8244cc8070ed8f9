//! `queues`, their buckets, and what is paused.

use std::time::Duration;

use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::leases::{Found, take};
use super::pool::Database;
use super::row::get;
use crate::queues::{WALK_MAX, gather, limited_lock};
use crate::time::micros;
use crate::{Claim, Depth, Queue, QueueSettings, Rate, Result};

const CLAIM: &str = include_str!("limited.sql");

/// What a claim of a queue with limits came to.
pub(super) struct LimitedClaim {
    pub lock_uuid: Uuid,
    pub found: Found,
    /// When the next token is there.
    pub wait: Option<Duration>,
    /// Not everything was looked at.
    pub more: bool,
}

/// Claims of one queue come one after the other, on whichever host: what is leased can't change between counting and claiming.
pub(super) async fn claim(database: &Database, claim: &Claim, queue: &str, limit: u32) -> Result<LimitedClaim> {
    let lock_uuid = limited_lock();
    let claims_max = i32::try_from(claim.claims_max).unwrap_or(i32::MAX);
    let walk_max = i32::try_from(WALK_MAX).unwrap_or(i32::MAX);
    let lease_us = micros(claim.lease) as f64;
    let limit = i64::from(limit);
    let values: [&(dyn ToSql + Sync); 7] =
        [&queue, &limit, &lock_uuid, &claim.engine, &lease_us, &claims_max, &walk_max];
    let set = ", is_new = q.is_new AND j.fate <> 'leased'";
    let sql = CLAIM.replace("{TAKE}", &take(set, ", q.queue_key, j.is_new AS was_new"));
    let rows = database.write_locked(&format!("waymark queue {queue}"), &sql, &values).await?;
    let first = rows.first();
    let wait_us: Option<f64> = first.map(|row| get(row, "wait_us")).transpose()?.flatten();
    Ok(LimitedClaim {
        lock_uuid,
        found: Found::read(&rows)?,
        wait: wait_us.map(|us| Duration::from_micros(us.max(0.0) as u64)),
        more: first.map_or(Ok(false), |row| get(row, "more"))?,
    })
}

/// Starts see the row, or were there before it: `queues` is locked against both.
const PUT: [&str; 4] = [
    "LOCK TABLE queues IN ACCESS EXCLUSIVE MODE",
    "INSERT INTO queues AS q (name, fair, concurrency, key_concurrency, rate, rate_period_us, key_rate, key_rate_period_us)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (name) DO UPDATE
     SET fair = excluded.fair, concurrency = excluded.concurrency, key_concurrency = excluded.key_concurrency,
         rate = excluded.rate, rate_period_us = excluded.rate_period_us, key_rate = excluded.key_rate,
         key_rate_period_us = excluded.key_rate_period_us",
    // From now on all of its instances have a key, and those that have begun are not begun again.
    "WITH open AS MATERIALIZED (
         SELECT instance_id FROM queued_instances
         WHERE queue = $1 AND (queue_key IS NULL OR (is_new AND (seq > 0 OR lock_uuid IS NOT NULL)))
         ORDER BY instance_id FOR UPDATE
     )
     UPDATE queued_instances q
     SET queue_key = coalesce(q.queue_key, ''), is_new = q.is_new AND q.seq = 0 AND q.lock_uuid IS NULL
     FROM open WHERE q.instance_id = open.instance_id",
    FORGET_PLAIN,
];

/// A row that says nothing goes away: its queue is as any other.
const FORGET_PLAIN: &str = "DELETE FROM queues WHERE name = $1 AND NOT paused AND NOT fair
     AND coalesce(concurrency, key_concurrency, rate, key_rate) IS NULL";

pub(super) async fn put(database: &Database, settings: &QueueSettings) -> Result<()> {
    let count = |count: Option<u32>| count.map(|count| i32::try_from(count).unwrap_or(i32::MAX));
    let (concurrency, key_concurrency) = (count(settings.concurrency), count(settings.key_concurrency));
    let (rate, rate_period) = Rate::stored(settings.rate);
    let (key_rate, key_rate_period) = Rate::stored(settings.key_rate);
    let [lock, upsert, rows, forget] = PUT;
    let name: &(dyn ToSql + Sync) = &settings.name;
    database
        .transaction(&[
            (lock, &[]),
            (
                upsert,
                &[
                    name,
                    &settings.fair,
                    &concurrency,
                    &key_concurrency,
                    &rate,
                    &rate_period,
                    &key_rate,
                    &key_rate_period,
                ],
            ),
            (rows, &[name]),
            (forget, &[name]),
        ])
        .await?;
    Ok(())
}

pub(super) async fn pause(database: &Database, name: &str, paused: bool) -> Result<bool> {
    let was = "SELECT 1 FROM queues WHERE name = $1 AND paused FOR UPDATE";
    let upsert = "INSERT INTO queues AS q (name, paused) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET paused = excluded.paused";
    let answers =
        database.transaction(&[(was, &[&name]), (upsert, &[&name, &paused]), (FORGET_PLAIN, &[&name])]).await?;
    Ok(answers[0].is_empty() == paused)
}

/// Claims put aside what belongs to a paused workflow, with a lock on the row that says so. So once that row is gone, no claim puts any more
/// aside, and the second statement finds all that were.
pub(super) async fn pause_workflow(database: &Database, workflow_name: &str, paused: bool) -> Result<bool> {
    if paused {
        let insert = "INSERT INTO paused_workflows (workflow_name) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1";
        return Ok(!database.write(insert, &[&workflow_name]).await?.is_empty());
    }
    let delete = "DELETE FROM paused_workflows WHERE workflow_name = $1 RETURNING 1";
    let resume = "
        WITH parked AS MATERIALIZED (
            SELECT q.instance_id FROM queued_instances q JOIN runner_instances r USING (instance_id)
            WHERE q.parked_due_at IS NOT NULL AND r.workflow_name = $1 ORDER BY q.instance_id FOR UPDATE OF q
        )
        UPDATE queued_instances q SET scheduled_at = least(q.scheduled_at, q.parked_due_at), parked_due_at = NULL
        FROM parked WHERE q.instance_id = parked.instance_id";
    let answers = database.transaction(&[(delete, &[&workflow_name]), (resume, &[&workflow_name])]).await?;
    Ok(!answers[0].is_empty())
}

pub(super) async fn paused_workflows(database: &Database) -> Result<Vec<String>> {
    let select = "SELECT workflow_name FROM paused_workflows ORDER BY workflow_name";
    database.read(select, &[]).await?.iter().map(|row| get(row, 0)).collect()
}

pub(super) async fn list(database: &Database, keys_max: u32) -> Result<Vec<Queue>> {
    let set = "SELECT * FROM queues";
    let depths = "
        SELECT queue, queue_key, count(*) FILTER (WHERE lock_uuid IS NULL AND scheduled_at <= statement_timestamp()) AS due,
               count(*) FILTER (WHERE lock_uuid IS NOT NULL) AS leased,
               count(*) FILTER (WHERE lock_uuid IS NULL AND scheduled_at > statement_timestamp()) AS sleeping
        FROM queued_instances GROUP BY queue, queue_key";
    let [set, depths] = database.read_together([(set, &[]), (depths, &[])]).await?;
    let set = set.iter().map(|row| Ok((settings(row)?, get(row, "paused")?))).collect::<Result<Vec<_>>>()?;
    let depths = depths
        .iter()
        .map(|row| {
            let count = |name: &str| -> Result<u64> { Ok(get::<_, i64>(row, name)?.unsigned_abs()) };
            let depth = Depth { due: count("due")?, leased: count("leased")?, sleeping: count("sleeping")? };
            Ok((get(row, "queue")?, get(row, "queue_key")?, depth))
        })
        .collect::<Result<Vec<(String, Option<String>, Depth)>>>()?;
    Ok(gather(set, depths, keys_max as usize))
}

fn settings(row: &Row) -> Result<QueueSettings> {
    let count = |name: &str| -> Result<Option<u32>> { Ok(get::<_, Option<i32>>(row, name)?.map(i32::unsigned_abs)) };
    Ok(QueueSettings {
        name: get(row, "name")?,
        fair: get(row, "fair")?,
        concurrency: count("concurrency")?,
        key_concurrency: count("key_concurrency")?,
        rate: Rate::read(get(row, "rate")?, get(row, "rate_period_us")?),
        key_rate: Rate::read(get(row, "key_rate")?, get(row, "key_rate_period_us")?),
    })
}
