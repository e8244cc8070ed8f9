//! The logic of an engine, without I/O: inputs in, commands out.
//!
//! One writer: a resident is in at most one commit at a time, gated by its lease; a commit that tells us that the lease is
//! gone drops the resident. Result before effect: effects wait in the resident until their commit is acknowledged.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use uuid::Uuid;
use waymark_ir::wire;
use waymark_runner::{Dispatch, Effect, Ending, Event, FragmentDispatch, FragmentOutcome, LogLine, Lowered, Outcome};
use waymark_store::{
    Change, Claim, ClaimedInstance, Committed, Error, Heartbeat, HeldLease, InboxView, Lease, Progress, SeqUnderLease,
    WorkflowVersion,
};

use crate::hydrate::{self, Stuck};
use crate::message::Mail;
use crate::options::Sabotage;
use crate::resident::Resident;
use crate::{Options, child_instance_id};

/// Something that happened.
#[derive(Debug)]
pub enum Input {
    /// Time has passed.
    Time,
    Claimed(Result<Vec<ClaimedInstance>, Error>),
    Version(Uuid, Result<Option<WorkflowVersion>, Error>),
    Committed(u64, Result<Vec<Committed>, Error>),
    /// The answer to [`Command::ReadSeq`].
    Seqs(u64, Result<Vec<SeqUnderLease>, Error>),
    Heartbeat(Result<Vec<HeldLease>, Error>),
    /// The answer to [`Command::ReadInbox`], with what was asked.
    Inbox(Vec<Uuid>, Result<Vec<InboxView>, Error>),
    Changed(Change),
    /// Whoever runs jobs has something to say.
    Reported(Report),
    /// [`Command::StartChild`] or [`Command::CancelChild`] is done for good. Whoever carries commands out repeats them until they are.
    ChildDone {
        parent_id: Uuid,
        key: (u64, u32),
    },
    /// A child can't be started.
    ChildRefused {
        parent_id: Uuid,
        key: (u64, u32),
        reason: String,
    },
    /// Take no more work; see [`Core::is_drained`].
    Drain,
}

