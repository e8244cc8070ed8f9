//! `item in container`.

use crate::context::{Context, Eval, Fault};
use crate::heap::{Key, Object, ViewKind};
use crate::python::compare::classes::{customises, enum_plain, is_enum};
use crate::python::compare::{has_custom_keys, item as item_at, key_of, member_key, same_or_equal, viewed};
use crate::python::iterate;
use crate::value::Value;

pub fn contains(cx: &mut Context, container: &Value, item: &Value) -> Eval<bool> {
    match (container, item) {
        (Value::Str(text), Value::Str(part)) => {
            cx.charge(text.len() / 64)?;
            return Ok(text.contains(&**part));
        }
        (Value::Str(_), _) => {
            if let Some(Value::Str(part)) = enum_plain(cx, item) {
                return contains(cx, container, &Value::Str(part));
            }
            let text = format!("'in <string>' requires string as left operand, not {}", cx.type_name(item));
            return Err(cx.type_error(text));
        }
        (Value::Bytes(bytes), Value::Bytes(part)) => {
            cx.charge(bytes.len() / 64 + part.len() / 64)?;
            return Ok(part.is_empty() || has_part(bytes, part));
        }
        (Value::Bytes(bytes), Value::Int(_) | Value::Bool(_) | Value::Big(_)) => {
            let byte = match item {
                Value::Int(value) => u8::try_from(*value).ok(),
                Value::Bool(value) => Some(u8::from(*value)),
                _ => None,
            };
            return match byte {
                Some(byte) => Ok(bytes.contains(&byte)),
                None => Err(cx.value_error("byte must be in range(0, 256)")),
            };
        }
        (Value::Bytes(_), _) => {
            let text = format!("a bytes-like object is required, not '{}'", cx.type_name(item));
            return Err(cx.type_error(text));
        }
        (Value::Type(class), _) if is_enum(cx, *class) => return Err(Fault::Worker),
        (Value::Ref(_), _) => {}
        _ => return Err(not_a_container(cx, container)),
    }
    let Value::Ref(id) = container else { return Err(not_a_container(cx, container)) };
    let id = *id;
    if has_custom_keys(cx, container) {
        return Err(Fault::Worker);
    }
    match cx.heap.get(id) {
        Object::List(_) | Object::Tuple(_) => {
            let mut at = 0;
            while let Some(candidate) = item_at(cx, id, at) {
                cx.charge(1)?;
                if same_or_equal(cx, &candidate, item)? {
                    return Ok(true);
                }
                at += 1;
            }
            Ok(false)
        }
        Object::Dict(_) => {
            let key = key_of(cx, item)?;
            Ok(viewed(cx, id).is_some_and(|dict| dict.contains(&key)))
        }
        Object::Set(_) => {
            let key = member_key(cx, item)?;
            Ok(matches!(cx.heap.get(id), Object::Set(set) if set.contains(&key)))
        }
        Object::Range(range) => {
            let range = *range;
            if matches!(item, Value::Ref(_)) && customises(cx, item, &["__eq__"]) {
                return Err(Fault::Worker);
            }
            let plain = enum_plain(cx, item).unwrap_or_else(|| item.clone());
            if !matches!(plain, Value::Int(_) | Value::Bool(_) | Value::Float(_) | Value::Decimal(_)) {
                return Ok(false);
            }
            let Key::Int(value) = key_of(cx, &plain)? else { return Ok(false) };
            let (start, stop) = (i128::from(range.start), i128::from(range.stop));
            let (step, value) = (i128::from(range.step), i128::from(value));
            let inside = if step > 0 { value >= start && value < stop } else { value <= start && value > stop };
            Ok(inside && (value - start) % step == 0)
        }
        Object::View { dict, kind } => {
            let (dict, kind) = (*dict, *kind);
            match kind {
                ViewKind::Keys => {
                    let key = key_of(cx, item)?;
                    Ok(viewed(cx, dict).is_some_and(|dict| dict.contains(&key)))
                }
                ViewKind::Values => {
                    let values: Vec<Value> = viewed(cx, dict)
                        .map_or(Vec::new(), |dict| dict.iter().map(|(_, value)| value.clone()).collect());
                    for value in values {
                        cx.charge(1)?;
                        if same_or_equal(cx, &value, item)? {
                            return Ok(true);
                        }
                    }
                    Ok(false)
                }
                ViewKind::Items => {
                    let pair = match item {
                        Value::Ref(pair) => match cx.heap.get(*pair) {
                            Object::Tuple(pair) if pair.len() == 2 => (pair[0].clone(), pair[1].clone()),
                            _ => return Ok(false),
                        },
                        _ => return Ok(false),
                    };
                    let key = key_of(cx, &pair.0)?;
                    match viewed(cx, dict).and_then(|dict| dict.get(&key)).cloned() {
                        Some(found) => same_or_equal(cx, &found, &pair.1),
                        None => Ok(false),
                    }
                }
            }
        }
        Object::Iterator(_) => {
            while let Some(candidate) = iterate::next(cx, container)? {
                cx.charge(1)?;
                if same_or_equal(cx, &candidate, item)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Object::Instance(_) | Object::Exception(_) => {
            if customises(cx, container, &["__contains__", "__iter__", "__getitem__"]) {
                return Err(Fault::Worker);
            }
            match enum_plain(cx, container) {
                Some(plain @ Value::Str(_)) => contains(cx, &plain, item),
                _ => Err(not_a_container(cx, container)),
            }
        }
        _ => Err(not_a_container(cx, container)),
    }
}

fn not_a_container(cx: &mut Context, container: &Value) -> Fault {
    let text = format!("argument of type '{}' is not iterable", cx.type_name(container));
    cx.type_error(text)
}

/// A long part is looked for by the search of `str`, which is linear: bytes are its first 256 code points.
fn has_part(bytes: &[u8], part: &[u8]) -> bool {
    if part.len() > 16 {
        let text = |bytes: &[u8]| bytes.iter().map(|byte| char::from(*byte)).collect::<String>();
        return bytes.len() >= part.len() && text(bytes).contains(&text(part));
    }
    bytes.windows(part.len()).any(|window| window == part)
}
