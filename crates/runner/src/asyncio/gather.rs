//! `gather`: a countdown on its children.

use crate::asyncio::Ready;
use crate::context::Eval;
use crate::heap::{Callback, Coroutine, Future, FutureState, Gather, Id, Object};
use crate::instance::Instance;
use crate::value::Value;

impl Instance {
    /// Makes tasks of what is not yet one, and a future for them all.
    pub(crate) fn gather(&mut self, awaitables: &[Value], return_exceptions: bool) -> Eval {
        if awaitables.len() > self.cx.limits.spread_max {
            let text = format!(
                "{} awaitables are more than one gather may start ({})",
                awaitables.len(),
                self.cx.limits.spread_max
            );
            return Err(self.cx.value_error(text));
        }
        let mut children = Vec::with_capacity(awaitables.len());
        let mut made: Vec<(Id, Id)> = Vec::new();
        for awaitable in awaitables {
            // The same coroutine given twice is one task.
            let known = match awaitable {
                Value::Ref(id) if matches!(self.cx.heap.get(*id), Object::Coroutine(coroutine) if matches!(**coroutine, Coroutine::Consumed)) => {
                    made.iter().find(|(coroutine, _)| coroutine == id).map(|(_, task)| *task)
                }
                _ => None,
            };
            let child = match known {
                Some(task) => task,
                None => {
                    let task = self.ensure_future(awaitable)?;
                    if let Value::Ref(id) = awaitable {
                        made.push((*id, task));
                    }
                    task
                }
            };
            children.push(child);
        }
        let outer = self.new_future();
        if children.is_empty() {
            let empty = self.cx.list(Vec::new());
            self.resolve(outer, empty);
            return Ok(Value::Ref(outer));
        }
        let mut missing = 0;
        let mut seen = rustc_hash::FxHashSet::default();
        for (index, child) in children.iter().enumerate() {
            if seen.insert(*child) {
                missing += 1;
                self.add_callback(*child, Callback::Gathered { outer, index: index as u32 });
            }
        }
        let gather = Gather { children, missing, return_exceptions, cancel_requested: false };
        self.future_mut(outer).gather = Some(Box::new(gather));
        Ok(Value::Ref(outer))
    }

    /// A child is done: the countdown, and at its end the results in the order of the arguments.
    pub(crate) fn gathered(&mut self, outer: Id, _index: u32, child: Id) {
        let future = self.future_mut(outer);
        let is_done = future.is_done();
        let Some(gather) = &mut future.gather else { return };
        gather.missing -= 1;
        let (missing, return_exceptions, cancel_requested) =
            (gather.missing, gather.return_exceptions, gather.cancel_requested);
        if is_done {
            return;
        }
        if !return_exceptions {
            let failed = match self.future(child).state {
                FutureState::Failed(exception) => Some(exception),
                FutureState::Cancelled(_) => match self.result_of(child) {
                    Err(fault) => Some(self.exception_of(fault)),
                    Ok(_) => None,
                },
                _ => None,
            };
            if let Some(exception) = failed {
                return self.settle_future(outer, FutureState::Failed(exception));
            }
        }
        if missing > 0 {
            return;
        }
        if cancel_requested {
            let exception = self.cancelled_error(&Value::None);
            return self.settle_future(outer, FutureState::Failed(exception));
        }
        let children = self
            .future_mut(outer)
            .gather
            .as_mut()
            .map(|gather| std::mem::take(&mut gather.children))
            .unwrap_or_default();
        let mut results = Vec::with_capacity(children.len());
        for child in &children {
            results.push(match self.result_of(*child) {
                Ok(value) => value,
                Err(_) if matches!(self.future(*child).state, FutureState::Cancelled(_)) => {
                    // As asyncio: a fresh exception, with an empty message where there was none.
                    let message = match self.future(*child).state {
                        FutureState::Cancelled(Some(exception)) => match self.cx.heap.get(exception) {
                            Object::Exception(exception) => exception.args.first().cloned(),
                            _ => None,
                        },
                        _ => None,
                    };
                    Value::Ref(self.cancelled_error(&message.unwrap_or_else(|| Value::from(""))))
                }
                Err(fault) => Value::Ref(self.exception_of(fault)),
            });
        }
        let results = self.cx.list(results);
        self.settle_future(outer, FutureState::Done(results));
    }

    /// A task for a coroutine; a future as it is.
    pub(crate) fn ensure_future(&mut self, awaitable: &Value) -> Eval<Id> {
        if let Value::Ref(id) = awaitable {
            match self.cx.heap.get(*id) {
                Object::Future(_) => return Ok(*id),
                Object::Coroutine(_) => return self.create_task(awaitable, None),
                _ => {}
            }
        }
        Err(self.cx.type_error("An asyncio.Future, a coroutine or an awaitable is required"))
    }
}

/// Kept small on purpose: a gather of a hundred thousand has as many of them.
const _: () = assert!(std::mem::size_of::<Future>() <= 96 && std::mem::size_of::<Ready>() <= 64);
