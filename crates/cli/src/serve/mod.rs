//! The commands that serve: `bridge`, `dev`, `start-workers`. They differ in which parts of the server they switch on.

pub mod bridge;
pub mod dev;
mod local;
mod log_file;
mod logging;
mod modules;
mod parts;
pub mod scripted_worker;
mod signals;
mod start_text;
pub mod start_workers;
pub mod test_worker;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use tokio::net::TcpListener;
use waymark_server::Listeners;
use waymark_store::Store;
use waymark_worker::connect::{self, Scheme};

use crate::boot::seat::{Seat, Taken};
use crate::boot::{self, Files, Record, ports};
use crate::client::Credentials;
use crate::config::{Configuration, Database, Token};
use crate::home::{self, Home};
use crate::terminal::hinted;
use local::LocalSocket;
use start_text::StartText;

/// How long a file may be in use by one that is ending.
const FILE_WAIT_MAX: Duration = Duration::from_secs(3);

/// What the process is asked to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Clients' side only, but for SQLite: whoever has the file has the engine.
    Bridge { auto_booted: bool },
    /// Everything.
    Dev,
    /// Engine and workers. On SQLite clients come here too, or somebody else has the file, and this only spawns workers for it.
    Workers,
}

/// Runs an async command on a runtime of its own.
pub fn block_on<T>(command: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    // Shards have threads of their own. One more than are needed costs more than it gives: what it is woken for is done by then.
    let threads = (std::thread::available_parallelism().map_or(1, usize::from) / 2).max(1);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build();
    let runtime = runtime.context("the runtime")?;
    let done = runtime.block_on(command);
    // A thread that still waits for the database must not keep us.
    runtime.shutdown_timeout(std::time::Duration::from_millis(500));
    done
}

/// Serves until it is told to stop.
pub async fn serve(role: Role, mut configuration: Configuration) -> anyhow::Result<()> {
    if !matches!(role, Role::Bridge { .. }) {
        for module in &mut configuration.values.user_modules {
            *module = modules::module_name(module)?;
        }
    }
    logging::start(&configuration, role == Role::Bridge { auto_booted: true });
    let stop = signals::stop_on_signals(role)?;
    let home = Home::open()?;
    let process = Process { role, home, configuration };
    let (bridge_address, worker_address) = process.addresses()?;
    let wanted: Vec<SocketAddr> = bridge_address.into_iter().chain(worker_address).collect();
    let token = home::token_for_listeners(&process.configuration, &process.home, &wanted)?;
    let database = &process.configuration.database;

    let mut seat = None;
    if bridge_address.is_some() {
        let files = Files::of(&process.home, database).await?;
        let taken = match role {
            Role::Bridge { auto_booted: true } => Seat::take_for_client(&files)?,
            _ => Seat::take(&files, &Credentials::with_token(&process.configuration, token.clone())?).await?,
        };
        match taken {
            Ok(taken) => seat = Some(taken),
            Err(Taken::By(Record { worker_address: Some(owner), pid, .. })) if role == Role::Workers => {
                return process.spawn_for(&owner, pid, token, stop).await;
            }
            Err(taken) => return Err(taken.into_error(database)),
        }
    }
    let store = process.open_store().await?;
    let mut listeners = Listeners {
        bridge: process.listen("bridge_address", bridge_address).await?,
        workers: process.listen("worker_address", worker_address).await?,
        local_workers: None,
    };
    let socket = match process.spawns_workers() || process.keeps_workers_for_clients() {
        true => Some(LocalSocket::open(&process.home.run_folder(), &mut listeners)?),
        false => None,
    };
    let text = StartText::new(&process, &listeners)?;
    let options = process.options(&store, &text, socket.as_ref(), &token).await?;
    if let (Some(seat), Some(address)) = (&mut seat, &text.bridge_address) {
        let record = Record {
            address: address.clone(),
            worker_address: text.worker_address.clone(),
            pid: std::process::id(),
            fingerprint: store.fingerprint().await?,
            auto_booted: role == Role::Bridge { auto_booted: true },
            file: None,
        };
        seat.announce(record, database)?;
    }
    text.say();
    waymark_server::run(store, options, listeners, stop).await?;
    tracing::info!("stopped");
    Ok(())
}

/// A process that is about to serve.
pub struct Process {
    pub role: Role,
    pub home: Home,
    pub configuration: Configuration,
}

impl Process {
    fn has_engine(&self) -> bool {
        self.configuration.database.is_sqlite() || !matches!(self.role, Role::Bridge { .. })
    }

