//! Integers and floats in the format mini-language; the digits of floats for `%` formatting too.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

use super::spec::Spec;
use crate::context::{Context, Eval};
use crate::python::repr::{self, exponent_text, integer_text, positional, scientific, shortest, split_scientific};
use crate::types::TypeId;
use crate::value::Value;

pub fn format_integer(cx: &mut Context, value: &Value, given: &str) -> Eval<String> {
    let type_name = cx.type_name(value);
    let spec = Spec::parse(cx, given, &type_name, Some('d'), '>')?;
    let number = match value {
        Value::Int(number) => BigInt::from(*number),
        Value::Bool(truth) => BigInt::from(i64::from(*truth)),
        Value::Big(number) => (**number).clone(),
        _ => return repr::display(cx, value),
    };
    match spec.kind {
        Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%') => {
            let number = float_of(cx, &number)?;
            return float_by_spec(cx, number, &spec, &type_name);
        }
        Some('b' | 'c' | 'd' | 'o' | 'x' | 'X' | 'n') => {}
        _ => return Err(spec.unknown_kind(cx, &type_name)),
    }
    if spec.precision.is_some() {
        return Err(cx.value_error("Precision not allowed in integer format specifier"));
    }
    if spec.no_negative_zero {
        return Err(cx.value_error("Negative zero coercion (z) not allowed in integer format specifier"));
    }
    if spec.kind == Some('c') {
        return format_char(cx, &number, &spec);
    }
    let (prefix, digits) = match spec.kind {
        Some('b') => ("0b", radix_text(cx, &number, 2)?),
        Some('o') => ("0o", radix_text(cx, &number, 8)?),
        Some('x') => ("0x", radix_text(cx, &number, 16)?),
        Some('X') => ("0X", radix_text(cx, &number, 16)?.to_ascii_uppercase()),
        _ => ("", integer_text(cx, &number)?.trim_start_matches('-').to_string()),
    };
    let prefix = if spec.alternate { prefix } else { "" };
    lay_out(cx, &spec, number.is_negative(), prefix, &digits, "")
}

/// Digits without a sign. The base is a power of two, so the work is linear.
pub fn radix_text(cx: &mut Context, number: &BigInt, radix: u32) -> Eval<String> {
    cx.check_size(number.bits() as usize / radix.trailing_zeros().max(1) as usize)?;
    Ok(number.magnitude().to_str_radix(radix))
}

/// `float(integer)`
pub fn float_of(cx: &mut Context, number: &BigInt) -> Eval<f64> {
    match number.to_f64() {
        Some(number) if number.is_finite() => Ok(number),
        _ => Err(cx.raise(TypeId::OVERFLOW_ERROR, "int too large to convert to float")),
    }
}

fn format_char(cx: &mut Context, number: &BigInt, spec: &Spec) -> Eval<String> {
    if spec.sign.is_some() {
        return Err(cx.value_error("Sign not allowed with integer format specifier 'c'"));
    }
    if spec.alternate {
        return Err(cx.value_error("Alternate form (#) not allowed with integer format specifier 'c'"));
    }
    let Some(code) = number.to_i64() else {
        return Err(cx.raise(TypeId::OVERFLOW_ERROR, "Python int too large to convert to C long"));
    };
    let char = char_of(cx, code)?;
    lay_out(cx, spec, false, "", "", char.encode_utf8(&mut [0; 4]))
}

/// The character that `%c` makes of an integer.
pub fn char_of(cx: &mut Context, code: i64) -> Eval<char> {
    match u32::try_from(code).ok().filter(|code| *code < 0x11_0000) {
        None => Err(cx.raise(TypeId::OVERFLOW_ERROR, "%c arg not in range(0x110000)")),
        Some(code) => match char::from_u32(code) {
            Some(char) => Ok(char),
            None => Err(cx.raise(TypeId::UNSUPPORTED, "a str can't hold lone surrogates")),
        },
    }
}

// ---------------------------------------------------------------------------------------------------- floats

pub fn format_float(cx: &mut Context, number: f64, given: &str) -> Eval<String> {
    let mut spec = Spec::parse(cx, given, "float", None, '>')?;
    // CPython stores a missing type as this character, and so takes it for one.
    spec.kind = spec.kind.filter(|kind| *kind != '\0');
    float_by_spec(cx, number, &spec, "float")
}

fn float_by_spec(cx: &mut Context, number: f64, spec: &Spec, type_name: &str) -> Eval<String> {
    let style = match spec.kind {
        None if spec.precision.is_none() => Style::Shortest,
        None => Style::GeneralWithPoint,
        Some('e' | 'E') => Style::Scientific,
        Some('f' | 'F' | '%') => Style::Fixed,
        Some('g' | 'G' | 'n') => Style::General,
        Some(_) => return Err(spec.unknown_kind(cx, type_name)),
    };
    let percent = spec.kind == Some('%');
    let number = if percent { number * 100.0 } else { number };
    let precision = spec.precision.unwrap_or(6);
    let mut body = float_body(cx, number, style, precision, spec.alternate)?;
    if matches!(spec.kind, Some('E' | 'F' | 'G')) {
        body.make_ascii_uppercase();
    }
    if percent {
        body.push('%');
    }
    let mantissa = body.split(['e', 'E']).next().unwrap_or_default();
    let is_zero = number.is_finite() && !mantissa.contains(|char| matches!(char, '1'..='9'));
    let negative = number.is_sign_negative() && !number.is_nan() && !(spec.no_negative_zero && is_zero);
    let whole = body.find(|char: char| !char.is_ascii_digit()).unwrap_or(body.len());
    lay_out(cx, spec, negative, "", &body[..whole], &body[whole..])
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As `repr()`.
    Shortest,
    /// `e`
    Scientific,
    /// `f`
    Fixed,
    /// `g`
    General,
    /// `g`, but still looking like a float: what a precision without a type means.
    GeneralWithPoint,
}

