//! Ends that come from outside the program: a deadline of the whole instance, and the patience with one that was asked to end.

use std::sync::Arc;

use waymark_ir::exceptions::exception;
use waymark_ir::{ExceptionValue, Value as Outside};

use super::{Ending, Instance, Stage};
use crate::asyncio::Timer;
use crate::value::Value;

/// How long an instance that has passed its deadline may take to clear up.
const CLEAR_UP_US: i64 = 60_000_000;

impl Instance {
    pub(super) fn limit(&mut self, at_us: i64) {
        self.add_timer(at_us, Timer::Deadline);
    }

    pub(crate) fn deadline_passed(&mut self, deadline_us: i64) {
        let (Some(main), Stage::Running) = (self.main, &self.ending) else { return };
        self.timed_out = Some(deadline_us);
        self.cancel_future(main, Value::None);
        self.terminate_after(CLEAR_UP_US, None);
    }

    /// Its deadline has passed, and it was asked to end because of it.
    pub fn is_timed_out(&self) -> bool {
        self.timed_out.is_some()
    }

    pub(super) fn terminate_after(&mut self, after_us: i64, reason: Option<&str>) {
        let seconds = after_us as f64 / 1e6;
        let why = match (self.timed_out, reason) {
            (Some(_), _) => "it had to finish by its deadline".to_string(),
            (None, Some(reason)) => format!("it was asked to end ({reason})"),
            (None, None) => "it was asked to end".to_string(),
        };
        let reason: Arc<str> = format!("{why}, and did not within {seconds} s").into();
        self.add_timer(self.cx.now_us.saturating_add(after_us.max(0)), Timer::Terminate { reason });
    }

    /// The end, wherever it stands: its attempts and children are asked to stop, and nobody waits for them.
    pub(crate) fn terminate(&mut self, reason: &str) {
        self.stop_all();
        self.finish(Ending::Terminated(exception("waymark.Terminated", vec![Outside::str(reason)])));
    }

    /// What an instance fails with that was cancelled because of its deadline.
    pub(super) fn too_late(&self, deadline_us: i64) -> ExceptionValue {
        let time = jiff::Timestamp::from_microsecond(deadline_us)
            .map_or_else(|_| "its deadline".into(), |time| format!("{time:.0}"));
        exception("TimeoutError", vec![Outside::Str(format!("the workflow did not finish by {time}"))])
    }
}
