//! Attempts whose database work and completion are one transaction: whoever says first what became of one has settled it.

use crate::{ActionKey, Message};

/// What an engine would say of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptSettlement {
    pub key: ActionKey,
    /// For the inbox of its instance. Its id is that of everybody's message about this attempt.
    pub message: Message,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptSettled {
    /// This is what became of it.
    First,
    /// It was settled before. What was said then is put into the inbox again, unless it is there.
    Already,
    /// The instance has finished, or never was: nobody reads it. The attempt is settled all the same.
    Ended,
}
