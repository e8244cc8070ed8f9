//! Built-ins that call back into the program, and lazy iterators over generators, as step machines on the task's stack.
//!
//! A driver asks for one thing at a time: an item of its source ([`Instance::advance`]) or a call of its function. The
//! answer is delivered to it, at once or after frames above it have run; [`Instance::drive`] then takes the next step.

use waymark_ir::{BinaryOp, CompareOp};

use super::Step;
use super::hand_over::After;
use crate::context::{Context, Eval, Fault};
use crate::heap::{Activation, Driver, DriverKind, Iterator, Object};
use crate::instance::Instance;
use crate::python::{compare, iterate, list, operators};
use crate::registry;
use crate::types::TypeId;
use crate::value::Value;

impl Driver {
    pub(super) fn new(kind: DriverKind) -> Driver {
        Driver {
            kind,
            function: Value::None,
            source: Value::None,
            items: Vec::new(),
            keys: Vec::new(),
            at: 0,
            flag: false,
            calling: false,
        }
    }

    /// What was asked for has come: it is put where the next step finds it.
    pub(crate) fn accept(&mut self, value: Value) {
        self.keys.push(value);
    }
}

impl Instance {
    pub(super) fn push_driver(&mut self, driver: Driver) -> Eval<()> {
        if self.stack.len() >= self.cx.limits.depth_max {
            return Err(self.cx.raise(TypeId::RECURSION_ERROR, "maximum recursion depth exceeded"));
        }
        self.stack.push(Activation::Driver(Box::new(driver)));
        self.pushed += 1;
        Ok(())
    }

    /// Replaces a lazy operand of the top frame by a list, then repeats its instruction.
    pub(super) fn drain(&mut self, operand: usize) -> Eval<()> {
        self.drain_with(operand, Value::None, Vec::new())
    }

    pub(super) fn drain_up_to(&mut self, operand: usize, items_max: usize) -> Eval<()> {
        self.drain_with(operand, i64::try_from(items_max).map_or(Value::None, Value::Int), Vec::new())
    }

    /// The same for a built-in that looks at each item before it asks for the next one: at one that it can't take it stops. `start` is what
    /// it begins with.
    pub(super) fn drain_for(&mut self, operand: usize, builtin: Value, start: Value) -> Eval<()> {
        self.drain_with(operand, builtin, vec![start])
    }

    fn drain_with(&mut self, operand: usize, function: Value, keys: Vec<Value>) -> Eval<()> {
        let Some(frame) = self.top_frame() else { return Ok(()) };
        frame.position -= 1;
        let source = frame.operands[operand].clone();
        self.push_driver(Driver { source, function, keys, at: operand, ..Driver::new(DriverKind::Drain) })
    }

    /// `item in lazy`; both are on the stack.
    pub(super) fn drive_contains(&mut self, negated: bool) -> Eval<()> {
        let source = self.pop_operand();
        let function = self.pop_operand();
        self.push_driver(Driver { function, source, flag: negated, ..Driver::new(DriverKind::Contains) })
    }

    pub(super) fn drive_test(&mut self, kind: DriverKind, source: Value) -> Eval<Option<Value>> {
        self.push_driver(Driver { source, ..Driver::new(kind) })?;
        Ok(None)
    }

    /// `next(iterator[, default])`
    pub(super) fn drive_next(&mut self, source: Value, default: Value) -> Eval<Option<Value>> {
        self.push_driver(Driver { source, function: default, ..Driver::new(DriverKind::Next) })?;
        Ok(None)
    }

    /// `functools.reduce(function, source, initial)`
    pub(super) fn drive_reduce(
        &mut self,
        function: Value,
        source: Value,
        initial: Option<Value>,
    ) -> Eval<Option<Value>> {
        let items = initial.into_iter().collect();
        self.push_driver(Driver { function, source, items, ..Driver::new(DriverKind::Reduce) })?;
        Ok(None)
    }

    /// `sorted`, `min`, `max` and `list.sort` with a key. `source`: the list that is sorted in place.
    pub(super) fn drive_keys(
        &mut self,
        kind: DriverKind,
        function: Value,
        items: Vec<Value>,
        reverse: bool,
        source: Value,
    ) -> Eval<Option<Value>> {
        self.push_driver(Driver { function, items, source, flag: reverse, ..Driver::new(kind) })?;
        Ok(None)
    }

