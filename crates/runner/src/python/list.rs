//! Methods of `list`, and the sort that `sorted()` shares.

use crate::context::{Context, Eval, Fault};
use crate::heap::{Id, List, Object};
use crate::python::{Args, Functions, Methods, arguments, compare, iterate, repr};
use crate::types::TypeId;
use crate::value::Value;

pub const METHODS: Methods = &[
    ("append", append),
    ("clear", clear),
    ("copy", copy),
    ("count", count),
    ("extend", extend),
    ("index", index),
    ("insert", insert),
    ("pop", pop),
    ("remove", remove),
    ("reverse", reverse),
    ("sort", sort_method),
];
pub const FUNCTIONS: Functions = &[];

/// The list behind a receiver, and how many items it has.
fn receiver(cx: &mut Context, list: &Value) -> Eval<(Id, usize)> {
    if let Value::Ref(id) = list
        && let Object::List(list) = cx.heap.get(*id)
    {
        return Ok((*id, list.items.len()));
    }
    let text = format!("descriptor requires a 'list' object but received a '{}'", cx.type_name(list));
    Err(cx.type_error(text))
}

/// Gives the list for a change that the program can see.
fn change(cx: &mut Context, id: Id, change: impl FnOnce(&mut List)) {
    cx.mutations += 1;
    if let Object::List(list) = cx.heap.get_mut(id) {
        change(list);
    }
}

fn item(cx: &Context, id: Id, at: usize) -> Option<Value> {
    match cx.heap.get(id) {
        Object::List(list) => list.items.get(at).cloned(),
        _ => None,
    }
}

fn append(cx: &mut Context, list: &Value, args: Args<'_>) -> Eval {
    let value = arguments::one(cx, "list.append", args)?.clone();
    let (id, length) = receiver(cx, list)?;
    arguments::check_growth(cx, length, 1)?;
    change(cx, id, |list| list.items.push(value));
    Ok(Value::None)
}

fn clear(cx: &mut Context, list: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, "list.clear", args)?;
    let (id, _) = receiver(cx, list)?;
    change(cx, id, |list| list.items = Vec::new());
    Ok(Value::None)
}

fn copy(cx: &mut Context, list: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, "list.copy", args)?;
    receiver(cx, list)?;
    let items = iterate::collect(cx, list)?;
    Ok(cx.list(items))
}

fn count(cx: &mut Context, list: &Value, args: Args<'_>) -> Eval {
    let value = arguments::one(cx, "list.count", args)?;
    let (id, _) = receiver(cx, list)?;
    let (mut found, mut at) = (0, 0);
    while let Some(candidate) = item(cx, id, at) {
        cx.charge(1)?;
        found += i64::from(compare::same_or_equal(cx, &candidate, value)?);
        at += 1;
    }
    Ok(Value::Int(found))
}

fn extend(cx: &mut Context, list: &Value, args: Args<'_>) -> Eval {
    let iterable = arguments::one(cx, "list.extend", args)?;
    receiver(cx, list)?;
    extend_with(cx, list, iterable)?;
    Ok(Value::None)
}

/// `list += iterable`
pub fn extend_with(cx: &mut Context, list: &Value, iterable: &Value) -> Eval<()> {
    let (id, _) = receiver(cx, list)?;
    let items = iterate::collect(cx, iterable)?;
    let (_, length) = receiver(cx, list)?;
    arguments::check_growth(cx, length, items.len())?;
    change(cx, id, |list| list.items.extend(items));
    Ok(())
}

fn index(cx: &mut Context, list: &Value, args: Args<'_>) -> Eval {
    let given = arguments::several(cx, "list.index", args, 1, 3)?;
    let (id, length) = receiver(cx, list)?;
    let (start, stop) = search_bounds(cx, given, length)?;
    for at in start..stop {
        let Some(candidate) = item(cx, id, at) else { break };
        cx.charge(1)?;
        if compare::same_or_equal(cx, &candidate, &given[0])? {
            return Ok(Value::Int(at as i64));
        }
    }
    let text = format!("{} is not in list", repr::repr(cx, &given[0])?);
    Err(cx.value_error(text))
}

/// The optional second and third argument of `index`.
pub fn search_bounds(cx: &mut Context, given: &[Value], length: usize) -> Eval<(usize, usize)> {
    let mut bounds = [0, length];
    for (bound, value) in bounds.iter_mut().zip(given.iter().skip(1)) {
        match arguments::index(cx, value)? {
            Some(index) => *bound = arguments::clamp_position(index.clamped(), length),
            None => return Err(cx.type_error("slice indices must be integers or have an __index__ method")),
        }
    }
    Ok((bounds[0], bounds[1]))
}

fn insert(cx: &mut Context, list: &Value, args: Args<'_>) -> Eval {
    let given = arguments::several(cx, "list.insert", args, 2, 2)?;
    let (id, length) = receiver(cx, list)?;
    let at = arguments::c_sized(cx, &given[0], "ssize_t")?;
    let value = given[1].clone();
    arguments::check_growth(cx, length, 1)?;
    cx.charge(length / 32)?;
    change(cx, id, |list| list.items.insert(arguments::clamp_position(at, length), value));
    Ok(Value::None)
}

