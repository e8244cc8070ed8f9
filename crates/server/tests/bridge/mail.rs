//! What clients leave for instances.

use tonic::Code;
use uuid::Uuid;
use waymark_ir::{Value, payload};
use waymark_proto::bridge::control_instances_request::Command;
use waymark_proto::bridge::control_problem::Reason;
use waymark_proto::bridge::{
    Cancel, ControlInstancesRequest, KeepWorkersRequest, QueryInstanceRequest, SignalInstanceRequest,
};
use waymark_runner::Event;

use crate::harness::*;

async fn inbox(running: &Running, id: Uuid) -> Vec<Event> {
    let views = running.store.read_inbox(vec![id]).await.unwrap();
    let rows = views.iter().flat_map(|view| &view.rows);
    rows.map(|row| Event::decode(&row.payload).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn cancels_and_signals_wait_for_their_reader() {
    let (running, mut client) = Running::with_greet(Setup::default()).await;
    let ids = started(&mut client, 2).await;
    let instance_id = ids[0].as_bytes().to_vec();
    let message_id = Uuid::now_v7().as_bytes().to_vec();
    let payload = payload::encode(&Value::str("yes"));
    let name = "approved".into();
    let signal = SignalInstanceRequest { instance_id, message_id, name, payload, id: String::new() };
    for _ in 0..2 {
        assert!(client.signal_instance(signal.clone()).await.unwrap().into_inner().delivered);
    }
    let command = Command::Cancel(Cancel { reason: "enough".into(), terminate_after_ms: None });
    let cancel = |id: &Uuid| ControlInstancesRequest {
        instance_ids: vec![id.as_bytes().to_vec()],
        command: Some(command.clone()),
        ..Default::default()
    };
    assert_eq!(client.control_instances(cancel(&ids[0])).await.unwrap().into_inner().done, 1);
    let expected = [
        Event::Signal { name: "approved".into(), payload: Value::str("yes"), id: None },
        Event::Cancel { reason: Some("enough".into()) },
    ];
    assert_eq!(inbox(&running, ids[0]).await, expected, "a signal that was repeated came once");

    // One with an id of its sender's waits once, whoever sends it.
    let before = inbox(&running, ids[0]).await.len();
    for payload in [&signal.payload, &Vec::new()] {
        let payload = payload.clone();
        let keyed = SignalInstanceRequest { id: "form-1".into(), message_id: Vec::new(), payload, ..signal.clone() };
        assert!(client.signal_instance(keyed).await.unwrap().into_inner().delivered);
    }
    let keyed = Event::Signal { name: "approved".into(), payload: Value::str("yes"), id: Some("form-1".into()) };
    assert_eq!(inbox(&running, ids[0]).await[before..], [keyed]);
    let unknown = QueryInstanceRequest { instance_id: Uuid::now_v7().as_bytes().to_vec(), ..Default::default() };
    assert_eq!(client.query_instance(unknown).await.unwrap_err().code(), Code::NotFound);

    let owner = Owner::claim(&running.store).await;
    owner.complete(&ids[1..]).await;
    for (id, reason) in [(ids[1], Reason::WrongStatus), (Uuid::now_v7(), Reason::UnknownInstance)] {
        let answer = client.control_instances(cancel(&id)).await.unwrap().into_inner();
        let problem = &answer.problems[0];
        assert_eq!((answer.done, problem.reason(), problem.instance_id.as_slice()), (0, reason, &id.as_bytes()[..]));
    }
    for wrong in [
        SignalInstanceRequest { name: String::new(), ..signal.clone() },
        SignalInstanceRequest { payload: vec![0xc1], ..signal.clone() },
        SignalInstanceRequest { message_id: vec![1], ..signal.clone() },
        SignalInstanceRequest { instance_id: vec![1], ..signal.clone() },
    ] {
        assert_eq!(client.signal_instance(wrong).await.unwrap_err().code(), Code::InvalidArgument);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bridge_that_somebody_runs_keeps_no_workers_for_clients() {
    let (_running, mut client) = Running::with_greet(Setup::default()).await;
    let wanted = KeepWorkersRequest { command: vec!["/bin/false".into()], directory: "/".into(), ..Default::default() };
    let refused = client.keep_workers(wanted).await.unwrap_err();
    assert_eq!(refused.code(), Code::FailedPrecondition);
    assert!(refused.message().contains("waymark start-workers"), "{refused}");
}
