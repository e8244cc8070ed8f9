//! What reads bytes from outside, a function each.

mod answers;
pub mod bridge;
pub mod import;
mod json;
mod log;
mod payload;
mod program;
mod sample;
mod schedule;
mod snapshot;
mod text;
pub mod workers;

use crate::{Form, Target};

pub const TARGETS: &[Target] = &[
    Target { name: "text", form: Form::Text(text::WORDS), bytes_max: 20_000, check: text::check, seeds: text::seeds },
    Target { name: "program", form: Form::Protobuf, bytes_max: 50_000, check: program::check, seeds: program::seeds },
    Target {
        name: "payload",
        form: Form::MessagePack,
        bytes_max: 50_000,
        check: payload::check,
        seeds: payload::seeds,
    },
    Target { name: "json", form: Form::Text(json::WORDS), bytes_max: 20_000, check: json::check, seeds: json::seeds },
    Target {
        name: "snapshot",
        form: Form::MessagePack,
        bytes_max: 100_000,
        check: snapshot::check,
        seeds: snapshot::seeds,
    },
    Target { name: "log", form: Form::MessagePack, bytes_max: 50_000, check: log::check, seeds: log::seeds },
    Target { name: "answers", form: Form::Protobuf, bytes_max: 50_000, check: answers::check, seeds: answers::seeds },
    Target { name: "workers", form: Form::Protobuf, bytes_max: 50_000, check: workers::check, seeds: workers::seeds },
    Target { name: "bridge", form: Form::Protobuf, bytes_max: 50_000, check: bridge::check, seeds: bridge::seeds },
    Target { name: "import", form: Form::Protobuf, bytes_max: 200_000, check: import::check, seeds: import::seeds },
    Target {
        name: "schedule",
        form: Form::MessagePack,
        bytes_max: 10_000,
        check: schedule::check,
        seeds: schedule::seeds,
    },
    Target {
        name: "cron",
        form: Form::Text(schedule::WORDS),
        bytes_max: 1_000,
        check: schedule::check_cron,
        seeds: schedule::seeds_of_cron,
    },
];

pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
