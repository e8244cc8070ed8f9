//! Methods of `tuple`, and of `range`, which has the same two.

use crate::context::{Context, Eval};
use crate::heap::Object;
use crate::python::{Args, Functions, Methods, arguments, compare, iterate, list, repr};
use crate::value::Value;

pub const METHODS: Methods = &[("count", count), ("index", index)];
pub const RANGE_METHODS: Methods = &[("count", range_count), ("index", range_index)];
pub const FUNCTIONS: Functions = &[];

fn count(cx: &mut Context, tuple: &Value, args: Args<'_>) -> Eval {
    let value = arguments::one(cx, "tuple.count", args)?;
    let mut found = 0;
    for candidate in iterate::collect(cx, tuple)? {
        found += i64::from(compare::same_or_equal(cx, &candidate, value)?);
    }
    Ok(Value::Int(found))
}

fn index(cx: &mut Context, tuple: &Value, args: Args<'_>) -> Eval {
    let given = arguments::several(cx, "tuple.index", args, 1, 3)?;
    let items = iterate::collect(cx, tuple)?;
    let (start, stop) = list::search_bounds(cx, given, items.len())?;
    for (at, candidate) in items.iter().enumerate().take(stop).skip(start) {
        if compare::same_or_equal(cx, candidate, &given[0])? {
            return Ok(Value::Int(at as i64));
        }
    }
    Err(cx.value_error("tuple.index(x): x not in tuple"))
}

fn range_count(cx: &mut Context, range: &Value, args: Args<'_>) -> Eval {
    let value = arguments::one(cx, "range.count", args)?;
    Ok(Value::Int(i64::from(compare::contains(cx, range, value)?)))
}

fn range_index(cx: &mut Context, range: &Value, args: Args<'_>) -> Eval {
    let value = arguments::one(cx, "range.index", args)?;
    if compare::contains(cx, range, value)?
        && let crate::heap::Key::Int(number) = compare::key_of(cx, value)?
        && let Value::Ref(id) = range
        && let Object::Range(range) = cx.heap.get(*id)
    {
        let at = (i128::from(number) - i128::from(range.start)) / i128::from(range.step);
        return Ok(Value::Int(at as i64));
    }
    let text = match value {
        Value::Int(_) | Value::Bool(_) | Value::Big(_) => format!("{} is not in range", repr::repr(cx, value)?),
        _ => "sequence.index(x): x not in sequence".to_string(),
    };
    Err(cx.value_error(text))
}

/// `tuple + tuple`
pub fn concat(cx: &mut Context, left: &Value, right: &Value) -> Eval {
    let is_tuple = |cx: &Context, value: &Value| match value {
        Value::Ref(id) => matches!(cx.heap.get(*id), Object::Tuple(_)),
        _ => false,
    };
    if !is_tuple(cx, left) || !is_tuple(cx, right) {
        let text = format!("can only concatenate tuple (not \"{}\") to tuple", cx.type_name(right));
        return Err(cx.type_error(text));
    }
    let mut items = iterate::collect(cx, left)?;
    let added = iterate::collect(cx, right)?;
    cx.check_size((items.len() + added.len()).saturating_mul(16))?;
    items.extend(added);
    Ok(cx.tuple(items))
}

/// `tuple * count`
pub fn repeat(cx: &mut Context, tuple: &Value, count: &Value) -> Eval {
    let items = list::repeated(cx, tuple, count)?;
    Ok(cx.tuple(items))
}
