//! Progress: one statement a batch. It locks every queue row it will write, in order, and then judges: what it finds under the
//! lock is what counts, and the clock is read after the lock was had.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::instances::{Starts, resolve};
use super::pool::Database;
use super::row::get;
use super::template::{Counts, Template, place_of, value_of};
use super::{leases, replies};
use crate::change::is_soon;
use crate::{
    Change, Committed, Ending, Error, Lease, LogRow, Message, NewInstance, Next, Progress, Queued, Result,
    SeqUnderLease, Status, Timestamp, validate,
};

static COMMIT: Template = Template::new(include_str!("progress.sql"));

const HOLD: i16 = 0;
const SLEEP: i16 = 1;
const FINISH: i16 = 2;

pub(super) async fn commit(database: &Database, batch: &[Arc<Progress>]) -> Result<Vec<Committed>> {
    let mut answers: Vec<Option<Committed>> = batch
        .iter()
        .map(|progress| validate::progress(progress).err().map(|reason| Committed::Refused { reason }))
        .collect();
    // An instance that is in the batch twice has its second turn in a second statement.
    loop {
        let mut turn = HashSet::new();
        let open: Vec<usize> = (0..batch.len())
            .filter(|index| answers[*index].is_none() && turn.insert(batch[*index].lease.instance_id))
            .collect();
        if open.is_empty() {
            break;
        }
        // Those who only move on need a short statement; those who leave or write to others a longer one. Both go at the same time.
        let (moving, others): (Vec<usize>, Vec<usize>) =
            open.into_iter().partition(|index| batch[*index].only_moves_on());
        let mut tried: Vec<(Vec<usize>, Result<Vec<Committed>>)> = {
            let parts = [moving, others].into_iter().filter(|group| !group.is_empty());
            futures_util::future::join_all(parts.map(|group| try_group(database, batch, group))).await
        };
        while let Some((group, result)) = tried.pop() {
            match result {
                Ok(committed) => {
                    for (index, answer) in group.into_iter().zip(committed) {
                        answers[index] = Some(answer);
                    }
                }
                Err(Error::Refused { reason }) if group.len() == 1 => {
                    answers[group[0]] = Some(Committed::Refused { reason });
                }
                // Halved until the offender is alone.
                Err(Error::Refused { .. }) => {
                    let (left, right) = group.split_at(group.len() / 2);
                    tried.push(try_group(database, batch, right.to_vec()).await);
                    tried.push(try_group(database, batch, left.to_vec()).await);
                }
                Err(Error::Unavailable { reason }) if is_part_written(&answers, &tried) => {
                    return Err(Error::OutcomeUnknown { reason });
                }
                Err(error) => return Err(error),
            }
        }
    }
    Ok(answers.into_iter().flatten().collect())
}

async fn try_group(
    database: &Database,
    batch: &[Arc<Progress>],
    group: Vec<usize>,
) -> (Vec<usize>, Result<Vec<Committed>>) {
    let part: Vec<&Progress> = group.iter().map(|index| &*batch[*index]).collect();
    let result = commit_group(database, &part).await;
    (group, result)
}

/// Whether another group of the batch may have been committed already: then it can't be said that nothing was.
fn is_part_written(answers: &[Option<Committed>], tried: &[(Vec<usize>, Result<Vec<Committed>>)]) -> bool {
    let accepted = |answer: &Option<Committed>| matches!(answer, Some(Committed::Accepted { .. }));
    let may_be = |result: &Result<Vec<Committed>>| matches!(result, Ok(_) | Err(Error::OutcomeUnknown { .. }));
    answers.iter().any(accepted) || tried.iter().any(|(_, result)| may_be(result))
}

