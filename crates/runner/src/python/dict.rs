//! Methods of `dict` and of its views.

use crate::context::{Context, Eval, Fault};
use crate::heap::{Dict, Id, Key, Object, ViewKind};
use crate::python::{Args, Functions, Methods, arguments, compare, iterate};
use crate::types::TypeId;
use crate::value::Value;

pub const METHODS: Methods = &[
    ("clear", clear),
    ("copy", copy),
    ("fromkeys", |cx, _, args| from_keys(cx, args)),
    ("get", get),
    ("items", items),
    ("keys", keys),
    ("pop", pop),
    ("popitem", pop_item),
    ("setdefault", set_default),
    ("update", update),
    ("values", values),
];
/// Of `dict_keys` and `dict_items`; `dict_values` has none.
pub const VIEW_METHODS: Methods = &[("isdisjoint", is_disjoint)];
pub const FUNCTIONS: Functions = &[("dict.fromkeys", from_keys)];

fn receiver(cx: &mut Context, dict: &Value) -> Eval<Id> {
    if let Value::Ref(id) = dict
        && matches!(cx.heap.get(*id), Object::Dict(_))
    {
        return Ok(*id);
    }
    let text = format!("descriptor requires a 'dict' object but received a '{}'", cx.type_name(dict));
    Err(cx.type_error(text))
}

fn change<T>(cx: &mut Context, id: Id, change: impl FnOnce(&mut Dict) -> T) -> Option<T> {
    cx.mutations += 1;
    match cx.heap.get_mut(id) {
        Object::Dict(dict) => Some(change(dict)),
        _ => None,
    }
}

/// A copy of the dict behind a value; `None` for anything else.
fn copied(cx: &mut Context, value: &Value) -> Eval<Option<Dict>> {
    let Value::Ref(id) = value else { return Ok(None) };
    let Object::Dict(dict) = cx.heap.get(*id) else { return Ok(None) };
    let size = dict.len();
    cx.check_size(size.saturating_mul(16))?;
    cx.charge(size)?;
    let Object::Dict(dict) = cx.heap.get(*id) else { return Ok(None) };
    // Not a plain clone, which would carry the holes along.
    let mut copy = Dict::default();
    for (key, name, value) in dict.keyed() {
        copy.insert(key.clone(), name.clone(), value.clone());
    }
    Ok(Some(copy))
}

fn made(cx: &mut Context, dict: Dict) -> Value {
    Value::Ref(cx.heap.add(Object::Dict(dict)))
}

fn clear(cx: &mut Context, dict: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, "dict.clear", args)?;
    let id = receiver(cx, dict)?;
    change(cx, id, Dict::clear);
    Ok(Value::None)
}

fn copy(cx: &mut Context, dict: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, "dict.copy", args)?;
    receiver(cx, dict)?;
    let copy = copied(cx, dict)?.unwrap_or_default();
    Ok(made(cx, copy))
}

fn from_keys(cx: &mut Context, args: Args<'_>) -> Eval {
    let given = arguments::several(cx, "dict.fromkeys", args, 1, 2)?;
    let value = given.get(1).cloned().unwrap_or(Value::None);
    let mut dict = Dict::default();
    for name in iterate::collect(cx, &given[0])? {
        let key = compare::key_of(cx, &name)?;
        dict.insert(key, name, value.clone());
    }
    Ok(made(cx, dict))
}

fn get(cx: &mut Context, dict: &Value, args: Args<'_>) -> Eval {
    let given = arguments::several(cx, "dict.get", args, 1, 2)?;
    let id = receiver(cx, dict)?;
    let key = compare::key_of(cx, &given[0])?;
    let found = compare::viewed(cx, id).and_then(|dict| dict.get(&key)).cloned();
    Ok(found.unwrap_or_else(|| given.get(1).cloned().unwrap_or(Value::None)))
}

fn items(cx: &mut Context, dict: &Value, args: Args<'_>) -> Eval {
    view(cx, dict, args, "dict.items", ViewKind::Items)
}

fn keys(cx: &mut Context, dict: &Value, args: Args<'_>) -> Eval {
    view(cx, dict, args, "dict.keys", ViewKind::Keys)
}

fn values(cx: &mut Context, dict: &Value, args: Args<'_>) -> Eval {
    view(cx, dict, args, "dict.values", ViewKind::Values)
}

fn view(cx: &mut Context, dict: &Value, args: Args<'_>, function: &str, kind: ViewKind) -> Eval {
    arguments::none(cx, function, args)?;
    let dict = receiver(cx, dict)?;
    Ok(Value::Ref(cx.heap.add(Object::View { dict, kind })))
}

fn pop(cx: &mut Context, dict: &Value, args: Args<'_>) -> Eval {
    let given = arguments::several(cx, "dict.pop", args, 1, 2)?;
    let id = receiver(cx, dict)?;
    let key = compare::key_of(cx, &given[0])?;
    if compare::viewed(cx, id).is_some_and(|dict| dict.contains(&key)) {
        let removed = change(cx, id, |dict| dict.remove(&key)).flatten();
        return Ok(removed.map(|(_, value)| value).unwrap_or_default());
    }
    match given.get(1) {
        Some(default) => Ok(default.clone()),
        None => Err(cx.raise_with(TypeId::KEY_ERROR, vec![given[0].clone()])),
    }
}

fn pop_item(cx: &mut Context, dict: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, "dict.popitem", args)?;
    let id = receiver(cx, dict)?;
    if compare::viewed(cx, id).is_none_or(Dict::is_empty) {
        return Err(cx.raise(TypeId::KEY_ERROR, "popitem(): dictionary is empty"));
    }
    match change(cx, id, Dict::pop_last).flatten() {
        Some((name, value)) => Ok(cx.tuple(vec![name, value])),
        None => Ok(Value::None),
    }
}

