//! What the engine is made to run.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use uuid::Uuid;
use waymark_ir::{Value, payload, wire};
use waymark_store::{InstanceFilter, NewInstance, NewVersion, Queued, Status, Store};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    Chain,
    FanOut,
    Loop,
}

impl Workload {
    pub const ALL: [Workload; 3] = [Workload::Chain, Workload::FanOut, Workload::Loop];

    /// Its name on the command line.
    pub fn key(self) -> &'static str {
        match self {
            Workload::Chain => "chain",
            Workload::FanOut => "fan-out",
            Workload::Loop => "loop",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Workload::Chain => "chains of 3",
            Workload::FanOut => "fan-out of 1,000",
            Workload::Loop => "loop of 2,000",
        }
    }

    /// Actions an instance.
    pub fn actions(self) -> usize {
        match self {
            Workload::Chain => 3,
            Workload::FanOut => 1_000,
            Workload::Loop => 2_000,
        }
    }

    pub fn instances(self, quick: bool) -> usize {
        match (self, quick) {
            (Workload::Chain, false) => 10_000,
            (Workload::Chain, true) => 100,
            (Workload::FanOut, false) => 50,
            (Workload::FanOut, true) | (Workload::Loop, _) => 1,
        }
    }

    fn source(self) -> &'static str {
        match self {
            Workload::Chain => {
                "fn main(input: [n]):\n    a = @double(n=n)\n    b = @double(n=a)\n    return @double(n=b)\n"
            }
            Workload::FanOut => {
                "fn main(input: [n]):\n    got = spread range(1000):i -> @double(n=i)\n    return len(got) * 8 * n // 1000\n"
            }
            Workload::Loop => {
                "fn main(input: [n]):\n    for i in range(2000):\n        got = @double(n=4 * n)\n    return got\n"
            }
        }
    }

    pub async fn register(self, store: &Arc<dyn Store>) -> anyhow::Result<Uuid> {
        let program = waymark_ir::text::parse(self.name(), self.source()).program;
        let version = NewVersion {
            workflow_name: self.name().into(),
            workflow_version: "bench".into(),
            ir_hash: waymark_ir::hash_hex(&waymark_ir::ir_hash(&program)),
            program_proto: wire::encode(&program),
            source: None,
        };
        Ok(store.register_version(version).await?.workflow_version_id)
    }

    pub async fn start(self, store: &Arc<dyn Store>, version: Uuid, count: usize) -> anyhow::Result<Vec<Uuid>> {
        let mut ids = Vec::new();
        for some in (0..count).collect::<Vec<_>>().chunks(500) {
            let instances: Vec<NewInstance> =
                some.iter().map(|n| NewInstance::new(Uuid::now_v7(), version, inputs(*n))).collect();
            ids.extend(instances.iter().map(|instance| instance.instance_id));
            for queued in store.queue_instances(instances).await? {
                if queued != Queued::Started {
                    bail!("an instance was not started: {queued:?}");
                }
            }
        }
        Ok(ids)
    }

    /// Until the last one has finished.
    pub async fn wait(self, store: &Arc<dyn Store>) -> anyhow::Result<()> {
        let with = |status| InstanceFilter {
            workflow_name: Some(self.name().into()),
            statuses: vec![status],
            limit: 1,
            ..InstanceFilter::default()
        };
        // A look now and then costs next to nothing, whatever the store.
        while !store.list_instances(with(Status::Running)).await?.instances.is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        for status in [Status::Stuck, Status::Failed] {
            if let Some(row) = store.list_instances(with(status)).await?.instances.first() {
                bail!("an instance is {}: {:?}", status.name(), row.stuck_reason);
            }
        }
        Ok(())
    }

    /// Whether a few of them came to what they should have.
    pub async fn check(self, store: &Arc<dyn Store>, ids: &[Uuid]) -> anyhow::Result<()> {
        for at in [0, ids.len() / 2, ids.len() - 1] {
            let row = store.get_instances(vec![ids[at]]).await?.pop().flatten().context("an instance is gone")?;
            let result = payload::decode(row.result.as_deref().context("an instance has no result")?)?;
            if result != Value::Int(8 * at as i64) {
                bail!("{} {at} came to {result:?}", self.name());
            }
        }
        Ok(())
    }
}

pub fn inputs(n: usize) -> Vec<u8> {
    payload::encode(&Value::Dict(vec![(Value::str("n"), Value::Int(n as i64))]))
}
