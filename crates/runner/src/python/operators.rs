//! Arithmetic and bit operators over all built-in types.

use waymark_ir::{BinaryOp, UnaryOp};

use crate::context::{Context, Eval};
use crate::value::Value;

pub fn binary(cx: &mut Context, _op: BinaryOp, _left: &Value, _right: &Value) -> Eval {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

/// `target op= value`: changes lists, sets and dicts in place and gives the same object; else as [`binary`].
pub fn in_place(cx: &mut Context, _op: BinaryOp, _target: &Value, _value: &Value) -> Eval {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

/// `Not` included.
pub fn unary(cx: &mut Context, _op: UnaryOp, _operand: &Value) -> Eval {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

/// The sign of an operator as messages show it: `+`, `**`.
pub fn symbol(_op: BinaryOp) -> &'static str {
    ""
}