fn pop(cx: &mut Context, list: &Value, args: Args<'_>) -> Eval {
    let given = arguments::several(cx, "list.pop", args, 0, 1)?;
    let (id, length) = receiver(cx, list)?;
    let at = match given {
        [at] => arguments::c_sized(cx, at, "ssize_t")?,
        _ => -1,
    };
    if length == 0 {
        return Err(cx.raise(TypeId::INDEX_ERROR, "pop from empty list"));
    }
    let at = if at < 0 { at.saturating_add(length as i64) } else { at };
    let Some(at) = usize::try_from(at).ok().filter(|at| *at < length) else {
        return Err(cx.raise(TypeId::INDEX_ERROR, "pop index out of range"));
    };
    cx.charge((length - at) / 32)?;
    let mut popped = Value::None;
    change(cx, id, |list| popped = list.items.remove(at));
    Ok(popped)
}

fn remove(cx: &mut Context, list: &Value, args: Args<'_>) -> Eval {
    let value = arguments::one(cx, "list.remove", args)?;
    let (id, _) = receiver(cx, list)?;
    let mut at = 0;
    while let Some(candidate) = item(cx, id, at) {
        cx.charge(1)?;
        if compare::same_or_equal(cx, &candidate, value)? {
            change(cx, id, |list| drop(list.items.remove(at)));
            return Ok(Value::None);
        }
        at += 1;
    }
    Err(cx.value_error("list.remove(x): x not in list"))
}

fn reverse(cx: &mut Context, list: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, "list.reverse", args)?;
    let (id, length) = receiver(cx, list)?;
    cx.charge(length / 8)?;
    change(cx, id, |list| list.items.reverse());
    Ok(Value::None)
}

fn sort_method(cx: &mut Context, list: &Value, args: Args<'_>) -> Eval {
    if !args.positional.is_empty() {
        return Err(cx.type_error("sort() takes no positional arguments"));
    }
    let reverse = sort_options(cx, args)?;
    let (id, _) = receiver(cx, list)?;
    let items = iterate::collect(cx, list)?;
    let sorted = sort(cx, items, reverse)?;
    change(cx, id, |list| list.items = sorted);
    Ok(Value::None)
}

/// The keywords of `sort` and `sorted`: whether to reverse. A key is the machine's to call.
pub fn sort_options(cx: &mut Context, args: Args<'_>) -> Eval<bool> {
    let [key, reverse] = arguments::keywords(cx, "sort", args, ["key", "reverse"])?;
    if key.is_some_and(|key| !key.is_none()) {
        return Err(Fault::Worker);
    }
    match reverse {
        Some(Value::Bool(reverse)) => Ok(reverse),
        Some(other) => Ok(arguments::integer(cx, &other)?.clamped() != 0),
        None => Ok(false),
    }
}

/// Stable; comparisons may raise.
pub fn sort(cx: &mut Context, mut items: Vec<Value>, reverse: bool) -> Eval<Vec<Value>> {
    let order = sorted_positions(cx, &items, reverse)?;
    Ok(order.into_iter().map(|at| std::mem::take(&mut items[at as usize])).collect())
}

/// Sorts items by keys that were made from them.
pub fn sort_by_keys(cx: &mut Context, mut items: Vec<Value>, keys: Vec<Value>, reverse: bool) -> Eval<Vec<Value>> {
    let order = sorted_positions(cx, &keys, reverse)?;
    Ok(order.into_iter().filter_map(|at| items.get_mut(at as usize).map(std::mem::take)).collect())
}

/// Runs shorter than this are sorted by insertion.
const RUN_MIN: usize = 32;

fn sorted_positions(cx: &mut Context, keys: &[Value], reverse: bool) -> Eval<Vec<u32>> {
    let mut order: Vec<u32> = (0..keys.len() as u32).collect();
    cx.charge(keys.len() * (keys.len().max(2).ilog2() as usize) / 4)?;
    // Reversed twice, equal items keep their order.
    if reverse {
        order.reverse();
    }
    if !sort_plain(&mut order, keys) {
        merge_sort(cx, &mut order, keys)?;
    }
    if reverse {
        order.reverse();
    }
    Ok(order)
}

/// Sorts where all keys are of one simple type; says whether they are.
fn sort_plain(order: &mut [u32], keys: &[Value]) -> bool {
    fn by<'a, T: Ord>(order: &mut [u32], keys: &'a [Value], part: impl Fn(&'a Value) -> Option<T>) -> bool {
        let Some(parts) = keys.iter().map(part).collect::<Option<Vec<T>>>() else { return false };
        order.sort_by(|left, right| parts[*left as usize].cmp(&parts[*right as usize]));
        true
    }
    match keys.first() {
        None => true,
        Some(Value::Int(_)) => by(order, keys, |key| match key {
            Value::Int(value) => Some(*value),
            _ => None,
        }),
        Some(Value::Str(_)) => by(order, keys, |key| match key {
            Value::Str(text) => Some(&**text),
            _ => None,
        }),
        Some(_) => false,
    }
}

