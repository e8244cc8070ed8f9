//! Events on their way into instances. What computes for long has its turn after the others: a turn ends when a slice is used up.

use std::panic::{AssertUnwindSafe, catch_unwind};

use uuid::Uuid;
use waymark_runner::{Event, Outcome};

use super::resident::{Arrival, RanBy};
use super::{Command, Shard, Stuck};
use crate::job::{Completion, JobKey, JobOutcome};
use crate::options::Sabotage;

/// Slices that a turn may use up before others have theirs.
const SLICES_MAX: usize = 1;

/// A panic of an instance is a bug, or its state was written by hand: it is stopped, and those beside it go on. Where it panicked is in the
/// log. Nothing looks at it any more.
pub(super) fn contained<T>(act: impl FnOnce() -> T) -> Result<T, Stuck> {
    catch_unwind(AssertUnwindSafe(act)).map_err(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        format!("it can't go on, which is a bug, or its state is damaged: {}", said.unwrap_or("the log says where"))
    })
}

impl Shard {
    /// Folds an event into a resident, or keeps it until the one before is folded.
    pub(super) fn event(&mut self, id: Uuid, event: Event) {
        self.arrival(id, Arrival::from(event));
    }

    pub(super) fn arrival(&mut self, id: Uuid, arrival: Arrival) {
        let Some(resident) = self.residents.get_mut(&id) else { return };
        if resident.instance.ending().is_some() {
            return;
        }
        if resident.has_work() {
            return resident.waiting.push_back(arrival);
        }
        if self.slices >= SLICES_MAX {
            resident.waiting.push_back(arrival);
            return self.busy.push_back(id);
        }
        self.fold(id, arrival);
    }

    /// Goes on with those that compute or wait for their turn, first come first served, until a slice is used up.
    pub(super) fn fold_busy(&mut self) {
        for _ in 0..self.busy.len() {
            if self.slices >= SLICES_MAX {
                return;
            }
            let Some(id) = self.busy.pop_front() else { return };
            self.fold_on(id);
        }
    }

    fn fold_on(&mut self, id: Uuid) {
        let Some(resident) = self.residents.get_mut(&id) else { return };
        if resident.busy.is_some() {
            match contained(|| resident.fold_on(true)) {
                Ok(true) => self.folded(id),
                Ok(false) => {
                    self.slices += 1;
                    return self.busy.push_back(id);
                }
                Err(bug) => return self.stuck(id, bug),
            }
        }
        while let Some(resident) = self.residents.get_mut(&id).filter(|resident| resident.busy.is_none()) {
            let Some(arrival) = resident.waiting.pop_front() else { return };
            if resident.instance.ending().is_none() {
                self.fold(id, arrival);
            }
        }
    }

    fn fold(&mut self, id: Uuid, arrival: Arrival) {
        let now_us = self.now.calendar_us;
        let panics = self.options.sabotages(Sabotage::Panic)
            && matches!(arrival.event, Event::Settled { outcome: Outcome::Failed(_), .. });
        let Some(resident) = self.residents.get_mut(&id) else { return };
        match contained(|| match panics {
            true => panic!("sabotaged"),
            false => resident.fold(now_us, arrival),
        }) {
            Ok(Ok(true)) => self.folded(id),
            Ok(Ok(false)) => {
                self.slices += 1;
                self.busy.push_back(id);
            }
            Ok(Err(error)) => self.stuck(id, format!("an event can't be applied: {error}")),
            Err(bug) => self.stuck(id, bug),
        }
    }

    fn folded(&mut self, id: Uuid) {
        if !self.begins(id) {
            self.mark_dirty(id);
        }
        self.set_deadline(id);
    }

    /// It has something to submit, once what is on its way has arrived.
    pub(super) fn mark_dirty(&mut self, id: Uuid) {
        if let Some(resident) = self.residents.get_mut(&id)
            && resident.submitted.is_none()
            && !std::mem::replace(&mut resident.is_dirty, true)
        {
            self.dirty.push_back(id);
        }
    }

    /// Keeps the wheel in step with the instance's own deadline.
    pub(super) fn set_deadline(&mut self, id: Uuid) {
        let Some(resident) = self.residents.get_mut(&id) else { return };
        let next = resident.instance.next_deadline();
        if next == resident.deadline_us {
            return;
        }
        if let Some(old) = resident.deadline_us.take() {
            self.wheel.remove(&(old, id));
        }
        resident.deadline_us = next;
        if let Some(next) = next {
            self.wheel.insert((next, id));
        }
    }

    /// A resident with nothing to commit and nothing to wait for here is given back.
    pub(super) fn rest(&mut self, id: Uuid) {
        self.set_deadline(id);
        let Some(resident) = self.residents.get(&id) else { return };
        let idle = resident.pending.is_empty() && resident.submitted.is_none() && resident.only_waits();
        if idle && !resident.wakes_soon(self.now.calendar_us, &self.options) {
            self.mark_dirty(id);
        }
    }

    /// Its outcome is in the database, where its worker has put it or found it.
    fn stored(&mut self, key: JobKey, by: RanBy) {
        let Some(resident) = self.residents.get_mut(&key.instance_id) else { return };
        let attempt = (key.ordinal, key.attempt);
        if resident.running.remove(&attempt) {
            self.jobs -= 1;
            resident.stored_by.insert(attempt, by);
        }
        self.mail(key.instance_id);
    }

    pub(super) fn completed(&mut self, completion: Completion) {
        let JobKey { instance_id, ordinal, attempt } = completion.key;
        let event = match completion.outcome {
            JobOutcome::Stored => return self.stored(completion.key, (completion.worker, completion.started_at_us)),
            JobOutcome::Action(outcome) => Event::Settled { ordinal, attempt, outcome },
            JobOutcome::Fragment(outcome) => Event::FragmentSettled { ordinal, attempt, outcome },
        };
        let Some(resident) = self.residents.get_mut(&instance_id) else { return };
        let is_cancelled = matches!(event, Event::Settled { outcome: Outcome::Cancelled, .. });
        if is_cancelled
            && resident.running.contains(&(ordinal, attempt))
            && let Some(effect) = resident.instance.dispatched(ordinal, attempt)
        {
            // The instance did not ask for that: it is the end of a run for an owner before, which was us. It is still wanted.
            return self.release(instance_id, effect);
        }
        // A duplicate, or the answer to another owner's dispatch that was answered already.
        if resident.running.remove(&(ordinal, attempt)) {
            self.jobs -= 1;
            if resident.resumed.remove(&(ordinal, attempt)) {
                // This may be the outcome of the run for an owner before: then the one that we asked for is not wanted any more.
                self.commands.push(Command::Cancel(completion.key));
            }
            let event = match event {
                Event::Settled { outcome, .. } if resident.instance.is_transaction(ordinal, attempt) => {
                    return self.offer(instance_id, ordinal, attempt, outcome);
                }
                event => event,
            };
            let Completion { worker, started_at_us, .. } = completion;
            self.arrival(instance_id, Arrival { event, message_id: None, worker, started_at_us });
        }
    }
}
