//! Bytes to value. Lengths in the input are claims: nothing is allocated on their word alone.

use super::{MAX_DEPTH, PayloadError, ext, keys};
use crate::value::*;
use num_bigint::BigInt;
use rmp::Marker;
use rmp::decode::RmpRead;

/// Reads one value that fills all of `bytes`.
pub fn decode(bytes: &[u8]) -> Result<Value, PayloadError> {
    let mut reader = Reader { rest: bytes, depth: 0 };
    let value = reader.value()?;
    reader.end()?;
    Ok(value)
}

/// The most items a container reserves room for before it has read any. Larger ones grow: were a claimed length
/// trusted, even when the input is as long, nested containers could each reserve it again.
const RESERVED: usize = 64;

type Decoded<T> = Result<T, PayloadError>;

struct Reader<'a> {
    rest: &'a [u8],
    depth: usize,
}

impl<'a> Reader<'a> {
    fn value(&mut self) -> Decoded<Value> {
        let marker = self.marker()?;
        Ok(match marker {
            Marker::Null => Value::None,
            Marker::True => Value::Bool(true),
            Marker::False => Value::Bool(false),
            Marker::F32 => Value::Float(f64::from(self.rest.read_data_f32().map_err(truncated)?)),
            Marker::F64 => Value::Float(self.rest.read_data_f64().map_err(truncated)?),
            Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => Value::Str(self.string_body(marker)?),
            Marker::Bin8 | Marker::Bin16 | Marker::Bin32 => Value::Bytes(self.binary_body(marker)?.to_vec()),
            Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => {
                let length = self.length(marker)?;
                Value::List(self.items(length)?)
            }
            Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => {
                let length = self.length(marker)?;
                Value::Dict(self.entries(length)?)
            }
            Marker::Reserved => return Err(PayloadError::UnknownMarker(0xc1)),
            _ => match self.integer_body(marker)? {
                Some(number) => Value::integer(BigInt::from(number)),
                None => self.extension(marker)?,
            },
        })
    }

    fn items(&mut self, length: usize) -> Decoded<Vec<Value>> {
        self.enter()?;
        let mut items = Vec::with_capacity(length.min(RESERVED));
        for _ in 0..length {
            items.push(self.value()?);
        }
        self.depth -= 1;
        Ok(items)
    }

    fn entries(&mut self, length: usize) -> Decoded<Vec<(Value, Value)>> {
        self.enter()?;
        let mut entries = Vec::with_capacity(length.min(RESERVED));
        for _ in 0..length {
            let key = self.value()?;
            entries.push((key, self.value()?));
        }
        self.depth -= 1;
        if !keys::all_distinct(entries.iter().map(|(key, _)| key)) {
            return Err(PayloadError::DuplicateKey);
        }
        Ok(entries)
    }

    fn extension(&mut self, marker: Marker) -> Decoded<Value> {
        let length = match marker {
            Marker::FixExt1 => 1,
            Marker::FixExt2 => 2,
            Marker::FixExt4 => 4,
            Marker::FixExt8 => 8,
            Marker::FixExt16 => 16,
            Marker::Ext8 | Marker::Ext16 | Marker::Ext32 => self.length(marker)?,
            other => return Err(PayloadError::UnknownMarker(other.to_u8())),
        };
        let kind = self.rest.read_data_i8().map_err(truncated)?;
        let body = self.take(length)?;
        self.enter()?;
        let mut inner = Reader { rest: body, depth: self.depth };
        let value = inner.extension_body(kind)?;
        inner.end()?;
        self.depth -= 1;
        Ok(value)
    }

    fn extension_body(&mut self, kind: i8) -> Decoded<Value> {
        match kind {
            ext::TUPLE => Ok(Value::Tuple(self.array()?)),
            ext::SET => Ok(Value::Set(self.distinct()?)),
            ext::FROZENSET => Ok(Value::FrozenSet(self.distinct()?)),
            ext::OBJECT => {
                self.exactly(2, "object")?;
                Ok(Value::Object { type_name: self.string("object")?, fields: self.named("object")? })
            }
            ext::EXCEPTION => Ok(Value::Exception(self.exception()?)),
            _ => self.scalar(kind),
        }
    }

