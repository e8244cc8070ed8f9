//! `runner_instances` and the log.

use std::collections::HashMap;

use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::pool::{Database, Transaction};
use super::rewrite;
use super::row::{LOG_COLUMNS, get, log_row, parent};
use crate::search::{self, Bound, Dialect};
use crate::time::micros;
use crate::{
    Change, ClaimedInstance, Error, Instance, InstanceFilter, InstancePage, InstanceState, LogRow, NewInstance,
    OnConflict, Queued, Result, Snapshot, StartClaim, Status, Timestamp, Turn, tags, validate,
};

const COLUMNS: &str = "r.instance_id, r.workflow_version_id, r.workflow_name, v.workflow_version, r.status, r.user_key,
    r.parent_instance_id, r.parent_execution_id, r.tags, r.queue, r.queue_key, r.deadline_at, r.schedule_id, r.error_type,
    r.waits_for, r.stuck_reason, q.scheduled_at, r.created_at, r.finished_at,
    CASE WHEN q.instance_id IS NULL THEN NULL
         WHEN q.lock_uuid IS NOT NULL THEN 'held'
         WHEN EXISTS (SELECT 1 FROM paused_workflows p WHERE p.workflow_name = r.workflow_name) THEN 'workflow paused'
         WHEN EXISTS (SELECT 1 FROM queues s WHERE s.name = q.queue AND s.paused) THEN 'queue paused'
         ELSE 'waiting' END AS turn";
const TABLES: &str = "runner_instances r LEFT JOIN workflow_versions v ON v.id = r.workflow_version_id
    LEFT JOIN queued_instances q ON q.instance_id = r.instance_id";

/// Both rows of each start that is new. Ordered by key, so that two batches with the same keys don't wait for each other.
const QUEUE: &str = "
    WITH born AS MATERIALIZED (
        SELECT * FROM {BORN}
            AS b(instance_id, workflow_version_id, queue, priority, scheduled_at, user_key, parent_instance_id,
                 parent_execution_id, tags, inputs, queue_key, deadline_at, schedule_id, position)
    ), {ROWS}
    SELECT * FROM instances";

/// The columns of [`Starts`].
const BORN: &str =
    "$1::uuid[], $2::uuid[], $3::text[], $4::smallint[], $5::timestamptz[], $6::text[], $7::uuid[], $8::text[],
    $9::text[], $10::bytea[], $11::text[], $12::timestamptz[], $13::uuid[]";

/// The rows of those in `born`, who have the columns of [`Starts`] and a position. Of a queue with settings all have a key.
const INSERT: &str = "
    {INSTANCES}, queue AS (
        INSERT INTO queued_instances (instance_id, queue, queue_key, priority, scheduled_at)
        SELECT b.instance_id, b.queue, coalesce(b.queue_key, (SELECT '' FROM queues s WHERE s.name = b.queue)), b.priority,
               coalesce(b.scheduled_at, clock_timestamp())
        FROM born b JOIN instances USING (instance_id)
    )";

/// The same, and those at the positions that $14 says are claimed, unless their queue has settings or their workflow is paused.
const INSERT_AND_CLAIM: &str = "
    {INSTANCES}, queue AS (
        INSERT INTO queued_instances (instance_id, queue, queue_key, priority, scheduled_at, claims, lock_uuid, lock_owner,
                                      lock_expires_at)
        SELECT b.instance_id, b.queue, coalesce(b.queue_key, (SELECT '' FROM queues s WHERE s.name = b.queue)), b.priority,
               coalesce(b.scheduled_at, i.created_at), CASE WHEN fate.is_claimed THEN 1 ELSE 0 END,
               CASE WHEN fate.is_claimed THEN $15::uuid END, CASE WHEN fate.is_claimed THEN $16::text END,
               CASE WHEN fate.is_claimed THEN clock_timestamp() + $17::double precision * interval '1 microsecond' END
        FROM born b JOIN instances i USING (instance_id), LATERAL (
            SELECT ($14::boolean[])[b.position::integer] AND NOT EXISTS (SELECT 1 FROM queues s WHERE s.name = b.queue)
                AND NOT EXISTS (SELECT 1 FROM paused_workflows p WHERE p.workflow_name = i.workflow_name) AS is_claimed
        ) AS fate
        RETURNING instance_id, lock_uuid IS NOT NULL AS is_claimed
    )";

