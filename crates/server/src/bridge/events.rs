//! What happened to an instance, as clients see it.

use std::collections::HashMap;
use std::sync::Arc;

use tonic::Status;
use uuid::Uuid;
use waymark_engine::history;
use waymark_ir::{Value, payload};
use waymark_proto::bridge as wire;
use waymark_runner::{Event, Limits, Outcome};
use waymark_store::LogRow;

use super::Bridge;
use super::error::{self, patiently};
use super::stored::Missing;
use super::view::instance_id;

const EVENTS_MAX: u32 = 1_000;
/// Events beyond this have no names: finding them out takes longer the more there are.
const FOLLOWED_MAX: i64 = 5_000;

impl Bridge {
    pub(super) async fn events(&self, request: wire::ListEventsRequest) -> Result<wire::ListEventsResponse, Status> {
        let id = instance_id("instance_id", &request.instance_id)?;
        let limit = if request.limit == 0 { 100 } else { request.limit.min(EVENTS_MAX) };
        let store = &self.inner.store;
        let read = patiently(self.deadline(), || store.read_log(id, request.after_seq, limit + 1)).await;
        let mut rows = read.map_err(error::from_store)?;
        if rows.is_empty() {
            let found =
                patiently(self.deadline(), || store.get_instances(vec![id])).await.map_err(error::from_store)?;
            if found.into_iter().flatten().next().is_none() {
                return Err(error::not_found(id));
            }
        }
        let is_more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let names = match rows.last() {
            Some(last) if last.seq <= FOLLOWED_MAX => self.names(id, last.seq).await?,
            _ => HashMap::new(),
        };
        let events = rows.into_iter().map(|row| {
            let name =
                row.execution_id.as_ref().and_then(|execution| names.get(execution)).map(|name| name.to_string());
            let mut event = logged(row);
            event.name = name.unwrap_or(event.name);
            event
        });
        Ok(wire::ListEventsResponse { events: events.collect(), is_more })
    }

    /// What the steps up to an event were. The log has only their outcomes: it is followed from the start.
    async fn names(&self, id: Uuid, last_seq: i64) -> Result<HashMap<String, Arc<str>>, Status> {
        let store = &self.inner.store;
        let log = patiently(self.deadline(), || store.read_log(id, 0, FOLLOWED_MAX as u32)).await;
        let log: Vec<LogRow> = log.map_err(error::from_store)?.into_iter().filter(|row| row.seq <= last_seq).collect();
        if log.first().is_none_or(|first| first.seq != 1) {
            return Ok(HashMap::new());
        }
        let found = self.named(vec![id]).await?.into_iter().next().and_then(|(_, instance)| instance);
        let Some(instance) = found else { return Ok(HashMap::new()) };
        match self.program(instance.workflow_version_id).await {
            Ok(lowered) => self.aside(move || history::names(id, lowered, &Limits::default(), &log)).await,
            Err(Missing::Store(refused)) => Err(refused),
            Err(_) => Ok(HashMap::new()),
        }
    }
}

pub(super) fn logged(row: LogRow) -> wire::LoggedEvent {
    let (name, outcome, value) = match Event::decode(&row.outcome) {
        Ok(event) => told(event),
        // Not an event of the runner's: what people did to it.
        Err(_) => (String::new(), "", Value::None),
    };
    wire::LoggedEvent {
        seq: row.seq,
        kind: row.kind.into_owned(),
        execution_id: row.execution_id.unwrap_or_default(),
        attempt: row.attempt.unwrap_or_default(),
        happened_at_us: row.happened_at.0,
        started_at_us: row.started_at.map(|at| at.0),
        worker: row.worker.as_deref().unwrap_or_default().to_string(),
        name,
        outcome: outcome.into(),
        value: payload::encode(&value),
    }
}

fn told(event: Event) -> (String, &'static str, Value) {
    let exception = |exception| Value::Exception(Box::new(exception));
    match event {
        Event::Settled { outcome, .. } => match outcome {
            Outcome::Completed(value) => (String::new(), "completed", value),
            Outcome::Failed(error) => (String::new(), "failed", exception(error)),
            Outcome::Cancelled => (String::new(), "cancelled", Value::None),
            Outcome::WorkerCrashed(message) => (String::new(), "crashed", Value::Str(message)),
        },
        Event::FragmentSettled { outcome, .. } => match outcome.error() {
            None => (String::new(), "completed", Value::None),
            Some(error) => (String::new(), "failed", exception(error)),
        },
        Event::Signal { name, payload, .. } => (name, "", payload),
        Event::Cancel { reason } => (String::new(), "", reason.map_or(Value::None, Value::Str)),
        Event::Started { inputs } => {
            let entries = inputs.into_iter().map(|(name, value)| (Value::Str(name), value));
            (String::new(), "", Value::Dict(entries.collect()))
        }
        _ => (String::new(), "", Value::None),
    }
}
