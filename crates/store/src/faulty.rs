//! A store that misbehaves on a schedule drawn from a seed, for tests: it is slow, it fails before a call or after it (the
//! outcome is unknown then, though it happened), and now and then its connection is away for a while.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::broadcast;
use uuid::Uuid;

use crate::*;

/// What happens to one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    Delay(Duration),
    /// Nothing was done.
    Before,
    /// It was done, but the caller doesn't hear of it.
    After,
    /// This call and the next few fail before anything is done, as when the connection is lost.
    Disconnect {
        calls: u32,
    },
}

/// How often, in a thousand calls. The same seed gives the same faults for the same order of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    pub seed: u64,
    pub delays: u32,
    pub delay_max: Duration,
    pub failures_before: u32,
    pub failures_after: u32,
    pub disconnects: u32,
    /// How many calls a disconnection swallows at most.
    pub disconnect_calls_max: u32,
}

impl Schedule {
    /// A fair share of everything.
    pub fn new(seed: u64) -> Schedule {
        Schedule {
            seed,
            delays: 100,
            delay_max: Duration::from_millis(20),
            failures_before: 50,
            failures_after: 50,
            disconnects: 10,
            disconnect_calls_max: 10,
        }
    }

    /// Nothing goes wrong; `FaultyStore::inject` may still be used.
    pub fn quiet() -> Schedule {
        Schedule { delays: 0, failures_before: 0, failures_after: 0, disconnects: 0, ..Schedule::new(0) }
    }
}

pub struct FaultyStore {
    inner: Arc<dyn Store>,
    schedule: Schedule,
    state: Mutex<State>,
    /// Says nothing.
    silence: broadcast::Sender<Change>,
}

struct State {
    random: u64,
    away: u32,
    enabled: bool,
    injected: Vec<Fault>,
    faults: u64,
    calls: HashMap<&'static str, u64>,
    muted: bool,
}

impl FaultyStore {
    pub fn new(inner: Arc<dyn Store>, schedule: Schedule) -> FaultyStore {
        let state = State {
            random: schedule.seed,
            away: 0,
            enabled: true,
            injected: Vec::new(),
            faults: 0,
            calls: HashMap::new(),
            muted: false,
        };
        FaultyStore { inner, schedule, state: Mutex::new(state), silence: broadcast::channel(1).0 }
    }

    /// The next call gets this one, whatever the schedule says.
    pub fn inject(&self, fault: Fault) {
        self.state().injected.insert(0, fault);
    }

    /// Ends or resumes the misbehaviour: a test lets the dust settle before it counts.
    pub fn enable(&self, enabled: bool) {
        let mut state = self.state();
        state.enabled = enabled;
        state.away = 0;
    }

    /// How many calls were tampered with.
    pub fn faults(&self) -> u64 {
        self.state().faults
    }

    /// How often a method was called.
    pub fn calls(&self, method: &str) -> u64 {
        self.state().calls.get(method).copied().unwrap_or(0)
    }

