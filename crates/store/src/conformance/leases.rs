//! Claims and leases.

use std::time::Duration;

use uuid::Uuid;

use super::{MINUTE, QUEUE, Subject, claim_of, event, events, new_instance, signal};
use crate::{
    Claim, ClaimedInstance, Committed, Delivery, Heartbeat, NewInstance, Next, Parent, Progress, QueueSettings, Queued,
    Sleep, Snapshot, StartClaim, Status, Timestamp,
};

pub(super) async fn claims_come_by_priority_then_age(subject: Subject) {
    let version = subject.version("billing").await;
    let at = |priority, seconds: i64, queue: &str| NewInstance {
        priority,
        scheduled_at: Some(Timestamp(1_700_000_000_000_000 + seconds * 1_000_000)),
        queue: queue.into(),
        ..new_instance(version)
    };
    let hour = subject.store.now().await.unwrap() + Duration::from_secs(3600);
    let batch = vec![
        at(1, 20, "default"),
        at(0, 30, "default"),
        at(1, 10, "default"),
        at(3, 0, "default"),
        at(2, 0, "default"),
        at(0, 0, "elsewhere"),
        NewInstance { scheduled_at: Some(hour), ..at(0, 0, "default") },
        NewInstance { scheduled_at: Some(Timestamp::NEVER), ..at(0, 0, "default") },
    ];
    let ids: Vec<Uuid> = batch.iter().map(|new| new.instance_id).collect();
    subject.store.queue_instances(batch).await.unwrap();
    let mut order = Vec::new();
    let mut locks = Vec::new();
    for limit in [2, 2, 10] {
        for claimed in subject.claim(limit).await {
            order.push(ids.iter().position(|id| *id == claimed.lease.instance_id).unwrap());
            locks.push(claimed.lease.lock_uuid);
        }
        assert!(order.len() <= 5);
    }
    assert_eq!(order, [1, 2, 0, 4, 3]);
    locks.dedup();
    assert_eq!(locks.len(), 3, "a fresh lock a claim");
    let elsewhere = Claim { queues: vec!["nowhere".into(), "elsewhere".into()], ..claim_of(10) };
    assert_eq!(subject.store.claim(elsewhere).await.unwrap().instances[0].lease.instance_id, ids[5]);
    assert_eq!(subject.claim(0).await, []);
}

pub(super) async fn a_claim_brings_all_it_takes(subject: Subject) {
    let version = subject.version("billing").await;
    let new = NewInstance { user_key: Some("order-1".into()), priority: 2, ..new_instance(version) };
    subject.store.queue_instances(vec![new.clone()]).await.unwrap();
    let first = subject.claim(1).await.remove(0);
    assert_eq!((first.seq, first.claims, first.priority, first.queue.as_str()), (0, 1, 2, "default"));
    assert_eq!((first.workflow_version_id, first.workflow_name.as_str()), (version, "billing"));
    assert_eq!((first.inputs.as_slice(), first.user_key.as_deref()), (b"inputs".as_slice(), Some("order-1")));
    assert_eq!((first.snapshot, first.log.len(), first.inbox.len()), (None, 0, 0));

    let snapshot = Progress { snapshot: Some(b"state".to_vec()), ..Progress::new(first.lease, 0, events(1..=3)) };
    subject.commit(snapshot).await;
    subject.commit(Progress::new(first.lease, 3, events(4..=5))).await;
    let messages = [signal(new.instance_id, "one"), signal(new.instance_id, "two")];
    for message in &messages {
        assert_eq!(subject.store.put_inbox(vec![message.clone()]).await.unwrap(), [Delivery::Delivered]);
    }
    subject.expire(first.lease).await;
    assert_eq!(subject.store.reclaim_expired(10).await.unwrap(), 1);

    let second = subject.claim(1).await.remove(0);
    assert_ne!(second.lease.lock_uuid, first.lease.lock_uuid);
    assert_eq!(second.snapshot, Some(Snapshot { seq: 3, state: b"state".to_vec() }));
    assert_eq!(second.log, events(4..=5), "every field of the log comes back");
    assert_eq!((second.seq, second.claims), (5, 1), "progress forgets earlier claims");
    let names: Vec<_> =
        second.inbox.iter().map(|row| (row.message_id, row.name.as_str(), row.payload.as_slice())).collect();
    let expected: Vec<_> = messages
        .iter()
        .map(|message| (message.message_id, message.name.as_str(), message.payload.as_slice()))
        .collect();
    assert_eq!(names, expected, "in order of arrival");
    assert_eq!(second.wake_seq, first.wake_seq + 2);
}

