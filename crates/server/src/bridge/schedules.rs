//! Schedules, as clients put and change them. Every change is one of what was read before, and is tried again where somebody else was faster.

use tonic::Status;
use uuid::Uuid;
use waymark_engine::schedule::{self, Calendar, Definition, Overlap, When};
use waymark_proto::bridge as wire;
use waymark_store::{
    DueSchedule, Fired, Firing, PutSchedule, ScheduleKey, SchedulePosition, ScheduleStatus, Timestamp, WorkflowSchedule,
};

use super::Bridge;
use super::error::{self, invalid, patiently};
use super::signature::{nearest, shown};
use super::start::{START_AT_MAX_US, name_problem, new_instance, shape_problem};
use super::view::instance_id;

/// How often somebody else may be faster.
const TRIES_MAX: usize = 50;
/// Due times that one backfill makes up for, and those of them that share a transaction.
const BACKFILL_MAX: usize = 1_000;
const BACKFILL_BATCH: usize = 100;
/// Due times that are shown of a schedule.
const NEXT_SHOWN: usize = 5;
const CATCH_UP_DEFAULT_US: i64 = 24 * 3_600 * 1_000_000;

impl Bridge {
    pub(super) async fn put_schedule(
        &self,
        key: wire::ScheduleKey,
        spec: wire::ScheduleSpec,
    ) -> Result<wire::Schedule, Status> {
        let key = checked(key)?;
        let wanted = self.definition(&key, spec).await?;
        for _ in 0..TRIES_MAX {
            let before = self.find_schedule(&key).await?;
            let now = match &before {
                Some(before) => before.now,
                None => patiently(self.deadline(), || self.inner.store.now()).await.map_err(error::from_store)?,
            };
            let put = placed(&key, wanted.clone(), before.as_ref(), now)?;
            if let Some(stored) = self.try_put(put).await? {
                return view(&stored, &[], NEXT_SHOWN, now);
            }
        }
        Err(contended(&key))
    }

    pub(super) async fn list_schedules(&self, workflow_name: String) -> Result<Vec<wire::Schedule>, Status> {
        if let Some(problem) = name_problem("workflow_name", &workflow_name) {
            return Err(invalid(problem));
        }
        let wanted = (!workflow_name.is_empty()).then_some(workflow_name.as_str());
        let store = &self.inner.store;
        let found = patiently(self.deadline(), || store.list_schedules(wanted)).await.map_err(error::from_store)?;
        let now = patiently(self.deadline(), || store.now()).await.map_err(error::from_store)?;
        found.iter().map(|row| view(row, &[], 1, now)).collect()
    }

    pub(super) async fn get_schedule(&self, key: wire::ScheduleKey) -> Result<wire::Schedule, Status> {
        let found = self.known_schedule(&checked(key)?).await?;
        view(&found.schedule, &found.live, NEXT_SHOWN, found.now)
    }

    pub(super) async fn delete_schedule(&self, key: wire::ScheduleKey) -> Result<(), Status> {
        let key = checked(key)?;
        self.known_schedule(&key).await?;
        let store = &self.inner.store;
        // Gone already: somebody else was faster, or a call whose answer was lost.
        patiently(self.deadline(), || store.delete_schedule(key.clone())).await.map_err(error::from_store)?;
        Ok(())
    }

    pub(super) async fn set_schedule_status(
        &self,
        key: wire::ScheduleKey,
        status: ScheduleStatus,
    ) -> Result<wire::Schedule, Status> {
        let key = checked(key)?;
        for _ in 0..TRIES_MAX {
            let found = self.known_schedule(&key).await?;
            let row = &found.schedule;
            if row.status == status {
                return view(row, &found.live, NEXT_SHOWN, found.now);
            }
            let next = match status {
                ScheduleStatus::Active => {
                    let calendar = calendar(&definition_of(row)?)?;
                    schedule::place(&calendar, row.schedule_id, found.now)
                }
                ScheduleStatus::Paused => SchedulePosition { next_run_at: None, ..row.position },
            };
            // A run that was held back is looked at once it goes on.
            let buffered_at = row.position.buffered_at;
            let is_waiting = buffered_at.is_some() && status == ScheduleStatus::Active;
            let next_run_at = if is_waiting { Some(found.now) } else { next.next_run_at };
            let put = PutSchedule {
                schedule_id: row.schedule_id,
                key: key.clone(),
                expected_revision: Some(row.revision),
                status,
                definition: row.definition.clone(),
                position: SchedulePosition { buffered_at, next_run_at, ..next },
            };
            if let Some(stored) = self.try_put(put).await? {
                return view(&stored, &found.live, NEXT_SHOWN, found.now);
            }
        }
        Err(contended(&key))
    }

