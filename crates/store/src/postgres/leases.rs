//! `queued_instances`: claims, leases, sleep, and what is stuck.

use std::sync::LazyLock;
use std::time::Duration;

use tokio_postgres::Row;
use uuid::Uuid;

use super::instances::by_instance;
use super::pool::{Database, Values};
use super::queues;
use super::row::{LOG_COLUMNS, get, inbox_row, log_row, parent};
use crate::time::micros;
use crate::{
    Claim, Claimed, ClaimedInstance, Error, Heartbeat, HeldLease, Lease, PRIORITY_LEVELS, Result, SeqUnderLease, Sleep,
    Snapshot, Timestamp,
};

/// Each priority level and queue is probed on its own through the partial index, and only until there are enough: sleepers are
/// never looked at. A claim that a crash of the database undoes was never heard of, so it need not wait for the disk. Queues with settings
/// are claimed by a statement of their own; this one says whether they have something due, and leaves them half of the room then.
const CLAIM: &str = "
    WITH fast AS MATERIALIZED (
        SELECT set_config('synchronous_commit', 'off', true) AS setting
    ), open AS MATERIALIZED (
        SELECT w.queue, s.name IS NOT NULL AS is_limited
        FROM unnest($1::text[]) AS w(queue) LEFT JOIN queues s ON s.name = w.queue WHERE s.paused IS NOT TRUE
    ), limited AS MATERIALIZED (
        SELECT array_agg(o.queue) FILTER (WHERE EXISTS (
            SELECT 1 FROM generate_series(0, {LAST_PRIORITY}) AS level, LATERAL (
                SELECT 1 FROM queued_instances q
                WHERE q.lock_uuid IS NULL AND q.queue = o.queue AND q.priority = level::smallint
                  AND q.scheduled_at <= statement_timestamp() LIMIT 1
            ) AS due
        )) AS due, count(*) > 0 AS are_there
        FROM open o WHERE o.is_limited
    ), picked AS MATERIALIZED (
        SELECT due.instance_id, due.claims
        FROM fast, (
            SELECT level::smallint, o.queue FROM generate_series(0, {LAST_PRIORITY}) AS level, open o
            WHERE NOT o.is_limited ORDER BY 1 OFFSET 0
        ) AS wanted, LATERAL (
            SELECT q.instance_id, q.claims FROM queued_instances q
            WHERE q.lock_uuid IS NULL AND q.queue = wanted.queue AND q.priority = wanted.level
              AND q.scheduled_at <= statement_timestamp()
            ORDER BY q.scheduled_at LIMIT $2 FOR UPDATE SKIP LOCKED
        ) AS due
        LIMIT (SELECT $2 - CASE WHEN limited.due IS NULL THEN 0 ELSE $2 / 2 END FROM limited)
    ), {TAKE}, coming AS (
        SELECT (extract(epoch FROM min(due.scheduled_at) - statement_timestamp()) * 1e6)::double precision AS next_due_in_us
        FROM generate_series(0, {LAST_PRIORITY}) AS level, open o, LATERAL (
            SELECT q.scheduled_at FROM queued_instances q
            WHERE q.lock_uuid IS NULL AND q.queue = o.queue AND q.priority = level::smallint
              AND q.scheduled_at > statement_timestamp() AND q.scheduled_at < 'infinity'
            ORDER BY q.scheduled_at LIMIT 1
        ) AS due
    )
    SELECT claimed.instance_id, claimed.fate, coming.next_due_in_us, limited.due AS limited, limited.are_there AS is_limited
    FROM coming CROSS JOIN limited LEFT JOIN claimed ON true";

