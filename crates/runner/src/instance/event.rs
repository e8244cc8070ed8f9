//! What goes into an instance and what comes out.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use waymark_ir::{ExceptionValue, Value};

use crate::context::LogLine;

/// A fact that moved an instance. Logged before anything that depends on it happens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// The first event. Inputs by parameter name.
    Started {
        #[serde(with = "crate::snapshot::outside_inputs")]
        inputs: Vec<(String, Value)>,
    },
    /// An attempt of an action, or a child workflow, has an outcome.
    Settled {
        ordinal: u64,
        attempt: u32,
        outcome: Outcome,
    },
    /// A fragment was evaluated.
    FragmentSettled {
        ordinal: u64,
        attempt: u32,
        outcome: FragmentOutcome,
    },
    /// Time has come for the deadlines up to the event's time.
    DeadlineReached,
    Signal {
        name: String,
        #[serde(with = "crate::snapshot::outside")]
        payload: Value,
        /// The sender's: another signal with it changes nothing.
        #[serde(default)]
        id: Option<String>,
    },
    /// Asks the program to end: it sees `CancelledError`, its `finally` blocks run.
    Cancel {
        reason: Option<String>,
    },
    /// Nothing moves until [`Event::Resume`]; what settles meanwhile is kept.
    Pause,
    Resume,
    /// When it must have finished: then it is cancelled, and fails as timed out.
    Deadline {
        at_us: i64,
    },
    /// It was asked to end: after this time it is ended, whatever it does.
    TerminateAfter {
        after_us: i64,
        #[serde(default)]
        reason: Option<String>,
    },
    /// A signal whose sender waits for an [`Effect::Reply`].
    Update {
        name: String,
        #[serde(with = "crate::snapshot::outside")]
        payload: Value,
        id: String,
    },
}

/// These bytes are no event.
#[derive(Debug, thiserror::Error)]
#[error("this is no event of an instance: {0}")]
pub struct EventError(String);

impl Event {
    /// As the log stores it: MessagePack, under the rules of evolution of [`crate::snapshot`].
    pub fn encode(&self) -> Vec<u8> {
        rmp_serde::to_vec(self).expect("an event can be written")
    }

    pub fn decode(bytes: &[u8]) -> Result<Event, EventError> {
        rmp_serde::from_slice(bytes).map_err(|error| EventError(error.to_string()))
    }

