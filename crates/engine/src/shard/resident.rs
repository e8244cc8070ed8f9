//! An instance in memory.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use uuid::Uuid;
use waymark_runner::{ApplyError, Effect, Event, Instance};
use waymark_store::{Lease, LogRow, Parent, Timestamp};

use crate::Options;
use crate::clock::micros;

/// The worker that ran an attempt, and since when.
pub(crate) type RanBy = (Option<Arc<str>>, Option<i64>);

pub(crate) struct Resident {
    pub lease: Lease,
    /// It was claimed often without progress.
    pub is_suspect: bool,
    /// Until then nobody else can have it, by the steady clock: the lease was asked for that long before its end.
    pub ours_until_us: i64,
    /// When it was due, by the database's clock: that has come.
    pub due_us: i64,
    pub workflow_name: Arc<str>,
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
    /// More has come since they left.
    pub reads_again: bool,
    /// In the core's list of residents with something to submit.
    pub is_dirty: bool,
    /// Events that came while the instance was busy.
    pub waiting: std::collections::VecDeque<Arrival>,
    /// The event being folded, when its slice is used up.
    pub busy: Option<Folding>,
    /// Folded, not yet submitted.
    pub pending: Batch,
    /// On its way to the store.
    pub submitted: Option<Submitted>,
    /// Attempts that workers here have or wait for, by ordinal and attempt.
    pub running: FxHashSet<(u64, u32)>,
    /// Those of them that were in flight when it was claimed. One may have run here for an owner before, which was us, and its outcome may be
    /// told of both.
    pub resumed: FxHashSet<(u64, u32)>,
    /// Children whose start is made sure of.
    pub starting: FxHashSet<(u64, u32)>,
    /// The versions that children of the next commit run, by workflow.
    pub versions: FxHashMap<Arc<str>, Uuid>,
    /// They are being asked for.
    pub resolving: bool,
    /// Attempts on their way into the store, for a worker elsewhere, or out of it.
    pub routing: FxHashSet<(u64, u32)>,
    /// Attempts that are there: their outcome comes by mail.
    pub routed: FxHashSet<(u64, u32)>,
    /// Attempts that are transactions, and of which the store is being told what became.
    pub offered: FxHashSet<(u64, u32)>,
    /// Who had an attempt whose outcome is in the database, and since when.
    pub stored_by: FxHashMap<(u64, u32), RanBy>,
    /// What the store shows of what it waits for is not true any more.
    pub shows_old: bool,
    /// …and that is worth a commit of its own.
    pub tells_waits: bool,
    /// Whether people see it as paused.
    pub shows_paused: bool,
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
        self.log.is_empty() && self.consumed.is_empty() && self.effects.is_empty()
    }
}

/// An event, and where it came from.
pub(crate) struct Arrival {
    pub event: Event,
    /// The message that brought it.
    pub message_id: Option<Uuid>,
    /// Who had the attempt that it settles, and since when.
    pub worker: Option<Arc<str>>,
    pub started_at_us: Option<i64>,
}

impl From<Event> for Arrival {
    fn from(event: Event) -> Arrival {
        Arrival { event, message_id: None, worker: None, started_at_us: None }
    }
}

pub(crate) struct Folding {
    /// Its row, but for what is known only when it is folded.
    row: LogRow,
    message_id: Option<Uuid>,
    effects: Vec<Effect>,
}

pub(crate) struct Submitted {
    /// The last event in it.
    pub seq: i64,
    /// What follows once it is committed.
    pub effects: Vec<Effect>,
    pub snapshot_bytes: Option<usize>,
    /// As it was sent, for sending it again.
    pub progress: Arc<waymark_store::Progress>,
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
    pub fn fold(&mut self, now_us: i64, arrival: Arrival) -> Result<bool, ApplyError> {
        let Arrival { event, message_id, worker, started_at_us } = arrival;
        let (execution_id, attempt) = match &event {
            Event::Settled { ordinal, attempt, .. } | Event::FragmentSettled { ordinal, attempt, .. } => {
                (Some(self.instance.execution_id(*ordinal).to_string()), Some(*attempt as i32))
            }
            _ => (None, None),
        };
        let row = LogRow {
            seq: 0,
            kind: event.kind().into(),
            execution_id,
            attempt,
            outcome: event.encode(),
            happened_at: Timestamp(now_us),
            started_at: started_at_us.map(Timestamp),
            worker,
            digest: 0,
        };
        let effects = self.instance.apply(now_us, event)?;
        self.busy = Some(Folding { row, message_id, effects });
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
        let Folding { row, message_id, effects } = folding;
        self.since_snapshot.bytes += row.outcome.len() + 64;
        self.since_snapshot.events += 1;
        self.pending.log.push(LogRow { seq: self.instance.seq() as i64, digest: self.instance.digest(), ..row });
        match self.pending.effects.is_empty() {
            true => self.pending.effects = effects,
            false => self.pending.effects.extend(effects),
        }
        self.pending.consumed.extend(message_id);
        true
    }

    /// It computes, or has events that wait for their turn.
    pub fn has_work(&self) -> bool {
        self.busy.is_some() || !self.waiting.is_empty()
    }

    /// Rows that are gone can't come back once no read that might have seen them is on its way.
    pub fn forget_gone(&mut self) {
        if self.reads == 0 {
            for message in self.gone.drain(..) {
                self.taken.remove(&message);
            }
        }
    }

    /// Whether its next deadline is so near that it stays in memory for it. One that has come by the database's clock, but not by
    /// ours, is: it would be claimed again at once.
    pub fn wakes_soon(&self, now_us: i64, options: &Options) -> bool {
        let soon_us = now_us.saturating_add(micros(options.keep_awake)).max(self.due_us);
        self.instance.next_deadline().is_some_and(|deadline_us| deadline_us <= soon_us)
    }

    /// Whether, once all that is pending is committed, the instance only waits.
    pub fn only_waits(&self) -> bool {
        let dispatches = self.pending.effects.iter().any(|effect| {
            // All but what is only said to people, and what goes with the commit.
            !matches!(
                effect,
                Effect::Log(_)
                    | Effect::Finish(_)
                    | Effect::CancelChild { .. }
                    | Effect::SignalChild { .. }
                    | Effect::Reply { .. }
            )
        });
        let is_idle =
            self.running.is_empty() && self.starting.is_empty() && self.routing.is_empty() && self.offered.is_empty();
        !dispatches && is_idle && !self.has_work()
    }
}
