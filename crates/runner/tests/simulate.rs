//! The simulator itself, on programs that meet the world: retries, delays, signals, pauses, cancellation, children. Each runs
//! straight through and resumed at every event.

use waymark_ir::Value;
use waymark_runner::instance::{Effect, Ending, Position, Waits};
use waymark_runner::simulate::{Injection, Reply, Report, START_US, Script, Stop, check, check_with, lower};
use waymark_runner::{Event, Instance, Limits};

fn scripted(program: &str, script: Script) -> Report {
    check_with(program, Vec::new(), script, |simulator| simulator)
}

fn seconds(report: &Report) -> f64 {
    (report.ended_us - START_US) as f64 / 1e6
}

#[test]
fn actions_return_their_arguments_unless_told_otherwise() {
    let report = check("fn main():\n    print('before')\n    a = @one(1, x=2)\n    return a\n");
    assert_eq!(report.dispatched(), ["one"]);
    assert_eq!(report.lines(), ["before"]);
    let echoed = vec![(Value::Int(0), Value::Int(1)), (Value::str("x"), Value::Int(2))];
    assert_eq!(report.value(), Some(&Value::Dict(echoed)));
}

#[test]
fn failures_are_retried_with_backoff() {
    let program = "fn main():\n    return @flaky() [retry: 3, backoff: 2s]\n";
    let script = Script::default().action(
        "flaky",
        [
            Reply::failure("ValueError", "one"),
            Reply::failure("ValueError", "two").after(1.0),
            Reply::value(Value::Int(7)),
        ],
    );
    let report = scripted(program, script);
    assert_eq!((report.value(), seconds(&report)), (Some(&Value::Int(7)), 7.0));
    let script = Script::default().action("flaky", [Reply::failure("ValueError", "always")]);
    let Some(Ending::Failed(error)) = scripted(program, script).ending().cloned() else { panic!("it fails") };
    assert_eq!((error.type_name.as_str(), error.args), ("ValueError", vec![Value::str("always")]));
}

#[test]
fn an_attempt_may_take_too_long() {
    let program =
        "fn main():\n    try:\n        @slow() [timeout: 3s]\n    except TimeoutError:\n        return 'late'\n";
    let script = Script::default().action("slow", [Reply::value(Value::None).after(9.0)]);
    let report = scripted(program, script);
    assert_eq!((report.value(), seconds(&report)), (Some(&Value::str("late")), 3.0));
    assert!(report.effects.iter().any(|(_, effect)| matches!(effect, Effect::CancelAttempt { .. })));
}

#[test]
fn signals_arrive_at_their_time() {
    let program = "fn main():\n    a = await waymark.wait_for_signal('go')\n    b = await waymark.wait_for_signal('go')\n    return [a, b]\n";
    let signal = |number| Injection::Signal { name: "go".into(), payload: Value::Int(number) };
    let script = Script::default().inject(2.0, signal(2)).inject(1.0, signal(1));
    let report = scripted(program, script);
    assert_eq!(report.value(), Some(&Value::List(vec![Value::Int(1), Value::Int(2)])));
    assert_eq!(seconds(&report), 2.0);
    assert_eq!(check(program).stop, Stop::Waiting);
}

#[test]
fn a_cancelled_instance_cleans_up() {
    let program = "fn main():\n    try:\n        await asyncio.sleep(100)\n    finally:\n        @clean()\n        print('cleaned')\n";
    let script = Script::default().inject(5.0, Injection::Cancel { reason: Some("enough".into()) });
    let report = scripted(program, script);
    assert!(
        matches!(report.ending(), Some(Ending::Cancelled(error)) if error.args == [Value::str("enough")]),
        "{report:?}"
    );
    assert_eq!((report.lines(), report.dispatched()), (vec!["cleaned"], vec!["clean"]));
}

#[test]
fn nothing_moves_while_paused() {
    let program = "fn main():\n    a = @work()\n    print('went on')\n    return a\n";
    let script = Script::default()
        .action("work", [Reply::value(Value::Int(1)).after(2.0)])
        .inject(1.0, Injection::Pause)
        .inject(8.0, Injection::Resume);
    let report = scripted(program, script);
    assert_eq!((report.value(), seconds(&report)), (Some(&Value::Int(1)), 8.0));
}

#[test]
fn what_never_answers_is_waited_for() {
    let program = "fn main():\n    return @hang()\n";
    let script = Script::default().action("hang", [Reply::never()]);
    assert_eq!(scripted(program, script.clone()).stop, Stop::Waiting);
    let script = script.inject(3.0, Injection::Cancel { reason: None });
    assert!(matches!(scripted(program, script).ending(), Some(Ending::Cancelled(_))));
}