fn start_claim(limit: u32) -> StartClaim {
    let Claim { engine, queues, lease, .. } = claim_of(limit);
    StartClaim { engine, queues, lock_uuid: Uuid::new_v4(), limit, lease }
}

pub(super) async fn starts_are_claimed_in_their_commit(subject: Subject) {
    let version = subject.version("billing").await;
    let hour = subject.store.now().await.unwrap() + Duration::from_secs(3600);
    let whole = NewInstance {
        user_key: Some("order-1".into()),
        priority: 2,
        parent: Some(Parent { instance_id: Uuid::now_v7(), execution_id: "0-1".into() }),
        tags: vec!["red".into()],
        deadline_at: Some(hour),
        ..new_instance(version)
    };
    let batch = vec![
        whole.clone(),
        NewInstance { scheduled_at: Some(hour), ..new_instance(version) },
        NewInstance { queue: "elsewhere".into(), ..new_instance(version) },
        NewInstance { instance_id: Uuid::now_v7(), inputs: b"other".to_vec(), ..whole.clone() },
        new_instance(version),
        new_instance(version),
    ];
    let claim = start_claim(3);
    let answers = subject.store.queue_and_claim(batch.clone(), Some(claim.clone())).await.unwrap();
    let Queued::Claimed(first) = &answers[0] else { panic!("{:?}", answers[0]) };
    assert_eq!(answers[1], Queued::Started, "not due");
    assert_eq!(answers[2], Queued::Started, "of another queue");
    assert_eq!(answers[3], Queued::KeyTaken { instance_id: whole.instance_id });
    assert!(matches!(answers[4], Queued::Claimed(_)), "{:?}", answers[4]);
    assert_eq!(answers[5], Queued::Started, "beyond the limit");
    assert_eq!(subject.claim(10).await.len(), 1, "what is claimed is nobody else's");

    // The answer was lost, and the same is asked again.
    assert_eq!(
        subject.store.queue_and_claim(batch[..1].to_vec(), Some(claim.clone())).await.unwrap(),
        [answers[0].clone()]
    );
    let another = subject.store.queue_and_claim(batch[..1].to_vec(), Some(start_claim(3))).await.unwrap();
    assert_eq!(another, [Queued::Existing { instance_id: whole.instance_id }]);

    // A lease as any other, of an instance as any other.
    subject.expire(first.lease).await;
    assert_eq!(subject.commit(Progress::new(first.lease, 0, events(1..=1))).await, Committed::LostLease);
    let late = subject.store.queue_and_claim(batch[..1].to_vec(), Some(claim)).await.unwrap();
    assert_eq!(late, [Queued::Existing { instance_id: whole.instance_id }], "it has run out");
    assert_eq!(subject.store.reclaim_expired(10).await.unwrap(), 1);
    let second = subject.claim(10).await.remove(0);
    assert_eq!(second.claims, 2);
    let same = ClaimedInstance {
        lease: second.lease,
        claims: second.claims,
        scheduled_at: second.scheduled_at,
        ..(**first).clone()
    };
    assert_eq!(second, same, "what a claim brings is what the start brought");
    subject.commit(Progress::new(second.lease, 0, events(1..=1))).await;
    assert_eq!(subject.store.free_own_leases("engine-a").await.unwrap(), 3);
}

pub(super) async fn starts_that_have_to_wait_are_not_claimed(subject: Subject) {
    let version = subject.version("billing").await;
    let start = async |what: &str| {
        let answers = subject.store.queue_and_claim(vec![new_instance(version)], Some(start_claim(9))).await.unwrap();
        assert_eq!(answers, [Queued::Started], "{what}");
    };
    subject.store.pause_workflow("billing", true).await.unwrap();
    start("its workflow is paused").await;
    subject.store.pause_workflow("billing", false).await.unwrap();
    subject.store.pause_queue(QUEUE, true).await.unwrap();
    start("its queue is paused").await;
    subject.store.pause_queue(QUEUE, false).await.unwrap();
    let limits = QueueSettings { name: QUEUE.into(), concurrency: Some(5), ..QueueSettings::default() };
    subject.store.put_queue(limits).await.unwrap();
    start("its queue has limits").await;
    subject.store.put_queue(QueueSettings { name: QUEUE.into(), ..QueueSettings::default() }).await.unwrap();
    assert_eq!(subject.claim(10).await.len(), 3);
    let claimed = subject.store.queue_and_claim(vec![new_instance(version)], Some(start_claim(9))).await.unwrap();
    assert!(matches!(claimed[0], Queued::Claimed(_)), "{claimed:?}");
}