    fn scalar(&mut self, kind: i8) -> Decoded<Value> {
        Ok(match kind {
            ext::INT => {
                let marker = self.marker()?;
                Value::integer(BigInt::from_signed_bytes_be(self.binary_body(marker)?))
            }
            ext::DATE => {
                self.exactly(3, "date")?;
                Value::Date(self.date()?)
            }
            ext::TIME => {
                self.exactly(6, "time")?;
                Value::Time(self.time()?)
            }
            ext::DATETIME => {
                self.exactly(9, "datetime")?;
                Value::DateTime(DateTime { date: self.date()?, time: self.time()? })
            }
            ext::TIMEDELTA => {
                self.exactly(3, "timedelta")?;
                let parts = (self.number("timedelta")?, self.number("timedelta")?, self.number("timedelta")?);
                Value::Delta(Delta::from_parts(parts.0, parts.1, parts.2).ok_or(PayloadError::Invalid("timedelta"))?)
            }
            ext::DECIMAL => {
                Value::Decimal(self.string("decimal")?.parse().map_err(|_| PayloadError::Invalid("decimal"))?)
            }
            ext::UUID => {
                let marker = self.marker()?;
                let bytes = self.binary_body(marker)?;
                Value::Uuid(u128::from_be_bytes(bytes.try_into().map_err(|_| PayloadError::Invalid("UUID"))?))
            }
            ext::ELLIPSIS => match self.marker()? {
                Marker::Null => Value::Ellipsis,
                _ => return Err(PayloadError::Invalid("ellipsis")),
            },
            other => return Err(PayloadError::UnknownExtension(other)),
        })
    }

    fn exception(&mut self) -> Decoded<Box<ExceptionValue>> {
        const WHAT: &str = "exception";
        self.exactly(10, WHAT)?;
        self.enter()?;
        let exception = Box::new(ExceptionValue {
            type_name: self.string(WHAT)?,
            bases: self.strings(WHAT)?,
            args: self.array()?,
            fields: self.named(WHAT)?,
            message: self.optional_string(WHAT)?,
            cause: self.linked()?,
            context: self.linked()?,
            suppress_context: self.boolean(WHAT)?,
            notes: self.strings(WHAT)?,
            traceback: self.strings(WHAT)?,
        });
        self.depth -= 1;
        Ok(exception)
    }

    fn linked(&mut self) -> Decoded<Option<Box<ExceptionValue>>> {
        match self.value()? {
            Value::None => Ok(None),
            Value::Exception(exception) => Ok(Some(exception)),
            _ => Err(PayloadError::Invalid("exception")),
        }
    }

    fn date(&mut self) -> Decoded<Date> {
        let (year, month, day) = (self.number("date")?, self.number("date")?, self.number("date")?);
        Date::new(year, month, day).ok_or(PayloadError::Invalid("date"))
    }

    fn time(&mut self) -> Decoded<TimeOfDay> {
        const WHAT: &str = "time";
        let time = TimeOfDay {
            hour: self.number(WHAT)?,
            minute: self.number(WHAT)?,
            second: self.number(WHAT)?,
            microsecond: self.number(WHAT)?,
            fold: self.boolean(WHAT)?,
            zone: self.zone()?,
        };
        if time.is_valid() { Ok(time) } else { Err(PayloadError::Invalid(WHAT)) }
    }

    fn zone(&mut self) -> Decoded<Option<Zone>> {
        const WHAT: &str = "time zone";
        let marker = self.marker()?;
        match marker {
            Marker::Null => Ok(None),
            Marker::FixArray(2) => {
                let offset_us = self.number(WHAT)?;
                Ok(Some(Zone::Fixed { offset_us, name: self.optional_string(WHAT)? }))
            }
            Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => {
                Ok(Some(Zone::Named(self.string_body(marker)?)))
            }
            _ => Err(PayloadError::Invalid(WHAT)),
        }
    }

    // -------------------------------------------------------------------------------------------- parts of values

    fn array(&mut self) -> Decoded<Vec<Value>> {
        let marker = self.marker()?;
        match marker {
            Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => {
                let length = self.length(marker)?;
                self.items(length)
            }
            _ => Err(PayloadError::Invalid("array")),
        }
    }

    fn distinct(&mut self) -> Decoded<Vec<Value>> {
        let items = self.array()?;
        if keys::all_distinct(items.iter()) { Ok(items) } else { Err(PayloadError::DuplicateItem) }
    }

    fn exactly(&mut self, count: usize, what: &'static str) -> Decoded<()> {
        let marker = self.marker()?;
        let array = matches!(marker, Marker::FixArray(_) | Marker::Array16 | Marker::Array32);
        if array && self.length(marker)? == count { Ok(()) } else { Err(PayloadError::Invalid(what)) }
    }

    fn strings(&mut self, what: &'static str) -> Decoded<Vec<String>> {
        self.array()?
            .into_iter()
            .map(|item| match item {
                Value::Str(text) => Ok(text),
                _ => Err(PayloadError::Invalid(what)),
            })
            .collect()
    }

