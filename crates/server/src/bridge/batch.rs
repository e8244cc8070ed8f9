//! Starts of many callers in few commits: a commit takes all that waits, and nobody waits for a fuller one.

use std::convert::Infallible;
use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use waymark_engine::runtime::{Intake, Offer};
use waymark_store::{Error, NewInstance, Queued, Store};

use super::error::{self, patiently};

/// Calls that wait for their commit; those beyond wait to be let in.
const WAITING_MAX: usize = 10_000;
/// Commits on their way at the same time: while the database works on one, the next is sent.
const IN_FLIGHT_MAX: usize = 2;
/// Inputs in one commit; one call's are taken whole.
const BATCH_BYTES_MAX: usize = 16 << 20;

/// Starts of one caller.
struct Group {
    starts: Vec<NewInstance>,
    bytes: usize,
    deadline: Instant,
    answer: oneshot::Sender<Result<Vec<Queued>, Error>>,
}

/// Where callers hand their starts in.
pub(super) struct Starts {
    groups: mpsc::Sender<Group>,
    batch: usize,
}

pub(super) struct Committer {
    store: Arc<dyn Store>,
    intake: Intake,
    groups: mpsc::Receiver<Group>,
    /// Taken from the queue, but too large for the last batch.
    left_over: Option<Group>,
    batch: usize,
}

/// `batch`: starts that one commit takes.
pub(super) fn new(store: Arc<dyn Store>, intake: Intake, batch: usize) -> (Starts, Committer) {
    let batch = batch.max(1);
    let (sender, groups) = mpsc::channel(WAITING_MAX);
    (Starts { groups: sender, batch }, Committer { store, intake, groups, left_over: None, batch })
}

impl Starts {
    /// Returns once all are committed, with an answer each. They may be in several commits.
    pub async fn queue(&self, mut starts: Vec<NewInstance>, deadline: Instant) -> Result<Vec<Queued>, Status> {
        let mut answers = Vec::new();
        while !starts.is_empty() {
            let rest = starts.split_off(starts.len().min(self.batch));
            let bytes = starts.iter().map(|new| new.inputs.len()).sum();
            let (answer, answered) = oneshot::channel();
            let group = Group { starts, bytes, deadline, answer };
            self.groups.send(group).await.map_err(|_| error::stopping())?;
            answers.push(answered);
            starts = rest;
        }
        let mut queued = Vec::new();
        for answered in answers {
            queued.extend(answered.await.map_err(|_| error::stopping())?.map_err(error::from_store)?);
        }
        Ok(queued)
    }
}

impl Committer {
    /// Until `shutdown`; what was let in is still committed.
    pub async fn run(mut self, shutdown: CancellationToken) -> Result<(), Infallible> {
        let mut commits = JoinSet::new();
        let mut closing = false;
        loop {
            tokio::select! {
                biased;
                Some(_) = commits.join_next() => {}
                () = shutdown.cancelled(), if !closing => {
                    self.groups.close();
                    closing = true;
                }
                group = self.next(), if commits.len() < IN_FLIGHT_MAX => match group {
                    Some(first) => {
                        let batch = self.fill(first);
                        commits.spawn(commit(self.store.clone(), self.intake.clone(), batch));
                    }
                    None => break,
                }
            }
        }
        while commits.join_next().await.is_some() {}
        // Without callers there is nothing to do, but that is no reason to end before the others.
        shutdown.cancelled().await;
        Ok(())
    }

    async fn next(&mut self) -> Option<Group> {
        match self.left_over.take() {
            Some(group) => Some(group),
            None => self.groups.recv().await,
        }
    }

    /// All that waits, as far as it fits.
    fn fill(&mut self, first: Group) -> Vec<Group> {
        let (mut count, mut bytes) = (first.starts.len(), first.bytes);
        let mut batch = vec![first];
        while let Ok(group) = self.groups.try_recv() {
            count += group.starts.len();
            bytes += group.bytes;
            if count > self.batch || bytes > BATCH_BYTES_MAX {
                self.left_over = Some(group);
                break;
            }
            batch.push(group);
        }
        batch
    }
}

async fn commit(store: Arc<dyn Store>, intake: Intake, mut batch: Vec<Group>) {
    // Whoever hung up was told nothing, so nothing was promised.
    batch.retain(|group| !group.answer.is_closed());
    let Some(deadline) = batch.iter().map(|group| group.deadline).max() else { return };
    let offer = intake.offer();
    // The same claim each time: what it got before the answer was lost, it gets again.
    let claim = || offer.as_ref().map(|offer| offer.claim.clone());
    let all = || batch.iter().flat_map(|group| group.starts.iter().cloned()).collect();
    match patiently(deadline, || store.queue_and_claim(all(), claim())).await {
        Ok(queued) => {
            let mut queued = hand_over(offer.as_ref(), queued).into_iter();
            for group in batch {
                let _ = group.answer.send(Ok(queued.by_ref().take(group.starts.len()).collect()));
            }
        }
        // One caller's bad rows must not fail the others.
        Err(error) if batch.len() > 1 && !error.is_transient() => {
            for group in batch {
                let answer = patiently(group.deadline, || store.queue_instances(group.starts.clone())).await;
                let _ = group.answer.send(answer);
            }
        }
        Err(error) => {
            for group in batch {
                let _ = group.answer.send(Err(error.clone()));
            }
        }
    }
}

/// The engine has what it claimed before anybody hears of it.
fn hand_over(offer: Option<&Offer>, mut queued: Vec<Queued>) -> Vec<Queued> {
    let mut claimed = Vec::new();
    for answer in &mut queued {
        match std::mem::replace(answer, Queued::Started) {
            Queued::Claimed(instance) => claimed.push(*instance),
            other => *answer = other,
        }
    }
    if let Some(offer) = offer {
        offer.took(claimed);
    }
    queued
}
