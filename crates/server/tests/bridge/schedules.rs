//! Schedules as clients put, change and use them.

use tonic::{Code, Status};
use uuid::Uuid;
use waymark_engine::schedule::run_id;
use waymark_ir::{Value, payload};
use waymark_proto::bridge::schedule_spec::When;
use waymark_proto::bridge::{
    BackfillScheduleRequest, ListSchedulesRequest, PutScheduleRequest, Schedule, ScheduleKey, ScheduleOverlap,
    ScheduleSpec, TriggerScheduleRequest,
};
use waymark_store::{Fault, Timestamp};

use crate::harness::*;

const HOUR: i64 = 3_600 * 1_000_000;

fn key(schedule_name: &str) -> ScheduleKey {
    ScheduleKey { workflow_name: "greet".into(), schedule_name: schedule_name.into() }
}

fn named(name: &str) -> Vec<u8> {
    payload::encode(&Value::Dict(vec![(Value::str("name"), Value::str(name))]))
}

fn cron(pattern: &str) -> ScheduleSpec {
    ScheduleSpec { when: Some(When::Cron(pattern.into())), inputs: named("ann"), ..ScheduleSpec::default() }
}

async fn put(client: &mut Client, name: &str, spec: ScheduleSpec) -> Result<Schedule, Status> {
    let request = PutScheduleRequest { schedule: Some(key(name)), spec: Some(spec) };
    client.put_schedule(request).await.map(tonic::Response::into_inner)
}

async fn list(client: &mut Client) -> Vec<Schedule> {
    client.list_schedules(ListSchedulesRequest::default()).await.unwrap().into_inner().schedules
}

