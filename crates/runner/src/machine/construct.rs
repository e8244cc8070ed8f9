//! Calling a class.

use std::sync::Arc;

use waymark_ir::TypeKind;

use super::call::Keywords;
use crate::context::{Eval, Fault};
use crate::heap::{Dict, Exception, Instance as Record, Key, Object};
use crate::instance::Instance;
use crate::python::{Args, compare};
use crate::registry;
use crate::types::TypeId;
use crate::value::Value;

impl Instance {
    pub(super) fn construct(&mut self, class: TypeId, args: &[Value], keyword: &Keywords) -> Eval<Option<Value>> {
        if let Some(native) = registry::constructor(class) {
            return native(&mut self.cx, Args { positional: args, keyword }).map(Some);
        }
        if class == TypeId::NONE && args.is_empty() && keyword.is_empty() {
            return Ok(Some(Value::None));
        }
        if class == TypeId::FUTURE {
            return Ok(Some(Value::Ref(self.cx.heap.add(Object::Future(Box::default())))));
        }
        if let Some(init) = crate::asyncio::prelude::method(class, "__init__") {
            return self.construct_by(class, init, args, keyword);
        }
        if let Some(init) = self.own_init(class) {
            return self.construct_by(class, init, args, keyword);
        }
        let info = self.cx.types.get(class).clone();
        match info.descriptor.as_ref().map(|descriptor| &descriptor.kind) {
            Some(TypeKind::Enum(_)) => self.enum_member(class, args).map(Some),
            Some(TypeKind::Record { .. }) if !self.overrides_construction(class) => {
                self.record(class, args, keyword).map(Some)
            }
            Some(TypeKind::Exception) if !self.overrides_construction(class) => {
                self.make_exception(class, args, keyword)
            }
            Some(_) => Err(Fault::Worker),
            None if self.cx.types.is_exception(class) => self.make_exception(class, args, keyword),
            None if !class.is_builtin() => Err(Fault::Worker),
            None => {
                let text = format!("cannot create '{}' instances", info.shown);
                Err(self.cx.type_error(text))
            }
        }
    }

    fn overrides_construction(&self, class: TypeId) -> bool {
        self.cx.types.get(class).mro.iter().any(|id| {
            let descriptor = &self.cx.types.get(*id).descriptor;
            descriptor.as_ref().is_some_and(|known| {
                known.overrides.iter().any(|own| matches!(own.as_str(), "__init__" | "__new__" | "__post_init__"))
            })
        })
    }

    fn make_exception(&mut self, class: TypeId, args: &[Value], keyword: &Keywords) -> Eval<Option<Value>> {
        if let Some((name, _)) = keyword.first() {
            if self.cx.types.get(class).descriptor.is_some() {
                return Err(Fault::Worker);
            }
            let shown = self.cx.types.get(class).shown.clone();
            let text = format!("{shown}() takes no keyword arguments");
            let _ = name;
            return Err(self.cx.type_error(text));
        }
        let mut exception = Exception::new(class, args.to_vec());
        if self.cx.types.is_subtype(class, TypeId::OS_ERROR) && (2..=5).contains(&args.len()) {
            self.operating_system_error(&mut exception)?;
        }
        if self.cx.types.is_subtype(class, TypeId::BASE_EXCEPTION_GROUP) && args.len() == 2 {
            let is_sequence = matches!(self.cx.type_of(&args[1]), TypeId::LIST | TypeId::TUPLE);
            if !is_sequence {
                return Err(self.cx.type_error("second argument (exceptions) must be a sequence"));
            }
            let members = crate::python::iterate::collect(&mut self.cx, &args[1])?;
            if members.is_empty() {
                return Err(self.cx.value_error("second argument (exceptions) must be a non-empty sequence"));
            }
            for (at, member) in members.iter().enumerate() {
                if !self.cx.types.is_exception(self.cx.type_of(member)) {
                    return Err(self
                        .cx
                        .value_error(format!("Item {at} of second argument (exceptions) is not an exception")));
                }
            }
            let is_plain = |member: &Value| self.cx.types.is_subtype(self.cx.type_of(member), TypeId::EXCEPTION);
            let all_plain = members.iter().all(is_plain);
            if class == TypeId::BASE_EXCEPTION_GROUP && all_plain {
                exception.class = TypeId::EXCEPTION_GROUP;
            } else if self.cx.types.is_subtype(class, TypeId::EXCEPTION) && !all_plain {
                let text = match class == TypeId::EXCEPTION_GROUP {
                    true => "Cannot nest BaseExceptions in an ExceptionGroup".to_string(),
                    false => format!("Cannot nest BaseExceptions in '{}'", self.cx.types.get(class).shown),
                };
                return Err(self.cx.type_error(text));
            }
            crate::exchange::set_group(&mut self.cx, &mut exception, args[0].clone(), members);
        }
        Ok(Some(Value::Ref(self.cx.heap.add(Object::Exception(Box::new(exception))))))
    }

