//! Calls: arguments to parameters, and whatever can be called.

use std::sync::Arc;

use waymark_ir::{FunctionKind, ParamKind};

use crate::context::{Eval, Fault};
use crate::graph::{Graph, Lowered, Names};
use crate::heap::{Activation, Coroutine, Dict, Frame, Id, Iterator, Key, Object};
use crate::instance::Instance;
use crate::python::{Args, builtins, iterate};
use crate::registry::{self, Callable};
use crate::types::TypeId;
use crate::value::Value;

pub(crate) type Keywords = [(Arc<str>, Value)];

impl Instance {
    /// `callee(arguments)` on the operand stack. True: the result is there. False: the machine must look again.
    pub(super) fn call_operands(&mut self, unit: &Lowered, positional: usize, names: Names) -> Eval<bool> {
        let names: &[Arc<str>] = if names == Names::NONE { &[] } else { &unit.pool.keywords[names.0 as usize] };
        let count = positional + names.len();
        let Some(Activation::Frame(frame)) = self.stack.last_mut() else { return Ok(false) };
        let from = frame.operands.len() - count;
        let callee = frame.operands[from - 1].clone();
        // The common case first: a native function without keywords.
        if let (Value::Builtin(builtin), true) = (&callee, names.is_empty())
            && let Callable::Native(native) = registry::callable(*builtin)
            && !frame.operands[from..]
                .iter()
                .any(|value| matches!(value, Value::Ref(id) if matches!(self.cx.heap.get(*id), Object::Iterator(_))))
        {
            let args = Args { positional: &frame.operands[from..], keyword: &[] };
            let value = native(&mut self.cx, args)?;
            frame.operands.truncate(from - 1);
            frame.operands.push(value);
            return Ok(true);
        }
        if self.drains_watched(&callee, from, positional, names)? || self.drains_first(&callee, None, from, count)? {
            return Ok(false);
        }
        let Some(Activation::Frame(frame)) = self.stack.last_mut() else { return Ok(false) };
        let args: Vec<Value> = frame.operands[from..from + positional].to_vec();
        let values = frame.operands[from + positional..].iter().cloned();
        let keyword: Vec<(Arc<str>, Value)> = names.iter().cloned().zip(values).collect();
        // A frame or driver that the call pushes must not see the operands of this call again.
        let result = self.invoke(&callee, &args, &keyword)?;
        self.finish_call(count + 1, result)
    }

    pub(super) fn call_method_operands(
        &mut self,
        unit: &Lowered,
        name: u32,
        positional: usize,
        names: Names,
    ) -> Eval<bool> {
        let names: &[Arc<str>] = if names == Names::NONE { &[] } else { &unit.pool.keywords[names.0 as usize] };
        let name = &unit.pool.names[name as usize];
        let count = positional + names.len();
        let Some(Activation::Frame(frame)) = self.stack.last_mut() else { return Ok(false) };
        let from = frame.operands.len() - count;
        let receiver = frame.operands[from - 1].clone();
        if self.drains_first(&receiver, Some(name), from, count)? {
            return Ok(false);
        }
        let Some(Activation::Frame(frame)) = self.stack.last_mut() else { return Ok(false) };
        let args: Vec<Value> = frame.operands[from..from + positional].to_vec();
        let values = frame.operands[from + positional..].iter().cloned();
        let keyword: Vec<(Arc<str>, Value)> = names.iter().cloned().zip(values).collect();
        if let Value::Ref(id) = &receiver
            && matches!(&**name, "send" | "throw" | "close")
            && self.cx.type_of(&receiver) == TypeId::GENERATOR
        {
            self.generator_method(*id, name, &args, count + 1)?;
            return Ok(false);
        }
        let result = self.invoke_method(&receiver, name, &args, &keyword)?;
        self.finish_call(count + 1, result)
    }

    /// Callee, list, dict.
    pub(super) fn call_spread(&mut self) -> Eval<()> {
        let Some(Activation::Frame(frame)) = self.stack.last_mut() else { return Ok(()) };
        let [.., callee, list, dict] = &frame.operands[..] else { return Ok(()) };
        let (callee, list, dict) = (callee.clone(), list.clone(), dict.clone());
        let mut args = iterate::collect(&mut self.cx, &list)?;
        let keyword = self.keywords_of(&dict);
        for arg in &mut args {
            if consumes(&callee, None) && iterate::needs_machine(&self.cx, arg) {
                return Err(self.cx.raise(TypeId::UNSUPPORTED, "a generator among *args of a built-in function"));
            }
        }
        let result = self.invoke(&callee, &args, &keyword)?;
        self.finish_call(3, result)?;
        Ok(())
    }

