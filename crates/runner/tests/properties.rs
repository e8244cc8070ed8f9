//! Whatever program is thrown at the runner, it neither panics nor hangs nor eats memory. `PROPTEST_CASES` scales the number of cases. (Random
//! bytes and damaged snapshots are fuzz targets: `crates/fuzz`.)

use std::sync::Arc;

use proptest::prelude::*;
use waymark_ir::{Value, text, wire};
use waymark_runner::simulate::{Injection, Reply, Report, Script, Simulator, lower};
use waymark_runner::{Limits, Lowered};

/// Small, so that a loop without an end costs little.
fn limits() -> Limits {
    Limits { steps_max: 3_000, value_bytes_max: 1 << 16, depth_max: 40, heap_bytes_max: 1 << 22, spread_max: 100 }
}

// ------------------------------------------------------------------------------------------------- random programs

const EXPRESSIONS: &[&str] = &[
    "a + b",
    "a - 1",
    "b * 3",
    "a // (b % 3)",
    "len(xs)",
    "xs[a % 3]",
    "xs + [a]",
    "xs[-1:]",
    "[x * b for x in xs if x > 1]",
    "sum(x for x in xs)",
    "a if xs else b",
    "a and b",
    "not a",
    "f'{a}-{b:>3}'",
    "{a: xs}",
    "(a, *xs)",
    "1 < a < b",
    "{1, a}",
    "xs == [a]",
    "min(a, b, default)",
    "sorted(xs)",
    "helper(a)",
    "(lambda q: q + b)(a)",
    "xs.pop()",
    "a ** 2 % 1000",
    "-a",
    "(b := a + 1)",
    "str(a)[0]",
    "int('7')",
    "random.random() < 0.5",
    "xs.index(a)",
    "next(iter(xs))",
    "2 ** a",
    "'x' * a",
];

const SIMPLE: &[&str] = &[
    "a = {}",
    "b = {}",
    "xs.append({})",
    "xs[0] = {}",
    "xs = [{}]",
    "a += 1",
    "b -= 1",
    "xs += [a]",
    "xs = xs + [a]",
    "del xs[0]",
    "a, b = b, a",
    "a, *xs = xs",
    "print('s', a, {})",
    "pass",
    "assert a < 50, 'big'",
    "raise ValueError(a)",
    "raise KeyError",
    "a = @work(n=b)",
    "@note(xs, a=a)",
    "b = len(@echo(xs=xs))",
    "await asyncio.sleep(1)",
    "await asyncio.sleep(0)",
    "await asyncio.sleep(b % 3)",
    "r = await asyncio.gather(part(a), part(b))",
    "await asyncio.gather(part(1), async @work(n=1))",
    "ys = spread xs:x -> part(x)",
    "ys = spread [1, 2]:x -> @work(n=x)",
    "t = asyncio.create_task(part(b))",
    "t = asyncio.create_task(part(a))",
    "a = await t",
    "t.cancel()",
    "a = await part(a)",
    "return {}",
    "break",
    "continue",
    "xs.sort()",
    "xs = list(range(a % 5))",
    "await asyncio.wait_for(part(a), 1)",
    "r = await asyncio.gather(part(a), bad(), return_exceptions=True)",
    "a = bad()",
    "await bad()",
    "xs.extend(g for g in numbers(3))",
    "gen = numbers(4)",
    "a = next(gen)",
    "b = dict(k=a).get('k', 1)",
    "asyncio.current_task().cancel()",
];

const HELPERS: &str = "\
def helper(n):
    return n + 1

def numbers(n):
    for i in range(n):
        try:
            yield i
        finally:
            n += 1

fn part(input: [n], output: []):
    try:
        await asyncio.sleep(1)
        got = @part_work(n=n)
    finally:
        print('part', n)
    return 7

fn bad():
    await asyncio.sleep(0)
    raise LookupError('bad')

";

/// A block of statements, each line indented by `depth` levels already.
fn block(depth: usize, levels: u32) -> BoxedStrategy<Vec<String>> {
    let statement = statement(depth, levels);
    prop::collection::vec(statement, 1..4).prop_map(|parts| parts.into_iter().flatten().collect()).boxed()
}

fn expression() -> impl Strategy<Value = &'static str> {
    prop::sample::select(EXPRESSIONS)
}

