//! Iteration over native iterables. Generators, and `map`/`filter`/`zip`/`enumerate` over them, belong to the machine.

use crate::context::{Context, Eval, Fault};
use crate::heap::{Id, Iterator, Object, ViewKind};
use crate::python::{arguments, compare};
use crate::types::TypeId;
use crate::value::Value;

/// `iter(value)`: a new iterator object, or the same one for an iterator.
pub fn iter(cx: &mut Context, value: &Value) -> Eval {
    let iterator = match value {
        Value::Str(_) | Value::Bytes(_) => Iterator::Sequence { source: value.clone(), at: 0 },
        Value::Type(class) if compare::is_enum_class(cx, *class) => return Err(Fault::Worker),
        Value::Ref(id) => match cx.heap.get(*id) {
            Object::List(_) | Object::Tuple(_) | Object::Range(_) => {
                Iterator::Sequence { source: value.clone(), at: 0 }
            }
            Object::Dict(dict) => Iterator::Dict { dict: *id, kind: ViewKind::Keys, at: 0, expected: dict.len() },
            Object::View { dict, kind } => {
                let expected = compare::viewed(cx, *dict).map_or(0, |dict| dict.len());
                Iterator::Dict { dict: *dict, kind: *kind, at: 0, expected }
            }
            Object::Set(set) => Iterator::Set { set: *id, at: 0, expected: set.len() },
            Object::Iterator(iterator) => match **iterator {
                Iterator::AsyncGenerator(_) | Iterator::AsyncGeneratorDone => return Err(not_iterable(cx, value)),
                _ => return Ok(value.clone()),
            },
            Object::Instance(_) | Object::Exception(_) => {
                if compare::customises(cx, value, &["__iter__", "__getitem__"]) {
                    return Err(Fault::Worker);
                }
                match compare::enum_plain(cx, value) {
                    Some(text @ Value::Str(_)) => Iterator::Sequence { source: text, at: 0 },
                    _ => return Err(not_iterable(cx, value)),
                }
            }
            _ => return Err(not_iterable(cx, value)),
        },
        _ => return Err(not_iterable(cx, value)),
    };
    Ok(made(cx, iterator))
}

/// Puts an iterator on the heap.
pub fn made(cx: &mut Context, iterator: Iterator) -> Value {
    Value::Ref(cx.heap.add(Object::Iterator(Box::new(iterator))))
}

fn not_iterable(cx: &mut Context, value: &Value) -> Fault {
    let text = format!("'{}' object is not iterable", cx.type_name(value));
    cx.type_error(text)
}

/// The next item of a native iterator, or `None` at its end.
pub fn next(cx: &mut Context, iterator: &Value) -> Eval<Option<Value>> {
    next_at(cx, iterator, 0)
}

