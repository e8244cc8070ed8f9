//! Values as they cross a boundary: a tree, a copy, without aliases. Inside an instance values live in the runner's heap.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Date {
    /// 1 to 9999
    pub year: i32,
    /// 1 to 12
    pub month: u8,
    /// 1 to 31
    pub day: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TimeOfDay {
    pub hour: u8,
    pub minute: u8,
    pub second: u8,
    pub microsecond: u32,
    /// The second of two equal wall-clock times when clocks go back.
    pub fold: bool,
    pub zone: Option<Zone>,
}

/// A date and a time of day; `time.zone` absent means naive.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DateTime {
    pub date: Date,
    pub time: TimeOfDay,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Zone {
    /// `timezone(offset, name)`; `timezone.utc` is offset 0 without a name.
    Fixed { offset_us: i64, name: Option<String> },
    /// `ZoneInfo(name)`
    Named(String),
}

impl Zone {
    pub const UTC: Zone = Zone::Fixed { offset_us: 0, name: None };
}

/// A `timedelta`, in microseconds: Python's own range is within ±10^15 s, so `i128` never overflows in a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Delta {
    pub microseconds: i128,
}

/// A decimal number as Python's: sign, coefficient and exponent are kept, so `1.10` prints as `1.10`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Decimal {
    Finite { negative: bool, coefficient: num_bigint::BigUint, exponent: i64 },
    Infinity { negative: bool },
    NaN,
}