/// Something to do. The order of commands is the order of their causes.
#[derive(Debug)]
pub enum Command {
    Claim(Claim),
    LoadVersion(Uuid),
    Commit(u64, Vec<Progress>),
    ReadSeq(u64, Vec<Lease>),
    Heartbeat(Heartbeat),
    ReadInbox(Vec<Uuid>),
    MarkStuck(Vec<(Lease, String)>),
    Reclaim,
    Run(Job),
    /// Stop an attempt in its worker; its outcome is [`Outcome::Cancelled`] once it has stopped.
    Cancel(JobKey),
    StartChild {
        child_id: Uuid,
        parent_id: Uuid,
        call: Arc<Dispatch>,
    },
    CancelChild {
        child_id: Uuid,
        parent_id: Uuid,
        key: (u64, u32),
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

/// Work for a worker.
#[derive(Clone, Debug)]
pub struct Job {
    pub instance_id: Uuid,
    pub workflow_name: Arc<str>,
    pub work: Work,
}

#[derive(Clone, Debug)]
pub enum Work {
    Action(Arc<Dispatch>),
    Fragment(Arc<FragmentDispatch>),
}

/// Which attempt of an instance's: jobs are told apart by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobKey {
    pub instance_id: Uuid,
    pub ordinal: u64,
    pub attempt: u32,
}

impl Job {
    pub fn key(&self) -> JobKey {
        let (execution, attempt) = match &self.work {
            Work::Action(call) => (call.execution, call.attempt),
            Work::Fragment(call) => (call.execution, call.attempt),
        };
        JobKey { instance_id: self.instance_id, ordinal: execution.ordinal, attempt }
    }
}

/// What whoever runs jobs says of them.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all of them are completions")]
pub enum Report {
    /// A worker is done with a job. One that nobody waits for is ignored.
    Completed(Completion),
    /// No worker here knows how to run it. It is kept, and run when one comes, unless it is cancelled.
    Unknown(JobKey),
}

#[derive(Clone, Debug)]
pub struct Completion {
    pub key: JobKey,
    pub outcome: JobOutcome,
    pub worker: Option<Arc<str>>,
    /// When the worker got it.
    pub started_at_us: Option<i64>,
}

#[derive(Clone, Debug)]
pub enum JobOutcome {
    Action(Outcome),
    Fragment(FragmentOutcome),
}

enum Program {
    Loading(Vec<ClaimedInstance>),
    Ready(Arc<Lowered>),
}

/// Stands for the cancellation of a child among what is running.
const CANCELLING: u32 = u32::MAX;

pub struct Core {
    pub(crate) options: Options,
    pub(crate) residents: FxHashMap<Uuid, Resident>,
    programs: FxHashMap<Uuid, Program>,
    /// Deadlines of residents.
    wheel: BTreeSet<(i64, Uuid)>,
    /// Residents with something to submit.
    pub(crate) dirty: VecDeque<Uuid>,
    /// Residents whose event used up its slice.
    busy: VecDeque<Uuid>,
    pub(crate) commits: FxHashMap<u64, Vec<Uuid>>,
    pub(crate) next_ticket: u64,
    pub(crate) commands: Vec<Command>,
    claiming: bool,
    hungry: bool,
    draining: bool,
    next_claim_us: i64,
    next_heartbeat_us: i64,
    /// The leases that a heartbeat on its way asks for.
    heartbeating: Option<FxHashSet<Lease>>,
    next_reclaim_us: i64,
    /// The store was away: nothing is asked of it before this.
    pub(crate) store_away_until_us: i64,
}

impl Core {
    pub fn new(options: Options) -> Core {
        Core {
            options,
            residents: FxHashMap::default(),
            programs: FxHashMap::default(),
            wheel: BTreeSet::new(),
            dirty: VecDeque::new(),
            busy: VecDeque::new(),
            commits: FxHashMap::default(),
            next_ticket: 1,
            commands: Vec::new(),
            claiming: false,
            hungry: true,
            draining: false,
            next_claim_us: i64::MIN,
            next_heartbeat_us: i64::MIN,
            heartbeating: None,
            next_reclaim_us: i64::MIN,
            store_away_until_us: i64::MIN,
        }
    }

    /// Takes an input at a time (microseconds since 1970, this host's clock) and says what to do.
    pub fn handle(&mut self, now_us: i64, input: Input) -> Vec<Command> {
        self.handle_all(now_us, [input])
    }

    /// Takes inputs that came at the same time. What they lead to shares a commit.
    pub fn handle_all(&mut self, now_us: i64, inputs: impl IntoIterator<Item = Input>) -> Vec<Command> {
        for input in inputs {
            self.take(now_us, input);
        }
        self.turn(now_us);
        std::mem::take(&mut self.commands)
    }

    fn take(&mut self, now_us: i64, input: Input) {
        match input {
            Input::Time => {}
            Input::Claimed(claimed) => self.claimed(now_us, claimed),
            Input::Version(id, version) => self.version(now_us, id, version),
            Input::Committed(ticket, result) => self.committed(now_us, ticket, result),
            Input::Seqs(ticket, result) => self.settle_commit(now_us, ticket, result),
            Input::Heartbeat(held) => self.heartbeat(now_us, held),
            Input::Inbox(asked, views) => self.inbox(now_us, asked, views),
            Input::Changed(change) => self.changed(change),
            Input::Reported(Report::Completed(completion)) => self.completed(now_us, completion),
            // It stays with whoever runs jobs, until a worker comes that knows it.
            Input::Reported(Report::Unknown(_)) => {}
            Input::ChildDone { parent_id, key } => {
                if let Some(resident) = self.residents.get_mut(&parent_id) {
                    resident.running.remove(&key);
                    self.rest(now_us, parent_id);
                }
            }
            Input::ChildRefused { parent_id, key: (ordinal, attempt), reason } => {
                let outcome = Outcome::Failed(waymark_ir::ExceptionValue {
                    type_name: "RuntimeError".into(),
                    args: vec![waymark_ir::Value::Str(reason)],
                    ..Default::default()
                });
                if let Some(resident) = self.residents.get_mut(&parent_id) {
                    resident.running.remove(&(ordinal, attempt));
                }
                self.event(now_us, parent_id, Event::Settled { ordinal, attempt, outcome }, None);
            }
            Input::Drain => self.draining = true,
        }
    }

