//! The Postgres store: the conformance suite, and what only a server has.

use std::sync::Arc;

use async_trait::async_trait;
use waymark_store::conformance::{Cluster, Harness, exercise};
use waymark_store::postgres::{PostgresOptions, PostgresStore};
use waymark_store::{
    Change, Error, Fired, Firing, LogRow, Message, NewInstance, NewVersion, Parent, PutSchedule, Rewrite, Rewritten,
    ScheduleKey, SchedulePosition, ScheduleStatus, Status, Store, Terminated, Termination, Timestamp,
};

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

/// What says something to an instance whose row is being written by another waits for that one, and then says it.
#[tokio::test(flavor = "multi_thread")]
async fn who_is_written_to_is_told_by_all_who_waited_for_it() {
    let store = Arc::new(open(&Cluster::shared().database(true).await).await);
    let parent = start(&store, 1).await;
    let version = store.get_instances(vec![parent]).await.unwrap()[0].as_ref().unwrap().workflow_version_id;
    for told_by in ["rewrite", "firing", "termination"] {
        let child = NewInstance {
            parent: Some(Parent { instance_id: parent, execution_id: "1/1".into() }),
            ..NewInstance::new(uuid::Uuid::now_v7(), version, Vec::new())
        };
        let id = child.instance_id;
        store.queue_instances(vec![child]).await.unwrap();
        let firing = firing(&store, vec![message(id, told_by)]).await;
        let held = Held::for_a_while(&store, id, "").await;
        match told_by {
            "rewrite" => {
                let asked = rewrite(parent, vec![message(id, told_by)]);
                assert_eq!(store.rewrite_instances(vec![asked]).await.unwrap(), [Rewritten::Done]);
            }
            "firing" => {
                assert_eq!(store.fire_schedules(vec![firing]).await.unwrap(), [Fired::Done { started: 0 }]);
            }
            _ => {
                let asked = termination(parent, told_by);
                assert_eq!(store.terminate_instances(vec![asked]).await.unwrap(), [Terminated::Done]);
            }
        }
        held.was_waited_for().await;
        let inbox = store.read_inbox(vec![id]).await.unwrap().remove(0);
        let names: Vec<&str> = inbox.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!((names, inbox.wake_seq), (vec![told_by], 1));
    }
}

fn rewrite(instance_id: uuid::Uuid, mail: Vec<Message>) -> Rewrite {
    let log = LogRow {
        seq: 1,
        kind: "rewound".into(),
        execution_id: None,
        attempt: None,
        outcome: Vec::new(),
        happened_at: Timestamp(1),
        started_at: None,
        worker: None,
        digest: 0,
    };
    Rewrite {
        instance_id,
        start: None,
        expected_seq: 0,
        was_live: true,
        log,
        snapshot: b"state".to_vec(),
        workflow_version_id: None,
        inputs: None,
        deadline_at: None,
        mail,
        is_paused: false,
    }
}

/// Of a schedule of its own; it starts nothing.
async fn firing(store: &PostgresStore, messages: Vec<Message>) -> Firing {
    let position = SchedulePosition { handled_until: Timestamp(1), buffered_at: None, next_run_at: None };
    let put = PutSchedule {
        schedule_id: uuid::Uuid::now_v7(),
        key: ScheduleKey { workflow_name: "billing".into(), schedule_name: uuid::Uuid::now_v7().to_string() },
        expected_revision: None,
        status: ScheduleStatus::Active,
        definition: Vec::new(),
        position,
    };
    let schedule = store.put_schedule(put).await.unwrap().unwrap();
    Firing {
        schedule_id: schedule.schedule_id,
        expected_revision: schedule.revision,
        last_run: None,
        instances: Vec::new(),
        messages,
        position,
        overlapped: 0,
        missed: 0,
    }
}

/// A child that comes with the commit that a termination waits for is told, too.
#[tokio::test(flavor = "multi_thread")]
async fn children_that_are_just_born_are_told_of_a_termination() {
    let store = Arc::new(open(&Cluster::shared().database(true).await).await);
    let (parent, child) = (start(&store, 1).await, start(&store, 2).await);
    let birth = format!("UPDATE runner_instances SET parent_instance_id = '{parent}' WHERE instance_id = '{child}'");
    let held = Held::for_a_while(&store, parent, &birth).await;
    let asked = termination(parent, "cancel");
    assert_eq!(store.terminate_instances(vec![asked]).await.unwrap(), [Terminated::Done]);
    held.was_waited_for().await;
    let inbox = store.read_inbox(vec![child]).await.unwrap().remove(0);
    assert_eq!((inbox.rows.len(), inbox.wake_seq), (1, 1));
}

/// An end that a rewrite waits for is one that its caller has not seen.
#[tokio::test(flavor = "multi_thread")]
async fn a_rewrite_does_not_undo_the_end_it_waited_for() {
    let store = Arc::new(open(&Cluster::shared().database(true).await).await);
    let id = start(&store, 1).await;
    let end = format!(
        "UPDATE runner_instances SET status = 'terminated', finished_at = now() WHERE instance_id = '{id}';
         DELETE FROM queued_instances WHERE instance_id = '{id}'"
    );
    let held = Held::for_a_while(&store, id, &end).await;
    let answers = store.rewrite_instances(vec![rewrite(id, Vec::new())]).await.unwrap();
    assert_eq!(answers, [Rewritten::Moved { seq: 0 }]);
    held.was_waited_for().await;
    let seen = store.get_instances(vec![id]).await.unwrap().remove(0).unwrap();
    assert_eq!(seen.status, Status::Terminated);
}

/// A row that somebody has locked.
struct Held {
    by: tokio::task::JoinHandle<()>,
    since: std::time::Instant,
}

impl Held {
    const SECONDS: f64 = 0.5;

    /// It becomes another version of itself in a moment, and `also` happens in the same commit.
    async fn for_a_while(store: &Arc<PostgresStore>, id: uuid::Uuid, also: &str) -> Held {
        let hold = format!(
            "BEGIN; UPDATE queued_instances SET claims = claims + 1 WHERE instance_id = '{id}'; SELECT pg_sleep({}); {also}; COMMIT",
            Held::SECONDS
        );
        let (holder, since) = (store.clone(), std::time::Instant::now());
        let by = tokio::spawn(async move { drop(holder.run_sql(&hold).await.expect("held")) });
        let look = format!("SELECT 1 FROM queued_instances WHERE instance_id = '{id}' FOR UPDATE NOWAIT");
        while store.run_sql(&look).await.is_ok() {
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
        Held { by, since }
    }

    /// By what has just been done.
    async fn was_waited_for(self) {
        assert!(self.since.elapsed().as_secs_f64() >= Held::SECONDS, "nobody waited for whoever has the row");
        self.by.await.unwrap();
    }
}

fn termination(instance_id: uuid::Uuid, told: &str) -> Termination {
    Termination {
        instance_id,
        error: b"enough".to_vec(),
        parent_message: None,
        child_message: Some(message(uuid::Uuid::nil(), told)),
        abandoned: Vec::new(),
    }
}

fn message(instance_id: uuid::Uuid, name: &str) -> Message {
    Message {
        instance_id,
        message_id: uuid::Uuid::now_v7(),
        kind: "cancel".into(),
        name: name.into(),
        payload: b"enough".to_vec(),
    }
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
