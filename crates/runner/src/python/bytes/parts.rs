//! Methods of `bytes` about its parts: finding, splitting, joining, stripping, replacing.

use std::ops::Range;

use super::{is_space, receiver_bytes};
use crate::context::{Context, Eval};
use crate::python::Args;
use crate::python::text::arguments::{self, bytes_like};
use crate::python::text::parts::{joined_items, tuple_items};
use crate::python::text::search;
use crate::value::Value;

// ---------------------------------------------------------------------------------------------------- finding

fn window<'a>(cx: &mut Context, bytes: &'a [u8], given: &[Value]) -> Eval<Option<(usize, &'a [u8])>> {
    let (start, end) = arguments::bounds(cx, given, bytes.len())?;
    Ok(bytes.get(start..end).map(|part| (start, part)))
}

/// What to look for: bytes, or one byte as an integer.
fn needle(cx: &mut Context, value: &Value) -> Eval<Vec<u8>> {
    let byte = match value {
        Value::Bytes(bytes) => return Ok(bytes.to_vec()),
        Value::Int(number) => u8::try_from(*number).ok(),
        Value::Bool(truth) => Some(u8::from(*truth)),
        Value::Big(_) => None,
        other => {
            let name = cx.type_name(other);
            return Err(cx.type_error(format!("argument should be integer or bytes-like object, not '{name}'")));
        }
    };
    match byte {
        Some(byte) => Ok(vec![byte]),
        None => Err(cx.value_error("byte must be in range(0, 256)")),
    }
}

fn position(cx: &mut Context, receiver: &Value, args: Args<'_>, method: &str, from_right: bool) -> Eval<Option<i64>> {
    let bytes = receiver_bytes(cx, receiver, method)?;
    let given = arguments::search(cx, "bytes", method, args)?;
    let bounds = window(cx, &bytes, given)?;
    let needle = needle(cx, &given[0])?;
    let Some((start, part)) = bounds else { return Ok(None) };
    Ok(search::find(part, &needle, from_right).map(|at| (start + at) as i64))
}

pub fn find(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    Ok(Value::Int(position(cx, receiver, args, "find", false)?.unwrap_or(-1)))
}

pub fn rfind(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    Ok(Value::Int(position(cx, receiver, args, "rfind", true)?.unwrap_or(-1)))
}

pub fn index(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    match position(cx, receiver, args, "index", false)? {
        Some(at) => Ok(Value::Int(at)),
        None => Err(cx.value_error("subsection not found")),
    }
}

pub fn rindex(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    match position(cx, receiver, args, "rindex", true)? {
        Some(at) => Ok(Value::Int(at)),
        None => Err(cx.value_error("subsection not found")),
    }
}

pub fn count(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let bytes = receiver_bytes(cx, receiver, "count")?;
    let given = arguments::search(cx, "bytes", "count", args)?;
    let bounds = window(cx, &bytes, given)?;
    let needle = needle(cx, &given[0])?;
    let found = match bounds {
        None => 0,
        Some((_, part)) if needle.is_empty() => part.len() + 1,
        Some((_, part)) => search::count(part, &needle),
    };
    Ok(Value::Int(found as i64))
}

pub fn startswith(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    at_edge(cx, receiver, args, "startswith", |part, edge| part.starts_with(edge))
}

pub fn endswith(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    at_edge(cx, receiver, args, "endswith", |part, edge| part.ends_with(edge))
}

