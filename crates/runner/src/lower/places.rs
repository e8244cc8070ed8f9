//! Places in the source as tracebacks show them: `File "app.py", line 20, in run`, and the text of that line.

use std::sync::Arc;

use waymark_ir::{Function, Program};

/// What is shown of a line.
const LINE_LENGTH_MAX: usize = 200;

/// The texts that spans point into, line by line.
pub(super) struct Sources(Vec<(String, Vec<String>)>);

impl Sources {
    pub fn of(program: &Program) -> Sources {
        let lines = |text: &str| text.lines().map(|line| line.chars().take(LINE_LENGTH_MAX).collect()).collect();
        Sources(program.sources.iter().map(|source| (source.path.clone(), lines(&source.text))).collect())
    }

    /// One for each of these lines of a function.
    pub fn places(&self, function: &Function, lines: impl Iterator<Item = u32>) -> Vec<Arc<str>> {
        let name = self.name(function);
        let source = self.0.get(function.span.file as usize);
        let place = |line: u32| match source {
            Some((path, lines)) => {
                let text = lines.get((line as usize).wrapping_sub(1)).map_or("", |text| text.trim());
                let separator = if text.is_empty() { "" } else { "\n    " };
                format!("File \"{path}\", line {line}, in {name}{separator}{text}")
            }
            None => format!("{name}, line {line}"),
        };
        lines.map(|line| place(line).into()).collect()
    }

    /// What the source calls it: the program may know it by another name, as `main` for the `run` of a workflow.
    fn name<'a>(&'a self, function: &'a Function) -> &'a str {
        let (line, column) = (function.span.line as usize, function.span.column as usize);
        let lines = self.0.get(function.span.file as usize).map(|(_, lines)| lines);
        let text = lines.and_then(|lines| lines.get(line.wrapping_sub(1))).map_or("", String::as_str);
        let start = text.char_indices().nth(column.wrapping_sub(1)).map_or(text.len(), |(at, _)| at);
        let written = text[start..].trim_start_matches("async ").trim_start();
        match written.strip_prefix("def ").map(str::trim_start) {
            Some(rest) => &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())],
            None if function.name.is_empty() => "<lambda>",
            None => &function.name,
        }
    }
}
