//! A worker in Rust: connects to an engine and runs functions as actions. Small on purpose: the tests and benchmarks of the engine use
//! it, so that they need no other language.
//!
//! ```no_run
//! # async fn example() -> Result<(), waymark_worker::Error> {
//! use waymark_worker::{Options, Value, Worker};
//!
//! let worker = Worker::new(Options::from_environment()?)
//!     .action("greet", |arguments, _context| async move { Ok(arguments.get("name").cloned().unwrap_or(Value::None)) });
//! worker.run(tokio_util::sync::CancellationToken::new()).await
//! # }
//! ```

mod action;
pub mod connect;
mod outbox;
mod session;

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tonic::transport::Channel;
use waymark_proto::FRAME_BYTES_MAX;
use waymark_proto::worker::workers_client::WorkersClient;

pub use action::{Arguments, Context, cancelled};
use connect::{Problem, Trust};
pub use waymark_ir::{ExceptionValue, Value};

/// How often the engine is asked whether it is there, and how long it may take to answer.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// Where to connect, and as what.
#[derive(Clone, Debug)]
pub struct Options {
    /// `unix:/path`, `http://host:port` or `https://host:port`.
    pub address: String,
    pub trust: Trust,
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
    pub fn from_environment() -> Result<Options, Error> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let address = variable("WAYMARK_WORKER_ADDRESS").unwrap_or_default();
        let authorities = match variable("WAYMARK_TLS_CA").filter(|_| !connect::is_socket(&address)) {
            Some(file) => Some(std::fs::read_to_string(&file).map_err(|source| Error::Authorities { file, source })?),
            None => None,
        };
        let queues = variable("WAYMARK_WORKER_QUEUES").unwrap_or_default();
        Ok(Options {
            address,
            trust: Trust { authorities, name: variable("WAYMARK_TLS_NAME") },
            token: variable("WAYMARK_WORKER_TOKEN"),
            worker_id: variable("WAYMARK_WORKER_ID").unwrap_or_default(),
            queues: queues.split(',').filter(|queue| !queue.is_empty()).map(String::from).collect(),
            slots: variable("WAYMARK_WORKER_SLOTS").and_then(|slots| slots.parse().ok()).unwrap_or(100),
        })
    }
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("no engine can be reached at {address:?}: {source}")]
    Connect { address: String, source: tonic::transport::Error },
    /// Somebody is there, and can't be talked to.
    #[error("{0}\nhint: {hint}", hint = .0.hint())]
    Problem(Problem),
    #[error("WAYMARK_TLS_CA is {file}, which can't be read: {source}")]
    Authorities { file: String, source: std::io::Error },
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
        let (address, trust) = (&self.options.address, &self.options.trust);
        let endpoint = connect::endpoint(address, trust).map_err(Error::Problem)?;
        // An engine whose host is gone says nothing any more.
        let endpoint = endpoint.http2_keep_alive_interval(KEEP_ALIVE).keep_alive_timeout(KEEP_ALIVE);
        let channel = endpoint.connect().await.map_err(|source| match Problem::of(address, trust, &source) {
            Some(problem) => Error::Problem(problem),
            None => Error::Connect { address: address.clone(), source },
        })?;
        let client: WorkersClient<Channel> = WorkersClient::new(channel)
            .max_decoding_message_size(FRAME_BYTES_MAX)
            .max_encoding_message_size(FRAME_BYTES_MAX);
        let address = address.clone();
        match session::run(client, self.options, self.actions, shutdown).await {
            Err(Error::Ended(status)) if std::error::Error::source(&*status).is_some() => {
                Err(connect::only_tls(&address).await.map_or(Error::Ended(status), Error::Problem))
            }
            ended => ended,
        }
    }
}
