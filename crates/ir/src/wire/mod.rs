//! Programs as protobuf bytes: what front ends in other languages emit and what the store keeps.
//!
//! The schema (`waymark/v1/program.proto`) stores the tree flat, children before parents, so both directions are one
//! pass and reading needs no recursion. Reading trusts nothing: size, node count and nesting are bounded, each node is used
//! exactly once, and whatever is missing or of the wrong kind is refused with its place.

mod decode;
mod encode;
mod operators;

pub use decode::decode;
pub use encode::encode;

/// The longest encoded program that is read.
pub const MAX_BYTES: usize = 8 << 20;
/// The most nodes a program may have. Keeps memory within a small multiple of [`MAX_BYTES`] for hostile input too.
pub const MAX_NODES: usize = 400_000;

/// Why bytes are not a program. Paths name fields of the schema: `nodes[17].if.test`.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    #[error("the program has {bytes} bytes, more than the {MAX_BYTES} allowed")]
    TooLarge { bytes: usize },
    #[error("the program has more than the {MAX_NODES} nodes allowed")]
    TooManyNodes,
    #[error("not a protobuf message of type waymark.v1.Program: {0}")]
    Malformed(#[from] prost::DecodeError),
    #[error("{path}: missing {what}")]
    Missing { path: String, what: &'static str },
    #[error("{path}: expected {expected}, but node {id} is {found}")]
    WrongKind { path: String, id: u32, expected: &'static str, found: &'static str },
    #[error("{path}: node {id} does not stand before the node that uses it")]
    NotBefore { path: String, id: u32 },
    #[error("{path}: node {id} is used a second time")]
    UsedTwice { path: String, id: u32 },
    #[error("{path}: not used by any other node")]
    Unused { path: String },
    #[error("{path}: nested more than {} levels deep", crate::MAX_DEPTH)]
    TooDeep { path: String },
    #[error("{path}: unknown value {value}")]
    UnknownEnum { path: String, value: i32 },
    #[error("{path}: {reason}")]
    Invalid { path: String, reason: &'static str },
    #[error("{path}: {source}")]
    Constant { path: String, source: crate::payload::PayloadError },
}
