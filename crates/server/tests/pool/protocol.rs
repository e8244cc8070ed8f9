//! Peers that don't keep to the protocol: a clear refusal, and everything else goes on.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status, Streaming};
use uuid::Uuid;
use waymark_engine::runtime::Dispatcher;
use waymark_engine::{Job, JobOutcome, Report, Work};
use waymark_ir::{ExceptionValue, Value, payload};
use waymark_proto::worker as wire;
use waymark_proto::worker::settled::Outcome as Wire;
use waymark_proto::worker::workers_client::WorkersClient;
use waymark_proto::worker::{Call, EngineFrame, FragmentResult, Hello, Settled, UnknownAction, WorkerFrame};
use waymark_proto::{FRAME_BYTES_MAX, PROTOCOL_VERSION};
use waymark_runner::{ExecutionId, FragmentDispatch, FragmentOutcome, Outcome, Shape};
use waymark_server::pool::{Options, SLOTS_MAX, report_status};
use waymark_store::sqlite::{SqliteOptions, SqliteStore};
use waymark_store::{Store, Timestamp};

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
    let cases: [(Change, Code, &str); 7] = [
        (|hello| hello.protocol_version = 9, Code::FailedPrecondition, "protocol version 1, the worker 9"),
        (|hello| hello.slots = 0, Code::InvalidArgument, "at least one slot"),
        (|hello| hello.worker_id = "a\nb".into(), Code::InvalidArgument, "worker_id"),
        (|hello| hello.actions.push(String::new()), Code::InvalidArgument, "action"),
        (|hello| hello.queues.push("q".repeat(1_000)), Code::InvalidArgument, "queue"),
        (|hello| hello.language.clear(), Code::InvalidArgument, "language"),
        // Each is few enough, but not each with each.
        (
            |hello| {
                hello.queues = (0..900).map(|number| format!("queue {number}")).collect();
                hello.actions = (0..9_000).map(|number| format!("action {number}")).collect();
            },
            Code::InvalidArgument,
            "900 queues with 9000 actions",
        ),
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

/// Where workers take long to come, what waits is offered to other hosts and taken back meanwhile.
#[tokio::test]
async fn deaths_are_counted_however_long_the_next_worker_takes() {
    let mut pool = Pool::start(Options { deaths_max: 3, ..options() });
    let job = pool.job("act", 1);
    for death in 1..=3 {
        let mut raw = Raw::greet(&pool, hello()).await.unwrap();
        let key = pool.run(job.clone());
        raw.call().await;
        drop(raw);
        if death == 3 {
            let (crashed, outcome) = pool.outcome().await;
            assert!(matches!(outcome, Outcome::WorkerCrashed(message) if message.contains("died 3 times")));
            assert_eq!(crashed, key);
        } else {
            assert!(matches!(pool.report().await, Report::Unknown(unknown) if unknown == key));
            pool.hub.cancel(key);
            assert_eq!(pool.outcome().await, (key, Outcome::Cancelled));
        }
    }
}

#[tokio::test]
async fn pieces_of_code_go_to_workers_of_their_language() {
    let mut pool = Pool::start(Options { deaths_max: 1, ..options() });
    let _rust = pool.join("rust", pool.worker("rust", 5).action("act", |_, _| async { Ok(Value::None) })).await;
    let shared = Shape::Object(0);
    let job = |ordinal| Job {
        instance_id: Uuid::from_u128(7),
        workflow_name: "test".into(),
        work: Work::Fragment(Arc::new(FragmentDispatch {
            execution: ExecutionId { instance: 7, epoch: 0, ordinal },
            attempt: 1,
            source: "a.append(b)".into(),
            captures: vec![("a".into(), shared.clone()), ("b".into(), Shape::Plain(Value::Int(2)))],
            objects: vec![Shape::List(vec![Shape::Plain(Value::Int(1))])],
            writes: Vec::new(),
        })),
    };
    let key = pool.run(job(1));
    assert!(matches!(pool.report().await, Report::Unknown(unknown) if unknown == key));
    let mut raw = Raw::greet(&pool, hello()).await.unwrap();
    let call = raw.call().await;
    let Some(wire::call::Work::Fragment(fragment)) = call.work else { panic!("{call:?}") };
    assert_eq!(fragment.source, "a.append(b)");
    // As the schema says: `[["a", {"Object": 0}], ["b", {"Plain": bytes}]]`.
    let captures = b"\x92\x92\xa1a\x81\xa6Object\x00\x92\xa1b\x81\xa5Plain\xc4\x01\x02";
    assert_eq!(fragment.captures[..], captures[..]);
    assert_eq!(fragment.objects[..], b"\x91\x81\xa4List\x91\x81\xa5Plain\xc4\x01\x01"[..]);
    let result = FragmentResult {
        value: b"\x81\xa5Plain\xc4\x01\xc0".to_vec().into(),
        objects: b"\x91\x92\x00\x81\xa4List\x91\x81\xa6Object\x00".to_vec().into(),
        ..FragmentResult::default()
    };
    raw.settle(call.call_id, Some(Wire::Fragment(result)));
    let JobOutcome::Fragment(outcome) = pool.completion().await.outcome else { panic!() };
    let cyclic = Shape::List(vec![shared.clone()]);
    let expected = FragmentOutcome::Completed { value: Shape::Plain(Value::None), objects: vec![(0, cyclic)] };
    assert_eq!(outcome, expected);
    // What raised has changed something before.
    pool.run(job(4));
    let call = raw.call().await;
    let error = ExceptionValue { type_name: "ValueError".into(), ..ExceptionValue::default() };
    let result = FragmentResult {
        objects: b"\x91\x92\x00\x81\xa4List\x91\x81\xa6Object\x00".to_vec().into(),
        failed: payload::encode(&Value::Exception(Box::new(error.clone()))).into(),
        ..FragmentResult::default()
    };
    raw.settle(call.call_id, Some(Wire::Fragment(result)));
    let JobOutcome::Fragment(outcome) = pool.completion().await.outcome else { panic!() };
    let cyclic = Shape::List(vec![shared.clone()]);
    assert_eq!(outcome, FragmentOutcome::Raised { exception: error, objects: vec![(0, cyclic)] });
    pool.run(job(5));
    let call = raw.call().await;
    let object =
        b"\x91\x92\x01\x81\xa9Exception\x9a\xaaValueError\x90\x91\x81\xa6Object\x00\x90\xc0\xc0\xc0\xc2\x90\x90";
    let result = FragmentResult { objects: object.to_vec().into(), raised: Some(1), ..FragmentResult::default() };
    raw.settle(call.call_id, Some(Wire::Fragment(result)));
    let JobOutcome::Fragment(FragmentOutcome::RaisedObject { number: 1, objects }) = pool.completion().await.outcome
    else {
        panic!()
    };
    let [(1, Shape::Exception(error))] = &objects[..] else { panic!("{objects:?}") };
    assert_eq!((error.type_name.as_str(), &error.args[..]), ("ValueError", std::slice::from_ref(&shared)));
    // What can't be read, and what kills its worker.
    pool.run(job(2));
    let call = raw.call().await;
    let deep = b"\x81\xa4List\x91".repeat(100_000);
    let result = FragmentResult { value: deep.into(), objects: vec![0x90].into(), ..FragmentResult::default() };
    raw.settle(call.call_id, Some(Wire::Fragment(result)));
    assert_eq!(failed_fragment(&mut pool).await, "waymark.PayloadError");
    pool.run(job(3));
    raw.call().await;
    drop(raw);
    assert_eq!(failed_fragment(&mut pool).await, "waymark.WorkerCrashed");
}

async fn failed_fragment(pool: &mut Pool) -> String {
    match pool.completion().await.outcome {
        JobOutcome::Fragment(FragmentOutcome::Failed(exception)) => exception.type_name,
        outcome => panic!("{outcome:?}"),
    }
}

#[tokio::test]
async fn the_table_of_workers_is_written_when_something_changes() {
    let mut pool = Pool::start(options());
    let folder = tempfile::tempdir().unwrap();
    let sqlite = SqliteOptions { durable: false, ..SqliteOptions::default() };
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(folder.path().join("waymark.db"), sqlite).unwrap());
    let every = Duration::from_millis(20);
    let shutdown = CancellationToken::new();
    let report = report_status(store.clone(), pool.hub.clone(), "pool".into(), every, shutdown.clone());
    let task = tokio::spawn(report);
    let _worker = pool.join("one", pool.worker("one", 5).action("act", |_, _| async { Ok(Value::None) })).await;
    for _ in 0..3 {
        pool.run(pool.job("act", 0));
        pool.completion().await;
    }
    let begun = std::time::Instant::now();
    let row = loop {
        assert!(begun.elapsed() < PATIENCE);
        let rows = store.list_worker_status(Timestamp(0)).await.unwrap();
        match &rows[..] {
            // At rest again.
            [row] if row.completed == 3 && row.actions_per_second == 0.0 => break row.clone(),
            _ => tokio::time::sleep(every).await,
        }
    };
    assert_eq!((&*row.worker_id, &*row.language, row.in_flight, row.failed), ("one", "rust", 0, 0));
    assert!(row.latency_p50_us > 0 && row.latency_p99_us >= row.latency_p50_us);
    tokio::time::sleep(5 * every).await;
    let later = store.list_worker_status(Timestamp(0)).await.unwrap();
    assert_eq!(later[0].updated_at, row.updated_at, "it was written again without need");
    shutdown.cancel();
    task.await.unwrap();
}

