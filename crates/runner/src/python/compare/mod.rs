//! Truth, equality, order, membership, identity, and the keys that dicts and sets compare by.

mod classes;
mod keys;
mod membership;
mod order;
#[cfg(test)]
mod tests;

pub use classes::{customises, enum_plain, is_elsewhere, is_enum_class, is_enum_member};
pub(crate) use keys::float_parts;
pub use keys::{has_custom_keys, key_of, lookup_key, member_key, stored_key};
pub use membership::contains;
pub use order::viewed;

use std::cmp::Ordering;
use std::sync::Arc;

use num_traits::Zero;
use waymark_ir::{CompareOp, Decimal, TypeKind};

use crate::context::{Context, Eval, Fault};
use crate::heap::{Id, Object, Set, ViewKind};
use crate::python::time;
use crate::types::TypeId;
use crate::value::Value;
use classes::{enum_name, fields, is_enum, record};
use order::{numbers, order_at, set_order};

/// Nested containers deeper than this raise `RecursionError`, as they do somewhere in Python.
pub const DEPTH_MAX: usize = 200;

pub fn truth(cx: &mut Context, value: &Value) -> Eval<bool> {
    Ok(match value {
        Value::Unbound | Value::None => false,
        Value::Bool(value) => *value,
        Value::Int(value) => *value != 0,
        Value::Float(value) => *value != 0.0,
        Value::Str(text) => !text.is_empty(),
        Value::Bytes(bytes) => !bytes.is_empty(),
        Value::Delta(delta) => delta.microseconds != 0,
        Value::Decimal(value) => match &**value {
            Decimal::Finite { coefficient, .. } => !coefficient.is_zero(),
            Decimal::Infinity { .. } | Decimal::NaN => true,
        },
        Value::Ref(id) => match cx.heap.get(*id) {
            Object::List(list) => !list.items.is_empty(),
            Object::Tuple(items) => !items.is_empty(),
            Object::Dict(dict) => !dict.is_empty(),
            Object::Set(set) => !set.is_empty(),
            Object::Range(range) => !range.is_empty(),
            Object::View { dict, .. } => match cx.heap.get(*dict) {
                Object::Dict(dict) => !dict.is_empty(),
                _ => false,
            },
            Object::Instance(_) | Object::Exception(_) => {
                if customises(cx, value, &["__bool__", "__len__"]) {
                    return Err(Fault::Worker);
                }
                match enum_plain(cx, value) {
                    Some(plain) => return truth(cx, &plain),
                    None => true,
                }
            }
            _ => true,
        },
        _ => true,
    })
}

pub fn equal(cx: &mut Context, left: &Value, right: &Value) -> Eval<bool> {
    equal_at(cx, left, right, 0)
}

/// Any comparison operator; `in` and `is` too.
pub fn compare(cx: &mut Context, op: CompareOp, left: &Value, right: &Value) -> Eval<bool> {
    match op {
        CompareOp::Equal => equal_at(cx, left, right, 0),
        CompareOp::NotEqual => {
            if customises(cx, left, &["__ne__"]) || customises(cx, right, &["__ne__"]) {
                return Err(Fault::Worker);
            }
            Ok(!equal_at(cx, left, right, 0)?)
        }
        CompareOp::Less | CompareOp::LessEqual | CompareOp::Greater | CompareOp::GreaterEqual => {
            order_at(cx, op, left, right, 0)
        }
        CompareOp::In => contains(cx, right, left),
        CompareOp::NotIn => Ok(!contains(cx, right, left)?),
        CompareOp::Is => Ok(is(left, right)),
        CompareOp::IsNot => Ok(!is(left, right)),
    }
}

/// `left < right`, for sorting.
pub fn less(cx: &mut Context, left: &Value, right: &Value) -> Eval<bool> {
    order_at(cx, CompareOp::Less, left, right, 0)
}

