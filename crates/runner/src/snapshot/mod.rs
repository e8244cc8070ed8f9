//! Snapshots: an instance as bytes, and back. MessagePack under a small frame that names the schema, the lowering and the
//! program, and carries a checksum; large bodies are compressed.
//!
//! **Evolution.** Structs are arrays: a new field goes to the end of its struct with `#[serde(default)]`, variants may be
//! added, nothing is renamed, reordered or removed; else [`SCHEMA_VERSION`] goes up and the reader keeps reading the older one. The
//! recorded corpus under `tests/snapshots` proves that it does. Numbers of classes are stable ([`crate::types::TypeId`]),
//! built-ins go by name.

mod codec;

use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub(crate) use codec::{outside, outside_exception, outside_inputs, outside_list, outside_named, outside_published};

use crate::graph::{LOWERING_VERSION, Lowered};
use crate::heap::{Activation, Id, Object};
use crate::instance::Instance;
use crate::lower::PRELUDE;

pub const SCHEMA_VERSION: u32 = 1;

/// Bodies above this are compressed.
const COMPRESS_ABOVE: usize = 4 << 10;

/// A body may not unpack to more.
const BODY_BYTES_MAX: usize = 1 << 30;

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SnapshotError {
    #[error("this is no snapshot of an instance: {0}")]
    Malformed(String),
    #[error("the snapshot was damaged: its checksum is wrong")]
    Damaged,
    #[error(
        "the snapshot has schema {found}, this Waymark reads up to {SCHEMA_VERSION}: it was written by a newer one"
    )]
    TooNew { found: u32 },
    #[error("the snapshot was made with lowering {found}, this Waymark has {LOWERING_VERSION}")]
    OtherLowering { found: u32 },
    #[error("the snapshot belongs to another program (its hash is {found}…)")]
    OtherProgram { found: String },
}

#[derive(Serialize, Deserialize)]
struct Framed {
    schema: u32,
    lowering: u32,
    ir_hash: [u8; 32],
    /// The first bytes of the SHA-256 of the body as stored.
    checksum: [u8; 8],
    /// Bytes of the body before compression, or 0 where it is not compressed.
    unpacked: u64,
    #[serde(with = "serde_bytes")]
    body: Vec<u8>,
}

fn checksum(body: &[u8]) -> [u8; 8] {
    let digest = Sha256::digest(body);
    std::array::from_fn(|at| digest[at])
}

impl Instance {
    /// The state after the last event. Between events only, not while [`Instance::has_work`].
    pub fn snapshot(&mut self) -> Vec<u8> {
        self.collect();
        let moved = self.cx.heap.compact();
        self.trace(&mut |id| *id = moved[id.0 as usize]);
        let plain = rmp_serde::to_vec(self).expect("an instance can be written");
        let (unpacked, body) = match plain.len() > COMPRESS_ABOVE {
            true => (plain.len() as u64, lz4_flex::compress(&plain)),
            false => (0, plain),
        };
        let framed = Framed {
            schema: SCHEMA_VERSION,
            lowering: LOWERING_VERSION,
            ir_hash: self.lowered.ir_hash,
            checksum: checksum(&body),
            unpacked,
            body,
        };
        rmp_serde::to_vec(&framed).expect("a frame can be written")
    }

    /// The instance that a snapshot was taken of. `lowered` must be the program it ran.
    pub fn restore(bytes: &[u8], lowered: Arc<Lowered>) -> Result<Instance, SnapshotError> {
        let malformed = |error: String| SnapshotError::Malformed(error);
        let framed: Framed = rmp_serde::from_slice(bytes).map_err(|error| malformed(error.to_string()))?;
        if framed.schema > SCHEMA_VERSION {
            return Err(SnapshotError::TooNew { found: framed.schema });
        }
        if framed.lowering != LOWERING_VERSION {
            return Err(SnapshotError::OtherLowering { found: framed.lowering });
        }
        if framed.checksum != checksum(&framed.body) {
            return Err(SnapshotError::Damaged);
        }
        if framed.ir_hash != lowered.ir_hash {
            return Err(SnapshotError::OtherProgram { found: waymark_ir::hash_hex(&framed.ir_hash)[..12].to_string() });
        }
        let body = match framed.unpacked {
            0 => framed.body,
            unpacked => {
                let unpacked = usize::try_from(unpacked).unwrap_or(usize::MAX);
                // LZ4 can't shrink by more than 255 times: a larger claim is a lie.
                if unpacked > BODY_BYTES_MAX.min(framed.body.len().saturating_mul(256)) {
                    return Err(malformed("it claims an impossible size".into()));
                }
                lz4_flex::decompress(&framed.body, unpacked).map_err(|error| malformed(error.to_string()))?
            }
        };
        let mut instance: Instance = rmp_serde::from_slice(&body).map_err(|error| malformed(error.to_string()))?;
        instance.cx.types.attach(lowered.types.clone());
        instance.lowered = lowered;
        instance.check().map_err(malformed)?;
        Ok(instance)
    }

    /// That every reference leads somewhere and every position is inside its function. Behind the checksum, this guards
    /// against a mistake of ours.
    fn check(&mut self) -> Result<(), String> {
        let objects = self.cx.heap.len();
        let mut dangling = None;
        let mut visit = |id: &mut Id| {
            if id.0 as usize >= objects {
                dangling = Some(id.0);
            }
        };
        self.trace(&mut visit);
        for object in self.cx.heap.objects_mut() {
            object.trace(&mut visit);
        }
        if let Some(id) = dangling {
            return Err(format!("object {id} is missing"));
        }
        let lowered = self.lowered.clone();
        for object in self.cx.heap.objects() {
            let class = object.type_id();
            if !self.cx.types.is_known(class) {
                return Err(format!("class {} is missing", class.0));
            }
            let Object::Future(future) = object else { continue };
            let frames = future.task.iter().flat_map(|task| &task.stack).filter_map(|activation| match activation {
                Activation::Frame(frame) => Some(frame),
                Activation::Driver(_) => None,
            });
            for frame in frames {
                let graphs = &crate::machine::unit(&lowered, frame.function).graphs;
                let Some(graph) = graphs.get((frame.function & !PRELUDE) as usize) else {
                    return Err(format!("function {} is missing", frame.function));
                };
                if frame.position as usize > graph.code.len() || frame.locals.len() != graph.slots.len() {
                    return Err(format!("a frame of {} does not fit the function", graph.name));
                }
            }
        }
        Ok(())
    }
}

/// What a restored instance has until it is given its program.
pub(crate) fn unattached() -> Arc<Lowered> {
    static EMPTY: LazyLock<Arc<Lowered>> = LazyLock::new(|| {
        let parsed = waymark_ir::text::parse("", "fn main():\n    pass\n");
        Arc::new(crate::lower::lower(parsed.program, false))
    });
    EMPTY.clone()
}

pub(crate) fn no_slice() -> u64 {
    u64::MAX
}
