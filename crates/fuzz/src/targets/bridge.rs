//! Requests to the bridge, one after the other, on a database of their own.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use prost::Message;
use tokio_util::sync::CancellationToken;
use tonic::Code;
use tower_service::Service;
use uuid::Uuid;
use waymark_engine::copy::{Original, copy};
use waymark_ir::{Value, payload, text, wire as program_wire};
use waymark_proto::bridge as wire;
use waymark_runner::Limits;
use waymark_server::bridge::{Bridge, Identity, Options};
use waymark_server::supervisor::Supervisor;
use waymark_store::sqlite::SqliteStore;
use waymark_store::{NewInstance, NewVersion, Snapshot, Store, Timestamp};

use super::{sample, workers};
use crate::Verdict;

/// What is asked, as it is sent.
#[derive(Clone, PartialEq, Message)]
struct Calls {
    #[prost(message, repeated, tag = "1")]
    calls: Vec<Call>,
}

#[derive(Clone, PartialEq, Message)]
struct Call {
    /// Into the list of methods.
    #[prost(uint32, tag = "1")]
    method: u32,
    #[prost(bytes = "vec", tag = "2")]
    request: Vec<u8>,
}

/// Those who ask to wait have to wait; nobody else has to for so long.
const PATIENCE: Duration = Duration::from_secs(15);
const WAIT: Duration = Duration::from_millis(20);
const WAITING: [&str; 2] = ["WaitForInstances", "UpdateInstance"];
/// Of a sequence.
const CALLS_MAX: usize = 12;
const NOW: Timestamp = Timestamp(1_700_000_000_000_000);
/// An instance that has not begun, and one with a state.
const FRESH: Uuid = Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0001);
const STORED: Uuid = Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0002);

/// The methods that an input calls, each with its request, for whoever asks a server elsewhere.
pub fn calls(bytes: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let calls = Calls::decode(bytes).unwrap_or_default().calls.into_iter().take(CALLS_MAX);
    calls.map(|call| (METHODS[call.method as usize % METHODS.len()], call.request)).collect()
}