/// Whether the two are one object. Immutable scalars of one type and value count as one.
pub fn is(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Unbound, Value::Unbound) | (Value::None, Value::None) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::Int(left), Value::Int(right)) => left == right,
        (Value::Big(left), Value::Big(right)) => Arc::ptr_eq(left, right) || left == right,
        (Value::Float(left), Value::Float(right)) => left.to_bits() == right.to_bits(),
        (Value::Str(left), Value::Str(right)) => Arc::ptr_eq(left, right) || left == right,
        (Value::Bytes(left), Value::Bytes(right)) => Arc::ptr_eq(left, right) || left == right,
        (Value::Date(left), Value::Date(right)) => left == right,
        (Value::Time(left), Value::Time(right)) => left == right,
        (Value::DateTime(left), Value::DateTime(right)) => left == right,
        (Value::Delta(left), Value::Delta(right)) => left == right,
        (Value::Zone(left), Value::Zone(right)) => left == right,
        (Value::Decimal(left), Value::Decimal(right)) => left == right,
        (Value::Uuid(left), Value::Uuid(right)) => left == right,
        (Value::Ellipsis, Value::Ellipsis) | (Value::NotImplemented, Value::NotImplemented) => true,
        (Value::Type(left), Value::Type(right)) => left == right,
        (Value::Builtin(left), Value::Builtin(right)) => left == right,
        (Value::Ref(left), Value::Ref(right)) => left == right,
        _ => false,
    }
}

// ---- equality

/// What containers ask of their items: the same object is equal to itself, even a NaN.
pub fn same_or_equal(cx: &mut Context, left: &Value, right: &Value) -> Eval<bool> {
    item_equal(cx, left, right, 0)
}

fn item_equal(cx: &mut Context, left: &Value, right: &Value, depth: usize) -> Eval<bool> {
    Ok(is(left, right) || equal_at(cx, left, right, depth)?)
}

fn too_deep(cx: &mut Context) -> Fault {
    cx.raise(TypeId::RECURSION_ERROR, "maximum recursion depth exceeded in comparison")
}

fn equal_at(cx: &mut Context, left: &Value, right: &Value, depth: usize) -> Eval<bool> {
    if let Some(order) = numbers(left, right) {
        return Ok(order == Some(Ordering::Equal));
    }
    match (left, right) {
        (Value::Ref(_), _) | (_, Value::Ref(_)) => equal_objects(cx, left, right, depth),
        (Value::Str(left), Value::Str(right)) => {
            cx.charge(left.len().min(right.len()) / 64)?;
            Ok(left == right)
        }
        _ if in_time(left) || in_time(right) => time::equal(cx, left, right),
        // A NaN was answered above, and the rest are equal exactly when they are the same.
        _ => Ok(is(left, right)),
    }
}

