//! Methods of `str` about its parts: finding, splitting, joining, stripping, replacing.

use std::ops::Range;
use std::sync::Arc;

use super::arguments::{self, argument_str, must_be_str};
use super::{char_count, offset, receiver_text, search, unicode};
use crate::context::{Context, Eval};
use crate::heap::Object;
use crate::python::{Args, iterate};
use crate::value::Value;

// ---------------------------------------------------------------------------------------------------- finding

/// A part of the receiver that `start` and `end` arguments select, and the character index it begins at. `None`: they cross.
fn window<'a>(cx: &mut Context, text: &'a str, given: &[Value]) -> Eval<Option<(usize, &'a str)>> {
    if given.len() == 1 {
        return Ok(Some((0, text)));
    }
    let (start, end) = arguments::bounds(cx, given, char_count(text))?;
    if start > end {
        return Ok(None);
    }
    let from = offset(text, start);
    let length = offset(&text[from..], end - start);
    Ok(Some((start, &text[from..from + length])))
}

fn position(cx: &mut Context, receiver: &Value, args: Args<'_>, method: &str, from_right: bool) -> Eval<Option<i64>> {
    let text = receiver_text(cx, receiver, method)?;
    let given = arguments::search(cx, "str", method, args)?;
    let needle = must_be_str(cx, &given[0])?;
    let Some((start, part)) = window(cx, &text, given)? else { return Ok(None) };
    let found = search::find(part.as_bytes(), needle.as_bytes(), from_right);
    Ok(found.map(|at| (start + char_count(&part[..at])) as i64))
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
        None => Err(cx.value_error("substring not found")),
    }
}

pub fn rindex(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    match position(cx, receiver, args, "rindex", true)? {
        Some(at) => Ok(Value::Int(at)),
        None => Err(cx.value_error("substring not found")),
    }
}

pub fn count(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let text = receiver_text(cx, receiver, "count")?;
    let given = arguments::search(cx, "str", "count", args)?;
    let needle = must_be_str(cx, &given[0])?;
    let found = match window(cx, &text, given)? {
        None => 0,
        Some((_, part)) if needle.is_empty() => char_count(part) + 1,
        Some((_, part)) => search::count(part.as_bytes(), needle.as_bytes()),
    };
    Ok(Value::Int(found as i64))
}

pub fn startswith(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    at_edge(cx, receiver, args, "startswith", |part, edge| part.starts_with(edge))
}

pub fn endswith(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    at_edge(cx, receiver, args, "endswith", |part, edge| part.ends_with(edge))
}

