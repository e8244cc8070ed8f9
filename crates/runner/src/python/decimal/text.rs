//! Decimals from and to text, and the format mini-language for them.

use num_bigint::BigUint;
use num_traits::Zero;
use waymark_ir::Decimal;

use super::arithmetic::{EXPONENT_MAX, Rounding, Signal, digits, drop_digits, finite, rescale};
use crate::context::{Context, Eval};
use crate::python::number::plain_ascii;

fn cleaned(text: &str) -> Option<String> {
    let mut plain = plain_ascii(text.trim_matches(is_space))?;
    plain.retain(|character| character != '_');
    Some(plain.to_ascii_lowercase())
}

fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\x1c'..='\x1f')
}

/// NaNs that Python tells apart and our values don't.
pub fn is_unrepresentable(text: &str) -> bool {
    let Some(text) = cleaned(text) else { return false };
    let unsigned = text.trim_start_matches(['+', '-']);
    let Some((front, payload)) = unsigned.split_once("nan") else { return false };
    let is_nan = matches!(front, "" | "s") && payload.bytes().all(|byte| byte.is_ascii_digit());
    is_nan && (front == "s" || text.starts_with('-') || payload.bytes().any(|byte| byte != b'0'))
}

pub fn parse(text: &str) -> Result<Decimal, Signal> {
    let text = cleaned(text).ok_or(Signal::ConversionSyntax)?;
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(&text)),
    };
    match rest {
        "inf" | "infinity" => return Ok(Decimal::Infinity { negative }),
        "nan" => return Ok(Decimal::NaN),
        _ => {}
    }
    let (number, power) = match rest.split_once('e') {
        Some((number, power)) => (number, Some(power)),
        None => (rest, None),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || !is_digits(whole) || !is_digits(fraction) {
        return Err(Signal::ConversionSyntax);
    }
    let power = match power {
        None => 0,
        Some(power) => {
            let plain = power.strip_prefix(['+', '-']).unwrap_or(power);
            if plain.is_empty() || !is_digits(plain) {
                return Err(Signal::ConversionSyntax);
            }
            power.parse::<i64>().map_err(|_| Signal::InvalidOperation)?
        }
    };
    let values: Vec<u8> = whole.bytes().chain(fraction.bytes()).map(|byte| byte - b'0').collect();
    let coefficient = BigUint::from_radix_be(&values, 10).unwrap_or_default();
    let exponent = power.saturating_sub(fraction.len() as i64);
    if exponent.saturating_add(digits(&coefficient) - 1) >= EXPONENT_MAX || exponent <= -2 * EXPONENT_MAX {
        return Err(Signal::InvalidOperation);
    }
    Ok(finite(negative, coefficient, exponent))
}

/// `str(number)`
pub fn display(number: &Decimal) -> String {
    write(number, 'E', 1)
}

/// `number.to_eng_string()`: exponents are multiples of three.
pub fn engineering(number: &Decimal) -> String {
    write(number, 'E', 3)
}

fn write(number: &Decimal, letter: char, step: i64) -> String {
    let sign = if super::is_negative(number) { "-" } else { "" };
    match number {
        Decimal::NaN => "NaN".to_string(),
        Decimal::Infinity { .. } => format!("{sign}Infinity"),
        Decimal::Finite { coefficient, exponent, .. } => {
            let (whole, fraction, power) = layout(&coefficient.to_string(), *exponent, coefficient.is_zero(), step);
            format!("{sign}{}", join(&whole, &fraction, power, letter))
        }
    }
}

/// Digits before and behind the point, and the exponent to show.
fn layout(text: &str, exponent: i64, is_zero: bool, step: i64) -> (String, String, Option<i64>) {
    let length = text.len() as i64;
    let left = exponent + length;
    let mut point = match exponent <= 0 && left > -6 {
        true => left,
        false if step == 1 => 1,
        false if is_zero => (left + 1).rem_euclid(3) - 1,
        false => (left - 1).rem_euclid(3) + 1,
    };
    let power = (left != point).then_some(left - point);
    let mut text = text.to_string();
    if point > length {
        text.push_str(&"0".repeat((point - length) as usize));
    }
    if point <= 0 {
        text.insert_str(0, &"0".repeat((1 - point) as usize));
        point = 1;
    }
    let (whole, fraction) = text.split_at(point as usize);
    (whole.to_string(), fraction.to_string(), power)
}