async fn commit_group(database: &Database, batch: &[&Progress]) -> Result<Vec<Committed>> {
    let rows = {
        // Rows are locked in this order.
        let mut sorted = batch.to_vec();
        sorted.sort_unstable_by_key(|progress| progress.lease.instance_id);
        let columns = Columns::new(&sorted);
        let statement = COMMIT.with(columns.parts(), columns.counts());
        let values: Vec<&(dyn ToSql + Sync)> =
            statement.parameters.iter().map(|name| columns.value(name)).collect::<Result<_>>()?;
        database.write(&statement.sql, &values).await?
    };
    let mut accepted: HashMap<Uuid, (i64, bool)> = HashMap::new();
    let mut born: HashSet<Uuid> = HashSet::new();
    for row in &rows {
        let id: Uuid = get(row, "instance_id")?;
        if get(row, "born")? {
            born.insert(id);
        } else {
            accepted.insert(id, (get(row, "wake_seq")?, get(row, "released")?));
        }
    }
    let rejected: Vec<Lease> = batch
        .iter()
        .map(|progress| progress.lease)
        .filter(|lease| !accepted.contains_key(&lease.instance_id))
        .collect();
    let mut why = match rejected.is_empty() {
        true => Vec::new(),
        false => leases::read_seq(database, &rejected).await.map_err(after_write)?,
    }
    .into_iter();
    let mut answers = Vec::with_capacity(batch.len());
    for progress in batch {
        answers.push(match accepted.get(&progress.lease.instance_id) {
            Some((wake_seq, released)) => Committed::Accepted {
                wake_seq: *wake_seq,
                released: *released,
                children: children(database, &progress.children, &born).await.map_err(after_write)?,
            },
            None => match why.next() {
                Some(SeqUnderLease::Held { seq }) if seq != progress.expected_seq => Committed::WrongSeq { seq },
                _ => Committed::LostLease,
            },
        });
    }
    Ok(answers)
}

/// The commit has happened, and only a question that followed it failed: nobody may say that nothing was written.
fn after_write(error: Error) -> Error {
    match error {
        Error::Unavailable { reason } => Error::OutcomeUnknown { reason },
        error => error,
    }
}

async fn children(database: &Database, children: &[NewInstance], born: &HashSet<Uuid>) -> Result<Vec<Queued>> {
    let missing: Vec<&NewInstance> = children.iter().filter(|child| !born.contains(&child.instance_id)).collect();
    let mut resolved = resolve(database, &missing, None).await?.into_iter();
    let mut answers = Vec::with_capacity(children.len());
    for child in children {
        answers.push(match born.contains(&child.instance_id) {
            true => Queued::Started,
            false => match resolved.next().flatten() {
                Some(queued) => queued,
                // Whoever had the key has just finished: it is free now.
                None => super::instances::queue(database, std::slice::from_ref(child), None).await?.0.remove(0),
            },
        });
    }
    Ok(answers)
}

/// What others should hear of.
pub(super) fn changes(batch: &[Arc<Progress>], answers: &[Committed]) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut work = false;
    let now = Timestamp::now();
    for (progress, answer) in batch.iter().zip(answers) {
        let Committed::Accepted { released, .. } = answer else { continue };
        changes.extend(progress.messages.iter().map(|message| Change::Inbox(message.instance_id)));
        work |= !progress.messages.is_empty() || !progress.children.is_empty();
        work |= *released && progress.lease.is_limited();
        changes.extend((!progress.replies.is_empty()).then_some(Change::Replied(progress.lease.instance_id)));
        match progress.next {
            Next::Finish(_) => changes.push(Change::Finished(progress.lease.instance_id)),
            Next::Sleep { scheduled_at, .. } => work |= *released && is_soon(scheduled_at, now),
            Next::Hold => {}
        }
    }
    changes.extend(work.then_some(Change::Work));
    changes
}

/// A batch, column by column, in the order of the statement's parameters.
struct Columns<'a> {
    ids: Vec<Uuid>,
    locks: Vec<Uuid>,
    expected: Vec<i64>,
    seqs: Vec<i64>,
    next: Vec<i16>,
    scheduled: Vec<Option<Timestamp>>,
    seen: Vec<Option<i64>>,
    waits: Vec<Option<&'a str>>,
    status: Vec<Option<&'static str>>,
    results: Vec<Option<&'a [u8]>>,
    errors: Vec<Option<&'a [u8]>>,
    error_types: Vec<Option<&'a str>>,
    states: Vec<Option<&'a [u8]>>,
    trims: Vec<Option<i64>>,
    /// All the queue rows to lock: owners and addressees.
    touched: Vec<Uuid>,
    log: Log<'a>,
    consumers: Vec<Uuid>,
    consumed: Vec<Uuid>,
    senders: Vec<Uuid>,
    mail: super::inbox::Mail<'a>,
    parents: Vec<Uuid>,
    starts: Starts<'a>,
    repliers: Vec<Uuid>,
    replies: replies::Columns<'a>,
}

