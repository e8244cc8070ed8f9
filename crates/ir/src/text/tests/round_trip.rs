use num_bigint::{BigInt, BigUint};

use super::{check_round_trip, expression_of, in_function, sound};
use crate::text::{parse_expression, print, print_expression};
use crate::{CallTarget, Date, DateTime, Decimal, Delta, ExceptionValue, Expr, ExprKind, Span, TimeOfDay, Value, Zone};

#[test]
fn the_additions_to_python_print_as_written() {
    let canonical = [
        "x = @charge(order, amount=3)",
        "x = @billing.charge()",
        "x = @app.tasks:charge(*a, **b)",
        "x = @\"weird name\"(1)",
        "x = async @charge(1)",
        "x = await task",
        "x = await (@charge(1))",
        "x = @workflow child.flow(1, key=2)",
        "x = @workflow(1)",
        "x = (@charge(1)).total",
        "x = (@charge(1))[0]",
        "x = @f(1) [retry: 3, backoff: 2s] [timeout: 1m]",
        "x = @f() [retry: n + 1, backoff: 0.5s, factor: 2, max_delay: 1h, jitter: 0.1, on: (A, B), timeouts: True] \
         [timeout: 1d] [grace: 5s] [queue: \"gpu\"]",
        "x = @f() [queue: \"gpu\"] [transaction: True]",
        "x = @f() [timeout: limit * 2]",
        "x = @f() [timeout: 2.5s]",
        "x = @f() [timeout: 0s]",
        "x = @f() [timeout: -1]",
        "x = @f() + a @ @g()",
        "x = [@f(1) [retry: 2], @g(2)]",
        "x = spread items:item -> @f(item=item)",
        "x = spread(return_exceptions=True) items:item -> @f(item) [retry: 2]",
        "x = spread [1, 2]:n -> helper(n)",
        "x = spread pairs:(a, b) -> spread b:c -> @f(c)",
        "x = spread items:item -> await async @f(item)",
        "x = 1 + (spread items:item -> @f(item))",
        "x = spread (spread(1)):item -> @f(item)",
        "return spread xs:x -> f(x)",
        "spread = fragment = fn = match = case = type = const = workflow = 1",
        "y = spread(1)[spread[0]:1] + -spread",
        "z = {spread(2): 1, fragment: const(3)}",
        "x = fragment \"a + b\" (a=1, b=f(2))",
        "x = fragment \"a.sort()\" (a=xs) -> [a]",
        "x, y = fragment \"\"\"for i in a:\n    b = '\\\\n'\n\"\"\" (a=1) -> [a, b]",
        "x = spread fragment \"f()\" ():y -> @g(y)",
        "x = -1 + (-1) ** 2 - -x ** 2 + -(1) + -(-1)",
        "x = f\"{(lambda: 1)}{ {1: 2} }{x:{width}.2f}{'a'!r:>{n}}{f'{y}'}\"",
        "yield",
        "x = yield 1",
        "yield from a",
        "x = yield from f(1)",
        "x = f((yield from a))",
        "x = f((yield 1))",
    ];
    for snippet in canonical {
        let source = format!("workflow flow\nsemantics 1\n\n{}", in_function_verbatim(snippet));
        assert_eq!(check_round_trip(&sound(&source)), source);
    }
    let origins = "workflow flow\nsemantics 1\n\nfn main(input: [a]) method \"Flow.run\":\n    return helper(a)\n\n\
                   def helper(a) static \"Flow.helper\":\n    return a\n";
    assert_eq!(check_round_trip(&sound(origins)), origins);
}

/// Without indenting the lines of a string.
fn in_function_verbatim(snippet: &str) -> String {
    format!("fn main():\n    {snippet}\n")
}

