//! Peers that don't keep to the protocol: a clear refusal, and everything else goes on.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status, Streaming};
use waymark_ir::{Value, payload};
use waymark_proto::worker::settled::Outcome as Wire;
use waymark_proto::worker::workers_client::WorkersClient;
use waymark_proto::worker::{Call, EngineFrame, FragmentResult, Hello, Settled, UnknownAction, WorkerFrame};
use waymark_proto::{FRAME_BYTES_MAX, PROTOCOL_VERSION};
use waymark_runner::Outcome;
use waymark_server::pool::{Options, SLOTS_MAX};

use crate::support::{PATIENCE, Pool, exception, options};

/// A worker that says whatever the test wants.
struct Raw {
    say: mpsc::UnboundedSender<WorkerFrame>,
    hear: Streaming<EngineFrame>,
}

fn hello() -> Hello {
    Hello {
        protocol_version: PROTOCOL_VERSION,
        worker_id: "raw".into(),
        language: "python".into(),
        actions: vec!["act".into()],
        fragments: true,
        slots: 10,
        ..Hello::default()
    }
}

impl Raw {
    async fn open(pool: &Pool, first: WorkerFrame) -> Result<Raw, Status> {
        let channel: Channel = Endpoint::from_shared(pool.address.clone()).unwrap().connect().await.unwrap();
        let mut client = WorkersClient::new(channel)
            .max_decoding_message_size(FRAME_BYTES_MAX)
            .max_encoding_message_size(2 * FRAME_BYTES_MAX);
        let (say, said) = mpsc::unbounded_channel();
        say.send(first).unwrap();
        let hear = client.work(UnboundedReceiverStream::new(said)).await?.into_inner();
        Ok(Raw { say, hear })
    }

    async fn greet(pool: &Pool, hello: Hello) -> Result<Raw, Status> {
        Raw::open(pool, WorkerFrame { hello: Some(hello), ..WorkerFrame::default() }).await
    }

    async fn frame(&mut self) -> Result<Option<EngineFrame>, Status> {
        tokio::time::timeout(PATIENCE, self.hear.message()).await.expect("a frame comes in time")
    }

    async fn call(&mut self) -> Call {
        loop {
            let frame = self.frame().await.unwrap().expect("the stream goes on");
            if let Some(call) = frame.calls.into_iter().next() {
                return call;
            }
        }
    }

