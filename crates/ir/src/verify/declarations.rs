//! The program as a whole: its entry, functions and their parameters, types and their bases.

use super::{Names, codes, visit};
use crate::*;
use std::collections::{HashMap, HashSet};

pub(super) fn check(program: &Program, names: &dyn Names, problems: &mut Vec<Diagnostic>) {
    if program.semantics > SEMANTICS_LEVEL {
        let message = format!("the program needs semantics level {}, this is {SEMANTICS_LEVEL}", program.semantics);
        let newer = Diagnostic::error(codes::NEWER_SEMANTICS, Span::NOWHERE, message);
        problems.push(newer.help("it was written by a newer Waymark: upgrade this one"));
    }
    if program.function(&program.entry).is_none() {
        let message = format!("the entry function `{}` does not exist", program.entry);
        let help = "add it, or name another function as the entry";
        problems.push(Diagnostic::error(codes::NO_ENTRY, Span::NOWHERE, message).help(help));
    }
    functions(program, problems);
    types(program, names, problems);
    visit::each_function(program, &mut |function| params(function, problems));
    for function in &program.functions {
        let defaults = function.params.iter().filter_map(|param| param.default.as_ref());
        for default in defaults.filter(|default| !is_constant(default)) {
            let message = format!("a default of `{}` is not a constant", function.name);
            let problem = Diagnostic::error(codes::DEFAULT_NOT_CONSTANT, default.span, message);
            problems.push(problem.help("use None as the default, and compute the value in the body"));
        }
    }
}

/// A literal, also signed, or a tuple of such.
fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Const(_) => true,
        ExprKind::Unary { operand, op: UnaryOp::Negative | UnaryOp::Positive } => is_constant(operand),
        ExprKind::Tuple(items) => items.iter().all(is_constant),
        _ => false,
    }
}

fn functions(program: &Program, problems: &mut Vec<Diagnostic>) {
    let mut seen = HashSet::new();
    for function in &program.functions {
        if !seen.insert(function.name.as_str()) {
            let message = format!("the function `{}` is defined twice", function.name);
            let problem = Diagnostic::error(codes::DUPLICATE_FUNCTION, function.span, message);
            problems.push(problem.label("defined again here").help("rename one of them"));
        }
    }
}

fn params(function: &Function, problems: &mut Vec<Diagnostic>) {
    let mut seen = HashSet::new();
    let mut previous = ParamKind::PositionalOnly;
    let mut defaulted = false;
    for param in &function.params {
        if !seen.insert(param.name.as_str()) {
            let message = format!("the parameter `{}` is there twice", param.name);
            problems.push(Diagnostic::error(codes::DUPLICATE_PARAM, param.span, message).help("rename one of them"));
        }
        let single = matches!(param.kind, ParamKind::Rest | ParamKind::Options);
        let positional = matches!(param.kind, ParamKind::PositionalOnly | ParamKind::Positional);
        let reason = if param.kind < previous {
            "stands after a parameter of a later kind"
        } else if single && param.kind == previous {
            "is the second of its kind"
        } else if single && param.default.is_some() {
            "cannot have a default"
        } else if positional && defaulted && param.default.is_none() {
            "has no default but follows one that has"
        } else {
            ""
        };
        if !reason.is_empty() {
            let message = format!("the parameter `{}` {reason}", param.name);
            let problem = Diagnostic::error(codes::PARAM_ORDER, param.span, message);
            problems.push(problem.help("the order is: positional-only, positional, *rest, keyword-only, **options"));
        }
        previous = previous.max(param.kind);
        defaulted |= positional && param.default.is_some();
    }
}

/// The part of a type's name that a program may use instead of the whole.
pub(super) fn short_name(name: &str) -> &str {
    name.rsplit([':', '.']).next().unwrap_or(name)
}

fn types(program: &Program, names: &dyn Names, problems: &mut Vec<Diagnostic>) {
    let mut declared: HashMap<&str, &TypeDescriptor> = HashMap::new();
    for descriptor in &program.types {
        declared.entry(short_name(&descriptor.name)).or_insert(descriptor);
    }
    let mut seen = HashSet::new();
    for descriptor in &program.types {
        if !seen.insert(descriptor.name.as_str()) {
            let message = format!("the type `{}` is declared twice", descriptor.name);
            problems.push(Diagnostic::error(codes::DUPLICATE_TYPE, descriptor.span, message).help("keep one of them"));
        }
        declared.insert(&descriptor.name, descriptor);
    }
    for descriptor in &program.types {
        for base in descriptor.bases.iter().filter(|base| !declared.contains_key(base.as_str())) {
            if !is_known_base(base, names) {
                let message = format!("the base `{base}` of `{}` is not known", descriptor.name);
                let problem = Diagnostic::error(codes::UNKNOWN_BASE, descriptor.span, message);
                problems.push(problem.help("declare it as a type of the program too"));
            }
        }
        for (name, function) in &descriptor.methods {
            if program.function(function).is_none() {
                let message = format!(
                    "the method `{name}` of `{}` is the function `{function}`, which is not there",
                    descriptor.name
                );
                let problem = Diagnostic::error(codes::UNKNOWN_METHOD, descriptor.span, message);
                problems.push(problem.help("define the function in the program"));
            }
        }
        if derives_from_itself(descriptor, &declared) {
            let message = format!("the type `{}` derives from itself", descriptor.name);
            problems
                .push(Diagnostic::error(codes::BASE_CYCLE, descriptor.span, message).help("break the circle of bases"));
        }
    }
}

fn is_known_base(base: &str, names: &dyn Names) -> bool {
    let exception = exceptions::HIERARCHY.iter().any(|(name, _)| *name == base);
    let attribute = base.rsplit_once(['.', ':']).is_some_and(|(module, name)| names.has_attribute(module, name));
    base == "object" || exception || attribute || names.is_builtin(base)
}

fn derives_from_itself(descriptor: &TypeDescriptor, declared: &HashMap<&str, &TypeDescriptor>) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![descriptor];
    while let Some(current) = open.pop() {
        for base in current.bases.iter().filter_map(|base| declared.get(base.as_str())) {
            if base.name == descriptor.name {
                return true;
            }
            if seen.insert(base.name.as_str()) {
                open.push(base);
            }
        }
    }
    false
}