fn join(whole: &str, fraction: &str, power: Option<i64>, letter: char) -> String {
    let point = if fraction.is_empty() { "" } else { "." };
    match power {
        Some(power) => format!("{whole}{point}{fraction}{letter}{power:+}"),
        None => format!("{whole}{point}{fraction}"),
    }
}

struct Spec {
    fill: char,
    align: char,
    sign: char,
    no_negative_zero: bool,
    zero_padded: bool,
    width: usize,
    grouped: bool,
    precision: Option<i64>,
    kind: char,
}

/// `[[fill]align][sign][z][0][width][,][.precision][type]`; `None`: it is not one.
fn read_spec(spec: &str) -> Option<Spec> {
    let is_align = |character: char| matches!(character, '<' | '>' | '=' | '^');
    let mut rest: Vec<char> = spec.chars().rev().collect();
    let (mut fill, mut align) = (' ', None);
    if rest.len() >= 2 && is_align(rest[rest.len() - 2]) {
        fill = rest.pop()?;
        align = rest.pop();
    } else if rest.last().is_some_and(|first| is_align(*first)) {
        align = rest.pop();
    }
    let mut take = |wanted: &[char]| match rest.last() {
        Some(next) if wanted.contains(next) => rest.pop(),
        _ => None,
    };
    let sign = take(&['+', '-', ' ']).unwrap_or('-');
    let no_negative_zero = take(&['z']).is_some();
    let mut zero_padded = take(&['0']).is_some();
    if zero_padded && align.is_some() {
        return None;
    }
    const DIGITS: [char; 10] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
    let mut width = String::new();
    while let Some(digit) = take(&DIGITS) {
        width.push(digit);
    }
    let grouped = take(&[',']).is_some();
    let mut precision = None;
    if take(&['.']).is_some() {
        let mut text = String::new();
        while let Some(digit) = take(&DIGITS) {
            text.push(digit);
        }
        precision = Some(text.parse::<i32>().ok()?.into());
    }
    let kind = take(&['e', 'E', 'f', 'F', 'g', 'G', '%', 'n']).unwrap_or(' ');
    if !rest.is_empty() || (kind == 'n' && grouped) {
        return None;
    }
    if fill == '0' && align == Some('=') {
        zero_padded = true;
    }
    let width = if width.is_empty() { 0 } else { width.parse::<i32>().ok()? as usize };
    let align = align.unwrap_or('>');
    Some(Spec { fill, align, sign, no_negative_zero, zero_padded, width, grouped, precision, kind })
}

/// `format(decimal, spec)`
pub fn format(cx: &mut Context, value: &Decimal, spec: &str) -> Eval<String> {
    let Some(spec) = read_spec(spec) else {
        return Err(cx.value_error("invalid format string"));
    };
    let spread = match value {
        Decimal::Finite { exponent, .. } if matches!(spec.kind, 'f' | 'F' | '%') => exponent.unsigned_abs() as usize,
        _ => 0,
    };
    let precision = spec.precision.unwrap_or(0).unsigned_abs() as usize;
    cx.check_size(spec.width.saturating_mul(4).saturating_add(precision).saturating_add(spread))?;
    let mut negative = super::is_negative(value);
    let suffix = if spec.kind == '%' { "%" } else { "" };
    let (whole, tail, is_number) = match value {
        Decimal::NaN => ("NaN".to_string(), suffix.to_string(), false),
        Decimal::Infinity { .. } => ("Infinity".to_string(), suffix.to_string(), false),
        Decimal::Finite { coefficient, exponent, .. } => {
            let (whole, fraction, power, is_zero) = body(coefficient, *exponent, negative, &spec);
            negative &= !(spec.no_negative_zero && is_zero);
            let letter = if matches!(spec.kind, 'e' | 'g' | 'n') { 'e' } else { 'E' };
            let tail = join("", &fraction, power, letter);
            (whole, tail + suffix, true)
        }
    };
    let sign = match (negative, spec.sign) {
        (true, _) => "-",
        (false, '+') => "+",
        (false, ' ') => " ",
        _ => "",
    };
    let zero_padded = spec.zero_padded && is_number;
    let minimum = match zero_padded {
        true => spec.width.saturating_sub(sign.len() + tail.len()),
        false => 0,
    };
    let whole = if is_number { group(&whole, spec.grouped, minimum) } else { whole };
    let length = sign.len() + whole.len() + tail.len();
    let padding = spec.width.saturating_sub(length);
    let pad = |count: usize| spec.fill.to_string().repeat(count);
    Ok(match spec.align {
        '<' => format!("{sign}{whole}{tail}{}", pad(padding)),
        '^' => format!("{}{sign}{whole}{tail}{}", pad(padding / 2), pad(padding - padding / 2)),
        '=' => format!("{sign}{}{whole}{tail}", pad(padding)),
        _ => format!("{}{sign}{whole}{tail}", pad(padding)),
    })
}

