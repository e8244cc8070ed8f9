//! Attempts that are transactions: what became of one is the row that is first in the database, and the shard is told by mail. What it would
//! say itself of one (it was stopped, its worker has died, its worker could not write) it offers to the store, and then reads what was first.

use uuid::Uuid;
use waymark_runner::{Event, Outcome};
use waymark_store::{ActionKey, AttemptSettlement};

use super::{Command, Shard};
use crate::job::JobKey;
use crate::message::Mail;
use crate::options::Sabotage;

impl Shard {
    /// Offers an outcome to the store. Another that is on its way there already is as good.
    pub(super) fn offer(&mut self, id: Uuid, ordinal: u64, attempt: u32, outcome: Outcome) {
        let Some(resident) = self.residents.get_mut(&id) else { return };
        if self.options.sabotages(Sabotage::DeclareTransactions) {
            return self.event(id, Event::Settled { ordinal, attempt, outcome });
        }
        if resident.instance.ending().is_some() || !resident.offered.insert((ordinal, attempt)) {
            return;
        }
        let execution_id = resident.instance.execution_id(ordinal).to_string();
        let key = ActionKey { instance_id: id, execution_id, attempt: attempt as i32 };
        let job = JobKey { instance_id: id, ordinal, attempt };
        let settlement = settlement(job, key, outcome);
        self.commands.push(Command::SettleAttempts(vec![(job, settlement)]));
    }

    pub(super) fn attempts_settled(&mut self, keys: Vec<JobKey>) {
        for JobKey { instance_id, ordinal, attempt } in keys {
            if let Some(resident) = self.residents.get_mut(&instance_id) {
                resident.offered.remove(&(ordinal, attempt));
                self.mail(instance_id);
            }
        }
    }
}

/// What an engine says of an attempt, unless somebody was faster.
pub(crate) fn settlement(job: JobKey, key: ActionKey, outcome: Outcome) -> AttemptSettlement {
    let event = Event::Settled { ordinal: job.ordinal, attempt: job.attempt, outcome };
    AttemptSettlement { message: Mail::of_transaction(&key, event), key }
}