const INSTANCES: &str = "
    instances AS (
        INSERT INTO runner_instances (instance_id, workflow_version_id, workflow_name, user_key, parent_instance_id,
                                      parent_execution_id, tags, created_at, inputs, queue, queue_key, priority, deadline_at,
                                      schedule_id)
        SELECT b.instance_id, v.id, v.workflow_name, b.user_key, b.parent_instance_id, b.parent_execution_id, b.tags,
               clock_timestamp(), b.inputs, b.queue, b.queue_key, b.priority, b.deadline_at, b.schedule_id
        FROM born b JOIN workflow_versions v ON v.id = b.workflow_version_id
        ORDER BY v.workflow_name, b.user_key, b.position
        ON CONFLICT DO NOTHING RETURNING instance_id, workflow_name, created_at
    )";

/// Left out where nobody has tags: every table that a statement mentions costs time.
const TAG: &str = ", tagged AS (
        INSERT INTO instance_tags (tag, instance_id)
        SELECT DISTINCT t.tag, b.instance_id FROM born b JOIN instances USING (instance_id), string_to_table(b.tags, E'\\n') AS t(tag)
        ORDER BY 1, 2
    )";

/// Who is in the way of starts that were not new.
const RESOLVE: &str = "
    SELECT b.position, v.id IS NOT NULL AS known, same.instance_id AS same_id, holder.instance_id AS holder_id,
           holder.inputs = b.inputs AS equal, same.workflow_name, same.created_at, mine.instance_id IS NOT NULL AS is_mine
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[]) WITH ORDINALITY
        AS b(instance_id, workflow_version_id, user_key, inputs, position)
    LEFT JOIN workflow_versions v ON v.id = b.workflow_version_id
    LEFT JOIN runner_instances same ON same.instance_id = b.instance_id
    LEFT JOIN queued_instances mine ON mine.instance_id = b.instance_id AND mine.lock_uuid = $5::uuid
        AND mine.lock_expires_at > clock_timestamp() AND mine.seq = 0
    LEFT JOIN runner_instances holder ON holder.workflow_name = v.workflow_name AND holder.user_key = b.user_key
        AND holder.user_key IS NOT NULL AND holder.finished_at IS NULL
    ORDER BY b.position";

/// The holder of a key may finish between two looks; then the start is tried again.
const ROUNDS_MAX: usize = 5;

/// What became of each, and what else others should hear of.
pub(super) async fn queue(
    database: &Database,
    batch: &[NewInstance],
    claim: Option<&StartClaim>,
) -> Result<(Vec<Queued>, Vec<Change>)> {
    let mut answers: Vec<Option<Queued>> =
        batch.iter().map(|new| validate::instance(new).err().map(|reason| Queued::Refused { reason })).collect();
    let mut changes = Vec::new();
    let is_alone = |new: &NewInstance| new.unique_for.is_some() || matches!(new.on_conflict, OnConflict::Replace(_));
    let mut is_written = false;
    for index in (0..batch.len()).filter(|index| is_alone(&batch[*index])) {
        if answers[index].is_some() {
            continue;
        }
        let (answer, more) = queue_alone(database, &batch[index]).await.map_err(|error| part(error, is_written))?;
        is_written |= answer == Queued::Started;
        answers[index] = Some(answer);
        changes.extend(more);
    }
    let wanted = claim.map(|claim| claim.wanted(batch));
    for _ in 0..ROUNDS_MAX {
        let open: Vec<usize> = (0..batch.len()).filter(|index| answers[*index].is_none()).collect();
        if open.is_empty() {
            break;
        }
        let starts: Vec<&NewInstance> = open.iter().map(|index| &batch[*index]).collect();
        let picked = wanted.as_ref().map(|wanted| open.iter().map(|index| wanted[*index]).collect::<Vec<bool>>());
        let started = match claim.zip(picked) {
            Some((claim, picked)) if picked.contains(&true) => {
                insert_and_claim(database, &starts, claim, &picked).await
            }
            _ => insert(database, &starts).await,
        }
        .map_err(|error| part(error, is_written))?;
        let missing: Vec<&NewInstance> =
            starts.iter().copied().filter(|new| !started.contains_key(&new.instance_id)).collect();
        is_written |= !started.is_empty();
        let resolved = resolve(database, &missing, claim).await.map_err(|error| part(error, is_written))?;
        let mut resolved = resolved.into_iter();
        for index in open {
            answers[index] = match started.get(&batch[index].instance_id) {
                Some(queued) => Some(queued.clone()),
                None => resolved.next().flatten(),
            };
        }
    }
    let gave_up = || part(Error::Unavailable { reason: "a key changes hands too fast".into() }, is_written);
    let answers = answers.into_iter().map(|answer| answer.ok_or_else(gave_up)).collect::<Result<_>>()?;
    Ok((answers, changes))
}

