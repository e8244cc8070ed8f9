//! The format mini-language (`format()`, f-strings, `str.format`) and `%` formatting.

use crate::context::{Context, Eval};
use crate::value::Value;

/// `format(value, spec)`
pub fn format(cx: &mut Context, _value: &Value, _spec: &str) -> Eval<String> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

/// `text % value`
pub fn percent(cx: &mut Context, _text: &str, _value: &Value) -> Eval<String> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

/// `bytes % value`
pub fn percent_bytes(cx: &mut Context, _bytes: &[u8], _value: &Value) -> Eval<Vec<u8>> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}
