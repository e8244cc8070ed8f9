//! What must hold: a second opinion on every instance, folded from what was really committed, whoever heard of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use uuid::Uuid;
use waymark_engine::{Job, JobKey};
use waymark_runner::migrate::{Comparison, Mapping};
use waymark_runner::{Ending, Event, Instance, Limits, Lowered, Outcome};
use waymark_store::{Committed, Lease, Next, Progress, Rewrite};

pub struct Checks {
    seed: u64,
    /// Each instance as the committed events make it.
    instances: BTreeMap<Uuid, Instance>,
    /// The last lease that was given, and until when.
    leases: BTreeMap<Uuid, (Uuid, i64)>,
    endings: BTreeMap<Uuid, Ending>,
    /// Attempts whose outcome is committed.
    settled: BTreeSet<JobKey>,
    /// Attempts that wait for a worker elsewhere, or run there.
    routed: BTreeSet<JobKey>,
    /// Attempts whose outcome has come from elsewhere, into the inbox.
    brought: BTreeSet<JobKey>,
    /// Transactions whose work is committed.
    paid: BTreeSet<JobKey>,
    /// Those whose program was told that they succeeded, or failed.
    told_paid: BTreeSet<JobKey>,
    told_unpaid: BTreeSet<JobKey>,
    /// Those that the end of the run waits for.
    left: BTreeSet<Uuid>,
    is_to_be_stuck: BTreeSet<Uuid>,
    /// Those that were taken from their owners, and until when these may not have heard of it: they may begin with something meanwhile.
    taken: BTreeMap<Uuid, i64>,
    /// Those that somebody ended for good.
    ended: BTreeSet<Uuid>,
    /// Those that were taken back: the numbers of their executions may mean others than before.
    taken_back: BTreeSet<Uuid>,
}

impl Checks {
    pub fn new(seed: u64) -> Checks {
        Checks {
            seed,
            instances: BTreeMap::new(),
            leases: BTreeMap::new(),
            endings: BTreeMap::new(),
            settled: BTreeSet::new(),
            routed: BTreeSet::new(),
            brought: BTreeSet::new(),
            paid: BTreeSet::new(),
            told_paid: BTreeSet::new(),
            told_unpaid: BTreeSet::new(),
            left: BTreeSet::new(),
            is_to_be_stuck: BTreeSet::new(),
            taken: BTreeMap::new(),
            ended: BTreeSet::new(),
            taken_back: BTreeSet::new(),
        }
    }

    pub fn started(&mut self, id: Uuid, lowered: Arc<Lowered>) {
        let make = || Instance::new(id.as_u128(), lowered, Limits::default());
        self.instances.entry(id).or_insert_with(make);
    }

    pub fn expect(&mut self, id: Uuid, lowered: Arc<Lowered>, is_to_be_stuck: bool) {
        self.started(id, lowered);
        self.left.insert(id);
        if is_to_be_stuck {
            self.is_to_be_stuck.insert(id);
        }
    }

    /// All have come to their end.
    pub fn is_over(&self) -> bool {
        self.left.is_empty()
    }

    pub fn claimed(&mut self, lease: Lease, until_us: i64) {
        self.leases.insert(lease.instance_id, (lease.lock_uuid, until_us));
    }

    pub fn extended(&mut self, id: Uuid, until_us: i64) {
        if let Some((_, until)) = self.leases.get_mut(&id) {
            *until = until_us;
        }
    }

    pub fn is_one_to_be_stuck(&self) -> bool {
        self.left.iter().any(|id| self.is_to_be_stuck.contains(id))
    }

    pub fn stuck(&mut self, id: Uuid, reason: &str) {
        assert!(self.is_to_be_stuck.contains(&id), "seed {}: {id} is stuck: {reason}", self.seed);
        self.left.remove(&id);
    }

