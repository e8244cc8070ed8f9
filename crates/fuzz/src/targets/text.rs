//! The text form of programs.

use std::path::{Path, PathBuf};

use waymark_ir::text::{parse, parse_expression, print, print_expression};
use waymark_ir::{ir_hash, wire};

use super::program::check_lowered;
use crate::Verdict;

pub fn check(bytes: &[u8]) -> Verdict {
    let source = String::from_utf8_lossy(bytes);
    if let Ok(expression) = parse_expression(&source) {
        let printed = print_expression(&expression);
        let again = parse_expression(&printed).unwrap_or_else(|problems| panic!("{printed}: {problems:?}"));
        assert_eq!(print_expression(&again), printed);
    }
    let parsed = parse("a.ir", &source);
    let printed = print(&parsed.program);
    if parsed.diagnostics.iter().any(waymark_ir::Diagnostic::is_error) {
        return Verdict::Refused;
    }
    let again = parse("a.ir", &printed);
    assert!(again.diagnostics.is_empty(), "{:?}\n{printed}", again.diagnostics);
    assert_eq!(print(&again.program), printed);
    assert_eq!(ir_hash(&again.program), ir_hash(&parsed.program), "{printed}");
    // What is within the limits of the text may be beyond those of the wire.
    if let Ok(decoded) = wire::decode(&wire::encode(&parsed.program)) {
        assert_eq!(print(&decoded), printed);
    }
    check_lowered(parsed.program)
}

pub fn seeds() -> Vec<Vec<u8>> {
    programs().map(String::into_bytes).collect()
}

/// Those of the examples, the tests and the documents.
pub fn programs() -> impl Iterator<Item = String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let files = ["examples/ir", "crates/runner/tests/snapshots", "crates/fuzz/src/targets"];
    let mut paths: Vec<PathBuf> = files
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).expect("a folder of programs"))
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ir"))
        .collect();
    paths.sort();
    let document = std::fs::read_to_string(root.join("docs/text-form.md")).expect("the document");
    let shown: Vec<String> =
        document.split("```ir\n").skip(1).filter_map(|rest| rest.split("```").next()).map(String::from).collect();
    paths.into_iter().map(|path| std::fs::read_to_string(path).expect("a program")).chain(shown)
}

/// Pieces that random text would rarely form.
pub const WORDS: &[&str] = &[
    "fn main():\n",
    "def f(",
    "type A:\n",
    "workflow a\n",
    "dialect flow\n",
    "entry f\n",
    "    ",
    "\n",
    "\t",
    "if ",
    "else:\n",
    "elif ",
    "match x:\n",
    "case ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "f'",
    "f\"\"\"",
    "{x!r:>{y}}",
    "'",
    "\"",
    "\\",
    "\\N{DASH}",
    "\\x",
    "spread ",
    "->",
    "@f()",
    "@workflow ",
    "async ",
    "await ",
    "fragment 'a' (",
    "const(date: ",
    "const(list: [",
    "const(float: \"nan\")",
    "lambda ",
    "x",
    "1",
    "2s",
    "1e999",
    "0x",
    "1_0",
    "=",
    ":=",
    "*",
    "**",
    ",",
    ".",
    "for x in ",
    "while True:\n",
    "not ",
    "in ",
    "is ",
    "yield ",
    "yield from ",
    "!r",
    "é",
    "with (",
    "async with ",
    "try:\n",
    "except ",
    "finally:\n",
    "raise ",
    "from ",
    "#",
    ";",
    "-",
    "return ",
    "nonlocal x\n",
    "del ",
    "assert ",
    "pass\n",
    "break\n",
    "continue\n",
    "[retry: 3]",
    "[timeout: ",
    "backoff: ",
    "input: [",
    "output: [",
    "record frozen eq\n",
    "enum\n",
    "exception\n",
    "opaque\n",
    "override __eq__\n",
    "member A = 1\n",
    "field a = ",
    "None",
    "True",
    "...",
    "<",
    "<<=",
    "@=",
    "//",
];