/// What becomes of picked rows: most are leased; one that was claimed too often is stuck; and one whose workflow is paused is parked, out of
/// the way of later claims until the pause ends. Nothing of that is looked for while nothing is paused.
const TAKE: &str = "
    paused AS MATERIALIZED (
        SELECT workflow_name FROM paused_workflows FOR SHARE
    ), parked AS MATERIALIZED (
        SELECT picked.instance_id FROM picked, LATERAL (
            SELECT r.workflow_name FROM runner_instances r WHERE r.instance_id = picked.instance_id OFFSET 0
        ) AS r
        WHERE (SELECT EXISTS (SELECT 1 FROM paused)) AND r.workflow_name IN (SELECT workflow_name FROM paused)
    ), judged AS MATERIALIZED (
        SELECT picked.*, CASE WHEN picked.instance_id = ANY (ARRAY(SELECT instance_id FROM parked)) THEN 'parked'
                              WHEN picked.claims < $6::integer THEN 'leased' ELSE 'stuck' END AS fate
        FROM picked
    ), claimed AS (
        UPDATE queued_instances q
        SET lock_uuid = CASE j.fate WHEN 'leased' THEN $3::uuid END,
            lock_owner = CASE j.fate WHEN 'leased' THEN $4::text END,
            lock_expires_at = CASE j.fate WHEN 'leased' THEN clock_timestamp() + $5::double precision * interval '1 microsecond' END,
            scheduled_at = CASE j.fate WHEN 'leased' THEN q.scheduled_at ELSE 'infinity' END,
            parked_due_at = CASE j.fate WHEN 'parked' THEN coalesce(q.parked_due_at, q.scheduled_at) END,
            stuck = j.fate = 'stuck',
            claims = CASE j.fate WHEN 'parked' THEN q.claims ELSE q.claims + 1 END{SET}
        FROM judged j WHERE q.instance_id = j.instance_id
        RETURNING q.instance_id, j.fate, q.claims{RETURNING}
    ), given_up AS (
        UPDATE runner_instances r
        SET status = 'stuck', stuck_reason = format('claimed %s times without progress', claimed.claims - 1)
        FROM claimed WHERE claimed.fate = 'stuck' AND r.instance_id = claimed.instance_id
    )";

/// These come after a claim that found something, and see what it saw or more: a lease keeps everybody else from writing.
const CLAIMED: &str = "
    SELECT q.instance_id, q.queue, q.priority, q.seq, q.wake_seq, q.claims, q.scheduled_at, r.workflow_version_id, r.workflow_name,
           r.user_key, r.parent_instance_id, r.parent_execution_id, r.inputs, r.created_at, r.deadline_at, r.state_seq, r.state
    FROM queued_instances q JOIN runner_instances r USING (instance_id)
    WHERE q.lock_uuid = $1 ORDER BY q.priority, q.scheduled_at";
const CLAIMED_LOG: &str = "
    SELECT {LOG_COLUMNS} FROM queued_instances q JOIN runner_instances r USING (instance_id)
    JOIN runner_actions_done l ON l.instance_id = q.instance_id AND l.seq > r.state_seq
    WHERE q.lock_uuid = $1 AND q.seq > r.state_seq ORDER BY l.instance_id, l.seq";
const CLAIMED_INBOX: &str = "
    SELECT i.* FROM queued_instances q JOIN instance_inbox i USING (instance_id)
    WHERE q.lock_uuid = $1 AND q.wake_seq > 0 ORDER BY i.instance_id, i.id";

const CLAIMED_ACTIONS: &str = "
    SELECT a.instance_id, a.execution_id, a.attempt FROM queued_instances q JOIN queued_actions a USING (instance_id)
    WHERE q.lock_uuid = $1 ORDER BY a.instance_id, a.id";

/// With more to set and to return.
pub(super) fn take(set: &str, returning: &str) -> String {
    TAKE.replace("{SET}", set).replace("{RETURNING}", returning)
}

static CLAIM_SQL: LazyLock<String> = LazyLock::new(|| {
    CLAIM.replace("{TAKE}", &take("", "")).replace("{LAST_PRIORITY}", &(PRIORITY_LEVELS - 1).to_string())
});

#[cfg(feature = "conformance")]
pub(super) fn claim_sql_written_out() -> String {
    CLAIM_SQL
        .replace("$1", "ARRAY['default']")
        .replace("$2", "100")
        .replace("$3", "gen_random_uuid()")
        .replace("$4", "'engine'")
        .replace("$5", "60000000")
        .replace("$6", "10")
}

