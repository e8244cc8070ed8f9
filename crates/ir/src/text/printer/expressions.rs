//! Expressions, with parentheses where precedence asks for them.

use super::{Printer, constants, path, strings};
use crate::{
    ActionCall, Arg, BinaryOp, BoolOp, CallTarget, Clause, Comprehension, ComprehensionKind, DictItem, Expr, ExprKind,
    Fragment, Function, Policy, Spread, StmtKind, UnaryOp, Value,
};

/// Binding strengths, weakest first.
pub(super) const LOWEST: u8 = 0;
const WALRUS: u8 = 1;
pub(super) const TERNARY: u8 = 2;
pub(super) const OR: u8 = 3;
const AND: u8 = 4;
const NOT: u8 = 5;
const COMPARISON: u8 = 6;
pub(super) const BIT_OR: u8 = 7;
const UNARY: u8 = 13;
const POWER: u8 = 14;
const AWAIT: u8 = 15;
const PRIMARY: u8 = 16;

impl Printer {
    /// After `=` or as a statement, where `yield` and `spread` need no parentheses.
    pub(super) fn right_hand_side(&mut self, expression: &Expr) {
        let is_walrus = matches!(expression.kind, ExprKind::Walrus { .. });
        self.expression(expression, if is_walrus { TERNARY } else { LOWEST });
    }

    /// A tuple of targets without its parentheses.
    pub(super) fn target(&mut self, target: &Expr) {
        match &target.kind {
            ExprKind::Tuple(items) if !items.is_empty() => self.tuple_items(items),
            _ => self.expression(target, BIT_OR),
        }
    }

    /// In parentheses if it binds weaker than `minimum`.
    pub(super) fn expression(&mut self, expression: &Expr, minimum: u8) {
        let parentheses = strength(expression) < minimum;
        if parentheses {
            self.write("(");
        }
        self.bare(expression);
        if parentheses {
            self.write(")");
        }
    }

    fn bare(&mut self, expression: &Expr) {
        match &expression.kind {
            ExprKind::Const(value) => {
                let text = constants::constant(value, self.in_format);
                self.write(&text);
            }
            ExprKind::Name(name) => self.write(name),
            ExprKind::List(items) => {
                self.write("[");
                self.commas(items, |printer, item| printer.expression(item, TERNARY));
                self.write("]");
            }
            ExprKind::Tuple(items) => {
                self.write("(");
                self.tuple_items(items);
                self.write(")");
            }
            ExprKind::Set(items) => self.set(items),
            ExprKind::Dict(items) => self.dict(items),
            ExprKind::Starred(inner) => {
                self.write("*");
                self.expression(inner, BIT_OR);
            }
            ExprKind::Unary { op, operand } => self.unary(*op, operand),
            ExprKind::Binary { op, left, right } => self.binary(*op, left, right),
            ExprKind::Bool { op, operands } => {
                let (word, strength) = if *op == BoolOp::And { (" and ", AND) } else { (" or ", OR) };
                for (index, operand) in operands.iter().enumerate() {
                    self.write(if index > 0 { word } else { "" });
                    self.expression(operand, strength + 1);
                }
            }
            ExprKind::Compare { left, rest } => {
                self.expression(left, BIT_OR);
                for (op, right) in rest {
                    self.write(&format!(" {} ", op.symbol()));
                    self.expression(right, BIT_OR);
                }
            }
            ExprKind::Conditional { test, then, orelse } => {
                self.expression(then, OR);
                self.write(" if ");
                self.expression(test, OR);
                self.write(" else ");
                self.expression(orelse, TERNARY);
            }
            ExprKind::Walrus { name, value } => {
                self.write(&format!("{name} := "));
                self.expression(value, TERNARY);
            }
            ExprKind::Attribute { base, name } => {
                self.expression(base, PRIMARY);
                self.write(&format!(".{name}"));
            }
            ExprKind::Index { base, index } => {
                self.expression(base, PRIMARY);
                self.write("[");
                self.index(index);
                self.write("]");
            }
            ExprKind::Slice { lower, upper, step } => self.slice(lower.as_deref(), upper.as_deref(), step.as_deref()),
            ExprKind::Call { callee, args } => {
                self.expression(callee, PRIMARY);
                self.args(args);
            }
            ExprKind::Lambda(function) => self.lambda(function),
            ExprKind::Comprehension(comprehension) => self.comprehension(comprehension, true),
            ExprKind::Format(parts) => self.format(parts),
            ExprKind::Await(inner) => match &inner.kind {
                ExprKind::Action(call) => self.action(call),
                _ => {
                    self.write("await ");
                    self.expression(inner, PRIMARY);
                }
            },
            ExprKind::YieldFrom(items) => {
                self.write("yield from ");
                self.expression(items, TERNARY);
            }
            ExprKind::Yield(None) => self.write("yield"),
            ExprKind::Yield(Some(value)) => {
                self.write("yield ");
                self.expression(value, TERNARY);
            }
            ExprKind::Action(call) => {
                self.write("async ");
                self.action(call);
            }
            ExprKind::Spread(spread) => self.spread(spread),
            ExprKind::Fragment(fragment) => self.fragment(fragment),
        }
    }

