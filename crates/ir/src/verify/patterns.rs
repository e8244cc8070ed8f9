//! `match`: what patterns capture, and cases that leave nothing for those after them.

use super::codes;
use crate::visit::{self, Part};
use crate::*;
use std::collections::BTreeSet;

pub(super) fn check(function: &Function, problems: &mut Vec<Diagnostic>) {
    visit::each_part(Part::Block(&function.body), &mut |part| {
        let Part::Block(block) = part else { return };
        for statement in block.iter() {
            let StmtKind::Match { cases, .. } = &statement.kind else { continue };
            cases.iter().for_each(|case| drop(captures(&case.pattern, problems)));
            let dead_from = cases.len().saturating_sub(1);
            for case in cases[..dead_from].iter().filter(|case| catches_all(case)) {
                let message = "this case takes everything, so those after it are never tried";
                let problem = Diagnostic::error(codes::IRREFUTABLE_CASE, case.pattern.span, message);
                problems.push(problem.help("move it to the end, or give it an `if`"));
            }
        }
    });
}

/// Whether no value gets past the case.
pub(super) fn catches_all(case: &Case) -> bool {
    case.guard.is_none() && irrefutable(&case.pattern)
}

fn irrefutable(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Wildcard | PatternKind::Capture(_) => true,
        PatternKind::As { pattern, .. } => irrefutable(pattern),
        PatternKind::Or(alternatives) => alternatives.iter().any(irrefutable),
        _ => false,
    }
}

/// The names a pattern binds; reports those it binds twice.
fn captures<'a>(pattern: &'a Pattern, problems: &mut Vec<Diagnostic>) -> BTreeSet<&'a str> {
    if let PatternKind::Or(alternatives) = &pattern.kind {
        let mut sets = alternatives.iter().map(|alternative| captures(alternative, problems)).collect::<Vec<_>>();
        if sets.windows(2).any(|pair| pair[0] != pair[1]) {
            let message = "the alternatives capture different names";
            let problem = Diagnostic::error(codes::ALTERNATIVES_DIFFER, pattern.span, message);
            problems.push(problem.help("capture the same names in each, or split the case"));
        }
        return sets.drain(..).flatten().collect();
    }
    let mut found = BTreeSet::new();
    let mut twice = Vec::new();
    visit::of_pattern(pattern, &mut |part| {
        if let Part::Pattern(inner) = part {
            twice.extend(captures(inner, problems).into_iter().filter(|name| !found.insert(*name)));
        }
    });
    let own = match &pattern.kind {
        PatternKind::Capture(name) | PatternKind::Star(Some(name)) | PatternKind::As { name, .. } => Some(name),
        PatternKind::Mapping { rest, .. } => rest.as_ref(),
        _ => None,
    };
    twice.extend(own.map(String::as_str).filter(|name| !found.insert(name)));
    for name in twice {
        let message = format!("the pattern captures `{name}` twice");
        let problem = Diagnostic::error(codes::DUPLICATE_CAPTURE, pattern.span, message);
        problems.push(problem.help("rename one, and compare them in an `if` after the pattern"));
    }
    found
}
