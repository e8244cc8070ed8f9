//! The text form of programs: what people read and write, in tests, in `waymark compile` and in the UI.
//!
//! Statements and expressions are Python's. A file is a header, types, then functions:
//!
//! ```text
//! workflow orders                 # default: the file's name
//! dialect python                  # or flow
//! semantics 1
//! entry main
//!
//! type app.models:User(Base):     # a class of the user's; the first line says of which kind
//!     record frozen eq order      # or: opaque, exception, enum
//!     field name
//!     field age = 3
//!     override __eq__, full_name
//!
//! type app.models:Color:
//!     enum
//!     member RED = 1
//!
//! fn main(input: [items, limit=10], output: [results]):   # may wait
//!     results = []
//!     for item in items:
//!         done = @app.tasks:process(item=item) [retry: 3, backoff: 2s] [timeout: 1m]
//!         results = results + [done]
//!     return results
//!
//! def helper(a, /, b=1, *rest, c, **options):             # may not
//!     return a
//! ```
//!
//! - `@name(…)` calls an action and waits; `async @name(…)` only makes the awaitable; `@workflow name(…)` is a child
//!   workflow. A `[` after it always opens a policy: `retry`, `backoff`, `factor`, `max_delay`, `jitter`, `on`, `timeouts`,
//!   `timeout`, `grace`, `queue`, `transaction`. Durations are `500ms`, `2s`, `1m`, `2h`, `1d`, or any expression in seconds.
//! - `spread items:item -> @name(item)` makes one awaitable an item (here `@` does not wait) and gathers them;
//!   `spread(return_exceptions=True) items:item -> …` keeps what failed among the results.
//! - `fragment "source" (name=value) -> [written]` is source that a worker evaluates.
//! - `const(kind: …)` is a value without a literal, e.g. `const(datetime: "2024-01-02T03:04:05+01:00", name="CET")`,
//!   `const(decimal: "1.10")`, `const(list: [1, uuid("…")])`, `const(exception: "ValueError", args=["no"])`,
//!   `const(object: "app.models:User", {"name": "Ann"})`, `const(set: 1, 2)`, `const(delta: 1500000)` in microseconds.
//!   Inside another constant it is written `kind(…)`.
//!
//! Nothing of this takes a word away from Python: `spread`, `fragment`, `const` and the like are still names elsewhere.
//! Annotations, decorators, classes, imports, `global`, `except*` and complex numbers are refused.
//!
//! Codes: W0101 characters, W0102 strings without an end, W0103 escapes, W0104 numbers, W0105 indentation, W0106 brackets,
//! W0110 syntax, W0111 targets, W0112 Python that is not supported, W0113 policies, W0114 headers and types,
//! W0115 nesting, W0116 f-strings, W0117 constants, W0118 arguments and parameters, W0119 `await @…`, W0120 waiting in `def`.

mod lexer;
mod literal;
mod moment;
mod parser;
mod printer;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::{Diagnostic, Expr, Pattern, Program, Stmt};

/// A program as far as it could be read, and everything that is wrong with its text.
#[derive(Clone, Debug)]
pub struct Parsed {
    pub program: Program,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file. `path` is kept for messages and, without its extension, is the default name of the workflow.
pub fn parse(path: &str, source: &str) -> Parsed {
    let (mut program, diagnostics) = parser::program(path, &one_line_end(source));
    if let Some(first) = program.sources.first_mut() {
        first.text = source.to_string();
    }
    Parsed { program, diagnostics }
}

/// Reads one expression; line ends in it mean nothing.
pub fn parse_expression(source: &str) -> Result<Expr, Vec<Diagnostic>> {
    parser::expression(&one_line_end(source))
}

pub fn print(program: &Program) -> String {
    printer::program(program)
}

pub fn print_expression(expression: &Expr) -> String {
    printer::expression(expression)
}

/// One statement a line, each indented by so many levels of four spaces.
pub fn print_statements(statements: &[Stmt], indent: usize) -> String {
    printer::statements(statements, indent)
}

pub fn print_pattern(pattern: &Pattern) -> String {
    printer::pattern(pattern)
}

/// As Python does before it reads anything; lines and columns stay what they are.
fn one_line_end(source: &str) -> Cow<'_, str> {
    if source.contains('\r') {
        Cow::Owned(source.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(source)
    }
}
