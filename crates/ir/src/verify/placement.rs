//! What may stand where: waiting, `yield`, `break`, bare `raise`, targets, stars and slices.

use super::codes;
use crate::visit::{self, Part};
use crate::*;

pub(super) fn check(program: &Program, problems: &mut Vec<Diagnostic>) {
    for function in &program.functions {
        let entry = function.name == program.entry;
        let place = Place { waits: Waits::Allowed, durable: false, entry, in_loop: false, in_handler: false };
        Placement { problems }.function(function, place);
    }
}

/// What surrounds a statement or expression.
#[derive(Clone, Copy)]
struct Place {
    waits: Waits,
    /// Directly in a durable function, not in a lambda of it.
    durable: bool,
    /// It is the function that a run of the program is.
    entry: bool,
    in_loop: bool,
    in_handler: bool,
}

#[derive(Clone, Copy)]
enum Waits {
    Allowed,
    /// Holds what forbids it.
    Forbidden(&'static str),
}

/// Where an expression stands in its parent.
#[derive(Clone, Copy, PartialEq)]
enum Position {
    Value,
    /// An item of a display, an argument or a target: a star is fine.
    Item,
    /// Directly in `[…]`: a slice is fine.
    Index,
    /// An item of a tuple in `[…]`: both are.
    IndexItem,
}

struct Placement<'p> {
    problems: &'p mut Vec<Diagnostic>,
}

