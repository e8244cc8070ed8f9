//! A host: an engine of one or two shards, a relay, and workers that know some actions. It may die at any time.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;
use waymark_engine::relay::{Relay, RelayCommand, RelayInput};
use waymark_engine::{
    Command, Completion, Front, FrontCommand, FrontInput, Input, Job, JobKey, JobOutcome, Now, Report, Shard, Work,
};
use waymark_ir::{Value, payload};
use waymark_runner::context::Random;
use waymark_runner::{Event, Outcome};
use waymark_store::Store;

use crate::workflows::SCARCE_ACTIONS;
use crate::world::{SECOND, What, World, now};

pub struct Host {
    pub front: Option<Front>,
    pub shards: Vec<Shard>,
    pub relay: Option<Relay>,
    /// Goes up with each crash: answers to a dead process reach nobody.
    pub incarnation: u64,
    /// What its calendar is ahead by. It is set now and then.
    pub skew_us: i64,
    known: BTreeSet<&'static str>,
    jobs: BTreeMap<JobKey, Running>,
    /// When the front, the relay and the shards are next told the time.
    wakes: [i64; 2 + SHARDS_MAX],
}

pub const SHARDS_MAX: usize = 2;

/// Who wants to hear of a job.
#[derive(Clone, Copy, PartialEq)]
pub enum Client {
    Shard(usize),
    Relay,
}

struct Running {
    job: Job,
    client: Client,
    /// Tells this run from others of the same job.
    number: u64,
    is_cancelled: bool,
}

impl Host {
    /// One to three, such that somebody knows each action.
    pub fn several(random: &mut Random) -> Vec<Host> {
        let count = 1 + random.below(3);
        let mut hosts: Vec<Host> = (0..count)
            .map(|_| Host {
                front: None,
                shards: Vec::new(),
                relay: None,
                incarnation: 0,
                skew_us: random.below(4_000_000) as i64 - 2_000_000,
                known: BTreeSet::from(["kill"]),
                jobs: BTreeMap::new(),
                wakes: [i64::MAX; 2 + SHARDS_MAX],
            })
            .collect();
        for action in SCARCE_ACTIONS {
            let knows = random.below(count) as usize;
            for (at, host) in hosts.iter_mut().enumerate() {
                if at == knows || random.below(2) == 0 {
                    host.known.insert(action);
                }
            }
        }
        hosts
    }

    pub fn crash(&mut self) {
        self.front = None;
        self.shards.clear();
        self.relay = None;
        self.jobs.clear();
        self.wakes = [i64::MAX; 2 + SHARDS_MAX];
        self.incarnation += 1;
    }
}

impl World {
    /// By the clocks of a host.
    fn time(&self, host: usize) -> Now {
        Now { calendar_us: self.now_us() + self.hosts[host].skew_us, steady_us: self.now_us() }
    }

    pub fn feed_front(&mut self, host: usize, incarnation: u64, input: FrontInput) {
        let now = self.time(host);
        if self.hosts[host].incarnation != incarnation {
            return;
        }
        let Some(front) = &mut self.hosts[host].front else { return };
        let commands = front.handle(now, input);
        let wakeup = front.next_wakeup();
        for command in commands {
            match command {
                // Another thread gets to it when it does.
                FrontCommand::Tell(shard, input) => {
                    let delay = self.hop_us();
                    self.after(delay, What::Feed(host, incarnation, shard, input));
                }
                command => {
                    let delay = self.travel_us();
                    self.after(delay, What::CarryFront(host, incarnation, command));
                }
            }
        }
        let delay = wakeup.saturating_sub(now.steady_us);
        self.wake(host, 0, delay, What::FeedFront(host, incarnation, FrontInput::Time));
    }

