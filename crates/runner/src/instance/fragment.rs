//! Fragments: source text that a worker evaluates over captured values. Objects go as one graph with numbers; what the
//! fragment changed comes back by those numbers and is put in place, so every alias sees it.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use waymark_ir::Value as Outside;

use super::{ExceptionShape, FragmentDispatch, FragmentOutcome, Instance, Shape};
use crate::context::{Context, Eval, Fault};
use crate::exchange;
use crate::heap::{Dict, Exception, Id, Instance as Record, Key, Object, Set, Waiting};
use crate::machine::hand_over::After;
use crate::python::compare;
use crate::types::TypeId;
use crate::value::Value;

/// A fragment that is out. Nothing else of the instance moves until it is settled.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PendingFragment {
    pub ordinal: u64,
    pub task: Id,
    pub dispatch: Arc<FragmentDispatch>,
    /// The captured objects, by number.
    pub objects: Vec<Id>,
    pub operands: usize,
    pub after: After,
}

impl Instance {
    pub(crate) fn dispatch_fragment(
        &mut self,
        source: Arc<str>,
        captures: Vec<(Arc<str>, Value)>,
        writes: Vec<Arc<str>>,
        operands: usize,
        after: After,
    ) -> Eval<u64> {
        let Some(task) = self.current else { return Err(Fault::Worker) };
        let mut capture = Capture { numbers: FxHashMap::default(), objects: Vec::new() };
        let mut shapes = Vec::new();
        for (name, value) in captures {
            let shape = capture.shape(&mut self.cx, &value)?;
            shapes.push((name, shape));
        }
        let mut objects = Vec::new();
        while objects.len() < capture.objects.len() {
            let id = capture.objects[objects.len()];
            objects.push(capture.object(&mut self.cx, id)?);
            self.cx.check_size(objects.len() * 16)?;
        }
        let ordinal = self.next_execution;
        self.next_execution += 1;
        self.mix(ordinal);
        let execution = self.execution_id(ordinal);
        let dispatch = Arc::new(FragmentDispatch { execution, attempt: 1, source, captures: shapes, objects, writes });
        self.effect(super::Effect::DispatchFragment(dispatch.clone()));
        self.fragment = Some(PendingFragment { ordinal, task, dispatch, objects: capture.objects, operands, after });
        Ok(ordinal)
    }

    pub(super) fn settle_fragment(&mut self, ordinal: u64, attempt: u32, outcome: FragmentOutcome) {
        if !self
            .fragment
            .as_ref()
            .is_some_and(|fragment| fragment.ordinal == ordinal && fragment.dispatch.attempt == attempt)
        {
            return;
        }
        let Some(fragment) = self.fragment.take() else { return };
        let result = match outcome {
            FragmentOutcome::Completed { value, objects } => self.write_back(&fragment.objects, &value, &objects),
            FragmentOutcome::Failed(exception) => {
                exchange::import_exception(&mut self.cx, &exception).and_then(|id| Err(Fault::Raise(id)))
            }
            FragmentOutcome::Raised { exception, objects } => self
                .write_back(&fragment.objects, &Shape::Plain(Outside::None), &objects)
                .and_then(|_| exchange::import_exception(&mut self.cx, &exception))
                .and_then(|id| Err(Fault::Raise(id))),
            FragmentOutcome::RaisedObject { number, objects } => {
                self.write_back(&fragment.objects, &Shape::Object(number), &objects).and_then(|raised| {
                    match raised.reference().filter(|id| matches!(self.cx.heap.get(*id), Object::Exception(_))) {
                        Some(id) => Err(Fault::Raise(id)),
                        None => Err(self.cx.type_error("the worker raised what is no exception")),
                    }
                })
            }
        };
        let task = fragment.task;
        let Some(state) = self.task_mut(task) else { return };
        state.waiting = Waiting::Nothing;
        self.stack = std::mem::take(&mut state.stack);
        self.current = Some(task);
        // The task is in the midst of a step, and goes on with it (unless paused) before anything else. A cancellation
        // that came meanwhile shows when it next waits, as for any code between two awaits.
        match result {
            Err(fault) => self.unwind(fault),
            Ok(value) => {
                if let Err(fault) = self.after_fragment(fragment.operands, fragment.after, value) {
                    self.unwind(fault);
                }
            }
        }
    }

