//! Attributes and methods.

use std::sync::Arc;

use waymark_ir::TypeKind;

use super::call::Keywords;
use crate::asyncio::{self, prelude};
use crate::context::{Eval, Fault};
use crate::heap::{DriverKind, Key, Object};
use crate::instance::Instance;
use crate::python::{self, Args, compare, iterate, number};
use crate::registry;
use crate::types::TypeId;
use crate::value::Value;

impl Instance {
    pub(crate) fn get_attribute(&mut self, base: &Value, name: &str) -> Eval {
        if let Some(value) = self.find_attribute(base, name)? {
            return Ok(value);
        }
        Err(self.no_attribute(base, name))
    }

    fn no_attribute(&mut self, base: &Value, name: &str) -> Fault {
        let text = match base {
            Value::Type(class) => {
                format!("type object '{}' has no attribute '{name}'", self.cx.types.get(*class).short_name())
            }
            _ => format!("'{}' object has no attribute '{name}'", self.cx.type_name(base)),
        };
        let id = self.cx.exception(TypeId::ATTRIBUTE_ERROR, vec![Value::from(text)]);
        if let Object::Exception(exception) = self.cx.heap.get_mut(id) {
            for (field, value) in [("name", Value::from(name)), ("obj", base.clone())] {
                let field: Arc<str> = field.into();
                exception.hidden.insert(Key::Str(field.clone()), Value::Str(field), value);
            }
        }
        Fault::Raise(id)
    }

    /// An attribute, or none; `Worker` where only the user's class knows.
    pub(super) fn find_attribute(&mut self, base: &Value, name: &str) -> Eval<Option<Value>> {
        if name == "__class__" {
            return Ok(Some(Value::Type(self.cx.type_of(base))));
        }
        let simple = match base {
            Value::Type(class) => return self.class_attribute(*class, name),
            Value::Int(_) | Value::Big(_) | Value::Bool(_) => match name {
                "real" | "numerator" => Some(match base {
                    Value::Bool(value) => Value::Int(i64::from(*value)),
                    other => other.clone(),
                }),
                "imag" => Some(Value::Int(0)),
                "denominator" => Some(Value::Int(1)),
                _ => None,
            },
            Value::Float(_) if name == "real" => Some(base.clone()),
            Value::Float(_) if name == "imag" => Some(Value::Float(0.0)),
            Value::Uuid(_) => python::uuid::attribute(base, name),
            Value::Ref(id) => {
                let id = *id;
                match self.cx.heap.get(id) {
                    Object::Instance(_) => return self.instance_attribute(base, id, name),
                    Object::Exception(_) => return self.exception_attribute(base, id, name),
                    Object::Range(range) => match name {
                        "start" => Some(Value::Int(range.start)),
                        "stop" => Some(Value::Int(range.stop)),
                        "step" => Some(Value::Int(range.step)),
                        _ => None,
                    },
                    Object::Slice(parts) => match name {
                        "start" => Some(parts[0].clone()),
                        "stop" => Some(parts[1].clone()),
                        "step" => Some(parts[2].clone()),
                        _ => None,
                    },
                    Object::Function(function) if name == "__qualname__" => {
                        Some(Value::Str(super::graph(&self.lowered, function.function).known_as.clone()))
                    }
                    Object::Function(function) if name == "__name__" => {
                        let known_as = &super::graph(&self.lowered, function.function).known_as;
                        Some(Value::from(known_as.rsplit('.').next().unwrap_or_default()))
                    }
                    Object::Method { name: method, .. } if matches!(name, "__name__" | "__qualname__") => {
                        Some(Value::Str(method.clone()))
                    }
                    Object::Future(_) => {
                        asyncio::FUTURE_METHODS.contains(&name).then(|| self.method_object(base, name))
                    }
                    _ => None,
                }
            }
            Value::Builtin(builtin) if matches!(name, "__name__" | "__qualname__") => {
                Some(Value::from(registry::name(*builtin).rsplit('.').next().unwrap_or_default()))
            }
            _ => python::time::attribute(base, name),
        };
        if simple.is_some() {
            return Ok(simple);
        }
        let class = self.cx.type_of(base);
        Ok(registry::method(class, name).is_some().then(|| self.method_object(base, name)))
    }

    fn method_object(&mut self, receiver: &Value, name: &str) -> Value {
        Value::Ref(self.cx.heap.add(Object::Method { receiver: receiver.clone(), name: name.into() }))
    }