/// With another call waiting behind it, it would otherwise be offered the same call for ever.
#[tokio::test]
async fn what_a_worker_does_not_know_is_not_offered_to_it_again() {
    let mut pool = Pool::start(options());
    let mut raw = Raw::greet(&pool, Hello { slots: 1, ..hello() }).await.unwrap();
    raw.beat();
    let keys = [pool.run(pool.job("act", 1)), pool.run(pool.job("act", 2))];
    let call = raw.call().await;
    raw.settle(call.call_id, Some(Wire::UnknownAction(UnknownAction { name: "act".into() })));
    let mut unknown = Vec::new();
    while unknown.len() < 2 {
        tokio::select! {
            report = pool.report() => match report {
                Report::Unknown(key) => unknown.push(key),
                Report::Completed(completion) => panic!("{completion:?}"),
            },
            call = raw.call() => panic!("offered again: {call:?}"),
        }
    }
    unknown.sort_unstable();
    assert_eq!(unknown, keys);
}

/// An engine that hears of a cancellation it did not ask for takes it for the end of a run before its own, and runs the call again.
#[tokio::test]
async fn a_worker_that_stops_a_call_unasked_has_failed_it() {
    let mut pool = Pool::start(options());
    let mut raw = Raw::greet(&pool, hello()).await.unwrap();
    raw.beat();
    pool.run(pool.job("act", 1));
    let call = raw.call().await;
    raw.settle(call.call_id, Some(Wire::Cancelled(wire::Stopped {})));
    let (_, outcome) = pool.outcome().await;
    let Outcome::Failed(exception) = outcome else { panic!("{outcome:?}") };
    assert_eq!(exception.type_name, "asyncio.CancelledError");
}

