//! Numbered SQL files, one set a dialect, applied once each, in order. The database remembers each one's checksum: a file
//! that was edited after it ran, or a database that is ahead of the binary, is noticed before anything else happens.

use sha2::{Digest, Sha256};

use crate::{Error, Result};

pub(crate) struct Migration {
    pub number: i64,
    pub name: &'static str,
    pub sql: &'static str,
}

macro_rules! migrations {
    ($dialect:literal) => {
        &[
            Migration {
                number: 1,
                name: "tables",
                sql: include_str!(concat!("../migrations/", $dialect, "/0001_tables.sql")),
            },
            Migration {
                number: 2,
                name: "actions_by_name",
                sql: include_str!(concat!("../migrations/", $dialect, "/0002_actions_by_name.sql")),
            },
            Migration {
                number: 3,
                name: "control",
                sql: include_str!(concat!("../migrations/", $dialect, "/0003_control.sql")),
            },
            Migration {
                number: 4,
                name: "schedules",
                sql: include_str!(concat!("../migrations/", $dialect, "/0004_schedules.sql")),
            },
            Migration {
                number: 5,
                name: "queues",
                sql: include_str!(concat!("../migrations/", $dialect, "/0005_queues.sql")),
            },
            Migration {
                number: 6,
                name: "replies",
                sql: include_str!(concat!("../migrations/", $dialect, "/0006_replies.sql")),
            },
            Migration {
                number: 7,
                name: "retention",
                sql: include_str!(concat!("../migrations/", $dialect, "/0007_retention.sql")),
            },
            Migration {
                number: 8,
                name: "transactions",
                sql: include_str!(concat!("../migrations/", $dialect, "/0008_transactions.sql")),
            },
            Migration {
                number: 9,
                name: "priority",
                sql: include_str!(concat!("../migrations/", $dialect, "/0009_priority.sql")),
            },
        ]
    };
}

pub(crate) const SQLITE: &[Migration] = migrations!("sqlite");
pub(crate) const POSTGRES: &[Migration] = migrations!("postgres");

/// Works in both dialects.
pub(crate) const TABLE: &str = "CREATE TABLE IF NOT EXISTS waymark_migrations (
    number   bigint NOT NULL PRIMARY KEY,
    name     text NOT NULL,
    checksum text NOT NULL
)";
pub(crate) const APPLIED: &str = "SELECT number, checksum FROM waymark_migrations ORDER BY number";
pub(crate) const RECORD: &str = "INSERT INTO waymark_migrations (number, name, checksum) VALUES ($1, $2, $3)";

impl Migration {
    pub(crate) fn checksum(&self) -> String {
        Sha256::digest(self.sql.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Which migrations are still to run, given the numbers and checksums of those that have.
pub(crate) fn pending<'a>(known: &'a [Migration], applied: &[(i64, String)]) -> Result<&'a [Migration]> {
    let newest = known.last().map_or(0, |migration| migration.number);
    if let Some((found, _)) = applied.iter().find(|(number, _)| *number > newest) {
        let found = applied.last().map_or(*found, |(number, _)| *number);
        return Err(Error::NewerSchema { found, known: newest });
    }
    for (index, (number, checksum)) in applied.iter().enumerate() {
        match known.get(index) {
            Some(migration) if migration.number == *number && migration.checksum() == *checksum => {}
            _ => {
                return Err(Error::corrupt(format!("migration {number} is not the one this binary knows")));
            }
        }
    }
    Ok(&known[applied.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_to_run() {
        let one = (1, SQLITE[0].checksum());
        assert_eq!(pending(SQLITE, &[]).map(<[_]>::len).unwrap(), SQLITE.len());
        assert_eq!(pending(SQLITE, std::slice::from_ref(&one)).map(<[_]>::len).unwrap(), SQLITE.len() - 1);
        assert!(matches!(pending(SQLITE, &[(1, "edited".into())]), Err(Error::Corrupt { .. })));
        assert!(matches!(
            pending(SQLITE, &[one, (99, "later".into())]),
            Err(Error::NewerSchema { found: 99, known }) if Some(known) == SQLITE.last().map(|last| last.number)
        ));
    }
}
