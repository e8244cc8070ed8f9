//! Built-ins over numbers and characters.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{FromPrimitive, One, Pow, Signed, Zero};
use waymark_ir::{BinaryOp, UnaryOp};

use crate::context::{Context, Eval, Fault};
use crate::python::{Args, arguments, compare, iterate, operators};
use crate::types::TypeId;
use crate::value::Value;

pub fn abs(cx: &mut Context, args: Args<'_>) -> Eval {
    let value = arguments::one(cx, "abs", args)?;
    match value {
        Value::Int(number) => Ok(match number.checked_abs() {
            Some(number) => Value::Int(number),
            None => Value::integer(BigInt::from(*number).abs()),
        }),
        Value::Bool(value) => Ok(Value::Int(i64::from(*value))),
        Value::Big(number) => Ok(Value::integer(number.abs())),
        Value::Float(number) => Ok(Value::Float(number.abs())),
        Value::Delta(delta) => Ok(Value::delta(delta.microseconds.abs())),
        Value::Decimal(number) => match &**number {
            // A NaN has no order, but an absolute value.
            waymark_ir::Decimal::NaN => Ok(value.clone()),
            // Unary operators round to the context, as `abs` does; a negative zero is not less than zero, but signed.
            waymark_ir::Decimal::Finite { negative: true, .. } | waymark_ir::Decimal::Infinity { negative: true } => {
                operators::unary(cx, UnaryOp::Negative, value)
            }
            _ => operators::unary(cx, UnaryOp::Positive, value),
        },
        _ => {
            if compare::customises(cx, value, &["__abs__"]) {
                return Err(Fault::Worker);
            }
            if let Some(plain @ (Value::Int(_) | Value::Big(_))) = compare::enum_plain(cx, value) {
                return abs(cx, Args { positional: &[plain], keyword: &[] });
            }
            let text = format!("bad operand type for abs(): '{}'", cx.type_name(value));
            Err(cx.type_error(text))
        }
    }
}

pub fn round(cx: &mut Context, args: Args<'_>) -> Eval {
    let [number, digits] = arguments::named(cx, "round", args, ["number", "ndigits"], 1)?;
    let number = number.unwrap_or_default();
    let number = compare::enum_plain(cx, &number).unwrap_or(number);
    let digits = digits.filter(|digits| !digits.is_none());
    match number {
        Value::Int(_) | Value::Bool(_) | Value::Big(_) => {
            let value = arguments::big_integer(cx, &number)?;
            match digits {
                None => Ok(Value::integer(value)),
                Some(digits) => {
                    let digits = arguments::integer(cx, &digits)?.clamped();
                    round_integer(cx, value, digits)
                }
            }
        }
        Value::Float(value) => match digits {
            None => float_to_integer(cx, value.round_ties_even()),
            Some(digits) => {
                let digits = arguments::c_sized(cx, &digits, "ssize_t")?;
                round_float(cx, value, digits)
            }
        },
        Value::Decimal(number) => crate::python::decimal::round(cx, &number, digits.as_ref()),
        other => {
            if compare::customises(cx, &other, &["__round__"]) {
                return Err(Fault::Worker);
            }
            let text = format!("type {} doesn't define __round__ method", cx.type_name(&other));
            Err(cx.type_error(text))
        }
    }
}

fn float_to_integer(cx: &mut Context, value: f64) -> Eval {
    match BigInt::from_f64(value) {
        Some(integer) => Ok(Value::integer(integer)),
        None if value.is_nan() => Err(cx.value_error("cannot convert float NaN to integer")),
        None => Err(cx.raise(TypeId::OVERFLOW_ERROR, "cannot convert float infinity to integer")),
    }
}

fn round_integer(cx: &mut Context, value: BigInt, digits: i64) -> Eval {
    if digits >= 0 || value.is_zero() {
        return Ok(Value::integer(value));
    }
    // Each digit takes more than three bits, so a place beyond that is beyond half of the number.
    let places = digits.unsigned_abs();
    if places > value.bits() / 3 + 2 {
        return Ok(Value::Int(0));
    }
    cx.charge(places as usize)?;
    let unit = BigInt::from(10u8).pow(places);
    Ok(Value::integer(divide_half_even(&value, &unit) * unit))
}

