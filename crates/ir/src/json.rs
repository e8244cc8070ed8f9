//! Values as JSON for people: the CLI, the UI, the HTTP API. Plain JSON means what it says; what JSON lacks is written
//! as an object with one key that begins with `$`, e.g. `{"$datetime": "2026-03-29T02:30:00+01:00"}`.
//!
//! Tuples and sets become arrays and so come back as lists; everything else survives the way there and back. (Engine and
//! workers do not use this form but [`crate::payload`].)

use crate::value::*;
use num_bigint::BigInt;
use serde_json::{Map, Value as Json, json};

/// Containers here and leaves aside, to keep the stack frame of what recurses small.
pub fn to_json(value: &Value) -> Json {
    match value {
        Value::List(items) | Value::Tuple(items) | Value::Set(items) | Value::FrozenSet(items) => list(items),
        Value::Dict(entries) => dict(entries),
        Value::Object { type_name, fields } => object(type_name, fields),
        Value::Exception(exception) => Json::Object(exception_to_json(exception)),
        leaf => leaf_to_json(leaf),
    }
}

fn leaf_to_json(value: &Value) -> Json {
    match value {
        Value::Bool(flag) => json!(flag),
        Value::Int(number) => json!(number),
        Value::BigInt(number) => json!({ "$int": number.to_string() }),
        Value::Float(number) if number.is_finite() => json!(number),
        Value::Float(number) => {
            let text = if number.is_nan() {
                "nan"
            } else if *number > 0.0 {
                "inf"
            } else {
                "-inf"
            };
            json!({ "$float": text })
        }
        Value::Str(text) => json!(text),
        Value::Bytes(bytes) => json!({ "$bytes": bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>() }),
        Value::Date(date) => json!({ "$date": date.to_string() }),
        Value::Time(time) => json!({ "$time": time.to_string() }),
        Value::DateTime(moment) => json!({ "$datetime": moment.to_string() }),
        Value::Delta(delta) => json!({ "$timedelta": delta.to_string() }),
        Value::Decimal(decimal) => json!({ "$decimal": decimal.to_string() }),
        Value::Uuid(id) => json!({ "$uuid": uuid_text(*id) }),
        Value::Ellipsis => json!({ "$ellipsis": true }),
        _ => Json::Null,
    }
}

fn object(type_name: &str, fields: &[(String, Value)]) -> Json {
    json!({ "$object": type_name, "fields": named(fields) })
}

fn list(items: &[Value]) -> Json {
    Json::Array(items.iter().map(to_json).collect())
}

fn named(fields: &[(String, Value)]) -> Json {
    Json::Object(fields.iter().map(|(name, value)| (name.clone(), to_json(value))).collect())
}

/// Plain where all keys are strings that cannot be taken for a tag.
fn dict(entries: &[(Value, Value)]) -> Json {
    let mut plain = Map::new();
    for (key, value) in entries {
        match key {
            Value::Str(text) if !text.starts_with('$') => plain.insert(text.clone(), to_json(value)),
            _ => {
                let pairs: Vec<Json> =
                    entries.iter().map(|(key, value)| json!([to_json(key), to_json(value)])).collect();
                return json!({ "$dict": pairs });
            }
        };
    }
    Json::Object(plain)
}

/// Only what there is: most exceptions have no notes, fields or cause.
fn exception_to_json(exception: &ExceptionValue) -> Map<String, Json> {
    let mut out = Map::new();
    let mut put = |name: &str, value: Json, present: bool| {
        if present {
            out.insert(name.to_string(), value);
        }
    };
    put("$exception", json!(exception.type_name), true);
    put("args", list(&exception.args), true);
    put("bases", json!(exception.bases), !exception.bases.is_empty());
    put("fields", named(&exception.fields), !exception.fields.is_empty());
    put("message", json!(exception.message), exception.message.is_some());
    for (name, linked) in [("cause", &exception.cause), ("context", &exception.context)] {
        if let Some(linked) = linked {
            put(name, Json::Object(exception_to_json(linked)), true);
        }
    }
    put("suppress_context", json!(true), exception.suppress_context);
    put("notes", json!(exception.notes), !exception.notes.is_empty());
    put("traceback", json!(exception.traceback), !exception.traceback.is_empty());
    out
}

fn uuid_text(id: u128) -> String {
    let hex = format!("{id:032x}");
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

// -------------------------------------------------------------------------------------------------------- reading

/// A tagged object that does not hold what its tag says.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JsonError {
    #[error("{tag} should hold {expected}")]
    Shape { tag: &'static str, expected: &'static str },
    #[error("{tag}: {source}")]
    Text { tag: &'static str, source: ParseError },
    #[error("$dict has the same key twice")]
    DuplicateKey,
}

/// Plain JSON, or what [`to_json`] wrote. Recurses as deep as the JSON is, which `serde_json` limits where it parses.
/// An object whose `$…` key is not known is a plain dict.
pub fn from_json(json: &Json) -> Result<Value, JsonError> {
    Ok(match json {
        Json::Null => Value::None,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(small), _) => Value::Int(small),
            (_, Some(large)) => Value::integer(BigInt::from(large)),
            _ => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::str(text.as_str()),
        Json::Array(items) => Value::List(read_list(items)?),
        Json::Object(map) => match tagged(map)? {
            Some(value) => value,
            None => {
                let entries = map.iter().map(|(key, value)| Ok((Value::str(key.as_str()), from_json(value)?)));
                Value::Dict(entries.collect::<Result<_, JsonError>>()?)
            }
        },
    })
}

