//! What comes from outside while a program runs: cancel, pause, signals, completions in any order, a clock that jumps.

mod trace;

use trace::{check_all, run, trace as lines, value};
use waymark_ir::Value;
use waymark_runner::simulate::{Script, Stop, check, check_with, lower};
use waymark_runner::{ApplyError, Effect, Ending, Event, Instance, Limits, Outcome};

const CANCEL: &str = r#"{"actions": {"slow": {"never": true}}, "events": [{"at": 2, "cancel": "not needed"}]}"#;

#[test]
fn cancelling() {
    check_all(&[
        (
            "asleep",
            CANCEL,
            "fn main():\n    try:\n        await asyncio.sleep(9)\n    except asyncio.CancelledError as error:\n        print('cancelled', error.args)\n        raise\n    finally:\n        print('finally')\n",
            r#"
            2 "cancelled ('not needed',)"
            2 "finally"
            2 cancelled asyncio.CancelledError("not needed")"#,
        ),
        (
            "in an action",
            CANCEL,
            "fn main():\n    try:\n        @slow()\n    finally:\n        print('finally')\n",
            r#"
            0 @slow#1.1()
            2 stop #1.1
            2 "finally"
            2 cancelled asyncio.CancelledError("not needed")"#,
        ),
        (
            "in an action that does not stop",
            r#"{"actions": {"slow": {"never": true, "ignores_cancel": true}}, "events": [{"at": 2, "cancel": null}]}"#,
            "fn main():\n    try:\n        @slow() [grace: 3s]\n    finally:\n        print('finally')\n",
            r#"
            0 @slow#1.1()
            2 stop #1.1
            5 "finally"
            5 cancelled asyncio.CancelledError()"#,
        ),
        (
            "in an action that fails while it stops",
            r#"{"actions": {"slow": {"fail": "OSError", "after": 3, "ignores_cancel": true}}, "events": [{"at": 2, "cancel": "x"}]}"#,
            "fn main():\n    @slow() [retry: 5]\n",
            r#"
            0 @slow#1.1()
            2 stop #1.1
            3 cancelled asyncio.CancelledError("x")"#,
        ),
        // What was done is known to the program; the cancellation shows where it next waits.
        (
            "in an action that completes while it should stop",
            r#"{"actions": {"slow": {"return": 1, "after": 3, "ignores_cancel": true}}, "events": [{"at": 2, "cancel": "x"}]}"#,
            "fn main():\n    a = @slow()\n    await asyncio.sleep(1)\n    return a\n",
            r#"
            0 @slow#1.1()
            2 stop #1.1
            3 cancelled asyncio.CancelledError("x")"#,
        ),
        (
            "between two attempts",
            r#"{"actions": {"f": {"fail": "OSError"}}, "events": [{"at": 2, "cancel": null}]}"#,
            "fn main():\n    @f() [retry: 2, backoff: 9s]\n",
            r#"
            0 @f#1.1()
            2 cancelled asyncio.CancelledError()"#,
        ),
        (
            "while a timeout is being waited for",
            r#"{"actions": {"slow": {"never": true, "ignores_cancel": true}}, "events": [{"at": 2, "cancel": null}]}"#,
            "fn main():\n    @slow() [timeout: 1s, grace: 4s]\n",
            r#"
            0 @slow#1.1()
            1 stop #1.1
            5 cancelled asyncio.CancelledError()"#,
        ),
        (
            "in a gather",
            CANCEL,
            "fn one(input: [n]):\n    try:\n        @slow(n)\n    finally:\n        print('finally', n)\nfn main():\n    await asyncio.gather(one(1), one(2), asyncio.sleep(9))\n",
            r#"
            0 @slow#1.1(1)
            0 @slow#2.1(2)
            2 stop #1.1
            2 stop #2.1
            2 "finally 1"
            2 "finally 2"
            2 cancelled asyncio.CancelledError("not needed")"#,
        ),
        (
            "in a spread",
            CANCEL,
            "fn main():\n    try:\n        spread [1, 2]:n -> @slow(n)\n    except asyncio.CancelledError:\n        return 'swallowed'\n",
            r#"
            0 @slow#1.1(1)
            0 @slow#2.1(2)
            2 stop #1.1
            2 stop #2.1
            2 completed "swallowed""#,
        ),
        (
            "in a group",
            CANCEL,
            "fn one(input: [n]):\n    try:\n        await asyncio.sleep(9)\n    finally:\n        print('finally', n)\nfn main():\n    async with asyncio.TaskGroup() as group:\n        group.create_task(one(1))\n        group.create_task(one(2))\n",
            r#"
            2 "finally 1"
            2 "finally 2"
            2 cancelled asyncio.CancelledError("not needed")"#,
        ),
        (
            "waiting for a signal; the signal is still there for the cleanup",
            r#"{"events": [{"at": 2, "cancel": null}, {"at": 3, "signal": "go", "payload": 7}]}"#,
            "fn main():\n    try:\n        await waymark.wait_for_signal('go')\n    finally:\n        print(await waymark.wait_for_signal('go'))\n",
            r#"
            3 "7"
            3 cancelled asyncio.CancelledError()"#,
        ),
        (
            "cleanup that waits and calls",
            CANCEL,
            "fn main():\n    try:\n        @slow()\n    finally:\n        await asyncio.sleep(1)\n        print(@refund(1))\n",
            r#"
            0 @slow#1.1()
            2 stop #1.1
            3 @refund#2.1(1)
            3 "{0: 1}"
            3 cancelled asyncio.CancelledError("not needed")"#,
        ),
        (
            "swallowed",
            CANCEL,
            "fn main():\n    try:\n        await asyncio.sleep(9)\n    except asyncio.CancelledError:\n        pass\n    return @f()\n",
            r#"
            2 @f#1.1()
            2 completed {}"#,
        ),
        (
            "except Exception does not catch it",
            CANCEL,
            "fn main():\n    try:\n        await asyncio.sleep(9)\n    except Exception:\n        return 'caught'\n",
            r#"
            2 cancelled asyncio.CancelledError("not needed")"#,
        ),
        (
            "another exception takes its place",
            CANCEL,
            "fn main():\n    try:\n        await asyncio.sleep(9)\n    finally:\n        raise ValueError('cleanup')\n",
            r#"
            2 failed ValueError("cleanup")"#,
        ),
        (
            "a return in finally swallows it",
            CANCEL,
            "fn main():\n    try:\n        await asyncio.sleep(9)\n    finally:\n        return 'done'\n",
            r#"
            2 completed "done""#,
        ),
        (
            "twice: the second interrupts the cleanup",
            r#"{"events": [{"at": 1, "cancel": "one"}, {"at": 2, "cancel": "two"}]}"#,
            "fn main():\n    try:\n        await asyncio.sleep(9)\n    finally:\n        try:\n            await asyncio.sleep(9)\n        except asyncio.CancelledError as error:\n            print(error)\n",
            r#"
            2 "two"
            2 cancelled asyncio.CancelledError("one")"#,
        ),
        (
            "shielded work goes on until the end, then ends too",
            CANCEL,
            "fn work():\n    try:\n        await asyncio.sleep(9)\n    finally:\n        print('work ends')\nfn main():\n    await asyncio.shield(work())\n",
            r#"
            2 "work ends"
            2 cancelled asyncio.CancelledError("not needed")"#,
        ),
        (
            "inside a timeout it is no timeout",
            CANCEL,
            "fn main():\n    try:\n        async with asyncio.timeout(5):\n            await asyncio.sleep(9)\n    except TimeoutError:\n        return 'timeout'\n",
            r#"
            2 cancelled asyncio.CancelledError("not needed")"#,
        ),
        (
            "tasks that are left when the program returns",
            r#"{"actions": {"slow": {"never": true}}}"#,
            "fn work(input: [n]):\n    try:\n        @slow(n)\n    finally:\n        print('finally', n)\n        await asyncio.sleep(1)\n        print('cleaned', n)\nfn main():\n    tasks = [asyncio.create_task(work(n)) for n in range(2)]\n    await asyncio.sleep(1)\n    return 'result'\n",
            r#"
            0 @slow#1.1(0)
            0 @slow#2.1(1)
            1 stop #1.1
            1 stop #2.1
            1 "finally 0"
            1 "finally 1"
            2 "cleaned 0"
            2 "cleaned 1"
            2 completed "result""#,
        ),
        (
            "a task that had no time to start takes one step, as in asyncio",
            "",
            "fn work():\n    print('starts')\n    await asyncio.sleep(0)\n    print('never')\nfn main():\n    asyncio.create_task(work())\n    return 1\n",
            r#"
            0 "starts"
            0 completed 1"#,
        ),
    ]);
}