/// The nearest integer to `value / unit` (a positive one); of two, the even one.
fn divide_half_even(value: &BigInt, unit: &BigInt) -> BigInt {
    let (quotient, rest) = value.div_mod_floor(unit);
    match (rest * 2u8).cmp(unit) {
        std::cmp::Ordering::Less => quotient,
        std::cmp::Ordering::Equal if quotient.is_even() => quotient,
        _ => quotient + 1u8,
    }
}

/// By the exact value of the float, as CPython does: `round(2.675, 2)` is 2.67.
fn round_float(cx: &mut Context, value: f64, digits: i64) -> Eval {
    if !value.is_finite() || value == 0.0 || digits > 323 {
        return Ok(Value::Float(value));
    }
    if digits < -308 {
        return Ok(Value::Float(0.0 * value));
    }
    let Some((mantissa, power)) = compare::float_parts(value.abs()) else { return Ok(Value::Float(value)) };
    let (mut numerator, mut denominator) = (BigInt::from(mantissa), BigInt::one());
    let scale = BigInt::from(10u8).pow(digits.unsigned_abs());
    if power >= 0 {
        numerator <<= power.unsigned_abs();
    } else {
        denominator <<= power.unsigned_abs();
    }
    if digits >= 0 {
        numerator *= scale;
    } else {
        denominator *= scale;
    }
    let rounded = divide_half_even(&numerator, &denominator);
    let result = format!("{rounded}e{}", -digits).parse::<f64>().unwrap_or(f64::INFINITY);
    if result.is_infinite() {
        return Err(cx.raise(TypeId::OVERFLOW_ERROR, "rounded value too large to represent"));
    }
    Ok(Value::Float(result.copysign(value)))
}

pub fn divmod(cx: &mut Context, args: Args<'_>) -> Eval {
    let given = arguments::several(cx, "divmod", args, 2, 2)?;
    let (left, right) = (&given[0], &given[1]);
    if compare::customises(cx, left, &["__divmod__"]) || compare::customises(cx, right, &["__rdivmod__"]) {
        return Err(Fault::Worker);
    }
    let integer = |value: &Value| matches!(value, Value::Int(_) | Value::Bool(_) | Value::Big(_));
    let real = |value: &Value| integer(value) || matches!(value, Value::Float(_));
    let exact = |value: &Value| integer(value) || matches!(value, Value::Decimal(_));
    let deltas = matches!((left, right), (Value::Delta(_), Value::Delta(_)));
    if !(real(left) && real(right) || exact(left) && exact(right) || deltas) {
        let (left, right) = (cx.type_name(left), cx.type_name(right));
        return Err(cx.type_error(format!("unsupported operand type(s) for divmod(): '{left}' and '{right}'")));
    }
    if matches!(left, Value::Float(_)) || matches!(right, Value::Float(_)) {
        if !compare::truth(cx, right)? {
            return Err(cx.raise(TypeId::ZERO_DIVISION_ERROR, "float divmod()"));
        }
    } else if integer(left) && integer(right) && !compare::truth(cx, right)? {
        return Err(cx.raise(TypeId::ZERO_DIVISION_ERROR, "integer division or modulo by zero"));
    }
    let quotient = operators::binary(cx, BinaryOp::FloorDivide, left, right)?;
    let rest = operators::binary(cx, BinaryOp::Modulo, left, right)?;
    Ok(cx.tuple(vec![quotient, rest]))
}

pub fn pow(cx: &mut Context, args: Args<'_>) -> Eval {
    let [base, exponent, modulus] = arguments::named(cx, "pow", args, ["base", "exp", "mod"], 2)?;
    let (base, exponent) = (base.unwrap_or_default(), exponent.unwrap_or_default());
    let Some(modulus) = modulus.filter(|modulus| !modulus.is_none()) else {
        return operators::binary(cx, BinaryOp::Power, &base, &exponent);
    };
    let operands = [&base, &exponent, &modulus];
    if operands.iter().any(|operand| compare::customises(cx, operand, &["__pow__", "__rpow__"])) {
        return Err(Fault::Worker);
    }
    let integer = |value: &Value| matches!(value, Value::Int(_) | Value::Bool(_) | Value::Big(_));
    if !operands.iter().all(|operand| integer(operand)) {
        if operands.iter().any(|operand| matches!(operand, Value::Decimal(_))) {
            return Err(Fault::Worker);
        }
        if operands.iter().any(|operand| matches!(operand, Value::Float(_)))
            && operands.iter().all(|operand| integer(operand) || matches!(operand, Value::Float(_)))
        {
            return Err(cx.type_error("pow() 3rd argument not allowed unless all arguments are integers"));
        }
        let [base, exponent, modulus] = operands.map(|operand| cx.type_name(operand));
        let text = format!("unsupported operand type(s) for ** or pow(): '{base}', '{exponent}', '{modulus}'");
        return Err(cx.type_error(text));
    }
    let base = arguments::big_integer(cx, &base)?;
    let exponent = arguments::big_integer(cx, &exponent)?;
    let modulus = arguments::big_integer(cx, &modulus)?;
    modular_power(cx, base, exponent, &modulus)
}

