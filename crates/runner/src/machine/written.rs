//! Operations as source text over their operands `_0`, `_1`, …, for a worker.

use std::fmt::Write;
use std::sync::Arc;

use waymark_ir::{Conversion, UnaryOp};

use super::call::consumes;
use super::hand_over::After;
use crate::graph::{Lowered, Names, Op};
use crate::heap::{Activation, Iterator, Object};
use crate::instance::Instance;
use crate::python::{compare, operators};
use crate::registry;
use crate::types::Types;
use crate::value::Value;

pub(super) struct Written {
    pub source: String,
    /// How many operands, from the top of the stack, it is about.
    pub operands: usize,
    /// How many of them it takes off.
    pub dropped: usize,
    pub after: After,
}

/// What an attribute is, where it may be missing.
const MISSING: &str = "(lambda m: [] if (v := getattr(_0, NAME, m)) is m else [v])(object())";

impl Written {
    fn new(source: impl Into<String>, operands: usize, after: After) -> Option<Written> {
        Some(Written { source: source.into(), operands, dropped: operands, after })
    }
}

impl Instance {
    #[allow(clippy::too_many_lines)]
    pub(super) fn write(&mut self, unit: &Lowered, op: Op) -> Option<Written> {
        let push = |source: String, operands| Written::new(source, operands, After::Push);
        let name = |at: u32| &unit.pool.names[at as usize];
        match op {
            Op::Binary(operator) => push(format!("_0 {} _1", operators::symbol(operator)), 2),
            Op::InPlace(operator) => {
                let symbol = operators::symbol(operator);
                push(format!("__import__('operator').{}(_0, _1)", in_place_function(symbol)), 2)
            }
            Op::Extend(slot) => {
                // `x = x + y`: the variable is no operand yet.
                self.lift(slot, 1)?;
                Written::new("_0 + _1", 2, After::Store(slot))
            }
            Op::Compare(operator) => push(format!("_0 {} _1", operator.symbol()), 2),
            Op::Unary(UnaryOp::Not) => push("not _0".into(), 1),
            Op::Unary(UnaryOp::Negative) => push("-_0".into(), 1),
            Op::Unary(UnaryOp::Positive) => push("+_0".into(), 1),
            Op::Unary(UnaryOp::Invert) => push("~_0".into(), 1),
            Op::JumpIfFalse(_) | Op::JumpIfTrue(_) | Op::FinallySuppress(_) => {
                Written::new("bool(_0)", 1, After::Repeat)
            }
            Op::JumpIfFalseOrPop(_) | Op::JumpIfTrueOrPop(_) => Written::new("bool(_0)", 1, After::Decide),
            Op::CallSpread => {
                let [callee, list] = self.operands_below(3)?;
                if is_lazy(&self.label(&callee)) {
                    let at = self.top_frame()?.operands.len() - 2;
                    let source = "[list(i) for i in _0]";
                    let after = After::Replace(at as u32);
                    return self.spreads_iterables(&list).then_some(Written {
                        source: source.into(),
                        operands: 2,
                        dropped: 0,
                        after,
                    });
                }
                push(format!("{}(*_1, **_2)", self.callee(&callee, None)?), 3)
            }
            Op::Iter => {
                let at = self.operand_count() - 1;
                self.fetch(at)
            }
            Op::Unpack(count) => {
                // No more items than it takes to see whether there are too many.
                let source = format!("list(__import__('itertools').islice(_0, {}))", u64::from(count) + 1);
                Written::new(source, 1, After::Repeat)
            }
            Op::UnpackStar { .. } | Op::ExtendTop | Op::ExtendArguments => Written::new("list(_0)", 1, After::Repeat),
            Op::Set(count) => {
                let items: String = (0..count).map(|at| format!("_{at}, ")).collect();
                push(format!("{{{items}}}"), count as usize)
            }
            Op::Dict(count) => {
                let items: String = (0..count).map(|at| format!("_{}: _{}, ", 2 * at, 2 * at + 1)).collect();
                push(format!("{{{items}}}"), 2 * count as usize)
            }
            Op::Add(slot) => {
                self.lift(slot, 1)?;
                Written::new("_0.add(_1)", 2, After::Nothing)
            }
            Op::Insert(slot) => {
                self.lift(slot, 2)?;
                Written::new("_0.__setitem__(_1, _2)", 3, After::Nothing)
            }
            Op::AddTop => Some(Written { dropped: 1, ..Written::new("_0.add(_1)", 2, After::Nothing)? }),
            Op::InsertTop => Some(Written { dropped: 2, ..Written::new("_0.__setitem__(_1, _2)", 3, After::Nothing)? }),
            Op::UpdateTop => Some(Written { dropped: 1, ..Written::new("_0.update(_1)", 2, After::Nothing)? }),
            Op::MergeTop { call: false } => {
                Some(Written { dropped: 1, ..Written::new("_0.update({**_1})", 2, After::Nothing)? })
            }
            Op::MergeTop { call: true } => Written::new("{**_0}", 1, After::Repeat),
            Op::GetAttribute(at) => {
                // A method can't travel, but the object and the name of the method can.
                let source = format!(
                    "(lambda v: (True, None) if callable(v) and getattr(v, '__self__', None) is _0 else (False, v))(_0.{})",
                    name(at)
                );
                let is_object = matches!(self.operands_below::<1>(1)?, [Value::Ref(_)]);
                if is_object { Written::new(source, 1, After::Attribute) } else { push(format!("_0.{}", name(at)), 1) }
            }
            Op::SetAttribute(at) => Written::new(format!("setattr(_1, {:?}, _0)", name(at)), 2, After::Nothing),
            Op::DeleteAttribute(at) => Written::new(format!("delattr(_0, {:?})", name(at)), 1, After::Nothing),
            Op::GetItem => push("_0[_1]".into(), 2),
            Op::SetItem => Written::new("_1.__setitem__(_2, _0)", 3, After::Nothing),
            Op::DeleteItem => Written::new("_0.__delitem__(_1)", 2, After::Nothing),
            Op::Format { conversion, spec } => {
                let text = match conversion {
                    Some(Conversion::Str) => "str(_0)",
                    Some(Conversion::Repr) => "repr(_0)",
                    Some(Conversion::Ascii) => "ascii(_0)",
                    None => "_0",
                };
                let spec_text = if spec { "_1" } else { "''" };
                push(format!("format({text}, {spec_text})"), if spec { 2 } else { 1 })
            }
            Op::Raise { cause: false } => {
                // `raise PaymentFailed`: the worker makes the exception, then the instruction is repeated with it.
                let [Value::Type(class)] = self.operands_below(1)? else { return None };
                let source = format!("{}()", class_source(&self.cx.types.get(class).name));
                Written::new(source, 1, After::Repeat)
            }
            Op::Call { positional, names } => self.write_call(unit, None, positional as usize, names),
            Op::CallMethod { name: at, positional, names } => {
                let method = name(at).clone();
                self.write_call(unit, Some(&method), positional as usize, names)
            }
            _ => self.write_pattern(unit, op),
        }
    }

