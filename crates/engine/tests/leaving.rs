//! Single instances and a shard, step by step: one that is due by the database's clock does not come and go until it is due by ours, a
//! parent that ends stops the very child that runs, in the commit that ends it, and mail that comes together is read together.

use std::collections::VecDeque;
use std::sync::Arc;

use uuid::Uuid;
use waymark_engine::{
    Admission, Command, Completion, Input, JobKey, JobOutcome, Mail, Options, Report, Sabotage, Shard, Turn,
    child_instance_id, lower,
};
use waymark_ir::exceptions::exception;
use waymark_ir::{Value, wire};
use waymark_runner::{Event, ExecutionId, Limits, Outcome};
use waymark_store::{
    ClaimedInstance, Committed, InboxRow, InboxView, Lease, LogRow, Next, Progress, Queued, Timestamp, WorkflowVersion,
};

const SECOND: i64 = 1_000_000;

fn version(program: &str) -> WorkflowVersion {
    let program = waymark_ir::text::parse("work", program).program;
    WorkflowVersion {
        workflow_version_id: Uuid::nil(),
        workflow_name: "work".into(),
        workflow_version: "1".into(),
        ir_hash: String::new(),
        program_proto: wire::encode(&program),
        source: None,
        created_at: Timestamp(0),
        activated_at: Timestamp(0),
    }
}

/// One instance, and all that it has committed.
struct One {
    shard: Shard,
    program: WorkflowVersion,
    instance_id: Uuid,
    log: Vec<LogRow>,
    commits: Vec<Arc<Progress>>,
    /// Names of workflows whose versions were asked for.
    asked: Vec<String>,
    /// By ordinal: jobs that workers were given, and those that were taken back.
    run: Vec<u64>,
    cancelled: Vec<u64>,
}

impl One {
    fn new(program: &str) -> One {
        One {
            shard: Shard::new(Options {
                limits: Limits { steps_max: 10_000, ..Limits::default() },
                ..Options::default()
            }),
            program: version(program),
            instance_id: Uuid::now_v7(),
            log: Vec::new(),
            commits: Vec::new(),
            asked: Vec::new(),
            run: Vec::new(),
            cancelled: Vec::new(),
        }
    }

    /// Children that were started, and instances that were written to, in the order of the commits.
    fn children(&self) -> Vec<Uuid> {
        self.commits.iter().flat_map(|commit| &commit.children).map(|child| child.instance_id).collect()
    }

    fn told(&self) -> Vec<Uuid> {
        self.commits.iter().flat_map(|commit| &commit.messages).map(|message| message.instance_id).collect()
    }