fn tagged(map: &Map<String, Json>) -> Result<Option<Value>, JsonError> {
    if map.contains_key("$object") {
        return read_object(map).map(Some);
    }
    if map.contains_key("$exception") {
        return Ok(Some(Value::Exception(Box::new(read_exception(map)?))));
    }
    match (map.len(), map.iter().next()) {
        (1, Some((tag, content))) if tag == "$dict" => Ok(Some(Value::Dict(read_dict(content)?))),
        (1, Some((tag, content))) if tag.starts_with('$') => read_leaf(tag, content),
        _ => Ok(None),
    }
}

fn read_object(map: &Map<String, Json>) -> Result<Value, JsonError> {
    let tag = "$object";
    let type_name = string(tag, map.get(tag).unwrap_or(&Json::Null))?;
    let fields = map.get("fields").map_or(Ok(Vec::new()), |fields| read_named(tag, fields))?;
    Ok(Value::Object { type_name, fields })
}

fn read_leaf(tag: &str, content: &Json) -> Result<Option<Value>, JsonError> {
    Ok(Some(match tag {
        "$int" => Value::integer(read_integer(content)?),
        "$float" => Value::Float(match content.as_str() {
            Some("nan") => f64::NAN,
            Some("inf") => f64::INFINITY,
            Some("-inf") => f64::NEG_INFINITY,
            _ => return Err(JsonError::Shape { tag: "$float", expected: "\"nan\", \"inf\" or \"-inf\"" }),
        }),
        "$bytes" => Value::Bytes(read_hex(content)?),
        "$date" => Value::Date(parsed("$date", content)?),
        "$time" => Value::Time(parsed("$time", content)?),
        "$datetime" => Value::DateTime(parsed("$datetime", content)?),
        "$timedelta" => Value::Delta(parsed("$timedelta", content)?),
        "$decimal" => Value::Decimal(parsed("$decimal", content)?),
        "$uuid" => {
            let hex = string("$uuid", content)?.replace('-', "");
            let valid = hex.len() == 32 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
            let id = u128::from_str_radix(&hex, 16).ok().filter(|_| valid);
            Value::Uuid(id.ok_or(JsonError::Shape { tag: "$uuid", expected: "a UUID" })?)
        }
        "$ellipsis" => Value::Ellipsis,
        _ => return Ok(None),
    }))
}

fn string(tag: &'static str, json: &Json) -> Result<String, JsonError> {
    json.as_str().map(str::to_string).ok_or(JsonError::Shape { tag, expected: "a string" })
}

fn parsed<T: std::str::FromStr<Err = ParseError>>(tag: &'static str, json: &Json) -> Result<T, JsonError> {
    string(tag, json)?.parse().map_err(|source| JsonError::Text { tag, source })
}

fn read_integer(json: &Json) -> Result<BigInt, JsonError> {
    let text = string("$int", json)?;
    let number = if text.len() <= MAX_DIGITS { text.parse().ok() } else { None };
    number.ok_or(JsonError::Shape { tag: "$int", expected: "a whole number" })
}

fn read_hex(json: &Json) -> Result<Vec<u8>, JsonError> {
    let wrong = JsonError::Shape { tag: "$bytes", expected: "pairs of hexadecimal digits" };
    let text = string("$bytes", json)?;
    if text.len() % 2 != 0 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(wrong);
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| wrong.clone())).collect()
}

fn read_dict(json: &Json) -> Result<Vec<(Value, Value)>, JsonError> {
    let wrong = || JsonError::Shape { tag: "$dict", expected: "an array of [key, value] pairs" };
    let mut entries = Vec::new();
    for pair in json.as_array().ok_or_else(wrong)? {
        let [key, value] = pair.as_array().ok_or_else(wrong)?.as_slice() else { return Err(wrong()) };
        entries.push((from_json(key)?, from_json(value)?));
    }
    if !crate::payload::all_distinct(entries.iter().map(|(key, _)| key)) {
        return Err(JsonError::DuplicateKey);
    }
    Ok(entries)
}

fn read_list(items: &[Json]) -> Result<Vec<Value>, JsonError> {
    items.iter().map(from_json).collect()
}

fn read_named(tag: &'static str, json: &Json) -> Result<Vec<(String, Value)>, JsonError> {
    let fields = json.as_object().ok_or(JsonError::Shape { tag, expected: "fields in an object" })?;
    fields.iter().map(|(name, value)| Ok((name.clone(), from_json(value)?))).collect()
}

fn read_exception(map: &Map<String, Json>) -> Result<ExceptionValue, JsonError> {
    let tag = "$exception";
    let strings = |name: &str| -> Result<Vec<String>, JsonError> {
        let Some(json) = map.get(name) else { return Ok(Vec::new()) };
        let items = json.as_array().ok_or(JsonError::Shape { tag, expected: "arrays of strings" })?;
        items.iter().map(|item| string(tag, item)).collect()
    };
    let linked = |name: &str| match map.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::Object(linked)) => read_exception(linked).map(|linked| Some(Box::new(linked))),
        Some(_) => Err(JsonError::Shape { tag, expected: "exceptions as cause and context" }),
    };
    Ok(ExceptionValue {
        type_name: string(tag, map.get(tag).unwrap_or(&Json::Null))?,
        bases: strings("bases")?,
        args: match map.get("args") {
            None => Vec::new(),
            Some(args) => read_list(args.as_array().ok_or(JsonError::Shape { tag, expected: "args in an array" })?)?,
        },
        fields: map.get("fields").map_or(Ok(Vec::new()), |fields| read_named(tag, fields))?,
        message: map.get("message").filter(|json| !json.is_null()).map(|json| string(tag, json)).transpose()?,
        cause: linked("cause")?,
        context: linked("context")?,
        suppress_context: map.get("suppress_context").and_then(Json::as_bool).unwrap_or(false),
        notes: strings("notes")?,
        traceback: strings("traceback")?,
    })
}
