//! Tree to bytes: nodes are written in post-order.

use super::operators::Enumeration;
use crate::*;
use prost::Message;
use v1::{expression::Kind as E, node::Kind as N, pattern::Kind as P, statement::Kind as S};
use waymark_proto::v1;

/// The program as a `waymark.v1.Program`. The same tree always gives the same bytes.
pub fn encode(program: &Program) -> Vec<u8> {
    let mut encoder = Encoder { nodes: Vec::new() };
    let functions = program.functions.iter().map(|function| encoder.function(function)).collect();
    v1::Program {
        name: program.name.clone(),
        dialect: program.dialect.to_wire(),
        semantics: program.semantics,
        entry: program.entry.clone(),
        types: program.types.iter().map(descriptor).collect(),
        sources: program
            .sources
            .iter()
            .map(|source| v1::Source { path: source.path.clone(), text: source.text.clone() })
            .collect(),
        functions,
        nodes: encoder.nodes,
    }
    .encode_to_vec()
}

struct Encoder {
    nodes: Vec<v1::Node>,
}

impl Encoder {
    fn push(&mut self, at: Span, kind: N) -> u32 {
        self.nodes.push(v1::Node { span: span(at), kind: Some(kind) });
        self.nodes.len() as u32
    }

    fn function(&mut self, function: &Function) -> u32 {
        let params = function
            .params
            .iter()
            .map(|param| v1::Param {
                name: param.name.clone(),
                kind: param.kind.to_wire(),
                default: self.optional(param.default.as_ref()),
                span: span(param.span),
            })
            .collect();
        let encoded = v1::Function {
            name: function.name.clone(),
            kind: function.kind.to_wire(),
            params,
            outputs: function.outputs.clone(),
            body: self.block(&function.body),
            origin: function
                .origin
                .as_ref()
                .map(|origin| v1::Origin { qualified: origin.qualified.clone(), is_method: origin.is_method }),
        };
        self.push(function.span, N::Function(encoded))
    }

    fn block(&mut self, block: &[Stmt]) -> Vec<u32> {
        block.iter().map(|statement| self.statement(statement)).collect()
    }

    fn statement(&mut self, statement: &Stmt) -> u32 {
        let kind = self.statement_kind(&statement.kind);
        self.push(statement.span, N::Statement(v1::Statement { kind: Some(kind) }))
    }

    fn statement_kind(&mut self, kind: &StmtKind) -> S {
        match kind {
            StmtKind::Expr(value) => S::Expression(self.expr(value)),
            StmtKind::Assign { targets, value } => {
                S::Assign(v1::Assign { targets: self.exprs(targets), value: self.expr(value) })
            }
            StmtKind::AugAssign { target, op, value } => S::AugmentedAssign(v1::AugmentedAssign {
                target: self.expr(target),
                operator: op.to_wire(),
                value: self.expr(value),
            }),
            StmtKind::Delete(targets) => S::Delete(v1::Delete { targets: self.exprs(targets) }),
            StmtKind::If { test, body, orelse } => {
                S::If(v1::If { test: self.expr(test), body: self.block(body), orelse: self.block(orelse) })
            }
            StmtKind::While { test, body, orelse } => {
                S::While(v1::While { test: self.expr(test), body: self.block(body), orelse: self.block(orelse) })
            }
            StmtKind::For { target, iter, body, orelse, is_async } => S::For(v1::For {
                target: self.expr(target),
                iter: self.expr(iter),
                body: self.block(body),
                orelse: self.block(orelse),
                is_async: *is_async,
            }),
            StmtKind::Try { body, handlers, orelse, finally } => S::Try(v1::Try {
                body: self.block(body),
                handlers: handlers.iter().map(|handler| self.handler(handler)).collect(),
                orelse: self.block(orelse),
                finally: self.block(finally),
            }),
            StmtKind::With { items, body, is_async } => S::With(v1::With {
                items: items
                    .iter()
                    .map(|item| v1::WithItem {
                        context: self.expr(&item.context),
                        target: self.optional(item.target.as_ref()),
                    })
                    .collect(),
                body: self.block(body),
                is_async: *is_async,
            }),
            StmtKind::Match { subject, cases } => S::Match(v1::Match {
                subject: self.expr(subject),
                cases: cases.iter().map(|case| self.case(case)).collect(),
            }),
            StmtKind::Return(value) => S::Return(v1::Return { value: self.optional(value.as_ref()) }),
            StmtKind::Raise { exception, cause } => S::Raise(v1::Raise {
                exception: self.optional(exception.as_ref()),
                cause: self.optional(cause.as_ref()),
            }),
            StmtKind::Assert { test, message } => {
                S::Assert(v1::Assert { test: self.expr(test), message: self.optional(message.as_ref()) })
            }
            StmtKind::Break => S::Break(v1::Empty {}),
            StmtKind::Continue => S::Continue(v1::Empty {}),
            StmtKind::Pass => S::Pass(v1::Empty {}),
            StmtKind::Def(function) => S::Def(self.function(function)),
            StmtKind::Nonlocal(names) => S::Nonlocal(v1::Nonlocal { names: names.clone() }),
        }
    }

