//! When to look for due schedules, and what to do with those found. Nobody looks while none can be due: the answer to a look says when
//! the next one is, and a change says when that is not true any more.

use waymark_store::{DueSchedules, Error, Fired};

use super::{Front, FrontCommand};
use crate::clock::micros;
use crate::schedule;

/// Schedules that one look takes.
const DUE_MAX: u32 = 50;

pub(super) struct Schedules {
    /// A look or a firing is on its way.
    is_busy: bool,
    /// Something changed since the look that is on its way began.
    has_changed: bool,
    /// When to look next.
    pub next_us: i64,
}

impl Schedules {
    pub fn new() -> Schedules {
        Schedules { is_busy: false, has_changed: false, next_us: i64::MIN }
    }

    pub fn look(&mut self) {
        self.has_changed = self.is_busy;
        self.next_us = i64::MIN;
    }
}

impl Front {
    pub(super) fn next_schedules_look(&self) -> Option<i64> {
        (!self.schedules.is_busy && !self.draining).then_some(self.schedules.next_us)
    }

    pub(super) fn look_for_schedules(&mut self, now_us: i64) {
        if self.next_schedules_look().is_none_or(|at_us| now_us < at_us) {
            return;
        }
        self.schedules.is_busy = true;
        self.schedules.has_changed = false;
        self.schedules.next_us = now_us + micros(self.options.schedule_poll);
        self.commands.push(FrontCommand::DueSchedules { limit: DUE_MAX });
    }

    pub(super) fn due_schedules(&mut self, now_us: i64, answer: Result<DueSchedules, Error>) {
        self.schedules.is_busy = false;
        let DueSchedules { due, next_due_in } = match answer {
            Ok(answer) => answer,
            Err(_) => return self.schedules_away(now_us),
        };
        if let Some(next) = next_due_in.filter(|_| !self.schedules.has_changed) {
            let at_us = now_us.saturating_add(micros(next));
            self.schedules.next_us = self.schedules.next_us.min(at_us);
        }
        let mut firings = Vec::new();
        for found in &due {
            match schedule::fire(found) {
                Ok(firing) => firings.push(firing),
                // A newer Waymark may have put it. It is looked at again with the next look.
                Err(problem) => {
                    let key = &found.schedule.key;
                    tracing::error!(
                        workflow = key.workflow_name,
                        schedule = key.schedule_name,
                        problem,
                        "a schedule can't fire"
                    );
                }
            }
        }
        if !firings.is_empty() && !self.draining {
            self.schedules.is_busy = true;
            self.commands.push(FrontCommand::FireSchedules(firings));
        }
    }

    /// Whatever came of it, the next look says when to look again.
    pub(super) fn fired_schedules(&mut self, now_us: i64, answer: Result<Vec<Fired>, Error>) {
        self.schedules.is_busy = false;
        match answer {
            Ok(fired) => {
                self.schedules.next_us = now_us;
                for refused in fired.iter().filter(|fired| matches!(fired, Fired::Refused { .. })) {
                    tracing::error!(?refused, "a schedule can't fire");
                    self.schedules.next_us = now_us + micros(self.options.poll);
                }
            }
            // It may have happened or not: looking again tells.
            Err(_) => self.schedules_away(now_us),
        }
    }

    fn schedules_away(&mut self, now_us: i64) {
        self.schedules.next_us = now_us + micros(self.options.store_backoff);
        self.store_away(now_us);
    }
}