#[test]
fn pausing() {
    const PAUSED: &str = r#"{"actions": {"f": {"return": 1, "after": 2}, "away": {"fail": "OSError", "after": 2}, "slow": {"never": true}},
        "events": [{"at": 1, "pause": true}, {"at": 3, "signal": "go", "payload": "a"}, {"at": 4, "signal": "go", "payload": "b"}, {"at": 10, "resume": true}]}"#;
    check_all(&[
        (
            "an outcome is kept",
            PAUSED,
            "fn main():\n    print(@f())\n    return @f()\n",
            r#"
            0 @f#1.1()
            10 "1"
            10 @f#2.1()
            12 completed 1"#,
        ),
        (
            "a failure is tried again afterwards",
            PAUSED,
            "fn main():\n    return @away() [retry: 2]\n",
            r#"
            0 @away#1.1()
            10 @away#1.2()
            12 failed OSError()"#,
        ),
        (
            "so is one that has to wait",
            PAUSED,
            "fn main():\n    return @away() [retry: 2, backoff: 1s]\n",
            r#"
            0 @away#1.1()
            10 @away#1.2()
            12 failed OSError()"#,
        ),
        (
            "timers fire afterwards, in their order",
            PAUSED,
            "fn one(input: [n]):\n    await asyncio.sleep(n)\n    print(n)\nfn main():\n    await asyncio.gather(one(3), one(2), one(11))\n",
            r#"
            10 "2"
            10 "3"
            11 "11"
            11 completed null"#,
        ),
        (
            "a timeout too",
            PAUSED,
            "fn main():\n    return @slow() [timeout: 2s]\n",
            r#"
            0 @slow#1.1()
            10 stop #1.1
            10 failed TimeoutError("slow did not finish within 2 s")"#,
        ),
        (
            "signals are kept in their order",
            PAUSED,
            "fn main():\n    a = await waymark.wait_for_signal('go')\n    b = await waymark.wait_for_signal('go')\n    return [a, b]\n",
            r#"
            10 completed ["a","b"]"#,
        ),
        (
            "one that is cancelled goes on, to clear up",
            r#"{"events": [{"at": 1, "pause": true}, {"at": 2, "cancel": "x"}]}"#,
            "fn main():\n    try:\n        await asyncio.sleep(5)\n    finally:\n        print('finally')\n",
            r#"
            2 "finally"
            2 cancelled asyncio.CancelledError("x")"#,
        ),
        (
            "twice paused, once resumed",
            r#"{"events": [{"at": 1, "pause": true}, {"at": 2, "pause": true}, {"at": 3, "resume": true}, {"at": 3, "resume": true}]}"#,
            "fn main():\n    await asyncio.sleep(5)\n",
            "5 completed null",
        ),
        (
            "for ever",
            r#"{"events": [{"at": 1, "pause": true}]}"#,
            "fn main():\n    await asyncio.sleep(5)\n",
            "1 Waiting",
        ),
    ]);
    let lowered = lower("fn main():\n    await asyncio.sleep(5)\n").expect("a program");
    let mut instance = Instance::new(1, lowered, Limits::default());
    instance.apply(0, Event::Started { inputs: Vec::new() }).expect("a start");
    assert_eq!(instance.next_deadline(), Some(5_000_000));
    instance.apply(1, Event::Pause).expect("a pause");
    assert_eq!(instance.next_deadline(), None, "a paused instance needs no waking");
    assert!(instance.apply(9_000_000, Event::DeadlineReached).expect("a deadline").is_empty());
    instance.apply(9_000_000, Event::Resume).expect("to go on");
    assert_eq!(instance.ending(), Some(&Ending::Completed(Value::None)));
}

