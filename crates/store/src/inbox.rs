//! The inbox: what others leave for an instance.

use uuid::Uuid;

use crate::Timestamp;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub instance_id: Uuid,
    /// While a message waits in the inbox, another with its id is not taken.
    pub message_id: Uuid,
    /// `signal`, `command`, `child`, `outcome`, ….
    pub kind: String,
    /// The signal's name, the execution's id, ….
    pub name: String,
    pub payload: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxRow {
    pub message_id: Uuid,
    pub kind: String,
    pub name: String,
    pub payload: Vec<u8>,
    pub arrived_at: Timestamp,
}

/// What became of one message of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// Committed, and the instance is awake.
    Delivered,
    /// It waits there already.
    Duplicate,
    /// The instance has finished: it won't read it.
    Finished,
    /// There is no such instance.
    Unknown,
    /// The row can't be stored as it is.
    Refused { reason: String },
}

/// An inbox as its owner reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxView {
    pub instance_id: Uuid,
    /// Read before the rows: going to sleep with it never misses one.
    pub wake_seq: i64,
    pub rows: Vec<InboxRow>,
}
