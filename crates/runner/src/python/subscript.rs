//! `base[index]`, `base[index] = value` and `del base[index]`, slices included.

use std::sync::Arc;

use crate::context::{Context, Eval, Fault};
use crate::heap::{Id, Object, Range};
use crate::python::{arguments, compare, iterate};
use crate::types::TypeId;
use crate::value::Value;

pub fn get_item(cx: &mut Context, base: &Value, index: &Value) -> Eval {
    match base {
        Value::Str(text) => get_str(cx, text, index),
        Value::Bytes(bytes) => match place(cx, index, bytes.len(), &BYTES)? {
            Place::At(at) => Ok(Value::Int(i64::from(bytes[at]))),
            Place::Slice(slice) => {
                cx.check_size(slice.count)?;
                Ok(Value::bytes(slice.positions().map(|at| bytes[at]).collect::<Vec<u8>>()))
            }
        },
        Value::Type(class) => get_type(cx, *class),
        Value::Ref(id) => get_object(cx, base, *id, index),
        _ => Err(not_subscriptable(cx, base)),
    }
}

fn get_object(cx: &mut Context, base: &Value, id: Id, index: &Value) -> Eval {
    match cx.heap.get(id) {
        Object::List(list) => {
            // The commonest case of all, without a detour.
            if let Value::Int(at) = index
                && let Some(value) = usize::try_from(*at).ok().and_then(|at| list.items.get(at))
            {
                return Ok(value.clone());
            }
            let length = list.items.len();
            let place = place(cx, index, length, &LIST)?;
            let items = picked(cx, id, place)?;
            Ok(match items {
                Picked::One(value) => value,
                Picked::Many(items) => cx.list(items),
            })
        }
        Object::Tuple(items) => {
            let length = items.len();
            let place = place(cx, index, length, &TUPLE)?;
            if matches!(&place, Place::Slice(slice) if slice.step == 1 && slice.count == length) {
                return Ok(base.clone());
            }
            let items = picked(cx, id, place)?;
            Ok(match items {
                Picked::One(value) => value,
                Picked::Many(items) => cx.tuple(items),
            })
        }
        Object::Dict(_) => {
            let key = compare::lookup_key(cx, base, index)?;
            match compare::viewed(cx, id).and_then(|dict| dict.get(&key)) {
                Some(value) => Ok(value.clone()),
                None => Err(cx.raise_with(TypeId::KEY_ERROR, vec![index.clone()])),
            }
        }
        Object::Range(range) => {
            let range = *range;
            match place(cx, index, range.len(), &RANGE)? {
                Place::At(at) => Ok(Value::Int(range.item(at))),
                Place::Slice(slice) => slice_range(cx, range, &slice),
            }
        }
        Object::Instance(_) | Object::Exception(_) => {
            if compare::customises(cx, base, &["__getitem__"]) {
                return Err(Fault::Worker);
            }
            match compare::enum_plain(cx, base) {
                Some(text @ Value::Str(_)) => get_item(cx, &text, index),
                _ => Err(not_subscriptable(cx, base)),
            }
        }
        _ => Err(not_subscriptable(cx, base)),
    }
}

enum Picked {
    One(Value),
    Many(Vec<Value>),
}

fn picked(cx: &mut Context, id: Id, place: Place) -> Eval<Picked> {
    if let Place::Slice(slice) = &place {
        cx.check_size(slice.count.saturating_mul(16))?;
        cx.charge(slice.count)?;
    }
    let items: &[Value] = match cx.heap.get(id) {
        Object::List(list) => &list.items,
        Object::Tuple(items) => items,
        _ => &[],
    };
    Ok(match place {
        Place::At(at) => Picked::One(items.get(at).cloned().unwrap_or_default()),
        Place::Slice(slice) => Picked::Many(slice.positions().filter_map(|at| items.get(at).cloned()).collect()),
    })
}