    /// One writer: a stale owner's write changes nothing. And the state that everybody agrees on.
    pub fn committed(&mut self, now_us: i64, progress: &Progress, answer: &Committed) {
        let (seed, id) = (self.seed, progress.lease.instance_id);
        assert!(
            !matches!(answer, Committed::WrongSeq { .. } | Committed::Refused { .. }),
            "seed {seed}: {answer:?} for {:?}",
            progress.lease
        );
        if !matches!(answer, Committed::Accepted { .. }) {
            return;
        }
        let (lock_uuid, until_us) = self.leases[&id];
        assert!(lock_uuid == progress.lease.lock_uuid && now_us < until_us, "seed {seed}: a stale owner wrote {id}");
        let instance = self.instances.get_mut(&id).expect("a started instance");
        assert_eq!(instance.seq() as i64, progress.expected_seq, "seed {seed}: the log of {id} has a gap");
        for row in &progress.log {
            let event = Event::decode(&row.outcome).expect("a good event");
            if let Event::Settled { ordinal, attempt, outcome } = &event
                && instance.is_transaction(*ordinal, *attempt)
            {
                // The database has the last word, and says it once: a relay may run it again, in vain.
                let key = JobKey { instance_id: id, ordinal: *ordinal, attempt: *attempt };
                let is_paid = matches!(outcome, Outcome::Completed(_));
                assert_eq!(self.paid.contains(&key), is_paid, "seed {seed}: {key:?} was told as {outcome:?}");
                let told = if is_paid { &mut self.told_paid } else { &mut self.told_unpaid };
                told.insert(key);
                instance.apply(row.happened_at.0, event).expect("an event that fits");
                assert_eq!(instance.digest(), row.digest, "seed {seed}: the fold of {id} disagrees at {}", row.seq);
                continue;
            }
            if let Event::Settled { ordinal, attempt, outcome: Outcome::Completed(_) | Outcome::Failed(_) } = event
                && instance.awaits_attempt(ordinal, attempt)
                && !self.taken_back.contains(&id)
            {
                self.settled.insert(JobKey { instance_id: id, ordinal, attempt });
            }
            instance.apply(row.happened_at.0, event).expect("an event that fits");
            assert_eq!(instance.digest(), row.digest, "seed {seed}: the fold of {id} disagrees at {}", row.seq);
        }
        let finishes = matches!(progress.next, Next::Finish(_));
        assert_eq!(instance.ending().is_some(), finishes, "seed {seed}: {id} finishes when it has");
        if finishes {
            self.routed.retain(|key| key.instance_id != id);
            self.left.remove(&id);
        }
    }

    /// It goes on from the same place on the other program, and its owner has lost it.
    pub fn migrated(&mut self, id: Uuid, until_us: i64, comparison: &Comparison<'_>, rewrite: &Rewrite) {
        let instance = self.instances.remove(&id).expect("a started instance");
        assert_eq!(instance.seq() as i64, rewrite.expected_seq, "seed {}: {id} was migrated from elsewhere", self.seed);
        let mut moved = comparison.migrate(instance, &Mapping::default()).expect("it moves");
        moved.count_migration();
        assert_eq!(moved.digest(), rewrite.log.digest, "seed {}: the migration of {id}", self.seed);
        self.instances.insert(id, moved);
        self.is_taken(id, until_us);
    }

    /// Its owner has lost it.
    pub fn is_taken(&mut self, id: Uuid, until_us: i64) {
        self.leases.insert(id, (Uuid::nil(), 0));
        self.taken.insert(id, until_us);
    }

    /// Its owner has lost it, and nobody else gets it.
    pub fn is_ended(&mut self, id: Uuid, until_us: i64) {
        self.is_taken(id, until_us);
        self.left.remove(&id);
        self.ended.insert(id);
    }

    /// It is there, in this state.
    pub fn is_copied(&mut self, id: Uuid, instance: Instance) {
        self.instances.insert(id, instance);
        self.left.insert(id);
    }

