//! Whether two keys are one key to Python, as far as a tree can tell.

use crate::Value;
use num_traits::ToPrimitive;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};

/// Whether no two of them are equal.
pub(crate) fn all_distinct<'a>(keys: impl ExactSizeIterator<Item = &'a Value>) -> bool {
    let mut seen = HashSet::with_capacity(keys.len());
    keys.into_iter().all(|key| seen.insert(Key(key)))
}

/// Compares numbers across types. Every NaN is a key of its own, so this equality is not quite reflexive; a hash set
/// copes.
struct Key<'a>(&'a Value);

/// The integer that a bool, int or whole float equals.
fn whole(value: &Value) -> Option<i128> {
    match value {
        Value::Bool(flag) => Some(i128::from(*flag)),
        Value::Int(number) => Some(i128::from(*number)),
        Value::BigInt(number) => number.to_i128(),
        Value::Float(number) if number.fract() == 0.0 && number.abs() < 1e30 => Some(*number as i128),
        _ => None,
    }
}

impl PartialEq for Key<'_> {
    fn eq(&self, other: &Key<'_>) -> bool {
        match (self.0, other.0) {
            (Value::Tuple(left), Value::Tuple(right)) => {
                left.len() == right.len() && left.iter().zip(right).all(|(left, right)| Key(left) == Key(right))
            }
            (left, right) => match (whole(left), whole(right)) {
                (Some(left), Some(right)) => left == right,
                (None, None) => left == right,
                _ => false,
            },
        }
    }
}

impl Eq for Key<'_> {}

impl Hash for Key<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        if let Some(number) = whole(self.0) {
            return number.hash(state);
        }
        std::mem::discriminant(self.0).hash(state);
        match self.0 {
            Value::BigInt(number) => number.hash(state),
            Value::Float(number) => number.to_bits().hash(state),
            Value::Str(text) => text.hash(state),
            Value::Bytes(bytes) => bytes.hash(state),
            Value::List(items) | Value::Tuple(items) | Value::Set(items) | Value::FrozenSet(items) => {
                items.len().hash(state);
                items.iter().for_each(|item| Key(item).hash(state));
            }
            Value::Dict(entries) => entries.iter().for_each(|(key, value)| {
                Key(key).hash(state);
                Key(value).hash(state);
            }),
            Value::Object { type_name, fields } => {
                type_name.hash(state);
                fields.iter().for_each(|(name, value)| {
                    name.hash(state);
                    Key(value).hash(state);
                });
            }
            Value::Exception(exception) => {
                exception.type_name.hash(state);
                exception.args.iter().for_each(|arg| Key(arg).hash(state));
            }
            Value::Date(date) => date.hash(state),
            Value::Time(time) => time.hash(state),
            Value::DateTime(moment) => moment.hash(state),
            Value::Delta(delta) => delta.hash(state),
            Value::Decimal(decimal) => decimal.hash(state),
            Value::Uuid(id) => id.hash(state),
            _ => {}
        }
    }
}
