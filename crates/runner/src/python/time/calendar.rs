//! The proleptic Gregorian calendar: dates as ordinals (day 1 is 0001-01-01), weekdays and ISO weeks. Pure arithmetic.

use waymark_ir::Date;

use crate::context::{Context, Eval};
use crate::types::TypeId;

/// The ordinal of 9999-12-31.
pub const ORDINAL_MAX: i64 = 3_652_059;
/// The ordinal of 1970-01-01.
pub const ORDINAL_EPOCH: i64 = 719_163;

pub const DATE_MIN: Date = Date { year: 1, month: 1, day: 1 };
pub const DATE_MAX: Date = Date { year: 9999, month: 12, day: 31 };

pub fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

pub fn days_in_month(year: i64, month: u8) -> u8 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Checks what a constructor was given, in the order in which Python complains.
pub fn checked_date(cx: &mut Context, year: i64, month: i64, day: i64) -> Eval<Date> {
    if !(1..=9999).contains(&year) {
        return Err(cx.value_error(format!("year {year} is out of range")));
    }
    if !(1..=12).contains(&month) {
        return Err(cx.value_error("month must be in 1..12"));
    }
    if day < 1 || day > i64::from(days_in_month(year, month as u8)) {
        return Err(cx.value_error("day is out of range for month"));
    }
    Ok(Date { year: year as i32, month: month as u8, day: day as u8 })
}

/// Days before the first of January of a year of 1 and up.
fn days_before_year(year: i64) -> i64 {
    let past = year - 1;
    past * 365 + past.div_euclid(4) - past.div_euclid(100) + past.div_euclid(400)
}

pub fn day_of_year(date: Date) -> i64 {
    let year = i64::from(date.year);
    (1..date.month).map(|month| i64::from(days_in_month(year, month))).sum::<i64>() + i64::from(date.day)
}

pub fn ordinal(date: Date) -> i64 {
    days_before_year(i64::from(date.year)) + day_of_year(date)
}

/// Year, month and day of any ordinal, also of years that Python does not have (messages name them).
pub fn from_ordinal_wide(ordinal: i64) -> (i64, u8, u8) {
    let days = ordinal - 1;
    let cycles = days.div_euclid(146_097);
    let mut rest = days.rem_euclid(146_097);
    // The last day of a leap cycle would count as a fifth century (or year) of its own.
    let centuries = (rest / 36_524).min(3);
    rest -= centuries * 36_524;
    let fours = rest / 1_461;
    rest -= fours * 1_461;
    let years = (rest / 365).min(3);
    rest -= years * 365;
    let year = cycles * 400 + centuries * 100 + fours * 4 + years + 1;
    let mut month = 1;
    while rest >= i64::from(days_in_month(year, month)) {
        rest -= i64::from(days_in_month(year, month));
        month += 1;
    }
    (year, month, rest as u8 + 1)
}

pub fn from_ordinal(ordinal: i64) -> Option<Date> {
    if !(1..=ORDINAL_MAX).contains(&ordinal) {
        return None;
    }
    let (year, month, day) = from_ordinal_wide(ordinal);
    Some(Date { year: year as i32, month, day })
}

/// The result of date arithmetic.
pub fn date_in_range(cx: &mut Context, ordinal: i64) -> Eval<Date> {
    from_ordinal(ordinal).ok_or_else(|| cx.raise(TypeId::OVERFLOW_ERROR, "date value out of range"))
}

/// Monday is 0.
pub fn weekday(date: Date) -> i64 {
    (ordinal(date) + 6).rem_euclid(7)
}

/// The ordinal of the Monday of a year's first ISO week.
fn iso_week_one(year: i64) -> i64 {
    let first = days_before_year(year) + 1;
    let weekday = (first + 6).rem_euclid(7);
    let monday = first - weekday;
    // The first week is the one that has the year's first Thursday.
    if weekday > 3 { monday + 7 } else { monday }
}

/// ISO year, week and weekday (Monday is 1).
pub fn iso_calendar(date: Date) -> (i64, i64, i64) {
    let day = ordinal(date);
    let mut year = i64::from(date.year);
    if day < iso_week_one(year) {
        year -= 1;
    } else if day >= iso_week_one(year + 1) {
        year += 1;
    }
    let since = day - iso_week_one(year);
    (year, since / 7 + 1, since % 7 + 1)
}

/// Why an ISO date names no day.
pub enum IsoProblem {
    Year,
    Week,
    Day,
}

/// The ordinal of an ISO date; it may lie in the year 10000.
pub fn from_iso_calendar(year: i64, week: i64, day: i64) -> Result<i64, IsoProblem> {
    if !(1..=9999).contains(&year) {
        return Err(IsoProblem::Year);
    }
    let weeks = (iso_week_one(year + 1) - iso_week_one(year)) / 7;
    if week < 1 || week > weeks {
        return Err(IsoProblem::Week);
    }
    if !(1..=7).contains(&day) {
        return Err(IsoProblem::Day);
    }
    Ok(iso_week_one(year) + (week - 1) * 7 + day - 1)
}
