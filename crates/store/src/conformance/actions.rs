//! Executions that travel to a worker elsewhere.

use std::time::Duration;

use uuid::Uuid;

use super::{MINUTE, Subject, signal};
use crate::{
    ActionKey, ActionSettlement, Change, ClaimActions, ClaimedAction, ClaimedInstance, Ending, Lease, Message, Next,
    Progress, Put, PutAction, QueuedAction, Timestamp, WorkerStatus,
};

fn action(instance_id: Uuid, ordinal: u32, queue: &str, name: &str) -> QueuedAction {
    QueuedAction {
        key: ActionKey { instance_id, execution_id: format!("0-{ordinal}"), attempt: 1 },
        queue: queue.into(),
        action: name.into(),
        payload: b"arguments".to_vec(),
    }
}

/// As the owner puts it.
fn put(owned: &ClaimedInstance, ordinal: u32, queue: &str, name: &str) -> PutAction {
    let action = action(owned.lease.instance_id, ordinal, queue, name);
    PutAction { lease: owned.lease, wake_seq: owned.wake_seq, action }
}

fn claim(wanted: &[(&str, &str)], limit: u32) -> ClaimActions {
    ClaimActions {
        engine: "engine-b".into(),
        wanted: wanted.iter().map(|(queue, action)| (queue.to_string(), action.to_string())).collect(),
        limit,
        lease: MINUTE,
    }
}

fn outcome(instance_id: Uuid) -> Message {
    Message { kind: "outcome".into(), ..signal(instance_id, "0-1") }
}

fn executions(claimed: &[ClaimedAction]) -> Vec<&str> {
    claimed.iter().map(|claimed| claimed.action.key.execution_id.as_str()).collect()
}

pub(super) async fn actions_travel_and_settle_by_inbox(subject: Subject) {
    let owned = subject.owned("billing").await;
    let id = owned.lease.instance_id;
    let all = vec![
        put(&owned, 1, "gpu", "charge"),
        put(&owned, 2, "gpu", "refund"),
        put(&owned, 3, "", "charge"),
        put(&owned, 4, "cpu", "charge"),
        put(&owned, 5, "gpu", "render"),
    ];
    assert_eq!(subject.store.put_actions(all.clone()).await.unwrap(), [Put::Done; 5]);
    assert_eq!(subject.store.put_actions(all.clone()).await.unwrap(), [Put::Done; 5]);

    let first = subject.store.claim_actions(claim(&[("gpu", "charge")], 1)).await.unwrap();
    assert_eq!(first.len(), 1);
    assert_eq!((&first[0].action, first[0].claims), (&all[0].action, 1), "the oldest first, as it was put");
    let rest = subject.store.claim_actions(claim(&[("gpu", "charge"), ("gpu", "refund")], 10)).await.unwrap();
    assert_eq!(
        executions(&rest),
        ["0-2", "0-3"],
        "no others: not another queue's, nor another action, but those of no queue"
    );

    let message = outcome(id);
    let settlement =
        ActionSettlement { key: first[0].action.key.clone(), lock_uuid: first[0].lock_uuid, message: message.clone() };
    let stranger = ActionSettlement { lock_uuid: Uuid::new_v4(), ..settlement.clone() };
    assert_eq!(subject.store.settle_actions(vec![stranger, settlement.clone()]).await.unwrap(), [false, true]);
    assert_eq!(subject.store.settle_actions(vec![settlement]).await.unwrap(), [false], "once");
    let view = subject.store.read_inbox(vec![id]).await.unwrap().remove(0);
    assert_eq!((view.rows.len(), view.rows[0].message_id), (1, message.message_id));
    assert_eq!(view.wake_seq, owned.wake_seq + 1);

    let mut changes = subject.store.changes();
    let unknown = ActionKey { execution_id: "0-9".into(), ..rest[0].action.key.clone() };
    let keys = vec![rest[0].action.key.clone(), all[4].action.key.clone(), unknown];
    let dropped = subject.store.drop_actions(keys).await.unwrap();
    assert_eq!(dropped, [false, true, false], "only of the second it is sure that nobody runs it");
    let told = tokio::time::timeout(MINUTE, async { while changes.recv().await != Ok(Change::Actions) {} });
    told.await.expect("whoever runs the first hears of it");
    let held = vec![(rest[0].action.key.clone(), rest[0].lock_uuid), (rest[1].action.key.clone(), rest[1].lock_uuid)];
    assert_eq!(subject.store.heartbeat_actions(held, MINUTE).await.unwrap(), [false, true]);

    let done = Next::Finish(Ending::Completed { result: Vec::new() });
    subject.commit(Progress { next: done, ..Progress::new(owned.lease, 0, Vec::new()) }).await;
    let left = subject.store.claim_actions(claim(&[("cpu", "charge")], 10)).await.unwrap();
    assert_eq!(left, [], "nobody waits for the actions of what has finished");
}

