//! `waymark signal`: a value for a program that waits for it, or will.

use std::process::ExitCode;

use serde_json::json;
use uuid::Uuid;
use waymark_proto::bridge::SignalInstanceRequest;

use super::Name;
use crate::boot::call::with_bridge;
use crate::client::explain;
use crate::config::Flags;
use crate::terminal::hinted;
use crate::{input, table, terminal};

/// Send a signal to an instance
///
/// It is kept until the program asks for it.
#[derive(clap::Args)]
pub struct Options {
    /// Its id, or WORKFLOW/KEY
    instance: Name,
    /// The signal's name
    name: String,
    /// Its payload: JSON, or @FILE
    #[arg(value_name = "JSON")]
    payload: Option<String>,
    /// A key of your own: the instance takes one signal with it, however often it is sent
    #[arg(long, value_name = "KEY")]
    id: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let payload = options.payload.as_deref().map(|given| input::payload("the payload", given)).transpose()?;
    let instance_id = with_bridge(&options.flags, async |found| {
        let instance_id = options.instance.id(found).await?;
        let request = SignalInstanceRequest {
            instance_id: instance_id.clone(),
            message_id: Uuid::now_v7().as_bytes().to_vec(),
            name: options.name.clone(),
            payload: payload.unwrap_or_default(),
            id: options.id.clone().unwrap_or_default(),
        };
        let answer = found.client.calls.signal_instance(request).await;
        let answer = answer.map_err(|status| explain(&found.address, status))?.into_inner();
        match answer.delivered {
            true => Ok(table::id(&instance_id)),
            false => Err(hinted(
                format!("instance {} has finished, and hears no signals", table::id(&instance_id)),
                "`waymark show` says how it ended",
            )),
        }
    })?;
    match options.json {
        true => terminal::json(&json!({ "instance_id": instance_id, "delivered": true }))?,
        false => terminal::talk(format_args!("{instance_id} has the signal {}", options.name)),
    }
    Ok(ExitCode::SUCCESS)
}
