//! `datetime.time`.

use std::cmp::Ordering;

use waymark_ir::{DateTime, TimeOfDay, Zone};

use super::arguments::{self, Kind, bind, int_or, keyword_only, parameter, wrong_receiver, zone_or};
use super::calendar::checked_date;
use super::delta::SECOND_US;
use super::{iso, strftime, zone};
use crate::context::{Context, Eval};
use crate::heap::{Key, Scalar};
use crate::python::{Args, Methods};
use crate::value::Value;

pub const MIDNIGHT: TimeOfDay = TimeOfDay { hour: 0, minute: 0, second: 0, microsecond: 0, fold: false, zone: None };
pub const LAST: TimeOfDay =
    TimeOfDay { hour: 23, minute: 59, second: 59, microsecond: 999_999, fold: false, zone: None };

pub const METHODS: Methods = &[
    ("replace", replace),
    ("isoformat", isoformat),
    ("strftime", strftime_method),
    ("utcoffset", utcoffset),
    ("dst", dst),
    ("tzname", tzname),
];

/// `time(hour, minute, second, microsecond, tzinfo, *, fold)`
pub fn construct(cx: &mut Context, args: Args<'_>) -> Eval {
    build(cx, args, "", &MIDNIGHT)
}

fn build(cx: &mut Context, args: Args<'_>, function: &str, base: &TimeOfDay) -> Eval {
    let parameters = [
        parameter("hour", Kind::Int),
        parameter("minute", Kind::Int),
        parameter("second", Kind::Int),
        parameter("microsecond", Kind::Int),
        // The type of a zone is checked last, after the ranges of the numbers.
        parameter("tzinfo", Kind::Any),
        keyword_only("fold", Kind::Int),
    ];
    let [hour, minute, second, microsecond, tzinfo, fold] = bind(cx, args, function, &parameters, 0)?;
    let numbers = [
        int_or(&hour, base.hour.into()),
        int_or(&minute, base.minute.into()),
        int_or(&second, base.second.into()),
        int_or(&microsecond, base.microsecond.into()),
    ];
    let mut time = checked(cx, numbers, int_or(&fold, base.fold.into()))?;
    if let Some(tzinfo) = &tzinfo {
        arguments::zone(cx, tzinfo)?;
    }
    time.zone = zone_or(&tzinfo, base.zone.clone());
    Ok(Value::Time(time.into()))
}

/// Checks what a constructor was given, in the order in which Python complains.
pub fn checked(cx: &mut Context, numbers: [i64; 4], fold: i64) -> Eval<TimeOfDay> {
    let limits = [("hour", 23), ("minute", 59), ("second", 59), ("microsecond", 999_999)];
    for (number, (name, limit)) in numbers.iter().zip(limits) {
        if !(0..=limit).contains(number) {
            return Err(cx.value_error(format!("{name} must be in 0..{limit}")));
        }
    }
    if fold != 0 && fold != 1 {
        return Err(cx.value_error("fold must be either 0 or 1"));
    }
    let [hour, minute, second, microsecond] = numbers;
    Ok(TimeOfDay {
        hour: hour as u8,
        minute: minute as u8,
        second: second as u8,
        microsecond: microsecond as u32,
        fold: fold == 1,
        zone: None,
    })
}

/// Microseconds since midnight.
pub fn since_midnight(time: &TimeOfDay) -> i64 {
    let seconds = i64::from(time.hour) * 3_600 + i64::from(time.minute) * 60 + i64::from(time.second);
    seconds * SECOND_US + i64::from(time.microsecond)
}

pub fn at_microsecond(since_midnight: i64, zone: Option<Zone>) -> TimeOfDay {
    let seconds = since_midnight / SECOND_US;
    TimeOfDay {
        hour: (seconds / 3_600) as u8,
        minute: (seconds / 60 % 60) as u8,
        second: (seconds % 60) as u8,
        microsecond: (since_midnight % SECOND_US) as u32,
        fold: false,
        zone,
    }
}

/// `datetime.time.fromisoformat`
pub fn fromisoformat(cx: &mut Context, args: Args<'_>) -> Eval {
    let text = iso::text_argument(cx, args, "time.fromisoformat")?;
    let body = text.strip_prefix('T').unwrap_or(&text);
    let Some(parsed) = iso::parse_time(body.as_bytes()) else { return Err(iso::invalid(cx, &text)) };
    Ok(Value::Time(iso::finish_time(cx, parsed)?.into()))
}

pub fn attribute(time: &TimeOfDay, name: &str) -> Option<Value> {
    Some(match name {
        "hour" => Value::Int(time.hour.into()),
        "minute" => Value::Int(time.minute.into()),
        "second" => Value::Int(time.second.into()),
        "microsecond" => Value::Int(time.microsecond.into()),
        "fold" => Value::Int(time.fold.into()),
        "tzinfo" => time.zone.clone().map_or(Value::None, |zone| Value::Zone(zone.into())),
        _ => return None,
    })
}

fn receiver_time<'a>(cx: &mut Context, receiver: &'a Value) -> Eval<&'a TimeOfDay> {
    match receiver {
        Value::Time(time) => Ok(time),
        _ => Err(wrong_receiver(cx, "datetime.time", receiver)),
    }
}

