//! Points in time, as both databases store them.

use std::ops::Add;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// For tests: milliseconds by which this process' calendar is wrong, so that hosts of one machine disagree.
const OFFSET_VARIABLE: &str = "WAYMARK_TEST_CLOCK_OFFSET_MS";

static OFFSET_US: LazyLock<i64> = LazyLock::new(|| offset_us(std::env::var(OFFSET_VARIABLE).ok().as_deref()));

fn offset_us(set: Option<&str>) -> i64 {
    set.and_then(|text| text.parse::<i64>().ok()).map_or(0, |offset_ms| offset_ms.saturating_mul(1_000))
}

/// Microseconds since the Unix epoch. [`Timestamp::NEVER`] is later than every other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// `infinity`: an instance with this `scheduled_at` waits until somebody wakes it.
    pub const NEVER: Timestamp = Timestamp(i64::MAX);

    /// This host's clock. Leases are judged by the database's clock, never by this one.
    pub fn now() -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        Timestamp(i64::try_from(since.as_micros()).unwrap_or(i64::MAX).saturating_add(*OFFSET_US))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_only_wrong_where_a_test_says_so() {
        for (set, offset) in [(None, 0), (Some("soon"), 0), (Some("-2500"), -2_500_000), (Some("9"), 9_000)] {
            assert_eq!(offset_us(set), offset, "{set:?}");
        }
    }
}
