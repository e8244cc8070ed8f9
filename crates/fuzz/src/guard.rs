//! Watches over one check of one input: its time, its memory, panics on whichever thread. An input that takes the process down, by a stack that
//! overflows or memory that runs out, is found in the file that it was written to before.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;

use crate::{Target, Verdict};

/// An input may take so long, by a debug build on a busy machine.
const TIME_MAX: Duration = Duration::from_secs(20);
/// One that takes longer is worth a look: it is kept, but nothing fails.
const SLOW: Duration = Duration::from_millis(500);
/// And so much memory beyond what there was.
const MEMORY_BYTES_MAX: usize = 256 << 20;

static PANICS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static IS_EXPECTED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Panics anywhere are counted: a runtime would keep those of its tasks to itself.
fn count_panics() {
    static SET: Once = Once::new();
    SET.call_once(|| {
        let before = std::panic::take_hook();
        let is_shown = std::env::var_os("FUZZ_SHOW").is_some();
        std::panic::set_hook(Box::new(move |information| {
            if !IS_EXPECTED.get() {
                PANICS.fetch_add(1, Ordering::SeqCst);
            }
            if !IS_EXPECTED.get() || is_shown {
                before(information);
            }
        }));
    });
}

/// What may panic: None if it did. `FUZZ_SHOW` has it seen.
pub fn may_panic<T>(act: impl FnOnce() -> T) -> Option<T> {
    IS_EXPECTED.set(true);
    let result = catch_unwind(AssertUnwindSafe(act));
    IS_EXPECTED.set(false);
    result.ok()
}

pub struct Guard<'a> {
    target: &'a Target,
    /// What is being checked.
    current: File,
    /// Milliseconds since `began` at which the check under way began, plus one; 0: none is.
    since: Arc<AtomicU64>,
    began: Instant,
    ended: Arc<AtomicBool>,
    pub slowest: (Duration, usize),
    pub largest: usize,
}

impl<'a> Guard<'a> {
    pub fn new(target: &'a Target) -> Guard<'a> {
        count_panics();
        let folder = folder();
        std::fs::create_dir_all(&folder).expect("a folder for what is found");
        let path = folder.join(format!("{}.current", target.name));
        let (since, ended, began) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)), Instant::now());
        let (watched, over, shown) = (since.clone(), ended.clone(), path.clone());
        std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                let at = watched.load(Ordering::Relaxed);
                if at > 0 && began.elapsed() > Duration::from_millis(at) + TIME_MAX {
                    eprintln!("a check does not end within {TIME_MAX:?}: {}", shown.display());
                    std::process::exit(1);
                }
                std::thread::park_timeout(Duration::from_millis(200));
            }
        });
        let current = File::create(path).expect("a file for what is checked");
        Guard { target, current, since, began, ended, slowest: (Duration::ZERO, 0), largest: 0 }
    }

    /// Panics, with the input, when something is wrong.
    pub fn check(&mut self, input: &[u8]) -> Verdict {
        self.current.write_all_at(input, 0).and_then(|()| self.current.set_len(input.len() as u64)).expect("written");
        let panics = PANICS.load(Ordering::SeqCst);
        let (before, start) = (PeakAlloc.current_usage(), Instant::now());
        PeakAlloc.reset_peak_usage();
        self.since.store(self.began.elapsed().as_millis() as u64 + 1, Ordering::Relaxed);
        let verdict = catch_unwind(AssertUnwindSafe(|| (self.target.check)(input)));
        self.since.store(0, Ordering::Relaxed);
        let (taken, memory) = (start.elapsed(), PeakAlloc.peak_usage().saturating_sub(before));
        if taken > self.slowest.0 {
            self.slowest = (taken, input.len());
            if taken > SLOW {
                std::fs::write(folder().join(format!("{}.slowest", self.target.name)), input).expect("written");
            }
        }
        self.largest = self.largest.max(memory);
        let problem = match &verdict {
            Err(_) => Some("panics".to_string()),
            Ok(_) if PANICS.load(Ordering::SeqCst) != panics => Some("panics on another thread".to_string()),
            Ok(_) if memory > MEMORY_BYTES_MAX => Some(format!("takes {} MiB", memory >> 20)),
            Ok(_) if taken > TIME_MAX => Some(format!("takes {taken:?}")),
            Ok(_) => None,
        };
        if let Some(problem) = problem {
            let path = keep(self.target, input);
            let shown: String = input.iter().take(4_000).map(|byte| format!("{byte:02x}")).collect();
            panic!("{} {problem} with {} bytes, in {}: {shown}", self.target.name, input.len(), path.display());
        }
        verdict.expect("it did not panic")
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

fn folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target")).join("fuzz")
}

fn keep(target: &Target, input: &[u8]) -> PathBuf {
    use sha2::Digest;
    let digest = sha2::Sha256::digest(input);
    let path =
        folder().join(format!("{}-{:02x}{:02x}{:02x}{:02x}", target.name, digest[0], digest[1], digest[2], digest[3]));
    std::fs::write(&path, input).expect("what was found is kept");
    path
}