    fn tuple_items(&mut self, items: &[Expr]) {
        self.commas(items, |printer, item| printer.expression(item, TERNARY));
        if items.len() == 1 {
            self.write(",");
        }
    }

    fn set(&mut self, items: &[Expr]) {
        // There is no display of an empty set; this is one in all but name.
        if items.is_empty() {
            return self.write("{*()}");
        }
        self.write("{");
        self.commas(items, |printer, item| printer.expression(item, TERNARY));
        self.write("}");
    }

    fn dict(&mut self, items: &[DictItem]) {
        self.write("{");
        self.commas(items, |printer, item| match item {
            DictItem::Entry(key, value) => {
                printer.expression(key, OR);
                printer.write(": ");
                printer.expression(value, TERNARY);
            }
            DictItem::Merge(mapping) => {
                printer.write("**");
                printer.expression(mapping, BIT_OR);
            }
        });
        self.write("}");
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) {
        let (text, strength) = match op {
            UnaryOp::Not => ("not ", NOT),
            UnaryOp::Negative => ("-", UNARY),
            UnaryOp::Positive => ("+", UNARY),
            UnaryOp::Invert => ("~", UNARY),
        };
        self.write(text);
        // `-1` is a constant, so the negation of the constant 1 has to look different.
        let literal = matches!(operand.kind, ExprKind::Const(Value::Int(_) | Value::BigInt(_) | Value::Float(_)));
        self.expression(operand, if literal && op == UnaryOp::Negative { PRIMARY + 1 } else { strength });
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        let (text, strength) = operator(op);
        let (left_minimum, right_minimum) =
            if op == BinaryOp::Power { (AWAIT, UNARY) } else { (strength, strength + 1) };
        self.expression(left, left_minimum);
        self.write(&format!(" {text} "));
        self.expression(right, right_minimum);
    }

    fn index(&mut self, index: &Expr) {
        match &index.kind {
            ExprKind::Tuple(items)
                if !items.is_empty()
                    && (!items.iter().any(|item| matches!(item.kind, ExprKind::Starred(_)))
                        || items.iter().any(|item| matches!(item.kind, ExprKind::Slice { .. }))) =>
            {
                self.tuple_items(items)
            }
            _ => self.expression(index, TERNARY),
        }
    }

    fn slice(&mut self, lower: Option<&Expr>, upper: Option<&Expr>, step: Option<&Expr>) {
        for (index, part) in [lower, upper, step].into_iter().enumerate() {
            if index == 1 || index == 2 && part.is_some() {
                self.write(":");
            }
            if let Some(part) = part {
                self.expression(part, OR);
            }
        }
    }

