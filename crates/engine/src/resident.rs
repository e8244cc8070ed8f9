//! An instance in memory.

use rustc_hash::FxHashSet;
use uuid::Uuid;
use waymark_runner::{ApplyError, Effect, Event, Instance};
use waymark_store::{Lease, LogRow, Parent, Timestamp};

use crate::Options;

pub(crate) struct Resident {
    pub lease: Lease,
    pub workflow_name: std::sync::Arc<str>,
    pub parent: Option<Parent>,
    pub instance: Instance,
    /// The last event that is known to be committed.
    pub committed_seq: i64,
    /// Up to where the inbox was read.
    pub wake_seq: i64,
    /// Inbox rows that have become events, and may be read again.
    pub taken: FxHashSet<Uuid>,
    /// Those of them whose removal is committed. A read that was on its way then may still bring them.
    pub gone: Vec<Uuid>,
    /// Reads of the inbox that are on their way.
    pub reads: usize,
    /// In the core's list of residents with something to submit.
    pub is_dirty: bool,
    /// Events that came while the instance was busy.
    pub waiting: std::collections::VecDeque<(Event, Option<Uuid>)>,
    /// The event being folded, when its slice is used up.
    pub busy: Option<Folding>,
    /// Folded, not yet submitted.
    pub pending: Batch,
    /// On its way to the store.
    pub submitted: Option<Submitted>,
    /// What others do for it here: attempts that a worker has, children being started. By ordinal and attempt.
    pub running: FxHashSet<(u64, u32)>,
    pub since_snapshot: SinceSnapshot,
    /// The deadline that the core's wheel has for it.
    pub deadline_us: Option<i64>,
}

/// Events and what follows from them, in order.
#[derive(Default)]
pub(crate) struct Batch {
    pub log: Vec<LogRow>,
    pub effects: Vec<Effect>,
    pub consumed: Vec<Uuid>,
}

impl Batch {
    pub fn is_empty(&self) -> bool {
        self.log.is_empty() && self.consumed.is_empty()
    }
}

pub(crate) struct Folding {
    event: Event,
    at_us: i64,
    message_id: Option<Uuid>,
    effects: Vec<Effect>,
}

pub(crate) struct Submitted {
    /// The last event in it.
    pub seq: i64,
    pub batch: Batch,
    pub snapshot_bytes: Option<usize>,
    /// As it was sent, for sending it again.
    pub progress: waymark_store::Progress,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SinceSnapshot {
    pub bytes: usize,
    pub events: usize,
    pub last_snapshot_bytes: usize,
}

impl SinceSnapshot {
    pub fn is_due(&self, options: &Options) -> bool {
        self.bytes > options.snapshot_bytes_min.max(self.last_snapshot_bytes)
            || self.events >= options.snapshot_events_max
    }
}

impl Resident {
    /// Folds an event, or as much of it as a slice allows. True: done, and its row is pending.
    pub fn fold(&mut self, now_us: i64, event: Event, message_id: Option<Uuid>) -> Result<bool, ApplyError> {
        let effects = self.instance.apply(now_us, event.clone())?;
        self.busy = Some(Folding { event, at_us: now_us, message_id, effects });
        Ok(self.fold_on(false))
    }

    /// Goes on with the event that used up its slice.
    pub fn fold_on(&mut self, proceed: bool) -> bool {
        let Some(mut folding) = self.busy.take() else { return true };
        if proceed {
            folding.effects.extend(self.instance.proceed());
        }
        if self.instance.has_work() {
            self.busy = Some(folding);
            return false;
        }
        let outcome = folding.event.encode();
        self.since_snapshot.bytes += outcome.len() + 64;
        self.since_snapshot.events += 1;
        let (execution_id, attempt) = match &folding.event {
            Event::Settled { ordinal, attempt, .. } | Event::FragmentSettled { ordinal, attempt, .. } => {
                (Some(self.instance.execution_id(*ordinal).to_string()), Some(*attempt as i32))
            }
            _ => (None, None),
        };
        self.pending.log.push(LogRow {
            seq: self.instance.seq() as i64,
            kind: folding.event.kind().into(),
            execution_id,
            attempt,
            outcome,
            happened_at: Timestamp(folding.at_us),
            started_at: None,
            worker: None,
            digest: self.instance.digest(),
        });
        self.pending.effects.extend(folding.effects);
        self.pending.consumed.extend(folding.message_id);
        true
    }

    /// Rows that are gone can't come back once no read that might have seen them is on its way.
    pub fn forget_gone(&mut self) {
        if self.reads == 0 {
            for message in self.gone.drain(..) {
                self.taken.remove(&message);
            }
        }
    }

    /// Whether, once all that is pending is committed, the instance only waits.
    pub fn only_waits(&self) -> bool {
        let dispatches = self.pending.effects.iter().any(|effect| {
            // All but what is only said to people.
            !matches!(effect, Effect::Log(_) | Effect::Finish(_))
        });
        !dispatches && self.running.is_empty() && self.waiting.is_empty() && self.busy.is_none()
    }
}