fn equal_objects(cx: &mut Context, left: &Value, right: &Value, depth: usize) -> Eval<bool> {
    if customises(cx, left, &["__eq__"]) || customises(cx, right, &["__eq__"]) {
        return Err(Fault::Worker);
    }
    if let Some(plain) = enum_plain(cx, left) {
        return if is(left, right) { Ok(true) } else { equal_at(cx, &plain, right, depth) };
    }
    if let Some(plain) = enum_plain(cx, right) {
        return equal_at(cx, left, &plain, depth);
    }
    let (Value::Ref(left_id), Value::Ref(right_id)) = (left, right) else { return Ok(false) };
    let (left_id, right_id) = (*left_id, *right_id);
    if depth > DEPTH_MAX {
        return Err(too_deep(cx));
    }
    match (cx.heap.get(left_id), cx.heap.get(right_id)) {
        (Object::List(one), Object::List(other)) => match one.items.len() == other.items.len() {
            true => sequences_equal(cx, left_id, right_id, depth),
            false => Ok(false),
        },
        (Object::Tuple(one), Object::Tuple(other)) => match one.len() == other.len() {
            true => sequences_equal(cx, left_id, right_id, depth),
            false => Ok(false),
        },
        (Object::Slice(_), Object::Slice(_)) => sequences_equal(cx, left_id, right_id, depth),
        (Object::Dict(one), Object::Dict(other)) => {
            if one.len() != other.len() {
                return Ok(false);
            }
            if one.is_custom() || other.is_custom() {
                return Err(Fault::Worker);
            }
            let mut pairs = Vec::with_capacity(one.len());
            for (key, _, value) in one.keyed() {
                match other.get(key) {
                    Some(found) => pairs.push((value.clone(), found.clone())),
                    None => return Ok(false),
                }
            }
            for (value, found) in pairs {
                cx.charge(1)?;
                if !item_equal(cx, &value, &found, depth + 1)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Object::Set(one), Object::Set(other)) if one.is_custom() || other.is_custom() => Err(Fault::Worker),
        (Object::Set(one), Object::Set(other)) => {
            let (size, answer) = (one.len(), one.len() == other.len() && is_subset(one, other));
            cx.charge(size)?;
            Ok(answer)
        }
        (Object::Range(one), Object::Range(other)) => {
            let length = one.len();
            Ok(length == other.len()
                && (length == 0 || (one.start == other.start && (length == 1 || one.step == other.step))))
        }
        (Object::View { kind, .. }, Object::View { .. } | Object::Set(_)) if *kind != ViewKind::Values => {
            if left_id == right_id {
                return Ok(true);
            }
            Ok(set_order(cx, CompareOp::Equal, left, right)?.unwrap_or(false))
        }
        (Object::Set(_), Object::View { .. }) => Ok(set_order(cx, CompareOp::Equal, right, left)?.unwrap_or(false)),
        (Object::Method { receiver, name }, Object::Method { receiver: other, name: other_name }) => {
            Ok(name == other_name && is(receiver, other))
        }
        (Object::Bound { receiver, function }, Object::Bound { receiver: other, function: other_function }) => {
            Ok(is(receiver, other) && is(function, other_function))
        }
        (Object::Instance(one), Object::Instance(other)) => {
            if left_id == right_id && is_enum(cx, one.class) {
                return Ok(true);
            }
            if one.class != other.class {
                return Ok(false);
            }
            let class = one.class;
            if is_enum(cx, class) {
                return Ok(match (enum_name(cx, left_id), enum_name(cx, right_id)) {
                    (Some(one), Some(other)) => is(&one, &other),
                    _ => left_id == right_id,
                });
            }
            let Some((_, names)) = record(cx, class, |kind| matches!(kind, TypeKind::Record { eq: true, .. })) else {
                return Ok(left_id == right_id);
            };
            let (one, other) = (fields(cx, left_id, &names), fields(cx, right_id, &names));
            for (one, other) in one.iter().zip(&other) {
                cx.charge(1)?;
                if !item_equal(cx, one, other, depth + 1)? {
                    return Ok(false);
                }
            }
            Ok(one.len() == other.len())
        }
        _ => Ok(left_id == right_id),
    }
}

/// Item `at` of a list, tuple or slice.
fn item(cx: &Context, id: Id, at: usize) -> Option<Value> {
    match cx.heap.get(id) {
        Object::List(list) => list.items.get(at).cloned(),
        Object::Tuple(items) => items.get(at).cloned(),
        Object::Slice(parts) => parts.get(at).cloned(),
        _ => None,
    }
}

fn sequences_equal(cx: &mut Context, left: Id, right: Id, depth: usize) -> Eval<bool> {
    let mut at = 0;
    while let (Some(one), Some(other)) = (item(cx, left, at), item(cx, right, at)) {
        cx.charge(1)?;
        if !item_equal(cx, &one, &other, depth + 1)? {
            return Ok(false);
        }
        at += 1;
    }
    Ok(true)
}

fn is_subset(part: &Set, whole: &Set) -> bool {
    part.len() <= whole.len() && part.keyed().all(|(key, _)| whole.contains(key))
}

fn in_time(value: &Value) -> bool {
    matches!(value, Value::Date(_) | Value::Time(_) | Value::DateTime(_) | Value::Delta(_) | Value::Zone(_))
}
