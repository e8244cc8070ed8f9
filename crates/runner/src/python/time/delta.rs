//! `datetime.timedelta`: a whole number of microseconds within ±999999999 days.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{FromPrimitive, Signed, ToPrimitive, Zero};
use waymark_ir::BinaryOp;

use super::arguments::{self, Kind, bind, parameter, wrong_receiver};
use crate::context::{Context, Eval};
use crate::python::{Args, Methods};
use crate::types::TypeId;
use crate::value::Value;

pub const SECOND_US: i64 = 1_000_000;
pub const DAY_US: i64 = 86_400 * SECOND_US;
pub const DELTA_MIN_US: i128 = -999_999_999 * DAY_US as i128;
pub const DELTA_MAX_US: i128 = 1_000_000_000 * DAY_US as i128 - 1;

pub const METHODS: Methods = &[("total_seconds", total_seconds)];

/// `timedelta(days, seconds, microseconds, milliseconds, minutes, hours, weeks)`
pub fn construct(cx: &mut Context, args: Args<'_>) -> Eval {
    let parameters = [
        parameter("days", Kind::Any),
        parameter("seconds", Kind::Any),
        parameter("microseconds", Kind::Any),
        parameter("milliseconds", Kind::Any),
        parameter("minutes", Kind::Any),
        parameter("hours", Kind::Any),
        parameter("weeks", Kind::Any),
    ];
    let [days, seconds, microseconds, milliseconds, minutes, hours, weeks] = bind(cx, args, "__new__", &parameters, 0)?;
    let mut total = BigInt::zero();
    // What floats leave below a microsecond is summed apart, and rounded once.
    let mut leftover = 0.0;
    let parts = [
        ("microseconds", microseconds, 1),
        ("milliseconds", milliseconds, 1_000),
        ("seconds", seconds, SECOND_US),
        ("minutes", minutes, 60 * SECOND_US),
        ("hours", hours, 3_600 * SECOND_US),
        ("days", days, DAY_US),
        ("weeks", weeks, 7 * DAY_US),
    ];
    for (tag, value, factor) in parts {
        let Some(value) = value else { continue };
        if let Some(number) = integer(&value) {
            total += number * factor;
        } else if let Value::Float(number) = value {
            total += whole(cx, number.trunc())? * factor;
            let scaled = factor as f64 * number.fract();
            total += whole(cx, scaled.trunc())?;
            leftover += scaled.fract();
        } else {
            let name = cx.type_name(&value);
            return Err(cx.type_error(format!("unsupported type for timedelta {tag} component: {name}")));
        }
    }
    if leftover != 0.0 {
        let mut rounded = f64::round(leftover);
        if (rounded - leftover).abs() == 0.5 {
            // Halfway: to the even one of the two totals.
            let odd = if total.is_odd() { 1.0 } else { 0.0 };
            rounded = 2.0 * f64::round((leftover + odd) * 0.5) - odd;
        }
        total += whole(cx, rounded)?;
    }
    checked(cx, &total)
}

fn whole(cx: &mut Context, number: f64) -> Eval<BigInt> {
    if number.is_nan() {
        return Err(cx.value_error("cannot convert float NaN to integer"));
    }
    BigInt::from_f64(number).ok_or_else(|| cx.raise(TypeId::OVERFLOW_ERROR, "cannot convert float infinity to integer"))
}

fn integer(value: &Value) -> Option<BigInt> {
    match value {
        Value::Int(number) => Some(BigInt::from(*number)),
        Value::Bool(flag) => Some(BigInt::from(u8::from(*flag))),
        Value::Big(number) => Some((**number).clone()),
        _ => None,
    }
}

/// A delta of this many microseconds, if Python has it.
pub fn checked(cx: &mut Context, microseconds: &BigInt) -> Eval {
    let days = microseconds.div_floor(&BigInt::from(DAY_US));
    let Some(days) = days.to_i32() else {
        return Err(cx.raise(TypeId::OVERFLOW_ERROR, "Python int too large to convert to C int"));
    };
    match microseconds.to_i128() {
        Some(total) if days.unsigned_abs() <= 999_999_999 => Ok(Value::delta(total)),
        _ => {
            let text = format!("days={days}; must have magnitude <= 999999999");
            Err(cx.raise(TypeId::OVERFLOW_ERROR, text))
        }
    }
}