/// A worker whose module can't be imported lists none of its actions: the call is what shows why.
#[tokio::test]
async fn a_worker_that_imports_on_demand_is_asked_for_what_nobody_lists() {
    let mut pool = Pool::start(options());
    let importer = Hello { imports_on_demand: true, ..hello() };
    let mut raw = Raw::greet(&pool, importer).await.unwrap();
    raw.beat();
    let broken = pool.run(pool.job("app.mail:send", 1));
    let call = raw.call().await;
    let error = ExceptionValue { type_name: "NameError".into(), ..ExceptionValue::default() };
    raw.settle(call.call_id, Some(Wire::Failed(payload::encode(&Value::Exception(error.clone().into())).into())));
    assert_eq!(pool.outcome().await, (broken, Outcome::Failed(error)));
    // Neither what it does not find, nor what no import would find, nor what belongs to another queue.
    let absent = pool.run(pool.job("elsewhere:send", 1));
    let call = raw.call().await;
    raw.settle(call.call_id, Some(Wire::UnknownAction(UnknownAction { name: "elsewhere:send".into() })));
    assert!(matches!(pool.report().await, Report::Unknown(key) if key == absent));
    let others = [pool.run(pool.job("send", 1)), pool.run(pool.job_with("app.mail:send", Vec::new(), Some("gpu")))];
    let mut told = Vec::new();
    while told.len() < 2 {
        tokio::select! {
            Report::Unknown(key) = pool.report() => told.push(key),
            call = raw.call() => panic!("offered: {call:?}"),
        }
    }
    told.sort();
    assert_eq!(told, others);
    // Whoever lists it is the one to ask, though the other could be, too.
    let listed = pool.worker("lister", 1).action("app.mail:send", |_, _| async { Ok(Value::Bool(true)) });
    let _lister = pool.join("lister", listed).await;
    for n in 0..3 {
        let key = pool.run(pool.job("app.mail:send", n));
        assert_eq!(pool.outcome().await, (key, Outcome::Completed(Value::Bool(true))));
    }
}
