//! Where whoever runs jobs says what became of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::mpsc;

use crate::Report;

/// Where reports go: each shard has its own. It knows too for how long the shard's leases last, by a clock that goes on while the process
/// does not: a job that waited for a worker all the while may be another engine's by now, and must not be begun.
#[derive(Clone, Debug)]
pub struct Reports {
    to: mpsc::UnboundedSender<Report>,
    since: Instant,
    /// Microseconds, from then.
    ours_until_us: Arc<AtomicU64>,
}

impl Reports {
    /// With where they arrive. Leases last for ever until it is said how long.
    pub fn channel() -> (Reports, mpsc::UnboundedReceiver<Report>) {
        let (to, reported) = mpsc::unbounded_channel();
        (Reports { to, since: Instant::now(), ours_until_us: Arc::new(AtomicU64::new(u64::MAX)) }, reported)
    }

    /// An engine that is gone has lost its instances: whoever claims them asks again.
    pub fn send(&self, report: Report) {
        let _ = self.to.send(report);
    }

    /// From now on, leases last for so long.
    pub fn ours_for(&self, left: Duration) {
        let until = self.since.elapsed().saturating_add(left);
        self.ours_until_us.store(u64::try_from(until.as_micros()).unwrap_or(u64::MAX), Ordering::Release);
    }

    /// Whether a job may be begun. If not, it is cancelled soon, or leases turn out to be held.
    pub fn is_ours(&self) -> bool {
        self.since.elapsed().as_micros() <= u128::from(self.ours_until_us.load(Ordering::Acquire))
    }
}
