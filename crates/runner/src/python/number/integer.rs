//! Methods of `int`.

use num_bigint::{BigInt, Sign};
use num_traits::{Signed, ToPrimitive};

use crate::context::{Context, Eval, Fault};
use crate::python::number::{as_integer, to_index_i64};
use crate::python::{Args, Methods, compare, iterate};
use crate::types::TypeId;
use crate::value::Value;

pub const METHODS: Methods = &[
    ("bit_length", bit_length),
    ("bit_count", bit_count),
    ("to_bytes", to_bytes),
    ("as_integer_ratio", as_integer_ratio),
    ("conjugate", conjugate),
    ("__index__", conjugate),
    ("__int__", conjugate),
];

fn receiver(value: &Value) -> BigInt {
    as_integer(value).unwrap_or_default()
}

fn bit_length(cx: &mut Context, value: &Value, args: Args<'_>) -> Eval {
    args.bind(cx, "int.bit_length", [], 0)?;
    Ok(Value::Int(receiver(value).bits() as i64))
}

fn bit_count(cx: &mut Context, value: &Value, args: Args<'_>) -> Eval {
    args.bind(cx, "int.bit_count", [], 0)?;
    Ok(Value::Int(receiver(value).magnitude().count_ones() as i64))
}

fn conjugate(cx: &mut Context, value: &Value, args: Args<'_>) -> Eval {
    args.bind(cx, "int.conjugate", [], 0)?;
    Ok(Value::integer(receiver(value)))
}

fn as_integer_ratio(cx: &mut Context, value: &Value, args: Args<'_>) -> Eval {
    args.bind(cx, "int.as_integer_ratio", [], 0)?;
    Ok(cx.tuple(vec![Value::integer(receiver(value)), Value::Int(1)]))
}

/// Whether the least significant byte comes first.
fn is_little(cx: &mut Context, function: &str, order: Option<&Value>) -> Eval<bool> {
    match order {
        None => Ok(false),
        Some(Value::Str(name)) if &**name == "big" => Ok(false),
        Some(Value::Str(name)) if &**name == "little" => Ok(true),
        Some(Value::Str(_)) => Err(cx.value_error("byteorder must be either 'little' or 'big'")),
        Some(other) => {
            let name = cx.type_name(other);
            Err(cx.type_error(format!("{function}() argument 'byteorder' must be str, not {name}")))
        }
    }
}

fn is_signed(cx: &mut Context, signed: Option<&Value>) -> Eval<bool> {
    match signed {
        None => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(other) => compare::truth(cx, other),
    }
}

fn to_bytes(cx: &mut Context, value: &Value, args: Args<'_>) -> Eval {
    let [length, order, signed] = args.bind(cx, "to_bytes", ["length", "byteorder", "*signed"], 0)?;
    let length = match length {
        Some(length) => to_index_i64(cx, &length)?,
        None => 1,
    };
    let little = is_little(cx, "to_bytes", order.as_ref())?;
    let signed = is_signed(cx, signed.as_ref())?;
    let Ok(length) = usize::try_from(length) else {
        return Err(cx.value_error("length argument must be non-negative"));
    };
    let integer = receiver(value);
    if integer.is_negative() && !signed {
        return Err(cx.raise(TypeId::OVERFLOW_ERROR, "can't convert negative int to unsigned"));
    }
    cx.check_size(length)?;
    let mut bytes = match signed {
        true => integer.to_signed_bytes_le(),
        false => integer.magnitude().to_bytes_le(),
    };
    if integer.sign() == Sign::NoSign {
        bytes.clear();
    }
    if bytes.len() > length {
        return Err(cx.raise(TypeId::OVERFLOW_ERROR, "int too big to convert"));
    }
    bytes.resize(length, if integer.is_negative() { 0xff } else { 0 });
    if !little {
        bytes.reverse();
    }
    Ok(Value::bytes(bytes))
}

/// `int.from_bytes(…)`
pub fn from_bytes(cx: &mut Context, args: Args<'_>) -> Eval {
    let [source, order, signed] = args.bind(cx, "from_bytes", ["bytes", "byteorder", "*signed"], 1)?;
    let little = is_little(cx, "from_bytes", order.as_ref())?;
    let signed = is_signed(cx, signed.as_ref())?;
    let source = source.unwrap_or_default();
    let bytes = match &source {
        Value::Bytes(bytes) => bytes.to_vec(),
        Value::Ref(_) if cx.overrides(&source, "__bytes__") => return Err(Fault::Worker),
        Value::Ref(_) => {
            let items = iterate::collect(cx, &source)?;
            let mut bytes = Vec::with_capacity(items.len());
            for item in &items {
                match super::index(cx, item)?.to_u8() {
                    Some(byte) => bytes.push(byte),
                    None => return Err(cx.value_error("bytes must be in range(0, 256)")),
                }
            }
            bytes
        }
        other => {
            let text = format!("cannot convert '{}' object to bytes", cx.type_name(other));
            return Err(cx.type_error(text));
        }
    };
    cx.charge(bytes.len() / 64)?;
    Ok(Value::integer(match (little, signed) {
        (true, true) => BigInt::from_signed_bytes_le(&bytes),
        (true, false) => BigInt::from_bytes_le(Sign::Plus, &bytes),
        (false, true) => BigInt::from_signed_bytes_be(&bytes),
        (false, false) => BigInt::from_bytes_be(Sign::Plus, &bytes),
    }))
}
