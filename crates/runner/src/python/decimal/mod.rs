//! `decimal.Decimal`: arithmetic in a context of 28 digits, half even, as Python's default.
//!
//! `arithmetic` computes and reports signals, `transcendental` holds powers and logarithms, `text` reads and writes,
//! `methods` is what a program calls. Here: the constructor, the operators, conversions and comparison.

mod arithmetic;
mod methods;
mod text;
mod transcendental;

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{ToPrimitive, Zero};
use waymark_ir::{BinaryOp, Decimal};

use crate::context::{Context, Eval, Fault};
use crate::heap::{Key, Object};
use crate::python::{Args, Constants, Constructors, Functions, Methods, number};
use crate::types::TypeId;
use crate::value::Value;

pub use arithmetic::{Rounding, Signal};
pub use methods::round;
pub use text::{display, format};

pub const CONSTRUCTORS: Constructors = &[(TypeId::DECIMAL, construct)];
pub const FUNCTIONS: Functions = &[("decimal.Decimal.from_float", from_float)];
pub const CONSTANTS: Constants = &[
    ("decimal.ROUND_CEILING", || Value::from("ROUND_CEILING")),
    ("decimal.ROUND_FLOOR", || Value::from("ROUND_FLOOR")),
    ("decimal.ROUND_UP", || Value::from("ROUND_UP")),
    ("decimal.ROUND_DOWN", || Value::from("ROUND_DOWN")),
    ("decimal.ROUND_HALF_UP", || Value::from("ROUND_HALF_UP")),
    ("decimal.ROUND_HALF_DOWN", || Value::from("ROUND_HALF_DOWN")),
    ("decimal.ROUND_HALF_EVEN", || Value::from("ROUND_HALF_EVEN")),
    ("decimal.ROUND_05UP", || Value::from("ROUND_05UP")),
];
pub const METHODS: Methods = methods::METHODS;

fn value(number: Decimal) -> Value {
    Value::Decimal(std::sync::Arc::new(number))
}

/// The outcome of an operation for the program: a value, or the exception of its signal.
fn settle(cx: &mut Context, result: Result<Decimal, Signal>) -> Eval {
    result.map(value).map_err(|signal| raise(cx, signal))
}

pub fn raise(cx: &mut Context, signal: Signal) -> Fault {
    let class = match signal {
        Signal::DivisionByZero => TypeId::DECIMAL_DIVISION_BY_ZERO,
        Signal::Overflow => TypeId::DECIMAL_OVERFLOW,
        _ => TypeId::INVALID_OPERATION,
    };
    cx.raise(class, format!("[<class 'decimal.{signal:?}'>]"))
}

/// Whether decimals have this operator.
pub fn defines(op: BinaryOp) -> bool {
    super::operators::floats::defines(op)
}

/// Both operands are Decimal, int or bool, at least one a Decimal.
pub fn binary(cx: &mut Context, op: BinaryOp, left: &Value, right: &Value) -> Eval {
    let (Some(a), Some(b)) = (operand(left), operand(right)) else {
        return Err(Fault::Worker);
    };
    charge(cx, &a, &b)?;
    let result = match op {
        BinaryOp::Add => arithmetic::add(&a, &b),
        BinaryOp::Subtract => arithmetic::subtract(&a, &b),
        BinaryOp::Multiply => arithmetic::multiply(&a, &b),
        BinaryOp::Divide => arithmetic::divide(&a, &b),
        BinaryOp::FloorDivide => arithmetic::divide_integer(&a, &b),
        BinaryOp::Modulo => arithmetic::remainder(&a, &b),
        BinaryOp::Power => transcendental::power(&a, &b),
        _ => {
            let sign = super::operators::symbol(op);
            let (left, right) = (cx.type_name(left), cx.type_name(right));
            return Err(cx.type_error(format!("unsupported operand type(s) for {sign}: '{left}' and '{right}'")));
        }
    };
    settle(cx, result)
}

/// Long coefficients cost time in proportion to their product.
fn charge(cx: &mut Context, a: &Decimal, b: &Decimal) -> Eval<()> {
    let words = |number: &Decimal| match number {
        Decimal::Finite { coefficient, .. } => (coefficient.bits() / 64) as usize + 1,
        _ => 1,
    };
    cx.charge((words(a) + words(b)).saturating_mul(words(a) + words(b)) / 4)
}

pub fn negate(cx: &mut Context, number: &Decimal) -> Eval {
    let result = arithmetic::negate(number);
    settle(cx, result)
}

pub fn plus(cx: &mut Context, number: &Decimal) -> Eval {
    let result = arithmetic::plus(number);
    settle(cx, result)
}

/// `abs(number)`
pub fn absolute(cx: &mut Context, number: &Decimal) -> Eval {
    match is_negative(number) {
        true => negate(cx, number),
        false => plus(cx, number),
    }
}

