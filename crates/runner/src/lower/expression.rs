//! Expressions.

use waymark_ir::{
    BinaryOp, BoolOp, Conversion, DictItem, Expr, ExprKind, FormatPart, Spread, UnaryOp, Value as Constant,
};

use super::FunctionLowering;
use crate::graph::{NodeKind, Op};

impl FunctionLowering<'_> {
    /// Evaluates an expression whose value is kept: stored, passed on, returned.
    pub(super) fn expression(&mut self, expr: &Expr) {
        self.evaluate(expr, false);
    }

    /// Evaluates an expression whose value the next operation only looks at.
    pub(super) fn operand(&mut self, expr: &Expr) {
        self.evaluate(expr, true);
    }

    fn evaluate(&mut self, expr: &Expr, only_looked_at: bool) {
        match &expr.kind {
            ExprKind::Const(value) => self.constant(value.clone()),
            ExprKind::Name(name) => self.load_name(name, only_looked_at),
            ExprKind::List(items) => self.display(items, Op::List, Op::AppendTop, Op::ExtendTop),
            ExprKind::Tuple(items) if items.iter().any(is_starred) => {
                self.display(items, Op::List, Op::AppendTop, Op::ExtendTop);
                self.emit(Op::ListToTuple);
            }
            ExprKind::Tuple(items) => self.display(items, Op::Tuple, Op::AppendTop, Op::ExtendTop),
            ExprKind::Set(items) => self.display(items, Op::Set, Op::AddTop, Op::UpdateTop),
            ExprKind::Dict(items) => self.dict_display(items),
            ExprKind::Starred(inner) => self.expression(inner),
            ExprKind::Unary { op, operand } => {
                self.operand(operand);
                self.line(expr.span);
                self.emit(Op::Unary(*op));
            }
            ExprKind::Binary { op, left, right } => {
                self.operand(left);
                self.operand(right);
                self.line(expr.span);
                self.emit(Op::Binary(*op));
            }
            ExprKind::Bool { op, operands } => {
                let end = self.label();
                for (at, operand) in operands.iter().enumerate() {
                    self.expression(operand);
                    if at + 1 < operands.len() {
                        self.emit(match op {
                            BoolOp::And => Op::JumpIfFalseOrPop(end.0),
                            BoolOp::Or => Op::JumpIfTrueOrPop(end.0),
                        });
                    }
                }
                self.place(end);
            }
            ExprKind::Compare { left, rest } => self.comparison(expr, left, rest),
            ExprKind::Conditional { test, then, orelse } => {
                let (no, end) = (self.label(), self.label());
                self.condition(test, no, false);
                self.expression(then);
                self.emit(Op::Jump(end.0));
                self.place(no);
                self.expression(orelse);
                self.place(end);
            }
            ExprKind::Walrus { name, value } => {
                self.expression(value);
                self.emit(Op::Dup(1));
                // Binds in the function, past the comprehensions around.
                if let Some(variable) = self.variables.get(name).copied() {
                    self.store_variable(variable);
                }
            }
            ExprKind::Attribute { base, name } => {
                if self.dotted_global(expr) {
                    return;
                }
                self.expression(base);
                self.line(expr.span);
                let name = self.name(name);
                self.emit(Op::GetAttribute(name));
            }
            ExprKind::Index { base, index } => {
                self.operand(base);
                self.operand(index);
                self.line(expr.span);
                self.emit(Op::GetItem);
            }
            ExprKind::Slice { lower, upper, step } => {
                for part in [lower, upper, step] {
                    match part {
                        Some(part) => self.expression(part),
                        None => self.constant(Constant::None),
                    }
                }
                self.emit(Op::Slice);
            }
            ExprKind::Call { callee, args } => self.call(expr.span, callee, args),
            ExprKind::Lambda(function) => self.function(function),
            ExprKind::Comprehension(comprehension) => self.comprehension(expr.span, comprehension),
            ExprKind::Format(parts) => self.format(parts),
            ExprKind::Await(inner) => self.wait_for(expr, inner),
            ExprKind::YieldFrom(items) => {
                self.expression(items);
                self.line(expr.span);
                self.emit(Op::Iter);
                let iterator = self.hidden("iterator");
                self.emit(Op::Store(iterator));
                self.constant(Constant::None);
                let (next, end) = (self.label(), self.label());
                self.place(next);
                self.emit(Op::Delegate { slot: iterator, end: end.0 });
                self.emit(Op::Yield);
                self.emit(Op::Jump(next.0));
                self.place(end);
            }
            ExprKind::Yield(value) => {
                match value {
                    Some(value) => self.expression(value),
                    None => self.constant(Constant::None),
                }
                self.emit(Op::Yield);
            }
            ExprKind::Action(call) => {
                let site = self.action_site(call);
                self.line(expr.span);
                self.emit(Op::Action(site));
            }
            ExprKind::Spread(spread) => self.spread(expr, spread),
            ExprKind::Fragment(fragment) => self.fragment(expr.span, fragment),
        }
    }

    fn load_name(&mut self, name: &str, only_looked_at: bool) {
        match self.variable(name) {
            Some(variable) if variable.is_cell => self.emit(Op::LoadCell(variable.slot)),
            Some(variable) if only_looked_at => self.emit(Op::Peek(variable.slot)),
            Some(variable) => self.emit(Op::Load(variable.slot)),
            None => {
                if !self.global(name) {
                    // The verifier refuses unknown names; if one gets here, reading it raises NameError.
                    let slot = self.slot(name);
                    self.emit(Op::Load(slot));
                }
            }
        }
    }

    /// `math.pi`, `datetime.datetime.now`: the longest known path, attributes of it for the rest.
    pub(super) fn dotted_global(&mut self, expr: &Expr) -> bool {
        let Some(path) = dotted(expr) else { return false };
        let root = path.split('.').next().unwrap_or_default();
        self.variable(root).is_none() && self.global(&path)
    }

    fn display(&mut self, items: &[Expr], build: fn(u32) -> Op, add: Op, extend: Op) {
        let plain = items.iter().take_while(|item| !is_starred(item)).count();
        items[..plain].iter().for_each(|item| self.expression(item));
        self.emit(build(plain as u32));
        for item in &items[plain..] {
            self.expression(item);
            self.emit(if is_starred(item) { extend } else { add });
        }
    }

    fn dict_display(&mut self, items: &[DictItem]) {
        let plain = items.iter().take_while(|item| matches!(item, DictItem::Entry(..))).count();
        for item in &items[..plain] {
            self.dict_item(item);
        }
        self.emit(Op::Dict(plain as u32));
        for item in &items[plain..] {
            self.dict_item(item);
            self.emit(match item {
                DictItem::Entry(..) => Op::InsertTop,
                DictItem::Merge(_) => Op::MergeTop { call: false },
            });
        }
    }

    fn dict_item(&mut self, item: &DictItem) {
        match item {
            DictItem::Entry(key, value) => {
                self.expression(key);
                self.expression(value);
            }
            DictItem::Merge(mapping) => self.operand(mapping),
        }
    }

    /// `a < b < c`: `b` is evaluated once, `c` only if `a < b`.
    fn comparison(&mut self, expr: &Expr, left: &Expr, rest: &[(waymark_ir::CompareOp, Expr)]) {
        self.operand(left);
        let (short, end) = (self.label(), self.label());
        for (at, (op, right)) in rest.iter().enumerate() {
            self.operand(right);
            self.line(expr.span);
            if at + 1 == rest.len() {
                self.emit(Op::Compare(*op));
                break;
            }
            self.emit(Op::Dup(1));
            self.emit(Op::Rotate(3));
            self.emit(Op::Compare(*op));
            self.emit(Op::JumpIfFalseOrPop(short.0));
        }
        if rest.len() > 1 {
            self.emit(Op::Jump(end.0));
            self.place(short);
            // The operand that was kept for the next comparison.
            self.emit(Op::Rotate(2));
            self.emit(Op::Pop);
            self.place(end);
        } else {
            self.place(short);
            self.place(end);
        }
    }

    /// Jumps to `target` when the truth of the expression is `when`, else goes on.
    pub(super) fn condition(&mut self, test: &Expr, target: super::Label, when: bool) {
        match &test.kind {
            ExprKind::Unary { op: UnaryOp::Not, operand } => self.condition(operand, target, !when),
            ExprKind::Bool { op, operands } if (*op == BoolOp::And) != when => {
                // `and` jumping when false, `or` jumping when true: any operand decides.
                operands.iter().for_each(|operand| self.condition(operand, target, when));
            }
            ExprKind::Bool { operands, .. } => {
                let on = self.label();
                if let Some((last, first)) = operands.split_last() {
                    first.iter().for_each(|operand| self.condition(operand, on, !when));
                    self.condition(last, target, when);
                }
                self.place(on);
            }
            _ => {
                self.operand(test);
                self.line(test.span);
                self.emit(if when { Op::JumpIfTrue(target.0) } else { Op::JumpIfFalse(target.0) });
            }
        }
    }

    fn format(&mut self, parts: &[FormatPart]) {
        for part in parts {
            match part {
                FormatPart::Text(text) => self.constant(Constant::str(text.clone())),
                FormatPart::Field { value, conversion, spec } => {
                    self.operand(value);
                    if !spec.is_empty() {
                        self.format(spec);
                    }
                    let conversion: Option<Conversion> = *conversion;
                    self.emit(Op::Format { conversion, spec: !spec.is_empty() });
                }
            }
        }
        self.emit(Op::Concat(parts.len() as u32));
    }

    // ---- waiting

    fn wait_for(&mut self, expr: &Expr, inner: &Expr) {
        if let ExprKind::Action(call) = &inner.kind {
            let site = self.action_site(call);
            self.line(expr.span);
            self.mark(if site_is_child(call) { NodeKind::Wait } else { NodeKind::Action });
            self.emit(Op::RunAction(site));
            self.after_wait(expr);
            return;
        }
        self.expression(inner);
        self.line(expr.span);
        let kind = self.kind_of_wait(inner);
        self.mark(kind);
        self.emit(Op::Await);
        self.after_wait(expr);
    }

    /// The node being written waits: it is of this kind, unless an earlier wait in it was told apart already.
    pub(super) fn mark(&mut self, kind: NodeKind) {
        if let Some(node) = self.nodes.last_mut() {
            node.kind = kind;
        }
    }

    /// What comes behind a wait is a node of its own; if nothing comes, it is dropped or taken over by what does.
    pub(super) fn after_wait(&mut self, expr: &Expr) {
        self.open(NodeKind::Assign, expr.span, || waymark_ir::text::print_expression(expr));
    }

    fn kind_of_wait(&self, awaited: &Expr) -> NodeKind {
        let ExprKind::Call { callee, .. } = &awaited.kind else { return NodeKind::Wait };
        match dotted(callee).as_deref() {
            Some("asyncio.sleep") => NodeKind::Sleep,
            Some("asyncio.gather" | "asyncio.wait" | "asyncio.wait_for") => NodeKind::Join,
            Some("waymark.wait_for_signal") => NodeKind::Wait,
            Some(path) if self.program.functions.contains_key(path) => NodeKind::Call,
            _ => NodeKind::Wait,
        }
    }

    /// One awaitable an item, collected in a hidden list, then gathered.
    fn spread(&mut self, expr: &Expr, spread: &Spread) {
        self.mark(NodeKind::Fork);
        self.expression(&spread.items);
        self.emit(Op::Iter);
        let (iterator, calls) = (self.hidden("items"), self.hidden("calls"));
        self.emit(Op::Store(iterator));
        self.emit(Op::List(0));
        self.emit(Op::Store(calls));
        let (next, end) = (self.label(), self.label());
        let variables = self.comprehension_scope([&spread.variable].into_iter(), &[&spread.body]);
        self.place(next);
        self.emit(Op::Next { slot: iterator, end: end.0 });
        self.store(&spread.variable);
        self.expression(&spread.body);
        self.emit(Op::Append(calls));
        self.emit(Op::Jump(next.0));
        self.place(end);
        self.leave_comprehension_scope(variables);
        self.emit(Op::Peek(calls));
        self.emit(Op::Clear(calls));
        self.emit(Op::Gather { return_exceptions: spread.return_exceptions });
        self.open(NodeKind::Join, expr.span, || format!("join {}", waymark_ir::text::print_expression(&spread.items)));
        self.emit(Op::Await);
        self.after_wait(expr);
    }

    pub(super) fn fragment(&mut self, span: waymark_ir::Span, fragment: &waymark_ir::Fragment) {
        fragment.captures.iter().for_each(|(_, value)| self.expression(value));
        self.line(span);
        self.mark(NodeKind::Fragment);
        let fragments = &mut self.program.pool.fragments;
        fragments.push(crate::graph::FragmentSite {
            source: fragment.source.as_str().into(),
            captures: fragment.captures.iter().map(|(name, _)| name.as_str().into()).collect(),
            writes: fragment.writes.iter().map(|name| name.as_str().into()).collect(),
        });
        let at = fragments.len() as u32 - 1;
        self.emit(Op::Fragment(at));
        self.open(NodeKind::Assign, span, String::new);
    }

    /// `name = name + right` where `name` is a plain variable: may append in place.
    pub(super) fn extend_in_place(&mut self, target: &Expr, value: &Expr) -> bool {
        let (ExprKind::Name(name), ExprKind::Binary { op: BinaryOp::Add, left, right }) = (&target.kind, &value.kind)
        else {
            return false;
        };
        let ExprKind::Name(left) = &left.kind else { return false };
        let Some(variable) = self.variable(name).filter(|variable| left == name && !variable.is_cell) else {
            return false;
        };
        if waits(right) {
            return false;
        }
        // The left side comes first: where it is unbound, nothing of the right side may have happened.
        if !is_harmless(right) {
            self.emit(Op::Peek(variable.slot));
            self.emit(Op::Pop);
        }
        self.operand(right);
        self.line(value.span);
        self.emit(Op::Extend(variable.slot));
        true
    }
}

fn site_is_child(call: &waymark_ir::ActionCall) -> bool {
    matches!(call.target, waymark_ir::CallTarget::Workflow(_))
}

pub(super) fn is_starred(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Starred(_))
}

/// Whether evaluating it may wait.
fn waits(expr: &Expr) -> bool {
    let mut found =
        matches!(expr.kind, ExprKind::Await(_) | ExprKind::Spread(_) | ExprKind::Fragment(_) | ExprKind::Walrus { .. });
    waymark_ir::visit::children(expr, &mut |child| found |= waits(child));
    found
}

/// Whether evaluating it does nothing but look at variables.
fn is_harmless(expr: &Expr) -> bool {
    let mut harmless = matches!(expr.kind, ExprKind::Const(_) | ExprKind::Name(_) | ExprKind::List(_));
    waymark_ir::visit::children(expr, &mut |child| harmless &= is_harmless(child));
    harmless
}

/// `a.b.c` as a path.
pub(super) fn dotted(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name.clone()),
        ExprKind::Attribute { base, name } => dotted(base).map(|base| format!("{base}.{name}")),
        _ => None,
    }
}
