//! Bytes to tree, one node after the other. A node's children stand before it, so they are taken from their slots and
//! the depth of every subtree is known when it is built: nothing here recurses.

use super::operators::Enumeration;
use super::{DecodeError, MAX_BYTES, MAX_NODES};
use crate::*;
use prost::Message;
use std::fmt::Arguments;
use v1::{expression::Kind as E, node::Kind as N, pattern::Kind as P, statement::Kind as S};
use waymark_proto::v1;

/// Reads a `waymark.v1.Program`.
pub fn decode(bytes: &[u8]) -> Result<Program, DecodeError> {
    if bytes.len() > MAX_BYTES {
        return Err(DecodeError::TooLarge { bytes: bytes.len() });
    }
    if count_nodes(bytes) > MAX_NODES {
        return Err(DecodeError::TooManyNodes);
    }
    let wire = v1::Program::decode(bytes)?;
    let mut decoder = Decoder { slots: Vec::with_capacity(wire.nodes.len()), place: String::new(), depth: 0 };
    for (index, node) in wire.nodes.into_iter().enumerate() {
        decoder.node(index, node)?;
    }
    decoder.place = "program".to_string();
    let mut functions = Vec::with_capacity(wire.functions.len());
    for (index, id) in wire.functions.into_iter().enumerate() {
        functions.push(decoder.function_at(id, format_args!("functions[{index}]"))?);
    }
    if let Some(index) = decoder.slots.iter().position(|slot| slot.item.is_some()) {
        return Err(DecodeError::Unused { path: format!("nodes[{index}]") });
    }
    let mut types = Vec::with_capacity(wire.types.len());
    for (index, descriptor) in wire.types.into_iter().enumerate() {
        decoder.place = format!("types[{index}]");
        types.push(decoder.descriptor(descriptor)?);
    }
    decoder.place = "program".to_string();
    Ok(Program {
        name: wire.name,
        dialect: decoder.enumeration(wire.dialect, "dialect")?,
        semantics: wire.semantics,
        entry: wire.entry,
        types,
        functions,
        sources: wire.sources.into_iter().map(|source| Source { path: source.path, text: source.text }).collect(),
    })
}

/// How many entries `Program.nodes` has, without building any. Stops at the first malformed field: the decoder will
/// stop there too.
fn count_nodes(mut bytes: &[u8]) -> usize {
    const NODES: u64 = 8;
    let mut count = 0;
    while let Some(key) = varint(&mut bytes) {
        let skipped = match key & 7 {
            0 => varint(&mut bytes).map(|_| 0),
            1 => Some(8),
            2 => varint(&mut bytes),
            5 => Some(4),
            _ => None,
        };
        let Some(rest) = skipped.and_then(|length| bytes.get(usize::try_from(length).ok()?..)) else { break };
        bytes = rest;
        count += usize::from(key >> 3 == NODES);
    }
    count
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

enum Item {
    Expr(Expr),
    Stmt(Stmt),
    Pattern(Pattern),
    Function(Function),
}

impl Item {
    fn describe(&self) -> &'static str {
        match self {
            Item::Expr(_) => "an expression",
            Item::Stmt(_) => "a statement",
            Item::Pattern(_) => "a pattern",
            Item::Function(_) => "a function",
        }
    }
}

/// A node that was read; its item is taken by the parent.
struct Slot {
    item: Option<Item>,
    depth: usize,
}

struct Decoder {
    slots: Vec<Slot>,
    /// The node being read, e.g. `nodes[3].if`.
    place: String,
    /// The deepest child that the node being read has taken.
    depth: usize,
}

type Decoded<T> = Result<T, DecodeError>;

impl Decoder {
    fn node(&mut self, index: usize, node: v1::Node) -> Decoded<()> {
        self.place = format!("nodes[{index}]");
        self.depth = 0;
        let span = self.span(&node.span, format_args!("span"))?;
        let item = match node.kind {
            None => return self.missing(format_args!("kind"), "kind"),
            Some(N::Expression(node)) => Item::Expr(Expr { kind: self.expr_kind(node)?, span }),
            Some(N::Statement(node)) => Item::Stmt(Stmt { kind: self.statement_kind(node)?, span }),
            Some(N::Pattern(node)) => Item::Pattern(Pattern { kind: self.pattern_kind(node)?, span }),
            Some(N::Function(node)) => Item::Function(self.function(node, span)?),
        };
        let depth = self.depth + 1;
        if depth > MAX_DEPTH {
            return Err(DecodeError::TooDeep { path: format!("nodes[{index}]") });
        }
        self.slots.push(Slot { item: Some(item), depth });
        Ok(())
    }

