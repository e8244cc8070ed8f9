use super::*;
use crate::schedule::Overlap;

fn cron(pattern: &str, zone: &str) -> Definition {
    Definition {
        when: When::Cron { pattern: pattern.into(), zone: zone.into() },
        start_at_us: None,
        end_at_us: None,
        jitter_us: 0,
        overlap: Overlap::Skip,
        catch_up_us: 0,
        inputs: Vec::new(),
        queue: "default".into(),
        priority: 1,
        tags: Vec::new(),
        key: None,
        timeout_us: None,
    }
}

fn at(text: &str) -> Timestamp {
    Timestamp(text.parse::<jiff::Timestamp>().expect("a time").as_microsecond())
}

/// Due times after one moment and up to another, in UTC.
fn dues(definition: &Definition, after: &str, until: &str) -> Vec<String> {
    let calendar = definition.calendar().expect("a calendar");
    let within = std::iter::successors(calendar.next_after(at(after)), |due| calendar.next_after(*due));
    let text = |due: Timestamp| jiff::Timestamp::from_microsecond(due.0).expect("a time").to_string();
    within.take_while(|due| *due <= at(until)).map(text).collect()
}

#[test]
fn clocks_that_change() {
    // Pattern, zone, from, until, due times in UTC.
    let cases: &[(&str, &str, &str, &str, &[&str])] = &[
        // Clocks go forward: 02:30 does not exist, and is made up for at 03:00.
        (
            "30 2 * * *",
            "Europe/Berlin",
            "2026-03-28T02:00:00Z",
            "2026-03-30T12:00:00Z",
            &["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"],
        ),
        (
            "30 2 * * *",
            "America/New_York",
            "2026-03-07T12:00:00Z",
            "2026-03-09T12:00:00Z",
            &["2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z"],
        ),
        // At the ends of the gap.
        ("0 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z", &["2026-03-29T01:00:00Z"]),
        ("0 3 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z", &["2026-03-29T01:00:00Z"]),
        ("59 1 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z", &["2026-03-29T00:59:00Z"]),
        // Midnight does not exist.
        (
            "0 0 * * *",
            "America/Santiago",
            "2026-09-05T12:00:00Z",
            "2026-09-07T12:00:00Z",
            &["2026-09-06T04:00:00Z", "2026-09-07T03:00:00Z"],
        ),
        // Steps have no due times in the gap.
        (
            "*/30 1-3 * * *",
            "Europe/Berlin",
            "2026-03-28T12:00:00Z",
            "2026-03-29T12:00:00Z",
            &["2026-03-29T00:00:00Z", "2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z"],
        ),
        (
            "0 * * * *",
            "America/New_York",
            "2026-03-08T05:30:00Z",
            "2026-03-08T08:30:00Z",
            &["2026-03-08T06:00:00Z", "2026-03-08T07:00:00Z", "2026-03-08T08:00:00Z"],
        ),
        // Clocks go back: 02:30 is there twice, and is due the first time.
        (
            "30 2 * * *",
            "Europe/Berlin",
            "2026-10-24T12:00:00Z",
            "2026-10-26T12:00:00Z",
            &["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"],
        ),
        (
            "30 1 * * *",
            "America/New_York",
            "2026-10-31T12:00:00Z",
            "2026-11-02T12:00:00Z",
            &["2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"],
        ),
        (
            "0 1,2 * * *",
            "America/New_York",
            "2026-10-31T12:00:00Z",
            "2026-11-01T12:00:00Z",
            &["2026-11-01T05:00:00Z", "2026-11-01T06:00:00Z", "2026-11-01T07:00:00Z"],
        ),
        // Steps are due each time.
        (
            "*/30 2 * * *",
            "Europe/Berlin",
            "2026-10-24T12:00:00Z",
            "2026-10-25T12:00:00Z",
            &["2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z", "2026-10-25T01:00:00Z", "2026-10-25T01:30:00Z"],
        ),
        (
            "0 * * * *",
            "America/New_York",
            "2026-11-01T04:30:00Z",
            "2026-11-01T07:30:00Z",
            &["2026-11-01T05:00:00Z", "2026-11-01T06:00:00Z", "2026-11-01T07:00:00Z"],
        ),
        // Half an hour.
        (
            "45 1 * * *",
            "Australia/Lord_Howe",
            "2026-04-04T02:00:00Z",
            "2026-04-05T20:00:00Z",
            &["2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z"],
        ),
        (
            "15 2 * * *",
            "Australia/Lord_Howe",
            "2026-10-03T00:00:00Z",
            "2026-10-04T20:00:00Z",
            &["2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z"],
        ),
    ];
    for (pattern, zone, after, until, expected) in cases {
        assert_eq!(dues(&cron(pattern, zone), after, until), *expected, "{pattern} in {zone} after {after}");
    }
}

