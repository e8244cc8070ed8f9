//! The store in Postgres, for many hosts. Every operation is one statement, or a few pipelined into one round trip; batches
//! travel as arrays. Rows that a statement locks for long are locked in `instance_id` order.

mod actions;
mod inbox;
mod instances;
mod leases;
mod migrate;
mod pool;
mod progress;
mod queues;
mod replies;
mod retention;
mod rewrite;
mod row;
mod schedules;
mod session;
mod template;
mod transactions;
mod versions;
mod workers;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::broadcast;
use uuid::Uuid;

use self::pool::Database;
use self::session::Session;
use crate::change::{CHANGES_BEHIND_MAX, is_soon};
use crate::*;

pub struct PostgresStore {
    database: Database,
    session: Arc<Session>,
    changes: broadcast::Sender<Change>,
}

#[derive(Clone, Debug)]
pub struct PostgresOptions {
    /// Connections of the pool. One more listens for notifications.
    pub connections: usize,
    /// How long a statement, or getting a connection, may take.
    pub timeout: Duration,
}

impl Default for PostgresOptions {
    fn default() -> PostgresOptions {
        PostgresOptions { connections: 8, timeout: Duration::from_secs(30) }
    }
}

impl PostgresStore {
    /// Connects, migrates, and listens.
    pub async fn connect(url: &str, options: PostgresOptions) -> Result<PostgresStore> {
        let database = Database::new(url, &options)?;
        let schema = migrate::schema(&database).await.map_err(|error| database.placed(error))?;
        let database = database.within(&schema, &options)?;
        migrate::migrate(&database).await.map_err(|error| database.placed(error))?;
        let changes = broadcast::Sender::new(CHANGES_BEHIND_MAX);
        let session = Session::start(database.config().clone(), changes.clone()).await?;
        Ok(PostgresStore { database, session, changes })
    }

    /// Runs SQL as it is. For tests, which look at plans and spoil tables.
    #[cfg(feature = "conformance")]
    pub async fn run_sql(&self, sql: &str) -> Result<Vec<String>> {
        self.database.simple(sql).await
    }

    /// The statement that claims instances, with its parameters written out: for tests that look at its plan.
    #[cfg(feature = "conformance")]
    pub fn claim_sql() -> String {
        leases::claim_sql_written_out()
    }

    fn changed(&self, changes: impl IntoIterator<Item = Change>) {
        self.session.changed(changes);
    }
}

impl Drop for PostgresStore {
    fn drop(&mut self) {
        self.session.stop();
    }
}

