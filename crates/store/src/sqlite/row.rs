//! How rows become values, and how SQLite's errors become ours.

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{ErrorCode, Row};

use crate::{Error, InboxRow, LogRow, Parent, Timestamp};

pub(crate) fn failed(error: rusqlite::Error) -> Error {
    let reason = error.to_string();
    match error.sqlite_error_code() {
        Some(
            ErrorCode::ConstraintViolation
            | ErrorCode::TooBig
            | ErrorCode::TypeMismatch
            | ErrorCode::ParameterOutOfRange,
        ) => Error::Refused { reason },
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Error::Corrupt { what: reason },
        Some(_) => Error::Unavailable { reason },
        None => Error::Corrupt { what: reason },
    }
}

impl ToSql for Timestamp {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(self.0))
    }
}

impl FromSql for Timestamp {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        i64::column_result(value).map(Timestamp)
    }
}

pub(super) const LOG_COLUMNS: &str =
    "seq, kind, execution_id, attempt, outcome, happened_at, started_at, worker, digest";

pub(super) fn log_row(row: &Row<'_>) -> rusqlite::Result<LogRow> {
    Ok(LogRow {
        seq: row.get("seq")?,
        kind: row.get("kind")?,
        execution_id: row.get("execution_id")?,
        attempt: row.get("attempt")?,
        outcome: row.get("outcome")?,
        happened_at: row.get("happened_at")?,
        started_at: row.get("started_at")?,
        worker: row.get("worker")?,
        digest: row.get::<_, i64>("digest")?.cast_unsigned(),
    })
}

pub(super) fn inbox_row(row: &Row<'_>) -> rusqlite::Result<InboxRow> {
    Ok(InboxRow {
        message_id: row.get("message_id")?,
        kind: row.get("kind")?,
        name: row.get("name")?,
        payload: row.get("payload")?,
        arrived_at: row.get("arrived_at")?,
    })
}

pub(super) fn parent(row: &Row<'_>) -> rusqlite::Result<Option<Parent>> {
    let execution_id: Option<String> = row.get("parent_execution_id")?;
    let instance_id = row.get("parent_instance_id")?;
    Ok(match (instance_id, execution_id) {
        (Some(instance_id), Some(execution_id)) => Some(Parent { instance_id, execution_id }),
        _ => None,
    })
}
