//! Several engines on one store in virtual time, with crashes between any two steps, lost and late answers, commits whose outcome is
//! unknown, duplicate deliveries, engines of one shard and of two, workers that know different actions, and clocks that disagree and are set. Everything is drawn from a seed; a
//! failure prints it.
//!
//! `SEEDS=1000 cargo test -p waymark-engine --test simulation` runs more of them, `SEED=17` one.

mod checks;
mod control;
mod host;
mod starts;
mod store_calls;
mod transactions;
mod workflows;
mod world;

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, Once};

use waymark_engine::Sabotage;
use world::World;

/// What is broken on purpose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Broken {
    Engine(Sabotage),
    /// The store lets an instance go to sleep that has mail.
    WakeSeqUnchecked,
    /// The store has a higher limit than the one that must hold.
    LimitsUnchecked,
}

#[test]
fn everything_acknowledged_comes_to_its_end() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    if let Some(seed) = number("SEED") {
        World::new(seed, None).run();
        return;
    }
    let seeds = number("SEEDS").unwrap_or(2_000);
    let claimed_starts = AtomicU64::new(0);
    if let Some((seed, reason)) = first_failure(seeds, None, &claimed_starts) {
        panic!("{reason}\nSEED={seed} runs it alone");
    }
    assert!(claimed_starts.into_inner() >= seeds / 4, "hardly any start was claimed with its commit");
}

/// A broken invariant is noticed within a few hundred seeds: the assertions can fail.
#[test]
fn broken_invariants_are_noticed() {
    let all = [
        Broken::Engine(Sabotage::EffectBeforeCause),
        Broken::Engine(Sabotage::UnknownIsDone),
        Broken::Engine(Sabotage::UnknownIsRepeated),
        Broken::Engine(Sabotage::ForgetInFlight),
        Broken::Engine(Sabotage::MailTwice),
        Broken::Engine(Sabotage::KeepLost),
        Broken::Engine(Sabotage::TrustLateAnswers),
        Broken::Engine(Sabotage::RunRouted),
        Broken::Engine(Sabotage::DeclareTransactions),
        Broken::Engine(Sabotage::TimedFirstStep),
        Broken::WakeSeqUnchecked,
        Broken::LimitsUnchecked,
    ];
    for broken in all {
        let noticed = first_failure(1_000, Some(broken), &AtomicU64::new(0));
        let Some((_, reason)) = noticed else { panic!("{broken:?} went unnoticed") };
        eprintln!("{broken:?}: {}", reason.lines().next().unwrap_or_default());
    }
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs seeds on all cores until one fails, quietly: whoever wants to know why runs it again.
fn first_failure(seeds: u64, broken: Option<Broken>, claimed_starts: &AtomicU64) -> Option<(u64, String)> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let told = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                told(panic);
            }
        }));
    });
    let next = AtomicU64::new(0);
    let failed = Mutex::new(None);
    let is_over = AtomicBool::new(false);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                QUIET.set(true);
                while !is_over.load(Ordering::Relaxed) {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds {
                        break;
                    }
                    match std::panic::catch_unwind(|| World::new(seed, broken).run()) {
                        Ok(claimed) => {
                            claimed_starts.fetch_add(claimed, Ordering::Relaxed);
                        }
                        Err(panic) => {
                            let reason = panic.downcast_ref::<String>().cloned().unwrap_or_default();
                            *failed.lock().unwrap() = Some((seed, reason));
                            is_over.store(true, Ordering::Relaxed);
                        }
                    }
                }
            });
        }
    });
    failed.into_inner().unwrap()
}
