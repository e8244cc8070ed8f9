//! `waymark.toml` as anybody may have written it. The driver and the corpus are those of `crates/fuzz`.

use std::collections::BTreeMap;

use waymark_fuzz::drive::{Run, drive};
use waymark_fuzz::{Form, Target, Verdict};

use super::load::{Surroundings, read};
use super::{Flags, KEYS};

/// It is what it says, or an error for people.
fn check(bytes: &[u8]) -> Verdict {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("waymark.toml");
    std::fs::write(&path, bytes).expect("written");
    let flags = Flags { given: vec![None; KEYS.len()], file: None };
    let surroundings = Surroundings { directory: folder.path().to_path_buf(), variables: BTreeMap::new() };
    match read(&flags, &surroundings) {
        Ok((configuration, _)) => {
            assert_eq!(configuration.file, Some(path));
            Verdict::Accepted
        }
        Err(error) => {
            assert!(!error.to_string().trim().is_empty());
            Verdict::Refused
        }
    }
}

const WORDS: &[&str] = &[
    "=",
    "[",
    "]",
    "[[a]]",
    "\"",
    "'''",
    "\n",
    "#",
    "true",
    "1e999",
    "nan",
    "-1",
    "0x7fffffffffffffff",
    "1979-05-27",
    "{a = 1}",
    "slots",
    "workers",
    "database_url",
    "lease_seconds",
    "heartbeat_seconds",
    "token",
    "queues",
    "tls_key",
    "postgres://",
    "sqlite:",
    "\\u0000",
    "18446744073709551616",
];

#[test]
fn any_file_is_read_or_refused() {
    static TARGET: Target =
        Target { name: "configuration", form: Form::Text(WORDS), bytes_max: 5_000, check, seeds: Vec::new };
    drive(&TARGET, Run::of_variables());
}