/// Where another part of the batch was committed, nobody may say that nothing was.
fn part(error: Error, is_written: bool) -> Error {
    match error {
        Error::Unavailable { reason } if is_written => Error::OutcomeUnknown { reason },
        error => error,
    }
}

/// Those that are new.
async fn insert(database: &Database, starts: &[&NewInstance]) -> Result<HashMap<Uuid, Queued>> {
    let columns = Starts::new(starts.iter().copied());
    let rows = database.write(&columns.rows_of(&columns.queue()), &columns.queue_values()).await?;
    rows.iter().map(|row| Ok((get(row, "instance_id")?, Queued::Started))).collect()
}

/// The same, and those that are picked are claimed if nothing speaks against it.
async fn insert_and_claim(
    database: &Database,
    starts: &[&NewInstance],
    claim: &StartClaim,
    picked: &[bool],
) -> Result<HashMap<Uuid, Queued>> {
    let columns = Starts::new(starts.iter().copied());
    let lease_us = micros(claim.lease) as f64;
    let mut values = columns.queue_values().to_vec();
    let how: [&(dyn ToSql + Sync); 4] = [&picked, &claim.lock_uuid, &claim.engine, &lease_us];
    values.extend(how);
    let rows = database.write(&columns.claimed_rows_of(&columns.queue()), &values).await?;
    let by_id: HashMap<Uuid, &NewInstance> = starts.iter().map(|new| (new.instance_id, *new)).collect();
    let read = |row: &Row| {
        let instance_id = get(row, "instance_id")?;
        Ok((
            instance_id,
            match get(row, "is_claimed")? {
                true => claimed(row, by_id[&instance_id], claim.lock_uuid)?,
                false => Queued::Started,
            },
        ))
    };
    rows.iter().map(read).collect()
}

fn claimed(row: &Row, new: &NewInstance, lock_uuid: Uuid) -> Result<Queued> {
    let claimed = ClaimedInstance::new(new, lock_uuid, get(row, "workflow_name")?, get(row, "created_at")?);
    Ok(Queued::Claimed(Box::new(claimed)))
}

/// For each start that was not new: why. None: nobody is in the way any more.
pub(super) async fn resolve(
    database: &Database,
    starts: &[&NewInstance],
    claim: Option<&StartClaim>,
) -> Result<Vec<Option<Queued>>> {
    if starts.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<Uuid> = starts.iter().map(|new| new.instance_id).collect();
    let versions: Vec<Uuid> = starts.iter().map(|new| new.workflow_version_id).collect();
    let keys: Vec<Option<&str>> = starts.iter().map(|new| new.user_key.as_deref()).collect();
    let inputs: Vec<&[u8]> = starts.iter().map(|new| new.inputs.as_slice()).collect();
    let lock_uuid = claim.map(|claim| claim.lock_uuid);
    let rows = database.read(RESOLVE, &[&ids, &versions, &keys, &inputs, &lock_uuid]).await?;
    rows.iter()
        .zip(starts)
        .map(|(row, new)| {
            let same: Option<Uuid> = get(row, "same_id")?;
            let holder: Option<Uuid> = get(row, "holder_id")?;
            let equal: Option<bool> = get(row, "equal")?;
            // This very claim was made before, and the answer was lost.
            if let Some(lock_uuid) = lock_uuid.filter(|_| get(row, "is_mine").unwrap_or(false)) {
                return Ok(Some(claimed(row, new, lock_uuid)?));
            }
            Ok(match (same, holder, equal) {
                (Some(instance_id), ..) => Some(Queued::Existing { instance_id }),
                (None, Some(instance_id), equal) => Some(taken(new, instance_id, equal == Some(true))),
                (None, None, _) if !get::<_, bool>(row, "known")? => Some(Queued::UnknownVersion),
                (None, None, _) => None,
            })
        })
        .collect()
}

/// What a start whose key somebody has comes to.
fn taken(new: &NewInstance, instance_id: Uuid, is_equal: bool) -> Queued {
    match &new.on_conflict {
        OnConflict::SameInputs if is_equal => Queued::Existing { instance_id },
        OnConflict::Existing => Queued::Existing { instance_id },
        OnConflict::SameInputs | OnConflict::Reject | OnConflict::Replace(_) => Queued::KeyTaken { instance_id },
    }
}

