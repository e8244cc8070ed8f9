//! Executions for a worker elsewhere: no worker here knows them.

use std::time::Duration;

use uuid::Uuid;

use crate::{Lease, Message, Timestamp};

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
    /// Empty: any worker that knows the action will do.
    pub queue: String,
    /// The action's name.
    pub action: String,
    pub payload: Vec<u8>,
}

/// Puts an attempt, as the owner of its instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PutAction {
    pub lease: Lease,
    /// The `wake_seq` that the owner has seen: an outcome that it has not seen may be that of this very attempt.
    pub wake_seq: i64,
    pub action: QueuedAction,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put {
    Done,
    /// There is mail that the owner has not seen.
    UnreadMail,
    /// The lease is not ours.
    LostLease,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimActions {
    /// The engine's identity.
    pub engine: String,
    /// The queues and actions that this engine has workers for.
    pub wanted: Vec<(String, String)>,
    pub limit: u32,
    pub lease: Duration,
}

impl ClaimActions {
    /// What to look for: those of the queues, and those of no queue.
    pub(crate) fn probes(&self) -> Vec<(&str, &str)> {
        let mut probes: Vec<(&str, &str)> = Vec::with_capacity(self.wanted.len() * 2);
        for (queue, action) in &self.wanted {
            for probe in [(queue.as_str(), action.as_str()), ("", action.as_str())] {
                probes.push(probe);
            }
        }
        let mut seen = std::collections::HashSet::new();
        probes.retain(|probe| seen.insert(*probe));
        probes
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedAction {
    pub action: QueuedAction,
    pub lock_uuid: Uuid,
    pub queued_at: Timestamp,
    /// How often it was claimed, with this time.
    pub claims: u32,
}

/// The outcome of a claimed attempt, for the inbox of its instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionSettlement {
    pub key: ActionKey,
    pub lock_uuid: Uuid,
    pub message: Message,
}