    // -------------------------------------------------------------------------------------------- problems

    fn path(&self, field: Arguments<'_>) -> String {
        format!("{}.{field}", self.place)
    }

    fn missing<T>(&self, field: Arguments<'_>, what: &'static str) -> Decoded<T> {
        Err(DecodeError::Missing { path: self.path(field), what })
    }

    fn enumeration<T: Enumeration>(&self, number: i32, field: &str) -> Decoded<T> {
        match T::from_wire(number) {
            Some(value) => Ok(value),
            None if number == 0 => self.missing(format_args!("{field}"), "value"),
            None => Err(DecodeError::UnknownEnum { path: self.path(format_args!("{field}")), value: number }),
        }
    }

    // -------------------------------------------------------------------------------------------- children

    fn take(&mut self, id: u32, field: Arguments<'_>, expected: &'static str) -> Decoded<Item> {
        let Some(index) = (id as usize).checked_sub(1) else { return self.missing(field, expected) };
        let Some(slot) = self.slots.get_mut(index) else {
            return Err(DecodeError::NotBefore { path: self.path(field), id });
        };
        let Some(item) = slot.item.take() else {
            return Err(DecodeError::UsedTwice { path: self.path(field), id });
        };
        self.depth = self.depth.max(slot.depth);
        Ok(item)
    }

    fn wrong<T>(&self, id: u32, field: Arguments<'_>, expected: &'static str, item: &Item) -> Decoded<T> {
        Err(DecodeError::WrongKind { path: self.path(field), id, expected, found: item.describe() })
    }

    fn expr(&mut self, id: u32, field: Arguments<'_>) -> Decoded<Expr> {
        match self.take(id, field, "expression")? {
            Item::Expr(expr) => Ok(expr),
            other => self.wrong(id, field, "an expression", &other),
        }
    }

    fn boxed(&mut self, id: u32, field: &str) -> Decoded<Box<Expr>> {
        Ok(Box::new(self.expr(id, format_args!("{field}"))?))
    }

    fn optional(&mut self, id: u32, field: Arguments<'_>) -> Decoded<Option<Expr>> {
        if id == 0 { Ok(None) } else { self.expr(id, field).map(Some) }
    }

    fn exprs(&mut self, ids: Vec<u32>, field: &str) -> Decoded<Vec<Expr>> {
        ids.into_iter().enumerate().map(|(index, id)| self.expr(id, format_args!("{field}[{index}]"))).collect()
    }

    fn block(&mut self, ids: Vec<u32>, field: Arguments<'_>) -> Decoded<Block> {
        let mut block = Vec::with_capacity(ids.len());
        for (index, id) in ids.into_iter().enumerate() {
            match self.take(id, format_args!("{field}[{index}]"), "statement")? {
                Item::Stmt(statement) => block.push(statement),
                other => return self.wrong(id, format_args!("{field}[{index}]"), "a statement", &other),
            }
        }
        Ok(block)
    }

    fn pattern(&mut self, id: u32, field: Arguments<'_>) -> Decoded<Pattern> {
        match self.take(id, field, "pattern")? {
            Item::Pattern(pattern) => Ok(pattern),
            other => self.wrong(id, field, "a pattern", &other),
        }
    }

    fn patterns(&mut self, ids: Vec<u32>, field: &str) -> Decoded<Vec<Pattern>> {
        ids.into_iter().enumerate().map(|(index, id)| self.pattern(id, format_args!("{field}[{index}]"))).collect()
    }

    fn function_at(&mut self, id: u32, field: Arguments<'_>) -> Decoded<Function> {
        match self.take(id, field, "function")? {
            Item::Function(function) => Ok(function),
            other => self.wrong(id, field, "a function", &other),
        }
    }

    fn span(&self, packed: &[u32], field: Arguments<'_>) -> Decoded<Span> {
        if packed.len() > 5 {
            return Err(DecodeError::Invalid { path: self.path(field), reason: "a span has at most five numbers" });
        }
        let at = |index: usize| packed.get(index).copied().unwrap_or(0);
        Ok(Span { line: at(0), column: at(1), end_line: at(0).wrapping_add(at(2)), end_column: at(3), file: at(4) })
    }

