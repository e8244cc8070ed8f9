//! Ending instances from outside, and giving them other states. Both lock the queue row first, as progress does.
//!
//! Two traps of Postgres. Rows to lock are named by an array: an `IN` over a `UNION` is looked at anew for a row that somebody else has written
//! while it was waited for, finds nothing, and the row is passed over in silence. And a statement that has waited for a lock still sees all other
//! rows as they were when it began: whatever depends on what the others wrote is another statement.

use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::inbox::Mail;
use super::instances;
use super::pool::{Database, Transaction};
use super::row::get;
use crate::{Change, Message, Result, Rewrite, Rewritten, Terminated, Termination, validate};

/// Those that end and their parents. Once these are locked nobody else starts children of those that end.
const TERMINATE_LOCK: &str = "SELECT instance_id FROM queued_instances WHERE instance_id = ANY ($1::uuid[] || $2::uuid[]) ORDER BY instance_id FOR UPDATE";

const TERMINATE: &str = "
    WITH want AS MATERIALIZED (
        SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::text[], $4::text[], $5::bytea[])
            AS w(instance_id, error, child_kind, child_name, child_payload)
    ), mail AS MATERIALIZED (
        SELECT * FROM unnest($6::uuid[], $7::uuid[], $8::text[], $9::text[], $10::bytea[])
            AS m(instance_id, message_id, kind, name, payload)
        UNION ALL
        SELECT r.instance_id, gen_random_uuid(), w.child_kind, w.child_name, w.child_payload
        FROM want w JOIN runner_instances r ON r.parent_instance_id = w.instance_id
        WHERE r.finished_at IS NULL AND w.child_payload IS NOT NULL AND r.instance_id <> ALL($11::uuid[])
    ), locked AS MATERIALIZED (
        SELECT instance_id FROM queued_instances
        WHERE instance_id = ANY (ARRAY(SELECT instance_id FROM want UNION ALL SELECT instance_id FROM mail))
        ORDER BY instance_id FOR UPDATE
    ), leaving AS MATERIALIZED (
        SELECT w.* FROM want w JOIN locked USING (instance_id)
    ), ended AS (
        UPDATE runner_instances r
        SET status = 'terminated', error = l.error, error_type = 'waymark.Terminated', finished_at = clock_timestamp(),
            waits_for = NULL, stuck_reason = NULL
        FROM leaving l WHERE r.instance_id = l.instance_id
    ), gone AS (
        DELETE FROM queued_instances q USING leaving l WHERE q.instance_id = l.instance_id
    ), unread AS (
        DELETE FROM instance_inbox i USING leaving l WHERE i.instance_id = l.instance_id
    ), abandoned AS (
        DELETE FROM queued_actions a USING leaving l WHERE a.instance_id = l.instance_id
    ), arrived AS (
        INSERT INTO instance_inbox (instance_id, message_id, kind, name, payload)
        SELECT m.instance_id, m.message_id, m.kind, m.name, m.payload FROM mail m JOIN locked USING (instance_id)
        LEFT JOIN leaving l USING (instance_id) WHERE l.instance_id IS NULL
        ON CONFLICT DO NOTHING RETURNING instance_id
    ), woken AS (
        UPDATE queued_instances q
        SET wake_seq = q.wake_seq + a.messages,
            scheduled_at = CASE WHEN q.stuck THEN q.scheduled_at ELSE least(q.scheduled_at, clock_timestamp()) END
        FROM (SELECT instance_id, count(*) AS messages FROM arrived GROUP BY instance_id) a
        WHERE q.instance_id = a.instance_id RETURNING q.instance_id
    )
    SELECT w.instance_id, l.instance_id IS NOT NULL AS done, r.instance_id IS NOT NULL AS known, false AS woken
    FROM want w LEFT JOIN leaving l USING (instance_id) LEFT JOIN runner_instances r ON r.instance_id = w.instance_id
    UNION ALL SELECT instance_id, false, true, true FROM woken";

/// What became of each, and what others should hear of.
pub(super) async fn terminate(database: &Database, batch: &[Termination]) -> Result<(Vec<Terminated>, Vec<Change>)> {
    let columns = Terminations::new(batch);
    let answers = database.transaction(&[(TERMINATE_LOCK, &columns.first()), (TERMINATE, &columns.values())]).await?;
    columns.ended(&answers[1])
}

