//! The server: the bridge that clients talk to, and the pool of workers, around an engine.
//!
//! [`run`] puts together what a process is to be ([`Options`]) on sockets that its caller opened, until its caller says stop. It knows
//! gRPC and processes; it knows no SQL (that is the store's) and nothing of how instances advance (that is the engine's).

pub mod auth;
pub mod bridge;
mod idle;
pub mod pool;
pub mod serve;
mod server;
pub mod supervisor;

pub use server::{Error, Listeners, Options, run};
