//! Runs other engines' actions: those that wait in the store because no worker there knows them, and a worker here does.
//!
//! [`Relay`] does no I/O, like [`Core`](crate::Core). It holds a lease on each action it has in hand, and settles the outcome under it; one
//! that dies loses its leases, and another relay runs the same execution again.

mod runtime;

use std::collections::BTreeMap;

use uuid::Uuid;
use waymark_ir::Value;
use waymark_ir::exceptions::exception;
use waymark_runner::{Event, FragmentOutcome, Outcome};
use waymark_store::{
    ActionKey, ActionSettlement, AttemptSettlement, Change, ClaimActions, ClaimedAction, Error, Message,
};

pub use runtime::run;

use crate::clock::micros;
use crate::job::{Completion, FRAGMENT_ACTION, Job, JobKey, JobOutcome, Report};
use crate::shard::transactions::settlement;
use crate::{Mail, Options};

/// Something that happened.
#[derive(Debug)]
pub enum RelayInput {
    /// Time has passed.
    Time,
    /// The queues and actions that workers here know, and how many more jobs would start at once.
    Known {
        actions: Vec<(String, String)>,
        free: usize,
    },
    Claimed(Result<Vec<ClaimedAction>, Error>),
    /// The answer to [`RelayCommand::Heartbeat`], with what was asked.
    Heartbeat(Vec<(ActionKey, Uuid)>, Result<Vec<bool>, Error>),
    /// The answer to [`RelayCommand::Settle`] or [`RelayCommand::SettleTransactions`], with what was asked.
    Settled(Vec<JobKey>, Result<Vec<bool>, Error>),
    Changed(Change),
    Reported(Report),
}

/// Something to do.
#[derive(Debug)]
pub enum RelayCommand {
    Claim(ClaimActions),
    Heartbeat(Vec<(ActionKey, Uuid)>),
    Settle(Vec<JobKey>, Vec<ActionSettlement>),
    /// What became of transactions is in the database, or, where something is given, is to be: first that, then the rows are dropped.
    SettleTransactions(Vec<JobKey>, Vec<(ActionKey, Option<AttemptSettlement>)>),
    /// Let others have them. Nobody waits for an answer.
    GiveBack(Vec<(ActionKey, Uuid)>),
    Run(Job),
    Cancel(JobKey),
}

struct Held {
    /// None: it can't be run.
    job: Option<Job>,
    key: ActionKey,
    lock_uuid: Uuid,
    /// Until then nobody else has it.
    until_us: i64,
    /// Once it has one.
    outcome: Option<Said>,
    is_settling: bool,
}

/// How an outcome gets to whoever waits for it.
enum Said {
    ByMail(Message),
    /// That of a transaction: the database has it, unless it is given here.
    InDatabase(Option<AttemptSettlement>),
}

/// Two claims, and two heartbeats that a notification asks for, are at least so far apart.
const SPACING_US: i64 = 50_000;
const HEARTBEAT_SPACING_US: i64 = 1_000_000;

pub struct Relay {
    options: Options,
    known: Vec<(String, String)>,
    free: usize,
    held: BTreeMap<JobKey, Held>,
    commands: Vec<RelayCommand>,
    /// How many actions the claim on its way asks for, and since when.
    claiming: Option<(u32, i64)>,
    hungry: bool,
    /// Where in `known` the next claim begins, so that each has its turn.
    turn: usize,
    last_claim_us: i64,
    next_claim_us: i64,
    is_heartbeating: bool,
    last_heartbeat_us: i64,
    next_heartbeat_us: i64,
    /// Settlements on their way.
    settling: usize,
    store_away_until_us: i64,
}

impl Relay {
    pub fn new(options: Options) -> Relay {
        Relay {
            options,
            known: Vec::new(),
            free: 0,
            held: BTreeMap::new(),
            commands: Vec::new(),
            claiming: None,
            hungry: true,
            turn: 0,
            last_claim_us: i64::MIN,
            next_claim_us: i64::MIN,
            is_heartbeating: false,
            last_heartbeat_us: i64::MIN,
            next_heartbeat_us: i64::MAX,
            settling: 0,
            store_away_until_us: i64::MIN,
        }
    }

    /// The identity of the leases that a relay holds: the engine of the same process frees its own alone.
    pub fn identity(options: &Options) -> String {
        format!("{} (relay)", options.engine)
    }