    /// Carries out what follows from an input, on a store that accepts everything.
    fn handle(&mut self, now_us: i64, input: Input) {
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            let turn = self.shard.handle(now_us, input);
            for commit in turn.news.commits {
                let accepted = commit.progress.iter().map(|progress| Committed::Accepted {
                    wake_seq: 0,
                    released: progress.next != Next::Hold,
                    children: vec![Queued::Started; progress.children.len()],
                });
                inputs.push_back(Input::Committed(commit.ticket, Ok(accepted.collect())));
                self.log.extend(commit.progress.iter().flat_map(|progress| progress.log.clone()));
                self.commits.extend(commit.progress);
            }
            for command in turn.commands {
                match &command {
                    Command::Run(job) => self.run.push(job.key().ordinal),
                    Command::Cancel(key) => self.cancelled.push(key.ordinal),
                    _ => {}
                }
                if let Command::FindVersions(ticket, names) = command {
                    self.asked.extend(names.iter().map(|name| name.to_string()));
                    let versions = names.into_iter().map(|name| {
                        let version = (&*name != "unknown").then_some(Uuid::nil());
                        (name, version)
                    });
                    inputs.push_back(Input::Versions(ticket, Ok(versions.collect())));
                }
            }
        }
    }

    fn row(&self, event: Event, arrived_at: Timestamp) -> InboxRow {
        let mail = match event {
            Event::Settled { ordinal, attempt, outcome } => {
                let execution = ExecutionId { instance: self.instance_id.as_u128(), epoch: 0, ordinal };
                let child = child_instance_id(execution, attempt);
                Mail::from_child(self.instance_id, child, &format!("{ordinal}/{attempt}"), outcome).unwrap()
            }
            event => Mail { instance_id: self.instance_id, message_id: Uuid::now_v7(), event },
        };
        let mail = mail.into_message();
        let (message_id, kind, name, payload) = (mail.message_id, mail.kind, mail.name, mail.payload);
        InboxRow { message_id, kind, name, payload, arrived_at }
    }

    /// It is due by the database's clock, and claimed, with mail.
    fn claim(&mut self, now_us: i64, scheduled_at: Timestamp, mail: Option<Event>) {
        let instance = ClaimedInstance {
            lease: Lease { instance_id: self.instance_id, lock_uuid: Uuid::now_v7() },
            workflow_version_id: Uuid::nil(),
            workflow_name: "work".into(),
            user_key: None,
            parent: None,
            queue: "default".into(),
            priority: 1,
            inputs: Vec::new(),
            snapshot: None,
            log: self.log.clone(),
            inbox: mail.into_iter().map(|event| self.row(event, scheduled_at)).collect(),
            routed: Vec::new(),
            seq: self.log.len() as i64,
            wake_seq: 0,
            claims: if self.run.is_empty() { 1 } else { 2 },
            scheduled_at,
            created_at: Timestamp(0),
            deadline_at: None,
        };
        let lowered = lower(Uuid::nil(), Some(self.program.clone())).unwrap();
        self.handle(now_us, Input::Admit(vec![Admission { lowered, ours_until_us: i64::MAX, instance }]));
    }
}

/// The database's clock is ahead of ours by ten seconds.
#[test]
fn one_that_is_due_for_the_database_only_stays_until_it_is_due_for_us() {
    let mut one = One::new("fn main():\n    await asyncio.sleep(60)\n    return 1\n");
    one.claim(0, Timestamp(0), None);
    let Next::Sleep { scheduled_at, .. } = one.commits[0].next else { panic!("{:?}", one.commits) };
    assert_eq!((scheduled_at, one.shard.len()), (Timestamp(60 * SECOND), 0));
    one.claim(50 * SECOND, scheduled_at, None);
    assert_eq!((one.commits.len(), one.shard.len()), (1, 1), "given back, it would be claimed again at once");
    one.handle(60 * SECOND, Input::Time);
    assert!(matches!(one.commits.last().map(|last| &last.next), Some(Next::Finish(_))), "{:?}", one.commits);
}

/// We were stopped for longer than its lease lasts, and its worker was not: the outcome comes when we have claimed it again, and asked again.
#[test]
fn an_outcome_of_before_takes_back_what_was_asked_for_again() {
    let mut one = One::new("fn main():\n    a = @work()\n    b = @work()\n    return b\n");
    one.claim(0, Timestamp(0), None);
    one.claim(SECOND, Timestamp(0), None);
    assert_eq!((&one.run[..], &one.cancelled[..]), (&[1, 1][..], &[1][..]));
    let completed = |ordinal| {
        let key = JobKey { instance_id: one.instance_id, ordinal, attempt: 1 };
        let outcome = JobOutcome::Action(Outcome::Completed(Value::Int(1)));
        Input::Reported(Report::Completed(Completion { key, outcome, worker: None, started_at_us: None }))
    };
    let (first, second) = (completed(1), completed(2));
    one.handle(SECOND, first);
    assert_eq!((&one.run[..], &one.cancelled[..]), (&[1, 1, 2][..], &[1, 1][..]));
    // It was never asked for before: there is nothing to take back.
    one.handle(SECOND, second);
    assert_eq!((one.run.len(), one.cancelled.len()), (3, 2));
    assert!(matches!(one.commits.last().map(|last| &last.next), Some(Next::Finish(_))), "{:?}", one.commits);
}

