//! Futures: a state, and callbacks that go through the ready queue.

use crate::asyncio::{Ready, Resumption};
use crate::context::{Eval, Fault};
use crate::heap::{Callback, Future, FutureState, Id, Object};
use crate::instance::Instance;
use crate::types::TypeId;
use crate::value::Value;

impl Instance {
    pub(crate) fn new_future(&mut self) -> Id {
        self.cx.heap.add(Object::Future(Box::default()))
    }

    /// # Panics
    /// When the object is no future: the caller knows that it is.
    pub(crate) fn future(&self, id: Id) -> &Future {
        match self.cx.heap.get(id) {
            Object::Future(future) => future,
            other => unreachable!("{:?} is no future", other.type_id()),
        }
    }

    pub(crate) fn future_mut(&mut self, id: Id) -> &mut Future {
        match self.cx.heap.get_mut(id) {
            Object::Future(future) => future,
            other => unreachable!("{:?} is no future", other.type_id()),
        }
    }

    pub(crate) fn resolve(&mut self, future: Id, value: Value) {
        self.settle_future(future, FutureState::Done(value));
    }

    pub(crate) fn settle_future(&mut self, id: Id, state: FutureState) {
        let future = self.future_mut(id);
        future.state = state;
        let callbacks = std::mem::take(&mut future.callbacks);
        for callback in callbacks {
            self.schedule(id, callback);
        }
    }

    fn schedule(&mut self, future: Id, callback: Callback) {
        self.ready.push_back(match callback {
            Callback::Wake(task) => Ready::Resume(task, Resumption::Future(future)),
            Callback::Gathered { outer, index } => Ready::Gathered { outer, index, child: future },
            Callback::Call(function) => Ready::Call { function, argument: Value::Ref(future) },
        });
    }

    pub(crate) fn add_callback(&mut self, future: Id, callback: Callback) {
        if self.future(future).is_done() {
            self.schedule(future, callback);
        } else {
            self.future_mut(future).callbacks.push(callback);
        }
    }

    pub(crate) fn cancelled_error(&mut self, message: &Value) -> Id {
        let args = if message.is_none() { Vec::new() } else { vec![message.clone()] };
        self.cx.exception(TypeId::CANCELLED_ERROR, args)
    }

    /// `future.result()`
    pub(crate) fn result_of(&mut self, id: Id) -> Eval {
        match self.future(id).state.clone() {
            FutureState::Done(value) => Ok(value),
            FutureState::Failed(exception) => Err(Fault::Raise(exception)),
            FutureState::Cancelled(Some(exception)) => Err(Fault::Raise(exception)),
            FutureState::Cancelled(None) => Err(Fault::Raise(self.cancelled_error(&Value::None))),
            FutureState::Pending => Err(self.cx.raise(TypeId::INVALID_STATE_ERROR, "Result is not set.")),
        }
    }

    /// Methods of futures and tasks.
    pub(crate) fn future_method(
        &mut self,
        id: Id,
        name: &str,
        args: &[Value],
        keyword: &[(std::sync::Arc<str>, Value)],
    ) -> Option<Eval> {
        let is_task = self.future(id).task.is_some();
        let first = args.first().cloned().or_else(|| keyword.first().map(|(_, value)| value.clone()));
        Some(match name {
            "done" => Ok(Value::Bool(self.future(id).is_done())),
            "cancelled" => Ok(Value::Bool(matches!(self.future(id).state, FutureState::Cancelled(_)))),
            "result" => match self.future(id).state {
                FutureState::Pending if is_task => {
                    Err(self.cx.raise(TypeId::INVALID_STATE_ERROR, "Result is not set."))
                }
                _ => self.result_of(id),
            },
            "exception" => match self.future(id).state.clone() {
                FutureState::Done(_) => Ok(Value::None),
                FutureState::Failed(exception) => Ok(Value::Ref(exception)),
                FutureState::Cancelled(_) => self.result_of(id),
                FutureState::Pending => Err(self.cx.raise(TypeId::INVALID_STATE_ERROR, "Exception is not set.")),
            },
            "cancel" => {
                self.cx.mutations += 1;
                Ok(Value::Bool(self.cancel_future(id, first.unwrap_or(Value::None))))
            }
            "set_result" if !is_task => self.set_state(id, FutureState::Done(first.unwrap_or(Value::None))),
            "set_exception" if !is_task => match self.exception_from(&first.unwrap_or(Value::None)) {
                Ok(exception) => self.set_state(id, FutureState::Failed(exception)),
                Err(fault) => Err(fault),
            },
            "add_done_callback" => {
                self.cx.mutations += 1;
                self.add_callback(id, Callback::Call(first.unwrap_or(Value::None)));
                Ok(Value::None)
            }
            "remove_done_callback" => {
                self.cx.mutations += 1;
                let gone = first.unwrap_or(Value::None);
                let mut removed = 0;
                let callbacks = std::mem::take(&mut self.future_mut(id).callbacks);
                let mut kept = Vec::with_capacity(callbacks.len());
                for callback in callbacks {
                    if matches!(&callback, Callback::Call(function) if self.same_callable(function, &gone)) {
                        removed += 1;
                    } else {
                        kept.push(callback);
                    }
                }
                self.future_mut(id).callbacks = kept;
                Ok(Value::Int(removed))
            }
            "get_name" if is_task => Ok(Value::Str(self.future(id).task.as_ref()?.name.clone())),
            "set_name" if is_task => {
                if let (Some(task), Some(Value::Str(name))) = (&mut self.future_mut(id).task, first) {
                    task.name = name;
                }
                Ok(Value::None)
            }
            "cancelling" if is_task => Ok(Value::Int(i64::from(self.future(id).task.as_ref()?.cancelling))),
            "uncancel" if is_task => {
                self.cx.mutations += 1;
                let task = self.future_mut(id).task.as_mut()?;
                task.cancelling = task.cancelling.saturating_sub(1);
                // As Python 3.13: who takes all requests back is not cancelled at the next await either.
                task.must_cancel &= task.cancelling > 0;
                Ok(Value::Int(i64::from(task.cancelling)))
            }
            _ => return None,
        })
    }

    fn set_state(&mut self, id: Id, state: FutureState) -> Eval {
        self.cx.mutations += 1;
        if self.future(id).is_done() {
            return Err(self.cx.raise(TypeId::INVALID_STATE_ERROR, "invalid state"));
        }
        self.settle_future(id, state);
        Ok(Value::None)
    }

    /// Bound methods are made anew each time they are looked up; they are the same if they bind the same.
    fn same_callable(&self, left: &Value, right: &Value) -> bool {
        match (left, right) {
            (Value::Ref(left), Value::Ref(right)) if left == right => true,
            (Value::Ref(left), Value::Ref(right)) => match (self.cx.heap.get(*left), self.cx.heap.get(*right)) {
                (Object::Bound { receiver: a, function: f }, Object::Bound { receiver: b, function: g }) => {
                    crate::python::compare::is(a, b) && crate::python::compare::is(f, g)
                }
                (Object::Method { receiver: a, name: f }, Object::Method { receiver: b, name: g }) => {
                    crate::python::compare::is(a, b) && f == g
                }
                _ => false,
            },
            _ => crate::python::compare::is(left, right),
        }
    }
}