    /// Takes an input at a time (microseconds, by a clock that never goes back) and says what to do.
    pub fn handle(&mut self, now_us: i64, input: RelayInput) -> Vec<RelayCommand> {
        match input {
            RelayInput::Time => {}
            RelayInput::Known { actions, free } => {
                self.hungry |= actions != self.known || (self.free == 0 && free > 0);
                self.known = actions;
                self.free = free;
            }
            RelayInput::Claimed(result) => self.claimed(now_us, result),
            RelayInput::Heartbeat(asked, result) => self.heartbeat(now_us, asked, result),
            RelayInput::Settled(keys, result) => self.settled(now_us, keys, result),
            RelayInput::Changed(Change::Actions | Change::Resync) => {
                self.hungry = true;
                // One that we have may have been dropped by its owner.
                let soon_us = self.last_heartbeat_us.saturating_add(HEARTBEAT_SPACING_US);
                self.next_heartbeat_us = self.next_heartbeat_us.min(soon_us.max(now_us));
            }
            RelayInput::Changed(_) => {}
            RelayInput::Reported(Report::Completed(completion)) => self.completed(completion),
            RelayInput::Reported(Report::Unknown(key)) => {
                if let Some(held) = self.held.remove(&key) {
                    self.commands.push(RelayCommand::Cancel(key));
                    self.commands.push(RelayCommand::GiveBack(vec![(held.key, held.lock_uuid)]));
                }
            }
        }
        self.turn(now_us);
        std::mem::take(&mut self.commands)
    }

    /// When [`RelayInput::Time`] is wanted next.
    pub fn next_wakeup(&self) -> i64 {
        let claim_us = match (self.may_claim(), self.hungry) {
            (false, _) => i64::MAX,
            (true, true) => self.last_claim_us.saturating_add(SPACING_US).min(self.next_claim_us),
            (true, false) => self.next_claim_us,
        };
        let heartbeat_us = if self.may_beat() { self.next_heartbeat_us } else { i64::MAX };
        let settle_us = if self.may_settle() { i64::MIN } else { i64::MAX };
        claim_us.min(heartbeat_us).min(settle_us).max(self.store_away_until_us)
    }

    /// Actions in hand.
    pub fn len(&self) -> usize {
        self.held.len()
    }

    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// All that is in hand, for giving it back at the end.
    pub fn leases(&self) -> Vec<(ActionKey, Uuid)> {
        self.held.values().map(|held| (held.key.clone(), held.lock_uuid)).collect()
    }

    /// The jobs that workers have.
    pub fn jobs(&self) -> impl Iterator<Item = JobKey> {
        self.held.iter().filter(|(_, held)| held.outcome.is_none()).map(|(key, _)| *key)
    }

    /// Until when all that workers have, or wait for a worker with, is ours. None: there is nothing.
    pub fn ours_until_us(&self) -> Option<i64> {
        self.held.values().filter(|held| held.outcome.is_none()).map(|held| held.until_us).min()
    }

    fn may_claim(&self) -> bool {
        self.claiming.is_none() && !self.known.is_empty() && self.room() > 0
    }

    fn may_beat(&self) -> bool {
        !self.is_heartbeating && !self.held.is_empty()
    }

    fn may_settle(&self) -> bool {
        self.settling == 0 && self.held.values().any(|held| held.outcome.is_some())
    }

    fn room(&self) -> usize {
        self.options.relayed_max.saturating_sub(self.held.len()).min(self.free)
    }

    fn turn(&mut self, now_us: i64) {
        if now_us < self.store_away_until_us {
            return;
        }
        if self.may_settle() {
            let mut keys = Vec::new();
            let mut batch = Vec::new();
            let (mut transaction_keys, mut transactions) = (Vec::new(), Vec::new());
            for (job, held) in self.held.iter_mut() {
                let Some(said) = &held.outcome else { continue };
                if batch.len() + transactions.len() >= self.options.commit_batch {
                    break;
                }
                held.is_settling = true;
                let key = held.key.clone();
                match said {
                    Said::ByMail(message) => {
                        keys.push(*job);
                        let (lock_uuid, message) = (held.lock_uuid, message.clone());
                        batch.push(ActionSettlement { key, lock_uuid, message });
                    }
                    Said::InDatabase(settlement) => {
                        transaction_keys.push(*job);
                        transactions.push((key, settlement.clone()));
                    }
                }
            }
            self.settling = keys.len() + transactions.len();
            if !keys.is_empty() {
                self.commands.push(RelayCommand::Settle(keys, batch));
            }
            if !transactions.is_empty() {
                self.commands.push(RelayCommand::SettleTransactions(transaction_keys, transactions));
            }
        }
        if self.may_beat() && now_us >= self.next_heartbeat_us {
            self.is_heartbeating = true;
            self.last_heartbeat_us = now_us;
            self.next_heartbeat_us = now_us + micros(self.options.heartbeat);
            let held = self.held.values().filter(|held| !held.is_settling);
            let leases = held.map(|held| (held.key.clone(), held.lock_uuid)).collect();
            self.commands.push(RelayCommand::Heartbeat(leases));
        }
        let is_hungry = self.hungry && now_us >= self.last_claim_us.saturating_add(SPACING_US);
        if self.may_claim() && (is_hungry || now_us >= self.next_claim_us) {
            self.turn = (self.turn + 1) % self.known.len();
            let (first, rest) = (&self.known[self.turn..], &self.known[..self.turn]);
            let limit = self.options.claim_batch.min(u32::try_from(self.room()).unwrap_or(u32::MAX));
            self.claiming = Some((limit, now_us));
            self.hungry = false;
            self.last_claim_us = now_us;
            self.next_claim_us = now_us + micros(self.options.relay_poll);
            self.commands.push(RelayCommand::Claim(ClaimActions {
                engine: Relay::identity(&self.options),
                wanted: first.iter().chain(rest).cloned().collect(),
                limit,
                lease: self.options.lease,
            }));
        }
    }