/// Who finished with this key a short while ago.
const FINISHED: &str = "
    SELECT r.instance_id, r.inputs = $3::bytea AS equal FROM workflow_versions v JOIN runner_instances r ON r.workflow_name = v.workflow_name
    WHERE v.id = $1::uuid AND r.user_key = $2::text AND r.user_key IS NOT NULL AND r.finished_at IS NOT NULL
      AND r.finished_at > clock_timestamp() - $4::double precision * interval '1 microsecond'
    ORDER BY r.finished_at DESC LIMIT 1";

/// A start that ends another, or that those which have finished are in the way of: in a transaction of its own. It holds the key before it
/// looks who had it, so that nobody finishes unseen between the two.
async fn queue_alone(database: &Database, new: &NewInstance) -> Result<(Queued, Vec<Change>)> {
    let columns = Starts::new([new]);
    let insert = columns.rows_of(&columns.queue());
    let window_us = new.unique_for.map_or(0.0, |window| micros(window) as f64);
    for _ in 0..ROUNDS_MAX {
        let mut changes = Vec::new();
        let transaction = database.begin().await?;
        if let OnConflict::Replace(Some(termination)) = &new.on_conflict {
            // Only whoever has the key now, and not when this very start was made already.
            let holder =
                "SELECT 1 FROM runner_instances r JOIN workflow_versions v ON v.workflow_name = r.workflow_name
                WHERE v.id = $1 AND r.instance_id = $2 AND r.user_key = $3 AND r.finished_at IS NULL
                  AND NOT EXISTS (SELECT 1 FROM runner_instances same WHERE same.instance_id = $4)";
            let values: [&(dyn ToSql + Sync); 4] =
                [&new.workflow_version_id, &termination.instance_id, &new.user_key, &new.instance_id];
            if !transaction.query(holder, &values).await?.is_empty() {
                changes = rewrite::terminate_within(&transaction, termination).await?;
            }
        }
        let started = !transaction.query(&insert, &columns.queue_values()).await?.is_empty();
        let values: [&(dyn ToSql + Sync); 4] = [&new.workflow_version_id, &new.user_key, &new.inputs, &window_us];
        let finished = match new.unique_for {
            Some(_) if started => transaction.query(FINISHED, &values).await?,
            _ => Vec::new(),
        };
        match (finished.first(), started) {
            (Some(row), _) => {
                transaction.undo().await?;
                return Ok((taken(new, get(row, "instance_id")?, get(row, "equal")?), Vec::new()));
            }
            (None, true) => {
                transaction.commit().await?;
                return Ok((Queued::Started, changes));
            }
            (None, false) => transaction.undo().await?,
        }
        if let Some(answer) = resolve(database, &[new], None).await?.remove(0) {
            return Ok((answer, Vec::new()));
        }
    }
    Err(Error::Unavailable { reason: "a key changes hands too fast".into() })
}

/// Starts it, unless it is there.
pub(super) async fn queue_within(transaction: &Transaction, new: &NewInstance) -> Result<()> {
    let columns = Starts::new([new]);
    transaction.query(&columns.rows_of(&columns.queue()), &columns.queue_values()).await?;
    Ok(())
}

/// Starts, column by column.
#[derive(Default)]
pub(super) struct Starts<'a> {
    ids: Vec<Uuid>,
    versions: Vec<Uuid>,
    queues: Vec<&'a str>,
    priorities: Vec<i16>,
    scheduled: Vec<Option<Timestamp>>,
    keys: Vec<Option<&'a str>>,
    parents: Vec<Option<Uuid>>,
    parent_executions: Vec<Option<&'a str>>,
    tags: Vec<Option<String>>,
    inputs: Vec<&'a [u8]>,
    queue_keys: Vec<Option<&'a str>>,
    deadlines: Vec<Option<Timestamp>>,
    schedules: Vec<Option<Uuid>>,
}

