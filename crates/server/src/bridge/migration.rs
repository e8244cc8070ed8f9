//! Versions of workflows, and live instances that move from one to another. A filter's work is done a page at a time.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use tonic::Status as Refused;
use uuid::Uuid;
use waymark_engine::migration::{self, Migrated};
use waymark_ir::{Value, payload};
use waymark_proto::bridge as wire;
use waymark_runner::Lowered;
use waymark_runner::migrate::{Comparison, Label, Mapping, Problem, ProblemKind, Variables};
use waymark_store::{Instance, InstanceFilter, Rewrite, Rewritten, Status, Timestamp};

use super::error::{self, invalid, patiently};
use super::stored::{Missing, Stored};
use super::{Bridge, view};

/// How many instances a call takes on.
const INSTANCES_MAX: usize = 200;
/// How often an instance that has moved on is looked at again.
const LOOKS_MAX: usize = 3;

/// To which program.
#[derive(Clone)]
struct Target {
    lowered: Arc<Lowered>,
    /// None: it is not registered, and nothing can be moved to it.
    workflow_version_id: Option<Uuid>,
    workflow_version: String,
}

/// What was found out about one instance.
struct Verdict {
    instance: Instance,
    label: Label,
    problems: Vec<Problem>,
    rewrite: Option<Rewrite>,
}

impl Bridge {
    pub(super) async fn versions(
        &self,
        request: wire::ListVersionsRequest,
    ) -> Result<wire::ListVersionsResponse, Refused> {
        let name = view::text("workflow_name", request.workflow_name)?;
        let store = &self.inner.store;
        let listed = patiently(self.deadline(), || store.list_versions(name.as_deref())).await;
        let mut active: HashMap<String, (Timestamp, Uuid)> = HashMap::new();
        let listed = listed.map_err(error::from_store)?;
        for version in &listed {
            let this = (version.activated_at, version.workflow_version_id);
            let latest = active.entry(version.workflow_name.clone()).or_insert(this);
            if this.0 > latest.0 {
                *latest = this;
            }
        }
        let mut versions = Vec::new();
        for version in listed {
            let filter = InstanceFilter {
                workflow_name: Some(version.workflow_name.clone()),
                workflow_version: Some(version.workflow_version.clone()),
                statuses: Status::LIVE.to_vec(),
                ..InstanceFilter::default()
            };
            let counted = patiently(self.deadline(), || store.count_instances(filter.clone(), view::COUNT_MAX)).await;
            versions.push(wire::Version {
                is_active: active.get(&version.workflow_name).is_some_and(|(_, id)| *id == version.workflow_version_id),
                workflow_version_id: version.workflow_version_id.as_bytes().to_vec(),
                workflow_name: version.workflow_name,
                workflow_version: version.workflow_version,
                ir_hash: version.ir_hash,
                created_at_us: version.created_at.0,
                activated_at_us: version.activated_at.0,
                live_instances: counted.map_err(error::from_store)?,
            });
        }
        Ok(wire::ListVersionsResponse { versions })
    }

    pub(super) async fn activate(
        &self,
        request: wire::ActivateVersionRequest,
    ) -> Result<wire::ActivateVersionResponse, Refused> {
        let wire::ActivateVersionRequest { workflow_name, workflow_version } = request;
        if workflow_version.is_empty() {
            return Err(invalid("no version is named\nhint: ListVersions says which there are"));
        }
        let known = self.inner.versions.find(&workflow_name, &workflow_version, self.deadline()).await;
        let known = known.map_err(error::from_store)?.map_err(|missing| Refused::not_found(missing.message.clone()))?;
        let store = &self.inner.store;
        let activated = patiently(self.deadline(), || store.activate_version(known.workflow_version_id)).await;
        self.inner.versions.forget_active();
        match activated.map_err(error::from_store)? {
            true => Ok(wire::ActivateVersionResponse {}),
            false => Err(Refused::not_found("the version is gone\nhint: register it again")),
        }
    }

