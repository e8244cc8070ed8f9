//! Values in and out of an instance: copies. What goes out is checked on its way: no cycles, nothing that can't travel,
//! not too large; an error names the place inside the value.

use std::sync::Arc;

use waymark_ir::{Delta, ExceptionValue, TypeKind, Value as Outside, Zone};

use crate::context::{Context, Eval, Fault};
use crate::heap::{Dict, Exception, Id, Instance, Key, Object, Range, Set};
use crate::python::compare;
use crate::python::time::zone;
use crate::registry;
use crate::types::TypeId;
use crate::value::Value;

/// How deep a value that travels may be nested.
const DEPTH_MAX: usize = 200;

/// An immutable value without identity, or `None` for a container.
pub fn scalar(value: &Outside) -> Option<Value> {
    Some(match value {
        Outside::None => Value::None,
        Outside::Bool(value) => Value::Bool(*value),
        Outside::Int(value) => Value::Int(*value),
        Outside::BigInt(value) => Value::integer(value.clone()),
        Outside::Float(value) => Value::Float(*value),
        Outside::Str(text) => Value::str(text.as_str()),
        Outside::Bytes(bytes) => Value::bytes(bytes.as_slice()),
        Outside::Date(date) => Value::Date(*date),
        Outside::Time(time) => Value::Time(Arc::new(time.clone())),
        Outside::DateTime(value) => Value::DateTime(Arc::new(value.clone())),
        Outside::Delta(delta) => Value::Delta(Box::new(*delta)),
        Outside::Decimal(value) => Value::Decimal(Arc::new(value.clone())),
        Outside::Uuid(value) => Value::Uuid(Box::new(*value)),
        Outside::Ellipsis => Value::Ellipsis,
        _ => return None,
    })
}

/// Brings a value in. Fails where a key has no hash, as `{[]: 1}` would.
pub fn import(cx: &mut Context, value: &Outside) -> Eval {
    if let Some(value) = scalar(value) {
        return Ok(value);
    }
    let object = match value {
        Outside::List(items) => Object::list(import_all(cx, items)?),
        Outside::Tuple(items) => Object::Tuple(import_all(cx, items)?.into()),
        Outside::Dict(entries) => {
            let mut dict = Dict::default();
            for (name, value) in entries {
                let name = import(cx, name)?;
                let value = import(cx, value)?;
                dict.insert(compare::stored_key(cx, &name)?, name, value);
            }
            Object::Dict(dict)
        }
        Outside::Set(items) => Object::Set(import_set(cx, items, false)?),
        Outside::FrozenSet(items) => Object::Set(import_set(cx, items, true)?),
        Outside::Object { type_name, fields } => {
            let plain = |wanted: &str| fields.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
            if let Some(value) = standard(cx, type_name, plain) {
                return Ok(value);
            }
            let class = cx.types.learn(type_name, &[]);
            if let Some(name) =
                member_name(cx, class, |field| fields.iter().find(|(name, _)| name == field).map(|(_, value)| value))
            {
                return member(cx, class, &name);
            }
            Object::Instance(Box::new(Instance { class, fields: import_fields(cx, fields)? }))
        }
        Outside::Exception(exception) => return import_exception(cx, exception).map(Value::Ref),
        _ => return Ok(Value::None),
    };
    Ok(Value::Ref(cx.heap.add(object)))
}

/// `Color.RED`: made once an instance, wherever it comes from, so that `is` works.
pub(crate) fn member(cx: &mut Context, class: TypeId, name: &str) -> Eval {
    if let Some(found) = cx.members.get(&(class, Arc::from(name))) {
        return Ok(Value::Ref(*found));
    }
    let info = cx.types.get(class).clone();
    let held = match info.descriptor.as_ref().map(|descriptor| &descriptor.kind) {
        Some(TypeKind::Enum(members)) => {
            members.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
        }
        _ => None,
    };
    let Some(held) = held else {
        let text = format!("type object '{}' has no attribute '{name}'", info.shown);
        return Err(cx.raise(TypeId::ATTRIBUTE_ERROR, text));
    };
    let value = import(cx, &held)?;
    let mut fields = Dict::default();
    for (field, value) in [("name", Value::from(name)), ("value", value)] {
        let field: Arc<str> = field.into();
        fields.insert(Key::Str(field.clone()), Value::Str(field), value);
    }
    let id = cx.heap.add(Object::Instance(Box::new(Instance { class, fields })));
    cx.members.insert((class, name.into()), id);
    Ok(Value::Ref(id))
}

