//! `<`, `<=`, `>` and `>=`, and the order of numbers of different types, which is exact.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed};
use waymark_ir::{CompareOp, TypeKind};

use crate::context::{Context, Eval, Fault};
use crate::heap::{Dict, Id, Object, ViewKind};
use crate::python::compare::classes::{customises, enum_plain, fields, record};
use crate::python::compare::{DEPTH_MAX, contains, has_custom_keys, in_time, is_subset, item, item_equal, too_deep};
use crate::python::{decimal, iterate, time};
use crate::types::TypeId;
use crate::value::Value;

fn symbol(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Less => "<",
        CompareOp::LessEqual => "<=",
        CompareOp::Greater => ">",
        CompareOp::GreaterEqual => ">=",
        CompareOp::Equal => "==",
        CompareOp::NotEqual => "!=",
        CompareOp::In => "in",
        CompareOp::NotIn => "not in",
        CompareOp::Is => "is",
        CompareOp::IsNot => "is not",
    }
}

fn holds(op: CompareOp, order: Ordering) -> bool {
    match op {
        CompareOp::Less => order.is_lt(),
        CompareOp::LessEqual => order.is_le(),
        CompareOp::Greater => order.is_gt(),
        CompareOp::GreaterEqual => order.is_ge(),
        CompareOp::NotEqual => order.is_ne(),
        _ => order.is_eq(),
    }
}

fn unordered(cx: &mut Context, op: CompareOp, left: &Value, right: &Value) -> Fault {
    let (one, other) = (cx.type_name(left), cx.type_name(right));
    cx.type_error(format!("'{}' not supported between instances of '{one}' and '{other}'", symbol(op)))
}

pub(super) fn order_at(cx: &mut Context, op: CompareOp, left: &Value, right: &Value, depth: usize) -> Eval<bool> {
    if let Some(order) = numbers(left, right) {
        if order.is_none() && (matches!(left, Value::Decimal(_)) || matches!(right, Value::Decimal(_))) {
            let reasons = cx.list(vec![Value::Type(TypeId::INVALID_OPERATION)]);
            return Err(cx.raise_with(TypeId::INVALID_OPERATION, vec![reasons]));
        }
        return Ok(order.is_some_and(|order| holds(op, order)));
    }
    match (left, right) {
        (Value::Ref(_), _) | (_, Value::Ref(_)) => order_objects(cx, op, left, right, depth),
        (Value::Str(one), Value::Str(other)) => Ok(holds(op, one.cmp(other))),
        (Value::Bytes(one), Value::Bytes(other)) => Ok(holds(op, one.cmp(other))),
        (Value::Uuid(one), Value::Uuid(other)) => Ok(holds(op, one.cmp(other))),
        (Value::Zone(_), _) | (_, Value::Zone(_)) => Err(unordered(cx, op, left, right)),
        _ if in_time(left) || in_time(right) => Ok(holds(op, time::order(cx, symbol(op), left, right)?)),
        _ => Err(unordered(cx, op, left, right)),
    }
}

fn order_objects(cx: &mut Context, op: CompareOp, left: &Value, right: &Value, depth: usize) -> Eval<bool> {
    const METHODS: &[&str] = &["__lt__", "__le__", "__gt__", "__ge__"];
    if customises(cx, left, METHODS) || customises(cx, right, METHODS) {
        return Err(Fault::Worker);
    }
    let (plain_left, plain_right) = (enum_plain(cx, left), enum_plain(cx, right));
    if plain_left.is_some() || plain_right.is_some() {
        let (one, other) = (plain_left.as_ref().unwrap_or(left), plain_right.as_ref().unwrap_or(right));
        let comparable = numbers(one, other).is_some() || matches!((one, other), (Value::Str(_), Value::Str(_)));
        return if comparable { order_at(cx, op, one, other, depth) } else { Err(unordered(cx, op, left, right)) };
    }
    let (Value::Ref(left_id), Value::Ref(right_id)) = (left, right) else {
        return Err(unordered(cx, op, left, right));
    };
    let (left_id, right_id) = (*left_id, *right_id);
    if depth > DEPTH_MAX {
        return Err(too_deep(cx));
    }
    match (cx.heap.get(left_id), cx.heap.get(right_id)) {
        (Object::List(_), Object::List(_))
        | (Object::Tuple(_), Object::Tuple(_))
        | (Object::Slice(_), Object::Slice(_)) => {
            let mut at = 0;
            loop {
                cx.charge(1)?;
                match (item(cx, left_id, at), item(cx, right_id, at)) {
                    (Some(one), Some(other)) => {
                        if !item_equal(cx, &one, &other, depth + 1)? {
                            return order_at(cx, op, &one, &other, depth + 1);
                        }
                    }
                    (None, None) => return Ok(holds(op, Ordering::Equal)),
                    (None, Some(_)) => return Ok(holds(op, Ordering::Less)),
                    (Some(_), None) => return Ok(holds(op, Ordering::Greater)),
                }
                at += 1;
            }
        }
        (Object::Instance(one), Object::Instance(other)) if one.class == other.class => {
            let class = one.class;
            let known = record(cx, class, |kind| matches!(kind, TypeKind::Record { order: true, .. }));
            let Some((_, names)) = known else { return Err(unordered(cx, op, left, right)) };
            let (one, other) = (fields(cx, left_id, &names), fields(cx, right_id, &names));
            for (one, other) in one.iter().zip(&other) {
                cx.charge(1)?;
                if !item_equal(cx, one, other, depth + 1)? {
                    return order_at(cx, op, one, other, depth + 1);
                }
            }
            Ok(holds(op, one.len().cmp(&other.len())))
        }
        _ => match set_order(cx, op, left, right)? {
            Some(answer) => Ok(answer),
            None => Err(unordered(cx, op, left, right)),
        },
    }
}

