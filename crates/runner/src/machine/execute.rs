//! The instructions of a frame, one after the other.

use waymark_ir::CompareOp;

use super::Step;
use crate::context::{Context, Eval, Fault};
use crate::graph::{Graph, Lowered, Op};
use crate::heap::{Activation, Frame, FunctionObject, Id, Iterator, Object};
use crate::instance::Instance;
use crate::lower::PRELUDE;
use crate::python::{compare, iterate, operators, subscript};
use crate::types::TypeId;
use crate::value::Value;

impl Instance {
    /// Runs the top frame until another one is on top, it waits, or something is raised.
    pub(super) fn execute(&mut self, unit: &Lowered, graph: &Graph) -> Eval<Step> {
        let slice_end = self.slice_end;
        let depth = self.stack.len();
        loop {
            let Some(Activation::Frame(frame)) = self.stack.last_mut() else { return Ok(Step::Switch) };
            let op = graph.code[frame.position as usize];
            frame.position += 1;
            self.cx.charge(1)?;
            let cx = &mut self.cx;
            match op {
                Op::Const(at) => frame.operands.push(unit.pool.constants[at as usize].clone()),
                Op::Peek(slot) => {
                    let value = &frame.locals[slot as usize];
                    if value.is_unbound() {
                        return Err(unbound(cx, graph, first_read(graph, frame, slot)));
                    }
                    frame.operands.push(value.clone());
                }
                Op::Load(slot) => {
                    let value = &frame.locals[slot as usize];
                    match value {
                        Value::Unbound => return Err(unbound(cx, graph, first_read(graph, frame, slot))),
                        Value::Ref(id) => {
                            if let Object::List(list) = cx.heap.get_mut(*id) {
                                list.shared = true;
                            }
                        }
                        _ => {}
                    }
                    frame.operands.push(value.clone());
                }
                Op::Store(slot) => frame.locals[slot as usize] = pop(frame),
                Op::Clear(slot) => frame.locals[slot as usize] = Value::Unbound,
                Op::Jump(to) => {
                    let is_loop = to < frame.position;
                    frame.position = to;
                    // Once a round: let the machine free or weigh what the loop has made.
                    if is_loop && (cx.heap.wants_collection() || cx.wants_weighing()) {
                        return Ok(Step::Next);
                    }
                }
                Op::JumpIfFalse(to) | Op::JumpIfTrue(to) => {
                    let wanted = matches!(op, Op::JumpIfTrue(_));
                    let is_true = match top(frame) {
                        Value::Bool(value) => *value,
                        _ => compare::truth(cx, &top(frame).clone())?,
                    };
                    frame.operands.pop();
                    if is_true == wanted {
                        frame.position = to;
                    }
                }
                Op::JumpIfFalseOrPop(to) | Op::JumpIfTrueOrPop(to) => {
                    let wanted = matches!(op, Op::JumpIfTrueOrPop(_));
                    let value = top(frame).clone();
                    if compare::truth(cx, &value)? == wanted {
                        frame.position = to;
                    } else {
                        frame.operands.pop();
                    }
                }
                Op::Binary(operator) => {
                    let [left, right] = top_two(frame);
                    let value = operators::binary(cx, operator, left, right)?;
                    replace(frame, 2, value);
                }
                Op::Compare(operator) => {
                    let [left, right] = top_two(frame);
                    if matches!(operator, CompareOp::In | CompareOp::NotIn) && cx.is_iterator(right) {
                        self.drive_contains(operator == CompareOp::NotIn)?;
                        return Ok(Step::Switch);
                    }
                    let value = compare::compare(cx, operator, left, right)?;
                    replace(frame, 2, Value::Bool(value));
                }
                Op::Unary(operator) => {
                    let operand = top(frame).clone();
                    let value = operators::unary(cx, operator, &operand)?;
                    replace(frame, 1, value);
                }
                Op::InPlace(operator) => {
                    let [left, right] = top_two(frame);
                    if iterate::needs_machine(cx, right) {
                        let at = frame.operands.len() - 1;
                        self.drain(at)?;
                        return Ok(Step::Switch);
                    }
                    let value = operators::in_place(cx, operator, left, right)?;
                    replace(frame, 2, value);
                }
                Op::Extend(slot) => {
                    let left = frame.locals[slot as usize].clone();
                    if left.is_unbound() {
                        return Err(unbound(cx, graph, slot));
                    }
                    let right = top(frame).clone();
                    if !extend_unshared(cx, &left, &right) {
                        let sum = operators::binary(cx, waymark_ir::BinaryOp::Add, &left, &right)?;
                        if let Value::Ref(id) = &sum
                            && let Object::List(list) = cx.heap.get_mut(*id)
                        {
                            list.shared = false;
                        }
                        frame.locals[slot as usize] = sum;
                    }
                    frame.operands.pop();
                }
                Op::Next { slot, end } => {
                    let iterator = frame.locals[slot as usize].clone();
                    if iterate::needs_machine(cx, &iterator) {
                        self.advance(&iterator)?;
                        return Ok(Step::Switch);
                    }
                    match iterate::next(cx, &iterator)? {
                        Some(value) => frame.operands.push(value),
                        None => {
                            frame.locals[slot as usize] = Value::Unbound;
                            frame.position = end;
                        }
                    }
                }
                Op::Iter => {
                    let source = top(frame).clone();
                    let iterator = iterate::iter(cx, &source)?;
                    replace(frame, 1, iterator);
                }
                Op::GetAttribute(name) => {
                    let base = top(frame).clone();
                    let value = self.get_attribute(&base, &unit.pool.names[name as usize])?;
                    self.replace_top(1, value);
                }
                Op::GetItem => {
                    let [base, index] = top_two(frame);
                    let value = subscript::get_item(cx, base, index)?;
                    replace(frame, 2, value);
                }
                Op::SetItem => {
                    let [.., value, base, index] = &frame.operands[..] else { return Err(underflow(cx)) };
                    if iterate::needs_machine(cx, value) && matches!(cx.type_of(index), TypeId::SLICE) {
                        let at = frame.operands.len() - 3;
                        self.drain(at)?;
                        return Ok(Step::Switch);
                    }
                    subscript::set_item(cx, base, index, value.clone())?;
                    frame.operands.truncate(frame.operands.len() - 3);
                }
                Op::Call { positional, names } => {
                    if self.call_operands(unit, positional as usize, names)? {
                        continue;
                    }
                    return Ok(Step::Switch);
                }
                Op::CallMethod { name, positional, names } => {
                    if self.call_method_operands(unit, name, positional as usize, names)? {
                        continue;
                    }
                    return Ok(Step::Switch);
                }
                Op::Return => return self.leave_frame(),
                Op::RunAction(site) => {
                    let request = self.action_request(unit, site)?;
                    let Some(current) = self.current else { return Ok(Step::Wait) };
                    self.dispatch(current, request)?;
                    return Ok(Step::Wait);
                }
                Op::Await => {
                    let awaitable = pop(frame);
                    return match self.wait_on(&awaitable)? {
                        true => Ok(Step::Wait),
                        false if self.stack.len() == depth => continue,
                        false => Ok(Step::Switch),
                    };
                }
                _ => match self.execute_rare(unit, graph, op)? {
                    Step::Next => {}
                    other => return Ok(other),
                },
            }
            if self.cx.steps >= slice_end {
                return Ok(Step::Next);
            }
        }
    }

