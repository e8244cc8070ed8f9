//! Decimal arithmetic: exact where 28 digits suffice, else rounded half to even.

use std::cmp::Ordering;

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use waymark_ir::Decimal;

pub const PRECISION: i64 = 28;
/// The largest and the smallest exponent of a number's first digit.
pub const EXPONENT_LARGEST: i64 = 999_999;
pub const EXPONENT_SMALLEST: i64 = -999_999;
/// The smallest exponent of a number's last digit.
pub const EXPONENT_TINY: i64 = EXPONENT_SMALLEST - PRECISION + 1;
/// No number may be written with an exponent beyond this.
pub const EXPONENT_MAX: i64 = 1_000_000_000_000_000_000;

/// What stops an operation in Python's default context. The names are Python's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    ConversionSyntax,
    InvalidOperation,
    DivisionUndefined,
    DivisionImpossible,
    DivisionByZero,
    Overflow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    Ceiling,
    Floor,
    Up,
    Down,
    HalfUp,
    HalfDown,
    HalfEven,
    /// Away from zero only where the last digit would be 0 or 5.
    ZeroFiveUp,
}

type Outcome = Result<Decimal, Signal>;

pub fn finite(negative: bool, coefficient: BigUint, exponent: i64) -> Decimal {
    Decimal::Finite { negative, coefficient, exponent }
}

pub fn ten_to(power: u64) -> BigUint {
    BigUint::from(10_u8).pow(u32::try_from(power).unwrap_or(u32::MAX))
}

/// How many decimal digits a coefficient has; zero has one.
pub fn digits(coefficient: &BigUint) -> i64 {
    if let Some(small) = coefficient.to_u128() {
        return small.checked_ilog10().map_or(1, |log| i64::from(log) + 1);
    }
    // 2 to the bits-1 is at most the number: this estimate is the answer or one or two below it.
    let mut estimate = ((coefficient.bits() - 1) as f64 * std::f64::consts::LOG10_2) as u64;
    let mut power = ten_to(estimate);
    while power <= *coefficient {
        power *= 10_u8;
        estimate += 1;
    }
    estimate as i64
}

/// The exponent of the first digit.
pub fn adjusted(coefficient: &BigUint, exponent: i64) -> i64 {
    exponent + digits(coefficient) - 1
}

/// Drops the last `count` digits.
pub fn drop_digits(coefficient: &BigUint, count: i64, rounding: Rounding, negative: bool) -> BigUint {
    if count <= 0 || coefficient.is_zero() {
        return coefficient.clone();
    }
    let length = digits(coefficient);
    // All digits go: what is lost is less than a half, however far down it lies.
    let (kept, lost, half) = if count > length {
        (BigUint::zero(), BigUint::one(), BigUint::from(5_u8))
    } else {
        let power = ten_to(count as u64);
        let (kept, lost) = coefficient.div_rem(&power);
        (kept, lost, power / 2_u8)
    };
    if lost.is_zero() {
        return kept;
    }
    let up = match rounding {
        Rounding::Ceiling => !negative,
        Rounding::Floor => negative,
        Rounding::Up => true,
        Rounding::Down => false,
        Rounding::HalfUp => lost >= half,
        Rounding::HalfDown => lost > half,
        Rounding::HalfEven => lost > half || (lost == half && kept.is_odd()),
        Rounding::ZeroFiveUp => (&kept % 5_u8).is_zero(),
    };
    if up { kept + 1_u8 } else { kept }
}

/// The coefficient at another exponent.
pub fn rescale(coefficient: &BigUint, from: i64, to: i64, rounding: Rounding, negative: bool) -> BigUint {
    match from >= to {
        true if coefficient.is_zero() => BigUint::zero(),
        true => coefficient * ten_to((from - to) as u64),
        false => drop_digits(coefficient, to - from, rounding, negative),
    }
}

