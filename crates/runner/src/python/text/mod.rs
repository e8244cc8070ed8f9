//! The methods of `str`. Indices that a program sees count characters, while the text is UTF-8: the helpers here translate,
//! with a short way for ASCII.

pub mod arguments;
mod case;
pub mod codec;
pub mod layout;
pub(crate) mod methods;
pub(crate) mod parts;
pub mod search;
mod translate;
pub mod unicode;
mod unicode_tables;

use std::sync::Arc;

use crate::context::{Context, Eval};
use crate::python::{Functions, Methods, format};
use crate::value::Value;

pub const METHODS: Methods = &[
    ("capitalize", methods::capitalize),
    ("casefold", methods::casefold),
    ("center", methods::center),
    ("count", parts::count),
    ("encode", methods::encode),
    ("endswith", parts::endswith),
    ("expandtabs", methods::expandtabs),
    ("find", parts::find),
    ("format", format::fields::str_format),
    ("format_map", format::fields::str_format_map),
    ("index", parts::index),
    ("isalnum", methods::isalnum),
    ("isalpha", methods::isalpha),
    ("isascii", methods::isascii),
    ("isdecimal", methods::isdecimal),
    ("isdigit", methods::isdigit),
    ("isidentifier", methods::isidentifier),
    ("islower", methods::islower),
    ("isnumeric", methods::isnumeric),
    ("isprintable", methods::isprintable),
    ("isspace", methods::isspace),
    ("istitle", methods::istitle),
    ("isupper", methods::isupper),
    ("join", parts::join),
    ("ljust", methods::ljust),
    ("lower", methods::lower),
    ("lstrip", parts::lstrip),
    ("maketrans", methods::maketrans),
    ("partition", parts::partition),
    ("removeprefix", parts::removeprefix),
    ("removesuffix", parts::removesuffix),
    ("replace", parts::replace),
    ("rfind", parts::rfind),
    ("rindex", parts::rindex),
    ("rjust", methods::rjust),
    ("rpartition", parts::rpartition),
    ("rsplit", parts::rsplit),
    ("rstrip", parts::rstrip),
    ("split", parts::split),
    ("splitlines", parts::splitlines),
    ("startswith", parts::startswith),
    ("strip", parts::strip),
    ("swapcase", methods::swapcase),
    ("title", methods::title),
    ("translate", translate::translate),
    ("upper", methods::upper),
    ("zfill", methods::zfill),
];

pub const FUNCTIONS: Functions = &[("str.maketrans", translate::maketrans)];

/// `len(text)`
pub fn char_count(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// `text[index]`, for an index that counts from the start.
pub fn char_at(text: &str, index: usize) -> Option<char> {
    match text.as_bytes().get(index) {
        None => None,
        Some(byte) if text.is_ascii() => Some(char::from(*byte)),
        Some(_) => text.chars().nth(index),
    }
}

/// `text[start:stop]`, for indices that count from the start; what lies behind the end is cut off.
pub fn substring(text: &str, start: usize, stop: usize) -> &str {
    if start >= stop {
        return "";
    }
    let from = offset(text, start);
    let length = offset(&text[from..], stop - start);
    &text[from..from + length]
}

/// Where the character with this index begins, in bytes; the end for an index behind it.
pub fn offset(text: &str, index: usize) -> usize {
    if index >= text.len() {
        return text.len();
    }
    // An ASCII start is enough, and cheaper to look at than all of a long text.
    if text.as_bytes()[..index].is_ascii() {
        return index;
    }
    text.char_indices().nth(index).map_or(text.len(), |(at, _)| at)
}

/// `text * count`
pub fn repeat(cx: &mut Context, text: &str, count: i64) -> Eval<String> {
    let count = usize::try_from(count).unwrap_or(0);
    cx.check_size(text.len().saturating_mul(count))?;
    Ok(text.repeat(count))
}

/// The receiver of a method of `str`, which may be called as `str.upper(value)` too.
pub(crate) fn receiver_text(cx: &mut Context, receiver: &Value, method: &str) -> Eval<Arc<str>> {
    match receiver {
        Value::Str(text) => {
            cx.charge(text.len() / 64)?;
            Ok(text.clone())
        }
        other => {
            let name = cx.type_name(other);
            let text = format!("descriptor '{method}' for 'str' objects doesn't apply to a '{name}' object");
            Err(cx.type_error(text))
        }
    }
}
