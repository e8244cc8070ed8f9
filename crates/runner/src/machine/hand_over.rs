//! Handing an operation over to a worker: what native code can't do faithfully (a user's `__eq__`, a property, a method of
//! a user's class). The operation goes as a fragment over its evaluated operands; the result takes their place.
//! What each operation is in source text stands in [`super::written`].

use std::sync::Arc;

use super::written::{self, Written};
use crate::context::{Eval, Fault, LogLine};
use crate::graph::{Lowered, Op};
use crate::heap::{Activation, Iterator, Object, ViewKind, Waiting};
use crate::instance::Instance;
use crate::python::iterate;
use crate::registry;
use crate::types::TypeId;
use crate::value::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum After {
    /// Push the result.
    Push,
    /// The operation has none.
    Nothing,
    /// The result is the operand, made plain: repeat the instruction with it.
    Repeat,
    /// The result tells the truth of the operand, which an `and` or `or` keeps as it is.
    Decide,
    /// The result goes to the variable in this slot.
    Store(u32),
    /// The result is the text that `print` adds to the instance's log, not the worker's.
    Print,
    /// The result takes the place of this operand: repeat the instruction with it.
    Replace(u32),
    /// Whether the operand at this place is its own iterator, or else its items: repeat the instruction with either.
    Fetched(u32),
    /// The same for `iter()`, whose value it is.
    Iterator,
    /// Items: push an iterator over them.
    Items,
    /// Whether the attribute is a method of the operand, or else the attribute.
    Attribute,
    /// A list with what a pattern looked for, or an empty one.
    Found,
    /// The result goes to the driver on top.
    Deliver,
    /// A list with the next item of an iterator, or an empty one at its end: goes to whoever is on top.
    Item,
    /// Whether the result was an iterator, whose items came, or else the result.
    Given,
}

/// How many items of a user's iterable are taken at the start of a loop over it.
pub(super) const ITEMS_MAX: usize = 100_000;

impl Instance {
    /// The instruction that the top frame just tried, as a fragment. The task waits for it.
    pub(super) fn hand_over(&mut self) -> Eval<()> {
        let lowered = self.lowered.clone();
        let Some(Activation::Frame(frame)) = self.stack.last() else {
            return Err(self
                .unsupported("a built-in function over objects of a class that defines its own comparison or truth"));
        };
        let unit = super::unit(&lowered, frame.function);
        let graph = super::graph(&lowered, frame.function);
        let op = graph.code[frame.position as usize - 1];
        let Some(written) = self.write(unit, op) else {
            return Err(self.unsupported("this operation on an object of such a class"));
        };
        let Some(Activation::Frame(frame)) = self.stack.last() else { return Ok(()) };
        let from = frame.operands.len() - written.operands;
        let operands = frame.operands[from..].to_vec();
        self.send(written, operands)
    }

    /// What a driver needs done, over values that are no operands; what comes of it is delivered to it.
    pub(super) fn hand_over_for_driver(&mut self, source: &str, values: Vec<Value>, after: After) -> Eval<()> {
        let written = Written { source: source.into(), operands: values.len(), dropped: 0, after };
        self.send(written, values)
    }

    /// `function(arguments)` on behalf of a driver.
    pub(super) fn hand_over_call(&mut self, function: &Value, args: &[Value]) -> Eval<()> {
        let Some(mut source) = self.callee(function, None) else {
            return Err(self.unsupported("a call of such an object by a built-in function"));
        };
        let arguments: Vec<String> = (1..=args.len()).map(|at| format!("_{at}, ")).collect();
        source.push_str(&format!("({})", arguments.concat()));
        let values = std::iter::once(function).chain(args).cloned().collect();
        self.hand_over_for_driver(&source, values, After::Deliver)
    }

