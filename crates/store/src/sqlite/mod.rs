//! The store in one SQLite file, for one server process. Writes go to one thread, which commits all that waits at once;
//! reads have connections of their own.

mod actions;
mod file;
mod inbox;
mod instances;
mod leases;
mod limited;
mod progress;
mod queues;
mod replies;
mod retention;
mod rewrite;
mod row;
mod schedules;
mod transactions;
mod versions;
mod workers;
mod writer;

use std::path::Path;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use rusqlite::Connection;
use tokio::sync::broadcast;
use uuid::Uuid;

use self::writer::{Readers, Write, Writer};
#[cfg(feature = "bench")]
pub(crate) use self::{file::connect, row::failed};
use crate::change::CHANGES_BEHIND_MAX;
use crate::*;

pub struct SqliteStore {
    writer: Writer,
    readers: Readers,
    clock: Clock,
    changes: broadcast::Sender<Change>,
    /// Held for as long as the store lives, so that no other process opens the file.
    _lock: Option<file::FileLock>,
}

#[derive(Clone)]
pub struct SqliteOptions {
    /// False: a power cut may lose the last commits. For tests.
    pub durable: bool,
    pub readers: usize,
    /// Judges leases. The system's clock, unless a simulation brings its own.
    pub clock: Clock,
}

impl Default for SqliteOptions {
    fn default() -> SqliteOptions {
        SqliteOptions { durable: true, readers: 4, clock: Arc::new(Timestamp::now) }
    }
}

impl SqliteStore {
    /// Opens the file, or makes it, and migrates it. `Error::InUse` when another process has it.
    pub fn open(path: impl AsRef<Path>, options: SqliteOptions) -> Result<SqliteStore> {
        let path = path.as_ref();
        let lock = file::FileLock::take(path)?;
        let mut connection = file::connect(path, options.durable)?;
        file::migrate(&mut connection)?;
        let changes = broadcast::Sender::new(CHANGES_BEHIND_MAX);
        Ok(SqliteStore {
            writer: Writer::thread(connection, options.clock.clone(), changes.clone())?,
            readers: Readers::open(path, options.readers.max(1))?,
            clock: options.clock,
            changes,
            _lock: Some(lock),
        })
    }

    /// A database that lives as long as the store. Every call is done on the caller's thread before its future is ready, so a
    /// simulation with one thread and virtual time stays deterministic.
    pub fn in_memory(clock: Clock) -> Result<SqliteStore> {
        let mut connection = Connection::open_in_memory().map_err(row::failed)?;
        file::keep_statements(&connection)?;
        file::migrate(&mut connection)?;
        let connection = Arc::new(Mutex::new(connection));
        let changes = broadcast::Sender::new(CHANGES_BEHIND_MAX);
        Ok(SqliteStore {
            writer: Writer::inline(connection.clone(), clock.clone(), changes.clone()),
            readers: Readers::inline(connection),
            clock,
            changes,
            _lock: None,
        })
    }

    /// Runs SQL as it is. For tests, which spoil tables.
    #[cfg(feature = "conformance")]
    pub async fn run_sql(&self, sql: &str) -> Result<()> {
        let sql = sql.to_string();
        self.write(move |write| write.connection.execute_batch(&sql).map_err(row::failed)).await
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut Write<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.writer.write(work).await
    }

    async fn read<T: Send + 'static>(&self, work: impl FnOnce(&Connection) -> Result<T> + Send + 'static) -> Result<T> {
        self.readers.read(work).await
    }
}