    /// Asks an iterator for its next item: it, or its end, is delivered to the top of the stack.
    pub(super) fn advance(&mut self, iterator: &Value) -> Eval<()> {
        if !iterate::needs_machine(&self.cx, iterator) {
            return match iterate::next(&mut self.cx, iterator)? {
                Some(value) => {
                    self.deliver(value);
                    Ok(())
                }
                None => self.deliver_end(),
            };
        }
        let Value::Ref(id) = iterator else { return self.deliver_end() };
        let Object::Iterator(lazy) = self.cx.heap.get_mut(*id) else { return self.deliver_end() };
        let (kind, function) = match &mut **lazy {
            Iterator::Generator(frame) => {
                return match frame.take() {
                    Some(frame) => self.push_frame(*frame),
                    None => Err(self.cx.value_error("generator already executing")),
                };
            }
            // What it raises at its end is caught by `map`; nothing else could tell it from a raised StopIteration.
            Iterator::Foreign(inner) => {
                let inner = inner.clone();
                return self.hand_over_for_driver("list(map(next, [_0]))", vec![inner], After::Item);
            }
            Iterator::Zip { .. } => (DriverKind::Zip, Value::None),
            Iterator::Enumerate { .. } => (DriverKind::Enumerate, Value::None),
            Iterator::Map { function, .. } => (DriverKind::Map, function.clone()),
            Iterator::Filter { function, .. } => (DriverKind::Filter, function.clone()),
            _ => return self.deliver_end(),
        };
        self.push_driver(Driver { function, source: iterator.clone(), ..Driver::new(kind) })
    }

    /// An iterator has come to its end: whoever asked for an item is told.
    pub(super) fn deliver_end(&mut self) -> Eval<()> {
        match self.stack.last_mut() {
            Some(Activation::Frame(frame)) => {
                let graph = super::graph(&self.lowered, frame.function);
                use crate::graph::Op;
                let op = graph.code[frame.position as usize - 1];
                if let Op::Next { slot, end } | Op::NextAsync { slot, end } | Op::Delegate { slot, end } = op {
                    frame.locals[slot as usize] = Value::Unbound;
                    frame.position = end;
                    if matches!(op, Op::Delegate { .. }) {
                        // What a generator that was delegated to has returned.
                        frame.operands.push(std::mem::replace(&mut self.returned, Value::None));
                    }
                }
                Ok(())
            }
            Some(Activation::Driver(_)) => self.source_ended(),
            None => Ok(()),
        }
    }

    /// The driver on top is done.
    fn conclude(&mut self, value: Value) -> Eval<Step> {
        self.stack.pop();
        self.deliver(value);
        Ok(Step::Switch)
    }

    fn source_ended(&mut self) -> Eval<()> {
        let Some(Activation::Driver(mut driver)) = self.stack.pop() else { return Ok(()) };
        match driver.kind {
            DriverKind::Drain => {
                let items = std::mem::take(&mut driver.items);
                let drained = iterate::made(&mut self.cx, Iterator::Items { items, at: 0 });
                if let Some(frame) = self.top_frame() {
                    frame.operands[driver.at] = drained;
                }
            }
            DriverKind::Any => self.deliver(Value::Bool(false)),
            DriverKind::All => self.deliver(Value::Bool(true)),
            DriverKind::Contains => self.deliver(Value::Bool(driver.flag)),
            DriverKind::Reduce => match driver.items.pop() {
                Some(value) => self.deliver(value),
                None => {
                    return Err(self.cx.type_error("reduce() of empty iterable with no initial value"));
                }
            },
            DriverKind::Next => match driver.function {
                Value::Unbound => {
                    let returned = std::mem::replace(&mut self.returned, Value::None);
                    let args = if returned.is_none() { Vec::new() } else { vec![returned] };
                    return Err(self.cx.raise_with(TypeId::STOP_ITERATION, args));
                }
                default => self.deliver(default),
            },
            // The frame below had delegated to it: it is closed too.
            DriverKind::Close if driver.flag => {
                return Err(self.cx.raise_with(TypeId::GENERATOR_EXIT, Vec::new()));
            }
            DriverKind::Close | DriverKind::CloseAsync => self.deliver(Value::None),
            DriverKind::Step => return Err(self.cx.raise_with(TypeId::STOP_ASYNC_ITERATION, Vec::new())),
            DriverKind::NextAsync => return self.deliver_end(),
            DriverKind::Zip => {
                self.check_strict_zip(&driver)?;
                return self.deliver_end();
            }
            DriverKind::Map | DriverKind::Enumerate | DriverKind::Filter => return self.deliver_end(),
            DriverKind::Sorted | DriverKind::SortInPlace | DriverKind::Min | DriverKind::Max => {}
        }
        Ok(())
    }