    /// `OSError(errno, strerror, filename)`: the number chooses the class, the parts become attributes.
    fn operating_system_error(&mut self, exception: &mut Exception) -> Eval<()> {
        let Value::Int(number) = exception.args[0] else { return Ok(()) };
        if exception.class == TypeId::OS_ERROR {
            let name = match number {
                2 => "FileNotFoundError",
                17 => "FileExistsError",
                20 => "NotADirectoryError",
                21 => "IsADirectoryError",
                1 | 13 => "PermissionError",
                32 => "BrokenPipeError",
                103 => "ConnectionAbortedError",
                104 => "ConnectionResetError",
                110 => "TimeoutError",
                111 => "ConnectionRefusedError",
                4 => "InterruptedError",
                3 => "ProcessLookupError",
                10 => "ChildProcessError",
                11 => "BlockingIOError",
                _ => "OSError",
            };
            exception.class = self.cx.types.find(name).unwrap_or(TypeId::OS_ERROR);
        }
        let text = crate::python::repr::display(&mut self.cx, &exception.args[1])?;
        let mut message = format!("[Errno {number}] {text}");
        let filename = exception.args.get(2).cloned().filter(|name| !name.is_none());
        if let Some(filename) = &filename {
            message.push_str(": ");
            message.push_str(&crate::python::repr::repr(&mut self.cx, filename)?);
        }
        exception.message = Some(message.into());
        let parts = [
            ("errno", Value::Int(number)),
            ("strerror", exception.args[1].clone()),
            ("filename", filename.unwrap_or(Value::None)),
        ];
        for (field, value) in parts {
            let field: Arc<str> = field.into();
            exception.hidden.insert(Key::Str(field.clone()), Value::Str(field), value);
        }
        exception.args.truncate(2);
        Ok(())
    }

    /// A dataclass: positional and keyword arguments to fields, defaults for the rest.
    fn record(&mut self, class: TypeId, args: &[Value], keyword: &Keywords) -> Eval {
        let info = self.cx.types.get(class).clone();
        let Some(descriptor) = info.descriptor else { return Err(Fault::Worker) };
        let name = info.shown;
        if args.len() > descriptor.fields.len() {
            let (takes, given) = (descriptor.fields.len() + 1, args.len() + 1);
            let required = descriptor.fields.iter().filter(|field| field.default.is_none()).count() + 1;
            let range = if required == takes { takes.to_string() } else { format!("from {required} to {takes}") };
            let text = format!("{name}.__init__() takes {range} positional arguments but {given} were given");
            return Err(self.cx.type_error(text));
        }
        let mut values: Vec<Option<Value>> = args.iter().cloned().map(Some).collect();
        values.resize(descriptor.fields.len(), None);
        for (given, value) in keyword {
            match descriptor.fields.iter().position(|field| *field.name == **given) {
                Some(at) if values[at].is_none() => values[at] = Some(value.clone()),
                Some(_) => {
                    let text = format!("{name}.__init__() got multiple values for argument '{given}'");
                    return Err(self.cx.type_error(text));
                }
                None => {
                    let text = format!("{name}.__init__() got an unexpected keyword argument '{given}'");
                    return Err(self.cx.type_error(text));
                }
            }
        }
        let mut fields = Dict::default();
        let mut missing = Vec::new();
        for (field, value) in descriptor.fields.iter().zip(values) {
            let value = match (value, &field.default) {
                (Some(value), _) => value,
                (None, Some(default)) => crate::exchange::import(&mut self.cx, default)?,
                (None, None) => {
                    missing.push(format!("'{}'", field.name));
                    continue;
                }
            };
            let key: Arc<str> = field.name.as_str().into();
            fields.insert(Key::Str(key.clone()), Value::Str(key), value);
        }
        if !missing.is_empty() {
            let plural = if missing.len() == 1 { "" } else { "s" };
            let list = match &missing[..] {
                [first @ .., last] if first.len() > 1 => format!("{}, and {last}", first.join(", ")),
                [first @ .., last] if first.len() == 1 => format!("{} and {last}", first[0]),
                _ => missing.join(", "),
            };
            let text =
                format!("{name}.__init__() missing {} required positional argument{plural}: {list}", missing.len());
            return Err(self.cx.type_error(text));
        }
        Ok(Value::Ref(self.cx.heap.add(Object::Instance(Box::new(Record { class, fields })))))
    }

    /// `Color(1)`
    fn enum_member(&mut self, class: TypeId, args: &[Value]) -> Eval {
        let info = self.cx.types.get(class).clone();
        let Some(TypeKind::Enum(members)) = info.descriptor.as_ref().map(|descriptor| &descriptor.kind) else {
            return Err(Fault::Worker);
        };
        let [value] = args else { return Err(Fault::Worker) };
        for (name, held) in members {
            let held = crate::exchange::import(&mut self.cx, held)?;
            if compare::equal(&mut self.cx, &held, value)? {
                return self.member(class, name);
            }
        }
        let shown = crate::python::repr::repr(&mut self.cx, value)?;
        Err(self.cx.value_error(format!("{shown} is not a valid {}", info.shown)))
    }

    /// `Color.RED`: made once, so that `is` works.
    pub(super) fn member(&mut self, class: TypeId, name: &str) -> Eval {
        crate::exchange::member(&mut self.cx, class, name)
    }

    /// The `__init__` of a user's class, where the program has it itself: only ordinary objects are made by it.
    fn own_init(&self, class: TypeId) -> Option<u32> {
        if class.is_builtin() {
            return None;
        }
        for id in &self.cx.types.get(class).mro {
            let Some(known) = &self.cx.types.get(*id).descriptor else { continue };
            let is_made_otherwise = known.overrides.iter().any(|own| matches!(own.as_str(), "__init__" | "__new__"));
            if !matches!(known.kind, TypeKind::Opaque) || is_made_otherwise {
                return None;
            }
            if let Some((_, function)) = known.methods.iter().find(|(name, _)| name == "__init__") {
                return self.lowered.functions.get(function.as_str()).copied();
            }
        }
        None
    }

    /// An object, then its `__init__`, which gives the object back: of a class of the prelude, or a user's.
    fn construct_by(&mut self, class: TypeId, init: u32, args: &[Value], keyword: &Keywords) -> Eval<Option<Value>> {
        let object =
            Value::Ref(self.cx.heap.add(Object::Instance(Box::new(Record { class, fields: Dict::default() }))));
        let mut all = vec![object];
        all.extend_from_slice(args);
        let function = self.function_object(init)?;
        self.invoke(&function, &all, keyword)
    }
}
