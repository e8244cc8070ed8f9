//! `json.dumps`

use crate::context::{Context, Eval, Fault};
use crate::heap::{Id, Object};
use crate::python::json::{DEPTH_MAX, arguments};
use crate::python::{Args, compare, iterate, number, repr};
use crate::types::TypeId;
use crate::value::Value;

struct Writer {
    skip_keys: bool,
    ensure_ascii: bool,
    check_circular: bool,
    allow_nan: bool,
    sort_keys: bool,
    /// One level of indentation; absent: all on one line.
    indent: Option<String>,
    item_separator: String,
    key_separator: String,
    output: String,
    /// Length of the output when its size was last checked.
    checked: usize,
    /// The containers that are being written, outermost first.
    open: Vec<Id>,
}

const OPTIONS: &[&str] =
    &["skipkeys", "ensure_ascii", "check_circular", "allow_nan", "indent", "separators", "sort_keys"];

pub fn dumps(cx: &mut Context, args: Args<'_>) -> Eval {
    let names = ["dumps", "JSONEncoder", "obj"];
    let (subject, options) = arguments(cx, args, names, OPTIONS, &["default", "cls"])?;
    let mut writer = Writer {
        skip_keys: false,
        ensure_ascii: true,
        check_circular: true,
        allow_nan: true,
        sort_keys: false,
        indent: None,
        item_separator: ", ".to_string(),
        key_separator: ": ".to_string(),
        output: String::new(),
        checked: 0,
        open: Vec::new(),
    };
    let mut separators = None;
    for (name, value) in options {
        match name {
            "skipkeys" => writer.skip_keys = compare::truth(cx, value)?,
            "ensure_ascii" => writer.ensure_ascii = compare::truth(cx, value)?,
            "check_circular" => writer.check_circular = compare::truth(cx, value)?,
            "allow_nan" => writer.allow_nan = compare::truth(cx, value)?,
            "sort_keys" => writer.sort_keys = compare::truth(cx, value)?,
            "indent" => writer.indent = indent_of(cx, value)?,
            _ if value.is_none() => {}
            _ => separators = Some(value),
        }
    }
    if writer.indent.is_some() {
        writer.item_separator = ",".to_string();
    }
    if let Some(separators) = separators {
        // Anything but two texts fails in one of many ways; Python shall say in which.
        if !matches!(cx.type_of(separators), TypeId::TUPLE | TypeId::LIST) {
            return Err(Fault::Worker);
        }
        match &iterate::collect(cx, separators)?[..] {
            [Value::Str(item), Value::Str(key)] => {
                writer.item_separator = item.to_string();
                writer.key_separator = key.to_string();
            }
            _ => return Err(Fault::Worker),
        }
    }
    writer.value(cx, &subject)?;
    cx.check_size(writer.output.len())?;
    Ok(Value::from(writer.output))
}

fn indent_of(cx: &mut Context, value: &Value) -> Eval<Option<String>> {
    match value {
        Value::None => Ok(None),
        Value::Str(text) => Ok(Some(text.to_string())),
        Value::Int(_) | Value::Bool(_) => {
            let count = usize::try_from(number::to_index_i64(cx, value)?).unwrap_or(0);
            cx.check_size(count)?;
            Ok(Some(" ".repeat(count)))
        }
        _ => Err(Fault::Worker),
    }
}

impl Writer {
    fn value(&mut self, cx: &mut Context, value: &Value) -> Eval<()> {
        cx.charge(1)?;
        if self.output.len() > self.checked + (1 << 16) {
            self.checked = self.output.len();
            cx.check_size(self.checked)?;
        }
        match value {
            Value::None => self.output.push_str("null"),
            Value::Bool(flag) => self.output.push_str(if *flag { "true" } else { "false" }),
            Value::Int(small) => self.output.push_str(&small.to_string()),
            Value::Big(big) => self.output.push_str(&number::int_text(cx, big)?),
            Value::Float(float) => self.float(cx, *float)?,
            Value::Str(text) => self.text(text),
            Value::Ref(id) => return self.object(cx, *id, value),
            _ => return Err(not_serializable(cx, value)),
        }
        Ok(())
    }

