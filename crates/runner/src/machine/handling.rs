//! The instructions of exceptions: raising, handlers, `finally`.

use super::Step;
use super::execute::{pop, top};
use crate::context::{Eval, Fault};
use crate::graph::{Lowered, Op};
use crate::heap::{Activation, Frame};
use crate::instance::Instance;
use crate::lower::{REASON_EXIT, REASON_NORMAL, REASON_RAISE};
use crate::python::compare;
use crate::types::TypeId;
use crate::value::Value;

impl Instance {
    pub(super) fn execute_handling(&mut self, unit: &Lowered, op: Op) -> Eval<Step> {
        let Some(Activation::Frame(frame)) = self.stack.last_mut() else { return Ok(Step::Switch) };
        let cx = &mut self.cx;
        match op {
            Op::Raise { cause } => return Err(self.raise(cause)),
            Op::Reraise => return Err(self.reraise()),
            Op::Rethrow => {
                let exception = pop(frame);
                if let Value::Ref(id) = exception {
                    return Err(Fault::Raise(id));
                }
            }
            Op::EnterHandler => {
                let exception = pop(frame);
                frame.handling.push(exception);
            }
            Op::LeaveHandler => {
                frame.handling.pop();
            }
            Op::Handled => {
                let exception = frame.handling.last().cloned().unwrap_or(Value::None);
                frame.operands.push(exception);
            }
            Op::MatchException => {
                let class = top(frame).clone();
                let handled = frame.handling.last().cloned().unwrap_or(Value::None);
                let matches = self.exception_matches(&handled, &class)?;
                self.replace_top(1, Value::Bool(matches));
            }
            Op::FinallyRaised(payload) => {
                frame.locals[payload as usize] = pop(frame);
                frame.locals[payload as usize + 1] = Value::Int(REASON_RAISE);
            }
            Op::EnterFinally(payload) => {
                let handled = finally_exception(frame, payload);
                frame.handling.push(handled);
            }
            Op::FinallyException(payload) => {
                let exception = finally_exception(frame, payload);
                frame.operands.push(exception);
            }
            Op::FinallySuppress(payload) => {
                let value = top(frame).clone();
                if compare::truth(cx, &value)? && matches!(frame.locals[payload as usize + 1], Value::Int(REASON_RAISE))
                {
                    frame.locals[payload as usize + 1] = Value::Int(REASON_NORMAL);
                    frame.locals[payload as usize] = Value::Unbound;
                }
                frame.operands.pop();
            }
            Op::EndFinally { payload, .. } => {
                frame.handling.pop();
                let reason = std::mem::take(&mut frame.locals[payload as usize + 1]);
                match reason {
                    Value::Int(REASON_RAISE) => {
                        if let Value::Ref(id) = std::mem::take(&mut frame.locals[payload as usize]) {
                            return Err(Fault::Raise(id));
                        }
                    }
                    // The jump for falling through stands first, then one an exit.
                    Value::Int(exit) if exit >= REASON_EXIT => frame.position += (exit - REASON_EXIT) as u32 + 1,
                    _ => {}
                }
            }
            Op::EndAsyncFor { slot, end } => {
                let exception = pop(frame);
                if cx.types.is_subtype(cx.type_of(&exception), TypeId::STOP_ASYNC_ITERATION) {
                    frame.locals[slot as usize] = Value::Unbound;
                    frame.position = end;
                } else if let Value::Ref(id) = exception {
                    return Err(Fault::Raise(id));
                }
            }
            Op::AssertFailed { message } => {
                let args = if message { vec![pop(frame)] } else { Vec::new() };
                return Err(cx.raise_with(TypeId::ASSERTION_ERROR, args));
            }
            _ => return self.execute_pattern(unit, op),
        }
        Ok(Step::Next)
    }
}

fn finally_exception(frame: &Frame, payload: u32) -> Value {
    match frame.locals[payload as usize + 1] {
        Value::Int(REASON_RAISE) => frame.locals[payload as usize].clone(),
        _ => Value::None,
    }
}
