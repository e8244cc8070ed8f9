//! Tasks: coroutines that the loop steps, and their cancellation.

use std::sync::Arc;

use crate::asyncio::{Ready, Resumption, Timer};
use crate::context::{Eval, Fault};
use crate::heap::{Activation, Callback, Coroutine, Frame, Future, FutureState, Id, Object, Task, Waiting};
use crate::instance::{Instance, Stage};
use crate::types::TypeId;
use crate::value::Value;

impl Instance {
    /// `asyncio.create_task(coroutine)`: it takes its first step when the creator waits.
    pub(crate) fn create_task(&mut self, coroutine: &Value, name: Option<Arc<str>>) -> Eval<Id> {
        let taken = match coroutine {
            Value::Ref(id) => match self.cx.heap.get_mut(*id) {
                Object::Coroutine(inner) => Some(std::mem::replace(&mut **inner, Coroutine::Consumed)),
                _ => None,
            },
            _ => None,
        };
        match taken {
            Some(Coroutine::Function(frame)) => Ok(self.spawn(vec![Activation::Frame(frame)], Value::None, name)),
            Some(Coroutine::Consumed) => {
                Err(self.cx.raise(TypeId::RUNTIME_ERROR, "cannot reuse already awaited coroutine"))
            }
            Some(other) => {
                let start = Value::Ref(self.cx.heap.add(Object::Coroutine(Box::new(other))));
                Ok(self.spawn(Vec::new(), start, name))
            }
            None => {
                let shown = crate::python::repr::repr(&mut self.cx, coroutine)?;
                Err(self.cx.type_error(format!("a coroutine was expected, got {shown}")))
            }
        }
    }

    pub(crate) fn spawn_frame(&mut self, frame: Frame) -> Id {
        self.spawn(vec![Activation::Frame(frame)], Value::None, None)
    }

    fn spawn(&mut self, stack: Vec<Activation>, start: Value, name: Option<Arc<str>>) -> Id {
        let ordinal = self.next_task;
        self.next_task += 1;
        let name = name.unwrap_or_else(|| format!("Task-{ordinal}").into());
        let id = self.add_task(ordinal, stack, start, name, false);
        self.tasks.insert(ordinal, id);
        self.ready.push_back(Ready::Step(id));
        id
    }

    /// A task without code: it ends with what it waits for.
    pub(crate) fn spawn_waiting(&mut self, name: Arc<str>) -> Id {
        let ordinal = self.next_task;
        self.next_task += 1;
        let id = self.add_task(ordinal, Vec::new(), Value::None, name, false);
        self.tasks.insert(ordinal, id);
        id
    }

    /// It is not waited for at the end.
    pub(crate) fn forget_task(&mut self, id: Id) {
        if let Some(ordinal) = self.task_mut(id).map(|task| task.ordinal) {
            self.tasks.remove(&ordinal);
        }
    }

    fn add_task(&mut self, ordinal: u64, stack: Vec<Activation>, start: Value, name: Arc<str>, internal: bool) -> Id {
        let waiting = Waiting::Nothing;
        let cancel_message = Value::None;
        let task =
            Task { ordinal, stack, start, waiting, must_cancel: false, cancelling: 0, cancel_message, name, internal };
        self.cx.heap.add(Object::Future(Box::new(Future { task: Some(Box::new(task)), ..Future::new() })))
    }

    /// Runs a callback of the loop to its end. It may not wait.
    pub(crate) fn call_back(&mut self, function: Value, argument: Value) {
        let id = self.add_task(0, Vec::new(), Value::None, "callback".into(), true);
        self.current = Some(id);
        match self.invoke(&function, &[argument], &[]) {
            Ok(Some(value)) => self.finish_task(id, Ok(value)),
            Ok(None) => self.go_on(),
            Err(fault) => self.finish_task(id, Err(fault)),
        }
    }

