//! The real binary, from outside: exit code, stdout and stderr of every command, pinned by snapshots.

mod bench;
mod check;
mod compile;
mod config;
mod documents;
mod examples;
mod instances;
mod runner;
mod serve;
mod sim;
mod tls;

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A directory with files, in which `waymark` runs: so no path of this machine is in what it prints.
struct Place {
    directory: TempDir,
}

impl Place {
    fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Place {
        let place = Place { directory: tempfile::tempdir().expect("a temporary directory") };
        for (name, text) in files {
            place.write(name, text.as_bytes());
        }
        place
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path(name), bytes).expect("a file can be written");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Told {
        told(command(self.directory.path()).args(arguments))
    }
}

/// What a command told.
struct Told {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Told {
    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}:\n{self}"))
    }

    fn succeeded(self) -> Told {
        assert_eq!(self.code, 0, "{self}");
        self
    }
}

impl std::fmt::Display for Told {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Told { code, stdout, stderr } = self;
        write!(out, "exit code: {code}\n---------- stdout\n{stdout}---------- stderr\n{stderr}")
    }
}

fn command(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_waymark"));
    command.current_dir(directory);
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "DATABASE_URL"] {
        command.env_remove(variable);
    }
    for (variable, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("WAYMARK_")) {
        command.env_remove(variable);
    }
    command.env("WAYMARK_HOME", directory.join("home"));
    command
}

fn told(command: &mut Command) -> Told {
    let output = command.output().expect("waymark starts");
    Told {
        code: output.status.code().expect("it ends by itself"),
        stdout: String::from_utf8(output.stdout).expect("UTF-8 on stdout"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8 on stderr"),
    }
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/cli").to_path_buf()
}

#[test]
fn help_and_version() {
    let place = Place::new([]);
    insta::assert_snapshot!("help", place.run(&["help"]));
    insta::assert_snapshot!("help_of_sim", place.run(&["help", "sim"]));
    insta::assert_snapshot!("no_command", place.run(&[]));
    insta::assert_snapshot!("unknown_command", place.run(&["chekc"]));
    let version = place.run(&["--version"]).succeeded();
    assert_eq!(version.stdout, format!("waymark {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_for_every_shell() {
    let place = Place::new([]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = place.run(&["completions", shell]).succeeded().stdout;
        assert!(script.contains("compile") && script.contains("resume-everywhere"), "{shell}");
    }
    assert_eq!(place.run(&["completions", "basic"]).code, 2);
}
