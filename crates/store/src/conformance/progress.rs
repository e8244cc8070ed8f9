//! Progress: gated, whole, in order.

use std::sync::Arc;

use uuid::Uuid;

use super::{Subject, event, events, new_instance, signal};
use crate::{
    Change, Committed, Delivery, Ending, Lease, LogRow, NewInstance, Next, Parent, Progress, Queued, Reply,
    ReplyOutcome, SeqUnderLease, Snapshot, Status, Timestamp,
};

fn accepted(committed: &Committed) -> bool {
    matches!(committed, Committed::Accepted { .. })
}

pub(super) async fn progress_is_gated_by_lease_and_seq(subject: Subject) {
    let one = subject.owned("billing").await.lease;
    let two = subject.owned("billing").await.lease;
    let three = subject.owned("billing").await.lease;
    let four = subject.owned("billing").await.lease;
    assert!(accepted(&subject.commit(Progress::new(two, 0, events(1..=2))).await));
    subject.expire(three).await;
    let stranger = Lease { lock_uuid: Uuid::new_v4(), ..four };
    let nobody = Lease { instance_id: Uuid::now_v7(), lock_uuid: one.lock_uuid };
    let batch = vec![
        Progress::new(stranger, 0, vec![event(1)]),
        Progress::new(one, 0, vec![event(1)]),
        Progress::new(two, 0, vec![event(1)]),
        Progress::new(three, 0, vec![event(1)]),
        Progress::new(nobody, 0, vec![event(1)]),
        Progress::new(four, 0, vec![event(2)]),
    ];
    let answers = subject.store.commit_progress(batch.into_iter().map(Arc::new).collect()).await.unwrap();
    assert_eq!(answers[0], Committed::LostLease, "another's lock");
    assert!(accepted(&answers[1]));
    assert_eq!(answers[2], Committed::WrongSeq { seq: 2 });
    assert_eq!(answers[3], Committed::LostLease, "expired, though nobody has reclaimed it");
    assert_eq!(answers[4], Committed::LostLease, "no such instance");
    assert!(matches!(answers[5], Committed::Refused { .. }), "a gap in the log");
    for (lease, seqs) in [(one, 1), (two, 2), (three, 0), (four, 0)] {
        assert_eq!(subject.store.read_log(lease.instance_id, 0, 10).await.unwrap(), events(1..=seqs));
    }
    assert_eq!(subject.store.read_log(two.instance_id, 1, 10).await.unwrap(), events(2..=2));
    assert_eq!(subject.store.commit_progress(Vec::new()).await.unwrap(), []);
}

pub(super) async fn a_stale_owner_changes_nothing(subject: Subject) {
    let stale = subject.owned("billing").await;
    let instance_id = stale.lease.instance_id;
    let parent = subject.owned("shipping").await;
    subject.store.put_inbox(vec![signal(instance_id, "go")]).await.unwrap();
    subject.expire(stale.lease).await;
    subject.store.reclaim_expired(10).await.unwrap();
    let owner = subject.claim(10).await.remove(0);
    let before = subject.store.read_state(instance_id).await.unwrap();

    let attempt = Progress {
        snapshot: Some(b"stale".to_vec()),
        consumed: vec![owner.inbox[0].message_id],
        messages: vec![signal(parent.lease.instance_id, "stale")],
        children: vec![new_instance(owner.workflow_version_id)],
        waits_for: Some("stale".into()),
        ..Progress::new(stale.lease, 0, vec![event(1)])
    };
    let child = attempt.children[0].instance_id;
    for next in [
        Next::Hold,
        Next::Sleep { scheduled_at: Timestamp::NEVER, wake_seq: owner.wake_seq },
        Next::Finish(Ending::Completed { result: b"stale".to_vec() }),
    ] {
        assert_eq!(subject.commit(Progress { next, ..attempt.clone() }).await, Committed::LostLease);
    }
    let sleep = crate::Sleep {
        lease: stale.lease,
        scheduled_at: Timestamp::NEVER,
        wake_seq: owner.wake_seq,
        waits_for: Some("stale".into()),
        tried: true,
    };
    assert_eq!(subject.store.sleep(vec![sleep]).await.unwrap(), [false]);
    assert_eq!(subject.store.mark_stuck(vec![(stale.lease, "stale".into())]).await.unwrap(), [false]);

    assert_eq!(subject.store.read_state(instance_id).await.unwrap(), before);
    assert_eq!(subject.instance(child).await, None);
    let inboxes = subject.store.read_inbox(vec![instance_id, parent.lease.instance_id]).await.unwrap();
    let sizes: Vec<_> = inboxes.iter().map(|inbox| inbox.rows.len()).collect();
    assert_eq!(sizes, [1, 0]);
    assert!(accepted(&subject.commit(Progress::new(owner.lease, 0, vec![event(1)])).await), "the owner goes on");
}

