use std::path::PathBuf;
use std::process::{Command, Stdio};

use rustix::process::Signal;

use super::serve::{is_alive, signal, wait_for};
use super::{Place, command, repository, told};

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

/// Workloads with their variants and sizes; all of them count what they did.
const SYSTEM: [(&str, Option<&str>, u64); 12] = [
    ("chain", None, 20),
    ("fanout", None, 20),
    ("latency", None, 5),
    ("loop", None, 40),
    ("start", Some("single"), 100),
    ("start", Some("batches"), 100),
    ("sleepers", None, 50),
    ("payload", None, 1_000),
    ("payload", None, 64_000),
    ("payload", None, 1_000_000),
    ("idle", None, 1),
    ("hosts", Some("1 engine"), 20),
];

#[test]
fn the_system_on_sqlite() {
    check_system("sqlite", &SYSTEM[..11]);
}

#[test]
fn the_system_on_postgres() {
    let mut rows = SYSTEM.to_vec();
    rows.push(("hosts", Some("2 engines"), 20));
    check_system("postgres", &rows);
}

/// The shape, and that everything was done: how fast depends on the machine.
fn check_system(store: &str, expected: &[(&str, Option<&str>, u64)]) {
    let place = Place::new([]);
    let arguments = ["bench", "--quick", "--json", "--store", store, "--html", "bench.html"];
    let told = told(with_python(&mut command(place.directory.path())).args(arguments)).succeeded();
    let measured = told.json();
    let measured = measured.as_array().expect("a list");
    let rows: Vec<(&str, Option<&str>, u64)> = measured
        .iter()
        .map(|row| {
            let size = row["size"].as_u64().expect("a size");
            (row["workload"].as_str().expect("a name"), row["variant"].as_str(), size)
        })
        .collect();
    assert_eq!(rows, expected);
    for row in measured {
        assert_eq!(row["store"], store);
        let positive = |names: &[&str]| {
            for name in names {
                assert!(row[name].as_f64().is_some_and(|value| value > 0.0), "{name}: {row:#}");
            }
        };
        let work = |count: u64, unit: &str| {
            assert_eq!(row[format!("{unit}s")], count, "{row:#}");
            let cpu = format!("cpu_s_per_1000_{unit}s");
            positive(&["wall_s", &format!("{unit}s_per_s"), &cpu, "floor_ratio"]);
            let kinds = row[format!("{cpu}_by_kind")].as_object().expect("kinds");
            assert_eq!(kinds.keys().collect::<Vec<_>>(), ["server", "workers", "database", "client"]);
            assert_eq!(kinds["database"].as_f64() > Some(0.0), store == "postgres", "{row:#}");
            if store == "postgres" {
                positive(&[&format!("transactions_per_{unit}"), &format!("wal_bytes_per_{unit}")]);
            }
        };
        match row["workload"].as_str().expect("a name") {
            "chain" | "hosts" => work(60, "action"),
            "fanout" => work(20, "action"),
            "latency" => {
                work(5, "action");
                positive(&["p50_ms", "p95_ms", "p99_ms", "commit_ms", "round_trip_ms"]);
            }
            "loop" => {
                work(40, "action");
                positive(&["step_ms", "first_tenth_step_ms", "last_tenth_step_ms", "commit_ms", "round_trip_ms"]);
                positive(&["restart_ms", "next_step_ms"]);
            }
            "start" => work(100, "start"),
            "sleepers" => positive(&["p50_ms", "p95_ms", "p99_ms", "memory_bytes", "asleep_after_s"]),
            "payload" => work(
                [(1_000, 10), (64_000, 4), (1_000_000, 2)]
                    .iter()
                    .find(|(size, _)| row["size"] == *size)
                    .expect("a size")
                    .1,
                "action",
            ),
            "idle" => {
                positive(&["cpu_percent"]);
                assert_eq!(row["transactions_per_s"].is_number(), store == "postgres", "{row:#}");
            }
            other => panic!("{other}"),
        }
    }
    let page = std::fs::read_to_string(place.path("bench.html")).expect("a page");
    assert!(page.contains("<svg") && page.ends_with("</html>\n"), "{page}");
    for (workload, ..) in expected {
        assert!(page.contains(&format!("<h2>{workload}</h2>")), "{workload}");
    }
    let loads = ["http:", "https:", "<script", "<link", "@import"].into_iter().find(|text| page.contains(text));
    assert_eq!(loads, None, "the page is whole");
}

#[test]
fn whoever_interrupts_it_finds_nothing_left() {
    let place = Place::new([]);
    let mut command = command(place.directory.path());
    let arguments = ["bench", "--quick", "--json", "--store", "sqlite", "--workload", "idle"];
    let mut bench = with_python(&mut command).args(arguments).stdout(Stdio::null()).spawn().expect("waymark starts");
    // A server with two workers, and a client.
    let started = wait_for("what it starts", || {
        assert!(bench.try_wait().expect("its status").is_none(), "it has ended by itself");
        Some(descendants(bench.id())).filter(|started| started.len() >= 4)
    });
    let folders: Vec<PathBuf> =
        started.iter().filter_map(|id| std::fs::read_link(format!("/proc/{id}/cwd")).ok()).collect();
    assert!(!folders.is_empty() && folders.iter().all(|folder| folder.exists()), "{folders:?}");
    signal(bench.id(), Signal::INT);
    let status = wait_for("its end", || bench.try_wait().expect("its status"));
    assert_eq!(status.code(), Some(130));
    wait_for("the end of what it started", || started.iter().all(|id| !is_alive(*id)).then_some(()));
    assert_eq!(folders.iter().find(|folder| folder.exists()), None);
}

/// The Python that `make venv` made, with the package of this checkout.
fn with_python(command: &mut Command) -> &mut Command {
    let environment = repository().join("target/venv");
    assert!(environment.join("bin/python3").exists(), "`make venv` makes the Python that this needs");
    command.env("VIRTUAL_ENV", environment).env("PYTHONPATH", repository().join("python"))
}

fn descendants(of: u32) -> Vec<u32> {
    let text = |id: &u32| std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let parent = |id: &u32| text(id).rsplit_once(") ")?.1.split(' ').nth(1)?.parse::<u32>().ok();
    let all = std::fs::read_dir("/proc").expect("/proc").flatten();
    let all: Vec<u32> = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    let mut found = vec![of];
    for at in 0.. {
        let Some(next) = found.get(at).copied() else { break };
        found.extend(all.iter().filter(|id| parent(id) == Some(next)));
    }
    found.split_off(1)
}
