//! Which statements can be reached, and whether a function can end without the `return` it promised.

use super::codes;
use super::visit::{self, Part};
use crate::*;

pub(super) fn check(function: &Function, problems: &mut Vec<Diagnostic>) {
    unreachable(&function.body, problems);
    if !function.outputs.is_empty() && completes(&function.body) {
        let message = format!("`{}` declares outputs but can end without a return", function.name);
        let problem = Diagnostic::error(codes::MISSING_RETURN, function.span, message);
        problems.push(problem.help("return a value on every path, or drop the outputs"));
    }
}

/// Reports the first statement of each dead stretch.
fn unreachable(block: &[Stmt], problems: &mut Vec<Diagnostic>) {
    if let Some(end) = block.iter().position(|statement| !statement_completes(statement))
        && let Some(dead) = block.get(end + 1)
    {
        let problem = Diagnostic::warning(codes::UNREACHABLE, dead.span, "this is never reached");
        problems.push(problem.label("control never gets here").help("remove it, or move it up"));
    }
    let handlers = block.iter().filter_map(|statement| match &statement.kind {
        StmtKind::Try { handlers, .. } => Some(handlers),
        _ => None,
    });
    for handler in handlers.flat_map(|handlers| {
        let catch_all = handlers.iter().position(|handler| handler.exception.is_none());
        &handlers[catch_all.map_or(handlers.len(), |index| index + 1)..]
    }) {
        let message = "no exception gets past the catch-all handler before this one";
        let problem = Diagnostic::error(codes::HANDLER_AFTER_CATCH_ALL, handler.span, message);
        problems.push(problem.help("put the handler without a class last"));
    }
    for statement in block {
        visit::of_statement(statement, &mut |part| {
            if let Part::Block(block) = part {
                unreachable(block, problems);
            }
        });
    }
}

/// Whether control can run off the end.
fn completes(block: &[Stmt]) -> bool {
    block.iter().all(statement_completes)
}

fn statement_completes(statement: &Stmt) -> bool {
    match &statement.kind {
        StmtKind::Return(_) | StmtKind::Raise { .. } | StmtKind::Break | StmtKind::Continue => false,
        StmtKind::If { body, orelse, .. } => completes(body) || completes(orelse),
        StmtKind::While { test, body, orelse } => breaks(body) || (!is_true(test) && completes(orelse)),
        StmtKind::For { body, orelse, .. } => breaks(body) || completes(orelse),
        StmtKind::Try { body, handlers, orelse, finally } => {
            let handled = handlers.iter().any(|handler| completes(&handler.body));
            completes(finally) && (handled || (completes(body) && completes(orelse)))
        }
        // A context manager may swallow what its body raises.
        StmtKind::With { body, .. } => completes(body) || raises(body),
        StmtKind::Match { cases, .. } => {
            let exhaustive = cases.last().is_some_and(super::patterns::catches_all);
            !exhaustive || cases.iter().any(|case| completes(&case.body))
        }
        _ => true,
    }
}

fn is_true(test: &Expr) -> bool {
    match &test.kind {
        ExprKind::Const(Value::Bool(flag)) => *flag,
        ExprKind::Const(Value::Int(number)) => *number != 0,
        _ => false,
    }
}

/// Whether the block holds a `break` of the loop it is the body of.
fn breaks(block: &[Stmt]) -> bool {
    block.iter().any(|statement| match &statement.kind {
        StmtKind::Break => true,
        StmtKind::While { orelse, .. } | StmtKind::For { orelse, .. } => breaks(orelse),
        _ => any_block(statement, breaks),
    })
}

fn raises(block: &[Stmt]) -> bool {
    block.iter().any(|statement| matches!(statement.kind, StmtKind::Raise { .. }) || any_block(statement, raises))
}

fn any_block(statement: &Stmt, test: fn(&[Stmt]) -> bool) -> bool {
    let mut found = false;
    visit::of_statement(statement, &mut |part| {
        if let Part::Block(block) = part {
            found = found || test(block);
        }
    });
    found
}
