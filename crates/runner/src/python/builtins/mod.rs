//! Built-in functions: `len`, `range`, `isinstance`, ….
//!
//! `sorted`, `min` and `max` with a `key`, and whatever reads a generator, are driven by the machine.

mod constructors;
mod iterators;
mod numbers;

use std::hash::{Hash, Hasher};

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use rustc_hash::FxHasher;
use waymark_ir::{BinaryOp, CompareOp};

use crate::context::{Context, Eval, Fault, LogLine};
use crate::heap::{Key, Object};
use crate::python::{
    Args, Constants, Constructors, Functions, arguments, compare, format, iterate, list, operators, repr,
};
use crate::types::TypeId;
use crate::value::Value;

pub const FUNCTIONS: Functions = &[
    ("abs", numbers::abs),
    ("all", all),
    ("any", any),
    ("ascii", ascii),
    ("bin", numbers::bin),
    ("callable", callable),
    ("chr", numbers::chr),
    ("divmod", numbers::divmod),
    ("enumerate", iterators::enumerate),
    ("filter", iterators::filter),
    ("format", format_function),
    ("hash", hash),
    ("hex", numbers::hex),
    ("id", id),
    ("isinstance", is_instance),
    ("issubclass", is_subclass),
    ("iter", iterators::iter),
    ("len", len),
    ("map", iterators::map),
    ("max", max),
    ("min", min),
    ("next", iterators::next),
    ("oct", numbers::oct),
    ("ord", numbers::ord),
    ("pow", numbers::pow),
    ("print", print),
    ("range", iterators::range),
    ("repr", repr_function),
    ("reversed", iterators::reversed),
    ("round", numbers::round),
    ("slice", constructors::slice),
    ("sorted", sorted),
    ("sum", sum),
    ("type", type_function),
    ("zip", iterators::zip),
];
pub const CONSTRUCTORS: Constructors = &[
    (TypeId::OBJECT, constructors::object),
    (TypeId::TYPE, type_function),
    (TypeId::BOOL, constructors::bool),
    (TypeId::STR, constructors::str),
    (TypeId::BYTES, constructors::bytes),
    (TypeId::LIST, constructors::list),
    (TypeId::TUPLE, constructors::tuple),
    (TypeId::DICT, crate::python::dict::construct),
    (TypeId::SET, constructors::set),
    (TypeId::FROZENSET, constructors::frozenset),
    (TypeId::RANGE, iterators::range),
    (TypeId::SLICE, constructors::slice),
    (TypeId::ENUMERATE, iterators::enumerate),
    (TypeId::ZIP, iterators::zip),
    (TypeId::MAP, iterators::map),
    (TypeId::FILTER, iterators::filter),
];
pub const CONSTANTS: Constants = &[("Ellipsis", || Value::Ellipsis), ("NotImplemented", || Value::NotImplemented)];

fn len(cx: &mut Context, args: Args<'_>) -> Eval {
    let value = arguments::one(cx, "len", args)?;
    match length(cx, value)? {
        Some(length) => match i64::try_from(length) {
            Ok(length) => Ok(Value::Int(length)),
            Err(_) => Err(cx.raise(TypeId::OVERFLOW_ERROR, "Python int too large to convert to C ssize_t")),
        },
        None => {
            let text = format!("object of type '{}' has no len()", cx.type_name(value));
            Err(cx.type_error(text))
        }
    }
}

/// `None`: it has no length.
pub fn length(cx: &mut Context, value: &Value) -> Eval<Option<usize>> {
    Ok(match value {
        Value::Str(text) => {
            cx.charge(text.len() / 64)?;
            Some(text.chars().count())
        }
        Value::Bytes(bytes) => Some(bytes.len()),
        Value::Type(class) if compare::is_enum_class(cx, *class) => return Err(Fault::Worker),
        Value::Ref(id) => match cx.heap.get(*id) {
            Object::List(list) => Some(list.items.len()),
            Object::Tuple(items) => Some(items.len()),
            Object::Dict(dict) => Some(dict.len()),
            Object::Set(set) => Some(set.len()),
            Object::Range(range) => Some(range.len()),
            Object::View { dict, .. } => compare::viewed(cx, *dict).map(|dict| dict.len()),
            Object::Instance(_) | Object::Exception(_) => {
                if compare::customises(cx, value, &["__len__"]) {
                    return Err(Fault::Worker);
                }
                match compare::enum_plain(cx, value) {
                    Some(Value::Str(text)) => Some(text.chars().count()),
                    _ => None,
                }
            }
            _ => None,
        },
        _ => None,
    })
}

