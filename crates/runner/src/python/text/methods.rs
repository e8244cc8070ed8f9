//! Methods of `str` about the text as a whole: its case, its kind of characters, its width, its bytes.

use super::arguments::{self, argument_str, small_index};
use super::layout::{self, Side};
use super::{case, char_count, codec, receiver_text, translate, unicode};
use crate::context::{Context, Eval};
use crate::python::Args;
use crate::value::Value;

/// Methods without arguments, by what they do with the text.
macro_rules! plain {
    ($($name:ident => $function:expr;)*) => {
        $(pub fn $name(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
            let text = receiver_text(cx, receiver, stringify!($name))?;
            arguments::none(cx, "str", stringify!($name), args)?;
            let function: fn(&str) -> _ = $function;
            finish(cx, text.len(), function(&text))
        })*
    };
}

plain! {
    capitalize => case::capitalize;
    casefold => case::casefold;
    lower => case::lower;
    swapcase => case::swapcase;
    title => case::title;
    upper => case::upper;
    isalnum => |text| every(text, |char| unicode::is_alphabetic(char) || unicode::is_numeric(char));
    isalpha => |text| every(text, unicode::is_alphabetic);
    isascii => str::is_ascii;
    isdecimal => |text| every(text, unicode::is_decimal);
    isdigit => |text| every(text, unicode::is_digit);
    isidentifier => is_identifier;
    islower => case::is_all_lower;
    isnumeric => |text| every(text, unicode::is_numeric);
    isprintable => |text| text.chars().all(unicode::is_printable);
    isspace => |text| every(text, unicode::is_space);
    istitle => case::is_all_title;
    isupper => case::is_all_upper;
}

fn finish(cx: &mut Context, length: usize, value: impl Into<Value>) -> Eval {
    cx.charge(length / 16)?;
    Ok(value.into())
}

fn every(text: &str, test: fn(char) -> bool) -> bool {
    !text.is_empty() && text.chars().all(test)
}

fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(unicode::is_identifier_start) && chars.all(unicode::is_identifier_continue)
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
    let text = receiver_text(cx, receiver, method)?;
    let given = arguments::expected(cx, "str", method, args, 1, 2)?;
    let width = arguments::index(cx, &given[0])?;
    let fill = match given.get(1) {
        None => ' ',
        Some(Value::Str(fill)) => {
            let mut chars = fill.chars();
            match (chars.next(), chars.next()) {
                (Some(fill), None) => fill,
                _ => return Err(cx.type_error("The fill character must be exactly one character long")),
            }
        }
        Some(other) => {
            let name = cx.type_name(other);
            return Err(cx.type_error(format!("The fill character must be a unicode character, not {name}")));
        }
    };
    let padding = layout::padding(side, width, char_count(&text));
    if padding == (0, 0) {
        return Ok(Value::Str(text));
    }
    Ok(layout::pad(cx, &text, padding, fill)?.into())
}

pub fn zfill(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let text = receiver_text(cx, receiver, "zfill")?;
    let width = arguments::one(cx, "str", "zfill", args)?;
    let width = arguments::index(cx, width)?;
    let (missing, _) = layout::padding(Side::Right, width, char_count(&text));
    Ok(layout::zero_filled(cx, &text, missing)?.into())
}

pub fn expandtabs(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let text = receiver_text(cx, receiver, "expandtabs")?;
    let [tab_size] = arguments::named(cx, "expandtabs", args, ["tabsize"], 0)?;
    let tab_size = match tab_size {
        None => 8,
        Some(value) => small_index(cx, &value)?,
    };
    Ok(layout::tabs_expanded(cx, &text, tab_size)?.into())
}

pub fn encode(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let text = receiver_text(cx, receiver, "encode")?;
    let [encoding, errors] = codec_arguments(cx, "encode", args)?;
    Ok(Value::bytes(codec::encode(cx, &text, &encoding, &errors)?))
}

/// The encoding and the error handler of `encode` and `decode`.
pub fn codec_arguments(cx: &mut Context, method: &str, args: Args<'_>) -> Eval<[String; 2]> {
    let names = ["encoding", "errors"];
    let given = arguments::named(cx, method, args, names, 0)?;
    let mut read = ["utf-8".to_string(), "strict".to_string()];
    for ((value, name), slot) in given.iter().zip(names).zip(&mut read) {
        if let Some(value) = value {
            let text = argument_str(cx, method, &format!(" '{name}'"), value)?;
            if text.contains('\0') {
                return Err(cx.value_error("embedded null character"));
            }
            *slot = text.to_string();
        }
    }
    Ok(read)
}

/// `"".maketrans(…)`: static, so the receiver does not matter.
pub fn maketrans(cx: &mut Context, _receiver: &Value, args: Args<'_>) -> Eval {
    translate::maketrans(cx, args)
}
