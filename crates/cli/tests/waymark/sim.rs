use super::Place;

const GREET: &str = "\
workflow greet
fn main(input: [name, times=1]):
    for _ in range(times):
        await asyncio.sleep(1.5)
        greeting = @app:greet(name=name)
    return {\"greeting\": greeting}
";

const FAILS: &str = "\
workflow fails
fn main(input: [key]):
    try:
        value = lookup({\"a\": 1}, key)
    except KeyError as error:
        raise ValueError(f\"no {key}\") from error
    return value

def lookup(table, key):
    return table[key]
";

const WAITS: &str = "\
workflow waits
fn main():
    print('waiting')
    return await waymark.wait_for_signal('go')
";

fn place() -> Place {
    Place::new([("greet.ir", GREET), ("fails.ir", FAILS), ("waits.ir", WAITS)])
}

#[test]
fn a_result_and_its_trace() {
    let place = place();
    place.write("actions.json", br#"{"actions": {"app:greet": {"return": "hello", "after": 0.25}}}"#);
    place.write("input.json", br#"{"name": "Ann", "times": 2}"#);
    let arguments = ["sim", "greet.ir", "--actions", "actions.json", "--input"];
    let with = |more: &[&str]| place.run(&[&arguments[..], more].concat());
    let plain = with(&["@input.json"]);
    insta::assert_snapshot!("sim_result", plain);
    insta::assert_snapshot!("sim_json", with(&["@input.json", "--json"]));
    insta::assert_snapshot!("sim_quiet", with(&[r#"{"name": "Ann"}"#, "--quiet"]));
    let resumed = with(&["@input.json", "--resume-everywhere"]);
    assert_eq!(resumed.to_string(), plain.to_string());
}

#[test]
fn workflows_that_do_not_complete() {
    let place = place();
    place.write("never.json", br#"{"actions": {"app:greet": {"never": true}}}"#);
    place.write("cancel.json", br#"{"events": [{"at": 5, "cancel": "enough"}]}"#);
    place.write("signal.json", br#"{"events": [{"at": 5, "signal": "go", "payload": [1]}]}"#);
    insta::assert_snapshot!("sim_fails", place.run(&["sim", "fails.ir", "--input", r#"{"key": "b"}"#]));
    insta::assert_snapshot!("sim_fails_json", place.run(&["sim", "fails.ir", "--input", r#"{"key": "b"}"#, "--json"]));
    insta::assert_snapshot!("sim_waits", place.run(&["sim", "waits.ir"]));
    insta::assert_snapshot!("sim_signal", place.run(&["sim", "waits.ir", "--actions", "signal.json"]));
    insta::assert_snapshot!("sim_cancelled", place.run(&["sim", "waits.ir", "--actions", "cancel.json"]));
    let never = place.run(&["sim", "greet.ir", "--actions", "never.json", "--input", r#"{"name": "Ann"}"#]);
    insta::assert_snapshot!("sim_never", never);
}

#[test]
fn the_seed_decides_what_is_drawn() {
    let place = Place::new([("draw.ir", "fn main():\n    return [random.random(), str(uuid.uuid4())]\n")]);
    let draw = |seed: &str| place.run(&["sim", "draw.ir", "--seed", seed]).succeeded().stdout;
    assert_eq!(draw("7"), draw("7"));
    assert_ne!(draw("7"), draw("8"));
}

#[test]
fn inputs_and_scripts_that_are_wrong() {
    let place = place();
    place.write("unknown.json", br#"{"actions": {"app:great": {"return": 1}}}"#);
    place.write("wrong.json", br#"{"actions": {"app:greet": {"retrun": 1}, "b": []}, "events": [{"at": -1}], "x": 1}"#);
    place.write("broken.json", br#"{"actions": "#);
    let input = |input: &str| place.run(&["sim", "greet.ir", "--input", input]);
    insta::assert_snapshot!("sim_input_names", input(r#"{"nmae": "Ann", "time": 2}"#));
    insta::assert_snapshot!("sim_input_missing", input("{}"));
    insta::assert_snapshot!("sim_input_not_json", input("{name: 'Ann'}"));
    insta::assert_snapshot!("sim_input_list", input("[1]"));
    insta::assert_snapshot!("sim_input_value", input(r#"{"name": {"$date": "2023-02-29"}}"#));
    insta::assert_snapshot!("sim_input_no_file", input("@missing.json"));
    insta::assert_snapshot!("sim_input_none_taken", place.run(&["sim", "waits.ir", "--input", r#"{"a": 1}"#]));
    let script = |script: &str| place.run(&["sim", "greet.ir", "--input", r#"{"name": "Ann"}"#, "--actions", script]);
    insta::assert_snapshot!("sim_script_unknown_action", script("unknown.json"));
    insta::assert_snapshot!("sim_script_wrong", script("wrong.json"));
    insta::assert_snapshot!("sim_script_broken", script("broken.json"));
    insta::assert_snapshot!("sim_script_missing", script("missing.json"));
}

#[test]
fn programs_that_never_end_are_stopped() {
    let place = Place::new([("spin.ir", "fn main():\n    while True:\n        x = 10 ** 10 ** 9\n")]);
    let told = place.run(&["sim", "spin.ir"]);
    assert_eq!(told.code, 1, "{told}");
}
