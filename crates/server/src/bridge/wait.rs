//! Waiting for instances, without polling: whoever waits is registered first, then the instances are looked at, and looked at again when
//! the store says that they changed. One [`Looker`] reads for all who wait, in batches.
//!
//! Two things make it right even when notifications are lost: everything is looked at after a `Resync`, and now and then anyway.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use prost::Message;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use uuid::Uuid;
use waymark_proto::bridge as wire;
use waymark_store::{Change, Changes, Ending, Error, Instance, Store};

use super::{error, view};

/// Instances in one call.
pub(super) const INSTANCES_MAX: usize = 10_000;
/// Instances in all calls.
const WAITED_FOR_MAX: usize = 1_000_000;
/// Instances that one read brings.
const READ_BATCH: usize = 100;
const READS_IN_FLIGHT_MAX: usize = 2;
/// Instances that lie ready for one caller; the others are read again once it has taken these.
const READY_MAX: usize = 100;
/// A message that has gathered so many bytes of results is sent.
const MESSAGE_BYTES_WANTED: usize = 1 << 20;
/// Wait before a store that was away is asked again.
const READ_BACKOFF: Duration = Duration::from_millis(250);

type Delivery = Result<Arc<Instance>, Status>;
pub(super) type Ends = ReceiverStream<Result<wire::EndedInstances, Status>>;

/// One call that waits.
struct Waiter {
    number: u64,
    ready: mpsc::Sender<Delivery>,
    owed: Mutex<Owed>,
    /// Something about `owed` changed.
    told: Notify,
}

/// What must still be looked at before the call may end: one whose time is over still gets what had finished.
#[derive(Default)]
struct Owed {
    /// Not looked at yet.
    unseen: HashSet<Uuid>,
    /// Done, but there was no room for it.
    crowded_out: HashSet<Uuid>,
}

impl Owed {
    fn is_empty(&self) -> bool {
        self.unseen.is_empty() && self.crowded_out.is_empty()
    }

    fn settle(&mut self, id: &Uuid) {
        self.unseen.remove(id);
        self.crowded_out.remove(id);
    }
}

/// How an instance has ended, or why it can't go on.
#[derive(Clone, Debug)]
pub(super) struct End {
    pub status: waymark_store::Status,
    pub result: Option<Vec<u8>>,
    pub error: Option<Vec<u8>>,
    pub stuck_reason: Option<String>,
}

impl End {
    fn of(instance: &Instance) -> End {
        End {
            status: instance.status,
            result: instance.result.clone(),
            error: instance.error.clone(),
            stuck_reason: instance.stuck_reason.clone(),
        }
    }

    fn committed(ending: &Ending) -> End {
        End {
            status: ending.status(),
            result: ending.result().map(<[u8]>::to_vec),
            error: ending.error().map(<[u8]>::to_vec),
            stuck_reason: None,
        }
    }
}

/// The end of one that is being started. There is nothing to look at before somebody says so, and who says it may know how it ended.
pub(super) struct Expected {
    waiters: Arc<Waiters>,
    id: Uuid,
    number: u64,
    end: oneshot::Receiver<End>,
}

impl Expected {
    /// None: not within that time, or nobody can tell.
    pub async fn within(&mut self, time: Duration) -> Option<End> {
        tokio::time::timeout(time, &mut self.end).await.ok()?.ok()
    }
}

impl Drop for Expected {
    fn drop(&mut self) {
        let mut state = self.waiters.state();
        state.registered -= 1;
        if let Some(waiting) = state.expected.get_mut(&self.id) {
            waiting.retain(|(number, _)| *number != self.number);
            if waiting.is_empty() {
                state.expected.remove(&self.id);
            }
        }
    }
}

/// All who wait, by what they wait for.
#[derive(Default)]
pub(super) struct Waiters {
    state: Mutex<State>,
    /// There is something to look at.
    look: Notify,
}

#[derive(Default)]
struct State {
    waiting: HashMap<Uuid, Vec<Arc<Waiter>>>,
    /// Those who wait for the end of what they start.
    expected: HashMap<Uuid, Vec<(u64, oneshot::Sender<End>)>>,
    registered: usize,
    /// Some of those who are waited for.
    unseen: HashSet<Uuid>,
    next_number: u64,
}

