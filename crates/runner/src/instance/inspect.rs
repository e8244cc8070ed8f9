//! Looking at an instance without moving it: where its tasks stand, what they wait for, their variables.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use waymark_ir::Value as Outside;

use super::{Instance, Phase};
use crate::asyncio::Timer;
use crate::exchange;
use crate::heap::{Activation, Id, Object, Waiting};
use crate::lower::PRELUDE;
use crate::machine;
use crate::value::Value;

/// Where one task stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    pub task: Arc<str>,
    /// Innermost function of the program on the task's stack, its node and line.
    pub function: Arc<str>,
    pub node: u32,
    pub line: u32,
    pub waits: Waits,
}

/// A call in progress, as a debugger shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveFrame {
    pub task: Arc<str>,
    pub function: Arc<str>,
    pub line: u32,
    /// Those that can't be shown are told by their class.
    pub variables: Vec<(Arc<str>, Result<Outside, String>)>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Waits {
    Ready,
    Action {
        ordinal: u64,
        attempt: u32,
        name: Arc<str>,
        backing_off: bool,
    },
    Timer {
        deadline_us: i64,
    },
    /// The next signal of this name.
    Signal {
        name: Arc<str>,
    },
    /// Another task, a gather, a future that the program sets.
    Future,
    Fragment {
        ordinal: u64,
    },
}

/// Something from outside that may move an instance.
#[derive(Clone, Debug, PartialEq)]
pub enum Awaited {
    Paused,
    Fragment {
        ordinal: u64,
        attempt: u32,
    },
    Signal {
        name: Arc<str>,
    },
    Action {
        ordinal: u64,
        attempt: u32,
        name: Arc<str>,
        queue: Option<Arc<str>>,
    },
    /// The next attempt of an action or a child workflow.
    Retry {
        name: Arc<str>,
        at_us: i64,
    },
    Child {
        name: Arc<str>,
    },
    Sleep {
        until_us: i64,
    },
    /// A timeout, or a call that the program scheduled.
    Timeout {
        at_us: i64,
    },
}

impl std::fmt::Display for Awaited {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let time = |at_us: &i64| match jiff::Timestamp::from_microsecond(*at_us) {
            Ok(time) => format!("{time:.0}"),
            Err(_) => "the end of time".into(),
        };
        match self {
            Awaited::Paused => write!(out, "paused"),
            Awaited::Fragment { .. } => write!(out, "a fragment of its code"),
            Awaited::Signal { name } => write!(out, "{}", super::signals::shown(name)),
            Awaited::Action { name, .. } => write!(out, "action {name}"),
            Awaited::Retry { name, at_us } => write!(out, "retry of {name} at {}", time(at_us)),
            Awaited::Child { name } => write!(out, "child workflow {name}"),
            Awaited::Sleep { until_us } => write!(out, "sleep until {}", time(until_us)),
            Awaited::Timeout { at_us } => write!(out, "timeout at {}", time(at_us)),
        }
    }
}

impl Instance {
    /// What it waits for, found as far as the caller goes on: an instance with a hundred thousand timers costs no more than one.
    pub fn awaits(&self) -> impl Iterator<Item = Awaited> {
        let is_open = |id: &&Id| matches!(self.cx.heap.get(**id), Object::Future(future) if !future.is_done());
        let signals = self.signals.iter().flat_map(move |(name, queue)| {
            queue.waiting.iter().filter(is_open).map(|_| Awaited::Signal { name: name.clone() })
        });
        let executions = self.executions.iter().map(|(ordinal, execution)| {
            let name = execution.call.name.clone();
            match (execution.phase, execution.timer) {
                (Phase::BackingOff, Some((at_us, _))) => Awaited::Retry { name, at_us },
                _ if execution.is_workflow => Awaited::Child { name },
                _ => {
                    let queue = execution.call.queue.clone();
                    Awaited::Action { ordinal: *ordinal, attempt: execution.attempt, name, queue }
                }
            }
        });
        let timers = self.timers.iter().filter_map(|((at_us, _), timer)| match timer {
            Timer::Sleep(_) => Some(Awaited::Sleep { until_us: *at_us }),
            Timer::Call { .. } => Some(Awaited::Timeout { at_us: *at_us }),
            // Told with their executions; or it is nothing that it waits for.
            Timer::Retry(_)
            | Timer::Timeout { .. }
            | Timer::Grace { .. }
            | Timer::Deadline
            | Timer::Terminate { .. } => None,
        });
        let paused = self.paused.then_some(Awaited::Paused);
        let fragment = self
            .fragment
            .as_ref()
            .map(|fragment| Awaited::Fragment { ordinal: fragment.ordinal, attempt: fragment.dispatch.attempt });
        paused.into_iter().chain(fragment).chain(signals).chain(executions).chain(timers)
    }

