//! The module `math`: functions of floats here, of integers in `integers`, over many numbers in `sums`, and the
//! few that no C library has right in `special`.

mod integers;
mod special;
mod sums;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

use crate::context::{Context, Eval, Fault};
use crate::python::decimal::{self, Rounding};
use crate::python::number::{self, to_f64};
use crate::python::{Args, Constants, Functions};
use crate::types::TypeId;
use crate::value::Value;

pub const FUNCTIONS: Functions = &[
    ("math.ceil", |cx, args| to_integral(cx, args, "ceil")),
    ("math.floor", |cx, args| to_integral(cx, args, "floor")),
    ("math.trunc", |cx, args| to_integral(cx, args, "trunc")),
    ("math.sqrt", |cx, args| of_one(cx, args, "sqrt", false, f64::sqrt)),
    ("math.cbrt", |cx, args| of_one(cx, args, "cbrt", false, f64::cbrt)),
    ("math.exp", |cx, args| of_one(cx, args, "exp", true, f64::exp)),
    ("math.exp2", |cx, args| of_one(cx, args, "exp2", true, f64::exp2)),
    ("math.expm1", |cx, args| of_one(cx, args, "expm1", true, f64::exp_m1)),
    ("math.log1p", |cx, args| of_one(cx, args, "log1p", false, f64::ln_1p)),
    ("math.sin", |cx, args| of_one(cx, args, "sin", false, f64::sin)),
    ("math.cos", |cx, args| of_one(cx, args, "cos", false, f64::cos)),
    ("math.tan", |cx, args| of_one(cx, args, "tan", false, f64::tan)),
    ("math.asin", |cx, args| of_one(cx, args, "asin", false, f64::asin)),
    ("math.acos", |cx, args| of_one(cx, args, "acos", false, f64::acos)),
    ("math.atan", |cx, args| of_one(cx, args, "atan", false, f64::atan)),
    ("math.sinh", |cx, args| of_one(cx, args, "sinh", true, f64::sinh)),
    ("math.cosh", |cx, args| of_one(cx, args, "cosh", true, f64::cosh)),
    ("math.tanh", |cx, args| of_one(cx, args, "tanh", false, f64::tanh)),
    ("math.asinh", |cx, args| of_one(cx, args, "asinh", false, libm::asinh)),
    ("math.acosh", |cx, args| of_one(cx, args, "acosh", false, libm::acosh)),
    ("math.atanh", |cx, args| of_one(cx, args, "atanh", false, libm::atanh)),
    ("math.erf", |cx, args| of_one(cx, args, "erf", false, libm::erf)),
    ("math.erfc", |cx, args| of_one(cx, args, "erfc", false, libm::erfc)),
    ("math.gamma", |cx, args| of_one(cx, args, "gamma", true, special::gamma)),
    ("math.lgamma", |cx, args| of_one(cx, args, "lgamma", true, special::log_gamma)),
    ("math.fabs", |cx, args| of_one(cx, args, "fabs", false, f64::abs)),
    ("math.degrees", |cx, args| plain(cx, args, "degrees", |x| x * (180.0 / std::f64::consts::PI))),
    ("math.radians", |cx, args| plain(cx, args, "radians", |x| x * (std::f64::consts::PI / 180.0))),
    ("math.ulp", |cx, args| plain(cx, args, "ulp", special::ulp)),
    ("math.isnan", |cx, args| test(cx, args, "isnan", f64::is_nan)),
    ("math.isinf", |cx, args| test(cx, args, "isinf", f64::is_infinite)),
    ("math.isfinite", |cx, args| test(cx, args, "isfinite", f64::is_finite)),
    ("math.log", log),
    ("math.log2", |cx, args| log_of(cx, args, "log2")),
    ("math.log10", |cx, args| log_of(cx, args, "log10")),
    ("math.pow", pow),
    ("math.atan2", |cx, args| of_two(cx, args, "atan2").map(|(y, x)| Value::Float(y.atan2(x)))),
    ("math.copysign", |cx, args| of_two(cx, args, "copysign").map(|(x, y)| Value::Float(x.copysign(y)))),
    ("math.nextafter", |cx, args| of_two(cx, args, "nextafter").map(|(x, y)| Value::Float(libm::nextafter(x, y)))),
    ("math.fmod", |cx, args| remainder_of(cx, args, "fmod", |x, y| x % y)),
    ("math.remainder", |cx, args| remainder_of(cx, args, "remainder", libm::remainder)),
    ("math.modf", modf),
    ("math.frexp", frexp),
    ("math.ldexp", ldexp),
    ("math.isclose", is_close),
    ("math.gcd", integers::gcd),
    ("math.lcm", integers::lcm),
    ("math.isqrt", integers::isqrt),
    ("math.factorial", integers::factorial),
    ("math.comb", integers::comb),
    ("math.perm", integers::perm),
    ("math.fsum", sums::fsum),
    ("math.prod", sums::prod),
    ("math.hypot", sums::hypot),
    ("math.dist", sums::dist),
];

