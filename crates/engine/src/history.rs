//! What happened to an instance, folded to the state it led to: for whoever goes on with it, looks at it, or takes it back.

mod failure;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;
use waymark_runner::{Effect, Event, FragmentOutcome, Instance, Limit, Limits, LiveChild, Lowered, Outcome, Rewind};
use waymark_store::{LogRow, Message, Rewrite, Snapshot, Status, Timestamp};

use crate::Mail;
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
    #[serde(default)]
    again: Option<Vec<u64>>,
    #[serde(default)]
    limit: Limit,
}

impl Rewound {
    fn to(&self, seq: i64) -> Rewind {
        let Rewound { epoch, retried, again, limit, .. } = self;
        Rewind { seq: seq.unsigned_abs(), epoch: *epoch, retried: *retried, again: again.clone(), limit: *limit }
    }
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
    let mut instance = match snapshot {
        Some(snapshot) => restore(snapshot, lowered)?,
        None => Instance::new(instance_id.as_u128(), lowered, limits.clone()),
    };
    replay(&mut instance, log, |_| {})?;
    Ok(instance)
}

fn restore(snapshot: &Snapshot, lowered: Arc<Lowered>) -> Result<Instance, Stuck> {
    let restored = Instance::restore(&snapshot.state, lowered).map_err(|error| error.to_string())?;
    if restored.seq() as i64 != snapshot.seq {
        return Err(format!("the snapshot is of event {}, not {}", restored.seq(), snapshot.seq));
    }
    Ok(restored)
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
        replay_one(instance, row)?.into_iter().for_each(&mut on_effect);
    }
    Ok(())
}

fn replay_one(instance: &mut Instance, row: &LogRow) -> Result<Vec<Effect>, Stuck> {
    let wrong = |error: &dyn std::fmt::Display| format!("event {}: {error}", row.seq);
    let effects = match rewound(row)? {
        Some(said) => {
            instance.rewind(row.happened_at.0, said.to(row.seq));
            Vec::new()
        }
        None => {
            let event = Event::decode(&row.outcome).map_err(|error| wrong(&error))?;
            instance.apply(row.happened_at.0, event).map_err(|error| wrong(&error))?
        }
    };
    if instance.seq() as i64 != row.seq || instance.digest() != row.digest {
        return Err(format!("event {} leads to another state than it did when it happened", row.seq));
    }
    Ok(effects)
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
    Past::before(instance_id, lowered, limits, snapshot, log, step)?.rewrite(true, &[], Limit::Kept, now)
}

/// An instance as it was before a step, and what has become of it since.
pub struct Past {
    instance_id: Uuid,
    instance: Instance,
    to_seq: i64,
    last_seq: i64,
    /// The execution that is to have another attempt.
    retried: Option<u64>,
    /// Executions that have ended since.
    ended: BTreeSet<u64>,
    /// The latest epoch that it has had.
    epoch: u32,
}