    pub fn feed(&mut self, host: usize, incarnation: u64, shard: usize, input: Input) {
        let now = self.time(host);
        if self.hosts[host].incarnation != incarnation {
            return;
        }
        let Some(living) = self.hosts[host].shards.get_mut(shard) else { return };
        let turn = living.handle(now, input);
        let wakeup = living.next_wakeup();
        self.feed_front(host, incarnation, FrontInput::News(shard, turn.news));
        for command in turn.commands {
            match command {
                // These don't leave the process.
                Command::Run(job) => self.run_job(host, Client::Shard(shard), job),
                Command::Cancel(key) => self.cancel_job(host, key),
                Command::Log { .. } => {}
                Command::Finished { instance_id, ending } => self.checks.finished(instance_id, ending),
                command => {
                    let delay = self.travel_us();
                    self.after(delay, What::Carry(host, incarnation, shard, command));
                }
            }
            if self.hosts[host].incarnation != incarnation {
                return;
            }
        }
        if let Some(at_us) = wakeup {
            let delay = at_us.saturating_sub(now.steady_us);
            self.wake(host, 2 + shard, delay, What::Feed(host, incarnation, shard, Input::Time));
        }
    }

    pub fn feed_relay(&mut self, host: usize, incarnation: u64, input: RelayInput) {
        let now_us = self.now_us();
        if self.hosts[host].incarnation != incarnation {
            return;
        }
        let known = self.hosts[host].known.iter().map(|action| ("default".to_string(), action.to_string())).collect();
        let Some(relay) = &mut self.hosts[host].relay else { return };
        let mut commands = relay.handle(now_us, input);
        commands.extend(relay.handle(now_us, RelayInput::Known { actions: known, free: 2 }));
        let wakeup = relay.next_wakeup();
        for command in commands {
            match command {
                RelayCommand::Run(job) => {
                    self.checks.relayed(job.key());
                    self.run_job(host, Client::Relay, job);
                }
                RelayCommand::Cancel(key) => self.cancel_job(host, key),
                command => {
                    let delay = self.travel_us();
                    self.after(delay, What::CarryRelay(host, incarnation, command));
                }
            }
            if self.hosts[host].incarnation != incarnation {
                return;
            }
        }
        self.wake(host, 1, wakeup.saturating_sub(now_us), What::FeedRelay(host, incarnation, RelayInput::Time));
    }

    /// From a thread to another, which may be computing.
    fn hop_us(&mut self) -> i64 {
        let late = self.random.below(20) == 0;
        self.random.below(if late { 500_000 } else { 500 }) as i64
    }

    fn travel_us(&mut self) -> i64 {
        let late = self.random.below(10) == 0;
        self.random.below(if late { 3_000_000 } else { 2_000 }) as i64
    }

    /// Tells the time once, at the earliest time that was asked for.
    fn wake(&mut self, host: usize, which: usize, delay_us: i64, what: What) {
        let at_us = self.now_us() + delay_us.clamp(1_000, 5 * SECOND);
        let planned = &mut self.hosts[host].wakes[which];
        let now_us = at_us - delay_us.clamp(1_000, 5 * SECOND);
        if *planned <= now_us || at_us < *planned {
            *planned = at_us;
            self.after(at_us - now_us, what);
        }
    }

    /// The event that its stored start is.
    fn started(&self, id: Uuid) -> Event {
        let row = now(self.store.get_instances(vec![id])).expect("read").remove(0).expect("a stored instance");
        let Ok(Value::Dict(inputs)) = payload::decode(&row.inputs) else { panic!("inputs are a dict") };
        let named = inputs.into_iter().map(|(name, value)| match name {
            Value::Str(name) => (name, value),
            name => panic!("{name:?} is no name"),
        });
        Event::Started { inputs: named.collect() }
    }

