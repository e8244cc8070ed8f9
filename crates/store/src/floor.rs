//! The floor: what it costs to write the rows of instances with nothing else around it, for benchmarks to compare with. Plain batched
//! statements on one connection, one commit a batch: no leases, no checks, no answers.

use rusqlite::params;
use tokio_postgres::{Client, NoTls, Statement};
use uuid::Uuid;

use crate::{Error, Result, Timestamp};

/// Instances to write: all of them are started and claimed, their events are logged while the queue's row moves on, and they are finished.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    pub workflow_version_id: Uuid,
    pub instances: usize,
    /// Events an instance.
    pub events: usize,
    pub input_bytes: usize,
    pub outcome_bytes: usize,
    pub result_bytes: usize,
    /// Rows a statement and commit.
    pub batch: usize,
}

pub enum Floor {
    Sqlite(rusqlite::Connection),
    Postgres(Client, Box<[Statement; 4]>),
}

const POSTGRES_START: &str = "
    WITH instances AS (
        INSERT INTO runner_instances (instance_id, workflow_version_id, workflow_name, created_at, inputs)
        SELECT unnest($1::uuid[]), $2::uuid, 'floor', clock_timestamp(), $3::bytea
    )
    INSERT INTO queued_instances (instance_id, queue, priority, scheduled_at)
    SELECT unnest($1::uuid[]), 'floor', 1, clock_timestamp()";
const POSTGRES_CLAIM: &str = "
    UPDATE queued_instances SET lock_uuid = $2::uuid, lock_expires_at = clock_timestamp(), claims = 1 WHERE instance_id = ANY($1::uuid[])";
const POSTGRES_LOG: &str = "
    WITH queue AS (
        UPDATE queued_instances SET seq = $5::bigint WHERE instance_id = ANY($6::uuid[])
    )
    INSERT INTO runner_actions_done (instance_id, seq, kind, execution_id, attempt, outcome, happened_at, started_at, worker, digest)
    SELECT l.instance_id, l.seq, 'settled', l.execution_id, 1, $4::bytea, clock_timestamp(), clock_timestamp(), 'worker-1', l.seq
    FROM unnest($1::uuid[], $2::bigint[], $3::text[]) AS l(instance_id, seq, execution_id)";
const POSTGRES_FINISH: &str = "
    WITH instances AS (
        UPDATE runner_instances SET status = 'completed', result = $2::bytea, finished_at = clock_timestamp()
        WHERE instance_id = ANY($1::uuid[])
    )
    DELETE FROM queued_instances WHERE instance_id = ANY($1::uuid[])";

impl Floor {
    /// The tables must be there. A SQLite file must not be in use.
    pub async fn open(url: &str) -> Result<Floor> {
        if let Some(path) = crate::sqlite_path(url) {
            return Ok(Floor::Sqlite(crate::sqlite::connect(path.as_ref(), true)?));
        }
        let (client, connection) = tokio_postgres::connect(url, NoTls).await.map_err(postgres_failed)?;
        tokio::spawn(connection);
        let mut statements = Vec::new();
        for sql in [POSTGRES_START, POSTGRES_CLAIM, POSTGRES_LOG, POSTGRES_FINISH] {
            statements.push(client.prepare(sql).await.map_err(postgres_failed)?);
        }
        let statements = statements.try_into().map_err(|_| Error::corrupt("as many statements as texts"))?;
        Ok(Floor::Postgres(client, statements))
    }

    /// Writes all the rows.
    pub async fn write(&mut self, rows: Rows) -> Result<()> {
        let ids: Vec<Uuid> = (0..rows.instances).map(|_| Uuid::now_v7()).collect();
        for some in ids.chunks(rows.batch) {
            self.start(some, rows.workflow_version_id, rows.input_bytes).await?;
            self.claim(some).await?;
            let events: Vec<(Uuid, i64)> =
                (1..=rows.events as i64).flat_map(|seq| some.iter().map(move |id| (*id, seq))).collect();
            for events in events.chunks(rows.batch) {
                self.log(events, rows.outcome_bytes).await?;
            }
            self.finish(some, rows.result_bytes).await?;
        }
        Ok(())
    }

