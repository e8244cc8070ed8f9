use waymark_store::{ScheduleKey, ScheduleStatus, WorkflowSchedule};

use super::*;
use crate::schedule::When;

const MINUTE: i64 = 60_000_000;

fn definition(overlap: Overlap) -> Definition {
    Definition {
        when: When::Interval { every_us: MINUTE, anchor_us: 0 },
        start_at_us: None,
        end_at_us: None,
        jitter_us: 0,
        overlap,
        catch_up_us: 5 * MINUTE,
        inputs: b"inputs".to_vec(),
        queue: "reports".into(),
        priority: 2,
        tags: vec!["nightly".into()],
        key: Some("tenant".into()),
        timeout_us: Some(MINUTE),
    }
}

/// As a store shows it at a minute, when all until another was done with.
fn due(definition: &Definition, handled: i64, now: i64, live: &[u128]) -> DueSchedule {
    let position =
        SchedulePosition { handled_until: Timestamp(handled * MINUTE), buffered_at: None, next_run_at: None };
    DueSchedule {
        schedule: WorkflowSchedule {
            schedule_id: Uuid::from_u128(7),
            key: ScheduleKey { workflow_name: "billing".into(), schedule_name: "nightly".into() },
            status: ScheduleStatus::Active,
            definition: definition.encode().unwrap(),
            position,
            revision: 3,
            last_run_at: None,
            last_instance_id: None,
            runs: 0,
            overlapped: 0,
            missed: 0,
            created_at: Timestamp(0),
            updated_at: Timestamp(0),
        },
        live: live.iter().copied().map(Uuid::from_u128).collect(),
        active_version_id: Some(Uuid::from_u128(9)),
        now: Timestamp(now * MINUTE),
    }
}

/// The minutes whose runs start, the one that is held back, and how many overlapped and were missed.
fn outcome(due: &DueSchedule) -> (Vec<i64>, Option<i64>, i64, i64) {
    let firing = fire(due).unwrap();
    let minutes = |id: Uuid| (0..100).find(|minute| run_id(Uuid::from_u128(7), Timestamp(minute * MINUTE)) == id);
    let started = firing.instances.iter().filter_map(|new| minutes(new.instance_id)).collect();
    (started, firing.position.buffered_at.map(|at| at.0 / MINUTE), firing.overlapped, firing.missed)
}

#[test]
fn policies() {
    // Overlap, handled until, now, live; started, held back, overlapped, missed.
    type Case = (Overlap, i64, i64, &'static [u128], (&'static [i64], Option<i64>, i64, i64));
    let cases: &[Case] = &[
        (Overlap::Skip, 10, 11, &[], (&[11], None, 0, 0)),
        (Overlap::Skip, 10, 11, &[1], (&[], None, 1, 0)),
        (Overlap::Skip, 10, 13, &[], (&[11], None, 2, 0)),
        (Overlap::Allow, 10, 13, &[1, 2], (&[11, 12, 13], None, 0, 0)),
        (Overlap::BufferOne, 10, 13, &[], (&[11], Some(12), 1, 0)),
        (Overlap::BufferOne, 10, 13, &[1], (&[], Some(11), 2, 0)),
        (Overlap::CancelRunning, 10, 13, &[1], (&[13], None, 2, 0)),
        // Nobody was there for an hour: what is older than the window is counted.
        (Overlap::Allow, 10, 70, &[], (&[65, 66, 67, 68, 69, 70], None, 0, 54)),
        (Overlap::Skip, 10, 70, &[], (&[65], None, 5, 54)),
        (Overlap::Allow, 10, 10, &[], (&[], None, 0, 0)),
    ];
    for (overlap, handled, now, live, (started, held_back, overlapped, missed)) in cases {
        let found = outcome(&due(&definition(*overlap), *handled, *now, live));
        let expected = (started.to_vec(), *held_back, *overlapped, *missed);
        assert_eq!(found, expected, "{overlap:?}, {handled} to {now}, live {live:?}");
    }
}

#[test]
fn a_run_that_is_held_back_starts_when_the_one_before_has_ended() {
    let mut waiting = due(&definition(Overlap::BufferOne), 12, 12, &[1]);
    waiting.schedule.position.buffered_at = Some(Timestamp(11 * MINUTE));
    assert_eq!(outcome(&waiting), (vec![], Some(11), 0, 0));
    let soon = fire(&waiting).unwrap().position.next_run_at.unwrap();
    assert_eq!(soon, Timestamp(12 * MINUTE) + BUFFERED_LOOK);
    waiting.live.clear();
    assert_eq!(outcome(&waiting), (vec![11], None, 0, 0));
    waiting.now = Timestamp(13 * MINUTE);
    assert_eq!(outcome(&waiting), (vec![11], Some(13), 0, 0), "the next one waits in its place");
}

#[test]
fn instances_are_as_defined() {
    let found = due(&definition(Overlap::CancelRunning), 10, 11, &[1, 2]);
    let firing = fire(&found).unwrap();
    let new = &firing.instances[0];
    assert_eq!((new.queue.as_str(), new.priority, new.queue_key.as_deref()), ("reports", 2, Some("tenant")));
    assert_eq!((new.tags.as_slice(), new.inputs.as_slice()), (&["nightly".to_string()][..], &b"inputs"[..]));
    assert_eq!((new.deadline_at, new.schedule_id), (Some(Timestamp(12 * MINUTE)), Some(Uuid::from_u128(7))));
    assert_eq!(new.instance_id.get_version_num(), 7);
    assert_eq!(firing.messages.len(), 2);
    assert_eq!((firing.last_run, firing.expected_revision), (Some((Timestamp(11 * MINUTE), new.instance_id)), 3));
    assert_eq!(firing.position.next_run_at, Some(Timestamp(12 * MINUTE)));

    let asked = trigger(&found, Uuid::from_u128(5)).unwrap();
    assert_eq!((asked.instances.len(), asked.position), (1, found.schedule.position));
    let again = backfill(&found, &[Timestamp(11 * MINUTE)]).unwrap();
    assert_eq!((again.instances[0].instance_id, again.position), (new.instance_id, found.schedule.position));
}

#[test]
fn the_last_due_time_ends_it() {
    let ending = Definition { end_at_us: Some(11 * MINUTE), ..definition(Overlap::Allow) };
    let firing = fire(&due(&ending, 10, 30, &[])).unwrap();
    assert_eq!(firing.position.next_run_at, None);
    let mut unregistered = due(&definition(Overlap::Allow), 10, 12, &[]);
    unregistered.active_version_id = None;
    assert_eq!(outcome(&unregistered), (vec![], None, 0, 2));
}

#[test]
fn a_firing_has_its_limits() {
    let days = Definition { catch_up_us: i64::MAX, ..definition(Overlap::Allow) };
    let firing = fire(&due(&days, 10, 100_000, &[])).unwrap();
    assert_eq!(firing.instances.len(), STARTS_MAX);
    assert_eq!(firing.position.next_run_at, Some(Timestamp(111 * MINUTE)), "the rest is due at once");
}
