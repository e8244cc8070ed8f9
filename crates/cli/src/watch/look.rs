//! What is seen of an instance at a time: itself, its frames, its children and theirs.

use serde_json::Value as Json;
use tonic::Status;
use waymark_proto::bridge::{
    CountInstancesRequest, GetInstanceRequest, Instance, InstanceFilter, InstanceStatus, ListInstancesRequest,
};

use crate::boot::ensure::Found;
use crate::instances::{self, list::why, show::query};
use crate::table;

/// Live children of one instance that are shown, and how deep.
const CHILDREN_MAX: u32 = 10;
const DEPTH_MAX: usize = 3;
const WHY_LETTERS: usize = 60;

pub struct Look {
    pub instance: Instance,
    pub progress: Option<Progress>,
    /// Children that have not ended.
    pub children: u64,
    /// What runs, indented.
    pub tree: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    pub done: f64,
    pub total: f64,
}

pub async fn read(found: &mut Found, id: &[u8]) -> Result<Look, Status> {
    let request = GetInstanceRequest { instance_id: id.to_vec(), ..GetInstanceRequest::default() };
    let instance = found.client.calls.get_instance(request).await?.into_inner();
    let mut tree = Vec::new();
    let (published, children) = add(found, &instance, 0, &mut tree).await?;
    Ok(Look { instance, progress: published.as_ref().and_then(progress), children, tree })
}

/// Adds lines for an instance and what runs below it. Answers with what it says of its progress, and how many live children it has.
async fn add(
    found: &mut Found,
    instance: &Instance,
    depth: usize,
    tree: &mut Vec<String>,
) -> Result<(Option<Json>, u64), Status> {
    let indent = "  ".repeat(depth);
    let why = table::cut(why(instance), WHY_LETTERS);
    let name = if instance.id.is_empty() { table::id(&instance.instance_id) } else { instance.id.clone() };
    let status = instances::status(instance.status());
    let line = format!("{indent}{} {name}: {status}", instance.workflow_name);
    tree.push(if why.is_empty() { line } else { format!("{line}, {why}") });
    let shown = match query(found, &instance.instance_id).await {
        Ok(shown) => shown,
        // A state that can't be read says so as the reason why it is stuck.
        Err(status) if status.code() == tonic::Code::InvalidArgument => Default::default(),
        Err(status) => return Err(status),
    };
    for frame in &shown.frames {
        tree.push(format!("{indent}  {}, line {}", frame.function, frame.line));
    }
    let live = InstanceFilter {
        parent_instance_id: instance.instance_id.clone(),
        statuses: [InstanceStatus::Running, InstanceStatus::Paused, InstanceStatus::Stuck].map(i32::from).to_vec(),
        ..InstanceFilter::default()
    };
    let request = CountInstancesRequest { filter: Some(live.clone()), limit: 0 };
    let children = found.client.calls.count_instances(request).await?.into_inner().count;
    if children > 0 && depth < DEPTH_MAX {
        let request = ListInstancesRequest { filter: Some(live), cursor: Vec::new(), limit: CHILDREN_MAX };
        let listed = found.client.calls.list_instances(request).await?.into_inner().instances;
        for child in &listed {
            Box::pin(add(found, child, depth + 1, tree)).await?;
        }
        let more = children.saturating_sub(listed.len() as u64);
        if more > 0 {
            tree.push(format!("{indent}  … and {more} more"));
        }
    }
    let published = shown.published.iter().find(|named| named.name == "progress");
    Ok((published.and_then(|named| named.value.as_deref()).map(instances::value), children))
}

/// A number from 0 to 1, or `[done, total]`.
fn progress(published: &Json) -> Option<Progress> {
    let (done, total) = match published {
        Json::Array(pair) => match &pair[..] {
            [done, total] => (done.as_f64()?, total.as_f64()?),
            _ => return None,
        },
        one => (one.as_f64()?, 1.0),
    };
    (total > 0.0 && (0.0..=total).contains(&done)).then_some(Progress { done, total })
}

impl Progress {
    pub fn text(self) -> String {
        match self.total == 1.0 {
            true => format!("{:.0}%", self.done * 100.0),
            false => format!("{} of {}", self.done, self.total),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn progress_is_a_fraction_or_a_pair() {
        for (published, text) in [(json!(0.25), "25%"), (json!(1), "100%"), (json!([3, 10]), "3 of 10")] {
            assert_eq!(progress(&published).map(Progress::text), Some(text.into()), "{published}");
        }
        for published in [json!("half"), json!(1.5), json!([1]), json!([11, 10]), json!([0, 0]), json!(null)] {
            assert_eq!(progress(&published), None, "{published}");
        }
    }
}
