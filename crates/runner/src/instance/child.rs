//! Children that are started without waiting for them: a task that is nothing but the call.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::{ChildOptions, Effect, ExecutionId, Instance, OnClose};
use crate::context::Eval;
use crate::exchange;
use crate::heap::{ActionRequest, Activation, Id, Object, Waiting};
use crate::lower::PRELUDE;
use crate::machine;
use crate::python::{Args, iterate, number, repr};
use crate::types::TypeId;
use crate::value::Value;

/// Priorities are 0 … 3.
const PRIORITY_MAX: i64 = 3;
const TEXT_BYTES_MAX: usize = 500;

/// The instance that a call of a child workflow is, derived, so that starting it again starts nothing.
pub fn child_instance_id(execution: ExecutionId, attempt: u32) -> u128 {
    let mut digest = Sha256::new();
    digest.update(b"child\0");
    digest.update(format!("{execution}/{attempt}"));
    let digest = digest.finalize();
    let mut bytes: [u8; 16] = std::array::from_fn(|at| digest[at]);
    // Version 8 of UUIDs: of one's own making.
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    u128::from_be_bytes(bytes)
}

/// A child that has not ended, as far as its parent knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveChild {
    pub ordinal: u64,
    pub attempt: u32,
    pub id: u128,
    pub is_abandoned_at_the_end: bool,
}

impl Instance {
    /// Starts a child at once: gives its task and its instance's id.
    pub(crate) fn start_child(&mut self, args: Args<'_>) -> Eval<Option<Value>> {
        let [name, inputs, options] = args.bind(&mut self.cx, "start_workflow", ["name", "inputs", "options"], 3)?;
        let Some(Value::Str(name)) = name else {
            return Err(self.cx.type_error("the name of a workflow must be a string"));
        };
        let (mut keyword, mut given) = (Vec::new(), Vec::new());
        for (from, to) in [(inputs, &mut keyword), (options, &mut given)] {
            match from {
                Some(Value::Ref(id)) if matches!(self.cx.heap.get(id), Object::Dict(_)) => {
                    *to = self.keywords_of(&Value::Ref(id));
                }
                _ => return Err(self.cx.type_error("a workflow takes its inputs and options by name")),
            }
        }
        let (options, queue) = self.child_options(given)?;
        let mut policy = (*machine::default_policy()).clone();
        policy.queue = queue;
        let (function, node) = self.place();
        let request = ActionRequest {
            name: name.clone(),
            is_workflow: true,
            positional: Vec::new(),
            keyword,
            policy: Arc::new(policy),
            function,
            node,
            child: Some(Arc::new(options)),
        };
        self.cx.mutations += 1;
        let ordinal = self.next_execution;
        let task = self.spawn_waiting(name);
        if let Err(fault) = self.dispatch(task, request) {
            self.forget_task(task);
            return Err(fault);
        }
        let id = child_instance_id(self.execution_id(ordinal), 1);
        let shown = Value::from(uuid_text(id));
        Ok(Some(self.cx.tuple(vec![Value::Ref(task), shown])))
    }

    fn child_options(&mut self, given: Vec<(Arc<str>, Value)>) -> Eval<(ChildOptions, Option<Arc<str>>)> {
        let mut options = ChildOptions::default();
        let (mut queue, mut delay, mut timeout) = (None, None, None);
        for (name, value) in given {
            if value.is_none() {
                continue;
            }
            match &*name {
                "id" => options.id = Some(self.option_text("id", value)?),
                "queue" => queue = Some(self.option_text("queue", value)?),
                "tags" => {
                    let tags = match &value {
                        Value::Str(_) => vec![value],
                        _ => iterate::collect(&mut self.cx, &value)?,
                    };
                    for tag in tags {
                        options.tags.push(self.option_text("tags", tag)?);
                    }
                }
                "priority" => {
                    let priority = number::to_index_i64(&mut self.cx, &value)?;
                    if !(0..=PRIORITY_MAX).contains(&priority) {
                        let text = format!("priority is 0 (first) to {PRIORITY_MAX} (last), not {priority}");
                        return Err(self.cx.value_error(text));
                    }
                    options.priority = Some(priority as u8);
                }
                "key" => options.key = Some(self.option_text("key", value)?),
                "delay" => delay = Some(self.duration("delay", &value)?),
                "timeout" => timeout = Some(self.duration("timeout", &value)?),
                "parent_close" => {
                    options.on_close = match &value {
                        Value::Str(text) if &**text == "cancel" => OnClose::Cancel,
                        Value::Str(text) if &**text == "abandon" => OnClose::Abandon,
                        Value::Str(text) if &**text == "wait" => OnClose::Wait,
                        other => {
                            let shown = repr::repr(&mut self.cx, other)?;
                            let text = format!("parent_close is 'cancel', 'abandon' or 'wait', not {shown}");
                            return Err(self.cx.value_error(text));
                        }
                    }
                }
                other => {
                    let text = format!("a child workflow is started without an option {other:?}");
                    return Err(self.cx.type_error(text));
                }
            }
        }
        options.start_at_us = delay.map(|delay| self.cx.now_us.saturating_add(delay));
        let begins_us = options.start_at_us.unwrap_or(self.cx.now_us);
        options.deadline_us = timeout.map(|timeout| begins_us.saturating_add(timeout));
        Ok((options, queue))
    }

