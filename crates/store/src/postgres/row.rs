//! How rows become values.

use std::sync::Arc;

use tokio_postgres::Row;
use tokio_postgres::row::RowIndex;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use crate::{Error, InboxRow, LogRow, Parent, Result, Timestamp};

/// Postgres counts microseconds from the year 2000; its largest and smallest numbers are the infinities.
const YEAR_2000_US: i64 = 946_684_800_000_000;

type Failure = Box<dyn std::error::Error + Sync + Send>;

impl ToSql for Timestamp {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> std::result::Result<IsNull, Failure> {
        let value = if self.0 == i64::MAX { i64::MAX } else { self.0.saturating_sub(YEAR_2000_US) };
        out.extend_from_slice(&value.to_be_bytes());
        Ok(IsNull::No)
    }

    fn accepts(kind: &Type) -> bool {
        *kind == Type::TIMESTAMPTZ
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Timestamp {
    fn from_sql(_: &Type, raw: &'a [u8]) -> std::result::Result<Timestamp, Failure> {
        let value = i64::from_be_bytes(raw.try_into()?);
        Ok(if value == i64::MAX { Timestamp::NEVER } else { Timestamp(value.saturating_add(YEAR_2000_US)) })
    }

    fn accepts(kind: &Type) -> bool {
        *kind == Type::TIMESTAMPTZ
    }
}

/// A column of a type that the tables promise.
pub(super) fn get<'a, I, T>(row: &'a Row, column: I) -> Result<T>
where
    I: RowIndex + std::fmt::Display,
    T: FromSql<'a>,
{
    row.try_get(column).map_err(|error| Error::corrupt(error.to_string()))
}

pub(super) const LOG_COLUMNS: &str = "l.instance_id, l.seq, l.kind, l.execution_id, l.attempt, l.outcome, l.happened_at, l.started_at, l.worker, l.digest";

pub(super) fn log_row(row: &Row) -> Result<LogRow> {
    Ok(LogRow {
        seq: get(row, "seq")?,
        kind: get::<_, String>(row, "kind")?.into(),
        execution_id: get(row, "execution_id")?,
        attempt: get(row, "attempt")?,
        outcome: get(row, "outcome")?,
        happened_at: get(row, "happened_at")?,
        started_at: get(row, "started_at")?,
        worker: get::<_, Option<&str>>(row, "worker")?.map(Arc::from),
        digest: get::<_, i64>(row, "digest")?.cast_unsigned(),
    })
}

pub(super) fn inbox_row(row: &Row) -> Result<InboxRow> {
    Ok(InboxRow {
        message_id: get(row, "message_id")?,
        kind: get(row, "kind")?,
        name: get(row, "name")?,
        payload: get(row, "payload")?,
        arrived_at: get(row, "arrived_at")?,
    })
}

pub(super) fn parent(row: &Row) -> Result<Option<Parent>> {
    let execution_id: Option<String> = get(row, "parent_execution_id")?;
    Ok(match (get(row, "parent_instance_id")?, execution_id) {
        (Some(instance_id), Some(execution_id)) => Some(Parent { instance_id, execution_id }),
        _ => None,
    })
}
