//! The keys that dicts and sets compare by: whichever values are equal have equal keys.

use std::sync::Arc;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{FromPrimitive, ToPrimitive, Zero};
use waymark_ir::{Decimal, TypeKind};

use crate::context::{Context, Eval, Fault};
use crate::heap::{Dict, Key, Object, Set, ViewKind};
use crate::python::compare::classes::{customises, enum_name, enum_plain, fields, is_enum, record};
use crate::python::compare::{DEPTH_MAX, viewed};
use crate::python::time;
use crate::types::TypeId;
use crate::value::Value;

/// Raises TypeError for what has no hash: `unhashable type: 'list'`. `Worker` where a user's class decides.
pub fn key_of(cx: &mut Context, value: &Value) -> Eval<Key> {
    let key = stored_key(cx, value)?;
    if key.is_custom() { Err(Fault::Worker) } else { Ok(key) }
}

/// The key of an entry that is known to be equal to no other: it comes from a dict or set that Python has made.
pub fn stored_key(cx: &mut Context, value: &Value) -> Eval<Key> {
    let key = key_at(cx, value, 0, &mut 0)?;
    weighed(cx, key)
}

/// What an item is looked up by in a dict, set or view.
pub fn lookup_key(cx: &mut Context, container: &Value, item: &Value) -> Eval<Key> {
    if has_custom_keys(cx, container) { Err(Fault::Worker) } else { key_of(cx, item) }
}

/// Whether a dict or set, or the dict behind a view, holds keys that only a worker can compare.
pub fn has_custom_keys(cx: &Context, container: &Value) -> bool {
    let Value::Ref(id) = container else { return false };
    match cx.heap.get(*id) {
        Object::Dict(dict) => dict.is_custom(),
        Object::Set(set) => set.is_custom(),
        Object::View { dict, .. } => viewed(cx, *dict).is_some_and(Dict::is_custom),
        _ => false,
    }
}

/// What a set looks a member up by: a set stands for the frozenset of its members there.
pub fn member_key(cx: &mut Context, value: &Value) -> Eval<Key> {
    if let Value::Ref(id) = value
        && let Object::Set(set) = cx.heap.get(*id)
    {
        let key = frozen_key(set);
        let key = weighed(cx, key)?;
        return if key.is_custom() { Err(Fault::Worker) } else { Ok(key) };
    }
    key_of(cx, value)
}

fn frozen_key(set: &Set) -> Key {
    let mut keys: Vec<Key> = set.keyed().map(|(key, _)| key.clone()).collect();
    keys.sort();
    Key::FrozenSet(keys.into())
}

/// Keys are hashed and compared by recursion, and one member can be part of a key many times over: neither depth nor
/// size may go without bound.
fn weighed(cx: &mut Context, key: Key) -> Eval<Key> {
    fn parts(key: &Key) -> &[Key] {
        match key {
            Key::Tuple(parts) | Key::FrozenSet(parts) | Key::Record(_, parts) => parts,
            _ => &[],
        }
    }
    if parts(&key).iter().all(|part| parts(part).is_empty()) {
        return Ok(key);
    }
    let mut weight = 0;
    let mut pending = vec![(&key, 0)];
    while let Some((part, depth)) = pending.pop() {
        let inner = parts(part);
        weight += inner.len();
        if depth > DEPTH_MAX {
            return Err(too_deep(cx));
        }
        too_large(cx, weight)?;
        pending.extend(inner.iter().map(|part| (part, depth + 1)));
    }
    cx.charge(weight)?;
    Ok(key)
}

fn too_deep(cx: &mut Context) -> Fault {
    cx.raise(TypeId::RECURSION_ERROR, "maximum recursion depth exceeded")
}

fn too_large(cx: &mut Context, parts: usize) -> Eval<()> {
    let bytes = parts.saturating_mul(size_of::<Key>());
    if bytes > cx.limits.value_bytes_max { cx.check_size(bytes) } else { Ok(()) }
}

/// `parts` counts what the key is made of so far.
fn key_at(cx: &mut Context, value: &Value, depth: usize, parts: &mut usize) -> Eval<Key> {
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
        return Err(too_deep(cx));
    }
    match cx.heap.get(id) {
        Object::Tuple(items) => {
            let items = items.to_vec();
            Ok(Key::Tuple(keys(cx, &items, depth, parts)?.into()))
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
            let mut shape = vec![Key::Int(length as i64)];
            if length > 0 {
                shape.push(Key::Int(range.start));
            }
            if length > 1 {
                shape.push(Key::Int(range.step));
            }
            Ok(Key::Record(TypeId::RANGE, shape.into()))
        }
        Object::Method { receiver, name } => {
            let (receiver, name) = (receiver.clone(), name.clone());
            let receiver = identity_key(cx, &receiver, depth, parts)?;
            Ok(Key::Record(TypeId::BUILTIN_FUNCTION, [receiver, Key::Str(name)].into()))
        }
        Object::Bound { receiver, function } => {
            let (receiver, function) = (receiver.clone(), function.clone());
            let both = [identity_key(cx, &receiver, depth, parts)?, identity_key(cx, &function, depth, parts)?];
            Ok(Key::Record(TypeId::METHOD, both.into()))
        }
        Object::Instance(instance) => {
            let class = instance.class;
            if customises(cx, value, &["__eq__", "__hash__"]) {
                return Ok(Key::Custom(id));
            }
            if let Some(plain) = enum_plain(cx, value) {
                return key_at(cx, &plain, depth, parts);
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
                    Ok(Key::Record(class, keys(cx, &items, depth, parts)?.into()))
                }
                Some(_) => Err(unhashable(cx, value)),
            }
        }
        Object::Exception(_) if customises(cx, value, &["__eq__", "__hash__"]) => Ok(Key::Custom(id)),
        _ => Ok(Key::Identity(id)),
    }
}

fn keys(cx: &mut Context, items: &[Value], depth: usize, parts: &mut usize) -> Eval<Vec<Key>> {
    cx.charge(items.len())?;
    *parts += items.len();
    too_large(cx, *parts)?;
    items.iter().map(|item| key_at(cx, item, depth + 1, parts)).collect()
}

fn identity_key(cx: &mut Context, value: &Value, depth: usize, parts: &mut usize) -> Eval<Key> {
    match value {
        Value::Ref(id) => Ok(Key::Identity(*id)),
        other => key_at(cx, other, depth + 1, parts),
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
