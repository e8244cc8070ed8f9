//! The methods of `bytes`: those of `str`, on ASCII and without Unicode, and the ways to text and back.

mod convert;
mod parts;
mod whole;

use std::sync::Arc;

use crate::context::{Context, Eval};
use crate::python::{Functions, Methods};
use crate::value::Value;

pub const METHODS: Methods = &[
    ("capitalize", whole::capitalize),
    ("center", whole::center),
    ("count", parts::count),
    ("decode", convert::decode),
    ("endswith", parts::endswith),
    ("expandtabs", whole::expandtabs),
    ("find", parts::find),
    ("fromhex", |cx, _, args| convert::fromhex(cx, args)),
    ("hex", convert::hex),
    ("index", parts::index),
    ("isalnum", whole::isalnum),
    ("isalpha", whole::isalpha),
    ("isascii", whole::isascii),
    ("isdigit", whole::isdigit),
    ("islower", whole::islower),
    ("isspace", whole::isspace),
    ("istitle", whole::istitle),
    ("isupper", whole::isupper),
    ("join", parts::join),
    ("ljust", whole::ljust),
    ("lower", whole::lower),
    ("lstrip", parts::lstrip),
    ("maketrans", |cx, _, args| convert::maketrans(cx, args)),
    ("partition", parts::partition),
    ("removeprefix", parts::removeprefix),
    ("removesuffix", parts::removesuffix),
    ("replace", parts::replace),
    ("rfind", parts::rfind),
    ("rindex", parts::rindex),
    ("rjust", whole::rjust),
    ("rpartition", parts::rpartition),
    ("rsplit", parts::rsplit),
    ("rstrip", parts::rstrip),
    ("split", parts::split),
    ("splitlines", parts::splitlines),
    ("startswith", parts::startswith),
    ("strip", parts::strip),
    ("swapcase", whole::swapcase),
    ("title", whole::title),
    ("translate", convert::translate),
    ("upper", whole::upper),
    ("zfill", whole::zfill),
];

pub const FUNCTIONS: Functions = &[("bytes.fromhex", convert::fromhex), ("bytes.maketrans", convert::maketrans)];

/// `bytes * count`
pub fn repeat(cx: &mut Context, bytes: &[u8], count: i64) -> Eval<Vec<u8>> {
    let count = usize::try_from(count).unwrap_or(0);
    cx.check_size(bytes.len().saturating_mul(count))?;
    Ok(bytes.repeat(count))
}

/// The receiver of a method of `bytes`, which may be called as `bytes.upper(value)` too.
fn receiver_bytes(cx: &mut Context, receiver: &Value, method: &str) -> Eval<Arc<[u8]>> {
    match receiver {
        Value::Bytes(bytes) => {
            cx.charge(bytes.len() / 64)?;
            Ok(bytes.clone())
        }
        other => {
            let name = cx.type_name(other);
            let text = format!("descriptor '{method}' for 'bytes' objects doesn't apply to a '{name}' object");
            Err(cx.type_error(text))
        }
    }
}

/// White space as `bytes` sees it: less than `str` does.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}