/// A class or function that is there on both sides: it goes by its import path.
const REFERENCE: &str = "waymark.Reference";

/// None: nobody can import it.
fn reference_out(cx: &Context, value: &Value) -> Option<Outside> {
    let path = match value {
        Value::Type(class) => class_path(&cx.types.get(*class).name)?,
        Value::Builtin(builtin) => match registry::name(*builtin).rsplit_once('.') {
            Some((class, method)) if cx.types.find(class).is_some() => format!("{}.{method}", class_path(class)?),
            Some((module, function)) => format!("{module}:{function}"),
            None => format!("builtins:{}", registry::name(*builtin)),
        },
        _ => return None,
    };
    let fields = vec![("path".to_string(), Outside::Str(path))];
    Some(Outside::Object { type_name: REFERENCE.into(), fields })
}

fn class_path(name: &str) -> Option<String> {
    match (name.ends_with(']'), name.contains(':'), name.rsplit_once('.')) {
        // A generic model with its parameters has no name.
        (true, ..) => None,
        (_, true, _) => Some(name.to_string()),
        (.., Some((module, class))) => Some(format!("{module}:{class}")),
        (.., None) => Some(format!("builtins:{name}")),
    }
}

/// The class or function of the workflow that has this import path. None: it only knows it by name.
fn referred(cx: &Context, path: &str) -> Option<Value> {
    let dotted = path.strip_prefix("builtins:").map_or_else(|| path.replacen(':', ".", 1), str::to_string);
    let class = cx.types.find(path).or_else(|| cx.types.find(&dotted));
    class.map(Value::Type).or_else(|| registry::find(&dotted).map(Value::Builtin))
}

/// A value of the standard library that the runner has a form of its own for: a zone, a range, a class.
pub(crate) fn standard<'a>(
    cx: &mut Context,
    type_name: &str,
    field: impl Fn(&str) -> Option<&'a Outside>,
) -> Option<Value> {
    let zone = match (type_name, field("offset"), field("name"), field("key")) {
        ("datetime.timezone", Some(Outside::Delta(offset)), name, _) => {
            let name = match name {
                Some(Outside::Str(name)) => Some(name.clone()),
                _ => None,
            };
            Zone::Fixed { offset_us: i64::try_from(offset.microseconds).ok()?, name }
        }
        ("zoneinfo.ZoneInfo", _, _, Some(Outside::Str(key))) => Zone::Named(key.clone()),
        (REFERENCE, ..) => match field("path") {
            Some(Outside::Str(path)) => return referred(cx, path),
            _ => return None,
        },
        ("builtins:range", ..) => {
            let (Some(Outside::Int(start)), Some(Outside::Int(stop)), Some(Outside::Int(step))) =
                (field("start"), field("stop"), field("step"))
            else {
                return None;
            };
            let range = Object::Range(Range { start: *start, stop: *stop, step: *step });
            return (*step != 0).then(|| Value::Ref(cx.heap.add(range)));
        }
        _ => return None,
    };
    zone::is_valid(&zone).then(|| Value::Zone(zone.into()))
}

/// It belongs to the instance.
fn stays(type_name: &str) -> Refusal {
    let hint = match type_name {
        "coroutine" | "Future" | "Task" => "; is an `await` missing?",
        _ => "",
    };
    Refusal::CannotTravel(format!("a '{type_name}' cannot leave the workflow{hint}"))
}

fn zone_out(zone: &Zone) -> Outside {
    match zone {
        Zone::Fixed { offset_us, name } => {
            let offset = Outside::Delta(Delta { microseconds: i128::from(*offset_us) });
            let name = name.clone().map_or(Outside::None, Outside::Str);
            Outside::Object {
                type_name: "datetime.timezone".into(),
                fields: vec![("offset".into(), offset), ("name".into(), name)],
            }
        }
        Zone::Named(key) => Outside::Object {
            type_name: "zoneinfo.ZoneInfo".into(),
            fields: vec![("key".into(), Outside::Str(key.clone()))],
        },
    }
}

/// A range as a worker of Python has it.
pub(crate) fn range_out(range: &Range) -> Outside {
    let parts = [("start", range.start), ("stop", range.stop), ("step", range.step)];
    let fields = parts.map(|(name, value)| (name.to_string(), Outside::Int(value)));
    Outside::Object { type_name: "builtins:range".into(), fields: fields.into() }
}