    pub(super) async fn trigger_schedule(&self, key: wire::ScheduleKey, id: &[u8]) -> Result<Uuid, Status> {
        let key = checked(key)?;
        let id = match id {
            [] => Uuid::now_v7(),
            id => instance_id("instance_id", id)?,
        };
        self.fire(&key, |found| schedule::trigger(found, id)).await?;
        Ok(id)
    }

    pub(super) async fn backfill_schedule(
        &self,
        key: wire::ScheduleKey,
        from_us: i64,
        to_us: i64,
    ) -> Result<wire::BackfillScheduleResponse, Status> {
        let key = checked(key)?;
        let found = self.known_schedule(&key).await?;
        if !(0..=START_AT_MAX_US).contains(&from_us) || to_us < from_us {
            return Err(invalid("a backfill is from one time to a later one, of 1970 or after"));
        }
        if to_us > found.now.0 {
            return Err(invalid(
                "a backfill makes up for the past, and this one ends in the future\nhint: what comes is the schedule's own",
            ));
        }
        let calendar = calendar(&definition_of(&found.schedule)?)?;
        let first = calendar.next_after(Timestamp(from_us.saturating_sub(1)));
        let due_times: Vec<Timestamp> = std::iter::successors(first, |due| calendar.next_after(*due))
            .take_while(|due| due.0 <= to_us)
            .take(BACKFILL_MAX + 1)
            .collect();
        if due_times.len() > BACKFILL_MAX {
            return Err(invalid(format!(
                "there are more than {BACKFILL_MAX} due times in that span\nhint: make up for them in several calls"
            )));
        }
        let mut started = 0;
        for batch in due_times.chunks(BACKFILL_BATCH) {
            started += self.fire(&key, |found| schedule::backfill(found, batch)).await?;
        }
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Ok(wire::BackfillScheduleResponse { due_times: count(due_times.len()), started: count(started) })
    }

    /// How many instances it started.
    async fn fire(
        &self,
        key: &ScheduleKey,
        decide: impl Fn(&DueSchedule) -> Result<Firing, String>,
    ) -> Result<usize, Status> {
        let store = &self.inner.store;
        for _ in 0..TRIES_MAX {
            let found = self.known_schedule(key).await?;
            let firing = decide(&found).map_err(Status::failed_precondition)?;
            match store.fire_schedules(vec![firing]).await {
                Ok(fired) => match fired.into_iter().next() {
                    Some(Fired::Done { started }) => return Ok(started),
                    Some(Fired::Refused { reason }) => return Err(invalid(reason)),
                    Some(Fired::Moved) | None => {}
                },
                // Its instances have the same ids the next time: none starts twice.
                Err(error) if error.is_transient() => tracing::debug!(%error, "a firing is tried again"),
                Err(error) => return Err(error::from_store(error)),
            }
        }
        Err(contended(key))
    }

    async fn find_schedule(&self, key: &ScheduleKey) -> Result<Option<DueSchedule>, Status> {
        let store = &self.inner.store;
        patiently(self.deadline(), || store.read_schedule(key.clone())).await.map_err(error::from_store)
    }

    async fn known_schedule(&self, key: &ScheduleKey) -> Result<DueSchedule, Status> {
        if let Some(found) = self.find_schedule(key).await? {
            return Ok(found);
        }
        // Only for the hint: what can't be read now is left out.
        let all = self.inner.store.list_schedules(Some(&key.workflow_name)).await.unwrap_or_default();
        let hint = match nearest(&key.schedule_name, all.iter().map(|row| row.key.schedule_name.as_str())) {
            Some(meant) => format!("did you mean {meant}?"),
            None => "`waymark schedule list` shows all there are".into(),
        };
        let (workflow, name) = (shown(&key.workflow_name), shown(&key.schedule_name));
        Err(Status::not_found(format!("workflow {workflow} has no schedule {name}\nhint: {hint}")))
    }

    /// None: somebody else was faster. Where the outcome is not known, looking again tells.
    async fn try_put(&self, put: PutSchedule) -> Result<Option<WorkflowSchedule>, Status> {
        match self.inner.store.put_schedule(put).await {
            Ok(stored) => Ok(stored),
            Err(error) if error.is_transient() => Ok(None),
            Err(error) => Err(error::from_store(error)),
        }
    }