#[tokio::test(flavor = "multi_thread")]
async fn schedules_are_put_and_changed() {
    let (running, mut client) = Running::with_greet(Setup::default()).await;
    let spec = ScheduleSpec {
        time_zone: "Europe/Berlin".into(),
        overlap: ScheduleOverlap::BufferOne.into(),
        tags: vec!["night".into()],
        timeout_us: Some(HOUR),
        ..cron("30 2 * * *")
    };
    let first = put(&mut client, "nightly", spec.clone()).await.unwrap();
    assert_eq!((first.next_due_us.len(), first.paused), (5, false));
    let shown = first.spec.clone().unwrap();
    assert_eq!((shown.queue.as_str(), shown.priority, shown.catch_up_us), ("default", Some(1), Some(24 * HOUR)));
    assert_eq!(
        shown,
        ScheduleSpec { queue: "default".into(), priority: Some(1), catch_up_us: Some(24 * HOUR), ..spec.clone() }
    );
    assert_eq!(list(&mut client).await[0].next_due_us, first.next_due_us[..1]);

    let paused = client.pause_schedule(key("nightly")).await.unwrap().into_inner();
    assert!(paused.paused && paused.next_due_us.is_empty());
    assert_eq!(running.store.due_schedules(10).await.unwrap().next_due_in, None, "nobody looks at it");
    assert!(client.pause_schedule(key("nightly")).await.unwrap().into_inner().paused);
    let resumed = client.resume_schedule(key("nightly")).await.unwrap().into_inner();
    assert_eq!((resumed.paused, resumed.next_due_us), (false, first.next_due_us));
    // Putting makes it active, and counts go on.
    client.pause_schedule(key("nightly")).await.unwrap();
    let again = put(&mut client, "nightly", cron("0 3 * * *")).await.unwrap();
    assert_eq!((again.paused, again.schedule_id == first.schedule_id), (false, true));

    client.delete_schedule(key("nightly")).await.unwrap();
    assert_eq!(list(&mut client).await, []);
    assert_eq!(client.get_schedule(key("nightly")).await.unwrap_err().code(), Code::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_changes_nothing() {
    let (_running, mut client) = Running::with_greet(Setup::default()).await;
    let before = put(&mut client, "nightly", cron("30 2 * * *")).await.unwrap();
    let every = |every_us| ScheduleSpec { when: Some(When::IntervalUs(every_us)), ..cron("") };
    let cases: Vec<(ScheduleSpec, &str)> = vec![
        (cron("30 25 * * *"), "is no cron pattern"),
        (ScheduleSpec { time_zone: "Mars/Olympus".into(), ..cron("30 2 * * *") }, "`Mars/Olympus` is no time zone"),
        (ScheduleSpec { when: None, ..cron("") }, "give a cron pattern or an interval"),
        (cron("0 0 30 2 *"), "it would never be due"),
        (ScheduleSpec { end_us: Some(1_000), ..cron("0 0 * * *") }, "it would never be due"),
        (every(10), "a second at least"),
        (ScheduleSpec { jitter_us: -1, ..cron("0 0 * * *") }, "none may be negative"),
        (ScheduleSpec { start_us: Some(-1), ..cron("0 0 * * *") }, "start_us -1 is not between"),
        (ScheduleSpec { priority: Some(9), ..cron("0 0 * * *") }, "priority 9"),
        (ScheduleSpec { overlap: 77, ..cron("0 0 * * *") }, "77 is no overlap policy"),
        (ScheduleSpec { inputs: Vec::new(), ..cron("0 0 * * *") }, "missing name"),
        (ScheduleSpec { inputs: vec![0xc1], ..cron("0 0 * * *") }, "can't be read"),
    ];
    for (spec, said) in cases {
        let refused = put(&mut client, "nightly", spec).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{refused}");
        assert!(refused.message().contains(said), "{said}: {refused}");
    }
    let unknown = PutScheduleRequest {
        schedule: Some(ScheduleKey { workflow_name: "gret".into(), schedule_name: "nightly".into() }),
        spec: Some(cron("0 0 * * *")),
    };
    let refused = client.put_schedule(unknown).await.unwrap_err();
    assert_eq!(
        (refused.code(), refused.message().contains("did you mean greet?")),
        (Code::NotFound, true),
        "{refused}"
    );
    let nowhere =
        client.trigger_schedule(TriggerScheduleRequest { schedule: Some(key("nightyl")), ..Default::default() }).await;
    assert!(nowhere.unwrap_err().message().contains("did you mean nightly?"));
    let nameless = client.get_schedule(key("")).await.unwrap_err();
    assert_eq!(nameless.code(), Code::InvalidArgument);
    let future = BackfillScheduleRequest { schedule: Some(key("nightly")), from_us: 0, to_us: i64::MAX };
    assert!(client.backfill_schedule(future).await.unwrap_err().message().contains("ends in the future"));
    let long = BackfillScheduleRequest { schedule: Some(key("nightly")), from_us: 0, to_us: before.created_at_us };
    assert!(client.backfill_schedule(long).await.unwrap_err().message().contains("more than 1000 due times"));
    let after = client.get_schedule(key("nightly")).await.unwrap().into_inner();
    assert_eq!((after.spec, after.updated_at_us, after.runs), (before.spec, before.updated_at_us, 0));
}

/// A program that puts its schedules whenever it starts must not lose the due time that it started at.
#[tokio::test(flavor = "multi_thread")]
async fn putting_the_same_calendar_again_keeps_its_place() {
    let (running, mut client) = Running::with_greet(Setup::default()).await;
    let every = ScheduleSpec { when: Some(When::IntervalUs(HOUR)), ..cron("") };
    put(&mut client, "hourly", every.clone()).await.unwrap();
    let row = async || running.store.list_schedules(None).await.unwrap().remove(0);
    let first = row().await;
    let renamed = ScheduleSpec { inputs: named("bob"), ..every.clone() };
    put(&mut client, "hourly", renamed).await.unwrap();
    let second = row().await;
    assert_eq!((second.position, second.revision), (first.position, 2));
    assert_ne!(second.definition, first.definition);
    put(&mut client, "hourly", ScheduleSpec { when: Some(When::IntervalUs(2 * HOUR)), ..every }).await.unwrap();
    assert_ne!(row().await.position.handled_until, first.position.handled_until);
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_can_be_asked_for() {
    let (running, mut client) = Running::with_greet(Setup::default()).await;
    let made = put(&mut client, "daily", cron("0 0 * * *")).await.unwrap();
    let id = Uuid::now_v7();
    let ask = TriggerScheduleRequest { schedule: Some(key("daily")), instance_id: id.as_bytes().to_vec() };
    for fault in [Fault::None, Fault::Before, Fault::After] {
        // Whatever the store does, and however often the client asks: one run.
        running.faulty.inject(fault);
        let started = client.trigger_schedule(ask.clone()).await.unwrap().into_inner();
        assert_eq!(started.instance_id, id.as_bytes());
    }
    let shown = client.get_schedule(key("daily")).await.unwrap().into_inner();
    assert_eq!(shown.live_instance_ids, [id.as_bytes().to_vec()]);
    assert_eq!(shown.last_instance_id, id.as_bytes());

    let midnight = made.created_at_us - made.created_at_us % (24 * HOUR);
    let days = |from: i64, to: i64| BackfillScheduleRequest {
        schedule: Some(key("daily")),
        from_us: midnight - from * 24 * HOUR,
        to_us: midnight - to * 24 * HOUR,
    };
    let filled = client.backfill_schedule(days(3, 1)).await.unwrap().into_inner();
    assert_eq!((filled.due_times, filled.started), (3, 3));
    let filled = client.backfill_schedule(days(5, 1)).await.unwrap().into_inner();
    assert_eq!((filled.due_times, filled.started), (5, 2), "a due time has one run");
    let schedule_id = Uuid::from_slice(&made.schedule_id).unwrap();
    let oldest = run_id(schedule_id, Timestamp(midnight - 5 * 24 * HOUR));
    let found = running.store.get_instances(vec![oldest]).await.unwrap().remove(0).expect("a run");
    assert_eq!((found.schedule_id, found.inputs), (Some(schedule_id), named("ann")));
    let after = client.get_schedule(key("daily")).await.unwrap().into_inner();
    assert_eq!((after.next_due_us, after.live_instance_ids.len()), (made.next_due_us, 6));
}