pub fn checked_small(cx: &mut Context, microseconds: i128) -> Eval {
    if (DELTA_MIN_US..=DELTA_MAX_US).contains(&microseconds) {
        return Ok(Value::delta(microseconds));
    }
    checked(cx, &BigInt::from(microseconds))
}

/// Days, seconds and microseconds as Python keeps them: only the days may be negative.
pub fn parts(microseconds: i128) -> (i64, i64, i64) {
    let day = i128::from(DAY_US);
    let rest = microseconds.rem_euclid(day) as i64;
    (microseconds.div_euclid(day) as i64, rest / SECOND_US, rest % SECOND_US)
}

pub fn attribute(microseconds: i128, name: &str) -> Option<Value> {
    let (days, seconds, rest) = parts(microseconds);
    match name {
        "days" => Some(Value::Int(days)),
        "seconds" => Some(Value::Int(seconds)),
        "microseconds" => Some(Value::Int(rest)),
        "min" => Some(Value::delta(DELTA_MIN_US)),
        "max" => Some(Value::delta(DELTA_MAX_US)),
        "resolution" => Some(Value::delta(1)),
        _ => None,
    }
}

fn total_seconds(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "timedelta.total_seconds")?;
    let Value::Delta(delta) = receiver else { return Err(wrong_receiver(cx, "datetime.timedelta", receiver)) };
    Ok(Value::Float(seconds_float(delta.microseconds)))
}

/// Microseconds as seconds, correctly rounded.
pub fn seconds_float(microseconds: i128) -> f64 {
    ratio(microseconds, i128::from(SECOND_US))
}

/// The float nearest to the quotient of two deltas or numbers of microseconds; `denominator` is not zero.
fn ratio(numerator: i128, denominator: i128) -> f64 {
    let exact = 1u128 << 53;
    if numerator.unsigned_abs() <= exact && denominator.unsigned_abs() <= exact {
        return numerator as f64 / denominator as f64;
    }
    let negative = (numerator < 0) != (denominator < 0);
    let (top, bottom) = (BigInt::from(numerator.unsigned_abs()), BigInt::from(denominator.unsigned_abs()));
    // Enough bits that the last one can stand for all that follow.
    let shift = (70 + bottom.bits() as i64 - top.bits() as i64).max(0) as u32;
    let (quotient, remainder) = (top << shift).div_rem(&bottom);
    let sticky = u128::from(!remainder.is_zero());
    let bits = quotient.to_u128().unwrap_or(u128::MAX) | sticky;
    let size = bits as f64 / 2f64.powi(shift as i32);
    if negative { -size } else { size }
}

/// The quotient of two integers, to the nearest, halves to the even one. `None`: division by zero.
fn nearest(numerator: &BigInt, denominator: &BigInt) -> Option<BigInt> {
    if denominator.is_zero() {
        return None;
    }
    let (quotient, remainder) = numerator.div_mod_floor(denominator);
    let doubled: BigInt = remainder.abs() * 2;
    let up = match doubled.cmp(&denominator.abs()) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Equal => quotient.is_odd(),
    };
    Some(if up { quotient + 1 } else { quotient })
}

/// A float as a fraction of integers, exactly.
fn fraction(cx: &mut Context, number: f64) -> Eval<(BigInt, BigInt)> {
    if number.is_nan() {
        return Err(cx.value_error("cannot convert NaN to integer ratio"));
    }
    if number.is_infinite() {
        return Err(cx.raise(TypeId::OVERFLOW_ERROR, "cannot convert Infinity to integer ratio"));
    }
    let bits = number.to_bits();
    let field = ((bits >> 52) & 0x7ff) as i32;
    let digits = (bits & ((1 << 52) - 1)) | if field == 0 { 0 } else { 1 << 52 };
    let exponent = field.max(1) - 1075;
    let mut top = BigInt::from(digits);
    let mut bottom = BigInt::from(1);
    if exponent >= 0 {
        top <<= exponent as u32;
    } else {
        bottom <<= exponent.unsigned_abs();
    }
    Ok((if number < 0.0 { -top } else { top }, bottom))
}

