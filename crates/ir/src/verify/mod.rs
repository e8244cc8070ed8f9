//! Checks what a compiler emitted, before it is stored: names, calls, control flow, targets, policies. It reports every
//! problem, in source order, and knows built-ins only by what the caller tells it ([`Names`]).
//!
//! One file a concern; [`crate::visit`] has the walks they share. Whatever the verifier accepts may be walked recursively: a tree nested
//! beyond [`crate::MAX_DEPTH`] gets that one diagnostic and is not looked at further.

mod actions;
mod calls;
pub mod codes;
mod declarations;
mod depth;
mod flow;
mod names;
mod patterns;
mod placement;
mod scope;
mod unbound;

pub use names::{Names, nearest};

use crate::{Diagnostic, Function, Program, visit};

/// All problems of a program, in source order. Without an error among them, it may be lowered.
pub fn verify(program: &Program, names: &dyn Names) -> Vec<Diagnostic> {
    if let Some(diagnostic) = depth::too_deep(program) {
        return vec![diagnostic];
    }
    let mut problems = Vec::new();
    declarations::check(program, names, &mut problems);
    scope::check(program, names, &mut problems);
    visit::each_function(program, &mut |function: &Function| {
        flow::check(function, &mut problems);
        patterns::check(function, &mut problems);
        actions::check(function, &mut problems);
        unbound::check(function, &mut problems);
    });
    placement::check(program, &mut problems);
    problems.sort_by_key(|problem| (problem.span.file, problem.span.line, problem.span.column));
    problems
}