/// Brings an exact result, or one with a sticky last digit, into the context.
pub fn finish(negative: bool, coefficient: BigUint, exponent: i64) -> Outcome {
    finish_with(negative, coefficient, exponent, PRECISION)
}

/// As [`finish`], in a context of another precision.
pub fn finish_with(negative: bool, coefficient: BigUint, exponent: i64, precision: i64) -> Outcome {
    let tiny = EXPONENT_SMALLEST - precision + 1;
    if coefficient.is_zero() {
        return Ok(finite(negative, coefficient, exponent.clamp(tiny, EXPONENT_LARGEST)));
    }
    let drop = (digits(&coefficient) - precision).max(tiny - exponent).max(0);
    let mut coefficient = drop_digits(&coefficient, drop, Rounding::HalfEven, negative);
    let mut exponent = exponent + drop;
    if digits(&coefficient) > precision {
        coefficient /= 10_u8;
        exponent += 1;
    }
    if !coefficient.is_zero() && adjusted(&coefficient, exponent) > EXPONENT_LARGEST {
        return Err(Signal::Overflow);
    }
    Ok(finite(negative, coefficient, exponent))
}

pub fn plus(number: &Decimal) -> Outcome {
    match number {
        Decimal::Finite { negative, coefficient, exponent } => {
            finish(*negative && !coefficient.is_zero(), coefficient.clone(), *exponent)
        }
        other => Ok(other.clone()),
    }
}

pub fn copy_negate(number: &Decimal) -> Decimal {
    match number {
        Decimal::Finite { negative, coefficient, exponent } => finite(!negative, coefficient.clone(), *exponent),
        Decimal::Infinity { negative } => Decimal::Infinity { negative: !negative },
        Decimal::NaN => Decimal::NaN,
    }
}

pub fn negate(number: &Decimal) -> Outcome {
    plus(&copy_negate(number))
}

pub fn subtract(left: &Decimal, right: &Decimal) -> Outcome {
    add(left, &copy_negate(right))
}

pub fn add(left: &Decimal, right: &Decimal) -> Outcome {
    let ((a_negative, a, a_exponent), (b_negative, b, b_exponent)) = match (left, right) {
        (Decimal::NaN, _) | (_, Decimal::NaN) => return Ok(Decimal::NaN),
        (Decimal::Infinity { negative: a }, Decimal::Infinity { negative: b }) if a != b => {
            return Err(Signal::InvalidOperation);
        }
        (infinite @ Decimal::Infinity { .. }, _) | (_, infinite @ Decimal::Infinity { .. }) => {
            return Ok(infinite.clone());
        }
        (
            Decimal::Finite { negative: an, coefficient: a, exponent: ae },
            Decimal::Finite { negative: bn, coefficient: b, exponent: be },
        ) => ((*an, a, *ae), (*bn, b, *be)),
    };
    let lowest = a_exponent.min(b_exponent);
    if a.is_zero() && b.is_zero() {
        return finish(a_negative && b_negative, BigUint::zero(), lowest);
    }
    if a.is_zero() || b.is_zero() {
        let (negative, only, exponent) =
            if a.is_zero() { (b_negative, b, b_exponent) } else { (a_negative, a, a_exponent) };
        let padding = (exponent - lowest).min(PRECISION - digits(only)).max(0);
        return finish(negative, only * ten_to(padding as u64), exponent - padding);
    }
    let (high, low) = match a_exponent >= b_exponent {
        true => ((a_negative, a.clone(), a_exponent), (b_negative, b.clone(), b_exponent)),
        false => ((b_negative, b.clone(), b_exponent), (a_negative, a.clone(), a_exponent)),
    };
    // A number too small to reach the last digit only tells in which direction to round.
    let floor = high.2 + (digits(&high.1) - PRECISION - 2).min(-1);
    let low = if adjusted(&low.1, low.2) < floor { (low.0, BigUint::one(), floor - 1) } else { low };
    let raised = high.1 * ten_to((high.2 - low.2) as u64);
    if high.0 == low.0 {
        return finish(high.0, raised + low.1, low.2);
    }
    match raised.cmp(&low.1) {
        Ordering::Equal => finish(false, BigUint::zero(), low.2),
        Ordering::Greater => finish(high.0, raised - low.1, low.2),
        Ordering::Less => finish(low.0, low.1 - raised, low.2),
    }
}

