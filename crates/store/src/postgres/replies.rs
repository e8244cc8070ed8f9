//! `instance_replies`: written with an instance's progress, read by who waits for it.

use std::collections::HashMap;

use uuid::Uuid;

use super::pool::Database;
use super::row::get;
use crate::{Reply, ReplyOutcome, Result};

/// Replies, column by column.
pub(super) struct Columns<'a> {
    pub ids: Vec<&'a str>,
    pub errors: Vec<bool>,
    pub contents: Vec<&'a [u8]>,
}

impl<'a> Columns<'a> {
    pub fn new(replies: impl Iterator<Item = &'a Reply> + Clone) -> Columns<'a> {
        Columns {
            ids: replies.clone().map(|reply| reply.update_id.as_str()).collect(),
            errors: replies.clone().map(|reply| reply.outcome.is_error()).collect(),
            contents: replies.map(|reply| reply.outcome.content()).collect(),
        }
    }
}

pub(super) async fn read(database: &Database, updates: &[(Uuid, String)]) -> Result<Vec<Option<ReplyOutcome>>> {
    let instances: Vec<Uuid> = updates.iter().map(|(instance_id, _)| *instance_id).collect();
    let ids: Vec<&str> = updates.iter().map(|(_, update_id)| update_id.as_str()).collect();
    let select = "SELECT r.* FROM unnest($1::uuid[], $2::text[]) AS w(instance_id, update_id)
                  JOIN instance_replies r USING (instance_id, update_id)";
    let mut found = HashMap::new();
    for row in database.read(select, &[&instances, &ids]).await? {
        let key: (Uuid, String) = (get(&row, "instance_id")?, get(&row, "update_id")?);
        found.insert(key, ReplyOutcome::stored(get(&row, "is_error")?, get(&row, "content")?));
    }
    Ok(updates.iter().map(|update| found.get(update).cloned()).collect())
}
