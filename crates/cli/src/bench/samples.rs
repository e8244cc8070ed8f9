//! Times that were measured one after the other.

use std::time::{Duration, Instant};

use waymark_store::floor::Floor;

/// An event that brings a small number is about this long.
pub const OUTCOME_BYTES: usize = 12;

/// Sorted, and not empty.
#[derive(Clone, Debug)]
pub struct Samples(Vec<Duration>);

impl Samples {
    pub fn new(mut times: Vec<Duration>) -> Samples {
        assert!(!times.is_empty(), "something was measured");
        times.sort_unstable();
        Samples(times)
    }

    pub fn mean(&self) -> Duration {
        self.0.iter().sum::<Duration>() / self.0.len() as u32
    }

    /// The time that so many of a hundred did not exceed.
    pub fn percentile(&self, percent: usize) -> Duration {
        let rank = (self.0.len() * percent).div_ceil(100);
        self.0[rank.saturating_sub(1)]
    }
}

/// How long one durable commit takes, when nothing else is going on.
pub async fn commits(floor: &mut Floor, count: usize) -> anyhow::Result<Samples> {
    let instance_id = floor.begin_one().await?;
    let mut times = Vec::new();
    for seq in 1..=count {
        let begun = Instant::now();
        floor.commit_one(instance_id, seq as i64, OUTCOME_BYTES).await?;
        times.push(begun.elapsed());
    }
    Ok(Samples::new(times))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_times_that_were_measured() {
        let samples = Samples::new((1..=200).rev().map(Duration::from_millis).collect());
        let percentiles = [0, 50, 95, 99, 100].map(|percent| samples.percentile(percent).as_millis());
        assert_eq!(percentiles, [1, 100, 190, 198, 200]);
        assert_eq!(samples.mean(), Duration::from_micros(100_500));
        assert_eq!(Samples::new(vec![Duration::from_secs(1)]).percentile(99), Duration::from_secs(1));
    }
}
