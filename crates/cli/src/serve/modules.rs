//! The users' modules: files are what Python imports them as, and have to be there.

use std::path::{Component, Path};

use crate::terminal::hinted;

/// `shop/app.py` is what Python imports as `shop.app`. A module's name is left as it is: whether it can be found is for workers to say.
pub fn module_name(name: &str) -> anyhow::Result<String> {
    let Some(stem) = name.strip_suffix(".py") else { return Ok(name.to_string()) };
    let (file, directory) = (Path::new(name), std::env::current_dir()?);
    if !directory.join(file).is_file() {
        return Err(hinted(
            format!("there is no file `{name}` in `{}`", directory.display()),
            "name the Python file that has your actions and workflows, seen from the directory that you are in",
        ));
    }
    let stem = Path::new(stem);
    let within = stem.strip_prefix(&directory).unwrap_or(stem);
    let mut parts = Vec::new();
    for part in within.components() {
        match part {
            Component::Normal(part) => parts.push(part.to_string_lossy()),
            Component::CurDir => {}
            _ => {
                let folder = file.parent().unwrap_or(file).display();
                let only = file.file_name().unwrap_or_default().to_string_lossy();
                let outside = format!("`{name}` is outside of this directory, where workers import modules from");
                return Err(hinted(outside, format!("change to its directory first: cd {folder}, then name {only}")));
            }
        }
    }
    Ok(parts.join("."))
}
