//! What the system knows of a process.

use std::fs;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

/// What Linux shows CPU times in, on every machine.
const TICK_MS: u64 = 10;

fn pid(number: u32) -> Pid {
    Pid::from_raw(number as i32).expect("a process id")
}

/// To one process, if it is still there.
pub fn signal(number: u32, signal: Signal) {
    let _ = kill_process(pid(number), signal);
}

pub fn is_alive(number: u32) -> bool {
    // One that has ended, and whose parent has not asked yet, is dead.
    test_kill_process(pid(number)).is_ok() && stat(number).is_some_and(|fields| fields[0] != "Z")
}

/// The fields of `/proc/N/stat` after the name, which may contain anything.
fn stat(number: u32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    let (_, fields) = text.rsplit_once(") ")?;
    Some(fields.split_whitespace().map(str::to_string).collect())
}

pub fn children(parent: u32) -> Vec<u32> {
    let numbers =
        fs::read_dir("/proc").expect("/proc").flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers
        .filter(|number| stat(*number).is_some_and(|fields| fields[0] != "Z" && fields[1] == parent.to_string()))
        .collect()
}

/// The most memory that it ever had in use.
pub fn peak_bytes(number: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{number}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("VmHWM");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") * 1024
}

/// The time that it has spent on a core, with all threads that it ever had.
pub fn cpu_time(number: u32) -> Duration {
    let fields = stat(number).expect("it runs");
    let ticks: u64 = fields[11..=12].iter().map(|ticks| ticks.parse::<u64>().expect("a number")).sum();
    Duration::from_millis(ticks * TICK_MS)
}
