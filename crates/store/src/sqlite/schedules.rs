//! `workflow_schedules`.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::row::failed;
use super::writer::Write;
use super::{inbox, instances};
use crate::schedules::LIVE_MAX;
use crate::{
    Change, DueSchedule, DueSchedules, Error, Fired, Firing, PutSchedule, Queued, Result, ScheduleKey,
    SchedulePosition, ScheduleStatus, Timestamp, WorkflowSchedule, validate,
};

pub(super) fn put(write: &mut Write<'_>, put: &PutSchedule) -> Result<Option<WorkflowSchedule>> {
    let key = &put.key;
    validate::text("a name", [key.workflow_name.as_str(), key.schedule_name.as_str()])
        .map_err(|reason| Error::Refused { reason })?;
    let position = &put.position;
    let stored = match put.expected_revision {
        None => write.connection.execute(
            "INSERT INTO workflow_schedules (id, workflow_name, schedule_name, status, definition, handled_until, buffered_at,
                                             next_run_at, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9) ON CONFLICT DO NOTHING",
            params![
                put.schedule_id,
                key.workflow_name,
                key.schedule_name,
                put.status.name(),
                put.definition,
                position.handled_until,
                position.buffered_at,
                position.next_run_at,
                write.now,
            ],
        ),
        Some(revision) => write.connection.execute(
            "UPDATE workflow_schedules SET status = ?4, definition = ?5, handled_until = ?6, buffered_at = ?7, next_run_at = ?8,
                 updated_at = ?9, revision = revision + 1
             WHERE workflow_name = ?1 AND schedule_name = ?2 AND revision = ?3",
            params![
                key.workflow_name,
                key.schedule_name,
                revision,
                put.status.name(),
                put.definition,
                position.handled_until,
                position.buffered_at,
                position.next_run_at,
                write.now,
            ],
        ),
    };
    if stored.map_err(failed)? == 0 {
        return Ok(None);
    }
    write.changed(Change::Schedules);
    find(write.connection, key)
}

fn find(connection: &Connection, key: &ScheduleKey) -> Result<Option<WorkflowSchedule>> {
    connection
        .query_row(
            "SELECT * FROM workflow_schedules WHERE workflow_name = ?1 AND schedule_name = ?2",
            [&key.workflow_name, &key.schedule_name],
            schedule,
        )
        .optional()
        .map_err(failed)?
        .transpose()
}

pub(super) fn read(connection: &Connection, key: &ScheduleKey, now: Timestamp) -> Result<Option<DueSchedule>> {
    find(connection, key)?.map(|schedule| with_what_runs(connection, schedule, now)).transpose()
}

fn with_what_runs(connection: &Connection, schedule: WorkflowSchedule, now: Timestamp) -> Result<DueSchedule> {
    let live = connection
        .prepare_cached(
            "SELECT instance_id FROM runner_instances
             WHERE schedule_id = ?1 AND schedule_id IS NOT NULL AND finished_at IS NULL ORDER BY instance_id LIMIT ?2",
        )
        .and_then(|mut statement| {
            statement.query_map(params![schedule.schedule_id, LIVE_MAX], |row| row.get(0))?.collect()
        })
        .map_err(failed)?;
    let active_version_id = connection
        .prepare_cached("SELECT id FROM workflow_versions WHERE workflow_name = ?1 ORDER BY activated_at DESC LIMIT 1")
        .and_then(|mut statement| statement.query_row([&schedule.key.workflow_name], |row| row.get(0)).optional())
        .map_err(failed)?;
    Ok(DueSchedule { schedule, live, active_version_id, now })
}

pub(super) fn list(connection: &Connection, workflow_name: Option<&str>) -> Result<Vec<WorkflowSchedule>> {
    let select = "SELECT * FROM workflow_schedules WHERE ?1 IS NULL OR workflow_name = ?1
                  ORDER BY workflow_name, schedule_name";
    let mut statement = connection.prepare(select).map_err(failed)?;
    let rows = statement.query_map([workflow_name], schedule).map_err(failed)?;
    rows.map(|row| row.map_err(failed)?).collect()
}

