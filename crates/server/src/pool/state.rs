//! What the hub knows: which job is where, and which worker can do what. No I/O: whatever is to be said to others is left in [`After`].
//!
//! A job waits in its lane or is held by a worker. Whenever a slot is free and a job waits that fits, it is given out in the same step, so
//! an empty lane is all that a new job has to look at. After a worker's death its calls are given to others at once. Those whose next death
//! would be their last are suspects: a worker holds one of them at most, so that the one that kills workers dies alone among
//! suspects, and the others are not failed with it.

use std::collections::BinaryHeap;
use std::sync::Arc;
use std::task::Waker;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use tokio::sync::watch;
use tonic::Status;
use waymark_engine::runtime::Reports;
use waymark_engine::{Completion, Job, JobKey, JobOutcome, Report};
use waymark_ir::ExceptionValue;
use waymark_runner::{FragmentOutcome, Outcome};
use waymark_store::Timestamp;

use super::call::{self, Answer};
use super::deaths::Deaths;
use super::lane::{Lane, Need};
use super::slab::Slab;
use super::timer::{Timer, Timers};
use super::worker::{Phase, Worker};
use super::{Life, Options};

pub(super) struct State {
    pub options: Options,
    pub workers: Slab<Worker>,
    pub worker_by_id: FxHashMap<Arc<str>, u64>,
    pub jobs: Slab<Entry>,
    pub job_by_key: FxHashMap<JobKey, u64>,
    /// Of jobs that are not here any more.
    deaths: Deaths,
    pub lanes: Vec<Lane>,
    lane_by_need: FxHashMap<Need, u32>,
    unused_lanes: Vec<u32>,
    /// At so many, unused ones are looked for.
    lanes_max: usize,
    pub timers: Timers,
    pub draining: bool,
    /// What the streams of workers that we ended are to say.
    pub endings: FxHashMap<u64, Status>,
    pub lives: FxHashMap<Arc<str>, watch::Sender<Life>>,
    pub traffic: Traffic,
    pub after: After,
}

/// A job that is not settled yet.
pub(super) struct Entry {
    pub job: Job,
    pub key: JobKey,
    pub reports: Reports,
    pub lane: u32,
    /// Of workers that held it.
    pub deaths: u32,
    pub place: Place,
    /// It was asked for again while it was being cancelled.
    pub again: Option<(Job, Reports)>,
}

impl Entry {
    /// Its next worker's death would be its last.
    fn is_suspect(&self, deaths_max: u32) -> bool {
        self.deaths > 0 && self.deaths + 1 >= deaths_max
    }
}

pub(super) enum Place {
    Waiting,
    Held {
        worker: u64,
        /// Among what the worker holds.
        position: usize,
        /// When it left for the worker; until then the worker has not seen it.
        sent: Option<(Instant, i64)>,
        cancelling: bool,
    },
}

/// How much went over the streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    pub frames_sent: u64,
    pub calls_sent: u64,
    pub frames_received: u64,
    pub results_received: u64,
}

/// To be done when the state is unlocked.
#[derive(Default)]
pub(super) struct After {
    pub reports: Vec<(Reports, Report)>,
    pub wake: Vec<Waker>,
    /// A timer is due earlier than the earliest was.
    pub timer: bool,
    /// A worker has nothing left, or has gone.
    pub idle: bool,
}

/// So many lanes are kept, whether they are used or not.
const LANES_MIN: usize = 1_000;

impl State {
    pub fn new(options: Options) -> State {
        State {
            options,
            workers: Slab::default(),
            worker_by_id: FxHashMap::default(),
            jobs: Slab::default(),
            job_by_key: FxHashMap::default(),
            deaths: Deaths::default(),
            lanes: Vec::new(),
            lane_by_need: FxHashMap::default(),
            unused_lanes: Vec::new(),
            lanes_max: LANES_MIN,
            timers: BinaryHeap::new(),
            draining: false,
            endings: FxHashMap::default(),
            lives: FxHashMap::default(),
            traffic: Traffic::default(),
            after: After::default(),
        }
    }

    pub fn run(&mut self, job: Job, reports: Reports) {
        let key = job.key();
        if let Some(call) = self.job_by_key.get(&key).copied() {
            return self.run_again(call, job, reports);
        }
        let lane = self.lane_of(Need::of(&job));
        let deaths = self.deaths.recall(key);
        let entry = Entry { job, key, reports, lane, deaths, place: Place::Waiting, again: None };
        let suspect = entry.is_suspect(self.options.deaths_max);
        let call = self.jobs.insert(entry);
        self.job_by_key.insert(key, call);
        self.place(call, lane, suspect);
    }

