//! Operators on sequences, sets, views and dicts.

use num_traits::ToPrimitive;
use waymark_ir::BinaryOp;

use crate::context::{Context, Eval, Fault};
use crate::heap::{Dict, Id, Key, Object, Set};
use crate::python::operators::{SetLike, is_set_like};
use crate::python::{compare, iterate, number};
use crate::types::TypeId;
use crate::value::Value;

/// What one item of a container counts for in size limits.
const ITEM_BYTES: usize = 16;

/// `None`: the operator is not defined for these types.
pub fn binary(cx: &mut Context, op: BinaryOp, left: &Value, right: &Value) -> Eval<Option<Value>> {
    match op {
        BinaryOp::Add => concatenate(cx, left, right),
        BinaryOp::Multiply if is_sequence(cx, left) => repeat(cx, left, right),
        BinaryOp::Multiply if is_sequence(cx, right) => repeat(cx, right, left),
        BinaryOp::BitOr | BinaryOp::BitAnd | BinaryOp::BitXor | BinaryOp::Subtract => {
            if compare::has_custom_keys(cx, left) || compare::has_custom_keys(cx, right) {
                return Err(Fault::Worker);
            }
            if let (Some(a), Some(b)) = (dict_of(cx, left), dict_of(cx, right)) {
                return if op == BinaryOp::BitOr { merge(cx, a, b).map(Some) } else { Ok(None) };
            }
            match (is_set_like(cx, left), is_set_like(cx, right)) {
                (SetLike::No, SetLike::No) | (SetLike::Set, SetLike::No) | (SetLike::No, SetLike::Set) => Ok(None),
                kinds => sets(cx, op, left, right, kinds.0 == SetLike::Set && kinds.1 == SetLike::Set).map(Some),
            }
        }
        _ => Ok(None),
    }
}

/// Changes the container itself. `None`: there is no such way for it.
pub fn in_place(cx: &mut Context, op: BinaryOp, id: Id, value: &Value) -> Eval<Option<()>> {
    if compare::has_custom_keys(cx, &Value::Ref(id)) || (op != BinaryOp::Add && compare::has_custom_keys(cx, value)) {
        return Err(Fault::Worker);
    }
    match (cx.heap.get(id), op) {
        (Object::List(_), BinaryOp::Add) => {
            let mut items = iterate::collect(cx, value)?;
            let Object::List(list) = cx.heap.get(id) else { return Ok(None) };
            cx.check_size((list.items.len() + items.len()) * ITEM_BYTES)?;
            cx.mutations += 1;
            if let Object::List(list) = cx.heap.get_mut(id) {
                list.items.append(&mut items);
            }
            Ok(Some(()))
        }
        (Object::List(list), BinaryOp::Multiply) => {
            let length = list.items.len();
            let Some(count) = repeat_count(cx, value)? else { return Ok(None) };
            cx.check_size(length.saturating_mul(count).saturating_mul(ITEM_BYTES))?;
            cx.mutations += 1;
            if let Object::List(list) = cx.heap.get_mut(id) {
                list.items = repeated(&list.items, count);
            }
            Ok(Some(()))
        }
        (Object::Dict(_), BinaryOp::BitOr) => {
            let entries = pairs(cx, value)?;
            cx.mutations += 1;
            if let Object::Dict(dict) = cx.heap.get_mut(id) {
                for (key, name, value) in entries {
                    dict.insert(key, name, value);
                }
            }
            Ok(Some(()))
        }
        (
            Object::Set(Set { frozen: false, .. }),
            BinaryOp::BitOr | BinaryOp::BitAnd | BinaryOp::BitXor | BinaryOp::Subtract,
        ) if is_set_like(cx, value) == SetLike::Set => {
            let left = members(cx, &Value::Ref(id))?;
            let right = members(cx, value)?;
            let result = combine(op, left, right, false);
            cx.mutations += 1;
            if let Object::Set(set) = cx.heap.get_mut(id) {
                *set = result;
            }
            Ok(Some(()))
        }
        _ => Ok(None),
    }
}