    #[allow(clippy::too_many_lines)]
    fn execute_rare(&mut self, unit: &Lowered, graph: &Graph, op: Op) -> Eval<Step> {
        let Some(Activation::Frame(frame)) = self.stack.last_mut() else { return Ok(Step::Switch) };
        let cx = &mut self.cx;
        match op {
            Op::Shared(at) => {
                let is_prelude = frame.function & PRELUDE != 0;
                let value = self.shared_value(is_prelude, at)?;
                self.push(value);
            }
            Op::LoadCell(slot) => match cell(cx, frame, slot) {
                Some(Object::Cell(Value::Unbound)) | None => {
                    return Err(unbound(cx, graph, first_read(graph, frame, slot)));
                }
                Some(Object::Cell(value)) => {
                    let value = value.clone();
                    if let Value::Ref(id) = &value
                        && let Object::List(list) = cx.heap.get_mut(*id)
                    {
                        list.shared = true;
                    }
                    frame.operands.push(value);
                }
                Some(_) => {}
            },
            Op::StoreCell(slot) => {
                let value = pop(frame);
                if let Some(Object::Cell(held)) = cell(cx, frame, slot) {
                    *held = value;
                }
            }
            Op::DeleteCell(slot) => match cell(cx, frame, slot) {
                Some(Object::Cell(held)) if !held.is_unbound() => *held = Value::Unbound,
                _ => return Err(unbound(cx, graph, slot)),
            },
            Op::NewCell(slot) => {
                let held = std::mem::take(&mut frame.locals[slot as usize]);
                frame.locals[slot as usize] = Value::Ref(cx.heap.add(Object::Cell(held)));
            }
            Op::Capture(slot) => {
                let cell = frame.locals[slot as usize].clone();
                frame.operands.push(cell);
            }
            Op::Delete(slot) => {
                if std::mem::take(&mut frame.locals[slot as usize]).is_unbound() {
                    return Err(unbound(cx, graph, slot));
                }
            }
            Op::Pop => {
                frame.operands.pop();
            }
            Op::Dup(count) => {
                let from = frame.operands.len() - count as usize;
                frame.operands.extend_from_within(from..);
            }
            Op::Rotate(count) => {
                let value = pop(frame);
                let at = frame.operands.len() + 1 - count as usize;
                frame.operands.insert(at, value);
            }
            Op::SetAttribute(name) => {
                let [value, base] = top_two(frame);
                let (value, base) = (value.clone(), base.clone());
                self.set_attribute(&base, &unit.pool.names[name as usize], value)?;
                self.drop_top(2);
            }
            Op::DeleteAttribute(name) => {
                let base = top(frame).clone();
                self.delete_attribute(&base, &unit.pool.names[name as usize])?;
                self.drop_top(1);
            }
            Op::DeleteItem => {
                let [base, index] = top_two(frame);
                subscript::delete_item(cx, base, index)?;
                frame.operands.truncate(frame.operands.len() - 2);
            }
            Op::Unpack(_) | Op::UnpackStar { .. } => {
                let source = top(frame).clone();
                if iterate::needs_machine(cx, &source) {
                    let at = frame.operands.len() - 1;
                    // One item more than are wanted tells that there are too many.
                    self.drain_up_to(at, if let Op::Unpack(count) = op { count as usize + 1 } else { usize::MAX })?;
                    return Ok(Step::Switch);
                }
                unpack(cx, frame, op, &source)?;
            }
            Op::CheckMethod(name) => {
                let base = top(frame).clone();
                let name = &unit.pool.names[name as usize];
                let class = cx.type_of(&base);
                // What only a worker knows of a user's class it will say when the call is made.
                let is_elsewhere =
                    matches!(class, TypeId::GENERATOR | TypeId::ASYNC_GENERATOR | TypeId::SLICE) || !class.is_builtin();
                if !is_elsewhere && crate::registry::method(class, name).is_none() {
                    match self.get_attribute(&base, name) {
                        Err(Fault::Raise(exception)) => return Err(Fault::Raise(exception)),
                        Ok(_) | Err(Fault::Worker) => {}
                    }
                }
            }
            Op::CallSpread => {
                self.call_spread()?;
                return Ok(Step::Switch);
            }
            Op::Function { graph: number } => {
                let made = super::graph(&self.lowered, number);
                let cells = take(frame, made.captured.len());
                let count = made.params.iter().filter(|param| param.has_default).count();
                let mut given = take(frame, count).into_iter();
                let defaults = made
                    .params
                    .iter()
                    .map(|param| if param.has_default { given.next().unwrap_or_default() } else { Value::Unbound });
                let object = FunctionObject { function: number, defaults: defaults.collect(), cells };
                frame.operands.push(Value::Ref(cx.heap.add(Object::Function(Box::new(object)))));
            }
            Op::Yield => return self.yield_value(),
            Op::Delegate { slot, .. } => {
                let iterator = frame.locals[slot as usize].clone();
                let sent = pop(frame);
                self.delegate(&iterator, sent)?;
                return Ok(Step::Switch);
            }
            Op::NextAsync { slot, .. } => {
                let iterator = frame.locals[slot as usize].clone();
                return self.next_async(&iterator);
            }
            Op::Action(site) => {
                let request = self.action_request(unit, site)?;
                let coroutine = crate::heap::Coroutine::Action(Box::new(request));
                let value = Value::Ref(self.cx.heap.add(Object::Coroutine(Box::new(coroutine))));
                self.push(value);
            }
            Op::Gather { return_exceptions } => {
                let list = pop(frame);
                let awaitables = iterate::collect(cx, &list)?;
                let value = self.gather(&awaitables, return_exceptions)?;
                self.push(value);
            }
            Op::Fragment(site) => {
                self.dispatch_fragment_site(unit, site)?;
                return Ok(Step::Wait);
            }
            _ => return self.execute_display(unit, op),
        }
        Ok(Step::Next)
    }

