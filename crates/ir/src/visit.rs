//! Walking the tree: the children of a node, in the order in which they are evaluated.

use crate::program::*;

/// The expressions directly inside an expression. The bodies of lambdas are not entered; their defaults are.
pub fn children<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    match &expr.kind {
        ExprKind::Const(_) | ExprKind::Name(_) => {}
        ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) => items.iter().for_each(visit),
        ExprKind::Bool { operands, .. } => operands.iter().for_each(visit),
        ExprKind::Dict(items) => {
            for item in items {
                match item {
                    DictItem::Entry(key, value) => {
                        visit(key);
                        visit(value);
                    }
                    DictItem::Merge(mapping) => visit(mapping),
                }
            }
        }
        ExprKind::Starred(inner) | ExprKind::Await(inner) => visit(inner),
        ExprKind::Unary { operand, .. } => visit(operand),
        ExprKind::Binary { left, right, .. } => {
            visit(left);
            visit(right);
        }
        ExprKind::Compare { left, rest } => {
            visit(left);
            rest.iter().for_each(|(_, right)| visit(right));
        }
        ExprKind::Conditional { test, then, orelse } => {
            visit(test);
            visit(then);
            visit(orelse);
        }
        ExprKind::Walrus { value, .. } => visit(value),
        ExprKind::Attribute { base, .. } => visit(base),
        ExprKind::Index { base, index } => {
            visit(base);
            visit(index);
        }
        ExprKind::Slice { lower, upper, step } => {
            [lower, upper, step].into_iter().flatten().for_each(|part| visit(part));
        }
        ExprKind::Call { callee, args } => {
            visit(callee);
            arguments(args, visit);
        }
        ExprKind::Lambda(function) => defaults(function, visit),
        ExprKind::Comprehension(comprehension) => {
            for clause in &comprehension.clauses {
                visit(&clause.iter);
                visit(&clause.target);
                clause.conditions.iter().for_each(&mut *visit);
            }
            match &comprehension.kind {
                ComprehensionKind::List(element)
                | ComprehensionKind::Set(element)
                | ComprehensionKind::Generator(element) => visit(element),
                ComprehensionKind::Dict(key, value) => {
                    visit(key);
                    visit(value);
                }
            }
        }
        ExprKind::Format(parts) => format_parts(parts, visit),
        ExprKind::Yield(value) => value.iter().for_each(|value| visit(value)),
        ExprKind::Action(call) => {
            arguments(&call.args, visit);
            policy(&call.policy).for_each(visit);
        }
        ExprKind::Spread(spread) => {
            visit(&spread.items);
            visit(&spread.variable);
            visit(&spread.body);
        }
        ExprKind::Fragment(fragment) => fragment.captures.iter().for_each(|(_, value)| visit(value)),
    }
}

pub fn arguments<'a>(args: &'a [Arg], visit: &mut dyn FnMut(&'a Expr)) {
    for arg in args {
        match arg {
            Arg::Positional(value) | Arg::Keyword(_, value) | Arg::Rest(value) | Arg::Options(value) => visit(value),
        }
    }
}

fn format_parts<'a>(parts: &'a [FormatPart], visit: &mut dyn FnMut(&'a Expr)) {
    for part in parts {
        if let FormatPart::Field { value, spec, .. } = part {
            visit(value);
            format_parts(spec, visit);
        }
    }
}

/// The expressions of a policy that are there.
pub fn policy(policy: &Policy) -> impl Iterator<Item = &Expr> {
    let Policy { attempts, retry_on, retry_timeouts, backoff, factor, max_delay, jitter, timeout, grace, queue } =
        policy;
    [attempts, retry_on, retry_timeouts, backoff, factor, max_delay, jitter, timeout, grace, queue]
        .into_iter()
        .flatten()
}

pub fn defaults<'a>(function: &'a Function, visit: &mut dyn FnMut(&'a Expr)) {
    function.params.iter().filter_map(|param| param.default.as_ref()).for_each(visit);
}