impl Placement<'_> {
    fn report(&mut self, code: &'static str, span: Span, message: impl Into<String>, help: &str) {
        self.problems.push(Diagnostic::error(code, span, message).help(help));
    }

    fn function(&mut self, function: &Function, outside: Place) {
        for default in function.params.iter().filter_map(|param| param.default.as_ref()) {
            self.expr(default, outside, Position::Value);
        }
        let durable = function.kind == FunctionKind::Durable;
        let waits = if durable { Waits::Allowed } else { Waits::Forbidden("a plain function") };
        self.block(
            &function.body,
            Place { waits, durable, entry: outside.entry, in_loop: false, in_handler: outside.in_handler },
        );
    }

    fn block(&mut self, block: &[Stmt], place: Place) {
        block.iter().for_each(|statement| self.statement(statement, place));
    }

    fn statement(&mut self, statement: &Stmt, place: Place) {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Assign { targets, .. } => targets.iter().for_each(|target| self.target(target, Target::Assign)),
            StmtKind::AugAssign { target, .. } => self.target(target, Target::Augment),
            StmtKind::Delete(targets) => targets.iter().for_each(|target| self.target(target, Target::Delete)),
            StmtKind::For { target, is_async, .. } => {
                self.target(target, Target::Assign);
                if *is_async {
                    self.wait("`async for`", span, place);
                }
            }
            StmtKind::With { items, is_async, .. } => {
                let targets = items.iter().filter_map(|item| item.target.as_ref());
                targets.for_each(|target| self.target(target, Target::Assign));
                if *is_async {
                    self.wait("`async with`", span, place);
                }
            }
            StmtKind::Break | StmtKind::Continue if !place.in_loop => {
                let word = if statement.kind == StmtKind::Break { "break" } else { "continue" };
                let message = format!("`{word}` stands outside a loop");
                self.report(codes::OUTSIDE_LOOP, span, message, "remove it, or use `return`");
            }
            StmtKind::Raise { exception: None, .. } if !place.in_handler => {
                let message = "`raise` without an exception stands outside an except block";
                let problem = Diagnostic::warning(codes::BARE_RAISE, span, message);
                self.problems.push(problem.help("name the exception to raise"));
            }
            _ => {}
        }
        self.statement_parts(statement, place);
    }

    fn statement_parts(&mut self, statement: &Stmt, place: Place) {
        match &statement.kind {
            StmtKind::While { test, body, orelse } => {
                self.expr(test, place, Position::Value);
                self.block(body, Place { in_loop: true, ..place });
                self.block(orelse, place);
            }
            StmtKind::For { target, iter, body, orelse, .. } => {
                self.expr(iter, place, Position::Value);
                self.expr(target, place, Position::Item);
                self.block(body, Place { in_loop: true, ..place });
                self.block(orelse, place);
            }
            StmtKind::Try { body, handlers, orelse, finally } => {
                self.block(body, place);
                for handler in handlers {
                    handler.exception.iter().for_each(|class| self.expr(class, place, Position::Value));
                    self.block(&handler.body, Place { in_handler: true, ..place });
                }
                self.block(orelse, place);
                self.block(finally, place);
            }
            StmtKind::Assign { targets, value } => {
                self.expr(value, place, Position::Value);
                targets.iter().for_each(|target| self.expr(target, place, Position::Item));
            }
            StmtKind::Def(function) => self.function(function, Place { entry: false, ..place }),
            _ => visit::of_statement(statement, &mut |part| self.part(part, place)),
        }
    }

    fn part(&mut self, part: Part<'_>, place: Place) {
        match part {
            Part::Expr(expr) => self.expr(expr, place, Position::Value),
            Part::Block(block) => self.block(block, place),
            Part::Function(function) => self.function(function, Place { entry: false, ..place }),
            Part::Pattern(_) => visit::parts(&part, &mut |part| self.part(part, place)),
        }
    }

    fn wait(&mut self, what: &str, span: Span, place: Place) {
        if let Waits::Forbidden(inside) = place.waits {
            let message = format!("{what} stands in {inside}, which may not wait");
            self.report(codes::WAIT_IN_PLAIN, span, message, "make the function durable, or move this out of it");
        }
    }

    fn expr(&mut self, expr: &Expr, place: Place, position: Position) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Await(_) => self.wait("`await`", span, place),
            ExprKind::Spread(spread) => {
                self.wait("a spread", span, place);
                self.target(&spread.variable, Target::Assign);
            }
            ExprKind::Yield(_) if place.durable && place.entry => {
                let help = "collect the values in a list and return it";
                self.report(
                    codes::YIELD_IN_DURABLE,
                    span,
                    "`yield` stands in the function that a run starts with",
                    help,
                );
            }
            ExprKind::YieldFrom(_) if place.durable => {
                let help = "write `async for item in items: yield item`";
                self.report(codes::YIELD_IN_DURABLE, span, "`yield from` stands in a durable function", help);
            }
            ExprKind::Starred(_) if !matches!(position, Position::Item | Position::IndexItem) => {
                let help = "use it in a list, tuple, set, call or target";
                self.report(codes::BAD_STAR, span, "a starred expression cannot stand here", help);
            }
            ExprKind::Slice { .. } if !matches!(position, Position::Index | Position::IndexItem) => {
                let help = "use `slice(…)` to make one as a value";
                self.report(codes::SLICE_OUTSIDE_INDEX, span, "a slice stands outside an index", help);
            }
            _ => {}
        }
        self.expr_parts(expr, place, position);
    }

    fn expr_parts(&mut self, expr: &Expr, place: Place, position: Position) {
        match &expr.kind {
            ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) => {
                let tuple_index = position == Position::Index && matches!(expr.kind, ExprKind::Tuple(_));
                let inner = if tuple_index { Position::IndexItem } else { Position::Item };
                items.iter().for_each(|item| self.expr(item, place, inner));
            }
            ExprKind::Index { base, index } => {
                self.expr(base, place, Position::Value);
                self.expr(index, place, Position::Index);
            }
            ExprKind::Call { callee, args } => {
                self.expr(callee, place, Position::Value);
                self.args(args, place);
            }
            ExprKind::Action(call) => {
                self.args(&call.args, place);
                let policy = call.policy.entries();
                policy
                    .into_iter()
                    .filter_map(|(_, expr)| expr)
                    .for_each(|expr| self.expr(expr, place, Position::Value));
            }
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension, expr.span, place),
            _ => visit::of_expr(expr, &mut |part| self.part(part, place)),
        }
    }

    fn args(&mut self, args: &[Arg], place: Place) {
        for arg in args {
            match arg {
                Arg::Positional(value) => self.expr(value, place, Position::Item),
                Arg::Keyword(_, value) | Arg::Rest(value) | Arg::Options(value) => {
                    self.expr(value, place, Position::Value);
                }
            }
        }
    }

    /// One that waits is an asynchronous generator.
    fn comprehension(&mut self, comprehension: &Comprehension, span: Span, inside: Place) {
        for clause in &comprehension.clauses {
            if clause.is_async {
                self.wait("`async for`", span, inside);
            }
            self.target(&clause.target, Target::Assign);
            self.expr(&clause.iter, inside, Position::Value);
            self.expr(&clause.target, inside, Position::Value);
            clause.conditions.iter().for_each(|condition| self.expr(condition, inside, Position::Value));
        }
        let elements = visit::elements(&comprehension.kind).into_iter().flatten();
        elements.for_each(|element| self.expr(element, inside, Position::Value));
    }

    fn target(&mut self, target: &Expr, how: Target) {
        match &target.kind {
            ExprKind::Name(_) | ExprKind::Attribute { .. } | ExprKind::Index { .. } => {}
            ExprKind::Tuple(items) | ExprKind::List(items) if how != Target::Augment => {
                let mut stars = 0;
                for item in items {
                    match &item.kind {
                        ExprKind::Starred(inner) if how == Target::Assign => {
                            stars += 1;
                            if stars == 2 {
                                let message = "a target has two starred names";
                                self.report(codes::BAD_STAR, item.span, message, "keep one star");
                            }
                            self.target(inner, how);
                        }
                        _ => self.target(item, how),
                    }
                }
            }
            _ => {
                let message = match how {
                    Target::Assign => "this cannot be assigned to",
                    Target::Augment => "this cannot be the target of an augmented assignment",
                    Target::Delete => "this cannot be deleted",
                };
                let help = "use a name, an attribute or an index";
                self.report(codes::BAD_TARGET, target.span, message, help);
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Target {
    Assign,
    Augment,
    Delete,
}
