//! The kinds of objects on the heap.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::heap::{Dict, Id, Set};
use crate::types::TypeId;
use crate::value::Value;

#[derive(Debug, Serialize, Deserialize)]
pub enum Object {
    List(List),
    Tuple(Box<[Value]>),
    Dict(Dict),
    Set(Set),
    Range(Range),
    /// start, stop, step
    Slice(Box<[Value; 3]>),
    View {
        dict: Id,
        kind: ViewKind,
    },
    /// An instance of a user's class, or of a class of the runner's own prelude.
    Instance(Box<Instance>),
    Exception(Box<Exception>),
    Iterator(Box<Iterator>),
    Function(Box<FunctionObject>),
    /// A method of a built-in type, taken as a value: `append = items.append`.
    Method {
        receiver: Value,
        name: Arc<str>,
    },
    /// A function bound to its first argument.
    Bound {
        receiver: Value,
        function: Value,
    },
    /// A variable shared between a function and the functions inside it.
    Cell(Value),
    Coroutine(Box<Coroutine>),
    /// A future, a task, or a gather.
    Future(Box<Future>),
}

#[derive(Debug, Serialize, Deserialize)]
pub struct List {
    pub items: Vec<Value>,
    /// Whether more than one place may refer to the list. Only one that `x = x + […]` has made, and that `x` alone was
    /// given since, is known not to be; then the next `x = x + […]` appends in place.
    pub shared: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    pub start: i64,
    pub stop: i64,
    pub step: i64,
}

