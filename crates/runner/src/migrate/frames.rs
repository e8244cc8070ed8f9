//! Frames: each to its place in the new function, its variables by name.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use waymark_ir::Value as Outside;

use super::flow::reads_unbound;
use super::place::Place;
use super::{Comparison, Mapping, Problem, ProblemKind};
use crate::exchange;
use crate::graph::Graph;
use crate::heap::{Activation, Coroutine, Frame, Id, Iterator, Object};
use crate::instance::Instance;
use crate::lower::{PRELUDE, REASON_EXIT};
use crate::machine::hand_over::After;
use crate::value::Value;

/// Who holds a frame.
#[derive(Clone, Copy, Debug)]
enum Holder {
    /// The task that is in the midst of a step.
    Running(usize),
    Task(Id, usize),
    /// A coroutine that has not started, or a generator.
    Object(Id),
}

/// A frame of the program as people see it.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameView {
    pub function: Arc<str>,
    pub line: u32,
    /// As far as they can be shown.
    pub variables: Vec<(Arc<str>, Outside)>,
}

/// What is left to do for a frame once the classes have moved too.
pub(super) struct Moved {
    holder: Holder,
    number: usize,
    /// In the old program, for messages.
    line: u32,
}

impl Instance {
    /// Every live frame of the program: those of tasks in the order of their creation, callers first, then the coroutines that
    /// nobody awaits yet and the generators. In the same order wherever the same state is read.
    pub fn movable_frames(&mut self) -> Vec<FrameView> {
        self.collect();
        let mut views = Vec::new();
        for holder in self.holders() {
            let Some(frame) = self.held(holder) else { continue };
            let (function, position, locals) = (frame.function, frame.position, frame.locals.clone());
            let graph = &self.lowered.clone().graphs[function as usize];
            let mut variables = Vec::new();
            for (slot, value) in locals.iter().enumerate().take(graph.variables as usize) {
                let value = self.content(value);
                if !value.is_unbound()
                    && let Ok(shown) = exchange::export(&mut self.cx, &value, "")
                {
                    variables.push((graph.slots[slot].clone(), shown));
                }
            }
            let line = graph.line_at(position.saturating_sub(1));
            views.push(FrameView { function: graph.qualified.clone(), line, variables });
        }
        views
    }

    /// Who holds frames of the program (those of the prelude are the same in every version).
    fn holders(&self) -> Vec<Holder> {
        let is_own =
            |activation: &Activation| matches!(activation, Activation::Frame(frame) if frame.function & PRELUDE == 0);
        let running = (0..self.stack.len()).filter(|at| is_own(&self.stack[*at])).map(Holder::Running);
        let mut all: Vec<Holder> = running.collect();
        let mut tasks: Vec<(u64, Id, Vec<usize>)> = Vec::new();
        let mut others = Vec::new();
        for id in self.cx.heap.ids() {
            match self.cx.heap.get(id) {
                Object::Future(future) => {
                    if let Some(task) = &future.task {
                        let own = (0..task.stack.len()).filter(|at| is_own(&task.stack[*at])).collect();
                        tasks.push((task.ordinal, id, own));
                    }
                }
                _ if self.held(Holder::Object(id)).is_some_and(|frame| frame.function & PRELUDE == 0) => {
                    others.push(Holder::Object(id));
                }
                _ => {}
            }
        }
        tasks.sort_by_key(|(ordinal, ..)| *ordinal);
        all.extend(tasks.into_iter().flat_map(|(_, id, own)| own.into_iter().map(move |at| Holder::Task(id, at))));
        all.extend(others);
        all
    }

    fn held(&self, holder: Holder) -> Option<&Frame> {
        let activation = match holder {
            Holder::Running(at) => self.stack.get(at),
            Holder::Task(id, at) => match self.cx.heap.get(id) {
                Object::Future(future) => future.task.as_ref().and_then(|task| task.stack.get(at)),
                _ => None,
            },
            Holder::Object(id) => {
                return match self.cx.heap.get(id) {
                    Object::Coroutine(coroutine) => match &**coroutine {
                        Coroutine::Function(frame) => Some(frame),
                        _ => None,
                    },
                    Object::Iterator(iterator) => match &**iterator {
                        Iterator::Generator(frame) | Iterator::AsyncGenerator(frame) => frame.as_deref(),
                        _ => None,
                    },
                    _ => None,
                };
            }
        };
        match activation {
            Some(Activation::Frame(frame)) => Some(frame),
            _ => None,
        }
    }