/// Digits before and behind the point, the exponent to show, and whether all that is left is zero.
fn body(coefficient: &BigUint, exponent: i64, negative: bool, spec: &Spec) -> (String, String, Option<i64>, bool) {
    let (mut coefficient, mut exponent) = (coefficient.clone(), exponent);
    let round_to = |coefficient: &mut BigUint, exponent: &mut i64, length: i64| {
        let drop = digits(coefficient) - length;
        if drop > 0 {
            *coefficient = drop_digits(coefficient, drop, Rounding::HalfEven, negative);
            *exponent += drop;
            if digits(coefficient) > length {
                *coefficient /= 10_u8;
                *exponent += 1;
            }
        }
    };
    match spec.kind {
        'e' | 'E' => {
            if let Some(precision) = spec.precision {
                round_to(&mut coefficient, &mut exponent, precision + 1);
            }
            let is_zero = coefficient.is_zero();
            let mut text = coefficient.to_string();
            // A zero grows towards the left, any other number towards the right.
            if let Some(missing) = spec.precision.map(|precision| precision + 1 - text.len() as i64)
                && missing > 0
            {
                text.push_str(&"0".repeat(missing as usize));
                exponent -= if is_zero { 0 } else { missing };
            }
            let power = exponent + text.len() as i64 - 1;
            let (whole, fraction) = text.split_at(1);
            (whole.to_string(), fraction.to_string(), Some(power), is_zero)
        }
        'f' | 'F' | '%' => {
            exponent += if spec.kind == '%' { 2 } else { 0 };
            let target = match spec.precision {
                Some(precision) => -precision,
                None => exponent.min(0),
            };
            let coefficient = rescale(&coefficient, exponent, target, Rounding::HalfEven, negative);
            let text = coefficient.to_string();
            let places = target.unsigned_abs() as usize;
            let text = format!("{}{text}", "0".repeat((places + 1).saturating_sub(text.len())));
            let (whole, fraction) = text.split_at(text.len() - places);
            (whole.to_string(), fraction.to_string(), None, coefficient.is_zero())
        }
        _ => {
            if let Some(precision) = spec.precision {
                round_to(&mut coefficient, &mut exponent, precision.max(1));
            }
            let is_zero = coefficient.is_zero();
            let (whole, fraction, power) = layout(&coefficient.to_string(), exponent, is_zero, 1);
            (whole, fraction, power, is_zero)
        }
    }
}

/// Puts in commas, and zeros in front up to `minimum` characters.
fn group(whole: &str, grouped: bool, minimum: usize) -> String {
    if !grouped {
        return format!("{}{whole}", "0".repeat(minimum.saturating_sub(whole.len())));
    }
    let mut reversed = String::new();
    let (mut count, mut source) = (0, whole.bytes().rev());
    loop {
        let next = source.next();
        if next.is_none() && reversed.len() >= minimum {
            break;
        }
        if count > 0 && count % 3 == 0 {
            reversed.push(',');
        }
        reversed.push(char::from(next.unwrap_or(b'0')));
        count += 1;
    }
    reversed.chars().rev().collect()
}