/// Subset operators of sets, key views and item views. `None`: one of the two is no such thing.
pub(super) fn set_order(cx: &mut Context, op: CompareOp, left: &Value, right: &Value) -> Eval<Option<bool>> {
    let (Some(left_size), Some(right_size)) = (set_like_size(cx, left), set_like_size(cx, right)) else {
        return Ok(None);
    };
    if has_custom_keys(cx, left) || has_custom_keys(cx, right) {
        return Err(Fault::Worker);
    }
    let (fits, part, whole) = match op {
        CompareOp::Less => (left_size < right_size, left, right),
        CompareOp::LessEqual => (left_size <= right_size, left, right),
        CompareOp::Greater => (left_size > right_size, right, left),
        CompareOp::GreaterEqual => (left_size >= right_size, right, left),
        _ => (left_size == right_size, left, right),
    };
    if !fits {
        return Ok(Some(false));
    }
    if let (Value::Ref(part), Value::Ref(whole)) = (part, whole)
        && let (Object::Set(part), Object::Set(whole)) = (cx.heap.get(*part), cx.heap.get(*whole))
    {
        let (size, answer) = (part.len(), is_subset(part, whole));
        cx.charge(size)?;
        return Ok(Some(answer));
    }
    for member in iterate::collect(cx, part)? {
        if !contains(cx, whole, &member)? {
            return Ok(Some(false));
        }
    }
    Ok(Some(true))
}

fn set_like_size(cx: &Context, value: &Value) -> Option<usize> {
    let Value::Ref(id) = value else { return None };
    match cx.heap.get(*id) {
        Object::Set(set) => Some(set.len()),
        Object::View { dict, kind: ViewKind::Keys | ViewKind::Items } => Some(viewed(cx, *dict)?.len()),
        _ => None,
    }
}

/// The dict behind a view.
pub fn viewed(cx: &Context, id: Id) -> Option<&Dict> {
    match cx.heap.get(id) {
        Object::Dict(dict) => Some(dict),
        _ => None,
    }
}

// ---- numbers

/// Outer `None`: not two numbers. Inner `None`: unordered, for one is a NaN.
pub(super) fn numbers(left: &Value, right: &Value) -> Option<Option<Ordering>> {
    let order = match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(right)),
        (Value::Float(left), Value::Float(right)) => left.partial_cmp(right),
        (Value::Bool(left), _) => return numbers(&Value::Int(i64::from(*left)), right),
        (_, Value::Bool(right)) => return numbers(left, &Value::Int(i64::from(*right))),
        (Value::Int(left), Value::Float(right)) => int_with_float(*left, *right),
        (Value::Float(left), Value::Int(right)) => int_with_float(*right, *left).map(Ordering::reverse),
        (Value::Big(left), Value::Big(right)) => Some(left.cmp(right)),
        (Value::Big(left), Value::Int(_)) => Some(sign_order(left)),
        (Value::Int(_), Value::Big(right)) => Some(sign_order(right).reverse()),
        (Value::Big(left), Value::Float(right)) => big_with_float(left, *right),
        (Value::Float(left), Value::Big(right)) => big_with_float(right, *left).map(Ordering::reverse),
        (Value::Decimal(left), Value::Decimal(_) | Value::Int(_) | Value::Big(_) | Value::Float(_)) => {
            decimal::compare(left, right)
        }
        (Value::Int(_) | Value::Big(_) | Value::Float(_), Value::Decimal(right)) => {
            decimal::compare(right, left).map(Ordering::reverse)
        }
        _ => return None,
    };
    Some(order)
}

/// A big integer against any that fits 64 bits.
fn sign_order(value: &BigInt) -> Ordering {
    if value.is_negative() { Ordering::Less } else { Ordering::Greater }
}

fn int_with_float(left: i64, right: f64) -> Option<Ordering> {
    const BOUND: f64 = 9_223_372_036_854_775_808.0;
    if right.is_nan() {
        return None;
    }
    if right >= BOUND {
        return Some(Ordering::Less);
    }
    if right < -BOUND {
        return Some(Ordering::Greater);
    }
    let whole = right.trunc();
    Some(left.cmp(&(whole as i64)).then_with(|| whole.partial_cmp(&right).unwrap_or(Ordering::Equal)))
}

fn big_with_float(left: &BigInt, right: f64) -> Option<Ordering> {
    if right.is_nan() {
        return None;
    }
    if right.is_infinite() {
        return Some(if right > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    Some(left.cmp(&BigInt::from_f64(right.trunc()).unwrap_or_default()))
}
