//! Children: rows of the commit that their parent's event is in, so that a thousand of them are one commit, and none is lost or started
//! twice. First their versions are asked for, anew for each commit: who has just registered one means that one.

use std::sync::Arc;

use uuid::Uuid;
use waymark_ir::exceptions::exception;
use waymark_ir::{Value, payload};
use waymark_runner::{Dispatch, Effect, Event, Outcome};
use waymark_store::{Error, Lease, Message, NewInstance, Parent, Queued, Reply};

use super::resident::Resident;
use super::{ActiveVersion, Command, Shard};
use crate::child_instance_id;
use crate::message::Mail;

/// The row of a child, on this version of its workflow.
pub fn child_instance(parent_id: Uuid, call: &Dispatch, workflow_version_id: Uuid) -> NewInstance {
    let options = call.child.as_deref().cloned().unwrap_or_default();
    let inputs = payload::encode_named(call.keyword.iter().map(|(name, value)| (&**name, value)));
    let instance_id = child_instance_id(call.execution, call.attempt);
    NewInstance {
        queue: call.queue.as_deref().unwrap_or("default").to_string(),
        priority: options.priority.unwrap_or(1),
        scheduled_at: options.start_at_us.map(waymark_store::Timestamp),
        user_key: options.id.map(|id| id.to_string()),
        parent: Some(Parent {
            instance_id: parent_id,
            execution_id: format!("{}/{}", call.execution.ordinal, call.attempt),
        }),
        queue_key: options.key.map(|key| key.to_string()),
        deadline_at: options.deadline_us.map(waymark_store::Timestamp),
        tags: options.tags.iter().map(|tag| tag.to_string()).collect(),
        ..NewInstance::new(instance_id, workflow_version_id, inputs)
    }
}

/// Why a child is not there, if it is not.
pub(crate) fn refusal(call: &Dispatch, queued: &Queued) -> Option<String> {
    let own = child_instance_id(call.execution, call.attempt);
    match queued {
        Queued::Started | Queued::Claimed(_) => None,
        Queued::Existing { instance_id } if *instance_id == own => None,
        Queued::Existing { instance_id } | Queued::KeyTaken { instance_id } => {
            let key = call.child.as_ref().and_then(|child| child.id.as_deref()).unwrap_or_default();
            Some(format!("instance {instance_id} of {} has the id {key:?}", call.name))
        }
        Queued::UnknownVersion => Some(format!("workflow {} can't be started: its version is gone", call.name)),
        Queued::Refused { reason } => Some(format!("workflow {} can't be started: {reason}", call.name)),
    }
}

impl Shard {
    /// Asks for the versions of children that are to be committed. True: it has to wait for them.
    pub(super) fn asks_for_versions(&mut self, id: Uuid, asked: &mut Vec<(Lease, Vec<Arc<str>>)>) -> bool {
        let Some(resident) = self.residents.get_mut(&id) else { return false };
        let names = resident.unresolved();
        if names.is_empty() {
            return false;
        }
        if !std::mem::replace(&mut resident.resolving, true) {
            asked.push((resident.lease, names));
        }
        true
    }

    pub(super) fn find_versions(&mut self, asked: Vec<(Lease, Vec<Arc<str>>)>) {
        if asked.is_empty() {
            return;
        }
        let mut names: Vec<Arc<str>> = asked.iter().flat_map(|(_, names)| names.iter().cloned()).collect();
        names.sort_unstable();
        names.dedup();
        let ticket = self.new_ticket();
        self.lookups.insert(ticket, asked.into_iter().map(|(lease, _)| lease).collect());
        self.commands.push(Command::FindVersions(ticket, names));
    }

    pub(super) fn versions(&mut self, ticket: u64, found: Result<Vec<ActiveVersion>, Error>) {
        for lease in self.lookups.remove(&ticket).unwrap_or_default() {
            let id = lease.instance_id;
            if !self.is_held(lease) {
                continue;
            }
            let Some(resident) = self.residents.get_mut(&id) else { continue };
            resident.resolving = false;
            let mut refused = Vec::new();
            match &found {
                Ok(found) => {
                    for (name, version) in found {
                        match version {
                            Some(version) => {
                                resident.versions.insert(name.clone(), *version);
                            }
                            None => refused.extend(resident.take_children_of(name)),
                        }
                    }
                }
                Err(error) if error.is_transient() => self.store_away(),
                Err(error) => {
                    self.stuck(id, format!("the versions of its children can't be read: {error}"));
                    continue;
                }
            }
            self.mark_dirty(id);
            for call in refused {
                self.refuse_child(id, &call, format!("there is no workflow {}", call.name));
            }
        }
    }

