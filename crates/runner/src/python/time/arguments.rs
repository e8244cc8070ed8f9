//! Binding of arguments as the module `datetime` does it: its messages differ from those of other built-ins, and a wrong
//! type is reported before an argument that is missing further right.

use num_traits::Signed;
use waymark_ir::Zone;

use crate::context::{Context, Eval, Fault};
use crate::python::Args;
use crate::types::TypeId;
use crate::value::Value;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A C `int`.
    Int,
    Str,
    /// A string of one character.
    Char,
    /// `None` or a time zone.
    Zone,
    Date,
    Time,
    Delta,
    Any,
}

pub struct Parameter {
    pub name: &'static str,
    pub kind: Kind,
    pub keyword_only: bool,
}

pub const fn parameter(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind, keyword_only: false }
}

pub const fn keyword_only(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind, keyword_only: true }
}

/// Binds and checks; `function` is empty for constructors, which messages call "function".
pub fn bind<const N: usize>(
    cx: &mut Context,
    args: Args<'_>,
    function: &str,
    parameters: &[Parameter; N],
    required: usize,
) -> Eval<[Option<Value>; N]> {
    let shown = if function.is_empty() { "function".to_string() } else { format!("{function}()") };
    let positional = args.positional.len();
    let given = positional + args.keyword.len();
    if given > N {
        let keyword = if positional == 0 { "keyword " } else { "" };
        let plural = if N == 1 { "" } else { "s" };
        return Err(cx.type_error(format!("{shown} takes at most {N} {keyword}argument{plural} ({given} given)")));
    }
    let positional_max = parameters.iter().filter(|parameter| !parameter.keyword_only).count();
    if positional > positional_max {
        let plural = if positional_max == 1 { "" } else { "s" };
        return Err(cx.type_error(format!(
            "{shown} takes at most {positional_max} positional argument{plural} ({positional} given)"
        )));
    }
    let mut bound: [Option<Value>; N] = std::array::from_fn(|_| None);
    for (at, parameter) in parameters.iter().enumerate() {
        let named = args.keyword.iter().find(|(name, _)| **name == *parameter.name).map(|(_, value)| value);
        let value = match (args.positional.get(at), named) {
            (Some(_), Some(_)) => {
                let (name, place) = (parameter.name, at + 1);
                return Err(
                    cx.type_error(format!("argument for {shown} given by name ('{name}') and position ({place})"))
                );
            }
            (Some(value), None) | (None, Some(value)) => value,
            (None, None) if at < required => {
                let (name, place) = (parameter.name, at + 1);
                return Err(cx.type_error(format!("{shown} missing required argument '{name}' (pos {place})")));
            }
            (None, None) => continue,
        };
        check(cx, value, parameter.kind, &shown, at + 1)?;
        bound[at] = Some(value.clone());
    }
    let known = |name: &str| parameters.iter().any(|parameter| parameter.name == name);
    if let Some((name, _)) = args.keyword.iter().find(|(name, _)| !known(name)) {
        let function = if function.is_empty() { "this function" } else { &shown };
        return Err(cx.type_error(format!("'{name}' is an invalid keyword argument for {function}")));
    }
    Ok(bound)
}

fn check(cx: &mut Context, value: &Value, kind: Kind, shown: &str, place: usize) -> Eval<()> {
    let expected = match kind {
        Kind::Any => return Ok(()),
        Kind::Int => return c_int(cx, value).map(|_| ()),
        Kind::Zone => return zone(cx, value).map(|_| ()),
        Kind::Str if matches!(value, Value::Str(_)) => return Ok(()),
        Kind::Char if matches!(value, Value::Str(text) if text.chars().count() == 1) => return Ok(()),
        Kind::Date if matches!(value, Value::Date(_) | Value::DateTime(_)) => return Ok(()),
        Kind::Time if matches!(value, Value::Time(_)) => return Ok(()),
        Kind::Delta if matches!(value, Value::Delta(_)) => return Ok(()),
        Kind::Str => "str",
        Kind::Char => "a unicode character",
        Kind::Date => "datetime.date",
        Kind::Time => "datetime.time",
        Kind::Delta => "datetime.timedelta",
    };
    let actual = if value.is_none() { "None".into() } else { cx.type_name(value) };
    Err(cx.type_error(format!("{shown} argument {place} must be {expected}, not {actual}")))
}

