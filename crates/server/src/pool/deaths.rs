//! How many workers have died of a job that was taken back since. Whoever asks for it again, after it was offered to other hosts, goes on
//! counting: otherwise an action that takes its worker down would do so for ever where workers take long to come.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use waymark_engine::JobKey;

/// So many are remembered; the oldest is forgotten first.
const REMEMBERED_MAX: usize = 10_000;

#[derive(Default)]
pub(super) struct Deaths {
    by_job: FxHashMap<JobKey, u32>,
    order: VecDeque<JobKey>,
}

impl Deaths {
    pub fn remember(&mut self, job: JobKey, deaths: u32) {
        if deaths > 0 && self.by_job.insert(job, deaths).is_none() {
            self.order.push_back(job);
        }
        while self.order.len() > REMEMBERED_MAX {
            self.order.pop_front().map(|oldest| self.by_job.remove(&oldest));
        }
    }

    /// It counts itself from now on. What stays behind keeps its place in the order.
    pub fn recall(&mut self, job: JobKey) -> u32 {
        self.by_job.get_mut(&job).map_or(0, std::mem::take)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_are_remembered_once() {
        let job = |ordinal: u64| JobKey { instance_id: uuid::Uuid::nil(), ordinal, attempt: 1 };
        let mut deaths = Deaths::default();
        (0..=REMEMBERED_MAX as u64).for_each(|ordinal| deaths.remember(job(ordinal), 2));
        assert_eq!([0, 1, 2].map(|ordinal| deaths.recall(job(ordinal))), [0, 2, 2]);
        assert_eq!(deaths.recall(job(1)), 0, "it is asked for again, and counts itself from now on");
        deaths.remember(job(3), 0);
        assert_eq!(deaths.recall(job(3)), 2);
    }
}