    pub(crate) fn keywords_of(&self, dict: &Value) -> Vec<(Arc<str>, Value)> {
        let Value::Ref(id) = dict else { return Vec::new() };
        let Object::Dict(dict) = self.cx.heap.get(*id) else { return Vec::new() };
        let named = dict.iter().filter_map(|(name, value)| match name {
            Value::Str(name) => Some((name.clone(), value.clone())),
            _ => None,
        });
        named.collect()
    }

    /// Takes the operands of a call away, from under whatever the call put on the stack.
    fn finish_call(&mut self, operands: usize, result: Option<Value>) -> Eval<bool> {
        match result {
            Some(value) => {
                self.replace_top(operands, value);
                Ok(true)
            }
            None => {
                let below = self.stack.len().checked_sub(1 + self.pushed);
                self.pushed = 0;
                if let Some(Activation::Frame(frame)) = below.and_then(|at| self.stack.get_mut(at)) {
                    frame.operands.truncate(frame.operands.len().saturating_sub(operands));
                }
                Ok(false)
            }
        }
    }

    /// `sum(generator)` and the like: what they can't take ends the reading.
    fn drains_watched(&mut self, callee: &Value, from: usize, positional: usize, names: &[Arc<str>]) -> Eval<bool> {
        let Some(Activation::Frame(frame)) = self.stack.last() else { return Ok(false) };
        if positional == 0 || !iterate::needs_machine(&self.cx, &frame.operands[from]) {
            return Ok(false);
        }
        let start = match callee {
            Value::Builtin(builtin) => match (registry::name(*builtin), positional, names) {
                ("sum", 1, []) => Value::Int(0),
                ("sum", 2, []) => frame.operands[from + 1].clone(),
                ("sum", 1, [name]) if &**name == "start" => frame.operands[from + 1].clone(),
                ("min" | "max", 1, names) if !names.iter().any(|name| &**name == "key") => Value::Unbound,
                _ => return Ok(false),
            },
            Value::Type(TypeId::SET | TypeId::FROZENSET) if positional == 1 && names.is_empty() => Value::None,
            _ => return Ok(false),
        };
        if matches!(callee, Value::Builtin(_)) {
            builtins::check_start_of_sum(&mut self.cx, &start)?;
        }
        self.drain_for(from, callee.clone(), start)?;
        Ok(true)
    }

    /// A native that reads an iterable gets a list instead of a generator.
    fn drains_first(&mut self, callee: &Value, method: Option<&str>, from: usize, count: usize) -> Eval<bool> {
        if !consumes(callee, method) {
            return Ok(false);
        }
        let Some(Activation::Frame(frame)) = self.stack.last() else { return Ok(false) };
        let lazy = (from..from + count).find(|at| iterate::needs_machine(&self.cx, &frame.operands[*at]));
        if let Some(at) = lazy {
            self.drain(at)?;
            return Ok(true);
        }
        // What a native one has given must not be lost when the call is handed over.
        for at in from..from + count {
            let Some(Activation::Frame(frame)) = self.stack.last() else { break };
            let operand = frame.operands[at].clone();
            if matches!(operand, Value::Ref(id) if matches!(self.cx.heap.get(id), Object::Iterator(_))) {
                let items = iterate::collect(&mut self.cx, &operand)?;
                let held = iterate::made(&mut self.cx, Iterator::Items { items, at: 0 });
                if let Some(frame) = self.top_frame() {
                    frame.operands[at] = held;
                }
            }
        }
        Ok(false)
    }

    /// Calls anything. `Some`: the result. `None`: something was pushed that will deliver it.
    pub(crate) fn invoke(&mut self, callee: &Value, args: &[Value], keyword: &Keywords) -> Eval<Option<Value>> {
        self.pushed = 0;
        match callee {
            Value::Builtin(builtin) => match registry::callable(*builtin) {
                Callable::Native(native) => native(&mut self.cx, Args { positional: args, keyword }).map(Some),
                Callable::Machine(special) => self.special(special, args, keyword),
            },
            Value::Type(class) => self.construct(*class, args, keyword),
            Value::Ref(id) => match self.cx.heap.get(*id) {
                Object::Function(_) => self.call_function(*id, args, keyword),
                Object::Method { receiver, name } => {
                    let (receiver, name) = (receiver.clone(), name.clone());
                    self.invoke_method(&receiver, &name, args, keyword)
                }
                Object::Bound { receiver, function } => {
                    let (receiver, function) = (receiver.clone(), function.clone());
                    let mut all = vec![receiver];
                    all.extend_from_slice(args);
                    self.invoke(&function, &all, keyword)
                }
                Object::Instance(_) if self.cx.overrides(callee, "__call__") => Err(Fault::Worker),
                _ => Err(self.not_callable(callee)),
            },
            _ => Err(self.not_callable(callee)),
        }
    }