/// Which member of a declared enumeration an object with these fields is: by its name, or else by its value.
pub(crate) fn member_name<'a>(
    cx: &Context,
    class: TypeId,
    field: impl Fn(&str) -> Option<&'a Outside>,
) -> Option<Arc<str>> {
    let info = cx.types.get(class);
    let Some(TypeKind::Enum(members)) = info.descriptor.as_ref().map(|descriptor| &descriptor.kind) else {
        return None;
    };
    let found =
        members.iter().find(|(known, held)| match (field("name").or_else(|| field("_name_")), field("value")) {
            (Some(Outside::Str(name)), _) => name == known,
            (_, value) => value == Some(held),
        });
    found.map(|(name, _)| name.as_str().into())
}

fn import_all(cx: &mut Context, items: &[Outside]) -> Eval<Vec<Value>> {
    items.iter().map(|item| import(cx, item)).collect()
}

fn import_set(cx: &mut Context, items: &[Outside], frozen: bool) -> Eval<Set> {
    let mut set = Set::new(frozen);
    for item in import_all(cx, items)? {
        set.insert(compare::stored_key(cx, &item)?, item);
    }
    Ok(set)
}

pub(crate) fn import_fields(cx: &mut Context, fields: &[(String, Outside)]) -> Eval<Dict> {
    let mut dict = Dict::default();
    for (name, value) in fields {
        let name: Arc<str> = name.as_str().into();
        let value = import(cx, value)?;
        dict.insert(Key::Str(name.clone()), Value::Str(name), value);
    }
    Ok(dict)
}

pub fn import_exception(cx: &mut Context, outside: &ExceptionValue) -> Eval<Id> {
    let class = exception_class(cx, &outside.type_name, &outside.bases);
    let args = import_all(cx, &outside.args)?;
    let mut exception = Exception::new(class, args);
    exception.fields = import_fields(cx, &outside.fields)?;
    exception.message = outside.message.as_deref().map(Arc::from);
    exception.suppress_context = outside.suppress_context;
    exception.notes = outside.notes.iter().map(|note| note.as_str().into()).collect();
    exception.traceback = outside.traceback.iter().map(|line| line.as_str().into()).collect();
    if let Some(cause) = &outside.cause {
        exception.cause = Value::Ref(import_exception(cx, cause)?);
    }
    if let Some(context) = &outside.context {
        exception.context = Value::Ref(import_exception(cx, context)?);
    }
    if cx.types.is_subtype(class, TypeId::BASE_EXCEPTION_GROUP)
        && let [message, members] = &exception.args[..]
    {
        let (message, members) = (message.clone(), crate::python::iterate::collect(cx, &members.clone())?);
        set_group(cx, &mut exception, message, members);
    }
    Ok(cx.heap.add(Object::Exception(Box::new(exception))))
}

pub(crate) fn exception_class(cx: &mut Context, name: &str, bases: &[String]) -> TypeId {
    let class = match bases.is_empty() {
        true => cx.types.learn(name, &["Exception".to_string(), "BaseException".to_string()]),
        false => cx.types.learn(name, bases),
    };
    if cx.types.is_exception(class) { class } else { TypeId::EXCEPTION }
}

/// What a group of exceptions has besides its arguments.
pub(crate) fn set_group(cx: &mut Context, group: &mut Exception, message: Value, members: Vec<Value>) {
    for (name, value) in [("message", message), ("exceptions", cx.tuple(members))] {
        let name: Arc<str> = name.into();
        group.hidden.insert(Key::Str(name.clone()), Value::Str(name), value);
    }
}

/// Takes a copy out. `what` begins the message when it can't be taken: "argument 'items' of app:send".
pub fn export(cx: &mut Context, value: &Value, what: &str) -> Eval<Outside> {
    let mut export = Export { path: Vec::new(), units: 0, open: Vec::new() };
    match export.value(cx, value) {
        Ok(outside) => Ok(outside),
        Err(Refusal::Fault(fault)) => Err(fault),
        Err(Refusal::CannotTravel(reason)) => {
            let place = export.path.concat();
            let text = format!("{what}{}{place}: {reason}", if place.is_empty() { "" } else { " at " });
            Err(cx.type_error(text))
        }
    }
}

enum Refusal {
    Fault(Fault),
    CannotTravel(String),
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Refusal {
        Refusal::Fault(fault)
    }
}

struct Export {
    /// Where we are inside the value: `[0]`, `['a']`, `.name`.
    path: Vec<String>,
    units: usize,
    open: Vec<Id>,
}

