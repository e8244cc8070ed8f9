//! `repr()`, `str()` and `ascii()` of every value.

use crate::context::{Context, Eval};
use crate::value::Value;

/// Cycles print as `[...]`, as in Python.
pub fn repr(cx: &mut Context, _value: &Value) -> Eval<String> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

/// `str(value)`
pub fn display(cx: &mut Context, _value: &Value) -> Eval<String> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

/// `ascii(value)`
pub fn ascii(cx: &mut Context, _value: &Value) -> Eval<String> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

/// The shortest text that reads back as the same float, in Python's form: `1.0`, `1e+16`, `nan`.
pub fn float_repr(_value: f64) -> String {
    String::new()
}

pub fn str_repr(_text: &str) -> String {
    String::new()
}

pub fn bytes_repr(_bytes: &[u8]) -> String {
    String::new()
}
