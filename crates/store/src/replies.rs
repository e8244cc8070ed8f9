//! Replies to updates: what an instance answered to who waits for it.

/// An answer to one update of an instance. The first one counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub update_id: String,
    pub outcome: ReplyOutcome,
}

/// Encoded by the runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplyOutcome {
    Value(Vec<u8>),
    Error(Vec<u8>),
}

impl ReplyOutcome {
    pub(crate) fn is_error(&self) -> bool {
        matches!(self, ReplyOutcome::Error(_))
    }

    pub(crate) fn content(&self) -> &[u8] {
        let (ReplyOutcome::Value(content) | ReplyOutcome::Error(content)) = self;
        content
    }

    pub(crate) fn stored(is_error: bool, content: Vec<u8>) -> ReplyOutcome {
        if is_error { ReplyOutcome::Error(content) } else { ReplyOutcome::Value(content) }
    }
}
