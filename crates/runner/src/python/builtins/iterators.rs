//! Built-ins that make or advance iterators.

use num_traits::ToPrimitive;

use crate::context::{Context, Eval, Fault};
use crate::heap::{Iterator, Object, Range, ViewKind};
use crate::python::{Args, arguments, compare, iterate};
use crate::types::TypeId;
use crate::value::Value;

pub fn iter(cx: &mut Context, args: Args<'_>) -> Eval {
    let given = arguments::several(cx, "iter", args, 1, 2)?;
    match given {
        [iterable] => iterate::iter(cx, iterable),
        _ => {
            let called = super::callable(cx, Args { positional: &given[..1], keyword: &[] })?;
            if let Value::Bool(false) = called {
                return Err(cx.type_error("iter(v, w): v must be callable"));
            }
            Err(cx.raise(TypeId::UNSUPPORTED, "iter() with a function and a sentinel"))
        }
    }
}

pub fn next(cx: &mut Context, args: Args<'_>) -> Eval {
    let given = arguments::several(cx, "next", args, 1, 2)?;
    match (iterate::next(cx, &given[0])?, given.get(1)) {
        (Some(value), _) => Ok(value),
        (None, Some(default)) => Ok(default.clone()),
        (None, None) => Err(cx.raise_with(TypeId::STOP_ITERATION, vec![])),
    }
}

pub fn enumerate(cx: &mut Context, args: Args<'_>) -> Eval {
    let given = args.positional.len() + args.keyword.len();
    if given > 2 {
        return Err(cx.type_error(format!("enumerate() takes at most 2 arguments ({given} given)")));
    }
    let [iterable, start] = arguments::keywords(cx, "enumerate", args, ["iterable", "start"])?;
    let Some(iterable) = args.positional.first().cloned().or(iterable) else {
        return Err(cx.type_error("enumerate() missing required argument 'iterable'"));
    };
    let next = match args.positional.get(1).cloned().or(start) {
        None => 0,
        Some(start) => match arguments::integer(cx, &start)? {
            arguments::Index::Small(start) => start,
            arguments::Index::Huge { .. } => {
                return Err(cx.raise(TypeId::UNSUPPORTED, "enumerate() beyond 64 bits"));
            }
        },
    };
    let inner = iterate::iter(cx, &iterable)?;
    Ok(iterate::made(cx, Iterator::Enumerate { inner, next }))
}

pub fn zip(cx: &mut Context, args: Args<'_>) -> Eval {
    let [strict] = arguments::keywords(cx, "zip", args, ["strict"])?;
    let strict = match strict {
        Some(strict) => compare::truth(cx, &strict)?,
        None => false,
    };
    let inner = iterators(cx, args.positional)?;
    Ok(iterate::made(cx, Iterator::Zip { inner, strict }))
}

fn iterators(cx: &mut Context, iterables: &[Value]) -> Eval<Vec<Value>> {
    iterables.iter().map(|iterable| iterate::iter(cx, iterable)).collect()
}

pub fn map(cx: &mut Context, args: Args<'_>) -> Eval {
    arguments::no_keywords(cx, "map", args)?;
    let [function, iterables @ ..] = args.positional else {
        return Err(cx.type_error("map() must have at least two arguments."));
    };
    if iterables.is_empty() {
        return Err(cx.type_error("map() must have at least two arguments."));
    }
    let inner = iterators(cx, iterables)?;
    Ok(iterate::made(cx, Iterator::Map { function: function.clone(), inner }))
}

pub fn filter(cx: &mut Context, args: Args<'_>) -> Eval {
    let given = arguments::several(cx, "filter", args, 2, 2)?;
    let inner = iterate::iter(cx, &given[1])?;
    // `bool` decides as no function does.
    let function = if matches!(given[0], Value::Type(TypeId::BOOL)) { Value::None } else { given[0].clone() };
    Ok(iterate::made(cx, Iterator::Filter { function, inner }))
}

pub fn range(cx: &mut Context, args: Args<'_>) -> Eval {
    let given = arguments::several(cx, "range", args, 1, 3)?;
    let mut parts = [0, 0, 1];
    let places: &[usize] = if given.len() == 1 { &[1] } else { &[0, 1, 2] };
    let mut huge = false;
    for (place, value) in places.iter().zip(given) {
        match arguments::integer(cx, value)? {
            arguments::Index::Small(value) => parts[*place] = value,
            arguments::Index::Huge { .. } => huge = true,
        }
    }
    let [start, stop, step] = parts;
    if step == 0 {
        return Err(cx.value_error("range() arg 3 must not be zero"));
    }
    if huge {
        return Err(cx.raise(TypeId::UNSUPPORTED, "a range beyond 64 bits"));
    }
    Ok(Value::Ref(cx.heap.add(Object::Range(Range { start, stop, step }))))
}

pub fn reversed(cx: &mut Context, args: Args<'_>) -> Eval {
    let given = arguments::several(cx, "reversed", args, 1, 1)?;
    let value = &given[0];
    let left = match value {
        Value::Str(text) => Some(text.len()),
        Value::Bytes(bytes) => Some(bytes.len()),
        Value::Type(class) if compare::is_enum_class(cx, *class) => return Err(Fault::Worker),
        Value::Ref(id) => match cx.heap.get(*id) {
            Object::List(list) => Some(list.items.len()),
            Object::Tuple(items) => Some(items.len()),
            Object::Range(range) => range.len().to_usize(),
            Object::Dict(_) => return reversed_dict(cx, value),
            Object::View { kind: ViewKind::Keys | ViewKind::Values | ViewKind::Items, .. } => {
                return reversed_dict(cx, value);
            }
            Object::Instance(_) | Object::Exception(_) => {
                if compare::customises(cx, value, &["__reversed__", "__getitem__", "__len__"]) {
                    return Err(Fault::Worker);
                }
                None
            }
            _ => None,
        },
        _ => None,
    };
    match left {
        Some(left) => Ok(iterate::made(cx, Iterator::Reversed { source: value.clone(), left })),
        None => {
            let text = format!("'{}' object is not reversible", cx.type_name(value));
            Err(cx.type_error(text))
        }
    }
}

fn reversed_dict(cx: &mut Context, value: &Value) -> Eval {
    let mut items = iterate::collect(cx, value)?;
    items.reverse();
    Ok(iterate::made(cx, Iterator::Items { items, at: 0 }))
}
