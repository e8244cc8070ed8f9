use super::Place;

#[test]
fn the_core_as_json_and_as_a_table() {
    let place = Place::new([]);
    let measured = place.run(&["bench", "core", "--quick", "--json"]).succeeded().json();
    let measured = measured.as_array().expect("a list");
    let sizes: Vec<(&str, u64)> = measured
        .iter()
        .map(|row| (row["workload"].as_str().expect("a name"), row["size"].as_u64().expect("a size")))
        .collect();
    assert_eq!(sizes, [("loop", 1_000), ("spread", 10), ("spread", 1_000), ("nested", 100), ("chain", 100)]);
    for row in measured {
        assert!(row["completions_per_s"].as_f64().expect("a number") > 0.0, "{row}");
        if cfg!(target_os = "linux") {
            assert!(row["bytes_per_instance"].is_u64(), "{row}");
        }
    }
    let table = place.run(&["bench", "core", "--quick"]).succeeded().stdout;
    assert!(table.contains("completions/s") && table.contains("nested"), "{table}");
}
