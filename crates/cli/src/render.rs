//! Problems as people read them, with the line they are about; and as machines do.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde_json::json;
use waymark_ir::{Diagnostic, Severity, Span};

use crate::source::Source;

/// A marked range longer than this is cut: its beginning is enough to find it.
const LINES_MAX: usize = 12;

/// Coloured; [`crate::terminal`] takes the colour off where it is not wanted. Ends with an empty line.
pub fn diagnostic(source: &Source, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&diagnostic.message).id(diagnostic.code);
    let mut group = mark(Group::with_title(title), source, diagnostic.span, diagnostic.label.as_deref());
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    Renderer::styled().render(&[group]) + "\n"
}

fn mark<'a>(group: Group<'a>, source: &'a Source, span: Span, label: Option<&'a str>) -> Group<'a> {
    match excerpt(&source.lines, span) {
        Some((text, range)) => {
            let annotation = AnnotationKind::Primary.span(range).label(label);
            let snippet =
                Snippet::source(text).path(&source.path).line_start(span.line as usize).annotation(annotation);
            group.element(snippet)
        }
        None => group.element(annotate_snippets::Origin::path(&source.path)),
    }
}

/// The lines of a span, and the bytes in them that it covers.
fn excerpt(lines: &[String], span: Span) -> Option<(String, Range<usize>)> {
    if span.is_nowhere() || span.file != 0 {
        return None;
    }
    let first = span.line as usize - 1;
    let last = (span.end_line.max(span.line) - 1) as usize;
    let shown = lines.get(first..=last.min(first + LINES_MAX).min(lines.len().checked_sub(1)?))?;
    let start = byte_of_column(shown.first()?, span.column);
    let (end_line, before) = shown.split_last()?;
    let is_cut = first + before.len() < last;
    let column_end = if is_cut { end_line.len() } else { byte_of_column(end_line, span.end_column) };
    let end = before.iter().map(|line| line.len() + 1).sum::<usize>() + column_end;
    Some((shown.join("\n"), start..end.max(start)))
}

/// Columns count characters, from 1.
fn byte_of_column(line: &str, column: u32) -> usize {
    line.char_indices().nth((column as usize).saturating_sub(1)).map_or(line.len(), |(at, _)| at)
}

pub fn diagnostic_json(source: &Source, diagnostic: &Diagnostic) -> serde_json::Value {
    json!({
        "file": source.path,
        "code": diagnostic.code,
        "severity": match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "line": diagnostic.span.line,
        "column": diagnostic.span.column,
        "end_line": diagnostic.span.end_line,
        "end_column": diagnostic.span.end_column,
        "message": diagnostic.message,
        "label": diagnostic.label,
        "help": diagnostic.help,
    })
}