/// One step, decided while the iterator is borrowed.
enum Step {
    Give(Value),
    End,
    Pair(Value, Value),
    Changed(&'static str),
    Enumerate {
        inner: Value,
        number: i64,
    },
    Zip {
        inner: Vec<Value>,
        strict: bool,
    },
    /// `filter(None, …)`
    Truthy {
        inner: Value,
    },
    Machine,
}

fn next_at(cx: &mut Context, iterator: &Value, depth: usize) -> Eval<Option<Value>> {
    let found = match iterator {
        Value::Ref(id) if matches!(cx.heap.get(*id), Object::Iterator(_)) => Some(*id),
        _ => None,
    };
    let Some(id) = found else {
        if compare::customises(cx, iterator, &["__next__"]) {
            return Err(Fault::Worker);
        }
        let text = format!("'{}' object is not an iterator", cx.type_name(iterator));
        return Err(cx.type_error(text));
    };
    if depth > compare::DEPTH_MAX {
        return Err(cx.raise(TypeId::RECURSION_ERROR, "maximum recursion depth exceeded"));
    }
    cx.mutations += 1;
    match step(cx, id) {
        Step::Give(value) => Ok(Some(value)),
        Step::Pair(name, value) => Ok(Some(cx.tuple(vec![name, value]))),
        Step::End => {
            finish(cx, id);
            Ok(None)
        }
        Step::Changed(what) => Err(cx.raise(TypeId::RUNTIME_ERROR, format!("{what} changed size during iteration"))),
        Step::Enumerate { inner, number } => {
            let Some(value) = next_at(cx, &inner, depth + 1)? else { return Ok(None) };
            let Some(following) = number.checked_add(1) else {
                return Err(cx.raise(TypeId::UNSUPPORTED, "enumerate() beyond 64 bits"));
            };
            if let Object::Iterator(iterator) = cx.heap.get_mut(id)
                && let Iterator::Enumerate { next, .. } = &mut **iterator
            {
                *next = following;
            }
            Ok(Some(cx.tuple(vec![Value::Int(number), value])))
        }
        Step::Zip { inner, strict } => next_zip(cx, &inner, strict, depth),
        Step::Truthy { inner } => {
            while let Some(value) = next_at(cx, &inner, depth + 1)? {
                cx.charge(1)?;
                if compare::truth(cx, &value)? {
                    return Ok(Some(value));
                }
            }
            Ok(None)
        }
        Step::Machine => Err(cx.raise(TypeId::UNSUPPORTED, "a generator cannot be read from here")),
    }
}

fn finish(cx: &mut Context, id: Id) {
    if let Object::Iterator(iterator) = cx.heap.get_mut(id)
        // One that holds its items stays at their end: a call that has read them may still be handed over with them.
        && !matches!(**iterator, Iterator::GeneratorDone | Iterator::Items { .. })
    {
        **iterator = Iterator::Exhausted;
    }
}

fn step(cx: &mut Context, id: Id) -> Step {
    // The source is read while the iterator stays borrowed, so its new place is written afterwards.
    let Object::Iterator(iterator) = cx.heap.get(id) else { return Step::End };
    let (place, step) = match &**iterator {
        Iterator::Sequence { source, at } => match sequence_item(cx, source, *at) {
            Some((following, value)) => (following, Step::Give(value)),
            None => return Step::End,
        },
        Iterator::Reversed { source, left } => match reversed_item(cx, source, *left) {
            Some((following, value)) => (following, Step::Give(value)),
            None => return Step::End,
        },
        Iterator::Dict { dict, kind, at, expected } => {
            let Some(dict) = compare::viewed(cx, *dict) else { return Step::End };
            if dict.len() != *expected {
                return Step::Changed("dictionary");
            }
            match (dict.entry_from(*at), kind) {
                (Some((following, name, _)), ViewKind::Keys) => (following, Step::Give(name.clone())),
                (Some((following, _, value)), ViewKind::Values) => (following, Step::Give(value.clone())),
                (Some((following, name, value)), ViewKind::Items) => {
                    (following, Step::Pair(name.clone(), value.clone()))
                }
                (None, _) => return Step::End,
            }
        }
        Iterator::Set { set, at, expected } => {
            let Object::Set(set) = cx.heap.get(*set) else { return Step::End };
            if set.len() != *expected {
                return Step::Changed("Set");
            }
            match set.entry_from(*at) {
                Some((following, value)) => (following, Step::Give(value.clone())),
                None => return Step::End,
            }
        }
        Iterator::Items { items, at } => match items.get(*at) {
            Some(value) => (*at + 1, Step::Give(value.clone())),
            None => return Step::End,
        },
        Iterator::Enumerate { inner, next } => return Step::Enumerate { inner: inner.clone(), number: *next },
        Iterator::Zip { inner, strict } => return Step::Zip { inner: inner.clone(), strict: *strict },
        Iterator::Filter { function: Value::None, inner } => return Step::Truthy { inner: inner.clone() },
        Iterator::Map { .. } | Iterator::Filter { .. } | Iterator::Generator(_) | Iterator::Foreign(_) => {
            return Step::Machine;
        }
        Iterator::GeneratorDone | Iterator::AsyncGenerator(_) | Iterator::AsyncGeneratorDone | Iterator::Exhausted => {
            return Step::End;
        }
    };
    if let Object::Iterator(iterator) = cx.heap.get_mut(id) {
        match &mut **iterator {
            Iterator::Sequence { at, .. }
            | Iterator::Dict { at, .. }
            | Iterator::Items { at, .. }
            | Iterator::Set { at, .. } => *at = place,
            Iterator::Reversed { left, .. } => *left = place,
            _ => {}
        }
    }
    step
}

fn sequence_item(cx: &Context, source: &Value, at: usize) -> Option<(usize, Value)> {
    let value = match source {
        Value::Str(text) => {
            let letter = text.get(at..)?.chars().next()?;
            return Some((at + letter.len_utf8(), letter_value(letter)));
        }
        Value::Bytes(bytes) => Value::Int(i64::from(*bytes.get(at)?)),
        Value::Ref(id) => match cx.heap.get(*id) {
            Object::List(list) => list.items.get(at)?.clone(),
            Object::Tuple(items) => items.get(at)?.clone(),
            Object::Range(range) if at < range.len() => Value::Int(range.item(at)),
            _ => return None,
        },
        _ => return None,
    };
    Some((at + 1, value))
}

fn reversed_item(cx: &Context, source: &Value, left: usize) -> Option<(usize, Value)> {
    if let Value::Str(text) = source {
        let letter = text.get(..left)?.chars().next_back()?;
        return Some((left - letter.len_utf8(), letter_value(letter)));
    }
    let at = left.checked_sub(1)?;
    sequence_item(cx, source, at).map(|(_, value)| (at, value))
}

/// A str of one code point.
pub fn letter_value(letter: char) -> Value {
    Value::str(&*letter.encode_utf8(&mut [0; 4]))
}

fn next_zip(cx: &mut Context, inner: &[Value], strict: bool, depth: usize) -> Eval<Option<Value>> {
    let mut items = Vec::with_capacity(inner.len());
    for (at, one) in inner.iter().enumerate() {
        match next_at(cx, one, depth + 1)? {
            Some(value) => items.push(value),
            None if !strict => return Ok(None),
            None if at > 0 => return Err(zip_mismatch(cx, at, "shorter")),
            None => {
                for (at, other) in inner.iter().enumerate().skip(1) {
                    if next_at(cx, other, depth + 1)?.is_some() {
                        return Err(zip_mismatch(cx, at, "longer"));
                    }
                }
                return Ok(None);
            }
        }
    }
    if items.is_empty() { Ok(None) } else { Ok(Some(cx.tuple(items))) }
}

/// What `zip(strict=True)` raises about its argument at position `at` (from 0).
pub fn zip_mismatch(cx: &mut Context, at: usize, word: &str) -> Fault {
    let others = if at == 1 { "argument 1".to_string() } else { format!("arguments 1-{at}") };
    cx.value_error(format!("zip() argument {} is {word} than {others}", at + 1))
}

/// All items of a native iterable.
pub fn collect(cx: &mut Context, iterable: &Value) -> Eval<Vec<Value>> {
    if let Some(items) = snapshot(cx, iterable)? {
        return Ok(items);
    }
    let iterator = iter(cx, iterable)?;
    let mut items = Vec::new();
    while let Some(item) = next(cx, &iterator)? {
        cx.charge(1)?;
        items.push(item);
        arguments::check_growth(cx, items.len(), 0)?;
    }
    Ok(items)
}

/// The items of a container, read without an iterator; `None` for what is no container.
fn snapshot(cx: &mut Context, iterable: &Value) -> Eval<Option<Vec<Value>>> {
    let Some(size) = length(cx, iterable) else { return Ok(None) };
    cx.check_size(size.saturating_mul(16))?;
    cx.charge(size)?;
    let items: Vec<Value> = match iterable {
        Value::Str(text) => text.chars().map(letter_value).collect(),
        Value::Bytes(bytes) => bytes.iter().map(|byte| Value::Int(i64::from(*byte))).collect(),
        Value::Ref(id) => match cx.heap.get(*id) {
            Object::List(list) => list.items.clone(),
            Object::Tuple(items) => items.to_vec(),
            Object::Dict(dict) => dict.iter().map(|(name, _)| name.clone()).collect(),
            Object::Set(set) => set.iter().cloned().collect(),
            Object::Range(range) => (0..size).map(|at| Value::Int(range.item(at))).collect(),
            Object::View { dict, kind } => {
                let kind = *kind;
                let Some(dict) = compare::viewed(cx, *dict) else { return Ok(None) };
                match kind {
                    ViewKind::Keys => dict.iter().map(|(name, _)| name.clone()).collect(),
                    ViewKind::Values => dict.iter().map(|(_, value)| value.clone()).collect(),
                    ViewKind::Items => {
                        let pairs: Vec<[Value; 2]> =
                            dict.iter().map(|(name, value)| [name.clone(), value.clone()]).collect();
                        pairs.into_iter().map(|pair| cx.tuple(pair.into())).collect()
                    }
                }
            }
            _ => return Ok(None),
        },
        _ => return Ok(None),
    };
    Ok(Some(items))
}

/// How many items (for a str: bytes) a built-in container has.
fn length(cx: &Context, value: &Value) -> Option<usize> {
    match value {
        Value::Str(text) => Some(text.len()),
        Value::Bytes(bytes) => Some(bytes.len()),
        Value::Ref(id) => match cx.heap.get(*id) {
            Object::List(list) => Some(list.items.len()),
            Object::Tuple(items) => Some(items.len()),
            Object::Dict(dict) => Some(dict.len()),
            Object::Set(set) => Some(set.len()),
            Object::Range(range) => Some(range.len()),
            Object::View { dict, .. } => compare::viewed(cx, *dict).map(|dict| dict.len()),
            _ => None,
        },
        _ => None,
    }
}

/// Items one after the other, for natives that may stop early. Reading a container through it is no change that a
/// program could observe; reading an iterator is.
pub enum Walk {
    Items(std::vec::IntoIter<Value>),
    Range { iterator: crate::heap::Range, at: usize },
    Iterator(Value),
}

pub fn walk(cx: &mut Context, iterable: &Value) -> Eval<Walk> {
    if let Value::Ref(id) = iterable
        && let Object::Range(range) = cx.heap.get(*id)
    {
        return Ok(Walk::Range { iterator: *range, at: 0 });
    }
    match snapshot(cx, iterable)? {
        Some(items) => Ok(Walk::Items(items.into_iter())),
        None => Ok(Walk::Iterator(iter(cx, iterable)?)),
    }
}

impl Walk {
    pub fn next(&mut self, cx: &mut Context) -> Eval<Option<Value>> {
        match self {
            Walk::Items(items) => Ok(items.next()),
            Walk::Range { iterator, at } => {
                cx.charge(1)?;
                if *at >= iterator.len() {
                    return Ok(None);
                }
                *at += 1;
                Ok(Some(Value::Int(iterator.item(*at - 1))))
            }
            Walk::Iterator(iterator) => {
                cx.charge(1)?;
                next(cx, iterator)
            }
        }
    }
}

/// Whether advancing it needs the machine: a generator, a `map`, a `filter` with a function, or a `zip` or `enumerate` over one.
pub fn needs_machine(cx: &Context, value: &Value) -> bool {
    let mut pending = vec![value];
    let mut seen = 0;
    while let Some(value) = pending.pop() {
        seen += 1;
        let Value::Ref(id) = value else { continue };
        let Object::Iterator(iterator) = cx.heap.get(*id) else { continue };
        match &**iterator {
            // The truth of what a `filter` looks at may be a worker's business.
            Iterator::Generator(_) | Iterator::Map { .. } | Iterator::Filter { .. } | Iterator::Foreign(_) => {
                return true;
            }
            Iterator::Enumerate { inner, .. } => pending.push(inner),
            Iterator::Zip { inner, .. } => pending.extend(inner),
            _ => {}
        }
        // A zip of one iterator many times over and over again could take for ever; native code refuses it by depth.
        if seen > 10_000 {
            return false;
        }
    }
    false
}
