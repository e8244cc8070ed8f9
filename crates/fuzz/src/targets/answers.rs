//! What workers say of the calls that they hold, up to what becomes of the instance.

use std::sync::LazyLock;

use prost::Message;
use uuid::Uuid;
use waymark_engine::{Job, JobOutcome, Work};
use waymark_ir::{Value, payload};
use waymark_proto::worker::settled::Outcome as Wire;
use waymark_proto::worker::{FragmentResult, Settled, WorkerFrame};
use waymark_runner::instance::Shape;
use waymark_runner::{Effect, Event, Instance};
use waymark_server::pool::call;

use super::{sample, snapshot};
use crate::Verdict;

/// Payloads here are small.
const PAYLOAD_BYTES_MAX: usize = 32 << 10;

/// A state with an action in flight, and one with a fragment.
fn states() -> &'static [(Vec<u8>, Vec<Job>)] {
    static STATES: LazyLock<Vec<(Vec<u8>, Vec<Job>)>> = LazyLock::new(|| {
        let steps = sample::steps().iter();
        let states = steps.map(|step| (step.snapshot.clone(), jobs(&restored(&step.snapshot))));
        states.filter(|(_, jobs)| !jobs.is_empty()).take(4).collect()
    });
    &STATES
}

fn restored(state: &[u8]) -> Instance {
    Instance::restore(state, sample::lowered()).expect("a state")
}

/// What an instance waits for, as the pool is given it.
pub fn jobs(instance: &Instance) -> Vec<Job> {
    let job = |work| Job { instance_id: Uuid::from_u128(1), workflow_name: "sample".into(), work };
    let in_flight = instance.in_flight().into_iter();
    let work = in_flight.filter_map(|effect| match effect {
        Effect::Dispatch(action) => Some(Work::Action(action)),
        Effect::DispatchFragment(fragment) => Some(Work::Fragment(fragment)),
        _ => None,
    });
    work.map(job).collect()
}

pub fn check(bytes: &[u8]) -> Verdict {
    let Ok(frame) = WorkerFrame::decode(bytes) else { return Verdict::Refused };
    let mut verdict = Verdict::Refused;
    for (state, jobs) in states() {
        let mut instance = restored(state);
        for settled in &frame.settled {
            let job = &jobs[settled.call_id as usize % jobs.len()];
            let answer = call::read(settled.clone(), PAYLOAD_BYTES_MAX);
            let is_cancelling = settled.call_id > 1 << 32;
            let Some(event) = call::outcome(&job.work, answer, is_cancelling).and_then(|outcome| event(job, outcome))
            else {
                continue;
            };
            let bytes = event.encode();
            assert_eq!(Event::decode(&bytes).expect("what was written is read").encode(), bytes);
            if instance.apply(2_000_000, event).is_ok() {
                verdict = Verdict::Accepted;
            }
        }
        sample::move_on(&mut snapshot::check_saved(instance));
    }
    verdict
}

fn event(job: &Job, outcome: JobOutcome) -> Option<Event> {
    let (ordinal, attempt) = (job.execution().ordinal, job.attempt());
    match outcome {
        JobOutcome::Stored => None,
        JobOutcome::Action(outcome) => Some(Event::Settled { ordinal, attempt, outcome }),
        JobOutcome::Fragment(outcome) => Some(Event::FragmentSettled { ordinal, attempt, outcome }),
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    outcomes().into_iter().map(|outcome| frame(vec![settled(0, outcome)])).collect()
}

pub fn frame(settled: Vec<Settled>) -> Vec<u8> {
    WorkerFrame { settled, ..WorkerFrame::default() }.encode_to_vec()
}

pub fn settled(call_id: u64, outcome: Wire) -> Settled {
    Settled { call_id, outcome: Some(outcome) }
}

pub fn outcomes() -> Vec<Wire> {
    let failure = Value::Exception(Box::new(waymark_ir::exceptions::exception("ValueError", vec![Value::Int(1)])));
    let shapes = [
        Shape::Plain(Value::Int(7)),
        Shape::Object(0),
        Shape::List(vec![Shape::Object(1), Shape::Plain(Value::None)]),
        Shape::Dict(vec![(Shape::Plain(Value::str("k")), Shape::Object(0))]),
        Shape::Set(vec![Shape::Plain(Value::Int(1))]),
        Shape::Instance { type_name: "app:Money".into(), fields: vec![("amount".into(), Shape::Object(9))] },
        Shape::Tuple(vec![Shape::Object(2)]),
    ];
    let objects = |shape: &Shape| vec![(0_u32, shape.clone()), (1, shapes[2].clone()), (9, Shape::List(Vec::new()))];
    let fragment = |shape: &Shape| FragmentResult {
        value: written(shape),
        objects: written(&objects(shape)),
        ..FragmentResult::default()
    };
    let mut outcomes: Vec<Wire> = shapes.iter().map(|shape| Wire::Fragment(fragment(shape))).collect();
    outcomes.push(Wire::Fragment(FragmentResult { raised: Some(9), ..fragment(&shapes[0]) }));
    outcomes.push(Wire::Fragment(FragmentResult { failed: payload::encode(&failure).into(), ..fragment(&shapes[1]) }));
    outcomes.extend([&Value::Int(1), &failure].map(|value| Wire::Completed(payload::encode(value).into())));
    outcomes.push(Wire::Failed(payload::encode(&failure).into()));
    outcomes
}

fn written<T: serde::Serialize>(shapes: &T) -> prost::bytes::Bytes {
    rmp_serde::to_vec(shapes).expect("a shape can be written").into()
}
