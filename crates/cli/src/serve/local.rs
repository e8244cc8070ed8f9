//! The socket that workers of this process connect to: only its user can.

use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use tokio::net::UnixListener;
use waymark_server::Listeners;

/// Addresses of Unix sockets are short.
const PATH_BYTES_MAX: usize = 100;
const PREFIX: &str = "waymark-";
/// Younger folders are left alone: their owner may not listen yet.
const YOUNG: Duration = Duration::from_secs(60);

/// Its folder goes when it is dropped.
pub struct LocalSocket {
    folder: PathBuf,
}

impl LocalSocket {
    pub fn open(run_folder: &Path, listeners: &mut Listeners) -> anyhow::Result<LocalSocket> {
        sweep(run_folder);
        let name = format!("{PREFIX}{}", uuid::Uuid::now_v7().simple());
        let near = run_folder.join(&name);
        let folder = if near.as_os_str().len() < PATH_BYTES_MAX { near } else { std::env::temp_dir().join(&name) };
        std::fs::DirBuilder::new()
            .mode(0o700)
            .create(&folder)
            .with_context(|| format!("the folder `{}` for the workers' socket", folder.display()))?;
        let socket = LocalSocket { folder };
        let listener =
            UnixListener::bind(socket.path()).with_context(|| format!("the socket `{}`", socket.path().display()))?;
        listeners.local_workers = Some(listener);
        Ok(socket)
    }

    pub fn address(&self) -> String {
        format!("unix:{}", self.path().display())
    }

    fn path(&self) -> PathBuf {
        socket_in(&self.folder)
    }
}

fn socket_in(folder: &Path) -> PathBuf {
    folder.join("workers")
}

/// A process that was killed could not tidy up. Nobody listens on its socket.
fn sweep(run_folder: &Path) {
    for entry in std::fs::read_dir(run_folder).into_iter().flatten().flatten() {
        let is_old = || entry.metadata()?.modified()?.elapsed().map_err(std::io::Error::other).map(|age| age > YOUNG);
        if entry.file_name().to_string_lossy().starts_with(PREFIX)
            && is_old().unwrap_or(false)
            && UnixStream::connect(socket_in(&entry.path()))
                .is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
        {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

impl Drop for LocalSocket {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_is_swept_and_nothing_else() {
        let run = tempfile::tempdir().unwrap();
        let folder = |name: &str, is_old: bool| {
            let folder = run.path().join(name);
            std::fs::create_dir(&folder).unwrap();
            let listener = std::os::unix::net::UnixListener::bind(socket_in(&folder)).unwrap();
            if is_old {
                let before = std::time::SystemTime::now() - 2 * YOUNG;
                std::fs::File::open(&folder).unwrap().set_modified(before).unwrap();
            }
            (folder, listener)
        };
        let (alive, _listens) = folder("waymark-alive", true);
        let [dead, young, other] = [("waymark-dead", true), ("waymark-young", false), ("other", true)]
            .map(|(name, is_old)| folder(name, is_old).0);
        sweep(run.path());
        assert_eq!([alive, dead, young, other].map(|folder| folder.exists()), [true, false, true, true]);
    }
}