pub fn is_sequence(cx: &Context, value: &Value) -> bool {
    matches!(cx.type_of(value), TypeId::STR | TypeId::BYTES | TypeId::LIST | TypeId::TUPLE)
}

fn dict_of(cx: &Context, value: &Value) -> Option<Id> {
    value.reference().filter(|id| matches!(cx.heap.get(*id), Object::Dict(_)))
}

fn concatenate(cx: &mut Context, left: &Value, right: &Value) -> Eval<Option<Value>> {
    match (left, right) {
        (Value::Bytes(a), Value::Bytes(b)) => {
            cx.check_size(a.len() + b.len())?;
            Ok(Some(Value::bytes([&**a, &**b].concat())))
        }
        (Value::Ref(a), Value::Ref(b)) => {
            let (length, is_list) = match (cx.heap.get(*a), cx.heap.get(*b)) {
                (Object::List(a), Object::List(b)) => (a.items.len() + b.items.len(), true),
                (Object::Tuple(a), Object::Tuple(b)) => (a.len() + b.len(), false),
                _ => return Ok(None),
            };
            cx.check_size(length.saturating_mul(ITEM_BYTES))?;
            let mut items = Vec::with_capacity(length);
            for id in [a, b] {
                match cx.heap.get(*id) {
                    Object::List(list) => items.extend_from_slice(&list.items),
                    Object::Tuple(tuple) => items.extend_from_slice(tuple),
                    _ => {}
                }
            }
            Ok(Some(if is_list { cx.list(items) } else { cx.tuple(items) }))
        }
        _ => Ok(None),
    }
}

/// How often to repeat a sequence; negative counts are none. `None`: the value is no integer.
fn repeat_count(cx: &mut Context, value: &Value) -> Eval<Option<usize>> {
    let Some(count) = number::as_integer(value) else { return Ok(None) };
    match count.to_i64() {
        Some(count) => Ok(Some(usize::try_from(count).unwrap_or(0))),
        None => Err(cx.raise(TypeId::OVERFLOW_ERROR, "cannot fit 'int' into an index-sized integer")),
    }
}

fn repeat(cx: &mut Context, sequence: &Value, times: &Value) -> Eval<Option<Value>> {
    let Some(count) = repeat_count(cx, times)? else { return Ok(None) };
    match sequence {
        Value::Str(text) => {
            cx.check_size(text.len().saturating_mul(count))?;
            // An empty text is free to repeat, but not `count` times.
            let count = if text.is_empty() { 0 } else { count };
            Ok(Some(Value::from(text.repeat(count))))
        }
        Value::Bytes(bytes) => {
            cx.check_size(bytes.len().saturating_mul(count))?;
            let count = if bytes.is_empty() { 0 } else { count };
            Ok(Some(Value::bytes(bytes.repeat(count))))
        }
        Value::Ref(id) => {
            let (items, is_list) = match cx.heap.get(*id) {
                Object::List(list) => (list.items.clone(), true),
                Object::Tuple(tuple) => (tuple.to_vec(), false),
                _ => return Ok(None),
            };
            cx.check_size(items.len().saturating_mul(count).saturating_mul(ITEM_BYTES))?;
            let items = repeated(&items, count);
            Ok(Some(if is_list { cx.list(items) } else { cx.tuple(items) }))
        }
        _ => Ok(None),
    }
}

fn repeated(items: &[Value], count: usize) -> Vec<Value> {
    let length = items.len().saturating_mul(count);
    items.iter().cycle().take(length).cloned().collect()
}

