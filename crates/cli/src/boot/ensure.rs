//! Finding the bridge of a database, or starting one.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use waymark_worker::connect::{self, Scheme};

use super::lock::Lock;
use super::{Files, Record, ports};
use crate::client::{Client, Credentials, Unreachable};
use crate::config::Configuration;
use crate::home::Home;
use crate::terminal::{self, hinted};

/// How long others may take to start a bridge, and how long ours may.
const OTHERS_MAX: Duration = Duration::from_secs(90);
const START_MAX: Duration = Duration::from_secs(60);
const LOOK_AGAIN: Duration = Duration::from_millis(25);
/// What is shown of the log of a bridge that did not start.
const LOG_TAIL_BYTES: u64 = 4_096;
const LOG_TAIL_LINES: usize = 20;

/// A bridge that answered with the right fingerprint.
pub struct Found {
    pub address: String,
    pub client: Client,
}

pub async fn ensure(configuration: &Configuration, home: &Home) -> anyhow::Result<Found> {
    let credentials = Credentials::of_client(configuration, home)?;
    if wants_address(configuration)
        && let Some(found) = explicit(configuration, &credentials).await?
    {
        return Ok(found);
    }
    let files = Files::of(home, &configuration.database).await?;
    let search = Search { configuration, files: &files, credentials: &credentials };
    if let Some(found) = search.recorded().await? {
        return search.accept(found);
    }
    let Some(_starting) = Lock::wait(&files.path("boot"), OTHERS_MAX).await? else {
        anyhow::bail!("another waymark has been starting for this database for long; see `{}`", files.log().display());
    };
    let found = match search.present().await? {
        Some(found) => found,
        None => search.start().await?,
    };
    search.accept(found)
}

/// Port 0 is any port.
fn wants_address(configuration: &Configuration) -> bool {
    configuration.is_set("bridge_address") && !configuration.values.bridge_address.ends_with(":0")
}

/// Somebody wants this address. None: nobody is there, and we may be.
async fn explicit(configuration: &Configuration, credentials: &Credentials) -> anyhow::Result<Option<Found>> {
    let address = &configuration.values.bridge_address;
    let (scheme, host_and_port) = connect::split(address);
    let is_secure = connect::is_secure(address, &credentials.trust);
    if connect::is_exposed(address, &credentials.trust) {
        terminal::warn(format_args!(
            "the token goes to {host_and_port} in plain text, and others may read it; where TLS is spoken there, write \
             https://{host_and_port}"
        ));
    }
    match Client::connect(address, credentials).await {
        Ok(client) => {
            // The fingerprint of a SQLite file is known to who has it open. A path on another host means nothing here.
            if configuration.is_set("database_url")
                && !configuration.database.is_sqlite()
                && super::fingerprint(&configuration.database).await? != client.info.database_fingerprint
            {
                return Err(hinted(
                    format!("the bridge at {address} serves another database than {}", configuration.database),
                    "set bridge_address to the bridge of that database, or leave it out: one is found or started",
                ));
            }
            // Whoever is told of it need not know the rules.
            let address = if is_secure { format!("https://{host_and_port}") } else { address.clone() };
            Ok(Some(Found { address, client }))
        }
        Err(Unreachable::Other(error)) => Err(error),
        Err(Unreachable::Nobody(reason)) => {
            let resolved = ports::resolve("bridge_address", address)?;
            match resolved.ip().is_loopback() && scheme != Some(Scheme::Https) {
                true => Ok(None),
                false => Err(hinted(
                    format!("no bridge answers at {address}: {reason}"),
                    "start `waymark bridge` there; one is started by itself on this host only",
                )),
            }
        }
    }
}

struct Search<'a> {
    configuration: &'a Configuration,
    files: &'a Files,
    credentials: &'a Credentials,
}

