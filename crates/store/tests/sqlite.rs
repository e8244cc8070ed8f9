//! The SQLite store: the conformance suite, and what only a file has.

use std::sync::Arc;

use async_trait::async_trait;
use tempfile::TempDir;
use waymark_store::conformance::{Harness, exercise};
use waymark_store::sqlite::{SqliteOptions, SqliteStore};
use waymark_store::{Error, Store, Timestamp};

const POISON: &str = "CREATE TRIGGER poison BEFORE INSERT ON runner_actions_done WHEN NEW.worker = 'poison'
    BEGIN SELECT RAISE(ABORT, 'poison'); END";

struct Files {
    folder: TempDir,
}

impl Files {
    fn new() -> Arc<Files> {
        Arc::new(Files { folder: TempDir::new().expect("a temporary folder") })
    }
}

#[async_trait]
impl Harness for Files {
    async fn fresh(&self) -> Arc<dyn Store> {
        let path = self.folder.path().join(format!("{}.db", uuid::Uuid::now_v7()));
        let options = SqliteOptions { durable: false, ..SqliteOptions::default() };
        Arc::new(SqliteStore::open(path, options).expect("opened"))
    }

    async fn poison(&self, store: &Arc<dyn Store>) {
        // The name is in the fingerprint's file: the newest database is the one under test.
        let _ = store;
        let mut files: Vec<_> = std::fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "db"))
            .collect();
        files.sort();
        rusqlite::Connection::open(files.last().unwrap()).unwrap().execute_batch(POISON).unwrap();
    }
}

struct Memory;

#[async_trait]
impl Harness for Memory {
    async fn fresh(&self) -> Arc<dyn Store> {
        Arc::new(SqliteStore::in_memory(Arc::new(Timestamp::now)).expect("opened"))
    }

    async fn poison(&self, _store: &Arc<dyn Store>) {}
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_conforms() {
    exercise(Files::new()).await;
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