    fn not_callable(&mut self, value: &Value) -> Fault {
        let name = self.cx.type_name(value);
        self.cx.type_error(format!("'{name}' object is not callable"))
    }

    fn call_function(&mut self, id: Id, args: &[Value], keyword: &Keywords) -> Eval<Option<Value>> {
        let Object::Function(function) = self.cx.heap.get(id) else { return Ok(None) };
        let number = function.function;
        let (defaults, cells) = (function.defaults.clone(), function.cells.clone());
        let lowered = self.lowered.clone();
        let graph = super::graph(&lowered, number);
        let mut frame = self.bind(graph, number, args, keyword, &defaults)?;
        for (slot, cell) in graph.captured.iter().zip(cells) {
            frame.locals[*slot as usize] = cell;
        }
        match graph.kind {
            FunctionKind::Durable if graph.is_generator => {
                let generator = self.cx.heap.add(Object::Iterator(Box::new(Iterator::Exhausted)));
                frame.generator = Some(generator);
                if let Object::Iterator(iterator) = self.cx.heap.get_mut(generator) {
                    **iterator = Iterator::AsyncGenerator(Some(Box::new(frame)));
                }
                Ok(Some(Value::Ref(generator)))
            }
            FunctionKind::Durable => {
                let coroutine = Coroutine::Function(frame);
                Ok(Some(Value::Ref(self.cx.heap.add(Object::Coroutine(Box::new(coroutine))))))
            }
            FunctionKind::Plain if graph.is_generator => {
                let generator = self.cx.heap.add(Object::Iterator(Box::new(Iterator::Exhausted)));
                frame.generator = Some(generator);
                if let Object::Iterator(iterator) = self.cx.heap.get_mut(generator) {
                    **iterator = Iterator::Generator(Some(Box::new(frame)));
                }
                Ok(Some(Value::Ref(generator)))
            }
            FunctionKind::Plain => {
                self.push_frame(frame)?;
                self.pushed = 1;
                Ok(None)
            }
        }
    }

    pub(crate) fn bind_entry(&mut self, function: u32, keyword: &Keywords) -> Eval<Frame> {
        let Value::Ref(object) = self.function_object(function)? else { return Ok(Frame::default()) };
        let Object::Function(held) = self.cx.heap.get(object) else { return Ok(Frame::default()) };
        let defaults = held.defaults.clone();
        let lowered = self.lowered.clone();
        self.bind(super::graph(&lowered, function), function, &[], keyword, &defaults)
    }

    /// A frame with its parameters filled, or Python's complaint.
    fn bind(
        &mut self,
        graph: &Graph,
        number: u32,
        args: &[Value],
        keyword: &Keywords,
        defaults: &[Value],
    ) -> Eval<Frame> {
        let mut locals = vec![Value::Unbound; graph.slots.len()];
        let takes = |kind: ParamKind| matches!(kind, ParamKind::PositionalOnly | ParamKind::Positional);
        let positional = graph.params.iter().filter(|param| takes(param.kind)).count();
        locals[..positional.min(args.len())].clone_from_slice(&args[..positional.min(args.len())]);
        let rest = graph.params.iter().position(|param| param.kind == ParamKind::Rest);
        if let Some(slot) = rest {
            let extra = args.get(positional..).unwrap_or_default().to_vec();
            locals[slot] = self.cx.tuple(extra);
        }
        let options = graph.params.iter().position(|param| param.kind == ParamKind::Options);
        let mut extra = Dict::default();
        for (name, value) in keyword {
            let by_name = |kind: ParamKind| matches!(kind, ParamKind::Positional | ParamKind::KeywordOnly);
            let found = graph.params.iter().position(|param| by_name(param.kind) && param.name == *name);
            match found {
                Some(slot) if locals[slot].is_unbound() => locals[slot] = value.clone(),
                Some(_) => {
                    let text = format!("{}() got multiple values for argument '{name}'", graph.known_as);
                    return Err(self.cx.type_error(text));
                }
                None if options.is_some() => {
                    extra.insert(Key::Str(name.clone()), Value::Str(name.clone()), value.clone());
                }
                None => {
                    let only = graph.params.iter().any(|p| p.kind == ParamKind::PositionalOnly && p.name == *name);
                    let text = match only {
                        true => format!(
                            "{}() got some positional-only arguments passed as keyword arguments: '{name}'",
                            graph.known_as
                        ),
                        false => format!("{}() got an unexpected keyword argument '{name}'", graph.known_as),
                    };
                    return Err(self.cx.type_error(text));
                }
            }
        }
        if rest.is_none() && args.len() > positional {
            return Err(self.too_many(graph, args.len(), keyword));
        }
        if let Some(slot) = options {
            locals[slot] = Value::Ref(self.cx.heap.add(Object::Dict(extra)));
        }
        self.fill_defaults(graph, &mut locals, defaults)?;
        for slot in &graph.cells {
            let held = std::mem::take(&mut locals[*slot as usize]);
            locals[*slot as usize] = Value::Ref(self.cx.heap.add(Object::Cell(held)));
        }
        Ok(Frame { function: number, locals, ..Frame::default() })
    }

