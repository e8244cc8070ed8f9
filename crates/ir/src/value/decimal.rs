//! Decimal numbers and their text, which follows Python's `str(Decimal)`. Arithmetic on them is the runner's.

use super::ParseError;
use num_bigint::BigUint;
use std::fmt::{Display, Formatter, Result as Written};
use std::str::FromStr;

/// A decimal number as Python's: sign, coefficient and exponent are kept, so `1.10` prints as `1.10`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Decimal {
    Finite { negative: bool, coefficient: BigUint, exponent: i64 },
    Infinity { negative: bool },
    NaN,
}

/// The most digits that text may give a number: converting takes time that grows with their square.
pub const MAX_DIGITS: usize = 200_000;

/// Plain notation where the exponent is not positive and at most six zeros follow the point; else scientific.
impl Display for Decimal {
    fn fmt(&self, out: &mut Formatter<'_>) -> Written {
        let (negative, coefficient, exponent) = match self {
            Decimal::NaN => return out.write_str("NaN"),
            Decimal::Infinity { negative } => return out.write_str(if *negative { "-Infinity" } else { "Infinity" }),
            Decimal::Finite { negative, coefficient, exponent } => (*negative, coefficient, i128::from(*exponent)),
        };
        if negative {
            out.write_str("-")?;
        }
        let digits = coefficient.to_string();
        // The place of the point, counted from the first digit.
        let point = exponent + digits.len() as i128;
        if exponent <= 0 && point > -6 {
            if point <= 0 {
                return write!(out, "0.{}{digits}", "0".repeat(point.unsigned_abs() as usize));
            }
            return match digits.split_at(point as usize) {
                (whole, "") => out.write_str(whole),
                (whole, fraction) => write!(out, "{whole}.{fraction}"),
            };
        }
        let (first, rest) = digits.split_at(1);
        out.write_str(first)?;
        if !rest.is_empty() {
            write!(out, ".{rest}")?;
        }
        write!(out, "E{:+}", point - 1)
    }
}

/// `1.10`, `-2.5E+10`, `Infinity`, `NaN`; upper or lower case.
impl FromStr for Decimal {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Decimal, ParseError> {
        parse(text).ok_or_else(|| ParseError::new("a decimal number", text))
    }
}

fn parse(text: &str) -> Option<Decimal> {
    let (negative, unsigned) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if unsigned.eq_ignore_ascii_case("infinity") || unsigned.eq_ignore_ascii_case("inf") {
        return Some(Decimal::Infinity { negative });
    }
    if text.eq_ignore_ascii_case("nan") {
        return Some(Decimal::NaN);
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (unsigned, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    if digits.is_empty() || digits.len() > MAX_DIGITS || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let coefficient = digits.parse::<BigUint>().ok()?;
    Some(Decimal::Finite { negative, coefficient, exponent: exponent.checked_sub(fraction.len() as i64)? })
}
