//! Statements with parts that may be left out, and with named parameters.
//!
//! A part begins with a line `-- [name` and ends with `-- name]`. `:name` is a parameter (`::` is a cast, as ever).
//!
//! `rows[name](:a::uuid[], :b::text[])` are as many rows as the arrays are long: `unnest(…)`. That makes a table of each array first, which takes
//! longer than all the rest when there is one row, so few rows are written out, with a parameter for each value: `:a_1`, `:b_1`, `:a_2`, …

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio_postgres::types::ToSql;

/// So many rows are written out.
const FEW_MAX: usize = 2;

/// Names of rows, and how many there are of each.
pub(super) type Counts = Vec<(&'static str, usize)>;

/// SQL as Postgres wants it, and the names of its parameters in their order.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Filled {
    pub sql: String,
    pub parameters: Vec<String>,
}

/// The parts that are in a statement, and the rows that are written out.
type Key = (Vec<&'static str>, Counts);

/// A template's statements, by the parts that are in them; each is made once.
pub(super) struct Template {
    text: &'static str,
    filled: Mutex<Option<HashMap<Key, Arc<Filled>>>>,
}

impl Template {
    pub(super) const fn new(text: &'static str) -> Template {
        Template { text, filled: Mutex::new(None) }
    }

    /// The statement of these parts, for so many rows.
    pub(super) fn with(&self, parts: Vec<&'static str>, mut counts: Counts) -> Arc<Filled> {
        counts.retain(|(_, count)| (1..=FEW_MAX).contains(count));
        let mut filled = self.filled.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let filled = filled.get_or_insert_default();
        let make = |(parts, few): &Key| Arc::new(fill(self.text, parts, few));
        filled.entry((parts, counts)).or_insert_with_key(make).clone()
    }
}

/// A column's value: one of few, or all of them.
pub(super) fn value_of<T: ToSql + Sync>(column: &Vec<T>, row: Option<usize>) -> Option<&(dyn ToSql + Sync)> {
    match row {
        None => Some(column),
        Some(row) => column.get(row).map(|value| value as &(dyn ToSql + Sync)),
    }
}

/// The column that a parameter is of, and the row if it is of one.
pub(super) fn place_of(parameter: &str) -> (&str, Option<usize>) {
    let numbered = parameter.rsplit_once('_').and_then(|(column, row)| Some((column, row.parse::<usize>().ok()?)));
    match numbered {
        Some((column, row)) => (column, row.checked_sub(1)),
        None => (parameter, None),
    }
}

fn fill(text: &str, parts: &[&str], few: &[(&str, usize)]) -> Filled {
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
    number(&write_rows(&sql, few))
}

/// `rows[name](…)`, for those that are few and for others.
fn write_rows(text: &str, few: &[(&str, usize)]) -> String {
    let mut sql = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("rows[") {
        sql.push_str(before);
        let (name, after) = after.split_once("](").expect("rows have a name and columns");
        let (columns, after) = after.split_once(')').expect("columns of rows have an end");
        rest = after;
        let Some((_, count)) = few.iter().find(|(few, _)| *few == name) else {
            sql.push_str(&format!("unnest({columns})"));
            continue;
        };
        let columns: Vec<(&str, &str)> = columns
            .split(',')
            .map(|column| column.trim().split_once("::").expect("a column is :name::type[]"))
            .map(|(parameter, array)| (parameter, array.trim_end_matches("[]")))
            .collect();
        let row = |number: usize| {
            let values: Vec<String> = columns.iter().map(|(name, kind)| format!("{name}_{number}::{kind}")).collect();
            format!("({})", values.join(", "))
        };
        let rows: Vec<String> = (1..=*count).map(row).collect();
        sql.push_str(&format!("(VALUES {})", rows.join(", ")));
    }
    sql.push_str(rest);
    sql
}

/// `:name` becomes `$1`, `$2`, …; one that comes again keeps its number.
fn number(text: &str) -> Filled {
    let mut sql = String::with_capacity(text.len());
    let mut parameters: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(colon) = rest.find(':') {
        sql.push_str(&rest[..colon]);
        let after = &rest[colon + 1..];
        let end = after
            .find(|letter: char| !letter.is_ascii_lowercase() && !letter.is_ascii_digit() && letter != '_')
            .unwrap_or(after.len());
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
        assert_eq!(fill(text, &["some"], &[]), some);
        let other =
            Filled { sql: "a $1::int[]\nc $2\nd $3\n".into(), parameters: vec!["x".into(), "z".into(), "y".into()] };
        assert_eq!(fill(text, &["no_some"], &[]), other);
    }
    #[test]
    fn few_rows_are_written_out() {
        static ROWS: Template =
            Template::new("a rows[x](:one::uuid[],\n  :two_b::bigint[]) AS w(c, d) rows[y](:e::text[])");
        let sql = |counts: Counts| ROWS.with(Vec::new(), counts).sql.clone();
        let many = "a unnest($1::uuid[],\n  $2::bigint[]) AS w(c, d) unnest($3::text[])\n";
        assert_eq!(sql(vec![("x", FEW_MAX + 1), ("y", 500)]), many);
        let few = "a (VALUES ($1::uuid, $2::bigint), ($3::uuid, $4::bigint)) AS w(c, d) unnest($5::text[])\n";
        assert_eq!(sql(vec![("x", 2), ("y", 3)]), few);
        let statement = ROWS.with(Vec::new(), vec![("x", 2), ("y", 1)]);
        let places: Vec<(&str, Option<usize>)> = statement.parameters.iter().map(|name| place_of(name)).collect();
        assert_eq!(
            places,
            [("one", Some(0)), ("two_b", Some(0)), ("one", Some(1)), ("two_b", Some(1)), ("e", Some(0))]
        );
        assert_eq!(place_of("two_b"), ("two_b", None));
    }
}