    pub(super) async fn check_against(
        &self,
        request: wire::CheckInstancesRequest,
    ) -> Result<wire::CheckInstancesResponse, Refused> {
        let wire::CheckInstancesRequest { workflow_name, program_proto, cursor } = request;
        let limit = self.inner.options.payload_bytes_max;
        if program_proto.len() > limit {
            return Err(invalid(format!(
                "the program has {} bytes, more than the {limit} allowed",
                program_proto.len()
            )));
        }
        let read = move || {
            let program = waymark_ir::wire::decode(&program_proto)
                .map_err(|problem| invalid(format!("the program can't be read: {problem}")))?;
            let name = if workflow_name.is_empty() { program.name.clone() } else { workflow_name };
            if name.is_empty() {
                return Err(invalid("the workflow has no name\nhint: set workflow_name"));
            }
            let lowered = Lowered::new(program)
                .map_err(|problems| invalid(error::lines("the program has problems:", &problems)))?;
            Ok((name, lowered))
        };
        let (name, lowered) = self.aside(read).await??;
        let hash = waymark_ir::hash_hex(&lowered.ir_hash);
        let store = &self.inner.store;
        let listed =
            patiently(self.deadline(), || store.list_versions(Some(&name))).await.map_err(error::from_store)?;
        let registered = listed.into_iter().find(|version| version.ir_hash == hash);
        let workflow_version = registered.map(|version| version.workflow_version).unwrap_or_default();
        let target = Target { lowered, workflow_version_id: None, workflow_version: workflow_version.clone() };
        let filter = wire::InstanceFilter { workflow_name: name, ..wire::InstanceFilter::default() };
        let (instances, next_cursor) = self.movable(&[], Some(filter), &cursor).await?;
        let verdicts = self.judge(instances, &target, &Mapping::default(), None).await?;
        let answers = verdicts.iter().map(|verdict| answer(verdict, false)).collect();
        Ok(wire::CheckInstancesResponse { answers, next_cursor, workflow_version })
    }

    pub(super) async fn frames(&self, request: wire::GetFramesRequest) -> Result<wire::GetFramesResponse, Refused> {
        let id = view::instance_id("instance_id", &request.instance_id)?;
        let stored = self.stored(id).await?;
        let workflow_version = stored.state.instance.workflow_version.clone();
        let frames = self.aside(move || {
            let mut instance = stored.fold()?;
            let seq = instance.seq() as i64;
            let frames = instance.movable_frames().into_iter().map(|frame| {
                let named = frame.variables.into_iter().map(|(name, value)| (Value::str(&*name), value));
                wire::LiveFrame {
                    function: frame.function.to_string(),
                    line: frame.line,
                    variables: payload::encode(&Value::Dict(named.collect())),
                }
            });
            Ok::<_, String>((seq, frames.collect()))
        });
        let (seq, frames) = frames.await?.map_err(Refused::failed_precondition)?;
        Ok(wire::GetFramesResponse { seq, workflow_version, frames })
    }

    pub(super) async fn migrate(
        &self,
        request: wire::MigrateInstancesRequest,
    ) -> Result<wire::MigrateInstancesResponse, Refused> {
        let mapping = self.mapping(&request)?;
        if request.filter.as_ref().is_some_and(|filter| filter.workflow_name.is_empty()) {
            return Err(invalid("the filter names no workflow\nhint: set its workflow_name"));
        }
        let (instances, next_cursor) = self.movable(&request.instance_ids, request.filter, &request.cursor).await?;
        let Some(first) = instances.first() else {
            let workflow_version = request.workflow_version;
            return Ok(wire::MigrateInstancesResponse { answers: Vec::new(), next_cursor, workflow_version });
        };
        let workflow_name = first.workflow_name.clone();
        if instances.iter().any(|instance| instance.workflow_name != workflow_name) {
            return Err(invalid("the instances are of several workflows\nhint: make a call for each"));
        }
        let target = self.target(&workflow_name, &request.workflow_version).await?;
        let mut answers = Vec::new();
        let mut left = instances;
        for look in 1..=LOOKS_MAX {
            let verdicts = self.judge(left, &target, &mapping, request.expected_seq).await?;
            if request.dry_run {
                answers.extend(verdicts.iter().map(|verdict| answer(verdict, false)));
                break;
            }
            left = self.store_all(verdicts, look == LOOKS_MAX || request.expected_seq.is_some(), &mut answers).await?;
            if left.is_empty() {
                break;
            }
        }
        Ok(wire::MigrateInstancesResponse { answers, next_cursor, workflow_version: target.workflow_version })
    }

