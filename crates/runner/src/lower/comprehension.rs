//! Comprehensions run in the frame of their function, with variables of their own. A generator expression is a
//! function: it must not run further than it is asked.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use waymark_ir::{
    Clause, Comprehension, ComprehensionKind, Expr, ExprKind, Function, FunctionKind, Param, ParamKind, Span, Stmt,
    StmtKind, visit,
};

use super::{FunctionLowering, Variable, scope};
use crate::graph::{Names, Op};

/// The parameter of a generator expression: its first iterable, evaluated outside.
const FIRST_ITERABLE: &str = ".0";

impl FunctionLowering<'_> {
    pub(super) fn comprehension(&mut self, span: Span, comprehension: &Comprehension) {
        match &comprehension.kind {
            ComprehensionKind::Generator(element) => self.generator(span, element, &comprehension.clauses),
            ComprehensionKind::List(element) => self.collect(comprehension, Op::List(0), &[element], Op::Append),
            ComprehensionKind::Set(element) => self.collect(comprehension, Op::Set(0), &[element], Op::Add),
            ComprehensionKind::Dict(key, value) => self.collect(comprehension, Op::Dict(0), &[key, value], Op::Insert),
        }
    }

    fn collect(&mut self, comprehension: &Comprehension, empty: Op, elements: &[&Expr], add: fn(u32) -> Op) {
        let result = self.hidden("result");
        let Some((first, _)) = comprehension.clauses.split_first() else { return };
        // The first iterable belongs to the scope outside.
        self.iterator_of(first);
        let iterator = self.hidden("iterator");
        self.emit(Op::Store(iterator));
        self.emit(empty);
        self.emit(Op::Store(result));
        let mut inside: Vec<&Expr> = elements.to_vec();
        for (at, clause) in comprehension.clauses.iter().enumerate() {
            inside.extend(&clause.conditions);
            if at > 0 {
                inside.push(&clause.iter);
            }
        }
        let variables = self.comprehension_scope(comprehension.clauses.iter().map(|clause| &clause.target), &inside);
        self.clauses(&comprehension.clauses, iterator, &mut |this| {
            elements.iter().for_each(|element| this.expression(element));
            this.emit(add(result));
        });
        self.leave_comprehension_scope(variables);
        self.emit(Op::Peek(result));
        self.emit(Op::Clear(result));
    }

    fn iterator_of(&mut self, clause: &Clause) {
        self.expression(&clause.iter);
        if clause.is_async {
            let name = self.name("__aiter__");
            self.emit(Op::CallMethod { name, positional: 0, names: Names::NONE });
        } else {
            self.emit(Op::Iter);
        }
    }

    fn clauses(&mut self, clauses: &[Clause], iterator: u32, body: &mut dyn FnMut(&mut Self)) {
        let Some((clause, rest)) = clauses.split_first() else { return body(self) };
        let (next, end) = (self.label(), self.label());
        self.place(next);
        self.emit(match clause.is_async {
            true => Op::NextAsync { slot: iterator, end: end.0 },
            false => Op::Next { slot: iterator, end: end.0 },
        });
        self.store(&clause.target);
        for condition in &clause.conditions {
            self.condition(condition, next, false);
        }
        if let Some(inner) = rest.first() {
            self.iterator_of(inner);
            let slot = self.hidden("iterator");
            self.emit(Op::Store(slot));
            self.clauses(rest, slot, body);
        } else {
            body(self);
        }
        self.emit(Op::Jump(next.0));
        self.place(end);
    }

    /// Gives the variables of a comprehension fresh slots, and cells where a function inside captures them.
    pub(super) fn comprehension_scope<'e>(
        &mut self,
        targets: impl Iterator<Item = &'e Expr>,
        inside: &[&'e Expr],
    ) -> Vec<Variable> {
        let mut captured = BTreeSet::new();
        inside.iter().for_each(|expr| scope::captured_in_expression(expr, &mut captured));
        let mut names = Vec::new();
        targets.for_each(|target| visit::target_names(target, &mut |name| names.push(name)));
        let mut variables = FxHashMap::default();
        for name in names {
            let slot = self.slot(name);
            let variable = Variable { slot, is_cell: captured.contains(name) };
            if variable.is_cell {
                self.emit(Op::Clear(slot));
                self.emit(Op::NewCell(slot));
            }
            variables.insert(name.to_string(), variable);
        }
        let list = variables.values().copied().collect();
        self.inner.push(variables);
        list
    }

    pub(super) fn leave_comprehension_scope(&mut self, mut variables: Vec<Variable>) {
        self.inner.pop();
        variables.sort_by_key(|variable| variable.slot);
        variables.iter().for_each(|variable| self.emit(Op::Clear(variable.slot)));
    }

    /// `(element for …)` is a function with a `yield`, called with the first iterable.
    fn generator(&mut self, span: Span, element: &Expr, clauses: &[Clause]) {
        let Some(first) = clauses.first() else { return };
        let yielded = Expr { kind: ExprKind::Yield(Some(Box::new(element.clone()))), span: element.span };
        let mut body = Stmt { kind: StmtKind::Expr(yielded), span: element.span };
        for (at, clause) in clauses.iter().enumerate().rev() {
            for condition in clause.conditions.iter().rev() {
                let kind = StmtKind::If { test: condition.clone(), body: vec![body], orelse: Vec::new() };
                body = Stmt { kind, span: condition.span };
            }
            let iter = match at {
                0 => Expr { kind: ExprKind::Name(FIRST_ITERABLE.into()), span: clause.iter.span },
                _ => clause.iter.clone(),
            };
            let (target, is_async) = (clause.target.clone(), clause.is_async);
            let span = clause.target.span;
            body = Stmt { kind: StmtKind::For { target, iter, body: vec![body], orelse: Vec::new(), is_async }, span };
        }
        // `:=` inside binds in the function around.
        let mut walrus = Vec::new();
        scope::bound_by_walrus(
            &Expr {
                kind: ExprKind::Comprehension(Box::new(Comprehension {
                    kind: ComprehensionKind::Generator(element.clone()),
                    clauses: clauses.to_vec(),
                })),
                span,
            },
            &mut |name| walrus.push(name.to_string()),
        );
        let foreign = Stmt { kind: StmtKind::Nonlocal(walrus), span };
        let param = Param { name: FIRST_ITERABLE.into(), kind: ParamKind::Positional, default: None, span };
        let function = Function {
            name: "<genexpr>".into(),
            kind: if waits(element, clauses) { FunctionKind::Durable } else { FunctionKind::Plain },
            params: vec![param],
            outputs: Vec::new(),
            origin: None,
            body: vec![foreign, body],
            span,
        };
        self.function(&function);
        self.iterator_of(first);
        self.emit(Op::Call { positional: 1, names: Names::NONE });
    }
}

/// Whether a generator expression waits for something, beyond its first iterable: then it is an asynchronous generator.
fn waits(element: &Expr, clauses: &[Clause]) -> bool {
    fn inside(expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Await(_) | ExprKind::Spread(_) => return true,
            ExprKind::Lambda(_) => return false,
            ExprKind::Comprehension(inner)
                if !matches!(inner.kind, ComprehensionKind::Generator(_))
                    && inner.clauses.iter().any(|clause| clause.is_async) =>
            {
                return true;
            }
            _ => {}
        }
        let mut found = false;
        visit::children(expr, &mut |child| found |= inside(child));
        found
    }
    let iterables = clauses.iter().skip(1).map(|clause| &clause.iter);
    let conditions = clauses.iter().flat_map(|clause| &clause.conditions);
    clauses.iter().any(|clause| clause.is_async) || inside(element) || iterables.chain(conditions).any(inside)
}
