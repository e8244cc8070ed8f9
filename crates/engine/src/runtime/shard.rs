//! A shard's thread.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use waymark_store::{ActionKey, AttemptSettlement, Lease, Sleep, Store};

use super::Reports;
use super::children::{find_versions, start_child};
use super::desk::Desk;
use crate::{Command, FrontInput, Input, JobKey, Report, Shard, Stuck, Turn};

/// Inputs that one turn takes, so that commits leave in between.
const INPUTS_MAX: usize = 1_000;

pub(super) struct ShardThread {
    thread: Option<JoinHandle<()>>,
    /// What it held at its end.
    held: oneshot::Receiver<Vec<Sleep>>,
}

impl ShardThread {
    pub fn start(desk: Arc<Desk>, number: usize, inputs: mpsc::UnboundedReceiver<Input>) -> ShardThread {
        let (ended, held) = oneshot::channel();
        // It waits for inputs and for the time, and for nothing else.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let runtime = runtime.expect("a runtime without I/O can be made");
        let thread = std::thread::Builder::new().name(format!("shard-{number}")).spawn(move || {
            // Fires when it panics, too.
            let broken = desk.broken.clone().drop_guard();
            let (reports, reported) = Reports::channel();
            let shard = Shard::new(desk.options.clone());
            let mut living = Living { shard, number, desk, reports, inputs, reported };
            let stop = living.desk.stop.clone();
            if runtime.block_on(stop.run_until_cancelled(living.live())).is_some() {
                let _ = ended.send(living.shard.give_back());
            }
            broken.disarm();
        });
        let thread = thread.expect("the system has room for a thread");
        ShardThread { thread: Some(thread), held }
    }

    /// Waits until it is drained, and says what it still held.
    pub async fn end(&mut self) -> Vec<Sleep> {
        let held = (&mut self.held).await;
        let joined = self.thread.take().map(JoinHandle::join);
        if let Some(Err(panic)) = joined {
            std::panic::resume_unwind(panic);
        }
        held.unwrap_or_default()
    }
}

struct Living {
    shard: Shard,
    number: usize,
    desk: Arc<Desk>,
    reports: Reports,
    inputs: mpsc::UnboundedReceiver<Input>,
    reported: mpsc::UnboundedReceiver<Report>,
}

impl Living {
    async fn live(&mut self) {
        let mut inputs = Vec::new();
        let mut reports = Vec::new();
        // One that computes without a pause does not notice otherwise that it is over.
        while !self.shard.is_drained() && !self.desk.stop.is_cancelled() {
            let left = self.shard.next_wakeup().map(|wakeup_us| self.desk.clock.until(wakeup_us));
            if left.is_none_or(|left| !left.is_zero()) {
                tokio::select! {
                    biased;
                    count = self.inputs.recv_many(&mut inputs, INPUTS_MAX) => {
                        if count == 0 {
                            return;
                        }
                    }
                    _ = self.reported.recv_many(&mut reports, INPUTS_MAX) => {}
                    () = tokio::time::sleep(left.unwrap_or_default()), if left.is_some() => {}
                }
            }
            // All that has come so far is one turn.
            while inputs.len() < INPUTS_MAX
                && let Ok(input) = self.inputs.try_recv()
            {
                inputs.push(input);
            }
            while reports.len() < INPUTS_MAX
                && let Ok(report) = self.reported.try_recv()
            {
                reports.push(report);
            }
            let now = self.desk.clock.now();
            let reported = reports.drain(..).map(Input::Reported);
            let turn = self.shard.handle_all(now, inputs.drain(..).chain(reported));
            self.carry_out(turn);
        }
    }

    fn carry_out(&mut self, turn: Turn) {
        // Commits first: they take longest.
        self.desk.tell(FrontInput::News(self.number, turn.news));
        let loses = turn.commands.iter().any(|command| matches!(command, Command::Cancel(_)));
        if !loses {
            self.tell_leases();
        }
        for command in turn.commands {
            match command {
                Command::Run(job) => self.desk.dispatcher.run(job, &self.reports),
                Command::Cancel(key) => self.desk.dispatcher.cancel(key),
                Command::Log { instance_id, line } => self.desk.dispatcher.log(instance_id, line),
                Command::Finished { instance_id, ending } => self.desk.dispatcher.finished(instance_id, ending),
                command => self.call(command),
            }
        }
        if loses {
            // Not before those that are not ours any more were taken back.
            self.tell_leases();
        }
    }

    fn tell_leases(&self) {
        let left =
            self.shard.ours_until_us().map_or(Duration::MAX, |ours_until_us| self.desk.clock.until(ours_until_us));
        self.reports.ours_for(left);
    }

    fn call(&self, command: Command) {
        let (desk, number) = (self.desk.clone(), self.number);
        let backoff = desk.options.store_backoff;
        self.desk.call(async move {
            let store = &desk.store;
            let answer = match command {
                Command::ReadSeq(ticket, leases) => {
                    tokio::time::sleep(backoff).await;
                    Input::Seqs(ticket, store.read_seq(leases).await)
                }
                Command::ReadInbox(ticket, ids) => Input::Inbox(ticket, store.read_inbox(ids).await),
                Command::MarkStuck(batch) => return mark_stuck(&**store, batch).await,
                Command::PutActions(keys, batch) => Input::ActionsPut(keys, store.put_actions(batch).await),
                Command::DropActions(rows) => {
                    let (jobs, keys): (Vec<JobKey>, Vec<ActionKey>) = rows.into_iter().unzip();
                    loop {
                        if let Ok(answers) = store.drop_actions(keys.clone()).await {
                            break Input::ActionsDropped(jobs.into_iter().zip(answers).collect());
                        }
                        tokio::time::sleep(backoff).await;
                    }
                }
                Command::SettleAttempts(settlements) => {
                    let (jobs, batch): (Vec<JobKey>, Vec<AttemptSettlement>) = settlements.into_iter().unzip();
                    loop {
                        match store.settle_attempts(batch.clone()).await {
                            Ok(_) => break Input::AttemptsSettled(jobs),
                            Err(error) => tracing::warn!(%error, "what became of a transaction can't be stored yet"),
                        }
                        tokio::time::sleep(backoff).await;
                    }
                }
                Command::FindVersions(ticket, names) => Input::Versions(ticket, find_versions(&**store, names).await),
                Command::StartChild { parent_id, call, .. } => {
                    start_child(store.clone(), backoff, parent_id, call).await
                }
                Command::Run(_) | Command::Cancel(_) | Command::Log { .. } | Command::Finished { .. } => {
                    unreachable!("these are no calls of the store")
                }
            };
            desk.tell_shard(number, answer);
        });
    }
}

pub(super) async fn mark_stuck(store: &dyn Store, batch: Vec<(Lease, Stuck)>) {
    for (lease, reason) in &batch {
        tracing::error!(instance = %lease.instance_id, reason, "an instance is stuck");
    }
    // A lease that runs out meanwhile leads here again.
    let _ = store.mark_stuck(batch).await;
}
