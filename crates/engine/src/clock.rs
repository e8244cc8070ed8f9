//! The time, by two clocks.

use std::time::{Duration, Instant};

use waymark_store::Timestamp;

/// A point in time. The calendar says when things happened and when they are due; it may be set forward and back. How much time has
/// passed, for leases, heartbeats and polls, is told by a clock that only goes forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// Microseconds since 1970, by this host's calendar.
    pub calendar_us: i64,
    /// Microseconds since some time before; it never goes back.
    pub steady_us: i64,
}

/// Both clocks agree.
impl From<i64> for Now {
    fn from(at_us: i64) -> Now {
        Now { calendar_us: at_us, steady_us: at_us }
    }
}

/// This host's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    started: Instant,
}

impl Clock {
    pub fn start() -> Clock {
        Clock { started: Instant::now() }
    }

    pub fn now(&self) -> Now {
        Now { calendar_us: Timestamp::now().0, steady_us: micros(self.started.elapsed()) }
    }

    /// How long until a steady time.
    pub fn until(&self, steady_us: i64) -> Duration {
        let left_us = steady_us.saturating_sub(micros(self.started.elapsed()));
        Duration::from_micros(u64::try_from(left_us).unwrap_or_default())
    }
}

pub(crate) fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}