pub(super) async fn snapshots_shorten_the_log(subject: Subject) {
    let owned = subject.owned("billing").await;
    let id = owned.lease.instance_id;
    subject.commit(Progress::new(owned.lease, 0, events(1..=4))).await;
    // Trimming never outruns the snapshot.
    subject.commit(Progress { trim_log_through: Some(4), ..Progress::new(owned.lease, 4, Vec::new()) }).await;
    assert_eq!(subject.store.read_state(id).await.unwrap().unwrap().log.len(), 4);

    let trimmed = Progress {
        snapshot: Some(b"state".to_vec()),
        trim_log_through: Some(2),
        waits_for: Some("a signal".into()),
        ..Progress::new(owned.lease, 4, vec![event(5)])
    };
    assert!(accepted(&subject.commit(trimmed).await));
    subject.commit(Progress::new(owned.lease, 5, vec![event(6)])).await;
    let state = subject.store.read_state(id).await.unwrap().unwrap();
    assert_eq!(state.snapshot, Some(Snapshot { seq: 5, state: b"state".to_vec() }));
    assert_eq!(state.log, events(6..=6));
    assert_eq!(state.instance.waits_for.as_deref(), Some("a signal"));
    assert_eq!(subject.store.read_log(id, 0, 10).await.unwrap(), events(3..=6), "history is kept as far as asked");
    assert_eq!(subject.store.read_state(Uuid::now_v7()).await.unwrap(), None);
}

pub(super) async fn finishing_is_one_commit(subject: Subject) {
    let parent = subject.owned("parent").await;
    let version = subject.version("child").await;
    let endings = [
        (Ending::Completed { result: b"done".to_vec() }, Status::Completed, Some(b"done".to_vec()), None),
        (
            Ending::Failed { error: b"no".to_vec(), error_type: "ValueError".into() },
            Status::Failed,
            None,
            Some(b"no".to_vec()),
        ),
        (Ending::Cancelled { error: b"stop".to_vec() }, Status::Cancelled, None, Some(b"stop".to_vec())),
    ];
    for (index, (ending, status, result, error)) in endings.into_iter().enumerate() {
        let up = Parent { instance_id: parent.lease.instance_id, execution_id: format!("0-{index}") };
        let new = NewInstance { parent: Some(up), ..new_instance(version) };
        subject.store.queue_instances(vec![new.clone()]).await.unwrap();
        let child = subject.claim(10).await.remove(0);
        subject.store.put_inbox(vec![signal(new.instance_id, "too late")]).await.unwrap();
        let mut changes = subject.store.changes();
        let settled = signal(parent.lease.instance_id, &format!("child {index}"));
        let finish = Progress {
            messages: vec![settled],
            next: Next::Finish(ending),
            ..Progress::new(child.lease, 0, vec![event(1)])
        };
        match subject.commit(finish).await {
            Committed::Accepted { released: true, .. } => {}
            other => panic!("not accepted: {other:?}"),
        }
        let seen = subject.instance(new.instance_id).await.unwrap();
        assert_eq!((seen.status, seen.result, seen.error), (status, result, error));
        assert!(seen.finished_at.is_some() && seen.scheduled_at.is_none());
        assert_eq!(
            subject.store.put_inbox(vec![signal(new.instance_id, "later")]).await.unwrap(),
            [Delivery::Finished]
        );
        assert_eq!(subject.store.read_inbox(vec![new.instance_id]).await.unwrap(), []);
        let inbox = subject.store.read_inbox(vec![parent.lease.instance_id]).await.unwrap().remove(0);
        assert_eq!(inbox.rows.last().unwrap().name, format!("child {index}"));
        assert_eq!(inbox.wake_seq, parent.wake_seq + index as i64 + 1);
        loop {
            if changes.recv().await.unwrap() == Change::Finished(new.instance_id) {
                break;
            }
        }
    }
    // A parent that has finished does not keep its children from finishing.
    let orphan = subject.owned("child").await;
    let done = Next::Finish(Ending::Completed { result: Vec::new() });
    subject.commit(Progress { next: done.clone(), ..Progress::new(parent.lease, 0, Vec::new()) }).await;
    let finish = Progress {
        messages: vec![signal(parent.lease.instance_id, "orphan")],
        next: done,
        ..Progress::new(orphan.lease, 0, Vec::new())
    };
    assert!(accepted(&subject.commit(finish).await));
}

