//! Moving an instance to another version of its program, as something to store. The row in its log says from where to where; what
//! happened before can't be folded with the new program, so the state after it is stored with it.

use serde::{Deserialize, Serialize};
use uuid::Uuid;
use waymark_runner::Instance;
use waymark_runner::migrate::{Comparison, Mapping, Problem};
use waymark_store::{LogRow, Rewrite, Timestamp};

/// The kind of such a row.
pub const MIGRATED: &str = "migrated";

/// What such a row says: two versions of a workflow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Migrated {
    pub from: String,
    pub to: String,
}

impl Migrated {
    pub fn decode(row: &LogRow) -> Option<Migrated> {
        (row.kind == MIGRATED).then(|| rmp_serde::from_slice(&row.outcome).ok()).flatten()
    }
}

/// The instance on the other program, or everything that keeps it where it is.
pub fn migrate(
    instance_id: Uuid,
    instance: Instance,
    comparison: &Comparison<'_>,
    mapping: &Mapping,
    versions: &Migrated,
    workflow_version_id: Uuid,
    now: Timestamp,
) -> Result<Rewrite, Vec<Problem>> {
    let expected_seq = instance.seq() as i64;
    let mut moved = comparison.migrate(instance, mapping)?;
    moved.count_migration();
    let outcome = rmp_serde::to_vec(versions).unwrap_or_default();
    Ok(Rewrite {
        instance_id,
        start: None,
        expected_seq,
        was_live: true,
        log: LogRow {
            seq: moved.seq() as i64,
            kind: MIGRATED.into(),
            execution_id: None,
            attempt: None,
            outcome,
            happened_at: now,
            started_at: None,
            worker: None,
            digest: moved.digest(),
        },
        snapshot: moved.snapshot(),
        workflow_version_id: Some(workflow_version_id),
        inputs: None,
        deadline_at: None,
        mail: Vec::new(),
        is_paused: moved.is_paused(),
    })
}
