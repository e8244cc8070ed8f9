//! The commit pipeline: all that waits goes in one batch, at most a few batches are on their way, and nothing waits for a
//! fuller one.

use std::sync::Arc;

use waymark_ir::payload;
use waymark_runner::{Effect, Ending, Outcome};
use waymark_store::{self as store, Committed, Error, Lease, Next, Progress, SeqUnderLease, Timestamp};

use super::children::{refusal, replies_of};
use super::resident::{Batch, Resident, Submitted};
use super::{Command, Commit, Shard};
use crate::message::Mail;
use crate::options::Sabotage;

impl Shard {
    /// Sends what is dirty, as far as batches are free.
    pub(super) fn submit(&mut self) {
        let mut asked = Vec::new();
        while !self.is_store_away() && !self.dirty.is_empty() && self.commits.len() < self.options.commits_in_flight_max
        {
            let mut leases = Vec::new();
            let mut batch = Vec::new();
            while batch.len() < self.options.commit_batch {
                let Some(id) = self.dirty.pop_front() else { break };
                let Some(resident) = self.residents.get_mut(&id) else { continue };
                if !std::mem::take(&mut resident.is_dirty) || resident.submitted.is_some() {
                    continue;
                }
                if self.asks_for_versions(id, &mut asked) {
                    continue;
                }
                let Some(resident) = self.residents.get_mut(&id) else { continue };
                let Some(progress) = resident.progress(&self.options, self.now.calendar_us) else { continue };
                leases.push(progress.lease);
                batch.push(progress);
            }
            if batch.is_empty() {
                break;
            }
            if self.options.sabotages(Sabotage::EffectBeforeCause) {
                for Lease { instance_id: id, .. } in &leases {
                    let submitted = self.residents.get_mut(id).and_then(|resident| resident.submitted.as_mut());
                    let effects = submitted.map(|submitted| std::mem::take(&mut submitted.effects)).unwrap_or_default();
                    effects.into_iter().for_each(|effect| self.release(*id, effect));
                }
            }
            self.commit(leases, batch, false);
        }
        self.find_versions(asked);
    }

    fn commit(&mut self, leases: Vec<Lease>, progress: Vec<Arc<Progress>>, is_alone: bool) {
        let ticket = self.new_ticket();
        self.committing += leases.len();
        self.commits.insert(ticket, leases);
        self.news.commits.push(Commit { ticket, progress, is_alone });
    }

    /// It is not on its way any more.
    fn take_commit(&mut self, ticket: u64) -> Option<Vec<Lease>> {
        let leases = self.commits.remove(&ticket)?;
        self.committing -= leases.len();
        Some(leases)
    }

    pub(super) fn committed(&mut self, ticket: u64, result: Result<Vec<Committed>, Error>) {
        let Some(leases) = self.take_commit(ticket) else { return };
        match result {
            Ok(answers) => {
                for (lease, answer) in leases.into_iter().zip(answers) {
                    self.answered(lease, answer);
                }
            }
            Err(Error::OutcomeUnknown { .. }) if self.options.sabotages(Sabotage::UnknownIsRepeated) => {
                self.resubmit(leases)
            }
            Err(Error::OutcomeUnknown { .. }) if self.options.sabotages(Sabotage::UnknownIsDone) => {
                for lease in leases {
                    let wake_seq = self.residents.get(&lease.instance_id).map_or(0, |resident| resident.wake_seq);
                    self.answered(lease, Committed::Accepted { wake_seq, released: false, children: Vec::new() });
                }
            }
            Err(Error::OutcomeUnknown { .. }) => self.ask_seqs(ticket, leases),
            Err(error) if error.is_transient() => {
                self.store_away();
                self.resubmit(leases);
            }
            Err(error) => self.refused(leases, &error),
        }
    }

    /// The store won't take the batch whatever we do: try its halves; one alone is stuck.
    fn refused(&mut self, mut leases: Vec<Lease>, error: &Error) {
        leases.retain(|lease| self.is_held(*lease));
        if let [lease] = leases[..] {
            return self.stuck(lease.instance_id, format!("its progress can't be stored: {error}"));
        }
        let (left, right) = leases.split_at(leases.len() / 2);
        for half in [left, right] {
            let again: Vec<(Lease, Arc<Progress>)> = half
                .iter()
                .filter_map(|lease| {
                    Some((*lease, self.residents.get(&lease.instance_id)?.submitted.as_ref()?.progress.clone()))
                })
                .collect();
            if again.is_empty() {
                continue;
            }
            let (leases, batch) = again.into_iter().unzip();
            self.commit(leases, batch, true);
        }
    }

