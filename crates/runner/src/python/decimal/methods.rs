//! Methods of `Decimal`.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, ToPrimitive, Zero};
use waymark_ir::Decimal;

use super::arithmetic::{self, Rounding, Signal, adjusted, finite, ten_to};
use super::{is_negative, is_zero, operand, raise, settle, text, transcendental, value};
use crate::context::{Context, Eval, Fault};
use crate::python::{Args, Methods, number};
use crate::types::TypeId;
use crate::value::Value;

pub const METHODS: Methods = &[
    ("quantize", quantize),
    ("normalize", normalize),
    ("to_integral_value", to_integral_value),
    ("to_integral", to_integral_value),
    ("to_integral_exact", to_integral_value),
    ("as_tuple", |_, _, _| Err(Fault::Worker)),
    ("as_integer_ratio", as_integer_ratio),
    ("is_nan", |cx, own, args| test(cx, own, args, "is_nan", |own| matches!(own, Decimal::NaN))),
    ("is_qnan", |cx, own, args| test(cx, own, args, "is_qnan", |own| matches!(own, Decimal::NaN))),
    ("is_snan", |cx, own, args| test(cx, own, args, "is_snan", |_| false)),
    ("is_infinite", |cx, own, args| test(cx, own, args, "is_infinite", |own| matches!(own, Decimal::Infinity { .. }))),
    ("is_finite", |cx, own, args| test(cx, own, args, "is_finite", |own| matches!(own, Decimal::Finite { .. }))),
    ("is_zero", |cx, own, args| test(cx, own, args, "is_zero", is_zero)),
    ("is_signed", |cx, own, args| test(cx, own, args, "is_signed", is_negative)),
    ("is_normal", |cx, own, args| test(cx, own, args, "is_normal", is_normal)),
    ("is_subnormal", |cx, own, args| {
        test(cx, own, args, "is_subnormal", |own| {
            matches!(own, Decimal::Finite { .. }) && !is_zero(own) && !is_normal(own)
        })
    }),
    ("is_canonical", |cx, own, args| test(cx, own, args, "is_canonical", |_| true)),
    ("sqrt", |cx, own, args| unary(cx, own, args, "sqrt", arithmetic::square_root)),
    ("exp", |cx, own, args| unary(cx, own, args, "exp", transcendental::exp)),
    ("ln", |cx, own, args| unary(cx, own, args, "ln", |own| transcendental::logarithm(own, false))),
    ("log10", |cx, own, args| unary(cx, own, args, "log10", |own| transcendental::logarithm(own, true))),
    ("copy_abs", |cx, own, args| unary(cx, own, args, "copy_abs", |own| Ok(with_sign(own, false)))),
    ("copy_negate", |cx, own, args| {
        refuse_negative_nan(cx, own, true)?;
        unary(cx, own, args, "copy_negate", |own| Ok(arithmetic::copy_negate(own)))
    }),
    ("copy_sign", copy_sign),
    ("conjugate", |cx, own, args| unary(cx, own, args, "conjugate", |own| Ok(own.clone()))),
    ("canonical", |cx, own, args| unary(cx, own, args, "canonical", |own| Ok(own.clone()))),
    ("compare", compare),
    ("max", |cx, own, args| extreme(cx, own, args, "max")),
    ("min", |cx, own, args| extreme(cx, own, args, "min")),
    ("adjusted", |cx, own, args| {
        args.bind(cx, "Decimal.adjusted", [], 0)?;
        Ok(Value::Int(match receiver(own) {
            Decimal::Finite { coefficient, exponent, .. } => adjusted(&coefficient, exponent),
            _ => 0,
        }))
    }),
    ("to_eng_string", |cx, own, args| {
        args.bind(cx, "to_eng_string", ["context"], 0)?;
        Ok(Value::from(text::engineering(&receiver(own))))
    }),
    ("same_quantum", same_quantum),
    ("fma", fused),
    ("remainder_near", |_, _, _| Err(Fault::Worker)),
    ("scaleb", |_, _, _| Err(Fault::Worker)),
    ("number_class", |_, _, _| Err(Fault::Worker)),
    ("compare_total", |_, _, _| Err(Fault::Worker)),
    ("next_plus", |_, _, _| Err(Fault::Worker)),
    ("next_minus", |_, _, _| Err(Fault::Worker)),
];

fn receiver(value: &Value) -> Decimal {
    operand(value).unwrap_or(Decimal::NaN)
}

fn is_normal(number: &Decimal) -> bool {
    match number {
        Decimal::Finite { coefficient, exponent, .. } => {
            !coefficient.is_zero() && adjusted(coefficient, *exponent) >= arithmetic::EXPONENT_SMALLEST
        }
        _ => false,
    }
}

fn test(cx: &mut Context, own: &Value, args: Args<'_>, name: &str, holds: fn(&Decimal) -> bool) -> Eval {
    match name {
        "is_normal" | "is_subnormal" => {
            args.bind(cx, name, ["context"], 0)?;
        }
        _ => {
            args.bind(cx, &format!("Decimal.{name}"), [], 0)?;
        }
    }
    Ok(Value::Bool(holds(&receiver(own))))
}

