//! Migrations, one process at a time.

use uuid::Uuid;

use super::pool::{Database, Kind, classified};
use super::row::get;
use crate::{Error, Result, migrations};

/// "waymark", as a number.
const LOCK: i64 = 0x0077_6179_6d61_726b;

/// Where the tables are, or will be. Not simply the first schema of the search path: that of a role named `waymark` is `waymark` as soon as
/// the functions for users are there.
pub(super) async fn schema(database: &Database) -> Result<String> {
    let find = "
        SELECT coalesce(
            (SELECT s.name FROM unnest(current_schemas(false)) WITH ORDINALITY AS s(name, position)
             JOIN pg_namespace n ON n.nspname = s.name JOIN pg_class c ON c.relnamespace = n.oid
             WHERE c.relname = 'waymark_migrations' ORDER BY s.position LIMIT 1),
            current_schema())::text";
    let rows = database.read(find, &[]).await?;
    let schema: Option<String> = rows.first().map(|row| get(row, 0)).transpose()?.flatten();
    schema.ok_or_else(|| Error::Unusable { reason: "the search path has no schema for Waymark's tables".into() })
}

pub(super) async fn migrate(database: &Database) -> Result<()> {
    let failed = |error: tokio_postgres::Error| classified(&error, Kind::Read);
    let mut client = database.client().await?;
    // All in one transaction: whoever comes second waits for the lock and finds it done.
    let transaction = client.transaction().await.map_err(failed)?;
    let unhurried = "SET LOCAL statement_timeout = 0; SET LOCAL client_min_messages = warning";
    transaction.batch_execute(unhurried).await.map_err(failed)?;
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).await.map_err(failed)?;
    transaction.batch_execute(migrations::TABLE).await.map_err(failed)?;
    let rows = transaction.query(migrations::APPLIED, &[]).await.map_err(failed)?;
    let applied = rows.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?))).collect::<Result<Vec<(i64, String)>>>()?;
    for migration in migrations::pending(migrations::POSTGRES, &applied)? {
        tracing::info!(number = migration.number, name = migration.name, "migrating the database");
        transaction.batch_execute(migration.sql).await.map_err(failed)?;
        let values: &[&(dyn tokio_postgres::types::ToSql + Sync)] =
            &[&migration.number, &migration.name, &migration.checksum()];
        transaction.execute(migrations::RECORD, values).await.map_err(failed)?;
    }
    transaction
        .execute(
            "INSERT INTO waymark_meta (key, value) VALUES ('fingerprint', $1) ON CONFLICT DO NOTHING",
            &[&Uuid::new_v4().simple().to_string()],
        )
        .await
        .map_err(failed)?;
    transaction.commit().await.map_err(failed)
}

pub(super) async fn fingerprint(database: &Database) -> Result<String> {
    let rows = database.read("SELECT value FROM waymark_meta WHERE key = 'fingerprint'", &[]).await?;
    rows.first().map(|row| get(row, 0)).transpose()?.ok_or_else(|| Error::corrupt("the database has no fingerprint"))
}
