//! The logic of a shard, without I/O: inputs in, commands out. A shard is a thread, and has the instances that are its.
//!
//! One writer: a resident is in at most one commit at a time, gated by its lease; a commit that tells us that the lease is
//! gone drops the resident. Result before effect: effects wait in the resident until their commit is acknowledged; only the first
//! step of an instance need not, since it follows from its start (`first.rs`).

mod admit;
pub(crate) mod children;
mod commit;
mod effect;
mod first;
mod fold;
mod hydrate;
mod mail;
mod resident;
mod route;
pub(crate) mod transactions;
mod waits;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use uuid::Uuid;
use waymark_runner::{Dispatch, Ending, Event, LogLine, Lowered};
use waymark_store::{
    ActionKey, AttemptSettlement, ClaimedInstance, Committed, Error, HeldLease, InboxView, Lease, Progress, Put,
    PutAction, SeqUnderLease, Sleep, Timestamp,
};

use self::resident::Resident;
use crate::Options;
use crate::clock::{Now, micros};
use crate::job::{Job, JobKey, Report};

/// Why an instance can't go on: it becomes stuck with these words.
pub type Stuck = String;

/// A workflow, and its active version if it has one.
pub type ActiveVersion = (Arc<str>, Option<Uuid>);

/// Something that happened.
#[derive(Debug)]
pub enum Input {
    /// Time has passed.
    Time,
    /// Instances that the front has claimed for us.
    Admit(Vec<Admission<Arc<Lowered>>>),
    Committed(u64, Result<Vec<Committed>, Error>),
    /// The answer to [`Command::ReadSeq`].
    Seqs(u64, Result<Vec<SeqUnderLease>, Error>),
    Heartbeat(Beat),
    /// The answer to [`Command::ReadInbox`].
    Inbox(u64, Result<Vec<InboxView>, Error>),
    /// An instance has mail.
    Mail(Uuid),
    /// Whoever runs jobs has something to say.
    Reported(Report),
    /// The answer to [`Command::PutActions`], with the keys that it was about.
    ActionsPut(Vec<JobKey>, Result<Vec<Put>, Error>),
    /// [`Command::DropActions`] is done for good. True: nobody had begun with it.
    ActionsDropped(Vec<(JobKey, bool)>),
    /// [`Command::SettleAttempts`] is done for good: what came of them is in the inboxes.
    AttemptsSettled(Vec<JobKey>),
    /// The answer to [`Command::FindVersions`]: the versions that are active, of each of the workflows.
    Versions(u64, Result<Vec<ActiveVersion>, Error>),
    /// [`Command::StartChild`] is done for good. Whoever carries commands out repeats it until it is.
    ChildDone {
        parent_id: Uuid,
        key: (u64, u32),
    },
    /// A child can't be started.
    ChildRefused {
        parent_id: Uuid,
        call: Arc<Dispatch>,
        reason: String,
    },
    /// Nothing more is claimed; see [`Shard::is_drained`].
    Drain,
}

/// A claimed instance, with its program once that is there.
#[derive(Debug)]
pub struct Admission<Program> {
    pub lowered: Program,
    /// By the steady clock.
    pub ours_until_us: i64,
    pub instance: ClaimedInstance,
}

impl Admission<()> {
    pub(crate) fn with(self, lowered: Arc<Lowered>) -> Admission<Arc<Lowered>> {
        Admission { lowered, ours_until_us: self.ours_until_us, instance: self.instance }
    }
}

/// What a heartbeat came to, for the instances of a shard.
#[derive(Debug)]
pub struct Beat {
    pub ours_until_us: i64,
    pub asked: FxHashSet<Lease>,
    pub held: Vec<HeldLease>,
}

/// What follows from a turn.
#[derive(Debug, Default)]
pub struct Turn {
    /// To be carried out, in this order, which is that of their causes.
    pub commands: Vec<Command>,
    /// For the front.
    pub news: News,
}

/// What the front has to know of a shard.
#[derive(Debug, Default)]
pub struct News {
    pub commits: Vec<Commit>,
    /// Leases that we have no use for any more.
    pub left: Vec<Lease>,
    /// Suspects that have made progress.
    pub innocent: Vec<Uuid>,
    /// One that was thought to be here has mail, and is not: look for work.
    pub looks: bool,
    /// Jobs, and instances that compute or are to be committed.
    pub load: usize,
    /// How many of the instances that came were taken in this turn.
    pub admitted: u64,
}

impl News {
    /// Whether there is more to it than the load.
    pub fn is_empty(&self) -> bool {
        let News { commits, left, innocent, looks, load: _, admitted } = self;
        commits.is_empty() && left.is_empty() && innocent.is_empty() && !looks && *admitted == 0
    }
}

/// Instances that want to be in one commit.
#[derive(Debug)]
pub struct Commit {
    pub ticket: u64,
    pub progress: Vec<Arc<Progress>>,
    /// Not with others: somebody among these can't be stored.
    pub is_alone: bool,
}

