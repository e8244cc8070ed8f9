//! When the front asks for work: at once while there is more, in time for what is due, never faster than once a second when idle, and
//! hardly at all while workers have more than enough.

use std::time::Duration;

use uuid::Uuid;
use waymark_engine::{Commit, Front, FrontCommand, FrontInput, Input, News, Options};
use waymark_store::{Change, Claimed, ClaimedInstance, Error, Lease, Progress, Timestamp};

const SECOND: i64 = 1_000_000;

fn asks(commands: &[FrontCommand]) -> Option<u32> {
    commands.iter().find_map(|command| match command {
        FrontCommand::Claim(claim) => Some(claim.limit),
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
        deadline_at: None,
        created_at: Timestamp(0),
    }
}

fn claimed(instances: Vec<ClaimedInstance>, next_due_in: Option<Duration>) -> FrontInput {
    FrontInput::Claimed(Ok(Claimed { instances, next_due_in, is_limited: false, is_full: false }))
}

#[test]
fn an_idle_engine_asks_once_a_second_and_in_time() {
    let reclaim = Duration::from_secs(60);
    let mut front = Front::new(Options { claim_batch: 2, shards: 4, reclaim, ..Options::default() });
    assert_eq!(asks(&front.handle(0, FrontInput::Time)), Some(2));
    assert_eq!(asks(&front.handle(10, claimed(Vec::new(), None))), None);
    assert_eq!(front.next_wakeup(), SECOND, "however many shards there are");
    assert_eq!(asks(&front.handle(SECOND, FrontInput::Time)), Some(2));
    // The next one is due in 300 ms, the one after in 1 ms: those that are due one after the other come together.
    front.handle(SECOND, claimed(Vec::new(), Some(Duration::from_millis(300))));
    assert_eq!(front.next_wakeup(), SECOND + 300_000);
    assert_eq!(asks(&front.handle(SECOND + 300_000, FrontInput::Time)), Some(2));
    front.handle(SECOND + 300_000, claimed(Vec::new(), Some(Duration::from_millis(1))));
    assert_eq!(front.next_wakeup(), SECOND + 320_000);
    // A notification is heard at once; a full batch means that there is more.
    assert_eq!(asks(&front.handle(SECOND + 301_000, FrontInput::Changed(Change::Work))), Some(2));
    assert_eq!(asks(&front.handle(SECOND + 302_000, claimed(vec![instance(1), instance(1)], None))), Some(2));
}

/// Claims of queues with limits are dear, and there is news of them at every end.
#[test]
fn claims_of_queues_with_limits_are_apart() {
    let reclaim = Duration::from_secs(60);
    let mut front = Front::new(Options { claim_batch: 2, reclaim, ..Options::default() });
    assert_eq!(asks(&front.handle(0, FrontInput::Time)), Some(2));
    let limited = Claimed { instances: Vec::new(), next_due_in: None, is_limited: true, is_full: false };
    front.handle(1_000, FrontInput::Claimed(Ok(limited)));
    assert_eq!(front.next_wakeup(), SECOND, "there is no news");
    assert_eq!(asks(&front.handle(2_000, FrontInput::Changed(Change::Work))), None);
    assert_eq!(front.next_wakeup(), 21_000);
    assert_eq!(asks(&front.handle(21_000, FrontInput::Time)), Some(2));
}

#[test]
fn workers_with_enough_to_do_and_suspects_hold_claims_back() {
    let mut front = Front::new(Options { load_max: 0, ..Options::default() });
    assert_eq!(asks(&front.handle(0, FrontInput::Time)), None);

    let mut front = Front::new(Options::default());
    assert!(asks(&front.handle(0, FrontInput::Time)).is_some());
    let (worst, other) = (instance(7), instance(1));
    let other_lease = other.lease;
    let commands = front.handle(1, claimed(vec![other, worst], None));
    let given_back = commands.iter().find_map(|command| match command {
        FrontCommand::GiveBack(sleeps) => Some(sleeps.clone()),
        _ => None,
    });
    let given_back = given_back.expect("what came with it is given back");
    assert_eq!(given_back.iter().map(|sleep| (sleep.lease, sleep.tried)).collect::<Vec<_>>(), [(other_lease, false)]);
    assert_eq!(asks(&front.handle(5 * SECOND, FrontInput::Changed(Change::Work))), None, "nothing beside it");
    assert!(asks(&front.handle(16 * SECOND, FrontInput::Time)).is_some(), "it has lived long enough");
}

/// However much there is to do, a host takes what its workers can do soon, and leaves the rest to others.
#[test]
fn a_host_takes_what_it_can_do_soon() {
    let mut front = Front::new(Options { claim_batch: 50, ..Options::default() });
    let program = waymark_ir::text::parse("work", "fn main():\n    return @work()\n").program;
    let lowered = waymark_runner::Lowered::new(program).unwrap();
    let mut commands = front.handle(0, FrontInput::Program(Uuid::nil(), Ok(Ok(lowered))));
    front.handle(0, FrontInput::Slots(10));
    let mut taken = 0;
    while let Some(limit) = asks(&commands) {
        let instances: Vec<ClaimedInstance> = (0..limit).map(|_| instance(1)).collect();
        taken += instances.len();
        commands = front.handle(1, claimed(instances, None));
        // They become jobs, which nobody answers.
        let news = News { load: taken, admitted: u64::from(limit), ..News::default() };
        commands.extend(front.handle(2, FrontInput::News(0, news)));
    }
    assert!((100..=120).contains(&taken), "two claims and two jobs a slot: {taken}");
    // Now and then it takes a few: they may need no worker, only to be woken.
    let mut time = 2;
    assert_eq!(asks(&front.handle(time, FrontInput::Changed(Change::Work))), None);
    loop {
        time += SECOND;
        let Some(limit) = asks(&front.handle(time, FrontInput::Time)) else { break };
        assert!(limit <= 8, "{limit}");
        let instances: Vec<ClaimedInstance> = (0..limit).map(|_| instance(1)).collect();
        taken += instances.len();
        let soon = Some(Duration::from_millis(1));
        assert_eq!(asks(&front.handle(time, claimed(instances, soon))), None, "not before the next poll");
        let news = News { load: taken, admitted: u64::from(limit), ..News::default() };
        assert_eq!(asks(&front.handle(time + SECOND / 2, FrontInput::News(0, news))), None);
    }
    assert!((200..=240).contains(&taken), "what piles up has its limit: {taken}");
    // Workers get through with it.
    assert!(asks(&front.handle(time, FrontInput::News(0, News { load: 20, ..News::default() }))).is_some());
}

/// The heartbeat is one statement, and so is what two shards commit at the same time; what went wrong with it is told to both.
#[test]
fn shards_share_heartbeats_and_commits() {
    let mut front = Front::new(Options { shards: 2, commits_in_flight_max: 1, ..Options::default() });
    front.handle(0, FrontInput::Time);
    let instances: Vec<ClaimedInstance> = (0..64).map(|_| instance(1)).collect();
    let leases: Vec<Lease> = instances.iter().map(|instance| instance.lease).collect();
    front.handle(0, claimed(instances, None));
    let beats = front.handle(5 * SECOND, FrontInput::Time);
    let beats: Vec<usize> = beats
        .iter()
        .filter_map(|command| match command {
            FrontCommand::Heartbeat(heartbeat) => Some(heartbeat.leases.len()),
            _ => None,
        })
        .collect();
    assert_eq!(beats, [64]);

    let of = |shard: usize| leases.iter().copied().filter(move |lease| front_of(lease) == shard);
    fn front_of(lease: &Lease) -> usize {
        Front::new(Options { shards: 2, ..Options::default() }).shard_of(lease.instance_id)
    }
    assert!(of(0).count() > 10 && of(1).count() > 10, "both have something to do");
    let news = |shard: usize, ticket: u64| {
        let progress = of(shard).take(3).map(|lease| Progress::new(lease, 0, Vec::new()).into()).collect();
        let commits = vec![Commit { ticket, progress, is_alone: false }];
        FrontInput::News(shard, News { commits, ..News::default() })
    };
    let written = |commands: &[FrontCommand]| -> Vec<(u64, usize)> {
        let of = |command: &FrontCommand| match command {
            FrontCommand::Commit(ticket, batch) => Some((*ticket, batch.len())),
            _ => None,
        };
        commands.iter().filter_map(of).collect()
    };
    assert_eq!(written(&front.handle(6 * SECOND, news(0, 1))), [(1, 3)], "nothing waits for a fuller one");
    assert_eq!(written(&front.handle(6 * SECOND, news(1, 1))), []);
    assert_eq!(written(&front.handle(6 * SECOND, news(0, 2))), []);
    let away = || Err(Error::Unavailable { reason: "away".into() });
    let both = front.handle(6 * SECOND, FrontInput::Committed(1, away()));
    assert_eq!(written(&both), [(2, 6)]);
    let told = front.handle(6 * SECOND, FrontInput::Committed(2, away()));
    let told: Vec<(usize, u64)> = told
        .iter()
        .filter_map(|command| match command {
            FrontCommand::Tell(shard, Input::Committed(ticket, Err(_))) => Some((*shard, *ticket)),
            _ => None,
        })
        .collect();
    assert_eq!(told, [(1, 1), (0, 2)]);
}

/// What is started here is claimed here only while nobody waits and workers have nothing to do.
#[test]
fn starts_are_offered_what_could_begin_at_once() {
    let mut front = Front::new(Options { claim_batch: 2, shards: 1, ..Options::default() });
    assert_eq!(front.offers(0, 10, 10), 0, "nobody has looked who waits");
    assert_eq!(asks(&front.handle(0, FrontInput::Time)), Some(2));
    front.handle(1, claimed(vec![instance(1)], None));
    assert_eq!(front.offers(2, 10, 10), 9, "one is there");
    assert_eq!((front.offers(2, 3, 10), front.offers(2, 10, 1), front.offers(2, 0, 0)), (2, 1, 0));

    // A full claim, of whatever kind of queue, means that others wait.
    assert_eq!(asks(&front.handle(SECOND + 1, FrontInput::Time)), Some(2));
    let full = Claimed { instances: Vec::new(), next_due_in: None, is_limited: true, is_full: true };
    front.handle(SECOND + 2, FrontInput::Claimed(Ok(full)));
    assert_eq!(front.offers(SECOND + 3, 10, 10), 0);
    assert_eq!(asks(&front.handle(2 * SECOND, FrontInput::Time)), Some(2));
    front.handle(2 * SECOND + 1, claimed(Vec::new(), None));
    assert_eq!(front.offers(2 * SECOND + 2, 10, 10), 9);
    front.handle(3 * SECOND, FrontInput::Drain);
    assert_eq!(front.offers(3 * SECOND, 10, 10), 0);
}

#[test]
fn a_start_that_is_handed_over_twice_or_late_is_held_once_or_not_at_all() {
    let mut front = Front::new(Options { shards: 1, ..Options::default() });
    let program = waymark_ir::text::parse("work", "fn main():\n    return @work()\n").program;
    let lowered = waymark_runner::Lowered::new(program).unwrap();
    let started = |instances, since_us| FrontInput::Started { instances, since_us };
    let one = instance(1);
    front.handle(0, started(vec![one.clone(), one.clone()], 0));
    let commands = front.handle(1, FrontInput::Program(Uuid::nil(), Ok(Ok(lowered))));
    let admitted = commands.iter().filter_map(|command| match command {
        FrontCommand::Tell(_, Input::Admit(admissions)) => Some(admissions.len()),
        _ => None,
    });
    assert_eq!((admitted.collect::<Vec<_>>(), front.len()), (vec![1], 1));

    // Its lease may have run out: whoever has it now goes on.
    let late = instance(1);
    let commands = front.handle(16 * SECOND, started(vec![late.clone()], 0));
    let given_back = commands.iter().find_map(|command| match command {
        FrontCommand::GiveBack(sleeps) => Some(sleeps.iter().map(|sleep| sleep.lease).collect::<Vec<_>>()),
        _ => None,
    });
    assert_eq!((given_back, front.len()), (Some(vec![late.lease]), 1));
}
