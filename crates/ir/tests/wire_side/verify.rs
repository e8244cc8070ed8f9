use crate::build::*;
use std::collections::BTreeSet;
use waymark_ir::verify::{Names, codes};
use waymark_ir::*;

struct Known;

impl Names for Known {
    fn is_builtin(&self, name: &str) -> bool {
        self.builtins().contains(&name)
    }
    fn is_module(&self, name: &str) -> bool {
        self.modules().contains(&name)
    }
    fn has_attribute(&self, module: &str, attribute: &str) -> bool {
        self.attributes(module).contains(&attribute)
    }
    fn builtins(&self) -> Vec<&str> {
        vec!["len", "range", "print", "int"]
    }
    fn modules(&self) -> Vec<&str> {
        vec!["math", "asyncio"]
    }
    fn attributes(&self, module: &str) -> Vec<&str> {
        if module == "math" { vec!["sqrt", "floor"] } else { vec!["gather", "sleep"] }
    }
}

fn found(program: &Program) -> Vec<&'static str> {
    verify(program, &Known).into_iter().map(|problem| problem.code).collect()
}

/// The code, a program that has exactly this problem, and its nearest neighbour that has none.
fn cases() -> Vec<(&'static str, Program, Program)> {
    use FunctionKind::{Durable, Plain};
    use ParamKind::{KeywordOnly, Options, Positional, Rest};
    let two = |first: Function, body: Block| program(vec![first, function("main", Durable, vec![], body)]);
    let with_types = |types: Vec<TypeDescriptor>| Program { types, ..main_with(vec![pass()]) };
    let with_method = |function: &str| TypeDescriptor {
        methods: vec![("call".into(), function.into())],
        ..descriptor("app:A", &[], TypeKind::Opaque)
    };
    let inner = |body: Block| s(StmtKind::Def(Box::new(function("inner", Plain, vec![], body))));
    let nonlocal = || s(StmtKind::Nonlocal(vec!["x".into()]));
    let helper = || {
        function(
            "helper",
            Plain,
            vec![param("a", Positional, None), param("b", Positional, Some(int(1)))],
            vec![pass()],
        )
    };
    let calls = |args: Vec<Arg>| two(helper(), vec![run(call("helper", args))]);
    let promising = |body: Block| {
        let mut promising = main_with(body);
        promising.functions[0].outputs = vec!["result".into()];
        promising
    };
    let forever = |body: Block| s(StmtKind::While { test: constant(Value::Bool(true)), body, orelse: vec![] });
    let attempt = |handlers: Vec<Option<&str>>| {
        let handlers = handlers.into_iter().map(|class| Handler {
            exception: class.map(name),
            name: None,
            body: vec![pass()],
            span: span(1),
        });
        main_with(vec![s(StmtKind::Try {
            body: vec![pass()],
            handlers: handlers.collect(),
            orelse: vec![],
            finally: vec![],
        })])
    };
    let rethrow = || s(StmtKind::Raise { exception: None, cause: None });
    let handled = Handler { exception: None, name: None, body: vec![rethrow()], span: span(1) };
    let capture = |text: &str| p(PatternKind::Capture(text.into()));
    let pair = |left: &str, right: &str| p(PatternKind::Sequence(vec![capture(left), capture(right)]));
    let matching = |patterns: Vec<Pattern>| {
        let cases =
            patterns.into_iter().map(|pattern| Case { pattern, guard: None, body: vec![pass()], span: span(1) });
        main_with(vec![s(StmtKind::Match { subject: int(1), cases: cases.collect() })])
    };
    let policy = |policy: Policy| main_with(vec![run(awaited(action(policy)))]);
    let attempts = |count: i64| Policy { attempts: Some(int(count)), ..Policy::default() };
    let action_named = |name: &str| {
        let call = ActionCall { target: CallTarget::Action(name.into()), args: vec![], policy: Policy::default() };
        main_with(vec![run(awaited(e(ExprKind::Action(Box::new(call)))))])
    };
    let fragment = |captures: &[&str], writes: &[&str]| {
        let captures = captures.iter().map(|name| (name.to_string(), int(1))).collect();
        let writes = writes.iter().map(|name| name.to_string()).collect();
        main_with(vec![run(e(ExprKind::Fragment(Box::new(Fragment { source: "f(a)".into(), captures, writes }))))])
    };
    let sum = |terms: i64| main_with(vec![ret((1..terms).fold(int(0), |sum, term| add(sum, int(term))))]);
    let assign_to =
        |target: Expr| main_with(vec![s(StmtKind::Assign { targets: vec![target], value: e(ExprKind::List(vec![])) })]);
    let slice = || e(ExprKind::Slice { lower: None, upper: None, step: None });
    let in_plain = |body: Block| two(function("helper", Plain, vec![], body), vec![pass()]);
    let in_durable = |body: Block| two(function("helper", Durable, vec![], body), vec![pass()]);
    let params = |params: Vec<Param>| two(function("helper", Plain, params, vec![pass()]), vec![pass()]);
    let each = |kind: ComprehensionKind| main_with(vec![run(comprehension(kind, "q", e(ExprKind::List(vec![]))))]);
    let waiting = || awaited(attribute(name("q"), "task"));
    let yielding = || run(e(ExprKind::Yield(None)));
    let delegating = || run(e(ExprKind::YieldFrom(bx(e(ExprKind::List(vec![]))))));
    let break_it = || s(StmtKind::Break);
    vec![
        (codes::TOO_DEEP, sum(400), sum(300)),
        (codes::NO_ENTRY, Program { entry: "start".into(), ..main_with(vec![]) }, main_with(vec![])),
        (codes::DUPLICATE_FUNCTION, two(function("main", Plain, vec![], vec![]), vec![]), two(helper(), vec![])),
        (
            codes::DUPLICATE_TYPE,
            with_types(vec![descriptor("app:A", &[], TypeKind::Opaque), descriptor("app:A", &[], TypeKind::Opaque)]),
            with_types(vec![descriptor("app:A", &[], TypeKind::Opaque), descriptor("lib:A", &[], TypeKind::Opaque)]),
        ),
        (codes::NEWER_SEMANTICS, Program { semantics: SEMANTICS_LEVEL + 1, ..main_with(vec![]) }, main_with(vec![])),
        (
            codes::UNKNOWN_BASE,
            with_types(vec![descriptor("app:A", &["app:Gone"], TypeKind::Opaque)]),
            with_types(vec![descriptor("app:A", &["ValueError", "int"], TypeKind::Exception)]),
        ),
        (
            codes::BASE_CYCLE,
            with_types(vec![descriptor("app:A", &["app:A"], TypeKind::Opaque)]),
            with_types(vec![
                descriptor("app:A", &["app:B"], TypeKind::Opaque),
                descriptor("app:B", &[], TypeKind::Opaque),
            ]),
        ),
        (codes::UNKNOWN_METHOD, with_types(vec![with_method("gone")]), with_types(vec![with_method("main")])),
        (
            codes::DUPLICATE_PARAM,
            params(vec![param("a", Positional, None), param("a", Positional, None)]),
            params(vec![param("a", Positional, None)]),
        ),
        (
            codes::PARAM_ORDER,
            params(vec![param("a", Positional, Some(int(1))), param("b", Positional, None)]),
            params(vec![param("a", Positional, Some(int(1))), param("b", KeywordOnly, None)]),
        ),
        (
            codes::PARAM_ORDER,
            params(vec![param("a", Options, None), param("b", Rest, None)]),
            params(vec![param("a", Rest, None), param("b", Options, None)]),
        ),
        (
            codes::DEFAULT_NOT_CONSTANT,
            params(vec![param("a", Positional, Some(call("print", vec![])))]),
            params(vec![param("a", Positional, Some(tuple(vec![int(1)])))]),
        ),
        (codes::UNKNOWN_NAME, main_with(vec![run(name("lenn"))]), main_with(vec![run(name("len"))])),
        (
            codes::UNKNOWN_NAME,
            main_with(vec![run(comprehension(ComprehensionKind::List(int(1)), "q", name("q")))]),
            each(ComprehensionKind::List(name("q"))),
        ),
        (
            codes::UNKNOWN_NAME,
            main_with(vec![inner(vec![set("y", int(1))]), run(name("y"))]),
            main_with(vec![set("y", int(1)), inner(vec![run(name("y"))])]),
        ),
        (
            codes::UNKNOWN_ATTRIBUTE,
            main_with(vec![run(attribute(name("math"), "sqroot"))]),
            main_with(vec![run(attribute(name("math"), "sqrt"))]),
        ),
        (
            codes::UNKNOWN_ATTRIBUTE,
            main_with(vec![run(attribute(name("asyncio"), "fly"))]),
            main_with(vec![run(attribute(name("asyncio"), "CancelledError"))]),
        ),
        (
            codes::NONLOCAL_NOT_FOUND,
            main_with(vec![inner(vec![nonlocal()])]),
            main_with(vec![set("x", int(1)), inner(vec![nonlocal(), set("x", int(2))])]),
        ),
        (
            codes::READ_BEFORE_ASSIGNMENT,
            main_with(vec![run(name("x")), set("x", int(1))]),
            main_with(vec![loop_over(
                name("i"),
                call("range", vec![]),
                vec![when(name("i"), vec![run(name("x"))], vec![]), set("x", int(1))],
            )]),
        ),
        (
            codes::READ_BEFORE_ASSIGNMENT,
            main_with(vec![s(StmtKind::AugAssign { target: name("x"), op: BinaryOp::Add, value: int(1) })]),
            main_with(vec![
                set("x", int(1)),
                s(StmtKind::AugAssign { target: name("x"), op: BinaryOp::Add, value: int(1) }),
            ]),
        ),
        (
            codes::READ_BEFORE_ASSIGNMENT,
            main_with(vec![when(int(1), vec![set("y", int(1))], vec![run(name("y"))])]),
            main_with(vec![when(int(1), vec![set("y", int(1))], vec![]), run(name("y"))]),
        ),
        (codes::WRONG_ARGUMENTS, calls(vec![]), calls(vec![pos(int(1))])),
        (
            codes::WRONG_ARGUMENTS,
            calls(vec![pos(int(1)), pos(int(2)), pos(int(3))]),
            calls(vec![Arg::Rest(e(ExprKind::List(vec![])))]),
        ),
        (
            codes::WRONG_ARGUMENTS,
            calls(vec![pos(int(1)), key("a", int(2))]),
            calls(vec![key("b", int(2)), key("a", int(1))]),
        ),
        (
            codes::UNKNOWN_KEYWORD,
            calls(vec![pos(int(1)), key("c", int(1))]),
            calls(vec![pos(int(1)), key("b", int(1))]),
        ),
        (
            codes::DUPLICATE_KEYWORD,
            main_with(vec![run(call("print", vec![key("a", int(1)), key("a", int(2))]))]),
            main_with(vec![run(call("print", vec![key("a", int(1)), key("b", int(2))]))]),
        ),
        (codes::WAIT_IN_PLAIN, in_plain(vec![run(awaited(int(1)))]), in_durable(vec![run(awaited(int(1)))])),
        (
            codes::WAIT_IN_PLAIN,
            main_with(vec![run(lambda(awaited(name("v"))))]),
            main_with(vec![run(lambda(name("v")))]),
        ),
        (
            codes::WAIT_IN_PLAIN,
            in_plain(vec![run(awaited(name("math")))]),
            each(ComprehensionKind::Generator(waiting())),
        ),
        (codes::OUTSIDE_LOOP, main_with(vec![break_it()]), main_with(vec![forever(vec![break_it()])])),
        (
            codes::OUTSIDE_LOOP,
            main_with(vec![forever(vec![inner(vec![s(StmtKind::Continue)])])]),
            main_with(vec![forever(vec![s(StmtKind::Continue)])]),
        ),
        (codes::YIELD_IN_DURABLE, main_with(vec![yielding()]), in_durable(vec![yielding()])),
        (codes::YIELD_IN_DURABLE, in_durable(vec![delegating()]), in_plain(vec![delegating()])),
        (codes::BAD_TARGET, assign_to(int(1)), assign_to(tuple(vec![name("a"), star(name("b"))]))),
        (
            codes::BAD_TARGET,
            main_with(vec![set("a", int(1)), s(StmtKind::Delete(vec![call("print", vec![])]))]),
            main_with(vec![set("a", int(1)), s(StmtKind::Delete(vec![name("a")]))]),
        ),
        (codes::BAD_STAR, main_with(vec![run(star(int(1)))]), main_with(vec![run(tuple(vec![star(int(1))]))])),
        (
            codes::BAD_STAR,
            assign_to(tuple(vec![star(name("a")), star(name("b"))])),
            assign_to(tuple(vec![star(name("a")), name("b")])),
        ),
        (
            codes::SLICE_OUTSIDE_INDEX,
            main_with(vec![run(slice())]),
            main_with(vec![run(e(ExprKind::Index { base: bx(int(1)), index: bx(tuple(vec![slice(), int(1)])) }))]),
        ),
        (
            codes::BARE_RAISE,
            main_with(vec![rethrow()]),
            main_with(vec![s(StmtKind::Try {
                body: vec![pass()],
                handlers: vec![handled],
                orelse: vec![],
                finally: vec![],
            })]),
        ),
        (
            codes::MISSING_RETURN,
            promising(vec![when(int(1), vec![ret(int(1))], vec![])]),
            promising(vec![when(int(1), vec![ret(int(1))], vec![ret(int(2))])]),
        ),
        (codes::MISSING_RETURN, promising(vec![forever(vec![break_it()])]), promising(vec![forever(vec![pass()])])),
        (
            codes::UNREACHABLE,
            main_with(vec![ret(int(1)), pass()]),
            main_with(vec![when(int(1), vec![ret(int(1))], vec![]), pass()]),
        ),
        (
            codes::UNREACHABLE,
            main_with(vec![forever(vec![pass()]), pass()]),
            main_with(vec![forever(vec![break_it()]), pass()]),
        ),
        (codes::HANDLER_AFTER_CATCH_ALL, attempt(vec![None, Some("KeyError")]), attempt(vec![Some("KeyError"), None])),
        (codes::DUPLICATE_CAPTURE, matching(vec![pair("a", "a")]), matching(vec![pair("a", "b")])),
        (
            codes::IRREFUTABLE_CASE,
            matching(vec![capture("a"), pair("b", "c")]),
            matching(vec![pair("b", "c"), capture("a")]),
        ),
        (
            codes::ALTERNATIVES_DIFFER,
            matching(vec![p(PatternKind::Or(vec![pair("a", "b"), pair("a", "c")]))]),
            matching(vec![p(PatternKind::Or(vec![pair("a", "b"), pair("b", "a")]))]),
        ),
        (codes::BAD_POLICY, policy(attempts(0)), policy(attempts(1))),
        (
            codes::BAD_POLICY,
            policy(Policy { jitter: Some(constant(Value::Float(1.5))), ..Policy::default() }),
            policy(Policy { jitter: Some(int(1)), ..Policy::default() }),
        ),
        (
            codes::BAD_POLICY,
            policy(Policy {
                timeout: Some(e(ExprKind::Unary { op: UnaryOp::Negative, operand: bx(int(1)) })),
                ..Policy::default()
            }),
            policy(Policy { timeout: Some(constant(Value::None)), ..Policy::default() }),
        ),
        (
            codes::BAD_POLICY,
            policy(Policy { queue: Some(int(1)), ..Policy::default() }),
            policy(Policy { queue: Some(constant(Value::str("q"))), ..Policy::default() }),
        ),
        (
            codes::BAD_POLICY,
            policy(Policy { transaction: Some(int(1)), ..Policy::default() }),
            policy(Policy { transaction: Some(constant(Value::Bool(true))), ..Policy::default() }),
        ),
        (
            codes::BAD_POLICY,
            policy(Policy { transaction: Some(e(ExprKind::Tuple(vec![]))), ..Policy::default() }),
            policy(Policy { transaction: Some(constant(Value::None)), ..Policy::default() }),
        ),
        (codes::EMPTY_ACTION_NAME, action_named(" "), action_named("app:work")),
        (codes::BAD_FRAGMENT, fragment(&["a", "a"], &[]), fragment(&["a", "b"], &["c"])),
        (codes::BAD_FRAGMENT, fragment(&[], &["a.b"]), fragment(&[], &["_ü1"])),
    ]
}

