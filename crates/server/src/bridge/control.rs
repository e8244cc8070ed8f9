//! What people do to instances: one, or all that a filter means. A filter's work is done a page at a time, so that no call takes for
//! ever and whoever asks sees how far it is.

use tonic::Status as Refused;
use uuid::Uuid;
use waymark_engine::Mail;
use waymark_engine::history::{Past, Step};
use waymark_ir::exceptions::exception;
use waymark_ir::{Value, payload};
use waymark_proto::bridge as wire;
use waymark_proto::bridge::control_instances_request::Command;
use waymark_proto::bridge::control_problem::Reason;
use waymark_runner::{Event, Limit, Limits, LiveChild, Outcome};
use waymark_store::{Delivery, Instance, InstanceState, Message, Rewrite, Rewritten, Status, Terminated, Termination};

use super::Bridge;
use super::error::{self, invalid, patiently};
use super::signature::Signature;
use super::stored::{Missing, Stored};

/// How many instances a call takes on.
const INSTANCES_MAX: usize = 500;
/// How often a retry looks again at an instance that has moved on.
const LOOKS_MAX: usize = 3;

/// Why a command was not carried out for an instance.
type Problem = (Reason, String);

impl Bridge {
    pub(super) async fn control(
        &self,
        request: wire::ControlInstancesRequest,
    ) -> Result<wire::ControlInstancesResponse, Refused> {
        let wire::ControlInstancesRequest { instance_ids, filter, command, dry_run, cursor } = request;
        let command = command
            .ok_or_else(|| invalid("no command is given\nhint: set one of cancel, terminate, pause, resume, retry"))?;
        self.check(&command)?;
        let meant = statuses(&command);
        let chosen = self.chosen(&instance_ids, filter, &cursor, meant, INSTANCES_MAX).await?;
        let (mut fit, mut problems) = (Vec::new(), Vec::new());
        for (id, instance) in chosen.instances {
            match instance.ok_or_else(|| unknown(id)).and_then(|instance| fits(&command, instance)) {
                Ok(instance) => fit.push(instance),
                Err(problem) => problems.push((id, problem)),
            }
        }
        let done = match dry_run {
            true => fit.len(),
            false => self.carry_out(&command, fit, &mut problems).await?,
        };
        let problems = problems.into_iter().map(|(id, (reason, message))| wire::ControlProblem {
            instance_id: id.as_bytes().to_vec(),
            reason: reason.into(),
            message,
        });
        Ok(wire::ControlInstancesResponse {
            done: done as u64,
            problems: problems.collect(),
            next_cursor: chosen.next_cursor,
        })
    }

    fn check(&self, command: &Command) -> Result<(), Refused> {
        let Command::Retry(retry) = command else { return Ok(()) };
        if !retry.inputs.is_empty() {
            let limit = self.inner.options.payload_bytes_max;
            if retry.inputs.len() > limit {
                return Err(invalid(format!(
                    "the inputs have {} bytes, more than the {limit} allowed",
                    retry.inputs.len()
                )));
            }
        }
        match retry.from_seq {
            Some(_) if retry.from_start || !retry.inputs.is_empty() => Err(invalid(
                "a retry begins at a step, or at the start\nhint: a step goes without inputs and without a new start",
            )),
            _ => Ok(()),
        }
    }

    async fn carry_out(
        &self,
        command: &Command,
        instances: Vec<Instance>,
        problems: &mut Vec<(Uuid, Problem)>,
    ) -> Result<usize, Refused> {
        if instances.is_empty() {
            return Ok(0);
        }
        let many = instances.len();
        let before = problems.len();
        match command {
            Command::Cancel(cancel) => {
                let reason = (!cancel.reason.is_empty()).then(|| cancel.reason.clone());
                let mut events = vec![Event::Cancel { reason: reason.clone() }];
                if let Some(after_ms) = cancel.terminate_after_ms {
                    let after_us = i64::try_from(after_ms).unwrap_or(i64::MAX).saturating_mul(1_000);
                    events.push(Event::TerminateAfter { after_us, reason });
                }
                self.mail(&instances, &events, problems).await?;
            }
            Command::Pause(_) => self.mail(&instances, &[Event::Pause], problems).await?,
            Command::Resume(_) => self.mail(&instances, &[Event::Resume], problems).await?,
            Command::Terminate(terminate) => self.terminate(&instances, &terminate.reason, problems).await?,
            Command::Retry(retry) => {
                for instance in &instances {
                    if let Err(problem) = self.retry(instance, retry).await? {
                        problems.push((instance.instance_id, problem));
                    }
                }
            }
        }
        Ok(many - (problems.len() - before))
    }

