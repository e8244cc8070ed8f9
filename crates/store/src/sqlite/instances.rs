//! `runner_instances` and the log.

use rusqlite::types::ToSql;
use rusqlite::{Connection, OptionalExtension, Row, params};
use uuid::Uuid;

use super::row::{LOG_COLUMNS, failed, log_row, parent};
use super::writer::Write;
use crate::change::is_soon;
use crate::search::{self, Bound, Dialect};
use crate::{
    Change, ClaimedInstance, Instance, InstanceFilter, InstancePage, InstanceState, LogRow, NewInstance, OnConflict,
    Queued, Result, Snapshot, StartClaim, Status, Timestamp, Turn, tags, validate,
};

const COLUMNS: &str = "r.instance_id, r.workflow_version_id, r.workflow_name, v.workflow_version, r.status, r.user_key,
    r.parent_instance_id, r.parent_execution_id, r.tags, r.queue, r.queue_key, r.deadline_at, r.schedule_id, r.error_type,
    r.waits_for, r.stuck_reason, q.scheduled_at, r.created_at, r.finished_at,
    CASE WHEN q.instance_id IS NULL THEN NULL
         WHEN q.lock_uuid IS NOT NULL THEN 'held'
         WHEN EXISTS (SELECT 1 FROM paused_workflows p WHERE p.workflow_name = r.workflow_name) THEN 'workflow paused'
         WHEN EXISTS (SELECT 1 FROM queues s WHERE s.name = q.queue AND s.paused) THEN 'queue paused'
         ELSE 'waiting' END AS turn";
const TABLES: &str = "runner_instances r LEFT JOIN workflow_versions v ON v.id = r.workflow_version_id
    LEFT JOIN queued_instances q ON q.instance_id = r.instance_id";

pub(super) fn queue(write: &mut Write<'_>, batch: &[NewInstance], claim: Option<&StartClaim>) -> Result<Vec<Queued>> {
    let claims = match claim {
        Some(claim) => claim.wanted(batch).into_iter().map(|is_wanted| is_wanted.then_some(claim)).collect(),
        None => vec![None; batch.len()],
    };
    let starts: Vec<_> = batch.iter().zip(claims).collect();
    let start = |write: &mut Write<'_>, (new, claim): &(&NewInstance, Option<&StartClaim>)| start(write, new, *claim);
    write.each(&starts, start, |reason| Queued::Refused { reason })
}

pub(super) fn queue_whole(write: &mut Write<'_>, new: &NewInstance) -> Result<Queued> {
    start(write, new, None)
}

fn start(write: &mut Write<'_>, new: &NewInstance, claim: Option<&StartClaim>) -> Result<Queued> {
    if let Err(reason) = validate::instance(new) {
        return Ok(Queued::Refused { reason });
    }
    if let Some(answer) = policy(write, new)? {
        return Ok(answer);
    }
    let connection = write.connection;
    let inserted = connection
        .prepare_cached(
            "INSERT INTO runner_instances (instance_id, workflow_version_id, workflow_name, user_key, parent_instance_id,
                                           parent_execution_id, tags, created_at, inputs, queue, queue_key, priority, deadline_at,
                                           schedule_id)
             SELECT ?1, id, workflow_name, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13 FROM workflow_versions WHERE id = ?2
             ON CONFLICT DO NOTHING RETURNING workflow_name",
        )
        .and_then(|mut statement| {
            let values = params![
                new.instance_id,
                new.workflow_version_id,
                new.user_key,
                new.parent.as_ref().map(|parent| parent.instance_id),
                new.parent.as_ref().map(|parent| &parent.execution_id),
                tags::stored(&new.tags),
                write.now,
                new.inputs,
                new.queue,
                new.queue_key,
                new.priority,
                new.deadline_at,
                new.schedule_id,
            ];
            statement.query_row(values, |row| row.get(0)).optional()
        })
        .map_err(failed)?;
    let Some(workflow_name): Option<String> = inserted else { return not_inserted(write, new, claim) };
    let claim = match claim {
        Some(claim) if !is_held_up(connection, new, &workflow_name)? => Some(claim),
        _ => None,
    };
    connection
        .prepare_cached(
            "INSERT INTO queued_instances (instance_id, queue, queue_key, priority, scheduled_at, claims, lock_uuid, lock_owner,
                                           lock_expires_at)
             VALUES (?1, ?2, coalesce(?3, (SELECT '' FROM queues WHERE name = ?2)), ?4, ?5, ?6, ?7, ?8, ?9)",
        )
        .and_then(|mut statement| {
            statement.execute(params![
                new.instance_id,
                new.queue,
                new.queue_key,
                new.priority,
                new.scheduled_at.unwrap_or(write.now),
                u32::from(claim.is_some()),
                claim.map(|claim| claim.lock_uuid),
                claim.map(|claim| &claim.engine),
                claim.map(|claim| write.now + claim.lease),
            ])
        })
        .map_err(failed)?;
    for tag in &new.tags {
        connection
            .prepare_cached("INSERT INTO instance_tags (tag, instance_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING")
            .and_then(|mut statement| statement.execute(params![tag, new.instance_id]))
            .map_err(failed)?;
    }
    if let Some(claim) = claim {
        return Ok(Queued::Claimed(Box::new(ClaimedInstance::new(new, claim.lock_uuid, workflow_name, write.now))));
    }
    if is_soon(new.scheduled_at.unwrap_or(write.now), write.now) {
        write.changed(Change::Work);
    }
    Ok(Queued::Started)
}

