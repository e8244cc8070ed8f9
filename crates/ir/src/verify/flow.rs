//! Which statements can be reached, and whether a function can end without the `return` it promised. One walk from the
//! leaves up, so the cost is linear however deep the program is.

use super::codes;
use crate::*;

pub(super) fn check(function: &Function, problems: &mut Vec<Diagnostic>) {
    let outcome = Flow { problems }.block(&function.body);
    if !function.outputs.is_empty() && outcome.completes {
        let message = format!("`{}` declares outputs but can end without a return", function.name);
        let problem = Diagnostic::error(codes::MISSING_RETURN, function.span, message);
        problems.push(problem.help("return a value on every path, or drop the outputs"));
    }
}

/// How control may leave a statement or block.
#[derive(Clone, Copy)]
struct Outcome {
    /// By running off the end.
    completes: bool,
    /// By a `break` of the loop around it.
    breaks: bool,
    /// By a `raise` that is written in it.
    raises: bool,
}

impl Outcome {
    const COMPLETES: Outcome = Outcome { completes: true, breaks: false, raises: false };
    const LEAVES: Outcome = Outcome { completes: false, ..Outcome::COMPLETES };

    /// Either of them happens.
    fn or(self, other: Outcome) -> Outcome {
        Outcome { completes: self.completes || other.completes, ..self.then(other) }
    }

    /// One happens, then the other.
    fn then(self, next: Outcome) -> Outcome {
        Outcome {
            completes: self.completes && next.completes,
            breaks: self.breaks || next.breaks,
            raises: self.raises || next.raises,
        }
    }
}

struct Flow<'p> {
    problems: &'p mut Vec<Diagnostic>,
}

impl Flow<'_> {
    /// Reports the first statement that cannot be reached.
    fn block(&mut self, block: &[Stmt]) -> Outcome {
        let mut outcome = Outcome::COMPLETES;
        let mut reported = false;
        for statement in block {
            if !outcome.completes && !reported {
                reported = true;
                let problem = Diagnostic::warning(codes::UNREACHABLE, statement.span, "this is never reached");
                self.problems.push(problem.label("control never gets here").help("remove it, or move it up"));
            }
            outcome = outcome.then(self.statement(statement));
        }
        outcome
    }

    fn statement(&mut self, statement: &Stmt) -> Outcome {
        match &statement.kind {
            StmtKind::Return(_) | StmtKind::Continue => Outcome::LEAVES,
            StmtKind::Raise { .. } => Outcome { raises: true, ..Outcome::LEAVES },
            StmtKind::Break => Outcome { breaks: true, ..Outcome::LEAVES },
            StmtKind::If { body, orelse, .. } => self.block(body).or(self.block(orelse)),
            StmtKind::While { test, body, orelse } => self.repeat(body, orelse, is_true(test)),
            StmtKind::For { body, orelse, .. } => self.repeat(body, orelse, false),
            StmtKind::Try { body, handlers, orelse, finally } => {
                self.handlers(handlers);
                let mut outcome = self.block(body).then(self.block(orelse));
                for handler in handlers {
                    outcome = outcome.or(self.block(&handler.body));
                }
                outcome.then(self.block(finally))
            }
            StmtKind::With { body, .. } => {
                let outcome = self.block(body);
                // A context manager may swallow what its body raises.
                Outcome { completes: outcome.completes || outcome.raises, ..outcome }
            }
            StmtKind::Match { cases, .. } => {
                let exhaustive = cases.last().is_some_and(super::patterns::catches_all);
                let none_fits = Outcome { completes: !exhaustive, ..Outcome::COMPLETES };
                cases.iter().fold(none_fits, |outcome, case| outcome.or(self.block(&case.body)))
            }
            _ => Outcome::COMPLETES,
        }
    }

    fn repeat(&mut self, body: &[Stmt], orelse: &[Stmt], endless: bool) -> Outcome {
        let (body, orelse) = (self.block(body), self.block(orelse));
        Outcome {
            completes: body.breaks || (!endless && orelse.completes),
            breaks: orelse.breaks,
            raises: body.raises || orelse.raises,
        }
    }

    fn handlers(&mut self, handlers: &[Handler]) {
        let Some(catch_all) = handlers.iter().position(|handler| handler.exception.is_none()) else { return };
        for handler in &handlers[catch_all + 1..] {
            let message = "no exception gets past the catch-all handler before this one";
            let problem = Diagnostic::error(codes::HANDLER_AFTER_CATCH_ALL, handler.span, message);
            self.problems.push(problem.help("put the handler without a class last"));
        }
    }
}

fn is_true(test: &Expr) -> bool {
    match &test.kind {
        ExprKind::Const(Value::Bool(flag)) => *flag,
        ExprKind::Const(Value::Int(number)) => *number != 0,
        _ => false,
    }
}
