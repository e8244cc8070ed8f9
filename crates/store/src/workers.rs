//! How the workers of a pool are doing.

use crate::Timestamp;

#[derive(Clone, Debug, PartialEq)]
pub struct WorkerStatus {
    pub pool_id: String,
    pub worker_id: String,
    pub language: String,
    pub in_flight: i64,
    pub completed: i64,
    pub failed: i64,
    pub actions_per_second: f64,
    pub latency_p50_us: i64,
    pub latency_p99_us: i64,
    pub started_at: Timestamp,
    /// Set by the store.
    pub updated_at: Timestamp,
}
