//! A shard and its means: it takes a turn, and what follows from it is carried out.

use std::sync::Arc;
use std::time::Duration;

use waymark_store::{ActionKey, AttemptSettlement, Lease, Sleep, Store};

use super::Reports;
use super::children::{find_versions, start_child};
use super::desk::Desk;
use crate::{Command, FrontInput, Input, JobKey, Options, Shard, Stuck, Turn};

pub(super) struct Living {
    shard: Shard,
    number: usize,
    /// Where those who run its jobs say what became of them.
    reports: Reports,
    /// When its thread looks at it again by itself, by the steady clock.
    planned_us: i64,
    /// What it held was given back.
    has_ended: bool,
}

impl Living {
    pub fn new(options: &Options, number: usize, reports: Reports) -> Living {
        Living { shard: Shard::new(options.clone()), number, reports, planned_us: i64::MAX, has_ended: false }
    }

    /// All that has come so far is one turn.
    pub fn turn(&mut self, desk: &Arc<Desk>, inputs: Vec<Input>) {
        if self.has_ended || desk.stop.is_cancelled() {
            return;
        }
        let turn = self.shard.handle_all(desk.clock.now(), inputs);
        self.carry_out(desk, turn);
    }

    /// An instance computes.
    pub fn is_busy(&self) -> bool {
        self.shard.next_wakeup() == Some(i64::MIN)
    }

    pub fn is_drained(&self) -> bool {
        self.shard.is_drained()
    }

    /// What its thread has to see to, it has to see to earlier than it thinks.
    pub fn wants_thread(&mut self) -> bool {
        let wakeup_us = self.shard.next_wakeup().unwrap_or(i64::MAX);
        let is_sooner = wakeup_us < self.planned_us;
        if is_sooner {
            self.planned_us = wakeup_us;
        }
        is_sooner || self.is_drained()
    }

    /// How long its thread may sleep. None: until it is called.
    pub fn plan_wakeup(&mut self, desk: &Desk) -> Option<Duration> {
        let wakeup_us = self.shard.next_wakeup();
        self.planned_us = wakeup_us.unwrap_or(i64::MAX);
        wakeup_us.map(|wakeup_us| desk.clock.until(wakeup_us))
    }

    /// Takes no more turns. What it held may be given back.
    pub fn end(&mut self) -> Vec<Sleep> {
        self.has_ended = true;
        self.shard.give_back()
    }

    fn carry_out(&mut self, desk: &Arc<Desk>, turn: Turn) {
        // Commits first: they take longest.
        desk.tell(FrontInput::News(self.number, turn.news));
        let loses = turn.commands.iter().any(|command| matches!(command, Command::Cancel(_)));
        if !loses {
            self.tell_leases(desk);
        }
        for command in turn.commands {
            match command {
                Command::Run(job) => desk.dispatcher.run(job, &self.reports),
                Command::Cancel(key) => desk.dispatcher.cancel(key),
                Command::Log { instance_id, line } => desk.dispatcher.log(instance_id, line),
                Command::Finished { instance_id, ending } => desk.dispatcher.finished(instance_id, ending),
                command => self.call(desk, command),
            }
        }
        if loses {
            // Not before those that are not ours any more were taken back.
            self.tell_leases(desk);
        }
    }

    fn tell_leases(&self, desk: &Desk) {
        let left = self.shard.ours_until_us().map_or(Duration::MAX, |ours_until_us| desk.clock.until(ours_until_us));
        self.reports.ours_for(left);
    }

    fn call(&self, desk: &Arc<Desk>, command: Command) {
        let number = self.number;
        let backoff = desk.options.store_backoff;
        let here = desk.clone();
        desk.call(async move {
            let desk = here;
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
