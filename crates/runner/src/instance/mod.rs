//! One instance of a workflow: [`Instance::apply`] folds an event into it and tells what that made it do.

mod child;
mod event;
mod execution;
mod fragment;
mod inspect;
mod limits;
mod rewind;
mod signals;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use waymark_ir::Value as Outside;

pub use child::{LiveChild, child_instance_id};
pub use event::{
    ChildOptions, Dispatch, Effect, Ending, Event, EventError, ExceptionShape, ExecutionId, FragmentDispatch,
    FragmentOutcome, OnClose, Outcome, Reply, Shape,
};
pub(crate) use execution::{Execution, Phase};
pub(crate) use fragment::PendingFragment;
pub use inspect::{Awaited, LiveFrame, Position, Waits};
pub use rewind::{Limit, Rewind};
use signals::Heard;
pub(crate) use signals::Signals;

use crate::asyncio::{Ready, Timer};
use crate::context::{Context, Fault, Limits};
use crate::exchange;
use crate::graph::Lowered;
use crate::heap::{self, Activation, Id};
use crate::types::{TypeId, Types};
use crate::value::Value;

#[derive(Debug, Serialize, Deserialize)]
pub struct Instance {
    pub(crate) id: u128,
    #[serde(skip, default = "crate::snapshot::unattached")]
    pub(crate) lowered: Arc<Lowered>,
    pub(crate) cx: Context,

    // The loop: see `asyncio`.
    pub(crate) ready: VecDeque<Ready>,
    /// How many of `ready` belong to the current turn of the loop.
    pub(crate) turn_left: usize,
    /// By deadline, then by ordinal.
    pub(crate) timers: BTreeMap<(i64, u64), Timer>,
    /// Tasks that have not finished, by ordinal.
    pub(crate) tasks: BTreeMap<u64, Id>,
    pub(crate) main: Option<Id>,
    pub(crate) ending: Stage,
    pub(crate) signals: BTreeMap<Arc<str>, Signals>,

    // The machine: see `machine`.
    /// The frames of the task that runs.
    pub(crate) stack: Vec<Activation>,
    pub(crate) current: Option<Id>,
    /// What a generator returned, while its end is delivered.
    #[serde(skip, default)]
    pub(crate) returned: Value,
    /// How many activations the last call put on the stack.
    #[serde(skip)]
    pub(crate) pushed: usize,
    /// Constants with identity and functions as values, made when first used.
    pub(crate) shared: Vec<Value>,
    pub(crate) prelude_shared: Vec<Value>,

    pub(crate) executions: BTreeMap<u64, Execution>,
    /// While it is out, nothing else moves.
    pub(crate) fragment: Option<PendingFragment>,
    pub(crate) paused: bool,

    pub(crate) epoch: u32,
    pub(crate) next_execution: u64,
    pub(crate) next_timer: u64,
    pub(crate) next_task: u64,
    /// While closing: the tasks below this are waited for.
    pub(crate) close_before: u64,
    /// Events folded so far.
    pub(crate) seq: u64,
    pub(crate) digest: u64,
    #[serde(skip)]
    pub(crate) effects: Vec<Effect>,
    /// Steps after which an `apply` yields; not part of the state.
    #[serde(skip, default = "crate::snapshot::no_slice")]
    pub(crate) slice: u64,
    #[serde(skip, default = "crate::snapshot::no_slice")]
    pub(crate) slice_end: u64,
    /// The deadline of the instance has passed: since then it is cancelled.
    #[serde(default)]
    pub(crate) timed_out: Option<i64>,
    /// Ids of the signals that have come.
    #[serde(default)]
    pub(crate) heard: Heard,
    /// What the program shows of itself, by name; it outlives its end.
    #[serde(default, with = "crate::snapshot::outside_published")]
    pub(crate) published: BTreeMap<Arc<str>, Outside>,
    /// Counts signals to children.
    #[serde(default)]
    pub(crate) next_signal: u64,
}

/// How far an instance is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Stage {
    NotStarted,
    Running,
    /// The main task is done; the turn of the loop goes on to its end.
    MainDone,
    /// The tasks that were left have been cancelled and run their `finally` blocks.
    Closing,
    Finished(Box<Ending>),
}

/// A misuse of [`Instance::apply`] by its caller. The instance is unchanged.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ApplyError {
    #[error("the instance has finished")]
    Finished,
    #[error("the first event of an instance must be its start, and only the first")]
    StartOrder,
    #[error("the instance still has work to do: call `proceed` first")]
    NotIdle,
}

