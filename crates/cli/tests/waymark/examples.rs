use super::{command, repository, told};

/// Every example has inputs and a script beside it, and runs: straight through, and resumed after every event.
#[test]
fn every_example_runs() {
    let directory = repository().join("examples/ir");
    let files = std::fs::read_dir(&directory).expect("the examples");
    let mut names: Vec<String> =
        files.filter_map(|file| Some(file.ok()?.file_name().to_str()?.strip_suffix(".ir")?.to_string())).collect();
    names.sort();
    assert_eq!(names, ["approval", "checkout", "nightly_report", "order_saga", "polling", "welcome_emails"]);
    for name in names {
        let [program, input, script] =
            [format!("{name}.ir"), format!("@{name}.input.json"), format!("{name}.actions.json")];
        let run = |more: &[&str]| {
            let arguments = ["sim", &program, "--input", &input, "--actions", &script];
            told(command(&directory).args(arguments).args(more))
        };
        let through = run(&[]);
        assert_eq!(run(&["--resume-everywhere"]).to_string(), through.to_string(), "{name}");
        let canonical = told(command(&directory).args(["check", &program])).succeeded();
        assert!(canonical.stdout.is_empty(), "{canonical}");
        insta::assert_snapshot!(format!("example_{name}"), through.succeeded());
    }
}
