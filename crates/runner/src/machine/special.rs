//! Built-in functions that need the machine: they wait, call back into the program, or touch the loop.

use std::sync::Arc;

use super::call::Keywords;
use crate::asyncio::{Ready, Timer, microseconds};
use crate::context::{Eval, LogLine};
use crate::heap::{Coroutine, Dict, DriverKind, Instance as Record, Object};
use crate::instance::Instance;
use crate::python::{Args, compare, format, iterate, number, repr};
use crate::registry::{self, Special};
use crate::types::TypeId;
use crate::value::Value;

impl Instance {
    pub(super) fn special(&mut self, special: Special, args: &[Value], keyword: &Keywords) -> Eval<Option<Value>> {
        let given = Args { positional: args, keyword };
        match special {
            Special::Gather => {
                let return_exceptions = match keyword {
                    [] => false,
                    [(name, value)] if &**name == "return_exceptions" => compare::truth(&mut self.cx, value)?,
                    [(name, _), ..] => {
                        let text = format!("gather() got an unexpected keyword argument '{name}'");
                        return Err(self.cx.type_error(text));
                    }
                };
                self.cx.mutations += 1;
                self.gather(args, return_exceptions).map(Some)
            }
            Special::Sleep => {
                let [delay, result] = given.bind(&mut self.cx, "sleep", ["delay", "result"], 1)?;
                let seconds = number::to_f64(&mut self.cx, &delay.unwrap_or(Value::None))?;
                if seconds.is_nan() {
                    return Err(self.cx.value_error("Invalid delay: NaN (not a number)"));
                }
                let coroutine = Coroutine::Sleep { seconds, result: result.unwrap_or(Value::None) };
                Ok(Some(Value::Ref(self.cx.heap.add(Object::Coroutine(Box::new(coroutine))))))
            }
            Special::CreateTask => {
                let [coroutine, name, _context] =
                    given.bind(&mut self.cx, "create_task", ["coro", "*name", "*context"], 1)?;
                let name = match name {
                    None | Some(Value::None) => None,
                    Some(name) => Some(Arc::from(repr::display(&mut self.cx, &name)?)),
                };
                self.cx.mutations += 1;
                let task = self.create_task(&coroutine.unwrap_or(Value::None), name)?;
                Ok(Some(Value::Ref(task)))
            }
            Special::EnsureFuture => {
                let [awaitable] = given.bind(&mut self.cx, "ensure_future", ["coro_or_future"], 1)?;
                self.cx.mutations += 1;
                self.ensure_future(&awaitable.unwrap_or(Value::None)).map(|id| Some(Value::Ref(id)))
            }
            Special::CurrentTask => {
                let visible =
                    self.current.filter(|id| self.future(*id).task.as_ref().is_some_and(|task| !task.internal));
                Ok(Some(visible.map_or(Value::None, Value::Ref)))
            }
            Special::CallSoon => {
                let [function, argument] = given.bind(&mut self.cx, "call_soon", ["callback", "argument"], 1)?;
                let (function, argument) = (function.unwrap_or_default(), argument.unwrap_or(Value::None));
                self.ready.push_back(Ready::Call { function, argument });
                Ok(Some(Value::None))
            }
            Special::CallAt => {
                let [when, function, argument] =
                    given.bind(&mut self.cx, "call_at", ["when", "callback", "argument"], 2)?;
                let seconds = number::to_f64(&mut self.cx, &when.unwrap_or_default())?;
                let (function, argument) = (function.unwrap_or_default(), argument.unwrap_or(Value::None));
                let deadline = microseconds(seconds);
                let ordinal = self.add_timer(deadline, Timer::Call { function, argument });
                let handle = vec![Value::Int(deadline), Value::Int(ordinal as i64)];
                Ok(Some(self.cx.tuple(handle)))
            }
            Special::CancelTimer => {
                let handle = args.first().cloned().unwrap_or_default();
                if let [Value::Int(deadline), Value::Int(ordinal)] = iterate::collect(&mut self.cx, &handle)?[..] {
                    self.timers.remove(&(deadline, ordinal as u64));
                }
                Ok(Some(Value::None))
            }
            Special::LoopTime => Ok(Some(Value::Float(self.cx.tell_time() as f64 / 1e6))),
            Special::NewInstance => match args.first() {
                Some(Value::Type(class)) => {
                    let record = Record { class: *class, fields: Dict::default() };
                    Ok(Some(Value::Ref(self.cx.heap.add(Object::Instance(Box::new(record))))))
                }
                _ => Err(self.cx.type_error("a class is required")),
            },
            Special::IsCoroutine => {
                let is = matches!(args.first(), Some(Value::Ref(id)) if matches!(self.cx.heap.get(*id), Object::Coroutine(_)));
                Ok(Some(Value::Bool(is)))
            }
            Special::WaitForSignal => self.wait_for_signal(given),
            Special::ReturnSignal => self.return_signal(given),
            Special::UpdateQueue => self.update_queue(given),
            Special::Reply => self.reply(given),
            Special::Reject => self.reject(given),
            Special::Publish => self.publish(given),
            Special::StartChild => self.start_child(given),
            Special::SignalChild => self.signal_child(given),
            Special::Sorted => self.sorted(args, keyword),
            Special::Min => self.extreme(DriverKind::Min, args, keyword),
            Special::Max => self.extreme(DriverKind::Max, args, keyword),
            Special::Any | Special::All => {
                let (kind, name) =
                    if special == Special::Any { (DriverKind::Any, "any") } else { (DriverKind::All, "all") };
                match args {
                    [source] if keyword.is_empty() && self.cx.is_iterator(source) => {
                        self.drive_test(kind, source.clone())
                    }
                    _ => registry::native(&mut self.cx, name, given).map(Some),
                }
            }
            Special::Next => match args {
                [source, rest @ ..]
                    if keyword.is_empty() && rest.len() < 2 && iterate::needs_machine(&self.cx, source) =>
                {
                    self.drive_next(source.clone(), rest.first().cloned().unwrap_or_default())
                }
                _ => registry::native(&mut self.cx, "next", given).map(Some),
            },
            Special::Reduce => {
                let [function, source, initial] =
                    given.bind(&mut self.cx, "reduce", ["/function", "/iterable", "/initial"], 2)?;
                let source = iterate::iter(&mut self.cx, &source.unwrap_or_default())?;
                self.drive_reduce(function.unwrap_or_default(), source, initial)
            }
            Special::GetAttribute => {
                let [base, name, default] = given.bind(&mut self.cx, "getattr", ["/object", "/name", "/default"], 2)?;
                let (base, name) = (base.unwrap_or_default(), self.attribute_name(name)?);
                match (self.find_attribute(&base, &name)?, default) {
                    (Some(value), _) | (None, Some(value)) => Ok(Some(value)),
                    (None, None) => self.get_attribute(&base, &name).map(Some),
                }
            }
            Special::HasAttribute => {
                let [base, name] = given.bind(&mut self.cx, "hasattr", ["/object", "/name"], 2)?;
                let name = self.attribute_name(name)?;
                let found = self.find_attribute(&base.unwrap_or_default(), &name)?;
                Ok(Some(Value::Bool(found.is_some())))
            }
            Special::SetAttribute => {
                let [base, name, value] = given.bind(&mut self.cx, "setattr", ["/object", "/name", "/value"], 3)?;
                let name = self.attribute_name(name)?;
                self.set_attribute(&base.unwrap_or_default(), &name, value.unwrap_or_default())?;
                Ok(Some(Value::None))
            }
            Special::DeleteAttribute => {
                let [base, name] = given.bind(&mut self.cx, "delattr", ["/object", "/name"], 2)?;
                let name = self.attribute_name(name)?;
                self.delete_attribute(&base.unwrap_or_default(), &name)?;
                Ok(Some(Value::None))
            }
            Special::LogDebug => self.log("debug", args),
            Special::LogInfo => self.log("info", args),
            Special::LogWarning => self.log("warning", args),
            Special::LogError | Special::LogException => self.log("error", args),
            Special::LogCritical => self.log("critical", args),
        }
    }

