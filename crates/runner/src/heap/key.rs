//! What dict keys and set members are compared by: equal keys in Python are equal here, and hash alike.

use std::sync::Arc;

use num_bigint::BigInt;
use waymark_ir::{Date, DateTime, Decimal, TimeOfDay, Zone};

use crate::heap::Id;
use crate::python::Builtin;
use crate::types::TypeId;

/// `1`, `1.0`, `True` and `Decimal(1)` have the same key. Made by `python::hash::key_of`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    Time,
    DateTime,
    Delta,
    Zone,
    Decimal,
    Uuid,
}

impl Key {
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