    fn class_attribute(&mut self, class: TypeId, name: &str) -> Eval<Option<Value>> {
        let info = self.cx.types.get(class).clone();
        match name {
            // What pydantic calls `Page[Line | None]` depends on how it was written.
            "__name__" | "__qualname__" if info.name.contains('|') => return Err(Fault::Worker),
            "__name__" => return Ok(Some(Value::from(info.short_name()))),
            "__qualname__" => return Ok(Some(Value::from(info.module_and_path().1))),
            "__module__" => return Ok(Some(Value::from(info.module_and_path().0))),
            "__mro__" | "__bases__" => {
                // Descriptors leave out bases that mean nothing here (`Generic`, `Protocol`): exceptions have none.
                let is_known = self.cx.types.is_exception(class) && info.descriptor.is_some();
                if !class.is_builtin() && !is_known {
                    return Err(Fault::Worker);
                }
                let classes = if name == "__mro__" { info.mro } else { self.cx.types.bases(class) };
                return Ok(Some(self.cx.tuple(classes.into_iter().map(Value::Type).collect())));
            }
            _ => {}
        }
        if let Some(TypeKind::Enum(members)) = info.descriptor.as_ref().map(|descriptor| &descriptor.kind)
            && members.iter().any(|(known, _)| known == name)
        {
            return self.member(class, name).map(Some);
        }
        match registry::lookup(&format!("{}.{name}", info.name)) {
            Some(registry::Global::Value(value)) => return Ok(Some(value)),
            Some(registry::Global::Prelude(at)) => return self.function_object(at | crate::lower::PRELUDE).map(Some),
            None => {}
        }
        if registry::method(class, name).is_some() {
            // `str.lower`: takes its receiver as first argument.
            return Ok(Some(self.method_object(&Value::Type(class), name)));
        }
        if let Some(descriptor) = &info.descriptor {
            // Class attributes and methods of a user's class.
            return match descriptor.overrides.iter().any(|own| own == name) {
                true => Err(Fault::Worker),
                false => Ok(None),
            };
        }
        Ok(None)
    }

    fn instance_attribute(&mut self, base: &Value, id: crate::heap::Id, name: &str) -> Eval<Option<Value>> {
        let Object::Instance(instance) = self.cx.heap.get(id) else { return Ok(None) };
        let class = instance.class;
        if let Some(function) = self.own_method(id, name) {
            let function = self.function_object(function)?;
            let bound = Object::Bound { receiver: base.clone(), function };
            return Ok(Some(Value::Ref(self.cx.heap.add(bound))));
        }
        // What a class that nobody described makes of its fields only a worker knows.
        if !self.cx.types.is_described(class)
            || self.cx.declares(base, name)
            || self.cx.declares(base, "__getattribute__")
        {
            return Err(Fault::Worker);
        }
        if let Some(value) = instance.fields.get(&Key::Str(name.into())) {
            return Ok(Some(value.clone()));
        }
        if name == "__dict__" {
            let fields = instance.fields.clone();
            return Ok(Some(Value::Ref(self.cx.heap.add(Object::Dict(fields)))));
        }
        if let Some(function) = prelude::method(class, name) {
            let function = self.function_object(function)?;
            let bound = Object::Bound { receiver: base.clone(), function };
            return Ok(Some(Value::Ref(self.cx.heap.add(bound))));
        }
        if self.cx.overrides(base, "__getattr__") {
            return Err(Fault::Worker);
        }
        Ok(None)
    }

    /// A method of a user's class that the program has itself.
    fn own_method(&self, id: crate::heap::Id, name: &str) -> Option<u32> {
        let Object::Instance(instance) = self.cx.heap.get(id) else { return None };
        if instance.class.is_builtin() || instance.fields.get(&Key::Str(name.into())).is_some() {
            return None;
        }
        for class in &self.cx.types.get(instance.class).mro {
            let Some(descriptor) = &self.cx.types.get(*class).descriptor else { continue };
            if let Some((_, function)) = descriptor.methods.iter().find(|(known, _)| known == name) {
                return self.lowered.functions.get(function.as_str()).copied();
            }
            if descriptor.overrides.iter().any(|own| own == name || own == "__getattribute__") {
                return None;
            }
        }
        None
    }

