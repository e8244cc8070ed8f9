//! What a workflow takes: the parameters of its entry function, and what is wrong with arguments that don't fit.

use std::fmt;

use waymark_ir::{ParamKind, Program, Value, payload};

/// Names longer than this get no suggestion, and are shown cut.
const NAME_SHOWN_MAX: usize = 64;
/// Names that one message lists.
const NAMES_SHOWN_MAX: usize = 10;

pub(super) struct Signature {
    parameters: Vec<Parameter>,
    /// There is a `**options` that takes every other name.
    is_open: bool,
}

struct Parameter {
    name: String,
    kind: ParamKind,
    has_default: bool,
}

impl Parameter {
    fn is_by_name(&self) -> bool {
        matches!(self.kind, ParamKind::Positional | ParamKind::KeywordOnly)
    }

    fn is_required(&self) -> bool {
        !self.has_default && !matches!(self.kind, ParamKind::Rest | ParamKind::Options)
    }
}

impl Signature {
    pub fn of(program: &Program) -> Signature {
        let params = program.function(&program.entry).map(|function| function.params.as_slice()).unwrap_or_default();
        let parameters = params.iter().map(|param| Parameter {
            name: param.name.clone(),
            kind: param.kind,
            has_default: param.default.is_some(),
        });
        Signature {
            parameters: parameters.collect(),
            is_open: params.iter().any(|param| param.kind == ParamKind::Options),
        }
    }

    /// Everything that is wrong with encoded arguments, in one message.
    pub fn check_inputs(&self, workflow_name: &str, inputs: &[u8]) -> Result<(), String> {
        if inputs.is_empty() {
            return self.check(workflow_name, &[]);
        }
        let decoded = payload::decode(inputs).map_err(|error| {
            format!("the inputs of workflow {workflow_name} can't be read: {error}\nhint: they are one MessagePack map")
        })?;
        let Value::Dict(entries) = decoded else {
            return Err(format!(
                "the inputs of workflow {workflow_name} are no map of arguments by name\nhint: it takes {self}"
            ));
        };
        let names = entries.iter().map(|(name, _)| match name {
            Value::Str(name) => Ok(name.as_str()),
            _ => Err(format!(
                "an argument of workflow {workflow_name} has a name that is no string\nhint: it takes {self}"
            )),
        });
        self.check(workflow_name, &names.collect::<Result<Vec<&str>, _>>()?)
    }

    /// What is wrong with arguments of these names.
    fn check(&self, workflow_name: &str, given: &[&str]) -> Result<(), String> {
        let by_name = || self.parameters.iter().filter(|parameter| parameter.is_by_name());
        let missing: Vec<&str> = self
            .parameters
            .iter()
            .filter(|parameter| parameter.is_required() && !given.contains(&parameter.name.as_str()))
            .map(|parameter| parameter.name.as_str())
            .collect();
        let is_unknown = |name: &str| !self.is_open && !by_name().any(|parameter| parameter.name == name);
        let unknown: Vec<&str> = given.iter().copied().filter(|name| is_unknown(name)).collect();
        if missing.is_empty() && unknown.is_empty() {
            return Ok(());
        }
        let free: Vec<&str> =
            by_name().map(|parameter| parameter.name.as_str()).filter(|name| !given.contains(name)).collect();
        let mut problems = Vec::new();
        list(&mut problems, &missing, |name| format!("missing {}", shown(name)));
        list(&mut problems, &unknown, |name| match nearest(name, free.iter().copied()) {
            Some(meant) => format!("unknown {} (did you mean {meant}?)", shown(name)),
            None => format!("unknown {}", shown(name)),
        });
        Err(format!("workflow {workflow_name} takes {self}: {}", problems.join(", ")))
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = Vec::new();
        list(&mut shown, &self.parameters, |parameter| {
            let stars = match parameter.kind {
                ParamKind::Rest => "*",
                ParamKind::Options => "**",
                _ => "",
            };
            format!("{stars}{}{}", parameter.name, if parameter.has_default { "=…" } else { "" })
        });
        write!(out, "({})", shown.join(", "))
    }
}

fn list<T>(into: &mut Vec<String>, items: &[T], show: impl Fn(&T) -> String) {
    into.extend(items.iter().take(NAMES_SHOWN_MAX).map(show));
    if items.len() > NAMES_SHOWN_MAX {
        into.push(format!("… and {} more", items.len() - NAMES_SHOWN_MAX));
    }
}

/// A name as a message can carry it.
pub(super) fn shown(name: &str) -> String {
    match name.char_indices().nth(NAME_SHOWN_MAX) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None if name.is_empty() => "\"\"".into(),
        None => name.into(),
    }
}

/// The name that was probably meant, if one is near enough.
pub(super) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = name.chars().take(NAME_SHOWN_MAX + 1).collect();
    if letters.len() > NAME_SHOWN_MAX {
        return None;
    }
    let distances = known.into_iter().filter(|other| other.len() <= 4 * NAME_SHOWN_MAX).map(|other| {
        let other_letters: Vec<char> = other.chars().collect();
        (distance(&letters, &other_letters), other)
    });
    let (distance, other) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + letters.len() / 4 && distance < letters.len()).then_some(other)
}

/// Letters to add, drop, replace, or swap with their neighbour.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (row, letter) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in right.iter().enumerate() {
            let mut cost =
                (last[column] + usize::from(letter != other)).min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && *letter == right[column - 1] && left[row - 1] == *other {
                cost = cost.min(before[column - 1] + 1);
            }
            current.push(cost);
        }
        before = std::mem::replace(&mut last, current);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_problems_are_named() {
        let program = |text: &str| waymark_ir::text::parse("test", text).program;
        let greet = Signature::of(&program("fn main(input: [name, times=1, *, loud=False]):\n    return name\n"));
        let open = Signature::of(&program("fn main(input: [name, **rest]):\n    return name\n"));
        let cases: [(&Signature, &[&str], Option<&str>); 8] = [
            (&greet, &["name"], None),
            (&greet, &["loud", "times", "name"], None),
            (&greet, &[], Some("workflow greet takes (name, times=…, loud=…): missing name")),
            (
                &greet,
                &["nmae"],
                Some("workflow greet takes (name, times=…, loud=…): missing name, unknown nmae (did you mean name?)"),
            ),
            (
                &greet,
                &["name", "x", "time"],
                Some("workflow greet takes (name, times=…, loud=…): unknown x, unknown time (did you mean times?)"),
            ),
            (&greet, &["name", ""], Some("workflow greet takes (name, times=…, loud=…): unknown \"\"")),
            (&open, &["name", "other"], None),
            (&open, &["other"], Some("workflow greet takes (name, **rest): missing name")),
        ];
        for (signature, given, expected) in cases {
            assert_eq!(signature.check("greet", given).err().as_deref(), expected, "{given:?}");
        }
        let long = "n".repeat(1 << 20);
        let many: Vec<&str> = std::iter::once(long.as_str()).chain(std::iter::repeat_n("other", 1000)).collect();
        assert!(greet.check("greet", &many).unwrap_err().len() < 1000);
    }
}