    /// When [`Input::Time`] is wanted next.
    pub fn next_wakeup(&self) -> Option<i64> {
        let deadline = self.wheel.first().map(|(deadline, _)| *deadline);
        let store = (!self.dirty.is_empty()).then_some(self.store_away_until_us);
        let claim = (!self.claiming && !self.draining && self.residents.len() < self.options.instances_max)
            .then_some(self.next_claim_us.max(self.store_away_until_us));
        let beat = (self.heartbeating.is_none() && !self.residents.is_empty()).then_some(self.next_heartbeat_us);
        let busy = (!self.busy.is_empty()).then_some(i64::MIN);
        let times = [deadline, store, claim, beat, busy, Some(self.next_reclaim_us)];
        times.into_iter().flatten().min()
    }

    /// Nothing is claimed any more and nothing is on its way.
    pub fn is_drained(&self) -> bool {
        self.draining && !self.claiming && self.commits.is_empty() && self.dirty.is_empty()
    }

    /// Instances in memory.
    pub fn len(&self) -> usize {
        self.residents.len()
    }

    pub fn is_empty(&self) -> bool {
        self.residents.is_empty()
    }

    /// The leases of all instances in memory, for giving them back at the end.
    pub fn leases(&self) -> Vec<(Lease, i64)> {
        self.residents.values().map(|resident| (resident.lease, resident.wake_seq)).collect()
    }

    /// Whatever is due now.
    fn turn(&mut self, now_us: i64) {
        for _ in 0..self.busy.len() {
            let Some(id) = self.busy.pop_front() else { break };
            self.fold_on(now_us, id);
        }
        while let Some((deadline, id)) = self.wheel.first().copied() {
            if deadline > now_us {
                break;
            }
            self.wheel.pop_first();
            if let Some(resident) = self.residents.get_mut(&id) {
                resident.deadline_us = None;
                if resident.instance.next_deadline().is_some_and(|deadline| deadline <= now_us) {
                    self.event(now_us, id, Event::DeadlineReached, None);
                }
            }
        }
        self.submit(now_us);
        if now_us < self.store_away_until_us {
            return;
        }
        if self.heartbeating.is_none() && now_us >= self.next_heartbeat_us && !self.residents.is_empty() {
            self.next_heartbeat_us = now_us + micros(self.options.heartbeat);
            let mut leases: Vec<Lease> = self.residents.values().map(|resident| resident.lease).collect();
            leases.sort_unstable();
            self.heartbeating = Some(leases.iter().copied().collect());
            self.commands.push(Command::Heartbeat(Heartbeat { leases, lease: self.options.lease }));
        }
        if now_us >= self.next_reclaim_us {
            self.next_reclaim_us = now_us + micros(self.options.reclaim);
            self.commands.push(Command::Reclaim);
        }
        self.claim(now_us);
    }

    // ---- claiming

    fn claim(&mut self, now_us: i64) {
        let room = self.options.instances_max.saturating_sub(self.residents.len());
        if self.claiming || self.draining || room == 0 || !(self.hungry || now_us >= self.next_claim_us) {
            return;
        }
        self.claiming = true;
        self.hungry = false;
        self.next_claim_us = now_us + micros(self.options.poll);
        self.commands.push(Command::Claim(Claim {
            engine: self.options.engine.clone(),
            queues: self.options.queues.clone(),
            limit: self.options.claim_batch.min(room as u32),
            lease: self.options.lease,
            claims_max: self.options.claims_max,
        }));
    }

    fn claimed(&mut self, now_us: i64, claimed: Result<Vec<ClaimedInstance>, Error>) {
        self.claiming = false;
        let claimed = match claimed {
            Ok(claimed) => claimed,
            Err(_) => return self.store_away(now_us),
        };
        // A full batch means that there is more.
        self.hungry |= claimed.len() >= self.options.claim_batch as usize;
        for instance in claimed {
            let version = instance.workflow_version_id;
            match self.programs.get_mut(&version) {
                Some(Program::Ready(lowered)) => {
                    let lowered = lowered.clone();
                    self.admit(now_us, lowered, instance);
                }
                Some(Program::Loading(waiting)) => waiting.push(instance),
                None => {
                    self.programs.insert(version, Program::Loading(vec![instance]));
                    self.commands.push(Command::LoadVersion(version));
                }
            }
        }
    }

