//! Points in time, as both databases store them.

use std::ops::Add;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Microseconds since the Unix epoch. [`Timestamp::NEVER`] is later than every other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// `infinity`: an instance with this `scheduled_at` waits until somebody wakes it.
    pub const NEVER: Timestamp = Timestamp(i64::MAX);

    /// This host's clock. Leases are judged by the database's clock, never by this one.
    pub fn now() -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Timestamp(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }

    pub fn saturating_sub(self, duration: Duration) -> Timestamp {
        Timestamp(self.0.saturating_sub(micros(duration)))
    }
}

impl Add<Duration> for Timestamp {
    type Output = Timestamp;

    fn add(self, duration: Duration) -> Timestamp {
        Timestamp(self.0.saturating_add(micros(duration)))
    }
}

pub(crate) fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// The clock of an embedded database: a simulation brings its own.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;
