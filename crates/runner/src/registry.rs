//! Everything a program can name without declaring it: built-in functions, classes, constants of modules, the prelude.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use waymark_ir::{FunctionKind, exceptions};

use crate::asyncio::prelude;
use crate::context::{Context, Eval};
use crate::python::{self, Args, Builtin, Methods, NativeFunction, NativeMethod};
use crate::types::{TypeId, Types};
use crate::value::Value;

/// What a name outside the program stands for.
pub enum Global {
    Value(Value),
    /// A function of the prelude, by number.
    Prelude(u32),
}

#[derive(Clone, Copy)]
pub enum Callable {
    Native(NativeFunction),
    /// Needs the machine: it waits, or calls back into the program.
    Machine(Special),
}

macro_rules! specials {
    ($($variant:ident $name:literal,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Special { $($variant,)* }
        const SPECIALS: &[(&str, Special)] = &[$(($name, Special::$variant),)*];
    };
}

specials! {
    Gather "asyncio.gather",
    Sleep "asyncio.sleep",
    CreateTask "asyncio.create_task",
    EnsureFuture "asyncio.ensure_future",
    CurrentTask "asyncio.current_task",
    CallSoon "loop.call_soon",
    CallAt "loop.call_at",
    CancelTimer "loop.cancel_timer",
    LoopTime "loop.time",
    NewInstance "loop.new_instance",
    IsCoroutine "asyncio.iscoroutine",
    WaitForSignal "waymark.wait_for_signal",
    ReturnSignal "loop.return_signal",
    UpdateQueue "loop.update_queue",
    Reply "loop.reply",
    Reject "loop.reject",
    StartChild "loop.start_child",
    SignalChild "loop.signal_child",
    Publish "waymark.publish",
    Sorted "sorted",
    Min "min",
    Max "max",
    Any "any",
    All "all",
    Next "next",
    Reduce "functools.reduce",
    GetAttribute "getattr",
    HasAttribute "hasattr",
    SetAttribute "setattr",
    DeleteAttribute "delattr",
    LogDebug "logging.debug",
    LogInfo "logging.info",
    LogWarning "logging.warning",
    LogError "logging.error",
    LogCritical "logging.critical",
    LogException "logging.exception",
}

/// Other names for the same thing.
const ALIASES: &[(&str, &str)] = &[
    ("CancelledError", "asyncio.CancelledError"),
    ("asyncio.TimeoutError", "TimeoutError"),
    ("asyncio.exceptions.CancelledError", "asyncio.CancelledError"),
    ("IOError", "OSError"),
    ("EnvironmentError", "OSError"),
    ("json.decoder.JSONDecodeError", "json.JSONDecodeError"),
];

struct Registry {
    entries: Vec<(&'static str, Callable)>,
    by_name: FxHashMap<&'static str, Builtin>,
    constants: FxHashMap<&'static str, fn() -> Value>,
    constructors: FxHashMap<TypeId, NativeFunction>,
    /// The simple form of what the machine drives in general.
    natives: FxHashMap<&'static str, NativeFunction>,
}

static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::new);

impl Registry {
    fn new() -> Registry {
        let natives = [
            python::builtins::FUNCTIONS,
            python::bytes::FUNCTIONS,
            python::copy::FUNCTIONS,
            python::decimal::FUNCTIONS,
            python::dict::FUNCTIONS,
            python::json::FUNCTIONS,
            python::math::FUNCTIONS,
            python::number::FUNCTIONS,
            python::random::FUNCTIONS,
            python::text::FUNCTIONS,
            python::time::FUNCTIONS,
            python::uuid::FUNCTIONS,
        ];
        let specials = SPECIALS.iter().map(|(name, special)| (*name, Callable::Machine(*special)));
        let mut entries: Vec<(&'static str, Callable)> = specials.collect();
        let mut by_name: FxHashMap<&'static str, Builtin> = FxHashMap::default();
        for (at, (name, _)) in entries.iter().enumerate() {
            by_name.insert(*name, Builtin(at as u16));
        }
        for (name, function) in natives.iter().copied().flatten() {
            // What the machine drives in general (`sorted`) has a native for its simple form.
            if !by_name.contains_key(name) {
                by_name.insert(name, Builtin(entries.len() as u16));
            }
            entries.push((name, Callable::Native(*function)));
        }
        let constants = [
            crate::asyncio::CONSTANTS,
            python::builtins::CONSTANTS,
            python::decimal::CONSTANTS,
            python::json::CONSTANTS,
            python::math::CONSTANTS,
            python::random::CONSTANTS,
            python::time::CONSTANTS,
            python::uuid::CONSTANTS,
        ];
        let constructors = [
            python::builtins::CONSTRUCTORS,
            python::decimal::CONSTRUCTORS,
            python::number::CONSTRUCTORS,
            python::time::CONSTRUCTORS,
            python::uuid::CONSTRUCTORS,
        ];
        Registry {
            entries,
            by_name,
            constants: constants.into_iter().flatten().copied().collect(),
            constructors: constructors.into_iter().flatten().copied().collect(),
            natives: natives.into_iter().flatten().copied().collect(),
        }
    }
}

/// Resolves a dotted name.
pub fn lookup(path: &str) -> Option<Global> {
    if !is_nameable(path) || path.starts_with("loop.") {
        return None;
    }
    prelude::function(path).map(Global::Prelude).or_else(|| lookup_native(path))
}

/// The same without the prelude: for the prelude itself.
pub(crate) fn lookup_native(path: &str) -> Option<Global> {
    let path = ALIASES.iter().find(|(alias, _)| *alias == path).map_or(path, |(_, name)| name);
    // `range` and `type` are classes first.
    let class = Types::default().find(path);
    if let Some(class) = class.filter(|class| constructor(*class).is_some()) {
        return Some(Global::Value(Value::Type(class)));
    }
    if let Some(builtin) = find(path) {
        return Some(Global::Value(Value::Builtin(builtin)));
    }
    if let Some(constant) = REGISTRY.constants.get(path) {
        return Some(Global::Value(constant()));
    }
    class.map(|class| Global::Value(Value::Type(class)))
}

/// Classes that Python has no name for (`NoneType`, iterators) are not names here either.
fn is_nameable(class: &str) -> bool {
    !matches!(
        class,
        "NoneType"
            | "ellipsis"
            | "NotImplementedType"
            | "function"
            | "builtin_function_or_method"
            | "method"
            | "coroutine"
            | "generator"
            | "async_generator"
            | "iterator"
            | "dict_keys"
            | "dict_values"
            | "dict_items"
            | "asyncio.TimerHandle"
            | "asyncio.AsCompleted"
            | "waymark.Update"
            | "waymark.ChildHandle"
    )
}

pub fn find(name: &str) -> Option<Builtin> {
    REGISTRY.by_name.get(name).copied()
}

pub fn name(builtin: Builtin) -> &'static str {
    REGISTRY.entries[builtin.0 as usize].0
}

pub fn callable(builtin: Builtin) -> Callable {
    REGISTRY.entries[builtin.0 as usize].1
}

/// The native form of a built-in that the machine drives.
pub fn native(cx: &mut Context, function: &str, args: Args<'_>) -> Eval {
    let found = REGISTRY.natives.get(function).copied();
    match found {
        Some(native) => native(cx, args),
        None => Err(cx.raise(TypeId::UNSUPPORTED, format!("{function} is not built in"))),
    }
}

pub fn constructor(class: TypeId) -> Option<NativeFunction> {
    REGISTRY.constructors.get(&class).copied()
}

/// A method of a built-in class.
pub fn method(class: TypeId, name: &str) -> Option<NativeMethod> {
    methods(class).iter().find(|(known, _)| *known == name).map(|(_, method)| *method)
}

fn methods(class: TypeId) -> Methods {
    match class {
        TypeId::STR => python::text::METHODS,
        TypeId::BYTES => python::bytes::METHODS,
        TypeId::LIST => python::list::METHODS,
        TypeId::TUPLE => python::tuple::METHODS,
        TypeId::DICT => python::dict::METHODS,
        TypeId::SET => python::set::METHODS,
        TypeId::FROZENSET => python::set::FROZEN_METHODS,
        TypeId::RANGE => python::tuple::RANGE_METHODS,
        TypeId::DICT_KEYS | TypeId::DICT_ITEMS => python::dict::VIEW_METHODS,
        TypeId::INT | TypeId::BOOL => python::number::INT_METHODS,
        TypeId::FLOAT => python::number::FLOAT_METHODS,
        TypeId::DECIMAL => python::decimal::METHODS,
        _ => python::time::methods(class),
    }
}

/// What a name stands for, in one word; those who compile to programs ask.
pub fn kind(path: &str) -> Option<&'static str> {
    let path = ALIASES.iter().find(|(alias, _)| *alias == path).map_or(path, |(_, name)| name);
    Some(match lookup(path)? {
        Global::Prelude(at) => match prelude::lowered().graphs[at as usize].kind {
            FunctionKind::Durable => "coroutine",
            FunctionKind::Plain => "function",
        },
        Global::Value(Value::Type(class)) if Types::default().is_exception(class) => "exception",
        Global::Value(Value::Type(_)) => "class",
        Global::Value(Value::Builtin(builtin)) => match callable(builtin) {
            Callable::Machine(Special::Sleep | Special::WaitForSignal) => "coroutine",
            _ => "function",
        },
        Global::Value(_) => "constant",
    })
}

