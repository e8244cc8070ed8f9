//! The log: on stderr, for people or as JSON lines.

use std::io::IsTerminal;
use std::sync::Mutex;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::writer::BoxMakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::log_file::LogFile;
use crate::config::Configuration;

/// `in_file`: stderr is a file that is this process's own.
pub fn start(configuration: &Configuration, in_file: bool) {
    let level = configuration.values.log_level.level();
    // What libraries have to say is for those who look for a fault in them.
    let filter = Targets::new().with_default(LevelFilter::WARN.min(LevelFilter::from_level(level))).with_targets([
        ("waymark", level),
        ("waymark_engine", level),
        ("waymark_server", level),
        ("waymark_store", level),
        ("waymark_worker", level),
    ]);
    let is_json = std::env::var("WAYMARK_LOG_FORMAT").is_ok_and(|format| format == "json");
    let file = in_file.then(LogFile::of_stderr).and_then(Result::ok);
    let writer = match file {
        Some(file) => BoxMakeWriter::new(Mutex::new(file)),
        None => BoxMakeWriter::new(std::io::stderr),
    };
    let lines = tracing_subscriber::fmt::layer().with_writer(writer).with_target(false);
    let registry = tracing_subscriber::registry().with(filter);
    // Somebody else's subscriber stays: only tests have one.
    let _ = match is_json {
        true => registry.with(lines.json().flatten_event(true)).try_init(),
        false => registry.with(lines.compact().with_ansi(std::io::stderr().is_terminal())).try_init(),
    };
}
