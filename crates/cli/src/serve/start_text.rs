//! What a process that serves says first: what it is, and where.

use std::fmt::Write;

use waymark_server::Listeners;

use super::Process;
use crate::terminal::{self, count};

pub struct StartText {
    /// Where others reach us: with its scheme, unless it is loopback in plain text.
    pub bridge_address: Option<String>,
    pub worker_address: Option<String>,
    lines: String,
}

impl StartText {
    pub fn new(process: &Process, listeners: &Listeners) -> anyhow::Result<StartText> {
        let values = &process.configuration.values;
        let bridge_address = process.told_address("bridge_address", &values.bridge_address, &listeners.bridge)?;
        let worker_address = process.told_address("worker_address", &values.worker_address, &listeners.workers)?;
        let mut lines = format!("waymark {}\n", env!("CARGO_PKG_VERSION"));
        let mut line = |name: &str, value: &str| {
            let _ = writeln!(lines, "  {name:<10} {value}");
        };
        let configuration = &process.configuration;
        let note = if process.is_default_database() { " (no database is set)" } else { "" };
        line("database", &format!("{}{note}", configuration.database));
        line("bridge", bridge_address.as_deref().unwrap_or("none"));
        let spawned = if process.spawns_workers() { configuration.values.workers } else { 0 };
        if let Some(address) = &worker_address {
            line(
                "workers",
                &format!(
                    "{} here, others connect to {address}",
                    count(spawned, "process").replace("processs", "processes")
                ),
            );
        }
        match configuration.values.token {
            Some(_) => line("token", &format!("set by {}", configuration.origin("token"))),
            None => line("token", &format!("in {}", process.home.token_file().display())),
        }
        Ok(StartText { bridge_address, worker_address, lines })
    }

    pub fn say(&self) {
        terminal::talk(self.lines.trim_end());
    }
}