impl Instance {
    pub fn new(id: u128, lowered: Arc<Lowered>, limits: Limits) -> Instance {
        let seed = (id as u64) ^ ((id >> 64) as u64).rotate_left(32);
        let mut cx = Context::new(limits, seed);
        cx.types = Types::new(lowered.types.clone());
        Instance {
            id,
            shared: vec![Value::Unbound; lowered.pool.shared.len()],
            prelude_shared: Vec::new(),
            lowered,
            cx,
            ready: VecDeque::new(),
            turn_left: 0,
            timers: BTreeMap::new(),
            tasks: BTreeMap::new(),
            main: None,
            ending: Stage::NotStarted,
            signals: BTreeMap::new(),
            stack: Vec::new(),
            current: None,
            pushed: 0,
            returned: Value::None,
            executions: BTreeMap::new(),
            fragment: None,
            paused: false,
            epoch: 0,
            next_execution: 1,
            next_timer: 1,
            next_task: 1,
            close_before: 0,
            seq: 0,
            digest: 0,
            effects: Vec::new(),
            slice: u64::MAX,
            slice_end: u64::MAX,
            timed_out: None,
            heard: Heard::default(),
            published: BTreeMap::new(),
            next_signal: 0,
        }
    }

    /// Lets `apply` and `proceed` return after so many steps, with [`Instance::has_work`] still true.
    pub fn set_slice(&mut self, steps: u64) {
        self.slice = steps;
    }

    /// Folds an event that happened at `at_us` (microseconds since 1970). Event time never runs backwards.
    ///
    /// An outcome nobody waits for (a duplicate, one that came after its attempt was given up) changes nothing but `seq`.
    pub fn apply(&mut self, at_us: i64, event: Event) -> Result<Vec<Effect>, ApplyError> {
        if matches!(self.ending, Stage::Finished(_)) {
            return Err(ApplyError::Finished);
        }
        if matches!(event, Event::Started { .. }) != (self.ending == Stage::NotStarted) {
            return Err(ApplyError::StartOrder);
        }
        if self.has_work() {
            return Err(ApplyError::NotIdle);
        }
        self.seq += 1;
        self.cx.now_us = self.cx.now_us.max(at_us);
        self.cx.is_time_told = false;
        self.cx.steps = 0;
        self.cx.steps_allowed = self.cx.limits.steps_max;
        self.cx.exhausted = false;
        self.mix(self.seq);
        match event {
            Event::Started { inputs } => self.start(inputs),
            Event::Settled { ordinal, attempt, outcome } => self.settle(ordinal, attempt, outcome),
            Event::FragmentSettled { ordinal, attempt, outcome } => self.settle_fragment(ordinal, attempt, outcome),
            Event::DeadlineReached => {}
            Event::Signal { name, payload, id } => self.signal(&name, &payload, id.as_deref()),
            Event::Update { name, payload, id } => self.update(&name, payload, &id),
            Event::Cancel { reason } => self.cancel(reason),
            Event::Pause => self.paused = true,
            Event::Resume => self.paused = false,
            Event::Deadline { at_us } => self.limit(at_us),
            Event::TerminateAfter { after_us, reason } => self.terminate_after(after_us, reason.as_deref()),
        }
        Ok(self.proceed())
    }

    /// Goes on after an `apply` that used up its slice.
    pub fn proceed(&mut self) -> Vec<Effect> {
        self.slice_end = self.cx.steps.saturating_add(self.slice);
        self.run();
        self.effects.extend(self.cx.log.drain(..).map(Effect::Log));
        if self.cx.heap.wants_collection() {
            self.collect();
        }
        std::mem::take(&mut self.effects)
    }

    /// Whether something is ready to run: the last `apply` used up its slice.
    pub fn has_work(&self) -> bool {
        let is_due = || self.timers.keys().next().is_some_and(|(deadline, _)| *deadline <= self.cx.now_us);
        let is_closing = self.ending == Stage::MainDone;
        self.can_move() && (self.current.is_some() || !self.ready.is_empty() || is_closing || is_due())
    }

    /// Not finished, not paused, and no fragment is out.
    pub(crate) fn can_move(&self) -> bool {
        self.fragment.is_none() && !self.paused && !matches!(self.ending, Stage::Finished(_) | Stage::NotStarted)
    }

    /// When the instance wants an [`Event::DeadlineReached`], in microseconds since 1970.
    pub fn next_deadline(&self) -> Option<i64> {
        if !self.can_move() {
            return None;
        }
        self.timers.keys().next().map(|(deadline, _)| *deadline)
    }

    /// Whether the last event, folded at any other time, would have had the very same effects: the program did not look at a clock.
    pub fn is_timeless(&self) -> bool {
        !self.cx.is_time_told
    }

    pub fn has_started(&self) -> bool {
        self.ending != Stage::NotStarted
    }

    /// Its program is through; what it left behind may not be.
    pub fn is_closing(&self) -> bool {
        !matches!(self.ending, Stage::NotStarted | Stage::Running)
    }

    pub fn is_paused(&self) -> bool {
        self.paused
    }

    pub fn ending(&self) -> Option<&Ending> {
        match &self.ending {
            Stage::Finished(ending) => Some(ending),
            _ => None,
        }
    }

    /// Its program.
    pub fn lowered(&self) -> &Arc<Lowered> {
        &self.lowered
    }

    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// Event time: microseconds since 1970.
    pub fn now_us(&self) -> i64 {
        self.cx.now_us
    }

