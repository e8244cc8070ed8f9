//! `int`, `float` and `bool`: constructors, methods, and the conversions that the rest of the semantics builds on.

mod float;
mod integer;
mod parse;

use num_bigint::{BigInt, Sign};
use num_traits::{FromPrimitive, ToPrimitive, Zero};

use crate::context::{Context, Eval, Fault};
use crate::python::{Args, Constructors, Functions, Methods, decimal};
use crate::types::TypeId;
use crate::value::Value;

pub use float::float_hex;
pub use parse::{decimal_digit, parse_float, parse_int, plain_ascii};

pub const CONSTRUCTORS: Constructors = &[(TypeId::INT, int), (TypeId::FLOAT, float)];
pub const FUNCTIONS: Functions = &[("int.from_bytes", integer::from_bytes), ("float.fromhex", float::from_hex)];
pub const INT_METHODS: Methods = integer::METHODS;
pub const FLOAT_METHODS: Methods = float::METHODS;

/// Digits that a text may have to become an integer, or an integer to become a text, in a base that is no power of two.
pub const DIGITS_MAX: usize = 4_300;

/// A number as arithmetic sees it: `bool` is an integer.
#[derive(Clone, Debug)]
pub enum Number {
    Small(i64),
    Big(BigInt),
    Float(f64),
}

impl Number {
    pub fn of(value: &Value) -> Option<Number> {
        match value {
            Value::Int(small) => Some(Number::Small(*small)),
            Value::Bool(flag) => Some(Number::Small(i64::from(*flag))),
            Value::Big(big) => Some(Number::Big((**big).clone())),
            Value::Float(float) => Some(Number::Float(*float)),
            _ => None,
        }
    }
}

/// The integer behind an `int` or a `bool`.
pub fn as_integer(value: &Value) -> Option<BigInt> {
    match value {
        Value::Int(small) => Some(BigInt::from(*small)),
        Value::Bool(flag) => Some(BigInt::from(u8::from(*flag))),
        Value::Big(big) => Some((**big).clone()),
        _ => None,
    }
}

/// What C code of Python does to an argument that must be a real number.
pub fn to_f64(cx: &mut Context, value: &Value) -> Eval<f64> {
    match value {
        Value::Float(float) => Ok(*float),
        Value::Int(small) => Ok(*small as f64),
        Value::Bool(flag) => Ok(f64::from(u8::from(*flag))),
        Value::Big(big) => big_to_f64(cx, big),
        Value::Decimal(number) => Ok(decimal::to_f64(number)),
        _ if defines(cx, value, &["__float__", "__index__"]) => Err(Fault::Worker),
        _ => {
            let text = format!("must be real number, not {}", cx.type_name(value));
            Err(cx.type_error(text))
        }
    }
}

pub fn big_to_f64(cx: &mut Context, big: &BigInt) -> Eval<f64> {
    match big.to_f64().filter(|float| float.is_finite()) {
        Some(float) => Ok(float),
        None => Err(cx.raise(TypeId::OVERFLOW_ERROR, "int too large to convert to float")),
    }
}

/// What Python does where only an integer will do: an index, a count.
pub fn index(cx: &mut Context, value: &Value) -> Eval<BigInt> {
    match as_integer(value) {
        Some(integer) => Ok(integer),
        None if defines(cx, value, &["__index__"]) => Err(Fault::Worker),
        None => {
            let text = format!("'{}' object cannot be interpreted as an integer", cx.type_name(value));
            Err(cx.type_error(text))
        }
    }
}

pub fn to_index_i64(cx: &mut Context, value: &Value) -> Eval<i64> {
    if let Value::Int(small) = value {
        return Ok(*small);
    }
    match index(cx, value)?.to_i64() {
        Some(small) => Ok(small),
        None => Err(cx.raise(TypeId::OVERFLOW_ERROR, "Python int too large to convert to C ssize_t")),
    }
}

/// Whether the value is an object of a user's class that has, or may have, one of these methods.
pub fn defines(cx: &Context, value: &Value, names: &[&str]) -> bool {
    names.iter().any(|name| cx.overrides(value, name)) || is_opaque(cx, value)
}

/// An object of whose class too little is known: it came with a value, or it derives from a built-in type.
pub fn is_opaque(cx: &Context, value: &Value) -> bool {
    let Value::Ref(id) = value else { return false };
    if !matches!(cx.heap.get(*id), crate::heap::Object::Instance(_)) {
        return false;
    }
    let info = cx.types.get(cx.type_of(value));
    info.mro.iter().any(|class| match class.is_builtin() {
        true => !matches!(*class, TypeId::OBJECT | TypeId::ENUM) && !class.is_prelude(),
        false => cx.types.get(*class).descriptor.is_none(),
    })
}

/// An object of a class that derives from `tuple` and from nothing else that is little known.
pub fn is_named_tuple(cx: &Context, value: &Value) -> bool {
    let Value::Ref(id) = value else { return false };
    if !matches!(cx.heap.get(*id), crate::heap::Object::Instance(_)) {
        return false;
    }
    let mro = &cx.types.get(cx.type_of(value)).mro;
    mro.contains(&TypeId::TUPLE)
        && mro.iter().all(|class| match class.is_builtin() {
            true => matches!(*class, TypeId::OBJECT | TypeId::TUPLE),
            false => cx.types.get(*class).descriptor.is_some(),
        })
}

/// The integer that a finite float is cut off to.
pub fn truncate(cx: &mut Context, float: f64) -> Eval<BigInt> {
    if float.is_nan() {
        return Err(cx.value_error("cannot convert float NaN to integer"));
    }
    match BigInt::from_f64(float.trunc()) {
        Some(integer) => Ok(integer),
        None => Err(cx.raise(TypeId::OVERFLOW_ERROR, "cannot convert float infinity to integer")),
    }
}

