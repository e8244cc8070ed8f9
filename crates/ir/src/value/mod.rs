//! Values as they cross a boundary: a tree, a copy, without aliases. Inside an instance values live in the runner's heap.

mod decimal;
mod time;

pub use decimal::{Decimal, MAX_DIGITS};
pub use time::{Date, DateTime, Delta, TimeOfDay, Zone};

use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// Text that is not what it should be, e.g. a date.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not {expected}: {text:?}")]
pub struct ParseError {
    pub expected: &'static str,
    /// The beginning of what was read.
    pub text: String,
}

impl ParseError {
    fn new(expected: &'static str, text: &str) -> ParseError {
        ParseError { expected, text: text.chars().take(80).collect() }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    None,
    Bool(bool),
    Int(i64),
    /// Only for integers that do not fit an `i64`; build with [`Value::integer`].
    BigInt(BigInt),
    Float(f64),
    Str(String),
    Bytes(Vec<u8>),
    List(Vec<Value>),
    Tuple(Vec<Value>),
    /// In insertion order; keys are distinct.
    Dict(Vec<(Value, Value)>),
    Set(Vec<Value>),
    FrozenSet(Vec<Value>),
    /// An instance of a user's class.
    Object {
        type_name: String,
        fields: Vec<(String, Value)>,
    },
    Exception(Box<ExceptionValue>),
    Date(Date),
    Time(TimeOfDay),
    DateTime(DateTime),
    Delta(Delta),
    Decimal(Decimal),
    Uuid(u128),
    /// `...`
    Ellipsis,
}

impl Value {
    /// An integer in its one canonical form.
    pub fn integer(value: BigInt) -> Value {
        match value.to_i64() {
            Some(small) => Value::Int(small),
            None => Value::BigInt(value),
        }
    }

    pub fn str(text: impl Into<String>) -> Value {
        Value::Str(text.into())
    }
}

/// An exception that travels: enough to match it by class, to show it, and to raise it again elsewhere.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExceptionValue {
    /// `ValueError`, `app.errors:PaymentFailed`
    pub type_name: String,
    /// All its classes but itself, nearest first, up to `BaseException`.
    pub bases: Vec<String>,
    pub args: Vec<Value>,
    /// Attributes beyond `args`.
    pub fields: Vec<(String, Value)>,
    /// What `str()` gives where the class does not leave it to `args`.
    pub message: Option<String>,
    pub cause: Option<Box<ExceptionValue>>,
    pub context: Option<Box<ExceptionValue>>,
    /// `raise … from None`
    pub suppress_context: bool,
    pub notes: Vec<String>,
    /// As a worker or the runner rendered it, outermost call first, one entry a frame.
    pub traceback: Vec<String>,
}
