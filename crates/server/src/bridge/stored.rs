//! Instances as they were last committed, with their programs: for whoever looks at one, takes it back or moves it. Nobody who could run it
//! is asked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tonic::Status;
use uuid::Uuid;
use waymark_engine::history;
use waymark_engine::lower;
use waymark_runner::{Instance, Limits, Lowered};
use waymark_store::{InstanceState, VersionRef};

use super::Bridge;
use super::error::{self, patiently};

/// Programs in memory; beyond, all are forgotten.
const PROGRAMS_MAX: usize = 100;

#[derive(Default)]
pub(super) struct Programs {
    lowered: Mutex<HashMap<Uuid, Arc<Lowered>>>,
}

impl Programs {
    fn get(&self, id: Uuid) -> Option<Arc<Lowered>> {
        self.lowered.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }

    fn keep(&self, id: Uuid, lowered: Arc<Lowered>) {
        let mut known = self.lowered.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= PROGRAMS_MAX {
            known.clear();
        }
        known.insert(id, lowered);
    }
}

pub(super) struct Stored {
    pub state: InstanceState,
    pub lowered: Arc<Lowered>,
}

impl Stored {
    /// What it has come to. A long log takes its time: [`Bridge::aside`].
    pub(super) fn fold(&self) -> Result<Instance, String> {
        let InstanceState { instance, snapshot, log } = &self.state;
        history::fold(instance.instance_id, self.lowered.clone(), &Limits::default(), snapshot.as_ref(), log)
    }
}

/// Why an instance can't be had.
pub(super) enum Missing {
    Instance(Uuid),
    /// It is there, but its program is not, or can't be read.
    Program(String),
    Store(Status),
}

impl From<Missing> for Status {
    fn from(missing: Missing) -> Status {
        match missing {
            Missing::Instance(id) => error::not_found(id),
            Missing::Program(reason) => Status::failed_precondition(reason),
            Missing::Store(refused) => refused,
        }
    }
}

impl Bridge {
    pub(super) async fn stored(&self, id: Uuid) -> Result<Stored, Missing> {
        let store = &self.inner.store;
        let state = patiently(self.deadline(), || store.read_state(id)).await;
        let state = state.map_err(|error| Missing::Store(error::from_store(error)))?;
        let state = state.ok_or(Missing::Instance(id))?;
        let lowered = self.program(state.instance.workflow_version_id).await?;
        Ok(Stored { state, lowered })
    }

    /// The program of a version.
    pub(super) async fn program(&self, id: Uuid) -> Result<Arc<Lowered>, Missing> {
        if let Some(lowered) = self.inner.programs.get(id) {
            return Ok(lowered);
        }
        let store = &self.inner.store;
        let version = patiently(self.deadline(), || store.get_version(VersionRef::Id(id))).await;
        let version = version.map_err(|error| Missing::Store(error::from_store(error)))?;
        let lowered = self.aside(move || lower(id, version)).await.map_err(Missing::Store)?;
        let lowered = lowered.map_err(Missing::Program)?;
        self.inner.programs.keep(id, lowered.clone());
        Ok(lowered)
    }

    /// Work that takes a while, where it is in nobody's way.
    pub(super) async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Status> {
        tokio::task::spawn_blocking(work).await.map_err(|failure| {
            tracing::error!(%failure, "reading an instance has panicked");
            Status::internal("reading an instance has failed, which is a bug\nhint: the log of the server says where")
        })
    }
}
