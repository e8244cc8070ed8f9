//! Methods of `float`.

use num_bigint::BigInt;

use crate::context::{Context, Eval};
use crate::python::{Args, Methods, number};
use crate::types::TypeId;
use crate::value::Value;

pub const METHODS: Methods = &[
    ("is_integer", is_integer),
    ("hex", hex),
    ("as_integer_ratio", as_integer_ratio),
    ("conjugate", conjugate),
    ("__float__", conjugate),
];

fn receiver(value: &Value) -> f64 {
    match value {
        Value::Float(float) => *float,
        _ => 0.0,
    }
}

fn is_integer(cx: &mut Context, value: &Value, args: Args<'_>) -> Eval {
    args.bind(cx, "float.is_integer", [], 0)?;
    let float = receiver(value);
    Ok(Value::Bool(float.is_finite() && float.trunc() == float))
}

fn conjugate(cx: &mut Context, value: &Value, args: Args<'_>) -> Eval {
    args.bind(cx, "float.conjugate", [], 0)?;
    Ok(value.clone())
}

/// Mantissa and exponent of a finite float: it is `mantissa * 2**exponent`.
pub fn parts(float: f64) -> (u64, i64) {
    let bits = float.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
    match exponent {
        0 => (fraction, -1_074),
        _ => (fraction | 1 << 52, exponent - 1_075),
    }
}

fn as_integer_ratio(cx: &mut Context, value: &Value, args: Args<'_>) -> Eval {
    args.bind(cx, "float.as_integer_ratio", [], 0)?;
    let float = receiver(value);
    if float.is_nan() {
        return Err(cx.value_error("cannot convert NaN to integer ratio"));
    }
    if float.is_infinite() {
        return Err(cx.raise(TypeId::OVERFLOW_ERROR, "cannot convert Infinity to integer ratio"));
    }
    let (mut mantissa, mut exponent) = parts(float);
    if mantissa == 0 {
        return Ok(cx.tuple(vec![Value::Int(0), Value::Int(1)]));
    }
    let zeros = mantissa.trailing_zeros();
    mantissa >>= zeros;
    exponent += i64::from(zeros);
    let (mut top, mut bottom) = (BigInt::from(mantissa), BigInt::from(1));
    if exponent > 0 {
        top <<= exponent;
    } else {
        bottom <<= -exponent;
    }
    let top = if float < 0.0 { -top } else { top };
    Ok(cx.tuple(vec![Value::integer(top), Value::integer(bottom)]))
}

fn hex(cx: &mut Context, value: &Value, args: Args<'_>) -> Eval {
    args.bind(cx, "float.hex", [], 0)?;
    Ok(Value::from(float_hex(receiver(value))))
}

/// `float.hex(value)`
pub fn float_hex(float: f64) -> String {
    if float.is_nan() {
        return "nan".to_string();
    }
    let sign = if float.is_sign_negative() { "-" } else { "" };
    if float.is_infinite() {
        return format!("{sign}inf");
    }
    if float == 0.0 {
        return format!("{sign}0x0.0p+0");
    }
    let (mantissa, exponent) = parts(float);
    let (whole, fraction) = (mantissa >> 52, mantissa & ((1 << 52) - 1));
    format!("{sign}0x{whole}.{fraction:013x}p{:+}", exponent + 52)
}

/// `float.fromhex(text)`
pub fn from_hex(cx: &mut Context, args: Args<'_>) -> Eval {
    let [text] = args.bind(cx, "float.fromhex", ["/string"], 1)?;
    let Some(Value::Str(text)) = &text else {
        let name = cx.type_name(&text.unwrap_or_default());
        return Err(cx.type_error(format!("bad argument type for built-in operation: {name}")));
    };
    match read_hex(text.trim_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r'])) {
        Some(float) if float.is_finite() => Ok(Value::Float(float)),
        Some(_) if text.to_ascii_lowercase().contains('n') => Ok(Value::Float(read_special(text).unwrap_or(f64::NAN))),
        Some(_) => Err(cx.raise(TypeId::OVERFLOW_ERROR, "hexadecimal value too large to represent as a float")),
        None => Err(cx.value_error("invalid hexadecimal floating-point string")),
    }
}

fn read_special(text: &str) -> Option<f64> {
    let text = text.trim().to_ascii_lowercase();
    let (sign, name) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(&text)),
    };
    match name {
        "inf" | "infinity" => Some(sign * f64::INFINITY),
        "nan" => Some(f64::NAN),
        _ => None,
    }
}

fn read_hex(text: &str) -> Option<f64> {
    if let Some(special) = read_special(text) {
        return Some(special);
    }
    let text = text.to_ascii_lowercase();
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(&text)),
    };
    let rest = rest.strip_prefix("0x").unwrap_or(rest);
    let (digits, exponent) = match rest.split_once('p') {
        Some((digits, exponent)) => {
            let plain = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if plain.is_empty() || !plain.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            let limit = if exponent.starts_with('-') { -1_000_000_000 } else { 1_000_000_000 };
            (digits, exponent.parse::<i64>().unwrap_or(limit).clamp(-1_000_000_000, 1_000_000_000))
        }
        None => (rest, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut mantissa = 0_u128;
    let mut exponent = exponent - 4 * fraction.len() as i64;
    for character in whole.chars().chain(fraction.chars()) {
        let digit = u128::from(character.to_digit(16)?);
        if mantissa >> 120 == 0 {
            mantissa = mantissa << 4 | digit;
        } else {
            // Lost digits only matter by not being zero.
            mantissa |= u128::from(digit != 0);
            exponent += 4;
        }
    }
    Some(sign * number::scale(mantissa, exponent))
}