    fn named(&mut self, what: &'static str) -> Decoded<Vec<(String, Value)>> {
        let marker = self.marker()?;
        if !matches!(marker, Marker::FixMap(_) | Marker::Map16 | Marker::Map32) {
            return Err(PayloadError::Invalid(what));
        }
        let length = self.length(marker)?;
        self.entries(length)?
            .into_iter()
            .map(|(key, value)| match key {
                Value::Str(name) => Ok((name, value)),
                _ => Err(PayloadError::Invalid(what)),
            })
            .collect()
    }

    fn string(&mut self, what: &'static str) -> Decoded<String> {
        self.optional_string(what)?.ok_or(PayloadError::Invalid(what))
    }

    fn optional_string(&mut self, what: &'static str) -> Decoded<Option<String>> {
        let marker = self.marker()?;
        match marker {
            Marker::Null => Ok(None),
            Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => self.string_body(marker).map(Some),
            _ => Err(PayloadError::Invalid(what)),
        }
    }

    fn boolean(&mut self, what: &'static str) -> Decoded<bool> {
        match self.marker()? {
            Marker::True => Ok(true),
            Marker::False => Ok(false),
            _ => Err(PayloadError::Invalid(what)),
        }
    }

    fn number<T: TryFrom<i128>>(&mut self, what: &'static str) -> Decoded<T> {
        let marker = self.marker()?;
        let number = self.integer_body(marker)?.ok_or(PayloadError::Invalid(what))?;
        T::try_from(number).map_err(|_| PayloadError::Invalid(what))
    }

    // -------------------------------------------------------------------------------------------- bytes

    fn marker(&mut self) -> Decoded<Marker> {
        rmp::decode::read_marker(&mut self.rest).map_err(|_| PayloadError::Truncated)
    }

    fn integer_body(&mut self, marker: Marker) -> Decoded<Option<i128>> {
        let rest = &mut self.rest;
        Ok(Some(match marker {
            Marker::FixPos(number) => i128::from(number),
            Marker::FixNeg(number) => i128::from(number),
            Marker::U8 => i128::from(rest.read_data_u8().map_err(truncated)?),
            Marker::U16 => i128::from(rest.read_data_u16().map_err(truncated)?),
            Marker::U32 => i128::from(rest.read_data_u32().map_err(truncated)?),
            Marker::U64 => i128::from(rest.read_data_u64().map_err(truncated)?),
            Marker::I8 => i128::from(rest.read_data_i8().map_err(truncated)?),
            Marker::I16 => i128::from(rest.read_data_i16().map_err(truncated)?),
            Marker::I32 => i128::from(rest.read_data_i32().map_err(truncated)?),
            Marker::I64 => i128::from(rest.read_data_i64().map_err(truncated)?),
            _ => return Ok(None),
        }))
    }

    /// The length that a string, array, map, bin or ext marker stands for.
    fn length(&mut self, marker: Marker) -> Decoded<usize> {
        let rest = &mut self.rest;
        Ok(match marker {
            Marker::FixStr(length) | Marker::FixArray(length) | Marker::FixMap(length) => usize::from(length),
            Marker::Str8 | Marker::Bin8 | Marker::Ext8 => usize::from(rest.read_data_u8().map_err(truncated)?),
            Marker::Str16 | Marker::Bin16 | Marker::Ext16 | Marker::Array16 | Marker::Map16 => {
                usize::from(rest.read_data_u16().map_err(truncated)?)
            }
            _ => rest.read_data_u32().map_err(truncated)? as usize,
        })
    }

    fn string_body(&mut self, marker: Marker) -> Decoded<String> {
        let length = self.length(marker)?;
        let text = std::str::from_utf8(self.take(length)?).map_err(|_| PayloadError::NotUtf8)?;
        Ok(text.to_string())
    }

    fn binary_body(&mut self, marker: Marker) -> Decoded<&'a [u8]> {
        if !matches!(marker, Marker::Bin8 | Marker::Bin16 | Marker::Bin32) {
            return Err(PayloadError::Invalid("bin"));
        }
        let length = self.length(marker)?;
        self.take(length)
    }

    fn take(&mut self, length: usize) -> Decoded<&'a [u8]> {
        let (head, tail) = self.rest.split_at_checked(length).ok_or(PayloadError::Truncated)?;
        self.rest = tail;
        Ok(head)
    }

    fn enter(&mut self) -> Decoded<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(PayloadError::TooDeep) } else { Ok(()) }
    }

    fn end(&self) -> Decoded<()> {
        match self.rest.len() {
            0 => Ok(()),
            count => Err(PayloadError::TrailingBytes { count }),
        }
    }
}

fn truncated<E>(_: E) -> PayloadError {
    PayloadError::Truncated
}
