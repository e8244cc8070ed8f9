//! Executions: calls of actions and child workflows, their attempts, retries, timeouts and cancellation.
//!
//! | phase | settled | failed | timeout | cancel |
//! |---|---|---|---|---|
//! | running | resume | retry or raise | ask to stop → stopping | ask to stop → stopping |
//! | backing off | — | — | — | raise CancelledError |
//! | stopping | resume | raise what it was stopped for | — | — |
//!
//! A stopping attempt that has not answered when its grace period is over is given up. One of a transaction has no grace period: whether it
//! happened is in the database, and whoever asks there brings the answer.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use waymark_ir::exceptions::exception;
use waymark_ir::{ExceptionValue, Value as Outside};

use super::{Dispatch, Effect, ExecutionId, Instance, OnClose, Outcome};
use crate::asyncio::{Ready, Resumption, Timer};
use crate::context::Eval;
use crate::exchange;
use crate::heap::{ActionRequest, Id, Policy, Waiting};
use crate::types::TypeId;
use crate::value::Value;

/// How long a cancelled attempt is waited for where the policy does not say.
const GRACE_US: i64 = 10_000_000;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Execution {
    pub task: Id,
    pub attempt: u32,
    pub phase: Phase,
    pub is_workflow: bool,
    pub call: Arc<Dispatch>,
    pub policy: Arc<Policy>,
    /// The timer of the phase: an attempt's timeout, a backoff, a grace period.
    pub timer: Option<(i64, u64)>,
}

