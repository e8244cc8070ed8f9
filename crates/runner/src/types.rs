//! Classes: the built-in ones, Python's exceptions, and those that a program declares or that arrive with a value.

use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use waymark_ir::{TypeDescriptor, TypeKind, exceptions};

/// Built-in classes count from 0, exceptions from 256, a program's own from 1024. Snapshots store these numbers: the tables
/// below may only grow at their ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TypeId(pub u32);

impl TypeId {
    /// Known to every instance, as opposed to a program's own.
    pub fn is_builtin(self) -> bool {
        self.0 < OWN_START
    }

    /// A class written in the prelude; its instances are ordinary objects.
    pub fn is_prelude(self) -> bool {
        (TypeId::TIMEOUT..=TypeId::SUPPRESS).contains(&self) || matches!(self, TypeId::UPDATE | TypeId::CHILD_HANDLE)
    }
}

const EXCEPTIONS_START: u32 = 256;
const OWN_START: u32 = 1024;

/// `(constant, full name, name in messages)`; the position is the id.
macro_rules! builtin_types {
    ($($constant:ident $name:literal $shown:literal,)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Order { $($constant,)* COUNT }
        impl TypeId { $(pub const $constant: TypeId = TypeId(Order::$constant as u32);)* }
        const BUILTIN: &[(&str, &str)] = &[$(($name, $shown),)*];
        const _: () = assert!((Order::COUNT as u32) < EXCEPTIONS_START);
    };
}

builtin_types! {
    OBJECT "object" "object",
    TYPE "type" "type",
    NONE "NoneType" "NoneType",
    INT "int" "int",
    BOOL "bool" "bool",
    FLOAT "float" "float",
    STR "str" "str",
    BYTES "bytes" "bytes",
    LIST "list" "list",
    TUPLE "tuple" "tuple",
    DICT "dict" "dict",
    SET "set" "set",
    FROZENSET "frozenset" "frozenset",
    RANGE "range" "range",
    SLICE "slice" "slice",
    ELLIPSIS "ellipsis" "ellipsis",
    NOT_IMPLEMENTED "NotImplementedType" "NotImplementedType",
    FUNCTION "function" "function",
    BUILTIN_FUNCTION "builtin_function_or_method" "builtin_function_or_method",
    METHOD "method" "method",
    COROUTINE "coroutine" "coroutine",
    GENERATOR "generator" "generator",
    ITERATOR "iterator" "iterator",
    ENUMERATE "enumerate" "enumerate",
    ZIP "zip" "zip",
    MAP "map" "map",
    FILTER "filter" "filter",
    DICT_KEYS "dict_keys" "dict_keys",
    DICT_VALUES "dict_values" "dict_values",
    DICT_ITEMS "dict_items" "dict_items",
    DATE "datetime.date" "datetime.date",
    DATETIME "datetime.datetime" "datetime.datetime",
    TIME "datetime.time" "datetime.time",
    TIMEDELTA "datetime.timedelta" "datetime.timedelta",
    TZINFO "datetime.tzinfo" "datetime.tzinfo",
    TIMEZONE "datetime.timezone" "datetime.timezone",
    ZONEINFO "zoneinfo.ZoneInfo" "zoneinfo.ZoneInfo",
    DECIMAL "decimal.Decimal" "decimal.Decimal",
    UUID "uuid.UUID" "UUID",
    ENUM "enum.Enum" "Enum",
    FUTURE "asyncio.Future" "Future",
    TASK "asyncio.Task" "Task",
    TIMEOUT "asyncio.Timeout" "Timeout",
    TASK_GROUP "asyncio.TaskGroup" "TaskGroup",
    EVENT "asyncio.Event" "Event",
    LOCK "asyncio.Lock" "Lock",
    SEMAPHORE "asyncio.Semaphore" "Semaphore",
    QUEUE "asyncio.Queue" "Queue",
    TIMER_HANDLE "asyncio.TimerHandle" "TimerHandle",
    AS_COMPLETED "asyncio.AsCompleted" "AsCompleted",
    SUPPRESS "contextlib.suppress" "suppress",
    INT_ENUM "enum.IntEnum" "IntEnum",
    STR_ENUM "enum.StrEnum" "StrEnum",
    ASYNC_GENERATOR "async_generator" "async_generator",
    UPDATE "waymark.Update" "Update",
    CHILD_HANDLE "waymark.ChildHandle" "ChildHandle",
}

