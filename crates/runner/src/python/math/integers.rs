//! Functions of `math` over integers of any size.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::context::{Context, Eval};
use crate::python::operators::integers::charge_product;
use crate::python::{Args, number};
use crate::types::TypeId;
use crate::value::Value;

fn fold(cx: &mut Context, args: Args<'_>, name: &str, start: i64, step: fn(&BigInt, &BigInt) -> BigInt) -> Eval {
    if !args.keyword.is_empty() {
        return Err(cx.type_error(format!("math.{name}() takes no keyword arguments")));
    }
    let mut result = BigInt::from(start);
    for value in args.positional {
        let next = number::index(cx, value)?;
        charge_product(cx, &result, &next)?;
        result = step(&result, &next);
    }
    Ok(Value::integer(result.abs()))
}

pub fn gcd(cx: &mut Context, args: Args<'_>) -> Eval {
    fold(cx, args, "gcd", 0, |a, b| a.gcd(b))
}

pub fn lcm(cx: &mut Context, args: Args<'_>) -> Eval {
    fold(cx, args, "lcm", 1, |a, b| if a.is_zero() || b.is_zero() { BigInt::zero() } else { a.lcm(b) })
}

pub fn isqrt(cx: &mut Context, args: Args<'_>) -> Eval {
    let value = super::one(cx, args, "isqrt")?;
    let integer = number::index(cx, &value)?;
    if integer.is_negative() {
        return Err(cx.value_error("isqrt() argument must be nonnegative"));
    }
    charge_product(cx, &integer, &integer)?;
    Ok(Value::integer(integer.sqrt()))
}

/// The product of `low..=high`, by halves so that factors stay of like size.
fn product(low: &BigInt, count: u64) -> BigInt {
    if count <= 8 {
        return (0..count).fold(BigInt::one(), |result, step| result * (low + step));
    }
    let half = count / 2;
    product(low, half) * product(&(low + half), count - half)
}

/// Accounts for a product of `count` factors of at most `bits` bits.
fn charge_factors(cx: &mut Context, count: u64, bits: u64) -> Eval<()> {
    let total = usize::try_from(count.saturating_mul(bits)).unwrap_or(usize::MAX);
    cx.check_size(total / 8)?;
    cx.charge((total / 64).saturating_mul(total / 64) / 64 + total / 64)
}

pub fn factorial(cx: &mut Context, args: Args<'_>) -> Eval {
    let value = super::one(cx, args, "factorial")?;
    let integer = number::index(cx, &value)?;
    if integer.is_negative() {
        return Err(cx.value_error("factorial() not defined for negative values"));
    }
    let Some(count) = integer.to_i64() else {
        let text = format!("factorial() argument should not exceed {}", i64::MAX);
        return Err(cx.raise(TypeId::OVERFLOW_ERROR, text));
    };
    charge_factors(cx, count as u64, integer.bits())?;
    Ok(Value::integer(product(&BigInt::one(), count as u64)))
}

fn non_negative(cx: &mut Context, value: &Value, name: &str) -> Eval<BigInt> {
    let integer = number::index(cx, value)?;
    match integer.is_negative() {
        true => Err(cx.value_error(format!("{name} must be a non-negative integer"))),
        false => Ok(integer),
    }
}

pub fn comb(cx: &mut Context, args: Args<'_>) -> Eval {
    if !args.keyword.is_empty() {
        return Err(cx.type_error("math.comb() takes no keyword arguments"));
    }
    let [n, k] = args.positional else {
        return Err(cx.type_error(format!("comb expected 2 arguments, got {}", args.positional.len())));
    };
    // Both must be integers before the size of either is looked at.
    number::index(cx, n)?;
    number::index(cx, k)?;
    let n = non_negative(cx, n, "n")?;
    let k = non_negative(cx, k, "k")?;
    if k > n {
        return Ok(Value::Int(0));
    }
    let fewer = (&n - &k).min(k);
    let Some(count) = fewer.to_i64() else {
        let text = format!("min(n - k, k) must not exceed {}", i64::MAX);
        return Err(cx.raise(TypeId::OVERFLOW_ERROR, text));
    };
    charge_factors(cx, count as u64, n.bits())?;
    let top = product(&(&n - &fewer + 1), count as u64);
    Ok(Value::integer(top / product(&BigInt::one(), count as u64)))
}

pub fn perm(cx: &mut Context, args: Args<'_>) -> Eval {
    if !args.keyword.is_empty() {
        return Err(cx.type_error("math.perm() takes no keyword arguments"));
    }
    let (n, k) = match args.positional {
        [n] | [n, Value::None] => return factorial(cx, Args { positional: std::slice::from_ref(n), keyword: &[] }),
        [n, k] => (n, k),
        other => {
            let least = if other.is_empty() { "at least 1 argument" } else { "at most 2 arguments" };
            return Err(cx.type_error(format!("perm expected {least}, got {}", other.len())));
        }
    };
    number::index(cx, n)?;
    number::index(cx, k)?;
    let n = non_negative(cx, n, "n")?;
    let k = non_negative(cx, k, "k")?;
    if k > n {
        return Ok(Value::Int(0));
    }
    let Some(count) = k.to_i64() else {
        return Err(cx.raise(TypeId::OVERFLOW_ERROR, format!("k must not exceed {}", i64::MAX)));
    };
    charge_factors(cx, count as u64, n.bits())?;
    Ok(Value::integer(product(&(&n - &k + 1), count as u64)))
}
