//! Live instances that move to another version of their program. Each case runs the old program until it waits for an action
//! called `here`, moves it, and goes on: with the new code, from that very place. Actions give back their first argument.

mod versions;

use std::collections::BTreeMap;
use std::sync::Arc;

use waymark_ir::{Value, json, text};
use waymark_runner::migrate::{Comparison, Label, Mapping, Problem, ProblemKind};
use waymark_runner::simulate::lower;
use waymark_runner::{Effect, Ending, Event, Instance, Limits, Lowered, Outcome};

fn program(source: &str) -> Arc<Lowered> {
    lower(source).unwrap_or_else(|problems| panic!("{problems}\n{source}"))
}

/// An instance and what it has in flight.
struct Run {
    instance: Instance,
    open: Vec<(u64, u32, String, Value)>,
    /// The actions that were called, with their first arguments.
    called: Vec<String>,
    now_us: i64,
}

impl Run {
    /// Up to where it waits for `here`.
    fn start(lowered: &Arc<Lowered>) -> Run {
        let instance = Instance::new(7, lowered.clone(), Limits::default());
        let mut run = Run { instance, open: Vec::new(), called: Vec::new(), now_us: 0 };
        run.apply(Event::Started { inputs: Vec::new() });
        while !run.called.iter().any(|call| call.starts_with("here ")) {
            assert!(run.step(), "it never calls here: {:?}", run.called);
        }
        run
    }

    fn apply(&mut self, event: Event) {
        let effects = self.instance.apply(self.now_us, event).expect("an event that it takes");
        for effect in effects {
            let Effect::Dispatch(call) = effect else { continue };
            let argument = call.positional.first().cloned().unwrap_or(Value::None);
            self.called.push(format!("{} {}", call.name, json::to_json(&argument)));
            self.open.push((call.execution.ordinal, call.attempt, call.name.to_string(), argument));
        }
    }

    /// Lets the oldest action answer, or the next timer fire.
    fn step(&mut self) -> bool {
        if let Some(deadline) = self.instance.next_deadline().filter(|_| self.open.is_empty()) {
            self.now_us = deadline;
            self.apply(Event::DeadlineReached);
            return true;
        }
        if self.open.is_empty() {
            return false;
        }
        let (ordinal, attempt, _, argument) = self.open.remove(0);
        self.apply(Event::Settled { ordinal, attempt, outcome: Outcome::Completed(argument) });
        true
    }

    fn migrate(self, old: &Arc<Lowered>, new: &Arc<Lowered>, mapping: &Mapping) -> Result<Run, Vec<Problem>> {
        let before = self.instance.executions_started();
        let mut instance = Comparison::new(old, new).migrate(self.instance, mapping)?;
        assert_eq!(instance.executions_started(), before, "the counter of executions is kept");
        // What is migrated is stored and read again.
        let instance = Instance::restore(&instance.snapshot(), new.clone()).expect("a snapshot of the new program");
        assert_eq!(instance.in_flight().len(), self.open.len(), "what is in flight stays in flight");
        Ok(Run { instance, ..self })
    }

    fn finish(mut self) -> String {
        while self.instance.ending().is_none() {
            assert!(self.step(), "it waits for ever");
        }
        match self.instance.ending() {
            Some(Ending::Completed(value)) => json::to_json(value).to_string(),
            Some(other) => format!("{other:?}"),
            None => unreachable!(),
        }
    }
}

fn migrated(old: &str, new: &str, mapping: &Mapping) -> Result<String, Vec<Problem>> {
    let (old, new) = (program(old), program(new));
    Run::start(&old).migrate(&old, &new, mapping).map(Run::finish)
}

/// Moves, and ends like this.
fn moves(what: &str, old: &str, new: &str, expected: &str) {
    match migrated(old, new, &Mapping::default()) {
        Ok(ended) => assert_eq!(ended, expected, "{what}"),
        Err(problems) => panic!("{what}: {}", told(&problems)),
    }
}

