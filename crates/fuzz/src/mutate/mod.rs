//! Inputs made of other inputs. Random bytes are refused at the first field, so what is mutated is the structure: values of MessagePack,
//! fields of protobuf messages, lines and words of text. Written here because the libraries that there are mutate bytes, or Rust values
//! that implement their traits, and it is the forms on the wire that have to be wrong in interesting ways.

mod bytes;
mod messagepack;
mod protobuf;
mod text;

use fastrand::Rng;

/// What an input is made of.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// With words that random text would rarely form.
    Text(&'static [&'static str]),
    MessagePack,
    Protobuf,
}

/// How deep a nested thing may be looked into, and a deep nest be made.
const DEPTH_MAX: usize = 64;

/// One more input. `other` is what parts are taken from.
pub fn mutate(form: Form, input: &[u8], other: &[u8], bytes_max: usize, rng: &mut Rng) -> Vec<u8> {
    let mut made = input.to_vec();
    // Mostly one change, for it is the small ones that get far.
    let changes = 1 + [0, 0, 0, 1, 2, 7][rng.usize(..6)];
    for _ in 0..changes {
        made = match form {
            _ if rng.u8(..) < 24 => bytes::mutate(made, other, rng),
            Form::Text(words) => text::mutate(&made, other, words, rng),
            Form::MessagePack => messagepack::mutate(&made, other, rng),
            Form::Protobuf => protobuf::mutate(&made, other, rng),
        };
        if made.len() > bytes_max {
            made.truncate(bytes_max);
        }
    }
    made
}

/// Numbers at the edges of what numbers are stored in.
fn edge(rng: &mut Rng) -> i128 {
    let bits = [0, 1, 4, 5, 7, 8, 15, 16, 31, 32, 53, 62, 63, 64][rng.usize(..14)];
    let near = (1_i128 << bits) + i128::from(rng.i8(-2..=2));
    if rng.bool() { near } else { -near }
}

/// How long a thing claims to be that is `length` long.
fn claimed(length: usize, rng: &mut Rng) -> u64 {
    match rng.u8(..6) {
        0 => length as u64 + 1,
        1 => (length as u64).saturating_sub(1),
        2 => u64::from(u32::MAX),
        3 => 1 << 31,
        4 => 0,
        _ => rng.u64(..100_000),
    }
}
