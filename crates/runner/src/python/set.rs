//! Methods of `set` and `frozenset`, and what their operators are made of.

use crate::context::{Context, Eval, Fault};
use crate::heap::{Id, Key, Object, Set};
use crate::python::{Args, Functions, Methods, arguments, compare, iterate};
use crate::types::TypeId;
use crate::value::Value;

pub const METHODS: Methods = &[
    ("add", add),
    ("clear", clear),
    ("copy", copy),
    ("difference", difference_method),
    ("difference_update", difference_update),
    ("discard", discard),
    ("intersection", intersection_method),
    ("intersection_update", intersection_update),
    ("isdisjoint", is_disjoint),
    ("issubset", is_subset),
    ("issuperset", is_superset),
    ("pop", pop),
    ("remove", remove),
    ("symmetric_difference", symmetric_difference_method),
    ("symmetric_difference_update", symmetric_difference_update),
    ("union", union_method),
    ("update", update),
];
pub const FROZEN_METHODS: Methods = &[
    ("copy", copy),
    ("difference", difference_method),
    ("intersection", intersection_method),
    ("isdisjoint", is_disjoint),
    ("issubset", is_subset),
    ("issuperset", is_superset),
    ("symmetric_difference", symmetric_difference_method),
    ("union", union_method),
];
pub const FUNCTIONS: Functions = &[];

fn receiver(cx: &mut Context, set: &Value) -> Eval<Id> {
    if let Value::Ref(id) = set
        && matches!(cx.heap.get(*id), Object::Set(_))
    {
        return Ok(*id);
    }
    let text = format!("descriptor requires a 'set' object but received a '{}'", cx.type_name(set));
    Err(cx.type_error(text))
}

fn get(cx: &Context, id: Id) -> Option<&Set> {
    match cx.heap.get(id) {
        Object::Set(set) => Some(set),
        _ => None,
    }
}

fn change<T>(cx: &mut Context, id: Id, change: impl FnOnce(&mut Set) -> T) -> Option<T> {
    cx.mutations += 1;
    match cx.heap.get_mut(id) {
        Object::Set(set) => Some(change(set)),
        _ => None,
    }
}

/// Puts a set on the heap.
pub fn made(cx: &mut Context, set: Set) -> Value {
    Value::Ref(cx.heap.add(Object::Set(set)))
}

/// A set of these items.
pub fn of_items(cx: &mut Context, items: &[Value], frozen: bool) -> Eval<Set> {
    let mut set = Set::new(frozen);
    for (key, value) in keyed(cx, items)? {
        set.insert(key, value);
    }
    Ok(set)
}

type Member = (Key, Value);

fn keyed(cx: &mut Context, items: &[Value]) -> Eval<Vec<Member>> {
    cx.charge(items.len())?;
    items.iter().map(|item| Ok((compare::key_of(cx, item)?, item.clone()))).collect()
}

/// The members of a set or the items of any other iterable, with their keys.
fn members(cx: &mut Context, iterable: &Value) -> Eval<Vec<Member>> {
    if let Value::Ref(id) = iterable
        && let Some(set) = get(cx, *id)
    {
        let members: Vec<Member> = set.keyed().map(|(key, value)| (key.clone(), value.clone())).collect();
        cx.charge(members.len())?;
        return Ok(members);
    }
    let items = iterate::collect(cx, iterable)?;
    keyed(cx, &items)
}

/// A copy, without the holes of removed members.
fn copied(cx: &mut Context, set: &Value) -> Eval<Set> {
    let id = receiver(cx, set)?;
    let frozen = get(cx, id).is_some_and(|set| set.frozen);
    let mut copy = Set::new(frozen);
    let members = members(cx, set)?;
    cx.check_size(members.len().saturating_mul(16))?;
    for (key, value) in members {
        copy.insert(key, value);
    }
    Ok(copy)
}

/// `left | right`, of the kind of `left`, which is a set or frozenset.
pub fn union(cx: &mut Context, left: &Value, right: &[Value]) -> Eval<Set> {
    let mut result = copied(cx, left)?;
    for (key, value) in keyed(cx, right)? {
        result.insert(key, value);
    }
    Ok(result)
}

/// `left & right`
pub fn intersection(cx: &mut Context, left: &Value, right: &[Value]) -> Eval<Set> {
    let left = copied(cx, left)?;
    let mut other = Set::new(false);
    for (key, value) in keyed(cx, right)? {
        other.insert(key, value);
    }
    let mut result = Set::new(left.frozen);
    for (key, value) in left.keyed().filter(|(key, _)| other.contains(key)) {
        result.insert(key.clone(), value.clone());
    }
    Ok(result)
}