/// What became of rows that were due.
#[derive(Default)]
pub(super) struct Found {
    leased: usize,
    parked: usize,
    stuck: Vec<Uuid>,
}

impl Found {
    pub(super) fn read(rows: &[Row]) -> Result<Found> {
        let mut found = Found::default();
        for row in rows {
            match get(row, "fate")? {
                Some("leased") => found.leased += 1,
                Some("parked") => found.parked += 1,
                Some(_) => found.stuck.push(get(row, "instance_id")?),
                None => {}
            }
        }
        Ok(found)
    }
}

/// What was claimed, and what became stuck instead.
pub(super) async fn claim(database: &Database, claim: &Claim) -> Result<(Claimed, Vec<Uuid>)> {
    let lock_uuid = Uuid::new_v4();
    let claims_max = i32::try_from(claim.claims_max).unwrap_or(i32::MAX);
    let lease_us = micros(claim.lease) as f64;
    let rows = database
        .write(&CLAIM_SQL, &[&claim.queues, &i64::from(claim.limit), &lock_uuid, &claim.engine, &lease_us, &claims_max])
        .await?;
    let Some(first) = rows.first() else { return Err(Error::corrupt("a claim has no answer")) };
    let next_us: Option<f64> = get(first, "next_due_in_us")?;
    let mut next = next_us.map(|us| Duration::from_micros(us.max(0.0) as u64));
    let limited: Option<Vec<String>> = get(first, "limited")?;
    let mut found = Found::read(&rows)?;
    // As the statement has it.
    let limit = i64::from(claim.limit);
    let plain = if limited.is_some() { limit - limit / 2 } else { limit };
    let is_full = (found.leased + found.parked + found.stuck.len()) as i64 >= plain;
    // The usual case of an idle engine: one statement a tick.
    let mut instances = Vec::new();
    if found.leased > 0 {
        instances = hydrate(database, lock_uuid).await?;
    }
    for queue in limited.unwrap_or_default() {
        let room = claim.limit.saturating_sub(u32::try_from(instances.len()).unwrap_or(u32::MAX));
        if room == 0 {
            break;
        }
        // What was claimed before is claimed: whoever loses the answer loses it until its leases run out.
        let more = queues::claim(database, claim, &queue, room).await?;
        if more.found.leased > 0 {
            instances.extend(hydrate(database, more.lock_uuid).await?);
        }
        found.parked += more.found.parked;
        found.stuck.extend(more.found.stuck);
        let wait = if more.more { Some(Duration::ZERO) } else { more.wait };
        next = [next, wait].into_iter().flatten().min();
    }
    if found.parked > 0 {
        next = Some(Duration::ZERO);
    }
    Ok((Claimed { instances, next_due_in: next, is_limited: get(first, "is_limited")?, is_full }, found.stuck))
}

