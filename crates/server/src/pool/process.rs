//! One process of a worker: started, listened to, ended.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, Command};
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::printed::pass_on;
use super::spawn::Home;
use super::{Hub, Life, WorkerCommand};

/// A worker whose stream is over has to exit by itself within this time.
const EXIT_GRACE: Duration = Duration::from_secs(2);

/// From SIGTERM to SIGKILL.
const KILL_GRACE: Duration = Duration::from_secs(2);

/// What a process printed last may still be on its way.
const PRINT_GRACE: Duration = Duration::from_millis(500);

pub(super) struct Process {
    pub worker_id: String,
    pub started: Instant,
    child: Child,
    printing: JoinSet<()>,
    /// With a hub that is elsewhere nothing is known of it.
    life: Option<watch::Receiver<Life>>,
    hub: Option<Hub>,
}

impl Process {
    pub fn start(
        command: &WorkerCommand,
        home: &Home,
        slots: u32,
        worker_id: String,
        hub: Option<&Hub>,
    ) -> io::Result<Process> {
        let mut process = Command::new(&command.program);
        if !command.inherits {
            process.env_clear();
        }
        if let Some(directory) = &command.directory {
            process.current_dir(directory);
        }
        process
            .args(&command.arguments)
            .envs(command.environment.iter().map(|(name, value)| (name, value)))
            .env("WAYMARK_WORKER_ADDRESS", &home.address)
            .env("WAYMARK_WORKER_ID", &worker_id)
            .env("WAYMARK_WORKER_SLOTS", slots.to_string())
            .env_remove("WAYMARK_WORKER_TOKEN")
            .envs(home.token.iter().map(|token| ("WAYMARK_WORKER_TOKEN", token)))
            .envs(home.database_url.iter().map(|url| ("WAYMARK_DATABASE_URL", url)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Ctrl-C is for us: workers are drained. And whatever they start ends with them.
            .process_group(0)
            .kill_on_drop(true);
        let mut child = process.spawn()?;
        let mut printing = JoinSet::new();
        if let Some(pipe) = child.stdout.take() {
            printing.spawn(pass_on(pipe, worker_id.clone(), "stdout"));
        }
        if let Some(pipe) = child.stderr.take() {
            printing.spawn(pass_on(pipe, worker_id.clone(), "stderr"));
        }
        let life = hub.map(|hub| hub.follow(&worker_id));
        tracing::info!(worker = worker_id, process = child.id(), "a worker is started");
        Ok(Process { worker_id, started: Instant::now(), child, printing, life, hub: hub.cloned() })
    }

    /// Waits until the hub says so; for ever if there is none, or if it forgets the worker.
    pub fn until<F: Fn(Life) -> bool>(&self, wanted: F) -> impl Future<Output = Life> + use<F> {
        let life = self.life.clone();
        async move {
            let reached = match life {
                Some(mut life) => life.wait_for(|life| wanted(*life)).await.ok().map(|life| *life),
                None => None,
            };
            match reached {
                Some(life) => life,
                None => std::future::pending().await,
            }
        }
    }

    /// Ends if nothing was heard of it for this time.
    pub fn never_came(&self, limit: Duration) -> impl Future<Output = ()> + use<> {
        let followed = self.life.is_some();
        let came = self.until(|life| life != Life::Expected);
        async move {
            if !followed || tokio::time::timeout(limit, came).await.is_ok() {
                std::future::pending().await
            }
        }
    }

    /// Waits until it has exited.
    pub async fn exited(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait().await;
        let printed = async { while self.printing.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(PRINT_GRACE, printed).await;
        status
    }

    /// Lets it finish, and waits until it is gone. One whose stream is over and that stays is killed.
    pub async fn retire(mut self) {
        if let Some(hub) = &self.hub {
            hub.drain_worker(&self.worker_id);
        }
        let gone = self.until(|life| life == Life::Gone);
        let gone = async {
            gone.await;
            tokio::time::sleep(EXIT_GRACE).await;
        };
        tokio::select! {
            status = self.exited() => return self.log_exit(status),
            () = gone => {}
        }
        self.kill().await;
    }

    /// Lets it finish until a time, then ends it.
    pub async fn stop(mut self, grace: Duration) {
        match &self.hub {
            Some(hub) => hub.drain_worker(&self.worker_id),
            // It drains by itself then.
            None => self.signal(Signal::TERM),
        }
        // One that has not come yet has nothing to finish, and does not hear of it.
        let has_come = self.life.as_ref().is_none_or(|life| *life.borrow() != Life::Expected);
        if has_come && let Ok(status) = tokio::time::timeout(grace, self.exited()).await {
            return self.log_exit(status);
        }
        self.kill().await;
    }

    /// Now: first politely, then for sure.
    pub async fn kill(mut self) {
        self.signal(Signal::TERM);
        if let Ok(status) = tokio::time::timeout(KILL_GRACE, self.exited()).await {
            return self.log_exit(status);
        }
        self.signal(Signal::KILL);
        let status = self.exited().await;
        self.log_exit(status);
    }

    pub fn log_exit(&self, status: io::Result<ExitStatus>) {
        let lived_seconds = self.started.elapsed().as_secs_f64();
        match status {
            Ok(status) if status.success() => {
                tracing::info!(worker = self.worker_id, lived_seconds, "a worker has exited")
            }
            Ok(status) => tracing::warn!(worker = self.worker_id, %status, lived_seconds, "a worker has exited"),
            Err(error) => tracing::error!(worker = self.worker_id, %error, "a worker can't be watched"),
        }
    }

    /// To it and to what it started.
    fn signal(&self, signal: Signal) {
        let group = self.child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        if let Some(group) = group {
            // It may have exited this moment.
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
        if let Some(hub) = &self.hub {
            hub.unfollow(&self.worker_id);
        }
    }
}
