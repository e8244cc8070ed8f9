//! Nesting at its limits and beyond. Random texts are the fuzz target `text`.

use std::time::{Duration, Instant};

use super::check_round_trip;
use crate::text::{parse, parse_expression};

#[test]
fn deep_nesting_is_refused_and_costs_linear_time() {
    let n = 50_000;
    let deep = [
        "(".repeat(n),
        "[".repeat(n) + &"]".repeat(n),
        "-".repeat(n) + "1",
        "not ".repeat(n) + "1",
        "a".to_string() + &" + a".repeat(n),
        "a".to_string() + &".b".repeat(n),
        "f".to_string() + &"()".repeat(n),
        "a".to_string() + &" ** a".repeat(n),
        "lambda: ".repeat(n) + "1",
        "a if b else ".repeat(n) + "1",
        "await ".repeat(n) + "1",
        "f'{".repeat(n),
        "f'{x:".to_string() + &"{x:".repeat(n),
        "spread x:x -> ".repeat(n) + "f(x)",
        "(".repeat(80) + &" + a)".repeat(80) + &"+ a".repeat(n),
        "(a + b + c + d + e + ".repeat(110) + "1" + &")".repeat(110),
        "(".repeat(50) + "a" + &(" + a".repeat(100) + ")").repeat(50),
        "const(list: ".to_string() + &"[".repeat(n),
        "{".repeat(n),
        "x[".repeat(n),
    ];
    for text in &deep {
        let before = Instant::now();
        let head: String = text.chars().take(20).collect();
        assert!(parse_expression(text).is_err(), "{head}");
        let statement = format!("fn main():\n    x = {text}\n    y = 1\n");
        assert!(!parse("a.ir", &statement).diagnostics.is_empty(), "{head}");
        assert!(before.elapsed() < Duration::from_secs(20), "{head}: {:?}", before.elapsed());
    }
    let blocks: String = (0..300).map(|level| "    ".repeat(level) + "if x:\n").collect();
    assert!(!parse("a.ir", &format!("def f():\n    {blocks}")).diagnostics.is_empty());
    let elifs = "fn f():\n    if x: y\n".to_string() + &"    elif x: y\n".repeat(5000);
    assert!(!parse("a.ir", &elifs).diagnostics.is_empty());
    let patterns = format!("fn f():\n    match x:\n        case {}: pass\n", "[".repeat(10_000));
    assert!(!parse("a.ir", &patterns).diagnostics.is_empty());
}

/// Whatever is accepted can also be printed, compared and dropped on a thread's ordinary stack.
#[test]
fn what_is_just_within_the_limits_works() {
    let nested = |open: &str, close: &str, depth: usize| open.repeat(depth) + "x" + &close.repeat(depth);
    let accepted = [
        nested("(", ")", 90),
        nested("[", "]", 90),
        nested("{1: ", "}", 90),
        nested("f(a=", ")", 90),
        nested("x[", "]", 90),
        nested("@f(", ")", 90),
        nested("async @f(a=", ")", 90),
        nested("@workflow f(*", ") [retry: 3]", 90),
        "@f() [retry: ".repeat(90) + "x" + &"]".repeat(90),
        nested("fragment 'a' (a=", ")", 90),
        nested("f(x for x in ", ")", 90),
        nested("f'{", "}'", 1),
        nested("-", "", 90),
        nested("lambda: ", "", 90),
        nested("a if b else ", "", 90),
        nested("[y for y in ", "]", 90),
        "x".to_string() + &" + x".repeat(490),
        "x".to_string() + &".y".repeat(490),
        "x".to_string() + &"()".repeat(490),
        nested("(", " + x + x)", 90),
    ];
    for text in accepted {
        let source = format!("fn main():\n    z = {text}\n");
        let parsed = parse("a.ir", &source);
        assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
        check_round_trip(&parsed.program);
    }
    let blocks: String = (1..45).map(|level| "    ".repeat(level) + "if x:\n").collect();
    let source = format!("fn main():\n{blocks}{}z = {}\n", "    ".repeat(45), nested("(", ")", 45));
    let parsed = parse("a.ir", &source);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    check_round_trip(&parsed.program);
}