    fn check_strict_zip(&mut self, driver: &Driver) -> Eval<()> {
        let Value::Ref(id) = &driver.source else { return Ok(()) };
        let Object::Iterator(lazy) = self.cx.heap.get(*id) else { return Ok(()) };
        let Iterator::Zip { strict: true, .. } = **lazy else { return Ok(()) };
        let at = driver.items.len();
        if at == 0 {
            // The others should be at their end too; a native look ahead is not possible for lazy ones.
            return Ok(());
        }
        let before = if at == 1 { "argument 1".to_string() } else { format!("arguments 1-{at}") };
        Err(self.cx.value_error(format!("zip() argument {} is shorter than {before}", at + 1)))
    }

    /// One step of the driver on top.
    pub(super) fn drive(&mut self) -> Eval<Step> {
        self.cx.charge(1)?;
        let Some(Activation::Driver(driver)) = self.stack.last_mut() else { return Ok(Step::Switch) };
        match driver.kind {
            DriverKind::Drain => {
                // Below the item: what a built-in that looks at each has made of those before.
                let so_far =
                    matches!(driver.function, Value::Builtin(_) | Value::Type(_)).then(|| driver.keys.swap_remove(0));
                let item = driver.keys.pop();
                if let Some(before) = so_far {
                    let function = driver.function.clone();
                    let after = match &item {
                        Some(item) => look_at(&mut self.cx, &function, before, item),
                        None => Ok(before),
                    };
                    let Some(Activation::Driver(driver)) = self.stack.last_mut() else { return Ok(Step::Switch) };
                    match after {
                        Ok(after) => driver.keys.push(after),
                        // Its class's own code will say, over all of them.
                        Err(Fault::Worker) => driver.function = Value::None,
                        Err(fault) => return Err(fault),
                    }
                }
                let Some(Activation::Driver(driver)) = self.stack.last_mut() else { return Ok(Step::Switch) };
                if let Some(item) = item {
                    driver.items.push(item);
                    if matches!(driver.function, Value::Int(max) if driver.items.len() as i64 >= max) {
                        self.source_ended()?;
                        return Ok(Step::Switch);
                    }
                    let bytes = driver.items.len() * 16;
                    if bytes > self.cx.limits.value_bytes_max {
                        self.cx.check_size(bytes)?;
                    }
                }
            }
            DriverKind::Any | DriverKind::All => {
                let wanted = driver.kind == DriverKind::Any;
                if let Some(item) = driver.keys.pop() {
                    match self.truth_for_driver(&item)? {
                        Some(is_true) if is_true == wanted => return self.conclude(Value::Bool(wanted)),
                        Some(_) => {}
                        None => return Ok(Step::Wait),
                    }
                }
            }
            DriverKind::Contains => {
                if let Some(item) = driver.keys.pop() {
                    let (wanted, negated) = (driver.function.clone(), driver.flag);
                    let found = match std::mem::take(&mut driver.calling) {
                        true => matches!(item, Value::Bool(true)),
                        false if compare::is(&item, &wanted) => true,
                        false => match compare::equal(&mut self.cx, &item, &wanted) {
                            Err(Fault::Worker) => {
                                driver.calling = true;
                                self.hand_over_for_driver("bool(_0 == _1)", vec![item, wanted], After::Deliver)?;
                                return Ok(Step::Wait);
                            }
                            found => found?,
                        },
                    };
                    if found {
                        return self.conclude(Value::Bool(!negated));
                    }
                }
            }
            DriverKind::Next | DriverKind::Step | DriverKind::NextAsync => {
                if let Some(item) = driver.keys.pop() {
                    return self.conclude(item);
                }
            }
            DriverKind::CloseAsync => {
                return Err(self.cx.raise(TypeId::RUNTIME_ERROR, "async generator ignored GeneratorExit"));
            }
            DriverKind::Close => {
                return Err(self.cx.raise(TypeId::RUNTIME_ERROR, "generator ignored GeneratorExit"));
            }
            DriverKind::Reduce => return self.drive_reduction(),
            DriverKind::Sorted | DriverKind::SortInPlace | DriverKind::Min | DriverKind::Max => {
                return self.drive_sort();
            }
            DriverKind::Zip | DriverKind::Map | DriverKind::Enumerate | DriverKind::Filter => return self.drive_lazy(),
        }
        let Some(Activation::Driver(driver)) = self.stack.last() else { return Ok(Step::Switch) };
        let source = driver.source.clone();
        self.advance(&source)?;
        Ok(Step::Switch)
    }