/// The expressions directly inside a statement, those in its blocks excluded.
pub fn expressions<'a>(stmt: &'a Stmt, visit: &mut dyn FnMut(&'a Expr)) {
    match &stmt.kind {
        StmtKind::Expr(value) => visit(value),
        StmtKind::Assign { targets, value } => {
            visit(value);
            targets.iter().for_each(visit);
        }
        StmtKind::AugAssign { target, value, .. } => {
            visit(target);
            visit(value);
        }
        StmtKind::Delete(targets) => targets.iter().for_each(visit),
        StmtKind::If { test, .. } | StmtKind::While { test, .. } => visit(test),
        StmtKind::For { target, iter, .. } => {
            visit(iter);
            visit(target);
        }
        StmtKind::Try { handlers, .. } => handlers.iter().filter_map(|h| h.exception.as_ref()).for_each(visit),
        StmtKind::With { items, .. } => {
            for item in items {
                visit(&item.context);
                item.target.iter().for_each(&mut *visit);
            }
        }
        StmtKind::Match { subject, cases } => {
            visit(subject);
            for case in cases {
                pattern_expressions(&case.pattern, visit);
                case.guard.iter().for_each(&mut *visit);
            }
        }
        StmtKind::Return(value) => value.iter().for_each(visit),
        StmtKind::Raise { exception, cause } => exception.iter().chain(cause).for_each(visit),
        StmtKind::Assert { test, message } => {
            visit(test);
            message.iter().for_each(visit);
        }
        StmtKind::Def(function) => defaults(function, visit),
        StmtKind::Break | StmtKind::Continue | StmtKind::Pass | StmtKind::Nonlocal(_) => {}
    }
}

fn pattern_expressions<'a>(pattern: &'a Pattern, visit: &mut dyn FnMut(&'a Expr)) {
    match &pattern.kind {
        PatternKind::Wildcard | PatternKind::Capture(_) | PatternKind::Singleton(_) | PatternKind::Star(_) => {}
        PatternKind::Value(value) => visit(value),
        PatternKind::Sequence(items) | PatternKind::Or(items) => {
            items.iter().for_each(|item| pattern_expressions(item, visit));
        }
        PatternKind::Mapping { entries, .. } => {
            for (key, value) in entries {
                visit(key);
                pattern_expressions(value, visit);
            }
        }
        PatternKind::Class { class, positional, keyword } => {
            visit(class);
            positional.iter().for_each(|item| pattern_expressions(item, visit));
            keyword.iter().for_each(|(_, item)| pattern_expressions(item, visit));
        }
        PatternKind::As { pattern, .. } => pattern_expressions(pattern, visit),
    }
}

/// The names that a pattern binds, in order.
pub fn pattern_names<'a>(pattern: &'a Pattern, visit: &mut dyn FnMut(&'a str)) {
    match &pattern.kind {
        PatternKind::Wildcard | PatternKind::Value(_) | PatternKind::Singleton(_) | PatternKind::Star(None) => {}
        PatternKind::Capture(name) | PatternKind::Star(Some(name)) => visit(name),
        PatternKind::Sequence(items) => items.iter().for_each(|item| pattern_names(item, visit)),
        // All alternatives bind the same names.
        PatternKind::Or(items) => items.iter().take(1).for_each(|item| pattern_names(item, visit)),
        PatternKind::Mapping { entries, rest } => {
            entries.iter().for_each(|(_, item)| pattern_names(item, visit));
            rest.iter().for_each(|name| visit(name));
        }
        PatternKind::Class { positional, keyword, .. } => {
            positional.iter().for_each(|item| pattern_names(item, visit));
            keyword.iter().for_each(|(_, item)| pattern_names(item, visit));
        }
        PatternKind::As { pattern, name } => {
            pattern_names(pattern, visit);
            visit(name);
        }
    }
}

/// The blocks directly inside a statement, in source order. The body of a nested function is not one of them.
pub fn blocks<'a>(stmt: &'a Stmt, visit: &mut dyn FnMut(&'a Block)) {
    match &stmt.kind {
        StmtKind::If { body, orelse, .. }
        | StmtKind::While { body, orelse, .. }
        | StmtKind::For { body, orelse, .. } => {
            visit(body);
            visit(orelse);
        }
        StmtKind::Try { body, handlers, orelse, finally } => {
            visit(body);
            handlers.iter().for_each(|handler| visit(&handler.body));
            visit(orelse);
            visit(finally);
        }
        StmtKind::With { body, .. } => visit(body),
        StmtKind::Match { cases, .. } => cases.iter().for_each(|case| visit(&case.body)),
        _ => {}
    }
}

/// The names that a target binds.
pub fn target_names<'a>(target: &'a Expr, visit: &mut dyn FnMut(&'a str)) {
    match &target.kind {
        ExprKind::Name(name) => visit(name),
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|item| target_names(item, visit)),
        ExprKind::Starred(inner) => target_names(inner, visit),
        _ => {}
    }
}
