//! What leaves the instance: action calls and their policies, spreads, fragments.

use super::expressions::expr;
use super::{Parse, Parser};
use crate::text::lexer::TokenKind;
use crate::text::literal::{self, Text};
use crate::{ActionCall, Arg, CallTarget, Diagnostic, Expr, ExprKind, Fragment, Policy, Span, Spread, Value};

/// The keys a policy may have, and whether their values are durations.
pub(in crate::text) const POLICY_KEYS: [(&str, bool); 11] = [
    ("retry", false),
    ("backoff", true),
    ("factor", false),
    ("max_delay", true),
    ("jitter", false),
    ("on", false),
    ("timeouts", false),
    ("timeout", true),
    ("grace", true),
    ("queue", false),
    ("transaction", false),
];

fn waited_for(call: Box<ActionCall>, span: Span) -> Expr {
    expr(ExprKind::Await(Box::new(expr(ExprKind::Action(call), span))), span)
}

impl Parser<'_> {
    /// `@name(args) [policy]`, which waits.
    pub(super) fn action(&mut self) -> Parse<Expr> {
        let start = self.position;
        let call = self.action_call()?;
        Ok(waited_for(call, self.span_from(start)))
    }

    /// `async @name(args) [policy]`, which does not.
    pub(super) fn unawaited_action(&mut self) -> Parse<Expr> {
        let start = self.position;
        self.advance();
        let call = self.action_call()?;
        Ok(expr(ExprKind::Action(call), self.span_from(start)))
    }

    /// In parts: while arguments are read, which have calls in them, what comes before and after them takes no stack.
    fn action_call(&mut self) -> Parse<Box<ActionCall>> {
        let target = self.action_target()?;
        let args = self.arguments()?;
        self.with_policies(target, args)
    }

    fn action_target(&mut self) -> Parse<CallTarget> {
        self.advance();
        let here = self.position;
        let is_workflow = self.at_word("workflow")
            && matches!(self.token_at(here + 1).kind, TokenKind::Name | TokenKind::String)
            && !self.is_joined(here + 1);
        if is_workflow {
            self.advance();
        }
        let name = self.path(if is_workflow { "a workflow's name" } else { "an action's name" })?;
        if !self.at("(") {
            let span = self.token_at(self.position).span;
            return Err(self.report(
                Diagnostic::error("W0110", span, format!("`@{name}` is not called")).label("expected `(`").help(
                    "`@` calls an action: write its arguments in parentheses; decorators are not part of the text form",
                ),
            ));
        }
        Ok(if is_workflow { CallTarget::Workflow(name) } else { CallTarget::Action(name) })
    }

    fn with_policies(&mut self, target: CallTarget, args: Vec<Arg>) -> Parse<Box<ActionCall>> {
        let mut call = Box::new(ActionCall { target, args, policy: Policy::default() });
        while self.at("[") {
            self.policies(&mut call.policy)?;
        }
        Ok(call)
    }

    /// `a.b:c` without spaces, or any name in quotes.
    pub(super) fn path(&mut self, what: &str) -> Parse<String> {
        if self.kind() == TokenKind::String {
            return self.text_literal();
        }
        if self.kind() != TokenKind::Name {
            return Err(self.expected(what));
        }
        let start = self.advance().start;
        while (self.at(".") || self.at(":"))
            && self.is_joined(self.position)
            && self.is_kind(self.position + 1, TokenKind::Name)
            && self.is_joined(self.position + 1)
        {
            self.advance();
            self.advance();
        }
        Ok(self.source[start..self.token_at(self.position - 1).end].to_string())
    }

    /// One or more adjacent plain string literals.
    pub(super) fn text_literal(&mut self) -> Parse<String> {
        if self.kind() != TokenKind::String {
            return Err(self.expected("a string"));
        }
        let mut text = String::new();
        while self.kind() == TokenKind::String {
            let span = self.token_at(self.position).span;
            match literal::string(self.text_at(self.position)) {
                Ok(Text::Str(more)) => text.push_str(&more),
                Ok(Text::Bytes(_)) => return Err(self.expected("a string that is not bytes")),
                Err(refused) => return Err(self.refused(span, refused)),
            }
            self.advance();
        }
        Ok(text)
    }

    // -------------------------------------------------------------------------------------------------- policies

    fn policies(&mut self, policy: &mut Policy) -> Parse<()> {
        self.expect("[")?;
        while !self.at("]") {
            self.policy(policy)?;
            if !self.eat(",") {
                break;
            }
        }
        self.expect("]")
    }

    fn policy(&mut self, policy: &mut Policy) -> Parse<()> {
        let token = self.token_at(self.position);
        let key = self.text_at(self.position);
        let known = POLICY_KEYS.into_iter().find(|(known, _)| *known == key && token.kind == TokenKind::Name);
        let Some((_, is_duration)) = known else {
            if token.kind == TokenKind::Invalid {
                return Err(super::Failed);
            }
            let keys = POLICY_KEYS.map(|(known, _)| format!("`{known}`")).join(", ");
            let message = format!("an action's policy has no `{key}`");
            let help = format!("the keys are {keys}; to index the result write `(@action(…))[…]`");
            return Err(self.report(Diagnostic::error("W0113", token.span, message).label("unknown key").help(help)));
        };
        self.advance();
        self.expect(":")?;
        let value = if is_duration { self.duration()? } else { self.expression()? };
        let slot = match key {
            "retry" => &mut policy.attempts,
            "backoff" => &mut policy.backoff,
            "factor" => &mut policy.factor,
            "max_delay" => &mut policy.max_delay,
            "jitter" => &mut policy.jitter,
            "on" => &mut policy.retry_on,
            "timeouts" => &mut policy.retry_timeouts,
            "timeout" => &mut policy.timeout,
            "grace" => &mut policy.grace,
            "queue" => &mut policy.queue,
            _ => &mut policy.transaction,
        };
        if slot.replace(value).is_some() {
            let message = format!("`{key}` stands twice in this policy");
            return Err(self.report(Diagnostic::error("W0113", token.span, message)));
        }
        Ok(())
    }

    fn duration(&mut self) -> Parse<Expr> {
        let token = self.token_at(self.position);
        let alone = self.is_operator(self.position + 1, ",") || self.is_operator(self.position + 1, "]");
        if token.kind == TokenKind::Number && alone {
            match literal::duration(self.text_at(self.position)) {
                Some(Ok(value)) => {
                    self.advance();
                    return Ok(expr(ExprKind::Const(value), token.span));
                }
                Some(Err(refused)) => return Err(self.refused(token.span, refused)),
                None => {}
            }
        }
        self.expression()
    }

    // ---------------------------------------------------------------------------------------- spread and fragment

    pub(super) fn at_spread(&self) -> bool {
        self.spreads.get(self.position).copied().unwrap_or(false)
    }

    /// `spread items:item -> body`
    pub(super) fn spread(&mut self) -> Parse<Expr> {
        self.enter()?;
        let start = self.position;
        self.advance();
        let return_exceptions = self.spread_option()?;
        let items = self.expression()?;
        self.expect(":")?;
        let variable = self.target_list()?;
        self.expect("->")?;
        let body_start = self.position;
        let body = if self.at("@") {
            let call = self.action_call()?;
            expr(ExprKind::Action(call), self.span_from(body_start))
        } else if self.at_spread() {
            self.spread()?
        } else {
            self.expression()?
        };
        self.depth -= 1;
        let spread = Spread { items, variable, body, return_exceptions };
        Ok(expr(ExprKind::Spread(Box::new(spread)), self.span_from(start)))
    }

    fn spread_option(&mut self) -> Parse<bool> {
        let here = self.position;
        let close = self.closers.get(here).copied().unwrap_or(usize::MAX);
        let is_option = self.at("(")
            && self.is_word(here + 1, "return_exceptions")
            && self.is_operator(here + 2, "=")
            && close == here + 4
            && !self.is_operator(close + 1, ":");
        if !is_option {
            return Ok(false);
        }
        self.position += 3;
        let value = self.expression()?;
        self.expect(")")?;
        match value.kind {
            ExprKind::Const(Value::Bool(value)) => Ok(value),
            _ => {
                let message = "`return_exceptions` of a spread is True or False";
                Err(self.report(Diagnostic::error("W0110", value.span, message)))
            }
        }
    }

    /// `fragment "source" (name=value, …) -> [written, …]`
    pub(super) fn fragment(&mut self) -> Parse<Expr> {
        let start = self.position;
        self.advance();
        let source = self.text_literal()?;
        self.expect("(")?;
        let mut captures = Vec::new();
        while !self.at(")") {
            let name = self.identifier("a captured name")?;
            self.expect("=")?;
            captures.push((name, self.expression()?));
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        let mut writes = Vec::new();
        if self.at("->") && self.is_operator(self.position + 1, "[") {
            self.position += 2;
            while !self.at("]") {
                writes.push(self.identifier("a written name")?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("]")?;
        }
        let fragment = Fragment { source, captures, writes };
        Ok(expr(ExprKind::Fragment(Box::new(fragment)), self.span_from(start)))
    }
}
