//! Waiting for instances. Sweeps come once an hour, so whatever arrives was pushed.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use tonic::{Code, Status, Streaming};
use uuid::Uuid;
use waymark_ir::{Value, payload};
use waymark_proto::bridge::{
    EndedInstances, Instance, InstanceStatus, Start, StartInstancesRequest, WaitForInstancesRequest,
};
use waymark_store::{Change, Ending, Fault};

use crate::harness::*;

/// Instances one by one, however many come together.
struct Ends {
    stream: Streaming<EndedInstances>,
    come: VecDeque<Instance>,
}

async fn wait(client: &mut Client, ids: &[Uuid], timeout_ms: u64) -> Result<Ends, Status> {
    let instance_ids = ids.iter().map(|id| id.as_bytes().to_vec()).collect();
    let stream = client.wait_for_instances(WaitForInstancesRequest { instance_ids, timeout_ms }).await?.into_inner();
    Ok(Ends { stream, come: VecDeque::new() })
}

async fn next(ends: &mut Ends) -> Result<Option<Instance>, Status> {
    if ends.come.is_empty() {
        let message = tokio::time::timeout(LIMIT, ends.stream.message()).await.expect("something happens in time")?;
        ends.come.extend(message.map(|ended| ended.instances).unwrap_or_default());
    }
    Ok(ends.come.pop_front())
}

fn id(instance: &Instance) -> Uuid {
    Uuid::from_slice(&instance.instance_id).unwrap()
}

/// All to the end of the stream.
async fn rest(stream: &mut Ends) -> Result<Vec<Uuid>, Status> {
    let mut ids = Vec::new();
    while let Some(instance) = next(stream).await? {
        ids.push(id(&instance));
    }
    Ok(ids)
}

