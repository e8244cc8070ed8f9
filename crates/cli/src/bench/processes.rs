//! What the system knows of processes: their processor time, memory, and what they wrote.

use std::collections::BTreeMap;
use std::time::Duration;

/// The processor time of each process, by id, so far.
#[derive(Clone, Debug, Default)]
pub struct Times(BTreeMap<u32, Duration>);

impl Times {
    pub fn of(processes: &[u32]) -> Times {
        Times(processes.iter().filter_map(|id| Some((*id, time(*id)?))).collect())
    }

    /// Of a process and of its siblings: the backends of a Postgres, and whatever else its server started.
    pub fn of_family(process_id: u32) -> Times {
        let Some(parent) = parent(process_id) else { return Times::default() };
        let mut family = children(parent);
        family.push(parent);
        Times::of(&family)
    }

    /// What was used since `before`. A process that has ended meanwhile is not counted.
    pub fn since(&self, before: &Times) -> Duration {
        self.0.iter().map(|(id, time)| time.saturating_sub(before.0.get(id).copied().unwrap_or_default())).sum()
    }
}

pub fn children(of: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|id| parent(*id) == Some(of)).collect()
}

/// Bytes that a process has sent to the disk.
pub fn bytes_written(process_id: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process_id}/io")).ok()?;
    text.lines().find_map(|line| line.strip_prefix("write_bytes: "))?.parse().ok()
}

/// Resident memory, from the pages that Linux counts.
pub fn resident_bytes(process_id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process_id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1_024)
}

/// The scheduler's own count, in nanoseconds; ticks of a clock are too coarse for short runs.
fn time(process_id: u32) -> Option<Duration> {
    let mut total = 0;
    for thread in std::fs::read_dir(format!("/proc/{process_id}/task")).ok()?.flatten() {
        // A thread may end while they are counted.
        let Ok(text) = std::fs::read_to_string(thread.path().join("schedstat")) else { continue };
        total += text.split_whitespace().next()?.parse::<u64>().ok()?;
    }
    Some(Duration::from_nanos(total))
}

fn parent(process_id: u32) -> Option<u32> {
    let text = std::fs::read_to_string(format!("/proc/{process_id}/stat")).ok()?;
    // The name of the program, in parentheses, may hold anything.
    text.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}
