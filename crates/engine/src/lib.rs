//! The engine: owns live instances for as long as it holds their leases.
//!
//! [`Core`] is the whole logic and does no I/O: it is told what happened ([`Input`]) and says what to do ([`Command`]). The
//! [`runtime`] carries commands out on a store and a [`runtime::Dispatcher`]; the simulation in `tests/` does the same with virtual time,
//! crashes and lost answers. Everything that depends on an event leaves the core only after the commit of that event was acknowledged.

mod commit;
mod core;
mod hydrate;
mod message;
mod options;
mod resident;
pub mod runtime;

pub use crate::core::{Command, Completion, Core, Input, Job, JobKey, JobOutcome, Report, Work};
pub use message::{Mail, child_instance_id};
pub use options::{Options, Sabotage};
