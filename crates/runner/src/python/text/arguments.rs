//! How the methods of `str` and `bytes` read their arguments. CPython words the same mistake differently from method to
//! method, after how each was written; the functions here are those ways.

use std::sync::Arc;

use crate::context::{Context, Eval, Fault};
use crate::python::Args;
use crate::types::TypeId;
use crate::value::Value;

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn no_keywords(cx: &mut Context, class: &str, method: &str, args: Args<'_>) -> Eval<()> {
    if args.keyword.is_empty() {
        return Ok(());
    }
    Err(cx.type_error(format!("{class}.{method}() takes no keyword arguments")))
}

/// `upper()`
pub fn none(cx: &mut Context, class: &str, method: &str, args: Args<'_>) -> Eval<()> {
    no_keywords(cx, class, method, args)?;
    match args.positional.len() {
        0 => Ok(()),
        given => Err(cx.type_error(format!("{class}.{method}() takes no arguments ({given} given)"))),
    }
}

/// `zfill(width)`
pub fn one<'a>(cx: &mut Context, class: &str, method: &str, args: Args<'a>) -> Eval<&'a Value> {
    no_keywords(cx, class, method, args)?;
    match args.positional {
        [only] => Ok(only),
        given => {
            let given = given.len();
            Err(cx.type_error(format!("{class}.{method}() takes exactly one argument ({given} given)")))
        }
    }
}

/// `replace(old, new, count)`: "replace expected at least 2 arguments, got 1"
pub fn expected<'a>(
    cx: &mut Context,
    class: &str,
    method: &str,
    args: Args<'a>,
    least: usize,
    most: usize,
) -> Eval<&'a [Value]> {
    no_keywords(cx, class, method, args)?;
    let given = args.positional.len();
    let (bound, count) = match given {
        _ if given < least => ("at least", least),
        _ if given > most => ("at most", most),
        _ => return Ok(args.positional),
    };
    let bound = if least == most { "" } else { bound };
    let space = if bound.is_empty() { "" } else { " " };
    Err(cx.type_error(format!("{method} expected {bound}{space}{count} argument{}, got {given}", plural(count))))
}

/// `find(sub, start, end)`: "find() takes at least 1 argument (0 given)"
pub fn search<'a>(cx: &mut Context, class: &str, method: &str, args: Args<'a>) -> Eval<&'a [Value]> {
    no_keywords(cx, class, method, args)?;
    let given = args.positional.len();
    match given {
        0 => Err(cx.type_error(format!("{method}() takes at least 1 argument (0 given)"))),
        1..=3 => Ok(args.positional),
        _ => Err(cx.type_error(format!("{method}() takes at most 3 arguments ({given} given)"))),
    }
}

/// `split(sep=None, maxsplit=-1)`; the first `required` must be there.
pub fn named<const N: usize>(
    cx: &mut Context,
    method: &str,
    args: Args<'_>,
    names: [&str; N],
    required: usize,
) -> Eval<[Option<Value>; N]> {
    let mut bound: [Option<Value>; N] = std::array::from_fn(|_| None);
    let given = args.positional.len() + args.keyword.len();
    if given > N {
        let kind = if args.positional.is_empty() { "keyword " } else { "" };
        return Err(cx.type_error(format!("{method}() takes at most {N} {kind}argument{} ({given} given)", plural(N))));
    }
    for (slot, value) in bound.iter_mut().zip(args.positional) {
        *slot = Some(value.clone());
    }
    for (name, value) in args.keyword {
        let Some(at) = names.iter().position(|known| *known == &**name) else {
            return Err(cx.type_error(format!("'{name}' is an invalid keyword argument for {method}()")));
        };
        if bound[at].is_some() {
            let text = format!("argument for {method}() given by name ('{name}') and position ({})", at + 1);
            return Err(cx.type_error(text));
        }
        bound[at] = Some(value.clone());
    }
    if let Some(at) = bound[..required].iter().position(Option::is_none) {
        return Err(cx.type_error(format!("{method}() missing required argument '{}' (pos {})", names[at], at + 1)));
    }
    Ok(bound)
}