pub fn multiply(left: &Decimal, right: &Decimal) -> Outcome {
    multiply_with(left, right, PRECISION)
}

pub fn multiply_with(left: &Decimal, right: &Decimal, precision: i64) -> Outcome {
    match (left, right) {
        (Decimal::NaN, _) | (_, Decimal::NaN) => Ok(Decimal::NaN),
        (
            Decimal::Finite { negative: an, coefficient: a, exponent: ae },
            Decimal::Finite { negative: bn, coefficient: b, exponent: be },
        ) => finish_with(an != bn, a * b, ae.saturating_add(*be), precision),
        _ if super::is_zero(left) || super::is_zero(right) => Err(Signal::InvalidOperation),
        _ => Ok(Decimal::Infinity { negative: super::is_negative(left) != super::is_negative(right) }),
    }
}

pub fn divide(left: &Decimal, right: &Decimal) -> Outcome {
    divide_with(left, right, PRECISION)
}

pub fn divide_with(left: &Decimal, right: &Decimal, precision: i64) -> Outcome {
    let negative = super::is_negative(left) != super::is_negative(right);
    let (a, a_exponent, b, b_exponent) = match (left, right) {
        (Decimal::NaN, _) | (_, Decimal::NaN) => return Ok(Decimal::NaN),
        (Decimal::Infinity { .. }, Decimal::Infinity { .. }) => return Err(Signal::InvalidOperation),
        (Decimal::Infinity { .. }, _) => return Ok(Decimal::Infinity { negative }),
        (_, Decimal::Infinity { .. }) => return Ok(finite(negative, BigUint::zero(), EXPONENT_TINY)),
        (
            Decimal::Finite { coefficient: a, exponent: ae, .. },
            Decimal::Finite { coefficient: b, exponent: be, .. },
        ) => (a, *ae, b, *be),
    };
    let ideal = a_exponent.saturating_sub(b_exponent);
    if b.is_zero() {
        return Err(if a.is_zero() { Signal::DivisionUndefined } else { Signal::DivisionByZero });
    }
    if a.is_zero() {
        return finish_with(negative, BigUint::zero(), ideal, precision);
    }
    let shift = digits(b) - digits(a) + precision + 1;
    let (mut whole, rest) = match shift >= 0 {
        true => (a * ten_to(shift as u64)).div_rem(b),
        false => a.div_rem(&(b * ten_to(shift.unsigned_abs()))),
    };
    let mut exponent = ideal.saturating_sub(shift);
    if rest.is_zero() {
        while exponent < ideal {
            let (shorter, digit) = whole.div_rem(&BigUint::from(10_u8));
            if !digit.is_zero() {
                break;
            }
            whole = shorter;
            exponent += 1;
        }
    } else if (&whole % 5_u8).is_zero() {
        whole += 1_u8;
    }
    finish_with(negative, whole, exponent, precision)
}