/// `divmod` of decimals and integers.
pub fn divmod(cx: &mut Context, left: &Value, right: &Value) -> Eval {
    let (Some(a), Some(b)) = (operand(left), operand(right)) else {
        return Err(Fault::Worker);
    };
    if is_zero(&b) && !is_zero(&a) && matches!(a, Decimal::Finite { .. }) {
        let text = "[<class 'decimal.InvalidOperation'>, <class 'decimal.DivisionByZero'>]";
        return Err(cx.raise(TypeId::INVALID_OPERATION, text));
    }
    let whole = binary(cx, BinaryOp::FloorDivide, left, right)?;
    let rest = binary(cx, BinaryOp::Modulo, left, right)?;
    Ok(cx.tuple(vec![whole, rest]))
}

fn is_negative(number: &Decimal) -> bool {
    matches!(number, Decimal::Finite { negative: true, .. } | Decimal::Infinity { negative: true })
}

fn is_zero(number: &Decimal) -> bool {
    matches!(number, Decimal::Finite { coefficient, .. } if coefficient.is_zero())
}

/// A Decimal, int or bool as a decimal.
fn operand(value: &Value) -> Option<Decimal> {
    match value {
        Value::Decimal(number) => Some((**number).clone()),
        _ => number::as_integer(value).map(|integer| from_integer(&integer)),
    }
}

pub fn from_integer(integer: &BigInt) -> Decimal {
    Decimal::Finite { negative: integer.sign() == Sign::Minus, coefficient: integer.magnitude().clone(), exponent: 0 }
}

/// The exact value of a float.
pub fn from_f64(float: f64) -> Decimal {
    if float.is_nan() {
        return Decimal::NaN;
    }
    let negative = float.is_sign_negative();
    if float.is_infinite() {
        return Decimal::Infinity { negative };
    }
    let bits = float.to_bits();
    let (raised, fraction) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
    let (mut mantissa, mut exponent) =
        if raised == 0 { (fraction, -1_074) } else { (fraction | 1 << 52, raised - 1_075) };
    if mantissa == 0 {
        return Decimal::Finite { negative, coefficient: BigUint::zero(), exponent: 0 };
    }
    let zeros = i64::from(mantissa.trailing_zeros()).min(-exponent).max(0);
    mantissa >>= zeros;
    exponent += zeros;
    // Halves are fives a place further right.
    match exponent >= 0 {
        true => Decimal::Finite { negative, coefficient: BigUint::from(mantissa) << exponent, exponent: 0 },
        false => Decimal::Finite {
            negative,
            coefficient: BigUint::from(mantissa) * BigUint::from(5_u8).pow((-exponent) as u32),
            exponent,
        },
    }
}

/// `float(number)`: the nearest float.
pub fn to_f64(number: &Decimal) -> f64 {
    match number {
        Decimal::NaN => f64::NAN,
        Decimal::Infinity { negative } => {
            if *negative {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            }
        }
        Decimal::Finite { negative, coefficient, exponent } => {
            let sign = if *negative { "-" } else { "" };
            format!("{sign}{coefficient}e{exponent}").parse().unwrap_or(f64::NAN)
        }
    }
}

/// `int(number)`
pub fn to_integer(cx: &mut Context, number: &Decimal) -> Eval<BigInt> {
    to_integral(cx, number, Rounding::Down)
}

/// `math.floor`, `math.ceil`, `round` and `int`, by the way of rounding.
pub fn to_integral(cx: &mut Context, number: &Decimal, rounding: Rounding) -> Eval<BigInt> {
    match number {
        Decimal::NaN => Err(cx.value_error("cannot convert NaN to integer")),
        Decimal::Infinity { .. } => Err(cx.raise(TypeId::OVERFLOW_ERROR, "cannot convert Infinity to integer")),
        Decimal::Finite { negative, coefficient, exponent } => {
            if coefficient.is_zero() {
                return Ok(BigInt::zero());
            }
            if *exponent > 0 {
                let digits = usize::try_from(*exponent).unwrap_or(usize::MAX);
                cx.check_size(digits / 2)?;
                cx.charge((digits / 18).saturating_mul(digits / 18) / 64)?;
            }
            let magnitude = arithmetic::rescale(coefficient, *exponent, 0, rounding, *negative);
            Ok(BigInt::from_biguint(if *negative { Sign::Minus } else { Sign::Plus }, magnitude))
        }
    }
}

/// Compares a Decimal with a Decimal, int, bool or float, exactly. `None`: unordered (a NaN).
pub fn compare(left: &Decimal, right: &Value) -> Option<Ordering> {
    match right {
        Value::Float(float) => arithmetic::compare(left, &from_f64(*float)),
        Value::Decimal(right) => arithmetic::compare(left, right),
        _ => arithmetic::compare(left, &operand(right)?),
    }
}

/// An integer of more digits than this keeps a key of its own: nobody mixes those with `int` keys.
const INTEGER_KEY_EXPONENT_MAX: i64 = 5_000;