/// Constants for the exceptions that the runner itself raises; the position in [`exceptions::HIERARCHY`] is the id.
macro_rules! exception_types {
    ($($constant:ident $name:literal,)*) => {
        impl TypeId { $(pub const $constant: TypeId = TypeId(EXCEPTIONS_START + hierarchy_position($name));)* }
    };
}

exception_types! {
    INSTANCE_FINISHED "waymark.InstanceFinished",
    BASE_EXCEPTION "BaseException",
    EXCEPTION "Exception",
    EXCEPTION_GROUP "ExceptionGroup",
    BASE_EXCEPTION_GROUP "BaseExceptionGroup",
    GENERATOR_EXIT "GeneratorExit",
    CANCELLED_ERROR "asyncio.CancelledError",
    LIMIT_EXCEEDED "waymark.LimitExceeded",
    ARITHMETIC_ERROR "ArithmeticError",
    OVERFLOW_ERROR "OverflowError",
    ZERO_DIVISION_ERROR "ZeroDivisionError",
    INVALID_OPERATION "decimal.InvalidOperation",
    DECIMAL_DIVISION_BY_ZERO "decimal.DivisionByZero",
    DECIMAL_OVERFLOW "decimal.Overflow",
    ASSERTION_ERROR "AssertionError",
    ATTRIBUTE_ERROR "AttributeError",
    LOOKUP_ERROR "LookupError",
    INDEX_ERROR "IndexError",
    KEY_ERROR "KeyError",
    MEMORY_ERROR "MemoryError",
    NAME_ERROR "NameError",
    UNBOUND_LOCAL_ERROR "UnboundLocalError",
    OS_ERROR "OSError",
    TIMEOUT_ERROR "TimeoutError",
    RUNTIME_ERROR "RuntimeError",
    NOT_IMPLEMENTED_ERROR "NotImplementedError",
    RECURSION_ERROR "RecursionError",
    WORKER_CRASHED "waymark.WorkerCrashed",
    UNSUPPORTED "waymark.Unsupported",
    NON_RETRYABLE "waymark.NonRetryable",
    STOP_ITERATION "StopIteration",
    STOP_ASYNC_ITERATION "StopAsyncIteration",
    TYPE_ERROR "TypeError",
    VALUE_ERROR "ValueError",
    UNICODE_ERROR "UnicodeError",
    UNICODE_DECODE_ERROR "UnicodeDecodeError",
    UNICODE_ENCODE_ERROR "UnicodeEncodeError",
    JSON_DECODE_ERROR "json.JSONDecodeError",
    INVALID_STATE_ERROR "asyncio.InvalidStateError",
    ZONE_NOT_FOUND "zoneinfo.ZoneInfoNotFoundError",
    FROZEN_INSTANCE_ERROR "dataclasses.FrozenInstanceError",
}

const fn hierarchy_position(name: &str) -> u32 {
    let mut position = 0;
    while position < exceptions::HIERARCHY.len() {
        if same(exceptions::HIERARCHY[position].0, name) {
            return position as u32;
        }
        position += 1;
    }
    panic!("not in the hierarchy")
}

const fn same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// What is known of one class.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TypeInfo {
    /// Import path or dotted name: `app.models:User`, `datetime.date`, `int`.
    pub name: Arc<str>,
    /// As error messages show it.
    pub shown: Arc<str>,
    /// Method resolution order, itself first.
    pub mro: Vec<TypeId>,
    /// For classes of the program.
    #[serde(skip)]
    pub descriptor: Option<Arc<TypeDescriptor>>,
}

impl TypeInfo {
    fn new(id: TypeId, name: &str, shown: &str, bases: &[TypeId], mro_of: impl Fn(TypeId) -> Vec<TypeId>) -> TypeInfo {
        let mut mro = vec![id];
        for base in linearise(bases.iter().map(|base| mro_of(*base)).collect(), bases) {
            if !mro.contains(&base) {
                mro.push(base);
            }
        }
        TypeInfo { name: name.into(), shown: shown.into(), mro, descriptor: None }
    }

    /// `__name__`
    pub fn short_name(&self) -> &str {
        match self.name.contains('[') {
            true => &self.shown,
            false => last_part(&self.name),
        }
    }

    /// `__module__` and `__qualname__`
    pub fn module_and_path(&self) -> (&str, &str) {
        let head = self.name.find('[').map_or(&*self.name, |at| &self.name[..at]);
        match head.split_once(':').or_else(|| head.rsplit_once('.')) {
            Some((module, _)) if head.len() < self.name.len() => (module, &self.shown),
            Some((module, path)) => (module, path),
            None => ("builtins", head),
        }
    }
}

fn last_part(name: &str) -> &str {
    name.rsplit([':', '.']).next().unwrap_or(name)
}

