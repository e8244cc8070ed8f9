//! A worker that says anything at all, on a stream of its own.

use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};
use http_body_util::{BodyExt, Full};
use prost::Message;
use tower_service::Service;
use waymark_engine::runtime::{Dispatcher, Reports};
use waymark_proto::PROTOCOL_VERSION;
use waymark_proto::worker::{Hello, WorkerFrame};
use waymark_runner::Instance;
use waymark_server::pool::{Hub, Options};

use super::{answers, sample};
use crate::Verdict;

/// The frames of one stream, as they are sent.
#[derive(Clone, PartialEq, Message)]
struct Frames {
    #[prost(bytes = "bytes", repeated, tag = "1")]
    frames: Vec<Bytes>,
}

/// What has been said is dealt with by then.
const PATIENCE: Duration = Duration::from_secs(10);
/// Pairs of queues and actions that a worker can make an engine look for.
const KNOWN_MAX: usize = 1_000_000;

/// What an input says, frame by frame, for whoever says it to a server elsewhere.
pub fn frames(bytes: &[u8]) -> Vec<Bytes> {
    Frames::decode(bytes).unwrap_or_default().frames
}

pub fn check(bytes: &[u8]) -> Verdict {
    let frames = frames(bytes);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        let hub = Hub::new(Options::default());
        let (reports, mut reported) = Reports::channel();
        for step in sample::steps().iter().take(3) {
            let instance = Instance::restore(&step.snapshot, sample::lowered()).expect("a state");
            answers::jobs(&instance).into_iter().for_each(|job| hub.run(job, &reports));
        }
        let status = talk(&hub, framed(&frames)).await;
        // Whatever it said, it has gone, and what it held is for others.
        let gone = async {
            while hub.slots() > 0 {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, gone).await.expect("a worker whose stream has ended is gone");
        assert!(hub.status().workers.is_empty());
        while reported.try_recv().is_ok() {}
        if status == Some(0) { Verdict::Accepted } else { Verdict::Refused }
    })
}

/// One stream: all is said at once, then heard.
async fn talk(hub: &Hub, body: Bytes) -> Option<i32> {
    let request = http::Request::post("/waymark.worker.v1.Workers/Work")
        .header("content-type", "application/grpc")
        .body(Full::new(body))
        .expect("a request");
    let answer = tokio::time::timeout(PATIENCE, hub.service().call(request)).await.expect("an answer");
    let answer = answer.expect("services answer");
    if let Some(status) = super::bridge::status_of(answer.headers()) {
        return Some(status);
    }
    assert!(hub.known().len() <= KNOWN_MAX, "{} pairs of queues and actions", hub.known().len());
    let heard = tokio::time::timeout(PATIENCE, answer.into_body().collect()).await.expect("the stream ends");
    heard.ok()?.trailers().and_then(super::bridge::status_of)
}

pub fn framed(frames: &[Bytes]) -> Bytes {
    let mut body = BytesMut::new();
    for frame in frames {
        body.put_u8(0);
        body.put_u32(frame.len() as u32);
        body.put_slice(frame);
    }
    body.freeze()
}

pub fn seeds() -> Vec<Vec<u8>> {
    let hello = Hello {
        protocol_version: PROTOCOL_VERSION,
        worker_id: "raw".into(),
        language: "python".into(),
        description: "a worker".into(),
        queues: vec!["default".into(), "other".into()],
        actions: vec!["work".into(), "app:more".into()],
        fragments: true,
        slots: 10,
        process_id: 7,
        imports_on_demand: true,
    };
    let hello = WorkerFrame { hello: Some(hello), ..WorkerFrame::default() }.encode_to_vec();
    let draining = WorkerFrame { draining: true, ..WorkerFrame::default() }.encode_to_vec();
    let said = answers::outcomes().into_iter().enumerate().map(|(at, outcome)| {
        let calls = [at as u64 % 3, 1, u64::MAX];
        answers::frame(calls.iter().map(|call| answers::settled(*call, outcome.clone())).collect())
    });
    let streams = said.map(|said| vec![hello.clone(), said, Vec::new(), draining.clone()]);
    let all = streams.chain([vec![hello.clone()], vec![hello.clone(), hello.clone()], vec![]]);
    all.map(|frames| Frames { frames: frames.into_iter().map(Bytes::from).collect() }.encode_to_vec()).collect()
}
