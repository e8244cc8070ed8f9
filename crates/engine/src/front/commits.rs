//! Group commit: what all shards have to write goes in one batch, at most a few batches are on their way, and nothing waits for a fuller
//! one.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use waymark_store::{Committed, Error, Progress};

use super::{Front, FrontCommand};
use crate::shard::{Commit, Input};

#[derive(Default)]
pub(super) struct Commits {
    waiting: VecDeque<(usize, Commit)>,
    /// By ticket: whose they are, and how many instances each has in it.
    on_their_way: FxHashMap<u64, Vec<Part>>,
    last_ticket: u64,
}

struct Part {
    shard: usize,
    ticket: u64,
    instances: usize,
}

impl Commits {
    pub fn take(&mut self, shard: usize, commits: Vec<Commit>) {
        self.waiting.extend(commits.into_iter().map(|commit| (shard, commit)));
    }

    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.on_their_way.is_empty()
    }

    /// All that waits, as far as it fits.
    fn next(&mut self, instances_max: usize) -> Option<(u64, Vec<Arc<Progress>>)> {
        let (mut parts, mut batch): (Vec<Part>, Vec<Arc<Progress>>) = Default::default();
        while let Some((shard, Commit { ticket, progress, is_alone })) = self.waiting.pop_front() {
            let does_fit = batch.len() + progress.len() <= instances_max && !is_alone;
            if !does_fit && !parts.is_empty() {
                self.waiting.push_front((shard, Commit { ticket, progress, is_alone }));
                break;
            }
            parts.push(Part { shard, ticket, instances: progress.len() });
            // Nearly always there is one.
            if batch.is_empty() {
                batch = progress
            } else {
                batch.extend(progress)
            }
            if is_alone {
                break;
            }
        }
        if parts.is_empty() {
            return None;
        }
        self.last_ticket += 1;
        self.on_their_way.insert(self.last_ticket, parts);
        Some((self.last_ticket, batch))
    }
}

impl Front {
    pub(super) fn submit(&mut self) {
        while self.commits.on_their_way.len() < self.options.commits_in_flight_max {
            let Some((ticket, batch)) = self.commits.next(self.options.commit_batch) else { return };
            self.commands.push(FrontCommand::Commit(ticket, batch));
        }
    }

    /// Each shard hears of its part. What went wrong with the whole may have been anybody's: each finds out by itself.
    pub(super) fn committed(&mut self, ticket: u64, result: Result<Vec<Committed>, Error>) {
        let parts = self.commits.on_their_way.remove(&ticket).unwrap_or_default();
        let mut answers = result.map(Vec::into_iter);
        for Part { shard, ticket, instances } in parts {
            let result = match &mut answers {
                Ok(answers) => Ok(answers.by_ref().take(instances).collect()),
                Err(error) => Err(error.clone()),
            };
            self.commands.push(FrontCommand::Tell(shard, Input::Committed(ticket, result)));
        }
    }
}