impl Export {
    fn value(&mut self, cx: &mut Context, value: &Value) -> Result<Outside, Refusal> {
        self.units += match value {
            Value::Str(text) => 16 + text.len(),
            Value::Bytes(bytes) => 16 + bytes.len(),
            Value::Big(number) => 16 + number.bits() as usize / 8,
            _ => 16,
        };
        if self.units > cx.limits.value_bytes_max {
            let text = format!("it is larger than {} bytes", cx.limits.value_bytes_max);
            return Err(Refusal::CannotTravel(text));
        }
        Ok(match value {
            Value::Unbound | Value::None => Outside::None,
            Value::Bool(value) => Outside::Bool(*value),
            Value::Int(value) => Outside::Int(*value),
            Value::Big(value) => Outside::BigInt((**value).clone()),
            Value::Float(value) => Outside::Float(*value),
            Value::Str(text) => Outside::Str(text.to_string()),
            Value::Bytes(bytes) => Outside::Bytes(bytes.to_vec()),
            Value::Date(date) => Outside::Date(*date),
            Value::Time(time) => Outside::Time((**time).clone()),
            Value::DateTime(value) => Outside::DateTime((**value).clone()),
            Value::Delta(delta) => Outside::Delta(**delta),
            Value::Decimal(value) => Outside::Decimal((**value).clone()),
            Value::Uuid(value) => Outside::Uuid(**value),
            Value::Ellipsis => Outside::Ellipsis,
            Value::Zone(zone) => zone_out(zone),
            Value::Ref(id) => return self.object(cx, *id),
            Value::Type(_) | Value::Builtin(_) => match reference_out(cx, value) {
                Some(reference) => reference,
                None => return Err(stays(&cx.type_name(value))),
            },
            Value::NotImplemented => return Err(stays(&cx.type_name(value))),
        })
    }

    fn object(&mut self, cx: &mut Context, id: Id) -> Result<Outside, Refusal> {
        if self.open.contains(&id) {
            return Err(Refusal::CannotTravel("it contains itself".into()));
        }
        if self.open.len() >= DEPTH_MAX {
            return Err(Refusal::CannotTravel(format!("it is nested more than {DEPTH_MAX} deep")));
        }
        self.open.push(id);
        let outside = match cx.heap.get(id) {
            Object::List(list) => {
                let items = list.items.clone();
                Outside::List(self.items(cx, &items)?)
            }
            Object::Tuple(items) => {
                let items = items.to_vec();
                Outside::Tuple(self.items(cx, &items)?)
            }
            Object::Set(set) => {
                let (frozen, items): (bool, Vec<Value>) = (set.frozen, set.iter().cloned().collect());
                let items = self.items(cx, &items)?;
                if frozen { Outside::FrozenSet(items) } else { Outside::Set(items) }
            }
            Object::Dict(dict) => {
                let entries: Vec<(Value, Value)> = dict.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
                let mut out = Vec::with_capacity(entries.len());
                for (name, value) in entries {
                    let shown = match &name {
                        Value::Str(text) => format!("['{text}']"),
                        Value::Int(number) => format!("[{number}]"),
                        _ => "[…]".into(),
                    };
                    self.path.push(shown);
                    out.push((self.value(cx, &name)?, self.value(cx, &value)?));
                    self.path.pop();
                }
                Outside::Dict(out)
            }
            Object::Range(range) => range_out(range),
            Object::Instance(instance) if cx.types.get(instance.class).name.starts_with("asyncio.") => {
                return Err(stays(&cx.type_name(&Value::Ref(id))));
            }
            Object::Instance(instance) => {
                let type_name = cx.types.get(instance.class).name.to_string();
                let fields: Vec<(Value, Value)> = instance.fields.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
                Outside::Object { type_name, fields: self.fields(cx, fields)? }
            }
            Object::Exception(_) => Outside::Exception(Box::new(self.exception(cx, id)?)),
            Object::View { .. } => {
                let items = crate::python::iterate::collect(cx, &Value::Ref(id))?;
                Outside::List(self.items(cx, &items)?)
            }
            _ => {
                return Err(stays(&cx.type_name(&Value::Ref(id))));
            }
        };
        self.open.pop();
        Ok(outside)
    }