/// Asks in the order in which CPython does (a later item, is it less than an earlier one), so that a pair that cannot be
/// compared is named the same way in the message.
fn merge_sort(cx: &mut Context, order: &mut Vec<u32>, keys: &[Value]) -> Eval<()> {
    let less = |cx: &mut Context, left: u32, right: u32| -> Eval<bool> {
        cx.charge(1)?;
        compare::less(cx, &keys[left as usize], &keys[right as usize])
    };
    let length = order.len();
    let run_min = run_length(length);
    let mut starts = Vec::new();
    let mut start = 0;
    while start < length {
        starts.push(start);
        let mut end = start + 1;
        if end < length {
            let descending = less(cx, order[end], order[start])?;
            end += 1;
            while end < length && less(cx, order[end], order[end - 1])? == descending {
                end += 1;
            }
            if descending {
                order[start..end].reverse();
            }
        }
        let forced = length.min(start + run_min);
        while end < forced {
            let pivot = order[end];
            let (mut low, mut high) = (start, end);
            while low < high {
                let middle = low + (high - low) / 2;
                if less(cx, pivot, order[middle])? {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            order[low..=end].rotate_right(1);
            end += 1;
        }
        start = end;
    }
    while starts.len() > 1 {
        let mut merged = Vec::with_capacity(length);
        let mut next_starts = Vec::with_capacity(starts.len() / 2 + 1);
        for (at, pair) in starts.chunks(2).enumerate() {
            next_starts.push(pair[0]);
            let middle = pair.get(1).copied().unwrap_or(length);
            let end = starts.get(at * 2 + 2).copied().unwrap_or(length);
            let (mut left, mut right) = (pair[0], middle);
            while left < middle && right < end {
                if less(cx, order[right], order[left])? {
                    merged.push(order[right]);
                    right += 1;
                } else {
                    merged.push(order[left]);
                    left += 1;
                }
            }
            merged.extend_from_slice(&order[left..middle]);
            merged.extend_from_slice(&order[right..end]);
        }
        *order = merged;
        starts = next_starts;
    }
    Ok(())
}

/// Between [`RUN_MIN`] and twice that, so that the number of runs is close to a power of two.
fn run_length(mut length: usize) -> usize {
    let mut odd = 0;
    while length >= 2 * RUN_MIN {
        odd |= length & 1;
        length >>= 1;
    }
    length + odd
}

/// `list + list`
pub fn concat(cx: &mut Context, left: &Value, right: &Value) -> Eval {
    let (_, length) = receiver(cx, left)?;
    let added = match right {
        Value::Ref(id) => match cx.heap.get(*id) {
            Object::List(list) => Some(list.items.len()),
            _ => None,
        },
        _ => None,
    };
    let Some(added) = added else {
        let text = format!("can only concatenate list (not \"{}\") to list", cx.type_name(right));
        return Err(cx.type_error(text));
    };
    cx.check_size((length + added).saturating_mul(16))?;
    let mut items = iterate::collect(cx, left)?;
    items.extend(iterate::collect(cx, right)?);
    Ok(cx.list(items))
}

/// `list * count`
pub fn repeat(cx: &mut Context, list: &Value, count: &Value) -> Eval {
    receiver(cx, list)?;
    let items = repeated(cx, list, count)?;
    Ok(cx.list(items))
}

/// `list *= count`
pub fn repeat_in_place(cx: &mut Context, list: &Value, count: &Value) -> Eval<()> {
    let (id, _) = receiver(cx, list)?;
    let items = repeated(cx, list, count)?;
    change(cx, id, |list| list.items = items);
    Ok(())
}

/// The items of a list or tuple, over and over.
pub fn repeated(cx: &mut Context, sequence: &Value, count: &Value) -> Eval<Vec<Value>> {
    let count = match arguments::index(cx, count)? {
        Some(arguments::Index::Small(count)) => count,
        Some(arguments::Index::Huge { .. }) => {
            let text = format!("cannot fit '{}' into an index-sized integer", cx.type_name(count));
            return Err(cx.raise(TypeId::OVERFLOW_ERROR, text));
        }
        None => {
            let text = format!("can't multiply sequence by non-int of type '{}'", cx.type_name(count));
            return Err(cx.type_error(text));
        }
    };
    let count = usize::try_from(count).unwrap_or(0);
    let items = iterate::collect(cx, sequence)?;
    let total = items.len().saturating_mul(count);
    cx.check_size(total.saturating_mul(16))?;
    cx.charge(total / 8)?;
    let mut all = Vec::with_capacity(total);
    if !items.is_empty() {
        (0..count).for_each(|_| all.extend_from_slice(&items));
    }
    Ok(all)
}
