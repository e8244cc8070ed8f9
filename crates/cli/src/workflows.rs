//! Names of workflows, as people type them.

use std::collections::BTreeSet;

use waymark_ir::verify::nearest;
use waymark_proto::bridge::{ListVersionsRequest, Version};

use crate::boot::ensure::Found;
use crate::client::explain;
use crate::terminal::hinted;

/// The versions of a workflow. Refuses a name that nothing was ever registered under: a slip would else look as if there were nothing to do.
pub async fn versions(found: &mut Found, workflow: &str) -> anyhow::Result<Vec<Version>> {
    let versions = all_versions(found, workflow).await?;
    if !versions.is_empty() {
        return Ok(versions);
    }
    let all = all_versions(found, "").await?;
    let names: BTreeSet<&str> = all.iter().map(|version| version.workflow_name.as_str()).collect();
    let hint = match nearest(workflow, names.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None if names.is_empty() => "none was ever started or registered in this database".into(),
        None => "`waymark versions` lists those that there are".into(),
    };
    Err(hinted(format!("there is no workflow named {workflow}"), hint))
}

/// Of all workflows, where none is named.
pub async fn all_versions(found: &mut Found, workflow: &str) -> anyhow::Result<Vec<Version>> {
    let listed = found.client.calls.list_versions(ListVersionsRequest { workflow_name: workflow.into() }).await;
    Ok(listed.map_err(|status| explain(&found.address, status))?.into_inner().versions)
}
