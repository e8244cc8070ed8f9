//! A client as users have them: it makes the ids of its instances, so that it can repeat whatever was not answered.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Status};
use uuid::Uuid;
use waymark_ir::{Value, payload, text, wire};
use waymark_proto::bridge::bridge_client::BridgeClient;
use waymark_proto::bridge::{
    GetInstanceRequest, Instance, InstanceStatus, RegisterWorkflowRequest, Start, StartInstancesRequest,
    WaitForInstancesRequest, start_result,
};

use crate::LIMIT;
use crate::process::is_alive;
use crate::site::{Site, records};

const STARTS_IN_CALL: usize = 500;
const WAITS_IN_CALL: usize = 5_000;
const MESSAGE_BYTES_MAX: usize = 256 << 20;
const PAUSE: Duration = Duration::from_millis(50);

pub type Inputs = Vec<(&'static str, Value)>;
pub type Calls = BridgeClient<InterceptedService<Channel, Bearer>>;

#[derive(Clone)]
pub struct Client {
    run_folder: PathBuf,
    token_file: PathBuf,
}

#[derive(Clone)]
pub struct Bearer(MetadataValue<Ascii>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        request.metadata_mut().insert("authorization", self.0.clone());
        Ok(request)
    }
}

/// Whoever answers: an error is a reason to look again for somebody who serves.
macro_rules! retried {
    ($client:expr, $what:literal, $call:expr) => {{
        let end = Instant::now() + LIMIT;
        loop {
            let status = match $client.connect().await {
                Ok(calls) => match ($call)(calls).await {
                    Ok(answer) => break answer,
                    Err(status) => status,
                },
                Err(status) => status,
            };
            assert!(may_be_repeated(&status), "{}: {status:?}", $what);
            assert!(Instant::now() < end, "waited too long: {}: {status:?}", $what);
            tokio::time::sleep(PAUSE).await;
        }
    }};
}

/// The connection or the database was lost: nothing that the caller did wrong.
fn may_be_repeated(status: &Status) -> bool {
    let is_lost = matches!(status.code(), Code::Unknown | Code::Cancelled | Code::Internal)
        && std::error::Error::source(status).is_some();
    is_lost || matches!(status.code(), Code::Unavailable | Code::Aborted)
}

impl Client {
    pub fn of(site: &Site) -> Client {
        Client { run_folder: site.run_folder(), token_file: site.token_file() }
    }

    /// To whoever serves this site at the moment.
    pub async fn connect(&self) -> Result<Calls, Status> {
        let mut records = records(&self.run_folder).into_iter();
        let record = records.find(|record| record["pid"].as_u64().is_some_and(|pid| is_alive(pid as u32)));
        let record = record.ok_or_else(|| Status::unavailable("nobody serves"))?;
        let token =
            std::fs::read_to_string(&self.token_file).map_err(|error| Status::unavailable(error.to_string()))?;
        let address = record["address"].as_str().expect("an address");
        let endpoint = Endpoint::from_shared(format!("http://{address}")).expect("an address");
        let channel = endpoint.connect().await.map_err(|error| Status::unavailable(error.to_string()))?;
        let bearer = Bearer(format!("Bearer {}", token.trim()).parse().expect("a token"));
        Ok(BridgeClient::with_interceptor(channel, bearer).max_decoding_message_size(MESSAGE_BYTES_MAX))
    }

    pub async fn register(&self, program: &str) {
        let parsed = text::parse("test.ir", program);
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        let request = RegisterWorkflowRequest {
            workflow_name: parsed.program.name.clone(),
            program_proto: wire::encode(&parsed.program),
            ..RegisterWorkflowRequest::default()
        };
        retried!(self, "register", |mut calls: Calls| {
            let request = request.clone();
            async move { calls.register_workflow(request).await }
        });
    }

    /// Until every start is acknowledged.
    pub async fn start_all(&self, starts: &[Start]) {
        for starts in starts.chunks(STARTS_IN_CALL) {
            let request = StartInstancesRequest { starts: starts.to_vec(), wait_ms: 0 };
            let answer = retried!(self, "start", |mut calls: Calls| {
                let request = request.clone();
                async move { calls.start_instances(request).await }
            });
            for result in answer.into_inner().results {
                assert!(matches!(result.result, Some(start_result::Result::Started(_))), "{result:?}");
            }
        }
    }

    pub async fn start(&self, workflow: &str, inputs: Inputs) -> Uuid {
        let start = start_of(workflow, inputs);
        self.start_all(std::slice::from_ref(&start)).await;
        id_of(&start)
    }

    /// In the order of the ids, once all have finished.
    pub async fn finished(&self, ids: &[Uuid]) -> Vec<Instance> {
        let mut found: HashMap<Uuid, Instance> = HashMap::new();
        let end = Instant::now() + LIMIT;
        while found.len() < ids.len() {
            let missing = ids.iter().filter(|id| !found.contains_key(id)).take(WAITS_IN_CALL);
            let instance_ids: Vec<Vec<u8>> = missing.map(|id| id.as_bytes().to_vec()).collect();
            if let Err(status) = self.collect(instance_ids, &mut found).await {
                assert!(may_be_repeated(&status) || status.code() == Code::DeadlineExceeded, "{status:?}");
                tokio::time::sleep(PAUSE).await;
            }
            if Instant::now() > end {
                let left = ids.iter().find(|id| !found.contains_key(id)).expect("one is missing");
                let instance = self.get(*left).await;
                panic!("{} of {} have not finished in time; one is {instance:?}", ids.len() - found.len(), ids.len());
            }
        }
        ids.iter().map(|id| found.remove(id).expect("it was found")).collect()
    }

    async fn collect(&self, instance_ids: Vec<Vec<u8>>, found: &mut HashMap<Uuid, Instance>) -> Result<(), Status> {
        let request = WaitForInstancesRequest { instance_ids, timeout_ms: 10_000 };
        let mut stream = self.connect().await?.wait_for_instances(request).await?.into_inner();
        while let Some(ended) = stream.message().await? {
            for instance in ended.instances {
                found.insert(Uuid::from_slice(&instance.instance_id).expect("an id"), instance);
            }
        }
        Ok(())
    }

    /// What it returned.
    pub async fn result(&self, id: Uuid) -> Value {
        result_of(&self.finished(&[id]).await[0])
    }

    pub async fn get(&self, id: Uuid) -> Instance {
        let request = GetInstanceRequest { instance_id: id.as_bytes().to_vec(), ..GetInstanceRequest::default() };
        let answer = retried!(self, "get", |mut calls: Calls| {
            let request = request.clone();
            async move { calls.get_instance(request).await }
        });
        answer.into_inner()
    }
}

pub fn start_of(workflow: &str, inputs: Inputs) -> Start {
    let entries = inputs.into_iter().map(|(name, value)| (Value::Str(name.into()), value)).collect();
    Start {
        workflow_name: workflow.into(),
        inputs: payload::encode(&Value::Dict(entries)),
        instance_id: Uuid::now_v7().as_bytes().to_vec(),
        ..Start::default()
    }
}

pub fn id_of(start: &Start) -> Uuid {
    Uuid::from_slice(&start.instance_id).expect("an id")
}

pub fn result_of(instance: &Instance) -> Value {
    let error = instance.error.as_deref().map(payload::decode);
    assert_eq!(instance.status(), InstanceStatus::Completed, "{error:?} {}", instance.stuck_reason);
    payload::decode(instance.result.as_deref().expect("a result")).expect("a value")
}