/// As a part of something larger.
pub(super) async fn terminate_within(transaction: &Transaction, one: &Termination) -> Result<Vec<Change>> {
    let columns = Terminations::new(std::slice::from_ref(one));
    transaction.query(TERMINATE_LOCK, &columns.first()).await?;
    Ok(columns.ended(&transaction.query(TERMINATE, &columns.values()).await?)?.1)
}

/// Terminations, column by column.
struct Terminations<'a> {
    ids: Vec<Uuid>,
    errors: Vec<&'a [u8]>,
    child_kinds: Vec<Option<&'a str>>,
    child_names: Vec<Option<&'a str>>,
    child_payloads: Vec<Option<&'a [u8]>>,
    parents: Mail<'a>,
    abandoned: Vec<Uuid>,
}

impl<'a> Terminations<'a> {
    fn new(batch: &'a [Termination]) -> Terminations<'a> {
        let child = |part: fn(&Message) -> &str| -> Vec<Option<&'a str>> {
            batch.iter().map(|one| one.child_message.as_ref().map(part)).collect()
        };
        let payload = |one: &'a Termination| one.child_message.as_ref().map(|message| message.payload.as_slice());
        Terminations {
            ids: batch.iter().map(|one| one.instance_id).collect(),
            errors: batch.iter().map(|one| one.error.as_slice()).collect(),
            child_kinds: child(|message| &message.kind),
            child_names: child(|message| &message.name),
            child_payloads: batch.iter().map(payload).collect(),
            parents: Mail::new(batch.iter().filter_map(|one| one.parent_message.as_ref())),
            abandoned: batch.iter().flat_map(|one| one.abandoned.iter().copied()).collect(),
        }
    }

    fn first(&self) -> [&(dyn ToSql + Sync); 2] {
        [&self.ids, self.parents.values()[0]]
    }

    fn values(&self) -> Vec<&(dyn ToSql + Sync)> {
        let mut values: Vec<&(dyn ToSql + Sync)> =
            vec![&self.ids, &self.errors, &self.child_kinds, &self.child_names, &self.child_payloads];
        values.extend(self.parents.values());
        values.push(&self.abandoned);
        values
    }

    fn ended(&self, rows: &[Row]) -> Result<(Vec<Terminated>, Vec<Change>)> {
        let mut changes = Vec::new();
        let mut answers = vec![Terminated::Unknown; self.ids.len()];
        for row in rows {
            let id: Uuid = get(row, "instance_id")?;
            if get(row, "woken")? {
                changes.extend([Change::Inbox(id), Change::Work]);
                continue;
            }
            let answer = match (get(row, "done")?, get(row, "known")?) {
                (true, _) => Terminated::Done,
                (false, true) => Terminated::Finished,
                (false, false) => Terminated::Unknown,
            };
            if answer == Terminated::Done {
                // It may have been in the way of others of its queue.
                changes.extend([Change::Taken(id), Change::Finished(id), Change::Work]);
            }
            for (slot, _) in answers.iter_mut().zip(&self.ids).filter(|(_, wanted)| **wanted == id) {
                slot.clone_from(&answer);
            }
        }
        Ok((answers, changes))
    }
}