    fn handler(&mut self, handler: &Handler) -> v1::Handler {
        v1::Handler {
            exception: self.optional(handler.exception.as_ref()),
            name: handler.name.clone(),
            body: self.block(&handler.body),
            span: span(handler.span),
        }
    }

    fn case(&mut self, case: &Case) -> v1::Case {
        v1::Case {
            pattern: self.pattern(&case.pattern),
            guard: self.optional(case.guard.as_ref()),
            body: self.block(&case.body),
            span: span(case.span),
        }
    }

    fn patterns(&mut self, patterns: &[Pattern]) -> Vec<u32> {
        patterns.iter().map(|pattern| self.pattern(pattern)).collect()
    }

    fn pattern(&mut self, pattern: &Pattern) -> u32 {
        let kind = match &pattern.kind {
            PatternKind::Wildcard => P::Wildcard(v1::Empty {}),
            PatternKind::Capture(name) => P::Capture(name.clone()),
            PatternKind::Value(value) => P::Value(self.expr(value)),
            PatternKind::Singleton(constant) => P::Singleton(value(constant)),
            PatternKind::Sequence(items) => P::Sequence(v1::SequencePattern { items: self.patterns(items) }),
            PatternKind::Star(name) => P::Star(v1::StarPattern { name: name.clone() }),
            PatternKind::Mapping { entries, rest } => P::Mapping(v1::MappingPattern {
                entries: entries
                    .iter()
                    .map(|(key, pattern)| v1::MappingPatternEntry {
                        key: self.expr(key),
                        pattern: self.pattern(pattern),
                    })
                    .collect(),
                rest: rest.clone(),
            }),
            PatternKind::Class { class, positional, keyword } => P::Class(v1::ClassPattern {
                class: self.expr(class),
                positional: self.patterns(positional),
                keyword: keyword
                    .iter()
                    .map(|(name, pattern)| v1::KeywordPattern { name: name.clone(), pattern: self.pattern(pattern) })
                    .collect(),
            }),
            PatternKind::Or(alternatives) => P::Or(v1::OrPattern { alternatives: self.patterns(alternatives) }),
            PatternKind::As { pattern, name } => {
                P::As(v1::AsPattern { pattern: self.pattern(pattern), name: name.clone() })
            }
        };
        self.push(pattern.span, N::Pattern(v1::Pattern { kind: Some(kind) }))
    }

    fn optional(&mut self, expr: Option<&Expr>) -> u32 {
        expr.map_or(0, |expr| self.expr(expr))
    }

    fn exprs(&mut self, exprs: &[Expr]) -> Vec<u32> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn expr(&mut self, expr: &Expr) -> u32 {
        let kind = self.expr_kind(&expr.kind);
        self.push(expr.span, N::Expression(v1::Expression { kind: Some(kind) }))
    }

