//! The format mini-language (`format()`, f-strings, `str.format`) and `%` formatting.

pub mod fields;
mod number;
mod percent;
mod spec;

pub use percent::{percent, percent_bytes};

use crate::context::{Context, Eval, Fault};
use crate::heap::Object;
use crate::python::text::{self, layout};
use crate::python::{decimal, repr, time};
use crate::value::Value;
use spec::Spec;

/// `format(value, spec)`
pub fn format(cx: &mut Context, value: &Value, spec: &str) -> Eval<String> {
    match value {
        Value::Str(text) => format_str(cx, text, spec),
        Value::Date(_) | Value::Time(_) | Value::DateTime(_) => time::format(cx, value, spec),
        Value::Decimal(number) => decimal::format(cx, number, spec),
        Value::Ref(id) if matches!(cx.heap.get(*id), Object::Instance(_)) => {
            if cx.overrides(value, "__format__") {
                return Err(Fault::Worker);
            }
            if let Some(plain) = repr::enum_plain(cx, *id) {
                return format(cx, &plain, spec);
            }
            let text = repr::display(cx, value)?;
            if repr::is_enum_member(cx, *id) { format_str(cx, &text, spec) } else { only_empty(cx, value, spec, text) }
        }
        _ if spec.is_empty() => repr::display(cx, value),
        Value::Bool(_) | Value::Int(_) | Value::Big(_) => number::format_integer(cx, value, spec),
        Value::Float(number) => number::format_float(cx, *number, spec),
        _ => only_empty(cx, value, spec, String::new()),
    }
}

/// What inherits `object.__format__` has no specifications at all.
fn only_empty(cx: &mut Context, value: &Value, spec: &str, text: String) -> Eval<String> {
    if spec.is_empty() {
        return Ok(text);
    }
    let name = cx.type_name(value);
    Err(cx.type_error(format!("unsupported format string passed to {name}.__format__")))
}

fn format_str(cx: &mut Context, text: &str, given: &str) -> Eval<String> {
    if given.is_empty() {
        return Ok(text.to_string());
    }
    let spec = Spec::parse(cx, given, "str", Some('s'), '<')?;
    if spec.kind != Some('s') {
        return Err(spec.unknown_kind(cx, "str"));
    }
    let refused = match spec {
        Spec { sign: Some(' '), .. } => "Space not allowed in string format specifier",
        Spec { sign: Some(_), .. } => "Sign not allowed in string format specifier",
        Spec { no_negative_zero: true, .. } => "Negative zero coercion (z) not allowed in string format specifier",
        Spec { alternate: true, .. } => "Alternate form (#) not allowed in string format specifier",
        Spec { align: '=', .. } => "'=' alignment not allowed in string format specifier",
        _ => "",
    };
    if !refused.is_empty() {
        return Err(cx.value_error(refused));
    }
    let text = match spec.precision {
        Some(most) => text::substring(text, 0, most),
        None => text,
    };
    let missing = spec.width.saturating_sub(text::char_count(text));
    layout::pad(cx, text, spec.around(missing), spec.fill)
}
