//! What people do to an instance from outside: end it at once, or give it another state. Neither needs its lease: both take it away, so
//! that whoever held it writes nothing more.

use uuid::Uuid;

use crate::{LogRow, Message, NewInstance, Status, Timestamp};

/// Ends an instance at once, whoever has it. Nothing of it runs any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Termination {
    pub instance_id: Uuid,
    /// What whoever waits for it is told.
    pub error: Vec<u8>,
    /// For its parent.
    pub parent_message: Option<Message>,
    /// For each of its children that lives; the ids in it don't count.
    pub child_message: Option<Message>,
    /// Children that go on without it: they are told nothing.
    pub abandoned: Vec<Uuid>,
}

impl Termination {
    /// The class of the exception that such an instance ends with.
    pub const ERROR_TYPE: &str = "waymark.Terminated";
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terminated {
    Done,
    /// It has finished already.
    Finished,
    Unknown,
}

/// Gives an instance another state, which may be one that it was in before, or on another version. One that has finished goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    pub instance_id: Uuid,
    /// It is started with this state, in the same commit. None: it is there.
    pub start: Option<Box<NewInstance>>,
    /// The last event as the caller has seen it.
    pub expected_seq: i64,
    /// Whether it was live then. One that has ended since, or goes on again, has moved.
    pub was_live: bool,
    /// What was done, as the event after that.
    pub log: LogRow,
    /// The state after it.
    pub snapshot: Vec<u8>,
    /// None: unchanged.
    pub workflow_version_id: Option<Uuid>,
    /// None: unchanged.
    pub inputs: Option<Vec<u8>>,
    /// When it must have finished. None: unchanged.
    pub deadline_at: Option<Timestamp>,
    /// What it is told again, having been told before in what was taken back; and what others are told of it.
    pub mail: Vec<Message>,
    /// From now on.
    pub is_paused: bool,
}

impl Rewrite {
    pub(crate) fn status(&self) -> Status {
        if self.is_paused { Status::Paused } else { Status::Running }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rewritten {
    Done,
    /// It has gone on meanwhile: look again.
    Moved {
        seq: i64,
    },
    /// Another live instance has its key by now.
    KeyTaken {
        instance_id: Uuid,
    },
    Unknown,
    /// The row can't be stored as it is.
    Refused {
        reason: String,
    },
}