/// No double has more digits than these before they are all zeros.
const FRACTION_DIGITS_MAX: usize = 1_100;
const SIGNIFICANT_DIGITS_MAX: usize = 800;

/// The text of a float without its sign.
pub fn float_body(cx: &mut Context, number: f64, style: Style, precision: usize, alternate: bool) -> Eval<String> {
    if precision > i32::MAX as usize {
        return Err(cx.value_error("precision too big"));
    }
    if number.is_nan() {
        return Ok("nan".into());
    }
    if number.is_infinite() {
        return Ok("inf".into());
    }
    let number = number.abs();
    if style != Style::Shortest {
        cx.check_size(precision)?;
    }
    Ok(match style {
        Style::Shortest => {
            let (digits, exponent) = shortest(number);
            match (-4..16).contains(&exponent) {
                true => positional(&digits, exponent, true),
                false => with_point(scientific(&digits, exponent, 'e'), alternate),
            }
        }
        Style::Fixed => {
            let exact = precision.min(FRACTION_DIGITS_MAX);
            let mut text = format!("{number:.exact$}");
            text.extend(std::iter::repeat_n('0', precision - exact));
            with_point(text, alternate)
        }
        Style::Scientific => {
            let (digits, exponent) = significant(number, precision + 1);
            with_point(scientific(&digits, exponent, 'e'), alternate)
        }
        Style::General | Style::GeneralWithPoint => {
            let wanted = precision.max(1);
            let point_always = style == Style::GeneralWithPoint;
            let (mut digits, exponent) = significant(number, wanted);
            if !alternate {
                let kept = digits.trim_end_matches('0').len().max(1);
                digits.truncate(kept);
            }
            if exponent < -4 || i64::from(exponent) >= wanted as i64 - i64::from(point_always) {
                with_point(scientific(&digits, exponent, 'e'), alternate)
            } else {
                with_point(positional(&digits, exponent, point_always), alternate)
            }
        }
    })
}

/// Exactly so many significant digits, correctly rounded, and the exponent of the first.
fn significant(number: f64, count: usize) -> (String, i32) {
    let exact = count.min(SIGNIFICANT_DIGITS_MAX) - 1;
    let (mut digits, exponent) = split_scientific(&format!("{number:.exact$e}"));
    digits.extend(std::iter::repeat_n('0', count - 1 - exact));
    (digits, exponent)
}

/// The alternate form has a point always.
fn with_point(text: String, alternate: bool) -> String {
    if !alternate || text.contains('.') {
        return text;
    }
    match text.split_once('e') {
        Some((mantissa, _)) => {
            let exponent = text[mantissa.len() + 1..].parse().unwrap_or(0);
            format!("{mantissa}.{}", exponent_text(exponent, 'e'))
        }
        None => format!("{text}."),
    }
}

// ---------------------------------------------------------------------------------------------------- layout

/// Sign, prefix, digits (grouped), and the rest (fraction, exponent, `%`), filled up to the width.
fn lay_out(cx: &mut Context, spec: &Spec, negative: bool, prefix: &str, digits: &str, rest: &str) -> Eval<String> {
    let sign = match spec.sign {
        _ if negative => "-",
        Some('+') => "+",
        Some(' ') => " ",
        _ => "",
    };
    let width_bytes = spec.width.saturating_mul(spec.fill.len_utf8());
    cx.check_size(width_bytes.saturating_add(digits.len()).saturating_add(rest.len()))?;
    let others = sign.len() + prefix.len() + rest.chars().count();
    let zeros = spec.fill == '0' && spec.align == '=';
    let grouped = match spec.grouping {
        Some(separator) if !digits.is_empty() => {
            let group = if matches!(spec.kind, Some('b' | 'o' | 'x' | 'X')) { 4 } else { 3 };
            let least = if zeros { spec.width.saturating_sub(others) } else { 0 };
            group_digits(digits, separator, group, least)
        }
        _ => digits.to_string(),
    };
    let missing = spec.width.saturating_sub(others + grouped.len());
    let (before, inside, after) = match spec.align {
        '=' => (0, missing, 0),
        _ => {
            let (before, after) = spec.around(missing);
            (before, 0, after)
        }
    };
    let mut out = String::with_capacity(width_bytes + digits.len() + rest.len());
    out.extend(std::iter::repeat_n(spec.fill, before));
    out.push_str(sign);
    out.push_str(prefix);
    out.extend(std::iter::repeat_n(spec.fill, inside));
    out.push_str(&grouped);
    out.push_str(rest);
    out.extend(std::iter::repeat_n(spec.fill, after));
    Ok(out)
}

/// Digits with separators; with zeros in front, grouped too, until it is at least `least` long.
fn group_digits(digits: &str, separator: char, group: usize, least: usize) -> String {
    let mut reversed = String::new();
    let mut source = digits.chars().rev().peekable();
    let mut placed = 0;
    while source.peek().is_some() || reversed.len() < least {
        if placed > 0 && placed % group == 0 {
            reversed.push(separator);
        }
        reversed.push(source.next().unwrap_or('0'));
        placed += 1;
    }
    reversed.chars().rev().collect()
}
