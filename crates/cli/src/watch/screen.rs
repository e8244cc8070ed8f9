//! Where it is shown: drawn again and again on a terminal, a line for each change on a pipe.

use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use serde_json::{Value as Json, json};
use waymark_proto::bridge::{Instance, InstanceStatus};

use super::look::Look;
use crate::instances::{self, list::why};
use crate::span::{now_us, shown_second};
use crate::terminal::{self, PROGRAM_FAILED};
use crate::{run, table};

/// Steps of a bar.
const WHOLE: f64 = 1_000.0;

pub enum Screen {
    Terminal {
        bars: MultiProgress,
        /// Its message is the whole tree.
        tree: ProgressBar,
        progress: Option<ProgressBar>,
    },
    Lines {
        last: String,
    },
    Json {
        last: Json,
    },
}

impl Screen {
    pub fn new(is_json: bool) -> Screen {
        if is_json {
            return Screen::Json { last: Json::Null };
        }
        if !std::io::stdout().is_terminal() || !std::io::stderr().is_terminal() {
            return Screen::Lines { last: String::new() };
        }
        let bars = MultiProgress::new();
        let tree = bars.add(ProgressBar::new_spinner());
        tree.enable_steady_tick(Duration::from_millis(120));
        Screen::Terminal { bars, tree, progress: None }
    }

    pub fn show(&mut self, look: &Look) -> anyhow::Result<()> {
        match self {
            Screen::Terminal { bars, tree, progress } => {
                tree.set_message(look.tree.join("\n"));
                if let Some(now) = look.progress {
                    let bar = progress.get_or_insert_with(|| bars.add(new_bar()));
                    bar.set_position((now.done / now.total * WHOLE) as u64);
                    bar.set_message(now.text());
                }
                Ok(())
            }
            Screen::Lines { last } => {
                let line = line(look);
                if line == *last {
                    return Ok(());
                }
                terminal::data(&format!("{} {line}\n", shown_second(now_us())))?;
                *last = line;
                Ok(())
            }
            Screen::Json { last } => {
                let object = object(look);
                if object == *last || has_outcome(&look.instance) {
                    return Ok(());
                }
                terminal::data(&format!("{object}\n"))?;
                *last = object;
                Ok(())
            }
        }
    }

    /// As `run` ends.
    pub fn end(self, instance: &Instance) -> anyhow::Result<ExitCode> {
        match self {
            Screen::Terminal { bars, .. } => {
                bars.clear()?;
                run::print_outcome(instance, false)
            }
            Screen::Lines { .. } => run::print_outcome(instance, false),
            Screen::Json { .. } => {
                let mut object = instances::shown(instance);
                object.insert("result".into(), instance.result.as_deref().map_or(Json::Null, instances::value));
                object.insert("error".into(), instance.error.as_deref().map_or(Json::Null, instances::value));
                terminal::data(&format!("{}\n", Json::from(object)))?;
                Ok(match instance.status() {
                    InstanceStatus::Completed => ExitCode::SUCCESS,
                    _ => ExitCode::from(PROGRAM_FAILED),
                })
            }
        }
    }
}

/// The last line tells it all.
fn has_outcome(instance: &Instance) -> bool {
    instance.finished_at_us.is_some()
}

fn new_bar() -> ProgressBar {
    let style = ProgressStyle::with_template("  {bar:40} {msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(WHOLE as u64).with_style(style)
}

fn line(look: &Look) -> String {
    let mut parts = vec![instances::status(look.instance.status())];
    let why = why(&look.instance);
    parts.extend((!why.is_empty()).then(|| table::cut(why, 200)));
    parts.extend(look.progress.map(|progress| progress.text()));
    parts.extend((look.children > 0).then(|| count_children(look.children)));
    parts.join(", ")
}

fn count_children(children: u64) -> String {
    if children == 1 { "1 child".into() } else { format!("{children} children") }
}

fn object(look: &Look) -> Json {
    let instance = &look.instance;
    json!({
        "instance_id": table::id(&instance.instance_id),
        "status": instances::status(instance.status()),
        "waits_for": instance.waits_for,
        "progress": look.progress.map(|progress| progress.done / progress.total),
        "children": look.children,
        "tree": look.tree,
    })
}
