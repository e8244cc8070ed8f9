//! The leases that this process holds: extended in one statement, whichever shard has the instance.

use rustc_hash::FxHashSet;
use waymark_store::{ClaimedInstance, Error, Heartbeat, HeldLease, Lease, Sleep};

use super::{Front, FrontCommand};
use crate::clock::micros;
use crate::shard::{Beat, Input};

impl Front {
    pub(super) fn hold(&mut self, now_us: i64, lease: Lease) {
        if self.held.is_empty() {
            // A claim is as good as a heartbeat.
            self.next_heartbeat_us = now_us + micros(self.options.heartbeat);
        }
        self.held.insert(lease.instance_id, lease.lock_uuid);
    }

    /// Its shard does not have it any more.
    pub(super) fn left(&mut self, lease: Lease) {
        // It may have come back under another lease meanwhile.
        if self.held.get(&lease.instance_id) == Some(&lease.lock_uuid) {
            self.held.remove(&lease.instance_id);
            self.claiming.is_innocent(lease.instance_id);
        }
    }

    /// Nothing was done with them: it is as if they had not been claimed.
    pub(super) fn give_back(&mut self, instances: impl IntoIterator<Item = ClaimedInstance>) {
        let mut sleeps = Vec::new();
        for instance in instances {
            self.left(instance.lease);
            sleeps.push(untouched(&instance));
        }
        if !sleeps.is_empty() {
            self.commands.push(FrontCommand::GiveBack(sleeps));
        }
    }

    pub(super) fn beat(&mut self, now_us: i64) {
        if self.heartbeating.is_some() || now_us < self.next_heartbeat_us || self.held.is_empty() {
            return;
        }
        self.next_heartbeat_us = now_us + micros(self.options.heartbeat);
        let held = self.held.iter().map(|(instance_id, lock_uuid)| (*instance_id, *lock_uuid));
        let mut leases: Vec<Lease> = held.map(|(instance_id, lock_uuid)| Lease { instance_id, lock_uuid }).collect();
        leases.sort_unstable();
        self.heartbeating = Some((now_us, leases.clone()));
        self.commands.push(FrontCommand::Heartbeat(Heartbeat { leases, lease: self.options.lease }));
    }

    pub(super) fn heartbeat(&mut self, now_us: i64, answer: Result<Vec<HeldLease>, Error>) {
        let Some((since_us, asked)) = self.heartbeating.take() else { return };
        let Ok(answer) = answer else { return self.store_away(now_us) };
        let ours_until_us = since_us + micros(self.options.lease);
        let empty = || Beat { ours_until_us, asked: FxHashSet::default(), held: Vec::new() };
        let mut beats: Vec<Beat> = (0..self.options.shards).map(|_| empty()).collect();
        for lease in asked {
            beats[self.shard_of(lease.instance_id)].asked.insert(lease);
        }
        for held in answer {
            beats[self.shard_of(held.instance_id)].held.push(held);
        }
        for (shard, beat) in beats.into_iter().enumerate().filter(|(_, beat)| !beat.asked.is_empty()) {
            self.commands.push(FrontCommand::Tell(shard, Input::Heartbeat(beat)));
        }
    }
}

/// Gives one back with which nothing was done.
pub(super) fn untouched(instance: &ClaimedInstance) -> Sleep {
    let ClaimedInstance { lease, scheduled_at, wake_seq, .. } = *instance;
    Sleep { lease, scheduled_at, wake_seq, waits_for: None, tried: false }
}
