//! Calls of the program's own functions: do the arguments fit the parameters?

use super::codes;
use crate::*;
use std::collections::HashSet;

pub(super) fn duplicate_keywords(args: &[Arg], span: Span, problems: &mut Vec<Diagnostic>) {
    let mut seen = HashSet::new();
    for arg in args {
        if let Arg::Keyword(name, value) = arg
            && !seen.insert(name.as_str())
        {
            let span = if value.span.is_nowhere() { span } else { value.span };
            let message = format!("the argument `{name}` is given twice");
            problems.push(Diagnostic::error(codes::DUPLICATE_KEYWORD, span, message).help("keep one of them"));
        }
    }
}

pub(super) fn arguments(function: &Function, args: &[Arg], span: Span, problems: &mut Vec<Diagnostic>) {
    // What `*items` or `**mapping` hold shows only at run time.
    let unpacked = args.iter().any(|arg| match arg {
        Arg::Rest(_) | Arg::Options(_) => true,
        Arg::Positional(value) => matches!(value.kind, ExprKind::Starred(_)),
        Arg::Keyword(..) => false,
    });
    if unpacked {
        return;
    }
    let mut wrong = |message: String| {
        let help = format!("its parameters are ({})", signature(function));
        problems.push(Diagnostic::error(codes::WRONG_ARGUMENTS, span, message).help(help));
    };
    let of_kind = |kinds: &'static [ParamKind]| function.params.iter().filter(move |param| kinds.contains(&param.kind));
    let positional: Vec<&Param> = of_kind(&[ParamKind::PositionalOnly, ParamKind::Positional]).collect();
    let given = args.iter().filter(|arg| matches!(arg, Arg::Positional(_))).count();
    let takes_rest = of_kind(&[ParamKind::Rest]).next().is_some();
    if given > positional.len() && !takes_rest {
        let most = positional.len();
        wrong(format!("`{}` takes {most} positional argument(s), but {given} are given", function.name));
    }
    let mut filled: HashSet<&str> = positional.iter().take(given).map(|param| param.name.as_str()).collect();
    let mut unknown = Vec::new();
    for arg in args {
        let Arg::Keyword(name, value) = arg else { continue };
        let param = of_kind(&[ParamKind::Positional, ParamKind::KeywordOnly]).find(|param| param.name == *name);
        match param {
            Some(param) => {
                if positional.iter().take(given).any(|taken| taken.name == param.name) {
                    wrong(format!("`{name}` of `{}` is given by position and by name", function.name));
                }
                filled.insert(&param.name);
            }
            None if of_kind(&[ParamKind::Options]).next().is_some() => {}
            None => unknown.push((name, if value.span.is_nowhere() { span } else { value.span })),
        }
    }
    let required = of_kind(&[ParamKind::PositionalOnly, ParamKind::Positional, ParamKind::KeywordOnly]);
    let missing: Vec<&str> = required
        .filter(|param| param.default.is_none() && !filled.contains(param.name.as_str()))
        .map(|param| param.name.as_str())
        .collect();
    if !missing.is_empty() {
        wrong(format!("`{}` is called without `{}`", function.name, missing.join("`, `")));
    }
    for (name, span) in unknown {
        let message = format!("`{}` has no parameter `{name}`", function.name);
        let near = super::names::nearest(name, function.params.iter().map(|param| param.name.as_str()));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("its parameters are ({})", signature(function)),
        };
        problems.push(Diagnostic::error(codes::UNKNOWN_KEYWORD, span, message).help(help));
    }
}

fn signature(function: &Function) -> String {
    let params = function.params.iter().map(|param| match param.kind {
        ParamKind::Rest => format!("*{}", param.name),
        ParamKind::Options => format!("**{}", param.name),
        _ if param.default.is_some() => format!("{}=…", param.name),
        _ => param.name.clone(),
    });
    params.collect::<Vec<_>>().join(", ")
}
