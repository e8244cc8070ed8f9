//! The module `datetime` and its classes, `zoneinfo.ZoneInfo`, and the clock functions of `time`.
//!
//! Nothing here reads a clock, a locale or the machine's zones: "now" is the event's time, names are English, zones are
//! those compiled in, and the local zone is UTC (`datetime.now()` without a zone is naive UTC).

use std::cmp::Ordering;

use waymark_ir::{BinaryOp, Date, TimeOfDay, Zone};

use crate::context::{Context, Eval, Fault};
use crate::heap::{Key, Scalar};
use crate::python::{Constants, Constructors, Functions, Methods};
use crate::types::TypeId;
use crate::value::Value;

mod arguments;
mod calendar;
mod clock;
mod date;
mod datetime;
mod delta;
mod instant;
mod iso;
mod strftime;
mod strptime;
#[cfg(test)]
mod tests;
mod timeofday;
pub(crate) mod zone;

pub const CONSTRUCTORS: Constructors = &[
    (TypeId::DATE, date::construct),
    (TypeId::DATETIME, datetime::construct),
    (TypeId::TIME, timeofday::construct),
    (TypeId::TIMEDELTA, delta::construct),
    (TypeId::TIMEZONE, zone::construct_fixed),
    (TypeId::ZONEINFO, zone::construct_named),
];

pub const FUNCTIONS: Functions = &[
    ("datetime.date.today", date::today),
    ("datetime.date.fromtimestamp", date::fromtimestamp),
    ("datetime.date.fromisoformat", date::fromisoformat),
    ("datetime.date.fromordinal", date::fromordinal),
    ("datetime.date.fromisocalendar", date::fromisocalendar),
    ("datetime.datetime.now", instant::now),
    ("datetime.datetime.utcnow", instant::utcnow),
    ("datetime.datetime.today", instant::today),
    ("datetime.datetime.fromtimestamp", instant::fromtimestamp),
    ("datetime.datetime.utcfromtimestamp", instant::utcfromtimestamp),
    ("datetime.datetime.fromisoformat", datetime::fromisoformat),
    ("datetime.datetime.fromordinal", datetime::fromordinal),
    ("datetime.datetime.fromisocalendar", datetime::fromisocalendar),
    ("datetime.datetime.combine", datetime::combine),
    ("datetime.datetime.strptime", datetime::strptime_function),
    ("datetime.time.fromisoformat", timeofday::fromisoformat),
    ("time.time", clock::time),
    ("time.time_ns", clock::time_ns),
    ("time.monotonic", clock::monotonic),
    ("time.monotonic_ns", clock::monotonic_ns),
    ("time.perf_counter", clock::perf_counter),
    ("time.perf_counter_ns", clock::perf_counter_ns),
];

pub const CONSTANTS: Constants = &[
    ("datetime.UTC", || Value::Zone(Zone::UTC.into())),
    ("datetime.MINYEAR", || Value::Int(1)),
    ("datetime.MAXYEAR", || Value::Int(9999)),
    ("datetime.timezone.utc", || Value::Zone(Zone::UTC.into())),
    ("datetime.timezone.min", || Value::Zone(zone::fixed_minutes(-1_439).into())),
    ("datetime.timezone.max", || Value::Zone(zone::fixed_minutes(1_439).into())),
    ("datetime.date.min", || Value::Date(calendar::DATE_MIN)),
    ("datetime.date.max", || Value::Date(calendar::DATE_MAX)),
    ("datetime.date.resolution", || Value::delta(delta::DAY_US.into())),
    ("datetime.datetime.min", || Value::DateTime(date::at_midnight(calendar::DATE_MIN).into())),
    ("datetime.datetime.max", || Value::DateTime(datetime::last().into())),
    ("datetime.datetime.resolution", || Value::delta(1)),
    ("datetime.time.min", || Value::Time(timeofday::MIDNIGHT.into())),
    ("datetime.time.max", || Value::Time(timeofday::LAST.into())),
    ("datetime.time.resolution", || Value::delta(1)),
    ("datetime.timedelta.min", || Value::delta(delta::DELTA_MIN_US)),
    ("datetime.timedelta.max", || Value::delta(delta::DELTA_MAX_US)),
    ("datetime.timedelta.resolution", || Value::delta(1)),
];

/// Methods of a class of this module, inherited ones included.
pub fn methods(class: TypeId) -> Methods {
    match class {
        TypeId::DATE => date::METHODS,
        TypeId::DATETIME => datetime::METHODS,
        TypeId::TIME => timeofday::METHODS,
        TypeId::TIMEDELTA => delta::METHODS,
        TypeId::TIMEZONE | TypeId::ZONEINFO => zone::METHODS,
        _ => &[],
    }
}