/// The methods of a built-in class that run here: its own tables', the prelude's, and those of the machine.
pub fn method_names(class: &str) -> Vec<&'static str> {
    let types = Types::default();
    let Some(class) = types.find(class) else { return Vec::new() };
    let machine: &[&str] = match class {
        TypeId::FUTURE | TypeId::TASK => crate::asyncio::FUTURE_METHODS,
        TypeId::SLICE => &["indices"],
        TypeId::EXCEPTION_GROUP => &["add_note", "with_traceback", "derive", "split", "subgroup"],
        class if types.is_exception(class) => &["add_note", "with_traceback"],
        _ => &[],
    };
    let own = methods(class).iter().map(|(name, _)| *name);
    let mut names: Vec<&'static str> = own.chain(prelude::method_names(class)).chain(machine.iter().copied()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Every class, those without a name in Python (`NoneType`, `dict_keys`) included.
pub fn class_names() -> impl Iterator<Item = &'static str> {
    crate::types::builtin_names().chain(exceptions::HIERARCHY.iter().map(|(name, _)| *name))
}

/// All names, for suggestions: `math.sqrt`, `len`, `ValueError`.
pub fn all_names() -> impl Iterator<Item = &'static str> {
    let functions = REGISTRY.by_name.keys().chain(REGISTRY.constants.keys()).copied();
    let exceptions = exceptions::HIERARCHY.iter().map(|(name, _)| *name);
    let aliases = ALIASES.iter().map(|(name, _)| *name);
    let classes = crate::types::builtin_names().filter(|name| is_nameable(name));
    functions.chain(exceptions).chain(aliases).chain(classes).chain(prelude::names())
}

