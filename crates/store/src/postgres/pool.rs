//! Connections, and what to make of their errors.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use deadpool_postgres::{Client, Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime};
use tokio_postgres::config::Host;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Config, NoTls, Row, Statement};

use super::PostgresOptions;
use crate::{Error, Result};

/// Deadlocks and serialization failures are tried again this often.
const ATTEMPTS_MAX: u32 = 8;

/// How often it is said that the database can't be used.
const UNUSABLE_INTERVAL: Duration = Duration::from_secs(10);

/// Every statement is prepared once and planned once. All of them can and must go by an index, however small a table was
/// when its statement was planned.
const SETTINGS: &str = "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off \
    -c default_transaction_isolation=read\\ committed";

pub(super) type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

pub(super) struct Database {
    pool: Pool,
    config: Config,
    timeout: Duration,
}

impl Database {
    pub(super) fn new(url: &str, options: &PostgresOptions) -> Result<Database> {
        let refused = |error: &dyn std::fmt::Display| Error::Refused {
            reason: format!("the database URL can't be used: {error}"),
        };
        let mut config: Config = url.parse().map_err(|error: tokio_postgres::Error| refused(&error))?;
        // The server gives up when we do, so that what we gave up on does not hold locks for longer.
        let limit_ms = options.timeout.as_millis();
        let given = config.get_options().unwrap_or_default();
        config
            .options(format!("{SETTINGS} -c statement_timeout={limit_ms} {given}"))
            .connect_timeout(options.timeout.min(Duration::from_secs(10)));
        config.keepalives_idle(Duration::from_secs(30));
        if config.get_application_name().is_none() {
            config.application_name("waymark");
        }
        Database::with_config(config, options)
    }

    /// The same, with connections that look for tables in this schema alone.
    pub(super) fn within(&self, schema: &str, options: &PostgresOptions) -> Result<Database> {
        let mut config = self.config.clone();
        let quoted = format!("\"{}\"", schema.replace('"', "\"\""));
        let escaped = quoted.replace('\\', "\\\\").replace(' ', "\\ ");
        let given = config.get_options().unwrap_or_default();
        config.options(format!("{given} -c search_path={escaped}"));
        Database::with_config(config, options)
    }