/// Equal numbers have equal keys, whatever their type.
pub fn key(number: &Decimal) -> Key {
    let reduced = arithmetic::reduce(number);
    let Decimal::Finite { negative, coefficient, exponent } = &reduced else {
        return match number {
            Decimal::Infinity { .. } => Key::Float(to_f64(number).to_bits()),
            _ => Key::decimal(number),
        };
    };
    if (0..=INTEGER_KEY_EXPONENT_MAX).contains(exponent) {
        let magnitude = coefficient * arithmetic::ten_to(*exponent as u64);
        let integer = BigInt::from_biguint(if *negative { Sign::Minus } else { Sign::Plus }, magnitude);
        return match integer.to_i64() {
            Some(small) => Key::Int(small),
            None => Key::Big(integer.into()),
        };
    }
    let float = to_f64(&reduced);
    match float.is_finite() && arithmetic::compare(&reduced, &from_f64(float)) == Some(Ordering::Equal) {
        true => Key::Float(float.to_bits()),
        false => Key::decimal(&reduced),
    }
}

/// `Decimal(…)`
fn construct(cx: &mut Context, args: Args<'_>) -> Eval {
    let [source, context] = args.bind(cx, "Decimal", ["value", "context"], 0)?;
    if context.is_some_and(|context| !context.is_none()) {
        return Err(cx.type_error("optional argument must be a context"));
    }
    let Some(source) = source else {
        return Ok(value(from_integer(&BigInt::zero())));
    };
    match &source {
        Value::Decimal(_) => Ok(source),
        Value::Float(float) => Ok(value(from_f64(*float))),
        Value::Str(text) => {
            cx.charge(text.len() / 16 + (text.len() / 64).saturating_mul(text.len() / 64))?;
            if text::is_unrepresentable(text) {
                return Err(cx.raise(TypeId::UNSUPPORTED, "signalling NaNs and NaNs with a payload are not supported"));
            }
            let result = text::parse(text);
            settle(cx, result)
        }
        Value::Ref(id) => {
            let parts = match cx.heap.get(*id) {
                Object::Tuple(items) => items.to_vec(),
                Object::List(list) => list.items.clone(),
                _ if number::is_opaque(cx, &source) => return Err(Fault::Worker),
                _ => return Err(not_convertible(cx, &source)),
            };
            from_parts(cx, &parts)
        }
        other => match operand(other) {
            Some(number) => Ok(value(number)),
            None => Err(not_convertible(cx, other)),
        },
    }
}

fn not_convertible(cx: &mut Context, value: &Value) -> Fault {
    let text = format!("conversion from {} to Decimal is not supported", cx.type_name(value));
    cx.type_error(text)
}

/// `Decimal((sign, digits, exponent))`
fn from_parts(cx: &mut Context, parts: &[Value]) -> Eval {
    let [sign, digits, exponent] = parts else {
        return Err(cx.value_error("argument must be a sequence of length 3"));
    };
    let negative = match number::as_integer(sign).and_then(|sign| sign.to_u8()) {
        Some(sign @ 0..=1) => sign == 1,
        _ => return Err(cx.value_error("sign must be an integer with the value 0 or 1")),
    };
    if let Value::Str(name) = exponent {
        return match &**name {
            "F" => Ok(value(Decimal::Infinity { negative })),
            "n" | "N" => Ok(value(Decimal::NaN)),
            _ => Err(cx.value_error("string argument in the third position must be 'F', 'n' or 'N'")),
        };
    }
    let Some(exponent) = number::as_integer(exponent) else {
        return Err(cx.value_error("exponent must be an integer"));
    };
    let digits = match digits.reference().map(|id| cx.heap.get(id)) {
        Some(Object::Tuple(items)) => items.to_vec(),
        Some(Object::List(list)) => list.items.clone(),
        _ => return Err(cx.value_error("coefficient must be a tuple of digits")),
    };
    let digits: Option<Vec<u8>> = digits
        .iter()
        .map(|digit| number::as_integer(digit).and_then(|digit| digit.to_u8()).filter(|digit| *digit < 10))
        .collect();
    let Some(digits) = digits else {
        return Err(cx.value_error("coefficient must be a tuple of digits"));
    };
    let coefficient = BigUint::from_radix_be(&digits, 10).unwrap_or_default();
    match exponent.to_i64().filter(|exponent| exponent.abs() < arithmetic::EXPONENT_MAX) {
        Some(exponent) => Ok(value(Decimal::Finite { negative, coefficient, exponent })),
        None => Err(raise(cx, Signal::InvalidOperation)),
    }
}

/// `Decimal.from_float(…)`
fn from_float(cx: &mut Context, args: Args<'_>) -> Eval {
    let [source] = args.bind(cx, "Decimal.from_float", ["/f"], 1)?;
    let source = source.unwrap_or_default();
    match (&source, number::as_integer(&source)) {
        (Value::Float(float), _) => Ok(value(from_f64(*float))),
        (_, Some(integer)) => Ok(value(from_integer(&integer))),
        _ => Err(cx.type_error("argument must be int or float")),
    }
}
