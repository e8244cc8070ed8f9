//! `workflow_schedules`. A firing locks its schedule's row first; whoever comes second finds another revision there.

use std::time::Duration;

use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::inbox::Mail;
use super::instances::Starts;
use super::pool::Database;
use super::row::get;
use crate::change::is_soon;
use crate::schedules::LIVE_MAX;
use crate::{
    Change, DueSchedule, DueSchedules, Error, Fired, Firing, PutSchedule, Result, ScheduleKey, SchedulePosition,
    ScheduleStatus, Timestamp, WorkflowSchedule, validate,
};

const INSERT: &str = "
    INSERT INTO workflow_schedules (id, workflow_name, schedule_name, status, definition, handled_until, buffered_at, next_run_at)
    VALUES ($3, $1, $2, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING *";

const UPDATE: &str = "
    UPDATE workflow_schedules SET status = $4, definition = $5, handled_until = $6, buffered_at = $7, next_run_at = $8,
        updated_at = clock_timestamp(), revision = revision + 1
    WHERE workflow_name = $1 AND schedule_name = $2 AND revision = $3 RETURNING *";

/// What else it takes to fire a schedule `s`.
const WHAT_RUNS: &str = "
    statement_timestamp() AS now,
    (SELECT v.id FROM workflow_versions v WHERE v.workflow_name = s.workflow_name ORDER BY v.activated_at DESC LIMIT 1) AS active_version_id,
    ARRAY(SELECT r.instance_id FROM runner_instances r
          WHERE r.schedule_id = s.id AND r.schedule_id IS NOT NULL AND r.finished_at IS NULL
          ORDER BY r.instance_id LIMIT $1) AS live";

pub(super) async fn put(database: &Database, put: &PutSchedule) -> Result<Option<WorkflowSchedule>> {
    let PutSchedule { key, status, definition, position, .. } = put;
    validate::text("a name", [key.workflow_name.as_str(), key.schedule_name.as_str()])
        .map_err(|reason| Error::Refused { reason })?;
    let (sql, third): (&str, &(dyn ToSql + Sync)) = match &put.expected_revision {
        None => (INSERT, &put.schedule_id),
        Some(revision) => (UPDATE, revision),
    };
    let values: [&(dyn ToSql + Sync); 8] = [
        &key.workflow_name,
        &key.schedule_name,
        third,
        &status.name(),
        definition,
        &position.handled_until,
        &position.buffered_at,
        &position.next_run_at,
    ];
    database.write(sql, &values).await?.first().map(schedule).transpose()
}

pub(super) async fn read(database: &Database, key: &ScheduleKey) -> Result<Option<DueSchedule>> {
    let select = format!(
        "SELECT s.*, {WHAT_RUNS} FROM workflow_schedules s WHERE s.workflow_name = $2 AND s.schedule_name = $3"
    );
    let rows = database.read(&select, &[&LIVE_MAX, &key.workflow_name, &key.schedule_name]).await?;
    rows.first().map(due_schedule).transpose()
}

pub(super) async fn list(database: &Database, workflow_name: Option<&str>) -> Result<Vec<WorkflowSchedule>> {
    let select = "SELECT * FROM workflow_schedules WHERE $1::text IS NULL OR workflow_name = $1
                  ORDER BY workflow_name, schedule_name";
    database.read(select, &[&workflow_name]).await?.iter().map(schedule).collect()
}

pub(super) async fn delete(database: &Database, key: &ScheduleKey) -> Result<bool> {
    let delete = "DELETE FROM workflow_schedules WHERE workflow_name = $1 AND schedule_name = $2 RETURNING id";
    Ok(!database.write(delete, &[&key.workflow_name, &key.schedule_name]).await?.is_empty())
}

/// One row at least: the next one that is not yet due, beside those that are.
pub(super) async fn due(database: &Database, limit: u32) -> Result<DueSchedules> {
    let select = format!(
        "WITH due AS MATERIALIZED (
             SELECT * FROM workflow_schedules WHERE status = 'active' AND next_run_at <= statement_timestamp()
             ORDER BY next_run_at LIMIT $2
         )
         SELECT s.*, {WHAT_RUNS},
                (SELECT n.next_run_at FROM workflow_schedules n WHERE n.status = 'active' AND n.next_run_at > statement_timestamp()
                 ORDER BY n.next_run_at LIMIT 1) AS after_at
         FROM (SELECT) one LEFT JOIN due s ON true ORDER BY s.next_run_at"
    );
    let rows = database.read(&select, &[&LIVE_MAX, &i64::from(limit)]).await?;
    let first = rows.first().ok_or_else(|| Error::corrupt("a look at schedules has no answer"))?;
    let (now, after): (Timestamp, Option<Timestamp>) = (get(first, "now")?, get(first, "after_at")?);
    let next_due_in =
        after.map(|after| Duration::from_micros(u64::try_from(after.0.saturating_sub(now.0)).unwrap_or_default()));
    let mut due = Vec::new();
    for row in &rows {
        if get::<_, Option<Uuid>>(row, "id")?.is_some() {
            due.push(due_schedule(row)?);
        }
    }
    Ok(DueSchedules { due, next_due_in })
}