impl<'a> Starts<'a> {
    pub(super) fn new(starts: impl IntoIterator<Item = &'a NewInstance>) -> Starts<'a> {
        let mut columns = Starts::default();
        for new in starts {
            columns.ids.push(new.instance_id);
            columns.versions.push(new.workflow_version_id);
            columns.queues.push(&new.queue);
            columns.priorities.push(i16::from(new.priority));
            columns.scheduled.push(new.scheduled_at);
            columns.keys.push(new.user_key.as_deref());
            columns.parents.push(new.parent.as_ref().map(|parent| parent.instance_id));
            columns.parent_executions.push(new.parent.as_ref().map(|parent| parent.execution_id.as_str()));
            columns.tags.push(tags::stored(&new.tags));
            columns.inputs.push(&new.inputs);
            columns.queue_keys.push(new.queue_key.as_deref());
            columns.deadlines.push(new.deadline_at);
            columns.schedules.push(new.schedule_id);
        }
        columns
    }

    pub(super) fn has_tags(&self) -> bool {
        self.tags.iter().any(Option::is_some)
    }

    /// The statement that queues them. Most come alone, and need no arrays: `unnest` takes its time for each.
    fn queue(&self) -> String {
        let born = match self.is_one() {
            true => format!("(VALUES ({}, 1::bigint))", BORN.replace("[]", "")),
            false => format!("unnest({BORN}) WITH ORDINALITY"),
        };
        QUEUE.replace("{BORN}", &born)
    }

    fn is_one(&self) -> bool {
        self.ids.len() == 1
    }

    /// The first parameters of that.
    fn queue_values(&self) -> [&(dyn ToSql + Sync); 13] {
        if !self.is_one() {
            return self.values();
        }
        [
            &self.ids[0],
            &self.versions[0],
            &self.queues[0],
            &self.priorities[0],
            &self.scheduled[0],
            &self.keys[0],
            &self.parents[0],
            &self.parent_executions[0],
            &self.tags[0],
            &self.inputs[0],
            &self.queue_keys[0],
            &self.deadlines[0],
            &self.schedules[0],
        ]
    }

    /// The statement, which has them in `born`, with what writes their rows.
    pub(super) fn rows_of(&self, statement: &str) -> String {
        self.written_by(statement, INSERT)
    }

    /// The same, where some are claimed.
    fn claimed_rows_of(&self, statement: &str) -> String {
        [self.written_by(statement, INSERT_AND_CLAIM).as_str(), " JOIN queue USING (instance_id)"].concat()
    }

    fn written_by(&self, statement: &str, rows: &str) -> String {
        let tags = if self.has_tags() { TAG } else { "" };
        statement.replace("{ROWS}", &[&rows.replace("{INSTANCES}", INSTANCES), tags].concat())
    }

    pub(super) fn values(&self) -> [&(dyn ToSql + Sync); 13] {
        [
            &self.ids,
            &self.versions,
            &self.queues,
            &self.priorities,
            &self.scheduled,
            &self.keys,
            &self.parents,
            &self.parent_executions,
            &self.tags,
            &self.inputs,
            &self.queue_keys,
            &self.deadlines,
            &self.schedules,
        ]
    }
}

pub(super) async fn get_instances(database: &Database, instance_ids: &[Uuid]) -> Result<Vec<Option<Instance>>> {
    let select = format!("SELECT {COLUMNS}, r.inputs, r.result, r.error FROM {TABLES} WHERE r.instance_id = ANY($1)");
    let rows = database.read(&select, &[&instance_ids]).await?;
    let mut found: HashMap<Uuid, Instance> = HashMap::new();
    for row in &rows {
        let instance = whole(row)?;
        found.insert(instance.instance_id, instance);
    }
    Ok(instance_ids.iter().map(|id| found.get(id).cloned()).collect())
}

pub(super) async fn read_state(database: &Database, instance_id: Uuid) -> Result<Option<InstanceState>> {
    let select = format!(
        "SELECT {COLUMNS}, r.inputs, r.result, r.error, r.state_seq, r.state FROM {TABLES} WHERE r.instance_id = $1"
    );
    let log = format!(
        "SELECT {LOG_COLUMNS} FROM runner_instances r
         JOIN runner_actions_done l ON l.instance_id = r.instance_id AND l.seq > r.state_seq
         WHERE r.instance_id = $1 ORDER BY l.seq"
    );
    loop {
        let [instances, rows] = database.read_together([(&select, &[&instance_id]), (&log, &[&instance_id])]).await?;
        let Some(row) = instances.first() else { return Ok(None) };
        let state: Option<Vec<u8>> = get(row, "state")?;
        let seq: i64 = get(row, "state_seq")?;
        let log = rows.iter().map(log_row).collect::<Result<Vec<_>>>()?;
        // A snapshot that was committed between the two looks leaves a gap: look again.
        if log.first().is_none_or(|first| first.seq == seq + 1) {
            let snapshot = state.map(|state| Snapshot { seq, state });
            return Ok(Some(InstanceState { instance: whole(row)?, snapshot, log }));
        }
    }
}

pub(super) async fn read_log(
    database: &Database,
    instance_id: Uuid,
    after_seq: i64,
    limit: u32,
) -> Result<Vec<LogRow>> {
    let select = format!(
        "SELECT {LOG_COLUMNS} FROM runner_actions_done l WHERE l.instance_id = $1 AND l.seq > $2 ORDER BY l.seq LIMIT $3"
    );
    database.read(&select, &[&instance_id, &after_seq, &i64::from(limit)]).await?.iter().map(log_row).collect()
}

const DIALECT: Dialect = Dialect { parameter: '$', contains: "position({}::bytea in coalesce([], '')) > 0" };

impl Bound<'_> {
    fn value(&self) -> &(dyn ToSql + Sync) {
        match self {
            Bound::Text(text) => text,
            Bound::Id(id) => id,
            Bound::Time(time) => time,
            Bound::Bytes(bytes) => bytes,
        }
    }
}

