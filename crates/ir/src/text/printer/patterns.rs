//! The patterns of `case`.

use super::{Printer, expressions};
use crate::{Pattern, PatternKind, Value};

/// Binding strengths: `as` is 0.
const ALTERNATIVES: u8 = 1;
const CLOSED: u8 = 2;

impl Printer {
    pub(super) fn pattern(&mut self, pattern: &Pattern, minimum: u8) {
        let strength = match pattern.kind {
            PatternKind::As { .. } => 0,
            PatternKind::Or(_) => ALTERNATIVES,
            _ => CLOSED,
        };
        if strength < minimum {
            self.write("(");
        }
        self.bare_pattern(&pattern.kind);
        if strength < minimum {
            self.write(")");
        }
    }

    fn bare_pattern(&mut self, kind: &PatternKind) {
        match kind {
            PatternKind::Wildcard => self.write("_"),
            PatternKind::Capture(name) => self.write(name),
            PatternKind::Value(value) => self.expression(value, expressions::BIT_OR),
            PatternKind::Singleton(Value::Bool(true)) => self.write("True"),
            PatternKind::Singleton(Value::Bool(false)) => self.write("False"),
            PatternKind::Singleton(_) => self.write("None"),
            PatternKind::Sequence(items) => {
                self.write("[");
                self.commas(items, |printer, item| printer.pattern(item, 0));
                self.write("]");
            }
            PatternKind::Star(name) => {
                self.write("*");
                self.write(name.as_deref().unwrap_or("_"));
            }
            PatternKind::Mapping { entries, rest } => {
                self.write("{");
                self.commas(entries, |printer, (key, value)| {
                    printer.expression(key, expressions::BIT_OR);
                    printer.write(": ");
                    printer.pattern(value, 0);
                });
                if let Some(rest) = rest {
                    self.write(if entries.is_empty() { "**" } else { ", **" });
                    self.write(rest);
                }
                self.write("}");
            }
            PatternKind::Class { class, positional, keyword } => {
                self.expression(class, expressions::BIT_OR);
                self.write("(");
                self.commas(positional, |printer, item| printer.pattern(item, 0));
                if !positional.is_empty() && !keyword.is_empty() {
                    self.write(", ");
                }
                self.commas(keyword, |printer, (name, item)| {
                    printer.write(&format!("{name}="));
                    printer.pattern(item, 0);
                });
                self.write(")");
            }
            PatternKind::Or(alternatives) => {
                for (index, alternative) in alternatives.iter().enumerate() {
                    self.write(if index > 0 { " | " } else { "" });
                    self.pattern(alternative, CLOSED);
                }
            }
            PatternKind::As { pattern, name } => {
                self.pattern(pattern, ALTERNATIVES);
                self.write(&format!(" as {name}"));
            }
        }
    }
}