/// Attributes that are no methods: `year`, `tzinfo`, `days`. `None`: there is no such attribute.
pub fn attribute(value: &Value, name: &str) -> Option<Value> {
    match value {
        Value::Date(date) => date::attribute(*date, name),
        Value::DateTime(at) => datetime::attribute(at, name),
        Value::Time(time) => time_attribute(time, name),
        Value::Delta(delta) => delta::attribute(delta.microseconds, name),
        Value::Zone(zone) => zone::attribute(zone, name),
        _ => None,
    }
}

fn time_attribute(time: &TimeOfDay, name: &str) -> Option<Value> {
    match name {
        "min" => Some(Value::Time(timeofday::MIDNIGHT.into())),
        "max" => Some(Value::Time(timeofday::LAST.into())),
        "resolution" => Some(Value::delta(1)),
        _ => timeofday::attribute(time, name),
    }
}

/// An operator with at least one operand of this module. `None`: not defined for these types; the caller raises
/// Python's `unsupported operand type(s) …` (or, for a sequence times a delta, `can't multiply sequence …`).
pub fn binary(cx: &mut Context, op: BinaryOp, left: &Value, right: &Value) -> Eval<Option<Value>> {
    let either = |test: fn(&Value) -> bool| test(left) || test(right);
    if either(|value| matches!(value, Value::DateTime(_))) {
        datetime::binary(cx, op, left, right)
    } else if either(|value| matches!(value, Value::Date(_))) {
        date::binary(cx, op, left, right)
    } else {
        delta::binary(cx, op, left, right)
    }
}

/// `divmod(left, right)`. `None`: not defined for these types.
pub fn divmod(cx: &mut Context, left: &Value, right: &Value) -> Eval<Option<(Value, Value)>> {
    match (left, right) {
        (Value::Delta(left), Value::Delta(right)) => delta::divmod(cx, left.microseconds, right.microseconds).map(Some),
        _ => Ok(None),
    }
}

/// `-value`. `None`: not defined for this type (only deltas have it; `+value` is the delta itself).
pub fn negate(cx: &mut Context, value: &Value) -> Eval<Option<Value>> {
    match value {
        Value::Delta(delta) => delta::checked_small(cx, delta.microseconds.saturating_neg()).map(Some),
        _ => Ok(None),
    }
}

/// `abs(value)`. `None`: not defined for this type.
pub fn absolute(cx: &mut Context, value: &Value) -> Eval<Option<Value>> {
    match value {
        Value::Delta(delta) => delta::checked_small(cx, delta.microseconds.saturating_abs()).map(Some),
        _ => Ok(None),
    }
}

/// Only a delta of zero is false; midnight is true.
pub fn truth(value: &Value) -> bool {
    !matches!(value, Value::Delta(delta) if delta.microseconds == 0)
}

/// `==` for two values, at least one of this module (naive and aware, date and datetime: never equal, not an error).
pub fn equal(cx: &mut Context, left: &Value, right: &Value) -> Eval<bool> {
    match (left, right) {
        (Value::Date(left), Value::Date(right)) => Ok(left == right),
        (Value::DateTime(left), Value::DateTime(right)) => datetime::equal(cx, left, right),
        (Value::Time(left), Value::Time(right)) => Ok(timeofday::compare(cx, left, right)? == Some(Ordering::Equal)),
        (Value::Delta(left), Value::Delta(right)) => Ok(left == right),
        (Value::Zone(left), Value::Zone(right)) => Ok(match (&**left, &**right) {
            // The name of a fixed zone does not count.
            (Zone::Fixed { offset_us: left, .. }, Zone::Fixed { offset_us: right, .. }) => left == right,
            (left, right) => left == right,
        }),
        (left, right) if cx.overrides(left, "__eq__") || cx.overrides(right, "__eq__") => Err(Fault::Worker),
        _ => Ok(false),
    }
}

