//! `queued_actions`.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use uuid::Uuid;

use super::inbox::Mail;
use super::pool::Database;
use super::row::get;
use crate::time::micros;
use crate::{ActionKey, ActionSettlement, ClaimActions, ClaimedAction, Put, PutAction, QueuedAction, Result};

/// Keys, column by column.
struct Keys<'a> {
    ids: Vec<Uuid>,
    executions: Vec<&'a str>,
    attempts: Vec<i32>,
}

impl<'a> Keys<'a> {
    fn new(keys: impl Iterator<Item = &'a ActionKey> + Clone) -> Keys<'a> {
        Keys {
            ids: keys.clone().map(|key| key.instance_id).collect(),
            executions: keys.clone().map(|key| key.execution_id.as_str()).collect(),
            attempts: keys.map(|key| key.attempt).collect(),
        }
    }
}

pub(super) async fn put(database: &Database, batch: &[PutAction]) -> Result<Vec<Put>> {
    let insert = "
        WITH want AS MATERIALIZED (
            SELECT * FROM unnest($1::uuid[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::bytea[], $7::uuid[], $8::uuid[],
                                 $9::bigint[]) WITH ORDINALITY
                AS w(action_instance_id, execution_id, attempt, queue, action, payload, instance_id, lock_uuid, seen, position)
        ), locked AS MATERIALIZED (
            SELECT instance_id, lock_uuid, lock_expires_at, wake_seq FROM queued_instances
            WHERE instance_id = ANY($7) ORDER BY instance_id FOR UPDATE
        ), owned AS MATERIALIZED (
            SELECT w.*, l.wake_seq = w.seen AS is_read FROM want w JOIN locked l USING (instance_id)
            WHERE l.lock_uuid = w.lock_uuid AND l.lock_expires_at > clock_timestamp() AND w.action_instance_id = w.instance_id
        ), put AS (
            INSERT INTO queued_actions (instance_id, execution_id, attempt, queue, action, payload)
            SELECT o.instance_id, o.execution_id, o.attempt, o.queue, o.action, o.payload FROM owned o WHERE o.is_read
            ORDER BY o.position ON CONFLICT DO NOTHING
        )
        SELECT position, is_read FROM owned";
    let keys = Keys::new(batch.iter().map(|put| &put.action.key));
    let queues: Vec<&str> = batch.iter().map(|put| put.action.queue.as_str()).collect();
    let actions: Vec<&str> = batch.iter().map(|put| put.action.action.as_str()).collect();
    let payloads: Vec<&[u8]> = batch.iter().map(|put| put.action.payload.as_slice()).collect();
    let ids: Vec<Uuid> = batch.iter().map(|put| put.lease.instance_id).collect();
    let locks: Vec<Uuid> = batch.iter().map(|put| put.lease.lock_uuid).collect();
    let seen: Vec<i64> = batch.iter().map(|put| put.wake_seq).collect();
    let rows = database
        .write(
            insert,
            &[&keys.ids, &keys.executions, &keys.attempts, &queues, &actions, &payloads, &ids, &locks, &seen],
        )
        .await?;
    let owned = rows.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?))).collect::<Result<HashMap<i64, bool>>>()?;
    Ok((1..)
        .take(batch.len())
        .map(|position| match owned.get(&position) {
            Some(true) => Put::Done,
            Some(false) => Put::UnreadMail,
            None => Put::LostLease,
        })
        .collect())
}

