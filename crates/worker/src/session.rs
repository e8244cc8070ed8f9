//! One stream, from hello to its end.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Poll, Waker};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tonic::Request;
use tonic::transport::Channel;
use waymark_ir::exceptions::exception;
use waymark_ir::{ExceptionValue, Value, payload};
use waymark_proto::PROTOCOL_VERSION;
use waymark_proto::worker::call::Work;
use waymark_proto::worker::settled::Outcome;
use waymark_proto::worker::workers_client::WorkersClient;
use waymark_proto::worker::{Call, Hello, Settled, Stopped, UnknownAction};

use crate::action::{Arguments, Cancellation, Context, Handler, Running};
use crate::outbox::Outbox;
use crate::{Error, Options, cancelled};

pub(crate) async fn run(
    mut client: WorkersClient<Channel>,
    options: Options,
    actions: HashMap<String, Handler>,
    shutdown: CancellationToken,
) -> Result<(), Error> {
    let hello = Hello {
        protocol_version: PROTOCOL_VERSION,
        worker_id: options.worker_id,
        language: "rust".into(),
        description: concat!("waymark ", env!("CARGO_PKG_VERSION"), " (Rust)").into(),
        queues: options.queues,
        actions: actions.keys().cloned().collect(),
        fragments: false,
        slots: options.slots,
        process_id: std::process::id(),
        imports_on_demand: false,
    };
    let outbox = Outbox::new(hello);
    let mut request = Request::new(outbox.clone());
    if let Some(token) = &options.token {
        let value = format!("Bearer {token}").parse().map_err(|_| Error::Token)?;
        request.metadata_mut().insert("authorization", value);
    }
    let mut frames = client.work(request).await?.into_inner();
    let welcome = frames.message().await?.and_then(|frame| frame.welcome).ok_or(Error::NoWelcome)?;
    let payload_bytes_max = usize::try_from(welcome.payload_bytes_max).unwrap_or(usize::MAX);
    let mut heartbeat = tokio::time::interval(Duration::from_millis(u64::from(welcome.heartbeat_ms.max(1))));
    let mut session =
        Session { actions, outbox, payload_bytes_max, running: HashMap::new(), tasks: JoinSet::new(), draining: false };
    let mut settled = Vec::new();
    let mut asked = false;
    loop {
        if session.draining && session.tasks.is_empty() {
            session.outbox.close();
        }
        tokio::select! {
            biased;
            Some(ended) = session.tasks.join_next() => {
                if let Ok(call_id) = ended {
                    session.running.remove(&call_id);
                }
            }
            frame = frames.message() => {
                let Some(frame) = frame? else { return Ok(()) };
                for call in frame.calls {
                    session.begin(call, &mut settled);
                }
                session.outbox.settle_all(&mut settled);
                for cancel in frame.cancels {
                    if let Some(cancellation) = session.running.get(&cancel.call_id) {
                        cancellation.token.cancel();
                    }
                }
                session.draining |= frame.drain;
            }
            _ = heartbeat.tick() => session.outbox.beat(),
            () = shutdown.cancelled(), if !asked => {
                // The engine answers with a drain when no call is on its way any more.
                asked = true;
                session.outbox.say_draining();
            }
        }
    }
}

struct Session {
    actions: HashMap<String, Handler>,
    outbox: Outbox,
    payload_bytes_max: usize,
    running: HashMap<u64, Arc<Cancellation>>,
    tasks: JoinSet<u64>,
    draining: bool,
}

impl Session {
    /// An action that is done at once costs no task.
    fn begin(&mut self, call: Call, settled: &mut Vec<Settled>) {
        let call_id = call.call_id;
        let name = match &call.work {
            Some(Work::Action(action)) => action.name.clone(),
            _ => String::new(),
        };
        let cancellation = Arc::new(Cancellation::default());
        let mut running = match self.prepare(call, cancellation.clone()) {
            Ok(running) => running,
            Err(outcome) => return settled.push(Settled { call_id, outcome: Some(outcome) }),
        };
        let mut cx = std::task::Context::from_waker(Waker::noop());
        let first = catch_unwind(AssertUnwindSafe(|| running.as_mut().poll(&mut cx)));
        let result = match first {
            Ok(Poll::Ready(result)) => result,
            Err(panic) => Err(panicked(panic.as_ref())),
            Ok(Poll::Pending) => {
                self.running.insert(call_id, cancellation.clone());
                let (outbox, bytes_max) = (self.outbox.clone(), self.payload_bytes_max);
                self.tasks.spawn(async move {
                    let result = finish(running, &cancellation).await;
                    outbox.settle(call_id, encode(&name, result, bytes_max));
                    call_id
                });
                return;
            }
        };
        settled.push(Settled { call_id, outcome: Some(encode(&name, result, self.payload_bytes_max)) });
    }

