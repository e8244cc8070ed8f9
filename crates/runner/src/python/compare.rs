//! Truth, equality, order, membership, identity, and the keys that dicts and sets compare by.

use waymark_ir::CompareOp;

use crate::context::{Context, Eval};
use crate::heap::Key;
use crate::value::Value;

pub fn truth(cx: &mut Context, _value: &Value) -> Eval<bool> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

pub fn equal(cx: &mut Context, _left: &Value, _right: &Value) -> Eval<bool> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

/// Any comparison operator; `in` and `is` too.
pub fn compare(cx: &mut Context, _op: CompareOp, _left: &Value, _right: &Value) -> Eval<bool> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

/// `left < right`, for sorting.
pub fn less(cx: &mut Context, _left: &Value, _right: &Value) -> Eval<bool> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

pub fn contains(cx: &mut Context, _container: &Value, _item: &Value) -> Eval<bool> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

pub fn is(_left: &Value, _right: &Value) -> bool {
    false
}

/// Raises TypeError for what has no hash: `unhashable type: 'list'`.
pub fn key_of(cx: &mut Context, _value: &Value) -> Eval<Key> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}
