//! Operators between floats.

use waymark_ir::BinaryOp;

use crate::context::{Context, Eval};
use crate::types::TypeId;
use crate::value::Value;

pub fn defines(op: BinaryOp) -> bool {
    use BinaryOp::{Add, Divide, FloorDivide, Modulo, Multiply, Power, Subtract};
    matches!(op, Add | Subtract | Multiply | Divide | FloorDivide | Modulo | Power)
}

/// `None`: the operator is not defined for floats.
#[inline]
pub fn binary(cx: &mut Context, op: BinaryOp, a: f64, b: f64) -> Eval<Option<Value>> {
    let result = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide if b == 0.0 => return Err(division_error(cx, "float division by zero")),
        BinaryOp::Divide => a / b,
        BinaryOp::FloorDivide if b == 0.0 => return Err(division_error(cx, "float floor division by zero")),
        BinaryOp::FloorDivide => divide_floor(a, b).0,
        BinaryOp::Modulo if b == 0.0 => return Err(division_error(cx, "float modulo")),
        BinaryOp::Modulo => divide_floor(a, b).1,
        BinaryOp::Power => power(cx, a, b)?,
        _ => return Ok(None),
    };
    Ok(Some(Value::Float(result)))
}

fn division_error(cx: &mut Context, text: &str) -> crate::context::Fault {
    cx.raise(TypeId::ZERO_DIVISION_ERROR, text)
}

/// Floor division and the remainder that has the divisor's sign, as `divmod` gives them.
pub fn divide_floor(a: f64, b: f64) -> (f64, f64) {
    let mut rest = a % b;
    let mut whole = (a - rest) / b;
    if rest == 0.0 {
        rest = 0.0_f64.copysign(b);
    } else if (b < 0.0) != (rest < 0.0) {
        rest += b;
        whole -= 1.0;
    }
    if whole == 0.0 {
        return (0.0_f64.copysign(a / b), rest);
    }
    let floor = whole.floor();
    // The division was not exact; the true quotient is next to an integer.
    (if whole - floor > 0.5 { floor + 1.0 } else { floor }, rest)
}

fn power(cx: &mut Context, a: f64, b: f64) -> Eval<f64> {
    if a == 0.0 && b < 0.0 && b.is_finite() {
        return Err(division_error(cx, "0.0 cannot be raised to a negative power"));
    }
    if a < 0.0 && a.is_finite() && b.is_finite() && b != b.floor() {
        return Err(cx.raise(TypeId::UNSUPPORTED, "complex numbers are not supported"));
    }
    let result = a.powf(b);
    if result.is_infinite() && a.is_finite() && b.is_finite() {
        let args = vec![Value::Int(34), Value::from("Numerical result out of range")];
        return Err(cx.raise_with(TypeId::OVERFLOW_ERROR, args));
    }
    Ok(result)
}
