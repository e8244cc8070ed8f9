//! Executions for a worker elsewhere: another queue, or another language.

use std::time::Duration;

use uuid::Uuid;

use crate::{Message, Timestamp};

/// Which attempt.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ActionKey {
    pub instance_id: Uuid,
    pub execution_id: String,
    pub attempt: i32,
}

/// An attempt to run. Putting it twice changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedAction {
    pub key: ActionKey,
    pub queue: String,
    pub language: String,
    /// The action's name.
    pub action: String,
    pub payload: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimActions {
    /// The engine's identity.
    pub engine: String,
    /// The queues and languages that this engine has workers for.
    pub wanted: Vec<(String, String)>,
    pub limit: u32,
    pub lease: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedAction {
    pub action: QueuedAction,
    pub lock_uuid: Uuid,
    pub queued_at: Timestamp,
}

/// The outcome of a claimed attempt, for the inbox of its instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionSettlement {
    pub key: ActionKey,
    pub lock_uuid: Uuid,
    pub message: Message,
}