    /// What a spec means, checked as a start would be.
    async fn definition(&self, key: &ScheduleKey, spec: wire::ScheduleSpec) -> Result<Definition, Status> {
        let overlap = overlap(spec.overlap)?;
        let start = wire::Start {
            workflow_name: key.workflow_name.clone(),
            inputs: spec.inputs,
            queue: spec.queue,
            priority: spec.priority,
            tags: spec.tags,
            key: spec.key,
            ..wire::Start::default()
        };
        if let Some(refusal) = shape_problem(&start, self.inner.options.payload_bytes_max) {
            return Err(invalid(refusal.message));
        }
        let found = self.inner.versions.find(&key.workflow_name, "", self.deadline()).await;
        let known = found.map_err(error::from_store)?.map_err(|missing| Status::not_found(missing.message))?;
        let new = new_instance(start, &known).map_err(|refusal| invalid(refusal.message))?;
        let times = [("start_us", spec.start_us), ("end_us", spec.end_us)];
        if let Some((field, Some(at))) =
            times.into_iter().find(|(_, at)| at.is_some_and(|at| !(0..=START_AT_MAX_US).contains(&at)))
        {
            return Err(invalid(format!(
                "{field} {at} is not between 1970 and 9999\nhint: it is in microseconds since 1970"
            )));
        }
        let zone = if spec.time_zone.is_empty() { "UTC".into() } else { spec.time_zone };
        let when = match spec.when {
            Some(wire::schedule_spec::When::Cron(pattern)) => When::Cron { pattern, zone },
            // The anchor is set when it is put.
            Some(wire::schedule_spec::When::IntervalUs(every_us)) => When::Interval { every_us, anchor_us: 0 },
            None => return Err(invalid("nothing says when it is due\nhint: give a cron pattern or an interval")),
        };
        let definition = Definition {
            when,
            start_at_us: spec.start_us,
            end_at_us: spec.end_us,
            jitter_us: spec.jitter_us,
            overlap,
            catch_up_us: spec.catch_up_us.unwrap_or(CATCH_UP_DEFAULT_US),
            inputs: new.inputs,
            queue: new.queue,
            priority: new.priority,
            tags: new.tags,
            key: new.queue_key,
            timeout_us: spec.timeout_us,
        };
        calendar(&definition)?;
        Ok(definition)
    }
}

/// Where a schedule goes on that is put: from now, or, with the calendar that it had, from where it stood, so that nothing is lost.
fn placed(
    key: &ScheduleKey,
    mut wanted: Definition,
    before: Option<&DueSchedule>,
    now: Timestamp,
) -> Result<PutSchedule, Status> {
    let earlier = before.map(|before| definition_of(&before.schedule)).transpose()?;
    if let When::Interval { every_us, anchor_us } = &mut wanted.when {
        *anchor_us = match (wanted.start_at_us, earlier.as_ref().map(|earlier| &earlier.when)) {
            (Some(start_us), _) => start_us,
            (None, Some(When::Interval { every_us: same, anchor_us })) if same == every_us => *anchor_us,
            // A whole second is easier to read.
            (None, _) => now.0 - now.0 % 1_000_000,
        };
    }
    let calendar = calendar(&wanted)?;
    let schedule_id = before.map_or_else(Uuid::now_v7, |before| before.schedule.schedule_id);
    let is_same = earlier.is_some_and(|earlier| earlier.has_calendar_of(&wanted));
    let position = match before {
        Some(before) if is_same && before.schedule.status == ScheduleStatus::Active => {
            let stood = before.schedule.position;
            let next = schedule::place(&calendar, schedule_id, stood.handled_until);
            let buffered_at = stood.buffered_at.filter(|_| wanted.overlap == Overlap::BufferOne);
            let next_run_at = if buffered_at.is_some() { Some(now) } else { next.next_run_at };
            SchedulePosition { buffered_at, next_run_at, ..next }
        }
        _ => schedule::place(&calendar, schedule_id, now),
    };
    if position.next_run_at.is_none() {
        return Err(invalid("it would never be due\nhint: look at the day and month of the pattern, and at its end"));
    }
    Ok(PutSchedule {
        schedule_id,
        key: key.clone(),
        expected_revision: before.map(|before| before.schedule.revision),
        status: ScheduleStatus::Active,
        definition: wanted.encode().map_err(invalid)?,
        position,
    })
}

