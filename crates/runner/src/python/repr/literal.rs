//! Floats, text and bytes as Python would write them in a program.

use crate::python::text::codec::escape;
use crate::python::text::unicode;

/// The shortest text that reads back as the same float, in Python's form: `1.0`, `1e+16`, `nan`.
pub fn float_repr(value: f64) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf".into() } else { "-inf".into() };
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let (digits, exponent) = shortest(value.abs());
    if !(-4..16).contains(&exponent) {
        return format!("{sign}{}", scientific(&digits, exponent, 'e'));
    }
    format!("{sign}{}", positional(&digits, exponent, true))
}

/// The shortest significant digits that identify a finite float, and the exponent of the first.
pub fn shortest(value: f64) -> (String, i32) {
    let (digits, exponent) = split_scientific(&format!("{value:e}"));
    // Between two shortest forms that are equally near, Python takes the one that the exact value rounds to.
    let rounded = format!("{value:.*e}", digits.len().saturating_sub(1));
    if rounded.parse() == Ok(value) { split_scientific(&rounded) } else { (digits, exponent) }
}

/// `1.25e-7` as its digits and its exponent.
pub fn split_scientific(text: &str) -> (String, i32) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let digits = mantissa.chars().filter(char::is_ascii_digit).collect();
    (digits, exponent.parse().unwrap_or(0))
}

/// `d.ddde+xx`
pub fn scientific(digits: &str, exponent: i32, letter: char) -> String {
    let (first, rest) = digits.split_at(1.min(digits.len()));
    let point = if rest.is_empty() { "" } else { "." };
    format!("{first}{point}{rest}{}", exponent_text(exponent, letter))
}

/// `e+16`: a sign, and two digits at least.
pub fn exponent_text(exponent: i32, letter: char) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{letter}{sign}{:02}", exponent.unsigned_abs())
}

/// Digits without an exponent; `.0` for a whole number where `fraction` asks for it.
pub fn positional(digits: &str, exponent: i32, fraction: bool) -> String {
    if exponent < 0 {
        return format!("0.{}{digits}", "0".repeat(exponent.unsigned_abs() as usize - 1));
    }
    let whole = exponent as usize + 1;
    if digits.len() > whole {
        return format!("{}.{}", &digits[..whole], &digits[whole..]);
    }
    format!("{digits}{}{}", "0".repeat(whole - digits.len()), if fraction { ".0" } else { "" })
}

pub fn str_repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for char in text.chars() {
        match char {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if char == quote => {
                out.push('\\');
                out.push(char);
            }
            _ if unicode::is_printable(char) => out.push(char),
            _ => out.push_str(&escape(char)),
        }
    }
    out.push(quote);
    out
}

pub fn bytes_repr(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { b'"' } else { b'\'' };
    let mut out = String::with_capacity(bytes.len() + 3);
    out.push('b');
    out.push(char::from(quote));
    for byte in bytes.iter().copied() {
        match byte {
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            _ if byte == quote => {
                out.push('\\');
                out.push(char::from(byte));
            }
            b' '..=b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
    out.push(char::from(quote));
    out
}

/// What `ascii()` makes of what `repr()` gave.
pub fn ascii_only(text: String) -> String {
    if text.is_ascii() {
        return text;
    }
    let mut out = String::with_capacity(text.len() * 2);
    for char in text.chars() {
        if char.is_ascii() { out.push(char) } else { out.push_str(&escape(char)) }
    }
    out
}
