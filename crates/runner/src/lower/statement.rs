//! Statements.

use waymark_ir::{Block, Expr, Handler, Stmt, StmtKind, Value as Constant, WithItem, text};

use super::{Exit, FunctionLowering, Label, REASON_EXIT, REASON_NORMAL, Way};
use crate::graph::{Finally, Names, NodeKind, Op, Statement, StatementKind, WayOut};
use crate::value::Value;

impl FunctionLowering<'_> {
    pub(super) fn block(&mut self, block: &Block) {
        let here = self.here();
        let number = self.inside.last_mut().map_or(0, |(around, next)| {
            if *next == 0 {
                self.statements[*around as usize].header_end = here;
            }
            *next += 1;
            *next - 1
        });
        block.iter().for_each(|stmt| self.statement(stmt, number));
    }

    /// Lowers a statement, and notes where its instructions are.
    fn statement(&mut self, stmt: &Stmt, block: u32) {
        let (at, start) = (self.statements.len(), self.here());
        let parent = self.inside.last().map(|(around, _)| *around);
        let (kind, line) = (kind_of(stmt), stmt.span.line);
        self.statements.push(Statement { start, end: start, header_end: u32::MAX, parent, block, kind, line });
        self.inside.push((at as u32, 0));
        self.lower_statement(stmt);
        self.inside.pop();
        let end = self.here();
        let noted = &mut self.statements[at];
        noted.end = end;
        noted.header_end = noted.header_end.min(end);
    }

    fn lower_statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::If { test, body, orelse } => self.branch(test, body, orelse),
            StmtKind::While { test, body, orelse } => self.repeat(test, body, orelse),
            StmtKind::For { target, iter, body, orelse, is_async: false } => self.for_each(target, iter, body, orelse),
            StmtKind::For { target, iter, body, orelse, is_async: true } => self.async_for(target, iter, body, orelse),
            StmtKind::Try { body, handlers, orelse, finally } => self.attempt(body, handlers, orelse, finally),
            StmtKind::With { items, body, is_async } => self.with(stmt, items, body, *is_async),
            StmtKind::Match { subject, cases } => self.match_cases(subject, cases),
            _ => self.simple(stmt),
        }
    }

    fn simple(&mut self, stmt: &Stmt) {
        let kind = match &stmt.kind {
            StmtKind::Return(_) => NodeKind::Return,
            StmtKind::Raise { .. } | StmtKind::Assert { .. } => NodeKind::Raise,
            _ => NodeKind::Assign,
        };
        self.open(kind, stmt.span, || text::print_statements(std::slice::from_ref(stmt), 0).trim_end().to_string());
        match &stmt.kind {
            StmtKind::Expr(value) => {
                self.operand(value);
                self.emit(Op::Pop);
            }
            StmtKind::Assign { targets, value } => self.assign(targets, value),
            StmtKind::AugAssign { target, op, value } => self.augment(target, *op, value),
            StmtKind::Delete(targets) => targets.iter().for_each(|target| self.delete(target)),
            StmtKind::Return(value) => {
                match value {
                    Some(value) => self.expression(value),
                    None => self.constant(Constant::None),
                }
                self.mark(NodeKind::Return);
                self.leave(Way::Return);
            }
            StmtKind::Raise { exception: None, .. } => self.emit(Op::Reraise),
            StmtKind::Raise { exception: Some(exception), cause } => {
                self.expression(exception);
                cause.iter().for_each(|cause| self.expression(cause));
                self.mark(NodeKind::Raise);
                self.emit(Op::Raise { cause: cause.is_some() });
            }
            StmtKind::Assert { test, message } => {
                let fine = self.label();
                self.condition(test, fine, true);
                message.iter().for_each(|message| self.expression(message));
                self.emit(Op::AssertFailed { message: message.is_some() });
                self.place(fine);
            }
            StmtKind::Break => self.leave_loop(true),
            StmtKind::Continue => self.leave_loop(false),
            StmtKind::Def(function) => {
                self.function(function);
                if let Some(variable) = self.variable(&function.name) {
                    self.store_variable(variable);
                }
            }
            _ => {}
        }
        self.join_trailing_store();
    }

    fn assign(&mut self, targets: &[Expr], value: &Expr) {
        if let [target] = targets
            && self.extend_in_place(target, value)
        {
            return;
        }
        self.expression(value);
        for (at, target) in targets.iter().enumerate() {
            if at + 1 < targets.len() {
                self.emit(Op::Dup(1));
            }
            self.store(target);
        }
    }

    /// `x = @f()` is one node: a store right behind a wait belongs to it.
    fn join_trailing_store(&mut self) {
        let [.., before, last] = &self.nodes[..] else { return };
        let tail = &self.code[last.start as usize..];
        let only_stores = matches!(tail, [Op::Store(_) | Op::StoreCell(_) | Op::Pop]) && last.kind == NodeKind::Assign;
        if only_stores && !before.kind.is_inline() {
            self.nodes.pop();
        }
    }

    fn branch(&mut self, test: &Expr, body: &Block, orelse: &Block) {
        let (no, end) = (self.label(), self.label());
        self.test("if", test, no);
        self.block(body);
        if !orelse.is_empty() {
            self.emit(Op::Jump(end.0));
        }
        self.place(no);
        self.block(orelse);
        self.place(end);
    }

    /// A branch node: goes to `otherwise` where the test is false.
    fn test(&mut self, word: &str, test: &Expr, otherwise: Label) {
        self.open(NodeKind::Branch, test.span, || format!("{word} {}", text::print_expression(test)));
        self.condition(test, otherwise, false);
        if self.nodes.last().is_some_and(|node| node.kind == NodeKind::Assign) {
            self.mark(NodeKind::Branch);
        }
    }

    fn repeat(&mut self, test: &Expr, body: &Block, orelse: &Block) {
        let (next, over, end) = (self.label(), self.label(), self.label());
        self.place(next);
        self.test("while", test, over);
        self.enter_loop(end, next);
        self.block(body);
        self.exits.pop();
        self.emit(Op::Jump(next.0));
        self.place(over);
        self.block(orelse);
        self.place(end);
    }

    fn for_each(&mut self, target: &Expr, iter: &Expr, body: &Block, orelse: &Block) {
        let iterator = self.hidden("iterator");
        self.open(NodeKind::Assign, iter.span, || format!("iterate {}", text::print_expression(iter)));
        self.expression(iter);
        self.emit(Op::Iter);
        self.emit(Op::Store(iterator));
        let (next, over, broken, end) = (self.label(), self.label(), self.label(), self.label());
        self.place(next);
        let span = target.span.to(iter.span);
        self.open(NodeKind::Branch, span, || format!("for {}", text::print_expression(target)));
        self.emit(Op::Next { slot: iterator, end: over.0 });
        self.store(target);
        self.enter_loop(broken, next);
        self.block(body);
        self.exits.pop();
        self.emit(Op::Jump(next.0));
        self.place(over);
        self.block(orelse);
        self.emit(Op::Jump(end.0));
        self.place(broken);
        self.emit(Op::Clear(iterator));
        self.place(end);
    }

    /// Awaits `__anext__()` until it raises StopAsyncIteration.
    fn async_for(&mut self, target: &Expr, iter: &Expr, body: &Block, orelse: &Block) {
        let iterator = self.hidden("iterator");
        let (start, advance) = (self.name("__aiter__"), self.name("__anext__"));
        self.open(NodeKind::Assign, iter.span, || format!("iterate {}", text::print_expression(iter)));
        self.operand(iter);
        self.emit(Op::CallMethod { name: start, positional: 0, names: Names::NONE });
        self.emit(Op::Store(iterator));
        let (next, over, broken, end, stopped) = (self.label(), self.label(), self.label(), self.label(), self.label());
        self.place(next);
        self.open(NodeKind::Wait, target.span, || format!("async for {}", text::print_expression(target)));
        self.protect(stopped, |this| {
            this.emit(Op::Peek(iterator));
            this.emit(Op::CallMethod { name: advance, positional: 0, names: Names::NONE });
            this.emit(Op::Await);
        });
        self.open(NodeKind::Assign, target.span, || text::print_expression(target));
        self.store(target);
        self.enter_loop(broken, next);
        self.block(body);
        self.exits.pop();
        self.emit(Op::Jump(next.0));
        self.place(stopped);
        self.open(NodeKind::Handler, iter.span, || "end of iteration".into());
        self.emit(Op::EndAsyncFor { slot: iterator, end: over.0 });
        self.place(over);
        self.block(orelse);
        self.emit(Op::Jump(end.0));
        self.place(broken);
        self.emit(Op::Clear(iterator));
        self.place(end);
    }

    // ---- leaving

    fn enter_loop(&mut self, on_break: Label, on_continue: Label) {
        let statement = self.inside.last().map_or(0, |(at, _)| *at);
        self.exits.push(Exit::Loop { statement, on_break, on_continue });
    }

    /// What a way out of a `finally` block leads to, of the loops around it.
    fn way_out(&self, way: Way) -> WayOut {
        let Way::Jump(to) = way else { return WayOut::Return };
        let found = self.exits.iter().rev().find_map(|exit| match exit {
            Exit::Loop { statement, on_break, .. } if *on_break == to => Some(WayOut::Break(*statement)),
            Exit::Loop { statement, on_continue, .. } if *on_continue == to => Some(WayOut::Continue(*statement)),
            _ => None,
        });
        found.unwrap_or(WayOut::Return)
    }

    fn leave_loop(&mut self, is_break: bool) {
        let found = self.exits.iter().rev().find_map(|exit| match exit {
            Exit::Loop { on_break, on_continue, .. } => Some(if is_break { *on_break } else { *on_continue }),
            _ => None,
        });
        if let Some(label) = found {
            self.leave(Way::Jump(label));
        }
    }

    /// Leaves for good: past handlers, through the nearest `finally` block, which goes on from there.
    fn leave(&mut self, way: Way) {
        self.leave_from(self.exits.len(), way);
    }

    fn leave_from(&mut self, depth: usize, way: Way) {
        for at in (0..depth).rev() {
            match &mut self.exits[at] {
                Exit::Loop { on_break, on_continue, .. } => {
                    if matches!(way, Way::Jump(to) if to == *on_break || to == *on_continue) {
                        break;
                    }
                }
                Exit::Handler { name } => {
                    let name = *name;
                    self.emit(Op::LeaveHandler);
                    if let Some(variable) = name {
                        self.clear_variable(variable);
                    }
                }
                Exit::Finally { payload, start, exits } => {
                    let (payload, start) = (*payload, *start);
                    let number = exits.iter().position(|known| *known == way).unwrap_or_else(|| {
                        exits.push(way);
                        exits.len() - 1
                    });
                    if way == Way::Return {
                        self.emit(Op::Store(payload));
                    }
                    self.value(Value::Int(REASON_EXIT + number as i64));
                    self.emit(Op::Store(payload + 1));
                    self.emit(Op::Jump(start.0));
                    return;
                }
            }
        }
        match way {
            Way::Return => self.emit(Op::Return),
            Way::Jump(to) => self.emit(Op::Jump(to.0)),
        }
    }

    // ---- exceptions

    fn attempt(&mut self, body: &Block, handlers: &[Handler], orelse: &Block, finally: &Block) {
        if finally.is_empty() {
            return self.catch(body, handlers, orelse);
        }
        let span = finally.first().map(|stmt| stmt.span).unwrap_or_default();
        self.with_finally(
            |this| match handlers {
                [] => {
                    this.block(body);
                    this.block(orelse);
                }
                _ => this.catch(body, handlers, orelse),
            },
            span,
            |this, _| this.block(finally),
        );
    }

    /// Runs `cleanup` however `body` is left. It is emitted once; its end goes on in the way that was wanted.
    fn with_finally(
        &mut self,
        body: impl FnOnce(&mut Self),
        span: waymark_ir::Span,
        cleanup: impl FnOnce(&mut Self, u32),
    ) {
        let payload = self.hidden("payload");
        self.hidden("reason");
        let (raised, start) = (self.label(), self.label());
        self.exits.push(Exit::Finally { payload, start, exits: Vec::new() });
        self.protect(raised, |this| {
            body(this);
            this.value(Value::Int(REASON_NORMAL));
            this.emit(Op::Store(payload + 1));
        });
        let exits = match self.exits.pop() {
            Some(Exit::Finally { exits, .. }) => exits,
            _ => Vec::new(),
        };
        let ways = exits.iter().map(|way| self.way_out(*way)).collect();
        self.finallys.push(Finally { payload, exits: ways });
        self.emit(Op::Jump(start.0));
        self.place(raised);
        self.open(NodeKind::Handler, span, || "finally".into());
        self.emit(Op::FinallyRaised(payload));
        self.place(start);
        self.emit(Op::EnterFinally(payload));
        self.handling += 1;
        // Leaving the block itself by `return` or `break` forgets why it ran.
        self.exits.push(Exit::Handler { name: None });
        cleanup(self, payload);
        self.exits.pop();
        self.handling -= 1;
        // Exit n is the jump behind this instruction at place n; falling through skips them.
        let over = self.label();
        self.emit(Op::EndFinally { payload, exits: exits.len() as u16 });
        self.emit(Op::Jump(over.0));
        let stubs: Vec<Label> = exits.iter().map(|_| self.label()).collect();
        stubs.iter().for_each(|stub| self.emit(Op::Jump(stub.0)));
        for (stub, way) in stubs.into_iter().zip(exits) {
            self.place(stub);
            if way == Way::Return {
                self.emit(Op::Load(payload));
            }
            self.leave(way);
        }
        self.place(over);
    }

    fn catch(&mut self, body: &Block, handlers: &[Handler], orelse: &Block) {
        let (raised, end) = (self.label(), self.label());
        self.protect(raised, |this| this.block(body));
        self.block(orelse);
        self.emit(Op::Jump(end.0));
        self.place(raised);
        let span = handlers.first().map(|handler| handler.span).unwrap_or_default();
        self.open(NodeKind::Handler, span, || "except".into());
        self.emit(Op::EnterHandler);
        self.handling += 1;
        let mut catches_all = false;
        for handler in handlers {
            let next = self.label();
            let class = handler.exception.as_ref();
            self.open(NodeKind::Branch, handler.span, || match class {
                Some(class) => format!("except {}", text::print_expression(class)),
                None => "except".into(),
            });
            match class {
                Some(class) => {
                    self.expression(class);
                    self.emit(Op::MatchException);
                    self.emit(Op::JumpIfFalse(next.0));
                }
                None => catches_all = true,
            }
            self.handle(handler);
            self.emit(Op::Jump(end.0));
            self.place(next);
        }
        if !catches_all {
            self.open(NodeKind::Raise, span, || "raise".into());
            self.emit(Op::Handled);
            self.emit(Op::LeaveHandler);
            self.emit(Op::Rethrow);
        }
        self.handling -= 1;
        self.place(end);
    }

    /// The body of an `except` clause; its variable is unbound at the end, however it is left.
    fn handle(&mut self, handler: &Handler) {
        let Some(variable) = handler.name.as_deref().and_then(|name| self.variable(name)) else {
            self.exits.push(Exit::Handler { name: None });
            self.block(&handler.body);
            self.exits.pop();
            self.emit(Op::LeaveHandler);
            return;
        };
        self.emit(Op::Handled);
        self.store_variable(variable);
        let (failed, end) = (self.label(), self.label());
        self.exits.push(Exit::Handler { name: Some(variable) });
        self.protect(failed, |this| this.block(&handler.body));
        self.exits.pop();
        self.emit(Op::LeaveHandler);
        self.clear_variable(variable);
        self.emit(Op::Jump(end.0));
        self.place(failed);
        self.open(NodeKind::Raise, handler.span, || "raise".into());
        self.clear_variable(variable);
        self.emit(Op::Rethrow);
        self.place(end);
    }

    // ---- with

    fn with(&mut self, stmt: &Stmt, items: &[WithItem], body: &Block, is_async: bool) {
        let Some((item, rest)) = items.split_first() else { return self.block(body) };
        let (enter, exit) = match is_async {
            true => (self.name("__aenter__"), self.name("__aexit__")),
            false => (self.name("__enter__"), self.name("__exit__")),
        };
        let manager = self.hidden("manager");
        self.open(NodeKind::Assign, stmt.span, || format!("with {}", text::print_expression(&item.context)));
        self.expression(&item.context);
        self.emit(Op::Store(manager));
        self.emit(Op::Peek(manager));
        self.emit(Op::CallMethod { name: enter, positional: 0, names: Names::NONE });
        if is_async {
            self.mark(NodeKind::Wait);
            self.emit(Op::Await);
            self.open(NodeKind::Assign, stmt.span, || "enter".into());
        }
        let target = item.target.clone();
        self.with_finally(
            |this| {
                match &target {
                    Some(target) => this.store(target),
                    None => this.emit(Op::Pop),
                }
                this.with(stmt, rest, body, is_async);
            },
            stmt.span,
            |this, payload| {
                this.emit(Op::Peek(manager));
                this.emit(Op::FinallyException(payload));
                this.emit(Op::CallMethod { name: exit, positional: 1, names: Names::NONE });
                if is_async {
                    this.mark(NodeKind::Wait);
                    this.emit(Op::Await);
                    this.open(NodeKind::Branch, stmt.span, || "exit".into());
                }
                this.emit(Op::FinallySuppress(payload));
                this.emit(Op::Clear(manager));
            },
        );
    }
}

fn kind_of(stmt: &Stmt) -> StatementKind {
    match &stmt.kind {
        StmtKind::If { .. } => StatementKind::If,
        StmtKind::While { .. } => StatementKind::While,
        StmtKind::For { is_async: false, .. } => StatementKind::For,
        StmtKind::For { is_async: true, .. } => StatementKind::AsyncFor,
        StmtKind::Try { .. } => StatementKind::Try,
        StmtKind::With { .. } => StatementKind::With,
        StmtKind::Match { .. } => StatementKind::Match,
        _ => StatementKind::Simple,
    }
}
