//! Bytes that mean nothing.

use fastrand::Rng;

pub fn mutate(mut bytes: Vec<u8>, other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let at = rng.usize(..=bytes.len());
    match rng.u8(..7) {
        0 if at < bytes.len() => bytes[at] ^= 1 << rng.u8(..8),
        1 if at < bytes.len() => bytes[at] = [0, 1, 0x7f, 0x80, 0xc0, 0xc1, 0xff, rng.u8(..)][rng.usize(..8)],
        2 => bytes.truncate(at),
        3 => bytes.insert(at, rng.u8(..)),
        4 => {
            let end = rng.usize(at..=bytes.len());
            bytes.drain(at..end);
        }
        5 => {
            let end = rng.usize(at..=bytes.len());
            let part = bytes[at..end].to_vec();
            let times = rng.usize(1..4);
            bytes.splice(at..at, part.repeat(times));
        }
        _ => {
            let from = rng.usize(..=other.len());
            let to = rng.usize(from..=other.len());
            bytes.splice(at..at, other[from..to].iter().copied());
        }
    }
    bytes
}