    /// Says that it is alive from now on.
    fn beat(&self) {
        let say = self.say.clone();
        tokio::spawn(async move {
            while say.send(WorkerFrame::default()).is_ok() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
    }

    fn settle(&self, call_id: u64, outcome: Option<Wire>) {
        let settled = vec![Settled { call_id, outcome }];
        self.say.send(WorkerFrame { settled, ..WorkerFrame::default() }).unwrap();
    }
}

#[tokio::test]
async fn a_hello_is_checked() {
    let pool = Pool::start(options());
    let no_hello = Raw::open(&pool, WorkerFrame::default()).await.err().expect("refused");
    assert_eq!(no_hello.code(), Code::InvalidArgument);
    type Change = fn(&mut Hello);
    let cases: [(Change, Code, &str); 6] = [
        (|hello| hello.protocol_version = 9, Code::FailedPrecondition, "protocol version 1, the worker 9"),
        (|hello| hello.slots = 0, Code::InvalidArgument, "at least one slot"),
        (|hello| hello.worker_id = "a\nb".into(), Code::InvalidArgument, "worker_id"),
        (|hello| hello.actions.push(String::new()), Code::InvalidArgument, "action"),
        (|hello| hello.queues.push("q".repeat(1_000)), Code::InvalidArgument, "queue"),
        (|hello| hello.language.clear(), Code::InvalidArgument, "language"),
    ];
    for (change, code, text) in cases {
        let mut wrong = hello();
        change(&mut wrong);
        let refused = Raw::greet(&pool, wrong).await.err().expect(text);
        assert_eq!(refused.code(), code, "{refused:?}");
        assert!(refused.message().contains(text), "{refused:?}");
    }
    assert!(pool.hub.status().workers.is_empty());
    let mut many = Raw::greet(&pool, Hello { slots: u32::MAX, worker_id: String::new(), ..hello() }).await.unwrap();
    let welcome = many.frame().await.unwrap().unwrap().welcome.unwrap();
    let worker = &pool.hub.status().workers[0];
    assert_eq!(*worker.worker_id, *welcome.worker_id);
    assert_eq!(worker.slots, SLOTS_MAX as usize);
    assert_eq!(worker.queues, ["default"]);
    // Once is enough.
    many.say.send(WorkerFrame { hello: Some(hello()), ..WorkerFrame::default() }).unwrap();
    assert_eq!(many.frame().await.unwrap_err().code(), Code::InvalidArgument);
}

#[tokio::test]
async fn what_cannot_be_read_fails_its_call_only() {
    let mut pool = Pool::start(Options { payload_bytes_max: 1_000, ..options() });
    let mut raw = Raw::greet(&pool, hello()).await.unwrap();
    let large = payload::encode(&Value::Bytes(vec![0; 1_001]));
    let fragment = FragmentResult::default();
    let cases = [
        (Some(Wire::Completed(vec![0xc1].into())), "waymark.PayloadError", "the result of act can't be read"),
        (Some(Wire::Completed(vec![].into())), "waymark.PayloadError", "ends in the middle"),
        (Some(Wire::Failed(payload::encode(&Value::Int(1)).into())), "waymark.PayloadError", "no exception"),
        (Some(Wire::Completed(large.into())), "waymark.PayloadTooLarge", "the result of act is too large"),
        (Some(Wire::Fragment(fragment)), "waymark.PayloadError", "the result of act"),
        (None, "waymark.PayloadError", "not known"),
    ];
    for (wire, type_name, text) in cases {
        let key = pool.run(pool.job("act", 0));
        let call = raw.call().await;
        // Of calls that don't exist nobody wants to hear.
        raw.settle(call.call_id + 77, wire.clone());
        raw.settle(call.call_id, wire);
        let (settled, outcome) = pool.outcome().await;
        assert_eq!(settled, key);
        let (name, message) = exception(&outcome);
        assert_eq!(name, type_name, "{message}");
        assert!(message.contains(text), "{message}");
    }
    // Too large to be sent.
    let arguments = vec![("small", Value::Int(1)), ("big", Value::Str("x".repeat(2_000)))];
    pool.run(pool.job_with("act", arguments, None));
    let (_, outcome) = pool.outcome().await;
    let (name, message) = exception(&outcome);
    assert_eq!(name, "waymark.PayloadTooLarge");
    assert!(message.contains("act") && message.contains("'big'"), "{message}");
    assert_eq!(pool.hub.status().workers[0].in_flight, 0);
    // A worker that does not know it after all: it waits for one that does.
    let key = pool.run(pool.job("act", 0));
    let call = raw.call().await;
    raw.settle(call.call_id, Some(Wire::UnknownAction(UnknownAction { name: "act".into() })));
    pool.until("it waits", |status| status.unknown.len() == 1).await;
    let worker = pool.worker("two", 1).action("act", |_, _| async { Ok(Value::None) });
    let _worker = pool.join("two", worker).await;
    assert_eq!(pool.outcome().await, (key, Outcome::Completed(Value::None)));
}

#[tokio::test]
async fn a_frame_that_is_too_large_ends_its_stream_and_the_call_is_run_elsewhere() {
    let mut pool = Pool::start(options());
    let mut raw = Raw::greet(&pool, hello()).await.unwrap();
    let key = pool.run(pool.job("act", 0));
    let call = raw.call().await;
    raw.settle(call.call_id, Some(Wire::Completed(vec![0; FRAME_BYTES_MAX + 1].into())));
    pool.until("it is thrown out", |status| status.workers.is_empty()).await;
    let worker = pool.worker("two", 1).action("act", |_, _| async { Ok(Value::None) });
    let _worker = pool.join("two", worker).await;
    assert_eq!(pool.outcome().await, (key, Outcome::Completed(Value::None)));
}

#[tokio::test]
async fn a_worker_that_is_silent_or_comes_again_is_taken_for_dead() {
    let mut pool = Pool::start(Options { heartbeat: Duration::from_millis(200), ..options() });
    let mut silent = Raw::greet(&pool, hello()).await.unwrap();
    let key = pool.run(pool.job("act", 0));
    let first = silent.call().await;
    assert_eq!(silent.frame().await.unwrap_err().code(), Code::DeadlineExceeded);
    // It comes again under its name, twice: what the older one held goes to the newer one, the same execution.
    let mut older = Raw::greet(&pool, hello()).await.unwrap();
    older.beat();
    let second = older.call().await;
    let mut newer = Raw::greet(&pool, hello()).await.unwrap();
    newer.beat();
    let third = newer.call().await;
    assert_eq!(older.frame().await.unwrap_err().code(), Code::Aborted);
    for again in [&second, &third] {
        assert_eq!((&again.execution_id, again.attempt), (&first.execution_id, first.attempt));
    }
    assert_eq!(pool.hub.status().workers.len(), 1);
    newer.settle(third.call_id, Some(Wire::Completed(payload::encode(&Value::Int(3)).into())));
    assert_eq!(pool.outcome().await, (key, Outcome::Completed(Value::Int(3))));
}
