//! The first step. That an instance was started is committed before anybody claims it, with its inputs; what its program does with them
//! follows from nothing else, as long as it does not look at a clock. So the first actions leave at once, and the event comes to the log with
//! the next commit. Whoever claims the instance before that folds the same event and dispatches the same executions, under the same ids.

use uuid::Uuid;
use waymark_runner::Effect;

use super::Shard;
use crate::clock::micros;
use crate::options::Sabotage;

impl Shard {
    /// Lets the first step out, if that is what is pending. False: it is to be committed first, as everything else.
    pub(super) fn begins(&mut self, id: Uuid) -> bool {
        let Some(resident) = self.residents.get_mut(&id) else { return false };
        let is_first = resident.committed_seq == 0 && resident.submitted.is_none() && resident.pending.log.len() == 1;
        let is_timeless = resident.instance.is_timeless() || self.options.sabotages(Sabotage::TimedFirstStep);
        // All that anybody else would see before it is committed is a call of a worker.
        let is_call = |effect: &Effect| match effect {
            Effect::Dispatch(call) => !call.transaction,
            Effect::DispatchFragment(_) => true,
            _ => false,
        };
        let effects = &resident.pending.effects;
        if !(is_first && is_timeless && !effects.is_empty() && effects.iter().all(is_call)) {
            return false;
        }
        let lease = resident.lease;
        for effect in std::mem::take(&mut resident.pending.effects) {
            self.release(id, effect);
        }
        self.begun.push_back((self.now.steady_us + micros(self.options.first_commit_delay), lease));
        true
    }

    /// People see that an instance has started, though its first step takes long.
    pub(super) fn commit_begun(&mut self) {
        while let Some((commit_us, lease)) = self.begun.front().copied() {
            if commit_us > self.now.steady_us && !self.draining {
                break;
            }
            self.begun.pop_front();
            let is_pending = |resident: &super::Resident| resident.lease == lease && !resident.pending.is_empty();
            if self.residents.get(&lease.instance_id).is_some_and(|resident| is_pending(resident)) {
                self.mark_dirty(lease.instance_id);
            }
        }
    }
}