impl Waiters {
    /// A stream of each of them once it has finished or is stuck. `patience` is how long beyond its time a call waits for a
    /// database that is away.
    pub fn wait(
        self: &Arc<Self>,
        ids: HashSet<Uuid>,
        timeout: Option<Duration>,
        patience: Duration,
        stopping: CancellationToken,
    ) -> Result<Ends, Status> {
        let (ready, receiver) = mpsc::channel(READY_MAX);
        let (answers, stream) = mpsc::channel(1);
        let registration = self.register(ids, ready)?;
        // A time beyond what clocks know is no limit.
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        tokio::spawn(async move {
            let ended = tokio::select! {
                ended = registration.relay(receiver, &answers, deadline, patience) => ended,
                () = stopping.cancelled() => Err(error::stopping()),
                () = answers.closed() => Ok(()),
            };
            if let Err(status) = ended {
                let _ = answers.send(Err(status)).await;
            }
        });
        Ok(ReceiverStream::new(stream))
    }

    /// Before it is started, so that nobody says that it has ended before somebody listens. None: too many wait.
    pub fn expect(self: &Arc<Self>, id: Uuid) -> Option<Expected> {
        let (sender, end) = oneshot::channel();
        let mut state = self.state();
        if state.registered >= WAITED_FOR_MAX {
            return None;
        }
        state.registered += 1;
        state.next_number += 1;
        let number = state.next_number;
        state.expected.entry(id).or_default().push((number, sender));
        drop(state);
        Some(Expected { waiters: self.clone(), id, number, end })
    }

    /// It has ended like this, and that is committed: whoever expects it need not look.
    pub fn ended(&self, id: Uuid, ending: &Ending) {
        let expecting = self.state().expected.remove(&id);
        for (_, sender) in expecting.into_iter().flatten() {
            let _ = sender.send(End::committed(ending));
        }
    }

    /// How many instances are waited for, once for each call that does.
    pub fn registered(&self) -> usize {
        self.state().registered
    }

    fn register(self: &Arc<Self>, ids: HashSet<Uuid>, ready: mpsc::Sender<Delivery>) -> Result<Registration, Status> {
        let mut state = self.state();
        if state.registered + ids.len() > WAITED_FOR_MAX {
            return Err(Status::resource_exhausted(format!(
                "more than the {WAITED_FOR_MAX} instances allowed are waited for\nhint: try again later"
            )));
        }
        state.registered += ids.len();
        state.next_number += 1;
        let owed = Mutex::new(Owed { unseen: ids.clone(), ..Owed::default() });
        let waiter = Arc::new(Waiter { number: state.next_number, ready, owed, told: Notify::new() });
        for id in &ids {
            state.waiting.entry(*id).or_default().push(waiter.clone());
            state.unseen.insert(*id);
        }
        drop(state);
        self.look.notify_one();
        Ok(Registration { waiters: self.clone(), waiter, left: ids })
    }

    fn unregister(&self, waiter: &Waiter, ids: &HashSet<Uuid>) {
        let mut state = self.state();
        state.registered -= ids.len();
        for id in ids {
            if let Some(waiters) = state.waiting.get_mut(id) {
                waiters.retain(|other| other.number != waiter.number);
                if waiters.is_empty() {
                    state.waiting.remove(id);
                    if !state.expected.contains_key(id) {
                        state.unseen.remove(id);
                    }
                }
            }
        }
    }

    /// Has instances looked at, as far as anybody waits for them.
    fn look_at(&self, ids: Vec<Uuid>) {
        if ids.is_empty() {
            return;
        }
        let mut state = self.state();
        for id in ids {
            if state.waiting.contains_key(&id) || state.expected.contains_key(&id) {
                state.unseen.insert(id);
            }
        }
        drop(state);
        self.look.notify_one();
    }

    fn look_at_all(&self) {
        let mut state = self.state();
        let State { waiting, expected, unseen, .. } = &mut *state;
        unseen.extend(waiting.keys().chain(expected.keys()));
    }

