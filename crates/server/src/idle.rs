//! When a process that a client started is of no use any more.
//!
//! It is in use while somebody calls or waits, while a worker of somebody else's is connected, while one of its own has a call, while
//! a job waits for one, while an instance is in hand (it may only compute), and while an instance or a schedule is due within the next
//! hour: nobody else would wake it. Those that sleep for longer, or wait for somebody, sleep on in the database; the next client
//! starts a process again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use waymark_store::{Store, Timestamp};

use crate::bridge::Bridge;
use crate::pool::Hub;

/// An instance that is due within this time keeps the process.
const DUE_WITHIN: Duration = Duration::from_secs(60 * 60);
/// Looks, at the shortest and at the longest.
const LOOK_EVERY: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(5));

pub(crate) struct Watch {
    pub store: Arc<dyn Store>,
    pub bridge: Option<Bridge>,
    pub hub: Hub,
    /// Those of the engine; none: other processes have engines, and due instances are theirs.
    pub queues: Vec<String>,
}

/// Ends when nothing has been going on for this long. None: never.
pub(crate) async fn reached(watch: &Watch, limit: Option<Duration>) {
    let Some(limit) = limit else { return std::future::pending().await };
    let pause = (limit / 20).clamp(LOOK_EVERY.0, LOOK_EVERY.1);
    let mut quiet_since = Instant::now();
    loop {
        tokio::time::sleep(pause).await;
        // Calls come and go between two looks.
        let called_at = watch.bridge.as_ref().map(Bridge::called_at);
        if watch.is_in_use().await {
            quiet_since = Instant::now();
        }
        let quiet_since = called_at.map_or(quiet_since, |called_at| called_at.max(quiet_since));
        if quiet_since.elapsed() >= limit {
            tracing::info!("nobody has used this process for {limit:?}");
            return;
        }
    }
}

impl Watch {
    async fn is_in_use(&self) -> bool {
        let pool = self.hub.status();
        let waited_for = self.bridge.as_ref().map_or(0, Bridge::waited_for);
        // Workers of our own are there for what others want of them.
        let works = pool.workers.iter().any(|worker| !worker.is_spawned || worker.in_flight > 0);
        waited_for > 0 || works || pool.waiting > 0 || self.hub.instances() > 0 || self.is_due_soon().await
    }

    async fn is_due_soon(&self) -> bool {
        if self.queues.is_empty() {
            return false;
        }
        let horizon = Timestamp::now().0.saturating_add(DUE_WITHIN.as_micros() as i64);
        match self.store.next_wakeup(&self.queues).await {
            Ok(next) if next.is_some_and(|next| next.0 <= horizon) => return true,
            Ok(_) => {}
            // Nobody knows: stay.
            Err(_) => return true,
        }
        match self.store.due_schedules(1).await {
            Ok(found) => !found.due.is_empty() || found.next_due_in.is_some_and(|next| next <= DUE_WITHIN),
            // Nobody knows: stay.
            Err(_) => true,
        }
    }
}