pub(super) async fn claim(database: &Database, claim: &ClaimActions) -> Result<Vec<ClaimedAction>> {
    let update = "
        WITH fast AS MATERIALIZED (
            SELECT set_config('synchronous_commit', 'off', true) AS setting
        ), picked AS MATERIALIZED (
            SELECT due.instance_id, due.execution_id, due.attempt
            FROM fast, unnest($1::text[], $2::text[]) AS w(queue, action), LATERAL (
                SELECT a.* FROM queued_actions a WHERE a.lock_uuid IS NULL AND a.action = w.action AND a.queue = w.queue
                ORDER BY a.id LIMIT $3 FOR UPDATE SKIP LOCKED
            ) AS due LIMIT $3
        ), claimed AS (
            UPDATE queued_actions a
            SET lock_uuid = $4, lock_owner = $5, claims = a.claims + 1,
                lock_expires_at = clock_timestamp() + $6::double precision * interval '1 microsecond'
            FROM picked p
            WHERE a.instance_id = p.instance_id AND a.execution_id = p.execution_id AND a.attempt = p.attempt
            RETURNING a.*
        )
        SELECT * FROM claimed ORDER BY id";
    let lock_uuid = Uuid::new_v4();
    let (queues, actions): (Vec<&str>, Vec<&str>) = claim.probes().into_iter().unzip();
    let limit = i64::from(claim.limit);
    let lease_us = micros(claim.lease) as f64;
    let rows = database.write(update, &[&queues, &actions, &limit, &lock_uuid, &claim.engine, &lease_us]).await?;
    rows.iter()
        .map(|row| {
            let action = QueuedAction {
                key: key(row)?,
                queue: get(row, "queue")?,
                action: get(row, "action")?,
                payload: get(row, "payload")?,
            };
            let claims = get::<_, i32>(row, "claims")?.unsigned_abs();
            Ok(ClaimedAction { action, lock_uuid, queued_at: get(row, "queued_at")?, claims })
        })
        .collect()
}

fn key(row: &tokio_postgres::Row) -> Result<ActionKey> {
    Ok(ActionKey {
        instance_id: get(row, "instance_id")?,
        execution_id: get(row, "execution_id")?,
        attempt: get(row, "attempt")?,
    })
}

pub(super) async fn heartbeat(database: &Database, held: &[(ActionKey, Uuid)], lease: Duration) -> Result<Vec<bool>> {
    let update = "
        WITH fast AS MATERIALIZED (
            SELECT set_config('synchronous_commit', 'off', true) AS setting
        ), locked AS MATERIALIZED (
            SELECT a.instance_id, a.execution_id, a.attempt FROM queued_actions a
            JOIN unnest($1::uuid[], $2::text[], $3::integer[], $4::uuid[]) AS w(instance_id, execution_id, attempt, lock_uuid)
                USING (instance_id, execution_id, attempt)
            WHERE a.lock_uuid = w.lock_uuid AND a.lock_expires_at > clock_timestamp()
            ORDER BY a.instance_id, a.execution_id, a.attempt FOR UPDATE OF a
        )
        UPDATE queued_actions a SET lock_expires_at = clock_timestamp() + $5::double precision * interval '1 microsecond',
            claims = a.claims - CASE WHEN $5::double precision > 0 THEN 0 ELSE 1 END
        FROM fast, locked l
        WHERE a.instance_id = l.instance_id AND a.execution_id = l.execution_id AND a.attempt = l.attempt
        RETURNING a.instance_id, a.execution_id, a.attempt";
    let keys = Keys::new(held.iter().map(|(key, _)| key));
    let locks: Vec<Uuid> = held.iter().map(|(_, lock_uuid)| *lock_uuid).collect();
    let lease_us = micros(lease) as f64;
    let rows = database.write(update, &[&keys.ids, &keys.executions, &keys.attempts, &locks, &lease_us]).await?;
    let extended = rows.iter().map(key).collect::<Result<HashSet<_>>>()?;
    Ok(held.iter().map(|(key, _)| extended.contains(key)).collect())
}

