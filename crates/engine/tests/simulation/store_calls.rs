//! What engines and relays ask of the store: calls that may fail before they are made, or be made and not answered.

use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;
use waymark_engine::relay::{RelayCommand, RelayInput};
use waymark_engine::{Command, FrontCommand, FrontInput, Input, JobKey, child_instance, child_instance_id, lower};
use waymark_runner::Lowered;
use waymark_store::{
    ActionKey, AttemptSettlement, Change, Committed, Error, Next, Progress, Put, Queued, Status, Store, VersionRef,
};

use crate::Broken;
use crate::world::{SECOND, What, World, now};

impl World {
    fn answer(&mut self, host: usize, incarnation: u64, shard: usize, input: Input) {
        let delay = self.answer_delay_us();
        self.after(delay, What::Feed(host, incarnation, shard, input));
    }

    pub fn answer_front(&mut self, host: usize, incarnation: u64, input: FrontInput) {
        let delay = self.answer_delay_us();
        self.after(delay, What::FeedFront(host, incarnation, input));
    }

    fn answer_relay(&mut self, host: usize, incarnation: u64, input: RelayInput) {
        let delay = self.answer_delay_us();
        self.after(delay, What::FeedRelay(host, incarnation, input));
    }

    fn answer_delay_us(&mut self) -> i64 {
        let slow = self.chance(5);
        self.random.below(if slow { 15_000_000 } else { 3_000 }) as i64
    }

    pub fn faulty<T>(&mut self, write: bool, call: impl FnOnce(&mut World) -> Result<T, Error>) -> Result<T, Error> {
        if self.chance(4) {
            return Err(Error::Unavailable { reason: "simulated".into() });
        }
        if write && self.chance(3) {
            // It did not happen, but nobody can tell.
            return Err(Error::OutcomeUnknown { reason: "simulated".into() });
        }
        let result = call(self);
        if write && self.chance(6) {
            return Err(Error::OutcomeUnknown { reason: "simulated".into() });
        }
        result
    }

    pub fn carry_out_front(&mut self, host: usize, incarnation: u64, command: FrontCommand) {
        // A process that died takes its commands with it, but for those already at the database.
        let is_dead = self.hosts[host].incarnation != incarnation;
        if is_dead && !matches!(command, FrontCommand::Commit(..)) {
            return;
        }
        match command {
            FrontCommand::Claim(claim) => {
                let until_us = self.now_us() + claim.lease.as_micros() as i64;
                let result = self.faulty(true, |world| {
                    let claimed = now(world.store.claim(claim))?;
                    for instance in &claimed.instances {
                        world.checks.claimed(instance.lease, until_us);
                    }
                    world.check_limits();
                    Ok(claimed)
                });
                self.look_for_stuck();
                self.answer_front(host, incarnation, FrontInput::Claimed(result));
            }
            FrontCommand::LoadProgram(id) => {
                let result = self.faulty(false, |world| now(world.store.get_version(VersionRef::Id(id))));
                let program = result.map(|version| lower(id, version));
                self.answer_front(host, incarnation, FrontInput::Program(id, program));
            }
            FrontCommand::Commit(ticket, batch) => {
                let sleepers: Vec<Uuid> = batch
                    .iter()
                    .filter(|progress| matches!(progress.next, Next::Sleep { .. }))
                    .map(|progress| progress.lease.instance_id)
                    .collect();
                sleepers.iter().for_each(|id| self.goes_to_sleep(*id));
                let result = self.faulty(true, |world| world.commit(batch));
                sleepers.iter().for_each(|id| self.goes_to_sleep(*id));
                self.answer_front(host, incarnation, FrontInput::Committed(ticket, result));
            }
            FrontCommand::Heartbeat(heartbeat) => {
                let until_us = self.now_us() + heartbeat.lease.as_micros() as i64;
                let is_lost = self.chance(10);
                let result = self.faulty(true, |world| {
                    if is_lost {
                        return Err(Error::Unavailable { reason: "simulated".into() });
                    }
                    let held = now(world.store.heartbeat(heartbeat))?;
                    held.iter().for_each(|lease| world.checks.extended(lease.instance_id, until_us));
                    Ok(held)
                });
                self.answer_front(host, incarnation, FrontInput::Heartbeat(result));
            }
            FrontCommand::MarkStuck(batch) => panic!("seed {}: stuck: {batch:?}", self.seed),
            FrontCommand::Reclaim => {
                let result = self.faulty(true, |world| now(world.store.reclaim_expired(100)));
                if result.is_ok_and(|freed| freed > 0) {
                    self.answer_front(host, incarnation, FrontInput::Changed(Change::Work));
                }
            }
            FrontCommand::GiveBack(sleeps) => {
                let _ = self.faulty(true, |world| now(world.store.sleep(sleeps)));
            }
            FrontCommand::DueSchedules { limit } => {
                let result = self.faulty(false, |world| now(world.store.due_schedules(limit)));
                self.answer_front(host, incarnation, FrontInput::DueSchedules(result));
            }
            FrontCommand::FireSchedules(_) => panic!("nobody asked for it"),
            FrontCommand::DeleteFinished { default, limit } => {
                let result = self.faulty(true, |world| now(world.store.delete_finished(default, limit)));
                self.answer_front(host, incarnation, FrontInput::Deleted(result));
            }
            FrontCommand::Tell(..) => unreachable!("it does not travel"),
        }
    }