    fn items(&mut self, cx: &mut Context, items: &[Value]) -> Result<Vec<Outside>, Refusal> {
        let mut out = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            if let Value::Ref(_) = item {
                self.path.push(format!("[{at}]"));
                out.push(self.value(cx, item)?);
                self.path.pop();
            } else {
                out.push(self.value(cx, item)?);
            }
        }
        Ok(out)
    }

    fn fields(&mut self, cx: &mut Context, fields: Vec<(Value, Value)>) -> Result<Vec<(String, Outside)>, Refusal> {
        let mut out = Vec::with_capacity(fields.len());
        for (name, value) in fields {
            let Value::Str(name) = name else { continue };
            self.path.push(format!(".{name}"));
            out.push((name.to_string(), self.value(cx, &value)?));
            self.path.pop();
        }
        Ok(out)
    }

    fn exception(&mut self, cx: &mut Context, id: Id) -> Result<ExceptionValue, Refusal> {
        let mut out = exception_frame(cx, id);
        let Object::Exception(exception) = cx.heap.get(id) else { return Ok(out) };
        let (args, cause, context) =
            (exception.args.clone(), exception.cause.reference(), exception.context.reference());
        let fields: Vec<(Value, Value)> = exception.fields.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
        for arg in &args {
            // An argument that can't travel must not hide the exception itself.
            out.args.push(match self.value(cx, arg) {
                Ok(value) => value,
                Err(Refusal::CannotTravel(_)) => described(cx, arg),
                Err(fault) => return Err(fault),
            });
        }
        out.fields = self.fields(cx, fields)?;
        for (link, slot) in [(cause, &mut out.cause), (context, &mut out.context)] {
            if let Some(link) = link.filter(|link| !self.open.contains(link) && self.open.len() < DEPTH_MAX) {
                self.open.push(link);
                *slot = Some(Box::new(self.exception(cx, link)?));
                self.open.pop();
            }
        }
        Ok(out)
    }
}

/// An exception without the values in it.
pub(crate) fn exception_frame(cx: &Context, id: Id) -> ExceptionValue {
    let Object::Exception(exception) = cx.heap.get(id) else { return ExceptionValue::default() };
    let info = cx.types.get(exception.class);
    let bases = info.mro[1..].iter().filter(|id| **id != TypeId::OBJECT);
    ExceptionValue {
        type_name: info.name.to_string(),
        bases: bases.map(|id| cx.types.get(*id).name.to_string()).collect(),
        message: exception.message.as_deref().map(str::to_string),
        suppress_context: exception.suppress_context,
        notes: exception.notes.iter().map(|note| note.to_string()).collect(),
        traceback: exception.traceback.iter().map(|line| line.to_string()).collect(),
        ..ExceptionValue::default()
    }
}

/// What stands for an argument of an exception that can't travel.
fn described(cx: &mut Context, value: &Value) -> Outside {
    Outside::Str(crate::python::repr::repr(cx, value).unwrap_or_else(|_| "<unprintable>".into()))
}

/// The same, where nothing in it has to be a copy: `None` if it can go as it is.
pub(crate) fn described_if_stuck(cx: &mut Context, value: &Value) -> Option<Outside> {
    let (mut seen, mut left) = (rustc_hash::FxHashSet::default(), vec![value.clone()]);
    while let Some(next) = left.pop() {
        let travels = match &next {
            Value::NotImplemented | Value::Type(_) | Value::Builtin(_) => false,
            Value::Ref(id) if seen.insert(*id) => match cx.heap.get(*id) {
                Object::List(list) => {
                    left.extend(list.items.iter().cloned());
                    true
                }
                Object::Tuple(items) => {
                    left.extend(items.iter().cloned());
                    true
                }
                Object::Set(set) => {
                    left.extend(set.iter().cloned());
                    true
                }
                Object::Dict(dict) => {
                    left.extend(dict.iter().flat_map(|(name, value)| [name.clone(), value.clone()]));
                    true
                }
                Object::Instance(instance) => {
                    left.extend(instance.fields.iter().map(|(_, value)| value.clone()));
                    !cx.types.get(instance.class).name.starts_with("asyncio.")
                }
                Object::Exception(_) | Object::Range(_) | Object::View { .. } => true,
                _ => false,
            },
            _ => true,
        };
        if !travels {
            return Some(described(cx, value));
        }
    }
    None
}

/// The common arguments of actions, without the bookkeeping of [`export`].
pub(crate) fn scalar_out(value: &Value) -> Option<Outside> {
    Some(match value {
        Value::None => Outside::None,
        Value::Bool(value) => Outside::Bool(*value),
        Value::Int(value) => Outside::Int(*value),
        Value::Float(value) => Outside::Float(*value),
        Value::Str(text) if text.len() < 4_096 => Outside::Str(text.to_string()),
        _ => return None,
    })
}
