//! JSON that a user gives on the command line: inline, or in a file after an `@`.

use std::path::Path;

use serde_json::Value as Json;
use waymark_ir::json::from_json;
use waymark_ir::{Function, ParamKind, Value};

use crate::source::read_text;
use crate::terminal::hinted;

/// A value, and where it stands.
fn json(place: &str, argument: &str, hint: &str) -> anyhow::Result<(String, Json)> {
    let (place, text) = match argument.strip_prefix('@') {
        Some(path) => (format!("`{path}`"), read_text(Path::new(path))?),
        None => (place.to_string(), argument.to_string()),
    };
    let parsed = serde_json::from_str(&text);
    let parsed = parsed.map_err(|error| hinted(format!("{place} is not JSON: {error}"), hint))?;
    Ok((place, parsed))
}

/// An object, and where it stands.
pub fn object(argument: &str) -> anyhow::Result<(String, serde_json::Map<String, Json>)> {
    let hint = r#"write an object, e.g. '{"items": [1, 2]}', or @FILE"#;
    let (place, parsed) = json("--input", argument, hint)?;
    let Json::Object(given) = parsed else {
        return Err(hinted(format!("{place} must be an object"), "its keys are the parameters of the program"));
    };
    Ok((place, given))
}

/// A value for a program, as it travels.
pub fn payload(place: &str, argument: &str) -> anyhow::Result<Vec<u8>> {
    let hint = r#"write a value, e.g. true or '{"by": "ann"}' or '"text"', or @FILE"#;
    let (place, given) = json(place, argument, hint)?;
    let value = from_json(&given).map_err(|error| anyhow::anyhow!("{place}: {error}"))?;
    Ok(waymark_ir::payload::encode(&value))
}

/// Inputs by parameter name, unchecked, as they travel.
pub fn object_payload(argument: &str) -> anyhow::Result<Vec<u8>> {
    let (place, given) = object(argument)?;
    let value = from_json(&Json::Object(given)).map_err(|error| anyhow::anyhow!("{place}: {error}"))?;
    Ok(waymark_ir::payload::encode(&value))
}

/// The inputs of a program by parameter name, checked against the function that takes them.
pub fn inputs(argument: &str, entry: &Function) -> anyhow::Result<Vec<(String, Value)>> {
    let (place, given) = object(argument)?;
    check_names(&place, given.keys().map(String::as_str).collect(), entry)?;
    let read = |(name, value): (&String, &Json)| {
        let value = from_json(value).map_err(|error| anyhow::anyhow!("{place}: `{name}`: {error}"))?;
        Ok((name.clone(), value))
    };
    given.iter().map(read).collect()
}

/// Names every unknown and every missing parameter at once.
fn check_names(place: &str, given: Vec<&str>, entry: &Function) -> anyhow::Result<()> {
    let takes_any = entry.params.iter().any(|param| param.kind == ParamKind::Options);
    let named = || entry.params.iter().filter(|param| !matches!(param.kind, ParamKind::Rest | ParamKind::Options));
    let unknown = given.iter().filter(|name| !takes_any && named().all(|param| param.name != **name));
    let missing = named().filter(|param| param.default.is_none() && !given.contains(&param.name.as_str()));
    let mut problems: Vec<String> = unknown.map(|name| format!("no parameter is called `{name}`")).collect();
    problems.extend(missing.map(|param| format!("`{}` is missing", param.name)));
    if problems.is_empty() {
        return Ok(());
    }
    let known: Vec<String> = named()
        .map(|param| match param.default {
            Some(_) => format!("`{}` (optional)", param.name),
            None => format!("`{}`", param.name),
        })
        .collect();
    let hint = match known.is_empty() {
        true => format!("`{}` takes no input", entry.name),
        false => format!("`{}` takes {}", entry.name, known.join(", ")),
    };
    Err(hinted(format!("{place}: {}", problems.join("; ")), hint))
}
