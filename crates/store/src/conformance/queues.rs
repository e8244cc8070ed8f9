//! Queues: limits, rates, fairness, pauses; and what becomes of a taken key.

use std::collections::HashMap;
use std::time::Duration;

use uuid::Uuid;

use super::{MINUTE, Subject, claim_of, event, new_instance};
use crate::{
    Change, Claimed, ClaimedInstance, Ending, NewInstance, Next, OnConflict, Progress, Queue, QueueSettings, Queued,
    Rate, Sleep, Status, Termination, Timestamp, Turn,
};

const HOUR: Duration = Duration::from_secs(3600);

fn settings() -> QueueSettings {
    QueueSettings { name: "default".into(), ..QueueSettings::default() }
}

impl Subject {
    async fn put(&self, settings: QueueSettings) {
        self.store.put_queue(settings).await.expect("set");
    }

    /// Starts so many with this key, and returns their ids.
    async fn start_keyed(&self, key: &str, count: usize) -> Vec<Uuid> {
        let version = self.version("billing").await;
        let key = (!key.is_empty()).then(|| key.to_string());
        let batch: Vec<NewInstance> =
            (0..count).map(|_| NewInstance { queue_key: key.clone(), ..new_instance(version) }).collect();
        let ids = batch.iter().map(|new| new.instance_id).collect();
        let answers = self.store.queue_instances(batch).await.expect("queued");
        assert!(answers.iter().all(|answer| *answer == Queued::Started), "{answers:?}");
        ids
    }

    /// Claims until nothing comes any more.
    async fn claim_all(&self, limit: u32) -> Vec<ClaimedInstance> {
        let mut all = Vec::new();
        loop {
            let claimed = self.claim(limit).await;
            if claimed.is_empty() {
                return all;
            }
            assert!(claimed.len() <= limit as usize);
            all.extend(claimed);
        }
    }

    async fn finish(&self, claimed: &ClaimedInstance) {
        let next = Next::Finish(Ending::Completed { result: Vec::new() });
        let log = vec![event(claimed.seq + 1)];
        let committed = self.commit(Progress { next, ..Progress::new(claimed.lease, claimed.seq, log) }).await;
        assert!(matches!(committed, crate::Committed::Accepted { released: true, .. }), "{committed:?}");
    }

    async fn nap(&self, claimed: &ClaimedInstance, scheduled_at: Timestamp) {
        let next = Next::Sleep { scheduled_at, wake_seq: claimed.wake_seq };
        let log = vec![event(claimed.seq + 1)];
        self.commit(Progress { next, ..Progress::new(claimed.lease, claimed.seq, log) }).await;
    }

    async fn keys_of(&self, claimed: &[ClaimedInstance]) -> Vec<String> {
        let ids = claimed.iter().map(|claimed| claimed.lease.instance_id).collect();
        let found = self.store.get_instances(ids).await.expect("read");
        found.into_iter().flatten().map(|instance| instance.queue_key.unwrap_or_default()).collect()
    }

    async fn by_key(&self, claimed: &[ClaimedInstance]) -> HashMap<String, usize> {
        let mut counts = HashMap::new();
        for key in self.keys_of(claimed).await {
            *counts.entry(key).or_default() += 1;
        }
        counts
    }

    async fn turn(&self, instance_id: Uuid) -> Option<Turn> {
        self.store.get_instances(vec![instance_id]).await.expect("read").remove(0).expect("there").turn
    }

    async fn queue(&self, name: &str) -> Option<Queue> {
        let queues = self.store.list_queues(10).await.expect("listed");
        queues.into_iter().find(|queue| queue.settings.name == name)
    }
}

