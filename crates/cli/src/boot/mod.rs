//! One bridge a host, user and database, however many want one.
//!
//! The run folder of the user's home has, for each database: `KEY.lock`, which the serving process holds for as long as it lives;
//! `KEY.boot`, held by whoever looks for a bridge, starts one or becomes one; `KEY.json`, where the serving process says who it is;
//! `KEY.log`, what a bridge that a client started has to say. A record is believed only after the bridge itself has answered with the
//! fingerprint in it, and a lock is let go by the system when its process ends, however it ends.

pub mod call;
pub mod ensure;
mod lock;
pub mod ports;
mod record;
pub mod seat;

use std::path::{Path, PathBuf};

use anyhow::Context;
use sha2::{Digest, Sha256};

use crate::config::Database;
use crate::home::Home;
use crate::terminal::hinted;

pub use record::Record;

/// The files of one database.
#[derive(Clone, Debug)]
pub struct Files {
    folder: PathBuf,
    key: String,
}

impl Files {
    /// SQLite is known by its path. Postgres by its fingerprint, which has to be asked for: two URLs may lead to one database.
    pub async fn of(home: &Home, database: &Database) -> anyhow::Result<Files> {
        let identity = match database {
            Database::Sqlite(path) => canonical(path)?.display().to_string(),
            Database::Postgres(_) => fingerprint(database).await?,
        };
        // A home may be shared by hosts, as over NFS.
        let host = host_name();
        let digest = Sha256::digest(format!("{host}\0{identity}").as_bytes());
        let key = digest.iter().take(10).map(|byte| format!("{byte:02x}")).collect();
        Ok(Files { folder: home.run_folder(), key })
    }

    fn path(&self, extension: &str) -> PathBuf {
        self.folder.join(format!("{}.{extension}", self.key))
    }

    pub fn log(&self) -> PathBuf {
        self.path("log")
    }
}

/// What opening it anew would say.
pub async fn fingerprint(database: &Database) -> anyhow::Result<String> {
    let store = waymark_store::open(&database.url()).await.map_err(|error| not_opened(database, error))?;
    Ok(store.fingerprint().await?)
}

/// With a way out, where there is one.
pub fn not_opened(database: &Database, error: waymark_store::Error) -> anyhow::Error {
    match (database, &error) {
        (Database::Postgres(_), waymark_store::Error::Unavailable { .. }) => hinted(
            error.to_string(),
            "start Postgres there, or set another database_url (`waymark config` shows where it is set); SQLite needs no server: \
             sqlite:FILE",
        ),
        (_, waymark_store::Error::InUse { .. }) => hinted(
            error.to_string(),
            "a SQLite file has one server process: connect to that one, stop it, or use Postgres",
        ),
        _ => anyhow::Error::new(error).context(database.to_string()),
    }
}

/// The same for every spelling of a path. Its folder is made, so that it has one.
pub fn canonical(path: &Path) -> anyhow::Result<PathBuf> {
    let cannot = || format!("the database `{}`", path.display());
    let folder = path.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(folder).with_context(cannot)?;
    match path.canonicalize() {
        Ok(path) => Ok(path),
        Err(_) => {
            let name = path.file_name().with_context(cannot)?;
            Ok(folder.canonicalize().with_context(cannot)?.join(name))
        }
    }
}

pub fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}