/// Something to do.
#[derive(Debug)]
pub enum Command {
    ReadSeq(u64, Vec<Lease>),
    ReadInbox(u64, Vec<Uuid>),
    MarkStuck(Vec<(Lease, Stuck)>),
    /// For workers elsewhere. Nobody here runs these.
    PutActions(Vec<JobKey>, Vec<PutAction>),
    /// Nobody waits for these any more. Whoever carries commands out repeats it until it is done.
    DropActions(Vec<(JobKey, ActionKey)>),
    /// What became of attempts that are transactions, unless somebody was faster. Whoever carries commands out repeats it until it is done.
    SettleAttempts(Vec<(JobKey, AttemptSettlement)>),
    Run(Job),
    /// Stop an attempt in its worker; its outcome is [`Outcome::Cancelled`] once it has stopped.
    Cancel(JobKey),
    /// Which versions of these workflows are new instances to run?
    FindVersions(u64, Vec<Arc<str>>),
    /// The start of a child that may have been refused.
    StartChild {
        child_id: Uuid,
        parent_id: Uuid,
        call: Arc<Dispatch>,
    },
    Log {
        instance_id: Uuid,
        line: LogLine,
    },
    Finished {
        instance_id: Uuid,
        ending: Ending,
    },
}

/// The calendar may be set forward: whoever waits for a deadline looks at it this often.
const CALENDAR_LOOK_US: i64 = 1_000_000;

pub struct Shard {
    options: Options,
    residents: FxHashMap<Uuid, Box<Resident>>,
    /// Deadlines of residents, by the calendar.
    wheel: BTreeSet<(i64, Uuid)>,
    /// Residents with something to submit.
    dirty: VecDeque<Uuid>,
    /// Residents whose first step runs already: when that they have started is committed at the latest, by the steady clock.
    begun: VecDeque<(i64, Lease)>,
    /// Residents whose event used up its slice, or that wait for their turn.
    busy: VecDeque<Uuid>,
    /// Slices that this turn has used up.
    slices: usize,
    /// Commits on their way, by ticket. Leases tell who is meant: an instance may have left and come back meanwhile.
    commits: FxHashMap<u64, Vec<Lease>>,
    /// Instances in them.
    committing: usize,
    /// Reads of inboxes on their way, by ticket.
    reads: FxHashMap<u64, Vec<Lease>>,
    /// Who waits for versions of children, by ticket.
    lookups: FxHashMap<u64, Vec<Lease>>,
    next_ticket: u64,
    commands: Vec<Command>,
    news: News,
    /// Jobs that workers here have or wait for, of all residents.
    jobs: usize,
    /// Jobs that no worker here knows, to be put into the store.
    unrouted: VecDeque<JobKey>,
    putting: bool,
    /// So many are put one by one: together with others they were refused.
    put_singly: usize,
    draining: bool,
    /// Until when all residents are ours, by the steady clock, as far as we know.
    ours_until_us: i64,
    /// When the last input came.
    now: Now,
    /// The store was away: nothing is asked of it before this.
    store_away_until_us: i64,
}

impl Shard {
    pub fn new(options: Options) -> Shard {
        Shard {
            options,
            residents: FxHashMap::default(),
            wheel: BTreeSet::new(),
            dirty: VecDeque::new(),
            begun: VecDeque::new(),
            busy: VecDeque::new(),
            slices: 0,
            commits: FxHashMap::default(),
            committing: 0,
            reads: FxHashMap::default(),
            lookups: FxHashMap::default(),
            next_ticket: 1,
            commands: Vec::new(),
            news: News::default(),
            jobs: 0,
            unrouted: VecDeque::new(),
            putting: false,
            put_singly: 0,
            draining: false,
            ours_until_us: i64::MAX,
            now: Now { calendar_us: i64::MIN, steady_us: i64::MIN },
            store_away_until_us: i64::MIN,
        }
    }

    /// Takes an input at a time and says what to do.
    pub fn handle(&mut self, now: impl Into<Now>, input: Input) -> Turn {
        self.handle_all(now, [input])
    }

    /// Takes inputs that came at the same time. What they lead to shares a commit.
    pub fn handle_all(&mut self, now: impl Into<Now>, inputs: impl IntoIterator<Item = Input>) -> Turn {
        self.now = now.into();
        self.slices = 0;
        for input in inputs {
            self.take(input);
        }
        self.turn();
        self.news.load = self.jobs + self.committing + self.dirty.len() + self.busy.len();
        Turn { commands: std::mem::take(&mut self.commands), news: std::mem::take(&mut self.news) }
    }

