//! A bridge on a free port of loopback, and clients of it.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};
use uuid::Uuid;
use waymark_engine::runtime::Intake;
use waymark_ir::{Value, payload, wire};
use waymark_proto::bridge::bridge_client::BridgeClient;
use waymark_proto::bridge::{
    RegisterWorkflowRequest, RegisterWorkflowResponse, Start, StartInstancesRequest, StartResult, start_result,
};
use waymark_server::auth::TokenHash;
use waymark_server::bridge::{self, Bridge, Identity, Options};
use waymark_server::serve::TlsOptions;
use waymark_server::supervisor::Supervisor;
use waymark_store::conformance::Cluster;
use waymark_store::sqlite::{SqliteOptions, SqliteStore};
use waymark_store::{Claim, Committed, Ending, FaultyStore, Lease, Next, Progress, Schedule, Store};

pub const TOKEN: &str = "the-token-of-the-tests";
pub const GREET: &str = "fn main(input: [name, times=1]):\n    return [name, times]\n";
/// No test waits longer for what should happen at once.
pub const LIMIT: Duration = Duration::from_secs(30);

pub type Client = BridgeClient<InterceptedService<Channel, Bearer>>;

#[derive(Clone)]
pub struct Bearer(pub Option<&'static str>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(token) = self.0 {
            let value = format!("Bearer {token}").parse().map_err(|_| Status::internal("no header"))?;
            request.metadata_mut().insert("authorization", value);
        }
        Ok(request)
    }
}

/// What a test may set.
pub struct Setup {
    pub options: Options,
    pub auto_booted: bool,
    pub tls: Option<TlsOptions>,
    pub address: &'static str,
}

impl Default for Setup {
    fn default() -> Setup {
        // Nothing may depend on what is only there for lost notifications.
        let never = Duration::from_secs(3600);
        let options = Options { sweep: never, version_age_max: never, ..Options::default() };
        Setup { options, auto_booted: false, tls: None, address: "127.0.0.1:0" }
    }
}

/// A bridge that runs until it is dropped.
pub struct Running {
    pub address: SocketAddr,
    pub store: Arc<dyn Store>,
    pub faulty: Arc<FaultyStore>,
    pub bridge: Bridge,
    pub shutdown: CancellationToken,
    pub supervisor: Supervisor,
    pub intake: Intake,
    _stop: tokio_util::sync::DropGuard,
    _folder: Option<tempfile::TempDir>,
}

impl Running {
    pub async fn start(setup: Setup) -> Running {
        let (store, folder) = sqlite();
        Running::on(store, Some(folder), setup, false).await
    }

    /// Its store tells no changes.
    pub async fn deaf(setup: Setup) -> Running {
        let (store, folder) = sqlite();
        Running::on(store, Some(folder), setup, true).await
    }

    pub async fn on(store: Arc<dyn Store>, folder: Option<tempfile::TempDir>, setup: Setup, is_deaf: bool) -> Running {
        let faulty = Arc::new(FaultyStore::new(store.clone(), Schedule::quiet()));
        if is_deaf {
            faulty.mute();
        }
        let shutdown = CancellationToken::new();
        let supervisor = Supervisor::new(shutdown.clone());
        let intake = Intake::default();
        let identity = Identity {
            worker_address: Some("http://127.0.0.1:24118".into()),
            auto_booted: setup.auto_booted,
            shutdown: shutdown.clone(),
            crews: None,
            intake: intake.clone(),
        };
        let bridge = Bridge::new(faulty.clone(), setup.options, identity, &supervisor).await.unwrap();
        let listener = TcpListener::bind(setup.address).await.unwrap();
        let address = listener.local_addr().unwrap();
        supervisor.spawn(
            "bridge",
            bridge::serve(listener, bridge.clone(), TokenHash::of(TOKEN), setup.tls, shutdown.clone()),
        );
        let stop = shutdown.clone().drop_guard();
        Running { address, store, faulty, bridge, shutdown, supervisor, intake, _stop: stop, _folder: folder }
    }

    pub fn channel(&self) -> Channel {
        Endpoint::from_shared(format!("http://127.0.0.1:{}", self.address.port())).unwrap().connect_lazy()
    }

    pub fn client(&self) -> Client {
        self.client_with(Some(TOKEN))
    }

    pub fn client_with(&self, token: Option<&'static str>) -> Client {
        BridgeClient::with_interceptor(self.channel(), Bearer(token))
    }

    /// A client, and a workflow `greet` for it.
    pub async fn with_greet(setup: Setup) -> (Running, Client) {
        let running = Running::start(setup).await;
        let mut client = running.client();
        register(&mut client, "greet", GREET).await;
        (running, client)
    }
}