    /// The same events for each.
    async fn mail(
        &self,
        instances: &[Instance],
        events: &[Event],
        problems: &mut Vec<(Uuid, Problem)>,
    ) -> Result<(), Refused> {
        let messages: Vec<Message> = instances
            .iter()
            .flat_map(|instance| {
                let mail = |event: &Event| Mail {
                    instance_id: instance.instance_id,
                    message_id: Uuid::now_v7(),
                    event: event.clone(),
                };
                events.iter().map(mail).map(Mail::into_message)
            })
            .collect();
        let store = &self.inner.store;
        let answers = patiently(self.deadline(), || store.put_inbox(messages.clone())).await;
        let answers = answers.map_err(error::from_store)?;
        for (instance, deliveries) in instances.iter().zip(answers.chunks(events.len())) {
            let problem = match &deliveries[0] {
                Delivery::Delivered | Delivery::Duplicate => continue,
                Delivery::Finished => (Reason::WrongStatus, "it has finished".to_string()),
                Delivery::Unknown => unknown(instance.instance_id),
                Delivery::Refused { reason } => (Reason::Refused, reason.clone()),
            };
            problems.push((instance.instance_id, problem));
        }
        Ok(())
    }

    async fn terminate(
        &self,
        instances: &[Instance],
        reason: &str,
        problems: &mut Vec<(Uuid, Problem)>,
    ) -> Result<(), Refused> {
        let mut batch = Vec::new();
        for instance in instances {
            batch.push(self.termination(instance, reason).await?);
        }
        let store = &self.inner.store;
        let answers = patiently(self.deadline(), || store.terminate_instances(batch.clone())).await;
        for (instance, answer) in instances.iter().zip(answers.map_err(error::from_store)?) {
            match answer {
                Terminated::Done => {}
                // Or it was our own first try, whose answer was lost: it is terminated either way.
                Terminated::Finished => {
                    let found = self.named(vec![instance.instance_id]).await?;
                    let status = found.into_iter().next().and_then(|(_, instance)| instance).map(|found| found.status);
                    if status != Some(Status::Terminated) {
                        problems.push((instance.instance_id, (Reason::WrongStatus, "it has finished".into())));
                    }
                }
                Terminated::Unknown => problems.push((instance.instance_id, unknown(instance.instance_id))),
            }
        }
        Ok(())
    }

    pub(super) async fn termination(&self, instance: &Instance, reason: &str) -> Result<Termination, Refused> {
        let abandoned = match self.stored(instance.instance_id).await {
            Ok(stored) => self.aside(move || abandoned(&stored)).await?,
            // It may be that nothing of it can be read: that is a reason to terminate it.
            Err(_) => Vec::new(),
        };
        let reason = if reason.is_empty() { "it was terminated" } else { reason };
        let exception = exception(Termination::ERROR_TYPE, vec![Value::str(reason)]);
        let child = Event::Cancel { reason: Some("its parent was terminated".into()) };
        let child = Mail { instance_id: Uuid::nil(), message_id: Uuid::nil(), event: child };
        Ok(Termination {
            instance_id: instance.instance_id,
            error: payload::encode(&Value::Exception(Box::new(exception.clone()))),
            parent_message: instance.parent.as_ref().and_then(|parent| {
                let outcome = Outcome::Failed(exception);
                Mail::from_child(parent.instance_id, instance.instance_id, &parent.execution_id, outcome)
                    .map(Mail::into_message)
            }),
            child_message: Some(child.into_message()),
            abandoned,
        })
    }

