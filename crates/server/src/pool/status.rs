//! How the pool is doing, for people and for the table of workers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use tokio_util::sync::CancellationToken;
use waymark_store::{Store, Timestamp, WorkerStatus};

use super::Hub;
use super::lane::Need;
use super::state::{State, Traffic};
use super::worker::{Phase, Worker};

#[derive(Clone, Debug)]
pub struct Status {
    pub workers: Vec<WorkerReport>,
    /// Jobs that no worker holds.
    pub waiting: usize,
    /// What waits for a worker that knows it.
    pub unknown: Vec<UnknownAction>,
    pub traffic: Traffic,
}

#[derive(Clone, Debug, PartialEq)]
pub struct WorkerReport {
    pub worker_id: Arc<str>,
    pub language: String,
    pub description: String,
    pub queues: Vec<String>,
    pub process_id: u32,
    /// By this process.
    pub is_spawned: bool,
    pub phase: Phase,
    pub slots: usize,
    pub in_flight: usize,
    pub completed: u64,
    pub failed: u64,
    pub latency_p50_us: i64,
    pub latency_p99_us: i64,
    pub started_at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAction {
    /// None: a piece of code of a workflow, not an action.
    pub name: Option<Arc<str>>,
    pub queue: Option<Arc<str>>,
    /// Jobs that wait for it.
    pub jobs: usize,
    /// For people: "no worker knows billing.charge".
    pub message: String,
}

impl Status {
    pub(super) fn of(state: &State) -> Status {
        let lanes = state.lanes.iter();
        let unknown = lanes.filter(|lane| lane.workers.is_empty() && !lane.is_empty()).map(|lane| {
            let (name, queue) = match &lane.need {
                Need::Action { queue, name } => (Some(name.clone()), queue.clone()),
                Need::Fragment(_) => (None, None),
            };
            UnknownAction { name, queue, jobs: lane.len(), message: lane.need.to_string() }
        });
        let is_spawned = |worker: &Worker| state.lives.contains_key(&worker.profile.worker_id);
        Status {
            workers: state.workers.iter().map(|(_, worker)| WorkerReport::of(worker, is_spawned(worker))).collect(),
            waiting: state.lanes.iter().map(|lane| lane.len()).sum(),
            unknown: unknown.collect(),
            traffic: state.traffic,
        }
    }
}

impl WorkerReport {
    fn of(worker: &Worker, is_spawned: bool) -> WorkerReport {
        WorkerReport {
            worker_id: worker.profile.worker_id.clone(),
            language: worker.profile.language.clone(),
            description: worker.profile.description.clone(),
            queues: worker.profile.queues.clone(),
            process_id: worker.profile.process_id,
            is_spawned,
            phase: worker.phase,
            slots: worker.profile.slots,
            in_flight: worker.held.len(),
            completed: worker.record.completed,
            failed: worker.record.failed,
            latency_p50_us: worker.record.latencies.quantile_us(0.5),
            latency_p99_us: worker.record.latencies.quantile_us(0.99),
            started_at: worker.record.started_at,
        }
    }
}

/// Writes how the workers are doing, now and then, as long as something changes.
pub async fn report_status(
    store: Arc<dyn Store>,
    hub: Hub,
    pool_id: String,
    every: Duration,
    shutdown: CancellationToken,
) {
    let mut written: Vec<WorkerStatus> = Vec::new();
    let mut written_at = Instant::now();
    loop {
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep(every) => {}
        }
        let elapsed = written_at.elapsed().as_secs_f64();
        let before: FxHashMap<&str, i64> =
            written.iter().map(|row| (row.worker_id.as_str(), row.completed + row.failed)).collect();
        let rows = hub.status().workers.into_iter().map(|worker| {
            let settled = (worker.completed + worker.failed) as i64;
            let settled_before = before.get(&*worker.worker_id).copied().unwrap_or(0);
            WorkerStatus {
                pool_id: pool_id.clone(),
                worker_id: worker.worker_id.to_string(),
                language: worker.language,
                in_flight: worker.in_flight as i64,
                completed: worker.completed as i64,
                failed: worker.failed as i64,
                actions_per_second: (settled - settled_before).max(0) as f64 / elapsed.max(0.001),
                latency_p50_us: worker.latency_p50_us,
                latency_p99_us: worker.latency_p99_us,
                started_at: worker.started_at,
                // The store sets it.
                updated_at: Timestamp(0),
            }
        });
        let rows: Vec<WorkerStatus> = rows.collect();
        if rows.is_empty() || rows == written {
            written_at = Instant::now();
            continue;
        }
        match store.put_worker_status(rows.clone()).await {
            Ok(()) => {
                written = rows;
                written_at = Instant::now();
            }
            Err(error) => tracing::debug!(%error, "the status of workers was not written"),
        }
    }
}
