//! What the actions of `SURVIVES` wrote down: who ran what, how often, and in which order.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use crate::site::Site;
use crate::wait_for;

/// Of each instance.
pub const LINES: usize = 6;

pub struct Journal {
    pub file: PathBuf,
}

/// One run of one action.
#[derive(Clone, Debug)]
pub struct Line {
    pub execution: String,
    pub attempt: String,
    pub worker: String,
    pub instance: i64,
    /// 0, 1, 2 (three of them), 3: what has a later one was committed before that was begun.
    pub stage: u32,
    pub text: String,
}

impl Journal {
    pub fn of(site: &Site) -> Journal {
        Journal { file: site.path("journal") }
    }

    pub fn lines(&self) -> Vec<Line> {
        let text = std::fs::read_to_string(&self.file).unwrap_or_default();
        // The last line may be on its way.
        text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')).map(Line::parse).collect()
    }

    pub fn len(&self) -> usize {
        std::fs::read(&self.file).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
    }

    /// Until this many have been run, however often.
    pub async fn reached(&self, executions: usize) {
        wait_for(&format!("{executions} executions"), || {
            let run: HashSet<String> = self.lines().into_iter().map(|line| line.execution).collect();
            (run.len() >= executions).then_some(())
        })
        .await;
    }

    /// Every action of every instance was run, and all runs of one were the same execution and attempt. Returns how many runs there
    /// were beyond the first of each.
    pub fn assert_complete(&self, instances: i64) -> usize {
        let lines = self.lines();
        let mut executions: HashMap<&str, (&str, &str)> = HashMap::new();
        for line in &lines {
            let first = *executions.entry(&line.text).or_insert((&line.execution, &line.attempt));
            assert_eq!(first, (line.execution.as_str(), line.attempt.as_str()), "{}", line.text);
        }
        let distinct: HashSet<&str> = executions.values().map(|(execution, _)| *execution).collect();
        assert_eq!(distinct.len(), executions.len(), "each has an id of its own");
        assert_eq!(executions.len(), LINES * instances as usize, "every action was run");
        lines.len() - executions.len()
    }

    /// No action was run again after something that depends on it: its outcome had been committed.
    pub fn assert_no_step_back(&self) {
        let mut stages: HashMap<i64, u32> = HashMap::new();
        for line in self.lines() {
            let stage = stages.entry(line.instance).or_default();
            assert!(line.stage >= *stage, "{} was run again after a later step", line.text);
            *stage = line.stage;
        }
    }
}

impl Line {
    fn parse(line: &str) -> Line {
        let fields: Vec<&str> = line.split(' ').collect();
        let [execution, attempt, worker, text] = fields[..] else { panic!("a line of the journal: {line}") };
        let (instance, step) = text.split_once('/').expect("an instance and a step");
        Line {
            execution: execution.into(),
            attempt: attempt.into(),
            worker: worker.into(),
            instance: instance.parse().expect("a number"),
            stage: step[..1].parse().expect("a stage"),
            text: text.into(),
        }
    }
}