    fn drive_reduction(&mut self) -> Eval<Step> {
        let Some(Activation::Driver(driver)) = self.stack.last_mut() else { return Ok(Step::Switch) };
        if let Some(given) = driver.keys.pop() {
            if driver.calling || driver.items.is_empty() {
                driver.calling = false;
                driver.items = vec![given];
            } else {
                driver.calling = true;
                let (function, total) = (driver.function.clone(), driver.items[0].clone());
                return self.ask(&function, &[total, given]);
            }
        }
        let source = driver.source.clone();
        self.advance(&source)?;
        Ok(Step::Switch)
    }

    /// Calls a function on behalf of the driver on top.
    fn ask(&mut self, function: &Value, args: &[Value]) -> Eval<Step> {
        match self.invoke(function, args, &[]) {
            Err(Fault::Worker) => {
                self.hand_over_call(function, args)?;
                return Ok(Step::Wait);
            }
            result => {
                if let Some(value) = result? {
                    self.deliver(value);
                }
            }
        }
        Ok(Step::Switch)
    }

    /// None: a worker is asked, and its answer will be delivered.
    fn truth_for_driver(&mut self, value: &Value) -> Eval<Option<bool>> {
        match compare::truth(&mut self.cx, value) {
            Err(Fault::Worker) => {
                self.hand_over_for_driver("bool(_0)", vec![value.clone()], After::Deliver)?;
                Ok(None)
            }
            is_true => is_true.map(Some),
        }
    }

    fn drive_sort(&mut self) -> Eval<Step> {
        let Some(Activation::Driver(driver)) = self.stack.last_mut() else { return Ok(Step::Switch) };
        if driver.keys.len() < driver.items.len() {
            let item = driver.items[driver.keys.len()].clone();
            let function = driver.function.clone();
            return self.ask(&function, &[item]);
        }
        let (kind, reverse, source) = (driver.kind, driver.flag, driver.source.clone());
        let ordered = match std::mem::take(&mut driver.calling) {
            true => {
                let order = driver.keys.pop().unwrap_or_default();
                let items = std::mem::take(&mut driver.items);
                let order = match order {
                    Value::Int(_) => vec![order],
                    list => iterate::collect(&mut self.cx, &list)?,
                };
                let place = |at: &Value| if let Value::Int(at) = at { items.get(*at as usize).cloned() } else { None };
                Ok(order.iter().filter_map(place).collect())
            }
            false => {
                let (items, keys) = (driver.items.clone(), driver.keys.clone());
                self.order_by_keys(kind, items, keys, reverse)
            }
        };
        let sorted: Vec<Value> = match ordered {
            Err(Fault::Worker) => {
                // The worker tells the order of the places.
                let function = match kind {
                    DriverKind::Min => "min",
                    DriverKind::Max => "max",
                    _ => "sorted",
                };
                let reverse = if reverse { ", reverse=True" } else { "" };
                let source = format!("{function}(range(len(_0)), key=_0.__getitem__{reverse})");
                let Some(Activation::Driver(driver)) = self.stack.last_mut() else { return Ok(Step::Switch) };
                driver.calling = true;
                let keys = self.cx.list(driver.keys.clone());
                self.hand_over_for_driver(&source, vec![keys], After::Deliver)?;
                return Ok(Step::Wait);
            }
            ordered => ordered?,
        };
        let cx = &mut self.cx;
        match kind {
            DriverKind::Sorted => {
                let value = cx.list(sorted);
                self.conclude(value)
            }
            DriverKind::SortInPlace => {
                cx.mutations += 1;
                if let Value::Ref(id) = source
                    && let Object::List(list) = cx.heap.get_mut(id)
                {
                    list.items = sorted;
                }
                self.conclude(Value::None)
            }
            _ => self.conclude(sorted.into_iter().next().unwrap_or_default()),
        }
    }