    fn prepare(&self, call: Call, cancellation: Arc<Cancellation>) -> Result<Running, Outcome> {
        let Some(Work::Action(action)) = call.work else {
            return Err(failure(exception("NotImplementedError", vec![Value::str("this worker runs actions only")])));
        };
        let Some(handler) = self.actions.get(&action.name) else {
            return Err(Outcome::UnknownAction(UnknownAction { name: action.name }));
        };
        let arguments = match (payload::decode(&action.positional), payload::decode(&action.keyword)) {
            (Ok(Value::List(positional)), Ok(Value::Dict(keyword))) => {
                let keyword = keyword.into_iter().filter_map(|(name, value)| match name {
                    Value::Str(name) => Some((name, value)),
                    _ => None,
                });
                Arguments { positional, keyword: keyword.collect() }
            }
            _ => {
                let text = format!("the arguments of {} can't be read", action.name);
                return Err(failure(exception("ValueError", vec![Value::Str(text)])));
            }
        };
        let context = Context {
            instance_id: call.instance_id.as_ref().try_into().unwrap_or_default(),
            workflow_name: call.workflow_name,
            execution_id: call.execution_id,
            attempt: call.attempt,
            timeout: (call.timeout_ms > 0).then(|| Duration::from_millis(call.timeout_ms)),
            cancellation,
        };
        catch_unwind(AssertUnwindSafe(|| handler(arguments, context)))
            .map_err(|panic| failure(panicked(panic.as_ref())))
    }
}

async fn finish(mut running: Running, cancellation: &Cancellation) -> Result<Value, ExceptionValue> {
    // A panic is the action's failure, not the worker's.
    let mut guarded = std::pin::pin!(std::future::poll_fn(|cx| {
        match catch_unwind(AssertUnwindSafe(|| running.as_mut().poll(cx))) {
            Ok(polled) => polled,
            Err(panic) => Poll::Ready(Err(panicked(panic.as_ref()))),
        }
    }));
    tokio::select! {
        biased;
        result = &mut guarded => result,
        () = cancellation.token.cancelled() => match cancellation.looked_after.load(Ordering::Relaxed) {
            true => guarded.await,
            false => Err(cancelled()),
        },
    }
}

fn encode(name: &str, result: Result<Value, ExceptionValue>, bytes_max: usize) -> Outcome {
    let (bytes, failed) = match result {
        Ok(value) => (payload::encode(&value), false),
        Err(exception) if exception.type_name == "asyncio.CancelledError" => return Outcome::Cancelled(Stopped {}),
        Err(exception) => (payload::encode(&Value::Exception(Box::new(exception))), true),
    };
    if bytes.len() > bytes_max {
        let length = bytes.len();
        let mut refusal = exception(
            "waymark.PayloadTooLarge",
            vec![Value::Str(format!(
                "the result of {name} is too large: it takes {length} bytes, {bytes_max} is the limit"
            ))],
        );
        let bases = ["waymark.PayloadError", "waymark.NonRetryable", "Exception", "BaseException"];
        refusal.bases = bases.map(String::from).to_vec();
        return failure(refusal);
    }
    match failed {
        true => Outcome::Failed(bytes.into()),
        false => Outcome::Completed(bytes.into()),
    }
}

fn failure(exception: ExceptionValue) -> Outcome {
    Outcome::Failed(payload::encode(&Value::Exception(Box::new(exception))).into())
}

fn panicked(panic: &(dyn std::any::Any + Send)) -> ExceptionValue {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    exception("RuntimeError", vec![Value::Str(format!("the action panicked: {text}"))])
}