pub(super) async fn heartbeats_extend_and_tell_what_is_lost(subject: Subject) {
    let one = subject.owned("billing").await;
    let two = subject.owned("billing").await;
    let stranger = crate::Lease { lock_uuid: Uuid::new_v4(), ..one.lease };
    subject.store.put_inbox(vec![signal(two.lease.instance_id, "go")]).await.unwrap();

    let beat = Heartbeat { leases: vec![stranger, two.lease, one.lease], lease: MINUTE };
    let mut held = subject.store.heartbeat(beat).await.unwrap();
    held.sort_by_key(|held| held.instance_id);
    let ids: Vec<_> = held.iter().map(|held| held.instance_id).collect();
    assert_eq!(ids, [one.lease.instance_id, two.lease.instance_id]);
    assert_eq!(held[1].wake_seq, two.wake_seq + 1, "a heartbeat tells of mail");

    subject.expire(one.lease).await;
    let beat = Heartbeat { leases: vec![one.lease, two.lease], lease: MINUTE };
    let held = subject.store.heartbeat(beat).await.unwrap();
    assert_eq!(held.len(), 1, "an expired lease is lost, even before anybody reclaims it");
    assert_eq!(held[0].instance_id, two.lease.instance_id);
}

pub(super) async fn expired_leases_are_reclaimed_and_due(subject: Subject) {
    let one = subject.owned("billing").await;
    let two = subject.owned("billing").await;
    assert_eq!(subject.store.reclaim_expired(10).await.unwrap(), 0);
    subject.expire(one.lease).await;
    subject.expire(two.lease).await;
    assert_eq!(subject.claim(10).await, [], "expired rows are not claimed before they are reclaimed");
    assert_eq!(subject.store.reclaim_expired(1).await.unwrap(), 1);
    assert_eq!(subject.store.reclaim_expired(10).await.unwrap(), 1);
    assert_eq!(subject.claim(10).await.len(), 2);
}

pub(super) async fn own_leases_are_freed_at_a_restart(subject: Subject) {
    let one = subject.owned("billing").await;
    subject.start("billing").await;
    let other = Claim { engine: "engine-b".into(), ..claim_of(1) };
    let other = subject.store.claim(other).await.unwrap().instances.remove(0);

    assert_eq!(subject.store.free_own_leases("engine-a").await.unwrap(), 1);
    assert_eq!(subject.commit(Progress::new(one.lease, 0, vec![event(1)])).await, Committed::LostLease);
    assert_eq!(subject.claim(10).await[0].lease.instance_id, one.lease.instance_id);
    let accepted = subject.commit(Progress::new(other.lease, 0, vec![event(1)])).await;
    assert!(matches!(accepted, Committed::Accepted { .. }), "another engine's leases stay");
    assert_eq!(subject.store.free_own_leases("engine-a").await.unwrap(), 1, "and again, after another crash");
    assert_eq!(subject.store.free_own_leases("engine-c").await.unwrap(), 0);
}

pub(super) async fn claims_without_progress_end_stuck(subject: Subject) {
    let instance_id = subject.start("billing").await;
    let claim = Claim { claims_max: 2, ..claim_of(10) };
    for round in 1..=2 {
        let claimed = subject.store.claim(claim.clone()).await.unwrap().instances;
        assert_eq!(claimed[0].claims, round);
        subject.expire(claimed[0].lease).await;
        assert_eq!(subject.store.reclaim_expired(10).await.unwrap(), 1);
    }
    let mut changes = subject.store.changes();
    assert_eq!(subject.store.claim(claim.clone()).await.unwrap().instances, []);
    let stuck = subject.instance(instance_id).await.unwrap();
    assert_eq!(stuck.status, Status::Stuck);
    assert!(stuck.stuck_reason.as_deref().is_some_and(|reason| reason.contains("2 times")), "{:?}", stuck.stuck_reason);
    assert_eq!(changes.recv().await.unwrap(), crate::Change::Stuck(instance_id));

    // A host that lives to give it back was not taken down by it.
    let other = subject.start("billing").await;
    for _ in 0..4 {
        let claimed = subject.store.claim(claim.clone()).await.unwrap().instances.remove(0);
        assert_eq!(claimed.lease.instance_id, other);
        let sleep = Sleep {
            lease: claimed.lease,
            scheduled_at: Timestamp(0),
            wake_seq: claimed.wake_seq,
            waits_for: None,
            tried: true,
        };
        assert_eq!(subject.store.sleep(vec![sleep]).await.unwrap(), [true]);
    }
    // One that was not tried is as it was before.
    for tried in [false, false, true] {
        let claimed = subject.store.claim(claim.clone()).await.unwrap().instances.remove(0);
        assert_eq!(claimed.claims, 1);
        subject.expire(claimed.lease).await;
        subject.store.reclaim_expired(10).await.unwrap();
        let claimed = subject.store.claim(claim.clone()).await.unwrap().instances.remove(0);
        assert_eq!(claimed.claims, 2);
        let (lease, wake_seq) = (claimed.lease, claimed.wake_seq);
        let sleep = Sleep { lease, scheduled_at: Timestamp(0), wake_seq, waits_for: None, tried };
        assert_eq!(subject.store.sleep(vec![sleep.clone()]).await.unwrap(), [true]);
        let again = subject.store.claim(claim.clone()).await.unwrap().instances.remove(0);
        assert_eq!(again.claims, if tried { 1 } else { 2 });
        let back = Sleep { lease: again.lease, tried: true, ..sleep };
        assert_eq!(subject.store.sleep(vec![back]).await.unwrap(), [true]);
    }
}