/// Stays, for this reason at this line.
fn stays(what: &str, old: &str, new: &str, line: u32, reason: &str) {
    match migrated(old, new, &Mapping::default()) {
        Ok(ended) => panic!("{what}: it has moved, and ended with {ended}"),
        Err(problems) => {
            assert_eq!(Label::of(&problems), Label::Stays, "{what}: {}", told(&problems));
            let is_told = problems.iter().any(|one| one.line == line && one.reason.contains(reason));
            assert!(is_told, "{what}: {}", told(&problems));
        }
    }
}

fn told(problems: &[Problem]) -> String {
    problems.iter().map(|problem| format!("\n  {problem}")).collect()
}

const STEPS: &str = "fn main():\n    a = @first(1)\n    b = @here(2)\n    c = @last(3)\n    return [a, b, c]\n";

#[test]
fn code_around_the_position_may_change() {
    moves("nothing", STEPS, STEPS, "[1,2,3]");
    let shifted = format!("# a comment\n\n\n{STEPS}");
    moves("lines", STEPS, &shifted, "[1,2,3]");
    moves(
        "a statement behind",
        STEPS,
        "fn main():\n    a = @first(1)\n    b = @here(2)\n    b = @more(b + 10)\n    c = @last(3)\n    return [a, b, c]\n",
        "[1,12,3]",
    );
    // What is before the position has run, or has not, as it was.
    moves(
        "a statement before",
        STEPS,
        "fn main():\n    a = @first(1)\n    @check(a)\n    b = @here(2)\n    c = @last(3)\n    return [a, b, c]\n",
        "[1,2,3]",
    );
    moves(
        "an argument of another action",
        STEPS,
        "fn main():\n    a = @first(100)\n    b = @here(2)\n    c = @last(b + 5)\n    return [a, b, c]\n",
        "[1,2,7]",
    );
    moves("the end", STEPS, "fn main():\n    a = @first(1)\n    b = @here(2)\n    return a + b\n", "3");
}

#[test]
fn the_line_itself_may_not_change() {
    let with = |line: &str| STEPS.replace("    b = @here(2)\n", line);
    stays("its argument", STEPS, &with("    b = @here(22)\n"), 3, "this line");
    stays("its policy", STEPS, &with("    b = @here(2) [retry: 3]\n"), 3, "this line");
    stays("its variable", STEPS, &with("    b = x = @here(2)\n"), 3, "this line");
    stays("it is gone", STEPS, &with("    b = 5\n"), 3, "this line");
    stays("it is wrapped", STEPS, &with("    if a:\n        b = @here(2)\n"), 3, "this line");
    stays(
        "it is guarded",
        STEPS,
        &with("    try:\n        b = @here(2)\n    finally:\n        pass\n"),
        3,
        "this line",
    );
    stays(
        "it could be either",
        STEPS,
        &with("    b = @here(2)\n    b = @here(2)\n"),
        3,
        "this line could be line 3 or 4",
    );
}

#[test]
fn what_moves_past_the_position_is_noticed() {
    stays(
        "from behind it to before it",
        STEPS,
        "fn main():\n    a = @first(1)\n    c = @last(3)\n    b = @here(2)\n    return [a, b, c]\n",
        3,
        "",
    );
    let long = "fn main():\n    a = @first(1)\n    b = @here(a + 1 - 1 + 1)\n    c = @last(3)\n    return [a, b, c]\n";
    stays(
        "it would never run",
        long,
        "fn main():\n    a = @first(1)\n    c = @last(3)\n    b = @here(a + 1 - 1 + 1)\n    c = 9\n    return [a, b, c]\n",
        3,
        "it would never run",
    );
    stays(
        "it would run twice",
        long,
        "fn main():\n    a = 1\n    b = @here(a + 1 - 1 + 1)\n    a = @first(1)\n    c = @last(3)\n    return [a, b, c]\n",
        3,
        "it would run twice",
    );
}