    /// All tasks that have not ended, in order of creation.
    pub fn positions(&self) -> Vec<Position> {
        let signals: FxHashMap<Id, &Arc<str>> =
            self.signals.iter().flat_map(|(name, queue)| queue.waiting.iter().map(move |id| (*id, name))).collect();
        let tasks = self.tasks.values().filter_map(|id| match self.cx.heap.get(*id) {
            Object::Future(future) => future.task.as_deref(),
            _ => None,
        });
        let positions = tasks.map(|task| {
            let waits = match &task.waiting {
                Waiting::Nothing => Waits::Ready,
                Waiting::Future(future) => match signals.get(future) {
                    Some(name) => Waits::Signal { name: (*name).clone() },
                    None => Waits::Future,
                },
                Waiting::Timer { deadline_us, .. } => Waits::Timer { deadline_us: *deadline_us },
                Waiting::Fragment(ordinal) => Waits::Fragment { ordinal: *ordinal },
                Waiting::Execution(ordinal) => match self.executions.get(ordinal) {
                    Some(execution) => Waits::Action {
                        ordinal: *ordinal,
                        attempt: execution.attempt,
                        name: execution.call.name.clone(),
                        backing_off: execution.phase == Phase::BackingOff,
                    },
                    None => Waits::Ready,
                },
            };
            let frame = task.stack.iter().rev().find_map(|activation| match activation {
                Activation::Frame(frame) if frame.function & PRELUDE == 0 => Some(frame),
                _ => None,
            });
            let (function, node, line) = match frame {
                Some(frame) => {
                    let graph = machine::graph(&self.lowered, frame.function);
                    let at = frame.position.saturating_sub(1);
                    (graph.name.clone(), graph.node_at(at), graph.line_at(at))
                }
                None => ("".into(), 0, 0),
            };
            Position { task: task.name.clone(), function, node, line, waits }
        });
        positions.collect()
    }

    /// The variables of the entry function, as far as they can be shown.
    pub fn variables(&mut self) -> Vec<(Arc<str>, Outside)> {
        let Some(main) = self.main else { return Vec::new() };
        let first = self.frames_of(main).into_iter().next();
        let variables = first.map(|frame| frame.variables).unwrap_or_default();
        variables.into_iter().filter_map(|(name, value)| Some((name, value.ok()?))).collect()
    }

    /// The calls in progress of all tasks, in order of the tasks' creation, the outermost first.
    pub fn frames(&mut self) -> Vec<LiveFrame> {
        let tasks: Vec<Id> = self.tasks.values().copied().collect();
        tasks.into_iter().flat_map(|task| self.frames_of(task)).collect()
    }

    fn frames_of(&mut self, task: Id) -> Vec<LiveFrame> {
        type Held = (Arc<str>, Arc<str>, u32, Vec<(Arc<str>, Value)>);
        let mut held: Vec<Held> = Vec::new();
        if let Object::Future(future) = self.cx.heap.get(task)
            && let Some(task) = &future.task
        {
            for activation in &task.stack {
                let Activation::Frame(frame) = activation else { continue };
                if frame.function & PRELUDE != 0 {
                    continue;
                }
                let graph = machine::graph(&self.lowered, frame.function);
                let named = graph.slots.iter().cloned().zip(frame.locals.iter().cloned());
                let shown = named.filter(|(name, value)| !name.starts_with('.') && !value.is_unbound());
                let line = graph.line_at(frame.position.saturating_sub(1));
                held.push((task.name.clone(), graph.name.clone(), line, shown.collect()));
            }
        }
        let frames = held.into_iter().map(|(task, function, line, named)| {
            let variables = named.into_iter().filter_map(|(name, value)| Some((name, self.shown(value)?)));
            LiveFrame { task, function, line, variables: variables.collect() }
        });
        frames.collect()
    }

    /// None: a variable without a value.
    fn shown(&mut self, value: Value) -> Option<Result<Outside, String>> {
        let value = match &value {
            Value::Ref(id) => match self.cx.heap.get(*id) {
                Object::Cell(inner) => inner.clone(),
                _ => value,
            },
            _ => value,
        };
        if value.is_unbound() {
            return None;
        }
        let exported = exchange::export(&mut self.cx, &value, "");
        Some(exported.map_err(|_| format!("<{}>", self.cx.type_name(&value))))
    }
}