    fn exception_attribute(&mut self, base: &Value, id: crate::heap::Id, name: &str) -> Eval<Option<Value>> {
        let Object::Exception(exception) = self.cx.heap.get(id) else { return Ok(None) };
        let key = Key::Str(name.into());
        if let Some(value) = exception.fields.get(&key).or_else(|| exception.hidden.get(&key)) {
            return Ok(Some(value.clone()));
        }
        let class = exception.class;
        Ok(match name {
            "args" => {
                let args = exception.args.clone();
                Some(self.cx.tuple(args))
            }
            "__cause__" => Some(exception.cause.clone()),
            "__context__" => Some(exception.context.clone()),
            "__suppress_context__" => Some(Value::Bool(exception.suppress_context)),
            "__traceback__" => Some(Value::None),
            "__notes__" if !exception.notes.is_empty() => {
                let notes = exception.notes.iter().cloned().map(Value::Str).collect();
                Some(self.cx.list(notes))
            }
            "value" if class == TypeId::STOP_ITERATION => Some(exception.args.first().cloned().unwrap_or(Value::None)),
            "name" if self.cx.types.is_subtype(class, TypeId::NAME_ERROR) || class == TypeId::ATTRIBUTE_ERROR => {
                Some(Value::None)
            }
            "add_note" | "with_traceback" => Some(self.method_object(base, name)),
            "split" | "subgroup" | "derive" if self.group_method(base, name).is_some() => {
                Some(self.method_object(base, name))
            }
            _ if self.cx.declares(base, name) => return Err(Fault::Worker),
            _ if !class.is_builtin() && self.cx.types.get(class).descriptor.is_none() => return Err(Fault::Worker),
            _ => None,
        })
    }

    /// A method of exception groups, unless the class has its own.
    fn group_method(&self, base: &Value, name: &str) -> Option<u32> {
        let is_group = self.cx.types.is_subtype(self.cx.type_of(base), TypeId::BASE_EXCEPTION_GROUP);
        if is_group && !self.cx.declares(base, name) { prelude::group_method(name) } else { None }
    }

    pub(super) fn set_attribute(&mut self, base: &Value, name: &str, value: Value) -> Eval<()> {
        if self.cx.overrides(base, name) || self.cx.overrides(base, "__setattr__") {
            return Err(Fault::Worker);
        }
        if let Value::Ref(id) = base {
            let frozen = self.is_frozen(base);
            let key: Arc<str> = name.into();
            match self.cx.heap.get_mut(*id) {
                Object::Instance(_) if frozen => return Err(self.frozen(base, "assign to", name)),
                Object::Instance(instance) => {
                    self.cx.mutations += 1;
                    instance.fields.insert(Key::Str(key.clone()), Value::Str(key), value);
                    return Ok(());
                }
                Object::Exception(_) if name == "args" => {
                    let args = iterate::collect(&mut self.cx, &value)?;
                    self.cx.mutations += 1;
                    if let Object::Exception(exception) = self.cx.heap.get_mut(*id) {
                        exception.args = args;
                    }
                    return Ok(());
                }
                Object::Exception(_) if name == "__notes__" => {
                    let mut notes = Vec::new();
                    for note in iterate::collect(&mut self.cx, &value)? {
                        notes.push(self.note(&note)?);
                    }
                    self.cx.mutations += 1;
                    if let Object::Exception(exception) = self.cx.heap.get_mut(*id) {
                        exception.notes = notes;
                    }
                    return Ok(());
                }
                Object::Exception(exception) => {
                    self.cx.mutations += 1;
                    match name {
                        "__cause__" => {
                            exception.cause = value;
                            exception.suppress_context = true;
                        }
                        "__context__" => exception.context = value,
                        "__suppress_context__" => exception.suppress_context = matches!(value, Value::Bool(true)),
                        "__traceback__" => {}
                        _ => {
                            exception.fields.insert(Key::Str(key.clone()), Value::Str(key), value);
                        }
                    }
                    return Ok(());
                }
                _ => {}
            }
        }
        if self.find_attribute(base, name)?.is_some() {
            let class = self.cx.type_name(base);
            let text = match python::time::attribute(base, name).is_some() {
                true => format!("attribute '{name}' of '{class}' objects is not writable"),
                false => format!("'{class}' object attribute '{name}' is read-only"),
            };
            return Err(self.cx.raise(TypeId::ATTRIBUTE_ERROR, text));
        }
        Err(self.no_attribute(base, name))
    }

