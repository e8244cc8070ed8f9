//! Exceptions: raising them, finding who handles them, and what they remember.

use crate::context::{Eval, Fault};
use crate::graph::Op;
use crate::heap::{Activation, DriverKind, Id, Object};
use crate::instance::Instance;
use crate::types::TypeId;
use crate::value::Value;

/// Frames that a traceback keeps; recursion would make it endless.
const TRACEBACK_MAX: usize = 64;

impl Instance {
    /// Drops frames until one handles the exception; a task whose frames are all gone has failed.
    pub(crate) fn unwind(&mut self, fault: Fault) {
        let mut exception = self.exception_of(fault);
        if self.cx.exhausted {
            return self.give_up(exception);
        }
        self.set_context(exception);
        let mut passed_on = self.passes_on();
        loop {
            match self.stack.last_mut() {
                None => {
                    if let Some(current) = self.current {
                        self.finish_task(current, Err(Fault::Raise(exception)));
                    }
                    return;
                }
                Some(Activation::Driver(driver)) => {
                    let (kind, delegated) = (driver.kind, driver.flag);
                    self.stack.pop();
                    let class = self.cx.type_of(&Value::Ref(exception));
                    let is = |wanted: TypeId| self.cx.types.is_subtype(class, wanted);
                    match kind {
                        // `generator.close()` has done what it should.
                        DriverKind::Close if is(TypeId::GENERATOR_EXIT) && !delegated => {
                            self.deliver(Value::None);
                            return;
                        }
                        DriverKind::CloseAsync if is(TypeId::GENERATOR_EXIT) => {
                            self.deliver(Value::None);
                            return;
                        }
                        DriverKind::NextAsync if is(TypeId::STOP_ASYNC_ITERATION) => match self.deliver_end() {
                            Ok(()) => return,
                            Err(fault) => exception = self.exception_of(fault),
                        },
                        _ => {}
                    }
                }
                Some(Activation::Frame(frame)) => {
                    let graph = super::graph(&self.lowered, frame.function);
                    let at = frame.position.saturating_sub(1);
                    let is_known = std::mem::take(&mut passed_on);
                    if let Some(place) = graph.place_at(at)
                        && let Object::Exception(raised) = self.cx.heap.get_mut(exception)
                        && raised.traceback.len() < TRACEBACK_MAX
                        && frame.function & crate::lower::PRELUDE == 0
                        && (!is_known || raised.traceback.is_empty())
                    {
                        raised.traceback.insert(0, place.clone());
                    }
                    // A frame that was never entered handles nothing, even if its first statement is a `try`.
                    if frame.position > 0
                        && let Some(region) = graph.region_at(at)
                    {
                        frame.operands.clear();
                        frame.handling.truncate(region.handling as usize);
                        frame.operands.push(Value::Ref(exception));
                        frame.position = region.target;
                        return;
                    }
                    let (generator, kind) = (frame.generator, graph.kind);
                    self.stack.pop();
                    if let Some(generator) = generator {
                        self.exhaust(generator);
                        exception = match kind {
                            waymark_ir::FunctionKind::Plain => {
                                self.no_stop_iteration(exception, "generator raised StopIteration")
                            }
                            waymark_ir::FunctionKind::Durable => self.no_end(exception),
                        };
                    } else if kind == waymark_ir::FunctionKind::Durable {
                        exception = self.no_stop_iteration(exception, "coroutine raised StopIteration");
                    }
                }
            }
        }
    }

    /// Ends a program that goes on and on, handlers or not.
    fn give_up(&mut self, exception: Id) {
        self.stack.clear();
        self.current = None;
        self.stop_all();
        let ending = self.failure(exception);
        self.finish(ending);
    }

    /// Whether the top frame raises on what it was handling: its line is in the traceback already, as in Python.
    fn passes_on(&self) -> bool {
        let Some(Activation::Frame(frame)) = self.stack.last() else { return false };
        let graph = super::graph(&self.lowered, frame.function);
        let op = graph.code.get(frame.position.saturating_sub(1) as usize);
        matches!(op, Some(Op::Rethrow | Op::Reraise | Op::EndFinally { .. } | Op::EndAsyncFor { .. }))
    }

    /// A StopIteration may not pass for the end of something else.
    fn no_stop_iteration(&mut self, exception: Id, text: &str) -> Id {
        let class = self.cx.type_of(&Value::Ref(exception));
        if !self.cx.types.is_subtype(class, TypeId::STOP_ITERATION) {
            return exception;
        }
        self.in_runtime_error(exception, text)
    }

    fn in_runtime_error(&mut self, exception: Id, text: &str) -> Id {
        let outer = self.cx.exception(TypeId::RUNTIME_ERROR, vec![Value::from(text)]);
        if let Object::Exception(raised) = self.cx.heap.get_mut(outer) {
            raised.cause = Value::Ref(exception);
            raised.context = Value::Ref(exception);
            raised.suppress_context = true;
        }
        outer
    }