#[test]
fn other_spellings_have_one_canonical_form() {
    let cases = [
        ("@f() [timeout: 60s] [retry: 3]", "@f() [retry: 3] [timeout: 1m]"),
        ("@f() [timeout: 500ms, backoff: 2000ms]", "@f() [backoff: 2s] [timeout: 0.5s]"),
        ("@f() [timeout: 90]", "@f() [timeout: 90s]"),
        ("@f() [timeout: 1.5m]", "@f() [timeout: 90.0s]"),
        ("@f(x).total", "(@f(x)).total"),
        ("0xFF + 0o17 + 0b1 + 1_000", "255 + 15 + 1 + 1000"),
        ("'a' \"b\" r'\\d'", "\"ab\\\\d\""),
        ("1e400", "1e999"),
        ("f'{x=}' f'{x = !s}' f'{x=:>3}'", "f\"x={x!r}x = {x!s}x={x:>3}\""),
        ("f\"{x!r:{'>'}{10}}\"", "f\"{x!r:{'>'}{10}}\""),
        ("f'{d[\"k\"]}'", "f\"{d['k']}\""),
        ("f\"{d[\"k\"]}\"", "f\"{d['k']}\""),
        ("f'{x:\\x7b}'", "f\"{x:\\x7b}\""),
        ("f'''{\nx\n}'''", "f\"{x}\""),
        ("const(float: nan)", "const(float: nan)"),
    ];
    for (source, expected) in cases {
        let expression = parse_expression(source).unwrap_or_else(|errors| panic!("{source}: {errors:?}"));
        assert_eq!(print_expression(&expression), expected);
        check_round_trip(&sound(&in_function(&source.replace('\n', " "))));
    }
    assert!(matches!(expression_of("@f() [timeout: 500ms]").kind, ExprKind::Await(_)));
}

#[test]
fn headers_types_and_functions_round_trip() {
    let source = r#"workflow app.orders
dialect flow
semantics 1
entry start

type app.models:User(Base, app.models:Other):
    record frozen eq order
    field name
    field age = 3
    field born = date("2024-02-29")
    override __eq__, full_name

type Color(enum.Enum):
    enum
    member RED = 1
    member BLUE = ("b", [None, True])

type "odd name":
    opaque

type Failed(Exception):
    exception
    field reason = None

type Plain:
    record

fn start(input: [a, b=-1, /, c=2, *rest, d, e=3, **options], output: [x, y]):
    return a, b

fn nothing():
    pass

fn only(output: [r]):
    return 1

def plain(a, /):
    yield a

def options(*, key):
    async def inner(x, *, y=1):
        nonlocal key
        return x
    @f()

    def other():
        pass
    return inner
"#;
    let program = sound(source);
    assert_eq!(program.name, "app.orders");
    let printed = check_round_trip(&program);
    assert_eq!(printed, source.replace("return a, b", "return (a, b)"));
    assert_eq!(sound("fn main(): pass").name, "flow");
}