    /// Writes what starts alone leave: nobody takes the instances.
    pub async fn write_starts(&mut self, rows: Rows) -> Result<()> {
        let ids: Vec<Uuid> = (0..rows.instances).map(|_| Uuid::now_v7()).collect();
        for some in ids.chunks(rows.batch) {
            self.start(some, rows.workflow_version_id, rows.input_bytes).await?;
        }
        Ok(())
    }

    /// An instance that is claimed, for [`commit_one`](Floor::commit_one).
    pub async fn begin_one(&mut self) -> Result<Uuid> {
        let instance_id = Uuid::now_v7();
        self.start(&[instance_id], Uuid::nil(), 0).await?;
        self.claim(&[instance_id]).await?;
        Ok(instance_id)
    }

    /// One durable commit of one event: the least that a step of an instance waits for.
    pub async fn commit_one(&mut self, instance_id: Uuid, seq: i64, outcome_bytes: usize) -> Result<()> {
        self.log(&[(instance_id, seq)], outcome_bytes).await
    }

    async fn start(&mut self, ids: &[Uuid], workflow_version_id: Uuid, input_bytes: usize) -> Result<()> {
        let inputs = vec![0_u8; input_bytes];
        match self {
            Floor::Postgres(client, statements) => {
                client
                    .execute(&statements[0], &[&ids, &workflow_version_id, &inputs])
                    .await
                    .map_err(postgres_failed)?;
            }
            Floor::Sqlite(connection) => in_one(connection, |connection| {
                let mut instances = connection.prepare_cached(
                    "INSERT INTO runner_instances (instance_id, workflow_version_id, workflow_name, created_at, inputs)
                     VALUES (?1, ?2, 'floor', ?3, ?4)",
                )?;
                let mut queue = connection.prepare_cached(
                    "INSERT INTO queued_instances (instance_id, queue, priority, scheduled_at) VALUES (?1, 'floor', 1, ?2)",
                )?;
                for id in ids {
                    instances.execute(params![id, workflow_version_id, Timestamp::now(), inputs])?;
                    queue.execute(params![id, Timestamp::now()])?;
                }
                Ok(())
            })?,
        }
        Ok(())
    }

    async fn claim(&mut self, ids: &[Uuid]) -> Result<()> {
        let lock_uuid = Uuid::now_v7();
        match self {
            Floor::Postgres(client, statements) => {
                client.execute(&statements[1], &[&ids, &lock_uuid]).await.map_err(postgres_failed)?;
            }
            Floor::Sqlite(connection) => in_one(connection, |connection| {
                let claim = "UPDATE queued_instances SET lock_uuid = ?2, lock_expires_at = ?3, claims = 1 WHERE instance_id = ?1";
                let mut claim = connection.prepare_cached(claim)?;
                ids.iter().try_for_each(|id| claim.execute(params![id, lock_uuid, Timestamp::now()]).map(|_| ()))
            })?,
        }
        Ok(())
    }

    async fn log(&mut self, events: &[(Uuid, i64)], outcome_bytes: usize) -> Result<()> {
        let outcome = noise(outcome_bytes);
        let execution = |(id, seq): &(Uuid, i64)| format!("{}-0-{seq}", id.simple());
        match self {
            Floor::Postgres(client, statements) => {
                let (ids, seqs): (Vec<Uuid>, Vec<i64>) = events.iter().copied().unzip();
                let executions: Vec<String> = events.iter().map(execution).collect();
                let last = seqs.last().copied().unwrap_or_default();
                let moved = distinct(events);
                client
                    .execute(&statements[2], &[&ids, &seqs, &executions, &outcome, &last, &moved])
                    .await
                    .map_err(postgres_failed)?;
            }
            Floor::Sqlite(connection) => in_one(connection, |connection| {
                let mut insert = connection.prepare_cached(
                    "INSERT INTO runner_actions_done
                         (instance_id, seq, kind, execution_id, attempt, outcome, happened_at, started_at, worker, digest)
                     VALUES (?1, ?2, 'settled', ?3, 1, ?4, ?5, ?5, 'worker-1', ?2)",
                )?;
                let mut queue =
                    connection.prepare_cached("UPDATE queued_instances SET seq = ?2 WHERE instance_id = ?1")?;
                for id in distinct(events) {
                    queue.execute(params![id, events.last().map(|(_, seq)| *seq)])?;
                }
                for event in events {
                    insert.execute(params![event.0, event.1, execution(event), outcome, Timestamp::now()])?;
                }
                Ok(())
            })?,
        }
        Ok(())
    }

