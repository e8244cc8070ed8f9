//! The pool: the workers of this process, those it spawned and those that connected, and the calls that they hold.
//!
//! The [`Hub`] holds the streams and gives out calls; [`spawn`] keeps processes alive. They know little of each other: to the hub a worker of
//! another host is the same, and a spawner serves a hub elsewhere just as well.

pub mod call;
mod coming;
pub mod crews;
mod deaths;
mod histogram;
mod hub;
mod lane;
mod printed;
mod process;
mod profile;
mod slab;
pub mod spawn;
mod state;
mod status;
mod stream;
mod timer;
mod worker;

use std::path::PathBuf;
use std::time::Duration;

pub use hub::{Hub, Life};
pub use profile::SLOTS_MAX;
pub use state::Traffic;
pub use status::{Status, UnknownAction, WorkerReport, report_status};
pub use stream::WorkersService;
pub use worker::Phase;

/// Payloads can't be allowed to be larger: a frame carries at least one.
pub const PAYLOAD_BYTES_CEILING: usize = 64 << 20;

/// What can be set about a pool.
#[derive(Clone, Debug)]
pub struct Options {
    /// How a worker is started; None: only those that connect by themselves.
    pub command: Option<WorkerCommand>,
    /// How many to keep running.
    pub workers: usize,
    /// Calls that one of them takes at the same time.
    pub slots: u32,
    /// A worker that has been given this many calls is replaced; None: never.
    pub recycle_after: Option<u64>,
    /// A worker is silent for three of these: it is taken for dead.
    pub heartbeat: Duration,
    /// A cancelled call that has not stopped by then costs the worker its place.
    pub cancel_grace: Duration,
    /// Workers' deaths that an attempt may see before it fails as `WorkerCrashed`.
    pub deaths_max: u32,
    /// Waits before a worker that died is started again: the first, and the longest.
    pub respawn_backoff: (Duration, Duration),
    /// Arguments and results larger than this are refused; at most [`PAYLOAD_BYTES_CEILING`].
    pub payload_bytes_max: usize,
    /// A job that no worker knows is reported as such after this time: workers may be starting.
    pub unknown_after: Duration,
}

/// A process to spawn.
#[derive(Clone, Debug)]
pub struct WorkerCommand {
    pub program: PathBuf,
    pub arguments: Vec<String>,
    /// Beside those that the pool sets: `WAYMARK_WORKER_ADDRESS` (`unix:/path` or `http://host:port`), `WAYMARK_WORKER_ID`,
    /// `WAYMARK_WORKER_SLOTS`, `WAYMARK_WORKER_TOKEN`.
    pub environment: Vec<(String, String)>,
    /// Whether it also has this process's variables.
    pub inherits: bool,
    /// None: this process's.
    pub directory: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            command: None,
            workers: 1,
            slots: 100,
            recycle_after: None,
            heartbeat: Duration::from_secs(5),
            cancel_grace: Duration::from_secs(10),
            deaths_max: 3,
            respawn_backoff: (Duration::from_millis(100), Duration::from_secs(30)),
            payload_bytes_max: 4 << 20,
            unknown_after: Duration::from_secs(2),
        }
    }
}
