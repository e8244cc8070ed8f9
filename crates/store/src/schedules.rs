//! Schedules: rows that say when instances of a workflow start by themselves. What a definition means is the engine's business; the store
//! keeps where each schedule stands in its calendar, and lets whoever fires one do it once.

use std::time::Duration;

use uuid::Uuid;

use crate::{Message, NewInstance, Timestamp, validate};

/// How many live instances of a schedule are told.
pub(crate) const LIVE_MAX: i64 = 100;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ScheduleKey {
    pub workflow_name: String,
    pub schedule_name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduleStatus {
    Active,
    /// It does not fire; due times pass.
    Paused,
}

impl ScheduleStatus {
    pub fn name(self) -> &'static str {
        match self {
            ScheduleStatus::Active => "active",
            ScheduleStatus::Paused => "paused",
        }
    }

    pub fn from_name(name: &str) -> Option<ScheduleStatus> {
        [ScheduleStatus::Active, ScheduleStatus::Paused].into_iter().find(|status| status.name() == name)
    }
}

/// Where a schedule stands in its calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchedulePosition {
    /// Due times up to this one are done with.
    pub handled_until: Timestamp,
    /// The due time of the run that waits for the one before it to end.
    pub buffered_at: Option<Timestamp>,
    /// When it has something to do next. None: never again.
    pub next_run_at: Option<Timestamp>,
}

/// One row of `workflow_schedules`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkflowSchedule {
    pub schedule_id: Uuid,
    pub key: ScheduleKey,
    pub status: ScheduleStatus,
    /// As the engine encodes it.
    pub definition: Vec<u8>,
    pub position: SchedulePosition,
    /// Raised by every write.
    pub revision: i64,
    /// The due time that it last fired for, and what that started.
    pub last_run_at: Option<Timestamp>,
    pub last_instance_id: Option<Uuid>,
    /// Instances that it has started.
    pub runs: i64,
    /// Due times that were left out because a run before them was going.
    pub overlapped: i64,
    /// Due times that nobody was there for in time.
    pub missed: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PutSchedule {
    /// Of a new one; one that is there keeps its own.
    pub schedule_id: Uuid,
    pub key: ScheduleKey,
    /// As the caller has seen it. None: there was none.
    pub expected_revision: Option<i64>,
    pub status: ScheduleStatus,
    pub definition: Vec<u8>,
    pub position: SchedulePosition,
}

/// A schedule, with what it takes to fire it, all of one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueSchedule {
    pub schedule: WorkflowSchedule,
    /// Instances that it has started and that have not finished, the oldest first; a hundred at most.
    pub live: Vec<Uuid>,
    /// The version that was last activated.
    pub active_version_id: Option<Uuid>,
    /// By the database's clock.
    pub now: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueSchedules {
    pub due: Vec<DueSchedule>,
    /// How long until the next one is due that is not yet. None: none before somebody acts.
    pub next_due_in: Option<Duration>,
}

/// What a schedule does, all at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Firing {
    pub schedule_id: Uuid,
    pub expected_revision: i64,
    /// Those that are there already are left as they are.
    pub instances: Vec<NewInstance>,
    /// To instances that are to end.
    pub messages: Vec<Message>,
    pub position: SchedulePosition,
    /// None: unchanged.
    pub last_run: Option<(Timestamp, Uuid)>,
    pub overlapped: i64,
    pub missed: i64,
}

impl Firing {
    pub(crate) fn problem(&self) -> Result<(), String> {
        self.instances.iter().try_for_each(validate::instance)?;
        self.messages.iter().try_for_each(validate::message)
    }

    pub(crate) fn runs(&self) -> i64 {
        self.instances.len() as i64
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fired {
    /// How many of its instances were not there before.
    Done { started: usize },
    /// It was fired or changed meanwhile, or is gone. Nothing happened.
    Moved,
    /// The rows can't be stored as they are. Nothing happened.
    Refused { reason: String },
}
