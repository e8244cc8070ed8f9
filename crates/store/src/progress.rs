//! Progress: what an engine commits for the instances it holds.

use uuid::Uuid;

use crate::{Ending, Lease, LogRow, Message, NewInstance, Queued, Reply, Status, Timestamp};

/// All that one instance wants committed at once. Nothing that depends on it may leave the process before it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    pub lease: Lease,
    /// The last committed event, as the owner knows it.
    pub expected_seq: i64,
    /// The events after that, without gaps.
    pub log: Vec<LogRow>,
    /// The state after the last event of `log`, where a snapshot is due.
    pub snapshot: Option<Vec<u8>>,
    /// Log rows up to this `seq` are no longer wanted. Only what the stored snapshot covers is deleted.
    pub trim_log_through: Option<i64>,
    /// Inbox rows that the events came from.
    pub consumed: Vec<Uuid>,
    /// For other instances: settled children, signals. Those that have finished don't get them.
    pub messages: Vec<Message>,
    pub children: Vec<NewInstance>,
    /// Answers to updates.
    pub replies: Vec<Reply>,
    /// What the instance waits for, for people. None: unchanged.
    pub waits_for: Option<String>,
    /// It was paused, or goes on. None: unchanged.
    pub paused: Option<bool>,
    pub next: Next,
}

impl Progress {
    /// Progress with events alone.
    pub fn new(lease: Lease, expected_seq: i64, log: Vec<LogRow>) -> Progress {
        Progress {
            lease,
            expected_seq,
            log,
            snapshot: None,
            trim_log_through: None,
            consumed: Vec::new(),
            messages: Vec::new(),
            children: Vec::new(),
            replies: Vec::new(),
            waits_for: None,
            paused: None,
            next: Next::Hold,
        }
    }

    /// Whether it writes to its own rows alone, and keeps its place in the queue.
    pub(crate) fn only_moves_on(&self) -> bool {
        self.messages.is_empty() && !matches!(self.next, Next::Finish(_))
    }

    /// What its status is from now on. None: unchanged.
    pub(crate) fn status(&self) -> Option<Status> {
        match (&self.next, self.paused) {
            (Next::Finish(ending), _) => Some(ending.status()),
            (_, Some(true)) => Some(Status::Paused),
            (_, Some(false)) => Some(Status::Running),
            (_, None) => None,
        }
    }

    /// The last event, once this is committed.
    pub fn seq(&self) -> i64 {
        self.expected_seq.saturating_add(i64::try_from(self.log.len()).unwrap_or(i64::MAX))
    }
}

/// What becomes of the lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    Hold,
    /// Given back in the same commit, unless `wake_seq` has moved on: then the progress is committed and the lease kept.
    Sleep {
        scheduled_at: Timestamp,
        wake_seq: i64,
    },
    /// The queue row and what is left in the inbox go in the same commit.
    Finish(Ending),
}

/// What became of one instance's progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Committed {
    Accepted {
        wake_seq: i64,
        /// True after `Next::Sleep` and `Next::Finish`; false: the lease is still held.
        released: bool,
        /// For each of `Progress::children`, in order.
        children: Vec<Queued>,
    },
    /// Another owns it, or nobody: drop the instance from memory.
    LostLease,
    /// The lease is ours, but the log is elsewhere.
    WrongSeq { seq: i64 },
    /// The database takes the others but not this one. It can't be stored; mark it stuck.
    Refused { reason: String },
}