/// Its queue has settings, or its workflow is paused: it has to wait for its turn.
fn is_held_up(connection: &Connection, new: &NewInstance, workflow_name: &str) -> Result<bool> {
    connection
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM queues WHERE name = ?1) OR EXISTS (SELECT 1 FROM paused_workflows WHERE workflow_name = ?2)",
        )
        .and_then(|mut statement| statement.query_row(params![new.queue, workflow_name], |row| row.get(0)))
        .map_err(failed)
}

/// What is to be done about a taken key, where that is said. None: it is started as any other.
fn policy(write: &mut Write<'_>, new: &NewInstance) -> Result<Option<Queued>> {
    if new.on_conflict == OnConflict::SameInputs && new.unique_for.is_none() {
        return Ok(None);
    }
    let same = "SELECT 1 FROM runner_instances WHERE instance_id = ?1";
    if write.connection.query_row(same, [new.instance_id], |_| Ok(())).optional().map_err(failed)?.is_some() {
        return Ok(Some(Queued::Existing { instance_id: new.instance_id }));
    }
    let find = |which: &str, since: Timestamp| -> Result<Option<(Uuid, bool)>> {
        write
            .connection
            .prepare_cached(&format!(
                "SELECT r.instance_id, r.inputs = ?3 FROM workflow_versions v JOIN runner_instances r ON r.workflow_name = v.workflow_name
                 WHERE v.id = ?1 AND r.user_key = ?2 AND {which} ORDER BY r.finished_at DESC LIMIT 1"
            ))
            .and_then(|mut statement| {
                let values = params![new.workflow_version_id, new.user_key, new.inputs, since];
                statement.query_row(values, |row| Ok((row.get(0)?, row.get(1)?))).optional()
            })
            .map_err(failed)
    };
    let mut holder = find("r.finished_at IS NULL AND ?4 IS NOT NULL", write.now)?;
    if let Some(window) = new.unique_for.filter(|_| holder.is_none()) {
        holder = find("r.finished_at IS NOT NULL AND r.finished_at > ?4", write.now.saturating_sub(window))?;
    }
    let Some((instance_id, is_equal)) = holder else { return Ok(None) };
    let existing = Queued::Existing { instance_id };
    let taken = Queued::KeyTaken { instance_id };
    Ok(Some(match &new.on_conflict {
        OnConflict::SameInputs if is_equal => existing,
        OnConflict::SameInputs | OnConflict::Reject => taken,
        OnConflict::Existing => existing,
        OnConflict::Replace(Some(termination)) if termination.instance_id == instance_id => {
            super::rewrite::terminate(write, termination)?;
            return Ok(None);
        }
        OnConflict::Replace(_) => taken,
    }))
}

fn not_inserted(write: &Write<'_>, new: &NewInstance, claim: Option<&StartClaim>) -> Result<Queued> {
    let connection = write.connection;
    let lock_uuid = claim.map(|claim| claim.lock_uuid);
    let same: Option<(String, Timestamp, bool)> = connection
        .query_row(
            "SELECT r.workflow_name, r.created_at,
                    EXISTS (SELECT 1 FROM queued_instances q
                            WHERE q.instance_id = ?1 AND q.lock_uuid = ?2 AND q.lock_expires_at > ?3 AND q.seq = 0)
             FROM runner_instances r WHERE r.instance_id = ?1",
            params![new.instance_id, lock_uuid, write.now],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .optional()
        .map_err(failed)?;
    match (same, lock_uuid) {
        // This very claim was made before, and the answer was lost.
        (Some((workflow_name, created_at, true)), Some(lock_uuid)) => {
            return Ok(Queued::Claimed(Box::new(ClaimedInstance::new(new, lock_uuid, workflow_name, created_at))));
        }
        (Some(_), _) => return Ok(Queued::Existing { instance_id: new.instance_id }),
        (None, _) => {}
    }
    let holder: Option<(Uuid, bool)> = connection
        .query_row(
            "SELECT r.instance_id, r.inputs = ?3 FROM runner_instances r
             JOIN workflow_versions v ON v.id = ?1 AND v.workflow_name = r.workflow_name
             WHERE r.user_key = ?2 AND r.finished_at IS NULL",
            params![new.workflow_version_id, new.user_key, new.inputs],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()
        .map_err(failed)?;
    Ok(match holder {
        Some((instance_id, true)) => Queued::Existing { instance_id },
        Some((instance_id, false)) => Queued::KeyTaken { instance_id },
        None => Queued::UnknownVersion,
    })
}

pub(super) fn get(connection: &Connection, instance_id: Uuid) -> Result<Option<Instance>> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS}, r.inputs, r.result, r.error FROM {TABLES} WHERE r.instance_id = ?1"
        ))
        .and_then(|mut statement| statement.query_row([instance_id], whole).optional())
        .map_err(failed)
}