/// An owner that is not, and one that has not read its mail, put nothing: the outcome may be there already.
pub(super) async fn actions_are_put_by_the_owner_who_has_read_its_mail(subject: Subject) {
    let owned = subject.owned("billing").await;
    let lease = Lease { lock_uuid: Uuid::new_v4(), ..owned.lease };
    let stranger = PutAction { lease, ..put(&owned, 1, "", "charge") };
    let another = action(Uuid::now_v7(), 1, "", "charge");
    let anothers = PutAction { action: another, ..put(&owned, 1, "", "charge") };
    let behind = PutAction { wake_seq: owned.wake_seq - 1, ..put(&owned, 1, "", "charge") };
    let answers = subject.store.put_actions(vec![stranger, anothers, behind]).await.unwrap();
    assert_eq!(answers, [Put::LostLease, Put::LostLease, Put::UnreadMail]);
    assert_eq!(subject.store.claim_actions(claim(&[("any", "charge")], 9)).await.unwrap(), []);

    subject.store.put_actions(vec![put(&owned, 1, "", "charge"), put(&owned, 2, "", "charge")]).await.unwrap();
    let claimed = subject.store.claim_actions(claim(&[("any", "charge")], 1)).await.unwrap();
    assert_eq!(claimed.len(), 1);
    subject.expire(owned.lease).await;
    assert_eq!(subject.store.put_actions(vec![put(&owned, 3, "", "charge")]).await.unwrap(), [Put::LostLease]);
    subject.store.reclaim_expired(10).await.unwrap();
    let again = subject.claim(10).await.remove(0);
    assert_eq!(again.routed, [("0-1".into(), 1), ("0-2".into(), 1)], "the next owner knows of both");
}

pub(super) async fn action_leases_expire_and_fence(subject: Subject) {
    let owned = subject.owned("billing").await;
    let id = owned.lease.instance_id;
    subject.store.put_actions(vec![put(&owned, 1, "gpu", "charge")]).await.unwrap();
    let first = subject.store.claim_actions(claim(&[("gpu", "charge")], 9)).await.unwrap().remove(0);
    let held = vec![(first.action.key.clone(), first.lock_uuid)];
    assert_eq!(subject.store.heartbeat_actions(held, Duration::ZERO).await.unwrap(), [true]);
    assert_eq!(subject.store.reclaim_expired(10).await.unwrap(), 1);
    let first = subject.store.claim_actions(claim(&[("gpu", "charge")], 9)).await.unwrap().remove(0);
    assert_eq!(first.claims, 1, "what was given back was not claimed");
    let held = vec![(first.action.key.clone(), first.lock_uuid)];
    assert_eq!(subject.store.heartbeat_actions(held.clone(), Duration::from_micros(1)).await.unwrap(), [true]);
    assert_eq!(subject.store.heartbeat_actions(held, MINUTE).await.unwrap(), [false], "expired is lost");
    assert_eq!(subject.store.reclaim_expired(10).await.unwrap(), 1);
    let second = subject.store.claim_actions(claim(&[("gpu", "charge")], 9)).await.unwrap().remove(0);
    assert_eq!(second.claims, 2, "it is counted");
    let settle = |lock_uuid| ActionSettlement { key: second.action.key.clone(), lock_uuid, message: outcome(id) };
    assert_eq!(subject.store.settle_actions(vec![settle(first.lock_uuid)]).await.unwrap(), [false]);
    assert_eq!(subject.store.free_own_leases("engine-b").await.unwrap(), 1, "a restart frees actions too");
    assert_eq!(subject.store.settle_actions(vec![settle(second.lock_uuid)]).await.unwrap(), [false]);
    assert_eq!(subject.store.read_inbox(vec![id]).await.unwrap()[0].rows, []);
}

pub(super) async fn worker_status_is_replaced(subject: Subject) {
    let status = |completed| WorkerStatus {
        pool_id: "pool".into(),
        worker_id: "1".into(),
        language: "python".into(),
        in_flight: 3,
        completed,
        failed: 1,
        actions_per_second: 2.5,
        latency_p50_us: 100,
        latency_p99_us: 900,
        started_at: Timestamp(1_700_000_000_000_000),
        updated_at: Timestamp(0),
    };
    let since = subject.store.now().await.unwrap().saturating_sub(MINUTE);
    subject.store.put_worker_status(vec![status(10)]).await.unwrap();
    subject.store.put_worker_status(vec![status(20)]).await.unwrap();
    let listed = subject.store.list_worker_status(since).await.unwrap();
    assert_eq!(listed.len(), 1);
    assert!(listed[0].updated_at >= since);
    assert_eq!(WorkerStatus { updated_at: Timestamp(0), ..listed[0].clone() }, status(20));
    assert_eq!(subject.store.list_worker_status(Timestamp(since.0 + 3_600_000_000)).await.unwrap(), []);
}
