//! `datetime.strptime` in the C locale.
//!
//! A format is a sequence of literals, white space and fields. Fields try their readings in a fixed order and the whole
//! backtracks, remembering dead ends, so that the work stays within the product of the lengths.

use std::collections::HashSet;

use waymark_ir::{DateTime, Zone};

use super::calendar::{checked_date, is_leap, ordinal, weekday};
use super::strftime::{MONTHS, WEEKDAYS};
use super::{date, timeofday, zone};
use crate::context::{Context, Eval, Fault};
use crate::python::repr::str_repr;

enum Element {
    Literal(char),
    Space,
    Field(char),
}

pub fn parse(cx: &mut Context, text: &str, format: &str) -> Eval<DateTime> {
    // Python reads the digits of all scripts; not worth tables of our own.
    if text.chars().any(|character| !character.is_ascii() && character.is_numeric()) {
        return Err(Fault::Worker);
    }
    let mut elements = Vec::new();
    read_format(cx, format, format, &mut elements)?;
    let characters: Vec<char> = text.chars().collect();
    cx.charge(elements.len().saturating_mul(characters.len() / 16 + 1))?;
    let Some(ends) = find(&elements, &characters) else {
        let (text, format) = (str_repr(text), str_repr(format));
        return Err(cx.value_error(format!("time data {text} does not match format {format}")));
    };
    let end = ends.last().copied().unwrap_or(0);
    if end < characters.len() {
        let rest: String = characters[end..].iter().collect();
        return Err(cx.value_error(format!("unconverted data remains: {rest}")));
    }
    let mut fields = Fields::default();
    let mut start = 0;
    for (element, end) in elements.iter().zip(ends) {
        if let Element::Field(letter) = element {
            fields.read(cx, *letter, characters[start..end].iter().collect())?;
        }
        start = end;
    }
    fields.finish(cx)
}

fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\x1c'..='\x1f').contains(&character)
}

/// `whole` is the user's format, for messages; `%c` and the like read formats of their own.
fn read_format(cx: &mut Context, whole: &str, format: &str, elements: &mut Vec<Element>) -> Eval<()> {
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        if is_space(character) {
            if !matches!(elements.last(), Some(Element::Space)) {
                elements.push(Element::Space);
            }
            continue;
        }
        if character != '%' {
            elements.push(Element::Literal(character));
            continue;
        }
        match characters.next() {
            None => return Err(cx.value_error(format!("stray % in format '{whole}'"))),
            Some('%') => elements.push(Element::Literal('%')),
            Some('c') => read_format(cx, whole, "%a %b %d %H:%M:%S %Y", elements)?,
            Some('x') => read_format(cx, whole, "%m/%d/%y", elements)?,
            Some('X') => read_format(cx, whole, "%H:%M:%S", elements)?,
            Some(letter) if "dfHIGjmMSUWwuVyYzAaBbpZ".contains(letter) => {
                // Python's complaint about a repeated field is one of its regular expressions'.
                if elements.iter().any(|known| matches!(known, Element::Field(other) if *other == letter)) {
                    return Err(Fault::Worker);
                }
                elements.push(Element::Field(letter));
            }
            Some(letter) => {
                let special = is_space(letter) || "\\.^$*+?(){}[]|".contains(letter);
                let shown = if special { '%' } else { letter };
                return Err(cx.value_error(format!("'{shown}' is a bad directive in format '{whole}'")));
            }
        }
    }
    Ok(())
}

