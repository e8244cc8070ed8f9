//! What every name stands for. Scopes are Python's: a name bound anywhere in a function is local to it, comprehensions
//! and lambdas have scopes of their own, inner functions see the variables around them.

use super::{Names, calls, codes, declarations, names};
use crate::visit::{self, Part};
use crate::*;
use std::collections::HashSet;

pub(super) fn check(program: &Program, names: &dyn Names, problems: &mut Vec<Diagnostic>) {
    let types = program.types.iter().flat_map(|of| [of.name.as_str(), declarations::short_name(&of.name)]).collect();
    let mut resolver = Resolver { program, names, types, scopes: Vec::new(), problems, guesses: GUESSES_MAX };
    program.functions.iter().for_each(|function| resolver.function(function));
}

/// The names that a block binds in the function it belongs to.
pub(super) fn bound_in(block: &[Stmt]) -> HashSet<&str> {
    let mut bound = HashSet::new();
    for statement in block {
        bind_statement(statement, &mut bound);
    }
    bound
}

pub(super) fn bind_statement<'a>(statement: &'a Stmt, bound: &mut HashSet<&'a str>) {
    match &statement.kind {
        StmtKind::Assign { targets, .. } | StmtKind::Delete(targets) => {
            targets.iter().for_each(|target| bind_target(target, bound));
        }
        StmtKind::AugAssign { target, .. } | StmtKind::For { target, .. } => bind_target(target, bound),
        StmtKind::With { items, .. } => {
            items.iter().filter_map(|item| item.target.as_ref()).for_each(|target| bind_target(target, bound));
        }
        StmtKind::Try { handlers, .. } => bound.extend(handlers.iter().filter_map(|handler| handler.name.as_deref())),
        StmtKind::Def(function) => drop(bound.insert(&function.name)),
        _ => {}
    }
    visit::of_statement(statement, &mut |part| match part {
        Part::Block(block) => block.iter().for_each(|statement| bind_statement(statement, bound)),
        Part::Expr(expr) => bind_walrus(Part::Expr(expr), bound),
        Part::Pattern(pattern) => bind_pattern(pattern, bound),
        Part::Function(function) => bind_defaults(function, bound),
    });
}

pub(super) fn bind_target<'a>(target: &'a Expr, bound: &mut HashSet<&'a str>) {
    match &target.kind {
        ExprKind::Name(name) => drop(bound.insert(name)),
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|item| bind_target(item, bound)),
        ExprKind::Starred(inner) => bind_target(inner, bound),
        _ => {}
    }
}

/// `:=` binds in the function, also from within a comprehension.
pub(super) fn bind_walrus<'a>(part: Part<'a>, bound: &mut HashSet<&'a str>) {
    match part {
        Part::Function(function) => bind_defaults(function, bound),
        part => {
            if let Part::Expr(Expr { kind: ExprKind::Walrus { name, .. }, .. }) = part {
                bound.insert(name);
            }
            visit::parts(&part, &mut |part| bind_walrus(part, bound));
        }
    }
}

fn bind_defaults<'a>(function: &'a Function, bound: &mut HashSet<&'a str>) {
    function
        .params
        .iter()
        .filter_map(|param| param.default.as_ref())
        .for_each(|expr| bind_walrus(Part::Expr(expr), bound));
}

fn bind_pattern<'a>(pattern: &'a Pattern, bound: &mut HashSet<&'a str>) {
    match &pattern.kind {
        PatternKind::Capture(name) | PatternKind::Star(Some(name)) | PatternKind::As { name, .. } => {
            bound.insert(name);
        }
        PatternKind::Mapping { rest: Some(name), .. } => drop(bound.insert(name)),
        _ => {}
    }
    visit::of_pattern(pattern, &mut |part| {
        if let Part::Pattern(pattern) = part {
            bind_pattern(pattern, bound);
        }
    });
}

/// The names that `nonlocal` statements of a block mention, with where; not those of inner functions.
pub(super) fn nonlocals_in<'a>(block: &'a [Stmt], found: &mut Vec<(&'a str, Span)>) {
    for statement in block {
        if let StmtKind::Nonlocal(names) = &statement.kind {
            found.extend(names.iter().map(|name| (name.as_str(), statement.span)));
        }
        visit::of_statement(statement, &mut |part| {
            if let Part::Block(block) = part {
                nonlocals_in(block, found);
            }
        });
    }
}

/// Whoever has more unknown names than this has another problem than slips of the finger.
const GUESSES_MAX: usize = 100;

struct Resolver<'a, 'p> {
    program: &'a Program,
    names: &'a dyn Names,
    types: HashSet<&'a str>,
    /// Of the functions, lambdas and comprehensions around, innermost last.
    scopes: Vec<HashSet<&'a str>>,
    problems: &'p mut Vec<Diagnostic>,
    /// Unknown names that a near one is still looked for: it takes a look at every name there is.
    guesses: usize,
}

