//! What is wrong with a user's source: a stable code, a place, a reason and a way out.

use crate::Span;

/// One problem. A parser or verifier returns all it finds, never only the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable, e.g. `W0101`; documented in `docs/diagnostics.md`.
    pub code: &'static str,
    pub severity: Severity,
    /// One sentence, no trailing full stop.
    pub message: String,
    pub span: Span,
    /// Shown under the marked source text.
    pub label: Option<String>,
    /// What to write instead.
    pub help: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
}

impl Diagnostic {
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { code, severity: Severity::Error, message: message.into(), span, label: None, help: None }
    }

    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = Some(label.into());
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}:{}: [{}] {}", self.span.line, self.span.column, self.code, self.message)?;
        match &self.help {
            Some(help) => write!(out, " (help: {help})"),
            None => Ok(()),
        }
    }
}
