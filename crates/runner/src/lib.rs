//! The runner: the pure state machine of one instance.
//!
//! A program is lowered to graphs ([`graph`]), and [`Instance::apply`] folds events over it, giving effects. No I/O, no
//! clock, no randomness and no async live here: time comes with the events, chance from a generator in the state. So
//! the engine, the tests, the simulator and time travel all use the same function.

pub mod context;
pub mod heap;
pub mod python;
pub mod types;
pub mod value;

pub use context::{Context, Limits};
pub use heap::{Heap, Id};
pub use value::Value;
