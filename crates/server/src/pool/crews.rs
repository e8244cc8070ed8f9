//! Workers that clients ask for. A process that a client started by itself has no workers of its own: every program that talks to it
//! brings its interpreter, its paths and its variables, and gets a crew. A crew is replaced when it would run what is no longer meant: older
//! code, other variables, modules that it does not know.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use waymark_store::Timestamp;

use super::spawn::{self, Home};
use super::{Hub, Options, WorkerCommand};

/// Programs that have workers at the same time; the one that was not asked for the longest goes first.
const CREWS_MAX: usize = 8;

/// What a client wants workers to have.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Those who name the same share workers.
    pub group: String,
    /// Program and arguments.
    pub command: Vec<String>,
    pub directory: PathBuf,
    pub environment: BTreeMap<String, String>,
    pub modules: BTreeSet<String>,
    pub changed_at: Timestamp,
}

/// Cheap to clone; all clones are one.
#[derive(Clone)]
pub struct Crews {
    inner: Arc<Inner>,
}

struct Inner {
    options: Options,
    home: Home,
    hub: Hub,
    shutdown: CancellationToken,
    state: Mutex<State>,
    tasks: TaskTracker,
}

#[derive(Default)]
struct State {
    crews: BTreeMap<String, Crew>,
    started: u64,
}

struct Crew {
    command: Vec<String>,
    directory: PathBuf,
    environment: BTreeMap<String, String>,
    modules: BTreeSet<String>,
    started_at: Timestamp,
    asked_at: Instant,
    retire: CancellationToken,
}

impl Crew {
    fn suits(&self, wanted: &Wanted) -> bool {
        wanted.changed_at < self.started_at
            && (&wanted.command, &wanted.directory) == (&self.command, &self.directory)
            && wanted.environment == self.environment
            && wanted.modules.is_subset(&self.modules)
    }
}

impl Crews {
    pub fn new(options: Options, home: Home, hub: Hub, shutdown: CancellationToken) -> Crews {
        let state = Mutex::default();
        Crews { inner: Arc::new(Inner { options, home, hub, shutdown, state, tasks: TaskTracker::new() }) }
    }

    /// False: such workers were there already.
    pub fn keep(&self, wanted: Wanted) -> bool {
        let mut state = self.inner.state.lock().unwrap_or_else(PoisonError::into_inner);
        if self.inner.shutdown.is_cancelled() {
            return false;
        }
        let mut modules = wanted.modules.clone();
        if let Some(crew) = state.crews.get_mut(&wanted.group) {
            crew.asked_at = Instant::now();
            if crew.suits(&wanted) {
                return false;
            }
            modules.extend(crew.modules.iter().cloned());
        }
        let crew = self.start(&mut state, &wanted, modules);
        if let Some(before) = state.crews.insert(wanted.group, crew) {
            before.retire.cancel();
        }
        while state.crews.len() > CREWS_MAX {
            let oldest = state.crews.iter().min_by_key(|(_, crew)| crew.asked_at).map(|(group, _)| group.clone());
            let crew = oldest.and_then(|group| state.crews.remove(&group));
            crew.inspect(|crew| crew.retire.cancel());
        }
        true
    }

    fn start(&self, state: &mut State, wanted: &Wanted, modules: BTreeSet<String>) -> Crew {
        state.started += 1;
        let inner = &self.inner;
        let home = Home { name: format!("{}-{}", inner.home.name, state.started), ..inner.home.clone() };
        let options = Options { command: Some(command(wanted, &modules)), ..inner.options.clone() };
        let retire = CancellationToken::new();
        let (hub, shutdown) = (inner.hub.clone(), inner.shutdown.clone());
        inner.tasks.spawn(spawn::run_until_retired(options, home, Some(hub), retire.clone(), shutdown));
        Crew {
            command: wanted.command.clone(),
            directory: wanted.directory.clone(),
            environment: wanted.environment.clone(),
            modules,
            started_at: Timestamp::now(),
            asked_at: Instant::now(),
            retire,
        }
    }

    /// Until the process stops and all of them have ended.
    pub async fn run(self) {
        self.inner.shutdown.cancelled().await;
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
    }
}

fn command(wanted: &Wanted, modules: &BTreeSet<String>) -> WorkerCommand {
    let (program, arguments) = wanted.command.split_first().map_or(("", &[][..]), |(program, rest)| (program, rest));
    let mut environment: Vec<(String, String)> = wanted.environment.clone().into_iter().collect();
    let modules: Vec<&str> = modules.iter().map(String::as_str).collect();
    environment.push(("WAYMARK_USER_MODULES".into(), modules.join(",")));
    WorkerCommand {
        program: program.into(),
        arguments: arguments.to_vec(),
        environment,
        inherits: false,
        directory: Some(wanted.directory.clone()),
    }
}

impl std::fmt::Debug for Crews {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Crews")
    }
}
