//! The module `json`: `dumps` in `dump`, `loads` in `load`. Hooks are functions of the program: those calls go to a worker.

mod dump;
mod load;

use std::sync::Arc;

use crate::context::{Context, Eval, Fault};
use crate::python::{Args, Constants, Functions};
use crate::value::Value;

pub const FUNCTIONS: Functions = &[("json.dumps", dump::dumps), ("json.loads", load::loads)];
pub const CONSTANTS: Constants = &[];

/// Nested containers that are read or written.
const DEPTH_MAX: usize = 400;

/// The one positional argument, and the options that are set. A hook that is not None makes the call a worker's.
fn arguments<'a>(
    cx: &mut Context,
    args: Args<'a>,
    [function, class, first]: [&str; 3],
    options: &[&str],
    hooks: &[&str],
) -> Eval<(Value, Vec<(&'a str, &'a Value)>)> {
    if args.positional.len() > 1 {
        let given = args.positional.len();
        return Err(cx.type_error(format!("{function}() takes 1 positional argument but {given} were given")));
    }
    let mut subject = args.positional.first().cloned();
    let mut set = Vec::new();
    let mut unknown: Option<&Arc<str>> = None;
    for (name, value) in args.keyword {
        if &**name == first {
            if subject.is_some() {
                return Err(cx.type_error(format!("{function}() got multiple values for argument '{name}'")));
            }
            subject = Some(value.clone());
        } else if hooks.contains(&&**name) {
            if !value.is_none() {
                return Err(Fault::Worker);
            }
        } else if options.contains(&&**name) {
            set.push((&**name, value));
        } else {
            unknown = unknown.or(Some(name));
        }
    }
    let Some(subject) = subject else {
        return Err(cx.type_error(format!("{function}() missing 1 required positional argument: '{first}'")));
    };
    if let Some(name) = unknown {
        return Err(cx.type_error(format!("{class}.__init__() got an unexpected keyword argument '{name}'")));
    }
    Ok((subject, set))
}
