//! What processes cost: their processor time, and what they wrote.

use std::collections::BTreeMap;
use std::time::Duration;

/// The processor time of each process, by id, so far.
#[derive(Clone, Debug, Default)]
pub struct Times(BTreeMap<u32, Duration>);

impl Times {
    /// Of one process.
    pub fn of(process_id: u32) -> Times {
        Times(time(process_id).map(|time| (process_id, time)).into_iter().collect())
    }

    /// Of a process and of its siblings: the backends of a Postgres, and whatever else its server started.
    pub fn of_family(process_id: u32) -> Times {
        let Some(parent) = parent(process_id) else { return Times::default() };
        let mut times = BTreeMap::new();
        for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
            if (id == parent || self::parent(id) == Some(parent))
                && let Some(time) = time(id)
            {
                times.insert(id, time);
            }
        }
        Times(times)
    }

    /// What was used since `before`. A process that has ended meanwhile is not counted.
    pub fn since(&self, before: &Times) -> Duration {
        self.0.iter().map(|(id, time)| time.saturating_sub(before.0.get(id).copied().unwrap_or_default())).sum()
    }
}

/// Bytes that this process has sent to the disk.
pub fn bytes_written() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/io").ok()?;
    text.lines().find_map(|line| line.strip_prefix("write_bytes: "))?.parse().ok()
}

/// The scheduler's own count, in nanoseconds; ticks of a clock are too coarse for short runs.
fn time(process_id: u32) -> Option<Duration> {
    let mut total = 0;
    for thread in std::fs::read_dir(format!("/proc/{process_id}/task")).ok()?.flatten() {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        total += text.split_whitespace().next()?.parse::<u64>().ok()?;
    }
    Some(Duration::from_nanos(total))
}

fn parent(process_id: u32) -> Option<u32> {
    let text = std::fs::read_to_string(format!("/proc/{process_id}/stat")).ok()?;
    // The name of the program, in parentheses, may hold anything.
    text.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}