    async fn finish(&mut self, ids: &[Uuid], result_bytes: usize) -> Result<()> {
        let result = vec![0_u8; result_bytes];
        match self {
            Floor::Postgres(client, statements) => {
                client.execute(&statements[3], &[&ids, &result]).await.map_err(postgres_failed)?;
            }
            Floor::Sqlite(connection) => in_one(connection, |connection| {
                let mut instances = connection.prepare_cached(
                    "UPDATE runner_instances SET status = 'completed', result = ?2, finished_at = ?3 WHERE instance_id = ?1",
                )?;
                let mut queue = connection.prepare_cached("DELETE FROM queued_instances WHERE instance_id = ?1")?;
                for id in ids {
                    instances.execute(params![id, result, Timestamp::now()])?;
                    queue.execute(params![id])?;
                }
                Ok(())
            })?,
        }
        Ok(())
    }

    /// Where the database's write-ahead log has come to; the bytes between two of these were written in between. None: it does not tell.
    pub async fn wal_bytes(&self) -> Result<Option<u64>> {
        let Floor::Postgres(client, _) = self else { return Ok(None) };
        let row = client
            .query_one("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint", &[])
            .await
            .map_err(postgres_failed)?;
        Ok(row.try_get::<_, i64>(0).ok().and_then(|bytes| u64::try_from(bytes).ok()))
    }

    /// How many transactions have written something so far, at once and exactly: the server's own count of all lags behind by seconds.
    pub async fn transactions(&self) -> Result<Option<u64>> {
        let Floor::Postgres(client, _) = self else { return Ok(None) };
        let sql = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint";
        let row = client.query_one(sql, &[]).await.map_err(postgres_failed)?;
        Ok(row.try_get::<_, i64>(0).ok().and_then(|count| u64::try_from(count).ok()))
    }

    /// The process that runs the database, where that is not this one.
    pub async fn server_process(&self) -> Result<Option<u32>> {
        let Floor::Postgres(client, _) = self else { return Ok(None) };
        let row = client.query_one("SELECT pg_backend_pid()", &[]).await.map_err(postgres_failed)?;
        Ok(row.try_get::<_, i32>(0).ok().map(i32::unsigned_abs))
    }
}

/// Bytes that a database can't make smaller.
fn noise(bytes: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut words = Vec::with_capacity(bytes + 8);
    while words.len() < bytes {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        words.extend_from_slice(&state.to_le_bytes());
    }
    words.truncate(bytes);
    words
}

/// A row of the queue moves on once a commit, however many events that brings.
fn distinct(events: &[(Uuid, i64)]) -> Vec<Uuid> {
    let mut ids: Vec<Uuid> = events.iter().map(|(id, _)| *id).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn in_one(
    connection: &mut rusqlite::Connection,
    work: impl FnOnce(&rusqlite::Connection) -> rusqlite::Result<()>,
) -> Result<()> {
    let transaction = connection.transaction().map_err(crate::sqlite::failed)?;
    work(&transaction).map_err(crate::sqlite::failed)?;
    transaction.commit().map_err(crate::sqlite::failed)
}

fn postgres_failed(error: tokio_postgres::Error) -> Error {
    Error::Unavailable { reason: error.to_string() }
}
