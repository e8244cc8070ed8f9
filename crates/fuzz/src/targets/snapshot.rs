//! Snapshots: as they are stored, and their insides under a frame that fits.

use serde::{Deserialize, Serialize};
use sha2::Digest;
use waymark_runner::Instance;

use super::sample;
use crate::Verdict;
use crate::guard::may_panic;

/// As it comes from a database.
pub fn check(bytes: &[u8]) -> Verdict {
    let Ok(instance) = Instance::restore(bytes, sample::lowered()) else { return Verdict::Refused };
    let mut instance = check_saved(instance);
    sample::move_on(&mut instance);
    Verdict::Accepted
}

/// The inside, with the checksum of that: what an import can bring. Nobody promises that such a state can run, for any can be written: an
/// engine that moves it on may find that it is impossible. It has to find that out within its limits.
pub fn check_state(body: &[u8]) -> Verdict {
    let Ok(instance) = Instance::restore(&framed(body), sample::lowered()) else { return Verdict::Refused };
    let mut instance = check_saved(instance);
    may_panic(|| sample::move_on(&mut instance));
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

pub fn framed(body: &[u8]) -> Vec<u8> {
    let mut frame = frame(&sample::steps()[0].snapshot);
    let digest = sha2::Sha256::digest(body);
    frame.checksum = std::array::from_fn(|at| digest[at]);
    frame.body = body.to_vec();
    frame.unpacked = 0;
    rmp_serde::to_vec(&frame).expect("a frame can be written")
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

pub fn seeds_of_states() -> Vec<Vec<u8>> {
    sample::steps().iter().step_by(3).map(|step| body(&step.snapshot)).collect()
}
