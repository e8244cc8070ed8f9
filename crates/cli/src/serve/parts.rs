//! The configuration as options of the server's parts.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use waymark_server::auth::TokenHash;
use waymark_server::pool::spawn;
use waymark_server::serve::TlsOptions;
use waymark_server::{Options, bridge, pool};
use waymark_store::Store;
use waymark_worker::connect::{self, Scheme};

use super::local::LocalSocket;
use super::start_text::StartText;
use super::{Process, Role};
use crate::boot;
use crate::config::Token;
use crate::python;
use crate::source::read_text;
use crate::terminal::hinted;
use waymark_store::Retention;

/// Workers that hold calls at the end have this long to finish them.
const DRAIN: Duration = Duration::from_secs(20);
/// How rarely expired leases of others are looked for.
const RECLAIM_MAX: Duration = Duration::from_secs(5);
/// Engines of one host that name themselves.
const ENGINES_MAX: u32 = 256;

impl Process {
    pub(super) async fn options(
        &self,
        store: &Arc<dyn Store>,
        text: &StartText,
        socket: Option<&LocalSocket>,
        token: &Token,
    ) -> anyhow::Result<Options> {
        let values = &self.configuration.values;
        let auto_booted = self.role == Role::Bridge { auto_booted: true };
        let bridge_options = bridge::Options {
            payload_bytes_max: values.payload_bytes_max,
            start_batch: values.start_batch,
            ..bridge::Options::default()
        };
        let identity = bridge::Identity {
            worker_address: text.worker_address.clone(),
            auto_booted,
            // The rest is the server's to say, once it has a pool and an engine.
            ..bridge::Identity::default()
        };
        let engine = match self.has_engine() {
            true => Some(self.engine_options(store).await?),
            false => None,
        };
        let name = engine.as_ref().map(|engine| engine.engine.clone()).unwrap_or_default();
        Ok(Options {
            token: TokenHash::of(token.secret()),
            bridge_tls: self.tls(text.bridge_address.as_deref())?,
            worker_tls: self.tls(text.worker_address.as_deref())?,
            bridge: self.has_bridge().then_some((bridge_options, identity)),
            engine,
            pool: self.pool_options()?,
            workers: socket.map(|socket| spawn::Home {
                address: socket.address(),
                token: Some(token.secret().to_string()),
                database_url: Some(self.configuration.database.url()),
                name: name.clone(),
            }),
            drain: DRAIN,
            idle: auto_booted.then_some(values.idle_seconds),
        })
    }

    async fn engine_options(&self, store: &Arc<dyn Store>) -> anyhow::Result<waymark_engine::Options> {
        let values = &self.configuration.values;
        Ok(waymark_engine::Options {
            engine: self.engine_name(store).await?,
            retention: values.retention_days.map_or(Retention::Forever, |days| Retention::For(days.duration())),
            queues: values.queues.clone(),
            shards: values.shards,
            instances_max: values.instances_max,
            claim_batch: values.claim_batch,
            commit_batch: values.commit_batch,
            lease: values.lease_seconds,
            heartbeat: values.heartbeat_seconds,
            // What a dead host held is to move soon after its leases are over.
            reclaim: (values.lease_seconds / 5).min(RECLAIM_MAX),
            poll: values.poll_interval_ms.duration(),
            ..waymark_engine::Options::default()
        })
    }

    /// The name is held by the store from here on. Without one that was asked for, the first of this host that is free: so an engine
    /// that comes again after a crash finds what it left.
    async fn engine_name(&self, store: &Arc<dyn Store>) -> anyhow::Result<String> {
        if let Some(name) = &self.configuration.values.engine_name {
            return match store.free_own_leases(name).await {
                Ok(_) => Ok(name.clone()),
                Err(error @ waymark_store::Error::InUse { .. }) => Err(hinted(
                    error.to_string(),
                    "every engine has a name of its own: set another `engine_name`, or none",
                )),
                Err(error) => Err(error.into()),
            };
        }
        let host = boot::host_name();
        for number in 1..=ENGINES_MAX {
            let name = if number == 1 { host.clone() } else { format!("{host}-{number}") };
            match store.free_own_leases(&name).await {
                Ok(_) => return Ok(name),
                Err(waymark_store::Error::InUse { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(hinted(format!("{ENGINES_MAX} engines run on this host already"), "set `engine_name`"))
    }

    pub(super) fn pool_options(&self) -> anyhow::Result<pool::Options> {
        let values = &self.configuration.values;
        Ok(pool::Options {
            command: self.worker_command(),
            workers: values.workers,
            slots: values.slots,
            recycle_after: values.recycle_after,
            payload_bytes_max: values.payload_bytes_max,
            ..pool::Options::default()
        })
    }

    /// None: it can't be started, which has been said. Workers may still come by themselves.
    fn worker_command(&self) -> Option<pool::WorkerCommand> {
        if !self.spawns_workers() {
            return None;
        }
        let values = &self.configuration.values;
        let words = match values.worker_command.is_empty() {
            true => vec![python::interpreter().display().to_string(), "-m".into(), "waymark.worker".into()],
            false => values.worker_command.clone(),
        };
        let (program, arguments) = words.split_first()?;
        let Some(found) = find_program(program) else {
            tracing::error!(
                program,
                "no worker can be started: there is no such program. hint: set worker_command. Workers that connect by themselves are \
                 welcome"
            );
            return None;
        };
        let mut environment = vec![("WAYMARK_USER_MODULES".into(), values.user_modules.join(","))];
        // Flags and the file may have said so; workers know neither.
        environment.extend(values.tls_ca.as_ref().map(|file| ("WAYMARK_TLS_CA".into(), file.display().to_string())));
        environment.extend(values.tls_name.as_ref().map(|name| ("WAYMARK_TLS_NAME".into(), name.clone())));
        Some(pool::WorkerCommand {
            program: found,
            arguments: arguments.to_vec(),
            environment,
            inherits: true,
            directory: None,
        })
    }

    /// For a listener that others are told has this address.
    fn tls(&self, address: Option<&str>) -> anyhow::Result<Option<TlsOptions>> {
        if address.and_then(|address| connect::split(address).0) != Some(Scheme::Https) {
            return Ok(None);
        }
        let values = &self.configuration.values;
        let (Some(certificate), Some(key)) = (&values.tls_certificate, &values.tls_key) else { return Ok(None) };
        let certificate_pem = read_text(certificate).context("`tls_certificate`")?;
        let key_pem = read_text(key).context("`tls_key`")?;
        Ok(Some(TlsOptions { certificate_pem, key_pem }))
    }
}

/// As a shell would.
fn find_program(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        let path = std::path::absolute(program).ok()?;
        return path.is_file().then_some(path);
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_file())
}
