//! Claims of queues with limits: keys take turns, each as far as its limits allow.

use std::collections::VecDeque;
use std::time::Duration;

use rusqlite::{OptionalExtension, params};
use uuid::Uuid;

use super::leases::{Rare, Taken, take};
use super::queues::{self, SetQueue};
use super::row::failed;
use super::writer::Write;
use crate::{Claim, ClaimedInstance, Rate, Result, Timestamp, queues::WALK_MAX};

/// What else a claim of a limited queue came to.
pub(super) struct Rest {
    /// When the next token is there.
    pub wait: Option<Duration>,
    /// Not everything was looked at.
    pub more: bool,
}

struct Key {
    name: String,
    free: usize,
    tokens: Option<f64>,
    /// By priority, those that have begun first, then by age.
    waiting: VecDeque<Waiting>,
    is_spent: bool,
}

struct Waiting {
    instance_id: Uuid,
    claims: u32,
    is_new: bool,
}

/// A key's instances of one priority that have begun, or have not.
struct Group {
    key: String,
    priority: i16,
    is_new: bool,
    due_at: Timestamp,
}

pub(super) fn claim(
    write: &mut Write<'_>,
    claim: &Claim,
    rare: Rare,
    queue: &SetQueue,
    limit: usize,
    lock_uuid: Uuid,
    instances: &mut Vec<ClaimedInstance>,
) -> Result<Rest> {
    let settings = &queue.settings;
    let name = settings.name.as_str();
    let mut room = match settings.concurrency {
        Some(most) => limit.min(most as usize - leased(write, name, None, most)?),
        None => limit,
    };
    let whole = settings.rate.map(|rate| queues::tokens(write, name, None, rate)).transpose()?;
    let mut tokens = whole;
    let Walk { due, last_key, is_cut, is_around } = walk(write, queue)?;
    let mut keys = keys(write, queue, due, limit)?;
    let mut last_served = None;
    let before = instances.len();
    let mut any = true;
    while any && room > 0 {
        any = false;
        for key in &mut keys {
            while room > 0 && key.free > 0 {
                let Some(next) = key.waiting.pop_front() else { break };
                let is_paid = |tokens: Option<f64>| tokens.is_none_or(|tokens| tokens >= 1.0);
                if next.is_new && !(is_paid(key.tokens) && is_paid(tokens)) {
                    key.is_spent = true;
                    continue;
                }
                let Taken::Leased(instance) = take(write, claim, rare, lock_uuid, next.instance_id, next.claims)?
                else {
                    continue;
                };
                instances.push(*instance);
                key.free -= 1;
                room -= 1;
                if next.is_new {
                    key.tokens = key.tokens.map(|tokens| tokens - 1.0);
                    tokens = tokens.map(|tokens| tokens - 1.0);
                }
                last_served = Some(key.name.clone());
                any = true;
                // The next one's turn.
                break;
            }
        }
    }
    let mut wait: Option<Duration> = None;
    let mut waits = |rate: Rate, tokens: f64| {
        let left = rate.period.mul_f64(((1.0 - tokens) / f64::from(rate.count)).max(0.0));
        wait = Some(wait.map_or(left, |wait| wait.min(left)));
    };
    let is_waiting = keys.iter().any(|key| key.is_spent);
    if let (Some(rate), Some(tokens)) = (settings.rate, tokens) {
        if whole != Some(tokens) {
            queues::put_tokens(write, name, None, rate, tokens)?;
        }
        if is_waiting && tokens < 1.0 {
            waits(rate, tokens);
        }
    }
    if let Some(rate) = settings.key_rate {
        for key in &keys {
            let Some(left) = key.tokens else { continue };
            if left < queues::tokens(write, name, Some(&key.name), rate)? {
                queues::put_tokens(write, name, Some(&key.name), rate, left)?;
            }
            if key.is_spent && left < 1.0 {
                waits(rate, left);
            }
        }
    }
    let found = instances.len() - before;
    let cursor = if room == 0 { last_served } else { last_key };
    if let Some(cursor) = cursor.filter(|_| found > 0 || is_cut) {
        queues::set_cursor(write, name, &cursor)?;
    }
    Ok(Rest { wait, more: found > 0 || (is_cut && !is_around) })
}