    // ---- the top frame's operands, for code that had to let go of the frame

    pub(super) fn push(&mut self, value: Value) {
        if let Some(Activation::Frame(frame)) = self.stack.last_mut() {
            frame.operands.push(value);
        }
    }

    pub(super) fn drop_top(&mut self, count: usize) {
        if let Some(Activation::Frame(frame)) = self.stack.last_mut() {
            frame.operands.truncate(frame.operands.len().saturating_sub(count));
        }
    }

    pub(super) fn replace_top(&mut self, count: usize, value: Value) {
        self.drop_top(count);
        self.push(value);
    }

    pub(super) fn top_frame(&mut self) -> Option<&mut Frame> {
        match self.stack.last_mut() {
            Some(Activation::Frame(frame)) => Some(frame),
            _ => None,
        }
    }

    /// `yield value`: the frame goes back into its generator, the value to whoever asked.
    fn yield_value(&mut self) -> Eval<Step> {
        let Some(Activation::Frame(mut frame)) = self.stack.pop() else { return Ok(Step::Switch) };
        let value = pop(&mut frame);
        // What `yield` itself gives when the generator is asked again.
        frame.operands.push(Value::None);
        if let Some(generator) = frame.generator
            && let Object::Iterator(iterator) = self.cx.heap.get_mut(generator)
        {
            **iterator = match **iterator {
                Iterator::AsyncGenerator(_) => Iterator::AsyncGenerator(Some(Box::new(frame))),
                _ => Iterator::Generator(Some(Box::new(frame))),
            };
        }
        self.deliver(value);
        Ok(Step::Switch)
    }

