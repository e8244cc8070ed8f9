//! Queues as clients see them.

use std::time::Duration;

use tonic::Status;
use waymark_proto::bridge as wire;
use waymark_store::{Depth, Queue, QueueSettings, Rate};

use super::error::{self, patiently};
use super::{Bridge, start};

const KEYS_DEFAULT: u32 = 10;
const KEYS_MAX: u32 = 1_000;

impl Bridge {
    pub(super) async fn put_queue(&self, request: wire::PutQueueRequest) -> Result<(), Status> {
        let settings = settings(request.settings.unwrap_or_default())?;
        let store = &self.inner.store;
        patiently(self.deadline(), || store.put_queue(settings.clone())).await.map_err(error::from_store)
    }

    pub(super) async fn list_queues(
        &self,
        request: wire::ListQueuesRequest,
    ) -> Result<wire::ListQueuesResponse, Status> {
        let keys = if request.keys == 0 { KEYS_DEFAULT } else { request.keys.min(KEYS_MAX) };
        let store = &self.inner.store;
        let queues = patiently(self.deadline(), || store.list_queues(keys)).await.map_err(error::from_store)?;
        let paused = patiently(self.deadline(), || store.list_paused_workflows()).await.map_err(error::from_store)?;
        Ok(wire::ListQueuesResponse { queues: queues.into_iter().map(shown).collect(), paused_workflows: paused })
    }

    pub(super) async fn pause_queue(&self, name: &str, paused: bool) -> Result<wire::PauseResponse, Status> {
        checked("name", name)?;
        let store = &self.inner.store;
        let changed = patiently(self.deadline(), || store.pause_queue(name, paused)).await;
        Ok(wire::PauseResponse { changed: changed.map_err(error::from_store)? })
    }

    pub(super) async fn pause_workflow(&self, name: &str, paused: bool) -> Result<wire::PauseResponse, Status> {
        checked("workflow_name", name)?;
        let store = &self.inner.store;
        let changed = patiently(self.deadline(), || store.pause_workflow(name, paused)).await;
        Ok(wire::PauseResponse { changed: changed.map_err(error::from_store)? })
    }
}

pub(super) fn checked(field: &str, name: &str) -> Result<(), Status> {
    let empty = name.is_empty().then(|| format!("{field} is empty\nhint: say which one is meant"));
    empty.or_else(|| start::name_problem(field, name)).map_or(Ok(()), |problem| Err(error::invalid(problem)))
}

fn settings(given: wire::QueueSettings) -> Result<QueueSettings, Status> {
    checked("name", &given.name)?;
    Ok(QueueSettings {
        name: given.name,
        concurrency: given.concurrency,
        key_concurrency: given.key_concurrency,
        rate: given.rate.map(rate),
        key_rate: given.key_rate.map(rate),
        fair: given.fair,
    })
}

fn rate(given: wire::Rate) -> Rate {
    Rate { count: given.count, period: Duration::from_micros(u64::try_from(given.period_us).unwrap_or(0)) }
}

fn shown(queue: Queue) -> wire::Queue {
    let rate = |rate: Option<Rate>| {
        rate.map(|rate| wire::Rate {
            count: rate.count,
            period_us: i64::try_from(rate.period.as_micros()).unwrap_or(i64::MAX),
        })
    };
    let QueueSettings { name, concurrency, key_concurrency, rate: whole, key_rate, fair } = queue.settings;
    let settings =
        wire::QueueSettings { name, concurrency, key_concurrency, rate: rate(whole), key_rate: rate(key_rate), fair };
    let keys = queue.keys.into_iter().map(|(key, of)| wire::QueueKey { key, depth: Some(depth(of)) });
    wire::Queue {
        settings: Some(settings),
        paused: queue.paused,
        depth: Some(depth(queue.depth)),
        keys: keys.collect(),
    }
}

fn depth(depth: Depth) -> wire::QueueDepth {
    wire::QueueDepth { due: depth.due, running: depth.leased, sleeping: depth.sleeping }
}
