//! Workflows in Python: `app:Welcome`, `app.py`, `shop.app`. Python itself compiles them; this asks it to.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::Context;

use crate::terminal::hinted;

pub const COMPILER: &str = "waymark.compiler";

/// Whether a target of a command is Python's rather than a file of ours: `shop/app.py`, `shop/app.py:Order`, `shop.app:Order`.
pub fn is_target(target: &Path) -> bool {
    let text = target.to_string_lossy();
    let (module, names_workflow) = match text.rsplit_once(':') {
        Some((module, _)) => (module, true),
        None => (&*text, false),
    };
    let is_ours = [".ir", ".flow", ".pb"].iter().any(|ending| module.ends_with(ending));
    text.ends_with(".py")
        || module.ends_with(".py")
        || (names_workflow && !is_ours && !module.contains('/') && !target.exists())
}

/// The Python that belongs to this program: of the virtualenv that is active, the one beside it, or the one on the path.
pub fn interpreter() -> PathBuf {
    let active = std::env::var_os("VIRTUAL_ENV").map(|folder| PathBuf::from(folder).join("bin/python3"));
    let beside = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.join("python3")));
    [active, beside].into_iter().flatten().find(|path| path.exists()).unwrap_or_else(|| PathBuf::from("python3"))
}

/// The compiled program, as Python wrote it.
pub fn program(target: &Path) -> anyhow::Result<Vec<u8>> {
    let mut command = module(COMPILER);
    let output = command
        .args(["compile", "--wire", "-", "--quiet"])
        .arg(target)
        .stderr(Stdio::inherit())
        .output()
        .with_context(not_found)?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(anyhow::anyhow!("`{}` was not compiled", target.display())),
    }
}

/// Lets a module of Python's carry out a command, and ends as it ends.
pub fn hand_over<'a>(
    name: &str,
    words: &[&str],
    targets: impl Iterator<Item = &'a PathBuf>,
    variable: Option<(&str, &str)>,
) -> anyhow::Result<ExitCode> {
    let status = module(name).args(words).args(targets).envs(variable).status().with_context(not_found)?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(2)))
}

fn module(name: &str) -> Command {
    let mut command = Command::new(interpreter());
    command.args(["-m", name]);
    command
}

pub fn not_found() -> String {
    let text = format!("cannot start `{}`, which compiles workflows in Python", interpreter().display());
    hinted(text, "install Python, and Waymark into it: pip install waymark").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pythons() {
        for target in ["app.py", "shop/app.py", "app:Order", "shop.app:Order", "shop/app.py:Order", "../app.py:Order"] {
            assert!(is_target(Path::new(target)), "{target}");
        }
        for target in ["app", "app.ir", "app.ir:Order", "shop/app.ir", "shop/app:Order", "-"] {
            assert!(!is_target(Path::new(target)), "{target}");
        }
    }
}
