//! The one seam to a database. What a method promises is in its comment and in the conformance suite; a behaviour that is not
//! in the suite does not exist.
//!
//! Every method takes and answers batches, in the order given. Dropping a future may leave its write done or undone, as after
//! [`Error::OutcomeUnknown`](crate::Error::OutcomeUnknown), but never half done.

use std::sync::Arc;

use async_trait::async_trait;
use uuid::Uuid;

use crate::{
    ActionKey, ActionSettlement, AttemptSettled, AttemptSettlement, Changes, Claim, ClaimActions, Claimed,
    ClaimedAction, Committed, Delivery, DueSchedule, DueSchedules, Fired, Firing, Heartbeat, HeldLease, InboxView,
    Instance, InstanceFilter, InstancePage, InstanceState, Lease, LogRow, Message, NewInstance, NewVersion, Progress,
    Put, PutAction, PutSchedule, Queue, QueueSettings, Queued, Registered, ReplyOutcome, Result, Retention, Rewrite,
    Rewritten, ScheduleKey, SeqUnderLease, Sleep, StartClaim, Terminated, Termination, Timestamp, VersionRef,
    WorkerStatus, WorkflowSchedule, WorkflowVersion,
};

#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// `sqlite` or `postgres`, for people.
    fn kind(&self) -> &'static str;

    /// Which database this is: the same for all who open it, different for every other.
    async fn fingerprint(&self) -> Result<String>;

    /// The database's clock.
    async fn now(&self) -> Result<Timestamp>;

    // Programs.

    /// Idempotent. Activates. The same name and version with another hash is `Error::VersionConflict`, and changes nothing.
    async fn register_version(&self, version: NewVersion) -> Result<Registered>;

    /// Makes new runs use this version. False: there is no such version.
    async fn activate_version(&self, workflow_version_id: Uuid) -> Result<bool>;

    async fn get_version(&self, version: VersionRef) -> Result<Option<WorkflowVersion>>;

    /// Of one workflow or of all, last activated first, without their programs.
    async fn list_versions(&self, workflow_name: Option<&str>) -> Result<Vec<WorkflowVersion>>;

    // Starting.

    /// Many callers' starts in one commit; each gets its own answer.
    async fn queue_instances(&self, instances: Vec<NewInstance>) -> Result<Vec<Queued>> {
        self.queue_and_claim(instances, None).await
    }

    /// The same, and some of them are claimed in that commit.
    async fn queue_and_claim(&self, instances: Vec<NewInstance>, claim: Option<StartClaim>) -> Result<Vec<Queued>>;

    // Owning.

    /// Due instances that nobody holds, with all it takes to go on with them. One that was claimed too often without progress
    /// becomes stuck instead.
    async fn claim(&self, claim: Claim) -> Result<Claimed>;

    /// Each instance's progress is committed whole or not at all, gated by its lease and by `expected_seq`.
    async fn commit_progress(&self, batch: Vec<Arc<Progress>>) -> Result<Vec<Committed>>;

    /// Settles commits whose outcome is unknown.
    async fn read_seq(&self, leases: Vec<Lease>) -> Result<Vec<SeqUnderLease>>;

    /// Gives leases back. False: the lease is not ours, or `wake_seq` has moved on and the owner must read the inbox first
    /// (`heartbeat` tells which).
    async fn sleep(&self, batch: Vec<Sleep>) -> Result<Vec<bool>>;

    /// Extends the leases that are still held and returns them. The others are lost.
    async fn heartbeat(&self, heartbeat: Heartbeat) -> Result<Vec<HeldLease>>;

    /// Frees expired leases, of instances and of actions, up to `limit` of each; what was held is due at once.
    /// Returns how many.
    async fn reclaim_expired(&self, limit: u32) -> Result<u64>;

    /// Takes the engine's identity (for as long as this store lives) and frees all leases under it: those that a crash left.
    /// `Error::InUse` while another process holds the identity.
    async fn free_own_leases(&self, engine: &str) -> Result<u64>;

    /// Takes instances that cannot go on out of circulation, gated by their leases; mail is still kept for them.
    /// False: the lease is not ours.
    async fn mark_stuck(&self, batch: Vec<(Lease, String)>) -> Result<Vec<bool>>;

    /// The cause was mended: due at once, with no claims counted. False: it isn't stuck.
    async fn unstick(&self, instance_ids: Vec<Uuid>) -> Result<Vec<bool>>;

    /// When the next instance that nobody holds is due; None: none before somebody acts.
    async fn next_wakeup(&self, queues: &[String]) -> Result<Option<Timestamp>>;

    // Queues.

    /// Sets limits, or takes them away. Leases that are held already go on.
    async fn put_queue(&self, settings: QueueSettings) -> Result<()>;

    /// Every queue that has settings or live instances, by name, with up to `keys` of its keys. Looks at all live instances.
    async fn list_queues(&self, keys: u32) -> Result<Vec<Queue>>;

    /// Of a paused queue nothing is claimed. What is held goes on until it next gives its lease back. False: it was so already.
    async fn pause_queue(&self, name: &str, paused: bool) -> Result<bool>;

    /// The same for the instances of a workflow, in whichever queue.
    async fn pause_workflow(&self, workflow_name: &str, paused: bool) -> Result<bool>;

    async fn list_paused_workflows(&self) -> Result<Vec<String>>;

    // Mail.

    /// Commits messages and wakes their instances in the same transaction.
    async fn put_inbox(&self, messages: Vec<Message>) -> Result<Vec<Delivery>>;

    /// Instances without a queue row (they have finished) are left out.
    async fn read_inbox(&self, instance_ids: Vec<Uuid>) -> Result<Vec<InboxView>>;

    // From outside. Whoever has the instance has lost it.

    async fn terminate_instances(&self, batch: Vec<Termination>) -> Result<Vec<Terminated>>;

    /// Each is due at once, with no claims counted.
    async fn rewrite_instances(&self, batch: Vec<Rewrite>) -> Result<Vec<Rewritten>>;

    /// What instances have replied to updates of these ids. None: nothing yet.
    async fn read_replies(&self, updates: Vec<(Uuid, String)>) -> Result<Vec<Option<ReplyOutcome>>>;

    // Looking.

    /// The last committed state: no lease is needed, and none is taken.
    async fn read_state(&self, instance_id: Uuid) -> Result<Option<InstanceState>>;

    /// Events after `after_seq`, oldest first.
    async fn read_log(&self, instance_id: Uuid, after_seq: i64, limit: u32) -> Result<Vec<LogRow>>;

    /// None: there is no such instance.
    async fn get_instances(&self, instance_ids: Vec<Uuid>) -> Result<Vec<Option<Instance>>>;

    async fn list_instances(&self, filter: InstanceFilter) -> Result<InstancePage>;

    /// How many a filter means; counting stops at `limit`. Cursor and text don't count.
    async fn count_instances(&self, filter: InstanceFilter, limit: u32) -> Result<u64>;

    // Executions for workers elsewhere.

    /// Idempotent by key, gated by the instance's lease and by `wake_seq`.
    async fn put_actions(&self, actions: Vec<PutAction>) -> Result<Vec<Put>>;

    /// The oldest first.
    async fn claim_actions(&self, claim: ClaimActions) -> Result<Vec<ClaimedAction>>;

    /// Extends leases on actions; true: still held. A lease of no length gives an action back, as if it had not been claimed.
    async fn heartbeat_actions(&self, held: Vec<(ActionKey, Uuid)>, lease: std::time::Duration) -> Result<Vec<bool>>;

    /// The outcome goes to the inbox and the row goes away, in one transaction. False: the lease is not ours; nothing happened.
    async fn settle_actions(&self, batch: Vec<ActionSettlement>) -> Result<Vec<bool>>;

    /// Nobody waits for these attempts any more (timed out, cancelled). True: it waited there, and nobody has begun with it.
    async fn drop_actions(&self, keys: Vec<ActionKey>) -> Result<Vec<bool>>;

    // Attempts that are transactions.

    /// First come, first served, workers that commit their work with it included; whatever was said first is in the inbox afterwards.
    async fn settle_attempts(&self, batch: Vec<AttemptSettlement>) -> Result<Vec<AttemptSettled>>;

    // Schedules.

    /// Makes a schedule, or writes all of one that is there, gated by its revision. None: somebody else was faster; look again.
    async fn put_schedule(&self, put: PutSchedule) -> Result<Option<WorkflowSchedule>>;

    /// With what it takes to fire it, due or not.
    async fn read_schedule(&self, key: ScheduleKey) -> Result<Option<DueSchedule>>;

    /// Of one workflow or of all, by name.
    async fn list_schedules(&self, workflow_name: Option<&str>) -> Result<Vec<WorkflowSchedule>>;

    /// What it started goes on. False: there is no such schedule.
    async fn delete_schedule(&self, key: ScheduleKey) -> Result<bool>;

    /// Active schedules whose `next_run_at` has come, by the database's clock, the earliest first.
    async fn due_schedules(&self, limit: u32) -> Result<DueSchedules>;

    /// Each in one transaction, gated by the schedule's revision: its instances are queued, its messages delivered and the schedule moves
    /// on, or nothing happens. So a due time fires once, however many try.
    async fn fire_schedules(&self, batch: Vec<Firing>) -> Result<Vec<Fired>>;

    // Housekeeping.

    /// How long finished instances of a workflow are kept. None: that is not set.
    async fn put_retention(&self, workflow_name: &str, retention: Option<Retention>) -> Result<()>;

    /// What is set, by the workflow's name.
    async fn list_retention(&self) -> Result<Vec<(String, Retention)>>;

    /// Deletes instances that have been kept as long as is set for their workflow, else as `default` says, with their log, up to
    /// `limit`. Returns how many.
    async fn delete_finished(&self, default: Retention, limit: u32) -> Result<u64>;

    async fn put_worker_status(&self, statuses: Vec<WorkerStatus>) -> Result<()>;

    /// Those updated since a time.
    async fn list_worker_status(&self, since: Timestamp) -> Result<Vec<WorkerStatus>>;

    /// What changes from now on, in this process and in others.
    fn changes(&self) -> Changes;
}