    fn version(&mut self, now_us: i64, id: Uuid, version: Result<Option<WorkflowVersion>, Error>) {
        let Some(Program::Loading(waiting)) = self.programs.remove(&id) else { return };
        let program = match version {
            Err(_) => {
                // Their leases run out, and they are claimed again when the store is back.
                return self.store_away(now_us);
            }
            Ok(None) => Err(format!("workflow version {id} is not there")),
            Ok(Some(version)) => lower(&version),
        };
        match program {
            Ok(lowered) => {
                self.programs.insert(id, Program::Ready(lowered.clone()));
                for instance in waiting {
                    self.admit(now_us, lowered.clone(), instance);
                }
            }
            Err(reason) => {
                // Not remembered: somebody may mend it.
                let stuck = waiting.into_iter().map(|instance| (instance.lease, reason.clone()));
                self.commands.push(Command::MarkStuck(stuck.collect()));
            }
        }
    }

    /// Takes a claimed instance in, and goes on with it where it was.
    fn admit(&mut self, now_us: i64, lowered: Arc<Lowered>, claimed: ClaimedInstance) {
        let id = claimed.lease.instance_id;
        let resident = match hydrate::hydrate(&self.options, lowered, &claimed) {
            Ok(resident) => resident,
            Err(reason) => return self.commands.push(Command::MarkStuck(vec![(claimed.lease, reason)])),
        };
        self.drop_resident(id);
        // What was in flight was committed: it may be dispatched again at once, under the same ids.
        let in_flight = resident.instance.in_flight();
        self.residents.insert(id, resident);
        if !self.options.sabotages(Sabotage::ForgetInFlight) {
            for effect in in_flight {
                self.release(now_us, id, effect);
            }
        }
        if claimed.seq == 0 {
            match hydrate::first_event(&claimed.inputs) {
                Ok(event) => self.event(now_us, id, event, None),
                Err(reason) => return self.stuck(id, reason),
            }
        }
        let view = InboxView { instance_id: id, wake_seq: claimed.wake_seq, rows: claimed.inbox };
        self.read_mail(now_us, view);
        self.rest(now_us, id);
    }

    // ---- events

    /// Folds an event into a resident, or keeps it until the one before is folded.
    fn event(&mut self, now_us: i64, id: Uuid, event: Event, message_id: Option<Uuid>) {
        let Some(resident) = self.residents.get_mut(&id) else { return };
        if resident.instance.ending().is_some() {
            return;
        }
        if resident.busy.is_some() {
            resident.waiting.push_back((event, message_id));
            return;
        }
        match resident.fold(now_us, event, message_id) {
            Ok(true) => self.folded(id),
            Ok(false) => self.busy.push_back(id),
            Err(error) => self.stuck(id, format!("an event can't be applied: {error}")),
        }
    }

    fn fold_on(&mut self, now_us: i64, id: Uuid) {
        let Some(resident) = self.residents.get_mut(&id) else { return };
        if !resident.fold_on(true) {
            return self.busy.push_back(id);
        }
        self.folded(id);
        while let Some(resident) = self.residents.get_mut(&id).filter(|resident| resident.busy.is_none()) {
            let Some((event, message_id)) = resident.waiting.pop_front() else { break };
            self.event(now_us, id, event, message_id);
        }
    }

    fn folded(&mut self, id: Uuid) {
        self.mark_dirty(id);
        self.set_deadline(id);
    }

    /// It has something to submit, once what is on its way has arrived.
    pub(crate) fn mark_dirty(&mut self, id: Uuid) {
        if let Some(resident) = self.residents.get_mut(&id)
            && resident.submitted.is_none()
            && !std::mem::replace(&mut resident.is_dirty, true)
        {
            self.dirty.push_back(id);
        }
    }

