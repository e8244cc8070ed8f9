//! `datetime.timezone` and `zoneinfo.ZoneInfo`. Named zones come from the database that is compiled into the program, never
//! from the machine: the same instance gives the same answers everywhere.
//!
//! That database leaves out what some systems add to theirs: zones that differ only before 1970 are one, and summer time
//! is never negative, so `dst()` of Europe/Dublin is an hour in July, not minus one in January.

use std::sync::{Arc, LazyLock};

use jiff::Timestamp;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone, TimeZoneDatabase};
use waymark_ir::{Date, DateTime, Zone};

use super::arguments::{self, Kind, bind, parameter, wrong_receiver};
use super::calendar::{ORDINAL_EPOCH, ordinal};
use super::datetime;
use super::delta::{self, DAY_US, SECOND_US};
use crate::context::{Context, Eval, Fault};
use crate::python::{Args, Methods};
use crate::types::TypeId;
use crate::value::Value;

static DATABASE: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

pub const METHODS: Methods = &[("utcoffset", utcoffset), ("dst", dst), ("tzname", tzname), ("fromutc", fromutc)];

/// Whether the constructors would make such a zone.
pub fn is_valid(zone: &Zone) -> bool {
    match zone {
        Zone::Fixed { offset_us, .. } => (1 - DAY_US..DAY_US).contains(offset_us),
        Zone::Named(key) => lookup(key).is_some(),
    }
}

/// `timezone(offset, name)`
pub fn construct_fixed(cx: &mut Context, args: Args<'_>) -> Eval {
    let parameters = [parameter("offset", Kind::Delta), parameter("name", Kind::Str)];
    let [offset, name] = bind(cx, args, "timezone", &parameters, 1)?;
    let Some(Value::Delta(offset)) = offset else { return Err(cx.type_error("timezone() needs an offset")) };
    let name = match name {
        Some(Value::Str(text)) => Some(text.to_string()),
        _ => None,
    };
    fixed(cx, offset.microseconds, name).map(|zone| Value::Zone(zone.into()))
}

pub fn fixed(cx: &mut Context, offset_us: i128, name: Option<String>) -> Eval<Zone> {
    if offset_us.abs() >= i128::from(DAY_US) {
        let shown = delta::repr(offset_us);
        return Err(cx.value_error(format!(
            "offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24), not {shown}."
        )));
    }
    Ok(Zone::Fixed { offset_us: offset_us as i64, name })
}

/// `ZoneInfo(key)`
pub fn construct_named(cx: &mut Context, args: Args<'_>) -> Eval {
    let [key] = bind(cx, args, "", &[parameter("key", Kind::Any)], 1)?;
    let key = match key {
        Some(Value::Str(key)) => key,
        other => {
            let name = cx.type_name(&other.unwrap_or_default());
            return Err(cx.type_error(format!("expected str, bytes or os.PathLike object, not {name}")));
        }
    };
    if key.starts_with('/') {
        return Err(cx.value_error(format!("ZoneInfo keys may not be absolute paths, got: {key}")));
    }
    let mut parts = key.split('/');
    let plain = &*key == "." || &*key == ".." || key.starts_with("../");
    if !plain && parts.any(|part| part.is_empty() || part == "." || part == "..") {
        return Err(cx.value_error(format!("ZoneInfo keys must be normalized relative paths, got: {key}")));
    }
    if plain {
        return Err(cx.value_error(format!("ZoneInfo keys must refer to subdirectories of TZPATH, got: {key}")));
    }
    named(cx, &key)?;
    Ok(Value::Zone(Zone::Named(key.to_string()).into()))
}

fn named(cx: &mut Context, key: &str) -> Eval<TimeZone> {
    lookup(key).ok_or_else(|| cx.raise(TypeId::ZONE_NOT_FOUND, format!("No time zone found with key {key}")))
}

fn lookup(key: &str) -> Option<TimeZone> {
    // Python's keys are names of files: their case matters.
    DATABASE.get(key).ok().filter(|found| found.iana_name() == Some(key))
}