impl<'a> Resolver<'a, '_> {
    fn function(&mut self, function: &'a Function) {
        function.params.iter().filter_map(|param| param.default.as_ref()).for_each(|default| self.expr(default));
        let mut locals = bound_in(&function.body);
        locals.extend(function.params.iter().map(|param| param.name.as_str()));
        let mut nonlocals = Vec::new();
        nonlocals_in(&function.body, &mut nonlocals);
        for (name, span) in nonlocals {
            locals.remove(name);
            if !self.is_variable(name) {
                let message = format!("no enclosing function has a variable `{name}`");
                let problem = Diagnostic::error(codes::NONLOCAL_NOT_FOUND, span, message);
                self.problems.push(problem.help("assign it in the enclosing function, or drop `nonlocal`"));
            }
        }
        self.scopes.push(locals);
        self.part(Part::Block(&function.body));
        self.scopes.pop();
    }

    fn part(&mut self, part: Part<'a>) {
        match part {
            Part::Function(function) => self.function(function),
            Part::Expr(expr) => self.expr(expr),
            part => visit::parts(&part, &mut |part| self.part(part)),
        }
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Name(name) => self.name(name, expr.span),
            ExprKind::Attribute { base, name } => self.attribute(base, name, expr.span),
            ExprKind::Comprehension(comprehension) => return self.comprehension(comprehension),
            ExprKind::Spread(spread) => {
                self.expr(&spread.items);
                let mut locals = HashSet::new();
                bind_target(&spread.variable, &mut locals);
                self.scopes.push(locals);
                self.expr(&spread.variable);
                self.expr(&spread.body);
                self.scopes.pop();
                return;
            }
            ExprKind::Call { callee, args } => {
                calls::duplicate_keywords(args, expr.span, self.problems);
                if let ExprKind::Name(name) = &callee.kind
                    && !self.is_variable(name)
                    && let Some(function) = self.program.function(name)
                {
                    calls::arguments(function, args, expr.span, self.problems);
                }
            }
            ExprKind::Action(call) => calls::duplicate_keywords(&call.args, expr.span, self.problems),
            _ => {}
        }
        visit::of_expr(expr, &mut |part| self.part(part));
    }

    /// The first iterable is evaluated outside, everything else inside.
    fn comprehension(&mut self, comprehension: &'a Comprehension) {
        let mut locals = HashSet::new();
        comprehension.clauses.iter().for_each(|clause| bind_target(&clause.target, &mut locals));
        comprehension.clauses.first().into_iter().for_each(|clause| self.expr(&clause.iter));
        self.scopes.push(locals);
        for (index, clause) in comprehension.clauses.iter().enumerate() {
            if index > 0 {
                self.expr(&clause.iter);
            }
            self.expr(&clause.target);
            clause.conditions.iter().for_each(|condition| self.expr(condition));
        }
        visit::elements(&comprehension.kind).into_iter().flatten().for_each(|element| self.expr(element));
        self.scopes.pop();
    }

    fn is_variable(&self, name: &str) -> bool {
        self.scopes.iter().any(|scope| scope.contains(name))
    }

    fn name(&mut self, name: &'a str, span: Span) {
        let known = self.is_variable(name)
            || self.program.function(name).is_some()
            || self.types.contains(name)
            || self.names.is_builtin(name)
            || self.names.is_module(name)
            || is_exception(name);
        if known {
            return;
        }
        let guesses = self.guesses;
        self.guesses = guesses.saturating_sub(1);
        let variables = self.scopes.iter().flatten().copied();
        let functions = self.program.functions.iter().map(|function| function.name.as_str());
        let exceptions = exceptions::HIERARCHY.iter().map(|(name, _)| *name);
        let outside = self.names.builtins().into_iter().chain(self.names.modules()).chain(exceptions);
        let candidates = variables.chain(functions).chain(self.types.iter().copied()).chain(outside);
        let help = match names::nearest(name, candidates.take(if guesses > 0 { usize::MAX } else { 0 })) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "assign it first, or declare the function or type it stands for".to_string(),
        };
        let problem = Diagnostic::error(codes::UNKNOWN_NAME, span, format!("the name `{name}` is not defined"));
        self.problems.push(problem.label("not found").help(help));
    }

    fn attribute(&mut self, base: &'a Expr, name: &'a str, span: Span) {
        let ExprKind::Name(module) = &base.kind else { return };
        let shadowed = self.is_variable(module) || self.program.function(module).is_some();
        if shadowed || self.types.contains(module.as_str()) || !self.names.is_module(module) {
            return;
        }
        if self.names.has_attribute(module, name) || is_exception(&format!("{module}.{name}")) {
            return;
        }
        let help = match names::nearest(name, self.names.attributes(module)) {
            Some(near) => format!("did you mean `{module}.{near}`?"),
            None => format!("move what needs `{module}.{name}` into an action"),
        };
        let message = format!("the module `{module}` has no `{name}` here");
        self.problems.push(Diagnostic::error(codes::UNKNOWN_ATTRIBUTE, span, message).label("not found").help(help));
    }
}

fn is_exception(name: &str) -> bool {
    exceptions::HIERARCHY.iter().any(|(known, _)| *known == name)
}