    fn args(&mut self, args: &[Arg]) {
        self.write("(");
        match args {
            [Arg::Positional(Expr { kind: ExprKind::Comprehension(only), .. })] => self.comprehension(only, false),
            _ => self.commas(args, |printer, arg| match arg {
                Arg::Positional(value) => printer.expression(value, TERNARY),
                Arg::Keyword(name, value) => {
                    printer.write(&format!("{name}="));
                    printer.expression(value, TERNARY);
                }
                Arg::Rest(value) => {
                    printer.write("*");
                    printer.expression(value, BIT_OR);
                }
                Arg::Options(value) => {
                    printer.write("**");
                    printer.expression(value, BIT_OR);
                }
            }),
        }
        self.write(")");
    }

    fn lambda(&mut self, function: &Function) {
        self.write("lambda");
        if !function.params.is_empty() {
            self.write(" ");
            self.params(&function.params);
        }
        self.write(": ");
        match function.body.first().map(|statement| &statement.kind) {
            Some(StmtKind::Return(Some(value))) => self.expression(value, TERNARY),
            _ => self.write("None"),
        }
    }

    /// A generator that is alone in a call shares the call's parentheses.
    fn comprehension(&mut self, comprehension: &Comprehension, own_parentheses: bool) {
        let (open, close) = match &comprehension.kind {
            ComprehensionKind::List(_) => ("[", "]"),
            ComprehensionKind::Set(_) | ComprehensionKind::Dict(..) => ("{", "}"),
            ComprehensionKind::Generator(_) if own_parentheses => ("(", ")"),
            ComprehensionKind::Generator(_) => ("", ""),
        };
        self.write(open);
        match &comprehension.kind {
            ComprehensionKind::List(element)
            | ComprehensionKind::Set(element)
            | ComprehensionKind::Generator(element) => self.expression(element, TERNARY),
            ComprehensionKind::Dict(key, value) => {
                self.expression(key, OR);
                self.write(": ");
                self.expression(value, TERNARY);
            }
        }
        for Clause { target, iter, conditions, is_async } in &comprehension.clauses {
            self.write(if *is_async { " async for " } else { " for " });
            self.target(target);
            self.write(" in ");
            self.expression(iter, OR);
            for condition in conditions {
                self.write(" if ");
                self.expression(condition, OR);
            }
        }
        self.write(close);
    }

    // ---------------------------------------------------------------------------------------- leaving the instance

    fn action(&mut self, call: &ActionCall) {
        match &call.target {
            CallTarget::Action(name) => self.write(&format!("@{}", path(name))),
            CallTarget::Workflow(name) => self.write(&format!("@workflow {}", path(name))),
        }
        self.args(&call.args);
        self.policy(&call.policy);
    }

    fn policy(&mut self, policy: &Policy) {
        let groups: [&[(&str, &Option<Expr>, bool)]; 5] = [
            &[
                ("retry", &policy.attempts, false),
                ("backoff", &policy.backoff, true),
                ("factor", &policy.factor, false),
                ("max_delay", &policy.max_delay, true),
                ("jitter", &policy.jitter, false),
                ("on", &policy.retry_on, false),
                ("timeouts", &policy.retry_timeouts, false),
            ],
            &[("timeout", &policy.timeout, true)],
            &[("grace", &policy.grace, true)],
            &[("queue", &policy.queue, false)],
            &[("transaction", &policy.transaction, false)],
        ];
        for group in groups {
            let present =
                group.iter().filter_map(|(key, value, is_duration)| Some((key, value.as_ref()?, is_duration)));
            let mut separator = " [";
            for (key, value, is_duration) in present {
                self.write(&format!("{separator}{key}: "));
                separator = ", ";
                let duration = match &value.kind {
                    ExprKind::Const(value) if *is_duration => constants::duration(value),
                    _ => None,
                };
                match duration {
                    Some(text) => self.write(&text),
                    None => self.expression(value, TERNARY),
                }
            }
            if separator == ", " {
                self.write("]");
            }
        }
    }

