//! `strftime` in the C locale, with the flags, widths and extensions of glibc that Python on Linux lets through.

use std::sync::Arc;

use waymark_ir::DateTime;

use super::arguments::{Kind, bind, parameter};
use super::calendar::{ORDINAL_EPOCH, day_of_year, iso_calendar, ordinal, weekday};
use super::zone::{self, Local};
use crate::context::{Context, Eval};
use crate::python::Args;
use crate::value::Value;

pub const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

pub fn format_argument(cx: &mut Context, args: Args<'_>) -> Eval<Arc<str>> {
    match bind(cx, args, "strftime", &[parameter("format", Kind::Str)], 1)? {
        [Some(Value::Str(text))] => Ok(text),
        _ => Ok("".into()),
    }
}

/// `Mon Jan  1 15:04:05 2024`
pub fn ctime(at: &DateTime) -> String {
    let (date, time) = (at.date, &at.time);
    format!(
        "{} {} {:2} {:02}:{:02}:{:02} {:04}",
        &WEEKDAYS[weekday(date) as usize][..3],
        &MONTHS[usize::from(date.month) - 1][..3],
        date.day,
        time.hour,
        time.minute,
        time.second,
        date.year
    )
}

pub fn format(cx: &mut Context, at: &DateTime, local: Option<&Local>, format: &str) -> Eval<String> {
    cx.charge(format.len() / 8)?;
    let mut text = String::new();
    // C's strftime knows no length: a NUL ends the format.
    let mut rest = format.split('\0').next().unwrap_or_default();
    while let Some(start) = rest.find('%') {
        text += &rest[..start];
        let directive = Directive::read(&rest[start..]);
        rest = &rest[start + directive.length..];
        if directive.width > 0 || text.len() > cx.limits.value_bytes_max {
            cx.check_size(text.len().max(directive.width))?;
        }
        directive.write(&mut text, at, local);
    }
    text += rest;
    Ok(text)
}

/// `%`, flags, a width, a modifier, and the letter that says what to print.
struct Directive<'a> {
    source: &'a str,
    length: usize,
    pad: Option<char>,
    upper: bool,
    swap: bool,
    width: usize,
    letter: char,
}

