use super::in_function;
use crate::text::{parse, parse_expression};

fn places(source: &str) -> Vec<(&'static str, u32, u32)> {
    parse("flow.ir", source)
        .diagnostics
        .iter()
        .map(|diagnostic| (diagnostic.code, diagnostic.span.line, diagnostic.span.column))
        .collect()
}

#[test]
fn several_errors_are_reported_at_once_and_the_rest_is_read() {
    let source = "\
workflow demo
semantics 99

import os

fn main(input: [a: int]):
    pass

fn second():
    x = 1 +
    y = 'abc
    if x == :
        z = @f() [retries: 3]
    else:
        1 = z
    global q
    return 1j

@decorator
def third(a):
    x: int = 3
    return x

fn fourth():
    return 1
";
    let parsed = parse("flow.ir", source);
    assert_eq!(
        places(source),
        [
            ("W0114", 2, 11),
            ("W0112", 4, 1),
            ("W0112", 6, 18),
            ("W0110", 10, 12),
            ("W0102", 11, 9),
            ("W0110", 12, 13),
            ("W0113", 13, 19),
            ("W0111", 15, 9),
            ("W0112", 16, 5),
            ("W0112", 17, 12),
            ("W0112", 19, 1),
            ("W0112", 21, 6),
        ]
    );
    assert!(parsed.diagnostics.iter().all(|diagnostic| !diagnostic.message.ends_with('.')));
    let help = parsed.diagnostics[6].help.as_deref().unwrap_or_default();
    assert!(help.contains("`retry`") && help.contains("`queue`"), "{help}");
    let names: Vec<&str> = parsed.program.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["second", "third", "fourth"]);
}

#[test]
fn every_refusal_has_its_code_and_place() {
    // Line 1 is `fn main():`, and the snippets are indented by four.
    type Place = (&'static str, u32, u32);
    let cases: &[(&str, &[Place])] = &[
        ("x = $", &[("W0101", 2, 9)]),
        ("x = f'{a", &[("W0102", 2, 9)]),
        ("x = f'a}'", &[("W0116", 2, 12)]),
        ("x = f'{}'", &[("W0116", 2, 11)]),
        ("x = f'{a:'", &[("W0116", 2, 14)]),
        ("x = '\\N{DASH}'", &[("W0103", 2, 9)]),
        ("x = '\\ud800'", &[("W0103", 2, 9)]),
        ("x = '\\x1'", &[("W0103", 2, 9)]),
        ("x = b'é'", &[("W0103", 2, 9)]),
        ("x = 'a' b'b'", &[("W0110", 2, 9)]),
        ("x = 012", &[("W0104", 2, 9)]),
        ("x = 0b12", &[("W0104", 2, 9)]),
        ("x = 1__0", &[("W0104", 2, 9)]),
        ("x = 1if y else 2", &[("W0104", 2, 9)]),
        ("x = 2s", &[("W0104", 2, 9)]),
        ("if x:\npass", &[("W0105", 3, 5)]),
        ("x = 1\n  y = 2", &[("W0105", 3, 7)]),
        ("if x:\n    y\n  z", &[("W0105", 4, 1)]),
        ("x = (1\nreturn x", &[("W0106", 2, 9)]),
        ("x = (1]\ny = )", &[("W0106", 2, 11), ("W0106", 3, 9)]),
        ("f() = 1", &[("W0111", 2, 5)]),
        ("a, *b, *c = d", &[("W0111", 2, 12)]),
        ("*a = b", &[("W0110", 2, 5)]),
        ("(a, b) += 1", &[("W0111", 2, 5)]),
        ("del f()", &[("W0111", 2, 9)]),
        ("for x + 1 in y: pass", &[("W0111", 2, 9)]),
        ("class A: pass", &[("W0112", 2, 5)]),
        ("from a import b", &[("W0112", 2, 5)]),
        ("x: int", &[("W0112", 2, 6)]),
        ("def f(a: int): pass", &[("W0112", 2, 12)]),
        ("def f() -> int: pass", &[("W0112", 2, 13)]),
        ("try: a\nexcept* E: b", &[("W0112", 3, 5)]),
        ("@cache\ndef f(): pass", &[("W0110", 2, 11)]),
        ("@cache()\ndef f(): pass", &[("W0112", 2, 5)]),
        ("@f() [retry: 1, retry: 2]", &[("W0113", 2, 21)]),
        ("x = @f()[0]", &[("W0113", 2, 14)]),
        ("x = const(date: '2023-02-29')", &[("W0117", 2, 21)]),
        ("x = const(thing: 1)", &[("W0117", 2, 15)]),
        ("f(a=1, b)", &[("W0118", 2, 12)]),
        ("f(a=1, a=2)", &[("W0118", 2, 12)]),
        ("f(x for x in y, 1)", &[("W0118", 2, 7)]),
        ("def f(a, a): pass", &[("W0118", 2, 14)]),
        ("def f(a=1, b): pass", &[("W0118", 2, 16)]),
        ("def f(*): pass", &[("W0110", 2, 12)]),
        ("await @f()", &[("W0119", 2, 11)]),
        ("def f():\n    async for x in y: pass", &[("W0120", 3, 9)]),
        ("x = lambda: (yield) +", &[("W0110", 2, 26)]),
        ("else: pass", &[("W0110", 2, 5)]),
        ("x = None.y = 3 = z", &[("W0111", 2, 18)]),
        (
            "match x:\n    case 1 + 2: pass\n    case [*a, *b]: pass\n    case y: pass",
            &[("W0110", 3, 14), ("W0110", 4, 19)],
        ),
        ("match x +:\n    case 1: pass\ny = 1 1", &[("W0110", 2, 14), ("W0110", 4, 11)]),
        ("try:\n    pass\nx = 1 1", &[("W0110", 4, 5), ("W0110", 4, 11)]),
        ("if a:\n\tb\n    c", &[("W0105", 4, 1)]),
    ];
    for (snippet, expected) in cases {
        assert_eq!(places(&in_function(snippet)), *expected, "{snippet}");
    }
}

#[test]
fn an_expression_that_goes_on_is_refused() {
    let errors = parse_expression("a b").expect_err("two names");
    assert_eq!((errors[0].code, errors[0].span.column), ("W0110", 3));
    assert!(parse_expression("").is_err());
    assert!(parse_expression("a\n + (b\n)").is_ok());
}