/// What a class of the program is called: `app.models:Page[app.models:Line,int]` is `Page[Line, int]`.
fn shown_name(name: &str) -> String {
    let is_mark = |letter: char| matches!(letter, '[' | ']' | ',');
    let mut out = String::new();
    for part in name.split_inclusive(is_mark) {
        let (word, mark) = part.split_at(part.find(is_mark).unwrap_or(part.len()));
        out.push_str(last_part(word));
        out.push_str(match mark {
            "," => ", ",
            other => other,
        });
    }
    out
}

/// The classes that every instance has in common.
static COMMON: LazyLock<Common> = LazyLock::new(Common::new);

struct Common {
    builtin: Vec<TypeInfo>,
    exceptions: Vec<TypeInfo>,
    by_name: FxHashMap<Arc<str>, TypeId>,
}

impl Common {
    fn new() -> Common {
        let mut common = Common { builtin: Vec::new(), exceptions: Vec::new(), by_name: FxHashMap::default() };
        for (at, (name, shown)) in BUILTIN.iter().enumerate() {
            let bases: &[TypeId] = match *name {
                "object" => &[],
                "bool" => &[TypeId::INT],
                "datetime.datetime" => &[TypeId::DATE],
                "datetime.timezone" | "zoneinfo.ZoneInfo" => &[TypeId::TZINFO],
                "asyncio.Task" => &[TypeId::FUTURE],
                "enum.IntEnum" => &[TypeId::INT, TypeId::ENUM],
                "enum.StrEnum" => &[TypeId::STR, TypeId::ENUM],
                _ => &[TypeId::OBJECT],
            };
            let id = TypeId(at as u32);
            let info = TypeInfo::new(id, name, shown, bases, |base| common.get(base).mro.clone());
            common.builtin.push(info);
            common.by_name.insert((*name).into(), id);
        }
        for (at, (name, base)) in exceptions::HIERARCHY.iter().enumerate() {
            let mut bases = vec![common.by_name.get(*base).copied().unwrap_or(TypeId::OBJECT)];
            match *name {
                "ExceptionGroup" => bases.insert(0, TypeId::BASE_EXCEPTION_GROUP),
                "decimal.DivisionByZero" => bases.push(TypeId::ZERO_DIVISION_ERROR),
                _ => {}
            }
            let shown = name.rsplit('.').next().unwrap_or(name);
            let id = TypeId(EXCEPTIONS_START + at as u32);
            let info = TypeInfo::new(id, name, shown, &bases, |base| common.get(base).mro.clone());
            common.exceptions.push(info);
            common.by_name.insert((*name).into(), id);
        }
        common
    }

    fn get(&self, id: TypeId) -> &TypeInfo {
        match id.0 {
            at if at < EXCEPTIONS_START => &self.builtin[at as usize],
            at => &self.exceptions[(at - EXCEPTIONS_START) as usize],
        }
    }
}

/// The classes that a program declares, in its own order. Shared by all its instances.
#[derive(Debug, Default)]
pub struct DeclaredTypes {
    infos: Vec<TypeInfo>,
    by_name: FxHashMap<Arc<str>, TypeId>,
}

impl DeclaredTypes {
    /// Bases may be declared after their children; unknown ones count as `object` (the verifier refuses them).
    pub fn new(descriptors: &[TypeDescriptor]) -> DeclaredTypes {
        let types = Types::default();
        let mut done: Vec<Option<TypeInfo>> = vec![None; descriptors.len()];
        let position = |name: &str| descriptors.iter().position(|known| known.name == name);
        // Each pass settles those whose bases are settled; what is left then is cyclic.
        for pass in 0..=descriptors.len() {
            for (at, descriptor) in descriptors.iter().enumerate() {
                if done[at].is_some() {
                    continue;
                }
                let ready = descriptor.bases.iter().all(|base| position(base).is_none_or(|base| done[base].is_some()));
                if !ready && pass < descriptors.len() {
                    continue;
                }
                let id = TypeId(OWN_START + at as u32);
                let mut bases: Vec<TypeId> = Vec::new();
                for base in &descriptor.bases {
                    match position(base).filter(|base| done[*base].is_some()) {
                        Some(base) => bases.push(TypeId(OWN_START + base as u32)),
                        None => bases.extend(types.find(base)),
                    }
                }
                if bases.is_empty() {
                    bases.push(match descriptor.kind {
                        TypeKind::Exception => TypeId::EXCEPTION,
                        TypeKind::Enum(_) => TypeId::ENUM,
                        _ => TypeId::OBJECT,
                    });
                }
                let shown = shown_name(&descriptor.name);
                let mut info = TypeInfo::new(id, &descriptor.name, &shown, &bases, |base| match base.0 {
                    own if own >= OWN_START => {
                        done[(own - OWN_START) as usize].as_ref().map(|info| info.mro.clone()).unwrap_or_default()
                    }
                    _ => COMMON.get(base).mro.clone(),
                });
                info.descriptor = Some(Arc::new(descriptor.clone()));
                done[at] = Some(info);
            }
        }
        let infos: Vec<TypeInfo> = done.into_iter().flatten().collect();
        let by_name = infos.iter().enumerate().map(|(at, info)| (info.name.clone(), TypeId(OWN_START + at as u32)));
        DeclaredTypes { by_name: by_name.collect(), infos }
    }

