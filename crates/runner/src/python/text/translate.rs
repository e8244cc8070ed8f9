//! `str.translate` and the tables that `str.maketrans` makes for it.

use rustc_hash::FxHashMap;

use super::{arguments, char_count, receiver_text};
use crate::context::{Context, Eval, Fault};
use crate::heap::{Dict, Key, Object};
use crate::python::{Args, subscript};
use crate::types::TypeId;
use crate::value::Value;

/// What a character becomes.
#[derive(Clone)]
enum Target {
    Same,
    Text(std::sync::Arc<str>),
    Char(char),
    Nothing,
}

pub fn translate(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let text = receiver_text(cx, receiver, "translate")?;
    let table = arguments::one(cx, "str", "translate", args)?;
    cx.charge(text.len())?;
    let mut known: FxHashMap<char, Target> = FxHashMap::default();
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        let target = match known.get(&char) {
            Some(target) => target,
            None => {
                let target = target_of(cx, table, char)?;
                known.entry(char).or_insert(target)
            }
        };
        match target {
            Target::Same => out.push(char),
            Target::Char(other) => out.push(*other),
            Target::Nothing => {}
            Target::Text(other) => {
                out.push_str(other);
                if out.len() > cx.limits.value_bytes_max {
                    cx.check_size(out.len())?;
                }
            }
        }
    }
    cx.check_size(out.len())?;
    Ok(out.into())
}

fn target_of(cx: &mut Context, table: &Value, char: char) -> Eval<Target> {
    let code = Value::Int(i64::from(char as u32));
    let found = match table {
        Value::Ref(id) if matches!(cx.heap.get(*id), Object::Dict(_)) => match cx.heap.get(*id) {
            Object::Dict(dict) => dict.get(&Key::Int(i64::from(char as u32))).cloned(),
            _ => None,
        },
        _ => match subscript::get_item(cx, table, &code) {
            Ok(value) => Some(value),
            Err(Fault::Raise(id)) if is_lookup_error(cx, id) => None,
            Err(fault) => return Err(fault),
        },
    };
    let code = match found {
        None => return Ok(Target::Same),
        Some(Value::None) => return Ok(Target::Nothing),
        Some(Value::Str(text)) => return Ok(Target::Text(text)),
        Some(Value::Int(code)) => u32::try_from(code).unwrap_or(u32::MAX),
        Some(Value::Bool(truth)) => u32::from(truth),
        Some(Value::Big(_)) => u32::MAX,
        Some(_) => return Err(cx.type_error("character mapping must return integer, None or str")),
    };
    match char::from_u32(code) {
        Some(char) => Ok(Target::Char(char)),
        None if code < 0x11_0000 => Err(cx.raise(TypeId::UNSUPPORTED, "a str can't hold lone surrogates")),
        None => Err(cx.value_error("character mapping must be in range(0x110000)")),
    }
}

fn is_lookup_error(cx: &Context, id: crate::heap::Id) -> bool {
    cx.types.is_subtype(cx.heap.get(id).type_id(), TypeId::LOOKUP_ERROR)
}

/// `str.maketrans(x, y, z)`
pub fn maketrans(cx: &mut Context, args: Args<'_>) -> Eval {
    let given = arguments::expected(cx, "str", "maketrans", args, 1, 3)?;
    let mut table = Dict::default();
    let mut set = |char: char, value: Value| {
        let code = i64::from(char as u32);
        table.insert(Key::Int(code), Value::Int(code), value);
    };
    match given {
        [from, to, rest @ ..] => {
            let to = arguments::argument_str(cx, "maketrans", " 2", to)?;
            let removed = match rest.first() {
                Some(removed) => arguments::argument_str(cx, "maketrans", " 3", removed)?,
                None => "",
            };
            let Value::Str(from) = from else {
                let text = "first maketrans argument must be a string if there is a second argument";
                return Err(cx.type_error(text));
            };
            if char_count(from) != char_count(to) {
                return Err(cx.value_error("the first two maketrans arguments must have equal length"));
            }
            cx.check_size((from.len() + removed.len()).saturating_mul(16))?;
            from.chars().zip(to.chars()).for_each(|(from, to)| set(from, Value::Int(i64::from(to as u32))));
            removed.chars().for_each(|char| set(char, Value::None));
        }
        _ => {
            let dict = match &given[0] {
                Value::Ref(id) => match cx.heap.get(*id) {
                    Object::Dict(dict) => Some(dict.clone()),
                    _ => None,
                },
                _ => None,
            };
            let Some(dict) = dict else {
                return Err(cx.type_error("if you give only one argument to maketrans it must be a dict"));
            };
            cx.check_size(dict.len().saturating_mul(16))?;
            for (key, name, value) in dict.keyed() {
                match name {
                    Value::Str(text) => {
                        let mut chars = text.chars();
                        match (chars.next(), chars.next()) {
                            (Some(char), None) => {
                                let code = i64::from(char as u32);
                                table.insert(Key::Int(code), Value::Int(code), value.clone());
                            }
                            _ => return Err(cx.value_error("string keys in translate table must be of length 1")),
                        }
                    }
                    Value::Int(_) | Value::Big(_) | Value::Bool(_) => {
                        table.insert(key.clone(), name.clone(), value.clone());
                    }
                    _ => return Err(cx.type_error("keys in translate table must be strings or integers")),
                }
            }
        }
    }
    Ok(Value::Ref(cx.heap.add(Object::Dict(table))))
}