    /// Stores what can be moved. Those that have gone on meanwhile come back, to be looked at again.
    async fn store_all(
        &self,
        mut verdicts: Vec<Verdict>,
        is_last: bool,
        answers: &mut Vec<wire::MigrationAnswer>,
    ) -> Result<Vec<Instance>, Refused> {
        let batch: Vec<Rewrite> = verdicts.iter().filter_map(|verdict| verdict.rewrite.clone()).collect();
        let store = &self.inner.store;
        let stored = match batch.is_empty() {
            true => Vec::new(),
            false => patiently(self.deadline(), || store.rewrite_instances(batch.clone()))
                .await
                .map_err(error::from_store)?,
        };
        let mut stored = stored.into_iter();
        let mut again = Vec::new();
        for verdict in &mut verdicts {
            let outcome = verdict.rewrite.as_ref().and_then(|_| stored.next());
            let refusal = match outcome {
                None | Some(Rewritten::Done) => None,
                Some(Rewritten::Moved { .. }) if !is_last => {
                    again.push(verdict.instance.clone());
                    continue;
                }
                Some(Rewritten::Moved { .. }) => {
                    Some("it has gone on meanwhile\nhint: try again, or pause it first".into())
                }
                Some(Rewritten::KeyTaken { instance_id }) => Some(format!("instance {instance_id} has its id by now")),
                Some(Rewritten::Unknown) => Some("it is gone".into()),
                Some(Rewritten::Refused { reason }) => Some(reason),
            };
            let is_done = verdict.rewrite.is_some() && refusal.is_none();
            if let Some(reason) = refusal {
                verdict.problems.push(whole(reason));
                verdict.label = Label::Stays;
            }
            answers.push(answer(verdict, is_done));
        }
        Ok(again)
    }

    async fn target(&self, workflow_name: &str, version: &str) -> Result<Target, Refused> {
        let known = self.inner.versions.find(workflow_name, version, self.deadline()).await;
        let known = known.map_err(error::from_store)?.map_err(|missing| Refused::not_found(missing.message.clone()))?;
        let id = known.workflow_version_id;
        let lowered = self.program(id).await?;
        Ok(Target { lowered, workflow_version_id: Some(id), workflow_version: known.workflow_version.clone() })
    }

    fn mapping(&self, request: &wire::MigrateInstancesRequest) -> Result<Mapping, Refused> {
        let mut mapping = Mapping::default();
        if !request.variables.is_empty() {
            for (function, variables) in dict("variables", &request.variables)? {
                let Value::Dict(variables) = variables else {
                    return Err(invalid(format!("the values for {function} are no dict of values by name")));
                };
                mapping.functions.insert(function, named(variables)?);
            }
        }
        if !request.frames.is_empty() && (request.instance_ids.len() != 1 || request.expected_seq.is_none()) {
            return Err(invalid(
                "values for frames are for one instance at one event\nhint: give one instance_id, and expected_seq",
            ));
        }
        for frame in &request.frames {
            mapping.frames.insert(frame.frame as usize, dict("frames", &frame.variables)?);
        }
        Ok(mapping)
    }

    async fn movable(
        &self,
        ids: &[Vec<u8>],
        filter: Option<wire::InstanceFilter>,
        cursor: &[u8],
    ) -> Result<(Vec<Instance>, Vec<u8>), Refused> {
        let chosen = self.chosen(ids, filter, cursor, &Status::LIVE, INSTANCES_MAX).await?;
        let there = chosen.instances.into_iter().map(|(id, found)| found.ok_or_else(|| error::not_found(id)));
        Ok((there.collect::<Result<_, _>>()?, chosen.next_cursor))
    }

    /// What the target means for each.
    async fn judge(
        &self,
        instances: Vec<Instance>,
        target: &Target,
        mapping: &Mapping,
        expected_seq: Option<i64>,
    ) -> Result<Vec<Verdict>, Refused> {
        let mut verdicts = Vec::new();
        let mut found = Vec::new();
        for instance in instances {
            let refused = |label, problems| Verdict { instance: instance.clone(), label, problems, rewrite: None };
            if instance.status.is_final() {
                verdicts.push(refused(Label::Stays, vec![whole("it has finished".into())]));
                continue;
            }
            let is_there = Some(instance.workflow_version_id) == target.workflow_version_id;
            if is_there && *mapping == Mapping::default() {
                verdicts.push(refused(Label::Same, Vec::new()));
                continue;
            }
            match self.stored(instance.instance_id).await {
                Ok(stored) => found.push(stored),
                Err(Missing::Program(reason)) => verdicts.push(refused(Label::Stays, vec![whole(reason)])),
                Err(Missing::Instance(_)) => verdicts.push(refused(Label::Stays, vec![whole("it is gone".into())])),
                Err(Missing::Store(refused)) => return Err(refused),
            }
        }
        let store = &self.inner.store;
        let now = patiently(self.deadline(), || store.now()).await.map_err(error::from_store)?;
        let (target, mapping) = (target.clone(), mapping.clone());
        let judged = self.aside(move || {
            let judged = found.into_iter().map(|stored| verdict(stored, &target, &mapping, expected_seq, now));
            judged.collect::<Vec<Verdict>>()
        });
        verdicts.extend(judged.await?);
        Ok(verdicts)
    }
}

