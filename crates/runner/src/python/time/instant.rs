//! Instants as wall-clock times: event time and timestamps, seen in a zone or, naive, in UTC.

use waymark_ir::DateTime;

use super::arguments::{self, Kind, bind, parameter, zone_or};
use super::calendar::{ORDINAL_EPOCH, checked_date, from_ordinal_wide};
use super::datetime::{EPOCH_US, check_local, value};
use super::delta::{DAY_US, SECOND_US};
use super::timeofday::at_microsecond;
use super::zone;
use crate::context::{Context, Eval};
use crate::python::Args;
use crate::types::TypeId;
use crate::value::Value;

/// `datetime.datetime.now(tz)`: event time; naive without a zone, and then UTC.
pub fn now(cx: &mut Context, args: Args<'_>) -> Eval {
    let [tz] = bind(cx, args, "now", &[parameter("tz", Kind::Zone)], 0)?;
    let now_us = cx.tell_time();
    at_instant(cx, now_us, &tz)
}

pub fn utcnow(cx: &mut Context, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "datetime.utcnow")?;
    let now_us = cx.tell_time();
    at_instant(cx, now_us, &None)
}

pub fn today(cx: &mut Context, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "datetime.today")?;
    let now_us = cx.tell_time();
    at_instant(cx, now_us, &None)
}

/// An instant in microseconds since 1970, seen in a zone.
fn at_instant(cx: &mut Context, instant_us: i64, tz: &Option<Value>) -> Eval {
    let (year, month, day) = from_ordinal_wide(instant_us.div_euclid(DAY_US) + ORDINAL_EPOCH);
    let date = checked_date(cx, year, month.into(), day.into())?;
    match zone_or(tz, None) {
        Some(zone) => zone::from_utc(cx, &zone, instant_us + EPOCH_US).map(value),
        None => Ok(value(DateTime { date, time: at_microsecond(instant_us.rem_euclid(DAY_US), None) })),
    }
}

pub fn fromtimestamp(cx: &mut Context, args: Args<'_>) -> Eval {
    let parameters = [parameter("timestamp", Kind::Any), parameter("tz", Kind::Any)];
    let [stamp, tz] = bind(cx, args, "fromtimestamp", &parameters, 1)?;
    if let Some(tz) = &tz {
        arguments::zone(cx, tz)?;
    }
    let instant_us = timestamp_microseconds(cx, &stamp.unwrap_or_default())?;
    let result = at_instant(cx, instant_us, &tz)?;
    if let Value::DateTime(at) = &result
        && at.time.zone.is_none()
    {
        check_local(cx, at)?;
    }
    Ok(result)
}

pub fn utcfromtimestamp(cx: &mut Context, args: Args<'_>) -> Eval {
    let stamp = arguments::one(cx, args, "utcfromtimestamp", "1")?;
    let instant_us = timestamp_microseconds(cx, &stamp)?;
    at_instant(cx, instant_us, &None)
}

/// A timestamp to the nearest microsecond, halves to the even one.
fn timestamp_microseconds(cx: &mut Context, stamp: &Value) -> Eval<i64> {
    let (mut second, mut rest) = match stamp {
        Value::Float(number) => (timestamp_seconds(cx, &Value::Float(number.trunc()))?, number.fract()),
        _ => (timestamp_seconds(cx, stamp)?, 0.0),
    };
    rest = (rest * 1e6).round_ties_even();
    if rest < 0.0 {
        second -= 1;
        rest += 1e6;
    }
    if rest >= 1e6 {
        second += 1;
        rest -= 1e6;
    }
    check_platform_year(cx, second)?;
    // Far out of range: the year is all that the message needs.
    let (year, ..) = from_ordinal_wide(second.div_euclid(86_400) + ORDINAL_EPOCH);
    if !(1..=9999).contains(&year) {
        return Err(cx.value_error(format!("year {year} is out of range")));
    }
    Ok(second * SECOND_US + rest as i64)
}

/// A timestamp's whole seconds, rounded down.
pub fn timestamp_seconds(cx: &mut Context, stamp: &Value) -> Eval<i64> {
    let limit = 2f64.powi(63);
    match stamp {
        Value::Float(number) if number.is_nan() => Err(cx.value_error("Invalid value NaN (not a number)")),
        Value::Float(number) if (-limit..limit).contains(&number.floor()) => Ok(number.floor() as i64),
        Value::Int(number) => Ok(*number),
        Value::Bool(flag) => Ok(i64::from(*flag)),
        Value::Float(_) | Value::Big(_) => {
            Err(cx.raise(TypeId::OVERFLOW_ERROR, "timestamp out of range for platform time_t"))
        }
        _ => Err(arguments::no_integer(cx, stamp)),
    }
}

/// The C library gives up where the year does not fit an `int`.
pub fn check_platform_year(cx: &mut Context, second: i64) -> Eval<()> {
    let (year, ..) = from_ordinal_wide(second.div_euclid(86_400) + ORDINAL_EPOCH);
    if i32::try_from(year - 1900).is_ok() {
        return Ok(());
    }
    let args = vec![Value::Int(75), Value::from("Value too large for defined data type")];
    Err(cx.raise_with(TypeId::OS_ERROR, args))
}
