//! The inbox, and the promise that nobody sleeps through a message.

use uuid::Uuid;

use super::{Subject, event, signal};
use crate::{Change, Committed, Delivery, Message, Next, Progress, Sleep, Timestamp};

pub(super) async fn messages_wake_and_are_taken_once(subject: Subject) {
    let owned = subject.owned("billing").await;
    let id = owned.lease.instance_id;
    let sleep = Next::Sleep { scheduled_at: Timestamp::NEVER, wake_seq: owned.wake_seq };
    subject.commit(Progress { next: sleep, ..Progress::new(owned.lease, 0, vec![event(1)]) }).await;
    assert_eq!(subject.claim(10).await, []);

    let go = signal(id, "go");
    let bad = Message { name: "a\0b".into(), ..signal(id, "") };
    let batch = vec![go.clone(), go.clone(), signal(Uuid::now_v7(), "nobody"), bad, signal(id, "more")];
    let answers = subject.store.put_inbox(batch).await.unwrap();
    assert_eq!(answers[..3], [Delivery::Delivered, Delivery::Duplicate, Delivery::Unknown]);
    assert!(matches!(answers[3], Delivery::Refused { .. }));
    assert_eq!(answers[4], Delivery::Delivered);
    assert_eq!(subject.store.put_inbox(vec![go.clone()]).await.unwrap(), [Delivery::Duplicate]);

    let woken = subject.claim(10).await.remove(0);
    let names: Vec<_> = woken.inbox.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["go", "more"]);
    let consume = Progress { consumed: vec![go.message_id], ..Progress::new(woken.lease, 1, vec![event(2)]) };
    subject.commit(consume).await;
    let view = subject.store.read_inbox(vec![id, Uuid::now_v7()]).await.unwrap();
    assert_eq!(view.len(), 1);
    let names: Vec<_> = view[0].rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["more"]);
}

pub(super) async fn sleep_waits_for_nobody_who_has_mail(subject: Subject) {
    let owned = subject.owned("billing").await;
    let id = owned.lease.instance_id;
    subject.store.put_inbox(vec![signal(id, "go")]).await.unwrap();

    let sleep = Sleep {
        lease: owned.lease,
        scheduled_at: Timestamp::NEVER,
        wake_seq: owned.wake_seq,
        waits_for: Some("a signal".into()),
        tried: true,
    };
    assert_eq!(subject.store.sleep(vec![sleep.clone()]).await.unwrap(), [false]);
    let next = Next::Sleep { scheduled_at: Timestamp::NEVER, wake_seq: owned.wake_seq };
    let seen = match subject.commit(Progress { next, ..Progress::new(owned.lease, 0, vec![event(1)]) }).await {
        Committed::Accepted { wake_seq, released: false, .. } => wake_seq,
        other => panic!("the progress counts, the sleep does not: {other:?}"),
    };
    let view = subject.store.read_inbox(vec![id]).await.unwrap().remove(0);
    assert_eq!((view.wake_seq, view.rows.len()), (seen, 1));
    assert_eq!(subject.store.sleep(vec![Sleep { wake_seq: seen, ..sleep }]).await.unwrap(), [true]);
    let instance = subject.instance(id).await.unwrap();
    assert_eq!(instance.scheduled_at, Some(Timestamp::NEVER));
    assert_eq!(instance.waits_for.as_deref(), Some("a signal"));
    assert_eq!(subject.claim(10).await, []);
}

pub(super) async fn changes_are_told(subject: Subject) {
    let mut changes = subject.store.changes();
    let id = subject.start("billing").await;
    let mut seen = Vec::new();
    while !(seen.contains(&Change::Versions) && seen.contains(&Change::Work)) {
        seen.push(changes.recv().await.unwrap());
    }
    subject.store.put_inbox(vec![signal(id, "go")]).await.unwrap();
    while !seen.contains(&Change::Inbox(id)) {
        seen.push(changes.recv().await.unwrap());
    }

    // Whoever goes to sleep for long wakes nobody.
    let owned = subject.claim(1).await.remove(0);
    let mut changes = subject.store.changes();
    let sleep = Sleep {
        lease: owned.lease,
        scheduled_at: Timestamp::NEVER,
        wake_seq: owned.wake_seq,
        waits_for: None,
        tried: true,
    };
    assert_eq!(subject.store.sleep(vec![sleep]).await.unwrap(), [true]);
    subject.store.put_inbox(vec![signal(id, "again")]).await.unwrap();
    assert_eq!(changes.recv().await.unwrap(), Change::Inbox(id));
}