#[test]
fn signals() {
    const THREE: &str = r#"{"events": [{"at": 1, "signal": "go", "payload": 1}, {"at": 2, "signal": "go", "payload": 2}, {"at": 3, "signal": "other", "payload": 3}]}"#;
    check_all(&[
        (
            "early ones wait, first in first out",
            THREE,
            "fn main():\n    await asyncio.sleep(5)\n    return [await waymark.wait_for_signal('go'), await waymark.wait_for_signal('go'), await waymark.wait_for_signal('other')]\n",
            "5 completed [1,2,3]",
        ),
        (
            "several wait, each gets one, in turn",
            THREE,
            "fn one(input: [n]):\n    print(n, await waymark.wait_for_signal('go'))\nfn main():\n    await asyncio.gather(one('a'), one('b'))\n",
            r#"
            1 "a 1"
            2 "b 2"
            2 completed null"#,
        ),
        ("by name", THREE, "fn main():\n    return await waymark.wait_for_signal('other')\n", "3 completed 3"),
        (
            "in a race that it wins",
            THREE,
            "fn main():\n    return await asyncio.wait_for(waymark.wait_for_signal('go'), 1.5)\n",
            "1 completed 1",
        ),
        (
            "in a race that it loses: the next one gets it",
            THREE,
            "fn main():\n    try:\n        await asyncio.wait_for(waymark.wait_for_signal('go'), 0.5)\n    except TimeoutError:\n        return await waymark.wait_for_signal('go')\n",
            "1 completed 1",
        ),
        (
            "one that waited was cancelled: the next one gets it",
            THREE,
            "fn one(input: [n]):\n    print(n, await waymark.wait_for_signal('go'))\nfn main():\n    a = asyncio.create_task(one('a'))\n    b = asyncio.create_task(one('b'))\n    await asyncio.sleep(0.5)\n    a.cancel()\n    await b\n",
            r#"
            1 "b 1"
            1 completed null"#,
        ),
        ("none comes", THREE, "fn main():\n    await waymark.wait_for_signal('never')\n", "3 Waiting"),
        (
            "payloads",
            r#"{"events": [{"at": 1, "signal": "go", "payload": {"at": {"$datetime": "2024-01-02T03:04:05"}, "price": {"$decimal": "1.10"}, "tags": [null, true, 1.5]}}]}"#,
            "fn main():\n    order = await waymark.wait_for_signal('go')\n    order['tags'].append(order['at'].year)\n    return [order['price'] * 2, order['tags']]\n",
            r#"1 completed [{"$decimal":"2.20"},[null,true,1.5,2024]]"#,
        ),
        (
            "a name that is no string",
            "",
            "fn main():\n    try:\n        await waymark.wait_for_signal(5)\n    except TypeError as error:\n        return str(error)\n",
            r#"0 completed "the name of a signal must be a string, not 5""#,
        ),
        (
            "a storm",
            r#"{"events": [{"at": 1, "signal": "go", "payload": 1}, {"at": 1, "signal": "go", "payload": 2}, {"at": 1, "signal": "go", "payload": 3}]}"#,
            "fn main():\n    found = []\n    while len(found) < 3:\n        found.append(await waymark.wait_for_signal('go'))\n        await asyncio.sleep(1)\n    return found\n",
            "4 completed [1,2,3]",
        ),
    ]);
}

