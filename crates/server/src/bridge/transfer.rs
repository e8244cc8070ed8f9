//! Instances that go from one database to another: all that is stored of one, and a paused copy made of that.

use tonic::Status;
use uuid::Uuid;
use waymark_engine::copy::{Original, copy};
use waymark_proto::bridge as wire;
use waymark_runner::Limits;
use waymark_store::{LogRow, NewInstance, Rewritten, Snapshot, Timestamp, VersionRef};

use super::Bridge;
use super::error::{self, invalid, patiently};
use super::start::shape_problem;
use super::{events, view};

impl Bridge {
    pub(super) async fn export(&self, instance_id: Uuid) -> Result<wire::ExportedInstance, Status> {
        let store = &self.inner.store;
        let state = patiently(self.deadline(), || store.read_state(instance_id)).await.map_err(error::from_store)?;
        let state = state.ok_or_else(|| error::not_found(instance_id))?;
        // Of one that goes on meanwhile: what came after its state was read is left out.
        let last = state.log.last().map(|row| row.seq).or(state.snapshot.as_ref().map(|snapshot| snapshot.seq));
        let log = patiently(self.deadline(), || store.read_log(instance_id, 0, u32::MAX)).await;
        let log = log.map_err(error::from_store)?;
        let log =
            self.aside(move || log.into_iter().filter(|row| Some(row.seq) <= last).map(exported).collect()).await?;
        let version = VersionRef::Id(state.instance.workflow_version_id);
        let version = patiently(self.deadline(), || store.get_version(version.clone())).await;
        let version = version.map_err(error::from_store)?.ok_or_else(|| invalid("its program is not there"))?;
        Ok(wire::ExportedInstance {
            instance: Some(view::instance(&state.instance)),
            program_proto: version.program_proto,
            source: version.source.unwrap_or_default(),
            ir_hash: version.ir_hash,
            log,
            state_seq: state.snapshot.as_ref().map(|snapshot| snapshot.seq),
            state: state.snapshot.map(|snapshot| snapshot.state).unwrap_or_default(),
        })
    }

    pub(super) async fn import(&self, exported: wire::ExportedInstance) -> Result<Uuid, Status> {
        let wire::ExportedInstance { instance, program_proto, source, ir_hash: _, log, state_seq, state } = exported;
        let instance = instance.ok_or_else(|| invalid("no instance is given\nhint: give all that was exported"))?;
        let start = wire::Start {
            workflow_name: instance.workflow_name.clone(),
            inputs: instance.inputs.clone(),
            tags: instance.tags.clone(),
            ..wire::Start::default()
        };
        if let Some(refusal) = shape_problem(&start, self.inner.options.payload_bytes_max) {
            return Err(invalid(refusal.message));
        }
        let original = Original {
            instance_id: view::instance_id("instance_id", &instance.instance_id)?,
            snapshot: state_seq.map(|seq| Snapshot { seq, state }),
            log: log.into_iter().map(row).collect(),
        };
        let request = wire::RegisterWorkflowRequest {
            workflow_name: instance.workflow_name.clone(),
            workflow_version: instance.workflow_version.clone(),
            program_proto,
            source,
        };
        let version_id = self.register_quietly(request).await?;
        let lowered = self.program(version_id).await?;
        let store = &self.inner.store;
        let now = patiently(self.deadline(), || store.now()).await.map_err(error::from_store)?;
        let id = Uuid::now_v7();
        let new = NewInstance { tags: instance.tags, ..NewInstance::new(id, version_id, instance.inputs) };
        let made = self.aside(move || copy(&original, lowered, &Limits::default(), new, now)).await?;
        let rewrite = made.map_err(|reason| invalid(format!("the instance can't be imported: {reason}")))?;
        let written = patiently(self.deadline(), || store.rewrite_instances(vec![rewrite.clone()])).await;
        match written.map_err(error::from_store)?.pop() {
            // Moved: by our own first try, whose answer was lost.
            Some(Rewritten::Done | Rewritten::Moved { .. }) => Ok(id),
            Some(Rewritten::Refused { reason }) => Err(invalid(reason)),
            other => Err(Status::internal(format!("the state was not written: {other:?}"))),
        }
    }

    /// Registers a program without making new runs use it, unless there was none.
    async fn register_quietly(&self, request: wire::RegisterWorkflowRequest) -> Result<Uuid, Status> {
        let store = &self.inner.store;
        let workflow_name = request.workflow_name.clone();
        let active = VersionRef::Active { workflow_name };
        let active = patiently(self.deadline(), || store.get_version(active.clone())).await;
        let active = active.map_err(error::from_store)?.map(|version| version.workflow_version_id);
        let registered = self.register(request).await?;
        let id = view::instance_id("workflow_version_id", &registered.workflow_version_id)?;
        if let Some(active) = active.filter(|active| *active != id) {
            let done = patiently(self.deadline(), || store.activate_version(active)).await;
            self.inner.versions.forget_active();
            done.map_err(error::from_store)?;
        }
        Ok(id)
    }
}

fn exported(row: LogRow) -> wire::ExportedEvent {
    let (event, digest) = (row.outcome.clone(), row.digest);
    wire::ExportedEvent { shown: Some(events::logged(row)), event, digest }
}

fn row(exported: wire::ExportedEvent) -> LogRow {
    let shown = exported.shown.unwrap_or_default();
    LogRow {
        seq: shown.seq,
        kind: shown.kind.into(),
        execution_id: (!shown.execution_id.is_empty()).then_some(shown.execution_id),
        attempt: (shown.attempt > 0).then_some(shown.attempt),
        outcome: exported.event,
        happened_at: Timestamp(shown.happened_at_us),
        started_at: shown.started_at_us.map(Timestamp),
        worker: (!shown.worker.is_empty()).then(|| shown.worker.into()),
        digest: exported.digest,
    }
}
