//! Powers, exponentials and logarithms of decimals, in fixed point with far more digits than the context keeps.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use waymark_ir::Decimal;

use super::arithmetic::{
    EXPONENT_LARGEST, EXPONENT_TINY, PRECISION, Signal, adjusted, compare, digits, divide_with, finish, finite,
    multiply_with, reduce, ten_to,
};

type Outcome = Result<Decimal, Signal>;

/// Digits behind the point of all intermediate values.
const PLACES: u64 = 90;

/// Natural logarithms beyond this are outside the exponents of the context on either side.
const LOGARITHM_MAX: f64 = 2_400_000.0;

fn scale() -> BigInt {
    BigInt::from(ten_to(PLACES))
}

/// `atanh(1/n)` in fixed point.
fn atanh_inverse(n: u32) -> BigInt {
    let square = BigInt::from(n) * n;
    let mut power = scale() / n;
    let (mut sum, mut odd) = (BigInt::zero(), 1_u32);
    while !power.is_zero() {
        sum += &power / odd;
        power /= &square;
        odd += 2;
    }
    sum
}

/// ln 10 = 3 ln 2 + ln 1.25
fn ln_ten() -> BigInt {
    atanh_inverse(3) * 6 + atanh_inverse(9) * 2
}

/// `e**x` for a small x in fixed point.
fn exp_small(x: &BigInt) -> BigInt {
    const HALVINGS: u32 = 8;
    let one = scale();
    let reduced: BigInt = x >> HALVINGS;
    let (mut term, mut sum, mut n) = (one.clone(), one.clone(), 1_u32);
    loop {
        term = &term * &reduced / &one / n;
        if term.is_zero() {
            break;
        }
        sum += &term;
        n += 1;
    }
    for _ in 0..HALVINGS {
        sum = &sum * &sum / &one;
    }
    sum
}

/// The natural logarithm of a positive number, in fixed point.
fn ln_fixed(coefficient: &BigUint, exponent: i64) -> BigInt {
    let length = digits(coefficient);
    let first = match PLACES as i64 - (length - 1) {
        padding if padding >= 0 => coefficient * ten_to(padding as u64),
        cut => coefficient / ten_to(cut.unsigned_abs()),
    };
    let first = BigInt::from(first);
    let guess = (first.to_f64().unwrap_or(1.0) / scale().to_f64().unwrap_or(1.0)).ln();
    let mut ln = BigInt::from((guess * 1e15) as i64) * BigInt::from(ten_to(PLACES - 15));
    // Each round triples the number of correct digits.
    for _ in 0..3 {
        let power = exp_small(&ln);
        ln += (&first - &power) * 2 * scale() / (&first + &power);
    }
    ln + ln_ten() * (exponent + length - 1)
}

/// `e**x` in the context, for x in fixed point.
fn exp_fixed(x: &BigInt, negative: bool) -> Outcome {
    let approximate = x.to_f64().unwrap_or(f64::MAX) / scale().to_f64().unwrap_or(1.0);
    if approximate > LOGARITHM_MAX {
        return Err(Signal::Overflow);
    }
    if approximate < -LOGARITHM_MAX {
        return Ok(finite(negative, BigUint::zero(), EXPONENT_TINY));
    }
    let (tens, rest) = x.div_mod_floor(&ln_ten());
    let mut coefficient = exp_small(&rest).magnitude().clone();
    if (&coefficient % 5_u8).is_zero() {
        coefficient += 1_u8;
    }
    finish(negative, coefficient, tens.to_i64().unwrap_or(0) - PLACES as i64)
}

/// One, with all the digits that an inexact result has.
fn padded_one(negative: bool, places: i64) -> Decimal {
    let places = places.clamp(0, PRECISION - 1);
    finite(negative, ten_to(places as u64), -places)
}

/// A decimal that is an integer, as one. `None`: it is none, or far too large.
fn integer(number: &Decimal) -> Option<BigInt> {
    let Decimal::Finite { negative, coefficient, exponent } = reduce(number) else { return None };
    if !(0..=64).contains(&exponent) {
        return None;
    }
    let sign = if negative { Sign::Minus } else { Sign::Plus };
    Some(BigInt::from_biguint(sign, coefficient * ten_to(exponent as u64)))
}

fn is_integer(number: &Decimal) -> bool {
    matches!(reduce(number), Decimal::Finite { exponent: 0.., .. })
}