    /// Whoever asks for changes from now on is never told any.
    pub fn mute(&self) {
        self.state().muted = true;
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn draw(&self) -> Fault {
        let mut state = self.state();
        let fault = state.draw(&self.schedule);
        if fault != Fault::None {
            state.faults += 1;
        }
        fault
    }

    /// Reads can't have an unknown outcome: what fails after them is as if it had failed before.
    async fn tampered<T>(
        &self,
        method: &'static str,
        writes: bool,
        call: impl Future<Output = Result<T>> + Send,
    ) -> Result<T> {
        *self.state().calls.entry(method).or_default() += 1;
        let away =
            |what: &str| Error::Unavailable { reason: format!("{what} (a fault of seed {})", self.schedule.seed) };
        match self.draw() {
            Fault::None => call.await,
            Fault::Delay(delay) => {
                tokio::time::sleep(delay).await;
                call.await
            }
            Fault::Before => Err(away("failed before the call")),
            Fault::Disconnect { .. } => Err(away("disconnected")),
            Fault::After => {
                let result = call.await;
                match (result, writes) {
                    (Err(error), _) => Err(error),
                    (Ok(_), false) => Err(away("the answer was lost")),
                    (Ok(_), true) => Err(Error::OutcomeUnknown {
                        reason: format!("the answer was lost (a fault of seed {})", self.schedule.seed),
                    }),
                }
            }
        }
    }
}

impl State {
    fn draw(&mut self, schedule: &Schedule) -> Fault {
        if let Some(fault) = self.injected.pop() {
            if let Fault::Disconnect { calls } = fault {
                self.away = calls.saturating_sub(1);
            }
            return fault;
        }
        if !self.enabled {
            return Fault::None;
        }
        if self.away > 0 {
            self.away -= 1;
            return Fault::Disconnect { calls: self.away };
        }
        let roll = u32::try_from(self.next() % 1000).unwrap_or(0);
        let before = schedule.delays + schedule.failures_before;
        let after = before + schedule.failures_after;
        if roll < schedule.delays {
            let limit = u64::try_from(schedule.delay_max.as_micros()).unwrap_or(u64::MAX).max(1);
            Fault::Delay(Duration::from_micros(self.next() % limit))
        } else if roll < before {
            Fault::Before
        } else if roll < after {
            Fault::After
        } else if roll < after + schedule.disconnects {
            self.away = u32::try_from(self.next() % u64::from(schedule.disconnect_calls_max.max(1))).unwrap_or(0);
            Fault::Disconnect { calls: self.away }
        } else {
            Fault::None
        }
    }

