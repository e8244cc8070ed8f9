//! Dates, times and zones as text, both ways: ISO 8601 with microseconds, offsets as Python prints them.

use crate::{Date, DateTime, TimeOfDay, Value, Zone};

const SECOND_US: i64 = 1_000_000;

pub(super) fn date(text: &str) -> Option<Date> {
    let mut parts = text.splitn(3, '-');
    let year = digits(parts.next()?, 4)?;
    let month = digits(parts.next()?, 2)?;
    let day = digits(parts.next()?, 2)?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    let real = year >= 1 && (1..=days).contains(&day);
    real.then_some(Date { year: year as i32, month: month as u8, day: day as u8 })
}

/// `03:04:05.000006+01:00`, or with a date and `T` before it.
pub(super) fn time_or_datetime(text: &str, with_date: bool) -> Option<Value> {
    if with_date {
        let (day, time) = text.split_once('T')?;
        return Some(Value::DateTime(DateTime { date: date(day)?, time: time_of_day(time)? }));
    }
    time_of_day(text).map(Value::Time)
}

fn time_of_day(text: &str) -> Option<TimeOfDay> {
    let (clock, zone) = match text.find(['+', '-']) {
        Some(sign) => {
            let microseconds = clock_us(&text[sign + 1..])?;
            let offset_us = if text[sign..].starts_with('-') { -microseconds } else { microseconds };
            (&text[..sign], Some(Zone::Fixed { offset_us, name: None }))
        }
        None => (text, None),
    };
    let microseconds = clock_us(clock)?;
    let seconds = microseconds / SECOND_US;
    Some(TimeOfDay {
        hour: (seconds / 3600) as u8,
        minute: (seconds / 60 % 60) as u8,
        second: (seconds % 60) as u8,
        microsecond: (microseconds % SECOND_US) as u32,
        fold: false,
        zone,
    })
}

/// `hh:mm[:ss[.ffffff]]` below 24 hours, in microseconds.
fn clock_us(text: &str) -> Option<i64> {
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, digits(fraction, 6)?),
        None => (text, 0),
    };
    let mut parts = whole.split(':');
    let hour = digits(parts.next()?, 2).filter(|hour| *hour < 24)?;
    let minute = digits(parts.next()?, 2).filter(|minute| *minute < 60)?;
    let second = match parts.next() {
        Some(second) => digits(second, 2).filter(|second| *second < 60)?,
        None => 0,
    };
    if parts.next().is_some() {
        return None;
    }
    Some(i64::from(hour * 3600 + minute * 60 + second) * SECOND_US + i64::from(fraction))
}

fn digits(text: &str, width: usize) -> Option<u32> {
    let whole = text.len() == width && text.bytes().all(|byte| byte.is_ascii_digit());
    if whole { text.parse().ok() } else { None }
}

// ------------------------------------------------------------------------------------------------------ printing

pub(super) fn print_date(date: &Date) -> String {
    format!("{:04}-{:02}-{:02}", date.year, date.month, date.day)
}

/// The clock, with its offset if that is fixed.
pub(super) fn print_time(time: &TimeOfDay) -> String {
    let mut text = format!("{:02}:{:02}:{:02}", time.hour, time.minute, time.second);
    if time.microsecond != 0 {
        text.push_str(&format!(".{:06}", time.microsecond));
    }
    if let Some(Zone::Fixed { offset_us, .. }) = &time.zone {
        let (sign, size) =
            if *offset_us < 0 { ('-', offset_us.unsigned_abs()) } else { ('+', offset_us.unsigned_abs()) };
        let (seconds, microseconds) = (size / SECOND_US as u64, size % SECOND_US as u64);
        text.push_str(&format!("{sign}{:02}:{:02}", seconds / 3600, seconds / 60 % 60));
        if !seconds.is_multiple_of(60) || microseconds != 0 {
            text.push_str(&format!(":{:02}", seconds % 60));
        }
        if microseconds != 0 {
            text.push_str(&format!(".{microseconds:06}"));
        }
    }
    text
}
