//! The Postgres store: the conformance suite, and what only a server has.

use std::sync::Arc;

use async_trait::async_trait;
use waymark_store::conformance::{Cluster, Harness, exercise};
use waymark_store::postgres::{PostgresOptions, PostgresStore};
use waymark_store::{Change, Error, Message, NewInstance, NewVersion, Store};

async fn open(url: &str) -> PostgresStore {
    PostgresStore::connect(url, PostgresOptions::default()).await.expect("connected")
}

struct Databases;

#[async_trait]
impl Harness for Databases {
    async fn fresh(&self) -> Arc<dyn Store> {
        Arc::new(open(&Cluster::shared().database(true).await).await)
    }

    async fn poisoned(&self) -> Arc<dyn Store> {
        let store = open(&Cluster::shared().database(true).await).await;
        let check = "ALTER TABLE runner_actions_done ADD CHECK (worker <> 'poison')";
        store.run_sql(check).await.expect("spoilt");
        Arc::new(store)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_conforms() {
    exercise(Arc::new(Databases)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_may_start_at_once_and_a_newer_schema_is_refused() {
    let url = Cluster::shared().database(false).await;
    let openers: Vec<_> = (0..6)
        .map(|_| {
            let url = url.clone();
            tokio::spawn(async move { open(&url).await.fingerprint().await.unwrap() })
        })
        .collect();
    let mut fingerprints = Vec::new();
    for opener in openers {
        fingerprints.push(opener.await.unwrap());
    }
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), 1);

    let store = open(&url).await;
    store.run_sql("INSERT INTO waymark_migrations VALUES (99, 'later', 'x')").await.unwrap();
    match PostgresStore::connect(&url, PostgresOptions::default()).await {
        Err(error @ Error::NewerSchema { found: 99, .. }) => assert!(error.to_string().contains("newer Waymark")),
        other => panic!("opened: {:?}", other.map(|_| ())),
    }
    assert!(matches!(waymark_store::open("mysql://nobody").await, Err(Error::Refused { .. })));
    let nobody = PostgresStore::connect("postgres://nobody@127.0.0.1:1/none", PostgresOptions::default()).await;
    assert!(matches!(nobody, Err(Error::Unavailable { .. })), "{:?}", nobody.map(|_| ()));
}

/// What one process does, another hears of; an identity has one holder among processes; a broken connection heals.
#[tokio::test(flavor = "multi_thread")]
async fn processes_hear_of_each_other() {
    let url = Cluster::shared().database(true).await;
    let (here, there) = (open(&url).await, open(&url).await);
    let mut changes = there.changes();
    let id = start(&here, 1).await;
    let message = Message {
        instance_id: id,
        message_id: uuid::Uuid::now_v7(),
        kind: "signal".into(),
        name: "go".into(),
        payload: Vec::new(),
    };
    here.put_inbox(vec![message]).await.unwrap();
    expect(&mut changes, Change::Inbox(id)).await;

    assert_eq!(here.free_own_leases("engine-a").await.unwrap(), 0);
    assert!(matches!(there.free_own_leases("engine-a").await, Err(Error::InUse { .. })));

    let kill = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()";
    here.run_sql(kill).await.unwrap();
    expect(&mut changes, Change::Resync).await;
    start(&here, 2).await;
    drop(here);
    // The identity goes with its holder.
    for attempt in 0.. {
        match there.free_own_leases("engine-a").await {
            Ok(_) => break,
            Err(error) => assert!(attempt < 100, "{error}"),
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

/// A server that crashes and comes back: errors say what to do meanwhile, what was acknowledged is there, and nobody has to
/// open anything again.
#[tokio::test(flavor = "multi_thread")]
async fn a_crash_of_the_server_is_survived() {
    let cluster = Cluster::start(&[]);
    let store = open(&cluster.database(true).await).await;
    let id = start(&store, 1).await;
    let mut changes = store.changes();
    cluster.crash();
    for _ in 0..3 {
        let error = store.get_instances(vec![id]).await.unwrap_err();
        assert!(matches!(error, Error::Unavailable { .. }), "{error:?}");
        let error = store.reclaim_expired(1).await.unwrap_err();
        assert!(error.is_transient(), "{error:?}");
    }
    cluster.start_again();
    expect(&mut changes, Change::Resync).await;
    assert!(store.get_instances(vec![id]).await.unwrap()[0].is_some());
    start(&store, 2).await;
}

async fn start(store: &PostgresStore, number: u32) -> uuid::Uuid {
    let version = NewVersion {
        workflow_name: format!("workflow-{number}"),
        workflow_version: "1".into(),
        ir_hash: "hash".into(),
        program_proto: Vec::new(),
        source: None,
    };
    let workflow_version_id = store.register_version(version).await.unwrap().workflow_version_id;
    let new = NewInstance::new(uuid::Uuid::now_v7(), workflow_version_id, Vec::new());
    let id = new.instance_id;
    store.queue_instances(vec![new]).await.unwrap();
    id
}

async fn expect(changes: &mut waymark_store::Changes, expected: Change) {
    let wait = async { while changes.recv().await.expect("not behind") != expected {} };
    tokio::time::timeout(std::time::Duration::from_secs(20), wait).await.expect("the change was told");
}

/// A queue of sleepers costs a claim nothing: it goes by the partial index and touches a handful of pages.
#[tokio::test(flavor = "multi_thread")]
async fn a_claim_never_looks_at_sleepers() {
    let store = open(&Cluster::shared().database(true).await).await;
    start(&store, 1).await;
    let due = "INSERT INTO queued_instances (instance_id, queue, priority, scheduled_at)
        SELECT gen_random_uuid(), 'default', n % 4, now() - interval '1 second' FROM generate_series(1, 9) n";
    store.run_sql(due).await.unwrap();
    let alone = pages_to_find_ten(&store).await;
    // However slow the machine is.
    let sleepers =
        "SET statement_timeout = 0; INSERT INTO queued_instances (instance_id, queue, priority, scheduled_at)
        SELECT gen_random_uuid(), 'default', n % 4, now() + interval '1 hour' + n * interval '1 second'
        FROM generate_series(1, 1000000) n";
    store.run_sql(sleepers).await.unwrap();
    let among_a_million = pages_to_find_ten(&store).await;
    // The index is two levels deeper, and is looked into once a priority.
    assert!(among_a_million <= alone + 20, "{among_a_million} pages instead of {alone}");
}

/// Plans a claim and carries it out, but for keeping what it did.
async fn pages_to_find_ten(store: &PostgresStore) -> u64 {
    store.run_sql("VACUUM ANALYZE queued_instances").await.unwrap();
    let claim = PostgresStore::claim_sql();
    let explain = format!("BEGIN; EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) {claim}; ROLLBACK");
    let plan = store.run_sql(&explain).await.unwrap();
    let text = plan.join("\n");
    assert!(text.contains("Index Scan using queued_instances_due"), "{text}");
    assert!(!text.contains("Seq Scan on queued_instances"), "{text}");
    let after = plan.iter().skip_while(|line| !line.contains("CTE picked"));
    let picked = after.clone().find(|line| line.contains("queued_instances_due")).unwrap();
    assert!(!picked.contains("never executed"), "{text}");
    let buffers = after.clone().find(|line| line.contains("Buffers:")).unwrap();
    let count = |what: &str| -> u64 {
        buffers.split(what).nth(1).map_or(0, |rest| rest.split(' ').next().unwrap().parse().unwrap())
    };
    assert!(after.clone().next().is_some_and(|line| line.contains("CTE picked")), "{text}");
    count("hit=") + count("read=")
}

/// As when a newer process of a rolling upgrade migrates the database: statements that were prepared before are prepared anew.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_gets_a_column_is_still_read() {
    let store = open(&Cluster::shared().database(true).await).await;
    let nobody = vec![uuid::Uuid::now_v7()];
    // Several connections of the pool have prepared it.
    let reads = (0..8).map(|_| store.read_inbox(nobody.clone()));
    assert!(futures_util::future::join_all(reads).await.iter().all(Result::is_ok));
    store.run_sql("ALTER TABLE instance_inbox ADD COLUMN later integer").await.unwrap();
    let reads = (0..8).map(|_| store.read_inbox(nobody.clone()));
    for read in futures_util::future::join_all(reads).await {
        assert!(read.unwrap().is_empty());
    }
}

/// Somebody took a table away: that is nobody's request's fault, and once it is back everything goes on.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_without_its_tables_is_unusable_and_not_at_fault() {
    let store = open(&Cluster::shared().database(true).await).await;
    store.run_sql("ALTER TABLE runner_instances RENAME TO elsewhere").await.unwrap();
    let error = store.get_instances(vec![uuid::Uuid::now_v7()]).await.unwrap_err();
    assert!(matches!(error, Error::Unusable { .. }) && error.is_transient(), "{error:?}");
    store.run_sql("ALTER TABLE elsewhere RENAME TO runner_instances").await.unwrap();
    assert_eq!(store.get_instances(vec![uuid::Uuid::now_v7()]).await.unwrap(), [None]);
}

/// A role named `waymark` finds the schema of the functions first in its search path: the tables stay where they are. And in a schema of their
/// own the functions are beside them.
#[tokio::test(flavor = "multi_thread")]
async fn tables_stay_in_their_schema() {
    let url = Cluster::shared().database(false).await;
    let first = open(&url).await;
    let fingerprint = first.fingerprint().await.unwrap();
    drop(first);
    let again = open(&url).await;
    assert_eq!(again.fingerprint().await.unwrap(), fingerprint);
    let find = |name: &str| {
        format!(
            "SELECT n.nspname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE p.proname = '{name}' ORDER BY 1"
        )
    };
    assert_eq!(again.run_sql(&find("start_packed")).await.unwrap(), ["waymark"]);
    again.run_sql("CREATE SCHEMA \"Other one\"").await.unwrap();
    let other = open(&format!("{url}?options=-c%20search_path%3D\"Other%5C%20one\"")).await;
    assert_ne!(other.fingerprint().await.unwrap(), fingerprint);
    assert_eq!(again.run_sql(&find("start_packed")).await.unwrap(), ["Other one", "waymark"]);
}