impl Range {
    pub fn len(&self) -> usize {
        let (start, stop, step) = (i128::from(self.start), i128::from(self.stop), i128::from(self.step));
        let span = if step > 0 { stop - start } else { start - stop };
        if span <= 0 { 0 } else { ((span - 1) / step.abs() + 1) as usize }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The item at a position inside the range.
    pub fn item(&self, at: usize) -> i64 {
        (i128::from(self.start) + i128::from(self.step) * at as i128) as i64
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ViewKind {
    Keys,
    Values,
    Items,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Instance {
    pub class: TypeId,
    /// By name, in order of first assignment.
    pub fields: Dict,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Exception {
    pub class: TypeId,
    pub args: Vec<Value>,
    /// Attributes beyond `args`.
    pub fields: Dict,
    /// What `str()` gives where the class does not leave it to `args`.
    pub message: Option<Arc<str>>,
    pub cause: Value,
    pub context: Value,
    pub suppress_context: bool,
    pub notes: Vec<Arc<str>>,
    /// Outermost call first, as rendered lines.
    pub traceback: Vec<Arc<str>>,
    /// Attributes that Python keeps outside `__dict__`: they are not copied when the exception travels.
    pub hidden: Dict,
}

impl Exception {
    pub fn new(class: TypeId, args: Vec<Value>) -> Exception {
        Exception {
            class,
            args,
            fields: Dict::default(),
            message: None,
            cause: Value::None,
            context: Value::None,
            suppress_context: false,
            notes: Vec::new(),
            traceback: Vec::new(),
            hidden: Dict::default(),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub enum Iterator {
    /// Over a list, tuple, str, bytes or range. `at` is an index; for a str, a byte offset.
    Sequence {
        source: Value,
        at: usize,
    },
    /// From the end; `left` items (for a str: bytes) are still to come.
    Reversed {
        source: Value,
        left: usize,
    },
    Dict {
        dict: Id,
        kind: ViewKind,
        at: usize,
        expected: usize,
    },
    /// Keys from the last to the first, taken when the iterator was made.
    Items {
        items: Vec<Value>,
        at: usize,
    },
    Set {
        set: Id,
        at: usize,
        expected: usize,
    },
    Enumerate {
        inner: Value,
        next: i64,
    },
    Zip {
        inner: Vec<Value>,
        strict: bool,
    },
    Map {
        function: Value,
        inner: Vec<Value>,
    },
    Filter {
        function: Value,
        inner: Value,
    },
    /// A generator that has not finished. Taken out while it runs.
    Generator(Option<Box<Frame>>),
    GeneratorDone,
    Exhausted,
    /// An object of a user's class that is its own iterator: a worker is asked for each item.
    Foreign(Value),
    /// An asynchronous generator that has not finished. Taken out while it runs, or waits for something.
    AsyncGenerator(Option<Box<Frame>>),
    AsyncGeneratorDone,
}

/// A function of the program as a value: which one, its defaults and the variables that it captured.
#[derive(Debug, Serialize, Deserialize)]
pub struct FunctionObject {
    pub function: u32,
    /// One a parameter; `Unbound` where there is none.
    pub defaults: Vec<Value>,
    /// References to cells.
    pub cells: Vec<Value>,
}

/// One activation of a function: its own position, variables and operands.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Frame {
    pub function: u32,
    /// Next instruction.
    pub position: u32,
    pub locals: Vec<Value>,
    pub operands: Vec<Value>,
    /// Exceptions being handled, innermost last.
    pub handling: Vec<Value>,
    /// The generator whose frame this is.
    pub generator: Option<Id>,
}

#[derive(Debug, Serialize, Deserialize)]
pub enum Activation {
    Frame(Frame),
    Driver(Box<Driver>),
}

/// A built-in that calls back into the program (`sorted(key=…)`, `any(generator)`), as a resumable step machine.
#[derive(Debug, Serialize, Deserialize)]
pub struct Driver {
    pub kind: DriverKind,
    pub function: Value,
    /// What is read, one item at a time.
    pub source: Value,
    /// What has been gathered so far.
    pub items: Vec<Value>,
    pub keys: Vec<Value>,
    /// Where it stands, or which operand of the caller it works on.
    pub at: usize,
    /// `reverse`, `strict`, or the sense of a test.
    pub flag: bool,
    /// The next delivery is what `function` gave, not an item.
    pub calling: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DriverKind {
    /// Reads a lazy operand of the caller to its end; the caller then repeats its instruction with a list in its place.
    Drain,
    Sorted,
    SortInPlace,
    Min,
    Max,
    Any,
    All,
    Contains,
    Reduce,
    /// `next(iterator, default)`
    Next,
    /// `generator.close()`
    Close,
    /// One item of a lazy iterator of that kind.
    Zip,
    Enumerate,
    Map,
    Filter,
    /// A step of an asynchronous generator.
    Step,
    /// `aclose()` of one.
    CloseAsync,
    /// One item of an asynchronous iterator, for a comprehension.
    NextAsync,
}

#[derive(Debug, Serialize, Deserialize)]
pub enum Coroutine {
    /// A durable function with its arguments bound, not yet started.
    Function(Frame),
    Action(Box<ActionRequest>),
    Sleep {
        seconds: f64,
        result: Value,
    },
    /// It was awaited, or made a task.
    Consumed,
    /// A step of an asynchronous generator: `__anext__`, `asend`, `athrow` or `aclose`, with its argument.
    Step {
        generator: Id,
        method: Arc<str>,
        value: Value,
    },
}

/// A call of an action or of a child workflow, ready to be dispatched.
#[derive(Debug, Serialize, Deserialize)]
pub struct ActionRequest {
    pub name: Arc<str>,
    pub is_workflow: bool,
    pub positional: Vec<Value>,
    pub keyword: Vec<(Arc<str>, Value)>,
    pub policy: Arc<Policy>,
    /// The call's place in the program, for messages and pictures.
    pub function: u32,
    pub node: u32,
    #[serde(default)]
    pub child: Option<Arc<crate::instance::ChildOptions>>,
}

/// A [`waymark_ir::Policy`] with its expressions evaluated. Times are microseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Policy {
    pub attempts_max: u32,
    /// Names of classes; empty: every `Exception`.
    pub retry_on: Vec<Arc<str>>,
    pub retry_timeouts: bool,
    pub backoff_us: i64,
    pub factor: f64,
    pub delay_max_us: Option<i64>,
    pub jitter: f64,
    pub timeout_us: Option<i64>,
    pub grace_us: Option<i64>,
    pub queue: Option<Arc<str>>,
    /// Its outcome is a row of the database that its work is in.
    #[serde(default)]
    pub transaction: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Future {
    pub state: FutureState,
    pub callbacks: Vec<Callback>,
    pub task: Option<Box<Task>>,
    pub gather: Option<Box<Gather>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum FutureState {
    Pending,
    Done(Value),
    Failed(Id),
    /// With the exception that was raised where it was cancelled, if any.
    Cancelled(Option<Id>),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Callback {
    /// Resume a task.
    Wake(Id),
    /// Count down a gather.
    Gathered { outer: Id, index: u32 },
    /// Call a function with the future.
    Call(Value),
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Task {
    /// In order of creation, from 1.
    pub ordinal: u64,
    /// Callers first. Empty for a task that is just one action.
    pub stack: Vec<Activation>,
    /// What it awaits at its first step.
    pub start: Value,
    pub waiting: Waiting,
    /// Cancel at the next step.
    pub must_cancel: bool,
    /// How many requests to cancel are open.
    pub cancelling: u32,
    pub cancel_message: Value,
    pub name: Arc<str>,
    /// A callback of the loop, not a task that a program can see.
    pub internal: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Waiting {
    /// In the ready queue, running, or finished.
    Nothing,
    Future(Id),
    /// An execution, by ordinal.
    Execution(u64),
    /// Until a fragment is evaluated; nothing else of the instance moves.
    Fragment(u64),
    /// Asleep: the timer, and what the sleep gives.
    Timer {
        deadline_us: i64,
        ordinal: u64,
        result: Value,
    },
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Gather {
    pub children: Vec<Id>,
    pub missing: usize,
    pub return_exceptions: bool,
    pub cancel_requested: bool,
}

impl Object {
    pub fn list(items: Vec<Value>) -> Object {
        Object::List(List { items, shared: true })
    }

    pub fn type_id(&self) -> TypeId {
        match self {
            Object::List(_) => TypeId::LIST,
            Object::Tuple(_) => TypeId::TUPLE,
            Object::Dict(_) => TypeId::DICT,
            Object::Set(set) if set.frozen => TypeId::FROZENSET,
            Object::Set(_) => TypeId::SET,
            Object::Range(_) => TypeId::RANGE,
            Object::Slice(_) => TypeId::SLICE,
            Object::View { kind: ViewKind::Keys, .. } => TypeId::DICT_KEYS,
            Object::View { kind: ViewKind::Values, .. } => TypeId::DICT_VALUES,
            Object::View { kind: ViewKind::Items, .. } => TypeId::DICT_ITEMS,
            Object::Instance(instance) => instance.class,
            Object::Exception(exception) => exception.class,
            Object::Iterator(iterator) => match **iterator {
                Iterator::Enumerate { .. } => TypeId::ENUMERATE,
                Iterator::Zip { .. } => TypeId::ZIP,
                Iterator::Map { .. } => TypeId::MAP,
                Iterator::Filter { .. } => TypeId::FILTER,
                Iterator::Generator(_) | Iterator::GeneratorDone => TypeId::GENERATOR,
                Iterator::AsyncGenerator(_) | Iterator::AsyncGeneratorDone => TypeId::ASYNC_GENERATOR,
                _ => TypeId::ITERATOR,
            },
            Object::Function(_) => TypeId::FUNCTION,
            Object::Method { .. } => TypeId::BUILTIN_FUNCTION,
            Object::Bound { .. } => TypeId::METHOD,
            Object::Cell(_) => TypeId::OBJECT,
            Object::Coroutine(_) => TypeId::COROUTINE,
            Object::Future(future) if future.task.is_some() => TypeId::TASK,
            Object::Future(_) => TypeId::FUTURE,
        }
    }

    /// Bytes, roughly.
    pub fn weight(&self) -> usize {
        const BASE: usize = 64;
        match self {
            Object::List(list) => BASE + weigh(&list.items),
            Object::Tuple(items) => BASE + weigh(items),
            Object::Dict(dict) => BASE + weigh_dict(dict),
            Object::Set(set) => BASE + set.iter().map(|value| 64 + weigh_one(value)).sum::<usize>(),
            Object::Instance(instance) => BASE + weigh_dict(&instance.fields),
            Object::Exception(exception) => BASE + weigh(&exception.args) + weigh_dict(&exception.fields),
            Object::Cell(value) => BASE + weigh_one(value),
            Object::Iterator(iterator) => match &**iterator {
                Iterator::Items { items, .. } => BASE + weigh(items),
                Iterator::Generator(Some(frame)) | Iterator::AsyncGenerator(Some(frame)) => {
                    BASE + weigh(&frame.locals) + weigh(&frame.operands)
                }
                _ => BASE,
            },
            Object::Future(future) => match (&future.state, &future.task) {
                (FutureState::Done(value), _) => BASE * 2 + weigh_one(value),
                (_, Some(task)) => {
                    let frames = task.stack.iter().map(|activation| match activation {
                        Activation::Frame(frame) => weigh(&frame.locals) + weigh(&frame.operands),
                        Activation::Driver(driver) => weigh(&driver.items) + weigh(&driver.keys),
                    });
                    BASE * 4 + frames.sum::<usize>()
                }
                _ => BASE * 2,
            },
            _ => BASE,
        }
    }

    /// Visits every reference that the object holds, to follow it or to change it. Keys of dicts follow their values.
    pub fn trace(&mut self, visit: &mut dyn FnMut(&mut Id)) {
        match self {
            Object::List(list) => all(&mut list.items, visit),
            Object::Tuple(items) => all(items, visit),
            Object::Dict(dict) => dict.trace(visit),
            Object::Set(set) => set.trace(visit),
            Object::Range(_) => {}
            Object::Slice(parts) => all(&mut parts[..], visit),
            Object::View { dict, .. } => visit(dict),
            Object::Instance(instance) => instance.fields.trace(visit),
            Object::Exception(exception) => {
                all(&mut exception.args, visit);
                exception.fields.trace(visit);
                exception.hidden.trace(visit);
                one(&mut exception.cause, visit);
                one(&mut exception.context, visit);
            }
            Object::Iterator(iterator) => iterator.trace(visit),
            Object::Function(function) => {
                all(&mut function.defaults, visit);
                all(&mut function.cells, visit);
            }
            Object::Method { receiver, .. } => one(receiver, visit),
            Object::Bound { receiver, function } => {
                one(receiver, visit);
                one(function, visit);
            }
            Object::Cell(value) => one(value, visit),
            Object::Coroutine(coroutine) => match &mut **coroutine {
                Coroutine::Function(frame) => frame.trace(visit),
                Coroutine::Action(request) => {
                    all(&mut request.positional, visit);
                    request.keyword.iter_mut().for_each(|(_, value)| one(value, visit));
                }
                Coroutine::Sleep { result, .. } => one(result, visit),
                Coroutine::Step { generator, value, .. } => {
                    visit(generator);
                    one(value, visit);
                }
                Coroutine::Consumed => {}
            },
            Object::Future(future) => future.trace(visit),
        }
    }
}

fn weigh_one(value: &Value) -> usize {
    let beyond = match value {
        Value::Str(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::Big(number) => number.bits() as usize / 8,
        _ => 0,
    };
    24 + beyond
}

fn weigh(values: &[Value]) -> usize {
    values.iter().map(weigh_one).sum()
}

fn weigh_dict(dict: &Dict) -> usize {
    dict.iter().map(|(name, value)| 64 + weigh_one(name) + weigh_one(value)).sum()
}

pub(crate) fn one(value: &mut Value, visit: &mut dyn FnMut(&mut Id)) {
    if let Value::Ref(id) = value {
        visit(id);
    }
}

pub(crate) fn all(values: &mut [Value], visit: &mut dyn FnMut(&mut Id)) {
    values.iter_mut().for_each(|value| one(value, visit));
}

impl Iterator {
    fn trace(&mut self, visit: &mut dyn FnMut(&mut Id)) {
        match self {
            Iterator::Sequence { source, .. } | Iterator::Reversed { source, .. } => one(source, visit),
            Iterator::Dict { dict: id, .. } | Iterator::Set { set: id, .. } => visit(id),
            Iterator::Items { items, .. } => all(items, visit),
            Iterator::Enumerate { inner, .. } => one(inner, visit),
            Iterator::Zip { inner, .. } => all(inner, visit),
            Iterator::Map { function, inner } => {
                one(function, visit);
                all(inner, visit);
            }
            Iterator::Filter { function, inner } => {
                one(function, visit);
                one(inner, visit);
            }
            Iterator::Generator(frame) | Iterator::AsyncGenerator(frame) => {
                frame.iter_mut().for_each(|frame| frame.trace(visit))
            }
            Iterator::Foreign(inner) => one(inner, visit),
            Iterator::GeneratorDone | Iterator::AsyncGeneratorDone | Iterator::Exhausted => {}
        }
    }
}

impl Frame {
    pub fn trace(&mut self, visit: &mut dyn FnMut(&mut Id)) {
        all(&mut self.locals, visit);
        all(&mut self.operands, visit);
        all(&mut self.handling, visit);
        self.generator.iter_mut().for_each(visit);
    }
}

impl Activation {
    pub fn trace(&mut self, visit: &mut dyn FnMut(&mut Id)) {
        match self {
            Activation::Frame(frame) => frame.trace(visit),
            Activation::Driver(driver) => {
                one(&mut driver.function, visit);
                one(&mut driver.source, visit);
                all(&mut driver.items, visit);
                all(&mut driver.keys, visit);
            }
        }
    }
}

impl Future {
    pub fn new() -> Future {
        Future { state: FutureState::Pending, callbacks: Vec::new(), task: None, gather: None }
    }

    pub fn is_done(&self) -> bool {
        !matches!(self.state, FutureState::Pending)
    }

    fn trace(&mut self, visit: &mut dyn FnMut(&mut Id)) {
        match &mut self.state {
            FutureState::Done(value) => one(value, visit),
            FutureState::Failed(id) | FutureState::Cancelled(Some(id)) => visit(id),
            FutureState::Pending | FutureState::Cancelled(None) => {}
        }
        for callback in &mut self.callbacks {
            match callback {
                Callback::Wake(id) | Callback::Gathered { outer: id, .. } => visit(id),
                Callback::Call(function) => one(function, visit),
            }
        }
        if let Some(task) = &mut self.task {
            task.stack.iter_mut().for_each(|activation| activation.trace(visit));
            one(&mut task.start, visit);
            one(&mut task.cancel_message, visit);
            match &mut task.waiting {
                Waiting::Future(id) => visit(id),
                Waiting::Timer { result, .. } => one(result, visit),
                Waiting::Nothing | Waiting::Execution(_) | Waiting::Fragment(_) => {}
            }
        }
        if let Some(gather) = &mut self.gather {
            gather.children.iter_mut().for_each(visit);
        }
    }
}

impl Default for Future {
    fn default() -> Future {
        Future::new()
    }
}