    /// Nothing of these was written.
    fn resubmit(&mut self, leases: Vec<Lease>) {
        for lease in leases {
            if let Some(resident) = self.residents.get_mut(&lease.instance_id).filter(|held| held.lease == lease) {
                resident.take_back();
                self.mark_dirty(lease.instance_id);
            }
        }
    }

    /// Settles a commit of which we don't know whether it happened.
    pub(super) fn settle_commit(&mut self, ticket: u64, result: Result<Vec<SeqUnderLease>, Error>) {
        let Some(leases) = self.take_commit(ticket) else { return };
        let Ok(answers) = result else {
            self.store_away();
            // Whoever carries commands out waits a little before it asks again.
            return self.ask_seqs(ticket, leases);
        };
        for (lease, answer) in leases.into_iter().zip(answers) {
            let resident = self.residents.get(&lease.instance_id).filter(|resident| resident.lease == lease);
            let Some(resident) = resident else { continue };
            let Some(submitted) = &resident.submitted else { continue };
            let (before, after) = (submitted.progress.expected_seq, submitted.seq);
            let finishes = matches!(submitted.progress.next, Next::Finish(_));
            let accepted =
                |released| Committed::Accepted { wake_seq: resident.wake_seq, released, children: Vec::new() };
            match answer {
                SeqUnderLease::Held { seq } if seq == after && before != after => {
                    self.answered(lease, accepted(false));
                }
                SeqUnderLease::Held { seq } if seq == before => self.resubmit(vec![lease]),
                SeqUnderLease::Held { seq } => self.answered(lease, Committed::WrongSeq { seq }),
                SeqUnderLease::Finished if finishes => self.answered(lease, accepted(true)),
                SeqUnderLease::Finished | SeqUnderLease::Lost => self.drop_resident(lease.instance_id),
            }
        }
    }

    fn ask_seqs(&mut self, ticket: u64, mut leases: Vec<Lease>) {
        leases.retain(|lease| self.is_held(*lease));
        self.committing += leases.len();
        self.commits.insert(ticket, leases.clone());
        self.commands.push(Command::ReadSeq(ticket, leases));
    }

    fn answered(&mut self, lease: Lease, answer: Committed) {
        let id = lease.instance_id;
        let Some(resident) = self.residents.get_mut(&id).filter(|resident| resident.lease == lease) else { return };
        match answer {
            Committed::Accepted { wake_seq, released, children } => {
                let Some(submitted) = resident.submitted.take() else { return };
                resident.committed_seq = submitted.seq;
                resident.versions.clear();
                resident.gone.extend(&submitted.progress.consumed);
                resident.forget_gone();
                if let Some(bytes) = submitted.snapshot_bytes {
                    resident.since_snapshot.last_snapshot_bytes = bytes;
                }
                let is_late = self.now.steady_us > resident.ours_until_us;
                let mail = wake_seq > resident.wake_seq;
                if !submitted.progress.log.is_empty() && std::mem::take(&mut resident.is_suspect) {
                    self.news.innocent.push(id);
                }
                let is_trusted =
                    self.options.sabotages(Sabotage::TrustLateAnswers) || self.options.sabotages(Sabotage::KeepLost);
                if is_late && !released && !is_trusted {
                    // It was committed, but the answer was slow: another may have it by now, and has released the effects.
                    return self.drop_resident(id);
                }
                let mut children = children.into_iter();
                for effect in submitted.effects {
                    match effect {
                        Effect::StartChild(call) if call.positional.is_empty() => match children.next() {
                            Some(queued) => {
                                if let Some(reason) = refusal(&call, &queued) {
                                    self.refuse_child(id, &call, reason);
                                }
                            }
                            None => self.check_child(id, call),
                        },
                        effect => self.release(id, effect),
                    }
                }
                if released {
                    return self.drop_resident(id);
                }
                if mail {
                    self.read_inbox(vec![id]);
                }
                match self.residents.get(&id) {
                    Some(resident) if !resident.pending.is_empty() || resident.tells_waits => self.mark_dirty(id),
                    Some(_) if !mail => self.rest(id),
                    _ => {}
                }
            }
            Committed::LostLease if self.options.sabotages(Sabotage::KeepLost) => {
                let wake_seq = resident.wake_seq;
                self.answered(lease, Committed::Accepted { wake_seq, released: false, children: Vec::new() });
            }
            Committed::LostLease => self.drop_resident(id),
            // Somebody wrote under our lease: what we have in memory is not what is stored. Claim it anew.
            Committed::WrongSeq { .. } => self.drop_resident(id),
            Committed::Refused { reason } => self.stuck(id, format!("its progress can't be stored: {reason}")),
        }
    }
}