pub(super) async fn a_queue_has_so_many_leases_at_once(subject: Subject) {
    // Before and after the limit is set, with a key and without.
    subject.start_keyed("", 2).await;
    subject.put(QueueSettings { concurrency: Some(3), ..settings() }).await;
    subject.start_keyed("", 2).await;
    subject.start_keyed("a", 2).await;
    let held = subject.claim_all(10).await;
    assert_eq!(held.len(), 3);
    assert!(subject.store.claim(claim_of(10)).await.unwrap().is_limited);

    let mut changes = subject.store.changes();
    subject.finish(&held[0]).await;
    let mut told = Vec::new();
    while let Ok(change) = changes.try_recv() {
        told.push(change);
    }
    assert!(told.contains(&Change::Work), "whoever waits for room hears of it: {told:?}");
    assert_eq!(subject.claim_all(10).await.len(), 1, "one ended, one more may run");

    // An expired lease counts until it is reclaimed: nobody knows what its owner still does.
    subject.expire(held[1].lease).await;
    assert_eq!(subject.claim_all(10).await.len(), 0);
    assert_eq!(subject.store.reclaim_expired(10).await.unwrap(), 1);
    assert_eq!(subject.claim_all(10).await.len(), 1);

    // What only waits holds nothing.
    subject.nap(&held[2], Timestamp::NEVER).await;
    assert_eq!(subject.claim_all(10).await.len(), 1);

    subject.put(settings()).await;
    assert_eq!(subject.claim_all(10).await.len(), 1, "without a limit the last one runs too");
    assert!(!subject.store.claim(claim_of(10)).await.unwrap().is_limited);
}

pub(super) async fn each_key_has_so_many_leases_at_once(subject: Subject) {
    subject.put(QueueSettings { key_concurrency: Some(2), ..settings() }).await;
    for (key, count) in [("a", 5), ("b", 1), ("", 3)] {
        subject.start_keyed(key, count).await;
    }
    let held = subject.claim_all(100).await;
    let expected = HashMap::from([("a".to_string(), 2), ("b".into(), 1), (String::new(), 2)]);
    assert_eq!(subject.by_key(&held).await, expected);

    let a = subject.keys_of(&held).await.iter().position(|key| key == "a").unwrap();
    subject.finish(&held[a]).await;
    let next = subject.claim_all(100).await;
    assert_eq!(subject.by_key(&next).await, HashMap::from([("a".to_string(), 1)]));

    // Given back as if it had not been claimed: somebody else of its key, or it, may run.
    let back = &next[0];
    let sleep = Sleep {
        lease: back.lease,
        scheduled_at: back.scheduled_at,
        wake_seq: back.wake_seq,
        waits_for: None,
        tried: false,
    };
    assert_eq!(subject.store.sleep(vec![sleep]).await.unwrap(), [true]);
    assert_eq!(subject.claim_all(100).await.len(), 1);

    // Both limits hold.
    subject.put(QueueSettings { key_concurrency: Some(3), concurrency: Some(6), ..settings() }).await;
    subject.start_keyed("c", 3).await;
    let more = subject.claim_all(100).await;
    assert_eq!(more.len(), 1, "five are held");
}

pub(super) async fn keys_take_turns(subject: Subject) {
    subject.put(QueueSettings { fair: true, ..settings() }).await;
    subject.start_keyed("greedy", 30).await;
    for key in ["a", "b", "c", "d"] {
        subject.start_keyed(key, 2).await;
    }
    let first = subject.claim(10).await;
    let counts = subject.by_key(&first).await;
    assert_eq!(counts.len(), 5, "{counts:?}");
    assert!(counts.values().all(|count| *count == 2), "{counts:?}");
    assert_eq!(subject.claim_all(10).await.len(), 28, "and who is alone has all");

    // With less room than keys, the next claim goes on where the last one stopped.
    for key in ["a", "b", "c", "d", "greedy"] {
        subject.start_keyed(key, 4).await;
    }
    let mut rounds = Vec::new();
    for _ in 0..10 {
        rounds.extend(subject.claim(2).await);
    }
    let counts = subject.by_key(&rounds).await;
    assert!(counts.len() == 5 && counts.values().all(|count| *count == 4), "{counts:?}");
    // Within a claim they come by age.
    let order = subject.keys_of(&rounds).await;
    for round in order.chunks(10) {
        let twice = |key: &str| round.iter().filter(|each| *each == key).count() == 2;
        assert!(["a", "b", "c", "d", "greedy"].into_iter().all(twice), "{order:?}");
    }
}

