//! Starting, looking and forgetting.

use std::time::Duration;

use uuid::Uuid;

use super::{Subject, event, new_instance};
use crate::{Ending, InstanceFilter, NewInstance, Next, Parent, Progress, Queued, Retention, Status, Timestamp};

pub(super) async fn starts_answer_each_caller(subject: Subject) {
    let version = subject.version("billing").await;
    let keyed = NewInstance { user_key: Some("order-1".into()), ..new_instance(version) };
    let first = subject.store.queue_instances(vec![keyed.clone()]).await.unwrap();
    assert_eq!(first, [Queued::Started]);

    let id = keyed.instance_id;
    let batch = vec![
        keyed.clone(),
        NewInstance { instance_id: Uuid::now_v7(), ..keyed.clone() },
        NewInstance { instance_id: Uuid::now_v7(), inputs: b"other".to_vec(), ..keyed.clone() },
        new_instance(version),
        new_instance(Uuid::now_v7()),
        NewInstance { priority: 9, ..new_instance(version) },
        NewInstance { user_key: Some("a\0b".into()), ..new_instance(version) },
        NewInstance { user_key: Some("twice".into()), ..new_instance(version) },
        NewInstance { user_key: Some("twice".into()), ..new_instance(version) },
        NewInstance { parent: Some(Parent { instance_id: id, execution_id: "0-1".into() }), ..new_instance(version) },
    ];
    let twice = batch[7].instance_id;
    let answers = subject.store.queue_instances(batch.clone()).await.unwrap();
    let existing = Queued::Existing { instance_id: id };
    assert_eq!(answers[0], existing, "the same start again");
    assert_eq!(answers[1], existing, "the same key and inputs");
    assert_eq!(answers[2], Queued::KeyTaken { instance_id: id });
    assert_eq!(answers[3], Queued::Started);
    assert_eq!(answers[4], Queued::UnknownVersion);
    assert!(matches!(answers[5], Queued::Refused { .. }), "{:?}", answers[5]);
    assert!(matches!(answers[6], Queued::Refused { .. }), "{:?}", answers[6]);
    assert_eq!(answers[7], Queued::Started);
    assert_eq!(answers[8], Queued::Existing { instance_id: twice }, "a key twice in one batch");
    assert_eq!(answers[9], Queued::Started);

    // The same key means another instance in another workflow.
    let elsewhere = NewInstance { user_key: Some("order-1".into()), ..new_instance(subject.version("shipping").await) };
    assert_eq!(subject.store.queue_instances(vec![elsewhere]).await.unwrap(), [Queued::Started]);

    let seen = subject.instance(id).await.unwrap();
    assert_eq!(
        (seen.status, seen.workflow_name.as_str(), seen.workflow_version.as_str()),
        (Status::Running, "billing", "1")
    );
    assert_eq!((seen.inputs, seen.user_key.as_deref()), (b"inputs".to_vec(), Some("order-1")));
    assert!(seen.scheduled_at.is_some() && seen.finished_at.is_none());
    let child = subject.instance(batch[9].instance_id).await.unwrap();
    assert_eq!(child.parent, batch[9].parent);
    assert_eq!(subject.instance(batch[2].instance_id).await, None, "a refused start leaves nothing");
    assert_eq!(subject.store.queue_instances(Vec::new()).await.unwrap(), []);

    let asked = vec![batch[9].instance_id, Uuid::now_v7(), id, id];
    let answered = subject.store.get_instances(asked.clone()).await.unwrap();
    let ids: Vec<_> = answered.iter().map(|instance| instance.as_ref().map(|instance| instance.instance_id)).collect();
    assert_eq!(ids, [Some(asked[0]), None, Some(id), Some(id)], "in the order asked");
    assert_eq!(subject.store.get_instances(Vec::new()).await.unwrap(), []);
}

pub(super) async fn keys_are_free_again_when_their_instance_has_finished(subject: Subject) {
    let version = subject.version("billing").await;
    let keyed = NewInstance { user_key: Some("order-1".into()), ..new_instance(version) };
    subject.store.queue_instances(vec![keyed.clone()]).await.unwrap();
    let lease = subject.claim(1).await[0].lease;
    let ending = Next::Finish(Ending::Completed { result: b"done".to_vec() });
    subject.commit(Progress { next: ending, ..Progress::new(lease, 0, vec![event(1)]) }).await;

    let again = NewInstance { instance_id: Uuid::now_v7(), inputs: b"other".to_vec(), ..keyed.clone() };
    assert_eq!(subject.store.queue_instances(vec![again]).await.unwrap(), [Queued::Started]);
    // A late repetition of the first start is still the first instance.
    let first = Queued::Existing { instance_id: keyed.instance_id };
    assert_eq!(subject.store.queue_instances(vec![keyed]).await.unwrap(), [first]);
}

