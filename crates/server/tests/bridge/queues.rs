//! Queues, and starts whose id is taken.

use tonic::Code;
use uuid::Uuid;
use waymark_proto::bridge::{
    ListQueuesRequest, OnConflict, PauseQueueRequest, PauseWorkflowRequest, PutQueueRequest, QueueSettings, Rate,
    ResumeQueueRequest, ResumeWorkflowRequest, Start,
};
use waymark_store::Status;

use crate::harness::*;

/// The instance, or why there is none.
async fn one(client: &mut Client, wanted: Start) -> Result<Uuid, String> {
    let answer = start(client, vec![wanted]).await.remove(0);
    outcome(&answer).map(|(id, _)| id).map_err(|(reason, message)| format!("{reason}: {message}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn queues_are_set_listed_and_paused() {
    let (running, mut client) = Running::with_greet(Setup::default()).await;
    let settings = QueueSettings {
        name: "default".into(),
        concurrency: Some(7),
        key_rate: Some(Rate { count: 2, period_us: 60_000_000 }),
        ..QueueSettings::default()
    };
    client.put_queue(PutQueueRequest { settings: Some(settings.clone()) }).await.unwrap();
    one(&mut client, Start { key: "acme".into(), ..greet() }).await.unwrap();
    let listed = client.list_queues(ListQueuesRequest::default()).await.unwrap().into_inner();
    assert_eq!(listed.queues.len(), 1);
    assert_eq!(listed.queues[0].settings, Some(settings.clone()));
    assert_eq!((listed.queues[0].keys[0].key.as_str(), listed.queues[0].depth.unwrap().due), ("acme", 1));

    let pause = || PauseQueueRequest { name: "default".into() };
    assert!(client.pause_queue(pause()).await.unwrap().into_inner().changed);
    assert!(!client.pause_queue(pause()).await.unwrap().into_inner().changed);
    let workflow_name = "greet".to_string();
    client.pause_workflow(PauseWorkflowRequest { workflow_name: workflow_name.clone() }).await.unwrap();
    let listed = client.list_queues(ListQueuesRequest::default()).await.unwrap().into_inner();
    assert_eq!((listed.queues[0].paused, listed.paused_workflows), (true, vec![workflow_name.clone()]));
    assert!(client.resume_queue(ResumeQueueRequest { name: "default".into() }).await.unwrap().into_inner().changed);
    assert!(client.resume_workflow(ResumeWorkflowRequest { workflow_name }).await.unwrap().into_inner().changed);

    // What is wrong changes nothing.
    for wrong in [
        QueueSettings { name: String::new(), ..settings.clone() },
        QueueSettings { concurrency: Some(0), ..settings.clone() },
        QueueSettings { rate: Some(Rate { count: 5, period_us: -1 }), ..settings.clone() },
        QueueSettings { name: "x".repeat(1_000), ..settings.clone() },
    ] {
        let refused = client.put_queue(PutQueueRequest { settings: Some(wrong) }).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{refused:?}");
    }
    assert_eq!(client.pause_queue(PauseQueueRequest::default()).await.unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(running.store.list_queues(1).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_taken_id_means_what_the_start_says() {
    let (running, mut client) = Running::with_greet(Setup::default()).await;
    let with = |on_conflict: OnConflict, name: &str| Start {
        id: "order-1".into(),
        inputs: inputs(&[("name", waymark_ir::Value::str(name))]),
        on_conflict: on_conflict.into(),
        ..greet()
    };
    let first = one(&mut client, with(OnConflict::SameInputs, "Ada")).await.unwrap();
    let refused = one(&mut client, with(OnConflict::Reject, "Ada")).await.unwrap_err();
    assert!(refused.contains("ID_TAKEN") && refused.contains("use another id"), "{refused}");
    assert_eq!(one(&mut client, with(OnConflict::Existing, "Bob")).await.unwrap(), first);

    let second = one(&mut client, with(OnConflict::Replace, "Bob")).await.unwrap();
    assert_ne!(second, first);
    let rows = running.store.get_instances(vec![first, second]).await.unwrap();
    let statuses: Vec<Status> = rows.iter().flatten().map(|row| row.status).collect();
    assert_eq!(statuses, [Status::Terminated, Status::Running]);
    let third = one(&mut client, with(OnConflict::Replace, "Eve")).await.unwrap();
    assert_ne!(third, second);

    for wrong in [
        Start { on_conflict: 9, ..greet() },
        Start { unique_for_us: -1, ..greet() },
        Start { on_conflict: OnConflict::Reject.into(), ..greet() },
    ] {
        let refused = one(&mut client, wrong).await.unwrap_err();
        assert!(refused.contains("BAD_REQUEST"), "{refused}");
    }
}
