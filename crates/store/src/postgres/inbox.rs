//! `instance_inbox`. A message and the wake-up of its instance are one statement.

use std::collections::{HashMap, HashSet};

use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::instances::by_instance;
use super::pool::Database;
use super::row::{get, inbox_row};
use crate::{Change, Delivery, Error, InboxView, Message, Result, validate};

const PUT: &str = "
    WITH mail AS MATERIALIZED (
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bytea[]) WITH ORDINALITY
            AS m(instance_id, message_id, kind, name, payload, position)
    ), locked AS MATERIALIZED (
        SELECT instance_id FROM queued_instances WHERE instance_id = ANY($1) ORDER BY instance_id FOR UPDATE
    ), arrived AS (
        INSERT INTO instance_inbox (instance_id, message_id, kind, name, payload)
        SELECT m.instance_id, m.message_id, m.kind, m.name, m.payload FROM mail m JOIN locked USING (instance_id)
        ORDER BY m.position
        ON CONFLICT DO NOTHING RETURNING instance_id, message_id
    ), woken AS (
        UPDATE queued_instances q
        SET wake_seq = q.wake_seq + a.messages,
            scheduled_at = CASE WHEN q.stuck THEN q.scheduled_at ELSE least(q.scheduled_at, clock_timestamp()) END
        FROM (SELECT instance_id, count(*) AS messages FROM arrived GROUP BY instance_id) a
        WHERE q.instance_id = a.instance_id
    )
    SELECT m.position, l.instance_id IS NOT NULL AS live, a.message_id IS NOT NULL AS arrived, r.instance_id IS NOT NULL AS known
    FROM mail m LEFT JOIN locked l USING (instance_id) LEFT JOIN arrived a USING (instance_id, message_id)
    LEFT JOIN runner_instances r ON r.instance_id = m.instance_id
    ORDER BY m.position";

pub(super) async fn put(database: &Database, messages: &[Message]) -> Result<Vec<Delivery>> {
    let mut answers: Vec<Option<Delivery>> = messages
        .iter()
        .map(|message| validate::message(message).err().map(|reason| Delivery::Refused { reason }))
        .collect();
    let mut groups: Vec<Vec<usize>> = vec![(0..messages.len()).filter(|index| answers[*index].is_none()).collect()];
    // One that the database refuses is found by halving, as with progress.
    while let Some(group) = groups.pop() {
        if group.is_empty() {
            continue;
        }
        match put_group(database, group.iter().map(|index| &messages[*index])).await {
            Ok(delivered) => {
                for (index, delivery) in group.into_iter().zip(delivered) {
                    answers[index] = Some(delivery);
                }
            }
            Err(Error::Refused { reason }) if group.len() == 1 => {
                answers[group[0]] = Some(Delivery::Refused { reason })
            }
            Err(Error::Refused { .. }) => {
                let (left, right) = group.split_at(group.len() / 2);
                groups.push(right.to_vec());
                groups.push(left.to_vec());
            }
            Err(error) => return Err(error),
        }
    }
    Ok(answers.into_iter().flatten().collect())
}

async fn put_group<'a>(database: &Database, messages: impl Iterator<Item = &'a Message>) -> Result<Vec<Delivery>> {
    let mail = Mail::new(messages);
    let rows = database.write(PUT, &mail.values()).await?;
    let mut seen = HashSet::new();
    rows.iter()
        .zip(mail.ids.iter().zip(&mail.messages))
        .map(|(row, key)| {
            let first = seen.insert(key);
            Ok(match (get(row, "live")?, get(row, "arrived")?, get(row, "known")?) {
                (true, true, _) if first => Delivery::Delivered,
                (true, ..) => Delivery::Duplicate,
                (false, _, true) => Delivery::Finished,
                (false, _, false) => Delivery::Unknown,
            })
        })
        .collect()
}

pub(super) fn changes<'a>(answers: impl Iterator<Item = (&'a Message, &'a Delivery)>) -> Vec<Change> {
    let delivered = answers.filter(|(_, delivery)| **delivery == Delivery::Delivered);
    let mut changes: Vec<Change> = delivered.map(|(message, _)| Change::Inbox(message.instance_id)).collect();
    if !changes.is_empty() {
        changes.push(Change::Work);
    }
    changes
}

pub(super) async fn read(database: &Database, instance_ids: &[Uuid]) -> Result<Vec<InboxView>> {
    let queue = "SELECT instance_id, wake_seq FROM queued_instances WHERE instance_id = ANY($1)";
    let rows = "SELECT * FROM instance_inbox WHERE instance_id = ANY($1) ORDER BY instance_id, id";
    // In this order: what the first says has arrived, the second sees.
    let [queue, rows] = database.read_together([(queue, &[&instance_ids]), (rows, &[&instance_ids])]).await?;
    let wake_seqs = queue.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?))).collect::<Result<HashMap<Uuid, i64>>>()?;
    let mut inboxes = by_instance(&rows, inbox_row)?;
    let views = instance_ids.iter().filter_map(|id| {
        let wake_seq = *wake_seqs.get(id)?;
        Some(InboxView { instance_id: *id, wake_seq, rows: inboxes.remove(id).unwrap_or_default() })
    });
    Ok(views.collect())
}

/// Messages, column by column.
#[derive(Default)]
pub(super) struct Mail<'a> {
    ids: Vec<Uuid>,
    messages: Vec<Uuid>,
    kinds: Vec<&'a str>,
    names: Vec<&'a str>,
    payloads: Vec<&'a [u8]>,
}

impl<'a> Mail<'a> {
    pub(super) fn new(messages: impl Iterator<Item = &'a Message>) -> Mail<'a> {
        let mut mail = Mail::default();
        for message in messages {
            mail.ids.push(message.instance_id);
            mail.messages.push(message.message_id);
            mail.kinds.push(&message.kind);
            mail.names.push(&message.name);
            mail.payloads.push(&message.payload);
        }
        mail
    }

    pub(super) fn values(&self) -> [&(dyn ToSql + Sync); 5] {
        [&self.ids, &self.messages, &self.kinds, &self.names, &self.payloads]
    }
}