/// Quotient towards zero and remainder of finite numbers, the second one not zero.
fn divide_whole(left: &Decimal, right: &Decimal) -> Result<(BigUint, BigUint, i64), Signal> {
    let (
        Decimal::Finite { coefficient: a, exponent: a_exponent, .. },
        Decimal::Finite { coefficient: b, exponent: b_exponent, .. },
    ) = (left, right)
    else {
        return Err(Signal::InvalidOperation);
    };
    let lowest = (*a_exponent).min(*b_exponent);
    let distance = adjusted(a, *a_exponent) - adjusted(b, *b_exponent);
    if a.is_zero() || distance <= -2 {
        let padding = (a_exponent - lowest).min(PRECISION + 1);
        let rest = if a.is_zero() { BigUint::zero() } else { a * ten_to(padding as u64) };
        let exponent = if a.is_zero() { lowest } else { a_exponent - padding };
        return Ok((BigUint::zero(), rest, exponent));
    }
    if distance > PRECISION {
        return Err(Signal::DivisionImpossible);
    }
    let raise = |coefficient: &BigUint, exponent: i64| coefficient * ten_to((exponent - lowest) as u64);
    let (whole, rest) = raise(a, *a_exponent).div_rem(&raise(b, *b_exponent));
    match digits(&whole) > PRECISION {
        true => Err(Signal::DivisionImpossible),
        false => Ok((whole, rest, lowest)),
    }
}

/// `//`: towards zero, unlike integers.
pub fn divide_integer(left: &Decimal, right: &Decimal) -> Outcome {
    let negative = super::is_negative(left) != super::is_negative(right);
    match (left, right) {
        (Decimal::NaN, _) | (_, Decimal::NaN) => Ok(Decimal::NaN),
        (Decimal::Infinity { .. }, Decimal::Infinity { .. }) => Err(Signal::InvalidOperation),
        (Decimal::Infinity { .. }, _) => Ok(Decimal::Infinity { negative }),
        (_, Decimal::Infinity { .. }) => Ok(finite(negative, BigUint::zero(), 0)),
        _ if super::is_zero(right) => {
            Err(if super::is_zero(left) { Signal::DivisionUndefined } else { Signal::DivisionByZero })
        }
        _ => divide_whole(left, right).map(|(whole, _, _)| finite(negative, whole, 0)),
    }
}

/// `%`: with the sign of the dividend, unlike integers.
pub fn remainder(left: &Decimal, right: &Decimal) -> Outcome {
    match (left, right) {
        (Decimal::NaN, _) | (_, Decimal::NaN) => Ok(Decimal::NaN),
        (Decimal::Infinity { .. }, _) => Err(Signal::InvalidOperation),
        (Decimal::Finite { negative, coefficient, exponent }, Decimal::Infinity { .. }) => {
            finish(*negative, coefficient.clone(), *exponent)
        }
        _ if super::is_zero(right) => {
            Err(if super::is_zero(left) { Signal::DivisionUndefined } else { Signal::InvalidOperation })
        }
        _ => {
            let (_, rest, exponent) = divide_whole(left, right)?;
            finish(super::is_negative(left), rest, exponent)
        }
    }
}

/// `None`: one of them is not a number.
pub fn compare(left: &Decimal, right: &Decimal) -> Option<Ordering> {
    let sign = |number: &Decimal| match number {
        Decimal::Finite { coefficient, .. } if coefficient.is_zero() => 0,
        _ if super::is_negative(number) => -1,
        _ => 1,
    };
    if matches!(left, Decimal::NaN) || matches!(right, Decimal::NaN) {
        return None;
    }
    let (a_sign, b_sign) = (sign(left), sign(right));
    if a_sign != b_sign || a_sign == 0 {
        return Some(a_sign.cmp(&b_sign));
    }
    let magnitudes = match (left, right) {
        (Decimal::Infinity { .. }, Decimal::Infinity { .. }) => Ordering::Equal,
        (Decimal::Infinity { .. }, _) => Ordering::Greater,
        (_, Decimal::Infinity { .. }) => Ordering::Less,
        (
            Decimal::Finite { coefficient: a, exponent: ae, .. },
            Decimal::Finite { coefficient: b, exponent: be, .. },
        ) => adjusted(a, *ae).cmp(&adjusted(b, *be)).then_with(|| {
            // With the first digits at one place the exponents differ by no more than the lengths.
            let lowest = (*ae).min(*be);
            (a * ten_to((ae - lowest) as u64)).cmp(&(b * ten_to((be - lowest) as u64)))
        }),
        _ => return None,
    };
    Some(if a_sign < 0 { magnitudes.reverse() } else { magnitudes })
}