/// What a zone says of one wall-clock time.
pub struct Local {
    pub offset_us: i64,
    pub name: String,
}

/// `None`: the zone can't tell without a date (`at` is absent for a time of day).
pub fn local(cx: &mut Context, zone: &Zone, at: Option<&DateTime>) -> Eval<Option<Local>> {
    let key = match zone {
        Zone::Fixed { offset_us, .. } => {
            return Ok(Some(Local { offset_us: *offset_us, name: display(zone) }));
        }
        Zone::Named(key) => key,
    };
    let found = named(cx, key)?;
    Ok(instant(&found, at).map(|instant| {
        let info = found.to_offset_info(instant);
        let offset_us = i64::from(info.offset().seconds()) * SECOND_US;
        Local { offset_us, name: info.abbreviation().to_string() }
    }))
}

/// How far the clock is from standard time. `None`: the zone can't tell; a fixed one never can.
pub fn saving(cx: &mut Context, zone: &Zone, at: Option<&DateTime>) -> Eval<Option<i64>> {
    let Zone::Named(key) = zone else { return Ok(None) };
    let found = named(cx, key)?;
    Ok(instant(&found, at).map(|instant| {
        let info = found.to_offset_info(instant);
        if info.dst().is_dst() { summer_saving(&found, info.offset(), info.abbreviation()) * SECOND_US } else { 0 }
    }))
}

/// An instant at which the rules hold that apply to a wall-clock time.
fn instant(found: &TimeZone, at: Option<&DateTime>) -> Option<Timestamp> {
    let Some(at) = at else {
        let unchanging = found.following(Timestamp::MIN).next().is_none();
        return unchanging.then(|| timestamp(0));
    };
    let (before, after) = offsets(found, at);
    let (chosen, other) = if at.time.fold { (after, before) } else { (before, after) };
    // A time that the clocks skip exists on neither side; its other reading lies on the side that was chosen.
    Some(timestamp(wall_second(at) - if after > before { other } else { chosen }))
}

/// The offset alone; cheaper than [`local`].
pub fn offset(cx: &mut Context, zone: &Zone, at: &DateTime) -> Eval<i64> {
    match zone {
        Zone::Fixed { offset_us, .. } => Ok(*offset_us),
        Zone::Named(key) => {
            let found = named(cx, key)?;
            let (before, after) = offsets(&found, at);
            Ok(if at.time.fold { after } else { before } * SECOND_US)
        }
    }
}

/// Whether the offset depends on `fold`: the wall-clock time is one that clocks skip or repeat.
pub fn ambiguous(cx: &mut Context, zone: &Zone, at: &DateTime) -> Eval<bool> {
    match zone {
        Zone::Fixed { .. } => Ok(false),
        Zone::Named(key) => {
            let found = named(cx, key)?;
            let (before, after) = offsets(&found, at);
            Ok(before != after)
        }
    }
}

/// The wall-clock time of an instant, which is given as microseconds since the day before 0001-01-01 in UTC.
pub fn from_utc(cx: &mut Context, zone: &Zone, utc_us: i64) -> Eval<DateTime> {
    let key = match zone {
        Zone::Fixed { offset_us, .. } => return datetime::from_wall(cx, utc_us + offset_us, Some(zone.clone())),
        Zone::Named(key) => key,
    };
    let found = named(cx, key)?;
    let instant = utc_us.div_euclid(SECOND_US) - ORDINAL_EPOCH * 86_400;
    let offset = i64::from(found.to_offset(timestamp(instant)).seconds());
    let mut local = datetime::from_wall(cx, utc_us + offset * SECOND_US, Some(zone.clone()))?;
    let (before, after) = offsets(&found, &local);
    local.time.fold = before > after && offset == after;
    Ok(local)
}

