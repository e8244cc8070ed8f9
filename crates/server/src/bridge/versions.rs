//! Which program a start means. What `(name, version)` is never changes; which version is active does, and is forgotten at every hint
//! that it may have.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use waymark_proto::bridge::refusal::Reason;
use waymark_store::{Change, Changes, Error, Store, VersionRef, WorkflowVersion};

use super::error::patiently;
use super::signature::{Signature, nearest, shown};

/// Versions in memory; beyond, all are forgotten.
const CACHED_MAX: usize = 10_000;

pub(super) struct Known {
    pub workflow_version_id: Uuid,
    pub workflow_version: String,
    pub signature: Signature,
}

/// Why there is no such version.
#[derive(Clone)]
pub(super) struct Missing {
    pub reason: Reason,
    pub message: String,
}

pub(super) struct Versions {
    store: Arc<dyn Store>,
    age_max: Duration,
    cache: Mutex<Cache>,
    /// Many callers that miss the same version read it once.
    reading: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Cache {
    /// What was read before this changed is not believed.
    generation: u64,
    named: HashMap<(String, String), Arc<Known>>,
    active: HashMap<String, (Arc<Known>, Instant)>,
}

impl Versions {
    pub fn new(store: Arc<dyn Store>, age_max: Duration) -> Versions {
        Versions { store, age_max, cache: Mutex::default(), reading: tokio::sync::Mutex::default() }
    }

    /// The version that a start names; an empty one: that which was last activated.
    pub async fn find(
        &self,
        name: &str,
        version: &str,
        deadline: Instant,
    ) -> Result<Result<Arc<Known>, Missing>, Error> {
        if let Some(known) = self.cached(name, version) {
            return Ok(Ok(known));
        }
        let too_late = |_| Error::Unavailable { reason: "others still wait for an answer".into() };
        let _turn = tokio::time::timeout_at(deadline, self.reading.lock()).await.map_err(too_late)?;
        if let Some(known) = self.cached(name, version) {
            return Ok(Ok(known));
        }
        let generation = self.cache().generation;
        let wanted = match version {
            "" => VersionRef::Active { workflow_name: name.into() },
            version => VersionRef::Named { workflow_name: name.into(), workflow_version: version.into() },
        };
        match patiently(deadline, || self.store.get_version(wanted.clone())).await? {
            Some(row) => Ok(self.read(row, version.is_empty(), generation)),
            None => Ok(Err(self.missing(name, version).await)),
        }
    }

    /// Says which version is active whenever somebody asks again.
    pub fn forget_active(&self) {
        let mut cache = self.cache();
        cache.generation += 1;
        cache.active.clear();
    }

    /// Forgets whenever a version may have been activated, here or elsewhere.
    pub async fn follow(self: Arc<Self>, mut changes: Changes, shutdown: CancellationToken) -> Result<(), Infallible> {
        loop {
            let change = tokio::select! {
                change = changes.recv() => change,
                () = shutdown.cancelled() => return Ok(()),
            };
            match change {
                Ok(Change::Versions | Change::Resync) | Err(RecvError::Lagged(_)) => self.forget_active(),
                Ok(_) => {}
                // The age of what is cached is still limited.
                Err(RecvError::Closed) => {
                    shutdown.cancelled().await;
                    return Ok(());
                }
            }
        }
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn cached(&self, name: &str, version: &str) -> Option<Arc<Known>> {
        let cache = self.cache();
        if version.is_empty() {
            let (known, read_at) = cache.active.get(name)?;
            return (read_at.elapsed() < self.age_max).then(|| known.clone());
        }
        cache.named.get(&(name.to_string(), version.to_string())).cloned()
    }

    fn read(&self, row: WorkflowVersion, is_active: bool, generation: u64) -> Result<Arc<Known>, Missing> {
        let key = (row.workflow_name, row.workflow_version);
        let found = self.cache().named.get(&key).cloned();
        let known = match found {
            Some(known) => known,
            None => {
                let program = waymark_ir::wire::decode(&row.program_proto).map_err(|error| Missing {
                    reason: Reason::UnknownVersion,
                    message: format!(
                        "version {} of workflow {} can't be read by this Waymark: {error}\nhint: register it again",
                        shown(&key.1),
                        shown(&key.0)
                    ),
                })?;
                let signature = Signature::of(&program);
                let (workflow_version_id, workflow_version) = (row.workflow_version_id, key.1.clone());
                Arc::new(Known { workflow_version_id, workflow_version, signature })
            }
        };
        let mut cache = self.cache();
        if cache.named.len() + cache.active.len() >= CACHED_MAX {
            cache.named.clear();
            cache.active.clear();
        }
        if is_active && cache.generation == generation {
            cache.active.insert(key.0.clone(), (known.clone(), Instant::now()));
        }
        cache.named.insert(key, known.clone());
        Ok(known)
    }

    async fn missing(&self, name: &str, version: &str) -> Missing {
        // Only for the hint: what can't be read now is left out.
        let all = self.store.list_versions(None).await.unwrap_or_default();
        if !version.is_empty() && all.iter().any(|known| known.workflow_name == name) {
            return Missing {
                reason: Reason::UnknownVersion,
                message: format!(
                    "workflow {} has no version {}\nhint: register it first, or name none for the one last activated",
                    shown(name),
                    shown(version)
                ),
            };
        }
        let hint = match nearest(name, all.iter().map(|known| known.workflow_name.as_str())) {
            Some(meant) => format!("did you mean {meant}?"),
            None => "register it first".into(),
        };
        let message = format!("there is no workflow {}\nhint: {hint}", shown(name));
        Missing { reason: Reason::UnknownWorkflow, message }
    }
}
