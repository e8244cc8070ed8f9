//! Updates: a signal whose sender waits for the reply. The reply is a row that the instance's engine commits with the event it follows
//! from, so whoever asks again with the same id finds it.

use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;
use tokio::time::Instant;
use tonic::Status;
use uuid::Uuid;
use waymark_engine::Mail;
use waymark_proto::bridge as wire;
use waymark_proto::bridge::update_instance_response::Outcome;
use waymark_store::{Change, Changes, Delivery, ReplyOutcome};

use super::Bridge;
use super::error::{self, invalid, patiently};

/// A call does not wait for longer; its client asks again.
const WAIT_MAX: Duration = Duration::from_secs(60);

impl Bridge {
    pub(super) async fn update(
        &self,
        instance_id: Uuid,
        request: wire::UpdateInstanceRequest,
    ) -> Result<wire::UpdateInstanceResponse, Status> {
        let id = if request.id.is_empty() { Uuid::now_v7().to_string() } else { request.id };
        self.check_id(&id)?;
        let (name, payload) = self.named_value("update", request.name, &request.payload)?;
        let until = Instant::now() + Duration::from_millis(request.timeout_ms).min(WAIT_MAX);
        // Before it is sent, so that no reply falls in between.
        let mut changes = self.inner.store.changes();
        let message = Mail::update(instance_id, name.clone(), payload, id.clone()).into_message();
        let store = &self.inner.store;
        // One that was replied to is not sent again: the instance may have forgotten its id.
        if let Some(outcome) = self.reply(instance_id, &id).await? {
            return Ok(wire::UpdateInstanceResponse { outcome: Some(outcome) });
        }
        let delivered = patiently(self.deadline(), || store.put_inbox(vec![message.clone()])).await;
        match delivered.map_err(error::from_store)?.into_iter().next() {
            Some(Delivery::Delivered | Delivery::Duplicate | Delivery::Finished) => {}
            Some(Delivery::Refused { reason }) => return Err(invalid(reason)),
            Some(Delivery::Unknown) | None => return Err(error::not_found(instance_id)),
        }
        loop {
            // In this order: what has finished has replied before, or never will.
            let ended = self.ended(instance_id, &name).await?;
            let outcome = self.reply(instance_id, &id).await?.or(ended);
            if outcome.is_some() || !self.changes(instance_id, &mut changes, until).await? {
                return Ok(wire::UpdateInstanceResponse { outcome });
            }
        }
    }

    async fn reply(&self, instance_id: Uuid, id: &str) -> Result<Option<Outcome>, Status> {
        let store = &self.inner.store;
        let key = vec![(instance_id, id.to_string())];
        let replies = patiently(self.deadline(), || store.read_replies(key.clone())).await;
        let reply = replies.map_err(error::from_store)?.into_iter().next().flatten();
        Ok(reply.map(|reply| match reply {
            ReplyOutcome::Value(value) => Outcome::Reply(value),
            ReplyOutcome::Error(error) => Outcome::Error(error),
        }))
    }

    /// Why there will be no reply.
    async fn ended(&self, instance_id: Uuid, name: &str) -> Result<Option<Outcome>, Status> {
        let store = &self.inner.store;
        let found = patiently(self.deadline(), || store.get_instances(vec![instance_id])).await;
        let instance = found.map_err(error::from_store)?.into_iter().next().flatten();
        let instance = instance.ok_or_else(|| error::not_found(instance_id))?;
        let status = instance.status.name();
        let text =
            || format!("{} {instance_id} is {status}, without a reply to the update {name:?}", instance.workflow_name);
        Ok(instance.status.is_final().then(|| Outcome::Finished(text())))
    }

    /// Waits until something about the instance may have changed. False: the time is over.
    async fn changes(&self, instance_id: Uuid, changes: &mut Changes, until: Instant) -> Result<bool, Status> {
        // In case a notification was lost.
        let look = Instant::now() + self.inner.options.sweep;
        loop {
            let change = tokio::select! {
                change = changes.recv() => change,
                () = tokio::time::sleep_until(until.min(look)) => return Ok(look < until),
                () = self.inner.stopping.cancelled() => return Err(error::stopping()),
            };
            match change {
                Ok(Change::Replied(id) | Change::Finished(id) | Change::Taken(id)) if id == instance_id => {
                    return Ok(true);
                }
                Ok(Change::Resync) | Err(RecvError::Lagged(_)) => return Ok(true),
                Ok(_) => {}
                Err(RecvError::Closed) => return Err(error::stopping()),
            }
        }
    }
}
