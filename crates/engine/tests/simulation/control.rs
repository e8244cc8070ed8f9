//! What people do to instances from outside: end them at once, and take them back. As the bridge does.

use std::sync::Arc;

use uuid::Uuid;
use waymark_engine::Mail;
use waymark_engine::history::{self, Past, Step};
use waymark_runner::{Event, Instance, Limit, Limits, Lowered};
use waymark_store::{Change, InstanceState, Rewrite, Rewritten, Status, Store, Terminated, Termination, Timestamp};

use crate::world::{SECOND, What, World, now};

/// Those that come to the same end however often their steps are run, whatever they have heard.
pub const REPEATABLE: &[&str] = &["chain", "spread", "flaky", "parent", "timed", "leaver"];

impl World {
    fn program(&self, id: Uuid) -> Arc<Lowered> {
        let all = self.versions.values().chain(self.other_versions.values());
        all.clone().find(|(version, _)| *version == id).map(|(_, lowered)| lowered.clone()).expect("a version")
    }

    fn folded(&self, state: &InstanceState) -> Instance {
        let lowered = self.program(state.instance.workflow_version_id);
        let id = state.instance.instance_id;
        let folded = history::fold(id, lowered, &Limits::default(), state.snapshot.as_ref(), &state.log);
        folded.unwrap_or_else(|reason| panic!("seed {}: {reason}", self.seed))
    }

    /// Whoever has it loses it. Somebody is sorry for it later.
    pub fn terminate(&mut self, id: Uuid) {
        let state = now(self.store.read_state(id)).expect("a read").expect("an instance");
        if state.instance.status.is_final() {
            return;
        }
        let folded = self.folded(&state);
        let children = folded.children().filter(|child| child.is_abandoned_at_the_end);
        let abandoned = children.map(|child| Uuid::from_u128(child.id)).collect();
        let cancel = Mail { instance_id: id, message_id: id, event: Event::Cancel { reason: None } };
        let child_message = Some(cancel.into_message());
        let one = Termination { instance_id: id, error: Vec::new(), parent_message: None, child_message, abandoned };
        let answers = now(self.store.terminate_instances(vec![one.clone()])).expect("an answer");
        assert_eq!(answers, [Terminated::Done], "seed {}", self.seed);
        assert_eq!(now(self.store.terminate_instances(vec![one])).expect("an answer"), [Terminated::Finished]);
        self.checks.is_taken(id, self.now_us() + 6 * SECOND);
        self.tell(Change::Taken(id));
        self.tell(Change::Work);
        let delay = self.random.below(20_000_000) as i64;
        self.after(delay, What::Retry(id));
    }

    /// From where it stood, from a step, or from the start. Whoever has it loses it.
    pub fn retry(&mut self, id: Uuid) {
        let state = now(self.store.read_state(id)).expect("a read").expect("an instance");
        let log = now(self.store.read_log(id, 0, u32::MAX)).expect("a read");
        let steps: Vec<i64> = log.iter().filter(|row| row.kind == "settled").map(|row| row.seq).collect();
        let was_terminated = state.instance.status == Status::Terminated;
        let step = match self.random.below(3) {
            0 => Step::First,
            1 if !steps.is_empty() => Step::Event(steps[self.random.below(steps.len() as u64) as usize]),
            _ if was_terminated => Step::Stopped,
            _ => return,
        };
        let lowered = self.program(state.instance.workflow_version_id);
        let past = Past::before(id, lowered.clone(), &Limits::default(), state.snapshot.as_ref(), &log, step);
        let past = match past {
            Ok(past) => past,
            // That step is no longer kept, or is another version's. One that was terminated has to go on, though.
            Err(_) if was_terminated => return self.after(SECOND, What::Retry(id)),
            Err(_) => return,
        };
        let ids: Vec<Uuid> = past.children().map(|child| Uuid::from_u128(child.id)).collect();
        let found = now(self.store.get_instances(ids)).expect("a read");
        let (lost, mail) = past.children_since(&state.instance, found.into_iter());
        let kept: Vec<u128> =
            past.children().filter(|child| !lost.contains(&child.ordinal)).map(|child| child.id).collect();
        let orphans = self.folded(&state).children().filter(|child| !child.is_abandoned_at_the_end).collect::<Vec<_>>();
        let rewrite = past.rewrite(&lost, Limit::Lifted, Timestamp(self.now_us())).expect("a state");
        let rewrite = Rewrite { mail, ..rewrite };
        let answers = now(self.store.rewrite_instances(vec![rewrite.clone(), rewrite.clone()])).expect("an answer");
        assert_eq!(answers, [Rewritten::Done, Rewritten::Moved { seq: rewrite.log.seq }], "seed {}", self.seed);
        let restored = Instance::restore(&rewrite.snapshot, lowered).expect("a state");
        assert_eq!(restored.digest(), rewrite.log.digest, "seed {}: {id} is taken back", self.seed);
        self.checks.is_taken_back(id, self.now_us() + 6 * SECOND, restored);
        for orphan in orphans.into_iter().filter(|child| !kept.contains(&child.id)) {
            self.put(Mail::stop_child(Uuid::from_u128(orphan.id)));
        }
        self.tell(Change::Taken(id));
        self.tell(Change::Work);
    }
}
