//! Statements.

use super::{Failed, Parse, Parser};
use crate::text::lexer::TokenKind;
use crate::{BinaryOp, Block, Case, Diagnostic, Expr, ExprKind, FunctionKind, Handler, Stmt, StmtKind, WithItem};

impl Parser<'_> {
    /// The statements of a block, and its end.
    pub(super) fn statements(&mut self) -> Block {
        let mut body = Vec::new();
        loop {
            match self.kind() {
                TokenKind::End => return body,
                TokenKind::Dedent => {
                    self.advance();
                    return body;
                }
                TokenKind::Indent => {
                    let span = self.token_at(self.position).span;
                    self.report(Diagnostic::error("W0105", span, "this line is indented for no reason"));
                    self.advance();
                    if self.enter().is_ok() {
                        body.extend(self.statements());
                        self.depth -= 1;
                    }
                }
                TokenKind::Newline => {
                    self.advance();
                }
                _ => self.statement(&mut body),
            }
        }
    }

    fn statement(&mut self, body: &mut Block) {
        let (start, depth, plain) = (self.position, self.depth, self.plain);
        self.chain = 0;
        let parsed = match self.compound() {
            Ok(Some(kind)) => {
                body.push(Stmt { kind, span: self.span_from(start) });
                Ok(())
            }
            Ok(None) => self.simple_statements(body),
            Err(failed) => Err(failed),
        };
        if parsed.is_err() {
            (self.depth, self.plain) = (depth, plain);
            self.recover(start);
        }
    }

    /// To the end of the statement, through the blocks that belong to it: what is wrong in there is still reported.
    pub(super) fn recover(&mut self, start: usize) {
        // A failure right after a line or block is about what was missing there; the next line is a new statement.
        let ended = self.position > start
            && matches!(self.token_at(self.position - 1).kind, TokenKind::Newline | TokenKind::Dedent);
        if !ended {
            while !matches!(self.kind(), TokenKind::Newline | TokenKind::Dedent | TokenKind::End | TokenKind::Indent) {
                self.advance();
            }
            if self.kind() == TokenKind::Newline {
                self.advance();
            }
        }
        loop {
            if self.kind() == TokenKind::Indent && self.depth < super::DEPTH_MAX {
                self.advance();
                self.depth += 1;
                self.statements();
                self.depth -= 1;
            } else if self.kind() == TokenKind::Indent {
                return self.skip_block();
            } else if ["elif", "else", "except", "finally"].into_iter().any(|word| self.at_word(word)) {
                while !matches!(self.kind(), TokenKind::Newline | TokenKind::End) {
                    self.advance();
                }
                self.advance();
            } else {
                return;
            }
        }
    }

    fn skip_block(&mut self) {
        let mut open = 0;
        loop {
            match self.advance().kind {
                TokenKind::Indent => open += 1,
                TokenKind::Dedent => open -= 1,
                TokenKind::End => return,
                _ => {}
            }
            if open == 0 {
                return;
            }
        }
    }

    // -------------------------------------------------------------------------------------------------- compound

    pub(super) fn compound(&mut self) -> Parse<Option<StmtKind>> {
        if self.kind() != TokenKind::Name {
            return Ok(None);
        }
        let start = self.position;
        Ok(Some(match self.text_at(start) {
            "if" => {
                self.advance();
                self.conditional_statement()?
            }
            "while" => self.while_loop()?,
            "for" => self.for_loop(false)?,
            "try" => self.try_statement()?,
            "with" => self.with_statement(false)?,
            "def" => self.nested_function(start, FunctionKind::Plain)?,
            "match" if self.at_match() => self.match_statement()?,
            "async" if self.is_word(start + 1, "def") => {
                self.advance();
                self.nested_function(start, FunctionKind::Durable)?
            }
            "async" if self.is_word(start + 1, "for") || self.is_word(start + 1, "with") => {
                self.advance();
                let span = self.span_from(start).to(self.token_at(self.position).span);
                let what = if self.at_word("for") { "`async for`" } else { "`async with`" };
                self.refuse_waiting(span, what);
                if self.at_word("for") { self.for_loop(true)? } else { self.with_statement(true)? }
            }
            "class" => {
                let span = self.token_at(start).span;
                return Err(self.unsupported(
                    span,
                    "classes are",
                    "declare its shape with `type` at the top of the file",
                ));
            }
            "elif" | "else" | "except" | "finally" => {
                let (word, span) = (self.text_at(start), self.token_at(start).span);
                return Err(self.report(Diagnostic::error("W0110", span, format!("`{word}` belongs to no statement"))));
            }
            _ => return Ok(None),
        }))
    }

    fn nested_function(&mut self, start: usize, kind: FunctionKind) -> Parse<StmtKind> {
        self.advance();
        Ok(StmtKind::Def(Box::new(self.function(start, kind)?)))
    }

    /// After `if` or `elif`.
    fn conditional_statement(&mut self) -> Parse<StmtKind> {
        let test = self.named_expression()?;
        let body = self.block()?;
        let start = self.position;
        let orelse = if self.eat_word("elif") {
            self.enter()?;
            let kind = self.conditional_statement()?;
            self.depth -= 1;
            vec![Stmt { kind, span: self.span_from(start) }]
        } else {
            self.else_block()?
        };
        Ok(StmtKind::If { test, body, orelse })
    }

    fn else_block(&mut self) -> Parse<Block> {
        if self.eat_word("else") { self.block() } else { Ok(Vec::new()) }
    }

    fn while_loop(&mut self) -> Parse<StmtKind> {
        self.advance();
        let test = self.named_expression()?;
        let body = self.block()?;
        let orelse = self.else_block()?;
        Ok(StmtKind::While { test, body, orelse })
    }

    fn for_loop(&mut self, is_async: bool) -> Parse<StmtKind> {
        self.advance();
        let target = self.target_list()?;
        self.expect_word("in")?;
        let iter = self.right_hand_side()?;
        let body = self.block()?;
        let orelse = self.else_block()?;
        Ok(StmtKind::For { target, iter, body, orelse, is_async })
    }

    fn try_statement(&mut self) -> Parse<StmtKind> {
        self.advance();
        let body = self.block()?;
        let mut handlers: Vec<Handler> = Vec::new();
        while self.at_word("except") {
            if let Some(Handler { exception: None, span, .. }) = handlers.last() {
                let span = *span;
                self.report(Diagnostic::error(
                    "W0110",
                    span,
                    "the `except` that catches everything has to be the last",
                ));
            }
            handlers.push(self.handler()?);
        }
        let orelse = if handlers.is_empty() { Vec::new() } else { self.else_block()? };
        let finally = if self.eat_word("finally") { self.block()? } else { Vec::new() };
        if handlers.is_empty() && finally.is_empty() {
            return Err(self.expected("`except` or `finally`"));
        }
        Ok(StmtKind::Try { body, handlers, orelse, finally })
    }

    fn handler(&mut self) -> Parse<Handler> {
        let start = self.position;
        self.advance();
        if self.at("*") {
            let span = self.span_from(start).to(self.token_at(self.position).span);
            return Err(self.unsupported(
                span,
                "`except*` is",
                "catch the group with `except` and look at its `exceptions`",
            ));
        }
        let (mut exception, mut name) = (None, None);
        if !self.at(":") {
            exception = Some(self.expression()?);
            if self.eat_word("as") {
                name = Some(self.identifier("a name")?);
            } else if self.at(",") {
                let span = self.token_at(self.position).span;
                let message = "several exception classes need parentheses";
                return Err(self.report(Diagnostic::error("W0110", span, message).help("write `except (A, B):`")));
            }
        }
        let body = self.block()?;
        Ok(Handler { exception, name, body, span: self.span_from(start) })
    }

    fn with_statement(&mut self, is_async: bool) -> Parse<StmtKind> {
        self.advance();
        let items = match self.bracketed_items() {
            Some(items) => items,
            None => self.with_items("")?,
        };
        let body = self.block()?;
        Ok(StmtKind::With { items, body, is_async })
    }

    /// Items in parentheses. As in Python the form is tried first, and taken back when it turns out to be an
    /// expression in parentheses.
    fn bracketed_items(&mut self) -> Option<Vec<WithItem>> {
        let start = self.position;
        let close = self.closers.get(start).copied().filter(|_| self.at("("))?;
        if close == usize::MAX || !self.is_operator(close + 1, ":") {
            return None;
        }
        let (last, depth, chain, reported) = (self.last, self.depth, self.chain, self.diagnostics.len());
        self.advance();
        if let Ok(items) = self.with_items(")")
            && self.position == close
        {
            self.advance();
            return Some(items);
        }
        (self.position, self.last, self.depth, self.chain) = (start, last, depth, chain);
        self.diagnostics.truncate(reported);
        None
    }

    fn with_items(&mut self, close: &str) -> Parse<Vec<WithItem>> {
        let mut items = Vec::new();
        loop {
            let context = self.expression()?;
            let mut target = None;
            if self.eat_word("as") {
                let start = self.position;
                let found = self.operators(super::expressions::BIT_OR)?;
                if matches!(found.kind, ExprKind::Starred(_)) {
                    self.position = start;
                    return Err(self.expected("a target"));
                }
                self.check_target(&found, "assign to")?;
                target = Some(found);
            }
            items.push(WithItem { context, target });
            if !self.eat(",") || !close.is_empty() && self.at(close) {
                return Ok(items);
            }
        }
    }

    /// Whether the word `match` begins a `match` statement: nothing else on such a line can end in `:`.
    fn at_match(&self) -> bool {
        let end = (self.position..self.tokens.len())
            .find(|position| matches!(self.token_at(*position).kind, TokenKind::Newline | TokenKind::End));
        end.is_some_and(|end| end > self.position + 2 && self.is_operator(end - 1, ":"))
    }

    fn match_statement(&mut self) -> Parse<StmtKind> {
        self.advance();
        let subject = match self.match_subject() {
            Ok(subject) => subject,
            Err(failed) => {
                // Its cases make no sense as statements of their own.
                while !matches!(self.kind(), TokenKind::Newline | TokenKind::End) {
                    self.advance();
                }
                self.advance();
                if self.kind() == TokenKind::Indent {
                    self.skip_block();
                }
                return Err(failed);
            }
        };
        self.advance();
        if self.kind() != TokenKind::Indent {
            return Err(self.expected("an indented `case`"));
        }
        self.advance();
        self.enter()?;
        let mut cases = Vec::new();
        while !matches!(self.kind(), TokenKind::Dedent | TokenKind::End) {
            let (start, depth) = (self.position, self.depth);
            match self.case() {
                Ok(case) => cases.push(case),
                Err(Failed) => {
                    self.depth = depth;
                    self.recover(start);
                    if self.position == start {
                        self.advance();
                    }
                }
            }
        }
        self.depth -= 1;
        self.advance();
        Ok(StmtKind::Match { subject, cases })
    }

    fn match_subject(&mut self) -> Parse<Expr> {
        let subject = self.expression_list()?;
        self.expect(":")?;
        if self.kind() == TokenKind::Newline { Ok(subject) } else { Err(self.expected("the end of the line")) }
    }

    fn case(&mut self) -> Parse<Case> {
        let start = self.position;
        self.expect_word("case")?;
        let pattern = self.case_pattern()?;
        let guard = if self.eat_word("if") { Some(self.named_expression()?) } else { None };
        let body = self.block()?;
        Ok(Case { pattern, guard, body, span: self.span_from(start) })
    }

    // ---------------------------------------------------------------------------------------------------- simple

    /// The simple statements of one line, and its end.
    pub(super) fn simple_statements(&mut self, body: &mut Block) -> Parse<()> {
        loop {
            let start = self.position;
            let kind = self.simple()?;
            body.push(Stmt { kind, span: self.span_from(start) });
            if !self.eat(";") || self.kind() == TokenKind::Newline {
                break;
            }
        }
        if self.kind() != TokenKind::Newline {
            return Err(self.expected("the end of the statement"));
        }
        self.advance();
        Ok(())
    }

    pub(super) fn simple(&mut self) -> Parse<StmtKind> {
        let start = self.position;
        if self.kind() != TokenKind::Name {
            return self.assignment();
        }
        let span = self.token_at(start).span;
        Ok(match self.text_at(start) {
            "pass" => self.only(StmtKind::Pass),
            "break" => self.only(StmtKind::Break),
            "continue" => self.only(StmtKind::Continue),
            "return" => {
                self.advance();
                let has_value = self.begins_expression() || self.at_word("yield");
                StmtKind::Return(if has_value { Some(self.right_hand_side()?) } else { None })
            }
            "raise" => self.raise()?,
            "assert" => {
                self.advance();
                let test = self.expression()?;
                let message = if self.eat(",") { Some(self.expression()?) } else { None };
                StmtKind::Assert { test, message }
            }
            "del" => self.delete()?,
            "nonlocal" => {
                self.advance();
                let mut names = vec![self.identifier("a name")?];
                while self.eat(",") {
                    names.push(self.identifier("a name")?);
                }
                StmtKind::Nonlocal(names)
            }
            "global" => {
                let help = "pass the value in and return it: a workflow has no variables outside its functions";
                return Err(self.unsupported(span, "`global` is", help));
            }
            "import" | "from" => {
                let help = "use the name as it is: modules, built-ins and declared types are known without an import";
                return Err(self.unsupported(span, "imports are", help));
            }
            _ => self.assignment()?,
        })
    }

    fn only(&mut self, kind: StmtKind) -> StmtKind {
        self.advance();
        kind
    }

    fn raise(&mut self) -> Parse<StmtKind> {
        self.advance();
        if !self.begins_expression() {
            return Ok(StmtKind::Raise { exception: None, cause: None });
        }
        let exception = Some(self.expression()?);
        let cause = if self.eat_word("from") { Some(self.expression()?) } else { None };
        Ok(StmtKind::Raise { exception, cause })
    }

    fn delete(&mut self) -> Parse<StmtKind> {
        self.advance();
        let mut targets = Vec::new();
        loop {
            let target = self.expression()?;
            self.check_target(&target, "delete")?;
            targets.push(target);
            if !self.eat(",") || !self.begins_expression() {
                return Ok(StmtKind::Delete(targets));
            }
        }
    }

    /// An assignment of any kind, or an expression.
    fn assignment(&mut self) -> Parse<StmtKind> {
        let start = self.position;
        let first = self.right_hand_side()?;
        if !self.at("=") {
            return self.not_assigned(start, first);
        }
        let mut targets = Vec::new();
        let mut value = first;
        while self.eat("=") {
            self.check_target(&value, "assign to")?;
            targets.push(value);
            value = self.right_hand_side()?;
        }
        Ok(StmtKind::Assign { targets, value })
    }

    fn not_assigned(&mut self, start: usize, first: Expr) -> Parse<StmtKind> {
        if let Some(op) = self.augmentation() {
            self.advance();
            if let ExprKind::Tuple(_) | ExprKind::List(_) = first.kind {
                let message = "an augmented assignment has one target";
                return Err(self.report(Diagnostic::error("W0111", first.span, message)));
            }
            self.check_target(&first, "assign to")?;
            let value = self.right_hand_side()?;
            return Ok(StmtKind::AugAssign { target: first, op, value });
        }
        if self.at(":") {
            let span = self.token_at(self.position).span;
            return Err(self.unsupported(span, "annotations are", "write the assignment without a type"));
        }
        self.refuse_decorator(start)?;
        Ok(StmtKind::Expr(first))
    }

    /// An action call right above a `def` reads like a decorator, and means something else.
    fn refuse_decorator(&mut self, start: usize) -> Parse<()> {
        let next = self.position + 1;
        let is_function = ["def", "class", "fn"].into_iter().any(|word| self.is_word(next, word))
            || (self.is_word(next, "async") && self.is_word(next + 1, "def"));
        let above_function = self.is_operator(start, "@")
            && self.kind() == TokenKind::Newline
            && is_function
            && self.token_at(next).span.line == self.last.end_line + 1
            && !self.is_operator(next + 1, "@");
        if !above_function {
            return Ok(());
        }
        let span = self.span_from(start);
        let help = "if this is an action call, leave an empty line after it";
        self.unsupported(span, "decorators are", help);
        Ok(())
    }

    fn augmentation(&self) -> Option<BinaryOp> {
        let TokenKind::Op(operator) = self.kind() else { return None };
        Some(match operator {
            "+=" => BinaryOp::Add,
            "-=" => BinaryOp::Subtract,
            "*=" => BinaryOp::Multiply,
            "/=" => BinaryOp::Divide,
            "//=" => BinaryOp::FloorDivide,
            "%=" => BinaryOp::Modulo,
            "**=" => BinaryOp::Power,
            "@=" => BinaryOp::MatrixMultiply,
            "<<=" => BinaryOp::ShiftLeft,
            ">>=" => BinaryOp::ShiftRight,
            "&=" => BinaryOp::BitAnd,
            "|=" => BinaryOp::BitOr,
            "^=" => BinaryOp::BitXor,
            _ => return None,
        })
    }
}
