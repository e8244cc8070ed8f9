//! Locks on files, with a limit on how long to wait.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;

const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Held until it is dropped, or the process ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// None: somebody else holds it.
    pub fn take(path: &Path) -> anyhow::Result<Option<Lock>> {
        let cannot = || format!("the lock `{}`", path.display());
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).mode(0o600).open(path).with_context(cannot)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error).with_context(cannot),
        }
    }

    /// None: somebody else held it all the time.
    pub async fn wait(path: &Path, limit: Duration) -> anyhow::Result<Option<Lock>> {
        let end = Instant::now() + limit;
        loop {
            match Lock::take(path)? {
                Some(lock) => return Ok(Some(lock)),
                None if Instant::now() >= end => return Ok(None),
                None => tokio::time::sleep(LOOK_AGAIN).await,
            }
        }
    }
}
