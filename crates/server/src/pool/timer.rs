//! What the hub does when nobody says anything.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

use waymark_engine::Report;

use super::call;
use super::state::{Place, State};
use super::worker::Phase;

pub(super) type Timers = BinaryHeap<Reverse<(Instant, Timer)>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Timer {
    /// Has this worker been silent?
    Silence(u64),
    /// Has this call stopped?
    CancelGrace(u64),
    /// This worker is to go now.
    Condemned(u64),
    /// Is there still no worker for this lane?
    Unknown(u32),
    /// May what this worker was to be given be begun now?
    HeldBack(u64),
}

/// How soon a call is looked at again whose engine may have lost it.
pub(super) const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// A timer that is this late says that we slept, not that the others did.
const LATE: Duration = Duration::from_secs(1);

impl State {
    /// Carries out what is due. Says when the next one is.
    pub fn tick(&mut self) -> Option<Instant> {
        loop {
            let Reverse((at, timer)) = *self.timers.peek()?;
            let now = Instant::now();
            if at > now {
                return Some(at);
            }
            self.timers.pop();
            match timer {
                Timer::Silence(worker) => self.check_silence(worker, at),
                Timer::CancelGrace(call) => self.check_cancelled(call),
                Timer::Condemned(worker) => self.end_condemned(worker),
                Timer::Unknown(lane) => self.tell_unknown(lane, now),
                Timer::HeldBack(worker) => self.look_again(worker),
            }
        }
    }

    fn look_again(&mut self, number: u64) {
        let Some(worker) = self.workers.get_mut(number) else { return };
        worker.outbox.held_back = false;
        self.after.wake.extend(worker.outbox.waker.take());
    }

    fn check_silence(&mut self, number: u64, due: Instant) {
        let limit = self.options.heartbeat * 3;
        let Some(worker) = self.workers.get(number) else { return };
        let silent = worker.heard_at.elapsed();
        if due.elapsed() > LATE {
            self.set_timer(limit, Timer::Silence(number));
        } else if silent >= limit {
            let reason = format!("it has been silent for {:.1} s", silent.as_secs_f64());
            self.end(number, tonic::Status::deadline_exceeded(reason), true);
        } else {
            self.set_timer(limit - silent, Timer::Silence(number));
        }
    }

    fn check_cancelled(&mut self, call: u64) {
        let Some(entry) = self.jobs.get(call) else { return };
        let Place::Held { worker, cancelling: true, sent, .. } = entry.place else { return };
        let outcome = call::cancelled();
        let action = call::name(&entry.job.work).to_string();
        let Some(holder) = self.workers.get(worker) else { return };
        let worker_id = holder.profile.worker_id.clone();
        tracing::warn!(worker = %worker_id, action, "a worker has not stopped a call in time; it is replaced");
        self.release(call);
        self.condemn(worker);
        self.finish(call, outcome, sent.map(|(_, started_at_us)| (worker_id, started_at_us)));
        self.rest(worker);
    }

    fn condemn(&mut self, number: u64) {
        if self.workers.get(number).is_none_or(|worker| worker.phase == Phase::Condemned) {
            return;
        }
        self.stop_giving(number, Phase::Condemned);
        self.set_timer(self.options.cancel_grace, Timer::Condemned(number));
    }

    fn end_condemned(&mut self, number: u64) {
        let reason = "a call was cancelled and did not stop: the worker is replaced";
        self.end(number, tonic::Status::aborted(reason), false);
    }

    /// A worker has settled something.
    pub fn rest(&mut self, number: u64) {
        let Some(worker) = self.workers.get(number) else { return };
        if worker.held.is_empty() {
            self.after.idle = true;
            if worker.phase == Phase::Condemned {
                self.end_condemned(number);
            }
        }
    }

    fn tell_unknown(&mut self, number: u32, now: Instant) {
        let lane = &mut self.lanes[number as usize];
        lane.watched = false;
        // Workers that finish are no workers that are missing: what waits stays with its instance, for whoever claims it next.
        if self.draining || !lane.workers.is_empty() {
            lane.untold.clear();
            return;
        }
        if !lane.is_empty() && self.ask_importers(number) {
            return;
        }
        let lane = &mut self.lanes[number as usize];
        if !lane.warned && !lane.is_empty() {
            lane.warned = true;
            tracing::warn!("{}", lane.need);
        }
        while let Some((call, since)) = lane.untold.front().copied() {
            let waited = now.saturating_duration_since(since);
            if waited < self.options.unknown_after {
                lane.watched = true;
                return self.set_timer(self.options.unknown_after - waited, Timer::Unknown(number));
            }
            lane.untold.pop_front();
            if let Some(entry) = self.jobs.get(call) {
                self.after.reports.push((entry.reports.clone(), Report::Unknown(entry.key)));
            }
        }
    }
}
