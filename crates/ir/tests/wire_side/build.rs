//! Short constructors, a program that uses every construct, and arbitrary values.

use proptest::prelude::*;
use waymark_ir::*;

pub fn span(line: u32) -> Span {
    Span { file: 0, line, column: 1, end_line: line, end_column: 9 }
}

pub fn e(kind: ExprKind) -> Expr {
    Expr { kind, span: span(1) }
}

pub fn s(kind: StmtKind) -> Stmt {
    Stmt { kind, span: span(1) }
}

pub fn p(kind: PatternKind) -> Pattern {
    Pattern { kind, span: span(1) }
}

pub fn name(name: &str) -> Expr {
    e(ExprKind::Name(name.into()))
}

pub fn int(value: i64) -> Expr {
    e(ExprKind::Const(Value::Int(value)))
}

pub fn constant(value: Value) -> Expr {
    e(ExprKind::Const(value))
}

pub fn bx(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

pub fn add(left: Expr, right: Expr) -> Expr {
    e(ExprKind::Binary { op: BinaryOp::Add, left: bx(left), right: bx(right) })
}

pub fn tuple(items: Vec<Expr>) -> Expr {
    e(ExprKind::Tuple(items))
}

pub fn star(inner: Expr) -> Expr {
    e(ExprKind::Starred(bx(inner)))
}

pub fn attribute(base: Expr, name: &str) -> Expr {
    e(ExprKind::Attribute { base: bx(base), name: name.into() })
}

pub fn call(callee: &str, args: Vec<Arg>) -> Expr {
    e(ExprKind::Call { callee: bx(name(callee)), args })
}

pub fn pos(value: Expr) -> Arg {
    Arg::Positional(value)
}

pub fn key(name: &str, value: Expr) -> Arg {
    Arg::Keyword(name.into(), value)
}

pub fn action(policy: Policy) -> Expr {
    let call = ActionCall { target: CallTarget::Action("app:work".into()), args: vec![key("x", int(1))], policy };
    e(ExprKind::Action(Box::new(call)))
}

pub fn awaited(inner: Expr) -> Expr {
    e(ExprKind::Await(bx(inner)))
}

pub fn set(target: &str, value: Expr) -> Stmt {
    s(StmtKind::Assign { targets: vec![name(target)], value })
}

pub fn run(value: Expr) -> Stmt {
    s(StmtKind::Expr(value))
}

pub fn ret(value: Expr) -> Stmt {
    s(StmtKind::Return(Some(value)))
}

pub fn pass() -> Stmt {
    s(StmtKind::Pass)
}

pub fn when(test: Expr, body: Block, orelse: Block) -> Stmt {
    s(StmtKind::If { test, body, orelse })
}

pub fn loop_over(target: Expr, iter: Expr, body: Block) -> Stmt {
    s(StmtKind::For { target, iter, body, orelse: vec![], is_async: false })
}

pub fn comprehension(kind: ComprehensionKind, target: &str, iter: Expr) -> Expr {
    let clause = Clause { target: name(target), iter, conditions: vec![name(target)], is_async: false };
    e(ExprKind::Comprehension(Box::new(Comprehension { kind, clauses: vec![clause] })))
}

pub fn param(name: &str, kind: ParamKind, default: Option<Expr>) -> Param {
    Param { name: name.into(), kind, default, span: span(1) }
}

pub fn function(name: &str, kind: FunctionKind, params: Vec<Param>, body: Block) -> Function {
    Function { name: name.into(), kind, params, outputs: vec![], body, origin: None, span: span(1) }
}

pub fn lambda(body: Expr) -> Expr {
    let params = vec![param("v", ParamKind::Positional, None)];
    e(ExprKind::Lambda(Box::new(function("", FunctionKind::Plain, params, vec![ret(body)]))))
}

pub fn program(functions: Vec<Function>) -> Program {
    Program {
        name: "test".into(),
        dialect: Dialect::Python,
        semantics: SEMANTICS_LEVEL,
        entry: "main".into(),
        types: vec![],
        functions,
        sources: vec![],
    }
}

pub fn main_with(body: Block) -> Program {
    program(vec![function("main", FunctionKind::Durable, vec![], body)])
}

pub fn descriptor(name: &str, bases: &[&str], kind: TypeKind) -> TypeDescriptor {
    let bases = bases.iter().map(|base| base.to_string()).collect();
    TypeDescriptor { name: name.into(), bases, kind, fields: vec![], overrides: vec![], methods: vec![], span: span(1) }
}

/// Every statement, expression, pattern, type and policy setting at least once; without problems.
pub fn rich() -> Program {
    let policy = Policy {
        attempts: Some(int(3)),
        retry_on: Some(name("ValueError")),
        retry_timeouts: Some(constant(Value::Bool(true))),
        backoff: Some(constant(Value::Float(0.5))),
        factor: Some(int(2)),
        max_delay: Some(int(60)),
        jitter: Some(constant(Value::Float(0.25))),
        timeout: Some(int(30)),
        grace: Some(int(5)),
        queue: Some(constant(Value::str("slow"))),
        transaction: Some(constant(Value::Bool(true))),
    };
    let child = ActionCall { target: CallTarget::Workflow("child".into()), args: vec![], policy: Policy::default() };
    let index = |base: &str, index: Expr| e(ExprKind::Index { base: bx(name(base)), index: bx(index) });
    let slice = e(ExprKind::Slice { lower: Some(bx(int(1))), upper: None, step: Some(bx(int(2))) });
    let format = ExprKind::Format(vec![
        FormatPart::Text("t".into()),
        FormatPart::Field {
            value: name("a"),
            conversion: Some(Conversion::Repr),
            spec: vec![
                FormatPart::Text(">".into()),
                FormatPart::Field { value: name("b"), conversion: None, spec: vec![] },
            ],
        },
    ]);
    let patterns = vec![
        PatternKind::Value(int(7)),
        PatternKind::Singleton(Value::None),
        PatternKind::Sequence(vec![p(PatternKind::Capture("m1".into())), p(PatternKind::Star(Some("m2".into())))]),
        PatternKind::Mapping {
            entries: vec![(constant(Value::str("k")), p(PatternKind::Wildcard))],
            rest: Some("m3".into()),
        },
        PatternKind::Class {
            class: name("User"),
            positional: vec![p(PatternKind::Wildcard)],
            keyword: vec![("id".into(), p(PatternKind::Capture("m4".into())))],
        },
        PatternKind::Or(vec![p(PatternKind::Value(int(1))), p(PatternKind::Value(int(2)))]),
        PatternKind::As { pattern: Box::new(p(PatternKind::Star(None))), name: "m5".into() },
        PatternKind::Wildcard,
    ];
    let cases = patterns.into_iter().enumerate().map(|(index, kind)| Case {
        pattern: p(kind),
        guard: (index == 0).then(|| name("a")),
        body: vec![pass()],
        span: span(2),
    });
    let body = vec![
        s(StmtKind::Assign { targets: vec![name("a"), name("b")], value: int(1) }),
        s(StmtKind::Assign { targets: vec![tuple(vec![name("c"), star(name("d"))])], value: name("items") }),
        s(StmtKind::AugAssign { target: name("a"), op: BinaryOp::Power, value: int(2) }),
        when(
            e(ExprKind::Compare {
                left: bx(name("a")),
                rest: vec![(CompareOp::Less, name("b")), (CompareOp::NotIn, name("d"))],
            }),
            vec![s(StmtKind::Raise { exception: Some(name("ValueError")), cause: Some(constant(Value::None)) })],
            vec![s(StmtKind::Assert { test: name("a"), message: Some(constant(Value::str("why"))) })],
        ),
        s(StmtKind::While {
            test: e(ExprKind::Bool { op: BoolOp::And, operands: vec![name("a"), name("b")] }),
            body: vec![s(StmtKind::Continue)],
            orelse: vec![pass()],
        }),
        s(StmtKind::For {
            target: name("i"),
            iter: name("items"),
            body: vec![s(StmtKind::Break)],
            orelse: vec![pass()],
            is_async: true,
        }),
        s(StmtKind::Try {
            body: vec![run(awaited(action(policy)))],
            handlers: vec![
                Handler {
                    exception: Some(name("KeyError")),
                    name: Some("error".into()),
                    body: vec![pass()],
                    span: span(3),
                },
                Handler {
                    exception: None,
                    name: None,
                    body: vec![s(StmtKind::Raise { exception: None, cause: None })],
                    span: span(4),
                },
            ],
            orelse: vec![pass()],
            finally: vec![pass()],
        }),
        s(StmtKind::With {
            items: vec![WithItem { context: name("a"), target: Some(name("w")) }],
            body: vec![pass()],
            is_async: true,
        }),
        s(StmtKind::Match { subject: name("a"), cases: cases.collect() }),
        s(StmtKind::Def(Box::new(function(
            "inner",
            FunctionKind::Plain,
            vec![],
            vec![
                s(StmtKind::Nonlocal(vec!["a".into()])),
                set("a", int(5)),
                run(e(ExprKind::Yield(Some(bx(name("a")))))),
            ],
        )))),
        set("f", lambda(name("v"))),
        run(e(ExprKind::Dict(vec![
            DictItem::Entry(int(1), e(ExprKind::List(vec![name("a")]))),
            DictItem::Merge(name("b")),
        ]))),
        run(e(ExprKind::Set(vec![e(ExprKind::Unary { op: UnaryOp::Invert, operand: bx(name("a")) })]))),
        run(e(ExprKind::Conditional { test: bx(name("a")), then: bx(int(1)), orelse: bx(int(2)) })),
        run(e(ExprKind::Walrus { name: "x".into(), value: bx(int(3)) })),
        run(attribute(index("d", slice), "real")),
        run(call("helper", vec![pos(int(1)), key("k", int(2)), Arg::Rest(name("d")), Arg::Options(name("b"))])),
        run(comprehension(ComprehensionKind::List(name("q")), "q", name("d"))),
        run(comprehension(ComprehensionKind::Set(name("q")), "q", name("d"))),
        run(comprehension(ComprehensionKind::Dict(name("q"), name("a")), "q", name("d"))),
        run(comprehension(ComprehensionKind::Generator(name("q")), "q", name("d"))),
        run(e(format)),
        run(awaited(e(ExprKind::Action(Box::new(child))))),
        run(e(ExprKind::Spread(Box::new(Spread {
            items: name("d"),
            variable: name("item"),
            body: name("item"),
            return_exceptions: true,
        })))),
        run(e(ExprKind::Fragment(Box::new(Fragment {
            source: "y = g(z)".into(),
            captures: vec![("z".into(), name("a"))],
            writes: vec!["y".into()],
        })))),
        s(StmtKind::Delete(vec![name("b")])),
        set(
            "n",
            constant(Value::Tuple(vec![
                Value::Float(-0.0),
                Value::integer("-99999999999999999999".parse().unwrap()),
                Value::Ellipsis,
            ])),
        ),
        ret(name("a")),
    ];
    let mut main = function("main", FunctionKind::Durable, vec![param("items", ParamKind::Positional, None)], body);
    main.outputs = vec!["result".into()];
    main.origin = Some(Origin { qualified: "Sample.run".into(), is_method: true });
    let params = vec![
        param("a", ParamKind::PositionalOnly, None),
        param("b", ParamKind::Positional, Some(int(4))),
        param("rest", ParamKind::Rest, None),
        param("k", ParamKind::KeywordOnly, None),
        param("options", ParamKind::Options, None),
    ];
    let mut user =
        descriptor("app.models:User", &["object"], TypeKind::Record { frozen: true, eq: true, order: false });
    user.fields =
        vec![Field { name: "id".into(), default: None }, Field { name: "n".into(), default: Some(Value::Int(9)) }];
    user.overrides = vec!["__eq__".into()];
    user.methods = vec![("fetch".into(), "helper".into())];
    Program {
        types: vec![
            user,
            descriptor("app:Failed", &["ValueError"], TypeKind::Exception),
            descriptor("app:Opaque", &["app.models:User"], TypeKind::Opaque),
            descriptor("app:Color", &[], TypeKind::Enum(vec![("RED".into(), Value::Int(1))])),
        ],
        sources: vec![Source { path: "app.py".into(), text: "x = 1".into() }],
        ..program(vec![main, function("helper", FunctionKind::Plain, params, vec![pass()])])
    }
}

pub fn any_value() -> impl Strategy<Value = Value> {
    let zone = prop_oneof![
        Just(None),
        Just(Some(Zone::UTC)),
        Just(Some(Zone::Named("Europe/Berlin".into()))),
        (-86_399_999_999i64..86_400_000_000, proptest::option::of("[A-Z]{1,4}"))
            .prop_map(|(offset_us, name)| Some(Zone::Fixed { offset_us, name })),
    ];
    let date = (1..=9999i32, 1..=12u8, 1..=28u8).prop_map(|(year, month, day)| Date { year, month, day });
    let time = (0..24u8, 0..60u8, 0..60u8, prop_oneof![Just(0u32), 0..1_000_000u32], any::<bool>(), zone).prop_map(
        |(hour, minute, second, microsecond, fold, zone)| TimeOfDay { hour, minute, second, microsecond, fold, zone },
    );
    let decimal = (any::<bool>(), any::<u64>(), -30..30i64).prop_map(|(negative, digits, exponent)| Decimal::Finite {
        negative,
        coefficient: digits.into(),
        exponent,
    });
    let leaf = prop_oneof![
        Just(Value::None),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        any::<i128>().prop_map(|number| Value::integer(number.into())),
        any::<f64>().prop_filter("NaN equals nothing", |number| !number.is_nan()).prop_map(Value::Float),
        any::<String>().prop_map(Value::Str),
        any::<Vec<u8>>().prop_map(Value::Bytes),
        date.clone().prop_map(Value::Date),
        time.clone().prop_map(Value::Time),
        (date, time).prop_map(|(date, time)| Value::DateTime(DateTime { date, time })),
        any::<i64>().prop_map(|us| Value::Delta(Delta { microseconds: us.into() })),
        decimal.prop_map(Value::Decimal),
        Just(Value::Decimal(Decimal::NaN)),
        any::<bool>().prop_map(|negative| Value::Decimal(Decimal::Infinity { negative })),
        any::<u128>().prop_map(Value::Uuid),
        Just(Value::Ellipsis),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let items = || proptest::collection::vec(inner.clone(), 0..5);
        let fields = || {
            proptest::collection::btree_map("[a-z]{1,5}", inner.clone(), 0..4)
                .prop_map(|map| map.into_iter().collect::<Vec<_>>())
        };
        let keyed = proptest::collection::btree_map(any::<i64>(), inner.clone(), 0..4);
        prop_oneof![
            items().prop_map(Value::List),
            items().prop_map(Value::Tuple),
            proptest::collection::btree_set(any::<i64>(), 0..5)
                .prop_map(|set| Value::Set(set.into_iter().map(Value::Int).collect())),
            proptest::collection::btree_set(".*", 0..5)
                .prop_map(|set| Value::FrozenSet(set.into_iter().map(Value::Str).collect())),
            keyed.prop_map(|map| Value::Dict(map.into_iter().map(|(key, value)| (Value::Int(key), value)).collect())),
            fields()
                .prop_map(|map| Value::Dict(map.into_iter().map(|(key, value)| (Value::Str(key), value)).collect())),
            fields().prop_map(|fields| Value::Object { type_name: "app:User".into(), fields }),
            (items(), fields(), any::<bool>()).prop_map(|(args, fields, suppress_context)| {
                let cause =
                    Box::new(ExceptionValue { type_name: "KeyError".into(), args: args.clone(), ..Default::default() });
                Value::Exception(Box::new(ExceptionValue {
                    type_name: "app:Failed".into(),
                    bases: vec!["Exception".into()],
                    args,
                    fields,
                    message: Some("m".into()),
                    cause: Some(cause),
                    suppress_context,
                    notes: vec!["note".into()],
                    ..Default::default()
                }))
            }),
        ]
    })
}
