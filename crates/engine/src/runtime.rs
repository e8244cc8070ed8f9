//! Carries the commands of a [`Core`] out: a store, workers, a clock.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use waymark_ir::payload;
use waymark_runner::{Dispatch, Ending, LogLine};
use waymark_store::{ActionKey, Change, Delivery, NewInstance, Parent, Queued, Store, Timestamp, VersionRef};

use crate::{Command, Core, Input, Job, JobKey, Mail, Options, Report};

/// Who runs actions, and who listens.
pub trait Dispatcher: Send + Sync + 'static {
    /// Must not block. What becomes of the job is told to `reports`, once or more. A job that runs already (its instance was lost and
    /// claimed again) is not run a second time: its outcome goes to the newer `reports`.
    fn run(&self, job: Job, reports: &Reports);

    /// Stop an attempt; its outcome is `Cancelled` once it has stopped, or whatever it came to before.
    fn cancel(&self, key: JobKey);

    /// The queues and actions that workers here know, for the [relay](crate::relay): a pair for each. Fragments are
    /// [`FRAGMENT_ACTION`](crate::FRAGMENT_ACTION).
    fn known(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// How many more jobs would start at once.
    fn free(&self) -> usize {
        usize::MAX
    }

    fn log(&self, _instance_id: Uuid, _line: LogLine) {}

    fn finished(&self, _instance_id: Uuid, _ending: Ending) {}
}

/// Where reports go: each engine has its own.
pub type Reports = mpsc::UnboundedSender<Report>;

/// Reports that one turn takes, so that answers of the store are heard in between.
const REPORTS_MAX: usize = 1_000;
/// Expired leases that one sweep frees.
const RECLAIM_LIMIT: u32 = 1_000;
/// How often a child that is to be cancelled is looked for when it is not there.
const CHILD_LOOKS_MAX: u32 = 50;

/// Runs an engine until `shutdown`; then drains it and gives its leases back.
pub async fn run(
    store: Arc<dyn Store>,
    options: Options,
    dispatcher: Arc<dyn Dispatcher>,
    shutdown: CancellationToken,
) -> waymark_store::Result<()> {
    store.free_own_leases(&options.engine).await?;
    let (backoff, lease) = (options.store_backoff, options.lease);
    let mut changes = store.changes();
    let (reports, mut reported) = mpsc::unbounded_channel();
    let mut runtime =
        Runtime { core: Core::new(options), store, dispatcher, answers: JoinSet::new(), reports, backoff };
    // Since it drains: whatever it still waits for then, its leases have run out.
    let mut give_up_at = None;
    let mut batch = Vec::new();
    runtime.feed([Input::Time]);
    while !runtime.core.is_drained() {
        let input = tokio::select! {
            biased;
            Some(answer) = runtime.answers.join_next() => match answer {
                Ok(Some(input)) => input,
                Ok(None) => continue,
                Err(error) => lost(error),
            },
            // All that workers have to say so far is one turn.
            1.. = reported.recv_many(&mut batch, REPORTS_MAX) => {
                runtime.feed(batch.drain(..).map(Input::Reported));
                continue;
            }
            change = changes.recv() => match change {
                Ok(Change::Finished(_) | Change::Stuck(_) | Change::Versions | Change::Actions) => continue,
                Ok(change) => Input::Changed(change),
                Err(RecvError::Lagged(_)) => Input::Changed(Change::Resync),
                Err(RecvError::Closed) => {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    Input::Time
                }
            },
            () = shutdown.cancelled(), if give_up_at.is_none() => {
                give_up_at = Some(tokio::time::Instant::now() + lease);
                Input::Drain
            }
            () = tokio::time::sleep_until(give_up_at.unwrap_or_else(tokio::time::Instant::now)), if give_up_at.is_some() => {
                tracing::warn!("the store does not answer: stopping without it; what was not committed is run again");
                return Ok(());
            }
            () = until(runtime.core.next_wakeup()) => Input::Time,
        };
        runtime.feed([input]);
    }
    runtime.give_back().await
}

/// Somebody waits for the answer of every task: an engine that lost one would go on half alive.
pub(crate) fn lost<T>(error: tokio::task::JoinError) -> T {
    match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(error) => panic!("a task of the engine was aborted: {error}"),
    }
}

async fn until(wakeup_us: Option<i64>) {
    match wakeup_us {
        Some(at_us) => {
            let left = at_us.saturating_sub(Timestamp::now().0).max(0);
            tokio::time::sleep(Duration::from_micros(left as u64)).await;
        }
        None => std::future::pending().await,
    }
}

struct Runtime {
    core: Core,
    store: Arc<dyn Store>,
    dispatcher: Arc<dyn Dispatcher>,
    answers: JoinSet<Option<Input>>,
    reports: Reports,
    backoff: Duration,
}

impl Runtime {
    fn feed(&mut self, inputs: impl IntoIterator<Item = Input>) {
        for command in self.core.handle_all(Timestamp::now().0, inputs) {
            self.carry_out(command);
        }
    }

