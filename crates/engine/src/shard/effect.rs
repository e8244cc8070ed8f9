//! What follows from committed events.

use uuid::Uuid;
use waymark_runner::{Effect, Event, Outcome};

use super::{Command, Shard};
use crate::job::{Job, JobKey};
use crate::options::Sabotage;

impl Shard {
    /// Lets an effect out. Its event is committed.
    pub(super) fn release(&mut self, id: Uuid, effect: Effect) {
        let Some(resident) = self.residents.get_mut(&id) else { return };
        match effect {
            Effect::Dispatch(_) | Effect::DispatchFragment(_) => {
                let Some(job) = Job::of(id, &resident.workflow_name, effect) else { return };
                let key = job.key();
                if resident.routed.contains(&(key.ordinal, key.attempt)) && !self.options.sabotages(Sabotage::RunRouted)
                {
                    return;
                }
                if resident.instance.dispatched(key.ordinal, key.attempt).is_none() {
                    // It was told to stop before it began.
                    return;
                }
                self.jobs += usize::from(resident.running.insert((key.ordinal, key.attempt)));
                self.commands.push(Command::Run(job));
            }
            Effect::CancelAttempt { ordinal, attempt } if resident.instance.is_transaction(ordinal, attempt) => {
                if resident.running.contains(&(ordinal, attempt)) {
                    self.commands.push(Command::Cancel(JobKey { instance_id: id, ordinal, attempt }));
                } else {
                    self.cancel_routed(id, ordinal, attempt);
                }
                // Nobody is waited for: a worker that goes on can't commit any more, or has.
                self.offer(id, ordinal, attempt, Outcome::Cancelled);
            }
            Effect::CancelAttempt { ordinal, attempt } => {
                if resident.running.contains(&(ordinal, attempt)) {
                    self.commands.push(Command::Cancel(JobKey { instance_id: id, ordinal, attempt }));
                } else if !self.cancel_routed(id, ordinal, attempt) {
                    // Nobody has it (a restart lost it): it has stopped.
                    let outcome = Outcome::Cancelled;
                    self.event(id, Event::Settled { ordinal, attempt, outcome });
                }
            }
            Effect::StartChild(call) => self.check_child(id, call),
            // These went with the commit.
            Effect::CancelChild { .. } | Effect::SignalChild { .. } | Effect::Reply { .. } => {}
            Effect::Log(line) => self.commands.push(Command::Log { instance_id: id, line }),
            Effect::Finish(ending) => self.commands.push(Command::Finished { instance_id: id, ending }),
        }
    }
}
