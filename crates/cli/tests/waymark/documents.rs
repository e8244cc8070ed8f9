//! What the documents say is run: a page that is wrong fails a test.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Place, repository};

const PAGES: [&str; 6] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "docs/configuration.md",
    "docs/text-form.md",
    "docs/diagnostics.md",
];

fn page(name: &str) -> String {
    fs::read_to_string(repository().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The fenced blocks of one language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let mut fences = page.split("```");
    fences.next();
    let inside = fences.step_by(2);
    inside.filter_map(|block| Some(block.strip_prefix(language)?.strip_prefix('\n')?.to_string())).collect()
}

fn shell(line: &str) -> String {
    let bin = Path::new(env!("CARGO_BIN_EXE_waymark")).parent().expect("a directory");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(repository()).env("PATH", format!("{}:{path}", bin.display()));
    for variable in ["MAKEFLAGS", "MFLAGS", "MAKELEVEL"] {
        command.env_remove(variable);
    }
    let output = command.output().unwrap_or_else(|error| panic!("{line}: {error}"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}\n{stderr}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn commands_in_the_documents_work() {
    let mut commands = 0;
    // Those of the README and of the guides are run by the tests of the Python package.
    for name in ["CONTRIBUTING.md"] {
        for line in blocks(&page(name), "console").iter().flat_map(|block| block.lines()) {
            let line = line.strip_prefix("$ ").unwrap_or_else(|| panic!("{name}: a command begins with `$ `: {line}"));
            commands += 1;
            match line.split_once(' ') {
                Some(("waymark", _)) => drop(shell(line)),
                // `make` would build and test again: what it would do is enough. The demo is run by the tests of the Python package.
                Some(("make", target)) => drop(shell(&format!("make --dry-run --no-print-directory {target}"))),
                Some(("cargo", "test -p waymark-runner")) => assert!(repository().join("crates/runner").is_dir()),
                _ => panic!("{name}: what is `{line}`?"),
            }
        }
    }
    assert!(commands >= 3, "the blocks were found");
}

#[test]
fn examples_of_the_text_form_are_sound() {
    let examples = blocks(&page("docs/text-form.md"), "ir");
    assert!(examples.len() >= 6);
    for example in examples {
        Place::new([("example.ir", &*example)]).run(&["check", "example.ir"]).succeeded();
    }
}

#[test]
fn every_code_of_the_reader_has_an_entry() {
    let mut used = BTreeSet::new();
    let mut directories = vec![repository().join("crates/ir/src/text")];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).expect("the reader's source").flatten() {
            if entry.path().is_dir() {
                directories.push(entry.path());
            } else {
                let source = fs::read_to_string(entry.path()).expect("source text");
                let codes = source.split("\"W01").skip(1).map(|rest| format!("W01{}", &rest[..2]));
                used.extend(codes);
            }
        }
    }
    let page = page("docs/diagnostics.md");
    let documented =
        page.lines().filter_map(|line| line.strip_prefix("### W01")).map(|rest| format!("W01{}", &rest[..2]));
    assert_eq!(documented.collect::<BTreeSet<String>>(), used);
}

#[test]
fn links_and_paths_lead_somewhere() {
    for name in PAGES {
        let text = page(name);
        let here = repository().join(name);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = link.split('#').next().unwrap_or_default();
            if !target.is_empty() && !target.starts_with("http") {
                assert!(here.with_file_name(target).exists(), "{name} links to {link}");
            }
        }
    }
    // Paths in the table of ARCHITECTURE.md are relative to `crates`, or to the repository.
    let architecture = page("ARCHITECTURE.md");
    for quoted in architecture.split('`').skip(1).step_by(2) {
        let first = quoted.split('/').next().unwrap_or_default();
        let is_path = quoted.contains('/') && ["ir", "runner", "cli", "docs", "crates"].contains(&first);
        if is_path && !quoted.contains(['…', '*']) {
            let found = repository().join(quoted).exists() || repository().join("crates").join(quoted).exists();
            assert!(found, "ARCHITECTURE.md names {quoted}");
        }
    }
}