    fn fill_defaults(&mut self, graph: &Graph, locals: &mut [Value], defaults: &[Value]) -> Eval<()> {
        let (mut missing, mut missing_only) = (Vec::new(), Vec::new());
        for (slot, param) in graph.params.iter().enumerate() {
            if !locals[slot].is_unbound() {
                continue;
            }
            match defaults.get(slot) {
                Some(default) if !default.is_unbound() => locals[slot] = default.clone(),
                _ if param.kind == ParamKind::KeywordOnly => missing_only.push(format!("'{}'", param.name)),
                _ => missing.push(format!("'{}'", param.name)),
            }
        }
        for (names, what) in [(missing, "positional"), (missing_only, "keyword-only")] {
            if !names.is_empty() {
                let plural = if names.len() == 1 { "" } else { "s" };
                let list = match &names[..] {
                    [one] => one.clone(),
                    [first, second] => format!("{first} and {second}"),
                    [first @ .., last] => format!("{}, and {last}", first.join(", ")),
                    [] => String::new(),
                };
                let text =
                    format!("{}() missing {} required {what} argument{plural}: {list}", graph.known_as, names.len());
                return Err(self.cx.type_error(text));
            }
        }
        Ok(())
    }

    fn too_many(&mut self, graph: &Graph, given: usize, keyword: &Keywords) -> Fault {
        let positional =
            graph.params.iter().filter(|p| matches!(p.kind, ParamKind::PositionalOnly | ParamKind::Positional));
        let own = usize::from(graph.is_method);
        let given = given + own;
        let (takes, required) = positional
            .fold((own, own), |(takes, required), param| (takes + 1, required + usize::from(!param.has_default)));
        let range = match required == takes {
            true => takes.to_string(),
            false => format!("from {required} to {takes}"),
        };
        let plural = if takes == 1 && required == takes { "" } else { "s" };
        let only = graph.params.iter().filter(|p| p.kind == ParamKind::KeywordOnly);
        let named = only.filter(|param| keyword.iter().any(|(name, _)| *name == param.name)).count();
        let were = match (named, given) {
            (0, 1) => "was given".to_string(),
            (0, _) => "were given".to_string(),
            (_, _) => {
                let s = if named == 1 { "" } else { "s" };
                let given_s = if given == 1 { "" } else { "s" };
                return self.cx.type_error(format!(
                    "{}() takes {range} positional argument{plural} but {given} positional argument{given_s} (and {named} keyword-only argument{s}) were given",
                    graph.known_as
                ));
            }
        };
        self.cx.type_error(format!("{}() takes {range} positional argument{plural} but {given} {were}", graph.known_as))
    }
}

/// Whether a built-in reads iterables that it is given to their end.
pub(super) fn consumes(callee: &Value, method: Option<&str>) -> bool {
    match (callee, method) {
        (_, Some(method)) => matches!(
            method,
            "join"
                | "extend"
                | "update"
                | "union"
                | "intersection"
                | "difference"
                | "symmetric_difference"
                | "intersection_update"
                | "difference_update"
                | "symmetric_difference_update"
                | "issubset"
                | "issuperset"
                | "isdisjoint"
                | "fromkeys"
        ),
        (Value::Type(class), None) => matches!(
            *class,
            TypeId::LIST | TypeId::TUPLE | TypeId::SET | TypeId::FROZENSET | TypeId::DICT | TypeId::BYTES
        ),
        (Value::Builtin(builtin), None) => matches!(
            registry::name(*builtin),
            "sum" | "min" | "max" | "sorted" | "dict.fromkeys" | "math.fsum" | "math.prod" | "math.dist" | "math.hypot"
        ),
        _ => false,
    }
}
