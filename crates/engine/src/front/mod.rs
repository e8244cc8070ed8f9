//! What the shards of an engine share, without I/O: claims, leases, programs and the commits that all of them are in.
//!
//! However many shards there are, a process asks the store for work once, extends its leases in one statement, and writes what several
//! shards have to commit at the same time in one batch. The front knows which leases the process holds, and nothing of instances.

mod claiming;
mod commits;
mod leases;
mod programs;
mod schedules;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use uuid::Uuid;
use waymark_runner::Lowered;
use waymark_store::{
    Change, Claim, Claimed, ClaimedInstance, Committed, DueSchedules, Error, Fired, Firing, Heartbeat, HeldLease,
    Lease, Progress, Retention, Sleep,
};

pub use programs::lower;

use self::claiming::Claiming;
use self::commits::Commits;
use self::programs::Programs;
use self::schedules::Schedules;
use crate::Options;
use crate::clock::{Now, micros};
use crate::shard::{Input, News, Stuck};

/// Something that happened.
#[derive(Debug)]
pub enum FrontInput {
    /// Time has passed.
    Time,
    Changed(Change),
    Claimed(Result<Claimed, Error>),
    /// These were claimed when they were started, as was [offered](Front::offers); the steady clock's time before that.
    Started {
        instances: Vec<ClaimedInstance>,
        since_us: i64,
    },
    /// The answer to [`FrontCommand::LoadProgram`], see [`lower`].
    Program(Uuid, Result<Result<Arc<Lowered>, Stuck>, Error>),
    Heartbeat(Result<Vec<HeldLease>, Error>),
    Committed(u64, Result<Vec<Committed>, Error>),
    /// The answer to [`FrontCommand::DeleteFinished`].
    Deleted(Result<u64, Error>),
    DueSchedules(Result<DueSchedules, Error>),
    FiredSchedules(Result<Vec<Fired>, Error>),
    /// Jobs that workers here can run at the same time, as of now.
    Slots(usize),
    /// What a turn of a shard came to.
    News(usize, News),
    /// Take no more work; see [`Front::is_drained`].
    Drain,
}

/// Something to do.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "made one at a time and taken apart at once: a box would cost more")]
pub enum FrontCommand {
    Claim(Claim),
    LoadProgram(Uuid),
    Commit(u64, Vec<Arc<Progress>>),
    Heartbeat(Heartbeat),
    Reclaim,
    /// Leases that others may have. Nobody waits for an answer: they run out otherwise.
    GiveBack(Vec<Sleep>),
    MarkStuck(Vec<(Lease, Stuck)>),
    DeleteFinished {
        default: Retention,
        limit: u32,
    },
    DueSchedules {
        limit: u32,
    },
    FireSchedules(Vec<Firing>),
    /// For a shard.
    Tell(usize, Input),
}

pub struct Front {
    options: Options,
    /// Every lease that is ours, whether its shard has it yet or not: who holds an instance.
    held: FxHashMap<Uuid, Uuid>,
    programs: Programs,
    commits: Commits,
    claiming: Claiming,
    schedules: Schedules,
    /// The leases that a heartbeat on its way asks for, and since when.
    heartbeating: Option<(i64, Vec<Lease>)>,
    next_heartbeat_us: i64,
    next_reclaim_us: i64,
    deleting: bool,
    next_delete_us: i64,
    draining: bool,
    /// When the last input came.
    now_us: i64,
    /// The store was away: nothing is asked of it before this.
    store_away_until_us: i64,
    commands: Vec<FrontCommand>,
}

impl Front {
    pub fn new(options: Options) -> Front {
        let shards = options.shards.max(1);
        Front {
            programs: Programs::new(options.programs_max),
            commits: Commits::default(),
            claiming: Claiming::new(shards),
            schedules: Schedules::new(),
            held: FxHashMap::default(),
            heartbeating: None,
            next_heartbeat_us: i64::MIN,
            next_reclaim_us: i64::MIN,
            deleting: false,
            next_delete_us: i64::MIN,
            draining: false,
            now_us: i64::MIN,
            store_away_until_us: i64::MIN,
            commands: Vec::new(),
            options: Options { shards, ..options },
        }
    }

