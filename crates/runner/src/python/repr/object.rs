//! `repr()` of what lives on the heap.

use super::{Writer, class};
use crate::context::{Context, Eval, Fault};
use crate::heap::{Dict, Id, Object, ViewKind};
use crate::value::Value;

/// What an object consists of, copied out so that the heap is free while its parts are written.
enum Shape {
    Text(String),
    /// Opening, items, closing, and what to write instead inside itself.
    Sequence(&'static str, Vec<Value>, &'static str, &'static str),
    /// One-item tuples end in a comma.
    Tuple(Vec<Value>),
    Dict(Vec<(Value, Value)>),
    /// `(key, value)` for each.
    Pairs(Vec<(Value, Value)>),
    Slice([Value; 3]),
    Instance,
    Exception,
}

impl Writer {
    pub(super) fn object(&mut self, cx: &mut Context, id: Id) -> Eval<()> {
        let shape = shape_of(cx, id);
        if let Some(again) = inside_itself(&shape)
            && self.open.contains(&id)
        {
            self.out.push_str(again);
            return Ok(());
        }
        self.open.push(id);
        match shape {
            Shape::Text(text) => self.out.push_str(&text),
            Shape::Sequence(opening, items, closing, _) => {
                self.out.push_str(opening);
                self.items(cx, &items)?;
                self.out.push_str(closing);
            }
            Shape::Tuple(items) => {
                self.out.push('(');
                self.items(cx, &items)?;
                self.out.push_str(if items.len() == 1 { ",)" } else { ")" });
            }
            Shape::Dict(entries) => {
                self.out.push('{');
                for (at, (name, value)) in entries.iter().enumerate() {
                    self.out.push_str(if at > 0 { ", " } else { "" });
                    self.value(cx, name)?;
                    self.out.push_str(": ");
                    self.value(cx, value)?;
                }
                self.out.push('}');
            }
            Shape::Pairs(entries) => {
                self.out.push_str("dict_items([");
                for (at, (name, value)) in entries.iter().enumerate() {
                    self.out.push_str(if at > 0 { ", (" } else { "(" });
                    self.value(cx, name)?;
                    self.out.push_str(", ");
                    self.value(cx, value)?;
                    self.out.push(')');
                }
                self.out.push_str("])");
            }
            Shape::Slice(parts) => {
                self.out.push_str("slice(");
                self.items(cx, &parts)?;
                self.out.push(')');
            }
            Shape::Instance => self.instance(cx, id)?,
            Shape::Exception => self.exception(cx, id)?,
        }
        self.open.pop();
        Ok(())
    }

    fn instance(&mut self, cx: &mut Context, id: Id) -> Eval<()> {
        if cx.overrides(&Value::Ref(id), "__repr__") {
            return Err(Fault::Worker);
        }
        if let Some((class, name, value)) = class::enum_member(cx, id) {
            self.out.push_str(&format!("<{class}.{name}: "));
            self.value(cx, &value)?;
            self.out.push('>');
            return Ok(());
        }
        let Some((class, fields)) = class::record_fields(cx, id) else { return Err(Fault::Worker) };
        self.out.push_str(&class);
        self.out.push('(');
        for (at, (name, value)) in fields.iter().enumerate() {
            self.out.push_str(if at > 0 { ", " } else { "" });
            self.out.push_str(name);
            self.out.push('=');
            self.value(cx, value)?;
        }
        self.out.push(')');
        Ok(())
    }

    fn exception(&mut self, cx: &mut Context, id: Id) -> Eval<()> {
        if cx.overrides(&Value::Ref(id), "__repr__") {
            return Err(Fault::Worker);
        }
        let Object::Exception(exception) = cx.heap.get(id) else { return Ok(()) };
        let args = exception.args.clone();
        self.out.push_str(cx.types.get(exception.class).short_name());
        self.out.push('(');
        self.items(cx, &args)?;
        self.out.push(')');
        Ok(())
    }
}

fn inside_itself(shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::Sequence(_, _, _, again) => Some(again),
        Shape::Tuple(_) => Some("(...)"),
        Shape::Dict(_) => Some("{...}"),
        Shape::Pairs(_) | Shape::Instance => Some("..."),
        Shape::Text(_) | Shape::Slice(_) | Shape::Exception => None,
    }
}

fn shape_of(cx: &Context, id: Id) -> Shape {
    let object = cx.heap.get(id);
    match object {
        Object::List(list) => Shape::Sequence("[", list.items.clone(), "]", "[...]"),
        Object::Tuple(items) => Shape::Tuple(items.to_vec()),
        Object::Dict(dict) => Shape::Dict(entries(dict)),
        Object::Set(set) if set.is_empty() => Shape::Text(if set.frozen { "frozenset()" } else { "set()" }.into()),
        Object::Set(set) if set.frozen => {
            Shape::Sequence("frozenset({", set.iter().cloned().collect(), "})", "frozenset(...)")
        }
        Object::Set(set) => Shape::Sequence("{", set.iter().cloned().collect(), "}", "set(...)"),
        Object::Range(range) if range.step == 1 => Shape::Text(format!("range({}, {})", range.start, range.stop)),
        Object::Range(range) => Shape::Text(format!("range({}, {}, {})", range.start, range.stop, range.step)),
        Object::Slice(parts) => Shape::Slice((**parts).clone()),
        Object::View { dict, kind } => {
            let entries = match cx.heap.get(*dict) {
                Object::Dict(dict) => entries(dict),
                _ => Vec::new(),
            };
            match kind {
                ViewKind::Items => Shape::Pairs(entries),
                ViewKind::Keys => {
                    Shape::Sequence("dict_keys([", entries.into_iter().map(|(name, _)| name).collect(), "])", "...")
                }
                ViewKind::Values => {
                    Shape::Sequence("dict_values([", entries.into_iter().map(|(_, value)| value).collect(), "])", "...")
                }
            }
        }
        Object::Instance(_) => Shape::Instance,
        Object::Exception(_) => Shape::Exception,
        Object::Method { receiver: Value::Type(class), name } => {
            Shape::Text(format!("<method '{name}' of '{}' objects>", cx.types.get(*class).shown))
        }
        Object::Method { receiver, name } => {
            Shape::Text(format!("<built-in method {name} of {} object>", cx.type_name(receiver)))
        }
        // CPython shows an address here; there is none.
        Object::Function(_) => Shape::Text("<function>".into()),
        Object::Bound { .. } => Shape::Text("<bound method>".into()),
        Object::Future(future) if future.task.is_some() => {
            let name = future.task.as_ref().map(|task| task.name.to_string()).unwrap_or_default();
            Shape::Text(format!("<Task name={}>", super::str_repr(&name)))
        }
        Object::Future(_) => Shape::Text("<Future>".into()),
        Object::Iterator(_) | Object::Cell(_) | Object::Coroutine(_) => {
            Shape::Text(format!("<{} object>", cx.type_name(&Value::Ref(id))))
        }
    }
}

fn entries(dict: &Dict) -> Vec<(Value, Value)> {
    dict.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
}
