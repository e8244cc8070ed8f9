//! Where shards and answers of the store meet: the front, under a lock.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use waymark_store::{Change, StartClaim, Store, VersionRef};

use super::seat::Seat;
use super::shard::Living;
use super::{Dispatcher, Intake, Reports, lost};
use crate::clock::Clock;
use crate::front::lower;
use crate::{Front, FrontCommand, FrontInput, Input, Options};

/// Expired leases that one sweep frees.
const RECLAIM_LIMIT: u32 = 1_000;

pub(super) struct Desk {
    front: Mutex<Planned>,
    pub options: Options,
    pub store: Arc<dyn Store>,
    pub dispatcher: Arc<dyn Dispatcher>,
    intake: Intake,
    pub clock: Clock,
    seats: Vec<Seat>,
    /// The front wants to be told the time earlier than it said before.
    sooner: Notify,
    /// Where calls of the store run.
    calls: Handle,
    /// Ends threads and calls.
    pub stop: CancellationToken,
    /// Somebody waits for the answer of every call, and every shard: an engine that lost one would go on half alive.
    pub broken: CancellationToken,
}

struct Planned {
    front: Front,
    /// When it is told the time, by the steady clock.
    wakeup_us: i64,
}

impl Desk {
    pub fn new(store: Arc<dyn Store>, options: Options, dispatcher: Arc<dyn Dispatcher>, intake: Intake) -> Arc<Desk> {
        Arc::new_cyclic(|desk| {
            let seat = |number| Seat::new(Living::new(&options, number, Reports::of_shard(desk.clone(), number)));
            Desk {
                front: Mutex::new(Planned { front: Front::new(options.clone()), wakeup_us: i64::MAX }),
                store,
                dispatcher,
                intake,
                clock: Clock::start(),
                seats: (0..options.shards.max(1)).map(seat).collect(),
                options,
                sooner: Notify::new(),
                calls: Handle::current(),
                stop: CancellationToken::new(),
                broken: CancellationToken::new(),
            }
        })
    }

    fn front(&self) -> MutexGuard<'_, Planned> {
        self.front.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How starts of this process may be claimed in the commit that queues them, and since when.
    pub fn offer(&self) -> Option<(i64, StartClaim)> {
        let now = self.clock.now();
        let (slots, free) = (self.dispatcher.slots(), self.dispatcher.free());
        let limit = self.front().front.offers(now, slots, free);
        let Options { engine, queues, lease, .. } = &self.options;
        let claim = || StartClaim {
            engine: engine.clone(),
            queues: queues.clone(),
            lock_uuid: Uuid::new_v4(),
            limit: u32::try_from(limit).unwrap_or(u32::MAX),
            lease: *lease,
        };
        (limit > 0).then(|| (now.steady_us, claim()))
    }

    pub fn is_drained(&self) -> bool {
        self.front().front.is_drained()
    }

    /// Ends when the front wants to be told the time.
    pub async fn wakeup(&self) {
        loop {
            let wakeup_us = {
                let mut planned = self.front();
                planned.wakeup_us = planned.front.next_wakeup();
                planned.wakeup_us
            };
            tokio::select! {
                () = tokio::time::sleep(self.clock.until(wakeup_us)) => return,
                () = self.sooner.notified() => {}
            }
        }
    }

    /// Tells the front something, and does what it says.
    pub fn tell(self: &Arc<Desk>, input: FrontInput) {
        let mut calls = Vec::new();
        let mut told = Vec::new();
        let mut planned = self.front();
        for command in planned.front.handle(self.clock.now(), input) {
            match command {
                // Under the lock: a shard hears things in the order in which they were said.
                FrontCommand::Tell(shard, input) => {
                    self.seats[shard].leave(input);
                    if !told.contains(&shard) {
                        told.push(shard);
                    }
                }
                command => calls.push(command),
            }
        }
        let is_sooner = planned.front.next_wakeup() < planned.wakeup_us;
        self.dispatcher.held(planned.front.len());
        drop(planned);
        if is_sooner {
            self.sooner.notify_one();
        }
        calls.into_iter().for_each(|command| self.carry_out(command));
        told.into_iter().for_each(|shard| self.seats[shard].drive(self));
    }

    pub fn tell_shard(self: &Arc<Desk>, shard: usize, input: Input) {
        self.seats[shard].leave(input);
        self.seats[shard].drive(self);
    }

    pub fn seat(&self, shard: usize) -> &Seat {
        &self.seats[shard]
    }

    /// Runs a call of the store, whose answer goes wherever it goes.
    pub fn call(self: &Arc<Desk>, call: impl Future<Output = ()> + Send + 'static) {
        let desk = self.clone();
        self.calls.spawn(async move {
            let lost = desk.broken.clone().drop_guard();
            desk.stop.run_until_cancelled(call).await;
            lost.disarm();
        });
    }

    fn carry_out(self: &Arc<Desk>, command: FrontCommand) {
        let desk = self.clone();
        self.call(async move {
            let store = &desk.store;
            let answer = match command {
                FrontCommand::Tell(shard, input) => return desk.tell_shard(shard, input),
                FrontCommand::Claim(claim) => FrontInput::Claimed(store.claim(claim).await),
                FrontCommand::LoadProgram(id) => {
                    let program = match store.get_version(VersionRef::Id(id)).await {
                        // A large one takes its time, and others wait for this thread.
                        Ok(version) => {
                            Ok(tokio::task::spawn_blocking(move || lower(id, version)).await.unwrap_or_else(lost))
                        }
                        Err(error) => Err(error),
                    };
                    FrontInput::Program(id, program)
                }
                FrontCommand::Commit(ticket, batch) => {
                    let result = store.commit_progress(batch.clone()).await;
                    if let Ok(answers) = &result {
                        desk.intake.committed(&batch, answers);
                    }
                    FrontInput::Committed(ticket, result)
                }
                FrontCommand::Heartbeat(heartbeat) => FrontInput::Heartbeat(store.heartbeat(heartbeat).await),
                FrontCommand::Reclaim => match store.reclaim_expired(RECLAIM_LIMIT).await {
                    Ok(freed) if freed > 0 => FrontInput::Changed(Change::Work),
                    _ => return,
                },
                FrontCommand::GiveBack(sleeps) => {
                    let _ = store.sleep(sleeps).await;
                    return;
                }
                FrontCommand::MarkStuck(batch) => return super::shard::mark_stuck(&**store, batch).await,
                FrontCommand::DeleteFinished { default, limit } => {
                    FrontInput::Deleted(store.delete_finished(default, limit).await)
                }
                FrontCommand::DueSchedules { limit } => FrontInput::DueSchedules(store.due_schedules(limit).await),
                FrontCommand::FireSchedules(firings) => FrontInput::FiredSchedules(store.fire_schedules(firings).await),
            };
            desk.tell(answer);
        });
    }
}