    /// All items in order, or the least or greatest alone.
    fn order_by_keys(
        &mut self,
        kind: DriverKind,
        items: Vec<Value>,
        keys: Vec<Value>,
        reverse: bool,
    ) -> Eval<Vec<Value>> {
        let cx = &mut self.cx;
        if matches!(kind, DriverKind::Sorted | DriverKind::SortInPlace) {
            return list::sort_by_keys(cx, items, keys, reverse);
        }
        let mut best = 0;
        for at in 1..keys.len() {
            let better = match kind {
                DriverKind::Min => compare::less(cx, &keys[at], &keys[best])?,
                _ => compare::compare(cx, CompareOp::Greater, &keys[at], &keys[best])?,
            };
            if better {
                best = at;
            }
        }
        Ok(items.into_iter().nth(best).into_iter().collect())
    }

    /// One item of a `zip`, `map`, `enumerate` or `filter` whose parts need the machine.
    fn drive_lazy(&mut self) -> Eval<Step> {
        let Some(Activation::Driver(driver)) = self.stack.last_mut() else { return Ok(Step::Switch) };
        let Value::Ref(id) = driver.source else { return Ok(Step::Switch) };
        let given = driver.keys.pop();
        let Object::Iterator(lazy) = self.cx.heap.get_mut(id) else { return Ok(Step::Switch) };
        let next = match (&mut **lazy, given) {
            (Iterator::Enumerate { inner, next }, given) => match given {
                Some(item) => {
                    let number = *next;
                    *next += 1;
                    let pair = self.cx.tuple(vec![Value::Int(number), item]);
                    return self.conclude(pair);
                }
                None => inner.clone(),
            },
            (Iterator::Filter { inner, .. }, Some(given)) => {
                let inner = inner.clone();
                if !std::mem::replace(&mut driver.calling, true) {
                    driver.items.push(given.clone());
                    if !driver.function.is_none() {
                        let function = driver.function.clone();
                        return self.ask(&function, &[given]);
                    }
                }
                let Some(is_true) = self.truth_for_driver(&given)? else { return Ok(Step::Wait) };
                let Some(Activation::Driver(driver)) = self.stack.last_mut() else { return Ok(Step::Switch) };
                driver.calling = false;
                let item = driver.items.pop().unwrap_or_default();
                if is_true {
                    return self.conclude(item);
                }
                inner
            }
            (Iterator::Filter { inner, .. }, None) => inner.clone(),
            (Iterator::Map { .. }, Some(given)) if driver.calling => return self.conclude(given),
            (Iterator::Zip { inner, .. } | Iterator::Map { inner, .. }, given) => {
                driver.items.extend(given);
                match inner.get(driver.items.len()) {
                    Some(next) => next.clone(),
                    None if driver.kind == DriverKind::Map => {
                        driver.calling = true;
                        let (function, items) = (driver.function.clone(), std::mem::take(&mut driver.items));
                        return self.ask(&function, &items);
                    }
                    None => {
                        let items = std::mem::take(&mut driver.items);
                        let tuple = self.cx.tuple(items);
                        return self.conclude(tuple);
                    }
                }
            }
            _ => return Ok(Step::Switch),
        };
        self.advance(&next)?;
        Ok(Step::Switch)
    }
}

/// What a built-in makes of one more item; an error, if it can't.
fn look_at(cx: &mut Context, function: &Value, before: Value, item: &Value) -> Eval {
    let Value::Builtin(builtin) = function else {
        return compare::stored_key(cx, item).map(|_| before);
    };
    let is_better = match registry::name(*builtin) {
        "sum" => return operators::binary(cx, BinaryOp::Add, &before, item),
        _ if matches!(before, Value::Unbound) => true,
        "min" => compare::less(cx, item, &before)?,
        _ => compare::compare(cx, CompareOp::Greater, item, &before)?,
    };
    Ok(if is_better { item.clone() } else { before })
}
