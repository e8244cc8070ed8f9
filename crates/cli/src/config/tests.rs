use std::path::Path;

use super::load::{OTHER_VARIABLES, Surroundings, read};
use super::*;

fn flags(given: &[(&str, &str)]) -> Flags {
    let find = |key: &Key| given.iter().find(|(name, _)| *name == key.name).map(|(_, text)| text.to_string());
    Flags { given: KEYS.iter().map(find).collect(), file: None }
}

fn surroundings(directory: &Path, variables: &[(&str, &str)]) -> Surroundings {
    let variables = variables.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    Surroundings { directory: directory.to_path_buf(), variables }
}

fn problem(given: &[(&str, &str)], variables: &[(&str, &str)]) -> String {
    let here = tempfile::tempdir().unwrap();
    match read(&flags(given), &surroundings(here.path(), variables)) {
        Ok(_) => panic!("{given:?} {variables:?} are accepted"),
        Err(error) => error.to_string(),
    }
}

/// Which of flag, variable and file wins, for all that may be there.
#[test]
fn precedence() {
    for places in 0..8u8 {
        let here = tempfile::tempdir().unwrap();
        let below = here.path().join("below/this");
        std::fs::create_dir_all(&below).unwrap();
        let file = here.path().join("waymark.toml");
        std::fs::write(&file, if places & 1 != 0 { "slots = 1\n" } else { "workers = 3\n" }).unwrap();
        let variables: &[(&str, &str)] = if places & 2 != 0 { &[("WAYMARK_SLOTS", "2")] } else { &[] };
        let given: &[(&str, &str)] = if places & 4 != 0 { &[("slots", "4")] } else { &[] };
        let (configuration, warnings) = read(&flags(given), &surroundings(&below, variables)).unwrap();
        let (slots, origin) = match places {
            4.. => (4, Origin::Flag("slots".into())),
            2.. => (2, Origin::Variable("WAYMARK_SLOTS".into())),
            1 => (1, Origin::File(file)),
            _ => (100, Origin::Default),
        };
        assert_eq!((configuration.values.slots, configuration.origin("slots")), (slots, &origin), "{places}");
        assert_eq!(warnings, Vec::<String>::new());
    }
}

#[test]
fn the_database_and_what_its_path_is_relative_to() {
    let here = tempfile::tempdir().unwrap();
    let below = here.path().join("below");
    std::fs::create_dir_all(&below).unwrap();
    let database = |given: &[(&str, &str)], variables: &[(&str, &str)]| {
        read(&flags(given), &surroundings(&below, variables)).unwrap().0.database
    };
    let sqlite = |path: std::path::PathBuf| Database::Sqlite(path);
    assert_eq!(database(&[], &[]), sqlite(below.join(".waymark/waymark.db")));
    assert_eq!(database(&[], &[("DATABASE_URL", "sqlite:a.db")]), sqlite(below.join("a.db")));
    assert_eq!(database(&[], &[("DATABASE_URL", "a"), ("WAYMARK_DATABASE_URL", "b")]), sqlite(below.join("b")));
    assert_eq!(database(&[], &[("DATABASE_URL", "a"), ("WAYMARK_DATABASE_URL", "")]), sqlite(below.join("a")));
    let postgres = Database::Postgres("postgres://me:secret@host/db".into());
    assert_eq!(database(&[("database_url", "postgresql+asyncpg://me:secret@host/db")], &[]), postgres);
    std::fs::write(here.path().join("waymark.toml"), "slots = 5\n").unwrap();
    assert_eq!(database(&[], &[]), sqlite(here.path().join(".waymark/waymark.db")));
    std::fs::write(here.path().join("waymark.toml"), "database_url = 'sqlite:data/w.db'\n").unwrap();
    assert_eq!(database(&[], &[]), sqlite(here.path().join("data/w.db")));
}