pub(super) async fn stuck_instances_keep_mail_and_can_go_on(subject: Subject) {
    let owned = subject.owned("billing").await;
    let instance_id = owned.lease.instance_id;
    let stranger = crate::Lease { lock_uuid: Uuid::new_v4(), ..owned.lease };
    let marks = vec![(stranger, "not mine".to_string()), (owned.lease, "cannot be decoded".to_string())];
    assert_eq!(subject.store.mark_stuck(marks).await.unwrap(), [false, true]);
    let seen = subject.instance(instance_id).await.unwrap();
    assert_eq!((seen.status, seen.stuck_reason.as_deref()), (Status::Stuck, Some("cannot be decoded")));

    assert_eq!(subject.store.put_inbox(vec![signal(instance_id, "go")]).await.unwrap(), [Delivery::Delivered]);
    assert_eq!(subject.claim(10).await, [], "mail does not wake what is stuck");
    assert_eq!(subject.store.unstick(vec![Uuid::now_v7(), instance_id]).await.unwrap(), [false, true]);
    assert_eq!(subject.store.unstick(vec![instance_id]).await.unwrap(), [false]);
    let again = subject.claim(10).await.remove(0);
    assert_eq!((again.claims, again.inbox.len()), (1, 1));
    let seen = subject.instance(instance_id).await.unwrap();
    assert_eq!((seen.status, seen.stuck_reason), (Status::Running, None));
}

pub(super) async fn the_next_wakeup_is_known(subject: Subject) {
    let queues = ["default".to_string(), "other".to_string()];
    let next = || subject.store.next_wakeup(&queues);
    assert_eq!(next().await.unwrap(), None);
    let version = subject.version("billing").await;
    let later = subject.store.now().await.unwrap() + Duration::from_secs(7200);
    let at = |scheduled_at, queue: &str, priority| NewInstance {
        scheduled_at: Some(scheduled_at),
        queue: queue.into(),
        priority,
        ..new_instance(version)
    };
    subject.store.queue_instances(vec![at(Timestamp::NEVER, "default", 0)]).await.unwrap();
    assert_eq!(next().await.unwrap(), None, "what waits for ever is not due");
    let sooner = Timestamp(later.0 - 1_000_000);
    let batch = vec![at(later, "default", 0), at(sooner, "other", 3), at(Timestamp(0), "elsewhere", 0)];
    subject.store.queue_instances(batch).await.unwrap();
    assert_eq!(next().await.unwrap(), Some(sooner));

    let owned = subject.owned("billing").await;
    assert_eq!(next().await.unwrap(), Some(sooner), "what somebody holds does not count");
    let wake = Timestamp(sooner.0 - 1_000_000);
    let sleep = Next::Sleep { scheduled_at: wake, wake_seq: owned.wake_seq };
    subject.commit(Progress { next: sleep, ..Progress::new(owned.lease, 0, vec![event(1)]) }).await;
    assert_eq!(next().await.unwrap(), Some(wake));

    // A claim tells it too, as time to wait.
    let claimed = subject.store.claim(claim_of(10)).await.unwrap();
    let left = claimed.next_due_in.expect("one is coming").as_secs();
    assert!(claimed.instances.is_empty() && (7_000..7_199).contains(&left), "{left}");
    let nowhere = Claim { queues: vec!["nowhere".into()], ..claim_of(10) };
    assert_eq!(subject.store.claim(nowhere).await.unwrap().next_due_in, None);
}
