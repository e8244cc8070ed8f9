//! Tables on stdout, and what stands in their cells.

use comfy_table::{Table, presets};
use uuid::Uuid;

use crate::terminal;

pub fn with<const COLUMNS: usize>(header: [&str; COLUMNS]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(header);
    table
}

pub fn print(table: &Table) -> anyhow::Result<()> {
    terminal::data(&text(table))
}

/// Names and values, a line each; what is empty is left out.
pub fn print_pairs(rows: impl IntoIterator<Item = (&'static str, String)>) -> anyhow::Result<()> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    for (name, value) in rows.into_iter().filter(|(_, value)| !value.is_empty()) {
        table.add_row([name.to_string(), value]);
    }
    print(&table)
}

pub fn text(table: &Table) -> String {
    format!("{}\n", table.trim_fmt())
}

/// Nothing has a sign of its own.
pub fn or_dash(text: impl Into<String>) -> String {
    let text = text.into();
    if text.is_empty() { "-".into() } else { text }
}

/// One line of at most so many characters.
pub fn cut(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    match line.char_indices().nth(most) {
        None => line,
        Some(_) => line.chars().take(most - 1).chain(['…']).collect(),
    }
}

/// An id from the wire; none: empty.
pub fn id(bytes: &[u8]) -> String {
    Uuid::from_slice(bytes).map(|id| id.to_string()).unwrap_or_default()
}

/// `1234567` as `1,234,567`.
pub fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
