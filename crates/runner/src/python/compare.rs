//! Truth, equality, order, membership, identity, and the keys that dicts and sets compare by.

use std::cmp::Ordering;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{FromPrimitive, Signed, ToPrimitive, Zero};
use waymark_ir::{CompareOp, Decimal, TypeKind};

use crate::context::{Context, Eval, Fault};
use crate::heap::{Dict, Id, Key, Object, Set, ViewKind};
use crate::python::{decimal, iterate, time};
use crate::types::{TypeId, Types};
use crate::value::Value;

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

// ---- order

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

fn order_at(cx: &mut Context, op: CompareOp, left: &Value, right: &Value, depth: usize) -> Eval<bool> {
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
fn set_order(cx: &mut Context, op: CompareOp, left: &Value, right: &Value) -> Eval<Option<bool>> {
    let (Some(left_size), Some(right_size)) = (set_like_size(cx, left), set_like_size(cx, right)) else {
        return Ok(None);
    };
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
fn numbers(left: &Value, right: &Value) -> Option<Option<Ordering>> {
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

fn in_time(value: &Value) -> bool {
    matches!(value, Value::Date(_) | Value::Time(_) | Value::DateTime(_) | Value::Delta(_) | Value::Zone(_))
}

// ---- membership

pub fn contains(cx: &mut Context, container: &Value, item: &Value) -> Eval<bool> {
    match (container, item) {
        (Value::Str(text), Value::Str(part)) => {
            cx.charge(text.len() / 64)?;
            return Ok(text.contains(&**part));
        }
        (Value::Str(_), _) => {
            if let Some(Value::Str(part)) = enum_plain(cx, item) {
                return contains(cx, container, &Value::Str(part));
            }
            let text = format!("'in <string>' requires string as left operand, not {}", cx.type_name(item));
            return Err(cx.type_error(text));
        }
        (Value::Bytes(bytes), Value::Bytes(part)) => {
            cx.charge(bytes.len() / 64 + part.len() / 64)?;
            return Ok(part.is_empty() || memchr(bytes, part));
        }
        (Value::Bytes(bytes), Value::Int(_) | Value::Bool(_) | Value::Big(_)) => {
            let byte = match item {
                Value::Int(value) => u8::try_from(*value).ok(),
                Value::Bool(value) => Some(u8::from(*value)),
                _ => None,
            };
            return match byte {
                Some(byte) => Ok(bytes.contains(&byte)),
                None => Err(cx.value_error("byte must be in range(0, 256)")),
            };
        }
        (Value::Bytes(_), _) => {
            let text = format!("a bytes-like object is required, not '{}'", cx.type_name(item));
            return Err(cx.type_error(text));
        }
        (Value::Type(class), _) if is_enum(cx, *class) => return Err(Fault::Worker),
        (Value::Ref(_), _) => {}
        _ => return Err(not_a_container(cx, container)),
    }
    let Value::Ref(id) = container else { return Err(not_a_container(cx, container)) };
    let id = *id;
    match cx.heap.get(id) {
        Object::List(_) | Object::Tuple(_) => {
            let mut at = 0;
            while let Some(candidate) = self::item(cx, id, at) {
                cx.charge(1)?;
                if same_or_equal(cx, &candidate, item)? {
                    return Ok(true);
                }
                at += 1;
            }
            Ok(false)
        }
        Object::Dict(_) => {
            let key = key_of(cx, item)?;
            Ok(viewed(cx, id).is_some_and(|dict| dict.contains(&key)))
        }
        Object::Set(_) => {
            let key = member_key(cx, item)?;
            Ok(matches!(cx.heap.get(id), Object::Set(set) if set.contains(&key)))
        }
        Object::Range(range) => {
            let range = *range;
            if matches!(item, Value::Ref(_)) && customises(cx, item, &["__eq__"]) {
                return Err(Fault::Worker);
            }
            let plain = enum_plain(cx, item).unwrap_or_else(|| item.clone());
            if !matches!(plain, Value::Int(_) | Value::Bool(_) | Value::Float(_) | Value::Decimal(_)) {
                return Ok(false);
            }
            let Key::Int(value) = key_of(cx, &plain)? else { return Ok(false) };
            let (start, stop) = (i128::from(range.start), i128::from(range.stop));
            let (step, value) = (i128::from(range.step), i128::from(value));
            let inside = if step > 0 { value >= start && value < stop } else { value <= start && value > stop };
            Ok(inside && (value - start) % step == 0)
        }
        Object::View { dict, kind } => {
            let (dict, kind) = (*dict, *kind);
            match kind {
                ViewKind::Keys => {
                    let key = key_of(cx, item)?;
                    Ok(viewed(cx, dict).is_some_and(|dict| dict.contains(&key)))
                }
                ViewKind::Values => {
                    let values: Vec<Value> = viewed(cx, dict)
                        .map_or(Vec::new(), |dict| dict.iter().map(|(_, value)| value.clone()).collect());
                    for value in values {
                        cx.charge(1)?;
                        if same_or_equal(cx, &value, item)? {
                            return Ok(true);
                        }
                    }
                    Ok(false)
                }
                ViewKind::Items => {
                    let pair = match item {
                        Value::Ref(pair) => match cx.heap.get(*pair) {
                            Object::Tuple(pair) if pair.len() == 2 => (pair[0].clone(), pair[1].clone()),
                            _ => return Ok(false),
                        },
                        _ => return Ok(false),
                    };
                    let key = key_of(cx, &pair.0)?;
                    match viewed(cx, dict).and_then(|dict| dict.get(&key)).cloned() {
                        Some(found) => same_or_equal(cx, &found, &pair.1),
                        None => Ok(false),
                    }
                }
            }
        }
        Object::Iterator(_) => {
            while let Some(candidate) = iterate::next(cx, container)? {
                cx.charge(1)?;
                if same_or_equal(cx, &candidate, item)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Object::Instance(_) | Object::Exception(_) => {
            if customises(cx, container, &["__contains__", "__iter__", "__getitem__"]) {
                return Err(Fault::Worker);
            }
            match enum_plain(cx, container) {
                Some(plain @ Value::Str(_)) => contains(cx, &plain, item),
                _ => Err(not_a_container(cx, container)),
            }
        }
        _ => Err(not_a_container(cx, container)),
    }
}

fn not_a_container(cx: &mut Context, container: &Value) -> Fault {
    let text = format!("argument of type '{}' is not iterable", cx.type_name(container));
    cx.type_error(text)
}

fn memchr(bytes: &[u8], part: &[u8]) -> bool {
    bytes.len() >= part.len() && bytes.windows(part.len()).any(|window| window == part)
}

// ---- keys

/// Raises TypeError for what has no hash: `unhashable type: 'list'`.
pub fn key_of(cx: &mut Context, value: &Value) -> Eval<Key> {
    key_at(cx, value, 0)
}

/// What a set looks a member up by: a set stands for the frozenset of its members there.
pub fn member_key(cx: &mut Context, value: &Value) -> Eval<Key> {
    if let Value::Ref(id) = value
        && let Object::Set(set) = cx.heap.get(*id)
    {
        return Ok(frozen_key(set));
    }
    key_of(cx, value)
}

fn frozen_key(set: &Set) -> Key {
    let mut keys: Vec<Key> = set.keyed().map(|(key, _)| key.clone()).collect();
    keys.sort();
    Key::FrozenSet(keys.into())
}

fn key_at(cx: &mut Context, value: &Value, depth: usize) -> Eval<Key> {
    let id = match value {
        Value::Unbound | Value::None => return Ok(Key::None),
        Value::Bool(value) => return Ok(Key::Int(i64::from(*value))),
        Value::Int(value) => return Ok(Key::Int(*value)),
        Value::Big(value) => return Ok(Key::Big(value.clone())),
        Value::Float(value) => return Ok(float_key(*value)),
        Value::Str(text) => return Ok(Key::Str(text.clone())),
        Value::Bytes(bytes) => return Ok(Key::Bytes(bytes.clone())),
        Value::Date(date) => return Ok(Key::date(*date)),
        Value::Time(_) | Value::DateTime(_) | Value::Delta(_) | Value::Zone(_) => return time::key(cx, value),
        Value::Decimal(value) => return decimal_key(cx, &value.clone()),
        Value::Uuid(value) => return Ok(Key::uuid(**value)),
        Value::Ellipsis => return Ok(Key::Ellipsis),
        Value::NotImplemented => return Ok(Key::NotImplemented),
        Value::Type(class) => return Ok(Key::Type(*class)),
        Value::Builtin(builtin) => return Ok(Key::Builtin(*builtin)),
        Value::Ref(id) => *id,
    };
    if depth > DEPTH_MAX {
        return Err(cx.raise(TypeId::RECURSION_ERROR, "maximum recursion depth exceeded"));
    }
    match cx.heap.get(id) {
        Object::Tuple(items) => {
            let items = items.to_vec();
            Ok(Key::Tuple(keys(cx, &items, depth)?.into()))
        }
        Object::Set(set) if set.frozen => {
            let (size, key) = (set.len(), frozen_key(set));
            cx.charge(size)?;
            Ok(key)
        }
        Object::List(_) | Object::Dict(_) | Object::Set(_) | Object::Slice(_) => Err(unhashable(cx, value)),
        Object::View { kind: ViewKind::Keys | ViewKind::Items, .. } => Err(unhashable(cx, value)),
        Object::Range(range) => {
            let range = *range;
            let length = range.len();
            let mut parts = vec![Key::Int(length as i64)];
            if length > 0 {
                parts.push(Key::Int(range.start));
            }
            if length > 1 {
                parts.push(Key::Int(range.step));
            }
            Ok(Key::Record(TypeId::RANGE, parts.into()))
        }
        Object::Method { receiver, name } => {
            let (receiver, name) = (receiver.clone(), name.clone());
            let receiver = identity_key(cx, &receiver, depth)?;
            Ok(Key::Record(TypeId::BUILTIN_FUNCTION, [receiver, Key::Str(name)].into()))
        }
        Object::Bound { receiver, function } => {
            let (receiver, function) = (receiver.clone(), function.clone());
            let parts = [identity_key(cx, &receiver, depth)?, identity_key(cx, &function, depth)?];
            Ok(Key::Record(TypeId::METHOD, parts.into()))
        }
        Object::Instance(instance) => {
            let class = instance.class;
            if customises(cx, value, &["__eq__", "__hash__"]) {
                return Err(Fault::Worker);
            }
            if let Some(plain) = enum_plain(cx, value) {
                return key_at(cx, &plain, depth);
            }
            if is_enum(cx, class) {
                return Ok(match enum_name(cx, id) {
                    Some(Value::Str(name)) => Key::Record(class, [Key::Str(name)].into()),
                    _ => Key::Identity(id),
                });
            }
            match record(cx, class, |kind| matches!(kind, TypeKind::Record { eq: true, .. })) {
                None => Ok(Key::Identity(id)),
                Some((TypeKind::Record { frozen: true, .. }, names)) => {
                    let items = fields(cx, id, &names);
                    Ok(Key::Record(class, keys(cx, &items, depth)?.into()))
                }
                Some(_) => Err(unhashable(cx, value)),
            }
        }
        Object::Exception(_) if customises(cx, value, &["__eq__", "__hash__"]) => Err(Fault::Worker),
        _ => Ok(Key::Identity(id)),
    }
}

fn keys(cx: &mut Context, items: &[Value], depth: usize) -> Eval<Vec<Key>> {
    cx.charge(items.len())?;
    items.iter().map(|item| key_at(cx, item, depth + 1)).collect()
}

fn identity_key(cx: &mut Context, value: &Value, depth: usize) -> Eval<Key> {
    match value {
        Value::Ref(id) => Ok(Key::Identity(*id)),
        other => key_at(cx, other, depth + 1),
    }
}

fn unhashable(cx: &mut Context, value: &Value) -> Fault {
    let text = format!("unhashable type: '{}'", cx.type_name(value));
    cx.type_error(text)
}

fn integer_key(value: BigInt) -> Key {
    match value.to_i64() {
        Some(small) => Key::Int(small),
        None => Key::Big(Arc::new(value)),
    }
}

fn float_key(value: f64) -> Key {
    if value.is_finite() && value.fract() == 0.0 {
        return BigInt::from_f64(value).map_or(Key::Float(value.to_bits()), integer_key);
    }
    Key::Float(value.to_bits())
}

/// An integer's key, a float's key or its own, whichever number it is equal to.
fn decimal_key(cx: &mut Context, value: &Decimal) -> Eval<Key> {
    let (negative, coefficient, exponent) = match value {
        Decimal::NaN => return Ok(Key::decimal(value)),
        Decimal::Infinity { negative: true } => return Ok(Key::Float(f64::NEG_INFINITY.to_bits())),
        Decimal::Infinity { negative: false } => return Ok(Key::Float(f64::INFINITY.to_bits())),
        Decimal::Finite { negative, coefficient, exponent } => (*negative, coefficient.clone(), *exponent),
    };
    if coefficient.is_zero() {
        return Ok(Key::Int(0));
    }
    let (mut coefficient, mut exponent) = (coefficient, exponent);
    let ten = BigUint::from(10u8);
    while (&coefficient % &ten).is_zero() {
        cx.charge(1 + coefficient.bits() as usize / 512)?;
        coefficient /= &ten;
        exponent += 1;
    }
    let sign = if negative { Sign::Minus } else { Sign::Plus };
    // No integer of a program is longer than the limit of a value, so a larger one equals none.
    let digits_max = cx.limits.value_bytes_max as i64 * 3;
    if (0..=digits_max).contains(&exponent) {
        cx.check_size(exponent as usize / 2)?;
        cx.charge(exponent as usize)?;
        return Ok(integer_key(BigInt::from_biguint(sign, coefficient * ten.pow(exponent as u32))));
    }
    // No float has more digits after the point.
    if (-1_074..0).contains(&exponent)
        && let Ok(near) = format!("{coefficient}e{exponent}").parse::<f64>()
        && let Some((mantissa, power)) = float_parts(near)
        && power < 0
        && BigUint::from(mantissa) * ten.pow(exponent.unsigned_abs() as u32)
            == coefficient.clone() << power.unsigned_abs()
    {
        let near = if negative { -near } else { near };
        return Ok(Key::Float(near.to_bits()));
    }
    Ok(Key::decimal(&Decimal::Finite { negative, coefficient, exponent }))
}

/// A positive finite float as `mantissa * 2 ** power`, exactly.
pub(crate) fn float_parts(value: f64) -> Option<(u64, i32)> {
    if !value.is_finite() {
        return None;
    }
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    Some(if exponent == 0 { (fraction, -1_074) } else { (fraction | 1 << 52, exponent - 1_075) })
}

// ---- classes of the program

/// Whether a user's class decides about one of these methods, or might: its definition is not known here.
pub fn customises(cx: &Context, value: &Value, names: &[&str]) -> bool {
    let Value::Ref(id) = value else { return false };
    let class = match cx.heap.get(*id) {
        Object::Instance(instance) => instance.class,
        Object::Exception(_) => return names.iter().any(|name| cx.overrides(value, name)),
        _ => return false,
    };
    if names.iter().any(|name| cx.overrides(value, name)) {
        return true;
    }
    // What a class inherits from `dict`, say, is nothing that an instance's fields could tell.
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
    let mro = &cx.types.get(class).mro;
    let known = |id: &TypeId| (id.0 as usize) < Types::builtin_count() || cx.types.get(*id).descriptor.is_some();
    !mro.iter().all(known) || (mro.iter().any(|id| DATA.contains(id)) && enum_plain(cx, value).is_none())
}

fn is_enum(cx: &Context, class: TypeId) -> bool {
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

fn enum_field(cx: &Context, id: Id, names: [&str; 2]) -> Option<Value> {
    let Object::Instance(instance) = cx.heap.get(id) else { return None };
    names.iter().find_map(|name| instance.fields.get(&Key::Str((*name).into())).cloned())
}

fn enum_name(cx: &Context, id: Id) -> Option<Value> {
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
fn record(cx: &Context, class: TypeId, wanted: fn(&TypeKind) -> bool) -> Option<(TypeKind, Vec<Key>)> {
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

fn fields(cx: &Context, id: Id, names: &[Key]) -> Vec<Value> {
    let Object::Instance(instance) = cx.heap.get(id) else { return Vec::new() };
    names.iter().map(|name| instance.fields.get(name).cloned().unwrap_or_default()).collect()
}
