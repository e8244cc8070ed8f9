//! The kinds of objects on the heap.

use std::sync::Arc;

use crate::heap::{Dict, Id, Set};
use crate::types::TypeId;
use crate::value::Value;

#[derive(Debug)]
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

#[derive(Debug, Default)]
pub struct List {
    pub items: Vec<Value>,
    /// Set once a second place may refer to the list; `x = x + […]` appends in place while it is not.
    pub shared: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewKind {
    Keys,
    Values,
    Items,
}

#[derive(Debug)]
pub struct Instance {
    pub class: TypeId,
    /// By name, in order of first assignment.
    pub fields: Dict,
}

#[derive(Debug)]
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
        }
    }
}

#[derive(Debug)]
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
    Exhausted,
}

/// A function of the program as a value: which one, its defaults and the variables that it captured.
#[derive(Debug)]
pub struct FunctionObject {
    pub function: u32,
    /// One a parameter; `Unbound` where there is none.
    pub defaults: Vec<Value>,
    /// References to cells.
    pub cells: Vec<Value>,
}

/// One activation of a function: its own position, variables and operands.
#[derive(Debug, Default)]
pub struct Frame {
    pub function: u32,
    /// Next instruction.
    pub position: u32,
    pub locals: Vec<Value>,
    pub operands: Vec<Value>,
    /// Exceptions being handled, innermost last.
    pub handling: Vec<Value>,
}

#[derive(Debug)]
pub enum Activation {
    Frame(Frame),
    Driver(Box<Driver>),
}

/// A built-in that calls back into the program (`sorted(key=…)`, `any(generator)`), as a resumable step machine.
#[derive(Debug)]
pub struct Driver {
    pub kind: DriverKind,
    pub function: Value,
    pub source: Value,
    /// What has been gathered so far.
    pub items: Vec<Value>,
    pub keys: Vec<Value>,
    /// The call to make once all arguments are plain: the callee, then its arguments.
    pub call: Vec<Value>,
    pub names: Vec<Arc<str>>,
    pub at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriverKind {
    /// Reads a lazy argument to its end, then makes the call.
    Drain,
    Sorted,
    SortInPlace,
    Min,
    Max,
    Any,
    All,
    Sum,
    /// One step of a lazy iterator.
    Next,
    Zip,
    Enumerate,
    Map,
    Filter,
    Reduce,
    /// Advances a generator: its value goes to the caller, its end is the end of the iteration.
    Generator,
}

#[derive(Debug)]
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
}

/// A call of an action or of a child workflow, ready to be dispatched.
#[derive(Debug)]
pub struct ActionRequest {
    pub name: Arc<str>,
    pub is_workflow: bool,
    pub positional: Vec<Value>,
    pub keyword: Vec<(Arc<str>, Value)>,
    pub policy: Arc<Policy>,
    /// The call's place in the program, for messages and pictures.
    pub function: u32,
    pub node: u32,
}

/// A [`waymark_ir::Policy`] with its expressions evaluated. Times are microseconds.
#[derive(Clone, Debug, PartialEq)]
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
}

#[derive(Debug)]
pub struct Future {
    pub state: FutureState,
    pub callbacks: Vec<Callback>,
    pub task: Option<Box<Task>>,
    pub gather: Option<Box<Gather>>,
}

#[derive(Clone, Debug)]
pub enum FutureState {
    Pending,
    Done(Value),
    Failed(Id),
    /// With the exception that was raised where it was cancelled, if any.
    Cancelled(Option<Id>),
}

#[derive(Clone, Debug)]
pub enum Callback {
    /// Resume a task.
    Wake(Id),
    /// Count down a gather.
    Gathered { outer: Id, index: u32 },
    /// Call a function with the future.
    Call(Value),
}

