//! Numbers from text: signs, prefixes, underscores, and the digits of every script.

use num_bigint::{BigInt, Sign};

use crate::context::{Context, Eval};
use crate::python::number::DIGITS_MAX;
use crate::python::repr;
use crate::value::Value;

/// The zero of every script that has decimal digits (Unicode 14); the other nine follow it.
const ZEROS: &[u32] = &[
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
    0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620,
    0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0,
    0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60,
    0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

/// The value of a decimal digit of any script.
pub fn decimal_digit(character: char) -> Option<u32> {
    if character.is_ascii() {
        return character.to_digit(10);
    }
    let code = character as u32;
    let at = ZEROS.partition_point(|zero| *zero <= code).checked_sub(1)?;
    Some(code - ZEROS[at]).filter(|digit| *digit < 10)
}

/// As number parsers of Python see a text: any script's digits and spaces in ASCII. `None`: it holds anything else.
pub fn plain_ascii(text: &str) -> Option<String> {
    if text.is_ascii() {
        return Some(text.to_string());
    }
    text.chars()
        .map(|character| match character {
            _ if character.is_ascii() => Some(character),
            _ if character.is_whitespace() => Some(' '),
            _ => decimal_digit(character).and_then(|digit| char::from_digit(digit, 10)),
        })
        .collect()
}

fn strip(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r'])
}

fn source(value: &Value) -> Option<String> {
    match value {
        Value::Str(text) => plain_ascii(text),
        Value::Bytes(bytes) => std::str::from_utf8(bytes).ok().filter(|text| text.is_ascii()).map(str::to_string),
        _ => None,
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Str(text) => repr::str_repr(text),
        Value::Bytes(bytes) => repr::bytes_repr(bytes),
        _ => String::new(),
    }
}

/// An integer from a str or bytes; base 0 reads the base from a prefix.
pub fn parse_int(cx: &mut Context, value: &Value, base: u32) -> Eval {
    let text = source(value).unwrap_or_default();
    cx.charge(text.len() / 16)?;
    match read_int(&text, base) {
        Some(Ok(integer)) => Ok(Value::integer(integer)),
        Some(Err(digits)) => {
            let text = format!(
                "Exceeds the limit ({DIGITS_MAX} digits) for integer string conversion: value has {digits} digits; \
                 use sys.set_int_max_str_digits() to increase the limit"
            );
            Err(cx.value_error(text))
        }
        None => {
            let shown: String = shown(value).chars().take(200).collect();
            Err(cx.value_error(format!("invalid literal for int() with base {base}: {shown}")))
        }
    }
}

/// `None`: not an integer. `Err`: it has too many digits.
fn read_int(text: &str, base: u32) -> Option<Result<BigInt, usize>> {
    let text = strip(text);
    let (negative, rest) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let prefix = match rest.as_bytes() {
        [b'0', b'x' | b'X', ..] => 16,
        [b'0', b'o' | b'O', ..] => 8,
        [b'0', b'b' | b'B', ..] => 2,
        _ => 0,
    };
    let (radix, digits) = match base {
        0 | 2 | 8 | 16 if prefix != 0 && (base == 0 || base == prefix) => {
            let digits = &rest[2..];
            (prefix, digits.strip_prefix('_').unwrap_or(digits))
        }
        0 => {
            // A leading zero would be C's octal: only zero itself may have one.
            if rest.starts_with('0') && rest.bytes().any(|byte| !matches!(byte, b'0' | b'_')) {
                return None;
            }
            (10, rest)
        }
        _ => (base, rest),
    };
    let digits = digits.as_bytes();
    if digits.first().is_none_or(|first| *first == b'_') || digits.last() == Some(&b'_') {
        return None;
    }
    let mut values = Vec::with_capacity(digits.len());
    for (at, byte) in digits.iter().enumerate() {
        if *byte == b'_' {
            if digits[at + 1] == b'_' {
                return None;
            }
            continue;
        }
        values.push(char::from(*byte).to_digit(radix)? as u8);
    }
    if !radix.is_power_of_two() && values.len() > DIGITS_MAX {
        return Some(Err(values.len()));
    }
    let sign = if negative { Sign::Minus } else { Sign::Plus };
    BigInt::from_radix_be(sign, &values, radix).map(Ok)
}

pub fn parse_float(cx: &mut Context, value: &Value) -> Eval<f64> {
    let text = source(value).unwrap_or_default();
    cx.charge(text.len() / 16)?;
    match read_float(&text) {
        Some(float) => Ok(float),
        None => Err(cx.value_error(format!("could not convert string to float: {}", shown(value)))),
    }
}

fn read_float(text: &str) -> Option<f64> {
    let text = strip(text);
    let bytes = text.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let lone = |(at, byte): (usize, &u8)| *byte == b'_' && !(is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)));
    if bytes.iter().enumerate().any(lone) {
        return None;
    }
    text.replace('_', "").parse().ok()
}