pub(super) async fn list(database: &Database, filter: &InstanceFilter) -> Result<InstancePage> {
    let search = filter.search(&DIALECT);
    let values: Vec<&(dyn ToSql + Sync)> = search.values.iter().map(Bound::value).collect();
    let rows = database.read(&search.page_sql(COLUMNS, filter.page_size()), &values).await?;
    let instances = rows.iter().map(listed).collect::<Result<Vec<_>>>()?;
    let looked_at = match search.looks_at_each() && (instances.len() as i64) < filter.page_size() {
        true => database.read(&search.end_sql(), &values).await?.first().map(|row| get(row, 0)).transpose()?,
        false => None,
    };
    Ok(search::page(filter, instances, looked_at))
}

pub(super) async fn count(database: &Database, filter: &InstanceFilter, limit: u32) -> Result<u64> {
    let filter = InstanceFilter { cursor: None, text: None, ..filter.clone() };
    let search = filter.search(&DIALECT);
    let values: Vec<&(dyn ToSql + Sync)> = search.values.iter().map(Bound::value).collect();
    let rows = database.read(&search.count_sql(limit), &values).await?;
    rows.first().map_or(Ok(0), |row| get::<_, i64>(row, 0)).map(i64::unsigned_abs)
}

/// Rows by the instance they belong to, in their order.
pub(super) fn by_instance<T>(rows: &[Row], read: impl Fn(&Row) -> Result<T>) -> Result<HashMap<Uuid, Vec<T>>> {
    let mut grouped: HashMap<Uuid, Vec<T>> = HashMap::new();
    for row in rows {
        grouped.entry(get(row, "instance_id")?).or_default().push(read(row)?);
    }
    Ok(grouped)
}

fn whole(row: &Row) -> Result<Instance> {
    Ok(Instance { inputs: get(row, "inputs")?, result: get(row, "result")?, error: get(row, "error")?, ..listed(row)? })
}

fn listed(row: &Row) -> Result<Instance> {
    let status: &str = get(row, "status")?;
    Ok(Instance {
        instance_id: get(row, "instance_id")?,
        workflow_version_id: get(row, "workflow_version_id")?,
        workflow_name: get(row, "workflow_name")?,
        workflow_version: get::<_, Option<String>>(row, "workflow_version")?.unwrap_or_default(),
        status: Status::from_name(status)
            .ok_or_else(|| Error::corrupt(format!("an instance has the status {status:?}")))?,
        user_key: get(row, "user_key")?,
        parent: parent(row)?,
        tags: tags::read(get(row, "tags")?),
        queue: get(row, "queue")?,
        queue_key: get(row, "queue_key")?,
        deadline_at: get(row, "deadline_at")?,
        schedule_id: get(row, "schedule_id")?,
        error_type: get(row, "error_type")?,
        inputs: Vec::new(),
        result: None,
        error: None,
        waits_for: get(row, "waits_for")?,
        stuck_reason: get(row, "stuck_reason")?,
        scheduled_at: get(row, "scheduled_at")?,
        created_at: get(row, "created_at")?,
        finished_at: get(row, "finished_at")?,
        turn: get::<_, Option<&str>>(row, "turn")?.and_then(Turn::from_name),
    })
}