/// A bug of ours in one instance is that instance's end, not its neighbours'.
#[test]
fn one_that_panics_is_stuck_and_the_others_go_on() {
    let mut one = One::new("fn main():\n    return @work()\n");
    one.shard = Shard::new(Options { sabotage: Some(Sabotage::Panic), ..Options::default() });
    let broken = one.instance_id;
    one.claim(0, Timestamp(0), None);
    one.instance_id = Uuid::now_v7();
    one.log.clear();
    one.claim(0, Timestamp(0), None);
    let settled = |instance_id, outcome| {
        let key = JobKey { instance_id, ordinal: 1, attempt: 1 };
        let outcome = JobOutcome::Action(outcome);
        Input::Reported(Report::Completed(Completion { key, outcome, worker: None, started_at_us: None }))
    };
    // Their first steps are committed.
    one.handle(SECOND, Input::Time);
    let turn = one.shard.handle(SECOND, settled(broken, Outcome::Failed(exception("ValueError", Vec::new()))));
    let stuck = turn.commands.iter().find_map(|command| match command {
        Command::MarkStuck(stuck) => stuck.first(),
        _ => None,
    });
    let (lease, reason) = stuck.unwrap_or_else(|| panic!("it is not stuck: {turn:?}"));
    assert_eq!((lease.instance_id, reason.contains("a bug"), reason.contains("sabotaged")), (broken, true, true));
    let commits = one.commits.len();
    one.handle(SECOND, settled(one.instance_id, Outcome::Completed(Value::Int(1))));
    let ended = one.commits[commits..]
        .iter()
        .any(|commit| commit.lease.instance_id == one.instance_id && matches!(commit.next, Next::Finish(_)));
    assert!(ended, "{:?}", one.commits);
}

#[test]
fn the_attempt_of_a_child_that_runs_is_stopped() {
    let mut one = One::new("fn main():\n    return @workflow child() [retry: 3]\n");
    one.claim(0, Timestamp(0), None);
    let execution = ExecutionId { instance: one.instance_id.as_u128(), epoch: 0, ordinal: 1 };
    assert_eq!(one.children(), [child_instance_id(execution, 1)]);
    let outcome = Outcome::Failed(exception("ValueError", Vec::new()));
    let failed = Event::Settled { ordinal: execution.ordinal, attempt: 1, outcome };
    one.claim(SECOND, Timestamp(SECOND), Some(failed));
    assert_eq!(one.children().last(), Some(&child_instance_id(execution, 2)), "it is tried again");
    one.claim(2 * SECOND, Timestamp(2 * SECOND), Some(Event::Cancel { reason: None }));
    assert_eq!(one.told(), [child_instance_id(execution, 2)]);
}

/// Nobody claims a finished parent again: what it does not say in its last commit may never be said.
#[test]
fn a_parent_that_ends_stops_its_children_in_the_same_commit() {
    // It is ended because it never stops, whatever is raised: its tasks are not waited for then.
    let mut one = One::new(
        "fn one():\n    return @workflow child()\nfn main():\n    task = asyncio.create_task(one())\n    \
         await asyncio.sleep(1)\n    while True:\n        try:\n            while True:\n                task.done()\n        \
         except BaseException:\n            pass\n",
    );
    one.claim(0, Timestamp(0), None);
    one.handle(SECOND, Input::Time);
    let last = one.commits.last().unwrap();
    assert!(matches!(last.next, Next::Finish(_)), "{last:?}");
    let told: Vec<Uuid> = last.messages.iter().map(|message| message.instance_id).collect();
    assert_eq!(told, one.children());
}

