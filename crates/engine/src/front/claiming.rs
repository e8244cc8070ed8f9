//! When to ask the store for work, and for how much.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use uuid::Uuid;
use waymark_runner::Lowered;
use waymark_store::{Claim, Claimed, ClaimedInstance, Error, Lease};

use super::leases::untouched;
use super::programs::Found;
use super::{Front, FrontCommand};
use crate::clock::{Now, micros};
use crate::shard::{Admission, Input};

pub(super) struct Claiming {
    /// How many the claim on its way asks for, and since when.
    asking: Option<(u32, i64)>,
    /// There may be work.
    hungry: bool,
    /// There was more than the last claim brought, or nobody has looked yet: whoever comes now has to wait for its turn.
    is_behind: bool,
    next_us: i64,
    /// Claims of queues with limits are dear, and there is news of them at every end: they are so far apart.
    not_before_us: i64,
    /// An instance that was claimed often without progress, and until when it is suspected to take its hosts down. Nothing is claimed
    /// beside it.
    suspect: Option<(Uuid, i64)>,
    /// Of each shard.
    pub loads: Vec<Load>,
    /// Jobs that workers here can run at the same time.
    pub slots: usize,
}

/// For how many more instances.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Room {
    now: usize,
    /// Once a poll.
    at_poll: usize,
}

/// What a shard has to do, as far as it has said.
#[derive(Clone, Copy, Default)]
pub(super) struct Load {
    /// Its jobs and what it has to compute or to commit.
    told: usize,
    /// Instances that were given to it, ever, and those it has taken.
    given: u64,
    taken: u64,
}

impl Load {
    pub fn is_told(&mut self, load: usize, admitted: u64) {
        self.told = load;
        self.taken += admitted;
    }

    fn total(&self) -> usize {
        self.told + usize::try_from(self.given.saturating_sub(self.taken)).unwrap_or(usize::MAX)
    }
}

impl Claiming {
    pub fn new(shards: usize) -> Claiming {
        Claiming {
            asking: None,
            hungry: true,
            is_behind: true,
            next_us: i64::MIN,
            not_before_us: i64::MIN,
            suspect: None,
            loads: vec![Load::default(); shards],
            slots: 0,
        }
    }

    pub fn look(&mut self) {
        self.hungry = true;
    }

    pub fn is_asking(&self) -> bool {
        self.asking.is_some()
    }

    /// It has made progress, or left.
    pub fn is_innocent(&mut self, id: Uuid) {
        self.suspect = self.suspect.filter(|(suspect, _)| *suspect != id);
    }
}

impl Front {
    /// How many more instances may be in memory. A few while there is more to do here than can be done soon: overload pushes back to
    /// claims, and other hosts may have nothing to do.
    fn room(&self) -> Room {
        let is_suspicious = self.claiming.suspect.is_some_and(|(_, until_us)| self.now_us < until_us);
        if is_suspicious {
            return Room::default();
        }
        let load = self.load();
        // Enough for every worker to have its next job at hand, and for the next commit to be full.
        let soon = self.claiming.slots.saturating_mul(self.options.load_per_slot);
        let load_max = soon.saturating_add(2 * self.options.claim_batch as usize).min(self.options.load_max);
        let in_memory = self.options.instances_max.saturating_sub(self.held.len());
        let trickle = self.options.claim_trickle as usize;
        Room {
            now: in_memory.min(load_max.saturating_sub(load)),
            at_poll: in_memory.min(load_max.saturating_mul(2).saturating_sub(load)).min(trickle),
        }
    }

    fn load(&self) -> usize {
        self.claiming.loads.iter().map(Load::total).sum::<usize>() + self.programs.waiting()
    }

    /// When to look for work that nobody announces.
    pub(super) fn next_look(&self) -> Option<i64> {
        if self.claiming.is_asking() || self.draining {
            return None;
        }
        let Claiming { next_us, not_before_us, .. } = self.claiming;
        match self.claiming.suspect {
            Some((_, until_us)) if self.now_us < until_us => Some(until_us),
            _ => {
                let room = self.room();
                let is_held_up = self.now_us < not_before_us && self.is_worth_it(room.now);
                let at_us = if is_held_up { next_us.min(not_before_us) } else { next_us };
                (room != Room::default()).then_some(at_us.max(not_before_us))
            }
        }
    }

    /// Whoever is nearly full waits for a batch that is worth it, or for the next look.
    fn is_worth_it(&self, room: usize) -> bool {
        let batch = (self.options.claim_batch as usize).min(self.options.instances_max);
        self.claiming.hungry && room >= batch.div_ceil(4)
    }

    pub(super) fn claim(&mut self, now_us: i64) {
        if self.claiming.is_asking() || self.draining {
            return;
        }
        let room = self.room();
        let room = match now_us >= self.claiming.next_us {
            true => room.now.max(room.at_poll),
            false if self.is_worth_it(room.now) => room.now,
            false => 0,
        };
        if room == 0 || now_us < self.claiming.not_before_us {
            return;
        }
        let limit = self.options.claim_batch.min(u32::try_from(room).unwrap_or(u32::MAX));
        self.claiming.asking = Some((limit, now_us));
        self.claiming.hungry = false;
        self.claiming.next_us = now_us + micros(self.options.poll);
        self.commands.push(FrontCommand::Claim(Claim {
            engine: self.options.engine.clone(),
            queues: self.options.queues.clone(),
            limit,
            lease: self.options.lease,
            claims_max: self.options.claims_max,
        }));
    }

