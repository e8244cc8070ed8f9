//! `datetime.date`, and what `datetime.datetime` inherits from it.

use waymark_ir::{BinaryOp, Date, DateTime};

use super::arguments::{self, Kind, bind, clamped, int_or, parameter, wrong_receiver};
use super::calendar::{
    self, DATE_MAX, DATE_MIN, IsoProblem, ORDINAL_EPOCH, checked_date, date_in_range, from_ordinal_wide, ordinal,
};
use super::delta::DAY_US;
use super::{instant, iso, strftime, timeofday};
use crate::context::{Context, Eval, Fault};
use crate::python::{Args, Methods};
use crate::value::Value;

pub const METHODS: Methods = &[
    ("replace", replace),
    ("isoformat", isoformat),
    ("strftime", strftime_method),
    ("weekday", weekday),
    ("isoweekday", isoweekday),
    ("isocalendar", isocalendar),
    ("toordinal", toordinal),
    ("ctime", ctime),
    ("timetuple", timetuple),
];

/// `date(year, month, day)`
pub fn construct(cx: &mut Context, args: Args<'_>) -> Eval {
    let parameters = [parameter("year", Kind::Int), parameter("month", Kind::Int), parameter("day", Kind::Int)];
    let [year, month, day] = bind(cx, args, "", &parameters, 3)?;
    checked_date(cx, int_or(&year, 0), int_or(&month, 0), int_or(&day, 0)).map(Value::Date)
}

/// `datetime.date.today`: event time, in UTC.
pub fn today(cx: &mut Context, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "date.today")?;
    let days = cx.tell_time().div_euclid(DAY_US);
    day_since_epoch(cx, days).map(Value::Date)
}

fn day_since_epoch(cx: &mut Context, days: i64) -> Eval<Date> {
    let (year, month, day) = from_ordinal_wide(days + ORDINAL_EPOCH);
    checked_date(cx, year, month.into(), day.into())
}

pub fn fromtimestamp(cx: &mut Context, args: Args<'_>) -> Eval {
    let value = arguments::one(cx, args, "date.fromtimestamp", "one")?;
    let second = instant::timestamp_seconds(cx, &value)?;
    instant::check_platform_year(cx, second)?;
    day_since_epoch(cx, second.div_euclid(86_400)).map(Value::Date)
}

pub fn fromisoformat(cx: &mut Context, args: Args<'_>) -> Eval {
    let text = iso::text_argument(cx, args, "date.fromisoformat")?;
    iso::date(cx, &text).map(Value::Date)
}

pub fn fromordinal(cx: &mut Context, args: Args<'_>) -> Eval {
    ordinal_argument(cx, args).map(Value::Date)
}

pub fn ordinal_argument(cx: &mut Context, args: Args<'_>) -> Eval<Date> {
    let value = arguments::one(cx, args, "fromordinal", "1")?;
    let number = arguments::c_int(cx, &value)?;
    from_ordinal(cx, number)
}

pub fn from_ordinal(cx: &mut Context, number: i64) -> Eval<Date> {
    if number < 1 {
        return Err(cx.value_error("ordinal must be >= 1"));
    }
    let (year, month, day) = from_ordinal_wide(number);
    checked_date(cx, year, month.into(), day.into())
}

pub fn fromisocalendar(cx: &mut Context, args: Args<'_>) -> Eval {
    iso_arguments(cx, args).map(Value::Date)
}

pub fn iso_arguments(cx: &mut Context, args: Args<'_>) -> Eval<Date> {
    let parameters = [parameter("year", Kind::Any), parameter("week", Kind::Any), parameter("day", Kind::Any)];
    let bound = bind(cx, args, "fromisocalendar", &parameters, 3)?;
    let mut numbers = [0; 3];
    for (number, value) in numbers.iter_mut().zip(bound) {
        *number = clamped(cx, &value.unwrap_or_default())?;
        if i32::try_from(*number).is_err() {
            return Err(cx.value_error("ISO calendar component out of range"));
        }
    }
    let [year, week, day] = numbers;
    match calendar::from_iso_calendar(year, week, day) {
        Ok(number) => from_ordinal(cx, number),
        Err(IsoProblem::Year) => Err(cx.value_error(format!("Year is out of range: {year}"))),
        Err(IsoProblem::Week) => Err(cx.value_error(format!("Invalid week: {week}"))),
        Err(IsoProblem::Day) => Err(cx.value_error(format!("Invalid day: {day} (range is [1, 7])"))),
    }
}