    fn option_text(&mut self, name: &str, value: Value) -> Eval<Arc<str>> {
        match value {
            Value::Str(text) if !text.is_empty() && text.len() <= TEXT_BYTES_MAX && !text.contains('\0') => Ok(text),
            Value::Str(text) => {
                let length = text.len();
                let problem = format!("{name} is a text of 1 to {TEXT_BYTES_MAX} bytes, not of {length}, without NUL");
                Err(self.cx.value_error(problem))
            }
            other => {
                let shown = repr::repr(&mut self.cx, &other)?;
                Err(self.cx.type_error(format!("{name} is a text, not {shown}")))
            }
        }
    }

    /// Where in the program we are: function and node.
    fn place(&self) -> (u32, u32) {
        let frame = self.stack.iter().rev().find_map(|activation| match activation {
            Activation::Frame(frame) if frame.function & PRELUDE == 0 => Some(frame),
            _ => None,
        });
        frame.map_or((0, 0), |frame| {
            let graph = machine::graph(&self.lowered, frame.function);
            (frame.function, graph.node_at(frame.position.saturating_sub(1)))
        })
    }

    pub(crate) fn signal_child(&mut self, args: Args<'_>) -> Eval<Option<Value>> {
        let names = ["task", "instance_id", "name", "value", "id"];
        let [task, instance_id, name, value, id] = args.bind(&mut self.cx, "signal", names, 5)?;
        let Some(Value::Str(name)) = name else {
            return Err(self.cx.type_error("the name of a signal must be a string"));
        };
        let execution = match task {
            Some(Value::Ref(task)) => self.child_of(task),
            _ => None,
        };
        let Some((ordinal, attempt)) = execution else {
            let child = repr::display(&mut self.cx, &instance_id.unwrap_or_default())?;
            let text = format!("{child} has finished: nobody reads the signal '{name}'");
            return Err(self.cx.raise(TypeId::INSTANCE_FINISHED, text));
        };
        let id = match id {
            None | Some(Value::None) => {
                self.next_signal += 1;
                format!("{}:{}", self.execution_id(ordinal), self.next_signal)
            }
            Some(id) => self.option_text("id", id)?.to_string(),
        };
        let payload = exchange::export(&mut self.cx, &value.unwrap_or_default(), &format!("the signal '{name}'"))?;
        self.cx.mutations += 1;
        let child = child_instance_id(self.execution_id(ordinal), attempt);
        self.effect(Effect::SignalChild { ordinal, attempt, child, name, payload, id });
        Ok(Some(Value::None))
    }

    /// The child that a task is, while it has not ended.
    fn child_of(&self, task: Id) -> Option<(u64, u32)> {
        let future = self.future(task);
        let Waiting::Execution(ordinal) = future.task.as_ref()?.waiting else { return None };
        self.executions.get(&ordinal).filter(|_| !future.is_done()).map(|execution| (ordinal, execution.attempt))
    }

    /// What becomes of a task when the main one is done.
    pub(crate) fn on_close(&self, task: Id) -> OnClose {
        let execution = self.child_of(task).and_then(|(ordinal, _)| self.executions.get(&ordinal));
        execution.and_then(|execution| execution.call.child.as_ref()).map_or(OnClose::Cancel, |child| child.on_close)
    }

    /// Children that it waits for, or may.
    pub fn children(&self) -> impl Iterator<Item = LiveChild> {
        let children = self.executions.iter().filter(|(_, execution)| execution.is_workflow);
        children.map(|(ordinal, execution)| LiveChild {
            ordinal: *ordinal,
            attempt: execution.attempt,
            id: child_instance_id(execution.call.execution, execution.attempt),
            is_abandoned_at_the_end: execution.is_abandoned_at_the_end(),
        })
    }

    /// Nobody waits for it any more, and nobody stops it.
    pub(crate) fn abandon(&mut self, task: Id) {
        if let Some((ordinal, _)) = self.child_of(task)
            && let Some(timer) = self.executions.remove(&ordinal).and_then(|execution| execution.timer)
        {
            self.timers.remove(&timer);
        }
        self.forget_task(task);
    }
}

fn uuid_text(id: u128) -> String {
    let hex = format!("{id:032x}");
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}
