//! Dates, times and durations, and their ISO text. Arithmetic on them is the runner's.

use super::ParseError;
use std::fmt::{Display, Formatter, Result as Written};
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Date {
    /// 1 to 9999
    pub year: i32,
    /// 1 to 12
    pub month: u8,
    /// 1 to 31
    pub day: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TimeOfDay {
    pub hour: u8,
    pub minute: u8,
    pub second: u8,
    pub microsecond: u32,
    /// The second of two equal wall-clock times when clocks go back.
    pub fold: bool,
    pub zone: Option<Zone>,
}

/// A date and a time of day; `time.zone` absent means naive.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DateTime {
    pub date: Date,
    pub time: TimeOfDay,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Zone {
    /// `timezone(offset, name)`; `timezone.utc` is offset 0 without a name.
    Fixed { offset_us: i64, name: Option<String> },
    /// `ZoneInfo(name)`
    Named(String),
}

impl Zone {
    pub const UTC: Zone = Zone::Fixed { offset_us: 0, name: None };
}

/// A `timedelta`, in microseconds: Python's own range is within ±10^15 s, so `i128` never overflows in a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Delta {
    pub microseconds: i128,
}

const DAY_US: i64 = 86_400_000_000;

impl Date {
    /// None where there is no such day.
    pub fn new(year: i32, month: u8, day: u8) -> Option<Date> {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 => 28 + u8::from(leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        ((1..=9999).contains(&year) && (1..=days).contains(&day)).then_some(Date { year, month, day })
    }
}

impl TimeOfDay {
    /// Whether every part is in its range.
    pub fn is_valid(&self) -> bool {
        let zone = match &self.zone {
            Some(Zone::Fixed { offset_us, .. }) => offset_us.checked_abs().is_some_and(|offset| offset < DAY_US),
            Some(Zone::Named(name)) => !name.is_empty(),
            None => true,
        };
        zone && self.hour < 24 && self.minute < 60 && self.second < 60 && self.microsecond < 1_000_000
    }
}

impl Delta {
    /// The longest `timedelta` in days, either way.
    pub const MAX_DAYS: i64 = 999_999_999;

    /// As Python keeps it: days of either sign, then seconds and microseconds that are not negative.
    pub fn parts(self) -> (i128, u32, u32) {
        let within = self.microseconds.rem_euclid(DAY_US as i128);
        (self.microseconds.div_euclid(DAY_US as i128), (within / 1_000_000) as u32, (within % 1_000_000) as u32)
    }