fn statement(depth: usize, levels: u32) -> BoxedStrategy<Vec<String>> {
    let pad = "    ".repeat(depth);
    let simple_pad = pad.clone();
    let simple = (prop::sample::select(SIMPLE), expression()).prop_map(move |(form, value)| {
        // Outside loops these are errors, so they go where a condition can hold them back.
        let line = form.replacen("{}", value, 1);
        vec![format!("{simple_pad}{line}")]
    });
    if levels == 0 {
        return simple.boxed();
    }
    let inner = || block(depth + 1, levels - 1);
    let compound =
        (0..7u8, expression(), inner(), inner(), inner()).prop_map(move |(kind, value, first, second, third)| {
            let mut lines = Vec::new();
            let mut part = |head: &str, body: &[String]| {
                lines.push(format!("{pad}{head}"));
                lines.extend(body.iter().cloned());
            };
            match kind {
                0 => {
                    part(&format!("if {value}:"), &first);
                    part("else:", &second);
                }
                1 => {
                    part("for a in range(3):", &first);
                    part("else:", &second);
                }
                2 => part(&format!("for b in [{value}, 2]:"), &first),
                3 => {
                    part("try:", &first);
                    part("except ValueError as e:", &second);
                    part("finally:", &third);
                }
                4 => {
                    part("try:", &first);
                    part("except (LookupError, TypeError, asyncio.CancelledError):", &second);
                    part("else:", &third);
                }
                5 => {
                    part("async with asyncio.timeout(2):", &first);
                }
                _ => {
                    part(&format!("while {value}:"), &first);
                }
            }
            lines
        });
    prop_oneof![3 => simple, 2 => compound].boxed()
}

fn program() -> impl Strategy<Value = String> {
    block(1, 3).prop_map(|body| {
        let start = "    a, b, xs, default = 1, 2, [3, 1, 2], 0\n    t, gen, r, ys = None, iter([1]), None, None\n";
        format!("{HELPERS}fn main():\n{start}{}\n    return (a, b, xs)\n", body.join("\n"))
    })
}

fn script() -> impl Strategy<Value = Script> {
    let reply = prop_oneof![
        4 => Just(Reply::value(Value::Int(4))),
        1 => Just(Reply::failure("ValueError", "scripted")),
        1 => Just(Reply::value(Value::List(vec![Value::Int(1)])).after(1.5)),
        1 => Just(Reply::value(Value::None).after(3.0).ignoring_cancel()),
    ];
    let injection = prop_oneof![
        Just(vec![]),
        Just(vec![(1.25, Injection::Cancel { reason: None })]),
        Just(vec![(0.5, Injection::Pause), (2.5, Injection::Resume)]),
        Just(vec![(0.0, Injection::Cancel { reason: Some("now".into()) }), (1.0, Injection::Cancel { reason: None })]),
    ];
    (prop::collection::vec(reply, 1..4), injection).prop_map(|(replies, injections)| {
        let script = Script::default().action("work", replies.clone()).action("part_work", replies);
        injections.into_iter().fold(script, |script, (at, what)| script.inject(at, what))
    })
}

/// `break` outside loops and the like are refused; that is an answer too.
fn lowered(program: &str) -> Option<Arc<Lowered>> {
    lower(program).ok()
}

fn run(lowered: &Arc<Lowered>, script: &Script, resumed: bool, slice: Option<u64>) -> Result<Report, TestCaseError> {
    let simulator = Simulator::new(lowered.clone(), limits()).script(script.clone()).events_max(300);
    let simulator = match slice {
        Some(steps) => simulator.slice(steps),
        None => simulator,
    };
    let report = simulator.every_event_resumed(resumed).run(Vec::new());
    report.map_err(|error| TestCaseError::fail(error.to_string()))
}

/// The first lines that differ, by text because NaN is not equal to itself.
fn difference(left: &Report, right: &Report) -> Option<String> {
    let (left, right) = (format!("{left:#?}"), format!("{right:#?}"));
    let mut lines = left.lines().zip(right.lines()).enumerate();
    let (at, (was, is)) = lines.find(|(_, (left, right))| left != right)?;
    let around: Vec<&str> = left.lines().skip(at.saturating_sub(8)).take(8).collect();
    Some(format!("{}\nthen {was}\nand  {is}", around.join("\n")))
}

fn config(cases: u32) -> ProptestConfig {
    let scale = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    ProptestConfig {
        cases: scale.unwrap_or(cases),
        failure_persistence: None,
        max_global_rejects: 1_000_000,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn random_programs_run_and_resume(source in program(), script in script()) {
        let lowered = lowered(&source);
        prop_assume!(lowered.is_some());
        let lowered = lowered.expect("just seen");
        let straight = run(&lowered, &script, false, None)?;
        let resumed = run(&lowered, &script, true, None)?;
        prop_assert_eq!(difference(&straight, &resumed), None, "when resumed at every event");
        let sliced = run(&lowered, &script, true, Some(7))?;
        prop_assert_eq!(difference(&straight, &sliced), None, "when resumed, in slices");
    }

    #[test]
    fn printing_and_parsing_is_stable(source in program()) {
        let parsed = text::parse("test.ir", &source);
        prop_assert!(parsed.diagnostics.iter().all(|one| !one.is_error()), "{:?}", parsed.diagnostics);
        let printed = text::print(&parsed.program);
        let again = text::parse("test.ir", &printed);
        prop_assert!(again.diagnostics.is_empty(), "{:?}\n{printed}", again.diagnostics);
        prop_assert_eq!(&text::print(&again.program), &printed);
        let bytes = wire::encode(&parsed.program);
        let decoded = wire::decode(&bytes);
        prop_assert_eq!(decoded.map(|program| text::print(&program)).ok(), Some(printed));
    }
}
