//! Children: started and stopped through the store, until it is done for good.

use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;
use waymark_ir::payload;
use waymark_runner::Dispatch;
use waymark_store::{Delivery, NewInstance, Parent, Queued, Store, VersionRef};

use crate::{Input, Mail};

/// How often a child that is to be cancelled is looked for when it is not there.
const CHILD_LOOKS_MAX: u32 = 50;

/// Repeats until the child has its mail, or can't.
pub(super) async fn stop_child(store: &dyn Store, backoff: Duration, child_id: Uuid) {
    let message = Mail::stop_child(child_id).into_message();
    let mut unknown = 0;
    loop {
        match store.put_inbox(vec![message.clone()]).await.as_deref() {
            // Its start may be on its way; or it was refused, or it is long gone.
            Ok([Delivery::Unknown]) if unknown < CHILD_LOOKS_MAX => unknown += 1,
            Err(error) if error.is_transient() => {}
            Err(error) => return tracing::error!(%error, child = %child_id, "a child can't be cancelled"),
            Ok(_) => return,
        }
        tokio::time::sleep(backoff).await;
    }
}

/// Repeats until the child is there or can't be. Its id is derived from the call, so it is started once.
pub(super) async fn start_child(
    store: Arc<dyn Store>,
    backoff: Duration,
    child_id: Uuid,
    parent_id: Uuid,
    call: Arc<Dispatch>,
) -> Input {
    let key = (call.execution.ordinal, call.attempt);
    let refused = |reason: String| Input::ChildRefused { parent_id, key, reason };
    let entries = call.keyword.iter().map(|(name, value)| (waymark_ir::Value::Str(name.to_string()), value.clone()));
    if !call.positional.is_empty() {
        return refused(format!("workflow {} takes its inputs by name", call.name));
    }
    let inputs = payload::encode(&waymark_ir::Value::Dict(entries.collect()));
    loop {
        let active = store.get_version(VersionRef::Active { workflow_name: call.name.to_string() }).await;
        match active {
            Ok(None) => return refused(format!("there is no workflow {}", call.name)),
            Ok(Some(version)) => {
                let instance = NewInstance {
                    queue: call.queue.as_deref().unwrap_or("default").to_string(),
                    parent: Some(Parent { instance_id: parent_id, execution_id: format!("{}/{}", key.0, key.1) }),
                    ..NewInstance::new(child_id, version.workflow_version_id, inputs.clone())
                };
                match store.queue_instances(vec![instance]).await.as_deref() {
                    Ok([Queued::Started | Queued::Existing { .. }]) => return Input::ChildDone { parent_id, key },
                    Ok([Queued::Refused { reason }]) => return refused(reason.clone()),
                    Ok(_) => return refused(format!("workflow {} can't be started", call.name)),
                    Err(error) if error.is_transient() => {}
                    Err(error) => return refused(format!("workflow {} can't be started: {error}", call.name)),
                }
            }
            Err(error) if error.is_transient() => {}
            Err(error) => return refused(format!("workflow {} can't be started: {error}", call.name)),
        }
        tokio::time::sleep(backoff).await;
    }
}
