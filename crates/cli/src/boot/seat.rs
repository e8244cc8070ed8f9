//! Becoming the serving process of a database: there is one seat.

use std::time::{Duration, Instant};

use super::lock::Lock;
use super::record::file_identity;
use super::{Files, Record};
use crate::client::{Credentials, Unreachable};
use crate::config::Database;
use crate::terminal::hinted;

/// How long to wait for somebody who is starting or looking, and for one who was asked to leave.
const WAIT_MAX: Duration = Duration::from_secs(60);
/// Serving processes that hold the lock write their record soon after.
const RECORD_WAIT_MAX: Duration = Duration::from_secs(15);
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Held for as long as the process serves the database. Dropping it takes the record away, then frees the lock.
pub struct Seat {
    files: Files,
    _serving: Lock,
    /// Held until others can find us.
    starting: Option<Lock>,
}

/// Who has the seat already.
pub enum Taken {
    By(Record),
    /// It holds the lock, and says nothing of itself.
    BySomebody,
}

impl Seat {
    /// A bridge that a client started leaves when it is asked to; any other stays.
    pub async fn take(files: &Files, credentials: &Credentials) -> anyhow::Result<Result<Seat, Taken>> {
        let Some(starting) = Lock::wait(&files.path("boot"), WAIT_MAX).await? else {
            anyhow::bail!(
                "another waymark has been starting for this database for a minute; see `{}`",
                files.log().display()
            );
        };
        if let Some(serving) = Lock::take(&files.path("lock"))? {
            return Ok(Ok(Seat { files: files.clone(), _serving: serving, starting: Some(starting) }));
        }
        let end = Instant::now() + RECORD_WAIT_MAX;
        let (record, client) = loop {
            let Some(record) = Record::read(files) else {
                if let Some(serving) = Lock::take(&files.path("lock"))? {
                    return Ok(Ok(Seat { files: files.clone(), _serving: serving, starting: Some(starting) }));
                }
                if Instant::now() > end {
                    return Ok(Err(Taken::BySomebody));
                }
                tokio::time::sleep(LOOK_AGAIN).await;
                continue;
            };
            if !record.auto_booted {
                return Ok(Err(Taken::By(record)));
            }
            match record.connect(credentials).await {
                Ok(client) if client.info.process_id == record.pid => break (record, Some(client)),
                // It is leaving already, or an earlier one's record.
                Ok(_) | Err(Unreachable::Nobody(_)) => break (record, None),
                Err(Unreachable::Other(error)) => return Err(error),
            }
        };
        if let Some(mut client) = client {
            tracing::info!(pid = record.pid, "asking the bridge that a client started to leave");
            // One that ends at this very moment can't answer; the lock tells.
            let _ = client.shut_down().await;
        }
        match Lock::wait(&files.path("lock"), WAIT_MAX).await? {
            Some(serving) => Ok(Ok(Seat { files: files.clone(), _serving: serving, starting: Some(starting) })),
            None => Ok(Err(Taken::By(record))),
        }
    }

    /// For a bridge that a client starts: the client holds the lock on starting.
    pub fn take_for_client(files: &Files) -> anyhow::Result<Result<Seat, Taken>> {
        match Lock::take(&files.path("lock"))? {
            Some(serving) => Ok(Ok(Seat { files: files.clone(), _serving: serving, starting: None })),
            None => Ok(Err(Record::read(files).map_or(Taken::BySomebody, Taken::By))),
        }
    }

    /// From now on clients find us.
    pub fn announce(&mut self, mut record: Record, database: &Database) -> anyhow::Result<()> {
        record.file = match database {
            Database::Sqlite(path) => file_identity(path),
            Database::Postgres(_) => None,
        };
        record.write(&self.files)?;
        self.starting = None;
        Ok(())
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        Record::remove(&self.files);
    }
}

impl Taken {
    pub fn into_error(self, database: &Database) -> anyhow::Error {
        match self {
            Taken::By(record) => hinted(
                format!("the bridge of {database} is process {} already, at {}", record.pid, record.address),
                format!("use that one, or stop it first: kill {}", record.pid),
            ),
            Taken::BySomebody => anyhow::anyhow!("another process serves {database}, and does not say who it is"),
        }
    }
}
