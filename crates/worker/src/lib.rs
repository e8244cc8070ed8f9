//! A worker in Rust: connects to an engine and runs functions as actions. Small on purpose: the tests and benchmarks of the engine use
//! it, so that they need no other language.
//!
//! ```no_run
//! # async fn example() -> Result<(), waymark_worker::Error> {
//! use waymark_worker::{Options, Value, Worker};
//!
//! let worker = Worker::new(Options::from_environment())
//!     .action("greet", |arguments, _context| async move { Ok(arguments.get("name").cloned().unwrap_or(Value::None)) });
//! worker.run(tokio_util::sync::CancellationToken::new()).await
//! # }
//! ```

mod action;
mod outbox;
mod session;

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tonic::transport::{Channel, Endpoint};
use waymark_proto::FRAME_BYTES_MAX;
use waymark_proto::worker::workers_client::WorkersClient;

pub use action::{Arguments, Context, cancelled};
pub use waymark_ir::{ExceptionValue, Value};

/// How often the engine is asked whether it is there, and how long it may take to answer.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// Where to connect, and as what.
#[derive(Clone, Debug)]
pub struct Options {
    /// `unix:/path` or `http://host:port`.
    pub address: String,
    pub token: Option<String>,
    /// Empty: the engine makes one up.
    pub worker_id: String,
    /// Empty: `default`.
    pub queues: Vec<String>,
    /// Calls that run at the same time.
    pub slots: u32,
}

impl Options {
    /// As a pool sets them for the processes that it starts.
    pub fn from_environment() -> Options {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let queues = variable("WAYMARK_WORKER_QUEUES").unwrap_or_default();
        Options {
            address: variable("WAYMARK_WORKER_ADDRESS").unwrap_or_default(),
            token: variable("WAYMARK_WORKER_TOKEN"),
            worker_id: variable("WAYMARK_WORKER_ID").unwrap_or_default(),
            queues: queues.split(',').filter(|queue| !queue.is_empty()).map(String::from).collect(),
            slots: variable("WAYMARK_WORKER_SLOTS").and_then(|slots| slots.parse().ok()).unwrap_or(100),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("no engine can be reached at {address:?}: {source}")]
    Connect { address: String, source: tonic::transport::Error },
    #[error("the token has characters that can't be sent")]
    Token,
    /// The engine ended the stream, and said why.
    #[error("the engine has ended the stream: {} ({:?})", .0.message(), .0.code())]
    Ended(Box<tonic::Status>),
    #[error("the engine's first frame is no welcome")]
    NoWelcome,
}

impl From<tonic::Status> for Error {
    fn from(status: tonic::Status) -> Error {
        Error::Ended(Box::new(status))
    }
}

pub struct Worker {
    options: Options,
    actions: HashMap<String, action::Handler>,
}

impl Worker {
    pub fn new(options: Options) -> Worker {
        Worker { options, actions: HashMap::new() }
    }

    /// A function by the name that programs call it. When its call is cancelled it is dropped where it waits, unless it looks out for
    /// that itself: see [`Context::cancelled`].
    pub fn action<F, R>(mut self, name: &str, function: F) -> Worker
    where
        F: Fn(Arguments, Context) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, ExceptionValue>> + Send + 'static,
    {
        let handler = move |arguments, context| -> action::Running { Box::pin(function(arguments, context)) };
        self.actions.insert(name.to_string(), Arc::new(handler));
        self
    }

    /// Runs calls until the engine ends the stream, or until `shutdown` and the end of what runs then.
    pub async fn run(self, shutdown: CancellationToken) -> Result<(), Error> {
        let failed = |source| Error::Connect { address: self.options.address.clone(), source };
        let endpoint = Endpoint::from_shared(self.options.address.clone()).map_err(failed)?;
        // An engine whose host is gone says nothing any more.
        let endpoint = endpoint.http2_keep_alive_interval(KEEP_ALIVE).keep_alive_timeout(KEEP_ALIVE);
        let channel = endpoint.connect().await.map_err(failed)?;
        let client: WorkersClient<Channel> = WorkersClient::new(channel)
            .max_decoding_message_size(FRAME_BYTES_MAX)
            .max_encoding_message_size(FRAME_BYTES_MAX);
        session::run(client, self.options, self.actions, shutdown).await
    }
}
