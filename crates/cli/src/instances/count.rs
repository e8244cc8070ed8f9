//! `waymark count`: how many instances a filter means.

use std::process::ExitCode;

use serde_json::json;
use waymark_proto::bridge::CountInstancesRequest;

use super::{Filter, list};
use crate::boot::call::with_bridge;
use crate::client::explain;
use crate::config::Flags;
use crate::terminal;

/// Text is looked for in the instances themselves: so many are found, at most.
const WITH_TEXT_MAX: usize = 100_000;

/// Count instances
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    filter: Filter,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: Flags,
}

pub fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let filter = options.filter.wire();
    let (count, is_more) = with_bridge(&options.flags, async |found| {
        if !filter.text.is_empty() {
            let (instances, is_more) = list::read(found, filter, WITH_TEXT_MAX).await?;
            return Ok((instances.len() as u64, is_more));
        }
        let request = CountInstancesRequest { filter: Some(filter), limit: 0 };
        let counted = found.client.calls.count_instances(request).await;
        let counted = counted.map_err(|status| explain(&found.address, status))?.into_inner();
        Ok((counted.count, counted.is_more))
    })?;
    match options.json {
        true => terminal::json(&json!({ "count": count, "is_more": is_more }))?,
        false => terminal::data(&format!("{count}\n"))?,
    }
    if is_more {
        terminal::talk("counting stops here: there may be more");
    }
    Ok(ExitCode::SUCCESS)
}