#[test]
fn every_value_round_trips_as_a_constant() {
    let time = |zone, fold| TimeOfDay { hour: 3, minute: 4, second: 5, microsecond: 6, fold, zone };
    let date = Date { year: 987, month: 2, day: 28 };
    let decimal = |negative, coefficient: u64, exponent| {
        Value::Decimal(Decimal::Finite { negative, coefficient: BigUint::from(coefficient), exponent })
    };
    let exception = ExceptionValue {
        type_name: "app.errors:Failed".into(),
        bases: vec!["Exception".into(), "BaseException".into()],
        args: vec![Value::str("no"), Value::Int(1)],
        fields: vec![("odd name".into(), Value::None)],
        message: Some("it\n\"failed\"".into()),
        cause: Some(Box::new(ExceptionValue { type_name: "KeyError".into(), ..ExceptionValue::default() })),
        context: Some(Box::new(ExceptionValue { type_name: "E".into(), ..ExceptionValue::default() })),
        suppress_context: true,
        notes: vec!["a".into()],
        traceback: vec!["File …".into(), "'\u{202e}".into()],
    };
    let values = vec![
        Value::None,
        Value::Bool(true),
        Value::Int(-1),
        Value::Int(i64::MIN),
        Value::integer(BigInt::from(2).pow(70)),
        Value::integer(-BigInt::from(2).pow(20_000)),
        Value::Float(-0.0),
        Value::Float(1e300),
        Value::Float(5e-324),
        Value::Float(f64::INFINITY),
        Value::Float(f64::NEG_INFINITY),
        Value::str("\0\u{7f}é\u{2028}\u{10ffff}'\"\\{}"),
        Value::Bytes((0..=255).collect()),
        Value::Ellipsis,
        Value::List(vec![]),
        Value::Tuple(vec![Value::Int(1)]),
        Value::Tuple(vec![]),
        Value::Dict(vec![(Value::Tuple(vec![Value::Int(1), Value::Int(2)]), Value::Dict(vec![]))]),
        Value::Set(vec![]),
        Value::Set(vec![Value::Int(1), Value::str("a")]),
        Value::FrozenSet(vec![Value::FrozenSet(vec![])]),
        Value::Object { type_name: "app:User".into(), fields: vec![("name".into(), Value::str("Ann"))] },
        Value::Object { type_name: String::new(), fields: vec![] },
        Value::Exception(Box::new(exception)),
        Value::Exception(Box::new(ExceptionValue { type_name: "ValueError".into(), ..ExceptionValue::default() })),
        Value::Date(date),
        Value::Time(time(None, true)),
        Value::Time(time(Some(Zone::UTC), false)),
        Value::DateTime(DateTime { date, time: time(Some(Zone::Named("Europe/Berlin".into())), true) }),
        Value::DateTime(DateTime {
            date,
            time: time(Some(Zone::Fixed { offset_us: -3_723_000_004, name: Some("ODD".into()) }), false),
        }),
        Value::Delta(Delta { microseconds: -1 }),
        Value::Delta(Delta { microseconds: 86_399_999_999_999_999_999 }),
        decimal(false, 110, -2),
        decimal(true, 0, -9),
        decimal(false, 123, 5),
        decimal(true, 5, -4),
        decimal(false, 1, i64::MAX / 2),
        Value::Decimal(Decimal::NaN),
        Value::Decimal(Decimal::Infinity { negative: true }),
        Value::Uuid(0x1234),
    ];
    let nested = Value::List(values.clone());
    for value in values.into_iter().chain([nested]) {
        let before = Expr { kind: ExprKind::Const(value), span: Span::NOWHERE };
        let text = print_expression(&before);
        let after = parse_expression(&text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        assert_eq!(before.kind, after.kind, "{text}");
    }
    assert_eq!(
        print_expression(&parse_expression("const(datetime: '2024-01-02T03:04:05+01:00')").expect("a datetime")),
        "const(datetime: \"2024-01-02T03:04:05+01:00\")"
    );
}

#[test]
fn spans_are_lines_and_columns_of_characters() {
    let source = "fn main(input: [a]):\n    é = 'ü' + (b).c(1)\n    if a:\n        return a\n";
    let program = sound(source);
    let place = |span: Span| (span.line, span.column, span.end_line, span.end_column);
    let main = &program.functions[0];
    assert_eq!(place(main.span), (1, 1, 4, 17));
    assert_eq!(place(main.params[0].span), (1, 17, 1, 18));
    assert_eq!(place(main.body[0].span), (2, 5, 2, 23));
    assert_eq!(place(main.body[1].span), (3, 5, 4, 17));
    let crate::StmtKind::Assign { targets, value } = &main.body[0].kind else { panic!("an assignment") };
    assert_eq!(place(targets[0].span), (2, 5, 2, 6));
    assert_eq!(place(value.span), (2, 9, 2, 23));
    let ExprKind::Binary { right, .. } = &value.kind else { panic!("a sum") };
    assert_eq!(place(right.span), (2, 15, 2, 23));
    let crlf = sound(&source.replace('\n', "\r\n"));
    assert_eq!(crlf.functions, program.functions);
    assert!(crlf.sources[0].text.contains('\r'));
}

#[test]
fn an_action_waits_and_an_async_one_does_not() {
    let ExprKind::Await(inner) = expression_of("@workflow a.b:c(1)").kind else { panic!("waits") };
    let ExprKind::Action(call) = inner.kind else { panic!("an action") };
    assert_eq!(call.target, CallTarget::Workflow("a.b:c".into()));
    let ExprKind::Action(call) = expression_of("async @workflow(1)").kind else { panic!("an action") };
    assert_eq!(call.target, CallTarget::Action("workflow".into()));
    let ExprKind::Spread(spread) = expression_of("spread xs:x -> @f(x)").kind else { panic!("a spread") };
    assert!(matches!(spread.body.kind, ExprKind::Action(_)));
    assert!(print(&sound("fn main(): pass")).starts_with("workflow flow\nsemantics 1\n"));
}