    fn send(&mut self, written: Written, operands: Vec<Value>) -> Eval<()> {
        let mut source = written.source;
        let mut captures: Vec<(Arc<str>, Value)> = Vec::new();
        for (at, value) in operands.into_iter().enumerate() {
            let name = format!("_{at}");
            if !written::mentions(&source, &name) {
                continue;
            }
            let (text, value) = self.as_source(&name, value);
            if text != name {
                source = written::replace(&source, &name, &text);
            }
            if written::mentions(&text, &name) {
                captures.push((name.into(), value));
            }
        }
        if written.after == After::Nothing {
            source = format!("({source}, None)[1]");
        }
        let ordinal = self.dispatch_fragment(source.into(), captures, Vec::new(), written.dropped, written.after)?;
        if let Some(task) = self.current.and_then(|current| self.task_mut(current)) {
            task.waiting = Waiting::Fragment(ordinal);
        }
        Ok(())
    }

    /// An operand as source text, and what of it is captured: functions and classes are named, views are made anew.
    fn as_source(&mut self, name: &str, value: Value) -> (String, Value) {
        let id = match &value {
            Value::Builtin(builtin) => return (written::qualified(registry::name(*builtin)), value),
            Value::Type(class) => return (written::class_source(&self.cx.types.get(*class).name), value),
            Value::Ref(id) => *id,
            _ => return (name.into(), value),
        };
        match self.cx.heap.get(id) {
            Object::View { dict, kind } => {
                let method = match kind {
                    ViewKind::Keys => "keys",
                    ViewKind::Values => "values",
                    ViewKind::Items => "items",
                };
                (format!("{name}.{method}()"), Value::Ref(*dict))
            }
            // `isinstance(x, (A, B))`
            Object::Tuple(items) if !items.is_empty() && items.iter().all(|item| matches!(item, Value::Type(_))) => {
                let names = items.iter().map(|item| match item {
                    Value::Type(class) => written::class_source(&self.cx.types.get(*class).name) + ", ",
                    _ => String::new(),
                });
                (format!("({})", names.collect::<String>()), Value::None)
            }
            Object::Range(range) => (format!("range({}, {}, {})", range.start, range.stop, range.step), Value::None),
            Object::Slice(parts) => {
                let parts = parts.to_vec();
                (format!("slice(*{name})"), self.cx.tuple(parts))
            }
            Object::Method { receiver, name: method } => {
                let (receiver, method) = (receiver.clone(), method.clone());
                let (text, receiver) = self.as_source(name, receiver);
                (format!("{text}.{method}"), receiver)
            }
            _ => (name.into(), value),
        }
    }

    pub(super) fn unsupported(&mut self, what: &str) -> Fault {
        self.cx
            .raise(TypeId::UNSUPPORTED, format!("{what} can't be done in the workflow itself; move it into an action"))
    }

