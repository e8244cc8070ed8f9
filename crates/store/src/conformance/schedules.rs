//! Schedules: the gate of a firing, and what it does when it passes.

use uuid::Uuid;

use super::{Subject, events, new_instance, signal};
use crate::{
    Change, DueSchedule, Ending, Fired, Firing, NewInstance, Next, Progress, PutSchedule, QueueSettings, ScheduleKey,
    SchedulePosition, ScheduleStatus, Timestamp, WorkflowSchedule,
};

const DAY_US: i64 = 24 * 3_600 * 1_000_000;

fn key(schedule_name: &str) -> ScheduleKey {
    ScheduleKey { workflow_name: "billing".into(), schedule_name: schedule_name.into() }
}

pub(super) fn put(schedule_name: &str, next_run_at: Option<Timestamp>) -> PutSchedule {
    PutSchedule {
        schedule_id: Uuid::now_v7(),
        key: key(schedule_name),
        expected_revision: None,
        status: ScheduleStatus::Active,
        definition: b"every night".to_vec(),
        position: SchedulePosition { handled_until: Timestamp(1_000), buffered_at: None, next_run_at },
    }
}

pub(super) fn firing(due: &DueSchedule, instances: Vec<NewInstance>) -> Firing {
    let WorkflowSchedule { schedule_id, revision, position, .. } = due.schedule;
    Firing {
        schedule_id,
        expected_revision: revision,
        last_run: instances.last().map(|new| (Timestamp(2_000), new.instance_id)),
        instances,
        messages: Vec::new(),
        position: SchedulePosition { handled_until: Timestamp(2_000), next_run_at: Some(Timestamp(3_000)), ..position },
        overlapped: 1,
        missed: 2,
    }
}

impl Subject {
    async fn read(&self, schedule_name: &str) -> DueSchedule {
        self.store.read_schedule(key(schedule_name)).await.unwrap().expect("it is there")
    }
}

pub(super) async fn schedules_are_put_by_who_saw_them_last(subject: Subject) {
    let mut changes = subject.store.changes();
    let first = subject.store.put_schedule(put("nightly", Some(Timestamp(5)))).await.unwrap().unwrap();
    assert_eq!(changes.recv().await.unwrap(), Change::Schedules);
    assert_eq!((first.revision, first.status, first.runs), (1, ScheduleStatus::Active, 0));
    assert_eq!(subject.store.put_schedule(put("nightly", None)).await.unwrap(), None, "it is there");

    let paused = PutSchedule {
        expected_revision: Some(first.revision),
        status: ScheduleStatus::Paused,
        definition: b"now and then".to_vec(),
        position: SchedulePosition { handled_until: Timestamp(7), buffered_at: Some(Timestamp(6)), next_run_at: None },
        ..put("nightly", None)
    };
    let second = subject.store.put_schedule(paused.clone()).await.unwrap().unwrap();
    assert_eq!((second.schedule_id, second.created_at), (first.schedule_id, first.created_at));
    assert_eq!((second.revision, second.status, second.position), (2, ScheduleStatus::Paused, paused.position));
    assert_eq!(second.definition, paused.definition);
    assert_eq!(subject.store.put_schedule(paused).await.unwrap(), None, "somebody was faster");
    assert_eq!(subject.read("nightly").await.schedule, second);

    let other = PutSchedule {
        key: ScheduleKey { workflow_name: "another".into(), schedule_name: "nightly".into() },
        ..put("", None)
    };
    subject.store.put_schedule(other).await.unwrap().unwrap();
    let names =
        |all: Vec<WorkflowSchedule>| -> Vec<String> { all.into_iter().map(|row| row.key.workflow_name).collect() };
    assert_eq!(names(subject.store.list_schedules(None).await.unwrap()), ["another", "billing"]);
    assert_eq!(names(subject.store.list_schedules(Some("billing")).await.unwrap()), ["billing"]);
    assert!(subject.store.delete_schedule(key("nightly")).await.unwrap());
    assert!(!subject.store.delete_schedule(key("nightly")).await.unwrap());
    assert_eq!(subject.store.read_schedule(key("nightly")).await.unwrap(), None);
    let nul = subject.store.put_schedule(put("a\0b", None)).await;
    assert!(matches!(nul, Err(crate::Error::Refused { .. })), "{nul:?}");
}

