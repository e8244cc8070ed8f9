//! What happened to an instance, folded to the state it led to: for whoever goes on with it, looks at it, or takes it back.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;
use waymark_runner::{Effect, Event, FragmentOutcome, Instance, Limits, Lowered, Outcome, Rewind};
use waymark_store::{LogRow, Rewrite, Snapshot, Timestamp};

use crate::copy::IMPORTED;
use crate::migration::MIGRATED;
use crate::shard::Stuck;

/// The kind of a row that took an instance back.
const REWOUND: &str = "rewound";

/// What such a row says: which event the instance was taken back to, and what has been different since.
#[derive(Debug, Serialize, Deserialize)]
struct Rewound {
    to_seq: i64,
    epoch: u32,
    retried: Option<u64>,
}

/// From which step an instance is to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The one that it failed with.
    Failed,
    /// The one that it was at when it was asked to end, or was ended from outside.
    Stopped,
    /// The one whose end is this event: it is run again, and all that came after it.
    Event(i64),
    /// From the start.
    First,
}

/// Why an instance can't be taken back, for people.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub struct CannotRewind(String);

/// The instance after the last event of a log that follows a snapshot; without one, of a log from the start.
pub fn fold(
    instance_id: Uuid,
    lowered: Arc<Lowered>,
    limits: &Limits,
    snapshot: Option<&Snapshot>,
    log: &[LogRow],
) -> Result<Instance, Stuck> {
    let fresh = || Instance::new(instance_id.as_u128(), lowered.clone(), limits.clone());
    let mut instance = match snapshot {
        Some(snapshot) => {
            let restored = Instance::restore(&snapshot.state, lowered).map_err(|error| error.to_string())?;
            if restored.seq() as i64 != snapshot.seq {
                return Err(format!("the snapshot is of event {}, not {}", restored.seq(), snapshot.seq));
            }
            restored
        }
        None => fresh(),
    };
    replay(&mut instance, log, |_| {})?;
    Ok(instance)
}

/// What the steps of a log from the start were: the actions and child workflows, by execution. As far as the log can be followed.
pub fn names(instance_id: Uuid, lowered: Arc<Lowered>, limits: &Limits, log: &[LogRow]) -> HashMap<String, Arc<str>> {
    let mut names = HashMap::new();
    let mut instance = Instance::new(instance_id.as_u128(), lowered, limits.clone());
    // What was found before it failed is true.
    let _ = replay(&mut instance, log, |effect| {
        if let Effect::Dispatch(call) | Effect::StartChild(call) = effect {
            names.insert(call.execution.to_string(), call.name.clone());
        }
    });
    names
}

fn replay(instance: &mut Instance, log: &[LogRow], mut on_effect: impl FnMut(Effect)) -> Result<(), Stuck> {
    for row in in_force(log)? {
        let wrong = |error: &dyn std::fmt::Display| format!("event {}: {error}", row.seq);
        match rewound(row)? {
            Some(Rewound { epoch, retried, .. }) => {
                instance.rewind(row.happened_at.0, Rewind { seq: row.seq.unsigned_abs(), epoch, retried });
            }
            None => {
                let event = Event::decode(&row.outcome).map_err(|error| wrong(&error))?;
                let effects = instance.apply(row.happened_at.0, event).map_err(|error| wrong(&error))?;
                effects.into_iter().for_each(&mut on_effect);
            }
        }
        if instance.seq() as i64 != row.seq || instance.digest() != row.digest {
            return Err(format!("event {} leads to another state than it did when it happened", row.seq));
        }
    }
    Ok(())
}

/// The rows that led to the state at the end of a log: without those that were taken back.
fn in_force(log: &[LogRow]) -> Result<Vec<&LogRow>, Stuck> {
    let mut rows: Vec<&LogRow> = Vec::with_capacity(log.len());
    for row in log {
        if row.kind == MIGRATED || row.kind == IMPORTED {
            // They are another program's, or another instance's. The state after it is stored.
            rows.clear();
            continue;
        }
        if let Some(Rewound { to_seq, .. }) = rewound(row)? {
            rows.retain(|earlier| earlier.seq <= to_seq);
        }
        rows.push(row);
    }
    Ok(rows)
}

fn rewound(row: &LogRow) -> Result<Option<Rewound>, Stuck> {
    if row.kind != REWOUND {
        return Ok(None);
    }
    let read = rmp_serde::from_slice(&row.outcome);
    read.map(Some).map_err(|error| format!("event {}: it can't be read: {error}", row.seq))
}