/// `left - right`
pub fn difference(cx: &mut Context, left: &Value, right: &[Value]) -> Eval<Set> {
    let mut result = copied(cx, left)?;
    for (key, _) in keyed(cx, right)? {
        result.remove(&key);
    }
    Ok(result)
}

/// `left ^ right`
pub fn symmetric_difference(cx: &mut Context, left: &Value, right: &[Value]) -> Eval<Set> {
    let mut result = copied(cx, left)?;
    let other = of_items(cx, right, false)?;
    for (key, value) in other.keyed() {
        if !result.remove(key) {
            result.insert(key.clone(), value.clone());
        }
    }
    Ok(result)
}

/// Gives a set other members, as one change.
pub fn replace(cx: &mut Context, set: &Value, members: Set) -> Eval<()> {
    let id = receiver(cx, set)?;
    change(cx, id, |set| {
        let frozen = set.frozen;
        *set = members;
        set.frozen = frozen;
    });
    Ok(())
}

fn name(cx: &Context, set: &Value, method: &str) -> String {
    format!("{}.{method}", cx.type_name(set))
}

fn add(cx: &mut Context, set: &Value, args: Args<'_>) -> Eval {
    let value = arguments::one(cx, "set.add", args)?;
    let id = receiver(cx, set)?;
    let key = compare::key_of(cx, value)?;
    let length = get(cx, id).map_or(0, Set::len);
    arguments::check_growth(cx, length, 1)?;
    change(cx, id, |set| set.insert(key, value.clone()));
    Ok(Value::None)
}

fn clear(cx: &mut Context, set: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, "set.clear", args)?;
    let id = receiver(cx, set)?;
    change(cx, id, Set::clear);
    Ok(Value::None)
}

fn copy(cx: &mut Context, set: &Value, args: Args<'_>) -> Eval {
    let function = name(cx, set, "copy");
    arguments::none(cx, &function, args)?;
    let id = receiver(cx, set)?;
    if get(cx, id).is_some_and(|set| set.frozen) {
        return Ok(set.clone());
    }
    let copy = copied(cx, set)?;
    Ok(made(cx, copy))
}

fn discard(cx: &mut Context, set: &Value, args: Args<'_>) -> Eval {
    let value = arguments::one(cx, "set.discard", args)?;
    let id = receiver(cx, set)?;
    let key = compare::member_key(cx, value)?;
    change(cx, id, |set| set.remove(&key));
    Ok(Value::None)
}

fn remove(cx: &mut Context, set: &Value, args: Args<'_>) -> Eval {
    let value = arguments::one(cx, "set.remove", args)?;
    let id = receiver(cx, set)?;
    let key = compare::member_key(cx, value)?;
    if !get(cx, id).is_some_and(|set| set.contains(&key)) {
        return Err(cx.raise_with(TypeId::KEY_ERROR, vec![value.clone()]));
    }
    change(cx, id, |set| set.remove(&key));
    Ok(Value::None)
}

fn pop(cx: &mut Context, set: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, "set.pop", args)?;
    let id = receiver(cx, set)?;
    if get(cx, id).is_none_or(Set::is_empty) {
        return Err(cx.raise(TypeId::KEY_ERROR, "pop from an empty set"));
    }
    Ok(change(cx, id, Set::pop_first).flatten().unwrap_or_default())
}

/// Folds an operator over any number of iterables.
fn fold(cx: &mut Context, set: &Value, args: Args<'_>, method: &str, step: fn(&mut Set, Vec<Member>)) -> Eval<Set> {
    let function = name(cx, set, method);
    arguments::no_keywords(cx, &function, args)?;
    let mut result = copied(cx, set)?;
    for other in args.positional {
        let others = members(cx, other)?;
        step(&mut result, others);
        cx.check_size(result.len().saturating_mul(16))?;
    }
    Ok(result)
}

fn add_all(set: &mut Set, others: Vec<Member>) {
    for (key, value) in others {
        set.insert(key, value);
    }
}

fn remove_all(set: &mut Set, others: Vec<Member>) {
    for (key, _) in others {
        set.remove(&key);
    }
}