    fn expr_kind(&mut self, kind: &ExprKind) -> E {
        match kind {
            ExprKind::Const(constant) => E::Const(value(constant)),
            ExprKind::Name(name) => E::Name(name.clone()),
            ExprKind::List(items) => E::List(v1::Items { items: self.exprs(items) }),
            ExprKind::Tuple(items) => E::Tuple(v1::Items { items: self.exprs(items) }),
            ExprKind::Set(items) => E::Set(v1::Items { items: self.exprs(items) }),
            ExprKind::Dict(items) => {
                E::Dict(v1::Dict { items: items.iter().map(|item| self.dict_item(item)).collect() })
            }
            ExprKind::Starred(inner) => E::Starred(self.expr(inner)),
            ExprKind::Unary { op, operand } => {
                E::Unary(v1::Unary { operator: op.to_wire(), operand: self.expr(operand) })
            }
            ExprKind::Binary { op, left, right } => {
                E::Binary(v1::Binary { operator: op.to_wire(), left: self.expr(left), right: self.expr(right) })
            }
            ExprKind::Bool { op, operands } => {
                E::Bool(v1::Bool { operator: op.to_wire(), operands: self.exprs(operands) })
            }
            ExprKind::Compare { left, rest } => E::Compare(v1::Compare {
                left: self.expr(left),
                operators: rest.iter().map(|(op, _)| op.to_wire()).collect(),
                operands: rest.iter().map(|(_, operand)| self.expr(operand)).collect(),
            }),
            ExprKind::Conditional { test, then, orelse } => E::Conditional(v1::Conditional {
                test: self.expr(test),
                then: self.expr(then),
                orelse: self.expr(orelse),
            }),
            ExprKind::Walrus { name, value } => E::Walrus(v1::Walrus { name: name.clone(), value: self.expr(value) }),
            ExprKind::Attribute { base, name } => {
                E::Attribute(v1::Attribute { base: self.expr(base), name: name.clone() })
            }
            ExprKind::Index { base, index } => E::Index(v1::Index { base: self.expr(base), index: self.expr(index) }),
            ExprKind::Slice { lower, upper, step } => E::Slice(v1::Slice {
                lower: self.optional(lower.as_deref()),
                upper: self.optional(upper.as_deref()),
                step: self.optional(step.as_deref()),
            }),
            ExprKind::Call { callee, args } => E::Call(v1::Call { callee: self.expr(callee), args: self.args(args) }),
            ExprKind::Lambda(function) => E::Lambda(self.function(function)),
            ExprKind::Comprehension(comprehension) => E::Comprehension(self.comprehension(comprehension)),
            ExprKind::Format(parts) => E::Format(self.format(parts)),
            ExprKind::Await(inner) => E::Await(self.expr(inner)),
            ExprKind::Yield(value) => E::Yield(v1::Yield { value: self.optional(value.as_deref()), delegates: false }),
            ExprKind::YieldFrom(items) => E::Yield(v1::Yield { value: self.optional(Some(items)), delegates: true }),
            ExprKind::Action(call) => E::Action(self.action(call)),
            ExprKind::Spread(spread) => E::Spread(v1::Spread {
                items: self.expr(&spread.items),
                variable: self.expr(&spread.variable),
                body: self.expr(&spread.body),
                return_exceptions: spread.return_exceptions,
            }),
            ExprKind::Fragment(fragment) => E::Fragment(v1::Fragment {
                source: fragment.source.clone(),
                captures: fragment
                    .captures
                    .iter()
                    .map(|(name, value)| v1::Capture { name: name.clone(), value: self.expr(value) })
                    .collect(),
                writes: fragment.writes.clone(),
            }),
        }
    }

    fn dict_item(&mut self, item: &DictItem) -> v1::DictItem {
        match item {
            DictItem::Entry(key, value) => v1::DictItem { key: self.expr(key), value: self.expr(value) },
            DictItem::Merge(value) => v1::DictItem { key: 0, value: self.expr(value) },
        }
    }

    fn args(&mut self, args: &[Arg]) -> Vec<v1::Arg> {
        use v1::arg::Kind;
        args.iter()
            .map(|arg| {
                let kind = match arg {
                    Arg::Positional(value) => Kind::Positional(self.expr(value)),
                    Arg::Keyword(name, value) => {
                        Kind::Keyword(v1::KeywordArg { name: name.clone(), value: self.expr(value) })
                    }
                    Arg::Rest(value) => Kind::Rest(self.expr(value)),
                    Arg::Options(value) => Kind::Options(self.expr(value)),
                };
                v1::Arg { kind: Some(kind) }
            })
            .collect()
    }

    fn comprehension(&mut self, comprehension: &Comprehension) -> v1::Comprehension {
        use v1::comprehension::Kind;
        let kind = match &comprehension.kind {
            ComprehensionKind::List(item) => Kind::List(self.expr(item)),
            ComprehensionKind::Set(item) => Kind::Set(self.expr(item)),
            ComprehensionKind::Dict(key, value) => {
                Kind::Dict(v1::DictItem { key: self.expr(key), value: self.expr(value) })
            }
            ComprehensionKind::Generator(item) => Kind::Generator(self.expr(item)),
        };
        let clauses = comprehension
            .clauses
            .iter()
            .map(|clause| v1::Clause {
                target: self.expr(&clause.target),
                iter: self.expr(&clause.iter),
                conditions: self.exprs(&clause.conditions),
                is_async: clause.is_async,
            })
            .collect();
        v1::Comprehension { kind: Some(kind), clauses }
    }

