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

/// In UTC, to the second.
pub fn shown_second(microseconds: i64) -> String {
    Timestamp::from_microsecond(microseconds).map_or_else(|_| "-".into(), |at| format!("{at:.0}"))
}

/// How long something took, as exactly as people want to know.
pub fn shown_took(microseconds: i64) -> String {
    let us = microseconds.max(0);
    match us / 1_000_000 {
        0 => format!("{}ms", us / 1_000),
        1..60 => format!("{:.1}s", us as f64 / 1e6),
        _ => shown_length(us / 1_000_000 * 1_000_000),
    }
}

/// A time, or how long ago it was: microseconds since 1970.
pub fn moment(text: &str) -> Result<i64, String> {
    match (time(text), length(text)) {
        (Ok(at), _) => Ok(at),
        (Err(_), Ok(ago)) => Ok(now_us() - ago),
        (Err(wanted), Err(_)) => Err(format!("{wanted}; or how long ago it was, as 90m or 24h")),
    }
}

pub fn now_us() -> i64 {
    Timestamp::now().as_microsecond()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_times_or_ages() {
        assert_eq!(moment("1970-01-01T00:00:01Z"), Ok(1_000_000));
        let at = moment("90m").expect("a length");
        let ago = now_us() - at;
        assert!((5_400_000_000..5_410_000_000).contains(&ago), "{ago}");
        assert!(moment("yesterday").is_err());
    }

    #[test]
    fn what_it_took_is_told_as_exactly_as_it_matters() {
        for (us, text) in
            [(-5, "0ms"), (1_500, "1ms"), (1_540_000, "1.5s"), (61_900_000, "1m 1s"), (7_200_000_000, "2h")]
        {
            assert_eq!(shown_took(us), text);
        }
    }
}