    /// Sums up the way the instance has taken: the same events fold to the same digest.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    pub(crate) fn mix(&mut self, value: u64) {
        self.digest = (self.digest.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn start(&mut self, inputs: Vec<(String, Outside)>) {
        self.ending = Stage::Running;
        let mut keyword = Vec::new();
        let mut problem = None;
        for (name, value) in inputs {
            match exchange::import(&mut self.cx, &value) {
                Ok(value) => keyword.push((Arc::from(name.as_str()), value)),
                Err(fault) => problem = Some(fault),
            }
        }
        let entry = self.lowered.entry;
        let frame = match problem {
            Some(fault) => Err(fault),
            None => self.bind_entry(entry, &keyword),
        };
        match frame {
            Ok(frame) => {
                let main = self.spawn_frame(frame);
                self.main = Some(main);
            }
            Err(fault) => {
                let exception = self.exception_of(fault);
                let ending = self.failure(exception);
                self.finish(ending);
            }
        }
    }

    /// Asks the main task to stop, as `task.cancel()` does. One that is paused goes on, to clear up.
    fn cancel(&mut self, reason: Option<String>) {
        self.paused = false;
        let message = reason.map_or(Value::None, Value::from);
        match (self.main, &self.ending) {
            (Some(main), Stage::Running) => {
                self.cancel_future(main, message);
            }
            // It waits for children.
            (_, Stage::Closing) => self.cancel_all_left(),
            _ => {}
        }
    }

    pub(crate) fn finish(&mut self, ending: Ending) {
        self.timers.clear();
        self.ready.clear();
        self.executions.clear();
        self.signals.clear();
        self.tasks.clear();
        self.effect(Effect::Finish(ending.clone()));
        self.ending = Stage::Finished(Box::new(ending));
    }

    /// Adds an effect behind what was printed before it.
    pub(crate) fn effect(&mut self, effect: Effect) {
        self.effects.extend(self.cx.log.drain(..).map(Effect::Log));
        self.effects.push(effect);
    }

    /// The ending that an exception makes.
    pub(crate) fn failure(&mut self, exception: Id) -> Ending {
        let cancelled = self.cx.types.is_subtype(self.cx.type_of(&Value::Ref(exception)), TypeId::CANCELLED_ERROR);
        let outside = match exchange::export(&mut self.cx, &Value::Ref(exception), "the exception") {
            Ok(Outside::Exception(outside)) => *outside,
            _ => waymark_ir::exceptions::exception("Exception", Vec::new()),
        };
        match self.timed_out {
            Some(deadline_us) if cancelled => Ending::Failed(self.too_late(deadline_us)),
            _ if cancelled => Ending::Cancelled(outside),
            _ => Ending::Failed(outside),
        }
    }

    /// The exception behind a fault that has no operation to hand over.
    pub(crate) fn exception_of(&mut self, fault: Fault) -> Id {
        match fault {
            Fault::Raise(id) => id,
            Fault::Worker => {
                let text = "this needs the class's own code, which only a worker can run, in a place where that is not possible";
                self.cx.exception(TypeId::UNSUPPORTED, vec![Value::from(text)])
            }
        }
    }

    /// Frees what nothing refers to any more.
    pub(crate) fn collect(&mut self) {
        let mut roots = Vec::new();
        self.trace(&mut |id| roots.push(*id));
        self.cx.heap.collect(roots);
    }

    /// Shows every value and class of the instance.
    pub(crate) fn visit(&mut self, visitor: &mut dyn heap::Visitor) {
        self.ready.iter_mut().for_each(|ready| ready.visit(visitor));
        self.timers.values_mut().for_each(|timer| timer.visit(visitor));
        self.signals.values_mut().flat_map(|queue| &mut queue.buffered).for_each(|value| visitor.value(value));
        self.stack.iter_mut().for_each(|activation| activation.visit(visitor));
        visitor.values(&mut self.shared);
        visitor.values(&mut self.prelude_shared);
        let members = std::mem::take(&mut self.cx.members).into_iter();
        self.cx.members = members
            .map(|((mut class, name), id)| {
                visitor.class(&mut class);
                ((class, name), id)
            })
            .collect();
        self.cx.heap.objects_mut().for_each(|object| object.visit(visitor));
    }

    /// Visits every reference that the instance holds outside its heap.
    pub(crate) fn trace(&mut self, visit: &mut dyn FnMut(&mut Id)) {
        self.ready.iter_mut().for_each(|ready| ready.trace(visit));
        self.timers.values_mut().for_each(|timer| timer.trace(visit));
        self.tasks.values_mut().for_each(&mut *visit);
        self.main.iter_mut().for_each(&mut *visit);
        for queue in self.signals.values_mut() {
            queue.buffered.iter_mut().for_each(|value| heap::trace_one(value, visit));
            queue.waiting.iter_mut().for_each(&mut *visit);
        }
        self.stack.iter_mut().for_each(|activation| activation.trace(visit));
        self.current.iter_mut().for_each(&mut *visit);
        heap::trace_all(&mut self.shared, visit);
        heap::trace_all(&mut self.prelude_shared, visit);
        self.cx.members.values_mut().for_each(&mut *visit);
        self.executions.values_mut().for_each(|execution| visit(&mut execution.task));
        if let Some(fragment) = &mut self.fragment {
            visit(&mut fragment.task);
            fragment.objects.iter_mut().for_each(visit);
        }
    }
}
