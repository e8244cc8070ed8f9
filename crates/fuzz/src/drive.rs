//! The driver of `cargo test`: the corpus, then mutations of it, drawn from a seed, for some seconds.

use std::time::{Duration, Instant};

use fastrand::Rng;

use crate::guard::Guard;
use crate::mutate::mutate;
use crate::{Target, Verdict, corpus};

/// As every thread of the engine and the server has.
const STACK_BYTES: usize = 2 << 20;
/// Inputs that were accepted and are mutated further, beside the corpus: a new one takes the place of another.
const POOL: usize = 400;

#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub seconds: f64,
    /// Mutations at the most: a short run finds the same on a machine of any speed.
    pub inputs_max: u64,
    pub seed: u64,
}

impl Run {
    /// `FUZZ_SECONDS` and `FUZZ_SEED`, or short and always the same.
    pub fn of_variables() -> Run {
        fn variable<T: std::str::FromStr>(name: &str) -> Option<T> {
            std::env::var(name).ok()?.parse().ok()
        }
        let (seconds, seed) = (variable("FUZZ_SECONDS"), variable("FUZZ_SEED"));
        let inputs_max = if seconds.is_some() { u64::MAX } else { 1_000 };
        Run { seconds: seconds.unwrap_or(2.0), inputs_max, seed: seed.unwrap_or(1) }
    }
}

/// Panics with the first input that is not dealt with as it should be. `FUZZ_INPUT` names a file that is the only one.
pub fn drive(target: &'static Target, run: Run) {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || drive_here(target, run));
    if let Err(panic) = thread.expect("a thread").join() {
        eprintln!("{}: FUZZ_SEED={} finds it again", target.name, run.seed);
        std::panic::resume_unwind(panic);
    }
}

fn drive_here(target: &Target, run: Run) {
    let mut guard = Guard::new(target);
    if let Some(path) = std::env::var_os("FUZZ_INPUT") {
        let input = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        println!("{}: {:?}", target.name, guard.check(&input));
        return;
    }
    let mut rng = Rng::with_seed(run.seed);
    let end = Instant::now() + Duration::from_secs_f64(run.seconds);
    let found = corpus::read(target.name);
    let mut pool: Vec<Vec<u8>> = Vec::new();
    let (mut seeds, mut accepted) = (0, 0);
    for (name, input) in found {
        let verdict = guard.check(&input);
        if name.starts_with("seed-") {
            seeds += 1;
            accepted += usize::from(verdict == Verdict::Accepted);
        }
        pool.push(input);
    }
    // Else all that is mutated is refused at its first field, and nothing is tried.
    assert!(
        accepted * 2 >= seeds.max(1),
        "{}: of {seeds} seeds {accepted} are accepted; run `make fuzz-corpus`",
        target.name
    );
    let begun = pool.len();
    let (mut tried, mut taken) = (0_u64, 0_u64);
    while Instant::now() < end && tried < run.inputs_max {
        // Half of the time from the corpus, for what is accepted most often says little.
        let input = if rng.bool() { &pool[rng.usize(..begun)] } else { &pool[rng.usize(..pool.len())] };
        let other = &pool[rng.usize(..pool.len())];
        let made = mutate(target.form, input, other, target.bytes_max, &mut rng);
        tried += 1;
        if guard.check(&made) == Verdict::Accepted {
            taken += 1;
            if pool.len() < begun + POOL {
                pool.push(made);
            } else if taken.is_multiple_of(8) {
                let at = rng.usize(begun..pool.len());
                pool[at] = made;
            }
        }
    }
    let (slowest, of) = guard.slowest;
    println!(
        "{}: {tried} inputs, {taken} accepted; the slowest took {slowest:?} ({of} bytes), the largest {} KiB",
        target.name,
        guard.largest >> 10
    );
}