    async fn retry(&self, instance: &Instance, retry: &wire::Retry) -> Result<Result<(), Problem>, Refused> {
        let id = instance.instance_id;
        let store = &self.inner.store;
        let is_plain = retry.from_seq.is_none() && !retry.from_start && retry.inputs.is_empty();
        if instance.status == Status::Stuck && is_plain {
            let freed = patiently(self.deadline(), || store.unstick(vec![id])).await.map_err(error::from_store)?;
            let moved = || (Reason::Moved, "it is not stuck any more".to_string());
            return Ok(if freed == [true] { Ok(()) } else { Err(moved()) });
        }
        let mut problem = None;
        for _ in 0..LOOKS_MAX {
            let (rewrite, awaited) = match self.rewind(instance, retry).await? {
                Ok(rewound) => rewound,
                Err(problem) => return Ok(Err(problem)),
            };
            let answers = patiently(self.deadline(), || store.rewrite_instances(vec![rewrite.clone()])).await;
            match answers.map_err(error::from_store)?.into_iter().next() {
                Some(Rewritten::Done) => {
                    self.tell_ends(id, awaited).await?;
                    return Ok(Ok(()));
                }
                Some(Rewritten::Moved { .. }) => {
                    problem = Some((Reason::Moved, "it goes on all the time\nhint: pause it first".to_string()));
                }
                Some(Rewritten::KeyTaken { instance_id }) => {
                    let message = format!("instance {instance_id} has its id by now\nhint: wait for that, or end it");
                    return Ok(Err((Reason::IdTaken, message)));
                }
                Some(Rewritten::Refused { reason }) => return Ok(Err((Reason::Refused, reason))),
                Some(Rewritten::Unknown) | None => return Ok(Err(unknown(id))),
            }
        }
        Ok(Err(problem.unwrap_or_else(|| unknown(id))))
    }

    /// A child that ended after it was looked at and before its parent was there again has told nobody. From now on they tell it themselves,
    /// and what is told twice is heard once.
    async fn tell_ends(&self, parent: Uuid, awaited: Vec<Uuid>) -> Result<(), Refused> {
        let ended = self.named(awaited).await?.into_iter().filter_map(|(_, child)| child);
        let mail: Vec<Message> = ended.filter_map(|child| end_of(parent, &child)).map(Mail::into_message).collect();
        if !mail.is_empty() {
            let store = &self.inner.store;
            patiently(self.deadline(), || store.put_inbox(mail.clone())).await.map_err(error::from_store)?;
        }
        Ok(())
    }