/// What the verifier asks about names.
pub struct BuiltinNames {
    modules: &'static std::collections::BTreeSet<&'static str>,
}

pub fn names() -> BuiltinNames {
    static MODULES: LazyLock<std::collections::BTreeSet<&'static str>> = LazyLock::new(|| {
        let types = Types::default();
        let modules = all_names().filter_map(|name| name.split_once('.').map(|(module, _)| module));
        // `str.maketrans` is an attribute of a class, `loop.…` is the prelude's own.
        modules.filter(|module| *module != "loop" && types.find(module).is_none()).collect()
    });
    BuiltinNames { modules: &MODULES }
}

impl waymark_ir::verify::Names for BuiltinNames {
    fn is_builtin(&self, name: &str) -> bool {
        lookup(name).is_some()
    }

    fn is_module(&self, name: &str) -> bool {
        self.modules.contains(name)
    }

    fn has_attribute(&self, module: &str, attribute: &str) -> bool {
        let path = format!("{module}.{attribute}");
        lookup(&path).is_some() || all_names().any(|name| name.starts_with(&format!("{path}.")))
    }

    fn builtins(&self) -> Vec<&str> {
        all_names().filter(|name| !name.contains('.')).collect()
    }

    fn modules(&self) -> Vec<&str> {
        self.modules.iter().copied().collect()
    }

    fn attributes(&self, module: &str) -> Vec<&str> {
        let attributes = all_names().filter_map(|name| name.split_once('.'));
        attributes.filter(|(owner, _)| *owner == module).map(|(_, attribute)| attribute).collect()
    }
}
