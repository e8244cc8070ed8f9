//! A `waymark` process that serves, as users run it, with its workers. Nothing of it outlives its value.

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use jiff::Timestamp;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value as Json;

use crate::bench::processes;

/// For the processes to come or to go. The machine may be busy.
const PATIENCE: Duration = Duration::from_secs(60);
const LOOK_EVERY: Duration = Duration::from_millis(5);
const WORKER_HAS_COME: &str = "a worker has come";

pub struct Server {
    child: Child,
    log: PathBuf,
    /// When it was started.
    pub begun: Timestamp,
}

impl Server {
    /// Returns when its workers have come. `command` is `dev` or `start-workers`, `number` that of the process at this place.
    pub async fn start(
        command: &[&str],
        place: &Path,
        url: &str,
        workers: usize,
        number: usize,
    ) -> anyhow::Result<Server> {
        let log = place.join(format!("server-{number}.log"));
        let begun = Timestamp::now();
        let child = program(std::env::current_exe()?, place, url)
            .args(command)
            .args([
                "--workers",
                &workers.to_string(),
                "--bridge-address",
                "127.0.0.1:0",
                "--worker-address",
                "127.0.0.1:0",
            ])
            .env("WAYMARK_LOG_FORMAT", "json")
            .env("WAYMARK_USER_MODULES", "waymark.bench.workflows")
            .stdout(Stdio::null())
            .stderr(File::create(&log).context("the server's log")?)
            .spawn()
            .context("the server does not start")?;
        let mut server = Server { child, log, begun };
        let end = Instant::now() + PATIENCE;
        while server.logged(WORKER_HAS_COME).len() < workers {
            if let Some(status) = server.child.try_wait()? {
                bail!("the server has ended with {status}:\n{}", tail(&server.log));
            }
            if Instant::now() > end {
                bail!("the server's workers don't come:\n{}", tail(&server.log));
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        Ok(server)
    }

    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    pub fn workers(&self) -> Vec<u32> {
        processes::children(self.process_id())
    }

    /// When the first of its workers came: from then on it can do something.
    pub fn was_up(&self) -> anyhow::Result<Timestamp> {
        self.logged(WORKER_HAS_COME).into_iter().min().context("no worker has come")
    }

    /// When it said this.
    fn logged(&self, message: &str) -> Vec<Timestamp> {
        let text = std::fs::read_to_string(&self.log).unwrap_or_default();
        let entries = text.lines().filter_map(|line| serde_json::from_str::<Json>(line).ok());
        entries
            .filter(|entry| entry["message"] == message)
            .filter_map(|entry| entry["timestamp"].as_str()?.parse().ok())
            .collect()
    }

    /// As somebody would who wants it to end.
    pub async fn stop(mut self) -> anyhow::Result<()> {
        signal(self.process_id(), Signal::TERM);
        let end = Instant::now() + PATIENCE;
        while self.child.try_wait()?.is_none() {
            if Instant::now() > end {
                bail!("the server does not stop:\n{}", tail(&self.log));
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        Ok(())
    }

    /// As a power cut would. Its workers notice by themselves.
    pub fn kill(mut self) -> anyhow::Result<()> {
        self.child.kill().context("the server can't be killed")?;
        self.child.wait().context("the server can't be waited for")?;
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(None)) {
            return;
        }
        // It must not start others in the place of those that we end.
        signal(self.process_id(), Signal::STOP);
        for worker in self.workers() {
            signal(worker, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A program of ours at a place, with none of the user's settings.
pub fn program(program: PathBuf, place: &Path, url: &str) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("WAYMARK_") || name == "DATABASE_URL" {
            command.env_remove(name);
        }
    }
    command
        .current_dir(place)
        .env("WAYMARK_HOME", place.join("home"))
        .env("WAYMARK_DATABASE_URL", url)
        .stdin(Stdio::null())
        // Ctrl-C is for us: we end them in our order.
        .process_group(0);
    command
}

/// The last lines of a log.
pub fn tail(log: &Path) -> String {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}

fn signal(process_id: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(process_id).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, signal);
    }
}