    /// SplitMix64: small, and the same everywhere.
    fn next(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

macro_rules! forward {
    ($($writes:literal $name:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)*) => {
        #[async_trait]
        impl Store for FaultyStore {
            fn kind(&self) -> &'static str {
                self.inner.kind()
            }

            $(async fn $name(&self, $($argument: $kind),*) -> Result<$answer> {
                self.tampered(stringify!($name), $writes, self.inner.$name($($argument),*)).await
            })*

            fn changes(&self) -> Changes {
                if self.state().muted { self.silence.subscribe() } else { self.inner.changes() }
            }
        }
    };
}

// True: a write, whose outcome may be unknown.
forward! {
    false fingerprint() -> String;
    false now() -> Timestamp;
    true register_version(version: NewVersion) -> Registered;
    true activate_version(workflow_version_id: Uuid) -> bool;
    false get_version(version: VersionRef) -> Option<WorkflowVersion>;
    false list_versions(workflow_name: Option<&str>) -> Vec<WorkflowVersion>;
    true queue_and_claim(instances: Vec<NewInstance>, claim: Option<StartClaim>) -> Vec<Queued>;
    true claim(claim: Claim) -> Claimed;
    true commit_progress(batch: Vec<Arc<Progress>>) -> Vec<Committed>;
    false read_seq(leases: Vec<Lease>) -> Vec<SeqUnderLease>;
    true sleep(batch: Vec<Sleep>) -> Vec<bool>;
    true heartbeat(heartbeat: Heartbeat) -> Vec<HeldLease>;
    true reclaim_expired(limit: u32) -> u64;
    true free_own_leases(engine: &str) -> u64;
    true mark_stuck(batch: Vec<(Lease, String)>) -> Vec<bool>;
    true unstick(instance_ids: Vec<Uuid>) -> Vec<bool>;
    false next_wakeup(queues: &[String]) -> Option<Timestamp>;
    true put_queue(settings: QueueSettings) -> ();
    false list_queues(keys: u32) -> Vec<Queue>;
    true pause_queue(name: &str, paused: bool) -> bool;
    true pause_workflow(workflow_name: &str, paused: bool) -> bool;
    false list_paused_workflows() -> Vec<String>;
    true put_inbox(messages: Vec<Message>) -> Vec<Delivery>;
    false read_inbox(instance_ids: Vec<Uuid>) -> Vec<InboxView>;
    false read_replies(updates: Vec<(Uuid, String)>) -> Vec<Option<ReplyOutcome>>;
    false read_state(instance_id: Uuid) -> Option<InstanceState>;
    false read_log(instance_id: Uuid, after_seq: i64, limit: u32) -> Vec<LogRow>;
    false get_instances(instance_ids: Vec<Uuid>) -> Vec<Option<Instance>>;
    false list_instances(filter: InstanceFilter) -> InstancePage;
    false count_instances(filter: InstanceFilter, limit: u32) -> u64;
    true terminate_instances(batch: Vec<Termination>) -> Vec<Terminated>;
    true rewrite_instances(batch: Vec<Rewrite>) -> Vec<Rewritten>;
    true put_actions(actions: Vec<PutAction>) -> Vec<Put>;
    true claim_actions(claim: ClaimActions) -> Vec<ClaimedAction>;
    true heartbeat_actions(held: Vec<(ActionKey, Uuid)>, lease: Duration) -> Vec<bool>;
    true settle_actions(batch: Vec<ActionSettlement>) -> Vec<bool>;
    true drop_actions(keys: Vec<ActionKey>) -> Vec<bool>;
    true settle_attempts(batch: Vec<AttemptSettlement>) -> Vec<AttemptSettled>;
    true put_schedule(put: PutSchedule) -> Option<WorkflowSchedule>;
    false read_schedule(key: ScheduleKey) -> Option<DueSchedule>;
    false list_schedules(workflow_name: Option<&str>) -> Vec<WorkflowSchedule>;
    true delete_schedule(key: ScheduleKey) -> bool;
    false due_schedules(limit: u32) -> DueSchedules;
    true fire_schedules(batch: Vec<Firing>) -> Vec<Fired>;
    true put_retention(workflow_name: &str, retention: Option<Retention>) -> ();
    false list_retention() -> Vec<(String, Retention)>;
    true delete_finished(default: Retention, limit: u32) -> u64;
    true put_worker_status(statuses: Vec<WorkerStatus>) -> ();
    false list_worker_status(since: Timestamp) -> Vec<WorkerStatus>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faulty(schedule: Schedule) -> FaultyStore {
        let inner = sqlite::SqliteStore::in_memory(Arc::new(Timestamp::now)).expect("opened");
        FaultyStore::new(Arc::new(inner), schedule)
    }

    fn version(number: u32) -> NewVersion {
        NewVersion {
            workflow_name: "billing".into(),
            workflow_version: number.to_string(),
            ir_hash: "hash".into(),
            program_proto: Vec::new(),
            source: None,
        }
    }

    #[tokio::test]
    async fn faults_do_what_they_say() {
        let store = faulty(Schedule::quiet());
        store.inject(Fault::Before);
        assert!(matches!(store.register_version(version(1)).await, Err(Error::Unavailable { .. })));
        assert_eq!(store.list_versions(None).await.unwrap().len(), 0);
        store.inject(Fault::After);
        assert!(matches!(store.register_version(version(1)).await, Err(Error::OutcomeUnknown { .. })));
        assert_eq!(store.list_versions(None).await.unwrap().len(), 1, "it happened");
        store.inject(Fault::Disconnect { calls: 3 });
        for _ in 0..3 {
            assert!(matches!(store.list_versions(None).await, Err(Error::Unavailable { .. })));
        }
        assert!(store.list_versions(None).await.is_ok());
    }

    #[tokio::test]
    async fn a_seed_gives_the_same_faults_again() {
        let run = |seed| async move {
            let store = faulty(Schedule { delay_max: Duration::from_micros(1), ..Schedule::new(seed) });
            let mut outcomes = Vec::new();
            for number in 0..200 {
                outcomes
                    .push(store.register_version(version(number)).await.map(|_| ()).map_err(|error| error.to_string()));
            }
            assert!(store.faults() > 0);
            store.enable(false);
            assert!(store.list_versions(None).await.is_ok());
            outcomes.into_iter().map(|outcome| outcome.err()).collect::<Vec<_>>()
        };
        assert_eq!(run(7).await, run(7).await);
        assert_ne!(run(7).await, run(8).await);
    }
}