pub const CONSTANTS: Constants = &[
    ("math.pi", || Value::Float(std::f64::consts::PI)),
    ("math.e", || Value::Float(std::f64::consts::E)),
    ("math.tau", || Value::Float(std::f64::consts::TAU)),
    ("math.inf", || Value::Float(f64::INFINITY)),
    ("math.nan", || Value::Float(f64::NAN)),
];

fn domain_error(cx: &mut Context) -> Fault {
    cx.value_error("math domain error")
}

fn range_error(cx: &mut Context) -> Fault {
    cx.raise(TypeId::OVERFLOW_ERROR, "math range error")
}

fn one(cx: &mut Context, args: Args<'_>, name: &str) -> Eval {
    let [value] = args.bind(cx, &format!("math.{name}"), ["/x"], 1)?;
    Ok(value.unwrap_or_default())
}

fn of_two(cx: &mut Context, args: Args<'_>, name: &str) -> Eval<(f64, f64)> {
    if !args.keyword.is_empty() {
        return Err(cx.type_error(format!("math.{name}() takes no keyword arguments")));
    }
    let [x, y] = args.positional else {
        return Err(cx.type_error(format!("{name} expected 2 arguments, got {}", args.positional.len())));
    };
    Ok((to_f64(cx, x)?, to_f64(cx, y)?))
}

/// A function whose infinite result for a finite argument is an overflow, or else an argument outside its domain.
fn of_one(cx: &mut Context, args: Args<'_>, name: &str, overflows: bool, compute: fn(f64) -> f64) -> Eval {
    let value = one(cx, args, name)?;
    let x = to_f64(cx, &value)?;
    let result = compute(x);
    if result.is_nan() && !x.is_nan() {
        return Err(domain_error(cx));
    }
    if result.is_infinite() && x.is_finite() {
        let pole = matches!(name, "gamma" | "lgamma") && x <= 0.0 && x == x.floor();
        return Err(if overflows && !pole { range_error(cx) } else { domain_error(cx) });
    }
    Ok(Value::Float(result))
}

/// A function that takes any result for what it is.
fn plain(cx: &mut Context, args: Args<'_>, name: &str, compute: fn(f64) -> f64) -> Eval {
    let value = one(cx, args, name)?;
    Ok(Value::Float(compute(to_f64(cx, &value)?)))
}

fn test(cx: &mut Context, args: Args<'_>, name: &str, holds: fn(f64) -> bool) -> Eval {
    let value = one(cx, args, name)?;
    Ok(Value::Bool(holds(to_f64(cx, &value)?)))
}

fn to_integral(cx: &mut Context, args: Args<'_>, name: &str) -> Eval {
    let value = one(cx, args, name)?;
    if let Some(integer) = number::as_integer(&value) {
        return Ok(Value::integer(integer));
    }
    if let Value::Decimal(decimal) = &value {
        let rounding = match name {
            "ceil" => Rounding::Ceiling,
            "floor" => Rounding::Floor,
            _ => Rounding::Down,
        };
        return decimal::to_integral(cx, decimal, rounding).map(Value::integer);
    }
    let method = match name {
        "ceil" => "__ceil__",
        "floor" => "__floor__",
        _ => "__trunc__",
    };
    if number::defines(cx, &value, &[method]) {
        return Err(Fault::Worker);
    }
    if name == "trunc" && !matches!(value, Value::Float(_)) {
        let text = format!("type {} doesn't define __trunc__ method", cx.type_name(&value));
        return Err(cx.type_error(text));
    }
    let x = to_f64(cx, &value)?;
    let rounded = match name {
        "ceil" => x.ceil(),
        "floor" => x.floor(),
        _ => x,
    };
    number::truncate(cx, rounded).map(Value::integer)
}

/// A logarithm that also takes integers too large for a float.
fn logarithm(cx: &mut Context, value: &Value, ln: fn(f64) -> f64) -> Eval<f64> {
    if let Value::Big(big) = value {
        if !big.is_positive() {
            return Err(domain_error(cx));
        }
        let float = big.to_f64().unwrap_or(f64::INFINITY);
        if float.is_finite() {
            return Ok(ln(float));
        }
        let exponent = big.bits() as i64;
        let fraction = number::quotient(big, &(BigInt::from(1) << exponent));
        return Ok(ln(fraction) + ln(2.0) * exponent as f64);
    }
    let x = to_f64(cx, value)?;
    if x <= 0.0 {
        return Err(domain_error(cx));
    }
    Ok(ln(x))
}