    /// Its state before a step, and the children that it waits for then and that may end at any time. Children of what came later are told to
    /// end: nobody waits for them any more.
    async fn rewind(
        &self,
        instance: &Instance,
        retry: &wire::Retry,
    ) -> Result<Result<(Rewrite, Vec<Uuid>), Problem>, Refused> {
        let id = instance.instance_id;
        let cannot = |message: String| (Reason::CannotRewind, message);
        let stored = match self.stored(id).await {
            Ok(stored) => stored,
            Err(Missing::Instance(id)) => return Ok(Err(unknown(id))),
            Err(Missing::Program(reason)) => return Ok(Err(cannot(reason))),
            Err(Missing::Store(refused)) => return Err(refused),
        };
        let (children, stored) = self.aside(move || (children(&stored), stored)).await?;
        let Stored { state, lowered } = stored;
        let store = &self.inner.store;
        if !retry.inputs.is_empty()
            && let Err(problem) = Signature::of(&lowered.program).check_inputs(&instance.workflow_name, &retry.inputs)
        {
            return Ok(Err((Reason::Refused, problem)));
        }
        let step = match retry.from_seq {
            Some(seq) => Step::Event(seq),
            None if retry.from_start || !retry.inputs.is_empty() => Step::First,
            None if state.instance.status == Status::Failed => Step::Failed,
            None => Step::Stopped,
        };
        // Mostly what is needed came with the state.
        let is_near = |seq: i64| state.log.first().is_some_and(|first| first.seq <= seq);
        let log = match step {
            Step::Event(seq) if is_near(seq) => state.log,
            Step::Failed | Step::Event(_) | Step::Stopped | Step::First => {
                patiently(self.deadline(), || store.read_log(id, 0, u32::MAX)).await.map_err(error::from_store)?
            }
        };
        let InstanceState { instance, snapshot, .. } = state;
        let past =
            self.aside(move || Past::before(id, lowered, &Limits::default(), snapshot.as_ref(), &log, step)).await?;
        let past = match past {
            Ok(past) => past,
            Err(problem) => return Ok(Err(cannot(problem.to_string()))),
        };
        let found = self.named(past.children().map(|child| Uuid::from_u128(child.id)).collect()).await?;
        let lives = |child: &Option<Instance>| child.as_ref().is_some_and(|child| !child.status.is_final());
        let live: Vec<Uuid> = found.iter().filter(|(_, child)| lives(child)).map(|(id, _)| *id).collect();
        let (lost, mut mail) = past.children_since(&instance, found.into_iter().map(|(_, child)| child));
        let kept: Vec<u128> =
            past.children().filter(|child| !lost.contains(&child.ordinal)).map(|child| child.id).collect();
        let orphans = children.into_iter().filter(|child| !child.is_abandoned_at_the_end && !kept.contains(&child.id));
        mail.extend(orphans.map(|child| Mail::stop_child(Uuid::from_u128(child.id)).into_message()));
        let now = patiently(self.deadline(), || store.now()).await.map_err(error::from_store)?;
        // It has as much time as it had when it was started.
        let limit = instance.deadline_at.map_or(Limit::Lifted, |deadline_at| {
            Limit::Until(now.0.saturating_add(deadline_at.0.saturating_sub(instance.created_at.0)))
        });
        let inputs = (!retry.inputs.is_empty()).then(|| retry.inputs.clone());
        let was_live = instance.finished_at.is_none();
        let awaited = kept.into_iter().map(Uuid::from_u128).filter(|child| live.contains(child)).collect();
        Ok(past
            .rewrite(was_live, &lost, limit, now)
            .map(|rewrite| (Rewrite { inputs, mail, ..rewrite }, awaited))
            .map_err(|problem| cannot(problem.to_string())))
    }
}

/// What a child tells its parent at its end.
fn end_of(parent: Uuid, child: &Instance) -> Option<Mail> {
    let told = child.parent.as_ref().filter(|told| told.instance_id == parent)?;
    Mail::of_ended_child(parent, &told.execution_id, child)
}

/// What a command is for.
fn statuses(command: &Command) -> &'static [Status] {
    match command {
        Command::Cancel(_) | Command::Terminate(_) => &Status::LIVE,
        Command::Pause(_) => &[Status::Running],
        Command::Resume(_) => &[Status::Paused],
        Command::Retry(retry) if retry.from_start || retry.from_seq.is_some() || !retry.inputs.is_empty() => {
            &Status::ALL
        }
        Command::Retry(_) => &[Status::Stuck, Status::Failed, Status::Cancelled, Status::Terminated],
    }
}

fn fits(command: &Command, instance: Instance) -> Result<Instance, Problem> {
    if statuses(command).contains(&instance.status) {
        return Ok(instance);
    }
    let status = instance.status.name();
    let why = match (command, instance.status) {
        (Command::Retry(_), Status::Running | Status::Paused) => format!("it is {status}, and has not failed"),
        (Command::Retry(_), _) => {
            "it has completed\nhint: say from which step it is to run again, or start another one".to_string()
        }
        (_, ended) if ended.is_final() => format!("it has finished: it is {status}"),
        (Command::Pause(_), Status::Paused) => "it is paused already".to_string(),
        (Command::Pause(_), _) => format!("it is {status}, and does not go on anyway"),
        _ => format!("it is {status}, not paused"),
    };
    Err((Reason::WrongStatus, why))
}

fn unknown(id: Uuid) -> Problem {
    (Reason::UnknownInstance, format!("there is no instance {id}"))
}

/// Its children that were to go on without it.
fn abandoned(stored: &Stored) -> Vec<Uuid> {
    let abandoned = children(stored).into_iter().filter(|child| child.is_abandoned_at_the_end);
    abandoned.map(|child| Uuid::from_u128(child.id)).collect()
}

/// Those that have not ended, as far as it knows.
fn children(stored: &Stored) -> Vec<LiveChild> {
    stored.fold().map(|instance| instance.children().collect()).unwrap_or_default()
}
