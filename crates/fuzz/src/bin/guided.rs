//! `make fuzz`: libFuzzer guides the mutations of one target, `FUZZ_TARGET`, by what they reach. Ours and its own take turns.

#![no_main]
#![allow(unsafe_code, reason = "libFuzzer calls functions by name")]

use std::cell::RefCell;
use std::sync::LazyLock;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use peak_alloc::PeakAlloc;
use waymark_fuzz::guard::Guard;
use waymark_fuzz::mutate::mutate;
use waymark_fuzz::{Target, corpus, targets};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

static TARGET: LazyLock<&'static Target> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").expect("FUZZ_TARGET names the target");
    targets::find(&name).unwrap_or_else(|| panic!("there is no target {name}"))
});

static CORPUS: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(|| corpus::read(TARGET.name));

thread_local! {
    static GUARD: RefCell<Guard<'static>> = RefCell::new(Guard::new(*TARGET));
}

fuzz_target!(|input: &[u8]| {
    GUARD.with_borrow_mut(|guard| guard.check(input));
});

fuzz_mutator!(|input: &mut [u8], size: usize, size_max: usize, seed: u32| {
    let mut rng = fastrand::Rng::with_seed(u64::from(seed));
    if rng.u8(..4) == 0 {
        return fuzzer_mutate(input, size, size_max);
    }
    let other = &CORPUS[rng.usize(..CORPUS.len())].1;
    let made = mutate(TARGET.form, &input[..size], other, size_max.min(TARGET.bytes_max), &mut rng);
    input[..made.len()].copy_from_slice(&made);
    made.len()
});