    pub(super) fn claimed(&mut self, now_us: i64, claimed: Result<Claimed, Error>) {
        let Some((limit, since_us)) = self.claiming.asking.take() else { return };
        let Claimed { instances, next_due_in, is_limited, is_full } = match claimed {
            Ok(claimed) => claimed,
            Err(_) => return self.store_away(now_us),
        };
        if self.draining {
            return self.give_back(instances);
        }
        self.claiming.not_before_us = if is_limited { now_us + micros(self.options.claim_spacing) } else { i64::MIN };
        // A full batch means that there is more. Otherwise we know when the next one is due, and are there; a little late, so that
        // those that are due one after the other come together.
        self.claiming.is_behind = is_full || instances.len() >= limit as usize;
        if self.claiming.is_behind {
            self.claiming.hungry = true;
        } else if let Some(next) = next_due_in.filter(|_| self.room().now > 0) {
            let at_us = now_us.saturating_add(micros(next.max(self.options.claim_spacing)));
            self.claiming.next_us = self.claiming.next_us.min(at_us);
        }
        let instances = self.one_suspect_at_a_time(now_us, instances);
        self.take_in(now_us, since_us, instances);
    }

    /// How many starts of one commit this engine would have: no more than its workers could begin with, while nobody waits who was there
    /// before. Other hosts' workers have no need of those. `slots` is as of now, and how many of them are free: a busy front may not have been told
    /// for a while.
    pub fn offers(&mut self, now: impl Into<Now>, slots: usize, free: usize) -> usize {
        self.claiming.slots = slots;
        let is_away = now.into().steady_us < self.store_away_until_us;
        // One that would look for work and can't has no room.
        let is_held_up = self.claiming.hungry && !self.claiming.is_asking();
        if self.draining || self.claiming.is_behind || is_held_up || is_away {
            return 0;
        }
        self.room().now.min(slots.saturating_sub(self.load())).min(free)
    }

    /// What came of an offer.
    pub(super) fn started(&mut self, now_us: i64, since_us: i64, mut instances: Vec<ClaimedInstance>) {
        // A start that is told twice is one; and one that is here already has come back under a later lease.
        let mut told = FxHashSet::default();
        instances.retain(|ClaimedInstance { lease: Lease { instance_id, .. }, .. }| {
            told.insert(*instance_id) && !self.held.contains_key(instance_id)
        });
        let late_us = now_us.saturating_sub(since_us);
        // One that comes late may be another's, or ours under another lease.
        if self.draining || late_us >= micros(self.options.lease) {
            let sleeps = instances.iter().map(untouched).collect();
            return self.commands.push(FrontCommand::GiveBack(sleeps));
        }
        self.take_in(now_us, since_us, instances);
        self.next_heartbeat_us = self.next_heartbeat_us.min(since_us.saturating_add(micros(self.options.heartbeat)));
    }

    fn take_in(&mut self, now_us: i64, since_us: i64, instances: Vec<ClaimedInstance>) {
        let ours_until_us = since_us + micros(self.options.lease);
        let mut ready = Vec::new();
        for instance in instances {
            self.hold(now_us, instance.lease);
            let version = instance.workflow_version_id;
            match self.programs.find(Admission { lowered: (), ours_until_us, instance }) {
                Found::Ready(lowered, admission) => ready.push(admission.with(lowered)),
                Found::Waits(true) => self.commands.push(FrontCommand::LoadProgram(version)),
                Found::Waits(false) => {}
            }
        }
        self.admit(ready);
    }

    /// Each goes to its shard.
    pub(super) fn admit(&mut self, admissions: impl IntoIterator<Item = Admission<Arc<Lowered>>>) {
        let mut by_shard: Vec<Vec<Admission<Arc<Lowered>>>> = (0..self.options.shards).map(|_| Vec::new()).collect();
        for admission in admissions {
            by_shard[self.shard_of(admission.instance.lease.instance_id)].push(admission);
        }
        for (shard, admissions) in by_shard.into_iter().enumerate().filter(|(_, some)| !some.is_empty()) {
            self.claiming.loads[shard].given += admissions.len() as u64;
            self.commands.push(FrontCommand::Tell(shard, Input::Admit(admissions)));
        }
    }

    /// Whoever was claimed often without progress may be what took its hosts down, or was only there when it happened. The one that was
    /// claimed most often is tried alone, and all that came with it is given back, as if it had not been claimed.
    fn one_suspect_at_a_time(&mut self, now_us: i64, mut instances: Vec<ClaimedInstance>) -> Vec<ClaimedInstance> {
        let worst = instances.iter().max_by_key(|instance| (instance.claims, instance.lease.instance_id));
        let Some(worst) = worst.filter(|worst| worst.claims > self.options.suspect_claims) else { return instances };
        let suspect = worst.lease.instance_id;
        self.claiming.suspect = Some((suspect, now_us + micros(self.options.lease)));
        self.claiming.hungry = true;
        let others: Vec<ClaimedInstance> =
            instances.extract_if(.., |instance| instance.lease.instance_id != suspect).collect();
        self.give_back(others);
        instances
    }
}
