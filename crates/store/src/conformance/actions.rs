//! Executions that travel to a worker elsewhere.

use std::time::Duration;

use uuid::Uuid;

use super::{MINUTE, Subject, signal};
use crate::{
    ActionKey, ActionSettlement, ClaimActions, Ending, Message, Next, Progress, QueuedAction, Timestamp, WorkerStatus,
};

fn action(instance_id: Uuid, ordinal: u32, queue: &str, language: &str) -> QueuedAction {
    QueuedAction {
        key: ActionKey { instance_id, execution_id: format!("0-{ordinal}"), attempt: 1 },
        queue: queue.into(),
        language: language.into(),
        action: "billing.charge".into(),
        payload: b"arguments".to_vec(),
    }
}

fn claim(wanted: &[(&str, &str)], limit: u32) -> ClaimActions {
    ClaimActions {
        engine: "engine-b".into(),
        wanted: wanted.iter().map(|(queue, language)| (queue.to_string(), language.to_string())).collect(),
        limit,
        lease: MINUTE,
    }
}

fn outcome(instance_id: Uuid) -> Message {
    Message { kind: "outcome".into(), ..signal(instance_id, "0-1") }
}

pub(super) async fn actions_travel_and_settle_by_inbox(subject: Subject) {
    let owned = subject.owned("billing").await;
    let id = owned.lease.instance_id;
    let all = vec![
        action(id, 1, "gpu", "python"),
        action(id, 2, "gpu", "node"),
        action(id, 3, "gpu", "python"),
        action(id, 4, "cpu", "python"),
        action(Uuid::now_v7(), 5, "gpu", "python"),
    ];
    subject.store.put_actions(all.clone()).await.unwrap();
    subject.store.put_actions(all.clone()).await.unwrap();

    let first = subject.store.claim_actions(claim(&[("gpu", "python")], 1)).await.unwrap();
    assert_eq!(first.len(), 1);
    assert_eq!(first[0].action, all[0], "the oldest first, as it was put");
    let rest = subject.store.claim_actions(claim(&[("gpu", "python"), ("gpu", "node")], 10)).await.unwrap();
    let executions: Vec<_> = rest.iter().map(|claimed| claimed.action.key.execution_id.as_str()).collect();
    assert_eq!(executions, ["0-2", "0-3"], "no others: not another queue's, nor those of instances that don't live");

    let message = outcome(id);
    let settlement =
        ActionSettlement { key: first[0].action.key.clone(), lock_uuid: first[0].lock_uuid, message: message.clone() };
    let stranger = ActionSettlement { lock_uuid: Uuid::new_v4(), ..settlement.clone() };
    assert_eq!(subject.store.settle_actions(vec![stranger, settlement.clone()]).await.unwrap(), [false, true]);
    assert_eq!(subject.store.settle_actions(vec![settlement]).await.unwrap(), [false], "once");
    let view = subject.store.read_inbox(vec![id]).await.unwrap().remove(0);
    assert_eq!((view.rows.len(), view.rows[0].message_id), (1, message.message_id));
    assert_eq!(view.wake_seq, owned.wake_seq + 1);

    subject.store.drop_actions(vec![rest[0].action.key.clone()]).await.unwrap();
    let held = vec![(rest[0].action.key.clone(), rest[0].lock_uuid), (rest[1].action.key.clone(), rest[1].lock_uuid)];
    assert_eq!(subject.store.heartbeat_actions(held, MINUTE).await.unwrap(), [false, true]);

    let done = Next::Finish(Ending::Completed { result: Vec::new() });
    subject.commit(Progress { next: done, ..Progress::new(owned.lease, 0, Vec::new()) }).await;
    let left = subject.store.claim_actions(claim(&[("cpu", "python")], 10)).await.unwrap();
    assert_eq!(left, [], "nobody waits for the actions of what has finished");
}

pub(super) async fn action_leases_expire_and_fence(subject: Subject) {
    let id = subject.owned("billing").await.lease.instance_id;
    subject.store.put_actions(vec![action(id, 1, "gpu", "python")]).await.unwrap();
    let first = subject.store.claim_actions(claim(&[("gpu", "python")], 9)).await.unwrap().remove(0);
    let held = vec![(first.action.key.clone(), first.lock_uuid)];
    assert_eq!(subject.store.heartbeat_actions(held.clone(), Duration::ZERO).await.unwrap(), [true]);
    assert_eq!(subject.store.heartbeat_actions(held, MINUTE).await.unwrap(), [false], "expired is lost");
    assert_eq!(subject.store.reclaim_expired(10).await.unwrap(), 1);
    let second = subject.store.claim_actions(claim(&[("gpu", "python")], 9)).await.unwrap().remove(0);
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
