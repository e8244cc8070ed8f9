//! `waymark config`: every value, and where it comes from.

use std::process::ExitCode;

use comfy_table::{Table, presets};
use serde_json::{Value as Json, json};

use super::{Configuration, Flags, KEYS};
use crate::terminal;

/// Print the configuration: every key, its value and where it comes from
///
/// Secrets are not shown.
#[derive(clap::Args)]
pub struct Options {
    /// A list of objects
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let configuration = Configuration::load(&options.flags)?;
    let rows = KEYS.iter().map(|key| {
        let value = match key.name {
            // The default depends on the directory: tell what it comes to.
            "database_url" => json!(configuration.database.to_string()),
            _ => (key.show)(&configuration.values),
        };
        (key, value, configuration.origin(key.name).to_string())
    });
    if options.json {
        let listed = rows.map(|(key, value, source)| json!({ "key": key.name, "value": value, "source": source }));
        terminal::json(&listed.collect::<Vec<Json>>().into())?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["key", "value", "source"]);
    for (key, value, source) in rows {
        table.add_row([key.name.to_string(), plain(&value), source]);
    }
    terminal::data(&format!("{}\n", table.trim_fmt()))?;
    Ok(ExitCode::SUCCESS)
}

fn plain(value: &Json) -> String {
    match value {
        Json::Null => "-".into(),
        Json::String(text) => text.clone(),
        Json::Array(items) if items.is_empty() => "-".into(),
        Json::Array(items) => items.iter().map(plain).collect::<Vec<String>>().join(", "),
        other => other.to_string(),
    }
}
