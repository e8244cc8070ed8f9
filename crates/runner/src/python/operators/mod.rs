//! Arithmetic and bit operators over all built-in types.
//!
//! Small integers and floats are tried first, then each family of types in turn; what none of them defines raises the
//! TypeError that Python would. An operand whose class defines the operator itself sends the operation to a worker.

mod containers;
pub mod floats;
pub mod integers;

use waymark_ir::{BinaryOp, UnaryOp};

use crate::context::{Context, Eval, Fault};
use crate::heap::{Object, ViewKind};
use crate::python::number::{self, Number};
use crate::python::{compare, decimal, format, time};
use crate::types::TypeId;
use crate::value::Value;

pub fn binary(cx: &mut Context, op: BinaryOp, left: &Value, right: &Value) -> Eval {
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => return integers::small(cx, op, *a, *b),
        (Value::Float(a), Value::Float(b)) => {
            if let Some(result) = floats::binary(cx, op, *a, *b)? {
                return Ok(result);
            }
        }
        (Value::Str(a), Value::Str(b)) if op == BinaryOp::Add => return joined(cx, a, b),
        _ => {}
    }
    match defined(cx, op, left, right)? {
        Some(result) => Ok(result),
        None => Err(unsupported(cx, op, symbol(op), left, right)),
    }
}

fn joined(cx: &mut Context, left: &str, right: &str) -> Eval {
    cx.check_size(left.len() + right.len())?;
    let mut text = String::with_capacity(left.len() + right.len());
    text.push_str(left);
    text.push_str(right);
    Ok(Value::from(text))
}

/// `target op= value`: changes lists, sets and dicts in place and gives the same object; else as [`binary`].
pub fn in_place(cx: &mut Context, op: BinaryOp, target: &Value, value: &Value) -> Eval {
    match (target, value) {
        (Value::Int(a), Value::Int(b)) => return integers::small(cx, op, *a, *b),
        (Value::Str(a), Value::Str(b)) if op == BinaryOp::Add => return joined(cx, a, b),
        _ => {}
    }
    if let Value::Ref(id) = target {
        if cx.overrides(target, names(op).2) {
            return Err(Fault::Worker);
        }
        if let Some(()) = containers::in_place(cx, op, *id, value)? {
            return Ok(target.clone());
        }
    }
    match defined(cx, op, target, value)? {
        Some(result) => Ok(result),
        None => {
            let sign = format!("{}=", symbol(op));
            Err(unsupported(cx, op, &sign, target, value))
        }
    }
}

/// `Not` included.
pub fn unary(cx: &mut Context, op: UnaryOp, operand: &Value) -> Eval {
    let (sign, name) = match op {
        UnaryOp::Not => return Ok(Value::Bool(!compare::truth(cx, operand)?)),
        UnaryOp::Negative => ('-', "__neg__"),
        UnaryOp::Positive => ('+', "__pos__"),
        UnaryOp::Invert => ('~', "__invert__"),
    };
    match (op, operand) {
        (UnaryOp::Negative, Value::Int(small)) => {
            return Ok(small.checked_neg().map_or_else(|| integers::negate(operand), Value::Int));
        }
        (UnaryOp::Negative, Value::Float(float)) => return Ok(Value::Float(-float)),
        (UnaryOp::Positive, Value::Float(_)) => return Ok(operand.clone()),
        (UnaryOp::Negative, Value::Decimal(number)) => return decimal::negate(cx, number),
        (UnaryOp::Positive, Value::Decimal(number)) => return decimal::plus(cx, number),
        (UnaryOp::Negative, Value::Delta(delta)) => {
            // The smallest timedelta has an opposite, the largest has none.
            let opposite = -delta.microseconds;
            if opposite < -(999_999_999 * 86_400_000_000) {
                let text = "days=-1000000000; must have magnitude <= 999999999";
                return Err(cx.raise(TypeId::OVERFLOW_ERROR, text));
            }
            return Ok(Value::delta(opposite));
        }
        (UnaryOp::Positive, Value::Delta(_)) => return Ok(operand.clone()),
        _ => {}
    }
    if let Some(integer) = number::as_integer(operand) {
        return Ok(Value::integer(match op {
            UnaryOp::Negative => -integer,
            UnaryOp::Invert => -integer - 1,
            _ => integer,
        }));
    }
    if number::defines(cx, operand, &[name]) {
        return Err(Fault::Worker);
    }
    let text = format!("bad operand type for unary {sign}: '{}'", cx.type_name(operand));
    Err(cx.type_error(text))
}

