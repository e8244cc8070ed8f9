//! The runner: the pure state machine of one instance.
//!
//! A program is lowered to graphs ([`graph`]), and [`Instance::apply`] folds events over it, giving effects. No I/O, no
//! clock, no randomness and no async live here: time comes with the events, chance from a generator in the state. So
//! the engine, the tests, the simulator and time travel all use the same function.

pub(crate) mod asyncio;
pub mod context;
pub mod exchange;
pub mod graph;
pub mod heap;
pub mod instance;
pub(crate) mod lower;
pub(crate) mod machine;
pub mod migrate;
pub mod python;
pub mod registry;
pub mod simulate;
pub mod snapshot;
pub mod types;
pub mod value;

pub use context::{Context, Limits, LogLine};
pub use graph::Lowered;
pub use heap::{Heap, Id};
pub use instance::{
    ApplyError, Awaited, ChildOptions, Dispatch, Effect, Ending, Event, EventError, ExceptionShape, ExecutionId,
    FragmentDispatch, FragmentOutcome, Instance, Limit, LiveChild, LiveFrame, OnClose, Outcome, Reply, Rewind, Shape,
    child_instance_id,
};
pub use snapshot::SnapshotError;
pub use value::Value;