    /// As a pool does: one that runs already is not run twice, unless it is being stopped.
    fn run_job(&mut self, host: usize, client: Client, job: Job) {
        let key = job.key();
        if matches!(client, Client::Shard(_)) {
            let started = self.started(key.instance_id);
            self.checks.dispatched(&job, started, self.now_us());
        }
        if job.action() == "kill" {
            return self.crash(host);
        }
        if let Some(running) = self.hosts[host].jobs.get_mut(&key)
            && !running.is_cancelled
        {
            running.client = client;
            return;
        }
        let number = self.random.bits();
        let knows = self.hosts[host].known.contains(job.action());
        let delay = match job.action() {
            _ if !knows => self.random.below(300_000) as i64,
            "endless" => 40 * SECOND,
            _ => self.random.below(4_000_000) as i64,
        };
        self.hosts[host].jobs.insert(key, Running { job, client, number, is_cancelled: false });
        let incarnation = self.hosts[host].incarnation;
        self.after(delay, What::Work(host, incarnation, key, number));
    }

    fn cancel_job(&mut self, host: usize, key: JobKey) {
        let incarnation = self.hosts[host].incarnation;
        let Some(running) = self.hosts[host].jobs.get_mut(&key) else { return };
        if !std::mem::replace(&mut running.is_cancelled, true) {
            let number = running.number;
            let delay = self.random.below(2_000_000) as i64;
            self.after(delay, What::Stopped(host, incarnation, key, number));
        }
    }

    pub fn stopped(&mut self, host: usize, incarnation: u64, key: JobKey, number: u64) {
        if self.is_current(host, incarnation, key, number)
            && let Some(running) = self.hosts[host].jobs.remove(&key)
        {
            self.report(host, running.client, key, JobOutcome::Action(Outcome::Cancelled));
        }
    }

    pub fn is_current(&self, host: usize, incarnation: u64, key: JobKey, number: u64) -> bool {
        let host = &self.hosts[host];
        host.incarnation == incarnation && host.jobs.get(&key).is_some_and(|running| running.number == number)
    }

    /// A worker: does the work, tells once or twice, soon or late.
    pub fn work(&mut self, host: usize, incarnation: u64, key: JobKey, number: u64) {
        if !self.is_current(host, incarnation, key, number) {
            return;
        }
        let running = &self.hosts[host].jobs[&key];
        let client = running.client;
        if !self.hosts[host].known.contains(running.job.action()) {
            return self.tell_client(host, client, 0, Report::Unknown(key));
        }
        if running.job.is_transaction() {
            let job = Box::new(running.job.clone());
            let delay = self.travel_us();
            return self.after(delay, What::Transact(host, incarnation, number, job));
        }
        let Work::Action(call) = &running.job.work else { panic!("no fragments here") };
        let Some(Value::Int(n)) = call.keyword.first().map(|(_, value)| value) else {
            panic!("an argument is missing")
        };
        let outcome = match &*call.name {
            "flaky" if call.attempt < 3 => Outcome::Failed(waymark_ir::exceptions::exception("ValueError", Vec::new())),
            _ => Outcome::Completed(Value::Int(n * 2)),
        };
        self.hosts[host].jobs.remove(&key);
        self.report(host, client, key, JobOutcome::Action(outcome));
    }

    pub fn forget_job(&mut self, host: usize, key: JobKey) -> Option<Client> {
        Some(self.hosts[host].jobs.remove(&key)?.client)
    }

    pub fn report(&mut self, host: usize, client: Client, key: JobKey, outcome: JobOutcome) {
        let completion = Completion { key, outcome, worker: Some("worker".into()), started_at_us: Some(1) };
        self.tell_client(host, client, 0, Report::Completed(completion.clone()));
        // A duplicate of what was done is harmless; one of a stop would stop the next run.
        if self.chance(20) && !matches!(completion.outcome, JobOutcome::Action(Outcome::Cancelled)) {
            let delay = self.random.below(6_000_000) as i64;
            self.tell_client(host, client, delay, Report::Completed(completion));
        }
    }

    fn tell_client(&mut self, host: usize, client: Client, delay_us: i64, report: Report) {
        let incarnation = self.hosts[host].incarnation;
        let what = match client {
            Client::Shard(shard) => What::Feed(host, incarnation, shard, Input::Reported(report)),
            Client::Relay => What::FeedRelay(host, incarnation, RelayInput::Reported(report)),
        };
        self.after(delay_us, what);
    }
}