#[test]
fn blocks_around_the_position() {
    let in_loop = "fn main():\n    out = []\n    for n in [1, 2, 3]:\n        out.append(@here(n))\n    return out\n";
    moves("a loop goes on", in_loop, &in_loop.replace("    return out", "    return sum(out)"), "6");
    moves(
        "a statement in its body",
        in_loop,
        "fn main():\n    first = 0\n    out = []\n    for n in [1, 2, 3]:\n        out.append(@here(n))\n        out.append(0)\n    return out\n",
        "[1,0,2,0,3,0]",
    );
    stays("other items", in_loop, &in_loop.replace("[1, 2, 3]", "[1, 2, 3, 4]"), 3, "inside this block");
    stays("another variable", in_loop, &in_loop.replace("for n in", "for m in").replace("(n)", "(m)"), 4, "");
    let while_loop = "fn main():\n    n = 0\n    while n < 2:\n        n = n + @here(1)\n    return n\n";
    moves("a while loop's test", while_loop, &while_loop.replace("n < 2", "n < 5"), "5");
    let branch = "fn main():\n    if 5 > 3:\n        a = @here(1)\n    else:\n        a = 2\n    return a\n";
    stays("a test that was made", branch, &branch.replace("5 > 3", "5 > 4"), 2, "inside this block");
    moves("the other branch", branch, &branch.replace("a = 2", "a = 3"), "1");
    moves("no other branch", branch, "fn main():\n    if 5 > 3:\n        a = @here(1)\n    return a\n", "1");
    let guarded = "fn main():\n    try:\n        a = @here(1)\n        raise ValueError('x')\n    except ValueError:\n        a = 5\n    return a\n";
    moves("a handler", guarded, &guarded.replace("a = 5", "a = 6"), "6");
    moves("another handler", guarded, &guarded.replace("except ValueError", "except (KeyError, ValueError)"), "5");
    moves(
        "a finally block is added",
        guarded,
        "fn main():\n    out = []\n    try:\n        a = @here(1)\n        raise ValueError('x')\n    except ValueError:\n        a = 5\n    finally:\n        b = 7\n    return [a, b]\n",
        "[5,7]",
    );
    let handling = "fn main():\n    try:\n        raise ValueError('x')\n    except ValueError as error:\n        a = @here(1)\n        return [a, str(error)]\n";
    moves("inside a handler", handling, &handling.replace("return [a,", "b = a\n        return [b,"), "[1,\"x\"]");
    stays(
        "of another exception",
        handling,
        &handling.replace("except ValueError", "except Exception"),
        2,
        "inside this block",
    );
    let with = "fn main():\n    async with asyncio.timeout(60):\n        a = @here(1)\n    return a\n";
    moves("inside a with block", with, &with.replace("return a", "return a + 1"), "2");
    stays("of another manager", with, &with.replace("(60)", "(61)"), 2, "inside this block");
}

#[test]
fn ways_out_of_a_finally_block() {
    let old = "fn main():\n    for n in [1, 2]:\n        try:\n            if n == 2:\n                break\n            return n\n        finally:\n            @here(n)\n    return 9\n";
    // The number of the way out has changed: `continue` comes first now.
    let new = "fn main():\n    for n in [1, 2]:\n        try:\n            if n == 7:\n                continue\n            if n == 2:\n                break\n            return n\n        finally:\n            @here(n)\n            print('left')\n    return 9\n";
    moves("it returns as it was about to", old, new, "1");
    let none = "fn main():\n    for n in [1, 2]:\n        try:\n            m = n\n        finally:\n            @here(n)\n    return 9\n";
    stays("no such way", old, none, 8, "a way that the new code does not have");
}