    /// Puts what the fragment changed in place, and gives its value.
    fn write_back(&mut self, captured: &[Id], value: &Shape, changed: &[(u32, Shape)]) -> Eval {
        let cx = &mut self.cx;
        let mut ids: FxHashMap<u32, Value> =
            captured.iter().enumerate().map(|(at, id)| (at as u32, Value::Ref(*id))).collect();
        let mut changed: Vec<&(u32, Shape)> = changed.iter().collect();
        for at in (0..changed.len()).rev() {
            // Members of enumerations are what they were, and the same ones everywhere.
            if let (number, Shape::Instance { type_name, fields }) = changed[at]
                && let Some(known) = known_value(cx, type_name, fields)?
            {
                ids.insert(*number, known);
                changed.remove(at);
            }
        }
        for (number, _) in &changed {
            ids.entry(*number).or_insert_with(|| Value::Ref(cx.heap.add(Object::Cell(Value::None))));
        }
        // What keys of dicts and sets are made of comes first, inner ones (they have higher numbers) before outer ones.
        let rank = |number: u32, shape: &Shape| match shape {
            Shape::Tuple(_) => 0,
            Shape::Instance { .. } if number as usize >= captured.len() => 1,
            Shape::FrozenSet(_) => 2,
            _ => 3,
        };
        changed.sort_by_key(|(number, shape)| (rank(*number, shape), std::cmp::Reverse(*number)));
        let mut made = Vec::new();
        for (number, shape) in changed {
            let Value::Ref(id) = ids[number] else { continue };
            let object = build(cx, shape, &ids)?;
            if *number as usize >= captured.len() {
                *cx.heap.get_mut(id) = object;
            } else {
                made.push((id, object));
            }
        }
        // All of it could be read: only now is anything changed.
        cx.mutations += 1;
        for (id, object) in made {
            put(cx, id, object);
        }
        value_of(cx, value, &ids)
    }
}

/// What a group of exceptions keeps besides its arguments. Those may be changed; it may not.
const GROUP_PARTS: [&str; 2] = ["message", "exceptions"];

struct Capture {
    numbers: FxHashMap<Id, u32>,
    objects: Vec<Id>,
}

impl Capture {
    fn shape(&mut self, cx: &mut Context, value: &Value) -> Eval<Shape> {
        let Value::Ref(id) = value else {
            return exchange::export(cx, value, "a captured value").map(Shape::Plain);
        };
        match cx.heap.get(*id) {
            Object::List(_)
            | Object::Tuple(_)
            | Object::Dict(_)
            | Object::Set(_)
            | Object::Instance(_)
            | Object::Exception(_) => {
                let next = self.objects.len() as u32;
                let number = *self.numbers.entry(*id).or_insert(next);
                if number == next {
                    self.objects.push(*id);
                }
                Ok(Shape::Object(number))
            }
            Object::Range(range) => Ok(Shape::Plain(exchange::range_out(range))),
            _ => exchange::export(cx, value, "a captured value").map(Shape::Plain),
        }
    }

    fn shapes(&mut self, cx: &mut Context, values: &[Value]) -> Eval<Vec<Shape>> {
        values.iter().map(|value| self.shape(cx, value)).collect()
    }