    fn value(&self, value: Option<v1::Value>, field: Arguments<'_>) -> Decoded<Value> {
        use v1::value::Kind;
        Ok(match value.and_then(|value| value.kind) {
            None => return self.missing(field, "value"),
            Some(Kind::None(_)) => Value::None,
            Some(Kind::Bool(flag)) => Value::Bool(flag),
            Some(Kind::Int(number)) => Value::Int(number),
            Some(Kind::Float(number)) => Value::Float(number),
            Some(Kind::Str(text)) => Value::Str(text),
            Some(Kind::Bytes(bytes)) => Value::Bytes(bytes),
            Some(Kind::Payload(bytes)) => crate::payload::decode(&bytes)
                .map_err(|source| DecodeError::Constant { path: self.path(field), source })?,
        })
    }

    // -------------------------------------------------------------------------------------------- functions

    fn function(&mut self, node: v1::Function, span: Span) -> Decoded<Function> {
        self.place.push_str(".function");
        let mut params = Vec::with_capacity(node.params.len());
        for (index, param) in node.params.into_iter().enumerate() {
            params.push(Param {
                kind: self.enumeration(param.kind, &format!("params[{index}].kind"))?,
                default: self.optional(param.default, format_args!("params[{index}].default"))?,
                span: self.span(&param.span, format_args!("params[{index}].span"))?,
                name: param.name,
            });
        }
        Ok(Function {
            name: node.name,
            kind: self.enumeration(node.kind, "kind")?,
            params,
            outputs: node.outputs,
            body: self.block(node.body, format_args!("body"))?,
            origin: node.origin.map(|origin| Origin { qualified: origin.qualified, is_method: origin.is_method }),
            span,
        })
    }

    // -------------------------------------------------------------------------------------------- statements

    fn statement_kind(&mut self, node: v1::Statement) -> Decoded<StmtKind> {
        let Some(kind) = node.kind else { return self.missing(format_args!("statement"), "kind") };
        self.place.push_str(match &kind {
            S::Expression(_) => ".statement",
            S::Assign(_) => ".assign",
            S::AugmentedAssign(_) => ".augmented_assign",
            S::Delete(_) => ".delete",
            S::If(_) => ".if",
            S::While(_) => ".while",
            S::For(_) => ".for",
            S::Try(_) => ".try",
            S::With(_) => ".with",
            S::Match(_) => ".match",
            S::Return(_) => ".return",
            S::Raise(_) => ".raise",
            S::Assert(_) => ".assert",
            S::Break(_) | S::Continue(_) | S::Pass(_) | S::Def(_) | S::Nonlocal(_) => ".statement",
        });
        Ok(match kind {
            S::Expression(id) => StmtKind::Expr(self.expr(id, format_args!("expression"))?),
            S::Assign(node) => StmtKind::Assign {
                targets: self.exprs(node.targets, "targets")?,
                value: self.expr(node.value, format_args!("value"))?,
            },
            S::AugmentedAssign(node) => StmtKind::AugAssign {
                target: self.expr(node.target, format_args!("target"))?,
                op: self.enumeration(node.operator, "operator")?,
                value: self.expr(node.value, format_args!("value"))?,
            },
            S::Delete(node) => StmtKind::Delete(self.exprs(node.targets, "targets")?),
            S::If(node) => StmtKind::If {
                test: self.expr(node.test, format_args!("test"))?,
                body: self.block(node.body, format_args!("body"))?,
                orelse: self.block(node.orelse, format_args!("orelse"))?,
            },
            S::While(node) => StmtKind::While {
                test: self.expr(node.test, format_args!("test"))?,
                body: self.block(node.body, format_args!("body"))?,
                orelse: self.block(node.orelse, format_args!("orelse"))?,
            },
            S::For(node) => StmtKind::For {
                target: self.expr(node.target, format_args!("target"))?,
                iter: self.expr(node.iter, format_args!("iter"))?,
                body: self.block(node.body, format_args!("body"))?,
                orelse: self.block(node.orelse, format_args!("orelse"))?,
                is_async: node.is_async,
            },
            S::Try(node) => StmtKind::Try {
                body: self.block(node.body, format_args!("body"))?,
                handlers: self.handlers(node.handlers)?,
                orelse: self.block(node.orelse, format_args!("orelse"))?,
                finally: self.block(node.finally, format_args!("finally"))?,
            },
            S::With(node) => StmtKind::With {
                items: self.with_items(node.items)?,
                body: self.block(node.body, format_args!("body"))?,
                is_async: node.is_async,
            },
            S::Match(node) => StmtKind::Match {
                subject: self.expr(node.subject, format_args!("subject"))?,
                cases: self.cases(node.cases)?,
            },
            S::Return(node) => StmtKind::Return(self.optional(node.value, format_args!("value"))?),
            S::Raise(node) => StmtKind::Raise {
                exception: self.optional(node.exception, format_args!("exception"))?,
                cause: self.optional(node.cause, format_args!("cause"))?,
            },
            S::Assert(node) => StmtKind::Assert {
                test: self.expr(node.test, format_args!("test"))?,
                message: self.optional(node.message, format_args!("message"))?,
            },
            S::Break(_) => StmtKind::Break,
            S::Continue(_) => StmtKind::Continue,
            S::Pass(_) => StmtKind::Pass,
            S::Def(id) => StmtKind::Def(Box::new(self.function_at(id, format_args!("def"))?)),
            S::Nonlocal(node) => StmtKind::Nonlocal(node.names),
        })
    }