pub(super) async fn children_start_in_the_same_commit(subject: Subject) {
    let parent = subject.owned("parent").await;
    let version = subject.version("child").await;
    let up = Some(Parent { instance_id: parent.lease.instance_id, execution_id: "0-1".into() });
    let keyed = NewInstance { parent: up.clone(), user_key: Some("k".into()), ..new_instance(version) };
    let children = vec![
        keyed.clone(),
        NewInstance { instance_id: Uuid::now_v7(), inputs: b"other".to_vec(), ..keyed.clone() },
        NewInstance { parent: up, ..new_instance(version) },
        new_instance(Uuid::now_v7()),
    ];
    let progress = Progress { children, ..Progress::new(parent.lease, 0, vec![event(1)]) };
    match subject.commit(progress).await {
        Committed::Accepted { children, .. } => assert_eq!(
            children,
            [
                Queued::Started,
                Queued::KeyTaken { instance_id: keyed.instance_id },
                Queued::Started,
                Queued::UnknownVersion
            ]
        ),
        other => panic!("not accepted: {other:?}"),
    }
    let claimed = subject.claim(10).await;
    assert_eq!(claimed.len(), 2);
    assert!(claimed.iter().all(|child| child.parent.as_ref().is_some_and(|up| up.execution_id == "0-1")));
}

pub(super) async fn a_child_of_the_commit_gets_its_mail(subject: Subject) {
    let parent = subject.owned("parent").await;
    let child = new_instance(subject.version("child").await);
    let id = child.instance_id;
    let progress = Progress {
        messages: vec![signal(id, "go"), signal(Uuid::now_v7(), "nobody")],
        children: vec![child],
        ..Progress::new(parent.lease, 0, vec![event(1)])
    };
    assert!(accepted(&subject.commit(progress).await));
    let claimed = subject.claim(10).await;
    let mail: Vec<_> = claimed.iter().map(|child| (child.lease.instance_id, child.inbox.len())).collect();
    assert_eq!(mail, [(id, 1)]);
    let read = &claimed[0];
    let done = Next::Sleep { scheduled_at: Timestamp::NEVER, wake_seq: read.wake_seq };
    let consumed = vec![read.inbox[0].message_id];
    let committed =
        subject.commit(Progress { consumed, next: done, ..Progress::new(read.lease, 0, vec![event(1)]) }).await;
    assert!(matches!(committed, Committed::Accepted { released: true, .. }), "{committed:?}");
}