    fn object(&mut self, cx: &mut Context, id: Id) -> Eval<Shape> {
        Ok(match cx.heap.get(id) {
            Object::List(list) => {
                let items = list.items.clone();
                Shape::List(self.shapes(cx, &items)?)
            }
            Object::Tuple(items) => {
                let items = items.to_vec();
                Shape::Tuple(self.shapes(cx, &items)?)
            }
            Object::Set(set) => {
                let (frozen, items): (bool, Vec<Value>) = (set.frozen, set.iter().cloned().collect());
                let items = self.shapes(cx, &items)?;
                if frozen { Shape::FrozenSet(items) } else { Shape::Set(items) }
            }
            Object::Dict(dict) => {
                let entries: Vec<(Value, Value)> = dict.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
                let mut out = Vec::with_capacity(entries.len());
                for (name, value) in entries {
                    out.push((self.shape(cx, &name)?, self.shape(cx, &value)?));
                }
                Shape::Dict(out)
            }
            // A lock or a queue comes along with what holds it. What it is made of is the instance's own.
            Object::Instance(instance) if cx.types.get(instance.class).name.starts_with("asyncio.") => {
                Shape::Instance { type_name: cx.types.get(instance.class).name.to_string(), fields: Vec::new() }
            }
            Object::Instance(instance) => {
                let type_name = cx.types.get(instance.class).name.to_string();
                let fields: Vec<(Value, Value)> = instance.fields.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
                Shape::Instance { type_name, fields: self.fields(cx, fields)? }
            }
            Object::Exception(_) => Shape::Exception(Box::new(self.exception(cx, id)?)),
            _ => Shape::Plain(Outside::None),
        })
    }

    fn fields(&mut self, cx: &mut Context, fields: Vec<(Value, Value)>) -> Eval<Vec<(String, Shape)>> {
        let mut out = Vec::with_capacity(fields.len());
        for (name, value) in fields {
            if let Value::Str(name) = name {
                out.push((name.to_string(), self.shape(cx, &value)?));
            }
        }
        Ok(out)
    }

    fn exception(&mut self, cx: &mut Context, id: Id) -> Eval<ExceptionShape> {
        let outside = exchange::exception_frame(cx, id);
        let Object::Exception(exception) = cx.heap.get(id) else { return Err(Fault::Worker) };
        let (args, cause, context) = (exception.args.clone(), exception.cause.clone(), exception.context.clone());
        let parts = GROUP_PARTS.iter().filter_map(|name| {
            let name: Arc<str> = (*name).into();
            exception.hidden.get(&Key::Str(name.clone())).map(|part| (Value::Str(name), part.clone()))
        });
        let fields: Vec<(Value, Value)> =
            exception.fields.iter().map(|(k, v)| (k.clone(), v.clone())).chain(parts).collect();
        let mut shapes = Vec::with_capacity(args.len());
        for arg in &args {
            // An argument that can't travel must not hide the exception itself.
            shapes.push(match exchange::described_if_stuck(cx, arg) {
                Some(text) => Shape::Plain(text),
                None => self.shape(cx, arg)?,
            });
        }
        let mut link = |value: Value| value.reference().map(|_| self.shape(cx, &value)).transpose();
        let (cause, context) = (link(cause)?, link(context)?);
        Ok(ExceptionShape {
            type_name: outside.type_name,
            bases: outside.bases,
            args: shapes,
            fields: self.fields(cx, fields)?,
            message: outside.message,
            cause,
            context,
            suppress_context: outside.suppress_context,
            notes: outside.notes,
            traceback: outside.traceback,
        })
    }
}

/// Puts what came back into the place of a captured object.
fn put(cx: &mut Context, id: Id, mut object: Object) {
    let place = cx.heap.get_mut(id);
    if let (Object::Exception(before), Object::Exception(after)) = (&mut *place, &mut object) {
        // These do not travel, but for what a group is made of.
        let travelled = std::mem::replace(&mut after.hidden, std::mem::take(&mut before.hidden));
        for (name, value) in travelled.iter() {
            if let Value::Str(text) = name {
                after.hidden.insert(Key::Str(text.clone()), name.clone(), value.clone());
            }
        }
    }
    *place = object;
}

fn value_of(cx: &mut Context, shape: &Shape, ids: &FxHashMap<u32, Value>) -> Eval {
    match shape {
        Shape::Plain(value) => exchange::import(cx, value),
        Shape::Object(number) => match ids.get(number) {
            Some(value) => Ok(value.clone()),
            None => Err(cx.value_error(format!("the worker's answer refers to object {number}, which is not in it"))),
        },
        other => {
            if let Shape::Instance { type_name, fields } = other
                && let Some(known) = known_value(cx, type_name, fields)?
            {
                return Ok(known);
            }
            let object = build(cx, other, ids)?;
            Ok(Value::Ref(cx.heap.add(object)))
        }
    }
}

