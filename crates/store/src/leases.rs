//! Leases: who may write an instance, and until when. The clock that judges them is the database's.

use std::time::Duration;

use uuid::Uuid;

use crate::{InboxRow, LogRow, NewInstance, OnConflict, Parent, Snapshot, Timestamp};

/// The right to write an instance: what a claim gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lease {
    pub instance_id: Uuid,
    /// Fresh in each claim, so that a stale owner's write changes nothing.
    pub lock_uuid: Uuid,
}

/// Asks for due instances that nobody holds, by priority, then age.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The engine's identity: `free_own_leases` finds its leases by it after a restart.
    pub engine: String,
    pub queues: Vec<String>,
    pub limit: u32,
    pub lease: Duration,
    /// An instance that was claimed this many times without progress becomes stuck instead.
    pub claims_max: u32,
}

/// Claims starts in the commit that queues them, for an engine with nothing better to do: those that are due, in a queue without settings,
/// and whose workflow is not paused. Whoever asks answers for those that wait already: nobody looks whether there are any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartClaim {
    pub engine: String,
    pub queues: Vec<String>,
    /// Fresh in each claim, and the same when it is repeated: what it got, it gets again.
    pub lock_uuid: Uuid,
    pub limit: u32,
    pub lease: Duration,
}

impl StartClaim {
    /// Which of a batch it would have, whatever the database says of their queues and workflows.
    pub(crate) fn wanted(&self, batch: &[NewInstance]) -> Vec<bool> {
        let mut left = self.limit;
        let wants = |new: &NewInstance| {
            let is_plain = new.unique_for.is_none() && !matches!(new.on_conflict, OnConflict::Replace(_));
            let is_wanted = left > 0 && is_plain && new.scheduled_at.is_none() && self.queues.contains(&new.queue);
            left -= u32::from(is_wanted);
            is_wanted
        };
        batch.iter().map(wants).collect()
    }
}

/// What a claim found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claimed {
    pub instances: Vec<ClaimedInstance>,
    /// How long until the next instance that nobody holds is due or may begin, by the database's clock. None: none before
    /// somebody acts.
    pub next_due_in: Option<Duration>,
    /// One of the queues has limits: claims of it are dear, and there will be news of it often.
    pub is_limited: bool,
    /// Of the queues without limits it looked at no more than it was to: there may be others that wait.
    pub is_full: bool,
}

/// All that is needed to go on with an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedInstance {
    pub lease: Lease,
    pub workflow_version_id: Uuid,
    pub workflow_name: String,
    pub user_key: Option<String>,
    pub parent: Option<Parent>,
    pub queue: String,
    pub priority: u8,
    pub inputs: Vec<u8>,
    pub snapshot: Option<Snapshot>,
    /// The events after the snapshot, in order.
    pub log: Vec<LogRow>,
    /// What waits in the inbox, in order of arrival.
    pub inbox: Vec<InboxRow>,
    /// Attempts that wait in `queued_actions` or run elsewhere: execution id and attempt.
    pub routed: Vec<(String, i32)>,
    /// The last committed event; 0: none yet.
    pub seq: i64,
    /// Give it back when going to sleep: a message that came since then keeps the instance awake.
    pub wake_seq: i64,
    /// Claims without progress, with this one.
    pub claims: u32,
    /// When it was due.
    pub scheduled_at: Timestamp,
    pub created_at: Timestamp,
    /// When it must have finished.
    pub deadline_at: Option<Timestamp>,
}

impl ClaimedInstance {
    /// One that was claimed in the commit that queued it: nothing has happened to it. Mail that came since then is read as any other's.
    pub(crate) fn new(
        new: &NewInstance,
        lock_uuid: Uuid,
        workflow_name: String,
        created_at: Timestamp,
    ) -> ClaimedInstance {
        ClaimedInstance {
            lease: Lease { instance_id: new.instance_id, lock_uuid },
            workflow_version_id: new.workflow_version_id,
            workflow_name,
            user_key: new.user_key.clone(),
            parent: new.parent.clone(),
            queue: new.queue.clone(),
            priority: new.priority,
            inputs: new.inputs.clone(),
            snapshot: None,
            log: Vec::new(),
            inbox: Vec::new(),
            routed: Vec::new(),
            seq: 0,
            wake_seq: 0,
            claims: 1,
            scheduled_at: created_at,
            created_at,
            deadline_at: new.deadline_at,
        }
    }
}

/// Gives a lease back without progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sleep {
    pub lease: Lease,
    /// When to be claimed again; `Timestamp::NEVER`: when woken. The past: at once, by whoever comes first.
    pub scheduled_at: Timestamp,
    /// The `wake_seq` that the owner has seen. Another one: the lease is not released.
    pub wake_seq: i64,
    /// What the instance waits for, for people. None: unchanged.
    pub waits_for: Option<String>,
    /// The host lives, so the instance does not take hosts down: no claims count any more. False: nothing was done with it, and all is
    /// as if it had not been claimed.
    pub tried: bool,
}

/// Extends leases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heartbeat {
    pub leases: Vec<Lease>,
    /// From now, by the database's clock.
    pub lease: Duration,
}

/// A lease that is still held. Those that a heartbeat does not return are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldLease {
    pub instance_id: Uuid,
    /// Higher than the one seen: there is mail, even if its notification was lost.
    pub wake_seq: i64,
}

/// Settles a commit whose outcome is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeqUnderLease {
    /// Still ours; `seq` is the last committed event.
    Held { seq: i64 },
    /// The instance has finished, under this lease.
    Finished,
    /// Not ours any more: released, expired, or another's.
    Lost,
}
