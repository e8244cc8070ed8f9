//! What calling `list`, `str`, `bytes`, … does.

use std::sync::Arc;

use crate::context::{Context, Eval, Fault};
use crate::heap::{Dict, Instance, Object, Set};
use crate::python::{Args, Methods, arguments, compare, iterate, repr, set as sets};
use crate::types::TypeId;
use crate::value::Value;

pub fn object(cx: &mut Context, args: Args<'_>) -> Eval {
    if !args.positional.is_empty() || !args.keyword.is_empty() {
        return Err(cx.type_error("object() takes no arguments"));
    }
    let instance = Instance { class: TypeId::OBJECT, fields: Dict::default() };
    Ok(Value::Ref(cx.heap.add(Object::Instance(Box::new(instance)))))
}

pub fn bool(cx: &mut Context, args: Args<'_>) -> Eval {
    match arguments::several(cx, "bool", args, 0, 1)? {
        [value] => Ok(Value::Bool(compare::truth(cx, value)?)),
        _ => Ok(Value::Bool(false)),
    }
}

pub fn list(cx: &mut Context, args: Args<'_>) -> Eval {
    let items = items(cx, "list", args)?;
    Ok(cx.list(items))
}

pub fn tuple(cx: &mut Context, args: Args<'_>) -> Eval {
    if let ([same @ Value::Ref(id)], []) = (args.positional, args.keyword)
        && matches!(cx.heap.get(*id), Object::Tuple(_))
    {
        return Ok(same.clone());
    }
    let items = items(cx, "tuple", args)?;
    Ok(cx.tuple(items))
}

pub fn set(cx: &mut Context, args: Args<'_>) -> Eval {
    let items = items(cx, "set", args)?;
    let set = sets::of_items(cx, &items, false)?;
    Ok(sets::made(cx, set))
}

pub fn frozenset(cx: &mut Context, args: Args<'_>) -> Eval {
    if let ([same @ Value::Ref(id)], []) = (args.positional, args.keyword)
        && matches!(cx.heap.get(*id), Object::Set(Set { frozen: true, .. }))
    {
        return Ok(same.clone());
    }
    let items = items(cx, "frozenset", args)?;
    let set = sets::of_items(cx, &items, true)?;
    Ok(sets::made(cx, set))
}

fn items(cx: &mut Context, function: &str, args: Args<'_>) -> Eval<Vec<Value>> {
    match arguments::several(cx, function, args, 0, 1)? {
        [iterable] => iterate::collect(cx, iterable),
        _ => Ok(Vec::new()),
    }
}

pub fn slice(cx: &mut Context, args: Args<'_>) -> Eval {
    let parts = match arguments::several(cx, "slice", args, 1, 3)? {
        [stop] => [Value::None, stop.clone(), Value::None],
        [start, stop] => [start.clone(), stop.clone(), Value::None],
        several => [0, 1, 2].map(|at: usize| several.get(at).cloned().unwrap_or(Value::None)),
    };
    Ok(Value::Ref(cx.heap.add(Object::Slice(Box::new(parts)))))
}

pub fn str(cx: &mut Context, args: Args<'_>) -> Eval {
    let [object, encoding, errors] = arguments::named(cx, "str", args, ["object", "encoding", "errors"], 0)?;
    check_text(cx, "str", "encoding", &encoding)?;
    check_text(cx, "str", "errors", &errors)?;
    let Some(object) = object else { return Ok(Value::from("")) };
    if encoding.is_none() && errors.is_none() {
        return match object {
            Value::Str(_) => Ok(object),
            _ => Ok(Value::from(repr::display(cx, &object)?)),
        };
    }
    match object {
        Value::Bytes(_) => by_method(cx, crate::python::bytes::METHODS, "decode", &object, encoding, errors),
        Value::Str(_) => Err(cx.type_error("decoding str is not supported")),
        _ => {
            let text = format!("decoding to str: need a bytes-like object, {} found", cx.type_name(&object));
            Err(cx.type_error(text))
        }
    }
}

fn check_text(cx: &mut Context, function: &str, name: &str, value: &Option<Value>) -> Eval<()> {
    match value {
        None | Some(Value::Str(_)) => Ok(()),
        Some(other) => {
            let text = format!("{function}() argument '{name}' must be str, not {}", cx.type_name(other));
            Err(cx.type_error(text))
        }
    }
}

/// `bytes.decode` or `str.encode`, which know the codecs.
fn by_method(
    cx: &mut Context,
    methods: Methods,
    name: &str,
    receiver: &Value,
    encoding: Option<Value>,
    errors: Option<Value>,
) -> Eval {
    let Some((_, method)) = methods.iter().find(|(known, _)| *known == name) else {
        return Err(cx.raise(TypeId::UNSUPPORTED, format!("no {name}() here")));
    };
    let given = [("encoding", encoding), ("errors", errors)];
    let keyword: Vec<(Arc<str>, Value)> =
        given.into_iter().filter_map(|(name, value)| value.map(|value| (name.into(), value))).collect();
    method(cx, receiver, Args { positional: &[], keyword: &keyword })
}

pub fn bytes(cx: &mut Context, args: Args<'_>) -> Eval {
    let [source, encoding, errors] = arguments::named(cx, "bytes", args, ["source", "encoding", "errors"], 0)?;
    check_text(cx, "bytes", "encoding", &encoding)?;
    check_text(cx, "bytes", "errors", &errors)?;
    let Some(source) = source else {
        return match (encoding, errors) {
            (None, None) => Ok(Value::bytes(Vec::new())),
            (Some(_), _) => Err(cx.type_error("encoding without a string argument")),
            (None, Some(_)) => Err(cx.type_error("errors without a string argument")),
        };
    };
    if let Value::Str(_) = source {
        return match (&encoding, &errors) {
            (None, None) => Err(cx.type_error("string argument without an encoding")),
            (None, Some(_)) => Err(cx.type_error("string argument without an encoding")),
            _ => by_method(cx, crate::python::text::METHODS, "encode", &source, encoding, errors),
        };
    }
    if encoding.is_some() {
        return Err(cx.type_error("encoding without a string argument"));
    }
    if errors.is_some() {
        return Err(cx.type_error("errors without a string argument"));
    }
    if compare::customises(cx, &source, &["__bytes__"]) {
        return Err(Fault::Worker);
    }
    if let Value::Bytes(_) = source {
        return Ok(source);
    }
    if arguments::index(cx, &source)?.is_some() {
        let count = arguments::index_sized(cx, &source, TypeId::OVERFLOW_ERROR)?;
        let Ok(count) = usize::try_from(count) else { return Err(cx.value_error("negative count")) };
        cx.check_size(count)?;
        return Ok(Value::bytes(vec![0; count]));
    }
    let mut walk = match iterate::walk(cx, &source) {
        Ok(walk) => walk,
        Err(Fault::Worker) => return Err(Fault::Worker),
        Err(fault) => {
            if iterate::iter(cx, &source).is_ok() {
                return Err(fault);
            }
            let text = format!("cannot convert '{}' object to bytes", cx.type_name(&source));
            return Err(cx.type_error(text));
        }
    };
    let mut bytes = Vec::new();
    while let Some(item) = walk.next(cx)? {
        let byte = match arguments::integer(cx, &item)? {
            arguments::Index::Small(byte) => u8::try_from(byte).ok(),
            arguments::Index::Huge { .. } => None,
        };
        match byte {
            Some(byte) => bytes.push(byte),
            None => return Err(cx.value_error("bytes must be in range(0, 256)")),
        }
    }
    Ok(Value::bytes(bytes))
}
