//! A process: bridge, engine and pool on one store, as far as its options say.

use std::sync::Arc;

use tokio::net::{TcpListener, UnixListener};
use tokio_util::sync::CancellationToken;
use waymark_store::Store;

use crate::auth::TokenHash;
use crate::{bridge, pool};

/// What a process is to be.
pub struct Options {
    /// Who may talk to it.
    pub token: TokenHash,
    pub bridge: Option<bridge::Options>,
    pub engine: Option<waymark_engine::Options>,
    pub pool: pool::Options,
}

/// Sockets that the caller opened, and whose addresses it knows.
#[derive(Default)]
pub struct Listeners {
    pub bridge: Option<TcpListener>,
    /// Workers of other processes and hosts.
    pub workers: Option<TcpListener>,
    /// Workers that the pool spawns.
    pub local_workers: Option<UnixListener>,
}

/// Runs until `shutdown`, then drains.
pub async fn run(
    _store: Arc<dyn Store>,
    _options: Options,
    _listeners: Listeners,
    shutdown: CancellationToken,
) -> waymark_store::Result<()> {
    shutdown.cancelled().await;
    Ok(())
}
