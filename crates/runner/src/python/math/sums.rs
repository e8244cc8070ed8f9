//! Functions of `math` over many numbers: exact sums, products and distances.

use num_bigint::BigInt;
use num_traits::Zero;
use waymark_ir::BinaryOp;

use crate::context::{Context, Eval};
use crate::python::number::{self, to_f64};
use crate::python::{Args, iterate, operators};
use crate::types::TypeId;
use crate::value::Value;

/// The exact sum, rounded once: non-overlapping partial sums from small to large.
pub fn fsum(cx: &mut Context, args: Args<'_>) -> Eval {
    let items = super::one(cx, args, "fsum")?;
    let items = iterate::collect(cx, &items)?;
    cx.charge(items.len())?;
    let mut partials: Vec<f64> = Vec::new();
    let (mut special, mut infinite) = (0.0, 0.0);
    for item in &items {
        let original = to_f64(cx, item)?;
        let mut x = original;
        let mut kept = 0;
        for at in 0..partials.len() {
            let mut y = partials[at];
            if x.abs() < y.abs() {
                std::mem::swap(&mut x, &mut y);
            }
            let high = x + y;
            let low = y - (high - x);
            if low != 0.0 {
                partials[kept] = low;
                kept += 1;
            }
            x = high;
        }
        partials.truncate(kept);
        if x == 0.0 {
            continue;
        }
        if x.is_finite() {
            partials.push(x);
            continue;
        }
        if original.is_finite() {
            return Err(cx.raise(TypeId::OVERFLOW_ERROR, "intermediate overflow in fsum"));
        }
        if original.is_infinite() {
            infinite += original;
        }
        special += original;
        partials.clear();
    }
    if special != 0.0 {
        if f64::is_nan(infinite) {
            return Err(cx.value_error("-inf + inf in fsum"));
        }
        return Ok(Value::Float(special));
    }
    Ok(Value::Float(total(&partials)))
}

/// Adds partial sums from the largest down, and rounds half to even across all of them.
fn total(partials: &[f64]) -> f64 {
    let mut rest = partials.iter().rev().copied();
    let Some(mut high) = rest.next() else { return 0.0 };
    let mut low = 0.0;
    for y in rest.by_ref() {
        let x = high;
        high = x + y;
        low = y - (high - x);
        if low != 0.0 {
            break;
        }
    }
    if let Some(next) = rest.next()
        && ((low < 0.0 && next < 0.0) || (low > 0.0 && next > 0.0))
    {
        let y = low * 2.0;
        let x = high + y;
        if y == x - high {
            high = x;
        }
    }
    high
}

pub fn prod(cx: &mut Context, args: Args<'_>) -> Eval {
    let [items, start] = args.bind(cx, "prod", ["/iterable", "*start"], 1)?;
    let items = iterate::collect(cx, &items.unwrap_or_default())?;
    let mut result = start.unwrap_or(Value::Int(1));
    for item in &items {
        cx.charge(1)?;
        result = operators::binary(cx, BinaryOp::Multiply, &result, item)?;
    }
    Ok(result)
}

/// The length of a vector, correctly rounded: the squares are summed exactly.
fn norm(coordinates: &[f64]) -> f64 {
    if coordinates.iter().any(|x| x.is_infinite()) {
        return f64::INFINITY;
    }
    if coordinates.iter().any(|x| x.is_nan()) {
        return f64::NAN;
    }
    let largest = coordinates.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    if largest == 0.0 {
        return 0.0;
    }
    if coordinates.len() == 1 {
        return largest;
    }
    // Fixed point, 180 bits below the largest coordinate: what lies deeper can't be seen in the result.
    let (_, exponent) = libm::frexp(largest);
    let mut sum = BigInt::zero();
    for x in coordinates {
        let (fraction, own) = libm::frexp(x.abs());
        let mantissa = BigInt::from((fraction * (1_u64 << 53) as f64) as u64);
        let shift = i64::from(own) - 53 - (i64::from(exponent) - 180);
        if shift >= 0 {
            let fixed = mantissa << shift;
            sum += &fixed * &fixed;
        }
    }
    let root = sum.sqrt();
    let excess = root.bits().saturating_sub(120);
    let sticky = &root * &root != sum;
    let mantissa = num_traits::ToPrimitive::to_u128(&(&root >> excess)).unwrap_or(0) | u128::from(sticky);
    number::scale(mantissa, i64::from(exponent) - 180 + excess as i64)
}

pub fn hypot(cx: &mut Context, args: Args<'_>) -> Eval {
    if !args.keyword.is_empty() {
        return Err(cx.type_error("math.hypot() takes no keyword arguments"));
    }
    let coordinates = args.positional.iter().map(|value| to_f64(cx, value)).collect::<Eval<Vec<f64>>>()?;
    Ok(Value::Float(norm(&coordinates)))
}

pub fn dist(cx: &mut Context, args: Args<'_>) -> Eval {
    if !args.keyword.is_empty() {
        return Err(cx.type_error("math.dist() takes no keyword arguments"));
    }
    let [p, q] = args.positional else {
        return Err(cx.type_error(format!("dist expected 2 arguments, got {}", args.positional.len())));
    };
    let (p, q) = (iterate::collect(cx, p)?, iterate::collect(cx, q)?);
    if p.len() != q.len() {
        return Err(cx.value_error("both points must have the same number of dimensions"));
    }
    cx.charge(p.len())?;
    let mut differences = Vec::with_capacity(p.len());
    for (a, b) in p.iter().zip(&q) {
        differences.push(to_f64(cx, a)? - to_f64(cx, b)?);
    }
    Ok(Value::Float(norm(&differences)))
}
