//! When the core asks for work: at once while there is more, in time for what is due, never faster than once a second when idle, and
//! not at all while workers have more than enough.

use std::time::Duration;

use uuid::Uuid;
use waymark_engine::{Command, Core, Input, Options};
use waymark_store::{Change, Claimed, ClaimedInstance, Lease, Timestamp};

const SECOND: i64 = 1_000_000;

fn asks(commands: &[Command]) -> Option<u32> {
    commands.iter().find_map(|command| match command {
        Command::Claim(claim) => Some(claim.limit),
        _ => None,
    })
}

fn instance(claims: u32) -> ClaimedInstance {
    ClaimedInstance {
        lease: Lease { instance_id: Uuid::now_v7(), lock_uuid: Uuid::now_v7() },
        workflow_version_id: Uuid::nil(),
        workflow_name: "work".into(),
        user_key: None,
        parent: None,
        queue: "default".into(),
        priority: 1,
        inputs: Vec::new(),
        snapshot: None,
        log: Vec::new(),
        inbox: Vec::new(),
        routed: Vec::new(),
        seq: 0,
        wake_seq: 0,
        claims,
        scheduled_at: Timestamp(0),
        created_at: Timestamp(0),
    }
}

fn claimed(instances: Vec<ClaimedInstance>, next_due_in: Option<Duration>) -> Input {
    Input::Claimed(Ok(Claimed { instances, next_due_in }))
}

#[test]
fn an_idle_engine_asks_once_a_second_and_in_time() {
    let mut core = Core::new(Options { claim_batch: 2, ..Options::default() });
    assert_eq!(asks(&core.handle(0, Input::Time)), Some(2));
    assert_eq!(asks(&core.handle(10, claimed(Vec::new(), None))), None);
    assert_eq!(core.next_wakeup(), Some(SECOND));
    assert_eq!(asks(&core.handle(SECOND, Input::Time)), Some(2));
    // The next one is due in 300 ms, the one after in 1 ms: those that are due one after the other come together.
    core.handle(SECOND, claimed(Vec::new(), Some(Duration::from_millis(300))));
    assert_eq!(core.next_wakeup(), Some(SECOND + 300_000));
    assert_eq!(asks(&core.handle(SECOND + 300_000, Input::Time)), Some(2));
    core.handle(SECOND + 300_000, claimed(Vec::new(), Some(Duration::from_millis(1))));
    assert_eq!(core.next_wakeup(), Some(SECOND + 320_000));
    // A notification is heard at once; a full batch means that there is more.
    assert_eq!(asks(&core.handle(SECOND + 301_000, Input::Changed(Change::Work))), Some(2));
    assert_eq!(asks(&core.handle(SECOND + 302_000, claimed(vec![instance(1), instance(1)], None))), Some(2));
}

#[test]
fn workers_with_enough_to_do_and_suspects_hold_claims_back() {
    let mut core = Core::new(Options { jobs_max: 0, ..Options::default() });
    assert_eq!(asks(&core.handle(0, Input::Time)), None);

    let mut core = Core::new(Options::default());
    assert!(asks(&core.handle(0, Input::Time)).is_some());
    let (worst, other) = (instance(7), instance(1));
    let other_lease = other.lease;
    let commands = core.handle(1, claimed(vec![other, worst], None));
    let given_back = commands.iter().find_map(|command| match command {
        Command::GiveBack(sleeps) => Some(sleeps.clone()),
        _ => None,
    });
    let given_back = given_back.expect("what came with it is given back");
    assert_eq!(given_back.iter().map(|sleep| (sleep.lease, sleep.tried)).collect::<Vec<_>>(), [(other_lease, false)]);
    assert_eq!(asks(&core.handle(5 * SECOND, Input::Changed(Change::Work))), None, "nothing beside it");
    assert!(asks(&core.handle(16 * SECOND, Input::Time)).is_some(), "it has lived long enough");
}