#[test]
fn an_attempt_that_will_not_stop_is_given_up() {
    let program = "fn main():\n    try:\n        async with asyncio.timeout(1):\n            @stubborn() [grace: 4s]\n    except TimeoutError:\n        return 'gave up'\n";
    let script = Script::default().action("stubborn", [Reply::value(Value::Int(1)).after(60.0).ignoring_cancel()]);
    let report = scripted(program, script);
    assert_eq!((report.value(), seconds(&report)), (Some(&Value::str("gave up")), 5.0));
}

#[test]
fn children_answer_like_actions() {
    let program = "fn main():\n    return @workflow child(n=3)\n";
    let report = scripted(program, Script::default().action("child", [Reply::value(Value::str("done")).after(4.0)]));
    assert_eq!((report.value(), seconds(&report)), (Some(&Value::str("done")), 4.0));
    assert!(report.effects.iter().any(|(_, effect)| matches!(effect, Effect::StartChild(_))));
}

#[test]
fn events_are_bounded() {
    let program = "fn main():\n    while True:\n        await asyncio.sleep(1)\n";
    let report = check_with(program, Vec::new(), Script::default(), |simulator| simulator.events_max(20));
    assert_eq!((report.stop.clone(), report.events), (Stop::TooManyEvents, 20));
}

/// One that never waits, an exploding integer, a string that doubles for ever: errors of the program.
#[test]
fn what_explodes_ends_in_an_error_of_the_program() {
    for (body, error) in [
        ("while True:\n        pass", "waymark.LimitExceeded"),
        ("return 10 ** 10 ** 9", "MemoryError"),
        ("s = 'x'\n    while True:\n        s = s + s", "MemoryError"),
        ("xs = [0]\n    while True:\n        xs = xs + xs", "MemoryError"),
        ("n = 2\n    while True:\n        n = n * n", "waymark.LimitExceeded"),
    ] {
        let program = format!("fn main():\n    {body}\n");
        let lowered = waymark_runner::simulate::lower(&program).expect("it lowers");
        let limits = waymark_runner::Limits { steps_max: 100_000, value_bytes_max: 1 << 16, ..Default::default() };
        let report = waymark_runner::simulate::Simulator::new(lowered, limits).run(Vec::new()).expect("it runs");
        assert!(
            matches!(report.ending(), Some(Ending::Failed(failure)) if failure.type_name == error),
            "{body}: {:?}",
            report.stop
        );
    }
}

#[test]
fn a_wait_names_its_signal() {
    let report = scripted("fn main():\n    await waymark.wait_for_signal('approved')\n", Script::default());
    assert_eq!(report.stop, Stop::Waiting);
    assert!(
        matches!(&report.positions[..], [Position { line: 2, waits: Waits::Signal { name }, .. }] if &**name == "approved")
    );
}

#[test]
fn cancellation_comes_through_long_chains_and_circles() {
    let chain = "fn follow(input: [task], output: []):\n    return await task\nfn main():\n    \
                 task = asyncio.create_task(asyncio.sleep(10))\n    for _ in range(20000):\n        \
                 task = asyncio.create_task(follow(task))\n    await asyncio.sleep(1)\n    task.cancel()\n    \
                 try:\n        await task\n    except asyncio.CancelledError:\n        return 'cancelled'\n";
    assert_eq!(check(chain).value(), Some(&Value::str("cancelled")));
    let circle = "fn own():\n    try:\n        await asyncio.gather(asyncio.current_task(), asyncio.sleep(9))\n    \
                  finally:\n        print('cleaned up')\nfn main():\n    task = asyncio.create_task(own())\n    \
                  await asyncio.sleep(1)\n    task.cancel()\n    await asyncio.sleep(20)\n    return task.cancelled()\n";
    let report = check(circle);
    assert_eq!((report.lines(), report.value()), (vec!["cleaned up"], Some(&Value::Bool(true))));
}

#[test]
fn waits_for_signals_that_timed_out_leave_nothing_behind() {
    let program = "fn main():\n    while True:\n        try:\n            async with asyncio.timeout(1):\n                \
                   await waymark.wait_for_signal('never')\n        except TimeoutError:\n            pass\n";
    let mut instance = Instance::new(1, lower(program).expect("a program"), Limits::default());
    instance.apply(0, Event::Started { inputs: Vec::new() }).expect("starts");
    let mut sizes = (0..200).map(|_| {
        let deadline = instance.next_deadline().expect("a timer");
        instance.apply(deadline, Event::DeadlineReached).expect("goes on");
        instance.snapshot().len()
    });
    let early = sizes.nth(10).expect("a size");
    let late = sizes.last().expect("a size");
    assert!(late < early + 200, "{early} bytes became {late}");
}
