//! One of everything that a state can hold, and how it comes about.

use std::sync::{Arc, LazyLock};

use waymark_ir::Value;
use waymark_runner::instance::Shape;
use waymark_runner::simulate::lower;
use waymark_runner::{Effect, Event, FragmentOutcome, Instance, Limits, Lowered, Outcome};

/// The program of all states here.
pub const SOURCE: &str = include_str!("sample.ir");

/// Small, so that a loop without an end costs little.
pub fn limits() -> Limits {
    Limits { steps_max: 3_000, value_bytes_max: 1 << 16, depth_max: 40, heap_bytes_max: 1 << 22, spread_max: 100 }
}

pub fn lowered() -> Arc<Lowered> {
    static LOWERED: LazyLock<Arc<Lowered>> = LazyLock::new(|| lower(SOURCE).expect("the sample lowers"));
    LOWERED.clone()
}

pub fn fresh() -> Instance {
    Instance::new(1, lowered(), limits())
}

/// What happened to the sample, when, and a snapshot after each.
pub struct Step {
    pub at_us: i64,
    pub event: Event,
    pub snapshot: Vec<u8>,
    pub digest: u64,
}

pub fn steps() -> &'static [Step] {
    static STEPS: LazyLock<Vec<Step>> = LazyLock::new(|| {
        let mut instance = fresh();
        let mut steps = Vec::new();
        let mut event = Event::Started { inputs: Vec::new() };
        for turn in 1..40 {
            let at_us = match event {
                Event::DeadlineReached => instance.next_deadline().unwrap_or(0).max(instance.now_us()),
                _ => instance.now_us() + 1_000,
            };
            instance.apply(at_us, event.clone()).expect("the sample runs");
            steps.push(Step { at_us, event, snapshot: instance.snapshot(), digest: instance.digest() });
            if instance.ending().is_some() {
                break;
            }
            event = next_event(&instance, turn);
        }
        assert!(steps.len() > 15, "the sample is too short: {:?}", instance.ending());
        steps
    });
    &STEPS
}

/// Settles the first of what is out, sometimes with a failure; else somebody says something, or time moves.
pub fn next_event(instance: &Instance, turn: usize) -> Event {
    let failure = || waymark_ir::exceptions::exception("ValueError", vec![Value::Int(1)]);
    for effect in instance.in_flight() {
        match effect {
            Effect::Dispatch(out) | Effect::StartChild(out) if turn % 3 == 1 => {
                let outcome = match turn.is_multiple_of(10) {
                    true => Outcome::Failed(failure()),
                    false => Outcome::Completed(Value::List(vec![Value::Int(1)])),
                };
                return Event::Settled { ordinal: out.execution.ordinal, attempt: out.attempt, outcome };
            }
            Effect::DispatchFragment(out) => {
                let objects = out.objects.iter().take(1).map(|object| (0, object.clone())).collect();
                let outcome = match turn.is_multiple_of(3) {
                    true => FragmentOutcome::Raised { exception: failure(), objects },
                    false => FragmentOutcome::Completed { value: Shape::Plain(Value::Int(7)), objects },
                };
                return Event::FragmentSettled { ordinal: out.execution.ordinal, attempt: out.attempt, outcome };
            }
            _ => {}
        }
    }
    match turn {
        5 => Event::Signal { name: "go".into(), payload: Value::str("now"), id: Some("one".into()) },
        8 => Event::Update { name: "price".into(), payload: Value::Int(3), id: "two".into() },
        11 => Event::Pause,
        12 => Event::Resume,
        14 => Event::Deadline { at_us: instance.now_us().saturating_add(3_600_000_000) },
        33 => Event::Cancel { reason: Some("enough".into()) },
        _ => Event::DeadlineReached,
    }
}

/// However odd, it can be moved on, asked and saved.
pub fn move_on(instance: &mut Instance) {
    for turn in 1..24 {
        if instance.ending().is_some() {
            break;
        }
        let event = match turn {
            20 => Event::Cancel { reason: None },
            22 => Event::TerminateAfter { after_us: 0, reason: None },
            _ => next_event(instance, turn),
        };
        let at_us = instance.next_deadline().unwrap_or(turn as i64);
        let _ = instance.apply(at_us, event);
        proceed(instance);
    }
    look_at(instance);
}

/// To the end of what an event made it do. Slices are the engine's to set: here there are none.
pub fn proceed(instance: &mut Instance) {
    instance.set_slice(u64::MAX);
    while instance.has_work() {
        instance.proceed();
    }
}

/// All that people can ask of an instance.
pub fn look_at(instance: &mut Instance) {
    let _ = (instance.awaits().count(), instance.positions(), instance.variables(), instance.frames());
    let _ = (instance.in_flight().len(), instance.next_deadline(), instance.digest());
}
