//! `workflow_versions`.

use tokio_postgres::Row;
use uuid::Uuid;

use super::pool::Database;
use super::row::get;
use crate::{Error, NewVersion, Registered, Result, VersionRef, WorkflowVersion};

const COLUMNS: &str = "id, workflow_name, workflow_version, ir_hash, created_at, activated_at";
/// Later than every other, even when two come at once.
const LATEST: &str = "greatest(clock_timestamp(), (SELECT max(other.activated_at) + interval '1 microsecond'
                                                    FROM workflow_versions other WHERE other.workflow_name = $1))";

pub(super) async fn register(database: &Database, version: &NewVersion) -> Result<Registered> {
    let fresh = Uuid::now_v7();
    let insert = format!(
        "INSERT INTO workflow_versions (id, workflow_name, workflow_version, ir_hash, program_proto, source, activated_at)
         VALUES ($3, $1, $2, $4, $5, $6, {LATEST})
         ON CONFLICT (workflow_name, workflow_version) DO UPDATE SET activated_at = excluded.activated_at
             WHERE workflow_versions.ir_hash = excluded.ir_hash
         RETURNING id"
    );
    let rows = database
        .write(
            &insert,
            &[
                &version.workflow_name,
                &version.workflow_version,
                &fresh,
                &version.ir_hash,
                &version.program_proto,
                &version.source,
            ],
        )
        .await?;
    if let Some(row) = rows.first() {
        let workflow_version_id = get(row, 0)?;
        return Ok(Registered { workflow_version_id, created: workflow_version_id == fresh });
    }
    let registered = database
        .read(
            "SELECT ir_hash FROM workflow_versions WHERE workflow_name = $1 AND workflow_version = $2",
            &[&version.workflow_name, &version.workflow_version],
        )
        .await?;
    let registered_hash = registered
        .first()
        .map(|row| get(row, 0))
        .transpose()?
        .ok_or_else(|| Error::corrupt("a version disappeared"))?;
    Err(Error::VersionConflict {
        workflow_name: version.workflow_name.clone(),
        workflow_version: version.workflow_version.clone(),
        registered_hash,
        given_hash: version.ir_hash.clone(),
    })
}

pub(super) async fn activate(database: &Database, workflow_version_id: Uuid) -> Result<bool> {
    let update = "UPDATE workflow_versions v SET activated_at = greatest(clock_timestamp(),
            (SELECT max(other.activated_at) + interval '1 microsecond' FROM workflow_versions other
             WHERE other.workflow_name = v.workflow_name))
        WHERE id = $1 RETURNING id";
    Ok(!database.write(update, &[&workflow_version_id]).await?.is_empty())
}

async fn find(
    database: &Database,
    condition: &str,
    values: super::pool::Values<'_>,
) -> Result<Option<WorkflowVersion>> {
    let select = format!("SELECT {COLUMNS}, program_proto, source FROM workflow_versions WHERE {condition}");
    database.read(&select, values).await?.first().map(whole).transpose()
}

pub(super) async fn get_version(database: &Database, version: &VersionRef) -> Result<Option<WorkflowVersion>> {
    match version {
        VersionRef::Id(id) => find(database, "id = $1", &[id]).await,
        VersionRef::Named { workflow_name, workflow_version } => {
            find(database, "workflow_name = $1 AND workflow_version = $2", &[workflow_name, workflow_version]).await
        }
        VersionRef::Active { workflow_name } => {
            find(database, "workflow_name = $1 ORDER BY activated_at DESC LIMIT 1", &[workflow_name]).await
        }
    }
}

pub(super) async fn list(database: &Database, workflow_name: Option<&str>) -> Result<Vec<WorkflowVersion>> {
    let select = format!(
        "SELECT {COLUMNS} FROM workflow_versions WHERE $1::text IS NULL OR workflow_name = $1
         ORDER BY workflow_name, activated_at DESC"
    );
    database.read(&select, &[&workflow_name]).await?.iter().map(listed).collect()
}

fn whole(row: &Row) -> Result<WorkflowVersion> {
    Ok(WorkflowVersion { program_proto: get(row, "program_proto")?, source: get(row, "source")?, ..listed(row)? })
}

fn listed(row: &Row) -> Result<WorkflowVersion> {
    Ok(WorkflowVersion {
        workflow_version_id: get(row, "id")?,
        workflow_name: get(row, "workflow_name")?,
        workflow_version: get(row, "workflow_version")?,
        ir_hash: get(row, "ir_hash")?,
        program_proto: Vec::new(),
        source: None,
        created_at: get(row, "created_at")?,
        activated_at: get(row, "activated_at")?,
    })
}
