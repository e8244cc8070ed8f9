//! One instance, and what it has handed out.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use prost::Message;
use uuid::Uuid;
use waymark_engine::{Job, JobOutcome, Work, child_instance_id};
use waymark_ir::{Value, payload};
use waymark_proto::runner::effect::Effect as Wire;
use waymark_proto::runner::finished::Ending as WireEnding;
use waymark_proto::runner::reply::Outcome as ReplyOutcome;
use waymark_proto::runner::{
    Child, Effect as WireEffect, Finished, Frame, Log, Moved, NamedValue, Position, Reply, Seen, Signal, SignalChild,
};
use waymark_proto::worker::Settled;
use waymark_runner::instance::Waits;
use waymark_runner::simulate::saved_and_restored;
use waymark_runner::{Dispatch, Effect, Ending, Event, Instance, Limits, Lowered, Outcome};
use waymark_server::pool::{Options as PoolOptions, call};

/// Why an event was not taken.
pub enum Problem {
    Misuse(String),
    Bug(String),
}

pub struct Held {
    id: Uuid,
    /// None: a bug has ended it.
    instance: Option<Instance>,
    lowered: Arc<Lowered>,
    workflow_name: Arc<str>,
    resumes: bool,
    events: usize,
    out: BTreeMap<u64, Out>,
    payload_bytes_max: usize,
}

/// A call or child that has not been settled.
struct Out {
    ordinal: u64,
    attempt: u32,
    /// None: a child.
    work: Option<Work>,
    is_stopping: bool,
}

impl Held {
    pub fn new(id: Uuid, lowered: Arc<Lowered>, resumes: bool) -> Held {
        Held {
            id,
            instance: Some(Instance::new(id.as_u128(), lowered.clone(), Limits::default())),
            workflow_name: lowered.program.name.as_str().into(),
            lowered,
            resumes,
            events: 0,
            out: BTreeMap::new(),
            payload_bytes_max: PoolOptions::default().payload_bytes_max,
        }
    }

    pub fn has_ended(&self) -> bool {
        self.instance.as_ref().is_none_or(|instance| instance.ending().is_some())
    }

