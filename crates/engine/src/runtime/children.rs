//! Children: which versions they run, and, where a commit did not tell, whether they could be started.

use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;
use waymark_runner::Dispatch;
use waymark_store::{Error, Store, VersionRef};

use crate::Input;
use crate::shard::children::{child_instance, refusal};

pub(super) async fn find_versions(
    store: &dyn Store,
    names: Vec<Arc<str>>,
) -> Result<Vec<(Arc<str>, Option<Uuid>)>, Error> {
    let mut found = Vec::with_capacity(names.len());
    for name in names {
        let version = store.get_version(VersionRef::Active { workflow_name: name.to_string() }).await?;
        found.push((name, version.map(|version| version.workflow_version_id)));
    }
    Ok(found)
}

/// Repeats until the child is there or can't be. Its id is derived from the call, so it is started once.
pub(super) async fn start_child(
    store: Arc<dyn Store>,
    backoff: Duration,
    parent_id: Uuid,
    call: Arc<Dispatch>,
) -> Input {
    let refused = |reason: String| Input::ChildRefused { parent_id, call: call.clone(), reason };
    loop {
        match try_start(&*store, parent_id, &call).await {
            Ok(None) => return Input::ChildDone { parent_id, key: (call.execution.ordinal, call.attempt) },
            Ok(Some(reason)) => return refused(reason),
            Err(error) if error.is_transient() => {}
            Err(error) => return refused(format!("workflow {} can't be started: {error}", call.name)),
        }
        tokio::time::sleep(backoff).await;
    }
}

/// Why it can't be started, if it can't.
async fn try_start(store: &dyn Store, parent_id: Uuid, call: &Dispatch) -> Result<Option<String>, Error> {
    let active = VersionRef::Active { workflow_name: call.name.to_string() };
    let Some(version) = store.get_version(active).await? else {
        return Ok(Some(format!("there is no workflow {}", call.name)));
    };
    let instance = child_instance(parent_id, call, version.workflow_version_id);
    let queued = store.queue_instances(vec![instance]).await?;
    Ok(queued.first().and_then(|queued| refusal(call, queued)))
}
