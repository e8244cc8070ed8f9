//! Starts: each is sent until it is acknowledged, through whichever host is there, and that host's engine may claim it in the same commit.

use std::time::Duration;

use uuid::Uuid;
use waymark_engine::FrontInput;
use waymark_store::{Change, ClaimedInstance, NewInstance, Queued, StartClaim, Store, Timestamp};

use crate::control::REPEATABLE;
use crate::workflows::{End, Mailings, WORKFLOWS, Workflow};
use crate::world::{SECOND, What, World, now};

/// A start that nobody has acknowledged yet.
pub struct Starting {
    new: NewInstance,
    workflow: &'static Workflow,
    n: i64,
    offer: Option<Offer>,
}

/// What the engine of a host would take.
#[derive(Clone)]
struct Offer {
    host: usize,
    incarnation: u64,
    since_us: i64,
    claim: StartClaim,
}

impl World {
    pub fn start(&mut self, at: u64) {
        let workflow = &WORKFLOWS[self.random.below(WORKFLOWS.len() as u64) as usize];
        let n = self.random.below(4) as i64;
        let instance_id = Uuid::from_u128(
            (0x0192_0000_0000_7000_8000_0000_0000_0000 + u128::from(at)) ^ (u128::from(self.seed) << 80),
        );
        let queue_key = self.is_limited().then(|| format!("key-{}", at % 2));
        let deadline_at = (workflow.mail == Mailings::Deadline)
            .then(|| Timestamp(self.now_us() + self.random.below(50_000_000) as i64));
        let delay = Duration::from_micros(self.random.below(30_000_000));
        let new = NewInstance {
            priority: self.random.below(3) as u8,
            queue_key,
            user_key: Some(at.to_string()),
            deadline_at,
            scheduled_at: (self.random.below(4) == 0).then(|| Timestamp(self.now_us()) + delay),
            ..self.new_instance(instance_id, workflow, n)
        };
        self.is_started(instance_id, workflow, n);
        self.submit(Starting { new, workflow, n, offer: None });
    }

    /// As a bridge does, and its clients: the same again until there is an answer.
    pub fn submit(&mut self, mut starting: Starting) {
        let is_there = |offer: &Offer| self.hosts[offer.host].incarnation == offer.incarnation;
        if !starting.offer.as_ref().is_some_and(is_there) {
            starting.offer = self.offer();
        }
        let claim = starting.offer.as_ref().map(|offer| offer.claim.clone());
        let until_us = self.now_us() + 6 * SECOND;
        // A client that asked twice may be in one batch with itself.
        let times = 1 + self.random.below(3) as usize / 2;
        let result = self.faulty(true, |world| {
            let answers = now(world.store.queue_and_claim(vec![starting.new.clone(); times], claim))?;
            for answer in &answers {
                if let Queued::Claimed(claimed) = answer {
                    assert!(!world.is_limited(), "seed {}: claimed in a queue with limits", world.seed);
                    world.checks.claimed(claimed.lease, until_us);
                }
            }
            Ok(answers)
        });
        match result {
            Err(_) => {
                let delay = self.random.below(3_000_000) as i64;
                self.after(delay, What::Submit(Box::new(starting)));
            }
            Ok(answers) => self.acknowledged(starting, answers),
        }
    }

    fn offer(&mut self) -> Option<Offer> {
        let host = self.random.below(self.hosts.len() as u64) as usize;
        let since_us = self.now_us();
        let limit = self.hosts[host].front.as_mut()?.offers(since_us, 4, 4);
        let claim = StartClaim {
            engine: self.options(host).engine,
            queues: vec!["default".into()],
            lock_uuid: Uuid::from_u128(u128::from(self.random.bits()) << 64 | u128::from(self.random.bits())),
            limit: limit as u32,
            lease: Duration::from_secs(6),
        };
        (limit > 0).then(|| Offer { host, incarnation: self.hosts[host].incarnation, since_us, claim })
    }

    fn acknowledged(&mut self, starting: Starting, answers: Vec<Queued>) {
        let Starting { new, workflow, n, offer } = starting;
        let id = new.instance_id;
        let claimed = |answer| match answer {
            Queued::Claimed(claimed) => Some(*claimed),
            Queued::Started => None,
            Queued::Existing { instance_id } if instance_id == id => None,
            other => panic!("seed {}: {other:?}", self.seed),
        };
        let instances: Vec<ClaimedInstance> = answers.into_iter().filter_map(claimed).collect();
        match offer.filter(|_| !instances.is_empty()) {
            Some(Offer { host, incarnation, since_us, .. }) => {
                self.claimed_starts += 1;
                self.answer_front(host, incarnation, FrontInput::Started { instances, since_us });
            }
            None => self.tell(Change::Work),
        }
        self.plan_mail(id, workflow.mail);
        // One that is stuck would go on.
        if (workflow.ends)(n) != End::Stuck && self.random.below(3) == 0 {
            for _ in 0..=self.random.below(3) {
                let delay = self.random.below(60_000_000) as i64;
                self.after(delay, What::Migrate(id));
            }
        }
        if REPEATABLE.contains(&workflow.name) && self.random.below(3) > 0 {
            let delay = self.random.below(60_000_000) as i64;
            let what = [What::Terminate, What::Retry, What::Replace, What::Copy][self.random.below(4) as usize];
            self.after(delay, what(id));
        }
    }
}