#[test]
fn a_wide_spread_keeps_its_order() {
    let program = "fn main():\n    return spread range(2000):n -> @f(n)\n";
    let lowered = lower(program).expect("a program");
    let mut instance = Instance::new(1, lowered.clone(), Limits::default());
    let mut calls = instance.apply(0, Event::Started { inputs: Vec::new() }).expect("a start");
    assert_eq!(calls.len(), 2_000);
    // A fixed shuffle.
    let mut chance = 12_345_u64;
    for at in (1..calls.len()).rev() {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        calls.swap(at, (chance >> 33) as usize % (at + 1));
    }
    let mut last = Vec::new();
    for (at, effect) in calls.iter().enumerate() {
        let Effect::Dispatch(call) = effect else { panic!("{effect:?}") };
        let Value::Int(n) = call.positional[0] else { panic!("{call:?}") };
        let outcome = Outcome::Completed(Value::Int(n * 10));
        let event = Event::Settled { ordinal: call.execution.ordinal, attempt: 1, outcome };
        assert!(last.is_empty());
        last = instance.apply(at as i64, event).expect("an outcome");
        if at % 500 == 250 {
            instance = Instance::restore(&instance.snapshot(), lowered.clone()).expect("a snapshot");
        }
    }
    let expected = (0..2_000).map(|n| Value::Int(n * 10)).collect();
    assert_eq!(last, [Effect::Finish(Ending::Completed(Value::List(expected)))]);
}

