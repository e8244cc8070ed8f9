//! The floor of a workload: the same rows written by batched statements, and the same calls in as many Python processes, with nothing else.

use std::process::Stdio;
use std::time::Duration;

use anyhow::Context;
use serde_json::Value as Json;
use tokio::process::Command;
use uuid::Uuid;
use waymark_ir::{text, wire};
use waymark_store::NewVersion;
use waymark_store::floor::{Floor, Rows};

use super::server::program;
use super::stage::Site;
use crate::bench::cost::{Cost, Meter, Watched};
use crate::bench::pool::Pool;
use crate::bench::samples::{self, OUTCOME_BYTES, Samples};
use crate::python;

/// Rows that a statement writes, and the bytes in them.
const BATCH: usize = 500;
const BATCH_BYTES: usize = 4 << 20;
/// Of the names and numbers that workflows here are started with, and of what they come to.
const INPUT_BYTES: usize = 12;
const RESULT_BYTES: usize = 4;

/// What a workload leaves in the database, and what its workers did.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    pub instances: usize,
    /// Actions an instance; none: it is started, and nobody takes it.
    pub actions: usize,
    /// Bytes of an action's result; 0: a number.
    pub bytes: usize,
    /// Processes that the calls are spread over.
    pub workers: usize,
}

impl Site {
    /// The database must not be in use.
    pub async fn floor(&self, url: &str, work: Work) -> anyhow::Result<Cost> {
        let outcome_bytes = if work.bytes == 0 { OUTCOME_BYTES } else { work.bytes };
        let rows = Rows {
            workflow_version_id: version(url).await?,
            instances: work.instances,
            // Being started is one, too.
            events: work.actions + 1,
            input_bytes: INPUT_BYTES,
            outcome_bytes,
            result_bytes: RESULT_BYTES,
            batch: (BATCH_BYTES / outcome_bytes).clamp(1, BATCH),
        };
        let mut floor = Floor::open(url).await?;
        let meter = Meter::begin(url, Watched::this()).await?;
        match work.actions {
            0 => floor.write_starts(rows).await?,
            _ => floor.write(rows).await?,
        }
        let rows_cost = meter.end().await?;
        let calls = work.instances * work.actions;
        Ok(Cost { workers: self.calls(calls, work.bytes, work.workers).await?, ..rows_cost })
    }

    /// Processor time of so many calls in so many processes, without what it takes to start them.
    async fn calls(&self, count: usize, bytes: usize, processes: usize) -> anyhow::Result<Duration> {
        let mut started = Vec::new();
        for number in 0..processes {
            let share = count * (number + 1) / processes - count * number / processes;
            let mut command = Command::from(program(python::interpreter(), self.folder.path(), ""));
            let words = ["-m", "waymark.bench", "calls", &share.to_string(), &bytes.to_string()];
            command.args(words).stdout(Stdio::piped()).stderr(Stdio::inherit()).kill_on_drop(true);
            started.push(command.spawn().with_context(python::not_found)?);
        }
        let mut total = Duration::ZERO;
        for process in started {
            let output = process.wait_with_output().await?;
            let told: Json = serde_json::from_slice(&output.stdout).context("what the calls cost")?;
            total += Duration::try_from_secs_f64(told["cpu_s"].as_f64().context("what the calls cost")?)?;
        }
        Ok(total)
    }

    /// Durable commits and calls of a worker, alone and one after the other: what a step can't do without.
    pub async fn steps(&self, url: &str, count: usize) -> anyhow::Result<Steps> {
        let mut floor = Floor::open(url).await?;
        let commits = samples::commits(&mut floor, count).await?;
        let mut worker = program(python::interpreter(), self.folder.path(), "");
        worker.args(["-m", "waymark.worker"]).env("WAYMARK_USER_MODULES", "waymark.bench.workflows");
        let pool = Pool::start(Command::from(worker), self.folder.path()).await?;
        let trips = pool.round_trips("waymark.bench.workflows:nothing", "number", count).await?;
        pool.stop().await?;
        Ok(Steps { commits, trips: Samples::new(trips) })
    }
}

pub struct Steps {
    pub commits: Samples,
    pub trips: Samples,
}

/// Rows name a version.
async fn version(url: &str) -> anyhow::Result<Uuid> {
    let program = text::parse("floor", "fn main():\n    return 0\n").program;
    let version = NewVersion {
        workflow_name: "floor".into(),
        workflow_version: "floor".into(),
        ir_hash: waymark_ir::hash_hex(&waymark_ir::ir_hash(&program)),
        program_proto: wire::encode(&program),
        source: None,
    };
    // It is closed again: a SQLite file has one owner at a time.
    Ok(waymark_store::open(url).await?.register_version(version).await?.workflow_version_id)
}
