//! From outside: ending instances, and giving them other states.

use uuid::Uuid;

use super::{MINUTE, Subject, event, events, new_instance, signal};
use crate::{
    Change, Claim, Committed, Ending, Heartbeat, LogRow, Message, NewInstance, Next, Parent, Progress, Queued, Rewrite,
    Rewritten, Snapshot, Status, Terminated, Termination, Timestamp,
};

fn termination(instance_id: Uuid) -> Termination {
    Termination {
        instance_id,
        error: b"enough".to_vec(),
        parent_message: None,
        child_message: None,
        abandoned: Vec::new(),
    }
}

fn rewrite(instance_id: Uuid, expected_seq: i64) -> Rewrite {
    let log = LogRow {
        kind: "rewound".into(),
        execution_id: None,
        attempt: None,
        started_at: None,
        worker: None,
        ..event(expected_seq + 1)
    };
    Rewrite {
        instance_id,
        start: None,
        expected_seq,
        was_live: true,
        log,
        snapshot: b"another state".to_vec(),
        workflow_version_id: None,
        inputs: None,
        deadline_at: None,
        mail: Vec::new(),
        is_paused: false,
    }
}

pub(super) async fn terminating_takes_the_instance_from_its_owner(subject: Subject) {
    let owned = subject.owned("billing").await;
    let id = owned.lease.instance_id;
    subject.commit(Progress::new(owned.lease, 0, events(1..=2))).await;
    let asked = vec![termination(id), termination(Uuid::now_v7())];
    let answers = subject.store.terminate_instances(asked).await.unwrap();
    assert_eq!(answers, [Terminated::Done, Terminated::Unknown]);
    assert_eq!(subject.store.terminate_instances(vec![termination(id)]).await.unwrap(), [Terminated::Finished]);

    let late = subject.commit(Progress::new(owned.lease, 2, events(3..=3))).await;
    assert_eq!(late, Committed::LostLease);
    let heartbeat = Heartbeat { leases: vec![owned.lease], lease: MINUTE };
    assert_eq!(subject.store.heartbeat(heartbeat).await.unwrap(), []);
    let seen = subject.instance(id).await.unwrap();
    assert_eq!((seen.status, seen.error.as_deref()), (Status::Terminated, Some(&b"enough"[..])));
    assert_eq!(seen.error_type.as_deref(), Some("waymark.Terminated"));
    assert!(seen.finished_at.is_some() && seen.scheduled_at.is_none());
    assert_eq!(subject.claim(10).await, []);
    let log = subject.store.read_log(id, 0, 10).await.unwrap();
    assert_eq!(log.len(), 2, "what happened is kept");
}

pub(super) async fn terminating_tells_parent_and_children(subject: Subject) {
    let version = subject.version("billing").await;
    let parent = new_instance(version);
    let up = |instance_id, execution: &str| Some(Parent { instance_id, execution_id: execution.into() });
    let middle = NewInstance { parent: up(parent.instance_id, "1/1"), ..new_instance(version) };
    let child = NewInstance { parent: up(middle.instance_id, "1/1"), ..new_instance(version) };
    let left = NewInstance { parent: up(middle.instance_id, "2/1"), ..new_instance(version) };
    let other = new_instance(version);
    let all = vec![parent.clone(), middle.clone(), child.clone(), left.clone(), other.clone()];
    assert_eq!(subject.store.queue_instances(all).await.unwrap(), vec![Queued::Started; 5]);
    let one = Termination {
        parent_message: Some(signal(parent.instance_id, "settled")),
        child_message: Some(Message { kind: "cancel".into(), ..signal(Uuid::nil(), "cancel") }),
        abandoned: vec![left.instance_id],
        ..termination(middle.instance_id)
    };
    assert_eq!(subject.store.terminate_instances(vec![one]).await.unwrap(), [Terminated::Done]);
    for (id, kinds) in [
        (parent.instance_id, vec!["signal"]),
        (child.instance_id, vec!["cancel"]),
        (left.instance_id, vec![]),
        (other.instance_id, vec![]),
    ] {
        let inbox = subject.store.read_inbox(vec![id]).await.unwrap().remove(0);
        assert_eq!(inbox.rows.iter().map(|row| row.kind.as_str()).collect::<Vec<_>>(), kinds);
        assert_eq!(inbox.wake_seq, kinds.len() as i64);
    }
}

