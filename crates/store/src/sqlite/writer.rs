//! Group commit. Requests queue up while a commit is on its way to the disk; the next transaction takes all of them, each in
//! a savepoint of its own, so that one that fails takes nobody with it. An answer is sent once its commit is on the disk.

use std::sync::{Arc, Mutex, mpsc};
use std::thread;

use rusqlite::Connection;
use tokio::sync::{broadcast, oneshot};

use super::file;
use super::row::failed;
use crate::{Change, Clock, Error, Result, Timestamp};

/// How many requests share a commit at most, so that none waits for ever.
const GROUP_MAX: usize = 1024;

/// What a request works with: it may write, and say what changed.
pub(super) struct Write<'a> {
    pub connection: &'a Connection,
    pub now: Timestamp,
    changes: Vec<Change>,
    /// There is no transaction: nothing may be written.
    refused: Option<Error>,
}

impl Write<'_> {
    /// Told to everybody once the commit is done.
    pub fn changed(&mut self, change: Change) {
        if self.changes.last() != Some(&change) {
            self.changes.push(change);
        }
    }

    /// Runs a part that may fail alone: what it wrote is undone then, and the rest goes on.
    pub fn savepoint<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if let Some(error) = &self.refused {
            return Err(error.clone());
        }
        let changes = self.changes.len();
        self.execute("SAVEPOINT part")?;
        let result = work(self);
        if self.connection.is_autocommit() {
            // A full disk, say, undoes the whole transaction. Whatever came next would be a transaction of its own, and be committed though
            // its caller is told that it wasn't.
            let reason = match &result {
                Err(error) => format!("the transaction was undone: {error}"),
                Ok(_) => "the transaction was undone".into(),
            };
            let error = Error::Unavailable { reason };
            self.refused = Some(error.clone());
            return Err(error);
        }
        if result.is_err() {
            self.changes.truncate(changes);
            self.execute("ROLLBACK TO part")?;
        }
        self.execute("RELEASE part")?;
        result
    }

    /// Does the same with each, where the database may refuse some. That none is refused is the usual case, and costs nothing extra; else
    /// each has its turn alone.
    pub fn each<I, T>(
        &mut self,
        items: &[I],
        one: impl Fn(&mut Self, &I) -> Result<T>,
        refused: impl Fn(String) -> T,
    ) -> Result<Vec<T>> {
        if items.is_empty() {
            return Ok(Vec::new());
        }
        match self.savepoint(|write| items.iter().map(|item| one(write, item)).collect()) {
            Err(Error::Refused { .. }) => {}
            together => return together,
        }
        let alone = |item| match self.savepoint(|write| one(write, item)) {
            Err(Error::Refused { reason }) => Ok(refused(reason)),
            other => other,
        };
        items.iter().map(alone).collect()
    }

    fn execute(&self, sql: &str) -> Result<()> {
        self.connection.prepare_cached(sql).and_then(|mut statement| statement.execute([])).map_err(failed)?;
        Ok(())
    }
}

type Answer = Box<dyn FnOnce(Result<()>) + Send>;
type Job = Box<dyn FnOnce(&mut Write<'_>) -> Answer + Send>;

pub(super) enum Writer {
    Thread { jobs: Option<mpsc::Sender<Job>>, thread: Option<thread::JoinHandle<()>> },
    Inline { group: Arc<Mutex<Connection>>, clock: Clock, changes: broadcast::Sender<Change> },
}

impl Writer {
    pub(super) fn thread(connection: Connection, clock: Clock, changes: broadcast::Sender<Change>) -> Result<Writer> {
        let (jobs, waiting) = mpsc::channel::<Job>();
        let thread = thread::Builder::new()
            .name("waymark-sqlite".into())
            .spawn(move || {
                while let Ok(first) = waiting.recv() {
                    let mut group = vec![first];
                    group.extend(waiting.try_iter().take(GROUP_MAX - 1));
                    commit_group(&connection, &clock, &changes, group);
                }
                // The last one out tidies up, so that the next one in has a short log to read.
                let _ = connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
            })
            .map_err(|error| Error::Unavailable { reason: format!("no thread for the writer: {error}") })?;
        Ok(Writer::Thread { jobs: Some(jobs), thread: Some(thread) })
    }

    pub(super) fn inline(group: Arc<Mutex<Connection>>, clock: Clock, changes: broadcast::Sender<Change>) -> Writer {
        Writer::Inline { group, clock, changes }
    }

    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Write<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move |write| {
            let result = write.savepoint(work);
            Box::new(move |committed| {
                // Nobody waits any more: the future was dropped, the write stands.
                let _ = sender.send(committed.and(result));
            })
        });
        match self {
            Writer::Thread { jobs, .. } => {
                let sent = jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok());
                if !sent {
                    return Err(Error::Unavailable { reason: "the writer has stopped".into() });
                }
            }
            Writer::Inline { group, clock, changes } => {
                let connection = group.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                commit_group(&connection, clock, changes, vec![job]);
            }
        }
        receiver.await.unwrap_or_else(|_| Err(Error::OutcomeUnknown { reason: "the writer stopped".into() }))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let Writer::Thread { jobs, thread } = self {
            drop(jobs.take());
            if let Some(thread) = thread.take() {
                let _ = thread.join();
            }
        }
    }
}

