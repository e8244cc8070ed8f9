//! Which instances a command is about: flags that `list` has, and whatever works on many.

use uuid::Uuid;
use waymark_proto::bridge::{InstanceFilter, InstanceStatus};

use crate::span;

/// What is left out does not filter.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Which instances")]
pub struct Filter {
    /// Of this workflow
    #[arg(long, value_name = "NAME")]
    pub workflow: Option<String>,
    /// On this version
    #[arg(long, value_name = "VERSION")]
    pub version: Option<String>,
    /// In any of these states
    #[arg(long, value_enum, value_name = "STATUS", value_delimiter = ',')]
    pub status: Vec<Status>,
    /// With this key of yours, that it was started with
    #[arg(long, value_name = "KEY")]
    pub id: Option<String>,
    /// In this queue
    #[arg(long, value_name = "NAME")]
    pub queue: Option<String>,
    /// With this key of its queue's limits
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
    /// With this tag; several: with all of them
    #[arg(long, value_name = "TAG")]
    pub tag: Vec<String>,
    /// That ended with an exception of this class
    #[arg(long, value_name = "CLASS")]
    pub error_type: Option<String>,
    /// Started at this time or later: 2026-01-31T00:00:00Z, or how long ago, as 90m
    #[arg(long, value_name = "TIME", value_parser = span::moment)]
    pub since: Option<i64>,
    /// Started before this time
    #[arg(long, value_name = "TIME", value_parser = span::moment)]
    pub until: Option<i64>,
    /// Children of this instance
    #[arg(long, value_name = "ID")]
    pub parent: Option<Uuid>,
    /// With this text in inputs, result or error
    #[arg(long, value_name = "TEXT")]
    pub text: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Status {
    Running,
    Paused,
    Stuck,
    Completed,
    Failed,
    Cancelled,
    Terminated,
}

impl Filter {
    pub fn is_empty(&self) -> bool {
        self.wire() == InstanceFilter::default()
    }

    pub fn wire(&self) -> InstanceFilter {
        InstanceFilter {
            workflow_name: self.workflow.clone().unwrap_or_default(),
            workflow_version: self.version.clone().unwrap_or_default(),
            statuses: self.status.iter().map(|status| status.wire().into()).collect(),
            id: self.id.clone().unwrap_or_default(),
            parent_instance_id: self.parent.map(|id| id.as_bytes().to_vec()).unwrap_or_default(),
            queue: self.queue.clone().unwrap_or_default(),
            key: self.key.clone().unwrap_or_default(),
            tags: self.tag.clone(),
            error_type: self.error_type.clone().unwrap_or_default(),
            created_from_us: self.since,
            created_before_us: self.until,
            text: self.text.clone().unwrap_or_default(),
            ..InstanceFilter::default()
        }
    }
}

impl Status {
    fn wire(self) -> InstanceStatus {
        match self {
            Status::Running => InstanceStatus::Running,
            Status::Paused => InstanceStatus::Paused,
            Status::Stuck => InstanceStatus::Stuck,
            Status::Completed => InstanceStatus::Completed,
            Status::Failed => InstanceStatus::Failed,
            Status::Cancelled => InstanceStatus::Cancelled,
            Status::Terminated => InstanceStatus::Terminated,
        }
    }
}
