//! Generators: what is sent to them and raised in them, `yield from`, and asynchronous ones, which run on the stack of the
//! task that awaits their next item.

use super::Step;
use crate::context::{Eval, Fault};
use crate::graph::Op;
use crate::heap::{Coroutine, Driver, DriverKind, Frame, Id, Iterator, Object};
use crate::instance::Instance;
use crate::types::TypeId;
use crate::value::Value;

impl Instance {
    /// `generator.send(value)`, `.throw(exception)` and `.close()`; the operands of the call are still on the stack.
    pub(super) fn generator_method(&mut self, id: Id, name: &str, args: &[Value], operands: usize) -> Eval<()> {
        let Object::Iterator(lazy) = self.cx.heap.get_mut(id) else { return Ok(()) };
        let Iterator::Generator(held) = &mut **lazy else {
            // It is exhausted.
            return match name {
                "close" => {
                    self.replace_top(operands, Value::None);
                    Ok(())
                }
                "throw" => {
                    let exception = self.exception_from(args.first().unwrap_or(&Value::None))?;
                    Err(Fault::Raise(exception))
                }
                _ => Err(self.cx.raise_with(TypeId::STOP_ITERATION, Vec::new())),
            };
        };
        let Some(mut frame) = held.take() else { return Err(self.cx.value_error("generator already executing")) };
        let is_fresh = frame.position == 0;
        let value = args.first().cloned().unwrap_or(Value::None);
        if is_fresh && name == "send" && !value.is_none() {
            *held = Some(frame);
            return Err(self.cx.type_error("can't send non-None value to a just-started generator"));
        }
        if is_fresh && name == "close" {
            self.exhaust(id);
            self.replace_top(operands, Value::None);
            return Ok(());
        }
        if name == "send" && !is_fresh {
            frame.operands.pop();
            frame.operands.push(value.clone());
        }
        let raised = match name {
            "throw" => Some(self.exception_from(&value)?),
            "close" => Some(self.cx.exception(TypeId::GENERATOR_EXIT, Vec::new())),
            _ => None,
        };
        self.drop_top(operands);
        let kind = if name == "close" { DriverKind::Close } else { DriverKind::Next };
        self.push_driver(Driver { function: Value::Unbound, ..Driver::new(kind) })?;
        match raised {
            None => self.push_frame(*frame),
            Some(exception) => self.throw_into(*frame, exception, name == "close"),
        }
    }

    /// Raises an exception where a generator stands: in the one that it delegates to, if it does, and so on.
    fn throw_into(&mut self, mut frame: Frame, exception: Id, closes: bool) -> Eval<()> {
        let graph = super::graph(&self.lowered, frame.function);
        let at = frame.position as usize;
        let inner = match (graph.code.get(at.wrapping_sub(1)), graph.code.get(at)) {
            (Some(Op::Yield), Some(Op::Jump(to))) => match graph.code[*to as usize] {
                Op::Delegate { slot, .. } => Some((*to, frame.locals[slot as usize].clone())),
                _ => None,
            },
            _ => None,
        };
        let held = inner.and_then(|(to, inner)| match inner {
            Value::Ref(id) => match self.cx.heap.get_mut(id) {
                Object::Iterator(lazy) => match &mut **lazy {
                    Iterator::Generator(held) => held.take().map(|held| (to, held)),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        });
        let Some((to, inner)) = held else {
            self.push_frame(frame)?;
            return Err(Fault::Raise(exception));
        };
        // As if it were asking for the next item.
        frame.operands.pop();
        frame.position = to + 1;
        self.push_frame(frame)?;
        if closes {
            self.push_driver(Driver { flag: true, ..Driver::new(DriverKind::Close) })?;
        }
        self.throw_into(*inner, exception, closes)
    }

    /// One step of `yield from`: the value that was sent goes on to the iterator.
    pub(super) fn delegate(&mut self, iterator: &Value, sent: Value) -> Eval<()> {
        if sent.is_none() {
            return self.advance(iterator);
        }
        if let Value::Ref(id) = iterator
            && let Object::Iterator(lazy) = self.cx.heap.get_mut(*id)
            && let Iterator::Generator(held) = &mut **lazy
        {
            let Some(mut frame) = held.take() else { return Err(self.cx.value_error("generator already executing")) };
            frame.operands.pop();
            frame.operands.push(sent);
            return self.push_frame(*frame);
        }
        let text = format!("'{}' object has no attribute 'send'", self.cx.type_name(iterator));
        Err(self.cx.raise(TypeId::ATTRIBUTE_ERROR, text))
    }

    // ---- asynchronous generators

    /// `__aiter__`, and what can be awaited for the others.
    pub(super) fn generator_step(&mut self, generator: &Value, id: Id, name: &str, args: &[Value]) -> Eval {
        if name == "__aiter__" {
            return Ok(generator.clone());
        }
        let value = args.first().cloned().unwrap_or(Value::None);
        let step = Coroutine::Step { generator: id, method: name.into(), value };
        Ok(Value::Ref(self.cx.heap.add(Object::Coroutine(Box::new(step)))))
    }

    /// Runs an asynchronous generator to its next `yield`, on the stack of the task that awaits it.
    pub(crate) fn step_generator(&mut self, id: Id, method: &str, value: Value) -> Eval<()> {
        let ends = matches!(method, "athrow" | "aclose");
        let Object::Iterator(lazy) = self.cx.heap.get_mut(id) else { return Ok(()) };
        let Iterator::AsyncGenerator(held) = &mut **lazy else {
            if ends {
                self.deliver(Value::None);
                return Ok(());
            }
            return Err(self.cx.raise_with(TypeId::STOP_ASYNC_ITERATION, Vec::new()));
        };
        let Some(mut frame) = held.take() else {
            let name = if ends { method } else { "anext" };
            let text = format!("{name}(): asynchronous generator is already running");
            return Err(self.cx.raise(TypeId::RUNTIME_ERROR, text));
        };
        let is_fresh = frame.position == 0;
        if is_fresh && method == "asend" && !value.is_none() {
            *held = Some(frame);
            return Err(self.cx.type_error("can't send non-None value to a just-started async generator"));
        }
        if is_fresh && method == "aclose" {
            self.exhaust(id);
            self.deliver(Value::None);
            return Ok(());
        }
        if method == "asend" && !is_fresh {
            frame.operands.pop();
            frame.operands.push(value.clone());
        }
        let raised = match method {
            "athrow" => Some(self.exception_from(&value)?),
            "aclose" => Some(self.cx.exception(TypeId::GENERATOR_EXIT, Vec::new())),
            _ => None,
        };
        let kind = if method == "aclose" { DriverKind::CloseAsync } else { DriverKind::Step };
        self.push_driver(Driver::new(kind))?;
        self.push_frame(*frame)?;
        raised.map_or(Ok(()), |exception| Err(Fault::Raise(exception)))
    }

    /// The next item of an asynchronous iterator, for a comprehension: its end comes to the frame as that of any iterator.
    pub(super) fn next_async(&mut self, iterator: &Value) -> Eval<Step> {
        self.push_driver(Driver::new(DriverKind::NextAsync))?;
        match self.invoke_method(iterator, "__anext__", &[], &[])? {
            Some(awaitable) => match self.wait_on(&awaitable)? {
                true => Ok(Step::Wait),
                false => Ok(Step::Switch),
            },
            None => Err(self.unsupported("an asynchronous iterator of such a class")),
        }
    }
}
