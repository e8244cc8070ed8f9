//! Keeps processes of workers alive: for the hub of this process, or for a server elsewhere.
//!
//! There is a task for each place. A worker that exits is followed by another, at once if it lived for long, later and later if not. One
//! that is worn out or condemned is replaced: the next one is connected before the old one is told to go.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::process::Process;
use super::{Hub, Life, Options, WorkerCommand};

/// A worker that has not said hello by then is started anew: loading the users' modules takes its time.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);

/// Between the end of a stream and that of its process, when all is well.
const EXIT_USUAL: Duration = Duration::from_millis(300);

/// Where workers connect.
#[derive(Clone)]
pub struct Home {
    /// `unix:/path` or `http://host:port`
    pub address: String,
    pub token: Option<String>,
    /// That of the database, for actions that are transactions. A secret; None: it is in one process's hand.
    pub database_url: Option<String>,
    /// Ids of workers begin with it; no two spawners of one server may have the same.
    pub name: String,
}

/// Until `shutdown`; then ends the workers and waits for them. Without a hub here, nothing is recycled.
pub async fn run(options: Options, home: Home, hub: Option<Hub>, shutdown: CancellationToken) {
    run_until_retired(options, home, hub, CancellationToken::new(), shutdown).await;
}

/// Until `retire`, too: then workers have all the time that they need to finish what they hold.
pub(super) async fn run_until_retired(
    options: Options,
    home: Home,
    hub: Option<Hub>,
    retire: CancellationToken,
    shutdown: CancellationToken,
) {
    let Some(command) = options.command.clone() else { return shutdown.cancelled().await };
    let workers = options.workers;
    let started = Arc::new(AtomicU64::new(0));
    let spawner = Arc::new(Spawner { options, command, home, hub, started, retire, shutdown });
    let mut places = JoinSet::new();
    for _ in 0..workers {
        places.spawn(keep(spawner.clone()));
    }
    while let Some(ended) = places.join_next().await {
        if let Err(error) = ended {
            tracing::error!(%error, "a place for a worker is lost");
        }
    }
}

struct Spawner {
    options: Options,
    command: WorkerCommand,
    home: Home,
    hub: Option<Hub>,
    started: Arc<AtomicU64>,
    retire: CancellationToken,
    shutdown: CancellationToken,
}

/// Keeps one place filled.
async fn keep(spawner: Arc<Spawner>) {
    let mut retiring = JoinSet::new();
    let mut backoff = Backoff::new(spawner.options.respawn_backoff);
    let mut next = None;
    while !spawner.is_over() {
        while retiring.try_join_next().is_some() {}
        let mut process = match next.take() {
            Some(process) => process,
            None => match spawner.start() {
                Some(process) => process,
                None => {
                    spawner.pause(backoff.next(Duration::ZERO)).await;
                    continue;
                }
            },
        };
        match spawner.watch(&mut process).await {
            Fate::Exited(status) => {
                process.log_exit(status);
                spawner.pause(backoff.next(process.started.elapsed())).await;
            }
            Fate::Gone => {
                let lived = process.started.elapsed();
                retiring.spawn(process.retire());
                spawner.pause(backoff.next(lived)).await;
            }
            Fate::NeverCame => {
                tracing::error!(worker = process.worker_id, "a worker has not connected in time");
                process.kill().await;
                spawner.pause(backoff.next(Duration::ZERO)).await;
            }
            Fate::ToReplace => match spawner.replacement().await {
                Some(replacement) => {
                    retiring.spawn(process.retire());
                    next = Some(replacement);
                }
                None => {
                    spawner.pause(backoff.next(Duration::ZERO)).await;
                    next = Some(process);
                }
            },
            Fate::Stop => next = Some(process),
        }
    }
    if let Some(process) = next {
        match spawner.shutdown.is_cancelled() {
            true => retiring.spawn(process.stop(spawner.options.cancel_grace)),
            false => retiring.spawn(process.retire()),
        };
    }
    let ended = async { while retiring.join_next().await.is_some() {} };
    tokio::pin!(ended);
    tokio::select! {
        () = &mut ended => return,
        () = spawner.shutdown.cancelled() => {}
    }
    // Those that were to finish have no longer than the others. What is dropped is killed.
    let _ = tokio::time::timeout(2 * spawner.options.cancel_grace + EXIT_USUAL, ended).await;
}

enum Fate {
    Exited(std::io::Result<std::process::ExitStatus>),
    /// Its stream is over, but it lives.
    Gone,
    NeverCame,
    ToReplace,
    Stop,
}

impl Spawner {
    fn start(&self) -> Option<Process> {
        let number = self.started.fetch_add(1, Ordering::Relaxed) + 1;
        let worker_id = format!("{}-{number}", self.home.name);
        let process = Process::start(&self.command, &self.home, self.options.slots, worker_id, self.hub.as_ref());
        match process {
            Ok(process) => Some(process),
            Err(error) => {
                tracing::error!(program = %self.command.program.display(), %error, "a worker can't be started");
                None
            }
        }
    }

    async fn watch(&self, process: &mut Process) -> Fate {
        let turned = process.until(|life| matches!(life, Life::WornOut | Life::Condemned | Life::Gone));
        let never_came = process.never_came(CONNECT_TIMEOUT);
        let life = tokio::select! {
            biased;
            status = process.exited() => return Fate::Exited(status),
            () = self.over() => return Fate::Stop,
            () = never_came => return Fate::NeverCame,
            life = turned => life,
        };
        if life != Life::Gone {
            return Fate::ToReplace;
        }
        match tokio::time::timeout(EXIT_USUAL, process.exited()).await {
            Ok(status) => Fate::Exited(status),
            Err(_) => Fate::Gone,
        }
    }

    /// The next one, connected. The old one works on meanwhile.
    async fn replacement(&self) -> Option<Process> {
        let mut process = self.start()?;
        let came = process.until(|life| life != Life::Expected);
        tokio::select! {
            biased;
            _ = came => return Some(process),
            status = process.exited() => process.log_exit(status),
            () = tokio::time::sleep(CONNECT_TIMEOUT) => {
                tracing::error!(worker = process.worker_id, "a worker has not connected in time");
            }
            () = self.over() => {}
        }
        None
    }

    fn is_over(&self) -> bool {
        self.retire.is_cancelled() || self.shutdown.is_cancelled()
    }

    async fn over(&self) {
        tokio::select! {
            () = self.retire.cancelled() => {}
            () = self.shutdown.cancelled() => {}
        }
    }

    async fn pause(&self, time: Duration) {
        if self.hub.as_ref().is_some_and(Hub::is_draining) {
            return self.over().await;
        }
        let _ = tokio::time::timeout(time, self.over()).await;
    }
}

/// How long to wait before the next try.
struct Backoff {
    first: Duration,
    longest: Duration,
    next: Duration,
}

impl Backoff {
    fn new((first, longest): (Duration, Duration)) -> Backoff {
        Backoff { first, longest, next: first }
    }

    /// After one that lived for a time: one that lived for longer than the longest wait was all right.
    fn next(&mut self, lived: Duration) -> Duration {
        if lived >= self.longest {
            self.next = self.first;
        }
        let wait = self.next;
        self.next = (2 * self.next).min(self.longest);
        wait
    }
}
