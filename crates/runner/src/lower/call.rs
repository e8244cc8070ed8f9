//! Calls, functions as values, and calls of actions.

use std::sync::Arc;

use waymark_ir::{ActionCall, Arg, CallTarget, Expr, ExprKind, Function, Policy, Span, Value as Constant};

use super::{FunctionLowering, PRELUDE};
use crate::graph::{ActionSite, Op, PolicyField};

impl FunctionLowering<'_> {
    pub(super) fn call(&mut self, span: Span, callee: &Expr, args: &[Arg]) {
        if is_plain(args) {
            let method = match &callee.kind {
                ExprKind::Attribute { base, name } if !self.dotted_global(callee) => {
                    self.operand(base);
                    let name = self.name(name);
                    if args.iter().any(may_have_effects) {
                        self.emit(Op::CheckMethod(name));
                    }
                    Some(name)
                }
                ExprKind::Attribute { .. } => None,
                _ => {
                    self.operand(callee);
                    None
                }
            };
            let (positional, keywords) = self.plain_arguments(args);
            let names = self.keywords(keywords);
            self.line(span);
            self.emit(match method {
                Some(name) => Op::CallMethod { name, positional, names },
                None => Op::Call { positional, names },
            });
        } else {
            self.expression(callee);
            self.spread_arguments(args);
            self.line(span);
            self.emit(Op::CallSpread);
        }
    }

    fn plain_arguments(&mut self, args: &[Arg]) -> (u16, Vec<Arc<str>>) {
        let (mut positional, mut keywords) = (0, Vec::new());
        for arg in args {
            match arg {
                Arg::Positional(value) => {
                    self.expression(value);
                    positional += 1;
                }
                Arg::Keyword(name, value) => {
                    self.expression(value);
                    keywords.push(Arc::from(name.as_str()));
                }
                Arg::Rest(_) | Arg::Options(_) => {}
            }
        }
        (positional, keywords)
    }

    /// A list of the positional arguments, and a dict of the others.
    fn spread_arguments(&mut self, args: &[Arg]) {
        self.emit(Op::List(0));
        for arg in args {
            match arg {
                Arg::Positional(value) => {
                    self.expression(value);
                    self.emit(Op::AppendTop);
                }
                Arg::Rest(value) => {
                    self.operand(value);
                    self.emit(Op::ExtendArguments);
                }
                Arg::Keyword(..) | Arg::Options(_) => {}
            }
        }
        self.emit(Op::Dict(0));
        for arg in args {
            match arg {
                Arg::Keyword(name, value) => {
                    self.constant(Constant::str(name.clone()));
                    self.expression(value);
                    self.emit(Op::Dict(1));
                    self.emit(Op::MergeTop { call: true });
                }
                Arg::Options(value) => {
                    self.operand(value);
                    self.emit(Op::MergeTop { call: true });
                }
                Arg::Positional(_) | Arg::Rest(_) => {}
            }
        }
    }

    pub(super) fn action_site(&mut self, call: &ActionCall) -> u32 {
        let spread = !is_plain(&call.args);
        let (positional, names) = if spread {
            self.spread_arguments(&call.args);
            (0, Vec::new())
        } else {
            self.plain_arguments(&call.args)
        };
        let mut policy = Vec::new();
        for (field, value) in policy_fields(&call.policy) {
            let is_off =
                || matches!(value, Some(Expr { kind: ExprKind::Const(Constant::Bool(false) | Constant::None), .. }));
            if field == PolicyField::Transaction && is_off() {
                continue;
            }
            if let Some(value) = value {
                self.expression(value);
                policy.push(field);
            }
        }
        let (name, is_workflow) = match &call.target {
            CallTarget::Action(name) => (name, false),
            CallTarget::Workflow(name) => (name, true),
        };
        let actions = &mut self.program.pool.actions;
        actions.push(ActionSite {
            name: name.as_str().into(),
            is_workflow,
            positional,
            names: names.into(),
            spread,
            policy,
        });
        actions.len() as u32 - 1
    }

    /// A nested function: its defaults, then the cells that it captures, then the function itself.
    pub(super) fn function(&mut self, function: &Function) {
        for default in function.params.iter().filter_map(|param| param.default.as_ref()) {
            self.expression(default);
        }
        let visible = self.visible();
        let around = Some((&self.path, &visible));
        let graph = FunctionLowering::run(self.program, function, around, self.outer.clone());
        for slot in &graph.captures_from {
            self.emit(Op::Capture(*slot));
        }
        let at = self.program.graphs.len() as u32;
        self.program.graphs.push(Some(graph));
        let bit = if self.program.is_prelude { PRELUDE } else { 0 };
        self.emit(Op::Function { graph: at | bit });
    }
}

/// Whether evaluating an argument can be observed.
fn may_have_effects(arg: &Arg) -> bool {
    fn expression(expr: &Expr) -> bool {
        let mut found = matches!(
            expr.kind,
            ExprKind::Call { .. }
                | ExprKind::Await(_)
                | ExprKind::Walrus { .. }
                | ExprKind::Spread(_)
                | ExprKind::Fragment(_)
        );
        waymark_ir::visit::children(expr, &mut |child| found |= expression(child));
        found
    }
    let (Arg::Positional(value) | Arg::Keyword(_, value) | Arg::Rest(value) | Arg::Options(value)) = arg;
    expression(value)
}

fn is_plain(args: &[Arg]) -> bool {
    args.iter().all(|arg| matches!(arg, Arg::Positional(_) | Arg::Keyword(..)))
}

fn policy_fields(policy: &Policy) -> [(PolicyField, &Option<Expr>); 11] {
    [
        (PolicyField::Attempts, &policy.attempts),
        (PolicyField::RetryOn, &policy.retry_on),
        (PolicyField::RetryTimeouts, &policy.retry_timeouts),
        (PolicyField::Backoff, &policy.backoff),
        (PolicyField::Factor, &policy.factor),
        (PolicyField::DelayMax, &policy.max_delay),
        (PolicyField::Jitter, &policy.jitter),
        (PolicyField::Timeout, &policy.timeout),
        (PolicyField::Grace, &policy.grace),
        (PolicyField::Queue, &policy.queue),
        (PolicyField::Transaction, &policy.transaction),
    ]
}

pub(super) fn constant_default(expr: &Expr) -> Option<Constant> {
    match &expr.kind {
        ExprKind::Const(value) => Some(value.clone()),
        _ => None,
    }
}
