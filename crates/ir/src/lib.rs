//! The program: what a workflow compiles to, and the values that flow through it.
//!
//! Everything a front end (the Python SDK, the `.flow` compiler, a person with an editor) has to produce, and nothing
//! of how it runs. [`Program`] is the tree, [`Value`] the data that crosses a boundary (inputs, results, constants).
//! This crate does no I/O and knows no engine.

pub mod diagnostic;
pub mod exceptions;
pub mod hash;
pub mod json;
pub mod payload;
pub mod program;
pub mod span;
pub mod text;
pub mod value;
pub mod verify;
pub mod visit;
pub mod wire;

pub use diagnostic::{Diagnostic, Severity};
pub use hash::{hash_hex, ir_hash};
pub use program::*;
pub use span::Span;
pub use value::{Date, DateTime, Decimal, Delta, ExceptionValue, TimeOfDay, Value, Zone};
pub use verify::verify;
