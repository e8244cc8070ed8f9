//! Handing an operation over to a worker: what native code can't do faithfully (a user's `__eq__`, a property, a method of
//! a user's class). The operation goes as a fragment over its evaluated operands; the result takes their place.

use std::fmt::Write;
use std::sync::Arc;

use waymark_ir::{Conversion, UnaryOp};

use crate::context::{Eval, Fault, LogLine};
use crate::graph::{Lowered, Names, Op};
use crate::heap::{Activation, Id, Object, Waiting};
use crate::instance::Instance;
use crate::python::operators;
use crate::registry;
use crate::types::TypeId;
use crate::value::Value;

/// An operation as source text over its operands `_0`, `_1`, ….
struct Written {
    source: String,
    /// How many operands it takes off the stack.
    operands: usize,
    after: After,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum After {
    /// Push the result.
    Push,
    /// The operation has none.
    Nothing,
    /// The result is the operand, made plain: repeat the instruction with it.
    Repeat,
    /// The result tells the truth of the operand, which an `and` or `or` keeps as it is.
    Decide,
    /// The result goes to the variable in this slot.
    Store(u32),
    /// The result is the text that `print` adds to the instance's log, not the worker's.
    Print,
}

impl Instance {
    /// The instruction that the top frame just tried, as a fragment. The task waits for it.
    pub(super) fn hand_over(&mut self, current: Id) -> Eval<()> {
        let lowered = self.lowered.clone();
        let Some(Activation::Frame(frame)) = self.stack.last() else {
            return Err(self
                .unsupported("a built-in function over objects of a class that defines its own comparison or truth"));
        };
        let unit = super::unit(&lowered, frame.function);
        let graph = super::graph(&lowered, frame.function);
        let op = graph.code[frame.position as usize - 1];
        let Some(written) = self.write(unit, op) else {
            return Err(self.unsupported("this operation on an object of such a class"));
        };
        let Some(Activation::Frame(frame)) = self.stack.last() else { return Ok(()) };
        let from = frame.operands.len() - written.operands;
        let operands = frame.operands[from..].to_vec();
        let captures: Vec<(Arc<str>, Value)> =
            operands.into_iter().enumerate().map(|(at, value)| (Arc::from(format!("_{at}")), value)).collect();
        // Functions and classes are named in the source, not captured.
        let captures = captures.into_iter().filter(|(name, _)| mentions(&written.source, name)).collect();
        let writes: Vec<Arc<str>> = Vec::new();
        let source = match written.after {
            After::Nothing => format!("({}, None)[1]", written.source),
            _ => written.source,
        };
        let ordinal = self.dispatch_fragment(source.into(), captures, writes, written.operands, written.after)?;
        if let Some(task) = self.task_mut(current) {
            task.waiting = Waiting::Fragment(ordinal);
        }
        Ok(())
    }

    fn unsupported(&mut self, what: &str) -> Fault {
        self.cx
            .raise(TypeId::UNSUPPORTED, format!("{what} can't be done in the workflow itself; move it into an action"))
    }