impl Resident {
    /// What is pending, as one commit. None: there is nothing to say to the store.
    fn progress(&mut self, options: &crate::Options, now_us: i64) -> Option<Arc<Progress>> {
        let ending = self.instance.ending().cloned();
        let sleeps = ending.is_none() && self.only_waits() && !self.wakes_soon(now_us, options);
        if self.pending.is_empty() && !sleeps && !self.tells_waits {
            return None;
        }
        let Batch { log, effects, consumed } = std::mem::take(&mut self.pending);
        let mut progress = Progress::new(self.lease, self.committed_seq, log);
        progress.consumed = consumed;
        progress.children = self.children_of(&effects);
        progress.messages = self.messages_of(&effects);
        progress.replies = replies_of(&effects);
        let mut snapshot_bytes = None;
        if ending.is_none() && self.since_snapshot.is_due(options) && self.busy.is_none() {
            let state = self.instance.snapshot();
            snapshot_bytes = Some(state.len());
            self.since_snapshot.bytes = 0;
            self.since_snapshot.events = 0;
            progress.trim_log_through = Some(progress.seq() - options.history_events).filter(|seq| *seq > 0);
            progress.snapshot = Some(state);
        }
        progress.next = match ending {
            Some(ending) => {
                progress.messages.extend(self.parent_message(&ending));
                Next::Finish(stored(&ending))
            }
            None if sleeps => {
                let scheduled_at = self.instance.next_deadline().map_or(Timestamp::NEVER, Timestamp);
                Next::Sleep { scheduled_at, wake_seq: self.wake_seq }
            }
            None => Next::Hold,
        };
        if self.shows_paused != self.instance.is_paused() {
            self.shows_paused = self.instance.is_paused();
            progress.paused = Some(self.shows_paused);
        }
        self.tells_waits = false;
        if self.shows_old || sleeps {
            self.shows_old = false;
            progress.waits_for = Some(self.waits_for());
        }
        let seq = progress.seq();
        let progress = Arc::new(progress);
        self.submitted = Some(Submitted { seq, effects, snapshot_bytes, progress: progress.clone() });
        Some(progress)
    }

    /// The commit did not happen: its events come before those that were folded since.
    fn take_back(&mut self) {
        let Some(submitted) = self.submitted.take() else { return };
        let later = std::mem::take(&mut self.pending);
        let Progress { log, consumed, waits_for, paused, .. } = Arc::unwrap_or_clone(submitted.progress);
        self.pending = Batch { log, effects: submitted.effects, consumed };
        self.pending.log.extend(later.log);
        self.pending.effects.extend(later.effects);
        self.pending.consumed.extend(later.consumed);
        if let Some(paused) = paused {
            self.shows_paused = !paused;
        }
        self.shows_old |= waits_for.is_some();
        self.tells_waits |= waits_for.is_some() && self.pending.is_empty();
        if submitted.snapshot_bytes.is_some() {
            // The snapshot was not stored: it is due again.
            self.since_snapshot.events = usize::MAX / 2;
        }
    }

    fn parent_message(&self, ending: &Ending) -> Option<store::Message> {
        let parent = self.parent.as_ref()?;
        let outcome = match ending {
            Ending::Completed(value) => Outcome::Completed(value.clone()),
            Ending::Failed(exception) => Outcome::Failed(exception.clone()),
            Ending::Cancelled(_) => Outcome::Cancelled,
            Ending::Terminated(exception) => Outcome::Failed(exception.clone()),
        };
        Mail::from_child(parent.instance_id, self.lease.instance_id, &parent.execution_id, outcome)
            .map(Mail::into_message)
    }
}

fn stored(ending: &Ending) -> store::Ending {
    let exception =
        |value: &waymark_ir::ExceptionValue| payload::encode(&waymark_ir::Value::Exception(Box::new(value.clone())));
    match ending {
        Ending::Completed(value) => store::Ending::Completed { result: payload::encode(value) },
        Ending::Failed(error) => {
            store::Ending::Failed { error: exception(error), error_type: error.type_name.to_string() }
        }
        Ending::Cancelled(error) => store::Ending::Cancelled { error: exception(error) },
        Ending::Terminated(error) => store::Ending::Terminated { error: exception(error) },
    }
}