fn merge(cx: &mut Context, left: Id, right: Id) -> Eval {
    let (Object::Dict(a), Object::Dict(b)) = (cx.heap.get(left), cx.heap.get(right)) else {
        return Ok(Value::None);
    };
    let (mut merged, other) = (a.clone(), b.clone());
    cx.check_size((merged.len() + other.len()) * ITEM_BYTES)?;
    for (key, name, value) in other.keyed() {
        merged.insert(key.clone(), name.clone(), value.clone());
    }
    Ok(Value::Ref(cx.heap.add(Object::Dict(merged))))
}

/// The entries that `dict.update(source)` would write.
fn pairs(cx: &mut Context, source: &Value) -> Eval<Vec<(Key, Value, Value)>> {
    let copy = |dict: &Dict| dict.keyed().map(|(k, n, v)| (k.clone(), n.clone(), v.clone())).collect::<Vec<_>>();
    if let Some(id) = dict_of(cx, source)
        && let Object::Dict(dict) = cx.heap.get(id)
    {
        let entries = copy(dict);
        cx.charge(entries.len())?;
        return Ok(entries);
    }
    if number::defines(cx, source, &["keys"]) {
        return Err(Fault::Worker);
    }
    let mut entries = Vec::new();
    for (at, item) in iterate::collect(cx, source)?.into_iter().enumerate() {
        let is_iterable = matches!(item, Value::Ref(_) | Value::Str(_) | Value::Bytes(_));
        let parts = if is_iterable { iterate::collect(cx, &item)? } else { Vec::new() };
        if !is_iterable {
            let text = format!("cannot convert dictionary update sequence element #{at} to a sequence");
            return Err(cx.type_error(text));
        }
        let [name, value] = &parts[..] else {
            let length = parts.len();
            let text = format!("dictionary update sequence element #{at} has length {length}; 2 is required");
            return Err(cx.value_error(text));
        };
        entries.push((compare::key_of(cx, name)?, name.clone(), value.clone()));
    }
    Ok(entries)
}

type Members = Vec<(Key, Value)>;

/// Members with their keys, of a set or of any iterable.
fn members(cx: &mut Context, value: &Value) -> Eval<Members> {
    if let Value::Ref(id) = value
        && let Object::Set(set) = cx.heap.get(*id)
    {
        let members: Members = set.keyed().map(|(key, value)| (key.clone(), value.clone())).collect();
        cx.charge(members.len())?;
        return Ok(members);
    }
    let items = iterate::collect(cx, value)?;
    items.into_iter().map(|item| Ok((compare::key_of(cx, &item)?, item))).collect()
}

fn sets(cx: &mut Context, op: BinaryOp, left: &Value, right: &Value, both_sets: bool) -> Eval {
    // Between two sets the left one says whether the result is frozen; with a view it is an ordinary set.
    let frozen = both_sets && cx.type_of(left) == TypeId::FROZENSET;
    let (left, right) = (members(cx, left)?, members(cx, right)?);
    cx.check_size((left.len() + right.len()) * ITEM_BYTES)?;
    let result = combine(op, left, right, frozen);
    Ok(Value::Ref(cx.heap.add(Object::Set(result))))
}

fn combine(op: BinaryOp, left: Members, right: Members, frozen: bool) -> Set {
    let mut result = Set::new(frozen);
    let collect = |members: &Members| {
        let mut set = Set::new(false);
        for (key, value) in members {
            set.insert(key.clone(), value.clone());
        }
        set
    };
    match op {
        BinaryOp::BitOr => {
            for (key, value) in left.into_iter().chain(right) {
                result.insert(key, value);
            }
        }
        BinaryOp::BitXor => {
            let (a, b) = (collect(&left), collect(&right));
            let only_left = left.into_iter().filter(|(key, _)| !b.contains(key));
            for (key, value) in only_left.chain(right.into_iter().filter(|(key, _)| !a.contains(key))) {
                result.insert(key, value);
            }
        }
        _ => {
            let keep = op == BinaryOp::BitAnd;
            let other = collect(&right);
            for (key, value) in left.into_iter().filter(|(key, _)| other.contains(key) == keep) {
                result.insert(key, value);
            }
        }
    }
    result
}
