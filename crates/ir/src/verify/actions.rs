//! What leaves the instance: action names, policies whose values are known, fragments.

use super::codes;
use crate::visit::{self, Part};
use crate::*;
use num_traits::ToPrimitive;
use std::collections::HashSet;

pub(super) fn check(function: &Function, problems: &mut Vec<Diagnostic>) {
    let mut look = |part: &Part<'_>| match part {
        Part::Expr(Expr { kind: ExprKind::Action(call), span }) => action(call, *span, problems),
        Part::Expr(Expr { kind: ExprKind::Fragment(of), span }) => fragment(of, *span, problems),
        _ => {}
    };
    visit::each_part(Part::Block(&function.body), &mut look);
}

fn action(call: &ActionCall, span: Span, problems: &mut Vec<Diagnostic>) {
    let (CallTarget::Action(name) | CallTarget::Workflow(name)) = &call.target;
    if name.trim().is_empty() {
        let problem = Diagnostic::error(codes::EMPTY_ACTION_NAME, span, "the action has no name");
        problems.push(problem.help("name it by its import path, e.g. `app.billing:charge`"));
    }
    if matches!(call.target, CallTarget::Workflow(_)) && call.policy.transaction.is_some() {
        let problem = Diagnostic::error(codes::BAD_POLICY, span, "a child workflow is no transaction");
        problems.push(problem.help("leave `transaction` out; actions of the child may be transactions"));
        return;
    }
    for (setting, value) in call.policy.entries() {
        let Some(value) = value else { continue };
        let known = constant(value);
        if known.is_none() && setting == "transaction" {
            let problem = Diagnostic::error(codes::BAD_POLICY, span, "`transaction` must be True or False");
            problems.push(
                problem.help("write it as a constant: whether an action is a transaction is known before it runs"),
            );
        }
        let Some(constant) = known else { continue };
        if let Some(expected) = refused(setting, &constant) {
            let at = if value.span.is_nowhere() { span } else { value.span };
            let problem = Diagnostic::error(codes::BAD_POLICY, at, format!("`{setting}` must be {expected}"));
            problems.push(problem.help(format!("write {expected}, or leave `{setting}` out for the default")));
        }
    }
}

enum Constant<'a> {
    Number { value: f64, whole: bool },
    Other(&'a Value),
}

fn constant(expr: &Expr) -> Option<Constant<'_>> {
    let number = |value: f64, whole: bool| Some(Constant::Number { value, whole });
    match &expr.kind {
        ExprKind::Const(Value::Int(value)) => number(*value as f64, true),
        ExprKind::Const(Value::BigInt(value)) => number(value.to_f64().unwrap_or(f64::INFINITY), true),
        ExprKind::Const(Value::Float(value)) => number(*value, false),
        ExprKind::Const(Value::Delta(delta)) => number(delta.microseconds as f64 / 1e6, false),
        ExprKind::Const(value) => Some(Constant::Other(value)),
        ExprKind::Unary { op: UnaryOp::Negative, operand } => match constant(operand)? {
            Constant::Number { value, whole } => number(-value, whole),
            Constant::Other(_) => None,
        },
        _ => None,
    }
}

/// What the setting should be, where the constant is not. `None` is allowed everywhere: it means the default.
fn refused(setting: &str, constant: &Constant<'_>) -> Option<&'static str> {
    if matches!(constant, Constant::Other(Value::None)) {
        return None;
    }
    let (fits, expected) = match (setting, constant) {
        ("retry", Constant::Number { value, whole }) => (*whole && *value >= 1.0, "a whole number, at least 1"),
        ("retry", _) => (false, "a whole number, at least 1"),
        ("jitter", Constant::Number { value, .. }) => ((0.0..=1.0).contains(value), "a number from 0 to 1"),
        ("jitter", _) => (false, "a number from 0 to 1"),
        ("queue", Constant::Other(Value::Str(name))) => (!name.is_empty(), "the name of a queue, a string"),
        ("queue", _) => (false, "the name of a queue, a string"),
        ("timeouts" | "transaction", Constant::Other(Value::Bool(_))) => (true, ""),
        ("timeouts" | "transaction", _) => (false, "True or False"),
        ("on", _) => (false, "an exception class or a tuple of classes"),
        ("factor", Constant::Number { value, .. }) => (*value > 0.0 && value.is_finite(), "a number above 0"),
        ("factor", _) => (false, "a number above 0"),
        (_, Constant::Number { value, .. }) => (*value >= 0.0, "a number of seconds, not negative"),
        _ => (false, "a number of seconds, not negative"),
    };
    (!fits).then_some(expected)
}

fn fragment(fragment: &Fragment, span: Span, problems: &mut Vec<Diagnostic>) {
    let mut report = |message: String, help: &str| {
        problems.push(Diagnostic::error(codes::BAD_FRAGMENT, span, message).help(help));
    };
    let mut seen = HashSet::new();
    for (name, _) in &fragment.captures {
        if !is_identifier(name) {
            report(format!("the fragment captures `{name}`, which is not an identifier"), "use a plain name");
        }
        if !seen.insert(name) {
            report(format!("the fragment captures `{name}` twice"), "give each captured value a name of its own");
        }
    }
    for name in fragment.writes.iter().filter(|name| !is_identifier(name)) {
        report(format!("the fragment writes `{name}`, which is not an identifier"), "write to plain variables only");
    }
}

fn is_identifier(name: &str) -> bool {
    let mut characters = name.chars();
    let first = characters.next().is_some_and(|first| first == '_' || first.is_alphabetic());
    first && characters.all(|character| character == '_' || character.is_alphanumeric())
}
