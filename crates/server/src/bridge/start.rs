//! Starting instances: each start is checked by itself, what is sound is queued together, and each has its own answer.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tonic::Status;
use uuid::Uuid;
use waymark_proto::bridge::refusal::Reason;
use waymark_proto::bridge::{self as wire, Refusal, Start, StartInstancesResponse, StartResult, Started, start_result};
use waymark_store::{NewInstance, OnConflict, PRIORITY_LEVELS, Queued, Timestamp};

use super::error::patiently;
use super::versions::{Known, Missing};
use super::{Bridge, error, view};

/// Starts in one call.
pub(super) const STARTS_MAX: usize = 10_000;
/// Workflows, versions and queues have names; they are parts of indexes, so they are short.
const NAME_BYTES_MAX: usize = 256;
const ID_BYTES_MAX: usize = 512;
pub(super) const TAGS_MAX: usize = 64;
const DEFAULT_QUEUE: &str = "default";
const DEFAULT_PRIORITY: u8 = 1;
/// The last microsecond of the year 9999: what databases and languages agree on.
pub(super) const START_AT_MAX_US: i64 = 253_402_300_799_999_999;
const UNIQUE_FOR_MAX_US: i64 = 10 * 366 * 24 * 3600 * 1_000_000;
/// How long the answer to a start may wait for the end.
const WAIT_MAX: Duration = Duration::from_secs(20);
/// How often a start looks for the instance whose place it takes.
const LOOKS_MAX: u32 = 10;

impl Bridge {
    pub(super) async fn start(&self, starts: Vec<Start>) -> Result<Vec<StartResult>, Status> {
        let deadline = self.deadline();
        let mut found: HashMap<(String, String), Result<Arc<Known>, Missing>> = HashMap::new();
        let mut results = Vec::with_capacity(starts.len());
        let mut sound = Vec::new();
        for start in starts {
            let key = (start.workflow_name.clone(), start.workflow_version.clone());
            let checked = match shape_problem(&start, self.inner.options.payload_bytes_max) {
                Some(refusal) => Err(refusal),
                None => {
                    if !found.contains_key(&key) {
                        let version = self.inner.versions.find(&key.0, &key.1, deadline).await;
                        found.insert(key.clone(), version.map_err(error::from_store)?);
                    }
                    match &found[&key] {
                        Ok(known) => new_instance(start, known),
                        Err(Missing { reason, message }) => Err(refusal(*reason, message.clone())),
                    }
                }
            };
            results.push(match checked {
                Ok(new) => {
                    sound.push(new);
                    None
                }
                Err(refusal) => Some(start_result::Result::Refused(refusal)),
            });
        }
        let made: Vec<(Uuid, OnConflict)> =
            sound.iter().map(|new| (new.instance_id, new.on_conflict.clone())).collect();
        let replacing = |new: &NewInstance| matches!(new.on_conflict, OnConflict::Replace(_)).then(|| new.clone());
        let replacing: Vec<Option<NewInstance>> = sound.iter().map(replacing).collect();
        let mut queued = self.inner.starts.queue(sound, deadline).await?;
        for (new, queued) in replacing.iter().zip(&mut queued) {
            if let (Some(new), Queued::KeyTaken { instance_id }) = (new, &*queued) {
                *queued = self.replace(new, *instance_id, deadline).await?;
            }
        }
        let answers = made.into_iter().zip(queued);
        let mut answers = answers.map(|((id, on_conflict), queued)| answer(id, &on_conflict, queued));
        let results = results.into_iter().map(|refused| StartResult { result: refused.or_else(|| answers.next()) });
        Ok(results.collect())
    }
}