    fn held_mut(&mut self, holder: Holder) -> Option<&mut Frame> {
        let activation = match holder {
            Holder::Running(at) => self.stack.get_mut(at),
            Holder::Task(id, at) => match self.cx.heap.get_mut(id) {
                Object::Future(future) => future.task.as_mut().and_then(|task| task.stack.get_mut(at)),
                _ => None,
            },
            Holder::Object(id) => {
                return match self.cx.heap.get_mut(id) {
                    Object::Coroutine(coroutine) => match &mut **coroutine {
                        Coroutine::Function(frame) => Some(frame),
                        _ => None,
                    },
                    Object::Iterator(iterator) => match &mut **iterator {
                        Iterator::Generator(frame) | Iterator::AsyncGenerator(frame) => frame.as_deref_mut(),
                        _ => None,
                    },
                    _ => None,
                };
            }
        };
        match activation {
            Some(Activation::Frame(frame)) => Some(frame),
            _ => None,
        }
    }

    /// What a variable holds, through its cell if it has one.
    fn content(&self, value: &Value) -> Value {
        match value {
            Value::Ref(id) => match self.cx.heap.get(*id) {
                Object::Cell(inner) => inner.clone(),
                _ => value.clone(),
            },
            _ => value.clone(),
        }
    }

    /// How many places refer to each object.
    fn references(&mut self) -> FxHashMap<Id, usize> {
        let mut counts = FxHashMap::default();
        let mut count = |id: &mut Id| *counts.entry(*id).or_insert(0) += 1;
        self.trace(&mut count);
        self.cx.heap.objects_mut().for_each(|object| object.trace(&mut count));
        counts
    }
}