#[async_trait]
impl Store for PostgresStore {
    fn kind(&self) -> &'static str {
        "postgres"
    }

    async fn fingerprint(&self) -> Result<String> {
        migrate::fingerprint(&self.database).await
    }

    async fn now(&self) -> Result<Timestamp> {
        let row = self.database.read("SELECT clock_timestamp()", &[]).await?.remove(0);
        row::get(&row, 0)
    }

    async fn register_version(&self, version: NewVersion) -> Result<Registered> {
        let registered = versions::register(&self.database, &version).await?;
        self.changed([Change::Versions]);
        Ok(registered)
    }

    async fn activate_version(&self, workflow_version_id: Uuid) -> Result<bool> {
        let activated = versions::activate(&self.database, workflow_version_id).await?;
        self.changed([Change::Versions]);
        Ok(activated)
    }

    async fn get_version(&self, version: VersionRef) -> Result<Option<WorkflowVersion>> {
        versions::get_version(&self.database, &version).await
    }

    async fn list_versions(&self, workflow_name: Option<&str>) -> Result<Vec<WorkflowVersion>> {
        versions::list(&self.database, workflow_name).await
    }

    async fn queue_and_claim(&self, batch: Vec<NewInstance>, claim: Option<StartClaim>) -> Result<Vec<Queued>> {
        let (answers, changes) = instances::queue(&self.database, &batch, claim.as_ref()).await?;
        self.changed(changes);
        let now = Timestamp::now();
        let due = |new: &NewInstance| new.scheduled_at.is_none_or(|at| is_soon(at, now));
        let work = batch.iter().zip(&answers).any(|(new, answer)| *answer == Queued::Started && due(new));
        self.changed(work.then_some(Change::Work));
        Ok(answers)
    }

    async fn claim(&self, claim: Claim) -> Result<Claimed> {
        let (claimed, stuck) = leases::claim(&self.database, &claim).await?;
        self.changed(stuck.into_iter().map(Change::Stuck));
        Ok(claimed)
    }

    async fn commit_progress(&self, batch: Vec<Arc<Progress>>) -> Result<Vec<Committed>> {
        let answers = progress::commit(&self.database, &batch).await?;
        self.changed(progress::changes(&batch, &answers));
        Ok(answers)
    }

    async fn read_seq(&self, batch: Vec<Lease>) -> Result<Vec<SeqUnderLease>> {
        leases::read_seq(&self.database, &batch).await
    }

    async fn sleep(&self, batch: Vec<Sleep>) -> Result<Vec<bool>> {
        let slept = leases::sleep(&self.database, &batch).await?;
        let now = Timestamp::now();
        let freed = batch.iter().zip(&slept).filter(|(_, slept)| **slept);
        let work = freed.into_iter().any(|(sleep, _)| is_soon(sleep.scheduled_at, now) || sleep.lease.is_limited());
        self.changed(work.then_some(Change::Work));
        Ok(slept)
    }

    async fn heartbeat(&self, heartbeat: Heartbeat) -> Result<Vec<HeldLease>> {
        leases::heartbeat(&self.database, &heartbeat).await
    }

    async fn reclaim_expired(&self, limit: u32) -> Result<u64> {
        let (instances, actions) = leases::reclaim_expired(&self.database, limit).await?;
        self.changed((instances > 0).then_some(Change::Work));
        self.changed((actions > 0).then_some(Change::Actions));
        Ok(instances + actions)
    }

    async fn free_own_leases(&self, engine: &str) -> Result<u64> {
        self.session.take_identity(engine).await?;
        let freed = leases::free_own(&self.database, engine).await? + actions::free_own(&self.database, engine).await?;
        self.changed([Change::Work, Change::Actions].into_iter().filter(|_| freed > 0));
        Ok(freed)
    }

    async fn mark_stuck(&self, batch: Vec<(Lease, String)>) -> Result<Vec<bool>> {
        let marked = leases::mark_stuck(&self.database, &batch).await?;
        let stuck = batch.iter().zip(&marked).filter(|(_, marked)| **marked);
        let is_limited = stuck.clone().any(|((lease, _), _)| lease.is_limited());
        self.changed(stuck.map(|((lease, _), _)| Change::Stuck(lease.instance_id)));
        self.changed(is_limited.then_some(Change::Work));
        Ok(marked)
    }

    async fn unstick(&self, instance_ids: Vec<Uuid>) -> Result<Vec<bool>> {
        let answers = leases::unstick(&self.database, &instance_ids).await?;
        self.changed(answers.contains(&true).then_some(Change::Work));
        Ok(answers)
    }

    async fn next_wakeup(&self, queues: &[String]) -> Result<Option<Timestamp>> {
        leases::next_wakeup(&self.database, queues).await
    }

    async fn put_queue(&self, settings: QueueSettings) -> Result<()> {
        if let Some(reason) = settings.problem() {
            return Err(Error::Refused { reason });
        }
        queues::put(&self.database, &settings).await?;
        self.changed([Change::Work]);
        Ok(())
    }

    async fn list_queues(&self, keys: u32) -> Result<Vec<Queue>> {
        queues::list(&self.database, keys).await
    }

    async fn pause_queue(&self, name: &str, paused: bool) -> Result<bool> {
        let changed = queues::pause(&self.database, name, paused).await?;
        self.changed((!paused).then_some(Change::Work));
        Ok(changed)
    }

    async fn pause_workflow(&self, workflow_name: &str, paused: bool) -> Result<bool> {
        let changed = queues::pause_workflow(&self.database, workflow_name, paused).await?;
        self.changed((!paused).then_some(Change::Work));
        Ok(changed)
    }

    async fn list_paused_workflows(&self) -> Result<Vec<String>> {
        queues::paused_workflows(&self.database).await
    }

    async fn put_inbox(&self, messages: Vec<Message>) -> Result<Vec<Delivery>> {
        let answers = inbox::put(&self.database, &messages).await?;
        self.changed(inbox::changes(messages.iter().zip(&answers)));
        Ok(answers)
    }

    async fn read_inbox(&self, instance_ids: Vec<Uuid>) -> Result<Vec<InboxView>> {
        inbox::read(&self.database, &instance_ids).await
    }

    async fn read_replies(&self, updates: Vec<(Uuid, String)>) -> Result<Vec<Option<ReplyOutcome>>> {
        replies::read(&self.database, &updates).await
    }

    async fn read_state(&self, instance_id: Uuid) -> Result<Option<InstanceState>> {
        instances::read_state(&self.database, instance_id).await
    }

    async fn read_log(&self, instance_id: Uuid, after_seq: i64, limit: u32) -> Result<Vec<LogRow>> {
        instances::read_log(&self.database, instance_id, after_seq, limit).await
    }

    async fn get_instances(&self, instance_ids: Vec<Uuid>) -> Result<Vec<Option<Instance>>> {
        instances::get_instances(&self.database, &instance_ids).await
    }

    async fn list_instances(&self, filter: InstanceFilter) -> Result<InstancePage> {
        instances::list(&self.database, &filter).await
    }

    async fn count_instances(&self, filter: InstanceFilter, limit: u32) -> Result<u64> {
        instances::count(&self.database, &filter, limit).await
    }

    async fn terminate_instances(&self, batch: Vec<Termination>) -> Result<Vec<Terminated>> {
        let (answers, changes) = rewrite::terminate(&self.database, &batch).await?;
        self.changed(changes);
        Ok(answers)
    }

    async fn rewrite_instances(&self, batch: Vec<Rewrite>) -> Result<Vec<Rewritten>> {
        let mut answers = Vec::with_capacity(batch.len());
        for one in &batch {
            let answer = match rewrite::rewrite(&self.database, one).await {
                Err(Error::Refused { reason }) => Rewritten::Refused { reason },
                Err(Error::Unavailable { reason }) if !answers.is_empty() => {
                    return Err(Error::OutcomeUnknown { reason });
                }
                other => other?,
            };
            if answer == Rewritten::Done {
                let others = one.mail.iter().map(|message| message.instance_id).filter(|id| *id != one.instance_id);
                self.changed(others.map(Change::Inbox).chain([Change::Taken(one.instance_id), Change::Work]));
            }
            answers.push(answer);
        }
        Ok(answers)
    }

    async fn put_actions(&self, batch: Vec<PutAction>) -> Result<Vec<Put>> {
        let answers = actions::put(&self.database, &batch).await?;
        self.changed(answers.contains(&Put::Done).then_some(Change::Actions));
        Ok(answers)
    }

    async fn claim_actions(&self, claim: ClaimActions) -> Result<Vec<ClaimedAction>> {
        actions::claim(&self.database, &claim).await
    }

    async fn heartbeat_actions(&self, held: Vec<(ActionKey, Uuid)>, lease: Duration) -> Result<Vec<bool>> {
        actions::heartbeat(&self.database, &held, lease).await
    }

    async fn settle_actions(&self, batch: Vec<ActionSettlement>) -> Result<Vec<bool>> {
        let settled = actions::settle(&self.database, &batch).await?;
        let woken = batch.iter().zip(&settled).filter(|(_, settled)| **settled);
        let inboxes = woken.map(|(settlement, _)| Change::Inbox(settlement.message.instance_id));
        self.changed(inboxes.chain(settled.contains(&true).then_some(Change::Work)));
        Ok(settled)
    }

    async fn drop_actions(&self, keys: Vec<ActionKey>) -> Result<Vec<bool>> {
        let dropped = actions::remove(&self.database, &keys).await?;
        // Whoever has one in hand learns it by looking.
        self.changed(dropped.values().any(|leased| *leased).then_some(Change::Actions));
        Ok(keys.iter().map(|key| dropped.get(key) == Some(&false)).collect())
    }

    async fn settle_attempts(&self, batch: Vec<AttemptSettlement>) -> Result<Vec<AttemptSettled>> {
        let settled = transactions::settle(&self.database, &batch).await?;
        let live = batch.iter().zip(&settled).filter(|(_, settled)| **settled != AttemptSettled::Ended);
        let mut changes: Vec<Change> = live.map(|(one, _)| Change::Inbox(one.key.instance_id)).collect();
        changes.extend((!changes.is_empty()).then_some(Change::Work));
        self.changed(changes);
        Ok(settled)
    }

    async fn put_schedule(&self, put: PutSchedule) -> Result<Option<WorkflowSchedule>> {
        let stored = schedules::put(&self.database, &put).await?;
        self.changed(stored.is_some().then_some(Change::Schedules));
        Ok(stored)
    }

    async fn read_schedule(&self, key: ScheduleKey) -> Result<Option<DueSchedule>> {
        schedules::read(&self.database, &key).await
    }

    async fn list_schedules(&self, workflow_name: Option<&str>) -> Result<Vec<WorkflowSchedule>> {
        schedules::list(&self.database, workflow_name).await
    }

    async fn delete_schedule(&self, key: ScheduleKey) -> Result<bool> {
        schedules::delete(&self.database, &key).await
    }

    async fn due_schedules(&self, limit: u32) -> Result<DueSchedules> {
        schedules::due(&self.database, limit).await
    }

    async fn fire_schedules(&self, batch: Vec<Firing>) -> Result<Vec<Fired>> {
        let mut answers = Vec::with_capacity(batch.len());
        for firing in &batch {
            match schedules::fire(&self.database, firing).await {
                Ok((fired, changes)) => {
                    self.changed(changes);
                    answers.push(fired);
                }
                Err(Error::Refused { reason }) => answers.push(Fired::Refused { reason }),
                Err(Error::Unavailable { reason }) if !answers.is_empty() => {
                    return Err(Error::OutcomeUnknown { reason });
                }
                Err(error) => return Err(error),
            }
        }
        Ok(answers)
    }

    async fn put_retention(&self, workflow_name: &str, retention: Option<Retention>) -> Result<()> {
        retention::put(&self.database, workflow_name, retention).await
    }

    async fn list_retention(&self) -> Result<Vec<(String, Retention)>> {
        retention::list(&self.database).await
    }

    async fn delete_finished(&self, default: Retention, limit: u32) -> Result<u64> {
        retention::delete_finished(&self.database, default, limit).await
    }

    async fn put_worker_status(&self, statuses: Vec<WorkerStatus>) -> Result<()> {
        workers::put(&self.database, &statuses).await
    }

    async fn list_worker_status(&self, since: Timestamp) -> Result<Vec<WorkerStatus>> {
        workers::list(&self.database, since).await
    }

    fn changes(&self) -> Changes {
        self.changes.subscribe()
    }
}
