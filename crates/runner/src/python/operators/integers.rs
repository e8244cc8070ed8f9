//! Operators between integers. Sizes and work are accounted for before a large number is made.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use waymark_ir::BinaryOp;

use crate::context::{Context, Eval};
use crate::python::number;
use crate::python::operators::{floats, symbol};
use crate::types::TypeId;
use crate::value::Value;

/// Two integers of a machine word.
#[inline]
pub fn small(cx: &mut Context, op: BinaryOp, a: i64, b: i64) -> Eval {
    let quick = match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Subtract => a.checked_sub(b),
        BinaryOp::Multiply => a.checked_mul(b),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::FloorDivide if b != 0 && !(a == i64::MIN && b == -1) => Some(Integer::div_floor(&a, &b)),
        BinaryOp::Modulo if b != 0 && b != -1 => Some(Integer::mod_floor(&a, &b)),
        BinaryOp::Power if b >= 0 => u32::try_from(b).ok().and_then(|exponent| a.checked_pow(exponent)),
        BinaryOp::ShiftRight if b >= 0 => Some(a >> b.min(63)),
        BinaryOp::ShiftLeft if (0..63).contains(&b) && a.unsigned_abs().leading_zeros() as i64 > b => Some(a << b),
        BinaryOp::Divide if b != 0 && is_exact(a) && is_exact(b) => return Ok(Value::Float(a as f64 / b as f64)),
        _ => None,
    };
    if let Some(result) = quick {
        return Ok(Value::Int(result));
    }
    match big(cx, op, &a.into(), &b.into())? {
        Some(result) => Ok(result),
        None => Err(cx.type_error(format!("unsupported operand type(s) for {}: 'int' and 'int'", symbol(op)))),
    }
}

/// Whether a float holds this integer.
fn is_exact(value: i64) -> bool {
    value.unsigned_abs() <= 1 << 53
}

pub fn negate(value: &Value) -> Value {
    Value::integer(-number::as_integer(value).unwrap_or_default())
}

/// Any two integers. `None`: the operator is not defined for them.
pub fn big(cx: &mut Context, op: BinaryOp, a: &BigInt, b: &BigInt) -> Eval<Option<Value>> {
    let result = match op {
        BinaryOp::Add => {
            charge_linear(cx, a, b)?;
            a + b
        }
        BinaryOp::Subtract => {
            charge_linear(cx, a, b)?;
            a - b
        }
        BinaryOp::Multiply => {
            cx.check_size(((a.bits() + b.bits()) / 8) as usize)?;
            charge_product(cx, a, b)?;
            a * b
        }
        BinaryOp::Divide => return divide(cx, a, b).map(|float| Some(Value::Float(float))),
        BinaryOp::FloorDivide => {
            if b.is_zero() {
                return Err(cx.raise(TypeId::ZERO_DIVISION_ERROR, "integer division or modulo by zero"));
            }
            charge_product(cx, a, b)?;
            a.div_floor(b)
        }
        BinaryOp::Modulo => {
            if b.is_zero() {
                return Err(cx.raise(TypeId::ZERO_DIVISION_ERROR, "integer modulo by zero"));
            }
            charge_product(cx, a, b)?;
            a.mod_floor(b)
        }
        BinaryOp::Power => {
            if b.is_negative() {
                let (a, b) = (number::big_to_f64(cx, a)?, number::big_to_f64(cx, b)?);
                return floats::binary(cx, BinaryOp::Power, a, b);
            }
            power(cx, a, b)?
        }
        BinaryOp::ShiftLeft => shift_left(cx, a, b)?,
        BinaryOp::ShiftRight => {
            check_shift(cx, b)?;
            match b.to_u64() {
                Some(count) => a >> count,
                None if a.is_negative() => BigInt::from(-1),
                None => BigInt::zero(),
            }
        }
        BinaryOp::BitAnd => {
            charge_linear(cx, a, b)?;
            a & b
        }
        BinaryOp::BitOr => {
            charge_linear(cx, a, b)?;
            a | b
        }
        BinaryOp::BitXor => {
            charge_linear(cx, a, b)?;
            a ^ b
        }
        BinaryOp::MatrixMultiply => return Ok(None),
    };
    Ok(Some(Value::integer(result)))
}