#[test]
fn lists_commands_and_units() {
    let here = tempfile::tempdir().unwrap();
    let text = "user_modules = ['a.b', 'c']\nworker_command = ['my worker', '--x=1,2']\nretention_days = 0.5\n";
    std::fs::write(here.path().join("waymark.toml"), text).unwrap();
    let given = [("payload_bytes_max", "2MiB"), ("poll_interval_ms", "250"), ("queues", "a, b")];
    let values = read(&flags(&given), &surroundings(here.path(), &[])).unwrap().0.values;
    assert_eq!(values.user_modules, ["a.b", "c"]);
    assert_eq!(values.worker_command, ["my worker", "--x=1,2"]);
    assert_eq!(values.retention_days.unwrap().duration().as_secs(), 43_200);
    assert_eq!((values.payload_bytes_max, values.poll_interval_ms.0), (2 << 20, 250));
    assert_eq!(values.queues, ["a", "b"]);
    let variables = [("WAYMARK_WORKER_COMMAND", r#"run "a b" 'c"d' e\ f"#)];
    let values = read(&flags(&[]), &surroundings(Path::new("/"), &variables)).unwrap().0.values;
    assert_eq!(values.worker_command, ["run", "a b", "c\"d", "e f"]);
    // What a pool tells its workers is not what we listen on.
    let variables = [("WAYMARK_WORKER_ID", "w-1"), ("WAYMARK_WORKER_ADDRESS", "unix:/run/w")];
    let values = read(&flags(&[]), &surroundings(Path::new("/"), &variables)).unwrap().0.values;
    assert_eq!(values.worker_address, "127.0.0.1:24118");
}

#[test]
fn bad_values_are_told_with_name_value_source_and_what_is_allowed() {
    let cases = [
        ("workers", "-1", "a whole number from 0 to 1024, or `cores`"),
        ("slots", "0", "a whole number from 1 to 100000"),
        ("slots", "many", "a whole number"),
        ("instances_max", "0", "a whole number"),
        ("lease_seconds", "0.1", "seconds from 0.5 to 3600"),
        ("lease_seconds", "NaN", "seconds from"),
        ("heartbeat_seconds", "-4", "seconds from"),
        ("poll_interval_ms", "1", "a whole number from 50"),
        ("claim_batch", "99999", "a whole number"),
        ("commit_batch", "0", "a whole number"),
        ("start_batch", "x", "a whole number"),
        ("payload_bytes_max", "4MB", "bytes from"),
        ("payload_bytes_max", "99999999999999999GiB", "bytes from"),
        ("bridge_address", "localhost", "`HOST:PORT`"),
        ("bridge_address", "localhost:99999", "`HOST:PORT`"),
        ("worker_address", "a b:1", "`HOST:PORT`"),
        ("worker_command", "run 'it", "quotes"),
        ("recycle_after", "0", "a whole number"),
        ("retention_days", "0", "days, more than 0"),
        ("idle_seconds", "0", "seconds from"),
        ("log_level", "loud", "`error`, `warn`"),
        ("queues", ",", "at least one name"),
        ("engine_name", "a\nb", "control characters"),
        ("database_url", "host=here dbname=x", "postgres://"),
    ];
    for (name, value, allowed) in cases {
        let flag = problem(&[(name, value)], &[]);
        assert!(flag.contains(&format!("`{name}` is `{value}`")) && flag.contains(allowed), "{flag}");
        assert!(flag.contains(&format!("--{}", name.replace('_', "-"))), "{flag}");
        let variable = format!("WAYMARK_{}", name.to_uppercase());
        let told = problem(&[], &[(&variable, value)]);
        assert!(told.contains(&variable), "{told}");
    }
    // Both are told at once.
    let both = problem(&[("slots", "0"), ("workers", "x")], &[]);
    assert!(both.contains("`slots`") && both.contains("`workers`"), "{both}");
    let late = problem(&[("lease_seconds", "8"), ("heartbeat_seconds", "4")], &[]);
    assert!(late.contains("under half of the lease"), "{late}");
    assert!(problem(&[("tls_key", "key.pem")], &[]).contains("`tls_certificate` and `tls_key`"));
}

#[test]
fn secrets_are_not_shown_even_when_they_are_wrong() {
    for told in [
        problem(&[("token", "hunter2")], &[]),
        problem(&[("database_url", "mysql://me:hunter2@host/db?password=hunter2")], &[]),
        problem(&[], &[("DATABASE_URL", "mysql://me:hunter2@host/db")]),
    ] {
        assert!(!told.contains("hunter2"), "{told}");
    }
    let given =
        [("token", "hunter2-hunter2-hunter2"), ("database_url", "postgres://me:hun:t@r2@host/db?sslpassword=hunter2")];
    let values = read(&flags(&given), &surroundings(Path::new("/"), &[])).unwrap().0.values;
    let shown: Vec<String> = KEYS.iter().map(|key| (key.show)(&values).to_string()).collect();
    assert!(shown.contains(&"\"postgres://me:***@host/db?sslpassword=***\"".to_string()), "{shown:?}");
    assert!(!format!("{shown:?}").contains("hunter2"), "{shown:?}");
}

#[test]
fn unknown_names_get_the_nearest_one() {
    let here = tempfile::tempdir().unwrap();
    let variables = [("WAYMARK_SLOT", "1"), ("WAYMARK_HOME", "x"), ("WAYMARK_ZZZZZZZZ", "1"), ("OTHER", "1")];
    let (_, warnings) = read(&flags(&[]), &surroundings(here.path(), &variables)).unwrap();
    let expected = [
        "the variable WAYMARK_SLOT means nothing: did you mean WAYMARK_SLOTS?",
        "the variable WAYMARK_ZZZZZZZZ means nothing",
    ];
    assert_eq!(warnings, expected);
    for (text, expected) in [
        ("lease_second = 3\n", "did you mean `lease_seconds`?"),
        ("[server]\nslots = 1\n", "no key `server`"),
        ("slots = true\n", "must be a text, a number or a list"),
        ("slots = \n", "can't be read"),
    ] {
        std::fs::write(here.path().join("waymark.toml"), text).unwrap();
        let error = match read(&flags(&[]), &surroundings(here.path(), &[])) {
            Ok(_) => panic!("{text} is accepted"),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(expected), "{text}: {error}");
    }
    let missing = Flags { file: Some("nowhere.toml".into()), ..flags(&[]) };
    assert!(read(&missing, &surroundings(here.path(), &[])).is_err());
}

/// The page has exactly the rows of the table.
#[test]
fn the_page_lists_every_key() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/configuration.md");
    let page = std::fs::read_to_string(path).unwrap();
    let row = |key: &Key| {
        let default = if key.default.is_empty() { "–".to_string() } else { format!("`{}`", key.default) };
        format!("| `{}` | {default} | {} |", key.name, key.help)
    };
    let expected: Vec<String> = KEYS.iter().map(row).collect();
    let rows: Vec<&str> =
        page.lines().filter(|line| line.matches(" | ").count() == 2 && line.starts_with("| `")).collect();
    assert_eq!(rows, expected, "the table should be:\n{}", expected.join("\n"));
    for variable in OTHER_VARIABLES {
        assert!(page.contains(variable), "{variable}");
    }
}
