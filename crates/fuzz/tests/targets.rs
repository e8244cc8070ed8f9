//! Every target for some seconds: `FUZZ_SECONDS=600 FUZZ_SEED=7 cargo test -p waymark-fuzz --test targets text`.

use std::sync::{Mutex, PoisonError};

use peak_alloc::PeakAlloc;
use waymark_fuzz::drive::{Run, drive};
use waymark_fuzz::targets::{TARGETS, find};

/// It counts.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What is counted is the process's: one after the other.
static TURN: Mutex<()> = Mutex::new(());

fn check(name: &str) {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    drive(find(name).expect("a target"), Run::of_variables());
}

macro_rules! targets {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            check(stringify!($name));
        })*

        #[test]
        fn none_is_left_out() {
            assert_eq!([$(stringify!($name)),*].as_slice(), TARGETS.iter().map(|target| target.name).collect::<Vec<_>>());
        }
    };
}

targets!(text, program, payload, json, snapshot, log, answers, workers, bridge, import, schedule, cron);
