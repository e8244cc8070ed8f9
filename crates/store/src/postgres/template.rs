//! Statements with parts that may be left out, and with named parameters.
//!
//! A part begins with a line `-- [name` and ends with `-- name]`. `:name` is a parameter (`::` is a cast, as ever).

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// SQL as Postgres wants it, and the names of its parameters in their order.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Filled {
    pub sql: String,
    pub parameters: Vec<String>,
}

/// A template's statements, by the parts that are in them; each is made once.
pub(super) struct Template {
    text: &'static str,
    filled: Mutex<Option<HashMap<Vec<&'static str>, Arc<Filled>>>>,
}

impl Template {
    pub(super) const fn new(text: &'static str) -> Template {
        Template { text, filled: Mutex::new(None) }
    }

    pub(super) fn with(&self, parts: Vec<&'static str>) -> Arc<Filled> {
        let mut filled = self.filled.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let filled = filled.get_or_insert_default();
        filled.entry(parts).or_insert_with_key(|parts| Arc::new(fill(self.text, parts))).clone()
    }
}

fn fill(text: &str, parts: &[&str]) -> Filled {
    let mut sql = String::new();
    let mut skipping = None;
    for line in text.lines() {
        let note = line.trim().strip_prefix("-- ");
        if let Some(name) = note.and_then(|note| note.strip_prefix('[')) {
            skipping = skipping.or((!parts.contains(&name)).then_some(name));
        } else if let Some(name) = note.and_then(|note| note.strip_suffix(']')) {
            skipping = skipping.filter(|skipped| *skipped != name);
        } else if note.is_none() && skipping.is_none() {
            sql.push_str(line);
            sql.push('\n');
        }
    }
    number(&sql)
}

/// `:name` becomes `$1`, `$2`, …; one that comes again keeps its number.
fn number(text: &str) -> Filled {
    let mut sql = String::with_capacity(text.len());
    let mut parameters: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(colon) = rest.find(':') {
        sql.push_str(&rest[..colon]);
        let after = &rest[colon + 1..];
        let end = after.find(|letter: char| !letter.is_ascii_lowercase() && letter != '_').unwrap_or(after.len());
        if let Some(cast) = after.strip_prefix(':') {
            sql.push_str("::");
            rest = cast;
            continue;
        }
        let name = &after[..end];
        let at = parameters.iter().position(|known| known == name).unwrap_or_else(|| {
            parameters.push(name.to_string());
            parameters.len() - 1
        });
        sql.push_str(&format!("${}", at + 1));
        rest = &after[end..];
    }
    sql.push_str(rest);
    Filled { sql, parameters }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_left_out_and_parameters_numbered() {
        let text = "a :x::int[]\n-- why\n-- [some\nb :y :x\n-- some]\n-- [no_some\nc :z\n-- no_some]\nd :y";
        let some = Filled { sql: "a $1::int[]\nb $2 $1\nd $2\n".into(), parameters: vec!["x".into(), "y".into()] };
        assert_eq!(fill(text, &["some"]), some);
        let other =
            Filled { sql: "a $1::int[]\nc $2\nd $3\n".into(), parameters: vec!["x".into(), "z".into(), "y".into()] };
        assert_eq!(fill(text, &["no_some"]), other);
    }
}
