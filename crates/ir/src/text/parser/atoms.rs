//! Atoms: names, literals, displays, comprehensions, parentheses, lambdas, `yield`.

use super::expressions::{BIT_OR, expr};
use super::{Parse, Parser, is_keyword};
use crate::text::lexer::TokenKind;
use crate::text::literal;
use crate::{
    Clause, Comprehension, ComprehensionKind, Diagnostic, DictItem, Expr, ExprKind, Function, FunctionKind, Stmt,
    StmtKind, Value,
};

impl Parser<'_> {
    pub(super) fn atom(&mut self) -> Parse<Expr> {
        match self.kind() {
            TokenKind::Name => self.name_atom(),
            TokenKind::Number => self.number(),
            TokenKind::String | TokenKind::FormatStart => self.strings(),
            TokenKind::Op("(") => self.parenthesised(),
            TokenKind::Op("[") => self.list(),
            TokenKind::Op("{") => self.braces(),
            TokenKind::Op("@") => self.action(),
            TokenKind::Op("...") => {
                let span = self.advance().span;
                Ok(expr(ExprKind::Const(Value::Ellipsis), span))
            }
            _ => Err(self.expected("an expression")),
        }
    }

    fn number(&mut self) -> Parse<Expr> {
        let span = self.token_at(self.position).span;
        match literal::number(self.text_at(self.position)) {
            Ok(value) => {
                self.advance();
                Ok(expr(ExprKind::Const(value), span))
            }
            Err(refused) => Err(self.refused(span, refused)),
        }
    }

    fn name_atom(&mut self) -> Parse<Expr> {
        let here = self.position;
        let word = self.text_at(here);
        let constant = match word {
            "None" => Some(Value::None),
            "True" => Some(Value::Bool(true)),
            "False" => Some(Value::Bool(false)),
            _ => None,
        };
        if let Some(value) = constant {
            let span = self.advance().span;
            return Ok(expr(ExprKind::Const(value), span));
        }
        match word {
            "async" if self.is_operator(here + 1, "@") => return self.unawaited_action(),
            "fragment" if self.is_kind(here + 1, TokenKind::String) => return self.fragment(),
            "const" if self.at_constant() => return self.constant(),
            "spread" if self.at_spread() => {
                let span = self.token_at(here).span;
                let message = "`spread` inside a larger expression needs parentheses";
                return Err(self.report(Diagnostic::error("W0110", span, message).help("write `(spread … -> …)`")));
            }
            "yield" => {
                let span = self.token_at(here).span;
                let message = "`yield` inside a larger expression needs parentheses";
                return Err(self.report(Diagnostic::error("W0110", span, message).help("write `(yield …)`")));
            }
            _ => {}
        }
        if is_keyword(word) {
            return Err(self.expected("an expression"));
        }
        let span = self.advance().span;
        Ok(expr(ExprKind::Name(word.to_string()), span))
    }

    /// A group, a tuple or a generator.
    fn parenthesised(&mut self) -> Parse<Expr> {
        let start = self.position;
        self.advance();
        if self.eat(")") {
            return Ok(expr(ExprKind::Tuple(Vec::new()), self.span_from(start)));
        }
        if self.at_word("yield") || self.at_spread() {
            let inner = self.right_hand_side()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let first = self.starred_or_named()?;
        if self.at_comprehension() {
            let clauses = self.clauses()?;
            self.expect(")")?;
            let kind = ComprehensionKind::Generator(first);
            return Ok(expr(ExprKind::Comprehension(Box::new(Comprehension { kind, clauses })), self.span_from(start)));
        }
        if !self.at(",") {
            if let ExprKind::Starred(_) = first.kind {
                let span = first.span;
                let message = "a starred expression needs a list, tuple or call around it";
                return Err(
                    self.report(Diagnostic::error("W0110", span, message).help("write `(*items,)` for a tuple"))
                );
            }
            self.expect(")")?;
            return Ok(first);
        }
        let items = self.items(first, ")")?;
        Ok(expr(ExprKind::Tuple(items), self.span_from(start)))
    }

    fn list(&mut self) -> Parse<Expr> {
        let start = self.position;
        self.advance();
        if self.eat("]") {
            return Ok(expr(ExprKind::List(Vec::new()), self.span_from(start)));
        }
        let first = self.starred_or_named()?;
        let kind = if self.at_comprehension() {
            let clauses = self.clauses()?;
            self.expect("]")?;
            ExprKind::Comprehension(Box::new(Comprehension { kind: ComprehensionKind::List(first), clauses }))
        } else {
            ExprKind::List(self.items(first, "]")?)
        };
        Ok(expr(kind, self.span_from(start)))
    }

    /// The items after the first, and the closing bracket.
    fn items(&mut self, first: Expr, close: &str) -> Parse<Vec<Expr>> {
        let mut items = vec![first];
        while self.eat(",") {
            if self.at(close) {
                break;
            }
            items.push(self.starred_or_named()?);
        }
        self.expect(close)?;
        Ok(items)
    }

    /// A set or dict, or a comprehension of one.
    fn braces(&mut self) -> Parse<Expr> {
        let start = self.position;
        self.advance();
        if self.eat("}") {
            return Ok(expr(ExprKind::Dict(Vec::new()), self.span_from(start)));
        }
        if self.at("**") {
            return self.dict(start, None);
        }
        let first = self.starred_or_named()?;
        if self.at(":") && !matches!(first.kind, ExprKind::Starred(_)) {
            return self.dict(start, Some(first));
        }
        let kind = if self.at_comprehension() {
            let clauses = self.clauses()?;
            self.expect("}")?;
            ExprKind::Comprehension(Box::new(Comprehension { kind: ComprehensionKind::Set(first), clauses }))
        } else {
            ExprKind::Set(self.items(first, "}")?)
        };
        Ok(expr(kind, self.span_from(start)))
    }

    fn dict(&mut self, start: usize, first_key: Option<Expr>) -> Parse<Expr> {
        let mut items = Vec::new();
        if let Some(key) = first_key {
            self.expect(":")?;
            let value = self.expression()?;
            if self.at_comprehension() {
                let clauses = self.clauses()?;
                self.expect("}")?;
                let kind = ComprehensionKind::Dict(key, value);
                return Ok(expr(
                    ExprKind::Comprehension(Box::new(Comprehension { kind, clauses })),
                    self.span_from(start),
                ));
            }
            items.push(DictItem::Entry(key, value));
            if !self.at("}") {
                self.expect(",")?;
            }
        }
        while !self.at("}") {
            if self.eat("**") {
                items.push(DictItem::Merge(self.operators(BIT_OR)?));
            } else {
                let key = self.expression()?;
                self.expect(":")?;
                items.push(DictItem::Entry(key, self.expression()?));
            }
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(expr(ExprKind::Dict(items), self.span_from(start)))
    }

    // -------------------------------------------------------------------------------------------- comprehensions

    fn at_comprehension(&self) -> bool {
        self.at_word("for") || self.at_word("async") && self.is_word(self.position + 1, "for")
    }

    /// The generator whose element is already read and which shares the brackets of a call.
    pub(super) fn generator(&mut self, start: usize, element: Expr) -> Parse<Expr> {
        let clauses = self.clauses()?;
        let kind = ComprehensionKind::Generator(element);
        Ok(expr(ExprKind::Comprehension(Box::new(Comprehension { kind, clauses })), self.span_from(start)))
    }

    fn clauses(&mut self) -> Parse<Vec<Clause>> {
        let mut clauses = Vec::new();
        while self.at_comprehension() {
            let span = self.token_at(self.position).span;
            let is_async = self.eat_word("async");
            if is_async {
                self.refuse_waiting(span, "an `async` comprehension");
            }
            self.advance();
            let target = self.target_list()?;
            self.expect_word("in")?;
            let iter = self.disjunction()?;
            let mut conditions = Vec::new();
            while self.eat_word("if") {
                conditions.push(self.disjunction()?);
            }
            clauses.push(Clause { target, iter, conditions, is_async });
        }
        Ok(clauses)
    }

    // ------------------------------------------------------------------------------------------ lambda and yield

    pub(super) fn lambda(&mut self) -> Parse<Expr> {
        let start = self.position;
        self.advance();
        let params = self.parameters(":")?;
        self.expect(":")?;
        let body = self.expression()?;
        let span = self.span_from(start);
        let body = vec![Stmt { span: body.span, kind: StmtKind::Return(Some(body)) }];
        let (name, kind, outputs) = ("<lambda>".to_string(), FunctionKind::Plain, Vec::new());
        Ok(expr(ExprKind::Lambda(Box::new(Function { name, kind, params, outputs, body, origin: None, span })), span))
    }

    pub(super) fn yielded(&mut self) -> Parse<Expr> {
        let start = self.position;
        self.advance();
        if self.at_word("from") {
            self.advance();
            let items = Box::new(self.expression()?);
            return Ok(expr(ExprKind::YieldFrom(items), self.span_from(start)));
        }
        let value = if self.begins_expression() { Some(Box::new(self.expression_list()?)) } else { None };
        Ok(expr(ExprKind::Yield(value), self.span_from(start)))
    }
}
