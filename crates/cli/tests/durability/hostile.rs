//! Random requests to every method, and workers that say anything, on the real ports of a real server: each is answered, and it goes on.

use std::time::{Duration, Instant};

use bytes::{Buf, BufMut, Bytes};
use prost::Message;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Status};
use waymark_fuzz::drive::Run;
use waymark_fuzz::mutate::mutate;
use waymark_fuzz::targets::{bridge, find, workers};
use waymark_fuzz::{Target, corpus};
use waymark_proto::bridge::{PutQueueRequest, QueueSettings, ResumeQueueRequest, ResumeWorkflowRequest};

use crate::bad_input::{PATIENCE, Setting};

/// Those who ask to wait for something may have to.
const WAIT: Duration = Duration::from_millis(100);

/// Bytes as they are.
#[derive(Clone, Copy, Default)]
struct Raw;

impl Codec for Raw {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Raw;
    type Decoder = Raw;

    fn encoder(&mut self) -> Raw {
        Raw
    }

    fn decoder(&mut self) -> Raw {
        Raw
    }
}

impl Encoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, message: Bytes, to: &mut EncodeBuf<'_>) -> Result<(), Status> {
        to.put(message);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(from.copy_to_bytes(from.remaining())))
    }
}

struct Peer {
    calls: tonic::client::Grpc<Channel>,
    token: String,
}

impl Peer {
    async fn of(address: &str, token: &str) -> Peer {
        let endpoint = Endpoint::from_shared(format!("http://{address}")).expect("an address");
        let channel = endpoint.connect().await.expect("the server takes connections");
        Peer { calls: tonic::client::Grpc::new(channel), token: format!("Bearer {}", token.trim()) }
    }

    /// How it ended; None: it is not over.
    async fn stream(&mut self, method: &str, messages: Vec<Bytes>) -> Option<Result<(), Status>> {
        let mut request = Request::new(tokio_stream::iter(messages));
        request.metadata_mut().insert("authorization", self.token.parse().expect("a header"));
        let path = PathAndQuery::try_from(method).expect("a path");
        let whole = async {
            self.calls.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
            let mut answers = self.calls.streaming(request, path, Raw).await?.into_inner();
            while answers.message().await?.is_some() {}
            Ok(())
        };
        let is_waiting = method.ends_with("/WaitForInstances") || method.ends_with("/UpdateInstance");
        let answered = tokio::time::timeout(if is_waiting { WAIT } else { PATIENCE }, whole).await;
        assert!(is_waiting || answered.is_ok(), "{method} is not answered");
        answered.ok()
    }
}

/// What a target's corpus has, and mutations of it.
fn inputs(target: &'static Target, run: Run) -> impl Iterator<Item = Vec<u8>> {
    let known: Vec<Vec<u8>> = corpus::read(target.name).into_iter().map(|(_, input)| input).collect();
    let mut rng = fastrand::Rng::with_seed(run.seed);
    let drawn = known.clone();
    let mutated = std::iter::repeat_with(move || {
        let (input, other) = (&drawn[rng.usize(..drawn.len())], &drawn[rng.usize(..drawn.len())]);
        mutate(target.form, input, other, target.bytes_max, &mut rng)
    });
    known.into_iter().chain(mutated)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().take(4_000).map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn random_requests_are_answered() {
    let run = Run::of_variables();
    let mut setting = Setting::new().await;
    let mut peer = Peer::of(&setting.bridge, &setting.token()).await;
    let end = Instant::now() + Duration::from_secs_f64(4.0 * run.seconds);
    let (mut asked, mut done) = (0, 0);
    for input in inputs(find("bridge").expect("a target"), run).take_while(|_| Instant::now() < end) {
        for (method, request) in bridge::calls(&input) {
            let path = format!("/waymark.bridge.v1.Bridge/{method}");
            let answer = peer.stream(&path, vec![Bytes::from(request.clone())]).await;
            asked += 1;
            done += u32::from(matches!(answer, Some(Ok(()))));
            if let Some(Err(status)) = answer {
                let ours = [Code::Internal, Code::Unknown, Code::Unavailable, Code::DataLoss].contains(&status.code());
                let is_refused = !ours || status.message().contains("failed to decode Protobuf");
                assert!(is_refused, "{method}: {status:?}: {}", hex(&request));
            }
        }
    }
    println!("{asked} requests, {done} done");
    assert!(asked > 100 && done > 10, "{asked} requests, {done} done");
    // Some may have asked for what stops everybody, and got it.
    let settings = QueueSettings { name: "default".into(), ..QueueSettings::default() };
    let undone = [
        ("PutQueue", PutQueueRequest { settings: Some(settings) }.encode_to_vec()),
        ("ResumeQueue", ResumeQueueRequest { name: "default".into() }.encode_to_vec()),
        ("ResumeWorkflow", ResumeWorkflowRequest { workflow_name: "survives".into() }.encode_to_vec()),
    ];
    for (method, request) in undone {
        peer.stream(&format!("/waymark.bridge.v1.Bridge/{method}"), vec![request.into()]).await;
    }
    setting.assert_unharmed().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lying_workers_are_heard_and_gone() {
    let run = Run::of_variables();
    let mut setting = Setting::new().await;
    let token = setting.token();
    let end = Instant::now() + Duration::from_secs_f64(4.0 * run.seconds);
    let (mut streams, mut ended) = (0, 0);
    for input in inputs(find("workers").expect("a target"), run).take_while(|_| Instant::now() < end) {
        let mut peer = Peer::of(&setting.workers, &token).await;
        let answer = peer.stream("/waymark.worker.v1.Workers/Work", workers::frames(&input)).await;
        streams += 1;
        ended += u32::from(matches!(answer, Some(Ok(()))));
    }
    println!("{streams} streams, {ended} ended well");
    assert!(streams > 50 && ended > 5, "{streams} streams, {ended} ended well");
    setting.assert_unharmed().await;
}
