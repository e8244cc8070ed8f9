//! The SQLite store: the conformance suite, and what only a file has.

use std::sync::Arc;

use async_trait::async_trait;
use tempfile::TempDir;
use waymark_store::conformance::{Harness, exercise};
use waymark_store::sqlite::{SqliteOptions, SqliteStore};
use waymark_store::{Error, FaultyStore, Schedule, Store, Timestamp};

const POISON: &str = "CREATE TRIGGER poison BEFORE INSERT ON runner_actions_done WHEN NEW.worker = 'poison'
    BEGIN SELECT RAISE(ABORT, 'poison'); END";

struct Files {
    folder: TempDir,
}

impl Files {
    fn open(&self) -> SqliteStore {
        let path = self.folder.path().join(format!("{}.db", uuid::Uuid::now_v7()));
        let options = SqliteOptions { durable: false, ..SqliteOptions::default() };
        SqliteStore::open(path, options).expect("opened")
    }
}

#[async_trait]
impl Harness for Files {
    async fn fresh(&self) -> Arc<dyn Store> {
        Arc::new(self.open())
    }

    async fn poisoned(&self) -> Arc<dyn Store> {
        let store = self.open();
        store.run_sql(POISON).await.expect("spoilt");
        Arc::new(store)
    }
}

struct Memory;

#[async_trait]
impl Harness for Memory {
    async fn fresh(&self) -> Arc<dyn Store> {
        Arc::new(SqliteStore::in_memory(Arc::new(Timestamp::now)).expect("opened"))
    }

    async fn poisoned(&self) -> Arc<dyn Store> {
        let store = SqliteStore::in_memory(Arc::new(Timestamp::now)).expect("opened");
        store.run_sql(POISON).await.expect("spoilt");
        Arc::new(store)
    }
}

/// A wrapper that does nothing is as good as what it wraps.
struct Wrapped;

#[async_trait]
impl Harness for Wrapped {
    async fn fresh(&self) -> Arc<dyn Store> {
        Arc::new(FaultyStore::new(Memory.fresh().await, Schedule::quiet()))
    }

    async fn poisoned(&self) -> Arc<dyn Store> {
        Arc::new(FaultyStore::new(Memory.poisoned().await, Schedule::quiet()))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quiet_faulty_store_conforms() {
    exercise(Arc::new(Wrapped)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_conforms() {
    exercise(Arc::new(Files { folder: TempDir::new().expect("a temporary folder") })).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_conforms() {
    exercise(Arc::new(Memory)).await;
}

#[tokio::test]
async fn a_file_has_one_owner_and_remembers() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("new").join("waymark.db");
    let first = SqliteStore::open(&path, SqliteOptions::default()).unwrap();
    let fingerprint = first.fingerprint().await.unwrap();
    match SqliteStore::open(&path, SqliteOptions::default()) {
        Err(Error::InUse { holder, .. }) => assert_eq!(holder, format!("process {}", std::process::id())),
        other => panic!("opened twice: {:?}", other.map(|_| ())),
    }
    drop(first);
    let again = waymark_store::open(&format!("sqlite:{}", path.display())).await.unwrap();
    assert_eq!(again.fingerprint().await.unwrap(), fingerprint);
    drop(again);

    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute_batch("INSERT INTO waymark_migrations VALUES (99, 'later', 'x')").unwrap();
    match SqliteStore::open(&path, SqliteOptions::default()) {
        Err(error @ Error::NewerSchema { found: 99, .. }) => assert!(error.to_string().contains("newer Waymark")),
        other => panic!("opened: {:?}", other.map(|_| ())),
    }
}
