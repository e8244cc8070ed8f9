//! The recorded corpus: snapshots that earlier versions wrote must be read, and go on, for ever.
//!
//! `tests/snapshots/NAME.ir` is a program, `NAME.snapshot` what an instance of it was after the events `before` of
//! `NAME.json`, and `after` says what must happen next: events and, written by hand, their effects. Nothing recorded is ever
//! changed. For a new schema or lowering add entries: write the program and the events, then `RECORD=1 cargo test -p
//! waymark-runner --test snapshots` writes the snapshots that are missing.

mod trace;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value as Json;
use trace::words;
use waymark_ir::exceptions::exception;
use waymark_ir::json::from_json;
use waymark_runner::graph::{LOWERING_VERSION, Lowered};
use waymark_runner::simulate::lower;
use waymark_runner::snapshot::SCHEMA_VERSION;
use waymark_runner::{Event, FragmentOutcome, Instance, Limits, Outcome, Shape, SnapshotError};

struct Entry {
    name: String,
    lowered: Arc<Lowered>,
    json: Json,
    snapshot: PathBuf,
}

fn entries() -> Vec<Entry> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let files = std::fs::read_dir(&folder).expect("the corpus").map(|file| file.expect("a file").path());
    let mut programs: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|kind| kind == "ir")).collect();
    programs.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().to_string();
        let source = std::fs::read_to_string(&path).expect("a program");
        let lowered = lower(&source).unwrap_or_else(|problems| panic!("{name}: {problems}"));
        let text = std::fs::read_to_string(path.with_extension("json")).expect("what happens next");
        let json = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        Entry { name, lowered, json, snapshot: path.with_extension("snapshot") }
    };
    programs.into_iter().map(read).collect()
}

impl Entry {
    /// The recorded bytes. With `RECORD=1` those that are missing are written; what is there is never touched.
    fn bytes(&self) -> Vec<u8> {
        if !self.snapshot.exists() && std::env::var("RECORD").is_ok_and(|record| record == "1") {
            let mut instance =
                Instance::new(0x0190_0000_0000_7000_8000_0000_0000_0001, self.lowered.clone(), Limits::default());
            for json in self.json["before"].as_array().expect("events") {
                let (at_us, event) = event(json);
                instance.apply(at_us, event).expect("an event");
            }
            std::fs::write(&self.snapshot, instance.snapshot()).expect("a snapshot");
        }
        std::fs::read(&self.snapshot).unwrap_or_else(|error| panic!("{}: {error}", self.snapshot.display()))
    }
}

fn event(json: &Json) -> (i64, Event) {
    let value = |json: &Json| from_json(json).expect("a value");
    let pair = |json: &Json| (json[0].as_u64().expect("an ordinal"), json[1].as_u64().expect("an attempt") as u32);
    let at_us = (json["at"].as_f64().expect("a time") * 1e6) as i64;
    let (kind, inner) = json
        .as_object()
        .expect("an event")
        .iter()
        .find(|(name, _)| {
            ["start", "settled", "fragment", "deadline", "signal", "update", "cancel", "pause", "resume"]
                .contains(&name.as_str())
        })
        .expect("a kind");
    let event = match kind.as_str() {
        "start" => {
            let inputs = inner.as_object().expect("inputs").iter().map(|(name, input)| (name.clone(), value(input)));
            Event::Started { inputs: inputs.collect() }
        }
        "settled" => {
            let (ordinal, attempt) = pair(inner);
            let outcome = match json["fail"].as_str() {
                Some(name) => {
                    Outcome::Failed(exception(name, json["args"].as_array().expect("args").iter().map(value).collect()))
                }
                None => Outcome::Completed(value(&json["value"])),
            };
            Event::Settled { ordinal, attempt, outcome }
        }
        "fragment" => {
            let (ordinal, attempt) = pair(inner);
            let plain = |json: &Json| Shape::Plain(value(json));
            let changed = json["objects"].as_array().into_iter().flatten().map(|entry| {
                let items = entry[1].as_array().expect("a list").iter().map(plain).collect();
                (entry[0].as_u64().expect("a number") as u32, Shape::List(items))
            });
            let outcome = FragmentOutcome::Completed { value: plain(&json["value"]), objects: changed.collect() };
            Event::FragmentSettled { ordinal, attempt, outcome }
        }
        "deadline" => Event::DeadlineReached,
        "signal" => {
            let id = json["id"].as_str().map(Into::into);
            Event::Signal { name: inner.as_str().expect("a name").into(), payload: value(&json["payload"]), id }
        }
        "update" => Event::Update {
            name: inner.as_str().expect("a name").into(),
            payload: value(&json["payload"]),
            id: json["id"].as_str().expect("an id").into(),
        },
        "cancel" => Event::Cancel { reason: inner.as_str().map(Into::into) },
        "pause" => Event::Pause,
        _ => Event::Resume,
    };
    (at_us, event)
}