    fn carry_out(&mut self, command: Command) {
        let store = self.store.clone();
        let backoff = self.backoff;
        match command {
            Command::Run(job) => self.dispatcher.run(job, &self.reports),
            Command::Cancel(key) => self.dispatcher.cancel(key),
            Command::Log { instance_id, line } => self.dispatcher.log(instance_id, line),
            Command::Finished { instance_id, ending } => self.dispatcher.finished(instance_id, ending),
            Command::Claim(claim) => {
                self.answers.spawn(async move { Some(Input::Claimed(store.claim(claim).await)) });
            }
            Command::LoadVersion(id) => {
                self.answers
                    .spawn(async move { Some(Input::Version(id, store.get_version(VersionRef::Id(id)).await)) });
            }
            Command::Commit(ticket, batch) => {
                self.answers.spawn(async move { Some(Input::Committed(ticket, store.commit_progress(batch).await)) });
            }
            Command::ReadSeq(ticket, leases) => {
                self.answers.spawn(async move {
                    tokio::time::sleep(backoff).await;
                    Some(Input::Seqs(ticket, store.read_seq(leases).await))
                });
            }
            Command::Heartbeat(heartbeat) => {
                self.answers.spawn(async move { Some(Input::Heartbeat(store.heartbeat(heartbeat).await)) });
            }
            Command::ReadInbox(ticket, ids) => {
                self.answers.spawn(async move { Some(Input::Inbox(ticket, store.read_inbox(ids).await)) });
            }
            Command::MarkStuck(batch) => {
                for (lease, reason) in &batch {
                    tracing::error!(instance = %lease.instance_id, reason, "an instance is stuck");
                }
                self.answers.spawn(async move {
                    // A lease that runs out meanwhile leads here again.
                    let _ = store.mark_stuck(batch).await;
                    None
                });
            }
            Command::Reclaim => {
                self.answers.spawn(async move {
                    match store.reclaim_expired(RECLAIM_LIMIT).await {
                        Ok(freed) if freed > 0 => Some(Input::Changed(Change::Work)),
                        _ => None,
                    }
                });
            }
            Command::PutActions(keys, batch) => {
                self.answers.spawn(async move { Some(Input::ActionsPut(keys, store.put_actions(batch).await)) });
            }
            Command::DropActions(rows) => {
                self.answers.spawn(async move {
                    let (jobs, keys): (Vec<JobKey>, Vec<ActionKey>) = rows.into_iter().unzip();
                    loop {
                        if let Ok(answers) = store.drop_actions(keys.clone()).await {
                            return Some(Input::ActionsDropped(jobs.into_iter().zip(answers).collect()));
                        }
                        tokio::time::sleep(backoff).await;
                    }
                });
            }
            Command::GiveBack(sleeps) => {
                self.answers.spawn(async move {
                    let _ = store.sleep(sleeps).await;
                    None
                });
            }
            Command::DeleteFinished { before, limit } => {
                self.answers.spawn(async move { Some(Input::Deleted(store.delete_finished(before, limit).await)) });
            }
            Command::StartChild { child_id, parent_id, call } => {
                self.answers.spawn(async move { Some(start_child(store, backoff, child_id, parent_id, call).await) });
            }
            Command::CancelChild { child_id, parent_id, key } => {
                self.answers.spawn(async move {
                    stop_child(&*store, backoff, child_id).await;
                    Some(Input::ChildDone { parent_id, key })
                });
            }
        }
    }

    /// Leases of what is in memory are free at once, for whoever comes first.
    async fn give_back(mut self) -> waymark_store::Result<()> {
        self.answers.abort_all();
        self.store.sleep(self.core.give_back()).await?;
        Ok(())
    }
}

/// Repeats until the child has its mail, or can't.
async fn stop_child(store: &dyn Store, backoff: Duration, child_id: Uuid) {
    let message = Mail::stop_child(child_id).into_message();
    let mut unknown = 0;
    loop {
        match store.put_inbox(vec![message.clone()]).await.as_deref() {
            // Its start may be on its way; or it was refused, or it is long gone.
            Ok([Delivery::Unknown]) if unknown < CHILD_LOOKS_MAX => unknown += 1,
            Err(error) if error.is_transient() => {}
            Err(error) => return tracing::error!(%error, child = %child_id, "a child can't be cancelled"),
            Ok(_) => return,
        }
        tokio::time::sleep(backoff).await;
    }
}

/// Repeats until the child is there or can't be. Its id is derived from the call, so it is started once.
async fn start_child(
    store: Arc<dyn Store>,
    backoff: Duration,
    child_id: Uuid,
    parent_id: Uuid,
    call: Arc<Dispatch>,
) -> Input {
    let key = (call.execution.ordinal, call.attempt);
    let refused = |reason: String| Input::ChildRefused { parent_id, key, reason };
    let entries = call.keyword.iter().map(|(name, value)| (waymark_ir::Value::Str(name.to_string()), value.clone()));
    if !call.positional.is_empty() {
        return refused(format!("workflow {} takes its inputs by name", call.name));
    }
    let inputs = payload::encode(&waymark_ir::Value::Dict(entries.collect()));
    loop {
        let active = store.get_version(VersionRef::Active { workflow_name: call.name.to_string() }).await;
        match active {
            Ok(None) => return refused(format!("there is no workflow {}", call.name)),
            Ok(Some(version)) => {
                let instance = NewInstance {
                    instance_id: child_id,
                    workflow_version_id: version.workflow_version_id,
                    queue: call.queue.as_deref().unwrap_or("default").to_string(),
                    priority: 1,
                    scheduled_at: None,
                    user_key: None,
                    inputs: inputs.clone(),
                    parent: Some(Parent { instance_id: parent_id, execution_id: format!("{}/{}", key.0, key.1) }),
                    tags: None,
                };
                match store.queue_instances(vec![instance]).await.as_deref() {
                    Ok([Queued::Started | Queued::Existing { .. }]) => return Input::ChildDone { parent_id, key },
                    Ok([Queued::Refused { reason }]) => return refused(reason.clone()),
                    Ok(_) => return refused(format!("workflow {} can't be started", call.name)),
                    Err(error) if error.is_transient() => {}
                    Err(error) => return refused(format!("workflow {} can't be started: {error}", call.name)),
                }
            }
            Err(error) if error.is_transient() => {}
            Err(error) => return refused(format!("workflow {} can't be started: {error}", call.name)),
        }
        tokio::time::sleep(backoff).await;
    }
}
