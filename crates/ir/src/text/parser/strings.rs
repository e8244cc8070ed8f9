//! String literals: neighbours join, and f-strings become their parts.

use super::expressions::expr;
use super::{Parse, Parser};
use crate::text::lexer::TokenKind;
use crate::text::literal::{self, Text};
use crate::{Conversion, Diagnostic, Expr, ExprKind, FormatPart, Value};

impl Parser<'_> {
    /// One or more adjacent string literals.
    pub(super) fn strings(&mut self) -> Parse<Expr> {
        let start = self.position;
        let mut parts: Vec<FormatPart> = Vec::new();
        let mut bytes: Option<Vec<u8>> = None;
        let (mut has_text, mut has_format) = (false, false);
        loop {
            let here = self.token_at(self.position);
            match here.kind {
                TokenKind::String => match literal::string(self.text_at(self.position)) {
                    Ok(Text::Str(text)) => {
                        has_text = true;
                        push_text(&mut parts, text);
                        self.advance();
                    }
                    Ok(Text::Bytes(more)) => {
                        bytes.get_or_insert_default().extend(more);
                        self.advance();
                    }
                    Err(refused) => return Err(self.refused(here.span, refused)),
                },
                TokenKind::FormatStart => {
                    has_format = true;
                    self.advance();
                    self.format_parts(&mut parts)?;
                    if self.kind() != TokenKind::FormatEnd {
                        return Err(self.expected("the end of the f-string"));
                    }
                    self.advance();
                }
                _ => break,
            }
        }
        let span = self.span_from(start);
        let kind = match bytes {
            Some(_) if has_text || has_format => {
                return Err(self.report(Diagnostic::error("W0110", span, "text and bytes cannot be joined")));
            }
            Some(bytes) => ExprKind::Const(Value::Bytes(bytes)),
            None if has_format => ExprKind::Format(parts),
            None => ExprKind::Const(Value::Str(match parts.pop() {
                Some(FormatPart::Text(text)) => text,
                _ => String::new(),
            })),
        };
        Ok(expr(kind, span))
    }

    /// Text and fields, up to what ends them: the end of the string, or of the field whose format spec this is.
    fn format_parts(&mut self, parts: &mut Vec<FormatPart>) -> Parse<()> {
        self.enter()?;
        loop {
            let token = self.token_at(self.position);
            match token.kind {
                TokenKind::FormatText { raw, spec } => {
                    match literal::format_text(self.text_at(self.position), raw, spec) {
                        Ok(text) => push_text(parts, text),
                        Err(refused) => return Err(self.refused(token.span, refused)),
                    }
                    self.advance();
                }
                TokenKind::Op("{") => self.format_field(parts)?,
                _ => break,
            }
        }
        self.depth -= 1;
        Ok(())
    }

    fn format_field(&mut self, parts: &mut Vec<FormatPart>) -> Parse<()> {
        let open = self.advance();
        if self.at("}") {
            let span = open.span.to(self.token_at(self.position).span);
            return Err(self.report(Diagnostic::error("W0116", span, "an f-string field is empty")));
        }
        let value = self.right_hand_side()?;
        let shows_source = self.eat("=");
        if shows_source {
            let source = &self.source[open.end..self.token_at(self.position).start];
            push_text(parts, source.to_string());
        }
        let mut conversion = None;
        if self.eat("!") {
            conversion = Some(match self.text_at(self.position) {
                "s" => Conversion::Str,
                "r" => Conversion::Repr,
                "a" => Conversion::Ascii,
                _ => return Err(self.expected("`s`, `r` or `a`")),
            });
            self.advance();
        }
        let mut spec = Vec::new();
        let has_spec = self.eat(":");
        if has_spec {
            self.format_parts(&mut spec)?;
        }
        if shows_source && conversion.is_none() && !has_spec {
            conversion = Some(Conversion::Repr);
        }
        self.expect("}")?;
        parts.push(FormatPart::Field { value, conversion, spec });
        Ok(())
    }
}

fn push_text(parts: &mut Vec<FormatPart>, text: String) {
    match parts.last_mut() {
        Some(FormatPart::Text(before)) => before.push_str(&text),
        _ if text.is_empty() => {}
        _ => parts.push(FormatPart::Text(text)),
    }
}
