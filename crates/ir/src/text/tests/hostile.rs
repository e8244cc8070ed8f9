use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::check_round_trip;
use crate::text::{parse, parse_expression, print, print_expression};

/// Pieces that random bytes would rarely form.
const PIECES: &[&str] = &[
    "fn main():\n",
    "    ",
    "\n",
    "\t",
    "if ",
    "else",
    ":",
    "match x:\n",
    "case ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "f'",
    "f\"\"\"",
    "'",
    "\"",
    "\\",
    "spread ",
    "->",
    "@",
    "async ",
    "await ",
    "fragment 'a' (",
    "const(date: ",
    "lambda ",
    "x",
    "1",
    "2s",
    "=",
    ":=",
    "*",
    "**",
    ",",
    ".",
    "for x in ",
    "not ",
    "in ",
    "yield ",
    "!r",
    "é",
    "with (",
    "try:\n",
    "except ",
    "def f(",
    "type A:\n",
    "#",
    ";",
    "-",
    "return ",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC{0,80}|[ -~\n\t]{0,120}") {
        let _ = parse("a.ir", &text);
        let _ = parse_expression(&text);
    }

    #[test]
    fn no_sequence_of_pieces_makes_it_panic_and_what_it_accepts_round_trips(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)
    ) {
        let text = pieces.concat();
        for source in [text.clone(), format!("fn main():\n    {text}\n")] {
            let parsed = parse("a.ir", &source);
            if parsed.diagnostics.is_empty() {
                check_round_trip(&parsed.program);
            } else {
                let _ = print(&parsed.program);
            }
        }
        if let Ok(expression) = parse_expression(&text) {
            let printed = print_expression(&expression);
            let again = parse_expression(&printed);
            prop_assert!(again.is_ok(), "{text} → {printed} → {again:?}");
        }
    }
}

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
