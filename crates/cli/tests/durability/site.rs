//! A home and a folder to work in, and the servers that were started from it. Nothing outlives it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::process::Signal;
use serde_json::Value as Json;
use tempfile::TempDir;

use crate::process::{children, is_alive, signal};
use crate::wait_for;

pub struct Site {
    directory: TempDir,
}

impl Site {
    pub fn new() -> Site {
        Site { directory: tempfile::tempdir().expect("a temporary directory") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_waymark"));
        command.args(arguments).current_dir(self.directory.path());
        for (variable, _) in std::env::vars_os() {
            let name = variable.to_string_lossy();
            // `WAYMARK_SHARDS=2` runs all of this with two shards.
            if (name.starts_with("WAYMARK_") && name != "WAYMARK_SHARDS") || name == "DATABASE_URL" {
                command.env_remove(&variable);
            }
        }
        command.env("WAYMARK_HOME", self.path("home"));
        command
    }

    /// A server in the foreground, which has two workers of ours unless it is told otherwise.
    pub fn start(&self, arguments: &[&str]) -> Server {
        static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let log = self.path(&format!("server-{number}.log"));
        let mut command = self.command(arguments);
        command.env("WAYMARK_WORKER_COMMAND", format!("'{}' test-worker", env!("CARGO_BIN_EXE_waymark")));
        command.env("WAYMARK_WORKERS", "2").env("WAYMARK_SLOTS", SLOTS.to_string());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(fs::File::create(&log).expect("a log"));
        let child = command.spawn().expect("waymark starts");
        Server { child, log, run_folder: self.path("home/run"), ended: None }
    }

    /// The token that everybody at this site uses.
    pub fn token_file(&self) -> PathBuf {
        self.path("home/token")
    }

    pub fn run_folder(&self) -> PathBuf {
        self.path("home/run")
    }
}

/// Calls that one worker takes at the same time.
pub const SLOTS: usize = 20;

pub struct Server {
    child: Child,
    log: PathBuf,
    run_folder: PathBuf,
    ended: Option<ExitStatus>,
}

impl Server {
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    pub fn is_running(&mut self) -> bool {
        self.ended = self.ended.or(self.child.try_wait().expect("its status"));
        self.ended.is_none()
    }

    pub fn assert_running(&mut self) {
        assert!(self.is_running(), "it has ended with {:?}:\n{}", self.ended, self.log());
    }

    /// What it announced, once it has.
    pub async fn record(&mut self) -> Json {
        let (pid, folder) = (self.pid(), self.run_folder.clone());
        wait_for("a record of the server", || {
            self.assert_running();
            records(&folder).into_iter().find(|record| record["pid"] == pid)
        })
        .await
    }

    /// Process ids of its workers.
    pub fn workers(&self) -> Vec<u32> {
        children(self.pid())
    }

    /// The same, once there are this many.
    pub async fn some_workers(&mut self, count: usize) -> Vec<u32> {
        wait_for("workers", || {
            self.assert_running();
            Some(self.workers()).filter(|workers| workers.len() >= count)
        })
        .await
    }

    /// SIGKILL. Its workers end by themselves: with them gone, whatever is run from here on is run anew.
    pub async fn kill(mut self) {
        let workers = self.workers();
        signal(self.pid(), Signal::KILL);
        let status = self.child.wait().expect("its status");
        self.ended = Some(status);
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(9), "{}", self.log());
        wait_for("the end of orphaned workers", || workers.iter().all(|worker| !is_alive(*worker)).then_some(())).await;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if !self.is_running() {
            return;
        }
        if std::thread::panicking() {
            let log = self.log();
            let lines: Vec<&str> = log.lines().collect();
            eprintln!("{}:\n{}", self.log.display(), lines[lines.len().saturating_sub(60)..].join("\n"));
        }
        // First the workers: without their parent they would be nobody's.
        signal(self.pid(), Signal::STOP);
        for worker in self.workers() {
            signal(worker, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What serving processes say of themselves, the dead included.
pub fn records(run_folder: &Path) -> Vec<Json> {
    let files = fs::read_dir(run_folder).into_iter().flatten().flatten();
    let records = files.filter(|file| file.path().extension().is_some_and(|extension| extension == "json"));
    records.filter_map(|file| serde_json::from_slice(&fs::read(file.path()).ok()?).ok()).collect()
}
