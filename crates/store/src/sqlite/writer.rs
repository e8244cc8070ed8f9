//! Group commit. Requests queue up while a commit is on its way to the disk; the next transaction takes all of them. One that fails takes
//! nobody with it: the transaction is undone then, and each has its turn again in a savepoint of its own. That is rare, and savepoints keep
//! a copy of every page that is changed. An answer is sent once its commit is on the disk.

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
    /// There are no savepoints: whatever fails undoes all of it.
    is_together: bool,
    /// Something has failed.
    is_spoiled: bool,
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
        if self.is_together {
            let result = work(self);
            self.is_spoiled |= result.is_err() || self.connection.is_autocommit();
            return result;
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
        mut one: impl FnMut(&mut Self, &I) -> Result<T>,
        refused: impl Fn(String) -> T,
    ) -> Result<Vec<T>> {
        if items.is_empty() {
            return Ok(Vec::new());
        }
        match self.savepoint(|write| items.iter().map(|item| one(write, item)).collect()) {
            Err(Error::Refused { .. }) if !self.is_together => {}
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

/// A request. It may be run twice: what it did the first time was undone then.
pub(super) trait Job: Send {
    fn run(&mut self, write: &mut Write<'_>);
    fn answer(self: Box<Self>, committed: Result<()>);
}

struct Request<T, Work> {
    work: Work,
    result: Option<Result<T>>,
    answer: oneshot::Sender<Result<T>>,
}

impl<T: Send, Work: FnMut(&mut Write<'_>) -> Result<T> + Send> Job for Request<T, Work> {
    fn run(&mut self, write: &mut Write<'_>) {
        self.result = Some(write.savepoint(&mut self.work));
    }

    fn answer(self: Box<Self>, committed: Result<()>) {
        let Request { result, answer, .. } = *self;
        let not_run = || Err(Error::Unavailable { reason: "the writer has stopped".into() });
        // Nobody waits any more: the future was dropped, the write stands.
        let _ = answer.send(committed.and_then(|()| result.unwrap_or_else(not_run)));
    }
}

pub(super) enum Writer {
    Thread { jobs: Option<mpsc::Sender<Box<dyn Job>>>, thread: Option<thread::JoinHandle<()>> },
    Inline { group: Arc<Mutex<Connection>>, clock: Clock, changes: broadcast::Sender<Change> },
}

impl Writer {
    pub(super) fn thread(connection: Connection, clock: Clock, changes: broadcast::Sender<Change>) -> Result<Writer> {
        let (jobs, waiting) = mpsc::channel::<Box<dyn Job>>();
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
        work: impl FnMut(&mut Write<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (answer, receiver) = oneshot::channel();
        let job: Box<dyn Job> = Box::new(Request { work, result: None, answer });
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

fn commit_group(
    connection: &Connection,
    clock: &Clock,
    changes: &broadcast::Sender<Change>,
    mut group: Vec<Box<dyn Job>>,
) {
    let committed = match try_group(connection, clock(), &mut group, true) {
        Some(committed) => committed,
        None => try_group(connection, clock(), &mut group, false).unwrap_or_else(|| Ok(Vec::new())),
    };
    if committed.is_err() && !connection.is_autocommit() {
        let _ = connection.execute_batch("ROLLBACK");
    }
    for change in committed.iter().flatten() {
        let _ = changes.send(change.clone());
    }
    let committed = committed.map(|_| ());
    for job in group {
        job.answer(committed.clone());
    }
}

/// Runs all of them in one transaction, and says what changed. None: one has failed, and nothing was written.
fn try_group(
    connection: &Connection,
    now: Timestamp,
    group: &mut [Box<dyn Job>],
    is_together: bool,
) -> Option<Result<Vec<Change>>> {
    let mut write = Write { connection, now, changes: Vec::new(), refused: None, is_together, is_spoiled: false };
    write.refused = write.execute("BEGIN IMMEDIATE").err();
    for job in group {
        job.run(&mut write);
        if write.is_spoiled {
            if !connection.is_autocommit() {
                let _ = connection.execute_batch("ROLLBACK");
            }
            return None;
        }
    }
    let committed = match &write.refused {
        Some(error) => Err(error.clone()),
        None => write.execute("COMMIT"),
    };
    Some(committed.map(|()| write.changes))
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

    /// Runs a group, and says who was told that it is written, and what is.
    fn written(connection: &Connection, group: &[&'static str]) -> (Vec<bool>, Vec<i64>) {
        let mut receivers = Vec::new();
        let mut jobs: Vec<Box<dyn Job>> = Vec::new();
        for sql in group.iter().copied() {
            let (answer, receiver) = oneshot::channel();
            let work = move |write: &mut Write<'_>| write.connection.execute_batch(sql).map_err(failed);
            jobs.push(Box::new(Request { work, result: None, answer }));
            receivers.push(receiver);
        }
        let clock: Clock = Arc::new(Timestamp::now);
        commit_group(connection, &clock, &broadcast::channel(1).0, jobs);
        let mut statement = connection.prepare("SELECT x FROM t ORDER BY x").unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap().collect::<rusqlite::Result<_>>().unwrap();
        (receivers.iter_mut().map(|receiver| receiver.try_recv().unwrap().is_ok()).collect(), rows)
    }

    fn table() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE t (x INTEGER NOT NULL)").unwrap();
        connection
    }

    /// SQLite undoes a whole transaction by itself when the disk is full.
    #[test]
    fn who_comes_after_a_lost_transaction_writes_nothing() {
        let connection = table();
        let group = ["INSERT INTO t VALUES (1)", "ROLLBACK", "INSERT INTO t VALUES (2)"];
        assert_eq!(written(&connection, &group), (vec![false, false, false], vec![]));
        let next = written(&connection, &["INSERT INTO t VALUES (3)"]);
        assert_eq!(next, (vec![true], vec![3]), "the next group has a transaction again");
    }

    #[test]
    fn one_that_fails_takes_nobody_with_it() {
        let connection = table();
        let group = ["INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (2), (NULL)", "INSERT INTO t VALUES (3)"];
        assert_eq!(written(&connection, &group), (vec![true, false, true], vec![1, 3]));
    }
}
