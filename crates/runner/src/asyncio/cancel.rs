//! Cancellation: a task passes it on to what it waits for, a gather to its children, however long the chain is.

use rustc_hash::FxHashSet;

use crate::asyncio::{Ready, Resumption};
use crate::heap::{Callback, FutureState, Id, Waiting};
use crate::instance::Instance;
use crate::value::Value;

/// What is still to be done, innermost last. A stack of our own: chains of tasks are as long as a program makes them.
enum Work {
    Cancel(Id),
    /// What the task waits for has been told.
    Told(Id),
    /// The next child of a gather, and whether one before it could be cancelled.
    Child {
        outer: Id,
        children: Vec<Id>,
        at: usize,
        any: bool,
    },
}

impl Instance {
    /// `future.cancel()`: whether there was something to cancel.
    pub(crate) fn cancel_future(&mut self, id: Id, message: Value) -> bool {
        let mut work = vec![Work::Cancel(id)];
        let mut on_the_way: FxHashSet<Id> = FxHashSet::default();
        let mut in_circles: FxHashSet<Id> = FxHashSet::default();
        // Whether what was looked at last could be cancelled.
        let mut could = false;
        while let Some(next) = work.pop() {
            match next {
                Work::Cancel(id) if self.future(id).is_done() => could = false,
                Work::Cancel(id) if on_the_way.contains(&id) => {
                    in_circles.insert(id);
                    could = false;
                }
                Work::Cancel(id) if self.future(id).task.is_some() => {
                    let Some(task) = self.task_mut(id) else { continue };
                    task.cancelling += 1;
                    task.cancel_message = message.clone();
                    work.push(Work::Told(id));
                    on_the_way.insert(id);
                    match task.waiting {
                        Waiting::Future(future) => work.push(Work::Cancel(future)),
                        _ => could = self.cancel_wait(id, &message),
                    }
                }
                Work::Cancel(id) => match &self.future(id).gather {
                    Some(gather) => {
                        let children = gather.children.clone();
                        could = false;
                        work.push(Work::Child { outer: id, children, at: 0, any: false });
                    }
                    None => {
                        let exception = (!message.is_none()).then(|| self.cancelled_error(&message));
                        self.settle_future(id, FutureState::Cancelled(exception));
                        could = true;
                    }
                },
                Work::Told(id) => {
                    on_the_way.remove(&id);
                    if in_circles.remove(&id) {
                        self.break_circle(id);
                    } else if !could && let Some(task) = self.task_mut(id) {
                        // About to run: it is told at its next step.
                        task.must_cancel = true;
                    }
                    could = true;
                }
                Work::Child { outer, children, at, any } => {
                    let any = any | could;
                    if let Some(child) = children.get(at).copied() {
                        work.push(Work::Child { outer, children, at: at + 1, any });
                        work.push(Work::Cancel(child));
                    } else {
                        if any && let Some(gather) = &mut self.future_mut(outer).gather {
                            gather.cancel_requested = true;
                        }
                        could = any;
                    }
                }
            }
        }
        could
    }

    /// Cancels what a task waits for. False where it waits for nothing that can be cancelled.
    pub(super) fn cancel_wait(&mut self, id: Id, message: &Value) -> bool {
        let Some(task) = self.task_mut(id) else { return false };
        match task.waiting.clone() {
            Waiting::Nothing | Waiting::Fragment(_) => false,
            Waiting::Future(future) => self.cancel_future(future, message.clone()),
            Waiting::Execution(ordinal) => self.cancel_execution(ordinal),
            Waiting::Timer { deadline_us, ordinal, .. } => {
                // If it has fired in this turn, what it would do comes too late: the future is cancelled first, as in asyncio.
                self.timers.remove(&(deadline_us, ordinal));
                self.resume_cancelled(id);
                true
            }
        }
    }

    /// A task that waits for itself, through others, would never be told. (In CPython `cancel()` raises RecursionError.)
    fn break_circle(&mut self, id: Id) {
        let Some(Waiting::Future(future)) = self.task_mut(id).map(|task| task.waiting.clone()) else { return };
        self.future_mut(future).callbacks.retain(|callback| !matches!(callback, Callback::Wake(task) if *task == id));
        self.resume_cancelled(id);
    }

    fn resume_cancelled(&mut self, id: Id) {
        if let Some(task) = self.task_mut(id) {
            task.waiting = Waiting::Nothing;
        }
        self.ready.push_back(Ready::Resume(id, Resumption::Cancelled));
    }
}