fn at_edge(cx: &mut Context, receiver: &Value, args: Args<'_>, method: &str, test: fn(&str, &str) -> bool) -> Eval {
    let text = receiver_text(cx, receiver, method)?;
    let given = arguments::search(cx, "str", method, args)?;
    let part = window(cx, &text, given)?.map(|(_, part)| part);
    let edges = match &given[0] {
        Value::Str(edge) => return Ok(Value::Bool(part.is_some_and(|part| test(part, edge)))),
        other => tuple_items(cx, other),
    };
    let Some(edges) = edges else {
        let name = cx.type_name(&given[0]);
        return Err(cx.type_error(format!("{method} first arg must be str or a tuple of str, not {name}")));
    };
    for edge in &edges {
        let Value::Str(edge) = edge else {
            let name = cx.type_name(edge);
            return Err(cx.type_error(format!("tuple for {method} must only contain str, not {name}")));
        };
        if part.is_some_and(|part| test(part, edge)) {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

pub fn tuple_items(cx: &Context, value: &Value) -> Option<Vec<Value>> {
    match cx.heap.get(value.reference()?) {
        Object::Tuple(items) => Some(items.to_vec()),
        _ => None,
    }
}

// ---------------------------------------------------------------------------------------------------- splitting

fn list_of(cx: &mut Context, text: &str, parts: Vec<Range<usize>>) -> Eval {
    cx.check_size(parts.len().saturating_mul(16))?;
    let items = parts.into_iter().map(|part| Value::from(&text[part])).collect();
    Ok(cx.list(items))
}

fn white(text: &str) -> impl DoubleEndedIterator<Item = Range<usize>> {
    text.char_indices().filter(|(_, char)| unicode::is_space(*char)).map(|(at, char)| at..at + char.len_utf8())
}

pub fn split(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    split_any(cx, receiver, args, "split", false)
}

pub fn rsplit(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    split_any(cx, receiver, args, "rsplit", true)
}

fn split_any(cx: &mut Context, receiver: &Value, args: Args<'_>, method: &str, from_right: bool) -> Eval {
    let text = receiver_text(cx, receiver, method)?;
    let [separator, most] = arguments::named(cx, method, args, ["sep", "maxsplit"], 0)?;
    let most = match most {
        None => usize::MAX,
        Some(most) => search::limit(arguments::index(cx, &most)?),
    };
    cx.charge(text.len() / 8)?;
    let parts = match separator {
        None | Some(Value::None) if from_right => search::split_white_from_right(text.len(), white(&text).rev(), most),
        None | Some(Value::None) => search::split_white(text.len(), white(&text), most),
        Some(Value::Str(separator)) if separator.is_empty() => return Err(cx.value_error("empty separator")),
        Some(Value::Str(separator)) if from_right => {
            search::split_from_right(text.as_bytes(), separator.as_bytes(), most)
        }
        Some(Value::Str(separator)) => search::split(text.as_bytes(), separator.as_bytes(), most),
        Some(other) => {
            let name = cx.type_name(&other);
            return Err(cx.type_error(format!("must be str or None, not {name}")));
        }
    };
    list_of(cx, &text, parts)
}

pub fn splitlines(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let text = receiver_text(cx, receiver, "splitlines")?;
    let [keep] = arguments::named(cx, "splitlines", args, ["keepends"], 0)?;
    let keep = match keep {
        None => false,
        Some(value) => arguments::small_index(cx, &value)? != 0,
    };
    let breaks = text
        .char_indices()
        .filter(|(at, char)| unicode::is_line_break(*char) && !(*char == '\n' && text[..*at].ends_with('\r')));
    let breaks = breaks.map(|(at, char)| {
        let length = if text[at..].starts_with("\r\n") { 2 } else { char.len_utf8() };
        at..at + length
    });
    let lines = search::split_lines(text.len(), breaks, keep);
    list_of(cx, &text, lines)
}

pub fn partition(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    partition_any(cx, receiver, args, "partition", false)
}

pub fn rpartition(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    partition_any(cx, receiver, args, "rpartition", true)
}

fn partition_any(cx: &mut Context, receiver: &Value, args: Args<'_>, method: &str, from_right: bool) -> Eval {
    let text = receiver_text(cx, receiver, method)?;
    let argument = arguments::one(cx, "str", method, args)?;
    let separator = must_be_str(cx, argument)?;
    if separator.is_empty() {
        return Err(cx.value_error("empty separator"));
    }
    let parts = match search::find(text.as_bytes(), separator.as_bytes(), from_right) {
        Some(at) => [&text[..at], separator, &text[at + separator.len()..]],
        None if from_right => ["", "", &text],
        None => [&text, "", ""],
    };
    Ok(cx.tuple(parts.into_iter().map(Value::from).collect()))
}

// ---------------------------------------------------------------------------------------------------- joining

pub fn join(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let text = receiver_text(cx, receiver, "join")?;
    let iterable = arguments::one(cx, "str", "join", args)?;
    let items = joined_items(cx, iterable)?;
    cx.charge(items.len())?;
    let mut size = text.len().saturating_mul(items.len().saturating_sub(1));
    let mut parts: Vec<&Arc<str>> = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let Value::Str(part) = item else {
            let name = cx.type_name(item);
            return Err(cx.type_error(format!("sequence item {at}: expected str instance, {name} found")));
        };
        size = size.saturating_add(part.len());
        parts.push(part);
    }
    if let [only] = parts[..] {
        return Ok(Value::Str(only.clone()));
    }
    cx.check_size(size)?;
    let mut out = String::with_capacity(size);
    for (at, part) in parts.into_iter().enumerate() {
        if at > 0 {
            out.push_str(&text);
        }
        out.push_str(part);
    }
    Ok(out.into())
}

/// The items of what `join` was given, or its own complaint.
pub fn joined_items(cx: &mut Context, iterable: &Value) -> Eval<Vec<Value>> {
    let iterates = match iterable {
        Value::Str(_) | Value::Bytes(_) | Value::Type(_) => true,
        Value::Ref(id) => match cx.heap.get(*id) {
            Object::List(list) => return Ok(list.items.clone()),
            Object::Tuple(items) => return Ok(items.to_vec()),
            Object::Dict(_) | Object::Set(_) | Object::Range(_) | Object::View { .. } | Object::Iterator(_) => true,
            Object::Instance(_) => true,
            _ => false,
        },
        _ => false,
    };
    if !iterates {
        return Err(cx.type_error("can only join an iterable"));
    }
    iterate::collect(cx, iterable)
}

// ---------------------------------------------------------------------------------------------------- cutting and replacing

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
    let text = receiver_text(cx, receiver, method)?;
    let given = arguments::expected(cx, "str", method, args, 0, 1)?;
    let chosen: Option<Vec<char>> = match given.first() {
        None | Some(Value::None) => None,
        Some(Value::Str(chars)) => {
            let mut chars: Vec<char> = chars.chars().collect();
            chars.sort_unstable();
            Some(chars)
        }
        Some(_) => return Err(cx.type_error(format!("{method} arg must be None or str"))),
    };
    let goes = |char: char| match &chosen {
        None => unicode::is_space(char),
        Some(chars) => chars.binary_search(&char).is_ok(),
    };
    let mut rest: &str = &text;
    if left {
        rest = rest.trim_start_matches(goes);
    }
    if right {
        rest = rest.trim_end_matches(goes);
    }
    if rest.len() == text.len() { Ok(Value::Str(text)) } else { Ok(rest.into()) }
}

pub fn removeprefix(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let text = receiver_text(cx, receiver, "removeprefix")?;
    let argument = arguments::one(cx, "str", "removeprefix", args)?;
    let prefix = argument_str(cx, "removeprefix", "", argument)?;
    Ok(text.strip_prefix(prefix).unwrap_or(&text).into())
}

pub fn removesuffix(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let text = receiver_text(cx, receiver, "removesuffix")?;
    let argument = arguments::one(cx, "str", "removesuffix", args)?;
    let suffix = argument_str(cx, "removesuffix", "", argument)?;
    Ok(text.strip_suffix(suffix).unwrap_or(&text).into())
}

pub fn replace(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let text = receiver_text(cx, receiver, "replace")?;
    let given = arguments::expected(cx, "str", "replace", args, 2, 3)?;
    let old = argument_str(cx, "replace", " 1", &given[0])?;
    let new = argument_str(cx, "replace", " 2", &given[1])?;
    let most = match given.get(2) {
        None => usize::MAX,
        Some(most) => search::limit(arguments::index(cx, most)?),
    };
    let boundaries = text.char_indices().map(|(at, _)| at);
    let places = search::replaced(text.as_bytes(), old.as_bytes(), most, boundaries);
    if places.is_empty() {
        return Ok(Value::Str(text));
    }
    let grown = places.len().saturating_mul(new.len());
    cx.check_size((text.len() - places.len() * old.len()).saturating_add(grown))?;
    let mut out = String::with_capacity(text.len());
    let mut start = 0;
    for place in places {
        out.push_str(&text[start..place]);
        out.push_str(new);
        start = place + old.len();
    }
    out.push_str(&text[start..]);
    Ok(out.into())
}
