//! Iteration over native iterables. Generators, and `map`/`filter`/`zip`/`enumerate` over them, belong to the machine.

use crate::context::{Context, Eval};
use crate::value::Value;

/// `iter(value)`: a new iterator object, or the same one for an iterator.
pub fn iter(cx: &mut Context, _value: &Value) -> Eval {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

/// The next item of a native iterator, or `None` at its end.
pub fn next(cx: &mut Context, _iterator: &Value) -> Eval<Option<Value>> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

/// All items of a native iterable.
pub fn collect(cx: &mut Context, _iterable: &Value) -> Eval<Vec<Value>> {
    Err(cx.raise(crate::types::TypeId::UNSUPPORTED, "not built yet"))
}

/// Whether advancing it needs the machine: a generator, a `map`, a `filter` with a function, or a `zip` or `enumerate` over one.
pub fn needs_machine(_cx: &Context, _value: &Value) -> bool {
    false
}
