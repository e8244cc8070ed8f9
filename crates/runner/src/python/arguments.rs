//! Checks of arguments that many natives share, each with the wording CPython uses for that calling convention.

use num_bigint::BigInt;
use num_traits::Signed;

use crate::context::{Context, Eval, Fault};
use crate::heap::Object;
use crate::python::{Args, compare};
use crate::types::TypeId;
use crate::value::Value;

/// A native that takes nothing: `list.clear`.
pub fn none(cx: &mut Context, function: &str, args: Args<'_>) -> Eval<()> {
    no_keywords(cx, function, args)?;
    match args.positional.len() {
        0 => Ok(()),
        given => Err(cx.type_error(format!("{function}() takes no arguments ({given} given)"))),
    }
}

/// A native of exactly one argument: `list.append`.
pub fn one<'a>(cx: &mut Context, function: &str, args: Args<'a>) -> Eval<&'a Value> {
    no_keywords(cx, function, args)?;
    match args.positional {
        [only] => Ok(only),
        given => Err(cx.type_error(format!("{function}() takes exactly one argument ({} given)", given.len()))),
    }
}

/// A native of several positional arguments: `dict.get`. Messages name it without its class.
pub fn several<'a>(cx: &mut Context, function: &str, args: Args<'a>, least: usize, most: usize) -> Eval<&'a [Value]> {
    no_keywords(cx, function, args)?;
    count(cx, function, args, least, most)
}

/// As [`several`], where keywords are somebody else's to check.
pub fn count<'a>(cx: &mut Context, function: &str, args: Args<'a>, least: usize, most: usize) -> Eval<&'a [Value]> {
    let given = args.positional.len();
    if (least..=most).contains(&given) {
        return Ok(args.positional);
    }
    let short = function.rsplit('.').next().unwrap_or(function);
    let (bound, word) = match (given < least, least == most) {
        (_, true) => (least, ""),
        (true, false) => (least, "at least "),
        (false, false) => (most, "at most "),
    };
    let plural = if bound == 1 { "" } else { "s" };
    Err(cx.type_error(format!("{short} expected {word}{bound} argument{plural}, got {given}")))
}

pub fn no_keywords(cx: &mut Context, function: &str, args: Args<'_>) -> Eval<()> {
    match args.keyword {
        [] => Ok(()),
        _ => Err(cx.type_error(format!("{function}() takes no keyword arguments"))),
    }
}

/// The keyword arguments `names`, refusing any other.
pub fn keywords<const N: usize>(
    cx: &mut Context,
    function: &str,
    args: Args<'_>,
    names: [&str; N],
) -> Eval<[Option<Value>; N]> {
    let mut bound: [Option<Value>; N] = std::array::from_fn(|_| None);
    for (name, value) in args.keyword {
        match names.iter().position(|known| *known == &**name) {
            Some(at) => bound[at] = Some(value.clone()),
            None => {
                return Err(cx.type_error(format!("'{name}' is an invalid keyword argument for {function}()")));
            }
        }
    }
    Ok(bound)
}

/// Parameters by position or name, the way CPython's argument clinic words its refusals.
pub fn named<const N: usize>(
    cx: &mut Context,
    function: &str,
    args: Args<'_>,
    names: [&str; N],
    required: usize,
) -> Eval<[Option<Value>; N]> {
    let given = args.positional.len() + args.keyword.len();
    if given > N {
        return Err(cx.type_error(format!("{function}() takes at most {N} arguments ({given} given)")));
    }
    let mut bound = keywords(cx, function, args, names)?;
    for (at, value) in args.positional.iter().enumerate() {
        if bound[at].is_some() {
            let text = format!("argument for {function}() given by name ('{}') and position ({})", names[at], at + 1);
            return Err(cx.type_error(text));
        }
        bound[at] = Some(value.clone());
    }
    if let Some(at) = bound[..required.min(N)].iter().position(Option::is_none) {
        let text = format!("{function}() missing required argument '{}' (pos {})", names[at], at + 1);
        return Err(cx.type_error(text));
    }
    Ok(bound)
}