pub(super) async fn more_keys_than_a_claim_looks_at_are_all_served(subject: Subject) {
    let version = subject.version("billing").await;
    let keyed = |number: u32, at| NewInstance {
        queue_key: Some(format!("key-{number:05}")),
        scheduled_at: Some(at),
        ..new_instance(version)
    };
    let later = subject.store.now().await.unwrap() + HOUR;
    let mut batch: Vec<NewInstance> = (0..1_300).map(|number| keyed(number, later)).collect();
    batch.extend([3, 700, 1_299].map(|number| keyed(number, Timestamp(1))));
    subject.store.queue_instances(batch).await.unwrap();
    subject.put(QueueSettings { key_concurrency: Some(1), ..settings() }).await;
    let mut found = 0;
    for round in 0.. {
        assert!(round < 20, "{found} found");
        let Claimed { instances, next_due_in, .. } = subject.store.claim(claim_of(10)).await.unwrap();
        found += instances.len();
        if next_due_in.is_none_or(|left| left > MINUTE) {
            break;
        }
    }
    assert_eq!(found, 3);
}

pub(super) async fn priority_orders_within_a_key_and_what_has_begun_goes_first(subject: Subject) {
    subject.put(QueueSettings { key_concurrency: Some(1), ..settings() }).await;
    let version = subject.version("billing").await;
    let keyed = |priority, seconds: i64| NewInstance {
        priority,
        queue_key: Some("a".into()),
        scheduled_at: Some(Timestamp(1_700_000_000_000_000 + seconds * 1_000_000)),
        ..new_instance(version)
    };
    let batch = vec![keyed(1, 5), keyed(2, 0), keyed(0, 9), keyed(1, 4)];
    let ids: Vec<Uuid> = batch.iter().map(|new| new.instance_id).collect();
    subject.store.queue_instances(batch).await.unwrap();
    let mut order = Vec::new();
    for round in 0..5 {
        let claimed = subject.claim_all(10).await;
        assert_eq!(claimed.len(), 1);
        order.push(ids.iter().position(|id| *id == claimed[0].lease.instance_id).unwrap());
        match round {
            // It slept, and is due again long after the others: it has begun, so it is next of its priority.
            1 => subject.nap(&claimed[0], subject.store.now().await.unwrap()).await,
            _ => subject.finish(&claimed[0]).await,
        }
    }
    assert_eq!(order, [2, 3, 3, 0, 1]);
}

pub(super) async fn rates_limit_how_many_begin(subject: Subject) {
    let hourly = |count| Some(Rate { count, period: HOUR });
    subject.put(QueueSettings { key_rate: hourly(2), ..settings() }).await;
    subject.start_keyed("a", 4).await;
    subject.start_keyed("b", 1).await;
    let begun = subject.claim_all(10).await;
    assert_eq!(subject.by_key(&begun).await, HashMap::from([("a".to_string(), 2), ("b".into(), 1)]));
    let left = subject.store.claim(claim_of(10)).await.unwrap().next_due_in.expect("a token is coming");
    assert!((1_700..=1_800).contains(&left.as_secs()), "half an hour to the next: {left:?}");

    // Those that have begun go on, however often they sleep.
    let a = subject.keys_of(&begun).await.iter().position(|key| key == "a").unwrap();
    subject.nap(&begun[a], Timestamp(1)).await;
    let again = subject.claim_all(10).await;
    assert_eq!((again.len(), again[0].lease.instance_id), (1, begun[a].lease.instance_id));
    subject.finish(&again[0]).await;
    assert_eq!(subject.claim_all(10).await.len(), 0, "ending one gives no token back");

    // Tokens come back with time.
    subject
        .put(QueueSettings { key_rate: Some(Rate { count: 2, period: Duration::from_millis(2) }), ..settings() })
        .await;
    let mut rest = 0;
    while rest < 2 {
        rest += subject.claim(10).await.len();
        tokio::time::sleep(Duration::from_millis(1)).await;
    }

    // The whole queue's rate, shared by the keys.
    subject.put(QueueSettings { name: "other".into(), rate: hourly(3), ..settings() }).await;
    let version = subject.version("billing").await;
    let batch = (0..6).map(|number| NewInstance {
        queue: "other".into(),
        queue_key: Some(format!("key-{}", number % 3)),
        ..new_instance(version)
    });
    subject.store.queue_instances(batch.collect()).await.unwrap();
    let other = crate::Claim { queues: vec!["other".into()], ..claim_of(10) };
    let begun = subject.store.claim(other.clone()).await.unwrap().instances;
    assert_eq!(subject.by_key(&begun).await.len(), 3, "one of each key");
    let none = subject.store.claim(other).await.unwrap();
    let left = none.next_due_in.expect("a token is coming").as_secs();
    assert!(none.instances.is_empty() && (1_100..=1_200).contains(&left), "{left}");
}