fn keep_all(set: &mut Set, others: Vec<Member>) {
    let mut wanted = Set::new(false);
    add_all(&mut wanted, others);
    let mut kept = Set::new(set.frozen);
    for (key, value) in set.keyed().filter(|(key, _)| wanted.contains(key)) {
        kept.insert(key.clone(), value.clone());
    }
    *set = kept;
}

fn union_method(cx: &mut Context, set: &Value, args: Args<'_>) -> Eval {
    let result = fold(cx, set, args, "union", add_all)?;
    Ok(made(cx, result))
}

fn difference_method(cx: &mut Context, set: &Value, args: Args<'_>) -> Eval {
    let result = fold(cx, set, args, "difference", remove_all)?;
    Ok(made(cx, result))
}

fn intersection_method(cx: &mut Context, set: &Value, args: Args<'_>) -> Eval {
    let result = fold(cx, set, args, "intersection", keep_all)?;
    Ok(made(cx, result))
}

fn symmetric_difference_method(cx: &mut Context, set: &Value, args: Args<'_>) -> Eval {
    let function = name(cx, set, "symmetric_difference");
    let other = arguments::one(cx, &function, args)?;
    let items = iterate::collect(cx, other)?;
    let result = symmetric_difference(cx, set, &items)?;
    Ok(made(cx, result))
}

/// As in Python, items before the one that raised are in; what goes to a worker must have changed nothing.
fn update(cx: &mut Context, set: &Value, args: Args<'_>) -> Eval {
    arguments::no_keywords(cx, "set.update", args)?;
    let id = receiver(cx, set)?;
    let mut added = Vec::new();
    let outcome = read_members(cx, args.positional, &mut added);
    if matches!(outcome, Err(Fault::Worker)) {
        return Err(Fault::Worker);
    }
    let length = get(cx, id).map_or(0, Set::len);
    arguments::check_growth(cx, length, added.len())?;
    change(cx, id, |set| add_all(set, added));
    outcome.map(|()| Value::None)
}

fn read_members(cx: &mut Context, sources: &[Value], added: &mut Vec<Member>) -> Eval<()> {
    for source in sources {
        let mut walk = iterate::walk(cx, source)?;
        while let Some(item) = walk.next(cx)? {
            added.push((compare::key_of(cx, &item)?, item));
        }
    }
    Ok(())
}

fn difference_update(cx: &mut Context, set: &Value, args: Args<'_>) -> Eval {
    let result = fold(cx, set, args, "difference_update", remove_all)?;
    replace(cx, set, result)?;
    Ok(Value::None)
}

fn intersection_update(cx: &mut Context, set: &Value, args: Args<'_>) -> Eval {
    let result = fold(cx, set, args, "intersection_update", keep_all)?;
    replace(cx, set, result)?;
    Ok(Value::None)
}

fn symmetric_difference_update(cx: &mut Context, set: &Value, args: Args<'_>) -> Eval {
    let other = arguments::one(cx, "set.symmetric_difference_update", args)?;
    let items = iterate::collect(cx, other)?;
    let result = symmetric_difference(cx, set, &items)?;
    replace(cx, set, result)?;
    Ok(Value::None)
}

fn is_disjoint(cx: &mut Context, set: &Value, args: Args<'_>) -> Eval {
    let function = name(cx, set, "isdisjoint");
    let other = arguments::one(cx, &function, args)?;
    let id = receiver(cx, set)?;
    let mut walk = iterate::walk(cx, other)?;
    while let Some(item) = walk.next(cx)? {
        let key = compare::key_of(cx, &item)?;
        if get(cx, id).is_some_and(|set| set.contains(&key)) {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

fn is_subset(cx: &mut Context, set: &Value, args: Args<'_>) -> Eval {
    let function = name(cx, set, "issubset");
    let other = arguments::one(cx, &function, args)?;
    let id = receiver(cx, set)?;
    let mut whole = Set::new(false);
    add_all(&mut whole, members(cx, other)?);
    Ok(Value::Bool(get(cx, id).is_some_and(|set| set.keyed().all(|(key, _)| whole.contains(key)))))
}

fn is_superset(cx: &mut Context, set: &Value, args: Args<'_>) -> Eval {
    let function = name(cx, set, "issuperset");
    let other = arguments::one(cx, &function, args)?;
    let id = receiver(cx, set)?;
    let mut walk = iterate::walk(cx, other)?;
    while let Some(item) = walk.next(cx)? {
        let key = compare::key_of(cx, &item)?;
        if !get(cx, id).is_some_and(|set| set.contains(&key)) {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}
