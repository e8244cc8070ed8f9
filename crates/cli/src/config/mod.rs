//! What can be set, and where it comes from: flags, then `WAYMARK_*` variables, then `waymark.toml`, then defaults. Parsed once into
//! one [`Configuration`], which is passed down whole. [`KEYS`] is the table of it all.

pub mod flags;
#[cfg(test)]
mod hostile;
mod keys;
mod load;
pub mod show;
#[cfg(test)]
mod tests;
mod value;

use std::path::PathBuf;

pub use flags::Flags;
pub use keys::{KEYS, Key, Values};
pub use value::{Database, Token, seconds};

/// Every value, and where each came from.
#[derive(Clone)]
pub struct Configuration {
    pub values: Values,
    /// With a path that no longer depends on the directory.
    pub database: Database,
    /// `waymark.toml`, where there is one.
    pub file: Option<PathBuf>,
    /// What flags said, under the names of their variables: for a process that is to have the same configuration.
    pub flagged: Vec<(String, String)>,
    /// In the order of [`KEYS`].
    origins: Vec<Origin>,
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    Default,
    File(PathBuf),
    Variable(String),
    Flag(String),
}

impl std::fmt::Display for Origin {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin::Default => out.write_str("default"),
            Origin::File(path) => write!(out, "{}", path.display()),
            Origin::Variable(name) => out.write_str(name),
            Origin::Flag(name) => write!(out, "--{name}"),
        }
    }
}

impl Configuration {
    pub fn origin(&self, name: &str) -> &Origin {
        let position = KEYS.iter().position(|key| key.name == name);
        position.and_then(|position| self.origins.get(position)).unwrap_or(&Origin::Default)
    }

    /// Somebody asked for it, whatever the default is.
    pub fn is_set(&self, name: &str) -> bool {
        *self.origin(name) != Origin::Default
    }
}