fn log(cx: &mut Context, args: Args<'_>) -> Eval {
    if !args.keyword.is_empty() {
        return Err(cx.type_error("math.log() takes no keyword arguments"));
    }
    match args.positional {
        [value] => logarithm(cx, value, f64::ln).map(Value::Float),
        [value, base] => {
            let (top, bottom) = (logarithm(cx, value, f64::ln)?, logarithm(cx, base, f64::ln)?);
            if bottom == 0.0 {
                return Err(cx.raise(TypeId::ZERO_DIVISION_ERROR, "float division by zero"));
            }
            Ok(Value::Float(top / bottom))
        }
        _ => Err(cx.type_error("math.log requires 1 to 2 arguments")),
    }
}

fn log_of(cx: &mut Context, args: Args<'_>, name: &str) -> Eval {
    let value = one(cx, args, name)?;
    logarithm(cx, &value, if name == "log2" { f64::log2 } else { f64::log10 }).map(Value::Float)
}

fn pow(cx: &mut Context, args: Args<'_>) -> Eval {
    let (x, y) = of_two(cx, args, "pow")?;
    let result = x.powf(y);
    if x.is_finite() && y.is_finite() {
        if result.is_nan() || (result.is_infinite() && x == 0.0) {
            return Err(domain_error(cx));
        }
        if result.is_infinite() {
            return Err(range_error(cx));
        }
    }
    Ok(Value::Float(result))
}

fn remainder_of(cx: &mut Context, args: Args<'_>, name: &str, compute: fn(f64, f64) -> f64) -> Eval {
    let (x, y) = of_two(cx, args, name)?;
    if y.is_infinite() && x.is_finite() {
        return Ok(Value::Float(x));
    }
    let result = compute(x, y);
    match result.is_nan() && !x.is_nan() && !y.is_nan() {
        true => Err(domain_error(cx)),
        false => Ok(Value::Float(result)),
    }
}

fn modf(cx: &mut Context, args: Args<'_>) -> Eval {
    let value = one(cx, args, "modf")?;
    let x = to_f64(cx, &value)?;
    let whole = if x.is_finite() { x.trunc() } else { x };
    let fraction = match x {
        _ if x.is_nan() => x,
        _ if x.is_infinite() => 0.0_f64.copysign(x),
        _ => (x - whole).copysign(x),
    };
    Ok(cx.tuple(vec![Value::Float(fraction), Value::Float(whole)]))
}

fn frexp(cx: &mut Context, args: Args<'_>) -> Eval {
    let value = one(cx, args, "frexp")?;
    let x = to_f64(cx, &value)?;
    let (fraction, exponent) = if x.is_finite() { libm::frexp(x) } else { (x, 0) };
    Ok(cx.tuple(vec![Value::Float(fraction), Value::Int(exponent.into())]))
}

fn ldexp(cx: &mut Context, args: Args<'_>) -> Eval {
    if !args.keyword.is_empty() {
        return Err(cx.type_error("math.ldexp() takes no keyword arguments"));
    }
    let [x, exponent] = args.positional else {
        return Err(cx.type_error(format!("ldexp expected 2 arguments, got {}", args.positional.len())));
    };
    let x = to_f64(cx, x)?;
    let Some(exponent) = number::as_integer(exponent) else {
        return Err(cx.type_error("Expected an int as second argument to ldexp."));
    };
    if x == 0.0 || !x.is_finite() {
        return Ok(Value::Float(x));
    }
    let limit = if exponent.is_negative() { -10_000 } else { 10_000 };
    let result = libm::scalbn(x, exponent.to_i32().unwrap_or(limit).clamp(-10_000, 10_000));
    if result.is_infinite() { Err(range_error(cx)) } else { Ok(Value::Float(result)) }
}

fn is_close(cx: &mut Context, args: Args<'_>) -> Eval {
    let [a, b, relative, absolute] = args.bind(cx, "isclose", ["a", "b", "*rel_tol", "*abs_tol"], 2)?;
    let (a, b) = (to_f64(cx, &a.unwrap_or_default())?, to_f64(cx, &b.unwrap_or_default())?);
    let relative = relative.map_or(Ok(1e-9), |value| to_f64(cx, &value))?;
    let absolute = absolute.map_or(Ok(0.0), |value| to_f64(cx, &value))?;
    if relative < 0.0 || absolute < 0.0 {
        return Err(cx.value_error("tolerances must be non-negative"));
    }
    if a == b {
        return Ok(Value::Bool(true));
    }
    if a.is_infinite() || b.is_infinite() {
        return Ok(Value::Bool(false));
    }
    let difference = (b - a).abs();
    Ok(Value::Bool(difference <= (relative * b).abs() || difference <= (relative * a).abs() || difference <= absolute))
}
