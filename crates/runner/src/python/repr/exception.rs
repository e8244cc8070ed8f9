//! `str()` of exceptions: mostly their arguments, with the few classes that say it in their own way.

use super::{display as display_value, repr};
use crate::context::{Context, Eval, Fault};
use crate::heap::{Id, Key, Object};
use crate::python::text;
use crate::types::TypeId;
use crate::value::Value;

pub fn display(cx: &mut Context, id: Id) -> Eval<String> {
    let Object::Exception(exception) = cx.heap.get(id) else { return Ok(String::new()) };
    if let Some(message) = &exception.message {
        return Ok(message.to_string());
    }
    let (class, args) = (exception.class, exception.args.clone());
    let filename = exception.fields.get(&Key::Str("filename".into())).cloned();
    if cx.overrides(&Value::Ref(id), "__str__") {
        return Err(Fault::Worker);
    }
    let is = |cx: &Context, of: TypeId| cx.types.is_subtype(class, of);
    match &args[..] {
        [only] if is(cx, TypeId::KEY_ERROR) => repr(cx, only),
        [number, text, rest @ ..]
            // No objects: `str()` of one could come back here, without end.
            if rest.len() < 4 && [number, text].iter().all(|part| part.reference().is_none()) && is(cx, TypeId::OS_ERROR) =>
        {
            let (number, text) = (display_value(cx, number)?, display_value(cx, text)?);
            let file = match filename.as_ref().or(rest.first()) {
                None | Some(Value::None) => String::new(),
                Some(file) => format!(": {}", repr(cx, file)?),
            };
            Ok(format!("[Errno {number}] {text}{file}"))
        }
        [Value::Str(message), group] if is(cx, TypeId::BASE_EXCEPTION_GROUP) => {
            let count = match group.reference().map(|id| cx.heap.get(id)) {
                Some(Object::List(list)) => list.items.len(),
                Some(Object::Tuple(items)) => items.len(),
                _ => 0,
            };
            let plural = if count == 1 { "" } else { "s" };
            Ok(format!("{message} ({count} sub-exception{plural})"))
        }
        [Value::Str(codec), Value::Str(source), Value::Int(start), Value::Int(end), Value::Str(reason)]
            if is(cx, TypeId::UNICODE_ENCODE_ERROR) =>
        {
            let char = usize::try_from(*start).ok().and_then(|start| text::char_at(source, start));
            Ok(match char {
                Some(char) if start.checked_add(1) == Some(*end) => {
                    let shown = text::codec::escape(char);
                    format!("'{codec}' codec can't encode character '{shown}' in position {start}: {reason}")
                }
                _ => {
                    let last = end.saturating_sub(1);
                    format!("'{codec}' codec can't encode characters in position {start}-{last}: {reason}")
                }
            })
        }
        [Value::Str(codec), Value::Bytes(source), Value::Int(start), Value::Int(end), Value::Str(reason)]
            if is(cx, TypeId::UNICODE_DECODE_ERROR) =>
        {
            let byte = usize::try_from(*start).ok().and_then(|start| source.get(start));
            Ok(match byte {
                Some(byte) if start.checked_add(1) == Some(*end) => {
                    format!("'{codec}' codec can't decode byte {byte:#04x} in position {start}: {reason}")
                }
                _ => format!("'{codec}' codec can't decode bytes in position {start}-{}: {reason}", end.saturating_sub(1)),
            })
        }
        [] => Ok(String::new()),
        [Value::Str(only)] => Ok(only.to_string()),
        [only] => display_value_guarded(cx, id, only),
        [_, ..] => {
            let tuple = cx.tuple(args);
            repr(cx, &tuple)
        }
    }
}

/// An exception may hold exceptions that hold exceptions: `str()` would go down as far as they go.
fn display_value_guarded(cx: &mut Context, outer: Id, only: &Value) -> Eval<String> {
    let mut current = only.clone();
    let mut seen = vec![outer];
    // Only a chain of single arguments goes on in `str()`; walk it here instead of on the stack.
    while let Value::Ref(id) = current {
        let Object::Exception(exception) = cx.heap.get(id) else { break };
        if seen.len() > 200 || seen.contains(&id) {
            let text = "maximum recursion depth exceeded while getting the str of an object";
            return Err(cx.raise(TypeId::RECURSION_ERROR, text));
        }
        seen.push(id);
        match &exception.args[..] {
            [inner] if exception.message.is_none() => current = inner.clone(),
            _ => break,
        }
    }
    display_value(cx, only)
}
