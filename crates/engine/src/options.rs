//! What can be set about an engine. Every queue, batch and size has its limit here.

use std::time::Duration;
use waymark_store::Retention;

#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Who we are: leases that an earlier process of this name left are freed at start.
    pub engine: String,
    pub queues: Vec<String>,
    /// Threads that instances are divided among.
    pub shards: usize,
    /// Instances in memory.
    pub instances_max: usize,
    /// Programs in memory that no instance need have.
    pub programs_max: usize,
    pub claim_batch: u32,
    /// Instances in one commit.
    pub commit_batch: usize,
    /// Commits on their way at the same time. An instance is in at most one.
    pub commits_in_flight_max: usize,
    pub lease: Duration,
    pub heartbeat: Duration,
    /// How often to look for work that nobody announced.
    pub poll: Duration,
    /// How often to look for due schedules that nobody announced.
    pub schedule_poll: Duration,
    /// Claims for what is due one after the other are at least so far apart.
    pub claim_spacing: Duration,
    /// What the shards may have to do at the same time: jobs that workers have or wait for, and instances that compute or are to be
    /// committed. At so much, no more instances are claimed.
    pub load_max: usize,
    /// …and at this many times what workers here can run at the same time, beyond two claims: the rest is left to other hosts.
    pub load_per_slot: usize,
    /// A host that has so much to do still takes this many a poll: some only have to wake, to wait again or to end, and need no worker. What
    /// piles up has its limit too, at twice as much.
    pub claim_trickle: u32,
    /// How often expired leases of others are freed.
    pub reclaim: Duration,
    /// An instance whose next deadline is nearer than this stays in memory.
    pub keep_awake: Duration,
    /// That an instance has started is committed so much later at the latest, when its first step runs already.
    pub first_commit_delay: Duration,
    /// Wait before a store that was away is asked again.
    pub store_backoff: Duration,
    /// Claims without progress after which an instance is stuck.
    pub claims_max: u32,
    /// Of those claimed more often than this without progress, one at a time is run.
    pub suspect_claims: u32,
    /// A snapshot is due when the log since the last one has more bytes than this, and than the last snapshot.
    pub snapshot_bytes_min: usize,
    /// …or more events than this.
    pub snapshot_events_max: usize,
    /// Events before the snapshot that are kept for people to look at.
    pub history_events: i64,
    /// How long finished instances are kept whose workflow has no such setting of its own.
    pub retention: Retention,
    /// How often those beyond it are looked for.
    pub retention_interval: Duration,
    /// So many are deleted at once.
    pub retention_batch: u32,
    /// Other engines' actions that the relay has in hand.
    pub relayed_max: usize,
    /// How often the relay looks for actions that nobody announced.
    pub relay_poll: Duration,
    /// Steps of one instance before others get their turn.
    pub slice_steps: u64,
    pub limits: waymark_runner::Limits,
    /// For tests of the tests.
    #[cfg(feature = "sabotage")]
    pub sabotage: Option<Sabotage>,
}

/// An invariant to break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sabotage {
    /// Effects leave before their commit is acknowledged.
    EffectBeforeCause,
    /// A commit with an unknown outcome is taken for done.
    UnknownIsDone,
    /// A commit with an unknown outcome is sent again without asking.
    UnknownIsRepeated,
    /// What was in flight is not dispatched again after a claim.
    ForgetInFlight,
    /// A message that is read twice counts twice.
    MailTwice,
    /// One whose lease is lost goes on as if it were not.
    KeepLost,
    /// An answer that came after the lease has run out is acted on.
    TrustLateAnswers,
    /// What waits for a worker elsewhere is run here too, after a claim.
    RunRouted,
    /// What became of a transaction is declared without asking the database.
    DeclareTransactions,
    /// A first step leaves before its commit though it depends on the time.
    TimedFirstStep,
    /// An instance panics when it hears of a failed call.
    Panic,
}

impl Options {
    #[cfg(feature = "sabotage")]
    pub(crate) fn sabotages(&self, what: Sabotage) -> bool {
        self.sabotage == Some(what)
    }

    #[cfg(not(feature = "sabotage"))]
    pub(crate) fn sabotages(&self, _what: Sabotage) -> bool {
        false
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            engine: "engine".into(),
            queues: vec!["default".into()],
            shards: 1,
            instances_max: 10_000,
            programs_max: 500,
            claim_batch: 500,
            commit_batch: 500,
            commits_in_flight_max: 2,
            lease: Duration::from_secs(15),
            heartbeat: Duration::from_secs(4),
            poll: Duration::from_secs(1),
            schedule_poll: Duration::from_secs(30),
            claim_spacing: Duration::from_millis(20),
            load_max: 100_000,
            load_per_slot: 2,
            claim_trickle: 8,
            reclaim: Duration::from_secs(5),
            keep_awake: Duration::from_secs(2),
            first_commit_delay: Duration::from_millis(50),
            store_backoff: Duration::from_millis(200),
            claims_max: 10,
            suspect_claims: 3,
            snapshot_bytes_min: 32 << 10,
            snapshot_events_max: 5_000,
            history_events: 1_000,
            retention: Retention::Forever,
            retention_interval: Duration::from_secs(60),
            retention_batch: 1_000,
            relayed_max: 1_000,
            relay_poll: Duration::from_secs(5),
            slice_steps: 200_000,
            limits: waymark_runner::Limits::default(),
            #[cfg(feature = "sabotage")]
            sabotage: None,
        }
    }
}
