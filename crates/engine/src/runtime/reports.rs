//! Where whoever runs jobs says what became of them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use tokio::sync::mpsc;

use super::desk::Desk;
use crate::{Input, Report};

/// Where reports go: each shard has its own. It knows too for how long the shard's leases last, by a clock that goes on while the process
/// does not: a job that waited for a worker all the while may be another engine's by now, and must not be begun.
#[derive(Clone)]
pub struct Reports {
    to: To,
    since: Instant,
    /// Microseconds, from then.
    ours_until_us: Arc<AtomicU64>,
}

#[derive(Clone)]
enum To {
    Channel(mpsc::UnboundedSender<Report>),
    /// An engine that is gone has lost its instances: whoever claims them asks again.
    Shard(Weak<Desk>, usize),
}

impl Reports {
    /// With where they arrive.
    pub fn channel() -> (Reports, mpsc::UnboundedReceiver<Report>) {
        let (to, reported) = mpsc::unbounded_channel();
        (Reports::new(To::Channel(to)), reported)
    }

    pub(super) fn of_shard(desk: Weak<Desk>, number: usize) -> Reports {
        Reports::new(To::Shard(desk, number))
    }

    /// Leases last for ever until it is said how long.
    fn new(to: To) -> Reports {
        Reports { to, since: Instant::now(), ours_until_us: Arc::new(AtomicU64::new(u64::MAX)) }
    }

    /// What follows may be done here and now: whoever calls holds no lock that the engine, or whoever runs its jobs, might want.
    pub fn send(&self, report: Report) {
        self.leave(report);
        self.drive();
    }

    /// Reports that came at the same time: what they lead to shares a commit.
    pub fn send_all(all: impl IntoIterator<Item = (Reports, Report)>) {
        let mut told: Vec<Reports> = Vec::new();
        for (reports, report) in all {
            reports.leave(report);
            if !told.iter().any(|other| Arc::ptr_eq(&other.ours_until_us, &reports.ours_until_us)) {
                told.push(reports);
            }
        }
        told.iter().for_each(Reports::drive);
    }

    fn leave(&self, report: Report) {
        match &self.to {
            To::Channel(to) => drop(to.send(report)),
            To::Shard(desk, number) => {
                if let Some(desk) = desk.upgrade() {
                    desk.seat(*number).leave(Input::Reported(report));
                }
            }
        }
    }

    fn drive(&self) {
        if let To::Shard(desk, number) = &self.to
            && let Some(desk) = desk.upgrade()
        {
            desk.seat(*number).drive(&desk);
        }
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