    /// Applies an event and tells what it led to. What can't be sent to a worker has failed at once, as a pool would say.
    pub fn apply(&mut self, now_us: i64, event: Event, next_call: &mut u64) -> Result<Moved, Problem> {
        let mut moved = Moved::default();
        let mut events = VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            // One that failed at once may have been the last thing that the instance did.
            if self.has_ended() {
                break;
            }
            for effect in self.step(now_us, event)? {
                moved.effects.extend(self.hand_out(effect, next_call, &mut events));
            }
        }
        moved.deadline_us = self.instance.as_ref().and_then(Instance::next_deadline);
        Ok(moved)
    }

    fn step(&mut self, now_us: i64, event: Event) -> Result<Vec<Effect>, Problem> {
        let gone = || Problem::Misuse("the instance was ended by a bug".into());
        let mut instance = self.instance.take().ok_or_else(gone)?;
        self.events += 1;
        let event = match self.resumes {
            true => Event::decode(&event.encode()).map_err(|error| Problem::Bug(error.to_string()))?,
            false => event,
        };
        let applied = instance.apply(now_us, event);
        let mut effects = match applied {
            Ok(effects) => effects,
            Err(error) => {
                self.instance = Some(instance);
                return Err(Problem::Misuse(error.to_string()));
            }
        };
        while instance.has_work() {
            effects.extend(instance.proceed());
        }
        self.instance = Some(instance);
        if self.resumes {
            self.restore()?;
        }
        Ok(effects)
    }

    /// Goes on with what a snapshot holds.
    pub fn restore(&mut self) -> Result<(), Problem> {
        if let Some(instance) = self.instance.take() {
            let restored = saved_and_restored(self.events, &self.lowered, instance);
            self.instance = Some(restored.map_err(|error| Problem::Bug(error.to_string()))?);
        }
        Ok(())
    }

    fn hand_out(&mut self, effect: Effect, next_call: &mut u64, events: &mut VecDeque<Event>) -> Option<WireEffect> {
        let mut call_id = || {
            *next_call += 1;
            *next_call
        };
        let wire = match effect {
            Effect::Dispatch(dispatch) => self.call(call_id(), Work::Action(dispatch), events)?,
            Effect::DispatchFragment(dispatch) => self.call(call_id(), Work::Fragment(dispatch), events)?,
            Effect::StartChild(dispatch) => self.child(call_id(), &dispatch, events)?,
            Effect::CancelAttempt { ordinal, attempt } | Effect::CancelChild { ordinal, attempt, .. } => {
                let mut wanted =
                    self.out.iter_mut().filter(|(_, out)| (out.ordinal, out.attempt) == (ordinal, attempt));
                let (call_id, out) = wanted.next()?;
                out.is_stopping = true;
                Wire::Cancel(*call_id)
            }
            Effect::Log(line) => Wire::Log(Log { level: line.level.to_string(), text: line.text }),
            Effect::Finish(ending) => Wire::Finished(Finished { published: self.published(), ..finished(&ending) }),
            Effect::SignalChild { ordinal, attempt, name, payload, id, .. } => {
                let mut wanted = self.out.iter().filter(|(_, out)| (out.ordinal, out.attempt) == (ordinal, attempt));
                let (call_id, _) = wanted.next()?;
                let signal = Signal { name: name.to_string(), payload: payload::encode(&payload), id };
                Wire::SignalChild(SignalChild { call_id: *call_id, signal: Some(signal) })
            }
            Effect::Reply { update_id, outcome } => Wire::Reply(Reply {
                update_id,
                outcome: Some(match outcome {
                    waymark_runner::Reply::Value(value) => ReplyOutcome::Value(payload::encode(&value)),
                    waymark_runner::Reply::Error(error) => {
                        ReplyOutcome::Error(payload::encode(&Value::Exception(Box::new(error))))
                    }
                }),
            }),
        };
        Some(WireEffect { effect: Some(wire) })
    }

    fn call(&mut self, call_id: u64, work: Work, events: &mut VecDeque<Event>) -> Option<Wire> {
        let job = Job { instance_id: self.id, workflow_name: self.workflow_name.clone(), work };
        let (ordinal, attempt) = (job.execution().ordinal, job.attempt());
        match call::encode(call_id, &job, self.payload_bytes_max) {
            Ok((call, _)) => {
                self.out.insert(call_id, Out { ordinal, attempt, work: Some(job.work), is_stopping: false });
                Some(Wire::Call(call.encode_to_vec()))
            }
            Err(exception) => {
                events.push_back(event(ordinal, attempt, call::failed(&job.work, *exception)));
                None
            }
        }
    }

    fn child(&mut self, call_id: u64, dispatch: &Dispatch, events: &mut VecDeque<Event>) -> Option<Wire> {
        let (ordinal, attempt) = (dispatch.execution.ordinal, dispatch.attempt);
        if !dispatch.positional.is_empty() {
            // As an engine would say.
            let text = format!("workflow {} takes its inputs by name", dispatch.name);
            let exception = waymark_ir::exceptions::exception("RuntimeError", vec![Value::Str(text)]);
            events.push_back(Event::Settled { ordinal, attempt, outcome: Outcome::Failed(exception) });
            return None;
        }
        self.out.insert(call_id, Out { ordinal, attempt, work: None, is_stopping: false });
        Some(Wire::Child(Child {
            call_id,
            workflow_name: dispatch.name.to_string(),
            instance_id: child_instance_id(dispatch.execution, attempt).as_bytes().to_vec(),
            inputs: payload::encode_named(dispatch.keyword.iter().map(|(name, value)| (&**name, value))),
            execution_id: dispatch.execution.to_string(),
            attempt,
            id: dispatch.child.as_ref().and_then(|child| child.id.as_deref()).unwrap_or_default().to_string(),
            start_at_us: dispatch.child.as_ref().and_then(|child| child.start_at_us),
        }))
    }

    /// What a settled call means to the instance.
    pub fn settled(&mut self, bytes: &[u8]) -> Result<Event, Problem> {
        let settled =
            Settled::decode(bytes).map_err(|error| Problem::Misuse(format!("this is no outcome: {error}")))?;
        let call_id = settled.call_id;
        let unknown = || Problem::Misuse(format!("call {call_id} is not out"));
        let out = self.out.get(&call_id).ok_or_else(unknown)?;
        let answer = call::read(settled, self.payload_bytes_max);
        let outcome = match &out.work {
            Some(work) => call::outcome(work, answer, out.is_stopping).ok_or_else(|| {
                Problem::Misuse(format!("call {call_id} was not run: say why, nobody else will run it"))
            })?,
            None => JobOutcome::Action(match answer {
                call::Answer::Completed(Ok(value)) => Outcome::Completed(value),
                call::Answer::Failed(Ok(exception)) => Outcome::Failed(exception),
                call::Answer::Cancelled => Outcome::Cancelled,
                _ => return Err(Problem::Misuse(format!("call {call_id} is a child, and that is no end of one"))),
            }),
        };
        let event = event(out.ordinal, out.attempt, outcome);
        self.out.remove(&call_id);
        Ok(event)
    }

    fn published(&self) -> Vec<NamedValue> {
        let values = self.instance.iter().flat_map(Instance::published);
        values.map(|(name, value)| named(name, Ok(value.clone()))).collect()
    }

    pub fn look(&mut self, with_frames: bool) -> Seen {
        let published = self.published();
        let Some(instance) = &mut self.instance else { return Seen::default() };
        let frames = if with_frames { instance.frames() } else { Vec::new() };
        let frames = frames.into_iter().map(|frame| Frame {
            task: frame.task.to_string(),
            function: frame.function.to_string(),
            line: frame.line,
            variables: frame.variables.into_iter().map(|(name, value)| named(&name, value)).collect(),
        });
        let frames = frames.collect();
        let positions = instance.positions().into_iter().map(|position| Position {
            task: position.task.to_string(),
            function: position.function.to_string(),
            line: position.line,
            waits: waits(&position.waits),
        });
        let positions = positions.collect();
        Seen { awaits: instance.awaits().map(|awaited| awaited.to_string()).collect(), positions, published, frames }
    }
}