    fn leave_frame(&mut self) -> Eval<Step> {
        let Some(Activation::Frame(mut frame)) = self.stack.pop() else { return Ok(Step::Switch) };
        match frame.generator {
            Some(generator) => {
                self.exhaust(generator);
                self.returned = pop(&mut frame);
                self.deliver_end()?;
                self.returned = Value::None;
            }
            None => self.deliver(pop(&mut frame)),
        }
        Ok(Step::Switch)
    }

    pub(super) fn exhaust(&mut self, generator: Id) {
        if let Object::Iterator(iterator) = self.cx.heap.get_mut(generator) {
            **iterator = match **iterator {
                Iterator::AsyncGenerator(_) => Iterator::AsyncGeneratorDone,
                _ => Iterator::GeneratorDone,
            };
        }
    }
}

pub(super) fn pop(frame: &mut Frame) -> Value {
    frame.operands.pop().unwrap_or_default()
}

pub(super) fn top(frame: &Frame) -> &Value {
    frame.operands.last().unwrap_or(&Value::Unbound)
}

pub(super) fn top_two(frame: &Frame) -> [&Value; 2] {
    match &frame.operands[..] {
        [.., left, right] => [left, right],
        _ => [&Value::Unbound, &Value::Unbound],
    }
}

pub(super) fn take(frame: &mut Frame, count: usize) -> Vec<Value> {
    frame.operands.split_off(frame.operands.len() - count)
}

