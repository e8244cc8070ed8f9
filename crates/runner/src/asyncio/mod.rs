//! The event loop of an instance: asyncio's, hop by hop, so that the order among tasks is the one Python programmers
//! know. A first-in-first-out queue of things to do, timers, futures whose callbacks go through that queue.
//!
//! Push-based: whatever completes (an attempt, a timer, a signal, a future) touches its own waiters and nothing else.

mod cancel;
mod future;
mod gather;
pub(crate) mod prelude;
mod task;

pub(crate) use task::microseconds;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::context::Eval;
use crate::heap::{self, Id};
use crate::instance::{Instance, OnClose, Stage};
use crate::value::Value;

/// What `asyncio.wait` takes as `return_when`.
pub(crate) const CONSTANTS: crate::python::Constants = &[
    ("asyncio.FIRST_COMPLETED", || Value::from("FIRST_COMPLETED")),
    ("asyncio.FIRST_EXCEPTION", || Value::from("FIRST_EXCEPTION")),
    ("asyncio.ALL_COMPLETED", || Value::from("ALL_COMPLETED")),
];

/// What futures and tasks can be asked.
pub(crate) const FUTURE_METHODS: &[&str] = &[
    "done",
    "cancelled",
    "result",
    "exception",
    "cancel",
    "set_result",
    "set_exception",
    "add_done_callback",
    "remove_done_callback",
    "get_name",
    "set_name",
    "cancelling",
    "uncancel",
];

/// Something to do, in turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Ready {
    /// The first step of a task.
    Step(Id),
    /// A task goes on.
    Resume(Id, Resumption),
    /// A child of a gather is done.
    Gathered { outer: Id, index: u32, child: Id },
    /// A callback that a program or the prelude registered.
    Call { function: Value, argument: Value },
    /// A sleep is over.
    Awake(Id),
    /// The main task is done: the loop stops at the end of this turn.
    MainDone,
    /// All other tasks have ended too.
    Closed,
}

/// What a task goes on with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Resumption {
    Value(Value),
    Raise(Id),
    Cancelled,
    /// Whatever the future holds by then.
    Future(Id),
    /// It was cancelled, but what it waited for completed all the same: it gets the value, and is cancelled where it waits next.
    Late(Value),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Timer {
    Sleep(Id),
    /// Calls a function with its argument.
    Call {
        function: Value,
        argument: Value,
    },
    /// Another try of an execution is due.
    Retry(u64),
    /// An attempt has taken too long.
    Timeout {
        ordinal: u64,
        attempt: u32,
    },
    /// A cancelled attempt has been waited for long enough.
    Grace {
        ordinal: u64,
        attempt: u32,
    },
    /// The instance should have finished by now.
    Deadline,
    /// It was asked to end, and has had its time.
    Terminate {
        reason: Arc<str>,
    },
}

impl Ready {
    pub(crate) fn trace(&mut self, visit: &mut dyn FnMut(&mut Id)) {
        match self {
            Ready::Step(id) | Ready::Awake(id) => visit(id),
            Ready::Resume(id, resumption) => {
                visit(id);
                match resumption {
                    Resumption::Value(value) | Resumption::Late(value) => heap::trace_one(value, visit),
                    Resumption::Raise(id) | Resumption::Future(id) => visit(id),
                    Resumption::Cancelled => {}
                }
            }
            Ready::Gathered { outer, child, .. } => {
                visit(outer);
                visit(child);
            }
            Ready::Call { function, argument } => {
                heap::trace_one(function, visit);
                heap::trace_one(argument, visit);
            }
            Ready::MainDone | Ready::Closed => {}
        }
    }
}

impl Ready {
    pub(crate) fn visit(&mut self, visitor: &mut dyn heap::Visitor) {
        match self {
            Ready::Resume(_, Resumption::Value(value) | Resumption::Late(value)) => visitor.value(value),
            Ready::Call { function, argument } => {
                visitor.value(function);
                visitor.value(argument);
            }
            _ => {}
        }
    }
}

impl Timer {
    pub(crate) fn visit(&mut self, visitor: &mut dyn heap::Visitor) {
        if let Timer::Call { function, argument } = self {
            visitor.value(function);
            visitor.value(argument);
        }
    }

    pub(crate) fn trace(&mut self, visit: &mut dyn FnMut(&mut Id)) {
        match self {
            Timer::Sleep(id) => visit(id),
            Timer::Call { function, argument } => {
                heap::trace_one(function, visit);
                heap::trace_one(argument, visit);
            }
            Timer::Retry(_)
            | Timer::Timeout { .. }
            | Timer::Grace { .. }
            | Timer::Deadline
            | Timer::Terminate { .. } => {}
        }
    }
}

