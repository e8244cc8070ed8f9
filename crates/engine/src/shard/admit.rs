//! Taking claimed instances in.

use std::sync::Arc;

use waymark_runner::{Effect, Event, Lowered};
use waymark_store::{InboxView, Timestamp};

use super::fold::contained;
use super::{Admission, Command, Shard, hydrate};
use crate::options::Sabotage;

impl Shard {
    /// Takes a claimed instance in, and goes on with it where it was.
    pub(super) fn admit(&mut self, admission: Admission<Arc<Lowered>>) {
        let Admission { lowered, ours_until_us, instance: claimed } = admission;
        let id = claimed.lease.instance_id;
        if self.now.steady_us > ours_until_us && !self.options.sabotages(Sabotage::TrustLateAnswers) {
            // The answer was slow: it may be another's by now, who has done what we would do.
            return self.news.left.push(claimed.lease);
        }
        let hydrated = contained(|| hydrate::hydrate(&self.options, lowered, ours_until_us, &claimed));
        let resident = match hydrated.flatten() {
            Ok(resident) => resident,
            Err(reason) => {
                self.news.left.push(claimed.lease);
                return self.commands.push(Command::MarkStuck(vec![(claimed.lease, reason)]));
            }
        };
        self.drop_resident(id);
        self.ours_until_us = match self.residents.is_empty() {
            true => ours_until_us,
            false => self.ours_until_us.min(ours_until_us),
        };
        // What was in flight was committed: it may be dispatched again at once, under the same ids.
        let in_flight = resident.instance.in_flight();
        self.residents.insert(id, Box::new(resident));
        self.admit_routed(id, &claimed);
        if !self.options.sabotages(Sabotage::ForgetInFlight) {
            for effect in in_flight {
                match effect {
                    Effect::StartChild(_) => self.start_again(id, effect, claimed.log.is_empty()),
                    effect => self.release(id, effect),
                }
            }
        }
        if self.residents.get(&id).is_some_and(|resident| !resident.instance.has_started()) {
            match hydrate::first_event(&claimed.inputs) {
                Ok(event) => {
                    self.event(id, event);
                    if let Some(Timestamp(at_us)) = claimed.deadline_at {
                        self.event(id, Event::Deadline { at_us });
                    }
                }
                Err(reason) => return self.stuck(id, reason),
            }
        }
        // A first step may have run before, too, though nothing of it is stored.
        if (claimed.seq > 0 || claimed.claims > 1)
            && let Some(resident) = self.residents.get_mut(&id)
        {
            resident.resumed.clone_from(&resident.running);
        }
        let view = InboxView { instance_id: id, wake_seq: claimed.wake_seq, rows: claimed.inbox };
        self.read_mail(view);
        self.rest(id);
    }
}
