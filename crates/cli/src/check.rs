//! `waymark check`: every problem of every file.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::config::Flags;
use crate::source::Source;
use crate::terminal::{self, COMMAND_FAILED, PROGRAM_FAILED, count};
use crate::{migrate, python, render};

/// Report all problems of programs, without running them
///
/// Exits with 1 when there are errors, with 0 when there are only warnings.
#[derive(clap::Args)]
pub struct Options {
    /// Workflows in Python (`app:Welcome`, `app.py`), or programs in the text form
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Label the live instances of the workflow: same, safe to migrate, needs a mapping, stays on its version
    ///
    /// Exits with 1 when one needs a mapping.
    #[arg(long)]
    against_db: bool,
    /// A list of objects on stdout
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    if options.against_db {
        return against_db(options);
    }
    if options.files.iter().all(|file| python::is_target(file)) {
        let words: &[&str] = if options.json { &["check", "--json"] } else { &["check"] };
        return python::hand_over(python::COMPILER, words, options.files.iter(), None);
    }
    let (mut errors, mut warnings) = (0, 0);
    let mut listed = Vec::new();
    let mut unreadable = 0;
    for path in &options.files {
        let source = match Source::read(path) {
            Ok(source) => source,
            // The others are checked all the same.
            Err(error) => {
                terminal::complain(&error);
                unreadable += 1;
                continue;
            }
        };
        errors += source.errors();
        warnings += source.diagnostics.len() - source.errors();
        for diagnostic in &source.diagnostics {
            if options.json {
                listed.push(render::diagnostic_json(&source, diagnostic));
            } else {
                terminal::data(&(render::diagnostic(&source, diagnostic) + "\n"))?;
            }
        }
    }
    if options.json {
        terminal::json(&listed.into())?;
    }
    let files = count(options.files.len() - unreadable, "file");
    match (errors, warnings) {
        (0, 0) if unreadable == 0 => terminal::talk(format_args!("no problems in {files}")),
        (0, 0) => {}
        _ => terminal::talk(format_args!("{}, {} in {files}", count(errors, "error"), count(warnings, "warning"))),
    }
    Ok(match (unreadable, errors) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => ExitCode::from(PROGRAM_FAILED),
        _ => ExitCode::from(COMMAND_FAILED),
    })
}

/// Before a deploy: what it would mean for what runs.
fn against_db(options: &Options) -> anyhow::Result<ExitCode> {
    let [target] = &options.files[..] else {
        return Err(terminal::hinted(
            "several programs can't be checked against the database at once",
            "check one at a time",
        ));
    };
    match Source::read(target)?.lower()? {
        Some(lowered) => migrate::check(&lowered.program, options.json, &options.flags),
        None => Ok(ExitCode::from(PROGRAM_FAILED)),
    }
}
