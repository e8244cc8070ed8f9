//! The world: hosts, a store, a clock, and a queue of what will happen.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use uuid::Uuid;
use waymark_engine::migration::{self, Migrated};
use waymark_engine::relay::{Relay, RelayCommand, RelayInput};
use waymark_engine::{Command, Front, FrontCommand, FrontInput, Input, JobKey, Mail, Options, Shard, history};
use waymark_ir::{Value, payload};
use waymark_runner::context::Random;
use waymark_runner::migrate::{Comparison, Mapping};
use waymark_runner::{Event, Limits, Lowered};
use waymark_store::sqlite::SqliteStore;
use waymark_store::{
    Change, Delivery, NewInstance, QueueSettings, Rate, ReplyOutcome, Rewritten, Status, Store, Timestamp,
};

use crate::Broken;
use crate::checks::Checks;
use crate::host::{Host, SHARDS_MAX};
use crate::starts::Starting;
use crate::workflows::{End, Mailings, OTHER_PROGRAMS, PROGRAMS, Workflow};

pub const SECOND: i64 = 1_000_000;

/// In worlds with limits.
const LEASES_MAX: u32 = 3;
const LEASES_OF_A_KEY_MAX: u32 = 2;

/// What will happen, and to which incarnation of which host.
pub enum What {
    /// Somebody starts an instance.
    Start(u64),
    /// The same, again: it was not acknowledged.
    Submit(Box<Starting>),
    Carry(usize, u64, usize, Command),
    Feed(usize, u64, usize, Input),
    CarryFront(usize, u64, FrontCommand),
    FeedFront(usize, u64, FrontInput),
    CarryRelay(usize, u64, RelayCommand),
    FeedRelay(usize, u64, RelayInput),
    /// A worker is done with a job, or says that it does not know it.
    Work(usize, u64, JobKey, u64),
    /// A worker's commit arrives at the database.
    Transact(usize, u64, u64, Box<waymark_engine::Job>),
    /// A worker has stopped a job.
    Stopped(usize, u64, JobKey, u64),
    Crash(usize, u64),
    /// Somebody sets the host's calendar.
    SetCalendar(usize),
    Restart(usize),
    Mail(Mail),
    /// The next signal of an instance that gets them in order.
    Signal(Uuid),
    /// Somebody moves an instance to the other version of its program.
    Migrate(Uuid),
    /// Somebody ends it at once.
    Terminate(Uuid),
    /// Somebody takes it back.
    Retry(Uuid),
    /// Somebody starts another in its place.
    Replace(Uuid),
    /// Somebody makes a copy of what is stored of it, to try again.
    Copy(Uuid),
}

#[derive(Clone)]
pub struct Started {
    pub id: Uuid,
    pub workflow: &'static Workflow,
    pub n: i64,
    pub end: End,
}

pub struct World {
    pub seed: u64,
    pub broken: Option<Broken>,
    pub random: Random,
    clock: Arc<AtomicI64>,
    pub store: SqliteStore,
    pub hosts: Vec<Host>,
    queue: BTreeMap<(i64, u64), What>,
    next: u64,
    /// Until then things go wrong; afterwards everything must come to its end.
    faults_until_us: i64,
    pub versions: BTreeMap<&'static str, (Uuid, Arc<Lowered>)>,
    pub other_versions: BTreeMap<&'static str, (Uuid, Arc<Lowered>)>,
    pub checks: Checks,
    /// All that were started, and how each must end.
    pub started: Vec<Started>,
    /// Signals that are still to be sent, by instance.
    signals: BTreeMap<Uuid, VecDeque<i64>>,
    /// Signals are sent while their instance goes to sleep.
    aims: bool,
    /// Starts that are planned.
    unstarted: usize,
    /// Starts that an engine got with their commit.
    pub claimed_starts: u64,
}

/// The store in memory answers at once.
pub fn now<T>(future: impl Future<Output = T>) -> T {
    match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the store in memory does not wait"),
    }
}