#[test]
fn spreads() {
    check_all(&[
        (
            "of helpers, nested",
            r#"{"actions": {"f": {"echo": "n"}}}"#,
            "fn row(input: [r]):\n    cells = spread range(r):c -> cell(r, c)\n    return sum(cells)\nfn cell(input: [r, c]):\n    a = @f(n=r * 10 + c)\n    b = @f(n=1)\n    return a + b\nfn main():\n    return spread [3, 0, 1]:r -> row(r)\n",
            r#"
            0 @f#1.1(n=30)
            0 @f#2.1(n=31)
            0 @f#3.1(n=32)
            0 @f#4.1(n=10)
            0 @f#5.1(n=1)
            0 @f#6.1(n=1)
            0 @f#7.1(n=1)
            0 @f#8.1(n=1)
            0 completed [96,0,11]"#,
        ),
        (
            "what failed is among the results",
            r#"{"actions": {"f": [{"return": 1}, {"fail": "OSError", "args": ["x"]}, {"return": 3}]}}"#,
            "fn main():\n    found = spread(return_exceptions=True) range(3):n -> @f(n)\n    return [repr(one) for one in found]\n",
            r#"
            0 @f#1.1(0)
            0 @f#2.1(1)
            0 @f#3.1(2)
            0 completed ["1","OSError('x')","3"]"#,
        ),
        (
            "the first failure ends the waiting, not the others",
            r#"{"actions": {"f": [{"return": 1, "after": 3}, {"fail": "OSError", "after": 1}]}}"#,
            "fn main():\n    try:\n        spread range(2):n -> one(n)\n    except OSError:\n        print('failed')\n    await asyncio.sleep(9)\nfn one(input: [n]):\n    print(n, @f())\n",
            r#"
            0 @f#1.1()
            0 @f#2.1()
            1 "failed"
            3 "0 1"
            10 completed null"#,
        ),
        (
            "over nothing",
            "",
            "fn main():\n    return [(spread []:n -> @f(n)), await asyncio.gather()]\n",
            "0 completed [[],[]]",
        ),
        (
            "with retries of their own",
            r#"{"actions": {"f": [{"fail": "OSError"}, {"return": "b"}, {"return": "a"}]}}"#,
            "fn main():\n    return spread 'ab':n -> @f(n) [retry: 2, backoff: 1s]\n",
            r#"
            0 @f#1.1("a")
            0 @f#2.1("b")
            1 @f#1.2("a")
            1 completed ["a","b"]"#,
        ),
    ]);
}