    fn has_bridge(&self) -> bool {
        self.configuration.database.is_sqlite() || self.role != Role::Workers
    }

    fn spawns_workers(&self) -> bool {
        !matches!(self.role, Role::Bridge { .. }) && self.configuration.values.workers > 0
    }

    /// A client that starts a bridge brings workers along, where there is an engine for them.
    fn keeps_workers_for_clients(&self) -> bool {
        self.role == Role::Bridge { auto_booted: true } && self.has_engine() && self.configuration.values.workers > 0
    }

    /// Of the bridge and of the workers, as far as there are such.
    fn addresses(&self) -> anyhow::Result<(Option<SocketAddr>, Option<SocketAddr>)> {
        let values = &self.configuration.values;
        let bridge = self.has_bridge().then(|| ports::resolve("bridge_address", &values.bridge_address)).transpose()?;
        let workers =
            self.has_engine().then(|| ports::resolve("worker_address", &values.worker_address)).transpose()?;
        Ok((bridge, workers))
    }

    /// Whether a listener speaks TLS. Without a scheme it does where others reach it: clients on this host find the bridge by
    /// themselves, and may have nobody to vouch for a certificate.
    fn is_secure(&self, name: &str, address: &str, listens: SocketAddr) -> anyhow::Result<bool> {
        let has_certificate = self.configuration.values.tls_certificate.is_some();
        match connect::split(address).0 {
            Some(Scheme::Https) if !has_certificate => Err(hinted(
                format!("`{name}` is {address}, and there is no certificate to show"),
                "set tls_certificate and tls_key; plain text is http://",
            )),
            Some(scheme) => Ok(scheme == Scheme::Https),
            None => Ok(has_certificate && !listens.ip().to_canonical().is_loopback()),
        }
    }

    /// Where a listener is, as others are told. Where a client would have to guess, the scheme is there.
    fn told_address(
        &self,
        name: &str,
        address: &str,
        listener: &Option<TcpListener>,
    ) -> anyhow::Result<Option<String>> {
        let Some(listener) = listener else { return Ok(None) };
        let listens = listener.local_addr()?;
        let scheme = match self.is_secure(name, address, listens)? {
            true => "https://",
            false if listens.ip().to_canonical().is_loopback() => "",
            false => "http://",
        };
        Ok(Some(format!("{scheme}{listens}")))
    }

    async fn listen(&self, name: &str, address: Option<SocketAddr>) -> anyhow::Result<Option<TcpListener>> {
        match address {
            Some(address) => Ok(Some(ports::listen(name, address, self.configuration.is_set(name)).await?)),
            None => Ok(None),
        }
    }

    async fn open_store(&self) -> anyhow::Result<Arc<dyn Store>> {
        let database = &self.configuration.database;
        let end = Instant::now() + FILE_WAIT_MAX;
        loop {
            match waymark_store::open(&database.url()).await {
                Ok(store) => return Ok(store),
                // Whoever had the seat before us lets go of the file a moment later.
                Err(waymark_store::Error::InUse { .. }) if Instant::now() < end => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                Err(error) => return Err(boot::not_opened(database, error)),
            }
        }
    }

    /// Somebody else has the file, and the engine: workers of ours connect there.
    async fn spawn_for(
        &self,
        owner: &str,
        pid: u32,
        token: Token,
        stop: tokio_util::sync::CancellationToken,
    ) -> anyhow::Result<()> {
        if !self.spawns_workers() {
            let nothing = format!("process {pid} has the database, and `workers` is 0: there is nothing to do");
            return Err(hinted(nothing, "set `workers`"));
        }
        let pool = self.pool_options()?;
        let workers = crate::terminal::count(pool.workers, "worker");
        crate::terminal::talk(format_args!(
            "waymark: {workers} for process {pid}, which has {}",
            self.configuration.database
        ));
        let home = waymark_server::pool::spawn::Home {
            address: if owner.contains("://") { owner.to_string() } else { format!("http://{owner}") },
            token: Some(token.secret().to_string()),
            database_url: Some(self.configuration.database.url()),
            name: format!("{}-{}", boot::host_name(), std::process::id()),
        };
        waymark_server::pool::spawn::run(pool, home, None, stop).await;
        Ok(())
    }

    fn is_default_database(&self) -> bool {
        !self.configuration.is_set("database_url") && matches!(self.configuration.database, Database::Sqlite(_))
    }
}