    /// What a settled fragment means for the frame or driver that waits for it.
    pub(crate) fn after_fragment(&mut self, operands: usize, after: After, value: Value) -> Eval<()> {
        match after {
            After::Push => self.replace_top(operands, value),
            After::Nothing => self.drop_top(operands),
            After::Print => {
                if let Value::Str(text) = &value {
                    self.cx.log.push(LogLine { level: "print".into(), text: text.to_string() });
                }
                self.replace_top(operands, Value::None);
            }
            After::Store(slot) => {
                self.drop_top(operands);
                if let Some(local) = self.top_frame().and_then(|frame| frame.locals.get_mut(slot as usize)) {
                    *local = value;
                }
            }
            After::Decide => {
                let is_true = matches!(value, Value::Bool(true));
                let op = self.current_op();
                let Some(frame) = self.top_frame() else { return Ok(()) };
                match op {
                    Some(Op::JumpIfFalseOrPop(to)) if !is_true => frame.position = to,
                    Some(Op::JumpIfTrueOrPop(to)) if is_true => frame.position = to,
                    _ => self.drop_top(operands),
                }
            }
            After::Repeat => {
                self.replace_top(operands, value);
                self.repeat();
            }
            After::Replace(at) => {
                if let Some(operand) = self.top_frame().and_then(|frame| frame.operands.get_mut(at as usize)) {
                    *operand = value;
                }
                self.repeat();
            }
            After::Fetched(at) => {
                let (is_own_iterator, items) = self.flagged(&value)?;
                let items = match is_own_iterator {
                    true => iterate::made(&mut self.cx, Iterator::Foreign(items)),
                    false => self.not_too_many(items)?,
                };
                if let Some(operand) = self.top_frame().and_then(|frame| frame.operands.get_mut(at as usize)) {
                    *operand = items;
                }
                self.repeat();
            }
            After::Iterator => {
                let (is_own_iterator, items) = self.flagged(&value)?;
                let iterator = match is_own_iterator {
                    true => items,
                    false => {
                        let items = self.not_too_many(items)?;
                        iterate::iter(&mut self.cx, &items)?
                    }
                };
                self.replace_top(operands, iterator);
            }
            After::Given => {
                let (is_iterator, mut value) = self.flagged(&value)?;
                if is_iterator {
                    let items = self.not_too_many(value)?;
                    value = iterate::iter(&mut self.cx, &items)?;
                }
                self.replace_top(operands, value);
            }
            After::Items => {
                let iterator = iterate::iter(&mut self.cx, &value)?;
                self.replace_top(operands, iterator);
            }
            After::Attribute => {
                let (is_method, value) = self.flagged(&value)?;
                let value = match is_method {
                    true => self.method_in_hand(),
                    false => value,
                };
                self.replace_top(operands, value);
            }
            After::Found => {
                let found = iterate::collect(&mut self.cx, &value)?.pop();
                let is_found = found.is_some();
                self.replace_top(operands, found.unwrap_or(Value::None));
                self.push(Value::Bool(is_found));
            }
            After::Deliver => self.deliver(value),
            After::Item => match iterate::collect(&mut self.cx, &value)?.pop() {
                Some(item) => self.deliver(item),
                None => return self.deliver_end(),
            },
        }
        Ok(())
    }

    /// Steps back to the instruction whose operand has changed.
    fn repeat(&mut self) {
        if let Some(frame) = self.top_frame() {
            frame.position -= 1;
        }
    }

    fn current_op(&self) -> Option<Op> {
        let Some(Activation::Frame(frame)) = self.stack.last() else { return None };
        super::graph(&self.lowered, frame.function).code.get(frame.position as usize - 1).copied()
    }

    fn flagged(&mut self, value: &Value) -> Eval<(bool, Value)> {
        match &iterate::collect(&mut self.cx, value)?[..] {
            [Value::Bool(flag), value] => Ok((*flag, value.clone())),
            _ => Err(self.cx.value_error("the worker's answer is not what was asked for")),
        }
    }

    fn not_too_many(&mut self, items: Value) -> Eval {
        let count = iterate::collect(&mut self.cx, &items)?.len();
        match count > ITEMS_MAX {
            true => Err(self.unsupported(&format!("a loop over an object that gives more than {ITEMS_MAX} items"))),
            false => Ok(items),
        }
    }

    /// `receiver.method` as a value: the receiver is on top, the name in the instruction.
    fn method_in_hand(&mut self) -> Value {
        let lowered = self.lowered.clone();
        let (Some(Op::GetAttribute(name)), Some(Activation::Frame(frame))) = (self.current_op(), self.stack.last())
        else {
            return Value::None;
        };
        let name = super::unit(&lowered, frame.function).pool.names[name as usize].clone();
        let receiver = frame.operands.last().cloned().unwrap_or_default();
        Value::Ref(self.cx.heap.add(Object::Method { receiver, name }))
    }

    /// A fragment that the compiler cut out: its captures are on the stack.
    pub(super) fn dispatch_fragment_site(&mut self, unit: &Lowered, site: u32) -> Eval<()> {
        let site = &unit.pool.fragments[site as usize];
        let count = site.captures.len();
        let Some(Activation::Frame(frame)) = self.stack.last() else { return Ok(()) };
        let values = frame.operands[frame.operands.len() - count..].to_vec();
        let captures = site.captures.iter().cloned().zip(values).collect();
        let ordinal = self.dispatch_fragment(site.source.clone(), captures, site.writes.clone(), count, After::Push)?;
        if let Some(task) = self.current.and_then(|current| self.task_mut(current)) {
            task.waiting = Waiting::Fragment(ordinal);
        }
        Ok(())
    }
}