pub(super) fn replace(frame: &mut Frame, count: usize, value: Value) {
    frame.operands.truncate(frame.operands.len() - count);
    frame.operands.push(value);
}

#[cold]
fn underflow(cx: &mut Context) -> Fault {
    cx.raise(TypeId::RUNTIME_ERROR, "an operand is missing")
}

#[cold]
fn unbound(cx: &mut Context, graph: &Graph, slot: u32) -> Fault {
    let name = &graph.slots[slot as usize];
    if graph.captured.contains(&slot) {
        let text =
            format!("cannot access free variable '{name}' where it is not associated with a value in enclosing scope");
        return cx.raise(TypeId::NAME_ERROR, text);
    }
    let text = format!("cannot access local variable '{name}' where it is not associated with a value");
    cx.raise(TypeId::UNBOUND_LOCAL_ERROR, text)
}

/// In `x = x + [y]` the right side is evaluated first; where both are unbound, it is `x` that Python reads first.
#[cold]
fn first_read(graph: &Graph, frame: &Frame, slot: u32) -> u32 {
    for op in &graph.code[frame.position as usize..] {
        match op {
            Op::Extend(left) if frame.locals[*left as usize].is_unbound() => return *left,
            Op::Const(_) | Op::Shared(_) | Op::Load(_) | Op::Peek(_) | Op::LoadCell(_) => {}
            Op::List(_) | Op::Tuple(_) | Op::Dict(_) => {}
            _ => break,
        }
    }
    slot
}

fn cell<'a>(cx: &'a mut Context, frame: &Frame, slot: u32) -> Option<&'a mut Object> {
    match frame.locals[slot as usize] {
        Value::Ref(id) => Some(cx.heap.get_mut(id)),
        _ => None,
    }
}

/// Appends in place where the list has one owner, so that `results = results + [x]` costs what `append` does.
fn extend_unshared(cx: &mut Context, left: &Value, right: &Value) -> bool {
    let (Value::Ref(left), Value::Ref(right)) = (left, right) else { return false };
    let items = match cx.heap.get(*right) {
        Object::List(list) => list.items.clone(),
        _ => return false,
    };
    let max = cx.limits.value_bytes_max;
    match cx.heap.get_mut(*left) {
        Object::List(list) if !list.shared && (list.items.len() + items.len()) * 16 <= max => {
            list.items.extend(items);
            true
        }
        _ => false,
    }
}

fn unpack(cx: &mut Context, frame: &mut Frame, op: Op, source: &Value) -> Eval<()> {
    if let Err(fault) = iterate::iter(cx, source) {
        if matches!(fault, Fault::Worker) {
            return Err(fault);
        }
        let name = cx.type_name(source);
        return Err(cx.type_error(format!("cannot unpack non-iterable {name} object")));
    }
    let mut items = iterate::collect(cx, source)?;
    match op {
        Op::Unpack(count) => {
            let count = count as usize;
            if items.len() < count {
                let text = format!("not enough values to unpack (expected {count}, got {})", items.len());
                return Err(cx.value_error(text));
            }
            if items.len() > count {
                return Err(cx.value_error(format!("too many values to unpack (expected {count})")));
            }
        }
        Op::UnpackStar { before, after } => {
            let (before, after) = (before as usize, after as usize);
            if items.len() < before + after {
                let expected = before + after;
                let text = format!("not enough values to unpack (expected at least {expected}, got {})", items.len());
                return Err(cx.value_error(text));
            }
            let middle: Vec<Value> = items.splice(before..items.len() - after, [Value::None]).collect();
            items[before] = cx.list(middle);
        }
        _ => {}
    }
    frame.operands.pop();
    frame.operands.extend(items.into_iter().rev());
    Ok(())
}
