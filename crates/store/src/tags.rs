//! Tags of an instance, as its row keeps them for showing: one a line. What is searched is `instance_tags`.

pub(crate) fn stored(tags: &[String]) -> Option<String> {
    (!tags.is_empty()).then(|| tags.join("\n"))
}

pub(crate) fn read(stored: Option<String>) -> Vec<String> {
    stored.iter().flat_map(|tags| tags.split('\n')).map(str::to_string).collect()
}

pub(crate) fn problem(tags: &[String]) -> Option<String> {
    let bad = tags.iter().find(|tag| tag.is_empty() || tag.contains(['\n', '\0']))?;
    Some(format!("{bad:?} is no tag: it must be one line, and not empty"))
}