#[test]
fn recorded_snapshots_go_on() {
    let entries = entries();
    assert!(entries.len() >= 20, "only {} entries", entries.len());
    let mut wrong = Vec::new();
    for entry in &entries {
        let bytes = entry.bytes();
        // Once straight on, and once saved anew in between.
        for resumed in [false, true] {
            let restored = Instance::restore(&bytes, entry.lowered.clone());
            let mut instance = restored.unwrap_or_else(|error| panic!("{}: {error}", entry.name));
            let steps = entry.json["after"].as_array().expect("events");
            for (at, json) in steps.iter().enumerate() {
                if resumed {
                    instance = Instance::restore(&instance.snapshot(), entry.lowered.clone()).expect("a snapshot");
                }
                let (at_us, event) = event(json);
                let effects =
                    instance.apply(at_us, event).unwrap_or_else(|error| panic!("{} {at}: {error}", entry.name));
                let found: Vec<String> = effects.iter().map(words).collect();
                let expected: Vec<&str> =
                    json["effects"].as_array().expect("effects").iter().filter_map(Json::as_str).collect();
                if found != expected {
                    wrong.push(format!("{} event {at}\n  expected {expected:?}\n  found    {found:?}", entry.name));
                }
            }
            if instance.ending().is_none() {
                wrong.push(format!("{} does not come to its end", entry.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whoever raises a version records entries of it.
#[test]
fn the_newest_versions_are_recorded() {
    let mut newest = (0, 0);
    for entry in entries() {
        let bytes = entry.bytes();
        // A frame begins: an array of six, the schema, the lowering.
        assert_eq!(bytes[0], 0x96, "{}", entry.name);
        let versions = (u32::from(bytes[1]), u32::from(bytes[2]));
        let said = (entry.json["schema"].as_u64(), entry.json["lowering"].as_u64());
        assert_eq!((Some(u64::from(versions.0)), Some(u64::from(versions.1))), said, "{}", entry.name);
        newest = newest.max(versions);
    }
    assert_eq!(newest, (SCHEMA_VERSION, LOWERING_VERSION));
}

#[test]
fn what_is_no_snapshot_of_the_program_is_refused() {
    let entries = entries();
    let find = |name: &str| entries.iter().find(|entry| entry.name == name).expect("an entry");
    let (sleep, signal) = (find("sleep"), find("signal"));
    let good = sleep.bytes();
    let restore = |bytes: &[u8]| Instance::restore(bytes, sleep.lowered.clone()).map(|_| ());
    assert_eq!(restore(&good), Ok(()));
    assert!(matches!(restore(&signal.bytes()), Err(SnapshotError::OtherProgram { .. })));
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        restore(&bytes)
    };
    assert_eq!(changed(1, 99), Err(SnapshotError::TooNew { found: 99 }));
    assert_eq!(changed(2, 99), Err(SnapshotError::OtherLowering { found: 99 }));
    assert_eq!(changed(good.len() - 1, good[good.len() - 1] ^ 1), Err(SnapshotError::Damaged));
    assert!(matches!(restore(&[]), Err(SnapshotError::Malformed(_))));
    assert!(matches!(restore(&good[..good.len() / 2]), Err(SnapshotError::Malformed(_))));
}

/// A restored instance hands out again what was in flight, under the same ids.
#[test]
fn what_was_in_flight_is_handed_out_again() {
    let expected = [
        ("action", vec![r#"@app.billing:charge#1.1({"id":7,"lines":[1,2]}, currency="EUR") on money"#]),
        ("backoff", vec![]),
        ("gather", vec!["@f#1.1(1)", "@f#3.1(3)"]),
        ("fragment", vec!["fragment#1.1 held.append(2) or len(held)"]),
        ("stopping", vec!["stop #1.1"]),
        ("finished", vec![]),
    ];
    let entries = entries();
    for (name, expected) in expected {
        let entry = entries.iter().find(|entry| entry.name == name).expect("an entry");
        let instance = Instance::restore(&entry.bytes(), entry.lowered.clone()).expect("a snapshot");
        assert_eq!(instance.in_flight().iter().map(words).collect::<Vec<_>>(), expected, "{name}");
    }
    let finished = entries.iter().find(|entry| entry.name == "finished").expect("an entry");
    let instance = Instance::restore(&finished.bytes(), finished.lowered.clone()).expect("a snapshot");
    let ending = instance.ending().map(trace::end);
    assert_eq!(ending.as_deref(), Some("failed ValueError(\"over\", [1])"));
}