pub(super) async fn limited_queues_and_others_share_a_claim(subject: Subject) {
    let version = subject.version("billing").await;
    subject.put(QueueSettings { name: "slow".into(), key_concurrency: Some(100), ..settings() }).await;
    let batch = (0..40).map(|number| NewInstance {
        queue: if number % 2 == 0 { "default" } else { "slow" }.into(),
        priority: if number % 2 == 0 { 0 } else { 3 },
        ..new_instance(version)
    });
    subject.store.queue_instances(batch.collect()).await.unwrap();
    let both = crate::Claim { queues: vec!["default".into(), "slow".into()], ..claim_of(10) };
    let claimed = subject.store.claim(both).await.unwrap().instances;
    let slow = claimed.iter().filter(|claimed| claimed.queue == "slow").count();
    assert_eq!((claimed.len(), slow), (10, 5));
}

pub(super) async fn nothing_of_a_paused_queue_is_claimed(subject: Subject) {
    for limits in [settings(), QueueSettings { key_concurrency: Some(9), ..settings() }] {
        subject.put(limits.clone()).await;
        subject.start_keyed("", 1).await;
        let running = subject.claim(10).await.remove(0);
        assert_eq!(subject.turn(running.lease.instance_id).await, Some(Turn::Held));
        subject.start_keyed("", 1).await;
        assert!(subject.store.pause_queue("default", true).await.unwrap());
        assert!(!subject.store.pause_queue("default", true).await.unwrap(), "it is paused already");
        let none = subject.store.claim(claim_of(10)).await.unwrap();
        assert_eq!((none.instances.len(), none.next_due_in), (0, None));
        subject.nap(&running, Timestamp(1)).await;
        assert_eq!(subject.claim(10).await.len(), 0, "what ran went on until it slept");
        let seen = subject.queue("default").await.unwrap();
        assert_eq!((seen.paused, seen.depth.due, &seen.settings), (true, 2, &limits));
        assert_eq!(subject.turn(running.lease.instance_id).await, Some(Turn::QueuePaused));
        assert!(subject.store.pause_queue("default", false).await.unwrap());
        assert!(!subject.store.pause_queue("default", false).await.unwrap());
        for claimed in subject.claim_all(10).await {
            subject.finish(&claimed).await;
        }
    }
    assert_eq!(subject.queue("default").await.map(|queue| queue.depth.due), Some(0));
}

pub(super) async fn nothing_of_a_paused_workflow_is_claimed(subject: Subject) {
    for limits in [settings(), QueueSettings { key_concurrency: Some(9), ..settings() }] {
        subject.put(limits).await;
        subject.start("billing").await;
        let running = subject.claim(10).await.remove(0);
        let before = subject.start("billing").await;
        assert_eq!(subject.turn(before).await, Some(Turn::Waiting));
        assert!(subject.store.pause_workflow("billing", true).await.unwrap());
        assert!(!subject.store.pause_workflow("billing", true).await.unwrap());
        assert_eq!(subject.store.list_paused_workflows().await.unwrap(), ["billing"]);
        let other = subject.start("shipping").await;
        let claimed = subject.claim_all(10).await;
        assert_eq!(claimed.iter().map(|claimed| claimed.lease.instance_id).collect::<Vec<_>>(), [other]);
        subject.finish(&claimed[0]).await;
        subject.nap(&running, Timestamp(1)).await;
        let mail = super::signal(before, "go");
        assert_eq!(subject.store.put_inbox(vec![mail]).await.unwrap(), [crate::Delivery::Delivered]);
        assert_eq!(subject.claim_all(10).await.len(), 0, "mail does not wake what is paused");
        assert_eq!(subject.turn(before).await, Some(Turn::WorkflowPaused));
        assert_eq!(subject.store.claim(claim_of(10)).await.unwrap().next_due_in, None);

        assert!(subject.store.pause_workflow("billing", false).await.unwrap());
        assert!(!subject.store.pause_workflow("billing", false).await.unwrap());
        let claimed = subject.claim_all(10).await;
        let mut ids: Vec<Uuid> = claimed.iter().map(|claimed| claimed.lease.instance_id).collect();
        ids.sort();
        let mut expected = vec![before, running.lease.instance_id];
        expected.sort();
        assert_eq!(ids, expected);
        for claimed in claimed {
            assert_eq!(claimed.claims, 1, "what was put aside was not claimed");
            subject.finish(&claimed).await;
        }
    }
}

