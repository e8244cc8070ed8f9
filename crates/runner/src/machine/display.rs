//! The instructions that make containers and strings.

use std::sync::Arc;

use waymark_ir::Conversion;

use super::Step;
use super::execute::{pop, replace, take, top, top_two};
use crate::context::{Eval, Fault};
use crate::graph::{Lowered, Op};
use crate::heap::{Activation, Dict, Object, Set};
use crate::instance::Instance;
use crate::python::{compare, format, iterate, repr};
use crate::value::Value;

impl Instance {
    pub(super) fn execute_display(&mut self, unit: &Lowered, op: Op) -> Eval<Step> {
        let Some(Activation::Frame(frame)) = self.stack.last_mut() else { return Ok(Step::Switch) };
        let cx = &mut self.cx;
        match op {
            Op::List(count) => {
                let items = take(frame, count as usize);
                let value = cx.list(items);
                frame.operands.push(value);
            }
            Op::Tuple(count) => {
                let items = take(frame, count as usize);
                let value = cx.tuple(items);
                frame.operands.push(value);
            }
            Op::Set(count) => {
                let mut set = Set::new(false);
                let from = frame.operands.len() - count as usize;
                for item in &frame.operands[from..] {
                    set.insert(compare::key_of(cx, item)?, item.clone());
                }
                frame.operands.truncate(from);
                frame.operands.push(Value::Ref(cx.heap.add(Object::Set(set))));
            }
            Op::Dict(count) => {
                let mut dict = Dict::default();
                let from = frame.operands.len() - 2 * count as usize;
                for pair in frame.operands[from..].chunks(2) {
                    dict.insert(compare::key_of(cx, &pair[0])?, pair[0].clone(), pair[1].clone());
                }
                frame.operands.truncate(from);
                frame.operands.push(Value::Ref(cx.heap.add(Object::Dict(dict))));
            }
            Op::Append(slot) => {
                let value = pop(frame);
                if let Value::Ref(id) = frame.locals[slot as usize]
                    && let Object::List(list) = cx.heap.get_mut(id)
                {
                    list.items.push(value);
                    let bytes = list.items.len() * 16;
                    if bytes > cx.limits.value_bytes_max {
                        cx.check_size(bytes)?;
                    }
                }
            }
            Op::Add(slot) => {
                let value = top(frame).clone();
                let key = compare::lookup_key(cx, &frame.locals[slot as usize], &value)?;
                frame.operands.pop();
                if let Value::Ref(id) = frame.locals[slot as usize]
                    && let Object::Set(set) = cx.heap.get_mut(id)
                {
                    set.insert(key, value);
                }
            }
            Op::Insert(slot) => {
                let [name, value] = top_two(frame);
                let (name, value) = (name.clone(), value.clone());
                let key = compare::lookup_key(cx, &frame.locals[slot as usize], &name)?;
                frame.operands.truncate(frame.operands.len() - 2);
                if let Value::Ref(id) = frame.locals[slot as usize]
                    && let Object::Dict(dict) = cx.heap.get_mut(id)
                {
                    dict.insert(key, name, value);
                }
            }
            Op::AppendTop => {
                let value = pop(frame);
                if let Value::Ref(id) = top(frame)
                    && let Object::List(list) = cx.heap.get_mut(*id)
                {
                    list.items.push(value);
                }
            }
            Op::AddTop => {
                let [target, value] = top_two(frame);
                let value = value.clone();
                let key = compare::lookup_key(cx, target, &value)?;
                frame.operands.pop();
                if let Value::Ref(id) = top(frame)
                    && let Object::Set(set) = cx.heap.get_mut(*id)
                {
                    set.insert(key, value);
                }
            }
            Op::InsertTop => {
                let [name, value] = top_two(frame);
                let (name, value) = (name.clone(), value.clone());
                let target = &frame.operands[frame.operands.len() - 3];
                let key = compare::lookup_key(cx, target, &name)?;
                frame.operands.truncate(frame.operands.len() - 2);
                if let Value::Ref(id) = top(frame)
                    && let Object::Dict(dict) = cx.heap.get_mut(*id)
                {
                    dict.insert(key, name, value);
                }
            }
            Op::ExtendTop | Op::ExtendArguments | Op::UpdateTop => {
                let source = top(frame).clone();
                if iterate::needs_machine(cx, &source) {
                    let at = frame.operands.len() - 1;
                    self.drain(at)?;
                    return Ok(Step::Switch);
                }
                let iterable = iterate::iter(cx, &source);
                if let (Err(Fault::Raise(_)), Op::ExtendTop | Op::ExtendArguments) = (&iterable, op) {
                    let name = cx.type_name(&source);
                    if op == Op::ExtendTop {
                        return Err(cx.type_error(format!("Value after * must be an iterable, not {name}")));
                    }
                    let callee = frame.operands[frame.operands.len() - 3].clone();
                    let callee = self.callee_name(&callee);
                    return Err(self
                        .cx
                        .type_error(format!("{callee} argument after * must be an iterable, not {name}")));
                }
                let items = iterate::collect(cx, &source)?;
                let mut keys = Vec::new();
                if op == Op::UpdateTop {
                    // What an iterator has given must not be lost when this is handed over.
                    let (at, list) = (frame.operands.len() - 1, cx.list(items.clone()));
                    frame.operands[at] = list;
                    let target = frame.operands[at - 1].clone();
                    for item in &items {
                        keys.push(compare::lookup_key(cx, &target, item)?);
                    }
                }
                frame.operands.pop();
                if let Value::Ref(id) = top(frame) {
                    match cx.heap.get_mut(*id) {
                        Object::List(list) => list.items.extend(items),
                        Object::Set(set) => keys.into_iter().zip(items).for_each(|(key, item)| {
                            set.insert(key, item);
                        }),
                        _ => {}
                    }
                }
            }
            Op::MergeTop { call } => self.merge_top(call)?,
            Op::ListToTuple => {
                if let Value::Ref(id) = pop(frame)
                    && let Object::List(list) = cx.heap.get_mut(id)
                {
                    let items = std::mem::take(&mut list.items);
                    let value = cx.tuple(items);
                    frame.operands.push(value);
                }
            }
            Op::Slice => {
                let parts: Vec<Value> = take(frame, 3);
                if let Ok(parts) = <[Value; 3]>::try_from(parts) {
                    let value = Value::Ref(cx.heap.add(Object::Slice(Box::new(parts))));
                    frame.operands.push(value);
                }
            }
            Op::Format { conversion, spec } => {
                let count = if spec { 2 } else { 1 };
                let from = frame.operands.len() - count;
                let value = frame.operands[from].clone();
                let spec: Arc<str> = match frame.operands.get(from + 1) {
                    Some(Value::Str(text)) if spec => text.clone(),
                    _ => "".into(),
                };
                let text = match conversion {
                    None => format::format(cx, &value, &spec)?,
                    Some(conversion) => {
                        let text = match conversion {
                            Conversion::Str => repr::display(cx, &value)?,
                            Conversion::Repr => repr::repr(cx, &value)?,
                            Conversion::Ascii => repr::ascii(cx, &value)?,
                        };
                        if spec.is_empty() { text } else { format::format(cx, &Value::from(text), &spec)? }
                    }
                };
                replace(frame, count, Value::from(text));
            }
            Op::Concat(count) => {
                let parts = take(frame, count as usize);
                let bytes = parts.iter().map(|part| if let Value::Str(text) = part { text.len() } else { 0 }).sum();
                cx.check_size(bytes)?;
                let mut text = String::with_capacity(bytes);
                for part in &parts {
                    if let Value::Str(part) = part {
                        text.push_str(part);
                    }
                }
                frame.operands.push(Value::from(text));
            }
            _ => return self.execute_handling(unit, op),
        }
        Ok(Step::Next)
    }