fn checked(key: wire::ScheduleKey) -> Result<ScheduleKey, Status> {
    let wire::ScheduleKey { workflow_name, schedule_name } = key;
    for (field, name) in [("workflow_name", &workflow_name), ("schedule_name", &schedule_name)] {
        if name.is_empty() {
            return Err(invalid(format!(
                "{field} is empty\nhint: a schedule is named by its workflow and a name of its own"
            )));
        }
        if let Some(problem) = name_problem(field, name) {
            return Err(invalid(problem));
        }
    }
    Ok(ScheduleKey { workflow_name, schedule_name })
}

fn calendar(definition: &Definition) -> Result<Calendar, Status> {
    definition.calendar().map_err(invalid)
}

fn definition_of(row: &WorkflowSchedule) -> Result<Definition, Status> {
    Definition::decode(&row.definition).map_err(|problem| {
        Status::failed_precondition(format!(
            "{problem}\nhint: a newer Waymark may have put it; use that one, or delete it"
        ))
    })
}

fn contended(key: &ScheduleKey) -> Status {
    let name = shown(&key.schedule_name);
    Status::unavailable(format!(
        "schedule {name} could not be changed: others do, or the database is away\nhint: try again"
    ))
}

const OVERLAPS: [(wire::ScheduleOverlap, Overlap); 4] = [
    (wire::ScheduleOverlap::Skip, Overlap::Skip),
    (wire::ScheduleOverlap::Allow, Overlap::Allow),
    (wire::ScheduleOverlap::BufferOne, Overlap::BufferOne),
    (wire::ScheduleOverlap::CancelRunning, Overlap::CancelRunning),
];

fn overlap(wanted: i32) -> Result<Overlap, Status> {
    let found = OVERLAPS.into_iter().find(|(wire, _)| i32::from(*wire) == wanted);
    found.map(|(_, overlap)| overlap).ok_or_else(|| invalid(format!("{wanted} is no overlap policy")))
}

/// With so many due times, as of a moment.
fn view(row: &WorkflowSchedule, live: &[Uuid], next_shown: usize, now: Timestamp) -> Result<wire::Schedule, Status> {
    let definition = definition_of(row)?;
    let after = row.position.handled_until.max(now);
    let next_due_us = match row.status {
        ScheduleStatus::Active => calendar(&definition)?.upcoming(after, next_shown).iter().map(|due| due.0).collect(),
        ScheduleStatus::Paused => Vec::new(),
    };
    let bytes = |id: &Uuid| id.as_bytes().to_vec();
    Ok(wire::Schedule {
        schedule_id: bytes(&row.schedule_id),
        workflow_name: row.key.workflow_name.clone(),
        schedule_name: row.key.schedule_name.clone(),
        spec: Some(spec(definition)),
        paused: row.status == ScheduleStatus::Paused,
        next_due_us,
        last_run_us: row.last_run_at.map(|at| at.0),
        last_instance_id: row.last_instance_id.as_ref().map(bytes).unwrap_or_default(),
        runs: row.runs,
        overlapped: row.overlapped,
        missed: row.missed,
        buffered_us: row.position.buffered_at.map(|at| at.0),
        live_instance_ids: live.iter().map(bytes).collect(),
        created_at_us: row.created_at.0,
        updated_at_us: row.updated_at.0,
    })
}

fn spec(definition: Definition) -> wire::ScheduleSpec {
    let (when, time_zone) = match definition.when {
        When::Cron { pattern, zone } => (wire::schedule_spec::When::Cron(pattern), zone),
        When::Interval { every_us, .. } => (wire::schedule_spec::When::IntervalUs(every_us), String::new()),
    };
    let overlap = OVERLAPS.into_iter().find(|(_, overlap)| *overlap == definition.overlap).map(|(wire, _)| wire);
    wire::ScheduleSpec {
        when: Some(when),
        time_zone,
        start_us: definition.start_at_us,
        end_us: definition.end_at_us,
        jitter_us: definition.jitter_us,
        overlap: overlap.unwrap_or_default().into(),
        catch_up_us: Some(definition.catch_up_us),
        inputs: definition.inputs,
        queue: definition.queue,
        priority: Some(u32::from(definition.priority)),
        tags: definition.tags,
        key: definition.key.unwrap_or_default(),
        timeout_us: definition.timeout_us,
    }
}
