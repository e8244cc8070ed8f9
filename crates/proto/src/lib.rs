//! The wire types and services, generated from `proto/waymark/**.proto`. They are plain data: what is well formed and what it
//! means is decided by the crates that read them (`waymark_ir::wire` for programs, `waymark_server` for the services).

/// Package `waymark.v1`: programs.
pub mod v1 {
    include!(concat!(env!("OUT_DIR"), "/waymark.v1.rs"));
}

/// Package `waymark.bridge.v1`: what clients talk to.
pub mod bridge {
    include!(concat!(env!("OUT_DIR"), "/waymark.bridge.v1.rs"));
}

/// Package `waymark.worker.v1`: what workers talk to.
pub mod worker {
    include!(concat!(env!("OUT_DIR"), "/waymark.worker.v1.rs"));
}

/// Package `waymark.runner.v1`: how tests run instances in memory.
pub mod runner {
    include!(concat!(env!("OUT_DIR"), "/waymark.runner.v1.rs"));
}

/// All of them described, for gRPC reflection.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// Of the services in this crate: a peer with another one is refused.
pub const PROTOCOL_VERSION: u32 = 1;

/// No frame of a worker's stream is larger; both sides refuse one that is. Arguments and results are limited further, by the server's
/// options.
pub const FRAME_BYTES_MAX: usize = 72 << 20;

/// What a frame of a worker's stream gathers before another one is begun.
pub const FRAME_BYTES_WANTED: usize = 1 << 20;
