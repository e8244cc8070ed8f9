//! The bridge: the gRPC service that clients talk to.

/// What can be set about a bridge.
#[derive(Clone, Debug)]
pub struct Options {
    /// Inputs, programs and results larger than this are refused.
    pub payload_bytes_max: usize,
    /// Starts of many callers that one commit takes.
    pub start_batch: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { payload_bytes_max: 4 << 20, start_batch: 500 }
    }
}
