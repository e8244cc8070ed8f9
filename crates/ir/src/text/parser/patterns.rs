//! The patterns of `case`.

use super::expressions::expr;
use super::{Parse, Parser};
use crate::text::lexer::TokenKind;
use crate::{Diagnostic, Expr, ExprKind, Pattern, PatternKind, Value};

impl Parser<'_> {
    /// The pattern of a `case`, where a sequence needs no brackets.
    pub(super) fn case_pattern(&mut self) -> Parse<Pattern> {
        let start = self.position;
        let first = self.starred_pattern()?;
        if !self.at(",") {
            if let PatternKind::Star(_) = first.kind {
                return Err(self.report(Diagnostic::error(
                    "W0110",
                    first.span,
                    "a starred pattern stands in a sequence",
                )));
            }
            return Ok(first);
        }
        let mut items = vec![first];
        while self.eat(",") {
            if self.at(":") || self.at_word("if") {
                break;
            }
            items.push(self.starred_pattern()?);
        }
        self.sequence(start, items)
    }

    fn sequence(&mut self, start: usize, items: Vec<Pattern>) -> Parse<Pattern> {
        let mut stars = items.iter().filter(|item| matches!(item.kind, PatternKind::Star(_)));
        if let (Some(_), Some(second)) = (stars.next(), stars.next()) {
            let span = second.span;
            return Err(self.report(Diagnostic::error("W0110", span, "two starred patterns in one sequence")));
        }
        Ok(Pattern { kind: PatternKind::Sequence(items), span: self.span_from(start) })
    }

    fn starred_pattern(&mut self) -> Parse<Pattern> {
        let start = self.position;
        if self.eat("*") {
            let name = self.identifier("a name")?;
            let name = (name != "_").then_some(name);
            return Ok(Pattern { kind: PatternKind::Star(name), span: self.span_from(start) });
        }
        self.pattern()
    }

    /// Alternatives, with or without `as`.
    fn pattern(&mut self) -> Parse<Pattern> {
        self.enter()?;
        let start = self.position;
        let mut pattern = self.closed_pattern()?;
        if self.at("|") {
            let mut alternatives = vec![pattern];
            while self.eat("|") {
                alternatives.push(self.closed_pattern()?);
            }
            pattern = Pattern { kind: PatternKind::Or(alternatives), span: self.span_from(start) };
        }
        if self.eat_word("as") {
            let name = self.identifier("a name")?;
            if name == "_" {
                let span = self.last;
                return Err(self.report(Diagnostic::error("W0111", span, "`_` takes no value in a pattern")));
            }
            let kind = PatternKind::As { pattern: Box::new(pattern), name };
            pattern = Pattern { kind, span: self.span_from(start) };
        }
        self.depth -= 1;
        Ok(pattern)
    }

    fn closed_pattern(&mut self) -> Parse<Pattern> {
        let start = self.position;
        let kind = match self.kind() {
            TokenKind::Op("(") => return self.grouped_pattern(),
            TokenKind::Op("[") => {
                self.advance();
                let items = self.pattern_items("]")?;
                return self.sequence(start, items);
            }
            TokenKind::Op("{") => self.mapping()?,
            TokenKind::Number | TokenKind::Op("-") | TokenKind::String | TokenKind::FormatStart => {
                PatternKind::Value(self.literal_pattern()?)
            }
            TokenKind::Name => match self.text_at(start) {
                "None" => self.singleton(Value::None),
                "True" => self.singleton(Value::Bool(true)),
                "False" => self.singleton(Value::Bool(false)),
                _ => self.named_pattern()?,
            },
            _ => return Err(self.expected("a pattern")),
        };
        Ok(Pattern { kind, span: self.span_from(start) })
    }

    fn singleton(&mut self, value: Value) -> PatternKind {
        self.advance();
        PatternKind::Singleton(value)
    }

    fn literal_pattern(&mut self) -> Parse<Expr> {
        let start = self.position;
        if self.at("-") && !self.is_kind(start + 1, TokenKind::Number) {
            return Err(self.expected("a pattern"));
        }
        let value = self.operators(super::expressions::BIT_OR + 1)?;
        match value.kind {
            ExprKind::Const(_) => Ok(value),
            _ => {
                let message = "a pattern compares with literals and dotted names only";
                let help = "put the condition into an `if` after the pattern";
                Err(self.report(Diagnostic::error("W0110", value.span, message).help(help)))
            }
        }
    }

    /// A capture, the wildcard, a dotted name or a class.
    fn named_pattern(&mut self) -> Parse<PatternKind> {
        let start = self.position;
        let name = self.identifier("a pattern")?;
        let mut value = expr(ExprKind::Name(name.clone()), self.span_from(start));
        let mut links = 0;
        while self.eat(".") {
            links = self.link(links)?;
            let name = self.identifier("an attribute's name")?;
            value = expr(ExprKind::Attribute { base: Box::new(value), name }, self.span_from(start));
        }
        if self.at("(") {
            return self.class_pattern(value);
        }
        Ok(match value.kind {
            ExprKind::Name(_) if name == "_" => PatternKind::Wildcard,
            ExprKind::Name(_) => PatternKind::Capture(name),
            _ => PatternKind::Value(value),
        })
    }

    fn class_pattern(&mut self, class: Expr) -> Parse<PatternKind> {
        self.advance();
        let (mut positional, mut keyword) = (Vec::new(), Vec::new());
        while !self.at(")") {
            if self.is_identifier(self.position) && self.is_operator(self.position + 1, "=") {
                let name = self.identifier("a name")?;
                self.advance();
                keyword.push((name, self.pattern()?));
            } else {
                let pattern = self.pattern()?;
                if !keyword.is_empty() {
                    let message = "a positional pattern after keyword patterns";
                    return Err(self.report(Diagnostic::error("W0118", pattern.span, message)));
                }
                positional.push(pattern);
            }
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(PatternKind::Class { class, positional, keyword })
    }

    fn pattern_items(&mut self, close: &str) -> Parse<Vec<Pattern>> {
        let mut items = Vec::new();
        while !self.at(close) {
            items.push(self.starred_pattern()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(close)?;
        Ok(items)
    }

    /// A group or a sequence.
    fn grouped_pattern(&mut self) -> Parse<Pattern> {
        let start = self.position;
        self.advance();
        let mut items = self.pattern_items(")")?;
        let ends_with_comma = self.position >= 2 && self.is_operator(self.position - 2, ",");
        if items.len() == 1 && !ends_with_comma && !matches!(items[0].kind, PatternKind::Star(_)) {
            return Ok(items.remove(0));
        }
        self.sequence(start, items)
    }

    fn mapping(&mut self) -> Parse<PatternKind> {
        self.advance();
        let (mut entries, mut rest) = (Vec::new(), None);
        while !self.at("}") {
            if self.eat("**") {
                rest = Some(self.identifier("a name")?);
                self.eat(",");
                break;
            }
            let start = self.position;
            let key = match self.closed_pattern()? {
                Pattern { kind: PatternKind::Value(key), .. } => key,
                Pattern { kind: PatternKind::Singleton(value), span } => expr(ExprKind::Const(value), span),
                _ => {
                    let span = self.span_from(start);
                    let message = "a key in a pattern is a literal or a dotted name";
                    return Err(self.report(Diagnostic::error("W0110", span, message)));
                }
            };
            self.expect(":")?;
            entries.push((key, self.pattern()?));
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(PatternKind::Mapping { entries, rest })
    }
}
