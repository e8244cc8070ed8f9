//! What can go wrong with a store, by what the caller should do about it.

use thiserror::Error;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Clone, Debug, Error)]
pub enum Error {
    /// Nothing was written. The same call may succeed later.
    #[error("the database is not available: {reason}")]
    Unavailable { reason: String },
    /// The write may or may not have happened. Progress is settled with `Store::read_seq`; every other call is idempotent and
    /// may simply be repeated.
    #[error("the database went away during a write, its outcome is unknown: {reason}")]
    OutcomeUnknown { reason: String },
    /// The tables are not those that this binary needs, or it may not use them. Nothing was written. It is nobody's request that is
    /// wrong: everything waits until a person has mended it.
    #[error("the database can't be used as it is: {reason}")]
    Unusable { reason: String },
    /// The request itself is wrong, and repeating it won't help.
    #[error("refused: {reason}")]
    Refused { reason: String },
    /// The version exists with another program. Versions are immutable.
    #[error(
        "version {workflow_version} of workflow {workflow_name} is registered with another program \
         (registered: {registered_hash}, given: {given_hash})"
    )]
    VersionConflict { workflow_name: String, workflow_version: String, registered_hash: String, given_hash: String },
    /// What is stored can't be read, or the tables are not what they should be. A person must look.
    #[error("the database is damaged or was changed by somebody else: {what}")]
    Corrupt { what: String },
    /// A newer Waymark has migrated this database. Use that version or a newer one.
    #[error(
        "the database was migrated by a newer Waymark (its schema is {found}, this binary knows {known})\n\
         hint: use the version of Waymark that migrated it, or a newer one"
    )]
    NewerSchema { found: i64, known: i64 },
    /// Another process has the SQLite file open, or another engine holds the identity.
    #[error("{what} is in use by {holder}")]
    InUse { what: String, holder: String },
}

impl Error {
    /// Whether the same call may be repeated as it is.
    pub fn is_transient(&self) -> bool {
        matches!(self, Error::Unavailable { .. } | Error::Unusable { .. } | Error::OutcomeUnknown { .. })
    }

    pub(crate) fn corrupt(what: impl Into<String>) -> Error {
        Error::Corrupt { what: what.into() }
    }
}
