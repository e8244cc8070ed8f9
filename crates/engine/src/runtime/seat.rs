//! Where a shard is driven. It has a thread, which sees to what takes long and to the time. But waking a thread costs more than most turns
//! take, so whoever brings a little to a shard that rests drives it itself ([0015](../../../docs/decisions/0015-driven-in-place.md)).
//!
//! Nobody waits for a shard but its thread: what is brought while somebody drives it is left in the inbox, and whoever drives looks there
//! once more after having let go of it.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::sync::{Notify, oneshot};
use waymark_store::Sleep;

use super::desk::Desk;
use super::shard::Living;
use crate::Input;
use crate::clock::micros;
use crate::shard::Admission;

/// Inputs that one turn takes, so that commits leave in between.
const INPUTS_MAX: usize = 1_000;

/// What a turn in place may weigh: see [`weight`].
const WEIGHT_IN_PLACE_MAX: usize = 64;

/// A turn in place that took longer than this was none for whoever brought it, who has others to serve…
const TURN_IN_PLACE_MAX: Duration = Duration::from_millis(2);

/// …so that for so many times as long, all turns are the thread's: those who bring things lose at most one part in so many.
const PAUSE_FACTOR: u32 = 50;

pub(super) struct Seat {
    inbox: Mutex<Inbox>,
    living: Mutex<Living>,
    /// Calls the thread.
    thread: Notify,
    /// Turns are the thread's until then, by the steady clock.
    thread_until_us: AtomicI64,
}

/// What has come for a shard and was not taken yet, in order.
#[derive(Default)]
struct Inbox {
    inputs: Vec<Input>,
    weight: usize,
}

impl Inbox {
    /// What one turn takes.
    fn take(&mut self) -> Vec<Input> {
        let taken = match self.inputs.len() <= INPUTS_MAX {
            true => std::mem::take(&mut self.inputs),
            false => self.inputs.drain(..INPUTS_MAX).collect(),
        };
        self.weight = self.inputs.iter().map(weight).sum();
        taken
    }
}

/// How much there is to an input, in small ones.
fn weight(input: &Input) -> usize {
    match input {
        Input::Admit(admissions) => admissions.iter().map(weight_of_admission).sum(),
        Input::Committed(_, Ok(answers)) => answers.len(),
        Input::Inbox(_, Ok(views)) => views.iter().map(|view| 1 + view.rows.len()).sum(),
        Input::Heartbeat(beat) => beat.held.len(),
        _ => 1,
    }
}

fn weight_of_admission<Program>(Admission { instance, .. }: &Admission<Program>) -> usize {
    let state = instance.snapshot.as_ref().map_or(0, |snapshot| snapshot.state.len());
    1 + instance.log.len() + instance.inbox.len() + (instance.inputs.len() + state) / 1_024
}

impl Seat {
    pub fn new(living: Living) -> Seat {
        Seat {
            inbox: Mutex::default(),
            living: Mutex::new(living),
            thread: Notify::new(),
            thread_until_us: AtomicI64::new(i64::MIN),
        }
    }

    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something for the shard. Whoever leaves it [drives](Seat::drive) it then, or somebody else might never.
    pub fn leave(&self, input: Input) {
        let mut inbox = self.inbox();
        inbox.weight += weight(&input);
        inbox.inputs.push(input);
    }

    /// Sees to it that the shard takes what was left for it: here, if it is little and nobody else is at it.
    pub fn drive(&self, desk: &Arc<Desk>) {
        loop {
            let (is_empty, weight) = {
                let inbox = self.inbox();
                (inbox.inputs.is_empty(), inbox.weight)
            };
            if is_empty {
                return;
            }
            let now_us = desk.clock.now().steady_us;
            if weight > WEIGHT_IN_PLACE_MAX || now_us < self.thread_until_us.load(Ordering::Relaxed) {
                return self.thread.notify_one();
            }
            // Whoever has it looks into the inbox when done with it.
            let Ok(mut living) = self.living.try_lock() else { return };
            let _broken = BrokenByPanic(desk);
            if living.is_busy() {
                drop(living);
                return self.thread.notify_one();
            }
            let began = Instant::now();
            let inputs = self.inbox().take();
            living.turn(desk, inputs);
            let took = began.elapsed();
            if took > TURN_IN_PLACE_MAX {
                self.thread_until_us.store(now_us + micros(took * PAUSE_FACTOR), Ordering::Relaxed);
            }
            if living.wants_thread() {
                self.thread.notify_one();
            }
        }
    }

    /// What its thread does, until nothing is left to do: what the shard held then. None: it was stopped.
    async fn live(&self, desk: &Arc<Desk>) -> Option<Vec<Sleep>> {
        // One that computes without a pause does not notice otherwise that it is over.
        while !desk.stop.is_cancelled() {
            let left = {
                let mut living = self.living.lock().unwrap_or_else(|_| panic!("a turn has panicked"));
                let inputs = self.inbox().take();
                living.turn(desk, inputs);
                if living.is_drained() {
                    return Some(living.end());
                }
                living.plan_wakeup(desk)
            };
            if !self.inbox().inputs.is_empty() || left.is_some_and(|left| left.is_zero()) {
                continue;
            }
            tokio::select! {
                () = self.thread.notified() => {}
                () = tokio::time::sleep(left.unwrap_or_default()), if left.is_some() => {}
            }
        }
        None
    }
}

/// An engine that lost a turn would go on half alive.
struct BrokenByPanic<'a>(&'a Desk);

impl Drop for BrokenByPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.broken.cancel();
        }
    }
}

/// A shard's thread.
pub(super) struct ShardThread {
    thread: Option<JoinHandle<()>>,
    /// What it held at its end.
    held: oneshot::Receiver<Vec<Sleep>>,
}

impl ShardThread {
    pub fn start(desk: Arc<Desk>, number: usize) -> ShardThread {
        let (ended, held) = oneshot::channel();
        // It waits to be called and for the time, and for nothing else.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let runtime = runtime.expect("a runtime without I/O can be made");
        let thread = std::thread::Builder::new().name(format!("shard-{number}")).spawn(move || {
            let _broken = BrokenByPanic(&desk);
            let live = desk.stop.run_until_cancelled(desk.seat(number).live(&desk));
            if let Some(held) = runtime.block_on(live).flatten() {
                let _ = ended.send(held);
            }
        });
        let thread = thread.expect("the system has room for a thread");
        ShardThread { thread: Some(thread), held }
    }

    /// Waits until it is drained, and says what it still held.
    pub async fn end(&mut self) -> Vec<Sleep> {
        let held = (&mut self.held).await;
        let joined = self.thread.take().map(JoinHandle::join);
        if let Some(Err(panic)) = joined {
            std::panic::resume_unwind(panic);
        }
        held.unwrap_or_default()
    }
}