pub(super) async fn queues_are_listed_with_their_depth(subject: Subject) {
    assert_eq!(subject.store.list_queues(10).await.unwrap(), []);
    let limits = QueueSettings {
        concurrency: Some(7),
        key_concurrency: Some(2),
        rate: Some(Rate { count: 9, period: HOUR }),
        key_rate: Some(Rate { count: 3, period: MINUTE }),
        fair: true,
        ..settings()
    };
    subject.put(limits.clone()).await;
    subject.start_keyed("a", 3).await;
    subject.start_keyed("b", 1).await;
    let held = subject.claim_all(10).await;
    subject.nap(&held[0], Timestamp::NEVER).await;
    subject.start_keyed("c", 1).await;
    let seen = subject.queue("default").await.unwrap();
    assert_eq!((&seen.settings, seen.paused), (&limits, false));
    assert_eq!((seen.depth.due, seen.depth.leased, seen.depth.sleeping), (2, 2, 1));
    assert_eq!(seen.keys[0].0, "a");
    assert_eq!(seen.keys.len(), 3);
    let top = subject.store.list_queues(1).await.unwrap().remove(0);
    assert_eq!(top.keys.len(), 1);
    for wrong in [
        QueueSettings { concurrency: Some(0), ..settings() },
        QueueSettings { rate: Some(Rate { count: 1, period: Duration::ZERO }), ..settings() },
        QueueSettings { name: String::new(), ..settings() },
    ] {
        let refused = subject.store.put_queue(wrong).await;
        assert!(matches!(refused, Err(crate::Error::Refused { .. })), "{refused:?}");
    }
    assert_eq!(subject.queue("default").await.unwrap().settings, limits, "nothing changed");
}

pub(super) async fn starts_say_what_a_taken_key_means(subject: Subject) {
    let version = subject.version("billing").await;
    let first = NewInstance { user_key: Some("order-1".into()), ..new_instance(version) };
    let id = first.instance_id;
    let with = |on_conflict, unique_for| NewInstance {
        instance_id: Uuid::now_v7(),
        inputs: b"other".to_vec(),
        on_conflict,
        unique_for,
        ..first.clone()
    };
    subject.store.queue_instances(vec![first.clone()]).await.unwrap();
    let same = |on_conflict, unique_for| NewInstance { inputs: first.inputs.clone(), ..with(on_conflict, unique_for) };
    let (taken, existing) = (Queued::KeyTaken { instance_id: id }, Queued::Existing { instance_id: id });
    let cases = |unique_for| {
        vec![
            (with(OnConflict::SameInputs, unique_for), taken.clone()),
            (same(OnConflict::SameInputs, unique_for), existing.clone()),
            (with(OnConflict::Reject, unique_for), taken.clone()),
            (same(OnConflict::Reject, unique_for), taken.clone()),
            (with(OnConflict::Existing, unique_for), existing.clone()),
            (NewInstance { on_conflict: OnConflict::Reject, unique_for, ..first.clone() }, existing.clone()),
        ]
    };
    for (new, expected) in cases(None).into_iter().chain(cases(Some(MINUTE))) {
        assert_eq!(subject.store.queue_instances(vec![new.clone()]).await.unwrap(), [expected], "{new:?}");
    }
    // Finished: free, but for those that say for how long it isn't.
    let claimed = subject.claim(10).await.remove(0);
    subject.finish(&claimed).await;
    for (new, expected) in cases(Some(MINUTE)) {
        assert_eq!(subject.store.queue_instances(vec![new.clone()]).await.unwrap(), [expected], "{new:?}");
    }
    assert_eq!(subject.claim(10).await, [], "none of them left anything");
    tokio::time::sleep(Duration::from_millis(2)).await;
    let again = with(OnConflict::Reject, Some(Duration::from_millis(1)));
    assert_eq!(subject.store.queue_instances(vec![again]).await.unwrap(), [Queued::Started]);

    let without = NewInstance { on_conflict: OnConflict::Reject, ..new_instance(version) };
    let both = NewInstance { unique_for: Some(MINUTE), ..with(OnConflict::Replace(None), None) };
    for wrong in [without, both] {
        let answer = subject.store.queue_instances(vec![wrong]).await.unwrap().remove(0);
        assert!(matches!(answer, Queued::Refused { .. }), "{answer:?}");
    }
}