    fn write(&mut self, unit: &Lowered, op: Op) -> Option<Written> {
        let push = |source: String, operands| Some(Written { source, operands, after: After::Push });
        let name = |at: u32| &unit.pool.names[at as usize];
        match op {
            Op::Binary(operator) => push(format!("_0 {} _1", operators::symbol(operator)), 2),
            Op::InPlace(operator) => {
                let symbol = operators::symbol(operator);
                push(format!("__import__('operator').{}(_0, _1)", in_place_function(symbol)), 2)
            }
            Op::Extend(slot) => {
                // `x = x + y`: the variable is no operand yet.
                let frame = self.top_frame()?;
                let left = frame.locals.get(slot as usize)?.clone();
                let at = frame.operands.len().checked_sub(1)?;
                frame.operands.insert(at, left);
                Some(Written { source: "_0 + _1".into(), operands: 2, after: After::Store(slot) })
            }
            Op::Compare(operator) => push(format!("_0 {} _1", operator.symbol()), 2),
            Op::Unary(UnaryOp::Not) => push("not _0".into(), 1),
            Op::Unary(UnaryOp::Negative) => push("-_0".into(), 1),
            Op::Unary(UnaryOp::Positive) => push("+_0".into(), 1),
            Op::Unary(UnaryOp::Invert) => push("~_0".into(), 1),
            Op::JumpIfFalse(_) | Op::JumpIfTrue(_) | Op::FinallySuppress(_) => {
                Some(Written { source: "bool(_0)".into(), operands: 1, after: After::Repeat })
            }
            Op::JumpIfFalseOrPop(_) | Op::JumpIfTrueOrPop(_) => {
                Some(Written { source: "bool(_0)".into(), operands: 1, after: After::Decide })
            }
            Op::CallSpread => {
                let callee = self.stack.last().and_then(|activation| match activation {
                    Activation::Frame(frame) => frame.operands.iter().nth_back(2),
                    Activation::Driver(_) => None,
                });
                push(format!("{}(*_1, **_2)", self.callee(callee?, None)?), 3)
            }
            Op::Unpack(count) => {
                // No more items than it takes to see whether there are too many.
                let source = format!("list(__import__('itertools').islice(_0, {}))", u64::from(count) + 1);
                Some(Written { source, operands: 1, after: After::Repeat })
            }
            Op::GetAttribute(at) => push(format!("_0.{}", name(at)), 1),
            Op::SetAttribute(at) => {
                let source = format!("setattr(_1, {:?}, _0)", name(at));
                Some(Written { source, operands: 2, after: After::Nothing })
            }
            Op::DeleteAttribute(at) => {
                Some(Written { source: format!("delattr(_0, {:?})", name(at)), operands: 1, after: After::Nothing })
            }
            Op::GetItem => push("_0[_1]".into(), 2),
            Op::SetItem => {
                Some(Written { source: "_1.__setitem__(_2, _0)".into(), operands: 3, after: After::Nothing })
            }
            Op::DeleteItem => Some(Written { source: "_0.__delitem__(_1)".into(), operands: 2, after: After::Nothing }),
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
                let Some(Activation::Frame(frame)) = self.stack.last() else { return None };
                let Some(Value::Type(class)) = frame.operands.last() else { return None };
                let source = format!("{}()", class_source(&self.cx.types.get(*class).name));
                Some(Written { source, operands: 1, after: After::Repeat })
            }
            Op::Call { positional, names } => self.write_call(unit, None, positional as usize, names),
            Op::CallMethod { name: at, positional, names } => {
                let method = name(at).clone();
                self.write_call(unit, Some(&method), positional as usize, names)
            }
            _ => None,
        }
    }

    fn write_call(&self, unit: &Lowered, method: Option<&str>, positional: usize, names: Names) -> Option<Written> {
        let names: &[Arc<str>] = if names == Names::NONE { &[] } else { &unit.pool.keywords[names.0 as usize] };
        let operands = 1 + positional + names.len();
        let Some(Activation::Frame(frame)) = self.stack.last() else { return None };
        let callee = &frame.operands[frame.operands.len() - operands];
        if method.is_none()
            && names.is_empty()
            && matches!(callee, Value::Builtin(builtin) if registry::name(*builtin) == "print")
        {
            let texts: String = (1..=positional).map(|at| format!("str(_{at}), ")).collect();
            return Some(Written { source: format!("' '.join(({texts}))"), operands, after: After::Print });
        }
        let mut source = self.callee(callee, method)?;
        source.push('(');
        let argument = |at: usize| match &frame.operands[frame.operands.len() - operands + at] {
            Value::Builtin(builtin) => qualified(registry::name(*builtin)),
            Value::Type(class) => class_source(&self.cx.types.get(*class).name),
            _ => format!("_{at}"),
        };
        for at in 1..=positional {
            let _ = write!(source, "{}, ", argument(at));
        }
        for (at, name) in names.iter().enumerate() {
            let _ = write!(source, "{name}={}, ", argument(positional + at + 1));
        }
        source.push(')');
        Some(Written { source, operands, after: After::Push })
    }

