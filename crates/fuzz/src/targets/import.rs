//! Exported instances, as a file brings them: a program, a log and a state, each as somebody may have written it.

use prost::Message;
use uuid::Uuid;
use waymark_engine::copy::{Original, copy};
use waymark_ir::{text, wire as program_wire};
use waymark_proto::bridge::{ExportedEvent, ExportedInstance, Instance as Shown, LoggedEvent};
use waymark_runner::{Instance, Lowered};
use waymark_store::{LogRow, NewInstance, Snapshot, Timestamp};

use super::{sample, snapshot};
use crate::Verdict;
use crate::guard::may_panic;

pub fn check(bytes: &[u8]) -> Verdict {
    let Ok(exported) = ExportedInstance::decode(bytes) else { return Verdict::Refused };
    let Ok(program) = program_wire::decode(&exported.program_proto) else { return Verdict::Refused };
    let Ok(lowered) = Lowered::new(program) else { return Verdict::Refused };
    let has_state = exported.state_seq.is_some();
    let original = Original {
        instance_id: Uuid::from_u128(1),
        snapshot: exported.state_seq.map(|seq| Snapshot { seq, state: exported.state }),
        log: exported.log.into_iter().map(row).collect(),
    };
    let limits = sample::limits();
    let new = NewInstance::new(Uuid::from_u128(2), Uuid::nil(), Vec::new());
    let copied = || copy(&original, lowered.clone(), &limits, new.clone(), Timestamp(1_000_000));
    // A state can be written that no program comes to: then folding it may fail, and the server says so. A log alone can't.
    let copied = match has_state {
        true => may_panic(copied),
        false => Some(copied()),
    };
    let Some(Ok(rewrite)) = copied else { return Verdict::Refused };
    let instance = Instance::restore(&rewrite.snapshot, lowered.clone()).expect("what is stored is restored");
    let mut instance = snapshot::check_saved(instance);
    match has_state {
        true => drop(may_panic(|| sample::move_on(&mut instance))),
        false => sample::move_on(&mut instance),
    }
    Verdict::Accepted
}

fn row(exported: ExportedEvent) -> LogRow {
    let shown = exported.shown.unwrap_or_default();
    LogRow {
        seq: shown.seq,
        kind: shown.kind.into(),
        execution_id: None,
        attempt: None,
        outcome: exported.event,
        happened_at: Timestamp(shown.happened_at_us),
        started_at: None,
        worker: None,
        digest: exported.digest,
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    let states = [None, Some(3), Some(9), Some(15)];
    let exported = |(end, state): (usize, Option<usize>)| {
        let stored = |at: usize| sample::steps()[at - 1].snapshot.clone();
        exported(end, state.map(|at| (at as i64, stored(at)))).encode_to_vec()
    };
    [4, 12, 20]
        .iter()
        .flat_map(|end| states.iter().map(|state| (*end, *state)))
        .filter(|(end, state)| state.is_none_or(|at| at <= *end))
        .map(exported)
        .collect()
}

/// The sample after so many steps, with this state.
pub fn exported(end: usize, state: Option<(i64, Vec<u8>)>) -> ExportedInstance {
    let steps = sample::steps().iter().take(end).enumerate();
    let log = steps.map(|(at, step)| ExportedEvent {
        shown: Some(LoggedEvent {
            seq: at as i64 + 1,
            kind: step.event.kind().into(),
            happened_at_us: step.at_us,
            ..LoggedEvent::default()
        }),
        event: step.event.encode(),
        digest: step.digest,
    });
    ExportedInstance {
        instance: Some(Shown {
            instance_id: Uuid::from_u128(1).as_bytes().to_vec(),
            workflow_name: "sample".into(),
            ..Shown::default()
        }),
        program_proto: program_wire::encode(&text::parse("test.ir", sample::SOURCE).program),
        log: log.collect(),
        state_seq: state.as_ref().map(|(seq, _)| *seq),
        state: state.map(|(_, state)| state).unwrap_or_default(),
        ..ExportedInstance::default()
    }
}
