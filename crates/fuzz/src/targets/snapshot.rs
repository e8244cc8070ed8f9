//! Snapshots, as they are stored. What is inside of one that was changed is refused by its checksum.

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

pub fn seeds() -> Vec<Vec<u8>> {
    sample::steps().iter().step_by(4).map(|step| step.snapshot.clone()).collect()
}