impl Instance {
    /// Runs until nothing is ready and no timer is due, or the slice is used up, or the instance can't move.
    pub(crate) fn run(&mut self) {
        loop {
            if !self.can_move() {
                return;
            }
            if self.current.is_some() {
                self.go_on();
            } else if let Some(ready) = self.next_ready() {
                self.turn(ready);
            } else if matches!(self.ending, Stage::Finished(_)) || !self.fire_timers() {
                return;
            }
            if self.cx.steps >= self.slice_end {
                return;
            }
            if self.cx.heap.wants_collection() {
                self.collect();
            }
        }
    }

    /// Takes the next thing; at the end of a turn of the loop, a main task that is done ends the program.
    fn next_ready(&mut self) -> Option<Ready> {
        if self.turn_left == 0 {
            if self.ending == Stage::MainDone {
                self.close();
            }
            self.turn_left = self.ready.len();
        }
        let ready = self.ready.pop_front()?;
        self.turn_left -= 1;
        Some(ready)
    }

    fn turn(&mut self, ready: Ready) {
        match ready {
            Ready::Step(task) => self.step(task, Resumption::Value(Value::None)),
            Ready::Resume(task, resumption) => self.step(task, resumption),
            Ready::Awake(task) => self.awake(task),
            Ready::Gathered { outer, index, child } => self.gathered(outer, index, child),
            Ready::Call { function, argument } => self.call_back(function, argument),
            Ready::MainDone => {
                if self.ending == Stage::Running {
                    self.ending = Stage::MainDone;
                }
            }
            Ready::Closed => self.end(),
        }
    }

    /// Timers of the earliest deadline that has come. Later ones wait until the program has come to rest again.
    fn fire_timers(&mut self) -> bool {
        let Some((deadline, _)) = self.timers.keys().next().copied() else { return false };
        if deadline > self.cx.now_us {
            return false;
        }
        while let Some(entry) = self.timers.first_entry() {
            if entry.key().0 != deadline {
                break;
            }
            match entry.remove() {
                Timer::Sleep(task) => self.ready.push_back(Ready::Awake(task)),
                Timer::Call { function, argument } => self.ready.push_back(Ready::Call { function, argument }),
                Timer::Retry(ordinal) => self.retry_now(ordinal),
                Timer::Timeout { ordinal, attempt } => self.attempt_timed_out(ordinal, attempt),
                Timer::Grace { ordinal, attempt } => self.grace_over(ordinal, attempt),
                Timer::Deadline => self.deadline_passed(deadline),
                Timer::Terminate { reason } => self.terminate(&reason),
            }
        }
        true
    }

    pub(crate) fn add_timer(&mut self, deadline_us: i64, timer: Timer) -> u64 {
        let ordinal = self.next_timer;
        self.next_timer += 1;
        self.mix(ordinal ^ deadline_us as u64);
        self.timers.insert((deadline_us, ordinal), timer);
        ordinal
    }

    /// The main task is done: the others are cancelled, in the order of their creation, and waited for; children that were started may
    /// have said otherwise.
    fn close(&mut self) {
        self.ending = Stage::Closing;
        self.close_before = self.next_task;
        let mut left: Vec<Id> = self.tasks.values().copied().filter(|task| Some(*task) != self.main).collect();
        left.retain(|task| match self.on_close(*task) {
            OnClose::Cancel => {
                self.cancel_future(*task, Value::None);
                true
            }
            OnClose::Abandon => {
                self.abandon(*task);
                false
            }
            OnClose::Wait => true,
        });
        let waiting = left.into_iter().filter(|task| !self.future(*task).is_done()).count();
        if waiting == 0 {
            self.ready.push_back(Ready::Closed);
        }
    }

    /// The program is closing, and is asked not to wait.
    pub(crate) fn cancel_all_left(&mut self) {
        let left: Vec<Id> = self.tasks.values().copied().collect();
        for task in left {
            self.cancel_future(task, Value::None);
        }
    }

    /// Called when a task ends while the program is closing.
    pub(crate) fn closing(&mut self) {
        // As asyncio: tasks that are started only now are not waited for.
        if self.ending == Stage::Closing && self.tasks.keys().next().is_none_or(|first| *first >= self.close_before) {
            self.ready.push_back(Ready::Closed);
        }
    }

    /// The end of the instance: what the main task gave.
    fn end(&mut self) {
        let Some(main) = self.main else { return };
        let ending = match self.future(main).state.clone() {
            heap::FutureState::Done(value) => match self.export_result(&value) {
                Ok(result) => crate::instance::Ending::Completed(result),
                Err(fault) => {
                    let exception = self.exception_of(fault);
                    self.failure(exception)
                }
            },
            heap::FutureState::Failed(exception) => self.failure(exception),
            heap::FutureState::Cancelled(exception) => {
                let exception = exception.unwrap_or_else(|| self.cancelled_error(&Value::None));
                self.failure(exception)
            }
            heap::FutureState::Pending => return,
        };
        self.finish(ending);
    }

    fn export_result(&mut self, value: &Value) -> Eval<waymark_ir::Value> {
        crate::exchange::export(&mut self.cx, value, "the result of the workflow")
    }
}