    /// The name of one of them.
    pub(crate) fn name_of(&self, id: TypeId) -> &str {
        self.infos.get((id.0.saturating_sub(OWN_START)) as usize).map_or("", |info| &info.name)
    }

    /// By whole name, or by the part after the last `:` or `.`.
    pub fn resolve(&self, name: &str) -> Option<TypeId> {
        let whole = self.by_name.get(name).copied();
        whole.or_else(|| {
            let at = self.infos.iter().position(|info| info.short_name() == name)?;
            Some(TypeId(OWN_START + at as u32))
        })
    }
}

/// All classes that an instance knows: the common ones, the program's, and those that arrived with a value.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Types {
    #[serde(skip)]
    declared: Arc<DeclaredTypes>,
    learned: Vec<TypeInfo>,
    #[serde(skip)]
    learned_by_name: FxHashMap<Arc<str>, TypeId>,
}

impl Types {
    pub fn new(declared: Arc<DeclaredTypes>) -> Types {
        Types { declared, learned: Vec::new(), learned_by_name: FxHashMap::default() }
    }

    /// Adds a class to those of the program. Only before a value has brought one of its own.
    pub fn declare(&mut self, descriptor: TypeDescriptor) -> TypeId {
        assert!(self.learned.is_empty(), "declared classes come first");
        let known = self.declared.infos.iter().filter_map(|info| info.descriptor.as_deref().cloned());
        let mut descriptors: Vec<TypeDescriptor> = known.collect();
        descriptors.push(descriptor);
        self.declared = Arc::new(DeclaredTypes::new(&descriptors));
        TypeId(OWN_START + descriptors.len() as u32 - 1)
    }

    /// Gives classes that were read from a snapshot the program they belong to.
    pub(crate) fn attach(&mut self, declared: Arc<DeclaredTypes>) {
        let start = OWN_START + declared.infos.len() as u32;
        let names = self.learned.iter().enumerate();
        self.learned_by_name = names.map(|(at, info)| (info.name.clone(), TypeId(start + at as u32))).collect();
        self.declared = declared;
    }

    pub fn find(&self, name: &str) -> Option<TypeId> {
        let found = COMMON.by_name.get(name).or_else(|| self.declared.by_name.get(name));
        found.or_else(|| self.learned_by_name.get(name)).copied()
    }

    pub fn get(&self, id: TypeId) -> &TypeInfo {
        if id.0 < OWN_START {
            return COMMON.get(id);
        }
        let at = (id.0 - OWN_START) as usize;
        let declared = self.declared.infos.len();
        if at < declared { &self.declared.infos[at] } else { &self.learned[at - declared] }
    }

    /// Whether an id, read from outside, stands for a class here.
    pub fn is_known(&self, id: TypeId) -> bool {
        match id.0 {
            at if at < EXCEPTIONS_START => (at as usize) < COMMON.builtin.len(),
            at if at < OWN_START => ((at - EXCEPTIONS_START) as usize) < COMMON.exceptions.len(),
            at => ((at - OWN_START) as usize) < self.declared.infos.len() + self.learned.len(),
        }
    }

    /// `issubclass`
    pub fn is_subtype(&self, id: TypeId, of: TypeId) -> bool {
        id == of || self.get(id).mro.contains(&of)
    }

    /// Whether the class and all its bases are the runner's own or the program's.
    pub fn is_described(&self, id: TypeId) -> bool {
        self.get(id).mro.iter().all(|base| base.is_builtin() || self.get(*base).descriptor.is_some())
    }

    /// `__bases__`: those that are no base of another one.
    pub fn bases(&self, id: TypeId) -> Vec<TypeId> {
        let above = &self.get(id).mro[1..];
        let is_direct = |base: &TypeId| !above.iter().any(|other| other != base && self.is_subtype(*other, *base));
        above.iter().copied().filter(is_direct).collect()
    }