    pub fn carry_out(&mut self, host: usize, incarnation: u64, shard: usize, command: Command) {
        if self.hosts[host].incarnation != incarnation {
            return;
        }
        match command {
            Command::ReadSeq(ticket, leases) => {
                let result = self.faulty(false, |world| now(world.store.read_seq(leases)));
                self.answer(host, incarnation, shard, Input::Seqs(ticket, result));
            }
            Command::ReadInbox(ticket, ids) => {
                let result = self.faulty(false, |world| now(world.store.read_inbox(ids)));
                self.answer(host, incarnation, shard, Input::Inbox(ticket, result));
            }
            Command::MarkStuck(batch) => panic!("seed {}: stuck: {batch:?}", self.seed),
            Command::PutActions(keys, batch) => {
                let asked = keys.clone();
                let result = self.faulty(true, |world| {
                    let answers = now(world.store.put_actions(batch))?;
                    for (key, answer) in asked.iter().zip(&answers) {
                        if *answer == Put::Done {
                            world.checks.routed(*key);
                        }
                    }
                    world.tell(Change::Actions);
                    Ok(answers)
                });
                self.answer(host, incarnation, shard, Input::ActionsPut(keys, result));
            }
            Command::DropActions(rows) => self.drop_actions(host, incarnation, shard, rows),
            Command::SettleAttempts(rows) => self.settle_attempts(host, incarnation, shard, rows),
            Command::FindVersions(ticket, names) => {
                let result = self.faulty(false, |world| {
                    let found = names.into_iter().map(|name| {
                        let version = world.versions.get(&*name).map(|(version, _)| *version);
                        (name, version)
                    });
                    Ok(found.collect())
                });
                self.answer(host, incarnation, shard, Input::Versions(ticket, result));
            }
            Command::StartChild { child_id, parent_id, call } => {
                self.start_child(host, incarnation, shard, child_id, parent_id, &call)
            }
            Command::Run(_) | Command::Cancel(_) | Command::Log { .. } | Command::Finished { .. } => {
                unreachable!("these don't travel")
            }
        }
    }

    fn commit(&mut self, mut batch: Vec<Arc<Progress>>) -> Result<Vec<Committed>, Error> {
        if self.broken == Some(Broken::WakeSeqUnchecked) {
            for progress in &mut batch {
                let progress = Arc::make_mut(progress);
                if let Next::Sleep { wake_seq, .. } = &mut progress.next {
                    let view = now(self.store.read_inbox(vec![progress.lease.instance_id]))?;
                    *wake_seq = view.first().map_or(*wake_seq, |view| view.wake_seq);
                }
            }
        }
        let answers = now(self.store.commit_progress(batch.clone()))?;
        let now_us = self.now_us();
        for (progress, answer) in batch.iter().zip(&answers) {
            self.checks.committed(now_us, progress, answer);
            let Committed::Accepted { children, .. } = answer else { continue };
            for (child, queued) in progress.children.iter().zip(children) {
                let known = Queued::Existing { instance_id: child.instance_id };
                assert!(*queued == Queued::Started || *queued == known, "seed {}: {queued:?}", self.seed);
                if *queued == known {
                    continue;
                }
                let (_, lowered) = self.version(child.workflow_version_id);
                self.checks.expect(child.instance_id, lowered, false);
            }
        }
        Ok(answers)
    }

    fn version(&self, id: Uuid) -> (Uuid, Arc<Lowered>) {
        self.versions.values().find(|(version, _)| *version == id).cloned().expect("a version")
    }

    /// A claim makes those stuck that were claimed too often.
    fn look_for_stuck(&mut self) {
        if !self.checks.is_one_to_be_stuck() {
            return;
        }
        let filter = waymark_store::InstanceFilter { statuses: vec![Status::Stuck], ..Default::default() };
        for instance in now(self.store.list_instances(filter)).expect("a read").instances {
            self.checks.stuck(instance.instance_id, &instance.stuck_reason.unwrap_or_default());
        }
    }