#[test]
fn patterns() {
    let day = |pattern: &str| dues(&cron(pattern, "UTC"), "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z");
    assert_eq!(day("0 6,18 * * *"), ["2026-01-01T06:00:00Z", "2026-01-01T18:00:00Z"]);
    assert_eq!(day("15 0 6 * * *"), ["2026-01-01T06:00:15Z"], "seconds first");
    assert_eq!(day("0 0 * * FRI"), ["2026-01-02T00:00:00Z"]);
    assert_eq!(dues(&cron("0 0 29 2 *", "UTC"), "2026-01-01T00:00:00Z", "2032-12-31T00:00:00Z").len(), 2);
    // A moment between two seconds.
    let calendar = cron("* * * * * *", "UTC").calendar().unwrap();
    let after = Timestamp(at("2026-01-01T00:00:00Z").0 + 1);
    assert_eq!(calendar.next_after(after), Some(at("2026-01-01T00:00:01Z")));
    assert_eq!(cron("0 0 30 2 *", "UTC").calendar().unwrap().next_after(after), None, "never");
}

#[test]
fn intervals_are_anchored_and_bounded() {
    let hour = 3_600 * SECOND_US;
    let definition = Definition {
        when: When::Interval { every_us: 7 * hour, anchor_us: at("2026-01-01T01:00:00Z").0 },
        start_at_us: Some(at("2026-01-02T00:00:00Z").0),
        end_at_us: Some(at("2026-01-02T19:00:00Z").0),
        ..cron("", "UTC")
    };
    let expected = ["2026-01-02T05:00:00Z", "2026-01-02T12:00:00Z", "2026-01-02T19:00:00Z"];
    assert_eq!(dues(&definition, "2025-01-01T00:00:00Z", "2027-01-01T00:00:00Z"), expected);
    assert_eq!(dues(&definition, "2026-01-02T05:00:00Z", "2027-01-01T00:00:00Z"), expected[1..]);
}

#[test]
fn jitter_is_drawn_from_schedule_and_due_time() {
    let minute = 60 * SECOND_US;
    let calendar = Definition { jitter_us: minute, ..cron("* * * * *", "UTC") }.calendar().unwrap();
    let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let late = |id, due: Timestamp| calendar.runs_at(id, due).0 - due.0;
    let dues = calendar.upcoming(at("2026-01-01T00:00:00Z"), 1_000);
    assert!(dues.iter().all(|due| (0..=minute).contains(&late(one, *due))));
    assert!(
        dues.iter().any(|due| late(one, *due) > 55 * SECOND_US)
            && dues.iter().any(|due| late(one, *due) < 5 * SECOND_US)
    );
    assert_eq!(late(one, dues[7]), late(one, dues[7]));
    assert_ne!(late(one, dues[7]), late(other, dues[7]));
}

#[test]
fn what_is_wrong_is_said() {
    let problem = |definition: Definition| definition.calendar().err().unwrap_or_default();
    for pattern in ["", "* * * *", "61 * * * *", "* * * * * * *", "every day", "* * * * MOO"] {
        let said = problem(cron(pattern, "UTC"));
        assert!(
            said.starts_with(&format!("`{pattern}` is no cron pattern")) && said.contains("hint: five fields"),
            "{said}"
        );
    }
    let said = problem(cron("* * * * *", "Europe/Atlantis"));
    assert!(said.contains("`Europe/Atlantis` is no time zone") && said.contains("hint:"), "{said}");
    let backwards = Definition { start_at_us: Some(2), end_at_us: Some(1), ..cron("* * * * *", "UTC") };
    assert!(problem(backwards).contains("ends before it starts"));
    let short = Definition { when: When::Interval { every_us: 10, anchor_us: 0 }, ..cron("", "UTC") };
    assert!(problem(short).contains("a second at least"));
}

#[test]
fn definitions_travel() {
    let definition = Definition { inputs: vec![1, 255], tags: vec!["nightly".into()], ..cron("* * * * *", "UTC") };
    assert_eq!(Definition::decode(&definition.encode().unwrap()).unwrap(), definition);
    assert!(Definition::decode(b"nonsense").is_err());
}
