//! The engine: owns live instances for as long as it holds their leases.
//!
//! A [`Shard`] is a thread that has instances; the [`Front`] is what all shards of a process share: claims, leases, programs and commits.
//! Both are the whole logic and do no I/O: they are told what happened and say what to do. The [`runtime`] carries that out on a store and a
//! [`runtime::Dispatcher`]; the simulation in `tests/` does the same with virtual time, crashes and lost answers. Everything that depends
//! on an event leaves a shard only after the commit of that event was acknowledged.

mod clock;
pub mod copy;
mod front;
pub mod history;
mod job;
mod message;
pub mod migration;
mod options;
pub mod relay;
pub mod runtime;
pub mod schedule;
mod shard;

pub use clock::Now;
pub use front::{Front, FrontCommand, FrontInput, lower};
pub use job::{Completion, FRAGMENT_ACTION, Job, JobError, JobKey, JobOutcome, Report, Work};
pub use message::{Mail, child_instance_id};
pub use options::{Options, Sabotage};
pub use shard::children::child_instance;
pub use shard::{Admission, Beat, Command, Commit, Input, News, Shard, Stuck, Turn};