impl World {
    pub fn new(seed: u64, broken: Option<Broken>) -> World {
        let clock = Arc::new(AtomicI64::new(1_000 * SECOND));
        let shared = clock.clone();
        let store = SqliteStore::in_memory(Arc::new(move || Timestamp(shared.load(Ordering::Relaxed))))
            .expect("the store opens");
        let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_97f4_a7c1));
        let hosts = Host::several(&mut random);
        let aims = random.below(2) == 0;
        World {
            seed,
            broken,
            random,
            clock,
            store,
            hosts,
            queue: BTreeMap::new(),
            next: 0,
            faults_until_us: 1_060 * SECOND,
            versions: BTreeMap::new(),
            other_versions: BTreeMap::new(),
            checks: Checks::new(seed),
            started: Vec::new(),
            signals: BTreeMap::new(),
            aims,
            unstarted: 0,
            claimed_starts: 0,
        }
    }

    pub fn now_us(&self) -> i64 {
        self.clock.load(Ordering::Relaxed)
    }

    pub fn after(&mut self, delay_us: i64, what: What) {
        self.next += 1;
        self.queue.insert((self.now_us() + delay_us.max(0), self.next), what);
    }

    /// Of something going wrong.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.now_us() < self.faults_until_us && self.random.below(100) < percent
    }

    pub fn options(&self, host: usize) -> Options {
        Options {
            engine: format!("engine-{host}"),
            instances_max: 6,
            claim_batch: 4,
            commit_batch: 3,
            load_max: 12,
            lease: Duration::from_secs(6),
            heartbeat: Duration::from_secs(2),
            reclaim: Duration::from_secs(1),
            claims_max: 12,
            snapshot_bytes_min: 200,
            snapshot_events_max: 4,
            history_events: 0,
            relayed_max: 3,
            slice_steps: 40,
            sabotage: match self.broken {
                Some(Broken::Engine(sabotage)) => Some(sabotage),
                _ => None,
            },
            ..Options::default()
        }
    }

    /// How many starts were claimed in their commit.
    pub fn run(mut self) -> u64 {
        self.prepare();
        for host in 0..self.hosts.len() {
            let delay = self.random.below(2_000_000) as i64;
            self.after(delay, What::Restart(host));
            let delay = self.random.below(60_000_000) as i64;
            self.after(delay, What::SetCalendar(host));
        }
        while self.now_us() < 2_000 * SECOND && !(self.checks.is_over() && self.unstarted == 0) {
            let Some(entry) = self.queue.first_entry() else { break };
            let ((at, _), what) = entry.remove_entry();
            self.clock.store(at.max(self.now_us()), Ordering::Relaxed);
            self.happen(what);
        }
        self.checks.all_that_was_paid_was_seen();
        for Started { id, workflow, n, end: expected } in self.started.clone() {
            let row = now(self.store.get_instances(vec![id]))
                .expect("a read")
                .remove(0)
                .expect("an acknowledged start is there");
            let what = format!("seed {}: {}({n}) {id}", self.seed, workflow.name);
            let end = match row.status {
                Status::Completed => End::Completed(payload::decode(&row.result.expect("a result")).expect("a value")),
                Status::Cancelled => End::Cancelled,
                Status::Stuck => End::Stuck,
                Status::Failed if row.error_type.as_deref() == Some("TimeoutError") => End::Late,
                // It had no time left to clear up.
                Status::Terminated if workflow.mail == Mailings::Deadline => End::Late,
                Status::Terminated => End::Terminated,
                other => panic!("{what} is {other:?}, waits for {:?}; it is {}", row.waits_for, self.now_us()),
            };
            assert_eq!(end, expected, "{what}, stuck: {:?}", row.stuck_reason);
            if workflow.mail == Mailings::Update {
                let reply = now(self.store.read_replies(vec![(id, "1".into())])).expect("a read").remove(0);
                let expected = payload::encode(&Value::Int(n * 2 + 10));
                assert_eq!(reply, Some(ReplyOutcome::Value(expected)), "{what}");
            }
            if end == End::Stuck {
                assert!(row.stuck_reason.is_some_and(|reason| reason.contains("without progress")), "{what}");
            }
        }
        self.claimed_starts
    }

    /// Registers the programs and plans what is started.
    fn prepare(&mut self) {
        for (name, (version, lowered)) in &*OTHER_PROGRAMS {
            let registered = now(self.store.register_version(version.clone())).expect("registered");
            self.other_versions.insert(name, (registered.workflow_version_id, lowered.clone()));
        }
        // Registered last, these are active.
        self.clock.fetch_add(1, Ordering::Relaxed);
        for (name, (version, lowered)) in &*PROGRAMS {
            let registered = now(self.store.register_version(version.clone())).expect("registered");
            self.versions.insert(name, (registered.workflow_version_id, lowered.clone()));
        }
        if self.is_limited() {
            let limits = QueueSettings {
                name: "default".into(),
                concurrency: Some(if self.broken == Some(Broken::LimitsUnchecked) { 100 } else { LEASES_MAX }),
                key_concurrency: Some(LEASES_OF_A_KEY_MAX),
                rate: Some(Rate { count: 3, period: Duration::from_secs(5) }),
                ..QueueSettings::default()
            };
            now(self.store.put_queue(limits)).expect("set");
        }
        // Before anybody is there, and while all goes wrong.
        for at in 0..4 + self.random.below(5) {
            let delay = self.random.below(2) * self.random.below(30_000_000);
            self.unstarted += 1;
            self.after(delay as i64, What::Start(at));
        }
    }

    pub fn new_instance(&self, id: Uuid, workflow: &Workflow, n: i64) -> NewInstance {
        let inputs = payload::encode(&Value::Dict(vec![(Value::str("n"), Value::Int(n))]));
        NewInstance::new(id, self.versions[workflow.name].0, inputs)
    }

    pub fn is_started(&mut self, id: Uuid, workflow: &'static Workflow, n: i64) {
        let end = (workflow.ends)(n);
        self.checks.expect(id, self.versions[workflow.name].1.clone(), end == End::Stuck);
        self.started.push(Started { id, workflow, n, end });
    }

    /// In some worlds the queue has limits: everything still comes to its end.
    pub fn is_limited(&self) -> bool {
        self.seed.is_multiple_of(3)
    }

    /// Whoever holds a lease counts, also one that has expired and was not reclaimed.
    pub fn check_limits(&mut self) {
        if !self.is_limited() {
            return;
        }
        for queue in now(self.store.list_queues(100)).expect("listed") {
            let most = [(&queue.depth, LEASES_MAX)].into_iter();
            for (depth, most) in most.chain(queue.keys.iter().map(|(_, depth)| (depth, LEASES_OF_A_KEY_MAX))) {
                assert!(depth.leased <= u64::from(most), "seed {}: more leases than allowed: {queue:?}", self.seed);
            }
        }
    }

    pub fn plan_mail(&mut self, instance_id: Uuid, mailings: Mailings) {
        let mail = |number: u128, event| {
            What::Mail(Mail { instance_id, message_id: Uuid::from_u128(instance_id.as_u128() ^ number), event })
        };
        match mailings {
            Mailings::Nothing | Mailings::Deadline => {}
            Mailings::CancelHard => {
                let delay = self.random.below(60_000_000) as i64;
                self.after(delay, mail(7, Event::Cancel { reason: None }));
                self.after(delay, mail(10, Event::TerminateAfter { after_us: 3 * SECOND, reason: None }));
            }
            Mailings::Signals => {
                self.signals.insert(instance_id, VecDeque::from([1, 2]));
                // Those that aim have sent them by then.
                let latest = if self.aims { 60 * SECOND } else { 1 };
                for number in [0, 1] {
                    let delay = self.random.below(50_000_000) as i64 + number * 60 * SECOND + latest;
                    self.after(delay, What::Signal(instance_id));
                }
            }
            Mailings::Cancel => {
                let delay = self.random.below(60_000_000) as i64;
                self.after(delay, mail(7, Event::Cancel { reason: None }));
            }
            Mailings::Update => {
                let update = Mail::update(instance_id, "ask".into(), Value::Int(5), "1".into());
                // Sent again until there is a reply, as clients do.
                for delay in [0, 20 * SECOND, 40 * SECOND] {
                    let delay = delay + self.random.below(20_000_000) as i64;
                    self.after(delay, What::Mail(update.clone()));
                }
            }
            Mailings::PauseAndResume => {
                let delay = self.random.below(30_000_000) as i64;
                let length = self.random.below(40_000_000) as i64;
                self.after(delay, mail(8, Event::Pause));
                self.after(delay + length, mail(9, Event::Resume));
            }
        }
    }

    /// The instance goes to sleep now, or has just done so: the worst time for a signal.
    pub fn goes_to_sleep(&mut self, instance_id: Uuid) {
        if self.aims && self.signals.contains_key(&instance_id) && self.random.below(3) == 0 {
            self.signal(instance_id);
        }
    }

    fn signal(&mut self, instance_id: Uuid) {
        let Some(number) = self.signals.get_mut(&instance_id).and_then(VecDeque::pop_front) else { return };
        if self.random.below(2) == 0 {
            // Without an id of its own: what is read twice is taken twice.
            return self.put(Mail::signal(instance_id, "go".into(), Value::Int(number), None));
        }
        let mail = Mail::signal(instance_id, "go".into(), Value::Int(number), Some(number.to_string()));
        // The sender did not hear that it was taken, and sends it again; and much later, when it was read long ago.
        self.put(mail.clone());
        self.put(mail.clone());
        let delay = self.random.below(30_000_000) as i64;
        self.after(delay, What::Mail(mail));
    }

    fn happen(&mut self, what: What) {
        match what {
            What::Start(at) => {
                self.unstarted -= 1;
                self.start(at);
            }
            What::Submit(starting) => self.submit(*starting),
            What::Restart(host) => self.restart(host),
            What::Crash(host, incarnation) => {
                if self.hosts[host].incarnation == incarnation {
                    self.crash(host);
                }
            }
            What::SetCalendar(host) => self.hosts[host].skew_us = self.random.below(40_000_000) as i64 - 20_000_000,
            What::Feed(host, incarnation, shard, input) => self.feed(host, incarnation, shard, input),
            What::Carry(host, incarnation, shard, command) => self.carry_out(host, incarnation, shard, command),
            What::FeedFront(host, incarnation, input) => self.feed_front(host, incarnation, input),
            What::CarryFront(host, incarnation, command) => self.carry_out_front(host, incarnation, command),
            What::FeedRelay(host, incarnation, input) => self.feed_relay(host, incarnation, input),
            What::CarryRelay(host, incarnation, command) => self.carry_out_relay(host, incarnation, command),
            What::Work(host, incarnation, key, number) => self.work(host, incarnation, key, number),
            What::Transact(host, incarnation, number, job) => self.transact(host, incarnation, number, &job),
            What::Stopped(host, incarnation, key, number) => self.stopped(host, incarnation, key, number),
            What::Mail(mail) => self.put(mail),
            What::Signal(instance_id) => self.signal(instance_id),
            What::Migrate(instance_id) => self.migrate(instance_id),
            What::Terminate(instance_id) => self.terminate(instance_id),
            What::Retry(instance_id) => self.retry(instance_id),
            What::Replace(instance_id) => self.replace(instance_id),
            What::Copy(instance_id) => self.copy(instance_id),
        }
    }

    /// Whoever has the instance loses it; whoever did this may never hear of it, and asks again.
    fn migrate(&mut self, instance_id: Uuid) {
        let state = now(self.store.read_state(instance_id)).expect("a read").expect("an instance");
        if state.instance.status.is_final() || self.chance(10) {
            return;
        }
        let name = state.instance.workflow_name.as_str();
        let (one, other) = (self.versions[name].clone(), self.other_versions[name].clone());
        let (from, to) = if state.instance.workflow_version_id == one.0 { (one, other) } else { (other, one) };
        let limits = Limits::default();
        let folded = history::fold(instance_id, from.1.clone(), &limits, state.snapshot.as_ref(), &state.log);
        let folded = folded.unwrap_or_else(|reason| panic!("seed {}: {reason}", self.seed));
        let comparison = Comparison::new(&from.1, &to.1);
        let said = Migrated { from: "from".into(), to: "to".into() };
        let at = Timestamp(self.now_us());
        let moved = migration::migrate(instance_id, folded, &comparison, &Mapping::default(), &said, to.0, at);
        let rewrite = moved.unwrap_or_else(|problems| panic!("seed {}: {problems:?}", self.seed));
        let answers = now(self.store.rewrite_instances(vec![rewrite.clone(), rewrite.clone()])).expect("an answer");
        assert_eq!(answers[0], Rewritten::Done, "seed {}", self.seed);
        assert_eq!(answers[1], Rewritten::Moved { seq: rewrite.log.seq }, "seed {}", self.seed);
        // Nobody is its owner for longer than a lease without hearing of it.
        let until_us = self.now_us() + 6 * SECOND;
        self.checks.migrated(instance_id, until_us, &comparison, &rewrite);
        self.tell(Change::Taken(instance_id));
        self.tell(Change::Work);
    }

    pub fn put(&mut self, mail: Mail) {
        let instance_id = mail.instance_id;
        let delivery = now(self.store.put_inbox(vec![mail.into_message()])).expect("a store that is there");
        if delivery[0] == Delivery::Delivered {
            self.tell(Change::Inbox(instance_id));
        }
    }

    /// Notifies all hosts; notifications are lost now and then, and told twice: two reads may see the same message.
    pub fn tell(&mut self, change: Change) {
        for host in 0..self.hosts.len() {
            if self.chance(30) {
                continue;
            }
            let incarnation = self.hosts[host].incarnation;
            for delay in [1_000, 1_500] {
                match change {
                    Change::Actions => {
                        self.after(delay, What::FeedRelay(host, incarnation, RelayInput::Changed(change.clone())));
                    }
                    _ => self.after(delay, What::FeedFront(host, incarnation, FrontInput::Changed(change.clone()))),
                }
            }
        }
    }

    pub fn crash(&mut self, host: usize) {
        self.hosts[host].crash();
        let delay = self.random.below(12_000_000) as i64;
        self.after(delay, What::Restart(host));
    }

    fn restart(&mut self, host: usize) {
        let options = Options { shards: 1 + self.random.below(SHARDS_MAX as u64) as usize, ..self.options(host) };
        // One that comes back under its name frees what it held; another one has to wait for the leases to run out.
        if self.chance(50) {
            now(self.store.free_own_leases(&options.engine)).expect("freed");
            now(self.store.free_own_leases(&Relay::identity(&options))).expect("freed");
        }
        self.hosts[host].front = Some(Front::new(options.clone()));
        self.hosts[host].shards = (0..options.shards).map(|_| Shard::new(options.clone())).collect();
        self.hosts[host].relay = Some(Relay::new(options));
        let incarnation = self.hosts[host].incarnation;
        self.after(0, What::FeedFront(host, incarnation, FrontInput::Time));
        self.after(0, What::FeedRelay(host, incarnation, RelayInput::Time));
        if self.now_us() < self.faults_until_us {
            let delay = self.random.below(25_000_000) as i64;
            self.after(delay, What::Crash(host, incarnation));
        }
    }
}