    /// As the runtime does: again, until it is done.
    fn drop_actions(&mut self, host: usize, incarnation: u64, shard: usize, rows: Vec<(JobKey, ActionKey)>) {
        let keys = rows.iter().map(|(_, key)| key.clone()).collect();
        let jobs: Vec<JobKey> = rows.iter().map(|(job, _)| *job).collect();
        let result = self.faulty(true, |world| {
            let answers = now(world.store.drop_actions(keys))?;
            jobs.iter().for_each(|job| world.checks.unrouted(*job));
            world.tell(Change::Actions);
            Ok(answers)
        });
        match result {
            Ok(answers) => {
                let answers = jobs.into_iter().zip(answers).collect();
                self.answer(host, incarnation, shard, Input::ActionsDropped(answers));
            }
            Err(_) => self.after(200_000, What::Carry(host, incarnation, shard, Command::DropActions(rows))),
        }
    }

    /// The same.
    fn settle_attempts(&mut self, host: usize, incarnation: u64, shard: usize, rows: Vec<(JobKey, AttemptSettlement)>) {
        let batch = rows.iter().map(|(_, settlement)| settlement.clone()).collect();
        let jobs: Vec<JobKey> = rows.iter().map(|(job, _)| *job).collect();
        let result = self.faulty(true, |world| {
            let answers = now(world.store.settle_attempts(batch))?;
            jobs.iter().for_each(|job| world.tell(Change::Inbox(job.instance_id)));
            Ok(answers)
        });
        match result {
            Ok(_) => self.answer(host, incarnation, shard, Input::AttemptsSettled(jobs)),
            Err(_) => self.after(200_000, What::Carry(host, incarnation, shard, Command::SettleAttempts(rows))),
        }
    }

    fn start_child(
        &mut self,
        host: usize,
        incarnation: u64,
        shard: usize,
        child_id: Uuid,
        parent_id: Uuid,
        call: &Arc<waymark_runner::Dispatch>,
    ) {
        let key = (call.execution.ordinal, call.attempt);
        assert_eq!(child_id, child_instance_id(call.execution, call.attempt));
        let (version, lowered) = self.versions[&*call.name].clone();
        let instance = child_instance(parent_id, call, version);
        let result = self.faulty(true, |world| {
            world.checks.started(child_id, lowered);
            now(world.store.queue_instances(vec![instance]))
        });
        match result {
            Ok(queued) => {
                assert_eq!(queued, [Queued::Existing { instance_id: child_id }], "seed {}", self.seed);
                self.answer(host, incarnation, shard, Input::ChildDone { parent_id, key });
            }
            Err(_) => {
                let again = Command::StartChild { child_id, parent_id, call: call.clone() };
                self.after(200_000, What::Carry(host, incarnation, shard, again));
            }
        }
    }

    pub fn carry_out_relay(&mut self, host: usize, incarnation: u64, command: RelayCommand) {
        let is_dead = self.hosts[host].incarnation != incarnation;
        if is_dead && !matches!(command, RelayCommand::Settle(..) | RelayCommand::SettleTransactions(..)) {
            return;
        }
        let lease = Duration::from_micros(6 * SECOND as u64);
        match command {
            RelayCommand::Claim(claim) => {
                let result = self.faulty(true, |world| now(world.store.claim_actions(claim)));
                self.answer_relay(host, incarnation, RelayInput::Claimed(result));
            }
            RelayCommand::Heartbeat(held) => {
                let asked = held.clone();
                let result = self.faulty(true, |world| now(world.store.heartbeat_actions(held, lease)));
                self.answer_relay(host, incarnation, RelayInput::Heartbeat(asked, result));
            }
            RelayCommand::GiveBack(held) => {
                let _ = self.faulty(true, |world| now(world.store.heartbeat_actions(held, Duration::ZERO)));
            }
            RelayCommand::Settle(keys, batch) => {
                let asked = keys.clone();
                let result = self.faulty(true, |world| {
                    let answers = now(world.store.settle_actions(batch))?;
                    for (key, answer) in asked.iter().zip(&answers) {
                        if *answer {
                            world.checks.brought(*key);
                            world.tell(Change::Inbox(key.instance_id));
                        }
                    }
                    Ok(answers)
                });
                self.answer_relay(host, incarnation, RelayInput::Settled(keys, result));
            }
            RelayCommand::SettleTransactions(keys, batch) => {
                let asked = keys.clone();
                let (rows, offers): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
                let offers = offers.into_iter().flatten().collect();
                let result = self.faulty(true, |world| {
                    now(world.store.settle_attempts(offers))?;
                    asked.iter().for_each(|key| world.tell(Change::Inbox(key.instance_id)));
                    Ok(())
                });
                let result = result.and_then(|()| {
                    self.faulty(true, |world| {
                        let answers = now(world.store.drop_actions(rows))?;
                        keys.iter().for_each(|key| world.checks.unrouted(*key));
                        Ok(answers)
                    })
                });
                self.answer_relay(host, incarnation, RelayInput::Settled(keys, result));
            }
            RelayCommand::Run(_) | RelayCommand::Cancel(_) => unreachable!("these don't travel"),
        }
    }
}
