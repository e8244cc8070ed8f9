//! `copy.copy` and `copy.deepcopy`.

use rustc_hash::FxHashMap;

use crate::context::{Context, Eval, Fault};
use crate::heap::{Dict, Exception, Id, Instance, Object, Set};
use crate::python::{Args, Functions, compare};
use crate::types::TypeId;
use crate::value::Value;

pub const FUNCTIONS: Functions = &[("copy.copy", copy), ("copy.deepcopy", deep_copy)];

fn copy(cx: &mut Context, args: Args<'_>) -> Eval {
    let [value] = args.bind(cx, "copy", ["x"], 1)?;
    let value = value.unwrap_or_default();
    let Value::Ref(id) = value else { return Ok(value) };
    refuse_custom(cx, &value, "__copy__")?;
    let size = shallow_size(cx.heap.get(id));
    cx.check_size(size.saturating_mul(16))?;
    let copy = match cx.heap.get(id) {
        Object::List(list) => Object::list(list.items.clone()),
        Object::Dict(dict) => Object::Dict(compact(dict)),
        Object::Set(set) if !set.frozen => {
            let mut copy = Set::new(false);
            for (key, value) in set.keyed() {
                copy.insert(key.clone(), value.clone());
            }
            Object::Set(copy)
        }
        Object::Instance(_) if compare::is_enum_member(cx, &value) => return Ok(value),
        Object::Instance(instance) => {
            Object::Instance(Box::new(Instance { class: instance.class, fields: compact(&instance.fields) }))
        }
        Object::Exception(exception) => Object::Exception(Box::new(Exception {
            fields: compact(&exception.fields),
            message: exception.message.clone(),
            notes: exception.notes.clone(),
            ..Exception::new(exception.class, exception.args.clone())
        })),
        _ if is_atomic(cx, id) => return Ok(value),
        _ => return Err(refused(cx, &value)),
    };
    Ok(Value::Ref(cx.heap.add(copy)))
}

fn shallow_size(object: &Object) -> usize {
    match object {
        Object::List(list) => list.items.len(),
        Object::Dict(dict) => dict.len(),
        Object::Set(set) => set.len(),
        _ => 0,
    }
}

fn compact(dict: &Dict) -> Dict {
    let mut copy = Dict::default();
    for (key, name, value) in dict.keyed() {
        copy.insert(key.clone(), name.clone(), value.clone());
    }
    copy
}

/// What is its own copy, since it cannot change.
fn is_atomic(cx: &Context, id: Id) -> bool {
    match cx.heap.get(id) {
        Object::Tuple(_)
        | Object::Range(_)
        | Object::Slice(_)
        | Object::Function(_)
        | Object::Method { .. }
        | Object::Bound { .. } => true,
        Object::Set(set) => set.frozen,
        _ => false,
    }
}

fn refused(cx: &mut Context, value: &Value) -> Fault {
    let kind = cx.type_of(value);
    if matches!(kind, TypeId::ITERATOR | TypeId::ENUMERATE | TypeId::ZIP | TypeId::MAP | TypeId::FILTER) {
        return cx.raise(TypeId::UNSUPPORTED, "copying an iterator");
    }
    let text = format!("cannot pickle '{}' object", cx.type_name(value));
    cx.type_error(text)
}

fn refuse_custom(cx: &Context, value: &Value, method: &str) -> Eval<()> {
    const STATE: &[&str] =
        &["__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__new__", "__getnewargs__"];
    match compare::customises(cx, value, STATE) || compare::customises(cx, value, &[method]) {
        true => Err(Fault::Worker),
        false => Ok(()),
    }
}

fn deep_copy(cx: &mut Context, args: Args<'_>) -> Eval {
    let [value, memo] = args.bind(cx, "deepcopy", ["x", "memo"], 1)?;
    if memo.is_some_and(|memo| !memo.is_none()) {
        return Err(cx.raise(TypeId::UNSUPPORTED, "deepcopy() with a memo"));
    }
    deep(cx, &value.unwrap_or_default(), &mut Memo::default(), 0)
}

/// Copies of objects by the original.
type Memo = FxHashMap<Id, Value>;