/// Code points: a text that is all ASCII is indexed directly, any other is walked.
fn get_str(cx: &mut Context, text: &Arc<str>, index: &Value) -> Eval {
    cx.charge(text.len() / 64)?;
    let ascii = text.is_ascii();
    let length = if ascii { text.len() } else { text.chars().count() };
    match place(cx, index, length, &STR)? {
        Place::At(at) if ascii => Ok(text.get(at..at + 1).map(Value::from).unwrap_or_default()),
        Place::At(at) => Ok(text.chars().nth(at).map(iterate::letter_value).unwrap_or_default()),
        Place::Slice(slice) if slice.step == 1 => {
            if slice.count == length {
                return Ok(Value::Str(text.clone()));
            }
            let (from, to) = if ascii {
                (slice.start as usize, slice.start as usize + slice.count)
            } else {
                let mut borders = text.char_indices().map(|(at, _)| at).chain([text.len()]).skip(slice.start as usize);
                let from = borders.next().unwrap_or(text.len());
                let to = if slice.count == 0 { from } else { borders.nth(slice.count - 1).unwrap_or(text.len()) };
                (from, to)
            };
            cx.check_size(to - from)?;
            Ok(Value::from(text.get(from..to).unwrap_or_default()))
        }
        Place::Slice(slice) => {
            cx.check_size(slice.count.saturating_mul(4))?;
            let letters: Vec<char> = text.chars().collect();
            Ok(Value::from(slice.positions().filter_map(|at| letters.get(at)).collect::<String>()))
        }
    }
}

fn slice_range(cx: &mut Context, range: Range, slice: &Slice) -> Eval {
    let (start, step) = (i128::from(range.start), i128::from(range.step));
    let place = |at: i64| start + step * i128::from(at);
    let (from, to) = (place(slice.start), place(slice.stop));
    let stride = step * i128::from(slice.step);
    match (i64::try_from(from), i64::try_from(to), i64::try_from(stride)) {
        (Ok(start), Ok(stop), Ok(step)) => Ok(Value::Ref(cx.heap.add(Object::Range(Range { start, stop, step })))),
        _ => Err(cx.raise(TypeId::UNSUPPORTED, "a range beyond 64 bits")),
    }
}

/// `list[int]` at run time is of use in annotations only, so the class stands for its alias.
fn get_type(cx: &mut Context, class: TypeId) -> Eval {
    if compare::is_enum_class(cx, class) {
        return Err(Fault::Worker);
    }
    const PLAIN: &[TypeId] = &[
        TypeId::OBJECT,
        TypeId::NONE,
        TypeId::INT,
        TypeId::BOOL,
        TypeId::FLOAT,
        TypeId::STR,
        TypeId::BYTES,
        TypeId::RANGE,
        TypeId::SLICE,
    ];
    if PLAIN.contains(&class) {
        let text = format!("type '{}' is not subscriptable", cx.types.get(class).short_name());
        return Err(cx.type_error(text));
    }
    Ok(Value::Type(class))
}

fn not_subscriptable(cx: &mut Context, base: &Value) -> Fault {
    let text = format!("'{}' object is not subscriptable", cx.type_name(base));
    cx.type_error(text)
}

pub fn set_item(cx: &mut Context, base: &Value, index: &Value, value: Value) -> Eval<()> {
    if let Value::Ref(id) = base {
        let id = *id;
        match cx.heap.get(id) {
            Object::List(list) => {
                let length = list.items.len();
                return match place(cx, index, length, &LIST_ASSIGNMENT)? {
                    Place::At(at) => {
                        cx.mutations += 1;
                        if let Object::List(list) = cx.heap.get_mut(id) {
                            list.items[at] = value;
                        }
                        Ok(())
                    }
                    Place::Slice(slice) => set_slice(cx, id, &slice, &value),
                };
            }
            Object::Dict(_) => {
                let key = compare::lookup_key(cx, base, index)?;
                let length = compare::viewed(cx, id).map_or(0, |dict| dict.len());
                arguments::check_growth(cx, length, 1)?;
                cx.mutations += 1;
                if let Object::Dict(dict) = cx.heap.get_mut(id) {
                    dict.insert(key, index.clone(), value);
                }
                return Ok(());
            }
            _ if compare::customises(cx, base, &["__setitem__"]) => return Err(Fault::Worker),
            _ => {}
        }
    }
    let text = format!("'{}' object does not support item assignment", cx.type_name(base));
    Err(cx.type_error(text))
}

