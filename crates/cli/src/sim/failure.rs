//! How a workflow that failed is told: where, in its own source, and with what.

use std::fmt::Write;

use owo_colors::OwoColorize;
use serde_json::Value as Json;
use waymark_ir::{ExceptionValue, Value, json::to_json};

/// Exceptions that led to others are told first; longer chains are cut.
const CHAIN_MAX: usize = 8;

pub fn json(exception: &ExceptionValue) -> Json {
    to_json(&Value::Exception(Box::new(exception.clone())))
}

pub fn text(exception: &ExceptionValue) -> String {
    let mut chain = vec![(exception, "")];
    while let Some((last, _)) = chain.last().copied().filter(|_| chain.len() < CHAIN_MAX) {
        match (&last.cause, &last.context) {
            (Some(cause), _) => chain.push((cause, "this caused:")),
            (None, Some(context)) if !last.suppress_context => chain.push((context, "while that was handled:")),
            _ => break,
        }
    }
    let mut out = String::new();
    for (exception, link) in chain.into_iter().rev() {
        one(&mut out, exception);
        if !link.is_empty() {
            let _ = write!(out, "\n{link}\n");
        }
    }
    out
}

fn one(out: &mut String, exception: &ExceptionValue) {
    let _ = write!(out, "{}: {}", exception.type_name.red().bold(), message(exception));
    for note in &exception.notes {
        let _ = write!(out, "\n  {note}");
    }
    for entry in exception.traceback.iter().rev() {
        let (place, text) = entry.split_once('\n').unwrap_or((entry, ""));
        let _ = write!(out, "\n  {place}");
        if !text.is_empty() {
            let _ = write!(out, "\n  {}", text.dimmed());
        }
    }
}

/// What `str(exception)` would give, or nearly.
pub fn message(exception: &ExceptionValue) -> String {
    match (&exception.message, exception.args.as_slice()) {
        (Some(message), _) => message.clone(),
        (None, []) => String::new(),
        (None, [Value::Str(text)]) if exception.type_name != "KeyError" => text.clone(),
        (None, [only]) => to_json(only).to_string(),
        (None, several) => to_json(&Value::Tuple(several.to_vec())).to_string(),
    }
}