fn leased(write: &Write<'_>, queue: &str, key: Option<&str>, most: u32) -> Result<usize> {
    let count: u32 = match key {
        Some(key) => write
            .connection
            .prepare_cached(
                "SELECT count(*) FROM (SELECT 1 FROM queued_instances
             WHERE lock_uuid IS NOT NULL AND queue_key IS NOT NULL AND queue = ?1 AND queue_key = ?2 LIMIT ?3)",
            )
            .and_then(|mut statement| statement.query_row(params![queue, key, most], |row| row.get(0))),
        None => write
            .connection
            .prepare_cached(
                "SELECT count(*) FROM (SELECT 1 FROM queued_instances
             WHERE lock_uuid IS NOT NULL AND queue_key IS NOT NULL AND queue = ?1 LIMIT ?2)",
            )
            .and_then(|mut statement| statement.query_row(params![queue, most], |row| row.get(0))),
    }
    .map_err(failed)?;
    Ok(count as usize)
}

/// Where a walk over the keys came.
struct Walk {
    due: Vec<Group>,
    last_key: Option<String>,
    /// There are keys that it did not come to.
    is_cut: bool,
    /// It came to the last key, and began again with the first.
    is_around: bool,
}

/// From the key after the one that was served last, once around.
fn walk(write: &Write<'_>, queue: &SetQueue) -> Result<Walk> {
    let mut statement = write
        .connection
        .prepare_cached(
            "SELECT queue_key, priority, is_new, scheduled_at FROM queued_instances
             WHERE lock_uuid IS NULL AND queue_key IS NOT NULL AND scheduled_at < 9223372036854775807
               AND queue = ?1 AND (queue_key, priority, is_new) > (?2, ?3, ?4)
             ORDER BY queue_key, priority, is_new, scheduled_at LIMIT 1",
        )
        .map_err(failed)?;
    let mut walk = Walk { due: Vec::new(), last_key: None, is_cut: false, is_around: false };
    let mut at = (queue.cursor.clone(), i16::MAX, true);
    for _ in 0..WALK_MAX {
        let next = statement
            .query_row(params![queue.settings.name, at.0, at.1, at.2], |row| {
                Ok(Group { key: row.get(0)?, priority: row.get(1)?, is_new: row.get(2)?, due_at: row.get(3)? })
            })
            .optional()
            .map_err(failed)?;
        match next.filter(|group| !walk.is_around || group.key <= queue.cursor) {
            Some(group) => {
                at = (group.key.clone(), group.priority, group.is_new);
                walk.last_key = Some(group.key.clone());
                if group.due_at <= write.now {
                    walk.due.push(group);
                }
            }
            None if walk.is_around => return Ok(walk),
            None => {
                walk.is_around = true;
                at = (String::new(), -1, false);
            }
        }
    }
    walk.is_cut = true;
    Ok(walk)
}

/// What each key may have, and whom it is for.
fn keys(write: &Write<'_>, queue: &SetQueue, groups: Vec<Group>, limit: usize) -> Result<Vec<Key>> {
    let settings = &queue.settings;
    let share = (2 * limit / groups.len().max(1)).max(1);
    let mut keys: Vec<Key> = Vec::new();
    let mut statement = write
        .connection
        .prepare_cached(
            "SELECT instance_id, claims FROM queued_instances
             WHERE lock_uuid IS NULL AND queue_key IS NOT NULL AND scheduled_at < 9223372036854775807
               AND queue = ?1 AND queue_key = ?2 AND priority = ?3 AND is_new = ?4 AND scheduled_at <= ?5
             ORDER BY scheduled_at LIMIT ?6",
        )
        .map_err(failed)?;
    for group in groups {
        if keys.last().is_none_or(|key| key.name != group.key) {
            let free = match settings.key_concurrency {
                Some(most) => most as usize - leased(write, &settings.name, Some(&group.key), most)?,
                None => limit,
            };
            let tokens = settings.key_rate.map(|rate| queues::tokens(write, &settings.name, Some(&group.key), rate));
            let waiting = VecDeque::new();
            keys.push(Key { name: group.key.clone(), free, tokens: tokens.transpose()?, waiting, is_spent: false });
        }
        let Some(key) = keys.last_mut() else { continue };
        let most = key.free.min(share) as i64;
        let values = params![settings.name, group.key, group.priority, group.is_new, write.now, most];
        let rows = statement
            .query_map(values, |row| {
                Ok(Waiting { instance_id: row.get(0)?, claims: row.get(1)?, is_new: group.is_new })
            })
            .map_err(failed)?;
        for row in rows {
            key.waiting.push_back(row.map_err(failed)?);
        }
    }
    Ok(keys)
}
