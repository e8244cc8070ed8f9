//! Values as JSON, from people.

use waymark_ir::json::{from_json, to_json};

use super::payload;
use crate::Verdict;

pub fn check(bytes: &[u8]) -> Verdict {
    let Ok(json) = serde_json::from_slice::<serde_json::Value>(bytes) else { return Verdict::Refused };
    let Ok(value) = from_json(&json) else { return Verdict::Refused };
    let shown = to_json(&value);
    let again = from_json(&shown).unwrap_or_else(|error| panic!("{error}: {shown}"));
    assert_eq!(waymark_ir::payload::encode(&again), waymark_ir::payload::encode(&value), "{shown}");
    payload::check_value(value);
    Verdict::Accepted
}

pub fn seeds() -> Vec<Vec<u8>> {
    payload::values().iter().map(|value| to_json(value).to_string().into_bytes()).collect()
}

pub const WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "null",
    "true",
    "1e400",
    "-0",
    "1E5",
    "\"\"",
    "\"$dict\"",
    "\"$int\"",
    "\"$float\"",
    "\"$bytes\"",
    "\"$date\"",
    "\"$time\"",
    "\"$datetime\"",
    "\"$timedelta\"",
    "\"$decimal\"",
    "\"$uuid\"",
    "\"$ellipsis\"",
    "\"$object\"",
    "\"$exception\"",
    "\"fields\"",
    "\"args\"",
    "\"cause\"",
    "\"bases\"",
    "\"name\"",
    "\"fold\"",
    "\"nan\"",
    "\"inf\"",
    "\"0001-01-01\"",
    "\"9999-12-31T23:59:59.999999+23:59\"",
    "\"Europe/Berlin\"",
    "\"1e99999999999\"",
    "\\u0000",
    "\\ud800",
    "\"-999999999\"",
];
