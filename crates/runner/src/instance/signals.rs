//! What others say to a program while it runs, and what it shows of itself: signals, updates, published values.
//!
//! A signal goes to whoever waits longest for its name, or is kept until somebody asks. One whose waiter was cancelled before it
//! went on goes back to the front, so none is lost.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use waymark_ir::Value as Outside;

use super::{Effect, Instance, Reply};
use crate::context::Eval;
use crate::exchange;
use crate::heap::{FutureState, Id, Object};
use crate::python::{Args, repr};
use crate::value::Value;

/// Ids of signals that are remembered.
const HEARD_MAX: usize = 10_000;

/// Names that a program may publish under, and their length.
const PUBLISHED_MAX: usize = 1_000;
const NAME_BYTES_MAX: usize = 500;

/// No signal has a name that begins like this: updates have queues of their own.
const UPDATE: char = '\0';

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Signals {
    pub buffered: VecDeque<Value>,
    /// Futures, in order.
    pub waiting: VecDeque<Id>,
}

/// The last ids of signals that have come, as digests.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Heard {
    order: VecDeque<u64>,
    #[serde(skip)]
    known: FxHashSet<u64>,
}

impl Heard {
    /// Whether it is new.
    fn insert(&mut self, id: &str) -> bool {
        if self.known.len() != self.order.len() {
            self.known = self.order.iter().copied().collect();
        }
        let digest = digest(id);
        if !self.known.insert(digest) {
            return false;
        }
        self.order.push_back(digest);
        if self.order.len() > HEARD_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        true
    }
}

fn digest(id: &str) -> u64 {
    let bytes = Sha256::digest(id);
    u64::from_be_bytes(std::array::from_fn(|at| bytes[at]))
}

/// What people call a queue of signals: `signal go`, `update price`.
pub(super) fn shown(queue: &str) -> String {
    match queue.strip_prefix(UPDATE) {
        Some(name) => format!("update {name}"),
        None => format!("signal {queue}"),
    }
}

impl Instance {
    pub(super) fn signal(&mut self, name: &str, payload: &Outside, id: Option<&str>) {
        if id.is_some_and(|id| !self.heard.insert(id)) {
            return;
        }
        let value = exchange::import(&mut self.cx, payload).unwrap_or(Value::None);
        self.hand_signal(name, value, false);
    }

    /// Whether a signal with this id has come, as far as that is remembered.
    pub fn has_heard(&self, id: &str) -> bool {
        self.heard.order.contains(&digest(id))
    }

    pub(super) fn update(&mut self, name: &str, payload: Outside, id: &str) {
        if !self.heard.insert(id) {
            return;
        }
        let given = Outside::Tuple(vec![Outside::Str(id.into()), payload]);
        let value = exchange::import(&mut self.cx, &given).unwrap_or(Value::None);
        self.hand_signal(&format!("{UPDATE}{name}"), value, false);
    }

    /// To the first who waits; or kept, before the others that are if it was there before.
    fn hand_signal(&mut self, queue: &str, value: Value, was_taken: bool) {
        while let Some(future) = self.signals.get_mut(queue).and_then(|signals| signals.waiting.pop_front()) {
            if !self.future(future).is_done() {
                return self.resolve(future, value);
            }
        }
        let buffered = &mut self.signals.entry(queue.into()).or_default().buffered;
        if was_taken { buffered.push_front(value) } else { buffered.push_back(value) }
    }

    /// A future that the next signal of that name resolves; at once where one is waiting.
    pub(crate) fn wait_for_signal(&mut self, args: Args<'_>) -> Eval<Option<Value>> {
        let [name] = args.bind(&mut self.cx, "wait_for_signal", ["name"], 1)?;
        let name = self.signal_name(name)?;
        self.cx.mutations += 1;
        let future = self.new_future();
        let heap = &self.cx.heap;
        let is_over = |id: &Id| matches!(heap.get(*id), Object::Future(future) if future.is_done());
        let queue = self.signals.entry(name).or_default();
        // Those that were cancelled, by a timeout say, must not pile up.
        while queue.waiting.back().is_some_and(is_over) {
            queue.waiting.pop_back();
        }
        while queue.waiting.front().is_some_and(is_over) {
            queue.waiting.pop_front();
        }
        match queue.buffered.pop_front() {
            Some(payload) => self.resolve(future, payload),
            None => queue.waiting.push_back(future),
        }
        Ok(Some(Value::Ref(future)))
    }