impl<'a> Columns<'a> {
    fn new(batch: &[&'a Progress]) -> Columns<'a> {
        let messages = || batch.iter().flat_map(|progress| &progress.messages);
        let mut touched: Vec<Uuid> = batch.iter().map(|progress| progress.lease.instance_id).collect();
        touched.extend(messages().map(|message: &Message| message.instance_id));
        touched.sort_unstable();
        touched.dedup();
        let ending = |progress: &&'a Progress| match &progress.next {
            Next::Finish(ending) => Some(ending),
            Next::Hold | Next::Sleep { .. } => None,
        };
        let sleep = |progress: &&'a Progress| match progress.next {
            Next::Sleep { scheduled_at, wake_seq } => Some((scheduled_at, wake_seq)),
            Next::Hold | Next::Finish(_) => None,
        };
        let each = |part: fn(&Progress) -> usize| {
            batch.iter().flat_map(move |progress| std::iter::repeat_n(progress.lease.instance_id, part(progress)))
        };
        Columns {
            ids: batch.iter().map(|progress| progress.lease.instance_id).collect(),
            locks: batch.iter().map(|progress| progress.lease.lock_uuid).collect(),
            expected: batch.iter().map(|progress| progress.expected_seq).collect(),
            seqs: batch.iter().map(|progress| progress.seq()).collect(),
            next: batch
                .iter()
                .map(|progress| match progress.next {
                    Next::Hold => HOLD,
                    Next::Sleep { .. } => SLEEP,
                    Next::Finish(_) => FINISH,
                })
                .collect(),
            scheduled: batch.iter().map(|progress| sleep(progress).map(|(at, _)| at)).collect(),
            seen: batch.iter().map(|progress| sleep(progress).map(|(_, seen)| seen)).collect(),
            waits: batch.iter().map(|progress| progress.waits_for.as_deref()).collect(),
            status: batch.iter().map(|progress| progress.status().map(Status::name)).collect(),
            results: batch.iter().map(|progress| ending(progress).and_then(Ending::result)).collect(),
            errors: batch.iter().map(|progress| ending(progress).and_then(Ending::error)).collect(),
            error_types: batch.iter().map(|progress| ending(progress).and_then(Ending::error_type)).collect(),
            states: batch.iter().map(|progress| progress.snapshot.as_deref()).collect(),
            trims: batch.iter().map(|progress| progress.trim_log_through).collect(),
            touched,
            log: Log::new(batch),
            consumers: each(|progress| progress.consumed.len()).collect(),
            consumed: batch.iter().flat_map(|progress| progress.consumed.iter().copied()).collect(),
            senders: each(|progress| progress.messages.len()).collect(),
            mail: super::inbox::Mail::new(messages()),
            parents: each(|progress| progress.children.len()).collect(),
            starts: Starts::new(batch.iter().flat_map(|progress| &progress.children)),
            repliers: each(|progress| progress.replies.len()).collect(),
            replies: replies::Columns::new(batch.iter().flat_map(|progress| &progress.replies)),
        }
    }