fn unary(
    cx: &mut Context,
    own: &Value,
    args: Args<'_>,
    name: &str,
    compute: fn(&Decimal) -> Result<Decimal, Signal>,
) -> Eval {
    match name {
        "copy_abs" | "copy_negate" | "conjugate" | "canonical" => {
            args.bind(cx, &format!("Decimal.{name}"), [], 0)?;
        }
        _ => {
            args.bind(cx, name, ["context"], 0)?;
        }
    }
    let own = receiver(own);
    super::charge(cx, &own, &own)?;
    let result = compute(&own);
    settle(cx, result)
}

fn with_sign(number: &Decimal, negative: bool) -> Decimal {
    if is_negative(number) == negative { number.clone() } else { arithmetic::copy_negate(number) }
}

/// A NaN has no sign here; one that would get it is refused rather than shown without.
fn refuse_negative_nan(cx: &mut Context, own: &Value, negative: bool) -> Eval<()> {
    match negative && matches!(receiver(own), Decimal::NaN) {
        true => Err(cx.raise(TypeId::UNSUPPORTED, "a negative NaN is not supported")),
        false => Ok(()),
    }
}

/// Another number among the arguments.
fn other(cx: &mut Context, value: Option<Value>) -> Eval<Decimal> {
    let value = value.unwrap_or_default();
    match operand(&value) {
        Some(number) => Ok(number),
        None => Err(super::not_convertible(cx, &value)),
    }
}

fn rounding_of(cx: &mut Context, name: Option<&Value>) -> Eval<Rounding> {
    let name = match name {
        None | Some(Value::None) => return Ok(Rounding::HalfEven),
        Some(Value::Str(name)) => &**name,
        Some(_) => "",
    };
    Ok(match name {
        "ROUND_CEILING" => Rounding::Ceiling,
        "ROUND_FLOOR" => Rounding::Floor,
        "ROUND_UP" => Rounding::Up,
        "ROUND_DOWN" => Rounding::Down,
        "ROUND_HALF_UP" => Rounding::HalfUp,
        "ROUND_HALF_DOWN" => Rounding::HalfDown,
        "ROUND_HALF_EVEN" => Rounding::HalfEven,
        "ROUND_05UP" => Rounding::ZeroFiveUp,
        _ => {
            let text = "valid values for rounding are:\n  [ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_DOWN,\n   \
                        ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN,\n   ROUND_05UP]";
            return Err(cx.type_error(text));
        }
    })
}

fn quantize(cx: &mut Context, own: &Value, args: Args<'_>) -> Eval {
    let [pattern, rounding, _] = args.bind(cx, "quantize", ["exp", "rounding", "context"], 1)?;
    let rounding = rounding_of(cx, rounding.as_ref())?;
    let pattern = other(cx, pattern)?;
    let result = arithmetic::quantize(&receiver(own), &pattern, rounding);
    settle(cx, result)
}

fn normalize(cx: &mut Context, own: &Value, args: Args<'_>) -> Eval {
    args.bind(cx, "normalize", ["context"], 0)?;
    let result = match receiver(own) {
        Decimal::Finite { negative, coefficient, exponent } => {
            arithmetic::finish(negative, coefficient, exponent).map(|rounded| arithmetic::reduce(&rounded))
        }
        special => Ok(special),
    };
    settle(cx, result)
}

fn to_integral_value(cx: &mut Context, own: &Value, args: Args<'_>) -> Eval {
    let [rounding, _] = args.bind(cx, "to_integral_value", ["rounding", "context"], 0)?;
    let rounding = rounding_of(cx, rounding.as_ref())?;
    Ok(value(match receiver(own) {
        Decimal::Finite { negative, coefficient, exponent } if exponent < 0 => {
            finite(negative, arithmetic::rescale(&coefficient, exponent, 0, rounding, negative), 0)
        }
        unchanged => unchanged,
    }))
}

/// `round(number)` gives an int, `round(number, places)` a Decimal.
pub fn round(cx: &mut Context, number: &Decimal, places: Option<&Value>) -> Eval {
    let Some(places) = places else {
        return super::to_integral(cx, number, Rounding::HalfEven).map(Value::integer);
    };
    let Some(places) = number::as_integer(places) else {
        return Err(cx.type_error("optional arg must be an integer"));
    };
    let exponent = places.to_i64().and_then(i64::checked_neg);
    let Some(exponent) = exponent.filter(|exponent| exponent.abs() < arithmetic::EXPONENT_MAX) else {
        return Err(raise(cx, Signal::InvalidOperation));
    };
    let result = arithmetic::quantize(number, &finite(false, BigUint::one(), exponent), Rounding::HalfEven);
    settle(cx, result)
}

