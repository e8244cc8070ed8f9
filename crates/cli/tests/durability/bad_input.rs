//! Peers that send garbage, are nobody we know, or ask for what can't be: each is told so, and the process goes on.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic::transport::Endpoint;
use tonic::{Code, Request, Status};
use uuid::Uuid;
use waymark_ir::{Value, payload};
use waymark_proto::PROTOCOL_VERSION;
use waymark_proto::bridge::bridge_client::BridgeClient;
use waymark_proto::bridge::refusal::Reason;
use waymark_proto::bridge::{GetInfoRequest, InstanceStatus, StartInstancesRequest, start_result};
use waymark_proto::worker::workers_client::WorkersClient;
use waymark_proto::worker::{Hello, WorkerFrame};

use crate::client::{Client, id_of, start_of};
use crate::journal::Journal;
use crate::site::{Server, Site};
use crate::{LIMIT, assert_survived, start_survivors, survivors};

const STRANGE: &str = "\
workflow strange
fn main(input: [what, bytes]):
    if what == \"unknown\":
        return @billing.charge(amount=3)
    return @echo(value=\"x\" * bytes)
";

/// Of anything that is carried.
const PAYLOAD_BYTES_MAX: usize = 64 << 10;
/// A peer that talks nonsense is not listened to for longer.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub struct Setting {
    site: Site,
    server: Server,
    pub client: Client,
    pub bridge: String,
    pub workers: String,
}

impl Setting {
    pub async fn new() -> Setting {
        let site = Site::new();
        let mut server = site.start(&["dev", "--payload-bytes-max", &PAYLOAD_BYTES_MAX.to_string()]);
        let record = server.record().await;
        let address = |key: &str| record[key].as_str().expect("an address").to_string();
        let client = Client::of(&site);
        client.register(STRANGE).await;
        Setting { bridge: address("address"), workers: address("worker_address"), site, server, client }
    }

    /// What everybody here proves himself with.
    pub fn token(&self) -> String {
        std::fs::read_to_string(self.site.token_file()).expect("the token")
    }

    /// Everything still works.
    pub async fn assert_unharmed(&mut self) {
        self.assert_survives().await;
        let log = self.server.log();
        assert!(!log.contains("panicked"), "{log}");
    }