    fn write_pattern(&mut self, unit: &Lowered, op: Op) -> Option<Written> {
        let is_a = |class: &str| format!("isinstance(_0, __import__('collections.abc', fromlist=['']).{class})");
        match op {
            Op::MatchSequence { length, star } => {
                let wanted = if star { ">=" } else { "==" };
                let text = "not isinstance(_0, (str, bytes, bytearray))";
                let source = format!("{} and {text} and len(_0) {wanted} {length}", is_a("Sequence"));
                Written::new(source, 1, After::Push)
            }
            Op::MatchMapping => Written::new(is_a("Mapping"), 1, After::Push),
            Op::MatchKey => {
                Written::new("(lambda m: [] if (v := _0.get(_1, m)) is m else [v])(object())", 2, After::Found)
            }
            Op::MatchClass => Written::new("isinstance(_0, _1)", 2, After::Push),
            Op::MatchPositional(at) => {
                let attribute = format!("_1.__match_args__[{at}]");
                Written::new(MISSING.replace("NAME", &attribute), 2, After::Found)
            }
            Op::MatchAttribute(at) => {
                let attribute = format!("{:?}", unit.pool.names[at as usize]);
                Written::new(MISSING.replace("NAME", &attribute), 1, After::Found)
            }
            Op::MatchRest(count) => {
                let keys: String = (1..=count).map(|at| format!("_{at}, ")).collect();
                let source = format!("(lambda d: ([d.pop(k, None) for k in ({keys})], d)[1])(dict(_0))");
                Written::new(source, count as usize + 1, After::Push)
            }
            _ => None,
        }
    }

    /// Puts a variable under the top operands, where an operation finds it as one of them.
    fn lift(&mut self, slot: u32, above: usize) -> Option<()> {
        let frame = self.top_frame()?;
        let value = frame.locals.get(slot as usize)?.clone();
        let at = frame.operands.len().checked_sub(above)?;
        frame.operands.insert(at, value);
        Some(())
    }

    fn operand_count(&mut self) -> usize {
        self.top_frame().map_or(0, |frame| frame.operands.len())
    }

    /// The lowest of the top `count` operands, and those that follow it.
    fn operands_below<const N: usize>(&mut self, count: usize) -> Option<[Value; N]> {
        let frame = self.top_frame()?;
        let from = frame.operands.len().checked_sub(count)?;
        frame.operands.get(from..from + N)?.to_vec().try_into().ok()
    }