/// An integer where Python asks for one (`__index__`).
#[derive(Clone, Debug)]
pub enum Index {
    Small(i64),
    /// Beyond 64 bits.
    Huge {
        negative: bool,
    },
}

impl Index {
    /// The nearest that fits.
    pub fn clamped(&self) -> i64 {
        match self {
            Index::Small(value) => *value,
            Index::Huge { negative: true } => i64::MIN,
            Index::Huge { negative: false } => i64::MAX,
        }
    }
}

/// `None`: no integer.
pub fn index(cx: &mut Context, value: &Value) -> Eval<Option<Index>> {
    Ok(match value {
        Value::Int(value) => Some(Index::Small(*value)),
        Value::Bool(value) => Some(Index::Small(i64::from(*value))),
        Value::Big(value) => Some(Index::Huge { negative: value.is_negative() }),
        Value::Ref(id) if matches!(cx.heap.get(*id), Object::Instance(_)) => match compare::enum_plain(cx, value) {
            Some(plain) => match &plain {
                Value::Int(value) => Some(Index::Small(*value)),
                Value::Big(value) => Some(Index::Huge { negative: value.is_negative() }),
                _ => None,
            },
            None if compare::customises(cx, value, &["__index__"]) => return Err(Fault::Worker),
            None => None,
        },
        _ => None,
    })
}

/// An integer that is an index or a count: `'str' object cannot be interpreted as an integer`.
pub fn integer(cx: &mut Context, value: &Value) -> Eval<Index> {
    match index(cx, value)? {
        Some(index) => Ok(index),
        None => {
            let text = format!("'{}' object cannot be interpreted as an integer", cx.type_name(value));
            Err(cx.type_error(text))
        }
    }
}

/// As [`integer`], of any size.
pub fn big_integer(cx: &mut Context, value: &Value) -> Eval<BigInt> {
    match value {
        Value::Big(value) => Ok((**value).clone()),
        _ => match integer(cx, value)? {
            Index::Small(value) => Ok(BigInt::from(value)),
            Index::Huge { .. } => match compare::enum_plain(cx, value) {
                Some(Value::Big(value)) => Ok((*value).clone()),
                _ => Err(Fault::Worker),
            },
        },
    }
}

/// As [`integer`], which must fit 64 bits; `kind` is raised where it does not.
pub fn index_sized(cx: &mut Context, value: &Value, kind: TypeId) -> Eval<i64> {
    match integer(cx, value)? {
        Index::Small(value) => Ok(value),
        Index::Huge { .. } => {
            let text = format!("cannot fit '{}' into an index-sized integer", cx.type_name(value));
            Err(cx.raise(kind, text))
        }
    }
}

/// As [`integer`], which must fit a type of C's.
pub fn c_sized(cx: &mut Context, value: &Value, kind: &str) -> Eval<i64> {
    match integer(cx, value)? {
        Index::Small(value) => Ok(value),
        Index::Huge { .. } => {
            Err(cx.raise(TypeId::OVERFLOW_ERROR, format!("Python int too large to convert to C {kind}")))
        }
    }
}

/// A position in a sequence of `length` items, where negative ones count from the end; clamped to it.
pub fn clamp_position(position: i64, length: usize) -> usize {
    let length = length as i64;
    let position = if position < 0 { position.saturating_add(length).max(0) } else { position };
    position.min(length) as usize
}

/// Refuses to let a container of `length` items grow by `added` beyond the limit. Only what is added costs anything, so
/// that filling a container one by one stays linear.
pub fn check_growth(cx: &mut Context, length: usize, added: usize) -> Eval<()> {
    let bytes = length.saturating_add(added).saturating_mul(16);
    if bytes > cx.limits.value_bytes_max { cx.check_size(bytes) } else { cx.charge(added / 8) }
}
