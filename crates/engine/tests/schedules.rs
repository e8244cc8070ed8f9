//! A simulated year of schedules, with both changes of the clocks: three hosts on one store, each with the front that production has,
//! that crash between any two steps of firing, lose answers and act on old ones. Every due time fires once.
//!
//! `SEEDS=20 cargo test -p waymark-engine --test schedules` runs more of them, `SEED=17` one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use jiff::civil;
use jiff::tz::{AmbiguousOffset, TimeZone};
use uuid::Uuid;
use waymark_engine::schedule::{Definition, Overlap, When, place, run_id};
use waymark_engine::{Front, FrontCommand, FrontInput, Options};
use waymark_runner::context::Random;
use waymark_store::sqlite::SqliteStore;
use waymark_store::{
    Error, InstanceFilter, NewVersion, PutSchedule, ScheduleKey, ScheduleStatus, Store, Termination, Timestamp,
};

const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

/// What will happen, and to which incarnation of which host.
enum What {
    Feed(usize, u64, FrontInput),
    Carry(usize, u64, FrontCommand),
    Restart(usize),
    /// Runs come to their end.
    End,
}

struct World {
    seed: u64,
    is_gate_dropped: bool,
    random: Random,
    clock: Arc<AtomicI64>,
    store: SqliteStore,
    fronts: Vec<(u64, Option<Front>)>,
    /// When each is told the time next.
    wakes: Vec<i64>,
    queue: BTreeMap<(i64, u64), What>,
    next: u64,
    until_us: i64,
}

/// The store in memory answers at once.
fn now<T>(future: impl Future<Output = T>) -> T {
    match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the store in memory does not wait"),
    }
}

fn at(text: &str) -> i64 {
    text.parse::<jiff::Timestamp>().expect("a time").as_microsecond()
}

struct Wanted {
    name: &'static str,
    definition: Definition,
    due: BTreeSet<i64>,
}

/// Schedules, each with its due times of the year as a second opinion has them.
fn wanted(from_us: i64, until_us: i64) -> Vec<Wanted> {
    let definition = |when, overlap| Definition {
        when,
        start_at_us: None,
        end_at_us: None,
        jitter_us: 0,
        overlap,
        catch_up_us: 400 * 24 * HOUR,
        inputs: Vec::new(),
        queue: "default".into(),
        priority: 1,
        tags: Vec::new(),
        key: None,
        timeout_us: None,
    };
    let cron = |name, pattern: &str, zone: &str, overlap, hours: &[i8], minutes: &[i8], is_fixed: bool| Wanted {
        name,
        definition: definition(When::Cron { pattern: pattern.into(), zone: zone.into() }, overlap),
        due: due_times(zone, hours, minutes, is_fixed, from_us, until_us),
    };
    let every_four: Vec<i8> = (0..24).step_by(4).collect();
    let every_us = 7 * HOUR;
    let jittered = Definition {
        jitter_us: 20 * MINUTE,
        ..definition(When::Interval { every_us, anchor_us: from_us }, Overlap::Allow)
    };
    vec![
        cron("berlin", "30 2 * * *", "Europe/Berlin", Overlap::Allow, &[2], &[30], true),
        cron("new-york", "30 2 * * *", "America/New_York", Overlap::Allow, &[2], &[30], true),
        cron("steps", "*/30 1-3 * * *", "Europe/Berlin", Overlap::Allow, &[1, 2, 3], &[0, 30], false),
        cron("skip", "0 */4 * * *", "America/New_York", Overlap::Skip, &every_four, &[0], false),
        cron("buffer", "0 1,2 * * *", "America/New_York", Overlap::BufferOne, &[1, 2], &[0], false),
        cron("cancel", "0 2 * * *", "Europe/Berlin", Overlap::CancelRunning, &[2], &[0], true),
        Wanted {
            name: "interval",
            definition: jittered,
            // The last ones may start after the year.
            due: (1..).map(|step| from_us + step * every_us).take_while(|due| *due <= until_us - HOUR).collect(),
        },
    ]
}