#[async_trait]
impl Store for SqliteStore {
    fn kind(&self) -> &'static str {
        "sqlite"
    }

    async fn fingerprint(&self) -> Result<String> {
        self.read(file::fingerprint).await
    }

    async fn now(&self) -> Result<Timestamp> {
        Ok((self.clock)())
    }

    async fn register_version(&self, version: NewVersion) -> Result<Registered> {
        self.write(move |write| versions::register(write, &version)).await
    }

    async fn activate_version(&self, workflow_version_id: Uuid) -> Result<bool> {
        self.write(move |write| versions::activate(write, workflow_version_id)).await
    }

    async fn get_version(&self, version: VersionRef) -> Result<Option<WorkflowVersion>> {
        self.read(move |connection| versions::get(connection, &version)).await
    }

    async fn list_versions(&self, workflow_name: Option<&str>) -> Result<Vec<WorkflowVersion>> {
        let workflow_name = workflow_name.map(str::to_string);
        self.read(move |connection| versions::list(connection, workflow_name.as_deref())).await
    }

    async fn queue_and_claim(&self, batch: Vec<NewInstance>, claim: Option<StartClaim>) -> Result<Vec<Queued>> {
        self.write(move |write| instances::queue(write, &batch, claim.as_ref())).await
    }

    async fn claim(&self, claim: Claim) -> Result<Claimed> {
        self.write(move |write| leases::claim(write, &claim)).await
    }

    async fn commit_progress(&self, batch: Vec<Arc<Progress>>) -> Result<Vec<Committed>> {
        self.write(move |write| progress::commit(write, &batch)).await
    }

    async fn read_seq(&self, batch: Vec<Lease>) -> Result<Vec<SeqUnderLease>> {
        self.write(move |write| batch.iter().map(|lease| leases::read_seq(write, lease)).collect()).await
    }

    async fn sleep(&self, batch: Vec<Sleep>) -> Result<Vec<bool>> {
        self.write(move |write| batch.iter().map(|sleep| leases::sleep(write, sleep)).collect()).await
    }

    async fn heartbeat(&self, heartbeat: Heartbeat) -> Result<Vec<HeldLease>> {
        self.write(move |write| leases::heartbeat(write, &heartbeat)).await
    }

    async fn reclaim_expired(&self, limit: u32) -> Result<u64> {
        self.write(move |write| Ok(leases::reclaim_expired(write, limit)? + actions::reclaim_expired(write, limit)?))
            .await
    }

    /// The file has one owner, so nobody else can hold the identity.
    async fn free_own_leases(&self, engine: &str) -> Result<u64> {
        let engine = engine.to_string();
        self.write(move |write| Ok(leases::free_own(write, &engine)? + actions::free_own(write, &engine)?)).await
    }

    async fn mark_stuck(&self, batch: Vec<(Lease, String)>) -> Result<Vec<bool>> {
        self.write(move |write| batch.iter().map(|(lease, reason)| leases::mark_stuck(write, lease, reason)).collect())
            .await
    }

    async fn unstick(&self, instance_ids: Vec<Uuid>) -> Result<Vec<bool>> {
        self.write(move |write| instance_ids.iter().map(|id| leases::unstick(write, *id)).collect()).await
    }

    async fn next_wakeup(&self, queues: &[String]) -> Result<Option<Timestamp>> {
        let queues = queues.to_vec();
        self.read(move |connection| leases::next_wakeup(connection, &queues)).await
    }

    async fn put_queue(&self, settings: QueueSettings) -> Result<()> {
        if let Some(reason) = settings.problem() {
            return Err(Error::Refused { reason });
        }
        self.write(move |write| queues::put(write, &settings)).await
    }

    async fn list_queues(&self, keys: u32) -> Result<Vec<Queue>> {
        let now = (self.clock)();
        self.read(move |connection| queues::list(connection, now, keys)).await
    }

    async fn pause_queue(&self, name: &str, paused: bool) -> Result<bool> {
        let name = name.to_string();
        self.write(move |write| queues::pause(write, &name, paused)).await
    }

    async fn pause_workflow(&self, workflow_name: &str, paused: bool) -> Result<bool> {
        let workflow_name = workflow_name.to_string();
        self.write(move |write| queues::pause_workflow(write, &workflow_name, paused)).await
    }

    async fn list_paused_workflows(&self) -> Result<Vec<String>> {
        self.read(queues::paused_workflows).await
    }

    async fn put_inbox(&self, messages: Vec<Message>) -> Result<Vec<Delivery>> {
        self.write(move |write| messages.iter().map(|message| inbox::put(write, message)).collect()).await
    }

    async fn read_inbox(&self, instance_ids: Vec<Uuid>) -> Result<Vec<InboxView>> {
        self.read(move |connection| inbox::read(connection, &instance_ids)).await
    }

    async fn read_replies(&self, updates: Vec<(Uuid, String)>) -> Result<Vec<Option<ReplyOutcome>>> {
        self.read(move |connection| replies::read(connection, &updates)).await
    }

    async fn read_state(&self, instance_id: Uuid) -> Result<Option<InstanceState>> {
        self.read(move |connection| instances::read_state(connection, instance_id)).await
    }

    async fn read_log(&self, instance_id: Uuid, after_seq: i64, limit: u32) -> Result<Vec<LogRow>> {
        self.read(move |connection| instances::read_log(connection, instance_id, after_seq, limit)).await
    }

    async fn get_instances(&self, instance_ids: Vec<Uuid>) -> Result<Vec<Option<Instance>>> {
        self.read(move |connection| instance_ids.iter().map(|id| instances::get(connection, *id)).collect()).await
    }

    async fn list_instances(&self, filter: InstanceFilter) -> Result<InstancePage> {
        self.read(move |connection| instances::list(connection, &filter)).await
    }

    async fn count_instances(&self, filter: InstanceFilter, limit: u32) -> Result<u64> {
        self.read(move |connection| instances::count(connection, &filter, limit)).await
    }

    async fn terminate_instances(&self, batch: Vec<Termination>) -> Result<Vec<Terminated>> {
        self.write(move |write| batch.iter().map(|one| rewrite::terminate(write, one)).collect()).await
    }

    async fn rewrite_instances(&self, batch: Vec<Rewrite>) -> Result<Vec<Rewritten>> {
        self.write(move |write| rewrite::rewrite(write, &batch)).await
    }

    async fn put_actions(&self, batch: Vec<PutAction>) -> Result<Vec<Put>> {
        self.write(move |write| batch.iter().map(|put| actions::put(write, put)).collect()).await
    }

    async fn claim_actions(&self, claim: ClaimActions) -> Result<Vec<ClaimedAction>> {
        self.write(move |write| actions::claim(write, &claim)).await
    }

    async fn heartbeat_actions(&self, held: Vec<(ActionKey, Uuid)>, lease: std::time::Duration) -> Result<Vec<bool>> {
        self.write(move |write| held.iter().map(|(key, lock)| actions::heartbeat(write, key, *lock, lease)).collect())
            .await
    }

    async fn settle_actions(&self, batch: Vec<ActionSettlement>) -> Result<Vec<bool>> {
        self.write(move |write| batch.iter().map(|settlement| actions::settle(write, settlement)).collect()).await
    }

    async fn drop_actions(&self, keys: Vec<ActionKey>) -> Result<Vec<bool>> {
        self.write(move |write| keys.iter().map(|key| actions::remove(write, key)).collect()).await
    }

    async fn settle_attempts(&self, batch: Vec<AttemptSettlement>) -> Result<Vec<AttemptSettled>> {
        self.write(move |write| batch.iter().map(|one| transactions::settle(write, one)).collect()).await
    }

    async fn put_schedule(&self, put: PutSchedule) -> Result<Option<WorkflowSchedule>> {
        self.write(move |write| schedules::put(write, &put)).await
    }

    async fn read_schedule(&self, key: ScheduleKey) -> Result<Option<DueSchedule>> {
        let now = (self.clock)();
        self.read(move |connection| schedules::read(connection, &key, now)).await
    }

    async fn list_schedules(&self, workflow_name: Option<&str>) -> Result<Vec<WorkflowSchedule>> {
        let workflow_name = workflow_name.map(str::to_string);
        self.read(move |connection| schedules::list(connection, workflow_name.as_deref())).await
    }

    async fn delete_schedule(&self, key: ScheduleKey) -> Result<bool> {
        self.write(move |write| schedules::delete(write, &key)).await
    }

    async fn due_schedules(&self, limit: u32) -> Result<DueSchedules> {
        let now = (self.clock)();
        self.read(move |connection| schedules::due(connection, now, limit)).await
    }

    async fn fire_schedules(&self, batch: Vec<Firing>) -> Result<Vec<Fired>> {
        self.write(move |write| write.each(&batch, schedules::fire, |reason| Fired::Refused { reason })).await
    }

    async fn put_retention(&self, workflow_name: &str, retention: Option<Retention>) -> Result<()> {
        let workflow_name = workflow_name.to_string();
        self.write(move |write| retention::put(write, &workflow_name, retention)).await
    }

    async fn list_retention(&self) -> Result<Vec<(String, Retention)>> {
        self.read(retention::list).await
    }

    async fn delete_finished(&self, default: Retention, limit: u32) -> Result<u64> {
        self.write(move |write| retention::delete_finished(write, default, limit)).await
    }

    async fn put_worker_status(&self, statuses: Vec<WorkerStatus>) -> Result<()> {
        self.write(move |write| statuses.iter().try_for_each(|status| workers::put(write, status))).await
    }

    async fn list_worker_status(&self, since: Timestamp) -> Result<Vec<WorkerStatus>> {
        self.read(move |connection| workers::list(connection, since)).await
    }

    fn changes(&self) -> Changes {
        self.changes.subscribe()
    }
}