/// The sign of an operator as messages show it: `+`, `**`.
pub fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::FloorDivide => "//",
        BinaryOp::Modulo => "%",
        BinaryOp::Power => "**",
        BinaryOp::MatrixMultiply => "@",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
    }
}

/// The special methods behind an operator: of the left operand, of the right one, and in place.
fn names(op: BinaryOp) -> (&'static str, &'static str, &'static str) {
    match op {
        BinaryOp::Add => ("__add__", "__radd__", "__iadd__"),
        BinaryOp::Subtract => ("__sub__", "__rsub__", "__isub__"),
        BinaryOp::Multiply => ("__mul__", "__rmul__", "__imul__"),
        BinaryOp::Divide => ("__truediv__", "__rtruediv__", "__itruediv__"),
        BinaryOp::FloorDivide => ("__floordiv__", "__rfloordiv__", "__ifloordiv__"),
        BinaryOp::Modulo => ("__mod__", "__rmod__", "__imod__"),
        BinaryOp::Power => ("__pow__", "__rpow__", "__ipow__"),
        BinaryOp::MatrixMultiply => ("__matmul__", "__rmatmul__", "__imatmul__"),
        BinaryOp::ShiftLeft => ("__lshift__", "__rlshift__", "__ilshift__"),
        BinaryOp::ShiftRight => ("__rshift__", "__rrshift__", "__irshift__"),
        BinaryOp::BitAnd => ("__and__", "__rand__", "__iand__"),
        BinaryOp::BitOr => ("__or__", "__ror__", "__ior__"),
        BinaryOp::BitXor => ("__xor__", "__rxor__", "__ixor__"),
    }
}

/// The result where the operator is defined for these types. `None`: it is not.
fn defined(cx: &mut Context, op: BinaryOp, left: &Value, right: &Value) -> Eval<Option<Value>> {
    if let (Some(a), Some(b)) = (Number::of(left), Number::of(right)) {
        return numbers(cx, op, left, right, a, b);
    }
    if matches!(left, Value::Ref(_)) || matches!(right, Value::Ref(_)) {
        let (own, reflected, _) = names(op);
        // Tuples know no addition to what is none, so neither does what derives from them and doesn't define it.
        let is_tuple = cx.type_of(left) == TypeId::TUPLE;
        let is_reflected = match op == BinaryOp::Add && !is_tuple && number::is_named_tuple(cx, right) {
            true => cx.declares(right, reflected),
            false => number::defines(cx, right, &[reflected]),
        };
        if is_reflected || number::defines(cx, left, &[own]) {
            return Err(Fault::Worker);
        }
    }
    if op == BinaryOp::Modulo {
        match left {
            Value::Str(text) => return format::percent(cx, text, right).map(|text| Some(Value::from(text))),
            Value::Bytes(bytes) => {
                return format::percent_bytes(cx, bytes, right).map(|bytes| Some(Value::bytes(bytes)));
            }
            _ => {}
        }
    }
    // `int | None` makes a union, which has no value here.
    let is_type = |value: &Value| matches!(value, Value::Type(_));
    if op == BinaryOp::BitOr && (is_type(left) || is_type(right)) {
        return Err(Fault::Worker);
    }
    let is_decimal = |value: &Value| matches!(value, Value::Decimal(_));
    if is_decimal(left) || is_decimal(right) {
        let exact = |value: &Value| is_decimal(value) || number::as_integer(value).is_some();
        if exact(left) && exact(right) && decimal::defines(op) {
            return decimal::binary(cx, op, left, right).map(Some);
        }
    }
    let is_time = |value: &Value| {
        matches!(value, Value::Date(_) | Value::Time(_) | Value::DateTime(_) | Value::Delta(_) | Value::Zone(_))
    };
    if (is_time(left) || is_time(right))
        && let Some(result) = time::binary(cx, op, left, right)?
    {
        return Ok(Some(result));
    }
    containers::binary(cx, op, left, right)
}