/// `str(integer)`, which Python refuses for very long ones.
pub fn int_text(cx: &mut Context, integer: &BigInt) -> Eval<String> {
    // Ten bits are a little more than three digits; no need to convert what is surely too long.
    if integer.bits() <= DIGITS_MAX as u64 * 10 / 3 {
        let text = integer.to_string();
        if text.trim_start_matches('-').len() <= DIGITS_MAX {
            return Ok(text);
        }
    }
    let text = format!(
        "Exceeds the limit ({DIGITS_MAX} digits) for integer string conversion; \
         use sys.set_int_max_str_digits() to increase the limit"
    );
    Err(cx.value_error(text))
}

/// `mantissa * 2**exponent`, rounded once, half to even; a set lowest bit of a long mantissa may stand for lost ones.
pub fn scale(mantissa: u128, exponent: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let bits = i64::from(128 - mantissa.leading_zeros());
    if bits + exponent > 1_024 {
        return f64::INFINITY;
    }
    let drop = (bits - 53).max(-1_074 - exponent);
    if drop <= 0 {
        return libm::scalbn(mantissa as f64, exponent as i32);
    }
    if drop > 127 {
        return 0.0;
    }
    let (kept, lost, half) = (mantissa >> drop, mantissa & ((1 << drop) - 1), 1_u128 << (drop - 1));
    let rounded = if lost > half || (lost == half && kept & 1 == 1) { kept + 1 } else { kept };
    libm::scalbn(rounded as f64, (exponent + drop) as i32)
}

/// The correctly rounded quotient of two integers; infinite where it is too large.
pub fn quotient(left: &BigInt, right: &BigInt) -> f64 {
    // A zero has a sign, too: that of the divisor.
    let negative = (left.sign() == Sign::Minus) != (right.sign() == Sign::Minus);
    let (mut top, mut bottom) = (left.magnitude().clone(), right.magnitude().clone());
    let shift = top.bits() as i64 - bottom.bits() as i64 - 66;
    if top.is_zero() || bottom.is_zero() || shift < -2_400 {
        return if negative { -0.0 } else { 0.0 };
    }
    if shift > 2_400 {
        return if negative { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    if shift < 0 {
        top <<= shift.unsigned_abs();
    } else {
        bottom <<= shift.unsigned_abs();
    }
    let (whole, rest) = num_integer::Integer::div_rem(&top, &bottom);
    let mantissa = whole.to_u128().unwrap_or(u128::MAX) | u128::from(!rest.is_zero());
    let result = scale(mantissa, shift);
    if negative { -result } else { result }
}

/// `int(…)`
fn int(cx: &mut Context, args: Args<'_>) -> Eval {
    if let Some((name, _)) = args.keyword.iter().find(|(name, _)| &**name != "base") {
        return Err(cx.type_error(format!("'{name}' is an invalid keyword argument for int()")));
    }
    let given = args.positional.len() + args.keyword.len();
    if given > 2 {
        return Err(cx.type_error(format!("int() takes at most 2 arguments ({given} given)")));
    }
    let base = args.positional.get(1).or(args.keyword.first().map(|(_, value)| value));
    let Some(value) = args.positional.first() else {
        return match base {
            Some(_) => Err(cx.type_error("int() missing string argument")),
            None => Ok(Value::Int(0)),
        };
    };
    let Some(base) = base else {
        return to_int(cx, value);
    };
    let base = index(cx, base)?.to_u32().filter(|base| *base == 0 || (2..=36).contains(base));
    let Some(base) = base else {
        return Err(cx.value_error("int() base must be >= 2 and <= 36, or 0"));
    };
    match value {
        Value::Str(_) | Value::Bytes(_) => parse_int(cx, value, base),
        _ if is_opaque(cx, value) => Err(Fault::Worker),
        _ => Err(cx.type_error("int() can't convert non-string with explicit base")),
    }
}

/// `int(value)`
pub fn to_int(cx: &mut Context, value: &Value) -> Eval {
    match value {
        Value::Int(_) | Value::Big(_) => Ok(value.clone()),
        Value::Bool(flag) => Ok(Value::Int(i64::from(*flag))),
        Value::Float(float) => truncate(cx, *float).map(Value::integer),
        Value::Decimal(number) => decimal::to_integer(cx, number).map(Value::integer),
        Value::Uuid(number) => Ok(Value::integer(BigInt::from(**number))),
        Value::Str(_) | Value::Bytes(_) => parse_int(cx, value, 10),
        _ if defines(cx, value, &["__int__", "__index__", "__trunc__"]) => Err(Fault::Worker),
        _ => {
            let name = cx.type_name(value);
            let text = "int() argument must be a string, a bytes-like object or a real number, not";
            Err(cx.type_error(format!("{text} '{name}'")))
        }
    }
}

/// `float(…)`
fn float(cx: &mut Context, args: Args<'_>) -> Eval {
    if !args.keyword.is_empty() {
        return Err(cx.type_error("float() takes no keyword arguments"));
    }
    match args.positional {
        [] => Ok(Value::Float(0.0)),
        [value @ (Value::Str(_) | Value::Bytes(_))] => parse_float(cx, value).map(Value::Float),
        [value] => {
            if as_integer(value).is_none()
                && !matches!(value, Value::Float(_) | Value::Decimal(_))
                && !defines(cx, value, &["__float__", "__index__"])
            {
                let text = format!("float() argument must be a string or a real number, not '{}'", cx.type_name(value));
                return Err(cx.type_error(text));
            }
            to_f64(cx, value).map(Value::Float)
        }
        more => Err(cx.type_error(format!("float expected at most 1 argument, got {}", more.len()))),
    }
}
