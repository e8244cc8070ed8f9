//! The logic of an engine, without I/O: inputs in, commands out.
//!
//! One writer: a resident is in at most one commit at a time, gated by its lease; a commit that tells us that the lease is
//! gone drops the resident. Result before effect: effects wait in the resident until their commit is acknowledged.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use uuid::Uuid;
use waymark_ir::wire;
use waymark_runner::{Dispatch, Effect, Ending, Event, LogLine, Lowered, Outcome};
use waymark_store::{
    ActionKey, Change, Claim, Claimed, ClaimedInstance, Committed, Error, Heartbeat, HeldLease, InboxView, Lease,
    Progress, Put, PutAction, SeqUnderLease, Sleep, Timestamp, WorkflowVersion,
};

use crate::hydrate::{self, Stuck};
use crate::job::{Completion, Job, JobKey, JobOutcome, Report};
use crate::message::Mail;
use crate::options::Sabotage;
use crate::resident::{Arrival, Resident};
use crate::{Options, child_instance_id};

/// Something that happened.
#[derive(Debug)]
pub enum Input {
    /// Time has passed.
    Time,
    Claimed(Result<Claimed, Error>),
    Version(Uuid, Result<Option<WorkflowVersion>, Error>),
    Committed(u64, Result<Vec<Committed>, Error>),
    /// The answer to [`Command::ReadSeq`].
    Seqs(u64, Result<Vec<SeqUnderLease>, Error>),
    Heartbeat(Result<Vec<HeldLease>, Error>),
    /// The answer to [`Command::ReadInbox`].
    Inbox(u64, Result<Vec<InboxView>, Error>),
    Changed(Change),
    /// Whoever runs jobs has something to say.
    Reported(Report),
    /// The answer to [`Command::PutActions`], with the keys that it was about.
    ActionsPut(Vec<JobKey>, Result<Vec<Put>, Error>),
    /// [`Command::DropActions`] is done for good. True: nobody had begun with it.
    ActionsDropped(Vec<(JobKey, bool)>),
    /// The answer to [`Command::DeleteFinished`].
    Deleted(Result<u64, Error>),
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
    ReadInbox(u64, Vec<Uuid>),
    MarkStuck(Vec<(Lease, String)>),
    Reclaim,
    /// For workers elsewhere. Nobody here runs these.
    PutActions(Vec<JobKey>, Vec<PutAction>),
    /// Nobody waits for these any more. Whoever carries commands out repeats it until it is done.
    DropActions(Vec<(JobKey, ActionKey)>),
    /// Leases that others may have. Nobody waits for an answer: they run out otherwise.
    GiveBack(Vec<Sleep>),
    DeleteFinished {
        before: Timestamp,
        limit: u32,
    },
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

enum Program {
    /// With the time until which each is ours.
    Loading(Vec<(i64, ClaimedInstance)>),
    Ready(Arc<Lowered>),
}

#[derive(Clone, Copy)]
struct Claiming {
    limit: u32,
    since_us: i64,
}

/// With the number of an attempt, stands for the cancellation of a child among what is being started.
const CANCELLING: u32 = 1 << 31;

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
    /// Commits on their way, by ticket. Leases tell who is meant: an instance may have left and come back meanwhile.
    pub(crate) commits: FxHashMap<u64, Vec<Lease>>,
    /// Reads of inboxes on their way, by ticket.
    reads: FxHashMap<u64, Vec<Lease>>,
    pub(crate) next_ticket: u64,
    pub(crate) commands: Vec<Command>,
    /// Jobs that workers here have or wait for, of all residents.
    pub(crate) jobs: usize,
    /// Jobs that no worker here knows, to be put into the store.
    pub(crate) unrouted: VecDeque<JobKey>,
    pub(crate) putting: bool,
    /// So many are put one by one: together with others they were refused.
    pub(crate) put_singly: usize,
    /// The claim on its way.
    claiming: Option<Claiming>,
    hungry: bool,
    draining: bool,
    next_claim_us: i64,
    next_heartbeat_us: i64,
    /// The leases that a heartbeat on its way asks for, and since when.
    heartbeating: Option<(i64, FxHashSet<Lease>)>,
    /// An instance that was claimed often without progress, and until when it is suspected to take its hosts down. Nothing is claimed
    /// beside it.
    pub(crate) suspect: Option<(Uuid, i64)>,
    next_reclaim_us: i64,
    deleting: bool,
    next_delete_us: i64,
    /// When the last input came.
    now_us: i64,
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
            reads: FxHashMap::default(),
            next_ticket: 1,
            commands: Vec::new(),
            jobs: 0,
            unrouted: VecDeque::new(),
            putting: false,
            put_singly: 0,
            claiming: None,
            hungry: true,
            draining: false,
            next_claim_us: i64::MIN,
            next_heartbeat_us: i64::MIN,
            heartbeating: None,
            suspect: None,
            next_reclaim_us: i64::MIN,
            deleting: false,
            next_delete_us: i64::MIN,
            now_us: i64::MIN,
            store_away_until_us: i64::MIN,
        }
    }

    /// Takes an input at a time (microseconds since 1970, this host's clock) and says what to do.
    pub fn handle(&mut self, now_us: i64, input: Input) -> Vec<Command> {
        self.handle_all(now_us, [input])
    }

    /// Takes inputs that came at the same time. What they lead to shares a commit.
    pub fn handle_all(&mut self, now_us: i64, inputs: impl IntoIterator<Item = Input>) -> Vec<Command> {
        self.now_us = now_us;
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
            Input::Inbox(ticket, views) => self.inbox(now_us, ticket, views),
            Input::Changed(change) => self.changed(change),
            Input::Reported(Report::Completed(completion)) => self.completed(now_us, completion),
            Input::Reported(Report::Unknown(key)) => self.unknown(key),
            Input::ActionsPut(keys, result) => self.actions_put(now_us, keys, result),
            Input::ActionsDropped(answers) => self.actions_dropped(now_us, answers),
            Input::Deleted(result) => {
                self.deleting = false;
                // A full batch means that there is more.
                if result.is_ok_and(|count| count >= u64::from(self.options.retention_batch)) {
                    self.next_delete_us = now_us;
                }
            }
            Input::ChildDone { parent_id, key } => {
                if let Some(resident) = self.residents.get_mut(&parent_id) {
                    resident.starting.remove(&key);
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
                    resident.starting.remove(&(ordinal, attempt));
                }
                self.event(now_us, parent_id, Event::Settled { ordinal, attempt, outcome });
            }
            Input::Drain => self.draining = true,
        }
    }

    /// When [`Input::Time`] is wanted next.
    pub fn next_wakeup(&self) -> Option<i64> {
        let deadline = self.wheel.first().map(|(deadline, _)| *deadline);
        let busy = (!self.busy.is_empty()).then_some(i64::MIN);
        // What waits for an answer of the store goes on when that comes.
        let is_away = self.store_away_until_us > self.now_us;
        let store = (is_away && !(self.dirty.is_empty() && self.unrouted.is_empty())).then_some(i64::MIN);
        let may_claim = self.claiming.is_none() && !self.draining;
        let claim = match self.suspect {
            Some((_, until_us)) if self.now_us < until_us => may_claim.then_some(until_us),
            _ => (may_claim && self.room() > 0).then_some(self.next_claim_us),
        };
        let beat = (self.heartbeating.is_none() && !self.residents.is_empty()).then_some(self.next_heartbeat_us);
        let may_delete = self.options.retention.is_some() && !self.deleting && !self.draining;
        let delete = may_delete.then_some(self.next_delete_us);
        let asks = [store, claim, beat, delete, Some(self.next_reclaim_us)];
        let ask = asks.into_iter().flatten().min().map(|at_us| at_us.max(self.store_away_until_us));
        [deadline, busy, ask].into_iter().flatten().min()
    }

    /// Nothing is claimed any more and nothing is on its way.
    pub fn is_drained(&self) -> bool {
        self.draining && self.claiming.is_none() && self.commits.is_empty() && self.dirty.is_empty()
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
        self.residents.values().map(sleep).collect()
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
                    self.event(now_us, id, Event::DeadlineReached);
                }
            }
        }
        self.put_actions(now_us);
        self.submit(now_us);
        if now_us < self.store_away_until_us {
            return;
        }
        if self.heartbeating.is_none() && now_us >= self.next_heartbeat_us && !self.residents.is_empty() {
            self.next_heartbeat_us = now_us + micros(self.options.heartbeat);
            let mut leases: Vec<Lease> = self.residents.values().map(|resident| resident.lease).collect();
            leases.sort_unstable();
            self.heartbeating = Some((now_us, leases.iter().copied().collect()));
            self.commands.push(Command::Heartbeat(Heartbeat { leases, lease: self.options.lease }));
        }
        if now_us >= self.next_reclaim_us {
            self.next_reclaim_us = now_us + micros(self.options.reclaim);
            self.commands.push(Command::Reclaim);
        }
        if let Some(retention) = self.options.retention
            && now_us >= self.next_delete_us
            && !self.deleting
            && !self.draining
        {
            self.deleting = true;
            self.next_delete_us = now_us + micros(self.options.retention_interval);
            let before = Timestamp(now_us.saturating_sub(micros(retention)));
            self.commands.push(Command::DeleteFinished { before, limit: self.options.retention_batch });
        }
        self.claim(now_us);
    }

    // ---- claiming

    /// How many more instances may be in memory. None while workers have more to do than is good: overload pushes back to claims.
    fn room(&self) -> usize {
        let is_suspicious = self.suspect.is_some_and(|(_, until_us)| self.now_us < until_us);
        if self.jobs >= self.options.jobs_max || is_suspicious {
            return 0;
        }
        self.options.instances_max.saturating_sub(self.residents.len())
    }

    fn claim(&mut self, now_us: i64) {
        let room = self.room();
        // Whoever is nearly full waits for a batch that is worth it, or for the next look.
        let batch = (self.options.claim_batch as usize).min(self.options.instances_max);
        let is_wanted = (self.hungry && room >= batch.div_ceil(4)) || now_us >= self.next_claim_us;
        if self.claiming.is_some() || self.draining || room == 0 || !is_wanted {
            return;
        }
        let limit = self.options.claim_batch.min(u32::try_from(room).unwrap_or(u32::MAX));
        self.claiming = Some(Claiming { limit, since_us: now_us });
        self.hungry = false;
        self.next_claim_us = now_us + micros(self.options.poll);
        self.commands.push(Command::Claim(Claim {
            engine: self.options.engine.clone(),
            queues: self.options.queues.clone(),
            limit,
            lease: self.options.lease,
            claims_max: self.options.claims_max,
        }));
    }

    fn claimed(&mut self, now_us: i64, claimed: Result<Claimed, Error>) {
        let Some(Claiming { limit, since_us }) = self.claiming.take() else { return };
        let Claimed { instances, next_due_in } = match claimed {
            Ok(claimed) => claimed,
            Err(_) => return self.store_away(now_us),
        };
        // A full batch means that there is more. Otherwise we know when the next one is due, and are there; a little late, so that
        // those that are due one after the other come together.
        if instances.len() >= limit as usize {
            self.hungry = true;
        } else if let Some(next) = next_due_in {
            let at_us = now_us.saturating_add(micros(next.max(self.options.claim_spacing)));
            self.next_claim_us = self.next_claim_us.min(at_us);
        }
        let ours_until_us = since_us + micros(self.options.lease);
        for instance in self.one_suspect_at_a_time(now_us, instances) {
            let version = instance.workflow_version_id;
            match self.programs.get_mut(&version) {
                Some(Program::Ready(lowered)) => {
                    let lowered = lowered.clone();
                    self.admit(now_us, lowered, ours_until_us, instance);
                }
                Some(Program::Loading(waiting)) => waiting.push((ours_until_us, instance)),
                None => {
                    self.programs.insert(version, Program::Loading(vec![(ours_until_us, instance)]));
                    self.commands.push(Command::LoadVersion(version));
                }
            }
        }
    }

    /// Whoever was claimed often without progress may be what took its hosts down, or was only there when it happened. The one that was
    /// claimed most often is tried alone, and all that came with it is given back, as if it had not been claimed.
    fn one_suspect_at_a_time(&mut self, now_us: i64, mut instances: Vec<ClaimedInstance>) -> Vec<ClaimedInstance> {
        let worst = instances.iter().max_by_key(|instance| (instance.claims, instance.lease.instance_id));
        let Some(worst) = worst.filter(|worst| worst.claims > self.options.suspect_claims) else { return instances };
        let suspect = worst.lease.instance_id;
        self.suspect = Some((suspect, now_us + micros(self.options.lease)));
        self.hungry = true;
        let others = instances.extract_if(.., |instance| instance.lease.instance_id != suspect);
        let others: Vec<Sleep> = others
            .map(|instance| Sleep {
                lease: instance.lease,
                scheduled_at: instance.scheduled_at,
                wake_seq: instance.wake_seq,
                waits_for: None,
                tried: false,
            })
            .collect();
        if !others.is_empty() {
            self.commands.push(Command::GiveBack(others));
        }
        instances
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
                for (ours_until_us, instance) in waiting {
                    self.admit(now_us, lowered.clone(), ours_until_us, instance);
                }
            }
            Err(reason) => {
                // Not remembered: somebody may mend it.
                let stuck = waiting.into_iter().map(|(_, instance)| (instance.lease, reason.clone()));
                self.commands.push(Command::MarkStuck(stuck.collect()));
            }
        }
    }

    /// It has made progress, or left.
    pub(crate) fn is_innocent(&mut self, id: Uuid) {
        self.suspect = self.suspect.filter(|(suspect, _)| *suspect != id);
    }

    /// Takes a claimed instance in, and goes on with it where it was.
    fn admit(&mut self, now_us: i64, lowered: Arc<Lowered>, ours_until_us: i64, claimed: ClaimedInstance) {
        let id = claimed.lease.instance_id;
        if now_us > ours_until_us && !self.options.sabotages(Sabotage::TrustLateAnswers) {
            // The answer was slow: it may be another's by now, who has done what we would do.
            return;
        }
        let resident = match hydrate::hydrate(&self.options, lowered, ours_until_us, &claimed) {
            Ok(resident) => resident,
            Err(reason) => return self.commands.push(Command::MarkStuck(vec![(claimed.lease, reason)])),
        };
        self.drop_resident(id);
        // What was in flight was committed: it may be dispatched again at once, under the same ids.
        let in_flight = resident.instance.in_flight();
        self.residents.insert(id, resident);
        self.admit_routed(id, &claimed);
        if !self.options.sabotages(Sabotage::ForgetInFlight) {
            for effect in in_flight {
                self.release(now_us, id, effect);
            }
        }
        if claimed.seq == 0 {
            match hydrate::first_event(&claimed.inputs) {
                Ok(event) => self.event(now_us, id, event),
                Err(reason) => return self.stuck(id, reason),
            }
        }
        let view = InboxView { instance_id: id, wake_seq: claimed.wake_seq, rows: claimed.inbox };
        self.read_mail(now_us, view);
        self.rest(now_us, id);
    }

    // ---- events

    /// Folds an event into a resident, or keeps it until the one before is folded.
    pub(crate) fn event(&mut self, now_us: i64, id: Uuid, event: Event) {
        self.arrival(now_us, id, Arrival::from(event));
    }

    fn arrival(&mut self, now_us: i64, id: Uuid, arrival: Arrival) {
        let Some(resident) = self.residents.get_mut(&id) else { return };
        if resident.instance.ending().is_some() {
            return;
        }
        if resident.busy.is_some() {
            resident.waiting.push_back(arrival);
            return;
        }
        match resident.fold(now_us, arrival) {
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
            let Some(arrival) = resident.waiting.pop_front() else { break };
            self.arrival(now_us, id, arrival);
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
        if idle && !resident.wakes_soon(now_us, &self.options) {
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
        let is_cancelled = matches!(event, Event::Settled { outcome: Outcome::Cancelled, .. });
        if is_cancelled
            && resident.running.contains(&(ordinal, attempt))
            && let Some(effect) = resident.instance.dispatched(ordinal, attempt)
        {
            // The instance did not ask for that: it is the end of a run for an owner before, which was us. It is still wanted.
            return self.release(now_us, instance_id, effect);
        }
        // A duplicate, or the answer to another owner's dispatch that was answered already.
        if resident.running.remove(&(ordinal, attempt)) {
            self.jobs -= 1;
            let Completion { worker, started_at_us, .. } = completion;
            self.arrival(now_us, instance_id, Arrival { event, message_id: None, worker, started_at_us });
        }
    }

    // ---- mail

    fn changed(&mut self, change: Change) {
        match change {
            Change::Work => self.hungry = true,
            Change::Inbox(id) => {
                match self.residents.get_mut(&id) {
                    // A read on its way may have seen it or not. However many come meanwhile, one more read brings them all.
                    Some(resident) if resident.reads > 0 => resident.reads_again = true,
                    Some(_) => self.read_inbox(vec![id]),
                    None => self.hungry = true,
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
        let mut asked = Vec::with_capacity(ids.len());
        for id in &ids {
            if let Some(resident) = self.residents.get_mut(id) {
                resident.reads += 1;
                asked.push(resident.lease);
            }
        }
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.reads.insert(ticket, asked);
        self.commands.push(Command::ReadInbox(ticket, ids));
    }

    fn inbox(&mut self, now_us: i64, ticket: u64, views: Result<Vec<InboxView>, Error>) {
        let mut asked = self.reads.remove(&ticket).unwrap_or_default();
        // One that came back meanwhile has read its inbox since, and must not see what it has consumed before.
        asked.retain(|lease| self.is_held(*lease));
        // One that failed is asked for again by the next heartbeat, which sees the higher `wake_seq`.
        for view in views.unwrap_or_default() {
            if asked.iter().any(|lease| lease.instance_id == view.instance_id) {
                self.read_mail(now_us, view);
            }
        }
        let mut again = Vec::new();
        for Lease { instance_id, .. } in asked {
            if let Some(resident) = self.residents.get_mut(&instance_id) {
                resident.reads = resident.reads.saturating_sub(1);
                resident.forget_gone();
                if resident.reads == 0 && std::mem::take(&mut resident.reads_again) {
                    again.push(instance_id);
                    continue;
                }
            }
            self.rest(now_us, instance_id);
        }
        if !again.is_empty() {
            self.read_inbox(again);
        }
    }

    /// Whether the instance is in memory, under this very lease.
    pub(crate) fn is_held(&self, lease: Lease) -> bool {
        self.residents.get(&lease.instance_id).is_some_and(|resident| resident.lease == lease)
    }

    fn read_mail(&mut self, now_us: i64, view: InboxView) {
        for row in view.rows {
            let Some(resident) = self.residents.get_mut(&view.instance_id) else { return };
            let is_new = resident.taken.insert(row.message_id);
            if !is_new && !self.options.sabotages(Sabotage::MailTwice) {
                continue;
            }
            match Mail::read(&row) {
                Ok(event) => {
                    if let Event::Settled { ordinal, attempt, .. } | Event::FragmentSettled { ordinal, attempt, .. } =
                        &event
                    {
                        resident.routed.remove(&(*ordinal, *attempt));
                    }
                    let message_id = Some(row.message_id);
                    let arrival = Arrival { event, message_id, worker: None, started_at_us: None };
                    self.arrival(now_us, view.instance_id, arrival);
                }
                Err(reason) => return self.stuck(view.instance_id, reason),
            }
        }
        if let Some(resident) = self.residents.get_mut(&view.instance_id) {
            resident.wake_seq = resident.wake_seq.max(view.wake_seq);
        }
    }

    fn heartbeat(&mut self, now_us: i64, held: Result<Vec<HeldLease>, Error>) {
        let (since_us, asked) = self.heartbeating.take().unwrap_or((now_us, FxHashSet::default()));
        let ours_until_us = since_us + micros(self.options.lease);
        let Ok(held) = held else { return self.store_away(now_us) };
        let held: FxHashMap<Uuid, i64> = held.into_iter().map(|lease| (lease.instance_id, lease.wake_seq)).collect();
        let mut mail = Vec::new();
        let mut lost = Vec::new();
        for (id, resident) in &mut self.residents {
            if held.contains_key(id) && asked.contains(&resident.lease) {
                resident.ours_until_us = resident.ours_until_us.max(ours_until_us);
            }
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
        self.is_innocent(id);
        if let Some(deadline) = resident.deadline_us {
            self.wheel.remove(&(deadline, id));
        }
        self.jobs -= resident.running.len();
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
            Effect::Dispatch(_) | Effect::DispatchFragment(_) => {
                let Some(job) = Job::of(id, &resident.workflow_name, effect) else { return };
                let key = job.key();
                if resident.routed.contains(&(key.ordinal, key.attempt)) && !self.options.sabotages(Sabotage::RunRouted)
                {
                    return;
                }
                if resident.instance.dispatched(key.ordinal, key.attempt).is_none() {
                    // It was told to stop before it began.
                    return;
                }
                self.jobs += usize::from(resident.running.insert((key.ordinal, key.attempt)));
                self.commands.push(Command::Run(job));
            }
            Effect::CancelAttempt { ordinal, attempt } => {
                if resident.running.contains(&(ordinal, attempt)) {
                    self.commands.push(Command::Cancel(JobKey { instance_id: id, ordinal, attempt }));
                } else if !self.cancel_routed(id, ordinal, attempt) {
                    // Nobody has it (a restart lost it): it has stopped.
                    let outcome = Outcome::Cancelled;
                    self.event(now_us, id, Event::Settled { ordinal, attempt, outcome });
                }
            }
            Effect::StartChild(call) => {
                let child_id = child_instance_id(call.execution, call.attempt);
                // Held until the child is there: a parent asleep would not start it again after a crash.
                resident.starting.insert((call.execution.ordinal, call.attempt));
                self.commands.push(Command::StartChild { child_id, parent_id: id, call });
            }
            Effect::CancelChild { ordinal, attempt } => {
                let child_id = child_instance_id(resident.instance.execution_id(ordinal), attempt);
                let key = (ordinal, CANCELLING | attempt);
                resident.starting.insert(key);
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
