//! The hub and the spawner with real streams and real processes: nothing is lost, nothing is run where it must not be, and nothing that a
//! worker does takes the process down.

#[path = "pool/calls.rs"]
mod calls;
#[path = "pool/crews.rs"]
mod crews;
#[path = "pool/deaths.rs"]
mod deaths;
#[path = "pool/protocol.rs"]
mod protocol;
#[path = "pool/support.rs"]
mod support;
#[path = "pool/waiting.rs"]
mod waiting;