    fn spread(&mut self, spread: &Spread) {
        self.write(if spread.return_exceptions { "spread(return_exceptions=True) " } else { "spread " });
        self.guarded(&spread.items, OR);
        self.write(":");
        self.guarded(&spread.variable, BIT_OR);
        self.write(" -> ");
        match &spread.body.kind {
            ExprKind::Action(call) => self.action(call),
            ExprKind::Await(inner) if matches!(inner.kind, ExprKind::Action(_)) => {
                self.write("await ");
                self.bare(inner);
            }
            ExprKind::Spread(inner) => self.spread(inner),
            _ => self.expression(&spread.body, TERNARY),
        }
    }

    /// In parentheses also if it could be taken for the spread itself, or for its options.
    fn guarded(&mut self, expression: &Expr, minimum: u8) {
        let start = self.out.len();
        self.expression(expression, minimum);
        let text = &self.out[start..];
        let bracketed = matches!(expression.kind, ExprKind::Tuple(_) | ExprKind::List(_));
        if !bracketed && (text.contains("spread") || text.starts_with("(return_exceptions")) {
            self.out.insert(start, '(');
            self.out.push(')');
        }
    }

    fn fragment(&mut self, fragment: &Fragment) {
        self.write("fragment ");
        let source = strings::source(&fragment.source, self.in_format);
        self.write(&source);
        self.write(" (");
        self.commas(&fragment.captures, |printer, (name, value)| {
            printer.write(&format!("{name}="));
            printer.expression(value, TERNARY);
        });
        self.write(")");
        if !fragment.writes.is_empty() {
            self.write(&format!(" -> [{}]", fragment.writes.join(", ")));
        }
    }
}

fn strength(expression: &Expr) -> u8 {
    match &expression.kind {
        ExprKind::Yield(_) | ExprKind::YieldFrom(_) | ExprKind::Spread(_) => LOWEST,
        ExprKind::Walrus { .. } => WALRUS,
        ExprKind::Conditional { .. } | ExprKind::Lambda(_) => TERNARY,
        ExprKind::Bool { op: BoolOp::Or, .. } => OR,
        ExprKind::Bool { op: BoolOp::And, .. } => AND,
        ExprKind::Unary { op: UnaryOp::Not, .. } => NOT,
        ExprKind::Unary { .. } => UNARY,
        ExprKind::Compare { .. } => COMPARISON,
        ExprKind::Binary { op, .. } => operator(*op).1,
        ExprKind::Await(_) | ExprKind::Action(_) | ExprKind::Fragment(_) => AWAIT,
        // A number before a dot would swallow it, and a negative one is an operator in Python's eyes.
        ExprKind::Const(Value::Int(number)) if *number < 0 => UNARY,
        ExprKind::Const(Value::BigInt(number)) if number.sign() == num_bigint::Sign::Minus => UNARY,
        ExprKind::Const(Value::Float(number)) if number.is_sign_negative() && !number.is_nan() => UNARY,
        ExprKind::Const(Value::Int(_) | Value::BigInt(_) | Value::Float(_)) => AWAIT,
        _ => PRIMARY,
    }
}

fn operator(op: BinaryOp) -> (&'static str, u8) {
    match op {
        BinaryOp::BitOr => ("|", BIT_OR),
        BinaryOp::BitXor => ("^", 8),
        BinaryOp::BitAnd => ("&", 9),
        BinaryOp::ShiftLeft => ("<<", 10),
        BinaryOp::ShiftRight => (">>", 10),
        BinaryOp::Add => ("+", 11),
        BinaryOp::Subtract => ("-", 11),
        BinaryOp::Multiply => ("*", 12),
        BinaryOp::Divide => ("/", 12),
        BinaryOp::FloorDivide => ("//", 12),
        BinaryOp::Modulo => ("%", 12),
        BinaryOp::MatrixMultiply => ("@", 12),
        BinaryOp::Power => ("**", POWER),
    }
}

pub(super) fn operator_text(op: BinaryOp) -> &'static str {
    operator(op).0
}