    /// Its parent is told as if it had failed.
    pub(super) fn refuse_child(&mut self, parent_id: Uuid, call: &Dispatch, reason: String) {
        let (ordinal, attempt) = (call.execution.ordinal, call.attempt);
        let outcome = Outcome::Failed(exception("RuntimeError", vec![Value::Str(reason)]));
        self.event(parent_id, Event::Settled { ordinal, attempt, outcome });
    }

    /// A child that was started before. It came with the commit of its parent's event, unless somebody has taken the parent back to a
    /// state of the past: that is stored as a snapshot. Then it goes with the next commit; one that is there already is not started again.
    pub(super) fn start_again(&mut self, parent_id: Uuid, effect: Effect, may_be_missing: bool) {
        match effect {
            Effect::StartChild(call) if !may_be_missing || !call.positional.is_empty() => {
                self.check_child(parent_id, call)
            }
            effect => {
                if let Some(resident) = self.residents.get_mut(&parent_id) {
                    resident.pending.effects.push(effect);
                    self.mark_dirty(parent_id);
                }
            }
        }
    }

    /// The commit of its start has happened, but not what the store said about it is known. It is there, unless somebody had its key.
    pub(super) fn check_child(&mut self, parent_id: Uuid, call: Arc<Dispatch>) {
        if !call.positional.is_empty() {
            let reason = format!("workflow {} takes its inputs by name", call.name);
            return self.refuse_child(parent_id, &call, reason);
        }
        if call.child.as_ref().is_some_and(|child| child.id.is_some())
            && let Some(resident) = self.residents.get_mut(&parent_id)
        {
            let child_id = child_instance_id(call.execution, call.attempt);
            resident.starting.insert((call.execution.ordinal, call.attempt));
            self.commands.push(Command::StartChild { child_id, parent_id, call });
        }
    }
}

impl Resident {
    /// Workflows that children are to be started of, and whose versions are not known.
    fn unresolved(&self) -> Vec<Arc<str>> {
        let mut names = Vec::new();
        for effect in &self.pending.effects {
            if let Effect::StartChild(call) = effect
                && !self.versions.contains_key(&call.name)
                && !names.contains(&call.name)
            {
                names.push(call.name.clone());
            }
        }
        names
    }

    /// There is no such workflow: its children are not started.
    fn take_children_of(&mut self, name: &str) -> Vec<Arc<Dispatch>> {
        let mut taken = Vec::new();
        self.pending.effects.retain(|effect| match effect {
            Effect::StartChild(call) if &*call.name == name => {
                taken.push(call.clone());
                false
            }
            _ => true,
        });
        taken
    }

    /// The rows of the children that these effects start, in order.
    pub(super) fn children_of(&self, effects: &[Effect]) -> Vec<NewInstance> {
        let id = self.lease.instance_id;
        let rows = effects.iter().filter_map(|effect| match effect {
            Effect::StartChild(call) if call.positional.is_empty() => {
                Some(child_instance(id, call, *self.versions.get(&call.name)?))
            }
            _ => None,
        });
        rows.collect()
    }

    /// What these effects say to children.
    pub(super) fn messages_of(&self, effects: &[Effect]) -> Vec<Message> {
        let mail = effects.iter().filter_map(|effect| match effect {
            Effect::CancelChild { child, .. } => Some(Mail::stop_child(Uuid::from_u128(*child))),
            Effect::SignalChild { child, name, payload, id, .. } => {
                let child = Uuid::from_u128(*child);
                Some(Mail::signal(child, name.to_string(), payload.clone(), Some(id.clone())))
            }
            _ => None,
        });
        mail.map(Mail::into_message).collect()
    }
}

/// What these effects reply to updates.
pub(super) fn replies_of(effects: &[Effect]) -> Vec<Reply> {
    let replies = effects.iter().filter_map(|effect| match effect {
        Effect::Reply { update_id, outcome } => Some(Reply {
            update_id: update_id.clone(),
            outcome: match outcome {
                waymark_runner::Reply::Value(value) => waymark_store::ReplyOutcome::Value(payload::encode(value)),
                waymark_runner::Reply::Error(error) => {
                    waymark_store::ReplyOutcome::Error(payload::encode(&Value::Exception(Box::new(error.clone()))))
                }
            },
        }),
        _ => None,
    });
    replies.collect()
}