    /// Makes the operand at a place something that can be iterated over here: its items, all at once, or (where it is
    /// its own iterator) a stand-in that asks for one at a time.
    fn fetch(&self, at: usize) -> Option<Written> {
        let Some(Activation::Frame(frame)) = self.stack.last() else { return None };
        let after = After::Fetched(at as u32);
        Some(Written { source: own_iterator("_0"), operands: frame.operands.len() - at, dropped: 0, after })
    }

    fn write_call(&mut self, unit: &Lowered, method: Option<&str>, positional: usize, names: Names) -> Option<Written> {
        let names: &[Arc<str>] = if names == Names::NONE { &[] } else { &unit.pool.keywords[names.0 as usize] };
        let operands = 1 + positional + names.len();
        let from = self.operand_count().checked_sub(operands)?;
        let [callee] = self.operands_below(operands)?;
        let label = if method.is_none() { self.label(&callee) } else { String::new() };
        if label == "print" && names.is_empty() {
            let texts: String = (1..=positional).map(|at| format!("str(_{at}), ")).collect();
            return Written::new(format!("' '.join(({texts}))"), operands, After::Print);
        }
        if consumes(&callee, method) {
            self.plain_items(from);
        }
        if is_lazy(&label) || self.cannot_travel(from + 1) {
            // What is read step by step, or with a function of the program: only its items come from the worker.
            let first = from + 1 + usize::from(matches!(label.as_str(), "map" | "filter" | "functools.reduce"));
            let found = (first..from + operands).find(|at| self.is_foreign_iterable(*at));
            if let Some(at) = found {
                return self.fetch(at);
            }
        }
        if label == "iter" && positional == 1 {
            return Written::new(own_iterator("_1"), operands, After::Iterator);
        }
        if label == "reversed" {
            return Written::new("list(reversed(_1))", operands, After::Items);
        }
        if method == Some("__exit__") && positional == 1 {
            // As `with` calls it here: with the exception or None.
            let source =
                "(lambda e: _0.__exit__(None if e is None else type(e), e, getattr(e, '__traceback__', None)))(_1)";
            return Written::new(source, operands, After::Push);
        }
        let mut source = self.callee(&callee, method)?;
        source.push('(');
        for at in 1..=positional {
            let _ = write!(source, "_{at}, ");
        }
        for (at, name) in names.iter().enumerate() {
            let _ = write!(source, "{name}=_{}, ", positional + at + 1);
        }
        source.push(')');
        if method.is_some() && self.is_read_at_once(from) {
            return Written::new(items_of_iterator(&source), operands, After::Given);
        }
        Written::new(source, operands, After::Push)
    }

    /// Whether what the call in hand gives is read to its end before anything else happens: by a loop, or by a built-in
    /// function under the call's operands. An iterator can't come back from a worker, but its items can.
    fn is_read_at_once(&self, from: usize) -> bool {
        let Some(Activation::Frame(frame)) = self.stack.last() else { return false };
        let next = super::graph(&self.lowered, frame.function).code.get(frame.position as usize);
        let below = from.checked_sub(1).and_then(|at| frame.operands.get(at));
        matches!(next, Some(Op::Iter | Op::UnpackStar { .. } | Op::ExtendTop | Op::ExtendArguments))
            || below.is_some_and(|callee| consumes(callee, None))
    }

    /// What is called, as source text; `_0` where it is a captured object.
    pub(super) fn callee(&self, callee: &Value, method: Option<&str>) -> Option<String> {
        Some(match (callee, method) {
            (Value::Builtin(_) | Value::Type(_), None) => "_0".into(),
            (Value::Ref(id), None) => match self.cx.heap.get(*id) {
                Object::Instance(_) | Object::Method { .. } => "_0".into(),
                _ => return None,
            },
            (_, Some(method)) => format!("_0.{method}"),
            _ => return None,
        })
    }

    /// The name of a built-in function or class.
    fn label(&self, callee: &Value) -> String {
        match callee {
            Value::Builtin(builtin) => registry::name(*builtin).into(),
            Value::Type(class) => self.cx.types.get(*class).name.to_string(),
            _ => String::new(),
        }
    }

    /// Iterators that were read into a list for this call, and that it may have read since, are lists for the worker.
    fn plain_items(&mut self, from: usize) {
        let Some(Activation::Frame(frame)) = self.stack.last_mut() else { return };
        for operand in &mut frame.operands[from..] {
            if let Value::Ref(id) = operand
                && let Object::Iterator(iterator) = self.cx.heap.get(*id)
                && let Iterator::Items { items, .. } = &**iterator
            {
                let items = items.clone();
                *operand = self.cx.list(items);
            }
        }
    }