#[test]
fn event_time_never_runs_backwards_and_stands_still_between_events() {
    let program = "fn main():\n    a = datetime.datetime.now(datetime.timezone.utc)\n    for n in range(1000):\n        pass\n    same = a == datetime.datetime.now(datetime.timezone.utc)\n    @f()\n    b = datetime.datetime.now(datetime.timezone.utc)\n    await asyncio.sleep(1)\n    c = datetime.datetime.now(datetime.timezone.utc)\n    return [same, (b - a).total_seconds(), (c - b).total_seconds()]\n";
    let mut instance = Instance::new(1, lower(program).expect("a program"), Limits::default());
    instance.apply(50_000_000, Event::Started { inputs: Vec::new() }).expect("a start");
    let outcome = Outcome::Completed(Value::None);
    instance.apply(20_000_000, Event::Settled { ordinal: 1, attempt: 1, outcome }).expect("an outcome");
    assert_eq!(instance.next_deadline(), Some(51_000_000));
    assert!(instance.apply(30_000_000, Event::DeadlineReached).expect("too early").is_empty());
    instance.apply(53_000_000, Event::DeadlineReached).expect("a deadline");
    assert_eq!(instance.ending(), Some(&Ending::Completed(value("[true, 0.0, 3.0]"))));
}

#[test]
fn chance_belongs_to_the_instance() {
    let program = "fn main():\n    found = []\n    for n in range(3):\n        found.append([random.random(), random.randint(1, 10**20), str(uuid.uuid4()), random.choice('abc'), random.sample(range(99), 3)])\n        await asyncio.sleep(1)\n    return found\n";
    let of = |seed| run(program, "", |simulator| simulator.seed(seed)).value().cloned();
    assert!(of(1).is_some());
    assert_eq!(of(1), of(1));
    assert_ne!(of(1), of(2));
    assert_ne!(of(1), of(1 << 63));
}

#[test]
fn a_digest_sums_up_the_events() {
    let program = "fn one(input: [n]):\n    return @f(n)\nfn main():\n    return await asyncio.gather(one(1), one(2), waymark.wait_for_signal('go'))\n";
    let lowered = lower(program).expect("a program");
    let done = |ordinal| Event::Settled { ordinal, attempt: 1, outcome: Outcome::Completed(Value::Int(1)) };
    let failed = Event::Settled { ordinal: 1, attempt: 1, outcome: Outcome::WorkerCrashed("x".into()) };
    let go = || Event::Signal { name: "go".into(), payload: Value::None, id: None };
    let fold = |events: Vec<Event>| {
        let mut instance = Instance::new(1, lowered.clone(), Limits::default());
        instance.apply(0, Event::Started { inputs: Vec::new() }).expect("a start");
        for event in events {
            instance.apply(0, event).expect("an event");
        }
        instance.digest()
    };
    let first = fold(vec![done(1), done(2), go()]);
    assert_eq!(first, fold(vec![done(1), done(2), go()]));
    let others = [
        fold(vec![done(2), done(1), go()]),
        fold(vec![done(1), go(), done(2)]),
        fold(vec![done(1), done(2)]),
        fold(vec![done(1), done(1), done(2), go()]),
        fold(vec![failed]),
        fold(vec![done(1), Event::Cancel { reason: None }]),
    ];
    let mut all = vec![first];
    all.extend(others);
    for (at, digest) in all.iter().enumerate() {
        assert!(!all[..at].contains(digest), "fold {at} is like another: {all:?}");
    }
}