#[test]
fn a_thousand_children_are_one_commit() {
    let mut one = One::new("fn main():\n    return spread range(1000):n -> @workflow child(n=n)\n");
    one.claim(0, Timestamp(0), None);
    assert_eq!(one.commits.iter().map(|commit| commit.children.len()).collect::<Vec<_>>(), [1000, 0]);
    assert_eq!(one.asked, ["child"], "once for all of them");
    let seconds: Vec<bool> = one.commits.iter().map(|commit| commit.next == Next::Hold).collect();
    assert_eq!((seconds, one.shard.len()), (vec![true, false], 0), "then it sleeps");
    // Who comes back to it does not start them again.
    one.claim(SECOND, Timestamp(SECOND), None);
    assert_eq!((one.children().len(), one.asked.len()), (1000, 1));
}

#[test]
fn a_child_of_no_workflow_fails() {
    let mut one = One::new(
        "fn main():\n    handle = await waymark.start_workflow('unknown', {}, {})\n    try:\n        await handle.result()\n    \
         except RuntimeError as error:\n        return str(error)\n",
    );
    one.claim(0, Timestamp(0), None);
    let Some(Next::Finish(ending)) = one.commits.last().map(|last| last.next.clone()) else {
        panic!("{:?}", one.commits)
    };
    let result = waymark_ir::payload::encode(&waymark_ir::Value::str("there is no workflow unknown"));
    assert_eq!((ending, one.children()), (waymark_store::Ending::Completed { result }, Vec::new()));
}

#[test]
fn what_is_said_to_a_child_goes_with_the_commit() {
    let mut one = One::new(
        "fn main():\n    handle = await waymark.start_workflow('child', {}, {'parent_close': 'abandon'})\n    \
         await handle.signal('go', 1)\n",
    );
    one.claim(0, Timestamp(0), None);
    let last = one.commits.last().unwrap();
    assert!(matches!(last.next, Next::Finish(_)), "{last:?}");
    assert_eq!((last.children.len(), one.told()), (1, one.children()));
}

#[test]
fn mail_that_comes_together_is_read_together() {
    let mut one = One::new("fn main():\n    return @work()\n");
    one.claim(0, Timestamp(0), None);
    let changes = || (0..1_000).map(|_| Input::Mail(one.instance_id));
    let reads = |turn: Turn| -> Vec<u64> {
        let ticket = |command| if let Command::ReadInbox(ticket, _) = command { Some(ticket) } else { None };
        turn.commands.into_iter().filter_map(ticket).collect()
    };
    let first = reads(one.shard.handle_all(1, changes().collect::<Vec<_>>()));
    assert_eq!(first.len(), 1);
    // What came while it was read may not have been in it.
    let second = reads(one.shard.handle(2, Input::Inbox(first[0], Ok(Vec::new()))));
    assert_eq!(second.len(), 1);
    assert!(reads(one.shard.handle(3, Input::Inbox(second[0], Ok(Vec::new())))).is_empty());
}

/// Its worker has stored what came of it and died before it said so, or somebody elsewhere has run it.
#[test]
fn what_is_settled_in_the_mail_is_not_begun_again() {
    let mut one = One::new("fn main():\n    a = @work()\n    return a + @work()\n");
    one.claim(0, Timestamp(0), None);
    one.handle(SECOND, Input::Time);
    assert_eq!((&one.run[..], &one.cancelled[..]), (&[1][..], &[][..]));
    let settled = Event::Settled { ordinal: 1, attempt: 1, outcome: Outcome::Completed(Value::Int(3)) };
    let row = one.row(settled, Timestamp(0));
    let turn = one.shard.handle(SECOND, Input::Mail(one.instance_id));
    let [Command::ReadInbox(ticket, _)] = turn.commands[..] else { panic!("{turn:?}") };
    let view = InboxView { instance_id: one.instance_id, wake_seq: 1, rows: vec![row] };
    one.handle(SECOND, Input::Inbox(ticket, Ok(vec![view])));
    assert_eq!((&one.run[..], &one.cancelled[..]), (&[1, 2][..], &[1][..]));
}