    fn handlers(&mut self, handlers: Vec<v1::Handler>) -> Decoded<Vec<Handler>> {
        let mut decoded = Vec::with_capacity(handlers.len());
        for (index, handler) in handlers.into_iter().enumerate() {
            decoded.push(Handler {
                exception: self.optional(handler.exception, format_args!("handlers[{index}].exception"))?,
                name: handler.name,
                body: self.block(handler.body, format_args!("handlers[{index}].body"))?,
                span: self.span(&handler.span, format_args!("handlers[{index}].span"))?,
            });
        }
        Ok(decoded)
    }

    fn with_items(&mut self, items: Vec<v1::WithItem>) -> Decoded<Vec<WithItem>> {
        let mut decoded = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            decoded.push(WithItem {
                context: self.expr(item.context, format_args!("items[{index}].context"))?,
                target: self.optional(item.target, format_args!("items[{index}].target"))?,
            });
        }
        Ok(decoded)
    }

    fn cases(&mut self, cases: Vec<v1::Case>) -> Decoded<Vec<Case>> {
        let mut decoded = Vec::with_capacity(cases.len());
        for (index, case) in cases.into_iter().enumerate() {
            decoded.push(Case {
                pattern: self.pattern(case.pattern, format_args!("cases[{index}].pattern"))?,
                guard: self.optional(case.guard, format_args!("cases[{index}].guard"))?,
                body: self.block(case.body, format_args!("cases[{index}].body"))?,
                span: self.span(&case.span, format_args!("cases[{index}].span"))?,
            });
        }
        Ok(decoded)
    }

    // -------------------------------------------------------------------------------------------- patterns

    fn pattern_kind(&mut self, node: v1::Pattern) -> Decoded<PatternKind> {
        self.place.push_str(".pattern");
        Ok(match node.kind {
            None => return self.missing(format_args!("kind"), "kind"),
            Some(P::Wildcard(_)) => PatternKind::Wildcard,
            Some(P::Capture(name)) => PatternKind::Capture(name),
            Some(P::Value(id)) => PatternKind::Value(self.expr(id, format_args!("value"))?),
            Some(P::Singleton(value)) => PatternKind::Singleton(self.value(Some(value), format_args!("singleton"))?),
            Some(P::Sequence(node)) => PatternKind::Sequence(self.patterns(node.items, "items")?),
            Some(P::Star(node)) => PatternKind::Star(node.name),
            Some(P::Mapping(node)) => {
                let mut entries = Vec::with_capacity(node.entries.len());
                for (index, entry) in node.entries.into_iter().enumerate() {
                    let key = self.expr(entry.key, format_args!("entries[{index}].key"))?;
                    entries.push((key, self.pattern(entry.pattern, format_args!("entries[{index}].pattern"))?));
                }
                PatternKind::Mapping { entries, rest: node.rest }
            }
            Some(P::Class(node)) => {
                let class = self.expr(node.class, format_args!("class"))?;
                let positional = self.patterns(node.positional, "positional")?;
                let mut keyword = Vec::with_capacity(node.keyword.len());
                for (index, entry) in node.keyword.into_iter().enumerate() {
                    let pattern = self.pattern(entry.pattern, format_args!("keyword[{index}].pattern"))?;
                    keyword.push((entry.name, pattern));
                }
                PatternKind::Class { class, positional, keyword }
            }
            Some(P::Or(node)) => PatternKind::Or(self.patterns(node.alternatives, "alternatives")?),
            Some(P::As(node)) => PatternKind::As {
                pattern: Box::new(self.pattern(node.pattern, format_args!("pattern"))?),
                name: node.name,
            },
        })
    }

    // -------------------------------------------------------------------------------------------- expressions

    fn expr_kind(&mut self, node: v1::Expression) -> Decoded<ExprKind> {
        let Some(kind) = node.kind else { return self.missing(format_args!("expression"), "kind") };
        self.place.push_str(match &kind {
            E::Call(_) => ".call",
            E::Binary(_) => ".binary",
            E::Compare(_) => ".compare",
            E::Comprehension(_) => ".comprehension",
            E::Action(_) => ".action",
            E::Spread(_) => ".spread",
            E::Fragment(_) => ".fragment",
            E::Format(_) => ".format",
            E::Dict(_) => ".dict",
            _ => ".expression",
        });
        Ok(match kind {
            E::Const(value) => ExprKind::Const(self.value(Some(value), format_args!("const"))?),
            E::Name(name) => ExprKind::Name(name),
            E::List(node) => ExprKind::List(self.exprs(node.items, "list.items")?),
            E::Tuple(node) => ExprKind::Tuple(self.exprs(node.items, "tuple.items")?),
            E::Set(node) => ExprKind::Set(self.exprs(node.items, "set.items")?),
            E::Dict(node) => ExprKind::Dict(self.dict_items(node.items)?),
            E::Starred(id) => ExprKind::Starred(self.boxed(id, "starred")?),
            E::Unary(node) => ExprKind::Unary {
                op: self.enumeration(node.operator, "unary.operator")?,
                operand: self.boxed(node.operand, "unary.operand")?,
            },
            E::Binary(node) => ExprKind::Binary {
                op: self.enumeration(node.operator, "operator")?,
                left: self.boxed(node.left, "left")?,
                right: self.boxed(node.right, "right")?,
            },
            E::Bool(node) => ExprKind::Bool {
                op: self.enumeration(node.operator, "bool.operator")?,
                operands: self.exprs(node.operands, "bool.operands")?,
            },
            E::Compare(node) => self.compare(node)?,
            E::Conditional(node) => ExprKind::Conditional {
                test: self.boxed(node.test, "conditional.test")?,
                then: self.boxed(node.then, "conditional.then")?,
                orelse: self.boxed(node.orelse, "conditional.orelse")?,
            },
            E::Walrus(node) => ExprKind::Walrus { name: node.name, value: self.boxed(node.value, "walrus.value")? },
            E::Attribute(node) => {
                ExprKind::Attribute { base: self.boxed(node.base, "attribute.base")?, name: node.name }
            }
            E::Index(node) => ExprKind::Index {
                base: self.boxed(node.base, "index.base")?,
                index: self.boxed(node.index, "index.index")?,
            },
            E::Slice(node) => ExprKind::Slice {
                lower: self.optional(node.lower, format_args!("slice.lower"))?.map(Box::new),
                upper: self.optional(node.upper, format_args!("slice.upper"))?.map(Box::new),
                step: self.optional(node.step, format_args!("slice.step"))?.map(Box::new),
            },
            E::Call(node) => ExprKind::Call { callee: self.boxed(node.callee, "callee")?, args: self.args(node.args)? },
            E::Lambda(id) => ExprKind::Lambda(Box::new(self.function_at(id, format_args!("lambda"))?)),
            E::Comprehension(node) => ExprKind::Comprehension(Box::new(self.comprehension(node)?)),
            E::Format(node) => ExprKind::Format(self.format(node)?),
            E::Await(id) => ExprKind::Await(self.boxed(id, "await")?),
            E::Yield(node) if node.delegates => ExprKind::YieldFrom(self.boxed(node.value, "yield.value")?),
            E::Yield(node) => ExprKind::Yield(self.optional(node.value, format_args!("yield.value"))?.map(Box::new)),
            E::Action(node) => ExprKind::Action(Box::new(self.action(node)?)),
            E::Spread(node) => ExprKind::Spread(Box::new(Spread {
                items: self.expr(node.items, format_args!("items"))?,
                variable: self.expr(node.variable, format_args!("variable"))?,
                body: self.expr(node.body, format_args!("body"))?,
                return_exceptions: node.return_exceptions,
            })),
            E::Fragment(node) => {
                let mut captures = Vec::with_capacity(node.captures.len());
                for (index, capture) in node.captures.into_iter().enumerate() {
                    let value = self.expr(capture.value, format_args!("captures[{index}].value"))?;
                    captures.push((capture.name, value));
                }
                ExprKind::Fragment(Box::new(Fragment { source: node.source, captures, writes: node.writes }))
            }
        })
    }

    fn dict_items(&mut self, items: Vec<v1::DictItem>) -> Decoded<Vec<DictItem>> {
        let mut decoded = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            let key = self.optional(item.key, format_args!("items[{index}].key"))?;
            let value = self.expr(item.value, format_args!("items[{index}].value"))?;
            decoded.push(match key {
                Some(key) => DictItem::Entry(key, value),
                None => DictItem::Merge(value),
            });
        }
        Ok(decoded)
    }

    fn compare(&mut self, node: v1::Compare) -> Decoded<ExprKind> {
        if node.operators.len() != node.operands.len() {
            let reason = "there must be as many operators as operands";
            return Err(DecodeError::Invalid { path: self.path(format_args!("operators")), reason });
        }
        let left = self.boxed(node.left, "left")?;
        let mut rest = Vec::with_capacity(node.operands.len());
        for (index, (operator, operand)) in node.operators.into_iter().zip(node.operands).enumerate() {
            let operator = self.enumeration(operator, &format!("operators[{index}]"))?;
            rest.push((operator, self.expr(operand, format_args!("operands[{index}]"))?));
        }
        Ok(ExprKind::Compare { left, rest })
    }

    fn args(&mut self, args: Vec<v1::Arg>) -> Decoded<Vec<Arg>> {
        use v1::arg::Kind;
        let mut decoded = Vec::with_capacity(args.len());
        for (index, arg) in args.into_iter().enumerate() {
            decoded.push(match arg.kind {
                None => return self.missing(format_args!("args[{index}].kind"), "kind"),
                Some(Kind::Positional(id)) => Arg::Positional(self.expr(id, format_args!("args[{index}].positional"))?),
                Some(Kind::Keyword(node)) => {
                    let value = self.expr(node.value, format_args!("args[{index}].keyword.value"))?;
                    Arg::Keyword(node.name, value)
                }
                Some(Kind::Rest(id)) => Arg::Rest(self.expr(id, format_args!("args[{index}].rest"))?),
                Some(Kind::Options(id)) => Arg::Options(self.expr(id, format_args!("args[{index}].options"))?),
            });
        }
        Ok(decoded)
    }

    fn comprehension(&mut self, node: v1::Comprehension) -> Decoded<Comprehension> {
        use v1::comprehension::Kind;
        let kind = match node.kind {
            None => return self.missing(format_args!("kind"), "kind"),
            Some(Kind::List(id)) => ComprehensionKind::List(self.expr(id, format_args!("list"))?),
            Some(Kind::Set(id)) => ComprehensionKind::Set(self.expr(id, format_args!("set"))?),
            Some(Kind::Dict(item)) => ComprehensionKind::Dict(
                self.expr(item.key, format_args!("dict.key"))?,
                self.expr(item.value, format_args!("dict.value"))?,
            ),
            Some(Kind::Generator(id)) => ComprehensionKind::Generator(self.expr(id, format_args!("generator"))?),
        };
        let mut clauses = Vec::with_capacity(node.clauses.len());
        for (index, clause) in node.clauses.into_iter().enumerate() {
            clauses.push(Clause {
                target: self.expr(clause.target, format_args!("clauses[{index}].target"))?,
                iter: self.expr(clause.iter, format_args!("clauses[{index}].iter"))?,
                conditions: self.exprs(clause.conditions, &format!("clauses[{index}].conditions"))?,
                is_async: clause.is_async,
            });
        }
        Ok(Comprehension { kind, clauses })
    }

    fn format(&mut self, node: v1::Format) -> Decoded<Vec<FormatPart>> {
        use v1::format_part::Kind;
        let mut parts = Vec::with_capacity(node.parts.len());
        for (index, part) in node.parts.into_iter().enumerate() {
            parts.push(match part.kind {
                None => return self.missing(format_args!("parts[{index}].kind"), "kind"),
                Some(Kind::Text(text)) => FormatPart::Text(text),
                Some(Kind::Field(field)) => FormatPart::Field {
                    value: self.expr(field.value, format_args!("parts[{index}].field.value"))?,
                    conversion: match field.conversion {
                        0 => None,
                        number => Some(self.enumeration(number, &format!("parts[{index}].field.conversion"))?),
                    },
                    spec: match self.optional(field.spec, format_args!("parts[{index}].field.spec"))? {
                        None => Vec::new(),
                        Some(Expr { kind: ExprKind::Format(spec), .. }) => spec,
                        Some(_) => {
                            let path = self.path(format_args!("parts[{index}].field.spec"));
                            return Err(DecodeError::Invalid { path, reason: "a format spec must be a Format" });
                        }
                    },
                },
            });
        }
        Ok(parts)
    }

    fn action(&mut self, node: v1::ActionCall) -> Decoded<ActionCall> {
        use v1::action_call::Target;
        let target = match node.target {
            None => return self.missing(format_args!("target"), "target"),
            Some(Target::Action(name)) => CallTarget::Action(name),
            Some(Target::Workflow(name)) => CallTarget::Workflow(name),
        };
        let args = self.args(node.args)?;
        let policy = node.policy.unwrap_or_default();
        let policy = Policy {
            attempts: self.optional(policy.attempts, format_args!("policy.attempts"))?,
            retry_on: self.optional(policy.retry_on, format_args!("policy.retry_on"))?,
            retry_timeouts: self.optional(policy.retry_timeouts, format_args!("policy.retry_timeouts"))?,
            backoff: self.optional(policy.backoff, format_args!("policy.backoff"))?,
            factor: self.optional(policy.factor, format_args!("policy.factor"))?,
            max_delay: self.optional(policy.max_delay, format_args!("policy.max_delay"))?,
            jitter: self.optional(policy.jitter, format_args!("policy.jitter"))?,
            timeout: self.optional(policy.timeout, format_args!("policy.timeout"))?,
            grace: self.optional(policy.grace, format_args!("policy.grace"))?,
            queue: self.optional(policy.queue, format_args!("policy.queue"))?,
            transaction: self.optional(policy.transaction, format_args!("policy.transaction"))?,
        };
        Ok(ActionCall { target, args, policy })
    }

    // -------------------------------------------------------------------------------------------- types

    fn descriptor(&mut self, node: v1::TypeDescriptor) -> Decoded<TypeDescriptor> {
        use v1::type_descriptor::Kind;
        let kind = match node.kind {
            None => return self.missing(format_args!("kind"), "kind"),
            Some(Kind::Opaque(_)) => TypeKind::Opaque,
            Some(Kind::Record(record)) => {
                TypeKind::Record { frozen: record.frozen, eq: record.eq, order: record.order }
            }
            Some(Kind::Exception(_)) => TypeKind::Exception,
            Some(Kind::Enum(node)) => {
                let mut members = Vec::with_capacity(node.members.len());
                for (index, member) in node.members.into_iter().enumerate() {
                    let value = self.value(member.value, format_args!("enum.members[{index}].value"))?;
                    members.push((member.name, value));
                }
                TypeKind::Enum(members)
            }
        };
        let mut fields = Vec::with_capacity(node.fields.len());
        for (index, field) in node.fields.into_iter().enumerate() {
            let default = match field.default {
                None => None,
                Some(value) => Some(self.value(Some(value), format_args!("fields[{index}].default"))?),
            };
            fields.push(Field { name: field.name, default });
        }
        let span = self.span(&node.span, format_args!("span"))?;
        let methods = node.methods.into_iter().map(|method| (method.name, method.function)).collect();
        Ok(TypeDescriptor {
            name: node.name,
            bases: node.bases,
            kind,
            fields,
            overrides: node.overrides,
            methods,
            span,
        })
    }
}
