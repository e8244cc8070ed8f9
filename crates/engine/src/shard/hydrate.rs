//! From what a claim brought to an instance in memory: snapshot, then the later log, folded. No user code runs.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use waymark_ir::payload;
use waymark_runner::{Event, Instance, Lowered};
use waymark_store::ClaimedInstance;

use super::Stuck;
use super::resident::{Batch, Resident, SinceSnapshot};
use crate::Options;

pub(super) fn hydrate(
    options: &Options,
    lowered: Arc<Lowered>,
    ours_until_us: i64,
    claimed: &ClaimedInstance,
) -> Result<Resident, Stuck> {
    let mut since_snapshot = SinceSnapshot::default();
    let mut instance = match &claimed.snapshot {
        Some(snapshot) => {
            since_snapshot.last_snapshot_bytes = snapshot.state.len();
            let restored = Instance::restore(&snapshot.state, lowered).map_err(|error| error.to_string())?;
            if restored.seq() as i64 != snapshot.seq {
                return Err(format!("the snapshot is of event {}, not {}", restored.seq(), snapshot.seq));
            }
            restored
        }
        None => Instance::new(claimed.lease.instance_id.as_u128(), lowered, options.limits.clone()),
    };
    for row in &claimed.log {
        let event = Event::decode(&row.outcome).map_err(|error| format!("event {}: {error}", row.seq))?;
        instance.apply(row.happened_at.0, event).map_err(|error| format!("event {}: {error}", row.seq))?;
        if instance.seq() as i64 != row.seq || instance.digest() != row.digest {
            return Err(format!("event {} leads to another state than it did when it happened", row.seq));
        }
        since_snapshot.bytes += row.outcome.len() + 64;
        since_snapshot.events += 1;
    }
    if instance.seq() as i64 != claimed.seq {
        return Err(format!("the log ends at event {}, but {} were committed", instance.seq(), claimed.seq));
    }
    instance.set_slice(options.slice_steps);
    Ok(Resident {
        lease: claimed.lease,
        is_suspect: claimed.claims > options.suspect_claims,
        ours_until_us,
        due_us: claimed.scheduled_at.0,
        workflow_name: claimed.workflow_name.as_str().into(),
        parent: claimed.parent.clone(),
        instance,
        committed_seq: claimed.seq,
        wake_seq: claimed.wake_seq,
        taken: FxHashSet::default(),
        gone: Vec::new(),
        reads: 0,
        reads_again: false,
        is_dirty: false,
        waiting: VecDeque::new(),
        busy: None,
        pending: Batch::default(),
        submitted: None,
        running: FxHashSet::default(),
        starting: FxHashSet::default(),
        routing: FxHashSet::default(),
        routed: FxHashSet::default(),
        shows_old: claimed.seq > 0,
        tells_waits: false,
        since_snapshot,
        deadline_us: None,
    })
}

/// The first event: inputs are a dict by parameter name.
pub(super) fn first_event(inputs: &[u8]) -> Result<Event, Stuck> {
    let inputs = if inputs.is_empty() {
        Vec::new()
    } else {
        match payload::decode(inputs).map_err(|error| format!("the inputs can't be read: {error}"))? {
            waymark_ir::Value::Dict(entries) => entries,
            _ => return Err("the inputs are no dict".into()),
        }
    };
    let named = inputs.into_iter().map(|(name, value)| match name {
        waymark_ir::Value::Str(name) => Ok((name, value)),
        _ => Err("the name of an input is no string".to_string()),
    });
    Ok(Event::Started { inputs: named.collect::<Result<_, _>>()? })
}
