//! Expressions by precedence: ternary and lambda, then the binary operators by climbing, prefixes and postfixes.

use num_bigint::BigInt;

use super::{Failed, Parse, Parser};
use crate::text::lexer::TokenKind;
use crate::{Arg, BinaryOp, BoolOp, CompareOp, Diagnostic, Expr, ExprKind, Span, UnaryOp, Value};

/// Binding strengths, weakest first.
const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const COMPARISON: u8 = 4;
pub(super) const BIT_OR: u8 = 5;
const UNARY: u8 = 11;
const POWER: u8 = 12;

enum Infix {
    Bool(BoolOp),
    Compare,
    Binary(BinaryOp),
}

pub(super) fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

impl Parser<'_> {
    /// What may stand after `=` or `return`, as a statement, or in parentheses by itself: tuples without brackets,
    /// `yield`, `spread`.
    pub(super) fn right_hand_side(&mut self) -> Parse<Expr> {
        if self.at_word("yield") {
            return self.yielded();
        }
        if self.at_spread() {
            return self.spread();
        }
        self.expression_list()
    }

    /// One expression, or a tuple without brackets; items may be starred.
    pub(super) fn expression_list(&mut self) -> Parse<Expr> {
        let start = self.position;
        let first = self.starred_or_named()?;
        if !self.at(",") {
            if let ExprKind::Starred(_) = first.kind {
                let message = "a starred expression needs a list, tuple or call around it";
                return Err(
                    self.report(Diagnostic::error("W0110", first.span, message).help("write `*items,` for a tuple"))
                );
            }
            return Ok(first);
        }
        let mut items = vec![first];
        while self.eat(",") {
            if !self.begins_expression() {
                break;
            }
            items.push(self.starred_or_named()?);
        }
        Ok(expr(ExprKind::Tuple(items), self.span_from(start)))
    }

    pub(super) fn starred_or_named(&mut self) -> Parse<Expr> {
        let start = self.position;
        if self.eat("*") {
            let inner = self.operators(BIT_OR)?;
            return Ok(expr(ExprKind::Starred(Box::new(inner)), self.span_from(start)));
        }
        self.named_expression()
    }

    /// An expression, or `name := expression`.
    pub(super) fn named_expression(&mut self) -> Parse<Expr> {
        let start = self.position;
        if self.is_identifier(start) && self.is_operator(start + 1, ":=") {
            let name = self.identifier("a name")?;
            self.advance();
            let value = Box::new(self.expression()?);
            return Ok(expr(ExprKind::Walrus { name, value }, self.span_from(start)));
        }
        let value = self.expression()?;
        if self.at(":=") {
            let span = value.span;
            return Err(self.report(Diagnostic::error("W0111", span, "`:=` assigns to a plain name only")));
        }
        Ok(value)
    }

    /// Whether the next token can begin an expression (or a starred one).
    pub(super) fn begins_expression(&self) -> bool {
        match self.kind() {
            TokenKind::Name => {
                let word = self.text_at(self.position);
                !super::is_keyword(word)
                    || matches!(word, "None" | "True" | "False" | "not" | "lambda" | "await" | "async" | "yield")
            }
            TokenKind::Number | TokenKind::String | TokenKind::FormatStart | TokenKind::Invalid => true,
            TokenKind::Op(operator) => {
                matches!(operator, "(" | "[" | "{" | "-" | "+" | "~" | "..." | "@" | "*" | "**")
            }
            _ => false,
        }
    }

    /// Ternary or lambda and everything that binds tighter.
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        if self.at_word("lambda") {
            self.enter()?;
            let lambda = self.lambda();
            self.depth -= 1;
            return lambda;
        }
        let start = self.position;
        let then = self.operators(OR)?;
        if !self.at_word("if") {
            return Ok(then);
        }
        self.conditional(start, then)
    }

    fn conditional(&mut self, start: usize, then: Expr) -> Parse<Expr> {
        self.enter()?;
        self.advance();
        let test = Box::new(self.operators(OR)?);
        self.expect_word("else")?;
        let orelse = Box::new(self.expression()?);
        self.depth -= 1;
        let then = Box::new(then);
        Ok(expr(ExprKind::Conditional { test, then, orelse }, self.span_from(start)))
    }

    /// An operand of `or`: what may stand where a ternary must have parentheses.
    pub(super) fn disjunction(&mut self) -> Parse<Expr> {
        self.operators(OR)
    }

    pub(super) fn operators(&mut self, minimum: u8) -> Parse<Expr> {
        self.enter()?;
        let start = self.position;
        let outer = std::mem::take(&mut self.chain);
        let mut left = self.prefix(minimum)?;
        let mut longest = self.chain;
        while let Some((strength, infix)) = self.infix() {
            if strength < minimum {
                break;
            }
            self.chain = 0;
            let link = self.link(longest)?;
            left = match infix {
                Infix::Bool(op) => self.booleans(left, op, strength)?,
                Infix::Compare => self.comparisons(left)?,
                Infix::Binary(op) => self.binary(left, op, strength)?,
            };
            left.span = self.span_from(start);
            longest = link.max(self.chain + 1);
        }
        self.chain = outer.max(longest);
        self.depth -= 1;
        Ok(left)
    }

    fn binary(&mut self, left: Expr, op: BinaryOp, strength: u8) -> Parse<Expr> {
        self.advance();
        let right = Box::new(self.operators(if strength == POWER { UNARY } else { strength + 1 })?);
        Ok(expr(ExprKind::Binary { op, left: Box::new(left), right }, Span::NOWHERE))
    }

    fn booleans(&mut self, left: Expr, op: BoolOp, strength: u8) -> Parse<Expr> {
        let word = if op == BoolOp::And { "and" } else { "or" };
        let mut operands = vec![left];
        while self.eat_word(word) {
            operands.push(self.operators(strength + 1)?);
        }
        Ok(expr(ExprKind::Bool { op, operands }, Span::NOWHERE))
    }

    fn comparisons(&mut self, left: Expr) -> Parse<Expr> {
        let mut rest = Vec::new();
        while let Some((op, width)) = self.comparison() {
            for _ in 0..width {
                self.advance();
            }
            rest.push((op, self.operators(BIT_OR)?));
        }
        Ok(expr(ExprKind::Compare { left: Box::new(left), rest }, Span::NOWHERE))
    }

    fn comparison(&self) -> Option<(CompareOp, usize)> {
        let here = self.position;
        Some(match self.kind() {
            TokenKind::Op("==") => (CompareOp::Equal, 1),
            TokenKind::Op("!=") => (CompareOp::NotEqual, 1),
            TokenKind::Op("<") => (CompareOp::Less, 1),
            TokenKind::Op("<=") => (CompareOp::LessEqual, 1),
            TokenKind::Op(">") => (CompareOp::Greater, 1),
            TokenKind::Op(">=") => (CompareOp::GreaterEqual, 1),
            TokenKind::Name => match self.text_at(here) {
                "in" => (CompareOp::In, 1),
                "is" if self.is_word(here + 1, "not") => (CompareOp::IsNot, 2),
                "is" => (CompareOp::Is, 1),
                "not" if self.is_word(here + 1, "in") => (CompareOp::NotIn, 2),
                _ => return None,
            },
            _ => return None,
        })
    }

    fn infix(&self) -> Option<(u8, Infix)> {
        if self.comparison().is_some() {
            return Some((COMPARISON, Infix::Compare));
        }
        let (strength, op) = match self.kind() {
            TokenKind::Name if self.at_word("or") => return Some((OR, Infix::Bool(BoolOp::Or))),
            TokenKind::Name if self.at_word("and") => return Some((AND, Infix::Bool(BoolOp::And))),
            TokenKind::Op("|") => (BIT_OR, BinaryOp::BitOr),
            TokenKind::Op("^") => (6, BinaryOp::BitXor),
            TokenKind::Op("&") => (7, BinaryOp::BitAnd),
            TokenKind::Op("<<") => (8, BinaryOp::ShiftLeft),
            TokenKind::Op(">>") => (8, BinaryOp::ShiftRight),
            TokenKind::Op("+") => (9, BinaryOp::Add),
            TokenKind::Op("-") => (9, BinaryOp::Subtract),
            TokenKind::Op("*") => (10, BinaryOp::Multiply),
            TokenKind::Op("/") => (10, BinaryOp::Divide),
            TokenKind::Op("//") => (10, BinaryOp::FloorDivide),
            TokenKind::Op("%") => (10, BinaryOp::Modulo),
            TokenKind::Op("@") => (10, BinaryOp::MatrixMultiply),
            TokenKind::Op("**") => (POWER, BinaryOp::Power),
            _ => return None,
        };
        Some((strength, Infix::Binary(op)))
    }

    fn prefix(&mut self, minimum: u8) -> Parse<Expr> {
        let start = self.position;
        let (op, strength) = match self.kind() {
            TokenKind::Name if self.at_word("not") && minimum <= NOT => (UnaryOp::Not, NOT),
            TokenKind::Op("-") => (UnaryOp::Negative, UNARY),
            TokenKind::Op("+") => (UnaryOp::Positive, UNARY),
            TokenKind::Op("~") => (UnaryOp::Invert, UNARY),
            TokenKind::Name if self.at_word("await") => return self.awaited(),
            _ => return self.primary(),
        };
        self.advance();
        let operand_start = self.position;
        let operand = self.operators(strength)?;
        let is_literal = self.position == operand_start + 1 && self.is_kind(operand_start, TokenKind::Number);
        let kind = match operand.kind {
            ExprKind::Const(value) if is_literal && op == UnaryOp::Negative => ExprKind::Const(negated(value)),
            kind => ExprKind::Unary { op, operand: Box::new(expr(kind, operand.span)) },
        };
        Ok(expr(kind, self.span_from(start)))
    }

    fn awaited(&mut self) -> Parse<Expr> {
        let start = self.position;
        self.advance();
        if self.at("@") {
            let span = self.token_at(self.position).span;
            return Err(self.report(
                Diagnostic::error("W0119", span, "an action call waits by itself")
                    .label("waits without `await`")
                    .help("leave the `await` out"),
            ));
        }
        let operand = Box::new(self.primary()?);
        Ok(expr(ExprKind::Await(operand), self.span_from(start)))
    }

    /// An atom and what follows it directly: attributes, calls, subscripts.
    fn primary(&mut self) -> Parse<Expr> {
        let start = self.position;
        let outer = std::mem::take(&mut self.chain);
        let mut base = self.atom()?;
        let mut longest = self.chain;
        loop {
            self.chain = 0;
            let kind = match self.kind() {
                TokenKind::Op(".") => {
                    self.advance();
                    let name = self.identifier("an attribute's name")?;
                    ExprKind::Attribute { base: Box::new(base), name }
                }
                TokenKind::Op("(") => ExprKind::Call { callee: Box::new(base), args: self.arguments()? },
                TokenKind::Op("[") => ExprKind::Index { base: Box::new(base), index: Box::new(self.index()?) },
                _ => break,
            };
            longest = self.link(longest)?.max(self.chain + 1);
            base = expr(kind, self.span_from(start));
        }
        self.chain = outer.max(longest);
        Ok(base)
    }

    /// `(arguments)`, from the opening bracket on.
    pub(super) fn arguments(&mut self) -> Parse<Vec<Arg>> {
        self.expect("(")?;
        let mut args: Vec<Arg> = Vec::new();
        while !self.at(")") {
            let argument = self.argument(&args)?;
            args.push(argument);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(args)
    }

    fn argument(&mut self, before: &[Arg]) -> Parse<Arg> {
        let start = self.position;
        if self.eat("**") {
            return Ok(Arg::Options(self.expression()?));
        }
        if self.eat("*") {
            if before.iter().any(|arg| matches!(arg, Arg::Options(_))) {
                return Err(self.misplaced(start, "`*` after `**`"));
            }
            return Ok(Arg::Rest(self.expression()?));
        }
        if self.is_identifier(start) && self.is_operator(start + 1, "=") {
            let name = self.identifier("a name")?;
            self.advance();
            if before.iter().any(|arg| matches!(arg, Arg::Keyword(known, _) if *known == name)) {
                return Err(self.misplaced(start, &format!("`{name}` twice")));
            }
            return Ok(Arg::Keyword(name, self.expression()?));
        }
        let value = self.named_expression()?;
        if self.at_word("for") || self.at_word("async") {
            let generator = self.generator(start, value)?;
            if !before.is_empty() || !(self.at(")") || self.at(",") && self.is_operator(self.position + 1, ")")) {
                let span = generator.span;
                let message = "a generator among other arguments needs parentheses";
                return Err(self.report(Diagnostic::error("W0118", span, message).help("write `f((x for x in y), …)`")));
            }
            return Ok(Arg::Positional(generator));
        }
        if before.iter().any(|arg| matches!(arg, Arg::Keyword(..) | Arg::Options(_))) {
            return Err(self.misplaced(start, "a positional argument after keyword arguments"));
        }
        Ok(Arg::Positional(value))
    }

    fn misplaced(&mut self, start: usize, what: &str) -> Failed {
        let span = self.span_from(start);
        self.report(Diagnostic::error("W0118", span, format!("{what} in a call")))
    }

    fn index(&mut self) -> Parse<Expr> {
        self.expect("[")?;
        let start = self.position;
        let first = self.slice()?;
        let starred = matches!(first.kind, ExprKind::Starred(_));
        let index = if starred || self.at(",") {
            let mut items = vec![first];
            while self.eat(",") {
                if self.at("]") {
                    break;
                }
                items.push(self.slice()?);
            }
            expr(ExprKind::Tuple(items), self.span_from(start))
        } else {
            first
        };
        self.expect("]")?;
        Ok(index)
    }

    fn slice(&mut self) -> Parse<Expr> {
        let start = self.position;
        let lower = if self.at(":") { None } else { Some(Box::new(self.starred_or_named()?)) };
        if !self.at(":") {
            return match lower {
                Some(lower) => Ok(*lower),
                None => Err(self.expected("an index")),
            };
        }
        self.advance();
        let part = |parser: &mut Self| -> Parse<Option<Box<Expr>>> {
            let absent = parser.at(":") || parser.at("]") || parser.at(",");
            if absent { Ok(None) } else { Ok(Some(Box::new(parser.expression()?))) }
        };
        let upper = part(self)?;
        let step = if self.eat(":") { part(self)? } else { None };
        Ok(expr(ExprKind::Slice { lower, upper, step }, self.span_from(start)))
    }
}

fn negated(value: Value) -> Value {
    match value {
        Value::Int(number) => Value::integer(-BigInt::from(number)),
        Value::BigInt(number) => Value::integer(-number),
        Value::Float(number) => Value::Float(-number),
        other => other,
    }
}
