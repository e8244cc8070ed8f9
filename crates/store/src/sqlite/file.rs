//! The file: who owns it, how it is opened, how it is migrated.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OptionalExtension, params};
use uuid::Uuid;

use super::row::failed;
use crate::{Error, Result, migrations};

/// Statements are prepared once: all of them are kept, and none is prepared again because its values are others.
pub(super) fn keep_statements(connection: &Connection) -> Result<()> {
    connection.set_prepared_statement_cache_capacity(128);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(failed)?;
    Ok(())
}

/// The owner's lock, on a file beside the database. The system lets go of it when the process ends, however it ends.
pub(super) struct FileLock {
    _file: File,
}

impl FileLock {
    pub(super) fn take(database: &Path) -> Result<FileLock> {
        let unavailable =
            |error: std::io::Error| Error::Unavailable { reason: format!("{}: {error}", database.display()) };
        if let Some(folder) = database.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(unavailable)?;
        }
        let mut path = database.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(unavailable)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut pid = String::new();
                let holder = match file.read_to_string(&mut pid) {
                    Ok(_) if !pid.trim().is_empty() => format!("process {}", pid.trim()),
                    _ => "another process".to_string(),
                };
                return Err(Error::InUse { what: format!("the database {}", database.display()), holder });
            }
            Err(TryLockError::Error(error)) => return Err(unavailable(error)),
        }
        file.set_len(0).and_then(|()| file.rewind()).map_err(unavailable)?;
        write!(file, "{}", std::process::id()).map_err(unavailable)?;
        Ok(FileLock { _file: file })
    }
}

pub(crate) fn connect(path: &Path, durable: bool) -> Result<Connection> {
    let connection = Connection::open(path)
        .map_err(|error| Error::Unavailable { reason: format!("{}: {error}", path.display()) })?;
    connection.busy_timeout(Duration::from_secs(10)).map_err(failed)?;
    keep_statements(&connection)?;
    let synchronous = if durable { "FULL" } else { "OFF" };
    connection
        .execute_batch(&format!(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = {synchronous}; PRAGMA temp_store = MEMORY;
             PRAGMA cache_size = -32000; PRAGMA journal_size_limit = 67108864;"
        ))
        .map_err(failed)?;
    Ok(connection)
}

pub(super) fn connect_reader(path: &Path) -> Result<Connection> {
    let connection = connect(path, true)?;
    connection.execute_batch("PRAGMA query_only = ON").map_err(failed)?;
    Ok(connection)
}

pub(super) fn migrate(connection: &mut Connection) -> Result<()> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).map_err(failed)?;
    transaction.execute_batch(migrations::TABLE).map_err(failed)?;
    let applied: Vec<(i64, String)> = {
        let mut statement = transaction.prepare(migrations::APPLIED).map_err(failed)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).map_err(failed)?;
        rows.collect::<rusqlite::Result<_>>().map_err(failed)?
    };
    for migration in migrations::pending(migrations::SQLITE, &applied)? {
        transaction.execute_batch(migration.sql).map_err(failed)?;
        transaction
            .execute(migrations::RECORD, params![migration.number, migration.name, migration.checksum()])
            .map_err(failed)?;
    }
    transaction
        .execute(
            "INSERT OR IGNORE INTO waymark_meta (key, value) VALUES ('fingerprint', ?1)",
            [Uuid::new_v4().simple().to_string()],
        )
        .map_err(failed)?;
    transaction.commit().map_err(failed)
}

pub(super) fn fingerprint(connection: &Connection) -> Result<String> {
    connection
        .query_row("SELECT value FROM waymark_meta WHERE key = 'fingerprint'", [], |row| row.get(0))
        .optional()
        .map_err(failed)?
        .ok_or_else(|| Error::corrupt("the database has no fingerprint"))
}