    /// A step of a task: goes on with what it waited for.
    pub(crate) fn step(&mut self, id: Id, resumption: Resumption) {
        if self.future(id).is_done() {
            return;
        }
        let resumption = match resumption {
            Resumption::Future(future) => match self.result_of(future) {
                Ok(value) => Resumption::Value(value),
                Err(fault) => Resumption::Raise(self.exception_of(fault)),
            },
            Resumption::Cancelled => Resumption::Raise(self.task_cancelled_error(id)),
            other => other,
        };
        let Some(task) = self.task_mut(id) else { return };
        task.waiting = Waiting::Nothing;
        let stack = std::mem::take(&mut task.stack);
        let start = std::mem::replace(&mut task.start, Value::None);
        let must_cancel = std::mem::take(&mut task.must_cancel);
        let mut resumption = resumption;
        if let Resumption::Late(value) = resumption {
            // A task that is nothing but the action ends with its value.
            task.must_cancel = !stack.is_empty();
            resumption = Resumption::Value(value);
        }
        self.stack = stack;
        self.current = Some(id);
        if must_cancel {
            let is_cancellation = matches!(&resumption, Resumption::Raise(exception)
                if self.cx.types.is_subtype(self.cx.type_of(&Value::Ref(*exception)), TypeId::CANCELLED_ERROR));
            if !is_cancellation {
                resumption = Resumption::Raise(self.task_cancelled_error(id));
            }
        }
        match resumption {
            Resumption::Raise(exception) => {
                self.unwind(Fault::Raise(exception));
                self.go_on();
            }
            Resumption::Value(value) if start.is_none() => {
                self.deliver(value);
                self.go_on();
            }
            _ => match self.wait_on(&start) {
                Ok(true) => self.suspend(),
                Ok(false) => self.go_on(),
                Err(fault) => {
                    self.unwind(fault);
                    self.go_on();
                }
            },
        }
    }

    pub(crate) fn task_mut(&mut self, id: Id) -> Option<&mut Task> {
        self.future_mut(id).task.as_deref_mut()
    }

    fn task_cancelled_error(&mut self, id: Id) -> Id {
        let message = self.task_mut(id).map(|task| std::mem::replace(&mut task.cancel_message, Value::None));
        self.cancelled_error(&message.unwrap_or(Value::None))
    }

    /// Puts the running task aside: it waits for what `waiting` says.
    pub(crate) fn suspend(&mut self) {
        let Some(id) = self.current.take() else { return };
        let stack = std::mem::take(&mut self.stack);
        let position = stack.iter().rev().find_map(|activation| match activation {
            Activation::Frame(frame) => Some((u64::from(frame.function) << 32) | u64::from(frame.position)),
            Activation::Driver(_) => None,
        });
        self.mix(position.unwrap_or(0));
        let Some(task) = self.task_mut(id) else { return };
        task.stack = stack;
        // Cancelled before it came to wait: what it waits for is cancelled instead.
        if task.must_cancel {
            let message = task.cancel_message.clone();
            if self.cancel_wait(id, &message)
                && let Some(task) = self.task_mut(id)
            {
                task.must_cancel = false;
            }
        }
    }

    /// The coroutine of a task has ended.
    pub(crate) fn finish_task(&mut self, id: Id, outcome: Eval) {
        self.current = None;
        self.stack.clear();
        let Some(task) = self.task_mut(id) else { return };
        let (ordinal, internal, must_cancel) = (task.ordinal, task.internal, task.must_cancel);
        if internal {
            if let Err(fault) = outcome {
                let exception = self.exception_of(fault);
                let text = crate::python::repr::repr(&mut self.cx, &Value::Ref(exception)).unwrap_or_default();
                self.cx.log.push(crate::context::LogLine {
                    level: "error".into(),
                    text: format!("exception in callback: {text}"),
                });
            }
            return;
        }
        self.tasks.remove(&ordinal);
        let state = match outcome {
            Ok(_) if must_cancel => FutureState::Cancelled(Some(self.task_cancelled_error(id))),
            Ok(value) => FutureState::Done(value),
            Err(fault) => {
                let exception = self.exception_of(fault);
                let class = self.cx.type_of(&Value::Ref(exception));
                match self.cx.types.is_subtype(class, TypeId::CANCELLED_ERROR) {
                    true => FutureState::Cancelled(Some(exception)),
                    false => FutureState::Failed(exception),
                }
            }
        };
        self.settle_future(id, state);
        self.mix(ordinal);
        if Some(id) == self.main {
            self.ready.push_back(Ready::MainDone);
        }
        if self.ending == Stage::Closing {
            self.closing();
        }
    }

