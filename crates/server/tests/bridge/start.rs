//! Starting instances.

use std::sync::Arc;
use std::time::Duration;

use tonic::Code;
use uuid::Uuid;
use waymark_engine::runtime::{self, Dispatcher, Reports};
use waymark_engine::{Job, JobKey};
use waymark_ir::{Value, payload};
use waymark_proto::bridge::{InstanceStatus, Start, StartInstancesRequest};
use waymark_server::bridge::Options;
use waymark_store::{Fault, FaultyStore, InstanceFilter, Schedule, Status};

use crate::harness::*;

async fn count(running: &Running) -> usize {
    let filter = InstanceFilter { limit: 1_000, ..InstanceFilter::default() };
    running.store.list_instances(filter).await.unwrap().instances.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_start_has_its_own_answer() {
    let options = Options { payload_bytes_max: 1_000, ..Setup::default().options };
    let (running, mut client) = Running::with_greet(Setup { options, ..Setup::default() }).await;
    let named = |entries: &[(&str, Value)]| Start { inputs: inputs(entries), ..greet() };
    let ada = || ("name", Value::str("Ada"));
    let signature = "workflow greet takes (name, times=…)";
    // A start, the reason it is refused for (none: it is not) and what the message says.
    let cases: Vec<(Start, &str, Vec<&str>)> = vec![
        (greet(), "", vec![]),
        (named(&[ada(), ("times", Value::Int(3))]), "", vec![]),
        (
            named(&[("nmae", Value::Int(1))]),
            "BAD_INPUTS",
            vec![signature, "missing name", "unknown nmae (did you mean name?)"],
        ),
        (
            named(&[ada(), ("x", Value::None), ("y", Value::None)]),
            "BAD_INPUTS",
            vec![signature, "unknown x", "unknown y"],
        ),
        (Start { inputs: Vec::new(), ..greet() }, "BAD_INPUTS", vec![signature, "missing name"]),
        (Start { inputs: b"\xc1".to_vec(), ..greet() }, "BAD_INPUTS", vec!["greet", "can't be read", "hint: "]),
        (Start { inputs: b"\x81\xa4na".to_vec(), ..greet() }, "BAD_INPUTS", vec!["ends in the middle"]),
        (
            Start { inputs: payload::encode(&Value::List(vec![])), ..greet() },
            "BAD_INPUTS",
            vec!["no map", "(name, times=…)"],
        ),
        (
            Start { inputs: payload::encode(&Value::Dict(vec![(Value::Int(1), Value::None)])), ..greet() },
            "BAD_INPUTS",
            vec!["no string"],
        ),
        (named(&[("name", Value::str("x".repeat(1_000)))]), "TOO_LARGE", vec!["greet", "1009", "1000", "hint: "]),
        (Start { workflow_name: "gret".into(), ..greet() }, "UNKNOWN_WORKFLOW", vec!["gret", "did you mean greet?"]),
        (
            Start { workflow_name: "billing".into(), ..greet() },
            "UNKNOWN_WORKFLOW",
            vec!["billing", "register it first"],
        ),
        (Start { workflow_version: "9".into(), ..greet() }, "UNKNOWN_VERSION", vec!["greet", "no version 9", "hint: "]),
        (
            Start { workflow_name: "gret".into(), workflow_version: "9".into(), ..greet() },
            "UNKNOWN_WORKFLOW",
            vec!["greet?"],
        ),
        (Start { workflow_name: String::new(), ..greet() }, "BAD_REQUEST", vec!["workflow_name"]),
        (Start { workflow_name: "w".repeat(257), ..greet() }, "BAD_REQUEST", vec!["workflow_name", "257", "256"]),
        (Start { instance_id: vec![1; 15], ..greet() }, "BAD_REQUEST", vec!["instance_id", "15", "16"]),
        (Start { instance_id: vec![7; 16], ..greet() }, "BAD_REQUEST", vec!["instance_id", "UUIDv7"]),
        (Start { priority: Some(4), ..greet() }, "BAD_REQUEST", vec!["priority 4", "0 (first) to 3 (last)"]),
        (Start { priority: Some(3), ..greet() }, "", vec![]),
        (Start { start_at_us: Some(-1), ..greet() }, "BAD_REQUEST", vec!["start_at_us -1"]),
        (Start { start_at_us: Some(i64::MAX), ..greet() }, "BAD_REQUEST", vec!["9999"]),
        (Start { id: "x".repeat(513), ..greet() }, "BAD_REQUEST", vec!["id has 513 bytes", "512"]),
        (Start { id: "a\0b".into(), ..greet() }, "BAD_REQUEST", vec!["id", "NUL"]),
        (Start { queue: "q".repeat(257), ..greet() }, "BAD_REQUEST", vec!["queue has 257 bytes"]),
        (Start { tags: vec!["t".repeat(16_385)], ..greet() }, "BAD_REQUEST", vec!["a tag has 16385 bytes"]),
        (greet(), "", vec![]),
    ];
    let starts = cases.iter().map(|(start, ..)| start.clone()).collect();
    let results = start(&mut client, starts).await;
    assert_eq!(results.len(), cases.len());
    for ((start, expected, parts), result) in cases.iter().zip(&results) {
        match outcome(result) {
            Ok((_, created)) => assert!(created && expected.is_empty(), "{start:?} was started"),
            Err((reason, message)) => {
                assert_eq!(reason, *expected, "{message}");
                for part in parts {
                    assert!(message.contains(part), "no {part:?} in {message}");
                }
            }
        }
    }
    assert_eq!(count(&running).await, cases.iter().filter(|(_, expected, _)| expected.is_empty()).count());

    assert!(start(&mut client, Vec::new()).await.is_empty());
    let many = StartInstancesRequest { starts: vec![Start::default(); 10_001], wait_ms: 0 };
    let status = client.start_instances(many).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument, "{status}");
    assert!(status.message().contains("10001") && status.message().contains("10000"), "{status}");
    let huge = Start { inputs: vec![0; 2 << 20], ..greet() };
    let status = client.start_instances(StartInstancesRequest { starts: vec![huge], wait_ms: 0 }).await.unwrap_err();
    assert_eq!(status.code(), Code::OutOfRange, "larger than a message may be: {status}");
    assert_eq!(start(&mut client, vec![greet()]).await.len(), 1, "and the bridge goes on");
}