/// The waiter is registered, and has had its first look.
async fn looked_at(running: &Running, count: usize) {
    eventually("the waits are registered", async || running.bridge.waited_for() == count).await;
    eventually("they were looked at", async || running.faulty.calls("get_instances") > 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_answer_to_a_single_start_may_bring_its_end() {
    let (running, client) = Running::with_greet(Setup::default()).await;
    let ask = async |start: Start, wait_ms| {
        let request = StartInstancesRequest { starts: vec![start], wait_ms };
        client.clone().start_instances(request).await.map(|answer| answer.into_inner())
    };
    let named = |id: Uuid| Start { instance_id: id.as_bytes().to_vec(), ..greet() };
    let wanted = Uuid::now_v7();
    let ending = async {
        eventually("it is there", async || running.store.get_instances(vec![wanted]).await.unwrap()[0].is_some()).await;
        Owner::claim(&running.store).await.complete(&[wanted]).await;
    };
    let (answer, ()) = tokio::join!(ask(named(wanted), 60_000), ending);
    let answer = answer.unwrap();
    assert_eq!(outcome(&answer.results[0]), Ok((wanted, true)));
    assert_eq!(answer.ended.as_ref().map(id), Some(wanted));
    assert_eq!(running.faulty.calls("get_instances"), 1, "nobody has looked before it had ended");

    // Whoever asks again, or is refused, does not wait.
    let began = std::time::Instant::now();
    let again = ask(named(wanted), 60_000).await.unwrap();
    assert_eq!((outcome(&again.results[0]), again.ended), (Ok((wanted, false)), None));
    let unknown = ask(Start { workflow_name: "nobody".into(), ..named(Uuid::now_v7()) }, 60_000).await.unwrap();
    assert!(outcome(&unknown.results[0]).is_err() && unknown.ended.is_none());
    assert!(began.elapsed() < Duration::from_secs(30), "nobody has waited");
    // What takes longer is started, and that is the answer.
    let slow = ask(named(Uuid::now_v7()), 50).await.unwrap();
    assert!(outcome(&slow.results[0]).is_ok_and(|(_, created)| created) && slow.ended.is_none());
    eventually("nobody waits any more", async || running.bridge.waited_for() == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn endings_are_pushed() {
    let (running, mut client) = Running::with_greet(Setup::default()).await;
    let ids = started(&mut client, 5).await;
    let owner = Owner::claim(&running.store).await;
    owner.complete(&ids[..1]).await;

    let mut all = wait(&mut client, &ids, 0).await.unwrap();
    let mut twice = wait(&mut client, &[ids[1], ids[1]], 0).await.unwrap();
    let first = next(&mut all).await.unwrap().unwrap();
    assert_eq!(id(&first), ids[0], "what had finished before comes at once");
    assert_eq!(first.status(), InstanceStatus::Completed);
    assert_eq!(payload::decode(first.result()).unwrap(), Value::str("done"));
    assert_eq!(first.inputs, greet().inputs);
    looked_at(&running, 5).await;

    owner.complete(&ids[1..2]).await;
    assert_eq!(id(&next(&mut all).await.unwrap().unwrap()), ids[1]);
    assert_eq!(rest(&mut twice).await.unwrap(), [ids[1]], "once, however often it was named");
    owner.end(&ids[2..3], Ending::Failed { error: b"\xc0".to_vec(), error_type: "ValueError".into() }).await;
    let failed = next(&mut all).await.unwrap().unwrap();
    assert_eq!((id(&failed), failed.status(), failed.error()), (ids[2], InstanceStatus::Failed, b"\xc0".as_slice()));
    owner.end(&ids[3..4], Ending::Cancelled { error: b"\xc0".to_vec() }).await;
    assert_eq!(next(&mut all).await.unwrap().unwrap().status(), InstanceStatus::Cancelled);
    owner.mark_stuck(ids[4], "no such program").await;
    let stuck = next(&mut all).await.unwrap().unwrap();
    assert_eq!((stuck.status(), stuck.stuck_reason.as_str()), (InstanceStatus::Stuck, "no such program"));
    assert!(next(&mut all).await.unwrap().is_none(), "all were sent");
    eventually("nobody waits", async || running.bridge.waited_for() == 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn endings_in_another_process_are_pushed() {
    let (here, there) = postgres().await;
    let running = Running::on(here, None, Setup::default(), false).await;
    let mut client = running.client();
    register(&mut client, "greet", GREET).await;
    let ids = started(&mut client, 3).await;
    let mut stream = wait(&mut client, &ids, 0).await.unwrap();
    looked_at(&running, 3).await;
    let owner = Owner::claim(&there).await;
    owner.complete(&ids[..2]).await;
    owner.mark_stuck(ids[2], "no such program").await;
    let seen: BTreeSet<Uuid> = rest(&mut stream).await.unwrap().into_iter().collect();
    assert_eq!(seen, ids.iter().copied().collect());
}

#[tokio::test(flavor = "multi_thread")]
async fn many_wait_for_many() {
    let (running, mut client) = Running::with_greet(Setup::default()).await;
    let ids = started(&mut client, 1_000).await;
    let owner = Owner::claim(&running.store).await;
    owner.complete(&ids[..400]).await;
    let mut waits = tokio::task::JoinSet::new();
    // A slow database: while it works on two reads, the callers gather.
    for _ in 0..2 {
        running.faulty.inject(Fault::Delay(Duration::from_secs(1)));
    }
    // One slow caller that waits for all, and many that wait for one.
    let mut all = wait(&mut client, &ids, 0).await.unwrap();
    for id in ids.clone() {
        let mut client = client.clone();
        waits.spawn(async move {
            let mut stream = wait(&mut client, &[id], 0).await.unwrap();
            assert_eq!(rest(&mut stream).await.unwrap(), [id]);
        });
    }
    owner.complete(&ids[400..700]).await;
    eventually("many wait", async || running.bridge.waited_for() >= 300).await;
    owner.complete(&ids[700..]).await;
    waits.join_all().await;
    let mut seen = rest(&mut all).await.unwrap();
    seen.sort();
    let mut expected = ids;
    expected.sort();
    assert_eq!(seen, expected, "each once");
    let reads = running.faulty.calls("get_instances");
    assert!(reads < 1_000, "{reads} reads for 2,000 waits: they are shared");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_ends_in_time_with_what_has_finished() {
    let (running, mut client) = Running::with_greet(Setup::default()).await;
    let ids = started(&mut client, 200).await;
    let owner = Owner::claim(&running.store).await;
    owner.complete(&ids[..100]).await;
    let mut stream = wait(&mut client, &ids, 1).await.unwrap();
    let mut seen = rest(&mut stream).await.unwrap();
    seen.sort();
    assert_eq!(seen, ids[..100], "all that had finished, though the time was over at once");
    let mut stream = wait(&mut client, &[], 0).await.unwrap();
    assert!(rest(&mut stream).await.unwrap().is_empty());
    eventually("nobody waits", async || running.bridge.waited_for() == 0).await;
    // A time that no clock can hold is no limit.
    let mut stream = wait(&mut client, &ids[100..101], u64::MAX).await.unwrap();
    looked_at(&running, 1).await;
    owner.complete(&ids[100..101]).await;
    assert_eq!(rest(&mut stream).await.unwrap(), ids[100..101]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_notification_is_caught_by_the_sweep() {
    let mut setup = Setup::default();
    setup.options.sweep = Duration::from_millis(50);
    let running = Running::deaf(setup).await;
    let mut client = running.client();
    register(&mut client, "greet", GREET).await;
    let ids = started(&mut client, 2).await;
    let mut stream = wait(&mut client, &ids, 0).await.unwrap();
    looked_at(&running, 2).await;
    let mut changes = running.store.changes();
    Owner::claim(&running.store).await.complete(&ids).await;
    assert!(matches!(changes.recv().await.unwrap(), Change::Finished(_)), "others were told");
    assert_eq!(rest(&mut stream).await.unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_look_that_failed_is_repeated() {
    let (running, mut client) = Running::with_greet(Setup::default()).await;
    let ids = started(&mut client, 1).await;
    Owner::claim(&running.store).await.complete(&ids).await;
    running.faulty.inject(Fault::Disconnect { calls: 2 });
    let mut stream = wait(&mut client, &ids, 0).await.unwrap();
    assert_eq!(rest(&mut stream).await.unwrap(), ids);
}

#[tokio::test(flavor = "multi_thread")]
async fn waits_that_cannot_end_well_say_why() {
    let (running, mut client) = Running::with_greet(Setup::default()).await;
    let ids = started(&mut client, 1).await;
    let unknown = Uuid::now_v7();
    let mut stream = wait(&mut client, &[ids[0], unknown], 0).await.unwrap();
    let status = rest(&mut stream).await.unwrap_err();
    assert_eq!(status.code(), Code::NotFound);
    assert!(status.message().contains(&unknown.to_string()), "{status}");
    for (instance_ids, part) in [(vec![vec![1; 15]], "15 bytes"), (vec![vec![0; 16]; 10_001], "10001")] {
        let status =
            client.wait_for_instances(WaitForInstancesRequest { instance_ids, timeout_ms: 0 }).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{status}");
        assert!(status.message().contains(part), "{status}");
    }

    let dropped = wait(&mut client, &ids, 0).await.unwrap();
    looked_at(&running, 1).await;
    drop(dropped);
    eventually("who hung up is forgotten", async || running.bridge.waited_for() == 0).await;

    let mut stream = wait(&mut client, &ids, 0).await.unwrap();
    looked_at(&running, 1).await;
    running.shutdown.cancel();
    let status = rest(&mut stream).await.unwrap_err();
    assert_eq!(status.code(), Code::Unavailable, "{status}");
    assert!(status.message().contains("shutting down"), "{status}");
    tokio::time::timeout(LIMIT, running.supervisor.wait()).await.expect("everything ends");
}