    fn take(&mut self, input: Input) {
        match input {
            Input::Time => {}
            Input::Admit(admissions) => {
                self.news.admitted += admissions.len() as u64;
                admissions.into_iter().for_each(|admission| self.admit(admission));
            }
            Input::Committed(ticket, result) => self.committed(ticket, result),
            Input::Seqs(ticket, result) => self.settle_commit(ticket, result),
            Input::Heartbeat(beat) => self.heartbeat(beat),
            Input::Inbox(ticket, views) => self.inbox(ticket, views),
            Input::Mail(id) => self.mail(id),
            Input::Reported(Report::Completed(completion)) => self.completed(completion),
            Input::Reported(Report::Unknown(key)) => self.unknown(key),
            Input::ActionsPut(keys, result) => self.actions_put(keys, result),
            Input::ActionsDropped(answers) => self.actions_dropped(answers),
            Input::AttemptsSettled(keys) => self.attempts_settled(keys),
            Input::ChildDone { parent_id, key } => {
                if let Some(resident) = self.residents.get_mut(&parent_id) {
                    resident.starting.remove(&key);
                    self.rest(parent_id);
                }
            }
            Input::ChildRefused { parent_id, call, reason } => {
                if let Some(resident) = self.residents.get_mut(&parent_id) {
                    resident.starting.remove(&(call.execution.ordinal, call.attempt));
                }
                self.refuse_child(parent_id, &call, reason);
            }
            Input::Versions(ticket, found) => self.versions(ticket, found),
            Input::Drain => self.draining = true,
        }
    }

    /// When [`Input::Time`] is wanted next, by the steady clock.
    pub fn next_wakeup(&self) -> Option<i64> {
        let Now { calendar_us, steady_us } = self.now;
        let deadline = self.wheel.first().map(|(deadline_us, _)| {
            steady_us.saturating_add(deadline_us.saturating_sub(calendar_us).clamp(0, CALENDAR_LOOK_US))
        });
        let busy = (!self.busy.is_empty()).then_some(i64::MIN);
        // What waits for an answer of the store goes on when that comes.
        let is_away = self.store_away_until_us > steady_us;
        let has_to_ask = !(self.dirty.is_empty() && self.unrouted.is_empty());
        let store = (is_away && has_to_ask).then_some(self.store_away_until_us);
        let begun = self.begun.front().map(|(commit_us, _)| *commit_us);
        [deadline, busy, store, begun].into_iter().flatten().min()
    }

    /// Nothing comes any more and nothing is on its way.
    pub fn is_drained(&self) -> bool {
        self.draining && self.commits.is_empty() && self.dirty.is_empty() && self.lookups.is_empty()
    }

    /// Until when what is in memory is ours, by the steady clock: what has not begun by then must not. None: nothing is in memory.
    pub fn ours_until_us(&self) -> Option<i64> {
        (!self.residents.is_empty()).then_some(self.ours_until_us)
    }

    /// Instances in memory.
    pub fn len(&self) -> usize {
        self.residents.len()
    }

    pub fn is_empty(&self) -> bool {
        self.residents.is_empty()
    }

    /// All instances in memory, to be given back at the end: they are due at once, for whoever comes first.
    pub fn give_back(&self) -> Vec<Sleep> {
        let sleep = |resident: &Resident| Sleep {
            lease: resident.lease,
            scheduled_at: Timestamp(0),
            wake_seq: resident.wake_seq,
            waits_for: Some(resident.waits_for()),
            tried: true,
        };
        self.residents.values().map(|resident| sleep(resident)).collect()
    }

    /// Whatever is due now.
    fn turn(&mut self) {
        self.fold_busy();
        while let Some((deadline_us, id)) = self.wheel.first().copied() {
            if deadline_us > self.now.calendar_us {
                break;
            }
            self.wheel.pop_first();
            if let Some(resident) = self.residents.get_mut(&id) {
                resident.deadline_us = None;
                if resident.instance.next_deadline().is_some_and(|deadline_us| deadline_us <= self.now.calendar_us) {
                    self.event(id, Event::DeadlineReached);
                }
            }
        }
        self.put_actions();
        self.commit_begun();
        self.submit();
    }

    fn is_store_away(&self) -> bool {
        self.now.steady_us < self.store_away_until_us
    }

    fn store_away(&mut self) {
        self.store_away_until_us = self.now.steady_us + micros(self.options.store_backoff);
    }

    /// Whether the instance is in memory, under this very lease.
    fn is_held(&self, lease: Lease) -> bool {
        self.residents.get(&lease.instance_id).is_some_and(|resident| resident.lease == lease)
    }

    /// The instance is another's now, or nobody's: what workers do for it is not wanted any more.
    fn drop_resident(&mut self, id: Uuid) {
        let Some(resident) = self.residents.remove(&id) else { return };
        self.news.left.push(resident.lease);
        if let Some(deadline_us) = resident.deadline_us {
            self.wheel.remove(&(deadline_us, id));
        }
        self.jobs -= resident.running.len();
        for (ordinal, attempt) in resident.running {
            self.commands.push(Command::Cancel(JobKey { instance_id: id, ordinal, attempt }));
        }
    }

    fn stuck(&mut self, id: Uuid, reason: Stuck) {
        if let Some(resident) = self.residents.get(&id) {
            self.commands.push(Command::MarkStuck(vec![(resident.lease, reason)]));
        }
        self.drop_resident(id);
    }

    fn new_ticket(&mut self) -> u64 {
        self.next_ticket += 1;
        self.next_ticket - 1
    }
}