/// An integer as a C `int`, which most of the module's numbers are.
pub fn c_int(cx: &mut Context, value: &Value) -> Eval<i64> {
    let number = c_long(cx, value)?;
    if number > i64::from(i32::MAX) {
        return Err(cx.raise(TypeId::OVERFLOW_ERROR, "signed integer is greater than maximum"));
    }
    if number < i64::from(i32::MIN) {
        return Err(cx.raise(TypeId::OVERFLOW_ERROR, "signed integer is less than minimum"));
    }
    Ok(number)
}

fn c_long(cx: &mut Context, value: &Value) -> Eval<i64> {
    match value {
        Value::Int(number) => Ok(*number),
        Value::Bool(flag) => Ok(i64::from(*flag)),
        Value::Big(_) => Err(cx.raise(TypeId::OVERFLOW_ERROR, "Python int too large to convert to C long")),
        _ => Err(no_integer(cx, value)),
    }
}

pub fn no_integer(cx: &mut Context, value: &Value) -> Fault {
    if cx.overrides(value, "__index__") {
        return Fault::Worker;
    }
    let name = cx.type_name(value);
    cx.type_error(format!("'{name}' object cannot be interpreted as an integer"))
}

/// An integer of any size, held within an `i64` (for numbers whose range is checked afterwards with one message).
pub fn clamped(cx: &mut Context, value: &Value) -> Eval<i64> {
    match value {
        Value::Big(number) => Ok(if number.is_negative() { i64::MIN } else { i64::MAX }),
        _ => c_long(cx, value),
    }
}

/// A `tzinfo` argument.
pub fn zone(cx: &mut Context, value: &Value) -> Eval<Option<Zone>> {
    match value {
        Value::None => Ok(None),
        Value::Zone(zone) => Ok(Some((**zone).clone())),
        _ => {
            // A class of the program that derives from tzinfo: only a worker can ask it.
            if cx.types.is_subtype(cx.type_of(value), TypeId::TZINFO) {
                return Err(Fault::Worker);
            }
            let name = cx.type_name(value);
            Err(cx.type_error(format!("tzinfo argument must be None or of a tzinfo subclass, not type '{name}'")))
        }
    }
}

/// A number that [`bind`] has checked, or what stands for an absent one.
pub fn int_or(value: &Option<Value>, default: i64) -> i64 {
    match value {
        Some(Value::Int(number)) => *number,
        Some(Value::Bool(flag)) => i64::from(*flag),
        _ => default,
    }
}

/// A zone that [`bind`] has checked; an absent one leaves `default`.
pub fn zone_or(value: &Option<Value>, default: Option<Zone>) -> Option<Zone> {
    match value {
        Some(Value::Zone(zone)) => Some((**zone).clone()),
        Some(_) => None,
        None => default,
    }
}

/// For methods without parameters.
pub fn none(cx: &mut Context, args: Args<'_>, function: &str) -> Eval<()> {
    no_keywords(cx, args, function)?;
    match args.positional.len() {
        0 => Ok(()),
        given => Err(cx.type_error(format!("{function}() takes no arguments ({given} given)"))),
    }
}

/// For functions of one positional parameter; `count` is how the message writes it: `one`, or `1`.
pub fn one(cx: &mut Context, args: Args<'_>, function: &str, count: &str) -> Eval<Value> {
    no_keywords(cx, args, function)?;
    match args.positional {
        [value] => Ok(value.clone()),
        other => {
            let given = other.len();
            Err(cx.type_error(format!("{function}() takes exactly {count} argument ({given} given)")))
        }
    }
}

pub fn no_keywords(cx: &mut Context, args: Args<'_>, function: &str) -> Eval<()> {
    if args.keyword.is_empty() {
        return Ok(());
    }
    Err(cx.type_error(format!("{function}() takes no keyword arguments")))
}

/// A receiver of the wrong class, as in `datetime.date.weekday(5)`.
pub fn wrong_receiver(cx: &mut Context, class: &str, value: &Value) -> Fault {
    let name = cx.type_name(value);
    cx.type_error(format!("descriptor requires a '{class}' object but received a '{name}'"))
}
