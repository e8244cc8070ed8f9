//! Walking the tree: the parts of a part, in the order of evaluation. The walks recurse; the verifier refuses trees that are
//! nested beyond [`crate::MAX_DEPTH`] before anybody else walks them.

use crate::program::*;

/// What a statement or expression is made of, in the order of evaluation.
pub enum Part<'a> {
    Expr(&'a Expr),
    Block(&'a [Stmt]),
    Pattern(&'a Pattern),
    Function(&'a Function),
}

pub fn of_function<'a>(function: &'a Function, each: &mut dyn FnMut(Part<'a>)) {
    function.params.iter().filter_map(|param| param.default.as_ref()).for_each(|default| each(Part::Expr(default)));
    each(Part::Block(&function.body));
}

pub fn of_statement<'a>(statement: &'a Stmt, each: &mut dyn FnMut(Part<'a>)) {
    match &statement.kind {
        StmtKind::Expr(value) => each(Part::Expr(value)),
        StmtKind::Assign { targets, value } => {
            each(Part::Expr(value));
            targets.iter().for_each(|target| each(Part::Expr(target)));
        }
        StmtKind::AugAssign { target, value, .. } => {
            each(Part::Expr(target));
            each(Part::Expr(value));
        }
        StmtKind::Delete(targets) => targets.iter().for_each(|target| each(Part::Expr(target))),
        StmtKind::If { test, body, orelse } | StmtKind::While { test, body, orelse } => {
            each(Part::Expr(test));
            each(Part::Block(body));
            each(Part::Block(orelse));
        }
        StmtKind::For { target, iter, body, orelse, .. } => {
            each(Part::Expr(iter));
            each(Part::Expr(target));
            each(Part::Block(body));
            each(Part::Block(orelse));
        }
        StmtKind::Try { body, handlers, orelse, finally } => {
            each(Part::Block(body));
            for handler in handlers {
                handler.exception.iter().for_each(|exception| each(Part::Expr(exception)));
                each(Part::Block(&handler.body));
            }
            each(Part::Block(orelse));
            each(Part::Block(finally));
        }
        StmtKind::With { items, body, .. } => {
            for item in items {
                each(Part::Expr(&item.context));
                item.target.iter().for_each(|target| each(Part::Expr(target)));
            }
            each(Part::Block(body));
        }
        StmtKind::Match { subject, cases } => {
            each(Part::Expr(subject));
            for case in cases {
                each(Part::Pattern(&case.pattern));
                case.guard.iter().for_each(|guard| each(Part::Expr(guard)));
                each(Part::Block(&case.body));
            }
        }
        StmtKind::Return(value) => value.iter().for_each(|value| each(Part::Expr(value))),
        StmtKind::Raise { exception, cause } => exception.iter().chain(cause).for_each(|expr| each(Part::Expr(expr))),
        StmtKind::Assert { test, message } => {
            each(Part::Expr(test));
            message.iter().for_each(|message| each(Part::Expr(message)));
        }
        StmtKind::Def(function) => each(Part::Function(function)),
        StmtKind::Break | StmtKind::Continue | StmtKind::Pass | StmtKind::Nonlocal(_) => {}
    }
}

pub fn of_expr<'a>(expr: &'a Expr, each: &mut dyn FnMut(Part<'a>)) {
    match &expr.kind {
        ExprKind::Const(_) | ExprKind::Name(_) => {}
        ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) => {
            items.iter().for_each(|item| each(Part::Expr(item)));
        }
        ExprKind::Bool { operands, .. } => operands.iter().for_each(|item| each(Part::Expr(item))),
        ExprKind::Dict(items) => items.iter().for_each(|item| match item {
            DictItem::Entry(key, value) => {
                each(Part::Expr(key));
                each(Part::Expr(value));
            }
            DictItem::Merge(value) => each(Part::Expr(value)),
        }),
        ExprKind::Starred(inner) | ExprKind::Await(inner) => each(Part::Expr(inner)),
        ExprKind::Unary { operand, .. } => each(Part::Expr(operand)),
        ExprKind::Binary { left, right, .. } => {
            each(Part::Expr(left));
            each(Part::Expr(right));
        }
        ExprKind::Compare { left, rest } => {
            each(Part::Expr(left));
            rest.iter().for_each(|(_, operand)| each(Part::Expr(operand)));
        }
        ExprKind::Conditional { test, then, orelse } => {
            [test, then, orelse].into_iter().for_each(|part| each(Part::Expr(part)));
        }
        ExprKind::Walrus { value, .. } => each(Part::Expr(value)),
        ExprKind::Attribute { base, .. } => each(Part::Expr(base)),
        ExprKind::Index { base, index } => {
            each(Part::Expr(base));
            each(Part::Expr(index));
        }
        ExprKind::Slice { lower, upper, step } => {
            [lower, upper, step].into_iter().flatten().for_each(|part| each(Part::Expr(part)));
        }
        ExprKind::Call { callee, args } => {
            each(Part::Expr(callee));
            of_args(args, each);
        }
        ExprKind::Lambda(function) => each(Part::Function(function)),
        ExprKind::Comprehension(comprehension) => of_comprehension(comprehension, each),
        ExprKind::Format(parts) => of_format(parts, each),
        ExprKind::YieldFrom(items) => each(Part::Expr(items)),
        ExprKind::Yield(value) => value.iter().for_each(|value| each(Part::Expr(value))),
        ExprKind::Action(call) => {
            of_args(&call.args, each);
            call.policy.entries().into_iter().filter_map(|(_, expr)| expr).for_each(|expr| each(Part::Expr(expr)));
        }
        ExprKind::Spread(spread) => {
            [&spread.items, &spread.variable, &spread.body].into_iter().for_each(|part| each(Part::Expr(part)));
        }
        ExprKind::Fragment(fragment) => fragment.captures.iter().for_each(|(_, value)| each(Part::Expr(value))),
    }
}

fn of_args<'a>(args: &'a [Arg], each: &mut dyn FnMut(Part<'a>)) {
    for arg in args {
        let (Arg::Positional(value) | Arg::Keyword(_, value) | Arg::Rest(value) | Arg::Options(value)) = arg;
        each(Part::Expr(value));
    }
}

fn of_comprehension<'a>(comprehension: &'a Comprehension, each: &mut dyn FnMut(Part<'a>)) {
    for clause in &comprehension.clauses {
        each(Part::Expr(&clause.iter));
        each(Part::Expr(&clause.target));
        clause.conditions.iter().for_each(|condition| each(Part::Expr(condition)));
    }
    elements(&comprehension.kind).into_iter().flatten().for_each(|element| each(Part::Expr(element)));
}

/// What a comprehension yields.
pub fn elements(kind: &ComprehensionKind) -> [Option<&Expr>; 2] {
    match kind {
        ComprehensionKind::List(item) | ComprehensionKind::Set(item) | ComprehensionKind::Generator(item) => {
            [Some(item), None]
        }
        ComprehensionKind::Dict(key, value) => [Some(key), Some(value)],
    }
}

fn of_format<'a>(parts: &'a [FormatPart], each: &mut dyn FnMut(Part<'a>)) {
    for part in parts {
        if let FormatPart::Field { value, spec, .. } = part {
            each(Part::Expr(value));
            of_format(spec, each);
        }
    }
}

pub fn of_pattern<'a>(pattern: &'a Pattern, each: &mut dyn FnMut(Part<'a>)) {
    match &pattern.kind {
        PatternKind::Wildcard | PatternKind::Capture(_) | PatternKind::Singleton(_) | PatternKind::Star(_) => {}
        PatternKind::Value(value) => each(Part::Expr(value)),
        PatternKind::Sequence(items) | PatternKind::Or(items) => {
            items.iter().for_each(|item| each(Part::Pattern(item)))
        }
        PatternKind::Mapping { entries, .. } => entries.iter().for_each(|(key, pattern)| {
            each(Part::Expr(key));
            each(Part::Pattern(pattern));
        }),
        PatternKind::Class { class, positional, keyword } => {
            each(Part::Expr(class));
            positional.iter().for_each(|pattern| each(Part::Pattern(pattern)));
            keyword.iter().for_each(|(_, pattern)| each(Part::Pattern(pattern)));
        }
        PatternKind::As { pattern, .. } => each(Part::Pattern(pattern)),
    }
}

/// The direct parts of a part.
pub fn parts<'a>(part: &Part<'a>, each: &mut dyn FnMut(Part<'a>)) {
    match part {
        Part::Expr(expr) => of_expr(expr, each),
        Part::Pattern(pattern) => of_pattern(pattern, each),
        Part::Function(function) => of_function(function, each),
        Part::Block(block) => block.iter().for_each(|statement| of_statement(statement, each)),
    }
}

/// Calls `each` with every function: the program's, nested ones and lambdas.
pub fn each_function<'a>(program: &'a Program, each: &mut dyn FnMut(&'a Function)) {
    fn walk<'a>(part: Part<'a>, each: &mut dyn FnMut(&'a Function)) {
        if let Part::Function(function) = part {
            each(function);
        }
        parts(&part, &mut |part| walk(part, each));
    }
    program.functions.iter().for_each(|function| walk(Part::Function(function), each));
}

/// Calls `each` with every expression, pattern and block under a part, itself included. Of inner functions it enters
/// only the defaults, which are evaluated outside them.
pub fn each_part<'a>(part: Part<'a>, each: &mut dyn FnMut(&Part<'a>)) {
    each(&part);
    parts(&part, &mut |inner| {
        if !matches!((&part, &inner), (Part::Function(_), Part::Block(_))) {
            each_part(inner, each);
        }
    });
}

/// The expressions directly inside an expression. The bodies of lambdas are not entered; their defaults are.
pub fn children<'a>(expr: &'a Expr, each: &mut dyn FnMut(&'a Expr)) {
    of_expr(expr, &mut |part| expressions_of(part, each));
}

/// The expressions directly inside a statement, those in its blocks excluded.
pub fn expressions<'a>(statement: &'a Stmt, each: &mut dyn FnMut(&'a Expr)) {
    of_statement(statement, &mut |part| expressions_of(part, each));
}

/// The blocks directly inside a statement, in source order. The body of a nested function is not one of them.
pub fn blocks<'a>(statement: &'a Stmt, each: &mut dyn FnMut(&'a [Stmt])) {
    of_statement(statement, &mut |part| {
        if let Part::Block(block) = part {
            each(block);
        }
    });
}

fn expressions_of<'a>(part: Part<'a>, each: &mut dyn FnMut(&'a Expr)) {
    match part {
        Part::Expr(expr) => each(expr),
        Part::Pattern(pattern) => of_pattern(pattern, &mut |part| expressions_of(part, each)),
        Part::Function(function) => {
            function.params.iter().filter_map(|param| param.default.as_ref()).for_each(each);
        }
        Part::Block(_) => {}
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

/// The names that a target binds.
pub fn target_names<'a>(target: &'a Expr, visit: &mut dyn FnMut(&'a str)) {
    match &target.kind {
        ExprKind::Name(name) => visit(name),
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|item| target_names(item, visit)),
        ExprKind::Starred(inner) => target_names(inner, visit),
        _ => {}
    }
}
