//! Functions: `fn` and `def`, their parameters and outputs.

use super::{Parse, Parser};
use crate::text::lexer::TokenKind;
use crate::{Diagnostic, Function, FunctionKind, Origin, Param, ParamKind, Span};

impl Parser<'_> {
    /// From the name on; `start` is where the statement begins.
    pub(super) fn function(&mut self, start: usize, kind: FunctionKind) -> Parse<Function> {
        let name = self.identifier("the function's name")?;
        self.expect("(")?;
        let (params, outputs) = if self.at_named_part() {
            self.named_parts()?
        } else if kind == FunctionKind::Durable && self.is_word(start, "fn") && !self.at(")") {
            let span = self.token_at(self.position).span;
            return Err(self.report(
                Diagnostic::error("W0110", span, "expected `input:` or `output:`")
                    .help(format!("write `fn {name}(input: [a, b], output: [c]):`")),
            ));
        } else {
            (self.parameters(")")?, Vec::new())
        };
        self.expect(")")?;
        if self.at("->") {
            let span = self.token_at(self.position).span;
            return Err(self.unsupported(span, "annotations are", "leave the return type out"));
        }
        let origin = self.origin()?;
        let outer = std::mem::replace(&mut self.plain, kind == FunctionKind::Plain);
        let body = self.block();
        self.plain = outer;
        let body = body?;
        Ok(Function { name, kind, params, outputs, body, origin, span: self.span_from(start) })
    }

    /// `method "Base.step"`, or `static "Base.helper"`.
    fn origin(&mut self) -> Parse<Option<Origin>> {
        let is_method = self.at_word("method");
        if !is_method && !self.at_word("static") {
            return Ok(None);
        }
        self.advance();
        Ok(Some(Origin { qualified: self.text_literal()?, is_method }))
    }

    /// `input: […]` or `output: […]`, which would be an annotation anywhere else.
    fn at_named_part(&self) -> bool {
        (self.at_word("input") || self.at_word("output"))
            && self.is_operator(self.position + 1, ":")
            && self.is_operator(self.position + 2, "[")
    }

    fn named_parts(&mut self) -> Parse<(Vec<Param>, Vec<String>)> {
        let (mut params, mut outputs) = (Vec::new(), Vec::new());
        if self.at_word("input") {
            self.position += 3;
            params = self.parameters("]")?;
            self.expect("]")?;
            if !self.at(")") {
                self.expect(",")?;
            }
        }
        if self.at_word("output") && self.at_named_part() {
            self.position += 3;
            while !self.at("]") {
                outputs.push(self.identifier("an output's name")?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("]")?;
            self.eat(",");
        }
        Ok((params, outputs))
    }

    /// A parameter list, up to but without the token that closes it.
    pub(super) fn parameters(&mut self, close: &str) -> Parse<Vec<Param>> {
        let mut params: Vec<Param> = Vec::new();
        let mut kind = ParamKind::Positional;
        let mut star: Option<Span> = None;
        while !self.at(close) {
            let start = self.position;
            if self.eat("/") {
                if kind != ParamKind::Positional || params.is_empty() || params[0].kind == ParamKind::PositionalOnly {
                    return Err(self.bad_parameter(start, "`/` does not belong here"));
                }
                params.iter_mut().for_each(|param| param.kind = ParamKind::PositionalOnly);
            } else if self.eat("**") {
                let name = self.identifier("a parameter's name")?;
                self.parameter(&mut params, start, name, ParamKind::Options, close)?;
                self.eat(",");
                break;
            } else if self.eat("*") {
                if kind != ParamKind::Positional {
                    return Err(self.bad_parameter(start, "a second `*`"));
                }
                kind = ParamKind::KeywordOnly;
                if self.at(",") {
                    star = Some(self.last);
                } else {
                    let name = self.identifier("a parameter's name")?;
                    self.parameter(&mut params, start, name, ParamKind::Rest, close)?;
                }
            } else {
                let name = self.identifier("a parameter's name")?;
                self.parameter(&mut params, start, name, kind, close)?;
                star = None;
            }
            if !self.eat(",") {
                break;
            }
        }
        if let Some(span) = star {
            return Err(self.report(Diagnostic::error("W0118", span, "no parameter follows the `*`")));
        }
        if !self.at(close) {
            return Err(self.expected(&format!("`,` or `{close}`")));
        }
        Ok(params)
    }

    fn parameter(
        &mut self,
        params: &mut Vec<Param>,
        start: usize,
        name: String,
        kind: ParamKind,
        close: &str,
    ) -> Parse<()> {
        if self.at(":") && close != ":" {
            let span = self.token_at(self.position).span;
            return Err(self.unsupported(span, "annotations are", "leave the parameter's type out"));
        }
        if params.iter().any(|param| param.name == name) {
            return Err(self.bad_parameter(start, &format!("the parameter `{name}` stands twice")));
        }
        let takes_default = !matches!(kind, ParamKind::Rest | ParamKind::Options);
        let default = if takes_default && self.eat("=") { Some(self.expression()?) } else { None };
        let needs_default = kind == ParamKind::Positional && params.last().is_some_and(|last| last.default.is_some());
        if needs_default && default.is_none() {
            return Err(self.bad_parameter(start, "a parameter without a default after one with a default"));
        }
        params.push(Param { name, kind, default, span: self.span_from(start) });
        Ok(())
    }

    fn bad_parameter(&mut self, start: usize, message: &str) -> super::Failed {
        let span = self.span_from(start);
        self.report(Diagnostic::error("W0118", span, message))
    }

    /// Reports what only durable functions may do.
    pub(super) fn refuse_waiting(&mut self, span: Span, what: &str) {
        if self.plain {
            self.report(
                Diagnostic::error("W0120", span, format!("{what} outside a durable function"))
                    .label("waits")
                    .help("make the function around it `async def` (or `fn`)"),
            );
        }
    }

    /// `:` and a block: indented lines, or simple statements on the same line.
    pub(super) fn block(&mut self) -> Parse<crate::Block> {
        self.expect(":")?;
        if self.kind() != TokenKind::Newline {
            let mut body = Vec::new();
            self.simple_statements(&mut body)?;
            return Ok(body);
        }
        self.advance();
        if self.kind() != TokenKind::Indent {
            let span = self.token_at(self.position).span;
            return Err(self.report(
                Diagnostic::error("W0105", span, "expected an indented block")
                    .label("not indented")
                    .help("indent the block, or write `pass` if it is empty"),
            ));
        }
        self.enter()?;
        self.advance();
        let reported = self.diagnostics.len();
        let body = self.statements();
        self.depth -= 1;
        if body.is_empty() && self.diagnostics.len() == reported && !self.lexed_badly {
            let span = self.last;
            return Err(self.report(Diagnostic::error("W0105", span, "this block is empty").help("write `pass`")));
        }
        Ok(body)
    }
}
