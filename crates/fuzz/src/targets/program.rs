//! Programs as protobuf, from clients and from the database.

use waymark_ir::{Program, ir_hash, text, wire};
use waymark_runner::{Event, Instance, Lowered};

use super::{sample, snapshot};
use crate::Verdict;

pub fn check(bytes: &[u8]) -> Verdict {
    let Ok(program) = wire::decode(bytes) else { return Verdict::Refused };
    let encoded = wire::encode(&program);
    let again = wire::decode(&encoded).expect("what was written is read");
    assert_eq!(wire::encode(&again), encoded);
    assert_eq!(ir_hash(&again), ir_hash(&program));
    // Protobuf can say what the text form can't, names with spaces for example: then the printed text is refused.
    let _ = text::parse("a.ir", &text::print(&program));
    check_lowered(program)
}

/// It is refused, or can be run.
pub fn check_lowered(program: Program) -> Verdict {
    let Ok(lowered) = Lowered::new(program) else { return Verdict::Refused };
    let mut instance = Instance::new(1, lowered, sample::limits());
    if instance.apply(0, Event::Started { inputs: Vec::new() }).is_err() {
        return Verdict::Accepted;
    }
    let mut instance = snapshot::check_saved(instance);
    sample::move_on(&mut instance);
    Verdict::Accepted
}

pub fn seeds() -> Vec<Vec<u8>> {
    super::text::programs().map(|source| wire::encode(&text::parse("a.ir", &source).program)).collect()
}