    /// Keeps the wheel in step with the instance's own deadline.
    pub(crate) fn set_deadline(&mut self, id: Uuid) {
        let Some(resident) = self.residents.get_mut(&id) else { return };
        let next = resident.instance.next_deadline();
        if next == resident.deadline_us {
            return;
        }
        if let Some(old) = resident.deadline_us.take() {
            self.wheel.remove(&(old, id));
        }
        resident.deadline_us = next;
        if let Some(next) = next {
            self.wheel.insert((next, id));
        }
    }

    /// A resident with nothing to commit and nothing to wait for here is given back.
    pub(crate) fn rest(&mut self, now_us: i64, id: Uuid) {
        self.set_deadline(id);
        let Some(resident) = self.residents.get(&id) else { return };
        let idle = resident.pending.is_empty() && resident.submitted.is_none() && resident.only_waits();
        let near = resident.instance.next_deadline().is_some_and(|at| at <= now_us + micros(self.options.keep_awake));
        if idle && !near {
            self.mark_dirty(id);
        }
    }

    fn completed(&mut self, now_us: i64, completion: Completion) {
        let JobKey { instance_id, ordinal, attempt } = completion.key;
        let event = match completion.outcome {
            JobOutcome::Action(outcome) => Event::Settled { ordinal, attempt, outcome },
            JobOutcome::Fragment(outcome) => Event::FragmentSettled { ordinal, attempt, outcome },
        };
        let Some(resident) = self.residents.get_mut(&instance_id) else { return };
        // A duplicate, or the answer to another owner's dispatch that was answered already.
        if resident.running.remove(&(ordinal, attempt)) {
            self.event(now_us, instance_id, event, None);
        }
    }

    // ---- mail

    fn changed(&mut self, change: Change) {
        match change {
            Change::Work => self.hungry = true,
            Change::Inbox(id) => {
                if self.residents.contains_key(&id) {
                    self.read_inbox(vec![id]);
                } else {
                    self.hungry = true;
                }
            }
            Change::Resync => {
                self.hungry = true;
                self.next_heartbeat_us = i64::MIN;
            }
            Change::Finished(_) | Change::Stuck(_) | Change::Actions | Change::Versions => {}
        }
    }

    pub(crate) fn read_inbox(&mut self, ids: Vec<Uuid>) {
        for id in &ids {
            if let Some(resident) = self.residents.get_mut(id) {
                resident.reads += 1;
            }
        }
        self.commands.push(Command::ReadInbox(ids));
    }

    fn inbox(&mut self, now_us: i64, asked: Vec<Uuid>, views: Result<Vec<InboxView>, Error>) {
        // One that failed is asked for again by the next heartbeat, which sees the higher `wake_seq`.
        for view in views.unwrap_or_default() {
            self.read_mail(now_us, view);
        }
        for id in asked {
            if let Some(resident) = self.residents.get_mut(&id) {
                resident.reads = resident.reads.saturating_sub(1);
                resident.forget_gone();
            }
            self.rest(now_us, id);
        }
    }

    fn read_mail(&mut self, now_us: i64, view: InboxView) {
        for row in view.rows {
            let Some(resident) = self.residents.get_mut(&view.instance_id) else { return };
            let is_new = resident.taken.insert(row.message_id);
            if !is_new && !self.options.sabotages(Sabotage::MailTwice) {
                continue;
            }
            match Mail::read(&row) {
                Ok(event) => self.event(now_us, view.instance_id, event, Some(row.message_id)),
                Err(reason) => return self.stuck(view.instance_id, reason),
            }
        }
        if let Some(resident) = self.residents.get_mut(&view.instance_id) {
            resident.wake_seq = resident.wake_seq.max(view.wake_seq);
        }
    }

