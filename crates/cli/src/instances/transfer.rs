//! `waymark export` and `waymark import`: an instance as a file, to look at or to try again on another machine.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use prost::Message;
use serde_json::{Value as Json, json};
use waymark_proto::bridge::{ExportInstanceRequest, ExportedInstance};

use super::{Name, object, show};
use crate::boot::call::{call, with_bridge};
use crate::client::explain;
use crate::config::Flags;
use crate::source::read_text;
use crate::terminal::hinted;
use crate::{table, terminal};

/// What a file of ours says that it is.
const FORMAT: &str = "waymark-instance-1";

/// Export an instance as JSON: its program, inputs, log and state
///
/// It has the values that the instance works with: mind where it goes.
#[derive(clap::Args)]
pub struct Export {
    /// Its id, or WORKFLOW/KEY
    instance: Name,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    flags: Flags,
}

/// Import an exported instance under an id of its own, paused
///
/// One that has finished stands before its last step. `waymark resume` lets it go on: its actions run then, for real.
#[derive(clap::Args)]
pub struct Import {
    /// A file that `waymark export` wrote
    file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

pub fn export(options: &Export) -> anyhow::Result<ExitCode> {
    let exported = with_bridge(&options.flags, async |found| {
        let request = ExportInstanceRequest { instance_id: options.instance.id(found).await? };
        let answer = found.client.calls.export_instance(request).await;
        answer.map(tonic::Response::into_inner).map_err(|status| explain(&found.address, status))
    })?;
    let file = as_json(&exported);
    match &options.output {
        None => terminal::json(&file)?,
        Some(path) => {
            let written = std::fs::write(path, format!("{file:#}\n"));
            written.with_context(|| format!("`{}` can't be written", path.display()))?;
            terminal::talk(format_args!("written to {}", path.display()));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Readable, and with what an import takes: all of it again, as it came.
fn as_json(exported: &ExportedInstance) -> Json {
    let instance = exported.instance.clone().unwrap_or_default();
    let mut file = object::shown(&instance);
    file.insert("format".into(), FORMAT.into());
    file.insert("inputs".into(), object::value(&instance.inputs));
    file.insert("result".into(), instance.result.as_deref().map_or(Json::Null, object::value));
    file.insert("error".into(), instance.error.as_deref().map_or(Json::Null, object::value));
    file.insert("ir_hash".into(), exported.ir_hash.clone().into());
    file.insert("source".into(), exported.source.clone().into());
    file.insert("program".into(), STANDARD.encode(&exported.program_proto).into());
    let log = exported.log.iter().map(|one| {
        let mut shown = one.shown.as_ref().map_or(json!({}), show::event);
        shown["encoded"] = STANDARD.encode(&one.event).into();
        shown
    });
    file.insert("log".into(), log.collect::<Vec<Json>>().into());
    let state = exported.state_seq.map(|seq| json!({ "step": seq, "encoded": STANDARD.encode(&exported.state) }));
    file.insert("state".into(), state.unwrap_or(Json::Null));
    file.insert("exported".into(), STANDARD.encode(exported.encode_to_vec()).into());
    file.into()
}

pub fn import(options: &Import) -> anyhow::Result<ExitCode> {
    let exported = read(&options.file)?;
    let imported = call(&options.flags, async |found| found.client.calls.import_instance(exported).await)?;
    let id = table::id(&imported.instance_id);
    match options.json {
        true => terminal::json(&json!({ "instance_id": id }))?,
        false => {
            terminal::data(&format!("{id}\n"))?;
            terminal::talk("it is paused; hint: `waymark resume` lets it go on");
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn read(path: &std::path::Path) -> anyhow::Result<ExportedInstance> {
    let text = read_text(path)?;
    let wrong = |what: &str| {
        hinted(format!("`{}` {what}", path.display()), "give a file that `waymark export` of this version wrote")
    };
    let file: Json = serde_json::from_str(&text).map_err(|error| wrong(&format!("is not JSON: {error}")))?;
    if file["format"] != FORMAT {
        return Err(wrong("is no exported instance"));
    }
    let bytes = file["exported"].as_str().and_then(|text| STANDARD.decode(text).ok());
    let exported = bytes.and_then(|bytes| ExportedInstance::decode(bytes.as_slice()).ok());
    exported.ok_or_else(|| wrong("is damaged"))
}

#[cfg(test)]
mod tests {
    use waymark_fuzz::drive::{Run, drive};
    use waymark_fuzz::{Form, Target, Verdict};

    use super::*;

    fn check(bytes: &[u8]) -> Verdict {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("exported.json");
        std::fs::write(&path, bytes).expect("written");
        match read(&path) {
            Ok(exported) => {
                assert_eq!(ExportedInstance::decode(&*exported.encode_to_vec()), Ok(exported.clone()));
                // What is shown of it is for people, and can be read again.
                let shown = as_json(&exported).to_string();
                std::fs::write(&path, shown).expect("written");
                assert_eq!(read(&path).expect("what was written is read"), exported);
                Verdict::Accepted
            }
            Err(error) => {
                assert!(error.to_string().contains("exported.json"), "{error}");
                Verdict::Refused
            }
        }
    }

    const WORDS: &[&str] =
        &["{", "}", "\"format\"", "\"waymark-instance-1\"", "\"exported\"", "null", "[", "]", "=", "CgA=", "\"\""];

    /// The driver and the corpus are those of `crates/fuzz`.
    #[test]
    fn any_file_is_read_or_refused() {
        static TARGET: Target =
            Target { name: "exported", form: Form::Text(WORDS), bytes_max: 20_000, check, seeds: Vec::new };
        drive(&TARGET, Run::of_variables());
    }
}
