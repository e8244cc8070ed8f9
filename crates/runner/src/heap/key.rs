//! What dict keys and set members are compared by: equal keys in Python are equal here, and hash alike.

use std::sync::Arc;

use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use waymark_ir::{Date, DateTime, Decimal, TimeOfDay, Zone};

use crate::heap::Id;
use crate::python::Builtin;
use crate::types::TypeId;
use crate::value::Value;

/// `1`, `1.0`, `True` and `Decimal(1)` have the same key. Made by `python::hash::key_of`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Key {
    None,
    Int(i64),
    Big(Arc<BigInt>),
    /// The bits of a float that is no integer.
    Float(u64),
    Str(Arc<str>),
    Bytes(Arc<[u8]>),
    Tuple(Arc<[Key]>),
    /// Sorted.
    FrozenSet(Arc<[Key]>),
    Date {
        year: i32,
        month: u8,
        day: u8,
    },
    /// Any other immutable scalar, in a canonical text under its kind: times, deltas, zones, decimals, UUIDs.
    Scalar(Scalar, Arc<str>),
    /// A record with value equality: class and fields.
    Record(TypeId, Arc<[Key]>),
    Type(TypeId),
    Builtin(Builtin),
    /// Compared by identity.
    Identity(Id),
    Ellipsis,
    NotImplemented,
    /// An object whose class compares or hashes by methods of its own: only a worker can tell which keys equal it, so
    /// whatever looks something up in a dict or set that holds one is handed over.
    Custom(Id),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Scalar {
    Time,
    DateTime,
    Delta,
    Zone,
    Decimal,
    Uuid,
}

impl Key {
    /// Visits the identities in the key; tells whether that changed any.
    pub fn trace(&mut self, visit: &mut dyn FnMut(&mut Id)) -> bool {
        match self {
            Key::Identity(id) | Key::Custom(id) => {
                let before = *id;
                visit(id);
                before != *id
            }
            Key::Tuple(parts) | Key::FrozenSet(parts) | Key::Record(_, parts)
                if parts.iter().any(Key::has_identity) =>
            {
                let mut traced: Vec<Key> = parts.to_vec();
                let mut changed = false;
                traced.iter_mut().for_each(|part| changed |= part.trace(visit));
                if changed {
                    *parts = traced.into();
                }
                changed
            }
            _ => false,
        }
    }

    /// Whether the key says the same as the value it was made from, so that it can be made again.
    pub(crate) fn of_plain(value: &Value) -> Option<Key> {
        Some(match value {
            Value::None => Key::None,
            Value::Bool(value) => Key::Int(i64::from(*value)),
            Value::Int(value) => Key::Int(*value),
            Value::Str(text) => Key::Str(text.clone()),
            Value::Bytes(bytes) => Key::Bytes(bytes.clone()),
            _ => return None,
        })
    }

    fn has_identity(&self) -> bool {
        match self {
            Key::Identity(_) | Key::Custom(_) => true,
            Key::Tuple(parts) | Key::FrozenSet(parts) | Key::Record(_, parts) => parts.iter().any(Key::has_identity),
            _ => false,
        }
    }

    /// Whether only a worker can compare it.
    pub fn is_custom(&self) -> bool {
        match self {
            Key::Custom(_) => true,
            Key::Tuple(parts) | Key::FrozenSet(parts) | Key::Record(_, parts) => parts.iter().any(Key::is_custom),
            _ => false,
        }
    }

    pub fn date(date: Date) -> Key {
        Key::Date { year: date.year, month: date.month, day: date.day }
    }

    pub fn delta(microseconds: i128) -> Key {
        Key::Scalar(Scalar::Delta, microseconds.to_string().into())
    }

    pub fn uuid(value: u128) -> Key {
        Key::Scalar(Scalar::Uuid, value.to_string().into())
    }

    /// For values that are equal only when all their parts are. Aware times compare by instant: bring them to UTC first.
    pub fn time(time: &TimeOfDay) -> Key {
        Key::Scalar(Scalar::Time, format!("{time:?}").into())
    }

    pub fn datetime(value: &DateTime) -> Key {
        Key::Scalar(Scalar::DateTime, format!("{value:?}").into())
    }

    pub fn zone(zone: &Zone) -> Key {
        Key::Scalar(Scalar::Zone, format!("{zone:?}").into())
    }

    /// For a decimal in lowest terms that is neither an integer nor a float.
    pub fn decimal(value: &Decimal) -> Key {
        Key::Scalar(Scalar::Decimal, format!("{value:?}").into())
    }
}
