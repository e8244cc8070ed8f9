//! Statements, one a line.

use super::{Printer, expressions};
use crate::{Block, Case, Expr, ExprKind, FunctionKind, Handler, Stmt, StmtKind, WithItem};

impl Printer {
    pub(super) fn block(&mut self, statements: &[Stmt]) {
        let mut before: Option<&Stmt> = None;
        for statement in statements {
            // An action call right above a `def` would read as its decorator.
            let after_action = before.is_some_and(|before| matches!(before.kind, StmtKind::Expr(_)));
            if after_action && matches!(statement.kind, StmtKind::Def(_)) {
                self.out.push('\n');
            }
            self.statement(statement);
            before = Some(statement);
        }
    }

    /// The block of a compound statement, one level deeper.
    pub(super) fn nested_block(&mut self, statements: &[Stmt]) {
        self.indent += 1;
        if statements.is_empty() {
            self.line("pass");
        }
        self.block(statements);
        self.indent -= 1;
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::If { test, body, orelse } => self.conditional("if ", test, body, orelse),
            StmtKind::While { test, body, orelse } => {
                self.start_line();
                self.write("while ");
                self.expression(test, expressions::TERNARY);
                self.suite(body);
                self.other("else", orelse);
            }
            StmtKind::For { target, iter, body, orelse, is_async } => {
                self.start_line();
                self.write(if *is_async { "async for " } else { "for " });
                self.target(target);
                self.write(" in ");
                self.expression(iter, expressions::TERNARY);
                self.suite(body);
                self.other("else", orelse);
            }
            StmtKind::Try { body, handlers, orelse, finally } => {
                self.line("try:");
                self.nested_block(body);
                handlers.iter().for_each(|handler| self.handler(handler));
                self.other("else", orelse);
                self.other("finally", finally);
            }
            StmtKind::With { items, body, is_async } => self.with(items, body, *is_async),
            StmtKind::Match { subject, cases } => {
                self.start_line();
                self.write("match ");
                self.expression(subject, expressions::TERNARY);
                self.write(":\n");
                self.indent += 1;
                cases.iter().for_each(|case| self.case(case));
                self.indent -= 1;
            }
            StmtKind::Def(function) => {
                let word = if function.kind == FunctionKind::Durable { "async def" } else { "def" };
                self.function(function, word);
            }
            simple => {
                self.start_line();
                self.simple(simple);
                self.write("\n");
            }
        }
    }

    fn simple(&mut self, statement: &StmtKind) {
        match statement {
            StmtKind::Expr(value) => self.right_hand_side(value),
            StmtKind::Assign { targets, value } => {
                for target in targets {
                    self.target(target);
                    self.write(" = ");
                }
                self.right_hand_side(value);
            }
            StmtKind::AugAssign { target, op, value } => {
                self.expression(target, expressions::BIT_OR);
                self.write(&format!(" {}= ", expressions::operator_text(*op)));
                self.right_hand_side(value);
            }
            StmtKind::Delete(targets) => {
                self.write("del ");
                self.commas(targets, |printer, target| printer.expression(target, expressions::BIT_OR));
            }
            StmtKind::Return(None) => self.write("return"),
            StmtKind::Return(Some(value)) => {
                self.write("return ");
                let is_spread = matches!(value.kind, ExprKind::Spread(_));
                self.expression(value, if is_spread { expressions::LOWEST } else { expressions::TERNARY });
            }
            StmtKind::Raise { exception, cause } => {
                self.write("raise");
                self.optional(" ", exception.as_ref());
                self.optional(" from ", cause.as_ref());
            }
            StmtKind::Assert { test, message } => {
                self.write("assert");
                self.optional(" ", Some(test));
                self.optional(", ", message.as_ref());
            }
            StmtKind::Break => self.write("break"),
            StmtKind::Continue => self.write("continue"),
            StmtKind::Nonlocal(names) => self.write(&format!("nonlocal {}", names.join(", "))),
            // The compound ones never come here.
            _ => self.write("pass"),
        }
    }

    fn optional(&mut self, before: &str, value: Option<&Expr>) {
        if let Some(value) = value {
            self.write(before);
            self.expression(value, expressions::TERNARY);
        }
    }

    fn suite(&mut self, body: &Block) {
        self.write(":\n");
        self.nested_block(body);
    }

    fn other(&mut self, word: &str, body: &Block) {
        if !body.is_empty() {
            self.line(&format!("{word}:"));
            self.nested_block(body);
        }
    }

    fn conditional(&mut self, word: &str, test: &Expr, body: &Block, orelse: &Block) {
        self.start_line();
        self.write(word);
        self.expression(test, expressions::TERNARY);
        self.suite(body);
        match orelse.as_slice() {
            [Stmt { kind: StmtKind::If { test, body, orelse }, .. }] => self.conditional("elif ", test, body, orelse),
            _ => self.other("else", orelse),
        }
    }

    fn handler(&mut self, handler: &Handler) {
        self.start_line();
        self.write("except");
        self.optional(" ", handler.exception.as_ref());
        if let Some(name) = &handler.name {
            self.write(&format!(" as {name}"));
        }
        self.suite(&handler.body);
    }

    fn with(&mut self, items: &[WithItem], body: &Block, is_async: bool) {
        self.start_line();
        self.write(if is_async { "async with " } else { "with " });
        // A tuple by itself would be taken for several items.
        let lone_tuple = matches!(items, [WithItem { context: Expr { kind: ExprKind::Tuple(_), .. }, target: None }]);
        if lone_tuple {
            self.write("(");
        }
        self.commas(items, |printer, item| {
            printer.expression(&item.context, expressions::TERNARY);
            if let Some(target) = &item.target {
                printer.write(" as ");
                printer.expression(target, expressions::BIT_OR);
            }
        });
        if lone_tuple {
            self.write(")");
        }
        self.suite(body);
    }

    fn case(&mut self, case: &Case) {
        self.start_line();
        self.write("case ");
        self.pattern(&case.pattern, 0);
        self.optional(" if ", case.guard.as_ref());
        self.suite(&case.body);
    }
}
