//! What must hold when several do it at once, or somebody stops in the middle.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

use super::{Subject, claim_of, event, new_instance, signal};
use crate::{Committed, Delivery, Ending, NewInstance, Next, Progress, Queued, Sleep, Timestamp};

pub(super) async fn two_claimers_never_get_the_same_row(subject: Subject) {
    const COUNT: usize = 200;
    let version = subject.version("billing").await;
    subject.store.queue_instances((0..COUNT).map(|_| new_instance(version)).collect()).await.unwrap();
    let claimers: Vec<_> = (0..4)
        .map(|_| {
            let store = subject.store.clone();
            tokio::spawn(async move {
                let mut mine = Vec::new();
                // Rows that another claimer has locked at this moment are skipped: an empty answer is not yet the end.
                let mut empty = 0;
                while empty < 3 {
                    let claimed = store.claim(claim_of(7)).await.unwrap().instances;
                    empty = if claimed.is_empty() { empty + 1 } else { 0 };
                    mine.extend(claimed.into_iter().map(|claimed| claimed.lease.instance_id));
                }
                mine
            })
        })
        .collect();
    let mut all = Vec::new();
    for claimer in claimers {
        all.extend(claimer.await.unwrap());
    }
    let distinct: HashSet<Uuid> = all.iter().copied().collect();
    assert_eq!(all.len(), distinct.len(), "a row was claimed twice");
    assert_eq!(distinct.len(), COUNT);
}

