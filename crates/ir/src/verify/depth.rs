//! The one check that may run on any tree: how deep it is.

use super::codes;
use crate::visit::{Part, parts};
use crate::*;

/// Stops at the limit, so it may run on any tree. Format specs nest without nodes of their own and count as a level.
pub(super) fn too_deep(program: &Program) -> Option<Diagnostic> {
    fn format_depth(parts: &[FormatPart], limit: usize) -> usize {
        let inner = parts.iter().map(|part| match part {
            FormatPart::Field { spec, .. } if limit > 0 => 1 + format_depth(spec, limit - 1),
            _ => 0,
        });
        inner.max().unwrap_or(0)
    }
    fn walk(part: Part<'_>, depth: usize, deepest: &mut Option<Span>) {
        if deepest.is_some() {
            return;
        }
        let (span, format) = match &part {
            Part::Expr(Expr { kind: ExprKind::Format(parts), span }) => (*span, format_depth(parts, MAX_DEPTH)),
            Part::Expr(expr) => (expr.span, 0),
            Part::Pattern(pattern) => (pattern.span, 0),
            Part::Function(function) => (function.span, 0),
            Part::Block(block) => (block.first().map_or(Span::NOWHERE, |statement| statement.span), 0),
        };
        if depth + format > MAX_DEPTH {
            *deepest = Some(span);
            return;
        }
        parts(&part, &mut |part| walk(part, depth + 1, deepest));
    }
    let mut deepest = None;
    program.functions.iter().for_each(|function| walk(Part::Function(function), 1, &mut deepest));
    deepest.map(|span| {
        Diagnostic::error(codes::TOO_DEEP, span, format!("the program is nested more than {MAX_DEPTH} levels deep"))
            .label("too deep here")
            .help("move the inner part to a function of its own, or split the expression")
    })
}
