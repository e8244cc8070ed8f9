//! The user's own folder, `~/.waymark`: the token, and what is known of the bridges that run.

use std::fs;
use std::io::{ErrorKind, Write};
use std::net::SocketAddr;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::config::{Configuration, Token};
use crate::terminal::hinted;

#[derive(Clone, Debug)]
pub struct Home {
    pub path: PathBuf,
}

impl Home {
    /// `WAYMARK_HOME`, or `.waymark` in the user's home. Made where it is missing, for its owner alone.
    pub fn open() -> anyhow::Result<Home> {
        let named = std::env::var_os("WAYMARK_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
        let path = named.or_else(|| Some(std::env::home_dir()?.join(".waymark"))).ok_or_else(|| {
            hinted("there is no home directory to keep the token in", "set WAYMARK_HOME to a folder of your own")
        })?;
        let path = std::path::absolute(&path).with_context(|| format!("`{}`", path.display()))?;
        let home = Home { path };
        home.make_folder(&home.path)?;
        home.make_folder(&home.run_folder())?;
        Ok(home)
    }

    /// Records, locks and logs of bridges.
    pub fn run_folder(&self) -> PathBuf {
        self.path.join("run")
    }

    pub fn token_file(&self) -> PathBuf {
        self.path.join("token")
    }

    fn make_folder(&self, path: &Path) -> anyhow::Result<()> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(|error| {
            hinted(
                format!("the folder `{}` can't be made: {error}", path.display()),
                "set WAYMARK_HOME to a folder that you can write to",
            )
        })?;
        let about = fs::metadata(path)?;
        if !is_ours(&about) || about.mode() & 0o022 != 0 {
            return Err(hinted(
                format!("others can write to `{}`, so what is in it can't be trusted", path.display()),
                format!("chmod 700 '{}', or set WAYMARK_HOME to a folder of your own", path.display()),
            ));
        }
        Ok(())
    }

    /// The token of this user; the first who asks makes it.
    pub fn token(&self) -> anyhow::Result<Token> {
        let path = self.token_file();
        loop {
            match read_token(&path)? {
                Some(token) => return Ok(token),
                None => make_token(&path)?,
            }
        }
    }
}

/// None: there is no such file.
fn read_token(path: &Path) -> anyhow::Result<Option<Token>> {
    let about = match fs::symlink_metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("the token file `{}`", path.display())),
    };
    if !about.is_file() || !is_ours(&about) || about.permissions().mode() & 0o077 != 0 {
        return Err(hinted(
            format!("the token file `{}` is not yours alone: others can read or change it", path.display()),
            format!("delete it (a new one is made), or: chmod 600 '{}'", path.display()),
        ));
    }
    let text = fs::read_to_string(path).with_context(|| format!("the token file `{}`", path.display()))?;
    Token::parse(text.trim()).map(Some).map_err(|allowed| {
        hinted(
            format!("the token file `{}` holds no token; allowed: {allowed}", path.display()),
            "delete it: a new one is made",
        )
    })
}

/// Whole from the first moment it can be seen, and never replaced: whoever loses the race reads the winner's.
fn make_token(path: &Path) -> anyhow::Result<()> {
    let mut random = [0; 32];
    getrandom::fill(&mut random).map_err(|error| anyhow::anyhow!("the system gives no random numbers: {error}"))?;
    let token: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    let draft = path.with_extension(format!("{}.draft", uuid::Uuid::now_v7().simple()));
    let written = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&draft)
        .and_then(|mut file| file.write_all(format!("{token}\n").as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| fs::hard_link(&draft, path));
    let _ = fs::remove_file(&draft);
    match written {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(error).with_context(|| format!("the token file `{}` can't be written", path.display()))
        }
        _ => Ok(()),
    }
}

fn is_ours(about: &fs::Metadata) -> bool {
    about.uid() == rustix::process::geteuid().as_raw()
}

/// The token to serve with: an explicit one, or on loopback the user's own.
pub fn token_for_listeners(
    configuration: &Configuration,
    home: &Home,
    addresses: &[SocketAddr],
) -> anyhow::Result<Token> {
    if let Some(token) = &configuration.values.token {
        return Ok(token.clone());
    }
    match addresses.iter().find(|address| !address.ip().is_loopback()) {
        Some(open) => Err(hinted(
            format!("{open} can be reached from other hosts, and no token is set"),
            "set WAYMARK_TOKEN (or --token, or `token` in waymark.toml) here and for every client, or listen on 127.0.0.1",
        )),
        None => home.token(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Barrier;

    use super::*;

    /// Whoever asks at the same time is told the same token.
    #[test]
    fn the_token_is_made_once() {
        for _ in 0..20 {
            let folder = tempfile::tempdir().unwrap();
            let home = Home { path: folder.path().to_path_buf() };
            let all = Barrier::new(8);
            let ask = || {
                all.wait();
                home.token().unwrap().secret().to_string()
            };
            let tokens: BTreeSet<String> = std::thread::scope(|scope| {
                let asking: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
                asking.into_iter().map(|asking| asking.join().unwrap()).collect()
            });
            assert_eq!(tokens.len(), 1);
        }
    }
}