const FIRE: &str = "
    WITH gate AS MATERIALIZED (
        UPDATE workflow_schedules
        SET revision = revision + 1, handled_until = $3, buffered_at = $4, next_run_at = $5,
            last_run_at = coalesce($6, last_run_at), last_instance_id = coalesce($7, last_instance_id),
            runs = runs + $8, overlapped = overlapped + $9, missed = missed + $10, updated_at = clock_timestamp()
        WHERE id = $1 AND revision = $2 RETURNING id
    ), born AS MATERIALIZED (
        SELECT b.* FROM gate, unnest($11::uuid[], $12::uuid[], $13::text[], $14::smallint[], $15::timestamptz[], $16::text[],
                                     $17::uuid[], $18::text[], $19::text[], $20::bytea[], $21::text[], $22::timestamptz[],
                                     $23::uuid[])
            WITH ORDINALITY
            AS b(instance_id, workflow_version_id, queue, priority, scheduled_at, user_key, parent_instance_id,
                 parent_execution_id, tags, inputs, queue_key, deadline_at, schedule_id, position)
    ), {ROWS}, mail AS MATERIALIZED (
        SELECT m.* FROM gate, unnest($24::uuid[], $25::uuid[], $26::text[], $27::text[], $28::bytea[])
            AS m(instance_id, message_id, kind, name, payload)
    ), locked AS MATERIALIZED (
        SELECT instance_id FROM queued_instances WHERE instance_id = ANY (ARRAY(SELECT instance_id FROM mail))
        ORDER BY instance_id FOR UPDATE
    ), arrived AS (
        INSERT INTO instance_inbox (instance_id, message_id, kind, name, payload)
        SELECT m.instance_id, m.message_id, m.kind, m.name, m.payload FROM mail m JOIN locked USING (instance_id)
        ON CONFLICT DO NOTHING RETURNING instance_id
    ), woken AS (
        UPDATE queued_instances q
        SET wake_seq = q.wake_seq + a.messages,
            scheduled_at = CASE WHEN q.stuck THEN q.scheduled_at ELSE least(q.scheduled_at, clock_timestamp()) END
        FROM (SELECT instance_id, count(*) AS messages FROM arrived GROUP BY instance_id) a
        WHERE q.instance_id = a.instance_id
    )
    SELECT EXISTS (SELECT 1 FROM gate) AS done, (SELECT count(*) FROM instances) AS started,
           ARRAY(SELECT instance_id FROM arrived) AS told";

/// What became of it, and what others should hear of.
pub(super) async fn fire(database: &Database, firing: &Firing) -> Result<(Fired, Vec<Change>)> {
    firing.problem().map_err(|reason| Error::Refused { reason })?;
    let (last_run_at, last_instance_id) = firing.last_run.unzip();
    let runs = firing.runs();
    let position = &firing.position;
    let mut values: Vec<&(dyn ToSql + Sync)> = vec![
        &firing.schedule_id,
        &firing.expected_revision,
        &position.handled_until,
        &position.buffered_at,
        &position.next_run_at,
        &last_run_at,
        &last_instance_id,
        &runs,
        &firing.overlapped,
        &firing.missed,
    ];
    let starts = Starts::new(&firing.instances);
    let mail = Mail::new(firing.messages.iter());
    values.extend(starts.values());
    let mails = mail.values();
    values.extend(mails);
    let rows = database.write(&starts.rows_of(FIRE), &values).await?;
    let row = rows.first().ok_or_else(|| Error::corrupt("a firing has no answer"))?;
    if !get::<_, bool>(row, "done")? {
        return Ok((Fired::Moved, Vec::new()));
    }
    let told: Vec<Uuid> = get(row, "told")?;
    let now = Timestamp::now();
    let is_work =
        !told.is_empty() || firing.instances.iter().any(|new| new.scheduled_at.is_none_or(|at| is_soon(at, now)));
    let changes = told.into_iter().map(Change::Inbox).chain(is_work.then_some(Change::Work)).collect();
    let started = usize::try_from(get::<_, i64>(row, "started")?).unwrap_or_default();
    Ok((Fired::Done { started }, changes))
}

fn due_schedule(row: &Row) -> Result<DueSchedule> {
    Ok(DueSchedule {
        schedule: schedule(row)?,
        live: get(row, "live")?,
        active_version_id: get(row, "active_version_id")?,
        now: get(row, "now")?,
    })
}

fn schedule(row: &Row) -> Result<WorkflowSchedule> {
    let status: &str = get(row, "status")?;
    Ok(WorkflowSchedule {
        schedule_id: get(row, "id")?,
        key: ScheduleKey { workflow_name: get(row, "workflow_name")?, schedule_name: get(row, "schedule_name")? },
        status: ScheduleStatus::from_name(status)
            .ok_or_else(|| Error::corrupt(format!("a schedule has the status {status:?}")))?,
        definition: get(row, "definition")?,
        position: SchedulePosition {
            handled_until: get(row, "handled_until")?,
            buffered_at: get(row, "buffered_at")?,
            next_run_at: get(row, "next_run_at")?,
        },
        revision: get(row, "revision")?,
        last_run_at: get(row, "last_run_at")?,
        last_instance_id: get(row, "last_instance_id")?,
        runs: get(row, "runs")?,
        overlapped: get(row, "overlapped")?,
        missed: get(row, "missed")?,
        created_at: get(row, "created_at")?,
        updated_at: get(row, "updated_at")?,
    })
}