    fn run_again(&mut self, call: u64, job: Job, reports: Reports) {
        let Some(entry) = self.jobs.get_mut(call) else { return };
        match entry.place {
            Place::Held { cancelling: true, .. } => entry.again = Some((job, reports)),
            Place::Held { .. } => entry.reports = reports,
            Place::Waiting => {
                entry.reports = reports;
                let lane = entry.lane;
                self.await_worker(call, lane);
            }
        }
    }

    pub fn cancel(&mut self, key: JobKey) {
        let Some(call) = self.job_by_key.get(&key).copied() else { return };
        let Some(entry) = self.jobs.get_mut(call) else { return };
        match &mut entry.place {
            Place::Waiting => {
                let (lane, suspect) = (entry.lane, entry.is_suspect(self.options.deaths_max));
                let outcome = call::cancelled();
                self.finish(call, outcome, None);
                let jobs = &self.jobs;
                self.lanes[lane as usize].forget(suspect, |call| jobs.get(call).is_some());
            }
            Place::Held { worker, sent: None, .. } => {
                let worker = *worker;
                let outcome = call::cancelled();
                self.release(call);
                self.finish(call, outcome, None);
                if let Some(worker) = self.workers.get_mut(worker) {
                    worker.outbox.calls.retain(|waiting| *waiting != call);
                }
                self.fill(worker);
            }
            Place::Held { cancelling: true, .. } => entry.again = None,
            Place::Held { worker, cancelling, .. } => {
                *cancelling = true;
                let worker = *worker;
                if let Some(worker) = self.workers.get_mut(worker) {
                    worker.outbox.cancels.push(call);
                    self.after.wake.extend(worker.outbox.waker.take());
                }
                self.set_timer(self.options.cancel_grace, Timer::CancelGrace(call));
            }
        }
    }

    /// A worker's frame.
    pub fn hear(&mut self, worker: u64, answers: Vec<(u64, Answer)>, draining: bool) -> bool {
        let now = Instant::now();
        let Some(speaker) = self.workers.get_mut(worker) else { return false };
        speaker.heard_at = now;
        self.traffic.frames_received += 1;
        self.traffic.results_received += answers.len() as u64;
        for (call, answer) in answers {
            self.answer(worker, call, answer, now);
        }
        if draining {
            // The answer tells it that nothing is on its way any more.
            self.drain_worker(worker);
        }
        self.fill(worker);
        self.rest(worker);
        true
    }

    fn answer(&mut self, worker: u64, call: u64, answer: Answer, now: Instant) {
        let Some(entry) = self.jobs.get(call) else { return };
        let Place::Held { worker: holder, sent: Some((sent_at, started_at_us)), cancelling, .. } = entry.place else {
            return;
        };
        let Some(speaker) = self.workers.get_mut(worker).filter(|_| holder == worker) else { return };
        let started = Some((speaker.profile.worker_id.clone(), started_at_us));
        match call::outcome(&entry.job.work, answer, cancelling) {
            Some(outcome) => {
                speaker.settled(is_completed(&outcome), Some(now.saturating_duration_since(sent_at)));
                self.release(call);
                self.finish(call, outcome, started);
            }
            None if cancelling => {
                let outcome = call::cancelled();
                self.release(call);
                self.finish(call, outcome, started);
            }
            None => {
                let (lane, name) = (entry.lane, call::name(&entry.job.work).to_string());
                if speaker.profile.lacks(&name) {
                    let worker = &speaker.profile.worker_id;
                    tracing::warn!(%worker, action = name, "a worker does not know an action that it offered");
                }
                self.leave_lane(lane, worker);
                self.release(call);
                self.place_again(call);
            }
        }
    }

    /// A call that could not be sent.
    pub fn refuse(&mut self, call: u64, exception: ExceptionValue) {
        let Some(entry) = self.jobs.get(call) else { return };
        let Place::Held { worker, .. } = entry.place else { return };
        let outcome = call::failed(&entry.job.work, exception);
        self.release(call);
        self.finish(call, outcome, None);
        self.fill(worker);
        self.rest(worker);
    }

    /// Settles a job that is in no lane and at no worker.
    pub fn finish(&mut self, call: u64, outcome: JobOutcome, started: Option<(Arc<str>, i64)>) {
        let Some(entry) = self.jobs.remove(call) else { return };
        self.job_by_key.remove(&entry.key);
        if matches!(outcome, JobOutcome::Action(Outcome::Cancelled)) {
            self.deaths.remember(entry.key, entry.deaths);
        }
        let reports = match entry.again {
            Some((job, reports)) if !is_completed(&outcome) => return self.run(job, reports),
            Some((_, reports)) => reports,
            None => entry.reports,
        };
        let (worker, started_at_us) = started.unzip();
        let completion = Completion { key: entry.key, outcome, worker, started_at_us };
        self.after.reports.push((reports, Report::Completed(completion)));
    }

