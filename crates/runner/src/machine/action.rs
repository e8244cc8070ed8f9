//! Calls that leave the instance: from the operand stack to a request with its policy.

use std::sync::Arc;

use crate::asyncio::microseconds;
use crate::context::Eval;
use crate::graph::{Lowered, PolicyField};
use crate::heap::{ActionRequest, Activation, Object, Policy};
use crate::instance::Instance;
use crate::python::{iterate, number, repr};
use crate::value::Value;

impl Instance {
    pub(super) fn action_request(&mut self, unit: &Lowered, site: u32) -> Eval<ActionRequest> {
        let site = &unit.pool.actions[site as usize];
        let Some(Activation::Frame(frame)) = self.stack.last_mut() else {
            return Err(self.cx.type_error("an action outside of a workflow"));
        };
        let (function, position) = (frame.function, frame.position - 1);
        let node = unit.graphs[(function & !crate::lower::PRELUDE) as usize].node_at(position);
        let settings = frame.operands.split_off(frame.operands.len() - site.policy.len());
        let (positional, keyword) = if site.spread {
            let (dict, list) = (frame.operands.pop().unwrap_or_default(), frame.operands.pop().unwrap_or_default());
            let positional = iterate::collect(&mut self.cx, &list)?;
            (positional, self.keywords_of(&dict))
        } else {
            let values = frame.operands.split_off(frame.operands.len() - site.names.len());
            let positional = frame.operands.split_off(frame.operands.len() - site.positional as usize);
            (positional, site.names.iter().cloned().zip(values).collect())
        };
        let policy = match settings.is_empty() {
            true => default_policy(),
            false => Arc::new(self.policy(&site.policy, settings)?),
        };
        let (name, is_workflow) = (site.name.clone(), site.is_workflow);
        Ok(ActionRequest { name, is_workflow, positional, keyword, policy, function, node, child: None })
    }

    fn policy(&mut self, fields: &[PolicyField], values: Vec<Value>) -> Eval<Policy> {
        let mut policy = (*default_policy()).clone();
        for (field, value) in fields.iter().zip(values) {
            if value.is_none() {
                continue;
            }
            match field {
                PolicyField::Attempts => {
                    let attempts = number::to_index_i64(&mut self.cx, &value)?;
                    policy.attempts_max = match u32::try_from(attempts) {
                        Ok(attempts) if attempts >= 1 => attempts,
                        _ => {
                            return Err(self
                                .cx
                                .value_error(format!("retry must be at least 1 attempt, got {attempts}")));
                        }
                    };
                }
                PolicyField::RetryOn => policy.retry_on = self.class_names(&value)?,
                PolicyField::RetryTimeouts => {
                    policy.retry_timeouts = crate::python::compare::truth(&mut self.cx, &value)?;
                }
                PolicyField::Backoff => policy.backoff_us = self.duration("backoff", &value)?,
                PolicyField::Factor => policy.factor = self.number("factor", &value, 0.0, f64::MAX)?,
                PolicyField::DelayMax => policy.delay_max_us = Some(self.duration("max_delay", &value)?),
                PolicyField::Jitter => policy.jitter = self.number("jitter", &value, 0.0, 1.0)?,
                PolicyField::Timeout => policy.timeout_us = Some(self.duration("timeout", &value)?),
                PolicyField::Grace => policy.grace_us = Some(self.duration("grace", &value)?),
                PolicyField::Queue => match value {
                    Value::Str(name) => policy.queue = Some(name),
                    other => {
                        let shown = repr::repr(&mut self.cx, &other)?;
                        return Err(self.cx.type_error(format!("queue must be a string, got {shown}")));
                    }
                },
                PolicyField::Transaction => {
                    policy.transaction = crate::python::compare::truth(&mut self.cx, &value)?;
                }
            }
        }
        Ok(policy)
    }

    /// Seconds, or a timedelta.
    pub(crate) fn duration(&mut self, what: &str, value: &Value) -> Eval<i64> {
        if let Value::Delta(delta) = value {
            return match i64::try_from(delta.microseconds) {
                Ok(us) if us >= 0 => Ok(us),
                _ => Err(self.cx.value_error(format!("{what} must not be negative"))),
            };
        }
        Ok(microseconds(self.number(what, value, 0.0, f64::MAX)?))
    }

    fn number(&mut self, what: &str, value: &Value, low: f64, high: f64) -> Eval<f64> {
        let number = number::to_f64(&mut self.cx, value)?;
        if (low..=high).contains(&number) {
            return Ok(number);
        }
        let range =
            if high == f64::MAX { "must not be negative".to_string() } else { format!("must be {low} to {high}") };
        Err(self.cx.value_error(format!("{what} {range}, got {number}")))
    }

    fn class_names(&mut self, value: &Value) -> Eval<Vec<Arc<str>>> {
        let classes = match value {
            Value::Type(_) => vec![value.clone()],
            Value::Ref(id) if matches!(self.cx.heap.get(*id), Object::Tuple(_) | Object::List(_)) => {
                iterate::collect(&mut self.cx, value)?
            }
            Value::Str(name) => return Ok(vec![name.clone()]),
            _ => return Err(self.cx.type_error("retry_on must be an exception class or a tuple of them")),
        };
        let mut names = Vec::new();
        for class in classes {
            match class {
                Value::Type(class) => names.push(self.cx.types.get(class).name.clone()),
                Value::Str(name) => names.push(name),
                _ => return Err(self.cx.type_error("retry_on must be an exception class or a tuple of them")),
            }
        }
        Ok(names)
    }
}

/// One attempt, no timeout.
pub(crate) fn default_policy() -> Arc<Policy> {
    static DEFAULT: std::sync::LazyLock<Arc<Policy>> = std::sync::LazyLock::new(|| {
        Arc::new(Policy {
            attempts_max: 1,
            retry_on: Vec::new(),
            retry_timeouts: false,
            backoff_us: 0,
            factor: 2.0,
            delay_max_us: None,
            jitter: 0.0,
            timeout_us: None,
            grace_us: None,
            queue: None,
            transaction: false,
        })
    });
    DEFAULT.clone()
}
