//! Work for workers, and what becomes of it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;
use waymark_runner::{Dispatch, Effect, ExecutionId, FragmentDispatch, FragmentOutcome, Outcome};
use waymark_store::{ActionKey, QueuedAction};

/// Work for a worker.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    pub instance_id: Uuid,
    pub workflow_name: Arc<str>,
    pub work: Work,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Work {
    Action(Arc<Dispatch>),
    Fragment(Arc<FragmentDispatch>),
}

/// Fragments travel under this name: they are the code of programs, which are Python's today.
pub const FRAGMENT_ACTION: &str = "fragment:python";

/// Which attempt of an instance's: jobs are told apart by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobKey {
    pub instance_id: Uuid,
    pub ordinal: u64,
    pub attempt: u32,
}

impl JobKey {
    /// That of an action's row. Execution ids end with their ordinal.
    pub(crate) fn of_row(row: &ActionKey) -> Option<JobKey> {
        let ordinal = row.execution_id.rsplit('-').next()?.parse().ok()?;
        Some(JobKey { instance_id: row.instance_id, ordinal, attempt: u32::try_from(row.attempt).ok()? })
    }
}

/// What whoever runs jobs says of them.
#[expect(clippy::large_enum_variant, reason = "nearly all reports are completions: a box for each would cost more")]
#[derive(Clone, Debug)]
pub enum Report {
    /// A worker is done with a job. One that nobody waits for is ignored.
    Completed(Completion),
    /// No worker here knows how to run it. It is kept, and run when one comes, unless it is cancelled.
    Unknown(JobKey),
}

#[derive(Clone, Debug)]
pub struct Completion {
    pub key: JobKey,
    pub outcome: JobOutcome,
    pub worker: Option<Arc<str>>,
    /// When the worker got it.
    pub started_at_us: Option<i64>,
}

#[derive(Clone, Debug)]
pub enum JobOutcome {
    /// It is a transaction, and what became of it is in the database: in the inbox of its instance.
    Stored,
    Action(Outcome),
    Fragment(FragmentOutcome),
}

/// These bytes are no job.
#[derive(Debug, thiserror::Error)]
#[error("this is no call of an action: {0}")]
pub struct JobError(String);

impl Job {
    /// None: no worker is needed for it.
    pub fn of(instance_id: Uuid, workflow_name: &Arc<str>, effect: Effect) -> Option<Job> {
        let work = match effect {
            Effect::Dispatch(call) => Work::Action(call),
            Effect::DispatchFragment(call) => Work::Fragment(call),
            _ => return None,
        };
        Some(Job { instance_id, workflow_name: workflow_name.clone(), work })
    }

    pub fn key(&self) -> JobKey {
        JobKey { instance_id: self.instance_id, ordinal: self.execution().ordinal, attempt: self.attempt() }
    }

    pub fn execution(&self) -> ExecutionId {
        match &self.work {
            Work::Action(call) => call.execution,
            Work::Fragment(call) => call.execution,
        }
    }

    pub fn attempt(&self) -> u32 {
        match &self.work {
            Work::Action(call) => call.attempt,
            Work::Fragment(call) => call.attempt,
        }
    }

    /// Whether its database work and its completion are one transaction.
    pub fn is_transaction(&self) -> bool {
        matches!(&self.work, Work::Action(call) if call.transaction)
    }

    /// What a worker must know to run it.
    pub fn action(&self) -> &str {
        match &self.work {
            Work::Action(call) => &call.name,
            Work::Fragment(_) => FRAGMENT_ACTION,
        }
    }

    /// Empty: any worker that knows the action will do.
    pub fn queue(&self) -> &str {
        match &self.work {
            Work::Action(call) => call.queue.as_deref().unwrap_or_default(),
            Work::Fragment(_) => "",
        }
    }

    /// As it travels to another host: MessagePack, under the rules of evolution of [`waymark_runner::snapshot`].
    pub fn encode(&self) -> Vec<u8> {
        let parts = (self.instance_id.as_u128(), &self.workflow_name, &self.work);
        rmp_serde::to_vec(&parts).expect("a job can be written")
    }

    pub fn decode(bytes: &[u8]) -> Result<Job, JobError> {
        let (instance_id, workflow_name, work): (u128, Arc<str>, Work) =
            rmp_serde::from_slice(bytes).map_err(|error| JobError(error.to_string()))?;
        Ok(Job { instance_id: Uuid::from_u128(instance_id), workflow_name, work })
    }

    pub(crate) fn queued(&self) -> QueuedAction {
        QueuedAction {
            key: ActionKey {
                instance_id: self.instance_id,
                execution_id: self.execution().to_string(),
                attempt: self.attempt() as i32,
            },
            queue: self.queue().into(),
            action: self.action().into(),
            payload: self.encode(),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use waymark_ir::Value;

    pub(crate) fn sample() -> Job {
        let call = Dispatch {
            execution: ExecutionId { instance: 7, epoch: 1, ordinal: 3 },
            attempt: 2,
            name: "app.mail:send".into(),
            positional: vec![Value::Int(1)].into(),
            keyword: vec![("to".into(), Value::List(vec![Value::str("a"), Value::None]))].into(),
            queue: Some("mail".into()),
            timeout_us: Some(5),
            function: 1,
            node: 2,
            child: None,
            transaction: false,
        };
        Job { instance_id: Uuid::from_u128(7), workflow_name: "welcome".into(), work: Work::Action(call.into()) }
    }

    #[test]
    fn jobs_travel() {
        let action = sample();
        let fragment = FragmentDispatch {
            execution: action.execution(),
            attempt: 1,
            source: "a.b()".into(),
            captures: vec![("a".into(), waymark_runner::Shape::Object(0))],
            objects: vec![waymark_runner::Shape::List(vec![waymark_runner::Shape::Plain(Value::Float(0.5))])],
            writes: vec!["c".into()],
        };
        let fragment = Job { work: Work::Fragment(fragment.into()), ..action.clone() };
        for job in [&action, &fragment] {
            assert_eq!(&Job::decode(&job.encode()).unwrap(), job);
        }
        let names = [&action, &fragment].map(|job| (job.queue(), job.action()));
        assert_eq!(names, [("mail", "app.mail:send"), ("", "fragment:python")]);
        assert!(Job::decode(b"no job").is_err());
    }
}
