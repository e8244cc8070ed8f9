//! Finding instances.

use uuid::Uuid;

use super::{Subject, events, new_instance};
use crate::{Ending, InstanceFilter, NewInstance, Next, Parent, Progress, Queued, Status, Timestamp};

pub(super) async fn every_field_finds(subject: Subject) {
    let version = subject.version("billing").await;
    let shipping = subject.version("shipping").await;
    let schedule_id = Uuid::now_v7();
    let plain = new_instance(version);
    let parent = Parent { instance_id: plain.instance_id, execution_id: "1/1".into() };
    let all = [
        plain.clone(),
        NewInstance { queue: "slow".into(), queue_key: Some("tenant-1".into()), ..new_instance(version) },
        NewInstance { tags: vec!["red".into(), "round".into()], ..new_instance(version) },
        NewInstance { tags: vec!["red".into()], parent: Some(parent), ..new_instance(shipping) },
        NewInstance { schedule_id: Some(schedule_id), user_key: Some("k".into()), ..new_instance(shipping) },
    ];
    assert_eq!(subject.store.queue_instances(all.to_vec()).await.unwrap(), vec![Queued::Started; 5]);
    let claimed = subject.claim(10).await;
    let lease = |index: usize| {
        let found = claimed.iter().find(|one| one.lease.instance_id == all[index].instance_id);
        found.expect("claimed").lease
    };
    let failed = Ending::Failed { error: b"no".to_vec(), error_type: "app:Declined".into() };
    for (index, ending) in [(0, failed), (3, Ending::Completed { result: Vec::new() })] {
        let progress = Progress { next: Next::Finish(ending), ..Progress::new(lease(index), 0, events(1..=1)) };
        subject.commit(progress).await;
    }
    let paused = Progress { paused: Some(true), ..Progress::new(lease(4), 0, events(1..=1)) };
    subject.commit(paused).await;

    let none = InstanceFilter::default();
    let text = |text: &str| Some(text.to_string());
    let later = Timestamp(Timestamp::now().0 + 60_000_000);
    let cases = [
        (none.clone(), vec![4, 3, 2, 1, 0]),
        (InstanceFilter { workflow_name: text("shipping"), ..none.clone() }, vec![4, 3]),
        (InstanceFilter { workflow_version: text("1"), ..none.clone() }, vec![4, 3, 2, 1, 0]),
        (InstanceFilter { workflow_version: text("2"), ..none.clone() }, vec![]),
        (InstanceFilter { statuses: vec![Status::Running], ..none.clone() }, vec![2, 1]),
        (InstanceFilter { statuses: vec![Status::Paused], ..none.clone() }, vec![4]),
        (InstanceFilter { statuses: Status::LIVE.to_vec(), ..none.clone() }, vec![4, 2, 1]),
        (InstanceFilter { statuses: vec![Status::Failed, Status::Completed], ..none.clone() }, vec![3, 0]),
        (InstanceFilter { user_key: text("k"), ..none.clone() }, vec![4]),
        (InstanceFilter { parent_instance_id: Some(plain.instance_id), ..none.clone() }, vec![3]),
        (InstanceFilter { schedule_id: Some(schedule_id), ..none.clone() }, vec![4]),
        (InstanceFilter { queue: text("slow"), ..none.clone() }, vec![1]),
        (InstanceFilter { queue_key: text("tenant-1"), ..none.clone() }, vec![1]),
        (InstanceFilter { tags: vec!["red".into()], ..none.clone() }, vec![3, 2]),
        (InstanceFilter { tags: vec!["red".into(), "round".into()], ..none.clone() }, vec![2]),
        (InstanceFilter { tags: vec!["red".into()], statuses: vec![Status::Running], ..none.clone() }, vec![2]),
        (InstanceFilter { tags: vec!["re".into()], ..none.clone() }, vec![]),
        (InstanceFilter { error_type: text("app:Declined"), ..none.clone() }, vec![0]),
        (InstanceFilter { created_from: Some(later), ..none.clone() }, vec![]),
        (InstanceFilter { created_before: Some(later), ..none.clone() }, vec![4, 3, 2, 1, 0]),
        (InstanceFilter { finished_before: Some(later), ..none.clone() }, vec![3, 0]),
        (InstanceFilter { finished_from: Some(later), ..none.clone() }, vec![]),
    ];
    for (filter, expected) in cases {
        let page = subject.store.list_instances(filter.clone()).await.unwrap();
        let found: Vec<Uuid> = page.instances.iter().map(|instance| instance.instance_id).collect();
        let expected: Vec<Uuid> = expected.into_iter().map(|index: usize| all[index].instance_id).collect();
        assert_eq!(found, expected, "{filter:?}");
        let count = subject.store.count_instances(filter.clone(), 1_000).await.unwrap();
        assert_eq!(count, expected.len() as u64, "{filter:?}");
    }
    assert_eq!(subject.store.count_instances(none, 3).await.unwrap(), 3);
    let seen = subject.instance(all[2].instance_id).await.unwrap();
    assert_eq!(seen.tags, ["red", "round"]);
    let bad = NewInstance { tags: vec!["two\nlines".into()], ..new_instance(version) };
    assert!(matches!(subject.store.queue_instances(vec![bad]).await.unwrap()[0], Queued::Refused { .. }));
}

