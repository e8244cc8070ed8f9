//! What an instance shows of itself: the last committed state, folded here. Nobody who could run it is asked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tonic::Status;
use uuid::Uuid;
use waymark_engine::history::fold;
use waymark_engine::lower;
use waymark_ir::payload;
use waymark_proto::bridge as wire;
use waymark_runner::{Limits, Lowered};
use waymark_store::{InstanceState, VersionRef};

use super::error::{self, invalid, patiently};
use super::{Bridge, view};

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

impl Bridge {
    pub(super) async fn query(
        &self,
        instance_id: Uuid,
        name: String,
        with_frames: bool,
    ) -> Result<wire::QueryInstanceResponse, Status> {
        let store = &self.inner.store;
        let state = patiently(self.deadline(), || store.read_state(instance_id)).await.map_err(error::from_store)?;
        let state = state.ok_or_else(|| error::not_found(instance_id))?;
        let status = view::status(state.instance.status);
        let lowered = self.lowered(state.instance.workflow_version_id).await?;
        // A long log takes its time.
        let folded = tokio::task::spawn_blocking(move || shown(&state, lowered, &name, with_frames)).await;
        let (published, frames) = folded.map_err(|error| Status::internal(error.to_string()))?.map_err(|reason| {
            invalid(format!(
                "the state of instance {instance_id} can't be read: {reason}\nhint: it is stuck, or will be"
            ))
        })?;
        Ok(wire::QueryInstanceResponse { status: status.into(), published, frames })
    }

    /// Whether a signal with this id has come.
    pub(super) async fn has_heard(&self, instance_id: Uuid, id: String) -> Result<bool, Status> {
        let store = &self.inner.store;
        let state = patiently(self.deadline(), || store.read_state(instance_id)).await.map_err(error::from_store)?;
        let state = state.ok_or_else(|| error::not_found(instance_id))?;
        let lowered = self.lowered(state.instance.workflow_version_id).await?;
        let folded = tokio::task::spawn_blocking(move || {
            let instance = fold(instance_id, lowered, &Limits::default(), state.snapshot.as_ref(), &state.log);
            instance.is_ok_and(|instance| instance.has_heard(&id))
        });
        folded.await.map_err(|error| Status::internal(error.to_string()))
    }

    pub(super) async fn lowered(&self, id: Uuid) -> Result<Arc<Lowered>, Status> {
        if let Some(lowered) = self.inner.programs.get(id) {
            return Ok(lowered);
        }
        let store = &self.inner.store;
        let version = patiently(self.deadline(), || store.get_version(VersionRef::Id(id))).await;
        let version = version.map_err(error::from_store)?;
        let lowered = tokio::task::spawn_blocking(move || lower(id, version)).await;
        let lowered = lowered.map_err(|error| Status::internal(error.to_string()))?.map_err(invalid)?;
        self.inner.programs.keep(id, lowered.clone());
        Ok(lowered)
    }
}

type Shown = (Vec<wire::NamedValue>, Vec<wire::Frame>);

fn shown(state: &InstanceState, lowered: Arc<Lowered>, name: &str, with_frames: bool) -> Result<Shown, String> {
    let instance_id = state.instance.instance_id;
    let mut instance = fold(instance_id, lowered, &Limits::default(), state.snapshot.as_ref(), &state.log)?;
    let wanted = instance.published().filter(|(known, _)| name.is_empty() || *known == name);
    let published = wanted.map(|(name, value)| wire::NamedValue {
        name: name.into(),
        value: Some(payload::encode(value)),
        shown: String::new(),
    });
    let published = published.collect();
    let frames = if with_frames { instance.frames() } else { Vec::new() };
    let frames = frames.into_iter().map(|frame| wire::Frame {
        task: frame.task.to_string(),
        function: frame.function.to_string(),
        line: frame.line,
        variables: frame.variables.into_iter().map(|(name, value)| variable(&name, value)).collect(),
    });
    Ok((published, frames.collect()))
}

fn variable(name: &str, value: Result<waymark_ir::Value, String>) -> wire::NamedValue {
    match value {
        Ok(value) => wire::NamedValue { name: name.into(), value: Some(payload::encode(&value)), shown: String::new() },
        Err(shown) => wire::NamedValue { name: name.into(), value: None, shown },
    }
}