/// Seconds since 1970 as if the wall clock showed UTC.
fn wall_second(at: &DateTime) -> i64 {
    let time = &at.time;
    let days = ordinal(at.date) - ORDINAL_EPOCH;
    days * 86_400 + i64::from(time.hour) * 3_600 + i64::from(time.minute) * 60 + i64::from(time.second)
}

/// The nearest instant that the database can be asked about; zones do not change at the edges.
fn timestamp(second: i64) -> Timestamp {
    let held = second.clamp(Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
    Timestamp::from_second(held).unwrap_or_default()
}

/// Offsets in seconds for `fold=0` and `fold=1`.
fn offsets(found: &TimeZone, at: &DateTime) -> (i64, i64) {
    let Date { year, month, day } = at.date;
    let time = &at.time;
    let civil = jiff::civil::DateTime::new(
        year as i16,
        month as i8,
        day as i8,
        time.hour as i8,
        time.minute as i8,
        time.second as i8,
        0,
    );
    let seconds = |offset: Offset| i64::from(offset.seconds());
    match civil.map(|civil| found.to_ambiguous_timestamp(civil).offset()) {
        Ok(AmbiguousOffset::Unambiguous { offset }) => (seconds(offset), seconds(offset)),
        Ok(AmbiguousOffset::Gap { before, after } | AmbiguousOffset::Fold { before, after }) => {
            (seconds(before), seconds(after))
        }
        Err(_) => (0, 0),
    }
}

/// How far summer time is from standard time, in seconds. The database says only *that* it is summer time, so, like Python, take
/// the difference to a neighbouring period of standard time, the first time that this kind of summer time occurs.
fn summer_saving(found: &TimeZone, offset: Offset, abbreviation: &str) -> i64 {
    const HORIZON: i64 = 4_102_444_800; // 2100: later periods only repeat
    let mut transitions = found.following(Timestamp::MIN).peekable();
    let mut previous: Option<(bool, Offset)> = None;
    while let Some(transition) = transitions.next() {
        if transition.timestamp().as_second() > HORIZON {
            break;
        }
        let summer = transition.dst().is_dst();
        if summer && transition.offset() == offset && transition.abbreviation() == abbreviation {
            let standard_before = previous.filter(|(summer, _)| !summer).map(|(_, before)| before);
            let standard_after = transitions.peek().filter(|next| !next.dst().is_dst()).map(|next| next.offset());
            let differs = |standard: &Offset| *standard != offset;
            let standard = standard_before.filter(differs).or(standard_after.filter(differs));
            if let (true, Some(standard)) = (previous.is_some(), standard) {
                return i64::from(offset.seconds()) - i64::from(standard.seconds());
            }
        }
        previous = Some((summer, transition.offset()));
    }
    3_600
}

fn fixed_name(offset_us: i64) -> String {
    if offset_us == 0 { "UTC".to_string() } else { format!("UTC{}", offset_text(offset_us, ":")) }
}

/// `+01:00`, with seconds and microseconds where there are any.
pub fn offset_text(offset_us: i64, separator: &str) -> String {
    let sign = if offset_us < 0 { '-' } else { '+' };
    let size = offset_us.abs();
    let (seconds, rest) = (size / SECOND_US, size % SECOND_US);
    let mut text = format!("{sign}{:02}{separator}{:02}", seconds / 3_600, seconds / 60 % 60);
    if seconds % 60 != 0 || rest != 0 {
        text += &format!("{separator}{:02}", seconds % 60);
    }
    if rest != 0 {
        text += &format!(".{rest:06}");
    }
    text
}

pub fn repr(zone: &Zone) -> String {
    match zone {
        Zone::Fixed { offset_us: 0, name: None } => "datetime.timezone.utc".to_string(),
        Zone::Fixed { offset_us, name } => {
            let offset = delta::repr(i128::from(*offset_us));
            match name {
                Some(name) => format!("datetime.timezone({offset}, {})", crate::python::repr::str_repr(name)),
                None => format!("datetime.timezone({offset})"),
            }
        }
        Zone::Named(key) => format!("zoneinfo.ZoneInfo(key={})", crate::python::repr::str_repr(key)),
    }
}

pub fn display(zone: &Zone) -> String {
    match zone {
        Zone::Fixed { name: Some(name), .. } => name.clone(),
        Zone::Fixed { offset_us, name: None } => fixed_name(*offset_us),
        Zone::Named(key) => key.clone(),
    }
}

pub fn attribute(zone: &Zone, name: &str) -> Option<Value> {
    match (zone, name) {
        (Zone::Named(key), "key") => Some(Value::from(key.as_str())),
        (Zone::Fixed { .. }, "utc") => Some(Value::Zone(Zone::UTC.into())),
        (Zone::Fixed { .. }, "min") => Some(Value::Zone(fixed_minutes(-1_439).into())),
        (Zone::Fixed { .. }, "max") => Some(Value::Zone(fixed_minutes(1_439).into())),
        _ => None,
    }
}

pub fn fixed_minutes(minutes: i64) -> Zone {
    Zone::Fixed { offset_us: minutes * 60 * SECOND_US, name: None }
}

/// The receiver, and the time that it is asked about.
fn asked(cx: &mut Context, receiver: &Value, args: Args<'_>, method: &str) -> Eval<(Zone, Option<Arc<DateTime>>)> {
    let zone = receiver_zone(cx, receiver)?;
    let named = matches!(zone, Zone::Named(_));
    let class = if named { "ZoneInfo" } else { "timezone" };
    match arguments::one(cx, args, &format!("{class}.{method}"), "one")? {
        Value::None => Ok((zone, None)),
        Value::DateTime(at) => Ok((zone, Some(at))),
        // ZoneInfo reads attributes of whatever it is given.
        Value::Ref(_) if named => Err(Fault::Worker),
        other if named => {
            let name = cx.type_name(&other);
            Err(cx.raise(TypeId::ATTRIBUTE_ERROR, format!("'{name}' object has no attribute 'toordinal'")))
        }
        other => {
            let name = cx.type_name(&other);
            Err(cx.type_error(format!("{method}(dt) argument must be a datetime instance or None, not {name}")))
        }
    }
}

fn receiver_zone(cx: &mut Context, receiver: &Value) -> Eval<Zone> {
    match receiver {
        Value::Zone(zone) => Ok((**zone).clone()),
        _ => Err(wrong_receiver(cx, "datetime.tzinfo", receiver)),
    }
}

fn utcoffset(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let (zone, at) = asked(cx, receiver, args, "utcoffset")?;
    let local = local(cx, &zone, at.as_deref())?;
    Ok(local.map_or(Value::None, |local| Value::delta(local.offset_us.into())))
}

fn dst(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let (zone, at) = asked(cx, receiver, args, "dst")?;
    let saving_us = saving(cx, &zone, at.as_deref())?;
    Ok(saving_us.map_or(Value::None, |saving_us| Value::delta(saving_us.into())))
}

fn tzname(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let (zone, at) = asked(cx, receiver, args, "tzname")?;
    let local = local(cx, &zone, at.as_deref())?;
    Ok(local.map_or(Value::None, |local| Value::from(local.name)))
}

fn fromutc(cx: &mut Context, receiver: &Value, args: Args<'_>) -> Eval {
    let zone = receiver_zone(cx, receiver)?;
    let class = if matches!(zone, Zone::Named(_)) { "ZoneInfo" } else { "timezone" };
    let at = arguments::one(cx, args, &format!("{class}.fromutc"), "one")?;
    let Value::DateTime(at) = at else { return Err(cx.type_error("fromutc: argument must be a datetime")) };
    if at.time.zone.as_ref() != Some(&zone) {
        return Err(cx.value_error("fromutc: dt.tzinfo is not self"));
    }
    from_utc(cx, &zone, datetime::wall(&at)).map(|result| Value::DateTime(result.into()))
}