pub(super) async fn replies_come_with_the_progress(subject: Subject) {
    let one = subject.owned("billing").await;
    let other = subject.owned("billing").await;
    let mut changes = subject.store.changes();
    let reply = |id: &str, outcome| Reply { update_id: id.into(), outcome };
    let yes = ReplyOutcome::Value(b"yes".to_vec());
    let no = ReplyOutcome::Error(b"no".to_vec());
    let replies = vec![reply("a", yes.clone()), reply("b", no.clone())];
    let progress = Progress { replies, ..Progress::new(one.lease, 0, vec![event(1)]) };
    let stale = Progress { lease: Lease { lock_uuid: Uuid::new_v4(), ..other.lease }, ..progress.clone() };
    let answers = subject.store.commit_progress(vec![progress.into(), stale.into()]).await.unwrap();
    assert_eq!((accepted(&answers[0]), &answers[1]), (true, &Committed::LostLease));
    let told = Change::Replied(one.lease.instance_id);
    while changes.recv().await.unwrap() != told {}
    // The first one counts.
    let again = vec![reply("a", no.clone())];
    subject.commit(Progress { replies: again, ..Progress::new(one.lease, 1, vec![event(2)]) }).await;
    let (one_id, other_id) = (one.lease.instance_id, other.lease.instance_id);
    let asked = [(one_id, "b"), (one_id, "c"), (other_id, "a"), (one_id, "a")];
    let asked = asked.into_iter().map(|(id, update)| (id, update.to_string())).collect();
    assert_eq!(subject.store.read_replies(asked).await.unwrap(), [Some(no), None, None, Some(yes)]);
}

pub(super) async fn unknown_outcomes_are_settled_by_seq(subject: Subject) {
    let held = subject.owned("billing").await;
    let finished = subject.owned("billing").await;
    let slept = subject.owned("billing").await;
    subject.commit(Progress::new(held.lease, 0, events(1..=3))).await;
    let done = Next::Finish(Ending::Completed { result: Vec::new() });
    subject.commit(Progress { next: done, ..Progress::new(finished.lease, 0, vec![event(1)]) }).await;
    let sleep = Next::Sleep { scheduled_at: Timestamp::NEVER, wake_seq: slept.wake_seq };
    subject.commit(Progress { next: sleep, ..Progress::new(slept.lease, 0, vec![event(1)]) }).await;
    let stranger = Lease { lock_uuid: Uuid::new_v4(), ..finished.lease };
    let asked = vec![held.lease, finished.lease, slept.lease, stranger];
    assert_eq!(
        subject.store.read_seq(asked).await.unwrap(),
        [SeqUnderLease::Held { seq: 3 }, SeqUnderLease::Finished, SeqUnderLease::Lost, SeqUnderLease::Lost]
    );
}

pub(super) async fn one_bad_row_takes_nobody_with_it(subject: Subject) {
    let subject = Subject { store: subject.harness.poisoned().await, ..subject };
    let mut leases = Vec::new();
    for _ in 0..7 {
        leases.push(subject.owned("billing").await.lease);
    }
    let poison = |seq| LogRow { worker: Some("poison".into()), ..event(seq) };
    let batch = leases
        .iter()
        .enumerate()
        .map(|(index, lease)| match index {
            2 | 5 => Progress::new(*lease, 0, vec![event(1), poison(2)]),
            _ => Progress::new(*lease, 0, events(1..=2)),
        })
        .map(Arc::new)
        .collect();
    let answers = subject.store.commit_progress(batch).await.unwrap();
    for (index, answer) in answers.iter().enumerate() {
        let log = subject.store.read_log(leases[index].instance_id, 0, 10).await.unwrap();
        if matches!(index, 2 | 5) {
            assert!(matches!(answer, Committed::Refused { .. }), "{index}: {answer:?}");
            assert_eq!(log, [], "nothing of the bad one is left");
        } else {
            assert!(accepted(answer), "{index}: {answer:?}");
            assert_eq!(log.len(), 2);
        }
    }
    assert_eq!(subject.store.mark_stuck(vec![(leases[2], "a bad row".into())]).await.unwrap(), [true]);
}
