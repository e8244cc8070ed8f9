//! Carries out what a [`Front`] and its [`Shard`](crate::Shard)s say: a store, workers, a clock.
//!
//! Each shard has an OS thread that computes and never waits for I/O: calls of the store are tasks of the runtime that [`run`] is called in.
//! Whoever brings little to a shard that rests, an outcome or the answer of a call, takes its turn in its place (`seat.rs`). The front is no
//! thread but a few steps under a lock, which whoever has something for it takes: a shard at the end of its turn, or a task with an answer. So
//! a shard that computes for long holds up neither the others' commits nor heartbeats.

mod children;
mod desk;
mod intake;
mod reports;
mod seat;
mod shard;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use waymark_runner::{Ending, LogLine};
use waymark_store::{Change, Sleep, Store};

use self::desk::Desk;
use self::seat::ShardThread;
use crate::{FrontInput, Job, JobKey, Options};

/// Who runs actions, and who listens.
pub trait Dispatcher: Send + Sync + 'static {
    /// Must not block. What becomes of the job is told to `reports`, once or more; it is begun only while [`Reports::is_ours`]. A job that runs already (its instance was lost and
    /// claimed again) is not run a second time: its outcome goes to the newer `reports`.
    fn run(&self, job: Job, reports: &Reports);

    /// Stop an attempt; its outcome is `Cancelled` once it has stopped, or whatever it came to before.
    fn cancel(&self, key: JobKey);

    /// The queues and actions that workers here know, for the [relay](crate::relay): a pair for each. Fragments are
    /// [`FRAGMENT_ACTION`](crate::FRAGMENT_ACTION).
    fn known(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// How many more jobs would start at once.
    fn free(&self) -> usize {
        usize::MAX
    }

    /// How many jobs could run at the same time.
    fn slots(&self) -> usize {
        usize::MAX
    }

    /// The engine has so many instances in hand.
    fn held(&self, _instances: usize) {}

    fn log(&self, _instance_id: Uuid, _line: LogLine) {}

    fn finished(&self, _instance_id: Uuid, _ending: Ending) {}
}

pub use self::intake::{Intake, Offer};
pub use self::reports::Reports;

/// Runs an engine until `shutdown`; then drains it and gives its leases back. `intake` is open as long.
pub async fn run(
    store: Arc<dyn Store>,
    options: Options,
    dispatcher: Arc<dyn Dispatcher>,
    intake: Intake,
    shutdown: CancellationToken,
) -> waymark_store::Result<()> {
    store.free_own_leases(&options.engine).await?;
    let mut changes = store.changes();
    let lease = options.lease;
    let numbers = 0..options.shards.max(1);
    let desk = Desk::new(store.clone(), options, dispatcher, intake.clone());
    // However this ends, threads and calls end with it.
    let _stop = desk.stop.clone().drop_guard();
    let mut shards: Vec<ShardThread> = numbers.map(|number| ShardThread::start(desk.clone(), number)).collect();
    // Since it drains: whatever it still waits for then, its leases have run out.
    let mut give_up_at = None;
    desk.tell(FrontInput::Slots(desk.dispatcher.slots()));
    intake.open(&desk);
    while !desk.is_drained() {
        let input = tokio::select! {
            biased;
            () = desk.broken.cancelled() => break,
            change = changes.recv() => match change {
                Ok(Change::Finished(_) | Change::Stuck(_) | Change::Versions | Change::Actions) => continue,
                Ok(change) => FrontInput::Changed(change),
                Err(RecvError::Lagged(_)) => FrontInput::Changed(Change::Resync),
                Err(RecvError::Closed) => {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    FrontInput::Time
                }
            },
            () = shutdown.cancelled(), if give_up_at.is_none() => {
                give_up_at = Some(tokio::time::Instant::now() + lease);
                FrontInput::Drain
            }
            () = give_up(give_up_at) => return Ok(()),
            () = desk.wakeup() => FrontInput::Slots(desk.dispatcher.slots()),
        };
        desk.tell(input);
    }
    let mut held: Vec<Sleep> = Vec::new();
    for shard in &mut shards {
        held.extend(tokio::select! {
            biased;
            held = shard.end() => held,
            () = desk.broken.cancelled() => panic!("a call of the engine was lost"),
            () = give_up(give_up_at) => return Ok(()),
        });
    }
    // Leases of what is in memory are free at once, for whoever comes first.
    desk.stop.cancel();
    store.sleep(held).await?;
    Ok(())
}

/// Somebody waits for the answer of every task: a part that lost one would go on half alive.
pub(crate) fn lost<T>(error: tokio::task::JoinError) -> T {
    match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(error) => panic!("a task of the engine was aborted: {error}"),
    }
}

async fn give_up(at: Option<tokio::time::Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
    tracing::warn!("the store does not answer: stopping without it; what was not committed is run again");
}
