//! `workflow_versions`.

use rusqlite::{Connection, OptionalExtension, Row, params};
use uuid::Uuid;

use super::row::failed;
use super::writer::Write;
use crate::{Change, Error, NewVersion, Registered, Result, VersionRef, WorkflowVersion};

const COLUMNS: &str = "id, workflow_name, workflow_version, ir_hash, created_at, activated_at";
/// Later than every other, even when the clock stands still.
const ACTIVATE: &str = "UPDATE workflow_versions
    SET activated_at = max(?2, 1 + (SELECT max(other.activated_at) FROM workflow_versions other
                                    WHERE other.workflow_name = workflow_versions.workflow_name))
    WHERE id = ?1";

pub(super) fn register(write: &mut Write<'_>, version: &NewVersion) -> Result<Registered> {
    let found: Option<(Uuid, String)> = write
        .connection
        .prepare_cached("SELECT id, ir_hash FROM workflow_versions WHERE workflow_name = ?1 AND workflow_version = ?2")
        .and_then(|mut statement| {
            statement
                .query_row([&version.workflow_name, &version.workflow_version], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()
        })
        .map_err(failed)?;
    match found {
        Some((_, registered_hash)) if registered_hash != version.ir_hash => Err(Error::VersionConflict {
            workflow_name: version.workflow_name.clone(),
            workflow_version: version.workflow_version.clone(),
            registered_hash,
            given_hash: version.ir_hash.clone(),
        }),
        Some((workflow_version_id, _)) => {
            activate(write, workflow_version_id)?;
            Ok(Registered { workflow_version_id, created: false })
        }
        None => {
            let workflow_version_id = Uuid::now_v7();
            write
                .connection
                .execute(
                    "INSERT INTO workflow_versions
                         (id, workflow_name, workflow_version, ir_hash, program_proto, source, created_at, activated_at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0)",
                    params![
                        workflow_version_id,
                        version.workflow_name,
                        version.workflow_version,
                        version.ir_hash,
                        version.program_proto,
                        version.source,
                        write.now
                    ],
                )
                .map_err(failed)?;
            activate(write, workflow_version_id)?;
            Ok(Registered { workflow_version_id, created: true })
        }
    }
}

pub(super) fn activate(write: &mut Write<'_>, workflow_version_id: Uuid) -> Result<bool> {
    let updated = write.connection.execute(ACTIVATE, params![workflow_version_id, write.now]).map_err(failed)?;
    write.changed(Change::Versions);
    Ok(updated > 0)
}

pub(super) fn get(connection: &Connection, version: &VersionRef) -> Result<Option<WorkflowVersion>> {
    let select = format!("SELECT {COLUMNS}, program_proto, source FROM workflow_versions");
    match version {
        VersionRef::Id(id) => connection.query_row(&format!("{select} WHERE id = ?1"), [id], whole),
        VersionRef::Named { workflow_name, workflow_version } => connection.query_row(
            &format!("{select} WHERE workflow_name = ?1 AND workflow_version = ?2"),
            [workflow_name, workflow_version],
            whole,
        ),
        VersionRef::Active { workflow_name } => connection.query_row(
            &format!("{select} WHERE workflow_name = ?1 ORDER BY activated_at DESC LIMIT 1"),
            [workflow_name],
            whole,
        ),
    }
    .optional()
    .map_err(failed)
}

pub(super) fn list(connection: &Connection, workflow_name: Option<&str>) -> Result<Vec<WorkflowVersion>> {
    let select = format!(
        "SELECT {COLUMNS} FROM workflow_versions WHERE ?1 IS NULL OR workflow_name = ?1
         ORDER BY workflow_name, activated_at DESC"
    );
    let mut statement = connection.prepare(&select).map_err(failed)?;
    let rows = statement.query_map([workflow_name], listed).map_err(failed)?;
    rows.collect::<rusqlite::Result<_>>().map_err(failed)
}

fn whole(row: &Row<'_>) -> rusqlite::Result<WorkflowVersion> {
    Ok(WorkflowVersion { program_proto: row.get("program_proto")?, source: row.get("source")?, ..listed(row)? })
}

fn listed(row: &Row<'_>) -> rusqlite::Result<WorkflowVersion> {
    Ok(WorkflowVersion {
        workflow_version_id: row.get("id")?,
        workflow_name: row.get("workflow_name")?,
        workflow_version: row.get("workflow_version")?,
        ir_hash: row.get("ir_hash")?,
        program_proto: Vec::new(),
        source: None,
        created_at: row.get("created_at")?,
        activated_at: row.get("activated_at")?,
    })
}
