//! Classes: the built-in ones, Python's exceptions, and those that a program declares or that arrive with a value.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use waymark_ir::{TypeDescriptor, exceptions};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// `(constant, full name, name in messages)`; the position is the id.
macro_rules! builtin_types {
    ($($constant:ident $name:literal $shown:literal,)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Order { $($constant,)* COUNT }
        impl TypeId { $(pub const $constant: TypeId = TypeId(Order::$constant as u32);)* }
        const BUILTIN: &[(&str, &str)] = &[$(($name, $shown),)*];
        const BUILTIN_COUNT: u32 = Order::COUNT as u32;
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
}

/// Constants for the exceptions that the runner itself raises; the position in [`exceptions::HIERARCHY`] is the id.
macro_rules! exception_types {
    ($($constant:ident $name:literal,)*) => {
        impl TypeId { $(pub const $constant: TypeId = TypeId(BUILTIN_COUNT + hierarchy_position($name));)* }
    };
}

exception_types! {
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
#[derive(Clone, Debug)]
pub struct TypeInfo {
    /// Import path or dotted name: `app.models:User`, `datetime.date`, `int`.
    pub name: Arc<str>,
    /// As error messages show it.
    pub shown: Arc<str>,
    /// Method resolution order, itself first.
    pub mro: Vec<TypeId>,
    /// For classes of the program.
    pub descriptor: Option<Arc<TypeDescriptor>>,
}

impl TypeInfo {
    /// `__name__`
    pub fn short_name(&self) -> &str {
        let name: &str = &self.name;
        name.rsplit([':', '.']).next().unwrap_or(name)
    }
}

/// All classes that an instance knows. Ids of built-in classes are the same everywhere; others are an instance's own.
#[derive(Clone, Debug)]
pub struct Types {
    infos: Vec<TypeInfo>,
    by_name: FxHashMap<Arc<str>, TypeId>,
}

impl Default for Types {
    fn default() -> Types {
        Types::new()
    }
}

impl Types {
    pub fn new() -> Types {
        let mut types = Types { infos: Vec::new(), by_name: FxHashMap::default() };
        for (name, shown) in BUILTIN {
            let bases: &[TypeId] = match *name {
                "object" => &[],
                "bool" => &[TypeId::INT],
                "datetime.datetime" => &[TypeId::DATE],
                "datetime.timezone" | "zoneinfo.ZoneInfo" => &[TypeId::TZINFO],
                "asyncio.Task" => &[TypeId::FUTURE],
                _ => &[TypeId::OBJECT],
            };
            types.add(name, shown, bases, None);
        }
        for (name, base) in exceptions::HIERARCHY {
            let mut bases = vec![types.find(base).unwrap_or(TypeId::OBJECT)];
            if *name == "ExceptionGroup" {
                bases.insert(0, TypeId::BASE_EXCEPTION_GROUP);
            }
            let shown = name.rsplit('.').next().unwrap_or(name);
            types.add(name, shown, &bases, None);
        }
        types
    }

    /// How many classes every instance has in common.
    pub fn builtin_count() -> usize {
        BUILTIN.len() + exceptions::HIERARCHY.len()
    }

    pub fn len(&self) -> usize {
        self.infos.len()
    }

    pub fn is_empty(&self) -> bool {
        self.infos.is_empty()
    }

    pub fn find(&self, name: &str) -> Option<TypeId> {
        self.by_name.get(name).copied()
    }

    pub fn get(&self, id: TypeId) -> &TypeInfo {
        &self.infos[id.0 as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &TypeInfo)> {
        self.infos.iter().enumerate().map(|(at, info)| (TypeId(at as u32), info))
    }

    /// `issubclass`
    pub fn is_subtype(&self, id: TypeId, of: TypeId) -> bool {
        id == of || self.get(id).mro.contains(&of)
    }

    pub fn is_exception(&self, id: TypeId) -> bool {
        self.is_subtype(id, TypeId::BASE_EXCEPTION)
    }

    /// Adds a class after its bases. A name that is known keeps its id.
    pub fn add(
        &mut self,
        name: &str,
        shown: &str,
        bases: &[TypeId],
        descriptor: Option<Arc<TypeDescriptor>>,
    ) -> TypeId {
        if let Some(known) = self.find(name) {
            return known;
        }
        let id = TypeId(self.infos.len() as u32);
        let mut mro = vec![id];
        for base in linearise(bases.iter().map(|base| self.get(*base).mro.clone()).collect(), bases) {
            if !mro.contains(&base) {
                mro.push(base);
            }
        }
        let name: Arc<str> = name.into();
        self.by_name.insert(name.clone(), id);
        self.infos.push(TypeInfo { name, shown: shown.into(), mro, descriptor });
        id
    }

    /// Makes sure that a class which arrived with a value is known; `bases` are all its ancestors, nearest first.
    pub fn learn(&mut self, name: &str, bases: &[String]) -> TypeId {
        if let Some(known) = self.find(name) {
            return known;
        }
        let mut base = TypeId::OBJECT;
        for at in (0..bases.len()).rev() {
            let known = self.find(&bases[at]);
            base = known.unwrap_or_else(|| {
                let shown = bases[at].rsplit([':', '.']).next().unwrap_or_default().to_string();
                self.add(&bases[at], &shown, &[base], None)
            });
        }
        let shown = name.rsplit([':', '.']).next().unwrap_or(name).to_string();
        let mut ancestors = vec![base];
        for other in bases.iter().filter_map(|name| self.find(name)) {
            if !self.is_subtype(base, other) {
                ancestors.push(other);
            }
        }
        self.add(name, &shown, &ancestors, None)
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
