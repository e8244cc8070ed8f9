//! A connected worker, as the hub sees it.

use std::collections::VecDeque;
use std::task::Waker;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;
use waymark_store::Timestamp;

use super::histogram::Histogram;
use super::profile::Profile;

pub(super) struct Worker {
    pub profile: Profile,
    /// The calls that it holds: as many as it has slots, at most.
    pub held: Vec<u64>,
    /// How many of them are suspects: one, at most.
    pub suspects: usize,
    /// What its next frame will carry.
    pub outbox: Outbox,
    pub phase: Phase,
    /// Lanes in which something waits that it may take, in turn.
    pub ready: VecDeque<u32>,
    /// Which lanes are in `ready`.
    pub listed: Vec<bool>,
    pub heard_at: Instant,
    /// Ends the task that reads its frames.
    pub hang_up: CancellationToken,
    pub record: Record,
}

#[derive(Default)]
pub(super) struct Outbox {
    pub calls: Vec<u64>,
    pub cancels: Vec<u64>,
    pub drain: bool,
    /// Some of the calls may be nobody's of ours any more; a timer looks again.
    pub held_back: bool,
    /// Of the stream, while it has nothing to send.
    pub waker: Option<Waker>,
    /// The transport takes no more.
    pub closed: bool,
}

impl Outbox {
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.cancels.is_empty() && !self.drain
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Open,
    /// Finishes what it holds.
    Draining,
    /// It ignored a cancellation: it's ended when the rest of what it holds is done, or soon.
    Condemned,
}

/// What a worker has done so far.
pub(super) struct Record {
    pub started_at: Timestamp,
    pub given: u64,
    pub completed: u64,
    pub failed: u64,
    pub latencies: Histogram,
    /// It was said that it has had enough calls.
    pub worn_out: bool,
}

impl Worker {
    pub fn new(profile: Profile, lanes: usize, hang_up: CancellationToken) -> Worker {
        Worker {
            profile,
            held: Vec::new(),
            suspects: 0,
            outbox: Outbox::default(),
            phase: Phase::Open,
            ready: VecDeque::new(),
            listed: vec![false; lanes],
            heard_at: Instant::now(),
            hang_up,
            record: Record {
                started_at: Timestamp::now(),
                given: 0,
                completed: 0,
                failed: 0,
                latencies: Histogram::default(),
                worn_out: false,
            },
        }
    }

    pub fn has_room(&self, suspect: bool) -> bool {
        self.phase == Phase::Open && self.held.len() < self.profile.slots && !(suspect && self.suspects > 0)
    }

    /// Slots that a call could have at once.
    pub fn free(&self) -> usize {
        match self.phase {
            Phase::Open => self.profile.slots.saturating_sub(self.held.len()),
            _ => 0,
        }
    }

    /// Less is better.
    pub fn load(&self) -> u64 {
        ((self.held.len() as u64) << 32) / self.profile.slots as u64
    }

    /// Something waits in this lane.
    pub fn list(&mut self, lane: u32) {
        let at = lane as usize;
        if self.listed.len() <= at {
            self.listed.resize(at + 1, false);
        }
        if !self.listed[at] {
            self.listed[at] = true;
            self.ready.push_back(lane);
        }
    }

    /// It serves this lane no more.
    pub fn unlist(&mut self, lane: u32) {
        if let Some(listed) = self.listed.get_mut(lane as usize).filter(|listed| **listed) {
            *listed = false;
            self.ready.retain(|ready| *ready != lane);
        }
    }

    pub fn settled(&mut self, completed: bool, took: Option<Duration>) {
        match completed {
            true => self.record.completed += 1,
            false => self.record.failed += 1,
        }
        if let Some(took) = took {
            self.record.latencies.add(took);
        }
    }
}
