//! The machine: runs the frames of one task until it waits or ends.
//!
//! An operation leaves its operands on the stack until it has succeeded, so that one which native code can't do
//! faithfully can be handed over to a worker with them ([`crate::context::Fault::Worker`]).

mod action;
mod attribute;
mod call;
mod construct;
mod display;
mod driver;
mod execute;
mod generator;
pub(crate) mod hand_over;
mod handling;
mod matching;
mod special;
mod unwind;
mod written;

pub(crate) use action::default_policy;

use std::sync::Arc;

use crate::asyncio::prelude;
use crate::context::{Eval, Fault};
use crate::graph::{Graph, Lowered, Shared};
use crate::heap::{Activation, Frame, FunctionObject, Object};
use crate::instance::Instance;
use crate::lower::PRELUDE;
use crate::types::TypeId;
use crate::value::Value;

/// What an instruction came to.
pub(crate) enum Step {
    /// On to the next one.
    Next,
    /// Another frame is on top now.
    Switch,
    /// The task waits.
    Wait,
}

/// The program that a function number belongs to.
pub(crate) fn unit(lowered: &Arc<Lowered>, function: u32) -> &Lowered {
    if function & PRELUDE != 0 { prelude::lowered() } else { lowered }
}

pub(crate) fn graph(lowered: &Arc<Lowered>, function: u32) -> &Graph {
    &unit(lowered, function).graphs[(function & !PRELUDE) as usize]
}

impl Instance {
    /// Runs the current task until it waits, ends, or has used up its slice.
    pub(crate) fn go_on(&mut self) {
        let lowered = self.lowered.clone();
        while self.current.is_some() {
            let outcome = match self.stack.last() {
                None => {
                    // `deliver` and `unwind` have ended the task; one without frames that they did not end would have its turn for ever.
                    self.current = None;
                    return;
                }
                Some(Activation::Frame(frame)) => {
                    let function = frame.function;
                    let unit = unit(&lowered, function);
                    self.execute(unit, &unit.graphs[(function & !PRELUDE) as usize])
                }
                Some(Activation::Driver(_)) => self.drive(),
            };
            match outcome {
                Ok(Step::Wait) => return self.suspend(),
                // A driver has handed something over.
                Ok(Step::Next | Step::Switch) if self.fragment.is_some() => return self.suspend(),
                Ok(Step::Next | Step::Switch) => {}
                Err(Fault::Worker) => {
                    if let Err(fault) = self.hand_over() {
                        self.unwind(fault);
                    } else {
                        return self.suspend();
                    }
                }
                Err(fault) => self.unwind(fault),
            }
            if self.cx.steps >= self.slice_end {
                return;
            }
            if self.cx.heap.wants_collection() {
                self.collect();
            }
            if self.cx.wants_weighing()
                && let Err(fault) = self.weigh()
            {
                self.unwind(fault);
            }
        }
    }

    /// Refuses to hold more than the instance may.
    fn weigh(&mut self) -> Eval<()> {
        self.collect();
        self.cx.allocated = 0;
        self.cx.weighed_mutations = self.cx.mutations;
        let max = self.cx.limits.heap_bytes_max;
        if self.cx.heap.weight() <= max {
            return Ok(());
        }
        Err(self.cx.raise(TypeId::MEMORY_ERROR, format!("the workflow holds more than {max} bytes")))
    }

    /// Gives a value to whoever is on top of the stack: the result of a call, of a wait, of a generator's step.
    pub(crate) fn deliver(&mut self, value: Value) {
        match self.stack.last_mut() {
            Some(Activation::Frame(frame)) => frame.operands.push(value),
            Some(Activation::Driver(driver)) => driver.accept(value),
            None => {
                if let Some(current) = self.current {
                    self.finish_task(current, Ok(value));
                }
            }
        }
    }

    pub(crate) fn push_frame(&mut self, frame: Frame) -> Eval<()> {
        if self.stack.len() >= self.cx.limits.depth_max {
            return Err(self.cx.raise(TypeId::RECURSION_ERROR, "maximum recursion depth exceeded"));
        }
        self.stack.push(Activation::Frame(frame));
        Ok(())
    }

    /// A constant with identity, or a function as a value: made once.
    pub(crate) fn shared_value(&mut self, is_prelude: bool, at: u32) -> Eval {
        let unit: &Lowered = if is_prelude { prelude::lowered() } else { &self.lowered };
        let cache = if is_prelude { &mut self.prelude_shared } else { &mut self.shared };
        if cache.len() < unit.pool.shared.len() {
            cache.resize(unit.pool.shared.len(), Value::Unbound);
        }
        if !cache[at as usize].is_unbound() {
            return Ok(cache[at as usize].clone());
        }
        let value = match unit.pool.shared[at as usize].clone() {
            Shared::Constant(constant) => crate::exchange::import(&mut self.cx, &constant)?,
            Shared::Function(function) => self.function_object(function)?,
        };
        if let Value::Ref(id) = &value
            && let Object::List(list) = self.cx.heap.get_mut(*id)
        {
            list.shared = true;
        }
        let cache = if is_prelude { &mut self.prelude_shared } else { &mut self.shared };
        cache[at as usize] = value.clone();
        Ok(value)
    }

    /// A function of the program or the prelude as a value.
    pub(crate) fn function_object(&mut self, function: u32) -> Eval {
        let lowered = self.lowered.clone();
        let mut defaults = Vec::new();
        for param in &graph(&lowered, function).params {
            defaults.push(match &param.default {
                Some(default) => crate::exchange::import(&mut self.cx, default)?,
                None => Value::Unbound,
            });
        }
        let object = FunctionObject { function, defaults, cells: Vec::new() };
        Ok(Value::Ref(self.cx.heap.add(Object::Function(Box::new(object)))))
    }
}
