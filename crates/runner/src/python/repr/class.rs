//! Classes, and instances of a program's own: records and members of enumerations.

use std::sync::Arc;

use waymark_ir::TypeKind;

use crate::context::{Context, Eval, Fault};
use crate::heap::{Id, Key, Object};
use crate::types::TypeId;
use crate::value::Value;

/// Classes whose home is another module than the one that programs import them from.
const HOMES: &[(&str, &str)] = &[
    ("asyncio.CancelledError", "asyncio.exceptions.CancelledError"),
    ("asyncio.Event", "asyncio.locks.Event"),
    ("asyncio.Future", "_asyncio.Future"),
    ("asyncio.InvalidStateError", "asyncio.exceptions.InvalidStateError"),
    ("asyncio.Lock", "asyncio.locks.Lock"),
    ("asyncio.Queue", "asyncio.queues.Queue"),
    ("asyncio.QueueEmpty", "asyncio.queues.QueueEmpty"),
    ("asyncio.QueueFull", "asyncio.queues.QueueFull"),
    ("asyncio.Semaphore", "asyncio.locks.Semaphore"),
    ("asyncio.Task", "_asyncio.Task"),
    ("asyncio.TaskGroup", "asyncio.taskgroups.TaskGroup"),
    ("asyncio.Timeout", "asyncio.timeouts.Timeout"),
    ("asyncio.TimerHandle", "asyncio.events.TimerHandle"),
    ("json.JSONDecodeError", "json.decoder.JSONDecodeError"),
];

/// `<class 'app.models.User'>`
pub fn class_repr(cx: &Context, id: TypeId) -> String {
    let info = cx.types.get(id);
    let is_enum = id == TypeId::ENUM
        || info.descriptor.as_ref().is_some_and(|descriptor| matches!(descriptor.kind, TypeKind::Enum(_)));
    if is_enum {
        let kind = if is_flag(cx, id) { "flag" } else { "enum" };
        return format!("<{kind} '{}'>", info.short_name());
    }
    let home = HOMES.iter().find(|(name, _)| *name == &*info.name).map(|(_, home)| *home);
    format!("<class '{}'>", home.map_or_else(|| info.name.replace(':', "."), str::to_string))
}

/// `Outer.Inner` of `app.models:Outer.Inner`
fn qualified_name(cx: &Context, id: TypeId) -> String {
    let info = cx.types.get(id);
    match info.name.split_once(':') {
        Some((_, name)) => name.to_string(),
        None => info.short_name().to_string(),
    }
}

/// Whether the class or one of its ancestors derives from one of these.
fn derives(cx: &Context, id: TypeId, names: &[&str]) -> bool {
    cx.types.get(id).mro.iter().any(|ancestor| {
        let descriptor = cx.types.get(*ancestor).descriptor.as_ref();
        descriptor.is_some_and(|descriptor| {
            descriptor.bases.iter().any(|base| names.contains(&base.rsplit([':', '.']).next().unwrap_or(base)))
        })
    })
}

fn is_flag(cx: &Context, id: TypeId) -> bool {
    derives(cx, id, &["Flag", "IntFlag"])
}

/// The class, the name and the value of an enumeration's member.
pub fn enum_member(cx: &Context, id: Id) -> Option<(String, String, Value)> {
    let Object::Instance(instance) = cx.heap.get(id) else { return None };
    let descriptor = cx.types.get(instance.class).descriptor.as_ref()?;
    if !matches!(descriptor.kind, TypeKind::Enum(_)) {
        return None;
    }
    let Some(Value::Str(name)) = instance.fields.get(&Key::Str("name".into())) else { return None };
    let value = instance.fields.get(&Key::Str("value".into()))?.clone();
    Some((cx.types.get(instance.class).short_name().to_string(), name.to_string(), value))
}

/// `str()` of an enumeration's member; `None` for any other instance.
pub fn enum_display(cx: &mut Context, id: Id) -> Eval<Option<String>> {
    let Some((class, name, value)) = enum_member(cx, id) else { return Ok(None) };
    let class_id = cx.heap.get(id).type_id();
    if derives(cx, class_id, &["IntEnum", "StrEnum", "IntFlag", "ReprEnum"]) {
        return super::display(cx, &value).map(Some);
    }
    // A combination of flags has no name of its own.
    if is_flag(cx, class_id) {
        return Err(Fault::Worker);
    }
    Ok(Some(format!("{class}.{name}")))
}

/// Names and values.
pub type Fields = Vec<(Arc<str>, Value)>;

/// The shown name and the fields of a record, in the order in which its classes declare them. `None`: not a record.
pub fn record_fields(cx: &Context, id: Id) -> Option<(String, Fields)> {
    let Object::Instance(instance) = cx.heap.get(id) else { return None };
    let info = cx.types.get(instance.class);
    if !matches!(info.descriptor.as_ref()?.kind, TypeKind::Record { .. }) {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    for ancestor in info.mro.iter().rev() {
        let Some(descriptor) = &cx.types.get(*ancestor).descriptor else { continue };
        if matches!(descriptor.kind, TypeKind::Record { .. }) {
            for field in &descriptor.fields {
                if !names.contains(&field.name.as_str()) {
                    names.push(&field.name);
                }
            }
        }
    }
    let mut fields = Vec::with_capacity(names.len());
    for name in names {
        let name: Arc<str> = name.into();
        let value = instance.fields.get(&Key::Str(name.clone()))?.clone();
        fields.push((name, value));
    }
    Some((qualified_name(cx, instance.class), fields))
}

/// The value that a member of an `IntEnum` or `StrEnum` formats as; `None` for all other instances.
pub fn enum_plain(cx: &Context, id: Id) -> Option<Value> {
    let (_, _, value) = enum_member(cx, id)?;
    let plain = derives(cx, cx.heap.get(id).type_id(), &["IntEnum", "StrEnum", "IntFlag", "ReprEnum"]);
    (plain && !cx.overrides(&Value::Ref(id), "__str__")).then_some(value)
}

pub fn is_enum_member(cx: &Context, id: Id) -> bool {
    enum_member(cx, id).is_some()
}