    fn claimed(&mut self, now_us: i64, result: Result<Vec<ClaimedAction>, Error>) {
        let Some((limit, since_us)) = self.claiming.take() else { return };
        let Ok(claimed) = result else { return self.store_away(now_us) };
        self.hungry |= claimed.len() >= limit as usize;
        let until_us = since_us + micros(self.options.lease);
        if now_us > until_us {
            // The answer was slow: others may have them by now.
            return;
        }
        if self.held.is_empty() {
            self.next_heartbeat_us = now_us + micros(self.options.heartbeat);
        }
        for ClaimedAction { action, lock_uuid, claims, .. } in claimed {
            let Some(key) = JobKey::of_row(&action.key) else {
                tracing::error!(execution = action.key.execution_id, "a queued action has no execution id");
                continue;
            };
            let mut held = Held { job: None, key: action.key, lock_uuid, until_us, outcome: None, is_settling: false };
            if let Some(before) = self.held.remove(&key) {
                // We lost it and have it again, and a worker has it still.
                held.outcome = before.outcome;
                held.job = before.job;
                self.held.insert(key, held);
                continue;
            }
            if claims > self.options.claims_max {
                let reason = format!("it took its host down {} times", claims - 1);
                let is_transaction = Job::decode(&action.payload).is_ok_and(|job| job.is_transaction());
                held.outcome = Some(match is_transaction {
                    true => Said::InDatabase(Some(settlement(key, held.key.clone(), Outcome::WorkerCrashed(reason)))),
                    false => Said::ByMail(crashed(key, &held.key, &action.action, reason)),
                });
                self.held.insert(key, held);
                continue;
            }
            match Job::decode(&action.payload) {
                Ok(job) if job.key() == key => {
                    self.free = self.free.saturating_sub(1);
                    held.job = Some(job.clone());
                    self.held.insert(key, held);
                    self.commands.push(RelayCommand::Run(job));
                }
                // Another version may be able to: its lease runs out, and it is counted.
                Ok(_) => tracing::warn!(instance = %key.instance_id, "a queued action is another's"),
                Err(error) => tracing::warn!(instance = %key.instance_id, %error, "a queued action can't be read"),
            }
        }
    }

    fn completed(&mut self, completion: Completion) {
        let JobKey { ordinal, attempt, .. } = completion.key;
        let Some(held) = self.held.get_mut(&completion.key) else { return };
        if held.outcome.is_some() {
            return;
        }
        if let (JobOutcome::Action(Outcome::Cancelled), Some(job)) = (&completion.outcome, &held.job) {
            // We cancel what we don't hold any more, so this is the end of a run before: it was lost, and came back.
            return self.commands.push(RelayCommand::Run(job.clone()));
        }
        self.free = self.free.saturating_add(1);
        let is_transaction = held.job.as_ref().is_some_and(Job::is_transaction);
        let event = match completion.outcome {
            JobOutcome::Stored => return held.outcome = Some(Said::InDatabase(None)),
            JobOutcome::Action(outcome) if is_transaction => {
                let settlement = settlement(completion.key, held.key.clone(), outcome);
                return held.outcome = Some(Said::InDatabase(Some(settlement)));
            }
            JobOutcome::Action(outcome) => Event::Settled { ordinal, attempt, outcome },
            JobOutcome::Fragment(outcome) => Event::FragmentSettled { ordinal, attempt, outcome },
        };
        held.outcome = Some(Said::ByMail(Mail::from_elsewhere(completion.key, &held.key, event).into_message()));
    }

