//! `transaction_attempts`, as an engine writes it. Workers write it by the function `settle` of the migration, with the work itself.

use tokio_postgres::types::ToSql;

use super::pool::Database;
use super::row::get;
use crate::{AttemptSettled, AttemptSettlement, Error, Result, validate};

/// The attempt's row comes before the queue's: a worker that is about to commit is waited for with nothing in hand.
const SETTLE: &str = "
    WITH won AS MATERIALIZED (
        INSERT INTO transaction_attempts AS a (instance_id, execution_id, attempt, payload) VALUES ($1, $2, $3, $4)
        -- Takes the row that is there, as it is.
        ON CONFLICT (instance_id, execution_id, attempt) DO UPDATE SET payload = a.payload
        RETURNING a.payload, a.xmax = 0 AS is_first
    ), locked AS MATERIALIZED (
        SELECT q.instance_id FROM queued_instances q
        WHERE q.instance_id = $1 AND (SELECT count(*) FROM won) > 0 FOR UPDATE
    ), arrived AS (
        INSERT INTO instance_inbox (instance_id, message_id, kind, name, payload)
        SELECT l.instance_id, $5, $6, $7, w.payload FROM won w, locked l
        ON CONFLICT DO NOTHING RETURNING instance_id
    ), woken AS (
        UPDATE queued_instances q
        SET wake_seq = q.wake_seq + 1,
            scheduled_at = CASE WHEN q.stuck THEN q.scheduled_at ELSE least(q.scheduled_at, clock_timestamp()) END
        FROM arrived a WHERE q.instance_id = a.instance_id
    )
    SELECT w.is_first, EXISTS (SELECT 1 FROM locked) AS is_live FROM won w";

pub(super) async fn settle(database: &Database, batch: &[AttemptSettlement]) -> Result<Vec<AttemptSettled>> {
    let mut answers = Vec::with_capacity(batch.len());
    for one in batch {
        let answer = settle_one(database, one).await.map_err(|error| match error {
            Error::Unavailable { reason } if !answers.is_empty() => Error::OutcomeUnknown { reason },
            error => error,
        })?;
        answers.push(answer);
    }
    Ok(answers)
}

async fn settle_one(database: &Database, one: &AttemptSettlement) -> Result<AttemptSettled> {
    let AttemptSettlement { key, message } = one;
    validate::settlement(one).map_err(|reason| Error::Refused { reason })?;
    let values: [&(dyn ToSql + Sync); 7] = [
        &key.instance_id,
        &key.execution_id,
        &key.attempt,
        &message.payload,
        &message.message_id,
        &message.kind,
        &message.name,
    ];
    let row = database.write(SETTLE, &values).await?.remove(0);
    Ok(match (get(&row, "is_live")?, get(&row, "is_first")?) {
        (false, _) => AttemptSettled::Ended,
        (true, true) => AttemptSettled::First,
        (true, false) => AttemptSettled::Already,
    })
}
