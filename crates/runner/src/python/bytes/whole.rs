//! Methods of `bytes` about the whole: its case, its kind of bytes, its width.

use super::{is_space, receiver_bytes};
use crate::context::{Context, Eval};
use crate::python::Args;
use crate::python::text::arguments::{self, argument_type, small_index};
use crate::python::text::layout::{Side, padding};
use crate::value::Value;

/// Methods without arguments, by what they do with the bytes.
macro_rules! plain {
    ($($name:ident => $function:expr;)*) => {
        $(pub fn $name(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
            let bytes = receiver_bytes(cx, receiver, stringify!($name))?;
            arguments::none(cx, "bytes", stringify!($name), args)?;
            cx.charge(bytes.len() / 16)?;
            let function: fn(&[u8]) -> Value = $function;
            Ok(function(&bytes))
        })*
    };
}

plain! {
    capitalize => |bytes| {
        let mut out = bytes.to_ascii_lowercase();
        if let Some(first) = out.first_mut() {
            first.make_ascii_uppercase();
        }
        Value::bytes(out)
    };
    lower => |bytes| Value::bytes(bytes.to_ascii_lowercase());
    upper => |bytes| Value::bytes(bytes.to_ascii_uppercase());
    swapcase => |bytes| Value::bytes(bytes.iter().copied().map(swapped).collect::<Vec<u8>>());
    title => |bytes| Value::bytes(titled(bytes));
    isalnum => |bytes| every(bytes, |byte| byte.is_ascii_alphanumeric());
    isalpha => |bytes| every(bytes, |byte| byte.is_ascii_alphabetic());
    isascii => |bytes| Value::Bool(bytes.is_ascii());
    isdigit => |bytes| every(bytes, |byte| byte.is_ascii_digit());
    isspace => |bytes| every(bytes, is_space);
    islower => |bytes| one_case(bytes, u8::is_ascii_lowercase, u8::is_ascii_uppercase);
    isupper => |bytes| one_case(bytes, u8::is_ascii_uppercase, u8::is_ascii_lowercase);
    istitle => |bytes| Value::Bool(bytes.iter().any(u8::is_ascii_alphabetic) && titled(bytes) == bytes);
}

fn every(bytes: &[u8], test: fn(u8) -> bool) -> Value {
    Value::Bool(!bytes.is_empty() && bytes.iter().copied().all(test))
}

fn one_case(bytes: &[u8], wanted: fn(&u8) -> bool, other: fn(&u8) -> bool) -> Value {
    Value::Bool(bytes.iter().any(wanted) && !bytes.iter().any(other))
}

fn swapped(byte: u8) -> u8 {
    if byte.is_ascii_alphabetic() { byte ^ 0x20 } else { byte }
}

fn titled(bytes: &[u8]) -> Vec<u8> {
    let mut inside_word = false;
    let convert = |byte: &u8| {
        let converted = if inside_word { byte.to_ascii_lowercase() } else { byte.to_ascii_uppercase() };
        inside_word = byte.is_ascii_alphabetic();
        converted
    };
    bytes.iter().map(convert).collect()
}

pub fn center(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    justify(cx, receiver, args, "center", Side::Both)
}

pub fn ljust(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    justify(cx, receiver, args, "ljust", Side::Left)
}

pub fn rjust(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    justify(cx, receiver, args, "rjust", Side::Right)
}

fn justify(cx: &mut Context, receiver: &Value, args: Args<'_>, method: &str, side: Side) -> Eval {
    let bytes = receiver_bytes(cx, receiver, method)?;
    let given = arguments::expected(cx, "bytes", method, args, 1, 2)?;
    let width = arguments::index(cx, &given[0])?;
    let fill = match given.get(1) {
        None => b' ',
        Some(Value::Bytes(fill)) if fill.len() == 1 => fill[0],
        Some(other) => {
            let name = argument_type(cx, other);
            let text = format!("{method}() argument 2 must be a byte string of length 1, not {name}");
            return Err(cx.type_error(text));
        }
    };
    let (before, after) = padding(side, width, bytes.len());
    cx.check_size(bytes.len().saturating_add(before).saturating_add(after))?;
    Ok(Value::bytes([&vec![fill; before][..], &bytes, &vec![fill; after]].concat()))
}

pub fn zfill(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let bytes = receiver_bytes(cx, receiver, "zfill")?;
    let width = arguments::one(cx, "bytes", "zfill", args)?;
    let width = arguments::index(cx, width)?;
    let (missing, _) = padding(Side::Right, width, bytes.len());
    cx.check_size(bytes.len().saturating_add(missing))?;
    let signed = matches!(bytes.first(), Some(b'+' | b'-'));
    let (sign, rest) = bytes.split_at(usize::from(signed));
    Ok(Value::bytes([sign, &vec![b'0'; missing], rest].concat()))
}

pub fn expandtabs(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let bytes = receiver_bytes(cx, receiver, "expandtabs")?;
    let [tab_size] = arguments::named(cx, "expandtabs", args, ["tabsize"], 0)?;
    let tab_size = match tab_size {
        None => 8,
        Some(value) => usize::try_from(small_index(cx, &value)?).unwrap_or(0),
    };
    cx.charge(bytes.len() / 8)?;
    let mut out = Vec::with_capacity(bytes.len());
    let mut column: usize = 0;
    for byte in bytes.iter().copied() {
        match byte {
            b'\t' => {
                let spaces = tab_size - column.checked_rem(tab_size).unwrap_or(0);
                if out.len() + spaces > cx.limits.value_bytes_max {
                    cx.check_size(out.len() + spaces)?;
                }
                column += spaces;
                out.resize(out.len() + spaces, b' ');
            }
            b'\n' | b'\r' => {
                column = 0;
                out.push(byte);
            }
            _ => {
                column += 1;
                out.push(byte);
            }
        }
    }
    cx.check_size(out.len())?;
    Ok(Value::bytes(out))
}
