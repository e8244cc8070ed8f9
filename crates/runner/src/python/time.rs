//! The module `datetime` and its classes, `zoneinfo.ZoneInfo`, and the clock functions of `time`.

use std::cmp::Ordering;

use waymark_ir::BinaryOp;

use crate::context::{Context, Eval};
use crate::heap::Key;
use crate::python::{Constants, Constructors, Functions, Methods};
use crate::types::TypeId;
use crate::value::Value;

pub const CONSTRUCTORS: Constructors = &[];
pub const FUNCTIONS: Functions = &[];
pub const CONSTANTS: Constants = &[];

/// Methods of a class of this module.
pub fn methods(_class: TypeId) -> Methods {
    &[]
}

/// Attributes that are no methods: `year`, `tzinfo`, `days`. `None`: there is no such attribute.
pub fn attribute(_value: &Value, _name: &str) -> Option<Value> {
    None
}

/// An operator with at least one operand of this module. `None`: not defined for these types.
pub fn binary(cx: &mut Context, _op: BinaryOp, _left: &Value, _right: &Value) -> Eval<Option<Value>> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

/// `==` for two values, at least one of this module (naive and aware, date and datetime: never equal, not an error).
pub fn equal(cx: &mut Context, _left: &Value, _right: &Value) -> Eval<bool> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

/// `<` and the like; raises TypeError as Python does where there is no order.
pub fn order(cx: &mut Context, _op: &str, _left: &Value, _right: &Value) -> Eval<Ordering> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

/// Equal values have equal keys (aware times by their instant).
pub fn key(cx: &mut Context, _value: &Value) -> Eval<Key> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

pub fn repr(cx: &mut Context, _value: &Value) -> Eval<String> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

/// `str(value)`
pub fn display(cx: &mut Context, _value: &Value) -> Eval<String> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

/// `format(value, spec)`: strftime where there is a spec.
pub fn format(cx: &mut Context, _value: &Value, _spec: &str) -> Eval<String> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}