#[derive(Debug)]
pub struct Task {
    /// Callers first. Empty for a task that is just one action.
    pub stack: Vec<Activation>,
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

#[derive(Clone, Debug)]
pub enum Waiting {
    /// In the ready queue, running, or finished.
    Nothing,
    Future(Id),
    /// An execution, by ordinal.
    Execution(u64),
    /// Until a fragment is evaluated; nothing else of the instance moves.
    Fragment(u64),
    /// Asleep, with the timer's ordinal and what the sleep gives.
    Timer(u64, Value),
}

#[derive(Debug)]
pub struct Gather {
    pub children: Vec<Id>,
    pub missing: usize,
    pub return_exceptions: bool,
    pub cancel_requested: bool,
}

impl Object {
    pub fn list(items: Vec<Value>) -> Object {
        Object::List(List { items, shared: false })
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
                Iterator::Generator(_) => TypeId::GENERATOR,
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

    /// Visits every value that the object refers to directly.
    pub fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        match self {
            Object::List(list) => list.items.iter().for_each(visit),
            Object::Tuple(items) => items.iter().for_each(visit),
            Object::Dict(dict) => trace_dict(dict, visit),
            Object::Set(set) => set.iter().for_each(visit),
            Object::Range(_) => {}
            Object::Slice(parts) => parts.iter().for_each(visit),
            Object::View { dict, .. } => visit(&Value::Ref(*dict)),
            Object::Instance(instance) => trace_dict(&instance.fields, visit),
            Object::Exception(exception) => {
                exception.args.iter().for_each(&mut *visit);
                trace_dict(&exception.fields, visit);
                visit(&exception.cause);
                visit(&exception.context);
            }
            Object::Iterator(iterator) => match &**iterator {
                Iterator::Sequence { source, .. } | Iterator::Reversed { source, .. } => visit(source),
                Iterator::Dict { dict: id, .. } | Iterator::Set { set: id, .. } => visit(&Value::Ref(*id)),
                Iterator::Items { items, .. } => items.iter().for_each(visit),
                Iterator::Enumerate { inner, .. } => visit(inner),
                Iterator::Zip { inner, .. } => inner.iter().for_each(visit),
                Iterator::Map { function, inner } => {
                    visit(function);
                    inner.iter().for_each(visit);
                }
                Iterator::Filter { function, inner } => {
                    visit(function);
                    visit(inner);
                }
                Iterator::Generator(frame) => {
                    if let Some(frame) = frame {
                        frame.trace(visit);
                    }
                }
                Iterator::Exhausted => {}
            },
            Object::Function(function) => {
                function.defaults.iter().for_each(&mut *visit);
                function.cells.iter().for_each(visit);
            }
            Object::Method { receiver, .. } => visit(receiver),
            Object::Bound { receiver, function } => {
                visit(receiver);
                visit(function);
            }
            Object::Cell(value) => visit(value),
            Object::Coroutine(coroutine) => match &**coroutine {
                Coroutine::Function(frame) => frame.trace(visit),
                Coroutine::Action(request) => {
                    request.positional.iter().for_each(&mut *visit);
                    request.keyword.iter().for_each(|(_, value)| visit(value));
                }
                Coroutine::Sleep { result, .. } => visit(result),
                Coroutine::Consumed => {}
            },
            Object::Future(future) => future.trace(visit),
        }
    }
}

fn trace_dict(dict: &Dict, visit: &mut dyn FnMut(&Value)) {
    for (name, value) in dict.iter() {
        visit(name);
        visit(value);
    }
}

impl Frame {
    pub fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.locals.iter().for_each(&mut *visit);
        self.operands.iter().for_each(&mut *visit);
        self.handling.iter().for_each(visit);
    }
}

impl Driver {
    pub fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.function);
        visit(&self.source);
        self.items.iter().for_each(&mut *visit);
        self.keys.iter().for_each(&mut *visit);
        self.call.iter().for_each(visit);
    }
}

impl Future {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        match &self.state {
            FutureState::Done(value) => visit(value),
            FutureState::Failed(id) | FutureState::Cancelled(Some(id)) => visit(&Value::Ref(*id)),
            FutureState::Pending | FutureState::Cancelled(None) => {}
        }
        for callback in &self.callbacks {
            match callback {
                Callback::Wake(id) | Callback::Gathered { outer: id, .. } => visit(&Value::Ref(*id)),
                Callback::Call(function) => visit(function),
            }
        }
        if let Some(task) = &self.task {
            for activation in &task.stack {
                match activation {
                    Activation::Frame(frame) => frame.trace(visit),
                    Activation::Driver(driver) => driver.trace(visit),
                }
            }
            visit(&task.cancel_message);
            match &task.waiting {
                Waiting::Future(id) => visit(&Value::Ref(*id)),
                Waiting::Timer(_, value) => visit(value),
                Waiting::Nothing | Waiting::Execution(_) | Waiting::Fragment(_) => {}
            }
        }
        if let Some(gather) = &self.gather {
            gather.children.iter().for_each(|id| visit(&Value::Ref(*id)));
        }
    }
}
