//! Schedules as they are stored, and the patterns and time zones that people write.

use uuid::Uuid;
use waymark_engine::schedule::{Definition, Overlap, When};
use waymark_store::Timestamp;

use crate::Verdict;

/// From which due times are asked for: long ago, changes of clocks, the end of time.
const MOMENTS: [i64; 7] =
    [i64::MIN, -1, 0, 1_711_846_799_000_000, 1_729_990_000_000_000, 253_402_300_700_000_000, i64::MAX];

pub fn check(bytes: &[u8]) -> Verdict {
    let Ok(definition) = Definition::decode(bytes) else { return Verdict::Refused };
    let encoded = definition.encode().expect("what was read is written");
    assert_eq!(Definition::decode(&encoded).as_ref(), Ok(&definition));
    check_definition(&definition)
}

pub fn check_cron(bytes: &[u8]) -> Verdict {
    let text = String::from_utf8_lossy(bytes);
    let (pattern, zone) = text.split_once('\n').unwrap_or((&text, "UTC"));
    check_definition(&definition(When::Cron { pattern: pattern.into(), zone: zone.into() }))
}

/// Due times come one after the other, within the bounds.
fn check_definition(definition: &Definition) -> Verdict {
    let Ok(calendar) = definition.calendar() else { return Verdict::Refused };
    for moment in MOMENTS {
        let mut last = moment;
        for due in calendar.upcoming(Timestamp(moment), 3) {
            assert!(due.0 > last, "{due:?} comes after {last}: {definition:?}");
            assert!(definition.start_at_us.is_none_or(|start| due.0 >= start), "{definition:?}");
            assert!(definition.end_at_us.is_none_or(|end| due.0 <= end), "{definition:?}");
            assert!(calendar.runs_at(Uuid::nil(), due) >= due, "{definition:?}");
            last = due.0;
        }
    }
    Verdict::Accepted
}

fn definition(when: When) -> Definition {
    Definition {
        when,
        start_at_us: None,
        end_at_us: None,
        jitter_us: 0,
        overlap: Overlap::Skip,
        catch_up_us: 60_000_000,
        inputs: vec![0x80],
        queue: "default".into(),
        priority: 3,
        tags: vec!["tag".into()],
        key: Some("key".into()),
        timeout_us: Some(1),
    }
}

const PATTERNS: &[&str] = &[
    "* * * * *",
    "30 2 * * MON-FRI",
    "*/5 0 2 * * *",
    "0 0 29 2 *",
    "0 0 L * *",
    "0 0 * * FRI#L",
    "0 0 15W * *",
    "59 23 31 12 *",
    "0 0 30 2 *",
    "@daily",
    "1-5,7,9-11/2 * * JAN,DEC SUN",
];

const ZONES: &[&str] =
    &["UTC", "Europe/Berlin", "Africa/Monrovia", "Pacific/Apia", "Australia/Lord_Howe", "America/New_York"];

pub fn seeds_of_cron() -> Vec<Vec<u8>> {
    let pairs = PATTERNS.iter().enumerate().map(|(at, pattern)| format!("{pattern}\n{}", ZONES[at % ZONES.len()]));
    pairs.map(String::into_bytes).collect()
}

pub fn seeds() -> Vec<Vec<u8>> {
    let crons = PATTERNS
        .iter()
        .zip(ZONES)
        .map(|(pattern, zone)| definition(When::Cron { pattern: (*pattern).into(), zone: (*zone).into() }));
    let interval = When::Interval { every_us: 3_600_000_000, anchor_us: 1_700_000_000_000_000 };
    let bounded = Definition {
        start_at_us: Some(1_700_000_000_000_000),
        end_at_us: Some(1_800_000_000_000_000),
        jitter_us: 5_000_000,
        overlap: Overlap::CancelRunning,
        ..definition(interval.clone())
    };
    let all = crons.chain([definition(interval), bounded]);
    all.map(|definition| definition.encode().expect("a schedule can be written")).collect()
}

pub const WORDS: &[&str] = &[
    "*",
    "?",
    "/",
    "-",
    ",",
    "#",
    "L",
    "W",
    "LW",
    " ",
    "\n",
    "@yearly",
    "@every",
    "0",
    "1",
    "59",
    "60",
    "31",
    "29 2",
    "MON",
    "SUN",
    "JAN",
    "DEC",
    "2/0",
    "0-59/59",
    "Europe/Berlin",
    "Pacific/Apia",
    "America/Sao_Paulo",
    "Etc/GMT+12",
    "UTC",
    "+05:30",
    "../../etc/passwd",
    "CRON_TZ=",
    "!",
];