async fn starts_are_idempotent(running: Running) {
    let mut client = running.client();
    register(&mut client, "greet", GREET).await;
    let id = Uuid::now_v7();
    let own = Start { instance_id: id.as_bytes().to_vec(), ..greet() };
    let keyed = Start { id: "order-1".into(), ..greet() };
    let other = Start { inputs: inputs(&[("name", Value::str("Bob"))]), ..keyed.clone() };

    assert_eq!(outcome(&start(&mut client, vec![own.clone()]).await[0]), Ok((id, true)));
    assert_eq!(outcome(&start(&mut client, vec![own]).await[0]), Ok((id, false)));
    let (first, created) = outcome(&start(&mut client, vec![keyed.clone()]).await[0]).unwrap();
    assert!(created);
    let results = start(&mut client, vec![keyed.clone(), other.clone(), greet()]).await;
    assert_eq!(outcome(&results[0]), Ok((first, false)));
    let (reason, message) = outcome(&results[1]).unwrap_err();
    assert_eq!(reason, "ID_TAKEN");
    assert!(message.contains(&first.to_string()) && message.contains("hint: "), "{message}");
    assert!(matches!(outcome(&results[2]), Ok((_, true))), "the others are started");
    assert_eq!(count(&running).await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn starts_are_idempotent_on_sqlite() {
    starts_are_idempotent(Running::start(Setup::default()).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn starts_are_idempotent_on_postgres() {
    let (store, _) = postgres().await;
    starts_are_idempotent(Running::on(store, None, Setup::default(), false).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn starts_of_many_callers_share_commits() {
    let (running, mut client) = Running::with_greet(Setup::default()).await;
    started(&mut client, 1).await;
    let before = running.faulty.calls("queue_and_claim");
    // A slow database: while it works on two commits, the callers gather.
    for _ in 0..2 {
        running.faulty.inject(Fault::Delay(Duration::from_secs(1)));
    }
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..500 {
        let mut client = client.clone();
        calls.spawn(async move { started(&mut client, 1).await[0] });
    }
    let ids: std::collections::HashSet<Uuid> = calls.join_all().await.into_iter().collect();
    assert_eq!(ids.len(), 500);
    assert_eq!(count(&running).await, 501);
    let commits = running.faulty.calls("queue_and_claim") - before;
    assert!(commits <= 50, "{commits} commits for 500 starts");

    // A call that is larger than a commit takes several, and still gets all its answers, in order.
    let options = Options { start_batch: 7, ..Setup::default().options };
    let (running, mut client) = Running::with_greet(Setup { options, ..Setup::default() }).await;
    let own: Vec<Uuid> = (0..50).map(|_| Uuid::now_v7()).collect();
    let starts = own.iter().map(|id| Start { instance_id: id.as_bytes().to_vec(), ..greet() }).collect();
    let results = start(&mut client, starts).await;
    assert_eq!(results.iter().map(|result| outcome(result).unwrap().0).collect::<Vec<_>>(), own);
    assert_eq!(running.faulty.calls("queue_and_claim"), 8, "50 starts, 7 a commit");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_away_for_a_moment_is_waited_for() {
    let options = Options { patience: Duration::from_secs(2), ..Setup::default().options };
    let (running, mut client) = Running::with_greet(Setup { options, ..Setup::default() }).await;
    started(&mut client, 1).await;
    let faults = [Fault::Before, Fault::After, Fault::Disconnect { calls: 3 }];
    for (number, fault) in faults.into_iter().enumerate() {
        running.faulty.inject(fault);
        started(&mut client, 1).await;
        assert_eq!(count(&running).await, number + 2, "{fault:?} starts nothing twice");
    }
    running.faulty.inject(Fault::Disconnect { calls: 1_000 });
    let request = StartInstancesRequest { starts: vec![greet()], wait_ms: 0 };
    let status = client.start_instances(request).await.unwrap_err();
    assert_eq!(status.code(), Code::Unavailable);
    assert!(status.message().contains("database") && status.message().contains("hint: "), "{status}");
    running.faulty.enable(true);
    assert_eq!(count(&running).await, 4);
    started(&mut client, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_that_another_process_activated_is_used() {
    // Told by the store; or, where that is lost, found out in time.
    let mut short = Setup::default();
    short.options.version_age_max = Duration::from_millis(20);
    for running in [Running::start(Setup::default()).await, Running::deaf(short).await] {
        let mut client = running.client();
        let first = register(&mut client, "greet", GREET).await;
        let second = register(&mut client, "greet", "fn main(input: [person]):\n    return person\n").await;
        let takes_name = async |client: &mut Client| outcome(&start(client, vec![greet()]).await[0]).is_ok();
        assert!(!takes_name(&mut client).await);
        let id = |version: &[u8]| Uuid::from_slice(version).unwrap();
        assert!(running.store.activate_version(id(&first.workflow_version_id)).await.unwrap());
        eventually("the first version is used", async || takes_name(&mut client.clone()).await).await;
        assert!(running.store.activate_version(id(&second.workflow_version_id)).await.unwrap());
        eventually("the second version is used", async || !takes_name(&mut client.clone()).await).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_known_version_is_not_read_again() {
    let (running, mut client) = Running::with_greet(Setup::default()).await;
    started(&mut client, 3).await;
    let before = running.faulty.calls("get_version");
    for _ in 0..20 {
        started(&mut client, 5).await;
    }
    // The news that it was registered may come after the first start: then it is read once more.
    let again = running.faulty.calls("get_version") - before;
    assert!(again <= 1, "{again} of 20 rounds read it again");
}

/// No workers are needed.
struct Nobody;

impl Dispatcher for Nobody {
    fn run(&self, job: Job, _reports: &Reports) {
        panic!("{job:?}");
    }

    fn cancel(&self, _key: JobKey) {}
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_engine_of_the_process_claims_with_the_start_it_gets() {
    // Neither side hears anything from the store.
    let running = Running::deaf(Setup::default()).await;
    let mut client = running.client();
    register(&mut client, "greet", GREET).await;
    // It looks for work once, hears of none, and leases don't run out: all that it has is handed over.
    let store = FaultyStore::new(running.store.clone(), Schedule::quiet());
    store.mute();
    let never = Duration::from_secs(3600);
    let options = waymark_engine::Options { poll: never, lease: never, ..Default::default() };
    let engine =
        runtime::run(Arc::new(store), options, Arc::new(Nobody), running.intake.clone(), running.shutdown.clone());
    assert!(running.intake.offer().is_none(), "nobody is there");
    let engine = tokio::spawn(engine);
    eventually("an engine is there", async || running.intake.offer().is_some()).await;

    let named = || Start { instance_id: Uuid::now_v7().as_bytes().to_vec(), ..greet() };

    // An answer that is lost is asked for again.
    for fault in [Fault::None, Fault::After, Fault::Before] {
        running.faulty.inject(fault);
        let ids = started(&mut client, 3).await;
        for id in ids {
            eventually("it has ended", async || {
                let instance = running.store.get_instances(vec![id]).await.unwrap().remove(0).unwrap();
                instance.status == Status::Completed
            })
            .await;
        }
    }
    // And back: nobody has to look how it ended.
    for _ in 0..20 {
        let request = StartInstancesRequest { starts: vec![named()], wait_ms: 60_000 };
        let answer = client.start_instances(request).await.unwrap().into_inner();
        let (id, _) = outcome(&answer.results[0]).unwrap();
        let ended = answer.ended.expect("it has ended");
        let stored = running.store.get_instances(vec![id]).await.unwrap().remove(0).unwrap();
        assert_eq!((ended.status(), &ended.result), (InstanceStatus::Completed, &stored.result));
        assert_eq!((ended.instance_id, ended.workflow_name), (id.as_bytes().to_vec(), "greet".to_string()));
    }
    assert_eq!(running.faulty.calls("get_instances"), 0);
    running.shutdown.cancel();
    engine.await.unwrap().unwrap();
    assert!(running.intake.offer().is_none(), "nobody is there any more");
}
