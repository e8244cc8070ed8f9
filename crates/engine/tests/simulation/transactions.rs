//! Workers that run transactions. Their work is a line of the ledger, written with the attempt's outcome or not at all.

use waymark_engine::{Job, JobOutcome, Mail, Work};
use waymark_ir::Value;
use waymark_runner::{Event, Outcome};
use waymark_store::{ActionKey, AttemptSettled, AttemptSettlement, Store};

use crate::world::{SECOND, What, World, now};

impl World {
    /// A worker commits. What it sent to the database is carried out even if it has died since.
    pub fn transact(&mut self, host: usize, incarnation: u64, number: u64, job: &Job) {
        let key = job.key();
        // The worker dies before it: the pool lets another do it, or nobody does.
        let is_lost = self.chance(10);
        if !is_lost {
            let outcome = transacted(job);
            let is_done = matches!(outcome, Outcome::Completed(_));
            let event = Event::Settled { ordinal: key.ordinal, attempt: key.attempt, outcome };
            let row = ActionKey {
                instance_id: key.instance_id,
                execution_id: job.execution().to_string(),
                attempt: key.attempt as i32,
            };
            let settlement = AttemptSettlement { message: Mail::of_transaction(&row, event), key: row };
            let settled = now(self.store.settle_attempts(vec![settlement])).expect("a store that is there");
            if settled == [AttemptSettled::First] && is_done {
                self.checks.paid(key);
            }
        }
        if !self.is_current(host, incarnation, key, number) {
            return;
        }
        // …or after it, before it has said so.
        if is_lost || self.chance(10) {
            return self.after(SECOND, What::Work(host, incarnation, key, number));
        }
        if let Some(client) = self.forget_job(host, key) {
            self.report(host, client, key, JobOutcome::Stored);
        }
    }
}

fn transacted(job: &Job) -> Outcome {
    let Work::Action(call) = &job.work else { panic!("no fragments here") };
    match (&*call.name, call.keyword.first().map(|(_, value)| value)) {
        ("pay_flaky", _) if call.attempt < 3 => {
            Outcome::Failed(waymark_ir::exceptions::exception("ValueError", Vec::new()))
        }
        (_, Some(Value::Int(n))) => Outcome::Completed(Value::Int(n * 2)),
        other => panic!("an argument is missing: {other:?}"),
    }
}