impl Bridge {
    /// Whoever starts one mostly waits for its end: the same answer brings both, if that does not take long.
    pub(super) async fn start_and_wait(
        &self,
        starts: Vec<Start>,
        wait: Duration,
    ) -> Result<StartInstancesResponse, Status> {
        let id =
            starts.first().map_or_else(Uuid::nil, |start| Uuid::from_slice(&start.instance_id).unwrap_or_default());
        let workflow_name = starts.first().map(|start| start.workflow_name.clone()).unwrap_or_default();
        let mut expected = self.inner.waiters.expect(id);
        let results = self.start(starts).await?;
        let is_new = |result: &StartResult| match &result.result {
            Some(start_result::Result::Started(started)) => started.created && started.instance_id == id.as_bytes(),
            _ => false,
        };
        let end = match &mut expected {
            Some(expected) if results.iter().all(is_new) => tokio::select! {
                end = expected.within(wait.min(WAIT_MAX)) => end,
                () = self.inner.stopping.cancelled() => None,
            },
            _ => None,
        };
        let ended = end.map(|end| wire::Instance {
            instance_id: id.as_bytes().to_vec(),
            workflow_name,
            status: view::status(end.status).into(),
            result: end.result,
            error: end.error,
            stuck_reason: end.stuck_reason.unwrap_or_default(),
            ..wire::Instance::default()
        });
        Ok(StartInstancesResponse { results, ended })
    }

    /// Ends whoever has the id and starts another in its place; until nobody else takes it in between.
    async fn replace(&self, new: &NewInstance, mut holder: Uuid, deadline: Instant) -> Result<Queued, Status> {
        let store = &self.inner.store;
        for _ in 0..LOOKS_MAX {
            let found = patiently(deadline, || store.get_instances(vec![holder])).await.map_err(error::from_store)?;
            let ending = match found.into_iter().next().flatten() {
                Some(holder) => Some(Box::new(self.termination(&holder, "another took its place").await?)),
                None => None,
            };
            let again = NewInstance { on_conflict: OnConflict::Replace(ending), ..new.clone() };
            match self.inner.starts.queue(vec![again], deadline).await?.pop() {
                Some(Queued::KeyTaken { instance_id }) => holder = instance_id,
                Some(queued) => return Ok(queued),
                None => break,
            }
        }
        Err(Status::aborted("others take this id all the time\nhint: try again"))
    }
}

/// What is wrong with a start whatever its workflow is.
pub(super) fn shape_problem(start: &Start, payload_bytes_max: usize) -> Option<Refusal> {
    let bad = |message: String| Some(refusal(Reason::BadRequest, message));
    if start.workflow_name.is_empty() {
        return bad("no workflow is named\nhint: set workflow_name".into());
    }
    let names = [
        ("workflow_name", &start.workflow_name),
        ("workflow_version", &start.workflow_version),
        ("queue", &start.queue),
    ];
    if let Some(problem) = names.into_iter().find_map(|(field, name)| name_problem(field, name)) {
        return bad(problem);
    }
    let tags = start.tags.iter().map(|tag| ("a tag", tag));
    for (field, text) in [("id", &start.id), ("key", &start.key)].into_iter().chain(tags) {
        if let Some(problem) = text_problem(field, text, ID_BYTES_MAX) {
            return bad(problem);
        }
    }
    if start.tags.len() > TAGS_MAX {
        return bad(format!("{} tags are more than the {TAGS_MAX} allowed", start.tags.len()));
    }
    if let Some(tag) = start.tags.iter().find(|tag| tag.is_empty() || tag.contains('\n')) {
        return bad(format!("{tag:?} is no tag: it must be one line, and not empty"));
    }
    if let Some(priority) = start.priority.filter(|priority| *priority >= u32::from(PRIORITY_LEVELS)) {
        return bad(format!("priority {priority} is not one of 0 (first) to {} (last)", PRIORITY_LEVELS - 1));
    }
    for (field, at) in [("start_at_us", start.start_at_us), ("deadline_us", start.deadline_us)] {
        if let Some(at) = at.filter(|at| !(0..=START_AT_MAX_US).contains(at)) {
            return bad(format!("{field} {at} is not between 1970 and 9999\nhint: it is in microseconds since 1970"));
        }
    }
    if wire::OnConflict::try_from(start.on_conflict).is_err() {
        return bad(format!("{} says nothing about an id that is taken", start.on_conflict));
    }
    if !(0..=UNIQUE_FOR_MAX_US).contains(&start.unique_for_us) {
        return bad(format!("unique_for_us {} is not between 0 and ten years", start.unique_for_us));
    }
    if !start.instance_id.is_empty() {
        match Uuid::from_slice(&start.instance_id) {
            Ok(id) if id.get_version_num() == 7 => {}
            Ok(id) => return bad(format!("instance_id {id} is no UUIDv7\nhint: leave it out to have one made")),
            Err(_) => {
                let bytes = start.instance_id.len();
                return bad(format!(
                    "instance_id has {bytes} bytes, not the 16 of a UUID\nhint: leave it out to have one made"
                ));
            }
        }
    }
    if start.inputs.len() > payload_bytes_max {
        return Some(refusal(
            Reason::TooLarge,
            format!(
                "the inputs of workflow {} have {} bytes, more than the {payload_bytes_max} allowed\n\
                 hint: store what is large elsewhere and pass its address",
                start.workflow_name,
                start.inputs.len()
            ),
        ));
    }
    None
}