    /// None outside Python's range.
    pub fn from_parts(days: i64, seconds: u32, microseconds: u32) -> Option<Delta> {
        let days = (-Self::MAX_DAYS..=Self::MAX_DAYS).contains(&days).then_some(i128::from(days))?;
        let within = i128::from(seconds) * 1_000_000 + i128::from(microseconds);
        (within < DAY_US as i128).then_some(Delta { microseconds: days * DAY_US as i128 + within })
    }
}

// ------------------------------------------------------------------------------------------------------- printing

/// `2026-03-29`
impl Display for Date {
    fn fmt(&self, out: &mut Formatter<'_>) -> Written {
        write!(out, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// `02:30:00.000001+01:00`: Python's `isoformat()`. What that leaves out stands in brackets behind it: a named zone
/// `[Europe/Berlin]` (without an offset), the name of a fixed offset `[=CET]`, and `[fold]`.
impl Display for TimeOfDay {
    fn fmt(&self, out: &mut Formatter<'_>) -> Written {
        write!(out, "{:02}:{:02}:{:02}", self.hour, self.minute, self.second)?;
        if self.microsecond != 0 {
            write!(out, ".{:06}", self.microsecond)?;
        }
        match &self.zone {
            None => {}
            Some(Zone::Named(name)) => write!(out, "[{name}]")?,
            Some(Zone::Fixed { offset_us, name }) => {
                let sign = if *offset_us < 0 { '-' } else { '+' };
                let offset = offset_us.unsigned_abs();
                let (seconds, fraction) = (offset / 1_000_000, offset % 1_000_000);
                write!(out, "{sign}{:02}:{:02}", seconds / 3600, seconds / 60 % 60)?;
                if seconds % 60 != 0 || fraction != 0 {
                    write!(out, ":{:02}", seconds % 60)?;
                }
                if fraction != 0 {
                    write!(out, ".{fraction:06}")?;
                }
                if let Some(name) = name {
                    write!(out, "[={name}]")?;
                }
            }
        }
        if self.fold { out.write_str("[fold]") } else { Ok(()) }
    }
}

/// `2026-03-29T02:30:00+01:00`
impl Display for DateTime {
    fn fmt(&self, out: &mut Formatter<'_>) -> Written {
        write!(out, "{}T{}", self.date, self.time)
    }
}

/// Seconds, as few digits as are exact: `90`, `-0.5`.
impl Display for Delta {
    fn fmt(&self, out: &mut Formatter<'_>) -> Written {
        let sign = if self.microseconds < 0 { "-" } else { "" };
        let microseconds = self.microseconds.unsigned_abs();
        write!(out, "{sign}{}", microseconds / 1_000_000)?;
        match microseconds % 1_000_000 {
            0 => Ok(()),
            fraction => write!(out, ".{}", format!("{fraction:06}").trim_end_matches('0')),
        }
    }
}

// -------------------------------------------------------------------------------------------------------- parsing

impl FromStr for Date {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Date, ParseError> {
        let mut rest = text;
        date(&mut rest).filter(|_| rest.is_empty()).ok_or_else(|| ParseError::new("a date (YYYY-MM-DD)", text))
    }
}

/// Reads what `Display` writes, also without seconds and with `Z`.
impl FromStr for TimeOfDay {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<TimeOfDay, ParseError> {
        time(text).ok_or_else(|| ParseError::new("a time (HH:MM:SS)", text))
    }
}

/// Reads what `Display` writes; a blank may stand for the `T`, and a date alone means its midnight.
impl FromStr for DateTime {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<DateTime, ParseError> {
        let parse = || {
            let mut rest = text;
            let date = date(&mut rest)?;
            let clock = if rest.is_empty() { "00:00" } else { rest.strip_prefix(['T', 't', ' '])? };
            Some(DateTime { date, time: time(clock)? })
        };
        parse().ok_or_else(|| ParseError::new("a date and time (YYYY-MM-DDTHH:MM:SS)", text))
    }
}

impl FromStr for Delta {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Delta, ParseError> {
        let parse = || {
            let (negative, digits) = match text.strip_prefix('-') {
                Some(rest) => (true, rest),
                None => (false, text),
            };
            let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
            let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            if !all_digits(whole) || !all_digits(fraction) || whole.len() > 15 || fraction.len() > 6 {
                return None;
            }
            let whole: i128 = whole.parse().ok()?;
            let fraction: i128 = format!("{fraction:0<6}").parse().ok()?;
            let microseconds = whole * 1_000_000 + fraction;
            let delta = Delta { microseconds: if negative { -microseconds } else { microseconds } };
            let (days, ..) = delta.parts();
            (days.abs() <= i128::from(Delta::MAX_DAYS)).then_some(delta)
        };
        parse().ok_or_else(|| ParseError::new("a duration in seconds", text))
    }
}

/// Takes exactly `count` digits off the front.
fn digits(rest: &mut &str, count: usize) -> Option<u32> {
    let (head, tail) = rest.split_at_checked(count)?;
    let valid = head.bytes().all(|byte| byte.is_ascii_digit());
    *rest = tail;
    if valid { head.parse().ok() } else { None }
}

fn skip(rest: &mut &str, prefix: char) -> Option<()> {
    *rest = rest.strip_prefix(prefix)?;
    Some(())
}

fn date(rest: &mut &str) -> Option<Date> {
    let year = digits(rest, 4)?;
    skip(rest, '-')?;
    let month = digits(rest, 2)?;
    skip(rest, '-')?;
    Date::new(year as i32, month as u8, digits(rest, 2)? as u8)
}

/// Hours, minutes, and where they are written seconds and microseconds.
fn clock(rest: &mut &str) -> Option<[u32; 4]> {
    let hour = digits(rest, 2)?;
    skip(rest, ':')?;
    let mut parts = [hour, digits(rest, 2)?, 0, 0];
    if skip(rest, ':').is_some() {
        parts[2] = digits(rest, 2)?;
        if skip(rest, '.').is_some() {
            let count = rest.bytes().take_while(u8::is_ascii_digit).count().min(6);
            if count == 0 {
                return None;
            }
            parts[3] = digits(rest, count)? * 10u32.pow(6 - count as u32);
        }
    }
    Some(parts)
}

fn time(text: &str) -> Option<TimeOfDay> {
    let mut rest = text;
    let [hour, minute, second, microsecond] = clock(&mut rest)?;
    let mut zone = None;
    if let Some(after) = rest.strip_prefix(['Z', 'z']) {
        (rest, zone) = (after, Some(Zone::UTC));
    } else if let Some(after) = rest.strip_prefix(['+', '-']) {
        let negative = rest.starts_with('-');
        rest = after;
        let [hours, minutes, seconds, fraction] = clock(&mut rest)?.map(i64::from);
        if minutes > 59 || seconds > 59 {
            return None;
        }
        let offset = (hours * 3600 + minutes * 60 + seconds) * 1_000_000 + fraction;
        zone = Some(Zone::Fixed { offset_us: if negative { -offset } else { offset }, name: None });
    }
    let mut fold = false;
    if let Some(before) = rest.strip_suffix("[fold]") {
        (rest, fold) = (before, true);
    }
    if !rest.is_empty() {
        let inside = rest.strip_prefix('[')?.strip_suffix(']')?;
        zone = match (zone, inside.strip_prefix('=')) {
            (Some(Zone::Fixed { offset_us, .. }), Some(name)) => {
                Some(Zone::Fixed { offset_us, name: Some(name.to_string()) })
            }
            (None, None) => Some(Zone::Named(inside.to_string())),
            _ => return None,
        };
    }
    let time = TimeOfDay { hour: hour as u8, minute: minute as u8, second: second as u8, microsecond, fold, zone };
    time.is_valid().then_some(time)
}
