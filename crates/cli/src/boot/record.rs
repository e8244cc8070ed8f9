//! What a serving process says of itself, and whether it is true.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use anyhow::Context;
use rustix::process::{Pid, test_kill_process};
use serde::{Deserialize, Serialize};

use super::Files;
use crate::client::{Client, Credentials, Unreachable};
use crate::config::Database;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// With its scheme, unless it is loopback in plain text.
    pub address: String,
    /// None: it has no engine.
    pub worker_address: Option<String>,
    pub pid: u32,
    pub fingerprint: String,
    /// A client started it, so that it ends when it is idle or asked to.
    pub auto_booted: bool,
    /// Which file it has open, where the database is one: another may have taken its name.
    pub file: Option<(u64, u64)>,
}

impl Record {
    /// None: there is none, or it is no record.
    pub fn read(files: &Files) -> Option<Record> {
        serde_json::from_slice(&fs::read(files.path("json")).ok()?).ok()
    }

    /// Replaces the one before whole.
    pub fn write(&self, files: &Files) -> anyhow::Result<()> {
        let path = files.path("json");
        let draft = files.path(&format!("{}.draft", std::process::id()));
        let cannot = || format!("the record `{}`", path.display());
        let text = serde_json::to_vec_pretty(self).with_context(cannot)?;
        let mut options = fs::OpenOptions::new();
        let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&draft).with_context(cannot)?;
        std::io::Write::write_all(&mut file, &text).with_context(cannot)?;
        fs::rename(&draft, &path).with_context(cannot)
    }

    pub fn remove(files: &Files) {
        match fs::remove_file(files.path("json")) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                tracing::warn!(%error, "the record of this process can't be removed");
            }
            _ => {}
        }
    }

    /// Whoever answers there. The token is not shown to anybody unless the process of the record lives and is this user's: one that was
    /// killed leaves its record, and another user may have its port by now.
    pub async fn connect(&self, credentials: &Credentials) -> Result<Client, Unreachable> {
        let pid = i32::try_from(self.pid).ok().and_then(Pid::from_raw);
        match pid.is_some_and(|pid| test_kill_process(pid).is_ok()) {
            true => Client::connect(&self.address, credentials).await,
            false => Err(Unreachable::Nobody(format!("process {} is gone", self.pid))),
        }
    }

    /// The bridge of the record, if it is there, is the one meant, and has the database that is meant.
    pub async fn verify(&self, database: &Database, credentials: &Credentials) -> Result<Client, Unreachable> {
        let client = self.connect(credentials).await?;
        if client.info.database_fingerprint != self.fingerprint || client.info.process_id != self.pid {
            return Err(Unreachable::Nobody(format!("another database's bridge has taken {}", self.address)));
        }
        if let Database::Sqlite(path) = database
            && self.file != file_identity(path)
        {
            let gone = anyhow::anyhow!("the database was deleted while process {} had it open", self.pid);
            return Err(Unreachable::Other(gone));
        }
        Ok(client)
    }
}

/// The same as long as it is the same file, whatever it is called.
pub fn file_identity(path: &Path) -> Option<(u64, u64)> {
    fs::metadata(path).ok().map(|about| (about.dev(), about.ino()))
}
