//! Reading `.ir` and `.pb` files: what is on disk, and everything that is wrong with it.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use waymark_ir::{Diagnostic, Program, text, verify, wire};
use waymark_runner::{Lowered, registry};

use crate::terminal::{self, hinted};
use crate::{python, render};

/// A file, read as far as it could be, and its problems in the order of the text.
pub struct Source {
    /// As the user wrote it, for messages.
    pub path: String,
    /// Without line ends, so that a problem finds its own at once.
    pub lines: Vec<String>,
    pub program: Program,
    pub diagnostics: Vec<Diagnostic>,
}

impl Source {
    pub fn read(path: &Path) -> anyhow::Result<Source> {
        if python::is_target(path) {
            return Source::from_wire(path, &python::program(path)?);
        }
        if path.extension().is_some_and(|extension| extension == "pb") {
            let bytes = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
            return Source::from_wire(path, &bytes);
        }
        let text = read_text(path)?;
        let path = path.display().to_string();
        let parsed = text::parse(&path, &text);
        let mut diagnostics = parsed.diagnostics;
        // A text that could not be read whole would be blamed for what was skipped.
        if diagnostics.iter().all(|diagnostic| !diagnostic.is_error()) {
            diagnostics.extend(verify(&parsed.program, &registry::names()));
        }
        diagnostics.sort_by_key(|diagnostic| diagnostic.span);
        let lines = text.replace("\r\n", "\n").split(['\n', '\r']).map(str::to_string).collect();
        Ok(Source { path, lines, program: parsed.program, diagnostics })
    }

    /// A program in the protobuf form, as `compile --wire` and the SDKs write it. Its diagnostics point into its own sources.
    fn from_wire(path: &Path, bytes: &[u8]) -> anyhow::Result<Source> {
        let shown = path.display();
        let program = wire::decode(bytes).with_context(|| format!("`{shown}` is not a program"))?;
        let diagnostics = verify(&program, &registry::names());
        let (path, lines) = match program.sources.first() {
            Some(source) => (source.path.clone(), source.text.lines().map(str::to_string).collect()),
            None => (shown.to_string(), Vec::new()),
        };
        Ok(Source { path, lines, program, diagnostics })
    }

    pub fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count()
    }

    /// The program, ready to run; or nothing, once its problems have been shown on stderr.
    pub fn lower(self) -> anyhow::Result<Option<Arc<Lowered>>> {
        for diagnostic in &self.diagnostics {
            terminal::talk(render::diagnostic(&self, diagnostic));
        }
        if self.errors() > 0 {
            let errors = terminal::count(self.errors(), "error");
            terminal::talk(format_args!("{}: {errors}", self.path));
            return Ok(None);
        }
        match Lowered::new(self.program) {
            Ok(lowered) => Ok(Some(lowered)),
            // It has passed the verifier, so this is ours.
            Err(diagnostics) => {
                let text: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
                anyhow::bail!("{}: a sound program did not lower (a bug): {}", self.path, text.join("; "))
            }
        }
    }
}

/// A text file, or an error that says what stands there instead.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    let shown = path.display();
    let bytes = fs::read(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => hinted(
            format!("cannot read `{shown}`: there is no such file"),
            "paths are relative to the directory you are in",
        ),
        ErrorKind::IsADirectory => {
            hinted(format!("cannot read `{shown}`: it is a directory"), format!("name the files in it: `{shown}/*.ir`"))
        }
        _ => anyhow::anyhow!("cannot read `{shown}`: {error}"),
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..valid].iter().filter(|byte| **byte == b'\n').count();
        hinted(format!("cannot read `{shown}`: line {line} is not UTF-8"), "save the file as UTF-8")
    })
}