/// The row, for a start that fits what its workflow takes.
pub(super) fn new_instance(start: Start, known: &Known) -> Result<NewInstance, Refusal> {
    let fits = known.signature.check_inputs(&start.workflow_name, &start.inputs);
    fits.map_err(|problem| refusal(Reason::BadInputs, problem))?;
    // Made once: however often the commit is tried, it starts one instance.
    let instance_id = Uuid::from_slice(&start.instance_id).unwrap_or_else(|_| Uuid::now_v7());
    Ok(NewInstance {
        queue: if start.queue.is_empty() { DEFAULT_QUEUE.into() } else { start.queue },
        priority: start.priority.and_then(|priority| u8::try_from(priority).ok()).unwrap_or(DEFAULT_PRIORITY),
        scheduled_at: start.start_at_us.map(Timestamp),
        user_key: (!start.id.is_empty()).then_some(start.id),
        tags: start.tags,
        queue_key: (!start.key.is_empty()).then_some(start.key),
        deadline_at: start.deadline_us.map(Timestamp),
        on_conflict: match wire::OnConflict::try_from(start.on_conflict).unwrap_or_default() {
            wire::OnConflict::SameInputs => OnConflict::SameInputs,
            wire::OnConflict::Reject => OnConflict::Reject,
            wire::OnConflict::Existing => OnConflict::Existing,
            wire::OnConflict::Replace => OnConflict::Replace(None),
        },
        unique_for: (start.unique_for_us > 0).then(|| Duration::from_micros(start.unique_for_us.unsigned_abs())),
        ..NewInstance::new(instance_id, known.workflow_version_id, start.inputs)
    })
}

fn answer(instance_id: Uuid, on_conflict: &OnConflict, queued: Queued) -> start_result::Result {
    let started = |id: Uuid, created| Ok(Started { instance_id: id.as_bytes().to_vec(), created });
    let answer = match queued {
        Queued::Started | Queued::Claimed(_) => started(instance_id, true),
        Queued::Existing { instance_id } => started(instance_id, false),
        Queued::KeyTaken { instance_id } => Err(refusal(
            Reason::IdTaken,
            match on_conflict {
                OnConflict::Reject => format!("instance {instance_id} has this id\nhint: use another id"),
                _ => format!(
                    "instance {instance_id} has this id, with other inputs\nhint: wait for it, or use another id"
                ),
            },
        )),
        Queued::UnknownVersion => {
            Err(refusal(Reason::UnknownVersion, "the version is gone\nhint: register it again".into()))
        }
        Queued::Refused { reason } => Err(refusal(Reason::BadRequest, reason)),
    };
    match answer {
        Ok(started) => start_result::Result::Started(started),
        Err(refusal) => start_result::Result::Refused(refusal),
    }
}

fn refusal(reason: Reason, message: String) -> Refusal {
    Refusal { reason: reason.into(), message }
}

/// What is wrong with a name; it may be empty.
pub(super) fn name_problem(field: &str, name: &str) -> Option<String> {
    text_problem(field, name, NAME_BYTES_MAX)
}

fn text_problem(field: &str, text: &str, most: usize) -> Option<String> {
    if text.len() > most {
        return Some(format!("{field} has {} bytes, more than the {most} allowed", text.len()));
    }
    text.contains('\0').then(|| format!("{field} contains a NUL character"))
}
