//! What an action gets to see.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use waymark_ir::exceptions::exception;
use waymark_ir::{ExceptionValue, Value};

pub(crate) type Running = Pin<Box<dyn Future<Output = Result<Value, ExceptionValue>> + Send>>;
pub(crate) type Handler = Arc<dyn Fn(Arguments, Context) -> Running + Send + Sync>;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arguments {
    pub positional: Vec<Value>,
    pub keyword: Vec<(String, Value)>,
}

impl Arguments {
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.keyword.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

/// Which call it is.
#[derive(Clone, Debug)]
pub struct Context {
    /// 16 bytes: a UUID.
    pub instance_id: [u8; 16],
    pub workflow_name: String,
    /// The same whenever this execution is tried again: an idempotency key.
    pub execution_id: String,
    pub attempt: u32,
    /// How long the attempt may take.
    pub timeout: Option<Duration>,
    pub(crate) cancellation: Arc<Cancellation>,
}

#[derive(Debug, Default)]
pub(crate) struct Cancellation {
    pub token: CancellationToken,
    /// The action looks out for it itself.
    pub looked_after: AtomicBool,
}

impl Context {
    /// Ends when the call is cancelled. An action that asks is no longer dropped: it is trusted to return soon, with [`cancelled`] if it
    /// came to nothing.
    pub async fn cancelled(&self) {
        self.cancellation.looked_after.store(true, Ordering::Relaxed);
        self.cancellation.token.cancelled().await;
    }
}

/// What an action fails with when it has stopped because it was told to.
pub fn cancelled() -> ExceptionValue {
    exception("asyncio.CancelledError", Vec::new())
}