/// The result has the sign of the modulus.
fn modular_power(cx: &mut Context, base: BigInt, exponent: BigInt, modulus: &BigInt) -> Eval {
    if modulus.is_zero() {
        return Err(cx.value_error("pow() 3rd argument cannot be 0"));
    }
    let words = modulus.bits() as usize / 64 + 1;
    let work = (exponent.bits() as usize).saturating_mul(words.saturating_mul(words));
    cx.charge((work / 16).saturating_add(base.bits() as usize / 64))?;
    let positive = modulus.abs();
    let mut base = base.mod_floor(&positive);
    let mut exponent = exponent;
    if exponent.is_negative() {
        let found = base.extended_gcd(&positive);
        if !found.gcd.is_one() {
            return Err(cx.value_error("base is not invertible for the given modulus"));
        }
        base = found.x.mod_floor(&positive);
        exponent = -exponent;
    }
    Ok(Value::integer(base.modpow(&exponent, &positive).mod_floor(modulus)))
}

pub fn chr(cx: &mut Context, args: Args<'_>) -> Eval {
    let value = arguments::one(cx, "chr", args)?;
    let code = arguments::c_sized(cx, value, "int")?;
    if i32::try_from(code).is_err() {
        return Err(cx.raise(TypeId::OVERFLOW_ERROR, "Python int too large to convert to C int"));
    }
    match u32::try_from(code).ok().and_then(char::from_u32) {
        Some(letter) => Ok(iterate::letter_value(letter)),
        None if (0xd800..0xe000).contains(&code) => {
            Err(cx.raise(TypeId::UNSUPPORTED, "a str with half of a surrogate pair"))
        }
        None => Err(cx.value_error("chr() arg not in range(0x110000)")),
    }
}

pub fn ord(cx: &mut Context, args: Args<'_>) -> Eval {
    let value = arguments::one(cx, "ord", args)?;
    let plain = compare::enum_plain(cx, value).unwrap_or_else(|| value.clone());
    let length = match &plain {
        Value::Str(text) => {
            let mut letters = text.chars();
            if let (Some(letter), None) = (letters.next(), letters.next()) {
                return Ok(Value::Int(i64::from(u32::from(letter))));
            }
            text.chars().count()
        }
        Value::Bytes(bytes) => {
            if let [byte] = **bytes {
                return Ok(Value::Int(i64::from(byte)));
            }
            bytes.len()
        }
        other => {
            let text = format!("ord() expected string of length 1, but {} found", cx.type_name(other));
            return Err(cx.type_error(text));
        }
    };
    Err(cx.type_error(format!("ord() expected a character, but string of length {length} found")))
}

pub fn hex(cx: &mut Context, args: Args<'_>) -> Eval {
    in_base(cx, args, "hex", "0x", 16)
}

pub fn oct(cx: &mut Context, args: Args<'_>) -> Eval {
    in_base(cx, args, "oct", "0o", 8)
}

pub fn bin(cx: &mut Context, args: Args<'_>) -> Eval {
    in_base(cx, args, "bin", "0b", 2)
}

fn in_base(cx: &mut Context, args: Args<'_>, function: &str, prefix: &str, radix: u32) -> Eval {
    let value = arguments::one(cx, function, args)?;
    let number = arguments::big_integer(cx, value)?;
    cx.check_size(number.bits() as usize)?;
    let sign = if number.is_negative() { "-" } else { "" };
    Ok(Value::from(format!("{sign}{prefix}{}", number.abs().to_str_radix(radix))))
}