    fn note(&mut self, value: &Value) -> Eval<Arc<str>> {
        match value {
            Value::Str(note) => Ok(note.clone()),
            other => {
                let text = format!("note must be a str, not '{}'", self.cx.type_name(other));
                Err(self.cx.type_error(text))
            }
        }
    }

    fn is_frozen(&self, base: &Value) -> bool {
        let info = self.cx.types.get(self.cx.type_of(base));
        match info.descriptor.as_ref().map(|descriptor| &descriptor.kind) {
            Some(TypeKind::Record { frozen, .. }) => *frozen,
            Some(TypeKind::Enum(_)) => true,
            _ => false,
        }
    }

    fn frozen(&mut self, base: &Value, change: &str, name: &str) -> Fault {
        let is_enum = self.cx.types.is_subtype(self.cx.type_of(base), TypeId::ENUM);
        let class = if is_enum { TypeId::ATTRIBUTE_ERROR } else { TypeId::FROZEN_INSTANCE_ERROR };
        self.cx.raise(class, format!("cannot {change} field '{name}'"))
    }

    pub(super) fn delete_attribute(&mut self, base: &Value, name: &str) -> Eval<()> {
        if self.cx.overrides(base, name) || self.cx.overrides(base, "__delattr__") {
            return Err(Fault::Worker);
        }
        if let Value::Ref(id) = base {
            if self.is_frozen(base) {
                return Err(self.frozen(base, "delete", name));
            }
            let fields = match self.cx.heap.get_mut(*id) {
                Object::Instance(instance) => Some(&mut instance.fields),
                Object::Exception(exception) => Some(&mut exception.fields),
                _ => None,
            };
            if fields.is_some_and(|fields| fields.remove(&Key::Str(name.into())).is_some()) {
                self.cx.mutations += 1;
                return Ok(());
            }
        }
        Err(self.no_attribute(base, name))
    }

    /// `receiver.name(arguments)`
    pub(super) fn invoke_method(
        &mut self,
        receiver: &Value,
        name: &str,
        args: &[Value],
        keyword: &Keywords,
    ) -> Eval<Option<Value>> {
        self.pushed = 0;
        if let Value::Ref(id) = receiver {
            let id = *id;
            match self.cx.heap.get(id) {
                Object::Future(_) => {
                    if let Some(result) = self.future_method(id, name, args, keyword) {
                        return result.map(Some);
                    }
                }
                Object::List(_) if name == "sort" => return self.sort_in_place(receiver, id, args, keyword),
                Object::List(_) if name == "append" && args.len() == 1 && keyword.is_empty() => {
                    self.cx.mutations += 1;
                    if let Object::List(list) = self.cx.heap.get_mut(id) {
                        list.items.push(args[0].clone());
                        let bytes = list.items.len() * 16;
                        if bytes > self.cx.limits.value_bytes_max {
                            self.cx.check_size(bytes)?;
                        }
                    }
                    return Ok(Some(Value::None));
                }
                Object::Iterator(_)
                    if self.cx.type_of(receiver) == TypeId::ASYNC_GENERATOR
                        && matches!(name, "__aiter__" | "__anext__" | "asend" | "athrow" | "aclose") =>
                {
                    return self.generator_step(receiver, id, name, args).map(Some);
                }
                Object::Exception(_) if name == "add_note" => {
                    let note = self.note(args.first().unwrap_or(&Value::None))?;
                    self.cx.mutations += 1;
                    if let Object::Exception(exception) = self.cx.heap.get_mut(id) {
                        exception.notes.push(note);
                    }
                    return Ok(Some(Value::None));
                }
                Object::Exception(_) if name == "with_traceback" => return Ok(Some(receiver.clone())),
                Object::Exception(_) => {
                    if let Some(function) = self.group_method(receiver, name) {
                        let function = self.function_object(function)?;
                        let mut all = vec![receiver.clone()];
                        all.extend_from_slice(args);
                        return self.invoke(&function, &all, keyword);
                    }
                }
                Object::Instance(instance) => {
                    let class = instance.class;
                    let own = self.own_method(id, name);
                    if let Some(function) = prelude::method(class, name).or(own) {
                        let function = self.function_object(function)?;
                        let mut all = vec![receiver.clone()];
                        match (own, name, args) {
                            // What `async with` leaves a block with; those of the prelude take it as it is.
                            (Some(_), "__aexit__", [error]) => {
                                let class =
                                    if error.is_none() { Value::None } else { Value::Type(self.cx.type_of(error)) };
                                all.extend([class, error.clone(), Value::None]);
                            }
                            _ => all.extend_from_slice(args),
                        }
                        return self.invoke(&function, &all, keyword);
                    }
                }
                _ => {}
            }
        }
        let class = self.cx.type_of(receiver);
        if let Some(method) = registry::method(class, name) {
            self.check_keys(class, name, receiver, args)?;
            return method(&mut self.cx, receiver, Args { positional: args, keyword }).map(Some);
        }
        if let Value::Type(class) = receiver
            && let Some(method) = registry::method(*class, name)
            && registry::lookup(&format!("{}.{name}", self.cx.types.get(*class).name)).is_none()
        {
            return self.unbound_method(*class, name, method, args, keyword).map(Some);
        }
        if let (Value::Ref(id), "indices") = (receiver, name)
            && let Object::Slice(parts) = self.cx.heap.get(*id)
        {
            let parts = (**parts).clone();
            let length = number::to_index_i64(&mut self.cx, args.first().unwrap_or(&Value::None))?;
            let slice = python::subscript::resolve(&mut self.cx, &parts, length.max(0) as usize)?;
            let (start, stop, step) = (slice.start, slice.stop, slice.step);
            return Ok(Some(self.cx.tuple(vec![Value::Int(start), Value::Int(stop), Value::Int(step)])));
        }
        if name == "__aiter__" && self.find_attribute(receiver, name)?.is_none() {
            let text =
                format!("'async for' requires an object with __aiter__ method, got {}", self.cx.type_name(receiver));
            return Err(self.cx.type_error(text));
        }
        let callee = self.get_attribute(receiver, name)?;
        self.invoke(&callee, args, keyword)
    }

