//! What a class of the program means for comparing its instances: records, enumerations, methods of its own.

use waymark_ir::TypeKind;

use crate::context::Context;
use crate::heap::{Id, Key, Object};
use crate::types::TypeId;
use crate::value::Value;

/// Whether a user's class decides about one of these methods, or might: its definition is not known here.
pub fn customises(cx: &Context, value: &Value, names: &[&str]) -> bool {
    let Value::Ref(id) = value else { return false };
    match cx.heap.get(*id) {
        Object::Instance(_) | Object::Exception(_) => {
            is_elsewhere(cx, value) || names.iter().any(|name| cx.declares(value, name))
        }
        _ => false,
    }
}

/// Whether what the object does is not told by its fields and by what the program says of its class: nobody has
/// described the class, or it inherits from `dict`, say.
pub fn is_elsewhere(cx: &Context, value: &Value) -> bool {
    const DATA: &[TypeId] = &[
        TypeId::INT,
        TypeId::FLOAT,
        TypeId::STR,
        TypeId::BYTES,
        TypeId::LIST,
        TypeId::TUPLE,
        TypeId::DICT,
        TypeId::SET,
        TypeId::FROZENSET,
        TypeId::DATE,
        TypeId::TIME,
        TypeId::TIMEDELTA,
        TypeId::TZINFO,
        TypeId::DECIMAL,
        TypeId::UUID,
    ];
    let Value::Ref(id) = value else { return false };
    let Object::Instance(instance) = cx.heap.get(*id) else { return false };
    let mro = &cx.types.get(instance.class).mro;
    !cx.types.is_described(instance.class)
        || (mro.iter().any(|id| DATA.contains(id)) && enum_plain(cx, value).is_none())
}

pub(super) fn is_enum(cx: &Context, class: TypeId) -> bool {
    let info = cx.types.get(class);
    info.mro.contains(&TypeId::ENUM)
        || info.descriptor.as_ref().is_some_and(|known| matches!(known.kind, TypeKind::Enum(_)))
}

/// Whether iterating over, subscripting or searching the class means its members.
pub fn is_enum_class(cx: &Context, class: TypeId) -> bool {
    is_enum(cx, class)
}

/// Whether the value is a member of an enumeration.
pub fn is_enum_member(cx: &Context, value: &Value) -> bool {
    let Value::Ref(id) = value else { return false };
    matches!(cx.heap.get(*id), Object::Instance(instance) if is_enum(cx, instance.class))
}

pub(super) fn enum_field(cx: &Context, id: Id, names: [&str; 2]) -> Option<Value> {
    let Object::Instance(instance) = cx.heap.get(id) else { return None };
    names.iter().find_map(|name| instance.fields.get(&Key::Str((*name).into())).cloned())
}

pub(super) fn enum_name(cx: &Context, id: Id) -> Option<Value> {
    enum_field(cx, id, ["name", "_name_"])
}

/// The number or text that a member of an `IntEnum` or `StrEnum` is.
pub fn enum_plain(cx: &Context, value: &Value) -> Option<Value> {
    let Value::Ref(id) = value else { return None };
    let Object::Instance(instance) = cx.heap.get(*id) else { return None };
    let mro = &cx.types.get(instance.class).mro;
    if !is_enum(cx, instance.class) || !mro.iter().any(|class| matches!(*class, TypeId::INT | TypeId::STR)) {
        return None;
    }
    let plain = enum_field(cx, *id, ["value", "_value_"])?;
    matches!(plain, Value::Int(_) | Value::Big(_) | Value::Str(_)).then_some(plain)
}

/// The nearest class that is a record of the wanted kind, with all its fields in order.
pub(super) fn record(cx: &Context, class: TypeId, wanted: fn(&TypeKind) -> bool) -> Option<(TypeKind, Vec<Key>)> {
    let mro = &cx.types.get(class).mro;
    let found = mro.iter().find_map(|id| {
        let descriptor = cx.types.get(*id).descriptor.as_ref()?;
        wanted(&descriptor.kind).then(|| (*id, descriptor.kind.clone()))
    });
    let (owner, kind) = found?;
    let mut names: Vec<Key> = Vec::new();
    for id in cx.types.get(owner).mro.iter().rev() {
        let Some(descriptor) = &cx.types.get(*id).descriptor else { continue };
        if !matches!(descriptor.kind, TypeKind::Record { .. }) {
            continue;
        }
        for field in &descriptor.fields {
            let name = Key::Str(field.name.as_str().into());
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Some((kind, names))
}

pub(super) fn fields(cx: &Context, id: Id, names: &[Key]) -> Vec<Value> {
    let Object::Instance(instance) = cx.heap.get(id) else { return Vec::new() };
    names.iter().map(|name| instance.fields.get(name).cloned().unwrap_or_default()).collect()
}