    /// What is called, as source text; `_0` where it is a captured object.
    fn callee(&self, callee: &Value, method: Option<&str>) -> Option<String> {
        Some(match (callee, method) {
            (Value::Builtin(builtin), None) => qualified(registry::name(*builtin)),
            (Value::Type(class), None) => class_source(&self.cx.types.get(*class).name),
            (Value::Type(class), Some(method)) => format!("{}.{method}", class_source(&self.cx.types.get(*class).name)),
            (Value::Ref(id), None) => match self.cx.heap.get(*id) {
                Object::Instance(_) => "_0".into(),
                _ => return None,
            },
            (_, Some(method)) => format!("_0.{method}"),
            _ => return None,
        })
    }

    /// What a settled fragment means for the frame that waits for it.
    pub(crate) fn after_fragment(&mut self, operands: usize, after: After, value: Value) {
        match after {
            After::Push => self.replace_top(operands, value),
            After::Nothing => self.drop_top(operands),
            After::Print => {
                if let Value::Str(text) = &value {
                    self.cx.log.push(LogLine { level: "print".into(), text: text.to_string() });
                }
                self.replace_top(operands, Value::None);
            }
            After::Store(slot) => {
                self.drop_top(operands);
                if let Some(local) = self.top_frame().and_then(|frame| frame.locals.get_mut(slot as usize)) {
                    *local = value;
                }
            }
            After::Decide => {
                let lowered = self.lowered.clone();
                let Some(frame) = self.top_frame() else { return };
                let op = super::graph(&lowered, frame.function).code[frame.position as usize - 1];
                let is_true = matches!(value, Value::Bool(true));
                match op {
                    Op::JumpIfFalseOrPop(to) if !is_true => frame.position = to,
                    Op::JumpIfTrueOrPop(to) if is_true => frame.position = to,
                    _ => self.drop_top(operands),
                }
            }
            After::Repeat => {
                self.replace_top(operands, value);
                if let Some(frame) = self.top_frame() {
                    frame.position -= 1;
                }
            }
        }
    }

    /// A fragment that the compiler cut out: its captures are on the stack.
    pub(super) fn dispatch_fragment_site(&mut self, unit: &Lowered, site: u32) -> Eval<()> {
        let site = &unit.pool.fragments[site as usize];
        let count = site.captures.len();
        let Some(Activation::Frame(frame)) = self.stack.last() else { return Ok(()) };
        let values = frame.operands[frame.operands.len() - count..].to_vec();
        let captures = site.captures.iter().cloned().zip(values).collect();
        let ordinal = self.dispatch_fragment(site.source.clone(), captures, site.writes.clone(), count, After::Push)?;
        if let Some(task) = self.current.and_then(|current| self.task_mut(current)) {
            task.waiting = Waiting::Fragment(ordinal);
        }
        Ok(())
    }
}

/// `math.sqrt` is reached through its module.
fn qualified(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((module, function)) => format!("__import__({module:?}, fromlist=['']).{function}"),
        None => name.to_string(),
    }
}

/// `app.models:User` likewise; a worker puts the classes of the program in reach.
fn class_source(name: &str) -> String {
    match name.rsplit_once(':').or_else(|| name.rsplit_once('.')) {
        Some((module, class)) => format!("__import__({module:?}, fromlist=['']).{class}"),
        None => name.to_string(),
    }
}

fn mentions(source: &str, name: &str) -> bool {
    source.match_indices(name).any(|(at, _)| {
        let behind = source[at + name.len()..].chars().next();
        !behind.is_some_and(|letter| letter.is_ascii_digit())
    })
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