/// An argument that must be an integer that fits a machine word.
pub fn index(cx: &mut Context, value: &Value) -> Eval<i64> {
    match value {
        Value::Int(number) => Ok(*number),
        Value::Bool(truth) => Ok(i64::from(*truth)),
        Value::Big(_) => Err(cx.raise(TypeId::OVERFLOW_ERROR, "Python int too large to convert to C ssize_t")),
        other if cx.overrides(other, "__index__") => Err(Fault::Worker),
        other => {
            let name = cx.type_name(other);
            Err(cx.type_error(format!("'{name}' object cannot be interpreted as an integer")))
        }
    }
}

/// As [`index`], for the few that are C `int`s.
pub fn small_index(cx: &mut Context, value: &Value) -> Eval<i32> {
    let wide = match value {
        Value::Big(_) => i64::MAX,
        other => index(cx, other)?,
    };
    match i32::try_from(wide) {
        Ok(number) => Ok(number),
        Err(_) => Err(cx.raise(TypeId::OVERFLOW_ERROR, "Python int too large to convert to C int")),
    }
}

/// The optional start and end of a search, clamped into `0..=length` as slices are. The start may lie behind the length:
/// then not even an empty text is found.
pub fn bounds(cx: &mut Context, arguments: &[Value], length: usize) -> Eval<(usize, usize)> {
    let start = match arguments.get(1) {
        None | Some(Value::None) => 0,
        Some(value) => slice_index(cx, value, length)?,
    };
    let end = match arguments.get(2) {
        None | Some(Value::None) => length,
        Some(value) => slice_index(cx, value, length)?.min(length),
    };
    Ok((start, end))
}

fn slice_index(cx: &mut Context, value: &Value, length: usize) -> Eval<usize> {
    let number = match value {
        Value::Int(number) => *number,
        Value::Bool(truth) => i64::from(*truth),
        Value::Big(big) if big.sign() == num_bigint::Sign::Minus => i64::MIN,
        Value::Big(_) => i64::MAX,
        other if cx.overrides(other, "__index__") => return Err(Fault::Worker),
        _ => return Err(cx.type_error("slice indices must be integers or None or have an __index__ method")),
    };
    Ok(match number {
        0.. => number as usize,
        _ => (number.saturating_add(length as i64)).max(0) as usize,
    })
}

pub fn str_of(value: &Value) -> Option<&Arc<str>> {
    match value {
        Value::Str(text) => Some(text),
        _ => None,
    }
}

/// "must be str, not int"
pub fn must_be_str<'a>(cx: &mut Context, value: &'a Value) -> Eval<&'a str> {
    match value {
        Value::Str(text) => Ok(text),
        other => {
            let name = cx.type_name(other);
            Err(cx.type_error(format!("must be str, not {name}")))
        }
    }
}

/// "replace() argument 1 must be str, not int"; `which` is `" 1"`, `" 'encoding'"` or empty.
pub fn argument_str<'a>(cx: &mut Context, method: &str, which: &str, value: &'a Value) -> Eval<&'a str> {
    match value {
        Value::Str(text) => Ok(text),
        other => {
            let name = argument_type(cx, other);
            Err(cx.type_error(format!("{method}() argument{which} must be str, not {name}")))
        }
    }
}

/// Argument errors say `None` where others say `NoneType`.
pub fn argument_type(cx: &Context, value: &Value) -> Arc<str> {
    match value {
        Value::None => "None".into(),
        other => cx.type_name(other),
    }
}

/// "a bytes-like object is required, not 'str'"
pub fn bytes_like<'a>(cx: &mut Context, value: &'a Value) -> Eval<&'a [u8]> {
    match value {
        Value::Bytes(bytes) => Ok(bytes),
        other => {
            let name = cx.type_name(other);
            Err(cx.type_error(format!("a bytes-like object is required, not '{name}'")))
        }
    }
}