    /// Takes a call from its worker.
    pub fn release(&mut self, call: u64) {
        let Some(entry) = self.jobs.get_mut(call) else { return };
        let Place::Held { worker, position, .. } = entry.place else { return };
        entry.place = Place::Waiting;
        let suspect = entry.is_suspect(self.options.deaths_max);
        let Some(worker) = self.workers.get_mut(worker) else { return };
        worker.held.swap_remove(position);
        worker.suspects -= usize::from(suspect);
        let moved = worker.held.get(position).copied();
        if let Some(Entry { place: Place::Held { position: at, .. }, .. }) =
            moved.and_then(|moved| self.jobs.get_mut(moved))
        {
            *at = position;
        }
    }

    /// To a worker that has room, the least loaded, or into its lane.
    fn place(&mut self, call: u64, lane: u32, suspect: bool) {
        match self.find_worker(lane, suspect) {
            Some(worker) => self.give(call, worker),
            None => {
                self.lanes[lane as usize].push(call, suspect);
                self.await_worker(call, lane);
            }
        }
    }

    /// Like [`State::place`], for one that waited already.
    pub fn place_again(&mut self, call: u64) {
        let Some(entry) = self.jobs.get(call) else { return };
        let (lane, suspect) = (entry.lane, entry.is_suspect(self.options.deaths_max));
        match self.find_worker(lane, suspect) {
            Some(worker) => self.give(call, worker),
            None => {
                self.lanes[lane as usize].push_front(call, suspect);
                self.await_worker(call, lane);
            }
        }
    }

    fn find_worker(&self, lane: u32, suspect: bool) -> Option<u64> {
        if self.draining {
            return None;
        }
        let known = self.lanes[lane as usize].workers.iter();
        let open = known.filter_map(|number| Some((*number, self.workers.get(*number)?)));
        let open = open.filter(|(_, worker)| worker.has_room(suspect));
        open.min_by_key(|(_, worker)| worker.load()).map(|(number, _)| number)
    }

    /// It is in a lane: those who may take it, or those who wait for it, get to know.
    fn await_worker(&mut self, call: u64, lane_number: u32) {
        let lane = &mut self.lanes[lane_number as usize];
        if lane.workers.is_empty() {
            lane.untold.push_back((call, Instant::now()));
            return self.watch_lane(lane_number);
        }
        // All who serve a lane that is not empty have it on their lists.
        if lane.len() > 1 {
            return;
        }
        for worker in &lane.workers {
            if let Some(worker) = self.workers.get_mut(*worker) {
                worker.list(lane_number);
            }
        }
    }

    pub fn watch_lane(&mut self, lane_number: u32) {
        let lane = &mut self.lanes[lane_number as usize];
        if !lane.watched && !lane.untold.is_empty() {
            lane.watched = true;
            self.set_timer(self.options.unknown_after, Timer::Unknown(lane_number));
        }
    }

    fn give(&mut self, call: u64, to: u64) {
        let (Some(entry), Some(worker)) = (self.jobs.get_mut(call), self.workers.get_mut(to)) else { return };
        entry.place = Place::Held { worker: to, position: worker.held.len(), sent: None, cancelling: false };
        worker.held.push(call);
        worker.suspects += usize::from(entry.is_suspect(self.options.deaths_max));
        worker.outbox.calls.push(call);
        worker.record.given += 1;
        self.after.wake.extend(worker.outbox.waker.take());
        let limit = self.options.recycle_after;
        if limit.is_some_and(|limit| worker.record.given >= limit) && !worker.record.worn_out {
            worker.record.worn_out = true;
            let id = worker.profile.worker_id.clone();
            self.tell_life(&id, Life::WornOut);
        }
    }

    /// Gives a worker what waits, as far as it has room.
    pub fn fill(&mut self, number: u64) {
        if self.draining {
            return;
        }
        while let Some(call) = self.take_for(number) {
            self.give(call, number);
        }
    }

