//! Instances: how they are started, looked at and listed.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

use crate::{ClaimedInstance, Termination, Timestamp};

/// Priorities are `0..PRIORITY_LEVELS`, 0 first. Few, because a claim probes each of them.
pub const PRIORITY_LEVELS: u8 = 4;

/// A start. Repeating it with the same `instance_id` changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewInstance {
    /// A UUIDv7, made by whoever starts: lists are in the order of these ids.
    pub instance_id: Uuid,
    pub workflow_version_id: Uuid,
    /// Which engines may claim it.
    pub queue: String,
    /// `0..PRIORITY_LEVELS`, 0 first.
    pub priority: u8,
    /// When it is due. None: now, by the database's clock.
    pub scheduled_at: Option<Timestamp>,
    /// The user's own id, unique among the live instances of the workflow.
    pub user_key: Option<String>,
    pub inputs: Vec<u8>,
    pub parent: Option<Parent>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// What limits of its queue count by, and what the queue is fair among.
    pub queue_key: Option<String>,
    /// When it must have finished.
    pub deadline_at: Option<Timestamp>,
    /// The schedule that started it.
    pub schedule_id: Option<Uuid>,
    /// What to do when a live instance has its `user_key`.
    pub on_conflict: OnConflict,
    /// One with its `user_key` that finished no longer ago than this is in the way as a live one is.
    pub unique_for: Option<Duration>,
}

/// What becomes of a start whose key is taken. The same `instance_id` again is `Queued::Existing`, whatever this says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum OnConflict {
    /// With equal inputs it is the same start; with others it is refused.
    #[default]
    SameInputs,
    /// Refused, whatever the inputs are.
    Reject,
    /// The one that has the key is meant, whatever the inputs are.
    Existing,
    /// The one that has the key is ended and this one started, in one commit. The termination is of whom the caller has seen to have the
    /// key; if it is another by now the answer is `Queued::KeyTaken`, and the caller looks again.
    Replace(Option<Box<Termination>>),
}

impl NewInstance {
    /// A start that is due now, with nothing special about it.
    pub fn new(instance_id: Uuid, workflow_version_id: Uuid, inputs: Vec<u8>) -> NewInstance {
        NewInstance {
            instance_id,
            workflow_version_id,
            queue: "default".into(),
            priority: 1,
            scheduled_at: None,
            user_key: None,
            inputs,
            parent: None,
            tags: Vec::new(),
            queue_key: None,
            deadline_at: None,
            schedule_id: None,
            on_conflict: OnConflict::SameInputs,
            unique_for: None,
        }
    }
}

/// Who waits for a child instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parent {
    pub instance_id: Uuid,
    pub execution_id: String,
}

/// What became of one start of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Queued {
    Started,
    /// Started, and claimed for who asked for it: see [`StartClaim`](crate::StartClaim).
    Claimed(Box<ClaimedInstance>),
    /// This instance, or one that has the key and is meant by it, was there already.
    Existing {
        instance_id: Uuid,
    },
    /// Another has this key.
    KeyTaken {
        instance_id: Uuid,
    },
    UnknownVersion,
    /// The row can't be stored as it is.
    Refused {
        reason: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    Running,
    /// Somebody has told it to wait.
    Paused,
    /// It cannot go on; the reason is in `Instance::stuck_reason`.
    Stuck,
    Completed,
    Failed,
    Cancelled,
    /// Ended from outside, at once: nothing of it has run since.
    Terminated,
}

impl Status {
    pub const ALL: [Status; 7] = [
        Status::Running,
        Status::Paused,
        Status::Stuck,
        Status::Completed,
        Status::Failed,
        Status::Cancelled,
        Status::Terminated,
    ];

    /// Those that may still go on.
    pub const LIVE: [Status; 3] = [Status::Running, Status::Paused, Status::Stuck];

    pub fn name(self) -> &'static str {
        match self {
            Status::Running => "running",
            Status::Paused => "paused",
            Status::Stuck => "stuck",
            Status::Completed => "completed",
            Status::Failed => "failed",
            Status::Cancelled => "cancelled",
            Status::Terminated => "terminated",
        }
    }

    pub fn from_name(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.name() == name)
    }

    pub fn is_final(self) -> bool {
        !matches!(self, Status::Running | Status::Paused | Status::Stuck)
    }
}

/// How an instance ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Completed {
        result: Vec<u8>,
    },
    Failed {
        error: Vec<u8>,
        /// The exception's class.
        error_type: String,
    },
    Cancelled {
        error: Vec<u8>,
    },
    /// It was asked to end, and did not in time.
    Terminated {
        error: Vec<u8>,
    },
}

impl Ending {
    pub fn status(&self) -> Status {
        match self {
            Ending::Completed { .. } => Status::Completed,
            Ending::Failed { .. } => Status::Failed,
            Ending::Cancelled { .. } => Status::Cancelled,
            Ending::Terminated { .. } => Status::Terminated,
        }
    }