fn set_slice(cx: &mut Context, id: Id, slice: &Slice, value: &Value) -> Eval<()> {
    let items = match iterate::collect(cx, value) {
        Ok(items) => items,
        Err(Fault::Worker) => return Err(Fault::Worker),
        // A value that can be iterated over, but fails, keeps its own exception.
        Err(fault) => {
            let iterable = iterate::iter(cx, value).is_ok();
            return Err(match (iterable, slice.step) {
                (true, _) => fault,
                (false, 1) => cx.type_error("can only assign an iterable"),
                (false, _) => cx.type_error("must assign iterable to extended slice"),
            });
        }
    };
    if slice.step != 1 && items.len() != slice.count {
        let (given, count) = (items.len(), slice.count);
        return Err(
            cx.value_error(format!("attempt to assign sequence of size {given} to extended slice of size {count}"))
        );
    }
    let Object::List(list) = cx.heap.get(id) else { return Ok(()) };
    let length = list.items.len();
    arguments::check_growth(cx, length - slice.count.min(length), items.len())?;
    cx.charge(if items.len() == slice.count { items.len() } else { length / 8 + items.len() })?;
    cx.mutations += 1;
    let Object::List(list) = cx.heap.get_mut(id) else { return Ok(()) };
    if slice.step == 1 {
        let start = slice.start as usize;
        list.items.splice(start..start + slice.count, items);
    } else {
        for (at, item) in slice.positions().zip(items) {
            list.items[at] = item;
        }
    }
    Ok(())
}

pub fn delete_item(cx: &mut Context, base: &Value, index: &Value) -> Eval<()> {
    let mut word = "does not";
    if let Value::Ref(id) = base {
        let id = *id;
        match cx.heap.get(id) {
            Object::List(list) => {
                let length = list.items.len();
                let place = place(cx, index, length, &LIST_ASSIGNMENT)?;
                cx.charge(length / 8)?;
                cx.mutations += 1;
                let Object::List(list) = cx.heap.get_mut(id) else { return Ok(()) };
                match place {
                    Place::At(at) => drop(list.items.remove(at)),
                    Place::Slice(slice) if slice.step == 1 => {
                        let start = slice.start as usize;
                        list.items.drain(start..start + slice.count);
                    }
                    Place::Slice(slice) => {
                        let mut gone = vec![false; length];
                        slice.positions().for_each(|at| gone[at] = true);
                        let mut at = 0;
                        list.items.retain(|_| {
                            at += 1;
                            !gone[at - 1]
                        });
                    }
                }
                return Ok(());
            }
            Object::Dict(_) => {
                let key = compare::lookup_key(cx, base, index)?;
                if !compare::viewed(cx, id).is_some_and(|dict| dict.contains(&key)) {
                    return Err(cx.raise_with(TypeId::KEY_ERROR, vec![index.clone()]));
                }
                cx.mutations += 1;
                if let Object::Dict(dict) = cx.heap.get_mut(id) {
                    dict.remove(&key);
                }
                return Ok(());
            }
            _ if compare::customises(cx, base, &["__delitem__"]) => return Err(Fault::Worker),
            _ => word = "doesn't",
        }
    }
    if matches!(base, Value::Str(_) | Value::Bytes(_)) {
        word = "doesn't";
    }
    let text = format!("'{}' object {word} support item deletion", cx.type_name(base));
    Err(cx.type_error(text))
}

// ---- positions

/// How one kind of sequence words its refusals.
struct Words {
    /// What an index that is no integer gets; the name of its class follows.
    kind: &'static str,
    quoted: bool,
    outside: &'static str,
}

