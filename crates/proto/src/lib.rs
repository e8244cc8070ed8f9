//! The wire types, generated from `proto/waymark/v1/*.proto`. They are plain data: what is well formed and what it
//! means is decided by the crates that read them (`waymark_ir::wire` for programs).

/// Package `waymark.v1`.
pub mod v1 {
    include!(concat!(env!("OUT_DIR"), "/waymark.v1.rs"));
}