impl<'a> Directive<'a> {
    fn read(source: &'a str) -> Directive<'a> {
        let bytes = source.as_bytes();
        let (mut pad, mut upper, mut swap, mut width) = (None, false, false, 0usize);
        let mut at = 1;
        while let Some(flag) = bytes.get(at) {
            match flag {
                b'_' | b'-' | b'0' => pad = Some(char::from(*flag)),
                b'^' => upper = true,
                b'#' => swap = true,
                _ => break,
            }
            at += 1;
        }
        while let Some(digit) = bytes.get(at).filter(|digit| digit.is_ascii_digit()) {
            width = width.saturating_mul(10).saturating_add(usize::from(digit - b'0')).min(1 << 40);
            at += 1;
        }
        if matches!(bytes.get(at), Some(b'E' | b'O')) {
            at += 1;
        }
        let letter = source[at..].chars().next();
        let length = at + letter.map_or(0, char::len_utf8);
        Directive { source: &source[..length], length, pad, upper, swap, width, letter: letter.unwrap_or('\0') }
    }

    fn write(&self, text: &mut String, at: &DateTime, local: Option<&Local>) {
        let (date, time) = (at.date, &at.time);
        let (year, day) = (i64::from(date.year), day_of_year(date));
        let (hour, minute, second) = (i64::from(time.hour), i64::from(time.minute), i64::from(time.second));
        let (week_year, week, _) = iso_calendar(date);
        let monday_based = weekday(date);
        let sunday_based = (monday_based + 1) % 7;
        let hour12 = (hour + 11) % 12 + 1;
        let weekday_name = WEEKDAYS[monday_based as usize];
        let month_name = MONTHS[usize::from(date.month) - 1];
        let half = if hour < 12 { "AM" } else { "PM" };
        match self.letter {
            'a' => self.name(text, &weekday_name[..3]),
            'A' => self.name(text, weekday_name),
            'b' | 'h' => self.name(text, &month_name[..3]),
            'B' => self.name(text, month_name),
            'p' if self.swap => self.string(text, &half.to_lowercase()),
            'p' => self.string(text, half),
            'P' => Directive { upper: false, ..*self }.string(text, &half.to_lowercase()),
            'd' => self.number(text, date.day.into(), 2, '0'),
            'e' => self.number(text, date.day.into(), 2, '_'),
            'm' => self.number(text, date.month.into(), 2, '0'),
            'y' => self.number(text, year % 100, 2, '0'),
            'Y' => self.number(text, year, 1, '0'),
            'C' => self.number(text, year / 100, 1, '0'),
            'H' => self.number(text, hour, 2, '0'),
            'k' => self.number(text, hour, 2, '_'),
            'I' => self.number(text, hour12, 2, '0'),
            'l' => self.number(text, hour12, 2, '_'),
            'M' => self.number(text, minute, 2, '0'),
            'S' => self.number(text, second, 2, '0'),
            'j' => self.number(text, day, 3, '0'),
            'u' => self.number(text, monday_based + 1, 1, '0'),
            'w' => self.number(text, sunday_based, 1, '0'),
            'U' => self.number(text, (day + 6 - sunday_based) / 7, 2, '0'),
            'W' => self.number(text, (day + 6 - monday_based) / 7, 2, '0'),
            'G' => self.number(text, week_year, 1, '0'),
            'g' => self.number(text, week_year.rem_euclid(100), 2, '0'),
            'V' => self.number(text, week, 2, '0'),
            's' => {
                let days = ordinal(date) - ORDINAL_EPOCH;
                let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second;
                self.string(text, &seconds.to_string());
            }
            // Python's own, without flags.
            'f' if self.source == "%f" => *text += &format!("{:06}", time.microsecond),
            'z' if self.source == "%z" => {
                *text += &local.map_or(String::new(), |local| zone::offset_text(local.offset_us, ""));
            }
            'Z' if self.source == "%Z" => *text += local.map_or("", |local| &local.name),
            'z' => self.string(text, "+0000"),
            'Z' => self.string(text, ""),
            'c' => self.string(text, &ctime_unpadded(at)),
            'x' | 'D' => self.string(text, &format!("{:02}/{:02}/{:02}", date.month, date.day, year % 100)),
            'X' | 'T' => self.string(text, &format!("{hour:02}:{minute:02}:{second:02}")),
            'F' => self.string(text, &format!("{year}-{:02}-{:02}", date.month, date.day)),
            'r' => self.string(text, &format!("{hour12:02}:{minute:02}:{second:02} {half}")),
            'R' => self.string(text, &format!("{hour:02}:{minute:02}")),
            'n' => self.string(text, "\n"),
            't' => self.string(text, "\t"),
            '%' => self.string(text, "%"),
            _ => *text += self.source,
        }
    }

    /// `#` makes names upper case, as `^` does.
    fn name(&self, text: &mut String, name: &str) {
        match self.swap {
            true => self.string(text, &name.to_uppercase()),
            false => self.string(text, name),
        }
    }

    fn string(&self, text: &mut String, string: &str) {
        let pad = if self.pad == Some('0') { '0' } else { ' ' };
        text.extend(std::iter::repeat_n(pad, self.width.saturating_sub(string.chars().count())));
        match self.upper {
            true => *text += &string.to_uppercase(),
            false => *text += string,
        }
    }

    fn number(&self, text: &mut String, number: i64, digits: usize, pad: char) {
        let pad = self.pad.unwrap_or(pad);
        let shown = number.unsigned_abs().to_string();
        let sign = if number < 0 { "-" } else { "" };
        let size = if pad == '-' { self.width } else { self.width.max(digits) };
        let missing = size.saturating_sub(shown.len() + sign.len());
        if pad == '0' {
            *text += sign;
            text.extend(std::iter::repeat_n('0', missing));
        } else {
            text.extend(std::iter::repeat_n(' ', missing));
            *text += sign;
        }
        *text += &shown;
    }
}

/// C prints early years without leading zeros.
fn ctime_unpadded(at: &DateTime) -> String {
    let padded = ctime(at);
    let (head, _) = padded.split_at(20);
    format!("{head}{}", at.date.year)
}
