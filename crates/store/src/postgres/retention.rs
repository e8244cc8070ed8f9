//! `workflow_retention`, and the deletion of what has been kept long enough.

use super::pool::Database;
use super::row::get;
use crate::{Result, Retention};

pub(super) async fn put(database: &Database, workflow_name: &str, retention: Option<Retention>) -> Result<()> {
    match retention {
        Some(retention) => {
            let upsert = "INSERT INTO workflow_retention (workflow_name, keep_us) VALUES ($1, $2)
                ON CONFLICT (workflow_name) DO UPDATE SET keep_us = excluded.keep_us";
            database.write(upsert, &[&workflow_name, &retention.stored()]).await?;
        }
        None => {
            database.write("DELETE FROM workflow_retention WHERE workflow_name = $1", &[&workflow_name]).await?;
        }
    }
    Ok(())
}

pub(super) async fn list(database: &Database) -> Result<Vec<(String, Retention)>> {
    let select = "SELECT workflow_name, keep_us FROM workflow_retention ORDER BY workflow_name";
    let rows = database.read(select, &[]).await?;
    rows.iter().map(|row| Ok((get(row, 0)?, Retention::read(get(row, 1)?)))).collect()
}

pub(super) async fn delete_finished(database: &Database, default: Retention, limit: u32) -> Result<u64> {
    let delete = "
        WITH kept AS MATERIALIZED (
            SELECT w.workflow_name, CASE WHEN t.workflow_name IS NULL THEN $1 ELSE t.keep_us END AS keep_us
            FROM (SELECT DISTINCT workflow_name FROM workflow_versions) w LEFT JOIN workflow_retention t USING (workflow_name)
        ), old AS MATERIALIZED (
            SELECT i.instance_id FROM kept k, LATERAL (
                SELECT instance_id FROM runner_instances r
                WHERE r.workflow_name = k.workflow_name AND r.finished_at IS NOT NULL
                  AND r.finished_at < clock_timestamp() - k.keep_us * interval '1 microsecond'
                ORDER BY r.finished_at LIMIT $2 FOR UPDATE SKIP LOCKED
            ) i WHERE k.keep_us IS NOT NULL LIMIT $2
        ), log AS (DELETE FROM runner_actions_done l USING old WHERE l.instance_id = old.instance_id
        ), inbox AS (DELETE FROM instance_inbox i USING old WHERE i.instance_id = old.instance_id
        ), actions AS (DELETE FROM queued_actions a USING old WHERE a.instance_id = old.instance_id
        ), replies AS (DELETE FROM instance_replies p USING old WHERE p.instance_id = old.instance_id
        ), attempts AS (DELETE FROM transaction_attempts a USING old WHERE a.instance_id = old.instance_id
        ), tags AS (DELETE FROM instance_tags t USING old WHERE t.instance_id = old.instance_id
        )
        DELETE FROM runner_instances r USING old WHERE r.instance_id = old.instance_id RETURNING r.instance_id";
    Ok(database.write(delete, &[&default.stored(), &i64::from(limit)]).await?.len() as u64)
}