pub fn check(bytes: &[u8]) -> Verdict {
    let calls = calls(bytes);
    if calls.is_empty() {
        return Verdict::Refused;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let verdict = runtime.block_on(async {
        let supervisor = Supervisor::new(CancellationToken::new());
        let store = stocked().await;
        let patience = Duration::from_secs(1);
        let options = Options { payload_bytes_max: 64 << 10, patience, ..Options::default() };
        let bridge = Bridge::new(store, options, Identity::default(), &supervisor).await.expect("a bridge");
        let mut verdict = Verdict::Refused;
        for (method, request) in calls {
            if ask(&bridge, method, request).await == Some(0) {
                verdict = Verdict::Accepted;
            }
        }
        supervisor.shutdown().cancel();
        verdict
    });
    runtime.shutdown_background();
    verdict
}

/// The status of the answer. None: those who ask are still waiting.
async fn ask(bridge: &Bridge, method: &str, message: Vec<u8>) -> Option<i32> {
    let request = http::Request::post(format!("/waymark.bridge.v1.Bridge/{method}"))
        .header("content-type", "application/grpc")
        .body(Full::new(workers::framed(&[Bytes::from(message)])))
        .expect("a request");
    let mut service = bridge.clone().into_service();
    let answered = async {
        let answer = service.call(request).await.expect("services answer");
        let (head, body) = answer.into_parts();
        let body = body.collect().await;
        let trailers = body.as_ref().ok().and_then(http_body_util::Collected::trailers);
        let headers = trailers.filter(|_| status_of(&head.headers).is_none()).unwrap_or(&head.headers);
        let message = headers.get("grpc-message").map(|text| String::from_utf8_lossy(text.as_bytes()).into_owned());
        (status_of(headers).expect("a status"), message.unwrap_or_default())
    };
    let is_waiting = WAITING.contains(&method);
    let answered = tokio::time::timeout(if is_waiting { WAIT } else { PATIENCE }, answered).await;
    let Ok((status, message)) = answered else {
        assert!(is_waiting, "{method} does not answer");
        return None;
    };
    // What is wrong with a request is its sender's fault, and said so. (Messages that are none are refused by the transport in its words.)
    let is_ours = matches!(Code::from_i32(status), Code::Internal | Code::Unknown | Code::Unavailable | Code::DataLoss);
    assert!(!is_ours || message.contains("failed%20to%20decode%20Protobuf"), "{method}: {message}");
    Some(status)
}

pub fn status_of(headers: &http::HeaderMap) -> Option<i32> {
    headers.get("grpc-status")?.to_str().ok()?.parse().ok()
}

async fn stocked() -> Arc<dyn Store> {
    let store: Arc<dyn Store> = Arc::new(SqliteStore::in_memory(Arc::new(|| NOW)).expect("a store"));
    let program = text::parse("sample.ir", sample::SOURCE).program;
    let version = NewVersion {
        workflow_name: "sample".into(),
        workflow_version: "1".into(),
        ir_hash: waymark_ir::hash_hex(&waymark_ir::ir_hash(&program)),
        program_proto: program_wire::encode(&program),
        source: None,
    };
    let version = store.register_version(version).await.expect("a version").workflow_version_id;
    let new = |id| NewInstance {
        scheduled_at: Some(NOW),
        ..NewInstance::new(id, version, payload::encode(&Value::Dict(vec![])))
    };
    store.queue_instances(vec![new(FRESH)]).await.expect("instances");
    let step = &sample::steps()[8];
    let original = Original {
        instance_id: Uuid::from_u128(1),
        snapshot: Some(Snapshot { seq: 9, state: step.snapshot.clone() }),
        log: Vec::new(),
    };
    let rewrite = copy(&original, sample::lowered(), &Limits::default(), new(STORED), NOW).expect("a copy");
    store.rewrite_instances(vec![rewrite]).await.expect("a state");
    store
}

const METHODS: &[&str] = &[
    "GetInfo",
    "RegisterWorkflow",
    "StartInstances",
    "WaitForInstances",
    "GetInstance",
    "ListInstances",
    "CountInstances",
    "ListEvents",
    "ControlInstances",
    "SignalInstance",
    "KeepWorkers",
    "Shutdown",
    "PutSchedule",
    "ListSchedules",
    "GetSchedule",
    "DeleteSchedule",
    "PauseSchedule",
    "ResumeSchedule",
    "TriggerSchedule",
    "BackfillSchedule",
    "PutQueue",
    "ListQueues",
    "PauseQueue",
    "ResumeQueue",
    "PauseWorkflow",
    "ResumeWorkflow",
    "ListVersions",
    "ActivateVersion",
    "CheckInstances",
    "GetFrames",
    "MigrateInstances",
    "QueryInstance",
    "UpdateInstance",
    "ExportInstance",
    "ImportInstance",
    "PutRetention",
    "ListRetention",
];

fn call(method: &str, request: &impl Message) -> Call {
    let method = METHODS.iter().position(|known| *known == method).expect("a method") as u32;
    Call { method, request: request.encode_to_vec() }
}

fn id(id: Uuid) -> Vec<u8> {
    id.as_bytes().to_vec()
}

pub fn seeds() -> Vec<Vec<u8>> {
    let groups = [starting(), looking(), controlling(), scheduling(), settings(), moving()];
    groups.into_iter().flatten().map(|calls| Calls { calls }.encode_to_vec()).collect()
}

fn starting() -> Vec<Vec<Call>> {
    let source = "workflow greet\nfn main(input: [name, times=1]):\n    return [name, times]\n";
    let program_proto = program_wire::encode(&text::parse("greet.ir", source).program);
    let register = wire::RegisterWorkflowRequest { program_proto, source: source.into(), ..Default::default() };
    let inputs = payload::encode(&Value::Dict(vec![(Value::str("name"), Value::Int(1))]));
    let start = wire::Start {
        workflow_name: "greet".into(),
        inputs,
        id: "mine".into(),
        instance_id: id(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0009)),
        queue: "default".into(),
        priority: Some(1),
        start_at_us: Some(NOW.0 + 5),
        tags: vec!["a".into()],
        key: "k".into(),
        deadline_us: Some(NOW.0 + 9_000_000),
        unique_for_us: 1_000_000,
        ..Default::default()
    };
    let replaced = wire::Start { instance_id: Vec::new(), on_conflict: 3, ..start.clone() };
    let starts = |starts| call("StartInstances", &wire::StartInstancesRequest { starts, wait_ms: 0 });
    let wait = wire::WaitForInstancesRequest { instance_ids: vec![id(FRESH)], timeout_ms: 5 };
    vec![
        vec![call("RegisterWorkflow", &register)],
        vec![call("RegisterWorkflow", &register), starts(vec![start.clone(), start.clone()]), starts(vec![replaced])],
        vec![starts(vec![wire::Start { workflow_name: "sample".into(), ..Default::default() }])],
        vec![call("WaitForInstances", &wait)],
    ]
}

