//! What clients leave for an instance. Its engine reads it when it comes to it: nobody has to be there now.

use tonic::Status;
use uuid::Uuid;
use waymark_engine::Mail;
use waymark_ir::{Value, payload};
use waymark_proto::bridge as wire;
use waymark_store::Delivery;

use super::Bridge;
use super::error::{self, invalid, patiently};
use super::start::name_problem;

/// The longest id that a sender may give.
const ID_BYTES_MAX: usize = 500;

impl Bridge {
    pub(super) fn signal(&self, instance_id: Uuid, request: wire::SignalInstanceRequest) -> Result<Mail, Status> {
        let (name, payload) = self.named_value("signal", request.name, &request.payload)?;
        if !request.id.is_empty() {
            self.check_id(&request.id)?;
            return Ok(Mail::signal(instance_id, name, payload, Some(request.id)));
        }
        let mail = Mail::signal(instance_id, name, payload, None);
        match request.message_id.as_slice() {
            [] => Ok(mail),
            id => Ok(Mail { message_id: message_id(id)?, ..mail }),
        }
    }

    pub(super) fn check_id(&self, id: &str) -> Result<(), Status> {
        if id.len() > ID_BYTES_MAX {
            return Err(invalid(format!("the id has {} bytes, more than the {ID_BYTES_MAX} allowed", id.len())));
        }
        name_problem("id", id).map_or(Ok(()), |problem| Err(invalid(problem)))
    }

    pub(super) fn named_value(&self, what: &str, name: String, bytes: &[u8]) -> Result<(String, Value), Status> {
        if name.is_empty() {
            return Err(invalid(format!("the {what} has no name")));
        }
        if let Some(problem) = name_problem("name", &name) {
            return Err(invalid(problem));
        }
        let limit = self.inner.options.payload_bytes_max;
        if bytes.len() > limit {
            let size = bytes.len();
            return Err(invalid(format!("the {what} has {size} bytes, more than the {limit} allowed")));
        }
        let payload = match bytes {
            [] => Value::None,
            bytes => payload::decode(bytes).map_err(|error| invalid(format!("the {what} can't be read: {error}")))?,
        };
        Ok((name, payload))
    }

    pub(super) async fn deliver(&self, mail: Mail) -> Result<wire::MailResponse, Status> {
        let instance_id = mail.instance_id;
        let message = mail.into_message();
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

fn message_id(id: &[u8]) -> Result<Uuid, Status> {
    Uuid::from_slice(id).map_err(|_| invalid("message_id has not the 16 bytes of a UUID"))
}