#[test]
fn each_problem_is_found_and_its_neighbour_is_fine() {
    for (index, (code, bad, good)) in cases().into_iter().enumerate() {
        assert_eq!(found(&bad), [code], "bad program of case {index}");
        assert_eq!(found(&good), [] as [&str; 0], "good program of case {index} ({code})");
    }
}

#[test]
fn every_code_has_a_case_and_is_documented() {
    let tested: BTreeSet<&str> = cases().into_iter().map(|(code, ..)| code).collect();
    let declared: BTreeSet<&str> = codes::ALL.iter().copied().collect();
    assert_eq!(tested, declared);
    assert_eq!(declared.len(), codes::ALL.len(), "two problems share a code");
    let page = include_str!("../../../../docs/diagnostics.md");
    let documented: BTreeSet<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("### ")?.get(..5))
        .filter(|code| code.starts_with("W02"))
        .collect();
    assert_eq!(documented, declared);
}

#[test]
fn every_construct_passes() {
    assert_eq!(verify(&rich(), &Known), []);
}

#[test]
fn all_problems_come_at_once_in_source_order() {
    let line = |line: u32, mut statement: Stmt| {
        statement.span = span(line);
        if let StmtKind::Expr(expr) = &mut statement.kind {
            expr.span = span(line);
        }
        statement
    };
    let program = main_with(vec![
        line(2, run(name("undefined_thing"))),
        line(3, s(StmtKind::Break)),
        line(4, run(attribute(name("math"), "sqroot"))),
        line(5, run(e(ExprKind::Yield(None)))),
    ]);
    let problems = verify(&program, &Known);
    let seen: Vec<(&str, u32)> = problems.iter().map(|problem| (problem.code, problem.span.line)).collect();
    let expected = [
        (codes::UNKNOWN_NAME, 2),
        (codes::OUTSIDE_LOOP, 3),
        (codes::UNKNOWN_ATTRIBUTE, 4),
        (codes::UNREACHABLE, 4),
        (codes::YIELD_IN_DURABLE, 5),
    ];
    assert_eq!(seen, expected);
    assert_eq!(problems[2].help.as_deref(), Some("did you mean `math.sqrt`?"));
    assert!(problems.iter().all(|problem| problem.help.is_some()));
}