pub(super) async fn rewriting_takes_the_instance_from_its_owner(subject: Subject) {
    let owned = subject.owned("billing").await;
    let id = owned.lease.instance_id;
    subject.commit(Progress::new(owned.lease, 0, events(1..=3))).await;
    let another = subject.version("billing-2").await;
    let asked = Rewrite {
        workflow_version_id: Some(another),
        inputs: Some(b"edited".to_vec()),
        deadline_at: Some(Timestamp(5_000_000_000_000_000)),
        mail: vec![signal(id, "told again")],
        is_paused: true,
        ..rewrite(id, 3)
    };
    assert_eq!(subject.store.rewrite_instances(vec![asked]).await.unwrap(), [Rewritten::Done]);
    assert_eq!(subject.commit(Progress::new(owned.lease, 3, events(4..=4))).await, Committed::LostLease);
    assert_eq!(subject.instance(id).await.unwrap().status, Status::Paused);

    let claimed = subject.claim(10).await.remove(0);
    assert_eq!((claimed.lease.instance_id, claimed.seq, claimed.claims), (id, 4, 1));
    assert_eq!(claimed.snapshot, Some(Snapshot { seq: 4, state: b"another state".to_vec() }));
    assert_eq!((claimed.log.len(), claimed.inputs), (0, b"edited".to_vec()));
    assert_eq!(claimed.workflow_version_id, another);
    assert_eq!(claimed.deadline_at, Some(Timestamp(5_000_000_000_000_000)));
    assert_eq!(claimed.inbox.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), ["told again"]);
    let log = subject.store.read_log(id, 0, 10).await.unwrap();
    assert_eq!(
        log.iter().map(|row| row.kind.as_ref()).collect::<Vec<_>>(),
        ["settled", "settled", "settled", "rewound"]
    );
}

pub(super) async fn what_has_finished_goes_on(subject: Subject) {
    let owned = subject.owned("billing").await;
    let id = owned.lease.instance_id;
    let failed = Ending::Failed { error: b"no".to_vec(), error_type: "ValueError".into() };
    let end = Progress { next: Next::Finish(failed), ..Progress::new(owned.lease, 0, events(1..=2)) };
    subject.commit(end).await;
    assert_eq!(subject.instance(id).await.unwrap().error_type.as_deref(), Some("ValueError"));
    // Whoever thinks that it lives has not seen its end.
    assert_eq!(subject.store.rewrite_instances(vec![rewrite(id, 2)]).await.unwrap(), [Rewritten::Moved { seq: 2 }]);
    assert_eq!(subject.instance(id).await.unwrap().status, Status::Failed);
    let ended = Rewrite { was_live: false, ..rewrite(id, 2) };
    assert_eq!(subject.store.rewrite_instances(vec![ended]).await.unwrap(), [Rewritten::Done]);
    let seen = subject.instance(id).await.unwrap();
    assert_eq!((seen.status, seen.error, seen.error_type, seen.finished_at), (Status::Running, None, None, None));
    // And who thinks that it has ended has not seen that it goes on.
    let late = Rewrite { was_live: false, ..rewrite(id, 3) };
    assert_eq!(subject.store.rewrite_instances(vec![late]).await.unwrap(), [Rewritten::Moved { seq: 3 }]);
    let claimed = subject.claim(10).await.remove(0);
    assert_eq!((claimed.lease.instance_id, claimed.seq), (id, 3));
    let end = Progress {
        next: Next::Finish(Ending::Completed { result: b"yes".to_vec() }),
        ..Progress::new(claimed.lease, 3, events(4..=4))
    };
    assert!(matches!(subject.commit(end).await, Committed::Accepted { released: true, .. }));
    assert_eq!(subject.instance(id).await.unwrap().status, Status::Completed);
}

pub(super) async fn what_goes_on_has_the_priority_it_was_started_with(subject: Subject) {
    let version = subject.version("billing").await;
    let parent = new_instance(version);
    let child = NewInstance { priority: 0, ..new_instance(version) };
    let scheduled = NewInstance { priority: 2, ..new_instance(version) };
    let started = NewInstance { priority: 3, ..new_instance(version) };
    subject.store.queue_instances(vec![parent, started.clone()]).await.unwrap();
    let schedule = super::schedules::put("nightly", Some(Timestamp(1)));
    subject.store.put_schedule(schedule).await.unwrap().unwrap();
    let due = subject.store.due_schedules(1).await.unwrap().due.remove(0);
    let fired = super::schedules::firing(&due, vec![scheduled.clone()]);
    subject.store.fire_schedules(vec![fired]).await.unwrap();
    let parent = subject.claim(1).await.remove(0);
    subject.commit(Progress { children: vec![child.clone()], ..Progress::new(parent.lease, 0, events(1..=1)) }).await;

    for (new, is_finished) in [(&child, true), (&scheduled, true), (&started, false)] {
        let id = new.instance_id;
        if is_finished {
            assert_eq!(subject.store.terminate_instances(vec![termination(id)]).await.unwrap(), [Terminated::Done]);
        }
        let again = Rewrite { was_live: !is_finished, ..rewrite(id, 0) };
        assert_eq!(subject.store.rewrite_instances(vec![again]).await.unwrap(), [Rewritten::Done]);
    }
    let priorities: Vec<u8> = subject.claim(10).await.iter().map(|claimed| claimed.priority).collect();
    assert_eq!(priorities, [0, 2, 3]);
}