/// All it takes to go on with what was claimed under a lock.
async fn hydrate(database: &Database, lock_uuid: Uuid) -> Result<Vec<ClaimedInstance>> {
    let claimed: [(&str, Values<'_>); 2] = [(CLAIMED, &[&lock_uuid]), (CLAIMED_ACTIONS, &[&lock_uuid])];
    let [rows, routed] = database.write_together(claimed).await?;
    let mut is_any_old = false;
    for row in &rows {
        is_any_old |= get::<_, i64>(row, "seq")? > 0 || get::<_, i64>(row, "wake_seq")? > 0;
    }
    // Nothing has happened to new ones, and nobody has written to them: there is nothing to look for.
    let [log, inbox] = match is_any_old {
        false => Default::default(),
        true => {
            let log = CLAIMED_LOG.replace("{LOG_COLUMNS}", LOG_COLUMNS);
            let past: [(&str, Values<'_>); 2] = [(&log, &[&lock_uuid]), (CLAIMED_INBOX, &[&lock_uuid])];
            database.write_together(past).await?
        }
    };
    let mut log = by_instance(&log, log_row)?;
    let mut inbox = by_instance(&inbox, inbox_row)?;
    let mut routed = by_instance(&routed, |row| Ok((get(row, "execution_id")?, get(row, "attempt")?)))?;
    rows.iter()
        .map(|row| {
            let instance_id = get(row, "instance_id")?;
            let state: Option<Vec<u8>> = get(row, "state")?;
            let seq = get(row, "state_seq")?;
            Ok(ClaimedInstance {
                lease: Lease { instance_id, lock_uuid },
                workflow_version_id: get(row, "workflow_version_id")?,
                workflow_name: get(row, "workflow_name")?,
                user_key: get(row, "user_key")?,
                parent: parent(row)?,
                queue: get(row, "queue")?,
                priority: u8::try_from(get::<_, i16>(row, "priority")?)
                    .map_err(|_| Error::corrupt("a priority is negative"))?,
                inputs: get(row, "inputs")?,
                snapshot: state.map(|state| Snapshot { seq, state }),
                log: log.remove(&instance_id).unwrap_or_default(),
                inbox: inbox.remove(&instance_id).unwrap_or_default(),
                routed: routed.remove(&instance_id).unwrap_or_default(),
                seq: get(row, "seq")?,
                wake_seq: get(row, "wake_seq")?,
                claims: get::<_, i32>(row, "claims")?.unsigned_abs(),
                scheduled_at: get(row, "scheduled_at")?,
                created_at: get(row, "created_at")?,
                deadline_at: get(row, "deadline_at")?,
            })
        })
        .collect()
}

fn columns(leases: impl IntoIterator<Item = Lease>) -> (Vec<Uuid>, Vec<Uuid>) {
    leases.into_iter().map(|lease| (lease.instance_id, lease.lock_uuid)).unzip()
}

pub(super) async fn read_seq(database: &Database, leases: &[Lease]) -> Result<Vec<SeqUnderLease>> {
    let select = "
        SELECT q.seq, r.instance_id IS NOT NULL AS finished
        FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS w(instance_id, lock_uuid, position)
        LEFT JOIN queued_instances q ON q.instance_id = w.instance_id AND q.lock_uuid = w.lock_uuid
            AND q.lock_expires_at > clock_timestamp()
        LEFT JOIN runner_instances r ON r.instance_id = w.instance_id AND r.finished_lock = w.lock_uuid
        ORDER BY w.position";
    let (ids, locks) = columns(leases.iter().copied());
    let rows = database.read(select, &[&ids, &locks]).await?;
    rows.iter()
        .map(|row| {
            Ok(match (get(row, "seq")?, get(row, "finished")?) {
                (Some(seq), _) => SeqUnderLease::Held { seq },
                (None, true) => SeqUnderLease::Finished,
                (None, false) => SeqUnderLease::Lost,
            })
        })
        .collect()
}

pub(super) async fn sleep(database: &Database, batch: &[Sleep]) -> Result<Vec<bool>> {
    let update = "
        WITH want AS MATERIALIZED (
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::bigint[], $5::text[], $6::boolean[])
                AS w(instance_id, lock_uuid, scheduled_at, wake_seq, waits_for, tried)
        ), locked AS MATERIALIZED (
            SELECT instance_id, lock_uuid, lock_expires_at, wake_seq FROM queued_instances
            WHERE instance_id = ANY($1) ORDER BY instance_id FOR UPDATE
        ), slept AS (
            UPDATE queued_instances q
            SET lock_uuid = NULL, lock_owner = NULL, lock_expires_at = NULL, scheduled_at = w.scheduled_at,
                claims = CASE WHEN w.tried THEN 0 ELSE greatest(q.claims - 1, 0) END
            FROM want w JOIN locked l USING (instance_id)
            WHERE q.instance_id = w.instance_id AND l.lock_uuid = w.lock_uuid AND l.wake_seq = w.wake_seq
              AND l.lock_expires_at > clock_timestamp()
            RETURNING q.instance_id, w.waits_for
        ), shown AS (
            UPDATE runner_instances r SET waits_for = nullif(slept.waits_for, '')
            FROM slept WHERE r.instance_id = slept.instance_id AND slept.waits_for IS NOT NULL
        )
        SELECT instance_id FROM slept";
    let (ids, locks) = columns(batch.iter().map(|sleep| sleep.lease));
    let scheduled: Vec<Timestamp> = batch.iter().map(|sleep| sleep.scheduled_at).collect();
    let seen: Vec<i64> = batch.iter().map(|sleep| sleep.wake_seq).collect();
    let waits: Vec<Option<&str>> = batch.iter().map(|sleep| sleep.waits_for.as_deref()).collect();
    let tried: Vec<bool> = batch.iter().map(|sleep| sleep.tried).collect();
    let rows = database.write(update, &[&ids, &locks, &scheduled, &seen, &waits, &tried]).await?;
    answered(&ids, &rows)
}

pub(super) async fn heartbeat(database: &Database, heartbeat: &Heartbeat) -> Result<Vec<HeldLease>> {
    let update = "
        WITH fast AS MATERIALIZED (
            SELECT set_config('synchronous_commit', 'off', true) AS setting
        ), want AS MATERIALIZED (
            SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS w(instance_id, lock_uuid)
        ), locked AS MATERIALIZED (
            SELECT instance_id, lock_uuid, lock_expires_at FROM queued_instances
            WHERE instance_id = ANY($1) ORDER BY instance_id FOR UPDATE
        )
        UPDATE queued_instances q SET lock_expires_at = clock_timestamp() + $3::double precision * interval '1 microsecond'
        FROM fast, want w JOIN locked l USING (instance_id)
        WHERE q.instance_id = w.instance_id AND l.lock_uuid = w.lock_uuid AND l.lock_expires_at > clock_timestamp()
        RETURNING q.instance_id, q.wake_seq";
    let (ids, locks) = columns(heartbeat.leases.iter().copied());
    let rows = database.write(update, &[&ids, &locks, &(micros(heartbeat.lease) as f64)]).await?;
    rows.iter().map(|row| Ok(HeldLease { instance_id: get(row, 0)?, wake_seq: get(row, 1)? })).collect()
}

/// What was held is due at once: nobody knows how far its owner came. Instances and actions in one statement; how many of each.
pub(super) async fn reclaim_expired(database: &Database, limit: u32) -> Result<(u64, u64)> {
    let update = "
        WITH old AS MATERIALIZED (
            SELECT instance_id FROM queued_instances
            WHERE lock_uuid IS NOT NULL AND lock_expires_at <= clock_timestamp() LIMIT $1 FOR UPDATE SKIP LOCKED
        ), freed AS (
            UPDATE queued_instances q
            SET lock_uuid = NULL, lock_owner = NULL, lock_expires_at = NULL, scheduled_at = clock_timestamp()
            FROM old WHERE q.instance_id = old.instance_id RETURNING 1
        ), full_buckets AS (
            DELETE FROM queue_buckets WHERE full_at <= clock_timestamp()
        ), old_actions AS MATERIALIZED (
            SELECT instance_id, execution_id, attempt FROM queued_actions
            WHERE lock_uuid IS NOT NULL AND lock_expires_at <= clock_timestamp() LIMIT $1 FOR UPDATE SKIP LOCKED
        ), freed_actions AS (
            UPDATE queued_actions a SET lock_uuid = NULL, lock_owner = NULL, lock_expires_at = NULL
            FROM old_actions o
            WHERE a.instance_id = o.instance_id AND a.execution_id = o.execution_id AND a.attempt = o.attempt RETURNING 1
        )
        SELECT (SELECT count(*) FROM freed), (SELECT count(*) FROM freed_actions)";
    let rows = database.write(update, &[&i64::from(limit)]).await?;
    let count = |at: usize| rows.first().map_or(Ok(0), |row| get::<_, i64>(row, at));
    Ok((count(0)?.unsigned_abs(), count(1)?.unsigned_abs()))
}

pub(super) async fn free_own(database: &Database, engine: &str) -> Result<u64> {
    let update = "
        WITH old AS MATERIALIZED (
            SELECT instance_id FROM queued_instances WHERE lock_uuid IS NOT NULL AND lock_owner = $1 FOR UPDATE SKIP LOCKED
        )
        UPDATE queued_instances q
        SET lock_uuid = NULL, lock_owner = NULL, lock_expires_at = NULL, scheduled_at = clock_timestamp()
        FROM old WHERE q.instance_id = old.instance_id RETURNING q.instance_id";
    Ok(database.write(update, &[&engine]).await?.len() as u64)
}

pub(super) async fn mark_stuck(database: &Database, batch: &[(Lease, String)]) -> Result<Vec<bool>> {
    let update = "
        WITH want AS MATERIALIZED (
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS w(instance_id, lock_uuid, reason)
        ), locked AS MATERIALIZED (
            SELECT instance_id, lock_uuid, lock_expires_at FROM queued_instances
            WHERE instance_id = ANY($1) ORDER BY instance_id FOR UPDATE
        ), owned AS MATERIALIZED (
            SELECT w.* FROM want w JOIN locked l USING (instance_id)
            WHERE l.lock_uuid = w.lock_uuid AND l.lock_expires_at > clock_timestamp()
        ), parked AS (
            UPDATE queued_instances q
            SET stuck = true, lock_uuid = NULL, lock_owner = NULL, lock_expires_at = NULL, scheduled_at = 'infinity'
            FROM owned WHERE q.instance_id = owned.instance_id
        )
        UPDATE runner_instances r SET status = 'stuck', stuck_reason = owned.reason
        FROM owned WHERE r.instance_id = owned.instance_id RETURNING r.instance_id, owned.lock_uuid";
    let (ids, locks) = columns(batch.iter().map(|(lease, _)| *lease));
    // Whatever went wrong may be quoted in the reason.
    let reasons: Vec<String> = batch.iter().map(|(_, reason)| reason.replace('\0', "\u{fffd}")).collect();
    let rows = database.write(update, &[&ids, &locks, &reasons]).await?;
    let marked = rows.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?))).collect::<Result<Vec<(Uuid, Uuid)>>>()?;
    Ok(batch.iter().map(|(lease, _)| marked.contains(&(lease.instance_id, lease.lock_uuid))).collect())
}