    fn settled(&mut self, now_us: i64, keys: Vec<JobKey>, result: Result<Vec<bool>, Error>) {
        self.settling = self.settling.saturating_sub(keys.len());
        if let Err(error) = &result {
            self.store_away(now_us);
            if error.is_transient() {
                // Repeated: what was settled is not ours any more, and nothing happens.
                for key in keys {
                    if let Some(held) = self.held.get_mut(&key) {
                        held.is_settling = false;
                    }
                }
                return;
            }
            tracing::error!(%error, "outcomes of other engines' actions can't be stored");
        }
        for key in keys {
            self.held.remove(&key);
        }
    }

    fn heartbeat(&mut self, now_us: i64, asked: Vec<(ActionKey, Uuid)>, result: Result<Vec<bool>, Error>) {
        self.is_heartbeating = false;
        let Ok(answers) = result else { return self.store_away(now_us) };
        let until_us = self.last_heartbeat_us.saturating_add(micros(self.options.lease));
        for ((row, lock_uuid), is_held) in asked.into_iter().zip(answers) {
            let Some(key) = JobKey::of_row(&row) else { continue };
            let Some(held) = self.held.get_mut(&key).filter(|held| held.lock_uuid == lock_uuid) else { continue };
            if is_held {
                held.until_us = until_us;
            } else if !held.is_settling {
                // Another's, or nobody waits for it. One on its way to be settled hears of it there.
                self.held.remove(&key);
                self.commands.push(RelayCommand::Cancel(key));
            }
        }
    }

    fn store_away(&mut self, now_us: i64) {
        self.store_away_until_us = now_us + micros(self.options.store_backoff);
    }
}

fn crashed(job: JobKey, key: &ActionKey, action: &str, reason: String) -> Message {
    let JobKey { ordinal, attempt, .. } = job;
    let event = if action == FRAGMENT_ACTION {
        let exception = exception("waymark.WorkerCrashed", vec![Value::Str(reason)]);
        Event::FragmentSettled { ordinal, attempt, outcome: FragmentOutcome::Failed(exception) }
    } else {
        Event::Settled { ordinal, attempt, outcome: Outcome::WorkerCrashed(reason) }
    };
    Mail::from_elsewhere(job, key, event).into_message()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use waymark_store::Timestamp;

    use super::*;

    const SECOND: i64 = 1_000_000;

    #[test]
    fn jobs_are_ours_for_a_lease_from_when_it_was_asked_for() {
        let lease = Duration::from_secs(6);
        let relay_poll = Duration::from_secs(3_600);
        let options = Options { lease, heartbeat: Duration::from_secs(2), relay_poll, ..Options::default() };
        let mut relay = Relay::new(options);
        let known = RelayInput::Known { actions: vec![("default".into(), "work".into())], free: 5 };
        assert!(matches!(relay.handle(10 * SECOND, known)[..], [RelayCommand::Claim(_)]));
        assert_eq!(relay.ours_until_us(), None);
        let action = crate::job::tests::sample().queued();
        let key = action.key.clone();
        let claimed = ClaimedAction { action, lock_uuid: Uuid::from_u128(7), queued_at: Timestamp(0), claims: 1 };
        assert!(matches!(
            relay.handle(12 * SECOND, RelayInput::Claimed(Ok(vec![claimed])))[..],
            [RelayCommand::Run(_)]
        ));
        assert_eq!(relay.ours_until_us(), Some(16 * SECOND), "by when it was asked for");

        let asked = vec![(key, Uuid::from_u128(7))];
        let away = || Err(Error::Unavailable { reason: "away".into() });
        assert!(matches!(relay.handle(14 * SECOND, RelayInput::Time)[..], [RelayCommand::Heartbeat(_)]));
        relay.handle(15 * SECOND, RelayInput::Heartbeat(asked.clone(), away()));
        assert_eq!(relay.ours_until_us(), Some(16 * SECOND), "nobody has said that it is ours for longer");
        assert!(matches!(relay.handle(17 * SECOND, RelayInput::Time)[..], [RelayCommand::Heartbeat(_)]));
        relay.handle(18 * SECOND, RelayInput::Heartbeat(asked.clone(), Ok(vec![true])));
        assert_eq!(relay.ours_until_us(), Some(23 * SECOND));
        assert!(matches!(relay.handle(20 * SECOND, RelayInput::Time)[..], [RelayCommand::Heartbeat(_)]));
        assert!(matches!(
            relay.handle(21 * SECOND, RelayInput::Heartbeat(asked, Ok(vec![false])))[..],
            [RelayCommand::Cancel(_)]
        ));
        assert_eq!(relay.ours_until_us(), None);
    }
}
