//! `base[index]`, `base[index] = value` and `del base[index]`, slices included.

use crate::context::{Context, Eval};
use crate::value::Value;

pub fn get_item(cx: &mut Context, _base: &Value, _index: &Value) -> Eval {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

pub fn set_item(cx: &mut Context, _base: &Value, _index: &Value, _value: Value) -> Eval<()> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

pub fn delete_item(cx: &mut Context, _base: &Value, _index: &Value) -> Eval<()> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}