fn zero_division(cx: &mut Context, text: &str) -> crate::context::Fault {
    cx.raise(TypeId::ZERO_DIVISION_ERROR, text)
}

const BY_ZERO: &str = "integer division or modulo by zero";

/// Operators of two deltas, or of a delta and a number.
pub fn binary(cx: &mut Context, op: BinaryOp, left: &Value, right: &Value) -> Eval<Option<Value>> {
    if let (Value::Delta(left), Value::Delta(right)) = (left, right) {
        return between(cx, op, left.microseconds, right.microseconds);
    }
    let (delta, other) = match (left, right) {
        (Value::Delta(delta), other) => (delta, other),
        (other, Value::Delta(delta)) if op == BinaryOp::Multiply => (delta, other),
        _ => return Ok(None),
    };
    let total = BigInt::from(delta.microseconds);
    let result = match (op, integer(other), other) {
        (BinaryOp::Multiply, Some(number), _) => Some(total * number),
        (BinaryOp::Divide, Some(number), _) => nearest(&total, &number),
        (BinaryOp::FloorDivide, Some(number), _) if number.is_zero() => None,
        (BinaryOp::FloorDivide, Some(number), _) => Some(total.div_floor(&number)),
        (BinaryOp::Multiply, _, Value::Float(number)) => {
            let (top, bottom) = fraction(cx, *number)?;
            nearest(&(total * top), &bottom)
        }
        (BinaryOp::Divide, _, Value::Float(number)) => {
            let (top, bottom) = fraction(cx, *number)?;
            nearest(&(total * bottom), &top)
        }
        _ => return Ok(None),
    };
    match result {
        Some(total) => checked(cx, &total).map(Some),
        None => Err(zero_division(cx, BY_ZERO)),
    }
}

fn between(cx: &mut Context, op: BinaryOp, left: i128, right: i128) -> Eval<Option<Value>> {
    let value = match op {
        BinaryOp::Add => checked_small(cx, left.saturating_add(right))?,
        BinaryOp::Subtract => checked_small(cx, left.saturating_sub(right))?,
        BinaryOp::Divide if right == 0 => return Err(zero_division(cx, "division by zero")),
        BinaryOp::Divide => Value::Float(ratio(left, right)),
        BinaryOp::FloorDivide if right == 0 => return Err(zero_division(cx, BY_ZERO)),
        BinaryOp::FloorDivide => Value::integer(BigInt::from(Integer::div_floor(&left, &right))),
        BinaryOp::Modulo if right == 0 => return Err(zero_division(cx, "integer modulo by zero")),
        BinaryOp::Modulo => Value::delta(Integer::mod_floor(&left, &right)),
        _ => return Ok(None),
    };
    Ok(Some(value))
}

/// `divmod(left, right)` of two deltas.
pub fn divmod(cx: &mut Context, left: i128, right: i128) -> Eval<(Value, Value)> {
    if right == 0 {
        return Err(zero_division(cx, BY_ZERO));
    }
    let (quotient, rest) = Integer::div_mod_floor(&left, &right);
    Ok((Value::integer(BigInt::from(quotient)), Value::delta(rest)))
}

pub fn repr(microseconds: i128) -> String {
    let (days, seconds, rest) = parts(microseconds);
    let shown: Vec<String> = [("days", days), ("seconds", seconds), ("microseconds", rest)]
        .iter()
        .filter(|(_, number)| *number != 0)
        .map(|(name, number)| format!("{name}={number}"))
        .collect();
    let shown = if shown.is_empty() { "0".to_string() } else { shown.join(", ") };
    format!("datetime.timedelta({shown})")
}

pub fn display(microseconds: i128) -> String {
    let (days, seconds, rest) = parts(microseconds);
    let mut text = match days {
        0 => String::new(),
        1 | -1 => format!("{days} day, "),
        _ => format!("{days} days, "),
    };
    text += &format!("{}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    if rest != 0 {
        text += &format!(".{rest:06}");
    }
    text
}
