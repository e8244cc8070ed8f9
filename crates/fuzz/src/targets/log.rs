//! Events as the log and the inbox have them: users write to the inbox, by SQL.

use waymark_runner::Event;

use super::{sample, snapshot};
use crate::Verdict;

/// What happened, and when.
type Log = Vec<(i64, Event)>;

pub fn check(bytes: &[u8]) -> Verdict {
    if let Ok(event) = Event::decode(bytes) {
        check_event(&event);
    }
    let Ok(log) = rmp_serde::from_slice::<Log>(bytes) else { return Verdict::Refused };
    let mut instance = sample::fresh();
    for (at_us, event) in log.into_iter().take(60) {
        check_event(&event);
        // Those that don't fit are refused, and change nothing.
        let before = (instance.seq(), instance.digest());
        if instance.apply(at_us, event).is_err() {
            assert_eq!((instance.seq(), instance.digest()), before, "an event that is refused changes the instance");
        }
        sample::proceed(&mut instance);
    }
    if instance.has_started() {
        let mut instance = snapshot::check_saved(instance);
        sample::look_at(&mut instance);
    }
    Verdict::Accepted
}

fn check_event(event: &Event) {
    let bytes = event.encode();
    let again = Event::decode(&bytes).expect("what was written is read");
    assert_eq!(again.encode(), bytes);
}

pub fn seeds() -> Vec<Vec<u8>> {
    let whole: Log = sample::steps().iter().map(|step| (step.at_us, step.event.clone())).collect();
    let log = |events: &[(i64, Event)]| rmp_serde::to_vec(events).expect("a log can be written");
    let mut seeds: Vec<Vec<u8>> = (1..=whole.len()).step_by(2).map(|end| log(&whole[..end])).collect();
    let mut cancelled = whole[..8].to_vec();
    cancelled.extend([
        (9_000_000, Event::Cancel { reason: Some("why".into()) }),
        (9_500_000, Event::TerminateAfter { after_us: 1_000_000, reason: None }),
        (10_500_000, Event::DeadlineReached),
    ]);
    seeds.push(log(&cancelled));
    seeds
}
