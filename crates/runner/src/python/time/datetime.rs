//! `datetime.datetime`. A naive time that has to be an instant (`timestamp()`, `astimezone()`) counts as UTC, which is
//! the local zone of every instance.

use std::cmp::Ordering;

use waymark_ir::{BinaryOp, DateTime, TimeOfDay, Zone};

use super::arguments::{self, Kind, bind, int_or, keyword_only, parameter, wrong_receiver, zone_or};
use super::calendar::{DATE_MAX, DATE_MIN, ORDINAL_EPOCH, ORDINAL_MAX, checked_date, from_ordinal, ordinal};
use super::delta::{DAY_US, SECOND_US, seconds_float};
use super::timeofday::{at_microsecond, since_midnight};
use super::zone::{self, Local};
use super::{date, iso, strftime, strptime, timeofday};
use crate::context::{Context, Eval};
use crate::heap::{Key, Scalar};
use crate::python::{Args, Methods};
use crate::types::TypeId;
use crate::value::Value;

pub const METHODS: Methods = &[
    ("replace", replace),
    ("isoformat", isoformat),
    ("strftime", strftime_method),
    ("weekday", date::weekday),
    ("isoweekday", date::isoweekday),
    ("isocalendar", date::isocalendar),
    ("toordinal", date::toordinal),
    ("timestamp", timestamp),
    ("astimezone", astimezone),
    ("date", date_method),
    ("time", time_method),
    ("timetz", timetz),
    ("utcoffset", utcoffset),
    ("dst", dst),
    ("tzname", tzname),
    ("ctime", ctime),
    ("timetuple", date::timetuple),
    ("utctimetuple", date::timetuple),
];

/// The wall clock's reading of 1970-01-01.
pub const EPOCH_US: i64 = ORDINAL_EPOCH * DAY_US;

/// `datetime(year, month, day, hour, minute, second, microsecond, tzinfo, *, fold)`
pub fn construct(cx: &mut Context, args: Args<'_>) -> Eval {
    build(cx, args, "", None)
}

fn build(cx: &mut Context, args: Args<'_>, function: &str, base: Option<&DateTime>) -> Eval {
    let parameters = [
        parameter("year", Kind::Int),
        parameter("month", Kind::Int),
        parameter("day", Kind::Int),
        parameter("hour", Kind::Int),
        parameter("minute", Kind::Int),
        parameter("second", Kind::Int),
        parameter("microsecond", Kind::Int),
        // The type of a zone is checked last, after the ranges of the numbers.
        parameter("tzinfo", Kind::Any),
        keyword_only("fold", Kind::Int),
    ];
    let required = if base.is_some() { 0 } else { 3 };
    let [year, month, day, hour, minute, second, microsecond, tzinfo, fold] =
        bind(cx, args, function, &parameters, required)?;
    let first = date::at_midnight(DATE_MIN);
    let DateTime { date, time } = base.unwrap_or(&first);
    let date = checked_date(
        cx,
        int_or(&year, date.year.into()),
        int_or(&month, date.month.into()),
        int_or(&day, date.day.into()),
    )?;
    let numbers = [
        int_or(&hour, time.hour.into()),
        int_or(&minute, time.minute.into()),
        int_or(&second, time.second.into()),
        int_or(&microsecond, time.microsecond.into()),
    ];
    let mut clock = timeofday::checked(cx, numbers, int_or(&fold, time.fold.into()))?;
    if let Some(tzinfo) = &tzinfo {
        arguments::zone(cx, tzinfo)?;
    }
    clock.zone = zone_or(&tzinfo, time.zone.clone());
    Ok(value(DateTime { date, time: clock }))
}

pub fn value(at: DateTime) -> Value {
    Value::DateTime(at.into())
}

/// Microseconds on the wall clock, counted from the day before 0001-01-01.
pub fn wall(at: &DateTime) -> i64 {
    ordinal(at.date) * DAY_US + since_midnight(&at.time)
}

/// The reverse of [`wall`]; `fold` is off.
pub fn from_wall(cx: &mut Context, wall_us: i64, zone: Option<Zone>) -> Eval<DateTime> {
    match from_ordinal(wall_us.div_euclid(DAY_US)) {
        Some(date) => Ok(DateTime { date, time: at_microsecond(wall_us.rem_euclid(DAY_US), zone) }),
        None => Err(cx.raise(TypeId::OVERFLOW_ERROR, "date value out of range")),
    }
}

