//! Python's semantics: operators, built-in functions, methods of built-in types.
//!
//! A native function sees evaluated arguments and the [`Context`]; it never calls back into the program. What does
//! (`sorted(key=…)`, `map`, generators) is driven by the machine, which hands natives plain iterables only.
//! Where native code cannot be faithful (a class overrides `__eq__`) it returns [`Fault::Worker`] before it changed anything.
//!
//! [`Fault::Worker`]: crate::context::Fault::Worker

use std::sync::Arc;

use crate::context::{Context, Eval};
use crate::value::Value;

pub mod arguments;
pub mod builtins;
pub mod bytes;
pub mod compare;
pub mod copy;
pub mod decimal;
pub mod dict;
pub mod format;
pub mod iterate;
pub mod json;
pub mod list;
pub mod math;
pub mod number;
pub mod operators;
pub mod random;
pub mod repr;
pub mod set;
pub mod subscript;
pub mod text;
pub mod time;
pub mod tuple;
pub mod uuid;

/// A built-in function: an index into the registry. Snapshots store its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Builtin(pub u16);

#[derive(Clone, Copy)]
pub struct Args<'a> {
    pub positional: &'a [Value],
    pub keyword: &'a [(Arc<str>, Value)],
}

pub type NativeFunction = fn(&mut Context, Args<'_>) -> Eval;
pub type NativeMethod = fn(&mut Context, &Value, Args<'_>) -> Eval;

/// Built-in functions by the name that a program calls them by: `len`, `math.sqrt`, `dict.fromkeys`.
pub type Functions = &'static [(&'static str, NativeFunction)];
/// Constructors by class: what calling `int` or `datetime.date` does.
pub type Constructors = &'static [(crate::types::TypeId, NativeFunction)];
/// Methods of one class by name.
pub type Methods = &'static [(&'static str, NativeMethod)];
/// Constants by name: `math.pi`.
pub type Constants = &'static [(&'static str, fn() -> Value)];

impl<'a> Args<'a> {
    /// Binds arguments to parameters as Python does for a native function: `names` in order (a leading `/` in a name
    /// makes it positional only, a leading `*` keyword only), the first `required` of them needed. Absent ones are `None`.
    pub fn bind<const N: usize>(
        &self,
        cx: &mut Context,
        function: &str,
        names: [&str; N],
        required: usize,
    ) -> Eval<[Option<Value>; N]> {
        let mut bound: [Option<Value>; N] = std::array::from_fn(|_| None);
        let positional_max = names.iter().filter(|name| !name.starts_with('*')).count();
        if self.positional.len() > positional_max {
            let given = self.positional.len();
            let plural = if positional_max == 1 { "" } else { "s" };
            let least = if required < positional_max { "at most" } else { "exactly" };
            let text = match positional_max {
                0 => format!("{function}() takes no arguments ({given} given)"),
                1 if required == 1 => format!("{function}() takes exactly one argument ({given} given)"),
                _ => format!("{function}() takes {least} {positional_max} argument{plural} ({given} given)"),
            };
            return Err(cx.type_error(text));
        }
        for (at, value) in self.positional.iter().enumerate() {
            bound[at] = Some(value.clone());
        }
        for (name, value) in self.keyword {
            let found =
                names.iter().position(|known| !known.starts_with('/') && known.trim_start_matches('*') == &**name);
            let Some(at) = found else {
                let text = match names.iter().all(|known| known.starts_with('/')) {
                    true => format!("{function}() takes no keyword arguments"),
                    false => format!("{function}() got an unexpected keyword argument '{name}'"),
                };
                return Err(cx.type_error(text));
            };
            if bound[at].is_some() {
                let text = format!("argument for {function}() given by name ('{name}') and position ({})", at + 1);
                return Err(cx.type_error(text));
            }
            bound[at] = Some(value.clone());
        }
        let given = self.positional.len();
        if let Some(at) = bound[..required.min(N)].iter().position(Option::is_none) {
            let plural = if required == 1 { "" } else { "s" };
            let least = if required < positional_max { "at least" } else { "exactly" };
            let text = match names[at].starts_with('/') {
                true if required == 1 && positional_max == 1 => {
                    format!("{function}() takes exactly one argument ({given} given)")
                }
                true => format!("{function} expected {least} {required} argument{plural}, got {given}"),
                false => {
                    let name = names[at].trim_start_matches('*');
                    format!("{function}() missing required argument '{name}' (pos {})", at + 1)
                }
            };
            return Err(cx.type_error(text));
        }
        Ok(bound)
    }
}

#[cfg(test)]
mod container_tests;