    fn attribute_name(&mut self, name: Option<Value>) -> Eval<Arc<str>> {
        match name {
            Some(Value::Str(name)) => Ok(name),
            other => {
                let shown = self.cx.type_name(&other.unwrap_or_default());
                Err(self.cx.type_error(format!("attribute name must be string, not '{shown}'")))
            }
        }
    }

    /// A message and `%` arguments, as `logging` has them.
    fn log(&mut self, level: &str, args: &[Value]) -> Eval<Option<Value>> {
        let Some((message, rest)) = args.split_first() else {
            return Err(self.cx.type_error(format!("{level}() missing 1 required positional argument: 'msg'")));
        };
        let mut text = repr::display(&mut self.cx, message)?;
        if !rest.is_empty() {
            // A dict alone is what names in the message look in.
            let values = match rest {
                [only] if self.cx.type_of(only) == TypeId::DICT && compare::truth(&mut self.cx, only)? => only.clone(),
                _ => self.cx.tuple(rest.to_vec()),
            };
            text = format::percent(&mut self.cx, &text, &values)?;
        }
        self.cx.mutations += 1;
        self.cx.log.push(LogLine { level: level.into(), text });
        Ok(Some(Value::None))
    }

    fn key_of_call(&mut self, keyword: &Keywords) -> Option<Value> {
        keyword.iter().find(|(name, _)| &**name == "key").map(|(_, value)| value.clone()).filter(|key| !key.is_none())
    }

    fn sorted(&mut self, args: &[Value], keyword: &Keywords) -> Eval<Option<Value>> {
        let Some(key) = self.key_of_call(keyword) else {
            return registry::native(&mut self.cx, "sorted", Args { positional: args, keyword }).map(Some);
        };
        let [source] = args else {
            return Err(self.cx.type_error(format!("sorted expected 1 argument, got {}", args.len())));
        };
        let items = iterate::collect(&mut self.cx, source)?;
        let reverse = match keyword.iter().find(|(name, _)| &**name == "reverse") {
            Some((_, value)) => compare::truth(&mut self.cx, value)?,
            None => false,
        };
        self.drive_keys(DriverKind::Sorted, key, items, reverse, Value::None)
    }

    fn extreme(&mut self, kind: DriverKind, args: &[Value], keyword: &Keywords) -> Eval<Option<Value>> {
        let name = if kind == DriverKind::Min { "min" } else { "max" };
        let Some(key) = self.key_of_call(keyword) else {
            return registry::native(&mut self.cx, name, Args { positional: args, keyword }).map(Some);
        };
        let items = match args {
            [source] => iterate::collect(&mut self.cx, source)?,
            _ => args.to_vec(),
        };
        if items.is_empty() {
            let default = keyword.iter().find(|(name, _)| &**name == "default").map(|(_, value)| value.clone());
            return match default {
                Some(value) => Ok(Some(value)),
                None => Err(self.cx.raise(TypeId::VALUE_ERROR, format!("{name}() arg is an empty sequence"))),
            };
        }
        self.drive_keys(kind, key, items, false, Value::None)
    }
}
