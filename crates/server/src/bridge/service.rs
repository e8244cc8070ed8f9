//! The calls of `waymark.bridge.v1.Bridge`.

use std::collections::HashSet;
use std::time::Duration;

use tokio::time::Instant;
use tonic::{Request, Response, Status};
use uuid::Uuid;
use waymark_proto::bridge as wire;
use waymark_store::{InstanceFilter, ScheduleStatus};

use super::error::{self, patiently};
use super::view::{instance_id, text};
use super::{Bridge, start, view, wait};

type Answer<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl wire::bridge_server::Bridge for Bridge {
    async fn get_info(&self, _: Request<wire::GetInfoRequest>) -> Answer<wire::Info> {
        Ok(Response::new(wire::Info {
            protocol_version: waymark_proto::PROTOCOL_VERSION,
            waymark_version: env!("CARGO_PKG_VERSION").into(),
            database_fingerprint: self.inner.fingerprint.clone(),
            database_kind: self.inner.store.kind().into(),
            process_id: std::process::id(),
            worker_address: self.inner.identity.worker_address.clone().unwrap_or_default(),
            auto_booted: self.inner.identity.auto_booted,
            payload_bytes_max: self.inner.options.payload_bytes_max as u64,
        }))
    }

    async fn register_workflow(
        &self,
        request: Request<wire::RegisterWorkflowRequest>,
    ) -> Answer<wire::RegisterWorkflowResponse> {
        Ok(Response::new(self.register(request.into_inner()).await?))
    }

    async fn start_instances(
        &self,
        request: Request<wire::StartInstancesRequest>,
    ) -> Answer<wire::StartInstancesResponse> {
        let wire::StartInstancesRequest { starts, wait_ms } = request.into_inner();
        if starts.len() > start::STARTS_MAX {
            return Err(too_many("starts", starts.len(), start::STARTS_MAX));
        }
        if wait_ms > 0 && starts.len() == 1 {
            let wait = Duration::from_millis(wait_ms.into());
            return Ok(Response::new(self.start_and_wait(starts, wait).await?));
        }
        let results = self.start(starts).await?;
        Ok(Response::new(wire::StartInstancesResponse { results, ended: None }))
    }

    type WaitForInstancesStream = wait::Ends;

    async fn wait_for_instances(
        &self,
        request: Request<wire::WaitForInstancesRequest>,
    ) -> Answer<Self::WaitForInstancesStream> {
        let request = request.into_inner();
        if request.instance_ids.len() > wait::INSTANCES_MAX {
            return Err(too_many("instances to wait for", request.instance_ids.len(), wait::INSTANCES_MAX));
        }
        let ids: HashSet<Uuid> =
            request.instance_ids.iter().map(|id| instance_id("instance_ids", id)).collect::<Result<_, _>>()?;
        let timeout = (request.timeout_ms > 0).then(|| Duration::from_millis(request.timeout_ms));
        let inner = &self.inner;
        Ok(Response::new(inner.waiters.wait(ids, timeout, inner.options.patience, inner.stopping.clone())?))
    }

    async fn get_instance(&self, request: Request<wire::GetInstanceRequest>) -> Answer<wire::Instance> {
        let request = request.into_inner();
        let id = match (request.instance_id.as_slice(), request.id.as_str()) {
            ([], "") => {
                return Err(error::invalid(
                    "no instance is named\nhint: give its instance_id, or workflow_name and id",
                ));
            }
            ([], id) if !request.workflow_name.is_empty() => self.newest(&request.workflow_name, id).await?,
            ([], _) => {
                return Err(error::invalid("an id alone names no instance\nhint: give the workflow_name too"));
            }
            (id, "") => instance_id("instance_id", id)?,
            _ => return Err(error::invalid("both instance_id and id are given\nhint: give one of them")),
        };
        let store = &self.inner.store;
        let found = patiently(self.deadline(), || store.get_instances(vec![id])).await.map_err(error::from_store)?;
        let instance = found.into_iter().next().flatten().ok_or_else(|| error::not_found(id))?;
        Ok(Response::new(view::instance(&instance)))
    }

    async fn list_instances(
        &self,
        request: Request<wire::ListInstancesRequest>,
    ) -> Answer<wire::ListInstancesResponse> {
        let request = request.into_inner();
        let cursor = view::optional_id("cursor", &request.cursor)?;
        let wanted = view::filter(request.filter.unwrap_or_default())?;
        let filter = InstanceFilter { cursor, limit: request.limit, ..wanted };
        let store = &self.inner.store;
        let page =
            patiently(self.deadline(), || store.list_instances(filter.clone())).await.map_err(error::from_store)?;
        Ok(Response::new(wire::ListInstancesResponse {
            instances: page.instances.iter().map(view::instance).collect(),
            next_cursor: page.next.map(|id| id.as_bytes().to_vec()).unwrap_or_default(),
        }))
    }

    async fn count_instances(
        &self,
        request: Request<wire::CountInstancesRequest>,
    ) -> Answer<wire::CountInstancesResponse> {
        let wire::CountInstancesRequest { filter, limit } = request.into_inner();
        let filter = view::filter(filter.unwrap_or_default())?;
        if filter.text.is_some() {
            return Err(error::invalid(
                "text can't be counted: it has no index\nhint: list the instances, page by page",
            ));
        }
        let limit = if limit == 0 { view::COUNT_MAX } else { limit.min(view::COUNT_MAX) };
        let store = &self.inner.store;
        let counted = patiently(self.deadline(), || store.count_instances(filter.clone(), limit)).await;
        let count = counted.map_err(error::from_store)?;
        Ok(Response::new(wire::CountInstancesResponse { count, is_more: count >= u64::from(limit) }))
    }

    async fn list_events(&self, request: Request<wire::ListEventsRequest>) -> Answer<wire::ListEventsResponse> {
        Ok(Response::new(self.events(request.into_inner()).await?))
    }

    async fn control_instances(
        &self,
        request: Request<wire::ControlInstancesRequest>,
    ) -> Answer<wire::ControlInstancesResponse> {
        Ok(Response::new(self.control(request.into_inner()).await?))
    }

    async fn signal_instance(&self, request: Request<wire::SignalInstanceRequest>) -> Answer<wire::MailResponse> {
        let request = request.into_inner();
        let (id, signal_id) = (instance_id("instance_id", &request.instance_id)?, request.id.clone());
        let mail = self.signal(id, request)?;
        let mut answer = self.deliver(mail).await?;
        if !answer.delivered && !signal_id.is_empty() {
            // Whoever did not hear that it was taken sends it again, perhaps after the end.
            answer.delivered = self.has_heard(id, signal_id).await?;
        }
        Ok(Response::new(answer))
    }

    async fn query_instance(
        &self,
        request: Request<wire::QueryInstanceRequest>,
    ) -> Answer<wire::QueryInstanceResponse> {
        let wire::QueryInstanceRequest { instance_id: id, name, frames } = request.into_inner();
        self.query(instance_id("instance_id", &id)?, name, frames).await.map(Response::new)
    }

    async fn update_instance(
        &self,
        request: Request<wire::UpdateInstanceRequest>,
    ) -> Answer<wire::UpdateInstanceResponse> {
        let request = request.into_inner();
        self.update(instance_id("instance_id", &request.instance_id)?, request).await.map(Response::new)
    }

    async fn export_instance(&self, request: Request<wire::ExportInstanceRequest>) -> Answer<wire::ExportedInstance> {
        let id = instance_id("instance_id", &request.into_inner().instance_id)?;
        self.export(id).await.map(Response::new)
    }

    async fn import_instance(&self, request: Request<wire::ExportedInstance>) -> Answer<wire::ImportInstanceResponse> {
        let id = self.import(request.into_inner()).await?;
        Ok(Response::new(wire::ImportInstanceResponse { instance_id: id.as_bytes().to_vec() }))
    }

    async fn put_queue(&self, request: Request<wire::PutQueueRequest>) -> Answer<wire::PutQueueResponse> {
        Bridge::put_queue(self, request.into_inner()).await?;
        Ok(Response::new(wire::PutQueueResponse {}))
    }

    async fn list_queues(&self, request: Request<wire::ListQueuesRequest>) -> Answer<wire::ListQueuesResponse> {
        Bridge::list_queues(self, request.into_inner()).await.map(Response::new)
    }

    async fn pause_queue(&self, request: Request<wire::PauseQueueRequest>) -> Answer<wire::PauseResponse> {
        Bridge::pause_queue(self, &request.into_inner().name, true).await.map(Response::new)
    }

    async fn resume_queue(&self, request: Request<wire::ResumeQueueRequest>) -> Answer<wire::PauseResponse> {
        Bridge::pause_queue(self, &request.into_inner().name, false).await.map(Response::new)
    }

    async fn pause_workflow(&self, request: Request<wire::PauseWorkflowRequest>) -> Answer<wire::PauseResponse> {
        Bridge::pause_workflow(self, &request.into_inner().workflow_name, true).await.map(Response::new)
    }

    async fn resume_workflow(&self, request: Request<wire::ResumeWorkflowRequest>) -> Answer<wire::PauseResponse> {
        Bridge::pause_workflow(self, &request.into_inner().workflow_name, false).await.map(Response::new)
    }

    async fn put_retention(&self, request: Request<wire::Retention>) -> Answer<wire::PutRetentionResponse> {
        Bridge::put_retention(self, request.into_inner()).await?;
        Ok(Response::new(wire::PutRetentionResponse {}))
    }

    async fn list_retention(&self, _: Request<wire::ListRetentionRequest>) -> Answer<wire::ListRetentionResponse> {
        Bridge::list_retention(self).await.map(Response::new)
    }

    async fn keep_workers(&self, request: Request<wire::KeepWorkersRequest>) -> Answer<wire::KeepWorkersResponse> {
        Ok(Response::new(self.keep(request.into_inner())?))
    }

    async fn shutdown(&self, _: Request<wire::ShutdownRequest>) -> Answer<wire::ShutdownResponse> {
        if !self.inner.identity.auto_booted {
            return Err(Status::failed_precondition(
                "no client started this bridge, so none may end it\nhint: stop its process where it was started",
            ));
        }
        tracing::info!("a client ends this bridge");
        self.inner.identity.shutdown.cancel();
        Ok(Response::new(wire::ShutdownResponse {}))
    }

    async fn put_schedule(&self, request: Request<wire::PutScheduleRequest>) -> Answer<wire::Schedule> {
        let wire::PutScheduleRequest { schedule, spec } = request.into_inner();
        self.put_schedule(schedule.unwrap_or_default(), spec.unwrap_or_default()).await.map(Response::new)
    }

    async fn list_schedules(
        &self,
        request: Request<wire::ListSchedulesRequest>,
    ) -> Answer<wire::ListSchedulesResponse> {
        let schedules = self.list_schedules(request.into_inner().workflow_name).await?;
        Ok(Response::new(wire::ListSchedulesResponse { schedules }))
    }

    async fn get_schedule(&self, request: Request<wire::ScheduleKey>) -> Answer<wire::Schedule> {
        self.get_schedule(request.into_inner()).await.map(Response::new)
    }

    async fn delete_schedule(&self, request: Request<wire::ScheduleKey>) -> Answer<wire::DeleteScheduleResponse> {
        self.delete_schedule(request.into_inner()).await?;
        Ok(Response::new(wire::DeleteScheduleResponse {}))
    }

    async fn pause_schedule(&self, request: Request<wire::ScheduleKey>) -> Answer<wire::Schedule> {
        self.set_schedule_status(request.into_inner(), ScheduleStatus::Paused).await.map(Response::new)
    }

    async fn resume_schedule(&self, request: Request<wire::ScheduleKey>) -> Answer<wire::Schedule> {
        self.set_schedule_status(request.into_inner(), ScheduleStatus::Active).await.map(Response::new)
    }

    async fn trigger_schedule(
        &self,
        request: Request<wire::TriggerScheduleRequest>,
    ) -> Answer<wire::TriggerScheduleResponse> {
        let wire::TriggerScheduleRequest { schedule, instance_id } = request.into_inner();
        let instance_id = self.trigger_schedule(schedule.unwrap_or_default(), &instance_id).await?;
        Ok(Response::new(wire::TriggerScheduleResponse { instance_id: instance_id.as_bytes().to_vec() }))
    }

    async fn backfill_schedule(
        &self,
        request: Request<wire::BackfillScheduleRequest>,
    ) -> Answer<wire::BackfillScheduleResponse> {
        let wire::BackfillScheduleRequest { schedule, from_us, to_us } = request.into_inner();
        self.backfill_schedule(schedule.unwrap_or_default(), from_us, to_us).await.map(Response::new)
    }

    async fn list_versions(&self, request: Request<wire::ListVersionsRequest>) -> Answer<wire::ListVersionsResponse> {
        Ok(Response::new(self.versions(request.into_inner()).await?))
    }

    async fn activate_version(
        &self,
        request: Request<wire::ActivateVersionRequest>,
    ) -> Answer<wire::ActivateVersionResponse> {
        Ok(Response::new(self.activate(request.into_inner()).await?))
    }

    async fn check_instances(
        &self,
        request: Request<wire::CheckInstancesRequest>,
    ) -> Answer<wire::CheckInstancesResponse> {
        Ok(Response::new(self.check_against(request.into_inner()).await?))
    }

    async fn get_frames(&self, request: Request<wire::GetFramesRequest>) -> Answer<wire::GetFramesResponse> {
        Ok(Response::new(self.frames(request.into_inner()).await?))
    }

    async fn migrate_instances(
        &self,
        request: Request<wire::MigrateInstancesRequest>,
    ) -> Answer<wire::MigrateInstancesResponse> {
        Ok(Response::new(self.migrate(request.into_inner()).await?))
    }
}

impl Bridge {
    /// When a call that began now gives up on a database that is away.
    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.inner.options.patience
    }

    async fn newest(&self, workflow_name: &str, id: &str) -> Result<Uuid, Status> {
        let filter = InstanceFilter {
            workflow_name: text("workflow_name", workflow_name.into())?,
            user_key: text("id", id.into())?,
            limit: 1,
            ..InstanceFilter::default()
        };
        let store = &self.inner.store;
        let page =
            patiently(self.deadline(), || store.list_instances(filter.clone())).await.map_err(error::from_store)?;
        page.instances.first().map(|instance| instance.instance_id).ok_or_else(|| {
            Status::not_found(format!(
                "workflow {} has no instance with the id {}\nhint: finished instances are deleted after a while",
                super::signature::shown(workflow_name),
                super::signature::shown(id)
            ))
        })
    }
}

fn too_many(what: &str, count: usize, most: usize) -> Status {
    error::invalid(format!("one call has {count} {what}, more than the {most} allowed\nhint: make several calls"))
}