/// The end of each element in the first way in which all of them match from the start.
fn find(elements: &[Element], text: &[char]) -> Option<Vec<usize>> {
    let mut dead: HashSet<(usize, usize)> = HashSet::new();
    let mut ends: Vec<usize> = Vec::new();
    // For each element so far: the ends that are still to be tried, best last.
    let mut choices: Vec<Vec<usize>> = Vec::new();
    loop {
        let (at, start) = (ends.len(), ends.last().copied().unwrap_or(0));
        if at == elements.len() {
            return Some(ends);
        }
        let mut options = if dead.contains(&(at, start)) { Vec::new() } else { readings(&elements[at], text, start) };
        options.reverse();
        choices.push(options);
        loop {
            let place = choices.len().checked_sub(1)?;
            ends.truncate(place);
            match choices[place].pop() {
                Some(end) => {
                    ends.push(end);
                    break;
                }
                None => {
                    dead.insert((place, ends.last().copied().unwrap_or(0)));
                    choices.pop();
                }
            }
        }
    }
}

/// Where the element may end, best first.
fn readings(element: &Element, text: &[char], start: usize) -> Vec<usize> {
    let rest = &text[start..];
    let lengths: Vec<usize> = match element {
        Element::Literal(literal) => {
            let same = rest.first().is_some_and(|found| found.to_lowercase().eq(literal.to_lowercase()));
            if same { vec![1] } else { Vec::new() }
        }
        Element::Space => {
            let count = rest.iter().take_while(|found| is_space(**found)).count();
            (1..=count).rev().collect()
        }
        Element::Field(letter) => match letter {
            'A' => names(&WEEKDAYS, rest, usize::MAX),
            'a' => names(&WEEKDAYS, rest, 3),
            'B' => names(&MONTHS, rest, usize::MAX),
            'b' => names(&MONTHS, rest, 3),
            'p' => names(&["AM", "PM"], rest, 2),
            'Z' => names(&["UTC", "GMT"], rest, 3),
            'z' => offsets(rest),
            'f' => {
                let count = rest.iter().take(6).take_while(|found| found.is_ascii_digit()).count();
                (1..=count).rev().collect()
            }
            _ => {
                let fits = |shape: &&&str| shape_matches(shape, rest);
                shapes(*letter).iter().filter(fits).map(|shape| shape.len() / 2).collect()
            }
        },
    };
    lengths.into_iter().map(|length| start + length).collect()
}

/// The digits that a field may have: two characters for each, its least and its greatest.
fn shapes(letter: char) -> &'static [&'static str] {
    match letter {
        'd' => &["3301", "1209", "0019", "19", "  19"],
        'H' => &["2203", "0109", "09"],
        'I' | 'm' => &["1102", "0019", "19"],
        'j' => &["336606", "330509", "120909", "001909", "000019", "1909", "0019", "19"],
        'M' => &["0509", "09"],
        'S' => &["6601", "0509", "09"],
        'U' | 'W' => &["5503", "0409", "09"],
        'V' => &["5503", "0019", "1409", "09"],
        'w' => &["06"],
        'u' => &["17"],
        'y' => &["0909"],
        _ => &["09090909"],
    }
}

fn shape_matches(shape: &str, text: &[char]) -> bool {
    let ranges = shape.as_bytes().chunks(2);
    text.len() >= ranges.len()
        && ranges.zip(text).all(|(range, found)| (char::from(range[0])..=char::from(range[1])).contains(found))
}

fn names(known: &[&str], text: &[char], length_max: usize) -> Vec<usize> {
    let begins = |name: &str| {
        text.len() >= name.len() && name.chars().zip(text).all(|(own, found)| own.eq_ignore_ascii_case(found))
    };
    known.iter().map(|name| &name[..name.len().min(length_max)]).filter(|name| begins(name)).map(str::len).collect()
}

