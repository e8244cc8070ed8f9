//! Whatever is thrown at the runner, it neither panics nor hangs nor eats memory: random programs, random bytes, damaged
//! snapshots. `PROPTEST_CASES` scales the number of cases.

use std::sync::Arc;

use proptest::prelude::*;
use sha2::Digest;
use waymark_ir::{Value, payload, text, wire};
use waymark_runner::simulate::{Injection, Reply, Report, Script, Simulator, lower};
use waymark_runner::{Effect, Event, FragmentOutcome, Instance, Limits, Lowered, Outcome};

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

// ------------------------------------------------------------------------------------------------------ random bytes

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn random_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = wire::decode(&bytes);
        let _ = payload::decode(&bytes);
        let _ = text::parse("test.ir", &String::from_utf8_lossy(&bytes));
        if let Ok(instance) = Instance::restore(&bytes, sample()) {
            drive(instance);
        }
    }
}

proptest! {
    #![proptest_config(config(1_500))]

    #[test]
    fn damaged_snapshots_are_refused_or_run(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in prop::option::weighted(0.2, any::<prop::sample::Index>()),
    ) {
        let snapshots = snapshots();
        let whole: &Vec<u8> = &snapshots[which.index(snapshots.len())];
        let damage = |mut bytes: Vec<u8>| {
            for (place, byte) in &changes {
                let at = place.index(bytes.len());
                bytes[at] = *byte;
            }
            if let Some(cut) = &cut {
                bytes.truncate(cut.index(bytes.len()));
            }
            bytes
        };
        if let Ok(instance) = Instance::restore(&damage(whole.clone()), sample()) {
            drive(instance);
        }
        // With a checksum that fits, so that the reader behind it is tried too. What it lets through is not driven: who can
        // forge a checksum can write any state.
        let _ = Instance::restore(&reframed(whole, damage), sample());
    }
}

/// The frame of a snapshot, as the runner writes it.
#[derive(serde::Serialize, serde::Deserialize)]
struct Frame {
    schema: u32,
    lowering: u32,
    ir_hash: [u8; 32],
    checksum: [u8; 8],
    unpacked: u64,
    #[serde(with = "serde_bytes")]
    body: Vec<u8>,
}

/// The snapshot with another body, and the checksum of that.
fn reframed(snapshot: &[u8], damage: impl Fn(Vec<u8>) -> Vec<u8>) -> Vec<u8> {
    let mut frame: Frame = rmp_serde::from_slice(snapshot).expect("a snapshot has a frame");
    if frame.unpacked > 0 {
        frame.body = lz4_flex::decompress(&frame.body, frame.unpacked as usize).expect("a body");
        frame.unpacked = 0;
    }
    frame.body = damage(frame.body);
    let digest = sha2::Sha256::digest(&frame.body);
    frame.checksum = std::array::from_fn(|at| digest[at]);
    rmp_serde::to_vec(&frame).expect("a frame can be written")
}

/// One of everything that a snapshot can hold.
const SAMPLE: &str = "\
def numbers(n):
    for i in range(n):
        yield i

fn part(input: [n, shared], output: []):
    try:
        shared.append(n)
        got = @work(n=n, shared=shared) [retry: 3, backoff: 1s] [timeout: 5s]
        await asyncio.sleep(n)
    except ValueError as e:
        kept = e
        await asyncio.sleep(1)
        raise KeyError('k') from e
    finally:
        shared.append(-n)
    return n

fn main():
    shared = [1, 'a', 2.5, None, True, b'x', (1, 2), {3, 4}, {'k': [5]}, 10 ** 30, datetime.date(2024, 1, 2), decimal.Decimal('1.5')]
    cycle = [shared]
    cycle.append(cycle)
    gen = numbers(5)
    next(gen)
    it = iter({'a': 1, 'b': 2}.items())
    count = 0
    def bump(k=[1]):
        nonlocal count
        count += 1
        return count
    queue = asyncio.Queue(2)
    event = asyncio.Event()
    t = asyncio.create_task(part(1, shared))
    u = asyncio.gather(part(2, shared), part(3, shared), return_exceptions=True)
    for i in range(3):
        try:
            async with asyncio.timeout(1.5):
                await event.wait()
        except TimeoutError:
            bump()
        await queue.put(i) if not queue.full() else None
        print(next(gen), [x for x in it], count)
    await t
    async with asyncio.TaskGroup() as group:
        group.create_task(part(4, []))
    return [count, len(shared), len(await u)]
";

fn sample() -> Arc<Lowered> {
    static SAMPLE_LOWERED: std::sync::LazyLock<Arc<Lowered>> =
        std::sync::LazyLock::new(|| lower(SAMPLE).expect("the sample lowers"));
    SAMPLE_LOWERED.clone()
}

/// A snapshot after each event of the sample.
fn snapshots() -> &'static [Vec<u8>] {
    static SNAPSHOTS: std::sync::LazyLock<Vec<Vec<u8>>> = std::sync::LazyLock::new(|| {
        let mut instance = Instance::new(1, sample(), limits());
        let mut taken = Vec::new();
        let mut event = Event::Started { inputs: Vec::new() };
        for turn in 0..30 {
            let at_us = instance.next_deadline().unwrap_or(0);
            instance.apply(at_us, event).expect("the sample runs");
            taken.push(instance.snapshot());
            if instance.ending().is_some() {
                break;
            }
            event = next_event(&instance, turn);
        }
        assert!(taken.len() > 10, "the sample is too short: {:?}", instance.ending());
        taken
    });
    &SNAPSHOTS
}

/// Settles the first of what is out, every third time with a failure; else time moves.
fn next_event(instance: &Instance, turn: usize) -> Event {
    for effect in instance.in_flight() {
        match effect {
            Effect::Dispatch(out) | Effect::StartChild(out) if turn.is_multiple_of(2) => {
                let failure = waymark_ir::exceptions::exception("ValueError", vec![Value::Int(1)]);
                let outcome =
                    if turn.is_multiple_of(3) { Outcome::Failed(failure) } else { Outcome::Completed(Value::Int(1)) };
                return Event::Settled { ordinal: out.execution.ordinal, attempt: out.attempt, outcome };
            }
            Effect::DispatchFragment(out) => {
                let failure = waymark_ir::exceptions::exception("ValueError", Vec::new());
                let outcome = FragmentOutcome::Failed(failure);
                return Event::FragmentSettled { ordinal: out.execution.ordinal, attempt: out.attempt, outcome };
            }
            _ => {}
        }
    }
    Event::DeadlineReached
}

/// A restored instance, however odd, can be moved on, asked and saved.
fn drive(mut instance: Instance) {
    for turn in 0..20 {
        if instance.ending().is_some() {
            break;
        }
        let event = match turn {
            7 => Event::Signal { name: "s".into(), payload: Value::None, id: None },
            9 => Event::Resume,
            15 => Event::Cancel { reason: None },
            _ => next_event(&instance, turn),
        };
        let at_us = instance.next_deadline().unwrap_or(turn as i64);
        if instance.apply(at_us, event).is_err() && instance.has_work() {
            instance.proceed();
        }
    }
    let _ = (instance.seq(), instance.digest(), instance.snapshot());
}
