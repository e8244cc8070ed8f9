//! What the rows of an inbox mean.

use sha2::{Digest, Sha256};
use uuid::Uuid;
use waymark_ir::{Value, payload};
use waymark_runner::{Event, ExecutionId, Instance, Outcome};
use waymark_store::{ActionKey, InboxRow, Message, Status};

use crate::JobKey;

/// The kind of messages that say what became of an attempt that is a transaction.
const TRANSACTION: &str = "transaction";

/// A message to an instance: an event that somebody else brings about.
#[derive(Clone, Debug, PartialEq)]
pub struct Mail {
    pub instance_id: Uuid,
    pub message_id: Uuid,
    pub event: Event,
}

impl Mail {
    pub fn into_message(self) -> Message {
        Message {
            instance_id: self.instance_id,
            message_id: self.message_id,
            kind: self.event.kind().into(),
            name: match &self.event {
                Event::Signal { name, .. } | Event::Update { name, .. } => name.clone(),
                Event::Settled { ordinal, attempt, .. } | Event::FragmentSettled { ordinal, attempt, .. } => {
                    format!("{ordinal}/{attempt}")
                }
                _ => String::new(),
            },
            payload: self.event.encode(),
        }
    }

    /// None: it is about an execution that was taken back, with all that it did to the instance.
    pub(crate) fn read(row: &InboxRow, instance: &Instance) -> Result<Option<Event>, String> {
        let event = Event::decode(&row.payload)
            .map_err(|error| format!("message {} can't be read: {error}", row.message_id))?;
        match &event {
            Event::Settled { ordinal, attempt, .. } if row.kind == TRANSACTION => {
                let is_ours = row.name == about(&instance.execution_id(*ordinal).to_string(), i64::from(*attempt));
                Ok(is_ours.then_some(event))
            }
            Event::Settled { ordinal, attempt, .. } | Event::FragmentSettled { ordinal, attempt, .. } => {
                let execution = instance.execution_id(*ordinal);
                let is_ours = row.message_id == from_child_id(child_instance_id(execution, *attempt))
                    || row.message_id == from_elsewhere_id(&execution.to_string(), i64::from(*attempt));
                Ok(is_ours.then_some(event))
            }
            _ => Ok(Some(event)),
        }
    }

    /// What became of an attempt that is a transaction. Workers write the same by the store's function `settle`.
    pub fn of_transaction(key: &ActionKey, event: Event) -> Message {
        let name = about(&key.execution_id, i64::from(key.attempt));
        Message {
            instance_id: key.instance_id,
            message_id: derived(TRANSACTION, name.as_bytes()),
            kind: TRANSACTION.into(),
            name,
            payload: event.encode(),
        }
    }

    /// How the outcome of an attempt comes from another host.
    pub(crate) fn from_elsewhere(job: JobKey, key: &ActionKey, event: Event) -> Mail {
        let message_id = from_elsewhere_id(&key.execution_id, i64::from(key.attempt));
        Mail { instance_id: job.instance_id, message_id, event }
    }

    /// What the row of a child that has ended tells its parent. None: it has not, or what it says can't be read.
    pub fn of_ended_child(parent: Uuid, execution: &str, child: &waymark_store::Instance) -> Option<Mail> {
        let outcome = match child.status {
            Status::Completed => Outcome::Completed(payload::decode(child.result.as_deref()?).ok()?),
            Status::Cancelled => Outcome::Cancelled,
            Status::Failed | Status::Terminated => match payload::decode(child.error.as_deref()?).ok()? {
                Value::Exception(raised) => Outcome::Failed(*raised),
                _ => return None,
            },
            Status::Running | Status::Paused | Status::Stuck => return None,
        };
        Mail::from_child(parent, child.instance_id, execution, outcome)
    }

    /// How a child tells its parent. The id is derived, so that telling twice is telling once.
    pub fn from_child(parent: Uuid, child: Uuid, execution: &str, outcome: Outcome) -> Option<Mail> {
        let (ordinal, attempt) = execution.split_once('/')?;
        let event = Event::Settled { ordinal: ordinal.parse().ok()?, attempt: attempt.parse().ok()?, outcome };
        Some(Mail { instance_id: parent, message_id: from_child_id(child), event })
    }

    /// A signal. One with an id waits in the inbox once, and the runner takes it once.
    pub fn signal(instance_id: Uuid, name: String, payload: Value, id: Option<String>) -> Mail {
        let message_id = id.as_ref().map_or_else(Uuid::now_v7, |id| derived("signal", &keyed(instance_id, id)));
        Mail { instance_id, message_id, event: Event::Signal { name, payload, id } }
    }

    /// A signal whose sender waits for the reply of this id.
    pub fn update(instance_id: Uuid, name: String, payload: Value, id: String) -> Mail {
        let message_id = derived("update", &keyed(instance_id, &id));
        Mail { instance_id, message_id, event: Event::Update { name, payload, id } }
    }

    /// How a parent stops its child.
    pub fn stop_child(child: Uuid) -> Mail {
        let event = Event::Cancel { reason: Some("its parent was cancelled".into()) };
        Mail { instance_id: child, message_id: derived("cancel", child.as_bytes()), event }
    }
}

/// The instance that a call of a child workflow is. Starting it again starts nothing.
pub fn child_instance_id(execution: ExecutionId, attempt: u32) -> Uuid {
    Uuid::from_u128(waymark_runner::child_instance_id(execution, attempt))
}

fn from_child_id(child: Uuid) -> Uuid {
    derived("settled", child.as_bytes())
}

fn from_elsewhere_id(execution_id: &str, attempt: i64) -> Uuid {
    derived("outcome", about(execution_id, attempt).as_bytes())
}

fn about(execution_id: &str, attempt: i64) -> String {
    format!("{execution_id}/{attempt}")
}

fn keyed(instance_id: Uuid, id: &str) -> Vec<u8> {
    [instance_id.as_bytes(), id.as_bytes()].concat()
}

fn derived(what: &str, of: &[u8]) -> Uuid {
    let mut digest = Sha256::new();
    digest.update(what.as_bytes());
    digest.update([0]);
    digest.update(of);
    let bytes = digest.finalize();
    uuid::Builder::from_custom_bytes(std::array::from_fn(|at| bytes[at])).into_uuid()
}