/// `base ** exponent`
pub fn power(base: &Decimal, exponent: &Decimal) -> Outcome {
    if matches!(base, Decimal::NaN) || matches!(exponent, Decimal::NaN) {
        return Ok(Decimal::NaN);
    }
    let whole = is_integer(exponent);
    let odd = integer(exponent).is_some_and(|integer| integer.is_odd());
    let negative = super::is_negative(base) && whole && odd;
    let exponent_negative = super::is_negative(exponent);
    let zero = || finite(negative, BigUint::zero(), 0);
    if super::is_zero(base) {
        return match exponent {
            _ if super::is_zero(exponent) => Err(Signal::InvalidOperation),
            _ if exponent_negative => Ok(Decimal::Infinity { negative }),
            _ => Ok(zero()),
        };
    }
    if super::is_negative(base) && !whole {
        return Err(Signal::InvalidOperation);
    }
    let magnitude = match base {
        Decimal::Finite { coefficient, exponent, .. } => finite(false, coefficient.clone(), *exponent),
        other => other.clone(),
    };
    let one = finite(false, BigUint::one(), 0);
    let against_one = compare(&magnitude, &one);
    if let Decimal::Infinity { .. } = exponent {
        return Ok(match against_one {
            Some(Ordering::Equal) => padded_one(negative, PRECISION),
            order if (order == Some(Ordering::Less)) == exponent_negative => Decimal::Infinity { negative },
            _ => zero(),
        });
    }
    if super::is_zero(exponent) {
        return Ok(one);
    }
    let Decimal::Finite { coefficient, exponent: base_exponent, .. } = &magnitude else {
        return Ok(if exponent_negative { zero() } else { Decimal::Infinity { negative } });
    };
    if against_one == Some(Ordering::Equal) {
        return Ok(match integer(exponent) {
            Some(count) if count.is_negative() => finite(negative, BigUint::one(), 0),
            Some(count) => {
                let places = (count * -base_exponent).to_i64().unwrap_or(PRECISION);
                padded_one(negative, places)
            }
            None if whole && (exponent_negative || *base_exponent == 0) => finite(negative, BigUint::one(), 0),
            None => padded_one(negative, PRECISION),
        });
    }
    // Ordinary powers are far from the limits of the exponent: no need for a logarithm.
    let place = adjusted(coefficient, *base_exponent).unsigned_abs() + 1;
    if let Some(count) = integer(exponent)
        && let Some(times) = count.magnitude().to_u64()
        && place.saturating_mul(times) < EXPONENT_LARGEST as u64
    {
        return power_integer(&magnitude, count.is_negative(), times, negative);
    }
    let ln = ln_fixed(coefficient, *base_exponent);
    let approximate = ln.to_f64().unwrap_or(0.0) / scale().to_f64().unwrap_or(1.0) * super::to_f64(exponent);
    if approximate > LOGARITHM_MAX {
        return Err(Signal::Overflow);
    }
    if approximate < -LOGARITHM_MAX {
        return Ok(finite(negative, BigUint::zero(), EXPONENT_TINY));
    }
    if let Some(count) = integer(exponent)
        && let Some(times) = count.magnitude().to_u64()
    {
        return power_integer(&magnitude, count.is_negative(), times, negative);
    }
    if approximate.abs() < 1e-40 {
        return Ok(padded_one(negative, PRECISION));
    }
    let Decimal::Finite { coefficient: factor, exponent: places, .. } = exponent else {
        return Err(Signal::InvalidOperation);
    };
    let factor = BigInt::from_biguint(if exponent_negative { Sign::Minus } else { Sign::Plus }, factor.clone());
    let product = match *places >= 0 {
        true => ln * factor * BigInt::from(ten_to(places.unsigned_abs())),
        false => ln * factor / BigInt::from(ten_to(places.unsigned_abs())),
    };
    exp_fixed(&product, negative)
}

/// By squaring, with as many spare digits as Python takes, so that exact results keep their exponents.
fn power_integer(base: &Decimal, inverse: bool, times: u64, negative: bool) -> Outcome {
    let count_digits = i64::from(times.checked_ilog10().unwrap_or(0)) + 1;
    let precision = PRECISION + count_digits + 2 + i64::from(inverse);
    let one = finite(false, BigUint::one(), 0);
    let base = if inverse { divide_with(&one, base, precision)? } else { base.clone() };
    let mut result = base.clone();
    for bit in (0..63 - times.leading_zeros().min(63)).rev() {
        result = multiply_with(&result, &result, precision)?;
        if times >> bit & 1 == 1 {
            result = multiply_with(&result, &base, precision)?;
        }
        if super::is_zero(&result) {
            break;
        }
    }
    match result {
        Decimal::Finite { coefficient, exponent, .. } => finish(negative, coefficient, exponent),
        other => Ok(other),
    }
}

/// `e ** number`
pub fn exp(number: &Decimal) -> Outcome {
    let (negative, coefficient, exponent) = match number {
        Decimal::NaN => return Ok(Decimal::NaN),
        Decimal::Infinity { negative: true } => return Ok(finite(false, BigUint::zero(), 0)),
        Decimal::Infinity { negative: false } => return Ok(number.clone()),
        Decimal::Finite { negative, coefficient, exponent } => (*negative, coefficient, *exponent),
    };
    if coefficient.is_zero() {
        return Ok(finite(false, BigUint::one(), 0));
    }
    let place = adjusted(coefficient, exponent);
    if place > 8 {
        return match negative {
            true => Ok(finite(false, BigUint::zero(), EXPONENT_TINY)),
            false => Err(Signal::Overflow),
        };
    }
    if place < -(PRECISION + 2) {
        return Ok(padded_one(false, PRECISION));
    }
    let fixed = super::arithmetic::rescale(coefficient, exponent, -(PLACES as i64), super::Rounding::Down, false);
    exp_fixed(&BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, fixed), false)
}

/// The natural logarithm, or the one to base ten.
pub fn logarithm(number: &Decimal, base_ten: bool) -> Outcome {
    match number {
        Decimal::NaN => return Ok(Decimal::NaN),
        _ if super::is_zero(number) => return Ok(Decimal::Infinity { negative: true }),
        _ if super::is_negative(number) => return Err(Signal::InvalidOperation),
        Decimal::Infinity { .. } => return Ok(number.clone()),
        Decimal::Finite { .. } => {}
    }
    let Decimal::Finite { coefficient, exponent, .. } = reduce(number) else {
        return Err(Signal::InvalidOperation);
    };
    if coefficient.is_one() && (base_ten || exponent == 0) {
        return finish(exponent < 0, BigUint::from(exponent.unsigned_abs()), 0);
    }
    if exponent.abs() > 4 * EXPONENT_LARGEST {
        return Err(Signal::InvalidOperation);
    }
    let mut ln = ln_fixed(&coefficient, exponent);
    if base_ten {
        ln = ln * scale() / ln_ten();
    }
    let mut magnitude = ln.magnitude().clone();
    if (&magnitude % 5_u8).is_zero() {
        magnitude += 1_u8;
    }
    finish(ln.is_negative(), magnitude, -(PLACES as i64))
}