    /// Neither may one that ends asynchronous iteration.
    fn no_end(&mut self, exception: Id) -> Id {
        let class = self.cx.type_of(&Value::Ref(exception));
        match self.cx.types.is_subtype(class, TypeId::STOP_ASYNC_ITERATION) {
            true => self.in_runtime_error(exception, "async generator raised StopAsyncIteration"),
            false => self.no_stop_iteration(exception, "async generator raised StopIteration"),
        }
    }

    /// `__context__`: what was being handled when this was raised.
    fn set_context(&mut self, exception: Id) {
        let handled = self.stack.iter().rev().find_map(|activation| match activation {
            Activation::Frame(frame) => frame.handling.iter().rev().find_map(Value::reference),
            Activation::Driver(_) => None,
        });
        let Some(handled) = handled.filter(|handled| *handled != exception) else { return };
        // Not into a circle: cut the chain where it would come back.
        let mut link = handled;
        for _ in 0..1_000 {
            let Object::Exception(other) = self.cx.heap.get_mut(link) else { break };
            match other.context {
                Value::Ref(next) if next == exception => {
                    other.context = Value::None;
                    break;
                }
                Value::Ref(next) => link = next,
                _ => break,
            }
        }
        if let Object::Exception(raised) = self.cx.heap.get_mut(exception)
            && !matches!(raised.context, Value::Ref(_))
        {
            raised.context = Value::Ref(handled);
        }
    }

    /// `raise exception [from cause]`
    pub(super) fn raise(&mut self, with_cause: bool) -> Fault {
        // The operands stay until the exception is there: a class may have to be called by a worker.
        let operands = self.top_frame().map(|frame| frame.operands.as_slice()).unwrap_or_default();
        let (value, cause) = match operands {
            [.., value, cause] if with_cause => (value.clone(), cause.clone()),
            [.., value] => (value.clone(), Value::Unbound),
            [] => (Value::None, Value::None),
        };
        let exception = match self.exception_from(&value) {
            Ok(exception) => exception,
            Err(fault) => return fault,
        };
        if with_cause {
            let cause = match &cause {
                Value::None => Value::None,
                other => match self.exception_from(other) {
                    Ok(id) => Value::Ref(id),
                    Err(Fault::Worker) => return Fault::Worker,
                    Err(_) => return self.cx.type_error("exception causes must derive from BaseException"),
                },
            };
            if let Object::Exception(raised) = self.cx.heap.get_mut(exception) {
                raised.cause = cause;
                raised.suppress_context = true;
            }
        }
        Fault::Raise(exception)
    }

    /// An exception as it is, or a new one of a class.
    pub(crate) fn exception_from(&mut self, value: &Value) -> Eval<Id> {
        match value {
            Value::Ref(id) if matches!(self.cx.heap.get(*id), Object::Exception(_)) => Ok(*id),
            Value::Type(class) if self.cx.types.is_exception(*class) => match self.construct(*class, &[], &[])? {
                Some(Value::Ref(id)) => Ok(id),
                _ => Err(Fault::Worker),
            },
            _ => Err(self.cx.type_error("exceptions must derive from BaseException")),
        }
    }

    pub(super) fn reraise(&mut self) -> Fault {
        let handled = self.stack.iter().rev().find_map(|activation| match activation {
            Activation::Frame(frame) => frame.handling.iter().rev().find_map(Value::reference),
            Activation::Driver(_) => None,
        });
        match handled {
            Some(exception) => Fault::Raise(exception),
            None => self.cx.raise(TypeId::RUNTIME_ERROR, "No active exception to reraise"),
        }
    }

    /// `except class`: a class or a tuple of them.
    pub(crate) fn exception_matches(&mut self, exception: &Value, class: &Value) -> Eval<bool> {
        let raised = self.cx.type_of(exception);
        match class {
            Value::Type(class) if self.cx.types.is_exception(*class) => Ok(self.cx.types.is_subtype(raised, *class)),
            Value::Ref(id) => {
                let items = match self.cx.heap.get(*id) {
                    Object::Tuple(items) => items.to_vec(),
                    _ => return Err(self.bad_handler()),
                };
                let mut found = false;
                for item in &items {
                    found |= self.exception_matches(exception, item)?;
                }
                Ok(found)
            }
            _ => Err(self.bad_handler()),
        }
    }

    fn bad_handler(&mut self) -> Fault {
        self.cx.type_error("catching classes that do not inherit from BaseException is not allowed")
    }

    pub(super) fn pop_operand(&mut self) -> Value {
        self.top_frame().and_then(|frame| frame.operands.pop()).unwrap_or_default()
    }
}