pub(super) async fn due_schedules_come_with_all_it_takes(subject: Subject) {
    let nothing = subject.store.due_schedules(10).await.unwrap();
    assert_eq!((nothing.due.len(), nothing.next_due_in), (0, None));
    let now = subject.store.now().await.unwrap();
    let tomorrow = Timestamp(now.0 + DAY_US);
    for (name, next_run_at) in
        [("late", Some(Timestamp(2))), ("first", Some(Timestamp(1))), ("over", None), ("later", Some(tomorrow))]
    {
        subject.store.put_schedule(put(name, next_run_at)).await.unwrap().unwrap();
    }
    let paused = PutSchedule { status: ScheduleStatus::Paused, ..put("paused", Some(Timestamp(0))) };
    subject.store.put_schedule(paused).await.unwrap().unwrap();

    let found = subject.store.due_schedules(10).await.unwrap();
    let names: Vec<&str> = found.due.iter().map(|due| due.schedule.key.schedule_name.as_str()).collect();
    assert_eq!(names, ["first", "late"]);
    assert_eq!((found.due[0].active_version_id, found.due[0].live.len()), (None, 0));
    assert!(found.due[0].now >= now);
    let in_us = found.next_due_in.expect("the next one").as_micros() as i64;
    assert!((DAY_US - 60_000_000..=DAY_US).contains(&in_us), "{in_us}");
    assert_eq!(subject.store.due_schedules(1).await.unwrap().due.len(), 1);

    let version = subject.version("billing").await;
    let newest = crate::NewVersion {
        workflow_name: "billing".into(),
        workflow_version: "2".into(),
        ir_hash: "another".into(),
        program_proto: vec![4],
        source: None,
    };
    let newest = subject.store.register_version(newest).await.unwrap().workflow_version_id;
    let id = found.due[0].schedule.schedule_id;
    let own = NewInstance { schedule_id: Some(id), ..new_instance(version) };
    subject.store.queue_instances(vec![own.clone(), new_instance(version)]).await.unwrap();
    let found = subject.store.due_schedules(10).await.unwrap();
    assert_eq!((found.due[0].active_version_id, &found.due[0].live), (Some(newest), &vec![own.instance_id]));
    assert!(found.due[1].live.is_empty());

    let claimed = subject.claim(10).await.into_iter().find(|claimed| claimed.lease.instance_id == own.instance_id);
    let end = Progress {
        next: Next::Finish(Ending::Completed { result: Vec::new() }),
        ..Progress::new(claimed.expect("it was due").lease, 0, events(1..=1))
    };
    subject.commit(end).await;
    assert!(subject.read("first").await.live.is_empty(), "it has finished");
}

pub(super) async fn a_firing_happens_once(subject: Subject) {
    let version = subject.version("billing").await;
    subject.store.put_schedule(put("nightly", Some(Timestamp(1)))).await.unwrap().unwrap();
    let due = subject.store.due_schedules(10).await.unwrap().due.remove(0);
    let id = due.schedule.schedule_id;
    let tagged = NewInstance { schedule_id: Some(id), tags: vec!["nightly".into()], ..new_instance(version) };
    let fire = firing(&due, vec![tagged.clone()]);
    let mut changes = subject.store.changes();
    assert_eq!(subject.store.fire_schedules(vec![fire.clone()]).await.unwrap(), [Fired::Done { started: 1 }]);
    assert_eq!(changes.recv().await.unwrap(), Change::Work);
    // Another host has seen the same.
    let other = firing(&due, vec![NewInstance { schedule_id: Some(id), ..new_instance(version) }]);
    assert_eq!(subject.store.fire_schedules(vec![other, fire]).await.unwrap(), [Fired::Moved, Fired::Moved]);

    let seen = subject.read("nightly").await;
    assert_eq!(seen.live, [tagged.instance_id]);
    let row = seen.schedule;
    assert_eq!((row.revision, row.runs, row.overlapped, row.missed), (2, 1, 1, 2));
    assert_eq!((row.last_run_at, row.last_instance_id), (Some(Timestamp(2_000)), Some(tagged.instance_id)));
    assert_eq!((row.position.handled_until, row.position.next_run_at), (Timestamp(2_000), Some(Timestamp(3_000))));
    assert_eq!(subject.instance(tagged.instance_id).await.unwrap().schedule_id, Some(id));
    assert_eq!(subject.claim(10).await.len(), 1);

    // What is there already is left as it is; a schedule that is gone fires nothing.
    let again = subject.read("nightly").await;
    let both = vec![tagged, NewInstance { schedule_id: Some(id), ..new_instance(version) }];
    let answers = subject.store.fire_schedules(vec![firing(&again, both)]).await.unwrap();
    assert_eq!(answers, [Fired::Done { started: 1 }]);
    let last = subject.read("nightly").await;
    subject.store.delete_schedule(key("nightly")).await.unwrap();
    let late = firing(&last, vec![new_instance(version)]);
    assert_eq!(subject.store.fire_schedules(vec![late.clone()]).await.unwrap(), [Fired::Moved]);
    assert_eq!(subject.instance(late.instances[0].instance_id).await, None);
}