pub(super) async fn lists_filter_and_page(subject: Subject) {
    let billing = subject.version("billing").await;
    let shipping = subject.version("shipping").await;
    let parent = Uuid::now_v7();
    let mut ids = Vec::new();
    for index in 0..6 {
        let new = NewInstance {
            user_key: Some(format!("key-{index}")),
            parent: (index == 3).then(|| Parent { instance_id: parent, execution_id: "0-1".into() }),
            scheduled_at: (index != 0).then_some(Timestamp::NEVER),
            ..new_instance(if index % 2 == 0 { billing } else { shipping })
        };
        ids.push(new.instance_id);
        subject.store.queue_instances(vec![new]).await.unwrap();
    }
    let lease = subject.claim(1).await[0].lease;
    let ending = Next::Finish(Ending::Failed { error: b"no".to_vec(), error_type: "ValueError".into() });
    subject.commit(Progress { next: ending, ..Progress::new(lease, 0, Vec::new()) }).await;

    let list = |filter: InstanceFilter| {
        let (store, ids) = (subject.store.clone(), ids.clone());
        async move {
            let page = store.list_instances(filter).await.unwrap();
            let found = page.instances.iter().map(|found| ids.iter().position(|id| *id == found.instance_id).unwrap());
            (found.collect::<Vec<_>>(), page.next)
        }
    };
    let all = InstanceFilter::default();
    let cases = [
        (all.clone(), vec![5, 4, 3, 2, 1, 0]),
        (InstanceFilter { workflow_name: Some("billing".into()), ..all.clone() }, vec![4, 2, 0]),
        (InstanceFilter { statuses: vec![Status::Failed], ..all.clone() }, vec![0]),
        (InstanceFilter { statuses: vec![Status::Stuck], ..all.clone() }, vec![]),
        (InstanceFilter { statuses: vec![Status::Cancelled], ..all.clone() }, vec![]),
        (InstanceFilter { statuses: vec![Status::Completed], ..all.clone() }, vec![]),
        (
            InstanceFilter { statuses: vec![Status::Running], workflow_name: Some("billing".into()), ..all.clone() },
            vec![4, 2],
        ),
        (InstanceFilter { user_key: Some("key-5".into()), ..all.clone() }, vec![5]),
        (InstanceFilter { parent_instance_id: Some(parent), ..all.clone() }, vec![3]),
    ];
    for (filter, expected) in cases {
        assert_eq!(list(filter.clone()).await.0, expected, "{filter:?}");
    }
    let (page, next) = list(InstanceFilter { limit: 4, ..all.clone() }).await;
    assert_eq!(page, [5, 4, 3, 2]);
    let (page, next) = list(InstanceFilter { limit: 4, cursor: next, ..all }).await;
    assert_eq!((page, next), (vec![1, 0], None));
}

pub(super) async fn what_has_finished_is_kept_as_long_as_is_set(subject: Subject) {
    let [billing, shipping] = ["billing", "shipping"].map(|name| subject.owned(name));
    let (billing, shipping) = (billing.await.lease, shipping.await.lease);
    for lease in [billing, shipping] {
        let ending = Next::Finish(Ending::Completed { result: Vec::new() });
        subject.commit(Progress { next: ending, ..Progress::new(lease, 0, vec![event(1)]) }).await;
    }
    let live = subject.start("billing").await;
    let store = &subject.store;
    let (at_once, an_hour) = (Retention::For(Duration::ZERO), Retention::For(Duration::from_secs(3600)));

    assert_eq!(store.delete_finished(Retention::Forever, 100).await.unwrap(), 0);
    assert_eq!(store.delete_finished(an_hour, 100).await.unwrap(), 0);
    store.put_retention("billing", Some(Retention::Forever)).await.unwrap();
    store.put_retention("shipping", Some(an_hour)).await.unwrap();
    assert_eq!(store.delete_finished(at_once, 100).await.unwrap(), 0, "what is set for a workflow counts");
    let set = [("billing".to_string(), Retention::Forever), ("shipping".to_string(), an_hour)];
    assert_eq!(store.list_retention().await.unwrap(), set);
    store.put_retention("shipping", Some(at_once)).await.unwrap();
    assert_eq!(store.delete_finished(Retention::Forever, 0).await.unwrap(), 0);
    assert_eq!(store.delete_finished(Retention::Forever, 100).await.unwrap(), 1);
    assert_eq!(subject.instance(shipping.instance_id).await, None);
    assert_eq!(store.read_log(shipping.instance_id, 0, 10).await.unwrap(), []);
    store.put_retention("billing", None).await.unwrap();
    assert_eq!(store.delete_finished(at_once, 100).await.unwrap(), 1);
    assert_eq!(subject.instance(billing.instance_id).await, None);
    assert!(subject.instance(live).await.is_some());
}
