//! Versions over real sockets, on both stores: which instances run what, what a new program means for them, and moving them.

#[path = "bridge/harness.rs"]
#[allow(dead_code, reason = "shared with the tests of the bridge")]
mod harness;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use harness::*;
use tonic::Code;
use uuid::Uuid;
use waymark_engine::{history, migration};
use waymark_ir::{Value, payload};
use waymark_proto::bridge::{
    ActivateVersionRequest, CheckInstancesRequest, FrameVariables, GetFramesRequest, InstanceFilter,
    ListVersionsRequest, MigrateInstancesRequest, MigrationAnswer, MigrationLabel, Start, Version,
};
use waymark_runner::{Effect, Event, Instance, Limits, Lowered, Outcome};
use waymark_store::{Claim, Committed, LogRow, Progress, Store, Timestamp, VersionRef};

const ONE: &str = "fn main():\n    a = @first(1)\n    b = @second(2)\n    c = @third(3)\n    return [a, b, c]\n";
/// The first line is another one, and the end.
const TWO: &str = "fn main():\n    a = @first(100)\n    b = @second(2)\n    c = @third(30)\n    return [a, b, c, 2]\n";
/// It reads a variable that the others don't have.
const THREE: &str = "fn main():\n    rate = 3\n    a = @first(100)\n    b = @second(2)\n    c = @third(30)\n    return [a * rate, b, c]\n";

/// An engine in a few lines: what it holds, event by event.
struct Holder {
    store: Arc<dyn Store>,
    held: HashMap<Uuid, (waymark_store::Lease, Instance)>,
}

impl Holder {
    async fn claim(store: &Arc<dyn Store>) -> Holder {
        let claim = Claim {
            engine: "test".into(),
            queues: vec!["default".into()],
            limit: 100,
            lease: Duration::from_secs(600),
            claims_max: 5,
        };
        let mut held = HashMap::new();
        for claimed in store.claim(claim).await.unwrap().instances {
            let id = claimed.lease.instance_id;
            let version = store.get_version(VersionRef::Id(claimed.workflow_version_id)).await.unwrap();
            let lowered: Arc<Lowered> = waymark_engine::lower(claimed.workflow_version_id, version).unwrap();
            let folded = history::fold(id, lowered, &Limits::default(), claimed.snapshot.as_ref(), &claimed.log);
            held.insert(id, (claimed.lease, folded.unwrap()));
        }
        Holder { store: store.clone(), held }
    }

    /// Applies and commits. None: the lease was lost.
    async fn event(&mut self, id: Uuid, event: Event) -> Option<Vec<Effect>> {
        let (lease, instance) = self.held.get_mut(&id).expect("an instance that is held");
        let before = instance.seq() as i64;
        let effects = instance.apply(1_000_000, event.clone()).unwrap();
        let row = LogRow {
            seq: before + 1,
            kind: event.kind().into(),
            execution_id: None,
            attempt: None,
            outcome: event.encode(),
            happened_at: Timestamp(1_000_000),
            started_at: None,
            worker: None,
            digest: instance.digest(),
        };
        let committed =
            self.store.commit_progress(vec![Progress::new(*lease, before, vec![row]).into()]).await.unwrap();
        matches!(committed[0], Committed::Accepted { .. }).then_some(effects)
    }

    async fn start(&mut self, id: Uuid) {
        self.event(id, Event::Started { inputs: Vec::new() }).await.expect("it starts");
    }

    async fn settle(&mut self, id: Uuid, ordinal: u64, value: i64) -> Option<Vec<Effect>> {
        self.event(id, Event::Settled { ordinal, attempt: 1, outcome: Outcome::Completed(Value::Int(value)) }).await
    }
}

fn label(answers: &[MigrationAnswer], id: Uuid) -> MigrationLabel {
    answers.iter().find(|answer| answer.instance_id == id.as_bytes()).expect("an answer").label()
}

async fn versions(client: &mut Client) -> Vec<Version> {
    client.list_versions(ListVersionsRequest { workflow_name: "steps".into() }).await.unwrap().into_inner().versions
}

fn all() -> Option<InstanceFilter> {
    Some(InstanceFilter { workflow_name: "steps".into(), ..InstanceFilter::default() })
}