    /// A short name, for people.
    pub fn kind(&self) -> &'static str {
        match self {
            Event::Started { .. } => "started",
            Event::Settled { .. } => "settled",
            Event::FragmentSettled { .. } => "fragment",
            Event::DeadlineReached => "deadline",
            Event::Signal { .. } => "signal",
            Event::Cancel { .. } => "cancel",
            Event::Pause => "pause",
            Event::Resume => "resume",
            Event::Deadline { .. } => "limit",
            Event::TerminateAfter { .. } => "terminate",
            Event::Update { .. } => "update",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    Completed(#[serde(with = "crate::snapshot::outside")] Value),
    Failed(#[serde(with = "crate::snapshot::outside_exception")] ExceptionValue),
    /// The worker has stopped the attempt as it was asked to.
    Cancelled,
    /// The attempt's worker died, for the third time.
    WorkerCrashed(String),
}

/// What a worker made of a fragment: the value, and the objects as they are afterwards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FragmentOutcome {
    Completed {
        value: Shape,
        /// Captured objects that changed, by number, and new ones with numbers beyond those.
        objects: Vec<(u32, Shape)>,
    },
    /// It could not be evaluated, or nobody knows what became of it. (Logs of earlier versions say so of what raised, too.)
    Failed(#[serde(with = "crate::snapshot::outside_exception")] ExceptionValue),
    /// The source raised, after it had changed `objects`. From workers that copy exceptions.
    Raised {
        #[serde(with = "crate::snapshot::outside_exception")]
        exception: ExceptionValue,
        objects: Vec<(u32, Shape)>,
    },
    /// The source raised the object of this number, after it had changed `objects`.
    RaisedObject { number: u32, objects: Vec<(u32, Shape)> },
}

impl FragmentOutcome {
    /// What it raised, for people: objects in it are left out.
    pub fn error(&self) -> Option<ExceptionValue> {
        match self {
            FragmentOutcome::Completed { .. } => None,
            FragmentOutcome::Failed(exception) | FragmentOutcome::Raised { exception, .. } => Some(exception.clone()),
            FragmentOutcome::RaisedObject { number, objects } => {
                let raised = objects.iter().find(|(at, _)| at == number).map(|(_, shape)| shape);
                let Some(Shape::Exception(shape)) = raised else { return Some(ExceptionValue::default()) };
                let args = shape.args.iter().filter_map(|arg| match arg {
                    Shape::Plain(value) => Some(value.clone()),
                    _ => None,
                });
                Some(ExceptionValue {
                    type_name: shape.type_name.clone(),
                    bases: shape.bases.clone(),
                    args: args.collect(),
                    message: shape.message.clone(),
                    notes: shape.notes.clone(),
                    traceback: shape.traceback.clone(),
                    ..ExceptionValue::default()
                })
            }
        }
    }
}

/// A value of an object graph: containers refer to each other by number, so aliases and cycles survive the trip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    /// Anything that has no identity.
    Plain(#[serde(with = "crate::snapshot::outside")] Value),
    /// An object of the graph.
    Object(u32),
    List(Vec<Shape>),
    Tuple(Vec<Shape>),
    Dict(Vec<(Shape, Shape)>),
    Set(Vec<Shape>),
    FrozenSet(Vec<Shape>),
    Instance {
        type_name: String,
        fields: Vec<(String, Shape)>,
    },
    Exception(Box<ExceptionShape>),
}

/// An exception of an object graph; the parts are those of [`ExceptionValue`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExceptionShape {
    pub type_name: String,
    pub bases: Vec<String>,
    pub args: Vec<Shape>,
    pub fields: Vec<(String, Shape)>,
    pub message: Option<String>,
    pub cause: Option<Shape>,
    pub context: Option<Shape>,
    pub suppress_context: bool,
    pub notes: Vec<String>,
    pub traceback: Vec<String>,
}

/// What an event made an instance do. Released once the event is committed.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Dispatch(Arc<Dispatch>),
    /// An implicit action.
    DispatchFragment(Arc<FragmentDispatch>),
    /// Stop an attempt in its worker, and say when it has stopped.
    CancelAttempt {
        ordinal: u64,
        attempt: u32,
    },
    StartChild(Arc<Dispatch>),
    CancelChild {
        ordinal: u64,
        attempt: u32,
        /// Its instance.
        child: u128,
    },
    Log(LogLine),
    Finish(Ending),
    /// A signal to the child that an execution is.
    SignalChild {
        ordinal: u64,
        attempt: u32,
        /// Its instance.
        child: u128,
        name: Arc<str>,
        payload: Value,
        /// The program's own id of it, or one that no other signal has.
        id: String,
    },
    /// What the sender of an update waits for.
    Reply {
        update_id: String,
        outcome: Reply,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    Value(Value),
    Error(ExceptionValue),
}

/// One try of one call of an action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dispatch {
    pub execution: ExecutionId,
    pub attempt: u32,
    /// The action's import path, or the child workflow's name.
    pub name: Arc<str>,
    #[serde(with = "crate::snapshot::outside_list")]
    pub positional: Arc<[Value]>,
    #[serde(with = "crate::snapshot::outside_named")]
    pub keyword: Arc<[(Arc<str>, Value)]>,
    pub queue: Option<Arc<str>>,
    pub timeout_us: Option<i64>,
    /// Where in the program: function and node.
    pub function: u32,
    pub node: u32,
    /// What was said about a child that is started.
    #[serde(default)]
    pub child: Option<Arc<ChildOptions>>,
    /// Its database work and its completion are one transaction: its outcome comes from the database, and from nowhere else.
    #[serde(default)]
    pub transaction: bool,
}

/// How a child is started, and what becomes of it when its parent ends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChildOptions {
    /// The user's own key.
    pub id: Option<Arc<str>>,
    pub priority: Option<u8>,
    pub tags: Vec<Arc<str>>,
    /// When it begins; None: at once.
    pub start_at_us: Option<i64>,
    pub on_close: OnClose,
    /// What limits of its queue count by.
    pub key: Option<Arc<str>>,
    /// When it must have finished.
    pub deadline_us: Option<i64>,
}

/// What becomes of a child that has not ended when its parent does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnClose {
    #[default]
    Cancel,
    /// It goes on by itself.
    Abandon,
    /// The parent's end waits for it.
    Wait,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FragmentDispatch {
    pub execution: ExecutionId,
    pub attempt: u32,
    pub source: Arc<str>,
    pub captures: Vec<(Arc<str>, Shape)>,
    /// The objects that captures refer to, by number.
    pub objects: Vec<Shape>,
    /// Empty: `source` is an expression.
    pub writes: Vec<Arc<str>>,
}

/// Which call of which instance: derived, never random, so a resumed instance dispatches the very same one. The users'
/// idempotency key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ExecutionId {
    pub instance: u128,
    pub epoch: u32,
    pub ordinal: u64,
}

impl std::fmt::Display for ExecutionId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:032x}-{}-{}", self.instance, self.epoch, self.ordinal)
    }
}

/// How an instance ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Ending {
    Completed(#[serde(with = "crate::snapshot::outside")] Value),
    Failed(#[serde(with = "crate::snapshot::outside_exception")] ExceptionValue),
    Cancelled(#[serde(with = "crate::snapshot::outside_exception")] ExceptionValue),
    /// It was asked to end, and did not in time.
    Terminated(#[serde(with = "crate::snapshot::outside_exception")] ExceptionValue),
}