pub(super) async fn a_start_may_come_with_its_state(subject: Subject) {
    let version = subject.version("billing").await;
    let new = NewInstance { tags: vec!["copy".into()], priority: 2, ..new_instance(version) };
    let id = new.instance_id;
    let with = |new: &NewInstance| Rewrite { start: Some(Box::new(new.clone())), ..rewrite(id, 0) };
    let other = NewInstance { instance_id: Uuid::now_v7(), ..new.clone() };
    let nowhere = NewInstance { workflow_version_id: Uuid::now_v7(), ..new.clone() };
    let answers = subject.store.rewrite_instances(vec![with(&other), with(&nowhere)]).await.unwrap();
    assert!(matches!(&answers[0], Rewritten::Refused { reason } if reason.contains("stands with")), "{answers:?}");
    assert_eq!(answers[1], Rewritten::Unknown);
    assert_eq!(subject.instance(id).await, None);

    let answers = subject.store.rewrite_instances(vec![with(&new), with(&new)]).await.unwrap();
    assert_eq!(answers, [Rewritten::Done, Rewritten::Moved { seq: 1 }]);
    assert_eq!(subject.instance(id).await.unwrap().tags, ["copy"]);
    let claimed = subject.claim(10).await.remove(0);
    assert_eq!((claimed.lease.instance_id, claimed.seq, claimed.priority), (id, 1, 2));
    assert_eq!(claimed.snapshot.map(|snapshot| snapshot.state).as_deref(), Some(&b"another state"[..]));
}

pub(super) async fn others_hear_of_a_rewrite_in_its_commit(subject: Subject) {
    let version = subject.version("billing").await;
    let (one, other, ended) = (new_instance(version), new_instance(version), new_instance(version));
    let (id, other, ended) = (one.instance_id, other.instance_id, ended.instance_id);
    let all = [id, other, ended].map(|instance_id| NewInstance { instance_id, ..new_instance(version) });
    subject.store.queue_instances(all.to_vec()).await.unwrap();
    subject.store.terminate_instances(vec![termination(ended)]).await.unwrap();
    let mail = vec![signal(other, "stop"), signal(ended, "stop"), signal(id, "told again")];
    let late = Rewrite { mail: mail.clone(), ..rewrite(id, 7) };
    assert_eq!(subject.store.rewrite_instances(vec![late]).await.unwrap(), [Rewritten::Moved { seq: 0 }]);
    let read = || subject.store.read_inbox(vec![id, other]);
    assert!(read().await.unwrap().iter().all(|inbox| inbox.rows.is_empty() && inbox.wake_seq == 0));

    let mut changes = subject.store.changes();
    let asked = Rewrite { mail, ..rewrite(id, 0) };
    assert_eq!(subject.store.rewrite_instances(vec![asked]).await.unwrap(), [Rewritten::Done]);
    assert!(read().await.unwrap().iter().all(|inbox| inbox.rows.len() == 1 && inbox.wake_seq == 1));
    let mut heard = Vec::new();
    while !(heard.contains(&Change::Inbox(other)) && heard.contains(&Change::Taken(id))) {
        heard.push(changes.recv().await.unwrap());
    }
}

pub(super) async fn a_taken_key_or_a_later_event_refuses_a_rewrite(subject: Subject) {
    let version = subject.version("billing").await;
    let keyed = NewInstance { user_key: Some("order-1".into()), ..new_instance(version) };
    subject.store.queue_instances(vec![keyed.clone()]).await.unwrap();
    let claim = Claim { lease: MINUTE, ..super::claim_of(1) };
    let claimed = subject.store.claim(claim).await.unwrap().instances.remove(0);
    let end = Progress {
        next: Next::Finish(Ending::Cancelled { error: b"no".to_vec() }),
        ..Progress::new(claimed.lease, 0, events(1..=1))
    };
    subject.commit(end).await;
    let id = keyed.instance_id;
    let rewrite = |id, seq| Rewrite { was_live: false, ..rewrite(id, seq) };
    let again = subject.store.rewrite_instances(vec![rewrite(id, 4), rewrite(Uuid::now_v7(), 1)]).await.unwrap();
    assert_eq!(again, [Rewritten::Moved { seq: 1 }, Rewritten::Unknown]);
    let next = NewInstance { instance_id: Uuid::now_v7(), ..keyed.clone() };
    assert_eq!(subject.store.queue_instances(vec![next.clone()]).await.unwrap(), [Queued::Started]);
    let taken = subject.store.rewrite_instances(vec![rewrite(id, 1)]).await.unwrap();
    assert_eq!(taken, [Rewritten::KeyTaken { instance_id: next.instance_id }]);
    assert_eq!(subject.instance(id).await.unwrap().status, Status::Cancelled);
    assert_eq!(subject.store.read_log(id, 0, 10).await.unwrap().len(), 1);
}