#[test]
fn functions() {
    let old = "fn helper(input: [n]):\n    m = @here(n)\n    return m * 2\n\nfn main():\n    return await helper(4)\n";
    moves("a helper's end", old, &old.replace("m * 2", "m * 3"), "12");
    moves(
        "another order",
        old,
        "fn main():\n    return await helper(4)\n\nfn other():\n    return 1\n\nfn helper(input: [n]):\n    m = @here(n)\n    return m * 2\n",
        "8",
    );
    stays("a helper is renamed", old, &old.replace("helper", "other"), 2, "no such function");
    let unused = "fn helper():\n    return 1\n\nfn main():\n    a = @here(4)\n    return a + await helper()\n";
    moves("one that does not run is renamed", unused, &unused.replace("helper", "other"), "5");
    let many = "fn one(input: [n]):\n    m = @here(n)\n    return m\n\nfn main():\n    return await asyncio.gather(one(1), one(2), one(3))\n";
    moves("all of a gather", many, &many.replace("return m\n", "m = m + 10\n    return m\n"), "[11,12,13]");
    let waiting = "fn one(input: [n]):\n    return @more(n)\n\nfn main():\n    later = one(5)\n    @here(1)\n    return await later\n";
    moves("one that has not begun", waiting, &waiting.replace("@more(n)", "@more(n + 1)"), "6");
    moves(
        "a parameter with a default",
        waiting,
        &waiting.replace("[n]", "[n, by=7]").replace("@more(n)", "@more(n + by)"),
        "12",
    );
}

#[test]
fn closures_and_generators() {
    let closure = "fn main():\n    count = 0\n    def step(by=2):\n        nonlocal count\n        count += by\n        return count\n    step()\n    @here(1)\n    step()\n    return count\n";
    moves("a closure", closure, &closure.replace("count += by", "count += by * 10"), "22");
    stays(
        "it is gone",
        closure,
        "fn main():\n    count = 0\n    @here(1)\n    return count\n",
        8,
        "shared with an inner function",
    );
    let captured = "fn main():\n    n = 1\n    @here(1)\n    return n\n";
    moves(
        "a variable is shared now",
        captured,
        "fn main():\n    n = 1\n    @here(1)\n    f = lambda: n + 1\n    n = 5\n    return f()\n",
        "6",
    );
    let generator = "fn main():\n    def numbers():\n        for n in range(5):\n            yield n\n    made = numbers()\n    out = [next(made)]\n    @here(1)\n    out.extend(made)\n    return out\n";
    moves("a generator", generator, &generator.replace("yield n\n", "yield n\n            n = n + 1\n"), "[0,1,2,3,4]");
    stays("its yield", generator, &generator.replace("yield n\n", "yield n + 1\n"), 4, "this line");
    let shared = "fn main():\n    seen = const(list: [1])\n    seen.append(2)\n    @here(1)\n    for n in [1, 2]:\n        seen.append(n)\n    return seen\n";
    moves("constants are kept", shared, &shared.replace("    return", "    x = 1\n    return"), "[1,2,1,2]");
    let comprehension = "fn main():\n    n = 100\n    out = [n + @here(n) for n in [1, 2]]\n    return [n, out]\n";
    moves(
        "a comprehension",
        comprehension,
        &comprehension.replace("    n = 100", "    k = [k for k in [1]]\n    n = 200"),
        "[100,[2,4]]",
    );
}

#[test]
fn classes() {
    let record = "type app:Point:\n    record eq\n    field x\n    field y\n\nfn main():\n    point = Point(1, 2)\n    @here(1)\n    return [point.x, point == Point(1, 2), isinstance(point, Point)]\n";
    let with_another = format!("type app:Other:\n    record eq\n    field z\n\n{record}");
    moves("numbers of classes", record, &with_another, "[1,true,true]");
    let key = "type app:Point:\n    record frozen eq\n    field x\n\nfn main():\n    table = {Point(1): 'a', Point: 'b'}\n    @here(1)\n    return [table[Point(1)], table[Point]]\n";
    moves("keys", key, &format!("type app:Other:\n    record eq\n    field z\n\n{key}"), "[\"a\",\"b\"]");
    stays(
        "a field is added",
        record,
        &record.replace("    field y\n", "    field y\n    field z = 0\n"),
        0,
        "new field z",
    );
    stays(
        "a field is gone",
        &record.replace("    field y\n", "    field y\n    field z = 0\n"),
        record,
        0,
        "no field z",
    );
    let member = "type app:Color:\n    enum\n    member RED = 1\n    member BLUE = 2\n\nfn main():\n    color = Color.BLUE\n    @here(1)\n    return [color is Color.BLUE, color.value]\n";
    moves("members", member, &format!("type app:Other:\n    record eq\n    field z\n\n{member}"), "[true,2]");
    stays("a member's value", member, &member.replace("BLUE = 2", "BLUE = 3"), 0, "its member BLUE");
    moves("another member", member, &member.replace("RED = 1", "RED = 5"), "[true,2]");
}

