//! A value inside an instance: small things by value, everything that can be shared, mutated or cyclic by reference.

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use waymark_ir::{Date, DateTime, Decimal, Delta, TimeOfDay, Zone};

use crate::heap::Id;
use crate::python::Builtin;
use crate::types::TypeId;

#[derive(Clone, Debug, Default)]
pub enum Value {
    /// A variable that holds nothing yet. Never seen by a program.
    #[default]
    Unbound,
    None,
    Bool(bool),
    Int(i64),
    /// Only for integers that do not fit an `i64`; build with [`Value::integer`].
    Big(Arc<BigInt>),
    Float(f64),
    Str(Arc<str>),
    Bytes(Arc<[u8]>),
    Date(Date),
    Time(Arc<TimeOfDay>),
    DateTime(Arc<DateTime>),
    Delta(Box<Delta>),
    Zone(Arc<Zone>),
    Decimal(Arc<Decimal>),
    Uuid(Box<u128>),
    Ellipsis,
    NotImplemented,
    /// A class.
    Type(TypeId),
    /// A built-in function.
    Builtin(Builtin),
    /// A list, tuple, dict, object, exception, future, function, …
    Ref(Id),
}

impl Value {
    /// An integer in its one canonical form.
    pub fn integer(value: BigInt) -> Value {
        match value.to_i64() {
            Some(small) => Value::Int(small),
            None => Value::Big(Arc::new(value)),
        }
    }

    pub fn str(text: impl Into<Arc<str>>) -> Value {
        Value::Str(text.into())
    }

    pub fn bytes(bytes: impl Into<Arc<[u8]>>) -> Value {
        Value::Bytes(bytes.into())
    }

    pub fn delta(microseconds: i128) -> Value {
        Value::Delta(Box::new(Delta { microseconds }))
    }

    pub fn reference(&self) -> Option<Id> {
        match self {
            Value::Ref(id) => Some(*id),
            _ => None,
        }
    }

    pub fn is_none(&self) -> bool {
        matches!(self, Value::None)
    }

    pub fn is_unbound(&self) -> bool {
        matches!(self, Value::Unbound)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Int(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Float(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Value {
        Value::Str(value.into())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Value {
        Value::Str(value.into())
    }
}
