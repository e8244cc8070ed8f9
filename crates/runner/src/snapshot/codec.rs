//! How the parts of an instance that have no derived form are written.

use std::fmt;
use std::sync::Arc;

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use waymark_ir::{TimeOfDay, Value as Outside, Zone, payload};

use crate::exchange;
use crate::heap::{Dict, Heap, Key, Object, Set};
use crate::python::Builtin;
use crate::registry;
use crate::types::TypeId;
use crate::value::Value;

/// Kinds of values that have no MessagePack type of their own.
const PAYLOAD: u8 = 1;
const ZONE: u8 = 2;
const TYPE: u8 = 3;
const BUILTIN: u8 = 4;
const NOT_IMPLEMENTED: u8 = 5;

/// Nil, booleans, integers, floats, strings and bytes are themselves; `[]` is an unbound variable, `[id]` a reference, and
/// `[kind, content]` anything else.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::None => to.serialize_unit(),
            Value::Bool(value) => to.serialize_bool(*value),
            Value::Int(value) => to.serialize_i64(*value),
            Value::Float(value) => to.serialize_f64(*value),
            Value::Str(text) => to.serialize_str(text),
            Value::Bytes(bytes) => to.serialize_bytes(bytes),
            Value::Unbound => to.serialize_tuple(0)?.end(),
            Value::Ref(id) => (id.0,).serialize(to),
            Value::Type(class) => (TYPE, class.0).serialize(to),
            Value::Builtin(builtin) => (BUILTIN, registry::name(*builtin)).serialize(to),
            Value::NotImplemented => (NOT_IMPLEMENTED, ()).serialize(to),
            Value::Zone(zone) => {
                let time = TimeOfDay {
                    hour: 0,
                    minute: 0,
                    second: 0,
                    microsecond: 0,
                    fold: false,
                    zone: Some((**zone).clone()),
                };
                (ZONE, serde_bytes::Bytes::new(&payload::encode(&Outside::Time(time)))).serialize(to)
            }
            Value::Big(value) => content(to, Outside::BigInt((**value).clone())),
            Value::Date(value) => content(to, Outside::Date(*value)),
            Value::Time(value) => content(to, Outside::Time((**value).clone())),
            Value::DateTime(value) => content(to, Outside::DateTime((**value).clone())),
            Value::Delta(value) => content(to, Outside::Delta(**value)),
            Value::Decimal(value) => content(to, Outside::Decimal((**value).clone())),
            Value::Uuid(value) => content(to, Outside::Uuid(**value)),
            Value::Ellipsis => content(to, Outside::Ellipsis),
        }
    }
}

fn content<S: Serializer>(to: S, value: Outside) -> Result<S::Ok, S::Error> {
    (PAYLOAD, serde_bytes::Bytes::new(&payload::encode(&value))).serialize(to)
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
        from.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::None)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        i64::try_from(value).map(Value::Int).map_err(|_| E::custom("an integer that is too large"))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::str(text))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Value, E> {
        Ok(Value::bytes(bytes))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let Some(first) = seq.next_element::<u32>()? else { return Ok(Value::Unbound) };
        let read = |bytes: &[u8]| payload::decode(bytes).map_err(A::Error::custom);
        match (first, seq.size_hint()) {
            (id, Some(0)) => Ok(Value::Ref(crate::heap::Id(id))),
            (kind, _) => match u8::try_from(kind).unwrap_or(0) {
                PAYLOAD => {
                    let bytes: serde_bytes::ByteBuf = element(&mut seq)?;
                    exchange::scalar(&read(&bytes)?).ok_or_else(|| A::Error::custom("a container among plain values"))
                }
                ZONE => {
                    let bytes: serde_bytes::ByteBuf = element(&mut seq)?;
                    match read(&bytes)? {
                        Outside::Time(TimeOfDay { zone: Some(zone), .. }) => Ok(Value::Zone(Arc::<Zone>::new(zone))),
                        _ => Err(A::Error::custom("a zone without a zone")),
                    }
                }
                TYPE => Ok(Value::Type(TypeId(element(&mut seq)?))),
                BUILTIN => {
                    let name: String = element(&mut seq)?;
                    let found = registry::find(&name).map(Value::Builtin);
                    found.ok_or_else(|| A::Error::custom(format!("the built-in function {name} is not known")))
                }
                NOT_IMPLEMENTED => {
                    element::<(), A>(&mut seq)?;
                    Ok(Value::NotImplemented)
                }
                other => Err(A::Error::custom(format!("a value of the unknown kind {other}"))),
            },
        }
    }
}

fn element<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(seq: &mut A) -> Result<T, A::Error> {
    seq.next_element()?.ok_or_else(|| A::Error::custom("a value is cut off"))
}

impl Serialize for Builtin {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(registry::name(*self))
    }
}

impl<'de> Deserialize<'de> for Builtin {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Builtin, D::Error> {
        let name = String::deserialize(from)?;
        registry::find(&name).ok_or_else(|| D::Error::custom(format!("the built-in function {name} is not known")))
    }
}

