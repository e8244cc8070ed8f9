//! What follows from committed events.

use uuid::Uuid;
use waymark_runner::{Effect, Event, Outcome};

use super::{Command, Shard};
use crate::child_instance_id;
use crate::job::{Job, JobKey};
use crate::options::Sabotage;

/// With the number of an attempt, stands for the cancellation of a child among what is being started.
const CANCELLING: u32 = 1 << 31;

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
            Effect::CancelAttempt { ordinal, attempt } => {
                if resident.running.contains(&(ordinal, attempt)) {
                    self.commands.push(Command::Cancel(JobKey { instance_id: id, ordinal, attempt }));
                } else if !self.cancel_routed(id, ordinal, attempt) {
                    // Nobody has it (a restart lost it): it has stopped.
                    let outcome = Outcome::Cancelled;
                    self.event(id, Event::Settled { ordinal, attempt, outcome });
                }
            }
            Effect::StartChild(call) => {
                let child_id = child_instance_id(call.execution, call.attempt);
                // Held until the child is there: a parent asleep would not start it again after a crash.
                resident.starting.insert((call.execution.ordinal, call.attempt));
                self.commands.push(Command::StartChild { child_id, parent_id: id, call });
            }
            Effect::CancelChild { ordinal, attempt } => {
                let child_id = child_instance_id(resident.instance.execution_id(ordinal), attempt);
                let key = (ordinal, CANCELLING | attempt);
                resident.starting.insert(key);
                self.commands.push(Command::CancelChild { child_id, parent_id: id, key });
            }
            Effect::Log(line) => self.commands.push(Command::Log { instance_id: id, line }),
            Effect::Finish(ending) => self.commands.push(Command::Finished { instance_id: id, ending }),
        }
    }
}