pub(super) fn delete(write: &mut Write<'_>, key: &ScheduleKey) -> Result<bool> {
    let delete = "DELETE FROM workflow_schedules WHERE workflow_name = ?1 AND schedule_name = ?2";
    let deleted = write.connection.execute(delete, [&key.workflow_name, &key.schedule_name]).map_err(failed)?;
    Ok(deleted > 0)
}

pub(super) fn due(connection: &Connection, now: Timestamp, limit: u32) -> Result<DueSchedules> {
    let schedules: Vec<WorkflowSchedule> = connection
        .prepare_cached(
            "SELECT * FROM workflow_schedules WHERE status = 'active' AND next_run_at <= ?1 ORDER BY next_run_at LIMIT ?2",
        )
        .map_err(failed)?
        .query_map(params![now, limit], schedule)
        .map_err(failed)?
        .map(|row| row.map_err(failed)?)
        .collect::<Result<_>>()?;
    let next: Option<Timestamp> = connection
        .prepare_cached(
            "SELECT next_run_at FROM workflow_schedules WHERE status = 'active' AND next_run_at > ?1
             ORDER BY next_run_at LIMIT 1",
        )
        .and_then(|mut statement| statement.query_row([now], |row| row.get(0)).optional())
        .map_err(failed)?;
    let due = schedules.into_iter().map(|schedule| with_what_runs(connection, schedule, now)).collect::<Result<_>>()?;
    Ok(DueSchedules { due, next_due_in: next.map(|next| until(now, next)) })
}

fn until(now: Timestamp, then: Timestamp) -> Duration {
    Duration::from_micros(u64::try_from(then.0.saturating_sub(now.0)).unwrap_or_default())
}

pub(super) fn fire(write: &mut Write<'_>, firing: &Firing) -> Result<Fired> {
    if let Err(reason) = firing.problem() {
        return Ok(Fired::Refused { reason });
    }
    let moved = write
        .connection
        .prepare_cached(
            "UPDATE workflow_schedules
             SET revision = revision + 1, handled_until = ?3, buffered_at = ?4, next_run_at = ?5,
                 last_run_at = coalesce(?6, last_run_at), last_instance_id = coalesce(?7, last_instance_id),
                 runs = runs + ?8, overlapped = overlapped + ?9, missed = missed + ?10, updated_at = ?11
             WHERE id = ?1 AND revision = ?2",
        )
        .and_then(|mut statement| {
            statement.execute(params![
                firing.schedule_id,
                firing.expected_revision,
                firing.position.handled_until,
                firing.position.buffered_at,
                firing.position.next_run_at,
                firing.last_run.map(|(at, _)| at),
                firing.last_run.map(|(_, id)| id),
                firing.runs(),
                firing.overlapped,
                firing.missed,
                write.now,
            ])
        })
        .map_err(failed)?;
    if moved == 0 {
        return Ok(Fired::Moved);
    }
    let mut started = 0;
    for new in &firing.instances {
        match instances::queue_whole(write, new)? {
            Queued::Started => started += 1,
            Queued::Existing { .. } => {}
            // Undoes all of it.
            other => return Err(Error::Refused { reason: format!("{other:?}") }),
        }
    }
    for message in &firing.messages {
        inbox::put(write, message)?;
    }
    Ok(Fired::Done { started })
}

fn schedule(row: &Row<'_>) -> rusqlite::Result<Result<WorkflowSchedule>> {
    let status: String = row.get("status")?;
    let Some(status) = ScheduleStatus::from_name(&status) else {
        return Ok(Err(Error::corrupt(format!("a schedule has the status {status:?}"))));
    };
    Ok(Ok(WorkflowSchedule {
        schedule_id: row.get("id")?,
        key: ScheduleKey { workflow_name: row.get("workflow_name")?, schedule_name: row.get("schedule_name")? },
        status,
        definition: row.get("definition")?,
        position: SchedulePosition {
            handled_until: row.get("handled_until")?,
            buffered_at: row.get("buffered_at")?,
            next_run_at: row.get("next_run_at")?,
        },
        revision: row.get("revision")?,
        last_run_at: row.get("last_run_at")?,
        last_instance_id: row.get("last_instance_id")?,
        runs: row.get("runs")?,
        overlapped: row.get("overlapped")?,
        missed: row.get("missed")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    }))
}
