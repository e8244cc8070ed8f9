//! What an instance shows of itself: the last committed state, folded here. Nobody who could run it is asked.

use tonic::Status;
use uuid::Uuid;
use waymark_ir::payload;
use waymark_proto::bridge as wire;

use super::error::invalid;
use super::stored::Stored;
use super::{Bridge, view};

impl Bridge {
    pub(super) async fn query(
        &self,
        instance_id: Uuid,
        name: String,
        with_frames: bool,
    ) -> Result<wire::QueryInstanceResponse, Status> {
        let stored = self.stored(instance_id).await?;
        let status = view::status(stored.state.instance.status);
        let folded = self.aside(move || shown(&stored, &name, with_frames)).await?;
        let (published, frames) = folded.map_err(|reason| {
            invalid(format!(
                "the state of instance {instance_id} can't be read: {reason}\nhint: it is stuck, or will be"
            ))
        })?;
        Ok(wire::QueryInstanceResponse { status: status.into(), published, frames })
    }

    /// Whether a signal with this id has come.
    pub(super) async fn has_heard(&self, instance_id: Uuid, id: String) -> Result<bool, Status> {
        let stored = self.stored(instance_id).await?;
        self.aside(move || stored.fold().is_ok_and(|instance| instance.has_heard(&id))).await
    }
}

type Shown = (Vec<wire::NamedValue>, Vec<wire::Frame>);

fn shown(stored: &Stored, name: &str, with_frames: bool) -> Result<Shown, String> {
    let mut instance = stored.fold()?;
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
