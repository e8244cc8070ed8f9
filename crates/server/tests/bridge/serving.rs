//! Who comes in, and what a listener survives.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_stream::StreamExt;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint};
use tonic::{Code, Request};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;
use uuid::Uuid;
use waymark_proto::bridge::bridge_client::BridgeClient;
use waymark_proto::bridge::{
    GetInfoRequest, GetInstanceRequest, Info, InstanceFilter, InstanceStatus, ListInstancesRequest, ShutdownRequest,
    Start,
};
use waymark_server::serve::TlsOptions;

use crate::harness::*;

#[tokio::test(flavor = "multi_thread")]
async fn only_those_who_know_the_token_come_in() {
    let running = Running::start(Setup::default()).await;
    let info = running.client().get_info(GetInfoRequest {}).await.unwrap().into_inner();
    assert_eq!(info.protocol_version, 1);
    assert_eq!(info.database_fingerprint, running.store.fingerprint().await.unwrap());
    assert_eq!((info.database_kind.as_str(), info.process_id), ("sqlite", std::process::id()));
    assert_eq!((info.worker_address.as_str(), info.auto_booted), ("http://127.0.0.1:24118", false));
    assert_eq!(info.payload_bytes_max, 4 << 20);

    for token in [None, Some(""), Some("another"), Some("the-token-of-the-tests2"), Some("the-token-of-the-test")] {
        let status = running.client_with(token).get_info(GetInfoRequest {}).await.unwrap_err();
        assert_eq!(status.code(), Code::Unauthenticated, "{token:?}");
        assert!(status.message().contains("hint: ") && !status.message().contains(TOKEN), "{status}");
    }

    // A path that nobody serves is told apart only to those who may come in.
    for (token, code) in [(None, Code::Unauthenticated), (Some(TOKEN), Code::Unimplemented)] {
        for path in ["/waymark.bridge.v2.Bridge/GetInfo", "/waymark.bridge.v1.Bridge/Other", "/", "/x/y/z"] {
            let service = tonic::service::interceptor::InterceptedService::new(running.channel(), Bearer(token));
            let mut raw = tonic::client::Grpc::new(service);
            raw.ready().await.unwrap();
            let codec = tonic_prost::ProstCodec::<GetInfoRequest, Info>::default();
            let status =
                raw.unary(Request::new(GetInfoRequest {}), PathAndQuery::from_static(path), codec).await.unwrap_err();
            assert_eq!(status.code(), code, "{path}: {status}");
        }
    }
}

async fn health(running: &Running, token: Option<&'static str>, service: &str) -> Result<ServingStatus, Code> {
    let mut client = HealthClient::with_interceptor(running.channel(), Bearer(token));
    let answer = client.check(HealthCheckRequest { service: service.into() }).await;
    answer.map(|answer| answer.into_inner().status()).map_err(|status| status.code())
}

