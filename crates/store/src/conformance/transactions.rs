//! Attempts that are transactions: one outcome, whoever says it.

use std::time::Duration;

use uuid::Uuid;

use super::{Subject, event};
use crate::{
    ActionKey, AttemptSettled, AttemptSettlement, Ending, Message, Next, Progress, Retention, Sleep, Timestamp,
};

fn says(instance_id: Uuid, attempt: i32, what: &str) -> AttemptSettlement {
    let key = ActionKey { instance_id, execution_id: "0-1".into(), attempt };
    let message = Message {
        instance_id,
        // One message an attempt, whoever writes it.
        message_id: Uuid::from_u128(instance_id.as_u128() ^ attempt.unsigned_abs() as u128),
        kind: "transaction".into(),
        name: format!("0-1/{attempt}"),
        payload: what.into(),
    };
    AttemptSettlement { key, message }
}

impl Subject {
    async fn settle(&self, one: AttemptSettlement) -> AttemptSettled {
        self.store.settle_attempts(vec![one]).await.expect("settled").remove(0)
    }

    async fn said(&self, instance_id: Uuid) -> Vec<String> {
        let view = self.store.read_inbox(vec![instance_id]).await.expect("read").remove(0);
        view.rows.into_iter().map(|row| String::from_utf8(row.payload).expect("text")).collect()
    }
}

pub(super) async fn the_first_to_settle_an_attempt_is_right(subject: Subject) {
    let owned = subject.owned("billing").await;
    let id = owned.lease.instance_id;
    let sleep = Sleep {
        lease: owned.lease,
        scheduled_at: Timestamp::NEVER,
        wake_seq: owned.wake_seq,
        waits_for: None,
        tried: true,
    };
    assert_eq!(subject.store.sleep(vec![sleep]).await.unwrap(), [true]);
    assert_eq!(subject.settle(says(id, 1, "done")).await, AttemptSettled::First);
    assert_eq!(subject.settle(says(id, 1, "cancelled")).await, AttemptSettled::Already);
    assert_eq!(subject.said(id).await, ["done"]);
    // Another attempt is another matter, and one that can't be stored is refused.
    assert_eq!(subject.settle(says(id, 2, "again")).await, AttemptSettled::First);
    let mut bad = says(id, 3, "");
    bad.key.execution_id = "0\0".into();
    assert!(subject.store.settle_attempts(vec![bad]).await.is_err());

    // It is awake, and what was read and gone is told again to who asks again.
    let woken = subject.claim(10).await.remove(0);
    let consumed = woken.inbox.iter().map(|row| row.message_id).collect();
    subject.commit(Progress { consumed, ..Progress::new(woken.lease, 0, vec![event(1)]) }).await;
    assert_eq!(subject.said(id).await, [""; 0]);
    assert_eq!(subject.settle(says(id, 1, "failed")).await, AttemptSettled::Already);
    assert_eq!(subject.said(id).await, ["done"]);

    let ending = Next::Finish(Ending::Completed { result: Vec::new() });
    subject.commit(Progress { next: ending, ..Progress::new(woken.lease, 1, vec![event(2)]) }).await;
    assert_eq!(subject.settle(says(id, 1, "late")).await, AttemptSettled::Ended);
    assert_eq!(subject.settle(says(id, 9, "late")).await, AttemptSettled::Ended);
    assert_eq!(subject.settle(says(Uuid::now_v7(), 1, "nobody's")).await, AttemptSettled::Ended);
    let at_once = Retention::For(Duration::ZERO);
    assert_eq!(subject.store.delete_finished(at_once, 100).await.unwrap(), 1);
}

pub(super) async fn many_who_settle_at_once_agree(subject: Subject) {
    for round in 0..20 {
        let id = subject.owned("billing").await.lease.instance_id;
        let settling = (0..4).map(|who| {
            let store = subject.store.clone();
            tokio::spawn(async move { store.settle_attempts(vec![says(id, round, &format!("{who}"))]).await.unwrap() })
        });
        let mut winners = Vec::new();
        for (who, answer) in settling.collect::<Vec<_>>().into_iter().enumerate() {
            winners.extend((answer.await.unwrap() == [AttemptSettled::First]).then(|| who.to_string()));
        }
        assert_eq!(winners.len(), 1);
        assert_eq!(subject.said(id).await, winners);
    }
}