// ---- other constructors

pub fn fromordinal(cx: &mut Context, args: Args<'_>) -> Eval {
    date::ordinal_argument(cx, args).map(|date| value(date::at_midnight(date)))
}

pub fn fromisocalendar(cx: &mut Context, args: Args<'_>) -> Eval {
    date::iso_arguments(cx, args).map(|date| value(date::at_midnight(date)))
}

pub fn combine(cx: &mut Context, args: Args<'_>) -> Eval {
    let parameters = [parameter("date", Kind::Date), parameter("time", Kind::Time), parameter("tzinfo", Kind::Any)];
    let [date, time, tzinfo] = bind(cx, args, "combine", &parameters, 2)?;
    if let Some(tzinfo) = &tzinfo {
        arguments::zone(cx, tzinfo)?;
    }
    let date = match date {
        Some(Value::Date(date)) => date,
        Some(Value::DateTime(at)) => at.date,
        _ => DATE_MIN,
    };
    let mut time = match time {
        Some(Value::Time(time)) => (*time).clone(),
        _ => timeofday::MIDNIGHT,
    };
    time.zone = zone_or(&tzinfo, time.zone.clone());
    Ok(value(DateTime { date, time }))
}

pub fn fromisoformat(cx: &mut Context, args: Args<'_>) -> Eval {
    let text = iso::text_argument(cx, args, "datetime.fromisoformat")?;
    // Long texts are invalid anyway, unless in digits that are dropped.
    cx.charge(text.len() / 8)?;
    let characters: Vec<char> = text.chars().collect();
    let Some(length) = iso::date_length(&characters) else { return Err(iso::invalid(cx, &text)) };
    let head: String = characters.iter().take(length).collect();
    let tail: String = characters.iter().skip(length + 1).collect();
    let parsed = if characters.len() > length { iso::parse_time(tail.as_bytes()).map(Some) } else { Some(None) };
    let (Some((year, month, day)), Some(time)) = (iso::parse_date(head.as_bytes()), parsed) else {
        return Err(iso::invalid(cx, &text));
    };
    // Python builds the zone first, then checks the date, then the clock.
    let zone_first = time.as_ref().map(|time| time.zone(cx)).transpose()?;
    let date = checked_date(cx, year, month, day)?;
    let mut clock = match time {
        Some(time) => time.clock(cx)?,
        None => timeofday::MIDNIGHT,
    };
    clock.zone = zone_first.flatten();
    Ok(value(DateTime { date, time: clock }))
}

pub fn strptime_function(cx: &mut Context, args: Args<'_>) -> Eval {
    arguments::no_keywords(cx, args, "strptime")?;
    if args.positional.len() != 2 {
        let given = args.positional.len();
        return Err(cx.type_error(format!("strptime() takes exactly 2 arguments ({given} given)")));
    }
    let parameters = [parameter("date_string", Kind::Str), parameter("format", Kind::Str)];
    match bind(cx, args, "strptime", &parameters, 2)? {
        [Some(Value::Str(text)), Some(Value::Str(format))] => strptime::parse(cx, &text, &format).map(value),
        _ => Err(cx.type_error("strptime() argument 1 must be str")),
    }
}

// ---- attributes and methods

pub fn attribute(at: &DateTime, name: &str) -> Option<Value> {
    match name {
        "min" => Some(value(date::at_midnight(DATE_MIN))),
        "max" => Some(value(last())),
        "resolution" => Some(Value::delta(1)),
        _ => date::attribute(at.date, name).or_else(|| timeofday::attribute(&at.time, name)),
    }
}

/// `datetime.max`
pub fn last() -> DateTime {
    DateTime { date: DATE_MAX, time: timeofday::LAST }
}

fn receiver_datetime<'a>(cx: &mut Context, receiver: &'a Value) -> Eval<&'a DateTime> {
    match receiver {
        Value::DateTime(at) => Ok(at),
        _ => Err(wrong_receiver(cx, "datetime.datetime", receiver)),
    }
}