fn deep(cx: &mut Context, value: &Value, memo: &mut Memo, depth: usize) -> Eval {
    let Value::Ref(id) = value else { return Ok(value.clone()) };
    let id = *id;
    if let Some(copy) = memo.get(&id) {
        return Ok(copy.clone());
    }
    if depth > compare::DEPTH_MAX {
        return Err(cx.raise(TypeId::RECURSION_ERROR, "maximum recursion depth exceeded"));
    }
    cx.charge(1)?;
    refuse_custom(cx, value, "__deepcopy__")?;
    match cx.heap.get(id) {
        Object::List(list) => {
            let items = list.items.clone();
            let copy = remember(cx, memo, id, Object::list(Vec::new()));
            let items = deep_all(cx, &items, memo, depth)?;
            if let Object::List(list) = cx.heap.get_mut(copy) {
                list.items = items;
            }
            Ok(Value::Ref(copy))
        }
        Object::Tuple(items) => {
            let items = items.to_vec();
            let copies = deep_all(cx, &items, memo, depth)?;
            // A cycle through the tuple has copied it meanwhile.
            if let Some(copy) = memo.get(&id) {
                return Ok(copy.clone());
            }
            if items.iter().zip(&copies).all(|(item, copy)| compare::is(item, copy)) {
                return Ok(value.clone());
            }
            Ok(Value::Ref(remember(cx, memo, id, Object::Tuple(copies.into()))))
        }
        Object::Dict(dict) => {
            let entries = entries_of(dict);
            let copy = remember(cx, memo, id, Object::Dict(Dict::default()));
            let copied = deep_dict(cx, entries, memo, depth)?;
            if let Object::Dict(dict) = cx.heap.get_mut(copy) {
                *dict = copied;
            }
            Ok(Value::Ref(copy))
        }
        Object::Set(set) => {
            let (items, frozen): (Vec<Value>, bool) = (set.iter().cloned().collect(), set.frozen);
            let mut copied = Set::new(frozen);
            for item in deep_all(cx, &items, memo, depth)? {
                let key = compare::key_of(cx, &item)?;
                copied.insert(key, item);
            }
            Ok(Value::Ref(remember(cx, memo, id, Object::Set(copied))))
        }
        Object::Instance(_) if compare::is_enum_member(cx, value) => Ok(value.clone()),
        Object::Instance(instance) => {
            let (class, entries) = (instance.class, entries_of(&instance.fields));
            let empty = Instance { class, fields: Dict::default() };
            let copy = remember(cx, memo, id, Object::Instance(Box::new(empty)));
            let copied = deep_dict(cx, entries, memo, depth)?;
            if let Object::Instance(instance) = cx.heap.get_mut(copy) {
                instance.fields = copied;
            }
            Ok(Value::Ref(copy))
        }
        Object::Exception(exception) => {
            let (args, entries) = (exception.args.clone(), entries_of(&exception.fields));
            let empty = Exception {
                message: exception.message.clone(),
                notes: exception.notes.clone(),
                ..Exception::new(exception.class, Vec::new())
            };
            let copy = remember(cx, memo, id, Object::Exception(Box::new(empty)));
            let (args, fields) = (deep_all(cx, &args, memo, depth)?, deep_dict(cx, entries, memo, depth)?);
            if let Object::Exception(exception) = cx.heap.get_mut(copy) {
                (exception.args, exception.fields) = (args, fields);
            }
            Ok(Value::Ref(copy))
        }
        _ if is_atomic(cx, id) => Ok(value.clone()),
        _ => Err(refused(cx, value)),
    }
}

fn remember(cx: &mut Context, memo: &mut Memo, original: Id, copy: Object) -> Id {
    let copy = cx.heap.add(copy);
    memo.insert(original, Value::Ref(copy));
    copy
}

fn deep_all(cx: &mut Context, items: &[Value], memo: &mut Memo, depth: usize) -> Eval<Vec<Value>> {
    items.iter().map(|item| deep(cx, item, memo, depth + 1)).collect()
}

fn entries_of(dict: &Dict) -> Vec<(Value, Value)> {
    dict.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn deep_dict(cx: &mut Context, entries: Vec<(Value, Value)>, memo: &mut Memo, depth: usize) -> Eval<Dict> {
    let mut copied = Dict::default();
    for (name, value) in entries {
        let name = deep(cx, &name, memo, depth + 1)?;
        let value = deep(cx, &value, memo, depth + 1)?;
        let key = compare::key_of(cx, &name)?;
        copied.insert(key, name, value);
    }
    Ok(copied)
}

/// `copy.copy` of a value, for natives.
pub fn shallow(cx: &mut Context, value: &Value) -> Eval {
    copy(cx, Args { positional: std::slice::from_ref(value), keyword: &[] })
}

/// `copy.deepcopy` of a value, for natives.
pub fn deeply(cx: &mut Context, value: &Value) -> Eval {
    deep(cx, value, &mut Memo::default(), 0)
}