pub fn attribute(date: Date, name: &str) -> Option<Value> {
    Some(match name {
        "year" => Value::Int(date.year.into()),
        "month" => Value::Int(date.month.into()),
        "day" => Value::Int(date.day.into()),
        "min" => Value::Date(DATE_MIN),
        "max" => Value::Date(DATE_MAX),
        "resolution" => Value::delta(DAY_US.into()),
        _ => return None,
    })
}

fn receiver_date(cx: &mut Context, receiver: &Value) -> Eval<Date> {
    match receiver {
        Value::Date(date) => Ok(*date),
        Value::DateTime(at) => Ok(at.date),
        _ => Err(wrong_receiver(cx, "datetime.date", receiver)),
    }
}

fn replace(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let date = receiver_date(cx, receiver)?;
    let parameters = [parameter("year", Kind::Int), parameter("month", Kind::Int), parameter("day", Kind::Int)];
    let [year, month, day] = bind(cx, args, "replace", &parameters, 0)?;
    let numbers = (int_or(&year, date.year.into()), int_or(&month, date.month.into()), int_or(&day, date.day.into()));
    checked_date(cx, numbers.0, numbers.1, numbers.2).map(Value::Date)
}

fn isoformat(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "date.isoformat")?;
    receiver_date(cx, receiver).map(|date| Value::from(display(date)))
}

fn strftime_method(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let date = receiver_date(cx, receiver)?;
    let format = strftime::format_argument(cx, args)?;
    strftime::format(cx, &at_midnight(date), None, &format).map(Value::from)
}

pub fn at_midnight(date: Date) -> DateTime {
    DateTime { date, time: timeofday::MIDNIGHT }
}

pub fn weekday(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "date.weekday")?;
    receiver_date(cx, receiver).map(|date| Value::Int(calendar::weekday(date)))
}

pub fn isoweekday(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "date.isoweekday")?;
    receiver_date(cx, receiver).map(|date| Value::Int(calendar::weekday(date) + 1))
}

/// A plain tuple, where Python's has names too.
pub fn isocalendar(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "date.isocalendar")?;
    let (year, week, day) = calendar::iso_calendar(receiver_date(cx, receiver)?);
    Ok(cx.tuple(vec![Value::Int(year), Value::Int(week), Value::Int(day)]))
}

pub fn toordinal(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "date.toordinal")?;
    receiver_date(cx, receiver).map(|date| Value::Int(ordinal(date)))
}

fn ctime(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    arguments::none(cx, args, "date.ctime")?;
    receiver_date(cx, receiver).map(|date| Value::from(strftime::ctime(&at_midnight(date))))
}

/// A `struct_time` is none of the runner's values.
pub fn timetuple(_cx: &mut Context, _receiver: &Value, _args: Args<'_>) -> Eval {
    Err(Fault::Worker)
}

/// `date ± delta` and `date - date`. The part of a delta below a day does not count.
pub fn binary(cx: &mut Context, op: BinaryOp, left: &Value, right: &Value) -> Eval<Option<Value>> {
    let days = |microseconds: i128| microseconds.div_euclid(DAY_US.into()) as i64;
    let number = match (op, left, right) {
        (BinaryOp::Add, Value::Date(date), Value::Delta(delta))
        | (BinaryOp::Add, Value::Delta(delta), Value::Date(date)) => ordinal(*date) + days(delta.microseconds),
        (BinaryOp::Subtract, Value::Date(date), Value::Delta(delta)) => ordinal(*date) - days(delta.microseconds),
        (BinaryOp::Subtract, Value::Date(left), Value::Date(right)) => {
            let apart = ordinal(*left) - ordinal(*right);
            return Ok(Some(Value::delta(i128::from(apart) * i128::from(DAY_US))));
        }
        _ => return Ok(None),
    };
    date_in_range(cx, number).map(|date| Some(Value::Date(date)))
}

pub fn repr(date: Date) -> String {
    format!("datetime.date({}, {}, {})", date.year, date.month, date.day)
}

pub fn display(date: Date) -> String {
    format!("{:04}-{:02}-{:02}", date.year, date.month, date.day)
}