/// A sender and an owner who goes to sleep race; whoever wins, the message is seen.
pub(super) async fn no_wakeup_is_lost(subject: Subject) {
    for round in 0..40 {
        let owned = subject.owned("billing").await;
        let id = owned.lease.instance_id;
        let sender = {
            let store = subject.store.clone();
            tokio::spawn(async move { store.put_inbox(vec![signal(id, "go")]).await.unwrap() })
        };
        let released = if round % 2 == 0 {
            let sleep = Sleep {
                lease: owned.lease,
                scheduled_at: Timestamp::NEVER,
                wake_seq: owned.wake_seq,
                waits_for: None,
                tried: true,
            };
            subject.store.sleep(vec![sleep]).await.unwrap()[0]
        } else {
            let next = Next::Sleep { scheduled_at: Timestamp::NEVER, wake_seq: owned.wake_seq };
            match subject.commit(Progress { next, ..Progress::new(owned.lease, 0, vec![event(1)]) }).await {
                Committed::Accepted { released, .. } => released,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(sender.await.unwrap(), [Delivery::Delivered]);
        let (lease, rows) = if released {
            let woken = subject.claim(10).await;
            assert_eq!(woken.len(), 1, "round {round}: it sleeps though it has mail");
            (woken[0].lease, woken[0].inbox.clone())
        } else {
            (owned.lease, subject.store.read_inbox(vec![id]).await.unwrap().remove(0).rows)
        };
        assert_eq!(rows.len(), 1);
        let done = Next::Finish(Ending::Completed { result: Vec::new() });
        let seq = i64::from(round % 2 == 1);
        assert!(matches!(
            subject.commit(Progress { next: done, ..Progress::new(lease, seq, Vec::new()) }).await,
            Committed::Accepted { .. }
        ));
    }
}

pub(super) async fn starts_with_one_key_give_one_instance(subject: Subject) {
    let version = subject.version("billing").await;
    for round in 0..10 {
        let starters: Vec<_> = (0..6)
            .map(|_| {
                let store = subject.store.clone();
                let new = NewInstance { user_key: Some(format!("key-{round}")), ..new_instance(version) };
                tokio::spawn(async move {
                    let id = new.instance_id;
                    match store.queue_instances(vec![new]).await.unwrap().remove(0) {
                        Queued::Started => (true, id),
                        Queued::Existing { instance_id } => (false, instance_id),
                        other => panic!("{other:?}"),
                    }
                })
            })
            .collect();
        let mut started = 0;
        let mut ids = HashSet::new();
        for starter in starters {
            let (first, id) = starter.await.unwrap();
            started += usize::from(first);
            ids.insert(id);
        }
        assert_eq!((started, ids.len()), (1, 1), "round {round}");
    }
}

/// Batches over the same rows, in opposite orders, with mail in both directions.
pub(super) async fn crossing_batches_do_not_deadlock(subject: Subject) {
    let version = subject.version("billing").await;
    subject.store.queue_instances((0..20).map(|_| new_instance(version)).collect()).await.unwrap();
    let claimed = subject.claim(20).await;
    assert_eq!(claimed.len(), 20);
    let ids: Vec<Uuid> = claimed.iter().map(|claimed| claimed.lease.instance_id).collect();
    let workers: Vec<_> = (0..4)
        .map(|worker: usize| {
            let store = subject.store.clone();
            let mut targets = ids.clone();
            // Each worker owns five instances and writes to all.
            let mine: Vec<_> = claimed[worker * 5..worker * 5 + 5].iter().map(|claimed| claimed.lease).collect();
            if worker % 2 == 1 {
                targets.reverse();
            }
            tokio::spawn(async move {
                for seq in 0..8 {
                    let batch = mine
                        .iter()
                        .map(|lease| Progress {
                            messages: targets.iter().map(|target| signal(*target, "hello")).collect(),
                            ..Progress::new(*lease, seq, vec![event(seq + 1)])
                        })
                        .map(Arc::new)
                        .collect();
                    for answer in store.commit_progress(batch).await.unwrap() {
                        assert!(matches!(answer, Committed::Accepted { .. }), "{answer:?}");
                    }
                    let mail = targets.iter().map(|target| signal(*target, "mail")).collect();
                    store.put_inbox(mail).await.unwrap();
                }
            })
        })
        .collect();
    for worker in workers {
        worker.await.unwrap();
    }
    for inbox in subject.store.read_inbox(ids).await.unwrap() {
        // Twenty senders' greetings in eight rounds, and four workers' mail.
        assert_eq!(inbox.rows.len(), 20 * 8 + 4 * 8);
        assert_eq!(inbox.wake_seq, 20 * 8 + 4 * 8, "one wake-up a message");
    }
}

/// Futures are dropped at all sorts of moments; whatever became of them, rows come in wholes and the store goes on.
pub(super) async fn dropped_futures_leave_nothing_half_done(subject: Subject) {
    let version = subject.version("billing").await;
    for round in 0..60_u64 {
        let new = new_instance(version);
        let id = new.instance_id;
        let start = subject.store.queue_instances(vec![new.clone()]);
        let _ = tokio::time::timeout(Duration::from_micros(round * 40), start).await;
        subject.store.queue_instances(vec![new]).await.unwrap();
        let _ = tokio::time::timeout(Duration::from_micros(round * 40), subject.store.claim(claim_of(1))).await;
        // A claim whose answer was lost holds its rows until its lease is over: a restart frees them here.
        let engine = format!("engine-{round}");
        let claim = crate::Claim { engine: engine.clone(), ..claim_of(10) };
        let mut claimed = subject.store.claim(claim.clone()).await.unwrap().instances;
        if claimed.is_empty() {
            continue;
        }
        claimed.retain(|claimed| claimed.lease.instance_id == id);
        let Some(owned) = claimed.pop() else { continue };
        let done = Next::Finish(Ending::Completed { result: b"done".to_vec() });
        let progress = Progress { next: done, ..Progress::new(owned.lease, 0, vec![event(1)]) };
        let commit = subject.store.commit_progress(vec![progress.clone().into()]);
        let _ = tokio::time::timeout(Duration::from_micros(round * 40), commit).await;
        // Settled as an engine would: by looking.
        let answer = subject.commit(progress).await;
        let settled = subject.store.read_seq(vec![owned.lease]).await.unwrap().remove(0);
        assert!(matches!(answer, Committed::Accepted { .. } | Committed::LostLease), "{answer:?}");
        assert_eq!(settled, crate::SeqUnderLease::Finished);
        let state = subject.store.read_state(id).await.unwrap().unwrap();
        assert_eq!((state.log.len(), state.instance.result), (1, Some(b"done".to_vec())));
    }
}
