//! Instances and values as JSON.

use serde_json::{Map, Value as Json, json};
use waymark_ir::{json::to_json, payload};
use waymark_proto::bridge::{Instance, InstanceStatus};

use crate::span::shown_time;
use crate::table;

/// What is known of every instance. Inputs, result and error are not in listings.
pub fn shown(instance: &Instance) -> Map<String, Json> {
    let text = |text: &str| Some(text.to_string()).filter(|text| !text.is_empty());
    let object = json!({
        "instance_id": table::id(&instance.instance_id),
        "workflow": instance.workflow_name,
        "version": instance.workflow_version,
        "id": text(&instance.id),
        "status": status(instance.status()),
        "waits_for": text(&instance.waits_for),
        "stuck_reason": text(&instance.stuck_reason),
        "error_type": text(&instance.error_type),
        "queue": instance.queue,
        "key": text(&instance.key),
        "tags": instance.tags,
        "parent_instance_id": text(&table::id(&instance.parent_instance_id)),
        "schedule_id": text(&table::id(&instance.schedule_id)),
        "created_at": shown_time(instance.created_at_us),
        "finished_at": instance.finished_at_us.map(shown_time),
        "scheduled_at": instance.scheduled_at_us.map(shown_time),
        "deadline": instance.deadline_us.map(shown_time),
    });
    match object {
        Json::Object(object) => object,
        _ => Map::new(),
    }
}

pub fn status(status: InstanceStatus) -> String {
    status.as_str_name().to_ascii_lowercase()
}

/// A payload; what can't be read is null.
pub fn value(bytes: &[u8]) -> Json {
    if bytes.is_empty() {
        return Json::Null;
    }
    payload::decode(bytes).map_or(Json::Null, |value| to_json(&value))
}
