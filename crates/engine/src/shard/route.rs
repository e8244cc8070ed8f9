//! Jobs that no worker here knows: they go into the store, where an engine that has such a worker finds them, and their
//! outcome comes back by mail. The instance may leave memory meanwhile.
//!
//! An attempt is in one place at a time: whoever runs jobs here has forgotten it before it is put, and its owner drops it from
//! the store before it says that it has stopped.

use uuid::Uuid;
use waymark_runner::{Event, Outcome};
use waymark_store::{ActionKey, ClaimedInstance, Error, Put, PutAction};

use super::{Command, Shard};
use crate::job::{Job, JobKey};
use crate::message::Mail;

impl Shard {
    /// No worker here knows it.
    pub(super) fn unknown(&mut self, key: JobKey) {
        let Some(resident) = self.residents.get_mut(&key.instance_id) else { return };
        let attempt = (key.ordinal, key.attempt);
        // One that is being stopped already answers here.
        let is_wanted = resident.instance.dispatched(key.ordinal, key.attempt).is_some();
        if is_wanted && resident.running.remove(&attempt) {
            self.jobs -= 1;
            resident.routing.insert(attempt);
            let is_stored = resident.committed_seq > 0;
            self.unrouted.push_back(key);
            self.commands.push(Command::Cancel(key));
            if !is_stored {
                self.mark_dirty(key.instance_id);
            }
        }
    }

    /// Puts what waits for it, one batch at a time.
    pub(super) fn put_actions(&mut self) {
        if self.putting || self.is_store_away() {
            return;
        }
        let limit = if self.put_singly > 0 { 1 } else { self.options.commit_batch };
        let (mut keys, mut batch) = (Vec::new(), Vec::new());
        for _ in 0..self.unrouted.len() {
            if batch.len() >= limit {
                break;
            }
            let Some(key) = self.unrouted.pop_front() else { break };
            let Some(resident) = self.residents.get_mut(&key.instance_id) else { continue };
            if !resident.routing.contains(&(key.ordinal, key.attempt)) {
                continue;
            }
            if resident.reads > 0 || resident.committed_seq == 0 {
                // Its mail comes first, and that it has started: whoever claims it knows what is elsewhere then.
                self.unrouted.push_back(key);
                continue;
            }
            let effect = resident.instance.dispatched(key.ordinal, key.attempt);
            match effect.and_then(|effect| Job::of(key.instance_id, &resident.workflow_name, effect)) {
                Some(job) => {
                    keys.push(key);
                    batch.push(PutAction { lease: resident.lease, wake_seq: resident.wake_seq, action: job.queued() });
                }
                // It was told to stop, or has an outcome: nobody has it.
                None => self.has_stopped(key),
            }
        }
        if !batch.is_empty() {
            self.putting = true;
            self.commands.push(Command::PutActions(keys, batch));
        }
    }

    pub(super) fn actions_put(&mut self, keys: Vec<JobKey>, result: Result<Vec<Put>, Error>) {
        self.putting = false;
        let answers = match result {
            Ok(answers) => answers,
            Err(error) if error.is_transient() => {
                self.store_away();
                return self.unrouted.extend(keys);
            }
            Err(error) => {
                if let [key] = keys[..] {
                    self.put_singly = self.put_singly.saturating_sub(1);
                    let reason = format!("a call for a worker elsewhere can't be stored: {error}");
                    return self.stuck(key.instance_id, reason);
                }
                self.put_singly = keys.len();
                return self.unrouted.extend(keys);
            }
        };
        self.put_singly = self.put_singly.saturating_sub(keys.len());
        for (key, answer) in keys.into_iter().zip(answers) {
            let Some(resident) = self.residents.get_mut(&key.instance_id) else { continue };
            let attempt = (key.ordinal, key.attempt);
            if !resident.routing.contains(&attempt) {
                continue;
            }
            match answer {
                Put::Done if resident.instance.dispatched(key.ordinal, key.attempt).is_none() => {
                    // It was told to stop meanwhile.
                    resident.routing.remove(&attempt);
                    resident.routed.insert(attempt);
                    self.cancel_routed(key.instance_id, key.ordinal, key.attempt);
                }
                Put::Done => {
                    resident.routing.remove(&attempt);
                    resident.routed.insert(attempt);
                    resident.shows_old = true;
                    resident.tells_waits = true;
                    self.mark_dirty(key.instance_id);
                }
                Put::UnreadMail => {
                    if resident.reads == 0 {
                        self.read_inbox(vec![key.instance_id]);
                    }
                    self.unrouted.push_back(key);
                }
                Put::LostLease => self.drop_resident(key.instance_id),
            }
        }
    }