const REWRITE: &str = "
    WITH locked AS MATERIALIZED (
        SELECT instance_id, seq FROM queued_instances WHERE instance_id = ANY ($12::uuid[] || $1::uuid)
        ORDER BY instance_id FOR UPDATE
    ), live AS MATERIALIZED (
        SELECT seq FROM locked WHERE instance_id = $1
    ), stored AS MATERIALIZED (
        SELECT r.workflow_name, r.user_key, r.queue, r.queue_key, r.priority,
               coalesce((SELECT seq FROM live),
                        greatest(r.state_seq, (SELECT max(l.seq) FROM runner_actions_done l WHERE l.instance_id = $1))) AS seq
        FROM runner_instances r WHERE r.instance_id = $1
    ), taken AS MATERIALIZED (
        SELECT other.instance_id FROM stored s JOIN runner_instances other
            ON other.workflow_name = s.workflow_name AND other.user_key = s.user_key
        WHERE other.user_key IS NOT NULL AND other.finished_at IS NULL AND other.instance_id <> $1
    ), judged AS MATERIALIZED (
        SELECT * FROM stored
        WHERE seq = $2 AND $17::boolean = EXISTS (SELECT 1 FROM live) AND NOT EXISTS (SELECT 1 FROM taken)
    ), logged AS (
        INSERT INTO runner_actions_done (instance_id, seq, kind, outcome, happened_at, digest)
        SELECT $1, $2 + 1, $3::text, $4::bytea, $5::timestamptz, $6::bigint FROM judged
    ), state AS (
        UPDATE runner_instances r
        SET state = $7::bytea, state_seq = $2 + 1, status = $8::text, result = NULL, error = NULL, error_type = NULL,
            finished_at = NULL, finished_lock = NULL, stuck_reason = NULL, waits_for = NULL,
            workflow_version_id = coalesce($9::uuid, r.workflow_version_id), inputs = coalesce($10::bytea, r.inputs),
            deadline_at = coalesce($11::timestamptz, r.deadline_at)
        FROM judged WHERE r.instance_id = $1
    ), queue AS (
        INSERT INTO queued_instances AS q (instance_id, queue, queue_key, priority, scheduled_at, seq, wake_seq)
        SELECT $1, queue, coalesce(queue_key, (SELECT '' FROM queues s WHERE s.name = queue)), priority, clock_timestamp(),
               $2 + 1, cardinality(array_positions($12::uuid[], $1)) FROM judged
        ON CONFLICT (instance_id) DO UPDATE
        SET lock_uuid = NULL, lock_owner = NULL, lock_expires_at = NULL, stuck = false, claims = 0,
            scheduled_at = excluded.scheduled_at, seq = excluded.seq, wake_seq = q.wake_seq + excluded.wake_seq
    ), mail AS MATERIALIZED (
        SELECT m.* FROM judged CROSS JOIN unnest($12::uuid[], $13::uuid[], $14::text[], $15::text[], $16::bytea[])
            AS m(instance_id, message_id, kind, name, payload)
    ), arrived AS (
        INSERT INTO instance_inbox (instance_id, message_id, kind, name, payload)
        SELECT m.* FROM mail m WHERE m.instance_id = $1 OR m.instance_id IN (SELECT instance_id FROM locked)
        ON CONFLICT DO NOTHING RETURNING instance_id
    ), woken AS (
        UPDATE queued_instances q
        SET wake_seq = q.wake_seq + a.messages,
            scheduled_at = CASE WHEN q.stuck THEN q.scheduled_at ELSE least(q.scheduled_at, clock_timestamp()) END
        FROM (SELECT instance_id, count(*) AS messages FROM arrived WHERE instance_id <> $1 GROUP BY instance_id) a
        WHERE q.instance_id = a.instance_id
    )
    SELECT s.seq, (SELECT instance_id FROM taken LIMIT 1) AS taken, EXISTS (SELECT 1 FROM judged) AS done FROM stored s";

pub(super) async fn rewrite(database: &Database, rewrite: &Rewrite) -> Result<Rewritten> {
    if let Err(reason) = validate::rewrite(rewrite) {
        return Ok(Rewritten::Refused { reason });
    }
    let Rewrite { instance_id, expected_seq, log, snapshot, workflow_version_id, inputs, deadline_at, .. } = rewrite;
    let mail = Mail::new(rewrite.mail.iter());
    let (digest, status) = (log.digest.cast_signed(), rewrite.status().name());
    let mut values: Vec<&(dyn ToSql + Sync)> = vec![
        instance_id,
        expected_seq,
        &log.kind,
        &log.outcome,
        &log.happened_at,
        &digest,
        snapshot,
        &status,
        workflow_version_id,
        inputs,
        deadline_at,
    ];
    values.extend(mail.values());
    values.push(&rewrite.was_live);
    let rows = match &rewrite.start {
        None => database.write(REWRITE, &values).await?,
        Some(new) => {
            let transaction = database.begin().await?;
            instances::queue_within(&transaction, new).await?;
            let rows = transaction.query(REWRITE, &values).await?;
            transaction.commit().await?;
            rows
        }
    };
    let Some(row) = rows.first() else { return Ok(Rewritten::Unknown) };
    Ok(match (get(row, "done")?, get(row, "taken")?) {
        (true, _) => Rewritten::Done,
        (false, Some(instance_id)) => Rewritten::KeyTaken { instance_id },
        (false, None) => Rewritten::Moved { seq: get(row, "seq")? },
    })
}