impl Serialize for Heap {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.objects().collect::<Vec<&Object>>())
    }
}

impl<'de> Deserialize<'de> for Heap {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Heap, D::Error> {
        Vec::<Object>::deserialize(from).map(Heap::from_objects)
    }
}

/// Name and value, and the key where it can't be made from the name alone.
impl Serialize for Dict {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let entries = self.keyed().map(|(key, name, value)| {
            let made = Key::of_plain(name).as_ref() == Some(key);
            (name, value, (!made).then_some(key))
        });
        to.collect_seq(entries.collect::<Vec<_>>())
    }
}

impl<'de> Deserialize<'de> for Dict {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Dict, D::Error> {
        let entries = Vec::<(Value, Value, Option<Key>)>::deserialize(from)?;
        let mut dict = Dict::default();
        for (name, value, key) in entries {
            let key =
                key.or_else(|| Key::of_plain(&name)).ok_or_else(|| D::Error::custom("an entry without its key"))?;
            dict.insert(key, name, value);
        }
        Ok(dict)
    }
}

impl Serialize for Set {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let members = self.keyed().map(|(key, value)| {
            let made = Key::of_plain(value).as_ref() == Some(key);
            (value, (!made).then_some(key))
        });
        (self.frozen, members.collect::<Vec<_>>()).serialize(to)
    }
}

impl<'de> Deserialize<'de> for Set {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Set, D::Error> {
        let (frozen, members) = <(bool, Vec<(Value, Option<Key>)>)>::deserialize(from)?;
        let mut set = Set::new(frozen);
        for (value, key) in members {
            let key =
                key.or_else(|| Key::of_plain(&value)).ok_or_else(|| D::Error::custom("a member without its key"))?;
            set.insert(key, value);
        }
        Ok(set)
    }
}

/// Values that cross boundaries are stored as payloads.
pub(crate) mod outside {
    use super::*;

    pub fn serialize<S: Serializer>(value: &Outside, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(&payload::encode(value))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Outside, D::Error> {
        let bytes = serde_bytes::ByteBuf::deserialize(from)?;
        payload::decode(&bytes).map_err(D::Error::custom)
    }
}

pub(crate) mod outside_list {
    use super::*;

    pub fn serialize<S: Serializer>(values: &Arc<[Outside]>, to: S) -> Result<S::Ok, S::Error> {
        outside::serialize(&Outside::List(values.to_vec()), to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<[Outside]>, D::Error> {
        match outside::deserialize(from)? {
            Outside::List(values) => Ok(values.into()),
            _ => Err(D::Error::custom("arguments that are no list")),
        }
    }
}

pub(crate) mod outside_named {
    use super::*;

    type Named = Arc<[(Arc<str>, Outside)]>;

    pub fn serialize<S: Serializer>(values: &Named, to: S) -> Result<S::Ok, S::Error> {
        let entries = values.iter().map(|(name, value)| (Outside::Str(name.to_string()), value.clone()));
        outside::serialize(&Outside::Dict(entries.collect()), to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Named, D::Error> {
        let Outside::Dict(entries) = outside::deserialize(from)? else {
            return Err(D::Error::custom("named arguments that are no dict"));
        };
        let named = entries.into_iter().map(|(name, value)| match name {
            Outside::Str(name) => Ok((Arc::from(name), value)),
            _ => Err(D::Error::custom("an argument whose name is no string")),
        });
        named.collect()
    }
}

pub(crate) mod outside_published {
    use super::*;
    use std::collections::BTreeMap;

    type Published = BTreeMap<Arc<str>, Outside>;

    pub fn serialize<S: Serializer>(values: &Published, to: S) -> Result<S::Ok, S::Error> {
        let named: Vec<(Arc<str>, Outside)> =
            values.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        outside_named::serialize(&named.into(), to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Published, D::Error> {
        Ok(outside_named::deserialize(from)?.iter().cloned().collect())
    }
}

pub(crate) mod outside_inputs {
    use super::*;

    pub fn serialize<S: Serializer>(inputs: &[(String, Outside)], to: S) -> Result<S::Ok, S::Error> {
        let entries = inputs.iter().map(|(name, value)| (Outside::Str(name.clone()), value.clone()));
        outside::serialize(&Outside::Dict(entries.collect()), to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(String, Outside)>, D::Error> {
        let named = outside_named::deserialize(from)?;
        Ok(named.iter().map(|(name, value)| (name.to_string(), value.clone())).collect())
    }
}

pub(crate) mod outside_exception {
    use super::*;
    use waymark_ir::ExceptionValue;

    pub fn serialize<S: Serializer>(exception: &ExceptionValue, to: S) -> Result<S::Ok, S::Error> {
        outside::serialize(&Outside::Exception(Box::new(exception.clone())), to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<ExceptionValue, D::Error> {
        match outside::deserialize(from)? {
            Outside::Exception(exception) => Ok(*exception),
            _ => Err(D::Error::custom("an ending that is no exception")),
        }
    }
}
