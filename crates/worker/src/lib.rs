//! A worker in Rust: connects to an engine and runs functions as actions. Small on purpose: the tests and benchmarks of the engine use
//! it, so that they need no other language.