/// By the documented rules, from nothing but the zone's offsets.
fn due_times(zone: &str, hours: &[i8], minutes: &[i8], is_fixed: bool, from_us: i64, until_us: i64) -> BTreeSet<i64> {
    let zone = TimeZone::get(zone).expect("a zone");
    let is_within = |due: &i64| (from_us + 1..=until_us).contains(due);
    if !is_fixed {
        let times = (from_us..=until_us).step_by(MINUTE as usize).filter(|us| {
            let local = jiff::Timestamp::from_microsecond(*us).unwrap().to_zoned(zone.clone());
            hours.contains(&local.hour()) && minutes.contains(&local.minute())
        });
        return times.filter(is_within).collect();
    }
    let mut due = BTreeSet::new();
    let mut date = civil::date(2025, 12, 30);
    while date < civil::date(2027, 1, 3) {
        for (hour, minute) in hours.iter().flat_map(|hour| minutes.iter().map(move |minute| (*hour, *minute))) {
            let ambiguous = zone.to_ambiguous_timestamp(date.at(hour, minute, 0, 0));
            let found = match ambiguous.offset() {
                AmbiguousOffset::Unambiguous { .. } | AmbiguousOffset::Fold { .. } => ambiguous.earlier().unwrap(),
                // The moment at which clocks were changed.
                AmbiguousOffset::Gap { .. } => {
                    let within = ambiguous.later().unwrap() + jiff::SignedDuration::from_secs(1);
                    zone.preceding(within).next().expect("a change").timestamp()
                }
            };
            due.insert(found.as_microsecond());
        }
        date = date.tomorrow().unwrap();
    }
    due.into_iter().filter(is_within).collect()
}

impl World {
    fn new(seed: u64, is_gate_dropped: bool, from_us: i64, until_us: i64) -> World {
        let clock = Arc::new(AtomicI64::new(from_us));
        let shared = clock.clone();
        let store = SqliteStore::in_memory(Arc::new(move || Timestamp(shared.load(Ordering::Relaxed)))).unwrap();
        World {
            seed,
            is_gate_dropped,
            random: Random::new(seed.wrapping_mul(0x9e37_79b9_97f4_a7c1) + 1),
            clock,
            store,
            fronts: (0..3).map(|_| (0, None)).collect(),
            wakes: vec![0; 3],
            queue: BTreeMap::new(),
            next: 0,
            until_us,
        }
    }

    fn now_us(&self) -> i64 {
        self.clock.load(Ordering::Relaxed)
    }

    fn after(&mut self, delay_us: i64, what: What) {
        self.next += 1;
        self.queue.insert((self.now_us() + delay_us.max(1), self.next), what);
    }

    /// Of something going wrong; the last days are quiet.
    fn chance(&mut self, percent: u64) -> bool {
        self.now_us() < self.until_us - 72 * HOUR && self.random.below(100) < percent
    }

    fn put(&mut self, wanted: &Wanted) -> Uuid {
        let calendar = wanted.definition.calendar().unwrap();
        let schedule_id = Uuid::from_u128(u128::from(self.random.bits()));
        let put = PutSchedule {
            schedule_id,
            key: ScheduleKey { workflow_name: "billing".into(), schedule_name: wanted.name.into() },
            expected_revision: None,
            status: ScheduleStatus::Active,
            definition: wanted.definition.encode().unwrap(),
            position: place(&calendar, schedule_id, Timestamp(self.now_us())),
        };
        now(self.store.put_schedule(put)).unwrap().expect("a new schedule").schedule_id
    }

    fn run(mut self) {
        let from_us = self.now_us();
        let version = NewVersion {
            workflow_name: "billing".into(),
            workflow_version: "1".into(),
            ir_hash: "hash".into(),
            program_proto: Vec::new(),
            source: None,
        };
        now(self.store.register_version(version)).unwrap();
        let wanted = wanted(from_us, self.until_us - HOUR);
        let ids: Vec<Uuid> = wanted.iter().map(|wanted| self.put(wanted)).collect();
        for host in 0..self.fronts.len() {
            self.after(1, What::Restart(host));
        }
        self.after(HOUR, What::End);
        while let Some(entry) = self.queue.first_entry() {
            let ((at_us, _), what) = entry.remove_entry();
            if at_us > self.until_us {
                break;
            }
            self.clock.store(at_us, Ordering::Relaxed);
            self.happen(what);
        }
        for (wanted, id) in wanted.iter().zip(ids) {
            self.check(wanted, id);
        }
    }