fn looking() -> Vec<Vec<Call>> {
    let filter = wire::InstanceFilter {
        workflow_name: "sample".into(),
        statuses: vec![1, 6],
        tags: vec!["a".into()],
        created_from_us: Some(0),
        created_before_us: Some(i64::MAX),
        ..Default::default()
    };
    let some = Some(wire::InstanceFilter { text: "a%_\\".into(), ..Default::default() });
    let instance_id = id(STORED);
    vec![
        vec![call(
            "ListInstances",
            &wire::ListInstancesRequest { filter: Some(filter.clone()), cursor: id(FRESH), limit: 10 },
        )],
        vec![call("ListInstances", &wire::ListInstancesRequest { filter: some, cursor: Vec::new(), limit: 0 })],
        vec![call("CountInstances", &wire::CountInstancesRequest { filter: Some(filter), limit: 5 })],
        vec![call("ListEvents", &wire::ListEventsRequest { instance_id: instance_id.clone(), after_seq: 0, limit: 9 })],
        vec![call("GetInstance", &wire::GetInstanceRequest { instance_id: instance_id.clone(), ..Default::default() })],
        vec![call(
            "GetInstance",
            &wire::GetInstanceRequest { workflow_name: "sample".into(), id: "k".into(), ..Default::default() },
        )],
        vec![call(
            "QueryInstance",
            &wire::QueryInstanceRequest { instance_id: instance_id.clone(), name: "state".into(), frames: true },
        )],
        vec![call("GetFrames", &wire::GetFramesRequest { instance_id })],
        vec![call("GetInfo", &wire::GetInfoRequest {}), call("ListVersions", &wire::ListVersionsRequest::default())],
    ]
}

fn controlling() -> Vec<Vec<Call>> {
    use wire::control_instances_request::Command;
    let control = |command| {
        let request = wire::ControlInstancesRequest {
            instance_ids: vec![id(STORED), id(FRESH)],
            command: Some(command),
            ..Default::default()
        };
        vec![call("ControlInstances", &request)]
    };
    let signal = wire::SignalInstanceRequest {
        instance_id: id(STORED),
        message_id: id(FRESH),
        name: "go".into(),
        payload: payload::encode(&Value::List(vec![Value::Int(1)])),
        id: "once".into(),
    };
    let update = wire::UpdateInstanceRequest {
        instance_id: id(STORED),
        id: "two".into(),
        name: "price".into(),
        payload: payload::encode(&Value::None),
        timeout_ms: 1,
    };
    vec![
        control(Command::Cancel(wire::Cancel { reason: "why".into(), terminate_after_ms: Some(100) })),
        control(Command::Terminate(wire::Terminate { reason: "why".into() })),
        [control(Command::Pause(wire::Pause {})), control(Command::Resume(wire::Resume {}))].concat(),
        control(Command::Retry(wire::Retry { from_seq: Some(1), from_start: false, inputs: Vec::new() })),
        control(Command::Retry(wire::Retry { from_seq: None, from_start: true, inputs: vec![0x80] })),
        vec![call("SignalInstance", &signal), call("UpdateInstance", &update)],
    ]
}