/// Whatever is not too deep can be checked, hashed, sent and cloned on the stack that a thread has by default.
#[test]
fn the_deepest_programs_fit_a_small_stack() {
    const LEVELS: usize = MAX_DEPTH - 12;
    fn nest<T>(leaf: T, levels: usize, wrap: impl Fn(T) -> T) -> T {
        (0..levels).fold(leaf, |inner, _| wrap(inner))
    }
    let block = |wrap: fn(Block) -> StmtKind| main_with(nest(vec![pass()], LEVELS, |inner| vec![s(wrap(inner))]));
    let expr = |levels: usize, wrap: fn(Expr) -> Expr| main_with(vec![run(nest(int(1), levels, wrap))]);
    let with = |body| StmtKind::With { items: vec![], body, is_async: false };
    let attempt = |body| StmtKind::Try { body: vec![], handlers: vec![], orelse: body, finally: vec![] };
    let repeat = |body| StmtKind::While { test: int(0), body, orelse: vec![] };
    let choose = |orelse| StmtKind::If { test: int(0), body: vec![pass()], orelse };
    let matching = |body| {
        let case = Case { pattern: p(PatternKind::Wildcard), guard: None, body, span: span(1) };
        StmtKind::Match { subject: int(0), cases: vec![case] }
    };
    let pattern = nest(p(PatternKind::Wildcard), LEVELS, |inner| p(PatternKind::Sequence(vec![inner])));
    let case = Case { pattern, guard: None, body: vec![pass()], span: span(1) };
    let programs = [
        block(with),
        block(attempt),
        block(repeat),
        block(choose),
        block(matching),
        main_with(vec![s(StmtKind::Match { subject: int(0), cases: vec![case] })]),
        expr(LEVELS, |inner| add(int(1), inner)),
        expr(LEVELS, |inner| call("print", vec![pos(inner)])),
        expr(LEVELS, |inner| e(ExprKind::Dict(vec![DictItem::Merge(inner)]))),
        expr(LEVELS, |inner| comprehension(ComprehensionKind::List(inner), "q", int(1))),
        expr(LEVELS, |inner| {
            e(ExprKind::Format(vec![FormatPart::Field { value: inner, conversion: None, spec: vec![] }]))
        }),
        expr(LEVELS / 3, lambda),
    ];
    for (index, program) in programs.into_iter().enumerate() {
        let name = format!("program {index}");
        let checked = std::thread::Builder::new().stack_size(2 << 20).name(name).spawn(move || {
            assert_eq!(found(&program), [] as [&str; 0], "program {index}");
            assert_eq!(ir_hash(&wire::decode(&wire::encode(&program)).unwrap()), ir_hash(&program));
            assert_eq!(program.clone(), program);
        });
        checked.unwrap().join().unwrap();
    }
}