fn commit_group(connection: &Connection, clock: &Clock, changes: &broadcast::Sender<Change>, group: Vec<Job>) {
    let mut write = Write { connection, now: clock(), changes: Vec::new(), refused: None };
    write.refused = write.execute("BEGIN IMMEDIATE").err();
    let answers: Vec<Answer> = group.into_iter().map(|job| job(&mut write)).collect();
    let committed = match &write.refused {
        Some(error) => Err(error.clone()),
        None => write.execute("COMMIT"),
    };
    if committed.is_err() && !connection.is_autocommit() {
        let _ = connection.execute_batch("ROLLBACK");
    }
    if committed.is_ok() {
        for change in write.changes {
            let _ = changes.send(change);
        }
    }
    for answer in answers {
        answer(committed.clone());
    }
}

/// Reading has no turns to wait for: a few connections, each used by one request at a time.
pub(super) struct Readers {
    connections: Arc<Mutex<Vec<Connection>>>,
    turns: Arc<tokio::sync::Semaphore>,
    inline: Option<Arc<Mutex<Connection>>>,
}

impl Readers {
    pub(super) fn open(path: &std::path::Path, count: usize) -> Result<Readers> {
        let connections = (0..count).map(|_| file::connect_reader(path)).collect::<Result<Vec<_>>>()?;
        let turns = Arc::new(tokio::sync::Semaphore::new(count));
        Ok(Readers { connections: Arc::new(Mutex::new(connections)), turns, inline: None })
    }

    pub(super) fn inline(connection: Arc<Mutex<Connection>>) -> Readers {
        let turns = Arc::new(tokio::sync::Semaphore::new(1));
        Readers { connections: Arc::default(), turns, inline: Some(connection) }
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        if let Some(connection) = &self.inline {
            let connection = connection.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            return work(&connection);
        }
        let stopped = || Error::Unavailable { reason: "the readers have stopped".into() };
        let turn = self.turns.clone().acquire_owned().await.map_err(|_| stopped())?;
        let connections = self.connections.clone();
        tokio::task::spawn_blocking(move || {
            let take = || connections.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let connection = take().pop().ok_or_else(stopped)?;
            // One view of the database for all the statements of a request.
            let result = connection.execute_batch("BEGIN").map_err(failed).and_then(|()| work(&connection));
            let _ = connection.execute_batch("COMMIT");
            take().push(connection);
            drop(turn);
            result
        })
        .await
        .map_err(|error| Error::Unavailable { reason: format!("a reader failed: {error}") })?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SQLite undoes a whole transaction by itself when the disk is full.
    #[test]
    fn who_comes_after_a_lost_transaction_writes_nothing() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE t (x)").unwrap();
        let answers: Arc<Mutex<Vec<bool>>> = Arc::default();
        let job = |sql: &'static str| -> Job {
            let answers = answers.clone();
            Box::new(move |write| {
                let result = write.savepoint(|write| write.connection.execute_batch(sql).map_err(failed));
                Box::new(move |committed| answers.lock().unwrap().push(committed.and(result).is_ok()))
            })
        };
        let group = vec![job("INSERT INTO t VALUES (1)"), job("ROLLBACK"), job("INSERT INTO t VALUES (2)")];
        let clock: Clock = Arc::new(Timestamp::now);
        commit_group(&connection, &clock, &broadcast::channel(1).0, group);
        let written: i64 = connection.query_row("SELECT count(*) FROM t", [], |row| row.get(0)).unwrap();
        assert_eq!((written, answers.lock().unwrap().clone()), (0, vec![false, false, false]));
        commit_group(&connection, &clock, &broadcast::channel(1).0, vec![job("INSERT INTO t VALUES (3)")]);
        assert_eq!(answers.lock().unwrap().last(), Some(&true), "the next group has a transaction again");
    }
}