/// `<` and the like; raises TypeError as Python does where there is no order, also for operands of foreign types
/// (`'<' not supported between instances of …`): the caller need not look first.
pub fn order(cx: &mut Context, op: &str, left: &Value, right: &Value) -> Eval<Ordering> {
    match (left, right) {
        (Value::Date(left), Value::Date(right)) => Ok(left.cmp(right)),
        (Value::DateTime(left), Value::DateTime(right)) => datetime::order(cx, left, right),
        (Value::Date(_), Value::DateTime(_)) | (Value::DateTime(_), Value::Date(_)) => {
            Err(cx.type_error("can't compare datetime.datetime to datetime.date"))
        }
        (Value::Time(left), Value::Time(right)) => match timeofday::compare(cx, left, right)? {
            Some(ordering) => Ok(ordering),
            None => Err(cx.type_error("can't compare offset-naive and offset-aware times")),
        },
        (Value::Delta(left), Value::Delta(right)) => Ok(left.cmp(right)),
        _ => {
            let reflected = [("<", "__lt__", "__gt__"), ("<=", "__le__", "__ge__"), (">", "__gt__", "__lt__")];
            let (_, own, other) = reflected.into_iter().find(|row| row.0 == op).unwrap_or((">=", "__ge__", "__le__"));
            if cx.overrides(left, own) || cx.overrides(right, other) {
                return Err(Fault::Worker);
            }
            let (left, right) = (cx.type_name(left), cx.type_name(right));
            Err(cx.type_error(format!("'{op}' not supported between instances of '{left}' and '{right}'")))
        }
    }
}

/// Equal values have equal keys (aware times by their instant).
pub fn key(cx: &mut Context, value: &Value) -> Eval<Key> {
    match value {
        Value::Date(date) => Ok(Key::date(*date)),
        Value::DateTime(at) => datetime::key(cx, at),
        Value::Time(time) => timeofday::key(cx, time),
        Value::Delta(delta) => Ok(Key::delta(delta.microseconds)),
        Value::Zone(zone) => {
            let text = match &**zone {
                Zone::Fixed { offset_us, .. } => offset_us.to_string(),
                Zone::Named(name) => format!("named {name}"),
            };
            Ok(Key::Scalar(Scalar::Zone, text.into()))
        }
        _ => Err(foreign(cx, value)),
    }
}

pub fn repr(cx: &mut Context, value: &Value) -> Eval<String> {
    match value {
        Value::Date(date) => Ok(date::repr(*date)),
        Value::DateTime(at) => Ok(datetime::repr(at)),
        Value::Time(time) => Ok(timeofday::repr(time)),
        Value::Delta(delta) => Ok(delta::repr(delta.microseconds)),
        Value::Zone(zone) => Ok(zone::repr(zone)),
        _ => Err(foreign(cx, value)),
    }
}

/// `str(value)`
pub fn display(cx: &mut Context, value: &Value) -> Eval<String> {
    match value {
        Value::Date(date) => Ok(date::display(*date)),
        Value::DateTime(at) => datetime::display(cx, at),
        Value::Time(time) => timeofday::display(cx, time),
        Value::Delta(delta) => Ok(delta::display(delta.microseconds)),
        Value::Zone(zone) => Ok(zone::display(zone)),
        _ => Err(foreign(cx, value)),
    }
}

/// `format(value, spec)`: strftime where there is a spec.
pub fn format(cx: &mut Context, value: &Value, spec: &str) -> Eval<String> {
    if spec.is_empty() {
        return display(cx, value);
    }
    match value {
        Value::Date(date) => strftime::format(cx, &date::at_midnight(*date), None, spec),
        Value::DateTime(at) => datetime::format_with(cx, at, spec),
        Value::Time(time) => timeofday::format_with(cx, time, spec),
        _ => {
            let name = cx.type_name(value);
            Err(cx.type_error(format!("unsupported format string passed to {name}.__format__")))
        }
    }
}

/// Whether a constructor of this module could have made the value. The rest of the module relies on it: whoever reads
/// such values from outside asks here first. Values of other modules are none of its business, and valid.
pub fn is_valid(value: &Value) -> bool {
    match value {
        Value::Date(date) => valid_date(date),
        Value::DateTime(at) => valid_date(&at.date) && valid_time(&at.time),
        Value::Time(time) => valid_time(time),
        Value::Delta(delta) => (delta::DELTA_MIN_US..=delta::DELTA_MAX_US).contains(&delta.microseconds),
        Value::Zone(zone) => zone::is_valid(zone),
        _ => true,
    }
}

fn valid_date(date: &Date) -> bool {
    (1..=9999).contains(&date.year)
        && (1..=12).contains(&date.month)
        && (1..=calendar::days_in_month(date.year.into(), date.month)).contains(&date.day)
}

fn valid_time(time: &TimeOfDay) -> bool {
    time.hour < 24
        && time.minute < 60
        && time.second < 60
        && time.microsecond < 1_000_000
        && time.zone.as_ref().is_none_or(zone::is_valid)
}

/// A value of another module: the caller's mistake, but no reason to stop the process.
fn foreign(cx: &mut Context, value: &Value) -> Fault {
    let name = cx.type_name(value);
    cx.type_error(format!("'{name}' object is not of the module datetime"))
}