impl Execution {
    /// A child that goes on without its parent.
    pub fn is_abandoned_at_the_end(&self) -> bool {
        self.call.child.as_ref().is_some_and(|child| child.on_close == OnClose::Abandon)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Phase {
    Running,
    BackingOff,
    /// Asked to stop because it took too long.
    TimedOut,
    /// Asked to stop because the task was cancelled.
    Cancelling,
}

impl Instance {
    /// That of a call in flight is the one it was dispatched under: the instance may have been taken back since.
    pub fn execution_id(&self, ordinal: u64) -> ExecutionId {
        let anew = ExecutionId { instance: self.id, epoch: self.epoch, ordinal };
        self.executions.get(&ordinal).map_or(anew, |execution| execution.call.execution)
    }

    /// Calls in flight, fragments included, by their numbers: they run, are about to, or were told to stop.
    pub fn executions_in_flight(&self) -> impl Iterator<Item = u64> {
        self.executions.keys().copied().chain(self.fragment.iter().map(|fragment| fragment.ordinal))
    }

    /// Starts an action or a child workflow for a task, which waits for it.
    pub(crate) fn dispatch(&mut self, task: Id, request: ActionRequest) -> Eval<()> {
        let mut positional = Vec::with_capacity(request.positional.len());
        for (at, value) in request.positional.iter().enumerate() {
            let outside = match exchange::scalar_out(value) {
                Some(outside) => outside,
                None => exchange::export(&mut self.cx, value, &format!("argument {} of {}", at + 1, request.name))?,
            };
            positional.push(outside);
        }
        let mut keyword = Vec::with_capacity(request.keyword.len());
        for (name, value) in &request.keyword {
            let outside = match exchange::scalar_out(value) {
                Some(outside) => outside,
                None => exchange::export(&mut self.cx, value, &format!("argument '{name}' of {}", request.name))?,
            };
            keyword.push((name.clone(), outside));
        }
        let ordinal = self.next_execution;
        self.next_execution += 1;
        self.mix(ordinal);
        let call = Arc::new(Dispatch {
            execution: self.execution_id(ordinal),
            attempt: 1,
            name: request.name,
            positional: positional.into(),
            keyword: keyword.into(),
            queue: request.policy.queue.clone(),
            timeout_us: request.policy.timeout_us,
            function: request.function,
            node: request.node,
            child: request.child,
            transaction: request.policy.transaction,
        });
        let mut execution = Execution {
            task,
            attempt: 1,
            phase: Phase::Running,
            is_workflow: request.is_workflow,
            call,
            policy: request.policy,
            timer: None,
        };
        self.start_attempt(ordinal, &mut execution);
        self.executions.insert(ordinal, execution);
        if let Some(task) = self.task_mut(task) {
            task.waiting = Waiting::Execution(ordinal);
        }
        Ok(())
    }

    fn start_attempt(&mut self, ordinal: u64, execution: &mut Execution) {
        execution.phase = Phase::Running;
        if execution.call.attempt != execution.attempt {
            execution.call = Arc::new(Dispatch { attempt: execution.attempt, ..(*execution.call).clone() });
        }
        let effect = if execution.is_workflow { Effect::StartChild } else { Effect::Dispatch };
        self.effect(effect(execution.call.clone()));
        execution.timer = execution.policy.timeout_us.map(|timeout| {
            let deadline = self.cx.now_us.saturating_add(timeout);
            (deadline, self.add_timer(deadline, Timer::Timeout { ordinal, attempt: execution.attempt }))
        });
    }

    /// How many executions the instance has started, fragments included.
    pub fn executions_started(&self) -> u64 {
        self.next_execution - 1
    }

    /// What to dispatch again when an instance is resumed: every attempt in flight, under the same ids.
    pub fn in_flight(&self) -> Vec<Effect> {
        let mut effects = Vec::new();
        for (ordinal, execution) in &self.executions {
            match execution.phase {
                Phase::Running if execution.is_workflow => effects.push(Effect::StartChild(execution.call.clone())),
                Phase::Running => effects.push(Effect::Dispatch(execution.call.clone())),
                Phase::TimedOut | Phase::Cancelling => effects.push(self.stop_effect(*ordinal, execution)),
                Phase::BackingOff => {}
            }
        }
        effects.extend(self.fragment.iter().map(|fragment| Effect::DispatchFragment(fragment.dispatch.clone())));
        effects
    }

    /// The attempt or fragment in flight under these numbers, as it was dispatched.
    pub fn dispatched(&self, ordinal: u64, attempt: u32) -> Option<Effect> {
        if let Some(fragment) = &self.fragment
            && (fragment.ordinal, fragment.dispatch.attempt) == (ordinal, attempt)
        {
            return Some(Effect::DispatchFragment(fragment.dispatch.clone()));
        }
        let execution = self.executions.get(&ordinal)?;
        let is_out = execution.attempt == attempt && execution.phase == Phase::Running && !execution.is_workflow;
        is_out.then(|| Effect::Dispatch(execution.call.clone()))
    }

    /// Whether an outcome of this attempt or fragment would still be taken: it runs, or was told to stop.
    pub fn awaits_attempt(&self, ordinal: u64, attempt: u32) -> bool {
        let is_fragment =
            |fragment: &super::PendingFragment| (fragment.ordinal, fragment.dispatch.attempt) == (ordinal, attempt);
        self.fragment.as_ref().is_some_and(is_fragment)
            || self
                .executions
                .get(&ordinal)
                .is_some_and(|execution| execution.attempt == attempt && execution.phase != Phase::BackingOff)
    }

    /// Whether this is an attempt in flight whose outcome comes from the database.
    pub fn is_transaction(&self, ordinal: u64, attempt: u32) -> bool {
        let execution = self.executions.get(&ordinal);
        execution.is_some_and(|execution| execution.policy.transaction && execution.attempt == attempt)
            && self.awaits_attempt(ordinal, attempt)
    }

    /// An outcome has come. One that nobody waits for any more is ignored.
    pub(super) fn settle(&mut self, ordinal: u64, attempt: u32, outcome: Outcome) {
        let Some(mut execution) = self.executions.remove(&ordinal) else { return };
        if execution.attempt != attempt || execution.phase == Phase::BackingOff {
            self.executions.insert(ordinal, execution);
            return;
        }
        if let Some(timer) = execution.timer.take() {
            self.timers.remove(&timer);
        }
        let exception = match outcome {
            Outcome::Completed(value) => {
                let resumption = match exchange::import(&mut self.cx, &value) {
                    Ok(value) if execution.phase == Phase::Cancelling => Resumption::Late(value),
                    Ok(value) => Resumption::Value(value),
                    Err(fault) => Resumption::Raise(self.exception_of(fault)),
                };
                return self.resume(execution.task, resumption);
            }
            Outcome::Failed(exception) => exception,
            Outcome::WorkerCrashed(message) => exception("waymark.WorkerCrashed", vec![Outside::Str(message)]),
            Outcome::Cancelled if execution.policy.transaction && execution.phase == Phase::Running => {
                // It was stopped in a future that was taken back, which the database remembers: that attempt can't be had any more.
                execution.attempt += 1;
                self.start_attempt(ordinal, &mut execution);
                self.executions.insert(ordinal, execution);
                return;
            }
            Outcome::Cancelled => return self.stopped(ordinal, execution),
        };
        if execution.phase != Phase::Running {
            // However it ended: it was told to.
            return self.stopped(ordinal, execution);
        }
        if self.retries(&execution, &exception) {
            return self.back_off(ordinal, execution);
        }
        let resumption = match exchange::import_exception(&mut self.cx, &exception) {
            Ok(id) => Resumption::Raise(id),
            Err(fault) => Resumption::Raise(self.exception_of(fault)),
        };
        self.resume(execution.task, resumption);
    }

    fn resume(&mut self, task: Id, resumption: Resumption) {
        if let Some(task) = self.task_mut(task) {
            task.waiting = Waiting::Nothing;
        }
        self.ready.push_back(Ready::Resume(task, resumption));
    }

    /// Whether the policy wants another try after this failure.
    fn retries(&mut self, execution: &Execution, exception: &ExceptionValue) -> bool {
        let is = |class: &str| exception.type_name == class || exception.bases.iter().any(|base| base == class);
        if execution.attempt >= execution.policy.attempts_max
            || is("waymark.NonRetryable")
            || is("asyncio.CancelledError")
        {
            return false;
        }
        match &execution.policy.retry_on[..] {
            [] => exception.bases.is_empty() || is("Exception"),
            classes => {
                // What a worker sent without its bases is looked up.
                let known = self.cx.types.find(&exception.type_name);
                classes.iter().any(|class| {
                    let wanted = self.cx.types.find(class);
                    is(class) || matches!((known, wanted), (Some(known), Some(wanted)) if self.cx.types.is_subtype(known, wanted))
                })
            }
        }
    }

    fn back_off(&mut self, ordinal: u64, mut execution: Execution) {
        let policy = execution.policy.clone();
        let retries_so_far = execution.attempt as i32 - 1;
        let mut delay = policy.backoff_us as f64 * policy.factor.powi(retries_so_far);
        if let Some(max) = policy.delay_max_us {
            delay = delay.min(max as f64);
        }
        if policy.jitter > 0.0 {
            delay *= 1.0 - policy.jitter * self.cx.random.unit();
        }
        execution.attempt += 1;
        let delay_us = delay.round() as i64;
        if delay_us <= 0 && !self.paused {
            self.start_attempt(ordinal, &mut execution);
        } else {
            execution.phase = Phase::BackingOff;
            let deadline = self.cx.now_us.saturating_add(delay_us.max(0));
            execution.timer = Some((deadline, self.add_timer(deadline, Timer::Retry(ordinal))));
        }
        self.executions.insert(ordinal, execution);
    }

    pub(crate) fn retry_now(&mut self, ordinal: u64) {
        if let Some(mut execution) = self.executions.remove(&ordinal) {
            self.start_attempt(ordinal, &mut execution);
            self.executions.insert(ordinal, execution);
        }
    }

    // ---- stopping

    pub(crate) fn attempt_timed_out(&mut self, ordinal: u64, attempt: u32) {
        self.stop(ordinal, attempt, Phase::TimedOut);
    }

    /// Cancels what a task waits for. The task goes on when the attempt has stopped, or its grace period is over.
    pub(crate) fn cancel_execution(&mut self, ordinal: u64) -> bool {
        let Some(execution) = self.executions.get(&ordinal) else { return false };
        let attempt = execution.attempt;
        if execution.phase == Phase::BackingOff {
            if let Some(execution) = self.executions.remove(&ordinal) {
                if let Some(timer) = execution.timer {
                    self.timers.remove(&timer);
                }
                self.resume(execution.task, Resumption::Cancelled);
            }
            return true;
        }
        self.stop(ordinal, attempt, Phase::Cancelling);
        true
    }

    fn stop(&mut self, ordinal: u64, attempt: u32, phase: Phase) {
        let Some(mut execution) = self.executions.remove(&ordinal) else { return };
        if execution.attempt != attempt {
            self.executions.insert(ordinal, execution);
            return;
        }
        let already = execution.phase != Phase::Running;
        // A task that is cancelled while its attempt is being timed out ends as cancelled.
        execution.phase = phase;
        if !already {
            if let Some(timer) = execution.timer.take() {
                self.timers.remove(&timer);
            }
            let effect = self.stop_effect(ordinal, &execution);
            self.effect(effect);
            if execution.policy.transaction {
                self.executions.insert(ordinal, execution);
                return;
            }
            let grace = execution.policy.grace_us.unwrap_or(GRACE_US);
            if grace == 0 {
                return self.stopped(ordinal, execution);
            }
            let deadline = self.cx.now_us.saturating_add(grace);
            execution.timer = Some((deadline, self.add_timer(deadline, Timer::Grace { ordinal, attempt })));
        }
        self.executions.insert(ordinal, execution);
    }

    /// Asks all attempts in flight to stop; nobody waits for them.
    pub(crate) fn stop_all(&mut self) {
        let running = self
            .executions
            .iter()
            .filter(|(_, execution)| execution.phase == Phase::Running && !execution.is_abandoned_at_the_end());
        let effects: Vec<Effect> = running.map(|(ordinal, execution)| self.stop_effect(*ordinal, execution)).collect();
        effects.into_iter().for_each(|effect| self.effect(effect));
    }

    fn stop_effect(&self, ordinal: u64, execution: &Execution) -> Effect {
        match execution.is_workflow {
            true => {
                let child = super::child_instance_id(execution.call.execution, execution.attempt);
                Effect::CancelChild { ordinal, attempt: execution.attempt, child }
            }
            false => Effect::CancelAttempt { ordinal, attempt: execution.attempt },
        }
    }

    pub(crate) fn grace_over(&mut self, ordinal: u64, attempt: u32) {
        if let Some(mut execution) = self.executions.remove(&ordinal) {
            if execution.attempt == attempt {
                execution.timer = None;
                self.stopped(ordinal, execution);
            } else {
                self.executions.insert(ordinal, execution);
            }
        }
    }

    /// An attempt is over without an outcome of its own.
    fn stopped(&mut self, ordinal: u64, execution: Execution) {
        match execution.phase {
            Phase::TimedOut => {
                let policy = &execution.policy;
                if policy.retry_timeouts && execution.attempt < policy.attempts_max {
                    return self.back_off(ordinal, execution);
                }
                let seconds = policy.timeout_us.unwrap_or(0) as f64 / 1e6;
                let text = format!("{} did not finish within {seconds} s", execution.call.name);
                let exception = self.cx.exception(TypeId::TIMEOUT_ERROR, vec![Value::from(text)]);
                self.resume(execution.task, Resumption::Raise(exception));
            }
            // A worker or an operator stopped it by itself, or the task was cancelled: both are CancelledError.
            Phase::Running | Phase::Cancelling | Phase::BackingOff => {
                self.resume(execution.task, Resumption::Cancelled)
            }
        }
    }
}
