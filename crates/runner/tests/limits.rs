//! Programs that ask for too much: an error in the program, soon, and cheap. And programs that ask for much, but not too much.

mod trace;

use std::time::{Duration, Instant};

use trace::{end, run, trace as lines};
use waymark_ir::Value;
use waymark_runner::simulate::{Report, Script, Simulator, check_with, lower};
use waymark_runner::{Effect, Event, Instance, Limits, Outcome};

fn small() -> Limits {
    Limits {
        steps_max: 200_000,
        value_bytes_max: 1 << 20,
        heap_bytes_max: 8 << 20,
        spread_max: 1_000,
        ..Limits::default()
    }
}

/// Under small limits: how it ended, which must be soon.
fn ended(program: &str) -> String {
    let lowered = lower(program).unwrap_or_else(|problems| panic!("{problems}\n{program}"));
    let began = Instant::now();
    let report = Simulator::new(lowered, small()).events_max(1_000).run(Vec::new()).expect("a run");
    assert!(began.elapsed() < Duration::from_secs(5), "took {:?}:\n{program}", began.elapsed());
    report.ending().map(end).unwrap_or_else(|| format!("{:?}", report.stop))
}

#[test]
fn too_much_is_an_error_in_the_program() {
    // The body of `main`, and how the ending begins.
    let cases = [
        ("while True:\n    pass", "failed waymark.LimitExceeded"),
        ("while True:\n    try:\n        x = 1\n    except Exception:\n        pass", "failed waymark.LimitExceeded"),
        (
            "while True:\n    try:\n        while True:\n            pass\n    except Exception:\n        pass",
            "failed waymark.LimitExceeded",
        ),
        (
            "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass",
            "failed waymark.LimitExceeded",
        ),
        (
            "while True:\n    try:\n        while True:\n            pass\n    finally:\n        continue",
            "failed waymark.LimitExceeded",
        ),
        ("def again():\n    while True:\n        yield 1\nreturn sum(again())", "failed waymark.LimitExceeded"),
        ("return sum(range(10**12))", "failed waymark.LimitExceeded"),
        ("return [n for n in range(10**9)]", "failed "),
        ("return list(range(10**12))", "failed MemoryError"),
        ("return [*range(10**12)]", "failed "),
        ("return sorted(range(10**12))", "failed "),
        ("return 10**10**9", "failed MemoryError"),
        ("return 2 ** 10**18", "failed MemoryError"),
        ("return 1 << 10**15", "failed "),
        ("return -1 << 10**9", "failed MemoryError"),
        ("return math.factorial(10**9)", "failed "),
        ("return pow(7, 10**9)", "failed MemoryError"),
        ("x = 3\nwhile True:\n    x = x * x", "failed "),
        ("s = 'x'\nwhile True:\n    s = s + s", "failed MemoryError"),
        ("s = 'x'\nwhile True:\n    s += s", "failed MemoryError"),
        ("return 'x' * 10**12", "failed MemoryError"),
        ("return [0] * 10**12", "failed MemoryError"),
        ("return (0,) * 10**12", "failed MemoryError"),
        ("return b'x' * 10**12", "failed MemoryError"),
        ("s = [1]\nwhile True:\n    s = s + s", "failed MemoryError"),
        ("s = [1]\nwhile True:\n    s += s", "failed MemoryError"),
        ("s = [1]\nwhile True:\n    s.extend(s)", "failed MemoryError"),
        ("s = []\nwhile True:\n    s = [s, s, s, s, 'x' * 1000]", "failed "),
        ("d = {}\nn = 0\nwhile True:\n    d[n] = n\n    n += 1", "failed "),
        ("d = {0: 0}\nwhile True:\n    d = {**d, **{k + len(d): 0 for k in d}}", "failed "),
        ("s = {0}\nwhile True:\n    s |= {k + len(s) for k in s}", "failed "),
        ("s = []\nwhile True:\n    s.append('y' * 100000 + str(len(s)))", "failed "),
        ("return 'x'.ljust(10**12)", "failed MemoryError"),
        ("return f\"{1:>{10**12}}\"", "failed "),
        ("return '%1000000000000d' % 1", "failed "),
        ("return ''.join('ab' for n in range(10**9))", "failed "),
        ("return ','.join(['x' * 1000] * 10000)", "failed MemoryError"),
        ("return ('x' * 1000).replace('x', 'y' * 10000)", "failed MemoryError"),
        ("return str(10**5000)", "failed ValueError"),
        ("return int('9' * 5000)", "failed ValueError"),
        ("def deep(n):\n    return deep(n + 1)\nreturn deep(0)", "failed RecursionError"),
        ("async def deep(n):\n    return await deep(n + 1)\nreturn await deep(0)", "failed RecursionError"),
        ("deep = lambda f: f(f)\nreturn deep(deep)", "failed RecursionError"),
        (
            "def deep(n):\n    yield from_(n)\ndef from_(n):\n    return list(deep(n + 1))\nreturn from_(0)",
            "failed RecursionError",
        ),
        (
            "return sorted([1], key=lambda n: sorted([n], key=lambda m: deep(m)))[0]\ndef deep(n):\n    return n",
            "failed ",
        ),
        ("return await asyncio.gather(*[asyncio.sleep(1) for n in range(1001)])", "failed ValueError"),
        ("return spread range(10**12):n -> @f(n)", "failed "),
        (
            "x = 'begin'\ntry:\n    10**10**9\nexcept MemoryError as error:\n    x = type(error).__name__\nreturn x",
            "completed \"MemoryError\"",
        ),
        (
            "def deep(n):\n    return deep(n + 1)\ntry:\n    deep(0)\nexcept RecursionError as error:\n    return str(error)",
            "completed \"maximum recursion depth exceeded\"",
        ),
        (
            "try:\n    while True:\n        pass\nexcept BaseException as error:\n    return type(error).__name__",
            "completed \"LimitExceeded\"",
        ),
        ("try:\n    while True:\n        pass\nfinally:\n    print('cleanup')", "failed waymark.LimitExceeded"),
        // Waiting gives new fuel.
        (
            "n = 0\nwhile n < 50:\n    n += 1\n    for m in range(2000):\n        pass\n    await asyncio.sleep(1)\nreturn n",
            "completed 50",
        ),
        ("while True:\n    await asyncio.sleep(0)", "failed waymark.LimitExceeded"),
    ];
    let mut wrong = Vec::new();
    for (body, expected) in cases {
        let body: String = body.lines().map(|line| format!("    {line}\n")).collect();
        let found =
            std::panic::catch_unwind(|| ended(&format!("fn main():\n{body}"))).unwrap_or_else(|_| "a panic".into());
        if !found.starts_with(expected) {
            let shown: String = found.chars().take(200).collect();
            wrong.push(format!("{body}  expected {expected}\n  found    {shown}\n"));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_cannot_travel_says_where_it_is() {
    let cases = [
        ("x = {'a': [1]}\n    x['a'].append(x)", "x", "argument 'x' of f at ['a'][1]: it contains itself"),
        ("x = [1, {'k': (lambda: 1)}]", "x", "argument 'x' of f at [1]['k']: a 'function' cannot leave the workflow"),
        (
            "x = asyncio.Future()",
            "x",
            "argument 'x' of f: a 'Future' cannot leave the workflow; is an `await` missing?",
        ),
        ("x = asyncio.sleep(1)", "[x]", "at [0]: a 'coroutine' cannot leave the workflow; is an `await` missing?"),
        ("x = []\n    for n in range(300):\n        x = [x]", "x", "it is nested more than 200 deep"),
        ("x = (n for n in [1])", "[x]", "a 'generator' cannot leave the workflow"),
    ];
    for (made, given, expected) in cases {
        let program = format!(
            "fn main():\n    {made}\n    try:\n        @f(x={given})\n    except TypeError as error:\n        return str(error)\n"
        );
        let report = run(&program, "", |simulator| simulator);
        let Some(Value::Str(text)) = report.value() else { panic!("{program}\n{:?}", lines(&report)) };
        assert!(text.contains(expected), "{program}\n{text}");
        assert!(report.dispatched().is_empty());
        // The same as the result of the whole.
        let report = run(&format!("fn main():\n    {made}\n    return {given}\n"), "", |simulator| simulator);
        let ending = report.ending().map(end).unwrap_or_default();
        assert!(ending.starts_with("failed TypeError(\"the result of the workflow"), "{ending}");
    }
}

const SLICED: &[&str] = &[
    "fn main():\n    return 1\n",
    "fn main():\n    total = 0\n    for n in range(300):\n        total += n\n    print(total)\n    return total\n",
    "fn one(input: [n]):\n    await asyncio.sleep(n % 3)\n    print(n)\n    return @f(n)\nfn main():\n    return spread range(7):n -> one(n)\n",
    "fn main():\n    def squares():\n        for n in range(9):\n            yield n * n\n    return sorted(squares(), key=lambda n: -n)\n",
    "fn left():\n    try:\n        await asyncio.sleep(9)\n    finally:\n        print('left')\nfn main():\n    asyncio.create_task(left())\n    await asyncio.sleep(1)\n    return 'main'\n",
    "fn main():\n    try:\n        async with asyncio.timeout(1):\n            await asyncio.sleep(2)\n    except TimeoutError:\n        print('late')\n    raise ValueError(1)\n",
    "fn main():\n    return [fragment \"n\" (n=n) for n in range(3)]\n",
    "fn main():\n    while True:\n        pass\n",
];

#[test]
fn slices_change_nothing() {
    let limits = Limits { steps_max: 20_000, ..Limits::default() };
    for program in SLICED {
        let lowered = lower(program).expect("a program");
        let of = |slice: Option<u64>| {
            let mut simulator = Simulator::new(lowered.clone(), limits.clone()).events_max(10_000);
            if let Some(steps) = slice {
                simulator = simulator.slice(steps);
            }
            let report: Report = simulator.run(Vec::new()).expect("a run");
            (lines(&report), report.digest, report.events, report.ended_us)
        };
        let whole = of(None);
        for steps in [1, 2, 7, 100] {
            assert_eq!(of(Some(steps)), whole, "slices of {steps}:\n{program}");
        }
    }
}

#[test]
fn a_slice_ends_soon_and_the_rest_is_still_to_do() {
    let lowered = lower("fn main():\n    while True:\n        pass\n").expect("a program");
    let mut instance = Instance::new(1, lowered, Limits::default());
    instance.set_slice(1_000);
    let began = Instant::now();
    assert!(instance.apply(0, Event::Started { inputs: Vec::new() }).expect("a start").is_empty());
    for _ in 0..10 {
        assert!(instance.has_work());
        assert!(instance.proceed().is_empty());
    }
    assert!(instance.apply(0, Event::Pause).is_err(), "it has not come to rest");
    assert!(began.elapsed() < Duration::from_secs(1));
}

#[test]
fn garbage_is_collected_along_the_way() {
    let program = "fn main():\n    last = None\n    for n in range(200000):\n        last = [n, {'n': n}, (last is None, str(n))]\n    await asyncio.sleep(1)\n    return last[0]\n";
    let lowered = lower(program).expect("a program");
    let mut instance = Instance::new(1, lowered, Limits { heap_bytes_max: 16 << 20, ..Limits::default() });
    instance.apply(0, Event::Started { inputs: Vec::new() }).expect("a start");
    assert!(instance.ending().is_none(), "{:?}", instance.ending());
    assert!(instance.snapshot().len() < 4_096, "{}", instance.snapshot().len());
    instance.apply(1_000_000, Event::DeadlineReached).expect("a deadline");
    assert_eq!(instance.ending().map(end).as_deref(), Some("completed 199999"));
}

#[test]
fn a_loop_of_actions_stays_small() {
    let program = "fn main():\n    last = None\n    for n in range(100000):\n        last = @f([n, last and last[0]])\n    return last\n";
    let lowered = lower(program).expect("a program");
    let mut instance = Instance::new(1, lowered, Limits::default());
    let mut effects = instance.apply(0, Event::Started { inputs: Vec::new() }).expect("a start");
    let mut sizes = Vec::new();
    for at in 1..=5_000 {
        let [Effect::Dispatch(call)] = &effects[..] else { panic!("{effects:?}") };
        let event = Event::Settled {
            ordinal: call.execution.ordinal,
            attempt: 1,
            outcome: Outcome::Completed(call.positional[0].clone()),
        };
        effects = instance.apply(at, event).expect("an outcome");
        if at % 1_000 == 0 {
            sizes.push(instance.snapshot().len());
        }
    }
    assert!(sizes.iter().max() < sizes.iter().min().map(|min| min + 64).as_ref(), "{sizes:?}");
}

/// `results = results + [x]` costs the same however long the list is.
#[test]
fn appending_by_sum_is_linear() {
    let cost = |count: usize| {
        let program = format!(
            "fn main():\n    results = []\n    for n in range({count}):\n        results = results + [n]\n    return len(results)\n"
        );
        // The smallest budget that is enough, to within 5 %.
        let enough = |steps_max: u64| {
            let lowered = lower(&program).expect("a program");
            let report =
                Simulator::new(lowered, Limits { steps_max, ..Limits::default() }).run(Vec::new()).expect("a run");
            report.value() == Some(&Value::Int(count as i64))
        };
        let mut steps = 1_000_u64;
        while !enough(steps) {
            steps = steps * 21 / 20;
        }
        steps as f64
    };
    let ratio = cost(8_000) / cost(2_000);
    assert!((3.0..5.0).contains(&ratio), "four times the items cost {ratio} times the steps");
}

#[test]
fn an_alias_does_not_see_what_is_appended_by_sum() {
    let cases = [
        ("a = [1]\n    b = a\n    a = a + [2]\n    return [a, b]", "[[1,2],[1]]"),
        ("a = [1]\n    a = a + [2]\n    b = a\n    a = a + [3]\n    return [a, b]", "[[1,2,3],[1,2]]"),
        ("d = {'k': [1]}\n    a = d['k']\n    a = a + [2]\n    return [a, d]", "[[1,2],{\"k\":[1]}]"),
        (
            "rows = [[1], [2]]\n    for row in rows:\n        row = row + [0]\n        row = row + [0]\n    return rows",
            "[[1],[2]]",
        ),
        (
            "a = []\n    a = a + [1]\n    f = lambda: a\n    b = f()\n    a = a + [2]\n    return [b, f()]",
            "[[1],[1,2]]",
        ),
        ("a = []\n    a = a + [1]\n    held = [x for x in [a]]\n    a = a + [2]\n    return held", "[[1]]"),
        (
            "def add(x):\n        y = x\n        x = x + [2]\n        return [x, y]\n    a = []\n    a = a + [1]\n    return [add(a), a]",
            "[[[1,2],[1]],[1]]",
        ),
        ("a = []\n    a = a + [1]\n    it = iter(a)\n    a = a + [2]\n    return list(it)", "[1]"),
        (
            "a = []\n    a = a + [1]\n    for x in a:\n        if len(a) < 5:\n            a = a + [x]\n    return a",
            "[1,1]",
        ),
        ("a = []\n    a = a + [1]\n    a = a + a\n    return a", "[1,1]"),
        ("a = []\n    a = a + [1]\n    t = (a, 1)\n    a = a + [2]\n    return t[0]", "[1]"),
        ("a = []\n    a = a + [1]\n    b = (a := a + [2])\n    a = a + [3]\n    return b", "[1,2]"),
        (
            "a = []\n    a = a + [1]\n    def gen():\n        yield a\n    b = next(gen())\n    a = a + [2]\n    return b",
            "[1]",
        ),
        ("a = []\n    a = a + [1]\n    b = a if a else 0\n    a = a + [2]\n    return b", "[1]"),
        ("a = []\n    a = a + [1]\n    b = a or 0\n    a = a + [2]\n    return b", "[1]"),
        (
            "a = []\n    a = a + [1]\n    match a:\n        case [*b] as c:\n            pass\n    a = a + [2]\n    return [b, c]",
            "[[1],[1]]",
        ),
        ("a = []\n    a = a + [1]\n    e = ValueError(a)\n    a = a + [2]\n    return e.args[0]", "[1]"),
        (
            "a = []\n    a = a + [1]\n    t = asyncio.create_task(asyncio.sleep(1, a))\n    a = a + [2]\n    return await t",
            "[1]",
        ),
        ("a = []\n    a = a + [1]\n    s = a.copy\n    a = a + [2]\n    return s()", "[1]"),
    ];
    let mut wrong = Vec::new();
    for (body, expected) in cases {
        let program = format!("fn main():\n    {body}\n");
        let found =
            std::panic::catch_unwind(|| check_with(&program, Vec::new(), Script::default(), |simulator| simulator));
        let found = found.map_or_else(|_| "a panic".into(), |report| report.ending().map(end).unwrap_or_default());
        if found != format!("completed {expected}") {
            wrong.push(format!("{program}  expected {expected}\n  found    {found}\n"));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
