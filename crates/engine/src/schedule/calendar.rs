//! The due times of a schedule.
//!
//! A cron pattern is read in the local time of its zone. Where clocks go forward, a pattern that names one time of the day (one hour, minute
//! and second), which does not exist that day, is due at the first moment after the gap; any other is not due in the gap. Where clocks go
//! back, one time of the day is due once, the first time; the others each time. Intervals are lengths of time, and don't know clocks.

use croner::parser::{CronParser, Seconds, Year};
use croner::{Cron, JobType};
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{SignedDuration, Timestamp as Instant};
use sha2::{Digest, Sha256};
use uuid::Uuid;
use waymark_store::Timestamp;

use super::{Definition, When};

const SECOND_US: i64 = 1_000_000;
/// The last day of the year 9999 and a bit: what databases and languages agree on.
const LAST_US: i64 = 253_402_300_799_999_999;

pub struct Calendar {
    rule: Rule,
    start_at_us: i64,
    end_at_us: i64,
    jitter_us: i64,
}

enum Rule {
    Cron { cron: Box<Cron>, zone: TimeZone },
    Interval { every_us: i64, anchor_us: i64 },
}

impl Calendar {
    /// The problem is one that a person can act on.
    pub fn new(definition: &Definition) -> Result<Calendar, String> {
        let rule = match &definition.when {
            When::Cron { pattern, zone } => Rule::Cron { cron: Box::new(parse(pattern)?), zone: find_zone(zone)? },
            When::Interval { every_us, anchor_us } => {
                if *every_us < SECOND_US {
                    return Err(
                        "an interval must have a second at least\nhint: for what runs all the time, loop in a workflow"
                            .into(),
                    );
                }
                Rule::Interval { every_us: *every_us, anchor_us: *anchor_us }
            }
        };
        let start_at_us = definition.start_at_us.unwrap_or(0);
        let end_at_us = definition.end_at_us.unwrap_or(LAST_US).min(LAST_US);
        if end_at_us < start_at_us {
            return Err("the schedule ends before it starts\nhint: give an end after the start".into());
        }
        if definition.jitter_us < 0 || definition.catch_up_us < 0 || definition.timeout_us.is_some_and(|us| us <= 0) {
            return Err("jitter, catch-up window and timeout are lengths of time: none may be negative".into());
        }
        Ok(Calendar { rule, start_at_us, end_at_us, jitter_us: definition.jitter_us })
    }

    /// The first due time after this one.
    pub fn next_after(&self, after: Timestamp) -> Option<Timestamp> {
        let after_us = after.0.max(self.start_at_us.saturating_sub(1));
        if after_us >= self.end_at_us {
            return None;
        }
        let next_us = match &self.rule {
            Rule::Interval { every_us, anchor_us } => {
                let steps = after_us.checked_sub(*anchor_us)?.div_euclid(*every_us) + 1;
                anchor_us.checked_add(steps.checked_mul(*every_us)?)?
            }
            Rule::Cron { cron, zone } => {
                // Due times are whole seconds.
                let from = Instant::from_second(after_us.div_euclid(SECOND_US)).ok()?;
                let next = match cron.determine_job_type() {
                    JobType::FixedTime => next_fixed(cron, zone, from),
                    JobType::IntervalWildcard => next_of_several(cron, zone, from),
                };
                next?.as_second() * SECOND_US
            }
        };
        (next_us <= self.end_at_us).then_some(Timestamp(next_us))
    }

    /// When the run of a due time starts. The same for everybody who asks.
    pub fn runs_at(&self, schedule_id: Uuid, due: Timestamp) -> Timestamp {
        if self.jitter_us == 0 {
            return due;
        }
        let mut digest = Sha256::new();
        digest.update(b"jitter\0");
        digest.update(schedule_id.as_bytes());
        digest.update(due.0.to_be_bytes());
        let bytes = digest.finalize();
        let drawn = u64::from_be_bytes(std::array::from_fn(|at| bytes[at]));
        let late_us = drawn % (self.jitter_us.unsigned_abs() + 1);
        Timestamp(due.0.saturating_add(late_us.cast_signed()))
    }

    /// Due times after one, as many as wanted.
    pub fn upcoming(&self, after: Timestamp, count: usize) -> Vec<Timestamp> {
        std::iter::successors(self.next_after(after), |due| self.next_after(*due)).take(count).collect()
    }
}

/// Local times are found as if clocks never changed; what they come to is decided here.
fn next_local(cron: &Cron, from: DateTime, is_inclusive: bool) -> Option<DateTime> {
    let from = from.to_zoned(TimeZone::UTC).ok()?;
    Some(cron.find_next_occurrence(&from, is_inclusive).ok()?.datetime())
}

/// One time of the day: each day it is found, it has one moment.
fn next_fixed(cron: &Cron, zone: &TimeZone, after: Instant) -> Option<Instant> {
    // A gap moves what is in it: the longest there ever was had a day.
    let mut local = zone.to_datetime(after).checked_sub(SignedDuration::from_hours(25)).ok()?;
    loop {
        local = next_local(cron, local, false)?;
        let ambiguous = zone.to_ambiguous_timestamp(local);
        let at = match ambiguous.offset() {
            AmbiguousOffset::Unambiguous { offset } | AmbiguousOffset::Fold { before: offset, .. } => {
                offset.to_timestamp(local).ok()?
            }
            // When clocks were changed: at this time of the clocks before, or earlier.
            AmbiguousOffset::Gap { before, .. } => {
                let within = before.to_timestamp(local).ok()?.checked_add(SignedDuration::from_secs(1)).ok()?;
                zone.preceding(within).next()?.timestamp()
            }
        };
        if at > after {
            return Some(at);
        }
    }
}

/// Several times of the day: whenever clocks show one of them. Between two changes they don't jump.
fn next_of_several(cron: &Cron, zone: &TimeZone, after: Instant) -> Option<Instant> {
    let (mut from, mut is_inclusive) = (after, false);
    loop {
        let offset = zone.to_offset(from);
        let at = offset.to_timestamp(next_local(cron, offset.to_datetime(from), is_inclusive)?).ok()?;
        match zone.following(from).next() {
            Some(change) if change.timestamp() <= at => (from, is_inclusive) = (change.timestamp(), true),
            _ => return Some(at),
        }
    }
}

fn parse(pattern: &str) -> Result<Cron, String> {
    let parser = CronParser::builder().seconds(Seconds::Optional).year(Year::Disallowed).build();
    let cron = parser.parse(pattern.trim()).map_err(|error| {
        format!(
            "`{pattern}` is no cron pattern: {error}\nhint: five fields are minute, hour, day of month, month and day of week, \
             as in `30 2 * * MON-FRI`; six have seconds first"
        )
    })?;
    Ok(cron)
}

fn find_zone(name: &str) -> Result<TimeZone, String> {
    TimeZone::get(name).map_err(|_| {
        format!("`{name}` is no time zone\nhint: use a name of the IANA database, as `Europe/Berlin` or `UTC`")
    })
}

#[cfg(test)]
#[path = "calendar_tests.rs"]
mod tests;