/// `+HH[:]MM[[:]SS[.ffffff]]` or `Z`.
fn offsets(text: &[char]) -> Vec<usize> {
    if text.first() == Some(&'Z') {
        return vec![1];
    }
    let digit = |at: usize, limit: char| text.get(at).is_some_and(|found| ('0'..=limit).contains(found));
    let colon = |at: usize| usize::from(text.get(at) == Some(&':'));
    if !matches!(text.first(), Some('+' | '-')) || !digit(1, '9') || !digit(2, '9') {
        return Vec::new();
    }
    let minutes = 3 + colon(3);
    if !digit(minutes, '5') || !digit(minutes + 1, '9') {
        return Vec::new();
    }
    let mut lengths = vec![minutes + 2];
    let seconds = minutes + 2 + colon(minutes + 2);
    if digit(seconds, '5') && digit(seconds + 1, '9') {
        lengths.push(seconds + 2);
        if text.get(seconds + 2) == Some(&'.') {
            let count = (0..6).take_while(|at| digit(seconds + 3 + at, '9')).count();
            lengths.extend((1..=count).map(|count| seconds + 3 + count));
        }
    }
    lengths.reverse();
    lengths
}

/// What was read, before the fields are weighed against each other.
#[derive(Default)]
struct Fields {
    year: Option<i64>,
    iso_year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    hour: i64,
    /// The hour is one of twelve.
    twelve: bool,
    afternoon: Option<bool>,
    minute: i64,
    second: i64,
    microsecond: i64,
    /// Monday is 0.
    weekday: Option<i64>,
    day_of_year: Option<i64>,
    /// The week's number, and whether weeks begin on Monday.
    week: Option<(i64, bool)>,
    iso_week: Option<i64>,
    offset_us: Option<i64>,
    zone_name: Option<String>,
}

impl Fields {
    fn read(&mut self, cx: &mut Context, letter: char, text: String) -> Eval<()> {
        let number = || text.trim().parse::<i64>().unwrap_or(0);
        let index = |known: &[&str]| {
            let same = |name: &&str| name.len() >= text.len() && name[..text.len()].eq_ignore_ascii_case(&text);
            known.iter().position(same).unwrap_or(0) as i64
        };
        match letter {
            'y' => self.year = Some(if number() <= 68 { 2000 + number() } else { 1900 + number() }),
            'Y' => self.year = Some(number()),
            'G' => self.iso_year = Some(number()),
            'm' => self.month = Some(number()),
            'B' | 'b' => self.month = Some(index(&MONTHS) + 1),
            'd' => self.day = Some(number()),
            'H' | 'I' => (self.hour, self.twelve) = (number(), letter == 'I'),
            'p' => self.afternoon = Some(text.eq_ignore_ascii_case("pm")),
            'M' => self.minute = number(),
            'S' => self.second = number(),
            'f' => self.microsecond = number() * 10_i64.pow(6 - text.len().min(6) as u32),
            'A' | 'a' => self.weekday = Some(index(&WEEKDAYS)),
            'w' => self.weekday = Some((number() + 6) % 7),
            'u' => self.weekday = Some(number() - 1),
            'j' => self.day_of_year = Some(number()),
            'U' | 'W' => self.week = Some((number(), letter == 'W')),
            'V' => self.iso_week = Some(number()),
            'z' => self.offset_us = Some(read_offset(cx, &text)?),
            'Z' => self.zone_name = Some(text),
            _ => {}
        }
        Ok(())
    }

