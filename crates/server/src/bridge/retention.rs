//! How long finished instances are kept, as clients see it.

use std::time::Duration;

use tonic::Status;
use waymark_proto::bridge as wire;
use waymark_proto::bridge::retention::Keep;
use waymark_store::Retention;

use super::error::{self, invalid, patiently};
use super::{Bridge, queues};

impl Bridge {
    pub(super) async fn put_retention(&self, wanted: wire::Retention) -> Result<(), Status> {
        queues::checked("workflow_name", &wanted.workflow_name)?;
        let retention = match wanted.keep {
            None | Some(Keep::Forever(false)) => None,
            Some(Keep::Forever(true)) => Some(Retention::Forever),
            Some(Keep::ForUs(length)) => match u64::try_from(length) {
                Ok(length) => Some(Retention::For(Duration::from_micros(length))),
                Err(_) => return Err(invalid("finished instances can't be kept for less than no time")),
            },
        };
        let store = &self.inner.store;
        let put = patiently(self.deadline(), || store.put_retention(&wanted.workflow_name, retention)).await;
        put.map_err(error::from_store)
    }

    pub(super) async fn list_retention(&self) -> Result<wire::ListRetentionResponse, Status> {
        let store = &self.inner.store;
        let listed = patiently(self.deadline(), || store.list_retention()).await.map_err(error::from_store)?;
        let workflows = listed.into_iter().map(|(workflow_name, retention)| wire::Retention {
            workflow_name,
            keep: Some(match retention {
                Retention::Forever => Keep::Forever(true),
                Retention::For(length) => Keep::ForUs(i64::try_from(length.as_micros()).unwrap_or(i64::MAX)),
            }),
        });
        Ok(wire::ListRetentionResponse { workflows: workflows.collect() })
    }
}