    /// What a claim said is elsewhere is not run here; what nobody waits for any more is dropped.
    pub(super) fn admit_routed(&mut self, id: Uuid, claimed: &ClaimedInstance) {
        let Some(resident) = self.residents.get_mut(&id) else { return };
        // Those that have come back are in the inbox, which is read next.
        for row in &claimed.inbox {
            if let Ok(Some(Event::Settled { ordinal, attempt, .. } | Event::FragmentSettled { ordinal, attempt, .. })) =
                Mail::read(row, &resident.instance)
            {
                resident.routed.insert((ordinal, attempt));
            }
        }
        let mut orphans = Vec::new();
        for (execution_id, attempt) in &claimed.routed {
            let row = ActionKey { instance_id: id, execution_id: execution_id.clone(), attempt: *attempt };
            let key = JobKey::of_row(&row).unwrap_or(JobKey { instance_id: id, ordinal: 0, attempt: 0 });
            let is_ours = resident.instance.execution_id(key.ordinal).to_string() == *execution_id;
            if is_ours && resident.instance.awaits_attempt(key.ordinal, key.attempt) {
                resident.routed.insert((key.ordinal, key.attempt));
            } else {
                orphans.push((key, row));
            }
        }
        if !orphans.is_empty() {
            self.commands.push(Command::DropActions(orphans));
        }
    }

    /// Stops an attempt that is elsewhere, or on its way there. False: it is not.
    pub(super) fn cancel_routed(&mut self, id: Uuid, ordinal: u64, attempt: u32) -> bool {
        let Some(resident) = self.residents.get_mut(&id) else { return false };
        if resident.routed.remove(&(ordinal, attempt)) {
            resident.routing.insert((ordinal, attempt));
            let execution_id = resident.instance.execution_id(ordinal).to_string();
            let row = ActionKey { instance_id: id, execution_id, attempt: attempt as i32 };
            self.commands.push(Command::DropActions(vec![(JobKey { instance_id: id, ordinal, attempt }, row)]));
            return true;
        }
        // Once the way there is over, it is seen that nobody wants it.
        resident.routing.contains(&(ordinal, attempt))
    }

    pub(super) fn actions_dropped(&mut self, answers: Vec<(JobKey, bool)>) {
        for (key, nobody_had_it) in answers {
            let Some(resident) = self.residents.get_mut(&key.instance_id) else { continue };
            if nobody_had_it {
                self.has_stopped(key);
            } else if resident.routing.remove(&(key.ordinal, key.attempt)) {
                // Whoever has it stops it; nobody tells us, so the grace period is waited for.
                self.rest(key.instance_id);
            }
        }
    }

    fn has_stopped(&mut self, key: JobKey) {
        let JobKey { instance_id, ordinal, attempt } = key;
        let Some(resident) = self.residents.get_mut(&instance_id) else { return };
        if resident.routing.remove(&(ordinal, attempt)) {
            // One of a transaction was offered to the store when it was told to stop.
            let is_transaction = resident.instance.is_transaction(ordinal, attempt);
            if resident.instance.awaits_attempt(ordinal, attempt) && !is_transaction {
                self.event(instance_id, Event::Settled { ordinal, attempt, outcome: Outcome::Cancelled });
            }
            self.rest(instance_id);
        }
    }
}
