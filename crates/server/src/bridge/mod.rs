//! The bridge: the gRPC service that clients talk to.
//!
//! [`Bridge`] has one method a call, each a few lines over a part that knows more: [`register`] checks programs, [`start`] checks
//! starts, [`batch`] commits those of many callers together, [`wait`] tells who waits. It reads and writes the store and knows no
//! engine but by its [`Intake`], which may have at once what is started: whoever claims the rest is somewhere else.

mod batch;
mod chosen;
mod control;
mod error;
mod events;
mod mail;
mod migration;
mod query;
mod queues;
mod register;
mod retention;
mod schedules;
mod service;
mod signature;
mod start;
mod stored;
mod transfer;
mod update;
mod versions;
mod view;
mod wait;
mod workers;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::server::NamedService;
use tonic::service::Routes;
use tonic::service::interceptor::InterceptedService;
use waymark_engine::runtime::Intake;
use waymark_proto::bridge::bridge_server::BridgeServer;
use waymark_store::Store;

use crate::auth::{Access, TokenHash};
use crate::pool::crews::Crews;
use crate::serve::{self, TlsOptions};
use crate::supervisor::Supervisor;

/// What can be set about a bridge.
#[derive(Clone, Debug)]
pub struct Options {
    /// Inputs, programs and results larger than this are refused.
    pub payload_bytes_max: usize,
    /// Starts of many callers that one commit takes.
    pub start_batch: usize,
    /// How long a call waits for a database that is away, before it fails.
    pub patience: Duration,
    /// How often those who are waited for are looked at, in case a notification was lost.
    pub sweep: Duration,
    /// How long the version that was last activated is believed to be so, in case a notification was lost.
    pub version_age_max: Duration,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            payload_bytes_max: 4 << 20,
            start_batch: 500,
            patience: Duration::from_secs(10),
            sweep: Duration::from_secs(10),
            version_age_max: Duration::from_secs(5),
        }
    }
}

/// What a bridge tells of its process.
#[derive(Clone, Debug, Default)]
pub struct Identity {
    /// Where workers connect; None: this process has no engine.
    pub worker_address: Option<String>,
    /// A client started it, so a client may end it.
    pub auto_booted: bool,
    /// Cancelled when a client ends it.
    pub shutdown: CancellationToken,
    /// Keeps the workers that clients ask for; None: whoever runs the engine decides.
    pub crews: Option<Crews>,
    /// The engine of this process, while there is one.
    pub intake: Intake,
}

/// A message holds a program and its source, or one start, and some words around them.
const MESSAGE_SLACK_BYTES: usize = 1 << 20;

/// Cheap to clone; all clones are one bridge.
#[derive(Clone)]
pub struct Bridge {
    inner: Arc<Inner>,
}

struct Inner {
    store: Arc<dyn Store>,
    options: Options,
    identity: Identity,
    fingerprint: String,
    versions: Arc<versions::Versions>,
    programs: stored::Programs,
    starts: batch::Starts,
    waiters: Arc<wait::Waiters>,
    registrations: tokio::sync::Semaphore,
    called_at: Mutex<Instant>,
    /// Ends waits, so that the server can stop.
    stopping: CancellationToken,
}

impl Bridge {
    /// Its background tasks are the supervisor's, and stop with it.
    pub async fn new(
        store: Arc<dyn Store>,
        options: Options,
        identity: Identity,
        supervisor: &Supervisor,
    ) -> waymark_store::Result<Bridge> {
        let stopping = supervisor.shutdown().clone();
        let fingerprint = store.fingerprint().await?;
        let versions = Arc::new(versions::Versions::new(store.clone(), options.version_age_max));
        let waiters = Arc::new(wait::Waiters::default());
        let told = Arc::downgrade(&waiters);
        identity.intake.on_end(move |id, ending| {
            if let Some(waiters) = told.upgrade() {
                waiters.ended(id, ending);
            }
        });
        let (starts, committer) = batch::new(store.clone(), identity.intake.clone(), options.start_batch);
        // Before anybody asks, so that no change falls in between.
        let (version_changes, instance_changes) = (store.changes(), store.changes());
        supervisor.spawn("bridge-starts", committer.run(stopping.clone()));
        supervisor.spawn("bridge-versions", versions.clone().follow(version_changes, stopping.clone()));
        let looker = wait::Looker::new(store.clone(), waiters.clone(), options.sweep);
        supervisor.spawn("bridge-waits", looker.run(instance_changes, stopping.clone()));
        let registrations = tokio::sync::Semaphore::new(register::AT_ONCE_MAX);
        let called_at = Mutex::new(Instant::now());
        let inner = Inner {
            store,
            options,
            identity,
            fingerprint,
            versions,
            programs: stored::Programs::default(),
            starts,
            waiters,
            registrations,
            called_at,
            stopping,
        };
        Ok(Bridge { inner: Arc::new(inner) })
    }

    /// How many instances are waited for, once for each call that does. A bridge with callers is not idle.
    pub fn waited_for(&self) -> usize {
        self.inner.waiters.registered()
    }

    /// When the last call came.
    pub fn called_at(&self) -> Instant {
        *self.inner.called_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note_call(&self) {
        *self.inner.called_at.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// As a service of a gRPC server, with its limits.
    pub fn into_service(self) -> BridgeServer<Bridge> {
        let largest = self.inner.options.payload_bytes_max.saturating_mul(2).saturating_add(MESSAGE_SLACK_BYTES);
        BridgeServer::new(self).max_decoding_message_size(largest)
    }
}

/// Serves a bridge, with health and reflection beside it, until `shutdown`.
pub async fn serve(
    listener: TcpListener,
    bridge: Bridge,
    token: TokenHash,
    tls: Option<TlsOptions>,
    shutdown: CancellationToken,
) -> Result<(), serve::Error> {
    let failed = |error: &dyn std::fmt::Display| serve::Error::Failed { reason: error.to_string() };
    let access = Access::on(listener.local_addr().map_err(|error| failed(&error))?, token);
    let (mut health, health_service) = tonic_health::server::health_reporter();
    health.set_serving::<BridgeServer<Bridge>>().await;
    let reflection = tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(waymark_proto::DESCRIPTORS)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        .with_service_name("waymark.bridge.v1.Bridge")
        .with_service_name("grpc.health.v1.Health")
        .build_v1()
        .map_err(|error| failed(&error))?;
    let stop = shutdown.clone();
    tokio::spawn(async move {
        stop.cancelled().await;
        // Whoever watches would for ever, and a server waits for its calls before it ends.
        health.clear_service_status("").await;
        health.clear_service_status(<BridgeServer<Bridge> as NamedService>::NAME).await;
    });
    let called = bridge.clone();
    let noting = move |request| {
        called.note_call();
        Ok(request)
    };
    let routes = Routes::new(InterceptedService::new(bridge.into_service(), noting))
        .add_service(health_service)
        .add_service(reflection);
    serve::serve(listener, routes, access, tls, shutdown).await
}
