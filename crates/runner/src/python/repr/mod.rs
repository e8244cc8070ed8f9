//! `repr()`, `str()` and `ascii()` of every value. What only a worker can print (a user's `__repr__`, an object whose default
//! shows its address) is handed over.

mod class;
mod exception;
mod literal;
mod number;
mod object;

pub use class::{enum_plain, is_enum_member};
pub use literal::{
    ascii_only, bytes_repr, exponent_text, float_repr, positional, scientific, shortest, split_scientific, str_repr,
};
pub use number::{decimal_text, integer_text, uuid_text};

use crate::context::{Context, Eval, Fault};
use crate::heap::{Id, Object};
use crate::python::time;
use crate::types::TypeId;
use crate::value::Value;

/// Deeper nesting raises RecursionError, as in Python (where the limit is somewhere above).
const DEPTH_MAX: usize = 200;

/// Cycles print as `[...]`, as in Python.
pub fn repr(cx: &mut Context, value: &Value) -> Eval<String> {
    let mut writer = Writer { out: String::new(), open: Vec::new(), depth: 0 };
    writer.value(cx, value)?;
    cx.check_size(writer.out.len())?;
    Ok(writer.out)
}

/// `str(value)`
pub fn display(cx: &mut Context, value: &Value) -> Eval<String> {
    match value {
        Value::Str(text) => Ok(text.to_string()),
        Value::Decimal(number) => decimal_text(cx, number),
        Value::Uuid(bits) => Ok(uuid_text(**bits)),
        Value::Date(_) | Value::Time(_) | Value::DateTime(_) | Value::Delta(_) | Value::Zone(_) => {
            time::display(cx, value)
        }
        Value::Ref(id) => match cx.heap.get(*id) {
            Object::Exception(_) => exception::display(cx, *id),
            Object::Instance(_) if cx.overrides(value, "__str__") => Err(Fault::Worker),
            Object::Instance(_) => match class::enum_display(cx, *id)? {
                Some(text) => Ok(text),
                None => repr(cx, value),
            },
            _ => repr(cx, value),
        },
        _ => repr(cx, value),
    }
}

/// `ascii(value)`
pub fn ascii(cx: &mut Context, value: &Value) -> Eval<String> {
    let text = ascii_only(repr(cx, value)?);
    cx.check_size(text.len())?;
    Ok(text)
}

/// One `repr` on its way: what is written, and which containers are open around the place where it writes.
struct Writer {
    out: String,
    open: Vec<Id>,
    depth: usize,
}

impl Writer {
    fn value(&mut self, cx: &mut Context, value: &Value) -> Eval<()> {
        cx.charge(1)?;
        if self.out.len() > cx.limits.value_bytes_max {
            cx.check_size(self.out.len())?;
        }
        match value {
            Value::Unbound | Value::None => self.out.push_str("None"),
            Value::Bool(true) => self.out.push_str("True"),
            Value::Bool(false) => self.out.push_str("False"),
            Value::Int(number) => self.out.push_str(&number.to_string()),
            Value::Big(number) => self.out.push_str(&integer_text(cx, number)?),
            Value::Float(number) => self.out.push_str(&float_repr(*number)),
            Value::Str(text) => {
                cx.check_size(text.len())?;
                self.out.push_str(&str_repr(text));
            }
            Value::Bytes(bytes) => {
                cx.check_size(bytes.len())?;
                self.out.push_str(&bytes_repr(bytes));
            }
            Value::Date(_) | Value::Time(_) | Value::DateTime(_) | Value::Delta(_) | Value::Zone(_) => {
                let text = time::repr(cx, value)?;
                self.out.push_str(&text);
            }
            Value::Decimal(number) => {
                let text = decimal_text(cx, number)?;
                self.out.push_str(&format!("Decimal('{text}')"));
            }
            Value::Uuid(bits) => self.out.push_str(&format!("UUID('{}')", uuid_text(**bits))),
            Value::Ellipsis => self.out.push_str("Ellipsis"),
            Value::NotImplemented => self.out.push_str("NotImplemented"),
            Value::Type(id) => self.out.push_str(&class::class_repr(cx, *id)),
            Value::Builtin(builtin) => {
                let name = crate::registry::name(*builtin);
                self.out.push_str(&format!("<built-in function {}>", name.rsplit('.').next().unwrap_or(name)));
            }
            Value::Ref(id) => {
                if self.depth >= DEPTH_MAX {
                    let text = "maximum recursion depth exceeded while getting the repr of an object";
                    return Err(cx.raise(TypeId::RECURSION_ERROR, text));
                }
                self.depth += 1;
                self.object(cx, *id)?;
                self.depth -= 1;
            }
        }
        Ok(())
    }

    /// Items between commas.
    fn items(&mut self, cx: &mut Context, items: &[Value]) -> Eval<()> {
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            self.value(cx, item)?;
        }
        Ok(())
    }
}