    fn take_for(&mut self, number: u64) -> Option<u64> {
        let worker = self.workers.get_mut(number)?;
        if !worker.has_room(false) {
            return None;
        }
        let with_suspects = worker.has_room(true);
        for _ in 0..worker.ready.len() {
            let lane_number = worker.ready.pop_front()?;
            let lane = &mut self.lanes[lane_number as usize];
            let jobs = &self.jobs;
            let call = lane.pop(with_suspects, |call| jobs.get(call).is_some());
            match lane.is_empty() {
                true => worker.listed[lane_number as usize] = false,
                false => worker.ready.push_back(lane_number),
            }
            if call.is_some() {
                return call;
            }
        }
        None
    }

    fn lane_of(&mut self, need: Need) -> u32 {
        if let Some(lane) = self.lane_by_need.get(&need) {
            return *lane;
        }
        if self.unused_lanes.is_empty() && self.lanes.len() >= self.lanes_max {
            self.find_unused_lanes();
        }
        let mut lane = Lane::new(need.clone());
        let workers = self.workers.iter();
        let serving = workers.filter(|(_, worker)| worker.phase == Phase::Open && worker.profile.serves(&need));
        lane.workers = serving.map(|(number, _)| number).collect();
        let number = match self.unused_lanes.pop() {
            Some(number) => {
                self.lanes[number as usize] = lane;
                number
            }
            None => {
                self.lanes.push(lane);
                self.lanes.len() as u32 - 1
            }
        };
        self.lane_by_need.insert(need, number);
        number
    }

    /// Actions come and go with the programs that call them. Lanes that no job is in may be another's; while most are in use, there may be more.
    fn find_unused_lanes(&mut self) {
        let mut is_used: Vec<bool> = self.lanes.iter().map(|lane| lane.watched).collect();
        self.jobs.iter().for_each(|(_, entry)| is_used[entry.lane as usize] = true);
        self.lane_by_need.retain(|_, number| is_used[*number as usize]);
        let unused = is_used.iter().enumerate().filter(|(_, is_used)| !**is_used);
        self.unused_lanes = unused.map(|(number, _)| number as u32).collect();
        let workers: Vec<u64> = self.workers.iter().map(|(number, _)| number).collect();
        for number in workers {
            if let Some(worker) = self.workers.get_mut(number) {
                self.unused_lanes.iter().for_each(|lane| worker.unlist(*lane));
            }
        }
        if self.unused_lanes.len() < self.lanes.len() / 2 {
            self.lanes_max = self.lanes.len() * 2;
        }
    }

    pub fn set_timer(&mut self, after: Duration, timer: Timer) {
        let at = Instant::now() + after;
        self.after.timer |= self.timers.peek().is_none_or(|next| at < next.0.0);
        self.timers.push(std::cmp::Reverse((at, timer)));
    }

    pub fn tell_life(&mut self, worker_id: &str, life: Life) {
        if let Some(sender) = self.lives.get(worker_id) {
            sender.send_replace(life);
        }
    }
}

pub(super) fn is_completed(outcome: &JobOutcome) -> bool {
    matches!(
        outcome,
        JobOutcome::Stored
            | JobOutcome::Action(Outcome::Completed(_))
            | JobOutcome::Fragment(FragmentOutcome::Completed { .. })
    )
}

/// When a call left for its worker.
pub(super) fn sent_now() -> (Instant, i64) {
    (Instant::now(), Timestamp::now().0)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use uuid::Uuid;
    use waymark_engine::Work;
    use waymark_runner::{Dispatch, ExecutionId};

    use super::*;

    fn job(number: u64) -> Job {
        let instance_id = Uuid::from_u128(number.into());
        let call = Dispatch {
            execution: ExecutionId { instance: number.into(), epoch: 0, ordinal: 1 },
            attempt: 1,
            name: format!("action_{number}").into(),
            positional: Arc::new([]),
            keyword: Arc::new([]),
            queue: None,
            timeout_us: None,
            function: 0,
            node: 0,
            child: None,
            transaction: false,
        };
        Job { instance_id, workflow_name: "work".into(), work: Work::Action(Arc::new(call)) }
    }

    /// Programs come and go for years, and each has actions of its own.
    #[test]
    fn lanes_that_nobody_uses_are_used_again() {
        let mut state = State::new(Options { unknown_after: Duration::ZERO, ..Options::default() });
        let (reports, _reported) = Reports::channel();
        state.run(job(0), reports.clone());
        for number in 1..10 * LANES_MIN as u64 {
            let job = job(number);
            let key = job.key();
            state.run(job, reports.clone());
            state.cancel(key);
            state.tick();
        }
        assert!(state.lanes.len() <= 2 * LANES_MIN, "{}", state.lanes.len());
        let lane = state.lane_by_need[&Need::of(&job(0))];
        assert_eq!(state.lanes[lane as usize].len(), 1, "what waits is where it was");
    }
}
