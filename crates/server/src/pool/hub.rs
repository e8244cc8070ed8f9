//! The hub: streams of workers on one side, jobs of engines on the other.
//!
//! One lock around one [`State`], held for a few steps at a time; what a job or a frame brings about is decided by whoever brings it, and
//! the stream of a worker sends whatever has gathered when it gets its turn. So a call passes no task of ours on its way, and batches form
//! by themselves when there is more to do. Payloads are written and read outside the lock.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tokio::sync::{Notify, watch};
use waymark_engine::runtime::{Dispatcher, Reports};
use waymark_engine::{Job, JobKey};
use waymark_proto::FRAME_BYTES_MAX;
use waymark_proto::worker::workers_server::WorkersServer;

use super::state::State;
use super::stream::WorkersService;
use super::{Options, PAYLOAD_BYTES_CEILING, Status};

/// Cheap to clone: a handle.
#[derive(Clone)]
pub struct Hub {
    pub(super) shared: Arc<Shared>,
}

/// What a spawner wants to know about a worker that it started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// Not heard of yet.
    Expected,
    Connected,
    /// It has had as many calls as it may; it goes on until it is drained.
    WornOut,
    /// It gets no more calls, because it ignored a cancellation.
    Condemned,
    /// Its stream is over.
    Gone,
}

pub(super) struct Shared {
    state: Mutex<State>,
    /// Instances that the engine has in hand.
    held: AtomicUsize,
    /// The timers have changed.
    timers: Arc<Notify>,
    /// A worker has nothing left to do.
    idle: Notify,
    pub payload_bytes_max: usize,
}

impl Hub {
    /// Has to be called in a runtime: timers have a task, which ends with the last handle.
    pub fn new(mut options: Options) -> Hub {
        options.payload_bytes_max = options.payload_bytes_max.min(PAYLOAD_BYTES_CEILING);
        let shared = Arc::new(Shared {
            payload_bytes_max: options.payload_bytes_max,
            state: Mutex::new(State::new(options)),
            timers: Arc::default(),
            idle: Notify::new(),
            held: AtomicUsize::new(0),
        });
        tokio::spawn(keep_time(Arc::downgrade(&shared), shared.timers.clone()));
        Hub { shared }
    }

    /// The gRPC service. Who may use it is the matter of whoever serves it.
    pub fn service(&self) -> WorkersServer<WorkersService> {
        WorkersServer::new(WorkersService::new(self.clone()))
            .max_decoding_message_size(FRAME_BYTES_MAX)
            .max_encoding_message_size(FRAME_BYTES_MAX)
    }

    /// Gives out no more calls, tells workers to finish, and waits until they have or the time has come. Their results are reported; what
    /// they still hold then is theirs to lose.
    pub async fn drain(&self, deadline: Instant) {
        self.shared.with(|state| {
            state.draining = true;
            let numbers: Vec<u64> = state.workers.iter().map(|(number, _)| number).collect();
            numbers.into_iter().for_each(|number| state.drain_worker(number));
        });
        let idle = async {
            loop {
                let notified = self.shared.idle.notified();
                tokio::pin!(notified);
                notified.as_mut().enable();
                if self.shared.with(|state| state.workers.iter().all(|(_, worker)| worker.held.is_empty())) {
                    return;
                }
                notified.await;
            }
        };
        let _ = tokio::time::timeout_at(deadline.into(), idle).await;
    }

    /// Whether [`Hub::drain`] has been called: a worker that goes needs no successor.
    pub fn is_draining(&self) -> bool {
        self.shared.with(|state| state.draining)
    }

    /// Tells one worker to finish what it holds, and to go.
    pub fn drain_worker(&self, worker_id: &str) {
        self.shared.with(|state| {
            if let Some(number) = state.worker_by_id.get(worker_id).copied() {
                state.drain_worker(number);
            }
        });
    }

    /// What becomes of a worker that is about to be started. Ends when [`Hub::unfollow`] is called.
    pub fn follow(&self, worker_id: &str) -> watch::Receiver<Life> {
        let (sender, receiver) = watch::channel(Life::Expected);
        self.shared.with(|state| state.lives.insert(worker_id.into(), sender));
        receiver
    }

    pub fn unfollow(&self, worker_id: &str) {
        self.shared.with(|state| state.lives.remove(worker_id));
    }

    /// Instances that the engine has in hand, whether workers have something to do for them or not.
    pub fn instances(&self) -> usize {
        self.shared.held.load(Ordering::Relaxed)
    }

    pub fn status(&self) -> Status {
        self.shared.with(|state| Status::of(state))
    }
}

impl Dispatcher for Hub {
    fn run(&self, job: Job, reports: &Reports) {
        self.shared.with(|state| state.run(job, reports.clone()));
    }

    fn cancel(&self, key: JobKey) {
        self.shared.with(|state| state.cancel(key));
    }

    fn known(&self) -> Vec<(String, String)> {
        let known = self.shared.with(|state| -> BTreeSet<(String, String)> {
            state.workers.iter().flat_map(|(_, worker)| worker.profile.known()).collect()
        });
        known.into_iter().collect()
    }

    fn free(&self) -> usize {
        self.shared.with(|state| state.workers.iter().map(|(_, worker)| worker.free()).sum())
    }

    fn slots(&self) -> usize {
        self.shared.with(|state| state.workers.iter().map(|(_, worker)| worker.profile.slots).sum())
    }

    fn held(&self, instances: usize) {
        self.shared.held.store(instances, Ordering::Relaxed);
    }
}

impl Shared {
    /// Does something, and then what follows from it.
    pub fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let result = act(&mut state);
        let after = std::mem::take(&mut state.after);
        drop(state);
        after.wake.into_iter().for_each(|waker| waker.wake());
        if after.timer {
            self.timers.notify_one();
        }
        if after.idle {
            self.idle.notify_waiters();
        }
        // Last: the engine may go on with them here and now, and come back to us.
        Reports::send_all(after.reports);
        result
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.timers.notify_one();
    }
}

async fn keep_time(shared: std::sync::Weak<Shared>, changed: Arc<Notify>) {
    loop {
        let Some(hub) = shared.upgrade() else { return };
        let next = hub.with(|state| state.tick());
        drop(hub);
        match next {
            Some(at) => {
                let _ = tokio::time::timeout_at(at.into(), changed.notified()).await;
            }
            None => changed.notified().await,
        }
    }
}
