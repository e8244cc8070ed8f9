//! What a program means, as 32 bytes. SHA-256 over a canonical form of the tree: without spans and source texts, functions and
//! types in the order of their names. The form is ours alone, so that no library's encoding can change a hash.
//!
//! Each node is a tag, then its parts in a fixed order; strings and lists carry their length, options a flag. So no two
//! trees share a form.

use crate::*;
use sha2::{Digest, Sha256};

/// The identity of a program's meaning.
pub fn ir_hash(program: &Program) -> [u8; 32] {
    let mut form = Canonical { hasher: Sha256::new() };
    form.program(program);
    form.hasher.finalize().into()
}

/// A hash as people see it: 64 lower-case digits.
pub fn hash_hex(hash: &[u8; 32]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Raised when the form itself changes: every hash does then.
const FORM: &str = "waymark program 1";
/// Settings of a policy that there have always been.
const FIRST_SETTINGS: usize = 10;
/// Before what was not there in the first form and is left out where it is not used: no other tag is so high.
const ADDED: u8 = 255;

struct Canonical {
    hasher: Sha256,
}

impl Canonical {
    fn tag(&mut self, tag: u8) {
        self.hasher.update([tag]);
    }

    fn flag(&mut self, flag: bool) {
        self.tag(u8::from(flag));
    }

    fn number(&mut self, number: u64) {
        self.hasher.update(number.to_be_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.hasher.update(bytes);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.number(items.len() as u64);
        for item in items {
            write(self, item);
        }
    }

    fn option<T>(&mut self, item: Option<&T>, write: impl FnOnce(&mut Self, &T)) {
        self.flag(item.is_some());
        if let Some(item) = item {
            write(self, item);
        }
    }

    fn texts(&mut self, texts: &[String]) {
        self.list(texts, |form, text| form.text(text));
    }

    fn optional_text(&mut self, text: &Option<String>) {
        self.option(text.as_ref(), |form, text| form.text(text));
    }

    // -------------------------------------------------------------------------------------------- declarations

    fn program(&mut self, program: &Program) {
        self.text(FORM);
        self.text(&program.name);
        self.tag(match program.dialect {
            Dialect::Python => 1,
            Dialect::Flow => 2,
        });
        self.number(u64::from(program.semantics));
        self.text(&program.entry);
        let mut types: Vec<&TypeDescriptor> = program.types.iter().collect();
        types.sort_by(|left, right| left.name.cmp(&right.name));
        self.list(&types, |form, descriptor| form.descriptor(descriptor));
        let mut functions: Vec<&Function> = program.functions.iter().collect();
        functions.sort_by(|left, right| left.name.cmp(&right.name));
        self.list(&functions, |form, function| form.function(function));
    }

    fn descriptor(&mut self, descriptor: &TypeDescriptor) {
        self.text(&descriptor.name);
        self.texts(&descriptor.bases);
        match &descriptor.kind {
            TypeKind::Opaque => self.tag(1),
            TypeKind::Record { frozen, eq, order } => {
                self.tag(2);
                self.flag(*frozen);
                self.flag(*eq);
                self.flag(*order);
            }
            TypeKind::Exception => self.tag(3),
            TypeKind::Enum(members) => {
                self.tag(4);
                self.named_values(members);
            }
        }
        self.list(&descriptor.fields, |form, field| {
            form.text(&field.name);
            form.option(field.default.as_ref(), Self::value);
        });
        // No name has an equals sign in it.
        let methods = descriptor.methods.iter().map(|(name, function)| format!("{name}={function}"));
        let own: Vec<String> = descriptor.overrides.iter().cloned().chain(methods).collect();
        self.texts(&own);
    }

    fn function(&mut self, function: &Function) {
        self.text(&function.name);
        self.tag(match function.kind {
            FunctionKind::Durable => 1,
            FunctionKind::Plain => 2,
        });
        self.list(&function.params, |form, param| {
            form.text(&param.name);
            form.tag(match param.kind {
                ParamKind::PositionalOnly => 1,
                ParamKind::Positional => 2,
                ParamKind::Rest => 3,
                ParamKind::KeywordOnly => 4,
                ParamKind::Options => 5,
            });
            form.option(param.default.as_ref(), Self::expr);
        });
        self.texts(&function.outputs);
        self.block(&function.body);
        // Programs without one keep the hash that they had before there was this.
        if let Some(origin) = &function.origin {
            self.tag(ADDED);
            self.tag(1 + u8::from(origin.is_method));
            self.text(&origin.qualified);
        }
    }

    // -------------------------------------------------------------------------------------------- statements

    fn block(&mut self, block: &[Stmt]) {
        self.list(block, Self::statement);
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Expr(value) => {
                self.tag(1);
                self.expr(value);
            }
            StmtKind::Assign { targets, value } => {
                self.tag(2);
                self.list(targets, Self::expr);
                self.expr(value);
            }
            StmtKind::AugAssign { target, op, value } => {
                self.tag(3);
                self.expr(target);
                self.binary_op(*op);
                self.expr(value);
            }
            StmtKind::Delete(targets) => {
                self.tag(4);
                self.list(targets, Self::expr);
            }
            StmtKind::If { test, body, orelse } => {
                self.tag(5);
                self.expr(test);
                self.block(body);
                self.block(orelse);
            }
            StmtKind::While { test, body, orelse } => {
                self.tag(6);
                self.expr(test);
                self.block(body);
                self.block(orelse);
            }
            StmtKind::For { target, iter, body, orelse, is_async } => {
                self.tag(7);
                self.flag(*is_async);
                self.expr(target);
                self.expr(iter);
                self.block(body);
                self.block(orelse);
            }
            StmtKind::Try { body, handlers, orelse, finally } => {
                self.tag(8);
                self.block(body);
                self.list(handlers, |form, handler| {
                    form.option(handler.exception.as_ref(), Self::expr);
                    form.optional_text(&handler.name);
                    form.block(&handler.body);
                });
                self.block(orelse);
                self.block(finally);
            }
            StmtKind::With { items, body, is_async } => {
                self.tag(9);
                self.flag(*is_async);
                self.list(items, |form, item| {
                    form.expr(&item.context);
                    form.option(item.target.as_ref(), Self::expr);
                });
                self.block(body);
            }
            StmtKind::Match { subject, cases } => {
                self.tag(10);
                self.expr(subject);
                self.list(cases, |form, case| {
                    form.pattern(&case.pattern);
                    form.option(case.guard.as_ref(), Self::expr);
                    form.block(&case.body);
                });
            }
            StmtKind::Return(value) => {
                self.tag(11);
                self.option(value.as_ref(), Self::expr);
            }
            StmtKind::Raise { exception, cause } => {
                self.tag(12);
                self.option(exception.as_ref(), Self::expr);
                self.option(cause.as_ref(), Self::expr);
            }
            StmtKind::Assert { test, message } => {
                self.tag(13);
                self.expr(test);
                self.option(message.as_ref(), Self::expr);
            }
            StmtKind::Break => self.tag(14),
            StmtKind::Continue => self.tag(15),
            StmtKind::Pass => self.tag(16),
            StmtKind::Def(function) => {
                self.tag(17);
                self.function(function);
            }
            StmtKind::Nonlocal(names) => {
                self.tag(18);
                self.texts(names);
            }
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Wildcard => self.tag(1),
            PatternKind::Capture(name) => {
                self.tag(2);
                self.text(name);
            }
            PatternKind::Value(value) => {
                self.tag(3);
                self.expr(value);
            }
            PatternKind::Singleton(value) => {
                self.tag(4);
                self.value(value);
            }
            PatternKind::Sequence(items) => {
                self.tag(5);
                self.list(items, Self::pattern);
            }
            PatternKind::Star(name) => {
                self.tag(6);
                self.optional_text(name);
            }
            PatternKind::Mapping { entries, rest } => {
                self.tag(7);
                self.list(entries, |form, (key, pattern)| {
                    form.expr(key);
                    form.pattern(pattern);
                });
                self.optional_text(rest);
            }
            PatternKind::Class { class, positional, keyword } => {
                self.tag(8);
                self.expr(class);
                self.list(positional, Self::pattern);
                self.list(keyword, |form, (name, pattern)| {
                    form.text(name);
                    form.pattern(pattern);
                });
            }
            PatternKind::Or(alternatives) => {
                self.tag(9);
                self.list(alternatives, Self::pattern);
            }
            PatternKind::As { pattern, name } => {
                self.tag(10);
                self.pattern(pattern);
                self.text(name);
            }
        }
    }

    // -------------------------------------------------------------------------------------------- expressions

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(value) => {
                self.tag(1);
                self.value(value);
            }
            ExprKind::Name(name) => {
                self.tag(2);
                self.text(name);
            }
            ExprKind::List(items) => {
                self.tag(3);
                self.list(items, Self::expr);
            }
            ExprKind::Tuple(items) => {
                self.tag(4);
                self.list(items, Self::expr);
            }
            ExprKind::Set(items) => {
                self.tag(5);
                self.list(items, Self::expr);
            }
            ExprKind::Dict(items) => {
                self.tag(6);
                self.list(items, |form, item| match item {
                    DictItem::Entry(key, value) => {
                        form.tag(1);
                        form.expr(key);
                        form.expr(value);
                    }
                    DictItem::Merge(value) => {
                        form.tag(2);
                        form.expr(value);
                    }
                });
            }
            ExprKind::Starred(inner) => {
                self.tag(7);
                self.expr(inner);
            }
            ExprKind::Unary { op, operand } => {
                self.tag(8);
                self.tag(match op {
                    UnaryOp::Not => 1,
                    UnaryOp::Negative => 2,
                    UnaryOp::Positive => 3,
                    UnaryOp::Invert => 4,
                });
                self.expr(operand);
            }
            ExprKind::Binary { op, left, right } => {
                self.tag(9);
                self.binary_op(*op);
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Bool { op, operands } => {
                self.tag(10);
                self.tag(match op {
                    BoolOp::And => 1,
                    BoolOp::Or => 2,
                });
                self.list(operands, Self::expr);
            }
            ExprKind::Compare { left, rest } => {
                self.tag(11);
                self.expr(left);
                self.list(rest, |form, (op, operand)| {
                    form.compare_op(*op);
                    form.expr(operand);
                });
            }
            ExprKind::Conditional { test, then, orelse } => {
                self.tag(12);
                self.expr(test);
                self.expr(then);
                self.expr(orelse);
            }
            ExprKind::Walrus { name, value } => {
                self.tag(13);
                self.text(name);
                self.expr(value);
            }
            ExprKind::Attribute { base, name } => {
                self.tag(14);
                self.expr(base);
                self.text(name);
            }
            ExprKind::Index { base, index } => {
                self.tag(15);
                self.expr(base);
                self.expr(index);
            }
            ExprKind::Slice { lower, upper, step } => {
                self.tag(16);
                for part in [lower, upper, step] {
                    self.option(part.as_deref(), Self::expr);
                }
            }
            ExprKind::Call { callee, args } => {
                self.tag(17);
                self.expr(callee);
                self.args(args);
            }
            ExprKind::Lambda(function) => {
                self.tag(18);
                self.function(function);
            }
            ExprKind::Comprehension(comprehension) => {
                self.tag(19);
                self.comprehension(comprehension);
            }
            ExprKind::Format(parts) => {
                self.tag(20);
                self.format(parts);
            }
            ExprKind::Await(inner) => {
                self.tag(21);
                self.expr(inner);
            }
            ExprKind::Yield(value) => {
                self.tag(22);
                self.option(value.as_deref(), Self::expr);
            }
            ExprKind::YieldFrom(items) => {
                self.tag(26);
                self.expr(items);
            }
            ExprKind::Action(call) => {
                self.tag(23);
                self.action(call);
            }
            ExprKind::Spread(spread) => {
                self.tag(24);
                self.flag(spread.return_exceptions);
                self.expr(&spread.items);
                self.expr(&spread.variable);
                self.expr(&spread.body);
            }
            ExprKind::Fragment(fragment) => {
                self.tag(25);
                self.text(&fragment.source);
                self.list(&fragment.captures, |form, (name, value)| {
                    form.text(name);
                    form.expr(value);
                });
                self.texts(&fragment.writes);
            }
        }
    }

    fn args(&mut self, args: &[Arg]) {
        self.list(args, |form, arg| match arg {
            Arg::Positional(value) => {
                form.tag(1);
                form.expr(value);
            }
            Arg::Keyword(name, value) => {
                form.tag(2);
                form.text(name);
                form.expr(value);
            }
            Arg::Rest(value) => {
                form.tag(3);
                form.expr(value);
            }
            Arg::Options(value) => {
                form.tag(4);
                form.expr(value);
            }
        });
    }

    fn comprehension(&mut self, comprehension: &Comprehension) {
        match &comprehension.kind {
            ComprehensionKind::List(item) => {
                self.tag(1);
                self.expr(item);
            }
            ComprehensionKind::Set(item) => {
                self.tag(2);
                self.expr(item);
            }
            ComprehensionKind::Dict(key, value) => {
                self.tag(3);
                self.expr(key);
                self.expr(value);
            }
            ComprehensionKind::Generator(item) => {
                self.tag(4);
                self.expr(item);
            }
        }
        self.list(&comprehension.clauses, |form, clause| {
            form.flag(clause.is_async);
            form.expr(&clause.target);
            form.expr(&clause.iter);
            form.list(&clause.conditions, Self::expr);
        });
    }

    fn format(&mut self, parts: &[FormatPart]) {
        self.list(parts, |form, part| match part {
            FormatPart::Text(text) => {
                form.tag(1);
                form.text(text);
            }
            FormatPart::Field { value, conversion, spec } => {
                form.tag(2);
                form.expr(value);
                form.tag(match conversion {
                    None => 0,
                    Some(Conversion::Str) => 1,
                    Some(Conversion::Repr) => 2,
                    Some(Conversion::Ascii) => 3,
                });
                form.format(spec);
            }
        });
    }

    fn action(&mut self, call: &ActionCall) {
        let (tag, name) = match &call.target {
            CallTarget::Action(name) => (1, name),
            CallTarget::Workflow(name) => (2, name),
        };
        self.tag(tag);
        self.text(name);
        self.args(&call.args);
        let entries = call.policy.entries();
        let (first, later) = entries.split_at(FIRST_SETTINGS);
        for (_, expr) in first {
            self.option(*expr, Self::expr);
        }
        // Programs without those that came later keep the hash that they had before there were any.
        for (setting, expr) in later.iter().filter_map(|(setting, expr)| Some((setting, (*expr)?))) {
            self.tag(ADDED);
            self.text(setting);
            self.expr(expr);
        }
    }

    fn binary_op(&mut self, op: BinaryOp) {
        self.tag(match op {
            BinaryOp::Add => 1,
            BinaryOp::Subtract => 2,
            BinaryOp::Multiply => 3,
            BinaryOp::Divide => 4,
            BinaryOp::FloorDivide => 5,
            BinaryOp::Modulo => 6,
            BinaryOp::Power => 7,
            BinaryOp::MatrixMultiply => 8,
            BinaryOp::ShiftLeft => 9,
            BinaryOp::ShiftRight => 10,
            BinaryOp::BitAnd => 11,
            BinaryOp::BitOr => 12,
            BinaryOp::BitXor => 13,
        });
    }

    fn compare_op(&mut self, op: CompareOp) {
        self.tag(match op {
            CompareOp::Equal => 1,
            CompareOp::NotEqual => 2,
            CompareOp::Less => 3,
            CompareOp::LessEqual => 4,
            CompareOp::Greater => 5,
            CompareOp::GreaterEqual => 6,
            CompareOp::In => 7,
            CompareOp::NotIn => 8,
            CompareOp::Is => 9,
            CompareOp::IsNot => 10,
        });
    }

    // -------------------------------------------------------------------------------------------- values

    fn named_values(&mut self, fields: &[(String, Value)]) {
        self.list(fields, |form, (name, value)| {
            form.text(name);
            form.value(value);
        });
    }

    fn value(&mut self, value: &Value) {
        let (tag, items) = match value {
            Value::Float(number) => {
                self.tag(1);
                // One NaN; zeros keep their sign.
                let number = if number.is_nan() { f64::NAN } else { *number };
                return self.number(number.to_bits());
            }
            Value::List(items) => (2, items),
            Value::Tuple(items) => (3, items),
            Value::Set(items) => (4, items),
            Value::FrozenSet(items) => (5, items),
            Value::Dict(entries) => {
                self.tag(6);
                return self.list(entries, |form, (key, value)| {
                    form.value(key);
                    form.value(value);
                });
            }
            Value::Object { type_name, fields } => {
                self.tag(7);
                self.text(type_name);
                return self.named_values(fields);
            }
            Value::Exception(exception) => {
                self.tag(8);
                return self.exception(exception);
            }
            scalar => return self.scalar(scalar),
        };
        self.tag(tag);
        self.list(items, Self::value);
    }

    fn scalar(&mut self, value: &Value) {
        let (tag, text) = match value {
            Value::Bool(flag) => (21, flag.to_string()),
            Value::Int(number) => (22, number.to_string()),
            Value::BigInt(number) => (22, number.to_string()),
            Value::Str(text) => {
                self.tag(23);
                return self.text(text);
            }
            Value::Bytes(bytes) => {
                self.tag(24);
                return self.bytes(bytes);
            }
            Value::Date(date) => (25, date.to_string()),
            Value::Time(time) => (26, time.to_string()),
            Value::DateTime(moment) => (27, moment.to_string()),
            Value::Delta(delta) => (28, delta.to_string()),
            Value::Decimal(decimal) => (29, decimal.to_string()),
            Value::Uuid(id) => (30, id.to_string()),
            Value::Ellipsis => (31, String::new()),
            _ => (20, String::new()),
        };
        self.tag(tag);
        self.text(&text);
    }

    fn exception(&mut self, exception: &ExceptionValue) {
        self.text(&exception.type_name);
        self.texts(&exception.bases);
        self.list(&exception.args, Self::value);
        self.named_values(&exception.fields);
        self.optional_text(&exception.message);
        for linked in [&exception.cause, &exception.context] {
            self.option(linked.as_deref(), Self::exception);
        }
        self.flag(exception.suppress_context);
        self.texts(&exception.notes);
        self.texts(&exception.traceback);
    }
}