pub fn sqlite() -> (Arc<dyn Store>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteOptions { durable: false, ..SqliteOptions::default() };
    (Arc::new(SqliteStore::open(folder.path().join("waymark.db"), options).unwrap()), folder)
}

/// Twice the same database, as two processes have it.
pub async fn postgres() -> (Arc<dyn Store>, Arc<dyn Store>) {
    let cluster = tokio::task::spawn_blocking(Cluster::shared).await.unwrap();
    let url = cluster.database(true).await;
    (waymark_store::open(&url).await.unwrap(), waymark_store::open(&url).await.unwrap())
}

pub fn program(name: &str, text: &str) -> Vec<u8> {
    let parsed = waymark_ir::text::parse("test.ir", text);
    assert!(parsed.diagnostics.iter().all(|problem| !problem.is_error()), "{:?}", parsed.diagnostics);
    let mut program = parsed.program;
    program.name = name.into();
    wire::encode(&program)
}

pub fn registration(name: &str, text: &str) -> RegisterWorkflowRequest {
    RegisterWorkflowRequest {
        workflow_name: name.into(),
        workflow_version: String::new(),
        program_proto: program(name, text),
        source: text.into(),
    }
}

pub async fn register(client: &mut Client, name: &str, text: &str) -> RegisterWorkflowResponse {
    client.register_workflow(registration(name, text)).await.unwrap().into_inner()
}

pub fn inputs(entries: &[(&str, Value)]) -> Vec<u8> {
    payload::encode(&Value::Dict(entries.iter().map(|(name, value)| (Value::str(*name), value.clone())).collect()))
}

pub fn greet() -> Start {
    Start { workflow_name: "greet".into(), inputs: inputs(&[("name", Value::str("Ada"))]), ..Start::default() }
}

pub async fn start(client: &mut Client, starts: Vec<Start>) -> Vec<StartResult> {
    client.start_instances(StartInstancesRequest { starts, wait_ms: 0 }).await.unwrap().into_inner().results
}

/// `Ok((id, created))`, or the reason and the message.
pub fn outcome(result: &StartResult) -> Result<(Uuid, bool), (String, String)> {
    match result.result.as_ref().expect("each start has an answer") {
        start_result::Result::Started(started) => {
            Ok((Uuid::from_slice(&started.instance_id).unwrap(), started.created))
        }
        start_result::Result::Refused(refusal) => {
            Err((refusal.reason().as_str_name().to_string(), refusal.message.clone()))
        }
    }
}

/// Starts that must all be new.
pub async fn started(client: &mut Client, count: usize) -> Vec<Uuid> {
    let results = start(client, vec![greet(); count]).await;
    results.iter().map(|result| outcome(result).map(|(id, created)| (created, id).1).unwrap()).collect()
}

/// Ends instances, as an engine would.
pub struct Owner {
    store: Arc<dyn Store>,
    leases: HashMap<Uuid, Lease>,
}

impl Owner {
    /// Claims all that is due.
    pub async fn claim(store: &Arc<dyn Store>) -> Owner {
        let claim = Claim {
            engine: "test".into(),
            queues: vec!["default".into()],
            limit: 10_000,
            lease: Duration::from_secs(600),
            claims_max: 5,
        };
        let claimed = store.claim(claim).await.unwrap();
        Owner {
            store: store.clone(),
            leases: claimed.instances.into_iter().map(|claimed| (claimed.lease.instance_id, claimed.lease)).collect(),
        }
    }

    pub async fn end(&self, ids: &[Uuid], ending: Ending) {
        let batch = ids
            .iter()
            .map(|id| Progress { next: Next::Finish(ending.clone()), ..Progress::new(self.leases[id], 0, Vec::new()) });
        for committed in self.store.commit_progress(batch.map(Arc::new).collect()).await.unwrap() {
            assert!(matches!(committed, Committed::Accepted { released: true, .. }), "{committed:?}");
        }
    }

    pub async fn complete(&self, ids: &[Uuid]) {
        self.end(ids, Ending::Completed { result: payload::encode(&Value::str("done")) }).await;
    }

    pub async fn mark_stuck(&self, id: Uuid, reason: &str) {
        assert_eq!(self.store.mark_stuck(vec![(self.leases[&id], reason.into())]).await.unwrap(), [true]);
    }
}

/// Until a condition holds, or the test fails.
pub async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let looking = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    assert!(tokio::time::timeout(LIMIT, looking).await.is_ok(), "{what}: not within {LIMIT:?}");
}