#[test]
fn variables() {
    let new = "fn main():\n    a = @first(1)\n    rate = 3\n    b = @here(2)\n    c = @last(3)\n    return [a * rate, b, c]\n";
    let problems = migrated(STEPS, new, &Mapping::default()).expect_err("a variable is missing");
    assert_eq!(Label::of(&problems), Label::NeedsMapping, "{}", told(&problems));
    assert_eq!(problems[0].kind, ProblemKind::Variable("rate".into()));
    assert_eq!((problems[0].line, problems[0].function.as_str()), (3, "main"));
    assert!(problems[0].reason.contains("reads rate (line 6)"), "{}", problems[0]);

    let given = |name: &str, value: i64| {
        let variables = BTreeMap::from([(name.to_string(), Value::Int(value))]);
        Mapping { functions: BTreeMap::from([("main".to_string(), variables)]), ..Mapping::default() }
    };
    assert_eq!(migrated(STEPS, new, &given("rate", 5)).expect("it moves"), "[5,2,3]");
    // Values that are there may be changed as well.
    assert_eq!(migrated(STEPS, STEPS, &given("a", 7)).expect("it moves"), "[7,2,3]");
    for (wrong, reason) in [
        (given("nothing", 1), "no variable of main"),
        (Mapping { functions: BTreeMap::from([("no".into(), BTreeMap::new())]), ..Mapping::default() }, "no function"),
    ] {
        let problems = migrated(STEPS, new, &wrong).expect_err("no such variable");
        assert!(problems.iter().any(|one| one.reason.contains(reason)), "{}", told(&problems));
        assert_eq!(Label::of(&problems), Label::Stays);
    }
    // A variable that is set again before it is read needs no value.
    moves("set again", STEPS, &new.replace("    c = @last(3)\n", "    c = @last(3)\n    rate = 1\n"), "[1,2,3]");
    // In one branch only, it does.
    let half = new.replace("    c = @last(3)\n", "    c = @last(3)\n    if c > 2:\n        rate = 1\n");
    assert!(migrated(STEPS, &half, &Mapping::default()).is_err());
    // An exception may come before it is set.
    let handled = "fn main():\n    rate = 1\n    try:\n        a = @here(1)\n        rate = 2\n    except ValueError:\n        pass\n    return rate\n";
    let without = "fn main():\n    try:\n        a = @here(1)\n    except ValueError:\n        pass\n    return 0\n";
    assert!(migrated(without, handled, &Mapping::default()).is_err());
    // What the old code might read unset as well is as it is written.
    let maybe = "fn main():\n    a = 1\n    if a > 5:\n        b = 1\n    @here(1)\n    if a > 5:\n        a = b\n    return a\n";
    moves("perhaps unset", maybe, &maybe.replace("return a", "return [a]"), "[1]");
    // Set later by the old code, earlier by the new one.
    let later = "fn main():\n    @here(1)\n    x = 4\n    return x + 0\n";
    let earlier = "fn main():\n    x = 4\n    y = 1\n    @here(1)\n    return x + 1\n";
    assert!(migrated(later, earlier, &Mapping::default()).is_err());
    // An inner function reads it.
    let inner = "fn main():\n    x = 4\n    @here(1)\n    f = lambda: x\n    return f()\n";
    assert!(migrated("fn main():\n    @here(1)\n    return 1\n", inner, &Mapping::default()).is_err());
}

