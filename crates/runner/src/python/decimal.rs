//! `decimal.Decimal`: arithmetic in a context of 28 digits, half even, as Python's default.

use std::cmp::Ordering;

use waymark_ir::{BinaryOp, Decimal};

use crate::context::{Context, Eval};
use crate::python::{Constants, Constructors, Functions, Methods};
use crate::value::Value;

pub const CONSTRUCTORS: Constructors = &[];
pub const FUNCTIONS: Functions = &[];
pub const CONSTANTS: Constants = &[];
pub const METHODS: Methods = &[];

/// Both operands are Decimal, int or bool, at least one a Decimal.
pub fn binary(cx: &mut Context, _op: BinaryOp, _left: &Value, _right: &Value) -> Eval {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

/// Compares a Decimal with a Decimal, int, bool or float, exactly. `None`: unordered (a NaN).
pub fn compare(_left: &Decimal, _right: &Value) -> Option<Ordering> {
    None
}

/// `format(decimal, spec)`
pub fn format(cx: &mut Context, _value: &Decimal, _spec: &str) -> Eval<String> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}