fn at_edge(cx: &mut Context, receiver: &Value, args: Args<'_>, method: &str, test: fn(&[u8], &[u8]) -> bool) -> Eval {
    let bytes = receiver_bytes(cx, receiver, method)?;
    let given = arguments::search(cx, "bytes", method, args)?;
    let part = window(cx, &bytes, given)?.map(|(_, part)| part);
    let edges = match &given[0] {
        Value::Bytes(edge) => return Ok(Value::Bool(part.is_some_and(|part| test(part, edge)))),
        other => tuple_items(cx, other),
    };
    let Some(edges) = edges else {
        let name = cx.type_name(&given[0]);
        return Err(cx.type_error(format!("{method} first arg must be bytes or a tuple of bytes, not {name}")));
    };
    for edge in &edges {
        let edge = bytes_like(cx, edge)?;
        if part.is_some_and(|part| test(part, edge)) {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

// ---------------------------------------------------------------------------------------------------- splitting

fn list_of(cx: &mut Context, bytes: &[u8], parts: Vec<Range<usize>>) -> Eval {
    cx.check_size(parts.len().saturating_mul(16))?;
    let items = parts.into_iter().map(|part| Value::bytes(&bytes[part])).collect();
    Ok(cx.list(items))
}

fn white(bytes: &[u8]) -> impl DoubleEndedIterator<Item = Range<usize>> {
    bytes.iter().enumerate().filter(|(_, byte)| is_space(**byte)).map(|(at, _)| at..at + 1)
}

pub fn split(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    split_any(cx, receiver, args, "split", false)
}

pub fn rsplit(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    split_any(cx, receiver, args, "rsplit", true)
}

fn split_any(cx: &mut Context, receiver: &Value, args: Args<'_>, method: &str, from_right: bool) -> Eval {
    let bytes = receiver_bytes(cx, receiver, method)?;
    let [separator, most] = arguments::named(cx, method, args, ["sep", "maxsplit"], 0)?;
    let most = match most {
        None => usize::MAX,
        Some(most) => search::limit(arguments::index(cx, &most)?),
    };
    cx.charge(bytes.len() / 8)?;
    let parts = match separator {
        None | Some(Value::None) if from_right => {
            search::split_white_from_right(bytes.len(), white(&bytes).rev(), most)
        }
        None | Some(Value::None) => search::split_white(bytes.len(), white(&bytes), most),
        Some(separator) => {
            let separator = bytes_like(cx, &separator)?;
            match separator.is_empty() {
                true => return Err(cx.value_error("empty separator")),
                false if from_right => search::split_from_right(&bytes, separator, most),
                false => search::split(&bytes, separator, most),
            }
        }
    };
    list_of(cx, &bytes, parts)
}

pub fn splitlines(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let bytes = receiver_bytes(cx, receiver, "splitlines")?;
    let [keep] = arguments::named(cx, "splitlines", args, ["keepends"], 0)?;
    let keep = match keep {
        None => false,
        Some(value) => arguments::small_index(cx, &value)? != 0,
    };
    let breaks = (0..bytes.len()).filter(|at| match bytes[*at] {
        b'\r' => true,
        b'\n' => !bytes[..*at].ends_with(b"\r"),
        _ => false,
    });
    let breaks = breaks.map(|at| at..at + if bytes[at..].starts_with(b"\r\n") { 2 } else { 1 });
    let lines = search::split_lines(bytes.len(), breaks, keep);
    list_of(cx, &bytes, lines)
}

pub fn partition(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    partition_any(cx, receiver, args, "partition", false)
}

pub fn rpartition(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    partition_any(cx, receiver, args, "rpartition", true)
}

fn partition_any(cx: &mut Context, receiver: &Value, args: Args<'_>, method: &str, from_right: bool) -> Eval {
    let bytes = receiver_bytes(cx, receiver, method)?;
    let argument = arguments::one(cx, "bytes", method, args)?;
    let separator = bytes_like(cx, argument)?;
    if separator.is_empty() {
        return Err(cx.value_error("empty separator"));
    }
    let parts: [&[u8]; 3] = match search::find(&bytes, separator, from_right) {
        Some(at) => [&bytes[..at], separator, &bytes[at + separator.len()..]],
        None if from_right => [b"", b"", &bytes],
        None => [&bytes, b"", b""],
    };
    Ok(cx.tuple(parts.into_iter().map(Value::bytes).collect()))
}

// ---------------------------------------------------------------------------------------------------- joining, cutting, replacing

pub fn join(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let bytes = receiver_bytes(cx, receiver, "join")?;
    let iterable = arguments::one(cx, "bytes", "join", args)?;
    let items = joined_items(cx, iterable)?;
    cx.charge(items.len())?;
    let mut size = bytes.len().saturating_mul(items.len().saturating_sub(1));
    let mut parts: Vec<&[u8]> = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let Value::Bytes(part) = item else {
            let name = cx.type_name(item);
            return Err(cx.type_error(format!("sequence item {at}: expected a bytes-like object, {name} found")));
        };
        size = size.saturating_add(part.len());
        parts.push(part);
    }
    cx.check_size(size)?;
    Ok(Value::bytes(parts.join(&bytes[..])))
}

pub fn strip(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    strip_any(cx, receiver, args, "strip", true, true)
}

pub fn lstrip(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    strip_any(cx, receiver, args, "lstrip", true, false)
}

pub fn rstrip(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    strip_any(cx, receiver, args, "rstrip", false, true)
}

fn strip_any(cx: &mut Context, receiver: &Value, args: Args<'_>, method: &str, left: bool, right: bool) -> Eval {
    let bytes = receiver_bytes(cx, receiver, method)?;
    let given = arguments::expected(cx, "bytes", method, args, 0, 1)?;
    let mut goes = [false; 256];
    match given.first() {
        None | Some(Value::None) => (0..=255).for_each(|byte| goes[usize::from(byte)] = is_space(byte)),
        Some(chosen) => bytes_like(cx, chosen)?.iter().for_each(|byte| goes[usize::from(*byte)] = true),
    }
    let stays = |byte: &u8| !goes[usize::from(*byte)];
    let start = if left { bytes.iter().position(stays).unwrap_or(bytes.len()) } else { 0 };
    let end = if right { bytes.iter().rposition(stays).map_or(start, |at| at + 1) } else { bytes.len() };
    Ok(Value::bytes(&bytes[start..end]))
}

pub fn removeprefix(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let bytes = receiver_bytes(cx, receiver, "removeprefix")?;
    let argument = arguments::one(cx, "bytes", "removeprefix", args)?;
    let prefix = bytes_like(cx, argument)?;
    Ok(Value::bytes(bytes.strip_prefix(prefix).unwrap_or(&bytes)))
}

pub fn removesuffix(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let bytes = receiver_bytes(cx, receiver, "removesuffix")?;
    let argument = arguments::one(cx, "bytes", "removesuffix", args)?;
    let suffix = bytes_like(cx, argument)?;
    Ok(Value::bytes(bytes.strip_suffix(suffix).unwrap_or(&bytes)))
}

pub fn replace(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let bytes = receiver_bytes(cx, receiver, "replace")?;
    let given = arguments::expected(cx, "bytes", "replace", args, 2, 3)?;
    let old = bytes_like(cx, &given[0])?;
    let new = bytes_like(cx, &given[1])?;
    let most = match given.get(2) {
        None => usize::MAX,
        Some(most) => search::limit(arguments::index(cx, most)?),
    };
    let places = search::replaced(&bytes, old, most, 0..bytes.len());
    let grown = places.len().saturating_mul(new.len());
    cx.check_size((bytes.len() - places.len() * old.len()).saturating_add(grown))?;
    Ok(Value::bytes(search::replace_at(&bytes, &places, old.len(), new)))
}