async fn check_all(store: Arc<dyn Store>, folder: Option<tempfile::TempDir>) {
    let running = Running::on(store, folder, Setup::default(), false).await;
    let mut client = running.client();
    let one = register(&mut client, "steps", ONE).await.workflow_version;
    let starts = vec![Start { workflow_name: "steps".into(), ..Start::default() }; 4];
    let ids: Vec<Uuid> = start(&mut client, starts).await.iter().map(|result| outcome(result).unwrap().0).collect();
    let [at_first, at_second, fresh, finished] = ids[..] else { panic!() };
    let mut holder = Holder::claim(&running.store).await;
    for id in [at_first, at_second, finished] {
        holder.start(id).await;
    }
    holder.settle(at_second, 1, 1).await.expect("committed");
    let ending = waymark_store::Ending::Completed { result: payload::encode(&Value::None) };
    let done = Progress {
        next: waymark_store::Next::Finish(ending),
        ..Progress::new(holder.held[&finished].0, 1, Vec::new())
    };
    holder.store.commit_progress(vec![done.into()]).await.unwrap();

    // Before it is deployed: what would it mean?
    let check = CheckInstancesRequest {
        workflow_name: String::new(),
        program_proto: program("steps", TWO),
        cursor: Vec::new(),
    };
    let checked = client.check_instances(check.clone()).await.unwrap().into_inner();
    assert_eq!(checked.answers.len(), 3, "only live ones");
    assert_eq!(label(&checked.answers, at_first), MigrationLabel::StaysOnItsVersion);
    assert_eq!(label(&checked.answers, at_second), MigrationLabel::SafeToMigrate);
    assert_eq!(label(&checked.answers, fresh), MigrationLabel::SafeToMigrate);
    let stays = checked.answers.iter().find(|answer| answer.instance_id == at_first.as_bytes()).unwrap();
    assert_eq!((stays.problems[0].function.as_str(), stays.problems[0].line), ("main", 2), "{:?}", stays.problems);
    let same = CheckInstancesRequest { program_proto: program("steps", ONE), ..check };
    let same = client.check_instances(same).await.unwrap().into_inner();
    assert!(same.answers.iter().all(|answer| answer.label() == MigrationLabel::Same));
    assert_eq!(same.workflow_version, one);
    assert_eq!(versions(&mut client).await.len(), 1, "nothing was registered");

    // Deployed: old ones go on on theirs.
    let two = register(&mut client, "steps", TWO).await.workflow_version;
    let listed = versions(&mut client).await;
    let told: Vec<_> = listed.iter().map(|v| (v.workflow_version.as_str(), v.is_active, v.live_instances)).collect();
    assert_eq!(told, [(two.as_str(), true, 0), (one.as_str(), false, 3)]);

    // A dry run changes nothing.
    let migrate = MigrateInstancesRequest { filter: all(), workflow_version: two.clone(), ..Default::default() };
    let dry = MigrateInstancesRequest { dry_run: true, ..migrate.clone() };
    let answers = client.migrate_instances(dry).await.unwrap().into_inner().answers;
    assert!(answers.iter().all(|answer| !answer.done));
    assert_eq!(versions(&mut client).await[1].live_instances, 3);

    // All that can be moved is moved; the other stays.
    let answers = client.migrate_instances(migrate.clone()).await.unwrap().into_inner().answers;
    let done = |id: Uuid| answers.iter().any(|answer| answer.instance_id == id.as_bytes() && answer.done);
    assert!(done(at_second) && done(fresh) && !done(at_first), "{answers:?}");
    let listed = versions(&mut client).await;
    assert_eq!((listed[0].live_instances, listed[1].live_instances), (2, 1));
    // Whoever had it has lost it, and can't write any more.
    assert_eq!(holder.settle(at_second, 2, 2).await, None, "a stale owner's write is refused");
    holder.settle(at_first, 1, 1).await.expect("the one that stayed is still its owner's");
    // Again: they are there already.
    let answers = client.migrate_instances(migrate).await.unwrap().into_inner().answers;
    assert_eq!(label(&answers, at_second), MigrationLabel::Same);
    // Meanwhile the first is past its line, and is moved too.
    assert!(answers.iter().any(|answer| answer.instance_id == at_first.as_bytes() && answer.done));

    // The new owner goes on with the new code, from the same place, under the same ids.
    let mut holder = Holder::claim(&running.store).await;
    assert_eq!(holder.held.len(), 3);
    let in_flight = holder.held[&at_second].1.in_flight();
    assert!(
        matches!(&in_flight[..], [Effect::Dispatch(call)] if &*call.name == "second" && call.execution.ordinal == 2)
    );
    let effects = holder.settle(at_second, 2, 2).await.expect("committed");
    assert!(
        matches!(&effects[..], [Effect::Dispatch(call)] if call.positional[..] == [Value::Int(30)] && call.execution.ordinal == 3),
        "{effects:?}"
    );
    holder.start(fresh).await;
    let log = running.store.read_log(at_second, 0, 100).await.unwrap();
    let row = log.iter().find(|row| row.kind == migration::MIGRATED).expect("a row in its log");
    assert_eq!(migration::Migrated::decode(row), Some(migration::Migrated { from: one.clone(), to: two.clone() }));

    // A variable is missing, until it is given.
    let three = register(&mut client, "steps", THREE).await.workflow_version;
    let id = at_second.as_bytes().to_vec();
    let move_it = MigrateInstancesRequest {
        instance_ids: vec![id.clone()],
        workflow_version: three.clone(),
        ..Default::default()
    };
    let answers = client.migrate_instances(move_it.clone()).await.unwrap().into_inner().answers;
    assert_eq!((answers[0].label(), answers[0].done), (MigrationLabel::NeedsAMapping, false));
    assert_eq!(answers[0].problems[0].variable, "rate");
    let read = client.get_frames(GetFramesRequest { instance_id: id.clone() }).await.unwrap().into_inner();
    assert_eq!((read.frames.len(), read.frames[0].function.as_str(), read.frames[0].line), (1, "main", 4));
    let expected = Value::Dict(vec![(Value::str("a"), Value::Int(1)), (Value::str("b"), Value::Int(2))]);
    assert_eq!(payload::decode(&read.frames[0].variables).unwrap(), expected);
    let frames = vec![FrameVariables { frame: 0, variables: inputs(&[("rate", Value::Int(7))]) }];
    let late = MigrateInstancesRequest { frames: frames.clone(), expected_seq: Some(read.seq - 1), ..move_it.clone() };
    let answers = client.migrate_instances(late).await.unwrap().into_inner().answers;
    assert!(!answers[0].done && answers[0].problems[0].reason.contains("gone on"), "{answers:?}");
    let given = MigrateInstancesRequest { frames, expected_seq: Some(read.seq), ..move_it.clone() };
    let answers = client.migrate_instances(given).await.unwrap().into_inner().answers;
    assert!(answers[0].done, "{answers:?}");
    let mut holder = Holder::claim(&running.store).await;
    let effects = holder.settle(at_second, 3, 30).await.expect("committed");
    let expected = Value::List(vec![Value::Int(7), Value::Int(2), Value::Int(30)]);
    assert!(
        effects.iter().any(
            |effect| matches!(effect, Effect::Finish(waymark_runner::Ending::Completed(value)) if *value == expected)
        ),
        "{effects:?}"
    );

    // Back to an earlier version, for new runs.
    let activate =
        |version: &str| ActivateVersionRequest { workflow_name: "steps".into(), workflow_version: version.into() };
    client.activate_version(activate(&one)).await.unwrap();
    let listed = versions(&mut client).await;
    assert_eq!(listed.iter().find(|version| version.is_active).unwrap().workflow_version, one);
    let result = start(&mut client, vec![Start { workflow_name: "steps".into(), ..Start::default() }]).await;
    let (id, _) = outcome(&result[0]).unwrap();
    let found = running.store.get_instances(vec![id]).await.unwrap().remove(0).unwrap();
    assert_eq!(found.workflow_version, one);

    // What does not fit is refused, and changes nothing.
    let refused = client.activate_version(activate("no such")).await.unwrap_err();
    assert_eq!(refused.code(), Code::NotFound);
    let unknown = MigrateInstancesRequest { workflow_version: "no such".into(), ..move_it.clone() };
    assert_eq!(client.migrate_instances(unknown).await.unwrap_err().code(), Code::NotFound);
    let nobody = MigrateInstancesRequest { instance_ids: vec![Uuid::nil().as_bytes().to_vec()], ..move_it.clone() };
    assert_eq!(client.migrate_instances(nobody).await.unwrap_err().code(), Code::NotFound);
    let none = MigrateInstancesRequest { instance_ids: Vec::new(), ..move_it.clone() };
    assert_eq!(client.migrate_instances(none).await.unwrap_err().code(), Code::InvalidArgument);
    let over = MigrateInstancesRequest { instance_ids: vec![finished.as_bytes().to_vec()], ..move_it.clone() };
    let answers = client.migrate_instances(over).await.unwrap().into_inner().answers;
    assert!(!answers[0].done && answers[0].problems[0].reason == "it has finished", "{answers:?}");
    let wrong = MigrateInstancesRequest { variables: vec![0xc1], ..move_it };
    assert_eq!(client.migrate_instances(wrong).await.unwrap_err().code(), Code::InvalidArgument);
}

#[tokio::test(flavor = "multi_thread")]
async fn instances_move_between_versions_on_sqlite() {
    let (store, folder) = sqlite();
    check_all(store, Some(folder)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn instances_move_between_versions_on_postgres() {
    let (store, _) = postgres().await;
    check_all(store, None).await;
}