    fn take_unseen(&self) -> Vec<Uuid> {
        let mut state = self.state();
        let ids: Vec<Uuid> = state.unseen.iter().copied().take(READ_BATCH).collect();
        ids.iter().for_each(|id| {
            state.unseen.remove(id);
        });
        ids
    }

    /// What a look at an instance has shown.
    fn seen(&self, id: Uuid, seen: Seen) {
        let mut state = self.state();
        let waiters = state.waiting.get(&id).cloned().unwrap_or_default();
        let expecting = match &seen {
            Seen::Done(Ok(instance)) => state.expected.remove(&id).map(|senders| (senders, End::of(instance))),
            Seen::Done(Err(_)) | Seen::Running => None,
        };
        drop(state);
        for waiter in waiters {
            waiter.seen(id, &seen);
        }
        if let Some((senders, end)) = expecting {
            senders.into_iter().for_each(|(_, sender)| drop(sender.send(end.clone())));
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

enum Seen {
    Running,
    Done(Delivery),
}

impl Waiter {
    fn seen(&self, id: Uuid, seen: &Seen) {
        let mut owed = self.owed();
        owed.settle(&id);
        if let Seen::Done(delivery) = seen
            && let Err(mpsc::error::TrySendError::Full(_)) = self.ready.try_send(delivery.clone())
        {
            owed.crowded_out.insert(id);
        }
        drop(owed);
        self.told.notify_one();
    }

    fn owed(&self) -> MutexGuard<'_, Owed> {
        self.owed.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Ends with the call, however that ends.
struct Registration {
    waiters: Arc<Waiters>,
    waiter: Arc<Waiter>,
    /// Not delivered yet.
    left: HashSet<Uuid>,
}

impl Registration {
    async fn relay(
        mut self,
        mut ready: mpsc::Receiver<Delivery>,
        answers: &mpsc::Sender<Result<wire::EndedInstances, Status>>,
        deadline: Option<Instant>,
        patience: Duration,
    ) -> Result<(), Status> {
        // Set once the time is over, and put off by every delivery: a slow caller is no database that is away.
        let mut give_up: Option<Instant> = None;
        while !self.left.is_empty() {
            tokio::select! {
                biased;
                Some(delivery) = ready.recv() => {
                    let (ended, problem) = self.gather(delivery, &mut ready);
                    if !ended.instances.is_empty() {
                        if answers.send(Ok(ended)).await.is_err() {
                            return Ok(());
                        }
                        give_up = give_up.map(|_| Instant::now() + patience);
                    }
                    problem?;
                }
                () = self.waiter.told.notified() => {
                    if give_up.is_some() && self.waiter.owed().is_empty() {
                        return Ok(());
                    }
                    self.ask_again();
                }
                () = until(deadline), if give_up.is_none() => {
                    give_up = Some(Instant::now() + patience);
                    self.waiter.told.notify_one();
                }
                () = until(give_up), if give_up.is_some() => {
                    return Err(error::from_store(Error::Unavailable { reason: "instances could not be looked at in time".into() }));
                }
            }
        }
        Ok(())
    }

    /// One that is ready, and what else is by now. A problem comes after those that were before it.
    fn gather(
        &mut self,
        first: Delivery,
        ready: &mut mpsc::Receiver<Delivery>,
    ) -> (wire::EndedInstances, Result<(), Status>) {
        let (mut gathered, mut ended, mut bytes) = (HashSet::new(), wire::EndedInstances::default(), 0);
        let mut next = Some(first);
        let problem = loop {
            match next {
                Some(Ok(instance)) => {
                    // It may have been seen twice before it was delivered once.
                    if self.left.remove(&instance.instance_id) {
                        gathered.insert(instance.instance_id);
                        let seen = view::instance(&instance);
                        bytes += seen.encoded_len();
                        ended.instances.push(seen);
                    }
                }
                Some(Err(problem)) => break Err(problem),
                None => break Ok(()),
            }
            next = if bytes < MESSAGE_BYTES_WANTED { ready.try_recv().ok() } else { None };
        };
        self.waiters.unregister(&self.waiter, &gathered);
        let mut owed = self.waiter.owed();
        gathered.iter().for_each(|id| owed.settle(id));
        drop(owed);
        (ended, problem)
    }

    /// Those that found no room are read again, as many as there is room for now that all others were taken.
    fn ask_again(&self) {
        let crowded_out: Vec<Uuid> = self.waiter.owed().crowded_out.iter().copied().take(READY_MAX).collect();
        self.waiters.look_at(crowded_out);
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        self.waiters.unregister(&self.waiter, &self.left);
    }
}

async fn until(instant: Option<Instant>) {
    match instant {
        Some(instant) => tokio::time::sleep_until(instant).await,
        None => std::future::pending().await,
    }
}

/// Looks at instances for all who wait.
pub(super) struct Looker {
    store: Arc<dyn Store>,
    waiters: Arc<Waiters>,
    sweep: Duration,
}

impl Looker {
    pub fn new(store: Arc<dyn Store>, waiters: Arc<Waiters>, sweep: Duration) -> Looker {
        Looker { store, waiters, sweep: sweep.max(Duration::from_millis(1)) }
    }

    pub async fn run(self, mut changes: Changes, shutdown: CancellationToken) -> Result<(), Infallible> {
        let mut reads = JoinSet::new();
        let mut sweeps = tokio::time::interval_at(Instant::now() + self.sweep, self.sweep);
        sweeps.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut told = true;
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return Ok(()),
                Some(_) = reads.join_next() => {}
                () = self.waiters.look.notified() => {}
                _ = sweeps.tick() => self.waiters.look_at_all(),
                change = changes.recv(), if told => match change {
                    Ok(change) => self.changed(change, &mut changes),
                    Err(RecvError::Lagged(_)) => self.waiters.look_at_all(),
                    // The sweeps go on.
                    Err(RecvError::Closed) => told = false,
                },
            }
            while reads.len() < READS_IN_FLIGHT_MAX {
                let ids = self.waiters.take_unseen();
                if ids.is_empty() {
                    break;
                }
                reads.spawn(look(self.store.clone(), self.waiters.clone(), ids));
            }
        }
    }
}

impl Looker {
    /// A change and all that came with it, so that they are read together.
    fn changed(&self, first: Change, changes: &mut Changes) {
        let mut ids = Vec::new();
        let mut next = Ok(first);
        loop {
            match next {
                Ok(Change::Finished(id) | Change::Stuck(id)) => ids.push(id),
                Ok(Change::Resync) | Err(TryRecvError::Lagged(_)) => self.waiters.look_at_all(),
                Ok(_) => {}
                Err(TryRecvError::Empty | TryRecvError::Closed) => break,
            }
            next = changes.try_recv();
        }
        self.waiters.look_at(ids);
    }
}

async fn look(store: Arc<dyn Store>, waiters: Arc<Waiters>, ids: Vec<Uuid>) {
    match store.get_instances(ids.clone()).await {
        Ok(found) => {
            for (id, instance) in ids.into_iter().zip(found) {
                waiters.seen(id, seen(id, instance));
            }
        }
        Err(error) if error.is_transient() => {
            tracing::debug!(%error, "instances that are waited for could not be looked at");
            tokio::time::sleep(READ_BACKOFF).await;
            waiters.look_at(ids);
        }
        // One that can't be read must not hide the others.
        Err(_) => {
            for id in ids {
                let seen = match store.get_instances(vec![id]).await {
                    Ok(found) => seen(id, found.into_iter().next().flatten()),
                    Err(error) => Seen::Done(Err(error::from_store(error))),
                };
                waiters.seen(id, seen);
            }
        }
    }
}

fn seen(id: Uuid, instance: Option<Instance>) -> Seen {
    match instance {
        Some(instance) if matches!(instance.status, waymark_store::Status::Running | waymark_store::Status::Paused) => {
            Seen::Running
        }
        Some(instance) => Seen::Done(Ok(Arc::new(instance))),
        None => Seen::Done(Err(error::not_found(id))),
    }
}
