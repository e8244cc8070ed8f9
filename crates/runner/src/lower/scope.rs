//! Whose variable a name is: a function's own, one of a function around it, or none.

use std::collections::BTreeSet;

use waymark_ir::{Expr, ExprKind, Function, Stmt, StmtKind, visit};

/// The names that a function binds: parameters, and whatever its body assigns.
pub fn bound_names(function: &Function) -> Vec<&str> {
    let mut names: Vec<&str> = function.params.iter().map(|param| param.name.as_str()).collect();
    let mut foreign = BTreeSet::new();
    bound_in_block(&function.body, &mut names, &mut foreign);
    let mut seen = BTreeSet::new();
    names.retain(|name| !foreign.contains(name) && seen.insert(*name));
    names
}

fn bound_in_block<'a>(block: &'a [Stmt], names: &mut Vec<&'a str>, foreign: &mut BTreeSet<&'a str>) {
    for stmt in block {
        bound_in_statement(stmt, names, foreign);
        visit::expressions(stmt, &mut |expr| bound_by_walrus(expr, &mut |name| names.push(name)));
        visit::blocks(stmt, &mut |block| bound_in_block(block, names, foreign));
    }
}

fn bound_in_statement<'a>(stmt: &'a Stmt, names: &mut Vec<&'a str>, foreign: &mut BTreeSet<&'a str>) {
    let mut bind = |target: &'a Expr| visit::target_names(target, &mut |name| names.push(name));
    match &stmt.kind {
        StmtKind::Assign { targets, .. } | StmtKind::Delete(targets) => targets.iter().for_each(bind),
        StmtKind::AugAssign { target, .. } | StmtKind::For { target, .. } => bind(target),
        StmtKind::With { items, .. } => items.iter().filter_map(|item| item.target.as_ref()).for_each(bind),
        StmtKind::Try { handlers, .. } => names.extend(handlers.iter().filter_map(|handler| handler.name.as_deref())),
        StmtKind::Match { cases, .. } => {
            for case in cases {
                visit::pattern_names(&case.pattern, &mut |name| names.push(name));
            }
        }
        StmtKind::Def(function) => names.push(&function.name),
        StmtKind::Nonlocal(those) => foreign.extend(those.iter().map(String::as_str)),
        _ => {}
    }
}

/// `:=` binds in the function, also from inside a comprehension.
pub fn bound_by_walrus<'a>(expr: &'a Expr, found: &mut dyn FnMut(&'a str)) {
    if let ExprKind::Walrus { name, .. } = &expr.kind {
        found(name);
    }
    visit::children(expr, &mut |child| bound_by_walrus(child, found));
}

/// The names that a function uses and does not bind itself, those of functions inside it included.
pub fn free_names(function: &Function) -> BTreeSet<&str> {
    let mut used = BTreeSet::new();
    used_in_block(&function.body, &mut used);
    for name in bound_names(function) {
        used.remove(name);
    }
    used
}

fn used_in_block<'a>(block: &'a [Stmt], used: &mut BTreeSet<&'a str>) {
    for stmt in block {
        if let StmtKind::Def(function) = &stmt.kind {
            used.extend(free_names(function));
        }
        if let StmtKind::Nonlocal(names) = &stmt.kind {
            used.extend(names.iter().map(String::as_str));
        }
        visit::expressions(stmt, &mut |expr| used_in_expression(expr, used));
        visit::blocks(stmt, &mut |block| used_in_block(block, used));
    }
}

fn used_in_expression<'a>(expr: &'a Expr, used: &mut BTreeSet<&'a str>) {
    match &expr.kind {
        ExprKind::Name(name) | ExprKind::Walrus { name, .. } => {
            used.insert(name);
        }
        ExprKind::Lambda(function) => used.extend(free_names(function)),
        ExprKind::Comprehension(comprehension) => {
            // The variables of a comprehension are its own, but the first iterable is evaluated outside.
            let mut inner = BTreeSet::new();
            visit::children(expr, &mut |child| used_in_expression(child, &mut inner));
            for clause in &comprehension.clauses {
                visit::target_names(&clause.target, &mut |name| {
                    inner.remove(name);
                });
            }
            used.extend(inner);
            if let Some(first) = comprehension.clauses.first() {
                used_in_expression(&first.iter, used);
            }
            return;
        }
        _ => {}
    }
    visit::children(expr, &mut |child| used_in_expression(child, used));
}

/// The names that functions inside this block or expression take from outside themselves.
pub fn captured_in_block<'a>(block: &'a [Stmt], captured: &mut BTreeSet<&'a str>) {
    for stmt in block {
        if let StmtKind::Def(function) = &stmt.kind {
            captured.extend(free_names(function));
        }
        visit::expressions(stmt, &mut |expr| captured_in_expression(expr, captured));
        visit::blocks(stmt, &mut |block| captured_in_block(block, captured));
    }
}

pub fn captured_in_expression<'a>(expr: &'a Expr, captured: &mut BTreeSet<&'a str>) {
    match &expr.kind {
        ExprKind::Lambda(function) => captured.extend(free_names(function)),
        ExprKind::Comprehension(comprehension)
            if matches!(comprehension.kind, waymark_ir::ComprehensionKind::Generator(_)) =>
        {
            // A generator expression is a function of its own.
            used_in_expression(expr, captured);
        }
        _ => {}
    }
    visit::children(expr, &mut |child| captured_in_expression(child, captured));
}

/// Whether a function contains a `yield`.
pub fn is_generator(function: &Function) -> bool {
    fn in_block(block: &[Stmt]) -> bool {
        block.iter().any(|stmt| {
            let mut found = false;
            visit::expressions(stmt, &mut |expr| found |= in_expression(expr));
            visit::blocks(stmt, &mut |block| found |= in_block(block));
            found
        })
    }
    fn in_expression(expr: &Expr) -> bool {
        let mut found = matches!(expr.kind, ExprKind::Yield(_) | ExprKind::YieldFrom(_));
        visit::children(expr, &mut |child| found |= in_expression(child));
        found
    }
    in_block(&function.body)
}
