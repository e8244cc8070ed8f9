//! Workers come and go.

use std::time::Instant;

use tokio_util::sync::CancellationToken;
use tonic::Status;

use super::Life;
use super::call;
use super::profile::Profile;
use super::state::{Place, State};
use super::timer::Timer;
use super::worker::{Phase, Worker};

impl State {
    /// The number of a worker whose hello was in order.
    pub fn join(&mut self, profile: Profile, hang_up: CancellationToken) -> u64 {
        let id = profile.worker_id.clone();
        if let Some(older) = self.worker_by_id.get(&id).copied() {
            // It lost its stream, and noticed it before we did.
            self.end(older, Status::aborted("another worker of the same name has come"), true);
        }
        let mut worker = Worker::new(profile, self.lanes.len(), hang_up);
        if self.draining {
            worker.phase = Phase::Draining;
            worker.outbox.drain = true;
        }
        let number = self.workers.insert(worker);
        self.worker_by_id.insert(id.clone(), number);
        (0..self.lanes.len()).for_each(|lane| self.join_lane(lane as u32, number));
        let Some(worker) = self.workers.get(number) else { return number };
        tracing::info!(
            worker = %id,
            description = worker.profile.description,
            process = worker.profile.process_id,
            slots = worker.profile.slots,
            actions = worker.profile.actions.len(),
            "a worker has come"
        );
        self.set_timer(self.options.heartbeat * 3, Timer::Silence(number));
        self.tell_life(&id, Life::Connected);
        self.fill(number);
        number
    }

    /// Its stream is over. With calls in its hands it has died.
    pub fn leave(&mut self, number: u64, reason: &str) {
        self.remove(number, reason, true);
    }

    /// We end its stream.
    pub fn end(&mut self, number: u64, status: Status, counts_as_death: bool) {
        let Some(worker) = self.workers.get(number) else { return };
        let (reason, closed) = (status.message().to_string(), worker.outbox.closed);
        if !closed {
            self.endings.insert(number, status);
        }
        self.remove(number, &reason, counts_as_death);
    }

    /// It gets no more calls; what has not left yet goes to others.
    pub fn stop_giving(&mut self, number: u64, phase: Phase) {
        let Some(worker) = self.workers.get_mut(number) else { return };
        let before = worker.phase;
        if before != Phase::Condemned {
            worker.phase = phase;
        }
        let id = worker.profile.worker_id.clone();
        let unsent = std::mem::take(&mut worker.outbox.calls);
        if phase == Phase::Condemned {
            self.tell_life(&id, Life::Condemned);
        }
        if before == Phase::Open {
            self.leave_lanes(number);
        }
        // The last is placed first, so that they wait in their order.
        for call in unsent.into_iter().rev() {
            self.release(call);
            self.place_again(call);
        }
    }

    /// Tells a worker to finish what it holds, and to go.
    pub fn drain_worker(&mut self, number: u64) {
        self.stop_giving(number, Phase::Draining);
        let Some(worker) = self.workers.get_mut(number) else { return };
        worker.outbox.drain = true;
        self.after.wake.extend(worker.outbox.waker.take());
    }

    fn remove(&mut self, number: u64, reason: &str, counts_as_death: bool) {
        let Some(mut worker) = self.workers.remove(number) else { return };
        let id = worker.profile.worker_id.clone();
        worker.hang_up.cancel();
        // Its stream has nothing more to send.
        self.after.wake.extend(worker.outbox.waker.take());
        if self.worker_by_id.get(&id) == Some(&number) {
            self.worker_by_id.remove(&id);
        }
        if worker.phase == Phase::Open {
            self.leave_lanes(number);
        }
        let held = std::mem::take(&mut worker.held);
        match held.is_empty() {
            true => tracing::info!(worker = %id, reason, "a worker has gone"),
            false => {
                tracing::warn!(worker = %id, reason, calls = held.len(), "a worker is lost, its calls are run again")
            }
        }
        // The oldest last, so that it is the first to wait again.
        for call in held.into_iter().rev() {
            self.bring_back(call, &id, reason, counts_as_death);
        }
        self.after.idle = true;
        self.tell_life(&id, Life::Gone);
    }