pub(super) async fn a_start_replaces_whoever_has_its_key(subject: Subject) {
    let version = subject.version("billing").await;
    let keyed = || NewInstance { user_key: Some("order-1".into()), ..new_instance(version) };
    let replacing = |seen: Option<Uuid>| NewInstance {
        on_conflict: OnConflict::Replace(seen.map(|instance_id| {
            let error = b"replaced".to_vec();
            Box::new(Termination {
                instance_id,
                error,
                parent_message: None,
                child_message: None,
                abandoned: Vec::new(),
            })
        })),
        ..keyed()
    };
    let first = replacing(None);
    assert_eq!(subject.store.queue_instances(vec![first.clone()]).await.unwrap(), [Queued::Started], "nobody has it");
    let owner = subject.claim(10).await.remove(0);
    let taken = Queued::KeyTaken { instance_id: first.instance_id };
    for unseen in [replacing(None), replacing(Some(Uuid::now_v7()))] {
        assert_eq!(subject.store.queue_instances(vec![unseen]).await.unwrap(), std::slice::from_ref(&taken));
    }
    let second = replacing(Some(first.instance_id));
    assert_eq!(subject.store.queue_instances(vec![second.clone()]).await.unwrap(), [Queued::Started]);
    let ended = subject.instance(first.instance_id).await.unwrap();
    assert_eq!((ended.status, ended.error.as_deref()), (Status::Terminated, Some(b"replaced".as_slice())));
    let lost = subject.commit(Progress::new(owner.lease, 0, vec![event(1)])).await;
    assert_eq!(lost, crate::Committed::LostLease);
    let again = Queued::Existing { instance_id: second.instance_id };
    assert_eq!(subject.store.queue_instances(vec![second.clone()]).await.unwrap(), [again], "the same start again");
    assert_eq!(subject.claim(10).await[0].lease.instance_id, second.instance_id);
    // Whoever it saw has finished: it replaces nobody.
    let third = replacing(Some(first.instance_id));
    assert_eq!(
        subject.store.queue_instances(vec![third]).await.unwrap(),
        [Queued::KeyTaken { instance_id: second.instance_id }]
    );
    assert_eq!(subject.instance(second.instance_id).await.unwrap().status, Status::Running);
}

/// Claimers of several connections, which take and end as fast as they can.
pub(super) async fn limits_hold_among_claimers(subject: Subject) {
    subject.put(QueueSettings { key_concurrency: Some(2), concurrency: Some(7), ..settings() }).await;
    for key in 0..5 {
        subject.start_keyed(&format!("key-{key}"), 20).await;
    }
    let store = subject.store.clone();
    let claimers = (0..4).map(|number| {
        let store = store.clone();
        tokio::spawn(async move {
            let claim = crate::Claim { engine: format!("engine-{number}"), ..claim_of(4) };
            let mut done = 0;
            let mut idle = 0;
            while idle < 200 {
                let claimed = store.claim(claim.clone()).await.expect("claimed").instances;
                idle = if claimed.is_empty() { idle + 1 } else { 0 };
                let queue = store.list_queues(10).await.expect("listed").remove(0);
                assert!(queue.depth.leased <= 7, "{queue:?}");
                assert!(queue.keys.iter().all(|(_, depth)| depth.leased <= 2), "{queue:?}");
                for claimed in &claimed {
                    let next = Next::Finish(Ending::Completed { result: Vec::new() });
                    let progress = Progress { next, ..Progress::new(claimed.lease, 0, vec![event(1)]) };
                    store.commit_progress(vec![progress.into()]).await.expect("committed");
                }
                done += claimed.len();
                if queue.depth == crate::Depth::default() {
                    break;
                }
            }
            done
        })
    });
    let done = futures_util::future::join_all(claimers.collect::<Vec<_>>()).await;
    assert_eq!(done.into_iter().map(|done| done.expect("no claimer failed")).sum::<usize>(), 100);
}
