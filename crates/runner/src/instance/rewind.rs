//! Going back: an instance as it was after an earlier event goes on from there.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Dispatch, FragmentDispatch, Instance, Phase, Stage};
use crate::asyncio::Timer;

/// What is different from then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rewind {
    /// The last event of the instance, with this one: seqs go on.
    pub seq: u64,
    /// Raised where steps that had ended are run again: they are other executions, with other ids.
    pub epoch: u32,
    /// The execution whose failure is taken back: it has another attempt under its id.
    pub retried: Option<u64>,
    /// Those in flight that had ended since: they are run again. The others are in flight still, under their ids. None: all are run again.
    pub again: Option<Vec<u64>>,
    pub limit: Limit,
}

/// What becomes of the deadline of the whole instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Limit {
    #[default]
    Kept,
    /// Its time begins anew, and nobody has asked it to end.
    Until(i64),
    Lifted,
}

impl Instance {
    pub fn epoch(&self) -> u32 {
        self.epoch
    }

    /// Makes this state the first one of another instance, which is paused. What is in flight will be in flight there, under ids of its own.
    pub fn copy_to(&mut self, id: u128, at_us: i64) {
        self.id = id;
        self.paused = true;
        self.rewind(at_us, Rewind { seq: 1, epoch: self.epoch, limit: Limit::Lifted, ..Rewind::default() });
    }

    /// Makes a state of the past the present one. What was in flight then is in flight again. Time does not pass by it: what has become
    /// due since then is so at the next event.
    pub fn rewind(&mut self, at_us: i64, rewind: Rewind) {
        self.seq = rewind.seq;
        self.epoch = rewind.epoch;
        self.mix(rewind.seq);
        self.limit_anew(rewind.limit);
        let is_anew = |ordinal: u64| rewind.again.as_ref().is_none_or(|again| again.contains(&ordinal));
        if let Some(fragment) = &mut self.fragment {
            let mut execution = fragment.dispatch.execution;
            if is_anew(fragment.ordinal) {
                execution = super::ExecutionId { instance: self.id, epoch: rewind.epoch, ..execution };
            }
            let attempt = fragment.dispatch.attempt + u32::from(rewind.retried == Some(fragment.ordinal));
            fragment.dispatch =
                Arc::new(FragmentDispatch { execution, attempt, ..FragmentDispatch::clone(&fragment.dispatch) });
        }
        for (ordinal, mut execution) in std::mem::take(&mut self.executions) {
            if rewind.retried == Some(ordinal) {
                execution.attempt += 1;
                execution.phase = Phase::Running;
            }
            let id = if is_anew(ordinal) { self.execution_id(ordinal) } else { execution.call.execution };
            execution.call =
                Arc::new(Dispatch { execution: id, attempt: execution.attempt, ..Dispatch::clone(&execution.call) });
            if execution.phase == Phase::Running {
                // Its time begins anew.
                if let Some(timer) = execution.timer.take() {
                    self.timers.remove(&timer);
                }
                execution.timer = execution.policy.timeout_us.map(|timeout_us| {
                    let deadline_us = self.cx.now_us.max(at_us).saturating_add(timeout_us);
                    (deadline_us, self.add_timer(deadline_us, Timer::Timeout { ordinal, attempt: execution.attempt }))
                });
            }
            self.executions.insert(ordinal, execution);
        }
    }

    fn limit_anew(&mut self, limit: Limit) {
        if limit == Limit::Kept {
            return;
        }
        self.timers.retain(|_, timer| !matches!(timer, Timer::Deadline | Timer::Terminate { .. }));
        self.timed_out = None;
        // One that has not begun is told when it does.
        if let (Limit::Until(at_us), true) = (limit, self.ending != Stage::NotStarted) {
            self.limit(at_us);
        }
    }
}
