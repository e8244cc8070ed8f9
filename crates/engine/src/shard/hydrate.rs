//! From what a claim brought to an instance in memory: snapshot, then the later log, folded. No user code runs.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use waymark_ir::payload;
use waymark_runner::{Event, Lowered};
use waymark_store::ClaimedInstance;

use super::Stuck;
use super::resident::{Batch, Resident, SinceSnapshot};
use crate::{Options, history};

pub(super) fn hydrate(
    options: &Options,
    lowered: Arc<Lowered>,
    ours_until_us: i64,
    claimed: &ClaimedInstance,
) -> Result<Resident, Stuck> {
    let id = claimed.lease.instance_id;
    let mut instance = history::fold(id, lowered, &options.limits, claimed.snapshot.as_ref(), &claimed.log)?;
    let since_snapshot = SinceSnapshot {
        bytes: claimed.log.iter().map(|row| row.outcome.len() + 64).sum(),
        events: claimed.log.len(),
        last_snapshot_bytes: claimed.snapshot.as_ref().map_or(0, |snapshot| snapshot.state.len()),
    };
    let shows_paused = instance.is_paused();
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
        resumed: FxHashSet::default(),
        starting: FxHashSet::default(),
        versions: FxHashMap::default(),
        resolving: false,
        routing: FxHashSet::default(),
        routed: FxHashSet::default(),
        offered: FxHashSet::default(),
        stored_by: FxHashMap::default(),
        shows_old: claimed.seq > 0,
        tells_waits: false,
        shows_paused,
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
