//! `fromisoformat` of dates, times and both, in the wide grammar that Python has had since 3.11.
//!
//! Readers work on bytes and see 0 past the end, so that no case needs its own bounds check.

use std::sync::Arc;

use waymark_ir::{Date, TimeOfDay, Zone};

use super::arguments;
use super::calendar::{checked_date, from_iso_calendar, from_ordinal_wide};
use super::delta::SECOND_US;
use super::{timeofday, zone};
use crate::context::{Context, Eval, Fault};
use crate::python::Args;
use crate::value::Value;

pub fn text_argument(cx: &mut Context, args: Args<'_>, function: &str) -> Eval<Arc<str>> {
    match arguments::one(cx, args, function, "one")? {
        Value::Str(text) => Ok(text),
        _ => Err(cx.type_error("fromisoformat: argument must be str")),
    }
}

pub fn invalid(cx: &mut Context, text: &str) -> Fault {
    let shown = crate::python::repr::str_repr(text);
    cx.value_error(format!("Invalid isoformat string: {shown}"))
}

fn byte(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(0)
}

fn digits(text: &[u8], at: usize, count: usize) -> Option<i64> {
    let found = text.get(at..at + count)?;
    found.iter().try_fold(0, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + i64::from(digit - b'0')))
}

/// Year, month and day as written; their ranges are not checked yet.
pub fn parse_date(text: &[u8]) -> Option<(i64, i64, i64)> {
    let year = digits(text, 0, 4)?;
    let dashed = byte(text, 4) == b'-';
    let mut at = if dashed { 5 } else { 4 };
    if byte(text, at) == b'W' {
        let week = digits(text, at + 1, 2)?;
        at += 3;
        let mut day = 1;
        if at < text.len() {
            if dashed {
                if byte(text, at) != b'-' {
                    return None;
                }
                at += 1;
            }
            day = digits(text, at, 1)?;
        }
        let (year, month, day) = from_iso_calendar(year, week, day).ok().map(from_ordinal_wide)?;
        return Some((year, month.into(), day.into()));
    }
    let month = digits(text, at, 2)?;
    at += 2;
    if dashed {
        if byte(text, at) != b'-' {
            return None;
        }
        at += 1;
    }
    let day = digits(text, at, 2)?;
    (at + 2 == text.len()).then_some((year, month, day))
}

/// `datetime.date.fromisoformat`, after the argument was read.
pub fn date(cx: &mut Context, text: &str) -> Eval<Date> {
    let parsed = match text.len() {
        7 | 8 | 10 => parse_date(text.as_bytes()),
        _ => None,
    };
    match parsed {
        Some((year, month, day)) => checked_date(cx, year, month, day),
        None => Err(invalid(cx, text)),
    }
}

pub struct ParsedTime {
    clock: [i64; 4],
    offset_us: Option<i64>,
}

/// `HH[:MM[:SS[.ffffff]]][Z|±HH[:MM[:SS[.ffffff]]]]`, with or without colons.
pub fn parse_time(text: &[u8]) -> Option<ParsedTime> {
    let end = text.len();
    let signed = |byte: &u8| matches!(byte, b'+' | b'-' | b'Z');
    let mark = text.iter().position(signed).unwrap_or(end);
    let (clock, rest) = parse_clock(text, 0, mark)?;
    if mark == end {
        return (!rest).then_some(ParsedTime { clock, offset_us: None });
    }
    if text[mark] == b'Z' {
        return (mark + 1 == end).then_some(ParsedTime { clock, offset_us: Some(0) });
    }
    let ([hour, minute, second, microsecond], rest) = parse_clock(text, mark + 1, end)?;
    if rest {
        return None;
    }
    let size = (hour * 3_600 + minute * 60 + second) * SECOND_US + microsecond;
    let offset_us = if text[mark] == b'-' { -size } else { size };
    Some(ParsedTime { clock, offset_us: Some(offset_us) })
}

/// Hour, minute, second and microsecond, and whether something stood behind them.
fn parse_clock(text: &[u8], start: usize, end: usize) -> Option<([i64; 4], bool)> {
    let mut clock = [0; 4];
    let mut at = start;
    let mut colons = true;
    for (place, number) in clock.iter_mut().take(3).enumerate() {
        *number = digits(text, at, 2)?;
        at += 2;
        let next = byte(text, at);
        at += 1;
        if place == 0 {
            colons = next == b':';
        }
        if at >= end {
            return Some((clock, next != 0));
        }
        match next {
            b':' if colons => continue,
            b'.' | b',' => break,
            _ if !colons => at -= 1,
            _ => return None,
        }
    }
    let kept = end.saturating_sub(at).min(6);
    if kept == 0 {
        return None;
    }
    clock[3] = digits(text, at, kept)? * 10_i64.pow(6 - kept as u32);
    at += kept;
    while byte(text, at).is_ascii_digit() {
        at += 1;
    }
    Some((clock, byte(text, at) != 0))
}

impl ParsedTime {
    pub fn zone(&self, cx: &mut Context) -> Eval<Option<Zone>> {
        match self.offset_us {
            None => Ok(None),
            Some(0) => Ok(Some(Zone::UTC)),
            Some(offset_us) => zone::fixed(cx, offset_us.into(), None).map(Some),
        }
    }

    /// Without the zone.
    pub fn clock(&self, cx: &mut Context) -> Eval<TimeOfDay> {
        timeofday::checked(cx, self.clock, 0)
    }
}

pub fn finish_time(cx: &mut Context, parsed: ParsedTime) -> Eval<TimeOfDay> {
    let zone = parsed.zone(cx)?;
    Ok(TimeOfDay { zone, ..parsed.clock(cx)? })
}

/// How many characters the date of a combined text takes; the character after them separates.
pub fn date_length(text: &[char]) -> Option<usize> {
    let length = text.len();
    if length < 7 {
        return None;
    }
    if length == 7 {
        return Some(7);
    }
    let digit = |at: usize| text.get(at).is_some_and(char::is_ascii_digit);
    if text[4] == '-' {
        if text[5] != 'W' {
            return Some(10);
        }
        if length > 8 && text[8] == '-' {
            return match length {
                9 => None,
                // Two digits after the dash are an hour, not a weekday.
                _ if length > 10 && digit(10) => Some(8),
                _ => Some(10),
            };
        }
        return Some(8);
    }
    if text[4] != 'W' {
        return Some(8);
    }
    let mut at = 7;
    while digit(at) {
        at += 1;
    }
    Some(match at {
        0..9 => at,
        _ if at % 2 == 0 => 7,
        _ => 8,
    })
}