#[tokio::test(flavor = "multi_thread")]
async fn health_and_reflection_answer() {
    let running = Running::start(Setup::default()).await;
    assert_eq!(health(&running, None, "").await, Ok(ServingStatus::Serving));
    assert_eq!(health(&running, None, "waymark.bridge.v1.Bridge").await, Ok(ServingStatus::Serving));
    assert_eq!(health(&running, None, "other").await, Err(Code::NotFound));
    let elsewhere = Running::start(Setup { address: "0.0.0.0:0", ..Setup::default() }).await;
    assert_eq!(health(&elsewhere, None, "").await, Err(Code::Unauthenticated), "open on loopback only");
    assert_eq!(health(&elsewhere, Some(TOKEN), "").await, Ok(ServingStatus::Serving));

    let services = async |token| {
        let mut client = ServerReflectionClient::with_interceptor(running.channel(), Bearer(token));
        let request = ServerReflectionRequest {
            host: String::new(),
            message_request: Some(MessageRequest::ListServices(String::new())),
        };
        let mut answers = client.server_reflection_info(tokio_stream::once(request)).await?.into_inner();
        match answers.next().await.expect("an answer")?.message_response {
            Some(MessageResponse::ListServicesResponse(list)) => {
                Ok(list.service.into_iter().map(|service| service.name).collect::<Vec<_>>())
            }
            other => panic!("{other:?}"),
        }
    };
    let refused: Result<Vec<String>, tonic::Status> = services(None).await;
    assert_eq!(refused.unwrap_err().code(), Code::Unauthenticated);
    let names = services(Some(TOKEN)).await.unwrap();
    assert!(names.contains(&"waymark.bridge.v1.Bridge".to_string()), "{names:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_is_spoken_where_it_is_set() {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_string()]).unwrap();
    let tls = TlsOptions { certificate_pem: made.cert.pem(), key_pem: made.signing_key.serialize_pem() };
    let setup = Setup { tls: Some(tls.clone()), ..Setup::default() };
    let running = Running::start(setup).await;
    let secure = || async {
        let config =
            ClientTlsConfig::new().ca_certificate(Certificate::from_pem(made.cert.pem())).domain_name("localhost");
        let url = format!("https://127.0.0.1:{}", running.address.port());
        let channel = Endpoint::from_shared(url).unwrap().tls_config(config).unwrap().connect().await.unwrap();
        BridgeClient::with_interceptor(channel, Bearer(Some(TOKEN))).get_info(GetInfoRequest {}).await
    };
    assert!(secure().await.is_ok());
    let plain = tokio::time::timeout(LIMIT, async { running.client().get_info(GetInfoRequest {}).await });
    let status = plain.await.expect("it fails, it does not hang").unwrap_err();
    assert!(!matches!(status.code(), Code::Ok | Code::Unauthenticated), "{status:?}");
    assert!(secure().await.is_ok(), "and the server goes on");

    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let broken = TlsOptions { key_pem: "no key".into(), ..tls };
    let token = waymark_server::auth::TokenHash::of(TOKEN);
    let bridge = running.bridge.clone();
    let error = waymark_server::bridge::serve(listener, bridge, token, Some(broken), running.shutdown.clone())
        .await
        .unwrap_err();
    assert!(error.to_string().contains("TLS") && error.to_string().contains("hint: "), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn garbage_on_the_port_hurts_nobody() {
    let running = Running::start(Setup::default()).await;
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    let garbage: [Vec<u8>; 5] = [
        b"GET / HTTP/1.1\r\nhost: x\r\n\r\n".to_vec(),
        vec![0xff; 100_000],
        [preface.clone(), vec![0xff; 1_000]].concat(),
        // A frame that says it has 16 MB.
        [preface, vec![0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1]].concat(),
        Vec::new(),
    ];
    for bytes in garbage {
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        let _ = stream.write_all(&bytes).await;
        let _ = stream.shutdown().await;
        // The server hangs up, whatever it says before.
        let mut answer = Vec::new();
        let closed = tokio::time::timeout(LIMIT, stream.read_to_end(&mut answer)).await;
        assert!(closed.is_ok(), "still open after {:?}…", &bytes[..bytes.len().min(30)]);
    }
    assert!(running.client().get_info(GetInfoRequest {}).await.is_ok());
    assert!(!running.shutdown.is_cancelled());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bridge_ends_for_clients_only_if_one_started_it() {
    let running = Running::start(Setup::default()).await;
    let status = running.client().shutdown(ShutdownRequest {}).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
    assert!(!running.shutdown.is_cancelled());
    let running = Running::start(Setup { auto_booted: true, ..Setup::default() }).await;
    assert!(running.client().get_info(GetInfoRequest {}).await.unwrap().into_inner().auto_booted);
    running.client().shutdown(ShutdownRequest {}).await.unwrap();
    tokio::time::timeout(Duration::from_secs(20), running.supervisor.wait()).await.expect("everything ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn instances_are_found_and_listed() {
    let (running, mut client) = Running::with_greet(Setup::default()).await;
    let keyed = Start { id: "order-1".into(), tags: vec!["a=b".into()], ..greet() };
    let (first, _) = outcome(&start(&mut client, vec![keyed.clone()]).await[0]).unwrap();
    Owner::claim(&running.store).await.complete(&[first]).await;
    let (second, _) = outcome(&start(&mut client, vec![keyed]).await[0]).unwrap();
    let others = started(&mut client, 3).await;

    let by_id = |id: Uuid| GetInstanceRequest { instance_id: id.as_bytes().to_vec(), ..Default::default() };
    let by_key = |workflow: &str, id: &str| GetInstanceRequest {
        workflow_name: workflow.into(),
        id: id.into(),
        ..Default::default()
    };
    let found = client.get_instance(by_id(first)).await.unwrap().into_inner();
    assert_eq!(
        (found.status(), found.id.as_str(), found.tags.as_slice()),
        (InstanceStatus::Completed, "order-1", &["a=b".to_string()][..])
    );
    assert!(found.finished_at_us.is_some() && found.result.is_some() && found.inputs == greet().inputs);
    let newest = client.get_instance(by_key("greet", "order-1")).await.unwrap().into_inner();
    assert_eq!(newest.instance_id, second.as_bytes());
    assert_eq!(newest.inputs, greet().inputs, "not as in a listing");
    let both = GetInstanceRequest { id: "order-1".into(), ..by_id(first) };
    let bad = [
        (by_id(Uuid::now_v7()), Code::NotFound),
        (by_key("greet", "order-2"), Code::NotFound),
        (by_key("", "order-1"), Code::InvalidArgument),
        (by_key("greet", ""), Code::InvalidArgument),
        (by_key("greet", "a\0"), Code::InvalidArgument),
        (both, Code::InvalidArgument),
        (GetInstanceRequest { instance_id: vec![1], ..Default::default() }, Code::InvalidArgument),
    ];
    for (request, code) in bad {
        let status = client.get_instance(request.clone()).await.unwrap_err();
        assert_eq!(status.code(), code, "{request:?}: {status}");
    }

    let mut cursor = Vec::new();
    let mut seen = Vec::new();
    loop {
        let filter = InstanceFilter { workflow_name: "greet".into(), ..Default::default() };
        let request = ListInstancesRequest { filter: Some(filter), limit: 2, cursor };
        let page = client.list_instances(request).await.unwrap().into_inner();
        seen.extend(page.instances.iter().map(|instance| Uuid::from_slice(&instance.instance_id).unwrap()));
        cursor = page.next_cursor;
        if cursor.is_empty() {
            break;
        }
    }
    let mut expected = vec![first, second];
    expected.extend(&others);
    expected.sort();
    expected.reverse();
    assert_eq!(seen, expected, "newest first");
    let listed = async |filter: InstanceFilter| {
        let request = ListInstancesRequest { filter: Some(filter), ..Default::default() };
        let page = client.clone().list_instances(request).await?.into_inner();
        Ok::<_, tonic::Status>(page.instances.len())
    };
    let completed = InstanceFilter { statuses: vec![InstanceStatus::Completed.into()], ..Default::default() };
    assert_eq!(listed(completed).await.unwrap(), 1);
    assert_eq!(listed(InstanceFilter { id: "order-1".into(), ..Default::default() }).await.unwrap(), 2);
    for request in [
        InstanceFilter { statuses: vec![99], ..Default::default() },
        InstanceFilter { schedule_id: vec![1, 2], ..Default::default() },
        InstanceFilter { parent_instance_id: vec![1, 2], ..Default::default() },
    ] {
        assert_eq!(listed(request.clone()).await.unwrap_err().code(), Code::InvalidArgument, "{request:?}");
    }
}