fn replace(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let at = receiver_datetime(cx, receiver)?;
    build(cx, args, "replace", Some(at))
}

fn isoformat(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let at = receiver_datetime(cx, receiver)?;
    let parameters = [parameter("sep", Kind::Char), parameter("timespec", Kind::Str)];
    let [separator, timespec] = bind(cx, args, "isoformat", &parameters, 0)?;
    let separator = match &separator {
        Some(Value::Str(text)) => text,
        _ => "T",
    };
    text(cx, at, separator, &timespec).map(Value::from)
}

fn text(cx: &mut Context, at: &DateTime, separator: &str, timespec: &Option<Value>) -> Eval<String> {
    let clock = timeofday::clock_text(cx, &at.time, timespec)?;
    let mut text = format!("{}{separator}{clock}", date::display(at.date));
    if let Some(offset_us) = offset(cx, at)? {
        text += &zone::offset_text(offset_us, ":");
    }
    Ok(text)
}

pub fn display(cx: &mut Context, at: &DateTime) -> Eval<String> {
    text(cx, at, " ", &None)
}

pub fn repr(at: &DateTime) -> String {
    let (date, time) = (at.date, &at.time);
    let mut text =
        format!("datetime.datetime({}, {}, {}, {}, {}", date.year, date.month, date.day, time.hour, time.minute);
    timeofday::push_repr_tail(&mut text, time);
    text
}

fn strftime_method(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let at = receiver_datetime(cx, receiver)?;
    let format = strftime::format_argument(cx, args)?;
    format_with(cx, at, &format).map(Value::from)
}

pub fn format_with(cx: &mut Context, at: &DateTime, format: &str) -> Eval<String> {
    let local = local(cx, at)?;
    strftime::format(cx, at, local.as_ref(), format)
}

fn timestamp(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "datetime.timestamp")?;
    let at = receiver_datetime(cx, receiver)?;
    let since = wall(at) - EPOCH_US;
    Ok(Value::Float(match offset(cx, at)? {
        Some(offset_us) => seconds_float(i128::from(since - offset_us)),
        None => {
            check_local(cx, at)?;
            since.div_euclid(SECOND_US) as f64 + since.rem_euclid(SECOND_US) as f64 / 1e6
        }
    }))
}

/// Python looks a day to one side of a naive time for a change of clocks; at the edges there is no such day.
pub fn check_local(cx: &mut Context, at: &DateTime) -> Eval<()> {
    match (ordinal(at.date), at.time.fold) {
        (1, false) => Err(cx.value_error("year 0 is out of range")),
        (ORDINAL_MAX, true) => Err(cx.value_error("year 10000 is out of range")),
        _ => Ok(()),
    }
}

fn astimezone(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let at = receiver_datetime(cx, receiver)?;
    let [tz] = bind(cx, args, "astimezone", &[parameter("tz", Kind::Zone)], 0)?;
    let here = || Zone::Fixed { offset_us: 0, name: Some("UTC".to_string()) };
    let target = zone_or(&tz, None).unwrap_or_else(here);
    if at.time.zone.as_ref() == Some(&target) {
        return Ok(receiver.clone());
    }
    let offset_us = match offset(cx, at)? {
        Some(offset_us) => offset_us,
        None => {
            check_local(cx, at)?;
            0
        }
    };
    let utc_us = wall(at) - offset_us;
    from_wall(cx, utc_us, None)?;
    zone::from_utc(cx, &target, utc_us).map(value)
}

fn date_method(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "datetime.date")?;
    receiver_datetime(cx, receiver).map(|at| Value::Date(at.date))
}

fn time_method(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "datetime.time")?;
    let at = receiver_datetime(cx, receiver)?;
    Ok(Value::Time(TimeOfDay { zone: None, ..at.time.clone() }.into()))
}

fn timetz(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "datetime.timetz")?;
    receiver_datetime(cx, receiver).map(|at| Value::Time(at.time.clone().into()))
}

fn utcoffset(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "datetime.utcoffset")?;
    let at = receiver_datetime(cx, receiver)?;
    Ok(offset(cx, at)?.map_or(Value::None, |offset_us| Value::delta(offset_us.into())))
}