const LIST: Words =
    Words { kind: "list indices must be integers or slices, not ", quoted: false, outside: "list index out of range" };
const LIST_ASSIGNMENT: Words = Words { outside: "list assignment index out of range", ..LIST };
const TUPLE: Words = Words {
    kind: "tuple indices must be integers or slices, not ",
    quoted: false,
    outside: "tuple index out of range",
};
const STR: Words =
    Words { kind: "string indices must be integers, not ", quoted: true, outside: "string index out of range" };
const BYTES: Words =
    Words { kind: "byte indices must be integers or slices, not ", quoted: false, outside: "index out of range" };
const RANGE: Words = Words {
    kind: "range indices must be integers or slices, not ",
    quoted: false,
    outside: "range object index out of range",
};

enum Place {
    At(usize),
    Slice(Slice),
}

/// A slice applied to a length: all positions lie inside.
pub struct Slice {
    pub start: i64,
    pub stop: i64,
    pub step: i64,
    pub count: usize,
}

impl Slice {
    pub fn positions(&self) -> impl Iterator<Item = usize> {
        let (start, step) = (i128::from(self.start), i128::from(self.step));
        (0..self.count).map(move |at| (start + step * at as i128) as usize)
    }
}

fn place(cx: &mut Context, index: &Value, length: usize, words: &Words) -> Eval<Place> {
    if let Value::Ref(id) = index
        && let Object::Slice(parts) = cx.heap.get(*id)
    {
        let parts = parts.clone();
        return Ok(Place::Slice(resolve(cx, &parts, length)?));
    }
    let Some(number) = arguments::index(cx, index)? else {
        let name = cx.type_name(index);
        let name = if words.quoted { format!("'{name}'") } else { name.to_string() };
        return Err(cx.type_error(format!("{}{name}", words.kind)));
    };
    let arguments::Index::Small(at) = number else {
        if words.kind == RANGE.kind {
            return Err(cx.raise(TypeId::INDEX_ERROR, words.outside));
        }
        let text = format!("cannot fit '{}' into an index-sized integer", cx.type_name(index));
        return Err(cx.raise(TypeId::INDEX_ERROR, text));
    };
    let position = if at < 0 { i128::from(at) + length as i128 } else { i128::from(at) };
    match usize::try_from(position) {
        Ok(position) if position < length => Ok(Place::At(position)),
        _ => Err(cx.raise(TypeId::INDEX_ERROR, words.outside)),
    }
}

/// `slice.indices(length)`, with the number of positions.
pub fn resolve(cx: &mut Context, parts: &[Value; 3], length: usize) -> Eval<Slice> {
    let step = bound(cx, &parts[2])?.unwrap_or(1);
    if step == 0 {
        return Err(cx.value_error("slice step cannot be zero"));
    }
    // A step of i64::MIN has no opposite; no sequence is long enough to tell.
    let step = step.max(-i64::MAX);
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let (least, most) = if step > 0 { (0, length) } else { (-1, length - 1) };
    let clamp = |value: Option<i64>, absent: i64| match value {
        None => absent,
        Some(value) if value < 0 => value.saturating_add(length).max(least),
        Some(value) => value.min(most),
    };
    let (start, stop) = (bound(cx, &parts[0])?, bound(cx, &parts[1])?);
    let start = clamp(start, if step > 0 { 0 } else { length - 1 });
    let stop = clamp(stop, if step > 0 { length } else { -1 });
    let span = if step > 0 { i128::from(stop) - i128::from(start) } else { i128::from(start) - i128::from(stop) };
    let count = if span <= 0 { 0 } else { ((span - 1) / i128::from(step.unsigned_abs()) + 1) as usize };
    Ok(Slice { start, stop, step, count })
}

fn bound(cx: &mut Context, value: &Value) -> Eval<Option<i64>> {
    if value.is_none() {
        return Ok(None);
    }
    match arguments::index(cx, value)? {
        Some(index) => Ok(Some(index.clamped())),
        None => Err(cx.type_error("slice indices must be integers or None or have an __index__ method")),
    }
}