    /// It goes on from an earlier state.
    pub fn is_taken_back(&mut self, id: Uuid, until_us: i64, instance: Instance) {
        self.instances.insert(id, instance);
        self.is_taken(id, until_us);
        self.taken_back.insert(id);
        self.endings.remove(&id);
        self.left.insert(id);
        for keys in [&mut self.settled, &mut self.routed, &mut self.brought] {
            keys.retain(|key| key.instance_id != id);
        }
    }

    /// Result before effect: what is dispatched follows from committed events. And what is settled is not run again.
    pub fn dispatched(&self, job: &Job, started: Event, now_us: i64) {
        let key = job.key();
        let JobKey { instance_id: id, ordinal, attempt } = key;
        let instance = &self.instances[&id];
        if instance.ending().is_some() || self.taken.get(&id).is_some_and(|until_us| now_us < *until_us) {
            return;
        }
        assert!(!self.ended.contains(&id), "seed {}: {key:?} runs, and {id} has been ended", self.seed);
        let asks = |instance: &Instance| {
            let effect = instance.dispatched(ordinal, attempt)?;
            Job::of(id, &job.workflow_name, effect).map(|asked| asked.work)
        };
        let asked = if instance.has_started() {
            vec![asks(instance)]
        } else {
            // That it was started is committed: whoever takes it over asks for the very same, whenever that is.
            let fold = |at_us| {
                let mut first = Instance::new(id.as_u128(), instance.lowered().clone(), Limits::default());
                first.apply(at_us, started.clone()).expect("a start");
                asks(&first)
            };
            vec![fold(1), fold(now_us)]
        };
        assert!(
            asked.iter().all(|asked| asked.as_ref() == Some(&job.work)),
            "seed {}: attempt {attempt} of execution {ordinal} of {id} runs as {:?}, but what is committed asks for {asked:?}",
            self.seed,
            job.work
        );
        if self.taken_back.contains(&id) {
            return;
        }
        assert!(!self.brought.contains(&key), "seed {}: {key:?} runs here, and its outcome is in the inbox", self.seed);
        assert!(!self.routed.contains(&key), "seed {}: {key:?} runs here, and waits for a worker elsewhere", self.seed);
    }

    /// The work of a transaction is committed.
    pub fn paid(&mut self, key: JobKey) {
        assert!(self.paid.insert(key), "seed {}: {key:?} has done its work twice", self.seed);
        assert!(!self.told_unpaid.contains(&key), "seed {}: {key:?} was told as failed, and has happened", self.seed);
    }

    pub fn all_that_was_paid_was_seen(&self) {
        let unseen: Vec<_> = self.paid.difference(&self.told_paid).collect();
        assert!(unseen.is_empty(), "seed {}: nobody was told of {unseen:?}", self.seed);
    }

    /// The outcome is in the inbox.
    pub fn brought(&mut self, key: JobKey) {
        self.routed.remove(&key);
        self.brought.insert(key);
    }

    /// The same for a relay, which may have it in hand while its owner stops it.
    pub fn relayed(&self, key: JobKey) {
        assert!(!self.settled.contains(&key), "seed {}: {key:?} runs again after its outcome was committed", self.seed);
    }

    pub fn routed(&mut self, key: JobKey) {
        assert!(!self.settled.contains(&key), "seed {}: {key:?} is put after its outcome was committed", self.seed);
        self.routed.insert(key);
    }

    pub fn unrouted(&mut self, key: JobKey) {
        self.routed.remove(&key);
    }

    /// One result an instance, and that of the committed events.
    pub fn finished(&mut self, id: Uuid, ending: Ending) {
        if self.taken_back.contains(&id) && self.instances[&id].ending().is_none() {
            // An earlier end, told late.
            return;
        }
        assert_eq!(self.instances[&id].ending(), Some(&ending), "seed {}: the result of {id}", self.seed);
        let before = self.endings.insert(id, ending.clone());
        assert!(before.is_none_or(|before| before == ending), "seed {}: two results of {id}", self.seed);
    }
}
