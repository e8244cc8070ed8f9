//! Looking for instances, at them, and changing what they do: against a server with workers, on a database of the test's own.

use regex::Regex;
use serde_json::{Value as Json, json};

use super::serve::{Site, wait_for, with_workers, worker_command};
use super::{Told, told};

const WAITS: &str = "\
workflow waits
fn main(input: [n]):
    doubled = @double(n=n)
    answer = await waymark.wait_for_signal(\"go\")
    return [doubled, answer]
";

/// Fails for as long as it has no file to write to.
const MENDED: &str = "\
workflow mended
fn main(input: [folder]):
    done = @double(n=2)
    @record(file=folder + \"/there/record.txt\", text=\"x\")
    return done
";

const UNKNOWN: &str = "01900000-0000-7000-8000-000000000000";

fn site() -> Site {
    let mut site = Site::new();
    site.place.write("waits.ir", WAITS.as_bytes());
    site.place.write("mended.ir", MENDED.as_bytes());
    let worker = worker_command();
    site.serve(&with_workers("dev", &worker));
    site
}

fn start(site: &Site, n: u32, id: &str) -> String {
    let input = json!({ "n": n }).to_string();
    let started = site.run(&["run", "waits.ir", "--input", &input, "--id", id, "--no-wait"]).succeeded();
    let instance = started.stdout.trim().to_string();
    wait_until(site, &instance, |shown| shown["waits_for"] == "signal go");
    instance
}

fn show(site: &Site, instance: &str) -> Json {
    site.run(&["show", instance, "--json"]).succeeded().json()
}

fn wait_until(site: &Site, instance: &str, is_so: impl Fn(&Json) -> bool) -> Json {
    wait_for("an instance", || Some(show(site, instance)).filter(&is_so))
}

fn is(status: &str) -> impl Fn(&Json) -> bool {
    move |shown| shown["status"] == status
}

fn ids(listed: &Told) -> Vec<String> {
    let listed: Vec<Json> = serde_json::from_value(listed.json()).expect("a list");
    listed.iter().map(|one| one["id"].as_str().unwrap_or("-").to_string()).collect()
}

/// What is another in each run has a sign in its place.
fn pinned(told: &Told) -> String {
    let mut text = told.to_string();
    for (pattern, sign) in [
        (r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}", "INSTANCE"),
        (r"version [0-9a-f]{12}", "version VERSION"),
        (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "TIME"),
        (r"\b(\d+ms|\d+\.\ds)\b", "TOOK"),
        (r"127\.0\.0\.1:\d+", "ADDRESS"),
        (r"  +", "  "),
    ] {
        text = Regex::new(pattern).expect("a pattern").replace_all(&text, sign).into_owned();
    }
    text
}

#[test]
fn instances_are_listed_counted_and_shown() {
    let site = site();
    assert_eq!(site.run(&["run", "fails.ir", "--id", "bad"]).code, 1);
    for n in 1..=3 {
        start(&site, n, &format!("w{n}"));
    }
    insta::assert_snapshot!("list", pinned(&site.run(&["list"]).succeeded()));
    insta::assert_snapshot!("show_waiting", pinned(&site.run(&["show", "waits/w2"]).succeeded()));
    insta::assert_snapshot!("show_failed", pinned(&site.run(&["show", "fails/bad"]).succeeded()));

    let list = |arguments: &[&str]| ids(&site.run(&[&["list", "--json"], arguments].concat()).succeeded());
    assert_eq!(list(&["--status", "failed,stuck"]), ["bad"]);
    assert_eq!(list(&["--workflow", "waits", "--status", "running"]), ["w3", "w2", "w1"]);
    assert_eq!(list(&["--error-type", "ValueError", "--since", "1h"]), ["bad"]);
    assert_eq!(list(&["--until", "1h"]), [""; 0]);
    assert_eq!(list(&["--text", "no luck"]), ["bad"]);
    let cut = site.run(&["list", "--limit", "2", "--json"]).succeeded();
    assert!(ids(&cut) == ["w3", "w2"] && cut.stderr.contains("the newest 2"), "{cut}");
    assert_eq!(site.run(&["count", "--workflow", "waits"]).succeeded().stdout, "3\n");
    assert_eq!(site.run(&["count", "--text", "no luck", "--json"]).succeeded().json()["count"], 1);
    let none = site.run(&["stuck"]).succeeded();
    assert!(none.stdout.is_empty() && none.stderr.contains("there are no such instances"), "{none}");

    let shown = show(&site, "waits/w2");
    assert_eq!(shown["frames"][0]["variables"], json!({ "n": 2, "doubled": 4 }));
    assert_eq!((&shown["events"][1]["step"], &shown["events"][1]["value"]), (&json!(2), &json!(4)));
    assert_eq!(show(&site, "fails/bad")["error"]["$exception"], "ValueError");
}

#[test]
fn a_start_says_where_it_waits_and_until_when() {
    let site = site();
    let placed = ["--queue", "mail", "--key", "acme", "--priority", "0", "--tag", "a", "--tag", "b"];
    let timed = ["--delay", "3600", "--timeout", "60.5"];
    let run = ["run", "waits.ir", "--input", r#"{"n": 1}"#, "--id", "placed", "--no-wait"];
    site.run(&[&run[..], &placed, &timed].concat()).succeeded();
    let shown = show(&site, "waits/placed");
    assert_eq!((&shown["queue"], &shown["key"], &shown["tags"]), (&json!("mail"), &json!("acme"), &json!(["a", "b"])));
    let time = |name: &str| shown[name].as_str().unwrap_or_default().parse::<jiff::Timestamp>().expect(name);
    let begins = (time("scheduled_at") - time("created_at")).total(jiff::Unit::Second).unwrap();
    assert!((3590.0..3610.0).contains(&begins), "{shown}");
    let left = (time("deadline") - time("scheduled_at")).total(jiff::Unit::Second).unwrap();
    assert!((60.0..61.0).contains(&left), "{shown}");
    let wrong = ["--priority=4", "--delay=soon", "--delay=-1", "--timeout=inf", "--queue=", "--key=", "--tag="];
    for flag in wrong {
        let told = site.run(&[&run[..4], &["--no-wait", flag]].concat());
        let name = flag.split('=').next().unwrap_or_default();
        assert!(told.code == 2 && told.stderr.contains(name), "{flag}: {told}");
    }
    assert_eq!(site.run(&["count", "--workflow", "waits"]).succeeded().stdout, "1\n");
}

#[test]
fn what_is_wrong_is_told_and_changes_nothing() {
    let site = site();
    let instance = start(&site, 1, "one");
    for command in ["show", "watch", "export", "cancel", "terminate", "pause", "resume", "retry"] {
        for (name, said) in [
            (UNKNOWN, "there is no instance"),
            ("waits/nobody", "has no instance with the id nobody"),
            ("12", "an instance's id, as `waymark list` shows it, or WORKFLOW/KEY"),
        ] {
            let refused = site.run(&[command, name]);
            assert!(refused.code == 2 && refused.stderr.contains(said), "{command} {name}: {refused}");
        }
    }
    for (arguments, said) in [
        (&["cancel"][..], "no instance is named"),
        (&["cancel", &instance, "--workflow", "waits"], "a filter is given too"),
        (&["cancel", "--workflow", "waits"], "this would cancel 1 instance\nhint: say --yes"),
        (&["resume", &instance], "it is running, not paused"),
        (&["retry", &instance], "and has not failed"),
        (&["retry", &instance, "--input", "[1]"], "--input must be an object"),
        (&["retry", &instance, "--from-step", "9"], "9 is no step of it"),
        (&["signal", &instance, "go", "{"], "the payload is not JSON"),
        (&["signal", UNKNOWN, "go"], "there is no instance"),
        (&["list", "--status", "asleep"], "possible values"),
        (&["list", "--since", "yesterday"], "how long ago"),
        (&["import", "waits.ir"], "is not JSON"),
    ] {
        let refused = site.run(arguments);
        assert!(refused.code == 2 && refused.stderr.contains(said), "{arguments:?}: {refused}");
    }
    let shown = show(&site, &instance);
    assert_eq!((&shown["status"], shown["events"].as_array().map(Vec::len)), (&json!("running"), Some(2)));
}

#[test]
fn an_instance_is_paused_signalled_and_watched() {
    let site = site();
    let instance = start(&site, 4, "one");
    site.run(&["pause", &instance]).succeeded();
    wait_until(&site, &instance, is("paused"));
    let again = site.run(&["pause", "waits/one", "--json"]);
    assert_eq!((again.code, &again.json()["problems"][0]["reason"]), (2, &json!("wrong_status")));
    for _ in 0..2 {
        site.run(&["signal", "waits/one", "go", r#"{"by": "ann"}"#, "--id", "key"]).succeeded();
    }
    site.run(&["resume", "--workflow", "waits", "--yes"]).succeeded();
    let watched = site.run(&["watch", &instance, "--json"]).succeeded();
    let last: Json = serde_json::from_str(watched.stdout.lines().last().expect("a line")).expect("JSON");
    assert_eq!((&last["status"], &last["result"]), (&json!("completed"), &json!([8, { "by": "ann" }])));
    let lines = site.run(&["watch", &instance]).succeeded();
    assert!(lines.stdout.lines().next().is_some_and(|line| line.ends_with("Z completed")), "{lines}");
    let finished = site.run(&["signal", &instance, "go"]);
    assert!(finished.code == 2 && finished.stderr.contains("has finished"), "{finished}");
}

#[test]
fn what_failed_is_retried_from_there() {
    let site = site();
    let folder = site.path("");
    let input = json!({ "folder": folder }).to_string();
    assert_eq!(site.run(&["run", "mended.ir", "--input", &input, "--id", "one"]).code, 1);
    assert_eq!(site.run(&["watch", "mended/one"]).code, 1);
    std::fs::create_dir(site.path("there")).expect("a folder");
    site.run(&["retry", "--status", "failed", "--workflow", "mended", "--yes"]).succeeded();
    assert_eq!(site.run(&["watch", "mended/one"]).succeeded().stdout.lines().last(), Some("4"));
    let events = show(&site, "mended/one")["events"].clone();
    let told: Vec<String> =
        events.as_array().expect("events").iter().map(|one| format!("{} {}", one["event"], one["attempt"])).collect();
    let wanted = ["\"started\" null", "\"settled\" 1", "\"settled\" 1", "\"rewound\" null", "\"settled\" 2"];
    assert_eq!(told, wanted, "the first action is not run again");

    let elsewhere = json!({ "folder": site.path("nowhere") }).to_string();
    site.run(&["retry", "mended/one", "--input", &elsewhere]).succeeded();
    assert_eq!(site.run(&["watch", "mended/one"]).code, 1);
    assert_eq!(show(&site, "mended/one")["inputs"]["folder"], json!(site.path("nowhere")));
}

#[test]
fn many_are_cancelled_by_a_filter() {
    let site = site();
    for n in 1..=3 {
        start(&site, n, &format!("w{n}"));
    }
    let preview = site.run(&["cancel", "--workflow", "waits", "--dry-run"]).succeeded();
    assert_eq!(preview.stderr, "this would cancel 3 instances\n");
    assert_eq!(site.run(&["count", "--status", "running"]).stdout, "3\n");
    let done = site.run(&["cancel", "--workflow", "waits", "--id", "w2", "--reason", "enough", "--yes"]).succeeded();
    assert_eq!(done.stderr, "1 instance told to cancel\n");
    wait_until(&site, "waits/w2", is("cancelled"));
    let done = site.run(&["terminate", "--workflow", "waits", "--yes", "--json"]).succeeded().json();
    assert_eq!(done, json!({ "done": 2, "dry_run": false, "problems": [] }));
    assert_eq!(site.run(&["count", "--status", "terminated"]).stdout, "2\n");
    let again = site.run(&["terminate", "--workflow", "waits", "--yes"]).succeeded();
    assert_eq!(again.stderr, "0 instances terminated\n");
}

/// As cancelling does: by a filter, somebody says yes; and an instance is named as everywhere.
#[test]
fn instances_are_migrated_when_somebody_agrees() {
    let site = site();
    for (n, id) in [(1, "w1"), (2, "w2")] {
        start(&site, n, id);
    }
    let before = show(&site, "waits/w1")["version"].clone();
    site.place.write("waits.ir", WAITS.replace("[doubled, answer]", "[answer, doubled]").as_bytes());
    start(&site, 3, "w3");
    let after = show(&site, "waits/w3")["version"].clone();
    assert_ne!(before, after);

    let refused = site.run(&["migrate", "--workflow", "waits"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (2, ""), "{refused}");
    assert!(refused.stderr.contains("error: this would migrate 2 instances\nhint: say --yes to do it"), "{refused}");
    let preview = site.run(&["migrate", "--workflow", "waits", "--dry-run"]).succeeded();
    assert_eq!(preview.stderr, "2 would be migrated, 0 would not\n");
    assert_eq!(show(&site, "waits/w1")["version"], before);

    let one = site.run(&["migrate", "waits/w1"]).succeeded();
    assert_eq!(one.stderr, "1 migrated, 0 not\n");
    assert_eq!(
        [show(&site, "waits/w1"), show(&site, "waits/w2")].map(|one| one["version"].clone()),
        [&after, &before].map(Json::clone)
    );
    let missing = site.run(&["migrate", "waits/nobody"]);
    assert!(missing.code == 2 && missing.stderr.contains("nobody"), "{missing}");
    let rest = site.run(&["migrate", "--workflow", "waits", "--yes"]).succeeded();
    assert_eq!(rest.stderr, "1 migrated, 0 not\n");
    assert_eq!(show(&site, "waits/w2")["version"], after);
    // Nothing is left to agree to.
    assert_eq!(site.run(&["migrate", "--workflow", "waits"]).succeeded().stderr, "0 migrated, 0 not\n");
}

#[test]
fn names_that_nobody_knows_are_told() {
    let site = site();
    start(&site, 1, "w1");
    let commands = [
        &["versions", "wait"][..],
        &["versions", "activate", "wait", "1"],
        &["migrate", "--workflow", "wait", "--yes"],
        &["migrate", "--workflow", "wait", "--dry-run"],
        &["queues", "pause", "--workflow", "wait"],
        &["queues", "resume", "--workflow", "wait"],
    ];
    for command in commands {
        let told = site.run(command);
        assert_eq!((told.code, told.stdout.as_str()), (2, ""), "{command:?}: {told}");
        let wanted = "error: there is no workflow named wait\nhint: did you mean waits?\n";
        assert_eq!(told.stderr, wanted, "{command:?}: {told}");
    }
    let told = site.run(&["versions", "other"]);
    assert!(told.code == 2 && told.stderr.contains("hint: `waymark versions` lists"), "{told}");
    assert!(site.run(&["versions", "waits"]).succeeded().stdout.contains("waits"));

    // A queue is there when somebody uses it, so it can be paused before.
    assert_eq!(site.run(&["queues", "pause", "default"]).succeeded().stderr, "");
    let paused = site.run(&["queues", "pause", "defualt"]).succeeded();
    let wanted = "the queue defualt has no limits and no live instances so far; did you mean default?\n";
    assert_eq!(paused.stderr, wanted, "{paused}");
    let queues = site.run(&["queues", "list", "--json"]).succeeded().json();
    let names: Vec<&str> = queues["queues"].as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["default", "defualt"]);
    for workflow in ["pause", "resume"] {
        assert_eq!(site.run(&["queues", workflow, "--workflow", "waits"]).succeeded().stderr, "");
    }
}

#[test]
fn how_to_say_from_which_step_is_told_by_its_flag() {
    let site = site();
    start(&site, 1, "w1");
    site.run(&["signal", "waits/w1", "go", "1"]).succeeded();
    wait_until(&site, "waits/w1", is("completed"));
    let completed = site.run(&["retry", "waits/w1"]);
    assert!(completed.code == 2 && completed.stderr.contains("hint: say from which step"), "{completed}");
    assert!(completed.stderr.contains("(--from-step, --from-start)"), "{completed}");
    let no_step = site.run(&["retry", "waits/w1", "--from-step", "700"]);
    assert!(no_step.code == 2 && no_step.stderr.contains("700 is no step of it"), "{no_step}");
    assert!(no_step.stderr.contains("hint: `waymark show` lists its steps, for --from-step"), "{no_step}");

    assert_eq!(site.run(&["run", "fails.ir", "--id", "f1"]).code, 1);
    let raised = site.run(&["retry", "fails/f1"]);
    assert!(raised.code == 2 && raised.stderr.contains("retry from an earlier step (--from-step"), "{raised}");
    for told in [completed, no_step, raised] {
        assert!(!told.stderr.contains("from_seq"), "{told}");
    }
}

/// On another machine, whose database knows nothing of it.
#[test]
fn an_instance_is_imported_elsewhere() {
    let site = site();
    let instance = start(&site, 5, "one");
    assert_eq!(site.run(&["run", "fails.ir", "--id", "bad"]).code, 1);
    site.run(&["export", &instance, "-o", "one.json"]).succeeded();
    site.run(&["export", "fails/bad", "-o", "bad.json"]).succeeded();
    let file: Json = serde_json::from_slice(&std::fs::read(site.path("one.json")).expect("it is there")).expect("JSON");
    assert_eq!(
        (&file["status"], &file["inputs"], &file["source"]),
        (&json!("running"), &json!({ "n": 5 }), &json!(WAITS))
    );
    assert_eq!((&file["log"][1]["event"], &file["log"][1]["value"]), (&json!("settled"), &json!(10)));
    assert!(file["program"].as_str().is_some_and(|program| !program.is_empty()));

    let away = |arguments: &[&str]| told(site.command(arguments).args(["--database-url", "away.db"]));
    let import = |file: &str| away(&["import", file, "--json"]).succeeded().json()["instance_id"].clone();
    let copy = import("one.json");
    let copy = copy.as_str().expect("an id");
    assert_ne!(copy, instance);
    let shown = away(&["show", copy, "--json"]).succeeded().json();
    assert_eq!((&shown["status"], &shown["events"][0]["event"]), (&json!("paused"), &json!("imported")));
    assert_eq!(shown["frames"][0]["variables"], json!({ "n": 5, "doubled": 10 }));
    away(&["resume", copy]).succeeded();
    away(&["signal", copy, "go", "7"]).succeeded();
    let watched = away(&["watch", copy, "--json"]).succeeded();
    assert!(watched.stdout.contains(r#""result":[10,7]"#), "{watched}");
    // One that has finished stands before its last step, and takes it again.
    let failed = import("bad.json");
    let failed = failed.as_str().expect("an id");
    away(&["resume", failed]).succeeded();
    let watched = away(&["watch", failed]);
    assert!(watched.code == 1 && watched.stderr.contains("ValueError: no luck"), "{watched}");
    // The first is where it was.
    assert_eq!(show(&site, &instance)["status"], "running");
    let damaged = json!({ "format": "waymark-instance-1", "exported": "AAAA" }).to_string();
    site.place.write("damaged.json", damaged.as_bytes());
    let refused = away(&["import", "damaged.json"]);
    assert!(refused.code == 2 && refused.stderr.contains("is damaged"), "{refused}");
}

/// What a copy needs is the same on both databases.
#[test]
fn an_instance_is_imported_into_postgres() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let url = runtime.block_on(waymark_store::conformance::Cluster::shared().database(false));
    let mut site = site();
    let instance = start(&site, 6, "one");
    site.run(&["export", &instance, "-o", "one.json"]).succeeded();
    let worker = worker_command();
    site.serve(&[&with_workers("dev", &worker)[..], &["--database-url", &url]].concat());
    let away = |arguments: &[&str]| told(site.command(arguments).args(["--database-url", &url]));
    let copy = away(&["import", "one.json"]).succeeded().stdout;
    let copy = copy.trim();
    assert_eq!(away(&["show", copy, "--json"]).succeeded().json()["status"], "paused");
    away(&["signal", copy, "go", "7"]).succeeded();
    away(&["resume", copy]).succeeded();
    assert!(away(&["watch", copy, "--json"]).succeeded().stdout.contains(r#""result":[12,7]"#));
    // It is under an id of its own, and so is what it does from here on.
    away(&["retry", copy, "--from-start"]).succeeded();
    away(&["signal", copy, "go", "8"]).succeeded();
    assert!(away(&["watch", copy, "--json"]).succeeded().stdout.contains(r#""result":[12,8]"#));
}
