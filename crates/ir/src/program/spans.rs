//! Forgetting where a program came from, so that two programs compare by what they mean.

use super::*;

/// Sets every span to [`Span::NOWHERE`] and drops the sources that they point into.
pub fn strip_spans(program: &mut Program) {
    program.sources.clear();
    for descriptor in &mut program.types {
        descriptor.span = Span::NOWHERE;
    }
    program.functions.iter_mut().for_each(function);
}

/// The same for one expression.
pub fn strip_expression_spans(target: &mut Expr) {
    expr(target);
}

fn function(target: &mut Function) {
    target.span = Span::NOWHERE;
    for param in &mut target.params {
        param.span = Span::NOWHERE;
        optional(&mut param.default);
    }
    block(&mut target.body);
}

fn block(target: &mut Block) {
    target.iter_mut().for_each(statement);
}

fn statement(target: &mut Stmt) {
    target.span = Span::NOWHERE;
    match &mut target.kind {
        StmtKind::Expr(value) => expr(value),
        StmtKind::Assign { targets, value } => {
            exprs(targets);
            expr(value);
        }
        StmtKind::AugAssign { target, value, .. } => {
            expr(target);
            expr(value);
        }
        StmtKind::Delete(targets) => exprs(targets),
        StmtKind::If { test, body, orelse } | StmtKind::While { test, body, orelse } => {
            expr(test);
            block(body);
            block(orelse);
        }
        StmtKind::For { target, iter, body, orelse, .. } => {
            expr(target);
            expr(iter);
            block(body);
            block(orelse);
        }
        StmtKind::Try { body, handlers, orelse, finally } => {
            block(body);
            for handler in handlers {
                handler.span = Span::NOWHERE;
                optional(&mut handler.exception);
                block(&mut handler.body);
            }
            block(orelse);
            block(finally);
        }
        StmtKind::With { items, body, .. } => {
            for item in items {
                expr(&mut item.context);
                optional(&mut item.target);
            }
            block(body);
        }
        StmtKind::Match { subject, cases } => {
            expr(subject);
            for case in cases {
                case.span = Span::NOWHERE;
                pattern(&mut case.pattern);
                optional(&mut case.guard);
                block(&mut case.body);
            }
        }
        StmtKind::Return(value) => optional(value),
        StmtKind::Raise { exception, cause } => {
            optional(exception);
            optional(cause);
        }
        StmtKind::Assert { test, message } => {
            expr(test);
            optional(message);
        }
        StmtKind::Def(nested) => function(nested),
        StmtKind::Break | StmtKind::Continue | StmtKind::Pass | StmtKind::Nonlocal(_) => {}
    }
}

fn pattern(target: &mut Pattern) {
    target.span = Span::NOWHERE;
    match &mut target.kind {
        PatternKind::Value(value) => expr(value),
        PatternKind::Sequence(items) | PatternKind::Or(items) => items.iter_mut().for_each(pattern),
        PatternKind::Mapping { entries, .. } => {
            for (key, value) in entries {
                expr(key);
                pattern(value);
            }
        }
        PatternKind::Class { class, positional, keyword } => {
            expr(class);
            positional.iter_mut().for_each(pattern);
            keyword.iter_mut().for_each(|(_, item)| pattern(item));
        }
        PatternKind::As { pattern: inner, .. } => pattern(inner),
        PatternKind::Wildcard | PatternKind::Capture(_) | PatternKind::Singleton(_) | PatternKind::Star(_) => {}
    }
}

fn exprs(targets: &mut [Expr]) {
    targets.iter_mut().for_each(expr);
}

fn optional(target: &mut Option<Expr>) {
    if let Some(target) = target {
        expr(target);
    }
}

fn expr(target: &mut Expr) {
    target.span = Span::NOWHERE;
    match &mut target.kind {
        ExprKind::Const(_) | ExprKind::Name(_) => {}
        ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) => exprs(items),
        ExprKind::Dict(items) => {
            for item in items {
                match item {
                    DictItem::Entry(key, value) => {
                        expr(key);
                        expr(value);
                    }
                    DictItem::Merge(value) => expr(value),
                }
            }
        }
        ExprKind::Starred(inner) | ExprKind::Await(inner) => expr(inner),
        ExprKind::Unary { operand: inner, .. }
        | ExprKind::Walrus { value: inner, .. }
        | ExprKind::Attribute { base: inner, .. } => expr(inner),
        ExprKind::Binary { left, right, .. } | ExprKind::Index { base: left, index: right } => {
            expr(left);
            expr(right);
        }
        ExprKind::Bool { operands, .. } => exprs(operands),
        ExprKind::Compare { left, rest } => {
            expr(left);
            rest.iter_mut().for_each(|(_, right)| expr(right));
        }
        ExprKind::Conditional { test, then, orelse } => {
            expr(test);
            expr(then);
            expr(orelse);
        }
        ExprKind::Slice { lower, upper, step } => {
            for part in [lower, upper, step].into_iter().flatten() {
                expr(part);
            }
        }
        ExprKind::Call { callee, args: list } => {
            expr(callee);
            args(list);
        }
        ExprKind::Lambda(nested) => function(nested),
        ExprKind::Comprehension(inner) => comprehension(inner),
        ExprKind::Format(parts) => format_parts(parts),
        ExprKind::YieldFrom(items) => expr(items),
        ExprKind::Yield(value) => {
            if let Some(value) = value {
                expr(value);
            }
        }
        ExprKind::Action(call) => action(call),
        ExprKind::Spread(spread) => {
            expr(&mut spread.items);
            expr(&mut spread.variable);
            expr(&mut spread.body);
        }
        ExprKind::Fragment(fragment) => fragment.captures.iter_mut().for_each(|(_, value)| expr(value)),
    }
}

fn args(list: &mut [Arg]) {
    for arg in list {
        match arg {
            Arg::Positional(value) | Arg::Keyword(_, value) | Arg::Rest(value) | Arg::Options(value) => expr(value),
        }
    }
}

fn action(call: &mut ActionCall) {
    args(&mut call.args);
    let Policy {
        attempts,
        retry_on,
        retry_timeouts,
        backoff,
        factor,
        max_delay,
        jitter,
        timeout,
        grace,
        queue,
        transaction,
    } = &mut call.policy;
    let tries = [attempts, retry_on, retry_timeouts, backoff, factor, max_delay, jitter];
    for value in tries.into_iter().chain([timeout, grace, queue, transaction]) {
        optional(value);
    }
}

fn comprehension(target: &mut Comprehension) {
    match &mut target.kind {
        ComprehensionKind::List(element) | ComprehensionKind::Set(element) | ComprehensionKind::Generator(element) => {
            expr(element);
        }
        ComprehensionKind::Dict(key, value) => {
            expr(key);
            expr(value);
        }
    }
    for clause in &mut target.clauses {
        expr(&mut clause.target);
        expr(&mut clause.iter);
        exprs(&mut clause.conditions);
    }
}

fn format_parts(parts: &mut [FormatPart]) {
    for part in parts {
        if let FormatPart::Field { value, spec, .. } = part {
            expr(value);
            format_parts(spec);
        }
    }
}
