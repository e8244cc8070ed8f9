//! `transaction_attempts`.

use rusqlite::params;

use super::inbox;
use super::row::failed;
use super::writer::Write;
use crate::{AttemptSettled, AttemptSettlement, Delivery, Error, Message, Result, validate};

const KEY: &str = "instance_id = ?1 AND execution_id = ?2 AND attempt = ?3";

pub(super) fn settle(write: &mut Write<'_>, one: &AttemptSettlement) -> Result<AttemptSettled> {
    let AttemptSettlement { key, message } = one;
    validate::settlement(one).map_err(|reason| Error::Refused { reason })?;
    let is_first = write
        .connection
        .prepare_cached(
            "INSERT INTO transaction_attempts (instance_id, execution_id, attempt, payload) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO NOTHING",
        )
        .and_then(|mut statement| {
            statement.execute(params![key.instance_id, key.execution_id, key.attempt, message.payload])
        })
        .map_err(failed)?
        > 0;
    let payload: Vec<u8> = write
        .connection
        .prepare_cached(&format!("SELECT payload FROM transaction_attempts WHERE {KEY}"))
        .and_then(|mut statement| {
            statement.query_row(params![key.instance_id, key.execution_id, key.attempt], |row| row.get(0))
        })
        .map_err(failed)?;
    Ok(match inbox::put(write, &Message { payload, ..message.clone() })? {
        Delivery::Finished | Delivery::Unknown => AttemptSettled::Ended,
        Delivery::Refused { reason } => return Err(Error::Refused { reason }),
        Delivery::Delivered | Delivery::Duplicate if is_first => AttemptSettled::First,
        Delivery::Delivered | Delivery::Duplicate => AttemptSettled::Already,
    })
}