pub(super) async fn pages_are_stable_under_writes(subject: Subject) {
    let version = subject.version("billing").await;
    let tagged = |n: usize| {
        let tags = if n.is_multiple_of(2) { vec!["even".into()] } else { Vec::new() };
        NewInstance { tags, ..new_instance(version) }
    };
    let first: Vec<NewInstance> = (0..20).map(tagged).collect();
    subject.store.queue_instances(first.clone()).await.unwrap();
    for tags in [vec![], vec!["even".to_string()]] {
        let expected: Vec<Uuid> =
            first.iter().rev().filter(|new| tags.is_empty() || new.tags == tags).map(|new| new.instance_id).collect();
        let mut filter = InstanceFilter { tags, limit: 3, ..InstanceFilter::default() };
        let mut found = Vec::new();
        loop {
            let page = subject.store.list_instances(filter.clone()).await.unwrap();
            found.extend(page.instances.iter().map(|instance| instance.instance_id));
            let Some(next) = page.next else { break };
            // New ones come before the first page, and finish meanwhile: nobody is seen twice, or missed.
            subject.store.queue_instances(vec![tagged(0)]).await.unwrap();
            filter.cursor = Some(next);
        }
        found.retain(|id| expected.contains(id));
        assert_eq!(found, expected);
    }
}

pub(super) async fn text_is_found_in_contents(subject: Subject) {
    let version = subject.version("billing").await;
    let start = |inputs: &[u8]| NewInstance { inputs: inputs.to_vec(), ..new_instance(version) };
    let all = [start(b"\x81\xa4name\xa5Gr\xc3\xa4f"), start(b"nothing"), start(b"{100%_}")];
    subject.store.queue_instances(all.to_vec()).await.unwrap();
    let claimed = subject.claim(10).await;
    let lease = claimed.iter().find(|one| one.lease.instance_id == all[1].instance_id).expect("claimed").lease;
    let ending = Ending::Completed { result: b"Gr\xc3\xa4f found".to_vec() };
    subject.commit(Progress { next: Next::Finish(ending), ..Progress::new(lease, 0, events(1..=1)) }).await;
    for (text, expected) in
        [("Gräf", vec![1, 0]), ("found", vec![1]), ("%_", vec![2]), ("%", vec![2]), ("absent", vec![])]
    {
        let filter = InstanceFilter { text: Some(text.into()), ..InstanceFilter::default() };
        let page = subject.store.list_instances(filter).await.unwrap();
        let found: Vec<Uuid> = page.instances.iter().map(|instance| instance.instance_id).collect();
        assert_eq!(
            found,
            expected.into_iter().map(|index: usize| all[index].instance_id).collect::<Vec<_>>(),
            "{text}"
        );
    }
}