fn scheduling() -> Vec<Vec<Call>> {
    let key = wire::ScheduleKey { workflow_name: "sample".into(), schedule_name: "s".into() };
    let spec = wire::ScheduleSpec {
        when: Some(wire::schedule_spec::When::Cron("*/5 2 * * *".into())),
        time_zone: "Europe/Berlin".into(),
        start_us: Some(1),
        end_us: Some(i64::MAX),
        jitter_us: 1_000,
        overlap: 1,
        catch_up_us: Some(60_000_000),
        tags: vec!["a".into()],
        key: "k".into(),
        timeout_us: Some(1_000_000),
        ..Default::default()
    };
    let every = wire::ScheduleSpec { when: Some(wire::schedule_spec::When::IntervalUs(60_000_000)), ..spec.clone() };
    let put = |spec| call("PutSchedule", &wire::PutScheduleRequest { schedule: Some(key.clone()), spec: Some(spec) });
    let trigger = wire::TriggerScheduleRequest { schedule: Some(key.clone()), instance_id: Vec::new() };
    let backfill =
        wire::BackfillScheduleRequest { schedule: Some(key.clone()), from_us: NOW.0 - 600_000_000, to_us: NOW.0 };
    let named = |method| call(method, &key);
    vec![
        vec![
            put(spec.clone()),
            named("GetSchedule"),
            named("PauseSchedule"),
            named("ResumeSchedule"),
            named("DeleteSchedule"),
        ],
        vec![
            put(every.clone()),
            call("TriggerSchedule", &trigger),
            call("ListSchedules", &wire::ListSchedulesRequest::default()),
        ],
        vec![put(every), call("BackfillSchedule", &backfill)],
        vec![put(spec), call("BackfillSchedule", &backfill)],
    ]
}

fn settings() -> Vec<Vec<Call>> {
    let rate = wire::Rate { count: 5, period_us: 1_000_000 };
    let queue = wire::QueueSettings {
        name: "q".into(),
        concurrency: Some(3),
        key_concurrency: Some(1),
        rate: Some(rate),
        key_rate: Some(rate),
        fair: true,
    };
    let retention = wire::Retention { workflow_name: "sample".into(), keep: Some(wire::retention::Keep::ForUs(5)) };
    let name = "q".to_string();
    vec![
        vec![
            call("PutQueue", &wire::PutQueueRequest { settings: Some(queue) }),
            call("PauseQueue", &wire::PauseQueueRequest { name: name.clone() }),
            call("ResumeQueue", &wire::ResumeQueueRequest { name }),
            call("ListQueues", &wire::ListQueuesRequest { keys: 3 }),
        ],
        vec![
            call("PauseWorkflow", &wire::PauseWorkflowRequest { workflow_name: "sample".into() }),
            call("ResumeWorkflow", &wire::ResumeWorkflowRequest { workflow_name: "sample".into() }),
        ],
        vec![call("PutRetention", &retention), call("ListRetention", &wire::ListRetentionRequest {})],
    ]
}

fn moving() -> Vec<Vec<Call>> {
    let program = program_wire::encode(&text::parse("sample.ir", sample::SOURCE).program);
    let check =
        wire::CheckInstancesRequest { workflow_name: "sample".into(), program_proto: program, cursor: Vec::new() };
    let migrate = wire::MigrateInstancesRequest {
        instance_ids: vec![id(STORED)],
        workflow_version: "1".into(),
        variables: vec![0x80],
        frames: vec![wire::FrameVariables { frame: 0, variables: vec![0x80] }],
        expected_seq: Some(1),
        ..Default::default()
    };
    let activate = wire::ActivateVersionRequest { workflow_name: "sample".into(), workflow_version: "1".into() };
    vec![
        vec![call("CheckInstances", &check)],
        vec![call("MigrateInstances", &migrate), call("ActivateVersion", &activate)],
        vec![call("ExportInstance", &wire::ExportInstanceRequest { instance_id: id(STORED) })],
        vec![call("ImportInstance", &super::import::exported(6, None))],
        vec![call("ImportInstance", &super::import::exported(9, Some((9, sample::steps()[8].snapshot.clone()))))],
    ]
}