    pub fn is_exception(&self, id: TypeId) -> bool {
        self.is_subtype(id, TypeId::BASE_EXCEPTION)
    }

    /// Adds a class after its bases. A name that is known keeps its id.
    fn add(&mut self, name: &str, bases: &[TypeId]) -> TypeId {
        if let Some(known) = self.find(name) {
            return known;
        }
        let id = TypeId(OWN_START + (self.declared.infos.len() + self.learned.len()) as u32);
        let shown = shown_name(name);
        let info = TypeInfo::new(id, name, &shown, bases, |base| self.get(base).mro.clone());
        self.learned_by_name.insert(info.name.clone(), id);
        self.learned.push(info);
        id
    }

    /// Makes sure that a class which arrived with a value is known; `bases` are all its ancestors, nearest first.
    pub fn learn(&mut self, name: &str, bases: &[String]) -> TypeId {
        let known = self.find(name);
        if bases.is_empty() || known.is_some_and(|known| !self.is_guess(known, bases)) {
            return known.unwrap_or_else(|| self.add(name, &[TypeId::OBJECT]));
        }
        // Of an ancestor that nobody has told of it is only known that it is an exception too. Which of the others stand above it shows when
        // one of its own arrives.
        let root =
            if bases.iter().any(|base| base == "Exception") { TypeId::EXCEPTION } else { TypeId::BASE_EXCEPTION };
        let root = if bases.iter().any(|base| base == "BaseException") { root } else { TypeId::OBJECT };
        let mut ancestors = Vec::with_capacity(bases.len() + 1);
        for base in bases {
            let id = self.find(base).unwrap_or_else(|| self.add(base, &[root]));
            if !ancestors.contains(&id) {
                ancestors.push(id);
            }
        }
        if !ancestors.contains(&TypeId::OBJECT) {
            ancestors.push(TypeId::OBJECT);
        }
        let id = known.unwrap_or_else(|| self.add(name, &[root]));
        let at = (id.0 - OWN_START) as usize - self.declared.infos.len();
        self.learned[at].mro = std::iter::once(id).chain(ancestors).collect();
        id
    }

    /// Whether a class was only heard of, and less is known of its ancestors than these.
    fn is_guess(&self, id: TypeId, bases: &[String]) -> bool {
        let is_learned = id.0 as usize >= OWN_START as usize + self.declared.infos.len();
        is_learned && self.get(id).mro.len() < bases.len() + 1
    }
}

/// C3: the order in which Python looks classes up. Bases that admit no order fall back to depth first.
fn linearise(mut lists: Vec<Vec<TypeId>>, bases: &[TypeId]) -> Vec<TypeId> {
    lists.push(bases.to_vec());
    let mut order = Vec::new();
    loop {
        lists.retain(|list| !list.is_empty());
        if lists.is_empty() {
            return order;
        }
        let head = lists
            .iter()
            .map(|list| list[0])
            .find(|candidate| lists.iter().all(|list| !list[1..].contains(candidate)))
            .unwrap_or(lists[0][0]);
        order.push(head);
        for list in &mut lists {
            list.retain(|id| *id != head);
        }
    }
}

pub(crate) fn builtin_names() -> impl Iterator<Item = &'static str> {
    BUILTIN.iter().map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `class A(Exception)`, `class B(A, KeyError)`: what is told of B says nothing of what is above A.
    #[test]
    fn an_ancestor_does_not_inherit_from_its_neighbours() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect::<Vec<String>>();
        let above_b = names(&["app:A", "KeyError", "LookupError", "Exception", "BaseException"]);
        let above_a = names(&["Exception", "BaseException"]);
        let key_error = Types::default().find("KeyError").expect("a class");
        for b_is_first in [true, false] {
            let mut types = Types::default();
            if !b_is_first {
                types.learn("app:A", &above_a);
            }
            let b = types.learn("app:B", &above_b);
            let a = types.learn("app:A", &above_a);
            assert!(types.is_subtype(b, a) && types.is_subtype(b, key_error) && types.is_subtype(b, TypeId::EXCEPTION));
            assert!(!types.is_subtype(a, key_error) && types.is_subtype(a, TypeId::EXCEPTION));
        }
        // What was only heard of first is known in full once it has come itself.
        let mut types = Types::default();
        types.learn("app:C", &names(&["app:B", "Exception", "BaseException"]));
        let b = types.learn("app:B", &above_b);
        assert!(types.is_subtype(b, key_error));
    }
}