    pub fn result(&self) -> Option<&[u8]> {
        match self {
            Ending::Completed { result } => Some(result),
            Ending::Failed { .. } | Ending::Cancelled { .. } | Ending::Terminated { .. } => None,
        }
    }

    pub fn error(&self) -> Option<&[u8]> {
        match self {
            Ending::Completed { .. } => None,
            Ending::Failed { error, .. } | Ending::Cancelled { error } | Ending::Terminated { error } => Some(error),
        }
    }

    pub(crate) fn error_type(&self) -> Option<&str> {
        match self {
            Ending::Failed { error_type, .. } => Some(error_type),
            Ending::Terminated { .. } => Some(Termination::ERROR_TYPE),
            Ending::Completed { .. } | Ending::Cancelled { .. } => None,
        }
    }
}

/// One row of `runner_instances`, without its state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    pub instance_id: Uuid,
    pub workflow_version_id: Uuid,
    pub workflow_name: String,
    pub workflow_version: String,
    pub status: Status,
    pub user_key: Option<String>,
    pub parent: Option<Parent>,
    pub tags: Vec<String>,
    pub queue: String,
    pub queue_key: Option<String>,
    pub deadline_at: Option<Timestamp>,
    pub schedule_id: Option<Uuid>,
    /// The class of the exception that it ended with.
    pub error_type: Option<String>,
    /// Empty in listings.
    pub inputs: Vec<u8>,
    /// Absent in listings.
    pub result: Option<Vec<u8>>,
    /// Absent in listings.
    pub error: Option<Vec<u8>>,
    pub waits_for: Option<String>,
    pub stuck_reason: Option<String>,
    /// When it is due next; None once it has finished.
    pub scheduled_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub finished_at: Option<Timestamp>,
    /// How it stands in its queue; None once it has finished.
    pub turn: Option<Turn>,
}

/// Whether an engine has an instance, or what keeps them from taking it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    Held,
    WorkflowPaused,
    QueuePaused,
    /// It is taken when it is due, and its queue lets it.
    Waiting,
}

impl Turn {
    pub(crate) fn from_name(name: &str) -> Option<Turn> {
        match name {
            "held" => Some(Turn::Held),
            "workflow paused" => Some(Turn::WorkflowPaused),
            "queue paused" => Some(Turn::QueuePaused),
            "waiting" => Some(Turn::Waiting),
            _ => None,
        }
    }
}

/// The state of an instance after the event `seq`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    pub seq: i64,
    pub state: Vec<u8>,
}

/// One event of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRow {
    /// 1 for the first event of an instance, without gaps.
    pub seq: i64,
    /// A short name of the event, for people: `settled`, `signal`, ….
    pub kind: Cow<'static, str>,
    /// The execution that settled, if one did.
    pub execution_id: Option<String>,
    pub attempt: Option<i32>,
    /// The event, as the runner encodes it.
    pub outcome: Vec<u8>,
    /// The event's time.
    pub happened_at: Timestamp,
    /// When the attempt was dispatched, if one settled.
    pub started_at: Option<Timestamp>,
    pub worker: Option<Arc<str>>,
    /// Sums up the state after this event.
    pub digest: u64,
}

/// What a query folds: the last snapshot, and the log after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceState {
    pub instance: Instance,
    pub snapshot: Option<Snapshot>,
    pub log: Vec<LogRow>,
}

/// Newest first. Absent fields don't filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstanceFilter {
    pub workflow_name: Option<String>,
    pub workflow_version: Option<String>,
    /// Any of these; none: all.
    pub statuses: Vec<Status>,
    pub user_key: Option<String>,
    pub parent_instance_id: Option<Uuid>,
    pub schedule_id: Option<Uuid>,
    pub queue: Option<String>,
    pub queue_key: Option<String>,
    /// All of these.
    pub tags: Vec<String>,
    pub error_type: Option<String>,
    pub created_from: Option<Timestamp>,
    pub created_before: Option<Timestamp>,
    pub finished_from: Option<Timestamp>,
    pub finished_before: Option<Timestamp>,
    /// These bytes stand somewhere in the inputs, the result or the error. A page looks at so many instances and then answers, even if
    /// it is not full.
    pub text: Option<String>,
    /// `InstancePage::next` of the page before.
    pub cursor: Option<Uuid>,
    /// 0: the default, 100. At most 1,000.
    pub limit: u32,
}

impl InstanceFilter {
    pub(crate) fn page_size(&self) -> i64 {
        if self.limit == 0 { 100 } else { i64::from(self.limit.min(1_000)) }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstancePage {
    pub instances: Vec<Instance>,
    /// Present when there may be more, even where `instances` is empty.
    pub next: Option<Uuid>,
}