fn charge_linear(cx: &mut Context, a: &BigInt, b: &BigInt) -> Eval<()> {
    cx.check_size((a.bits().max(b.bits()) / 8) as usize)
}

fn words(value: &BigInt) -> usize {
    (value.bits() / 64) as usize + 1
}

/// Multiplication and division take time in proportion to the product of the lengths, at worst.
pub fn charge_product(cx: &mut Context, a: &BigInt, b: &BigInt) -> Eval<()> {
    cx.charge(words(a).saturating_mul(words(b)) / 16)
}

/// True division, correctly rounded.
fn divide(cx: &mut Context, a: &BigInt, b: &BigInt) -> Eval<f64> {
    if b.is_zero() {
        return Err(cx.raise(TypeId::ZERO_DIVISION_ERROR, "division by zero"));
    }
    charge_linear(cx, a, b)?;
    let result = number::quotient(a, b);
    if result.is_infinite() {
        return Err(cx.raise(TypeId::OVERFLOW_ERROR, "integer division result too large for a float"));
    }
    Ok(result)
}

/// `base ** exponent` for an exponent that is not negative.
pub fn power(cx: &mut Context, base: &BigInt, exponent: &BigInt) -> Eval<BigInt> {
    if exponent.is_zero() || base.is_one() {
        return Ok(BigInt::one());
    }
    if base.is_zero() {
        return Ok(BigInt::zero());
    }
    if base.magnitude().is_one() {
        return Ok(if exponent.is_odd() { base.clone() } else { BigInt::one() });
    }
    let bits = exponent.to_u64().and_then(|exponent| (base.bits() - 1).max(1).checked_mul(exponent));
    let bits = bits.and_then(|bits| usize::try_from(bits).ok()).unwrap_or(usize::MAX);
    cx.check_size(bits / 8)?;
    cx.charge((bits / 64).saturating_mul(bits / 64) / 64)?;
    Ok(base.pow(exponent.to_u32().unwrap_or(u32::MAX)))
}

/// `pow(base, exponent, modulus)` for integers.
pub fn power_modulo(cx: &mut Context, base: &BigInt, exponent: &BigInt, modulus: &BigInt) -> Eval<BigInt> {
    if modulus.is_zero() {
        return Err(cx.value_error("pow() 3rd argument cannot be 0"));
    }
    let work = words(modulus).saturating_mul(words(modulus)).saturating_mul(words(exponent)).saturating_mul(4);
    cx.charge(work)?;
    let (mut base, mut exponent) = (base.mod_floor(modulus), exponent.clone());
    if exponent.is_negative() {
        match base.modinv(&modulus.abs()) {
            Some(inverse) => base = inverse,
            None => return Err(cx.value_error("base is not invertible for the given modulus")),
        }
        exponent = -exponent;
    }
    Ok(base.modpow(&exponent, modulus).mod_floor(modulus))
}

fn check_shift(cx: &mut Context, count: &BigInt) -> Eval<()> {
    if count.is_negative() {
        return Err(cx.value_error("negative shift count"));
    }
    Ok(())
}

fn shift_left(cx: &mut Context, value: &BigInt, count: &BigInt) -> Eval<BigInt> {
    check_shift(cx, count)?;
    if value.is_zero() {
        return Ok(BigInt::zero());
    }
    let Some(count) = count.to_u64().filter(|count| *count < i64::MAX as u64 - value.bits()) else {
        return Err(cx.raise(TypeId::OVERFLOW_ERROR, "too many digits in integer"));
    };
    cx.check_size(((value.bits() + count) / 8) as usize)?;
    Ok(value << count)
}