fn set_default(cx: &mut Context, dict: &Value, args: Args<'_>) -> Eval {
    let given = arguments::several(cx, "dict.setdefault", args, 1, 2)?;
    let id = receiver(cx, dict)?;
    let key = compare::key_of(cx, &given[0])?;
    if let Some(found) = compare::viewed(cx, id).and_then(|dict| dict.get(&key)) {
        return Ok(found.clone());
    }
    let value = given.get(1).cloned().unwrap_or(Value::None);
    let length = compare::viewed(cx, id).map_or(0, Dict::len);
    arguments::check_growth(cx, length, 1)?;
    change(cx, id, |dict| dict.insert(key, given[0].clone(), value.clone()));
    Ok(value)
}

fn update(cx: &mut Context, dict: &Value, args: Args<'_>) -> Eval {
    let given = arguments::count(cx, "dict.update", args, 0, 1)?;
    let id = receiver(cx, dict)?;
    let mut entries = Vec::new();
    let mut outcome = Ok(());
    if let [source] = given {
        outcome = read_entries(cx, source, &mut entries);
    }
    if outcome.is_ok() {
        entries.extend(
            args.keyword.iter().map(|(name, value)| (Key::Str(name.clone()), Value::Str(name.clone()), value.clone())),
        );
    }
    // As in Python, pairs before the one that raised are in; what goes to a worker must have changed nothing.
    if matches!(outcome, Err(Fault::Worker)) {
        return Err(Fault::Worker);
    }
    if !entries.is_empty() {
        let length = compare::viewed(cx, id).map_or(0, Dict::len);
        arguments::check_growth(cx, length, entries.len())?;
        change(cx, id, |dict| {
            for (key, name, value) in entries {
                dict.insert(key, name, value);
            }
        });
    }
    outcome.map(|()| Value::None)
}

/// `dict(…)`: a mapping or pairs, and keywords.
pub fn construct(cx: &mut Context, args: Args<'_>) -> Eval {
    let given = arguments::count(cx, "dict", args, 0, 1)?;
    let mut dict = Dict::default();
    if let [source] = given {
        match copied(cx, source)? {
            Some(copy) => dict = copy,
            None => {
                let mut entries = Vec::new();
                read_entries(cx, source, &mut entries)?;
                for (key, name, value) in entries {
                    dict.insert(key, name, value);
                }
            }
        }
    }
    for (name, value) in args.keyword {
        dict.insert(Key::Str(name.clone()), Value::Str(name.clone()), value.clone());
    }
    Ok(made(cx, dict))
}

type Entry = (Key, Value, Value);

/// What `dict(source)` and `dict.update(source)` put in, up to the first that raises.
fn read_entries(cx: &mut Context, source: &Value, entries: &mut Vec<Entry>) -> Eval<()> {
    if let Value::Ref(id) = source {
        if let Object::Dict(dict) = cx.heap.get(*id) {
            entries.extend(dict.keyed().map(|(key, name, value)| (key.clone(), name.clone(), value.clone())));
            return cx.charge(entries.len());
        }
        if compare::customises(cx, source, &["keys"]) {
            return Err(Fault::Worker);
        }
    }
    let mut walk = iterate::walk(cx, source)?;
    let mut at = 0;
    while let Some(element) = walk.next(cx)? {
        let pair = match iterate::collect(cx, &element) {
            Ok(pair) => pair,
            Err(Fault::Worker) => return Err(Fault::Worker),
            Err(fault) => {
                if iterate::iter(cx, &element).is_ok() {
                    return Err(fault);
                }
                let text = format!("cannot convert dictionary update sequence element #{at} to a sequence");
                return Err(cx.type_error(text));
            }
        };
        let Ok([name, value]) = <[Value; 2]>::try_from(pair.clone()) else {
            let length = pair.len();
            let text = format!("dictionary update sequence element #{at} has length {length}; 2 is required");
            return Err(cx.value_error(text));
        };
        let key = compare::key_of(cx, &name)?;
        entries.push((key, name, value));
        at += 1;
    }
    Ok(())
}

/// `left | right` for two dicts.
pub fn merge(cx: &mut Context, left: &Value, right: &Value) -> Eval<Dict> {
    let (Some(mut merged), Some(added)) = (copied(cx, left)?, copied(cx, right)?) else {
        let (left, right) = (cx.type_name(left), cx.type_name(right));
        return Err(cx.type_error(format!("unsupported operand type(s) for |: '{left}' and '{right}'")));
    };
    cx.check_size((merged.len() + added.len()).saturating_mul(16))?;
    for (key, name, value) in added.keyed() {
        merged.insert(key.clone(), name.clone(), value.clone());
    }
    Ok(merged)
}

/// `left |= right`: any mapping or pairs will do.
pub fn merge_in_place(cx: &mut Context, left: &Value, right: &Value) -> Eval<()> {
    update(cx, left, Args { positional: std::slice::from_ref(right), keyword: &[] }).map(drop)
}

fn is_disjoint(cx: &mut Context, view: &Value, args: Args<'_>) -> Eval {
    let function = format!("{}.isdisjoint", cx.type_name(view));
    let other = arguments::one(cx, &function, args)?;
    let mut walk = iterate::walk(cx, other)?;
    while let Some(item) = walk.next(cx)? {
        if compare::contains(cx, view, &item)? {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}
