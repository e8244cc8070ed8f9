//! The socket that workers of this process connect to: only its user can.

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use tokio::net::UnixListener;
use waymark_server::Listeners;

/// Addresses of Unix sockets are short.
const PATH_BYTES_MAX: usize = 100;

/// Its folder goes when it is dropped.
pub struct LocalSocket {
    folder: PathBuf,
}

impl LocalSocket {
    pub fn open(run_folder: &Path, listeners: &mut Listeners) -> anyhow::Result<LocalSocket> {
        let name = format!("waymark-{}", uuid::Uuid::now_v7().simple());
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
        self.folder.join("workers")
    }
}

impl Drop for LocalSocket {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