pub(super) async fn what_is_fired_into_a_limited_queue_has_its_turn(subject: Subject) {
    let version = subject.version("billing").await;
    let limited = QueueSettings { name: "default".into(), concurrency: Some(1), ..QueueSettings::default() };
    subject.store.put_queue(limited).await.unwrap();
    subject.store.put_schedule(put("nightly", Some(Timestamp(1)))).await.unwrap().unwrap();
    let due = subject.read("nightly").await;
    let both = vec![new_instance(version), new_instance(version)];
    let ids: Vec<Uuid> = both.iter().map(|new| new.instance_id).collect();
    assert_eq!(subject.store.fire_schedules(vec![firing(&due, both)]).await.unwrap(), [Fired::Done { started: 2 }]);
    let claimed = subject.claim(10).await;
    assert_eq!(claimed.len(), 1);
    assert!(ids.contains(&claimed[0].lease.instance_id));
}

pub(super) async fn hosts_that_fire_at_once_fire_once(subject: Subject) {
    let version = subject.version("billing").await;
    subject.store.put_schedule(put("nightly", Some(Timestamp(1)))).await.unwrap().unwrap();
    let due = subject.read("nightly").await;
    let attempts = (0..8).map(|_| {
        let store = subject.store.clone();
        let firing = firing(&due, vec![new_instance(version)]);
        tokio::spawn(async move { store.fire_schedules(vec![firing]).await.unwrap().remove(0) })
    });
    let mut answers = Vec::new();
    for attempt in attempts.collect::<Vec<_>>() {
        answers.push(attempt.await.unwrap());
    }
    assert_eq!(answers.iter().filter(|answer| matches!(answer, Fired::Done { .. })).count(), 1, "{answers:?}");
    assert_eq!(subject.claim(10).await.len(), 1);
    assert_eq!(subject.read("nightly").await.schedule.runs, 1);
}

pub(super) async fn a_firing_tells_who_is_to_end(subject: Subject) {
    let version = subject.version("billing").await;
    let running = new_instance(version);
    subject.store.queue_instances(vec![running.clone()]).await.unwrap();
    subject.store.put_schedule(put("nightly", Some(Timestamp(1)))).await.unwrap().unwrap();
    let due = subject.read("nightly").await;
    // One of them is long gone.
    let messages = vec![signal(running.instance_id, "cancel"), signal(Uuid::now_v7(), "cancel")];
    let fire = Firing { messages, ..firing(&due, vec![new_instance(version)]) };
    let late = Firing { expected_revision: 7, messages: vec![signal(running.instance_id, "again")], ..fire.clone() };
    let answers = subject.store.fire_schedules(vec![late, fire]).await.unwrap();
    assert_eq!(answers, [Fired::Moved, Fired::Done { started: 1 }]);
    let inbox = subject.store.read_inbox(vec![running.instance_id]).await.unwrap().remove(0);
    assert_eq!((inbox.wake_seq, inbox.rows.len(), inbox.rows[0].name.as_str()), (1, 1, "cancel"));

    // What can't be stored changes nothing, and takes nobody with it.
    let due = subject.read("nightly").await;
    let bad = NewInstance { queue: "a\0b".into(), ..new_instance(version) };
    let answers = subject.store.fire_schedules(vec![firing(&due, vec![new_instance(version), bad])]).await.unwrap();
    assert!(matches!(answers[0], Fired::Refused { .. }), "{answers:?}");
    assert_eq!(subject.read("nightly").await.schedule, due.schedule);
}
