//! Times, counted by size: four steps for each power of two, so a quantile is off by a fifth at most.

use std::time::Duration;

/// The last one is beyond an hour.
const STEPS: usize = 128;

pub(super) struct Histogram {
    counts: [u64; STEPS],
    total: u64,
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram { counts: [0; STEPS], total: 0 }
    }
}

impl Histogram {
    pub fn add(&mut self, time: Duration) {
        let us = u64::try_from(time.as_micros()).unwrap_or(u64::MAX).max(4);
        let power = 63 - us.leading_zeros() as usize;
        let quarter = (us >> (power - 2)) as usize & 3;
        let step = ((power - 2) * 4 + quarter).min(STEPS - 1);
        self.counts[step] += 1;
        self.total += 1;
    }

    /// In microseconds: the upper end of the step that the quantile lies in. 0: nothing was counted.
    pub fn quantile_us(&self, quantile: f64) -> i64 {
        let wanted = (self.total as f64 * quantile).ceil() as u64;
        let mut seen = 0;
        for (step, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted && seen > 0 {
                return (5 + step as i64 % 4) << (step / 4);
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_close() {
        assert_eq!(Histogram::default().quantile_us(0.5), 0);
        let mut histogram = Histogram::default();
        (1..=1_000).for_each(|ms| histogram.add(Duration::from_millis(ms)));
        for (quantile, expected) in [(0.5, 500_000.0), (0.99, 990_000.0)] {
            let ratio = histogram.quantile_us(quantile) as f64 / expected;
            assert!((1.0..1.25).contains(&ratio), "{quantile}: {ratio}");
        }
        histogram.add(Duration::MAX);
    }
}