/// Without trailing zeros; zero is `0`.
pub fn reduce(number: &Decimal) -> Decimal {
    let Decimal::Finite { negative, coefficient, exponent } = number else {
        return number.clone();
    };
    if coefficient.is_zero() {
        return finite(*negative, BigUint::zero(), 0);
    }
    let (mut coefficient, mut exponent) = (coefficient.clone(), *exponent);
    let ten = BigUint::from(10_u8);
    loop {
        // An odd number ends in no zero.
        if coefficient.is_odd() {
            break;
        }
        let (shorter, digit) = coefficient.div_rem(&ten);
        if !digit.is_zero() {
            break;
        }
        coefficient = shorter;
        exponent += 1;
    }
    finite(*negative, coefficient, exponent)
}

pub fn square_root(number: &Decimal) -> Outcome {
    let (negative, coefficient, exponent) = match number {
        Decimal::NaN => return Ok(Decimal::NaN),
        Decimal::Infinity { negative: false } => return Ok(number.clone()),
        Decimal::Infinity { negative: true } => return Err(Signal::InvalidOperation),
        Decimal::Finite { negative, coefficient, exponent } => (*negative, coefficient, *exponent),
    };
    if coefficient.is_zero() {
        return finish(negative, BigUint::zero(), exponent >> 1);
    }
    if negative {
        return Err(Signal::InvalidOperation);
    }
    let length = digits(coefficient);
    let (mut radicand, root_length) = match exponent & 1 == 1 {
        true => (coefficient * 10_u8, (length >> 1) + 1),
        false => (coefficient.clone(), (length + 1) >> 1),
    };
    let shift = PRECISION + 1 - root_length;
    let mut exact = true;
    if shift >= 0 {
        radicand *= ten_to(shift as u64 * 2);
    } else {
        let (kept, lost) = radicand.div_rem(&ten_to(shift.unsigned_abs() * 2));
        exact = lost.is_zero();
        radicand = kept;
    }
    let mut exponent = (exponent >> 1) - shift;
    let mut root = radicand.sqrt();
    if exact && &root * &root == radicand {
        // Back to the exponent that the operand asks for.
        root = rescale(&root, exponent, exponent + shift, Rounding::Down, false);
        exponent += shift;
    } else if (&root % 5_u8).is_zero() {
        root += 1_u8;
    }
    finish(false, root, exponent)
}

pub fn quantize(number: &Decimal, pattern: &Decimal, rounding: Rounding) -> Outcome {
    let (negative, coefficient, from, to) = match (number, pattern) {
        (Decimal::NaN, _) | (_, Decimal::NaN) => return Ok(Decimal::NaN),
        (Decimal::Infinity { .. }, Decimal::Infinity { .. }) => return Ok(number.clone()),
        (Decimal::Finite { negative, coefficient, exponent }, Decimal::Finite { exponent: to, .. }) => {
            (*negative, coefficient, *exponent, *to)
        }
        _ => return Err(Signal::InvalidOperation),
    };
    if !(EXPONENT_TINY..=EXPONENT_LARGEST).contains(&to) {
        return Err(Signal::InvalidOperation);
    }
    if coefficient.is_zero() {
        return Ok(finite(negative, BigUint::zero(), to));
    }
    if adjusted(coefficient, from) > EXPONENT_LARGEST || adjusted(coefficient, from) - to + 1 > PRECISION {
        return Err(Signal::InvalidOperation);
    }
    let coefficient = rescale(coefficient, from, to, rounding, negative);
    if digits(&coefficient) > PRECISION || adjusted(&coefficient, to) > EXPONENT_LARGEST {
        return Err(Signal::InvalidOperation);
    }
    Ok(finite(negative, coefficient, to))
}