    fn finish(self, cx: &mut Context) -> Eval<DateTime> {
        self.check_weeks(cx)?;
        let (month, day) = (self.month.unwrap_or(1), self.day.unwrap_or(1));
        let leap_day = self.year.is_none() && (month, day) == (2, 29);
        // Without a year a 29th of February has none to lie in: it is refused below, when 1900 gets it.
        let mut year = self.year.unwrap_or(if leap_day { 1904 } else { 1900 });
        let mut day_of_year = self.day_of_year;
        if let (None, Some(of_week)) = (day_of_year, self.weekday) {
            if let Some((week, from_monday)) = self.week {
                day_of_year = Some(day_in_week(cx, year, week, of_week, from_monday)?);
            } else if let (Some(iso_year), Some(iso_week)) = (self.iso_year, self.iso_week) {
                let fourth = weekday(checked_date(cx, iso_year, 1, 4)?) + 1;
                year = iso_year;
                day_of_year = Some(iso_week * 7 + of_week + 1 - (fourth + 3));
            }
            if let Some(number) = day_of_year.filter(|number| *number <= 0) {
                year -= 1;
                day_of_year = Some(number + if is_leap(year) { 366 } else { 365 });
            }
        }
        let (mut year, month, day) = match day_of_year {
            None => {
                checked_date(cx, year, month, day)?;
                (year, month, day)
            }
            Some(number) => {
                let first = ordinal(checked_date(cx, year, 1, 1)?);
                let found = date::from_ordinal(cx, first + number - 1)?;
                (found.year.into(), found.month.into(), found.day.into())
            }
        };
        if leap_day {
            year = 1900;
        }
        let hour = match (self.twelve, self.afternoon) {
            (false, _) => self.hour,
            (true, Some(true)) => self.hour % 12 + 12,
            (true, _) => self.hour % 12,
        };
        let date = checked_date(cx, year, month, day)?;
        let mut time = timeofday::checked(cx, [hour, self.minute, self.second, self.microsecond], 0)?;
        time.zone = match (self.offset_us, self.zone_name) {
            (None, _) => None,
            (Some(0), None) => Some(Zone::UTC),
            (Some(offset_us), name) => Some(zone::fixed(cx, offset_us.into(), name)?),
        };
        Ok(DateTime { date, time })
    }

    fn check_weeks(&self, cx: &mut Context) -> Eval<()> {
        const WEEKDAY: &str = "and a weekday directive ('%A', '%a', '%w', or '%u').";
        let text = if self.year.is_none() && self.iso_year.is_some() {
            if self.iso_week.is_none() || self.weekday.is_none() {
                format!("ISO year directive '%G' must be used with the ISO week directive '%V' {WEEKDAY}")
            } else if self.day_of_year.is_some() {
                "Day of the year directive '%j' is not compatible with ISO year directive '%G'. Use '%Y' instead."
                    .to_string()
            } else {
                return Ok(());
            }
        } else if self.week.is_none() && self.iso_week.is_some() {
            if self.weekday.is_none() {
                format!("ISO week directive '%V' must be used with the ISO year directive '%G' {WEEKDAY}")
            } else {
                "ISO week directive '%V' is incompatible with the year directive '%Y'. Use the ISO year '%G' instead."
                    .to_string()
            }
        } else {
            return Ok(());
        };
        Err(cx.value_error(text))
    }
}

/// The day of the year of a weekday in a numbered week; days before the first full week are in week 0.
fn day_in_week(cx: &mut Context, year: i64, week: i64, of_week: i64, from_monday: bool) -> Eval<i64> {
    let shift = i64::from(!from_monday);
    let first = (weekday(checked_date(cx, year, 1, 1)?) + shift) % 7;
    let of_week = (of_week + shift) % 7;
    Ok(match week {
        0 => 1 + of_week - first,
        _ => 1 + (7 - first) % 7 + 7 * (week - 1) + of_week,
    })
}

fn read_offset(cx: &mut Context, text: &str) -> Eval<i64> {
    if text == "Z" {
        return Ok(0);
    }
    let colons = text.matches(':').count();
    let seconds_given = text.split('.').next().unwrap_or_default().replace(':', "").len() > 5;
    if text.as_bytes().get(3) == Some(&b':') {
        if seconds_given && colons == 1 {
            return Err(cx.value_error(format!("Inconsistent use of : in {text}")));
        }
    } else if colons > 0 {
        // Python stumbles over the colon in a way of its own.
        return Err(Fault::Worker);
    }
    let plain = text.replace(':', "");
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let part = |at: usize| whole.get(at..at + 2).and_then(|digits| digits.parse::<i64>().ok()).unwrap_or(0);
    let microseconds = format!("{fraction:0<6}").parse::<i64>().unwrap_or(0);
    let size = (part(1) * 3_600 + part(3) * 60 + part(5)) * 1_000_000 + microseconds;
    Ok(if text.starts_with('-') { -size } else { size })
}
