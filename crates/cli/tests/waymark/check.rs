use std::io::Read;
use std::process::Stdio;

use super::{Place, command, told};

const SOUND: &str = "fn main(input: [name]):\n    return @greet(name)\n";

const WRONG_TEXT: &str = "\
fn main(input: [order]):
    total = 012
    paid = @charge(order) [retries: 3]
    import os
    f() = 1
    name = 'Ann
    return total
";

const WRONG_MEANING: &str = "\
fn main(input: [order], output: [total]):
    if order:
        return totl
    helper(1, 2, d=3)
    @charge() [retry: 0]

def helper(a, b, c):
    break
    return math.sqroot(a)
";

const WARNED: &str = "fn main():\n    return 1\n    print('größer', 2)\n";

#[test]
fn all_problems_of_all_files() {
    let place = Place::new([
        ("sound.ir", SOUND),
        ("text.ir", WRONG_TEXT),
        ("meaning.ir", WRONG_MEANING),
        ("warned.ir", WARNED),
    ]);
    insta::assert_snapshot!("check_sound", place.run(&["check", "sound.ir"]));
    insta::assert_snapshot!("check_warned", place.run(&["check", "warned.ir"]));
    insta::assert_snapshot!("check_text", place.run(&["check", "text.ir"]));
    insta::assert_snapshot!("check_meaning", place.run(&["check", "meaning.ir"]));
    let all = place.run(&["check", "sound.ir", "text.ir", "meaning.ir", "warned.ir"]);
    assert_eq!(all.code, 1);
    assert!(all.stderr.contains("in 4 files"), "{all}");
}

#[test]
fn problems_as_json() {
    let place = Place::new([("sound.ir", SOUND), ("warned.ir", WARNED), ("meaning.ir", WRONG_MEANING)]);
    assert_eq!(place.run(&["check", "--json", "sound.ir"]).succeeded().json(), serde_json::json!([]));
    insta::assert_snapshot!("check_json", place.run(&["check", "--json", "warned.ir"]));
    let problems = place.run(&["check", "--json", "meaning.ir"]);
    assert_eq!(problems.code, 1);
    let problems = problems.json();
    let keys = ["file", "code", "severity", "line", "column", "end_line", "end_column", "message", "label", "help"];
    for problem in problems.as_array().expect("a list") {
        let given: Vec<&String> = problem.as_object().expect("an object").keys().collect();
        assert_eq!(given, keys);
    }
}

#[test]
fn files_that_cannot_be_read() {
    let place = Place::new([("sound.ir", SOUND), ("warned.ir", WARNED), ("empty.ir", "")]);
    place.write("latin.ir", b"fn main():\n    return 'gr\xf6\xdfer'\n");
    std::fs::create_dir(place.path("flows")).expect("a directory");
    insta::assert_snapshot!("check_missing", place.run(&["check", "missing.ir"]));
    insta::assert_snapshot!("check_directory", place.run(&["check", "flows"]));
    insta::assert_snapshot!("check_not_utf8", place.run(&["check", "latin.ir"]));
    insta::assert_snapshot!("check_empty", place.run(&["check", "empty.ir"]));
    insta::assert_snapshot!("check_some_missing", place.run(&["check", "missing.ir", "warned.ir", "flows"]));
    insta::assert_snapshot!("check_no_file", place.run(&["check"]));
}

#[test]
fn odd_texts_are_shown_whole() {
    let windows = WARNED.replace('\n', "\r\n");
    let long = format!("fn main():\n    return 1\n    print('{}')\n", "x".repeat(5_000));
    let controls = "fn main():\n    x = '\u{1b}[31m' $\n";
    let deep = format!("fn main():\n    return {}1{}\n", "(".repeat(5_000), ")".repeat(5_000));
    let place =
        Place::new([("windows.ir", &*windows), ("long.ir", &long), ("controls.ir", controls), ("deep.ir", &deep)]);
    insta::assert_snapshot!("check_windows", place.run(&["check", "windows.ir"]));
    assert!(place.run(&["check", "long.ir"]).succeeded().stdout.len() < 3_000);
    assert!(!place.run(&["check", "controls.ir"]).stdout.contains('\u{1b}'));
    assert_eq!(place.run(&["check", "deep.ir"]).code, 1);
}

#[test]
fn colour_only_where_it_is_wanted() {
    let place = Place::new([("warned.ir", WARNED)]);
    let run =
        |variable: &str| told(command(place.directory.path()).env(variable, "1").args(["check", "warned.ir"])).stdout;
    assert!(run("CLICOLOR_FORCE").contains('\u{1b}'));
    assert!(!run("NO_COLOR").contains('\u{1b}'));
    assert!(!run("UNRELATED").contains('\u{1b}'));
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let many = format!("fn main():\n    return 1\n{}", "    print(1)\n    return 2\n".repeat(20_000));
    let place = Place::new([("many.ir", &*many)]);
    let mut child = command(place.directory.path())
        .args(["compile", "many.ir"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("waymark starts");
    let mut first = [0; 10];
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_exact(&mut first).expect("some output");
    drop(stdout);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}
