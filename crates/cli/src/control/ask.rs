//! Before many instances are changed, somebody says yes.

use std::io::{BufRead, IsTerminal, Write};

use crate::terminal::{count, hinted};

/// On a terminal it asks. Elsewhere nobody could answer, so `--yes` has to be there.
pub fn agreed(verb: &str, many: usize) -> anyhow::Result<bool> {
    let instances = count(many, "instance");
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Err(hinted(format!("this would {verb} {instances}"), "say --yes to do it"));
    }
    let mut stderr = anstream::stderr().lock();
    write!(stderr, "{verb} {instances}? [y/N] ")?;
    stderr.flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}
