//! Value to bytes. Writing into a vector cannot fail.

use super::ext;
use crate::value::*;
use num_bigint::BigInt;

/// The value as MessagePack, in the shortest form of each number and length.
pub fn encode(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    write(&mut out, value);
    out
}

/// The list of these values, as [`encode`] would write it.
pub fn encode_list<'a>(items: impl ExactSizeIterator<Item = &'a Value>) -> Vec<u8> {
    let mut out = Vec::new();
    array(&mut out, items.len());
    items.for_each(|item| write(&mut out, item));
    out
}

/// The dict of these values by their names, as [`encode`] would write it.
pub fn encode_named<'a>(entries: impl ExactSizeIterator<Item = (&'a str, &'a Value)>) -> Vec<u8> {
    let mut out = Vec::new();
    map(&mut out, entries.len());
    for (name, value) in entries {
        string(&mut out, name);
        write(&mut out, value);
    }
    out
}

fn write(out: &mut Vec<u8>, value: &Value) {
    match value {
        Value::None => nil(out),
        Value::Bool(flag) => boolean(out, *flag),
        Value::Int(number) => integer(out, *number),
        Value::BigInt(number) => extension(out, ext::INT, |body| binary(body, &number.to_signed_bytes_be())),
        Value::Float(number) => {
            let _ = rmp::encode::write_f64(out, *number);
        }
        Value::Str(text) => string(out, text),
        Value::Bytes(bytes) => binary(out, bytes),
        Value::List(items) => values(out, items),
        Value::Tuple(items) => extension(out, ext::TUPLE, |body| values(body, items)),
        Value::Set(items) => extension(out, ext::SET, |body| values(body, items)),
        Value::FrozenSet(items) => extension(out, ext::FROZENSET, |body| values(body, items)),
        Value::Dict(entries) => {
            map(out, entries.len());
            for (key, value) in entries {
                write(out, key);
                write(out, value);
            }
        }
        Value::Object { type_name, fields } => extension(out, ext::OBJECT, |body| {
            array(body, 2);
            string(body, type_name);
            named(body, fields);
        }),
        Value::Exception(exception) => write_exception(out, exception),
        other => write_scalar(out, other),
    }
}

fn write_scalar(out: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Date(value) => extension(out, ext::DATE, |body| {
            array(body, 3);
            date(body, value);
        }),
        Value::Time(value) => extension(out, ext::TIME, |body| {
            array(body, 6);
            time(body, value);
        }),
        Value::DateTime(value) => extension(out, ext::DATETIME, |body| {
            array(body, 9);
            date(body, &value.date);
            time(body, &value.time);
        }),
        Value::Delta(value) => extension(out, ext::TIMEDELTA, |body| {
            let (days, seconds, microseconds) = value.parts();
            array(body, 3);
            write(body, &Value::integer(BigInt::from(days)));
            integer(body, i64::from(seconds));
            integer(body, i64::from(microseconds));
        }),
        Value::Decimal(value) => extension(out, ext::DECIMAL, |body| string(body, &value.to_string())),
        Value::Uuid(value) => extension(out, ext::UUID, |body| binary(body, &value.to_be_bytes())),
        _ => extension(out, ext::ELLIPSIS, nil),
    }
}

fn write_exception(out: &mut Vec<u8>, exception: &ExceptionValue) {
    extension(out, ext::EXCEPTION, |body| {
        array(body, 10);
        string(body, &exception.type_name);
        strings(body, &exception.bases);
        values(body, &exception.args);
        named(body, &exception.fields);
        match &exception.message {
            Some(message) => string(body, message),
            None => nil(body),
        }
        for linked in [&exception.cause, &exception.context] {
            match linked {
                Some(linked) => write_exception(body, linked),
                None => nil(body),
            }
        }
        boolean(body, exception.suppress_context);
        strings(body, &exception.notes);
        strings(body, &exception.traceback);
    });
}

fn date(out: &mut Vec<u8>, date: &Date) {
    integer(out, i64::from(date.year));
    integer(out, i64::from(date.month));
    integer(out, i64::from(date.day));
}

fn time(out: &mut Vec<u8>, time: &TimeOfDay) {
    for part in [u32::from(time.hour), u32::from(time.minute), u32::from(time.second), time.microsecond] {
        integer(out, i64::from(part));
    }
    boolean(out, time.fold);
    match &time.zone {
        None => nil(out),
        Some(Zone::Named(name)) => string(out, name),
        Some(Zone::Fixed { offset_us, name }) => {
            array(out, 2);
            integer(out, *offset_us);
            match name {
                Some(name) => string(out, name),
                None => nil(out),
            }
        }
    }
}

fn values(out: &mut Vec<u8>, items: &[Value]) {
    array(out, items.len());
    for item in items {
        write(out, item);
    }
}

fn strings(out: &mut Vec<u8>, items: &[String]) {
    array(out, items.len());
    for item in items {
        string(out, item);
    }
}

fn named(out: &mut Vec<u8>, fields: &[(String, Value)]) {
    map(out, fields.len());
    for (name, value) in fields {
        string(out, name);
        write(out, value);
    }
}

/// The header holds the length of the body, so the body is written aside first.
fn extension(out: &mut Vec<u8>, kind: i8, write_body: impl FnOnce(&mut Vec<u8>)) {
    let mut body = Vec::new();
    write_body(&mut body);
    let _ = rmp::encode::write_ext_meta(out, body.len() as u32, kind);
    out.extend_from_slice(&body);
}

fn nil(out: &mut Vec<u8>) {
    let _ = rmp::encode::write_nil(out);
}

fn boolean(out: &mut Vec<u8>, flag: bool) {
    let _ = rmp::encode::write_bool(out, flag);
}

fn integer(out: &mut Vec<u8>, number: i64) {
    let _ = rmp::encode::write_sint(out, number);
}

fn string(out: &mut Vec<u8>, text: &str) {
    let _ = rmp::encode::write_str(out, text);
}

fn binary(out: &mut Vec<u8>, bytes: &[u8]) {
    let _ = rmp::encode::write_bin(out, bytes);
}

fn array(out: &mut Vec<u8>, length: usize) {
    let _ = rmp::encode::write_array_len(out, length as u32);
}

fn map(out: &mut Vec<u8>, length: usize) {
    let _ = rmp::encode::write_map_len(out, length as u32);
}