    /// `**mapping` into the dict under it.
    fn merge_top(&mut self, call: bool) -> Eval<()> {
        let Some(Activation::Frame(frame)) = self.stack.last_mut() else { return Ok(()) };
        let cx = &mut self.cx;
        let [target, mapping] = top_two(frame);
        let (target, mapping) = (target.clone(), mapping.clone());
        if compare::has_custom_keys(cx, &target)
            || compare::has_custom_keys(cx, &mapping)
            || compare::customises(cx, &mapping, &["keys", "__getitem__"])
        {
            return Err(Fault::Worker);
        }
        let entries: Vec<_> = match &mapping {
            Value::Ref(id) => match cx.heap.get(*id) {
                Object::Dict(dict) => {
                    dict.keyed().map(|(key, name, value)| (key.clone(), name.clone(), value.clone())).collect()
                }
                _ => return Err(self.not_a_mapping(call, &mapping)),
            },
            _ => return Err(self.not_a_mapping(call, &mapping)),
        };
        let Value::Ref(target) = target else { return Ok(()) };
        for (key, name, value) in entries {
            if call {
                let Value::Str(text) = &name else { return Err(cx.type_error("keywords must be strings")) };
                if matches!(cx.heap.get(target), Object::Dict(dict) if dict.contains(&key)) {
                    let text = text.clone();
                    let callee = frame.operands[frame.operands.len() - 4].clone();
                    let callee = self.callee_name(&callee);
                    return Err(self
                        .cx
                        .type_error(format!("{callee} got multiple values for keyword argument '{text}'")));
                }
            }
            if let Object::Dict(dict) = cx.heap.get_mut(target) {
                dict.insert(key, name, value);
            }
        }
        frame.operands.pop();
        Ok(())
    }

    fn not_a_mapping(&mut self, call: bool, value: &Value) -> Fault {
        let name = self.cx.type_name(value);
        if call {
            let callee =
                self.top_frame().and_then(|frame| frame.operands.iter().rev().nth(3).cloned()).unwrap_or_default();
            let callee = self.callee_name(&callee);
            return self.cx.type_error(format!("{callee} argument after ** must be a mapping, not {name}"));
        }
        self.cx.type_error(format!("'{name}' object is not a mapping"))
    }

    /// How messages about a call name what is called: `f()`.
    fn callee_name(&self, callee: &Value) -> String {
        match callee {
            Value::Builtin(builtin) => format!("{}()", crate::registry::name(*builtin)),
            Value::Type(class) => format!("{}()", self.cx.types.get(*class).shown),
            Value::Ref(id) => match self.cx.heap.get(*id) {
                Object::Function(function) => format!("{}()", super::graph(&self.lowered, function.function).known_as),
                _ => "function".into(),
            },
            _ => "function".into(),
        }
    }
}
