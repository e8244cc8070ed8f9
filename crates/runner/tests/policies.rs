//! How calls of actions are tried: attempts, waits between them, timeouts, what is worth another try, child workflows.

mod trace;

use trace::{check_all, run, trace as lines};
use waymark_ir::{ExceptionValue, Value};
use waymark_runner::simulate::{Answer, Reply, START_US, Script, Simulator, lower};
use waymark_runner::{Effect, Ending, Event, Instance, Limits, Outcome};

const AWAY: &str = r#"{"actions": {"f": {"fail": "ConnectionError", "args": ["away"]}}}"#;
const LATE: &str = r#"{"actions": {"f": {"return": "late", "after": 3, "ignores_cancel": true}}}"#;

#[test]
fn policies() {
    check_all(&[
        ("one attempt unless told otherwise", AWAY, "fn main():\n    return @f(1, key=[2])\n", r#"
            0 @f#1.1(1, key=[2])
            0 failed ConnectionError("away")"#),
        ("attempts without a wait", AWAY, "fn main():\n    return @f() [retry: 3]\n", r#"
            0 @f#1.1()
            0 @f#1.2()
            0 @f#1.3()
            0 failed ConnectionError("away")"#),
        ("waits double", AWAY, "fn main():\n    return @f() [retry: 4, backoff: 500ms]\n", r#"
            0 @f#1.1()
            0.5 @f#1.2()
            1.5 @f#1.3()
            3.5 @f#1.4()
            3.5 failed ConnectionError("away")"#),
        ("factor and cap", AWAY, "fn main():\n    return @f() [retry: 5, backoff: 1s, factor: 3, max_delay: 5s]\n", r#"
            0 @f#1.1()
            1 @f#1.2()
            4 @f#1.3()
            9 @f#1.4()
            14 @f#1.5()
            14 failed ConnectionError("away")"#),
        ("a factor of one", AWAY, "fn main():\n    return @f() [retry: 3, backoff: 2s, factor: 1]\n", r#"
            0 @f#1.1()
            2 @f#1.2()
            4 @f#1.3()
            4 failed ConnectionError("away")"#),
        ("each call has its id, each attempt its number", r#"{"actions": {"f": [{"fail": "OSError"}, {"return": 1}, {"fail": "OSError"}, {"return": 2}]}}"#,
            "fn main():\n    a = @f() [retry: 2]\n    b = @f() [retry: 2]\n    return [a, b]\n", r#"
            0 @f#1.1()
            0 @f#1.2()
            0 @f#2.1()
            0 @f#2.2()
            0 completed [1,2]"#),
        ("None is as if it were not said", AWAY,
            "fn main():\n    none = None\n    return @f() [retry: none, backoff: none, on: none, timeout: none, queue: none, factor: none, max_delay: none, jitter: none, grace: none]\n", r#"
            0 @f#1.1()
            0 failed ConnectionError("away")"#),
        ("a timedelta is a time", AWAY,
            "fn main():\n    wait = datetime.timedelta(milliseconds=1500)\n    return @f() [retry: 3, backoff: wait, max_delay: datetime.timedelta(seconds=2)]\n", r#"
            0 @f#1.1()
            1.5 @f#1.2()
            3.5 @f#1.3()
            3.5 failed ConnectionError("away")"#),
        ("a timedelta is a timeout", LATE, "fn main():\n    limit = datetime.timedelta(seconds=1)\n    return @f() [timeout: limit, grace: datetime.timedelta(0)]\n", r#"
            0 @f#1.1()
            1 stop #1.1
            1 failed TimeoutError("f did not finish within 1 s")"#),
        ("on: a list of classes", AWAY, "fn main():\n    classes = [ValueError, OSError]\n    return @f() [retry: 2, on: classes]\n", r#"
            0 @f#1.1()
            0 @f#1.2()
            0 failed ConnectionError("away")"#),
        ("on: a class", AWAY, "fn main():\n    return @f() [retry: 2, on: ValueError]\n", r#"
            0 @f#1.1()
            0 failed ConnectionError("away")"#),
        ("on: a base class, also by another of its names", AWAY, "fn main():\n    return @f() [retry: 2, on: (ValueError, IOError)]\n", r#"
            0 @f#1.1()
            0 @f#1.2()
            0 failed ConnectionError("away")"#),
        ("on: a base that only the worker knew of", r#"{"actions": {"f": [{"fail": "app:Declined", "bases": ["app:Soft", "Exception", "BaseException"]}, {"return": 1}]}}"#,
            "type app:Soft(Exception):\n    exception\nfn main():\n    return @f() [retry: 2, on: Soft]\n", r#"
            0 @f#1.1()
            0 @f#1.2()
            0 completed 1"#),
        ("such an exception is caught by that base", r#"{"actions": {"f": {"fail": "app:Declined", "args": [5], "bases": ["app:Soft", "LookupError", "Exception", "BaseException"]}}}"#,
            "type app:Soft(LookupError):\n    exception\nfn main():\n    try:\n        @f()\n    except Soft as error:\n        print(type(error).__name__, error.args)\n    try:\n        @f()\n    except LookupError:\n        return 'too'\n", r#"
            0 @f#1.1()
            0 "Declined (5,)"
            0 @f#2.1()
            0 completed "too""#),
        ("not retryable", r#"{"actions": {"f": {"fail": "waymark.NonRetryable", "args": ["no"]}}}"#, "fn main():\n    return @f() [retry: 3]\n", r#"
            0 @f#1.1()
            0 failed waymark.NonRetryable("no")"#),
        ("nor is what derives from it", r#"{"actions": {"f": {"fail": "app:No", "bases": ["waymark.NonRetryable", "Exception", "BaseException"]}}}"#,
            "fn main():\n    return @f() [retry: 3, on: Exception]\n", r#"
            0 @f#1.1()
            0 failed app:No()"#),
        ("what is no Exception is not retried", r#"{"actions": {"f": {"fail": "KeyboardInterrupt"}}}"#, "fn main():\n    return @f() [retry: 3]\n", r#"
            0 @f#1.1()
            0 failed KeyboardInterrupt()"#),
        ("a crashed worker", r#"{"actions": {"f": {"crash": "died"}}}"#,
            "fn main():\n    try:\n        @f() [retry: 2]\n    except waymark.WorkerCrashed as error:\n        return [str(error), isinstance(error, Exception)]\n", r#"
            0 @f#1.1()
            0 @f#1.2()
            0 completed ["died",true]"#),
        ("a timeout is not retried", r#"{"actions": {"f": {"never": true}}}"#,
            "fn main():\n    try:\n        @f() [retry: 3, timeout: 2s]\n    except TimeoutError as error:\n        return str(error)\n", r#"
            0 @f#1.1()
            2 stop #1.1
            2 completed "f did not finish within 2 s""#),
        ("unless asked", r#"{"actions": {"f": {"never": true}}}"#, "fn main():\n    return @f() [retry: 2, backoff: 5s, timeouts: True, timeout: 2s]\n", r#"
            0 @f#1.1()
            2 stop #1.1
            7 @f#1.2()
            9 stop #1.2
            9 failed TimeoutError("f did not finish within 2 s")"#),
        ("late, but within its grace: the value counts", LATE, "fn main():\n    return @f() [timeout: 2s]\n", r#"
            0 @f#1.1()
            2 stop #1.1
            3 completed "late""#),
        ("the grace is over", LATE, "fn main():\n    try:\n        @f() [timeout: 2s, grace: 500ms]\n    except TimeoutError:\n        await asyncio.sleep(5)\n        return 'timed out'\n", r#"
            0 @f#1.1()
            2 stop #1.1
            7.5 completed "timed out""#),
        ("a transaction is waited for: the database knows", LATE, "fn main():\n    return @f() [timeout: 2s, grace: 500ms] [transaction: True]\n", r#"
            0 @f#1.1()
            2 stop #1.1
            3 completed "late""#),
        ("no grace", LATE, "fn main():\n    return @f() [timeout: 2s, grace: 0]\n", r#"
            0 @f#1.1()
            2 stop #1.1
            2 failed TimeoutError("f did not finish within 2 s")"#),
        ("told to stop, it fails in its own way: a timeout", r#"{"actions": {"f": [{"fail": "OSError", "after": 3, "ignores_cancel": true}, {"return": 1}]}}"#,
            "fn main():\n    return @f() [retry: 2, timeouts: True, timeout: 2s]\n", r#"
            0 @f#1.1()
            2 stop #1.1
            3 @f#1.2()
            3 completed 1"#),
        ("each attempt has the whole time", r#"{"actions": {"f": [{"fail": "OSError", "after": 1.5}, {"return": 1, "after": 1.5}]}}"#,
            "fn main():\n    return @f() [retry: 2, timeout: 2s]\n", r#"
            0 @f#1.1()
            1.5 @f#1.2()
            3 completed 1"#),
        ("computed policies", AWAY, "fn main():\n    n = 1\n    return @f() [retry: n + 1, backoff: datetime.timedelta(minutes=n), queue: f'gpu-{n}']\n", r#"
            0 @f#1.1() on gpu-1
            60 @f#1.2() on gpu-1
            60 failed ConnectionError("away")"#),
        ("None leaves the default", AWAY, "fn main():\n    n = None\n    return @f() [retry: n, backoff: n, timeout: n, on: n, queue: n]\n", r#"
            0 @f#1.1()
            0 failed ConnectionError("away")"#),
        ("policies that make no sense raise before anything is started", "", "
def values():
    return {'retry': [0, -1, 1.5, 'x'], 'backoff': [-1, 'x', datetime.timedelta(-1)], 'jitter': [1.5], 'on': [5, (ValueError, 5)], 'queue': [5]}
fn main():
    for value in values()['retry']:
        try:
            @f() [retry: value]
        except Exception as error:
            print(type(error).__name__, error)
    for value in values()['backoff']:
        try:
            @f() [backoff: value, retry: 2]
        except Exception as error:
            print(type(error).__name__)
    for value in values()['jitter']:
        try:
            @f() [jitter: value, retry: 2]
        except Exception as error:
            print(type(error).__name__)
    for value in values()['on']:
        try:
            @f() [on: value, retry: 2]
        except Exception as error:
            print(type(error).__name__)
    for value in values()['queue']:
        try:
            @f() [queue: value]
        except Exception as error:
            print(type(error).__name__)
    for value in [-1, math.nan]:
        try:
            @f() [timeout: value]
        except ValueError as error:
            print('timeout')
", r#"
            0 "ValueError retry must be at least 1 attempt, got 0"
            0 "ValueError retry must be at least 1 attempt, got -1"
            0 "TypeError 'float' object cannot be interpreted as an integer"
            0 "TypeError 'str' object cannot be interpreted as an integer"
            0 "ValueError"
            0 "TypeError"
            0 "ValueError"
            0 "ValueError"
            0 "TypeError"
            0 "TypeError"
            0 "TypeError"
            0 "timeout"
            0 "timeout"
            0 completed null"#),
        ("a wait without bounds is a long wait", AWAY, "fn main():\n    return @f() [retry: 3, backoff: 1e300, factor: 1e300, max_delay: 1s]\n", r#"
            0 @f#1.1()
            1 @f#1.2()
            2 @f#1.3()
            2 failed ConnectionError("away")"#),
        ("child workflows", r#"{"actions": {"child.flow": [{"return": 7}, {"fail": "app:Broke", "args": [1], "bases": ["ValueError", "Exception", "BaseException"]}]}}"#,
            "fn main():\n    a = @workflow child.flow(1, deep=True)\n    try:\n        @workflow child.flow()\n    except ValueError as error:\n        return [a, type(error).__name__, error.args]\n", r#"
            0 child child.flow#1.1(1, deep=true)
            0 child child.flow#2.1()
            0 completed [7,"Broke",[1]]"#),
        ("a child that takes too long is cancelled", r#"{"actions": {"child.flow": {"never": true}}}"#, "fn main():\n    return @workflow child.flow() [timeout: 1m]\n", r#"
            0 child child.flow#1.1()
            60 stop child #1
            60 failed TimeoutError("child.flow did not finish within 60 s")"#),
        ("a child whose parent's task is cancelled", r#"{"actions": {"child.flow": {"never": true}}}"#,
            "fn one():\n    return @workflow child.flow()\nfn main():\n    task = asyncio.create_task(one())\n    await asyncio.sleep(1)\n    task.cancel()\n    try:\n        await task\n    except asyncio.CancelledError:\n        return 'gone'\n", r#"
            0 child child.flow#1.1()
            1 stop child #1
            1 completed "gone""#),
        ("a child that was cancelled by itself", r#"{"actions": {"child.flow": {"fail": "asyncio.CancelledError", "args": ["by hand"]}}}"#,
            "fn main():\n    try:\n        @workflow child.flow() [retry: 3]\n    except asyncio.CancelledError as error:\n        return error.args\n", r#"
            0 child child.flow#1.1()
            0 completed ["by hand"]"#),
    ]);
}

/// The waits of one run, in microseconds.
fn waits(seed: u64) -> Vec<i64> {
    let program = "fn main():\n    return @f() [retry: 40, backoff: 10s, factor: 1, jitter: 0.25]\n";
    let report = run(program, AWAY, |simulator| simulator.seed(seed));
    let starts: Vec<i64> =
        report.effects.iter().filter(|(_, effect)| matches!(effect, Effect::Dispatch(_))).map(|(at, _)| *at).collect();
    starts.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

#[test]
fn jitter_stays_in_bounds_and_belongs_to_the_instance() {
    let (one, other) = (waits(1), waits(2));
    assert_eq!(one, waits(1));
    assert_ne!(one, other);
    assert_eq!(one.len(), 39);
    assert!(one.iter().chain(&other).all(|wait| (7_500_000..=10_000_000).contains(wait)), "{one:?}");
    assert!(one.iter().max() > one.iter().min().map(|min| min + 1_000_000).as_ref(), "all alike: {one:?}");
}

#[test]
fn ids_are_the_instances_own() {
    let lowered = lower("fn main():\n    return @f() [retry: 2, backoff: 1s]\n").expect("a program");
    let mut instance = Instance::new(0xabc, lowered.clone(), Limits::default());
    let mut ids = Vec::new();
    let mut note = |effects: &[Effect]| {
        for effect in effects {
            if let Effect::Dispatch(call) = effect {
                ids.push(format!("{} {}", call.execution, call.attempt));
            }
        }
    };
    note(&instance.apply(0, Event::Started { inputs: Vec::new() }).expect("a start"));
    note(&instance.in_flight());
    note(&Instance::restore(&instance.snapshot(), lowered.clone()).expect("a snapshot").in_flight());
    let failed = Outcome::Failed(ExceptionValue { type_name: "OSError".into(), ..ExceptionValue::default() });
    instance.apply(0, Event::Settled { ordinal: 1, attempt: 1, outcome: failed }).expect("an outcome");
    assert!(instance.in_flight().is_empty(), "it backs off");
    assert_eq!(instance.next_deadline(), Some(1_000_000));
    note(&instance.apply(1_000_000, Event::DeadlineReached).expect("a deadline"));
    note(&Instance::restore(&instance.snapshot(), lowered).expect("a snapshot").in_flight());
    let id = "00000000000000000000000000000abc-0-1";
    assert_eq!(ids, [1, 1, 1, 2, 2].map(|attempt| format!("{id} {attempt}")));
}

/// Outcomes that nobody waits for: of another attempt, of a call that is over, of one that never was.
#[test]
fn duplicates_and_latecomers_change_nothing() {
    let lowered = lower("fn main():\n    a = @f() [retry: 3, backoff: 1s]\n    b = @g()\n    return [a, b]\n")
        .expect("a program");
    let mut instance = Instance::new(1, lowered.clone(), Limits::default());
    let mut at = 0;
    let mut apply = |instance: &mut Instance, event| {
        at += 1_000_000;
        let effects = instance.apply(at, event).expect("an event");
        *instance = Instance::restore(&instance.snapshot(), lowered.clone()).expect("a snapshot");
        effects.iter().map(trace::words).collect::<Vec<_>>().join("; ")
    };
    let done = |ordinal, attempt, value: i64| Event::Settled {
        ordinal,
        attempt,
        outcome: Outcome::Completed(Value::Int(value)),
    };
    let failed = |ordinal, attempt| {
        let error = ExceptionValue { type_name: "OSError".into(), ..ExceptionValue::default() };
        Event::Settled { ordinal, attempt, outcome: Outcome::Failed(error) }
    };
    let told = [
        apply(&mut instance, Event::Started { inputs: Vec::new() }),
        apply(&mut instance, done(1, 2, 9)),
        apply(&mut instance, done(2, 1, 9)),
        apply(&mut instance, done(0, 0, 9)),
        apply(&mut instance, failed(1, 1)),
        apply(&mut instance, failed(1, 1)),
        apply(&mut instance, done(1, 1, 9)),
        apply(&mut instance, Event::DeadlineReached),
        apply(&mut instance, done(1, 1, 9)),
        apply(&mut instance, Event::Settled { ordinal: 1, attempt: 1, outcome: Outcome::Cancelled }),
        apply(&mut instance, done(1, 2, 5)),
        apply(&mut instance, done(1, 2, 5)),
        apply(&mut instance, failed(1, 3)),
        apply(&mut instance, done(2, 1, 6)),
    ];
    assert_eq!(
        told.map(|text| text),
        ["@f#1.1()", "", "", "", "", "@f#1.2()", "", "", "", "", "@g#2.1()", "", "", "completed [5,6]",]
    );
    assert_eq!(instance.seq(), 14);
    assert!(instance.apply(99_000_000, done(2, 1, 6)).is_err(), "it has finished");
}

#[test]
fn timeouts_do_not_count_what_happens_after_the_answer() {
    // The answer and the timeout at the same time: the answer came first.
    let script = Script::default().action("f", [Reply::new(Answer::Return(Value::Int(1))).after(2.0)]);
    let lowered = lower("fn main():\n    return @f() [timeout: 2s]\n").expect("a program");
    let report = Simulator::new(lowered, Limits::default()).script(script).run(Vec::new()).expect("a run");
    assert_eq!(report.ending(), Some(&Ending::Completed(Value::Int(1))));
    assert_eq!(report.ended_us - START_US, 2_000_000);
    assert_eq!(lines(&report).len(), 2);
}

/// Somebody has taken the instance back to before it was stopped. The database remembers that it was, so there is another attempt.
#[test]
fn an_attempt_that_was_stopped_in_a_future_taken_back_is_followed_by_another() {
    let program = lower("fn main():\n    return @f() [transaction: True]\n").expect("a good program");
    let mut instance = Instance::new(1, program, Limits::default());
    instance.apply(START_US, Event::Started { inputs: Vec::new() }).expect("started");
    assert!(instance.is_transaction(1, 1) && !instance.is_transaction(1, 2) && !instance.is_transaction(2, 1));
    let settled = |attempt, outcome| Event::Settled { ordinal: 1, attempt, outcome };
    let effects = instance.apply(START_US, settled(1, Outcome::Cancelled)).expect("applied");
    assert!(
        matches!(&effects[..], [Effect::Dispatch(call)] if call.attempt == 2 && call.transaction && call.execution.ordinal == 1)
    );
    instance.apply(START_US, settled(2, Outcome::Completed(Value::Int(1)))).expect("applied");
    assert_eq!(instance.ending(), Some(&Ending::Completed(Value::Int(1))));
}
