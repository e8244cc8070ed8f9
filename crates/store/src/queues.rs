//! Queues: limits on what runs at the same time and on how fast it is started, fairness among keys, and pauses.
//!
//! Limits count leases. An instance that only sleeps, or waits for a signal or a child, holds none, and so doesn't count; when it is due
//! again it waits for its turn, before those of its priority that have not begun.

use std::time::Duration;

use uuid::{Builder, Uuid};

use crate::Lease;

/// Groups of instances (a key, a priority, begun or not) that one claim looks at, at most. Where it stopped, the next one goes on.
pub(crate) const WALK_MAX: u32 = 500;

/// What is set about a queue; it replaces what was set before. Nothing set: a queue without limits, as any other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueSettings {
    pub name: String,
    /// Instances of the queue that hold a lease at the same time, at most.
    pub concurrency: Option<u32>,
    /// …and of each key. Those that were started without a key share one.
    pub key_concurrency: Option<u32>,
    /// How many are begun in a period.
    pub rate: Option<Rate>,
    pub key_rate: Option<Rate>,
    /// Keys take turns, though nothing limits them. With any limit they always do.
    pub fair: bool,
}

impl QueueSettings {
    pub fn is_plain(&self) -> bool {
        let QueueSettings { name: _, concurrency, key_concurrency, rate, key_rate, fair } = self;
        concurrency.is_none() && key_concurrency.is_none() && rate.is_none() && key_rate.is_none() && !fair
    }

    pub(crate) fn problem(&self) -> Option<String> {
        let counts = [self.concurrency, self.key_concurrency].into_iter().flatten();
        let rates = || [self.rate, self.key_rate].into_iter().flatten();
        if counts.chain(rates().map(|rate| rate.count)).any(|count| !(1..=COUNT_MAX).contains(&count)) {
            return Some(format!("a limit is between 1 and {COUNT_MAX}\nhint: to stop a queue, pause it"));
        }
        if rates().any(|rate| !(PERIOD_MIN..=PERIOD_MAX).contains(&rate.period)) {
            return Some("the period of a rate is between a millisecond and a year".into());
        }
        (self.name.is_empty() || self.name.contains('\0')).then(|| "a queue needs a name without NUL characters".into())
    }
}

const COUNT_MAX: u32 = 1_000_000_000;
const PERIOD_MIN: Duration = Duration::from_millis(1);
const PERIOD_MAX: Duration = Duration::from_secs(366 * 24 * 3600);

/// A bucket of `count` tokens that fills up again within `period`. So a quiet queue may begin `count` at once, and no more than twice that
/// in any period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    pub count: u32,
    pub period: Duration,
}

impl Rate {
    pub(crate) fn stored(rate: Option<Rate>) -> (Option<i32>, Option<i64>) {
        let count = rate.map(|rate| i32::try_from(rate.count).unwrap_or(i32::MAX));
        (count, rate.map(|rate| crate::time::micros(rate.period)))
    }

    pub(crate) fn read(count: Option<i32>, period_us: Option<i64>) -> Option<Rate> {
        let period = Duration::from_micros(period_us?.unsigned_abs());
        Some(Rate { count: count?.unsigned_abs(), period })
    }
}

/// A queue as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    pub settings: QueueSettings,
    pub paused: bool,
    pub depth: Depth,
    /// Those with most to do first.
    pub keys: Vec<(String, Depth)>,
}

/// How many live instances there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depth {
    /// They could run, but nobody has them.
    pub due: u64,
    pub leased: u64,
    /// They wait for a time, a signal, a child, or for somebody to help.
    pub sleeping: u64,
}

impl Depth {
    pub(crate) fn total(self) -> (u64, u64) {
        (self.due + self.leased, self.sleeping)
    }

    pub(crate) fn add(&mut self, other: Depth) {
        self.due += other.due;
        self.leased += other.leased;
        self.sleeping += other.sleeping;
    }
}

/// Queues by name, each with its keys, from rows of (queue, key, depth).
pub(crate) fn gather(
    set: Vec<(QueueSettings, bool)>,
    rows: impl IntoIterator<Item = (String, Option<String>, Depth)>,
    keys_max: usize,
) -> Vec<Queue> {
    let mut queues: std::collections::BTreeMap<String, Queue> = set
        .into_iter()
        .map(|(settings, paused)| {
            (settings.name.clone(), Queue { settings, paused, depth: Depth::default(), keys: Vec::new() })
        })
        .collect();
    for (name, key, depth) in rows {
        let queue = queues.entry(name.clone()).or_insert_with(|| Queue {
            settings: QueueSettings { name, ..QueueSettings::default() },
            paused: false,
            depth: Depth::default(),
            keys: Vec::new(),
        });
        queue.depth.add(depth);
        queue.keys.extend(key.filter(|key| !key.is_empty()).map(|key| (key, depth)));
    }
    let mut queues: Vec<Queue> = queues.into_values().collect();
    for queue in &mut queues {
        queue.keys.sort_by(|one, other| other.1.total().cmp(&one.1.total()).then_with(|| one.0.cmp(&other.0)));
        queue.keys.truncate(keys_max);
    }
    queues
}

/// Leases of a queue with limits are marked: whoever gives one back tells others that there is room.
pub(crate) fn limited_lock() -> Uuid {
    Builder::from_custom_bytes(*Uuid::new_v4().as_bytes()).into_uuid()
}

impl Lease {
    pub(crate) fn is_limited(&self) -> bool {
        self.lock_uuid.get_version_num() == 8
    }
}