    /// The shard that an instance belongs to, always: one that was lost and comes again meets what is left of it.
    pub fn shard_of(&self, instance_id: Uuid) -> usize {
        // All bits count: whoever starts instances chooses their ids.
        let (high, low) = instance_id.as_u64_pair();
        let mixed = (high ^ low.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((mixed >> 32) as usize) % self.options.shards
    }

    /// Takes an input at a time and says what to do.
    pub fn handle(&mut self, now: impl Into<Now>, input: FrontInput) -> Vec<FrontCommand> {
        let now = now.into();
        let now_us = now.steady_us;
        self.now_us = now_us;
        match input {
            FrontInput::Time => {}
            FrontInput::Changed(change) => self.changed(change),
            FrontInput::Claimed(claimed) => self.claimed(now_us, claimed),
            FrontInput::Started { instances, since_us } => self.started(now_us, since_us, instances),
            FrontInput::Program(id, program) => self.program(now_us, id, program),
            FrontInput::Heartbeat(held) => self.heartbeat(now_us, held),
            FrontInput::Committed(ticket, result) => self.committed(ticket, result),
            FrontInput::Deleted(result) => {
                self.deleting = false;
                // A full batch means that there is more.
                if result.is_ok_and(|count| count >= u64::from(self.options.retention_batch)) {
                    self.next_delete_us = now_us;
                }
            }
            FrontInput::DueSchedules(answer) => self.due_schedules(now_us, answer),
            FrontInput::FiredSchedules(answer) => self.fired_schedules(now_us, answer),
            FrontInput::Slots(slots) => self.claiming.slots = slots,
            FrontInput::News(shard, news) => self.news(shard, news),
            FrontInput::Drain => self.drain(),
        }
        self.turn(now);
        std::mem::take(&mut self.commands)
    }

    /// When [`FrontInput::Time`] is wanted next, by the steady clock.
    pub fn next_wakeup(&self) -> i64 {
        let claim = self.next_look();
        let beat = (self.heartbeating.is_none() && !self.held.is_empty()).then_some(self.next_heartbeat_us);
        let delete = (!self.deleting && !self.draining).then_some(self.next_delete_us);
        let asks = [claim, beat, delete, self.next_schedules_look(), Some(self.next_reclaim_us)];
        asks.into_iter().flatten().min().map_or(i64::MAX, |at_us| at_us.max(self.store_away_until_us))
    }

    /// Nothing is claimed any more and nothing is on its way. Shards say for themselves whether they are.
    pub fn is_drained(&self) -> bool {
        self.draining && !self.claiming.is_asking() && self.commits.is_empty()
    }

    /// Instances that are ours.
    pub fn len(&self) -> usize {
        self.held.len()
    }

    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    fn drain(&mut self) {
        self.draining = true;
        let waiting = self.programs.take_waiting();
        self.give_back(waiting.into_iter().map(|admission| admission.instance));
        for shard in 0..self.options.shards {
            self.commands.push(FrontCommand::Tell(shard, Input::Drain));
        }
    }

    fn changed(&mut self, change: Change) {
        match change {
            Change::Work => self.claiming.look(),
            // Its shard reads its mail, or says that it has left.
            Change::Inbox(id) if self.held.contains_key(&id) => {
                self.commands.push(FrontCommand::Tell(self.shard_of(id), Input::Mail(id)));
            }
            Change::Inbox(_) => self.claiming.look(),
            Change::Schedules => self.schedules.look(),
            Change::Resync => {
                self.claiming.look();
                self.schedules.look();
                self.next_heartbeat_us = i64::MIN;
            }
            // Its shard hears from the heartbeat that it has lost it.
            Change::Taken(id) if self.held.contains_key(&id) => self.next_heartbeat_us = i64::MIN,
            Change::Taken(_)
            | Change::Replied(_)
            | Change::Finished(_)
            | Change::Stuck(_)
            | Change::Actions
            | Change::Versions => {}
        }
    }

    fn news(&mut self, shard: usize, news: News) {
        let News { commits, left, innocent, looks, load, admitted } = news;
        for lease in left {
            self.left(lease);
        }
        innocent.into_iter().for_each(|id| self.claiming.is_innocent(id));
        if looks {
            self.claiming.look();
        }
        self.claiming.loads[shard].is_told(load, admitted);
        self.commits.take(shard, commits);
    }

    /// Whatever is due now.
    fn turn(&mut self, now: Now) {
        let now_us = now.steady_us;
        self.submit();
        if now_us < self.store_away_until_us {
            return;
        }
        self.beat(now_us);
        if now_us >= self.next_reclaim_us {
            self.next_reclaim_us = now_us + micros(self.options.reclaim);
            self.commands.push(FrontCommand::Reclaim);
        }
        if now_us >= self.next_delete_us && !self.deleting && !self.draining {
            self.deleting = true;
            self.next_delete_us = now_us + micros(self.options.retention_interval);
            let Options { retention, retention_batch, .. } = self.options;
            self.commands.push(FrontCommand::DeleteFinished { default: retention, limit: retention_batch });
        }
        self.look_for_schedules(now_us);
        self.claim(now_us);
    }

    fn store_away(&mut self, now_us: i64) {
        self.store_away_until_us = now_us + micros(self.options.store_backoff);
    }
}