#[test]
fn values_for_one_frame() {
    let old = "fn one(input: [n]):\n    m = @here(n)\n    return m\n\nfn main():\n    return await asyncio.gather(one(1), one(2))\n";
    let new = "fn one(input: [n]):\n    k = 0\n    m = @here(n)\n    return m + k\n\nfn main():\n    return await asyncio.gather(one(1), one(2))\n";
    let (old, new) = (program(old), program(new));
    let mut run = Run::start(&old);
    let frames = run.instance.movable_frames();
    let shown: Vec<String> =
        frames.iter().map(|frame| format!("{}:{} {:?}", frame.function, frame.line, frame.variables)).collect();
    assert_eq!(frames.len(), 3, "{shown:?}");
    let mut mapping = Mapping::default();
    for (number, frame) in frames.iter().enumerate().filter(|(_, frame)| &*frame.function == "one") {
        let Some((_, Value::Int(n))) = frame.variables.iter().find(|(name, _)| &**name == "n") else {
            panic!("{shown:?}")
        };
        mapping.frames.insert(number, BTreeMap::from([("k".to_string(), Value::Int(n * 100))]));
    }
    assert_eq!(run.migrate(&old, &new, &mapping).expect("it moves").finish(), "[101,202]");
}

#[test]
fn what_can_not_move_at_all() {
    let (old, other) = (program(STEPS), program("fn main():\n    return 1\n"));
    let mut finished = Instance::new(7, other.clone(), Limits::default());
    finished.apply(0, Event::Started { inputs: Vec::new() }).expect("it starts");
    let refused = |instance: Instance, from: &Arc<Lowered>, to: &Arc<Lowered>| {
        let problems = Comparison::new(from, to).migrate(instance, &Mapping::default()).expect_err("refused");
        problems[0].reason.clone()
    };
    assert_eq!(refused(finished, &other, &old), "it has finished");
    assert!(refused(Run::start(&old).instance, &other, &old).contains("another program"));
    let mut flow = text::parse("test.ir", STEPS).program;
    flow.semantics += 1;
    if let Ok(flow) = Lowered::new(flow) {
        assert!(refused(Run::start(&old).instance, &old, &flow).contains("semantics level"));
    }
    // One that has not begun begins with the new code.
    let fresh = Instance::new(7, old.clone(), Limits::default());
    let moved = Comparison::new(&old, &other).migrate(fresh, &Mapping::default());
    let mut moved = moved.expect("it has nothing to keep");
    moved.apply(0, Event::Started { inputs: Vec::new() }).expect("it starts");
    assert_eq!(moved.ending(), Some(&Ending::Completed(Value::Int(1))));
}

/// Every program of the recorded snapshots and of the tests of asyncio, on two versions in turn, ends as on one.
#[test]
fn two_versions_in_turn() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/asyncio");
    let mut count = 0;
    for file in std::fs::read_dir(folder).expect("the folder") {
        let path = file.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "flowtest") {
            continue;
        }
        let cases = std::fs::read_to_string(&path).expect("the file");
        for case in cases.split("=== ").skip(1) {
            let (name, rest) = case.split_once('\n').expect("a name");
            let source = rest.split("\n---").next().unwrap_or_default();
            if lower(source).is_err() {
                continue;
            }
            let (one, other) = versions::padded(source);
            let run = |migrated: bool| {
                let simulator =
                    waymark_runner::simulate::Simulator::new(one.clone(), Limits::default()).events_max(10_000);
                let simulator = if migrated { simulator.every_event_migrated(other.clone()) } else { simulator };
                let report = simulator.run(Vec::new()).unwrap_or_else(|error| panic!("{name}: {error}\n{source}"));
                format!("{:#?} {:?} {}", report.lines(), report.stop, report.ended_us)
            };
            assert_eq!(run(false), run(true), "{name}\n{source}");
            count += 1;
        }
    }
    assert!(count > 50, "only {count} programs");
}