    fn format(&mut self, parts: &[FormatPart]) -> v1::Format {
        use v1::format_part::Kind;
        let parts = parts
            .iter()
            .map(|part| {
                let kind = match part {
                    FormatPart::Text(text) => Kind::Text(text.clone()),
                    FormatPart::Field { value, conversion, spec } => Kind::Field(v1::FormatField {
                        value: self.expr(value),
                        conversion: conversion.map_or(0, Enumeration::to_wire),
                        spec: self.format_spec(spec),
                    }),
                };
                v1::FormatPart { kind: Some(kind) }
            })
            .collect();
        v1::Format { parts }
    }

    fn format_spec(&mut self, spec: &[FormatPart]) -> u32 {
        if spec.is_empty() {
            return 0;
        }
        let format = self.format(spec);
        self.push(Span::NOWHERE, N::Expression(v1::Expression { kind: Some(E::Format(format)) }))
    }

    fn action(&mut self, call: &ActionCall) -> v1::ActionCall {
        use v1::action_call::Target;
        let target = match &call.target {
            CallTarget::Action(name) => Target::Action(name.clone()),
            CallTarget::Workflow(name) => Target::Workflow(name.clone()),
        };
        v1::ActionCall { target: Some(target), args: self.args(&call.args), policy: self.policy(&call.policy) }
    }

    fn policy(&mut self, policy: &Policy) -> Option<v1::Policy> {
        let encoded = v1::Policy {
            attempts: self.optional(policy.attempts.as_ref()),
            retry_on: self.optional(policy.retry_on.as_ref()),
            retry_timeouts: self.optional(policy.retry_timeouts.as_ref()),
            backoff: self.optional(policy.backoff.as_ref()),
            factor: self.optional(policy.factor.as_ref()),
            max_delay: self.optional(policy.max_delay.as_ref()),
            jitter: self.optional(policy.jitter.as_ref()),
            timeout: self.optional(policy.timeout.as_ref()),
            grace: self.optional(policy.grace.as_ref()),
            queue: self.optional(policy.queue.as_ref()),
            transaction: self.optional(policy.transaction.as_ref()),
        };
        (encoded != v1::Policy::default()).then_some(encoded)
    }
}

fn descriptor(descriptor: &TypeDescriptor) -> v1::TypeDescriptor {
    use v1::type_descriptor::Kind;
    let kind = match &descriptor.kind {
        TypeKind::Opaque => Kind::Opaque(v1::Empty {}),
        TypeKind::Record { frozen, eq, order } => Kind::Record(v1::Record { frozen: *frozen, eq: *eq, order: *order }),
        TypeKind::Exception => Kind::Exception(v1::Empty {}),
        TypeKind::Enum(members) => Kind::Enum(v1::Enum {
            members: members
                .iter()
                .map(|(name, member)| v1::EnumMember { name: name.clone(), value: Some(value(member)) })
                .collect(),
        }),
    };
    v1::TypeDescriptor {
        name: descriptor.name.clone(),
        bases: descriptor.bases.clone(),
        kind: Some(kind),
        fields: descriptor
            .fields
            .iter()
            .map(|field| v1::Field { name: field.name.clone(), default: field.default.as_ref().map(value) })
            .collect(),
        overrides: descriptor.overrides.clone(),
        methods: descriptor
            .methods
            .iter()
            .map(|(name, function)| v1::Method { name: name.clone(), function: function.clone() })
            .collect(),
        span: span(descriptor.span),
    }
}

fn value(value: &Value) -> v1::Value {
    use v1::value::Kind;
    let kind = match value {
        Value::None => Kind::None(v1::Empty {}),
        Value::Bool(flag) => Kind::Bool(*flag),
        Value::Int(number) => Kind::Int(*number),
        Value::Float(number) => Kind::Float(*number),
        Value::Str(text) => Kind::Str(text.clone()),
        Value::Bytes(bytes) => Kind::Bytes(bytes.clone()),
        other => Kind::Payload(crate::payload::encode(other)),
    };
    v1::Value { kind: Some(kind) }
}

/// The end line is stored as a distance, since most spans stay on one line; wrapping keeps odd spans intact.
fn span(span: Span) -> Vec<u32> {
    let mut packed = vec![span.line, span.column, span.end_line.wrapping_sub(span.line), span.end_column, span.file];
    while packed.last() == Some(&0) {
        packed.pop();
    }
    packed
}