    /// The parts of the statement that this batch needs.
    fn parts(&self) -> Vec<&'static str> {
        let finish = self.next.contains(&FINISH);
        let state = self.states.iter().any(Option::is_some);
        let mail = !self.senders.is_empty();
        let is_shown = self.waits.iter().any(Option::is_some) || self.status.iter().any(Option::is_some);
        let some = |is_there, name, otherwise| if is_there { Some(name) } else { otherwise };
        let parts = [
            some(finish || state || is_shown, "instances", None),
            some(self.trims.iter().any(Option::is_some), "trim", None),
            some(!self.consumed.is_empty(), "consumed", None),
            some(mail || finish, "locked", Some("plain")),
            some(mail, "mail", finish.then_some("locked_without_mail")),
            some(finish, "finish", None),
            some(!self.parents.is_empty(), "children", Some("no_children")),
            some(!self.repliers.is_empty(), "replies", None),
            some(self.starts.has_tags(), "child_tags", None),
        ];
        parts.into_iter().flatten().collect()
    }

    fn counts(&self) -> Counts {
        vec![("batch", self.ids.len()), ("log", self.log.ids.len())]
    }

    fn value(&self, parameter: &str) -> Result<&(dyn ToSql + Sync)> {
        let unknown = || Error::corrupt(format!("the statement has a parameter {parameter}"));
        let (column, row) = place_of(parameter);
        let few = match column {
            "ids" => value_of(&self.ids, row),
            "locks" => value_of(&self.locks, row),
            "expected" => value_of(&self.expected, row),
            "seqs" => value_of(&self.seqs, row),
            "next" => value_of(&self.next, row),
            "scheduled" => value_of(&self.scheduled, row),
            "seen" => value_of(&self.seen, row),
            "waits" => value_of(&self.waits, row),
            "status" => value_of(&self.status, row),
            "results" => value_of(&self.results, row),
            "errors" => value_of(&self.errors, row),
            "error_types" => value_of(&self.error_types, row),
            "states" => value_of(&self.states, row),
            "trims" => value_of(&self.trims, row),
            "log_ids" => value_of(&self.log.ids, row),
            "log_seqs" => value_of(&self.log.seqs, row),
            "log_kinds" => value_of(&self.log.kinds, row),
            "log_executions" => value_of(&self.log.executions, row),
            "log_attempts" => value_of(&self.log.attempts, row),
            "log_outcomes" => value_of(&self.log.outcomes, row),
            "log_happened" => value_of(&self.log.happened, row),
            "log_started" => value_of(&self.log.started, row),
            "log_workers" => value_of(&self.log.workers, row),
            "log_digests" => value_of(&self.log.digests, row),
            _ => None,
        };
        if let Some(value) = few {
            return Ok(value);
        }
        let mail = self.mail.values();
        let child = self.starts.values();
        Ok(match parameter {
            "touched" => &self.touched,
            "consumers" => &self.consumers,
            "consumed" => &self.consumed,
            "senders" => &self.senders,
            "mail_ids" => mail[0],
            "mail_messages" => mail[1],
            "mail_kinds" => mail[2],
            "mail_names" => mail[3],
            "mail_payloads" => mail[4],
            "parents" => &self.parents,
            "repliers" => &self.repliers,
            "reply_ids" => &self.replies.ids,
            "reply_errors" => &self.replies.errors,
            "reply_contents" => &self.replies.contents,
            "child_ids" => child[0],
            "child_versions" => child[1],
            "child_queues" => child[2],
            "child_priorities" => child[3],
            "child_scheduled" => child[4],
            "child_keys" => child[5],
            "child_parents" => child[6],
            "child_executions" => child[7],
            "child_tags" => child[8],
            "child_inputs" => child[9],
            "child_queue_keys" => child[10],
            "child_deadlines" => child[11],
            "child_schedules" => child[12],
            _ => return Err(unknown()),
        })
    }
}

#[derive(Default)]
struct Log<'a> {
    ids: Vec<Uuid>,
    seqs: Vec<i64>,
    kinds: Vec<&'a str>,
    executions: Vec<Option<&'a str>>,
    attempts: Vec<Option<i32>>,
    outcomes: Vec<&'a [u8]>,
    happened: Vec<Timestamp>,
    started: Vec<Option<Timestamp>>,
    workers: Vec<Option<&'a str>>,
    digests: Vec<i64>,
}

impl<'a> Log<'a> {
    fn new(batch: &[&'a Progress]) -> Log<'a> {
        let mut log = Log::default();
        for progress in batch {
            for row in &progress.log {
                log.push(progress.lease.instance_id, row);
            }
        }
        log
    }

    fn push(&mut self, instance_id: Uuid, row: &'a LogRow) {
        self.ids.push(instance_id);
        self.seqs.push(row.seq);
        self.kinds.push(&row.kind);
        self.executions.push(row.execution_id.as_deref());
        self.attempts.push(row.attempt);
        self.outcomes.push(&row.outcome);
        self.happened.push(row.happened_at);
        self.started.push(row.started_at);
        self.workers.push(row.worker.as_deref());
        self.digests.push(row.digest.cast_signed());
    }
}