fn any(cx: &mut Context, args: Args<'_>) -> Eval {
    let iterable = arguments::one(cx, "any", args)?;
    let mut walk = iterate::walk(cx, iterable)?;
    while let Some(item) = walk.next(cx)? {
        if compare::truth(cx, &item)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn all(cx: &mut Context, args: Args<'_>) -> Eval {
    let iterable = arguments::one(cx, "all", args)?;
    let mut walk = iterate::walk(cx, iterable)?;
    while let Some(item) = walk.next(cx)? {
        if !compare::truth(cx, &item)? {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

/// Before anything is read.
pub fn check_start_of_sum(cx: &mut Context, start: &Value) -> Eval<()> {
    match start {
        Value::Str(_) => Err(cx.type_error("sum() can't sum strings [use ''.join(seq) instead]")),
        Value::Bytes(_) => Err(cx.type_error("sum() can't sum bytes [use b''.join(seq) instead]")),
        _ => Ok(()),
    }
}

fn sum(cx: &mut Context, args: Args<'_>) -> Eval {
    if args.positional.is_empty() {
        return Err(cx.type_error("sum() takes at least 1 positional argument (0 given)"));
    }
    let given = args.positional.len() + args.keyword.len();
    if given > 2 {
        return Err(cx.type_error(format!("sum() takes at most 2 arguments ({given} given)")));
    }
    let [start] = arguments::keywords(cx, "sum", args, ["start"])?;
    let start = args.positional.get(1).cloned().or(start).unwrap_or(Value::Int(0));
    let mut walk = iterate::walk(cx, &args.positional[0])?;
    check_start_of_sum(cx, &start)?;
    let mut total = start;
    while let Some(item) = walk.next(cx)? {
        total = match (&total, &item) {
            (Value::Int(total), Value::Int(item)) => match total.checked_add(*item) {
                Some(sum) => Value::Int(sum),
                None => Value::integer(BigInt::from(*total) + BigInt::from(*item)),
            },
            (Value::Float(total), Value::Float(item)) => Value::Float(total + item),
            _ => operators::binary(cx, BinaryOp::Add, &total, &item)?,
        };
    }
    Ok(total)
}

fn min(cx: &mut Context, args: Args<'_>) -> Eval {
    extreme(cx, args, "min", CompareOp::Less)
}

fn max(cx: &mut Context, args: Args<'_>) -> Eval {
    extreme(cx, args, "max", CompareOp::Greater)
}

fn extreme(cx: &mut Context, args: Args<'_>, function: &str, better: CompareOp) -> Eval {
    if args.positional.is_empty() {
        return Err(cx.type_error(format!("{function} expected at least 1 argument, got 0")));
    }
    let [key, default] = arguments::keywords(cx, function, args, ["key", "default"])?;
    if args.positional.len() > 1 && default.is_some() {
        let text = format!("Cannot specify a default for {function}() with multiple positional arguments");
        return Err(cx.type_error(text));
    }
    if key.is_some_and(|key| !key.is_none()) {
        return Err(Fault::Worker);
    }
    let mut walk = match args.positional {
        [iterable] => iterate::walk(cx, iterable)?,
        several => {
            let items: Vec<Value> = several.to_vec();
            iterate::Walk::Items(items.into_iter())
        }
    };
    let mut best: Option<Value> = None;
    while let Some(item) = walk.next(cx)? {
        let replaces = match &best {
            Some(best) => compare::compare(cx, better, &item, best)?,
            None => true,
        };
        if replaces {
            best = Some(item);
        }
    }
    match best.or(default) {
        Some(best) => Ok(best),
        None => Err(cx.value_error(format!("{function}() arg is an empty sequence"))),
    }
}

fn sorted(cx: &mut Context, args: Args<'_>) -> Eval {
    let given = arguments::count(cx, "sorted", args, 1, 1)?;
    // Options first: what belongs to the machine must not have read an iterator.
    let reverse = list::sort_options(cx, args);
    if matches!(reverse, Err(Fault::Worker)) {
        return Err(Fault::Worker);
    }
    let items = iterate::collect(cx, &given[0])?;
    let items = list::sort(cx, items, reverse?)?;
    Ok(cx.list(items))
}

fn callable(cx: &mut Context, args: Args<'_>) -> Eval {
    let value = arguments::one(cx, "callable", args)?;
    Ok(Value::Bool(match value {
        Value::Type(_) | Value::Builtin(_) => true,
        Value::Ref(id) => match cx.heap.get(*id) {
            Object::Function(_) | Object::Method { .. } | Object::Bound { .. } => true,
            Object::Instance(_) if compare::is_elsewhere(cx, value) => return Err(Fault::Worker),
            Object::Instance(_) | Object::Exception(_) => cx.declares(value, "__call__"),
            _ => false,
        },
        _ => false,
    }))
}

fn repr_function(cx: &mut Context, args: Args<'_>) -> Eval {
    let value = arguments::one(cx, "repr", args)?;
    Ok(Value::from(repr::repr(cx, value)?))
}

fn ascii(cx: &mut Context, args: Args<'_>) -> Eval {
    let value = arguments::one(cx, "ascii", args)?;
    Ok(Value::from(repr::ascii(cx, value)?))
}

fn format_function(cx: &mut Context, args: Args<'_>) -> Eval {
    let given = arguments::several(cx, "format", args, 1, 2)?;
    match given.get(1) {
        None => Ok(Value::from(format::format(cx, &given[0], "")?)),
        Some(Value::Str(spec)) => Ok(Value::from(format::format(cx, &given[0], spec)?)),
        Some(other) => {
            let text = format!("format() argument 2 must be str, not {}", cx.type_name(other));
            Err(cx.type_error(text))
        }
    }
}

fn print(cx: &mut Context, args: Args<'_>) -> Eval {
    let [sep, end, file, _flush] = arguments::keywords(cx, "print", args, ["sep", "end", "file", "flush"])?;
    if file.is_some_and(|file| !file.is_none()) {
        return Err(cx.raise(TypeId::UNSUPPORTED, "print() to a file"));
    }
    let mut words = [String::from(" "), String::from("\n")];
    for ((word, given), name) in words.iter_mut().zip([sep, end]).zip(["sep", "end"]) {
        match given {
            None | Some(Value::None) => {}
            Some(Value::Str(text)) => *word = text.to_string(),
            Some(other) => {
                let text = format!("{name} must be None or a string, not {}", cx.type_name(&other));
                return Err(cx.type_error(text));
            }
        }
    }
    let [sep, end] = words;
    let mut text = String::new();
    for (at, value) in args.positional.iter().enumerate() {
        if at > 0 {
            text.push_str(&sep);
        }
        text.push_str(&repr::display(cx, value)?);
        cx.check_size(text.len())?;
    }
    // An entry of the log is a line; only an end that differs shows.
    if end != "\n" {
        text.push_str(&end);
    }
    cx.mutations += 1;
    cx.log.push(LogLine { level: "print".into(), text });
    Ok(Value::None)
}

fn id(cx: &mut Context, _args: Args<'_>) -> Eval {
    Err(cx.raise(TypeId::UNSUPPORTED, "id() means an address, and a workflow moves between processes"))
}

/// Numbers hash as in CPython; the hash of anything else is Waymark's own, and the same everywhere.
fn hash(cx: &mut Context, args: Args<'_>) -> Eval {
    const MODULUS: i64 = (1 << 61) - 1;
    let value = arguments::one(cx, "hash", args)?;
    let key = compare::key_of(cx, value)?;
    let hash = match key {
        Key::Int(value) => value % MODULUS,
        Key::Big(value) => {
            let rest = (value.abs() % BigInt::from(MODULUS)).to_i64().unwrap_or(0);
            if value.is_negative() { -rest } else { rest }
        }
        key => {
            let mut hasher = FxHasher::default();
            key.hash(&mut hasher);
            hasher.finish() as i64
        }
    };
    Ok(Value::Int(if hash == -1 { -2 } else { hash }))
}

fn type_function(cx: &mut Context, args: Args<'_>) -> Eval {
    match (args.positional, args.keyword) {
        ([value], []) => Ok(Value::Type(cx.type_of(value))),
        ([_, _, _], _) => Err(cx.raise(TypeId::UNSUPPORTED, "making a class with type()")),
        _ => Err(cx.type_error("type() takes 1 or 3 arguments")),
    }
}

fn is_instance(cx: &mut Context, args: Args<'_>) -> Eval {
    let given = arguments::several(cx, "isinstance", args, 2, 2)?;
    let class = cx.type_of(&given[0]);
    if matches!(given[0], Value::Ref(id) if matches!(cx.heap.get(id), Object::Instance(_)))
        && !cx.types.is_described(class)
    {
        // Nobody said what it inherits from.
        return Err(Fault::Worker);
    }
    let refusal = "isinstance() arg 2 must be a type, a tuple of types, or a union";
    Ok(Value::Bool(is_any(cx, class, &given[1], refusal, 0)?))
}

fn is_subclass(cx: &mut Context, args: Args<'_>) -> Eval {
    let given = arguments::several(cx, "issubclass", args, 2, 2)?;
    let Value::Type(class) = given[0] else {
        return Err(cx.type_error("issubclass() arg 1 must be a class"));
    };
    if !cx.types.is_described(class) && !cx.types.is_exception(class) {
        return Err(Fault::Worker);
    }
    let refusal = "issubclass() arg 2 must be a class, a tuple of classes, or a union";
    Ok(Value::Bool(is_any(cx, class, &given[1], refusal, 0)?))
}

/// Whether a class derives from another, or from one in a tuple of them.
fn is_any(cx: &mut Context, class: TypeId, wanted: &Value, refusal: &str, depth: usize) -> Eval<bool> {
    if depth > compare::DEPTH_MAX {
        return Err(cx.raise(TypeId::RECURSION_ERROR, "maximum recursion depth exceeded in __instancecheck__"));
    }
    match wanted {
        Value::Type(wanted) => Ok(cx.types.is_subtype(class, *wanted)),
        Value::Ref(id) if matches!(cx.heap.get(*id), Object::Tuple(_)) => {
            for one in iterate::collect(cx, wanted)? {
                if is_any(cx, class, &one, refusal, depth + 1)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        _ => Err(cx.type_error(refusal)),
    }
}