    fn heartbeat(&mut self, now_us: i64, held: Result<Vec<HeldLease>, Error>) {
        let asked = self.heartbeating.take().unwrap_or_default();
        let Ok(held) = held else { return self.store_away(now_us) };
        let held: FxHashMap<Uuid, i64> = held.into_iter().map(|lease| (lease.instance_id, lease.wake_seq)).collect();
        let mut mail = Vec::new();
        let mut lost = Vec::new();
        for (id, resident) in &self.residents {
            match held.get(id) {
                Some(wake_seq) if *wake_seq > resident.wake_seq => mail.push(*id),
                Some(_) => {}
                // It came after the heartbeat left, or a commit on its way has given it back and will tell.
                None if !asked.contains(&resident.lease) || resident.submitted.is_some() => {}
                None => lost.push(*id),
            }
        }
        for id in lost {
            self.drop_resident(id);
        }
        if !mail.is_empty() {
            mail.sort_unstable();
            self.read_inbox(mail);
        }
    }

    // ---- leaving memory

    /// The instance is another's now, or nobody's: what workers do for it is not wanted any more.
    pub(crate) fn drop_resident(&mut self, id: Uuid) {
        let Some(resident) = self.residents.remove(&id) else { return };
        if let Some(deadline) = resident.deadline_us {
            self.wheel.remove(&(deadline, id));
        }
        for (ordinal, attempt) in resident.running {
            self.commands.push(Command::Cancel(JobKey { instance_id: id, ordinal, attempt }));
        }
    }

    pub(crate) fn stuck(&mut self, id: Uuid, reason: Stuck) {
        if let Some(resident) = self.residents.get(&id) {
            self.commands.push(Command::MarkStuck(vec![(resident.lease, reason)]));
        }
        self.drop_resident(id);
    }

    pub(crate) fn store_away(&mut self, now_us: i64) {
        self.store_away_until_us = now_us + micros(self.options.store_backoff);
    }

    // ---- effects

    /// Lets an effect out. Its event is committed.
    pub(crate) fn release(&mut self, now_us: i64, id: Uuid, effect: Effect) {
        let Some(resident) = self.residents.get_mut(&id) else { return };
        match effect {
            Effect::Dispatch(call) => {
                resident.running.insert((call.execution.ordinal, call.attempt));
                let workflow_name = resident.workflow_name.clone();
                self.commands.push(Command::Run(Job { instance_id: id, workflow_name, work: Work::Action(call) }));
            }
            Effect::DispatchFragment(call) => {
                resident.running.insert((call.execution.ordinal, call.attempt));
                let workflow_name = resident.workflow_name.clone();
                self.commands.push(Command::Run(Job { instance_id: id, workflow_name, work: Work::Fragment(call) }));
            }
            Effect::CancelAttempt { ordinal, attempt } => {
                if resident.running.contains(&(ordinal, attempt)) {
                    self.commands.push(Command::Cancel(JobKey { instance_id: id, ordinal, attempt }));
                } else {
                    // Nobody has it (a restart lost it): it has stopped.
                    let outcome = Outcome::Cancelled;
                    self.event(now_us, id, Event::Settled { ordinal, attempt, outcome }, None);
                }
            }
            Effect::StartChild(call) => {
                let child_id = child_instance_id(call.execution, call.attempt);
                // Held until the child is there: a parent asleep would not start it again after a crash.
                resident.running.insert((call.execution.ordinal, call.attempt));
                self.commands.push(Command::StartChild { child_id, parent_id: id, call });
            }
            Effect::CancelChild { ordinal } => {
                let execution = resident.instance.execution_id(ordinal);
                let key = (ordinal, CANCELLING);
                resident.running.insert(key);
                let child_id = child_instance_id(execution, 1);
                self.commands.push(Command::CancelChild { child_id, parent_id: id, key });
            }
            Effect::Log(line) => self.commands.push(Command::Log { instance_id: id, line }),
            Effect::Finish(ending) => self.commands.push(Command::Finished { instance_id: id, ending }),
        }
    }
}

fn lower(version: &WorkflowVersion) -> Result<Arc<Lowered>, Stuck> {
    let name = format!("{} {}", version.workflow_name, version.workflow_version);
    let program = wire::decode(&version.program_proto)
        .map_err(|error| format!("the program of {name} can't be read: {error}"))?;
    Lowered::new(program).map_err(|problems| match problems.first() {
        Some(problem) => format!("the program of {name} is not valid: {problem}"),
        None => format!("the program of {name} is not valid"),
    })
}

pub(crate) fn micros(duration: std::time::Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}