impl Search<'_> {
    /// The one that the record tells of.
    async fn recorded(&self) -> anyhow::Result<Option<Found>> {
        let Some(record) = Record::read(self.files) else { return Ok(None) };
        match record.verify(&self.configuration.database, self.credentials).await {
            Ok(client) => Ok(Some(Found { address: record.address, client })),
            Err(_) => Ok(None),
        }
    }

    /// The one that runs, if one does; waits for one that is starting or leaving.
    async fn present(&self) -> anyhow::Result<Option<Found>> {
        let end = Instant::now() + START_MAX;
        loop {
            let record = Record::read(self.files);
            let problem = match &record {
                None => None,
                Some(record) => match record.verify(&self.configuration.database, self.credentials).await {
                    Ok(client) => return Ok(Some(Found { address: record.address.clone(), client })),
                    Err(Unreachable::Nobody(_)) => None,
                    Err(Unreachable::Other(error)) => Some(error),
                },
            };
            // Free: whoever wrote the record is gone.
            if Lock::take(&self.files.path("lock"))?.is_some() {
                return Ok(None);
            }
            if let (Some(record), Some(problem)) = (&record, problem) {
                self.ask_to_leave(record, problem).await?;
            }
            if Instant::now() > end {
                let who = record.map_or("another process".into(), |record| format!("process {}", record.pid));
                anyhow::bail!("{who} serves {}, but does not answer", self.configuration.database);
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    /// One whose file was deleted under it serves nobody any more.
    async fn ask_to_leave(&self, record: &Record, problem: anyhow::Error) -> anyhow::Result<()> {
        if !record.auto_booted {
            return Err(problem);
        }
        match record.connect(self.credentials).await {
            Ok(mut client) if client.info.process_id == record.pid => {
                let _ = client.shut_down().await;
                Ok(())
            }
            Ok(_) | Err(Unreachable::Nobody(_)) => Ok(()),
            Err(Unreachable::Other(error)) => Err(error),
        }
    }

    async fn start(&self) -> anyhow::Result<Found> {
        let mut child = spawn(self.configuration, self.files)?;
        if !self.configuration.is_set("database_url") {
            terminal::talk(format_args!("no database is set: using {}", self.configuration.database));
        }
        let end = Instant::now() + START_MAX;
        loop {
            if let Some(found) = self.recorded().await?
                && found.client.info.process_id == child.id()
            {
                return Ok(found);
            }
            if let Some(status) = child.try_wait()? {
                let said = log_tail(self.files);
                return Err(hinted(
                    format!("the bridge did not start ({status}):\n{said}"),
                    format!("its log is `{}`", self.files.log().display()),
                ));
            }
            if Instant::now() > end {
                let _ = child.kill();
                anyhow::bail!("the bridge did not answer in time:\n{}", log_tail(self.files));
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    /// An address that was asked for, and is not where the bridge is, must not pass for it.
    fn accept(&self, found: Found) -> anyhow::Result<Found> {
        let wanted = &self.configuration.values.bridge_address;
        let (_, there) = connect::split(&found.address);
        let differs = || ports::resolve("bridge_address", wanted).map(|wanted| wanted.to_string() != there);
        if wants_address(self.configuration) && differs()? {
            return Err(hinted(
                format!(
                    "nobody answers at {wanted}, and the bridge of {} is at {}",
                    self.configuration.database, found.address
                ),
                "leave bridge_address out, or stop that bridge first",
            ));
        }
        Ok(found)
    }
}

/// In a session of its own, so that it outlives its client and the client's terminal. Everything is said by variables: others can
/// see flags.
fn spawn(configuration: &Configuration, files: &Files) -> anyhow::Result<Child> {
    let program = std::env::current_exe().context("where this program is")?;
    let mut options = fs::OpenOptions::new();
    // The bridge reads it when it grows too large, and keeps the newest lines.
    let log = options.read(true).append(true).create(true).mode(0o600).open(files.log());
    let log = log.with_context(|| format!("the log `{}`", files.log().display()))?;
    log.set_len(0).context("the log")?;
    let errors = log.try_clone().context("the log")?;
    let mut command = Command::new(program);
    command.args(["bridge", "--auto-booted"]).process_group(0).stdin(Stdio::null()).stdout(log).stderr(errors);
    if std::env::var_os("WAYMARK_WORKER_ID").is_some() {
        for variable in ["ADDRESS", "ID", "SLOTS", "TOKEN"] {
            command.env_remove(format!("WAYMARK_WORKER_{variable}"));
        }
    }
    for (variable, text) in &configuration.flagged {
        command.env(variable, text);
    }
    // Whatever it was relative to.
    command.env("WAYMARK_DATABASE_URL", configuration.database.url());
    if let Some(file) = &configuration.file {
        command.env("WAYMARK_CONFIG", file);
    }
    command.spawn().context("the bridge can't be started")
}

fn log_tail(files: &Files) -> String {
    let read = || -> std::io::Result<String> {
        let mut file = File::open(files.log())?;
        let length = fs::metadata(files.log())?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(LOG_TAIL_BYTES)))?;
        let mut bytes = Vec::new();
        file.take(LOG_TAIL_BYTES).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let text = read().unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LOG_TAIL_LINES)..].join("\n")
}