fn numbers(cx: &mut Context, op: BinaryOp, left: &Value, right: &Value, a: Number, b: Number) -> Eval<Option<Value>> {
    let to_float = |cx: &mut Context, number: Number| match number {
        Number::Small(small) => Ok(small as f64),
        Number::Big(big) => number::big_to_f64(cx, &big),
        Number::Float(float) => Ok(float),
    };
    match (a, b) {
        (Number::Small(a), Number::Small(b)) => {
            if let (Value::Bool(a), Value::Bool(b)) = (left, right) {
                match op {
                    BinaryOp::BitAnd => return Ok(Some(Value::Bool(*a && *b))),
                    BinaryOp::BitOr => return Ok(Some(Value::Bool(*a || *b))),
                    BinaryOp::BitXor => return Ok(Some(Value::Bool(a != b))),
                    _ => {}
                }
            }
            match op {
                BinaryOp::MatrixMultiply => Ok(None),
                _ => integers::small(cx, op, a, b).map(Some),
            }
        }
        (a @ Number::Float(_), b) | (a, b @ Number::Float(_)) => {
            if !floats::defines(op) {
                return Ok(None);
            }
            let (a, b) = (to_float(cx, a)?, to_float(cx, b)?);
            floats::binary(cx, op, a, b)
        }
        (a, b) => {
            let whole = |number: Number| match number {
                Number::Small(small) => small.into(),
                Number::Big(big) => big,
                Number::Float(_) => Default::default(),
            };
            integers::big(cx, op, &whole(a), &whole(b))
        }
    }
}

/// The TypeError for operands that the operator is not defined for.
fn unsupported(cx: &mut Context, op: BinaryOp, sign: &str, left: &Value, right: &Value) -> Fault {
    let (left_name, right_name) = (cx.type_name(left), cx.type_name(right));
    let text = match op {
        BinaryOp::Add => match cx.type_of(left) {
            TypeId::BYTES => Some(format!("can't concat {right_name} to bytes")),
            TypeId::STR | TypeId::LIST | TypeId::TUPLE => {
                Some(format!("can only concatenate {left_name} (not \"{right_name}\") to {left_name}"))
            }
            _ => None,
        },
        BinaryOp::Multiply => {
            let multiplier = match (containers::is_sequence(cx, left), containers::is_sequence(cx, right)) {
                (true, _) => Some(&right_name),
                (false, true) => Some(&left_name),
                _ => None,
            };
            multiplier.map(|name| format!("can't multiply sequence by non-int of type '{name}'"))
        }
        _ => None,
    };
    let sign = if sign == "**" { "** or pow()" } else { sign };
    let text =
        text.unwrap_or_else(|| format!("unsupported operand type(s) for {sign}: '{left_name}' and '{right_name}'"));
    cx.type_error(text)
}

/// Whether a value is a set, or a view of a dict that acts as one.
fn is_set_like(cx: &Context, value: &Value) -> SetLike {
    let Value::Ref(id) = value else { return SetLike::No };
    match cx.heap.get(*id) {
        Object::Set(_) => SetLike::Set,
        Object::View { kind: ViewKind::Keys | ViewKind::Items, .. } => SetLike::View,
        _ => SetLike::No,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SetLike {
    Set,
    View,
    No,
}