impl Comparison<'_> {
    /// Moves every frame, as far as it can be.
    pub(super) fn move_frames(
        &self,
        instance: &mut Instance,
        mapping: &Mapping,
        problems: &mut Vec<Problem>,
    ) -> Vec<Moved> {
        let counts = instance.references();
        let holders = instance.holders();
        let mut moved = Vec::new();
        for (number, holder) in holders.iter().copied().enumerate() {
            let is_before = matches!(holder, Holder::Running(at) if at + 1 == instance.stack.len());
            let Some(frame) = instance.held(holder) else { continue };
            let (function, position) = (frame.function, frame.position);
            let graph = &self.old.graphs[function as usize];
            let line = graph.line_at(position.saturating_sub(1));
            let here = |kind, reason: String, hint: &str| Problem::at(self.old, graph, line, kind, reason, hint);
            let Some(to) = self.functions.get(&function).copied() else {
                let reason = format!("{} is running, and the new code has no such function", graph.qualified);
                problems.push(here(ProblemKind::Function, reason, "keep the function until nobody runs it any more"));
                continue;
            };
            let made = &self.new.graphs[to as usize];
            if (graph.kind, graph.is_generator) != (made.kind, made.is_generator) {
                let reason = format!("{} is running, and is another kind of function in the new code", graph.qualified);
                problems.push(here(ProblemKind::Function, reason, "keep it as it was until nobody runs it any more"));
                continue;
            }
            let place = match self.place(function, position, is_before) {
                Ok(place) => place,
                Err(wrong) => {
                    let kind = ProblemKind::Position;
                    problems.push(Problem::at(self.old, graph, wrong.line, kind, wrong.reason, wrong.hint));
                    continue;
                }
            };
            let given = |name: &str| {
                let by_function = mapping.functions.get(&*made.qualified).is_some_and(|known| known.contains_key(name));
                by_function || mapping.frames.get(&number).is_some_and(|known| known.contains_key(name))
            };
            self.check_reads(instance, holder, &place, to, &given, problems);
            let locals = match self.locals(instance, holder, &place, to, &counts) {
                Ok(locals) => locals,
                Err(reason) => {
                    problems.push(here(ProblemKind::Position, reason, "let it go on on its version"));
                    continue;
                }
            };
            let is_handed_over = matches!(&instance.fragment, Some(fragment)
                if matches!(holder, Holder::Task(task, at) if task == fragment.task && is_top(instance, task, at)));
            if is_handed_over && let Some(fragment) = &mut instance.fragment {
                self.move_store(&mut fragment.after, function, to, &place);
            }
            if let Some(frame) = instance.held_mut(holder) {
                frame.function = to;
                frame.position = place.position;
                frame.locals = locals;
            }
            moved.push(Moved { holder, number, line });
        }
        self.check_mapping(mapping, holders.len(), problems);
        moved
    }

    /// That a variable which the new code reads was set, by the old code or by whoever migrates.
    fn check_reads(
        &self,
        instance: &Instance,
        holder: Holder,
        place: &Place,
        to: u32,
        given: &dyn Fn(&str) -> bool,
        problems: &mut Vec<Problem>,
    ) {
        let Some(frame) = instance.held(holder) else { return };
        let (old, new) = (&self.old.graphs[frame.function as usize], &self.new.graphs[to as usize]);
        let is_set = |slot: u32| !instance.content(&frame.locals[slot as usize]).is_unbound();
        let before: Vec<&Arc<str>> =
            reads_unbound(old, frame.position, is_set).keys().map(|slot| &old.slots[*slot as usize]).collect();
        let holds = |slot: u32| {
            let name = &new.slots[slot as usize];
            given(name) || has_default(new, slot, frame) || slot_of(old, name).is_some_and(is_set)
        };
        for (slot, line) in reads_unbound(new, place.position, holds) {
            let name = &new.slots[slot as usize];
            // The old code may read it before it is set as well: then that is how it is written.
            if before.contains(&name) {
                continue;
            }
            let at = old.line_at(frame.position.saturating_sub(1));
            let reason = format!("the new code reads {name} (line {line}), which the old code has not set here");
            let hint = format!("give a value for {name} of {} with the migration", new.qualified);
            let kind = ProblemKind::Variable(name.to_string());
            problems.push(Problem::at(self.old, old, at, kind, reason, &hint));
        }
    }

    /// The variables of a frame in the order of the new function.
    fn locals(
        &self,
        instance: &mut Instance,
        holder: Holder,
        place: &Place,
        to: u32,
        counts: &FxHashMap<Id, usize>,
    ) -> Result<Vec<Value>, String> {
        let Some(frame) = instance.held(holder) else { return Ok(Vec::new()) };
        let (function, held, is_fresh) = (frame.function, frame.locals.clone(), frame.position == 0);
        let (old, new) = (&self.old.graphs[function as usize], &self.new.graphs[to as usize]);
        let mut locals = vec![Value::Unbound; new.slots.len()];
        for slot in 0..new.variables {
            let name = &new.slots[slot as usize];
            let was = slot_of(old, name);
            let is_captured = |graph: &Graph, slot: u32| graph.captured.contains(&slot);
            if is_captured(new, slot) {
                // Its cell is another function's, which may be gone.
                let Some(was) = was.filter(|was| is_captured(old, *was)) else {
                    return Err(format!("the new code takes {name} from the function around it, the old one does not"));
                };
                locals[slot as usize] = held[was as usize].clone();
                continue;
            }
            if was.is_some_and(|was| is_captured(old, was)) {
                return Err(format!("the old code takes {name} from the function around it, the new one does not"));
            }
            let had_cell = was.is_some_and(|was| old.cells.contains(&was));
            let has_cell = new.cells.contains(&slot);
            let value = was.map_or(Value::Unbound, |was| held[was as usize].clone());
            let value = match &new.params.get(slot as usize).and_then(|param| param.default.as_ref()) {
                Some(default) if was.is_none() && is_fresh => {
                    exchange::import(&mut instance.cx, default).unwrap_or_default()
                }
                _ => value,
            };
            locals[slot as usize] = match (had_cell, has_cell) {
                (false, true) => Value::Ref(instance.cx.heap.add(Object::Cell(value))),
                (true, false) => {
                    let is_shared = value.reference().is_some_and(|id| counts.get(&id).is_some_and(|count| *count > 1));
                    if is_shared {
                        return Err(format!(
                            "{name} is shared with an inner function that is alive, and is not in the new code"
                        ));
                    }
                    instance.content(&value)
                }
                _ => value,
            };
        }
        for (left, right) in &place.slots {
            locals[*right as usize] = held[*left as usize].clone();
        }
        for (left, right) in &place.payloads {
            let Value::Int(reason) = held[*left as usize + 1] else { continue };
            if reason < REASON_EXIT {
                continue;
            }
            let Some(way) = self.way_out(function, (*left, *right), (reason - REASON_EXIT) as usize) else {
                return Err("it leaves a finally block in a way that the new code does not have".into());
            };
            locals[*right as usize + 1] = Value::Int(REASON_EXIT + way as i64);
        }
        Ok(locals)
    }

    /// A fragment whose result goes to a variable.
    fn move_store(&self, after: &mut After, function: u32, to: u32, place: &Place) {
        let After::Store(slot) = after else { return };
        let (old, new) = (&self.old.graphs[function as usize], &self.new.graphs[to as usize]);
        let hidden = place.slots.iter().find(|(left, _)| left == slot).map(|(_, right)| *right);
        if let Some(found) = hidden.or_else(|| slot_of(new, &old.slots[*slot as usize])) {
            *slot = found;
        }
    }

    /// That values were given for variables that there are.
    fn check_mapping(&self, mapping: &Mapping, frames: usize, problems: &mut Vec<Problem>) {
        let mut refuse = |function: &str, reason: String| {
            let problem =
                Problem { kind: ProblemKind::Mapping, function: function.into(), ..Problem::of_instance(reason) };
            problems.push(problem);
        };
        for (function, variables) in &mapping.functions {
            let Some(graph) = self.new.graphs.iter().find(|graph| *graph.qualified == **function) else {
                refuse(function, format!("values are given for {function}, which is no function of the new code"));
                continue;
            };
            for name in variables.keys().filter(|name| slot_of(graph, name).is_none()) {
                refuse(
                    function,
                    format!("a value is given for {name}, which is no variable of {function} in the new code"),
                );
            }
        }
        for number in mapping.frames.keys().filter(|number| **number >= frames) {
            refuse("", format!("values are given for frame {number}; the instance has {frames}"));
        }
    }

    /// Puts the values in that whoever migrates has given. The classes have moved by now.
    pub(super) fn give_values(
        &self,
        instance: &mut Instance,
        moved: &[Moved],
        mapping: &Mapping,
        problems: &mut Vec<Problem>,
    ) {
        for Moved { holder, number, line } in moved {
            let Some(frame) = instance.held(*holder) else { continue };
            let graph = &self.new.graphs[frame.function as usize];
            let by_function = mapping.functions.get(&*graph.qualified);
            let by_frame = mapping.frames.get(number);
            for (name, value) in by_function.into_iter().chain(by_frame).flatten() {
                let mut refuse = |reason: String| {
                    problems.push(Problem::at(self.new, graph, *line, ProblemKind::Mapping, reason, ""));
                };
                let Some(slot) = slot_of(graph, name) else {
                    refuse(format!("a value is given for {name}, which is no variable of {}", graph.qualified));
                    continue;
                };
                let Ok(value) = exchange::import(&mut instance.cx, value) else {
                    refuse(format!("the value that is given for {name} can't be taken"));
                    continue;
                };
                let is_cell = graph.cells.contains(&slot) || graph.captured.contains(&slot);
                let cell = instance.held(*holder).and_then(|frame| frame.locals[slot as usize].reference());
                match cell.filter(|_| is_cell) {
                    Some(cell) => *instance.cx.heap.get_mut(cell) = Object::Cell(value),
                    None => {
                        if let Some(frame) = instance.held_mut(*holder) {
                            frame.locals[slot as usize] = value;
                        }
                    }
                }
            }
        }
    }
}

fn is_top(instance: &Instance, task: Id, at: usize) -> bool {
    matches!(instance.cx.heap.get(task), Object::Future(future)
        if future.task.as_ref().is_some_and(|task| task.stack.len() == at + 1))
}

fn slot_of(graph: &Graph, name: &str) -> Option<u32> {
    graph.slots[..graph.variables as usize].iter().position(|known| &**known == name).map(|at| at as u32)
}

/// Whether a parameter that is new to a function which has not begun has a value of its own.
fn has_default(graph: &Graph, slot: u32, frame: &Frame) -> bool {
    frame.position == 0 && graph.params.get(slot as usize).is_some_and(|param| param.default.is_some())
}
