//! Hostile bytes for everything that reads bytes from outside.
//!
//! A [`Target`] is a plain function of bytes, in [`targets`], that asserts more than that nothing panics: what is accepted survives its round
//! trips, can be lowered, run, saved and restored, within limits of time and memory. Two drivers call it: [`drive`] mutates the corpus with a
//! seed (the test `tests/targets.rs`, seconds each in CI), and `src/bin/guided.rs` lets coverage guide the same mutations (`make fuzz`).
//! Every input that once broke something is in `corpus/`, so that both begin with it.

pub mod corpus;
pub mod drive;
pub mod guard;
pub mod mutate;
pub mod targets;

pub use mutate::Form;

/// What a target made of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Accepted,
    Refused,
}

pub struct Target {
    pub name: &'static str,
    pub form: Form,
    /// No input is longer.
    pub bytes_max: usize,
    pub check: fn(&[u8]) -> Verdict,
    /// Real inputs, for the corpus: `make fuzz-corpus` writes them.
    pub seeds: fn() -> Vec<Vec<u8>>,
}