fn as_integer_ratio(cx: &mut Context, own: &Value, args: Args<'_>) -> Eval {
    args.bind(cx, "Decimal.as_integer_ratio", [], 0)?;
    let Decimal::Finite { negative, coefficient, exponent } = receiver(own) else {
        return Err(match receiver(own) {
            Decimal::NaN => cx.value_error("cannot convert NaN to integer ratio"),
            _ => cx.raise(TypeId::OVERFLOW_ERROR, "cannot convert Infinity to integer ratio"),
        });
    };
    let (top, bottom) = if coefficient.is_zero() {
        (BigUint::zero(), BigUint::one())
    } else {
        let size = usize::try_from(exponent.unsigned_abs()).unwrap_or(usize::MAX);
        cx.check_size(size)?;
        cx.charge((size / 18).saturating_mul(size / 18) / 16)?;
        let power = ten_to(exponent.unsigned_abs());
        let (top, bottom) = if exponent >= 0 { (coefficient * power, BigUint::one()) } else { (coefficient, power) };
        let common = num_integer::Integer::gcd(&top, &bottom);
        (top / &common, bottom / common)
    };
    let sign = if negative { Sign::Minus } else { Sign::Plus };
    let parts = vec![Value::integer(BigInt::from_biguint(sign, top)), Value::integer(BigInt::from(bottom))];
    Ok(cx.tuple(parts))
}

fn copy_sign(cx: &mut Context, own: &Value, args: Args<'_>) -> Eval {
    let [sign, _] = args.bind(cx, "copy_sign", ["other", "context"], 1)?;
    let sign = other(cx, sign)?;
    refuse_negative_nan(cx, own, is_negative(&sign))?;
    Ok(value(with_sign(&receiver(own), is_negative(&sign))))
}

fn compare(cx: &mut Context, own: &Value, args: Args<'_>) -> Eval {
    let [right, _] = args.bind(cx, "compare", ["other", "context"], 1)?;
    let right = other(cx, right)?;
    Ok(value(match arithmetic::compare(&receiver(own), &right) {
        Some(order) => super::from_integer(&BigInt::from(order as i8)),
        None => Decimal::NaN,
    }))
}

/// `max` and `min`: a number wins over a NaN; among equal numbers the exponent decides.
fn extreme(cx: &mut Context, own: &Value, args: Args<'_>, name: &str) -> Eval {
    let [right, _] = args.bind(cx, name, ["other", "context"], 1)?;
    let (left, right) = (receiver(own), other(cx, right)?);
    let order = match arithmetic::compare(&left, &right) {
        Some(order) => order.then_with(|| total(&left, &right)),
        None if matches!(left, Decimal::NaN) => {
            let result = if matches!(right, Decimal::NaN) { Ok(right) } else { arithmetic_plus(&right) };
            return settle(cx, result);
        }
        None => {
            let result = arithmetic_plus(&left);
            return settle(cx, result);
        }
    };
    let take_left = if name == "max" { order.is_ge() } else { order.is_le() };
    let result = arithmetic_plus(if take_left { &left } else { &right });
    settle(cx, result)
}

/// Rounds into the context and keeps the sign of zero.
fn arithmetic_plus(number: &Decimal) -> Result<Decimal, Signal> {
    match number {
        Decimal::Finite { negative, coefficient, exponent } => {
            arithmetic::finish(*negative, coefficient.clone(), *exponent)
        }
        other => Ok(other.clone()),
    }
}

/// Which of two equal numbers comes first: by sign, then by exponent.
fn total(left: &Decimal, right: &Decimal) -> std::cmp::Ordering {
    let exponent = |number: &Decimal| match number {
        Decimal::Finite { exponent, .. } => *exponent,
        _ => 0,
    };
    let by_sign = is_negative(right).cmp(&is_negative(left));
    let by_exponent = exponent(left).cmp(&exponent(right));
    by_sign.then(if is_negative(left) { by_exponent.reverse() } else { by_exponent })
}

fn same_quantum(cx: &mut Context, own: &Value, args: Args<'_>) -> Eval {
    let [right, _] = args.bind(cx, "same_quantum", ["other", "context"], 1)?;
    Ok(Value::Bool(match (receiver(own), other(cx, right)?) {
        (Decimal::Finite { exponent: a, .. }, Decimal::Finite { exponent: b, .. }) => a == b,
        (Decimal::Infinity { .. }, Decimal::Infinity { .. }) | (Decimal::NaN, Decimal::NaN) => true,
        _ => false,
    }))
}

/// `a.fma(b, c)`: `a * b + c`, rounded once.
fn fused(cx: &mut Context, own: &Value, args: Args<'_>) -> Eval {
    let [factor, addend, _] = args.bind(cx, "fma", ["other", "third", "context"], 2)?;
    let (own, factor, addend) = (receiver(own), other(cx, factor)?, other(cx, addend)?);
    super::charge(cx, &own, &factor)?;
    let product = match (&own, &factor) {
        (
            Decimal::Finite { negative: an, coefficient: a, exponent: ae },
            Decimal::Finite { negative: bn, coefficient: b, exponent: be },
        ) => Ok(finite(an != bn, a * b, ae.saturating_add(*be))),
        _ => arithmetic::multiply(&own, &factor),
    };
    let result = product.and_then(|product| arithmetic::add(&product, &addend));
    settle(cx, result)
}
