//! An instance of another database as one of this: its state under an id of its own, paused, to look at and to try again.

use std::sync::Arc;

use uuid::Uuid;
use waymark_runner::{Instance, Limits, Lowered};
use waymark_store::{LogRow, NewInstance, Rewrite, Snapshot, Timestamp};

use crate::history::{self, Step};

/// The kind of the first row of such an instance.
pub const IMPORTED: &str = "imported";

/// What was read of an instance elsewhere.
pub struct Original {
    pub instance_id: Uuid,
    pub snapshot: Option<Snapshot>,
    /// All that is kept.
    pub log: Vec<LogRow>,
}

/// The copy, with its first state; or why there can't be one. Of an instance that has finished it stands before the last step: from its end
/// nothing could go on.
pub fn copy(
    original: &Original,
    lowered: Arc<Lowered>,
    limits: &Limits,
    new: NewInstance,
    now: Timestamp,
) -> Result<Rewrite, String> {
    let Original { instance_id: from, snapshot, log } = original;
    let after = snapshot.as_ref().map_or(0, |snapshot| snapshot.seq);
    let later: Vec<LogRow> = log.iter().filter(|row| row.seq > after).cloned().collect();
    let mut instance = history::fold(*from, lowered.clone(), limits, snapshot.as_ref(), &later)?;
    if instance.ending().is_some() {
        let is_step = |row: &&LogRow| matches!(row.kind.as_ref(), "settled" | "fragment" | "deadline" | "signal");
        let step = log.iter().rev().find(is_step).map_or(Step::First, |row| Step::Event(row.seq));
        let rewound = history::rewind(*from, lowered.clone(), limits, snapshot.as_ref(), log, step, now);
        let rewound = rewound.map_err(|problem| problem.to_string())?;
        instance = Instance::restore(&rewound.snapshot, lowered).map_err(|error| error.to_string())?;
    }
    instance.copy_to(new.instance_id.as_u128(), now.0);
    Ok(Rewrite {
        instance_id: new.instance_id,
        start: Some(Box::new(new)),
        expected_seq: 0,
        was_live: true,
        log: LogRow {
            seq: instance.seq() as i64,
            kind: IMPORTED.into(),
            execution_id: None,
            attempt: None,
            outcome: Vec::new(),
            happened_at: now,
            started_at: None,
            worker: None,
            digest: instance.digest(),
        },
        snapshot: instance.snapshot(),
        workflow_version_id: None,
        inputs: None,
        deadline_at: None,
        mail: Vec::new(),
        is_paused: true,
    })
}
