//! Snapshots, as they are stored. What is inside of one that was changed is refused by its checksum.

use serde::{Deserialize, Serialize};
use waymark_runner::Instance;

use super::sample;
use crate::Verdict;

/// As it comes from a database.
pub fn check(bytes: &[u8]) -> Verdict {
    let Ok(instance) = Instance::restore(bytes, sample::lowered()) else { return Verdict::Refused };
    let mut instance = check_saved(instance);
    sample::move_on(&mut instance);
    Verdict::Accepted
}

/// What was restored is saved as something that is restored to the same.
pub fn check_saved(mut instance: Instance) -> Instance {
    let lowered = instance.lowered().clone();
    let first = instance.snapshot();
    let mut again = Instance::restore(&first, lowered).expect("what was saved is restored");
    assert!(again.snapshot() == first, "saved, restored and saved, it is another");
    again
}

/// The frame of a snapshot, as the runner writes it.
#[derive(Serialize, Deserialize)]
struct Frame {
    schema: u32,
    lowering: u32,
    ir_hash: [u8; 32],
    checksum: [u8; 8],
    unpacked: u64,
    #[serde(with = "serde_bytes")]
    body: Vec<u8>,
}

fn frame(snapshot: &[u8]) -> Frame {
    rmp_serde::from_slice(snapshot).expect("a snapshot has a frame")
}

pub fn body(snapshot: &[u8]) -> Vec<u8> {
    let frame = frame(snapshot);
    match frame.unpacked {
        0 => frame.body,
        unpacked => lz4_flex::decompress(&frame.body, unpacked as usize).expect("a body"),
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    sample::steps().iter().step_by(4).map(|step| step.snapshot.clone()).collect()
}