fn dst(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "datetime.dst")?;
    let at = receiver_datetime(cx, receiver)?;
    let Some(zone) = &at.time.zone else { return Ok(Value::None) };
    let saving_us = zone::saving(cx, zone, Some(at))?;
    Ok(saving_us.map_or(Value::None, |saving_us| Value::delta(saving_us.into())))
}

fn tzname(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "datetime.tzname")?;
    let at = receiver_datetime(cx, receiver)?;
    Ok(local(cx, at)?.map_or(Value::None, |local| Value::from(local.name)))
}

fn ctime(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "datetime.ctime")?;
    receiver_datetime(cx, receiver).map(|at| Value::from(strftime::ctime(at)))
}

fn local(cx: &mut Context, at: &DateTime) -> Eval<Option<Local>> {
    match &at.time.zone {
        Some(zone) => zone::local(cx, zone, Some(at)),
        None => Ok(None),
    }
}

fn offset(cx: &mut Context, at: &DateTime) -> Eval<Option<i64>> {
    at.time.zone.as_ref().map(|zone| zone::offset(cx, zone, at)).transpose()
}

// ---- operators

/// `datetime ± delta` moves the wall clock; `datetime - datetime` does so within one zone, else it compares instants.
pub fn binary(cx: &mut Context, op: BinaryOp, left: &Value, right: &Value) -> Eval<Option<Value>> {
    let (at, change) = match (op, left, right) {
        (BinaryOp::Add, Value::DateTime(at), Value::Delta(delta))
        | (BinaryOp::Add, Value::Delta(delta), Value::DateTime(at)) => (at, delta.microseconds),
        (BinaryOp::Subtract, Value::DateTime(at), Value::Delta(delta)) => (at, -delta.microseconds),
        (BinaryOp::Subtract, Value::DateTime(left), Value::DateTime(right)) => {
            return match apart(cx, left, right)? {
                Some(microseconds) => Ok(Some(Value::delta(microseconds.into()))),
                None => Err(cx.type_error("can't subtract offset-naive and offset-aware datetimes")),
            };
        }
        _ => return Ok(None),
    };
    // Out of an i64 is out of range too.
    let moved = i64::try_from(i128::from(wall(at)) + change).unwrap_or(i64::MIN);
    from_wall(cx, moved, at.time.zone.clone()).map(|result| Some(value(result)))
}

/// `None`: one is naive and the other aware.
fn apart(cx: &mut Context, left: &DateTime, right: &DateTime) -> Eval<Option<i64>> {
    let wall_apart = wall(left) - wall(right);
    if left.time.zone == right.time.zone {
        return Ok(Some(wall_apart));
    }
    Ok(match (offset(cx, left)?, offset(cx, right)?) {
        (Some(left), Some(right)) => Some(wall_apart - left + right),
        _ => None,
    })
}

pub fn order(cx: &mut Context, left: &DateTime, right: &DateTime) -> Eval<Ordering> {
    match apart(cx, left, right)? {
        Some(microseconds) => Ok(microseconds.cmp(&0)),
        None => Err(cx.type_error("can't compare offset-naive and offset-aware datetimes")),
    }
}

/// Times of different zones are never equal where one of them is a time that its clocks skip or repeat (PEP 495).
pub fn equal(cx: &mut Context, left: &DateTime, right: &DateTime) -> Eval<bool> {
    if apart(cx, left, right)? != Some(0) {
        return Ok(false);
    }
    match (&left.time.zone, &right.time.zone) {
        (Some(left_zone), Some(right_zone)) if left_zone != right_zone => {
            Ok(!zone::ambiguous(cx, left_zone, left)? && !zone::ambiguous(cx, right_zone, right)?)
        }
        _ => Ok(true),
    }
}

/// The instant; but a time that clocks skip or repeat equals only itself, in its own zone.
pub fn key(cx: &mut Context, at: &DateTime) -> Eval<Key> {
    let text = match &at.time.zone {
        None => format!("naive {}", wall(at)),
        Some(zone) => match (zone::ambiguous(cx, zone, at)?, zone) {
            (true, Zone::Named(name)) => format!("{} {name}", wall(at)),
            _ => format!("aware {}", wall(at) - zone::offset(cx, zone, at)?),
        },
    };
    Ok(Key::Scalar(Scalar::DateTime, text.into()))
}
