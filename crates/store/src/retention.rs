//! How long what has finished is kept.

use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retention {
    For(Duration),
    Forever,
}

impl Retention {
    pub(crate) fn stored(self) -> Option<i64> {
        match self {
            Retention::For(length) => Some(crate::time::micros(length)),
            Retention::Forever => None,
        }
    }

    pub(crate) fn read(keep_us: Option<i64>) -> Retention {
        keep_us.map_or(Retention::Forever, |length| Retention::For(Duration::from_micros(length.unsigned_abs())))
    }
}
