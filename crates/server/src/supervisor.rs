//! Owns every long task of a process: lists them, stops them, waits for them. One that ends before it was asked to takes the process
//! with it: what is half alive helps nobody.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Arc, Mutex};

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

#[derive(Clone, Default)]
pub struct Supervisor {
    shutdown: CancellationToken,
    tasks: Arc<Mutex<BTreeMap<String, JoinHandle<()>>>>,
}

impl Supervisor {
    /// Stops when `shutdown` says so.
    pub fn new(shutdown: CancellationToken) -> Supervisor {
        Supervisor { shutdown, tasks: Arc::default() }
    }

    /// Tells tasks to stop.
    pub fn shutdown(&self) -> &CancellationToken {
        &self.shutdown
    }

    /// Runs a task until it ends, and everything else only as long as it does.
    pub fn spawn<E: std::fmt::Display>(&self, name: &str, task: impl Future<Output = Result<(), E>> + Send + 'static) {
        let shutdown = self.shutdown.clone();
        let named = name.to_string();
        let handle = tokio::spawn(async move {
            // A panic must not leave the others running either.
            let _stop = shutdown.clone().drop_guard();
            match task.await {
                Ok(()) if shutdown.is_cancelled() => {}
                Ok(()) => tracing::warn!(task = named, "a task has ended; the process stops"),
                Err(error) => tracing::error!(task = named, %error, "a task has failed; the process stops"),
            }
        });
        if let Ok(mut tasks) = self.tasks.lock() {
            tasks.insert(name.to_string(), handle);
        }
    }

    /// The names of the tasks that run.
    pub fn list(&self) -> Vec<String> {
        let Ok(tasks) = self.tasks.lock() else { return Vec::new() };
        tasks.iter().filter(|(_, task)| !task.is_finished()).map(|(name, _)| name.clone()).collect()
    }

    /// Waits for all of them, after they were told to stop.
    pub async fn wait(&self) {
        loop {
            let next = self.tasks.lock().ok().and_then(|mut tasks| tasks.pop_first());
            let Some((name, task)) = next else { return };
            if task.await.is_err() {
                tracing::error!(task = name, "a task has panicked");
            }
        }
    }
}