    /// A call whose worker is gone.
    fn bring_back(&mut self, call: u64, worker_id: &std::sync::Arc<str>, reason: &str, counts_as_death: bool) {
        let deaths_max = self.options.deaths_max;
        let Some(entry) = self.jobs.get_mut(call) else { return };
        let Place::Held { sent, cancelling, .. } = entry.place else { return };
        entry.place = Place::Waiting;
        let started = sent.map(|(_, started_at_us)| (worker_id.clone(), started_at_us));
        if cancelling {
            // It has stopped now, for sure.
            let outcome = call::cancelled();
            return self.finish(call, outcome, started);
        }
        entry.deaths += u32::from(counts_as_death && sent.is_some());
        if entry.deaths >= deaths_max {
            let (deaths, name) = (entry.deaths, call::name(&entry.job.work));
            tracing::error!(action = name, execution = %entry.key.instance_id, deaths, "an execution fails: its workers died");
            let message = format!("the worker of {name} died {deaths} times; the last was {worker_id}: {reason}");
            let outcome = call::crashed(&entry.job.work, message);
            return self.finish(call, outcome, started);
        }
        self.place_again(call);
    }

    fn join_lane(&mut self, lane_number: u32, number: u64) {
        let lane = &mut self.lanes[lane_number as usize];
        let Some(worker) = self.workers.get(number).filter(|worker| worker.phase == Phase::Open) else { return };
        match worker.profile.serves(&lane.need) {
            // Those who list it are the ones to ask: another's module of that name may be another module.
            true if std::mem::take(&mut lane.by_import) => {
                for importer in std::mem::take(&mut lane.workers) {
                    self.workers.get_mut(importer).into_iter().for_each(|importer| importer.unlist(lane_number));
                }
            }
            true => {}
            false if lane.by_import && worker.profile.may_import(&lane.need) => {}
            false => return,
        }
        lane.workers.push(number);
        lane.untold.clear();
        if !lane.is_empty()
            && let Some(worker) = self.workers.get_mut(number)
        {
            worker.list(lane_number);
        }
    }

    /// Nobody lists what this lane needs: those who can look for it are asked. False: there are none.
    pub fn ask_importers(&mut self, lane_number: u32) -> bool {
        let lane = &mut self.lanes[lane_number as usize];
        let workers = self.workers.iter();
        let importers =
            workers.filter(|(_, worker)| worker.phase == Phase::Open && worker.profile.may_import(&lane.need));
        lane.workers = importers.map(|(number, _)| number).collect();
        lane.by_import = !lane.workers.is_empty();
        if lane.by_import {
            lane.untold.clear();
            let importers = lane.workers.clone();
            for number in &importers {
                self.workers.get_mut(*number).into_iter().for_each(|importer| importer.list(lane_number));
            }
            importers.into_iter().for_each(|number| self.fill(number));
        }
        self.lanes[lane_number as usize].by_import
    }

    fn leave_lanes(&mut self, number: u64) {
        (0..self.lanes.len()).for_each(|lane| self.leave_lane(lane as u32, number));
    }

    pub fn leave_lane(&mut self, lane_number: u32, worker: u64) {
        let lane = &mut self.lanes[lane_number as usize];
        let Some(position) = lane.workers.iter().position(|known| *known == worker) else { return };
        lane.workers.remove(position);
        lane.by_import &= !lane.workers.is_empty();
        if let Some(worker) = self.workers.get_mut(worker) {
            worker.unlist(lane_number);
        }
        if lane.workers.is_empty() && !lane.is_empty() {
            let now = Instant::now();
            let waiting: Vec<u64> = lane.calls().collect();
            lane.untold.extend(waiting.into_iter().map(|call| (call, now)));
            self.watch_lane(lane_number);
        }
    }
}
