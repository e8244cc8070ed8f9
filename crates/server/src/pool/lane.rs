//! Where jobs wait that need the same of a worker: first come, first served.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use waymark_engine::{Job, Work};

/// The language of fragments.
const FRAGMENT_LANGUAGE: &str = "python";

/// What a job needs of a worker.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Need {
    Action {
        /// None: any worker that knows it.
        queue: Option<Arc<str>>,
        name: Arc<str>,
    },
    /// Pieces of code of this language.
    Fragment(&'static str),
}

impl Need {
    pub fn of(job: &Job) -> Need {
        match &job.work {
            Work::Action(call) => Need::Action { queue: call.queue.clone(), name: call.name.clone() },
            Work::Fragment(_) => Need::Fragment(FRAGMENT_LANGUAGE),
        }
    }
}

impl std::fmt::Display for Need {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Need::Action { queue: None, name } => write!(out, "no worker knows {name}"),
            Need::Action { queue: Some(queue), name } => write!(out, "no worker of queue {queue} knows {name}"),
            Need::Fragment(language) => write!(out, "no worker evaluates pieces of {language}"),
        }
    }
}

pub(super) struct Lane {
    pub need: Need,
    /// Those that can do it.
    pub workers: Vec<u64>,
    /// Nobody lists it: its workers look for it when they are asked.
    pub by_import: bool,
    waiting: Line,
    /// Whose worker died; see [`super::state`].
    suspects: Line,
    /// Waiting calls that no worker knows, which the engine has not been told yet, and since when.
    pub untold: VecDeque<(u64, Instant)>,
    /// Somebody looks after `untold` already.
    pub watched: bool,
    pub warned: bool,
}

impl Lane {
    pub fn new(need: Need) -> Lane {
        Lane {
            need,
            workers: Vec::new(),
            by_import: false,
            waiting: Line::default(),
            suspects: Line::default(),
            untold: VecDeque::new(),
            watched: false,
            warned: false,
        }
    }

    pub fn len(&self) -> usize {
        self.waiting.present + self.suspects.present
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn push(&mut self, call: u64, suspect: bool) {
        let line = self.line(suspect);
        line.calls.push_back(call);
        line.present += 1;
    }

    /// Comes before all others: it waited already.
    pub fn push_front(&mut self, call: u64, suspect: bool) {
        let line = self.line(suspect);
        line.calls.push_front(call);
        line.present += 1;
    }

    /// The next one that is `here` still.
    pub fn pop(&mut self, with_suspects: bool, here: impl Fn(u64) -> bool) -> Option<u64> {
        match with_suspects {
            true => self.suspects.pop(&here).or_else(|| self.waiting.pop(&here)),
            false => self.waiting.pop(&here),
        }
    }

    /// A call that waits is gone. It leaves a gap; gaps are closed when they are most of the line.
    pub fn forget(&mut self, suspect: bool, here: impl Fn(u64) -> bool) {
        let line = self.line(suspect);
        line.present = line.present.saturating_sub(1);
        if line.calls.len() > 2 * line.present + 32 {
            line.calls.retain(|call| here(*call));
        }
        if self.untold.len() > 2 * self.len() + 32 {
            self.untold.retain(|(call, _)| here(*call));
        }
    }

    pub fn calls(&self) -> impl Iterator<Item = u64> {
        self.suspects.calls.iter().chain(&self.waiting.calls).copied()
    }

    fn line(&mut self, suspect: bool) -> &mut Line {
        match suspect {
            true => &mut self.suspects,
            false => &mut self.waiting,
        }
    }
}

#[derive(Default)]
struct Line {
    /// With gaps.
    calls: VecDeque<u64>,
    /// Without gaps.
    present: usize,
}

impl Line {
    fn pop(&mut self, here: impl Fn(u64) -> bool) -> Option<u64> {
        while let Some(call) = self.calls.pop_front() {
            if here(call) {
                self.present = self.present.saturating_sub(1);
                return Some(call);
            }
        }
        None
    }
}