/// The queue rows of the instances are locked first, as everywhere.
pub(super) async fn settle(database: &Database, batch: &[ActionSettlement]) -> Result<Vec<bool>> {
    let update = "
        WITH want AS MATERIALIZED (
            SELECT * FROM unnest($1::uuid[], $2::text[], $3::integer[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::text[],
                                 $9::bytea[]) WITH ORDINALITY
                AS w(action_instance_id, execution_id, attempt, lock_uuid, instance_id, message_id, kind, name, payload, position)
        ), locked AS MATERIALIZED (
            SELECT instance_id FROM queued_instances WHERE instance_id = ANY($5) ORDER BY instance_id FOR UPDATE
        ), settled AS (
            DELETE FROM queued_actions a USING want w LEFT JOIN locked l ON l.instance_id = w.instance_id
            WHERE a.instance_id = w.action_instance_id AND a.execution_id = w.execution_id AND a.attempt = w.attempt
              AND a.lock_uuid = w.lock_uuid AND a.lock_expires_at > clock_timestamp()
            RETURNING w.position, l.instance_id
        ), arrived AS (
            INSERT INTO instance_inbox (instance_id, message_id, kind, name, payload)
            SELECT w.instance_id, w.message_id, w.kind, w.name, w.payload
            FROM want w JOIN settled s ON s.position = w.position AND s.instance_id = w.instance_id
            ORDER BY w.position ON CONFLICT DO NOTHING RETURNING instance_id
        ), woken AS (
            UPDATE queued_instances q
            SET wake_seq = q.wake_seq + a.messages,
                scheduled_at = CASE WHEN q.stuck THEN q.scheduled_at ELSE least(q.scheduled_at, clock_timestamp()) END
            FROM (SELECT instance_id, count(*) AS messages FROM arrived GROUP BY instance_id) a
            WHERE q.instance_id = a.instance_id
        )
        SELECT position FROM settled";
    let keys = Keys::new(batch.iter().map(|settlement| &settlement.key));
    let locks: Vec<Uuid> = batch.iter().map(|settlement| settlement.lock_uuid).collect();
    let mail = Mail::new(batch.iter().map(|settlement| &settlement.message));
    let mut values: Vec<&(dyn tokio_postgres::types::ToSql + Sync)> =
        vec![&keys.ids, &keys.executions, &keys.attempts, &locks];
    values.extend(mail.values());
    let rows = database.write(update, &values).await?;
    let settled = rows.iter().map(|row| get(row, 0)).collect::<Result<HashSet<i64>>>()?;
    Ok((1..).take(batch.len()).map(|position| settled.contains(&position)).collect())
}

/// Which were there, and whether somebody had them in hand.
pub(super) async fn remove(database: &Database, keys: &[ActionKey]) -> Result<HashMap<ActionKey, bool>> {
    let delete = "
        DELETE FROM queued_actions a USING unnest($1::uuid[], $2::text[], $3::integer[]) AS w(instance_id, execution_id, attempt)
        WHERE a.instance_id = w.instance_id AND a.execution_id = w.execution_id AND a.attempt = w.attempt
        RETURNING a.instance_id, a.execution_id, a.attempt, a.lock_uuid IS NOT NULL AS leased";
    let columns = Keys::new(keys.iter());
    let rows = database.write(delete, &[&columns.ids, &columns.executions, &columns.attempts]).await?;
    rows.iter().map(|row| Ok((key(row)?, get(row, "leased")?))).collect()
}

pub(super) async fn free_own(database: &Database, engine: &str) -> Result<u64> {
    let update = "
        WITH old AS MATERIALIZED (
            SELECT instance_id, execution_id, attempt FROM queued_actions
            WHERE lock_uuid IS NOT NULL AND lock_owner = $1 FOR UPDATE SKIP LOCKED
        )
        UPDATE queued_actions a SET lock_uuid = NULL, lock_owner = NULL, lock_expires_at = NULL
        FROM old WHERE a.instance_id = old.instance_id AND a.execution_id = old.execution_id AND a.attempt = old.attempt
        RETURNING a.id";
    Ok(database.write(update, &[&engine]).await?.len() as u64)
}