    /// It runs, and what is started comes to its end.
    pub async fn assert_survives(&mut self) {
        let journal = Journal::of(&self.site);
        let starts = survivors(20, &journal, 0.0);
        start_survivors(&self.client, &starts).await.expect("started");
        assert_survived(&self.client, &starts.iter().map(id_of).collect::<Vec<Uuid>>()).await;
        self.server.assert_running();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn garbage_on_both_ports() {
    let mut setting = Setting::new().await;
    let mut noise = Vec::new();
    let mut state = 1_u32;
    for _ in 0..100_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        noise.push((state >> 24) as u8);
    }
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    let settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    let garbage: Vec<Vec<u8>> = vec![
        noise.clone(),
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
        [&preface[..], &noise].concat(),
        [&preface[..], &settings, &noise].concat(),
        // A frame that claims to be as long as can be, and one that ends in the middle.
        [&preface[..], &settings, &[0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1]].concat(),
        preface[..10].to_vec(),
        vec![0; 1 << 20],
    ];
    for address in [setting.bridge.clone(), setting.workers.clone()] {
        // Some leave their connection open.
        let mut open = Vec::new();
        for bytes in &garbage {
            let mut stream = TcpStream::connect(&address).await.expect("connected");
            // It may be cut off in the middle.
            let _ = stream.write_all(bytes).await;
            let _ = stream.shutdown().await;
            let mut answer = Vec::new();
            let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
            assert!(read.is_ok(), "{} bytes of garbage are still listened to", bytes.len());
            let mut stream = TcpStream::connect(&address).await.expect("connected");
            let _ = stream.write_all(bytes).await;
            open.push(stream);
        }
        setting.assert_unharmed_for(&address).await;
    }
    setting.assert_unharmed().await;
}

impl Setting {
    /// It answers, while those who sent garbage are still connected.
    async fn assert_unharmed_for(&self, address: &str) {
        TcpStream::connect(address).await.expect("connected");
        let calls = self.client.connect().await;
        calls.expect("the bridge is there").get_info(GetInfoRequest {}).await.expect("it answers");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_are_refused() {
    let mut setting = Setting::new().await;
    let token = setting.token();
    let endpoint = |address: &str| Endpoint::from_shared(format!("http://{address}")).expect("an address");

    for authorization in [None, Some("Bearer wrong"), Some("Basic dTpw"), Some("Bearer ")] {
        let channel = endpoint(&setting.bridge).connect().await.expect("connected");
        let answer = BridgeClient::new(channel).get_info(authorized(GetInfoRequest {}, authorization)).await;
        assert_refused(answer.map(drop), Code::Unauthenticated, "token");
        let answer = greet(&endpoint(&setting.workers), PROTOCOL_VERSION, authorization).await;
        assert_refused(answer, Code::Unauthenticated, "token");
    }
    let right = format!("Bearer {}", token.trim());
    for version in [0, PROTOCOL_VERSION + 1, u32::MAX] {
        let answer = greet(&endpoint(&setting.workers), version, Some(&right)).await;
        assert_refused(answer, Code::FailedPrecondition, "protocol");
    }
    greet(&endpoint(&setting.workers), PROTOCOL_VERSION, Some(&right)).await.expect("welcome");
    let log = setting.server.log();
    assert!(!log.contains(token.trim()), "{log}");
    setting.assert_unharmed().await;
}

/// A worker's first words. It knows nothing that anybody calls.
async fn greet(endpoint: &Endpoint, version: u32, authorization: Option<&str>) -> Result<(), Status> {
    let channel = endpoint.connect().await.expect("connected");
    let hello = Hello { protocol_version: version, language: "rust".into(), slots: 1, ..Hello::default() };
    let frame = WorkerFrame { hello: Some(hello), ..WorkerFrame::default() };
    let request = authorized(tokio_stream::iter([frame]), authorization);
    let mut stream = WorkersClient::new(channel).work(request).await?.into_inner();
    let first = stream.message().await?.expect("a frame");
    assert!(first.welcome.is_some(), "{first:?}");
    Ok(())
}

fn authorized<T>(message: T, authorization: Option<&str>) -> Request<T> {
    let mut request = Request::new(message);
    if let Some(authorization) = authorization {
        request.metadata_mut().insert("authorization", authorization.parse().expect("a header"));
    }
    request
}

fn assert_refused(answer: Result<(), Status>, code: Code, word: &str) {
    let status = answer.expect_err("it is refused");
    assert_eq!(status.code(), code, "{status:?}");
    assert!(status.message().contains(word), "{status:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_not_be_run() {
    let mut setting = Setting::new().await;
    let client = setting.client.clone();
    let inputs = |what: &str, bytes: i64| vec![("what", Value::Str(what.into())), ("bytes", Value::Int(bytes))];

    // No worker knows the action: that may change, so it waits, and says for what.
    let unknown = client.start("strange", inputs("unknown", 0)).await;

    // Each start has its own answer.
    let long = "x".repeat(2 * PAYLOAD_BYTES_MAX);
    let starts = vec![
        start_of("nonsense", Vec::new()),
        start_of("strange", vec![("what", Value::Int(1))]),
        start_of("strange", [inputs("", 1), vec![("more", Value::None)]].concat()),
        start_of("strange", vec![("what", Value::Str(long)), ("bytes", Value::Int(0))]),
        start_of("strange", inputs("", 3)),
    ];
    let last = id_of(&starts[4]);
    let request = StartInstancesRequest { starts, wait_ms: 0 };
    let answer = client.connect().await.expect("the bridge").start_instances(request).await.expect("an answer");
    let reasons: Vec<Option<Reason>> = answer.into_inner().results.iter().map(refusal).collect();
    let expected = [Reason::UnknownWorkflow, Reason::BadInputs, Reason::BadInputs, Reason::TooLarge];
    assert_eq!(reasons, [&expected.map(Some)[..], &[None]].concat());
    assert_eq!(client.result(last).await, Value::Str("xxx".into()));

    // Too large for an action: an error in the program, which names both.
    let large = client.start("strange", inputs("", 2 * PAYLOAD_BYTES_MAX as i64)).await;
    let large = &client.finished(&[large]).await[0];
    assert_eq!(large.status(), InstanceStatus::Failed);
    let error = payload::decode(large.error.as_deref().expect("an error")).expect("a value");
    let Value::Exception(error) = error else { panic!("{error:?}") };
    assert_eq!(error.type_name, "waymark.PayloadTooLarge");
    let [Value::Str(message)] = &error.args[..] else { panic!("{error:?}") };
    assert!(message.contains("echo") && message.contains("'value'"), "{message}");

    setting.assert_unharmed().await;
    let end = Instant::now() + LIMIT;
    loop {
        let unknown = client.get(unknown).await;
        assert_eq!(unknown.status(), InstanceStatus::Running, "{unknown:?}");
        if unknown.waits_for == "no worker knows billing.charge" {
            break;
        }
        assert!(Instant::now() < end, "it waits for {:?}", unknown.waits_for);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn refusal(result: &waymark_proto::bridge::StartResult) -> Option<Reason> {
    match result.result.as_ref().expect("an answer") {
        start_result::Result::Started(_) => None,
        start_result::Result::Refused(refusal) => {
            assert!(!refusal.message.is_empty());
            Some(refusal.reason())
        }
    }
}