    fn cannot_travel(&self, from: usize) -> bool {
        let Some(Activation::Frame(frame)) = self.stack.last() else { return false };
        frame.operands[from..].iter().any(|value| match value {
            Value::Ref(id) => matches!(
                self.cx.heap.get(*id),
                Object::Function(_)
                    | Object::Bound { .. }
                    | Object::Coroutine(_)
                    | Object::Future(_)
                    | Object::Iterator(_)
            ),
            _ => false,
        })
    }

    fn is_foreign_iterable(&self, at: usize) -> bool {
        let Some(Activation::Frame(frame)) = self.stack.last() else { return false };
        self.is_foreign(&frame.operands[at])
    }

    fn is_foreign(&self, value: &Value) -> bool {
        match value {
            Value::Type(class) => compare::is_enum_class(&self.cx, *class),
            other => compare::customises(&self.cx, other, &["__iter__", "__getitem__"]),
        }
    }

    fn spreads_iterables(&self, list: &Value) -> bool {
        let Value::Ref(id) = list else { return false };
        let Object::List(list) = self.cx.heap.get(*id) else { return false };
        list.items.iter().any(|item| self.is_foreign(item))
    }
}

/// Built-ins that give an iterator over what they are given.
fn is_lazy(label: &str) -> bool {
    matches!(label, "zip" | "enumerate" | "map" | "filter" | "functools.reduce")
}

/// Whether a call gives a generator or another iterator of Python's own, with its items, or else what it gives, in a pair.
fn items_of_iterator(call: &str) -> String {
    let items = format!("list(__import__('itertools').islice(v, {}))", super::hand_over::ITEMS_MAX + 1);
    let is_own = "type(v).__module__ in ('builtins', 'itertools') and hasattr(v, '__next__')";
    format!("(lambda v: (True, {items}) if {is_own} else (False, v))({call})")
}

/// Whether an object is its own iterator, or else its items, in a pair.
fn own_iterator(operand: &str) -> String {
    let items = format!("list(__import__('itertools').islice(i, {}))", super::hand_over::ITEMS_MAX + 1);
    format!("(lambda i: (True, i) if i is {operand} else (False, {items}))(iter({operand}))")
}

/// `math.sqrt` is reached through its module.
pub(super) fn qualified(name: &str) -> String {
    match name.rsplit_once('.') {
        // `dict.fromkeys` belongs to a class that needs no import.
        Some((class, method)) if Types::default().find(class).is_some() => format!("{}.{method}", class_source(class)),
        Some((module, function)) => format!("__import__({module:?}, fromlist=['']).{function}"),
        None => name.to_string(),
    }
}

/// `app.models:User` likewise; a worker puts the classes of the program in reach.
pub(super) fn class_source(name: &str) -> String {
    if name.ends_with(']') {
        // A generic model with its parameters.
        return format!("__import__('waymark.values.classes', fromlist=['']).find_class({name:?})");
    }
    match name.rsplit_once(':').or_else(|| name.rsplit_once('.')) {
        Some((module, class)) => format!("__import__({module:?}, fromlist=['']).{class}"),
        None => name.to_string(),
    }
}

/// Where an operand stands in a source text: not in a longer name, an attribute or a string.
fn places<'a>(source: &'a str, name: &'a str) -> impl std::iter::Iterator<Item = usize> + 'a {
    source.match_indices(name).map(|(at, _)| at).filter(move |at| {
        let before = source[..*at].chars().next_back();
        let mut behind = source[at + name.len()..].chars();
        let (next, second) = (behind.next(), behind.next());
        let is_keyword = next == Some('=') && second != Some('=');
        !is_keyword
            && !before.is_some_and(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '"'))
            && !next.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
    })
}

pub(super) fn mentions(source: &str, name: &str) -> bool {
    places(source, name).next().is_some()
}

pub(super) fn replace(source: &str, name: &str, text: &str) -> String {
    let mut out = String::with_capacity(source.len() + text.len());
    let mut from = 0;
    for at in places(source, name) {
        out.push_str(&source[from..at]);
        out.push_str(text);
        from = at + name.len();
    }
    out.push_str(&source[from..]);
    out
}

fn in_place_function(symbol: &str) -> &'static str {
    match symbol {
        "+" => "iadd",
        "-" => "isub",
        "*" => "imul",
        "/" => "itruediv",
        "//" => "ifloordiv",
        "%" => "imod",
        "**" => "ipow",
        "@" => "imatmul",
        "<<" => "ilshift",
        ">>" => "irshift",
        "&" => "iand",
        "|" => "ior",
        _ => "ixor",
    }
}