    /// Whoever waited does not want it any more: what the future was given goes back.
    pub(crate) fn return_signal(&mut self, args: Args<'_>) -> Eval<Option<Value>> {
        let [name, future] = args.bind(&mut self.cx, "return_signal", ["name", "future"], 2)?;
        let (name, Some(Value::Ref(future))) = (self.signal_name(name)?, future) else { return Ok(Some(Value::None)) };
        self.cx.mutations += 1;
        match self.future(future).state.clone() {
            FutureState::Done(value) => self.hand_signal(&name, value, true),
            _ => {
                self.cancel_future(future, Value::None);
                if let Some(queue) = self.signals.get_mut(&name) {
                    queue.waiting.retain(|waiting| *waiting != future);
                }
            }
        }
        Ok(Some(Value::None))
    }

    fn signal_name(&mut self, name: Option<Value>) -> Eval<Arc<str>> {
        match name {
            Some(Value::Str(name)) => Ok(name),
            other => {
                let shown = repr::repr(&mut self.cx, &other.unwrap_or_default())?;
                Err(self.cx.type_error(format!("the name of a signal must be a string, not {shown}")))
            }
        }
    }

    pub(crate) fn update_queue(&mut self, args: Args<'_>) -> Eval<Option<Value>> {
        let [name] = args.bind(&mut self.cx, "wait_for_update", ["name"], 1)?;
        let name = self.signal_name(name)?;
        Ok(Some(Value::from(format!("{UPDATE}{name}"))))
    }

    pub(crate) fn reply(&mut self, args: Args<'_>) -> Eval<Option<Value>> {
        let [id, value] = args.bind(&mut self.cx, "reply", ["id", "value"], 2)?;
        let outcome = exchange::export(&mut self.cx, &value.unwrap_or_default(), "the reply")?;
        self.send_reply(id, Reply::Value(outcome))
    }

    pub(crate) fn reject(&mut self, args: Args<'_>) -> Eval<Option<Value>> {
        let [id, error] = args.bind(&mut self.cx, "reject", ["id", "error"], 2)?;
        let error = self.exception_from(&error.unwrap_or_default())?;
        match exchange::export(&mut self.cx, &Value::Ref(error), "the reply")? {
            Outside::Exception(error) => self.send_reply(id, Reply::Error(*error)),
            _ => Ok(Some(Value::None)),
        }
    }

    fn send_reply(&mut self, id: Option<Value>, outcome: Reply) -> Eval<Option<Value>> {
        if let Some(Value::Str(id)) = id {
            self.cx.mutations += 1;
            self.effect(Effect::Reply { update_id: id.to_string(), outcome });
        }
        Ok(Some(Value::None))
    }

    /// A copy of the value, for whoever asks. The last one under a name counts.
    pub(crate) fn publish(&mut self, args: Args<'_>) -> Eval<Option<Value>> {
        let [name, value] = args.bind(&mut self.cx, "publish", ["name", "value"], 2)?;
        let Some(Value::Str(name)) = name else {
            return Err(self.cx.type_error("a value is published under a name: publish(\"progress\", value)"));
        };
        if name.is_empty() || name.len() > NAME_BYTES_MAX {
            let text = format!("the name of a published value has 1 to {NAME_BYTES_MAX} bytes, not {}", name.len());
            return Err(self.cx.value_error(text));
        }
        if self.published.len() >= PUBLISHED_MAX && !self.published.contains_key(&name) {
            return Err(self.cx.value_error(format!("a workflow publishes under {PUBLISHED_MAX} names at most")));
        }
        let what = format!("the published value {name:?}");
        let value = exchange::export(&mut self.cx, &value.unwrap_or_default(), &what)?;
        self.cx.mutations += 1;
        self.published.insert(name, value);
        Ok(Some(Value::None))
    }

    /// What the program shows of itself, also after its end.
    pub fn published(&self) -> impl Iterator<Item = (&str, &Outside)> {
        self.published.iter().map(|(name, value)| (&**name, value))
    }
}