    /// A sleep is over: the task is resumed one turn later, as asyncio's future would do it.
    pub(crate) fn awake(&mut self, id: Id) {
        let Some(task) = self.task_mut(id) else { return };
        if let Waiting::Timer { result, .. } = std::mem::replace(&mut task.waiting, Waiting::Nothing) {
            self.ready.push_back(Ready::Resume(id, Resumption::Value(result)));
        }
    }

    /// Makes the running task wait for something awaitable. True: it waits. False: it goes on at once, with a value
    /// delivered or a frame on its stack.
    pub(crate) fn wait_on(&mut self, awaitable: &Value) -> Eval<bool> {
        let Some(current) = self.current else { return Ok(false) };
        let Value::Ref(id) = awaitable else { return Err(self.not_awaitable(awaitable)) };
        match self.cx.heap.get_mut(*id) {
            Object::Coroutine(coroutine) => {
                let taken = std::mem::replace(&mut **coroutine, Coroutine::Consumed);
                match taken {
                    Coroutine::Consumed => {
                        Err(self.cx.raise(TypeId::RUNTIME_ERROR, "cannot reuse already awaited coroutine"))
                    }
                    Coroutine::Function(frame) => {
                        self.push_frame(frame)?;
                        Ok(false)
                    }
                    Coroutine::Action(request) => {
                        self.dispatch(current, *request)?;
                        Ok(true)
                    }
                    Coroutine::Step { generator, method, value } => {
                        self.step_generator(generator, &method, value)?;
                        Ok(false)
                    }
                    Coroutine::Sleep { seconds, result } => {
                        self.sleep(current, seconds, result);
                        Ok(true)
                    }
                }
            }
            Object::Future(future) if future.is_done() => {
                let value = self.result_of(*id)?;
                self.deliver(value);
                Ok(false)
            }
            Object::Future(_) if *id == current => {
                // As asyncio: noticed by the loop, told one turn later.
                let text =
                    format!("Task cannot await on itself: {}", crate::python::repr::repr(&mut self.cx, awaitable)?);
                let exception = self.cx.exception(TypeId::RUNTIME_ERROR, vec![Value::from(text)]);
                self.ready.push_back(Ready::Resume(current, Resumption::Raise(exception)));
                Ok(true)
            }
            Object::Future(future) => {
                future.callbacks.push(Callback::Wake(current));
                if let Some(task) = self.task_mut(current) {
                    task.waiting = Waiting::Future(*id);
                }
                Ok(true)
            }
            _ => Err(self.not_awaitable(awaitable)),
        }
    }

    fn not_awaitable(&mut self, value: &Value) -> Fault {
        let name = self.cx.type_name(value);
        self.cx.type_error(format!("object {name} can't be used in 'await' expression"))
    }

    fn sleep(&mut self, task: Id, seconds: f64, result: Value) {
        if seconds <= 0.0 {
            self.ready.push_back(Ready::Resume(task, Resumption::Value(result)));
            return;
        }
        let deadline_us = self.cx.now_us.saturating_add(microseconds(seconds));
        let ordinal = self.add_timer(deadline_us, Timer::Sleep(task));
        if let Some(task) = self.task_mut(task) {
            task.waiting = Waiting::Timer { deadline_us, ordinal, result };
        }
    }
}

/// Saturates: a sleep of a thousand centuries is a long sleep, not an error.
pub(crate) fn microseconds(seconds: f64) -> i64 {
    (seconds * 1e6).round() as i64
}