    fn with_config(config: Config, options: &PostgresOptions) -> Result<Database> {
        let manager =
            Manager::from_config(config.clone(), NoTls, ManagerConfig { recycling_method: RecyclingMethod::Fast });
        let pool = Pool::builder(manager)
            .max_size(options.connections.max(1))
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(options.timeout))
            .create_timeout(Some(options.timeout))
            .build()
            .map_err(|error| Error::Refused { reason: format!("the database URL can't be used: {error}") })?;
        Ok(Database { pool, config, timeout: options.timeout })
    }

    pub(super) fn config(&self) -> &Config {
        &self.config
    }

    /// Says which database is not available. Its URL may have a password in it, and is not shown.
    pub(super) fn placed(&self, error: Error) -> Error {
        let Error::Unavailable { reason } = error else { return error };
        let hosts = self.config.get_hosts().iter().map(|host| match host {
            Host::Tcp(name) => name.clone(),
            Host::Unix(folder) => folder.display().to_string(),
        });
        let ports = self.config.get_ports();
        // One port is for all.
        let port = |at: usize| ports.get(at).or(ports.first()).copied().unwrap_or(5432);
        let places: Vec<String> = hosts.enumerate().map(|(at, host)| format!("{host}:{}", port(at))).collect();
        let user = self.config.get_user().unwrap_or_default();
        // As Postgres does where it is left out.
        let name = self.config.get_dbname().unwrap_or(user);
        Error::Unavailable {
            reason: format!("Postgres at {}, database {name}, user {user}: {reason}", places.join(", ")),
        }
    }

    pub(super) async fn client(&self) -> Result<Client> {
        self.pool.get().await.map_err(|error| Error::Unavailable { reason: with_sources(&error) })
    }

    pub(super) async fn read(&self, sql: &str, values: Values<'_>) -> Result<Vec<Row>> {
        self.read_together([(sql, values)]).await.map(|[rows]| rows)
    }

    /// Several statements in one round trip, each a transaction of its own, in this order.
    pub(super) async fn read_together<const N: usize>(
        &self,
        statements: [(&str, Values<'_>); N],
    ) -> Result<[Vec<Row>; N]> {
        self.run(statements, Kind::Read).await
    }

    pub(super) async fn write(&self, sql: &str, values: Values<'_>) -> Result<Vec<Row>> {
        self.run([(sql, values)], Kind::Write).await.map(|[rows]| rows)
    }

    /// As `read_together`, where the first statement writes.
    pub(super) async fn write_together<const N: usize>(
        &self,
        statements: [(&str, Values<'_>); N],
    ) -> Result<[Vec<Row>; N]> {
        self.run(statements, Kind::Write).await
    }

    async fn run<const N: usize>(&self, statements: [(&str, Values<'_>); N], kind: Kind) -> Result<[Vec<Row>; N]> {
        let mut attempt = 0;
        loop {
            attempt += 1;
            let client = self.client().await?;
            let prepared =
                match tokio::time::timeout(self.timeout, prepare(&client, &statements.map(|(sql, _)| sql))).await {
                    Ok(Ok(prepared)) => prepared,
                    // A connection that broke while it lay in the pool: the next one is fresh.
                    Ok(Err(error)) if error.is_closed() && attempt < ATTEMPTS_MAX => continue,
                    Ok(Err(error)) => return Err(classified(&error, Kind::Read)),
                    Err(_) => {
                        drop(Object::take(client));
                        return Err(Error::Unavailable { reason: "the database does not answer".into() });
                    }
                };
            // All are sent before the first is answered.
            let queries = prepared.iter().zip(statements).map(|(prepared, (_, values))| client.query(prepared, values));
            let answers = tokio::time::timeout(self.timeout, futures_util::future::join_all(queries)).await;
            let Ok(answers) = answers else {
                drop(Object::take(client));
                let reason = "the database does not answer".to_string();
                return Err(match kind {
                    Kind::Read => Error::Unavailable { reason },
                    Kind::Write => Error::OutcomeUnknown { reason },
                });
            };
            match answers.into_iter().collect::<std::result::Result<Vec<_>, _>>() {
                Ok(rows) => {
                    return rows.try_into().map_err(|_| Error::corrupt("as many answers as questions"));
                }
                Err(error) if is_stale(&error) && attempt < ATTEMPTS_MAX => {
                    // Every connection of the pool has prepared it.
                    self.pool.manager().statement_caches.clear();
                }
                Err(error) if is_conflict(&error) && attempt < ATTEMPTS_MAX => {
                    tokio::time::sleep(Duration::from_millis(u64::from(attempt))).await;
                }
                Err(error) => return Err(classified(&error, kind)),
            }
        }
    }

    /// Several statements that are committed together, in one round trip.
    pub(super) async fn transaction(&self, statements: &[(&str, Values<'_>)]) -> Result<Vec<Vec<Row>>> {
        let mut attempt = 0;
        loop {
            attempt += 1;
            let client = self.client().await?;
            let mut texts = Vec::with_capacity(statements.len());
            for (sql, _) in statements {
                texts.push(*sql);
            }
            let prepared = match tokio::time::timeout(self.timeout, prepare(&client, &texts)).await {
                Ok(Ok(prepared)) => prepared,
                Ok(Err(error)) if error.is_closed() && attempt < ATTEMPTS_MAX => continue,
                Ok(Err(error)) => return Err(classified(&error, Kind::Read)),
                Err(_) => {
                    drop(Object::take(client));
                    return Err(Error::Unavailable { reason: "the database does not answer".into() });
                }
            };
            // All are sent before the first is answered; a statement that fails undoes the others.
            let mut queries = Vec::with_capacity(statements.len());
            for (prepared, (_, values)) in prepared.iter().zip(statements) {
                queries.push(client.query(prepared, values));
            }
            let all = futures_util::future::join3(
                client.batch_execute("BEGIN"),
                futures_util::future::join_all(queries),
                client.batch_execute("COMMIT"),
            );
            let Ok((begun, answers, committed)) = tokio::time::timeout(self.timeout, all).await else {
                drop(Object::take(client));
                return Err(Error::OutcomeUnknown { reason: "the database does not answer".into() });
            };
            let answers = begun.and(answers.into_iter().collect::<std::result::Result<Vec<_>, _>>());
            match answers.and_then(|rows| committed.map(|()| rows)) {
                Ok(rows) => return Ok(rows),
                Err(error) if is_stale(&error) && attempt < ATTEMPTS_MAX => {
                    self.pool.manager().statement_caches.clear();
                }
                Err(error) if is_conflict(&error) && attempt < ATTEMPTS_MAX => {
                    tokio::time::sleep(Duration::from_millis(u64::from(attempt))).await;
                }
                Err(error) => return Err(classified(&error, Kind::Write)),
            }
        }
    }

    /// A statement that is run while nobody else runs one with this lock; it sees all that the one before it did.
    pub(super) async fn write_locked(&self, lock: &str, sql: &str, values: Values<'_>) -> Result<Vec<Row>> {
        let take = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
        let mut answers = self.transaction(&[(take, &[&lock]), (sql, values)]).await?;
        answers.pop().ok_or_else(|| Error::corrupt("as many answers as questions"))
    }

    /// A transaction whose next statement depends on the answer to the last.
    pub(super) async fn begin(&self) -> Result<Transaction> {
        let client = self.client().await?;
        client.batch_execute("BEGIN").await.map_err(|error| classified(&error, Kind::Read))?;
        Ok(Transaction { client: Some(client), timeout: self.timeout })
    }

    #[cfg(feature = "conformance")]
    pub(super) async fn simple(&self, sql: &str) -> Result<Vec<String>> {
        let client = self.client().await?;
        let messages = client.simple_query(sql).await.map_err(|error| classified(&error, Kind::Write))?;
        let lines = messages.iter().filter_map(|message| match message {
            tokio_postgres::SimpleQueryMessage::Row(row) => {
                Some((0..row.len()).filter_map(|index| row.get(index)).collect::<Vec<_>>().join(" "))
            }
            _ => None,
        });
        Ok(lines.collect())
    }
}

/// Undone when it is dropped before its end.
pub(super) struct Transaction {
    client: Option<Client>,
    timeout: Duration,
}

impl Transaction {
    pub(super) async fn query(&self, sql: &str, values: Values<'_>) -> Result<Vec<Row>> {
        let Some(client) = &self.client else { return Err(Error::corrupt("a transaction goes on after its end")) };
        let query = async { client.query(&client.prepare_cached(sql).await?, values).await };
        match tokio::time::timeout(self.timeout, query).await {
            // Nothing of it is committed.
            Ok(answer) => answer.map_err(|error| classified(&error, Kind::Read)),
            Err(_) => Err(Error::Unavailable { reason: "the database does not answer".into() }),
        }
    }

    pub(super) async fn commit(self) -> Result<()> {
        self.end("COMMIT", Kind::Write).await
    }

    pub(super) async fn undo(self) -> Result<()> {
        self.end("ROLLBACK", Kind::Read).await
    }

    async fn end(mut self, how: &str, kind: Kind) -> Result<()> {
        let Some(client) = &self.client else { return Ok(()) };
        match tokio::time::timeout(self.timeout, client.batch_execute(how)).await {
            Ok(answer) => answer.map_err(|error| classified(&error, kind))?,
            Err(_) => return Err(Error::OutcomeUnknown { reason: "the database does not answer".into() }),
        }
        // Back to the pool: it is known to be at an end.
        drop(self.client.take());
        Ok(())
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            drop(Object::take(client));
        }
    }
}

async fn prepare(client: &Client, statements: &[&str]) -> std::result::Result<Vec<Statement>, tokio_postgres::Error> {
    let mut prepared = Vec::new();
    for sql in statements {
        prepared.push(client.prepare_cached(sql).await?);
    }
    Ok(prepared)
}

#[derive(Clone, Copy)]
pub(super) enum Kind {
    Read,
    Write,
}

/// A statement was prepared before a migration changed what its tables look like. It has not been run.
fn is_stale(error: &tokio_postgres::Error) -> bool {
    error.code() == Some(&SqlState::FEATURE_NOT_SUPPORTED)
}

fn is_conflict(error: &tokio_postgres::Error) -> bool {
    matches!(error.code(), Some(&SqlState::T_R_DEADLOCK_DETECTED | &SqlState::T_R_SERIALIZATION_FAILURE))
}

/// What the caller should do about it. Postgres answers with a code when it has undone the statement; without one, and when it
/// is being shut down, a write may have gone either way.
pub(super) fn classified(error: &tokio_postgres::Error, kind: Kind) -> Error {
    let reason = with_sources(error);
    let code = error.code().map(SqlState::code);
    match (code.map(|code| &code[..2.min(code.len())]), kind) {
        (Some("22" | "23" | "54"), _) => Error::Refused { reason },
        (Some("53" | "55" | "40"), _) => Error::Unavailable { reason },
        (Some("42" | "0A" | "3F" | "3D"), _) => {
            say_unusable(&reason);
            Error::Unusable { reason }
        }
        (Some("XX"), _) => Error::Corrupt { what: reason },
        (Some("28"), _) => Error::Refused { reason },
        (_, Kind::Read) => Error::Unavailable { reason },
        (_, Kind::Write) => Error::OutcomeUnknown { reason },
    }
}

/// Now and then: it is asked again many times a second.
fn say_unusable(reason: &str) {
    static SAID_AT: Mutex<Option<Instant>> = Mutex::new(None);
    let mut said_at = SAID_AT.lock().unwrap_or_else(PoisonError::into_inner);
    if said_at.is_none_or(|said_at| said_at.elapsed() >= UNUSABLE_INTERVAL) {
        *said_at = Some(Instant::now());
        tracing::error!(
            reason,
            "the database can't be used as it is; it is asked again until somebody has mended it. hint: was a table or a right taken away?"
        );
    }
}

fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let more = error.to_string();
        if !text.contains(&more) {
            text.push_str(": ");
            text.push_str(&more);
        }
        source = error.source();
    }
    text
}