fn event(ordinal: u64, attempt: u32, outcome: JobOutcome) -> Event {
    match outcome {
        JobOutcome::Action(outcome) => Event::Settled { ordinal, attempt, outcome },
        // Whoever says so has a database, and this has none.
        JobOutcome::Stored => Event::Settled { ordinal, attempt, outcome: Outcome::Cancelled },
        JobOutcome::Fragment(outcome) => Event::FragmentSettled { ordinal, attempt, outcome },
    }
}

fn named(name: &str, value: Result<Value, String>) -> NamedValue {
    match value {
        Ok(value) => NamedValue { name: name.into(), value: Some(payload::encode(&value)), shown: String::new() },
        Err(shown) => NamedValue { name: name.into(), value: None, shown },
    }
}

fn finished(ending: &Ending) -> Finished {
    let exception =
        |exception: &waymark_ir::ExceptionValue| payload::encode(&Value::Exception(Box::new(exception.clone())));
    Finished {
        ending: Some(match ending {
            Ending::Completed(value) => WireEnding::Completed(payload::encode(value)),
            Ending::Failed(failed) | Ending::Terminated(failed) => WireEnding::Failed(exception(failed)),
            Ending::Cancelled(cancelled) => WireEnding::Cancelled(exception(cancelled)),
        }),
        published: Vec::new(),
    }
}

fn waits(waits: &Waits) -> String {
    match waits {
        Waits::Ready => "its turn".into(),
        Waits::Action { name, backing_off: true, .. } => format!("the next attempt of {name}"),
        Waits::Action { name, .. } => format!("action {name}"),
        Waits::Timer { .. } => "a timer".into(),
        Waits::Signal { name } => format!("signal {name}"),
        Waits::Future => "something that another task has to set".into(),
        Waits::Fragment { .. } => "a fragment of its code".into(),
    }
}
