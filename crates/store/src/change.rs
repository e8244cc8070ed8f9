//! Notifications. They make things prompt, never right: whoever misses one finds out by looking, and is told to look by
//! [`Change::Resync`].

use std::time::Duration;

use tokio::sync::broadcast;
use uuid::Uuid;

use crate::Timestamp;

/// How many changes a slow receiver may be behind before it is told `Lagged`.
pub(crate) const CHANGES_BEHIND_MAX: usize = 4096;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Instances may have become due, or will within a second. What is due later is found by whoever asks for the next wake-up
    /// once a second.
    Work,
    /// An instance has mail. Its owner, if it has one, should read the inbox.
    Inbox(Uuid),
    Finished(Uuid),
    /// An instance has replied to an update.
    Replied(Uuid),
    /// An instance was taken from its owner: somebody has ended it, or given it another state.
    Taken(Uuid),
    /// An instance became stuck.
    Stuck(Uuid),
    /// Actions were queued for workers elsewhere.
    Actions,
    /// A schedule was put, paused, resumed or deleted.
    Schedules,
    /// Another version of a workflow was activated.
    Versions,
    /// Notifications may have been lost: look at everything once.
    Resync,
}

/// A receiver that is behind by too much gets `RecvError::Lagged`, which means the same as [`Change::Resync`].
pub type Changes = broadcast::Receiver<Change>;

/// Whether something that becomes due then is worth a notification.
pub(crate) fn is_soon(scheduled_at: Timestamp, now: Timestamp) -> bool {
    scheduled_at <= now + Duration::from_secs(1)
}
