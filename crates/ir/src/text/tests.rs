//! Round trips, Python as the oracle for what is Python, the places of errors, and hostile input.

mod errors;
mod hostile;
mod oracle;
mod round_trip;

use super::{Parsed, parse, print};
use crate::{Expr, Program, Stmt, StmtKind, strip_spans};

/// The program, which must be without fault.
fn sound(source: &str) -> Program {
    let Parsed { program, diagnostics } = parse("flow.ir", source);
    assert!(diagnostics.is_empty(), "{source}\n{diagnostics:#?}");
    program
}

/// The snippet as the body of a function.
fn in_function(snippet: &str) -> String {
    let body: String = snippet.lines().map(|line| format!("    {line}\n")).collect();
    format!("fn main():\n{body}")
}

fn body_of(snippet: &str) -> Vec<Stmt> {
    sound(&in_function(snippet)).functions.remove(0).body
}

/// The value of a statement that is only an expression.
fn expression_of(snippet: &str) -> Expr {
    match body_of(snippet).remove(0).kind {
        StmtKind::Expr(expression) => expression,
        other => panic!("{snippet}: {other:?}"),
    }
}

/// Prints, reads back, and checks that nothing changed.
fn check_round_trip(program: &Program) -> String {
    let printed = print(program);
    let again = sound(&printed);
    assert_eq!(print(&again), printed, "printing is not stable");
    let (mut before, mut after) = (program.clone(), again);
    strip_spans(&mut before);
    strip_spans(&mut after);
    // NaN differs from itself, so programs that hold one are compared by their text only.
    if !printed.contains("nan") {
        assert_eq!(before, after, "{printed}");
    }
    printed
}