    fn object(&mut self, cx: &mut Context, id: Id, value: &Value) -> Eval<()> {
        let items = match cx.heap.get(id) {
            Object::List(list) => Some(list.items.clone()),
            Object::Tuple(items) => Some(items.to_vec()),
            Object::Dict(_) => None,
            _ if number::is_opaque(cx, value) => return Err(Fault::Worker),
            _ => return Err(not_serializable(cx, value)),
        };
        if self.check_circular && self.open.contains(&id) {
            return Err(cx.value_error("Circular reference detected"));
        }
        if self.open.len() >= DEPTH_MAX {
            let text = "maximum recursion depth exceeded while encoding a JSON object";
            return Err(cx.raise(TypeId::RECURSION_ERROR, text));
        }
        self.open.push(id);
        match items {
            Some(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.output.push_str(if at == 0 { "[" } else { &self.item_separator });
                    self.new_line();
                    self.value(cx, item)?;
                }
                self.close(items.is_empty(), "[", "]");
            }
            None => self.dict(cx, id)?,
        }
        Ok(())
    }

    fn dict(&mut self, cx: &mut Context, id: Id) -> Eval<()> {
        let Object::Dict(dict) = cx.heap.get(id) else { return Ok(()) };
        let mut entries: Vec<(Value, Value)> = dict.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        let was_empty = entries.is_empty();
        if self.sort_keys {
            sort(cx, &mut entries)?;
        }
        let mut first = true;
        for (key, value) in &entries {
            let quoted_start = self.output.len();
            let name = match key {
                Value::Str(text) => text.to_string(),
                Value::Float(float) => {
                    self.float(cx, *float)?;
                    self.output.split_off(quoted_start)
                }
                Value::Bool(true) => "true".to_string(),
                Value::Bool(false) => "false".to_string(),
                Value::None => "null".to_string(),
                Value::Int(small) => small.to_string(),
                Value::Big(big) => number::int_text(cx, big)?,
                _ if number::is_opaque(cx, key) => return Err(Fault::Worker),
                _ if self.skip_keys => continue,
                _ => {
                    let name = cx.types.get(cx.type_of(key)).short_name().to_string();
                    let text = format!("keys must be str, int, float, bool or None, not {name}");
                    return Err(cx.type_error(text));
                }
            };
            self.output.push_str(if first { "{" } else { &self.item_separator });
            first = false;
            self.new_line();
            self.text(&name);
            self.output.push_str(&self.key_separator);
            self.value(cx, value)?;
        }
        if first && !was_empty {
            // All keys were skipped: Python has opened the lines by then.
            self.output.push('{');
            self.new_line();
        }
        self.close(was_empty, "{", "}");
        Ok(())
    }

    fn new_line(&mut self) {
        if let Some(indent) = &self.indent {
            self.output.push('\n');
            for _ in 0..self.open.len() {
                self.output.push_str(indent);
            }
        }
    }

    fn close(&mut self, is_empty: bool, opening: &str, closing: &str) {
        self.open.pop();
        if is_empty {
            self.output.push_str(opening);
        } else {
            self.new_line();
        }
        self.output.push_str(closing);
    }

    fn float(&mut self, cx: &mut Context, float: f64) -> Eval<()> {
        if float.is_finite() {
            self.output.push_str(&repr::float_repr(float));
            return Ok(());
        }
        if !self.allow_nan {
            return Err(cx.value_error("Out of range float values are not JSON compliant"));
        }
        self.output.push_str(match float {
            _ if float.is_nan() => "NaN",
            _ if float > 0.0 => "Infinity",
            _ => "-Infinity",
        });
        Ok(())
    }

    fn text(&mut self, text: &str) {
        self.output.push('"');
        for character in text.chars() {
            match character {
                '"' => self.output.push_str("\\\""),
                '\\' => self.output.push_str("\\\\"),
                '\n' => self.output.push_str("\\n"),
                '\r' => self.output.push_str("\\r"),
                '\t' => self.output.push_str("\\t"),
                '\x08' => self.output.push_str("\\b"),
                '\x0c' => self.output.push_str("\\f"),
                ' '..='~' => self.output.push(character),
                _ if !self.ensure_ascii && character >= ' ' => self.output.push(character),
                _ => {
                    let mut units = [0; 2];
                    for unit in character.encode_utf16(&mut units) {
                        self.output.push_str(&format!("\\u{unit:04x}"));
                    }
                }
            }
        }
        self.output.push('"');
    }
}

fn not_serializable(cx: &mut Context, value: &Value) -> Fault {
    let name = cx.types.get(cx.type_of(value)).short_name().to_string();
    cx.type_error(format!("Object of type {name} is not JSON serializable"))
}

/// Sorts entries by key; comparing may fail.
fn sort(cx: &mut Context, entries: &mut Vec<(Value, Value)>) -> Eval<()> {
    cx.charge(entries.len() * 4)?;
    if entries.iter().all(|(key, _)| matches!(key, Value::Str(_))) {
        let name = |key: &Value| match key {
            Value::Str(text) => text.clone(),
            _ => "".into(),
        };
        entries.sort_by_cached_key(|(key, _)| name(key));
        return Ok(());
    }
    let mut sorted: Vec<(Value, Value)> = Vec::with_capacity(entries.len());
    for entry in entries.drain(..) {
        let (mut low, mut high) = (0, sorted.len());
        while low < high {
            let middle = (low + high) / 2;
            if compare::less(cx, &entry.0, &sorted[middle].0)? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        cx.charge((sorted.len() - low) / 16)?;
        sorted.insert(low, entry);
    }
    *entries = sorted;
    Ok(())
}