fn replace(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let time = receiver_time(cx, receiver)?;
    build(cx, args, "replace", time)
}

fn isoformat(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let time = receiver_time(cx, receiver)?;
    let [timespec] = bind(cx, args, "isoformat", &[parameter("timespec", Kind::Str)], 0)?;
    let mut text = clock_text(cx, time, &timespec)?;
    if let Some(local) = local(cx, time)? {
        text += &zone::offset_text(local.offset_us, ":");
    }
    Ok(Value::from(text))
}

/// The part of an ISO text between date and offset.
pub fn clock_text(cx: &mut Context, time: &TimeOfDay, timespec: &Option<Value>) -> Eval<String> {
    let timespec = match timespec {
        Some(Value::Str(text)) => text,
        _ => "auto",
    };
    let TimeOfDay { hour, minute, second, microsecond, .. } = time;
    Ok(match timespec {
        "auto" if *microsecond == 0 => format!("{hour:02}:{minute:02}:{second:02}"),
        "auto" | "microseconds" => format!("{hour:02}:{minute:02}:{second:02}.{microsecond:06}"),
        "milliseconds" => format!("{hour:02}:{minute:02}:{second:02}.{:03}", microsecond / 1_000),
        "seconds" => format!("{hour:02}:{minute:02}:{second:02}"),
        "minutes" => format!("{hour:02}:{minute:02}"),
        "hours" => format!("{hour:02}"),
        _ => return Err(cx.value_error("Unknown timespec value")),
    })
}

fn strftime_method(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let time = receiver_time(cx, receiver)?;
    let format = strftime::format_argument(cx, args)?;
    format_with(cx, time, &format).map(Value::from)
}

/// Without a date of its own, a time prints as of 1900-01-01.
pub fn format_with(cx: &mut Context, time: &TimeOfDay, format: &str) -> Eval<String> {
    let local = local(cx, time)?;
    let date = checked_date(cx, 1900, 1, 1)?;
    let at = DateTime { date, time: time.clone() };
    strftime::format(cx, &at, local.as_ref(), format)
}

fn local(cx: &mut Context, time: &TimeOfDay) -> Eval<Option<zone::Local>> {
    match &time.zone {
        Some(known) => zone::local(cx, known, None),
        None => Ok(None),
    }
}

fn utcoffset(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "time.utcoffset")?;
    let time = receiver_time(cx, receiver)?;
    Ok(local(cx, time)?.map_or(Value::None, |local| Value::delta(local.offset_us.into())))
}

fn dst(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "time.dst")?;
    let time = receiver_time(cx, receiver)?;
    let Some(zone) = &time.zone else { return Ok(Value::None) };
    let saving_us = zone::saving(cx, zone, None)?;
    Ok(saving_us.map_or(Value::None, |saving_us| Value::delta(saving_us.into())))
}

fn tzname(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "time.tzname")?;
    let time = receiver_time(cx, receiver)?;
    Ok(local(cx, time)?.map_or(Value::None, |local| Value::from(local.name)))
}

/// Whether an offset is known, and microseconds since midnight less whole seconds of it (Python drops the rest here).
fn position(cx: &mut Context, time: &TimeOfDay) -> Eval<(bool, i64)> {
    let own = since_midnight(time);
    Ok(match local(cx, time)? {
        Some(local) => (true, own - local.offset_us.div_euclid(SECOND_US) * SECOND_US),
        None => (false, own),
    })
}

/// `None`: one is naive and the other aware.
pub fn compare(cx: &mut Context, left: &TimeOfDay, right: &TimeOfDay) -> Eval<Option<Ordering>> {
    let (left_aware, left) = position(cx, left)?;
    let (right_aware, right) = position(cx, right)?;
    Ok((left_aware == right_aware).then(|| left.cmp(&right)))
}

pub fn key(cx: &mut Context, time: &TimeOfDay) -> Eval<Key> {
    let (aware, position) = position(cx, time)?;
    let kind = if aware { "aware" } else { "naive" };
    Ok(Key::Scalar(Scalar::Time, format!("{kind} {position}").into()))
}

pub fn repr(time: &TimeOfDay) -> String {
    let mut text = format!("datetime.time({}, {}", time.hour, time.minute);
    push_repr_tail(&mut text, time);
    text
}

/// Seconds, microseconds, fold and zone, as far as `repr` shows them.
pub fn push_repr_tail(text: &mut String, time: &TimeOfDay) {
    if time.second != 0 || time.microsecond != 0 {
        *text += &format!(", {}", time.second);
    }
    if time.microsecond != 0 {
        *text += &format!(", {}", time.microsecond);
    }
    if time.fold {
        *text += ", fold=1";
    }
    if let Some(known) = &time.zone {
        *text += &format!(", tzinfo={}", zone::repr(known));
    }
    text.push(')');
}

pub fn display(cx: &mut Context, time: &TimeOfDay) -> Eval<String> {
    let mut text = clock_text(cx, time, &None)?;
    if let Some(local) = local(cx, time)? {
        text += &zone::offset_text(local.offset_us, ":");
    }
    Ok(text)
}