pub(super) async fn unstick(database: &Database, instance_ids: &[Uuid]) -> Result<Vec<bool>> {
    let update = "
        WITH parked AS MATERIALIZED (
            SELECT instance_id FROM queued_instances WHERE instance_id = ANY($1) AND stuck ORDER BY instance_id FOR UPDATE
        ), freed AS (
            UPDATE queued_instances q SET stuck = false, claims = 0, scheduled_at = clock_timestamp()
            FROM parked WHERE q.instance_id = parked.instance_id
        )
        UPDATE runner_instances r SET status = 'running', stuck_reason = NULL
        FROM parked WHERE r.instance_id = parked.instance_id RETURNING r.instance_id";
    let rows = database.write(update, &[&instance_ids]).await?;
    answered(instance_ids, &rows)
}

pub(super) async fn next_wakeup(database: &Database, queues: &[String]) -> Result<Option<Timestamp>> {
    let select = format!(
        "SELECT min(due.scheduled_at) FROM generate_series(0, {}) AS level, unnest($1::text[]) AS wanted, LATERAL (
             SELECT q.scheduled_at FROM queued_instances q
             WHERE q.lock_uuid IS NULL AND q.queue = wanted AND q.priority = level::smallint
             ORDER BY q.scheduled_at LIMIT 1
         ) AS due",
        PRIORITY_LEVELS - 1
    );
    let rows = database.read(&select, &[&queues]).await?;
    let next: Option<Timestamp> = rows.first().map(|row| get(row, 0)).transpose()?.flatten();
    Ok(next.filter(|next| *next != Timestamp::NEVER))
}

/// Which of the ids were answered, in their order.
fn answered(ids: &[Uuid], rows: &[Row]) -> Result<Vec<bool>> {
    let found = rows.iter().map(|row| get(row, 0)).collect::<Result<std::collections::HashSet<Uuid>>>()?;
    Ok(ids.iter().map(|id| found.contains(id)).collect())
}