    /// `str.upper("a")`
    fn unbound_method(
        &mut self,
        class: TypeId,
        name: &str,
        method: python::NativeMethod,
        args: &[Value],
        keyword: &Keywords,
    ) -> Eval {
        let shown = self.cx.types.get(class).shown.clone();
        let Some((first, rest)) = args.split_first() else {
            return Err(self.cx.type_error(format!("unbound method {shown}.{name}() needs an argument")));
        };
        let given = self.cx.type_of(first);
        if !self.cx.types.is_subtype(given, class) {
            let given = self.cx.type_name(first);
            let text = format!("descriptor '{name}' for '{shown}' objects doesn't apply to a '{given}' object");
            return Err(self.cx.type_error(text));
        }
        self.check_keys(class, name, first, rest)?;
        method(&mut self.cx, first, Args { positional: rest, keyword })
    }

    /// A method of a dict or set that compares keys which only a worker can compare is handed over.
    fn check_keys(&self, class: TypeId, name: &str, receiver: &Value, args: &[Value]) -> Eval<()> {
        let compares =
            matches!(class, TypeId::DICT | TypeId::SET | TypeId::FROZENSET | TypeId::DICT_KEYS | TypeId::DICT_ITEMS)
                && !matches!(name, "items" | "keys" | "values" | "copy" | "clear" | "popitem");
        let is_custom = |value: &Value| compare::has_custom_keys(&self.cx, value);
        match compares && (is_custom(receiver) || args.iter().any(is_custom)) {
            true => Err(Fault::Worker),
            false => Ok(()),
        }
    }

    fn sort_in_place(
        &mut self,
        receiver: &Value,
        id: crate::heap::Id,
        args: &[Value],
        keyword: &Keywords,
    ) -> Eval<Option<Value>> {
        let key = keyword.iter().find(|(name, _)| &**name == "key").map(|(_, value)| value.clone());
        match key.filter(|key| !key.is_none()) {
            Some(key) if args.is_empty() => {
                let reverse = match keyword.iter().find(|(name, _)| &**name == "reverse") {
                    Some((_, value)) => compare::truth(&mut self.cx, value)?,
                    None => false,
                };
                let items = match self.cx.heap.get(id) {
                    Object::List(list) => list.items.clone(),
                    _ => Vec::new(),
                };
                self.drive_keys(DriverKind::SortInPlace, key, items, reverse, receiver.clone())
            }
            _ => {
                let Some(method) = registry::method(TypeId::LIST, "sort") else { return Ok(None) };
                method(&mut self.cx, receiver, Args { positional: args, keyword }).map(Some)
            }
        }
    }
}