    fn check(&self, wanted: &Wanted, schedule_id: Uuid) {
        let what = format!("seed {}: {}", self.seed, wanted.name);
        let all = now(self.store.list_schedules(None)).unwrap();
        let row = all.into_iter().find(|row| row.schedule_id == schedule_id).expect("the schedule");
        let mut found = BTreeSet::new();
        let mut cursor = None;
        loop {
            let filter = InstanceFilter { schedule_id: Some(schedule_id), cursor, limit: 1_000, ..Default::default() };
            let page = now(self.store.list_instances(filter)).unwrap();
            found.extend(page.instances.iter().map(|instance| (instance.instance_id, instance.created_at)));
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        let due: BTreeMap<Uuid, i64> =
            wanted.due.iter().map(|due| (run_id(schedule_id, Timestamp(*due)), *due)).collect();
        for (id, created_at) in &found {
            let due = due.get(id).unwrap_or_else(|| panic!("{what}: {id} is the run of no due time"));
            assert!(created_at.0 >= *due, "{what}: {id} ran before it was due");
        }
        let held_back = i64::from(row.position.buffered_at.is_some());
        assert_eq!(row.runs, found.len() as i64, "{what}: started and counted");
        assert_eq!(row.missed, 0, "{what}");
        assert_eq!(row.runs + row.overlapped + held_back, due.len() as i64, "{what}: each due time counts once");
        if wanted.definition.overlap == Overlap::Allow {
            assert_eq!(found.len(), due.len(), "{what}: each due time has its run");
        } else {
            assert!(found.len() * 2 > due.len(), "{what}: {} runs of {} due times", found.len(), due.len());
        }
    }

    fn happen(&mut self, what: What) {
        match what {
            What::Restart(host) => {
                let options = Options {
                    instances_max: 0,
                    reclaim: Duration::from_secs(1 << 30),
                    schedule_poll: Duration::from_secs(12 * 3600),
                    ..Options::default()
                };
                self.fronts[host].1 = Some(Front::new(options));
                self.wakes[host] = 0;
                let incarnation = self.fronts[host].0;
                self.feed(host, incarnation, FrontInput::Time);
            }
            What::Feed(host, incarnation, input) => self.feed(host, incarnation, input),
            What::Carry(host, incarnation, command) => self.carry_out(host, incarnation, command),
            What::End => {
                self.end_runs();
                let delay = self.random.below(5 * HOUR as u64) as i64;
                self.after(delay, What::End);
            }
        }
    }

    /// All that run have ended, and nobody runs twice where that is not allowed.
    fn end_runs(&mut self) {
        let filter = InstanceFilter {
            statuses: vec![waymark_store::Status::Running],
            limit: 1_000,
            ..InstanceFilter::default()
        };
        let live = now(self.store.list_instances(filter)).unwrap().instances;
        for row in now(self.store.list_schedules(None)).unwrap() {
            let running = live.iter().filter(|instance| instance.schedule_id == Some(row.schedule_id)).count();
            let overlap = Definition::decode(&row.definition).unwrap().overlap;
            if matches!(overlap, Overlap::Skip | Overlap::BufferOne) {
                assert!(running <= 1, "seed {}: {running} of {:?} run at once", self.seed, row.key);
            }
        }
        let end = |instance: &waymark_store::Instance| Termination {
            instance_id: instance.instance_id,
            error: Vec::new(),
            parent_message: None,
            child_message: None,
            abandoned: Vec::new(),
        };
        now(self.store.terminate_instances(live.iter().map(end).collect())).unwrap();
    }

    fn crash(&mut self, host: usize) {
        self.fronts[host].0 += 1;
        self.fronts[host].1 = None;
        // Now and then all are away for longer than it takes to be due again.
        let longest = if self.chance(10) { 30 * HOUR } else { HOUR };
        let delay = self.random.below(longest as u64) as i64;
        self.after(delay, What::Restart(host));
    }

    fn feed(&mut self, host: usize, incarnation: u64, input: FrontInput) {
        let now_us = self.now_us();
        let (current, Some(front)) = &mut self.fronts[host] else { return };
        if *current != incarnation {
            return;
        }
        let commands = front.handle(now_us, input);
        let wakeup_us = front.next_wakeup();
        for command in commands {
            let is_slow = self.chance(5);
            let delay = self.random.below(if is_slow { 2 * HOUR as u64 } else { 20_000 }) as i64;
            self.after(delay, What::Carry(host, incarnation, command));
        }
        let at_us = now_us + wakeup_us.saturating_sub(now_us).clamp(1_000, 24 * HOUR);
        if self.wakes[host] <= now_us || at_us < self.wakes[host] {
            self.wakes[host] = at_us;
            self.after(at_us - now_us, What::Feed(host, incarnation, FrontInput::Time));
        }
        if self.chance(3) {
            self.crash(host);
        }
    }

    fn faulty<T>(&mut self, call: impl FnOnce(&mut World) -> Result<T, Error>) -> Result<T, Error> {
        if self.chance(4) {
            return Err(Error::OutcomeUnknown { reason: "it did not happen".into() });
        }
        let result = call(self);
        if self.chance(6) {
            return Err(Error::OutcomeUnknown { reason: "it happened".into() });
        }
        result
    }

    fn carry_out(&mut self, host: usize, incarnation: u64, command: FrontCommand) {
        let is_dead = self.fronts[host].0 != incarnation;
        let input = match command {
            FrontCommand::DueSchedules { limit } if !is_dead => {
                FrontInput::DueSchedules(self.faulty(|world| now(world.store.due_schedules(limit))))
            }
            // What was on its way when its sender died arrives, or not.
            FrontCommand::FireSchedules(mut firings) if !is_dead || self.random.below(2) == 0 => {
                if self.is_gate_dropped {
                    for row in now(self.store.list_schedules(None)).unwrap() {
                        for firing in firings.iter_mut().filter(|firing| firing.schedule_id == row.schedule_id) {
                            firing.expected_revision = row.revision;
                        }
                    }
                }
                let fired = self.faulty(|world| now(world.store.fire_schedules(firings)));
                if self.chance(5) {
                    return self.crash(host);
                }
                FrontInput::FiredSchedules(fired)
            }
            _ => return,
        };
        let is_slow = self.chance(5);
        let delay = self.random.below(if is_slow { 2 * HOUR as u64 } else { 20_000 }) as i64;
        self.after(delay, What::Feed(host, incarnation, input));
    }
}

#[test]
fn every_due_time_of_a_year_fires_once() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (from_us, until_us) = (at("2026-01-01T00:00:00Z"), at("2027-01-01T00:00:00Z"));
    if let Some(seed) = number("SEED") {
        return World::new(seed, false, from_us, until_us).run();
    }
    for seed in 0..number("SEEDS").unwrap_or(1) {
        World::new(seed, false, from_us, until_us).run();
    }
}

/// The test can fail: without the gate, what several hosts saw due is counted several times.
#[test]
fn a_dropped_gate_is_noticed() {
    let run = |is_gate_dropped| {
        let (from_us, until_us) = (at("2026-03-01T00:00:00Z"), at("2026-05-02T12:00:00Z"));
        std::panic::catch_unwind(|| World::new(0, is_gate_dropped, from_us, until_us).run())
    };
    run(false).expect("with the gate all is well");
    let noticed = run(true).expect_err("the gate is not needed?");
    let said = noticed.downcast_ref::<String>().cloned().unwrap_or_default();
    assert!(said.contains("counted") || said.contains("counts once") || said.contains("run at once"), "{said}");
}