#[test]
fn misuse_is_refused_and_changes_nothing() {
    let lowered = lower("fn main():\n    await asyncio.sleep(1)\n").expect("a program");
    let mut instance = Instance::new(1, lowered, Limits::default());
    let start = || Event::Started { inputs: Vec::new() };
    assert_eq!(instance.apply(0, Event::Cancel { reason: None }), Err(ApplyError::StartOrder));
    assert_eq!(instance.seq(), 0);
    instance.apply(0, start()).expect("a start");
    assert_eq!(instance.apply(0, start()), Err(ApplyError::StartOrder));
    instance.apply(1_000_000, Event::DeadlineReached).expect("the end");
    assert_eq!(instance.apply(0, Event::Resume), Err(ApplyError::Finished));
    assert_eq!(instance.seq(), 2);
}

#[test]
fn inputs_that_do_not_fit_fail_the_instance() {
    let program = "fn main(input: [a, b=2]):\n    return [a, b]\n";
    let end = |inputs: Vec<(String, Value)>| {
        let report = check_with(program, inputs, Script::default(), |simulator| simulator);
        lines(&report).join("; ")
    };
    assert_eq!(end(vec![("a".into(), Value::Int(1))]), "0 completed [1,2]");
    assert!(end(Vec::new()).contains("TypeError"), "{}", end(Vec::new()));
    assert!(end(vec![("c".into(), Value::Int(1))]).contains("TypeError"));
}

#[test]
fn a_raise_stands_once_in_the_traceback() {
    let program = "fn inner():\n    raise ValueError('x')\nfn main():\n    try:\n        await inner()\n    except ValueError as error:\n        try:\n            raise KeyError('k')\n        except KeyError:\n            raise\n        finally:\n            pass\n";
    let report = check(program);
    let Stop::Finished(Ending::Failed(error)) = &report.stop else { panic!("{report:?}") };
    assert_eq!(error.traceback, ["File \"test.ir\", line 8, in main\n    raise KeyError('k')"]);
    let context = error.context.as_ref().expect("a context");
    let lines: Vec<&str> = context.traceback.iter().filter_map(|entry| entry.lines().next()).collect();
    assert_eq!(lines, ["File \"test.ir\", line 5, in main", "File \"test.ir\", line 2, in inner"]);
}

#[test]
fn a_function_that_always_returns_has_no_return_behind_it() {
    use waymark_runner::graph::NodeKind;
    let returns = |body: &str| {
        let lowered = lower(&format!("fn main(input: [x]):\n{body}")).expect("a program");
        lowered.graphs[0].nodes.iter().filter(|node| node.kind == NodeKind::Return).count()
    };
    assert_eq!(returns("    if x:\n        return 1\n    else:\n        return 2\n"), 2);
    assert_eq!(returns("    return 1\n"), 1);
    assert_eq!(returns("    if x:\n        return 1\n"), 2);
    assert_eq!(returns("    try:\n        y = x + 1\n        return y\n    except ValueError:\n        pass\n"), 2);
    assert_eq!(returns("    pass\n"), 1);
}

/// The entry of a workflow in Python is its `run`, whatever the program calls it.
#[test]
fn a_traceback_has_the_names_of_the_source() {
    let text = "class W:\n    async def run(self):\n        raise ValueError(1)\n";
    let mut program = waymark_ir::text::parse("w.ir", "fn main():\n    pass\n    raise ValueError(1)\n").program;
    program.sources[0] = waymark_ir::Source { path: "w.py".into(), text: text.into() };
    program.functions[0].span = waymark_ir::Span { file: 0, line: 2, column: 5, end_line: 3, end_column: 1 };
    let lowered = waymark_runner::Lowered::new(program).expect("a program");
    let report = waymark_runner::simulate::Simulator::new(lowered, Limits::default()).run(Vec::new()).expect("a run");
    let Stop::Finished(Ending::Failed(error)) = &report.stop else { panic!("{report:?}") };
    assert_eq!(error.traceback, ["File \"w.py\", line 3, in run\n    raise ValueError(1)"]);
}