fn verdict(stored: Stored, target: &Target, mapping: &Mapping, expected_seq: Option<i64>, now: Timestamp) -> Verdict {
    let instance = stored.state.instance.clone();
    let refused = |label, problems| Verdict { instance: instance.clone(), label, problems, rewrite: None };
    let folded = match stored.fold() {
        Ok(folded) => folded,
        Err(reason) => return refused(Label::Stays, vec![whole(reason)]),
    };
    if expected_seq.is_some_and(|expected| expected != folded.seq() as i64) {
        let reason = "it has gone on since its frames were read\nhint: try again, or pause it first";
        return refused(Label::Stays, vec![whole(reason.into())]);
    }
    let is_same = stored.lowered.ir_hash == target.lowered.ir_hash;
    // One that is there already keeps what it has, whatever values others are given.
    let is_there = target.workflow_version_id.is_none_or(|id| id == instance.workflow_version_id);
    if is_same && is_there {
        return refused(Label::Same, Vec::new());
    }
    let comparison = Comparison::new(&stored.lowered, &target.lowered);
    let id = target.workflow_version_id.unwrap_or_default();
    let versions = Migrated { from: instance.workflow_version.clone(), to: target.workflow_version.clone() };
    match migration::migrate(instance.instance_id, folded, &comparison, mapping, &versions, id, now) {
        Ok(rewrite) => Verdict {
            label: if is_same { Label::Same } else { Label::Safe },
            rewrite: target.workflow_version_id.map(|_| rewrite),
            problems: Vec::new(),
            instance,
        },
        Err(problems) => refused(Label::of(&problems), problems),
    }
}

fn answer(verdict: &Verdict, is_done: bool) -> wire::MigrationAnswer {
    let label = match verdict.label {
        Label::Same => wire::MigrationLabel::Same,
        Label::Safe => wire::MigrationLabel::SafeToMigrate,
        Label::NeedsMapping => wire::MigrationLabel::NeedsAMapping,
        Label::Stays => wire::MigrationLabel::StaysOnItsVersion,
    };
    let problems = verdict.problems.iter().map(|problem| wire::MigrationProblem {
        function: problem.function.clone(),
        file: problem.file.clone(),
        line: problem.line,
        reason: problem.reason.clone(),
        hint: problem.hint.clone(),
        variable: match &problem.kind {
            ProblemKind::Variable(name) => name.clone(),
            _ => String::new(),
        },
    });
    wire::MigrationAnswer {
        instance_id: verdict.instance.instance_id.as_bytes().to_vec(),
        id: verdict.instance.user_key.clone().unwrap_or_default(),
        workflow_version: verdict.instance.workflow_version.clone(),
        label: label.into(),
        problems: problems.collect(),
        done: is_done,
    }
}

/// A problem of an instance as a whole; what a hint says comes behind a line break.
fn whole(reason: String) -> Problem {
    let (reason, hint) = match reason.split_once("\nhint: ") {
        Some((reason, hint)) => (reason.to_string(), hint.to_string()),
        None => (reason, String::new()),
    };
    Problem { kind: ProblemKind::Instance, function: String::new(), file: String::new(), line: 0, reason, hint }
}

fn dict(field: &str, bytes: &[u8]) -> Result<Variables, Refused> {
    match payload::decode(bytes) {
        Ok(Value::Dict(entries)) => named(entries),
        Ok(_) => Err(invalid(format!("{field} is no dict"))),
        Err(problem) => Err(invalid(format!("{field} can't be read: {problem}"))),
    }
}

fn named(entries: Vec<(Value, Value)>) -> Result<BTreeMap<String, Value>, Refused> {
    let named = entries.into_iter().map(|(name, value)| match name {
        Value::Str(name) => Ok((name, value)),
        _ => Err(invalid("a name of a variable is no text")),
    });
    named.collect()
}
