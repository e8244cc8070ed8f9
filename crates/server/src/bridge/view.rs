//! Instances as clients see them.

use waymark_proto::bridge as wire;
use waymark_store::{Instance, Status, Timestamp};

pub(super) fn instance(instance: &Instance) -> wire::Instance {
    wire::Instance {
        instance_id: instance.instance_id.as_bytes().to_vec(),
        workflow_name: instance.workflow_name.clone(),
        workflow_version: instance.workflow_version.clone(),
        id: instance.user_key.clone().unwrap_or_default(),
        status: status(instance.status).into(),
        inputs: instance.inputs.clone(),
        result: instance.result.clone(),
        error: instance.error.clone(),
        waits_for: instance.waits_for.clone().unwrap_or_default(),
        stuck_reason: instance.stuck_reason.clone().unwrap_or_default(),
        created_at_us: instance.created_at.0,
        finished_at_us: instance.finished_at.map(|at| at.0),
        scheduled_at_us: instance.scheduled_at.filter(|at| *at != Timestamp::NEVER).map(|at| at.0),
        parent_instance_id: instance
            .parent
            .as_ref()
            .map(|parent| parent.instance_id.as_bytes().to_vec())
            .unwrap_or_default(),
        tags: instance.tags.clone().unwrap_or_default(),
    }
}

fn status(status: Status) -> wire::InstanceStatus {
    match status {
        Status::Running => wire::InstanceStatus::Running,
        Status::Stuck => wire::InstanceStatus::Stuck,
        Status::Completed => wire::InstanceStatus::Completed,
        Status::Failed => wire::InstanceStatus::Failed,
        Status::Cancelled => wire::InstanceStatus::Cancelled,
    }
}

/// None: all of them.
pub(super) fn status_filter(wanted: wire::InstanceStatus) -> Option<Status> {
    Status::ALL.into_iter().find(|known| status(*known) == wanted)
}
