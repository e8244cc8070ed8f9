//! The engine: owns live instances for as long as it holds their leases.
//!
//! [`Core`] is the whole logic and does no I/O: it is told what happened ([`Input`]) and says what to do ([`Command`]). The
//! [`runtime`] carries commands out on a store and a [`runtime::Dispatcher`]; the simulation in `tests/` does the same with virtual time,
//! crashes and lost answers. Everything that depends on an event leaves the core only after the commit of that event was acknowledged.

mod commit;
mod core;
mod hydrate;
mod job;
mod message;
mod options;
pub mod relay;
mod resident;
mod route;
pub mod runtime;
mod waits;

pub use crate::core::{Command, Core, Input};
pub use job::{Completion, FRAGMENT_ACTION, Job, JobError, JobKey, JobOutcome, Report, Work};
pub use message::{Mail, child_instance_id};
pub use options::{Options, Sabotage};
