//! Variables that are certainly read before anything could have assigned them. Only the provable is reported: on every
//! doubt (a loop, a branch, a handler, a closure) a name counts as assigned.

use super::{codes, scope};
use crate::visit::{self, Part};
use crate::*;
use std::collections::HashSet;

pub(super) fn check(function: &Function, problems: &mut Vec<Diagnostic>) {
    let mut maybe: HashSet<&str> = function.params.iter().map(|param| param.name.as_str()).collect();
    let mut elsewhere = Vec::new();
    scope::nonlocals_in(&function.body, &mut elsewhere);
    inner_nonlocals(Part::Block(&function.body), &mut elsewhere);
    maybe.extend(elsewhere.into_iter().map(|(name, _)| name));
    let locals = scope::bound_in(&function.body);
    let mut reader = Reader { locals, maybe, problems };
    reader.block(&function.body);
}

/// What functions inside may assign for us, whenever they are called.
fn inner_nonlocals<'a>(part: Part<'a>, found: &mut Vec<(&'a str, Span)>) {
    if let Part::Function(function) = part {
        scope::nonlocals_in(&function.body, found);
    }
    visit::parts(&part, &mut |part| inner_nonlocals(part, found));
}

struct Reader<'a, 'p> {
    /// What is local and not yet reported.
    locals: HashSet<&'a str>,
    /// What may have been assigned by now.
    maybe: HashSet<&'a str>,
    problems: &'p mut Vec<Diagnostic>,
}

impl<'a> Reader<'a, '_> {
    fn block(&mut self, block: &'a [Stmt]) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &'a Stmt) {
        match &statement.kind {
            StmtKind::If { test, body, orelse } => {
                self.read(test);
                let before = self.maybe.clone();
                self.block(body);
                let after_body = std::mem::replace(&mut self.maybe, before);
                self.block(orelse);
                self.maybe.extend(after_body);
            }
            StmtKind::While { test, .. } => {
                self.read_first(test, statement);
            }
            StmtKind::For { iter, .. } => {
                self.read(iter);
                scope::bind_statement(statement, &mut self.maybe);
                self.inner(statement);
            }
            StmtKind::AugAssign { target, value, .. } => {
                self.read(target);
                self.read(value);
                scope::bind_statement(statement, &mut self.maybe);
            }
            StmtKind::Assign { targets, value } => {
                self.read(value);
                targets.iter().filter(|target| !is_name(target)).for_each(|target| self.read_inside_target(target));
                scope::bind_statement(statement, &mut self.maybe);
            }
            StmtKind::Def(_) => scope::bind_statement(statement, &mut self.maybe),
            StmtKind::Delete(targets) => {
                targets.iter().for_each(|target| self.read(target));
            }
            StmtKind::Try { body, .. } => {
                self.block(body);
                scope::bind_statement(statement, &mut self.maybe);
                self.inner(statement);
            }
            StmtKind::With { items, .. } => {
                for item in items {
                    self.read(&item.context);
                    item.target.iter().for_each(|target| scope::bind_target(target, &mut self.maybe));
                }
                self.inner(statement);
            }
            StmtKind::Match { subject, .. } => {
                self.read(subject);
                scope::bind_statement(statement, &mut self.maybe);
                self.inner(statement);
            }
            _ => visit::of_statement(statement, &mut |part| {
                if let Part::Expr(expr) = part {
                    self.read(expr);
                }
            }),
        }
    }

    /// The first evaluation of a `while` test comes before its body, those after it do not.
    fn read_first(&mut self, test: &'a Expr, statement: &'a Stmt) {
        self.read(test);
        scope::bind_statement(statement, &mut self.maybe);
        self.inner(statement);
    }

    fn inner(&mut self, statement: &'a Stmt) {
        visit::of_statement(statement, &mut |part| {
            if let Part::Block(block) = part {
                self.block(block);
            }
        });
    }

    fn read_inside_target(&mut self, target: &'a Expr) {
        match &target.kind {
            ExprKind::Name(_) => {}
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().for_each(|item| self.read_inside_target(item))
            }
            ExprKind::Starred(inner) => self.read_inside_target(inner),
            _ => self.read(target),
        }
    }

    fn read(&mut self, expr: &'a Expr) {
        scope::bind_walrus(Part::Expr(expr), &mut self.maybe);
        let mut inner = HashSet::new();
        visit::each_part(Part::Expr(expr), &mut |part| match part {
            Part::Expr(Expr { kind: ExprKind::Comprehension(comprehension), .. }) => {
                comprehension.clauses.iter().for_each(|clause| scope::bind_target(&clause.target, &mut inner));
            }
            Part::Expr(Expr { kind: ExprKind::Spread(spread), .. }) => scope::bind_target(&spread.variable, &mut inner),
            _ => {}
        });
        visit::each_part(Part::Expr(expr), &mut |part| {
            let Part::Expr(Expr { kind: ExprKind::Name(name), span }) = part else { return };
            let name = name.as_str();
            if !self.maybe.contains(name) && !inner.contains(name) && self.locals.remove(name) {
                let message = format!("`{name}` is read before it is assigned");
                let problem = Diagnostic::warning(codes::READ_BEFORE_ASSIGNMENT, *span, message);
                self.problems.push(problem.label("has no value yet").help("assign it before this line"));
            }
        });
    }
}

fn is_name(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Name(_))
}
