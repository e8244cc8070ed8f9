//! What stands outside the program: built-ins and modules, supplied by whoever runs it; and guesses at what was meant.

/// The names a runner knows. Lists serve suggestions only and may be empty.
pub trait Names {
    /// A built-in function or type, such as `len`.
    fn is_builtin(&self, name: &str) -> bool;
    fn is_module(&self, name: &str) -> bool;
    fn has_attribute(&self, module: &str, attribute: &str) -> bool;
    fn builtins(&self) -> Vec<&str> {
        Vec::new()
    }
    fn modules(&self) -> Vec<&str> {
        Vec::new()
    }
    fn attributes(&self, _module: &str) -> Vec<&str> {
        Vec::new()
    }
}

/// The nearest of the candidates, where one is near enough to be a slip of the finger.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // In a name of one or two letters, one that differs is another name.
    let allowed = (name.chars().count() / 3).min(3);
    if allowed == 0 || name.len() > 64 {
        return None;
    }
    candidates
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= 4 * allowed && *candidate != name)
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions and replacements that turn one into the other.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, from) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, to) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}
