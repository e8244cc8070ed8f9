//! `bytes` to text and back (`decode`, `hex`, `fromhex`), and byte by byte (`translate`, `maketrans`).

use super::receiver_bytes;
use crate::context::{Context, Eval};
use crate::heap::Object;
use crate::python::Args;
use crate::python::text::arguments::{self, argument_str, bytes_like, small_index};
use crate::python::text::codec;
use crate::python::text::methods::codec_arguments;
use crate::value::Value;

pub fn decode(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let bytes = receiver_bytes(cx, receiver, "decode")?;
    let [encoding, errors] = codec_arguments(cx, "decode", args)?;
    Ok(codec::decode(cx, &bytes, &encoding, &errors)?.into())
}

/// `hex(sep, bytes_per_sep)`: groups count from the right, or from the left where negative.
pub fn hex(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let bytes = receiver_bytes(cx, receiver, "hex")?;
    let [separator, group] = arguments::named(cx, "hex", args, ["sep", "bytes_per_sep"], 0)?;
    let group = match group {
        None => 1,
        Some(group) => small_index(cx, &group)?,
    };
    let separator = match separator {
        None => None,
        Some(Value::Str(text)) => match (text.chars().next(), text.chars().nth(1)) {
            (Some(char), None) if char.is_ascii() => Some(char),
            (Some(_), None) => return Err(cx.value_error("sep must be ASCII.")),
            _ => return Err(cx.value_error("sep must be length 1.")),
        },
        Some(Value::Bytes(text)) => match text[..] {
            [byte] if byte.is_ascii() => Some(char::from(byte)),
            [_] => return Err(cx.value_error("sep must be ASCII.")),
            _ => return Err(cx.value_error("sep must be length 1.")),
        },
        // The length is looked at before the type.
        Some(other) => {
            let length = match other.reference().map(|id| cx.heap.get(id)) {
                Some(Object::List(list)) => Some(list.items.len()),
                Some(Object::Tuple(items)) => Some(items.len()),
                Some(Object::Dict(dict)) => Some(dict.len()),
                Some(Object::Set(set)) => Some(set.len()),
                _ => None,
            };
            let name = cx.type_name(&other);
            return Err(match length {
                Some(1) => cx.type_error("sep must be str or bytes."),
                Some(_) => cx.value_error("sep must be length 1."),
                None => cx.type_error(format!("object of type '{name}' has no len()")),
            });
        }
    };
    cx.check_size(bytes.len().saturating_mul(3))?;
    let width = group.unsigned_abs() as usize;
    let mut out = String::with_capacity(bytes.len() * 2);
    for (at, byte) in bytes.iter().enumerate() {
        let place = if group < 0 { at } else { bytes.len() - at };
        if let Some(separator) = separator
            && at > 0
            && place.checked_rem(width) == Some(0)
        {
            out.push(separator);
        }
        for nibble in [byte >> 4, byte & 15] {
            out.extend(char::from_digit(u32::from(nibble), 16));
        }
    }
    Ok(out.into())
}

/// `bytes.fromhex(text)`
pub fn fromhex(cx: &mut Context, args: Args<'_>) -> Eval {
    let argument = arguments::one(cx, "bytes", "fromhex", args)?;
    let text = argument_str(cx, "fromhex", "", argument)?;
    cx.check_size(text.len())?;
    let mut out = Vec::with_capacity(text.len() / 2);
    let mut chars = text.chars().enumerate().peekable();
    loop {
        while chars.next_if(|(_, char)| matches!(char, ' ' | '\t'..='\r')).is_some() {}
        let Some((at, high)) = chars.next() else { break };
        let failed = match high.to_digit(16) {
            None => at,
            Some(high) => match chars.next().and_then(|(_, low)| low.to_digit(16)) {
                None => at + 1,
                Some(low) => {
                    out.push((high * 16 + low) as u8);
                    continue;
                }
            },
        };
        let text = format!("non-hexadecimal number found in fromhex() arg at position {failed}");
        return Err(cx.value_error(text));
    }
    Ok(Value::bytes(out))
}

/// `translate(table, delete=b'')`
pub fn translate(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let bytes = receiver_bytes(cx, receiver, "translate")?;
    if args.positional.is_empty() {
        let text = "translate() takes at least 1 positional argument (0 given)";
        return Err(cx.type_error(text));
    }
    let [table, delete] = arguments::named(cx, "translate", args, ["", "delete"], 1)?;
    let table = match &table {
        None | Some(Value::None) => None,
        Some(table) => {
            let table = bytes_like(cx, table)?;
            if table.len() != 256 {
                return Err(cx.value_error("translation table must be 256 characters long"));
            }
            Some(table.to_vec())
        }
    };
    let mut removed = [false; 256];
    if let Some(delete) = delete {
        bytes_like(cx, &delete)?.iter().for_each(|byte| removed[usize::from(*byte)] = true);
    }
    let kept = bytes.iter().filter(|byte| !removed[usize::from(**byte)]);
    let mapped = kept.map(|byte| table.as_ref().map_or(*byte, |table| table[usize::from(*byte)]));
    Ok(Value::bytes(mapped.collect::<Vec<u8>>()))
}

/// `bytes.maketrans(frm, to)`
pub fn maketrans(cx: &mut Context, args: Args<'_>) -> Eval {
    let given = arguments::expected(cx, "bytes", "maketrans", args, 2, 2)?;
    let from = bytes_like(cx, &given[0])?;
    let to = bytes_like(cx, &given[1])?;
    if from.len() != to.len() {
        return Err(cx.value_error("maketrans arguments must have same length"));
    }
    let mut table: Vec<u8> = (0..=255).collect();
    for (from, to) in from.iter().zip(to) {
        table[usize::from(*from)] = *to;
    }
    Ok(Value::bytes(table))
}