const DIALECT: Dialect = Dialect { parameter: '?', contains: "instr(coalesce([], x''), {}) > 0" };

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        match self {
            Bound::Text(text) => text.to_sql(),
            Bound::Id(id) => id.to_sql(),
            Bound::Time(time) => time.to_sql(),
            Bound::Bytes(bytes) => bytes.to_sql(),
        }
    }
}

pub(super) fn list(connection: &Connection, filter: &InstanceFilter) -> Result<InstancePage> {
    let search = filter.search(&DIALECT);
    let instances: Vec<Instance> = connection
        .prepare_cached(&search.page_sql(COLUMNS, filter.page_size()))
        .and_then(|mut statement| statement.query_map(rusqlite::params_from_iter(&search.values), listed)?.collect())
        .map_err(failed)?;
    let looked_at = match search.looks_at_each() && (instances.len() as i64) < filter.page_size() {
        true => connection
            .prepare_cached(&search.end_sql())
            .and_then(|mut statement| {
                statement.query_row(rusqlite::params_from_iter(&search.values), |row| row.get(0)).optional()
            })
            .map_err(failed)?,
        false => None,
    };
    Ok(search::page(filter, instances, looked_at))
}

pub(super) fn count(connection: &Connection, filter: &InstanceFilter, limit: u32) -> Result<u64> {
    let filter = InstanceFilter { cursor: None, text: None, ..filter.clone() };
    let search = filter.search(&DIALECT);
    let mut statement = connection.prepare_cached(&search.count_sql(limit)).map_err(failed)?;
    statement
        .query_row(rusqlite::params_from_iter(&search.values), |row| row.get::<_, i64>(0))
        .map(i64::unsigned_abs)
        .map_err(failed)
}

pub(super) fn read_state(connection: &Connection, instance_id: Uuid) -> Result<Option<InstanceState>> {
    let Some(instance) = get(connection, instance_id)? else { return Ok(None) };
    let snapshot = snapshot(connection, instance_id)?;
    let after = snapshot.as_ref().map_or(0, |snapshot| snapshot.seq);
    Ok(Some(InstanceState { instance, snapshot, log: read_log(connection, instance_id, after, u32::MAX)? }))
}

pub(super) fn snapshot(connection: &Connection, instance_id: Uuid) -> Result<Option<Snapshot>> {
    connection
        .prepare_cached("SELECT state_seq, state FROM runner_instances WHERE instance_id = ?1 AND state IS NOT NULL")
        .and_then(|mut statement| {
            statement.query_row([instance_id], |row| Ok(Snapshot { seq: row.get(0)?, state: row.get(1)? })).optional()
        })
        .map_err(failed)
}

pub(super) fn read_log(connection: &Connection, instance_id: Uuid, after_seq: i64, limit: u32) -> Result<Vec<LogRow>> {
    let mut statement = connection
        .prepare_cached(&format!(
            "SELECT {LOG_COLUMNS} FROM runner_actions_done WHERE instance_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3"
        ))
        .map_err(failed)?;
    let rows = statement.query_map(params![instance_id, after_seq, limit], log_row).map_err(failed)?;
    rows.collect::<rusqlite::Result<_>>().map_err(failed)
}

fn whole(row: &Row<'_>) -> rusqlite::Result<Instance> {
    Ok(Instance { inputs: row.get("inputs")?, result: row.get("result")?, error: row.get("error")?, ..listed(row)? })
}

fn listed(row: &Row<'_>) -> rusqlite::Result<Instance> {
    let status: String = row.get("status")?;
    Ok(Instance {
        instance_id: row.get("instance_id")?,
        workflow_version_id: row.get("workflow_version_id")?,
        workflow_name: row.get("workflow_name")?,
        workflow_version: row.get::<_, Option<String>>("workflow_version")?.unwrap_or_default(),
        status: Status::from_name(&status)
            .ok_or_else(|| rusqlite::Error::InvalidColumnName(format!("status {status:?}")))?,
        user_key: row.get("user_key")?,
        parent: parent(row)?,
        tags: tags::read(row.get("tags")?),
        queue: row.get("queue")?,
        queue_key: row.get("queue_key")?,
        deadline_at: row.get("deadline_at")?,
        schedule_id: row.get("schedule_id")?,
        error_type: row.get("error_type")?,
        inputs: Vec::new(),
        result: None,
        error: None,
        waits_for: row.get("waits_for")?,
        stuck_reason: row.get("stuck_reason")?,
        scheduled_at: row.get("scheduled_at")?,
        created_at: row.get("created_at")?,
        finished_at: row.get("finished_at")?,
        turn: row.get::<_, Option<String>>("turn")?.as_deref().and_then(Turn::from_name),
    })
}
