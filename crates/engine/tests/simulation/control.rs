//! What people do to instances from outside: end them at once, and take them back. As the bridge does.

use std::sync::Arc;

use uuid::Uuid;
use waymark_engine::Mail;
use waymark_engine::copy::{self, Original};
use waymark_engine::history::{self, Past, Step};
use waymark_runner::{Event, Instance, Limit, Limits, Lowered};
use waymark_store::{
    Change, InstanceState, NewInstance, OnConflict, Queued, Rewrite, Rewritten, Status, Store, Terminated, Termination,
    Timestamp,
};

use crate::workflows::End;
use crate::world::{SECOND, Started, What, World, now};

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

    fn termination(&self, state: &InstanceState) -> Termination {
        let instance_id = state.instance.instance_id;
        let folded = self.folded(state);
        let children = folded.children().filter(|child| child.is_abandoned_at_the_end);
        let abandoned = children.map(|child| Uuid::from_u128(child.id)).collect();
        let cancel = Mail { instance_id, message_id: instance_id, event: Event::Cancel { reason: None } };
        let child_message = Some(cancel.into_message());
        Termination { instance_id, error: Vec::new(), parent_message: None, child_message, abandoned }
    }

    /// Whoever has it loses it. Somebody is sorry for it later.
    pub fn terminate(&mut self, id: Uuid) {
        let state = now(self.store.read_state(id)).expect("a read").expect("an instance");
        if state.instance.status.is_final() {
            return;
        }
        let one = self.termination(&state);
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
        let (lost, mut mail) = past.children_since(&state.instance, found.into_iter());
        let kept: Vec<u128> =
            past.children().filter(|child| !lost.contains(&child.ordinal)).map(|child| child.id).collect();
        let folded = self.folded(&state);
        let children = folded.children().filter(|child| !child.is_abandoned_at_the_end && !kept.contains(&child.id));
        let orphans: Vec<Uuid> = children.map(|child| Uuid::from_u128(child.id)).collect();
        mail.extend(orphans.iter().map(|orphan| Mail::stop_child(*orphan).into_message()));
        let was_live = !state.instance.status.is_final();
        let rewrite = past.rewrite(was_live, &lost, Limit::Lifted, Timestamp(self.now_us())).expect("a state");
        let rewrite = Rewrite { mail, ..rewrite };
        let answers = now(self.store.rewrite_instances(vec![rewrite.clone(), rewrite.clone()])).expect("an answer");
        assert_eq!(answers, [Rewritten::Done, Rewritten::Moved { seq: rewrite.log.seq }], "seed {}", self.seed);
        let restored = Instance::restore(&rewrite.snapshot, lowered).expect("a state");
        assert_eq!(restored.digest(), rewrite.log.digest, "seed {}: {id} is taken back", self.seed);
        self.checks.is_taken_back(id, self.now_us() + 6 * SECOND, restored);
        orphans.into_iter().for_each(|orphan| self.tell(Change::Inbox(orphan)));
        self.tell(Change::Taken(id));
        self.tell(Change::Work);
    }

    /// Somebody wants the id for another. Whoever has it is ended in the commit that starts it, however often it is asked for.
    pub fn replace(&mut self, id: Uuid) {
        let Started { workflow, .. } = *self.started.iter().find(|started| started.id == id).expect("an instance");
        let state = now(self.store.read_state(id)).expect("a read").expect("an instance");
        let (n, new_id) = (self.random.below(4) as i64, Uuid::from_u128(id.as_u128() ^ 1 << 16));
        let new = NewInstance {
            user_key: state.instance.user_key.clone(),
            queue_key: state.instance.queue_key.clone(),
            on_conflict: OnConflict::Replace(None),
            ..self.new_instance(new_id, workflow, n)
        };
        let queue =
            |new: &NewInstance| now(self.store.queue_instances(vec![new.clone()])).expect("an answer").remove(0);
        let is_live = !state.instance.status.is_final();
        let mut answer = queue(&new);
        if is_live {
            assert_eq!(answer, Queued::KeyTaken { instance_id: id }, "seed {}", self.seed);
            let on_conflict = OnConflict::Replace(Some(Box::new(self.termination(&state))));
            let ending = NewInstance { on_conflict, ..new.clone() };
            answer = queue(&ending);
            // Its answer was lost.
            assert_eq!(queue(&ending), Queued::Existing { instance_id: new_id }, "seed {}", self.seed);
        }
        assert_eq!(answer, Queued::Started, "seed {}", self.seed);
        self.is_started(new_id, workflow, n);
        if is_live {
            self.checks.is_ended(id, self.now_us() + 6 * SECOND);
            let replaced = self.started.iter_mut().find(|started| started.id == id).expect("an instance");
            replaced.end = End::Terminated;
            self.tell(Change::Taken(id));
        }
        self.tell(Change::Work);
    }

    /// As an import does: what is stored of it goes on under an id of its own, and comes to the same end.
    pub fn copy(&mut self, id: Uuid) {
        let state = now(self.store.read_state(id)).expect("a read").expect("an instance");
        let log = now(self.store.read_log(id, 0, u32::MAX)).expect("a read");
        let lowered = self.program(state.instance.workflow_version_id);
        let copy_id = Uuid::from_u128(id.as_u128() ^ 2 << 16);
        let new = NewInstance {
            queue_key: state.instance.queue_key.clone(),
            ..NewInstance::new(copy_id, state.instance.workflow_version_id, state.instance.inputs.clone())
        };
        let original = Original { instance_id: id, snapshot: state.snapshot, log };
        let at = Timestamp(self.now_us());
        let rewrite = copy::copy(&original, lowered.clone(), &Limits::default(), new, at);
        let rewrite = rewrite.unwrap_or_else(|reason| panic!("seed {}: {reason}", self.seed));
        let answers = now(self.store.rewrite_instances(vec![rewrite.clone(), rewrite.clone()])).expect("an answer");
        assert_eq!(answers, [Rewritten::Done, Rewritten::Moved { seq: 1 }], "seed {}", self.seed);
        let started = self.started.iter().find(|started| started.id == id).expect("an instance");
        self.started.push(Started { id: copy_id, ..started.clone() });
        let restored = Instance::restore(&rewrite.snapshot, lowered).expect("a state");
        assert_eq!(restored.digest(), rewrite.log.digest, "seed {}: the copy of {id}", self.seed);
        self.checks.is_copied(copy_id, restored);
        let resume = Mail { instance_id: copy_id, message_id: copy_id, event: Event::Resume };
        let delay = self.random.below(20_000_000) as i64;
        self.after(delay, What::Mail(resume));
        self.tell(Change::Work);
    }
}