impl Past {
    pub fn before(
        instance_id: Uuid,
        lowered: Arc<Lowered>,
        limits: &Limits,
        snapshot: Option<&Snapshot>,
        log: &[LogRow],
        step: Step,
    ) -> Result<Past, CannotRewind> {
        let last_seq = log.last().map(|row| row.seq).or(snapshot.map(|snapshot| snapshot.seq)).unwrap_or(0);
        let rows = in_force(log).map_err(CannotRewind)?;
        let (to_seq, retried) = match step {
            Step::First => (0, None),
            Step::Failed => {
                let fresh = || Instance::new(instance_id.as_u128(), lowered.clone(), limits.clone());
                let is_whole = rows.first().is_some_and(|first| first.seq == 1);
                let base = snapshot.filter(|_| !is_whole);
                let start = base.map_or_else(|| Ok(fresh()), |base| restore(base, lowered.clone()));
                let after = base.map_or(0, |base| base.seq);
                failure::find(start.map_err(CannotRewind)?, rows.iter().copied().filter(|row| row.seq > after))?
            }
            Step::Stopped => (rows.iter().rev().find(|row| is_cancel(row)).map_or(last_seq, |row| row.seq - 1), None),
            Step::Event(seq) => {
                let row = rows.iter().find(|row| row.seq == seq);
                let row = row.ok_or_else(|| CannotRewind(format!("{seq} is no step of it that is still kept")))?;
                if !matches!(row.kind.as_ref(), "settled" | "fragment" | "deadline" | "signal") {
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
        let instance = fold(instance_id, lowered.clone(), limits, base, &way).map_err(CannotRewind)?;
        if instance.ending().is_some() {
            return Err(CannotRewind("it ended by itself\nhint: retry from an earlier step, or from the start".into()));
        }
        let ended =
            rows.iter().filter(|row| row.seq > to_seq).filter_map(|row| settled(row)).map(|(ordinal, _)| ordinal);
        let ended = ended.filter(|ordinal| Some(*ordinal) != retried).collect();
        // A migration may have raised it, too, and has stored its state.
        let stored = snapshot.map(|snapshot| restore(snapshot, lowered)).transpose().map_err(CannotRewind)?;
        let epoch = epoch_of(log, [Some(&instance), stored.as_ref()].into_iter().flatten());
        Ok(Past { instance_id, instance, to_seq, last_seq, retried, ended, epoch })
    }

    /// Children that it waits for then. Some may have ended since, or have been told to.
    pub fn children(&self) -> impl Iterator<Item = LiveChild> {
        self.instance
            .children()
            .filter(|child| !self.ended.contains(&child.ordinal) && Some(child.ordinal) != self.retried)
    }

    /// What has become of its children: those that are to be run again, by execution, and what those that have completed say, which it may
    /// not have heard. `found` are their rows, in order.
    pub fn children_since(
        &self,
        instance: &waymark_store::Instance,
        found: impl Iterator<Item = Option<waymark_store::Instance>>,
    ) -> (Vec<u64>, Vec<Message>) {
        let (mut lost, mut mail) = (Vec::new(), Vec::new());
        for (child, found) in self.children().zip(found) {
            // One that was not started before is now.
            let Some(found) = found else { continue };
            // Whoever terminates a parent tells its children to end.
            let is_ending = instance.status == Status::Terminated && !child.is_abandoned_at_the_end;
            let execution = format!("{}/{}", child.ordinal, child.attempt);
            if found.status == Status::Completed
                && let Some(told) = Mail::of_ended_child(self.instance_id, &execution, &found)
            {
                mail.push(told.into_message());
            } else if found.status.is_final() || is_ending {
                lost.push(child.ordinal);
            }
        }
        (lost, mail)
    }

    /// From then on. Those of its executions that are `lost` are run again, as are those that are known to have ended since: they are
    /// others. What is in flight still stays so, under its id.
    pub fn rewrite(
        mut self,
        was_live: bool,
        lost: &[u64],
        limit: Limit,
        now: Timestamp,
    ) -> Result<Rewrite, CannotRewind> {
        let epoch = self.epoch + u32::from(self.to_seq == 0 || !self.ended.is_empty() || !lost.is_empty());
        self.ended.extend(lost);
        let again = self.instance.executions_in_flight().filter(|ordinal| self.ended.contains(ordinal)).collect();
        let said = Rewound { to_seq: self.to_seq, epoch, retried: self.retried, again: Some(again), limit };
        self.instance.rewind(now.0, said.to(self.last_seq + 1));
        Ok(Rewrite {
            instance_id: self.instance_id,
            start: None,
            expected_seq: self.last_seq,
            was_live,
            log: LogRow {
                seq: self.last_seq + 1,
                kind: REWOUND.into(),
                execution_id: None,
                attempt: None,
                outcome: rmp_serde::to_vec(&said).map_err(|error| CannotRewind(error.to_string()))?,
                happened_at: now,
                started_at: None,
                worker: None,
                digest: self.instance.digest(),
            },
            snapshot: self.instance.snapshot(),
            workflow_version_id: None,
            inputs: None,
            deadline_at: match limit {
                Limit::Until(at_us) => Some(Timestamp(at_us)),
                Limit::Kept | Limit::Lifted => None,
            },
            mail: Vec::new(),
            is_paused: self.instance.is_paused(),
        })
    }
}

/// The latest epoch that an instance has had.
fn epoch_of<'a>(log: &[LogRow], states: impl Iterator<Item = &'a Instance>) -> u32 {
    let rewound = log.iter().filter_map(|row| rewound(row).ok().flatten()).map(|rewound| rewound.epoch);
    rewound.chain(states.map(Instance::epoch)).max().unwrap_or(0)
}

/// The execution that an event is the end of, if it is one's, and whether it was completed.
fn settled(row: &LogRow) -> Option<(u64, bool)> {
    match Event::decode(&row.outcome).ok()? {
        Event::Settled { ordinal, outcome, .. } => Some((ordinal, matches!(outcome, Outcome::Completed(_)))),
        Event::FragmentSettled { ordinal, outcome, .. } => {
            Some((ordinal, matches!(outcome, FragmentOutcome::Completed { .. })))
        }
        _ => None,
    }
}

fn is_cancel(row: &LogRow) -> bool {
    matches!(Event::decode(&row.outcome), Ok(Event::Cancel { .. }))
}
