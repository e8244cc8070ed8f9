//! Where Waymark keeps what must survive: one trait, [`Store`], with two implementations, [`postgres`] and [`sqlite`], and
//! one [`conformance`] suite that both pass.
//!
//! The tables and what they are for (`migrations/` has them in full):
//!
//! | table | holds |
//! |---|---|
//! | `workflow_versions` | programs, keyed by name and version |
//! | `queued_instances` | one row a live instance: when it is due, and whose lease is on it |
//! | `runner_instances` | one row an instance: inputs, snapshot, result |
//! | `runner_actions_done` | the log of events, by instance and `seq` |
//! | `instance_inbox` | what others leave for an instance |
//! | `queues`, `queue_buckets`, `paused_workflows` | limits of queues, tokens that are left of their rates, what is paused |
//! | `instance_replies` | what an instance has answered to updates |
//! | `queued_actions` | executions that wait for a worker elsewhere |
//! | `transaction_attempts`, `outgoing_mail` | what became of attempts that are transactions; mail of transactions that are not committed yet |
//! | `worker_status`, `workflow_schedules` | what they say |
//!
//! An engine **claims** due rows (a lease comes with them), **commits** progress gated by that lease, **heartbeats** what it
//! holds, and **sleeps** what only waits. Everybody else **queues** instances and **puts** messages in inboxes. This crate
//! sees bytes, ids and times; what the bytes mean is the runner's business.

mod actions;
mod change;
#[cfg(any(feature = "conformance", feature = "bench"))]
pub mod cluster;
#[cfg(feature = "conformance")]
pub mod conformance;
mod error;
mod faulty;
#[cfg(feature = "bench")]
pub mod floor;
mod inbox;
mod instances;
mod leases;
mod migrations;
pub mod postgres;
mod progress;
mod queues;
mod replies;
mod retention;
mod rewrite;
mod schedules;
mod search;
pub mod sqlite;
mod store;
mod tags;
mod time;
mod transactions;
mod validate;
mod versions;
mod workers;

pub use actions::{ActionKey, ActionSettlement, ClaimActions, ClaimedAction, Put, PutAction, QueuedAction};
pub use change::{Change, Changes};
pub use error::{Error, Result};
pub use faulty::{Fault, FaultyStore, Schedule};
pub use inbox::{Delivery, InboxRow, InboxView, Message};
pub use instances::{
    Ending, Instance, InstanceFilter, InstancePage, InstanceState, LogRow, NewInstance, OnConflict, PRIORITY_LEVELS,
    Parent, Queued, Snapshot, Status, Turn,
};
pub use leases::{Claim, Claimed, ClaimedInstance, Heartbeat, HeldLease, Lease, SeqUnderLease, Sleep, StartClaim};
pub use progress::{Committed, Next, Progress};
pub use queues::{Depth, Queue, QueueSettings, Rate};
pub use replies::{Reply, ReplyOutcome};
pub use retention::Retention;
pub use rewrite::{Rewrite, Rewritten, Terminated, Termination};
pub use schedules::{
    DueSchedule, DueSchedules, Fired, Firing, PutSchedule, ScheduleKey, SchedulePosition, ScheduleStatus,
    WorkflowSchedule,
};
pub use store::Store;
pub use time::{Clock, Timestamp};
pub use transactions::{AttemptSettled, AttemptSettlement};
pub use versions::{NewVersion, Registered, VersionRef, WorkflowVersion};
pub use workers::WorkerStatus;

use std::sync::Arc;

/// Opens the store that a URL names: `postgres://…` (or `postgresql://…`), `sqlite:path`, or a plain path to a SQLite file.
/// Migrations run first.
pub async fn open(url: &str) -> Result<Arc<dyn Store>> {
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        return Ok(Arc::new(postgres::PostgresStore::connect(url, postgres::PostgresOptions::default()).await?));
    }
    let unknown = || Error::Refused { reason: format!("no store is known for the URL {:?}", redacted(url)) };
    let path = sqlite_path(url).ok_or_else(unknown)?;
    Ok(Arc::new(sqlite::SqliteStore::open(path, sqlite::SqliteOptions::default())?))
}

/// The file that a URL names, if it names one.
pub fn sqlite_path(url: &str) -> Option<&str> {
    let path = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:")).unwrap_or(url);
    (!path.contains("://")).then_some(path)
}

/// A URL without the user and password in it, fit for logs.
pub fn redacted(url: &str) -> String {
    match (url.find("://"), url.rfind('@')) {
        (Some(scheme), Some(at)) if at > scheme => format!("{}…{}", &url[..scheme + 3], &url[at..]),
        _ => url.to_string(),
    }
}