/// Takes an instance back to before a step. `log` is all that is kept of what happened to it.
pub fn rewind(
    instance_id: Uuid,
    lowered: Arc<Lowered>,
    limits: &Limits,
    snapshot: Option<&Snapshot>,
    log: &[LogRow],
    step: Step,
    now: Timestamp,
) -> Result<Rewrite, CannotRewind> {
    let refused = |reason: String| CannotRewind(reason);
    let last = log.last().map(|row| row.seq).or(snapshot.map(|snapshot| snapshot.seq)).unwrap_or(0);
    let rows = in_force(log).map_err(refused)?;
    let (to_seq, retried) = match step {
        Step::First => (0, None),
        Step::Failed => {
            let (row, ordinal) = failed(&rows).ok_or_else(|| {
                CannotRewind(
                    "no step of it has failed: its own code raised\n\
                     hint: deploy a fix and migrate it, or retry from an earlier step"
                        .into(),
                )
            })?;
            (row.seq - 1, Some(ordinal))
        }
        Step::Stopped => (rows.iter().rev().find(|row| is_cancel(row)).map_or(last, |row| row.seq - 1), None),
        Step::Event(seq) => {
            let row = rows.iter().find(|row| row.seq == seq);
            let row = row.ok_or_else(|| CannotRewind(format!("{seq} is no step of it that is still kept")))?;
            if !matches!(row.kind.as_str(), "settled" | "fragment" | "deadline" | "signal") {
                let kind = &row.kind;
                return Err(CannotRewind(format!("{seq} is no step of it, but its event {kind:?}")));
            }
            (seq - 1, None)
        }
    };
    // Of the two ways to that state, the shorter one.
    let base = snapshot.filter(|snapshot| snapshot.seq <= to_seq);
    let from = base.map_or(0, |snapshot| snapshot.seq);
    let way: Vec<LogRow> =
        rows.iter().filter(|row| row.seq > from && row.seq <= to_seq).map(|row| LogRow::clone(row)).collect();
    if to_seq > 0 && base.is_none() && way.first().is_none_or(|first| first.seq != 1) {
        return Err(CannotRewind(
            "what happened so long ago is no longer kept: it can't be taken back that far".into(),
        ));
    }
    let mut instance = fold(instance_id, lowered, limits, base, &way).map_err(refused)?;
    if instance.ending().is_some() {
        return Err(CannotRewind("it ended by itself\nhint: retry from an earlier step, or from the start".into()));
    }
    let latest = |row: &&&LogRow| row.seq > to_seq;
    let is_past_completed = step == Step::First || rows.iter().filter(latest).any(|row| is_completed(row));
    let epoch = epoch_of(log, &instance) + u32::from(is_past_completed);
    let row = Rewound { to_seq, epoch, retried };
    instance.rewind(now.0, Rewind { seq: last.unsigned_abs() + 1, epoch, retried });
    Ok(Rewrite {
        instance_id,
        expected_seq: last,
        log: LogRow {
            seq: last + 1,
            kind: REWOUND.into(),
            execution_id: None,
            attempt: None,
            outcome: rmp_serde::to_vec(&row).map_err(|error| CannotRewind(error.to_string()))?,
            happened_at: now,
            started_at: None,
            worker: None,
            digest: instance.digest(),
        },
        snapshot: instance.snapshot(),
        workflow_version_id: None,
        inputs: None,
        is_paused: instance.is_paused(),
    })
}

/// The latest epoch that an instance has had.
fn epoch_of(log: &[LogRow], instance: &Instance) -> u32 {
    let rewound = log.iter().filter_map(|row| rewound(row).ok().flatten()).map(|rewound| rewound.epoch);
    rewound.chain([instance.epoch()]).max().unwrap_or(0)
}

/// The last step that ended without a result, and its execution.
fn failed<'a>(rows: &[&'a LogRow]) -> Option<(&'a LogRow, u64)> {
    rows.iter().rev().find_map(|row| match Event::decode(&row.outcome).ok()? {
        Event::Settled { ordinal, outcome, .. } if !matches!(outcome, Outcome::Completed(_)) => Some((*row, ordinal)),
        Event::FragmentSettled { ordinal, outcome, .. } if !matches!(outcome, FragmentOutcome::Completed { .. }) => {
            Some((*row, ordinal))
        }
        _ => None,
    })
}

fn is_cancel(row: &LogRow) -> bool {
    matches!(Event::decode(&row.outcome), Ok(Event::Cancel { .. }))
}

fn is_completed(row: &LogRow) -> bool {
    matches!(
        Event::decode(&row.outcome),
        Ok(Event::Settled { outcome: Outcome::Completed(_), .. }
            | Event::FragmentSettled { outcome: FragmentOutcome::Completed { .. }, .. })
    )
}