/// A member of an enumeration, or what the runner has a form of its own for.
fn known_value(cx: &mut Context, type_name: &str, fields: &[(String, Shape)]) -> Eval<Option<Value>> {
    let plain = |wanted: &str| match fields.iter().find(|(name, _)| name == wanted) {
        Some((_, Shape::Plain(value))) => Some(value),
        _ => None,
    };
    if let Some(value) = exchange::standard(cx, type_name, plain) {
        return Ok(Some(value));
    }
    let class = cx.types.learn(type_name, &[]);
    match exchange::member_name(cx, class, plain) {
        Some(name) => exchange::member(cx, class, &name).map(Some),
        None => Ok(None),
    }
}

fn build(cx: &mut Context, shape: &Shape, ids: &FxHashMap<u32, Value>) -> Eval<Object> {
    let all = |cx: &mut Context, shapes: &[Shape]| -> Eval<Vec<Value>> {
        shapes.iter().map(|shape| value_of(cx, shape, ids)).collect()
    };
    Ok(match shape {
        Shape::List(items) => Object::list(all(cx, items)?),
        Shape::Tuple(items) => Object::Tuple(all(cx, items)?.into()),
        Shape::Set(items) | Shape::FrozenSet(items) => {
            let mut set = Set::new(matches!(shape, Shape::FrozenSet(_)));
            for item in all(cx, items)? {
                set.insert(compare::stored_key(cx, &item)?, item);
            }
            Object::Set(set)
        }
        Shape::Dict(entries) => {
            let mut dict = Dict::default();
            for (name, value) in entries {
                let (name, value) = (value_of(cx, name, ids)?, value_of(cx, value, ids)?);
                dict.insert(compare::stored_key(cx, &name)?, name, value);
            }
            Object::Dict(dict)
        }
        Shape::Instance { type_name, fields } => {
            let class = cx.types.learn(type_name, &[]);
            Object::Instance(Box::new(Record { class, fields: build_fields(cx, fields, ids)? }))
        }
        Shape::Exception(shape) => Object::Exception(Box::new(build_exception(cx, shape, ids)?)),
        Shape::Plain(_) | Shape::Object(_) => Object::Cell(value_of(cx, shape, ids)?),
    })
}

fn build_fields(cx: &mut Context, fields: &[(String, Shape)], ids: &FxHashMap<u32, Value>) -> Eval<Dict> {
    let mut dict = Dict::default();
    for (name, value) in fields {
        let name: Arc<str> = name.as_str().into();
        let value = value_of(cx, value, ids)?;
        dict.insert(Key::Str(name.clone()), Value::Str(name), value);
    }
    Ok(dict)
}

fn build_exception(cx: &mut Context, shape: &ExceptionShape, ids: &FxHashMap<u32, Value>) -> Eval<Exception> {
    let class = exchange::exception_class(cx, &shape.type_name, &shape.bases);
    let args = shape.args.iter().map(|arg| value_of(cx, arg, ids)).collect::<Eval<Vec<Value>>>()?;
    let mut exception = Exception::new(class, args);
    exception.fields = build_fields(cx, &shape.fields, ids)?;
    if cx.types.is_subtype(class, TypeId::BASE_EXCEPTION_GROUP) {
        for name in GROUP_PARTS {
            let key = Key::Str(name.into());
            if let Some((shown, part)) = exception.fields.remove(&key) {
                exception.hidden.insert(key, shown, part);
            }
        }
    }
    exception.message = shape.message.as_deref().map(Arc::from);
    exception.suppress_context = shape.suppress_context;
    exception.notes = shape.notes.iter().map(|note| note.as_str().into()).collect();
    exception.traceback = shape.traceback.iter().map(|line| line.as_str().into()).collect();
    for (link, slot) in [(&shape.cause, &mut exception.cause), (&shape.context, &mut exception.context)] {
        if let Some(link) = link {
            *slot = value_of(cx, link, ids)?;
        }
    }
    Ok(exception)
}
