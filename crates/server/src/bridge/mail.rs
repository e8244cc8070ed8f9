//! What clients leave for an instance. Its engine reads it when it comes to it: nobody has to be there now.

use tonic::Status;
use uuid::Uuid;
use waymark_engine::Mail;
use waymark_ir::{Value, payload};
use waymark_proto::bridge as wire;
use waymark_runner::Event;
use waymark_store::Delivery;

use super::Bridge;
use super::error::{self, invalid, patiently};
use super::start::name_problem;

impl Bridge {
    pub(super) fn signal(&self, name: String, bytes: &[u8]) -> Result<Event, Status> {
        if name.is_empty() {
            return Err(invalid("the signal has no name"));
        }
        if let Some(problem) = name_problem("name", &name) {
            return Err(invalid(problem));
        }
        let limit = self.inner.options.payload_bytes_max;
        if bytes.len() > limit {
            let size = bytes.len();
            return Err(invalid(format!("the signal has {size} bytes, more than the {limit} allowed")));
        }
        let payload = match bytes {
            [] => Value::None,
            bytes => payload::decode(bytes).map_err(|error| invalid(format!("the signal can't be read: {error}")))?,
        };
        Ok(Event::Signal { name, payload })
    }

    pub(super) async fn send(
        &self,
        instance_id: Uuid,
        message_id: &[u8],
        event: Event,
    ) -> Result<wire::MailResponse, Status> {
        let message_id = match message_id {
            [] => Uuid::now_v7(),
            id => Uuid::from_slice(id).map_err(|_| invalid("message_id has not the 16 bytes of a UUID"))?,
        };
        let message = Mail { instance_id, message_id, event }.into_message();
        let store = &self.inner.store;
        let deliveries = patiently(self.deadline(), || store.put_inbox(vec![message.clone()])).await;
        match deliveries.map_err(error::from_store)?.into_iter().next() {
            Some(Delivery::Delivered | Delivery::Duplicate) => Ok(wire::MailResponse { delivered: true }),
            Some(Delivery::Finished) => Ok(wire::MailResponse { delivered: false }),
            Some(Delivery::Refused { reason }) => Err(invalid(reason)),
            Some(Delivery::Unknown) | None => Err(error::not_found(instance_id)),
        }
    }
}
