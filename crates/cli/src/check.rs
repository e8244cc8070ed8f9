//! `waymark check`: every problem of every file.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;

use crate::render;
use crate::source::Source;
use crate::terminal::{self, PROGRAM_FAILED, count};

/// Report all problems of programs, without running them
///
/// Exits with 1 when there are errors, with 0 when there are only warnings.
#[derive(clap::Args)]
pub struct Options {
    /// Programs in the text form
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A list of objects on stdout
    #[arg(long)]
    json: bool,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let (mut errors, mut warnings) = (0, 0);
    let mut listed = Vec::new();
    let mut unreadable: Option<anyhow::Error> = None;
    for path in &options.files {
        let source = match Source::read(path) {
            Ok(source) => source,
            Err(error) => {
                // The others are checked all the same; the first of these is what the command ends with.
                match unreadable {
                    None => unreadable = Some(error),
                    Some(_) => terminal::warn(format_args!("{error:#}")),
                }
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
    let files = count(options.files.len(), "file");
    match (errors, warnings) {
        (0, 0) if unreadable.is_none() => terminal::talk(format_args!("no problems in {files}")),
        (0, 0) => {}
        _ => terminal::talk(format_args!("{}, {} in {files}", count(errors, "error"), count(warnings, "warning"))),
    }
    match unreadable {
        Some(error) => Err(error).context("not all files could be checked"),
        None if errors > 0 => Ok(ExitCode::from(PROGRAM_FAILED)),
        None => Ok(ExitCode::SUCCESS),
    }
}
