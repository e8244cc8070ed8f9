//! The log: on stderr, for people or as JSON lines.

use std::io::IsTerminal;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::Configuration;

pub fn start(configuration: &Configuration) {
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
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_target(false);
    let registry = tracing_subscriber::registry().with(filter);
    // Somebody else's subscriber stays: only tests have one.
    let _ = match is_json {
        true => registry.with(lines.json().flatten_event(true)).try_init(),
        false => registry.with(lines.compact().with_ansi(std::io::stderr().is_terminal())).try_init(),
    };
}
