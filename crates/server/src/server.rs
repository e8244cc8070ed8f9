//! A process: bridge, engine and pool on one store, as far as its options say.
//!
//! It stops from the outside in, so that nothing is cut off that could come to its end: first the bridge takes no more calls, then the
//! workers finish what they hold while the engine still commits it, then the engine gives its leases back, then the rest ends.

use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;
use tokio::net::{TcpListener, UnixListener};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use waymark_engine::runtime::{self, Intake};
use waymark_store::Store;

use crate::auth::{Access, TokenHash};
use crate::bridge::{self, Bridge};
use crate::idle::{self, Watch};
use crate::pool::crews::Crews;
use crate::pool::{self, Hub, spawn};
use crate::serve::{self, TlsOptions};
use crate::supervisor::Supervisor;

/// How often the table of workers is written.
const STATUS_INTERVAL: Duration = Duration::from_secs(10);

/// What a process is to be.
pub struct Options {
    /// Who may talk to it.
    pub token: TokenHash,
    /// For clients of the bridge, and for workers that are not local. None: plain text.
    pub bridge_tls: Option<TlsOptions>,
    pub worker_tls: Option<TlsOptions>,
    pub bridge: Option<(bridge::Options, bridge::Identity)>,
    pub engine: Option<waymark_engine::Options>,
    pub pool: pool::Options,
    /// Where workers that the pool spawns connect, and as whom; None: none are spawned. Where a client started the bridge, clients say
    /// which.
    pub workers: Option<spawn::Home>,
    /// Workers that hold calls at the end have this long to finish them.
    pub drain: Duration,
    /// Ends by itself after this long without use.
    pub idle: Option<Duration>,
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

#[derive(Debug, Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] waymark_store::Error),
    #[error("a socket can't be used: {0}")]
    Socket(#[from] std::io::Error),
    /// What it was is in the log.
    #[error("a part of the server has ended before its time; the log says why")]
    PartEnded,
}

/// Runs until `shutdown`, or until it is idle; then drains.
pub async fn run(
    store: Arc<dyn Store>,
    options: Options,
    listeners: Listeners,
    shutdown: CancellationToken,
) -> Result<(), Error> {
    let [front, middle, back] = std::array::from_fn(|_| Supervisor::new(CancellationToken::new()));
    let hub = Hub::new(options.pool.clone());
    let mut bridge_options = options.bridge;
    let asked = match &bridge_options {
        // A client may ask for the end, too.
        Some((_, identity)) => identity.shutdown.clone(),
        None => CancellationToken::new(),
    };

    let intake = Intake::default();
    if let Some((_, identity)) = &mut bridge_options {
        identity.intake = intake.clone();
    }
    if let Some(engine) = &options.engine {
        serve_workers(&back, &hub, &options.token, options.worker_tls, listeners.workers, listeners.local_workers)?;
        let auto_booted = bridge_options.as_mut().map(|(_, identity)| identity).filter(|identity| identity.auto_booted);
        if let (Some(home), Some(identity)) = (options.workers.clone(), auto_booted) {
            let crews = Crews::new(options.pool.clone(), home, hub.clone(), back.shutdown().clone());
            identity.crews = Some(crews.clone());
            back.spawn("crews", endless(crews.run()));
        } else if let Some(home) = options.workers.clone() {
            let (pool, hub, stop) = (options.pool.clone(), hub.clone(), back.shutdown().clone());
            back.spawn("spawner", endless(spawn::run(pool, home, Some(hub), stop)));
        }
        let (name, to_hub, stop) = (engine.engine.clone(), hub.clone(), back.shutdown().clone());
        let status = pool::report_status(store.clone(), to_hub, name, STATUS_INTERVAL, stop);
        back.spawn("pool-status", endless(status));
        let part = || (store.clone(), engine.clone(), Arc::new(hub.clone()), middle.shutdown().clone());
        let (store, settings, dispatcher, stop) = part();
        middle.spawn("engine", runtime::run(store, settings, dispatcher, intake, stop));
        let (store, settings, dispatcher, stop) = part();
        middle.spawn("relay", waymark_engine::relay::run(store, settings, dispatcher, stop));
    }
    let mut bridge = None;
    if let (Some((settings, identity)), Some(listener)) = (bridge_options, listeners.bridge) {
        let served = Bridge::new(store.clone(), settings, identity, &front).await?;
        bridge = Some(served.clone());
        let (tls, stop) = (options.bridge_tls, front.shutdown().clone());
        front.spawn("bridge", bridge::serve(listener, served, options.token, tls, stop));
    }

    let watch = Watch {
        store: store.clone(),
        bridge,
        hub: hub.clone(),
        queues: options.engine.map(|engine| engine.queues).unwrap_or_default(),
    };
    let is_asked = tokio::select! {
        () = shutdown.cancelled() => true,
        () = asked.cancelled() => true,
        () = idle::reached(&watch, options.idle) => true,
        () = front.shutdown().cancelled() => false,
        () = middle.shutdown().cancelled() => false,
        () = back.shutdown().cancelled() => false,
    };
    drop(watch);

    tracing::info!("stopping: no more calls are taken, what runs is finished");
    stop(&front).await;
    hub.drain(Instant::now() + options.drain).await;
    stop(&middle).await;
    stop(&back).await;
    if is_asked { Ok(()) } else { Err(Error::PartEnded) }
}

/// A task that ends when it is told to, and can't fail.
async fn endless(task: impl Future<Output = ()>) -> Result<(), Error> {
    task.await;
    Ok(())
}

async fn stop(part: &Supervisor) {
    part.shutdown().cancel();
    part.wait().await;
}

fn serve_workers(
    part: &Supervisor,
    hub: &Hub,
    token: &TokenHash,
    tls: Option<TlsOptions>,
    remote: Option<TcpListener>,
    local: Option<UnixListener>,
) -> Result<(), Error> {
    let routes = || Routes::new(hub.service());
    if let Some(listener) = remote {
        let access = Access::on(listener.local_addr()?, token.clone());
        part.spawn("workers", serve::serve(listener, routes(), access, tls, part.shutdown().clone()));
    }
    if let Some(listener) = local {
        let access = Access { token: token.clone(), open_health: true };
        part.spawn("local-workers", serve::serve(listener, routes(), access, None, part.shutdown().clone()));
    }
    Ok(())
}
