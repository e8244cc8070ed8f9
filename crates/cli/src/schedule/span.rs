//! Times and lengths of time, as people write and read them.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// Microseconds since 1970.
pub fn time(text: &str) -> Result<i64, String> {
    let at: Timestamp =
        text.parse().map_err(|_| "a time with its zone, as 2026-01-31T02:30:00Z or 2026-01-31T02:30:00+01:00")?;
    Ok(at.as_microsecond())
}

/// Microseconds.
pub fn length(text: &str) -> Result<i64, String> {
    let length: SignedDuration =
        text.parse().map_err(|_| "a length of time, as 30s, 5m, 1h30m or 2d written as 48h")?;
    i64::try_from(length.as_micros()).map_err(|_| "a shorter time".into())
}

pub fn shown_length(microseconds: i64) -> String {
    format!("{:#}", SignedDuration::from_micros(microseconds))
}

/// In UTC.
pub fn shown_time(microseconds: i64) -> String {
    Timestamp::from_microsecond(microseconds).map_or_else(|_| microseconds.to_string(), |at| at.to_string())
}

/// In the local time of a zone, where that is known here.
pub fn shown_local(microseconds: i64, zone: &str) -> String {
    match (Timestamp::from_microsecond(microseconds), TimeZone::get(zone)) {
        (Ok(at), Ok(known)) if zone != "UTC" => {
            let local = at.to_zoned(known);
            format!("{}{} {zone}", local.datetime(), local.offset())
        }
        _ => shown_time(microseconds),
    }
}
