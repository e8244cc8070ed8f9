//! What the author of a schedule wants, as it is stored.

use serde::{Deserialize, Serialize};

use super::Calendar;

/// When it is due, and what it starts then. Times are microseconds since 1970, lengths are microseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    pub when: When,
    /// No due time before this one, and none after the other.
    pub start_at_us: Option<i64>,
    pub end_at_us: Option<i64>,
    /// Each run starts up to so much later than it is due.
    pub jitter_us: i64,
    pub overlap: Overlap,
    /// A due time that nobody was there for is made up for within this time.
    pub catch_up_us: i64,
    /// Of its instances: arguments by name, encoded.
    #[serde(with = "bytes")]
    pub inputs: Vec<u8>,
    pub queue: String,
    pub priority: u8,
    pub tags: Vec<String>,
    pub key: Option<String>,
    /// What an instance has to finish within.
    pub timeout_us: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum When {
    /// Five fields, or six with seconds first, in the local time of a zone.
    Cron { pattern: String, zone: String },
    /// At the anchor, and at every so many microseconds before and after it.
    Interval { every_us: i64, anchor_us: i64 },
}

/// What a due time does while a run before it is still going.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Overlap {
    /// Nothing; it is counted.
    #[default]
    Skip,
    /// Starts beside it.
    Allow,
    /// Waits for it to end; a second one that would wait is left out.
    BufferOne,
    /// Cancels it, and starts.
    CancelRunning,
}

impl Definition {
    pub fn encode(&self) -> Result<Vec<u8>, String> {
        // With names: fields may be added.
        rmp_serde::to_vec_named(self).map_err(|error| format!("the schedule can't be written: {error}"))
    }

    pub fn decode(bytes: &[u8]) -> Result<Definition, String> {
        rmp_serde::from_slice(bytes).map_err(|error| format!("the schedule can't be read: {error}"))
    }

    pub fn calendar(&self) -> Result<Calendar, String> {
        Calendar::new(self)
    }

    /// Whether both have the same due times.
    pub fn has_calendar_of(&self, other: &Definition) -> bool {
        self.when == other.when && self.start_at_us == other.start_at_us && self.end_at_us == other.end_at_us
    }
}

impl Overlap {
    pub const ALL: [Overlap; 4] = [Overlap::Skip, Overlap::Allow, Overlap::BufferOne, Overlap::CancelRunning];

    pub fn name(self) -> &'static str {
        match self {
            Overlap::Skip => "skip",
            Overlap::Allow => "allow",
            Overlap::BufferOne => "buffer_one",
            Overlap::CancelRunning => "cancel_running",
        }
    }
}

/// As bytes, not as a list of numbers.
mod bytes {
    use serde::{Deserializer, Serializer, de};

    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytes)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        struct Bytes;
        impl de::Visitor<'_> for Bytes {
            type Value = Vec<u8>;

            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("bytes")
            }

            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
                Ok(bytes.to_vec())
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}
